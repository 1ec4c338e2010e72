// SPDX-License-Identifier: GPL-3.0-or-later
// Runs definitions and reports what came out: what `tetralab reproduce` does.
#ifndef TETRALAB_REPRODUCE_REPRODUCE_H
#define TETRALAB_REPRODUCE_REPRODUCE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "reproduce/command.h"
#include "reproduce/definition.h"

typedef struct ReproducePlan {
    const Definition *definition; // its plot found right by drawing_check
    const char *scale, *out;      // out: the folder for the results
    CommandRunner *runner;
    CommandSettings *settings;
    FILE *table; // for people
} ReproducePlan;

// Runs the rows that have no result yet and prints each into the table when it is there; then draws the plot.
// Ctrl-C ends it after the command under way, which is an error too.
bool reproduce_run(const ReproducePlan *plan, Error *error);

// Prints the results in `folder` of all built-in definitions as Markdown: RESULTS.md.
// -> complain  told about each file with damaged lines
bool reproduce_report(const char *folder, FILE *report, CommandSettings *settings,
                      void (*complain)(const char *sentence), Error *error);

#endif
