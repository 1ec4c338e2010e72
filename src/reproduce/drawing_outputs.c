// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions that show lists in the outputs of commands: "list" and "histogram".
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json_parse.h"
#include "base/text.h"
#include "plot/histogram.h"
#include "reproduce/command.h"
#include "reproduce/drawing_kinds.h"

enum {
    MAX_HISTOGRAMS = 8,    // in one picture
    MAX_NUMBERS = 1 << 23, // of one of them
    LIST_POINTS = 500,     // of a line
    OUTPUT_LIMIT = 8 << 20 // bytes; JSON needs up to a hundred times as much memory
};

// The list "field" in the output of the row's last command, repetition i = 1, 2, ...
// <- numbers  free() its value; none, if there is no such file
static bool read_output(const Drawing *d, const DefinitionRow *row, int i, Numbers *numbers) {
    const char *command =
        json_string_value(json_array_get(row->commands, json_array_size(row->commands) - 1));
    char path[4096], *name = definition_expand(d->definition, d->scale, command, d->definition->name, i);
    struct stat status;
    Error why = {""};
    size_t length = 0;
    *numbers = (Numbers){0};
    if (!name)
        return drawing_no_memory(d);
    command_output(d->dir, name, path);
    free(name);
    if (stat(path, &status))
        return true;
    if (!S_ISREG(status.st_mode) || status.st_size > OUTPUT_LIMIT)
        return error_set(d->error, "%.300s is no file that can be drawn: it is no plain file, or too large.",
                         path);
    char *text = text_read_file(path, &length, d->error);
    json_t *json = text ? json_parse(path, text, length, d->error) : NULL;
    bool good =
        json && (json_numbers(json, d->keys.field, false, numbers, &why) ||
                 error_set(d->error, "%.300s, the output of row \"%.60s\": %s", path, row->label, why.text));
    json_decref(json);
    free(text);
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

typedef struct Lists {
    PlotSeries *series; // of the row last taken
    int look;
    size_t smooth;
} Lists;

static bool take_list(Drawing *d, void *context, const DefinitionRow *row, int look, const Numbers *numbers) {
    Lists *lists = context;
    if (!lists->series || lists->look != look)
        lists->series = plot_series(d->panel, plot_line_style(look, row->repeat ? 1 : 2), row->label);
    lists->look = look;
    add_smooth(lists->series, numbers, lists->smooth);
    return true;
}

bool drawing_lists(Drawing *d) {
    Lists lists = {.smooth = (size_t)d->keys.smooth};
    if (lists.smooth > 1)
        snprintf(d->about, sizeof d->about, "moving means of %zu", lists.smooth);
    drawing_labels(d, "", d->keys.field);
    return take_outputs(d, take_list, &lists);
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
        all->row[all->count++] = (HistogramRow){.label = row->label, .mean = NAN};
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
    snprintf(ylabel, sizeof ylabel, "%% per %s", plot_number(histogram.width, 3, width));
    drawing_labels(d, d->keys.field, ylabel);
    return good;
}
