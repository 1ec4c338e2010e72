// SPDX-License-Identifier: GPL-3.0-or-later
// Ratios of means: points of the F distribution, and the coverage of both intervals by simulation. Seeds are
// fixed; bounds are four standard errors wide: a right program and a new seed would fail one of the about 20
// comparisons with a chance of 1 in 700.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "base/random.h"
#include "effort.h"
#include "measure/quantile.h"
#include "measure/ratio.h"
#include "measure/splitting_rules.h"

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.10g is not within %g of %.10g", value, tolerance, expected);
}

static void f_points_agree_with_printed_tables(void **state) {
    (void)state;
    assert_near(ratio_f_point(0.975, 1, 1), 39.00, 0.005);
    assert_near(ratio_f_point(0.975, 5, 10), 2.77, 0.005);
    assert_near(ratio_f_point(0.975, 10, 5), 3.42, 0.005);
    assert_near(ratio_f_point(0.025, 5, 10), 1 / 3.42, 0.0005);
    assert_near(ratio_f_point(0.975, 1, 60), 3.80, 0.005);
}

static void f_points_lead_back_to_their_probability(void **state) {
    (void)state;
    static const uint64_t n[] = {1, 2, 7, 40, 149, 150, 151, 400, 3000, 40000};
    for (size_t i = 0; i < sizeof n / sizeof *n; i++)
        for (size_t k = 0; k < sizeof n / sizeof *n; k++)
            for (int side = 0; side < 2; side++) {
                double p = side ? 0.975 : 0.025, point = ratio_f_point(p, n[i], n[k]);
                assert_near(gsl_cdf_fdist_P(point, 2 * (double)n[i], 2 * (double)n[k]), p, 1e-4);
            }
    double huge = ratio_f_point(0.975, 10000000, 10000000);
    assert_near(log(huge), 1.959964 * sqrt(2e-7), 1e-8);
    assert_near(ratio_f_point(0.975, 10, 10000000), quantile_chi_square(0.975, 20) / 20, 1e-6);
    assert_near(ratio_f_point(0.975, 10000000, 10), 20 / quantile_chi_square(0.025, 20), 1e-6);
}

static double exponential(Random *random) {
    return -log1p(-random_unit(random));
}

static double normal(Random *random) {
    return sqrt(2 * exponential(random)) * cos(6.283185307179586 * random_unit(random));
}

typedef struct Missed {
    double below, above; // shares of intervals below the truth, and above it
} Missed;

static void count_missed(Missed *missed, const Ratio *ratio, double truth, uint64_t runs) {
    missed->below += (ratio->interval.high < truth) / (double)runs;
    missed->above += (ratio->interval.low > truth) / (double)runs;
}

static double total_of(Random *random, uint64_t games, double mean) {
    double sum = 0;
    for (uint64_t i = 0; i < games; i++)
        sum += mean * exponential(random);
    return sum;
}

static void exponential_interval_misses_two_and_a_half_percent_on_each_side(void **state) {
    (void)state;
    uint64_t runs = test_effort(8000);
    double allowed = 4 * sqrt(0.025 * 0.975 / (double)runs);
    static const uint64_t games[][2] = {{1, 1}, {5, 30}, {30, 5}, {200, 160}};
    for (int i = 0; i < 4; i++) {
        Random random = random_stream(1, (uint64_t)i, RANDOM_TEST);
        Missed missed = {0, 0};
        for (uint64_t k = 0; k < runs; k++) {
            Ratio ratio = ratio_exponential(games[i][0], total_of(&random, games[i][0], 100), games[i][1],
                                            total_of(&random, games[i][1], 270));
            count_missed(&missed, &ratio, 2.7, runs);
        }
        print_message("seed 1, %llu and %llu games: %.4f below, %.4f above\n",
                      (unsigned long long)games[i][0], (unsigned long long)games[i][1], missed.below,
                      missed.above);
        assert_near(missed.below, 0.025, allowed);
        assert_near(missed.above, 0.025, allowed);
    }
}

// Repetitions of splitting: lambda log-normal with the given spread (0.15 to 0.3 is usual), n of them.
static Splitting splitting_of(Random *random, SplittingRun *run, uint64_t n, double lambda, double spread) {
    for (uint64_t i = 0; i < n; i++) {
        double value = lambda * exp(spread * normal(random) - spread * spread / 2);
        run[i] = (SplittingRun){.lambda = value, .cells = 0, .done = true};
    }
    Splitting splitting = {.run = run, .runs = n};
    splitting_summarise(&splitting, 10);
    return splitting;
}

static Missed splitting_missed(uint64_t seed, uint64_t n, double spread_a, double spread_b) {
    uint64_t runs = test_effort(4000);
    Random random = random_stream(seed, n, RANDOM_TEST);
    Missed missed = {0, 0};
    for (uint64_t k = 0; k < runs; k++) {
        SplittingRun run_a[64], run_b[64];
        Splitting a = splitting_of(&random, run_a, n, 1e-6, spread_a),
                  b = splitting_of(&random, run_b, n, 2e-7, spread_b);
        Ratio ratio = ratio_combine(a.mean_lines, a.interval, b.mean_lines, b.interval);
        count_missed(&missed, &ratio, 5, runs);
    }
    print_message("seed %llu, %llu repetitions, spread %g and %g: %.4f below, %.4f above\n",
                  (unsigned long long)seed, (unsigned long long)n, spread_a, spread_b, missed.below,
                  missed.above);
    return missed;
}

static void combined_interval_of_splitting_covers_at_least_93_percent(void **state) {
    (void)state;
    double allowed = 4 * sqrt(0.07 * 0.93 / (double)test_effort(4000));
    static const double spread[][2] = {{0.1, 0.1}, {0.2, 0.2}, {0.05, 0.4}, {0.4, 0.05}};
    for (int i = 0; i < 4; i++)
        for (uint64_t n = 12; n <= 48; n *= 2) {
            Missed missed = splitting_missed(2, n, spread[i][0], spread[i][1]);
            assert_true(missed.below + missed.above <= 0.07 + allowed);
            assert_true(missed.below + missed.above >= 0.02); // not by being far too wide
        }
}

// One player measured by games, the other by splitting.
static void combined_interval_of_mixed_methods_covers_at_least_93_percent(void **state) {
    (void)state;
    uint64_t runs = test_effort(4000);
    Random random = random_stream(3, 0, RANDOM_TEST);
    Missed missed = {0, 0};
    for (uint64_t k = 0; k < runs; k++) {
        SplittingRun run_b[16];
        double lines = total_of(&random, 400, 1e5);
        Splitting b = splitting_of(&random, run_b, 16, 4e-7, 0.2); // 1e6 lines
        Ratio ratio = ratio_combine(lines / 400, interval_exact(400, 0, lines), b.mean_lines, b.interval);
        count_missed(&missed, &ratio, 10, runs);
    }
    print_message("seed 3: %.4f below, %.4f above\n", missed.below, missed.above);
    assert_true(missed.below + missed.above <= 0.07 + 4 * sqrt(0.07 * 0.93 / (double)runs));
}

static void combined_interval_agrees_with_the_exact_one(void **state) {
    (void)state;
    Ratio exact = ratio_exponential(400, 400 * 100, 300, 300 * 500);
    Ratio combined =
        ratio_combine(100, interval_exact(400, 0, 400 * 100), 500, interval_exact(300, 0, 300 * 500));
    assert_near(exact.value, 5, 1e-12);
    assert_near(combined.value, 5, 1e-12);
    assert_near(combined.interval.low, exact.interval.low, 0.005);
    assert_near(combined.interval.high, exact.interval.high, 0.005);
}

static void unknown_ends_stay_unknown(void **state) {
    (void)state;
    Ratio ratio = ratio_combine(100, (Interval){90, 110}, 500, (Interval){400, INFINITY});
    assert_near(ratio.value, 5, 0);
    assert_true(ratio.interval.low > 3.5 && ratio.interval.low < 4.2);
    assert_true(isinf(ratio.interval.high));
    ratio = ratio_combine(100, (Interval){0, 110}, 500, (Interval){400, 600});
    assert_true(isinf(ratio.interval.high));
    ratio = ratio_combine(100, (Interval){90, INFINITY}, 500, (Interval){400, 600});
    assert_near(ratio.interval.low, 0, 0);
    ratio = ratio_combine(INFINITY, (Interval){90, INFINITY}, 500, (Interval){400, 600});
    assert_true(isnan(ratio.value));
    assert_true(isnan(ratio_exponential(0, 10, 5, 10).value));
    assert_true(isnan(ratio_exponential(5, 0, 5, 10).value));
}

static void measurements_as_precise_as_asked_make_the_ratio_as_precise(void **state) {
    (void)state;
    static const double precision[] = {0.02, 0.05, 0.1, 0.2, 0.5};
    for (size_t i = 0; i < sizeof precision / sizeof *precision; i++) {
        uint64_t n = interval_games_for(ratio_each_precision(precision[i]), 10000000);
        Ratio ratio = ratio_exponential(n, (double)n, n, (double)n);
        double wider = fmax(1 - ratio.interval.low / ratio.value, ratio.interval.high / ratio.value - 1);
        assert_true(wider <= 1.01 * precision[i]);
        assert_true(wider > 0.8 * precision[i]); // and not more games than needed
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(f_points_agree_with_printed_tables),
        cmocka_unit_test(f_points_lead_back_to_their_probability),
        cmocka_unit_test(exponential_interval_misses_two_and_a_half_percent_on_each_side),
        cmocka_unit_test(combined_interval_of_splitting_covers_at_least_93_percent),
        cmocka_unit_test(combined_interval_of_mixed_methods_covers_at_least_93_percent),
        cmocka_unit_test(combined_interval_agrees_with_the_exact_one),
        cmocka_unit_test(unknown_ends_stay_unknown),
        cmocka_unit_test(measurements_as_precise_as_asked_make_the_ratio_as_precise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
