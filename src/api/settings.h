// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of tasks inside the library: the words that were set become an option struct and Arguments, as
// if they had stood on a command line, so that the same tables and checks serve both.
#ifndef TETRALAB_API_SETTINGS_H
#define TETRALAB_API_SETTINGS_H

#include "api/api.h"
#include "tasks/tasks.h"

// Options and what they were made from; they borrow the texts of the settings.
typedef struct Asked {
    Arguments arguments;
    OptionSet sets[TASK_MAX_SETS];
} Asked;

// -> settings  NULL: all at their defaults
// <- options   set to the defaults and to what the settings say
// Free with asked_free, also after an error.
bool asked_read(Asked *asked, const tetralab_settings *settings, const Task *task, TaskSettings *options,
                Error *error);
void asked_free(Asked *asked);

#endif
