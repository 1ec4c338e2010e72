// SPDX-License-Identifier: GPL-3.0-or-later
// What an optimiser did, in files that IOHanalyzer and iohinspector read (https://iohprofiler.github.io):
//
//   FOLDER/IOHprofiler_fID_NAME.json               the function, the algorithm, its runs
//   FOLDER/data_fID_NAME/IOHprofiler_fID_DIMn.dat  each run as a block of rows, one for each evaluation:
//       evaluations  number of the evaluation, 1, 2, ...
//       raw_y        the noisy score of its vector; larger is better
//       raw_y_best   the largest so far
//       samples      games or repetitions of splitting so far
//       pieces       pieces played for them so far
//
// The third column must be the best so far: older versions of IOHanalyzer take it by its place. What a
// recommendation is worth stands in the JSON, as attributes of its run: recommended_lines, with the ends of
// its 95 % interval, measured with seeds of their own; the rows have nothing but the scores that the
// optimiser saw. Both files are replaced as a whole, the rows first: there may be one block more than the
// JSON knows of, never fewer.
#ifndef TETRALAB_TASKS_IOH_LOG_H
#define TETRALAB_TASKS_IOH_LOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "learn/run_folder.h"

typedef struct IohRow {
    double score;
    uint64_t samples, pieces; // for this evaluation alone
} IohRow;

typedef struct IohRun {
    int instance;
    IohRow *row; // owned
    uint64_t rows;
    uint64_t best;           // number of the best evaluation
    double *best_vector;     // owned
    double lines, low, high; // the recommendation, measured; NAN: it was not
} IohRun;

typedef struct IohLog {
    int id;
    char name[76];
    char algorithm[80], info[200];
    int dimension;
    IohRun *run; // owned
    int runs;
} IohLog;

// What to do with a log that is there already.
typedef enum IohMode { IOH_NEW, IOH_REPLACE, IOH_APPEND } IohMode;

// Makes a log of so many runs without rows, with the instances 1, 2, ... Free it also after an error.
// -> instance  the name of a benchmark, or "": the name says what is optimised, and the id is 0
bool ioh_log_make(IohLog *log, const char *instance, const Objective *objective, const char *algorithm,
                  const char *info, int runs, Error *error);
void ioh_log_free(IohLog *log);

// -> vector  kept if it is the best so far
bool ioh_log_row(IohLog *log, int run, const IohRow *row, const double *vector, Error *error);

// From the history of a learning run. Histories of older versions have too little.
bool ioh_log_learned(IohLog *log, const LearningPlan *plan, const LearningHistory *history, Error *error);

// Can it be written there, as far as what is there tells? To be asked before the work.
bool ioh_log_check(const IohLog *log, const char *folder, IohMode mode, Error *error);
// Runs without rows are left out. Makes the folder, but not its parents. Programs that append at the same
// time wait for each other.
bool ioh_log_write(const IohLog *log, const char *folder, IohMode mode, Error *error);

#endif
