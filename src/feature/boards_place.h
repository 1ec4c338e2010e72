// SPDX-License-Identifier: GPL-3.0-or-later
// All placements of one orientation, by what they change. Everything about the orientation is known to the
// compiler; a loop goes over the left columns. With C the columns, H their heights, M the new cells, y the row
// where the piece lands, g = gap between the piece and the column below it, a placement that completes no row
// changes
//   holes               by the sum of g
//   column transitions  by 2 for every column with g > 0
//   row transitions     by 2 for every row of the piece, less 2 for every filled cell beside it
//   hole depth          by its cells in columns that have a hole or get one
//   rows with holes     by the gap rows that had no hole
//   cumulative wells    in the columns of the piece and the two beside it
// and what depends on the heights alone is computed anew (boards_whole.h). Placements that complete rows, that
// touch a covered well or a very deep one are left to whole boards. Part of kernel_boards.c.
#ifndef TETRALAB_FEATURE_BOARDS_PLACE_H
#define TETRALAB_FEATURE_BOARDS_PLACE_H

#include "feature/boards_group.h"

// Is there a cell of the piece in column i, row r of it?
#define HAS(i, r) ((i) < w && (r) >= b[i] && (r) < b[i] + n[i])

INLINE void place(const RatingPlan *plan, const Group *q, Round *round, Best *best, const int piece, const int o,
                  const int w, const int b0, const int b1, const int b2, const int b3, const int n0, const int n1,
                  const int n2, const int n3) {
    const int b[4] = {b0, b1, b2, b3}, n[4] = {n0, n1, n2, n3}, last = w - 1;
    int high = 0, base = 0;
    UNROLL
    for (int i = 0; i < w; i++) {
        high = b[i] + n[i] > high ? b[i] + n[i] : high;
        base += b[i];
    }
    const bool flat = base == 0, fast = plan->fast_wells;
    const V zero = v_set(0);
    const PairWeights constant = plan->constant_parts[piece][o];
    for (int x = 0; x + w <= plan->width; x += q->step) {
        const V *c = q->column[CELLS] + x + 2, *t = q->column[TOP] + x + 2, *tn = q->column[CLEAN_TOP] + x + 2,
                *h = q->column[HEIGHT] + x + 2, *down = q->column[DOWN] + x + 2, *well = q->column[WELL] + x + 2,
                *hole = q->column[HOLE] + x + 2, *wells_now = q->column[OPEN] + x + 2;
        // Where it lands: bit and row
        V p = t[0] >> b[0], row = v_set(0);
        UNROLL
        for (int i = 1; i < w; i++)
            p = v_max(p, t[i] >> b[i]);
        bool first = true;
        UNROLL
        for (int d = 0; d < 3; d++) { // heights over equal bottoms first
            bool any = false;
            V m = zero;
            UNROLL
            for (int i = 0; i < w; i++)
                if (b[i] == d) {
                    m = any ? v_max(m, h[i]) : h[i];
                    any = true;
                }
            if (any) {
                m = d ? v_minus(m, v_set(d)) : m;
                row = first ? m : v_max(row, m);
                first = false;
            }
        }
        V at[5]; // the bit of row r of the piece
        at[0] = p;
        UNROLL
        for (int r = 1; r <= high; r++)
            at[r] = at[r - 1] + at[r - 1];
        V cells[4], fits[4], fits_clean[4]; // no gap below; and no hole either
        UNROLL
        for (int i = 0; i < w; i++) {
            cells[i] = n[i] == 1 ? at[b[i]] : at[b[i] + n[i]] - at[b[i]];
            fits[i] = w == 1 ? v_set(-1) : v_same(at[b[i]], t[i]);
            fits_clean[i] = v_same(at[b[i]], tn[i]);
        }
        V apart = q->column[BEFORE][x] & q->column[AFTER][x + w]; // completed rows, and whatever else whole boards are needed for
        UNROLL
        for (int i = 0; i < w; i++)
            apart &= c[i] | cells[i];
        // Gaps
        V gaps = zero, depth = zero, open_rows = zero, holes = zero - h[0];
        UNROLL
        for (int i = 0; i < w; i++) {
            gaps += fits[i];
            UNROLL
            for (int k = 0; k < n[i]; k++)
                depth += fits_clean[i];
            if (i)
                holes -= h[i];
        }
        holes += (w == 1 ? row : w == 2 ? row + row : w == 3 ? row + row + row : row << 2) + v_set(base);
        if (w > 1) {
            V empty = at[b[0]] - t[0];
            UNROLL
            for (int i = 1; i < w; i++)
                empty |= at[b[i]] - t[i];
            open_rows = v_popcount(empty & q->no_hole_rows);
        }
        // Filled cells beside the piece: within its columns, and on both sides
        V beside = zero;
        UNROLL
        for (int r = 0; r < high; r++) {
            const int l = HAS(0, r) ? 0 : HAS(1, r) ? 1 : HAS(2, r) ? 2 : 3;
            const int e = HAS(3, r) ? 3 : HAS(2, r) ? 2 : HAS(1, r) ? 1 : 0;
            if (l > 0 && r < b[l - 1])
                beside += r == b[l - 1] - 1 ? fits[l - 1] & 1 : v_one_if(c[l - 1] & at[r]);
            if (e < last && r < b[e + 1])
                beside += r == b[e + 1] - 1 ? fits[e + 1] & 1 : v_one_if(c[e + 1] & at[r]);
        }
        V wells = zero, deep = zero;
        UNROLL
        for (int side = 0; side < 2; side++) {
            const int i = side ? last : 0, in = side ? last - 1 : 1, top = b[i] + n[i];
            const int above = w > 1 ? b[in] + n[in] - top : 0, y = side ? w : -1;
            V other = c[y], open = q->column[side ? FROM_RIGHT : FROM_LEFT][x + 2 + y];
            UNROLL
            for (int r = b[i]; r < top; r++)
                beside += v_one_if(other & at[r]);
            // wells on top of its own end
            if (above > 0) {
                V one = v_one_if(other & at[top]);
                wells += one;
                if (above > 1) {
                    V two = v_one_if(other & at[top + 1]);
                    wells += two + two;
                    if (fast) // 3 for the second, with the first or not
                        wells += two - (one & two);
                }
            }
            // the column beside it, anew
            deep |= q->column[side ? COVERED_RIGHT : COVERED_LEFT][x + 2 + y] & cells[i];
            V sides = v_lower(open & (c[i] | cells[i]), down[y]);
            deep |= sides & 0xff00;
            wells += well_value(sides, fast) - well[y];
        }
        if (w == 1)
            wells += well_value(wells_now[0] >> 4, fast) - well[0];
        UNROLL
        for (int i = 0; i < w; i++) {
            if (w == 1 || !flat)
                deep |= wells_now[i] & 0xff00;
            if (flat) // all its wells lie in the gap and stay
                continue;
            V l = i > 0 ? c[i - 1] | cells[i - 1] : c[-1], r = i < last ? c[i + 1] | cells[i + 1] : c[w];
            V sides = v_lower(l & r & (at[b[i]] - t[i]), down[i]);
            deep |= sides & 0xff00;
            wells += well_value(sides, fast) - well[i];
            // holes beside cells that reach below this column's bottom
            if (i > 0 && b[i - 1] < b[i] - 1)
                deep |= cells[i - 1] & r & hole[i];
            if (i < last && b[i + 1] < b[i] - 1)
                deep |= cells[i + 1] & l & hole[i];
        }
        // The value
        Sum sum;
        UNROLL
        for (int k = 0; k < 2; k++) {
            sum.high[k] = s_set(constant.high);
            sum.low[k] = s_set(constant.low);
            sum.more[k] = s_set(0);
        }
        sum_pair(&sum, row, holes, plan->row_holes);
        sum_pair(&sum, beside, wells, plan->row_wells);
        sum_pair(&sum, gaps, depth, plan->gaps_depth);
        if (w > 1)
            sum_pair(&sum, open_rows, open_rows, plan->hole_rows);
        if (plan->further) {
            V after[4];
            UNROLL
            for (int i = 0; i < w; i++)
                after[i] = row + v_set(b[i] + n[i]);
            add_further(plan, q, x, w, row, (const int8_t[4]){b0, b1, b2, b3}, after, &sum);
        }
        apart |= deep;
        V outside = q->limited ? v_greater(row, q->highest - (uint16_t)high) : zero; // of the board
        V inside = q->single ? lanes_before(plan->width - w + 1 - x) : q->inside;
        V whole = v_nonzero(apart) & inside;
        settle(plan, q, round, best, piece, o, x, &sum, inside & ~whole & ~outside);
        if (v_any(whole))
            put_apart(round, q, o, x, row, v_lanes(whole));
    }
}

#define PLACE(...)  PLACE_(__VA_ARGS__)
#define PLACE_(...) place(plan, q, round, best, __VA_ARGS__)
// orientation, width, lowest rows, numbers of cells: piece.c
#define ORIENTATION_O0 0, 2, 0, 0, 0, 0, 2, 2, 0, 0
#define ORIENTATION_I0 0, 4, 0, 0, 0, 0, 1, 1, 1, 1
#define ORIENTATION_I1 1, 1, 0, 0, 0, 0, 4, 0, 0, 0
#define ORIENTATION_S0 0, 3, 0, 0, 1, 0, 1, 2, 1, 0
#define ORIENTATION_S1 1, 2, 1, 0, 0, 0, 2, 2, 0, 0
#define ORIENTATION_Z0 0, 3, 1, 0, 0, 0, 1, 2, 1, 0
#define ORIENTATION_Z1 1, 2, 0, 1, 0, 0, 2, 2, 0, 0
#define ORIENTATION_L0 0, 3, 0, 1, 1, 0, 2, 1, 1, 0
#define ORIENTATION_L1 1, 2, 0, 0, 0, 0, 3, 1, 0, 0
#define ORIENTATION_L2 2, 3, 0, 0, 0, 0, 1, 1, 2, 0
#define ORIENTATION_L3 3, 2, 2, 0, 0, 0, 1, 3, 0, 0
#define ORIENTATION_J0 0, 3, 1, 1, 0, 0, 1, 1, 2, 0
#define ORIENTATION_J1 1, 2, 0, 2, 0, 0, 3, 1, 0, 0
#define ORIENTATION_J2 2, 3, 0, 0, 0, 0, 2, 1, 1, 0
#define ORIENTATION_J3 3, 2, 0, 0, 0, 0, 1, 3, 0, 0
#define ORIENTATION_T0 0, 3, 1, 0, 1, 0, 1, 2, 1, 0
#define ORIENTATION_T1 1, 2, 0, 1, 0, 0, 3, 1, 0, 0
#define ORIENTATION_T2 2, 3, 0, 0, 0, 0, 1, 2, 1, 0
#define ORIENTATION_T3 3, 2, 1, 0, 0, 0, 1, 3, 0, 0

#endif
