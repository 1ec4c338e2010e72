// SPDX-License-Identifier: GPL-3.0-or-later
// A set of packed boards (game/packed.h) as one bit per board that could be, and their numbers in the set:
// how many smaller words it holds. Asking for a number is a look at two tables.
#ifndef TETRALAB_EXACT_BOARD_SET_H
#define TETRALAB_EXACT_BOARD_SET_H

#include <stdbool.h>
#include <stdint.h>

typedef struct BoardSet {
    const uint64_t *bits; // not owned
    uint32_t *before;     // owned: boards in earlier words of `bits`
    uint64_t boards;
} BoardSet;

// <- words of a set of boards with so many cells
static inline uint64_t board_set_words(int cells) {
    return cells > 6 ? (uint64_t)1 << (cells - 6) : 1;
}

// Counts. -> bits  outlives the set. <- false: out of memory
bool board_set_make(BoardSet *set, const uint64_t *bits, int cells);
void board_set_free(BoardSet *set);

static inline bool board_set_has(const BoardSet *set, uint64_t board) {
    return set->bits[board >> 6] >> (board & 63) & 1;
}

// -> board  one that the set has
static inline uint32_t board_set_number(const BoardSet *set, uint64_t board) {
    uint64_t smaller = set->bits[board >> 6] & (((uint64_t)1 << (board & 63)) - 1);
    return set->before[board >> 6] + (uint32_t)__builtin_popcountll(smaller);
}

#endif
