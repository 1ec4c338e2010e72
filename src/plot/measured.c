// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of measurements; measured.h says what they show. None depends on colour alone.
#include "plot/measured.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plot/histogram.h"
#include "plot/intervals.h"

static const PlotStyle counted = {PLOT_POINTS, PLOT_BLUE, 1, false, PLOT_DISC, 0.9};
static const PlotStyle extrapolated = {PLOT_POINTS, PLOT_RED, 2.5, false, PLOT_SQUARE, 1.6};

// <- "board 10x20, pieces hard, seed 1"
static void print_rules(const Rules *rules, uint64_t seed, char out[300]) {
    snprintf(out, 300, "board %dx%d%s%s%s%s%.100s, seed %" PRIu64, rules->width, rules->height,
             rules->original ? ", original rules" : "",
             rules->overflow == OVERFLOW_STRICT  ? ", strict overflow"
             : rules->overflow == OVERFLOW_TOUCH ? ", touch overflow"
                                                 : "",
             rules->gameover == GAMEOVER_EVALUATE ? ", lost moves evaluated" : "",
             strcmp(rules->pieces.name, "uniform") ? ", pieces " : "",
             strcmp(rules->pieces.name, "uniform") ? rules->pieces.name : "", seed);
}

static void set_title(Plot *plot, const MeasuredTitle *title, const char *what, const char *subtitle) {
    char text[320], rules[300] = "", rest[620];
    snprintf(text, sizeof text, "%s%s%.200s", what, title->player ? " of " : "",
             title->player ? title->player : "");
    if (title->rules)
        print_rules(title->rules, title->seed, rules);
    snprintf(rest, sizeof rest, "%s%s%.300s", rules, *rules && *subtitle ? "; " : "", subtitle);
    plot_title(plot, text, rest);
}

// ---------------------------------------------------------------------------------------------------
// Scores

// -> row  of the games that ended, their mean being that of all games
static bool draw_scores(Plot *plot, const MeasuredTitle *title, const HistogramRow *row, uint64_t stopped,
                        Error *error) {
    Histogram histogram;
    char number[32], mean[24], text[200];
    PlotPanel *panel = plot_panel(plot, "");
    if (!histogram_add(&histogram, panel, row, 1, false))
        return error_set(error, "The scores are too large to be drawn.");
    int at = snprintf(text, sizeof text, "%s games", text_grouped(row->count, number));
    if (stopped)
        at += snprintf(text + at, sizeof text - (size_t)at, ", %s more stopped before their end",
                       text_grouped(stopped, number));
    if (histogram.beyond)
        snprintf(text + at, sizeof text - (size_t)at, ", %s beyond the right edge",
                 text_grouped(histogram.beyond, number));
    set_title(plot, title, "Scores of whole games", text);
    plot_label_axis(&panel->x, "lines made in a game");
    snprintf(text, sizeof text, "games per %s lines", text_grouped((uint64_t)histogram.width, number));
    plot_label_axis(&panel->y, text);
    snprintf(text, sizeof text, "mean %s", text_count(row->mean, mean));
    plot_rule(panel, row->mean, text);
    panel->legend = PLOT_LEGEND_TOP;
    return true;
}

bool measured_scores(Plot *plot, const MeasuredTitle *title, const Score *score, uint64_t games,
                     Error *error) {
    double *lines = malloc((size_t)(games ? games : 1) * sizeof *lines), sum = 0;
    HistogramRow row = {.label = "games", .value = lines};
    plot_begin(plot, 900, 540);
    if (!lines)
        return error_set(error, "Out of memory for a plot.");
    for (uint64_t k = 0; k < games; k++) {
        sum += (double)score[k].lines;
        if (!score[k].censored)
            lines[row.count++] = (double)score[k].lines;
    }
    row.mean = sum / (double)row.count;
    bool good = row.count ? draw_scores(plot, title, &row, games - row.count, error)
                          : error_set(error, "No game has ended, so there are no scores to draw.");
    free(lines);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Heights

static double share_at(const Heights *h, int height) {
    return exp(h->intercept + h->slope * height);
}

static void add_line(PlotPanel *panel, const Heights *h) {
    char text[100], moves[24];
    PlotStyle style = plot_line_style(1, 2.5);
    PlotSeries *fitted = plot_series(panel, style, "fitted line");
    plot_add(fitted, h->low, share_at(h, h->low));
    plot_add(fitted, h->high, share_at(h, h->high));
    style.dashed = true;
    PlotSeries *beyond = plot_series(panel, style, "");
    plot_add(beyond, h->high, share_at(h, h->high));
    plot_add(beyond, h->top, share_at(h, h->top));
    snprintf(text, sizeof text, "extrapolated: one loss in %s moves (biased)",
             text_count(1 / share_at(h, h->top), moves));
    plot_add(plot_series(panel, extrapolated, text), h->top, share_at(h, h->top));
}

// Shares as "1 in 10 k", down to one in 10^15.
static void name_shares(PlotAxis *axis) {
    char text[40], number[32];
    plot_name(axis, 1, "all");
    for (int k = 1; k <= 15; k++) {
        snprintf(text, sizeof text, "1 in %s", plot_number(pow(10, k), 3, number));
        plot_name(axis, pow(10, -k), text);
    }
}

bool measured_heights(Plot *plot, const MeasuredTitle *title, const uint64_t *at_height, Error *error) {
    Heights h = {0};
    char subtitle[200], number[32];
    plot_begin(plot, 900, 540);
    for (int k = 0; k < HEIGHTS_SIZE; k++)
        h.pieces += h.at_height[k] = at_height[k];
    if (!h.pieces)
        return error_set(error, "No move was counted, so there are no heights to draw.");
    heights_fit(&h, title->rules->width, heights_top(title->rules));
    h.top = heights_top(title->rules);
    PlotPanel *panel = plot_panel(plot, "");
    snprintf(subtitle, sizeof subtitle, "%s moves%s", text_grouped(h.pieces, number),
             h.fitted ? "" : ", too few heights for a line");
    set_title(plot, title, "Heights of the pile", subtitle);
    plot_label_axis(&panel->x, "height of the pile after a move (rows)");
    plot_label_axis(&panel->y, "share of all moves");
    panel->x.range = (PlotRange){0, h.top + 1};
    panel->x.exact = panel->x.whole = panel->y.log = true;
    plot_range_add(&panel->y.range, 1, true);
    name_shares(&panel->y);
    plot_rule(panel, h.top - 0.5, "top of the board");
    panel->legend = PLOT_LEGEND_BOTTOM_LEFT;
    PlotSeries *series = plot_series(panel, counted, "counted");
    for (int k = 0; k < h.top; k++)
        if (at_height[k])
            plot_add(series, k, (double)at_height[k] / (double)h.pieces);
    if (h.fitted) {
        add_line(panel, &h);
        plot_range_add(&panel->y.range, pow(10, floor(log10(share_at(&h, h.top)))), true);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Players beside each other

static bool is_lines(double value) {
    return value > 0 && isfinite(value);
}

bool measured_comparison(Plot *plot, const MeasuredTitle *title, const MeasuredPlayer *player, int count,
                         Error *error) {
    IntervalsRow row[MEASURED_MAX_PLAYERS];
    const IntervalsPlan plan = {.label = "mean lines per game, log scale",
                                .title = "",
                                .subtitle = "",
                                .series = {"measured", "published"},
                                .log = true,
                                .rule = NAN,
                                .text = text_count};
    if (count < 1 || count > MEASURED_MAX_PLAYERS) {
        plot_begin(plot, 900, 540);
        return error_set(error, "A plot shows 1 to %d players, not %d.", MEASURED_MAX_PLAYERS, count);
    }
    for (int k = 0; k < count; k++) {
        Interval known = player[k].published;
        bool published = is_lines(known.low);
        row[k] = (IntervalsRow){player[k].name,
                                {player[k].mean, published ? sqrt(known.low * known.high) : NAN},
                                {player[k].interval, known}};
    }
    if (!intervals_make(plot, &plan, row, count, NULL))
        return error_set(error, "No player has made a line, so there is nothing to draw.");
    set_title(plot, title, "Mean lines per game", "bars are 95 % intervals");
    return true;
}
