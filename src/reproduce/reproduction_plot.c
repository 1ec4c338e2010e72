// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions as gnuplot scripts; docs/reproducing.md says what each kind shows. Ours are filled
// symbols and lines, published values open symbols. What was not run yet is left out. Here: what all kinds
// have in common, and the kind "rows".
#include "reproduce/reproduction_plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "plot/gnuplot.h"
#include "reproduce/reproduction_drawing.h"
#include "reproduce/results.h"

enum { WIDTH = 900, HEIGHT = 560 };

const char *drawing_text(const Drawing *d, const char *key, const char *otherwise) {
    const char *text = json_string_value(json_object_get(d->json, key));
    return text ? text : otherwise;
}

const char *drawing_name(const Drawing *d, size_t k) {
    return json_string_value(json_array_get(json_object_get(d->json, "names"), k));
}

bool drawing_no_memory(const Drawing *d) {
    return error_set(d->error, "There is no memory for the plot of %s.", d->definition->name);
}

// What cannot be shown is a gap.
void drawing_value(FILE *f, double value, bool log) {
    if (isfinite(value) && fabs(value) < 1e200 && (!log || value > 1e-200))
        fprintf(f, " %.6g", value);
    else
        fputs(" NaN", f);
}

void drawing_see(Drawing *d, double x, double y) {
    plot_range_add(&d->x, x, d->log_x);
    plot_range_add(&d->y, y, d->log_y);
}

// ---------------------------------------------------------------------------------------------------
// Frame

// Margins; from 0 on, if that is not far away.
static PlotRange linear_range(PlotRange range, bool from_zero) {
    double span = range.high - range.low, margin = span > 0 ? span * 0.04 : fmax(fabs(range.high) * 0.1, 0.5);
    bool zero = from_zero && range.low >= 0 && range.low < 0.5 * range.high;
    return (PlotRange){zero ? 0 : range.low - margin, range.high + margin};
}

static void write_axis(const Drawing *d, char axis, PlotRange range, bool log) {
    if (log)
        plot_log_axis(d->f, axis, range);
    else
        plot_linear_axis(d->f, axis, axis == 'x' && d->exact_x ? range : linear_range(range, axis == 'y'));
}

// Names below 1, 2, ...; many long ones slant.
static void write_names(const Drawing *d) {
    const json_t *names = json_object_get(d->json, "names");
    size_t count = json_array_size(names), longest = 0;
    for (size_t k = 0; k < count; k++)
        longest = strlen(drawing_name(d, k)) > longest ? strlen(drawing_name(d, k)) : longest;
    fprintf(d->f, "set xtics scale 0 %s(", longest * count > 100 ? "rotate by -35 left " : "");
    for (size_t k = 0; k < count; k++) {
        fputs(k ? ", " : "", d->f);
        plot_tic_name(d->f, drawing_name(d, k));
        fprintf(d->f, " %zu", k + 1);
    }
    fputs(")\n", d->f);
}

static void write_label(FILE *f, const char *axis, const char *text) {
    char clean[128];
    fprintf(f, "set %slabel ", axis);
    gnuplot_string(f, utf8_clean(clean, sizeof clean, text, strlen(text)));
    fputs(" textcolor " PLOT_GREY "\n", f);
}

void drawing_frame(const Drawing *d, const char *xlabel, const char *ylabel) {
    const Definition *definition = d->definition;
    char title[110], rest[300], clean[160];
    utf8_clean(title, sizeof title, definition->title, strlen(definition->title));
    snprintf(rest, sizeof rest, "%.80s, %.80s%s%s", definition->paper, definition->place,
             *d->about ? "; " : "", d->about);
    plot_title(d->f, title, utf8_clean(clean, sizeof clean, rest, strlen(rest)));
    write_axis(d, 'x', d->x, d->log_x);
    write_axis(d, 'y', d->y, d->log_y);
    if (d->names_below)
        write_names(d);
    write_label(d->f, "x", drawing_text(d, "xlabel", xlabel));
    write_label(d->f, "y", drawing_text(d, "ylabel", ylabel));
    fputs("set key outside below left horizontal Left reverse maxrows 6 samplen 2.5 height 0.7 noopaque\n",
          d->f);
}

// Published points that the definition gives.
void drawing_see_points(Drawing *d) {
    const json_t *points = json_object_get(d->json, "points");
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *pair = json_array_get(points, k);
        drawing_see(d, json_number_value(json_array_get(pair, 0)),
                    d->unit * json_number_value(json_array_get(pair, 1)));
    }
}

void drawing_write_points(const Drawing *d) {
    const json_t *points = json_object_get(d->json, "points");
    fputs("$points << END\n", d->f);
    for (size_t k = 0; k < json_array_size(points); k++) {
        const json_t *pair = json_array_get(points, k);
        drawing_value(d->f, json_number_value(json_array_get(pair, 0)), d->log_x);
        drawing_value(d->f, d->unit * json_number_value(json_array_get(pair, 1)), d->log_y);
        fputc('\n', d->f);
    }
    fputs("END\n", d->f);
}

void drawing_points(const Drawing *d, bool titled) {
    if (json_array_size(json_object_get(d->json, "points")))
        fprintf(d->f,
                ", $points using 1:2 with points pointtype 12 pointsize 1.4 linewidth 2 linecolor " PLOT_RED
                " %s",
                titled ? "title 'published'" : "notitle");
}

bool drawing_check(const Drawing *d, const char *what) {
    return (d->x.low <= d->x.high && d->y.low <= d->y.high) ||
           error_set(d->error, "%s: there is nothing to draw yet: %s.", d->definition->name, what);
}

// ---------------------------------------------------------------------------------------------------
// Rows

typedef struct RowPoint {
    double x, y, low, high;
    bool published;
} RowPoint;

static RowPoint row_point(double x, double y, Interval interval, double unit, bool published) {
    bool has = !isnan(interval.low) && !isnan(interval.high);
    return (RowPoint){x, unit * y, unit * (has ? interval.low : y), unit * (has ? interval.high : y),
                      published};
}

static int by_x(const void *a, const void *b) {
    const RowPoint *p = a, *q = b;
    return (p->x > q->x) - (p->x < q->x);
}

// <- how many there are, ours and published ones
static int collect_rows(Drawing *d, RowPoint *point, const json_t *results) {
    const Definition *definition = d->definition;
    int count = 0;
    for (int k = 0; k < definition->rows; k++) {
        const DefinitionRow *row = &definition->row[k];
        Result result;
        double unit = strcmp(row->unit, "%") ? 1 : 100;
        if (isnan(row->x))
            continue;
        d->unit = unit;
        if (results_find(results, definition, d->scale, row, &result))
            point[count++] = row_point(row->x, result.value, result.interval, unit, false);
        if (row->published.kind != PUBLISHED_NOT)
            point[count++] = row_point(row->x, row->published.value, row->published.interval, unit, true);
    }
    qsort(point, (size_t)count, sizeof *point, by_x);
    return count;
}

// <- how many there are; *joined: they may be joined by a line, since no two have the same x
static int write_rows(const Drawing *d, const char *block, const RowPoint *point, int count, bool published,
                      bool *joined) {
    int written = 0;
    double last = NAN;
    double shift = published ? 0.011 : 0; // beside ours, so that both intervals can be seen
    fprintf(d->f, "$%s << END\n", block);
    for (int k = 0; k < count; k++) {
        const RowPoint *p = &point[k];
        if (p->published != published)
            continue;
        double x = d->log_x ? p->x * pow(d->x.high / d->x.low, shift)
                            : p->x + shift * (d->x.high > d->x.low ? d->x.high - d->x.low : 1);
        double low = fmax(p->low, d->y.low), high = fmin(p->high, d->y.high);
        drawing_value(d->f, x, d->log_x);
        drawing_value(d->f, p->y, d->log_y);
        drawing_value(d->f, low, d->log_y);
        drawing_value(d->f, high, d->log_y);
        fputc('\n', d->f);
        *joined = *joined && p->x != last;
        last = p->x;
        written++;
    }
    fputs("END\n", d->f);
    return written;
}

static bool draw_row_points(Drawing *d, const RowPoint *point, int count) {
    bool joined = !d->names_below, ignored = true;
    int ours = 0;
    for (int k = 0; k < count; k++) {
        drawing_see(d, point[k].x, point[k].y);
        plot_range_add(&d->y, point[k].low, d->log_y);
        plot_range_add(&d->y, point[k].high, d->log_y);
        ours += !point[k].published;
    }
    if (!ours)
        return error_set(d->error, "%s: there is nothing to draw yet: no row with \"x\" has a result.",
                         d->definition->name);
    drawing_see_points(d);
    for (size_t k = 0; d->names_below && k < json_array_size(json_object_get(d->json, "names")); k++) {
        plot_range_add(&d->x, 0.5 + (double)k, d->log_x);
        plot_range_add(&d->x, 1.5 + (double)k, d->log_x);
    }
    if (!drawing_check(d, "no result can be shown on these axes"))
        return false;
    drawing_frame(d, "", d->unit > 1 ? "%" : "lines");
    write_rows(d, "ours", point, count, false, &joined);
    int published = write_rows(d, "published", point, count, true, &ignored);
    drawing_write_points(d);
    fputs("plot ", d->f);
    if (joined && !json_object_get(d->json, "names")) // between names there is nothing
        fputs("$ours using 1:2 with lines linewidth 1 linecolor " PLOT_SKY " notitle, ", d->f);
    fputs("$ours using 1:2:3:4 with yerrorbars pointtype 7 pointsize 1 linewidth 2 linecolor " PLOT_BLUE
          " title 'measured'",
          d->f);
    if (published)
        fputs(", $published using 1:2:3:4 with yerrorbars pointtype 12 pointsize 1.4 linewidth 2"
              " linecolor " PLOT_RED " title 'published'",
              d->f);
    drawing_points(d, !published);
    return true;
}

static bool draw_rows(Drawing *d) {
    int skipped;
    json_t *results = results_read(d->results, &skipped, d->error);
    RowPoint *point = calloc((size_t)d->definition->rows * 2, sizeof *point);
    snprintf(d->about, sizeof d->about, "bars are 95 %% intervals");
    d->names_below = json_object_get(d->json, "names");
    bool good = results && (point || drawing_no_memory(d)) &&
                draw_row_points(d, point, collect_rows(d, point, results));
    json_decref(results);
    free(point);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Data

bool drawing_folder(const Drawing *d, const char *folder, Series *series) {
    char *path = definition_expand(d->definition, d->scale, folder, d->dir, 0);
    bool evaluations = !strcmp(drawing_text(d, "by", ""), "evaluations");
    *series = (Series){0};
    bool good = path ? series_read(series, path, drawing_text(d, "field", ""), evaluations, d->error)
                     : drawing_no_memory(d);
    free(path);
    return good;
}

static bool is_wanted(const Drawing *d, const DefinitionRow *row) {
    const json_t *rows = json_object_get(d->json, "rows");
    for (size_t k = 0; k < json_array_size(rows); k++)
        if (!strcmp(json_string_value(json_array_get(rows, k)), row->label))
            return true;
    return !rows;
}

static bool take_row(Drawing *d, const DefinitionRow *row, int look, DrawingTaker *take, void *context) {
    int repeats = definition_repeats(d->definition, d->scale, row, d->error);
    bool good = repeats > 0;
    for (int i = 1; good && i <= repeats; i++) {
        Numbers numbers;
        good = series_output(d->definition, d->scale, d->dir, row, i, drawing_text(d, "field", ""), &numbers,
                             d->error) &&
               (!numbers.count || take(d, context, row, look, i, &numbers));
        free(numbers.value);
    }
    return good;
}

bool drawing_outputs(Drawing *d, DrawingTaker *take, void *context) {
    int look = 0;
    for (int k = 0; k < d->definition->rows; k++)
        if (is_wanted(d, &d->definition->row[k]) &&
            !take_row(d, &d->definition->row[k], look++, take, context))
            return false;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// All kinds

static const struct Kind {
    const char *name;
    bool (*draw)(Drawing *d);
} kinds[] = {{"rows", draw_rows},  {"curves", drawing_curves}, {"runs", drawing_runs},
             {"box", drawing_box}, {"list", drawing_list},     {"histogram", drawing_histogram}};

static bool draw(Drawing *d) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (!strcmp(kinds[k].name, drawing_text(d, "kind", "")))
            return kinds[k].draw(d);
    return false; // reproduction_plot_check knows the same kinds
}

bool reproduction_plot(const char *path, const Definition *definition, const char *scale, const char *dir,
                       const char *results, Error *error) {
    PlotScript script;
    if (!definition->plot)
        return error_set(error, "%s has no \"plot\", so there is nothing to draw.", definition->name);
    if (!reproduction_plot_check(definition, error) || !plot_script_open(&script, path, WIDTH, HEIGHT, error))
        return false;
    Drawing d = {.definition = definition,
                 .scale = scale,
                 .dir = dir,
                 .results = results,
                 .json = definition->plot,
                 .unit = 1,
                 .x = PLOT_RANGE_EMPTY,
                 .y = PLOT_RANGE_EMPTY,
                 .f = script.file,
                 .error = error};
    d.log_x = strchr(drawing_text(&d, "log", ""), 'x');
    d.log_y = strchr(drawing_text(&d, "log", ""), 'y');
    bool good = draw(&d);
    fputc('\n', d.f);
    if (good)
        return plot_script_draw(&script, path, error);
    plot_script_drop(&script);
    return false;
}
