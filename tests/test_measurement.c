// SPDX-License-Identifier: GPL-3.0-or-later
// Measurements: the choice of the method, known means, threads, and going on after an interruption.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "effort.h"
#include "measure_fixture.h"
#include "tasks/measurement.h"

static Measurement measured(const MeasurePlan *plan) {
    Measurement m;
    Error error = {""};
    if (!measurement_run(&m, plan, &error))
        fail_msg("%s", error.text);
    return m;
}

static void assert_same(const Measurement *a, const Measurement *b) {
    assert_int_equal(a->method, b->method);
    assert_true(a->mean_lines == b->mean_lines);
    assert_true(a->interval.low == b->interval.low && a->interval.high == b->interval.high);
    assert_int_equal(a->pieces, b->pieces);
    assert_int_equal(a->splitting.runs, b->splitting.runs);
    assert_int_equal(a->games.games, b->games.games);
    assert_string_equal(a->note, b->note);
}

static void results_do_not_depend_on_the_number_of_threads(void **state) {
    (void)state;
    static const MeasureMethod methods[] = {MEASURE_GAMES, MEASURE_SPLITTING, MEASURE_AUTO};
    Table table;
    table_make(&table, "bcts", "8x6", "lenient", "uniform");
    for (int i = 0; i < 3; i++) {
        MeasurePlan plan = {.player = table.player,
                            .seed = 5,
                            .method = methods[i],
                            .precision = 0.2,
                            .trials = 500,
                            .work.jobs = 1};
        Measurement one = measured(&plan);
        for (plan.work.jobs = 2; plan.work.jobs <= 3; plan.work.jobs++) {
            Measurement other = measured(&plan);
            assert_same(&one, &other);
            measurement_free(&other);
        }
        assert_true(one.precise && one.precision <= 0.2);
        measurement_free(&one);
    }
    table_free(&table);
}

static void auto_takes_games_for_weak_and_splitting_for_strong_players(void **state) {
    (void)state;
    static const struct {
        const char *board;
        MeasureMethod method;
    } cases[] = {{"5x5", MEASURE_GAMES}, {"10x12", MEASURE_SPLITTING}};
    for (int i = 0; i < 2; i++) {
        Table table;
        table_make(&table, "bcts", cases[i].board, "lenient", "uniform");
        MeasurePlan plan = {
            .player = table.player, .seed = 1, .precision = 0.2, .trials = 500, .work.jobs = 2};
        Measurement m = measured(&plan);
        assert_int_equal(m.method, cases[i].method);
        measurement_free(&m);
        table_free(&table);
    }
}

// The means are from 20,000 whole games each, known to 1 or 2 %. An interval of twice the width, 1.08 times
// four standard errors on each side, misses the mean in less than one case in 10,000.
static void intervals_lie_where_whole_games_lie(void **state) {
    (void)state;
    static const struct {
        const char *board;
        double mean;
    } cases[] = {{"10x10", 4190}, {"10x12", 26030}};
    for (uint64_t i = 0; i < 2 && i < test_effort(2); i++) {
        Table table;
        table_make(&table, "bcts", cases[i].board, "lenient", "uniform");
        MeasurePlan plan = {.player = table.player,
                            .seed = 1,
                            .method = MEASURE_SPLITTING,
                            .precision = 0.2,
                            .trials = 1000,
                            .work.jobs = 2};
        Measurement m = measured(&plan);
        assert_true(m.precise && m.interval.low < m.mean_lines && m.mean_lines < m.interval.high);
        assert_true(m.mean_lines - 2 * (m.mean_lines - m.interval.low) < cases[i].mean);
        assert_true(m.mean_lines + 2 * (m.interval.high - m.mean_lines) > cases[i].mean);
        print_message("%s: %g lines by splitting, %g by games\n", cases[i].board, m.mean_lines,
                      cases[i].mean);
        measurement_free(&m);
        table_free(&table);
    }
}

// ---------------------------------------------------------------------------------------------------
// Going on

typedef struct Kept {
    MeasureKnown known;
    SplittingRun run[256];
    Score score[4096];
    uint64_t most; // repetitions or blocks of games before it is stopped
    uint64_t events, repeated;
    bool stop;
} Kept;

static void keep(void *context, const MeasureEvent *event) {
    Kept *kept = context;
    if (event->kind == MEASURE_STARTED) {
        kept->known = (MeasureKnown){.started = true,
                                     .method = event->method,
                                     .base = event->base,
                                     .trials = event->trials,
                                     .importance = event->importance,
                                     .pilot_pieces = event->pilot_pieces,
                                     .run = kept->run,
                                     .score = kept->score,
                                     .runs = 256,
                                     .scores = 4096};
        return;
    }
    if (event->kind == MEASURE_REPETITION) {
        assert_true(event->first < 256);
        kept->repeated += kept->run[event->first].done;
        kept->run[event->first] = *event->run;
    }
    for (uint64_t k = 0; event->kind == MEASURE_GAMES_PLAYED && k < event->count; k++) {
        assert_true(event->first + k < 4096);
        kept->repeated += kept->score[event->first + k].played;
        if (event->score[k].played)
            kept->score[event->first + k] = event->score[k];
    }
    if (++kept->events == kept->most)
        __atomic_store_n(&kept->stop, true, __ATOMIC_RELAXED);
}

static void check_resume(MeasureMethod method, const char *board, uint64_t most) {
    Table table;
    table_make(&table, "bcts", board, "lenient", "uniform");
    Kept *kept = calloc(1, sizeof *kept);
    assert_non_null(kept);
    kept->most = most;
    MeasurePlan plan = {
        .player = table.player, .seed = 2, .method = method, .precision = 0.2, .trials = 500, .work.jobs = 2};
    Measurement whole = measured(&plan);
    plan.record = keep;
    plan.keeper = kept;
    plan.work.stop = &kept->stop;
    Measurement half = measured(&plan);
    assert_true(half.interrupted && !half.precise && half.note[0]);
    kept->stop = false;
    kept->most = UINT64_MAX;
    plan.known = &kept->known;
    Measurement rest = measured(&plan);
    assert_same(&whole, &rest);
    assert_int_equal(kept->repeated, 0);
    measurement_free(&whole);
    measurement_free(&half);
    measurement_free(&rest);
    free(kept);
    table_free(&table);
}

static void an_interval_that_is_narrow_enough_is_not_called_too_wide(void **state) {
    (void)state;
    Table table;
    table_make(&table, "bcts", "10x6", "lenient", "uniform");
    Kept *kept = calloc(1, sizeof *kept);
    assert_non_null(kept);
    kept->most = 21; // the start and 20 repetitions
    MeasurePlan plan = {.player = table.player,
                        .seed = 2,
                        .method = MEASURE_SPLITTING,
                        .precision = 5,
                        .trials = 500,
                        .work.jobs = 1,
                        .record = keep,
                        .keeper = kept,
                        .work.stop = &kept->stop};
    Measurement m = measured(&plan);
    assert_true(m.interrupted && m.precision < 5);
    assert_non_null(strstr(m.note, "narrow enough, but only"));
    assert_null(strstr(m.note, "before the precision"));
    measurement_free(&m);
    free(kept);
    table_free(&table);
}

static void heights_that_cannot_be_fitted_are_told_after_a_short_run(void **state) {
    (void)state;
    Table table;
    table_make(&table, "bcts", "4x4", "lenient", "uniform");
    MeasurePlan plan = {
        .player = table.player, .seed = 1, .method = MEASURE_HEIGHTS, .precision = 0.05, .work.jobs = 2};
    Measurement m = measured(&plan);
    assert_int_equal(m.pieces, 500000); // of 25 million
    assert_true(!m.interrupted && !m.heights.fitted);
    assert_non_null(strstr(m.note, "whatever the number of pieces"));
    measurement_free(&m);
    table_free(&table);
}

static void resumed_after_half_equals_the_whole(void **state) {
    (void)state;
    check_resume(MEASURE_SPLITTING, "10x6", 6);
    check_resume(MEASURE_GAMES, "8x8", 3);
}

// ---------------------------------------------------------------------------------------------------
// What cannot be known

static SplittingRun made_up[SPLITTING_LEAST_REPETITIONS];

// Of repetitions that are known.
static Measurement of_made_up(const Table *table) {
    MeasureKnown known = {.started = true,
                          .method = MEASURE_SPLITTING,
                          .base = 5,
                          .trials = 100,
                          .run = made_up,
                          .runs = SPLITTING_LEAST_REPETITIONS};
    MeasurePlan plan = {
        .player = table->player, .precision = 0.5, .budget = 1000, .work.jobs = 2, .known = &known};
    return measured(&plan);
}

static void repetitions_without_a_loss_are_told_if_they_are_more_than_half(void **state) {
    (void)state;
    Table table;
    table_make(&table, "bcts", "10x14", "lenient", "uniform");
    for (int k = 0; k < SPLITTING_LEAST_REPETITIONS; k++)
        made_up[k] = (SplittingRun){
            .lambda = k % 2 ? 1e-6 : 0, .cells = 50, .extinct = k % 2 ? 0 : 12, .pieces = 100, .done = true};
    Measurement m = of_made_up(&table);
    assert_true(m.splitting.extinct == 32 && !strstr(m.note, "did not get to a lost game"));
    measurement_free(&m);
    made_up[1] = (SplittingRun){.extinct = 12, .pieces = 100, .done = true};
    m = of_made_up(&table);
    assert_non_null(strstr(m.note, "33 of 64 repetitions did not get to a lost game"));
    assert_true(isfinite(m.mean_lines));
    measurement_free(&m);
    for (int k = 0; k < SPLITTING_LEAST_REPETITIONS; k++)
        made_up[k] = (SplittingRun){.extinct = 12, .pieces = 100, .done = true};
    m = of_made_up(&table);
    assert_true(isinf(m.mean_lines) && isinf(m.interval.high) && m.interval.low > 0 && !m.precise);
    assert_non_null(strstr(m.note, "--trials than 100"));
    measurement_free(&m);
    table_free(&table);
}

static void a_player_that_never_loses_ends_with_a_bound(void **state) {
    (void)state;
    Table table;
    table_make(&table, "bcts", "10x10", "lenient", "O:1");
    MeasurePlan plan = {.player = table.player, .seed = 1, .precision = 0.1, .trials = 500, .work.jobs = 2};
    Measurement m = measured(&plan);
    assert_true(isinf(m.mean_lines) && m.note[0]);
    measurement_free(&m);
    table_free(&table);
}

static void a_budget_is_kept_and_said(void **state) {
    (void)state;
    Table table;
    table_make(&table, "bcts", "10x12", "lenient", "uniform");
    for (MeasureMethod method = MEASURE_GAMES; method <= MEASURE_SPLITTING; method++) {
        MeasurePlan plan = {.player = table.player,
                            .seed = 1,
                            .method = method,
                            .precision = 0.02,
                            .budget = 1000000,
                            .work.jobs = 2};
        Measurement m = measured(&plan);
        assert_true(!m.precise && m.pieces <= 1300000 && m.pieces > 300000);
        assert_non_null(strstr(m.note, "--budget-pieces"));
        measurement_free(&m);
    }
    table_free(&table);
}

static void a_budget_too_small_for_splitting_is_told_with_the_least_cost(void **state) {
    (void)state;
    Table table;
    table_make(&table, "bcts", "10x12", "lenient", "uniform");
    MeasurePlan plan = {.player = table.player,
                        .seed = 1,
                        .method = MEASURE_SPLITTING,
                        .precision = 0.05,
                        .budget = 1000,
                        .work.jobs = 2};
    Measurement m = measured(&plan);
    assert_int_equal(m.trials, SPLITTING_LEAST_TRIALS);
    assert_true(m.pieces < 1000000);
    assert_non_null(strstr(m.note, "The budget of 1.00 k pieces is too small"));
    measurement_free(&m);
    table_free(&table);
}

static void games_that_a_smaller_budget_stopped_are_played_again(void **state) {
    (void)state;
    Table table;
    table_make(&table, "bcts", "10x10", "lenient", "uniform");
    Kept *kept = calloc(1, sizeof *kept);
    assert_non_null(kept);
    MeasurePlan plan = {.player = table.player,
                        .seed = 1,
                        .method = MEASURE_GAMES,
                        .precision = 1,
                        .budget = 1000,
                        .work.jobs = 2,
                        .record = keep,
                        .keeper = kept};
    Measurement small = measured(&plan);
    assert_true(isinf(small.mean_lines));
    plan.known = &kept->known;
    Measurement again = measured(&plan);
    assert_same(&small, &again);
    assert_int_equal(kept->repeated, 0);
    plan.budget = 10000000;
    Measurement large = measured(&plan);
    assert_true(large.precise && isfinite(large.mean_lines));
    plan.known = NULL;
    Measurement whole = measured(&plan);
    assert_same(&whole, &large);
    measurement_free(&small);
    measurement_free(&again);
    measurement_free(&large);
    measurement_free(&whole);
    free(kept);
    table_free(&table);
}

static void repetitions_without_a_start_are_not_used(void **state) {
    (void)state;
    Table table;
    table_make(&table, "bcts", "8x6", "lenient", "uniform");
    SplittingRun wrong[2] = {{.lambda = 0.5, .cells = 10, .pieces = 5, .done = true},
                             {.lambda = 0.5, .cells = 10, .pieces = 5, .done = true}};
    MeasureKnown known = {.run = wrong, .runs = 2};
    MeasurePlan plan = {.player = table.player,
                        .seed = 1,
                        .method = MEASURE_SPLITTING,
                        .precision = 0.3,
                        .trials = 200,
                        .work.jobs = 2};
    Measurement right = measured(&plan);
    plan.known = &known;
    Measurement other = measured(&plan);
    assert_same(&right, &other);
    measurement_free(&right);
    measurement_free(&other);
    table_free(&table);
}

static void recorded_pieces_that_end_before_the_game_are_played_once(void **state) {
    (void)state;
    static const uint8_t pieces[] = {PIECE_O, PIECE_I, PIECE_T};
    Table table;
    Error error = {""};
    table_make(&table, "bcts", "10x10", "lenient", "uniform");
    player_free(table.player);
    assert_true(piece_source_recorded(&table.rules.pieces, "three", pieces, 3, &error));
    table.player = player_new(&table.strategy, &table.rules, NULL, &error);
    assert_non_null(table.player);
    MeasurePlan plan = {.player = table.player, .seed = 1, .precision = 0.1, .work.jobs = 2};
    Measurement m = measured(&plan);
    assert_int_equal(m.method, MEASURE_GAMES);
    assert_true(m.games.games == 1 && m.pieces == 3 && isinf(m.interval.high));
    assert_non_null(strstr(m.note, "Recorded pieces"));
    measurement_free(&m);
    table_free(&table);
}

static void small_boards_get_an_interval_without_the_exponential_law(void **state) {
    (void)state;
    Table table;
    table_make(&table, "bcts", "5x5", "strict", "uniform");
    MeasurePlan plan = {.player = table.player, .seed = 1, .precision = 0.05, .work.jobs = 2};
    Measurement m = measured(&plan);
    assert_int_equal(m.method, MEASURE_GAMES);
    assert_true(m.precise && m.precision < 0.049); // narrower than the exponential one of as many games
    assert_non_null(strstr(m.note, "not exponential"));
    measurement_free(&m);
    table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_do_not_depend_on_the_number_of_threads),
        cmocka_unit_test(auto_takes_games_for_weak_and_splitting_for_strong_players),
        cmocka_unit_test(intervals_lie_where_whole_games_lie),
        cmocka_unit_test(resumed_after_half_equals_the_whole),
        cmocka_unit_test(an_interval_that_is_narrow_enough_is_not_called_too_wide),
        cmocka_unit_test(heights_that_cannot_be_fitted_are_told_after_a_short_run),
        cmocka_unit_test(repetitions_without_a_loss_are_told_if_they_are_more_than_half),
        cmocka_unit_test(a_player_that_never_loses_ends_with_a_bound),
        cmocka_unit_test(a_budget_is_kept_and_said),
        cmocka_unit_test(a_budget_too_small_for_splitting_is_told_with_the_least_cost),
        cmocka_unit_test(games_that_a_smaller_budget_stopped_are_played_again),
        cmocka_unit_test(repetitions_without_a_start_are_not_used),
        cmocka_unit_test(recorded_pieces_that_end_before_the_game_are_played_once),
        cmocka_unit_test(small_boards_get_an_interval_without_the_exponential_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
