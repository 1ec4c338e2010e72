// SPDX-License-Identifier: GPL-3.0-or-later
// The constants of CMA-ES. Classic: those of Boumaza's program, from Hansen & Kern, "Evaluating the CMA
// evolution strategy on multimodal test functions" (2004). Modern: Hansen, "The CMA Evolution Strategy: A
// Tutorial" (2016), table 1, without its negative weights.
#include "optimise/cmaes_rates.h"

#include "base/portable.h"
#include "optimise/cmaes.h"

#include <math.h>

// <- mu_eff. -> first  the weights are proportional to ln first - ln i, i = 1, 2, ...
static double set_weights(double *weight, int parents, double first) {
    double sum = 0, squares = 0;
    for (int i = 0; i < parents; i++) {
        weight[i] = portable_log(first) - portable_log(i + 1.0);
        sum += weight[i];
    }
    for (int i = 0; i < parents; i++) {
        weight[i] /= sum;
        squares += weight[i] * weight[i];
    }
    return 1 / squares;
}

// c_cov is split between rank one and rank mu in the ratio 1 : mu_cov - 1, mu_cov = mu_eff.
static void set_classic(CmaesRates *k, double n) {
    double mu = k->mu_eff, root = n + sqrt(2);
    double c_cov =
        1 / mu * 2 / (root * root) + (1 - 1 / mu) * fmin(1, (2 * mu - 1) / ((n + 2) * (n + 2) + mu));
    k->c_sigma = (mu + 2) / (n + mu + 3);
    k->c_c = 4 / (n + 4);
    k->c_1 = c_cov / mu;
    k->c_mu = c_cov * (1 - 1 / mu);
}

static void set_modern(CmaesRates *k, double n) {
    double mu = k->mu_eff;
    k->c_sigma = (mu + 2) / (n + mu + 5);
    k->c_c = (4 + mu / n) / (n + 4 + 2 * mu / n);
    k->c_1 = 2 / ((n + 1.3) * (n + 1.3) + mu);
    k->c_mu = fmin(1 - k->c_1, 2 * (mu - 2 + 1 / mu) / ((n + 2) * (n + 2) + mu));
}

CmaesRates cmaes_rates(const OptimiserPlan *plan, double *weight) {
    bool classic = cmaes_plan(plan)->constants == CMAES_CLASSIC;
    double n = plan->dimension;
    CmaesRates k = {.mu_eff = set_weights(weight, plan->parents,
                                          classic ? plan->parents + 1.0 : (plan->population + 1) / 2.0)};
    if (classic)
        set_classic(&k, n);
    else
        set_modern(&k, n);
    k.d_sigma = 1 + 2 * fmax(0, sqrt((k.mu_eff - 1) / (n + 1)) - 1) + k.c_sigma;
    k.chi = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
    return k;
}
