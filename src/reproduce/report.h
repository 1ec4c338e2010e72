// SPDX-License-Identifier: GPL-3.0-or-later
// RESULTS.md in the making: what is known of every row. For report*.c only.
#ifndef TETRALAB_REPRODUCE_REPORT_H
#define TETRALAB_REPRODUCE_REPORT_H

#include <stdio.h>

#include "reproduce/comparison.h"
#include "reproduce/publications.h"
#include "reproduce/results.h"

enum { REPORT_MAX = 256, REPORT_PATH = 4096 };

// A row with the largest scale at which it has been run.
typedef struct ReportRow {
    const char *scale; // NULL: it has not been run
    bool full;         // that is the full scale, and all of it
    int wanted;        // repetitions
    Result result;
    Comparison comparison;
    json_t *settings; // what it measures (comparison_settings), if anything was published
    Verdict verdict;
} ReportRow;

typedef struct Report {
    const char *folder;
    const char *pages; // NULL: all on one page
    FILE *f;
    CommandSettings *settings;
    void (*complain)(const char *sentence);
    Definition *definition[REPORT_MAX];
    ReportRow *row[REPORT_MAX]; // of each definition, as many as it has
    int count;
    Publication *list[REPORT_MAX];
    int lists;
} Report;

// Cells of tables: "[NAME](page#anchor): row", and text with what would end the cell made harmless.
void report_name(const Report *report, int d, const DefinitionRow *row);
void report_cell(FILE *f, const char *text);

// Published value, ours, verdict: three cells and a bar.
void report_values(const Report *report, int d, const DefinitionRow *row);

// <- what is known of a row of definition d
const ReportRow *report_row(const Report *report, int d, const DefinitionRow *row);

// The name by which links find a heading; the file of a paper's page.
void report_anchor(FILE *f, const char *name);
void report_page(const Report *report, const char *paper, char out[REPORT_PATH]);

// All definitions: below the rest, or on pages of their own, with a list of them.
bool report_details(Report *report, Error *error);

// The sections that sum up what was published.
void report_summary(const Report *report);

#endif
