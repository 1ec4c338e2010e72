// SPDX-License-Identifier: GPL-3.0-or-later
#include "reproduce/results.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json_lines.h"
#include "base/text.h"

static JsonLineFate take_line(void *context, const JsonLine *line, Error *error) {
    if (!json_array_append(context, (json_t *)line->object))
        return JSON_LINE_TAKEN;
    error_set(error, "Out of memory for line %" PRIu64 ".", line->number);
    return JSON_LINE_STOP;
}

static void count_skipped(void *context, const char *sentence) {
    (void)sentence;
    ++*(int *)context;
}

json_t *results_read(const char *path, int *skipped, Error *error) {
    json_t *lines = json_array();
    const JsonLinesReader reader = {take_line, lines, count_skipped, skipped};
    *skipped = 0;
    if (!lines)
        error_set(error, "Out of memory: cannot read %.300s.", path);
    else if ((access(path, F_OK) != 0 && errno == ENOENT) || json_lines_read(path, &reader, error))
        return lines;
    json_decref(lines);
    return NULL;
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
enum { TAKEN_INTERVAL = 4 }; // its place in the list, the last
static json_t *taken_of(const DefinitionRow *row) {
    static const char *const together[] = {
        [TOGETHER_MEAN] = "",
        [TOGETHER_SPREAD] = ", spread of the repetitions",
        [TOGETHER_GEOMETRIC] = ", geometric mean of the repetitions",
    };
    char how[300];
    snprintf(how, sizeof how, "%s%s%.200s%s", reduction_names[row->reduce], row->with ? " with " : "",
             row->with ? row->with : "", together[row->together]);
    return json_pack("[sss?s?s?]", row->value, how, row->divide, row->from, row->interval);
}

// Does the line hold a result of this row? The same commands and the same number: then it does, whatever row
// they were run for. Lines that do not say which number they took count for the row they name. -> commands,
// taken  of the row
static bool is_of(const json_t *line, const DefinitionRow *row, const json_t *commands, const json_t *taken,
                  Result *result) {
    const json_t *of = json_object_get(line, "taken");
    const char *label = json_string_value(json_object_get(line, "row"));
    for (size_t k = 0; of && k < json_array_size(taken); k++)
        if (!json_equal(json_array_get(of, k), json_array_get(taken, k)))
            return false;
    return label && (of || !strcmp(label, row->label)) &&
           json_equal(json_object_get(line, "commands"), commands) && read_result(line, result);
}

// -> whole  all repetitions, and the interval that the row asks for; else as many as there are, at least two,
//    and the interval that there is
static bool find(const json_t *lines, const Definition *definition, const char *scale,
                 const DefinitionRow *row, bool whole, Result *result) {
    json_t *commands = results_commands(definition, scale, row), *taken = taken_of(row);
    int wanted = definition_repeats(definition, scale, row, NULL), most = 0;
    int least = whole ? wanted : wanted < 2 ? wanted : 2;
    if (!whole)
        json_array_remove(taken, TAKEN_INTERVAL);
    for (size_t i = json_array_size(lines); commands && i-- > 0 && most < wanted;) {
        Result one;
        if (!is_of(json_array_get(lines, i), row, commands, taken, &one) || one.repeats > wanted ||
            one.repeats < least || one.repeats <= most)
            continue;
        most = one.repeats;
        *result = one;
    }
    json_decref(commands);
    json_decref(taken);
    return most > 0;
}

// How far an end of the interval is from the value, in logarithms; all are positive.
static double log_half(double value, double end) {
    return isnan(end) ? 0 : fabs(log(end / value));
}

// A number below 0, with all of its interval, as one above.
static Result turned(const Result *result) {
    Result other = *result;
    other.value = -result->value;
    other.interval = (Interval){-result->interval.high, -result->interval.low};
    return other;
}

// Numbers of one sign have a ratio with an interval; ends add up as independent ones in logarithms.
static bool make_ratio(const Result *over, const Result *under, Result *result) {
    if (under->value == 0)
        return false;
    if (over->value < 0 && under->value < 0) {
        Result a = turned(over), b = turned(under);
        return make_ratio(&a, &b, result);
    }
    Interval a = over->interval, b = under->interval;
    *result = (Result){.value = over->value / under->value,
                       .interval = {NAN, NAN},
                       .low = NAN,
                       .high = NAN,
                       .repeats = over->repeats < under->repeats ? over->repeats : under->repeats,
                       .seconds = over->seconds + under->seconds};
    bool known = !isnan(a.low) || !isnan(b.low), positive = over->value > 0 && under->value > 0;
    if (!known || !positive || a.low <= 0 || b.low <= 0)
        return true;
    result->interval.low =
        result->value * exp(-hypot(log_half(over->value, a.low), log_half(under->value, b.high)));
    result->interval.high =
        result->value * exp(hypot(log_half(over->value, a.high), log_half(under->value, b.low)));
    return true;
}

static bool find_any(const json_t *lines, const Definition *definition, const char *scale,
                     const DefinitionRow *row, bool whole, Result *result) {
    Result part[2];
    if (!row->ratio)
        return definition_has_scale(definition, scale) && find(lines, definition, scale, row, whole, result);
    for (int k = 0; k < 2; k++)
        if (!find_any(lines, definition, scale, &definition->row[row->over[k]], whole, &part[k]))
            return false;
    return make_ratio(&part[0], &part[1], result);
}

bool results_find(const json_t *lines, const Definition *definition, const char *scale,
                  const DefinitionRow *row, Result *result) {
    return find_any(lines, definition, scale, row, true, result);
}

bool results_reached(const json_t *lines, const Definition *definition, const char *scale,
                     const DefinitionRow *row, Result *result) {
    return find_any(lines, definition, scale, row, false, result);
}

int results_wanted(const json_t *lines, const Definition *definition, const char *scale,
                   const DefinitionRow *row, Result *result) {
    int wanted = definition_repeats(definition, scale, row, NULL);
    for (int k = 0; row->ratio && k < 2; k++) {
        const DefinitionRow *part = &definition->row[row->over[k]];
        int its = definition_repeats(definition, scale, part, NULL);
        Result found;
        if (!results_reached(lines, definition, scale, part, &found) ||
            (k && found.repeats * wanted >= result->repeats * its))
            continue;
        wanted = its;
        result->repeats = found.repeats;
    }
    return wanted;
}

static json_t *pair(double low, double high) {
    return isnan(low) || isnan(high) ? json_null()
                                     : json_pack("[oo]", isfinite(low) ? json_real(low) : json_null(),
                                                 isfinite(high) ? json_real(high) : json_null());
}

bool results_append(const char *path, const Definition *definition, const char *scale,
                    const DefinitionRow *row, const Result *result, Error *error) {
    json_t *line = json_pack(
        "{ss ss ss sf so so si sf so so}", "reproduction", definition->name, "row", row->label, "scale",
        scale, "value", result->value, "ci95", pair(result->interval.low, result->interval.high), "range",
        pair(result->low, result->high), "repeats", result->repeats, "seconds", result->seconds, "commands",
        results_commands(definition, scale, row), "taken", taken_of(row));
    JsonLines *lines = json_lines_open(path, error);
    bool good = lines && json_lines_append(lines, json_incref(line), error) && json_lines_sync(lines, error);
    json_lines_close(lines);
    json_decref(line);
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

// The unit behind a number: none where the number or the row's label says it already.
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
    int at =
        snprintf(text, RESULTS_TEXT, "%s%s%.30s", show_number(result->value, unit, value), space, behind);
    if (!isnan(result->interval.low) && !isnan(result->interval.high))
        snprintf(text + at, RESULTS_TEXT - (size_t)at, " (%s .. %s)",
                 show_number(result->interval.low, unit, low),
                 show_number(result->interval.high, unit, high));
    return text;
}

static const char *show_statement(const PublishedValue *published, const char *unit, char *text) {
    char low[24], high[24];
    Interval holds = published->interval;
    show_number(holds.low, unit, low);
    show_number(holds.high, unit, high);
    if (isinf(holds.low))
        snprintf(text, RESULTS_TEXT, "at most %s", high);
    else if (isinf(holds.high))
        snprintf(text, RESULTS_TEXT, "at least %s", low);
    else
        snprintf(text, RESULTS_TEXT, "%s .. %s", low, high);
    return text;
}

const char *results_show_published(const PublishedValue *published, const char *unit, char *text) {
    char value[24], low[24], high[24];
    bool range = published->kind == PUBLISHED_RANGE;
    const char *from = published->text.implied              ? ", implied"
                       : published->kind == PUBLISHED_ALONE ? published->text.cut ? ", cut" : ", rounded"
                                                            : "";
    if (published->kind == PUBLISHED_STATEMENT)
        return show_statement(published, unit, text);
    show_number(published->value, unit, value);
    show_number(published->interval.low, unit, low);
    show_number(published->interval.high, unit, high);
    bool exact = !strcmp(low, high); // with the digits that are shown
    if (isnan(published->interval.low) || exact)
        snprintf(text, RESULTS_TEXT, "%s", published->kind == PUBLISHED_NOT ? "-" : value);
    else if (range)
        snprintf(text, RESULTS_TEXT, "%s .. %s", low, high);
    else
        snprintf(text, RESULTS_TEXT, "%s (%s .. %s%s)", value, low, high, from);
    return text;
}
