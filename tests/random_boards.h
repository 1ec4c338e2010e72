// SPDX-License-Identifier: GPL-3.0-or-later
// Boards to try things on: any width and height, without full rows, from empty to filled to the top. Played
// boards have few holes and low piles; these have what games seldom show: chequered piles, towers beside
// shafts, rows that lack only the next piece.
#ifndef TETRALAB_TESTS_RANDOM_BOARDS_H
#define TETRALAB_TESTS_RANDOM_BOARDS_H

#include <stdint.h>

#include "base/random.h"
#include "game/board.h"

static inline int random_between(Random *random, int least, int most) {
    return least + (int)random_below(random, (uint32_t)(most - least + 1));
}

// <- 32 bits, each of them set with a probability of eighths / 8
static inline uint32_t random_bits(Random *random, int eighths) {
    uint32_t bits = 0;
    if (eighths >= 8)
        return ~0u;
    for (int k = 0; k < 3; k++) {
        uint32_t half = (uint32_t)(random_next(random) >> 32);
        bits = eighths >> k & 1 ? bits | half : bits & half;
    }
    return bits;
}

static inline uint32_t rows_below(int row) {
    return (uint32_t)((1ull << row) - 1);
}

// Cells at random up to one height.
static inline void random_noise(Board *board, Random *random, int width, int pile) {
    int density = random_between(random, 1, 7);
    for (int x = 0; x < width; x++)
        board->column[x] = random_bits(random, density) & rows_below(pile);
}

// Columns of different heights with some holes.
static inline void random_columns(Board *board, Random *random, int width, int pile) {
    int density = random_between(random, 4, 8);
    for (int x = 0; x < width; x++) {
        int height = random_between(random, 0, pile);
        uint32_t top = height ? 1u << (height - 1) : 0;
        board->column[x] = (random_bits(random, density) & rows_below(height)) | top;
    }
}

// Towers and shafts.
static inline void random_towers(Board *board, Random *random, int width, int pile) {
    int low = random_between(random, 0, pile), towers = random_between(random, 2, 6);
    uint32_t holes = random_below(random, 2) ? random_bits(random, 1) : 0;
    for (int x = 0; x < width; x++) {
        bool tower = random_below(random, 8) < (uint32_t)towers;
        int height = (tower ? pile : low) - random_between(random, 0, 2);
        board->column[x] = rows_below(height < 0 ? 0 : height) & ~(random_below(random, 3) ? 0 : holes);
    }
}

// Columns as runs of filled and empty cells.
static inline void random_runs(Board *board, Random *random, int width, int pile) {
    for (int x = 0; x < width; x++) {
        uint32_t column = 0;
        for (int row = 0, filled = random_between(random, 0, 1); row < pile; filled ^= 1) {
            int length = random_between(random, 1, 6);
            if (filled)
                column |= rows_below(length) << row;
            row += length;
        }
        board->column[x] = column & rows_below(pile);
    }
}

// Nearly full rows with an opening in common: the next piece may complete up to four of them.
static inline void random_opening(Board *board, Random *random, int width, int pile) {
    int opening = random_between(random, 1, 4), left = random_between(random, 0, width - opening);
    int bottom = random_between(random, pile > 5 ? pile - 5 : 0, pile);
    bool ragged = random_below(random, 2);
    for (int x = 0; x < width; x++) {
        uint32_t column = rows_below(pile);
        if (x >= left && x < left + opening)
            column &= rows_below(bottom + (ragged ? random_between(random, 0, 2) : 0));
        if (random_below(random, 4) == 0)
            column &= random_bits(random, 7);
        board->column[x] = column;
    }
}

// <- a board with cells in the lowest `pile` rows at most
static inline void random_board(Board *board, Random *random, int width, int pile) {
    typedef void Kind(Board *, Random *, int, int);
    static Kind *const kinds[] = {random_noise, random_columns, random_towers, random_runs, random_opening};
    *board = (Board){0};
    kinds[random_below(random, sizeof kinds / sizeof *kinds)](board, random, width, pile);
    for (uint32_t full; (full = board_full_rows(board, width)) != 0;)
        board->column[random_below(random, (uint32_t)width)] &= ~(full & -full);
}

#endif
