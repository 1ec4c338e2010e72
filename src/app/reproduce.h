// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab reproduce` consists of: running a definition, and reporting what came out.
#ifndef TETRALAB_APP_REPRODUCE_H
#define TETRALAB_APP_REPRODUCE_H

#include <stdbool.h>

#include "base/error.h"
#include "reproduce/definition.h"

typedef struct ReproducePlan {
    const Definition *definition;
    const char *scale, *out;
    uint64_t jobs; // 0: one per core
} ReproducePlan;

// Runs the rows that have no result yet and prints each when it is there. Ctrl-C ends it after the command
// under way. <- exit code; the error says why it failed
int reproduce_run(const ReproducePlan *plan, Error *error);

// Prints the results in `out` of all definitions as Markdown.
bool reproduce_report(const char *out, Error *error);

// <- the text with the folder's path for {dir}; free() it. NULL: no memory
char *reproduce_fill(const char *text, const char *dir);

// A command line of this program in a process of its own, its table going nowhere.
// -> command  without "tetralab" and --json; {dir} in it is the folder, whose path may hold spaces
// -> output  the file for its JSON
// <- false: the error names the command
bool reproduce_command(const char *command, const char *dir, const char *output, uint64_t jobs, Error *error);

#endif
