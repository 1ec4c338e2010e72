// SPDX-License-Identifier: GPL-3.0-or-later
// The panels of the picture of a learning run; curves.h says what they show. A panel without numbers is left
// out.
#include "plot/curves.h"

#include <gsl/gsl_sort.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "plot/runs.h"

enum {
    MAX_LINES = 60, // numbers of the vector drawn
    MAX_THICK = 12, // beyond so many, lines are thin
    MAX_THIN = 100  // runs drawn each for itself
};

typedef struct Curves {
    const LearningHistory *history;
    uint64_t newest;     // generation, of all runs
    int line[MAX_LINES]; // which numbers of the vector are drawn
    int lines;
    bool has_curve, has_axes, has_race;
} Curves;

static RunQuantity quantity(const char *name) {
    RunQuantity quantity = {0};
    run_quantity(&quantity, name);
    return quantity;
}

static void add_line(const Curves *curves, PlotPanel *panel, PlotStyle style, const char *title,
                     const char *name, int k, RunsTogether *together) {
    RunQuantity what = quantity(name);
    runs_add_line(plot_series(panel, style, title), curves->history, RUNS_ALL, &what, k, RUNS_BY_GENERATION,
                  together);
}

static PlotStyle line_style(const char *colour, double width) {
    return (PlotStyle){.mark = PLOT_LINE, .colour = colour, .width = width};
}

// Every run for itself.
static void add_runs(const Curves *curves, PlotPanel *panel, const char *name) {
    RunQuantity what = quantity(name);
    if (curves->history->runs < 2)
        return;
    PlotSeries *series = plot_series(panel, line_style(PLOT_SKY, 1), "each run");
    for (int run = 0; run < curves->history->runs && run < MAX_THIN; run++) {
        runs_add_line(series, curves->history, run, &what, 0, RUNS_BY_GENERATION, runs_mean);
        plot_gap(series);
    }
}

// ---------------------------------------------------------------------------------------------------
// Panels

static void add_score(const Curves *curves, PlotPanel *panel) {
    const LearningHistory *history = curves->history;
    double width = curves->has_curve ? 1.5 : 2.5;
    snprintf(panel->title, sizeof panel->title, "%s%s",
             history->kind == OBJECTIVE_GAMES ? "lines per game" : "mean lines, by splitting",
             history->runs > 1 ? ", medians of the runs" : "");
    panel->y.log = true;
    panel->legend = PLOT_LEGEND_OVER;
    add_runs(curves, panel, curves->has_curve ? "curve" : "mean");
    if (curves->has_curve)
        add_line(curves, panel, line_style(PLOT_BLUE, 2.5), "answer", "curve", 0, runs_median);
    add_line(curves, panel, line_style(PLOT_RED, width), "best candidate", "best", 0, runs_median);
    add_line(curves, panel, line_style(PLOT_GREY, width), "mean of candidates", "mean", 0, runs_median);
}

static void add_sigma(const Curves *curves, PlotPanel *panel) {
    snprintf(panel->title, sizeof panel->title, "%s",
             curves->has_axes ? "step size" : "deviation, root mean square");
    panel->y.log = true;
    panel->legend = curves->history->runs > 1 ? PLOT_LEGEND_OVER : PLOT_LEGEND_NONE;
    add_runs(curves, panel, "sigma");
    add_line(curves, panel, line_style(PLOT_BLUE, 2.5), "median", "sigma", 0, runs_median);
}

static void add_work(const Curves *curves, PlotPanel *panel) {
    bool race = curves->has_race;
    snprintf(panel->title, sizeof panel->title, "%s",
             !race                       ? "pieces played so far"
             : curves->history->runs > 1 ? "games that races took, %, means"
                                         : "games that races took, %");
    plot_range_add(&panel->y.range, 0, false);
    if (!race) {
        add_line(curves, panel, line_style(PLOT_BLUE, 2.5), "", "pieces", 0, runs_sum);
        return;
    }
    plot_range_add(&panel->y.range, 100, false);
    panel->legend = PLOT_LEGEND_OVER;
    add_line(curves, panel, line_style(PLOT_BLUE, 2.5), "of those without a race", "share", 0, runs_mean);
    add_line(curves, panel, line_style(PLOT_RED, 2), "of r_limit for every vector", "limit_share", 0,
             runs_mean);
}

// One line per number of the vector that is drawn.
static void add_vector(const Curves *curves, PlotPanel *panel, const char *name, RunsTogether *together) {
    for (int k = 0; k < curves->lines; k++)
        add_line(curves, panel, plot_line_style(k, curves->lines <= MAX_THICK ? 2 : 1.3),
                 curves->history->label[curves->line[k]], name, curves->line[k], together);
}

static void add_weights(const Curves *curves, PlotPanel *panel) {
    const LearningHistory *history = curves->history;
    snprintf(panel->title, sizeof panel->title, "%s%s%s",
             curves->lines < history->size - history->switches ? "largest weights" : "weights",
             history->runs > 1 ? ", mean of the runs" : " of the answer",
             history->directions ? ", length 1" : "");
    panel->legend = PLOT_LEGEND_ALL_PANELS;
    add_vector(curves, panel, "weight", runs_mean);
}

static void add_deviations(const Curves *curves, PlotPanel *panel) {
    snprintf(panel->title, sizeof panel->title, "deviation of each weight");
    panel->y.log = true;
    add_vector(curves, panel, "deviation", runs_median);
}

static void add_axes(const Curves *curves, PlotPanel *panel) {
    size_t size = (size_t)curves->history->size, drawn = size < MAX_LINES ? size : MAX_LINES;
    snprintf(panel->title, sizeof panel->title, "square roots of the eigenvalues");
    panel->y.log = true;
    for (size_t k = 0; k < drawn; k++)
        add_line(curves, panel, line_style(PLOT_BLUE, 1.5), "", "axes", (int)plot_pick(k, drawn, size),
                 runs_median);
}

// ---------------------------------------------------------------------------------------------------
// The whole

// The last generations of the runs, summed up.
typedef struct Last {
    double evaluations, pieces, seconds;
    double weight[ENCODING_MAX]; // the sum of each, without its sign
} Last;

static void find_last(const LearningHistory *history, Last *last) {
    const RunQuantity weight = quantity("weight");
    *last = (Last){0};
    for (int run = 0; run < history->runs; run++) {
        size_t count;
        const Generation *list = run_generations(history, run, &count), *g = &list[count - 1];
        if (!count)
            continue;
        last->evaluations += (double)g->evaluations;
        last->pieces += (double)g->pieces;
        last->seconds = fmax(last->seconds, g->seconds);
        for (int k = 0; k < history->size; k++)
            last->weight[k] += run_quantity_value(&weight, history, g, k);
    }
    for (int k = 0; k < history->size; k++)
        last->weight[k] = fabs(last->weight[k]);
}

// All numbers but the switches; of very many the largest ones at the end.
static void choose_lines(Curves *curves, const Last *last) {
    size_t size = (size_t)(curves->history->size - curves->history->switches);
    double largest[MAX_LINES], least = 0;
    if (size > MAX_LINES) {
        gsl_sort_largest(largest, MAX_LINES, last->weight, 1, size);
        least = largest[MAX_LINES - 1];
    }
    for (size_t k = 0; k < size && curves->lines < MAX_LINES; k++)
        if (last->weight[k] >= least)
            curves->line[curves->lines++] = (int)k;
}

static void set_title(Plot *plot, const Curves *curves, const Last *last) {
    const LearningHistory *history = curves->history;
    char text[200], rest[300], number[24], time[24], pieces[24], runs[32] = "";
    if (history->runs > 1)
        snprintf(runs, sizeof runs, "%d runs of up to ", history->runs);
    snprintf(text, sizeof text, "Learning: %s", history->title);
    snprintf(rest, sizeof rest, "%s%" PRIu64 " generation%s, %s %s for selection, %s pieces, %s", runs,
             curves->newest, curves->newest == 1 ? "" : "s", text_count(last->evaluations, number),
             history->kind == OBJECTIVE_GAMES ? "games" : "repetitions", text_count(last->pieces, pieces),
             text_seconds(last->seconds, time));
    plot_title(plot, text, rest);
}

bool curves_make(Plot *plot, const LearningHistory *history, Error *error) {
    static void (*const add[])(const Curves *, PlotPanel *) = {add_score,   add_sigma,      add_work,
                                                               add_weights, add_deviations, add_axes};
    Curves curves = {.history = history};
    Last last;
    plot_begin(plot, 1280, 820);
    plot->columns = 3;
    plot->budget = 20000;
    if (history->count < 1)
        return error_set(error, "No generation is complete, so there is nothing to draw.");
    for (int k = 0; k < history->count; k++) {
        const Generation *g = &history->generation[k];
        curves.newest = g->generation > curves.newest ? g->generation : curves.newest;
        curves.has_curve = curves.has_curve || !isnan(g->curve);
        curves.has_axes = curves.has_axes || g->axes;
        curves.has_race = curves.has_race || g->limit > 0;
    }
    find_last(history, &last);
    choose_lines(&curves, &last);
    set_title(plot, &curves, &last);
    for (size_t k = 0; k < sizeof add / sizeof *add; k++) {
        PlotPanel *panel = plot_panel(plot, "");
        panel->x.range = (PlotRange){0, (double)curves.newest};
        panel->x.exact = panel->x.whole = true;
        plot_label_axis(&panel->x, "generation");
        add[k](&curves, panel);
        if (!plot_panel_shows(panel))
            plot_drop_panel(plot);
    }
    return true;
}
