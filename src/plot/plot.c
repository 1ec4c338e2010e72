// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/utf8.h"

static const char *const colours[] = {PLOT_BLUE, PLOT_RED,  "#009E73",  "#CC79A7",
                                      "#E69F00", "#56B4E9", PLOT_BLACK, "#8C6D46"};
enum { COLOURS = sizeof colours / sizeof *colours, BUDGET = 2500 };

static void set_text(char *out, size_t size, const char *text) {
    utf8_clean(out, size, text, strlen(text));
}

// ---------------------------------------------------------------------------------------------------
// Series

void plot_add_point(PlotSeries *series, PlotPoint point) {
    series->lost = series->lost || !list_room(&series->point, series->count, sizeof point);
    if (!series->lost)
        series->point[series->count++] = point;
}

void plot_add_interval(PlotSeries *series, double x, double y, double low, double high) {
    plot_add_point(series, (PlotPoint){x, y, low, high, NAN, NAN});
}

void plot_add(PlotSeries *series, double x, double y) {
    plot_add_interval(series, x, y, y, y);
}

void plot_gap(PlotSeries *series) {
    plot_add(series, NAN, NAN);
}

PlotStyle plot_line_style(int k, double width) {
    return (PlotStyle){.mark = PLOT_LINE,
                       .colour = colours[k % COLOURS],
                       .width = width,
                       .dashed = k / COLOURS % PLOT_DASHES};
}

// ---------------------------------------------------------------------------------------------------
// Axes

bool plot_can_show(double value, bool log) {
    return log ? value > 1e-200 && value < 1e200 : fabs(value) < 1e200;
}

void plot_range_add(PlotRange *range, double value, bool log) {
    if (plot_can_show(value, log)) {
        range->low = fmin(range->low, value);
        range->high = fmax(range->high, value);
    }
}

void plot_label_axis(PlotAxis *axis, const char *label) {
    set_text(axis->label, sizeof axis->label, label);
}

static void add_text(PlotTexts *texts, double x, double y, const char *text) {
    texts->lost = texts->lost || !list_room(&texts->text, texts->count, sizeof *texts->text);
    if (!texts->lost) {
        PlotText *added = &texts->text[texts->count++];
        added->x = x, added->y = y;
        set_text(added->text, sizeof added->text, text);
    }
}

void plot_name(PlotAxis *axis, double at, const char *name) {
    add_text(&axis->names, at, at, name);
}

// ---------------------------------------------------------------------------------------------------
// Panels and plots

void plot_begin(Plot *plot, int width, int height) {
    *plot = (Plot){.width = width, .height = height, .columns = 1, .budget = BUDGET};
}

void plot_title(Plot *plot, const char *title, const char *subtitle) {
    set_text(plot->title, sizeof plot->title, title);
    set_text(plot->subtitle, sizeof plot->subtitle, subtitle);
}

PlotPanel *plot_panel(Plot *plot, const char *title) {
    PlotPanel *panel = plot->panels < PLOT_MAX_PANELS ? calloc(1, sizeof *panel) : NULL;
    if (!panel) {
        plot->lost = true;
        return &plot->spare;
    }
    set_text(panel->title, sizeof panel->title, title);
    panel->x.range = panel->y.range = PLOT_RANGE_EMPTY;
    panel->rule = NAN;
    panel->bar = 1;
    return plot->panel[plot->panels++] = panel;
}

PlotSeries *plot_series(PlotPanel *panel, PlotStyle style, const char *title) {
    bool full = panel->count == PLOT_MAX_SERIES;
    PlotSeries *series = full ? NULL : calloc(1, sizeof *series);
    if (!series) {
        panel->lost = panel->lost || !full;
        return &panel->spare;
    }
    series->style = style;
    set_text(series->title, sizeof series->title, title);
    return panel->series[panel->count++] = series;
}

void plot_note(PlotPanel *panel, double x, double y, const char *text) {
    add_text(&panel->notes, x, y, text);
}

void plot_rule(PlotPanel *panel, double x, const char *text) {
    panel->rule = x;
    set_text(panel->rule_text, sizeof panel->rule_text, text);
}

bool plot_panel_shows(const PlotPanel *panel) {
    for (int k = 0; k < panel->count; k++)
        for (size_t i = 0; i < panel->series[k]->count; i++)
            if (plot_can_show(panel->series[k]->point[i].x, panel->x.log) &&
                plot_can_show(panel->series[k]->point[i].y, panel->y.log))
                return true;
    return false;
}

static void clear_panel(PlotPanel *panel) {
    for (int k = 0; k < panel->count; k++) {
        free(panel->series[k]->point);
        free(panel->series[k]);
    }
    free(panel->spare.point);
    free(panel->x.names.text);
    free(panel->y.names.text);
    free(panel->notes.text);
}

static void drop_last(Plot *plot) {
    clear_panel(plot->panel[--plot->panels]);
    free(plot->panel[plot->panels]);
}

void plot_drop_panel(Plot *plot) {
    if (!plot->lost) // else that was the spare one
        drop_last(plot);
}

void plot_free(Plot *plot) {
    while (plot->panels)
        drop_last(plot);
    clear_panel(&plot->spare);
}

// ---------------------------------------------------------------------------------------------------
// For those who fill in plots

const char *plot_number(double value, int digits, char out[32]) {
    static const char *const unit[] = {"", " k", " M", " G", " T", " P"};
    int k = 0;
    while (fabs(value) >= 999.5 && k < 5) {
        value /= 1000;
        k++;
    }
    snprintf(out, 32, "%.*g%s", digits, value, unit[k]);
    return out;
}

double plot_round_up(double value) {
    double power = pow(10, floor(log10(value)));
    return value <= power       ? power
           : value <= 2 * power ? 2 * power
           : value <= 5 * power ? 5 * power
                                : 10 * power;
}

size_t plot_pick(size_t k, size_t drawn, size_t count) {
    return drawn < 2 ? count - 1 : (size_t)((double)k * (double)(count - 1) / (double)(drawn - 1));
}
