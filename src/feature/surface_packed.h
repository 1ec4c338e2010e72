// SPDX-License-Identifier: GPL-3.0-or-later
// All placements of several pieces at once, for boards at most ten wide in 16-bit lanes: a vector holds the
// columns three times, hence three orientations, and seven vectors hold the 19 orientations of all pieces.
// The formulas are those of surface_place.h; only the lanes are used differently (Layout). Part of
// kernel_surface.c.
#ifndef TETRALAB_FEATURE_SURFACE_PACKED_H
#define TETRALAB_FEATURE_SURFACE_PACKED_H

#include "feature/surface_choose.h"

// What place() found for one batch, as far as it is needed.
typedef struct Packed {
    W upper[SUM_PARTS], lower[SUM_PARTS]; // value = upper * 32768 + lower, 0 <= lower < 32768
    WM counts[SUM_PARTS];                 // lanes that may be chosen and complete no row
    uint32_t completes;
    Lanes row, full;
} Packed;

INLINE void place_packed(const SurfacePlan *packed, const Around *at, int k, const int w, const bool mixed,
                         Packed *out) {
    const Batch *b = packed_batch(packed, k);
    Placed placed;
    place(packed, at, b, w, mixed, &placed);
    uint32_t candidates = b->legal & ~placed.completes & (packed->avoid ? placed.fits : ~0u);
    for (int half = 0; half < SUM_PARTS; half++) {
        W low = placed.sum.low[half];
        out->upper[half] = w_add(placed.sum.high[half], w_shift_signed(low, 15));
        out->lower[half] = w_and(low, w_set(0x7fff));
        out->counts[half] = sum_mask(candidates, half);
    }
    out->completes = placed.completes;
    if (placed.completes) {
        w_store(&out->row, placed.row);
        w_store(&out->full, placed.full);
    }
}

// Some copies of one batch.
typedef struct Part {
    int batch, first, copies;
} Part;

INLINE WM part_lanes(const Packed *packed, Part part, int half) {
    uint32_t lanes = ((1u << part.copies * 10) - 1) << part.first * 10;
    return wm_and(packed[part.batch].counts[half], sum_mask(lanes, half));
}

// The highest value of these placements; INT64_MIN: there is none.
INLINE int64_t highest_of(const Packed *packed, int64_t value_now, const int parts, const Part *part) {
    W most = w_set(INT32_MIN), lower = w_zero();
    for (int k = 0; k < parts; k++)
        for (int half = 0; half < SUM_PARTS; half++)
            most = w_max_if(part_lanes(packed, part[k], half), most, packed[part[k].batch].upper[half]);
    int highest = w_reduce_max(most);
    if (highest == INT32_MIN)
        return INT64_MIN;
    for (int k = 0; k < parts; k++)
        for (int half = 0; half < SUM_PARTS; half++) {
            WM equal = w_equal(packed[part[k].batch].upper[half], w_set(highest));
            lower = w_max_if(wm_and(equal, part_lanes(packed, part[k], half)), lower,
                             packed[part[k].batch].lower[half]);
        }
    return (int64_t)highest * 32768 + w_reduce_max(lower) + value_now;
}

// <- the set of batches that hold the placements of these pieces, as packed_part says
INLINE uint32_t batches_of(uint32_t pieces) {
    static const uint8_t batches[PIECES] = {
        [PIECE_O] = 1 << 3,          [PIECE_I] = 1 << 6,
        [PIECE_S] = 1 << 0 | 1 << 3, [PIECE_Z] = 1 << 0 | 1 << 3,
        [PIECE_L] = 1 << 1 | 1 << 4, [PIECE_J] = 1 << 1 | 1 << 2 | 1 << 4 | 1 << 5,
        [PIECE_T] = 1 << 2 | 1 << 5};
    uint32_t set = 0;
    for (; pieces; pieces &= pieces - 1)
        set |= batches[__builtin_ctz(pieces)];
    return set;
}

// -> batches  set of those that are wanted
INLINE void place_batches(const SurfacePlan *packed, const Around *at, uint32_t batches,
                          Packed out[PACKED_BATCHES]) {
#pragma GCC unroll 1 // the code of seven would not fit into the first cache
    for (int k = 0; k < 3; k++)
        if (batches >> k & 1)
            place_packed(packed, at, k, 3, false, &out[k]);
#pragma GCC unroll 1
    for (int k = 3; k < 6; k++)
        if (batches >> k & 1)
            place_packed(packed, at, k, 2, false, &out[k]);
    if (batches >> 6 & 1)
        place_packed(packed, at, 6, 4, true, &out[6]);
}

// The highest value of each piece, of placements that complete no row. Its parts are those of packed_part.
INLINE void highest_packed(const Packed *packed, int64_t value_now, uint32_t pieces,
                           int64_t highest[PIECES]) {
    if (pieces >> PIECE_O & 1)
        highest[PIECE_O] = highest_of(packed, value_now, 1, (Part[]){{3, 0, 1}});
    if (pieces >> PIECE_I & 1)
        highest[PIECE_I] = highest_of(packed, value_now, 1, (Part[]){{6, 0, 2}});
    if (pieces >> PIECE_S & 1)
        highest[PIECE_S] = highest_of(packed, value_now, 2, (Part[]){{0, 0, 1}, {3, 1, 1}});
    if (pieces >> PIECE_Z & 1)
        highest[PIECE_Z] = highest_of(packed, value_now, 2, (Part[]){{0, 1, 1}, {3, 2, 1}});
    if (pieces >> PIECE_L & 1)
        highest[PIECE_L] = highest_of(packed, value_now, 2, (Part[]){{1, 0, 2}, {4, 0, 2}});
    if (pieces >> PIECE_J & 1)
        highest[PIECE_J] =
            highest_of(packed, value_now, 4, (Part[]){{1, 2, 1}, {2, 0, 1}, {4, 2, 1}, {5, 0, 1}});
    if (pieces >> PIECE_T & 1)
        highest[PIECE_T] = highest_of(packed, value_now, 2, (Part[]){{2, 1, 2}, {5, 1, 2}});
}

static __attribute__((noinline)) void add_completed_packed(const SurfacePlan *plan, const Board *board,
                                                           const Batch *b, const Packed *packed,
                                                           uint32_t pieces, int64_t highest[PIECES]) {
    for (uint32_t left = packed->completes; left; left &= left - 1) {
        int lane = __builtin_ctz(left), stride = PACKED_LAYOUT.stride;
        Oriented part = b->part[lane / stride];
        if (!(pieces >> part.piece & 1))
            continue;
        bool fatal;
        int64_t value = completed_value(
            plan, board, part.piece, placement_make(part.orientation, lane % stride),
            stored_lane(&packed->row, lane), (uint32_t)stored_lane(&packed->full, lane), &fatal);
        if (value > highest[part.piece] && !(fatal && plan->avoid))
            highest[part.piece] = value;
    }
}

INLINE void best_values_packed(const SurfacePlan *plan, const Board *board, int64_t value_now,
                               uint32_t pieces, Further *further, int64_t highest[PIECES]) {
    Around at;
    Packed packed[PACKED_BATCHES];
    uint32_t batches = batches_of(pieces);
    look_around(plan->packed, board, &at, further, 4, true);
    place_batches(plan->packed, &at, batches, packed);
    highest_packed(packed, value_now, pieces, highest);
    for (; batches; batches &= batches - 1) {
        int k = __builtin_ctz(batches);
        if (packed[k].completes)
            add_completed_packed(plan, board, packed_batch(plan->packed, k), &packed[k], pieces, highest);
    }
}

#endif
