// SPDX-License-Identifier: GPL-3.0-or-later
// Choosing and stopping of splitting; splitting_rules.h says the rules. Where their numbers come from is in
// docs/statistics.md; scripts/stopping-rule and scripts/splitting-choices try others.
#include "measure/splitting_rules.h"

#include <math.h>

#include "measure/quantile.h"

static const double TIME_IN_A = 0.7;   // share of the moves that should end in A
static const double SEEN_ABOVE = 0.01; // share of the moves that must end above it
static const double MAX_TRIALS = 1e6;
static const double RISK = 0.05; // of an interval that is the only one looked at: that it misses the truth
static const double FIRST_RISK = 0.04; // at the first of several looks
static const double LATER_RISK = 0.01; // at all others together
static const double SPARE = 1.2;       // times the repetitions that the interval asks for
static const double FRESH = 1.25;      // times the repetitions so far: so many at least in the next stage
static const double MAX_GROWTH = 4;    // from stage to stage

static double student(uint64_t count, double risk) {
    return quantile_student(1 - risk / 2, count - 1);
}

// Twice the distance of the square roots of a mean and its upper end, as a fraction: what sd/mean, Student's
// point and the number of repetitions make.
static double half_width(double precision) {
    return 2 * (sqrt(1 + precision) - 1);
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

// Squared sd/mean of the mean of lambdas whose interval has this precision at the first look.
static double wanted_variance(double precision) {
    double half = half_width(precision) / quantile_normal(1 - FIRST_RISK / 2);
    return half * half;
}

uint64_t splitting_trials(double noise, double precision) {
    double wanted = ceil(SPARE * noise / wanted_variance(precision) / SPLITTING_AIMED_REPETITIONS);
    return (uint64_t)fmin(fmax(wanted, SPLITTING_LEAST_TRIALS), MAX_TRIALS);
}

double splitting_risk(uint64_t looks) {
    return looks ? ldexp(LATER_RISK, -(int)fmin((double)looks, 64)) : FIRST_RISK;
}

// Symmetric in 1/sqrt(lambda), the square root of the lines. Where Student's own contains 0, so does this
// one.
static Interval rate_interval(double mean, double half) {
    double low = 1 / (1 + half / 2), high = 1 / (1 - half / 2);
    return (Interval){half < 1 ? mean * low * low : 0, half < 2 ? mean * high * high : INFINITY};
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
    double risk = splitting->risk > 0 ? splitting->risk : RISK;
    double half = n > 1 ? student(n, risk) * splitting->sd / mean / sqrt((double)n) : INFINITY;
    splitting->lambda_interval = rate_interval(mean, half);
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

void splitting_next_stage(Splitting *splitting, double wanted) {
    double precision = splitting_precision(splitting), runs = (double)splitting->runs;
    double half = isfinite(precision) ? half_width(precision) : 1, risk = splitting_risk(splitting->looks);
    half *= student(splitting->runs, risk) / student(splitting->runs, splitting->risk);
    double share = half / half_width(wanted), growth = fmax(SPARE * share * share, FRESH);
    splitting->risk = risk;
    splitting->may_end = share * share <= MAX_GROWTH;
    splitting->wanted = (uint64_t)fmin(ceil(runs * fmin(growth, MAX_GROWTH)), SPLITTING_MAX_REPETITIONS);
}

bool splitting_is_over(Splitting *splitting, const SplittingPlan *plan) {
    if (plan->repetitions)
        return splitting->runs >= plan->repetitions;
    if (splitting->runs < SPLITTING_LEAST_REPETITIONS)
        return false;
    bool precise = splitting_precision(splitting) <= plan->precision;
    if (splitting->extinct == splitting->runs || splitting->runs == SPLITTING_MAX_REPETITIONS ||
        (plan->budget && splitting->pieces >= plan->budget)) {
        splitting->precise = precise;
        return true;
    }
    if (splitting->runs < splitting->wanted)
        return false;
    splitting->precise = precise && splitting->may_end;
    splitting->looks += splitting->may_end;
    if (!splitting->precise)
        splitting_next_stage(splitting, plan->precision);
    return splitting->precise;
}
