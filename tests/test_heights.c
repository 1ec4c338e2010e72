// SPDX-License-Identifier: GPL-3.0-or-later
// Fahey's regression: a straight tail gives its own continuation, the range of the fit, and one result for
// any number of threads.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "measure/heights.h"
#include "measure/results_json.h"

static void assert_near(double value, double expected, double tolerance) {
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%.10g is not within %g of %.10g", value, tolerance, expected);
}

// Most of the time 3 rows high, from there on e^-slope times as often for each row more.
static Heights geometric_counts(double slope, int highest) {
    Heights heights = {0};
    heights.at_height[2] = 300000000;
    for (int h = 3; h <= highest; h++)
        heights.at_height[h] = (uint64_t)llround(1e9 * exp(-slope * (h - 3)));
    return heights;
}

static void json_says_how_many_moves_end_above_each_height(void **state) {
    (void)state;
    Heights heights = {.at_height = {[1] = 5, [4] = 4, [HEIGHTS_SIZE - 1] = 1}};
    json_t *object = json_object();
    heights_json(object, &heights);
    const json_t *higher = json_object_get(object, "higher");
    assert_int_equal(json_array_size(higher), HEIGHTS_SIZE);
    static const double expected[] = {1, 0.5, 0.5, 0.5, 0.1};
    for (size_t h = 0; h < 5; h++)
        assert_true(json_real_value(json_array_get(higher, h)) == expected[h]);
    assert_true(json_real_value(json_array_get(higher, HEIGHTS_SIZE - 1)) == 0);
    json_decref(object);
}

static void straight_tail_is_continued_exactly(void **state) {
    (void)state;
    Heights heights = geometric_counts(0.9, 12);
    double all = 0;
    for (int h = 0; h < HEIGHTS_SIZE; h++)
        all += (double)heights.at_height[h];
    heights_fit(&heights, 10, 21);
    assert_true(heights.fitted);
    assert_near(heights.slope, -0.9, 1e-5);
    double frequency = 1e9 / all * exp(-0.9 * 18);
    assert_near(heights.mean_lines * 10 * frequency / 4, 1, 1e-3);
    assert_true(heights.interval.low <= heights.mean_lines && heights.mean_lines <= heights.interval.high);
    assert_near(heights.interval.high / heights.interval.low, 1, 1e-2);
}

static void fit_takes_the_tail_as_far_as_counts_are_enough(void **state) {
    (void)state;
    Heights heights = geometric_counts(1.0, 20); // a fifth or less from height 5 on
    for (int h = 14; h <= 20; h++)
        heights.at_height[h] = HEIGHTS_LEAST_COUNT - 1;
    heights.at_height[16] = 1000; // behind a height with too few: not taken
    heights_fit(&heights, 10, 21);
    assert_int_equal(heights.low, 5);
    assert_int_equal(heights.high, 13);
    heights_fit(&heights, 10, 12); // the row below the top is left out, too
    assert_int_equal(heights.high, 10);
}

static void a_short_run_tells_how_many_pieces_a_line_takes(void **state) {
    (void)state;
    // A fifth or less from height 4 on, so that heights 4, 5 and 6 are needed.
    Heights seen = {.at_height = {[3] = 90000, [4] = 9000, [5] = 900, [6] = 90}};
    assert_int_equal(heights_needed(&seen, 21), 30 * 99990 / 90);
    Heights guessed = {.at_height = {[3] = 90000, [4] = 9000, [5] = 300, [6] = 2}}; // as if 300 * 300 / 9000
    assert_int_equal(heights_needed(&guessed, 21), 30 * 99302 / 10);
    assert_true(heights_needed(&seen, 8) < UINT64_MAX); // height 7 ends no game, and is left out
    assert_true(heights_needed(&seen, 7) == UINT64_MAX);
    Heights flat = {.at_height = {[3] = 100000}};
    assert_true(heights_needed(&flat, 21) == UINT64_MAX);
}

static Heights counts_from(int first, const uint64_t *count, int heights_counted) {
    Heights heights = {0};
    for (int k = 0; k < heights_counted; k++)
        heights.at_height[first + k] = count[k];
    return heights;
}

static void the_tail_is_a_fifth_of_the_moves_at_most(void **state) {
    (void)state;
    Heights heights = counts_from(3, (uint64_t[]){600, 200, 100, 60, 40}, 5); // 200 of 1,000 from 5 on
    heights_fit(&heights, 10, 21);
    assert_true(heights.low == 5 && heights.high == 7 && heights.fitted);
    heights = counts_from(3, (uint64_t[]){600, 200, 101, 60, 40}, 5);
    heights_fit(&heights, 10, 21);
    assert_true(heights.low == 6 && heights.high == 7 && !heights.fitted); // two heights do not suffice
    heights = counts_from(3, (uint64_t[]){600, 200, 100, 60, 30}, 5);
    heights_fit(&heights, 10, 21);
    assert_int_equal(heights.high, 7);
    heights.at_height[7] = 29; // too few moves
    heights_fit(&heights, 10, 21);
    assert_int_equal(heights.high, 6);
}

// Three logarithms that leave the line by e, -2e, e, with 6e = log(1200 160/400^2): extrapolated three rows
// beyond their middle, the standard deviation is e sqrt(6 (1/3 + 9/2)) = e sqrt(29), times Student's point of
// one degree of freedom.
static void the_interval_of_three_heights_is_what_one_computes_by_hand(void **state) {
    (void)state;
    Heights heights = counts_from(4, (uint64_t[]){10000, 1200, 400, 160}, 4);
    heights_fit(&heights, 10, 9);
    double half = 12.706205 * log(1.2) / 6 * sqrt(29), slope = log(160 / 1200.0) / 2;
    assert_true(heights.fitted && heights.low == 5 && heights.high == 7);
    assert_near(heights.slope, slope, 1e-12);
    double frequency = cbrt(1200.0 * 400 * 160) / 11760 * exp(3 * slope);
    assert_near(heights.mean_lines, 4 / (10 * frequency), 1e-9);
    assert_near(log(heights.interval.high / heights.mean_lines), half, 1e-5);
    assert_near(log(heights.mean_lines / heights.interval.low), half, 1e-5);
}

static void scattered_counts_make_the_interval_wider(void **state) {
    (void)state;
    Heights heights = geometric_counts(0.9, 12);
    for (int h = 5; h <= 12; h++)
        heights.at_height[h] = (uint64_t)((double)heights.at_height[h] * (h % 2 ? 1.2 : 0.8));
    heights_fit(&heights, 10, 21);
    assert_true(heights.interval.high / heights.interval.low > 1.5);
}

static void too_few_heights_are_not_fitted(void **state) {
    (void)state;
    Heights heights = {0};
    heights_fit(&heights, 10, 21);
    assert_false(heights.fitted);
    heights = geometric_counts(0.9, 5); // 3 is the most frequent one, 4 and 5 are left
    heights_fit(&heights, 10, 21);
    assert_false(heights.fitted);
    assert_true(isnan(heights.mean_lines) && isnan(heights.interval.low));
}

static Player *make_player(const char *name, Rules *rules, const char *board) {
    Error error = {""};
    Strategy strategy;
    rules_default(rules);
    assert_true(rules_set(rules, "board", board, &error));
    assert_true(strategy_find(&strategy, name, &error));
    Player *player = player_new(&strategy, rules, NULL, &error);
    assert_non_null(player);
    return player;
}

// The piles of the 64 runs after one counted move each: most are more than the one or two rows of a first
// move.
static void empty_boards_are_filled_before_heights_are_counted(void **state) {
    (void)state;
    Rules rules;
    Error error = {""};
    Player *player = make_player("bcts", &rules, "10x20");
    Heights heights;
    HeightsPlan plan = {.player = player, .seed = 1, .pieces = HEIGHTS_STREAMS, .work.jobs = 2};
    assert_true(heights_run(&heights, &plan, &error));
    uint64_t low = 0, all = 0;
    for (int h = 0; h < HEIGHTS_SIZE; h++) {
        all += heights.at_height[h];
        low += h <= 2 ? heights.at_height[h] : 0;
    }
    assert_int_equal(all, HEIGHTS_STREAMS);
    assert_true(low < HEIGHTS_STREAMS / 2);
    player_free(player);
    rules_free(&rules);
}

static void counts_are_the_same_on_any_number_of_threads(void **state) {
    (void)state;
    Rules rules;
    Error error = {""};
    Player *player = make_player("bcts", &rules, "10x10");
    HeightsPlan plan = {.player = player, .seed = 3, .pieces = 100003, .work.jobs = 1};
    Heights one, four, other;
    assert_true(heights_run(&one, &plan, &error));
    plan.work.jobs = 4;
    assert_true(heights_run(&four, &plan, &error));
    assert_memory_equal(one.at_height, four.at_height, sizeof one.at_height);
    assert_int_equal(one.pieces, 100003);
    assert_int_equal(one.lost, four.lost);
    assert_true(one.mean_lines == four.mean_lines);
    plan.seed = 4;
    assert_true(heights_run(&other, &plan, &error));
    assert_memory_not_equal(one.at_height, other.at_height, sizeof one.at_height);
    uint64_t counted = 0;
    for (int h = 0; h < HEIGHTS_SIZE; h++)
        counted += one.at_height[h];
    assert_int_equal(counted + one.lost, one.pieces);
    for (int h = 11; h < HEIGHTS_SIZE; h++)
        assert_int_equal(one.at_height[h], 0);
    player_free(player);
    rules_free(&rules);
}

// The bias is that of the method: a factor of ten below 4,100 lines, not of a thousand.
static void estimate_is_biased_but_of_some_use(void **state) {
    (void)state;
    Rules rules;
    Error error = {""};
    Player *player = make_player("bcts", &rules, "10x10");
    HeightsPlan plan = {.player = player, .seed = 1, .pieces = 500000, .work.jobs = 2};
    Heights heights;
    assert_true(heights_run(&heights, &plan, &error));
    print_message("heights: %.0f lines [%.0f, %.0f], fit %d..%d\n", heights.mean_lines, heights.interval.low,
                  heights.interval.high, heights.low, heights.high);
    assert_true(heights.fitted);
    assert_true(heights.mean_lines > 41 && heights.mean_lines < 4100);
    player_free(player);
    rules_free(&rules);
}

static void impossible_plans_are_refused(void **state) {
    (void)state;
    Rules rules;
    Error error = {""};
    Player *player = make_player("bcts", &rules, "10x10");
    Heights heights;
    assert_false(
        heights_run(&heights, &(HeightsPlan){.player = player, .pieces = 10, .work.jobs = 1}, &error));
    assert_non_null(strstr(error.text, "at least 64 pieces"));
    const uint8_t pieces[] = {0, 1, 2};
    piece_source_free(&rules.pieces);
    assert_true(piece_source_recorded(&rules.pieces, "three", pieces, 3, &error));
    assert_false(
        heights_run(&heights, &(HeightsPlan){.player = player, .pieces = 1000, .work.jobs = 1}, &error));
    assert_non_null(strstr(error.text, "recorded"));
    player_free(player);
    rules_free(&rules);
}

static void stopped_run_says_so(void **state) {
    (void)state;
    Rules rules;
    Error error = {""};
    Player *player = make_player("bcts", &rules, "10x10");
    volatile bool stop = true;
    Heights heights;
    HeightsPlan plan = {.player = player, .pieces = 1000000, .work.jobs = 2, .work.stop = &stop};
    assert_true(heights_run(&heights, &plan, &error));
    assert_true(heights.interrupted);
    assert_false(heights.fitted);
    player_free(player);
    rules_free(&rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_says_how_many_moves_end_above_each_height),
        cmocka_unit_test(straight_tail_is_continued_exactly),
        cmocka_unit_test(a_short_run_tells_how_many_pieces_a_line_takes),
        cmocka_unit_test(fit_takes_the_tail_as_far_as_counts_are_enough),
        cmocka_unit_test(the_tail_is_a_fifth_of_the_moves_at_most),
        cmocka_unit_test(the_interval_of_three_heights_is_what_one_computes_by_hand),
        cmocka_unit_test(empty_boards_are_filled_before_heights_are_counted),
        cmocka_unit_test(scattered_counts_make_the_interval_wider),
        cmocka_unit_test(too_few_heights_are_not_fitted),
        cmocka_unit_test(counts_are_the_same_on_any_number_of_threads),
        cmocka_unit_test(estimate_is_biased_but_of_some_use),
        cmocka_unit_test(impossible_plans_are_refused),
        cmocka_unit_test(stopped_run_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
