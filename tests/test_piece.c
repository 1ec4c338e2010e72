// SPDX-License-Identifier: GPL-3.0-or-later
// Pieces: shapes and orientations.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "game/piece.h"

typedef struct Cell {
    int x, y;
} Cell;

// Orientation 0 around the turning point, x to the right, y up.
static const Cell offsets[PIECES][4] = {
    [PIECE_O] = {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}, [PIECE_I] = {{-2, 0}, {-1, 0}, {0, 0}, {1, 0}},
    [PIECE_S] = {{-1, -1}, {0, -1}, {0, 0}, {1, 0}},  [PIECE_Z] = {{0, -1}, {1, -1}, {-1, 0}, {0, 0}},
    [PIECE_L] = {{-1, -1}, {-1, 0}, {0, 0}, {1, 0}},  [PIECE_J] = {{1, -1}, {-1, 0}, {0, 0}, {1, 0}},
    [PIECE_T] = {{0, -1}, {-1, 0}, {0, 0}, {1, 0}},
};

static int smallest(const Cell *cells, int which) {
    int least = 9;
    for (int i = 0; i < 4; i++) {
        int value = which ? cells[i].y : cells[i].x;
        least = value < least ? value : least;
    }
    return least;
}

static Shape shape_of_cells(const Cell *cells) {
    Shape shape = {0};
    int left = smallest(cells, 0), low = smallest(cells, 1);
    memset(shape.bottom, 9, sizeof shape.bottom);
    for (int i = 0; i < 4; i++) {
        int x = cells[i].x - left, y = cells[i].y - low;
        shape.width = (int8_t)(x + 1 > shape.width ? x + 1 : shape.width);
        shape.height = (int8_t)(y + 1 > shape.height ? y + 1 : shape.height);
        shape.bottom[x] = (int8_t)(y < shape.bottom[x] ? y : shape.bottom[x]);
        shape.cells[x]++;
    }
    for (int x = shape.width; x < 4; x++)
        shape.bottom[x] = 0;
    shape.origin_column = (int8_t)-left;
    shape.origin_row = (int8_t)-low;
    return shape;
}

static void turn(Cell *cells) {
    for (int i = 0; i < 4; i++)
        cells[i] = (Cell){-cells[i].y, cells[i].x};
}

static void every_shape_is_its_offsets_turned_counter_clockwise(void **state) {
    (void)state;
    for (int piece = 0; piece < PIECES; piece++) {
        Cell cells[4];
        memcpy(cells, offsets[piece], sizeof cells);
        for (int o = 0; o < piece_orientations[piece]; o++, turn(cells)) {
            Shape expected = shape_of_cells(cells);
            assert_memory_equal(&piece_shape[piece][o], &expected, sizeof expected);
        }
    }
}

static int same_cells(Shape a, Shape b) {
    a.origin_column = a.origin_row = b.origin_column = b.origin_row = 0;
    return !memcmp(&a, &b, sizeof a);
}

// The listed orientations differ, and one more turn leads back to one of them.
static void the_listed_orientations_are_all_distinct_ones(void **state) {
    (void)state;
    int total = 0;
    for (int piece = 0; piece < PIECES; piece++) {
        Cell cells[4];
        int n = piece_orientations[piece];
        total += n;
        memcpy(cells, offsets[piece], sizeof cells);
        for (int i = 0; i < n; i++, turn(cells))
            for (int j = 0; j < i; j++)
                assert_false(same_cells(piece_shape[piece][i], piece_shape[piece][j]));
        assert_true(same_cells(shape_of_cells(cells), piece_shape[piece][0]));
    }
    assert_int_equal(total, 19);
}

static void every_shape_has_four_cells(void **state) {
    (void)state;
    for (int piece = 0; piece < PIECES; piece++)
        for (int o = 0; o < ORIENTATIONS; o++) {
            int cells = 0;
            for (int x = 0; x < 4; x++)
                cells += piece_shape[piece][o].cells[x];
            assert_int_equal(cells, o < piece_orientations[piece] ? 4 : 0);
        }
}

static void letters_name_the_pieces_in_both_cases(void **state) {
    (void)state;
    int known = 0;
    assert_string_equal(piece_letter, "OISZLJT");
    assert_int_equal(piece_from_letter('S'), PIECE_S);
    assert_int_equal(piece_from_letter('t'), PIECE_T);
    for (int c = -128; c < 128; c++)
        known += piece_from_letter((char)c) >= 0;
    assert_int_equal(known, 14);
    assert_int_equal(piece_from_letter(0), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shape_is_its_offsets_turned_counter_clockwise),
        cmocka_unit_test(the_listed_orientations_are_all_distinct_ones),
        cmocka_unit_test(every_shape_has_four_cells),
        cmocka_unit_test(letters_name_the_pieces_in_both_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
