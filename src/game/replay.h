// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded game: its rules, strategy name, seed, and every piece with its placement; replaying it
// gives the same board and score, or says at which move it does not.
//
// Text, one field per line, so that it can be read and made by other programs:
//     tetralab game 1
//     board 10x20
//     overflow lenient
//     gameover avoid
//     rules simplified
//     pieces uniform             (uniform, hard, sz, bag or weights: the pieces must be those of the seed;
//                                 recorded NAME: they are whatever the moves say)
//     strategy bcts
//     seed 1 game 0
//     moves T0:3 S1:8 ...        (piece letter, orientation 0-3, ':' left column; many lines of these)
//     end pieces 1234 lines 480 columns 1f,3,...,7 state over hand T next S
// The fields between the first line and the moves may come in any order, each once. The columns are the
// final board from the left, hexadecimal, bit 0 the floor row. The state is over, no-pieces or stopped; hand
// and next are the pieces that were not placed, '-' for none. A last move that ended the game is among the
// moves but not among the pieces.
#ifndef TETRALAB_GAME_REPLAY_H
#define TETRALAB_GAME_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "game/game.h"
#include "game/rules.h"

// So many that the text stays below the limit on files that are read (base/text.h).
enum { REPLAY_MAX_MOVES = 10000000 };

typedef struct Replay {
    Rules rules; // pieces.recorded is NULL: the moves hold the sequence
    char strategy[96];
    uint64_t seed, index;
    uint8_t *moves;      // pairs: piece, placement
    size_t length, room; // bytes of `moves`: used, allocated
    uint64_t pieces, lines;
    uint32_t column[BOARD_COLUMNS]; // the final board
    GameState state;
    int hand, next; // pieces not placed, -1 = none
} Replay;

void replay_start(Replay *replay, const Rules *rules, const char *strategy, uint64_t seed, uint64_t index);
// Before game_move. false: out of memory, or more than REPLAY_MAX_MOVES; what was added so far stays.
bool replay_add(Replay *replay, int piece, Placement placement, Error *error);
void replay_end(Replay *replay, const Game *game); // a game still running counts as stopped
void replay_free(Replay *replay);

bool replay_write(const Replay *replay, const char *path, Error *error); // whole or not at all

// Free with replay_free, also after an error. No file that the text names is opened.
bool replay_read(Replay *replay, const char *path, Error *error);
bool replay_parse(Replay *replay, const char *name, const char *text, size_t length, Error *error);

// <- what replay_write writes, with a 0 byte behind it; free() it. NULL: out of memory
char *replay_to_text(const Replay *replay, size_t *length, Error *error);

// Plays the moves and compares pieces, placements, score, board and end with the recorded ones.
// <- game  the final position; it uses replay->rules
bool replay_check(const Replay *replay, Game *game, Error *error);

#endif
