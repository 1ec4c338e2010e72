// SPDX-License-Identifier: GPL-3.0-or-later
// Solving a small board as a user asks for it: the optimum, its strategy and table as files if wanted, games
// that check it.
#ifndef TETRALAB_TASKS_SOLVE_H
#define TETRALAB_TASKS_SOLVE_H

#include <jansson.h>

#include "base/fields.h"
#include "exact/solving.h"
#include "game/rules.h"
#include "measure/interval.h"
#include "measure/playing.h"
#include "tasks/result.h"

typedef struct SolveSettings {
    const char *out; // the beginning of the files' names; NULL: none
    bool resume;     // from the checkpoint
    uint64_t games;  // to check it with; 0: none
} SolveSettings;

extern const Fields solve_fields;

enum { SOLVE_PATH = 1024 };

typedef struct SolveJob {
    // To be filled in.
    const Rules *rules;
    const SolveSettings *settings;
    uint64_t seed; // of the games
    Work work;     // unit: sweeps, then games
    // What comes out.
    char strategy[SOLVE_PATH], table[SOLVE_PATH], checkpoint[SOLVE_PATH]; // files; empty without `out`
    Solving solving;                                                      // owned
    bool checked;                                                         // by games:
    Summary summary;
    double deviation; // (played - exact) / standard error
} SolveJob;

// Can it be solved, and how are its files called?
bool solve_check(SolveJob *job, Error *error);
// Can the files be used, and is there memory? To be asked after solve_check, before hours of work.
bool solve_prepare(const SolveJob *job, Error *error);

// <- "12 MiB"
const char *solve_bytes(uint64_t bytes, char out[24]);

// Solves, and writes strategy and table, if it was not stopped. Free also after an error.
bool solve_run(SolveJob *job, Error *error);
// Plays the table as any strategy is played, if games are wanted. <- false also if what it plays is not what
// was computed, and if it was stopped
bool solve_verify(SolveJob *job, Error *error);
void solve_free(SolveJob *job);

// <- what `tetralab solve --json` writes
json_t *solve_json(const SolveJob *job, const char *version);
extern const ResultMember solve_result[];

#endif
