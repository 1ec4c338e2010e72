// SPDX-License-Identifier: GPL-3.0-or-later
// The number that a row takes from the output of its commands, with its interval.
#ifndef TETRALAB_REPRODUCE_VALUES_H
#define TETRALAB_REPRODUCE_VALUES_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "reproduce/results.h"

// <- interval: NAN: there is none; an end that is not known is infinite. That of a list over runs is the
//    bootstrap's: from 2.5 to 97.5 % of what as many runs give that are drawn from these with replacement
//    (a number that is divided by another list's is drawn with its divisor).
bool value_take(const DefinitionRow *row, const json_t *json, double *value, Interval *interval,
                Error *error);

// What the repetitions of a row become: their mean with Student's interval, the geometric one with that of
// the logarithms, or how far they differ, standard deviation by mean, with the bootstrap's interval.
// -> interval  of the number, if there is only one
// <- false: they have none; the error says why, unless they were interrupted
bool values_together(const DefinitionRow *row, const double *value, int count, Interval interval,
                     Result *result, Error *error);

#endif
