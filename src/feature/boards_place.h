// SPDX-License-Identifier: GPL-3.0-or-later
// All placements of one orientation, by what they change. Everything about the orientation is known to the
// compiler; a loop goes over the left columns. With C the columns, H their heights, M the new cells, y the
// row where the piece lands, g = gap between the piece and the column below it, a placement that completes no
// row changes
//   holes               by the sum of g
//   column transitions  by 2 for every column with g > 0
//   row transitions     by 2 for every row of the piece, less 2 for every filled cell beside it
//   hole depth          by its cells in columns that have a hole or get one
//   rows with holes     by the gap rows that had no hole
//   cumulative wells    in the columns of the piece and the two beside it
// and what depends on the heights alone follows from these (boards_surface.h). Placements that complete rows,
// that touch a covered well or a very deep one are left to whole boards. Part of kernel_boards.c.
#ifndef TETRALAB_FEATURE_BOARDS_PLACE_H
#define TETRALAB_FEATURE_BOARDS_PLACE_H

#include "feature/boards_group.h"

// Is there a cell of the piece in column i, row r of it?
#define HAS(i, r) ((i) < w && (r) >= b[i] && (r) < b[i] + n[i])
// What is known of the columns, the left one of the piece at [0]
#define COLUMN(field) (c + (field)*GROUP_COLUMNS)

// The wells of one side of the piece: on top of its own end, and those of the column beside it, anew.
// -> other, open, covered, down, well  of that column; own  filled cells of the piece's end column
// -> above  cells of the piece beside that end, above it; at  bits of its rows
INLINE V side_wells(bool fast, V other, V open, V down, V well, V own, int above, int top, const V *at,
                    V *deep) {
    V sides = v_lower(open & own, down), wells = well_value(sides, fast) - well;
    *deep |= sides & 0xff00;
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
    return wells;
}

INLINE void place(const RatingPlan *plan, const Group *q, Placed *placed, const int w, const int b0,
                  const int b1, const int b2, const int b3, const int n0, const int n1, const int n2,
                  const int n3) {
    const int b[4] = {b0, b1, b2, b3}, n[4] = {n0, n1, n2, n3}, last = w - 1;
    int high = 0, base = 0;
    UNROLL
    for (int i = 0; i < w; i++) {
        high = b[i] + n[i] > high ? b[i] + n[i] : high;
        base += b[i];
    }
    const bool flat = base == 0, has_wells = plan->wells, fast = plan->fast_wells;
    const V zero = v_set(0);
    const V *column = q->column[CELLS] + 2, *before = q->column[BEFORE], *after = q->column[AFTER] + w;
    for (const V *end = column + plan->width - w; column <= end;
         column += q->step, before += q->step, after += q->step, placed++) {
        const V *c = column, *t = COLUMN(TOP), *tn = COLUMN(CLEAN_TOP), *h = COLUMN(HEIGHT);
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
        V cells[4], fits[4], filled[4]; // no gap below
        V gaps = zero, depth = zero, holes = zero - h[0], apart = *before & *after;
        UNROLL
        for (int i = 0; i < w; i++) {
            cells[i] = n[i] == 1 ? at[b[i]] : at[b[i] + n[i]] - at[b[i]];
            filled[i] = c[i] | cells[i];
            apart &= filled[i]; // completed rows, and whatever else whole boards are needed for
            fits[i] = w == 1 ? v_set(-1) : v_same(at[b[i]], t[i]);
            gaps += fits[i];
            V clean = v_same(at[b[i]], tn[i]); // and no hole either
            UNROLL
            for (int k = 0; k < n[i]; k++)
                depth += clean;
            if (i)
                holes -= h[i];
        }
        placed->gaps = gaps;
        placed->depth = depth;
        placed->row = row;
        placed->holes = holes +
                        (w == 1   ? row
                         : w == 2 ? row + row
                         : w == 3 ? row + row + row
                                  : row << 2) +
                        v_set(base);
        if (w > 1) {
            V empty;
            if (flat) {
                V least = t[0];
                UNROLL
                for (int i = 1; i < w; i++)
                    least = v_min(least, t[i]);
                empty = p - least;
            } else {
                empty = at[b[0]] - t[0];
                UNROLL
                for (int i = 1; i < w; i++)
                    empty |= at[b[i]] - t[i];
            }
            placed->hole_rows = v_popcount(empty & q->no_hole_rows);
        } else {
            placed->hole_rows = zero;
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
            if (HAS(0, r))
                beside += v_one_if(c[-1] & at[r]);
            if (HAS(last, r))
                beside += v_one_if(c[w] & at[r]);
        }
        placed->beside = beside;
        if (has_wells) {
            const V *hole = COLUMN(HOLE), *open = COLUMN(OPEN), *down = COLUMN(DOWN), *well = COLUMN(WELL);
            const int in0 = w > 1 ? b[1] + n[1] : 0, in1 = w > 1 ? b[last - 1] + n[last - 1] : 0;
            V deep = (COLUMN(COVERED_LEFT)[-1] & cells[0]) | (COLUMN(COVERED_RIGHT)[w] & cells[last]);
            V wells = side_wells(fast, c[-1], COLUMN(FROM_LEFT)[-1], down[-1], well[-1], filled[0],
                                 in0 - (b[0] + n[0]), b[0] + n[0], at, &deep);
            wells += side_wells(fast, c[w], COLUMN(FROM_RIGHT)[w], down[w], well[w], filled[last],
                                in1 - (b[last] + n[last]), b[last] + n[last], at, &deep);
            if (w == 1) {
                wells += well_value(open[0] >> 4, fast) - well[0];
                deep |= open[0] & 0xff00;
            }
            UNROLL
            for (int i = 0; i < w && !flat; i++) { // of a flat one all wells lie in the gap and stay
                V l = i > 0 ? filled[i - 1] : c[-1], r = i < last ? filled[i + 1] : c[w];
                V sides = v_lower(l & r & (at[b[i]] - t[i]), down[i]);
                deep |= (sides | open[i]) & 0xff00;
                wells += well_value(sides, fast) - well[i];
                // holes beside cells that reach below this column's bottom
                if (i > 0 && b[i - 1] < b[i] - 1)
                    deep |= cells[i - 1] & r & hole[i];
                if (i < last && b[i + 1] < b[i] - 1)
                    deep |= cells[i + 1] & l & hole[i];
            }
            placed->wells = wells;
            apart |= deep;
        } else {
            placed->wells = zero;
        }
        placed->apart = apart;
    }
}

#define PLACE(...)  PLACE_(__VA_ARGS__)
#define PLACE_(...) place(plan, q, placed, __VA_ARGS__)
// width, lowest rows, numbers of cells: piece.c
#define ORIENTATION_O0 2, 0, 0, 0, 0, 2, 2, 0, 0
#define ORIENTATION_I0 4, 0, 0, 0, 0, 1, 1, 1, 1
#define ORIENTATION_I1 1, 0, 0, 0, 0, 4, 0, 0, 0
#define ORIENTATION_S0 3, 0, 0, 1, 0, 1, 2, 1, 0
#define ORIENTATION_S1 2, 1, 0, 0, 0, 2, 2, 0, 0
#define ORIENTATION_Z0 3, 1, 0, 0, 0, 1, 2, 1, 0
#define ORIENTATION_Z1 2, 0, 1, 0, 0, 2, 2, 0, 0
#define ORIENTATION_L0 3, 0, 1, 1, 0, 2, 1, 1, 0
#define ORIENTATION_L1 2, 0, 0, 0, 0, 3, 1, 0, 0
#define ORIENTATION_L2 3, 0, 0, 0, 0, 1, 1, 2, 0
#define ORIENTATION_L3 2, 2, 0, 0, 0, 1, 3, 0, 0
#define ORIENTATION_J0 3, 1, 1, 0, 0, 1, 1, 2, 0
#define ORIENTATION_J1 2, 0, 2, 0, 0, 3, 1, 0, 0
#define ORIENTATION_J2 3, 0, 0, 0, 0, 2, 1, 1, 0
#define ORIENTATION_J3 2, 0, 0, 0, 0, 1, 3, 0, 0
#define ORIENTATION_T0 3, 1, 0, 1, 0, 1, 2, 1, 0
#define ORIENTATION_T1 2, 0, 1, 0, 0, 3, 1, 0, 0
#define ORIENTATION_T2 3, 0, 0, 0, 0, 1, 2, 1, 0
#define ORIENTATION_T3 2, 1, 0, 0, 0, 1, 3, 0, 0

#endif
