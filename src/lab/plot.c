// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of measurements as gnuplot scripts: scores with the exponential curve (Amundsen, fig. 2.5), pile
// heights with Fahey's line (fig. 2.8), players beside each other. Numbers go into data blocks of the script,
// names only through gnuplot_string. Colours are those of Okabe & Ito, which colour-blind readers can tell
// apart; no plot depends on colour alone.
#include "lab/plot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "lab/gnuplot.h"
#include "lab/published.h"

#define BLUE  "'#0072B2'"
#define SKY   "'#9fcde8'"
#define RED   "'#D55E00'"
#define BLACK "'#222222'"
#define GREY  "'#666666'"

// A script that grows in memory.
typedef struct Script {
    FILE *file;
    char *text;
    size_t length;
} Script;

static bool script_open(Script *script, const char *path, int width, int height, Error *error) {
    if (!gnuplot_check(path, error))
        return false;
    *script = (Script){0};
    script->file = open_memstream(&script->text, &script->length);
    if (!script->file)
        return error_set(error, "There is no memory for the plot %s.", path);
    gnuplot_begin(script->file, path, width, height);
    return true;
}

static bool script_draw(Script *script, const char *path, Error *error) {
    bool good = !ferror(script->file);
    good = !fclose(script->file) && good;
    good = good ? gnuplot_draw(path, script->text, script->length, error)
                : error_set(error, "There is no memory for the plot %s.", path);
    free(script->text);
    return good;
}

// Title and subtitle, both from the left edge.
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
    fputs("set tmargin 5\nset label 1 ", f);
    gnuplot_string(f, text);
    fputs(" at graph 0, graph 1 left offset 0,2.9 font ',17' textcolor " BLACK "\nset label 2 ", f);
    gnuplot_string(f, rest);
    fputs(" at graph 0, graph 1 left offset 0,1.3 font ',12' textcolor " GREY "\n", f);
}

// For the axes: round numbers without the digits that text_count would add. <- out
static const char *round_number(double value, char out[24]) {
    static const char *const unit[] = {"", " k", " M", " G", " T", " P"};
    int k = 0;
    while (value >= 999.5 && k < 5) {
        value /= 1000;
        k++;
    }
    snprintf(out, 24, "%.3g%s", value, unit[k]);
    return out;
}

// ---------------------------------------------------------------------------------------------------
// Scores

enum { MOST_BINS = 60, LEAST_BINS = 8, MEANS_SHOWN = 7 };

typedef struct Histogram {
    uint64_t width, bins;
    uint64_t count[MOST_BINS * 3];
    uint64_t ended, stopped, beyond; // beyond: more lines than the last bin
    double lines;                    // of all games
} Histogram;

// <- the smallest of 1, 2, 5, 10, 20, 50 ... that is not below `value`
static uint64_t round_width(double value) {
    uint64_t power = 1;
    while ((double)power * 10 < value && power < UINT64_MAX / 100)
        power *= 10;
    return value <= (double)power         ? power
           : value <= 2.0 * (double)power ? 2 * power
           : value <= 5.0 * (double)power ? 5 * power
                                          : 10 * power;
}

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
    double wanted = fmin(fmax(2 * sqrt((double)h->ended), LEAST_BINS), MOST_BINS);
    h->width = round_width(range / wanted);
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
    char text[24];
    uint64_t step = round_width((double)range / 10);
    fputs("set xtics ('0' 0", f);
    for (uint64_t at = step; at <= range; at += step)
        fprintf(f, ", '%s' %" PRIu64, round_number((double)at, text), at);
    fputs(")\n", f);
}

bool plot_scores(const char *path, const PlotTitle *title, const Score *score, uint64_t games, Error *error) {
    Script script;
    Histogram h;
    fill_histogram(&h, score, games);
    if (!h.ended)
        return error_set(error, "No game has ended, so there are no scores to draw in %s.", path);
    if (!script_open(&script, path, 900, 540, error))
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
            "set xlabel 'lines made in a game' textcolor " GREY "\n"
            "set ylabel 'games per %s lines' textcolor " GREY "\n"
            "set boxwidth %" PRIu64 "\nset style fill solid 1.0 border linecolor '#ffffff'\nset samples 400\n"
            "set arrow 1 from %.9g, graph 0 to %.9g, graph 1 nohead linewidth 1.5 dashtype 2 linecolor " BLACK
            " front\n"
            "set label 3 'mean %s' at %.9g, graph 1 left offset 0.8,-0.9 textcolor " BLACK " front\n"
            "plot $bins using 1:2 with boxes linecolor " SKY " title 'games',"
            " %.9g * exp(-x / %.9g) with lines linewidth 2.5 linecolor " RED
            " title 'exponential law of the same mean'\n",
            h.width * h.bins, text_grouped(h.width, width), h.width, mean, mean, text_count(mean, mean_text),
            mean, (double)h.ended * (double)h.width / fmax(mean, 1e-9), fmax(mean, 1e-9));
    return script_draw(&script, path, error);
}

// ---------------------------------------------------------------------------------------------------
// Heights

static void write_line(FILE *f, const Heights *h) {
    char moves[24];
    fprintf(f,
            ", [%d:%d] exp(%.12g + %.12g * x) with lines linewidth 2.5 linecolor " RED " title 'fitted line',"
            " [%d:%d] exp(%.12g + %.12g * x) with lines linewidth 2.5 dashtype (8,5) linecolor " RED
            " notitle,"
            " $top using 1:2 with points pointtype 4 pointsize 1.6 linewidth 2.5 linecolor " RED
            " title 'extrapolated: one loss in %s moves (biased)'",
            h->low, h->high, h->intercept, h->slope, h->high, h->top, h->intercept, h->slope,
            text_count(exp(-h->intercept - h->slope * h->top), moves));
}

// Shares as "1 in 10 k", down to one in 10^15.
static void write_share_tics(FILE *f) {
    char text[24];
    fputs("set ytics ('all' 1", f);
    for (int k = 1; k <= 15; k++)
        fprintf(f, ", '1 in %s' 1e-%d", round_number(pow(10, k), text), k);
    fputs(")\n", f);
}

bool plot_heights(const char *path, const PlotTitle *title, const uint64_t *at_height, Error *error) {
    Script script;
    Heights h = {0};
    uint64_t moves = 0;
    for (int k = 0; k < HEIGHTS_SIZE; k++)
        moves += h.at_height[k] = at_height[k];
    if (!moves)
        return error_set(error, "No move was counted, so there are no heights to draw in %s.", path);
    h.pieces = moves;
    heights_fit(&h, title->rules->width, heights_top(title->rules));
    h.top = heights_top(title->rules);
    if (!script_open(&script, path, 900, 540, error))
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
            "set xlabel 'height of the pile after a move (rows)' textcolor " GREY "\n"
            "set ylabel 'share of all moves' textcolor " GREY "\n"
            "set arrow 1 from %d.5, graph 0 to %d.5, graph 1 nohead linewidth 1.5 dashtype 3 linecolor " BLACK
            "\n"
            "set label 3 'top of the board' at %d.5, graph 1 right offset -0.8,-0.9 textcolor " BLACK "\n"
            "set key left bottom Left reverse\n$top << END\n%d %.9g\nEND\n"
            "plot $heights using 1:2 with points pointtype 7 pointsize 0.9 linecolor " BLUE
            " title 'counted'",
            h.top + 1, h.top - 1, h.top - 1, h.top - 1, h.top, at_top);
    if (h.fitted)
        write_line(f, &h);
    fputs("\n", f);
    return script_draw(&script, path, error);
}

// ---------------------------------------------------------------------------------------------------
// Players beside each other

enum { LABEL_SIZE = 64 };

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
            char text[24];
            if (value >= low && value <= high) {
                fprintf(f, "%s'%s' %.9g", comma, round_number(value, text), value);
                comma = ", ";
            }
        }
    fputs(")\n", f);
}

// Names on the axis are formats to gnuplot: % is doubled.
static void write_names(FILE *f, const PlotPlayer *player, int count) {
    fputs("set ytics scale 0 (", f);
    for (int k = 0; k < count; k++) {
        char name[2 * LABEL_SIZE + 1];
        int at = 0;
        for (const char *c = player[k].name; *c && at < LABEL_SIZE; c++) {
            name[at++] = *c;
            if (*c == '%')
                name[at++] = '%';
        }
        name[at] = 0;
        fputs(k ? ", " : "", f);
        gnuplot_string(f, name);
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
        fprintf(f, "set label %d '%s%s' at %.9g, %d left offset 0,1 textcolor " BLUE "\n", 10 + k,
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
    Script script;
    double low, high;
    if (count < 1 || count > PLOT_MOST_PLAYERS)
        return error_set(error, "A plot shows 1 to %d players, not %d.", PLOT_MOST_PLAYERS, count);
    if (!find_range(title, player, count, &low, &high))
        return error_set(error, "No player has made a line, so there is nothing to draw in %s.", path);
    int size = 210 + 70 * count;
    if (!script_open(&script, path, 900, size, error))
        return false;
    FILE *f = script.file;
    write_title(f, title, "Mean lines per game", "bars are 95 % intervals");
    write_names(f, player, count);
    write_means(f, player, count, low, high);
    write_line_tics(f, low, high);
    int published = write_published(f, title, player, count);
    fprintf(f,
            "set logscale x\nset xrange [%.9g:%.9g]\n"
            "set xlabel 'mean lines per game, log scale' textcolor " GREY "\n"
            "set key horizontal at graph 1, screen %.4f right top\n"
            "set style line 1 linewidth 3 linecolor " BLUE "\nset style line 2 linewidth 2 linecolor " RED
            "\n"
            "plot $ours using 1:2:3:4 with xerrorbars linestyle 1 pointtype 7 pointsize 1.1 title 'measured'",
            low, high, 1 - 30.0 / size);
    if (published)
        fputs(", $published using 1:($2-0.25):3:4 with xerrorbars linestyle 2 pointtype 12 pointsize 1.4"
              " title 'published'",
              f);
    fputs("\n", f);
    return script_draw(&script, path, error);
}
