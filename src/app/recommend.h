// SPDX-License-Identifier: GPL-3.0-or-later
// What a recommendation of an optimiser is worth: measured as every recommendation of the benchmark is, apart
// from the scores that the optimiser saw.
#ifndef TETRALAB_APP_RECOMMEND_H
#define TETRALAB_APP_RECOMMEND_H

#include "app/app.h"
#include "learn/objective.h"

typedef struct Recommendation {
    double lines, low, high; // mean and 95 % interval
    uint64_t pieces;
    double seconds;
    bool interrupted;
} Recommendation;

// -> instance  1, 2, ...: has a seed of its own
bool recommend_measure(Recommendation *recommendation, const Strategy *strategy, const Objective *objective,
                       int instance, const AppOptions *app, Error *error);

#endif
