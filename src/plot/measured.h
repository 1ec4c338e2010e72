// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of measurements. plot_free what they fill in, also after an error.
#ifndef TETRALAB_PLOT_MEASURED_H
#define TETRALAB_PLOT_MEASURED_H

#include <stdint.h>

#include "game/rules.h"
#include "measure/heights.h"
#include "measure/interval.h"
#include "plot/plot.h"

// What stands above a plot.
typedef struct MeasuredTitle {
    const char *player; // NULL: several
    const Rules *rules; // NULL: of a comparison, they differ
    uint64_t seed;      //   and so do the seeds
} MeasuredTitle;

// How many games of whole-game scores ended with how many lines, and the exponential curve of their mean
// (Amundsen, fig. 2.5). Games that were stopped before they ended are counted in the subtitle only.
bool measured_scores(Plot *plot, const MeasuredTitle *title, const Score *score, uint64_t games,
                     Error *error);

// How often the pile was how high, on a log axis, with the line fitted by heights_fit and its extrapolation
// to the first height that ends a game (Amundsen, fig. 2.8).
// -> at_height  moves after which the pile was so high, HEIGHTS_SIZE numbers (Heights, SplittingPilot)
bool measured_heights(Plot *plot, const MeasuredTitle *title, const uint64_t *at_height, Error *error);

// One line of a comparison.
typedef struct MeasuredPlayer {
    const char *name;
    double mean;        // lines; INFINITY: not one loss was seen
    Interval interval;  // 95 %; high may be INFINITY
    Interval published; // means that others have published, from ... to; not above 0: none
} MeasuredPlayer;

enum { MEASURED_MAX_PLAYERS = 100 }; // INTERVALS_MAX_ROWS

// Mean lines of players with their intervals on a log axis, published values beside them.
bool measured_comparison(Plot *plot, const MeasuredTitle *title, const MeasuredPlayer *player, int count,
                         Error *error);

#endif
