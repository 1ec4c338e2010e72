// SPDX-License-Identifier: GPL-3.0-or-later
// Patterns: a board is worth as much as its mirror image; files come back as they were written, and damaged
// ones are refused; looking ahead is what its definition says; temporal differences find the values of a game
// that is solved, and learn to play.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "learn/td.h"
#include "player/patterns_file.h"
#include "player/patterns_search.h"
#include "random_boards.h"

enum { BOARDS = 60 };

static void random_numbers(Patterns *patterns, int width, int height, Random *random) {
    assert_true(patterns_make(patterns, width, height, 0));
    for (size_t i = 0; i < patterns->size; i++)
        patterns->number[i] = (int32_t)random_below(random, 1 << 22) - (1 << 21);
}

static int64_t value_of(const Patterns *patterns, const Board *board) {
    uint32_t place[PATTERNS_SHOWN];
    int64_t value = 0;
    assert_int_equal(patterns_find(patterns, board, place), patterns->shown);
    for (int i = 0; i < patterns->shown; i++) {
        assert_true(place[i] < patterns->size);
        value += patterns->number[place[i]];
    }
    return value;
}

static void set_rules(Rules *rules, int width, int height, const char *overflow, const char *pieces) {
    Error error = {""};
    char board[16];
    snprintf(board, sizeof board, "%dx%d", width, height);
    rules_default(rules);
    if (!rules_set(rules, "board", board, &error) || !rules_set(rules, "overflow", overflow, &error) ||
        !rules_set(rules, "pieces", pieces, &error))
        fail_msg("%s", error.text);
}

// ---------------------------------------------------------------------------------------------------

static void a_board_and_its_mirror_image_are_worth_the_same(void **state) {
    (void)state;
    Random random = random_stream(4, 0, RANDOM_TEST);
    for (int width = BOARD_MIN_WIDTH; width <= BOARD_MAX_WIDTH; width += 3) {
        Patterns patterns;
        random_numbers(&patterns, width, 8, &random);
        int different = 0;
        int64_t last = 0;
        for (int k = 0; k < BOARDS; k++) {
            Board board, mirrored = {0};
            random_board(&board, &random, width, random_between(&random, 0, 8));
            for (int x = 0; x < width; x++)
                mirrored.column[x] = board.column[width - 1 - x];
            int64_t value = value_of(&patterns, &board);
            assert_int_equal(value, value_of(&patterns, &mirrored));
            different += value != last;
            last = value;
        }
        assert_true(different > BOARDS / 2);
        patterns_free(&patterns);
    }
}

// ---------------------------------------------------------------------------------------------------

// Straight from the definition in patterns_search.h.
static int64_t plain_value(const PatternsSearch *search, const Board *board, int piece, int depth) {
    Moves moves;
    int64_t best = INT64_MIN;
    moves_list(&moves, search->rules, board, piece);
    for (uint64_t left = moves.safe; left; left &= left - 1) {
        const Move *move = &moves.move[__builtin_ctzll(left)];
        Board after = *board;
        int64_t value;
        move_play(&after, search->rules->width, piece, move);
        if (depth > 1) {
            int64_t s = plain_value(search, &after, PIECE_S, depth - 1);
            int64_t z = plain_value(search, &after, PIECE_Z, depth - 1);
            value = (s + z) >> 1;
        } else {
            value = value_of(search->patterns, &after);
        }
        value += (int64_t)move->lines * PATTERNS_LINE;
        best = value > best ? value : best;
    }
    return best == INT64_MIN ? 0 : best;
}

static void looking_ahead_takes_the_move_with_the_best_mean(void **state) {
    (void)state;
    Random random = random_stream(5, 0, RANDOM_TEST);
    Patterns patterns;
    Rules rules;
    random_numbers(&patterns, 5, 7, &random);
    set_rules(&rules, 5, 7, "strict", "sz");
    PatternsSearch search = {.patterns = &patterns, .rules = &rules};
    chances_make(&search.chances, &rules.pieces);
    int lost = 0;
    for (int k = 0; k < BOARDS; k++) {
        Board board;
        random_board(&board, &random, 5, random_between(&random, 0, 7));
        search.depth = 1 + k % 3;
        MoveValues values = {0};
        int piece = k % 2 ? PIECE_S : PIECE_Z;
        uint64_t set = patterns_best(&search, &board, piece, &values);
        lost += !set;
        assert_int_equal(set & ~values.valued, 0);
        int64_t expected = plain_value(&search, &board, piece, search.depth);
        for (uint64_t left = values.valued; left; left &= left - 1) {
            int placement = __builtin_ctzll(left);
            double value = values.value[placement] * PATTERNS_LINE;
            assert_true(set >> placement & 1 ? value == (double)expected : value < (double)expected);
        }
        if (search.depth == 1) { // the learner's own way to the same value
            Move move;
            bool any;
            assert_int_equal(patterns_greedy(&search, &board, piece, &move, &any), expected);
            assert_int_equal(any, set != 0);
        }
    }
    assert_true(lost > 0 && lost < BOARDS / 2);
    rules_free(&rules);
    patterns_free(&patterns);
}

// ---------------------------------------------------------------------------------------------------

static char folder[] = "/tmp/tetralab-td-XXXXXX";
static char *path_of(const char *name) {
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    unlink(path_of("numbers.patterns"));
    return rmdir(folder);
}

static void write_some(Patterns *patterns) {
    Random random = random_stream(6, 0, RANDOM_TEST);
    Error error = {""};
    const int32_t step = PATTERNS_LINE / 1024;
    assert_true(patterns_make(patterns, 5, 6, 7 * step));
    for (int k = 0; k < 1000; k++)
        patterns->number[random_below(&random, (uint32_t)patterns->size)] =
            ((int32_t)random_below(&random, 1 << 20) - (1 << 19)) * step;
    patterns->number[0] = PATTERNS_LARGEST;
    patterns->number[patterns->size - 1] = -PATTERNS_LARGEST;
    if (!patterns_write(patterns, 7 * step, path_of("numbers.patterns"), &error))
        fail_msg("%s", error.text);
}

static void numbers_come_back_from_a_file_as_they_were(void **state) {
    (void)state;
    Patterns patterns, back;
    int32_t first;
    Error error = {""};
    write_some(&patterns);
    if (!patterns_read(&back, &first, path_of("numbers.patterns"), &error))
        fail_msg("%s", error.text);
    assert_int_equal(first, 7 * (PATTERNS_LINE / 1024));
    assert_int_equal(back.width, 5);
    assert_int_equal(back.height, 6);
    assert_int_equal(back.size, patterns.size);
    assert_memory_equal(back.number, patterns.number, patterns.size * sizeof *patterns.number);
    patterns_free(&back);
    patterns_free(&patterns);
}

static void a_file_that_is_cut_off_or_damaged_is_refused(void **state) {
    (void)state;
    Patterns patterns, back;
    int32_t first;
    Error error = {""};
    size_t length;
    write_some(&patterns);
    patterns_free(&patterns);
    char *bytes = text_read_file(path_of("numbers.patterns"), &length, &error);
    assert_non_null(bytes);
    for (size_t cut = 0; cut < length; cut += cut < 64 ? 1 : 97)
        assert_false(patterns_parse(&back, &first, "it", bytes, cut, &error));
    for (size_t at = 0; at < length; at += at < 64 ? 1 : 101) {
        bytes[at] ^= 4;
        assert_false(patterns_parse(&back, &first, "it", bytes, length, &error));
        bytes[at] ^= 4;
    }
    assert_true(patterns_parse(&back, &first, "it", bytes, length, &error));
    patterns_free(&back);
    free(bytes);
}

// ---------------------------------------------------------------------------------------------------

static void learn(Td *td, const Rules *rules, uint64_t moves) {
    Error error = {""};
    *td = (Td){
        .rules = rules, .settings = {.moves = moves, .rate = 1, .lambda = 0.6, .optimism = 5}, .seed = 2};
    if (!td_check(td, &error) || !td_run(td, &error))
        fail_msg("%s", error.text);
}

// One piece, O, on 5x4: the column that no O can fill stays empty, and the game ends after four pieces at
// most, without a line.
static void a_game_without_lines_comes_to_be_worth_nothing(void **state) {
    (void)state;
    Rules rules;
    Td td;
    set_rules(&rules, 5, 4, "strict", "O:1");
    learn(&td, &rules, 20000);
    Board empty = {0};
    PatternsSearch search = {.patterns = &td.patterns, .rules = &rules};
    Move move;
    bool any;
    int64_t value = patterns_greedy(&search, &empty, PIECE_O, &move, &any);
    assert_true(any && llabs(value) < PATTERNS_LINE / 20); // 5 before anything was learned
    assert_true(td.lines == 0 && td.moves == 20000 && td.games >= 5000);
    td_free(&td);
    rules_free(&rules);
}

static void what_is_learned_depends_on_the_seed_alone_and_plays_better(void **state) {
    (void)state;
    Rules rules;
    Td td, again;
    set_rules(&rules, 6, 10, "strict", "sz");
    learn(&again, &rules, 1000);
    double before = (double)again.moves / (double)again.games; // pieces of a game, about
    td_free(&again);
    learn(&td, &rules, 40000);
    learn(&again, &rules, 40000);
    assert_int_equal(td.games, again.games);
    assert_memory_equal(td.patterns.number, again.patterns.number,
                        td.patterns.size * sizeof *td.patterns.number);
    assert_true((td.lines * 6 / 4) > 1.5 * before); // lines -> pieces; the cells that are left come on top
    td_free(&td);
    td_free(&again);
    rules_free(&rules);
}

static void pieces_that_patterns_cannot_value_are_refused(void **state) {
    (void)state;
    static const char *const bad[] = {"bag", "S:2,Z:1", "S:1,Z:1,L:1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Rules rules;
        Error error = {""};
        set_rules(&rules, 10, 20, "lenient", bad[i]);
        assert_false(td_check(&(Td){.rules = &rules}, &error));
        assert_non_null(strstr(error.text, i ? "mirror image" : "independent"));
        rules_free(&rules);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_board_and_its_mirror_image_are_worth_the_same),
        cmocka_unit_test(looking_ahead_takes_the_move_with_the_best_mean),
        cmocka_unit_test(numbers_come_back_from_a_file_as_they_were),
        cmocka_unit_test(a_file_that_is_cut_off_or_damaged_is_refused),
        cmocka_unit_test(a_game_without_lines_comes_to_be_worth_nothing),
        cmocka_unit_test(what_is_learned_depends_on_the_seed_alone_and_plays_better),
        cmocka_unit_test(pieces_that_patterns_cannot_value_are_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
