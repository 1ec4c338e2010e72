// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/measure_report.h"
#include "base/fields_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/play_report.h"
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

static void summarise_repetitions(JournalEntry *entry) {
    const MeasureKnown *known = &entry->known;
    Splitting splitting = {.run = (SplittingRun *)known->run};
    while (known->started && splitting.runs < known->runs && known->run[splitting.runs].done)
        splitting.runs++;
    if (splitting.runs == 0)
        return;
    splitting_summarise(&splitting, entry->rules.width);
    entry->used = MEASURE_SPLITTING;
    entry->mean_lines = splitting.mean_lines;
    entry->interval = splitting.interval;
    entry->pieces = splitting.pieces + known->pilot_pieces;
    entry->count = splitting.runs;
}

static void summarise_games(JournalEntry *entry) {
    const MeasureKnown *known = &entry->known;
    Summary summary;
    uint64_t games = 0;
    while (games < known->scores && known->score[games].played)
        games++;
    if (games == 0 || !summary_make(&summary, known->score, games, NULL))
        return;
    entry->used = MEASURE_GAMES;
    entry->mean_lines = summary.mean;
    entry->interval = summary.exact;
    entry->pieces = summary.pieces + known->pilot_pieces;
    entry->count = games;
}

static MeasureRow row_of(const JournalEntry *entry) {
    double mean = entry->mean_lines, low = entry->interval.low, high = entry->interval.high;
    bool known = isfinite(mean) && mean > 0 && isfinite(high);
    return (MeasureRow){.strategy = entry->name,
                        .rules = &entry->rules,
                        .seed = entry->plan.seed,
                        .method = entry->used,
                        .mean_lines = mean,
                        .precision = known ? fmax(high - mean, mean - low) / mean : INFINITY,
                        .interval = entry->interval,
                        .count = entry->count,
                        .pieces = entry->pieces,
                        .seconds = entry->seconds,
                        .finished = entry->finished,
                        .precise = entry->precise,
                        .interrupted = entry->interrupted,
                        .note = entry->note};
}

MeasureRow measure_row_of_entry(const JournalEntry *entry) {
    if (entry->finished)
        return row_of(entry);
    JournalEntry known = *entry;
    if (known.known.scores)
        summarise_games(&known);
    else
        summarise_repetitions(&known);
    MeasureRow row = row_of(&known);
    row.strategy = entry->name; // not of the copy
    row.rules = &entry->rules;
    row.note = entry->note;
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

static void interval_cell(const MeasureRow *row, char out[CELL]) {
    char low[24], high[24];
    if (isnan(row->interval.low))
        snprintf(out, CELL, "unknown");
    else if (isinf(row->interval.high))
        snprintf(out, CELL, "above %s", text_count(row->interval.low, low));
    else
        snprintf(out, CELL, "%s .. %s", text_count(row->interval.low, low),
                 text_count(row->interval.high, high));
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
    char mean[CELL], interval[CELL], method[CELL], pieces[24], seconds[24];
    mean_cell(row, mean);
    interval_cell(row, interval);
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

// --- CSV and Markdown

static void csv_text(FILE *out, const char *text) {
    bool quoted = strpbrk(text, ",\"\r\n") != NULL;
    fputs(quoted ? "\"" : "", out);
    for (; *text; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text, out);
    }
    fputs(quoted ? "\"," : ",", out);
}

static void csv_number(FILE *out, double value) {
    if (isfinite(value))
        fprintf(out, "%.10g", value);
    fputc(',', out);
}

void measure_report_csv(FILE *out, const MeasureRow *row, int count) {
    fputs("strategy,board,overflow,gameover,rules,piece_source,method,mean_lines,low,high,precision,count,"
          "pieces,"
          "seconds,seed,state\n",
          out);
    for (const MeasureRow *end = row + count; row < end; row++) {
        if (is_empty(row))
            continue;
        const Rules *rules = row->rules;
        csv_text(out, row->strategy);
        fprintf(out, "%dx%d,%s,%s,%s,", rules->width, rules->height, rules_overflow_name(rules->overflow),
                rules_gameover_name(rules->gameover), rules->original ? "original" : "simplified");
        csv_text(out, rules->pieces.name);
        fprintf(out, "%s,", measure_method_words[row->method]);
        csv_number(out, row->mean_lines);
        csv_number(out, row->interval.low);
        csv_number(out, row->interval.high);
        csv_number(out, row->precision);
        fprintf(out, "%" PRIu64 ",%" PRIu64 ",%.3f,%" PRIu64 ",%s\n", row->count, row->pieces, row->seconds,
                row->seed, state_of(row));
    }
}

static void markdown_text(FILE *out, const char *text) {
    for (; *text; text++) {
        fputs(strchr("|\\`*_<>[]", *text) ? "\\" : "", out);
        fputc(*text, out);
    }
}

void measure_report_markdown(FILE *out, const MeasureRow *row, int count) {
    fputs("| strategy | board | rules | method | mean lines | 95 % interval | pieces | seed |\n"
          "|---|---|---|---|---:|---:|---:|---:|\n",
          out);
    for (const MeasureRow *end = row + count; row < end; row++) {
        if (is_empty(row))
            continue;
        const Rules *rules = row->rules;
        char mean[CELL], interval[CELL], method[CELL], pieces[24];
        mean_cell(row, mean);
        interval_cell(row, interval);
        method_cell(row, method);
        fputs("| ", out);
        markdown_text(out, row->strategy);
        fprintf(out, " | %d×%d | %s%s, %s, ", rules->width, rules->height,
                rules->original ? "original, " : "", rules_overflow_name(rules->overflow),
                rules_gameover_name(rules->gameover));
        markdown_text(out, rules->pieces.name);
        bool whole = row->finished && !row->interrupted;
        fprintf(out, " | %s%s%s | %s | %s | %s | %" PRIu64 " |\n", method, whole ? "" : ", ",
                whole ? "" : state_of(row), mean, interval, text_count((double)row->pieces, pieces),
                row->seed);
    }
}

bool measure_report_write(const char *path, void (*make)(FILE *out, const MeasureRow *row, int count),
                          const MeasureRow *row, int count, Error *error) {
    char *text = NULL;
    size_t length = 0;
    if (!path)
        return true;
    FILE *out = open_memstream(&text, &length);
    if (out)
        make(out, row, count);
    bool good = out && !ferror(out);
    good = out && fclose(out) == 0 && good;
    good = good ? text_write_file(path, text, length, error)
                : error_set(error, "There is no memory to write %.200s.", path);
    free(text);
    return good;
}

// --- JSON

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval_json(Interval interval) {
    if (isnan(interval.low))
        return json_null();
    json_t *array = json_array();
    json_array_append_new(array, number(interval.low));
    json_array_append_new(array, number(interval.high));
    return array;
}

static void add_splitting(json_t *object, const Measurement *m) {
    json_t *lambdas = json_array();
    for (uint64_t k = 0; k < m->splitting.runs; k++)
        json_array_append_new(lambdas, json_real(m->splitting.run[k].lambda));
    json_object_set_new(object, "repetitions", json_whole(m->splitting.runs));
    json_object_set_new(object, "extinct", json_whole(m->splitting.extinct));
    json_object_set_new(object, "base", json_integer(m->base));
    json_object_set_new(object, "trials", json_whole(m->trials));
    json_object_set_new(object, "lambda", number(m->splitting.lambda));
    json_object_set_new(object, "lambdas", lambdas);
}

static void add_games(json_t *object, const Measurement *m) {
    json_t *scores = json_array(), *censored = json_array();
    for (uint64_t k = 0; k < m->games.games; k++) {
        json_array_append_new(scores, json_whole(m->games.score[k].lines));
        if (m->games.score[k].censored)
            json_array_append_new(censored, json_whole(k));
    }
    json_object_set_new(object, "games", json_whole(m->games.games));
    json_object_set_new(object, "scores", scores);
    json_object_set_new(object, "censored_games", censored);
}

json_t *measure_report_json(const MeasureRow *row, const Measurement *m, double wanted, const char *kernel) {
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(row->strategy));
    json_object_set_new(object, "method", json_string(measure_method_words[row->method]));
    json_object_set_new(object, "mean_lines", number(row->mean_lines));
    json_object_set_new(object, "ci95", interval_json(row->interval));
    json_object_set_new(object, "precision", number(row->precision));
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
    if (row->method == MEASURE_GAMES)
        add_games(object, m);
    return object;
}
