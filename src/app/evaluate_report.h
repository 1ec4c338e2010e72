// SPDX-License-Identifier: GPL-3.0-or-later
// --csv and --plot of `tetralab evaluate`: the scores of vectors, in the order in which they were asked for.
#ifndef TETRALAB_APP_EVALUATE_REPORT_H
#define TETRALAB_APP_EVALUATE_REPORT_H

#include "app/outputs.h"
#include "tasks/ioh_log.h"

typedef struct EvaluateScores {
    const Objective *objective;
    const IohRow *row; // without samples: there is no score
    uint64_t count;
} EvaluateScores;

// Of one EvaluateScores.
TableMaker evaluate_table;
OutputPlotter evaluate_plot; // the score of each, and the largest so far

#endif
