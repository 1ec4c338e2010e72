// SPDX-License-Identifier: GPL-3.0-or-later
// A learning from its settings to its result: in a folder, from which it can go on, or in memory alone.
#ifndef TETRALAB_LEARN_LEARN_SESSION_H
#define TETRALAB_LEARN_LEARN_SESSION_H

#include <jansson.h>

#include "learn/learn_settings.h"
#include "learn/run_folder.h"
#include "measure/crew.h"

typedef struct LearnSession {
    // To be filled in; may be NULL.
    void (*progress)(void *context, const LearningStatus *status);
    void (*generation)(void *context, const Generation *generation); // is complete, and kept
    void *context;
    // The rest is made.
    LearningPlan plan; // owned
    const char *path;  // of the folder; NULL: none. Not owned
    RunFolder *folder; // owned; NULL: none
    bool resumed;
    RunPlayers memory;     // owned; what was learned, without a folder
    LearningResult result; // owned
} LearnSession;

// Opens or makes the folder, if there is to be one. With `resume` and `repeat` the plan comes from a folder;
// a limit that the settings give then takes the place of all others. Else the plan of the settings, which is
// complete, moves into the session. Close also after an error.
// -> settings  their texts are borrowed until it is closed
bool learn_session_open(LearnSession *session, LearnSettings *settings, const char *version, Error *error);
// Learns. -> make  the crew; stop  when it becomes true, it ends with the generations that are complete
bool learn_session_run(LearnSession *session, const char *kernel, int jobs, CrewMaker *make,
                       const volatile bool *stop, Error *error);
void learn_session_close(LearnSession *session);

// <- what was learned so far, borrowed
const RunPlayers *learn_session_players(const LearnSession *session);
// <- of all runs together: generations, evaluations, full, at_limit
LearningRun learn_session_total(const LearnSession *session);
// <- what `tetralab learn --json` writes
json_t *learn_session_json(const LearnSession *session);
// Parts of it: the labels of the numbers of a vector; a player as a strategy file has it, of a run or, -1, of
// all
json_t *learn_labels_json(const Encoding *encoding);
json_t *learn_strategy_json(const RunPlayers *players, int run);
// <- a generation, with its vectors
json_t *learn_generation_json(const Generation *generation);

#endif
