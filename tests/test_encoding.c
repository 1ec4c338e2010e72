// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors become strategies and come back; feature sets are what the papers list.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "learn/encoding.h"
#include "learn/learning.h"
#include "player/player.h"

static Encoding encoding_of(const char *features, int width) {
    Encoding encoding;
    Error error = {""};
    encoding_defaults(&encoding, width);
    if (!encoding_set_features(&encoding, features, &error))
        fail_msg("%s", error.text);
    return encoding;
}

// ---- sets

// Numbers of Table 2.1 of the thesis, in order; 232 is the fast variant of 23.
static const struct {
    const char *name;
    int size; // numbers of a vector on a board of ten columns
    int number[40];
} expected[] = {
    {"lippmann", 4, {1, 2, 3, 16}},
    {"tsitsiklis", 2, {2, 3}},
    {"bertsekas", 21, {2, 3, 4, 5}},
    {"lagoudakis", 9, {2, 3, 10, 11, 12, 13, 14, 15, 16}},
    {"dellacherie", 6, {6, 20, 21, 22, 3, 23}},
    {"fahey", 5, {3, 16, 17, 18, 19}},
    {"ramon", 27, {2, 3, 4, 5, 11, 18, 24, 25, 26, 27}},
    {"xtris", 6, {2, 3, 6, 7, 8, 9}},
    {"boehm", 12, {2, 3, 6, 16, 17, 18, 19, 21, 22, 28, 29, 30}},
    {"langenhoven", 13, {2, 3, 6, 16, 17, 18, 19, 21, 22, 28, 29, 30, 20}},
    {"bd", 26, {2, 3, 4, 5, 6, 20, 21, 22, 23}},
    {"du", 8, {6, 20, 21, 22, 3, 23, 31, 32}},
    {"bcts", 8, {6, 20, 21, 22, 3, 23, 31, 32}},
    {"bdu", 28, {2, 3, 4, 5, 6, 20, 21, 22, 23, 31, 32}},
    {"dt", 9, {6, 20, 21, 22, 3, 232, 31, 32, 33}},
    {"tetr-ai", 52, {0, 16, 21, 22}}, // and five that are not in the thesis
};
enum { SETS = sizeof expected / sizeof *expected };

static void every_set_has_the_features_of_its_paper_in_their_order(void **state) {
    (void)state;
    for (int k = 0; k < SETS; k++) {
        Encoding encoding = encoding_of(expected[k].name, 10);
        for (int i = 0; i < encoding.features; i++)
            assert_int_equal(feature_info[encoding.feature[i]].number, expected[k].number[i]);
        assert_int_equal(expected[k].number[encoding.features], 0);
        assert_int_equal(encoding_size(&encoding), expected[k].size);
    }
    Encoding all = encoding_of("all", 10);
    assert_int_equal(all.features, 33);
    for (int i = 0; i < 33; i++)
        assert_int_equal(feature_info[all.feature[i]].number, i + 1);
}

static void every_listed_set_can_be_given_and_names_its_source(void **state) {
    (void)state;
    int k = 0;
    for (; encoding_feature_set(k); k++) {
        Encoding encoding = encoding_of(encoding_feature_set(k)->name, 10);
        assert_true(encoding.features > 0 && encoding_feature_set(k)->source[0]);
    }
    assert_int_equal(k, SETS + 1);
    assert_null(encoding_feature_set(-1));
}

static void lists_may_hold_sets_and_what_is_there_twice_counts_once(void **state) {
    (void)state;
    Encoding encoding = encoding_of("holes,tsitsiklis,diversity,holes", 10);
    assert_int_equal(encoding.features, 3);
    assert_int_equal(encoding.feature[0], FEATURE_HOLES);
    assert_int_equal(encoding.feature[1], FEATURE_MAX_HEIGHT);
    assert_int_equal(encoding.feature[2], FEATURE_DIVERSITY);
}

static void wrong_lists_are_refused_and_leave_the_encoding_as_it_was(void **state) {
    (void)state;
    static const struct {
        const char *text, *part;
    } wrong[] = {{"", "Give the name"},
                 {"hols", "did you mean \"holes\""},
                 {"dellacheri", "did you mean \"dellacherie\""},
                 {"holes,", "a feature is missing"},
                 {",holes", "a feature is missing"},
                 {"holes,,wells", "a feature is missing"},
                 {"holes wells", "neither a feature nor a set"},
                 {"\x1b[31m", "\"?[31m\" is neither"}};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Encoding encoding = encoding_of("du", 10), before = encoding;
        Error error = {""};
        assert_false(encoding_set_features(&encoding, wrong[k].text, &error));
        if (!strstr(error.text, wrong[k].part))
            fail_msg("\"%s\": %s", wrong[k].text, error.text);
        assert_memory_equal(&encoding, &before, sizeof before);
    }
}

// ---- vectors

static void a_published_player_goes_into_a_vector_and_comes_back(void **state) {
    (void)state;
    static const struct {
        const char *player, *set;
    } cases[] = {{"bcts", "du"}, {"bdu", "bdu"}, {"dt-20", "dt"}, {"ce-d", "all"}, {"ga-free", "all"}};
    for (int k = 0; k < 5; k++) {
        Encoding encoding = encoding_of(cases[k].set, 10);
        Strategy strategy, made;
        Error error = {""};
        double vector[ENCODING_MAX];
        assert_true(strategy_find(&strategy, cases[k].player, &error));
        assert_true(encoding_vector(&encoding, &strategy, vector, &error));
        encoding_strategy(&encoding, vector, "learned", &made);
        assert_string_equal(made.name, "learned");
        for (int id = 0; id < FEATURES; id++)
            for (int x = 0; x < strategy.rating.given[id]; x++)
                assert_true(made.rating.weight[feature_first[id] + x] ==
                            strategy.rating.weight[feature_first[id] + x]);
    }
}

static void features_that_are_not_learned_and_other_boards_are_refused(void **state) {
    (void)state;
    Encoding encoding = encoding_of("dellacherie", 10);
    Strategy strategy;
    Error error = {""};
    double vector[ENCODING_MAX];
    assert_true(strategy_find(&strategy, "bcts", &error));
    assert_false(encoding_vector(&encoding, &strategy, vector, &error));
    assert_non_null(strstr(error.text, "bcts uses hole-depth"));
    encoding = encoding_of("bdu", 8);
    assert_true(strategy_find(&strategy, "bdu", &error));
    assert_false(encoding_vector(&encoding, &strategy, vector, &error));
    assert_non_null(strstr(error.text, "a board of 8 columns needs 8"));
    encoding = encoding_of("bdu", 10);
    encoding.rating = RATING_EXPONENTIAL;
    assert_false(encoding_vector(&encoding, &strategy, vector, &error));
    assert_non_null(strstr(error.text, "linear"));
}

static void exponents_and_displacements_follow_the_weights(void **state) {
    (void)state;
    Encoding encoding = encoding_of("holes,wells", 10);
    encoding.rating = RATING_DISPLACED;
    assert_int_equal(encoding_size(&encoding), 6);
    Strategy strategy;
    encoding_strategy(&encoding, (double[]){-2, 3, 1, -9, 2.5, 99}, "x", &strategy);
    const RatingWeights *rating = &strategy.rating;
    assert_true(rating->weight[feature_first[FEATURE_HOLES]] == -2 &&
                rating->weight[feature_first[FEATURE_WELLS]] == 3);
    assert_true(rating->exponent[FEATURE_HOLES] == 2 && rating->exponent[FEATURE_WELLS] == 0.125);
    assert_true(rating->displacement[FEATURE_HOLES] == 10 && rating->displacement[FEATURE_WELLS] == 40);
    encoding.unit = 100;
    encoding_strategy(&encoding, (double[]){-2, 3, 100, 900, 250, -1}, "x", &strategy);
    assert_true(rating->exponent[FEATURE_HOLES] == 2 && rating->exponent[FEATURE_WELLS] == 8);
    assert_true(rating->displacement[FEATURE_HOLES] == 10 && rating->displacement[FEATURE_WELLS] == 0);
}

static void hidden_units_have_their_inputs_a_bias_and_then_the_outputs(void **state) {
    (void)state;
    Encoding encoding = encoding_of("holes,wells", 10);
    encoding.rating = RATING_NETWORK;
    assert_int_equal(encoding_size(&encoding), 2);
    encoding.hidden = 2;
    assert_int_equal(encoding_size(&encoding), 8);
    Strategy strategy;
    encoding_strategy(&encoding, (double[]){1, 2, 3, 4, 5, 6, 7, 8}, "x", &strategy);
    const HiddenUnit *unit = strategy.rating.unit;
    assert_int_equal(strategy.rating.hidden, 2);
    assert_true(unit[0].weight[FEATURE_HOLES] == 1 && unit[0].weight[FEATURE_WELLS] == 2);
    assert_true(unit[0].bias == 3 && unit[1].weight[FEATURE_HOLES] == 4 && unit[1].bias == 6);
    assert_true(unit[0].output == 7 && unit[1].output == 8);
    static const int groups[] = {2, 2, 2, 3, 3, 3, 2, 3};
    for (int i = 0; i < 8; i++)
        assert_int_equal(encoding_group(&encoding, i), groups[i]);
}

static void a_feature_is_used_if_its_switch_is_above_one_half(void **state) {
    (void)state;
    Encoding encoding = encoding_of("holes,column-heights,wells", 4);
    encoding.choose = true;
    assert_int_equal(encoding_size(&encoding), 9);
    Strategy strategy;
    encoding_strategy(&encoding, (double[]){1, 2, 3, 4, 5, 6, 0.5, 1, 0.51}, "x", &strategy);
    assert_int_equal(strategy.rating.given[FEATURE_HOLES], 0);
    assert_int_equal(strategy.rating.given[FEATURE_COLUMN_HEIGHTS], 4);
    assert_true(strategy.rating.weight[feature_first[FEATURE_COLUMN_HEIGHTS] + 3] == 5);
    assert_int_equal(strategy.rating.given[FEATURE_WELLS], 1);
    assert_true(encoding_is_switch(&encoding, 6) && !encoding_is_switch(&encoding, 5));
    static const int groups[] = {0, 1, 1, 1, 1, 2, 0, 1, 2};
    for (int i = 0; i < 9; i++)
        assert_int_equal(encoding_group(&encoding, i), groups[i]);
    encoding_strategy(&encoding, (double[]){1, 2, 3, 4, 5, 6, 0, 0, 0}, "x", &strategy);
    assert_int_equal(strategy.rating.given[FEATURE_HOLES], 1); // weighing nothing
    assert_true(strategy.rating.weight[feature_first[FEATURE_HOLES]] == 0 &&
                !strategy.rating.given[FEATURE_WELLS]);
}

static void any_vector_makes_a_strategy_that_can_be_rated(void **state) {
    (void)state;
    static const double odd[] = {0, NAN, INFINITY, -INFINITY, 1e308, -1e308, 1e-320, 1};
    for (int rating = RATING_LINEAR; rating <= RATING_DISPLACED; rating++)
        for (int choose = 0; choose < 2; choose++)
            for (int k = 0; k < 8; k++) {
                Encoding encoding = encoding_of("bdu", 10);
                encoding.rating = (RatingKind)rating;
                encoding.choose = choose;
                double vector[ENCODING_MAX];
                for (int i = 0; i < encoding_size(&encoding); i++)
                    vector[i] = odd[(i + k) % 8];
                Strategy strategy;
                Rating made;
                Error error = {""};
                encoding_strategy(&encoding, vector, "odd", &strategy);
                if (!rating_make(&made, &strategy.rating, 10, 20, &error))
                    fail_msg("rating %d, %d: %s", rating, k, error.text);
                rating_free(&made);
            }
}

static void labels_say_what_a_number_is(void **state) {
    (void)state;
    Encoding encoding = encoding_of("holes,column-differences", 4);
    encoding.rating = RATING_DISPLACED;
    encoding.choose = true;
    static const char *const labels[] = {"holes",
                                         "column-differences[1]",
                                         "column-differences[2]",
                                         "column-differences[3]",
                                         "holes^",
                                         "column-differences^",
                                         "holes-",
                                         "column-differences-",
                                         "use holes",
                                         "use column-differences"};
    assert_int_equal(encoding_size(&encoding), 10);
    char label[64];
    for (int i = 0; i < 10; i++) {
        encoding_label(&encoding, i, label);
        assert_string_equal(label, labels[i]);
    }
    encoding = encoding_of("holes", 4);
    encoding.rating = RATING_NETWORK;
    encoding.hidden = 1;
    static const char *const of_unit[] = {"unit 1: holes", "unit 1: bias", "unit 1: output"};
    for (int i = 0; i < 3; i++) {
        encoding_label(&encoding, i, label);
        assert_string_equal(label, of_unit[i]);
    }
}

// ---- checks and JSON

static void what_does_not_go_together_is_refused(void **state) {
    (void)state;
    Error error = {""};
    Encoding encoding = encoding_of("holes", 10);
    encoding.hidden = 1;
    assert_false(encoding_check(&encoding, &error));
    assert_non_null(strstr(error.text, "belong to the rating network"));
    encoding.rating = RATING_NETWORK;
    assert_true(encoding_check(&encoding, &error));
    encoding.hidden = RATING_MAX_HIDDEN + 1;
    assert_false(encoding_check(&encoding, &error));
    encoding = encoding_of("bertsekas", 10);
    encoding.rating = RATING_NETWORK;
    assert_true(encoding_check(&encoding, &error)); // without hidden units it is linear
    encoding.hidden = 1;
    assert_false(encoding_check(&encoding, &error));
    assert_non_null(strstr(error.text, "column-heights has several values"));
    encoding_defaults(&encoding, 10);
    assert_false(encoding_check(&encoding, &error));
    encoding = encoding_of("holes", 10);
    encoding.player = PLAYER_TABLE;
    assert_false(encoding_check(&encoding, &error));
    assert_non_null(strstr(error.text, "A table player has no weights to be learned"));
}

static void an_encoding_comes_back_from_json(void **state) {
    (void)state;
    Encoding encoding = encoding_of("langenhoven", 7), back;
    encoding.rating = RATING_NETWORK;
    encoding.hidden = 3;
    encoding.choose = true;
    encoding.unit = 100;
    encoding.player = PLAYER_TWO_PIECE;
    encoding.ties = TIES_RANDOM;
    Error error = {""};
    json_t *json = encoding_save(&encoding);
    if (!encoding_restore(&back, json, 7, &error))
        fail_msg("%s", error.text);
    assert_memory_equal(&encoding, &back, sizeof back);
    json_decref(json);
}

static void a_scaled_vector_means_the_same_player_and_comes_back_from_json(void **state) {
    (void)state;
    Rules rules;
    rules_default(&rules);
    Encoding encoding = encoding_of("tetr-ai,weighted-cells", 10), back;
    Strategy strategy, made;
    Error error = {""};
    double vector[ENCODING_MAX], weight[ENCODING_MAX];
    if (!encoding_set_scale(&encoding, &rules, &error))
        fail_msg("%s", error.text);
    assert_true(strategy_find(&strategy, "tetr-ai", &error));
    assert_true(encoding_vector(&encoding, &strategy, vector, &error));
    encoding_unscale(&encoding, vector, weight);
    encoding_strategy(&encoding, vector, "made", &made);
    int size = encoding_size(&encoding), last = size - 1;
    for (int i = 0; i < size; i++) {
        assert_true(encoding.scale[i] >= 0.1 && encoding.scale[i] < 100);
        assert_true(i == last || weight[i] == 0 || fabs(vector[i] / weight[i] - encoding.scale[i]) < 1e-9);
    }
    assert_true(encoding.scale[last] > 5); // sums of rows differ more than counts of holes do
    for (int i = 0; i < 5; i++) {
        int at = feature_first[FEATURE_HOLES_BY_COLUMN] + i;
        assert_true(fabs(made.rating.weight[at] - strategy.rating.weight[at]) < 1e-9);
    }
    json_t *json = encoding_save(&encoding);
    assert_true(encoding_restore(&back, json, 10, &error));
    assert_memory_equal(&encoding, &back, sizeof back);
    json_decref(json);
    encoding.choose = true;
    assert_false(encoding_set_scale(&encoding, &rules, &error));
}

static void a_mix_is_the_sum_of_its_strategies_with_a_factor_for_each_feature(void **state) {
    (void)state;
    Encoding encoding = encoding_of("holes", 10), back;
    Strategy bcts, dellacherie, made;
    Error error = {""};
    double vector[ENCODING_MAX];
    char label[64];
    assert_true(strategy_find(&bcts, "bcts", &error) && strategy_find(&dellacherie, "dellacherie", &error));
    if (!encoding_set_mix(&encoding, "bcts,-0.5*dellacherie", vector, &error))
        fail_msg("%s", error.text);
    assert_int_equal(encoding_size(&encoding), 8 + 6);
    for (int i = 0; i < 14; i++) {
        assert_true(vector[i] == (i < 8 ? 1 : -0.5));
        encoding_label(&encoding, i, label);
        assert_int_equal(strncmp(label, i < 8 ? "bcts: " : "dellacherie: ", i < 8 ? 6 : 13), 0);
        if (!strcmp(label, "dellacherie: holes"))
            vector[i] = 3;
    }
    encoding_strategy(&encoding, vector, "made", &made);
    for (int id = 0; id < FEATURES; id++) {
        double factor = id == FEATURE_HOLES ? 3 : -0.5, *a = bcts.rating.weight,
               *b = dellacherie.rating.weight;
        int at = feature_first[id];
        assert_true(fabs(made.rating.weight[at] - (a[at] + factor * b[at])) < 1e-12);
    }
    json_t *json = encoding_save(&encoding);
    if (!encoding_restore(&back, json, 10, &error))
        fail_msg("%s", error.text);
    assert_memory_equal(&encoding, &back, sizeof back);
    json_object_set_new(json, "features", json_pack("[s]", "holes")); // locating a factor needs all of them
    assert_false(encoding_restore(&back, json, 10, &error));
    json_decref(json);
}

static void what_cannot_be_mixed_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *mix, *why;
    } wrong[] = {
        {"", "one of them is missing"},
        {"bcts,", "one of them is missing"},
        {"bcts,,bcts", "one of them is missing"},
        {"nan*bcts", "The factor of bcts in the mix must be a number"},
        {"1e101*bcts", "The factor of bcts in the mix must be a number"},
        {"2*nobody", "nobody"},
        {"uct", "uct has no linear rating"},
        {TETRALAB_TESTS "/strategies/network.json", "has no linear rating"},
        {"bcts,bcts,bcts,bcts,bcts", "At most 4 strategies"},
        {"tetr-ai", "but a board of 8 columns needs 4"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Encoding encoding = encoding_of("du", 8);
        Error error = {""};
        double vector[ENCODING_MAX];
        if (encoding_set_mix(&encoding, wrong[k].mix, vector, &error) || !strstr(error.text, wrong[k].why))
            fail_msg("\"%s\": %s", wrong[k].mix, error.text);
    }
}

static void what_is_learned_plays_like_another_strategy_if_wanted(void **state) {
    (void)state;
    Encoding encoding = encoding_of("holes,landing-height", 10), back;
    Strategy like, made;
    Error error = {""};
    double vector[ENCODING_MAX] = {-4, -1};
    assert_true(strategy_find(&like, "lab-20b-ahead", &error) && encoding_set_like(&encoding, &like, &error));
    json_t *json = encoding_save(&encoding);
    if (!encoding_restore(&back, json, 10, &error))
        fail_msg("%s", error.text);
    json_decref(json);
    encoding_strategy(&back, vector, "made", &made);
    assert_string_equal(made.name, "made");
    assert_int_equal(made.player, PLAYER_EXPECTIMAX);
    assert_memory_equal(&made.expectimax, &like.expectimax, sizeof like.expectimax);
    assert_int_equal(strategy_weights(&made), 2);
    assert_true(made.rating.weight[feature_first[FEATURE_HOLES]] == -4);
    assert_false(encoding_directions(&back)); // danger is in units of the rating
    assert_true(strategy_find(&like, "bcts-ahead", &error) && encoding_set_like(&encoding, &like, &error));
    assert_true(encoding_directions(&encoding));
    assert_true(strategy_find(&like, "lab-20-match", &error) && encoding_set_like(&encoding, &like, &error));
    assert_false(encoding_directions(&encoding)); // and so are its rows
    assert_true(strategy_find(&like, "uct", &error));
    assert_false(encoding_set_like(&encoding, &like, &error));
    assert_non_null(strstr(error.text, "uct has no weights"));
}

static void damaged_json_is_refused_whatever_is_wrong_with_it(void **state) {
    (void)state;
    static const char *const damage[] = {
        "{\"features\": []}",
        "{\"features\": [\"holes\", \"holes\"]}",
        "{\"features\": [3]}",
        "{\"features\": [\"hols\"]}",
        "{\"rating\": \"cubic\"}",
        "{\"rating\": 1}",
        "{\"hidden\": -1}",
        "{\"hidden\": 1.5}",
        "{\"hidden\": 17}",
        "{\"hidden\": 2}",
        "{\"unit\": 0}",
        "{\"unit\": \"1\"}",
        "{\"choose\": 1}",
        "{\"player\": \"three-piece\"}",
        "{\"ties\": \"last\"}",
        "{\"ties\": null}",
        "{\"scale\": [1, 2]}",
        "{\"scale\": [1, 1, 1, 1, 1, 1, 1, 0]}",
        "{\"like\": 1}",
        "{\"like\": {\"player\": \"expectimax\", \"depth\": 9, \"weights\": {\"holes\": 1}}}",
        "{\"like\": {\"player\": \"uct\"}}",
        "{\"like\": {\"player\": \"uct\", \"leaf\": \"rating\", \"milliseconds\": 1, \"weights\": "
        "{\"holes\": 1}}}",
        "{\"mix\": []}",
        "{\"mix\": [{}]}",
        "{\"mix\": [{\"name\": \"a\", \"weights\": {}}]}",
        "{\"mix\": [{\"name\": \"a\", \"weights\": {\"hols\": [1]}}]}",
        "{\"mix\": [{\"name\": \"a\", \"weights\": {\"holes\": [1, 2]}}]}",
        "{\"mix\": [{\"name\": \"a\", \"weights\": {\"holes\": [-1.1e100]}}]}",
        "{\"mix\": [{\"name\": \"a\", \"weights\": {\"max-height\": [1]}}]}"};
    Encoding encoding = encoding_of("du", 10), back;
    for (size_t k = 0; k < sizeof damage / sizeof *damage; k++) {
        json_t *json = encoding_save(&encoding), *change = json_loads(damage[k], 0, NULL);
        Error error = {""};
        json_object_update(json, change);
        if (encoding_restore(&back, json, 10, &error) || !error.text[0])
            fail_msg("%s is accepted", damage[k]);
        json_decref(json);
        json_decref(change);
    }
    Error error = {""};
    assert_false(encoding_restore(&back, NULL, 10, &error));
}

// A table and a program of somebody else have none.
static bool has_weights(PlayerKind kind) {
    Strategy strategy = {.player = kind};
    return strategy_set_rated(&strategy);
}

// Learning makes players of all kinds that have weights from vectors.
static void players_that_search_have_the_options_that_they_need(void **state) {
    (void)state;
    Rules rules;
    rules_default(&rules);
    for (PlayerKind kind = 0; kind < PLAYERS; kind++) {
        assert_int_equal(has_weights(kind),
                         kind != PLAYER_TABLE && kind != PLAYER_PATTERNS && kind != PLAYER_TBP);
        if (!has_weights(kind))
            continue;
        Encoding encoding = encoding_of("du", 10);
        const double vector[8] = {-1, 1, -1, -1, -1, -1, -1, -1};
        Strategy strategy;
        Error error = {""};
        encoding.player = kind;
        encoding_strategy(&encoding, vector, "made", &strategy);
        Player *player = player_new(&strategy, &rules, NULL, &error);
        if (!player)
            fail_msg("%s: %s", strategy_player_names[kind], error.text);
        assert_int_equal(player_strategy(player)->player, kind);
        player_free(player);
        if (kind == PLAYER_UCT) {
            assert_int_equal(strategy.uct.leaf, UCT_LEAF_RATING);
            assert_true(strategy.uct.leaf_scale == UCT_LEAF_SCALE);
        }
    }
    rules_free(&rules);
}

// The help is made of what sets, players and methods say of themselves.
static void the_help_of_learning_names_every_set_player_and_method(void **state) {
    (void)state;
    char help[FIELD_HELP], text[FIELD_PRINTED], part[80];
    field_help(fields_find(encoding_fields, "features"), help);
    for (int k = 0; encoding_feature_set(k); k++)
        assert_non_null(strstr(help, encoding_feature_set(k)->name));
    field_help(fields_find(encoding_fields, "player"), help);
    for (int k = 0; strategy_player_names[k]; k++)
        assert_int_equal(strstr(help, strategy_player_names[k]) != NULL, has_weights((PlayerKind)k));
    field_help(fields_find(learning_fields, "method"), help);
    field_default(fields_find(learning_fields, "samples"), text);
    for (int m = 0; m < OPTIMISER_COUNT; m++) {
        const OptimiserTraits *traits = optimiser_traits((OptimiserMethod)m);
        snprintf(part, sizeof part, "%s: %s", optimiser_words[m], traits->title);
        assert_non_null(strstr(help, part));
        snprintf(part, sizeof part, "%s: %d", optimiser_words[m], traits->games);
        assert_int_equal(strstr(text, part) != NULL, traits->games > 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_has_the_features_of_its_paper_in_their_order),
        cmocka_unit_test(the_help_of_learning_names_every_set_player_and_method),
        cmocka_unit_test(every_listed_set_can_be_given_and_names_its_source),
        cmocka_unit_test(lists_may_hold_sets_and_what_is_there_twice_counts_once),
        cmocka_unit_test(wrong_lists_are_refused_and_leave_the_encoding_as_it_was),
        cmocka_unit_test(a_published_player_goes_into_a_vector_and_comes_back),
        cmocka_unit_test(features_that_are_not_learned_and_other_boards_are_refused),
        cmocka_unit_test(exponents_and_displacements_follow_the_weights),
        cmocka_unit_test(hidden_units_have_their_inputs_a_bias_and_then_the_outputs),
        cmocka_unit_test(a_feature_is_used_if_its_switch_is_above_one_half),
        cmocka_unit_test(any_vector_makes_a_strategy_that_can_be_rated),
        cmocka_unit_test(players_that_search_have_the_options_that_they_need),
        cmocka_unit_test(labels_say_what_a_number_is),
        cmocka_unit_test(what_does_not_go_together_is_refused),
        cmocka_unit_test(an_encoding_comes_back_from_json),
        cmocka_unit_test(a_scaled_vector_means_the_same_player_and_comes_back_from_json),
        cmocka_unit_test(a_mix_is_the_sum_of_its_strategies_with_a_factor_for_each_feature),
        cmocka_unit_test(what_cannot_be_mixed_is_refused),
        cmocka_unit_test(what_is_learned_plays_like_another_strategy_if_wanted),
        cmocka_unit_test(damaged_json_is_refused_whatever_is_wrong_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
