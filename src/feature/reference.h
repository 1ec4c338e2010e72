// SPDX-License-Identifier: GPL-3.0-or-later
// The reference definition of every feature, written to be read and compared with the papers, cell by cell
// where that is clearest. Slow on purpose; the fast kernels are tested against it.
#ifndef TETRALAB_FEATURE_REFERENCE_H
#define TETRALAB_FEATURE_REFERENCE_H

#include "feature/feature.h"
#include "game/board.h"
#include "game/piece.h"

// Everything that a feature may depend on. For a board without a move: before = after, shape NULL,
// landing zero; the features of moves are then 0.
typedef struct Situation {
    int width, height;
    const Board *before, *after; // after: cleared
    const Shape *shape;
    Landing landing;
} Situation;

// <- how many values were written (at most BOARD_MAX_WIDTH).
// Cells above the top row count as cells; the side walls are `height` rows high.
int feature_reference(FeatureId id, const Situation *situation, double *values);

#endif
