// SPDX-License-Identifier: GPL-3.0-or-later
// The plain features against boards with known values: real ones from games, valued by other people's
// programs (oracles/boards.txt), and drawn ones, valued by hand (tests/positions/*.txt). Both are read by
// the same reader. In drawn positions "board-height=H" gives the board's height (else 20) and a line
// "about=..." says what is shown; the width is that of the rows.
#include <glob.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "feature/feature.h"
#include "feature/kernel.h"
#include "feature/reference.h"
#include "game/board.h"

// ---- reader --------------------------------------------------------------------------------------------

static char *read_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    rewind(file);
    char *text = calloc(1, (size_t)size + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, (size_t)size, file), size);
    fclose(file);
    return text;
}

typedef struct Checked {
    int boards, values;
    int per_feature[FEATURES];
} Checked;

// -> text  "name=value[,value...]"
static void check_fact(const char *place, const Situation *situation, char *text, Checked *checked) {
    char *equals = strchr(text, '=');
    assert_non_null(equals);
    *equals = 0;
    int id = feature_from_name(text);
    if (id < 0)
        fail_msg("%s: there is no feature %s.", place, text);
    int count = feature_values((FeatureId)id, situation->width);
    char *next = equals + 1;
    for (int i = 0; i < count; i++, next++) {
        double expected = strtod(next, &next), found = feature_reference((FeatureId)id, situation, i);
        if (fabs(found - expected) > 1e-6)
            fail_msg("%s: %s, value %d: expected %g, found %g.", place, text, i + 1, expected, found);
        if (*next != (i + 1 < count ? ',' : 0))
            fail_msg("%s: %s has the wrong number of values.", place, text);
        checked->values++;
    }
    checked->per_feature[id]++;
}

static void check_entry(const char *place, const char *entry, Checked *checked) {
    char *copy = strdup(entry), *facts[64], *save = NULL;
    int fact_count = 0, width = 0, height = 20;
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        if (line[0] == '#' || line[0] == '.')
            width = (int)strlen(line);
        if (!strchr(line, '=') || strncmp(line, "about=", 6) == 0)
            continue;
        char *inner = NULL;
        for (char *word = strtok_r(line, " ", &inner); word; word = strtok_r(NULL, " ", &inner)) {
            assert_true(fact_count < 64);
            if (sscanf(word, "board-height=%d", &height) != 1)
                facts[fact_count++] = word;
        }
    }
    Board board;
    Error error = {""};
    Reader reader = reader_start(place, entry, strlen(entry), &error);
    // Read with the most rows, so that piles can be drawn that stand out of the board.
    if (board_read(&reader, width, BOARD_MAX_HEIGHT, &board) != 1)
        fail_msg("%s: %s", place, error.text);
    Situation situation = {.width = width, .height = height, .before = &board, .after = &board};
    for (int i = 0; i < fact_count; i++)
        check_fact(place, &situation, facts[i], checked);
    checked->boards++;
    free(copy);
}

static void check_file(const char *path, char *text, Checked *checked) {
    int line = 1;
    for (char *entry = text; entry && *entry;) {
        char place[512], *end = strstr(entry, "\n\n");
        if (end)
            end[1] = 0;
        snprintf(place, sizeof place, "%s:%d", path, line);
        check_entry(place, entry, checked);
        for (char *c = entry; *c; c++)
            line += *c == '\n';
        line++;
        entry = end ? end + 2 : NULL;
    }
}

// ---- boards with known values --------------------------------------------------------------------------

static void real_boards_have_the_values_that_other_programs_gave(void **state) {
    (void)state;
    const char *path = TETRALAB_SHARED "/oracles/boards.txt";
    char *text = read_whole(path);
    if (!text) {
        print_message("oracles/boards.txt is not here: skipped.\n");
        skip();
    }
    Checked checked = {0};
    check_file(path, text, &checked);
    free(text);
    assert_int_equal(checked.boards, 2000);
    assert_true(checked.values > 1000 * 20);
    assert_int_equal(checked.per_feature[FEATURE_CUMULATIVE_WELLS], 2000);
    assert_int_equal(checked.per_feature[FEATURE_CELL_TRANSITIONS], 1000);
}

static void drawn_positions_have_the_values_worked_out_by_hand(void **state) {
    (void)state;
    glob_t files;
    assert_int_equal(glob(TETRALAB_TESTS "/positions/*.txt", 0, NULL, &files), 0);
    Checked checked = {0};
    for (size_t i = 0; i < files.gl_pathc; i++) {
        char *text = read_whole(files.gl_pathv[i]);
        assert_non_null(text);
        check_file(files.gl_pathv[i], text, &checked);
        free(text);
    }
    globfree(&files);
    assert_true(checked.boards >= 15);
    // What the real boards have no values for.
    static const FeatureId drawn_only[] = {FEATURE_JAGS, FEATURE_EMBEDDED_HOLES, FEATURE_FRONTIER,
                                           FEATURE_PITS, FEATURE_MEAN_HOLE_DEPTH};
    for (size_t i = 0; i < sizeof drawn_only / sizeof *drawn_only; i++)
        assert_true(checked.per_feature[drawn_only[i]] >= 15);
}

// ---- moves ---------------------------------------------------------------------------------------------

typedef struct MoveFacts {
    double landing_height, removed_lines, eroded_cells;
    double max_height, holes, height_differences, mean_height; // changes
} MoveFacts;

static void check_move(const char *rows, int width, int height, int piece, int orientation, int column,
                       MoveFacts expected) {
    Board before;
    Reader reader = reader_start("drawing", rows, strlen(rows), NULL);
    assert_int_equal(board_read(&reader, width, height, &before), 1);
    Board after = before;
    const Shape *shape = &piece_shape[piece][orientation];
    int row = board_drop_row(&before, shape, column);
    Landing landing = board_place(&after, width, shape, column, row);
    Situation s = {width, height, &before, &after, shape, landing};
    assert_float_equal(feature_reference(FEATURE_LANDING_HEIGHT, &s, 0), expected.landing_height, 1e-9);
    assert_float_equal(feature_reference(FEATURE_REMOVED_LINES, &s, 0), expected.removed_lines, 1e-9);
    assert_float_equal(feature_reference(FEATURE_ERODED_CELLS, &s, 0), expected.eroded_cells, 1e-9);
    assert_float_equal(feature_reference(FEATURE_DELTA_MAX_HEIGHT, &s, 0), expected.max_height, 1e-9);
    assert_float_equal(feature_reference(FEATURE_DELTA_HOLES, &s, 0), expected.holes, 1e-9);
    assert_float_equal(feature_reference(FEATURE_DELTA_HEIGHT_DIFFERENCES, &s, 0),
                       expected.height_differences, 1e-9);
    assert_float_equal(feature_reference(FEATURE_DELTA_MEAN_HEIGHT, &s, 0), expected.mean_height, 1e-9);
}

static void moves_have_the_values_worked_out_by_hand(void **state) {
    (void)state;
    // A square on the floor beside the wall: rows 0 and 1, middle 0.5.
    check_move("..........\n", 10, 20, PIECE_O, 0, 0, (MoveFacts){0.5, 0, 0, 2, 0, 2, 0.4});
    // A lying bar: its only row is its middle.
    check_move("#...#\n", 5, 20, PIECE_I, 0, 0, (MoveFacts){1, 0, 0, 1, 3, -1, 1.4});
    // A standing bar completes three rows with three of its cells and uncovers a hole.
    check_move("###.\n###.\n###.\n#.#.\n", 4, 6, PIECE_I, 1, 3, (MoveFacts){1.5, 3, 9, -3, -1, -2, -2.25});
    // A square rests on a column that reaches the top: it lies above the board and covers four cells.
    check_move("#...\n#...\n#...\n#...\n", 4, 4, PIECE_O, 0, 0, (MoveFacts){4.5, 0, 0, 2, 4, 2, 2});
}

static void without_a_move_the_features_of_moves_are_zero(void **state) {
    (void)state;
    Board board = {.column = {1, 3, 7, 15}};
    Situation situation = {.width = 4, .height = 6, .before = &board, .after = &board};
    for (int id = 0; id < FEATURES; id++)
        if (features_of_moves >> id & 1)
            assert_true(feature_reference((FeatureId)id, &situation, 0) == 0);
}

// ---- registry ------------------------------------------------------------------------------------------

static void features_are_found_by_their_names(void **state) {
    (void)state;
    for (int id = 0; id < FEATURES; id++)
        assert_int_equal(feature_from_name(feature_info[id].name), id);
    assert_int_equal(feature_from_name("hole"), -1);
    char out[TEXT_MEANT];
    assert_string_equal(feature_meant(out, "hole"), "; did you mean \"holes\"?");
    assert_string_equal(feature_meant(out, "landing-hight"), "; did you mean \"landing-height\"?");
}

static void the_thesis_numbers_1_to_33_all_occur_once(void **state) {
    (void)state;
    int count[34] = {0};
    for (int id = 0; id < FEATURES; id++)
        if (feature_info[id].number < 34)
            count[feature_info[id].number]++;
    for (int number = 1; number <= 33; number++)
        assert_int_equal(count[number], 1);
}

static void column_features_have_as_many_values_as_columns_or_pairs(void **state) {
    (void)state;
    assert_int_equal(feature_values(FEATURE_COLUMN_HEIGHTS, 10), 10);
    assert_int_equal(feature_values(FEATURE_COLUMN_DIFFERENCES, 10), 9);
    assert_int_equal(feature_values(FEATURE_HOLES, 10), 1);
}

// Kernels add up in halves of 32 bits, the reference definitions in words of 64.
static void bounds_leave_room_for_sums_of_all_features(void **state) {
    (void)state;
    uint64_t in_lanes = kernel_features(kernel_find(NULL, NULL));
    for (int width = BOARD_MIN_WIDTH; width <= BOARD_MAX_WIDTH; width++) {
        for (int height = BOARD_MIN_HEIGHT; height <= BOARD_MAX_HEIGHT; height++) {
            int sum = 0;
            for (int id = 0; id < FEATURES; id++) {
                int bound = feature_bound((FeatureId)id, width, height);
                bool lanes = in_lanes & feature_bit((FeatureId)id);
                assert_in_range(bound, 1, lanes ? 32767 : 1 << 24);
                sum += lanes ? bound * feature_values((FeatureId)id, width) : 0;
            }
            assert_in_range(sum, 1, 65535);
        }
    }
}

// Random boards of every density, among them chequered, empty, full and one-sided columns.
static Board random_board(Random *random, int width, int rows) {
    static const uint32_t pattern[] = {0, UINT32_MAX, 0x55555555, 0xaaaaaaaa, 0xfffffffe, 1};
    Board board = {{0}};
    for (int x = 0; x < width; x++) {
        uint32_t kind = random_below(random, 9), bits = (uint32_t)random_next(random);
        if (kind == 6)
            bits &= (uint32_t)random_next(random);
        if (kind == 7)
            bits |= (uint32_t)random_next(random);
        if (kind < 6)
            bits = pattern[kind];
        uint32_t kept = random_below(random, (uint32_t)rows + 1); // of at most 31 rows
        board.column[x] = bits & (((uint32_t)1 << kept) - 1);
    }
    return board;
}

static void no_board_exceeds_the_bounds(void **state) {
    (void)state;
    const uint64_t seed = 1;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint64_t i = 0; i < 20000; i++) {
        Random random = random_stream(seed, i, RANDOM_TEST);
        int width = BOARD_MIN_WIDTH + (int)random_below(&random, BOARD_MAX_WIDTH - BOARD_MIN_WIDTH + 1);
        int height = BOARD_MIN_HEIGHT + (int)random_below(&random, BOARD_MAX_HEIGHT - BOARD_MIN_HEIGHT + 1);
        Board before = random_board(&random, width, height), after = random_board(&random, width, height + 4);
        Situation situation = {width, height, &before, &after, &piece_shape[PIECE_I][1], {height, 4, 4, 0}};
        for (int id = 0; id < FEATURES; id++) {
            int steps = feature_steps((FeatureId)id, width),
                bound = feature_bound((FeatureId)id, width, height);
            for (int k = 0; k < feature_values((FeatureId)id, width); k++) {
                double value = feature_reference((FeatureId)id, &situation, k);
                if (fabs(value * steps) > bound + 1e-6)
                    fail_msg("Board %llu, %dx%d: %s is %g, above its bound %d/%d.", (unsigned long long)i,
                             width, height, feature_info[id].name, value, bound, steps);
                if (value < 0 && feature_info[id].sign == UNSIGNED)
                    fail_msg("Board %llu, %dx%d: %s is %g, but has no sign.", (unsigned long long)i, width,
                             height, feature_info[id].name, value);
                double whole = value * steps;
                if (id != FEATURE_MEAN_HOLE_DEPTH && fabs(whole - nearbyint(whole)) > 1e-6)
                    fail_msg("Board %llu, %dx%d: %s is %g, no multiple of 1/%d.", (unsigned long long)i,
                             width, height, feature_info[id].name, value, steps);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_boards_have_the_values_that_other_programs_gave),
        cmocka_unit_test(drawn_positions_have_the_values_worked_out_by_hand),
        cmocka_unit_test(moves_have_the_values_worked_out_by_hand),
        cmocka_unit_test(without_a_move_the_features_of_moves_are_zero),
        cmocka_unit_test(features_are_found_by_their_names),
        cmocka_unit_test(the_thesis_numbers_1_to_33_all_occur_once),
        cmocka_unit_test(column_features_have_as_many_values_as_columns_or_pairs),
        cmocka_unit_test(bounds_leave_room_for_sums_of_all_features),
        cmocka_unit_test(no_board_exceeds_the_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
