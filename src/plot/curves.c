// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a learning run as a gnuplot script; curves.h says what it shows.
#include "plot/curves.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "plot/curves_data.h"
#include "plot/gnuplot.h"
#include "plot/plot_script.h"

enum {
    MAX_NAMED = 12, // numbers of the vector, with a legend
    MAX_THIN = 100, // runs drawn each for itself
    WIDTH = 1280,
    HEIGHT = 860
};

// ---------------------------------------------------------------------------------------------------
// Panels: three beside each other in two rows

enum { COLUMNS = 3 };

static void begin_panel(FILE *f, int panel, const Curves *curves, const char *title) {
    double width = 1.0 / COLUMNS, left = 0.056 + width * (panel % COLUMNS), right = left + width - 0.075;
    double top = panel < COLUMNS ? 0.865 : 0.465, bottom = top - 0.295;
    fprintf(f,
            "reset\nset border 3 linecolor '#444444' linewidth 1\n"
            "set tics nomirror out scale 0.6 textcolor '#222222'\n"
            "set grid back linecolor '#dddddd' linewidth 1 linetype 1 dashtype 1\n"
            "set key samplen 1.6 spacing 1.1 font ',12' textcolor '#222222'\n"
            "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
            "set tmargin at screen %.4f\nset bmargin at screen %.4f\n"
            "set xrange [%g:%.17g]\nset label 3 ",
            left, right, top, bottom, curves->newest > 1 ? 1 : 0.5,
            curves->newest > 1 ? (double)curves->newest : 1.5);
    gnuplot_string(f, title);
    fputs(" at graph 0, graph 1 left offset 0,0.8 font ',14' textcolor " PLOT_BLACK "\n", f);
    if (curves->newest <= 8)
        fputs("set xtics 1\n", f);
    if (panel >= COLUMNS)
        fputs("set xlabel 'generation' textcolor " PLOT_GREY "\n", f);
}

// A single generation has no line to draw.
static const char *style(const Curves *curves) {
    return curves->newest > 2 ? "lines" : "linespoints pointtype 7 pointsize 0.7";
}

static void write_value(FILE *f, double value) {
    if (isfinite(value))
        fprintf(f, " %.9g", value);
    else
        fputs(" NaN", f);
}

// One column per quantity in a row per generation. <- the range of the positive values
static PlotRange write_columns(FILE *f, const char *block, const Curves *curves, Quantity *const *quantity,
                               int count, Together *together, const int *index) {
    PlotRange range = PLOT_RANGE_EMPTY;
    fprintf(f, "$%s << END\n", block);
    for (int k = 0; k < curves->points; k++) {
        fprintf(f, "%" PRIu64, curves->at[k]);
        for (int column = 0; column < count; column++) {
            double value = curves_over_runs(curves, index ? quantity[0] : quantity[column], together,
                                            curves->at[k], index ? index[column] : 0);
            plot_range_add(&range, value, true);
            write_value(f, value);
        }
        fputc('\n', f);
    }
    fputs("END\n", f);
    return range;
}

// Every run for itself, with gaps between them.
static void write_thin(FILE *f, const char *block, const Curves *curves, Quantity *quantity,
                       PlotRange *range) {
    int runs = curves->history->runs < MAX_THIN ? curves->history->runs : MAX_THIN;
    fprintf(f, "$%s << END\n", block);
    for (int run = 0; run < runs; run++) {
        int end = curves->first[run + 1];
        uint64_t last = end > curves->first[run] ? curves->history->generation[end - 1].generation : 0;
        for (int k = 0; k < curves->points && curves->at[k] <= last; k++) {
            const Generation *g = curves_find(curves, run, curves->at[k]);
            double value = g ? quantity(curves, g, 0) : NAN;
            plot_range_add(range, value, true);
            fprintf(f, "%" PRIu64, curves->at[k]);
            write_value(f, value);
            fputc('\n', f);
        }
        fputs("\n", f);
    }
    fputs("END\n", f);
}

static void draw_thin(FILE *f, const char *block, const Curves *curves) {
    if (curves->history->runs > 1)
        fprintf(f, "$%s using 1:2 with %s linewidth 1 linecolor " PLOT_SKY " title 'each run', ", block,
                style(curves));
}

static void draw_score(FILE *f, int panel, const Curves *curves) {
    Quantity *const quantity[] = {curves_answer, curves_best, curves_mean};
    const char *how = style(curves), *width = curves->has_curve ? "1.5" : "2.5";
    char title[80];
    PlotRange range = write_columns(f, "score", curves, quantity, 3, curves_median, NULL);
    if (curves->history->runs > 1)
        write_thin(f, "scores", curves, curves->has_curve ? curves_answer : curves_mean, &range);
    if (!(range.high > 0))
        return;
    snprintf(title, sizeof title, "%s%s",
             curves->history->kind == OBJECTIVE_GAMES ? "lines per game" : "mean lines, by splitting",
             curves->history->runs > 1 ? ", medians of the runs" : "");
    begin_panel(f, panel, curves, title);
    plot_log_axis(f, 'y', range);
    fputs("set key right bottom\nplot ", f);
    draw_thin(f, "scores", curves);
    if (curves->has_curve)
        fprintf(f, "$score using 1:2 with %s linewidth 2.5 linecolor " PLOT_BLUE " title 'answer', ", how);
    fprintf(f,
            "$score using 1:3 with %s linewidth %s linecolor " PLOT_RED " title 'best candidate', "
            "$score using 1:4 with %s linewidth %s linecolor " PLOT_GREY " title 'mean of candidates'\n",
            how, width, how, width);
}

static void draw_sigma(FILE *f, int panel, const Curves *curves) {
    Quantity *const quantity[] = {curves_sigma};
    PlotRange range = write_columns(f, "sigma", curves, quantity, 1, curves_median, NULL);
    if (curves->history->runs > 1)
        write_thin(f, "sigmas", curves, curves_sigma, &range);
    if (!(range.high > 0))
        return;
    begin_panel(f, panel, curves, curves->has_axes ? "step size" : "deviation, root mean square");
    plot_log_axis(f, 'y', range);
    fputs(curves->history->runs > 1 ? "set key right top\nplot " : "set nokey\nplot ", f);
    draw_thin(f, "sigmas", curves);
    fprintf(f, "$sigma using 1:2 with %s linewidth 2.5 linecolor " PLOT_BLUE " title 'median'\n",
            style(curves));
}

static void draw_work(FILE *f, int panel, const Curves *curves) {
    if (curves->has_race) {
        Quantity *const quantity[] = {curves_share};
        write_columns(f, "work", curves, quantity, 1, curves_average, NULL);
        begin_panel(f, panel, curves, "games that the races needed (%)");
        fputs("set yrange [0:105]\n", f);
    } else {
        fputs("$work << END\n", f);
        for (int k = 0; k < curves->points; k++)
            fprintf(f, "%" PRIu64 " %.9g\n", curves->at[k], curves_pieces(curves, curves->at[k]));
        fputs("END\n", f);
        begin_panel(f, panel, curves, "pieces played so far");
        double most = fmin(fmax(curves_pieces(curves, curves->newest), 1), 1e200);
        plot_linear_axis(f, 'y', (PlotRange){0, most * 1.05});
    }
    fprintf(f, "set nokey\nplot $work using 1:2 with %s linewidth 2.5 linecolor " PLOT_BLUE "\n",
            style(curves));
}

// The names of the lines stand below all panels.
static void write_names(FILE *f, const Curves *curves) {
    enum { BESIDE = 6 };
    for (int k = 0; k < curves->lines; k++) {
        double x = 0.02 + 0.163 * (k % BESIDE), y = 0.062 - 0.033 * (k / BESIDE);
        fprintf(f,
                "set arrow %d from screen %.4f, screen %.4f to screen %.4f, screen %.4f nohead linewidth 2.5 "
                "linecolor '%s' dashtype %s\nset label %d ",
                10 + k, x, y, x + 0.022, y, plot_colour(k), plot_dashes(k), 10 + k);
        gnuplot_string(f, curves->history->label[curves->line[k]]);
        fprintf(f, " at screen %.4f, screen %.4f left font ',12' textcolor " PLOT_BLACK "\n", x + 0.027, y);
    }
}

// One line per number of the vector.
static void draw_lines(FILE *f, const char *block, const Curves *curves) {
    fputs("set nokey\nplot ", f);
    for (int k = 0; k < curves->lines; k++)
        fprintf(f, "%s$%s using 1:%d with %s linewidth %s linecolor '%s' dashtype %s", k ? ", " : "", block,
                k + 2, style(curves), curves->lines <= MAX_NAMED ? "2" : "1", plot_colour(k), plot_dashes(k));
    fputc('\n', f);
}

static void draw_weights(FILE *f, int panel, const Curves *curves) {
    Quantity *const quantity[] = {curves_weight};
    char title[100];
    double most = 0;
    for (int k = 0; k < curves->points; k++)
        for (int line = 0; line < curves->lines; line++)
            most = fmax(most, fabs(curves_over_runs(curves, curves_weight, curves_average, curves->at[k],
                                                    curves->line[line])));
    write_columns(f, "weights", curves, quantity, curves->lines, curves_average, curves->line);
    snprintf(title, sizeof title, "%s%s%s",
             curves->lines < curves->history->size - curves->history->switches ? "largest weights"
                                                                               : "weights",
             curves->history->runs > 1 ? ", mean of the runs" : " of the answer",
             curves->history->directions ? ", length 1" : "");
    begin_panel(f, panel, curves, title);
    fputs("set xzeroaxis linecolor '#888888' linewidth 1\n", f);
    if (!(most > 1e-200 && most < 1e200)) // all 0, or no room for margins
        fputs("set yrange [-1:1]\n", f);
    if (curves->lines <= MAX_NAMED)
        write_names(f, curves);
    draw_lines(f, "weights", curves);
}

static void draw_deviations(FILE *f, int panel, const Curves *curves) {
    Quantity *const quantity[] = {curves_deviation};
    PlotRange range =
        write_columns(f, "deviations", curves, quantity, curves->lines, curves_median, curves->line);
    if (!(range.high > 0))
        return;
    begin_panel(f, panel, curves, "deviation of each weight");
    plot_log_axis(f, 'y', range);
    draw_lines(f, "deviations", curves);
}

static void draw_axes(FILE *f, int panel, const Curves *curves) {
    Quantity *const quantity[] = {curves_axis};
    int index[CURVES_MAX_LINES] = {0}, size = curves->history->size,
        count = size < CURVES_MAX_LINES ? size : CURVES_MAX_LINES;
    for (int k = 0; k < count; k++) // of very many, evenly spread ones with the first and the last
        index[k] = count < 2 ? 0 : (int)((int64_t)k * (size - 1) / (count - 1));
    PlotRange range = write_columns(f, "axes", curves, quantity, count, curves_median, index);
    if (!(range.high > 0))
        return;
    begin_panel(f, panel, curves, "square roots of the eigenvalues");
    plot_log_axis(f, 'y', range);
    fputs("set nokey\nplot ", f);
    for (int k = 0; k < count; k++)
        fprintf(f, "%s$axes using 1:%d with %s linewidth 1.5 linecolor " PLOT_BLUE, k ? ", " : "", k + 2,
                style(curves));
    fputc('\n', f);
}

// ---------------------------------------------------------------------------------------------------

static void write_title(FILE *f, const Curves *curves) {
    const LearningHistory *history = curves->history;
    char text[200], rest[300], number[24], time[24], pieces[24], runs[32] = "";
    double evaluations = 0, seconds = 0;
    for (int run = 0; run < history->runs; run++) {
        const Generation *g = curves_find(curves, run, curves->newest);
        evaluations += g ? (double)g->evaluations : 0;
        seconds = g ? fmax(seconds, g->seconds) : seconds;
    }
    if (history->runs > 1)
        snprintf(runs, sizeof runs, "%d runs of up to ", history->runs);
    snprintf(text, sizeof text, "Learning: %s", history->title);
    snprintf(rest, sizeof rest, "%s%" PRIu64 " generation%s, %s %s for selection, %s pieces, %s", runs,
             curves->newest, curves->newest == 1 ? "" : "s", text_count(evaluations, number),
             history->kind == OBJECTIVE_GAMES ? "games" : "repetitions",
             text_count(curves_pieces(curves, curves->newest), pieces), text_seconds(seconds, time));
    fputs("set multiplot\nset label 1 ", f);
    gnuplot_string(f, text);
    fputs(" at screen 0.02, screen 0.965 left font ',17' textcolor " PLOT_BLACK "\nset label 2 ", f);
    gnuplot_string(f, rest);
    fputs(" at screen 0.02, screen 0.93 left font ',12' textcolor " PLOT_GREY "\n"
          "unset border\nunset tics\nunset key\nset xrange [0:1]\nset yrange [0:1]\nplot NaN notitle\n",
          f);
}

static void write_script(FILE *f, const Curves *curves) {
    static void (*const draw[])(FILE *, int, const Curves *) = {draw_score,   draw_sigma,      draw_work,
                                                                draw_weights, draw_deviations, draw_axes};
    write_title(f, curves);
    for (int k = 0; k < 6; k++)
        draw[k](f, k, curves);
    fputs("unset multiplot\n", f);
}

bool curves_draw(const char *path, const LearningHistory *history, Error *error) {
    Curves curves = {0};
    PlotScript script;
    if (!gnuplot_check(path, error))
        return false;
    if (history->count < 1)
        return error_set(error, "No generation is complete, so there is nothing to draw in %.300s.", path);
    bool good =
        curves_make(&curves, history) || error_set(error, "There is no memory for the plot %.300s.", path);
    if (good && (good = plot_script_open(&script, path, WIDTH, HEIGHT, error))) {
        write_script(script.file, &curves);
        good = plot_script_draw(&script, path, error);
    }
    curves_free(&curves);
    return good;
}
