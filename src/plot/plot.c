// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of measurements as gnuplot scripts: scores with the exponential curve (Amundsen, fig. 2.5), pile
// heights with Fahey's line (fig. 2.8), players beside each other. Numbers go into data blocks of the script,
// names only through gnuplot_string. No plot depends on colour alone.
#include "plot/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plot/plot_script.h"
#include "plot/published.h"

static void write_title(FILE *f, const PlotTitle *title, const char *what, const char *subtitle) {
    const Rules *rules = title->rules;
    char text[320], rest[600];
    snprintf(text, sizeof text, "%s%s%.200s", what, title->player ? " of " : "",
             title->player ? title->player : "");
    snprintf(rest, sizeof rest, "board %dx%d%s%s%s%s%.100s, seed %" PRIu64 "%s%.300s", rules->width,
             rules->height, rules->original ? ", original rules" : "",
             rules->overflow == OVERFLOW_STRICT  ? ", strict overflow"
             : rules->overflow == OVERFLOW_TOUCH ? ", touch overflow"
                                                 : "",
             rules->gameover == GAMEOVER_EVALUATE ? ", lost moves evaluated" : "",
             strcmp(rules->pieces.name, "uniform") ? ", pieces " : "",
             strcmp(rules->pieces.name, "uniform") ? rules->pieces.name : "", title->seed,
             *subtitle ? "; " : "", subtitle);
    plot_title(f, text, rest);
}

// ---------------------------------------------------------------------------------------------------
// Scores

enum { MAX_BINS = 60, LEAST_BINS = 8, MEANS_SHOWN = 7 };

typedef struct Histogram {
    uint64_t width, bins;
    uint64_t count[MAX_BINS * 3];
    uint64_t ended, stopped, beyond; // beyond: more lines than the last bin
    double lines;                    // of all games
} Histogram;

static void fill_histogram(Histogram *h, const Score *score, uint64_t games) {
    uint64_t most = 0;
    *h = (Histogram){0};
    for (uint64_t k = 0; k < games; k++) {
        h->lines += (double)score[k].lines;
        if (score[k].censored) {
            h->stopped++;
            continue;
        }
        h->ended++;
        most = score[k].lines > most ? score[k].lines : most;
    }
    double mean = h->ended ? h->lines / (double)h->ended : 1;
    double range = fmin((double)most + 1, MEANS_SHOWN * mean + 1);
    double wanted = fmin(fmax(2 * sqrt((double)h->ended), LEAST_BINS), MAX_BINS);
    h->width = (uint64_t)plot_round_up(fmax(range / wanted, 1));
    h->bins = (uint64_t)ceil(range / (double)h->width);
    for (uint64_t k = 0; k < games; k++) {
        uint64_t bin = score[k].lines / h->width;
        if (!score[k].censored)
            bin < h->bins ? h->count[bin]++ : h->beyond++;
    }
}

static void write_bins(FILE *f, const Histogram *h) {
    fputs("$bins << END\n", f);
    for (uint64_t k = 0; k < h->bins; k++)
        fprintf(f, "%" PRIu64 ".%d %" PRIu64 "\n", k * h->width + h->width / 2, h->width % 2 ? 5 : 0,
                h->count[k]);
    fputs("END\n", f);
}

static void write_score_tics(FILE *f, uint64_t range) {
    char text[32];
    uint64_t step = (uint64_t)plot_round_up(fmax((double)range / 10, 1));
    fputs("set xtics ('0' 0", f);
    for (uint64_t at = step; at <= range; at += step)
        fprintf(f, ", '%s' %" PRIu64, plot_number((double)at, 3, text), at);
    fputs(")\n", f);
}

bool plot_scores(const char *path, const PlotTitle *title, const Score *score, uint64_t games, Error *error) {
    PlotScript script;
    Histogram h;
    fill_histogram(&h, score, games);
    if (!h.ended)
        return error_set(error, "No game has ended, so there are no scores to draw in %s.", path);
    if (!plot_script_open(&script, path, 900, 540, error))
        return false;
    FILE *f = script.file;
    char ended[32], number[32], mean_text[24], subtitle[200], width[32];
    double mean = h.lines / (double)h.ended;
    int at = snprintf(subtitle, sizeof subtitle, "%s games", text_grouped(h.ended, ended));
    if (h.stopped)
        at += snprintf(subtitle + at, sizeof subtitle - (size_t)at, ", %s more stopped before their end",
                       text_grouped(h.stopped, number));
    if (h.beyond)
        snprintf(subtitle + at, sizeof subtitle - (size_t)at, ", %s beyond the right edge",
                 text_grouped(h.beyond, number));
    write_title(f, title, "Scores of whole games", subtitle);
    write_bins(f, &h);
    write_score_tics(f, h.width * h.bins);
    fprintf(f,
            "set xrange [0:%" PRIu64 "]\nset yrange [0:*]\n"
            "set xlabel 'lines made in a game' textcolor " PLOT_GREY "\n"
            "set ylabel 'games per %s lines' textcolor " PLOT_GREY "\n"
            "set boxwidth %" PRIu64 "\nset style fill solid 1.0 border linecolor '#ffffff'\nset samples 400\n"
            "set arrow 1 from %.9g, graph 0 to %.9g, graph 1 nohead linewidth 1.5 dashtype 2 "
            "linecolor " PLOT_BLACK " front\n"
            "set label 3 'mean %s' at %.9g, graph 1 left offset 0.8,-0.9 textcolor " PLOT_BLACK " front\n"
            "plot $bins using 1:2 with boxes linecolor " PLOT_SKY " title 'games',"
            " %.9g * exp(-x / %.9g) with lines linewidth 2.5 linecolor " PLOT_RED
            " title 'exponential law of the same mean'\n",
            h.width * h.bins, text_grouped(h.width, width), h.width, mean, mean, text_count(mean, mean_text),
            mean, (double)h.ended * (double)h.width / fmax(mean, 1e-9), fmax(mean, 1e-9));
    return plot_script_draw(&script, path, error);
}

// ---------------------------------------------------------------------------------------------------
// Heights

static void write_line(FILE *f, const Heights *h) {
    char moves[24];
    fprintf(f,
            ", [%d:%d] exp(%.12g + %.12g * x) with lines linewidth 2.5 linecolor " PLOT_RED
            " title 'fitted line',"
            " [%d:%d] exp(%.12g + %.12g * x) with lines linewidth 2.5 dashtype (8,5) linecolor " PLOT_RED
            " notitle,"
            " $top using 1:2 with points pointtype 4 pointsize 1.6 linewidth 2.5 linecolor " PLOT_RED
            " title 'extrapolated: one loss in %s moves (biased)'",
            h->low, h->high, h->intercept, h->slope, h->high, h->top, h->intercept, h->slope,
            text_count(exp(-h->intercept - h->slope * h->top), moves));
}

// Shares as "1 in 10 k", down to one in 10^15.
static void write_share_tics(FILE *f) {
    char text[32];
    fputs("set ytics ('all' 1", f);
    for (int k = 1; k <= 15; k++)
        fprintf(f, ", '1 in %s' 1e-%d", plot_number(pow(10, k), 3, text), k);
    fputs(")\n", f);
}

bool plot_heights(const char *path, const PlotTitle *title, const uint64_t *at_height, Error *error) {
    PlotScript script;
    Heights h = {0};
    uint64_t moves = 0;
    for (int k = 0; k < HEIGHTS_SIZE; k++)
        moves += h.at_height[k] = at_height[k];
    if (!moves)
        return error_set(error, "No move was counted, so there are no heights to draw in %s.", path);
    h.pieces = moves;
    heights_fit(&h, title->rules->width, heights_top(title->rules));
    h.top = heights_top(title->rules);
    if (!plot_script_open(&script, path, 900, 540, error))
        return false;
    FILE *f = script.file;
    char subtitle[200], number[32];
    double at_top = h.fitted ? exp(h.intercept + h.slope * h.top) : NAN;
    snprintf(subtitle, sizeof subtitle, "%s moves%s", text_grouped(moves, number),
             h.fitted ? "" : ", too few heights for a line");
    write_title(f, title, "Heights of the pile", subtitle);
    write_share_tics(f);
    fputs("$heights << END\n", f);
    for (int k = 0; k < h.top; k++)
        if (at_height[k])
            fprintf(f, "%d %.9g\n", k, (double)at_height[k] / (double)moves);
    fputs("END\n", f);
    fprintf(f,
            "set xrange [0:%d]\nset xtics 2\nset logscale y\n"
            "set xlabel 'height of the pile after a move (rows)' textcolor " PLOT_GREY "\n"
            "set ylabel 'share of all moves' textcolor " PLOT_GREY "\n"
            "set arrow 1 from %d.5, graph 0 to %d.5, graph 1 nohead linewidth 1.5 dashtype 3 "
            "linecolor " PLOT_BLACK "\n"
            "set label 3 'top of the board' at %d.5, graph 1 right offset -0.8,-0.9 textcolor " PLOT_BLACK
            "\n"
            "set key left bottom Left reverse\n$top << END\n%d %.9g\nEND\n"
            "plot $heights using 1:2 with points pointtype 7 pointsize 0.9 linecolor " PLOT_BLUE
            " title 'counted'",
            h.top + 1, h.top - 1, h.top - 1, h.top - 1, h.top, at_top);
    if (h.fitted)
        write_line(f, &h);
    fputs("\n", f);
    return plot_script_draw(&script, path, error);
}

// ---------------------------------------------------------------------------------------------------
// Players beside each other

// The axis: a little more than what is shown. <- false: there is nothing to show
static bool find_range(const PlotTitle *title, const PlotPlayer *player, int count, double *low,
                       double *high) {
    *low = INFINITY, *high = 0;
    for (int k = 0; k < count; k++) {
        const Published *published = published_find(player[k].name, title->rules);
        double values[] = {player[k].mean, player[k].interval.low, player[k].interval.high,
                           published ? published->low : NAN, published ? published->high : NAN};
        for (size_t v = 0; v < sizeof values / sizeof *values; v++)
            if (isfinite(values[v]) && values[v] > 0) {
                *low = fmin(*low, values[v]);
                *high = fmax(*high, values[v]);
            }
    }
    *low /= 1.6, *high *= 1.6;
    return *high > 0;
}

// Where a decade is wide enough, also its 2 and 5.
static void write_line_tics(FILE *f, double low, double high) {
    static const double step[] = {1, 2, 5};
    int steps = high / low < 2000 ? 3 : 1;
    const char *comma = "";
    fputs("set xtics (", f);
    for (double power = pow(10, floor(log10(low))); power <= high; power *= 10)
        for (int k = 0; k < steps; k++) {
            double value = power * step[k];
            char text[32];
            if (value >= low && value <= high) {
                fprintf(f, "%s'%s' %.9g", comma, plot_number(value, 3, text), value);
                comma = ", ";
            }
        }
    fputs(")\n", f);
}

static void write_names(FILE *f, const PlotPlayer *player, int count) {
    fputs("set ytics scale 0 (", f);
    for (int k = 0; k < count; k++) {
        fputs(k ? ", " : "", f);
        plot_tic_name(f, player[k].name);
        fprintf(f, " %d", count - k);
    }
    fprintf(f, ")\nset yrange [0.4:%d.6]\n", count);
}

static void write_means(FILE *f, const PlotPlayer *player, int count, double low, double high) {
    fputs("$ours << END\n", f);
    for (int k = 0; k < count; k++) {
        const PlotPlayer *p = &player[k];
        double from = p->interval.low > low ? p->interval.low : low;
        double to = p->interval.high < high ? p->interval.high : high; // infinite: to the edge
        fprintf(f, "%.9g %d %.9g %.9g\n", isfinite(p->mean) && p->mean > 0 ? p->mean : from, count - k, from,
                to);
    }
    fputs("END\n", f);
    for (int k = 0; k < count; k++) {
        char text[24];
        const PlotPlayer *p = &player[k];
        fprintf(f, "set label %d '%s%s' at %.9g, %d left offset 0,1 textcolor " PLOT_BLUE "\n", 10 + k,
                isfinite(p->mean) ? "" : "over ",
                text_count(isfinite(p->mean) ? p->mean : p->interval.low, text),
                isfinite(p->mean) && p->mean > 0 ? p->mean : fmax(p->interval.low, low), count - k);
    }
}

// <- how many there are
static int write_published(FILE *f, const PlotTitle *title, const PlotPlayer *player, int count) {
    int found = 0;
    fputs("$published << END\n", f);
    for (int k = 0; k < count; k++) {
        const Published *p = published_find(player[k].name, title->rules);
        if (p) {
            fprintf(f, "%.9g %d %.9g %.9g\n", sqrt(p->low * p->high), count - k, p->low, p->high);
            found++;
        }
    }
    fputs("END\n", f);
    return found;
}

bool plot_comparison(const char *path, const PlotTitle *title, const PlotPlayer *player, int count,
                     Error *error) {
    PlotScript script;
    double low, high;
    if (count < 1 || count > PLOT_MAX_PLAYERS)
        return error_set(error, "A plot shows 1 to %d players, not %d.", PLOT_MAX_PLAYERS, count);
    if (!find_range(title, player, count, &low, &high))
        return error_set(error, "No player has made a line, so there is nothing to draw in %s.", path);
    int size = 210 + 70 * count;
    if (!plot_script_open(&script, path, 900, size, error))
        return false;
    FILE *f = script.file;
    write_title(f, title, "Mean lines per game", "bars are 95 % intervals");
    write_names(f, player, count);
    write_means(f, player, count, low, high);
    write_line_tics(f, low, high);
    int published = write_published(f, title, player, count);
    fprintf(f,
            "set logscale x\nset xrange [%.9g:%.9g]\n"
            "set xlabel 'mean lines per game, log scale' textcolor " PLOT_GREY "\n"
            "set key horizontal at graph 1, screen %.4f right top\n"
            "set style line 1 linewidth 3 linecolor " PLOT_BLUE
            "\nset style line 2 linewidth 2 linecolor " PLOT_RED "\n"
            "plot $ours using 1:2:3:4 with xerrorbars linestyle 1 pointtype 7 pointsize 1.1 title 'measured'",
            low, high, 1 - 30.0 / size);
    if (published)
        fputs(", $published using 1:($2-0.25):3:4 with xerrorbars linestyle 2 pointtype 12 pointsize 1.4"
              " title 'published'",
              f);
    fputs("\n", f);
    return plot_script_draw(&script, path, error);
}
