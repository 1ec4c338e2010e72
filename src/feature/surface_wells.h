// SPDX-License-Identifier: GPL-3.0-or-later
// How placements that complete no row change the cumulative wells. Part of the surface kernel.
#ifndef TETRALAB_FEATURE_SURFACE_WELLS_H
#define TETRALAB_FEATURE_SURFACE_WELLS_H

#include "feature/surface_around.h"

// Which of the two cumulative-wells.
typedef struct WellKind {
    const uint8_t *table; // of well_tables.h
    bool fast;
} WellKind;

INLINE V v_depth(WellKind kind, V t) {
    return v_lookup(kind.table, t, !kind.fast);
}

// The same for open wells of any depth: the sum of bit positions (1-based).
INLINE V v_any_depth(WellKind kind, V t) {
    if (kind.fast) {
        t = v_or(t, v_shift_right(t, 1));
        t = v_or(t, v_shift_right(t, 2));
        t = v_or(t, v_shift_right(t, 4));
        t = v_or(t, v_shift_right(t, 8));
        if (V_BITS == 32)
            t = v_or(t, v_shift_right(t, V_BITS / 2));
    }
    V sum = v_popcount(t);
    for (int k = 0; k < (V_BITS == 16 ? 4 : 5); k++) {
        static const uint32_t position[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
        V part = v_popcount(v_and(t, v_set((int)position[k])));
        for (int d = 0; d < k; d++)
            part = v_add(part, part);
        sum = v_add(sum, part);
    }
    return sum;
}

// The cells of the mask and all that are empty below them, `empty` being the empty cells it may spread in.
INLINE V v_fill_down(V mask, V empty) {
    mask = v_or_and(mask, empty, v_shift_right(mask, 1));
    empty = v_and(empty, v_shift_right(empty, 1));
    mask = v_or_and(mask, empty, v_shift_right(mask, 2));
    empty = v_and(empty, v_shift_right(empty, 2));
    mask = v_or_and(mask, empty, v_shift_right(mask, 4));
    empty = v_and(empty, v_shift_right(empty, 4));
    mask = v_or_and(mask, empty, v_shift_right(mask, 8));
    if (V_BITS == 32) {
        empty = v_and(empty, v_shift_right(empty, 8));
        mask = v_or_and(mask, empty, v_shift_right(mask, V_BITS / 2));
    }
    return mask;
}

// What new cells beside holes add to the wells below the surface. Few boards have a hole that high.
INLINE V place_covered_wells(const SurfacePlan *plan, const Around *at, const Batch *b, bool fast,
                             const int w, const V *cells, const V *next, V row) {
    const V *c = around_columns(at);
    V sum = v_set(0), beside = v_set(0), holes[6];
    if (!at->hole_rows || !any_legal_in(b, v_greater(v_set(column_height(at->hole_rows)), row)))
        return sum;
    for (int i = -1; i <= w; i++) {
        holes[i + 1] = AROUND(plan, at, holes, i);
        if (i > 0)
            beside = v_or_and(beside, cells[i - 1], holes[i + 1]);
        if (i < w - 1)
            beside = v_or_and(beside, cells[i + 1], holes[i + 1]);
    }
    if (!any_legal(b, beside))
        return sum;
    // The cells that count now and did not before; all columns then follow theirs down together.
    V count[6], empty[6], any = v_set(0);
    for (int i = -1; i <= w; i++) {
        V hole = holes[i + 1];
        V before = v_and3(c[i - 1], c[i + 1], hole);
        V after = v_and3(i >= 0 ? next[i] : c[i - 1], i < w ? next[i + 2] : c[i + 1], hole);
        if (fast) {
            before = v_fill_down(before, hole);
            after = v_fill_down(after, hole);
        }
        count[i + 1] = v_andnot(before, after);
        empty[i + 1] = hole;
        any = v_or(any, count[i + 1]);
    }
    while (vm_any(v_nonzero(any))) {
        any = v_set(0);
        for (int i = 0; i < w + 2; i++) {
            sum = v_add(sum, v_popcount(count[i]));
            empty[i] = v_shift_left(empty[i], 1);
            count[i] = v_and(count[i], empty[i]);
            any = v_or(any, count[i]);
        }
    }
    return sum;
}

// The change of the cumulative wells.
// -> wells  open wells of each column before
// -> down   v_down(row)
// <- *apart: lanes that are to be valued as whole boards
INLINE V place_wells(const SurfacePlan *plan, const Around *at, const Batch *b, WellKind kind,
                     const ByColumn *wells, const int w, const V *cells, const V *next, const V *gap_end,
                     const V *top, V row, V down, uint32_t *apart) {
    const V *c = around_columns(at), *downs = around_downs(at);
    (void)top, (void)down;
    // Column j - 1 gets new right neighbours, column j + w new left ones: look-ups of the new pairs only;
    // the fast variant is not additive and needs the whole column anew.
    V left = v_and(cells[0], c[-2]), right = v_and(cells[w - 1], c[w + 1]);
    if (kind.fast) {
        left = v_and(v_or(cells[0], c[0]), c[-2]);
        right = v_and(v_or(cells[w - 1], c[w - 1]), c[w + 1]);
    }
    left = v_shr_by(left, downs[-1]);
    right = v_shr_by(right, downs[w]);
    V big = v_or(left, right), in_gap[4], open[4];
    for (int i = 0; i < w; i++) {
        V sides = v_and(next[i], next[i + 2]);
        in_gap[i] = v_shr_by(v_and(sides, v_sub(gap_end[i], v_set(1))), downs[i]);
#ifdef V_MULTIPLIES
        open[i] = v_shr_by(sides, v_down_more(down, b->top_down[i]));
#else
        open[i] = v_shr(sides, top[i]);
#endif
        big = v_or3(big, in_gap[i], open[i]);
    }
    V old = AROUND_IN(plan, at, *wells, 0), sum;
    for (int i = 1; i < w; i++)
        old = v_add(old, AROUND_IN(plan, at, *wells, i));
    if (kind.fast)
        old = v_add(old, v_add(AROUND_IN(plan, at, *wells, -1), AROUND_IN(plan, at, *wells, w)));
    V deep = v_and(big, v_set(~63)); // too deep for the table
    if (__builtin_expect(any_legal(b, deep), 0))
        *apart |= vm_bits(v_nonzero(deep));
    sum = v_add(v_depth(kind, left), v_depth(kind, right));
    for (int i = 0; i < w; i++)
        sum = v_add(sum, v_add(v_depth(kind, in_gap[i]), v_depth(kind, open[i])));
    return v_add(v_sub(sum, old), place_covered_wells(plan, at, b, kind.fast, w, cells, next, row));
}

#endif
