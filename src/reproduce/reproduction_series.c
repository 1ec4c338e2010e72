// SPDX-License-Identifier: GPL-3.0-or-later
#include "reproduce/reproduction_series.h"

#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_parse.h"
#include "base/lines.h"
#include "base/text.h"
#include "learn/run_files.h"
#include "learn/run_folder.h"
#include "plot/curves_data.h"
#include "reproduce/command.h"

enum {
    MAX_GENERATIONS = 1 << 20, // read from one journal
    MAX_VALUES = 1 << 23,
    MAX_WIDTH = 1000,      // numbers of a list in a journal
    OUTPUT_LIMIT = 8 << 20 // bytes; JSON needs up to a hundred times as much memory
};

// ---------------------------------------------------------------------------------------------------
// Reading a journal

typedef struct Reading {
    Series *series;
    const char *field, *x;
    ObjectiveKind kind; // of the folder's scores, if the field is one; games: numbers stay as they are
    size_t point_room, value_room;
} Reading;

// <- false: no memory, or too much in the file
static bool add_point(Reading *reading, SeriesPoint point, const Numbers *numbers) {
    Series *series = reading->series;
    point.first = series->values;
    point.size = numbers->count < MAX_WIDTH ? (int)numbers->count : MAX_WIDTH;
    if (series->count >= MAX_GENERATIONS || series->values + (size_t)point.size > MAX_VALUES)
        return false;
    if ((size_t)series->count == reading->point_room) {
        size_t room = reading->point_room ? 2 * reading->point_room : 256;
        SeriesPoint *larger = realloc(series->point, room * sizeof *larger);
        if (!larger)
            return false;
        series->point = larger;
        reading->point_room = room;
    }
    if (series->values + (size_t)point.size > reading->value_room) {
        size_t room = 2 * reading->value_room + MAX_WIDTH;
        double *larger = realloc(series->value, room * sizeof *larger);
        if (!larger)
            return false;
        series->value = larger;
        reading->value_room = room;
    }
    for (int k = 0; k < point.size; k++)
        series->value[series->values++] = objective_lines(reading->kind, numbers->value[k]);
    series->point[series->count++] = point;
    return true;
}

static bool take_line(Reading *reading, const char *text, size_t length) {
    json_t *json = json_parse("journal.jsonl", text, length, NULL);
    double run = json_number_value(json_object_get(json, "run"));
    const json_t *generation = json_object_get(json, "generation"), *x = json_object_get(json, reading->x);
    Numbers numbers = {0};
    bool good = true;
    if (run >= 1 && run <= LEARNING_MAX_RUNS && json_is_number(generation) && json_is_number(x) &&
        json_numbers(json, reading->field, &numbers, NULL))
        good = add_point(reading,
                         (SeriesPoint){.run = (int)run,
                                       .generation = json_number_value(generation),
                                       .x = json_number_value(x)},
                         &numbers);
    free(numbers.value);
    json_decref(json);
    return good;
}

static bool read_lines(Reading *reading, int file, const char *path, Error *error) {
    LineReader lines;
    const char *text;
    size_t length;
    LineEvent event = LINE_WAIT;
    bool good = lines_open(&lines, file, RUN_LINE_LIMIT, error);
    while (good && event != LINE_END) {
        event = lines_next(&lines, &text, &length);
        if (event == LINE_WAIT && !lines_fill(&lines, NULL))
            good = error_set(error, "cannot read %.300s: %s.", path, strerror(errno));
        if (event == LINE_TAKEN && !take_line(reading, text, length))
            good = error_set(error, "%.300s holds more generations than can be drawn, or there is no memory.",
                             path);
    }
    lines_close(&lines);
    return good;
}

// Generations that come again, as after a crash, come after those that they replace.
static int by_run(const void *a, const void *b) {
    const SeriesPoint *p = a, *q = b;
    return p->run != q->run ? (p->run > q->run) - (p->run < q->run)
           : p->generation != q->generation
               ? (p->generation > q->generation) - (p->generation < q->generation)
               : (p->first > q->first) - (p->first < q->first);
}

static bool order_points(Series *series) {
    int kept = 0;
    if (series->count)
        qsort(series->point, (size_t)series->count, sizeof *series->point, by_run);
    for (int k = 0; k < series->count; k++) {
        const SeriesPoint *next = k + 1 < series->count ? &series->point[k + 1] : NULL;
        if (!next || next->run != series->point[k].run || next->generation != series->point[k].generation)
            series->point[kept++] = series->point[k];
    }
    series->count = kept;
    if (!(series->first = calloc(LEARNING_MAX_RUNS + 1, sizeof *series->first)))
        return false;
    for (int k = 0; k < series->count; k++)
        if (!k || series->point[k].run != series->point[k - 1].run)
            series->first[series->runs++] = k;
    series->first[series->runs] = series->count;
    return true;
}

static bool is_score(const char *field) {
    static const char *const names[] = {"best", "mean", "worst", "curve"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(field, names[k]))
            return true;
    return false;
}

// What the folder's scores are; without its plan they count as lines.
static ObjectiveKind kind_of(const char *folder) {
    LearningPlan plan = {0};
    ObjectiveKind kind = run_folder_plan(folder, &plan, NULL) ? plan.objective.kind : OBJECTIVE_GAMES;
    learning_plan_free(&plan);
    return kind;
}

// <- -1: there is no such file, or the error says why it cannot be read
static int open_file(const char *path, off_t limit, Error *error) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe would be waited for
    struct stat status;
    if (file < 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            error_set(error, "cannot read %.300s: %s.", path, strerror(errno));
        return -1;
    }
    if (!fstat(file, &status) && S_ISREG(status.st_mode) && (!limit || status.st_size <= limit))
        return file;
    close(file);
    error_set(error, "%.300s is no file that can be drawn: it is no plain file, or too large.", path);
    return -1;
}

bool series_read(Series *series, const char *folder, const char *field, bool evaluations, Error *error) {
    *series = (Series){0};
    Error why = {""};
    char path[4096];
    Reading reading = {.series = series,
                       .field = field,
                       .x = evaluations ? "evaluations" : "generation",
                       .kind = is_score(field) ? kind_of(folder) : OBJECTIVE_GAMES};
    if (snprintf(path, sizeof path, "%s/journal.jsonl", folder) >= (int)sizeof path)
        return error_set(error, "The name of the folder %.200s... is too long.", folder);
    int file = open_file(path, 0, &why);
    bool good = !*why.text || error_set(error, "%s", why.text);
    if (file >= 0) {
        good = read_lines(&reading, file, path, error);
        close(file);
    }
    return good && (order_points(series) || error_set(error, "There is no memory to read %.300s.", path));
}

void series_free(Series *series) {
    free(series->point);
    free(series->value);
    free(series->first);
    *series = (Series){0};
}

// ---------------------------------------------------------------------------------------------------
// Lines

int series_width(const Series *series, int run) {
    int width = 0;
    for (int k = series->first[run]; k < series->first[run + 1]; k++)
        width = series->point[k].size > width ? series->point[k].size : width;
    return width;
}

double series_value(const Series *series, int point, int component) {
    const SeriesPoint *p = &series->point[point];
    return component < p->size ? series->value[p->first + (size_t)component] : NAN;
}

size_t series_pick(size_t k, size_t drawn, size_t count) {
    return drawn < 2 ? count - 1 : (size_t)((double)k * (double)(count - 1) / (double)(drawn - 1));
}

static size_t drawn_of(size_t count) {
    return count < SERIES_MAX_POINTS ? count : SERIES_MAX_POINTS;
}

void series_run(const Series *series, int run, int component, SeriesLine *line) {
    size_t count = (size_t)(series->first[run + 1] - series->first[run]);
    line->count = (int)drawn_of(count);
    for (int k = 0; k < line->count; k++) {
        int point = series->first[run] + (int)series_pick((size_t)k, (size_t)line->count, count);
        line->x[k] = series->point[point].x;
        line->y[k] = series_value(series, point, component);
    }
}

// All x, each once. <- free() them; NULL: no memory
static double *all_x(const Series *series, size_t *count) {
    double *x = malloc(((size_t)series->count + 1) * sizeof *x);
    *count = 0;
    if (!x)
        return NULL;
    for (int k = 0; k < series->count; k++)
        x[k] = series->point[k].x;
    gsl_sort(x, 1, (size_t)series->count);
    for (int k = 0; k < series->count; k++)
        if (!k || x[k] != x[k - 1])
            x[(*count)++] = x[k];
    return x;
}

// The median of what the runs have reached at x, once half of them have begun. -> at  the point of each run,
// going on from call to call
static double median_at(const Series *series, double x, int *at, double *scratch) {
    int count = 0;
    for (int run = 0; run < series->runs; run++) {
        int end = series->first[run + 1];
        while (at[run] + 1 < end && series->point[at[run] + 1].x <= x)
            at[run]++;
        double value = series->point[at[run]].x <= x ? series_value(series, at[run], 0) : NAN;
        if (!isnan(value))
            scratch[count++] = value;
    }
    return 2 * count < series->runs ? NAN : curves_median(scratch, count);
}

bool series_median(const Series *series, SeriesLine *line) {
    size_t count;
    double *x = all_x(series, &count), *scratch = calloc((size_t)series->runs + 1, sizeof *scratch);
    int *at = calloc((size_t)series->runs + 1, sizeof *at);
    bool good = x && scratch && at;
    line->count = good ? (int)drawn_of(count) : 0;
    for (int run = 0; good && run < series->runs; run++)
        at[run] = series->first[run];
    for (int k = 0; k < line->count; k++) {
        line->x[k] = x[series_pick((size_t)k, (size_t)line->count, count)];
        line->y[k] = median_at(series, line->x[k], at, scratch);
    }
    free(x);
    free(scratch);
    free(at);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Outputs

// <- free() it; NULL: there is no such file, or the error says why it cannot be read
static char *read_output(const char *path, size_t *length, Error *error) {
    int file = open_file(path, OUTPUT_LIMIT, error);
    if (file < 0)
        return NULL;
    close(file);
    return text_read_file(path, length, error);
}

bool series_output(const Definition *definition, const char *scale, const char *dir, const DefinitionRow *row,
                   int i, const char *field, Numbers *numbers, Error *error) {
    *numbers = (Numbers){0};
    size_t last = json_array_size(row->commands), length = 0;
    const char *command = json_string_value(json_array_get(row->commands, last - 1));
    char path[4096], *name = definition_expand(definition, scale, command, definition->name, i);
    Error why = {""};
    if (!name)
        return error_set(error, "There is no memory for the plot of %s.", definition->name);
    command_output(dir, name, path);
    free(name);
    char *text = read_output(path, &length, &why);
    if (!text)
        return !*why.text || error_set(error, "%s", why.text);
    json_t *json = json_parse(path, text, length, error);
    free(text);
    if (!json)
        return false;
    bool good = json_numbers(json, field, numbers, &why) ||
                error_set(error, "%.300s, the output of row \"%.60s\": %s", path, row->label, why.text);
    json_decref(json);
    return good;
}

void series_smooth(const Numbers *numbers, size_t smooth, SeriesLine *line) {
    size_t width = smooth < 1 ? 1 : smooth < numbers->count ? smooth : numbers->count;
    size_t count = numbers->count ? numbers->count - width + 1 : 0;
    line->count = (int)drawn_of(count);
    for (int k = 0; k < line->count; k++) {
        size_t first = series_pick((size_t)k, (size_t)line->count, count);
        double sum = 0;
        for (size_t n = 0; n < width; n++)
            sum += numbers->value[first + n];
        line->x[k] = (double)first + ((double)width + 1) / 2;
        line->y[k] = sum / (double)width;
    }
}
