// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing and stopping of splitting; splitting_rules.h says the rules. Where their numbers come from is in
// docs/measuring-studies.md; scripts/stopping-rule and scripts/splitting-choices try others.
#include "measure/splitting_rules.h"

#include <math.h>

#include "measure/quantile.h"

static const double TIME_IN_A = 0.7;   // share of the moves that should end in A
static const double SEEN_ABOVE = 0.01; // share of the moves that must end above it
static const double MAX_TRIALS = 1e6;
static const double TAIL = 0.025;    // left out on each side of an interval
static const double SPARE = 1.1;     // times the repetitions that the interval asks for
static const double MOST_GROWTH = 4; // from stage to stage

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

// Squared sd/mean of the mean of lambdas whose interval has this precision. The upper end of the lines is
// the lower one of lambda: half / (1 - half) = precision.
static double wanted_variance(double precision) {
    double half = precision / (1 + precision) / quantile_normal(1 - TAIL);
    return half * half;
}

uint64_t splitting_trials(double noise, double precision) {
    double wanted = ceil(noise / wanted_variance(precision) / SPLITTING_AIMED_REPETITIONS);
    return (uint64_t)fmin(fmax(wanted, SPLITTING_LEAST_TRIALS), MAX_TRIALS);
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
    double half = n > 1 ? student(n) * splitting->sd / sqrt((double)n) : INFINITY;
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

uint64_t splitting_next_stage(uint64_t runs, double precision, double wanted) {
    double half = isfinite(precision) ? precision / (1 + precision) : 1, aim = wanted / (1 + wanted);
    double growth = fmin(SPARE * half * half / (aim * aim), MOST_GROWTH);
    return (uint64_t)fmin(ceil((double)runs * growth), SPLITTING_MAX_REPETITIONS);
}

bool splitting_is_over(Splitting *splitting, const SplittingPlan *plan) {
    if (plan->repetitions)
        return splitting->runs >= plan->repetitions;
    if (splitting->runs < SPLITTING_LEAST_REPETITIONS)
        return false;
    if (splitting->extinct == splitting->runs || (plan->budget && splitting->pieces >= plan->budget)) {
        splitting->precise = splitting_precision(splitting) <= plan->precision;
        return true;
    }
    if (splitting->runs < splitting->wanted)
        return false;
    double precision = splitting_precision(splitting);
    splitting->precise = precision <= plan->precision;
    if (!splitting->precise)
        splitting->wanted = splitting_next_stage(splitting->runs, precision, plan->precision);
    return splitting->precise;
}
