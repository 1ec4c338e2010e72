// SPDX-License-Identifier: GPL-3.0-or-later
#include "reproduce/results.h"

#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_parse.h"
#include "base/text.h"

json_t *results_read(const char *path, int *skipped, Error *error) {
    json_t *lines = json_array();
    size_t length = 0;
    *skipped = 0;
    if (access(path, F_OK) != 0 && errno == ENOENT)
        return lines;
    char *text = text_read_file(path, &length, error);
    if (!text || !lines) {
        json_decref(lines);
        free(text);
        return NULL;
    }
    for (size_t start = 0, end; start < length; start = end + 1) {
        const char *newline = memchr(text + start, '\n', length - start);
        end = newline ? (size_t)(newline - text) : length;
        json_t *line = newline && end > start ? json_parse(path, text + start, end - start, NULL) : NULL;
        if (!line || json_array_append_new(lines, line))
            ++*skipped;
    }
    free(text);
    return lines;
}

json_t *results_commands(const Definition *definition, const char *scale, const DefinitionRow *row) {
    json_t *list = json_array();
    for (size_t i = 0; list && i < json_array_size(row->commands); i++) {
        char *text = definition_expand(definition, scale, json_string_value(json_array_get(row->commands, i)),
                                       definition->name, 0);
        if (!text || json_array_append_new(list, json_string(text))) {
            json_decref(list);
            list = NULL;
        }
        free(text);
    }
    return list;
}

void results_sum_up(Result *result, const double *value, int count) {
    size_t n = (size_t)count;
    double mean = gsl_stats_mean(value, 1, n);
    double half = gsl_cdf_tdist_Pinv(0.975, count - 1) * gsl_stats_sd(value, 1, n) / sqrt(count);
    result->value = mean;
    result->interval = (Interval){mean - half, mean + half};
    gsl_stats_minmax(&result->low, &result->high, value, 1, n);
    result->repeats = count;
}

static double number_or_nan(const json_t *json) {
    return json_is_number(json) ? json_number_value(json) : NAN;
}

// The end of an interval: null is an end that is not known.
static double end_of(const json_t *interval, size_t k, double unknown) {
    const json_t *end = json_array_get(interval, k);
    return json_is_null(end) ? unknown : number_or_nan(end);
}

static bool read_result(const json_t *line, Result *result) {
    const json_t *interval = json_object_get(line, "ci95"), *range = json_object_get(line, "range");
    *result = (Result){.value = number_or_nan(json_object_get(line, "value")),
                       .interval = {end_of(interval, 0, -INFINITY), end_of(interval, 1, INFINITY)},
                       .low = number_or_nan(json_array_get(range, 0)),
                       .high = number_or_nan(json_array_get(range, 1)),
                       .seconds = number_or_nan(json_object_get(line, "seconds"))};
    double repeats = number_or_nan(json_object_get(line, "repeats"));
    result->repeats = repeats >= 1 && repeats <= DEFINITION_MAX_REPEATS ? (int)repeats : 1;
    return !isnan(result->value);
}

// Which number the row takes: the same commands may give several.
static json_t *taken_of(const DefinitionRow *row) {
    return json_pack("[sss?s?s?]", row->value, reduction_names[row->reduce], row->divide, row->from,
                     row->interval);
}

bool results_find(const json_t *lines, const Definition *definition, const char *scale,
                  const DefinitionRow *row, Result *result) {
    json_t *commands = results_commands(definition, scale, row), *taken = taken_of(row);
    int repeats = definition_repeats(definition, scale, row, NULL);
    bool found = false;
    for (size_t i = json_array_size(lines); commands && i-- > 0 && !found;) {
        const json_t *line = json_array_get(lines, i);
        const json_t *of = json_object_get(line, "taken"); // lines that do not say it count
        const char *label = json_string_value(json_object_get(line, "row"));
        found = label && !strcmp(label, row->label) && (!of || json_equal(of, taken)) &&
                json_equal(json_object_get(line, "commands"), commands) && read_result(line, result) &&
                result->repeats == repeats;
    }
    json_decref(commands);
    json_decref(taken);
    return found;
}

static json_t *pair(double low, double high) {
    return isnan(low) || isnan(high) ? json_null()
                                     : json_pack("[oo]", isfinite(low) ? json_real(low) : json_null(),
                                                 isfinite(high) ? json_real(high) : json_null());
}

// Behind a line that was cut off by a crash, a new one begins. Everything is written at once: another program
// may append to the same file.
static bool append_line(const char *path, const char *text, Error *error) {
    int file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    off_t end = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    size_t size = strlen(text) + 3;
    char last = '\n', *line = malloc(size);
    bool good = file >= 0 && line && end >= 0 && (end == 0 || pread(file, &last, 1, end - 1) == 1);
    if (good) {
        int length = snprintf(line, size, "%s%s\n", last == '\n' ? "" : "\n", text);
        errno = ENOSPC; // what a short write means
        good = write(file, line, (size_t)length) == length && fsync(file) == 0;
    }
    if (!good)
        error_set(error, "The result cannot be written to %.300s: %s.", path, strerror(errno));
    if (file >= 0)
        close(file);
    free(line);
    return good;
}

bool results_append(const char *path, const Definition *definition, const char *scale,
                    const DefinitionRow *row, const Result *result, Error *error) {
    json_t *line = json_pack(
        "{ss ss ss sf so so si sf so so}", "reproduction", definition->name, "row", row->label, "scale",
        scale, "value", result->value, "ci95", pair(result->interval.low, result->interval.high), "range",
        pair(result->low, result->high), "repeats", result->repeats, "seconds", result->seconds, "commands",
        results_commands(definition, scale, row), "taken", taken_of(row));
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(9)) : NULL;
    bool good = text ? append_line(path, text, error) : error_set(error, "There is no memory for a result.");
    json_decref(line);
    free(text);
    return good;
}

// -------------------------------------------------------------------------------------------------------
// As people read them

static const char *show_number(double value, const char *unit, char text[24]) {
    if (!strcmp(unit, "%"))
        snprintf(text, 24, "%.1f %%", 100 * value);
    else if (fabs(value) >= (strcmp(unit, "lines") ? 10000 : 1000))
        text_count(value, text);
    else
        snprintf(text, 24, "%.4g", value);
    return text;
}

// What is written behind a number: nothing where the number or the row's label says it.
static const char *shown_unit(const char *unit) {
    static const char *const silent[] = {"lines", "%", "ratio", "times", "weight"};
    for (size_t i = 0; i < sizeof silent / sizeof *silent; i++)
        if (!strcmp(unit, silent[i]))
            return "";
    return unit;
}

const char *results_show(const Result *result, const char *unit, char *text) {
    char value[24], low[24], high[24];
    const char *behind = shown_unit(unit), *space = *behind ? " " : "";
    show_number(result->value, unit, value);
    if (isnan(result->interval.low) || isnan(result->interval.high))
        snprintf(text, RESULTS_TEXT, "%s%s%.30s", value, space, behind);
    else
        snprintf(text, RESULTS_TEXT, "%s%s%.30s (%s .. %s)", value, space, behind,
                 show_number(result->interval.low, unit, low),
                 show_number(result->interval.high, unit, high));
    return text;
}

const char *results_show_published(const PublishedValue *published, const char *unit, char *text) {
    char value[24], low[24], high[24];
    show_number(published->value, unit, value);
    if (published->kind == PUBLISHED_NOT) {
        snprintf(text, RESULTS_TEXT, "-");
    } else if (isnan(published->interval.low) || published->interval.low == published->interval.high) {
        snprintf(text, RESULTS_TEXT, "%s", value);
    } else {
        show_number(published->interval.low, unit, low);
        show_number(published->interval.high, unit, high);
        if (published->kind == PUBLISHED_RANGE)
            snprintf(text, RESULTS_TEXT, "%s .. %s", low, high);
        else
            snprintf(text, RESULTS_TEXT, "%s (%s .. %s)", value, low, high);
    }
    return text;
}

Verdict results_verdict(const DefinitionRow *row, const char *scale, const Result *result) {
    return definition_incomparable(row, scale) ? VERDICT_INCOMPARABLE
                                               : verdict_of(&row->published, result->value, result->interval);
}
