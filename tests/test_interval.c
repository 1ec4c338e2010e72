// SPDX-License-Identifier: GPL-3.0-or-later
// Intervals: known points, the behaviour at the edges, and coverage by simulation. Seeds are fixed, so
// these tests pass always or fail always; each bound is four standard errors wide, so that a right program
// and a new seed would fail one comparison with a chance of 1 in 15,000 and any of the 45 with 1 in 300.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "base/random.h"
#include "measure/interval.h"
#include "measure/quantile.h"

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.10g is not within %g of %.10g", value, tolerance, expected);
}

static void chi_square_points_agree_with_printed_tables(void **state) {
    (void)state;
    static const struct {
        uint64_t degrees;
        double low, high;
    } table[] = {{1, 0.000982, 5.024},
                 {2, 0.0506, 7.378},
                 {10, 3.247, 20.483},
                 {30, 16.791, 46.979},
                 {100, 74.222, 129.561}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        assert_near(quantile_chi_square(0.025, table[i].degrees), table[i].low, 6e-4);
        assert_near(quantile_chi_square(0.975, table[i].degrees), table[i].high, 6e-4);
    }
}

// Through the distribution function, which GSL computes well where its inverse does not.
static void chi_square_points_lead_back_to_their_probability(void **state) {
    (void)state;
    for (uint64_t n = 1; n <= 3000; n++) {
        assert_near(gsl_cdf_chisq_P(quantile_chi_square(0.025, n), (double)n), 0.025, 2e-6);
        assert_near(gsl_cdf_chisq_Q(quantile_chi_square(0.975, n), (double)n), 0.025, 2e-6);
    }
    for (uint64_t n = 10000; n <= 100000000; n *= 10)
        assert_near(gsl_cdf_chisq_P(quantile_chi_square(0.025, n), (double)n), 0.025, 1e-6);
}

static void one_game_gives_the_known_interval(void **state) {
    (void)state;
    Interval exact = interval_exact(1, 0, 1);
    assert_near(exact.low, 0.2711, 5e-5);
    assert_near(exact.high, 39.498, 5e-4);
    Interval rule = interval_rule(1, 1);
    assert_near(rule.low, 0, 0);
    assert_near(rule.high, 3, 1e-12);
}

static void intervals_of_many_games_agree_with_each_other(void **state) {
    (void)state;
    double n = 1e6;
    Interval exact = interval_exact(1000000, 0, 1e9), rule = interval_rule(1000000, 1e9);
    Interval normal = interval_normal(1000000, 1000, 1000);
    assert_near(rule.high, 1002, 1e-9);
    assert_near(normal.high, 1000 + 1959.964 / sqrt(n), 1e-3);
    assert_near(exact.high, normal.high, 0.01);
    assert_near(exact.low, normal.low, 0.01);
}

static void student_point_makes_small_samples_wider(void **state) {
    (void)state;
    assert_near(interval_normal(2, 100, 1).high, 100 + 12.7062 / sqrt(2), 1e-4);
    assert_near(interval_normal(31, 100, 1).high, 100 + 2.042272 / sqrt(31), 1e-6);
    assert_near(interval_normal(201, 100, 1).high, 100 + 1.971896 / sqrt(201), 1e-6);
    assert_near(interval_normal(1001, 100, 1).high, 100 + 1.962339 / sqrt(1001), 1e-6);
    assert_near(interval_normal(1002, 100, 1).high, 100 + 1.962337 / sqrt(1002), 1e-6);
    assert_true(isnan(interval_normal(1, 100, 1).low));
}

static void without_an_ended_game_only_the_lower_end_is_known(void **state) {
    (void)state;
    Interval exact = interval_exact(0, 5, 1000);
    assert_near(exact.low, 2000 / 7.377759, 1e-3);
    assert_true(isinf(exact.high));
    assert_true(isnan(interval_rule(0, 1000).high));
}

static void games_without_lines_leave_an_upper_end_above_zero(void **state) {
    (void)state;
    Interval exact = interval_exact(100, 0, 0);
    assert_near(exact.low, 0, 0);
    // With a mean this large, a hundred geometric scores are all 0 with a chance of 2.5 %.
    assert_near(pow(1 / (1 + exact.high), 100), 0.025, 1e-12);
}

static void games_for_a_precision_are_the_fewest(void **state) {
    (void)state;
    static const double precision[] = {2, 0.5, 0.15, 0.1, 0.05, 0.01, 0.001};
    for (size_t i = 0; i < sizeof precision / sizeof *precision; i++) {
        uint64_t n = interval_games_for(precision[i], 10000000);
        assert_true(interval_precision(n, true) <= precision[i]);
        assert_true(interval_precision(n, false) <= precision[i]);
        assert_true(interval_precision(n - 1, false) > precision[i]);
    }
    assert_int_equal(interval_games_for(1e-9, 1000), 1000);
    assert_int_equal(interval_games_for(1e9, 1000), 1);
}

static Summary summary_of(const Score *score, uint64_t count) {
    Summary summary;
    Error error;
    assert_true(summary_make(&summary, score, count, &error));
    return summary;
}

static void summary_of_four_games_is_what_one_computes_by_hand(void **state) {
    (void)state;
    Score score[] = {{.lines = 7, .pieces = 30},
                     {.lines = 1, .pieces = 9},
                     {.lines = 4, .pieces = 20},
                     {.lines = 0, .pieces = 3}};
    Summary summary = summary_of(score, 4);
    assert_int_equal(summary.lines, 12);
    assert_int_equal(summary.pieces, 62);
    assert_near(summary.mean, 3, 0);
    assert_near(summary.sd, sqrt((16 + 4 + 1 + 9) / 3.0), 1e-12);
    assert_near(summary.median, 2.5, 0);
    assert_int_equal(summary.minimum, 0);
    assert_int_equal(summary.maximum, 7);
    assert_false(summary.median_is_bound);
    assert_near(summary.exact.low, 24 / 17.5345, 1e-4);
    assert_near(summary.exact.high, 24 / 2.17973, 1e-4);
}

static void summary_of_one_game_has_no_deviation(void **state) {
    (void)state;
    Score score[] = {{.lines = 7, .pieces = 30}};
    Summary summary = summary_of(score, 1);
    assert_true(isnan(summary.sd));
    assert_true(isnan(summary.normal.low));
    assert_near(summary.median, 7, 0);
}

static void censored_games_add_their_lines_but_not_an_end(void **state) {
    (void)state;
    Score score[] = {{.lines = 10},
                     {.lines = 100, .censored = true},
                     {.lines = 30},
                     {.lines = 100, .censored = true},
                     {.lines = 60}};
    Summary summary = summary_of(score, 5);
    assert_int_equal(summary.censored, 2);
    assert_near(summary.mean, 100, 1e-12);
    assert_near(summary.exact.low, 600 / 17.5345, 1e-3);   // 2*3 + 2 = 8 degrees
    assert_near(summary.exact.high, 600 / 1.237344, 1e-3); // 6 degrees
    assert_true(isnan(summary.normal.high));
    assert_near(summary.median, 60, 0);
    assert_false(summary.median_is_bound);
    score[4].censored = true;
    summary = summary_of(score, 5);
    assert_true(summary.median_is_bound);
    assert_near(summary.median, 60, 0);
}

static void game_censored_early_hardly_moves_the_median(void **state) {
    (void)state;
    Score score[] = {{.lines = 30}, {.lines = 1, .censored = true},
                     {.lines = 20}, {.lines = 10},
                     {.lines = 50}, {.lines = 40}};
    Summary summary = summary_of(score, 6); // as if it had not been: of 10 20 30 40 50 the middle
    assert_false(summary.median_is_bound);
    assert_near(summary.median, 30, 0);
}

static void half_of_the_games_suffice_for_the_median(void **state) {
    (void)state;
    // 3/4 of the games survive the first score, 3/4 2/3 = 1/2 the second: that is the median.
    Score score[] = {{.lines = 10}, {.lines = 20}, {.lines = 30}, {.lines = 30, .censored = true}};
    Summary summary;
    assert_true(summary_make(&summary, score, 4, NULL));
    assert_near(summary.median, 20, 0);
}

static void summary_without_an_ended_game_has_no_finite_mean(void **state) {
    (void)state;
    Score score[] = {{.lines = 100, .censored = true}, {.lines = 100, .censored = true}};
    Summary summary = summary_of(score, 2);
    assert_true(isinf(summary.mean));
    assert_true(isinf(summary.exact.high));
    assert_near(summary.exact.low, 400 / 7.377759, 1e-3);
}

enum { RUNS = 8000, MAX_GAMES = 64, MEAN = 1000000 };

// Games of a player whose true mean is MEAN, stopped at `limit` lines.
static void simulate(Random *random, Score *score, uint64_t games, double limit) {
    for (uint64_t i = 0; i < games; i++) {
        double lines = -MEAN * log1p(-random_unit(random));
        score[i] = (Score){.lines = (uint64_t)fmin(lines, limit), .censored = lines > limit, .played = true};
    }
}

typedef struct Missed {
    int below, above; // runs whose interval lies below the true mean, and above it
} Missed;

static Missed count_missed(uint64_t seed, uint64_t games, double limit) {
    Random random = random_stream(seed, games, RANDOM_TEST);
    Missed missed = {0, 0};
    Score score[MAX_GAMES];
    for (int run = 0; run < RUNS; run++) {
        simulate(&random, score, games, limit);
        Summary summary = summary_of(score, games);
        missed.below += summary.exact.high < MEAN;
        missed.above += summary.exact.low > MEAN;
    }
    print_message("seed %llu, %llu games, limit %g: %d below, %d above of %d\n", (unsigned long long)seed,
                  (unsigned long long)games, limit, missed.below, missed.above, RUNS);
    return missed;
}

static void exact_interval_misses_two_and_a_half_percent_on_each_side(void **state) {
    (void)state;
    double expected = 0.025 * RUNS, allowed = 4 * sqrt(0.025 * 0.975 * RUNS);
    static const uint64_t games[] = {1, 2, 5, 20, 64};
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        Missed missed = count_missed(1, games[i], INFINITY);
        assert_near(missed.below, expected, allowed);
        assert_near(missed.above, expected, allowed);
    }
}

static void censored_interval_misses_at_most_as_often(void **state) {
    (void)state;
    double most = 0.025 * RUNS + 4 * sqrt(0.025 * 0.975 * RUNS);
    static const uint64_t games[] = {1, 3, 10, 40};
    static const double limit[] = {0.05, 0.3, 1, 3};
    int all = 0;
    for (size_t i = 0; i < sizeof games / sizeof *games; i++)
        for (size_t j = 0; j < sizeof limit / sizeof *limit; j++) {
            Missed missed = count_missed(2, games[i], limit[j] * MEAN);
            assert_true(missed.below <= most);
            assert_true(missed.above <= most);
            all += missed.below + missed.above;
        }
    assert_true(all > 16 * RUNS / 100); // conservative, but not useless: 1 % at the least
}

// Played until the fifth game has ended by itself: then the upper end is exact, not conservative.
static void stopping_at_an_ended_game_keeps_the_coverage(void **state) {
    (void)state;
    Random random = random_stream(3, 0, RANDOM_TEST);
    int below = 0, above = 0;
    for (int run = 0; run < RUNS; run++) {
        uint64_t ended = 0, censored = 0, lines = 0;
        while (ended < 5) {
            Score score;
            simulate(&random, &score, 1, 0.7 * MEAN);
            lines += score.lines;
            ended += !score.censored;
            censored += score.censored;
        }
        Interval exact = interval_exact(ended, censored, (double)lines);
        below += exact.high < MEAN;
        above += exact.low > MEAN;
    }
    print_message("seed 3: %d below, %d above of %d\n", below, above, RUNS);
    assert_near(below, 0.025 * RUNS, 4 * sqrt(0.025 * 0.975 * RUNS));
    assert_true(above <= 0.025 * RUNS);
}

// Scores spread evenly between 0 and 2 MEAN: far from exponential.
static void normal_interval_covers_other_distributions(void **state) {
    (void)state;
    Random random = random_stream(4, 0, RANDOM_TEST);
    Score score[MAX_GAMES];
    int missed = 0, missed_exact = 0;
    for (int run = 0; run < RUNS; run++) {
        for (int i = 0; i < MAX_GAMES; i++)
            score[i] = (Score){.lines = (uint64_t)(2 * MEAN * random_unit(&random))};
        Summary summary = summary_of(score, MAX_GAMES);
        missed += summary.normal.low > MEAN || summary.normal.high < MEAN;
        missed_exact += summary.exact.low > MEAN || summary.exact.high < MEAN;
    }
    print_message("seed 4: normal misses %d, exponential %d of %d\n", missed, missed_exact, RUNS);
    assert_near(missed, 0.05 * RUNS, 4 * sqrt(0.05 * 0.95 * RUNS));
    assert_true(missed_exact < RUNS / 100); // wider than need be
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chi_square_points_agree_with_printed_tables),
        cmocka_unit_test(chi_square_points_lead_back_to_their_probability),
        cmocka_unit_test(one_game_gives_the_known_interval),
        cmocka_unit_test(intervals_of_many_games_agree_with_each_other),
        cmocka_unit_test(student_point_makes_small_samples_wider),
        cmocka_unit_test(without_an_ended_game_only_the_lower_end_is_known),
        cmocka_unit_test(games_without_lines_leave_an_upper_end_above_zero),
        cmocka_unit_test(games_for_a_precision_are_the_fewest),
        cmocka_unit_test(summary_of_four_games_is_what_one_computes_by_hand),
        cmocka_unit_test(summary_of_one_game_has_no_deviation),
        cmocka_unit_test(censored_games_add_their_lines_but_not_an_end),
        cmocka_unit_test(game_censored_early_hardly_moves_the_median),
        cmocka_unit_test(half_of_the_games_suffice_for_the_median),
        cmocka_unit_test(summary_without_an_ended_game_has_no_finite_mean),
        cmocka_unit_test(exact_interval_misses_two_and_a_half_percent_on_each_side),
        cmocka_unit_test(censored_interval_misses_at_most_as_often),
        cmocka_unit_test(stopping_at_an_ended_game_keeps_the_coverage),
        cmocka_unit_test(normal_interval_covers_other_distributions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
