// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measure_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/play_report.h"
#include "base/text.h"

enum { CELL = 96 };

static bool is_empty(const MeasureRow *row) {
    return !row->finished && row->count == 0;
}

static const char *state_of(const MeasureRow *row) {
    return !row->finished ? "unfinished" : row->interrupted ? "interrupted" : "finished";
}

static void mean_cell(const MeasureRow *row, char out[CELL]) {
    char mean[24];
    if (!isfinite(row->mean_lines))
        snprintf(out, CELL, "unknown");
    else if (!isfinite(row->precision))
        snprintf(out, CELL, "%s", text_count(row->mean_lines, mean));
    else
        snprintf(out, CELL, "%s %s %.1f %%", text_count(row->mean_lines, mean), draw_plus_minus(),
                 100 * row->precision);
}

static void method_cell(const MeasureRow *row, char out[CELL]) {
    char count[32];
    text_grouped(row->count, count);
    if (row->method == MEASURE_HEIGHTS)
        snprintf(out, CELL, "heights (biased)");
    else
        snprintf(out, CELL, "%s, %s %s%s", measure_method_words[row->method], count,
                 row->method == MEASURE_GAMES ? "game" : "repetition", row->count == 1 ? "" : "s");
}

void measure_report_line(FILE *out, const MeasureRow *row, int names) {
    char mean[CELL], interval[REPORT_INTERVAL], method[CELL], pieces[24], seconds[24];
    mean_cell(row, mean);
    report_interval(row->interval, interval);
    method_cell(row, method);
    if (method[0] == 'g') // "games, 1,654 games" says it twice
        memmove(method, strchr(method, ' ') + 1, strlen(strchr(method, ' ') + 1) + 1);
    char *sign = strstr(mean, draw_plus_minus());
    draw_cell(out, row->strategy, -names);
    if (isfinite(row->mean_lines) && sign)
        fprintf(out, "  %.*slines %s", (int)(sign - mean), mean, sign);
    else
        fprintf(out, "  %s%s", mean, isfinite(row->mean_lines) ? " lines" : "");
    fprintf(out, "  (%s)  %s, %s pieces, %s\n", interval, method, text_count((double)row->pieces, pieces),
            text_seconds(row->seconds, seconds));
    if (row->note && *row->note)
        fprintf(out, "%*s  %s\n", names, "", row->note);
}

void measure_report_progress(Progress *progress, const char *name, const Advance *advance) {
    if (!progress_due(progress))
        return;
    char done[32], wanted[32], rate[24], mean[24], left[PROGRESS_LEFT], value[64] = "";
    double missing = (double)advance->wanted - (double)advance->done;
    if (isfinite(advance->value) && isfinite(advance->precision))
        snprintf(value, sizeof value, ", %s lines %s %.1f %%", text_count(advance->value, mean),
                 draw_plus_minus(), 100 * advance->precision);
    progress_show(progress, "%s: %s of about %s %s%s, %s pieces/s%s", name, text_grouped(advance->done, done),
                  text_grouped(advance->wanted, wanted), advance->unit, value,
                  text_count(progress_rate(progress, advance->pieces), rate),
                  progress_left(missing > 0 ? missing / progress_rate(progress, advance->done) : NAN, left));
}

// --- CSV and Markdown

static void fill_csv(Table *table, const MeasureRow *row, int count) {
    static const TableColumn columns[] = {{"strategy"}, {"board"},        {"overflow"},  {"gameover"},
                                          {"rules"},    {"piece_source"}, {"method"},    {"mean_lines"},
                                          {"low"},      {"high"},         {"precision"}, {"count"},
                                          {"pieces"},   {"seconds"},      {"seed"},      {"state"}};
    TABLE_HEAD(table, columns);
    for (const MeasureRow *end = row + count; row < end; row++) {
        if (is_empty(row))
            continue;
        const Rules *rules = row->rules;
        table_cell(table, "%s", row->strategy);
        table_cell(table, "%dx%d", rules->width, rules->height);
        table_cell(table, "%s", rules_overflow_name(rules->overflow));
        table_cell(table, "%s", rules_gameover_name(rules->gameover));
        table_cell(table, "%s", rules->original ? "original" : "simplified");
        table_cell(table, "%s", rules->pieces.name);
        table_cell(table, "%s", measure_method_words[row->method]);
        table_number(table, row->mean_lines);
        table_number(table, row->interval.low);
        table_number(table, row->interval.high);
        table_number(table, row->precision);
        table_cell(table, "%" PRIu64, row->count);
        table_cell(table, "%" PRIu64, row->pieces);
        table_cell(table, "%.3f", row->seconds);
        table_cell(table, "%" PRIu64, row->seed);
        table_cell(table, "%s", state_of(row));
    }
}

void measure_report_table(Table *table, const void *rows, int count) {
    static const TableColumn columns[] = {{"strategy", -1}, {"board", -1},     {"rules", -1}, {"method", -1},
                                          {"mean lines"},   {"95 % interval"}, {"pieces"},    {"seed"}};
    if (table->form == TABLE_CSV) {
        fill_csv(table, rows, count);
        return;
    }
    TABLE_HEAD(table, columns);
    for (const MeasureRow *row = rows, *end = row + count; row < end; row++) {
        if (is_empty(row))
            continue;
        const Rules *rules = row->rules;
        char text[CELL + sizeof rules->pieces.name];
        bool whole = row->finished && !row->interrupted;
        table_name(table, row->strategy);
        table_cell(table, "%d×%d", rules->width, rules->height);
        snprintf(text, sizeof text, "%s%s, %s, %s", rules->original ? "original, " : "",
                 rules_overflow_name(rules->overflow), rules_gameover_name(rules->gameover),
                 rules->pieces.name);
        table_name(table, text);
        method_cell(row, text);
        table_cell(table, "%s%s%s", text, whole ? "" : ", ", whole ? "" : state_of(row));
        mean_cell(row, text);
        table_cell(table, "%s", text);
        table_cell(table, "%s", report_interval(row->interval, text));
        table_count(table, (double)row->pieces);
        table_cell(table, "%" PRIu64, row->seed);
    }
}
