// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a learning run: what it shows, and that nothing in a history breaks it. Without gnuplot the
// script is kept, and the tests look at that: PATH leads nowhere.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "learning_fixture.h"
#include "plot/curves.h"
#include "plot/curves_data.h"

static char folder[] = "/tmp/tetralab-curves-XXXXXX";
static char *old_path;

static const char *in_folder(const char *name) {
    static char path[4][128];
    static int turn;
    char *out = path[turn++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static int set_up(void **state) {
    (void)state;
    old_path = getenv("PATH") ? strdup(getenv("PATH")) : NULL;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    free(old_path);
    return system(command);
}

typedef struct MadeHistory {
    LearningHistory history;
    MadeUp *made;
} MadeHistory;

static void history_free(MadeHistory *h) {
    free(h->history.generation);
    free(h->history.label);
    free(h->made);
}

// -> shorter  generations that each run has fewer than the one before it
static void history_make(MadeHistory *h, int runs, int generations, int shorter, int size) {
    *h = (MadeHistory){.history = {.runs = runs, .size = size, .kind = OBJECTIVE_GAMES, .directions = true}};
    LearningHistory *history = &h->history;
    history->generation = calloc((size_t)(runs * generations), sizeof *history->generation);
    h->made = calloc((size_t)(runs * generations), sizeof *h->made);
    history->label = calloc((size_t)size, sizeof *history->label);
    assert_true(history->generation && history->label && h->made);
    for (int k = 0; k < size; k++)
        snprintf(history->label[k], sizeof history->label[k], "number-%d", k);
    snprintf(history->title, sizeof history->title, "method, features");
    for (int run = 0; run < runs; run++)
        for (int g = 1; g <= generations - run * shorter; g++) {
            MadeUp *made = &h->made[history->count];
            generation_make(made, run, (uint64_t)g, size);
            history->generation[history->count++] = made->generation;
        }
}

// <- the script; free() it
static char *script_of(const LearningHistory *history) {
    Error error = {""};
    size_t length;
    setenv("PATH", folder, 1);
    assert_false(curves_draw(in_folder("c.svg"), history, &error));
    setenv("PATH", old_path ? old_path : "", 1);
    char *text = text_read_file(in_folder("c.svg.gnuplot"), &length, &error);
    if (!text)
        fail_msg("%s", error.text);
    unlink(in_folder("c.svg.gnuplot"));
    return text;
}

static void assert_holds(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %.600s", part, text);
}

// <- number `column` (from 1) of the row of the block that begins with this generation
static double value_in(const char *script, const char *block, uint64_t generation, int column) {
    char head[40], row[40];
    snprintf(head, sizeof head, "$%s << END\n", block);
    const char *at = strstr(script, head);
    assert_non_null(at);
    snprintf(row, sizeof row, "\n%" PRIu64 " ", generation);
    at = strstr(at + strlen(head) - 1, row);
    assert_non_null(at);
    at++;
    for (int k = 1; k < column; k++)
        at = strchr(at, ' ') + 1;
    return strtod(at, NULL);
}

static void need_gnuplot(void) {
    if (system("gnuplot --version >/dev/null 2>&1") != 0) {
        print_message("gnuplot is not installed: nothing is drawn here.\n");
        skip();
    }
}

// ---------------------------------------------------------------------------------------------------

static void one_run_is_drawn_as_it_is(void **state) {
    (void)state;
    MadeHistory h;
    history_make(&h, 1, 30, 0, 5);
    char *script = script_of(&h.history);
    const Generation *g = &h.history.generation[6];
    assert_true(fabs(value_in(script, "score", 7, 2) / g->curve - 1) < 1e-8);
    assert_true(fabs(value_in(script, "score", 7, 3) / g->best - 1) < 1e-8);
    assert_true(fabs(value_in(script, "score", 7, 4) / g->mean - 1) < 1e-8);
    assert_true(isnan(value_in(script, "score", 8, 2))); // there the curve was not made
    assert_true(fabs(value_in(script, "sigma", 7, 2) / g->sigma - 1) < 1e-8);
    assert_true(fabs(value_in(script, "deviations", 7, 4) / g->deviation[2] - 1) < 1e-8);
    assert_true(fabs(value_in(script, "axes", 7, 6) / g->axes[4] - 1) < 1e-8);
    assert_true(fabs(value_in(script, "work", 7, 2) - 30) < 1e-8); // 300 of 1000 games
    double squares = 0;
    for (int k = 2; k < 7; k++)
        squares += pow(value_in(script, "weights", 7, k), 2);
    assert_true(fabs(squares - 1) < 1e-7);
    assert_holds(script, "'Learning: method, features'");
    assert_holds(script, "'30 generations, 300 games for selection");
    assert_holds(script, "'number-4' at screen");
    assert_null(strstr(script, "each run"));
    free(script);
    history_free(&h);
}

static void several_runs_are_drawn_as_medians_and_their_last_generation_stays(void **state) {
    (void)state;
    MadeHistory h;
    history_make(&h, 3, 12, 4, 2); // 12, 8 and 4 generations
    char *script = script_of(&h.history);
    double sigma[] = {h.history.generation[11].sigma, h.history.generation[19].sigma,
                      h.history.generation[23].sigma};
    double middle = fmax(fmin(sigma[0], sigma[1]), fmin(fmax(sigma[0], sigma[1]), sigma[2]));
    assert_true(fabs(value_in(script, "sigma", 12, 2) / middle - 1) < 1e-8);
    assert_holds(script, "title 'each run'");
    assert_holds(script, "3 runs of up to 12 generations, 240 games");
    free(script);
    history_free(&h);
}

static void splitting_is_shown_in_lines(void **state) {
    (void)state;
    MadeHistory h;
    history_make(&h, 1, 3, 0, 2);
    h.history.kind = OBJECTIVE_SPLITTING;
    h.history.generation[1].best = log(1e6);
    char *script = script_of(&h.history);
    assert_true(fabs(value_in(script, "score", 2, 3) / 1e6 - 1) < 1e-6);
    assert_holds(script, "mean lines, by splitting");
    free(script);
    history_free(&h);
}

static void long_runs_are_thinned_out_to_their_last_generation(void **state) {
    (void)state;
    MadeHistory h;
    Curves curves;
    history_make(&h, 1, 1203, 0, 2);
    assert_true(curves_make(&curves, &h.history));
    assert_int_equal(curves.points, CURVES_MAX_POINTS);
    assert_int_equal(curves.at[CURVES_MAX_POINTS - 1], 1203);
    for (int k = 1; k < curves.points; k++)
        assert_true(curves.at[k] > curves.at[k - 1] && curves.at[k] - curves.at[k - 1] <= 3);
    curves_free(&curves);
    h.history.generation[1202].generation = UINT64_MAX;
    assert_true(curves_make(&curves, &h.history));
    assert_true(curves.at[CURVES_MAX_POINTS - 1] == UINT64_MAX);
    curves_free(&curves);
    history_free(&h);
}

static void switches_are_not_drawn_and_long_vectors_have_no_legend(void **state) {
    (void)state;
    MadeHistory h;
    history_make(&h, 1, 3, 0, 16);
    h.history.switches = 4;
    char *script = script_of(&h.history);
    assert_holds(script, "'number-11' at screen");
    assert_null(strstr(script, "number-12"));
    free(script);
    h.history.switches = 3;
    script = script_of(&h.history);
    assert_null(strstr(script, "number-1'"));
    free(script);
    history_free(&h);
}

static void pictures_are_drawn(void **state) {
    (void)state;
    need_gnuplot();
    static const struct {
        int runs, generations, shorter, size;
    } cases[] = {{1, 1, 0, 1}, {1, 2, 0, 8}, {1, 40, 0, 8}, {4, 20, 5, 12}, {1, 5, 0, 64}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        MadeHistory h;
        Error error = {""};
        size_t length;
        history_make(&h, cases[k].runs, cases[k].generations, cases[k].shorter, cases[k].size);
        if (!curves_draw(in_folder("p.svg"), &h.history, &error))
            fail_msg("%s", error.text);
        char *text = text_read_file(in_folder("p.svg"), &length, &error);
        assert_non_null(text);
        assert_holds(text, "Learning: method, features");
        assert_holds(text, "square roots of the eigenvalues");
        assert_holds(text, "</svg>");
        free(text);
        history_free(&h);
    }
}

// Journals come from anywhere: numbers at the edge, hostile names.
static void strange_histories_are_drawn(void **state) {
    (void)state;
    need_gnuplot();
    static const double strange[] = {0, -1, 1e300, -1e300, 5e-324, INFINITY, -INFINITY, NAN};
    for (size_t k = 0; k < sizeof strange / sizeof *strange; k++) {
        MadeHistory h;
        Error error = {""};
        history_make(&h, 2, 4, 0, 3);
        for (int i = 0; i < h.history.count; i++) {
            Generation *g = &h.history.generation[i];
            g->best = g->mean = g->worst = g->curve = g->sigma = strange[k];
            g->full = k % 2;
            g->pieces = k % 3 ? UINT64_MAX : 0;
            for (int v = 0; v < 3 && isfinite(strange[k]); v++)
                h.made[i].vectors[0][v] = h.made[i].vectors[2][v] = h.made[i].vectors[3][v] = strange[k];
        }
        h.history.kind = k % 2 ? OBJECTIVE_GAMES : OBJECTIVE_SPLITTING;
        h.history.generation[3].generation = UINT64_MAX;
        strcpy(h.history.label[0], "a'; system 'touch /tmp/x'\n`id`\xFF");
        strcpy(h.history.title, "it's %d \"quoted\"");
        if (!curves_draw(in_folder("s.png"), &h.history, &error))
            fail_msg("%g: %s", strange[k], error.text);
        history_free(&h);
    }
}

static void nothing_to_draw_is_an_error(void **state) {
    (void)state;
    Error error = {""};
    LearningHistory history = {.runs = 1, .size = 1};
    assert_false(curves_draw(in_folder("n.svg"), &history, &error));
    assert_holds(error.text, "No generation is complete");
    assert_false(curves_draw(in_folder("n.gif"), &history, &error));
    assert_holds(error.text, ".svg or .png");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_is_drawn_as_it_is),
        cmocka_unit_test(several_runs_are_drawn_as_medians_and_their_last_generation_stays),
        cmocka_unit_test(splitting_is_shown_in_lines),
        cmocka_unit_test(long_runs_are_thinned_out_to_their_last_generation),
        cmocka_unit_test(switches_are_not_drawn_and_long_vectors_have_no_legend),
        cmocka_unit_test(pictures_are_drawn),
        cmocka_unit_test(strange_histories_are_drawn),
        cmocka_unit_test(nothing_to_draw_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
