// SPDX-License-Identifier: GPL-3.0-or-later
// Plots: what they show, names from anywhere, and what happens without gnuplot. PATH is set per test to a
// folder of the test's own where gnuplot is to be missing or to fail.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "plot/gnuplot.h"
#include "plot/histogram.h"
#include "plot/intervals.h"
#include "plot/measured.h"
#include "plot/plot_layout.h"

static char folder[] = "/tmp/tetralab-plot-XXXXXX";
static char *old_path;
static Rules rules;

static const char *in_folder(const char *name) {
    static char path[8][256];
    static int turn;
    char *out = path[turn++ % 8];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static bool has_file(const char *path) {
    return access(path, F_OK) == 0;
}

static char *read_text(const char *path) {
    Error error = {""};
    size_t length = 0;
    char *text = text_read_file(path, &length, &error);
    if (!text)
        fail_msg("%s", error.text);
    return text;
}

static void assert_holds(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %.600s", part, text);
}

static bool installed(void) {
    for (const char *at = old_path ? old_path : ""; *at;) {
        char name[600];
        size_t length = strcspn(at, ":");
        snprintf(name, sizeof name, "%.*s/gnuplot", (int)(length < 500 ? length : 500), at);
        if (!access(name, X_OK))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static void need_gnuplot(void) {
    if (!installed()) {
        print_message("gnuplot is not installed: nothing is drawn here.\n");
        skip();
    }
}

// Scores that are close to exponential with mean 1000.
static void make_scores(Score *score, uint64_t games) {
    for (uint64_t k = 0; k < games; k++)
        score[k] =
            (Score){.lines = (uint64_t)(-1000 * log(((double)k + 0.5) / (double)games)), .played = true};
}

// Counts that fall by half with every row, as far as there are any.
static void make_heights(uint64_t at_height[HEIGHTS_SIZE]) {
    memset(at_height, 0, HEIGHTS_SIZE * sizeof *at_height);
    at_height[1] = 1000;
    for (int h = 2; h < 16; h++)
        at_height[h] = (uint64_t)1 << (20 - h);
}

static bool draw(Plot *plot, bool made, const char *path, Error *error) {
    bool good = made && plot_draw(plot, path, error);
    plot_free(plot);
    return good;
}

static bool draw_scores(const char *path, const MeasuredTitle *title, const Score *score, uint64_t games,
                        Error *error) {
    Plot plot;
    return draw(&plot, measured_scores(&plot, title, score, games, error), path, error);
}

static bool draw_heights(const char *path, const MeasuredTitle *title, const uint64_t *at_height,
                         Error *error) {
    Plot plot;
    return draw(&plot, measured_heights(&plot, title, at_height, error), path, error);
}

static bool draw_comparison(const char *path, const MeasuredTitle *title, const MeasuredPlayer *player,
                            int count, Error *error) {
    Plot plot;
    return draw(&plot, measured_comparison(&plot, title, player, count, error), path, error);
}

static const MeasuredPlayer three[] = {{"dellacherie", 6.4e6, {5.9e6, 6.9e6}, {5.2e6, 6.6e6}},
                                       {"bcts", 32.3e6, {30e6, 34e6}, {35e6, 35e6}},
                                       {"mine", INFINITY, {70e6, INFINITY}}};

// ---------------------------------------------------------------------------------------------------

static void scores_are_drawn_with_title_and_curve(void **state) {
    (void)state;
    need_gnuplot();
    Error error = {""};
    Score score[500];
    make_scores(score, 500);
    score[0].censored = true;
    const char *path = in_folder("scores.svg");
    if (!draw_scores(path, &(MeasuredTitle){"bcts", &rules, 7}, score, 500, &error))
        fail_msg("%s", error.text);
    char *text = read_text(path);
    assert_int_equal(strncmp(text, "<?xml", 5), 0);
    assert_holds(text, "Scores of whole games of bcts");
    assert_holds(text, "board 10x20, seed 7; 499 games, 1 more stopped before their end");
    assert_holds(text, "exponential law of the same mean");
    assert_holds(text, "mean 1.0");
    assert_holds(text, "</svg>");
    assert_false(has_file(in_folder("scores.svg.gnuplot")));
    free(text);
}

static void heights_are_drawn_with_line_and_extrapolation(void **state) {
    (void)state;
    need_gnuplot();
    Error error = {""};
    uint64_t at_height[HEIGHTS_SIZE];
    make_heights(at_height);
    const char *path = in_folder("heights.svg");
    if (!draw_heights(path, &(MeasuredTitle){"bcts", &rules, 1}, at_height, &error))
        fail_msg("%s", error.text);
    char *text = read_text(path);
    assert_holds(text, "Heights of the pile of bcts");
    assert_holds(text, "fitted line");
    assert_holds(text,
                 "extrapolated: one loss in 1.05 M moves"); // halves from 1 in 2 at row 2 to row 21: 2^20
    assert_holds(text, "1 in 10 k");
    free(text);
}

static void too_few_heights_are_drawn_without_a_line(void **state) {
    (void)state;
    need_gnuplot();
    Error error = {""};
    uint64_t at_height[HEIGHTS_SIZE] = {5, 1};
    const char *path = in_folder("few.svg");
    if (!draw_heights(path, &(MeasuredTitle){"bcts", &rules, 1}, at_height, &error))
        fail_msg("%s", error.text);
    char *text = read_text(path);
    assert_holds(text, "too few heights for a line");
    assert_null(strstr(text, "fitted line"));
    free(text);
}

static void players_are_drawn_beside_their_published_values(void **state) {
    (void)state;
    need_gnuplot();
    Error error = {""};
    const char *path = in_folder("players.svg");
    if (!draw_comparison(path, &(MeasuredTitle){NULL, &rules, 1}, three, 3, &error))
        fail_msg("%s", error.text);
    char *text = read_text(path);
    assert_holds(text, ">dellacherie<");
    assert_holds(text, "32.3 M");
    assert_holds(text, "over 70.0 M");
    assert_holds(text, "published");
    free(text);
    if (!draw_comparison(path, &(MeasuredTitle){NULL, &rules, 1}, three + 2, 1, &error))
        fail_msg("%s", error.text);
    text = read_text(path);
    assert_null(strstr(text, "published")); // nothing is, of "mine"
    free(text);
}

static void a_png_is_a_png(void **state) {
    (void)state;
    need_gnuplot();
    Error error = {""};
    const char *path = in_folder("players.PNG");
    if (!draw_comparison(path, &(MeasuredTitle){NULL, &rules, 1}, three, 3, &error))
        fail_msg("%s", error.text);
    char *picture = read_text(path);
    assert_memory_equal(picture, "\x89PNG\r\n", 6);
    free(picture);
}

static void names_are_shown_and_nothing_in_them_runs(void **state) {
    (void)state;
    need_gnuplot();
    Error error = {""};
    char name[7][200];
    snprintf(name[0], sizeof name[0], "`touch %s`", in_folder("ran0"));
    snprintf(name[1], sizeof name[1], "'; system 'touch %s'; x='", in_folder("ran1"));
    snprintf(name[2], sizeof name[2], "a\"\n!touch %s\n", in_folder("ran2"));
    snprintf(name[3], sizeof name[3], "'.system('touch %s').'", in_folder("ran3"));
    snprintf(name[4], sizeof name[4], "%%s%%n%%d {/Symbol a}_b^c @x \\");
    snprintf(name[5], sizeof name[5], "\xff\xc3(\x1b[31m END");
    snprintf(name[6], sizeof name[6], "'\nEND\n!touch %s\n'", in_folder("ran6"));
    uint64_t at_height[HEIGHTS_SIZE];
    Score score[20];
    make_heights(at_height);
    make_scores(score, 20);
    for (int k = 0; k < 7; k++) {
        const MeasuredTitle title = {name[k], &rules, 1};
        const MeasuredPlayer player = {name[k], 1000, {900, 1100}};
        if (!draw_scores(in_folder("hostile.svg"), &title, score, 20, &error) ||
            !draw_heights(in_folder("hostile.svg"), &title, at_height, &error) ||
            !draw_comparison(in_folder("hostile.svg"), &title, &player, 1, &error))
            fail_msg("name %d: %s", k, error.text);
        char ran[16];
        snprintf(ran, sizeof ran, "ran%d", k);
        assert_false(has_file(in_folder(ran)));
        char *text = read_text(in_folder("hostile.svg"));
        if (k == 4)
            assert_holds(text, ">%s%n%d {/Symbol a}_b^c @x \\<");
        free(text);
    }
    const char *path = in_folder("'`touch x`$(touch y);.svg");
    if (!draw_scores(path, &(MeasuredTitle){"bcts", &rules, 1}, score, 20, &error))
        fail_msg("%s", error.text);
    assert_true(has_file(path));
}

// <- the script that is kept without gnuplot; free() it
static char *script_of(const Plot *plot) {
    Error error = {""};
    setenv("PATH", in_folder("empty"), 1);
    assert_false(plot_draw(plot, in_folder("script.svg"), &error));
    assert_holds(error.text, "its script is kept");
    return read_text(in_folder("script.svg.gnuplot"));
}

// <- lines of a data block of the script
static int rows_of(const char *script, const char *block) {
    const char *at = strstr(script, block);
    assert_non_null(at);
    int rows = -1; // the line with its name
    for (; strncmp(at, "END\n", 4); at = strchr(at, '\n') + 1)
        rows++;
    return rows;
}

static void long_lines_are_thinned_out_between_their_ends(void **state) {
    (void)state;
    Plot plot;
    plot_begin(&plot, 900, 540);
    PlotPanel *panel = plot_panel(&plot, "");
    PlotSeries *two = plot_series(panel, plot_line_style(0, 2), "two stretches");
    PlotSeries *points = plot_series(panel, (PlotStyle){PLOT_POINTS, PLOT_RED, 1, false, PLOT_DISC, 1}, "");
    for (int k = 0; k < 10000; k++) {
        plot_add(two, k, k % 7);
        plot_add(points, k, 3);
        if (k == 5999)
            plot_gap(two);
    }
    char *script = script_of(&plot);
    assert_int_equal(rows_of(script, "$panel1_0 << END\n"), plot.budget + 1); // with the gap
    assert_int_equal(rows_of(script, "$panel1_1 << END\n"), 10000);           // no line
    assert_holds(script, " 0 0\n");
    assert_holds(script, " 5999 0\n\n 6000 1\n"); // the gap
    assert_holds(script, " 9999 3\nEND\n");
    free(script);
    plot_free(&plot);
}

static void what_an_axis_cannot_show_is_a_gap_and_open_ends_go_to_the_edge(void **state) {
    (void)state;
    Plot plot;
    plot_begin(&plot, 900, 540);
    PlotPanel *panel = plot_panel(&plot, "");
    panel->y.log = true;
    PlotSeries *series =
        plot_series(panel, (PlotStyle){PLOT_INTERVALS, PLOT_RED, 1, false, PLOT_DISC, 1}, "");
    plot_add_interval(series, 1, -5, -6, -4);
    assert_false(plot_panel_shows(panel));
    plot_add_interval(series, 2, 10, 1, INFINITY);
    plot_add_interval(series, 3, 100, 0, 100);
    assert_true(plot_panel_shows(panel));
    char *script = script_of(&plot);
    assert_holds(script, " 1 NaN 1 1\n"); // below the edge
    assert_holds(script, " 2 10 1 100\n");
    assert_holds(script, " 3 100 1 100\n");
    assert_holds(script, "set yrange [1*0.999999:100*1.000001]");
    free(script);
    plot_free(&plot);
}

// Beside the y axis stands a number at or above the highest value, and one at or below the lowest.
static void axes_end_at_numbers_beyond_all_values(void **state) {
    (void)state;
    static const struct {
        bool log;
        double low, high;
        const char *range;
    } rows[] = {{false, 3, 36, "[0:40]"},          {false, 30, 36, "[30:36]"},
                {false, -0.31, 0.2, "[-0.4:0.2]"}, {false, 0.2, 97, "[0:100]"},
                {true, 3, 36, "[2:50]"},           {true, 11, 36, "[10:50]"},
                {true, 3, 36e6, "[1:100000000]"},  {true, 2.1, 2.1, "[1:5]"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        Plot plot;
        plot_begin(&plot, 900, 540);
        PlotPanel *panel = plot_panel(&plot, "");
        panel->y.log = rows[k].log;
        PlotSeries *series = plot_series(panel, plot_line_style(0, 1), "");
        plot_add(series, 1, rows[k].low);
        plot_add(series, 2, rows[k].high);
        char *script = script_of(&plot), wanted[64];
        double low = 0, high = 0;
        assert_int_equal(sscanf(rows[k].range, "[%lf:%lf]", &low, &high), 2);
        snprintf(wanted, sizeof wanted,
                 rows[k].log ? "set yrange [%.12g*0.999999:%.12g*1.000001]" : "set yrange [%.12g:%.12g]", low,
                 high);
        assert_holds(script, wanted);
        free(script);
        plot_free(&plot);
    }
}

// Panels do not overlap, nor do their legends, and the picture grows with what stands below.
static void panels_have_places_of_their_own(void **state) {
    (void)state;
    for (int panels = 2; panels <= 6; panels++)
        for (int named = 0; named <= 40; named += 20) {
            Plot plot;
            PlotLayout layout;
            plot_begin(&plot, 1200, 800);
            plot.columns = panels > 4 ? 3 : 2;
            for (int p = 0; p < panels; p++) {
                PlotPanel *panel = plot_panel(&plot, "title");
                panel->legend = PLOT_LEGEND_BELOW;
                for (int k = 0; k < named; k++)
                    plot_add(plot_series(panel, plot_line_style(k, 1), "a name of some length"), k, k);
            }
            plot_lay_out(&layout, &plot);
            assert_true(named ? layout.height > 800 : layout.height == 800);
            for (int p = 0; p < panels; p++) {
                const PlotPlace *a = &layout.place[p];
                assert_true(0 < a->left && a->left < a->right && a->right < 1);
                assert_true(a->bottom < a->top && a->top < a->title && a->title < 1);
                assert_true(a->legend.rows * a->legend.columns >= named);
                double end = a->legend_top - (double)PLOT_LEGEND_LINE * a->legend.rows / layout.height;
                assert_true(end > 0 && a->legend_top < a->bottom);
                if (p + plot.columns < panels)
                    assert_true(layout.place[p + plot.columns].title < end);
                if (p % plot.columns)
                    assert_true(layout.place[p - 1].right < a->left);
            }
            plot_free(&plot);
        }
}

static void bins_have_round_ends_and_hold_what_is_shown(void **state) {
    (void)state;
    Histogram histogram;
    Plot plot;
    double value[1000], all = 0;
    for (int k = 0; k < 1000; k++)
        value[k] = k % 100;
    value[999] = 100000; // far beyond the mean
    plot_begin(&plot, 900, 540);
    PlotPanel *panel = plot_panel(&plot, "");
    assert_true(histogram_add(&histogram, panel, &(HistogramRow){"a", value, 1000, 50}, 1, false));
    assert_int_equal(histogram.width, 10); // 7 means in at most 60 bins
    assert_int_equal(histogram.beyond, 1);
    assert_int_equal(panel->series[0]->point[0].y, 100);
    for (size_t k = 0; k < panel->series[0]->count; k++)
        all += panel->series[0]->point[k].y;
    assert_int_equal(all, 999);
    assert_true(fabs(panel->series[1]->point[0].y - 1000 * 10 / 50.0) < 1e-9); // the law at 0
    plot_free(&plot);
}

static const char *one_digit(double value, char out[24]) {
    snprintf(out, 24, "<%.1f>", value);
    return out;
}

static void numbers_beside_each_other_keep_their_intervals(void **state) {
    (void)state;
    const IntervalsPlan plan = {.title = "t",
                                .subtitle = "s",
                                .label = "x",
                                .series = {"ours", "theirs"},
                                .log = true,
                                .rule = 1,
                                .rule_text = "equal",
                                .text = one_digit};
    const IntervalsRow row[] = {{"a", {2, NAN}, {{1.5, 3}}},
                                {"b", {4, 5}, {{3, INFINITY}, {4, 6}}},
                                {"c", {INFINITY, NAN}, {{7, INFINITY}}},
                                {"d", {8, NAN}, {{NAN, NAN}}}};
    Plot plot;
    Error error = {""};
    assert_true(intervals_make(&plot, &plan, row, 4, &error));
    const PlotPanel *panel = plot.panel[0];
    const PlotPoint *point = panel->series[0]->point;
    assert_int_equal(panel->series[0]->count, 4);
    assert_true(point[0].x == 2 && point[0].y == 0 && point[0].low == 1.5 && point[0].high == 3);
    assert_true(point[1].x == 4 && point[1].high == INFINITY);
    assert_true(point[2].x == 7 && point[2].low == 7); // no more is known than a lower end
    assert_true(point[3].low == 8 && point[3].high == 8);
    assert_int_equal(panel->series[1]->count, 1);
    assert_true(panel->series[1]->point[0].x == 5 && panel->series[1]->point[0].y < -1);
    assert_string_equal(panel->notes.text[2].text, "over <7.0>");
    assert_string_equal(panel->y.names.text[3].text, "d");
    assert_true(panel->rule == 1);
    plot_free(&plot);
    assert_true(intervals_make(&plot, &plan, &(IntervalsRow){"e", {2, NAN}, {{-1, 5}}}, 1, &error));
    assert_true(plot.panel[0]->series[0]->point[0].low == 0); // which a log axis takes for its edge
    plot_free(&plot);
    assert_false(intervals_make(&plot, &plan, &(IntervalsRow){"e", {0, NAN}, {{0, 0}}}, 1, &error));
    assert_holds(error.text, "no number that can be drawn");
    plot_free(&plot);
    assert_false(intervals_make(&plot, &plan, row, 0, &error));
    plot_free(&plot);
}

static void other_endings_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"plot.jpg", "plot", ".svg", "plot.svg.txt", ""};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Error error = {""};
        assert_false(gnuplot_check(wrong[k], &error));
        assert_holds(error.text, "as .svg, .png, .pdf or .eps");
        assert_false(draw_comparison(wrong[k], &(MeasuredTitle){NULL, &rules, 1}, three, 3, &error));
        assert_holds(error.text, "as .svg, .png, .pdf or .eps");
    }
}

static void without_gnuplot_the_script_is_kept(void **state) {
    (void)state;
    Error error = {""};
    const char *path = in_folder("kept.svg");
    setenv("PATH", in_folder("empty"), 1);
    assert_false(draw_comparison(path, &(MeasuredTitle){NULL, &rules, 1}, three, 3, &error));
    assert_holds(error.text, "gnuplot is not installed (Debian package gnuplot-nox)");
    assert_holds(error.text, "kept.svg.gnuplot");
    assert_false(has_file(path));
    char *script = read_text(in_folder("kept.svg.gnuplot"));
    assert_holds(script, "set terminal svg");
    assert_holds(script, "with xerrorbars");
    assert_holds(script, "title 'published'");
    free(script);
}

static void a_gnuplot_that_fails_is_quoted(void **state) {
    (void)state;
    Error error = {""};
    static const char fake[] = "#!/bin/sh\necho 'line 1: nonsense' >&2\nexit 3\n";
    const char *bin = in_folder("bin"), *path = in_folder("failed.svg");
    assert_int_equal(mkdir(bin, 0700), 0);
    assert_true(text_write_file(in_folder("bin/gnuplot"), fake, strlen(fake), &error));
    assert_int_equal(chmod(in_folder("bin/gnuplot"), 0700), 0);
    setenv("PATH", bin, 1);
    assert_false(draw_comparison(path, &(MeasuredTitle){NULL, &rules, 1}, three, 3, &error));
    assert_holds(error.text, "exit code 3 (line 1: nonsense)");
    assert_true(has_file(in_folder("failed.svg.gnuplot")));
    assert_false(has_file(path));
}

static void nothing_to_draw_is_said(void **state) {
    (void)state;
    Error error = {""};
    const MeasuredTitle title = {"bcts", &rules, 1};
    const Score stopped = {.lines = 3, .censored = true, .played = true};
    const uint64_t none[HEIGHTS_SIZE] = {0};
    const MeasuredPlayer zero = {"zero", 0, {0, 0}};
    const char *path = in_folder("nothing.svg");
    assert_false(draw_scores(path, &title, &stopped, 1, &error));
    assert_holds(error.text, "No game has ended");
    assert_false(draw_scores(path, &title, &stopped, 0, &error));
    assert_false(draw_heights(path, &title, none, &error));
    assert_holds(error.text, "No move was counted");
    assert_false(draw_comparison(path, &title, &zero, 1, &error));
    assert_holds(error.text, "nothing to draw");
    assert_false(draw_comparison(path, &title, three, 0, &error));
    assert_false(has_file(path));
}

static int start(void **state) {
    (void)state;
    old_path = getenv("PATH") ? strdup(getenv("PATH")) : NULL;
    rules_default(&rules);
    return mkdtemp(folder) ? 0 : -1;
}

static int put_path_back(void **state) {
    (void)state;
    return old_path ? setenv("PATH", old_path, 1) : unsetenv("PATH");
}

static int finish(void **state) {
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    rules_free(&rules);
    free(old_path);
    return system(command);
}

#define CASE(NAME) cmocka_unit_test_teardown(NAME, put_path_back)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(scores_are_drawn_with_title_and_curve),
        CASE(heights_are_drawn_with_line_and_extrapolation),
        CASE(too_few_heights_are_drawn_without_a_line),
        CASE(players_are_drawn_beside_their_published_values),
        CASE(a_png_is_a_png),
        CASE(numbers_beside_each_other_keep_their_intervals),
        CASE(names_are_shown_and_nothing_in_them_runs),
        CASE(long_lines_are_thinned_out_between_their_ends),
        CASE(what_an_axis_cannot_show_is_a_gap_and_open_ends_go_to_the_edge),
        CASE(axes_end_at_numbers_beyond_all_values),
        CASE(panels_have_places_of_their_own),
        CASE(bins_have_round_ends_and_hold_what_is_shown),
        CASE(other_endings_are_refused),
        CASE(without_gnuplot_the_script_is_kept),
        CASE(a_gnuplot_that_fails_is_quoted),
        CASE(nothing_to_draw_is_said),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
