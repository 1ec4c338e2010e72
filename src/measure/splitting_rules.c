// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing and stopping of splitting; splitting_rules.h says the rules. Where their numbers come from is in
// docs/measuring-studies.md; scripts/stopping-rule and scripts/splitting-choices try others.
#include "measure/splitting_rules.h"

#include <math.h>

#include "measure/quantile.h"

static const double TIME_IN_A = 0.7;   // share of the moves that should end in A
static const double SEEN_ABOVE = 0.01; // share of the moves that must end above it
static const double SHARED_PAST = 4;   // how much larger the variance is than with independent trials
static const double LEAST_TRIALS = 2000, MAX_TRIALS = 1e6;
static const double TAIL = 0.025;  // left out on each side of an interval
static const double COMPANY = 100; // repetitions more for a spread of 1

// Chosen by hand after 184 of 200 intervals had contained the truth (bcts, 10x10); simulations of the rule
// alone ask for less. It was also checked with seeds it was not chosen on.
static const double WIDENED = 1.08;

static double student(uint64_t count) {
    return quantile_student(1 - TAIL, count - 1);
}

int splitting_base(const uint64_t at_height[SPLITTING_HEIGHTS], int highest) {
    uint64_t moves = 0, below = at_height[0];
    int base;
    for (int h = 0; h < SPLITTING_HEIGHTS; h++)
        moves += at_height[h];
    for (base = 1; base < highest; base++)
        if ((double)(below += at_height[base]) >= TIME_IN_A * (double)moves)
            break;
    for (; base > 1 && (double)(moves - below) < SEEN_ABOVE * (double)moves; base--)
        below -= at_height[base];
    return base;
}

uint64_t splitting_trials(double noise, double precision) {
    double t = student(SPLITTING_AIMED_REPETITIONS) / precision;
    double wanted = SHARED_PAST * noise * t * t / SPLITTING_AIMED_REPETITIONS;
    return (uint64_t)fmin(fmax(wanted, LEAST_TRIALS), MAX_TRIALS);
}

void splitting_summarise(Splitting *splitting, int width) {
    double sum = 0, squares = 0, cells = 0;
    uint64_t n = splitting->runs;
    splitting->extinct = splitting->pieces = 0;
    for (uint64_t k = 0; k < n; k++) {
        const SplittingRun *run = &splitting->run[k];
        sum += run->lambda;
        splitting->pieces += run->pieces;
        splitting->extinct += run->lambda == 0;
        if (run->lambda > 0)
            cells += run->cells * run->lambda;
    }
    double mean = n ? sum / (double)n : NAN;
    for (uint64_t k = 0; k < n; k++)
        squares += (splitting->run[k].lambda - mean) * (splitting->run[k].lambda - mean);
    splitting->lambda = mean;
    splitting->sd = n > 1 ? sqrt(squares / (double)(n - 1)) : NAN;
    double half = n > 1 ? student(n) * splitting->sd / sqrt((double)n) * WIDENED : INFINITY;
    splitting->lambda_interval = (Interval){fmax(mean - half, 0), mean + half};
    double left = sum > 0 ? cells / sum : 0; // cells on the last board
    splitting->mean_lines = fmax((4 / mean - left) / width, 0);
    splitting->interval.low = fmax((4 / splitting->lambda_interval.high - left) / width, 0);
    splitting->interval.high = (4 / splitting->lambda_interval.low - left) / width;
    if (!(sum > 0))
        splitting->interval = interval_exact(0, n, 4 * (double)splitting->pieces / width);
}

double splitting_precision(const Splitting *splitting) {
    double mean = splitting->mean_lines;
    if (!(isfinite(mean) && mean > 0))
        return INFINITY;
    return fmax(splitting->interval.high - mean, mean - splitting->interval.low) / mean;
}

uint64_t splitting_least_repetitions(double spread) {
    return SPLITTING_LEAST_REPETITIONS + (uint64_t)fmin(COMPANY * spread * spread, SPLITTING_MAX_REPETITIONS);
}

bool splitting_is_over(Splitting *splitting, const SplittingPlan *plan) {
    if (plan->repetitions)
        return splitting->runs >= plan->repetitions;
    if (splitting->runs < SPLITTING_LEAST_REPETITIONS)
        return false;
    double spread = splitting->lambda > 0 ? splitting->sd / splitting->lambda : 0;
    splitting->precise = splitting->runs >= splitting_least_repetitions(spread) &&
                         splitting_precision(splitting) <= plan->precision;
    return splitting->precise || splitting->extinct == splitting->runs ||
           (plan->budget && splitting->pieces >= plan->budget);
}
