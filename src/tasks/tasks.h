// SPDX-License-Identifier: GPL-3.0-or-later
// What can be asked, a row each: a task has a name, settings, a number of players, a function that does it,
// and a result: one JSON object, whose members are described here. Help, docs and the interfaces read this
// table.
#ifndef TETRALAB_TASKS_TASKS_H
#define TETRALAB_TASKS_TASKS_H

#include <jansson.h>

#include "base/options.h"
#include "base/work.h"
#include "learn/learn_settings.h"
#include "learn/scoring.h"
#include "measure/running.h"
#include "tasks/comparing.h"
#include "tasks/measure_job.h"
#include "tasks/solve.h"
#include "tasks/versus.h"

// The settings of any task.
typedef struct TaskSettings {
    Running running;
    union {
        MeasureSettings measure;
        CompareSettings compare; // of compare and test
        VersusSettings versus;
        SolveSettings solve;
        ScoringSettings scoring;
        LearnSettings learn;
    };
} TaskSettings;

// Which task with what, and its result.
typedef struct TaskJob {
    // To be filled in.
    TaskSettings *settings;
    const Arguments *arguments;  // which they were made from
    const Player *const *player; // under the same rules
    int players;
    const Rules *rules;  // of the players; of a task without players, its own
    uint64_t max_pieces; // learn: at which a game stops; UINT64_MAX: never
    const char *kernel, *version;
    Work work;
    void (*begin)(void *context, int k); // compare: player k is going to be measured. May be NULL
    // What comes out.
    json_t *result; // owned by the caller
} TaskJob;

typedef struct Task {
    const char *name;
    const Fields *fields; // its settings, but for running_fields: those of the struct at TaskSettings.measure
    int (*sets)(TaskSettings *settings, OptionSet *sets); //   or NULL, and these are the tables. <- how many
    const char *without;                                  // " kernel ": options that are the program's alone
    // Has other defaults here than on the command line: sets them; which options these are and what to say of
    // them: "out", "nothing is written", NULL. May be NULL
    void (*presets)(TaskSettings *settings);
    const char *const *others;
    int least, most;                         // players
    bool (*run)(TaskJob *job, Error *error); // NULL: tetralab.h has functions for it
    const ResultMember *result;              // up to a name that is NULL; NULL without `run`
} Task;

extern const Task task_table[]; // up to a name that is NULL

const Task *task_find(const char *name, Error *error);

// <- how many tables, running_fields the last; those of learn's methods have no base: TASK_LOOSE is the
// offset
enum { TASK_MAX_SETS = 16, TASK_LOOSE = offsetof(TaskSettings, learn.plan.optimiser) };
int task_sets(const Task *task, TaskSettings *settings, OptionSet *sets);

// Does it. Settings that do not go together, or with the players, are refused.
bool task_run(const Task *task, TaskJob *job, Error *error);

// A table for docs: member, unit, meaning; one line per member.
void task_markdown(FILE *out, const Task *task);

#endif
