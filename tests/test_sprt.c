// SPDX-License-Identifier: GPL-3.0-or-later
// The sequential test: its sums by hand, its error rates by simulation (also with correlated scores, with
// scores that are not exponential, and with players), one result for any number of threads. Seeds are fixed.
// An error rate passes if it is at most 5 % plus four standard errors: a right program and a new seed would
// fail with a chance of 1 in 30,000 at worst.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "effort.h"
#include "measure/sprt.h"

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.10g is not within %g of %.10g", value, tolerance, expected);
}

static bool add(Sprt *sprt, uint64_t a, uint64_t b) {
    return sprt_add(sprt, &(Score){.lines = a, .played = true}, &(Score){.lines = b, .played = true}, NULL);
}

static double exponential(Random *random) {
    return -log1p(-random_unit(random));
}

static void one_pair_adds_what_the_density_says(void **state) {
    (void)state;
    Sprt sprt;
    assert_true(sprt_start(&sprt, 1, 1.5, 0.05, 0.05, NULL));
    assert_true(add(&sprt, 99, 299));
    double x = 99.5, y = 299.5, u = y / (x + y);
    double h0 = 1 / pow(1 * (1 - u) + u, 2), h1 = 1.5 / pow(1.5 * (1 - u) + u, 2);
    assert_near(sprt.exponential, log(h1 / h0), 1e-12);
    assert_near(sprt.sign, log(0.6 / 0.5), 1e-12);
    assert_true(add(&sprt, 7, 7));
    assert_near(sprt.sign, log(0.6 / 0.5) + (log(0.6 / 0.5) + log(0.4 / 0.5)) / 2, 1e-12);
    assert_near(sprt.upper, log(0.95 / 0.05), 1e-12);
    assert_near(sprt.lower, -log(0.95 / 0.05), 1e-12);
    sprt_free(&sprt);
}

static void bounds_follow_from_both_error_rates(void **state) {
    (void)state;
    Sprt sprt;
    assert_true(sprt_start(&sprt, 1, 1.5, 0.01, 0.2, NULL));
    assert_near(sprt.upper, log(0.8 / 0.01), 1e-12);
    assert_near(sprt.lower, log(0.2 / 0.99), 1e-12);
    sprt_free(&sprt);
}

// P(u > t) of sprt.h, against draws.
static void pair_statistic_has_the_stated_law(void **state) {
    (void)state;
    Random random = random_stream(1, 0, RANDOM_TEST);
    uint64_t draws = test_effort(100000);
    static const double rho[] = {0.5, 1, 3};
    for (int r = 0; r < 3; r++) {
        uint64_t above[9] = {0};
        for (uint64_t i = 0; i < draws; i++) {
            double x = exponential(&random), y = rho[r] * exponential(&random);
            for (int k = 0; k < 9; k++)
                above[k] += y / (x + y) > (k + 1) / 10.0;
        }
        for (int k = 0; k < 9; k++) {
            double t = (k + 1) / 10.0, p = rho[r] * (1 - t) / (rho[r] * (1 - t) + t);
            assert_near((double)above[k] / (double)draws, p, 4 * sqrt(p * (1 - p) / (double)draws));
        }
    }
}

// A pair of scores with ratio rho; correlated: share of the waiting time that is common.
typedef enum Law { INDEPENDENT, CORRELATED, UNEVEN } Law;

static void draw_pair(Random *random, Law law, double rho, uint64_t *a, uint64_t *b) {
    double x = exponential(random), y = exponential(random);
    if (law == CORRELATED) { // the same number in half of the games: exponential still, with correlation 1/2
        y = random_unit(random) < 0.5 ? x : y;
    } else if (law == UNEVEN) { // far from exponential; Y beats X with the probability that rho stands for
        bool wins = random_unit(random) < rho / (1 + rho);
        x = 1 + random_unit(random);
        y = wins ? x * 1.01 : x * 0.5;
        rho = 1;
    }
    *a = (uint64_t)(1000 * x);
    *b = (uint64_t)(1000 * rho * y);
}

typedef struct Decision {
    double h0, h1, sign, pairs; // shares of the decisions, and of the tests made by sign; mean pairs
} Decision;

static Decision simulate(uint64_t seed, Law law, double r0, double r1, double rho) {
    uint64_t runs = test_effort(400);
    Decision outcome = {0};
    Random random = random_stream(seed, 0, RANDOM_TEST);
    for (uint64_t k = 0; k < runs; k++) {
        Sprt sprt;
        assert_true(sprt_start(&sprt, r0, r1, 0.05, 0.05, NULL));
        while (sprt.decision == SPRT_UNDECIDED) {
            uint64_t a, b;
            draw_pair(&random, law, rho, &a, &b);
            assert_true(add(&sprt, a, b));
        }
        outcome.h0 += (sprt.decision == SPRT_H0) / (double)runs;
        outcome.h1 += (sprt.decision == SPRT_H1) / (double)runs;
        outcome.sign += (sprt.test == SPRT_SIGN) / (double)runs;
        outcome.pairs += (double)sprt.pairs / (double)runs;
        sprt_free(&sprt);
    }
    print_message("seed %llu, law %d, %g against %g, true %g: H0 %.3f, H1 %.3f, by sign %.3f, %.0f pairs\n",
                  (unsigned long long)seed, law, r0, r1, rho, outcome.h0, outcome.h1, outcome.sign,
                  outcome.pairs);
    return outcome;
}

static double most_errors(void) {
    return 0.05 + 4 * sqrt(0.05 * 0.95 / (double)test_effort(400));
}

static void exponential_scores_keep_both_error_rates(void **state) {
    (void)state;
    Decision null = simulate(1, INDEPENDENT, 1, 1.5, 1), other = simulate(2, INDEPENDENT, 1, 1.5, 1.5);
    assert_true(null.h1 <= most_errors());
    assert_true(other.h0 <= most_errors());
    assert_true(null.sign <= most_errors() && other.sign <= most_errors()); // a false alarm of the fit in few
    assert_true(null.h1 + other.h0 > 0.02);                                 // and not by never deciding so
    assert_true(null.pairs < 180); // Wald's formula gives 2 * 2.65/0.164 * 3, about 97 + overshoot
    null = simulate(3, INDEPENDENT, 2, 1.6, 2);
    assert_true(null.h1 <= most_errors());
}

static void correlated_scores_make_fewer_errors(void **state) {
    (void)state;
    Decision null = simulate(4, CORRELATED, 1, 1.3, 1), other = simulate(5, CORRELATED, 1, 1.3, 1.3);
    assert_true(null.h1 <= 0.05);
    assert_true(other.h0 <= 0.05);
}

static void other_scores_go_to_the_sign_test_and_keep_its_error_rates(void **state) {
    (void)state;
    Decision null = simulate(6, UNEVEN, 1, 1.4, 1), other = simulate(7, UNEVEN, 1, 1.4, 1.4);
    assert_true(null.sign > 0.999 && other.sign > 0.999);
    assert_true(null.h1 <= most_errors());
    assert_true(other.h0 <= most_errors());
}

static void small_scores_go_to_the_sign_test(void **state) {
    (void)state;
    Sprt sprt;
    Random random = random_stream(8, 0, RANDOM_TEST);
    assert_true(sprt_start(&sprt, 1, 1.01, 0.05, 0.05, NULL));
    for (int k = 0; k < SPRT_FIRST_LOOK; k++) {
        assert_int_equal(sprt.test, SPRT_EXPONENTIAL);
        assert_true(
            add(&sprt, (uint64_t)(5 * exponential(&random)), (uint64_t)(5000 * exponential(&random))));
    }
    assert_int_equal(sprt.test, SPRT_SIGN);
    sprt_free(&sprt);
}

static void nothing_is_decided_before_the_first_look_nor_changed_after(void **state) {
    (void)state;
    Sprt sprt;
    Random random = random_stream(9, 0, RANDOM_TEST);
    assert_true(sprt_start(&sprt, 1, 4, 0.05, 0.05, NULL));
    for (int k = 0; k < SPRT_FIRST_LOOK - 1; k++) {
        assert_true(
            add(&sprt, (uint64_t)(1000 * exponential(&random)), (uint64_t)(1e6 * exponential(&random))));
        assert_int_equal(sprt.decision, SPRT_UNDECIDED);
    }
    for (int k = 0; k < 5; k++)
        assert_true(add(&sprt, 1000, 1000000));
    assert_int_equal(sprt.decision, SPRT_H1);
    assert_int_equal(sprt.pairs, SPRT_FIRST_LOOK);
    sprt_free(&sprt);
}

// A win adds 0.18232, a loss -0.22314, a tie -0.02041; the bounds are -2.94444 and 2.94444. Scores that are
// always the same are not exponential: the sign test from the first look on.
static void a_decision_is_taken_where_the_sum_passes_a_bound_and_not_before_32_pairs(void **state) {
    (void)state;
    static const struct {
        int others; // wins or losses among the first 32 pairs, the rest being ties
        uint64_t b, pairs;
        SprtDecision decision;
    } cases[] = {
        {17, 60, 33, SPRT_H1}, // 2.7933, one more win: 2.9756
        {11, 40, 33, SPRT_H0}, // -2.8832, one more loss: -3.1063
        {18, 60, 32, SPRT_H1}, // 2.9960
        {32, 60, 32, SPRT_H1}, // beyond the bound since pair 17
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Sprt sprt;
        assert_true(sprt_start(&sprt, 1, 1.5, 0.05, 0.05, NULL));
        for (int k = 0; k < 40; k++)
            assert_true(add(&sprt, 50, k < cases[i].others || k >= 32 ? cases[i].b : 50));
        assert_int_equal(sprt.test, SPRT_SIGN);
        assert_int_equal(sprt.decision, cases[i].decision);
        assert_int_equal(sprt.pairs, cases[i].pairs);
        sprt_free(&sprt);
    }
}

static void scores_are_looked_at_whenever_their_number_has_doubled(void **state) {
    (void)state;
    Sprt sprt;
    assert_true(sprt_start(&sprt, 1, 1.5, 0.05, 0.05, NULL));
    for (uint64_t k = 0; k < 130; k++) {
        uint64_t next = k < 32 ? 32 : k < 64 ? 64 : k < 128 ? 128 : 256;
        assert_int_equal(sprt.look, next);
        assert_int_equal(sprt.fit_a.games, next == 32 ? 0 : next / 2);
        assert_true(add(&sprt, 50, k % 2 ? 60 : 40)); // one win, one loss: -0.04082
    }
    sprt_free(&sprt);
}

static void impossible_tests_are_refused(void **state) {
    (void)state;
    Sprt sprt;
    Error error;
    static const double wrong[][4] = {{1, 1, 0.05, 0.05},   {0, 1, 0.05, 0.05}, {1, -1, 0.05, 0.05},
                                      {1, NAN, 0.05, 0.05}, {1, 2, 0, 0.05},    {1, 2, 0.05, 0.5}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_false(sprt_start(&sprt, wrong[i][0], wrong[i][1], wrong[i][2], wrong[i][3], &error));
}

// ---------------------------------------------------------------------------------------------------
// With players

typedef struct Pair {
    Rules rules;
    Player *a, *b;
} Pair;

static Player *make_player(const char *name, const Rules *rules) {
    Error error = {""};
    Strategy strategy;
    assert_true(strategy_find(&strategy, name, &error));
    Player *player = player_new(&strategy, rules, NULL, &error);
    assert_non_null(player);
    return player;
}

static void make_pair(Pair *pair, const char *board, const char *a, const char *b) {
    Error error = {""};
    rules_default(&pair->rules);
    assert_true(rules_set(&pair->rules, "board", board, &error));
    pair->a = make_player(a, &pair->rules);
    pair->b = make_player(b, &pair->rules);
}

static void free_pair(Pair *pair) {
    player_free(pair->a);
    player_free(pair->b);
    rules_free(&pair->rules);
}

static SprtRun run_pair(const Pair *pair, uint64_t seed, double r0, double r1, int jobs) {
    Error error = {""};
    SprtRun run;
    SprtPlan plan = {.a = pair->a,
                     .b = pair->b,
                     .seed = seed,
                     .r0 = r0,
                     .r1 = r1,
                     .alpha = 0.05,
                     .beta = 0.05,
                     .most_pairs = 20000,
                     .work.jobs = jobs};
    if (!sprt_run(&run, &plan, &error))
        fail_msg("%s", error.text);
    return run;
}

static void result_is_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    Pair pair;
    make_pair(&pair, "10x6", "dellacherie", "bcts");
    SprtRun one = run_pair(&pair, 5, 1, 1.5, 1);
    for (int jobs = 2; jobs <= 5; jobs += 3) {
        SprtRun many = run_pair(&pair, 5, 1, 1.5, jobs);
        assert_int_equal(one.sprt.pairs, many.sprt.pairs);
        assert_int_equal(one.sprt.decision, many.sprt.decision);
        assert_int_equal(one.pieces, many.pieces);
        assert_true(sprt_sum(&one.sprt) == sprt_sum(&many.sprt));
        assert_memory_equal(one.sprt.b, many.sprt.b, one.sprt.pairs * sizeof *one.sprt.b);
        sprt_run_free(&many);
    }
    assert_int_not_equal(one.sprt.decision, SPRT_UNDECIDED);
    sprt_run_free(&one);
    free_pair(&pair);
}

// On 10x6 bcts makes 88.5 lines and dellacherie 79.8 (20,000 games each, 1 % each): ratio 1.11. Asked whether
// it is 1.11 or 1.66, and 0.74 or 1.11, the answer 1.11 is right.
static void players_with_common_pieces_keep_the_error_rates(void **state) {
    (void)state;
    Pair pair;
    make_pair(&pair, "10x6", "dellacherie", "bcts");
    uint64_t runs = test_effort(50), wrong_up = 0, wrong_down = 0, sign = 0;
    for (uint64_t k = 0; k < runs; k++) {
        SprtRun up = run_pair(&pair, 100 + k, 1.11, 1.66, 2), down = run_pair(&pair, 5000 + k, 0.74, 1.11, 2);
        wrong_up += up.sprt.decision != SPRT_H0;
        wrong_down += down.sprt.decision != SPRT_H1;
        sign += up.sprt.test == SPRT_SIGN || down.sprt.test == SPRT_SIGN;
        sprt_run_free(&up);
        sprt_run_free(&down);
    }
    print_message("players: %llu and %llu of %llu wrong, %llu by sign\n", (unsigned long long)wrong_up,
                  (unsigned long long)wrong_down, (unsigned long long)runs, (unsigned long long)sign);
    double most = (0.05 + 4 * sqrt(0.05 * 0.95 / (double)runs)) * (double)runs;
    assert_true((double)wrong_up <= most);
    assert_true((double)wrong_down <= most);
    free_pair(&pair);
}

static void player_against_itself_is_as_good(void **state) {
    (void)state;
    Pair pair;
    make_pair(&pair, "10x6", "bcts", "bcts");
    SprtRun run = run_pair(&pair, 1, 1, 1.3, 2);
    assert_int_equal(run.sprt.decision, SPRT_H0);
    assert_near(sprt_ratio(&run.sprt).value, 1, 0);
    sprt_run_free(&run);
    free_pair(&pair);
}

static void too_few_pairs_end_undecided(void **state) {
    (void)state;
    Pair pair;
    Error error = {""};
    make_pair(&pair, "10x6", "dellacherie", "bcts");
    SprtRun run;
    SprtPlan plan = {.a = pair.a,
                     .b = pair.b,
                     .seed = 1,
                     .r0 = 1,
                     .r1 = 1.001,
                     .alpha = 0.05,
                     .beta = 0.05,
                     .most_pairs = 37,
                     .work.jobs = 2};
    assert_true(sprt_run(&run, &plan, &error));
    assert_int_equal(run.sprt.pairs, 37);
    assert_int_equal(run.sprt.decision, SPRT_UNDECIDED);
    assert_false(run.interrupted);
    sprt_run_free(&run);
    volatile bool stop = true;
    plan.work.stop = &stop;
    plan.most_pairs = 20000;
    assert_true(sprt_run(&run, &plan, &error));
    assert_true(run.interrupted);
    sprt_run_free(&run);
    plan.most_pairs = 0;
    assert_false(sprt_run(&run, &plan, &error));
    sprt_run_free(&run);
    free_pair(&pair);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_pair_adds_what_the_density_says),
        cmocka_unit_test(bounds_follow_from_both_error_rates),
        cmocka_unit_test(pair_statistic_has_the_stated_law),
        cmocka_unit_test(exponential_scores_keep_both_error_rates),
        cmocka_unit_test(correlated_scores_make_fewer_errors),
        cmocka_unit_test(other_scores_go_to_the_sign_test_and_keep_its_error_rates),
        cmocka_unit_test(small_scores_go_to_the_sign_test),
        cmocka_unit_test(nothing_is_decided_before_the_first_look_nor_changed_after),
        cmocka_unit_test(a_decision_is_taken_where_the_sum_passes_a_bound_and_not_before_32_pairs),
        cmocka_unit_test(scores_are_looked_at_whenever_their_number_has_doubled),
        cmocka_unit_test(impossible_tests_are_refused),
        cmocka_unit_test(result_is_the_same_on_any_number_of_threads),
        cmocka_unit_test(players_with_common_pieces_keep_the_error_rates),
        cmocka_unit_test(player_against_itself_is_as_good),
        cmocka_unit_test(too_few_pairs_end_undecided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
