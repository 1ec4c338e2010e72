// SPDX-License-Identifier: GPL-3.0-or-later
// All panels have the same size. What needs more room than others, a legend or names that slant, is given it
// in the whole row.
#include "plot/plot_layout.h"

#include <math.h>
#include <string.h>

#include "plot/plot_axes.h"

enum {
    TITLES = 76,  // above all panels; pixels, as all of these
    TITLE = 48,   //   without a subtitle,
    NOTHING = 12, //   and without both
    HEAD = 36,    // for the title of a panel
    OVER = 44,    // for a legend of two lines below it
    FOOT = 74,    // for numbers and label of the x axis
    LEFT = 100,
    RIGHT = 20,
    BELOW = 14, // below a legend
    EDGE = 12,  // below everything
};
static const double LETTER = 7.8, SAMPLE = 52; // of legends

static PlotGrid grid_of(const PlotPanel *panel, double room) {
    size_t longest = 0;
    int named = 0;
    for (int k = 0; k < panel->count; k++) {
        size_t length = strlen(panel->series[k]->title);
        longest = length > longest ? length : longest;
        named += length > 0;
    }
    double width = SAMPLE + LETTER * (double)longest;
    int columns = (int)fmax(1, fmin(floor(room / width), named));
    int rows = (named + columns - 1) / columns;
    if (rows) // no column stays empty
        columns = (named + rows - 1) / rows;
    return (PlotGrid){columns, rows, width};
}

// Pixels that a panel needs above its axes, and below them for the x axis and the legend.
typedef struct Needs {
    double above, foot, legend;
} Needs;

static Needs needs_of(const PlotPanel *panel, const PlotGrid *legend, double width) {
    double names = plot_names_slant(&panel->x, width) ? plot_names_height(&panel->x) : 0;
    return (Needs){HEAD + (panel->legend == PLOT_LEGEND_OVER ? OVER : 0),
                   fmax(FOOT, 40 + names) + (*panel->x.label && names > 0 ? 20 : 0),
                   legend->rows ? PLOT_LEGEND_LINE * legend->rows + BELOW : 0};
}

static double name_of(const PlotPanel *panel) {
    return panel->legend_name ? PLOT_LEGEND_NAME : 0;
}

static int titles_of(const Plot *plot) {
    return *plot->subtitle ? TITLES : *plot->title ? TITLE : NOTHING;
}

void plot_lay_out(PlotLayout *layout, const Plot *plot) {
    const int titles = titles_of(plot);
    int rows = (plot->panels + plot->columns - 1) / plot->columns;
    double cell = (double)plot->width / plot->columns, axes = cell - LEFT - RIGHT, legends = 0, shared = 0;
    Needs need[PLOT_MAX_PANELS] = {{0}};
    *layout = (PlotLayout){.height = plot->height};
    for (int k = 0; k < plot->panels; k++) {
        const PlotPanel *panel = plot->panel[k];
        PlotPlace *place = &layout->place[k];
        bool below = panel->legend == PLOT_LEGEND_BELOW, all = panel->legend == PLOT_LEGEND_ALL_PANELS;
        if (below || all)
            place->legend = grid_of(panel, below ? cell - 56 : plot->width - 40 - name_of(panel));
        if (all)
            shared += place->legend.rows ? PLOT_LEGEND_LINE * place->legend.rows + 6 : 0;
        Needs own = needs_of(panel, below ? &place->legend : &(PlotGrid){0}, axes),
              *row = &need[k / plot->columns];
        *row = (Needs){fmax(row->above, own.above), fmax(row->foot, own.foot), fmax(row->legend, own.legend)};
    }
    for (int r = 0; r < rows; r++)
        legends += need[r].foot + need[r].legend - FOOT;
    if (!plot->exact)
        layout->height += (int)ceil(legends + shared);
    double height = layout->height, all = height - titles - EDGE - shared, y = height - titles;
    for (int r = 0; r < rows; r++)
        all -= need[r].above + need[r].foot + need[r].legend;
    for (int k = 0; k < plot->panels; k++) {
        int column = k % plot->columns;
        const Needs *row = &need[k / plot->columns];
        PlotPlace *place = &layout->place[k];
        double top = y - row->above, bottom = top - all / rows;
        place->left = (column * cell + LEFT) / plot->width;
        place->right = ((column + 1) * cell - RIGHT) / plot->width;
        place->top = top / height;
        place->bottom = bottom / height;
        place->title = (y - 18) / height;
        place->legend_left = (column * cell + 44) / plot->width;
        place->legend_top = (bottom - row->foot) / height;
        if (column == plot->columns - 1)
            y = bottom - row->foot - row->legend;
    }
    for (int k = 0; k < plot->panels; k++) { // those of all panels, one under the other
        PlotPlace *place = &layout->place[k];
        if (plot->panel[k]->legend != PLOT_LEGEND_ALL_PANELS || !place->legend.rows)
            continue;
        place->legend_left = (20 + name_of(plot->panel[k])) / plot->width;
        place->legend_top = (shared + EDGE - 8) / height;
        shared -= PLOT_LEGEND_LINE * place->legend.rows + 6;
    }
}

bool plot_layout_has_room(const PlotLayout *layout, const Plot *plot) {
    enum { LEAST = 48 };
    for (int k = 0; k < plot->panels; k++) {
        const PlotPlace *place = &layout->place[k];
        if ((place->top - place->bottom) * layout->height < LEAST ||
            (place->right - place->left) * plot->width < LEAST)
            return false;
    }
    return true;
}
