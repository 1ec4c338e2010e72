// SPDX-License-Identifier: GPL-3.0-or-later
// How much features differ between the moves of one decision. A weight counts by what it changes there: rows
// with holes differ little from move to move, weighted cells much. Divided by that spread, all numbers of a
// vector count alike, and an optimiser that knows nothing of them can begin with equal steps.
#ifndef TETRALAB_LEARN_SPREAD_H
#define TETRALAB_LEARN_SPREAD_H

#include "base/error.h"
#include "feature/feature.h"
#include "game/rules.h"

// Plays a fixed number of moves of a fixed player (dellacherie) under the rules and looks at all moves that
// there were. The numbers are the same on every machine.
// -> features  `count` of them
// <- spread    of each of their values: the root of the mean variance, at least SPREAD_LEAST, so that the
//              weight of what hardly occurs does not grow without bounds
#define SPREAD_LEAST 0.1
bool features_spread(const FeatureId *features, int count, const Rules *rules, double *spread, Error *error);

#endif
