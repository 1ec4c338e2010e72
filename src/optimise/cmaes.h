// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of CMA-ES.
#ifndef TETRALAB_OPTIMISE_CMAES_H
#define TETRALAB_OPTIMISE_CMAES_H

#include "optimise/optimiser.h"

typedef enum CmaesConstants {
    CMAES_MODERN, // Hansen 2016: separate rates for rank one and rank mu
    CMAES_CLASSIC // Boumaza's program: one rate c_cov (Hansen & Kern 2004)
} CmaesConstants;

typedef struct CmaesPlan {
    CmaesConstants constants;
    bool sphere;  // scale every sampled vector to length 1 before it is scored and before the update
    double floor; // the root mean square of the coordinates' deviations is kept at this or above; 0: no floor
} CmaesPlan;

static inline CmaesPlan *cmaes_plan(const OptimiserPlan *plan) {
    return (CmaesPlan *)plan->settings;
}

#endif
