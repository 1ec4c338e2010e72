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
    MAX_NAMED = 60, // components in the legend
    MANY = 16,      // beyond so many, their lines are thin
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
    RunsTogether *together;
    char label[200]; // of the folder, or of the field
    int look;
} Wanted;

// Folders with different numbers of runs are told without a number.
static void tell_together(Drawing *d, const char *before, int runs) {
    char number[24];
    d->runs = d->runs && d->runs != runs ? -1 : runs;
    snprintf(number, sizeof number, d->runs > 0 ? "%d" : "the", d->runs);
    snprintf(d->about, sizeof d->about, "%s%s of %s runs", before,
             d->keys.together == DRAWING_MEAN ? "means" : "medians", number);
}

// Each run a thin line, and the median, or the mean, a thick one.
static void add_runs(Drawing *d, const LearningHistory *history, const Wanted *wanted) {
    PlotSeries *series = plot_series(d->panel, plot_line_style(wanted->look, 0.7), "");
    for (int run = 0; run < history->runs; run++) {
        runs_add_line(series, history, run, &wanted->quantity, 0, wanted->axis, runs_mean);
        plot_gap(series);
    }
    runs_add_line(plot_series(d->panel, plot_line_style(wanted->look, 3.5), wanted->label), history, RUNS_ALL,
                  &wanted->quantity, 0, wanted->axis, wanted->together);
    tell_together(d, "thin lines are single runs, thick ones ", history->runs);
}

// One line per component of the first run.
static void add_components(Drawing *d, const LearningHistory *history, const Wanted *wanted) {
    int width = run_quantity_width(&wanted->quantity, history);
    bool alone = json_object_size(d->keys.folders) == 1 && !d->keys.fields;
    for (int k = 0; k < width; k++) {
        const char *name = drawing_name(d, (size_t)k) ? drawing_name(d, (size_t)k) : history->label[k];
        char title[300];
        snprintf(title, sizeof title, "%s%s%.90s", alone ? "" : wanted->label, alone ? "" : ", ", name);
        runs_add_line(plot_series(d->panel, plot_line_style(d->panel->count, width > MANY ? 1.3 : 2),
                                  width > MAX_NAMED ? "" : title),
                      history, 0, &wanted->quantity, k, wanted->axis, runs_mean);
    }
    if (history->runs > 1)
        snprintf(d->about, sizeof d->about, "of the first run");
}

static void add_curves(Drawing *d, const LearningHistory *history, const Wanted *wanted) {
    if (run_quantity_width(&wanted->quantity, history) != 1) {
        add_components(d, history, wanted);
        return;
    }
    if (d->keys.together == DRAWING_QUARTILES && history->runs > 1) {
        PlotStyle band = plot_line_style(wanted->look, 0);
        band.mark = PLOT_BAND;
        runs_add_band(plot_series(d->panel, band, ""), history, RUNS_ALL, &wanted->quantity, 0, wanted->axis,
                      runs_lower, runs_upper);
    }
    runs_add_line(plot_series(d->panel, plot_line_style(wanted->look, 2), wanted->label), history, RUNS_ALL,
                  &wanted->quantity, 0, wanted->axis, wanted->together);
    if (history->runs > 1)
        tell_together(d, d->keys.together == DRAWING_QUARTILES ? "bands between the quartiles, " : "",
                      history->runs);
}

typedef void FolderDrawer(Drawing *d, const LearningHistory *history, const Wanted *wanted);

// One field or several. Several have their labels, and those of the folders too if there is more than one.
static void draw_folder(Drawing *d, const LearningHistory *history, const char *folder, Wanted *wanted,
                        FolderDrawer *add) {
    bool alone = json_object_size(d->keys.folders) == 1;
    const char *label;
    json_t *field;
    if (!d->keys.fields) {
        snprintf(wanted->label, sizeof wanted->label, "%.90s", folder);
        run_quantity(&wanted->quantity, d->keys.field);
        add(d, history, wanted);
        if (run_quantity_is_share(&wanted->quantity)) // so that panels can be compared
            plot_range_add(&d->panel->y.range, 0, d->panel->y.log);
        wanted->look++;
        return;
    }
    json_object_foreach((json_t *)d->keys.fields, label, field) {
        snprintf(wanted->label, sizeof wanted->label, "%.90s%s%.90s", alone ? "" : folder, alone ? "" : ", ",
                 label);
        run_quantity(&wanted->quantity, json_string_value(field));
        add(d, history, wanted);
        wanted->look++;
    }
}

static bool draw_folders(Drawing *d, FolderDrawer *add) {
    static const struct {
        RunAxis axis;
        const char *label;
    } by[] = {[DRAWING_BY_GENERATION] = {RUNS_BY_GENERATION, "generation"},
              [DRAWING_BY_EVALUATIONS] = {RUNS_BY_EVALUATIONS, "games"},
              [DRAWING_BY_PIECES] = {RUNS_BY_PIECES, "pieces for selection, of one run"}};
    Wanted wanted = {.axis = by[d->keys.by].axis,
                     .together = d->keys.together == DRAWING_MEAN ? runs_mean : runs_median};
    const char *label;
    json_t *folder;
    json_object_foreach((json_t *)d->keys.folders, label, folder) {
        LearningHistory history;
        bool good = read_folder(d, json_string_value(folder), &history);
        if (good && history.count)
            draw_folder(d, &history, label, &wanted, add);
        else
            wanted.look++; // the others keep their colours
        learning_history_free(&history);
        if (!good)
            return false;
    }
    drawing_labels(d, by[d->keys.by].label, d->keys.fields ? "" : d->keys.field);
    return true;
}

bool drawing_curves(Drawing *d) {
    return draw_folders(d, add_curves);
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

static void add_boxes(Drawing *d, const LearningHistory *history, const Wanted *wanted) {
    PlotSeries *boxes = plot_series(d->panel, (PlotStyle){.mark = PLOT_BOXES, .colour = PLOT_BLUE}, "");
    PlotSeries *outside =
        plot_series(d->panel, (PlotStyle){PLOT_POINTS, PLOT_BLUE, 1, false, PLOT_DISC, 0.4}, "");
    double value[LEARNING_MAX_RUNS];
    int width = run_quantity_width(&wanted->quantity, history);
    for (int k = 0; k < width && k < MAX_BOXES; k++) {
        size_t count = last_values(history, &wanted->quantity, k, value);
        if (!drawing_name(d, 0))
            plot_name(&d->panel->x, k + 1, history->label[k]);
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
    drawing_names(d);
    bool good = draw_folders(d, add_boxes);
    drawing_labels(d, "", d->keys.field);
    return good;
}
