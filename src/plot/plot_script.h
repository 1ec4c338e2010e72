// SPDX-License-Identifier: GPL-3.0-or-later
// What the plots of this program have in common: colours, title, axes. Colours are those of Okabe & Ito,
// which colour-blind readers can tell apart; beyond eight lines they come again with dashes.
#ifndef TETRALAB_PLOT_PLOT_SCRIPT_H
#define TETRALAB_PLOT_PLOT_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

#define PLOT_BLUE  "'#0072B2'"
#define PLOT_SKY   "'#9fcde8'"
#define PLOT_RED   "'#D55E00'"
#define PLOT_BLACK "'#222222'"
#define PLOT_GREY  "'#666666'"

const char *plot_colour(int line); // "#0072B2", ...
const char *plot_dashes(int line); // for dashtype

// A script that grows in memory.
typedef struct PlotScript {
    FILE *file;
    char *text;
    size_t length;
} PlotScript;

// -> width, height  in pixels
bool plot_script_open(PlotScript *script, const char *path, int width, int height, Error *error);
// Closes the script and draws it.
bool plot_script_draw(PlotScript *script, const char *path, Error *error);
void plot_script_drop(PlotScript *script); // instead, when there is nothing to draw after all

// Above the plot, both from its left edge.
void plot_title(FILE *script, const char *title, const char *subtitle);

// <- out: 1000 as "1 k", 0.01 as "0.01", with up to so many digits
const char *plot_number(double value, int digits, char out[32]);

// <- the smallest of 1, 2, 5, 10, 20, ... and 0.5, 0.2, 0.1, ... that is not below a positive number
double plot_round_up(double value);

// The name as a label on an axis, where gnuplot takes % for a format; long ones are cut.
void plot_tic_name(FILE *script, const char *name);

// What an axis has to show; begin with PLOT_RANGE_EMPTY.
typedef struct PlotRange {
    double low, high;
} PlotRange;
#define PLOT_RANGE_EMPTY ((PlotRange){INFINITY, -INFINITY})

// Numbers that cannot be shown do not count: with `log` those that are not positive, and without room for
// margins.
void plot_range_add(PlotRange *range, double value, bool log);

// Powers of ten, or only some if there are many; where they are far apart, also numbers between them.
// -> axis   'x' or 'y'; -> range  of positive numbers
void plot_log_axis(FILE *script, char axis, PlotRange range);

// Exactly this range, with three to eight round numbers.
void plot_linear_axis(FILE *script, char axis, PlotRange range);

#endif
