// SPDX-License-Identifier: GPL-3.0-or-later
// A definition that is being run: its folder and its commands. For run*.c only.
#ifndef TETRALAB_REPRODUCE_RUN_H
#define TETRALAB_REPRODUCE_RUN_H

#include "reproduce/comparison.h"
#include "reproduce/reproduce.h"
#include "reproduce/results.h"

enum { RUN_PATH = 4096 };

typedef struct Run {
    const ReproducePlan *plan;
    char dir[RUN_PATH], results[RUN_PATH];
    Comparison *comparison; // of each row
    int counts[VERDICTS], lock;
    Error *error;
} Run;

// "FOLDER/NAMEENDING"; path needs RUN_PATH bytes.
bool reproduction_path(char *path, Error *error, const char *folder, const char *name, const char *ending);

// Makes the folders, takes the lock and writes the definition's files.
bool reproduction_prepare(Run *run);

// Runs the commands of a row that have not been run before. -> i  the repetition, from 1
// <- what the value is to be taken from; NULL: failed, or interrupted (then there is no error)
json_t *reproduction_commands(const Run *run, const DefinitionRow *row, int i);

#endif
