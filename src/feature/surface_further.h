// SPDX-License-Identifier: GPL-3.0-or-later
// Further features of the surface kernel: what placements that complete no row change in them, in lanes. Only
// what a rating uses is computed (SurfacePlan.features). Whole boards are in surface_further_board.h.
//
// A placement changes the heights of its own columns. So it changes their steps to the columns beside, the
// wells by height in its columns and the two beside, and
//   sum of heights     by its four cells and the gaps below it
//   adjacent holes     by 1 for every column with a gap
//   sum of row numbers by four times the landing row, and a constant
//   cell transitions   as row and column transitions, but floor and walls are no cells. A placement that
//                      reaches the top of the board is valued as a whole board.
#ifndef TETRALAB_FEATURE_SURFACE_FURTHER_H
#define TETRALAB_FEATURE_SURFACE_FURTHER_H

#include <stdlib.h>

#include "feature/surface_entries.h"
#include "feature/surface_wells.h"

// What place() has found out already.
typedef struct Found {
    V row, sides, gap_columns, gaps, depth;
    V cells[4], next[6], gap_end[4], top[4];
} Found;

#define FURTHER(plan, f, numbers, offset) AROUND_IN(plan, &(f)->at, (f)->numbers, offset)

INLINE V v_abs_difference(V a, V b) {
    return v_sub(v_max(a, b), v_min(a, b));
}

// Wells by height: d = max(0, min(left, right) - own); walls are higher than anything else.
INLINE V well_between(V left, V own, V right) {
    return v_max(v_sub(v_min(left, right), own), v_set(0));
}

INLINE V pit_depth(V sides) { // empty cells below the highest with both sides filled
    sides = v_or(sides, v_shift_right(sides, 1));
    sides = v_or(sides, v_shift_right(sides, 2));
    sides = v_or(sides, v_shift_right(sides, 4));
    sides = v_or(sides, v_shift_right(sides, 8));
    if (V_BITS == 32)
        sides = v_or(sides, v_shift_right(sides, V_BITS / 2));
    return v_popcount(v_shift_right(sides, 1));
}

INLINE void further_heights(const SurfacePlan *plan, const Further *f, const Batch *b, const int w,
                            const Found *found, V *number) {
    V sum = number[HEIGHT_SUM] = v_add(found->gaps, v_set(4)), width = v_set(plan->width);
    if (plan->features & HIGHEST_FEATURES) {
        V highest = v_sub(v_max(f->highest, v_add(found->row, b->height)), f->highest);
        number[HIGHEST] = number[HEIGHT_SPAN] = highest;
        number[HIGHEST_ABOVE_MEAN] = v_sub(v_multiply(highest, width), sum);
    }
    if (plan->features & LOWEST_FEATURES) {
        V depth = v_max(FURTHER(plan, f, lowest_before, -1), FURTHER(plan, f, lowest_after, w));
        for (int i = 0; i < w; i++)
            depth = v_max(depth, v_sub(v_set(V_BITS), found->top[i]));
        V lowest = number[LOWEST] = v_sub(f->lowest, depth);
        number[LOWEST_BELOW_MEAN] = v_sub(sum, v_multiply(lowest, width));
        number[HEIGHT_SPAN] = v_sub(number[HIGHEST], lowest);
    }
}

// Columns and steps with a weight of their own.
INLINE void further_columns(const SurfacePlan *plan, const Further *f, const int w, const Found *found,
                            const V *step, Sum *sum) {
    const V *h = around_heights(&f->at);
    V grown[4] = {v_set(0), v_set(0), v_set(0), v_set(0)};
    if (plan->features & BIT(COLUMN_HEIGHTS))
        for (int i = 0; i < w; i++)
            grown[i] = v_sub(found->top[i], h[i]);
#if V_LANES > 1
    if (plan->features & BIT(COLUMN_HEIGHTS))
        for (int k = 0; 2 * k < w; k++)
            accumulate_lanes(sum, &plan->heights[k], grown[2 * k], grown[2 * k + 1]);
    if (plan->features & BIT(COLUMN_DIFFERENCES))
        for (int k = 0; 2 * k < w + 1; k++)
            accumulate_lanes(sum, &plan->steps[k], step[2 * k], step[2 * k + 1]);
#else
    for (int i = 0; i < w; i++)
        *sum += plan->column_weight[f->at.column + i] * (int32_t)grown[i];
    for (int i = 0; plan->features & BIT(COLUMN_DIFFERENCES) && i <= w; i++)
        if (f->at.column + i > 0)
            *sum += plan->step_weight[f->at.column + i - 1] * (int32_t)step[i];
#endif
}

// <- step[i]: by how much the step between columns j - 1 + i and j + i changes
INLINE void further_steps(const SurfacePlan *plan, const Further *f, const int w, const Found *found,
                          V step[6], V *number) {
    const V *h = around_heights(&f->at);
    number[STEPS] = number[STEP_SUM] = v_set(0);
    for (int i = -1; i < w; i++) {
        V pair = around_pair(plan, &f->at, i), before = FURTHER(plan, f, step, i);
        V after = v_abs_difference(i < 0 ? h[-1] : found->top[i], i + 1 < w ? found->top[i + 1] : h[w]);
        after = v_and(after, pair);
        step[i + 1] = v_sub(after, before);
        number[STEP_SUM] = v_add(number[STEP_SUM], step[i + 1]);
        if (plan->features & BIT(JAGS))
            number[STEPS] = v_add(number[STEPS], v_sub(v_min(after, v_set(1)), v_min(before, v_set(1))));
    }
    step[w + 1] = v_set(0);
}

INLINE void further_wells(const SurfacePlan *plan, const Further *f, const int w, const Found *found,
                          V *number) {
    const V *old = around_heights(&f->at);
    V h[8]; // from column j - 2 on
    for (int i = -2; i < w + 2; i++)
        h[i + 2] = i >= 0 && i < w ? found->top[i] : old[i];
    V sum = v_set(0), deep = v_set(0), one = v_set(1);
    V most = v_max(FURTHER(plan, f, deepest_before, -2), FURTHER(plan, f, deepest_after, w + 1));
    for (int i = -1; i <= w; i++) {
        V before = FURTHER(plan, f, well, i), after = well_between(h[i + 1], h[i + 2], h[i + 3]);
        sum = v_add(sum, v_sub(after, before));
        deep = v_sub(v_add_if(v_greater(after, one), deep, after),
                     v_add_if(v_greater(before, one), v_set(0), before));
        most = v_max(most, after);
    }
    number[WELL_SUM] = sum;
    number[DEEP_WELL_SUM] = deep;
    number[DEEPEST_WELL] = v_sub(most, f->deepest);
}

INLINE void further_pits(const SurfacePlan *plan, const Further *f, const int w, const Found *found,
                         V *number) {
    const V *c = around_columns(&f->at), *h = around_heights(&f->at), *next = found->next;
    V sum = v_add(pit_depth(v_shr(v_and(next[1], c[-2]), h[-1])),
                  pit_depth(v_shr(v_and(next[w], c[w + 1]), h[w])));
    for (int i = 0; i < w; i++)
        sum = v_add(sum, pit_depth(v_shr(v_and(next[i], next[i + 2]), found->top[i])));
    for (int i = -1; i <= w; i++)
        sum = v_sub(sum, FURTHER(plan, f, pits, i));
    number[PIT_SUM] = sum;
}

INLINE void further_pairs(const SurfacePlan *plan, const Further *f, const Batch *b, const int w,
                          const Found *found, Sum *sum, V *number) {
    V change = v_sub(found->gap_columns, found->sides);
    change = v_add(change, change);
    for (int i = 0; i < w; i++)
        change = v_add(change, v_and(found->cells[i], v_set(1))); // on the floor
    number[CELL_PAIRS] = change;
#if V_LANES == 1
    int touching = (f->at.column == 0 ? (int)b->count[0] : 0) +
                   (f->at.column + w == plan->width ? (int)b->count[w - 1] : 0);
    *sum += touching * plan->weight[FEATURE_CELL_TRANSITIONS];
#else
    (void)plan, (void)f, (void)b, (void)sum;
#endif
}

// <- lanes that reach the top of the board, where rows and pairs of cells are counted otherwise
INLINE uint32_t further_tops(const SurfacePlan *plan, const Further *f, const Batch *b, const Found *found) {
    if (f->highest_now >= plan->height)
        return ~0u;
    return vm_bits(v_greater(v_add(found->row, b->height), v_set(plan->height - 1)));
}

// Embedded holes, row by row from the top (surface_embedded.h). Lanes of 16 bits leave large sums to whole
// boards.
// <- *apart: lanes that are
INLINE V further_embedded(const SurfacePlan *plan, const Further *f, const Batch *b, const int w,
                          const Found *found, uint32_t *apart) {
    const Embedded *e = &f->embedded;
#if V_LANES == 1
    (void)plan, (void)w, (void)apart;
    return (V)embedded_change(e, &piece_shape[b->part[0].piece][b->part[0].orientation], b->row_cells,
                              f->at.column, (int)found->row);
#else
    enum { LARGE = 2047 }; // 14 times that, and 15 rows of it, are below 1 << 15
    const V *h = around_heights(&f->at);
    // By row, four bits each, from two rows below the piece on: cells that it covers.
    V one = v_set(0), two = v_set(0), four = v_set(15);
    for (int i = 0; i < w; i++) {
        V gap = v_sub(v_sub(found->top[i], b->count[i]), h[i]);
        one = v_add_if(v_greater(gap, v_set(0)), one, b->covers[i]);
        two = v_add_if(v_greater(gap, v_set(1)), two, v_shift_right(b->covers[i], 4));
    }
    int highest = f->highest_now + 3;
    V shift = v_sub(v_set(4 * (highest + 2)), v_shift_left(found->row, 2));
    V first = v_set(plan->width), second = first, sum = v_set(0), most = v_set(0);
    for (int row = highest; row >= 0; row--, shift = v_sub(shift, v_set(4))) {
        V down = v_down(shift);
        V cells = v_and(v_shr(b->row_cells, v_sub(shift, v_set(8))), four);
        V ones = v_add(v_set(e->one[row]), v_and(v_shr_by(one, down), four));
        V twos = v_add(v_set(e->two[row]), v_and(v_shr_by(two, down), four));
        V own = v_add(v_sub(v_set(e->empty[row]), cells),
                      v_add(v_multiply(ones, first), v_multiply(twos, second)));
        if (V_BITS == 32)
            own = v_min(own, v_set(EMBEDDED_LIMIT));
        most = v_max(most, own);
        sum = v_add(sum, v_sub(own, v_set(e->own[row])));
        second = first;
        first = own;
    }
    if (V_BITS == 32)
        return v_sub(v_min(v_add(sum, v_set(e->sum)), v_set(EMBEDDED_LIMIT)), v_set(embedded_limit(e->sum)));
    *apart |= e->sum > EMBEDDED_LIMIT ? ~0u
                                      : vm_bits(v_greater(most, v_set(LARGE))) |
                                            vm_bits(v_greater(sum, v_set(EMBEDDED_LIMIT - e->sum)));
    return sum;
#endif
}

// Tables (surface_tables.h), one placement after the other.
#if V_LANES > 1
INLINE void add_changes(Sum *sum, const int64_t *change) {
    _Alignas(64) int32_t high[SUM_PARTS][16], low[SUM_PARTS][16];
    for (int lane = 0; lane < V_LANES; lane++) {
        high[sum_part(lane)][sum_lane(lane)] = (int32_t)(change[lane] >> 15);
        low[sum_part(lane)][sum_lane(lane)] = (int32_t)(change[lane] & 0x7fff);
    }
    for (int part = 0; part < SUM_PARTS; part++) {
        sum->high[part] = w_add(sum->high[part], w_load(high[part]));
        sum->low[part] = w_add(sum->low[part], w_load(low[part]));
    }
}

static void further_tables(const SurfacePlan *plan, const Further *f, const Batch *b, const Found *found,
                           Sum *sum) {
    const TablePlan *tables = plan->tables;
    int64_t change[V_LANES] = {0};
    int row[V_LANES];
    Lanes rows;
    v_store(&rows, found->row);
    for (int lane = 0; lane < V_LANES; lane++)
        row[lane] = stored_lane(&rows, lane);
    for (int k = 0; k < b->parts; k++) {
        const TableShape *s = &tables->shape[tables->number[b->part[k].piece][b->part[k].orientation]];
        int first = plan->layout.stride * k;
        switch (s->width) {
        case 1:
            table_changes(tables, &f->tables, s, row + first, change + first, 1);
            break;
        case 2:
            table_changes(tables, &f->tables, s, row + first, change + first, 2);
            break;
        case 3:
            table_changes(tables, &f->tables, s, row + first, change + first, 3);
            break;
        default:
            table_changes(tables, &f->tables, s, row + first, change + first, 4);
        }
    }
    add_changes(sum, change);
}
#else
INLINE void further_tables(const SurfacePlan *plan, const Further *f, const Batch *b, const int w,
                           const Found *found, Sum *sum) {
    const TablePlan *tables = plan->tables;
    const TableShape *s = &tables->shape[tables->number[b->part[0].piece][b->part[0].orientation]];
    *sum += table_change(tables, &f->tables, s, f->at.column, (int)found->row, w);
}
#endif

// Adds what all further features of the rating change.
// <- lanes that are to be valued as whole boards
INLINE uint32_t further_sum(const SurfacePlan *plan, const Further *f, const Batch *b, const int w,
                            const Found *found, Sum *sum) {
    uint64_t features = plan->features;
    V number[FURTHER_NUMBERS], step[6];
    uint32_t apart = 0;
    number[HIGHEST] = v_set(0);
    further_heights(plan, f, b, w, found, number);
    if (features & STEP_FEATURES)
        further_steps(plan, f, w, found, step, number);
    if (features & (BIT(COLUMN_HEIGHTS) | BIT(COLUMN_DIFFERENCES)))
        further_columns(plan, f, w, found, step, sum);
    if (features & WELL_FEATURES)
        further_wells(plan, f, w, found, number);
    if (features & PAIR_FEATURES)
        further_pairs(plan, f, b, w, found, sum, number);
    if (features & BIT(EMBEDDED_HOLES))
        number[EMBEDDED_SUM] = further_embedded(plan, f, b, w, found, &apart);
    if (features & (PAIR_FEATURES | BIT(EMBEDDED_HOLES)))
        apart |= further_tops(plan, f, b, found);
    if (features & BIT(PITS))
        further_pits(plan, f, w, found, number);
    if ((features & BOTH_WELLS) == BOTH_WELLS)
        number[FAST_WELL_SUM] = place_wells(plan, &f->at, b, (WellKind){well_table[WELLS_FAST], true},
                                            &f->fast_wells, w, found->cells, found->next, found->gap_end,
                                            found->top, found->row, v_down(found->row), &apart);
    if (features & BIT(MEAN_HOLE_DEPTH))
        number[MEAN_DEPTH] = v_sub(v_mean_depth(v_add(found->depth, v_set(f->hole_depth)),
                                                v_add(found->gap_columns, v_set(f->adjacent))),
                                   v_set(f->mean_depth));
#if V_LANES == 1
    if (plan->tables)
        further_tables(plan, f, b, w, found, sum);
#endif
    number[ROW_SUM] = v_shift_left(found->row, 2);
    number[COVERS] = found->gap_columns;
    number[GAP_SUM] = found->gaps;
    for (int k = 0; k < plan->further_pairs; k++)
        accumulate(sum, &plan->further_weights[k], number[plan->number[2 * k]],
                   number[plan->number[2 * k + 1]]);
    return apart;
}

static __attribute__((noinline)) uint32_t place_further(const SurfacePlan *plan, const Further *f,
                                                        const Batch *b, int w, const Found *found, Sum *sum) {
#ifdef __wasm__ // one for all widths: a quarter of the bytes
    return further_sum(plan, f, b, w, found, sum);
#endif
    switch (w) {
    case 1:
        return further_sum(plan, f, b, 1, found, sum);
    case 2:
        return further_sum(plan, f, b, 2, found, sum);
    case 3:
        return further_sum(plan, f, b, 3, found, sum);
    default:
        return further_sum(plan, f, b, 4, found, sum);
    }
}

#ifdef W_GATHERS
static __attribute__((noinline)) void place_entries(const SurfacePlan *plan, const LaneBoard *t,
                                                    const Batch *b, int w, const Found *found, Sum *sum) {
    if (b->narrow) { // 4 and 1 columns, or 3 and 2
        if (w == 4)
            entries_place(plan, t, b, 4, true, found->row, found->top, sum);
        else
            entries_place(plan, t, b, 3, true, found->row, found->top, sum);
        return;
    }
    switch (w) {
    case 1:
        entries_place(plan, t, b, 1, false, found->row, found->top, sum);
        return;
    case 2:
        entries_place(plan, t, b, 2, false, found->row, found->top, sum);
        return;
    case 3:
        entries_place(plan, t, b, 3, false, found->row, found->top, sum);
        return;
    default:
        entries_place(plan, t, b, 4, false, found->row, found->top, sum);
    }
}
#endif

// What further features change. <- lanes that are to be valued as whole boards
INLINE uint32_t add_further(const SurfacePlan *plan, const Further *f, const Batch *b, const int w,
                            const Found *found, Sum *sum) {
#if V_LANES > 1
#ifdef W_GATHERS
    if (plan->tables && plan->tables->in_lanes)
        place_entries(plan, &f->lanes, b, w, found, sum);
    else
#endif
        if (plan->tables)
        further_tables(plan, f, b, found, sum);
#endif
    return V_LANES == 1 || plan->more ? place_further(plan, f, b, w, found, sum) : 0;
}

#endif
