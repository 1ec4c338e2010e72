// SPDX-License-Identifier: GPL-3.0-or-later
// What a node of the planning tree has to know about its placements: where they come to rest, how many rows
// they remove, how many holes they make. Placements that end the game are left out.
#ifndef TETRALAB_PLAYER_UCT_MOVES_H
#define TETRALAB_PLAYER_UCT_MOVES_H

#include <stdint.h>

#include "game/board.h"
#include "game/rules.h"

typedef struct UctMove {
    uint8_t placement, row; // row: where the lowest cell comes to rest
    uint8_t rows;           // removed
    uint8_t holes;          // made: the increase, not below 0
} UctMove;

typedef struct UctMoves {
    uint64_t safe;            // the placements that do not end the game; the others' entries mean nothing
    uint64_t holed;           // those that make holes
    uint64_t clearing;        // those that remove rows
    UctMove move[PLACEMENTS]; // by placement
} UctMoves;

// All placements.
void uct_moves(UctMoves *moves, const Board *board, const Rules *rules, int piece);
// <- .safe alone
uint64_t uct_safe(const Board *board, const Rules *rules, int piece);
// One placement that is safe.
UctMove uct_move(const Board *board, const Rules *rules, int piece, Placement placement);

// Plays it.
void uct_play(Board *board, int width, int piece, const UctMove *move);

#endif
