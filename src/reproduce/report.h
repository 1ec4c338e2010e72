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
    const Definition *of;
    const DefinitionRow *row;
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
    int count;
    ReportRow *row; // of all definitions, in their order
    int rows;
    Publication *list[REPORT_MAX];
    int lists;
} Report;

// Cells of tables: "[NAME](page#anchor): row", and text with what would end the cell made harmless.
void report_name(const Report *report, const ReportRow *known);
void report_cell(FILE *f, const char *text);

// Published value, ours, verdict: three cells and a bar.
void report_values(const Report *report, const ReportRow *known);

// Finds the row that a list or a "same" names, "NAME: row".
// -> home  the definition for names without "NAME: "; NULL: none
// <- NULL: there is no such row
const ReportRow *report_row(const Report *report, const Definition *home, const char *name);

// The name by which links find a heading; the file of a paper's page.
void report_anchor(FILE *f, const char *name);
void report_page(const Report *report, const char *paper, char out[REPORT_PATH]);

// All definitions: below the rest, or on pages of their own, with a list of them.
bool report_details(Report *report, Error *error);

// The sections that sum up what was published.
bool report_summary(const Report *report, Error *error);

#endif
