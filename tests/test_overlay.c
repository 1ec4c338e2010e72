// SPDX-License-Identifier: GPL-3.0-or-later
// Learning runs over each other: lines are medians, bands quartiles, and runtimes what the scores say.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "history_fixture.h"
#include "plot/overlay.h"
#include "plot/runtime.h"

static OverlayPlan plan_of(const OverlayFolder *folder, int folders, const char *panels) {
    return (OverlayPlan){.folder = folder, .folders = folders, .panels = panels, .axis = -1};
}

// plot_free it
static void make(Plot *plot, const OverlayPlan *plan) {
    Error error = {""};
    if (!overlay_make(plot, plan, &error))
        fail_msg("%s", error.text);
}

static void assert_refused(const OverlayPlan *plan, const char *sentence) {
    Plot plot;
    Error error = {""};
    assert_false(overlay_make(&plot, plan, &error));
    assert_holds(error.text, sentence);
    plot_free(&plot);
}

static const PlotPoint *point_at(const PlotSeries *series, double x) {
    for (size_t k = 0; series && k < series->count; k++)
        if (series->point[k].x == x)
            return &series->point[k];
    fail_msg("There is no point at %g.", x);
    return NULL;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void lines_are_medians_and_bands_quartiles_of_each_folder(void **state) {
    (void)state;
    MadeHistory five, one;
    history_make(&five, 5, 12, 0, 4);
    history_make(&one, 1, 20, 0, 4);
    OverlayFolder folder[] = {{&five.history, "five"}, {&one.history, "one"}};
    OverlayPlan plan = plan_of(folder, 2, "sigma,best");
    Plot plot;
    make(&plot, &plan);
    assert_int_equal(plot.panels, 2);
    const PlotPanel *sigma = panel_of(&plot, "step size");
    double value[5];
    for (int run = 0; run < 5; run++)
        value[run] = five.history.generation[run * 12 + 6].sigma; // generation 7
    qsort(value, 5, sizeof *value, compare);
    const PlotPoint *line = point_at(series_of(sigma, "five, median of 5 runs"), 7);
    const PlotPoint *band = point_at(series_of(sigma, "band: quartiles of the runs"), 7);
    assert_close(line->y, value[2]);
    assert_close(band->low, value[1]);
    assert_close(band->high, value[3]);
    assert_close(value_at(series_of(sigma, "one"), 19), one.history.generation[18].sigma);
    assert_int_equal(sigma->count, 3); // a single run has no band
    assert_true(sigma->x.range.low == 0 && sigma->x.range.high == 20);
    // Names stand once, below all panels.
    assert_true(sigma->legend == PLOT_LEGEND_ALL_PANELS);
    assert_true(panel_of(&plot, "lines of the best")->legend == PLOT_LEGEND_NONE);
    plot_free(&plot);
    history_free(&five);
    history_free(&one);
}

static void x_is_what_a_run_has_spent(void **state) {
    (void)state;
    MadeHistory h;
    history_make(&h, 1, 9, 0, 3);
    for (int k = 0; k < h.history.count; k++)
        h.history.generation[k].selection_pieces = 1000 * (k + 1);
    OverlayFolder folder = {&h.history, "run"};
    const Generation *g = &h.history.generation[4]; // generation 5: its answer before is that after 4
    static const double after[] = {5, 50, 5000, 0.5}, before[] = {4, 0, 4000, 0.4};
    for (int axis = 0; axis < 4; axis++) {
        OverlayPlan plan = plan_of(&folder, 1, "score,best");
        Plot plot;
        plan.axis = axis;
        make(&plot, &plan);
        assert_close(point_at(panel_of(&plot, "lines of the best")->series[0], run_spent(g, axis))->y,
                     g->best);
        assert_close(run_spent(g, axis), after[axis]);
        if (axis != RUNS_BY_EVALUATIONS) // its generations are made up with more samples than evaluations
            assert_close(value_at(panel_of(&plot, "lines of the answer")->series[0], before[axis]), g->curve);
        plot_free(&plot);
    }
    Generation old = {.pieces = 7, .selection_pieces = NAN}; // of a version that did not tell them apart
    assert_close(run_spent(&old, RUNS_BY_PIECES), 7);
    history_free(&h);
}

// Two runs of two generations of two vectors; game scores.
static void runtime_history(MadeHistory *h, double scores[2][2][2], double samples[2], double pieces[2]) {
    history_make(h, 2, 2, 0, 3);
    for (int run = 0; run < 2; run++)
        for (int k = 0; k < 2; k++) {
            Generation *g = &h->history.generation[2 * run + k];
            g->candidates = 2;
            g->scores = scores[run][k];
            g->score_samples = samples;
            g->score_pieces = pieces;
            g->best = fmax(scores[run][k][0], scores[run][k][1]);
            g->evaluations = (uint64_t)(6 * (k + 1));
            g->selection_pieces = 100 * (k + 1);
        }
}

static void runtimes_are_those_of_the_first_score_that_reaches_a_target(void **state) {
    (void)state;
    MadeHistory h;
    double scores[2][2][2] = {{{1, 12}, {3, 200}}, {{5, 2}, {11, 9}}}, samples[] = {2, 4},
           pieces[] = {30, 50};
    runtime_history(&h, scores, samples, pieces);
    OverlayFolder folder = {&h.history, "run"};
    OverlayPlan plan = plan_of(&folder, 1, "runtime");
    double target[] = {11, 200}; // scores that were reached exactly
    plan.target = target;
    plan.targets = 2;
    Plot plot;
    make(&plot, &plan);
    // 11 lines: by run 1 with its second vector (6 samples), by run 2 with its third (8); 200: by run 1, 12.
    const PlotSeries *line = series_of(plot.panel[0], "run, 2 runs");
    static const double x[] = {0, 6, 6, 8, 8, 12, 12, 12}, y[] = {0, 0, 25, 25, 50, 50, 75, 75};
    assert_int_equal(line->count, 8);
    for (int k = 0; k < 8; k++)
        assert_true(line->point[k].x == x[k] && line->point[k].y == y[k]);
    assert_holds(plot.subtitle, "2 targets from 11 to 200 lines");
    plot_free(&plot);
    plan.axis = RUNS_BY_PIECES;
    make(&plot, &plan);
    assert_close(series_of(plot.panel[0], "run, 2 runs")->point[1].x, 80);
    assert_close(series_of(plot.panel[0], "run, 2 runs")->point[3].x, 130);
    plot_free(&plot);
    plan.axis = -1;
    plan.target = NULL;
    plan.targets = 0;
    make(&plot, &plan);
    line = series_of(plot.panel[0], "run, 2 runs");
    assert_holds(plot.subtitle, "51 targets from 1 to 200 lines");
    assert_true(line->point[line->count - 1].y < 100 && line->point[line->count - 1].y > 50);
    plot_free(&plot);
    for (int k = 0; k < h.history.count; k++) // an older version did not keep the scores of all
        h.history.generation[k].candidates = 0;
    plan.target = target;
    plan.targets = 2;
    make(&plot, &plan);
    assert_close(series_of(plot.panel[0], "run, 2 runs")->point[1].x, 6);
    assert_close(series_of(plot.panel[0], "run, 2 runs")->point[3].x, 12);
    plot_free(&plot);
    history_free(&h);
}

static void thirty_weights_have_thirty_names(void **state) {
    (void)state;
    MadeHistory a, b, other;
    history_make(&a, 1, 5, 0, 30);
    history_make(&b, 3, 5, 0, 30);
    history_make(&other, 1, 5, 0, 7);
    OverlayFolder folder[] = {{&a.history, "a"}, {&b.history, "b"}, {&other.history, "c"}};
    OverlayPlan plan = plan_of(folder, 2, "weights");
    Plot plot;
    make(&plot, &plan);
    assert_int_equal(plot.panels, 2);
    assert_int_equal(plot.panel[0]->count, 30);
    assert_string_equal(plot.panel[0]->series[29]->title, "number-29");
    assert_holds(plot.panel[1]->title, "weights, length 1: b, mean of the runs");
    assert_true(plot.panel[0]->legend == PLOT_LEGEND_ALL_PANELS && plot.panel[1]->legend == PLOT_LEGEND_NONE);
    plot_free(&plot);
    plan = plan_of(folder, 3, "weights"); // vectors of different names: each panel has its own legend
    make(&plot, &plan);
    for (int k = 0; k < 3; k++)
        assert_true(plot.panel[k]->legend == PLOT_LEGEND_BELOW);
    plot_free(&plot);
    history_free(&a);
    history_free(&b);
    history_free(&other);
}

static void what_cannot_be_drawn_is_named(void **state) {
    (void)state;
    MadeHistory h, empty;
    history_make(&h, 2, 5, 0, 3);
    history_make(&empty, 1, 0, 0, 3);
    for (int k = 0; k < h.history.count; k++)
        h.history.generation[k].limit = 0;
    OverlayFolder folder[] = {{&h.history, "run"}, {&empty.history, "nothing"}};
    OverlayPlan plan = plan_of(folder, 1, "score,colour");
    assert_refused(&plan, "There is no panel \"colour\"; there are all, score, best,");
    plan.panels = "race";
    assert_refused(&plan, "The runs have no numbers for the panel \"race\".");
    plan.panels = "";
    assert_refused(&plan, "Name at least one panel");
    plan.panels = "score,score,score,score,score,score,score,score,score,score,score,score,score";
    assert_refused(&plan, "12 panels at most");
    plan = plan_of(folder, 2, "score");
    assert_refused(&plan, "nothing: no generation is complete");
    plan.folders = 0;
    assert_refused(&plan, "1 to 16 folders, not 0");
    history_free(&h);
    history_free(&empty);
}

static void a_picture_has_the_size_that_was_asked_for_or_says_that_it_is_too_small(void **state) {
    (void)state;
    MadeHistory h;
    history_make(&h, 2, 5, 0, 30);
    OverlayFolder folder = {&h.history, "run"};
    OverlayPlan plan = plan_of(&folder, 1, "score,weights");
    plan.width = 300;
    plan.height = 200;
    Plot plot;
    Error error = {""};
    make(&plot, &plan);
    assert_false(plot_draw(&plot, "/tmp/tetralab-never.svg", &error));
    assert_holds(error.text, "A picture of 300x200 has no room for its 2 panels");
    plot_free(&plot);
    history_free(&h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_medians_and_bands_quartiles_of_each_folder),
        cmocka_unit_test(x_is_what_a_run_has_spent),
        cmocka_unit_test(runtimes_are_those_of_the_first_score_that_reaches_a_target),
        cmocka_unit_test(thirty_weights_have_thirty_names),
        cmocka_unit_test(what_cannot_be_drawn_is_named),
        cmocka_unit_test(a_picture_has_the_size_that_was_asked_for_or_says_that_it_is_too_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
