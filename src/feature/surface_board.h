// SPDX-License-Identifier: GPL-3.0-or-later
// Whole boards in the surface kernel: the value of a board, and of a board after rows have been removed. With
// wide vectors lane x is column x; other machines go from column to column (surface_columns.h). Part of
// kernel_surface.c.
#ifndef TETRALAB_FEATURE_SURFACE_BOARD_H
#define TETRALAB_FEATURE_SURFACE_BOARD_H

#include "feature/surface_columns.h"
#include "feature/surface_further.h"

#ifdef W_BOARDS
// For every cell of the mask: empty cells from it downward.
INLINE W run_sum(W mask, W columns) {
    W sum = w_zero(), empty = w_xor(columns, w_set(-1));
    while (wm_any(w_nonzero(mask))) {
        sum = w_add(sum, w_popcount(mask));
        empty = w_shift_left(empty, 1);
        mask = w_and(mask, empty);
    }
    return sum;
}

// The mask and everything empty below it.
INLINE W flood_down(W mask, W columns) {
    for (;;) {
        W more = w_andnot(columns, w_or(mask, w_shift_right(mask, 1)));
        if (!wm_any(w_nonzero(w_xor(more, mask))))
            return mask;
        mask = more;
    }
}

static int diversity_of(const SurfacePlan *plan, W heights) {
    uint32_t h[16], seen = 0;
    w_store(h, heights);
    for (int x = 0; x + 1 < plan->width; x++) {
        uint32_t d = h[x + 1] - h[x] + 2;
        seen |= d < 5 ? 1u << d : 0;
    }
    return __builtin_popcount(seen);
}

// Open wells are looked up; those below the surface and very deep ones are followed down cell by cell.
INLINE W columns_wells(const SurfacePlan *plan, W columns, W heights, W holes, W sides) {
    W open = w_and(plan->inside, w_shr(sides, heights)), cells = w_and(sides, holes), wells = w_zero();
    if (__builtin_expect(wm_any(w_nonzero(w_and(open, w_set(~63)))), 0))
        cells = w_and(plan->inside, w_andnot(columns, sides));
    else
        wells = w_lookup(plan->wells, open, !plan->fast_wells);
    if (!wm_any(w_nonzero(cells)))
        return wells;
    return w_add(wells, run_sum(plan->fast_wells ? flood_down(cells, columns) : cells, columns));
}

// -> columns  with the walls in place
INLINE int64_t columns_value(const SurfacePlan *plan, W columns) {
    W inside = plan->inside;
    W heights = w_height(columns);
    W above = w_shl(w_set(-1), heights);
    W holes = w_and(inside, w_xor(w_or(columns, above), w_set(-1)));
    W left = w_permute(columns, plan->left), sides = w_and(left, w_permute(columns, plan->right));
    // Pair (x-1, x) for every column, and the last column with the right wall in that wall's lane; the
    // other wall lanes have a wall on both sides, hence no transition.
    W rows = w_popcount(w_xor(left, columns));
    W transitions = w_popcount(w_and(inside, w_xor(columns, w_or(w_shift_left(columns, 1), w_set(1)))));
    W wells = columns_wells(plan, columns, heights, holes, sides);
    W depth =
        w_popcount(w_and(w_and(inside, columns), w_xor(w_xor(columns, w_add(columns, w_set(1))), w_set(-1))));
    W pair = w_pack(rows, transitions);
    W high = w_dot(w_zero(), pair, plan->board_high[0]), low = w_dot(w_zero(), pair, plan->board_low[0]);
    pair = w_pack(w_popcount(holes), wells);
    high = w_dot(high, pair, plan->board_high[1]);
    low = w_dot(low, pair, plan->board_low[1]);
    high = w_dot(high, depth, plan->board_high[2]);
    low = w_dot(low, depth, plan->board_low[2]);
    int64_t value = (int64_t)w_reduce_add(high) * 32768 + w_reduce_add(low);
    if (plan->rows_with_holes)
        value += plan->rows_with_holes * __builtin_popcount(w_reduce_or(holes));
    if (plan->use_diversity)
        value += plan->diversity * diversity_of(plan, heights);
    if (plan->further) {
        _Alignas(64) uint32_t column[BOARD_COLUMNS];
        w_store(column, columns);
        value += further_value(plan, column);
    }
    return value;
}

INLINE int64_t whole_value(const SurfacePlan *plan, W columns) {
    return columns_value(plan, w_or(w_and(columns, plan->inside), plan->walls));
}
#else
INLINE int64_t whole_value(const SurfacePlan *plan, W columns) {
    _Alignas(64) uint32_t column[BOARD_COLUMNS];
    w_store(column, columns);
    return columns_value(plan, column);
}
#endif

static int64_t board_value(const SurfacePlan *plan, const Board *board) {
    return whole_value(plan, w_load(board->column)) - changes_from(plan, board);
}

INLINE W remove_rows(W columns, uint32_t rows) {
    while (rows) {
        uint32_t low = (rows & -rows) - 1;
        columns = w_or(w_and(columns, w_set((int)low)), w_and(w_shift_right(columns, 1), w_set((int)~low)));
        rows = (rows & (rows - 1)) >> 1;
    }
    return columns;
}

#endif
