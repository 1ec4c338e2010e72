// SPDX-License-Identifier: GPL-3.0-or-later
// A position of a game that is played elsewhere: a board, the piece in hand and the pieces that are known to
// follow, as a Game that players can be asked about. More pieces can be added as they become known; the law
// of the rules says what may come after them.
//
//     Position position;
//     position_start(&position, rules, &board);
//     position_add(&position, PIECE_T);                       // in hand
//     position_add(&position, PIECE_I);                       // after it
//     player_choose(player, &position.game);
//     game_move(&position.game, rules, placement, NULL);      // plays it on
//
// The game points into its position, which is hence neither copied nor moved. Rules with a recorded sequence
// give the frequencies of its pieces.
#ifndef TETRALAB_GAME_POSITION_H
#define TETRALAB_GAME_POSITION_H

#include "game/game.h"

enum { POSITION_KNOWN = 1024 }; // pieces that may be known at a time

typedef struct Position {
    Game game; // GAME_NO_PIECES until there is a piece in hand
    PieceSource source;
    uint8_t known[POSITION_KNOWN];
} Position;

// Is it a board that a game can reach: no cell above the rows that may be filled, no full row?
bool position_check(const Rules *rules, const Board *board, Error *error);

// No piece is known yet. Ties at random are drawn from the first stream.
void position_start(Position *position, const Rules *rules, const Board *board);

// What is left in a seven-bag behind the pieces known so far, if the rules have one and it is known; 0 is the
// same as all pieces. Without it all pieces may come.
// -> set  bit = piece
void position_bag(Position *position, uint32_t set);

// One more piece that is known to come. <- false: there is no room for it
bool position_add(Position *position, int piece);

// Takes the piece in hand out without playing it: the next one takes its place.
void position_skip(Position *position);

// Random numbers made of the board and the pieces: the same question has the same answer.
void position_seed(Position *position);

#endif
