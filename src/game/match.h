// SPDX-License-Identifier: GPL-3.0-or-later
// A match under way: two or more games side by side that send each other attack rows (Cai, Zhang & Nebel
// 2011, section 1). The paper leaves open when attacks arrive and what happens when the last players are lost
// together; here:
//
//   A round: every seat that is alive puts down one piece, all at the same time. Then the attacks of the
//   round are drawn, in the order of the seats, and arrive at all opponents that are alive, again in the
//   order of the seats that sent them. Every opponent gets the same rows. A move that ends a game sends
//   nothing; a seat that is lost by the attacks of a round has sent its own. The last one alive wins. If the
//   last ones are lost in the same round, nobody does: a draw.
//
// A match with one seat is a game: nothing is sent, nobody wins, and it ends when it is lost.
//
// No player is involved: who chooses the moves is somebody else's business (measure/matches.h,
// game/record.h).
#ifndef TETRALAB_GAME_MATCH_H
#define TETRALAB_GAME_MATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "game/attack.h"
#include "game/game.h"
#include "game/rules.h"

enum { MATCH_LEAST_SEATS = 2, MATCH_MAX_SEATS = 8, MATCH_ROWS = 5 };

typedef enum MatchSequence {
    MATCH_SAME, // every seat gets the same pieces: those of game number k of the seed, in match k
    MATCH_OWN   // each its own
} MatchSequence;
extern const char *const match_sequence_words[]; // "same", "own"

typedef enum MatchEnd {
    MATCH_RUNNING,
    MATCH_WON,    // by the last one alive
    MATCH_DRAWN,  // the last ones were lost in the same round, or the only one
    MATCH_LIMIT,  // the pieces are used up, or somebody's limit on rounds was reached: nobody wins
    MATCH_STOPPED // interrupted
} MatchEnd;

// What a seat does in a round, besides a placement.
enum {
    MATCH_NO_MOVE = PLACEMENT_NONE, // every placement ends the game
    MATCH_LATE = -2                 // it took too long, and is lost
};

typedef struct Seat {
    uint64_t moves[MATCH_ROWS]; // by the rows that they removed; together they are game.pieces
    uint64_t sent, received;    // attack rows; those that end a game are not received
    uint64_t cells;             // filled ones in the received rows
    bool late;                  // lost by MATCH_LATE
} Seat;
// At any moment, for every seat,
//     cells on the board = 4 * pieces - width * lines + cells.

typedef struct Match {
    const Rules *rules; // not owned
    int seats;
    uint64_t rounds; // played
    Random random;   // for attack rows
    MatchEnd end;
    int winner;                     // seat, -1: none
    Attack attack[MATCH_MAX_SEATS]; // of the last round, by sender
    Seat seat[MATCH_MAX_SEATS];
    Game game[MATCH_MAX_SEATS]; // lost: GAME_OVER
} Match;

// Starts match `number` of the seed. -> seats  1 ... MATCH_MAX_SEATS; with one it is game `number` of the
// seed Random ties are drawn from streams that differ from seat to seat, whatever the sequence.
void match_start(Match *match, const Rules *rules, int seats, MatchSequence sequence, uint64_t seed,
                 uint64_t number);

bool match_is_alive(const Match *match, int seat);

// Plays a round of a match that is running. -> move  of each seat that is alive: a placement for which
// game_can_move says yes, or one of the above
void match_round(Match *match, const Placement *move);

#endif
