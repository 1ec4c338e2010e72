// SPDX-License-Identifier: GPL-3.0-or-later
// Rules: defaults, spellings, and when a move ends the game.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "game/rules.h"

static void the_default_is_the_simplified_10x20_game(void **state) {
    (void)state;
    Rules rules;
    Error error;
    rules_default(&rules);
    assert_int_equal(rules.width, 10);
    assert_int_equal(rules.height, 20);
    assert_int_equal(rules.overflow, OVERFLOW_LENIENT);
    assert_int_equal(rules.gameover, GAMEOVER_AVOID);
    assert_false(rules.original);
    assert_string_equal(rules.pieces.name, "uniform");
    assert_true(rules_check(&rules, &error));
    rules_free(&rules);
}

static void board_sizes_from_4x4_to_14x27_are_accepted(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "0x0",          "3x20",  "15x20",  "10x3",   "10x28",   "10",
        "10x",          "x20",   "",       "10X20",  "10x20 ",  " 10x20",
        "-5x20",        "1e1x9", "010x20", "10x020", "10x20x2", "99999999999999999999x20",
        "10x4294967316"};
    Rules rules;
    Error error;
    rules_default(&rules);
    assert_true(rules_set(&rules, "board", "4x4", &error));
    assert_true(rules_set(&rules, "board", "14x27", &error));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_false(rules_set(&rules, "board", wrong[i], &error));
        assert_non_null(strstr(error.text, "4 to 14"));
        assert_non_null(strstr(error.text, "4 to 27"));
    }
    assert_int_equal(rules.width, 14);
    assert_int_equal(rules.height, 27);
    rules_free(&rules);
}

static void names_are_set_and_wrong_ones_are_answered_with_the_list(void **state) {
    (void)state;
    Rules rules;
    Error error;
    rules_default(&rules);
    assert_true(rules_set(&rules, "overflow", "touch", &error));
    assert_int_equal(rules.overflow, OVERFLOW_TOUCH);
    assert_string_equal(rules_overflow_name(rules.overflow), "touch");
    assert_true(rules_set(&rules, "gameover", "evaluate", &error));
    assert_string_equal(rules_gameover_name(rules.gameover), "evaluate");
    assert_true(rules_set(&rules, "rules", "original", &error));
    assert_true(rules.original);
    assert_true(rules_set(&rules, "rules", "simplified", &error));
    assert_false(rules.original);
    assert_false(rules_set(&rules, "overflow", "loose", &error));
    assert_string_equal(error.text, "expected lenient, strict or touch, got 'loose'.");
    assert_false(rules_set(&rules, "gameover", "", &error));
    assert_string_equal(error.text, "expected avoid or evaluate, got ''.");
    assert_false(rules_set(&rules, "rules", "fahey", &error));
    assert_non_null(strstr(error.text, "expected simplified or original"));
    rules_free(&rules);
}

static void wrong_pieces_leave_the_rules_as_they_were(void **state) {
    (void)state;
    Rules rules;
    Error error;
    rules_default(&rules);
    assert_true(rules_set(&rules, "pieces", "hard", &error));
    assert_false(rules_set(&rules, "pieces", "S:-1", &error));
    assert_string_equal(rules.pieces.name, "hard");
    rules_free(&rules);
}

static void touch_and_the_original_game_exclude_each_other(void **state) {
    (void)state;
    Rules rules;
    Error error;
    rules_default(&rules);
    rules.original = true;
    assert_true(rules_check(&rules, &error));
    rules.overflow = OVERFLOW_STRICT;
    assert_true(rules_check(&rules, &error));
    rules.overflow = OVERFLOW_TOUCH;
    assert_false(rules_check(&rules, &error));
    assert_non_null(strstr(error.text, "touch"));
    rules.original = false;
    assert_true(rules_check(&rules, &error));
    rules.width = 15;
    assert_false(rules_check(&rules, &error));
    rules_free(&rules);
}

// One piece on a 4x6 board, for each overflow rule: does it end the game?
static void each_overflow_rule_ends_the_game_where_it_says(void **state) {
    (void)state;
    enum { L = 1 << OVERFLOW_LENIENT, S = 1 << OVERFLOW_STRICT, T = 1 << OVERFLOW_TOUCH };
    static const struct {
        uint32_t column[4];
        int piece, orientation, x, fatal_under;
    } cases[] = {
        {{0, 0, 0, 0}, PIECE_I, 1, 0, 0},         // rows 0-3
        {{1, 0, 0, 0}, PIECE_I, 1, 0, 0},         // rows 1-4: the last free one under touch
        {{3, 0, 0, 0}, PIECE_I, 1, 0, T},         // rows 2-5: the top row
        {{7, 0, 0, 0}, PIECE_I, 1, 0, L | S | T}, // rows 3-6: above the top
        {{7, 8, 8, 8}, PIECE_I, 1, 0, S | T},     // row 3 is cleared: comes down in time
        {{31, 0, 0, 0}, PIECE_I, 0, 0, T},        // flat in the top row, which it fills
        {{63, 0, 0, 0}, PIECE_I, 0, 0, S | T},    // flat above the top, full, hence cleared
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int overflow = 0; overflow < 3; overflow++) {
            Board board = {{0}};
            Rules rules = {.width = 4, .height = 6, .overflow = (Overflow)overflow};
            const Shape *shape = &piece_shape[cases[i].piece][cases[i].orientation];
            memcpy(board.column, cases[i].column, sizeof cases[i].column);
            Landing landing =
                board_place(&board, 4, shape, cases[i].x, board_drop_row(&board, shape, cases[i].x));
            if (rules_fatal(&rules, shape, &landing) != (cases[i].fatal_under >> overflow & 1))
                fail_msg("case %zu under %s", i, rules_overflow_name(rules.overflow));
            rules.original = true;
            assert_false(rules_fatal(&rules, shape, &landing));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_is_the_simplified_10x20_game),
        cmocka_unit_test(board_sizes_from_4x4_to_14x27_are_accepted),
        cmocka_unit_test(names_are_set_and_wrong_ones_are_answered_with_the_list),
        cmocka_unit_test(wrong_pieces_leave_the_rules_as_they_were),
        cmocka_unit_test(touch_and_the_original_game_exclude_each_other),
        cmocka_unit_test(each_overflow_rule_ends_the_game_where_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
