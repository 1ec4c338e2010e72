// SPDX-License-Identifier: GPL-3.0-or-later
// Positions on boards 10 wide and 8 high: a piece appears with its turning point in column 5, row 7, and is
// moved with it in row 6. Columns and rows count from 0.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "game/game.h"
#include "game/original.h"

static Rules original_rules(int width, int height) {
    Rules rules;
    rules_default(&rules);
    rules.width = width;
    rules.height = height;
    rules.original = true;
    return rules;
}

static Board draw(const char *text) {
    Board board;
    Error error;
    Reader reader = reader_start("drawing", text, strlen(text), &error);
    if (board_read(&reader, 10, 8, &board) != 1)
        fail_msg("%s", error.text);
    return board;
}

// Columns that each orientation of the piece can reach: {first, last}, {1, 0} for none.
static void assert_reach(const Board *board, int piece, const int reach[][2]) {
    Rules rules = original_rules(10, 8);
    OriginalPlacement list[PLACEMENTS];
    int count = original_placements(board, &rules, piece, list), expected = 0;
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int x = reach[o][0]; x <= reach[o][1]; x++, expected++) {
            assert_true(expected < count);
            assert_int_equal(list[expected].placement, placement_make(o, x));
        }
    assert_int_equal(count, expected);
}

static void on_an_open_board_every_placement_falls_straight(void **state) {
    (void)state;
    const uint64_t seed = 1;
    print_message("seed %d\n", (int)seed);
    Random random = random_stream(seed, 0, RANDOM_TEST);
    for (int width = BOARD_MIN_WIDTH; width <= BOARD_MAX_WIDTH; width++)
        for (int height = BOARD_MIN_HEIGHT; height <= BOARD_MAX_HEIGHT; height++) {
            Rules rules = original_rules(width, height);
            Board board = {{0}};
            for (int x = 0; x < width; x++)
                board.column[x] = (uint32_t)random_next(&random) & ((1u << (height - 4)) - 1);
            assert_true(original_is_open(&board, &rules));
            for (int piece = 0; piece < PIECES; piece++) {
                OriginalPlacement list[PLACEMENTS];
                int count = original_placements(&board, &rules, piece, list), expected = 0;
                for (int o = 0; o < piece_orientations[piece]; o++)
                    for (int x = 0; x + piece_shape[piece][o].width <= width; x++, expected++) {
                        assert_int_equal(list[expected].placement, placement_make(o, x));
                        assert_int_equal(list[expected].row,
                                         board_drop_row(&board, &piece_shape[piece][o], x));
                    }
                assert_int_equal(count, expected);
            }
            board.column[0] = 1u << (height - 4);
            assert_false(original_is_open(&board, &rules));
        }
}

static void a_tower_is_in_the_way(void **state) {
    (void)state;
    Board tower = draw("..#.......\n" // row 6
                       "..#.......\n..#.......\n..#.......\n..#.......\n..#.......\n..#.......\n");
    assert_reach(&tower, PIECE_O, (const int[][2]){{3, 8}});
    assert_reach(&tower, PIECE_I, (const int[][2]){{3, 6}, {3, 9}});
    assert_reach(&tower, PIECE_T, (const int[][2]){{3, 7}, {3, 8}, {3, 7}, {3, 8}});
}

// Low enough for all but the upright I, which hangs down to row 4.
static void a_lower_tower_stops_only_what_hangs_low(void **state) {
    (void)state;
    Board tower = draw("..#.......\n" // row 4
                       "..#.......\n..#.......\n..#.......\n..#.......\n");
    assert_reach(&tower, PIECE_O, (const int[][2]){{0, 8}});
    assert_reach(&tower, PIECE_I, (const int[][2]){{0, 6}, {3, 9}});
}

static void a_piece_may_pass_over_what_it_has_room_for(void **state) {
    (void)state;
    // Row 5 in column 3: the middle of a T hangs down there, its arms do not.
    Board bump = draw("...#......\n" // row 5
                      "..........\n..........\n..........\n..........\n..........\n");
    assert_reach(&bump, PIECE_T, (const int[][2]){{3, 7}, {4, 8}, {0, 7}, {3, 8}});
}

static void turning_needs_room(void **state) {
    (void)state;
    Board below_i = draw(".....#....\n" // row 5
                         ".....#....\n.....#....\n.....#....\n.....#....\n.....#....\n");
    assert_reach(&below_i, PIECE_I, (const int[][2]){{0, 6}, {1, 0}});
    Board beside_s = draw("......#...\n" // row 5
                          "..........\n..........\n..........\n..........\n..........\n");
    assert_reach(&beside_s, PIECE_S, (const int[][2]){{0, 4}, {1, 0}});
}

// Orientations 2 and 3 of the L would fit, but the way to them leads through 1.
static void turns_are_made_one_after_the_other(void **state) {
    (void)state;
    Board beside_l = draw("......#...\n" // row 5
                          "..........\n..........\n..........\n..........\n..........\n");
    assert_reach(&beside_l, PIECE_L, (const int[][2]){{0, 5}, {1, 0}, {1, 0}, {1, 0}});
}

static void a_piece_that_cannot_fall_one_row_stays(void **state) {
    (void)state;
    Rules rules = original_rules(10, 8);
    OriginalPlacement list[PLACEMENTS];
    Board board = draw("....#.....\n" // row 5
                       "....#.....\n....#.....\n....#.....\n....#.....\n....#.....\n");
    assert_int_equal(original_placements(&board, &rules, PIECE_O, list), 1);
    assert_int_equal(list[0].placement, placement_make(0, 4));
    assert_int_equal(list[0].row, 6);
}

static void a_piece_without_room_to_appear_has_no_placement(void **state) {
    (void)state;
    Rules rules = original_rules(10, 8);
    OriginalPlacement list[PLACEMENTS];
    Board board = draw("....#.....\n" // row 6
                       "..........\n..........\n..........\n..........\n..........\n..........\n");
    assert_int_equal(original_placements(&board, &rules, PIECE_O, list), 0);
    // The flat I appears in row 7, above it, and stays there.
    assert_int_equal(original_placements(&board, &rules, PIECE_I, list), 1);
    assert_int_equal(list[0].placement, placement_make(0, 3));
    assert_int_equal(list[0].row, 7);
}

static void a_piece_falls_under_an_overhang_it_was_moved_below(void **state) {
    (void)state;
    Rules rules = original_rules(10, 8);
    OriginalPlacement list[PLACEMENTS];
    Board board =
        draw("#.........\n" // row 7
             "..........\n..........\n..........\n..........\n..........\n..........\n..........\n");
    assert_int_equal(original_placements(&board, &rules, PIECE_O, list), 9);
    assert_int_equal(list[0].placement, placement_make(0, 0));
    assert_int_equal(list[0].row, 0);
}

static Game game_with(const Rules *rules, const Board *board, int piece, int next) {
    Game game;
    game_start(&game, rules, 1, 0);
    game.board = *board;
    game.piece = piece;
    game.next = next;
    return game;
}

static void a_move_lands_where_the_way_leads(void **state) {
    (void)state;
    Rules rules = original_rules(10, 8);
    Board board =
        draw("#.........\n" // row 7
             "..........\n..........\n..........\n..........\n..........\n..........\n..........\n");
    Game game = game_with(&rules, &board, PIECE_O, PIECE_O);
    Landing landing;
    game_move(&game, &rules, placement_make(0, 0), &landing);
    assert_int_equal(landing.row, 0);
    assert_int_equal(game.state, GAME_RUNNING);
    assert_int_equal(game.board.column[0], 1 << 7 | 3);
}

static void a_move_that_cannot_be_reached_ends_the_game(void **state) {
    (void)state;
    Rules rules = original_rules(10, 8);
    Board tower =
        draw("..#.......\n..#.......\n..#.......\n..#.......\n..#.......\n..#.......\n..#.......\n");
    Game game = game_with(&rules, &tower, PIECE_O, PIECE_O);
    assert_true(game_can_move(&game, &rules, placement_make(0, 3)));
    assert_false(game_can_move(&game, &rules, placement_make(0, 0)));
    game_move(&game, &rules, placement_make(0, 0), NULL);
    assert_int_equal(game.state, GAME_OVER);
    assert_int_equal(game.pieces, 0);
    assert_memory_equal(&game.board, &tower, sizeof tower);
}

// The first O comes to rest in rows 5 and 6, columns 4 and 5: the next has no room in rows 6 and 7.
static void the_game_is_over_when_the_next_piece_has_no_room(void **state) {
    (void)state;
    Rules rules = original_rules(10, 8);
    Board board = draw("....#.....\n" // row 4
                       "....#.....\n....#.....\n....#.....\n....#.....\n");
    Game game = game_with(&rules, &board, PIECE_O, PIECE_O);
    game_move(&game, &rules, placement_make(0, 4), NULL);
    assert_int_equal(game.pieces, 1);
    assert_int_equal(game.state, GAME_OVER);
    game = game_with(&rules, &board, PIECE_O, PIECE_I); // appears in row 7
    game_move(&game, &rules, placement_make(0, 4), NULL);
    assert_int_equal(game.state, GAME_RUNNING);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_an_open_board_every_placement_falls_straight),
        cmocka_unit_test(a_tower_is_in_the_way),
        cmocka_unit_test(a_lower_tower_stops_only_what_hangs_low),
        cmocka_unit_test(a_piece_may_pass_over_what_it_has_room_for),
        cmocka_unit_test(turning_needs_room),
        cmocka_unit_test(turns_are_made_one_after_the_other),
        cmocka_unit_test(a_piece_that_cannot_fall_one_row_stays),
        cmocka_unit_test(a_piece_without_room_to_appear_has_no_placement),
        cmocka_unit_test(a_piece_falls_under_an_overhang_it_was_moved_below),
        cmocka_unit_test(a_move_lands_where_the_way_leads),
        cmocka_unit_test(a_move_that_cannot_be_reached_ends_the_game),
        cmocka_unit_test(the_game_is_over_when_the_next_piece_has_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
