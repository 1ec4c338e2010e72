// SPDX-License-Identifier: GPL-3.0-or-later
// The picture of a learning run: what it shows, and that nothing in a history breaks it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "history_fixture.h"
#include "plot/overlay.h"

static char folder[] = "/tmp/tetralab-curves-XXXXXX";
static const char *in_folder(const char *name) {
    static char path[4][128];
    static int turn;
    char *out = path[turn++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static bool draw(const char *path, const LearningHistory *history, Error *error) {
    Plot plot;
    bool good = overlay_learned(&plot, history, error) && plot_draw(&plot, path, error);
    plot_free(&plot);
    return good;
}

// plot_free it
static void make(Plot *plot, const LearningHistory *history) {
    Error error = {""};
    if (!overlay_learned(plot, history, &error))
        fail_msg("%s", error.text);
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
    Plot plot;
    history_make(&h, 1, 30, 0, 5);
    make(&plot, &h.history);
    const Generation *g = &h.history.generation[6];
    const PlotPanel *score = panel_of(&plot, "lines: answer");
    assert_close(value_at(series_of(score, "answer"), 6), g->curve); // of the answer before the generation
    assert_close(value_at(series_of(score, "best candidate"), 7), g->best);
    assert_close(value_at(series_of(score, "mean of candidates"), 7), g->mean);
    assert_true(isnan(value_at(series_of(score, "answer"), 7))); // there the curve was not made
    assert_close(value_at(panel_of(&plot, "step size")->series[0], 7), g->sigma);
    assert_close(value_at(panel_of(&plot, "deviation of")->series[2], 7), g->deviation[2]);
    assert_close(value_at(panel_of(&plot, "square roots")->series[4], 7), g->axes[4]);
    assert_close(value_at(panel_of(&plot, "games that races took")->series[0], 7), 30); // 300 of 1000 games
    double squares = 0;
    for (int k = 0; k < 5; k++)
        squares += pow(value_at(panel_of(&plot, "weights, length 1")->series[k], 7), 2);
    assert_close(squares, 1);
    assert_non_null(series_of(panel_of(&plot, "weights, length 1"), "number-4"));
    assert_string_equal(plot.title, "Learning: method, features");
    plot_free(&plot);
    history_free(&h);
}

static void splitting_is_shown_in_lines(void **state) {
    (void)state;
    MadeHistory h;
    Plot plot;
    history_make(&h, 1, 3, 0, 2);
    h.history.kind = OBJECTIVE_SPLITTING;
    h.history.generation[1].best = log(1e6);
    make(&plot, &h.history);
    assert_close(value_at(series_of(panel_of(&plot, "lines: answer"), "best candidate"), 2), 1e6);
    plot_free(&plot);
    history_free(&h);
}

static void long_runs_are_thinned_out_to_their_last_generation(void **state) {
    (void)state;
    MadeHistory h;
    Plot plot;
    history_make(&h, 1, 1203, 0, 2);
    make(&plot, &h.history);
    const PlotSeries *series = panel_of(&plot, "step size")->series[0];
    assert_int_equal(series->count, RUNS_MAX_POINTS);
    assert_true(series->point[0].x == 1 && series->point[RUNS_MAX_POINTS - 1].x == 1203);
    for (size_t k = 1; k < series->count; k++)
        assert_in_range(series->point[k].x - series->point[k - 1].x, 1, 3);
    plot_free(&plot);
    h.history.generation[1202].generation = UINT64_MAX;
    make(&plot, &h.history);
    assert_true(panel_of(&plot, "step size")->series[0]->point[RUNS_MAX_POINTS - 1].x == (double)UINT64_MAX);
    plot_free(&plot);
    history_free(&h);
}

static void switches_are_not_drawn_and_all_others_are_named(void **state) {
    (void)state;
    MadeHistory h;
    Plot plot;
    history_make(&h, 1, 3, 0, 16);
    h.history.switches = 4;
    make(&plot, &h.history);
    const PlotPanel *panel = panel_of(&plot, "weights");
    assert_int_equal(panel->count, 12);
    assert_string_equal(panel->series[11]->title, "number-11");
    assert_int_equal(panel->legend, PLOT_LEGEND_ALL_PANELS);
    plot_free(&plot);
    h.history.switches = 0;
    make(&plot, &h.history);
    panel = panel_of(&plot, "weights");
    for (int k = 0; k < 16; k++) { // and can be told apart
        assert_true(*panel->series[k]->title);
        for (int j = 0; j < k; j++)
            assert_true(strcmp(panel->series[j]->style.colour, panel->series[k]->style.colour) ||
                        panel->series[j]->style.dashed != panel->series[k]->style.dashed);
    }
    plot_free(&plot);
    history_free(&h);
}

static void quantities_are_found_by_name(void **state) {
    (void)state;
    static const char *const wrong[] = {"", "besd", "bes", "best.0", "answer.", "answer.x", "answer.-1"};
    MadeHistory h;
    RunQuantity quantity;
    history_make(&h, 1, 1, 0, 5);
    const Generation *g = h.history.generation;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
        assert_false(run_quantity(&quantity, wrong[k]));
    assert_true(run_quantity(&quantity, "answer.3"));
    assert_int_equal(run_quantity_width(&quantity, &h.history), 1);
    assert_close(run_quantity_value(&quantity, &h.history, g, 0), g->answer[3]);
    assert_true(run_quantity(&quantity, "answer.9"));
    assert_true(isnan(run_quantity_value(&quantity, &h.history, g, 0)));
    assert_true(run_quantity(&quantity, "axes"));
    assert_int_equal(run_quantity_width(&quantity, &h.history), 5);
    assert_true(run_quantity(&quantity, "samples"));
    assert_close(run_quantity_value(&quantity, &h.history, g, 0), 300);
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
        if (!draw(in_folder("p.svg"), &h.history, &error))
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

// Histories come from anywhere: numbers at the edge, hostile names.
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
        if (!draw(in_folder("s.png"), &h.history, &error))
            fail_msg("%g: %s", strange[k], error.text);
        history_free(&h);
    }
}

static void nothing_to_draw_is_an_error(void **state) {
    (void)state;
    Error error = {""};
    LearningHistory history = {.runs = 1, .size = 1};
    assert_false(draw(in_folder("n.svg"), &history, &error));
    assert_holds(error.text, "no generation is complete");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_is_drawn_as_it_is),
        cmocka_unit_test(splitting_is_shown_in_lines),
        cmocka_unit_test(long_runs_are_thinned_out_to_their_last_generation),
        cmocka_unit_test(switches_are_not_drawn_and_all_others_are_named),
        cmocka_unit_test(quantities_are_found_by_name),
        cmocka_unit_test(pictures_are_drawn),
        cmocka_unit_test(strange_histories_are_drawn),
        cmocka_unit_test(nothing_to_draw_is_an_error),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
