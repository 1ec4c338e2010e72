// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions that show lists in the outputs of commands: "list" and "histogram".
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json_parse.h"
#include "plot/histogram.h"
#include "reproduce/command.h"
#include "reproduce/drawing_kinds.h"

enum {
    MAX_HISTOGRAMS = 8,    // in one picture
    MAX_NUMBERS = 1 << 23, // of one of them
    LIST_POINTS = 500,     // of a line
    MAX_BARS = 100,        // beside each other
    OUTPUT_LIMIT = 8 << 20 // bytes; JSON needs up to a hundred times as much memory
};

// The output of the row's last command, repetition i = 1, 2, ...
// <- json  json_decref it; NULL: there is no such file
static bool read_json(const Drawing *d, const DefinitionRow *row, int i, char path[4096], json_t **json) {
    const char *command =
        json_string_value(json_array_get(row->commands, json_array_size(row->commands) - 1));
    char *name = definition_expand(d->definition, d->scale, command, d->definition->name, i);
    struct stat status;
    *json = NULL;
    if (!name)
        return drawing_no_memory(d);
    command_output(d->dir, name, path);
    free(name);
    if (stat(path, &status))
        return true;
    if (!S_ISREG(status.st_mode) || status.st_size > OUTPUT_LIMIT)
        return error_set(d->error, "%.300s is no file that can be drawn: it is no plain file, or too large.",
                         path);
    *json = json_read(path, d->error);
    return *json;
}

// The list "field" in it.
// <- numbers  free() its value; none, if there is no such file
static bool read_output(const Drawing *d, const DefinitionRow *row, int i, Numbers *numbers) {
    char path[4096];
    json_t *json;
    Error why = {""};
    *numbers = (Numbers){0};
    if (!read_json(d, row, i, path, &json))
        return false;
    bool good = !json || json_numbers(json, d->keys.field, false, numbers, &why) ||
                error_set(d->error, "%.300s, the output of row \"%.60s\": %s", path, row->label, why.text);
    json_decref(json);
    return good;
}

// Takes the list of a repetition of a row; look = 0, 1, ... counts the rows.
typedef bool OutputTaker(Drawing *d, void *context, const DefinitionRow *row, int look,
                         const Numbers *numbers);

// The lists of all rows named by "rows", or of all rows.
static bool take_outputs(Drawing *d, OutputTaker *take, void *context) {
    int look = 0;
    for (int k = 0; k < d->definition->rows; k++) {
        const DefinitionRow *row = &d->definition->row[k];
        if (!drawing_wants(d, row))
            continue;
        int repeats = definition_repeats(d->definition, d->scale, row, d->error);
        bool good = repeats > 0;
        for (int i = 1; good && i <= repeats; i++) {
            Numbers numbers;
            good =
                read_output(d, row, i, &numbers) && (!numbers.count || take(d, context, row, look, &numbers));
            free(numbers.value);
        }
        if (!good)
            return false;
        look++;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Lines

// Moving means of `smooth` numbers, each standing in the middle of its numbers (counted from 1).
static void add_smooth(PlotSeries *series, const Numbers *numbers, size_t smooth) {
    size_t width = smooth < numbers->count ? smooth : numbers->count, count = numbers->count - width + 1;
    size_t drawn = count < LIST_POINTS ? count : LIST_POINTS;
    for (size_t k = 0; k < drawn; k++) {
        size_t first = plot_pick(k, drawn, count);
        plot_add(series, (double)first + ((double)width + 1) / 2,
                 gsl_stats_mean(numbers->value + first, 1, width));
    }
    plot_gap(series);
}

// The row that is being drawn. Of its repetitions, thin lines, the mean is drawn as a thick one, as far as
// all of them go.
typedef struct Lists {
    const DefinitionRow *row; // NULL: none yet
    PlotSeries *series;
    int look;
    size_t smooth;
    Numbers sum; // of the repetitions so far
    size_t repeats;
} Lists;

static const char *title_of(const Drawing *d, const Lists *lists) {
    const char *name = drawing_name(d, (size_t)lists->look);
    return name ? name : lists->row->label;
}

static void end_row(Drawing *d, Lists *lists) {
    if (lists->repeats > 1) {
        for (size_t k = 0; k < lists->sum.count; k++)
            lists->sum.value[k] /= (double)lists->repeats;
        add_smooth(plot_series(d->panel, plot_line_style(lists->look, 3.5), title_of(d, lists)), &lists->sum,
                   lists->smooth);
        snprintf(d->about, sizeof d->about, "thick lines are means of the repetitions");
    }
    free(lists->sum.value);
    lists->sum = (Numbers){0};
    lists->repeats = 0;
}

static bool add_to_sum(Drawing *d, Lists *lists, const Numbers *numbers) {
    Numbers *sum = &lists->sum;
    if (!lists->repeats++) {
        sum->value = calloc(numbers->count, sizeof *sum->value);
        sum->count = sum->value ? numbers->count : 0;
        if (!sum->value)
            return drawing_no_memory(d);
    }
    sum->count = numbers->count < sum->count ? numbers->count : sum->count;
    for (size_t k = 0; k < sum->count; k++)
        sum->value[k] += numbers->value[k];
    return true;
}

static bool take_list(Drawing *d, void *context, const DefinitionRow *row, int look, const Numbers *numbers) {
    Lists *lists = context;
    if (lists->row != row) {
        end_row(d, lists);
        lists->row = row;
        lists->look = look;
        lists->series = plot_series(d->panel, plot_line_style(look, row->repeat ? 0.7 : 2),
                                    row->repeat ? "" : title_of(d, lists));
    }
    add_smooth(lists->series, numbers, lists->smooth);
    return add_to_sum(d, lists, numbers);
}

bool drawing_lists(Drawing *d) {
    Lists lists = {.smooth = (size_t)d->keys.smooth};
    bool good = take_outputs(d, take_list, &lists);
    end_row(d, &lists);
    if (lists.smooth > 1) {
        size_t used = strlen(d->about);
        snprintf(d->about + used, sizeof d->about - used, "%smoving means of %zu", used ? ", " : "",
                 lists.smooth);
    }
    drawing_labels(d, "", d->keys.field);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Bars: a list of numbers that have names and no order, the largest on top

typedef struct Bar {
    double value;
    const char *name;
} Bar;

static int by_value(const void *a, const void *b) {
    const Bar *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value) - (x->value > y->value) : strcmp(x->name, y->name);
}

static void add_bars(Drawing *d, Bar *bar, size_t count) {
    enum { LINE = 17 }; // pixels
    PlotStyle style = {PLOT_ACROSS, PLOT_BLUE, 6, false, PLOT_DISC, 0.1};
    PlotSeries *series = plot_series(d->panel, style, "");
    qsort(bar, count, sizeof *bar, by_value);
    for (size_t k = 0; k < count; k++) {
        double at = -(double)k;
        plot_name(&d->panel->y, at, bar[k].name);
        plot_add_interval(series, bar[k].value, at, 0, bar[k].value);
    }
    d->panel->x.range = (PlotRange){0, count ? 1.04 * fmax(bar[0].value, 0) : 1};
    d->panel->x.exact = d->panel->y.exact = true;
    d->panel->y.range = (PlotRange){0.2 - (double)count, 0.8};
    d->panel->legend = PLOT_LEGEND_NONE;
    d->taller = count > 20 ? LINE * ((int)count - 20) : 0;
}

// "field" and "labels" are lists of equal length, such as features.*.share and features.*.name.
bool drawing_bars(Drawing *d) {
    const DefinitionRow *row = NULL;
    for (int k = 0; k < d->definition->rows && !row; k++)
        row = drawing_wants(d, &d->definition->row[k]) ? &d->definition->row[k] : NULL;
    char path[4096];
    json_t *json, *names = json_array();
    Numbers numbers = {0};
    Error why = {""};
    if (!names || !read_json(d, row, 1, path, &json)) {
        json_decref(names);
        return names ? false : drawing_no_memory(d);
    }
    bool good = !json ||
                (json_numbers(json, d->keys.field, false, &numbers, &why) &&
                 json_texts(json, d->keys.labels, names, &why)) ||
                error_set(d->error, "%.300s, the output of row \"%.60s\": %s", path, row->label, why.text);
    if (good && (numbers.count != json_array_size(names) || numbers.count > MAX_BARS))
        good = error_set(d->error, "%s: \"field\" and \"labels\" must be equally many, %d at most.",
                         d->definition->name, MAX_BARS);
    Bar *bar = calloc(numbers.count + 1, sizeof *bar);
    good = good && (bar || drawing_no_memory(d));
    for (size_t k = 0; good && k < numbers.count; k++)
        bar[k] = (Bar){numbers.value[k], json_string_value(json_array_get(names, k))};
    if (good && numbers.count)
        add_bars(d, bar, numbers.count);
    drawing_labels(d, d->keys.field, "");
    free(bar);
    free(numbers.value);
    json_decref(names);
    json_decref(json);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Histograms

typedef struct Histograms {
    HistogramRow row[MAX_HISTOGRAMS];
    double *value[MAX_HISTOGRAMS]; // owned
    int count, look;               // look: of the row last taken
} Histograms;

// The repetitions of a row belong together.
static bool take_numbers(Drawing *d, void *context, const DefinitionRow *row, int look,
                         const Numbers *numbers) {
    Histograms *all = context;
    if (!all->count || all->look != look) {
        if (all->count == MAX_HISTOGRAMS)
            return true;
        const char *name = drawing_name(d, (size_t)look);
        all->row[all->count++] = (HistogramRow){.label = name ? name : row->label, .mean = NAN};
        all->look = look;
    }
    HistogramRow *values = &all->row[all->count - 1];
    if (values->count + numbers->count > MAX_NUMBERS)
        return error_set(d->error, "%s: a histogram holds at most %d numbers.", d->definition->name,
                         MAX_NUMBERS);
    double *larger = realloc(all->value[all->count - 1], (values->count + numbers->count) * sizeof *larger);
    if (!larger)
        return drawing_no_memory(d);
    memcpy(larger + values->count, numbers->value, numbers->count * sizeof *larger);
    values->value = all->value[all->count - 1] = larger;
    values->count += numbers->count;
    return true;
}

bool drawing_histograms(Drawing *d) {
    Histograms all = {.count = 0};
    Histogram histogram = {0};
    char ylabel[64], width[32];
    bool good = take_outputs(d, take_numbers, &all) &&
                (!all.count || histogram_add(&histogram, d->panel, all.row, all.count, true) ||
                 error_set(d->error, "%s: the numbers are too large for a histogram.", d->definition->name));
    for (int k = 0; k < all.count; k++)
        free(all.value[k]);
    snprintf(ylabel, sizeof ylabel, "%% of them per %s %.30s", plot_number(histogram.width, 3, width),
             d->keys.xlabel ? d->keys.xlabel : "");
    drawing_labels(d, d->keys.field, ylabel);
    return good;
}
