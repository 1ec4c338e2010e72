// SPDX-License-Identifier: GPL-3.0-or-later
// Small boards as one word, row after row, for programs that look at all boards there are. Cell (x, y) is bit
// y * width + x; a piece that rests partly above the board needs up to four more rows:
//
//      row 1   # . . .         bits 4 to 7: 1 0 0 0        The word is 0b1011'0001 read from the right:
//      row 0   # # . #         bits 0 to 3: 1 1 0 1        adding cells always makes it larger.
//
// The simplified game only. tests/test_solve.c compares every move with board_place and rules_fatal.
#ifndef TETRALAB_GAME_PACKED_H
#define TETRALAB_GAME_PACKED_H

#include <stdbool.h>
#include <stdint.h>

#include "game/board.h"
#include "game/rules.h"

enum {
    PACKED_MAX_CELLS = 30, // width * height
    PACKED_MAX_WIDTH = 7,  // follows, since boards are at least four rows high
    PACKED_MAX_MOVES = 24  // placements of a piece: 22 of L, J and T on a board seven wide
};
#define PACKED_LOST (~(uint64_t)0) // instead of a board: the move ends the game

typedef struct PackedMove {
    uint64_t cells; // with the lowest cell in row 0
    int8_t column, height;
    int8_t bottom[4];    // as in Shape; columns that the shape does not have: so high that they never matter
    Placement placement; // ascending
} PackedMove;

typedef struct Packing {
    int width, rows; // rows that may be filled: rules_rows
    bool lenient;
    uint64_t board;                         // the cells of the board
    uint64_t column[PACKED_MAX_WIDTH];      // those of each column
    int8_t height_of_bit[PACKED_MAX_CELLS]; // row of a bit, counted from 1
    PackedMove move[PIECES][PACKED_MAX_MOVES];
    int moves[PIECES];
} Packing;

// Heights of the columns; those right of the board are read, and never matter.
typedef struct PackedHeights {
    int8_t column[PACKED_MAX_WIDTH + 4];
} PackedHeights;

// -> rules  simplified, with width * height at most PACKED_MAX_CELLS
void packing_make(Packing *packing, const Rules *rules);

// <- the board as a word, or PACKED_LOST if cells lie above the rows that may be filled
uint64_t packed_from_board(const Packing *packing, const Board *board);

static inline PackedHeights packed_heights(const Packing *packing, uint64_t board) {
    PackedHeights heights = {{0}};
    for (int x = 0; x < packing->width; x++) {
        uint64_t column = board & packing->column[x];
        heights.column[x] = column ? packing->height_of_bit[63 - __builtin_clzll(column)] : 0;
    }
    return heights;
}

static inline uint64_t packed_mirror(const Packing *packing, uint64_t board) {
    uint64_t mirror = 0;
    for (int left = 0, right = packing->width - 1; left <= right; left++, right--)
        mirror |= (board & packing->column[left]) << (right - left) |
                  (board & packing->column[right]) >> (right - left);
    return mirror;
}

// <- of a board and its mirror image the one with the smaller word
static inline uint64_t packed_canonical(const Packing *packing, uint64_t board) {
    uint64_t mirror = packed_mirror(packing, board);
    return mirror < board ? mirror : board;
}

// Removes the full ones of the rows from `low` up to below `high`, from the top down.
static inline uint64_t packed_clear(const Packing *packing, uint64_t board, int low, int high, int *lines) {
    uint64_t full = (1u << packing->width) - 1;
    for (int row = high - 1; row >= low; row--)
        if ((board >> row * packing->width & full) == full) {
            uint64_t below = ((uint64_t)1 << row * packing->width) - 1;
            board = (board & below) | (board >> packing->width & ~below);
            ++*lines;
        }
    return board;
}

// Plays a move: drops, clears, asks the overflow rule. <- the board after it, or PACKED_LOST; *lines removed
static inline uint64_t packed_play(const Packing *packing, const PackedHeights *heights, uint64_t board,
                                   const PackedMove *move, int *lines) {
    int row = 0;
    for (int i = 0; i < 4; i++) {
        int lowest = heights->column[move->column + i] - move->bottom[i];
        row = lowest > row ? lowest : row;
    }
    *lines = 0;
    if (!packing->lenient && row + move->height > packing->rows)
        return PACKED_LOST;
    uint64_t after = board | move->cells << row * packing->width;
    after = packed_clear(packing, after, row, row + move->height, lines);
    return after & ~packing->board ? PACKED_LOST : after;
}

#endif
