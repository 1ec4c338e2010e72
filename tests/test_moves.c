// SPDX-License-Identifier: GPL-3.0-or-later
// The list of moves against the cell-by-cell model: under every rule, on boards of all sizes from empty to
// full.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cell_model.h"
#include "effort.h"
#include "game/moves.h"
#include "random_boards.h"

static int model_holes(const Model *model) {
    int holes = 0;
    for (int x = 0; x < model->width; x++)
        for (int y = 0; y < MODEL_ROWS; y++) {
            int above = y + 1;
            while (above < MODEL_ROWS && model->cell[above][x] != '#')
                above++;
            holes += model->cell[y][x] != '#' && above < MODEL_ROWS;
        }
    return holes;
}

static void assert_board(const Board *board, const Model *model) {
    for (int x = 0; x < BOARD_COLUMNS; x++)
        for (int y = 0; y < MODEL_ROWS; y++)
            assert_int_equal(board->column[x] >> y & 1, x < model->width && model->cell[y][x] == '#');
}

// What the tests have seen, so that none of it is missing.
typedef struct Seen {
    uint64_t moves, fatal, clearing, holed, unreachable;
} Seen;

static void check_move(const Rules *rules, const Board *board, int piece, const Moves *moves,
                       const ModelMove *expected, int holes_before, Seen *seen) {
    Placement placement = placement_make(expected->turn, expected->column);
    const Move *move = &moves->move[placement];
    Move again;
    assert_true(moves->possible >> placement & 1);
    assert_int_equal(move->placement, placement);
    assert_int_equal(move->row, expected->row);
    assert_int_equal(moves->safe >> placement & 1, expected->lines >= 0);
    assert_true(moves_find(rules, board, piece, placement, &again));
    assert_memory_equal(&again, move, sizeof again);
    assert_int_equal(moves_row(rules, board, piece, placement), expected->row);
    seen->moves++;
    seen->fatal += expected->lines < 0;
    if (expected->lines < 0)
        return;
    int made = model_holes(&expected->after) - holes_before;
    Board after = *board;
    move_play(&after, rules->width, piece, move);
    assert_int_equal(move->lines, expected->lines);
    assert_int_equal(move->holes, made > 0 ? made : 0);
    assert_int_equal(moves->holed >> placement & 1, made > 0);
    assert_int_equal(moves->clearing >> placement & 1, expected->lines > 0);
    assert_board(&after, &expected->after);
    seen->clearing += expected->lines > 0;
    seen->holed += made > 0;
}

static void check_board(const char *rule, const Rules *rules, const Board *board, Seen *seen) {
    Model model = model_of(rule, rules->width, rules->height, board);
    int holes = model_holes(&model);
    for (int piece = 0; piece < PIECES; piece++) {
        ModelMove list[PLACEMENTS];
        Moves moves;
        int count = model_moves(&model, piece, list);
        moves_list(&moves, rules, board, piece);
        assert_int_equal(__builtin_popcountll(moves.possible), count);
        assert_false(moves.safe & ~moves.possible);
        assert_true(moves_safe(rules, board, piece) == moves.safe);
        for (int k = 0; k < count; k++)
            check_move(rules, board, piece, &moves, &list[k], holes, seen);
        uint64_t inside = placements_inside(piece, rules->width);
        Move move;
        for (uint64_t left = inside & ~moves.possible; left; left &= left - 1, seen->unreachable++) {
            assert_false(moves_find(rules, board, piece, __builtin_ctzll(left), &move));
            assert_int_equal(moves_row(rules, board, piece, __builtin_ctzll(left)), -1);
        }
    }
}

static void check_random_boards(bool full_rows, Seen *seen) {
    const uint64_t seed = 1;
    print_message("seed %d\n", (int)seed);
    Random random = random_stream(seed, full_rows, RANDOM_TEST);
    for (uint64_t i = 0; i < test_effort(1000); i++) {
        int width = random_between(&random, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH);
        int height = random_between(&random, BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT);
        Board board;
        random_board(&board, &random, width, random_between(&random, 0, height));
        uint32_t full = full_rows ? 1u << random_below(&random, (uint32_t)height) : 0;
        for (int x = 0; x < width; x++)
            board.column[x] |= full;
        for (int r = 0; r < 4; r++) {
            Rules rules = rules_named(rule_names[r], width, height);
            check_board(rule_names[r], &rules, &board, seen);
            rules_free(&rules);
        }
    }
}

static void moves_are_those_of_the_cell_by_cell_model(void **state) {
    (void)state;
    Seen seen = {0};
    check_random_boards(false, &seen);
    assert_true(seen.fatal && seen.clearing && seen.holed && seen.unreachable);
}

// As a two-piece player that clears late sees boards.
static void rows_that_are_full_already_go_with_the_move(void **state) {
    (void)state;
    Seen seen = {0};
    check_random_boards(true, &seen);
    assert_true(seen.fatal && seen.clearing && seen.unreachable);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_are_those_of_the_cell_by_cell_model),
        cmocka_unit_test(rows_that_are_full_already_go_with_the_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
