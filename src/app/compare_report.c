// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/compare_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/app.h"
#include "app/play_report.h"
#include "base/text.h"
#include "base/utf8.h"
#include "plot/intervals.h"

// ---------------------------------------------------------------------------------------------------
// Ratios

static Ratio inverse(const Ratio *ratio) {
    return (Ratio){1 / ratio->value, {1 / ratio->interval.high, 1 / ratio->interval.low}};
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
        table_cell(table, "%s", compare_verdict(compared));
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
        table_cell(table, "%s", compare_verdict(compared));
        table_cell(table, "%s", measure_method_words[measurement->method]);
    }
}

// ---------------------------------------------------------------------------------------------------
// Pictures

static const char *ratio_number(double value, char out[24]) {
    snprintf(out, 24, "%.3g", value);
    return out;
}

bool compare_plot(Plot *plot, const void *rows, int count, Error *error) {
    const Compared *list = rows;
    IntervalsRow row[INTERVALS_MAX_ROWS];
    char title[160];
    if (count > INTERVALS_MAX_ROWS)
        return error_set(error, "A plot shows %d players at most.", INTERVALS_MAX_ROWS);
    snprintf(title, sizeof title, "Mean lines, as a ratio to those of %.80s", list[0].name);
    const IntervalsPlan plan = {.title = title,
                                .subtitle = "bars are 95 % intervals of the ratio of two means",
                                .label = "ratio of mean lines, log scale",
                                .log = true,
                                .rule = 1,
                                .rule_text = "equal",
                                .text = ratio_number};
    for (int k = 0; k < count; k++)
        row[k] = (IntervalsRow){list[k].name,
                                {list[k].is_best ? 1 : list[k].ratio.value, NAN},
                                {list[k].is_best ? (Interval){1, 1} : list[k].ratio.interval}};
    return intervals_make(plot, &plan, row, count, error);
}

bool compare_sprt_plot(Plot *plot, const void *rows, int count, Error *error) {
    const SprtTable *test = rows;
    Ratio ratio = sprt_ratio(&test->run->sprt);
    char title[200], subtitle[160], pairs[32];
    (void)count;
    snprintf(title, sizeof title, "Mean lines of %.63s, as a ratio to those of %.63s", test->b, test->a);
    snprintf(subtitle, sizeof subtitle,
             "%s pairs of games until the test of %g against %g was decided; 95 %% interval",
             text_grouped(test->run->sprt.pairs, pairs), test->run->sprt.r0, test->run->sprt.r1);
    const IntervalsPlan plan = {.title = title,
                                .subtitle = subtitle,
                                .label = "ratio of mean lines, log scale",
                                .log = true,
                                .rule = 1,
                                .rule_text = "equal",
                                .text = ratio_number};
    const IntervalsRow row = {test->b, {ratio.value, NAN}, {ratio.interval}};
    return intervals_make(plot, &plan, &row, 1, error);
}
