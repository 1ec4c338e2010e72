// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab measure` and `tetralab report` say about measurements: a line for people, JSON, CSV,
// Markdown.
#ifndef TETRALAB_APP_MEASURE_REPORT_H
#define TETRALAB_APP_MEASURE_REPORT_H

#include <stdio.h>

#include "app/table.h"
#include "base/progress.h"
#include "tasks/measure_row.h"

// "bcts  31.9 M lines ± 4.6 %  (30.5 M .. 33.5 M)  splitting, 24 repetitions, 167 M pieces, 15.2 s"
// -> names  width of the column for the names of strategies
void measure_report_line(FILE *out, const MeasureRow *row, int names);

// While it is measured. -> name  of what
void measure_report_progress(Progress *progress, const char *name, const Advance *advance);

// Markdown or CSV, of MeasureRow: rows of which nothing is known are left out, those that are not finished
// are marked.
TableMaker measure_report_table;

#endif
