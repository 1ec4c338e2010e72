// SPDX-License-Identifier: GPL-3.0-or-later
// Runs definitions and reports what came out: what `tetralab reproduce` does.
#ifndef TETRALAB_REPRODUCE_REPRODUCE_H
#define TETRALAB_REPRODUCE_REPRODUCE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "reproduce/command.h"
#include "reproduce/definition.h"
#include "reproduce/results.h"

// A row as it stands, for other programs.
typedef struct ReproducedRow {
    const Definition *definition;
    const DefinitionRow *row;
    const char *scale;    // NULL: it has not been run, and there is no result
    const Result *result; // fewer repetitions than wanted: it was interrupted
    int wanted;
    Verdict verdict;
} ReproducedRow;

// Told about one row after the other; what it points to lives only so long.
typedef struct ReproduceTeller {
    void (*tell)(void *context, const ReproducedRow *row); // NULL: nobody
    void *context;
} ReproduceTeller;

typedef struct ReproducePlan {
    const Definition *definition; // its plot found right by drawing_check
    const char *scale, *out;      // out: the folder for the results
    CommandRunner *runner;
    CommandSettings *settings;
    FILE *table;            // for people; NULL: none
    ReproduceTeller teller; // of each row that has a result
} ReproducePlan;

// Runs the rows that have no result yet and prints each into the table when it is there; then draws the plot.
// Ctrl-C ends it after the command under way, which is an error too.
bool reproduce_run(const ReproducePlan *plan, Error *error);

typedef struct ReportPlan {
    const char *folder; // of the results
    const char *pages;  // folder for a page of details for each paper; NULL: the details stand below the rest
    FILE *markdown;     // NULL: none
    CommandSettings *settings;
    void (*complain)(const char *sentence); // told about each file with damaged lines
    ReproduceTeller teller;                 // of every row
} ReportPlan;

// Prints the results of all definitions that come with the program as Markdown: RESULTS.md.
bool reproduce_report(const ReportPlan *plan, Error *error);

#endif
