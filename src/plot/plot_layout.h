// SPDX-License-Identifier: GPL-3.0-or-later
// Where the panels of a plot stand, their titles and their legends. For plot_script.c only.
#ifndef TETRALAB_PLOT_PLOT_LAYOUT_H
#define TETRALAB_PLOT_PLOT_LAYOUT_H

#include "plot/plot.h"

// Names in rows and columns.
typedef struct PlotGrid {
    int columns, rows;
    double width; // of a column, pixels
} PlotGrid;

// In parts of the picture, 0 at its left and lower edge.
typedef struct PlotPlace {
    double left, right, top, bottom; // of the axes
    double title;                    // height of the panel's title
    PlotGrid legend;                 // below it, or below all panels; without rows: none
    double legend_left, legend_top;
} PlotPlace;

typedef struct PlotLayout {
    int height; // of the picture, pixels: that of the plot, and room for legends
    PlotPlace place[PLOT_MAX_PANELS];
} PlotLayout;

// Of several panels, or of one that is laid_out.
void plot_lay_out(PlotLayout *layout, const Plot *plot);

enum { PLOT_LEGEND_LINE = 20, PLOT_LEGEND_NAME = 76 }; // pixels

// <- false: the panels would be too small to show anything
bool plot_layout_has_room(const PlotLayout *layout, const Plot *plot);

#endif
