// SPDX-License-Identifier: GPL-3.0-or-later
// The axes of a panel, for plot_script.c only.
#ifndef TETRALAB_PLOT_PLOT_AXES_H
#define TETRALAB_PLOT_PLOT_AXES_H

#include <stdio.h>

#include "plot/plot.h"

// The axes as they are drawn, margins included.
typedef struct PlotRanges {
    PlotRange x, y;
} PlotRanges;

// What is to be seen: the points, and what the axes are to show besides.
PlotRanges plot_find_ranges(const PlotPanel *panel);

// -> name  'x' or 'y'; -> room  its length, pixels: names that do not fit slant
void plot_write_axis(FILE *script, const PlotAxis *axis, char name, PlotRange range, double room);

// Do the names below an x axis of this length slant? How high are they then?
bool plot_names_slant(const PlotAxis *axis, double room);
double plot_names_height(const PlotAxis *axis);

#endif
