// SPDX-License-Identifier: GPL-3.0-or-later
// Matches as a user asks for them: settings by name, and their result as JSON.
#ifndef TETRALAB_TASKS_VERSUS_H
#define TETRALAB_TASKS_VERSUS_H

#include <jansson.h>

#include "base/fields.h"
#include "game/rules.h"
#include "measure/matches.h"
#include "tasks/result.h"

typedef struct VersusSettings {
    uint64_t games, match, max_rounds; // match: 0: not given
    double move_time;
    MatchSequence sequence;
    const char *record; // file for one match; NULL: none
} VersusSettings;

extern const Fields versus_fields;

// Do they go together, and with so many players? -> shows  the caller has a use for `match` without `record`
bool versus_check(const VersusSettings *settings, int players, const Rules *rules, bool shows, Error *error);
// <- the plan, without stop, progress and context
MatchesPlan versus_plan(const VersusSettings *settings, const Player *const *player, int players,
                        uint64_t seed, int jobs);

typedef struct VersusReport {
    const MatchesPlan *plan;
    const Matches *matches; // at least one has ended
    const char *kernel, *version;
} VersusReport;

json_t *versus_json(const VersusReport *report);
extern const ResultMember versus_result[];

#endif
