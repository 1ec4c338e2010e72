// SPDX-License-Identifier: GPL-3.0-or-later
// Results of reproductions: DIR/NAME.jsonl, a line for every row that was run. A result belongs to the
// commands that gave it and to the number that was taken from their output: when these change in a
// definition, its old lines are as if they were not there. Files of a definition are not compared.
#ifndef TETRALAB_REPRODUCE_RESULTS_H
#define TETRALAB_REPRODUCE_RESULTS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "reproduce/definition.h"

typedef struct Result {
    double value;
    Interval interval; // NAN: none; an end that is not known is infinite
    double low, high;  // of the repetitions; NAN: it was not repeated
    int repeats;
    double seconds;
} Result;

// All lines of a file. A file that is not there has none; lines that cannot be read are left out.
// -> skipped  how many these are
// <- a list; json_decref it. NULL: the error says why.
json_t *results_read(const char *path, int *skipped, Error *error);

// The commands of a row as they are kept: with the definition's name for {dir}, {i} as it is.
// <- a list of texts, NULL: no memory
json_t *results_commands(const Definition *definition, const char *scale, const DefinitionRow *row);

// <- the newest result of this row at this scale, if there is one; of a ratio, that of its rows
bool results_find(const json_t *lines, const Definition *definition, const char *scale,
                  const DefinitionRow *row, Result *result);

// The same, but what there is of it if that is not all: the most repetitions of a row that was interrupted,
// and a value whose interval was not asked for at the time. Two repetitions are the least.
bool results_reached(const json_t *lines, const Definition *definition, const char *scale,
                     const DefinitionRow *row, Result *result);

// <- how many repetitions the row should have; of a ratio, those of that one of its rows which lacks most.
// <-> result  as found above; of a ratio, its repetitions become those of that row
int results_wanted(const json_t *lines, const Definition *definition, const char *scale,
                   const DefinitionRow *row, Result *result);

// Appends a line and makes it durable.
bool results_append(const char *path, const Definition *definition, const char *scale,
                    const DefinitionRow *row, const Result *result, Error *error);

// "32.3 M (30.1 M .. 34.9 M)", "93.0 % (86.3 % .. 96.6 %)"; text needs RESULTS_TEXT bytes.
enum { RESULTS_TEXT = 160 };
const char *results_show(const Result *result, const char *unit, char *text);
const char *results_show_published(const PublishedValue *published, const char *unit, char *text);

#endif
