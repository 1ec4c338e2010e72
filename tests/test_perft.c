// SPDX-License-Identifier: GPL-3.0-or-later
// Perft against a model that shares nothing with the engine: a grid of characters, pieces as lists of
// cells turned around the origin, falling one row at a time.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "game/perft.h"

// --- the model

enum { MODEL_ROWS = BOARD_MAX_HEIGHT + 5 };

typedef struct Cell {
    int x, y;
} Cell;

typedef struct Model {
    int width, height;
    const char *rule; // lenient, strict, touch, original
    char cell[MODEL_ROWS][BOARD_MAX_WIDTH];
} Model;

static const struct {
    int turns;
    Cell cell[4];
} model_piece[7] = {
    {1, {{-1, -1}, {0, -1}, {0, 0}, {-1, 0}}}, // O
    {2, {{-2, 0}, {-1, 0}, {0, 0}, {1, 0}}},   // I
    {2, {{-1, -1}, {0, -1}, {0, 0}, {1, 0}}},  // S
    {2, {{0, -1}, {1, -1}, {-1, 0}, {0, 0}}},  // Z
    {4, {{-1, -1}, {-1, 0}, {0, 0}, {1, 0}}},  // L
    {4, {{1, -1}, {-1, 0}, {0, 0}, {1, 0}}},   // J
    {4, {{0, -1}, {-1, 0}, {0, 0}, {1, 0}}},   // T
};

static bool model_free(const Model *model, const Cell *cells, int x, int y, int rows) {
    for (int i = 0; i < 4; i++) {
        int cx = cells[i].x + x, cy = cells[i].y + y;
        if (cx < 0 || cx >= model->width || cy < 0 || cy >= rows || model->cell[cy][cx] == '#')
            return false;
    }
    return true;
}

// Puts the cells down and clears. <- lines, or -1: the game is over
static int model_place(Model *model, const Cell *cells, int x, int y) {
    int lines = 0, limit = !strcmp(model->rule, "touch") ? model->height - 1 : model->height;
    bool lenient = !strcmp(model->rule, "lenient");
    for (int i = 0; i < 4; i++) {
        if (!lenient && cells[i].y + y >= limit)
            return -1;
        model->cell[cells[i].y + y][cells[i].x + x] = '#';
    }
    for (int row = 0; row < MODEL_ROWS; row++) {
        if (memchr(model->cell[row], '.', (size_t)model->width))
            continue;
        for (int above = row; above + 1 < MODEL_ROWS; above++)
            memcpy(model->cell[above], model->cell[above + 1], BOARD_MAX_WIDTH);
        memset(model->cell[MODEL_ROWS - 1], '.', BOARD_MAX_WIDTH);
        lines++;
        row--;
    }
    for (int row = model->height; row < MODEL_ROWS; row++)
        if (memchr(model->cell[row], '#', (size_t)model->width))
            return -1;
    return lines;
}

static void model_count(const Model *model, int depth, PerftCount *count);

static void model_drop(const Model *model, const Cell *cells, int x, int y, int rows, int depth,
                       PerftCount *count) {
    Model after = *model;
    while (model_free(model, cells, x, y - 1, rows))
        y--;
    int lines = model_place(&after, cells, x, y);
    if (lines >= 0 && depth > 1) {
        model_count(&after, depth - 1, count);
    } else if (depth == 1) {
        count->sequences += lines >= 0;
        count->lines += lines > 0 ? (uint64_t)lines : 0;
        count->ended += lines < 0;
    }
}

static void model_turn(Cell *cells) {
    for (int i = 0; i < 4; i++)
        cells[i] = (Cell){-cells[i].y, cells[i].x};
}

// Every column from above; a piece two rows above the board is free of everything.
static void model_simplified(const Model *model, int piece, int depth, PerftCount *count) {
    Cell cells[4];
    memcpy(cells, model_piece[piece].cell, sizeof cells);
    for (int turn = 0; turn < model_piece[piece].turns; turn++, model_turn(cells))
        for (int x = -4; x < model->width + 4; x++)
            if (model_free(model, cells, x, model->height + 2, MODEL_ROWS))
                model_drop(model, cells, x, model->height + 2, MODEL_ROWS, depth, count);
}

static void model_original(const Model *model, int piece, int depth, PerftCount *count) {
    Cell cells[4];
    int rows = model->height, x = model->width / 2, y = rows - 1;
    memcpy(cells, model_piece[piece].cell, sizeof cells);
    if (!model_free(model, cells, x, y, rows))
        return;
    if (!model_free(model, cells, x, y - 1, rows)) {
        model_drop(model, cells, x, y, rows, depth, count);
        return;
    }
    y--;
    for (int turn = 0; turn < model_piece[piece].turns; turn++, model_turn(cells)) {
        if (!model_free(model, cells, x, y, rows))
            return;
        model_drop(model, cells, x, y, rows, depth, count);
        for (int step = -1; step <= 1; step += 2)
            for (int at = x + step; model_free(model, cells, at, y, rows); at += step)
                model_drop(model, cells, at, y, rows, depth, count);
    }
}

static void model_count(const Model *model, int depth, PerftCount *count) {
    for (int piece = 0; piece < 7; piece++)
        (strcmp(model->rule, "original") ? model_simplified : model_original)(model, piece, depth, count);
}

// --- the comparison

static const char *const rule_names[] = {"lenient", "strict", "touch", "original"};

static Rules rules_named(const char *rule, int width, int height) {
    Rules rules;
    Error error;
    rules_default(&rules);
    rules.width = width;
    rules.height = height;
    rules.original = !strcmp(rule, "original");
    if (!rules.original && !rules_set(&rules, "overflow", rule, &error))
        fail_msg("%s", error.text);
    return rules;
}

static PerftCount compare(const char *rule, int width, int height, const Board *board, int depth) {
    Rules rules = rules_named(rule, width, height);
    Model model = {.width = width, .height = height, .rule = rule};
    PerftCount expected = {0}, found = perft_count(&rules, board, PERFT_ALL_PIECES, -1, depth);
    memset(model.cell, '.', sizeof model.cell);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            model.cell[y][x] = board->column[x] >> y & 1 ? '#' : '.';
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
