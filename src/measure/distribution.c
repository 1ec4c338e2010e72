// SPDX-License-Identifier: GPL-3.0-or-later
// The law of scores; distribution.h explains the statistics. The table of the Anderson-Darling statistic was
// made by simulation, from 200,000 samples of 200 exponential values. The test makes and prints it again when
// it is run with this effort:
//     TETRALAB_TEST_EFFORT=5000 build/tests/test_distribution
// Samples of 50 and of 1000 gave the same to 2 % (at p = 0.001, 4 %). Not here: tests of other laws than the
// exponential, and tests of censored scores.
#include "measure/distribution.h"

#include <math.h>
#include <stdlib.h>

#include "base/portable.h"
#include "base/random.h"
#include "measure/quantile.h"

enum { STREAM_RESAMPLING = 0, STREAM_FRACTIONS = 1 };

static int compare_values(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The scores as numbers, ascending; free() them.
static double *sorted_scores(const Score *score, uint64_t count, Error *error) {
    double *value = malloc(count * sizeof *value + 1);
    if (!value)
        return error_null(error, "Out of memory: cannot sort %llu scores.", (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++)
        value[i] = (double)score[i].lines;
    qsort(value, count, sizeof *value, compare_values);
    return value;
}

static double mean_of(const double *value, uint64_t count) {
    double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += value[i];
    return sum / (double)count;
}

static bool any_censored(const Score *score, uint64_t count) {
    for (uint64_t i = 0; i < count; i++)
        if (score[i].censored)
            return true;
    return false;
}

// ---------------------------------------------------------------------------------------------------
// Goodness of fit

static const struct {
    double p, anderson;
} POINTS[] = {{0.999, 0.1189}, {0.99, 0.1600}, {0.95, 0.2141},  {0.9, 0.2539},    {0.8, 0.3152},
              {0.7, 0.3722},   {0.6, 0.4307},  {0.5, 0.4964},   {0.4, 0.5730},    {0.3, 0.6712},
              {0.25, 0.7349},  {0.2, 0.8146},  {0.15, 0.9151},  {0.1, 1.0614},    {0.05, 1.3196},
              {0.025, 1.5824}, {0.01, 1.9517}, {0.005, 2.2345}, {0.0025, 2.5305}, {0.001, 2.9318},
              {0.0005, 3.2063}};
enum { TABLE = sizeof POINTS / sizeof *POINTS };

static double logit(double p) {
    return portable_log(p / (1 - p));
}

// Between two points of the table, the logit of p is nearly a straight line.
double distribution_anderson_p(double anderson) {
    if (!(anderson > POINTS[0].anderson))
        return POINTS[0].p;
    for (int i = 1; i < TABLE; i++)
        if (anderson <= POINTS[i].anderson) {
            double part = (anderson - POINTS[i - 1].anderson) / (POINTS[i].anderson - POINTS[i - 1].anderson);
            return 1 / (1 + portable_exp(-(1 - part) * logit(POINTS[i - 1].p) - part * logit(POINTS[i].p)));
        }
    return POINTS[TABLE - 1].p;
}

double distribution_anderson(const double *value, uint64_t count) {
    double mean = mean_of(value, count), n = (double)count, sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        double x = fmax(value[i] / mean, 1e-300); // of a 0, the logarithm is not finite
        double other = value[count - 1 - i] / mean;
        sum += (2 * (double)i + 1) * (portable_log(-portable_expm1(-x)) - other);
    }
    return (-n - sum / n) * (1 + 0.6 / n);
}

// Adds to each score its fraction (distribution.h); equal scores get theirs in any order, so sort again.
static void add_fractions(double *value, uint64_t count, double theta, uint64_t seed) {
    Random random = random_stream(seed, STREAM_FRACTIONS, RANDOM_BOOTSTRAP);
    double whole = -portable_expm1(-1 / theta);
    for (uint64_t i = 0; i < count; i++)
        value[i] += -theta * portable_log1p(-whole * random_unit(&random));
    qsort(value, count, sizeof *value, compare_values);
}

// Both functions jump at whole numbers only, so they differ most just before a score or just behind it.
static double largest_deviation(const double *value, uint64_t count, double theta) {
    double largest = 0, n = (double)count;
    for (uint64_t i = 0; i < count; i++) {
        bool first = i == 0 || value[i] != value[i - 1], last = i + 1 == count || value[i] != value[i + 1];
        if (first)
            largest = fmax(largest, fabs(-portable_expm1(-value[i] / theta) - (double)i / n));
        if (last)
            largest = fmax(largest, fabs(-portable_expm1(-(value[i] + 1) / theta) - (double)(i + 1) / n));
    }
    return largest;
}

static double spread_of(const double *value, uint64_t count, double mean) {
    double squares = 0;
    for (uint64_t i = 0; i < count; i++)
        squares += (value[i] - mean) * (value[i] - mean);
    return sqrt(squares / (double)(count - 1)) / mean;
}

bool distribution_fit(DistributionFit *fit, const Score *score, uint64_t count, uint64_t seed, Error *error) {
    *fit = (DistributionFit){.games = count,
                             .mean = NAN,
                             .spread = NAN,
                             .anderson = NAN,
                             .p_value = NAN,
                             .deviation = NAN,
                             .allowed = NAN};
    double *value = sorted_scores(score, count, error);
    if (!value)
        return false;
    if (count > 0)
        fit->mean = mean_of(value, count);
    fit->applies = count >= DISTRIBUTION_LEAST_GAMES && fit->mean > 0 && !any_censored(score, count);
    if (fit->applies) {
        double theta = 1 / portable_log1p(1 / fit->mean);
        fit->spread = spread_of(value, count, fit->mean);
        fit->deviation = largest_deviation(value, count, theta);
        fit->allowed = DISTRIBUTION_NEAR + 1.1 / sqrt((double)count);
        add_fractions(value, count, theta, seed);
        fit->anderson = distribution_anderson(value, count);
        fit->p_value = distribution_anderson_p(fit->anderson);
    }
    free(value);
    return true;
}

bool distribution_is_exponential(const DistributionFit *fit) {
    if (fit->games > 0 && fit->mean < DISTRIBUTION_LEAST_MEAN)
        return false;
    return !fit->applies || fit->deviation <= fit->allowed;
}

// ---------------------------------------------------------------------------------------------------
// Bootstrap

// <- the value that a share `part` of the sorted ones lies below
static double quantile(const double *sorted, int count, double part) {
    double place = part * (count - 1);
    int below = place <= 0 ? 0 : place >= count - 1 ? count - 2 : (int)place;
    double between = fmin(fmax(place - below, 0), 1);
    return sorted[below] * (1 - between) + sorted[below + 1] * between;
}

static void resample(double *means, const double *value, uint64_t count, uint64_t seed) {
    Random random = random_stream(seed, STREAM_RESAMPLING, RANDOM_BOOTSTRAP);
    for (int k = 0; k < DISTRIBUTION_RESAMPLES; k++) {
        double sum = 0;
        for (uint64_t i = 0; i < count; i++)
            sum += value[random_below(&random, (uint32_t)count)];
        means[k] = sum / (double)count;
    }
    qsort(means, DISTRIBUTION_RESAMPLES, sizeof *means, compare_values);
}

// The share of resamples below the mean, as a normal point: 0 without bias.
static double bias_point(const double *means, double mean) {
    double below = 0;
    for (int k = 0; k < DISTRIBUTION_RESAMPLES; k++)
        below += means[k] < mean ? 1 : means[k] == mean ? 0.5 : 0;
    double share = fmin(fmax(below, 0.5), DISTRIBUTION_RESAMPLES - 0.5) / DISTRIBUTION_RESAMPLES;
    return quantile_normal(share);
}

// For a mean, the acceleration is a sixth of its skewness.
static double acceleration(const double *value, uint64_t count, double mean) {
    double squares = 0, cubes = 0;
    for (uint64_t i = 0; i < count; i++) {
        double d = value[i] - mean;
        squares += d * d;
        cubes += d * d * d;
    }
    return squares > 0 ? cubes / (6 * squares * sqrt(squares)) : 0;
}

static double corrected_share(double bias, double a, double point) {
    double z = bias + point;
    return quantile_normal_share(bias + z / (1 - a * z));
}

bool distribution_bootstrap(Interval *interval, const Score *score, uint64_t count, uint64_t seed,
                            Error *error) {
    *interval = (Interval){NAN, NAN};
    if (count < 2 || any_censored(score, count))
        return true;
    double *value = sorted_scores(score, count, error);
    double *means = value ? malloc(DISTRIBUTION_RESAMPLES * sizeof *means) : NULL;
    if (value && !means)
        error_set(error, "Out of memory for %d means.", DISTRIBUTION_RESAMPLES);
    if (means) {
        double mean = mean_of(value, count);
        if (count > DISTRIBUTION_MAX_RESAMPLED) {
            *interval = interval_normal(count, mean, mean > 0 ? mean * spread_of(value, count, mean) : 0);
        } else {
            resample(means, value, count, seed);
            double bias = bias_point(means, mean), a = acceleration(value, count, mean);
            double z = quantile_normal(0.975);
            interval->low = quantile(means, DISTRIBUTION_RESAMPLES, corrected_share(bias, a, -z));
            interval->high = quantile(means, DISTRIBUTION_RESAMPLES, corrected_share(bias, a, z));
        }
    }
    bool good = means != NULL;
    free(means);
    free(value);
    return good;
}
