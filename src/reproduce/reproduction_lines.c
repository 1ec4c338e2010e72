// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions that consist of lines: "curves" and "runs" from journals of learning, "list" from
// outputs. The pictures are kept in a repository: a budget of points limits their size.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "plot/gnuplot.h"
#include "reproduce/reproduction_drawing.h"

enum {
    MAX_LINES = 120,
    MAX_NAMED = 16, // lines in the legend
    BUDGET = 2500   // points of all lines together
};

// A line and how it looks.
typedef struct Line {
    SeriesLine data;
    char label[80]; // "": not in the legend
    int look;       // which colour
    bool thin;
} Line;

typedef struct Lines {
    Drawing *d;
    Line *line[MAX_LINES]; // owned
    int count;
} Lines;

// ---------------------------------------------------------------------------------------------------
// Lines

// The first line of each look has its label. Lines beyond the limit are not drawn: ask is_full before.
// <- NULL: no memory
static Line *new_line(Lines *lines, const char *label, const char *name, int look) {
    Line *line = calloc(1, sizeof *line);
    char text[200];
    if (!line)
        return NULL;
    snprintf(text, sizeof text, "%.90s%s%.90s", label, *label && *name ? ", " : "", name);
    utf8_clean(line->label, sizeof line->label, text, strlen(text));
    for (int k = 0; k < lines->count; k++)
        if (lines->line[k]->look == look)
            line->label[0] = 0;
    line->look = look;
    lines->line[lines->count++] = line;
    return line;
}

static bool is_full(const Lines *lines) {
    return lines->count == MAX_LINES;
}

static void free_lines(Lines *lines) {
    for (int k = 0; k < lines->count; k++)
        free(lines->line[k]);
}

// Lines of one look follow each other and share a block of data, with gaps between them: that keeps the
// picture small. <- is this the first of its block?
static bool begins_block(const Lines *lines, int k) {
    return k == 0 || lines->line[k]->look != lines->line[k - 1]->look;
}

static void write_line(const Lines *lines, int k) {
    const SeriesLine *line = &lines->line[k]->data;
    const Drawing *d = lines->d;
    int share = BUDGET / lines->count, drawn = line->count < share ? line->count : share;
    if (begins_block(lines, k))
        fprintf(d->f, "$line%d << END\n", k);
    for (int i = 0; i < drawn; i++) {
        size_t at = series_pick((size_t)i, (size_t)drawn, (size_t)line->count);
        drawing_value(d->f, line->x[at], d->log_x);
        drawing_value(d->f, line->y[at], d->log_y);
        fputc('\n', d->f);
    }
    fputs(k + 1 == lines->count || begins_block(lines, k + 1) ? "END\n" : "\n", d->f);
}

// In the legend thin lines are hard to tell apart: a thick one without points stands there instead.
static void draw_line(FILE *f, const Line *line, int k) {
    bool named = *line->label && line->look < MAX_NAMED;
    fprintf(f, "%s$line%d using 1:2 with %s linewidth %s linecolor '%s' dashtype %s ", k ? ", " : "", k,
            line->data.count > 2 ? "lines" : "linespoints pointtype 7 pointsize 0.7", line->thin ? "1" : "2",
            plot_colour(line->look), plot_dashes(line->look));
    if (named && line->thin)
        fprintf(f, "notitle, NaN with lines linewidth 2.5 linecolor '%s' dashtype %s ",
                plot_colour(line->look), plot_dashes(line->look));
    fputs(named ? "title " : "notitle", f);
    if (named)
        gnuplot_string(f, line->label);
}

static bool draw_lines(Lines *lines, const char *xlabel, const char *what) {
    Drawing *d = lines->d;
    for (int k = 0; k < lines->count; k++) {
        const SeriesLine *line = &lines->line[k]->data;
        for (int i = 0; i < line->count; i++)
            if (!isnan(line->y[i]))
                drawing_see(d, line->x[i], line->y[i]);
    }
    if (!drawing_check(d, what))
        return false;
    drawing_see_points(d);
    drawing_frame(d, xlabel, drawing_text(d, "field", ""));
    for (int k = 0; k < lines->count; k++)
        write_line(lines, k);
    drawing_write_points(d);
    fputs("plot ", d->f);
    for (int k = 0; k < lines->count; k++)
        if (begins_block(lines, k))
            draw_line(d->f, lines->line[k], k);
    drawing_points(d, true);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Journals

typedef bool Adder(Lines *lines, const Series *series, const char *label, int look);

static bool add_runs(Lines *lines, const Series *series, const char *label, int look) {
    for (int run = 0; run < series->runs && !is_full(lines); run++) {
        Line *line = new_line(lines, label, "", look);
        if (!line)
            return drawing_no_memory(lines->d);
        line->thin = true;
        series_run(series, run, 0, &line->data);
    }
    return true;
}

static bool add_components(Lines *lines, const Series *series, const char *label, int width) {
    bool alone = json_object_size(json_object_get(lines->d->json, "folders")) == 1;
    for (int k = 0; k < width && !is_full(lines); k++) {
        char number[16];
        const char *name = drawing_name(lines->d, (size_t)k);
        snprintf(number, sizeof number, "%d", k + 1);
        Line *line = new_line(lines, alone ? "" : label, name ? name : number, lines->count);
        if (!line)
            return drawing_no_memory(lines->d);
        line->thin = width > MAX_NAMED;
        series_run(series, 0, k, &line->data);
    }
    if (width && series->runs > 1)
        snprintf(lines->d->about, sizeof lines->d->about, "of the first run");
    return true;
}

// One line, or one per component of the first run.
static bool add_curves(Lines *lines, const Series *series, const char *label, int look) {
    int width = series->runs ? series_width(series, 0) : 0;
    if (width != 1)
        return add_components(lines, series, label, width);
    Line *line = is_full(lines) ? NULL : new_line(lines, label, "", look);
    if (series->runs > 1)
        snprintf(lines->d->about, sizeof lines->d->about, "medians of the runs");
    return is_full(lines) || (line && series_median(series, &line->data)) || drawing_no_memory(lines->d);
}

static bool draw_journals(Drawing *d, Adder *add) {
    Lines lines = {.d = d};
    const char *label;
    json_t *folder;
    int look = 0;
    bool good = true, games = !strcmp(drawing_text(d, "by", ""), "evaluations");
    json_object_foreach(json_object_get(d->json, "folders"), label, folder) {
        Series series;
        good = good && drawing_folder(d, json_string_value(folder), &series);
        if (good)
            good = add(&lines, &series, label, look++);
        series_free(&series);
        if (!good)
            break;
    }
    good = good && draw_lines(&lines, games ? "games" : "generation",
                              "no folder holds generations with this \"field\"");
    free_lines(&lines);
    return good;
}

bool drawing_curves(Drawing *d) {
    return draw_journals(d, add_curves);
}

bool drawing_runs(Drawing *d) {
    snprintf(d->about, sizeof d->about, "each line is a run");
    return draw_journals(d, add_runs);
}

// ---------------------------------------------------------------------------------------------------
// Outputs

static bool take_list(Drawing *d, void *context, const DefinitionRow *row, int look, int i,
                      const Numbers *numbers) {
    const json_t *smooth = json_object_get(d->json, "smooth");
    Lines *lines = context;
    (void)i;
    if (is_full(lines))
        return true;
    Line *line = new_line(lines, row->label, "", look);
    if (!line)
        return drawing_no_memory(d);
    line->thin = row->repeat != NULL;
    series_smooth(numbers, smooth ? (size_t)json_number_value(smooth) : 1, &line->data);
    return true;
}

bool drawing_list(Drawing *d) {
    const json_t *smooth = json_object_get(d->json, "smooth");
    Lines lines = {.d = d};
    if (json_number_value(smooth) > 1)
        snprintf(d->about, sizeof d->about, "moving means of %.0f", json_number_value(smooth));
    bool good = drawing_outputs(d, take_list, &lines) &&
                draw_lines(&lines, "", "none of its rows has an output with this \"field\"");
    free_lines(&lines);
    return good;
}
