// SPDX-License-Identifier: GPL-3.0-or-later
// The moves of a piece on a board: where it can be put under the rules (simplified or original), where it
// comes to rest there, which of that ends the game, how many rows it completes and how many holes it makes.
// Whoever has to go through moves uses this list; only the kernels (feature/kernel.h) and packed boards
// (game/packed.h), which look at many placements in one step, have tables of their own.
#ifndef TETRALAB_GAME_MOVES_H
#define TETRALAB_GAME_MOVES_H

#include <stdbool.h>
#include <stdint.h>

#include "game/board.h"
#include "game/rules.h"

typedef struct Move {
    uint8_t placement, row; // row: where the lowest cell comes to rest, 0 = floor
    uint8_t lines;          // rows completed
    uint8_t holes;          // made: the increase, not below 0
} Move;

// Sets of placements: bit = Placement.
typedef struct Moves {
    uint64_t possible;     // inside the walls and, in the original game, within reach
    uint64_t safe;         // those that do not end the game
    uint64_t holed;        // safe ones that make holes
    uint64_t clearing;     // safe ones that complete rows
    Move move[PLACEMENTS]; // by placement; entries that are not possible mean nothing
} Moves;

// All moves. The board may hold full rows (two-piece players that clear late): they go with every move.
void moves_list(Moves *moves, const Rules *rules, const Board *board, int piece);

// <- .safe alone. Under the original rules it is empty iff the piece has no room to appear.
uint64_t moves_safe(const Rules *rules, const Board *board, int piece);

// Where one placement, inside the walls, comes to rest. <- its row, or -1: out of reach
int moves_row(const Rules *rules, const Board *board, int piece, Placement placement);

// One move. -> placement  inside the walls. <- false: out of reach
bool moves_find(const Rules *rules, const Board *board, int piece, Placement placement, Move *move);

// Plays it: puts the piece down and removes the rows that are full.
void move_play(Board *board, int width, int piece, const Move *move);

#endif
