// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions that show learning runs: "curves", "runs" and "box".
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plot/runs.h"
#include "reproduce/drawing_kinds.h"

enum {
    MAX_NAMED = 16, // components in the legend
    MAX_BOXES = 60  // beside each other
};

// A folder without a run has no generations. learning_history_free it, also after an error.
static bool read_folder(const Drawing *d, const char *folder, LearningHistory *history) {
    char *path = definition_expand(d->definition, d->scale, folder, d->dir, 0), plan[4096];
    *history = (LearningHistory){0};
    if (!path)
        return drawing_no_memory(d);
    snprintf(plan, sizeof plan, "%.4000s/run.json", path);
    bool good = access(plan, F_OK) || learning_history_read(history, path, NULL, NULL, d->error);
    free(path);
    return good;
}

// What is drawn of the runs.
typedef struct Wanted {
    RunQuantity quantity;
    RunAxis axis;
} Wanted;

static void add_runs(Drawing *d, const LearningHistory *history, const Wanted *wanted, const char *label,
                     int look) {
    PlotSeries *series = plot_series(d->panel, plot_line_style(look, 1), label);
    for (int run = 0; run < history->runs; run++) {
        runs_add_line(series, history, run, &wanted->quantity, 0, wanted->axis, runs_mean);
        plot_gap(series);
    }
    snprintf(d->about, sizeof d->about, "each line is a run");
}

// One line per component of the first run.
static void add_components(Drawing *d, const LearningHistory *history, const Wanted *wanted,
                           const char *label) {
    int width = run_quantity_width(&wanted->quantity, history);
    bool alone = json_object_size(d->keys.folders) == 1;
    for (int k = 0; k < width; k++) {
        char title[200] = "", number[16];
        snprintf(number, sizeof number, "%d", k + 1);
        if (d->panel->count < MAX_NAMED)
            snprintf(title, sizeof title, "%.90s%s%.90s", alone ? "" : label, alone ? "" : ", ",
                     drawing_name(d, (size_t)k) ? drawing_name(d, (size_t)k) : number);
        runs_add_line(
            plot_series(d->panel, plot_line_style(d->panel->count, width > MAX_NAMED ? 1 : 2), title),
            history, 0, &wanted->quantity, k, wanted->axis, runs_mean);
    }
    if (history->runs > 1)
        snprintf(d->about, sizeof d->about, "of the first run");
}

static void add_curves(Drawing *d, const LearningHistory *history, const Wanted *wanted, const char *label,
                       int look) {
    if (run_quantity_width(&wanted->quantity, history) != 1) {
        add_components(d, history, wanted, label);
        return;
    }
    runs_add_line(plot_series(d->panel, plot_line_style(look, 2), label), history, RUNS_ALL,
                  &wanted->quantity, 0, wanted->axis, runs_median);
    if (history->runs > 1)
        snprintf(d->about, sizeof d->about, "medians of the runs");
}

// Several quantities of the runs, a line each.
static void add_fields(Drawing *d, const LearningHistory *history, const Wanted *wanted, const char *label,
                       int look) {
    json_t *field;
    (void)look;
    json_object_foreach((json_t *)d->keys.fields, label, field) {
        Wanted one = {.axis = wanted->axis};
        run_quantity(&one.quantity, json_string_value(field));
        add_curves(d, history, &one, label, d->panel->count);
    }
}

typedef void FolderDrawer(Drawing *d, const LearningHistory *history, const Wanted *wanted, const char *label,
                          int look);

static bool draw_folders(Drawing *d, FolderDrawer *add) {
    bool games = d->keys.by == DRAWING_BY_EVALUATIONS, good = true;
    Wanted wanted = {.axis = games ? RUNS_BY_EVALUATIONS : RUNS_BY_GENERATION};
    const char *label;
    json_t *folder;
    int look = 0;
    if (!d->keys.fields)
        run_quantity(&wanted.quantity, d->keys.field);
    json_object_foreach((json_t *)d->keys.folders, label, folder) {
        LearningHistory history;
        good = read_folder(d, json_string_value(folder), &history);
        if (good && history.count)
            add(d, &history, &wanted, label, look);
        look++;
        learning_history_free(&history);
        if (!good)
            return false;
    }
    drawing_labels(d, games ? "games" : "generation", d->keys.fields ? "" : d->keys.field);
    return true;
}

bool drawing_curves(Drawing *d) {
    return draw_folders(d, d->keys.fields ? add_fields : add_curves);
}

bool drawing_runs(Drawing *d) {
    return draw_folders(d, add_runs);
}

// ---------------------------------------------------------------------------------------------------
// Boxes: the quartiles of what runs have learned (Boumaza, How to design good Tetris players, fig. 13)

// Component k at the end of every run, ascending. <- how many
static size_t last_values(const LearningHistory *history, const RunQuantity *quantity, int k, double *value) {
    size_t count = 0;
    for (int run = 0; run < history->runs; run++) {
        size_t generations;
        const Generation *list = run_generations(history, run, &generations);
        double last = generations ? run_quantity_value(quantity, history, &list[generations - 1], k) : NAN;
        if (isfinite(last))
            value[count++] = last;
    }
    gsl_sort(value, 1, count);
    return count;
}

// Whiskers end at the farthest values within 1.5 times the distance of the quartiles.
static void add_box(PlotSeries *boxes, PlotSeries *outside, int at, const double *value, size_t count) {
    double low = gsl_stats_quantile_from_sorted_data(value, 1, count, 0.25);
    double high = gsl_stats_quantile_from_sorted_data(value, 1, count, 0.75);
    double reach = 1.5 * (high - low), least = low, most = high;
    for (size_t i = 0; i < count; i++)
        if (value[i] >= low - reach && value[i] <= high + reach) {
            least = fmin(least, value[i]);
            most = fmax(most, value[i]);
        } else {
            plot_add(outside, at, value[i]);
        }
    plot_add_point(
        boxes, (PlotPoint){at, gsl_stats_median_from_sorted_data(value, 1, count), low, high, least, most});
}

static void add_boxes(Drawing *d, const LearningHistory *history, const Wanted *wanted, const char *label,
                      int look) {
    PlotSeries *boxes = plot_series(d->panel, (PlotStyle){.mark = PLOT_BOXES, .colour = PLOT_BLUE}, "");
    PlotSeries *outside =
        plot_series(d->panel, (PlotStyle){PLOT_POINTS, PLOT_BLUE, 1, false, PLOT_DISC, 0.4}, "");
    double value[LEARNING_MAX_RUNS];
    int width = run_quantity_width(&wanted->quantity, history);
    (void)label, (void)look;
    for (int k = 0; k < width && k < MAX_BOXES; k++) {
        size_t count = last_values(history, &wanted->quantity, k, value);
        if (count)
            add_box(boxes, outside, k + 1, value, count);
    }
    d->panel->x.exact = true;
    d->panel->x.range = (PlotRange){0.4, (width < MAX_BOXES ? width : MAX_BOXES) + 0.6};
    d->panel->bar = 0.5;
    snprintf(d->about, sizeof d->about, "%d run%s: quartiles, median, whiskers", history->runs,
             history->runs == 1 ? "" : "s");
}

bool drawing_boxes(Drawing *d) {
    bool good = draw_folders(d, add_boxes);
    int width = d->panel->x.range.high > 0 ? (int)d->panel->x.range.high : 0;
    drawing_names(d);
    for (int k = 1; !drawing_name(d, 0) && k <= width; k += width > 30 ? 5 : 1) {
        char number[16];
        snprintf(number, sizeof number, "%d", k);
        plot_name(&d->panel->x, k, number);
    }
    drawing_labels(d, drawing_name(d, 0) ? "" : "component", d->keys.field);
    return good;
}
