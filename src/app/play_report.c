// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/play_report.h"
#include "base/fields_json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "base/text.h"

enum { MEAN = 18, EXACT = 19, MEDIAN = 8, RANGE = 19, SPREAD = 7, GAMES = 9, SPEED = 8, CELL = 64 };

void play_report_head(FILE *out, int names) {
    static const struct {
        const char *title;
        int width;
    } columns[] = {{"mean lines", MEAN}, {"95 % interval", EXACT}, {"median", MEDIAN}, {"min .. max", RANGE},
                   {"sd/mean", SPREAD},  {"games", GAMES},         {"pieces/s", SPEED}};
    draw_cell(out, "strategy", -names);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        fputs("  ", out);
        draw_cell(out, columns[i].title, columns[i].width);
    }
    fputc('\n', out);
}

static void print_cell(FILE *out, const char *text, int width) {
    fputs("  ", out);
    draw_cell(out, text, width);
}

static uint64_t ended_games(const Summary *summary) {
    return summary->games - summary->censored;
}

// The larger side of the interval in percent of the mean; beyond 100 % it would say nothing.
static void mean_cell(const Summary *summary, char out[CELL]) {
    double mean = summary->mean;
    double side = 100 * fmax(summary->exact.high - mean, mean - summary->exact.low) / mean;
    char text[24];
    if (ended_games(summary) == 0)
        snprintf(out, CELL, "unknown");
    else if (side <= 100)
        snprintf(out, CELL, "%s %s %.1f %%", text_count(mean, text), draw_plus_minus(), side);
    else
        snprintf(out, CELL, "%s", text_count(mean, text));
}

static void exact_cell(const Summary *summary, char out[CELL]) {
    char low[24], high[24];
    text_count(summary->exact.low, low);
    if (isinf(summary->exact.high))
        snprintf(out, CELL, "above %s", low);
    else
        snprintf(out, CELL, "%s .. %s", low, text_count(summary->exact.high, high));
}

static void spread_cell(const Summary *summary, char out[CELL]) {
    if (summary->censored || isnan(summary->sd) || summary->mean == 0)
        snprintf(out, CELL, "-");
    else
        snprintf(out, CELL, "%.2f", summary->sd / summary->mean);
}

void play_report_row(FILE *out, const PlayResult *result, int names) {
    const Summary *summary = &result->summary;
    char cell[CELL], a[32], b[24];
    draw_cell(out, result->strategy, -names);
    mean_cell(summary, cell);
    print_cell(out, cell, MEAN);
    exact_cell(summary, cell);
    print_cell(out, cell, EXACT);
    snprintf(cell, CELL, "%s%s", summary->median_is_bound ? ">" : "", text_count(summary->median, a));
    print_cell(out, cell, MEDIAN);
    snprintf(cell, CELL, "%s .. %s%s", text_count((double)summary->minimum, a), summary->censored ? ">" : "",
             text_count((double)summary->maximum, b));
    print_cell(out, cell, RANGE);
    spread_cell(summary, cell);
    print_cell(out, cell, SPREAD);
    print_cell(out, text_grouped(summary->games, a), GAMES);
    print_cell(out, text_count((double)result->playing.pieces / result->playing.seconds, b), SPEED);
    fputc('\n', out);
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
        fprintf(out, "%s: interrupted; the games under way count as stopped there.\n", result->strategy);
    if (result->precision > 0 && !result->playing.precise && !result->playing.interrupted)
        fprintf(out, "%s: too few games end by themselves for %g %%: raise --max-pieces.\n", result->strategy,
                100 * result->precision);
    if (summary->censored == summary->games)
        fprintf(out, "%s: no game ended by itself, so that only a lower bound of the mean is known.\n",
                result->strategy);
    else if (summary->censored)
        fprintf(out,
                "%s: %s of %s games did not end by themselves; the mean is the lines of all games per game "
                "that ended, and the interval allows for it.\n",
                result->strategy, text_grouped(summary->censored, a), text_grouped(summary->games, b));
    if (summary->censored && result->max_pieces < (uint64_t)PIECES_TO_BE_TYPICAL)
        fprintf(out,
                "%s: games stopped after %s pieces have hardly been in danger, so that the mean is "
                "overstated; take a "
                "limit of %d or more.\n",
                result->strategy, text_grouped(result->max_pieces, a), PIECES_TO_BE_TYPICAL);
    if (result->same_pieces)
        fprintf(out, "%s: all games have the same pieces; other pieces would give another mean.\n",
                result->strategy);
    if (!looks_exponential(summary))
        fprintf(out,
                "%s: the scores are not exponential (sd/mean %.2f): rather trust %s .. %s, from their sd.\n",
                result->strategy, summary->sd / summary->mean, text_count(summary->normal.low, low),
                text_count(summary->normal.high, high));
}

void play_report_notes(FILE *out, const PlayResult *result, int count) {
    fprintf(out, "\n%s is the larger side of the interval, which is the exact one for exponential scores.\n",
            draw_plus_minus());
    for (int i = 0; i < count; i++)
        note_result(out, &result[i]);
}

static json_t *number_json(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *interval_json(Interval interval) {
    if (isnan(interval.low))
        return json_null();
    json_t *array = json_array();
    json_array_append_new(array, number_json(interval.low));
    json_array_append_new(array, number_json(interval.high));
    return array;
}

static void add_statistics(json_t *object, const Summary *summary) {
    json_object_set_new(object, "games", json_integer((json_int_t)summary->games));
    json_object_set_new(object, "censored", json_integer((json_int_t)summary->censored));
    json_object_set_new(object, "mean_lines", number_json(summary->mean));
    json_object_set_new(object, "ci95", interval_json(summary->exact));
    json_object_set_new(object, "ci95_rule", interval_json(summary->rule));
    json_object_set_new(object, "ci95_normal", interval_json(summary->normal));
    json_object_set_new(object, "sd_lines", number_json(summary->sd));
    json_object_set_new(object, "median_lines", number_json(summary->median));
    json_object_set_new(object, "median_is_bound", json_boolean(summary->median_is_bound));
    json_object_set_new(object, "min_lines", json_integer((json_int_t)summary->minimum));
    json_object_set_new(object, "max_lines", json_integer((json_int_t)summary->maximum));
}

static void add_scores(json_t *object, const Playing *playing) {
    json_t *scores = json_array(), *censored = json_array();
    for (uint64_t i = 0; i < playing->games; i++) {
        json_array_append_new(scores, json_integer((json_int_t)playing->score[i].lines));
        if (playing->score[i].censored)
            json_array_append_new(censored, json_integer((json_int_t)i));
    }
    json_object_set_new(object, "scores", scores);
    json_object_set_new(object, "censored_games", censored);
}

json_t *play_report_json(const PlayResult *result) {
    const Playing *playing = &result->playing;
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(result->strategy));
    add_statistics(object, &result->summary);
    json_object_set_new(object, "seconds", json_real(playing->seconds));
    json_object_set_new(object, "pieces_per_second", number_json((double)playing->pieces / playing->seconds));
    json_object_set_new(object, "seed", json_whole(result->seed));
    json_object_set_new(object, "interrupted", json_boolean(playing->interrupted));
    bool limited = result->max_pieces > 0 && result->max_pieces <= INT64_MAX;
    json_object_set_new(object, "max_pieces",
                        limited ? json_integer((json_int_t)result->max_pieces) : json_null());
    fields_save(rules_fields, result->rules, object);
    json_object_set_new(object, "same_pieces", json_boolean(result->same_pieces));
    json_object_set_new(object, "pieces", json_integer((json_int_t)result->summary.pieces));
    json_object_set_new(object, "kernel", json_string(result->kernel));
    json_object_set_new(object, "version", json_string(TETRALAB_VERSION));
    add_scores(object, playing);
    return object;
}
