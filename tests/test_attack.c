// SPDX-License-Identifier: GPL-3.0-or-later
// Attack rows: where their empty cells are, and what pushing them in does to a board.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_cdf.h>

#include "effort.h"
#include "game/attack.h"
#include "random_boards.h"

enum { SEED = 51 };

static int choose(int n, int k) {
    return k == 0 ? 1 : choose(n - 1, k - 1) * n / k;
}

static void n_rows_removed_send_n_minus_1_rows_with_n_minus_1_empty_cells(void **state) {
    (void)state;
    Random random = random_stream(SEED, 0, RANDOM_TEST);
    for (int width = BOARD_MIN_WIDTH; width <= BOARD_MAX_WIDTH; width++)
        for (int lines = 0; lines <= 4; lines++)
            for (int i = 0; i < 50; i++) {
                Attack attack = attack_draw(lines, width, &random);
                assert_int_equal(attack.count, lines < 2 ? 0 : lines - 1);
                for (int r = 0; r < attack.count; r++) {
                    assert_int_equal(__builtin_popcount(attack.row[r]), width - (lines - 1));
                    assert_int_equal(attack.row[r] >> width, 0);
                }
                assert_int_equal(attack_cells(&attack), attack.count * (width - attack.count));
            }
}

// Chi-square of counts that should be equal, `cells` of them. False alarms: 1e-8.
static void assert_uniform(const uint32_t *count, int cells, uint64_t total, const char *what) {
    double expected = (double)total / cells, sum = 0;
    for (int i = 0; i < cells; i++)
        sum += (count[i] - expected) * (count[i] - expected) / expected;
    if (cells > 1 && sum > gsl_cdf_chisq_Qinv(1e-8, cells - 1))
        fail_msg("%s: chi-square %.1f with %d degrees (seed %d)", what, sum, cells - 1, SEED);
}

// The place of a mask among those of the same width with as many bits, in ascending order.
static int rank_of(uint16_t mask) {
    int rank = 0;
    for (int bit = 0, ones = 0; bit < 16; bit++)
        if (mask >> bit & 1) {
            ones++;
            rank += bit >= ones ? choose(bit, ones) : 0;
        }
    return rank;
}

static void every_set_of_empty_cells_is_as_likely_as_any_other(void **state) {
    (void)state;
    print_message("seed %d\n", SEED);
    for (int width = BOARD_MIN_WIDTH; width <= BOARD_MAX_WIDTH; width++)
        for (int lines = 2; lines <= 4; lines++) {
            static uint32_t count[1 << BOARD_MAX_WIDTH];
            int cells = choose(width, lines - 1);
            uint64_t attacks = test_effort((uint64_t)cells * 40);
            Random random = random_stream(SEED, (uint64_t)(width * 8 + lines), RANDOM_TEST);
            memset(count, 0, sizeof count);
            for (uint64_t i = 0; i < attacks; i++) {
                Attack attack = attack_draw(lines, width, &random);
                for (int r = 0; r < attack.count; r++)
                    count[rank_of((uint16_t)(~attack.row[r] & ((1 << width) - 1)))]++;
            }
            assert_uniform(count, cells, attacks * (uint64_t)(lines - 1), "empty cells");
        }
}

static void the_rows_of_an_attack_are_drawn_independently(void **state) {
    (void)state;
    uint32_t count[6 * 6] = {0};
    uint64_t attacks = test_effort(6 * 6 * 100);
    Random random = random_stream(SEED, 1, RANDOM_TEST);
    for (uint64_t i = 0; i < attacks; i++) {
        Attack attack = attack_draw(3, 4, &random);
        count[rank_of(attack.row[0]) * 6 + rank_of(attack.row[1])]++;
    }
    assert_uniform(count, 6 * 6, attacks, "pairs of rows");
}

static Board read_board(const char *text, int width, int height) {
    Board board;
    Error error;
    Reader reader = reader_start("text", text, strlen(text), &error);
    if (board_read(&reader, width, height, &board) != 1)
        fail_msg("%s", error.text);
    return board;
}

static Game game_with(const Rules *rules, const char *board) {
    Game game;
    game_start(&game, rules, 1, 0);
    game.board = read_board(board, rules->width, rules->height);
    return game;
}

static Rules small_rules(const char *board, const char *overflow, const char *kind) {
    Rules rules;
    Error error;
    rules_default(&rules);
    if (!rules_set(&rules, "board", board, &error) || !rules_set(&rules, "overflow", overflow, &error) ||
        !rules_set(&rules, "rules", kind, &error))
        fail_msg("%s", error.text);
    return rules;
}

static void rows_come_in_at_the_bottom_one_after_the_other(void **state) {
    (void)state;
    Rules rules = small_rules("5x8", "lenient", "simplified");
    Game game = game_with(&rules, "#....\n"
                                  "##.##\n");
    // Bit 0 is the left column: the first row is .####, the second ##.##.
    Attack attack = {.count = 2, .row = {0x1e, 0x1b}};
    assert_true(attack_push(&game, &rules, &attack));
    Board expected = read_board("#....\n"
                                "##.##\n"
                                ".####\n"
                                "##.##\n",
                                5, 8);
    assert_memory_equal(&game.board, &expected, sizeof expected);
    assert_int_equal(game.state, GAME_RUNNING);
    assert_int_equal(game.pieces, 0);
}

// A pile that reaches the last row it may fill, and one row more.
static void a_pile_pushed_over_the_top_ends_the_game_and_stays(void **state) {
    (void)state;
    static const struct {
        const char *overflow, *kind;
        int rows;
    } cases[] = {{"lenient", "simplified", 6},
                 {"strict", "simplified", 6},
                 {"touch", "simplified", 5},
                 {"lenient", "original", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Rules rules = small_rules("10x6", cases[i].overflow, cases[i].kind);
        for (int rows = 1; rows <= ATTACK_MAX_ROWS; rows++) {
            Attack attack = {.count = rows, .row = {1, 1, 1}};
            Game game;
            game_start(&game, &rules, 1, 0);
            game.board.column[9] = rows_below(cases[i].rows - rows); // beside where pieces appear
            assert_true(attack_push(&game, &rules, &attack));
            assert_int_equal(game.state, GAME_RUNNING);
            assert_int_equal(board_pile_height(&game.board, 10), cases[i].rows);
            Board before = game.board;
            attack.count = 1;
            assert_false(attack_push(&game, &rules, &attack));
            assert_int_equal(game.state, GAME_OVER);
            assert_memory_equal(&game.board, &before, sizeof before);
        }
    }
}

static void under_the_original_rules_the_piece_in_hand_needs_room_to_appear(void **state) {
    (void)state;
    Rules rules = small_rules("10x6", "lenient", "original");
    Attack attack = {.count = 1, .row = {1}};
    for (int piece = 0; piece < PIECES; piece++) {
        Game game;
        game_start(&game, &rules, 1, 0);
        game.piece = piece;
        game.board.column[5] =
            rows_below(5); // the column of the turning point, which every piece fills on top
        assert_true(attack_push(&game, &rules, &attack));
        assert_int_equal(game.state, GAME_OVER);
        assert_int_equal(board_pile_height(&game.board, 10), 6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(n_rows_removed_send_n_minus_1_rows_with_n_minus_1_empty_cells),
        cmocka_unit_test(every_set_of_empty_cells_is_as_likely_as_any_other),
        cmocka_unit_test(the_rows_of_an_attack_are_drawn_independently),
        cmocka_unit_test(rows_come_in_at_the_bottom_one_after_the_other),
        cmocka_unit_test(a_pile_pushed_over_the_top_ends_the_game_and_stays),
        cmocka_unit_test(under_the_original_rules_the_piece_in_hand_needs_room_to_appear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
