// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers beside each other, one line of the picture for each, with their intervals: means of players,
// ratios, wins, speeds.
#ifndef TETRALAB_PLOT_INTERVALS_H
#define TETRALAB_PLOT_INTERVALS_H

#include "measure/interval.h"
#include "plot/plot.h"

enum { INTERVALS_MAX_ROWS = 100 };

// The second value and interval are those of another series, drawn a little below.
typedef struct IntervalsRow {
    const char *name;
    double value[2];      // INFINITY: nothing but a lower end is known. Of the second, NAN: there is none
    Interval interval[2]; // high may be INFINITY; NAN: none
} IntervalsRow;

typedef struct IntervalsPlan {
    const char *title, *subtitle;
    const char *label;     // of the axis
    const char *series[2]; // NULL: no legend; the second stands there if a row has it
    bool log;
    double rule;                                     // a vertical line; NAN: none
    const char *rule_text;                           // beside it
    const char *(*text)(double value, char out[24]); // the number above a point, text_count for instance
} IntervalsPlan;

// -> plot  plot_free it, also after an error. No number that the axis can show is an error
bool intervals_make(Plot *plot, const IntervalsPlan *plan, const IntervalsRow *row, int rows, Error *error);

#endif
