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

// What the compiler knows of an orientation, while all functions are inlined.
typedef struct Fixed {
    int w, last, b[4], n[4];
} Fixed;

// What the placement under way makes of the columns; those of the piece are numbered from 0.
typedef struct Landed {
    V row;       // where it lands
    V at[5];     // the bit of row r of the piece
    V cells[4];  // its cells
    V fits[4];   // mask: no gap below
    V filled[4]; // the columns with it
    V deep;      // not 0: for whole boards
} Landed;

// What filled cells above an end of the piece give, beside cells of its own. -> other  the column beside it
INLINE V wells_above(bool fast, const Landed *l, V other, int above, int top) {
    if (above <= 0)
        return v_set(0);
    V one = v_one_if(other & l->at[top]);
    if (above == 1)
        return one;
    V two = v_one_if(other & l->at[top + 1]);
    return one + two + two +
           (fast ? two - (one & two) : v_set(0)); // fast: 3 for the second, with the first or not
}

// Wells of one side of the piece: on top of its end i, and those that it makes of the column beside it.
// -> c, from, down, h, well  of that column (from: FROM_LEFT or FROM_RIGHT)
INLINE V side_wells(bool fast, const Fixed *p, Landed *l, const int i, const int inner, V c, V from, V down,
                    V h, V well) {
    const int top = p->b[i] + p->n[i], above = p->w > 1 ? p->b[inner] + p->n[inner] - top : 0;
    V wells = wells_above(fast, l, c, above, top);
    if (!fast && p->n[i] == 1) // one new cell, so many rows above the top
        return wells + (v_same(from & l->cells[i], l->cells[i]) & (l->row - h + (uint16_t)(p->b[i] + 1)));
    V cells = v_lower(from & (fast ? l->filled[i] : l->cells[i]), down);
    l->deep |= cells & v_load(lane_tables.deep);
    return wells + well_value(cells, fast) - (fast ? well : v_set(0));
}

// Is the cell filled that is in row r of the piece in its column j, or beside it (j = -1 or w)? The column is
// known to be empty from the piece's bottom on. <- mask
INLINE V filled_before(const Fixed *p, const Landed *l, const V *c, const int j, const int r) {
    const bool inside = j >= 0 && j < p->w;
    return inside && r == p->b[j] - 1 ? l->fits[j] : v_same(c[j] & l->at[r], l->at[r]);
}

// Wells in the columns of the piece: those that it makes in the gap below it, and those that it ends. Above
// its bottoms its columns were empty: only rows below one of the bottoms can have had both sides filled.
INLINE V own_wells(const Fixed *p, Landed *l, const V *c, const V *h, const V *hole) {
    V wells = v_set(0);
    UNROLL
    for (int i = 0; i < p->w; i++)
        UNROLL
    for (int r = 0; r < 2; r++) {
        bool before = true, after = true, changes = r >= p->b[i];
        V both = v_set(-1), then = v_set(-1); // are both sides filled, before and after?
        UNROLL
        for (int j = i - 1; j <= i + 1; j += 2) {
            const bool inside = j >= 0 && j < p->w, known = inside && r >= p->b[j];
            V filled = known ? v_set(0) : filled_before(p, l, c, j, r);
            before &= !known;
            both &= filled;
            if (known && r < p->b[j] + p->n[j])
                changes = true; // filled now
            else {
                after &= !known;
                then &= filled;
            }
        }
        if (!changes)
            continue;
        V depth = l->row - h[i] + (uint16_t)(r + 1);
        if (r >= p->b[i]) {
            if (before)
                wells -= both & depth;
        } else if (after) {
            V made = before ? then & ~both : then;
            if (p->b[i] - r > 1) { // the column may end above this row
                l->deep |= made & hole[i] & l->at[r];
                depth = v_max_signed(depth, v_set(0));
            }
            wells += made & depth;
        }
    }
    return wells;
}

// The same by what they are in all, for the fast definition.
INLINE V own_wells_fast(const Fixed *p, Landed *l, const V *c, const V *t, const V *hole, const V *open,
                        const V *down, const V *well) {
    V wells = v_set(0);
    UNROLL
    for (int i = 0; i < p->w; i++) {
        V left = i > 0 ? l->filled[i - 1] : c[-1], right = i < p->last ? l->filled[i + 1] : c[p->w];
        V sides = v_lower(left & right & (l->at[p->b[i]] - t[i]), down[i]);
        l->deep |= (sides | open[i]) & v_load(lane_tables.deep);
        wells += well_value(sides, true) - well[i];
        // holes beside cells that reach below this column's bottom
        if (i > 0 && p->b[i - 1] < p->b[i] - 1)
            l->deep |= l->cells[i - 1] & right & hole[i];
        if (i < p->last && p->b[i + 1] < p->b[i] - 1)
            l->deep |= l->cells[i + 1] & left & hole[i];
    }
    return wells;
}

// -> fast  wells are counted by 23b, or not at all (plan->wells); else by 23
INLINE void place(const RatingPlan *plan, const Group *q, Placed *placed, const bool fast, const int w,
                  const int b0, const int b1, const int b2, const int b3, const int n0, const int n1,
                  const int n2, const int n3) {
    const int b[4] = {b0, b1, b2, b3}, n[4] = {n0, n1, n2, n3}, last = w - 1;
    const Fixed p = {w, last, {b0, b1, b2, b3}, {n0, n1, n2, n3}};
    int high = 0, base = 0;
    UNROLL
    for (int i = 0; i < w; i++) {
        high = b[i] + n[i] > high ? b[i] + n[i] : high;
        base += b[i];
    }
    const bool flat = base == 0;
    const V zero = v_set(0);
    const V *column = q->column[CELLS] + 2, *before = q->column[BEFORE], *after = q->column[AFTER] + w;
    for (const V *end = column + plan->width - w; column <= end;
         column += q->step, before += q->step, after += q->step, placed++) {
        const V *c = column, *t = COLUMN(TOP), *tn = COLUMN(CLEAN_TOP), *h = COLUMN(HEIGHT);
        // Where it lands: bit and row
        Landed l;
        V bottom = t[0] >> b[0], row = v_set(0);
        UNROLL
        for (int i = 1; i < w; i++)
            bottom = v_max(bottom, t[i] >> b[i]);
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
        V *at = l.at, *cells = l.cells, *fits = l.fits, *filled = l.filled;
        at[0] = bottom;
        l.row = row;
        UNROLL
        for (int r = 1; r <= high; r++)
            at[r] = at[r - 1] + at[r - 1];
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
                empty = bottom - least;
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
            const int first_cell = HAS(0, r) ? 0 : HAS(1, r) ? 1 : HAS(2, r) ? 2 : 3;
            const int last_cell = HAS(3, r) ? 3 : HAS(2, r) ? 2 : HAS(1, r) ? 1 : 0;
            if (first_cell > 0 && r < b[first_cell - 1])
                beside += r == b[first_cell - 1] - 1 ? fits[first_cell - 1] & 1
                                                     : v_one_if(c[first_cell - 1] & at[r]);
            if (last_cell < last && r < b[last_cell + 1])
                beside +=
                    r == b[last_cell + 1] - 1 ? fits[last_cell + 1] & 1 : v_one_if(c[last_cell + 1] & at[r]);
            if (HAS(0, r))
                beside += v_one_if(c[-1] & at[r]);
            if (HAS(last, r))
                beside += v_one_if(c[w] & at[r]);
        }
        placed->beside = beside;
        placed->wells = zero;
        if (fast ? plan->wells : true) {
            const V *hole = COLUMN(HOLE), *open = COLUMN(OPEN), *down = COLUMN(DOWN), *well = COLUMN(WELL);
            l.deep = (COLUMN(COVERED_LEFT)[-1] & l.cells[0]) | (COLUMN(COVERED_RIGHT)[w] & l.cells[last]);
            V wells =
                side_wells(fast, &p, &l, 0, 1, c[-1], COLUMN(FROM_LEFT)[-1], down[-1], h[-1], well[-1]) +
                side_wells(fast, &p, &l, last, last - 1, c[w], COLUMN(FROM_RIGHT)[w], down[w], h[w], well[w]);
            if (w == 1) {
                wells += well_value(open[0] >> 4, fast) - well[0];
                l.deep |=
                    (open[0] & v_load(lane_tables.deep)) | (l.at[n0 - 1] & 0x8000); // which v_lower may lose
            } else if (!flat) { // of a flat one all wells lie in the gap and stay
                wells += fast ? own_wells_fast(&p, &l, c, t, hole, open, down, well)
                              : own_wells(&p, &l, c, h, hole);
            }
            placed->wells = wells;
            apart |= l.deep;
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
