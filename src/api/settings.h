// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of tasks inside the library: the words that were set become an option struct and Arguments, as
// if they had stood on a command line, so that the same tables and checks serve both.
#ifndef TETRALAB_API_SETTINGS_H
#define TETRALAB_API_SETTINGS_H

#include "api/api.h"
#include "base/options.h"
#include "measure/running.h"

enum { TASK_MAX_SETS = 16 };

// The options of a task are a struct that begins with a Running.
typedef struct Task {
    const char *name;
    size_t size;
    int (*sets)(void *options, OptionSet *sets); // the tables but for running_fields <- how many
    const char *without;                         // " kernel ": of running_fields it has not these
    size_t loose; // offset of the struct of tables without a base, which the task applies itself
    void (*presets)(void *options); // sets what has another default than on the command line; may be NULL
    const char *const *others; //   "out", "nothing is written", NULL: which, and what to say; may be NULL
} Task;

extern const Task task_measure, task_compare, task_versus, task_evaluate, task_learn, task_solve;

// Options and what they were made from; they borrow the texts of the settings.
typedef struct Asked {
    Arguments arguments;
    OptionSet sets[TASK_MAX_SETS];
} Asked;

// -> settings  NULL: all at their defaults
// <- options   set to the defaults and to what the settings say
// Free with asked_free, also after an error.
bool asked_read(Asked *asked, const tetralab_settings *settings, const Task *task, void *options,
                Error *error);
void asked_free(Asked *asked);

#endif
