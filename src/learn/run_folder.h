// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a learning run:
//
//   run.json           the plan, the version of the program, the date: enough to repeat it exactly
//   journal.jsonl      its history: one line per generation of each run, appended by a single write
//   checkpoint-N.json  run N (from 1) after its newest generation, replaced as a whole
//   best.json          the player: a strategy, replaced after each generation
//   run-N.json         with several runs: the answer of run N as a strategy, likewise
//   curves.svg         drawn at the end and when interrupted (plot/overlay.h)
//   .lock              locked by the program that learns in the folder, for as long as it lives
//
// A killed program loses at most the generations under way. The checkpoint is written after the history's
// line, so the history may be one line ahead: going on removes such lines and damaged ones (the history as
// it was stays in journal.jsonl.before), and makes the players again. After a power failure the files may be
// a second behind.
#ifndef TETRALAB_LEARN_RUN_FOLDER_H
#define TETRALAB_LEARN_RUN_FOLDER_H

#include <stdbool.h>

#include "base/json_lines.h"
#include "learn/learning.h"
#include "learn/run_players.h"

typedef struct RunFolder {
    char path[RUN_PATH];
    int lock;           // -1: not open
    JsonLines *lines;   // owned; journal.jsonl, the history
    RunPlayers players; // what was learned so far
    // Of an existing one, when it was opened:
    json_t **state; // owned; of each run, for learning_run; NULL: none yet
    double spent;   // seconds
    uint64_t
        left_out;  // lines of the history that were damaged or of generations that are to be learned anew:
                   //   the file as it was is journal.jsonl.before
    double synced; // when a checkpoint was on the disk for sure, by clock_seconds
} RunFolder;

// A new one. Fails if there is a run in it already (the error says how to resume it), or if another
// program is at work in it. Makes the folder, but not its parents.
RunFolder *run_folder_new(const char *path, const LearningPlan *plan, const char *version, Error *error);
// An existing one, to resume it. <- plan: restored from run.json; free with learning_plan_free, also
// after an error. Fails if another program is at work in it.
RunFolder *run_folder_open(const char *path, LearningPlan *plan, Error *error);
// The plan alone, of a folder in which another program may be at work. Free with learning_plan_free, also
// after an error.
bool run_folder_plan(const char *path, LearningPlan *plan, Error *error);
// Writes the plan of an open folder anew: its limits may be other ones now.
bool run_folder_change(RunFolder *folder, const LearningPlan *plan, const char *version, Error *error);
void run_folder_close(RunFolder *folder);

// Appends to the history, then replaces the checkpoint, then best.json (the mean of the runs' answers so far;
// of their directions, if nothing else counts). After an error (a full disk) the folder can be opened again.
bool run_folder_generation(RunFolder *folder, const Generation *generation, const json_t *state,
                           Error *error);
// A run ended after its newest generation, as LearningEvents.ended says: replaces its checkpoint.
bool run_folder_ended(RunFolder *folder, const Generation *last, const json_t *state, Error *error);

// ---------------------------------------------------------------------------------------------------
// Reading the history

typedef struct LearningHistory {
    Generation *generation; // owned, with the arrays in it; ordered by run, then generation; NAN curve: none
    int count, runs, size;
    ObjectiveKind kind;
    char (*label)[64]; // owned; names of the vector's numbers
    int switches;      // the last so many of them switch features on and off
    bool directions;   // nothing but the direction of the vector counts
    char title[160];   // method, features, board: for plots
} LearningHistory;

// Of a folder, also while a program learns in it; damaged lines are left out. A folder without a generation
// is right.
// -> complain  may be NULL: told about each damaged line, "FILE:LINE: sentence"
// Free with learning_history_free, also after an error.
bool learning_history_read(LearningHistory *history, const char *path,
                           void (*complain)(void *context, const char *sentence), void *context,
                           Error *error);
// The same for a file of such lines alone. -> history  empty but for `runs` and `size`
bool learning_history_lines(LearningHistory *history, const char *path,
                            void (*complain)(void *context, const char *sentence), void *context,
                            Error *error);
void learning_history_free(LearningHistory *history);

// What the runs of a folder had learned after a generation, from its history; a run that ended before counts
// with its last answer. -> generation  0: the newest ones. Free with run_players_free, also after an error.
bool run_players_read(RunPlayers *players, const char *path, uint64_t generation,
                      void (*complain)(void *context, const char *sentence), void *context, Error *error);

#endif
