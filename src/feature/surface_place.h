// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of the surface kernel (kernel_surface.h): what placements that complete no row change. Written
// once for all lane widths. c[i], h[i] are column and height i places right of the placement's left column.
#ifndef TETRALAB_FEATURE_SURFACE_PLACE_H
#define TETRALAB_FEATURE_SURFACE_PLACE_H

#include "feature/surface_around.h"
#include "feature/surface_further.h"
#include "feature/surface_wells.h"

typedef struct Placed {
    Sum sum;            // placements that complete no row
    V row;              // where the piece lands
    V full;             // rows it completes
    uint32_t completes; // lanes that complete rows, and others to be valued as whole boards
    uint32_t fits;      // lanes where the piece stays inside the board
} Placed;

// The change of the diversity: the differences left and right of the piece stay, those at its sides are new,
// and those within it are always the same. Of a mixed batch of width 4 or 3, only 1 or 2 columns are present
// in all lanes.
INLINE V place_diversity(const SurfacePlan *plan, const Around *at, const Batch *b, const int w,
                         const bool mixed, const V *top) {
    const V *h = around_heights(at);
    const int present = mixed ? 5 - w : w;
    V seen = v_or3(AROUND(plan, at, differences_before, -2), differences_from(plan, at, w), b->differences);
    for (int i = -1; i < w; i++)
        if (i < 0 || i + 1 >= present)
            seen = v_or_and(seen, differing(plan, at, i),
                            differences(i < 0 ? h[-1] : top[i], i + 1 < w ? top[i + 1] : h[w]));
    return v_sub(count_differences(seen), at->diversity);
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
        V start = AROUND(plan, at, top_bit, i);
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
        gap_columns = v_count_if(gapped, gap_columns);
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
    V down = v_down(row), wells = v_set(0);
    uint32_t apart = 0;
    V sides = v_add(v_count4(left, row, down), v_count4(right, row, down));
    if (plan->use_wells)
        wells = place_wells(plan, at, b, (WellKind){plan->wells, plan->fast_wells}, &at->wells, w, cells,
                            next, gap_end, top, row, down, &apart);
    V rows = v_popcount(v_andnot(v_set((int)at->hole_rows), gap_rows));
    V diversity = plan->use_diversity ? place_diversity(plan, at, b, w, mixed, top) : v_set(0);
    Sum sum = b->constant;
    accumulate(&sum, &plan->weights[PAIR_LANDING_SIDES], row, sides);
    accumulate(&sum, &plan->weights[PAIR_GAPS_HOLES], gap_columns, gaps);
    accumulate(&sum, &plan->weights[PAIR_WELLS_DEPTH], wells, depth);
    accumulate(&sum, &plan->weights[PAIR_ROWS_DIVERSITY], rows, diversity);
    if (!ONLY_PLAYS && at->further) {
        Found found; // tables need the row and the tops only
        found.row = row;
        memcpy(found.top, top, sizeof top[0] * w);
        if (plan->more) {
            found.sides = sides;
            found.gap_columns = gap_columns;
            found.gaps = gaps;
            found.depth = depth;
            memcpy(found.cells, cells, sizeof cells[0] * w);
            memcpy(found.next, next, sizeof next[0] * (w + 2));
            memcpy(found.gap_end, gap_end, sizeof gap_end[0] * w);
        }
        Sum more = sum;
        apart |= add_further(plan, at->further, b, w, &found, &more);
        sum = more;
    }
    out->sum = sum;
    out->row = row;
    out->full = v_or_and(v_and(v_shl(b->single_rows, row), v_set((int)at->missing[1])),
                         v_shl(b->wide_rows, row), v_set((int)at->missing[b->wide_cells]));
    out->completes = (vm_bits(v_nonzero(out->full)) | apart) & b->legal;
    out->fits = plan->roomy ? b->legal : ~vm_bits(v_greater(row, b->fits)) & b->legal;
}

#endif
