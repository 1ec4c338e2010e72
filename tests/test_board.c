// SPDX-License-Identifier: GPL-3.0-or-later
// Boards: dropping pieces, clearing rows, reading and printing.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"
#include "game/board.h"

static Board draw(const char *text, int width) {
    Board board;
    Error error;
    Reader reader = reader_start("drawing", text, strlen(text), &error);
    if (board_read(&reader, width, 20, &board) != 1)
        fail_msg("%s", error.text);
    return board;
}

static void assert_drawn(const Board *board, int width, int rows, const char *expected) {
    char text[15 * 31 + 1];
    board_print(board, width, rows, text);
    assert_string_equal(text, expected);
}

static void a_piece_rests_on_the_highest_column_below_it(void **state) {
    (void)state;
    Board board = draw("#...\n#...\n#.#.\n", 4);
    const Shape *flat = &piece_shape[PIECE_I][0], *t = &piece_shape[PIECE_T][0],
                *z = &piece_shape[PIECE_Z][1];
    assert_int_equal(board_drop_row(&board, flat, 0), 3);
    assert_int_equal(board_drop_row(&board, t, 0), 2);
    assert_int_equal(board_drop_row(&board, t, 1), 1);
    assert_int_equal(board_drop_row(&board, z, 2), 1);
    assert_int_equal(board_drop_row(&board, &piece_shape[PIECE_I][1], 3), 0);
}

// The piece completes rows 0 and 2 of three; row 1, with a hole elsewhere, stays.
static void full_rows_vanish_and_the_rest_comes_down(void **state) {
    (void)state;
    Board board = draw(".###\n"
                       ".##.\n"
                       ".###\n",
                       4);
    Landing landing = board_place(&board, 4, &piece_shape[PIECE_I][1], 0, 0);
    assert_int_equal(landing.row, 0);
    assert_int_equal(landing.lines, 2);
    assert_int_equal(landing.eroded, 2);
    assert_int_equal(landing.occupied, 3);
    assert_drawn(&board, 4, 3, "....\n#...\n###.\n");
}

static void four_rows_can_vanish_at_once(void **state) {
    (void)state;
    Board board = draw("..##\n.###\n.###\n.###\n.###\n", 4);
    Landing landing = board_place(&board, 4, &piece_shape[PIECE_I][1], 0, 0);
    assert_int_equal(landing.lines, 4);
    assert_int_equal(landing.eroded, 4);
    assert_drawn(&board, 4, 2, "....\n..##\n");
}

static void cells_above_the_top_row_are_kept(void **state) {
    (void)state;
    Board board = {{0}};
    board.column[2] = (1u << BOARD_MAX_HEIGHT) - 1;
    const Shape *upright = &piece_shape[PIECE_I][1];
    Landing landing = board_place(&board, 4, upright, 2, board_drop_row(&board, upright, 2));
    assert_int_equal(landing.row, BOARD_MAX_HEIGHT);
    assert_int_equal(board_pile_height(&board, 4), BOARD_MAX_HEIGHT + 4);
    assert_int_equal(board_cells(&board, 4), BOARD_MAX_HEIGHT + 4);
}

// Against moving row by row in a plain grid.
static void removing_rows_equals_moving_the_others_down(void **state) {
    (void)state;
    const uint64_t seed = 1;
    print_message("seed %d\n", (int)seed);
    Random random = random_stream(seed, 0, RANDOM_TEST);
    for (int trial = 0; trial < 20000; trial++) {
        Board board = {{0}}, expected = {{0}};
        int width = 4 + (int)random_below(&random, 11), out = 0;
        uint32_t rows = (uint32_t)random_next(&random) & (uint32_t)random_next(&random) & 0x7fffffff;
        for (int x = 0; x < width; x++)
            board.column[x] = (uint32_t)random_next(&random) & 0x7fffffff;
        for (int y = 0; y < 31; y++)
            if (!(rows >> y & 1)) {
                for (int x = 0; x < width; x++)
                    expected.column[x] |= (board.column[x] >> y & 1) << out;
                out++;
            }
        board_remove_rows(&board, width, rows);
        assert_memory_equal(&board, &expected, sizeof board);
    }
}

static void what_is_printed_reads_back(void **state) {
    (void)state;
    const uint64_t seed = 2;
    print_message("seed %d\n", (int)seed);
    Random random = random_stream(seed, 0, RANDOM_TEST);
    for (int trial = 0; trial < 5000; trial++) {
        Board board = {{0}};
        int width = 4 + (int)random_below(&random, 11), height = 4 + (int)random_below(&random, 24);
        for (int x = 0; x < width; x++)
            board.column[x] = (uint32_t)random_next(&random) >> (32 - height);
        board.column[random_below(&random, (uint32_t)width)] &= 0; // no full row
        char text[15 * 31 + 1];
        Board again;
        board_print(&board, width, height, text);
        Reader reader = reader_start("text", text, strlen(text), NULL);
        assert_int_equal(board_read(&reader, width, height, &again), 1);
        assert_memory_equal(&board, &again, sizeof board);
        assert_int_equal(reader.line, height);
    }
}

static void entries_are_read_one_after_the_other(void **state) {
    (void)state;
    const char *text = "\r\nboard\r\n#..#\r\nholes=3 wells=1,2\r\n \t\r\n\n...#\n....\n\nboard\n";
    Board board;
    Reader reader = reader_start("text", text, strlen(text), NULL);
    assert_int_equal(board_read(&reader, 4, 20, &board), 1);
    assert_drawn(&board, 4, 2, "....\n#..#\n");
    assert_int_equal(reader.line, 5);
    assert_int_equal(board_read(&reader, 4, 20, &board), 1);
    assert_drawn(&board, 4, 2, "...#\n....\n");
    assert_int_equal(board_read(&reader, 4, 20, &board), 0);
    assert_int_equal(board_read(&reader, 4, 20, &board), 0);
}

static void wrong_boards_are_refused_with_line_and_column(void **state) {
    (void)state;
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"#..#\n#.x#\n", "f:2:3: expected '#' (filled) or '.' (empty), found 'x'."},
        {"#..\1\n", "f:1:4: expected '#' (filled) or '.' (empty), found byte 0x01."},
        {"#..#\n\n\n#..\n", "f:4:4: expected 4 cells in the row, found 3; --board sets the width."},
        {"#..##\n",
         "f:1:5: expected the end of the row after 4 cells, found 5 cells; --board sets the width."},
        {"....\n....\n....\n....\n....\n....\n",
         "f:6:1: expected at most 5 rows in a board, found another one; --board sets the height."},
        {"#...\n####\n", "f:2:1: the row is full: a board is given after clearing, so take the row out."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status;
        Board board;
        Error error;
        Reader reader = reader_start("f", cases[i].text, strlen(cases[i].text), &error);
        while ((status = board_read(&reader, 4, 5, &board)) > 0)
            continue;
        assert_int_equal(status, -1);
        assert_string_equal(error.text, cases[i].sentence);
    }
}

static void all_oracle_boards_are_read(void **state) {
    (void)state;
#ifdef TETRALAB_SHARED
    Error error;
    size_t length;
    char *text = text_read_file(TETRALAB_SHARED "/oracles/boards.txt", &length, &error);
    if (text) {
        Reader reader = reader_start("boards.txt", text, length, &error);
        int count = 0, status;
        Board board;
        while ((status = board_read(&reader, 10, 20, &board)) > 0)
            count++;
        free(text);
        assert_int_equal(status, 0);
        assert_int_equal(count, 2000);
        return;
    }
#endif
    print_message("skipped: oracles/boards.txt is not there\n");
    skip();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piece_rests_on_the_highest_column_below_it),
        cmocka_unit_test(full_rows_vanish_and_the_rest_comes_down),
        cmocka_unit_test(four_rows_can_vanish_at_once),
        cmocka_unit_test(cells_above_the_top_row_are_kept),
        cmocka_unit_test(removing_rows_equals_moving_the_others_down),
        cmocka_unit_test(what_is_printed_reads_back),
        cmocka_unit_test(entries_are_read_one_after_the_other),
        cmocka_unit_test(wrong_boards_are_refused_with_line_and_column),
        cmocka_unit_test(all_oracle_boards_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
