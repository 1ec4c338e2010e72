// SPDX-License-Identifier: GPL-3.0-or-later
// What law do the scores of whole games follow? A test of the exponential law, and an interval of the mean
// that needs no law.
//
// The exponential law for whole numbers. Lines are counted, so what is tested is the geometric law, of which
// the exponential one rounded down is an example: P(lines >= k) = exp(-k/theta), theta = 1/log(1 + 1/mean).
// To a score k a fraction in [0, 1) is added that is drawn from the exponential law cut to [0, 1) with the
// same theta. If the scores are geometric, the sums are exponential, whatever the mean, and the tests for
// continuous laws apply to them.
//
// anderson: the Anderson-Darling statistic A^2 (1 + 0.6/n) of the exponential law with estimated mean
// (Stephens 1974); p_value from a table that was simulated (distribution.c). It finds every deviation once
// there are enough games: with tens of thousands, also the harmless one that no game is lost in the first
// moves. deviation: the largest difference between the distribution function of the scores and the fitted
// one, at whole numbers. This is the practical measure, and it defines "near exponential":
//     deviation <= DISTRIBUTION_NEAR + 1.1/sqrt(n)     95 % of exponential samples stay below 1.1/sqrt(n)
// and a mean of DISTRIBUTION_LEAST_MEAN lines or more, below which the first moves matter. With n below 200
// or so only coarse deviations are found. Censored scores cannot be tested this way: the fit does not apply.
#ifndef TETRALAB_MEASURE_DISTRIBUTION_H
#define TETRALAB_MEASURE_DISTRIBUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "measure/interval.h"

enum {
    DISTRIBUTION_LEAST_GAMES = 20,      // for the fit to apply
    DISTRIBUTION_LEAST_MEAN = 10,       // lines, for scores to be near exponential
    DISTRIBUTION_RESAMPLES = 4000,      // of the bootstrap
    DISTRIBUTION_MAX_RESAMPLED = 20000, // games; with more the normal interval is as good and is given
};
#define DISTRIBUTION_NEAR 0.04

typedef struct DistributionFit {
    bool applies; // enough games, none censored, a line made; if not, all below is NAN
    uint64_t games;
    double mean;     // lines
    double spread;   // sd/mean; 1 for exponential scores
    double anderson; // A^2 (1 + 0.6/n)
    double p_value;  // of it, cut to [0.0005, 0.999]
    double deviation, allowed;
} DistributionFit;

// -> seed  of the fractions; the same seed gives the same fit
bool distribution_fit(DistributionFit *fit, const Score *score, uint64_t count, uint64_t seed, Error *error);

// Near exponential, in the sense above. A fit that does not apply because games are few or censored gets the
// benefit of the doubt: true; one without a line made is false.
bool distribution_is_exponential(const DistributionFit *fit);

// The two statistics alone. -> value  ascending, not negative, with a positive mean
double distribution_anderson(const double *value, uint64_t count);
double distribution_anderson_p(double anderson); // P(a larger one | exponential)

// Bootstrap interval (95 %) of the mean, whatever the law: bias-corrected and accelerated (Efron 1987), from
// DISTRIBUTION_RESAMPLES resamples with the numbers RANDOM_BOOTSTRAP of the seed. Unknown (NAN) with fewer
// than two games or with censored ones.
bool distribution_bootstrap(Interval *interval, const Score *score, uint64_t count, uint64_t seed,
                            Error *error);

#endif
