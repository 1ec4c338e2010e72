// SPDX-License-Identifier: GPL-3.0-or-later
// Players that do more than rate, as a user's program has them: UCT, UCT with a database, tables of values.
#include <dirent.h>
#include <malloc.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <tetralab.h>

static tetralab_error error;
static char folder[64];

#define assert_done(call)                                                                                    \
    do {                                                                                                     \
        if (!(call))                                                                                         \
            fail_msg("%s", error.text);                                                                      \
    } while (0)

static const char *in_folder(const char *name) {
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int make_folder(void **state) {
    (void)state;
    strcpy(folder, "/tmp/tetralab_test_api_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int files_in_folder(void) {
    int count = 0;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));)
        count += entry->d_name[0] != '.';
    closedir(open);
    return count;
}

static int remove_folder(void **state) {
    (void)state;
    DIR *open = opendir(folder);
    for (struct dirent *entry; open && (entry = readdir(open));)
        remove(in_folder(entry->d_name));
    closedir(open);
    return rmdir(folder);
}

static tetralab_rules *new_rules(const char *board) {
    tetralab_rules *rules = tetralab_rules_new();
    assert_non_null(rules);
    assert_done(tetralab_rules_set(rules, "board", board, &error));
    return rules;
}

static tetralab_player *parsed_player(const char *text, const tetralab_rules *rules) {
    tetralab_strategy *strategy = tetralab_strategy_parse("made", text, strlen(text), &error);
    assert_done(strategy);
    tetralab_player *player = tetralab_player_new(strategy, rules, NULL, &error);
    tetralab_strategy_free(strategy);
    return player;
}

static const char planner[] = "{\"player\": \"uct\", \"pieces\": 3, \"phases\": 200, "
                              "\"gamma\": [-0.2, -0.2, -0.2, -0.2, -0.2]}";

// ---- UCT

// Boards that differ, so that each call plans a tree of its own.
static void ask(const tetralab_player *player, unsigned number, tetralab_move *move) {
    uint32_t columns[10] = {0};
    for (int x = 0; x < 9; x++)
        columns[x] = (number >> x & 1) ? 3 : 1;
    assert_done(tetralab_choose(player, columns, 'T', 'I', move, &error));
}

static void uct_has_one_answer_to_one_question(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    tetralab_player *player = parsed_player(planner, rules), *other = parsed_player(planner, rules);
    assert_true(player && other);
    for (unsigned i = 0; i < 10; i++) {
        tetralab_move first, move;
        ask(player, i, &first);
        for (int again = 0; again < 3; again++) {
            ask(again ? player : other, i, &move);
            assert_true(move.orientation == first.orientation && move.column == first.column);
        }
    }
    tetralab_player_free(player);
    tetralab_player_free(other);
    tetralab_rules_free(rules);
}

static void uct_keeps_nothing_of_a_question(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    tetralab_player *player = parsed_player(planner, rules);
    assert_non_null(player);
    tetralab_move move;
    unsigned i = 0;
    for (; i < 50; i++)
        ask(player, i, &move);
    size_t before = mallinfo2().uordblks; // 0 with a sanitizer's allocator
    for (; i < 350; i++)
        ask(player, i, &move);
    size_t after = mallinfo2().uordblks;
    if (after > before + 100 * 1024)
        fail_msg("300 questions have left %zu bytes", after - before);
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

static void uct_ranks_the_move_that_it_chooses_first_and_sees_all_known_pieces(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    tetralab_player *player = parsed_player(planner, rules);
    assert_non_null(player);
    uint32_t columns[10] = {1, 3, 1, 1, 0, 0, 1, 1, 1, 3};
    tetralab_ranked two[TETRALAB_MAX_MOVES], three[TETRALAB_MAX_MOVES];
    tetralab_move move;
    assert_done(tetralab_choose(player, columns, 'T', 'I', &move, &error));
    int count = tetralab_rank(player, columns, 'T', "I", two, &error);
    assert_int_equal(count, 34);
    assert_true(two[0].chosen && two[0].move.column == move.column && two[0].visits > 0);
    assert_true(two[0].move.orientation == move.orientation && two[0].move.row == move.row);
    uint64_t visits = 0;
    bool differs = false;
    for (int k = 0; k < count; k++)
        visits += two[k].visits;
    assert_int_equal(visits, 200); // its phases
    assert_int_equal(tetralab_rank(player, columns, 'T', "IO", three, &error), count);
    for (int k = 0; k < count; k++)
        differs |= two[k].visits != three[k].visits;
    assert_true(differs); // the third piece is not drawn any more
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

static void uct_plays_the_same_games_on_any_number_of_threads(void **state) {
    (void)state;
    enum { GAMES = 4 };
    tetralab_rules *rules = new_rules("6x8");
    assert_done(tetralab_rules_set(rules, "max-pieces", "60", &error));
    tetralab_player *player = parsed_player(planner, rules);
    assert_non_null(player);
    tetralab_score one[GAMES], three[GAMES];
    assert_done(tetralab_play(player, 5, GAMES, 1, one, NULL, NULL, NULL, &error));
    assert_done(tetralab_play(player, 5, GAMES, 3, three, NULL, NULL, NULL, &error));
    for (int g = 0; g < GAMES; g++) {
        assert_int_equal(one[g].pieces, three[g].pieces);
        assert_int_equal(one[g].lines, three[g].lines);
    }
    assert_true(one[0].lines > 0);
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

// ---- a database

static tetralab_player *learner(const char *path, const tetralab_rules *rules) {
    char text[1024];
    snprintf(text, sizeof text, "{\"player\": \"uct\", \"pieces\": 2, \"phases\": 50, \"database\": \"%s\"}",
             path);
    return parsed_player(text, rules);
}

static void a_database_is_made_with_the_player_and_outlives_it(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    assert_int_equal(files_in_folder(), 0);
    tetralab_player *player = learner(in_folder("states"), rules);
    assert_done(player);
    assert_true(files_in_folder() > 0);
    tetralab_move move;
    ask(player, 1, &move);
    assert_done(tetralab_player_flush(player, &error));
    tetralab_player_free(player);
    player = learner(in_folder("states"), rules);
    assert_done(player);
    ask(player, 1, &move);
    assert_done(tetralab_player_flush(player, &error));
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

static void a_file_that_is_no_database_is_refused_and_left_alone(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    FILE *out = fopen(in_folder("notes"), "w");
    assert_non_null(out);
    fputs("not a database\n", out);
    fclose(out);
    *error.text = 0;
    assert_null(learner(in_folder("notes"), rules));
    assert_non_null(strstr(error.text, "notes"));
    char line[32] = "";
    FILE *in = fopen(in_folder("notes"), "r");
    assert_non_null(fgets(line, sizeof line, in));
    fclose(in);
    assert_string_equal(line, "not a database\n");
    assert_null(learner(in_folder("no/such/folder"), rules));
    tetralab_rules_free(rules);
}

static void players_without_a_database_have_nothing_to_flush(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    tetralab_player *player = parsed_player("{\"weights\": {\"holes\": -1}}", rules);
    assert_non_null(player);
    assert_done(tetralab_player_flush(player, &error));
    assert_int_equal(files_in_folder(), 0);
    tetralab_player_free(player);
    tetralab_rules_free(rules);
}

// ---- a table of values

// The optimum of 4x4 is 9.787659 lines (tetralab solve --board 4x4).
static void a_table_plays_as_well_as_can_be(void **state) {
    (void)state;
#ifdef TETRALAB_PROGRAM
    enum { GAMES = 4000 };
    static tetralab_score scores[GAMES];
    char command[1024];
    snprintf(command, sizeof command,
             "%s solve --board 4x4 --check-games 0 --jobs 1 --out '%s' >/dev/null 2>&1", TETRALAB_PROGRAM,
             in_folder("best"));
    assert_int_equal(system(command), 0);
    tetralab_rules *rules = new_rules("4x4");
    tetralab_strategy *strategy = tetralab_strategy_load(in_folder("best.json"), &error);
    assert_done(strategy);
    tetralab_player *player = tetralab_player_new(strategy, rules, NULL, &error);
    assert_done(player);
    tetralab_summary summary;
    assert_done(tetralab_play(player, 1, GAMES, 1, scores, NULL, NULL, NULL, &error));
    assert_done(tetralab_summarise(scores, GAMES, &summary, &error));
    if (fabs(summary.mean - 9.787659) > 4 * summary.sd / sqrt(GAMES))
        fail_msg("seed 1: the mean is %.4f lines", summary.mean);
    uint32_t columns[4] = {1, 1, 1, 0};
    tetralab_move move;
    assert_done(tetralab_choose(player, columns, 'I', 0, &move, &error));
    assert_true(move.placed && !move.ends);
    tetralab_ranked ranked[TETRALAB_MAX_MOVES];
    assert_int_equal(tetralab_rank(player, columns, 'I', NULL, ranked, &error), 5);
    assert_true(ranked[0].chosen && ranked[0].move.column == move.column);
    assert_true(ranked[0].move.orientation == move.orientation && isnan(ranked[0].rating));
    for (int k = 1; k < 5; k++)
        assert_true(ranked[k].move.ends ? isnan(ranked[k].value) : ranked[k].value <= ranked[k - 1].value);
    tetralab_rules *larger = new_rules("4x5");
    *error.text = 0;
    assert_null(tetralab_player_new(strategy, larger, NULL, &error));
    assert_non_null(strstr(error.text, "best.values"));
    tetralab_player_free(player);
    tetralab_strategy_free(strategy);
    tetralab_rules_free(larger);
    tetralab_rules_free(rules);
#else
    skip();
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uct_has_one_answer_to_one_question),
        cmocka_unit_test(uct_keeps_nothing_of_a_question),
        cmocka_unit_test(uct_ranks_the_move_that_it_chooses_first_and_sees_all_known_pieces),
        cmocka_unit_test(uct_plays_the_same_games_on_any_number_of_threads),
        cmocka_unit_test_setup_teardown(a_database_is_made_with_the_player_and_outlives_it, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_file_that_is_no_database_is_refused_and_left_alone, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(players_without_a_database_have_nothing_to_flush, make_folder,
                                        remove_folder),
        cmocka_unit_test_setup_teardown(a_table_plays_as_well_as_can_be, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
