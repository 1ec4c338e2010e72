// SPDX-License-Identifier: GPL-3.0-or-later
#include "reproduce/values.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

#include "base/progress.h"
#include "base/random.h"

enum { RESAMPLES = 2000 };

// The numbers of a row and what they are divided by, if anything.
typedef struct Taken {
    Numbers number, divisor, other; // other: of a correlation
    Reduction reduction;
} Taken;

static bool reduce(const Taken *taken, double *value, Error *error) {
    double divisor = 1;
    if (taken->reduction == REDUCE_CORRELATION)
        return numbers_correlation(&taken->number, &taken->other, value, error);
    if (!numbers_reduce(&taken->number, taken->reduction, value, error) ||
        (taken->divisor.count && !numbers_reduce(&taken->divisor, taken->reduction, &divisor, error)))
        return false;
    if (divisor == 0)
        return error_set(error, "The value would be divided by 0.");
    *value /= divisor;
    return true;
}

// One resample into `drawn`, which has the room.
static void draw(Random *random, const Taken *taken, Taken *drawn) {
    size_t count = taken->number.count;
    bool paired = taken->divisor.count == count;
    for (size_t k = 0; k < count; k++) {
        size_t at = (size_t)random_below(random, (uint32_t)count);
        drawn->number.value[k] = taken->number.value[at];
        if (paired)
            drawn->divisor.value[k] = taken->divisor.value[at];
    }
}

// A resample that gives no number (a spread around 0) does not count.
static bool bootstrap(const Taken *taken, Interval *interval, Error *error) {
    size_t count = taken->number.count, made = 0;
    double *sample = malloc((RESAMPLES + 2 * count) * sizeof *sample);
    if (!sample)
        return error_set(error, "Out of memory for the interval.");
    Taken drawn = *taken;
    drawn.number.value = sample + RESAMPLES;
    if (taken->divisor.count == count)
        drawn.divisor.value = sample + RESAMPLES + count;
    Random random = random_stream(1, 0, RANDOM_BOOTSTRAP);
    for (int i = 0; count > 1 && i < RESAMPLES; i++) {
        Error ignored;
        draw(&random, taken, &drawn);
        made += reduce(&drawn, &sample[made], &ignored);
    }
    if (made > RESAMPLES / 2) {
        gsl_sort(sample, 1, made);
        *interval = (Interval){gsl_stats_quantile_from_sorted_data(sample, 1, made, 0.025),
                               gsl_stats_quantile_from_sorted_data(sample, 1, made, 0.975)};
    }
    free(sample);
    return true;
}

// The mean with Student's interval; of logarithms, if the numbers are to have a geometric one.
static void sum_up(const double *value, size_t count, bool logarithms, Result *result) {
    double number[DEFINITION_MAX_REPEATS] = {0};
    for (size_t k = 0; k < count; k++)
        number[k] = logarithms ? log(value[k]) : value[k];
    double mean = gsl_stats_mean(number, 1, count);
    double half =
        gsl_cdf_tdist_Pinv(0.975, (double)count - 1) * gsl_stats_sd(number, 1, count) / sqrt((double)count);
    result->value = logarithms ? exp(mean) : mean;
    result->interval =
        logarithms ? (Interval){exp(mean - half), exp(mean + half)} : (Interval){mean - half, mean + half};
    gsl_stats_minmax(&result->low, &result->high, value, 1, count);
}

bool values_together(const DefinitionRow *row, const double *value, int count, Interval interval,
                     Result *result, Error *error) {
    const Taken taken = {.number = {(double *)value, (size_t)count}, .reduction = REDUCE_SPREAD};
    bool geometric = row->together == TOGETHER_GEOMETRIC;
    *result = (Result){
        .value = value[0], .interval = interval, .low = NAN, .high = NAN, .repeats = count, .seconds = 0};
    if (row->together == TOGETHER_SPREAD) {
        result->interval = (Interval){NAN, NAN};
        if (count < 2)
            return progress_interrupted ? false
                                        : error_set(error, "A spread needs at least two repetitions.");
        return reduce(&taken, &result->value, error) && bootstrap(&taken, &result->interval, error);
    }
    for (int k = 0; geometric && k < count; k++)
        if (!(value[k] > 0))
            return error_set(error, "A geometric mean needs numbers above 0; repetition %d gave %g.", k + 1,
                             value[k]);
    if (count > 1)
        sum_up(value, (size_t)count, geometric, result);
    return true;
}

// An end that is null is not known; neither is an interval that is null.
static bool take_interval(const json_t *json, const char *path, Interval *interval, Error *error) {
    Numbers numbers;
    if (!json_numbers(json, path, true, &numbers, error))
        return false;
    const double *end = numbers.value;
    bool none = numbers.count == 1 && isnan(end[0]);
    if (numbers.count == 2)
        *interval = (Interval){isnan(end[0]) ? -INFINITY : end[0], isnan(end[1]) ? INFINITY : end[1]};
    bool good = none || numbers.count == 2 || error_set(error, "At \"%s\" there are not two numbers.", path);
    free(numbers.value);
    return good;
}

bool value_take(const DefinitionRow *row, const json_t *json, double *value, Interval *interval,
                Error *error) {
    Taken taken = {.reduction = row->reduce};
    *interval = (Interval){NAN, NAN};
    bool good = json_numbers(json, row->value, false, &taken.number, error) &&
                (!row->divide || json_numbers(json, row->divide, false, &taken.divisor, error)) &&
                (!row->with || json_numbers(json, row->with, false, &taken.other, error)) &&
                reduce(&taken, value, error);
    if (good && row->bootstrap)
        good = bootstrap(&taken, interval, error);
    else if (good && row->interval)
        good = take_interval(json, row->interval, interval, error);
    free(taken.number.value);
    free(taken.divisor.value);
    free(taken.other.value);
    return good;
}
