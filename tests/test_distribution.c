// SPDX-License-Identifier: GPL-3.0-or-later
// The law of scores: the table of the Anderson-Darling statistic, the test's false alarms and its power, the
// bootstrap's coverage, histograms. Seeds are fixed; bounds are four standard errors wide, so that a right
// program and a new seed would fail a comparison with a chance of 1 in 15,000.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "effort.h"
#include "measure/distribution.h"

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.10g is not within %g of %.10g", value, tolerance, expected);
}

static double exponential(Random *random) {
    return -log1p(-random_unit(random));
}

static int compare_values(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { SAMPLE = 200 };

// Prints the table of distribution.c; with the effort named there, the very same numbers.
static void anderson_table_is_that_of_exponential_samples(void **state) {
    (void)state;
    uint64_t samples = test_effort(4000);
    double *statistic = malloc(samples * sizeof *statistic), value[SAMPLE];
    assert_non_null(statistic);
    Random random = random_stream(1, SAMPLE, RANDOM_TEST);
    for (uint64_t k = 0; k < samples; k++) {
        for (int i = 0; i < SAMPLE; i++)
            value[i] = exponential(&random);
        qsort(value, SAMPLE, sizeof *value, compare_values);
        statistic[k] = distribution_anderson(value, SAMPLE);
    }
    qsort(statistic, samples, sizeof *statistic, compare_values);
    static const double p[] = {0.999, 0.99, 0.95, 0.9,  0.8,   0.7,  0.6,   0.5,    0.4,   0.3,   0.25,
                               0.2,   0.15, 0.1,  0.05, 0.025, 0.01, 0.005, 0.0025, 0.001, 0.0005};
    for (size_t i = 0; i < sizeof p / sizeof *p; i++) {
        double point = statistic[(uint64_t)((1 - p[i]) * (double)samples)];
        print_message("{%g, %.4f} ", p[i], point);
        double allowed = 4 * sqrt(p[i] * (1 - p[i]) / (double)samples) + 2 / (double)samples + 0.0001;
        assert_near(distribution_anderson_p(point), p[i], allowed);
    }
    print_message("\n");
    free(statistic);
}

static void anderson_points_agree_with_the_printed_ones(void **state) {
    (void)state;
    // D'Agostino & Stephens 1986, exponential law with estimated mean
    assert_near(distribution_anderson_p(1.062), 0.10, 0.002);
    assert_near(distribution_anderson_p(1.321), 0.05, 0.002);
    assert_near(distribution_anderson_p(1.591), 0.025, 0.001);
    assert_near(distribution_anderson_p(1.959), 0.01, 0.0005);
    assert_near(distribution_anderson_p(100), 0.0005, 0);
    assert_near(distribution_anderson_p(0), 0.999, 0);
}

static void anderson_statistic_of_three_values_is_what_one_computes_by_hand(void **state) {
    (void)state;
    double value[] = {1, 2, 6}; // mean 3
    double z[3], sum = 0;
    for (int i = 0; i < 3; i++)
        z[i] = 1 - exp(-value[i] / 3);
    sum = 1 * (log(z[0]) + log(1 - z[2])) + 3 * (log(z[1]) + log(1 - z[1])) + 5 * (log(z[2]) + log(1 - z[0]));
    assert_near(distribution_anderson(value, 3), (-3 - sum / 3) * 1.2, 1e-12);
}

// Scores of a law: 0 exponential, 1 Erlang of two, 2 exponential of a varying mean; rounded down.
static void draw_scores(Score *score, uint64_t count, double mean, int law, Random *random) {
    for (uint64_t i = 0; i < count; i++) {
        double x = exponential(random) * mean;
        if (law == 1)
            x = (x + exponential(random) * mean) / 2;
        if (law == 2)
            x *= random_unit(random) < 0.5 ? 0.3 : 1.7;
        score[i] = (Score){.lines = (uint64_t)x, .played = true};
    }
}

// <- share of samples with p below 5 %; *near: share that is near exponential
static double rejected(uint64_t seed, uint64_t games, double mean, int law, double *near) {
    uint64_t runs = test_effort(2000), count = 0, close = 0;
    Random random = random_stream(seed, games, RANDOM_TEST);
    Score *score = malloc(games * sizeof *score);
    assert_non_null(score);
    for (uint64_t k = 0; k < runs; k++) {
        DistributionFit fit;
        draw_scores(score, games, mean, law, &random);
        assert_true(distribution_fit(&fit, score, games, k, NULL));
        assert_true(fit.applies);
        count += fit.p_value < 0.05;
        close += distribution_is_exponential(&fit);
    }
    free(score);
    *near = (double)close / (double)runs;
    print_message("seed %llu, %llu games, mean %g, law %d: %.3f rejected, %.3f near\n",
                  (unsigned long long)seed, (unsigned long long)games, mean, law,
                  (double)count / (double)runs, *near);
    return (double)count / (double)runs;
}

static void whole_numbers_of_any_mean_raise_five_percent_false_alarms(void **state) {
    (void)state;
    double allowed = 4 * sqrt(0.05 * 0.95 / (double)test_effort(2000)), near;
    assert_near(rejected(1, 100, 1e6, 0, &near), 0.05, allowed);
    assert_true(near > 0.98);
    assert_near(rejected(2, 400, 12, 0, &near), 0.05, allowed);
    assert_true(near > 0.98);
    assert_near(rejected(3, 400, 1, 0, &near), 0.05, allowed);
    assert_true(near == 0); // too few lines
}

static void other_laws_are_found(void **state) {
    (void)state;
    double near;
    assert_true(rejected(4, 200, 1000, 1, &near) > 0.99);
    assert_true(near < 0.2);
    assert_true(rejected(5, 200, 1000, 2, &near) > 0.99);
}

// A harmless delay of 1 % of the mean: significant with many games, near exponential all the same.
static void small_deviations_are_significant_but_near(void **state) {
    (void)state;
    enum { MANY = 30000 };
    Score *score = malloc(MANY * sizeof *score);
    assert_non_null(score);
    Random random = random_stream(6, 0, RANDOM_TEST);
    draw_scores(score, MANY, 1000, 0, &random);
    for (int i = 0; i < MANY; i++)
        score[i].lines += 10;
    DistributionFit fit;
    assert_true(distribution_fit(&fit, score, MANY, 1, NULL));
    assert_true(fit.p_value < 0.001);
    assert_true(fit.deviation < 0.02);
    assert_true(distribution_is_exponential(&fit));
    free(score);
}

static void fit_says_when_it_does_not_apply(void **state) {
    (void)state;
    Score score[40];
    Random random = random_stream(7, 0, RANDOM_TEST);
    draw_scores(score, 40, 1000, 0, &random);
    DistributionFit fit;
    assert_true(distribution_fit(&fit, score, DISTRIBUTION_LEAST_GAMES - 1, 1, NULL));
    assert_false(fit.applies);
    assert_true(isnan(fit.p_value));
    assert_true(distribution_is_exponential(&fit));
    score[3].censored = true;
    assert_true(distribution_fit(&fit, score, 40, 1, NULL));
    assert_false(fit.applies);
    for (int i = 0; i < 40; i++)
        score[i] = (Score){0};
    assert_true(distribution_fit(&fit, score, 40, 1, NULL));
    assert_false(fit.applies);
    assert_false(distribution_is_exponential(&fit));
    assert_true(distribution_fit(&fit, score, 0, 1, NULL));
    assert_true(distribution_is_exponential(&fit));
}

static void deviation_is_the_largest_gap_between_the_functions(void **state) {
    (void)state;
    Score score[20];
    for (int i = 0; i < 20; i++)
        score[i] = (Score){.lines = 100};
    DistributionFit fit;
    assert_true(distribution_fit(&fit, score, 20, 1, NULL));
    double theta = 1 / log1p(0.01);
    assert_near(fit.deviation, 1 - exp(-100 / theta), 1e-12); // just before 100: 0 against 1 - 1/e
    assert_near(fit.spread, 0, 0);
    assert_near(fit.allowed, 0.04 + 1.1 / sqrt(20), 1e-12);
    fit.deviation = fit.allowed;
    assert_true(distribution_is_exponential(&fit));
    fit.deviation = fit.allowed + 1e-9;
    assert_false(distribution_is_exponential(&fit));
}

// Exponential scores, 40 games: the percentile interval would miss too often on the right.
static void bootstrap_covers_about_95_percent(void **state) {
    (void)state;
    uint64_t runs = test_effort(300), missed = 0;
    Score score[100];
    Random random = random_stream(8, 0, RANDOM_TEST);
    for (uint64_t k = 0; k < runs; k++) {
        Interval interval;
        draw_scores(score, 100, 10000, 0, &random);
        assert_true(distribution_bootstrap(&interval, score, 100, k, NULL));
        missed += interval.low > 9999.5 || interval.high < 9999.5;
    }
    print_message("bootstrap: %llu of %llu missed\n", (unsigned long long)missed, (unsigned long long)runs);
    assert_true((double)missed <= 0.065 * (double)runs + 4 * sqrt(0.06 * 0.94 * (double)runs));
    assert_true((double)missed + 4 * sqrt(0.05 * 0.95 * (double)runs) >= 0.05 * (double)runs);
}

static void bootstrap_depends_on_the_seed_alone(void **state) {
    (void)state;
    Score score[50];
    Random random = random_stream(9, 0, RANDOM_TEST);
    draw_scores(score, 50, 1000, 0, &random);
    Interval a, b, c;
    assert_true(distribution_bootstrap(&a, score, 50, 1, NULL));
    assert_true(distribution_bootstrap(&b, score, 50, 1, NULL));
    assert_true(distribution_bootstrap(&c, score, 50, 2, NULL));
    assert_true(a.low == b.low && a.high == b.high);
    assert_true(a.low != c.low);
    Interval normal = interval_normal(50, 1000, 1000);
    assert_near(a.high - a.low, normal.high - normal.low, 0.4 * (normal.high - normal.low));
    assert_true(distribution_bootstrap(&a, score, 1, 1, NULL));
    assert_true(isnan(a.low));
    score[0].censored = true;
    assert_true(distribution_bootstrap(&a, score, 50, 1, NULL));
    assert_true(isnan(a.low));
    for (int i = 0; i < 50; i++)
        score[i] = (Score){.lines = 7};
    assert_true(distribution_bootstrap(&a, score, 50, 1, NULL));
    assert_near(a.low, 7, 0);
    assert_near(a.high, 7, 0);
}

// Half of the means or so are the mean of all. Where they lie as far below it as above, so does the interval.
static void means_that_are_equal_to_that_of_all_count_half_in_the_bootstrap(void **state) {
    (void)state;
    Score score[8];
    Interval interval;
    for (int i = 0; i < 8; i++)
        score[i] = (Score){.lines = i % 2 ? 8 : 0, .played = true};
    assert_true(distribution_bootstrap(&interval, score, 8, 1, NULL));
    assert_near(interval.low, 1, 0);
    assert_near(interval.high, 7, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(anderson_table_is_that_of_exponential_samples),
        cmocka_unit_test(anderson_points_agree_with_the_printed_ones),
        cmocka_unit_test(anderson_statistic_of_three_values_is_what_one_computes_by_hand),
        cmocka_unit_test(whole_numbers_of_any_mean_raise_five_percent_false_alarms),
        cmocka_unit_test(other_laws_are_found),
        cmocka_unit_test(small_deviations_are_significant_but_near),
        cmocka_unit_test(fit_says_when_it_does_not_apply),
        cmocka_unit_test(deviation_is_the_largest_gap_between_the_functions),
        cmocka_unit_test(bootstrap_covers_about_95_percent),
        cmocka_unit_test(bootstrap_depends_on_the_seed_alone),
        cmocka_unit_test(means_that_are_equal_to_that_of_all_count_half_in_the_bootstrap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
