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
#include "plot/plot.h"
#include "plot/published.h"

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

static const PlotPlayer three[] = {{"dellacherie", 6.4e6, {5.9e6, 6.9e6}},
                                   {"bcts", 32.3e6, {30e6, 34e6}},
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
    if (!plot_scores(path, &(PlotTitle){"bcts", &rules, 7}, score, 500, &error))
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
    if (!plot_heights(path, &(PlotTitle){"bcts", &rules, 1}, at_height, &error))
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
    if (!plot_heights(path, &(PlotTitle){"bcts", &rules, 1}, at_height, &error))
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
    if (!plot_comparison(path, &(PlotTitle){NULL, &rules, 1}, three, 3, &error))
        fail_msg("%s", error.text);
    char *text = read_text(path);
    assert_holds(text, ">dellacherie<");
    assert_holds(text, "32.3 M");
    assert_holds(text, "over 70.0 M");
    assert_holds(text, "published");
    free(text);
    if (!plot_comparison(path, &(PlotTitle){NULL, &rules, 1}, three + 2, 1, &error))
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
    if (!plot_comparison(path, &(PlotTitle){NULL, &rules, 1}, three, 3, &error))
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
        const PlotTitle title = {name[k], &rules, 1};
        const PlotPlayer player = {name[k], 1000, {900, 1100}};
        if (!plot_scores(in_folder("hostile.svg"), &title, score, 20, &error) ||
            !plot_heights(in_folder("hostile.svg"), &title, at_height, &error) ||
            !plot_comparison(in_folder("hostile.svg"), &title, &player, 1, &error))
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
    if (!plot_scores(path, &(PlotTitle){"bcts", &rules, 1}, score, 20, &error))
        fail_msg("%s", error.text);
    assert_true(has_file(path));
}

static void other_endings_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"plot.pdf", "plot", ".svg", "plot.svg.txt", ""};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Error error = {""};
        assert_false(gnuplot_check(wrong[k], &error));
        assert_holds(error.text, "as .svg or .png");
        assert_false(plot_comparison(wrong[k], &(PlotTitle){NULL, &rules, 1}, three, 3, &error));
        assert_holds(error.text, "as .svg or .png");
    }
}

static void without_gnuplot_the_script_is_kept(void **state) {
    (void)state;
    Error error = {""};
    const char *path = in_folder("kept.svg");
    setenv("PATH", in_folder("empty"), 1);
    assert_false(plot_comparison(path, &(PlotTitle){NULL, &rules, 1}, three, 3, &error));
    assert_holds(error.text, "gnuplot is not installed (Debian package gnuplot-nox)");
    assert_holds(error.text, "kept.svg.gnuplot");
    assert_false(has_file(path));
    char *script = read_text(in_folder("kept.svg.gnuplot"));
    assert_holds(script, "set terminal svg");
    assert_holds(script, "plot $ours");
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
    assert_false(plot_comparison(path, &(PlotTitle){NULL, &rules, 1}, three, 3, &error));
    assert_holds(error.text, "exit code 3 (line 1: nonsense)");
    assert_true(has_file(in_folder("failed.svg.gnuplot")));
    assert_false(has_file(path));
}

static void nothing_to_draw_is_said(void **state) {
    (void)state;
    Error error = {""};
    const PlotTitle title = {"bcts", &rules, 1};
    const Score stopped = {.lines = 3, .censored = true, .played = true};
    const uint64_t none[HEIGHTS_SIZE] = {0};
    const PlotPlayer zero = {"zero", 0, {0, 0}};
    const char *path = in_folder("nothing.svg");
    assert_false(plot_scores(path, &title, &stopped, 1, &error));
    assert_holds(error.text, "No game has ended");
    assert_false(plot_scores(path, &title, &stopped, 0, &error));
    assert_false(plot_heights(path, &title, none, &error));
    assert_holds(error.text, "No move was counted");
    assert_false(plot_comparison(path, &title, &zero, 1, &error));
    assert_holds(error.text, "nothing to draw");
    assert_false(plot_comparison(path, &title, three, 0, &error));
    assert_false(has_file(path));
}

static void published_values_are_those_of_the_rules(void **state) {
    (void)state;
    Error error = {""};
    const Published *published = published_find("dellacherie", &rules);
    assert_true(published && published->low == 5.2e6 && published->high == 6.7e6);
    assert_null(published_find("nobody", &rules));
    Rules other;
    rules_default(&other);
    assert_true(rules_set(&other, "board", "10x10", &error));
    published = published_find("dt-20", &other);
    assert_true(published && published->low == 4300 && published->high == 4300);
    assert_true(rules_set(&other, "overflow", "strict", &error));
    assert_null(published_find("dt-20", &other));
    rules_free(&other);
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
        CASE(names_are_shown_and_nothing_in_them_runs),
        CASE(other_endings_are_refused),
        CASE(without_gnuplot_the_script_is_kept),
        CASE(a_gnuplot_that_fails_is_quoted),
        CASE(nothing_to_draw_is_said),
        CASE(published_values_are_those_of_the_rules),
    };
    return cmocka_run_group_tests(tests, start, finish);
}
