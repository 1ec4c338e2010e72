// SPDX-License-Identifier: GPL-3.0-or-later
// The statistical tests have fixed seeds, so they always give the same result; the false-alarm rates say how
// likely a good generator would have failed with a seed picked blindly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "base/random.h"

enum { SEED = 1 };

static void the_generator_is_xoshiro256starstar(void **state) {
    (void)state;
    Random random = {{1, 2, 3, 4}}; // the first outputs from this state, as published for the generator
    static const uint64_t expected[] = {11520, 0, 1509978240, 1215971899390074240};
    for (int i = 0; i < 4; i++)
        assert_true(random_next(&random) == expected[i]);
}

// <- the chance of a deviation at least as large from equal counts
static double chi_square(const uint64_t *count, int cells, uint64_t draws) {
    double expected = (double)draws / cells, sum = 0;
    for (int i = 0; i < cells; i++)
        sum += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
    return gsl_cdf_chisq_Q(sum, cells - 1);
}

// Twelve values of n; false alarms: 12 * 2e-5, both tails (too even is wrong as well).
static void random_below_is_uniform(void **state) {
    (void)state;
    print_message("seed %d\n", SEED);
    for (int n = 2; n <= 13; n++) {
        Random random = random_stream(SEED, (uint64_t)n, RANDOM_TEST);
        uint64_t count[16] = {0};
        for (int i = 0; i < 200000; i++) {
            uint32_t draw = random_below(&random, (uint32_t)n);
            assert_true(draw < (uint32_t)n);
            count[draw]++;
        }
        double chance = chi_square(count, n, 200000);
        assert_true(chance > 1e-5 && chance < 1 - 1e-5);
    }
}

// Pairs of neighbours in 7 x 7 cells; false alarms: 2e-5.
static void successive_pieces_are_independent(void **state) {
    (void)state;
    Random random = random_stream(SEED, 99, RANDOM_PIECES);
    uint64_t count[49] = {0};
    for (int i = 0; i < 200000; i++) {
        uint32_t first = random_below(&random, 7);
        count[first * 7 + random_below(&random, 7)]++;
    }
    double chance = chi_square(count, 49, 200000);
    assert_true(chance > 1e-5 && chance < 1 - 1e-5);
}

// The first draw of many neighbouring games: that is where a weak seeding shows. False alarms: 4 * 2e-5.
static void first_pieces_of_neighbouring_games_and_seeds_are_uniform(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        uint64_t count[49] = {0};
        for (uint64_t i = 0; i < 100000; i++) {
            Random random = way == 0   ? random_stream(SEED, i, RANDOM_PIECES)
                            : way == 1 ? random_stream(i, 0, RANDOM_PIECES)
                            : way == 2 ? random_stream(i << 32, 5, RANDOM_PIECES)
                                       : random_stream(i, i, RANDOM_TIES);
            uint32_t first = random_below(&random, 7);
            count[first * 7 + random_below(&random, 7)]++;
        }
        double chance = chi_square(count, 49, 100000);
        assert_true(chance > 1e-5 && chance < 1 - 1e-5);
    }
}

static int compare_words(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// 30 x 30 x 4 streams of 4 numbers: a repeated 64-bit number would be a shared stream. False alarms: 1e-11.
static void streams_of_neighbouring_seeds_games_and_purposes_share_no_number(void **state) {
    (void)state;
    enum { SIDE = 30, PURPOSES = 4, DRAWS = 4, ALL = SIDE * SIDE * PURPOSES * DRAWS };
    uint64_t *words = malloc(ALL * sizeof *words);
    assert_non_null(words);
    int n = 0;
    for (uint64_t seed = 0; seed < SIDE; seed++)
        for (uint64_t game = 0; game < SIDE; game++)
            for (int purpose = RANDOM_PIECES; purpose < RANDOM_PIECES + PURPOSES; purpose++) {
                Random random = random_stream(seed, game, (RandomPurpose)purpose);
                for (int i = 0; i < DRAWS; i++)
                    words[n++] = random_next(&random);
            }
    assert_int_equal(n, ALL);
    qsort(words, ALL, sizeof *words, compare_words);
    for (int i = 1; i < ALL; i++)
        assert_true(words[i] != words[i - 1]);
    free(words);
}

static void a_stream_can_be_had_again(void **state) {
    (void)state;
    Random one = random_stream(5, 6, RANDOM_PIECES), two = random_stream(5, 6, RANDOM_PIECES);
    for (int i = 0; i < 100; i++)
        assert_true(random_next(&one) == random_next(&two));
}

// Mean 1/2 with standard error 1/sqrt(12 n); five of those: false alarms 6e-7.
static void random_unit_lies_in_the_unit_interval_with_mean_one_half(void **state) {
    (void)state;
    enum { N = 1000000 };
    Random random = random_stream(SEED, 7, RANDOM_TEST);
    double sum = 0;
    for (int i = 0; i < N; i++) {
        double x = random_unit(&random);
        assert_true(x >= 0 && x < 1);
        sum += x;
    }
    assert_true(sum / N > 0.5 - 5 * 2.887e-4 && sum / N < 0.5 + 5 * 2.887e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_generator_is_xoshiro256starstar),
        cmocka_unit_test(random_below_is_uniform),
        cmocka_unit_test(successive_pieces_are_independent),
        cmocka_unit_test(first_pieces_of_neighbouring_games_and_seeds_are_uniform),
        cmocka_unit_test(streams_of_neighbouring_seeds_games_and_purposes_share_no_number),
        cmocka_unit_test(a_stream_can_be_had_again),
        cmocka_unit_test(random_unit_lies_in_the_unit_interval_with_mean_one_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
