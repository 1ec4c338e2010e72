// SPDX-License-Identifier: GPL-3.0-or-later
// Selection of parents: counts and probabilities as the definitions say. Seeds are fixed. Chi-square tests
// refuse at 1e-7, of which there are fewer than ten: a right program and a new seed would fail with a chance
// below 1e-6.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "base/random.h"
#include "effort.h"
#include "optimise/selection.h"

enum { MAX = 60 };

static void assert_frequencies(const uint64_t *count, const double *probability, int kinds, uint64_t draws) {
    double sum = 0;
    int used = 0;
    for (int i = 0; i < kinds; i++) {
        double expected = probability[i] * (double)draws;
        if (expected == 0) {
            assert_int_equal(count[i], 0);
            continue;
        }
        sum += pow((double)count[i] - expected, 2) / expected;
        used++;
    }
    if (gsl_cdf_chisq_Q(sum, used - 1) < 1e-7)
        fail_msg("chi-square %g with %d degrees of freedom", sum, used - 1);
}

static void universal_sampling_gives_everybody_floor_or_ceil_of_the_expected_count(void **state) {
    (void)state;
    Random random = random_stream(71, 0, RANDOM_TEST);
    for (uint64_t round = 0; round < test_effort(3000); round++) {
        int count = 1 + (int)random_below(&random, MAX), draws = 1 + (int)random_below(&random, 2 * MAX);
        double weight[MAX], sum = 0;
        int chosen[2 * MAX], times[MAX] = {0};
        for (int i = 0; i < count; i++) {
            weight[i] = random_below(&random, 4) ? exp(8 * random_unit(&random)) : 0;
            sum += weight[i];
        }
        select_universal(weight, count, chosen, draws, &random);
        for (int i = 0; i < draws; i++) {
            assert_in_range(chosen[i], 0, count - 1);
            times[chosen[i]]++;
        }
        for (int i = 0; i < count; i++) {
            double expected = sum > 0 ? draws * weight[i] / sum : (double)draws / count;
            assert_true(times[i] >= floor(expected - 1e-9) && times[i] <= ceil(expected + 1e-9));
            assert_true(times[i] == 0 || sum == 0 || weight[i] > 0);
        }
    }
}

// One draw: the probabilities themselves.
static void universal_sampling_is_proportional(void **state) {
    (void)state;
    Random random = random_stream(72, 0, RANDOM_TEST);
    static const double weight[] = {3, 0, 1, 4, 2}, probability[] = {0.3, 0, 0.1, 0.4, 0.2};
    static const double zeros[5] = {0}, fifth[] = {0.2, 0.2, 0.2, 0.2, 0.2};
    uint64_t draws = test_effort(100000), count[5] = {0}, first[5] = {0}, alike[5] = {0};
    for (uint64_t i = 0; i < draws; i++) {
        int chosen[10];
        select_universal(weight, 5, chosen, 1, &random);
        count[chosen[0]]++;
        select_universal(weight, 5, chosen, 10, &random); // the order is random
        first[chosen[0]]++;
        select_universal(zeros, 5, chosen, 1, &random);
        alike[chosen[0]]++;
    }
    assert_frequencies(count, probability, 5, draws);
    assert_frequencies(first, probability, 5, draws);
    assert_frequencies(alike, fifth, 5, draws);
}

static void negative_scores_are_shifted(void **state) {
    (void)state;
    double weight[3];
    select_shift((const double[]){2, 0, 7}, 3, weight);
    assert_memory_equal(weight, ((const double[]){2, 0, 7}), sizeof weight);
    select_shift((const double[]){2, -3, 7}, 3, weight);
    assert_memory_equal(weight, ((const double[]){5, 0, 10}), sizeof weight);
}

// Scores 1 ... 5: mean 3, deviation sqrt(2). An outlier far below: 1 - 9 / (2 * 3) = -0.5 becomes 0.1.
static void sigma_scaling_is_equation_3_1(void **state) {
    (void)state;
    double weight[10];
    select_sigma((const double[]){1, 2, 3, 4, 5}, 5, weight);
    for (int i = 0; i < 5; i++)
        assert_true(fabs(weight[i] - (1 + (i - 2) / (2 * sqrt(2)))) < 1e-12);
    double score[10] = {-10};
    select_sigma(score, 10, weight); // mean -1, deviation 3
    assert_true(weight[0] == 0.1);
    assert_true(fabs(weight[1] - (1 + 1 / 6.0)) < 1e-12);
    select_sigma((const double[]){7, 7}, 2, weight);
    assert_true(weight[0] == 1 && weight[1] == 1);
}

static double choose(int n, int k) {
    double product = 1;
    for (int i = 0; i < k; i++)
        product *= (double)(n - i) / (i + 1);
    return n < k ? 0 : product;
}

// Rank k of N wins if the others of its group are worse: C(N-1-k, t-1) / C(N, t); else anybody of the group,
// that is anybody at all.
static void tournaments_are_won_with_the_right_probabilities(void **state) {
    (void)state;
    static const struct {
        int size;
        double random_rate;
    } rows[] = {{1, 0}, {3, 0.1}, {5, 0}, {8, 0.5}};
    enum { N = 8 };
    static const int order[N] = {5, 2, 7, 0, 1, 6, 3, 4};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        Random random = random_stream(73, row, RANDOM_TEST);
        uint64_t draws = test_effort(200000), count[N] = {0};
        int deck[N] = {0, 1, 2, 3, 4, 5, 6, 7};
        double probability[N];
        for (int k = 0; k < N; k++)
            probability[order[k]] = (1 - rows[row].random_rate) * choose(N - 1 - k, rows[row].size - 1) /
                                        choose(N, rows[row].size) +
                                    rows[row].random_rate / N;
        for (uint64_t i = 0; i < draws; i++)
            count[select_tournament(order, N, rows[row].size, rows[row].random_rate, deck, &random)]++;
        assert_frequencies(count, probability, N, draws);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(universal_sampling_gives_everybody_floor_or_ceil_of_the_expected_count),
        cmocka_unit_test(universal_sampling_is_proportional),
        cmocka_unit_test(negative_scores_are_shifted),
        cmocka_unit_test(sigma_scaling_is_equation_3_1),
        cmocka_unit_test(tournaments_are_won_with_the_right_probabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
