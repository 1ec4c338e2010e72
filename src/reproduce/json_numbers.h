// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers out of JSON by their path, and lists of numbers made into one.
//
// A path is keys with dots between them: "mean_lines", "runs.0.evaluations". In a list a whole number is a
// place, from 0, or from the end if negative; * stands for all, 0-31 for a part, 40-60% for the part between
// shares of its length.
#ifndef TETRALAB_REPRODUCE_JSON_NUMBERS_H
#define TETRALAB_REPRODUCE_JSON_NUMBERS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct Numbers {
    double *value; // free() it
    size_t count;
} Numbers;

// <- every number at the path, in order; a list there counts as its elements. false: there is none, or
//    something else; the error says at which step of the path. Truth values count as 0 and 1.
// -> nulls  null counts as NAN: a number may be missing
bool json_numbers(const json_t *json, const char *path, bool nulls, Numbers *numbers, Error *error);

// The same for texts. <- texts: a list, to which they are added
bool json_texts(const json_t *json, const char *path, json_t *texts, Error *error);

typedef enum Reduction {
    REDUCE_NONE, // there must be one number
    REDUCE_MEAN,
    REDUCE_SUM,
    REDUCE_MEDIAN,
    REDUCE_MIN,
    REDUCE_MAX,
    REDUCE_SPREAD,      // standard deviation by mean
    REDUCE_TREND,       // mean of the last fifth by mean of the first
    REDUCE_FALLS,       // share of the steps from one number to the next at which it falls
    REDUCE_CORRELATION, // of two lists: numbers_correlation
    REDUCTIONS
} Reduction;
extern const char *const reduction_names[REDUCTIONS + 1]; // "none", "mean", ...; NULL at the end

// <- the number. false: too few numbers for it, or a division by 0.
bool numbers_reduce(const Numbers *numbers, Reduction reduction, double *result, Error *error);

// <- how far the steps of one list, from one number to the next, go with those of the other: -1 to 1
bool numbers_correlation(const Numbers *a, const Numbers *b, double *result, Error *error);

#endif
