// SPDX-License-Identifier: GPL-3.0-or-later
// Importance of boards: its terms against the reference features, its fit on made-up losses.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "effort.h"
#include "feature/reference.h"
#include "measure/importance.h"
#include "random_boards.h"

static void terms_are_the_reference_features(void **state) {
    (void)state;
    static const FeatureId feature[] = {FEATURE_MAX_HEIGHT, FEATURE_MEAN_HEIGHT, FEATURE_ROWS_WITH_HOLES,
                                        FEATURE_WELLS, FEATURE_ROW_TRANSITIONS};
    Random random = random_stream(1, 0, RANDOM_TEST);
    for (uint64_t n = test_effort(2000); n; n--) {
        int width = random_between(&random, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH);
        int height = random_between(&random, BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT);
        Board board;
        random_board(&board, &random, width, height);
        Situation situation = {width, height, &board, &board, NULL, {0}};
        double term[IMPORTANCE_TERMS];
        int top = importance_terms(board.column, width, height, term);
        assert_true(term[0] == 1 && term[1] == top);
        for (int k = 0; k < 5; k++) {
            double expected = feature_reference(feature[k], &situation, 0);
            if (feature[k] == FEATURE_ROW_TRANSITIONS)
                expected -= 2 * (height - top); // empty rows above the pile
            if (fabs(term[k + 1] - expected) > 1e-12)
                fail_msg("term %d of a board %dx%d: %g instead of %g", k + 1, width, height, term[k + 1],
                         expected);
        }
        assert_true(fabs(term[6] - term[1] * term[1] / height) < 1e-12);
        assert_true(fabs(term[7] - term[2] * term[2] / height) < 1e-12);
    }
}

static void chances_are_powers_of_the_sixteenth_root_of_two(void **state) {
    (void)state;
    for (int level = -500; level <= 500; level += 7) {
        assert_true(fabs(importance_chance(level) / pow(2, level / 16.0) - 1) < 1e-14);
        assert_int_equal(importance_level((level + 0.5) * log(2) / 16), level);
    }
    assert_true(importance_chance(importance_level(1e9)) < INFINITY);
    assert_true(importance_chance(importance_level(-1e9)) > 0);
}

// Boards with random terms, of which each leads to as many losses as the true weights say. -> seed 3
static void make_samples(ImportanceSamples *samples, const Importance *truth, int count) {
    Random random = random_stream(3, 0, RANDOM_TEST);
    for (int i = 0; i < count; i++) {
        double term[IMPORTANCE_TERMS] = {1};
        for (int k = 1; k < IMPORTANCE_TERMS; k++)
            term[k] = 4 * random_unit(&random);
        int level = importance_level(importance_sum(&importance_usual, term));
        double weight = 0.01 / importance_chance(level);
        int32_t number = importance_sample(samples, term, level, weight, i % 3 ? i - 1 : -1);
        assert_int_equal(number, i);
        // A later sample of the same run would add its losses to this one: each here has its own.
        samples->sample[i].lost = weight * exp(importance_sum(truth, term));
    }
    samples->independent = 1e6; // the ridge is nothing beside it
}

static void the_fit_finds_the_weights_that_made_the_losses(void **state) {
    (void)state;
    Importance truth = {{-17, 0.3, 0.5, 0.2, 0.4, -0.1, 0.1, -0.3}}, found = importance_usual;
    ImportanceSamples samples = {0};
    make_samples(&samples, &truth, 500);
    importance_fit(&found, &importance_usual, &samples);
    for (int k = 0; k < IMPORTANCE_TERMS; k++)
        if (fabs(found.weight[k] - truth.weight[k]) > 1e-3)
            fail_msg("weight %d is %g instead of %g", k, found.weight[k], truth.weight[k]);
    samples.independent = 1e-6; // and now it is everything, but for the constant
    importance_fit(&found, &importance_usual, &samples);
    for (int k = 1; k < IMPORTANCE_TERMS; k++)
        assert_true(fabs(found.weight[k] - importance_usual.weight[k]) < 1e-3);
    importance_free(&samples);
}

static void without_losses_nothing_is_fitted(void **state) {
    (void)state;
    Importance found = importance_usual;
    ImportanceSamples samples = {0};
    importance_fit(&found, &importance_usual, &samples);
    make_samples(&samples, &importance_usual, 50);
    for (int i = 0; i < 50; i++)
        samples.sample[i].lost = 0;
    importance_fit(&found, &importance_usual, &samples);
    assert_memory_equal(&found, &importance_usual, sizeof found);
    importance_free(&samples);
}

static void a_loss_counts_for_all_samples_before_it(void **state) {
    (void)state;
    double term[IMPORTANCE_TERMS] = {1};
    ImportanceSamples samples = {0};
    int32_t first = importance_sample(&samples, term, -50, 1, -1);
    int32_t second = importance_sample(&samples, term, -40, 0.5, first);
    int32_t other = importance_sample(&samples, term, -40, 0.5, first);
    importance_lost(&samples, second, 0.25);
    importance_lost(&samples, other, 0.125);
    importance_lost(&samples, -1, 1);
    assert_true(samples.sample[first].lost == 0.375 && samples.sample[second].lost == 0.25);
    importance_clear(&samples);
    assert_int_equal(samples.count, 0);
    importance_free(&samples);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_the_reference_features),
        cmocka_unit_test(chances_are_powers_of_the_sixteenth_root_of_two),
        cmocka_unit_test(the_fit_finds_the_weights_that_made_the_losses),
        cmocka_unit_test(without_losses_nothing_is_fitted),
        cmocka_unit_test(a_loss_counts_for_all_samples_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
