// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of measurements, as .svg or .png (plot/gnuplot.h). Each is asked for by its file name; gnuplot_check
// tells beforehand whether it can be written. Names of players come from anywhere and are shown as they are.
#ifndef TETRALAB_PLOT_PLOT_H
#define TETRALAB_PLOT_PLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "game/rules.h"
#include "measure/heights.h"
#include "measure/interval.h"

// What stands above a plot.
typedef struct PlotTitle {
    const char *player; // NULL: several
    const Rules *rules;
    uint64_t seed;
} PlotTitle;

// How many games of whole-game scores ended with how many lines, and the exponential curve of their mean
// (Amundsen, fig. 2.5). Games that were stopped before they ended are counted in the subtitle only.
bool plot_scores(const char *path, const PlotTitle *title, const Score *score, uint64_t games, Error *error);

// How often the pile was how high, on a log axis, with the line fitted by heights_fit and its extrapolation
// to the first height that ends a game (Amundsen, fig. 2.8).
// -> at_height  moves after which the pile was so high, HEIGHTS_SIZE numbers (Heights, SplittingPilot)
bool plot_heights(const char *path, const PlotTitle *title, const uint64_t *at_height, Error *error);

// One line of a comparison.
typedef struct PlotPlayer {
    const char *name;
    double mean;       // lines; INFINITY: not one loss was seen
    Interval interval; // 95 %; high may be INFINITY
} PlotPlayer;

enum { PLOT_MAX_PLAYERS = 100 };

// Mean lines of players with their intervals on a log axis, the published values of built-in players under
// these rules (plot/published.h) beside them.
bool plot_comparison(const char *path, const PlotTitle *title, const PlotPlayer *player, int count,
                     Error *error);

#endif
