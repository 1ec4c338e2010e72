// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab measure` and `tetralab report` say about measurements: a line for people, JSON, CSV,
// Markdown.
#ifndef TETRALAB_APP_MEASURE_REPORT_H
#define TETRALAB_APP_MEASURE_REPORT_H

#include <stdio.h>

#include <jansson.h>

#include "app/table.h"
#include "base/progress.h"
#include "game/rules.h"
#include "lab/journal.h"
#include "lab/measurement.h"

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

// "bcts  31.9 M lines ± 4.6 %  (30.5 M .. 33.5 M)  splitting, 24 repetitions, 167 M pieces, 15.2 s"
// -> names  width of the column for the names of strategies
void measure_report_line(FILE *out, const MeasureRow *row, int names);

// While it is measured. -> name  of what
void measure_report_progress(Progress *progress, const char *name, const MeasureStatus *status);

// Markdown or CSV, of MeasureRow: rows of which nothing is known are left out, those that are not finished
// are marked.
TableMaker measure_report_table;

// Everything, with the raw scores or lambdas.
// -> wanted  precision that was asked for
json_t *measure_report_json(const MeasureRow *row, const Measurement *measurement, double wanted,
                            const char *kernel);

#endif
