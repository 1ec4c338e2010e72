// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the noisy cross-entropy method.
#ifndef TETRALAB_OPTIMISE_CROSS_ENTROPY_H
#define TETRALAB_OPTIMISE_CROSS_ENTROPY_H

#include "optimise/optimiser.h"

typedef enum CrossEntropyNoise { NOISE_NONE, NOISE_CONSTANT, NOISE_DECREASING } CrossEntropyNoise;

typedef struct CrossEntropyPlan {
    CrossEntropyNoise noise; // added to the variances after each update t = 0, 1, ...:
    double level;            //   constant: level; decreasing: max(level - t * slope, 0). NAN: 4, decreasing 5
    double slope;
} CrossEntropyPlan;

static inline CrossEntropyPlan *cross_entropy_plan(const OptimiserPlan *plan) {
    return (CrossEntropyPlan *)plan->settings;
}

#endif
