// SPDX-License-Identifier: GPL-3.0-or-later
// Learning as a user asks for it. Most settings are the fields of the plan and of its parts, described where
// these are.
#ifndef TETRALAB_LEARN_LEARN_SETTINGS_H
#define TETRALAB_LEARN_LEARN_SETTINGS_H

#include "base/options.h"
#include "learn/learning.h"
#include "measure/running.h"

typedef struct LearnSettings {
    const char *out, *resume, *repeat; // folders; NULL: none
    const char *start;                 // NULL: as the method does it
    const char *mix;                   // strategies that are mixed; NULL: none
    bool scale;                        // the vector's numbers are scaled by their spread
    LearningPlan plan;                 // owned
} LearnSettings;

// The tables. The last ones, those of the methods, have no base: learn_settings_plan applies the one that
// counts. <- how many
int learn_settings_sets(LearnSettings *settings, OptionSet *sets);

// Can these be given together? -> also  "json": options of the caller that go with everything
bool learn_settings_check(const LearnSettings *settings, const Arguments *arguments, const char *also,
                          Error *error);

// Completes the plan: what belongs to its method, and what is not given. Not for `resume` and `repeat`, which
// have theirs in a folder. -> rules  move into the plan, and become the default ones
bool learn_settings_plan(LearnSettings *settings, Rules *rules, const Running *running,
                         const Arguments *arguments, Error *error);

#endif
