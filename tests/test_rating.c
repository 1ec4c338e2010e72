// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings: weights become integers without loss where that is possible, sums do not depend on their
// order, tables hold the powers, and what cannot be rated is refused with a sentence.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "feature/rating.h"

static RatingWeights linear(void) {
    RatingWeights text = {.kind = RATING_LINEAR};
    for (int id = 0; id < FEATURES; id++)
        text.exponent[id] = 1;
    return text;
}

static void give(RatingWeights *text, FeatureId id, double weight) {
    text->weight[feature_first[id] + text->given[id]++] = weight;
}

static const FeatureId du[] = {FEATURE_LANDING_HEIGHT,     FEATURE_ERODED_CELLS,   FEATURE_ROW_TRANSITIONS,
                               FEATURE_COLUMN_TRANSITIONS, FEATURE_HOLES,          FEATURE_CUMULATIVE_WELLS,
                               FEATURE_HOLE_DEPTH,         FEATURE_ROWS_WITH_HOLES};

static RatingWeights du_player(const double *weights, int count) {
    RatingWeights text = linear();
    for (int i = 0; i < count; i++)
        give(&text, du[i], weights[i]);
    return text;
}

static const double dellacherie[6] = {-1, 1, -1, -1, -4, -1};
static const double bcts[8] = {-12.629,   6.601974,  -9.215815, -19.77356,
                               -13.08335, -10.48747, -1.611863, -24.04087};

// Exact weights are doubled as often as they fit; this undoes it.
static void halve(Rating *rating) {
    for (;;) {
        bool even = fmod(rating->scale, 2) == 0;
        for (int i = 0; i < rating->terms; i++)
            even = even && rating->term[i].weight % 2 == 0;
        if (!even)
            return;
        rating->scale /= 2;
        for (int i = 0; i < rating->terms; i++)
            rating->term[i].weight /= 2;
    }
}

static Rating made(const RatingWeights *text, int width, int height) {
    Rating rating;
    Error error = {""};
    if (!rating_make(&rating, text, width, height, &error))
        fail_msg("%s", error.text);
    return rating;
}

// Every integer, taken back to the user's units, is the number that was given: no tolerance.
static void assert_exact(const Rating *rating, const RatingWeights *text) {
    for (int i = 0; i < rating->terms; i++) {
        const RatingTerm *term = &rating->term[i];
        double back =
            (double)((int64_t)term->weight * feature_steps(term->feature, rating->width)) / rating->scale;
        assert_true(back == text->weight[feature_first[term->feature] + term->index]);
        assert_in_range(labs((long)term->weight), 0, (1 << 30) - 1);
    }
}

// ---- linear --------------------------------------------------------------------------------------------

static void dellacherie_needs_only_the_halves_of_the_landing_height(void **state) {
    (void)state;
    RatingWeights text = du_player(dellacherie, 6);
    Rating rating = made(&text, 10, 20);
    halve(&rating);
    assert_true(rating.scale == 2);
    assert_int_equal(rating.terms, 6);
    for (int i = 0; i < rating.terms; i++) {
        int expected = rating.term[i].feature == FEATURE_LANDING_HEIGHT ? -1
                       : rating.term[i].feature == FEATURE_ERODED_CELLS ? 2
                       : rating.term[i].feature == FEATURE_HOLES        ? -8
                                                                        : -2;
        assert_int_equal(rating.term[i].weight, expected);
    }
    rating_free(&rating);
}

static void exact_weights_are_doubled_as_often_as_they_fit(void **state) {
    (void)state;
    RatingWeights text = du_player(dellacherie, 6);
    Rating rating = made(&text, 10, 20);
    int32_t most = 0;
    for (int i = 0; i < rating.terms; i++)
        most = abs(rating.term[i].weight) > most ? abs(rating.term[i].weight) : most;
    assert_in_range(most, (RATING_ROUNDED_WEIGHT + 1) / 2, RATING_ROUNDED_WEIGHT);
    assert_exact(&rating, &text);
    rating_free(&rating);
}

static void bcts_is_exact_with_a_scale_of_a_million(void **state) {
    (void)state;
    RatingWeights text = du_player(bcts, 8);
    Rating rating = made(&text, 10, 20);
    halve(&rating);
    assert_true(rating.scale == 1e6);
    assert_exact(&rating, &text);
    assert_int_equal(rating.term[0].feature, FEATURE_HOLES); // terms are in the order of features.def
    assert_int_equal(rating.term[0].weight, -13083350);
    assert_int_equal(rating.term[1].feature, FEATURE_LANDING_HEIGHT);
    assert_int_equal(rating.term[1].weight, -12629000 / 2);
    rating_free(&rating);
}

static void bdu_with_its_28_weights_is_exact(void **state) {
    (void)state;
    static const double first[8] = {-43.27153, -1.036039, -36.93346, -81.00232,
                                    -40.64,    -41.17906, -13.27585, -75.47524};
    static const double heights[10] = {-13.18725, -7.652075, 7.622007,   -9.044294, -1.747279,
                                       -7.569865, -5.221819, -0.6874555, -6.4831,   -16.01383};
    static const double differences[9] = {2.356909, 2.143912,  -7.351929, 1.558139, 0.433698,
                                          3.655922, -4.673708, -1.997187, 9.122675};
    RatingWeights text = du_player(first, 8);
    give(&text, FEATURE_MAX_HEIGHT, 12.36382);
    for (int x = 0; x < 10; x++)
        give(&text, FEATURE_COLUMN_HEIGHTS, heights[x]);
    for (int x = 0; x < 9; x++)
        give(&text, FEATURE_COLUMN_DIFFERENCES, differences[x]);
    Rating rating = made(&text, 10, 20);
    assert_int_equal(rating.terms, 28);
    assert_exact(&rating, &text);
    rating_free(&rating);
}

static void means_are_counted_in_steps_of_the_width(void **state) {
    (void)state;
    RatingWeights text = linear();
    give(&text, FEATURE_MEAN_HEIGHT, 0.3);
    give(&text, FEATURE_HOLES, -1);
    Rating rating = made(&text, 7, 20);
    assert_exact(&rating, &text);
    halve(&rating);
    assert_true(rating.scale == 70);
    assert_int_equal(rating.term[0].weight, -70);
    assert_int_equal(rating.term[1].weight, 3);
    rating_free(&rating);
}

static void the_mean_hole_depth_is_counted_in_steps_of_a_256th(void **state) {
    (void)state;
    RatingWeights text = linear();
    give(&text, FEATURE_MEAN_HOLE_DEPTH, -1);
    Rating rating = made(&text, 10, 20);
    halve(&rating);
    assert_true(rating.scale == 256);
    // Filled cells with an empty one below: 3 + 2 + 1; with one directly below: 1 + 2 + 1.
    Board board = {.column = {0xe, 0xa, 4}};
    Situation situation = {.width = 10, .height = 20, .before = &board, .after = &board};
    assert_int_equal(rating_reference(&rating, &situation, ~(uint64_t)0), -384);
    // 3 + 3 + 2 and 1 + 1 + 1: 8/3 = 682.67/256, which is rounded down.
    board.column[1] = 0xe;
    board.column[2] = 0xc;
    assert_int_equal(rating_reference(&rating, &situation, ~(uint64_t)0), -682);
    rating_free(&rating);
}

static void weights_with_too_many_digits_are_rounded_to_the_29th_bit_of_the_largest(void **state) {
    (void)state;
    RatingWeights text = linear();
    give(&text, FEATURE_HOLES, 1.0 / 3);
    give(&text, FEATURE_WELLS, -2.0 / 3);
    Rating rating = made(&text, 10, 20);
    assert_true(rating.scale == 0x1p29);
    assert_int_equal(rating.term[0].weight, 178956971);
    assert_int_equal(rating.term[1].weight, -357913941);
    rating_free(&rating);
}

// Kernels add up several weights of a table in the place of one.
static void weights_beside_a_table_are_rounded_to_its_25_bits(void **state) {
    (void)state;
    RatingWeights text = linear();
    give(&text, FEATURE_HOLES, -2.0 / 3);
    text.given[FEATURE_STEP_SIZES] = feature_values(FEATURE_STEP_SIZES, 10);
    for (int i = 0; i < text.given[FEATURE_STEP_SIZES]; i++)
        text.weight[feature_first[FEATURE_STEP_SIZES] + i] = 1.0 / 3;
    Rating rating = made(&text, 10, 20);
    int32_t most = 0;
    for (int i = 0; i < rating.terms; i++)
        most = abs(rating.term[i].weight) > most ? abs(rating.term[i].weight) : most;
    assert_in_range(most, (RATING_TABLE_WEIGHT + 1) / 2, RATING_TABLE_WEIGHT);
    rating_free(&rating);
}

static void very_large_and_very_small_weights_keep_28_bits(void **state) {
    (void)state;
    static const double sizes[] = {1e-320, 1e-300, 1e-12, 3e9, 1e17, 1e300, 1.7e308};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        RatingWeights text = linear();
        give(&text, FEATURE_HOLES, -sizes[i]);
        give(&text, FEATURE_WELLS, sizes[i] / 2);
        Rating rating = made(&text, 10, 20);
        assert_true(isfinite(rating.scale) && rating.scale > 0);
        assert_true(rating.term[0].weight > -(1 << 29));
        if (sizes[i] > 1e-280) {
            assert_true(rating.term[0].weight <= -(1 << 28));
            assert_true(fabs(rating.term[0].weight / rating.scale / sizes[i] + 1) < 0x1p-28);
        }
        rating_free(&rating);
    }
}

static void weights_that_are_all_zero_are_a_rating(void **state) {
    (void)state;
    RatingWeights text = linear();
    give(&text, FEATURE_HOLES, 0);
    give(&text, FEATURE_LANDING_HEIGHT, -0.0);
    Rating rating = made(&text, 10, 20);
    assert_int_equal(rating.terms, 2);
    halve(&rating);
    assert_true(rating.scale == 1);
    assert_int_equal(rating.term[0].weight, 0);
    rating_free(&rating);
    text.kind = RATING_EXPONENTIAL;
    rating = made(&text, 10, 20);
    assert_int_equal(rating.term[1].table[7], 0);
    rating_free(&rating);
}

// ---- sums ----------------------------------------------------------------------------------------------

static RatingWeights every_feature(Random *random, int width) {
    RatingWeights text = linear();
    for (int id = 0; id < FEATURES; id++)
        for (int i = 0; i < feature_values((FeatureId)id, width); i++)
            give(&text, (FeatureId)id, random_unit(random) * 20 - 10);
    return text;
}

static Board random_board(Random *random, int width, int rows) {
    Board board = {{0}};
    for (int x = 0; x < width; x++)
        board.column[x] =
            (uint32_t)random_next(random) & ((1u << random_below(random, (uint32_t)rows + 1)) - 1);
    return board;
}

// The sum over one set of features after the other, in a random order, is the whole; and the whole is
// the weighted sum in the strategy's own units.
static void sums_do_not_depend_on_the_order_of_the_features(void **state) {
    (void)state;
    const uint64_t seed = 2;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint64_t round = 0; round < 500; round++) {
        Random random = random_stream(seed, round, RANDOM_TEST);
        int width = 4 + (int)random_below(&random, 11), height = 4 + (int)random_below(&random, 24);
        RatingWeights text = every_feature(&random, width);
        Rating rating = made(&text, width, height);
        assert_true(rating.features == feature_bit(FEATURES) - 1);
        Board before = random_board(&random, width, height), after = random_board(&random, width, height + 4);
        Situation situation = {width, height, &before, &after, &piece_shape[PIECE_T][1], {3, 2, 3, 0}};

        int order[FEATURES];
        for (int i = 0; i < FEATURES; i++) {
            int j = (int)random_below(&random, (uint32_t)i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        int64_t whole = rating_reference(&rating, &situation, ~(uint64_t)0), sum = 0;
        double expected = 0, rounding = 1e-9;
        for (int i = 0; i < FEATURES; i++) {
            FeatureId id = (FeatureId)order[i];
            sum += rating_reference(&rating, &situation, feature_bit(id));
            int count = feature_values(id, width), steps = feature_steps(id, width);
            for (int k = 0; k < count; k++) {
                double q = floor(feature_reference(id, &situation, k) * steps + 1e-6);
                expected += text.weight[feature_first[id] + k] * q / steps;
                rounding += fabs(q) / 2 / rating.scale; // a weight is off by half a unit at most
            }
        }
        assert_true(sum == whole);
        assert_true(fabs((double)whole / rating.scale - expected) <= rounding);
        rating_free(&rating);
    }
}

// ---- exponential and displaced -------------------------------------------------------------------------

static RatingWeights bohm(RatingKind kind) {
    RatingWeights text = linear();
    text.kind = kind;
    give(&text, FEATURE_MAX_HEIGHT, -3.5);
    text.exponent[FEATURE_MAX_HEIGHT] = 1.7;
    text.displacement[FEATURE_MAX_HEIGHT] = 4.25;
    give(&text, FEATURE_LANDING_HEIGHT, -0.8);
    text.exponent[FEATURE_LANDING_HEIGHT] = 0.5;
    text.displacement[FEATURE_LANDING_HEIGHT] = 2.5;
    give(&text, FEATURE_REMOVED_LINES, 2);
    text.exponent[FEATURE_REMOVED_LINES] = 2;
    return text;
}

static void assert_tables_hold_powers(const Rating *rating, const RatingWeights *text) {
    int64_t largest = 0;
    for (int i = 0; i < rating->terms; i++) {
        const RatingTerm *term = &rating->term[i];
        FeatureId id = term->feature;
        int bound = feature_bound(id, rating->width, rating->height),
            steps = feature_steps(id, rating->width);
        double away = rating->kind == RATING_DISPLACED ? text->displacement[id] : 0;
        int64_t most = 0;
        for (int q = 0; q <= bound; q++) {
            double power = pow(fabs((double)q / steps - away), text->exponent[id]);
            double expected = text->weight[feature_first[id] + term->index] * power * rating->scale;
            assert_true(fabs(term->table[q] - expected) <= 0.5 + 1e-6);
            if (llabs(term->table[q]) > most)
                most = llabs(term->table[q]);
        }
        largest += most;
    }
    assert_true(largest <= 1 << 30);
    assert_true(largest > (1 << 29) - 100);
}

static void tables_hold_the_powers_of_the_features(void **state) {
    (void)state;
    static const RatingKind kinds[] = {RATING_EXPONENTIAL, RATING_DISPLACED};
    for (int i = 0; i < 2; i++) {
        RatingWeights text = bohm(kinds[i]);
        Rating rating = made(&text, 6, 12);
        assert_int_equal(rating.terms, 3);
        assert_tables_hold_powers(&rating, &text);
        Board board = {.column = {0x3f, 1}};
        Situation situation = {6, 12, &board, &board, &piece_shape[PIECE_O][0], {4, 3, 4, 0}};
        double d = kinds[i] == RATING_DISPLACED;
        double expected = -3.5 * pow(6 - 4.25 * d, 1.7) - 0.8 * pow(4.5 - 2.5 * d, 0.5) + 2 * 9;
        double found = (double)rating_reference(&rating, &situation, ~(uint64_t)0) / rating.scale;
        assert_float_equal(found, expected, 1e-6);
        rating_free(&rating);
    }
}

static void every_column_height_has_its_own_table(void **state) {
    (void)state;
    RatingWeights text = linear();
    text.kind = RATING_EXPONENTIAL;
    text.exponent[FEATURE_COLUMN_HEIGHTS] = 2;
    for (int x = 0; x < 5; x++)
        give(&text, FEATURE_COLUMN_HEIGHTS, x + 1);
    Rating rating = made(&text, 5, 8);
    assert_int_equal(rating.terms, 5);
    assert_tables_hold_powers(&rating, &text);
    Board board = {.column = {1, 2, 4, 0, 8}};
    Situation situation = {.width = 5, .height = 8, .before = &board, .after = &board};
    double found = (double)rating_reference(&rating, &situation, ~(uint64_t)0) / rating.scale;
    assert_float_equal(found, 1 * 1 + 2 * 4 + 3 * 9 + 5 * 16, 1e-9);
    rating_free(&rating);
}

static void table_weights_of_any_size_are_scaled(void **state) {
    (void)state;
    static const double sizes[] = {1e-300, 1e-9, 1e9, 1e300};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        RatingWeights text = bohm(RATING_DISPLACED);
        for (int id = 0; id < FEATURES; id++)
            text.weight[feature_first[id]] *= sizes[i];
        Rating rating = made(&text, 14, 27);
        if (sizes[i] > 1e-280)
            assert_tables_hold_powers(&rating, &text);
        rating_free(&rating);
    }
}

// ---- errors --------------------------------------------------------------------------------------------

static void assert_refused(const RatingWeights *text, int width, int height, const char *sentence) {
    Rating rating;
    Error error = {""};
    assert_false(rating_make(&rating, text, width, height, &error));
    assert_string_equal(error.text, sentence);
    rating_free(&rating);
}

static void a_rating_without_features_is_refused(void **state) {
    (void)state;
    RatingWeights text = linear();
    assert_refused(&text, 10, 20, "the rating uses no feature; give at least one weight.");
}

static void the_wrong_number_of_weights_is_refused(void **state) {
    (void)state;
    RatingWeights text = linear();
    for (int x = 0; x < 10; x++)
        give(&text, FEATURE_COLUMN_HEIGHTS, x);
    assert_refused(&text, 8, 20, "column-heights has 10 weights but needs 8 on a board of 8 columns.");
    text = linear();
    give(&text, FEATURE_COLUMN_DIFFERENCES, 1);
    assert_refused(&text, 8, 20, "column-differences has 1 weight but needs 7 on a board of 8 columns.");
}

static void numbers_that_are_not_finite_are_refused(void **state) {
    (void)state;
    RatingWeights text = linear();
    give(&text, FEATURE_HOLES, INFINITY);
    assert_refused(&text, 10, 20, "weight 1 of holes is inf; weights must be finite numbers.");
    text = bohm(RATING_DISPLACED);
    text.displacement[FEATURE_MAX_HEIGHT] = NAN;
    assert_refused(&text, 10, 20, "the exponent and the displacement of max-height must be finite numbers.");
}

static void infinite_powers_are_refused(void **state) {
    (void)state;
    RatingWeights text = bohm(RATING_EXPONENTIAL);
    text.exponent[FEATURE_MAX_HEIGHT] = -1;
    assert_refused(
        &text, 10, 20,
        "the exponent -1 makes the rating infinite at max-height = 0; use one that is not negative.");
    text.exponent[FEATURE_MAX_HEIGHT] = 1e6;
    assert_refused(&text, 10, 20,
                   "the exponent 1e+06 makes the rating infinite at max-height = 2; use a smaller one.");
    // Displaced to where no height can be, a negative exponent does no harm.
    text = bohm(RATING_DISPLACED);
    text.exponent[FEATURE_MAX_HEIGHT] = -1;
    Rating rating = made(&text, 10, 20);
    rating_free(&rating);
    text.displacement[FEATURE_MAX_HEIGHT] = 4;
    assert_refused(
        &text, 10, 20,
        "the exponent -1 makes the rating infinite at max-height = 4; use one that is not negative.");
    text = bohm(RATING_EXPONENTIAL);
    text.exponent[FEATURE_MAX_HEIGHT] = 0;
    text.exponent[FEATURE_LANDING_HEIGHT] = 0;
    text.weight[feature_first[FEATURE_MAX_HEIGHT]] = 1.5e308;
    text.weight[feature_first[FEATURE_LANDING_HEIGHT]] = 1.5e308;
    assert_refused(&text, 10, 20, "the weights are too large: their sum is infinite.");
}

static void changes_cannot_be_raised_to_powers(void **state) {
    (void)state;
    RatingWeights text = linear();
    give(&text, FEATURE_DELTA_HOLES, -1);
    Rating rating = made(&text, 10, 20);
    rating_free(&rating);
    text.kind = RATING_EXPONENTIAL;
    assert_refused(&text, 10, 20,
                   "delta-holes can be negative and hence not be raised to a power; use a linear rating.");
}

static void boards_out_of_range_are_refused(void **state) {
    (void)state;
    RatingWeights text = du_player(bcts, 8);
    assert_refused(&text, 15, 20, "a board of 15x20 is out of range; use 4x4 to 14x27.");
    assert_refused(&text, 10, 28, "a board of 10x28 is out of range; use 4x4 to 14x27.");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dellacherie_needs_only_the_halves_of_the_landing_height),
        cmocka_unit_test(exact_weights_are_doubled_as_often_as_they_fit),
        cmocka_unit_test(bcts_is_exact_with_a_scale_of_a_million),
        cmocka_unit_test(bdu_with_its_28_weights_is_exact),
        cmocka_unit_test(means_are_counted_in_steps_of_the_width),
        cmocka_unit_test(the_mean_hole_depth_is_counted_in_steps_of_a_256th),
        cmocka_unit_test(weights_with_too_many_digits_are_rounded_to_the_29th_bit_of_the_largest),
        cmocka_unit_test(weights_beside_a_table_are_rounded_to_its_25_bits),
        cmocka_unit_test(very_large_and_very_small_weights_keep_28_bits),
        cmocka_unit_test(weights_that_are_all_zero_are_a_rating),
        cmocka_unit_test(sums_do_not_depend_on_the_order_of_the_features),
        cmocka_unit_test(tables_hold_the_powers_of_the_features),
        cmocka_unit_test(every_column_height_has_its_own_table),
        cmocka_unit_test(table_weights_of_any_size_are_scaled),
        cmocka_unit_test(a_rating_without_features_is_refused),
        cmocka_unit_test(the_wrong_number_of_weights_is_refused),
        cmocka_unit_test(numbers_that_are_not_finite_are_refused),
        cmocka_unit_test(infinite_powers_are_refused),
        cmocka_unit_test(changes_cannot_be_raised_to_powers),
        cmocka_unit_test(boards_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
