// SPDX-License-Identifier: GPL-3.0-or-later
// The public interface as a user's program has it: the shared library and tetralab.h, nothing else.
#include <locale.h>
#include <math.h>
#include <pthread.h>

#include "api_fixture.h"

// ---- strategies

static void the_library_has_the_version_of_the_header(void **state) {
    (void)state;
    assert_string_equal(tetralab_version(), TETRALAB_HEADER_VERSION);
}

static void every_builtin_strategy_loads_and_says_where_it_is_from(void **state) {
    (void)state;
    int count = 0;
    bool bcts = false;
    for (const char *name; (name = tetralab_strategy_builtin(count)); count++) {
        tetralab_strategy *strategy = tetralab_strategy_load(name, &error);
        assert_done(strategy);
        assert_string_equal(tetralab_strategy_name(strategy), name);
        assert_true(strlen(tetralab_strategy_source(strategy)) > 0);
        bcts |= !strcmp(name, "bcts");
        tetralab_strategy_free(strategy);
    }
    assert_true(bcts && count >= 10);
    assert_null(tetralab_strategy_builtin(count + 1));
    assert_null(tetralab_strategy_builtin(-1));
}

static void a_strategy_written_as_json_is_read_back_as_the_same(void **state) {
    (void)state;
    tetralab_strategy *strategy = tetralab_strategy_load("dt-20", &error);
    assert_done(strategy);
    char *text = tetralab_strategy_to_json(strategy, &error);
    assert_done(text);
    tetralab_strategy *again = tetralab_strategy_parse("text", text, strlen(text), &error);
    assert_done(again);
    char *text_again = tetralab_strategy_to_json(again, &error);
    assert_done(text_again);
    assert_string_equal(text, text_again);
    assert_string_equal(tetralab_strategy_name(again), "dt-20");
    tetralab_free(text);
    tetralab_free(text_again);
    tetralab_strategy_free(strategy);
    tetralab_strategy_free(again);
}

static void wrong_strategies_are_refused_with_their_place(void **state) {
    (void)state;
    const char text[] = "{\"weights\":\n {\"hole\": -4}}";
    assert_refused(tetralab_strategy_parse("mine", text, strlen(text), &error), "mine:2:3: ");
    assert_refused(tetralab_strategy_parse("mine", text, strlen(text), &error), "\"holes\"");
    assert_refused(tetralab_strategy_parse("mine", "", 0, &error), "mine:1:1: ");
    assert_refused(tetralab_strategy_load("bctz", &error), "did you mean \"bcts\"");
    assert_refused(tetralab_strategy_load(TETRALAB_TESTS "/strategies/misspelt.json", &error),
                   "misspelt.json:");
    assert_null(tetralab_strategy_load("bctz", NULL));
}

static void strategies_come_from_files_too(void **state) {
    (void)state;
    tetralab_strategy *strategy = tetralab_strategy_load(TETRALAB_TESTS "/strategies/small.json", &error);
    assert_done(strategy);
    tetralab_strategy_free(strategy);
}

// ---- rules

static void every_setting_can_be_set_and_read(void **state) {
    (void)state;
    static const char *const rows[][3] = {
        {"board", "10x20", "7x27"},         {"overflow", "lenient", "touch"},
        {"gameover", "avoid", "evaluate"},  {"rules", "simplified", "original"},
        {"pieces", "uniform", "S:1.5,Z:3"}, {"max-pieces", "none", "1000"}};
    tetralab_rules *rules = tetralab_rules_new();
    char value[TETRALAB_MAX_VALUE];
    for (int i = 0; i < 6; i++) {
        assert_string_equal(tetralab_rules_setting(i), rows[i][0]);
        assert_done(tetralab_rules_get(rules, rows[i][0], value, &error));
        assert_string_equal(value, rows[i][1]);
        assert_done(tetralab_rules_set(rules, rows[i][0], rows[i][2], &error));
        assert_done(tetralab_rules_get(rules, rows[i][0], value, &error));
        assert_string_equal(value, rows[i][2]);
    }
    assert_null(tetralab_rules_setting(6));
    assert_null(tetralab_rules_setting(-1));
    assert_int_equal(tetralab_rules_width(rules), 7);
    assert_int_equal(tetralab_rules_height(rules), 27);
    assert_done(tetralab_rules_set(rules, "max-pieces", "none", &error));
    assert_done(tetralab_rules_get(rules, "max-pieces", value, &error));
    assert_string_equal(value, "none");
    tetralab_rules_free(rules);
}

static void impossible_settings_are_refused_and_change_nothing(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x16");
    char value[TETRALAB_MAX_VALUE] = "untouched";
    assert_refused(tetralab_rules_set(rules, "bord", "10x10", &error), "did you mean \"board\"");
    assert_refused(tetralab_rules_get(rules, "bord", value, &error), "did you mean \"board\"");
    assert_string_equal(value, "untouched");
    assert_refused(tetralab_rules_set(rules, "board", "15x20", &error), "15x20");
    assert_refused(tetralab_rules_set(rules, "overflow", "soft", &error), "lenient, strict or touch");
    assert_refused(tetralab_rules_set(rules, "pieces", "S:-1", &error), "pieces: ");
    assert_refused(tetralab_rules_set(rules, "max-pieces", "0", &error), "max-pieces: ");
    assert_false(tetralab_rules_set(rules, "max-pieces", "many", NULL));
    assert_done(tetralab_rules_get(rules, "board", value, &error));
    assert_string_equal(value, "10x16");
    tetralab_rules_free(rules);
}

static void rules_that_exclude_each_other_are_refused_where_they_are_used(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    assert_done(tetralab_rules_set(rules, "rules", "original", &error));
    assert_done(tetralab_rules_set(rules, "overflow", "touch", &error));
    tetralab_strategy *strategy = tetralab_strategy_load("bcts", &error);
    uint32_t columns[10] = {0};
    tetralab_move move = {.piece = 'O'};
    assert_refused(tetralab_player_new(strategy, rules, NULL, &error), "exclude each other");
    assert_refused(tetralab_place(rules, columns, &move, 0, &error), "exclude each other");
    tetralab_strategy_free(strategy);
    tetralab_rules_free(rules);
}

// ---- numbers

static void numbers_have_a_point_whatever_the_locale(void **state) {
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "es_ES.UTF-8", "de_DE", "fr_FR"};
    const char *found = NULL;
    for (int i = 0; i < 5 && !found; i++)
        found = setlocale(LC_ALL, names[i]);
    if (!found) {
        print_message("skipped: no locale with a decimal comma is installed\n");
        skip();
    }
    const char text[] = "{\"weights\": {\"holes\": -4.25}}";
    tetralab_strategy *strategy = tetralab_strategy_parse("mine", text, strlen(text), &error);
    char *json = strategy ? tetralab_strategy_to_json(strategy, &error) : NULL;
    tetralab_rules *rules = tetralab_rules_new();
    bool set = tetralab_rules_set(rules, "pieces", "S:1.5,Z:3", &error);
    char shown[8];
    snprintf(shown, sizeof shown, "%.1f", 1.5);
    setlocale(LC_ALL, "C");
    assert_done(json && set);
    assert_non_null(strstr(json, "-4.25"));
    assert_string_equal(shown, "1,5"); // the locale is still the caller's
    tetralab_free(json);
    tetralab_strategy_free(strategy);
    tetralab_rules_free(rules);
}

// ---- boards

static void a_board_is_read_and_printed(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("4x5");
    uint32_t columns[4];
    char text[5 * 5 + 1];
    assert_done(tetralab_board_parse(rules, "\n.#..\n##..\n##.#\n\n", columns, &error));
    const uint32_t expected[4] = {3, 7, 0, 1};
    assert_memory_equal(columns, expected, sizeof expected);
    assert_done(tetralab_board_print(rules, columns, text, &error));
    assert_string_equal(text, "....\n....\n.#..\n##..\n##.#\n");
    tetralab_rules_free(rules);
}

static void boards_that_no_game_reaches_are_refused_everywhere(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("4x5");
    tetralab_player *player = player_under("bcts", rules, NULL);
    uint32_t high[4] = {1 << 5, 0, 0, 0}, full[4] = {4, 4, 4, 4}, top[4] = {1 << 4, 0, 0, 0}, columns[4];
    uint32_t highest[4] = {0, 0, 0, 1u << 31};
    tetralab_move move = {.piece = 'O'}, moves[TETRALAB_MAX_MOVES];
    double values[TETRALAB_MAX_VALUES];
    char text[26];
    assert_refused(tetralab_choose(player, high, 'T', 0, &move, &error),
                   "Column 0 of the board has a cell in row 5");
    assert_refused(tetralab_choose(player, highest, 'T', 0, &move, &error),
                   "Column 3 of the board has a cell in row 31");
    assert_refused(tetralab_choose(player, full, 'T', 0, &move, &error), "Row 2 of the board is full");
    assert_refused(tetralab_place(rules, full, &move, 0, &error), "Row 2 of the board is full");
    assert_refused(tetralab_board_print(rules, full, text, &error), "Row 2 of the board is full");
    assert_int_equal(tetralab_placements(rules, high, 'T', 0, moves, &error), -1);
    assert_int_equal(tetralab_feature_values(rules, "holes", high, NULL, values, &error), -1);
    assert_done(tetralab_choose(player, top, 'T', 0, &move, &error));
    assert_done(tetralab_rules_set(rules, "overflow", "touch", &error));
    assert_refused(tetralab_place(rules, top, &move, 0, &error),
                   "the overflow rule touch has the rows 0 to 3");
    assert_refused(tetralab_board_parse(rules, "#.#\n", columns, &error), "board:1:4: ");
    assert_refused(tetralab_board_parse(rules, "#.##\n\n#..#\n", columns, &error), "a second board");
    assert_refused(tetralab_board_parse(rules, "\n\n", columns, &error), "no board");
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

// ---- moves

static void the_player_completes_four_rows_with_an_upright_i(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    tetralab_player *player = player_under("bcts", rules, NULL);
    uint32_t columns[10] = {31, 15, 15, 15, 15, 15, 15, 15, 15, 0};
    tetralab_move move;
    assert_done(tetralab_choose(player, columns, 'i', 0, &move, &error));
    assert_int_equal(move.piece, 'I');
    assert_int_equal(move.orientation, 1);
    assert_int_equal(move.column, 9);
    assert_int_equal(move.row, 0);
    assert_int_equal(move.lines, 4);
    assert_true(move.placed && !move.ends);
    tetralab_move made = {.piece = move.piece, .orientation = move.orientation, .column = move.column};
    assert_done(tetralab_place(rules, columns, &made, 0, &error));
    assert_true(made.row == 0 && made.lines == 4 && made.placed && !made.ends);
    const uint32_t expected[10] = {1};
    assert_memory_equal(columns, expected, sizeof expected);
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

static void shapes_are_drawn_as_in_the_header(void **state) {
    (void)state;
    uint32_t cells[4];
    assert_int_equal(tetralab_piece_shape('L', 0, cells, &error), 3);
    assert_true(cells[0] == 3 && cells[1] == 2 && cells[2] == 2 && cells[3] == 0);
    assert_int_equal(tetralab_piece_shape('s', 0, cells, &error), 3);
    assert_true(cells[0] == 1 && cells[1] == 3 && cells[2] == 2 && cells[3] == 0);
    assert_int_equal(tetralab_piece_shape('I', 1, cells, &error), 1);
    assert_true(cells[0] == 15 && cells[1] == 0);
    assert_int_equal(tetralab_piece_shape('I', 2, cells, &error), -1);
    assert_non_null(strstr(error.text, "2 orientations"));
}

static void an_empty_board_has_the_placements_of_the_papers(void **state) {
    (void)state;
    static const struct {
        char piece;
        int count;
    } rows[] = {{'O', 9}, {'I', 17}, {'S', 17}, {'Z', 17}, {'L', 34}, {'J', 34}, {'T', 34}};
    tetralab_rules *rules = new_rules("10x20");
    uint32_t columns[10] = {0};
    tetralab_move moves[TETRALAB_MAX_MOVES];
    for (int i = 0; i < 7; i++) {
        int count = tetralab_placements(rules, columns, rows[i].piece, 0, moves, &error);
        assert_int_equal(count, rows[i].count);
        for (int k = 0; k < count; k++)
            assert_true(moves[k].row == 0 && moves[k].placed && !moves[k].ends && moves[k].lines == 0);
        assert_true(moves[0].orientation == 0 && moves[0].column == 0);
        assert_int_equal(moves[count - 1].orientation, rows[i].count / 17 * 2 - (rows[i].count > 9));
    }
    tetralab_rules_free(rules);
}

static void impossible_placements_are_refused_and_leave_the_board(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("6x8");
    uint32_t columns[6] = {1, 1, 0, 0, 0, 0};
    const uint32_t before[6] = {1, 1, 0, 0, 0, 0};
    tetralab_move move = {.piece = 'O', .orientation = 1};
    assert_refused(tetralab_place(rules, columns, &move, 0, &error), "O has 1 orientation,");
    move = (tetralab_move){.piece = 'T', .orientation = -1};
    assert_refused(tetralab_place(rules, columns, &move, 0, &error), "T has 4 orientations,");
    move = (tetralab_move){.piece = 'I', .column = 3};
    assert_refused(tetralab_place(rules, columns, &move, 0, &error), "its left one is 0 to 2, not 3");
    move = (tetralab_move){.piece = 'I', .column = -1};
    assert_refused(tetralab_place(rules, columns, &move, 0, &error), "not -1");
    move = (tetralab_move){.piece = 'X'};
    assert_refused(tetralab_place(rules, columns, &move, 0, &error), "no piece 'X'");
    move = (tetralab_move){.piece = 'T'};
    assert_refused(tetralab_place(rules, columns, &move, '\n', &error), "no piece of code 10");
    assert_memory_equal(columns, before, sizeof before);
    tetralab_rules_free(rules);
}

// The same move on a pile of 4 of 5 rows under the three overflow rules.
static void moves_that_end_the_game_are_told_apart(void **state) {
    (void)state;
    static const struct {
        const char *overflow, *board;
        bool placed;
    } rows[] = {{"lenient", "###.\n###.\n###.\n###.\n", true}, // four rows go, nothing is left above
                {"strict", "###.\n###.\n###.\n###.\n", true},
                {"lenient", "#...\n#...\n#...\n#...\n#...\n", true},
                {"lenient", "#..#\n#..#\n#..#\n#..#\n", false},
                {"touch", "#..#\n#..#\n#..#\n", false},
                {"lenient", "###.\n###.\n###.\n.###\n.###\n", true}, // three rows go, a cell comes down
                {"strict", "###.\n###.\n###.\n.###\n.###\n", false},
                {"strict", "#..#\n", true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        tetralab_rules *rules = new_rules("4x5");
        assert_done(tetralab_rules_set(rules, "overflow", rows[i].overflow, &error));
        uint32_t columns[4], before[4];
        assert_done(tetralab_board_parse(rules, rows[i].board, columns, &error));
        memcpy(before, columns, sizeof before);
        tetralab_move move = {.piece = 'I', .orientation = 1, .column = 3};
        assert_done(tetralab_place(rules, columns, &move, 0, &error));
        assert_int_equal(move.placed, rows[i].placed);
        assert_int_equal(move.ends, !rows[i].placed);
        assert_true(move.placed || move.lines == 0);
        assert_int_equal(!memcmp(columns, before, sizeof before), !rows[i].placed);
        tetralab_rules_free(rules);
    }
}

static void without_a_move_left_none_is_made(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("4x4");
    uint32_t columns[4] = {8, 8, 8, 4};
    tetralab_move move;
    tetralab_player *avoids = player_under("bcts", rules, NULL);
    assert_done(tetralab_choose(avoids, columns, 'O', 0, &move, &error));
    assert_true(move.orientation == -1 && move.column == -1 && move.row == -1 && move.lines == 0);
    assert_true(move.ends && !move.placed && move.piece == 'O');
    assert_done(tetralab_rules_set(rules, "gameover", "evaluate", &error));
    tetralab_player *evaluates = player_under("bcts", rules, NULL);
    assert_done(tetralab_choose(evaluates, columns, 'O', 0, &move, &error));
    assert_true(move.orientation == 0 && move.column >= 0 && move.row == 4 && move.ends && !move.placed);
    tetralab_player_free(avoids);
    tetralab_player_free(evaluates);
    tetralab_rules_free(rules);
}

static void under_the_original_rules_the_next_piece_must_have_room(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("4x6");
    assert_done(tetralab_rules_set(rules, "rules", "original", &error));
    uint32_t columns[4] = {7, 7, 7, 0}, blocked[4] = {63, 0, 0, 31};
    tetralab_move move = {.piece = 'O', .column = 1}, moves[TETRALAB_MAX_MOVES];
    assert_done(tetralab_place(rules, columns, &move, 'I', &error));
    assert_true(move.placed && !move.ends && move.row == 3);
    uint32_t again[4] = {15, 15, 15, 0};
    move = (tetralab_move){.piece = 'O', .column = 1};
    assert_done(tetralab_place(rules, again, &move, 'O', &error));
    assert_true(move.placed && move.ends && move.row == 4 && again[1] == 63);
    move = (tetralab_move){.piece = 'I', .orientation = 0, .column = 0};
    assert_refused(tetralab_place(rules, blocked, &move, 0, &error), "cannot get to column 0");
    assert_int_equal(tetralab_placements(rules, blocked, 'I', 0, moves, &error), 0);
    tetralab_rules_free(rules);
}

static void every_kernel_makes_the_same_moves(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("7x12");
    tetralab_player *reference = player_under("bcts-2", rules, "reference");
    assert_string_equal(tetralab_player_kernel(reference), "reference");
    const char *name;
    int kernels = 0;
    for (; (name = tetralab_kernel(kernels)); kernels++) {
        tetralab_player *player = player_under("bcts-2", rules, name);
        assert_string_equal(tetralab_player_kernel(player), name);
        uint32_t columns[7] = {0};
        char pieces[42];
        tetralab_pieces(rules, 5, 0, 41, pieces);
        for (int i = 0; i < 40; i++) {
            tetralab_move move, expected;
            assert_done(tetralab_choose(player, columns, pieces[i], pieces[i + 1], &move, &error));
            assert_done(tetralab_choose(reference, columns, pieces[i], pieces[i + 1], &expected, &error));
            assert_int_equal(move.orientation, expected.orientation);
            assert_int_equal(move.column, expected.column);
            assert_done(tetralab_place(rules, columns, &move, pieces[i + 1], &error));
        }
        tetralab_player_free(player);
    }
    assert_true(kernels >= 2);
    assert_null(tetralab_kernel(-1));
    tetralab_strategy *strategy = tetralab_strategy_load("bcts", &error);
    assert_refused(tetralab_player_new(strategy, rules, "mmx", &error), "mmx");
    tetralab_strategy_free(strategy);
    tetralab_player_free(reference);
    tetralab_rules_free(rules);
}

static void ties_at_random_have_one_answer_to_one_question(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    tetralab_player *player = player_under("xtris", rules, NULL);
    uint32_t columns[10] = {0};
    tetralab_move first, move;
    assert_done(tetralab_choose(player, columns, 'O', 0, &first, &error));
    for (int i = 0; i < 20; i++) {
        assert_done(tetralab_choose(player, columns, 'O', 0, &move, &error));
        assert_int_equal(move.column, first.column);
    }
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

// A T on the floor: what the header says of the ranking, and of every share, in numbers that can be checked.
static void ranked_moves_say_what_every_feature_gives(void **state) {
    (void)state;
    const char text[] = "{\"weights\": {\"holes\": -4, \"landing-height\": -1.5, \"removed-lines\": 2}}";
    tetralab_rules *rules = new_rules("10x20");
    tetralab_strategy *strategy = tetralab_strategy_parse("three", text, strlen(text), &error);
    assert_done(strategy);
    tetralab_player *player = tetralab_player_new(strategy, rules, NULL, &error);
    assert_done(player);
    uint32_t columns[10] = {1, 1, 1, 1, 1, 1, 1, 0, 0, 0};
    tetralab_ranked ranked[TETRALAB_MAX_MOVES];
    int count = tetralab_rank(player, columns, 't', NULL, ranked, &error);
    assert_int_equal(count, 34);
    // Upright on its back in the gap: a row is removed, no hole, half a row high.
    assert_true(ranked[0].chosen && !ranked[1].chosen && ranked[0].move.lines == 1);
    assert_true(ranked[0].move.orientation == 2 && ranked[0].move.column == 7);
    assert_true(ranked[0].value == 2 - 0.75 && ranked[0].rating == ranked[0].value);
    tetralab_contribution list[TETRALAB_MAX_CONTRIBUTIONS];
    assert_int_equal(tetralab_contributions(player, columns, &ranked[0].move, list, &error), 3);
    for (int i = 0; i < 3; i++) {
        double values[TETRALAB_MAX_VALUES];
        assert_int_equal(
            tetralab_feature_values(rules, list[i].feature, columns, &ranked[0].move, values, &error), 1);
        assert_true(list[i].value == values[0] && list[i].index == 0);
        assert_true(list[i].contribution == list[i].weight * list[i].value);
    }
    ranked[0].move.column = 8;
    assert_refused(tetralab_contributions(player, columns, &ranked[0].move, list, &error) >= 0, "is 3 wide");
    assert_refused(tetralab_rank(player, columns, 'T', "IX", ranked, &error) >= 0, "There is no piece 'X'");
    tetralab_player_free(player);
    tetralab_strategy_free(strategy);
    tetralab_rules_free(rules);
}

// ---- games

enum { GAMES = 20, LONGEST = 20000 };

// A game in the caller's own loop.
static tetralab_score play_alone(const tetralab_player *player, const tetralab_rules *rules, uint64_t seed,
                                 uint64_t game) {
    static char pieces[LONGEST + 2];
    assert_int_equal(tetralab_pieces(rules, seed, game, LONGEST + 1, pieces), LONGEST + 1);
    uint32_t columns[TETRALAB_MAX_WIDTH] = {0};
    tetralab_score score = {.lines = 0};
    for (int i = 0; i < LONGEST && !score.ended; i++) {
        tetralab_move move;
        assert_done(tetralab_choose(player, columns, pieces[i], pieces[i + 1], &move, &error));
        if (move.orientation >= 0)
            assert_done(tetralab_place(rules, columns, &move, pieces[i + 1], &error));
        score.lines += (uint64_t)move.lines;
        score.pieces += move.placed;
        score.ended = move.ends;
    }
    return score;
}

static void a_loop_of_choose_and_place_plays_the_same_games(void **state) {
    (void)state;
    static const char *const rows[][3] = {{"bcts", "6x8", "simplified"},
                                          {"dellacherie", "6x8", "simplified"},
                                          {"bcts-2", "5x6", "simplified"},
                                          {"dellacherie", "7x10", "original"}};
    for (int r = 0; r < 4; r++) {
        tetralab_rules *rules = new_rules(rows[r][1]);
        assert_done(tetralab_rules_set(rules, "rules", rows[r][2], &error));
        tetralab_player *player = player_under(rows[r][0], rules, NULL);
        tetralab_score scores[5];
        assert_done(tetralab_play(player, 3, 5, 1, scores, NULL, NULL, NULL, &error));
        for (uint64_t game = 0; game < 5; game++) {
            tetralab_score score = play_alone(player, rules, 3, game);
            assert_true(score.ended && scores[game].ended && score.pieces > 0);
            assert_int_equal(score.lines, scores[game].lines);
            assert_int_equal(score.pieces, scores[game].pieces);
        }
        tetralab_player_free(player);
        tetralab_rules_free(rules);
    }
}

static void assert_same_scores(const tetralab_score *a, const tetralab_score *b, int count) {
    for (int i = 0; i < count; i++) {
        assert_int_equal(a[i].lines, b[i].lines);
        assert_int_equal(a[i].pieces, b[i].pieces);
        assert_int_equal(a[i].ended, b[i].ended);
    }
}

static void scores_do_not_depend_on_threads_nor_on_what_becomes_of_the_handles(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("6x8");
    tetralab_strategy *strategy = tetralab_strategy_load("bcts", &error);
    tetralab_player *player = tetralab_player_new(strategy, rules, NULL, &error);
    assert_done(player);
    tetralab_score expected[GAMES], scores[GAMES];
    uint64_t played = 0;
    assert_done(tetralab_play(player, 9, GAMES, 1, expected, &played, NULL, NULL, &error));
    assert_int_equal(played, GAMES);
    assert_done(tetralab_rules_set(rules, "board", "10x20", &error));
    tetralab_rules_free(rules);
    tetralab_strategy_free(strategy);
    for (int threads = 0; threads <= 3; threads++) {
        assert_done(tetralab_play(player, 9, GAMES, threads, scores, NULL, NULL, NULL, &error));
        assert_same_scores(scores, expected, GAMES);
    }
    tetralab_player_free(player);
}

typedef struct Caller {
    const tetralab_player *player;
    tetralab_score scores[GAMES];
    bool good;
} Caller;

static void *play_in_thread(void *argument) {
    Caller *caller = argument;
    caller->good = tetralab_play(caller->player, 9, GAMES, 2, caller->scores, NULL, NULL, NULL, NULL);
    return NULL;
}

static void threads_of_the_caller_share_a_player(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("6x8");
    tetralab_player *player = player_under("bcts", rules, NULL);
    Caller callers[3];
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) {
        callers[i].player = player;
        assert_int_equal(pthread_create(&threads[i], NULL, play_in_thread, &callers[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        assert_true(callers[i].good);
        assert_same_scores(callers[i].scores, callers[0].scores, GAMES);
    }
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

static void max_pieces_stops_games_that_then_have_not_ended(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    assert_done(tetralab_rules_set(rules, "max-pieces", "100", &error));
    tetralab_player *player = player_under("bcts", rules, NULL);
    tetralab_score scores[GAMES];
    tetralab_summary summary;
    assert_done(tetralab_play(player, 1, GAMES, 0, scores, NULL, NULL, NULL, &error));
    for (int i = 0; i < GAMES; i++)
        assert_true(scores[i].pieces == 100 && !scores[i].ended);
    assert_done(tetralab_summarise(scores, GAMES, &summary, &error));
    assert_true(summary.ended == 0 && summary.games == GAMES && summary.pieces == 100 * GAMES);
    assert_true(isinf(summary.mean) && isinf(summary.exact.high) && summary.exact.low > 0);
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

typedef struct Watch {
    int calls;
    bool wrong;
} Watch;

static bool stop_at_once(void *context, const tetralab_status *status) {
    Watch *watch = context;
    watch->calls++;
    watch->wrong |= status->games != TETRALAB_MAX_GAMES;
    return status->pieces == 0;
}

static void progress_can_stop_the_games(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    tetralab_player *player = player_under("bcts", rules, NULL);
    tetralab_score *scores = malloc(TETRALAB_MAX_GAMES * sizeof *scores);
    Watch watch = {0, false};
    uint64_t played = TETRALAB_MAX_GAMES;
    assert_non_null(scores);
    assert_done(
        tetralab_play(player, 1, TETRALAB_MAX_GAMES, 2, scores, &played, stop_at_once, &watch, &error));
    assert_true(watch.calls > 0 && !watch.wrong && played > 0 && played < 1000);
    uint64_t stopped = 0; // a busy machine stops late: some may have ended before
    for (uint64_t i = 0; i < played; i++)
        stopped += !scores[i].ended;
    assert_true(stopped > 0);
    free(scores);
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

static void numbers_out_of_range_are_refused(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("6x8");
    tetralab_player *player = player_under("bcts", rules, NULL);
    tetralab_score score = {.lines = 77};
    tetralab_summary summary;
    assert_refused(tetralab_play(player, 1, 0, 1, &score, NULL, NULL, NULL, &error), "1 to 10000000");
    assert_refused(
        tetralab_play(player, 1, (uint64_t)TETRALAB_MAX_GAMES + 1, 1, &score, NULL, NULL, NULL, &error),
        "10000001 games are too many");
    assert_refused(tetralab_play(player, 1, 1, -1, &score, NULL, NULL, NULL, &error), "not by -1");
    assert_refused(tetralab_play(player, 1, 1, TETRALAB_MAX_THREADS + 1, &score, NULL, NULL, NULL, &error),
                   "not by 1025");
    assert_refused(tetralab_summarise(&score, 0, &summary, &error), "no score");
    assert_int_equal(score.lines, 77);
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

// Four games of 1 to 4 lines: the chi-square points of 8 degrees are 2.1797 and 17.5345.
static void the_summary_is_that_of_the_formulas(void **state) {
    (void)state;
    const tetralab_score scores[4] = {{4, 12, true}, {1, 7, true}, {3, 11, true}, {2, 9, true}};
    tetralab_summary summary;
    assert_done(tetralab_summarise(scores, 4, &summary, &error));
    assert_true(summary.games == 4 && summary.ended == 4 && summary.lines == 10 && summary.pieces == 39);
    assert_true(summary.minimum == 1 && summary.maximum == 4 && !summary.median_is_bound);
    assert_true(summary.mean == 2.5 && summary.median == 2.5);
    assert_true(fabs(summary.sd - sqrt(5 / 3.0)) < 1e-12);
    assert_true(fabs(summary.exact.low - 20 / 17.5345) < 1e-4 &&
                fabs(summary.exact.high - 20 / 2.1797) < 1e-3);
    assert_true(summary.rule.low == 0 && summary.rule.high == 5);
    assert_true(fabs(summary.normal.high - 2.5 - 3.18245 * summary.sd / 2) < 1e-4);
}

static void enough_games_make_the_interval_as_narrow_as_asked(void **state) {
    (void)state;
    uint64_t games = tetralab_games_for(0.5);
    assert_true(games > 4 && games < 40);
    tetralab_score *scores = calloc(games, sizeof *scores);
    for (uint64_t i = 0; i < games; i++)
        scores[i] = (tetralab_score){1000, 2500, true};
    tetralab_summary enough, fewer;
    assert_done(tetralab_summarise(scores, games, &enough, &error));
    assert_done(tetralab_summarise(scores, games / 2, &fewer, &error));
    assert_true(enough.exact.high <= 1.5 * enough.mean && fewer.exact.high > 1.5 * fewer.mean);
    assert_int_equal(tetralab_games_for(0), TETRALAB_MAX_GAMES);
    assert_int_equal(tetralab_games_for(NAN), TETRALAB_MAX_GAMES);
    free(scores);
}

static void set_recorded_pieces(tetralab_rules *rules, const char *letters) {
    char path[] = "/tmp/tetralab_test_api_XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    fputs(letters, out);
    fclose(out);
    bool good = tetralab_rules_set(rules, "pieces", path, &error);
    remove(path);
    assert_done(good);
}

static void recorded_pieces_give_the_same_game_until_there_are_no_more(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("6x8");
    tetralab_player *player = player_under("bcts", rules, NULL);
    tetralab_score expected, score;
    assert_done(tetralab_play(player, 3, 1, 1, &expected, NULL, NULL, NULL, &error));
    tetralab_player_free(player);
    for (size_t missing = 0; missing <= 5; missing += 5) { // the last piece is the one that ended the game
        size_t count = (size_t)expected.pieces + 1 - missing;
        char *letters = malloc(count + 1), again[8];
        assert_done(tetralab_rules_set(rules, "pieces", "uniform", &error));
        memset(letters, '?', count + 1);
        assert_int_equal(tetralab_pieces(rules, 3, 0, count, letters), count);
        assert_int_equal(strlen(letters), count);
        set_recorded_pieces(rules, letters);
        assert_int_equal(tetralab_pieces(rules, 1, 0, 7, again), 7);
        assert_memory_equal(again, letters, 7);
        player = player_under("bcts", rules, NULL);
        set_recorded_pieces(rules, "OOOOOOO");
        assert_done(tetralab_play(player, 1, 1, 1, &score, NULL, NULL, NULL, &error));
        assert_int_equal(score.ended, missing == 0);
        assert_int_equal(score.pieces, missing ? count : expected.pieces);
        assert_true(missing || score.lines == expected.lines);
        tetralab_player_free(player);
        free(letters);
    }
    char few[20];
    assert_int_equal(tetralab_pieces(rules, 1, 0, 19, few), 7);
    assert_string_equal(few, "OOOOOOO");
    tetralab_rules_free(rules);
}

// ---- features

static void every_feature_has_a_value_on_a_board(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("4x5");
    uint32_t columns[4];
    assert_done(tetralab_board_parse(rules, "#...\n.#..\n##.#\n", columns, &error));
    int count = 0;
    for (const char *name; (name = tetralab_feature_name(count)); count++) {
        double values[TETRALAB_MAX_VALUES];
        assert_true(strlen(tetralab_feature_family(count)) > 0 &&
                    strlen(tetralab_feature_meaning(count)) > 0);
        int numbers = tetralab_feature_values(rules, name, columns, NULL, values, &error);
        assert_in_range(numbers, 1, TETRALAB_MAX_VALUES);
        if (!strcmp(tetralab_feature_family(count), "move"))
            assert_true(values[0] == 0);
        if (!strcmp(name, "holes"))
            assert_true(values[0] == 1);
        if (!strcmp(name, "column-heights"))
            assert_true(numbers == 4 && values[0] == 3 && values[1] == 2 && values[2] == 0 && values[3] == 1);
    }
    assert_true(count >= 34);
    assert_null(tetralab_feature_name(-1));
    assert_null(tetralab_feature_family(count));
    assert_null(tetralab_feature_meaning(count));
    tetralab_rules_free(rules);
}

static void features_of_many_boards_are_those_of_each(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("4x5");
    const char *names[] = {"column-differences", "landing-height", "holes", "mean-height", "mean-hole-depth"};
    uint32_t columns[20][4];
    double values[20][7];
    for (int b = 0; b < 20; b++)
        for (int x = 0; x < 4; x++)
            columns[b][x] = (uint32_t)(7 * b + 5 * x * x) % 31 & ~(x == b % 4 ? 31u : 0);
    assert_done(tetralab_features_of_boards(rules, names, 5, columns[0], 20, values[0], &error) == 7);
    assert_int_equal(tetralab_features_of_boards(rules, names, 5, NULL, 0, NULL, &error), 7);
    for (int b = 0; b < 20; b++)
        for (int i = 0, at = 0; i < 5; i++) {
            double one[TETRALAB_MAX_VALUES];
            int numbers = tetralab_feature_values(rules, names[i], columns[b], NULL, one, &error);
            for (int v = 0; v < numbers; v++)
                assert_true(fabs(one[v] - values[b][at++]) < 1e-12);
        }
    columns[13][2] = 32;
    assert_refused(tetralab_features_of_boards(rules, names, 5, columns[0], 20, values[0], &error) >= 0,
                   "Board 13: Column 2 of the board");
    names[4] = "holse";
    assert_refused(tetralab_features_of_boards(rules, names, 5, columns[0], 1, values[0], &error) >= 0,
                   "did you mean \"holes\"");
    names[4] = "holes";
    assert_refused(tetralab_features_of_boards(rules, names, 5, columns[0], 1, values[0], &error) >= 0,
                   "\"holes\" is there twice");
    tetralab_rules_free(rules);
}

static double move_feature(const tetralab_rules *rules, const char *name, const uint32_t *columns,
                           const tetralab_move *move) {
    double values[TETRALAB_MAX_VALUES];
    assert_done(tetralab_feature_values(rules, name, columns, move, values, &error) == 1);
    return values[0];
}

static void features_of_a_move_are_of_the_board_after_it(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("4x8");
    const uint32_t columns[4] = {3, 3, 3, 0};
    tetralab_move move = {.piece = 'I', .orientation = 1, .column = 3};
    double values[TETRALAB_MAX_VALUES];
    assert_true(move_feature(rules, "removed-lines", columns, &move) == 2);
    assert_true(move_feature(rules, "eroded-cells", columns, &move) == 4);
    assert_true(move_feature(rules, "landing-height", columns, &move) == 1.5);
    assert_true(move_feature(rules, "cells", columns, &move) == 2);
    move.column = 0; // up to row 5
    assert_true(move_feature(rules, "max-height", columns, &move) == 6);
    move.column = 4;
    assert_int_equal(tetralab_feature_values(rules, "cells", columns, &move, values, &error), -1);
    assert_int_equal(tetralab_feature_values(rules, "hole", columns, NULL, values, &error), -1);
    assert_non_null(strstr(error.text, "did you mean \"holes\""));
    tetralab_rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_library_has_the_version_of_the_header),
        cmocka_unit_test(every_builtin_strategy_loads_and_says_where_it_is_from),
        cmocka_unit_test(a_strategy_written_as_json_is_read_back_as_the_same),
        cmocka_unit_test(wrong_strategies_are_refused_with_their_place),
        cmocka_unit_test(strategies_come_from_files_too),
        cmocka_unit_test(every_setting_can_be_set_and_read),
        cmocka_unit_test(impossible_settings_are_refused_and_change_nothing),
        cmocka_unit_test(rules_that_exclude_each_other_are_refused_where_they_are_used),
        cmocka_unit_test(numbers_have_a_point_whatever_the_locale),
        cmocka_unit_test(a_board_is_read_and_printed),
        cmocka_unit_test(boards_that_no_game_reaches_are_refused_everywhere),
        cmocka_unit_test(the_player_completes_four_rows_with_an_upright_i),
        cmocka_unit_test(shapes_are_drawn_as_in_the_header),
        cmocka_unit_test(an_empty_board_has_the_placements_of_the_papers),
        cmocka_unit_test(impossible_placements_are_refused_and_leave_the_board),
        cmocka_unit_test(moves_that_end_the_game_are_told_apart),
        cmocka_unit_test(without_a_move_left_none_is_made),
        cmocka_unit_test(under_the_original_rules_the_next_piece_must_have_room),
        cmocka_unit_test(every_kernel_makes_the_same_moves),
        cmocka_unit_test(ties_at_random_have_one_answer_to_one_question),
        cmocka_unit_test(a_loop_of_choose_and_place_plays_the_same_games),
        cmocka_unit_test(ranked_moves_say_what_every_feature_gives),
        cmocka_unit_test(scores_do_not_depend_on_threads_nor_on_what_becomes_of_the_handles),
        cmocka_unit_test(threads_of_the_caller_share_a_player),
        cmocka_unit_test(max_pieces_stops_games_that_then_have_not_ended),
        cmocka_unit_test(progress_can_stop_the_games),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(the_summary_is_that_of_the_formulas),
        cmocka_unit_test(enough_games_make_the_interval_as_narrow_as_asked),
        cmocka_unit_test(recorded_pieces_give_the_same_game_until_there_are_no_more),
        cmocka_unit_test(every_feature_has_a_value_on_a_board),
        cmocka_unit_test(features_of_many_boards_are_those_of_each),
        cmocka_unit_test(features_of_a_move_are_of_the_board_after_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
