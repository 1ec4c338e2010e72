// SPDX-License-Identifier: GPL-3.0-or-later
// A plot as data: panels with two axes each, and series of points in them. Whoever has something to show
// fills one in, and plot_draw draws it (plot_script.c writes it for gnuplot).
//
// Texts may come from anywhere and are shown as they are; long ones are cut. Numbers may be anything: what an
// axis cannot show is left out. If memory runs out while a plot is filled in, plot_draw says so.
#ifndef TETRALAB_PLOT_PLOT_H
#define TETRALAB_PLOT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

// Colours of Okabe & Ito, which colour-blind readers can tell apart.
#define PLOT_BLUE  "#0072B2"
#define PLOT_SKY   "#9fcde8"
#define PLOT_RED   "#D55E00"
#define PLOT_BLACK "#222222"
#define PLOT_GREY  "#666666"

enum { PLOT_MAX_PANELS = 12, PLOT_MAX_SERIES = 120, PLOT_TEXT = 128, PLOT_DASHES = 8 };

// ---------------------------------------------------------------------------------------------------
// Series

typedef enum PlotMark {
    PLOT_LINE,
    PLOT_POINTS,
    PLOT_BARS,
    PLOT_STEPS,     // the outline of bars
    PLOT_INTERVALS, // points with low ... high along y
    PLOT_ACROSS,    // the same along x
    PLOT_BOXES,     // quartiles low ... high, whiskers least ... most, y the median
    PLOT_BAND       // low ... high along y, filled so that what is below shines through
} PlotMark;

typedef enum PlotSymbol { PLOT_SQUARE = 4, PLOT_DISC = 7, PLOT_DIAMOND = 12 } PlotSymbol; // of gnuplot

typedef struct PlotStyle {
    PlotMark mark;
    const char *colour;
    double width; // of lines
    int dashed;   // 0: solid; 1 ... PLOT_DASHES - 1: which dashes
    PlotSymbol symbol;
    double size; // of symbols
} PlotStyle;

typedef struct PlotPoint {
    double x, y;        // x NAN: a gap in a line
    double low, high;   // an end that is infinite is drawn to the edge
    double least, most; // of boxes
} PlotPoint;

typedef struct PlotSeries {
    PlotStyle style;
    char title[PLOT_TEXT]; // "": not in the legend
    PlotPoint *point;      // owned
    size_t count;
    bool lost; // there was no memory for a point
} PlotSeries;

void plot_add(PlotSeries *series, double x, double y);
void plot_add_interval(PlotSeries *series, double x, double y, double low, double high);
void plot_add_point(PlotSeries *series, PlotPoint point);
void plot_gap(PlotSeries *series);

// The style of line k = 0, 1, ...: beyond eight, colours come again with dashes, 64 styles in all.
PlotStyle plot_line_style(int k, double width);

// ---------------------------------------------------------------------------------------------------
// Axes

typedef struct PlotRange {
    double low, high;
} PlotRange;
#define PLOT_RANGE_EMPTY ((PlotRange){INFINITY, -INFINITY})

// Numbers that cannot be shown do not count: with `log` those that are not positive, and without room for
// margins.
void plot_range_add(PlotRange *range, double value, bool log);
bool plot_can_show(double value, bool log);

// A text somewhere: a name beside an axis, a note above a point.
typedef struct PlotText {
    double x, y; // of a name: both where it stands
    char text[72];
} PlotText;

typedef struct PlotTexts {
    PlotText *text; // owned
    size_t count;
    bool lost; // there was no memory for one
} PlotTexts;

typedef struct PlotAxis {
    char label[PLOT_TEXT];
    bool log;
    bool exact;      // without margins
    bool whole;      // shows whole numbers only
    PlotRange range; // what it shows besides the series
    PlotTexts names; // instead of numbers
} PlotAxis;

void plot_label_axis(PlotAxis *axis, const char *label);
void plot_name(PlotAxis *axis, double at, const char *name); // adds a name

// ---------------------------------------------------------------------------------------------------
// Panels and plots

typedef enum PlotLegend {
    PLOT_LEGEND_NONE,
    PLOT_LEGEND_TOP, // in the right corner
    PLOT_LEGEND_BOTTOM,
    PLOT_LEGEND_BOTTOM_LEFT,
    PLOT_LEGEND_ABOVE, // of a single panel, in the line of the subtitle
    PLOT_LEGEND_OVER,  // of one panel among others, below its title
    PLOT_LEGEND_BELOW,
    PLOT_LEGEND_ALL_PANELS // below all panels, for all of them
} PlotLegend;

typedef struct PlotPanel {
    char title[PLOT_TEXT]; // of one panel among others
    PlotAxis x, y;
    PlotLegend legend;
    const char *legend_name;             // before a legend below all panels; NULL: none
    PlotSeries *series[PLOT_MAX_SERIES]; // owned; the first ones are drawn first
    int count;
    PlotSeries spare; // takes what is not drawn
    double bar;       // width of bars and boxes
    double rule;      // where a vertical line stands; NAN: nowhere
    char rule_text[PLOT_TEXT];
    PlotTexts notes;
    bool lost;
} PlotPanel;

typedef struct Plot {
    char title[2 * PLOT_TEXT], subtitle[3 * PLOT_TEXT];
    int width, height; // pixels; legends below panels make a plot with several panels higher
    bool exact;        //   unless the height is this one
    bool laid_out;     // a single panel is placed as one among others
    int columns;       // panels beside each other
    int budget;        // points that the lines of a panel may have; they are thinned out to it
    PlotPanel *panel[PLOT_MAX_PANELS]; // owned
    int panels;
    PlotPanel spare; // when out of memory for another
    bool lost;
} Plot;

// An empty one of this size with a budget for files that are kept. plot_free it.
void plot_begin(Plot *plot, int width, int height);
void plot_free(Plot *plot);
void plot_title(Plot *plot, const char *title, const char *subtitle);

// Each adds one at the end. <- borrowed, valid until plot_free; series beyond PLOT_MAX_SERIES are not drawn
PlotPanel *plot_panel(Plot *plot, const char *title);
PlotSeries *plot_series(PlotPanel *panel, PlotStyle style, const char *title);
void plot_note(PlotPanel *panel, double x, double y, const char *text);
void plot_rule(PlotPanel *panel, double x, const char *text); // a vertical line

// Is there a point that these axes can show?
bool plot_panel_shows(const PlotPanel *panel);
// Removes the panel added last.
void plot_drop_panel(Plot *plot);

// -> path  .svg, .png, .pdf or .eps; gnuplot_check (plot/gnuplot.h) tells beforehand whether it can be
// written. Without
//          gnuplot the script is kept in PATH.gnuplot, and the error says so.
bool plot_draw(const Plot *plot, const char *path, Error *error);

// ---------------------------------------------------------------------------------------------------
// For those who fill in plots

// <- out: 1000 as "1 k", 0.01 as "0.01", with up to so many digits
const char *plot_number(double value, int digits, char out[32]);

// <- the smallest of 1, 2, 5, 10, 20, ... and 0.5, 0.2, 0.1, ... that is not below a positive number
double plot_round_up(double value);

// Thinning out. <- where number k of so many that are drawn stands in a list of `count`; the last one is
// always drawn, and with two or more the first
size_t plot_pick(size_t k, size_t drawn, size_t count);

#endif
