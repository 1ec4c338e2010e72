// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions; docs/reproducing.md says what each kind shows. Ours are filled symbols and lines,
// published values open symbols. Here: what all kinds have in common, and the kind "rows".
#include "reproduce/drawing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/definition_fields.h"
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
    return error_set(d->error, "Out of memory for the plot of %s.", d->definition->name);
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
    return !d->keys.rows || keys_have(d->keys.rows, row->label);
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

// Of a logarithmic scale: what it has no place for is told.
static void add_value(Drawing *d, PlotSeries *series, double x, double y, Interval interval) {
    bool has = !isnan(interval.low) && !isnan(interval.high);
    double unit = d->unit;
    d->without_zeros |= d->panel->y.log && y <= 0;
    plot_add_interval(series, x, unit * y, unit * (has ? interval.low : y), unit * (has ? interval.high : y));
}

// Rows that are drawn alike: those of a group, or all.
typedef struct Group {
    const json_t *labels; // NULL: all rows
    const char *title;
    const char *colour, *joined, *published;
    double shift; // so many steps to the right, so that groups do not cover each other
} Group;

static bool is_in_group(const Group *group, const DefinitionRow *row) {
    return !group->labels || keys_have(group->labels, row->label);
}

// A step is wide enough that two intervals beside each other can be seen. Names stand 1 apart.
static double step_aside(const Drawing *d, double x, PlotRange range, double steps) {
    double shift = 0.011 * steps, span = range.high > range.low ? range.high - range.low : 1;
    if (d->keys.names)
        return x + (d->keys.groups ? 0.045 : 0.2) * steps;
    return d->panel->x.log ? x * pow(range.high / range.low, shift) : x + shift * span;
}

static double unit_of(const DefinitionRow *row) {
    return strcmp(row->unit, "%") ? 1 : 100;
}

static void add_group(Drawing *d, const Group *group, PlotRange range, const json_t *results, bool joins) {
    const Definition *definition = d->definition;
    PlotStyle line_style = joining, point_style = measured, other_style = published;
    line_style.colour = group->joined, point_style.colour = group->colour;
    other_style.colour = group->published;
    PlotSeries *line = plot_series(d->panel, line_style, ""), *theirs = NULL;
    PlotSeries *ours = plot_series(d->panel, point_style, group->title);
    for (int k = 0; k < definition->rows; k++) {
        const DefinitionRow *row = &definition->row[k];
        Result result;
        if (isnan(row->x) || !is_in_group(group, row) || !drawing_wants(d, row))
            continue;
        d->unit = unit_of(row);
        if (results_find(results, definition, d->scale, row, &result))
            add_value(d, ours, step_aside(d, row->x, range, group->shift), result.value, result.interval);
        if (row->published.kind == PUBLISHED_NOT || row->published.kind == PUBLISHED_STATEMENT)
            continue;
        if (!theirs)
            theirs = plot_series(d->panel, other_style, d->published ? "" : "published");
        d->published = d->published ? d->published : theirs;
        add_value(d, theirs, step_aside(d, row->x, range, group->shift + 1), row->published.value,
                  row->published.interval);
    }
    if (joins)
        join(line, ours);
}

static void add_groups(Drawing *d, const json_t *results, bool joins) {
    PlotRange range = PLOT_RANGE_EMPTY;
    for (int k = 0; k < d->definition->rows; k++)
        if (drawing_wants(d, &d->definition->row[k]))
            plot_range_add(&range, d->definition->row[k].x, d->panel->x.log);
    if (!d->keys.groups) {
        add_group(d, &(Group){NULL, "measured", measured.colour, joining.colour, published.colour, 0}, range,
                  results, joins);
        return;
    }
    const char *title;
    json_t *labels;
    double count = (double)json_object_size(d->keys.groups), k = 0;
    json_object_foreach((json_t *)d->keys.groups, title, labels) {
        const char *colour = plot_line_style((int)k, 1).colour;
        add_group(d, &(Group){labels, title, colour, colour, colour, 2.5 * (k - (count - 1) / 2)}, range,
                  results, joins);
        k++;
    }
}

// Rows without a place along x are drawn as lines across, with the ends of their intervals.
static void add_levels(Drawing *d, const json_t *results, PlotRange across) {
    for (int k = 0, look = 2; k < d->definition->rows; k++) {
        const DefinitionRow *row = &d->definition->row[k];
        Result result;
        if (!keys_have(d->keys.levels, row->label) ||
            !results_find(results, d->definition, d->scale, row, &result))
            continue;
        double value[] = {result.value, result.interval.low, result.interval.high};
        for (int i = 0; i < 3; i++) {
            PlotStyle style = plot_line_style(look, i ? 1 : 2);
            style.dashed = i > 0;
            PlotSeries *line = plot_series(d->panel, style, i ? "" : row->label);
            plot_add(line, across.low, unit_of(row) * value[i]);
            plot_add(line, across.high, unit_of(row) * value[i]);
        }
        look++;
    }
}

// Is there a row to be drawn? Published values alone are not worth a picture.
static bool has_result(const Drawing *d, const json_t *results) {
    for (int k = 0; k < d->definition->rows; k++) {
        const DefinitionRow *row = &d->definition->row[k];
        Result result;
        if (!isnan(row->x) && drawing_wants(d, row) &&
            results_find(results, d->definition, d->scale, row, &result))
            return true;
    }
    return false;
}

static bool draw_rows(Drawing *d) {
    int skipped;
    size_t names = json_array_size(d->keys.names);
    json_t *results = results_read(d->results, &skipped, d->error);
    if (!results)
        return false;
    if (has_result(d, results)) {
        PlotRange across = PLOT_RANGE_EMPTY;
        add_groups(d, results, !names);
        for (int k = 0; k < d->panel->count; k++)
            for (size_t i = 0; i < d->panel->series[k]->count; i++)
                plot_range_add(&across, d->panel->series[k]->point[i].x, d->panel->x.log);
        add_levels(d, results, across);
    }
    json_decref(results);
    if (names) { // between names there is nothing
        drawing_names(d);
        plot_range_add(&d->panel->x.range, 0.5, d->panel->x.log);
        plot_range_add(&d->panel->x.range, (double)names + 0.5, d->panel->x.log);
    }
    snprintf(d->about, sizeof d->about, "bars are 95 %% intervals%s",
             d->without_zeros ? "; values of 0 have no place here" : "");
    drawing_labels(d, "", d->unit > 1 ? "%" : "lines");
    return true;
}

// ---------------------------------------------------------------------------------------------------
// All kinds

static const struct Kind {
    bool (*draw)(Drawing *d);
    const char *missing; // if there is nothing to draw
} kinds[] = {
    [DRAWING_ROWS] = {draw_rows, "no row with \"x\" has a result that can be shown on these axes"},
    [DRAWING_CURVES] = {drawing_curves, "no folder holds generations with this \"field\""},
    [DRAWING_RUNS] = {drawing_runs, "no folder holds generations with this \"field\""},
    [DRAWING_BOX] = {drawing_boxes, "the folder holds no generation with this \"field\""},
    [DRAWING_LIST] = {drawing_lists, "none of its rows has an output with this \"field\" that can be shown"},
    [DRAWING_HISTOGRAM] = {drawing_histograms, "none of its rows has an output with this \"field\""},
    [DRAWING_BARS] = {drawing_bars, "its row has no output with this \"field\""},
};

// Published points, or others that have a name: the definition gives both.
static void add_points(Drawing *d) {
    const json_t *points = d->keys.points;
    const char *called = d->keys.called;
    PlotSeries *series = NULL;
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *pair = json_array_get(points, k);
        if (!series)
            series = plot_series(d->panel, called ? others : published_point,
                                 called         ? called
                                 : d->published ? "" // it stands in the legend already
                                                : "published");
        plot_add(series, json_number_value(json_array_get(pair, 0)),
                 d->unit * json_number_value(json_array_get(pair, 1)));
    }
}

// -> about  what the panels add, each thing once. What is not the whole experiment says so.
static void set_title(const Definition *definition, const char *scale, Plot *plot, const char *about) {
    char rest[640], smaller[40] = "";
    if (strcmp(scale, "full"))
        snprintf(smaller, sizeof smaller, "; scale %.20s", scale);
    snprintf(rest, sizeof rest, "%.80s, %.80s%s%.400s%s", definition->paper, definition->place,
             *about ? "; " : "", about, smaller);
    plot_title(plot, definition->title, rest);
}

static bool draw_panel(Drawing *d, Plot *plot) {
    d->panel = plot_panel(plot, d->keys.title);
    d->panel->legend = PLOT_LEGEND_BELOW;
    d->panel->x.log = d->keys.log == DRAWING_LOG_X || d->keys.log == DRAWING_LOG_XY;
    d->panel->y.log = d->keys.log == DRAWING_LOG_Y || d->keys.log == DRAWING_LOG_XY;
    if (!kinds[d->keys.kind].draw(d))
        return false;
    if (plot_panel_shows(d->panel))
        add_points(d);
    return true;
}

// Up to three panels beside each other, of four two rows.
static void set_size(Plot *plot, int panels) {
    int columns = panels < 4 ? panels : panels == 4 ? 2 : 3;
    plot_begin(plot, 900, 560);
    if (panels > 1) {
        plot->columns = columns;
        plot->width = columns > 2 ? 1500 : 1200;
        plot->height = 90 + 400 * ((panels + columns - 1) / columns);
    }
}

// Each thing once: what another panel says in more words stands there.
static void add_about(char *about, size_t size, const char *more) {
    size_t used = strlen(about);
    if (!*more || strstr(about, more))
        return;
    if (strstr(more, about))
        used = 0;
    snprintf(about + used, size - used, "%s%s", used ? "; " : "", more);
}

bool drawing_make(Plot *plot, const Definition *definition, const char *scale, const char *dir,
                  const char *results, Error *error) {
    const char *missing = "";
    char about[200] = "";
    int panels = drawing_panels(definition);
    set_size(plot, panels);
    if (!definition->plot)
        return error_set(error, "%s has no \"plot\", so there is nothing to draw.", definition->name);
    for (int k = 0; k < panels; k++) {
        Drawing d = {definition, scale, dir, results, .unit = 1, .error = error};
        if (!drawing_read(&d.keys, definition, k, error) || !draw_panel(&d, plot))
            return false;
        if (!plot_panel_shows(d.panel)) {
            plot_drop_panel(plot);
            missing = kinds[d.keys.kind].missing;
            continue;
        }
        add_about(about, sizeof about, d.about);
        plot->height += panels == 1 ? d.taller : 0;
    }
    set_title(definition, scale, plot, about);
    return plot->panels ||
           error_set(error, "%s: there is nothing to draw yet: %s.", definition->name, missing);
}
