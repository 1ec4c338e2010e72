// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measure_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/play_report.h"
#include "base/fields_json.h"
#include "base/text.h"
#include "measure/splitting_rules.h"

enum { CELL = 96 };

MeasureRow measure_row(const char *strategy, const Rules *rules, uint64_t seed, const Measurement *m) {
    return (MeasureRow){.strategy = strategy,
                        .rules = rules,
                        .seed = seed,
                        .method = m->method,
                        .mean_lines = m->mean_lines,
                        .precision = m->precision,
                        .interval = m->interval,
                        .count = m->method == MEASURE_GAMES ? m->games.games : m->splitting.runs,
                        .pieces = m->pieces,
                        .seconds = m->seconds,
                        .finished = true,
                        .precise = m->precise,
                        .interrupted = m->interrupted,
                        .note = m->note};
}

static void take_repetitions(MeasureRow *row, const MeasureKnown *known) {
    Splitting splitting = {.run = (SplittingRun *)known->run};
    while (known->started && splitting.runs < known->runs && known->run[splitting.runs].done)
        splitting.runs++;
    if (splitting.runs == 0)
        return;
    splitting_summarise(&splitting, row->rules->width);
    row->method = MEASURE_SPLITTING;
    row->mean_lines = splitting.mean_lines;
    row->interval = splitting.interval;
    row->pieces = splitting.pieces + known->pilot_pieces;
    row->count = splitting.runs;
}

static void take_games(MeasureRow *row, const MeasureKnown *known) {
    Summary summary;
    uint64_t games = 0;
    while (games < known->scores && known->score[games].played)
        games++;
    if (games == 0 || !summary_make(&summary, known->score, games, NULL))
        return;
    row->method = MEASURE_GAMES;
    row->mean_lines = summary.mean;
    row->interval = summary.exact;
    row->pieces = summary.pieces + known->pilot_pieces;
    row->count = games;
}

MeasureRow measure_row_of_entry(const JournalEntry *entry) {
    MeasureRow row = {.strategy = entry->name,
                      .rules = &entry->rules,
                      .seed = entry->plan.seed,
                      .method = entry->used,
                      .mean_lines = entry->mean_lines,
                      .interval = entry->interval,
                      .count = entry->count,
                      .pieces = entry->pieces,
                      .seconds = entry->seconds,
                      .finished = entry->finished,
                      .precise = entry->precise,
                      .interrupted = entry->interrupted,
                      .note = entry->note};
    if (!entry->finished)
        (entry->known.scores ? take_games : take_repetitions)(&row, &entry->known);
    double mean = row.mean_lines, low = row.interval.low, high = row.interval.high;
    bool known = isfinite(mean) && mean > 0 && isfinite(high);
    row.precision = known ? fmax(high - mean, mean - low) / mean : INFINITY;
    return row;
}

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

void measure_report_progress(Progress *progress, const char *name, const MeasureStatus *status) {
    static const char *const unit[] = {"", "games", "repetitions", "pieces"};
    if (!progress_due(progress))
        return;
    char done[32], wanted[32], rate[24], mean[24], left[PROGRESS_LEFT], value[64] = "";
    double missing = (double)status->wanted - (double)status->done;
    if (isfinite(status->mean_lines) && isfinite(status->precision))
        snprintf(value, sizeof value, ", %s lines %s %.1f %%", text_count(status->mean_lines, mean),
                 draw_plus_minus(), 100 * status->precision);
    progress_show(progress, "%s: %s of about %s %s%s, %s pieces/s%s", name, text_grouped(status->done, done),
                  text_grouped(status->wanted, wanted), unit[status->method], value,
                  text_count(progress_rate(progress, status->pieces), rate),
                  progress_left(missing > 0 ? missing / progress_rate(progress, status->done) : NAN, left));
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

// --- JSON

static void add_splitting(json_t *object, const Measurement *m) {
    json_t *lambdas = json_array();
    for (uint64_t k = 0; k < m->splitting.runs; k++)
        json_array_append_new(lambdas, json_real(m->splitting.run[k].lambda));
    json_object_set_new(object, "repetitions", json_whole(m->splitting.runs));
    json_object_set_new(object, "extinct", json_whole(m->splitting.extinct));
    json_object_set_new(object, "base", json_integer(m->base));
    json_object_set_new(object, "trials", json_whole(m->trials));
    json_object_set_new(object, "lambda", json_finite(m->splitting.lambda));
    json_object_set_new(object, "lambdas", lambdas);
}

json_t *measure_report_json(const MeasureRow *row, const Measurement *m, double wanted, const char *kernel) {
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(row->strategy));
    json_object_set_new(object, "method", json_string(measure_method_words[row->method]));
    json_object_set_new(object, "mean_lines", json_finite(row->mean_lines));
    json_object_set_new(object, "ci95", report_interval_json(row->interval));
    json_object_set_new(object, "precision", json_finite(row->precision));
    json_object_set_new(object, "precision_wanted", json_real(wanted));
    json_object_set_new(object, "precise", json_boolean(row->precise));
    json_object_set_new(object, "interrupted", json_boolean(row->interrupted));
    fields_save(rules_fields, row->rules, object);
    // The field "pieces" is the number of pieces; the law they follow has another name here.
    json_object_set(object, "piece_source", json_object_get(object, "pieces"));
    json_object_set_new(object, "pieces", json_whole(row->pieces));
    json_object_set_new(object, "seconds", json_real(row->seconds));
    json_object_set_new(object, "seed", json_whole(row->seed));
    json_object_set_new(object, "note", json_string(row->note));
    json_object_set_new(object, "kernel", json_string(kernel));
    json_object_set_new(object, "version", json_string(TETRALAB_VERSION));
    if (row->method == MEASURE_SPLITTING)
        add_splitting(object, m);
    if (row->method == MEASURE_GAMES) {
        json_object_set_new(object, "games", json_whole(m->games.games));
        report_scores(object, &m->games);
    }
    return object;
}
