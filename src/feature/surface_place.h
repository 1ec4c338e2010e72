// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of the surface kernel (kernel_surface.h): what placements that complete no row change. Written
// once for all lane widths. c[i], h[i] are column and height i places right of the placement's left column.
#ifndef TETRALAB_FEATURE_SURFACE_PLACE_H
#define TETRALAB_FEATURE_SURFACE_PLACE_H

#include "feature/surface_plan.h"

// What the placements of any piece need to know of the board.
#if V_LANES > 1
typedef struct Around {
    V c[8];    // columns j - 2 ... j + 5
    V h[7];    // heights j - 2 ... j + 4
    V top_bit; // 1 << height
    V holes;
    V wells; // open wells of each column
    VM holed;
    uint32_t hole_rows;
    uint32_t missing[5]; // rows with n empty cells, n = 1 ... 4
    V diversity;
    V differences_before, differences_after; // sets of height differences up to pair (j, j+1); from it on
} Around;

INLINE const V *around_columns(const Around *at) {
    return at->c + 2;
}
INLINE const V *around_heights(const Around *at) {
    return at->h + 2;
}
INLINE V around(const SurfacePlan *plan, V v, int offset) {
    return offset ? v_permute(v, plan->column[offset + 2]) : v;
}
INLINE V around_top_bit(const SurfacePlan *plan, const Around *at, int offset) {
    return around(plan, at->top_bit, offset);
}
INLINE V around_holes(const SurfacePlan *plan, const Around *at, int offset) {
    return around(plan, at->holes, offset);
}
INLINE V around_wells(const SurfacePlan *plan, const Around *at, int offset) {
    return around(plan, at->wells, offset);
}
INLINE V around_before(const SurfacePlan *plan, const Around *at, int offset) {
    return around(plan, at->differences_before, offset);
}
INLINE V around_after(const SurfacePlan *plan, const Around *at, int offset) {
    return around(plan, at->differences_after, offset);
}
INLINE V around_pair(const SurfacePlan *plan, const Around *at, int offset) {
    (void)at;
    return plan->pair[offset + 1];
}
INLINE VM around_holed(const SurfacePlan *plan, const Around *at, int offset) {
#if defined LANES_AVX512 || defined LANES_AVX512_16
    (void)plan;
    return (VM)(at->holed >> offset);
#else
    return offset ? wm_permute(at->holed, plan->column[offset + 2]) : at->holed;
#endif
}

#else
// One placement at a time: everything is kept by column, and `column` is the placement's.
enum { AROUND_MARGIN = 2, AROUND_COLUMNS = BOARD_MAX_WIDTH + 2 + 6 };
typedef struct Around {
    V c[AROUND_COLUMNS], h[AROUND_COLUMNS], top_bit[AROUND_COLUMNS], holes[AROUND_COLUMNS],
        wells[AROUND_COLUMNS];
    V differences_before[AROUND_COLUMNS], differences_after[AROUND_COLUMNS];
    uint32_t hole_rows, missing[5];
    V diversity;
    int column;
} Around;

INLINE const V *around_columns(const Around *at) {
    return at->c + AROUND_MARGIN + at->column;
}
INLINE const V *around_heights(const Around *at) {
    return at->h + AROUND_MARGIN + at->column;
}
INLINE V around(const Around *at, const V *v, int offset) {
    return v[AROUND_MARGIN + at->column + offset];
}
#define around_top_bit(plan, at, offset) around(at, (at)->top_bit, offset)
#define around_holes(plan, at, offset)   around(at, (at)->holes, offset)
#define around_wells(plan, at, offset)   around(at, (at)->wells, offset)
#define around_before(plan, at, offset)  around(at, (at)->differences_before, offset)
#define around_after(plan, at, offset)   around(at, (at)->differences_after, offset)
#define around_holed(plan, at, offset)   v_nonzero(around(at, (at)->holes, offset))
INLINE V around_pair(const SurfacePlan *plan, const Around *at, int offset) {
    int x = at->column + offset;
    return x >= 0 && x + 1 < plan->width ? 31 : 0;
}
#endif

// The rows that lack n cells, by adding up the empty cells of all columns bit by bit.
INLINE void count_missing(const uint32_t *columns, int width, uint32_t missing[5]) {
    uint32_t ones = 0, twos = 0, fours = 0, more = 0;
    for (int x = 0; x < width; x++) {
        uint32_t carry = ~columns[x];
        uint32_t next = ones & carry;
        ones ^= carry;
        carry = twos & next;
        twos ^= next;
        more |= fours & carry;
        fours ^= carry;
    }
    missing[1] = ones & ~(twos | fours | more);
    missing[2] = twos & ~(ones | fours | more);
    missing[3] = ones & twos & ~(fours | more);
    missing[4] = fours & ~(ones | twos | more);
}

INLINE V v_depth(const SurfacePlan *plan, V t) {
    return v_lookup(plan->wells, t, !plan->fast_wells);
}

// The same for open wells of any depth: the sum of bit positions (1-based).
INLINE V v_any_depth(const SurfacePlan *plan, V t) {
    if (plan->fast_wells) {
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

// Adds two weighted terms.
INLINE void accumulate(const SurfacePlan *plan, Sum *sum, int pair, V first, V second) {
#if V_LANES == 32
    W a = _mm512_unpacklo_epi16(first, second), b = _mm512_unpackhi_epi16(first, second);
    sum->high[0] = w_dot(sum->high[0], a, plan->high[pair]);
    sum->low[0] = w_dot(sum->low[0], a, plan->low[pair]);
    sum->high[1] = w_dot(sum->high[1], b, plan->high[pair]);
    sum->low[1] = w_dot(sum->low[1], b, plan->low[pair]);
#elif V_LANES == 16
    W a = w_pack(first, second);
    sum->high[0] = w_dot(sum->high[0], a, plan->high[pair]);
    sum->low[0] = w_dot(sum->low[0], a, plan->low[pair]);
#else
    *sum += plan->weight[pair][0] * (int32_t)first + plan->weight[pair][1] * (int32_t)second;
#endif
}

typedef struct Placed {
    Sum sum;            // placements that complete no row
    V row;              // where the piece lands
    V full;             // rows it completes
    uint32_t completes; // lanes that complete rows
    uint32_t fits;      // lanes where the piece stays inside the board
} Placed;

// right - left as a set of one, if it is between -2 and 2; other bits are to be masked away.
INLINE V differences(V left, V right) {
    return v_shl(v_set(1), v_add(v_sub(right, left), v_set(2))); // below -2: a large shift, hence 0
}

// What new cells beside holes add to the wells below the surface. Few boards have a hole that high.
INLINE V place_covered_wells(const SurfacePlan *plan, const Around *at, const int w, const V *cells,
                             const V *next, V row, uint32_t legal) {
    const V *c = around_columns(at);
    V sum = v_set(0), beside = v_set(0), holes[6];
    if (!(vm_bits(v_greater(v_set(column_height(at->hole_rows)), row)) & legal))
        return sum;
    for (int i = -1; i <= w; i++) {
        holes[i + 1] = around_holes(plan, at, i);
        if (i > 0)
            beside = v_or_and(beside, cells[i - 1], holes[i + 1]);
        if (i < w - 1)
            beside = v_or_and(beside, cells[i + 1], holes[i + 1]);
    }
    if (!(vm_bits(v_nonzero(beside)) & legal))
        return sum;
    // The cells that count now and did not before; all columns then follow theirs down together.
    V count[6], empty[6], any = v_set(0);
    for (int i = -1; i <= w; i++) {
        V hole = holes[i + 1];
        V before = v_and3(c[i - 1], c[i + 1], hole);
        V after = v_and3(i >= 0 ? next[i] : c[i - 1], i < w ? next[i + 2] : c[i + 1], hole);
        if (plan->fast_wells) {
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
INLINE V place_wells(const SurfacePlan *plan, const Around *at, const int w, const V *cells, const V *next,
                     const V *gap_end, const V *top, V row, uint32_t legal) {
    const V *c = around_columns(at), *h = around_heights(at);
    // Column j - 1 gets new right neighbours, column j + w new left ones: look-ups of the new pairs only;
    // the fast variant is not additive and needs the whole column anew.
    V left = v_and(cells[0], c[-2]), right = v_and(cells[w - 1], c[w + 1]);
    if (plan->fast_wells) {
        left = v_and(v_or(cells[0], c[0]), c[-2]);
        right = v_and(v_or(cells[w - 1], c[w - 1]), c[w + 1]);
    }
    left = v_shr(left, h[-1]);
    right = v_shr(right, h[w]);
    V big = v_or(left, right), in_gap[4], open[4];
    for (int i = 0; i < w; i++) {
        in_gap[i] = v_shr(v_and3(next[i], next[i + 2], v_sub(gap_end[i], v_set(1))), h[i]);
        open[i] = v_shr(v_and(next[i], next[i + 2]), top[i]);
        big = v_or3(big, in_gap[i], open[i]);
    }
    V old = around_wells(plan, at, 0), sum;
    for (int i = 1; i < w; i++)
        old = v_add(old, around_wells(plan, at, i));
    if (plan->fast_wells)
        old = v_add(old, v_add(around_wells(plan, at, -1), around_wells(plan, at, w)));
    if (__builtin_expect(!(vm_bits(v_nonzero(v_and(big, v_set(~63)))) & legal), 1)) {
        sum = v_add(v_depth(plan, left), v_depth(plan, right));
        for (int i = 0; i < w; i++)
            sum = v_add(sum, v_add(v_depth(plan, in_gap[i]), v_depth(plan, open[i])));
    } else {
        sum = v_add(v_any_depth(plan, left), v_any_depth(plan, right));
        for (int i = 0; i < w; i++)
            sum = v_add(sum, v_add(v_any_depth(plan, in_gap[i]), v_any_depth(plan, open[i])));
    }
    return v_add(v_sub(sum, old), place_covered_wells(plan, at, w, cells, next, row, legal));
}

// The change of the diversity: the differences left and right of the piece stay, those at it are new.
INLINE V place_diversity(const SurfacePlan *plan, const Around *at, const int w, const V *top) {
    const V *h = around_heights(at);
    V seen = v_or(around_before(plan, at, -2), around_after(plan, at, w));
    for (int i = -1; i < w; i++)
        seen = v_or_and(seen, around_pair(plan, at, i),
                        differences(i < 0 ? h[-1] : top[i], i + 1 < w ? top[i + 1] : h[w]));
    return v_sub(v_popcount(seen), at->diversity);
}

// A vector of placements, except what completing rows does.
INLINE void place(const SurfacePlan *plan, const Around *at, const Batch *b, const int w, const bool mixed,
                  Placed *out) {
    const V *c = around_columns(at), *h = around_heights(at);
    V reach[4], cells[4], next[6], top[4], gap_end[4], gap[4];
    V row = reach[0] = v_sub(h[0], b->bottom[0]);
    for (int i = 1; i < w; i++)
        row = v_max(row, reach[i] = v_sub(h[i], b->bottom[i]));
    next[0] = c[-1];
    next[w + 1] = c[w];
    V gaps = v_set(0), gap_columns = v_set(0), depth = v_set(0), gap_rows = v_set(0);
    for (int i = 0; i < w; i++) {
        cells[i] = v_shl(b->cells[i], row);
        next[i + 1] = v_or(c[i], cells[i]);
        V start = around_top_bit(plan, at, i);
        gap[i] = v_sub(row, reach[i]);
        top[i] = v_add(row, b->top[i]);
        gap_end[i] = v_shl(b->floor[i], row);
        VM gapped = v_greater(row, reach[i]);
#if V_LANES == 32
        if (mixed) { // absent columns: as if the piece had been there without touching anything
            VM present = (VM)b->present[i];
            gap[i] = v_select(present, gap[i], v_set(0));
            top[i] = v_select(present, top[i], h[i]);
            gap_end[i] = v_select(present, gap_end[i], start);
            gapped = vm_and(gapped, present);
        }
#else
        (void)mixed;
#endif
        gaps = v_add(gaps, gap[i]);
        gap_columns = v_add_if(gapped, gap_columns, v_set(1));
        depth = v_add_if(vm_or(gapped, around_holed(plan, at, i)), depth, b->count[i]);
        gap_rows = v_or(gap_rows, v_sub(gap_end[i], start));
    }
    // Filled cells beside the piece: every row of a piece is one unbroken run, so that in no row two
    // columns have one on the same side.
    V left = v_and(cells[0], c[-1]), right = v_and(cells[w - 1], c[w]);
    for (int i = 1; i < w; i++) {
        left = v_or_and(left, cells[i], c[i - 1]);
        right = v_or_and(right, cells[i - 1], c[i]);
    }
    V sides = v_add(v_popcount(left), v_popcount(right));
    V wells = place_wells(plan, at, w, cells, next, gap_end, top, row, b->legal);
    V rows = v_popcount(v_andnot(v_set((int)at->hole_rows), gap_rows));
    V diversity = plan->use_diversity ? place_diversity(plan, at, w, top) : v_set(0);
    Sum sum = b->constant;
    accumulate(plan, &sum, PAIR_LANDING_SIDES, row, sides);
    accumulate(plan, &sum, PAIR_GAPS_HOLES, gap_columns, gaps);
    accumulate(plan, &sum, PAIR_WELLS_DEPTH, wells, depth);
    accumulate(plan, &sum, PAIR_ROWS_DIVERSITY, rows, diversity);
    out->sum = sum;
    out->row = row;
    out->full = v_or_and(v_and(v_shl(b->single_rows, row), v_set((int)at->missing[1])),
                         v_shl(b->wide_rows, row), v_set((int)at->missing[b->wide_cells]));
    out->completes = vm_bits(v_nonzero(out->full)) & b->legal;
    out->fits = ~vm_bits(v_greater(row, b->fits)) & b->legal;
}

#endif
