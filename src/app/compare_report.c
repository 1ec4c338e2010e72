// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare_report.h"
#include "base/fields_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/play_report.h"
#include "base/text.h"
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

Ratio compare_ratio(const Measurement *a, const Measurement *b) {
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

enum { MEAN = 10, RANGE = 19, RATIO = 22, METHOD = 9, COST = 8, SPEED = 8 };

static void print_cell(FILE *out, const char *text, int width) {
    fputs("  ", out);
    draw_cell(out, text, width);
}

static void interval_text(Interval interval, char out[64]) {
    char low[24], high[24];
    if (isnan(interval.low))
        snprintf(out, 64, "unknown");
    else if (isinf(interval.high))
        snprintf(out, 64, "above %s", text_count(interval.low, low));
    else
        snprintf(out, 64, "%s .. %s", text_count(interval.low, low), text_count(interval.high, high));
}

static void mean_text(double mean, char out[24]) {
    if (isfinite(mean))
        text_count(mean, out);
    else
        snprintf(out, 24, "unknown");
}

static void print_row(FILE *out, const Compared *compared, int names) {
    const Measurement *measurement = &compared->measurement;
    char a[24], b[64];
    draw_cell(out, compared->name, -names);
    mean_text(measurement->mean_lines, a);
    print_cell(out, a, MEAN);
    interval_text(measurement->interval, b);
    print_cell(out, b, RANGE);
    compare_ratio_text(&compared->ratio, b);
    print_cell(out, compared->is_best ? "1" : b, RATIO);
    print_cell(out, measure_method_words[measurement->method], METHOD);
    print_cell(out, text_count((double)measurement->pieces, a), COST);
    print_cell(out, text_count((double)measurement->pieces / measurement->seconds, a), SPEED);
    fputc('\n', out);
}

void compare_print_table(FILE *out, const Compared *list, int count) {
    int names = (int)strlen("strategy");
    for (int i = 0; i < count; i++)
        names = draw_width(list[i].name) > names ? draw_width(list[i].name) : names;
    static const struct {
        const char *title;
        int width;
    } columns[] = {{"mean lines", MEAN}, {"95 % interval", RANGE}, {"ratio", RATIO},
                   {"method", METHOD},   {"pieces", COST},         {"pieces/s", SPEED}};
    draw_cell(out, "strategy", -names);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        print_cell(out, columns[i].title, columns[i].width);
    fputc('\n', out);
    for (int i = 0; i < count; i++)
        print_row(out, &list[i], names);
}

void compare_print_sentences(FILE *out, const Compared *list, int count) {
    char text[COMPARE_RATIO_TEXT];
    fputc('\n', out);
    for (int i = 1; i < count; i++) {
        Ratio ratio = inverse(&list[i].ratio);
        compare_ratio_text(&ratio, text);
        if (isnan(ratio.value))
            fprintf(out, "%s and %s: too little is known for a ratio.\n", list[0].name, list[i].name);
        else if (ratio.interval.low > 1)
            fprintf(out, "%s makes %s times as many lines as %s.\n", list[0].name, text, list[i].name);
        else
            fprintf(out,
                    "%s and %s cannot be told apart: the ratio is %s, and 1 is in its interval; a smaller "
                    "--precision may decide.\n",
                    list[0].name, list[i].name, text);
    }
    for (int i = 0; i < count; i++) {
        if (list[i].measurement.interrupted && !*list[i].measurement.note)
            fprintf(out, "%s: interrupted; this is what is known so far.\n", list[i].name);
        if (*list[i].measurement.note)
            fprintf(out, "%s: %s\n", list[i].name, list[i].measurement.note);
    }
}

// ---------------------------------------------------------------------------------------------------
// For programs

static json_t *number_json(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval_json(Interval interval) {
    json_t *array = json_array();
    json_array_append_new(array, number_json(interval.low));
    json_array_append_new(array, number_json(interval.high));
    return array;
}

static void add_ratio(json_t *object, const Ratio *ratio, const char *decision) {
    json_object_set_new(object, "ratio", number_json(ratio->value));
    json_object_set_new(object, "ci95", interval_json(ratio->interval));
    json_object_set_new(object, "decision", json_string(decision));
}

static json_t *measurement_json(const Compared *compared) {
    const Measurement *measurement = &compared->measurement;
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(compared->name));
    json_object_set_new(object, "method", json_string(measure_method_words[measurement->method]));
    json_object_set_new(object, "mean_lines", number_json(measurement->mean_lines));
    json_object_set_new(object, "mean_ci95", interval_json(measurement->interval));
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

void compare_put_text(FILE *out, const char *text, bool markdown) {
    bool quoted = !markdown && strpbrk(text, ",\"\r\n");
    if (quoted)
        fputc('"', out);
    for (; *text; text++) {
        if (markdown && *text == '|')
            fputc('\\', out);
        if (quoted && *text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    if (quoted)
        fputc('"', out);
}

// <- what `write` wrote; NULL: out of memory
static char *written(void (*write)(FILE *out, const void *data, int count), const void *data, int count) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    write(out, data, count);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static void write_csv(FILE *out, const void *data, int count) {
    const Compared *list = data;
    fputs("strategy,method,mean_lines,mean_low,mean_high,ratio,ratio_low,ratio_high,decision,pieces\n", out);
    for (int i = 0; i < count; i++) {
        const Measurement *measurement = &list[i].measurement;
        compare_put_text(out, list[i].name, false);
        fprintf(out, ",%s,%.10g,%.10g,%.10g,%.10g,%.10g,%.10g,%s,%" PRIu64 "\n",
                measure_method_words[measurement->method], measurement->mean_lines, measurement->interval.low,
                measurement->interval.high, list[i].ratio.value, list[i].ratio.interval.low,
                list[i].ratio.interval.high, rank_verdict(&list[i]), measurement->pieces);
    }
}

static void write_markdown(FILE *out, const void *data, int count) {
    const Compared *list = data;
    fputs("| strategy | mean lines | 95 % interval | ratio to the best | decision | method |\n"
          "|---|---:|---:|---:|---|---|\n",
          out);
    for (int i = 0; i < count; i++) {
        const Measurement *measurement = &list[i].measurement;
        char mean[24], range[64], ratio[COMPARE_RATIO_TEXT];
        mean_text(measurement->mean_lines, mean);
        interval_text(measurement->interval, range);
        compare_ratio_text(&list[i].ratio, ratio);
        fputs("| ", out);
        compare_put_text(out, list[i].name, true);
        fprintf(out, " | %s | %s | %s | %s | %s |\n", mean, range, list[i].is_best ? "1" : ratio,
                rank_verdict(&list[i]), measure_method_words[measurement->method]);
    }
}

char *compare_csv(const Compared *list, int count) {
    return written(write_csv, list, count);
}

char *compare_markdown(const Compared *list, int count) {
    return written(write_markdown, list, count);
}
