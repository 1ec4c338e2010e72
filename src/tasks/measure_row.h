// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a measurement, made now or read from a journal, as one row; and as JSON.
#ifndef TETRALAB_TASKS_MEASURE_ROW_H
#define TETRALAB_TASKS_MEASURE_ROW_H

#include <jansson.h>

#include "game/rules.h"
#include "tasks/journal.h"
#include "tasks/measurement.h"
#include "tasks/result.h"

typedef struct MeasureRow {
    const char *strategy;
    const Rules *rules;
    uint64_t seed;
    MeasureMethod method;
    double mean_lines, precision; // precision: the larger side of the interval, as a fraction
    Interval interval;
    uint64_t count; // games or repetitions
    uint64_t pieces;
    double seconds;
    bool finished, precise, interrupted;
    const char *note;
} MeasureRow;

MeasureRow measure_row(const char *strategy, const Rules *rules, uint64_t seed,
                       const Measurement *measurement);
// Without a result: what its repetitions or games say, those before the first one that is missing.
MeasureRow measure_row_of_entry(const JournalEntry *entry);

// Everything, with the raw scores or lambdas: what `tetralab measure --json` writes.
// -> wanted   precision that was asked for
// -> version  of the program or library
json_t *measure_json(const MeasureRow *row, const Measurement *measurement, double wanted, const char *kernel,
                     const char *version);
extern const ResultMember measure_result[];

#endif
