// SPDX-License-Identifier: GPL-3.0-or-later
// The reference definition of every feature, written to be read and compared with the papers, cell by cell
// where that is clearest. Slow on purpose; the fast kernels are tested against it.
#ifndef TETRALAB_FEATURE_REFERENCE_H
#define TETRALAB_FEATURE_REFERENCE_H

#include "feature/feature.h"
#include "game/board.h"
#include "game/moves.h"
#include "game/piece.h"
#include "game/rules.h"

// Everything that a feature may depend on. For a board without a move: before = after, shape NULL,
// landing zero; the features of moves are then 0.
typedef struct Situation {
    int width, height;
    const Board *before, *after; // after: cleared
    const Shape *shape;
    Landing landing;
} Situation;

// Plays the move. <- after
Situation situation_of_move(const Rules *rules, const Board *before, int piece, const Move *move,
                            Board *after);

// <- value number `index` of the feature, from 0; it has feature_values() of them.
// Cells above the top row count as cells; the side walls are `height` rows high.
double feature_reference(FeatureId id, const Situation *situation, int index);

#endif
