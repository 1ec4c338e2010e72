// SPDX-License-Identifier: GPL-3.0-or-later
// The options of tetralab learn: most of them are the fields of the plan and of its parts, described where
// these are.
#ifndef TETRALAB_APP_LEARN_OPTIONS_H
#define TETRALAB_APP_LEARN_OPTIONS_H

#include "app/app.h"
#include "learn/learning.h"

typedef struct LearnOptions {
    AppOptions app;
    const char *out, *resume, *repeat, *start;
    LearningPlan plan; // owned
} LearnOptions;

// The tables, for Command.more.
int learn_options_sets(void *options, OptionSet *sets);

// Completes the plan: what belongs to its method, and what is not given. Not for --resume and --repeat, which
// have theirs in a folder. The rules move from the options into the plan.
bool learn_options_plan(LearnOptions *options, const Arguments *arguments, Error *error);

// The same for Command.complete and Command.release.
bool learn_options_complete(void *options, const Arguments *arguments, OptionSet *set, Error *error);
void learn_options_release(void *options);

// Can these be given together?
bool learn_options_check(const LearnOptions *options, const Arguments *arguments, Error *error);

#endif
