// SPDX-License-Identifier: GPL-3.0-or-later
// Batches through the public interface, with nothing but the shared library: the games of tetralab_play,
// settings and arrays by name.
#include "api_fixture.h"
#include "effort.h"

static tetralab_rules *rules_of(const char *board, const char *name, const char *value) {
    tetralab_rules *rules = new_rules(board);
    assert_done(tetralab_rules_set(rules, name, value, &error));
    return rules;
}

static tetralab_player *player_of(const char *name, const tetralab_rules *rules) {
    tetralab_strategy *strategy = tetralab_strategy_load(name, &error);
    assert_done(strategy);
    tetralab_player *player = tetralab_player_new(strategy, rules, NULL, &error);
    assert_done(player);
    tetralab_strategy_free(strategy);
    return player;
}

enum { GAMES = 40 };

// Steps until every game has ended once, and compares their scores with those of tetralab_play.
static void compare_with_play(const char *strategy, const tetralab_rules *rules, bool by_actions) {
    tetralab_player *player = player_of(strategy, rules);
    tetralab_batch *batch = tetralab_batch_new(rules, GAMES, &error);
    tetralab_score scores[GAMES];
    uint8_t terminated[GAMES], truncated[GAMES], seen[GAMES] = {0};
    int64_t lines[GAMES], pieces[GAMES], actions[GAMES];
    uint64_t seeds[GAMES], numbers[GAMES];
    assert_done(batch);
    assert_done(tetralab_batch_set(batch, "autoreset", "same-step", &error));
    assert_done(tetralab_batch_bind(batch, "terminated", terminated, sizeof terminated, &error));
    assert_done(tetralab_batch_bind(batch, "truncated", truncated, sizeof truncated, &error));
    assert_done(tetralab_batch_bind(batch, "final-lines", lines, sizeof lines, &error));
    assert_done(tetralab_batch_bind(batch, "final-pieces", pieces, sizeof pieces, &error));
    for (int k = 0; k < GAMES; k++) {
        seeds[k] = 77;
        numbers[k] = (uint64_t)k;
    }
    tetralab_batch_reset(batch, seeds, numbers, NULL);
    assert_done(tetralab_play(player, 77, GAMES, 1, scores, NULL, NULL, NULL, &error));
    for (int left = GAMES; left;) {
        if (by_actions) {
            assert_done(tetralab_batch_choose(batch, player, actions, &error));
            assert_done(tetralab_batch_step(batch, actions, &error));
        } else {
            assert_done(tetralab_batch_play(batch, player, &error));
        }
        for (int k = 0; k < GAMES; k++)
            if ((terminated[k] || truncated[k]) && !seen[k]++) {
                assert_int_equal(lines[k], scores[k].lines);
                assert_int_equal(pieces[k], scores[k].pieces);
                assert_int_equal(terminated[k], scores[k].ended);
                left--;
            }
    }
    tetralab_batch_free(batch);
    tetralab_player_free(player);
}

static void batches_play_the_games_of_tetralab_play(void **state) {
    (void)state;
    static const char *const rows[][4] = {
        {"bcts", "10x8", "overflow", "strict"},   {"bcts", "10x20", "max-pieces", "150"},
        {"xtris", "8x7", "pieces", "bag"},        {"dellacherie", "10x9", "rules", "original"},
        {"fahey", "6x6", "gameover", "evaluate"}, {"dt-10", "7x8", "pieces", "sz"}};
    for (uint64_t i = 0; i < 6 && i < test_effort(40); i++) { // two under the sanitizers
        tetralab_rules *rules = rules_of(rows[i][1], rows[i][2], rows[i][3]);
        compare_with_play(rows[i][0], rules, false);
        compare_with_play(rows[i][0], rules, true);
        tetralab_rules_free(rules);
    }
}

static void a_new_batch_has_the_first_games_of_seed_1(void **state) {
    (void)state;
    tetralab_rules *rules = rules_of("10x20", "pieces", "bag");
    tetralab_batch *batch = tetralab_batch_new(rules, 3, &error);
    uint8_t queue[3][6];
    uint64_t seed[3];
    assert_done(batch);
    assert_done(tetralab_batch_set(batch, "previews", "5", &error));
    assert_done(tetralab_batch_bind(batch, "queue", queue, sizeof queue, &error));
    assert_done(tetralab_batch_bind(batch, "seed", seed, sizeof seed, &error));
    tetralab_batch_write(batch);
    for (uint64_t k = 0; k < 3; k++) {
        char letters[7];
        tetralab_pieces(rules, 1, k, 6, letters);
        assert_int_equal(seed[k], 1);
        for (int i = 0; i < 6; i++)
            assert_int_equal("OISZLJT"[queue[k][i]], letters[i]);
    }
    tetralab_batch_free(batch);
    tetralab_rules_free(rules);
}

static void settings_are_read_back_as_they_were_set(void **state) {
    (void)state;
    static const char *const rows[][3] = {{"autoreset", "next-step", "disabled"},
                                          {"reward", "lines", "uct"},
                                          {"illegal", "refuse", "end"},
                                          {"previews", "1", "7"},
                                          {"threads", "1", "0"},
                                          {"stride", "1", "1000"},
                                          {"features", "none", "du,max-height"}};
    tetralab_rules *rules = tetralab_rules_new();
    tetralab_batch *batch = tetralab_batch_new(rules, 2, &error);
    char value[TETRALAB_MAX_VALUE];
    for (int i = 0; i < 7; i++) {
        assert_string_equal(tetralab_batch_setting(i), rows[i][0]);
        assert_done(tetralab_batch_get(batch, rows[i][0], value, &error));
        assert_string_equal(value, rows[i][1]);
        assert_done(tetralab_batch_set(batch, rows[i][0], rows[i][2], &error));
        assert_done(tetralab_batch_get(batch, rows[i][0], value, &error));
        assert_string_equal(value, rows[i][2]);
    }
    assert_null(tetralab_batch_setting(7));
    assert_refused(tetralab_batch_set(batch, "preview", "1", &error), "\"previews\"");
    assert_refused(tetralab_batch_set(batch, "previews", "33", &error), "previews: ");
    assert_refused(tetralab_batch_set(batch, "features", "hole", &error), "\"holes\"");
    assert_refused(tetralab_batch_get(batch, "seed", value, &error), "no setting");
    assert_done(tetralab_batch_get(batch, "features", value, &error));
    assert_string_equal(value, "du,max-height");
    tetralab_batch_free(batch);
    tetralab_rules_free(rules);
}

static void every_array_can_be_bound_with_the_bytes_it_says(void **state) {
    (void)state;
    tetralab_rules *rules = rules_of("7x9", "overflow", "touch");
    tetralab_batch *batch = tetralab_batch_new(rules, 5, &error);
    tetralab_array array;
    int count = 0;
    assert_done(tetralab_batch_set(batch, "features", "bertsekas", &error)); // 1 + 1 + 7 + 6
    for (; tetralab_batch_array(batch, count, &array); count++) {
        char name[64];
        size_t items = 1,
               bytes = (size_t)strtol(array.type + strcspn(array.type, "0123456789"), NULL, 10) / 8;
        for (int d = 0; d < array.dimensions; d++)
            items *= array.shape[d];
        assert_int_equal(array.bytes, items * bytes);
        assert_int_equal(array.shape[0], 5);
        if (!strcmp(array.name, "move-features"))
            assert_int_equal(items, 5 * 28 * 15);
        void *data = malloc(array.bytes);
        snprintf(name, sizeof name, "final-%s", array.name);
        assert_done(tetralab_batch_bind(batch, array.name, data, array.bytes, &error));
        assert_int_equal(tetralab_batch_bind(batch, name, data, array.bytes, &error), array.has_final);
        assert_refused(tetralab_batch_bind(batch, array.name, data, array.bytes + 1, &error), "bytes");
        tetralab_batch_write(batch);
        assert_done(tetralab_batch_bind(batch, array.name, NULL, 0, &error));
        free(data);
        assert_true(strlen(array.meaning) > 10);
    }
    assert_true(count >= 15);
    tetralab_batch_free(batch);
    tetralab_rules_free(rules);
}

static void impossible_batches_are_refused(void **state) {
    (void)state;
    tetralab_rules *rules = rules_of("10x20", "rules", "original");
    assert_refused(tetralab_batch_new(rules, 0, &error), "1 to 1000000 games");
    assert_done(tetralab_rules_set(rules, "overflow", "touch", &error));
    assert_refused(tetralab_batch_new(rules, 1, &error), "exclude each other");
    assert_null(tetralab_batch_new(rules, 1, NULL));
    tetralab_batch_free(NULL);
    tetralab_rules_free(rules);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_play_the_games_of_tetralab_play),
        cmocka_unit_test(a_new_batch_has_the_first_games_of_seed_1),
        cmocka_unit_test(settings_are_read_back_as_they_were_set),
        cmocka_unit_test(every_array_can_be_bound_with_the_bytes_it_says),
        cmocka_unit_test(impossible_batches_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
