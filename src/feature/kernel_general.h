// SPDX-License-Identifier: GPL-3.0-or-later
// The general kernel: any rating of the features that have a version in lanes. Lane j is the placement with
// left column j of one orientation; each of the board's columns is a vector, and everything is computed anew
// from the board after clearing. Slower than the surface kernel, but without exceptions.
#ifndef TETRALAB_FEATURE_KERNEL_GENERAL_H
#define TETRALAB_FEATURE_KERNEL_GENERAL_H

#include "feature/kernel.h"

typedef struct GeneralPlan GeneralPlan;

enum { GENERAL_LANES = 16 };

// Where value number `index` of a feature is found among those that are computed: its slot.
static inline int general_slot(FeatureId id, int index) {
    return feature_first[id] + index;
}

// What one compilation (lanes.h) offers.
typedef struct GeneralKernel {
    uint64_t features;                                                 // set of those it has a version of
    GeneralPlan *(*prepare)(const Rating *rating, const Rules *rules); // free() it; NULL: out of memory
    void (*values)(const GeneralPlan *plan, const Board *board, int piece, int64_t value[PLACEMENTS],
                   uint64_t *legal, uint64_t *fatal);
    // Features of 16 boards as they are, without a move.
    // -> columns   column x of board j at [x][j]
    // -> features  set of those that are asked for, none of the family "move"
    // <- value     of slot[i] of board j at [i][j], in steps (feature_steps)
    void (*boards)(int width, int height, const uint32_t columns[][GENERAL_LANES], uint64_t features,
                   const uint16_t *slot, int slots, int32_t value[][GENERAL_LANES]);
} GeneralKernel;

extern const GeneralKernel general_kernel_plain, general_kernel_avx2, general_kernel_avx512;

#endif
