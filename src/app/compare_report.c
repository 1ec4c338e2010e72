// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/app.h"
#include "app/play_report.h"
#include "base/fields_json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "measure/distribution.h"

// ---------------------------------------------------------------------------------------------------
// Ratios

static bool scores_are_exponential(const Playing *games) {
    DistributionFit fit;
    return distribution_fit(&fit, games->score, games->games, 1, NULL) && distribution_is_exponential(&fit);
}

static void count_games(const Playing *games, uint64_t *ended, double *lines) {
    *ended = 0;
    *lines = 0;
    for (uint64_t i = 0; i < games->games; i++) {
        *ended += !games->score[i].censored;
        *lines += (double)games->score[i].lines;
    }
}

// <- mean of b / mean of a, with the interval that fits the two measurements (measure/ratio.h): the exact one
// for games whose scores are near exponential.
static Ratio compare_ratio(const Measurement *a, const Measurement *b) {
    if (a->method == MEASURE_GAMES && b->method == MEASURE_GAMES && scores_are_exponential(&a->games) &&
        scores_are_exponential(&b->games)) {
        uint64_t ended_a, ended_b;
        double lines_a, lines_b;
        count_games(&a->games, &ended_a, &lines_a);
        count_games(&b->games, &ended_b, &lines_b);
        return ratio_exponential(ended_a, lines_a, ended_b, lines_b);
    }
    return ratio_combine(a->mean_lines, a->interval, b->mean_lines, b->interval);
}

// Players that never lost come first; equal ones keep their order.
static bool is_better(const Compared *a, const Compared *b) {
    return a->measurement.mean_lines > b->measurement.mean_lines;
}

void compare_rank(Compared *list, int count) {
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && is_better(&list[k], &list[k - 1]); k--) {
            Compared swap = list[k];
            list[k] = list[k - 1];
            list[k - 1] = swap;
        }
    for (int i = 0; i < count; i++) {
        list[i].is_best = i == 0;
        list[i].ratio = i ? compare_ratio(&list[0].measurement, &list[i].measurement) : (Ratio){1, {1, 1}};
    }
}

static Ratio inverse(const Ratio *ratio) {
    return (Ratio){1 / ratio->value, {1 / ratio->interval.high, 1 / ratio->interval.low}};
}

// -> better, worse  what to say if the interval lies above 1, and below it
static const char *verdict(const Ratio *ratio, const char *better, const char *worse) {
    return ratio->interval.low > 1 ? better : ratio->interval.high < 1 ? worse : "undecided";
}

static const char *rank_verdict(const Compared *compared) {
    return compared->is_best ? "best" : verdict(&compared->ratio, "better", "worse");
}

void compare_ratio_text(const Ratio *ratio, char out[COMPARE_RATIO_TEXT]) {
    double half = (ratio->interval.high - ratio->interval.low) / 2;
    if (isnan(ratio->value)) {
        snprintf(out, COMPARE_RATIO_TEXT, "unknown");
    } else if (!isfinite(half)) {
        snprintf(out, COMPARE_RATIO_TEXT, "%.2g (above %.2g)", ratio->value, ratio->interval.low);
    } else {
        // One digit of the half width, two if the first one is a 1.
        int digits = half > 0 ? -(int)floor(log10(half)) : 2;
        digits += half > 0 && half * pow(10, digits) < 1.95;
        digits = digits < 0 ? 0 : digits > 6 ? 6 : digits;
        snprintf(out, COMPARE_RATIO_TEXT, "%.*f (%.*f .. %.*f)", digits, ratio->value, digits,
                 ratio->interval.low, digits, ratio->interval.high);
    }
}

// ---------------------------------------------------------------------------------------------------
// For people

static const char *mean_text(double mean, char out[24]) {
    return isfinite(mean) ? text_count(mean, out) : "unknown";
}

static const char *ratio_text(const Compared *compared, char out[COMPARE_RATIO_TEXT]) {
    compare_ratio_text(&compared->ratio, out);
    return compared->is_best ? "1" : out;
}

void compare_print_table(FILE *out, const Compared *list, int count) {
    Table table = {.out = out};
    char text[COMPARE_RATIO_TEXT], number[24];
    int names = (int)strlen("strategy");
    for (int i = 0; i < count; i++)
        names = table_wider(names, list[i].name);
    const TableColumn columns[] = {{"strategy", -names}, {"mean lines", 10}, {"95 % interval", 19},
                                   {"ratio", 22},        {"method", 9},      {"pieces", 8},
                                   {"pieces/s", 8}};
    TABLE_HEAD(&table, columns);
    for (const Compared *compared = list; compared < list + count; compared++) {
        const Measurement *measurement = &compared->measurement;
        table_cell(&table, "%s", compared->name);
        table_cell(&table, "%s", mean_text(measurement->mean_lines, number));
        table_cell(&table, "%s", report_interval(measurement->interval, text));
        table_cell(&table, "%s", ratio_text(compared, text));
        table_cell(&table, "%s", measure_method_words[measurement->method]);
        table_count(&table, (double)measurement->pieces);
        table_count(&table, (double)measurement->pieces / measurement->seconds);
    }
}

void compare_print_sentences(FILE *out, const Compared *list, int count) {
    char text[COMPARE_RATIO_TEXT];
    fputc('\n', out);
    for (int i = 1; i < count; i++) {
        Ratio ratio = inverse(&list[i].ratio);
        compare_ratio_text(&ratio, text);
        if (isnan(ratio.value))
            utf8_print(out, "%s and %s: too little is known for a ratio.\n", list[0].name, list[i].name);
        else if (ratio.interval.low > 1)
            utf8_print(out, "%s makes %s times as many lines as %s.\n", list[0].name, text, list[i].name);
        else
            utf8_print(out,
                       "%s and %s cannot be told apart: the ratio is %s, and 1 is in its interval; a smaller "
                       "--precision may decide.\n",
                       list[0].name, list[i].name, text);
    }
    for (int i = 0; i < count; i++) {
        if (list[i].measurement.interrupted && !*list[i].measurement.note)
            utf8_print(out, "%s: interrupted; this is what is known so far.\n", list[i].name);
        if (*list[i].measurement.note)
            utf8_print(out, "%s: %s\n", list[i].name, list[i].measurement.note);
    }
}

// ---------------------------------------------------------------------------------------------------
// For programs

static void add_ratio(json_t *object, const Ratio *ratio, const char *decision) {
    json_object_set_new(object, "ratio", json_finite(ratio->value));
    json_object_set_new(object, "ci95", json_pair(ratio->interval.low, ratio->interval.high));
    json_object_set_new(object, "decision", json_string(decision));
}

static json_t *measurement_json(const Compared *compared) {
    const Measurement *measurement = &compared->measurement;
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(compared->name));
    json_object_set_new(object, "method", json_string(measure_method_words[measurement->method]));
    json_object_set_new(object, "mean_lines", json_finite(measurement->mean_lines));
    json_object_set_new(object, "mean_ci95",
                        json_pair(measurement->interval.low, measurement->interval.high));
    json_object_set_new(object, "pieces", json_whole(measurement->pieces));
    json_object_set_new(object, "seconds", json_real(measurement->seconds));
    json_object_set_new(object, "interrupted", json_boolean(measurement->interrupted));
    return object;
}

void compare_json_context(json_t *object, const CompareContext *context) {
    json_t *rules = json_object();
    fields_save(rules_fields, context->rules, rules);
    json_object_set(object, "piece_source", json_object_get(rules, "pieces"));
    json_object_del(rules, "pieces"); // the number of pieces has this name
    json_object_update(object, rules);
    json_decref(rules);
    json_object_set_new(object, "seed", json_whole(context->seed));
    json_object_set_new(object, "kernel", json_string(context->kernel));
    json_object_set_new(object, "version", json_string(TETRALAB_VERSION));
}

static json_t *pair_json(const Compared *list, const char *first, const CompareContext *context) {
    int a = list[0].name == first ? 0 : 1;
    Ratio ratio = compare_ratio(&list[a].measurement, &list[1 - a].measurement);
    json_t *object = json_object(), *array = json_array();
    json_object_set_new(object, "strategy", json_name(list[1 - a].name));
    json_object_set_new(object, "reference", json_name(list[a].name));
    add_ratio(object, &ratio, verdict(&ratio, "better", "worse"));
    json_array_append_new(array, measurement_json(&list[a]));
    json_array_append_new(array, measurement_json(&list[1 - a]));
    json_object_set_new(object, "measurements", array);
    compare_json_context(object, context);
    return object;
}

json_t *compare_json(const Compared *list, int count, const char *first, const CompareContext *context) {
    if (count == 2)
        return pair_json(list, first, context);
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_t *object = measurement_json(&list[i]);
        json_object_set_new(object, "reference", json_name(list[0].name));
        add_ratio(object, &list[i].ratio, rank_verdict(&list[i]));
        compare_json_context(object, context);
        json_array_append_new(array, object);
    }
    return array;
}

// ---------------------------------------------------------------------------------------------------
// Tables for other programs

static void fill_csv(Table *table, const Compared *list, int count) {
    static const TableColumn columns[] = {{"strategy"},  {"method"}, {"mean_lines"}, {"mean_low"},
                                          {"mean_high"}, {"ratio"},  {"ratio_low"},  {"ratio_high"},
                                          {"decision"},  {"pieces"}};
    TABLE_HEAD(table, columns);
    for (const Compared *compared = list; compared < list + count; compared++) {
        const Measurement *measurement = &compared->measurement;
        table_cell(table, "%s", compared->name);
        table_cell(table, "%s", measure_method_words[measurement->method]);
        table_number(table, measurement->mean_lines);
        table_number(table, measurement->interval.low);
        table_number(table, measurement->interval.high);
        table_number(table, compared->ratio.value);
        table_number(table, compared->ratio.interval.low);
        table_number(table, compared->ratio.interval.high);
        table_cell(table, "%s", rank_verdict(compared));
        table_cell(table, "%" PRIu64, measurement->pieces);
    }
}

void compare_fill_table(Table *table, const void *rows, int count) {
    static const TableColumn columns[] = {{"strategy", -1},      {"mean lines"},   {"95 % interval"},
                                          {"ratio to the best"}, {"decision", -1}, {"method", -1}};
    const Compared *list = rows;
    char text[COMPARE_RATIO_TEXT], number[24];
    if (table->form == TABLE_CSV) {
        fill_csv(table, list, count);
        return;
    }
    TABLE_HEAD(table, columns);
    for (const Compared *compared = list; compared < list + count; compared++) {
        const Measurement *measurement = &compared->measurement;
        table_name(table, compared->name);
        table_cell(table, "%s", mean_text(measurement->mean_lines, number));
        table_cell(table, "%s", report_interval(measurement->interval, text));
        table_cell(table, "%s", ratio_text(compared, text));
        table_cell(table, "%s", rank_verdict(compared));
        table_cell(table, "%s", measure_method_words[measurement->method]);
    }
}
