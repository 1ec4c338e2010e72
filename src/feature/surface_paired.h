// SPDX-License-Identifier: GPL-3.0-or-later
// The best values of all pieces on boards at most ten wide in 16 lanes: orientations three columns wide have
// eight placements then, so that two of them share a vector, one in each half. The formulas are those of
// surface_place.h; of what they need to know of the board, both halves have the first eight lanes. Part of
// kernel_surface.c.
#ifndef TETRALAB_FEATURE_SURFACE_PAIRED_H
#define TETRALAB_FEATURE_SURFACE_PAIRED_H

#include "feature/surface_choose.h"

// What place() found for the orientations of each piece; S and Z share the first of them. All in loops: code
// that does not fit into the first cache is slower than what it spares.
typedef struct AllFound {
    Sum sum[PIECES][3];
    uint32_t candidates[PIECES][3];
    int count[PIECES];
} AllFound;

INLINE void look_paired(Around *at) {
    at->paired = true;
    for (int k = 0; k < 7; k++)
        at->c[k] = v_twice(at->c[k]);
    for (int k = 1; k < 6; k++)
        at->h[k] = v_twice(at->h[k]);
#ifdef V_MULTIPLIES
    for (int k = 1; k < 6; k++)
        at->down[k] = v_twice(at->down[k]);
#endif
}

// Placements that complete rows, as whole boards.
static __attribute__((noinline)) void add_completed_lanes(const SurfacePlan *plan, const Board *board,
                                                          const Batch *b, int stride, uint32_t completes,
                                                          const Lanes *row, const Lanes *full,
                                                          int64_t highest[PIECES]) {
    for (uint32_t left = completes; left; left &= left - 1) {
        int lane = __builtin_ctz(left);
        Oriented part = b->part[lane / stride];
        bool fatal;
        int64_t value =
            completed_value(plan, board, part.piece, placement_make(part.orientation, lane % stride),
                            stored_lane(row, lane), (uint32_t)stored_lane(full, lane), &fatal);
        if (value > highest[part.piece] && !(fatal && plan->avoid))
            highest[part.piece] = value;
    }
}

// -> plan  the wide one; layout: that of the batch
INLINE void place_found(const SurfacePlan *plan, const SurfacePlan *layout, const Board *board,
                        const Around *at, const Batch *b, const int w, AllFound *found,
                        int64_t highest[PIECES]) {
    Placed placed;
    place(layout, at, b, w, false, &placed);
    int piece = b->part[0].piece, k = found->count[piece]++;
    found->sum[piece][k] = placed.sum;
    found->candidates[piece][k] = b->legal & ~placed.completes & (plan->avoid ? placed.fits : ~0u);
    if (placed.completes) {
        Lanes row, full;
        v_store(&row, placed.row);
        v_store(&full, placed.full);
        add_completed_lanes(plan, board, b, layout->layout.stride, placed.completes, &row, &full, highest);
    }
}

INLINE void all_best_values(const SurfacePlan *plan, const Board *board, int64_t value_now,
                            int64_t highest[PIECES]) {
    static const Oriented two_wide[] = {{PIECE_O, 0}, {PIECE_S, 1}, {PIECE_Z, 1}, {PIECE_L, 1}, {PIECE_L, 3},
                                        {PIECE_J, 1}, {PIECE_J, 3}, {PIECE_T, 1}, {PIECE_T, 3}};
    AllFound found;
    Around at;
    for (int piece = 0; piece < PIECES; piece++) {
        found.count[piece] = 0;
        highest[piece] = INT64_MIN;
    }
    look_around(plan, board, &at, NULL, 4, false);
    place_found(plan, plan, board, &at, &plan->piece[PIECE_I].batch[0], 4, &found, highest);
    place_found(plan, plan, board, &at, &plan->piece[PIECE_I].batch[1], 1, &found, highest);
#pragma GCC unroll 1
    for (int k = 0; k < (int)(sizeof two_wide / sizeof *two_wide); k++)
        place_found(plan, plan, board, &at, &plan->piece[two_wide[k].piece].batch[two_wide[k].orientation], 2,
                    &found, highest);
    look_paired(&at);
#pragma GCC unroll 1
    for (int k = 0; k < PAIRED_BATCHES; k++)
        place_found(plan, plan->packed, board, &at, &plan->packed->piece[k].batch[0], 3, &found, highest);
    int s = found.count[PIECE_S] - 1, z = found.count[PIECE_Z]++;
    found.sum[PIECE_Z][z] = found.sum[PIECE_S][s];
    found.candidates[PIECE_Z][z] = found.candidates[PIECE_S][s] & 0xff00;
    found.candidates[PIECE_S][s] &= 0x00ff;
#pragma GCC unroll 1
    for (int piece = 0; piece < PIECES; piece++) {
        int64_t value = highest_sum(found.sum[piece], found.candidates[piece], found.count[piece]);
        if (value != INT64_MIN && value + value_now > highest[piece])
            highest[piece] = value + value_now;
    }
}

#endif
