// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of splitting on made-up counts and rates: base, trials, interval, and the repetition at which it
// ends. No game is played but for the cost of the pilot. The expected numbers were computed apart from the
// program, with the printed points of Student's law (1 degree 12.706205, 23 degrees 2.068658, 27 degrees
// 2.051831).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/splitting_rules.h"
#include "measure_fixture.h"

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.10g is not within %g of %.10g", value, tolerance, expected);
}

// ---------------------------------------------------------------------------------------------------
// Base and trials

static int base_of(const uint64_t *at_height, int count, int highest) {
    uint64_t all[SPLITTING_HEIGHTS] = {0};
    memcpy(all, at_height, (size_t)count * sizeof *all);
    return splitting_base(all, highest);
}

static void the_base_is_the_lowest_height_with_seven_tenths_of_the_moves(void **state) {
    (void)state;
    assert_int_equal(base_of((uint64_t[]){10, 20, 30, 10, 20, 10}, 6, 8), 3);
    assert_int_equal(base_of((uint64_t[]){10, 20, 30, 9, 21, 10}, 6, 8), 4);
    assert_int_equal(base_of((uint64_t[]){90, 5, 5}, 3, 8), 1);              // never 0
    assert_int_equal(base_of((uint64_t[]){10, 20, 30, 9, 21, 10}, 6, 3), 3); // never above the highest
}

static void one_move_in_a_hundred_must_end_above_the_base(void **state) {
    (void)state;
    assert_int_equal(base_of((uint64_t[]){0, 100, 100, 790, 10}, 5, 8), 3);
    assert_int_equal(base_of((uint64_t[]){0, 100, 100, 791, 9}, 5, 8), 2);
    assert_int_equal(base_of((uint64_t[]){0, 0, 500, 0, 500}, 5, 8),
                     3); // 3 is left although nothing is there
    assert_int_equal(base_of((uint64_t[]){0, 0, 1000}, 3, 8), 1);
    assert_int_equal(base_of((uint64_t[]){0, 1000}, 2, 8), 1); // it never leaves A: nothing lower is possible
}

// 4 noise (2.051831/precision)^2/28
static void trials_are_those_of_28_repetitions(void **state) {
    (void)state;
    assert_int_equal(splitting_trials(10, 0.05), 2405);  // 2405.72
    assert_int_equal(splitting_trials(10, 0.02), 15035); // 15035.74
    assert_int_equal(splitting_trials(40, 0.02), 60142); // 60142.98
}

static void trials_stay_between_two_thousand_and_a_million(void **state) {
    (void)state;
    assert_int_equal(splitting_trials(0, 0.05), 2000);
    assert_int_equal(splitting_trials(8.31, 0.05), 2000); // 1999.2
    assert_int_equal(splitting_trials(8.32, 0.05), 2001); // 2001.6
    assert_int_equal(splitting_trials(6.65, 0.002), 999877);
    assert_int_equal(splitting_trials(6.66, 0.002), 1000000); // 1001380.6
}

// The pilot's small repetition is one that anybody can make.
static void the_pilot_expects_28_repetitions_of_what_its_own_cost(void **state) {
    (void)state;
    Table table;
    Error error = {""};
    SplittingPilot pilot;
    SplittingRun run;
    table_make(&table, "bcts", "10x6", "lenient", "uniform");
    assert_true(splitting_pilot(&pilot, table.player, 7, 50000, 0.05, NULL, &error));
    SplittingPlan plan = {.player = table.player, .seed = 7, .base = pilot.base, .trials = 1000};
    assert_true(splitting_repeat(&plan, SPLITTING_MAX_REPETITIONS + 1, &run, &error));
    assert_true(pilot.trials > 2000 && pilot.lost > 5);
    assert_int_equal(pilot.pieces, 50000 + run.pieces);
    assert_near(pilot.cost, (double)run.pieces / 1000 * (double)pilot.trials * 28, 1);
    assert_near(pilot.game_pieces, 50000.0 / (double)pilot.lost, 1e-9);
    // The noise is a sum over levels: half the precision takes four times the trials, whatever it is.
    SplittingPilot finer;
    assert_true(splitting_pilot(&finer, table.player, 7, 50000, 0.025, NULL, &error));
    assert_near((double)finer.trials / (double)pilot.trials, 4, 0.002);
    assert_true(splitting_pilot(&finer, table.player, 7, 10000, 0.05, NULL, &error));
    plan.base = finer.base;
    plan.trials = 200; // a 50th of the pieces
    assert_true(splitting_repeat(&plan, SPLITTING_MAX_REPETITIONS + 1, &run, &error));
    assert_int_equal(finer.pieces, 10000 + run.pieces);
    assert_true(splitting_pilot(&finer, table.player, 7, 100000, 0.05, NULL, &error));
    plan.base = finer.base;
    plan.trials = 1000; // at most
    assert_true(splitting_repeat(&plan, SPLITTING_MAX_REPETITIONS + 1, &run, &error));
    assert_int_equal(finer.pieces, 100000 + run.pieces);
    table_free(&table);
}

static void a_pilot_without_a_loss_asks_for_the_trials_it_tried_last(void **state) {
    (void)state;
    Table table;
    Error error = {""};
    SplittingPilot pilot;
    table_make(&table, "bcts", "10x10", "lenient", "O:1");
    assert_true(splitting_pilot(&pilot, table.player, 1, 5000, 0.05, NULL, &error));
    assert_int_equal(pilot.trials, 100000);
    assert_true(pilot.lost == 0 && isinf(pilot.game_pieces));
    table_free(&table);
}

// ---------------------------------------------------------------------------------------------------
// The interval

// Rates that are in turn too high and too low by `spread`, the one before the first too high.
static void scattered(SplittingRun *run, uint64_t count, double lambda, double spread) {
    for (uint64_t k = 0; k < count; k++)
        run[k] = (SplittingRun){
            .lambda = lambda * (k % 2 ? 1 + spread : 1 - spread), .cells = 0, .pieces = 100, .done = true};
}

static void the_interval_is_students_made_eight_percent_wider(void **state) {
    (void)state;
    SplittingRun run[24];
    scattered(run, 24, 1e-4, 0.1);
    Splitting s = {.run = run, .runs = 24};
    splitting_summarise(&s, 10);
    // sd/mean = 0.1 sqrt(24/23), half = 1.08 * 2.0686576 * 0.1/sqrt 23 = 0.046585252
    assert_near(s.lambda, 1e-4, 1e-12);
    assert_near(s.sd / s.lambda, 0.1 * sqrt(24.0 / 23), 1e-12);
    assert_near(s.lambda_interval.low / s.lambda, 1 - 0.046585252, 1e-8);
    assert_near(s.lambda_interval.high / s.lambda, 1 + 0.046585252, 1e-8);
    assert_near(s.mean_lines, 4000, 1e-8); // 4/(10 lambda)
    assert_near(s.interval.high, 4000 / (1 - 0.046585252), 1e-4);
    assert_near(s.interval.low, 4000 / (1 + 0.046585252), 1e-4);
    assert_near(splitting_precision(&s), 1 / (1 - 0.046585252) - 1, 1e-8); // the upper side is the longer one
    assert_int_equal(s.pieces, 2400);
}

static void cells_left_on_lost_boards_are_weighed_by_their_losses(void **state) {
    (void)state;
    SplittingRun run[2] = {{.lambda = 0.01, .cells = 10, .pieces = 5, .done = true},
                           {.lambda = 0.03, .cells = 50, .pieces = 7, .done = true}};
    Splitting s = {.run = run, .runs = 2};
    splitting_summarise(&s, 8);
    assert_near(s.lambda, 0.02, 1e-15);
    assert_near(s.mean_lines, (200 - 40.0) / 8, 1e-9); // (0.01 10 + 0.03 50)/0.04 = 40 cells
    assert_near(s.lambda_interval.high, 0.02 + 1.08 * 12.706205 * 0.01, 1e-7); // sd/sqrt 2 = 0.01
    assert_true(s.lambda_interval.low == 0 && isinf(s.interval.high)); // 4/0.157 cells are fewer than 40:
    assert_true(s.interval.low == 0);                                  //   no lines
    assert_true(isinf(splitting_precision(&s)));
}

static void without_any_loss_all_pieces_are_one_run_without_a_loss(void **state) {
    (void)state;
    SplittingRun run[3] = {{.cells = NAN, .pieces = 1000, .extinct = 7, .done = true},
                           {.cells = NAN, .pieces = 2000, .extinct = 7, .done = true},
                           {.cells = NAN, .pieces = 3000, .extinct = 8, .done = true}};
    Splitting s = {.run = run, .runs = 3};
    splitting_summarise(&s, 10);
    assert_int_equal(s.extinct, 3);
    assert_true(isinf(s.mean_lines) && isinf(s.interval.high) && isinf(splitting_precision(&s)));
    assert_near(s.interval.low, 2400 / 3.6888795, 1e-4); // -log 0.025 = 3.6888795
    run[1].lambda = 3e-4, run[1].cells = 20;
    splitting_summarise(&s, 10);
    assert_int_equal(s.extinct, 2);
    assert_near(s.lambda, 1e-4, 1e-15); // those without a loss count as 0
}

// ---------------------------------------------------------------------------------------------------
// The end

static void scattered_repetitions_need_more_company(void **state) {
    (void)state;
    assert_int_equal(splitting_least_repetitions(0), 24);
    assert_int_equal(splitting_least_repetitions(0.0999), 24);
    assert_int_equal(splitting_least_repetitions(0.1001), 25);
    assert_int_equal(splitting_least_repetitions(0.19), 27); // 3.61
    assert_int_equal(splitting_least_repetitions(0.69), 71); // 47.61
    assert_int_equal(splitting_least_repetitions(2.001), 424);
    assert_int_equal(splitting_least_repetitions(1000), 24 + 4096);
}

// A whole run of splitting, all of whose repetitions are known: no piece is played.
static Splitting ended_at(const Table *table, const SplittingRun *run, double precision, uint64_t budget,
                          uint64_t repetitions) {
    Splitting s;
    Error error = {""};
    SplittingPlan plan = {.player = table->player,
                          .base = 3,
                          .trials = 100,
                          .repetitions = repetitions,
                          .precision = precision,
                          .budget = budget,
                          .jobs = 2,
                          .known = run,
                          .known_count = SPLITTING_MAX_REPETITIONS};
    if (!splitting_run(&s, &plan, &error))
        fail_msg("%s", error.text);
    return s;
}

static void it_ends_at_the_first_repetition_that_is_precise_and_has_company(void **state) {
    (void)state;
    static const struct {
        double spread, precision;
        uint64_t runs;
        const char *why;
    } cases[] = {
        {0.05, 0.2, 24, "precise long before, but no sooner than at 24"},
        {0.2, 0.2, 28, "4.1 more for company; precise since before 24"},
        {0.7, 0.5, 74, "49.7 more for company"},
        {0.2, 0.05, 83, "company at 28; the upper side is 5.015 % at 82 and 4.994 % at 83"},
        {0.3, 0.1, 53, "10.02 % at 52, 9.97 % at 53"},
        {0.3, 0.05, 182, "5.012 % at 181, 4.989 % at 182; without the widening 156"},
        {0.7, 0.05, 972, "5.006 % at 971, 4.999 % at 972"},
    };
    static SplittingRun run[SPLITTING_MAX_REPETITIONS];
    Table table;
    table_make(&table, "bcts", "10x8", "lenient", "uniform");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scattered(run, SPLITTING_MAX_REPETITIONS, 1e-4, cases[i].spread);
        Splitting s = ended_at(&table, run, cases[i].precision, 0, 0);
        if (s.runs != cases[i].runs || !s.precise)
            fail_msg("spread %g to %g: %llu repetitions instead of %llu: %s", cases[i].spread,
                     cases[i].precision, (unsigned long long)s.runs, (unsigned long long)cases[i].runs,
                     cases[i].why);
        splitting_free(&s);
    }
    scattered(run, SPLITTING_MAX_REPETITIONS, 1e-4, 0.9);
    Splitting s = ended_at(&table, run, 0.001, 0, 0);
    assert_true(s.runs == SPLITTING_MAX_REPETITIONS && !s.precise && !s.interrupted);
    splitting_free(&s);
    table_free(&table);
}

static void a_budget_ends_it_but_not_before_24_repetitions(void **state) {
    (void)state;
    static const struct {
        uint64_t budget, repetitions, runs;
    } cases[] = {{100, 0, 24},  {2400, 0, 24}, {2401, 0, 25}, {4000, 0, 40},
                 {4001, 0, 41}, {100, 5, 5},   {100, 50, 50}};
    static SplittingRun run[SPLITTING_MAX_REPETITIONS]; // of 100 pieces each
    Table table;
    table_make(&table, "bcts", "10x8", "lenient", "uniform");
    scattered(run, SPLITTING_MAX_REPETITIONS, 1e-4, 0.3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Splitting s = ended_at(&table, run, 0.05, cases[i].budget, cases[i].repetitions);
        assert_int_equal(s.runs, cases[i].runs);
        assert_false(s.precise);
        splitting_free(&s);
    }
    table_free(&table);
}

static void repetitions_without_a_loss_end_it_only_if_there_is_none_with_one(void **state) {
    (void)state;
    static SplittingRun run[SPLITTING_MAX_REPETITIONS];
    Table table;
    table_make(&table, "bcts", "10x8", "lenient", "uniform");
    for (uint64_t k = 0; k < SPLITTING_MAX_REPETITIONS; k++)
        run[k] = (SplittingRun){.cells = NAN, .pieces = 100, .extinct = 5, .done = true};
    Splitting none = ended_at(&table, run, 0.5, 0, 0);
    assert_true(none.runs == 24 && !none.precise && isinf(none.mean_lines));
    run[23] = (SplittingRun){.lambda = 1e-4, .pieces = 100, .done = true};
    Splitting one = ended_at(&table, run, 0.5, 20000, 0);
    assert_true(one.runs == 200 && !one.precise && isfinite(one.mean_lines)); // the budget's
    splitting_free(&none);
    splitting_free(&one);
    table_free(&table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_base_is_the_lowest_height_with_seven_tenths_of_the_moves),
        cmocka_unit_test(one_move_in_a_hundred_must_end_above_the_base),
        cmocka_unit_test(trials_are_those_of_28_repetitions),
        cmocka_unit_test(trials_stay_between_two_thousand_and_a_million),
        cmocka_unit_test(the_pilot_expects_28_repetitions_of_what_its_own_cost),
        cmocka_unit_test(a_pilot_without_a_loss_asks_for_the_trials_it_tried_last),
        cmocka_unit_test(the_interval_is_students_made_eight_percent_wider),
        cmocka_unit_test(cells_left_on_lost_boards_are_weighed_by_their_losses),
        cmocka_unit_test(without_any_loss_all_pieces_are_one_run_without_a_loss),
        cmocka_unit_test(scattered_repetitions_need_more_company),
        cmocka_unit_test(it_ends_at_the_first_repetition_that_is_precise_and_has_company),
        cmocka_unit_test(a_budget_ends_it_but_not_before_24_repetitions),
        cmocka_unit_test(repetitions_without_a_loss_end_it_only_if_there_is_none_with_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
