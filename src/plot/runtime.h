// SPDX-License-Identifier: GPL-3.0-or-later
// Runtimes as COCO and IOHanalyzer show them: which share of all pairs of a run and a target was reached, by
// what the run had spent. For overlay.c; it says what a target is.
#ifndef TETRALAB_PLOT_RUNTIME_H
#define TETRALAB_PLOT_RUNTIME_H

#include "plot/runs.h"

enum { RUNTIME_TARGETS = 51, RUNTIME_MAX_TARGETS = 1000 };

typedef struct Runtime {
    double target[RUNTIME_MAX_TARGETS]; // lines, ascending
    int targets;                        // 0: no run has made a line
    double best;                        // the largest score seen
} Runtime;

// -> target  NULL: runtime_see all histories, then runtime_choose
void runtime_begin(Runtime *runtime, const double *target, int targets);
void runtime_see(Runtime *runtime, const LearningHistory *history);
void runtime_choose(Runtime *runtime);

// Adds the line, in percent: from nothing spent to what the longest run of the history spent. A score counts
// from the moment at which its vector was scored, vectors being scored one after the other; in histories of
// older versions, and by seconds, at the end of its generation.
void runtime_add(const Runtime *runtime, PlotSeries *series, const LearningHistory *history, RunAxis axis);

#endif
