// SPDX-License-Identifier: GPL-3.0-or-later
// Whole boards in the surface kernel, lane x = column x: the value of a board, and of a board after rows have
// been removed. In lanes of 16 bits where these take fewer registers (c_... is v_...), else of 32 bits
// (w_...). Part of kernel_surface.c.
#ifndef TETRALAB_FEATURE_SURFACE_BOARD_H
#define TETRALAB_FEATURE_SURFACE_BOARD_H

#include "feature/surface_entries_board.h"
#include "feature/surface_further_board.h"

#ifdef TALL_KERNEL
INLINE bool is_tall(const Board *board) {
    return wm_any(w_nonzero(w_shift_right(w_load(board->column), V_ROWS)));
}
#endif

// For every cell of the mask: empty cells from it downward.
INLINE C run_sum(C mask, C columns) {
    C sum = c(set)(0), empty = c(xor)(columns, c(set)(-1));
    while (c_any(mask)) {
        sum = c(add)(sum, c(popcount)(mask));
        empty = c(shift_left)(empty, 1);
        mask = c(and)(mask, empty);
    }
    return sum;
}

// The mask and everything empty below it.
INLINE C flood_down(C mask, C columns) {
    for (;;) {
        C more = c(andnot)(columns, c(or)(mask, c(shift_right)(mask, 1)));
        if (!c_any(c(xor)(more, mask)))
            return mask;
        mask = more;
    }
}

// Open wells are looked up; those below the surface and very deep ones are followed down cell by cell.
INLINE C columns_wells(const SurfacePlan *plan, C columns, C heights, C holes, C sides) {
    C open = c(and)(C_INSIDE(plan), c(shr)(sides, heights)), cells = c(and)(sides, holes), wells = c(set)(0);
    if (__builtin_expect(c_any(c(and)(open, c(set)(~63))), 0))
        cells = c(and)(C_INSIDE(plan), c(andnot)(columns, sides));
    else
        wells = c(lookup)(plan->wells, open, !plan->fast_wells);
    if (!c_any(cells))
        return wells;
    return c(add)(wells, run_sum(plan->fast_wells ? flood_down(cells, columns) : cells, columns));
}

// Columns with the walls in place, what is filled up to their tops, heights, and the columns beside.
#ifdef V_ROTATES
INLINE C columns_with_walls(const SurfacePlan *plan, W columns, C *filled, C *heights, C *left, C *right) {
    C walled = v_or(v_narrow(columns), plan->lane_walls);
    *filled = v_filled(walled);
    *heights = v_max(v_popcount(*filled), plan->lane_heights);
    *left = v_rotate(walled, -1);
    *right = v_rotate(walled, 1);
    return walled;
}
#else
INLINE C columns_with_walls(const SurfacePlan *plan, W columns, C *filled, C *heights, C *left, C *right) {
    C walled = w_or(columns, plan->walls);
    *heights = w_height(walled);
    *filled = w_xor(w_shl(w_set(-1), *heights), w_set(-1));
    *left = w_permute(walled, plan->left);
    *right = w_permute(walled, plan->right);
    return walled;
}
#endif

// How many of -2 ... 2 occur among the differences of neighbouring heights.
INLINE int diversity_of(const SurfacePlan *plan, C heights) {
#ifdef V_ROTATES
    return count_bits(v_reduce_or(v_and(plan->pair[1], differences(heights, v_rotate(heights, 1)))));
#else
    uint32_t h[16], seen = 0;
    w_store(h, heights);
    for (int x = 0; x + 1 < plan->width; x++) {
        uint32_t d = h[x + 1] - h[x] + 2;
        seen |= d < 5 ? 1u << d : 0;
    }
    return count_bits(seen);
#endif
}

// Adds two weighted terms.
INLINE void accumulate_board(Sum *sum, const Weights *weights, C first, C second) {
#if V_LANES == 32
    W pairs = w_pack(first, second);
    sum->high[0] = w_dot(sum->high[0], pairs, weights->high);
    sum->low[0] = w_dot(sum->low[0], pairs, weights->low);
#else
    accumulate(sum, weights, first, second);
#endif
}

// What further features give.
INLINE int64_t further_whole(const SurfacePlan *plan, W wide, C heights, C holes, Sum *sum) {
    _Alignas(64) uint32_t column[BOARD_COLUMNS];
    w_store(column, wide);
    int64_t value = plan->more ? further_value(plan, column) : 0;
#ifdef W_GATHERS
    if (plan->tables && plan->tables->in_lanes)
        return value + entries_board_value(plan, heights, holes, sum);
#else
    (void)heights, (void)holes, (void)sum;
#endif
    return value + (plan->tables ? whole_tables_value(plan, column) : 0);
}

// -> wide  the board, nothing outside
INLINE int64_t whole_value(const SurfacePlan *plan, W wide) {
    C filled, heights, left, right, inside = C_INSIDE(plan);
    C columns = columns_with_walls(plan, wide, &filled, &heights, &left, &right);
    C holes = c(and)(inside, c(andnot)(columns, filled)), sides = c(and)(left, right);
    // Pair (x-1, x) for every column, and the last column with the right wall in that wall's lane; the
    // other wall lanes have a wall on both sides, hence no transition.
    C rows = c(popcount)(c(xor)(left, columns));
    C transitions = c(popcount)(c(and)(inside, c(xor)(columns, c(or)(c(shift_left)(columns, 1), c(set)(1)))));
    C depth = c(popcount)(c(and)(inside, c(andnot)(c(xor)(columns, c(add)(columns, c(set)(1))), columns)));
    C wells = plan->use_wells ? columns_wells(plan, columns, heights, holes, sides) : c(set)(0);
    Sum sum;
    sum.high[0] = sum.low[0] = w_zero();
    accumulate_board(&sum, &plan->board_weights[0], rows, transitions);
    accumulate_board(&sum, &plan->board_weights[1], c(popcount)(holes), wells);
    accumulate_board(&sum, &plan->board_weights[2], depth, c(set)(0));
    int64_t value = plan->rows_above + (plan->further ? further_whole(plan, wide, heights, holes, &sum) : 0);
    value += (int64_t)w_reduce_add(sum.high[0]) * 32768 + w_reduce_add(sum.low[0]);
    if (plan->rows_with_holes)
        value += plan->rows_with_holes * count_bits(c(reduce_or)(holes));
    if (plan->use_diversity)
        value += plan->diversity * diversity_of(plan, heights);
    return value;
}

static int64_t board_value(const SurfacePlan *plan, const Board *board) {
#ifdef TALL_KERNEL
    if (is_tall(board))
        return TALL_KERNEL(surface_kernel).board_value(plan->tall, board);
#endif
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
