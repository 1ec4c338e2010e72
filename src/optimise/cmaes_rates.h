// SPDX-License-Identifier: GPL-3.0-or-later
// The constants of CMA-ES: weights of the parents and learning rates.
#ifndef TETRALAB_OPTIMISE_CMAES_RATES_H
#define TETRALAB_OPTIMISE_CMAES_RATES_H

#include "optimise/optimiser.h"

typedef struct CmaesRates {
    double mu_eff;           // 1 / the sum of the squared weights
    double c_sigma, d_sigma; // step size: how fast its path forgets, damping
    double c_c;              // how fast the path of C forgets
    double c_1, c_mu;        // shares of the rank-one and the rank-mu update in C
    double chi;              // mean length of a standard normal vector, nearly
} CmaesRates;

// <- weight  plan->parents positive numbers, descending, sum 1
CmaesRates cmaes_rates(const OptimiserPlan *plan, double *weight);

#endif
