// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/play_report.h"

#include <inttypes.h>
#include <math.h>

#include "app/app.h"
#include "app/draw.h"
#include "base/fields_json.h"
#include "base/text.h"
#include "base/utf8.h"
#include "measure/results_json.h"
#include "plot/measured.h"
#include "reproduce/published_means.h"

void play_report_head(Table *table, int names) {
    const TableColumn columns[] = {{"strategy", -names}, {"mean lines", 18}, {"95 % interval", 19},
                                   {"median", 8},        {"min .. max", 19}, {"sd/mean", 7},
                                   {"games", 9},         {"pieces/s", 8}};
    TABLE_HEAD(table, columns);
}

void play_report_row(Table *table, const PlayResult *result) {
    const Summary *summary = &result->summary;
    // The larger side of the interval in percent of the mean; beyond 100 % it would say nothing.
    double mean = summary->mean;
    double side = 100 * fmax(summary->exact.high - mean, mean - summary->exact.low) / mean;
    char text[REPORT_INTERVAL], a[32], b[24];
    table_cell(table, "%s", result->strategy);
    if (summary->games == summary->censored)
        table_cell(table, "unknown");
    else if (side <= 100)
        table_cell(table, "%s %s %.1f %%", text_count(mean, a), draw_plus_minus(), side);
    else
        table_count(table, mean);
    table_cell(table, "%s", report_interval(summary->exact, text));
    table_cell(table, "%s%s", summary->median_is_bound ? ">" : "", text_count(summary->median, a));
    table_cell(table, "%s .. %s%s", text_count((double)summary->minimum, a), summary->censored ? ">" : "",
               text_count((double)summary->maximum, b));
    if (summary->censored || isnan(summary->sd) || summary->mean == 0)
        table_cell(table, "-");
    else
        table_cell(table, "%.2f", summary->sd / summary->mean);
    table_grouped(table, summary->games);
    table_count(table, (double)result->playing.pieces / result->playing.seconds);
}

const char *report_interval(Interval interval, char out[REPORT_INTERVAL]) {
    char low[24], high[24];
    if (isnan(interval.low))
        snprintf(out, REPORT_INTERVAL, "unknown");
    else if (isinf(interval.high))
        snprintf(out, REPORT_INTERVAL, "above %s", text_count(interval.low, low));
    else
        snprintf(out, REPORT_INTERVAL, "%s .. %s", text_count(interval.low, low),
                 text_count(interval.high, high));
    return out;
}

enum { PIECES_TO_BE_TYPICAL = 500 }; // until an empty board has become one like any other

// For exponential scores sd/mean is 1 with a standard error of about 1/sqrt n.
static bool looks_exponential(const Summary *summary) {
    if (summary->censored || summary->games < 30 || summary->mean == 0)
        return true;
    return fabs(summary->sd / summary->mean - 1) < 4 / sqrt((double)summary->games);
}

static void note_result(FILE *out, const PlayResult *result) {
    const Summary *summary = &result->summary;
    char a[32], b[32], low[24], high[24];
    if (result->playing.interrupted)
        utf8_print(out, "%s: interrupted; the games under way count as stopped there.\n", result->strategy);
    if (result->precision > 0 && !result->playing.precise && !result->playing.interrupted)
        utf8_print(out, "%s: too few games end by themselves for %g %%: raise --max-pieces.\n",
                   result->strategy, 100 * result->precision);
    if (summary->censored == summary->games)
        utf8_print(out, "%s: no game ended by itself, so that only a lower bound of the mean is known.\n",
                   result->strategy);
    else if (summary->censored)
        utf8_print(
            out,
            "%s: %s of %s games did not end by themselves; the mean is the lines of all games per game "
            "that ended, and the interval allows for it.\n",
            result->strategy, text_grouped(summary->censored, a), text_grouped(summary->games, b));
    if (summary->censored && result->max_pieces < (uint64_t)PIECES_TO_BE_TYPICAL)
        utf8_print(out,
                   "%s: games stopped after %s pieces have hardly been in danger, so that the mean is "
                   "overstated; take a limit of %d or more.\n",
                   result->strategy, text_grouped(result->max_pieces, a), PIECES_TO_BE_TYPICAL);
    if (result->same_pieces)
        utf8_print(out, "%s: all games have the same pieces; other pieces would give another mean.\n",
                   result->strategy);
    if (!looks_exponential(summary))
        utf8_print(
            out, "%s: the scores are not exponential (sd/mean %.2f): rather trust %s .. %s, from their sd.\n",
            result->strategy, summary->sd / summary->mean, text_count(summary->normal.low, low),
            text_count(summary->normal.high, high));
}

void play_report_notes(FILE *out, const PlayResult *result, int count) {
    fprintf(out, "\n%s is the larger side of the interval, which is the exact one for exponential scores.\n",
            draw_plus_minus());
    for (int i = 0; i < count; i++)
        note_result(out, &result[i]);
}

static void add_statistics(json_t *object, const Summary *summary) {
    json_object_set_new(object, "games", json_whole(summary->games));
    json_object_set_new(object, "censored", json_whole(summary->censored));
    json_object_set_new(object, "mean_lines", json_finite(summary->mean));
    json_object_set_new(object, "ci95", interval_json(summary->exact));
    json_object_set_new(object, "ci95_rule", interval_json(summary->rule));
    json_object_set_new(object, "ci95_normal", interval_json(summary->normal));
    json_object_set_new(object, "sd_lines", json_finite(summary->sd));
    json_object_set_new(object, "median_lines", json_finite(summary->median));
    json_object_set_new(object, "median_is_bound", json_boolean(summary->median_is_bound));
    json_object_set_new(object, "min_lines", json_whole(summary->minimum));
    json_object_set_new(object, "max_lines", json_whole(summary->maximum));
}

json_t *play_report_json(const PlayResult *result) {
    const Playing *playing = &result->playing;
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(result->strategy));
    add_statistics(object, &result->summary);
    json_object_set_new(object, "seconds", json_real(playing->seconds));
    json_object_set_new(object, "pieces_per_second", json_finite((double)playing->pieces / playing->seconds));
    json_object_set_new(object, "seed", json_whole(result->seed));
    json_object_set_new(object, "interrupted", json_boolean(playing->interrupted));
    bool limited = result->max_pieces > 0 && result->max_pieces <= INT64_MAX;
    json_object_set_new(object, "max_pieces", limited ? json_whole(result->max_pieces) : json_null());
    fields_save(rules_fields, result->rules, object);
    json_object_set_new(object, "same_pieces", json_boolean(result->same_pieces));
    json_object_set_new(object, "pieces", json_whole(result->summary.pieces));
    json_object_set_new(object, "kernel", json_string(result->kernel));
    json_object_set_new(object, "version", json_string(TETRALAB_VERSION));
    scores_json(object, playing);
    return object;
}

// --- CSV and pictures

void play_report_table(Table *table, const void *rows, int count) {
    static const TableColumn columns[] = {
        {"strategy"}, {"board"},    {"overflow"},   {"gameover"}, {"rules"},   {"piece_source"},
        {"games"},    {"censored"}, {"mean_lines"}, {"low"},      {"high"},    {"median"},
        {"min"},      {"max"},      {"sd"},         {"pieces"},   {"seconds"}, {"seed"}};
    TABLE_HEAD(table, columns);
    for (const PlayResult *result = rows, *end = result + count; result < end; result++) {
        const Summary *summary = &result->summary;
        const Rules *rules = result->rules;
        table_cell(table, "%s", result->strategy);
        table_cell(table, "%dx%d", rules->width, rules->height);
        table_cell(table, "%s", rules_overflow_name(rules->overflow));
        table_cell(table, "%s", rules_gameover_name(rules->gameover));
        table_cell(table, "%s", rules->original ? "original" : "simplified");
        table_cell(table, "%s", rules->pieces.name);
        table_cell(table, "%" PRIu64, summary->games);
        table_cell(table, "%" PRIu64, summary->censored);
        table_number(table, summary->mean);
        table_number(table, summary->exact.low);
        table_number(table, summary->exact.high);
        table_number(table, summary->median);
        table_cell(table, "%" PRIu64, summary->minimum);
        table_cell(table, "%" PRIu64, summary->maximum);
        table_number(table, summary->sd);
        table_cell(table, "%" PRIu64, summary->pieces);
        table_cell(table, "%.3f", result->playing.seconds);
        table_cell(table, "%" PRIu64, result->seed);
    }
}

bool play_report_plot(Plot *plot, const void *rows, int count, Error *error) {
    const PlayResult *result = rows;
    MeasuredPlayer player[MEASURED_MAX_PLAYERS];
    MeasuredTitle title = {count == 1 ? result->strategy : NULL, result->rules, result->seed};
    if (count == 1)
        return measured_scores(plot, &title, result->playing.score, result->playing.games, error);
    if (count > MEASURED_MAX_PLAYERS)
        return error_set(error, "A plot shows %d players at most.", MEASURED_MAX_PLAYERS);
    for (int k = 0; k < count; k++)
        player[k] = (MeasuredPlayer){result[k].strategy, result[k].summary.mean, result[k].summary.exact,
                                     published_means(result[k].strategy, result[k].rules, app_settings)};
    return measured_comparison(plot, &title, player, count, error);
}
