// SPDX-License-Identifier: GPL-3.0-or-later
// Tables (surface_tables.h) by look-ups in lanes, on whole boards, lane x = column x: the value of a board,
// and what placements on it need to know (surface_entries.h). Part of the surface kernel.
#ifndef TETRALAB_FEATURE_SURFACE_ENTRIES_BOARD_H
#define TETRALAB_FEATURE_SURFACE_ENTRIES_BOARD_H

#include "feature/surface_entries.h"

#ifdef W_GATHERS

#ifdef V_ROTATES
#define c_left(plan, a)  v_rotate(a, -1)
#define c_right(plan, a) v_rotate(a, 1)
#define c_widen(a)       v_widen(a)
#define c_narrow(a)      v_narrow(a)
INLINE C c_heights(C columns) {
    return v_popcount(v_filled(columns));
}
#else
#define c_left(plan, a)    w_permute(a, (plan)->left)
#define c_right(plan, a)   w_permute(a, (plan)->right)
#define c_widen(a)         (a)
#define c_narrow(a)        (a)
#define c_heights(columns) w_height(columns)
#endif

// Columns outside the board have nothing.
typedef struct LaneColumns {
    C code;        // of the step to the next column
    W place, well; // what they give
    C fits, deep;  // the pieces that fit, the well as a key
    C hole;        // the highest hole as a key
} LaneColumns;

// -> heights  those of walls may be anything
INLINE void entries_look(const SurfacePlan *plan, C heights, C holes, LaneColumns *out) {
    const TablePlan *tables = plan->tables;
    const C inside = C_INSIDE(plan), none = c(set)(0);
    C own = c(or)(heights, c(andnot)(inside, c(set)(64))), right = c_right(plan, own);
    out->place = out->well = w_zero();
    out->code = out->fits = out->deep = out->hole = none;
    if (tables->steps) {
        C code = c(add)(c(sub)(right, own), c(set)(3));
        code = out->code = c(or)(c(min)(c(max)(code, none), c(set)(6)), plan->column_no_step);
        C index = c(or3)(c(shift_left)(c_left(plan, code), 6), c(shift_left)(code, 3), c_right(plan, code));
        W fits;
        out->place = w_gather_pairs(tables->lanes.place, c_widen(index), &fits);
        out->fits = c_narrow(fits);
    }
    if (tables->wells || tables->deepest_well) {
        C depth = c(max)(c(sub)(c(min)(c_left(plan, own), right), own), none);
        out->deep = c(and)(inside, c(or)(c(shift_left)(depth, 2), plan->column_place));
        if (tables->wells)
            out->well = w_gather(tables->lanes.well, c_widen(out->deep));
    }
    if (tables->holes) {
        C row = c_heights(holes);
        out->hole = c(add_if)(c(greater)(row, none), none, c(or)(c(shift_left)(row, 6), heights));
    }
}

// The value of a board, but for holes by column, which SurfacePlan.board_weights have.
INLINE int64_t entries_board_value(const SurfacePlan *plan, C heights, C holes, Sum *sum) {
    const TablePlan *tables = plan->tables;
    LaneColumns columns;
    entries_look(plan, heights, holes, &columns);
    W value = w_add(columns.place, columns.well);
    sum->high[0] = w_add(sum->high[0], w_shift_signed(value, 15));
    sum->low[0] = w_add(sum->low[0], w_and(value, w_set(0x7fff)));
    C fits = columns.fits, deep = columns.deep, hole = columns.hole,
      highest = c(and)(heights, C_INSIDE(plan));
    for (int k = 3; k >= 0; k--) {
        if (tables->fits)
            fits = c(fits_together)(fits, c(swap)(fits, k));
        if (tables->deepest_well)
            deep = c(max)(deep, c(swap)(deep, k));
        if (tables->holes)
            hole = c(max)(hole, c(swap)(hole, k));
        if (tables->tops)
            highest = c(max)(highest, c(swap)(highest, k));
    }
    return table_unsummed(tables, (unsigned)c(lane_0)(fits), (unsigned)c(lane_0)(deep),
                          (unsigned)c(lane_0)(hole), c(lane_0)(highest));
}

// ---------------------------------------------------------------------------------------------------
// What placements need

// What comes together up to each column, and from it on.
#if V_LANES == 32
// The former in the first copy of the columns, the latter in the others.
#define ENTRIES_SCAN(together, plan, numbers, before, after, all)                                            \
    do {                                                                                                     \
        V both = numbers;                                                                                    \
        for (int k = 0; k < SCAN_STEPS; k++)                                                                 \
            both = together(both, v_permute(both, (plan)->apart[k]));                                        \
        before = after = both;                                                                               \
        all = (unsigned)v_lane_0(v_permute(both, (plan)->second_first));                                     \
    } while (0)
#else
#define ENTRIES_SCAN(together, plan, numbers, before, after, all)                                            \
    do {                                                                                                     \
        before = after = numbers;                                                                            \
        for (int k = 0; k < SCAN_STEPS; k++) {                                                               \
            before = together(before, from_left(plan, before, k));                                           \
            after = together(after, from_right(plan, after, k));                                             \
        }                                                                                                    \
        before = only_inside(plan, before);                                                                  \
        all = (unsigned)v_lane_0(after);                                                                     \
    } while (0)
#endif

static __attribute__((noinline)) void entries_look_around(const SurfacePlan *plan, const Board *board,
                                                          const bool packed, LaneBoard *t) {
    const TablePlan *tables = plan->tables;
    LaneColumns columns;
#ifdef V_ROTATES
    C own = v_narrow(w_load(board->column)), filled = v_filled(own), heights = v_popcount(filled);
    C holes = v_andnot(own, filled);
    V h = v_max(heights, plan->lane_heights);
#else
    W own = w_load(board->column), heights = w_height(own);
    W holes = w_andnot(own, w_xor(w_shl(w_set(-1), heights), w_set(-1)));
    V h = from_wide(plan, w_or(heights, plan->wall_heights), packed);
#endif
    entries_look(plan, heights, holes, &columns);
    for (int k = 0; k < 8; k++)
        t->h[k] = around(plan, h, k - 2);
    V before;
    unsigned fits = 0, deep = 0, hole = 0;
    t->highest = column_height(w_reduce_or(w_load(board->column)));
    if (tables->steps) {
        C code = columns.code, two = c_left(plan, c_left(plan, code)), next = c_right(plan, code);
        C left = c(shift_left)(two, 3), right = c(shift_left)(code, 3);
        if (tables->deep) {
            left = c(or)(left, c(shift_left)(c_left(plan, two), 6));
            right = c(or)(right, next);
        }
        t->left = from_wide(plan, left, packed);
        t->right = from_wide(plan, right, packed);
    }
    if (tables->fits) {
        ENTRIES_SCAN(v_fits_together, plan, from_wide(plan, columns.fits, packed), before, t->fits_after,
                     fits);
        before = around(plan, before, -2);
        t->fits_before = tables->deep ? around(plan, only_inside(plan, before), -1) : before;
    }
    if (tables->wells || tables->deepest_well) {
        ENTRIES_SCAN(v_max, plan, from_wide(plan, columns.deep, packed), before, t->deep_after, deep);
        t->deep_before = around(plan, before, -2);
    }
    if (tables->holes) {
        V key = from_wide(plan, columns.hole, packed);
        t->hole_row = v_shift_right(key, 6);
        ENTRIES_SCAN(v_max, plan, key, before, t->hole_after, hole);
        t->hole_before = around(plan, before, -1);
    }
    w_store(t->before, w_zero());
    w_store(t->before + TABLE_MARGIN + 1, w_running_sum(w_add(columns.place, columns.well)));
    w_store(t->place, w_zero());
    w_store(t->place + TABLE_MARGIN, columns.place);
    t->unsummed = table_unsummed(tables, fits, deep, hole, t->highest);
}

#endif
#endif
