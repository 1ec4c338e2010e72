// SPDX-License-Identifier: GPL-3.0-or-later
// Learning runs of several folders over each other: of each folder the median of its runs as a line, and
// between their quartiles a band.
//
// Panels have names. Most have one line for each folder; those of vectors (the weights) are one panel for
// each folder. `runtime` is the plot of COCO and IOHanalyzer: for every budget the share of all pairs of a
// run and a target that were reached with it, a target being a number of lines, and reached when a score of
// the run was at least that. Scores are noisy, and the largest of many is too large: it says how a method
// moves, not what it reaches.
#ifndef TETRALAB_PLOT_OVERLAY_H
#define TETRALAB_PLOT_OVERLAY_H

#include "plot/runs.h"

typedef struct OverlayFolder {
    const LearningHistory *history;
    const char *label;
} OverlayFolder;

enum { OVERLAY_MAX_FOLDERS = 16 };

typedef struct OverlayPlan {
    const OverlayFolder *folder;
    int folders;
    const char *panels; // "score,sigma"; "all": those for which there are numbers, as far as a
                        //   picture has room: PLOT_MAX_PANELS
    bool may_miss;      // panels without numbers are left out; else they are an error
    int axis;           // a RunAxis; -1: generations, with `runtime` evaluations
    bool log_x;
    const double *target; // lines, ascending; NULL: RUNTIME_TARGETS from 1, or less, to the largest score
    int targets;
    int width, height; // 0: as it fits
} OverlayPlan;

extern const char *const overlay_panels[]; // their names, up to NULL
bool overlay_check_panels(const char *list, Error *error);

// -> plot  plot_free it, also after an error. A panel that was asked for by name and has nothing to show is
//          an error
bool overlay_make(Plot *plot, const OverlayPlan *plan, Error *error);

// The picture that `learn` makes of its runs: the panels of Boumaza's figures 4 to 6.
bool overlay_learned(Plot *plot, const LearningHistory *history, Error *error);

#endif
