// SPDX-License-Identifier: GPL-3.0-or-later
// Perft against the cell-by-cell model.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "cell_model.h"
#include "game/perft.h"

static void model_count(const Model *model, int depth, PerftCount *count) {
    ModelMove list[64];
    for (int piece = 0; piece < 7; piece++) {
        int moves = model_moves(model, piece, list);
        for (int k = 0; k < moves; k++)
            if (depth > 1 && list[k].lines >= 0) {
                model_count(&list[k].after, depth - 1, count);
            } else if (depth == 1) {
                count->sequences += list[k].lines >= 0;
                count->lines += list[k].lines > 0 ? (uint64_t)list[k].lines : 0;
                count->ended += list[k].lines < 0;
            }
    }
}

static PerftCount compare(const char *rule, int width, int height, const Board *board, int depth) {
    Rules rules = rules_named(rule, width, height);
    Model model = model_of(rule, width, height, board);
    PerftCount expected = {0}, found = perft_count(&rules, board, PERFT_ALL_PIECES, -1, depth);
    model_count(&model, depth, &expected);
    if (memcmp(&found, &expected, sizeof found) != 0)
        fail_msg("%dx%d %s depth %d: %llu sequences, %llu lines, %llu ended; the model says %llu, %llu, %llu",
                 width, height, rule, depth, (unsigned long long)found.sequences,
                 (unsigned long long)found.lines, (unsigned long long)found.ended,
                 (unsigned long long)expected.sequences, (unsigned long long)expected.lines,
                 (unsigned long long)expected.ended);
    rules_free(&rules);
    return found;
}

static void the_first_piece_has_9_17_34_and_162_placements(void **state) {
    (void)state;
    static const uint64_t expected[PIECES] = {9, 17, 17, 17, 34, 34, 34};
    for (int i = 0; i < 4; i++) {
        Rules rules = rules_named(rule_names[i], 10, 20);
        const Board empty = {{0}};
        for (int piece = 0; piece < PIECES; piece++)
            assert_int_equal(perft_count(&rules, &empty, PERFT_ALL_PIECES, piece, 1).sequences,
                             expected[piece]);
        assert_int_equal(perft_count(&rules, &empty, PERFT_ALL_PIECES, -1, 1).sequences, 162);
        assert_int_equal(perft_count(&rules, &empty, 1 << PIECE_S | 1 << PIECE_Z, -1, 2).sequences, 34 * 34);
        rules_free(&rules);
    }
}

static void small_boards_agree_with_the_model(void **state) {
    (void)state;
    static const int size[][3] = {{4, 4, 3}, {4, 5, 3}, {4, 6, 3}, {5, 4, 3},
                                  {5, 5, 3}, {6, 6, 3}, {4, 4, 4}};
    const Board empty = {{0}};
    uint64_t ended = 0;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        for (int r = 0; r < 4; r++)
            for (int depth = 1; depth <= size[i][2]; depth++)
                ended += compare(rule_names[r], size[i][0], size[i][1], &empty, depth).ended;
    assert_true(ended > 0);
}

static void the_large_board_agrees_with_the_model_at_depth_two(void **state) {
    (void)state;
    const Board empty = {{0}};
    for (int r = 0; r < 4; r++)
        assert_int_equal(compare(rule_names[r], 10, 20, &empty, 2).sequences, 162 * 162);
}

// Boards of all sizes filled at random to within a few rows of the top, each row with a gap.
static void random_boards_agree_with_the_model(void **state) {
    (void)state;
    const uint64_t seed = 3;
    print_message("seed %d\n", (int)seed);
    Random random = random_stream(seed, 0, RANDOM_TEST);
    uint64_t lines = 0, ended = 0;
    for (int trial = 0; trial < 1500; trial++) {
        int width = 4 + (int)random_below(&random, 11), height = 4 + (int)random_below(&random, 24);
        int filled = height - (int)random_below(&random, 5);
        Board board = {{0}};
        for (int y = 0; y < filled; y++) {
            uint32_t row = (uint32_t)(random_next(&random) | random_next(&random) | random_next(&random));
            row &= ~(1u << random_below(&random, (uint32_t)width));
            for (int x = 0; x < width; x++)
                board.column[x] |= (row >> x & 1) << y;
        }
        if (trial % 2) // a gap in one place, so that lines are made
            board.column[random_below(&random, (uint32_t)width)] = 0;
        for (int r = 0; r < 4; r++) {
            PerftCount count = compare(rule_names[r], width, height, &board, 1);
            lines += count.lines;
            ended += count.ended;
        }
    }
    assert_true(lines > 1000 && ended > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_piece_has_9_17_34_and_162_placements),
        cmocka_unit_test(small_boards_agree_with_the_model),
        cmocka_unit_test(the_large_board_agrees_with_the_model_at_depth_two),
        cmocka_unit_test(random_boards_agree_with_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
