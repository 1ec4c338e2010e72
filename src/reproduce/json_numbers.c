// SPDX-License-Identifier: GPL-3.0-or-later
#include "reproduce/json_numbers.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"

const char *const reduction_names[REDUCTIONS + 1] = {
    [REDUCE_NONE] = "none",     [REDUCE_MEAN] = "mean",
    [REDUCE_SUM] = "sum",       [REDUCE_MEDIAN] = "median",
    [REDUCE_MIN] = "min",       [REDUCE_MAX] = "max",
    [REDUCE_SPREAD] = "spread", [REDUCE_TREND] = "trend",
    [REDUCE_FALLS] = "falls",   [REDUCE_CORRELATION] = "correlation",
};

// A walk along a path.
typedef struct Walk {
    const char *path;
    Numbers *numbers;
    bool nulls;    // count as NAN
    json_t *texts; // NULL: numbers are wanted
    Error *error;
} Walk;

static bool add(Walk *walk, double value) {
    Numbers *numbers = walk->numbers;
    if (!list_room(&numbers->value, numbers->count, sizeof *numbers->value))
        return error_set(walk->error, "Out of memory for the numbers at \"%s\".", walk->path);
    numbers->value[numbers->count++] = value;
    return true;
}

static bool add_value(Walk *walk, const json_t *json) {
    if (walk->texts)
        return (json_is_string(json) && !json_array_append(walk->texts, (json_t *)json)) ||
               error_set(walk->error, "At \"%s\" there is no text.", walk->path);
    if (json_is_number(json))
        return add(walk, json_number_value(json));
    if (json_is_boolean(json))
        return add(walk, json_is_true(json));
    if (walk->nulls && json_is_null(json))
        return add(walk, NAN);
    return error_set(walk->error, "At \"%s\" there is no number.", walk->path);
}

static bool walk_on(Walk *walk, const json_t *json, const char *rest);

// "*"; "40-60%": what lies between these shares of the list's length; "0-31": from one place to another.
// <- is it one of these? Then the elements from `first` up to, but without `last`
static bool read_part(const char *step, size_t length, size_t size, size_t *first, size_t *last) {
    int from, to, read = 0;
    *first = 0, *last = size;
    if (length == 1 && *step == '*')
        return true;
    if (*step < '0' || *step > '9' || sscanf(step, "%6d-%6d%n", &from, &to, &read) != 2 || from > to)
        return false;
    bool shares = (size_t)read + 1 == length && step[read] == '%' && to <= 100;
    if (shares)
        *first = size * (size_t)from / 100, *last = size * (size_t)to / 100;
    else
        *first = (size_t)from, *last = (size_t)to < size ? (size_t)to + 1 : size;
    return shares || (size_t)read == length;
}

static bool walk_list(Walk *walk, const json_t *list, const char *step, size_t length, const char *rest) {
    size_t size = json_array_size(list), first, last;
    if (read_part(step, length, size, &first, &last)) {
        for (size_t i = first; i < last; i++)
            if (!walk_on(walk, json_array_get(list, i), rest))
                return false;
        return true;
    }
    char *end;
    long place = strtol(step, &end, 10);
    if (end != step + length)
        return error_set(walk->error,
                         "In \"%s\", \"%.*s\" is no place in a list: give a whole number, * or a part "
                         "such as 0-31 or 40-60%%.",
                         walk->path, (int)length, step);
    if (place < 0)
        place += (long)size;
    if (place < 0 || (size_t)place >= size)
        return error_set(walk->error, "In \"%s\", \"%.*s\" is beyond the end of a list of %zu.", walk->path,
                         (int)length, step, size);
    return walk_on(walk, json_array_get(list, (size_t)place), rest);
}

static bool walk_on(Walk *walk, const json_t *json, const char *rest) {
    if (!*rest) {
        if (!json_is_array(json))
            return add_value(walk, json);
        for (size_t i = 0; i < json_array_size(json); i++)
            if (!add_value(walk, json_array_get(json, i)))
                return false;
        return true;
    }
    size_t length = strcspn(rest, ".");
    const char *next = rest + length + (rest[length] == '.');
    if (json_is_array(json))
        return walk_list(walk, json, rest, length, next);
    const json_t *member = json_object_getn(json, rest, length);
    if (!member)
        return error_set(walk->error, "There is no \"%.*s\" where \"%s\" asks for it.", (int)length, rest,
                         walk->path);
    return walk_on(walk, member, next);
}

bool json_numbers(const json_t *json, const char *path, bool nulls, Numbers *numbers, Error *error) {
    *numbers = (Numbers){0};
    Walk walk = {path, numbers, nulls, NULL, error};
    if (walk_on(&walk, json, path) &&
        (numbers->count || error_set(error, "The list at \"%s\" is empty.", path)))
        return true;
    free(numbers->value);
    *numbers = (Numbers){0};
    return false;
}

bool json_texts(const json_t *json, const char *path, json_t *texts, Error *error) {
    Walk walk = {.path = path, .texts = texts, .error = error};
    return walk_on(&walk, json, path);
}

static double median(const Numbers *numbers) {
    double *sorted = malloc(numbers->count * sizeof *sorted);
    if (!sorted)
        return NAN;
    memcpy(sorted, numbers->value, numbers->count * sizeof *sorted);
    gsl_sort(sorted, 1, numbers->count);
    double result = gsl_stats_median_from_sorted_data(sorted, 1, numbers->count);
    free(sorted);
    return result;
}

static double falls(const Numbers *numbers) {
    size_t count = 0;
    for (size_t k = 1; k < numbers->count; k++)
        count += numbers->value[k] < numbers->value[k - 1];
    return (double)count / (double)(numbers->count - 1);
}

bool numbers_correlation(const Numbers *a, const Numbers *b, double *result, Error *error) {
    if (a->count != b->count || a->count < 3)
        return error_set(error,
                         "For a correlation there must be two lists of at least 3 numbers, equally long; "
                         "there are %zu and %zu.",
                         a->count, b->count);
    double ab = 0, aa = 0, bb = 0, n = (double)(a->count - 1);
    double mean_a = (a->value[a->count - 1] - a->value[0]) / n,
           mean_b = (b->value[b->count - 1] - b->value[0]) / n;
    for (size_t k = 1; k < a->count; k++) {
        double x = a->value[k] - a->value[k - 1] - mean_a, y = b->value[k] - b->value[k - 1] - mean_b;
        ab += x * y, aa += x * x, bb += y * y;
    }
    *result = ab / sqrt(aa * bb);
    return isfinite(*result) || error_set(error, "A list whose steps are all alike has no correlation.");
}

bool numbers_reduce(const Numbers *numbers, Reduction reduction, double *result, Error *error) {
    size_t count = numbers->count, fifth = count / 5;
    const double *value = numbers->value;
    size_t least = reduction == REDUCE_TREND                                 ? 5
                   : reduction == REDUCE_SPREAD || reduction == REDUCE_FALLS ? 2
                                                                             : 1;
    if (reduction == REDUCE_NONE && count != 1)
        return error_set(error, "There are %zu numbers instead of one: say how to reduce them.", count);
    if (count < least)
        return error_set(error, "For \"%s\" there must be at least %zu numbers; there are %zu.",
                         reduction_names[reduction], least, count);
    double mean = gsl_stats_mean(value, 1, count);
    *result = reduction == REDUCE_SUM      ? mean * (double)count
              : reduction == REDUCE_MEDIAN ? median(numbers)
              : reduction == REDUCE_MIN    ? gsl_stats_min(value, 1, count)
              : reduction == REDUCE_MAX    ? gsl_stats_max(value, 1, count)
              : reduction == REDUCE_SPREAD ? gsl_stats_sd(value, 1, count) / mean
              : reduction == REDUCE_FALLS  ? falls(numbers)
              : reduction == REDUCE_TREND
                  ? gsl_stats_mean(value + count - fifth, 1, fifth) / gsl_stats_mean(value, 1, fifth)
                  : mean;
    return isfinite(*result) ||
           error_set(error, "\"%s\" of these numbers is not finite.", reduction_names[reduction]);
}
