// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the particle swarm.
#ifndef TETRALAB_OPTIMISE_SWARM_H
#define TETRALAB_OPTIMISE_SWARM_H

#include "optimise/optimiser.h"

typedef struct SwarmPlan {
    double inertia, cognitive, social;
    double most_speed; // per coordinate, 0: no limit
    int neighbours;    // each particle sees so many on either side of a ring; 0: all (global best)
} SwarmPlan;

static inline SwarmPlan *swarm_plan(const OptimiserPlan *plan) {
    return (SwarmPlan *)plan->settings;
}

#endif
