// SPDX-License-Identifier: GPL-3.0-or-later
// Strategy files: those that are right, and the place of every mistake in the others.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "player/strategy.h"

#define SAMPLE(name) TETRALAB_TESTS "/strategies/" name

static void assert_same_options(const Strategy *a, const Strategy *b) {
    const ExpectimaxOptions *e = &a->expectimax, *f = &b->expectimax;
    assert_true(e->depth == f->depth && e->candidates == f->candidates && e->sees_next == f->sees_next &&
                e->dead == f->dead && e->threads == f->threads);
    assert_true(e->later_candidates == f->later_candidates && e->unsure == f->unsure &&
                e->danger == f->danger);
    const UctOptions *u = &a->uct, *v = &b->uct;
    assert_true(u->pieces == v->pieces && u->preview == v->preview && u->phases == v->phases &&
                u->milliseconds == v->milliseconds && u->lambda == v->lambda && u->backup == v->backup &&
                u->leaf == v->leaf && u->leaf_scale == v->leaf_scale);
    assert_memory_equal(u->gamma, v->gamma, sizeof u->gamma);
    assert_string_equal(u->database, v->database);
    assert_string_equal(a->table, b->table);
}

static void assert_same(const Strategy *a, const Strategy *b) {
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->source, b->source);
    assert_int_equal(a->player, b->player);
    assert_int_equal(a->ties, b->ties);
    assert_int_equal(a->clear_late, b->clear_late);
    assert_int_equal(a->rating.kind, b->rating.kind);
    assert_memory_equal(a->rating.given, b->rating.given, sizeof a->rating.given);
    assert_memory_equal(a->rating.weight, b->rating.weight, sizeof a->rating.weight);
    assert_memory_equal(a->rating.exponent, b->rating.exponent, sizeof a->rating.exponent);
    assert_memory_equal(a->rating.displacement, b->rating.displacement, sizeof a->rating.displacement);
    assert_same_options(a, b);
}

static void load(Strategy *strategy, const char *text) {
    Error error = {""};
    if (!strategy_find(strategy, text, &error))
        fail_msg("%s: %s", text, error.text);
}

typedef bool Parser(Strategy *, const char *, const char *, size_t, Error *);

// The text is copied into a block of its own size, so that a sanitizer sees a read behind its end.
static bool parse(Parser *parser, Strategy *strategy, const char *name, const char *text, size_t length,
                  Error *error) {
    char *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    error->text[0] = 0;
    bool done = parser(strategy, name, copy, length, error);
    free(copy);
    return done;
}

static void refused(Parser *parser, const char *name, const char *text, size_t length, const char *message) {
    Strategy strategy;
    Error error;
    if (parse(parser, &strategy, name, text, length, &error))
        fail_msg("accepted: %.200s\nexpected: %s", text, message);
    if (strcmp(error.text, message) != 0)
        fail_msg("input:    %.200s\nfound:    %s\nexpected: %s", text, error.text, message);
}

static void json_refused(const char *text, const char *message) {
    refused(strategy_parse_json, "my.json", text, strlen(text), message);
}

static void dat_refused(const char *text, const char *message) {
    refused(strategy_parse_dat, "my.dat", text, strlen(text), message);
}

// ---- built-in strategies

static double weight_of(const char *name, FeatureId id, int index) {
    Strategy strategy;
    load(&strategy, name);
    assert_true(index < strategy.rating.given[id]);
    return strategy.rating.weight[feature_first[id] + index];
}

static void builtin_weights_are_the_published_ones(void **state) {
    (void)state;
    static const struct {
        const char *name;
        FeatureId id;
        int index;
        double weight;
    } facts[] = {
        {"dellacherie", FEATURE_HOLES, 0, -4},
        {"dellacherie", FEATURE_ERODED_CELLS, 0, 1},
        {"dellacherie-first", FEATURE_CUMULATIVE_WELLS, 0, -1},
        {"bcts", FEATURE_LANDING_HEIGHT, 0, -12.629},
        {"bcts", FEATURE_ERODED_CELLS, 0, 6.601974},
        {"bcts", FEATURE_ROW_TRANSITIONS, 0, -9.215815},
        {"bcts", FEATURE_COLUMN_TRANSITIONS, 0, -19.77356},
        {"bcts", FEATURE_HOLES, 0, -13.08335},
        {"bcts", FEATURE_CUMULATIVE_WELLS, 0, -10.48747},
        {"bcts", FEATURE_HOLE_DEPTH, 0, -1.611863},
        {"bcts", FEATURE_ROWS_WITH_HOLES, 0, -24.04087},
        {"bcts-2", FEATURE_ROWS_WITH_HOLES, 0, -24.04087},
        {"bdu", FEATURE_MAX_HEIGHT, 0, 12.36382},
        {"bdu", FEATURE_COLUMN_HEIGHTS, 0, -13.18725},
        {"bdu", FEATURE_COLUMN_HEIGHTS, 9, -16.01383},
        {"bdu", FEATURE_COLUMN_DIFFERENCES, 0, 2.356909},
        {"bdu", FEATURE_COLUMN_DIFFERENCES, 8, 9.122675},
        {"ce-d", FEATURE_COLUMN_TRANSITIONS, 0, -17.01111},
        {"ga-du", FEATURE_HOLES, 0, 5},
        {"ga-du", FEATURE_COLUMN_TRANSITIONS, 0, -76},
        {"ga-free", FEATURE_ADJACENT_HOLES, 0, -155},
        {"ga-free", FEATURE_MEAN_MINUS_MIN_HEIGHT, 0, -60},
        {"dt-10", FEATURE_CUMULATIVE_WELLS_FAST, 0, -2.22},
        {"dt-10", FEATURE_DIVERSITY, 0, 1.27},
        {"dt-20", FEATURE_ROWS_WITH_HOLES, 0, -9.48},
        {"dt-20", FEATURE_HOLES, 0, 2.03},
        {"fahey", FEATURE_WEIGHTED_CELLS, 0, -0.10},
        {"fahey-1", FEATURE_REMOVED_LINES, 0, 0.30},
        {"xtris", FEATURE_FRONTIER, 0, -260},
        {"xtris", FEATURE_LANDING_HEIGHT, 0, -290},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        if (weight_of(facts[i].name, facts[i].id, facts[i].index) != facts[i].weight)
            fail_msg("%s: %s is not %.17g", facts[i].name, feature_info[facts[i].id].name, facts[i].weight);
}

static void builtin_strategies_have_the_published_shape(void **state) {
    (void)state;
    static const struct {
        const char *name;
        int weights;
        PlayerKind player;
        TieRule ties;
        bool late;
    } facts[] = {
        {"dellacherie", 6, PLAYER_GREEDY, TIES_PRIORITY, false},
        {"dellacherie-first", 6, PLAYER_GREEDY, TIES_FIRST, false},
        {"bcts", 8, PLAYER_GREEDY, TIES_FIRST, false},
        {"bcts-2", 8, PLAYER_TWO_PIECE, TIES_FIRST, false},
        {"bdu", 28, PLAYER_GREEDY, TIES_FIRST, false},
        {"ce-d", 6, PLAYER_GREEDY, TIES_FIRST, false},
        {"ga-du", 8, PLAYER_GREEDY, TIES_FIRST, false},
        {"ga-free", 15, PLAYER_GREEDY, TIES_FIRST, false},
        {"dt-10", 9, PLAYER_GREEDY, TIES_FIRST, false},
        {"dt-20", 9, PLAYER_GREEDY, TIES_FIRST, false},
        {"tetr-ai", 52, PLAYER_GREEDY, TIES_CENTRE, false},
        {"fahey", 3, PLAYER_TWO_PIECE, TIES_FIRST, true},
        {"fahey-1", 4, PLAYER_GREEDY, TIES_FIRST, false},
        {"xtris", 7, PLAYER_GREEDY, TIES_RANDOM, false},
        {"bcts-ahead", 8, PLAYER_EXPECTIMAX, TIES_FIRST, false},
        {"dt-20-ahead", 9, PLAYER_EXPECTIMAX, TIES_FIRST, false},
        {"lab-20", 169, PLAYER_GREEDY, TIES_FIRST, false},
        {"lab-20-2", 169, PLAYER_TWO_PIECE, TIES_FIRST, false},
        {"lab-20-match", 169, PLAYER_BEAM, TIES_FIRST, false},
        {"lab-20b", 169, PLAYER_GREEDY, TIES_FIRST, false},
        {"lab-20b-ahead", 169, PLAYER_EXPECTIMAX, TIES_FIRST, false},
        {"lab-20b-deep", 169, PLAYER_EXPECTIMAX, TIES_FIRST, false},
        {"uct", 0, PLAYER_UCT, TIES_RANDOM, false},
        {"uct-plain", 0, PLAYER_UCT, TIES_RANDOM, false},
    };
    int count = sizeof facts / sizeof facts[0];
    for (int i = 0; i < count; i++) {
        const Strategy *strategy = strategy_builtin(i);
        assert_non_null(strategy);
        assert_string_equal(strategy->name, facts[i].name);
        assert_int_equal(strategy_weights(strategy), facts[i].weights);
        assert_int_equal(strategy->player, facts[i].player);
        assert_int_equal(strategy->ties, facts[i].ties);
        assert_int_equal(strategy->clear_late, facts[i].late);
        assert_true(strategy->source[0] != 0);
    }
    assert_null(strategy_builtin(count));
    assert_null(strategy_builtin(-1));
}

static void assert_round_trip(const Strategy *strategy) {
    Strategy again;
    Error error;
    char *text = strategy_to_json(strategy);
    assert_non_null(text);
    if (!parse(strategy_parse_json, &again, "again.json", text, strlen(text), &error))
        fail_msg("%s: %s\n%s", strategy->name, error.text, text);
    assert_same(strategy, &again);
    free(text);
}

static void builtin_strategies_survive_writing_and_reading(void **state) {
    (void)state;
    for (int i = 0; strategy_builtin(i); i++)
        assert_round_trip(strategy_builtin(i));
}

static void builtin_strategies_make_ratings(void **state) {
    (void)state;
    for (int i = 0; strategy_builtin(i); i++) {
        Rating rating;
        Error error = {""};
        if (!strategy_is_rated(strategy_builtin(i)))
            continue;
        if (!rating_make(&rating, &strategy_builtin(i)->rating, 10, 20, &error))
            fail_msg("%s: %s", strategy_builtin(i)->name, error.text);
        assert_int_equal(rating.terms, strategy_weights(strategy_builtin(i)));
        rating_free(&rating);
    }
}

// ---- reading and writing

static void every_key_is_read(void **state) {
    (void)state;
    Strategy strategy;
    load(&strategy, SAMPLE("full.json"));
    const RatingWeights *rating = &strategy.rating;
    assert_string_equal(strategy.name, "every key");
    assert_string_equal(strategy.source, "a sample with every key there is");
    assert_int_equal(strategy.player, PLAYER_TWO_PIECE);
    assert_int_equal(strategy.ties, TIES_RANDOM);
    assert_true(strategy.clear_late);
    assert_int_equal(rating->kind, RATING_DISPLACED);
    assert_int_equal(strategy_weights(&strategy), 1 + 5 + 4 + 1);
    assert_true(rating->weight[feature_first[FEATURE_HOLES]] == -4.25);
    assert_true(rating->weight[feature_first[FEATURE_COLUMN_HEIGHTS] + 3] == 1e-3);
    assert_true(rating->weight[feature_first[FEATURE_ERODED_CELLS]] == 3);
    assert_true(rating->exponent[FEATURE_HOLES] == 1.5 && rating->exponent[FEATURE_ERODED_CELLS] == 1);
    assert_true(rating->displacement[FEATURE_HOLES] == 0.5 &&
                rating->displacement[FEATURE_COLUMN_HEIGHTS] == 0);
    assert_round_trip(&strategy);
}

static void what_is_left_out_has_its_default(void **state) {
    (void)state;
    Strategy strategy;
    load(&strategy, SAMPLE("small.json"));
    assert_string_equal(strategy.name, "small");
    assert_string_equal(strategy.source, "");
    assert_int_equal(strategy.player, PLAYER_GREEDY);
    assert_int_equal(strategy.ties, TIES_FIRST);
    assert_false(strategy.clear_late);
    assert_int_equal(strategy.rating.kind, RATING_LINEAR);
    assert_int_equal(strategy.rating.given[FEATURE_HOLES], 1);
    assert_int_equal(strategy.rating.given[FEATURE_JAGS], 0);
    assert_round_trip(&strategy);
}

static void every_option_is_read(void **state) {
    (void)state;
    Strategy strategy;
    load(&strategy, SAMPLE("expectimax.json"));
    const ExpectimaxOptions *ahead = &strategy.expectimax;
    assert_int_equal(strategy.player, PLAYER_EXPECTIMAX);
    assert_true(ahead->depth == 4 && ahead->candidates == 6 && ahead->sees_next && ahead->dead == -1234.5 &&
                ahead->threads == 2);
    assert_true(ahead->later_candidates == 2 && ahead->unsure == 2.5 && ahead->danger == 8.25);
    assert_round_trip(&strategy);
    load(&strategy, SAMPLE("uct.json"));
    const UctOptions *uct = &strategy.uct;
    assert_int_equal(strategy.player, PLAYER_UCT);
    assert_true(uct->pieces == 8 && uct->preview == 3 && uct->phases == 0 && uct->milliseconds == 2.5 &&
                uct->lambda == 0.25 && uct->backup == UCT_MEAN && uct->leaf == UCT_LEAF_RATING &&
                uct->leaf_scale == 0.002);
    for (int i = 0; i < STRATEGY_ROWS; i++)
        assert_true(uct->gamma[i] == -0.5 + 0.125 * i);
    assert_string_equal(uct->database, "visited states.mdb");
    assert_round_trip(&strategy);
}

static void options_that_are_left_out_have_their_defaults(void **state) {
    (void)state;
    static const struct {
        const char *text;
        ExpectimaxOptions expectimax;
        UctOptions uct;
    } facts[] = {
        {"{\"player\": \"expectimax\", \"weights\": {\"holes\": 1}}", {.depth = 2, .threads = 1}, {0}},
        {"{\"player\": \"expectimax\", \"sees-next\": true, \"weights\": {\"holes\": 1}}",
         {.depth = 3, .sees_next = true, .threads = 1},
         {0}},
        {"{\"player\": \"uct\"}", {0}, {.pieces = 10, .preview = 10, .phases = 1000, .lambda = UCT_LAMBDA}},
        {"{\"player\": \"uct\", \"pieces\": 4, \"milliseconds\": 1}",
         {0},
         {.pieces = 4, .preview = 4, .milliseconds = 1, .lambda = UCT_LAMBDA}},
        {"{\"player\": \"uct\", \"leaf\": \"rating\", \"weights\": {\"holes\": 1}}",
         {0},
         {.pieces = 10,
          .preview = 10,
          .phases = 1000,
          .lambda = UCT_LAMBDA,
          .leaf = UCT_LEAF_RATING,
          .leaf_scale = UCT_LEAF_SCALE}},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        Strategy strategy, expected = {.expectimax = facts[i].expectimax, .uct = facts[i].uct};
        Error error;
        if (!parse(strategy_parse_json, &strategy, "x.json", facts[i].text, strlen(facts[i].text), &error))
            fail_msg("%s", error.text);
        assert_same_options(&strategy, &expected);
        assert_round_trip(&strategy);
    }
}

static void numbers_are_written_short_and_exact(void **state) {
    (void)state;
    static const struct {
        double number;
        const char *text;
    } facts[] = {{0.1, "0.1"},
                 {-12.629, "-12.629"},
                 {1.0 / 3, "0.3333333333333333"},
                 {0.1 + 0.2, "0.30000000000000004"},
                 {1e100, "1e+100"},
                 {5e-324, "4.94065645841247e-324"},
                 {-0.0, "-0"}};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        Strategy strategy;
        char line[80];
        strategy_empty(&strategy, "x");
        strategy.rating.given[FEATURE_HOLES] = 1;
        strategy.rating.weight[feature_first[FEATURE_HOLES]] = facts[i].number;
        char *text = strategy_to_json(&strategy);
        assert_non_null(text);
        snprintf(line, sizeof line, "\n    \"holes\": %s\n", facts[i].text);
        if (!strstr(text, line))
            fail_msg("expected %s in %s", facts[i].text, text);
        free(text);
        assert_round_trip(&strategy);
    }
}

static void json_is_written_in_a_fixed_order(void **state) {
    (void)state;
    Strategy strategy;
    load(&strategy, "fahey");
    char *text = strategy_to_json(&strategy);
    assert_non_null(text);
    assert_string_equal(text, "{\n"
                              "  \"name\": \"fahey\",\n"
                              "  \"source\": \"C. P. Fahey, Tetris AI, 2003: two pieces\",\n"
                              "  \"player\": \"two-piece\",\n"
                              "  \"ties\": \"first\",\n"
                              "  \"clear\": \"late\",\n"
                              "  \"rating\": \"linear\",\n"
                              "  \"weights\": {\n"
                              "    \"holes\": -0.65,\n"
                              "    \"weighted-cells\": -0.1,\n"
                              "    \"wells\": -0.2\n"
                              "  }\n"
                              "}\n");
    free(text);
}

static void quotes_and_other_scripts_survive(void **state) {
    (void)state;
    Strategy strategy;
    Error error;
    const char *text =
        "\xEF\xBB\xBF{\"name\": \"a\\\"\\\\\\/\\u00e9\xE2\x82\xAC\", \"weights\": {\"h\\u006fles\": -1}}";
    assert_true(parse(strategy_parse_json, &strategy, "x.json", text, strlen(text), &error));
    assert_string_equal(strategy.name, "a\"\\/\xC3\xA9\xE2\x82\xAC");
    assert_int_equal(strategy.rating.given[FEATURE_HOLES], 1);
    assert_round_trip(&strategy);
}

static void the_default_name_comes_from_the_file(void **state) {
    (void)state;
    static const char *const facts[][2] = {
        {"dir.d/best.json", "best"},    {"a.dat", "a"},    {"no-ending", "no-ending"}, {"x/.json", "unnamed"},
        {"tab\there.json", "tab?here"}, {"\xFF.dat", "?"}, {"x/", "unnamed"}};
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        Strategy strategy;
        strategy_empty(&strategy, facts[i][0]);
        assert_string_equal(strategy.name, facts[i][1]);
    }
    char path[200];
    memset(path, 'n', sizeof path - 1);
    path[sizeof path - 1] = 0;
    Strategy strategy;
    strategy_empty(&strategy, path);
    assert_int_equal(strlen(strategy.name), 63);
}

// ---- errors in JSON files

static void wrong_members_are_named_with_their_place(void **state) {
    (void)state;
    static const char *const facts[][2] = {
        {"{\n  \"weights\": {\"holes\": -4,\n    \"landing-hieght\": -1}}",
         "my.json:3:5: \"landing-hieght\" is not a feature; did you mean \"landing-height\"?"},
        {"{\"wieghts\": {\"holes\": -4}}",
         "my.json:1:2: \"wieghts\" is not a key of a strategy; did you mean \"weights\"?"},
        {"{\"weights\": {\"a\\u001b[31mb\": -4}}", "my.json:1:14: \"a?[31mb\" is not a feature."},
        {"{\"name\": \"x\"}", "my.json:1:1: \"weights\" is missing; add \"weights\": {\"holes\": -4, ...}."},
        {" [1]", "my.json:1:2: expected an object, which begins with \"{\", found a list."},
        {"{\"weights\": {}}", "my.json:1:13: \"weights\" is empty; give at least one feature a weight."},
        {"{\"weights\": [1, 2]}",
         "my.json:1:13: \"weights\" needs an object like {\"holes\": -4}, found a list."},
        {"{\"weights\": {\"jags\": 1, \"holes\": \"-4\"}}",
         "my.json:1:34: \"holes\" needs a number, found a text."},
        {"{\"weights\": {\"holes\": null}}", "my.json:1:23: \"holes\" needs a number, found \"null\"."},
        {"{\"weights\": {\"holes\": [1, 2]}}",
         "my.json:1:23: \"holes\" needs one number, found a list of 2."},
        {"{\"weights\": {\"holes\": []}}", "my.json:1:23: \"holes\" needs one number, found a list of 0."},
        {"{\"weights\": {\"holes\": [[1]]}}", "my.json:1:24: \"holes\" needs a number, found a list."},
        {"{\"weights\": {\"column-heights\": -1}}",
         "my.json:1:32: \"column-heights\" needs a list of 4 to 14 numbers, found a number."},
        {"{\"weights\": {\"column-heights\": [1,2,3]}}",
         "my.json:1:32: \"column-heights\" needs a list of 4 to 14 numbers, found a list of 3."},
        {"{\"weights\": {\"column-differences\": [1,2,3,4,5,6,7,8,9,10,11,12,13,14]}}",
         "my.json:1:36: \"column-differences\" needs a list of 3 to 13 numbers, found a list of 14."},
        {"{\"weights\": {\"column-heights\": [1,2,3,4,\n true]}}",
         "my.json:2:2: \"column-heights\" needs a number, found \"true\"."},
        {"{\"weights\": {\"column-heights\": [1,2,3,4], \"column-differences\": [1,2,3,4]}}",
         "my.json:1:13: 4 column-heights are for a board 4 wide, but 4 column-differences for one 5 wide."},
        {"{\"weights\": {\"holes\": 1.5e100}}",
         "my.json:1:23: \"holes\" is 1.5e+100; it must lie between -1e+100 and 1e+100."},
        {"{\"weights\": {\"holes\": 1}, \"name\": 7}",
         "my.json:1:35: \"name\" needs a text in quotes, found a number."},
        {"{\"weights\": {\"holes\": 1}, \"name\": \"\"}",
         "my.json:1:35: \"name\" is empty; leave it out to use the file's name."},
        {"{\"weights\": {\"holes\": 1}, \"name\": \"a\\nb\"}",
         "my.json:1:35: \"name\" holds a control character; use printable ones."},
        {"{\"weights\": {\"holes\": 1}, \"source\": \"\xC2\x9B\"}",
         "my.json:1:37: \"source\" holds a control character; use printable ones."},
        {"{\"weights\": {\"holes\": 1}, \"name\": "
         "\"0123456789012345678901234567890123456789012345678901234567890123\"}",
         "my.json:1:35: \"name\" has 64 bytes; the limit is 63."},
        {"{\"weights\": {\"holes\": 1}, \"ties\": []}",
         "my.json:1:35: \"ties\" must be \"first\", \"priority\", \"random\" or \"centre\", found a list."},
        {"{\"weights\": {\"holes\": 1}, \"clear\": \"late\"}",
         "my.json:1:36: \"clear\": \"late\" needs \"player\": \"two-piece\"."},
        {"{\"weights\": {\"holes\": 1}, \"clear\": true}",
         "my.json:1:36: \"clear\" must be \"at-once\" or \"late\", found \"true\"."},
        {"{\"weights\": {\"holes\": 1}, \"rating\": \"square\"}",
         "my.json:1:37: \"rating\" must be \"linear\", \"exponential\", \"displaced\" or \"network\", found "
         "\"square\"."},
        {"{\"exponents\": {\"holes\": 2}, \"weights\": {\"holes\": 1}}",
         "my.json:1:2: \"exponents\" needs \"rating\": \"exponential\" or \"displaced\"."},
        {"{\"rating\": \"exponential\", \"displacements\": {\"holes\": 2}, \"weights\": {\"holes\": 1}}",
         "my.json:1:27: \"displacements\" needs \"rating\": \"displaced\"."},
        {"{\"rating\": \"exponential\", \"exponents\": {\"holes\": 2, \"jags\": 1}, \"weights\": {\"holes\": "
         "1}}",
         "my.json:1:53: \"jags\" has no weight; give it one or leave it out here."},
        {"{\"rating\": \"exponential\", \"exponents\": {\"holes\": 33}, \"weights\": {\"holes\": 1}}",
         "my.json:1:50: \"holes\" is 33; it must lie between -32 and 32."},
        {"{\"rating\": \"displaced\", \"displacements\": {\"holes\": [2]}, \"weights\": {\"holes\": 1}}",
         "my.json:1:52: \"holes\" needs a number, found a list."},
        // Braces, quotes and escapes inside texts do not mislead the search for the place, and
        // columns count characters, not bytes.
        {"{\"name\": \"}]\\\"{,:\\\\\", \"source\": \"\xC3\xA9\xC3\xA9\", \"weights\": {\"hole\": 1}}",
         "my.json:1:51: \"hole\" is not a feature; did you mean \"holes\"?"},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        json_refused(facts[i][0], facts[i][1]);
    char players[FIELD_WORDS_TEXT], message[400];
    snprintf(message, sizeof message, "my.json:1:37: \"player\" must be %s, found \"greed\".",
             field_words(strategy_player_names, "\"", "or", players));
    json_refused("{\"weights\": {\"holes\": 1}, \"player\": \"greed\"}", message);
}

static void wrong_options_are_named_with_their_place(void **state) {
    (void)state;
#define AHEAD "{\"player\": \"expectimax\", \"weights\": {\"holes\": 1}, "
#define UCT   "{\"player\": \"uct\", "
    static const char *const facts[][2] = {
        {"{\"depth\": 2, \"weights\": {\"holes\": 1}}",
         "my.json:1:2: \"depth\" needs \"player\": \"expectimax\"."},
        {AHEAD "\"phases\": 7}", "my.json:1:51: \"phases\" needs \"player\": \"uct\"."},
        {AHEAD "\"depth\": 1}", "my.json:1:60: \"depth\" is 1; it must lie between 2 and 6."},
        {AHEAD "\"depth\": 2.5}", "my.json:1:60: \"depth\" is 2.5; it must be a whole number."},
        {AHEAD "\"depth\": \"2\"}", "my.json:1:60: \"depth\" needs a number, found a text."},
        {AHEAD "\"depht\": 2}",
         "my.json:1:51: \"depht\" is not a key of a strategy; did you mean \"depth\"?"},
        {AHEAD "\"candidates\": -1}", "my.json:1:65: \"candidates\" is -1; it must lie between 0 and 64."},
        {AHEAD "\"sees-next\": 1}", "my.json:1:64: \"sees-next\" must be true or false, found a number."},
        {AHEAD "\"depth\": 2, \"later-candidates\": 1}",
         "my.json:1:83: with \"later-candidates\" the depth is at least 3, or no later piece has any."},
        {AHEAD "\"depth\": 2, \"unsure\": 1}",
         "my.json:1:73: with \"unsure\" the depth is at least 3, or there is nothing to look deeper for."},
        {AHEAD "\"sees-next\": true, \"depth\": 2}",
         "my.json:1:79: with \"sees-next\" the depth is at least 3; two known pieces are \"player\": "
         "\"two-piece\"."},
        {AHEAD "\"dead\": 0}", "my.json:1:59: \"dead\" is 0; it must lie between -1e+100 and -1e-100."},
        {AHEAD "\"threads\": 65}", "my.json:1:62: \"threads\" is 65; it must lie between 1 and 64."},
        {AHEAD "\"clear\": \"late\"}", "my.json:1:60: \"clear\": \"late\" needs \"player\": \"two-piece\"."},
        {"{\"player\": \"expectimax\"}",
         "my.json:1:1: \"weights\" is missing; add \"weights\": {\"holes\": -4, ...}."},
        {"{\"player\": \"expectimax\", \"rating\": \"network\",\n\"hidden\": [{\"output\": 1, \"weights\": "
         "{\"holes\": 1}}]}",
         "my.json:2:11: \"hidden\" needs \"player\": \"greedy\" or \"two-piece\"."},
        {UCT "\"pieces\": 31}", "my.json:1:29: \"pieces\" is 31; it must lie between 1 and 30."},
        {UCT "\"preview\": 12}",
         "my.json:1:30: \"preview\" is 12, but only 10 pieces are planned (\"pieces\")."},
        {UCT "\"phases\": 0}", "my.json:1:29: \"phases\" is 0; it must lie between 1 and 1000000000000."},
        {UCT "\"phases\": 9, \"milliseconds\": 2}",
         "my.json:1:32: \"milliseconds\" and \"phases\" exclude each other."},
        {UCT "\"milliseconds\": 0}",
         "my.json:1:35: \"milliseconds\" is 0; it must lie between 0.001 and 3600000."},
        {UCT "\"lambda\": -1}", "my.json:1:29: \"lambda\" is -1; it must lie between 0 and 1000."},
        {UCT "\"gamma\": [0, 0, 0, 0]}", "my.json:1:28: \"gamma\" needs a list of 5 numbers, found 4."},
        {UCT "\"gamma\": [0, 0, 0, 0.5, 0]}",
         "my.json:1:38: \"gamma\" is 0.5; it must lie between -1 and 0."},
        {UCT "\"backup\": \"worst\"}",
         "my.json:1:29: \"backup\" must be \"best\" or \"mean\", found \"worst\"."},
        {UCT "\"leaf\": 0}", "my.json:1:27: \"leaf\" must be \"zero\" or \"rating\", found a number."},
        {UCT "\"leaf-scale\": 2}", "my.json:1:19: \"leaf-scale\" needs \"leaf\": \"rating\"."},
        {UCT "\"leaf\": \"rating\"}",
         "my.json:1:1: \"weights\" is missing; add \"weights\": {\"holes\": -4, ...}."},
        {UCT "\"weights\": {\"holes\": 1}}",
         "my.json:1:19: \"weights\" needs \"leaf\": \"rating\"; without it a UCT player rates nothing."},
        {UCT "\"ties\": \"priority\"}",
         "my.json:1:27: \"ties\": \"priority\" is not for \"player\": \"uct\": give first or random."},
        {UCT "\"database\": \"\"}", "my.json:1:31: \"database\" is empty; leave it out to do without one."},
        {UCT "\"database\": \"a\\nb\"}",
         "my.json:1:31: \"database\" holds a control character; use printable ones."},
    };
#undef AHEAD
#undef UCT
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        json_refused(facts[i][0], facts[i][1]);
}

static void syntax_errors_are_named_with_their_place(void **state) {
    (void)state;
    static const char *const facts[][2] = {
        {"", "my.json:1:1: expected \"{\", found the end of the file."},
        {"hello", "my.json:1:1: expected \"{\", found \"hello\"."},
        {"{", "my.json:1:2: expected a key in quotes, found the end of the file."},
        {"{\n  weights: 1}", "my.json:2:3: expected a key in quotes, found \"weights\"."},
        {"{\"name\" \"x\"}", "my.json:1:9: expected \":\" after the key, found \"x\"."},
        {"{\"name\": \"x\"\n \"source\": 1}", "my.json:2:2: expected \",\" or \"}\", found \"source\"."},
        {"{\"name\": \"x\",}", "my.json:1:14: expected a key in quotes, found \"}\"."},
        {"{\"name\": }", "my.json:1:10: expected a value, found \"}\"."},
        {"{\"weights\": {\"holes\": [1 2]}}", "my.json:1:26: expected \",\" or \"]\", found \"2\"."},
        {"{\"weights\": {\"holes\": 1}} {}", "my.json:1:27: expected the end of the file, found \"{\"."},
        {"{\"weights\": {\"holes\": 1},\n \"weights\": {\"jags\": 1}}",
         "my.json:2:2: the key \"weights\" is there twice."},
        {"{\"weights\": {\"holes\": NaN}}",
         "my.json:1:23: expected a value, found \"NaN\"; numbers must be finite."},
        {"{\"weights\": {\"holes\": Infinity}}",
         "my.json:1:23: expected a value, found \"Infinity\"; numbers must be finite."},
        {"{\"weights\": {\"holes\": -Infinity}}",
         "my.json:1:23: expected a value, found \"-Infinity\"; numbers must be finite."},
        {"{\"weights\": {\"holes\": .5}}",
         "my.json:1:23: expected a value, found \".5\"; a number is written like -12.5, 0.5 or 1e-3."},
        {"{\"weights\": {\"holes\": 012}}",
         "my.json:1:23: expected a value, found \"012\"; a number is written like -12.5, 0.5 or 1e-3."},
        {"{\"weights\": {\"holes\": 1e999}}", "my.json:1:23: the number \"1e999\" is too large."},
        {"{\"name\": \"abc\n\"}", "my.json:1:10: this text has no closing quote on its line."},
        {"{\"name\": \"abc", "my.json:1:10: this text has no closing quote."},
        {"{\"name\": \"a\tb\"}", "my.json:1:10: a tab inside quotes is written \\t."},
        {"{\"name\": \"a\\qb\"}",
         "my.json:1:10: this text holds an escape that JSON does not have; a backslash is written \\\\."},
        {"{\"name\": \"\\ud800\"}",
         "my.json:1:10: this text holds half of a surrogate pair (\\uD800 to \\uDFFF)."},
        {"{\"name\": \"\\u0000\"}", "my.json:1:10: this text holds \\u0000, which is not allowed."},
        {"{\"name\": \"x\x01\"}", "my.json:1:12: the control character 0x01 is not allowed here."},
        {"{\n\"name\": \"x\xFF\"}", "my.json:2:11: the byte 0xFF is no UTF-8; save the file as UTF-8."},
        {"{\"name\": \"\xC0\x80\"}", "my.json:1:11: the byte 0xC0 is no UTF-8; save the file as UTF-8."},
        {"{\"name\": \"\xED\xA0\x80\"}", "my.json:1:11: the byte 0xED is no UTF-8; save the file as UTF-8."},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        json_refused(facts[i][0], facts[i][1]);
    refused(strategy_parse_json, "my.json", "{\0}", 3,
            "my.json:1:2: the control character 0x00 is not allowed here.");
}

static void deep_nesting_is_refused(void **state) {
    (void)state;
    size_t depth = 100000;
    char *text = malloc(depth + 12);
    assert_non_null(text);
    memset(text, '[', depth);
    refused(strategy_parse_json, "my.json", text, depth,
            "my.json:1:2049: the brackets are nested more than 2,048 deep.");
    memcpy(text, "{\"weights\":", 11);
    memset(text + 11, '{', depth - 11);
    refused(strategy_parse_json, "my.json", text, depth,
            "my.json:1:13: expected a key in quotes, found \"{\".");
    // as deep as jansson allows, but in the wrong place
    memset(text + 11, '[', 2000);
    memset(text + 2011, ']', 2000);
    text[4011] = '}';
    refused(strategy_parse_json, "my.json", text, 4012,
            "my.json:1:12: \"weights\" needs an object like {\"holes\": -4}, found a list.");
    free(text);
}

static void huge_files_are_refused(void **state) {
    (void)state;
    size_t length = STRATEGY_FILE_LIMIT + 1;
    char *text = malloc(length);
    assert_non_null(text);
    memset(text, ' ', length);
    refused(strategy_parse_json, "my.json", text, length,
            "my.json: has 1048577 bytes; a strategy file has at most 1048576.");
    refused(strategy_parse_dat, "my.dat", text, length,
            "my.dat: has 1048577 bytes; a strategy file has at most 1048576.");
    // just small enough
    const char *content = "{\"weights\": {\"holes\": 1}}";
    memcpy(text, content, strlen(content));
    Strategy strategy;
    Error error;
    assert_true(parse(strategy_parse_json, &strategy, "my.json", text, length - 1, &error));
    free(text);
}

static void every_truncation_is_an_error(void **state) {
    (void)state;
    static const struct {
        const char *path;
        Parser *parser;
        size_t optional; // bytes at the end that nothing depends on
    } samples[] = {{SAMPLE("full.json"), strategy_parse_json, 1},
                   {SAMPLE("small.json"), strategy_parse_json, 1},
                   {SAMPLE("bcts.dat"), strategy_parse_dat, 0},
                   {SAMPLE("columns.dat"), strategy_parse_dat, 0}};
    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        Strategy strategy;
        Error error = {""};
        size_t length;
        char *text = text_read_file(samples[i].path, &length, &error);
        if (!text)
            fail_msg("%s", error.text);
        assert_true(parse(samples[i].parser, &strategy, "cut", text, length, &error));
        for (size_t cut = 0; cut < length - samples[i].optional; cut++) {
            if (parse(samples[i].parser, &strategy, "cut", text, cut, &error))
                fail_msg("%s cut to %zu bytes was accepted", samples[i].path, cut);
            assert_true(strncmp(error.text, "cut:", 4) == 0);
        }
        free(text);
    }
}

// ---- mdptetris files

static void an_imported_bcts_file_is_bcts(void **state) {
    (void)state;
    Strategy imported, builtin;
    load(&imported, SAMPLE("bcts.dat"));
    load(&builtin, "bcts");
    strcpy(builtin.source, "imported from mdptetris");
    assert_same(&imported, &builtin);
    assert_round_trip(&imported);
}

static void columns_and_reward_are_imported(void **state) {
    (void)state;
    Strategy strategy;
    load(&strategy, SAMPLE("columns.dat"));
    const RatingWeights *rating = &strategy.rating;
    assert_int_equal(rating->given[FEATURE_COLUMN_HEIGHTS], 5);
    assert_int_equal(rating->given[FEATURE_COLUMN_DIFFERENCES], 4);
    for (int x = 0; x < 5; x++)
        assert_true(rating->weight[feature_first[FEATURE_COLUMN_HEIGHTS] + x] == x + 1);
    for (int x = 0; x < 4; x++)
        assert_true(rating->weight[feature_first[FEATURE_COLUMN_DIFFERENCES] + x] == -x - 1);
    assert_true(rating->weight[feature_first[FEATURE_MAX_HEIGHT]] == 0.5);
    assert_true(rating->weight[feature_first[FEATURE_CUMULATIVE_WELLS_FAST]] == -2.22);
    assert_true(rating->weight[feature_first[FEATURE_REMOVED_LINES]] == 1);
    assert_int_equal(strategy_weights(&strategy), 5 + 4 + 1 + 1 + 1);
}

static void errors_in_dat_files_are_named_with_their_place(void **state) {
    (void)state;
    static const char *const facts[][2] = {
        {"", "my.dat:1:1: expected the number of the reward, found the end of the file."},
        {"x\n", "my.dat:1:1: expected the number of the reward, found \"x\"."},
        {"\n", "my.dat:1:1: expected the number of the reward, found the end of the line."},
        {"0.5\n", "my.dat:1:1: expected the number of the reward, found \"0.5\"."},
        {"4\n0\n",
         "my.dat:1:1: reward 4 cannot be imported; 0 (none), 1 (removed lines) and 2 (constant) can."},
        {"0 1\n", "my.dat:1:3: expected the end of the line, found \"1\"."},
        {"0\n", "my.dat:2:1: expected the value of a lost game, found the end of the file."},
        {"0\nnan\n", "my.dat:2:1: expected the value of a lost game, found \"nan\"."},
        {"0\n0x10\n", "my.dat:2:1: expected the value of a lost game, found \"0x10\"."},
        {"0\n0\n-3\n", "my.dat:3:1: expected at least 1 weight, found -3."},
        {"0\n0\n99999999999999999999\n",
         "my.dat:3:1: expected the number of weights, found \"99999999999999999999\"."},
        {"0\n0\n1000000\n1 1\n",
         "my.dat:5:1: expected weight 2 of the 1000000 that line 3 announces, found the "
         "end of the file."},
        {"0\n0\n2\n1 -1\n",
         "my.dat:5:1: expected weight 2 of the 2 that line 3 announces, found the end of the file."},
        {"0\n0\n1\n1 -1\n2 1\n", "my.dat:5:1: expected the end of the line, found \"2\"."},
        {"0\n0\n1\n1 -1",
         "my.dat:4:1: this line has no end, so the file may be cut off; if it is whole, add a newline."},
        {"0\n0\n1\n1\n", "my.dat:4:2: expected a finite weight, found the end of the line."},
        {"0\n0\n1\n1 nan\n", "my.dat:4:3: expected a finite weight, found \"nan\"."},
        {"0\n0\n1\n1 -inf\n", "my.dat:4:3: expected a finite weight, found \"-inf\"."},
        {"0\n0\n1\n1 1e999\n", "my.dat:4:3: expected a finite weight, found \"1e999\"."},
        {"0\n0\n1\n1 1,5\n", "my.dat:4:3: expected a finite weight, found \"1,5\"."},
        {"0\n0\n1\n1 \x1B[2J\n", "my.dat:4:3: expected a finite weight, found \"?[2J\"."},
        {"0\n0\n1\n1 1e101\n", "my.dat:4:3: 1e101 is too large; the limit is 1e+100."},
        {"0\n0\n1\n14 -1\n", "my.dat:4:1: feature 14 is unknown; 1 to 9, -1, -2 and -6 can be imported."},
        {"0\n0\n1\n0 -1\n", "my.dat:4:1: feature 0 is unknown; 1 to 9, -1, -2 and -6 can be imported."},
        {"0\n0\n2\n5 -1\n5 -1\n", "my.dat:5:1: feature 5 (holes) has more than its 1 weight."},
        {"0\n0\n3\n8 1\n8 1\n8 1\n",
         "my.dat:7:1: there are only 3 weights of feature 8 (column-heights); no board has fewer than 4."},
        {"0\n0\n7\n8 1\n8 1\n8 1\n8 1\n9 1\n9 1\n9 1\n9 1\n",
         "my.dat:11:1: expected the end of the line, found \"9\"."},
        {"0\n0\n8\n8 1\n8 1\n8 1\n8 1\n9 1\n9 1\n9 1\n9 1\n",
         "my.dat:12:1: 4 weights of feature 8 are for a board 4 wide, but 4 of feature 9 for one 5 wide."},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        dat_refused(facts[i][0], facts[i][1]);
    refused(strategy_parse_dat, "my.dat", "0\n0\n1\n1 1\0\n", 11,
            "my.dat:4:3: expected a finite weight, found \"1?\".");
}

static void blanks_and_windows_lines_are_accepted(void **state) {
    (void)state;
    Strategy strategy;
    Error error;
    const char *text = " 2\r\n+inf \r\n\t1\r\n-2 \t +1.5e0\r\n\r\n  \n";
    if (!parse(strategy_parse_dat, &strategy, "x.dat", text, strlen(text), &error))
        fail_msg("%s", error.text);
    assert_int_equal(strategy_weights(&strategy), 1);
    assert_true(strategy.rating.weight[feature_first[FEATURE_ROWS_WITH_HOLES]] == 1.5);
}

// ---- finding

static void find_refused(const char *text, const char *message) {
    Strategy strategy;
    Error error = {""};
    assert_false(strategy_find(&strategy, text, &error));
    assert_string_equal(error.text, message);
}

static void a_misspelt_name_gets_the_nearest_one(void **state) {
    (void)state;
    find_refused("delacherie", "\"delacherie\" is neither a built-in strategy nor a file; did you mean "
                               "\"dellacherie\"? (tetralab strategies lists the built-in ones)");
    find_refused("dt20", "\"dt20\" is neither a built-in strategy nor a file; did you mean "
                         "\"dt-20\"? (tetralab strategies lists the built-in ones)");
}

// What tells a slip on the command line from a wrong file.
static void names_and_files_are_told_apart(void **state) {
    (void)state;
    assert_false(strategy_is_file("bcts"));
    assert_false(strategy_is_file("bcst"));
    assert_false(strategy_is_file(""));
    assert_true(strategy_is_file("no-such-file.json"));
    assert_true(strategy_is_file("no-such-file.dat"));
    assert_true(strategy_is_file("/dev/null"));
    assert_true(strategy_is_file("-"));
}

static void an_error_in_a_file_names_the_file(void **state) {
    (void)state;
    find_refused(
        SAMPLE("misspelt.json"),
        SAMPLE(
            "misspelt.json") ":4:9: \"landing-hieght\" is not a feature; did you mean \"landing-height\"?");
    Strategy strategy;
    Error error = {""};
    assert_false(strategy_find(&strategy, SAMPLE("nowhere.json"), &error));
    assert_non_null(strstr(error.text, "nowhere.json"));
}

// -> content  written to a temporary file whose name has no ending
static bool find_content(const char *content, Strategy *strategy, char path[64], Error *error) {
    strcpy(path, "/tmp/tetralab-strategy-XXXXXX");
    int file = mkstemp(path);
    assert_true(file >= 0);
    FILE *out = fdopen(file, "w");
    assert_non_null(out);
    fputs(content, out);
    assert_int_equal(fclose(out), 0);
    bool found = strategy_find(strategy, path, error);
    remove(path);
    return found;
}

static void without_an_ending_the_content_decides(void **state) {
    (void)state;
    Strategy strategy;
    Error error = {""};
    char path[64], message[256];
    assert_true(find_content(" \n{\"weights\": {\"holes\": -1}}", &strategy, path, &error));
    assert_true(find_content("0\n-1\n1\n5 -1\n", &strategy, path, &error));
    assert_string_equal(strategy.source, "imported from mdptetris");
    static const char *const neither[] = {"holes: -1\n", "", "\n"};
    for (int i = 0; i < 3; i++) {
        assert_false(find_content(neither[i], &strategy, path, &error));
        snprintf(message, sizeof message,
                 "%s:1:1: is no strategy: expected a JSON object, which begins with \"{\", or an mdptetris "
                 "file, which begins with a number.",
                 path);
        assert_string_equal(error.text, message);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builtin_weights_are_the_published_ones),
        cmocka_unit_test(builtin_strategies_have_the_published_shape),
        cmocka_unit_test(builtin_strategies_survive_writing_and_reading),
        cmocka_unit_test(builtin_strategies_make_ratings),
        cmocka_unit_test(every_key_is_read),
        cmocka_unit_test(what_is_left_out_has_its_default),
        cmocka_unit_test(every_option_is_read),
        cmocka_unit_test(options_that_are_left_out_have_their_defaults),
        cmocka_unit_test(numbers_are_written_short_and_exact),
        cmocka_unit_test(json_is_written_in_a_fixed_order),
        cmocka_unit_test(quotes_and_other_scripts_survive),
        cmocka_unit_test(the_default_name_comes_from_the_file),
        cmocka_unit_test(wrong_members_are_named_with_their_place),
        cmocka_unit_test(wrong_options_are_named_with_their_place),
        cmocka_unit_test(syntax_errors_are_named_with_their_place),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(huge_files_are_refused),
        cmocka_unit_test(every_truncation_is_an_error),
        cmocka_unit_test(an_imported_bcts_file_is_bcts),
        cmocka_unit_test(columns_and_reward_are_imported),
        cmocka_unit_test(errors_in_dat_files_are_named_with_their_place),
        cmocka_unit_test(blanks_and_windows_lines_are_accepted),
        cmocka_unit_test(a_misspelt_name_gets_the_nearest_one),
        cmocka_unit_test(names_and_files_are_told_apart),
        cmocka_unit_test(an_error_in_a_file_names_the_file),
        cmocka_unit_test(without_an_ending_the_content_decides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
