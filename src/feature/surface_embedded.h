// SPDX-License-Identifier: GPL-3.0-or-later
// Embedded holes in the surface kernel. An empty cell counts 1 and the sum of the row of the nearest filled
// cell above it, if that is at most two rows up: a sum from row to row, the highest first. A placement
// changes its own rows and those of the two cells below its columns. From there it goes down as far as sums
// change; vectors go down all the way (surface_further.h).
#ifndef TETRALAB_FEATURE_SURFACE_EMBEDDED_H
#define TETRALAB_FEATURE_SURFACE_EMBEDDED_H

#include "feature/surface_plan.h"

enum { EMBEDDED_LIMIT = 16383, EMBEDDED_ROWS = 40 };

typedef struct Embedded {
    int empty[EMBEDDED_ROWS];                   // cells of a row
    int one[EMBEDDED_ROWS], two[EMBEDDED_ROWS]; // of these, below a cell one row up; two rows up
    int own[EMBEDDED_ROWS];                     // the row's sum
    int sum;                                    // of all rows below the top
    uint8_t height[BOARD_MAX_WIDTH];
} Embedded;

INLINE int embedded_limit(int sum) {
    return sum < EMBEDDED_LIMIT ? sum : EMBEDDED_LIMIT;
}

// For every row, in how many columns its bit is set: a binary number with its bits in four words.
typedef struct RowCounts {
    uint32_t bit[4];
} RowCounts;

INLINE void count_rows(RowCounts *counts, uint32_t column) {
    for (int k = 0; k < 4; k++) {
        uint32_t carry = counts->bit[k] & column;
        counts->bit[k] ^= column;
        column = carry;
    }
}

INLINE int rows_at(const RowCounts *counts, int row) {
    return (int)((counts->bit[0] >> row & 1) | (counts->bit[1] >> row & 1) << 1 |
                 (counts->bit[2] >> row & 1) << 2 | (counts->bit[3] >> row & 1) << 3);
}

// -> columns  without full rows
static void embedded_look(const SurfacePlan *plan, const uint32_t *columns, Embedded *e) {
    RowCounts filled = {{0}}, one = {{0}}, two = {{0}};
    uint32_t occupied = 0;
    for (int x = 0; x < plan->width; x++) {
        uint32_t c = columns[x];
        occupied |= c;
        e->height[x] = (uint8_t)column_height(c);
        count_rows(&filled, c);
        count_rows(&one, ~c & c >> 1);
        count_rows(&two, ~(c | c >> 1) & c >> 2);
    }
    int pile = column_height(occupied), top = pile > plan->height ? pile : plan->height;
    for (int row = pile; row < pile + 6; row++) {
        e->empty[row] = e->own[row] = plan->width;
        e->one[row] = e->two[row] = 0;
    }
    e->sum = (top - pile) * plan->width;
    for (int row = pile - 1; row >= 0; row--) {
        e->empty[row] = plan->width - rows_at(&filled, row);
        e->one[row] = rows_at(&one, row);
        e->two[row] = rows_at(&two, row);
        e->own[row] =
            embedded_limit(e->empty[row] + e->one[row] * e->own[row + 1] + e->two[row] * e->own[row + 2]);
        e->sum += e->own[row];
    }
}

static int64_t embedded_value(const SurfacePlan *plan, const uint32_t *columns) {
    Embedded e;
    embedded_look(plan, columns, &e);
    return plan->weight[FEATURE_EMBEDDED_HOLES] * embedded_limit(e.sum);
}

#if V_LANES == 1
// What a placement that completes no row and stays below the top changes.
// -> cells  of its rows, four bits each
static int embedded_change(const Embedded *e, const Shape *shape, uint32_t cells, int column, int row) {
    // By row, four bits each, from two rows below the piece on: its cells, and cells that it covers.
    uint32_t one = 0, two = 0;
    cells <<= 8;
    for (int i = 0; i < shape->width; i++) {
        int gap = row + shape->bottom[i] - e->height[column + i];
        one += (uint32_t)(gap > 0) << 4 * (shape->bottom[i] + 1);
        two += (uint32_t)(gap > 1) << 4 * shape->bottom[i];
    }
    int at = row + shape->height - 1, first = e->own[at + 1], second = e->own[at + 2], sum = e->sum;
    for (; at >= 0; at--) {
        int k = 4 * (at - row + 2), empty = e->empty[at], ones = e->one[at], twos = e->two[at];
        if (k >= 0) {
            empty -= (int)(cells >> k & 15);
            ones += (int)(one >> k & 15);
            twos += (int)(two >> k & 15);
        } else if (first == e->own[at + 1] && second == e->own[at + 2]) {
            break; // nothing changes from here on
        }
        int own = embedded_limit(empty + ones * first + twos * second);
        sum += own - e->own[at];
        second = first;
        first = own;
    }
    return embedded_limit(sum) - embedded_limit(e->sum);
}
#endif

#endif
