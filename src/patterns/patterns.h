// SPDX-License-Identifier: GPL-3.0-or-later
// What a board is worth, as a sum over tables. Every pattern that a board shows has a number of lines of its
// own; their sum says how many lines are still to be expected. The patterns are
//
//      rows        the cells of every row, by its height
//      pairs       the cells of every two neighbouring rows, wherever they are (boards up to 11 columns)
//      steps       the differences of four neighbouring columns, each within -6 ... 6, and of five, within
//                  -4 ... 4, by place
//      heights     of every three neighbouring columns, by place
//      tops        the highest cells of three neighbouring columns, six rows down from the highest of them;
//                  of four, five rows; of five, four rows; by place, the floor being filled
//      pile        its height, that of the lowest column, and the holes, 40 at most
//
//                  . . # .       the top of these four columns is the same wherever the pile stands: what is
//                  # # # .       learned of it on a low pile holds on a high one
//                  # # . #
//
// A pattern and its mirror image at the mirrored place share a number, so that a board and its mirror image
// are worth the same. Tables like these are known as n-tuple networks; Jaskowski, Szubert, Liskowski &
// Krawiec (GECCO 2015) learned them for S and Z alone, from windows at fixed places.
//
// Numbers are whole, so that moves are the same on every machine.
#ifndef TETRALAB_PATTERNS_PATTERNS_H
#define TETRALAB_PATTERNS_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "game/board.h"

enum {
    PATTERNS_LINE = 1 << 20,    // a line, in units of the numbers
    PATTERNS_LARGEST = 1 << 30, // and the largest number, either way
    PATTERNS_SHOWN = 2 * BOARD_MAX_HEIGHT + 6 * BOARD_MAX_WIDTH + 1
};

typedef struct Patterns {
    int width, height;
    int shown; // patterns on a board, at most PATTERNS_SHOWN
    size_t size;
    int32_t *number; // owned; size of them
    // Where the tables begin; rows are the first.
    uint32_t pairs_at, narrow_at, wide_at, heights_at, tops_at[3], pile_at;
} Patterns;

// <- how many patterns a board of this size shows
int patterns_count(int width, int height);
// <- false: out of memory. -> first  every number
bool patterns_make(Patterns *patterns, int width, int height, int32_t first);
void patterns_free(Patterns *patterns);

// Where the numbers of the patterns on a board are. <- how many: patterns->shown. Cells above the top are not
// looked at.
int patterns_find(const Patterns *patterns, const Board *board, uint32_t place[PATTERNS_SHOWN]);
// <- their sum
int64_t patterns_sum(const Patterns *patterns, const uint32_t *place); // of what was found
int64_t patterns_value(const Patterns *patterns, const Board *board);

#endif
