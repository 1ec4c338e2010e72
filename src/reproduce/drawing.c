// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions; docs/reproducing.md says what each kind shows. Ours are filled symbols and lines,
// published values open symbols. Here: what all kinds have in common, and the kind "rows".
#include "reproduce/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/drawing_kinds.h"
#include "reproduce/results.h"

static const PlotStyle measured = {PLOT_INTERVALS, PLOT_BLUE, 2, false, PLOT_DISC, 1};
static const PlotStyle published = {PLOT_INTERVALS, PLOT_RED, 2, false, PLOT_DIAMOND, 1.4};
static const PlotStyle published_point = {PLOT_POINTS, PLOT_RED, 2, false, PLOT_DIAMOND, 1.4};
static const PlotStyle others = {PLOT_POINTS, PLOT_BLACK, 2, false, PLOT_SQUARE, 1.2};
static const PlotStyle joining = {.mark = PLOT_LINE, .colour = PLOT_SKY, .width = 1};

const char *drawing_name(const Drawing *d, size_t k) {
    return json_string_value(json_array_get(d->keys.names, k));
}

bool drawing_no_memory(const Drawing *d) {
    return error_set(d->error, "There is no memory for the plot of %s.", d->definition->name);
}

void drawing_labels(const Drawing *d, const char *x, const char *y) {
    plot_label_axis(&d->panel->x, d->keys.xlabel ? d->keys.xlabel : x);
    plot_label_axis(&d->panel->y, d->keys.ylabel ? d->keys.ylabel : y);
}

void drawing_names(const Drawing *d) {
    for (size_t k = 0; drawing_name(d, k); k++)
        plot_name(&d->panel->x, (double)k + 1, drawing_name(d, k));
}

bool drawing_wants(const Drawing *d, const DefinitionRow *row) {
    const json_t *rows = d->keys.rows;
    for (size_t k = 0; k < json_array_size(rows); k++)
        if (!strcmp(json_string_value(json_array_get(rows, k)), row->label))
            return true;
    return !rows;
}

// ---------------------------------------------------------------------------------------------------
// Rows

static int by_x(const void *a, const void *b) {
    const PlotPoint *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

// Points that stand above each other cannot be joined.
static void join(PlotSeries *line, PlotSeries *points) {
    if (points->count)
        qsort(points->point, points->count, sizeof *points->point, by_x);
    for (size_t k = 1; k < points->count; k++)
        if (points->point[k].x == points->point[k - 1].x)
            return;
    for (size_t k = 0; k < points->count; k++)
        plot_add(line, points->point[k].x, points->point[k].y);
}

static void add_value(PlotSeries *series, double x, double y, Interval interval, double unit) {
    bool has = !isnan(interval.low) && !isnan(interval.high);
    plot_add_interval(series, x, unit * y, unit * (has ? interval.low : y), unit * (has ? interval.high : y));
}

// Published values stand a little beside ours, so that both intervals can be seen.
static double beside(double x, PlotRange range, bool log) {
    double shift = 0.011, span = range.high > range.low ? range.high - range.low : 1;
    return log ? x * pow(range.high / range.low, shift) : x + shift * span;
}

static void add_rows(Drawing *d, PlotSeries *ours, const json_t *results) {
    const Definition *definition = d->definition;
    PlotRange range = PLOT_RANGE_EMPTY;
    for (int k = 0; k < definition->rows; k++)
        if (drawing_wants(d, &definition->row[k]))
            plot_range_add(&range, definition->row[k].x, d->panel->x.log);
    for (int k = 0; k < definition->rows; k++) {
        const DefinitionRow *row = &definition->row[k];
        Result result;
        if (isnan(row->x) || !drawing_wants(d, row))
            continue;
        d->unit = strcmp(row->unit, "%") ? 1 : 100;
        if (results_find(results, definition, d->scale, row, &result))
            add_value(ours, row->x, result.value, result.interval, d->unit);
        bool number = row->published.kind != PUBLISHED_NOT && row->published.kind != PUBLISHED_STATEMENT;
        if (number && !d->published)
            d->published = plot_series(d->panel, published, "published");
        if (number)
            add_value(d->published, beside(row->x, range, d->panel->x.log), row->published.value,
                      row->published.interval, d->unit);
    }
}

static bool draw_rows(Drawing *d) {
    int skipped;
    size_t names = json_array_size(d->keys.names);
    json_t *results = results_read(d->results, &skipped, d->error);
    if (!results)
        return false;
    PlotSeries *line = plot_series(d->panel, joining, "");
    PlotSeries *ours = plot_series(d->panel, measured, "measured");
    add_rows(d, ours, results);
    json_decref(results);
    if (!ours->count)
        return error_set(d->error, "%s: there is nothing to draw yet: no row with \"x\" has a result.",
                         d->definition->name);
    if (names) { // between names there is nothing
        drawing_names(d);
        plot_range_add(&d->panel->x.range, 0.5, d->panel->x.log);
        plot_range_add(&d->panel->x.range, (double)names + 0.5, d->panel->x.log);
    } else {
        join(line, ours);
    }
    snprintf(d->about, sizeof d->about, "bars are 95 %% intervals");
    drawing_labels(d, "", d->unit > 1 ? "%" : "lines");
    return true;
}

// ---------------------------------------------------------------------------------------------------
// All kinds

static const struct Kind {
    bool (*draw)(Drawing *d);
    const char *missing; // if there is nothing to draw
} kinds[] = {
    [DRAWING_ROWS] = {draw_rows, "no result can be shown on these axes"},
    [DRAWING_CURVES] = {drawing_curves, "no folder holds generations with this \"field\""},
    [DRAWING_RUNS] = {drawing_runs, "no folder holds generations with this \"field\""},
    [DRAWING_BOX] = {drawing_boxes, "the folder holds no generation with this \"field\""},
    [DRAWING_LIST] = {drawing_lists, "none of its rows has an output with this \"field\" that can be shown"},
    [DRAWING_HISTOGRAM] = {drawing_histograms, "none of its rows has an output with this \"field\""},
    [DRAWING_BOARDS] = {drawing_boards, "its \"file\" is not there, or has no board"},
    [DRAWING_GAME] = {drawing_game, "its \"file\" is not there, or has no move"},
};

// Published points that the definition gives.
static void add_points(Drawing *d) {
    const json_t *points = d->keys.points;
    PlotSeries *series = d->keys.called ? NULL : d->published;
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *pair = json_array_get(points, k);
        if (!series)
            series = plot_series(d->panel, d->keys.called ? others : published_point,
                                 d->keys.called ? d->keys.called : "published");
        plot_add(series, json_number_value(json_array_get(pair, 0)),
                 d->unit * json_number_value(json_array_get(pair, 1)));
    }
}

static void set_title(const Drawing *d, Plot *plot) {
    const Definition *definition = d->definition;
    char rest[300];
    snprintf(rest, sizeof rest, "%.80s, %.80s%s%s", definition->paper, definition->place,
             *d->about ? "; " : "", d->about);
    plot_title(plot, definition->title, rest);
}

static bool draw_panel(Drawing *d, Plot *plot) {
    d->panel = plot_panel(plot, d->keys.title ? d->keys.title : "");
    d->panel->legend = PLOT_LEGEND_BELOW;
    d->panel->x.log = d->keys.log == DRAWING_LOG_X || d->keys.log == DRAWING_LOG_XY;
    d->panel->y.log = d->keys.log == DRAWING_LOG_Y || d->keys.log == DRAWING_LOG_XY;
    if (!kinds[d->keys.kind].draw(d))
        return false;
    if (plot_panel_shows(d->panel))
        add_points(d);
    return true;
}

bool drawing_make(Plot *plot, const Definition *definition, const char *scale, const char *dir,
                  const char *results, Error *error) {
    Drawing first = {definition, scale, dir, results, .unit = 1, .error = error};
    const char *missing = "";
    int panels = drawing_panels(definition);
    plot_begin(plot, panels > 1 ? 1280 : 900, panels > 2 ? 860 : 560);
    plot->columns = panels > 1 ? 2 : 1;
    if (!definition->plot)
        return error_set(error, "%s has no \"plot\", so there is nothing to draw.", definition->name);
    for (int k = 0; k < panels; k++) {
        Drawing d = first;
        if (!drawing_read(&d.keys, definition, k, error) || !draw_panel(&d, plot))
            return false;
        if (!plot_panel_shows(d.panel)) {
            plot_drop_panel(plot);
            missing = kinds[d.keys.kind].missing;
            continue;
        }
        if (!*first.about)
            memcpy(first.about, d.about, sizeof d.about);
    }
    set_title(&first, plot);
    return plot->panels ||
           error_set(error, "%s: there is nothing to draw yet: %s.", definition->name, missing);
}
