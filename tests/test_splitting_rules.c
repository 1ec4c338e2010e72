// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of splitting on made-up counts and rates: base, trials, interval, and the repetition at which it
// ends. No game is played but for the cost of the pilot. The expected numbers were computed apart from the
// program, with Student's points by integration of his density (97.5 %: 1 degree 12.706205, 23 degrees
// 2.068658; 98 %: 63 degrees 2.097146; normal 2.053749).
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
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

// 1.2 noise (2.053749/h)^2/160 with h = 2 (sqrt 1.05 - 1)
static void trials_are_those_of_160_repetitions(void **state) {
    (void)state;
    assert_int_equal(splitting_trials(100, 0.05), 1297);  // 1296.81
    assert_int_equal(splitting_trials(100, 0.02), 7988);  // 7987.42
    assert_int_equal(splitting_trials(400, 0.02), 31950); // 31949.7
}

static void trials_stay_between_a_hundred_and_a_million(void **state) {
    (void)state;
    assert_int_equal(splitting_trials(0, 0.05), 100);
    assert_int_equal(splitting_trials(7.71, 0.05), 100); // 99.98
    assert_int_equal(splitting_trials(7.72, 0.05), 101); // 100.11
    assert_int_equal(splitting_trials(1e5, 0.05), 1000000);
    assert_int_equal(splitting_trials(INFINITY, 0.05), 1000000);
}

// Its small repetitions are such as anybody can make: after three of fitting, 16 rehearsals.
static void the_pilot_expects_160_repetitions_of_what_its_own_cost(void **state) {
    (void)state;
    Table table;
    Error error = {""};
    SplittingPilot pilot, finer;
    table_make(&table, "bcts", "10x6", "lenient", "uniform");
    assert_true(
        splitting_pilot(&pilot, table.player, 7, SPLITTING_STRANDS, 50000, 0, 0.05, false, NULL, &error));
    assert_true(pilot.lost > 5 && pilot.importance.weight[3] != importance_usual.weight[3]);
    assert_near(pilot.game_pieces, 50000.0 / (double)pilot.lost, 1e-9);
    SplittingPlan plan = {.player = table.player,
                          .seed = 7,
                          .base = pilot.base,
                          .trials = 251,
                          .strands = SPLITTING_STRANDS,
                          .importance = pilot.importance};
    double pieces = 0, sum = 0, squares = 0;
    for (uint64_t k = 0; k < 16; k++) {
        SplittingRun run;
        assert_true(splitting_repeat(&plan, SPLITTING_MAX_REPETITIONS + 3 + k, &run, &error));
        pieces += (double)run.pieces;
        sum += run.lambda;
        squares += run.lambda * run.lambda;
    }
    double mean = sum / 16, variance = (squares - 16 * mean * mean) / 15;
    assert_near(pilot.noise, 251 * variance / (mean * mean), 1e-6);
    assert_near(pilot.cost, pieces / (16 * 251) * (double)pilot.trials * 160, 1);
    assert_true(
        splitting_pilot(&finer, table.player, 7, SPLITTING_STRANDS, 50000, 0, 0.01, false, NULL, &error));
    assert_near((double)finer.trials,
                1.2 * finer.noise * 2.053749 * 2.053749 / pow(2 * sqrt(1.01) - 2, 2) / 160, 1);
    assert_true(
        splitting_pilot(&finer, table.player, 7, SPLITTING_STRANDS, 50000, 2, 0.05, false, NULL, &error));
    assert_int_equal(finer.base, 2); // as was said
    table_free(&table);
}

// One further round after the other has twice the trials, until a fifth of the cost is reached or three are
// made; what it would cost comes from rehearsals with the new importance.
static void a_thorough_pilot_fits_further_if_the_measurement_will_cost_much(void **state) {
    (void)state;
    Table table;
    Error error = {""};
    SplittingPilot hasty, thorough, cheap;
    table_make(&table, "bcts", "10x12", "lenient", "uniform");
    assert_true(
        splitting_pilot(&hasty, table.player, 6, SPLITTING_STRANDS, 10000, 0, 0.02, false, NULL, &error));
    assert_true(
        splitting_pilot(&thorough, table.player, 6, SPLITTING_STRANDS, 10000, 0, 0.02, true, NULL, &error));
    assert_true(hasty.lost == 0 && (double)hasty.pieces < hasty.cost / 5);
    assert_true(thorough.pieces > 2 * hasty.pieces);
    assert_true(memcmp(&thorough.importance, &hasty.importance, sizeof hasty.importance));
    SplittingPlan plan = {.player = table.player,
                          .seed = 6,
                          .base = thorough.base,
                          .trials = 200 / 4 + 1,
                          .strands = SPLITTING_STRANDS,
                          .importance = thorough.importance};
    double sum = 0, squares = 0;
    for (uint64_t k = 0; k < 16; k++) { // after three rounds, 16 rehearsals and three rounds more
        SplittingRun run;
        assert_true(splitting_repeat(&plan, SPLITTING_MAX_REPETITIONS + 3 + 16 + 3 + k, &run, &error));
        sum += run.lambda;
        squares += run.lambda * run.lambda;
    }
    double mean = sum / 16, variance = (squares - 16 * mean * mean) / 15;
    assert_near(thorough.noise, (double)plan.trials * variance / (mean * mean), 1e-6);
    assert_true(
        splitting_pilot(&hasty, table.player, 3, SPLITTING_STRANDS, 50000, 0, 0.9, false, NULL, &error));
    assert_true(
        splitting_pilot(&cheap, table.player, 3, SPLITTING_STRANDS, 50000, 0, 0.9, true, NULL, &error));
    assert_true((double)hasty.pieces > hasty.cost / 5);
    assert_memory_equal(&cheap.importance, &hasty.importance, sizeof hasty.importance);
    table_free(&table);
}

static void a_pilot_without_a_loss_asks_for_ten_thousand_trials(void **state) {
    (void)state;
    Table table;
    Error error = {""};
    SplittingPilot pilot;
    table_make(&table, "bcts", "10x10", "lenient", "O:1");
    assert_true(
        splitting_pilot(&pilot, table.player, 1, SPLITTING_STRANDS, 5000, 0, 0.05, false, NULL, &error));
    assert_true(isinf(pilot.noise) && pilot.trials == 10000);
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

static void the_interval_is_students_on_the_scale_of_the_square_root_of_the_lines(void **state) {
    (void)state;
    SplittingRun run[64];
    scattered(run, 24, 1e-4, 0.1);
    Splitting s = {.run = run, .runs = 24};
    splitting_summarise(&s, 10);
    // sd/mean = 0.1 sqrt(24/23), h = 2.0686576 * 0.1/sqrt 23 = 0.043134493
    assert_near(s.lambda, 1e-4, 1e-12);
    assert_near(s.sd / s.lambda, 0.1 * sqrt(24.0 / 23), 1e-12);
    assert_near(s.mean_lines, 4000, 1e-8); // 4/(10 lambda)
    assert_near(s.interval.high, 4000 * 1.04359964, 1e-4);
    assert_near(s.interval.low, 4000 * 0.95733065, 1e-4);
    assert_near(s.lambda_interval.low, 1e-4 / 1.04359964, 1e-12);
    assert_near(s.lambda_interval.high, 1e-4 / 0.95733065, 1e-12);
    assert_near(splitting_precision(&s), 0.04359964, 1e-8); // the upper side is the longer one
    assert_int_equal(s.pieces, 2400);
    scattered(run, 64, 1e-4, 0.2); // and at another risk than 5 %: h = 2.0971464 * 0.2/sqrt 63
    s = (Splitting){.run = run, .runs = 64, .risk = 0.04};
    splitting_summarise(&s, 10);
    assert_near(sqrt(s.interval.high / 4000), 1 + 2.0971464 * 0.1 / sqrt(63), 1e-8);
    assert_near(sqrt(s.interval.low / 4000), 1 - 2.0971464 * 0.1 / sqrt(63), 1e-8);
}

// Lambdas that are gamma distributed, seed 1: their skewness is twice sd/mean, as it is about that of
// repetitions. The mean of four exponential values; n = 30 of them, so h = 0.19. With Student's own interval
// of lambda 3.6 % of the intervals of the lines are too high and 1.6 % too low.
static void skewed_values_miss_on_both_sides_equally_often(void **state) {
    (void)state;
    enum { RUNS = 30, INTERVALS = 20000 };
    Random random = random_stream(1, 0, RANDOM_TEST);
    SplittingRun run[RUNS];
    int high = 0, low = 0;
    for (int i = 0; i < INTERVALS; i++) {
        for (int k = 0; k < RUNS; k++) {
            run[k] = (SplittingRun){.pieces = 1, .done = true};
            for (int part = 0; part < 4; part++)
                run[k].lambda -= log1p(-random_unit(&random)) / 4;
        }
        Splitting s = {.run = run, .runs = RUNS};
        splitting_summarise(&s, 4);
        high += s.interval.low > 1;
        low += s.interval.high < 1;
    }
    print_message("too high: %d, too low: %d of %d\n", high, low, INTERVALS);
    assert_true(abs(high - low) < 5 * sqrt(0.05 * INTERVALS)); // five standard deviations
    assert_true(high + low < 0.06 * INTERVALS);
}

static void cells_left_on_lost_boards_are_weighed_by_their_losses(void **state) {
    (void)state;
    SplittingRun run[2] = {{.lambda = 0.01, .cells = 10, .pieces = 5, .done = true},
                           {.lambda = 0.03, .cells = 50, .pieces = 7, .done = true}};
    Splitting s = {.run = run, .runs = 2};
    splitting_summarise(&s, 8);
    assert_near(s.lambda, 0.02, 1e-15);
    assert_near(s.mean_lines, (200 - 40.0) / 8, 1e-9); // (0.01 10 + 0.03 50)/0.04 = 40 cells
    // h = 12.7 0.01/0.02: nothing is known
    assert_true(s.lambda_interval.low == 0 && isinf(s.lambda_interval.high));
    assert_true(s.interval.low == 0 && isinf(s.interval.high));
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

static void all_looks_together_have_a_risk_of_one_in_twenty(void **state) {
    (void)state;
    double sum = 0;
    assert_true(splitting_risk(0) == 0.04);
    for (uint64_t looks = 0; looks < 60; looks++) {
        assert_true(splitting_risk(looks + 1) < splitting_risk(looks));
        sum += splitting_risk(looks);
    }
    assert_near(sum, 0.05, 1e-12);
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
                          .work.jobs = 2,
                          .known = run,
                          .known_count = SPLITTING_MAX_REPETITIONS};
    if (!splitting_run(&s, &plan, &error))
        fail_msg("%s", error.text);
    return s;
}

static void it_ends_at_the_first_stage_that_is_precise_after_the_one_that_tells_the_spread(void **state) {
    (void)state;
    static const struct {
        double spread, precision;
        uint64_t runs;
        const char *why;
    } cases[] = {
        {0.05, 0.2, 80, "precise long before, but the first stage only tells the spread"},
        {0.2, 0.05, 88, "5.354 % at 64, which asks for 87.9"},
        {0.3, 0.05, 198, "8.084 % at 64, which asks for 197.8"},
        {0.7, 0.05, 1024, "19.35 % at 64: 256; 9.254 % at 256, which asks for 1031, four times that"},
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
    s = ended_at(&table, run, 0.0206, 0, 0); // 2.91 % at 4096, 2.053 % at the last
    assert_true(s.runs == SPLITTING_MAX_REPETITIONS && s.precise);
    splitting_free(&s);
    table_free(&table);
}

// The spread doubles after the first stage: 6.119 % at the 88 that it asks for; the next look has a risk of
// 1/2 %: 300.2, where it is 6.085 %; and then of 1/4 %: 618.7, and 4.75 %.
static void a_look_that_does_not_suffice_makes_the_next_one_stricter(void **state) {
    (void)state;
    static SplittingRun run[SPLITTING_MAX_REPETITIONS];
    Table table;
    table_make(&table, "bcts", "10x8", "lenient", "uniform");
    scattered(run, SPLITTING_MAX_REPETITIONS, 1e-4, 0.4);
    scattered(run, 64, 1e-4, 0.2);
    Splitting s = ended_at(&table, run, 0.05, 0, 0);
    assert_true(s.runs == 619 && s.precise && s.looks == 3 && s.risk == 0.0025);
    assert_near(splitting_precision(&s), 0.0475, 0.00001);
    splitting_free(&s);
    table_free(&table);
}

static void a_budget_ends_it_but_not_before_64_repetitions(void **state) {
    (void)state;
    static const struct {
        uint64_t budget, repetitions, runs;
    } cases[] = {{100, 0, 64},  {6400, 0, 64}, {6401, 0, 65}, {8000, 0, 80},
                 {8001, 0, 81}, {100, 5, 5},   {100, 50, 50}};
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
    assert_true(none.runs == 64 && !none.precise && isinf(none.mean_lines));
    run[63] = (SplittingRun){.lambda = 1e-4, .pieces = 100, .done = true};
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
        cmocka_unit_test(trials_are_those_of_160_repetitions),
        cmocka_unit_test(trials_stay_between_a_hundred_and_a_million),
        cmocka_unit_test(the_pilot_expects_160_repetitions_of_what_its_own_cost),
        cmocka_unit_test(a_thorough_pilot_fits_further_if_the_measurement_will_cost_much),
        cmocka_unit_test(a_pilot_without_a_loss_asks_for_ten_thousand_trials),
        cmocka_unit_test(the_interval_is_students_on_the_scale_of_the_square_root_of_the_lines),
        cmocka_unit_test(skewed_values_miss_on_both_sides_equally_often),
        cmocka_unit_test(cells_left_on_lost_boards_are_weighed_by_their_losses),
        cmocka_unit_test(without_any_loss_all_pieces_are_one_run_without_a_loss),
        cmocka_unit_test(all_looks_together_have_a_risk_of_one_in_twenty),
        cmocka_unit_test(it_ends_at_the_first_stage_that_is_precise_after_the_one_that_tells_the_spread),
        cmocka_unit_test(a_look_that_does_not_suffice_makes_the_next_one_stricter),
        cmocka_unit_test(a_budget_ends_it_but_not_before_64_repetitions),
        cmocka_unit_test(repetitions_without_a_loss_end_it_only_if_there_is_none_with_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
