// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of the score of a vector: the right games, the right means, and one number whichever way it is
// found.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "effort.h"
#include "measure/playing.h"
#include "measure_fixture.h"
#include "objective_fixture.h"

// ---- games

static void a_sample_is_the_game_of_its_number(void **state) {
    (void)state;
    Objective objective;
    Table table;
    objective_make(&objective, OBJECTIVE_GAMES, "10x8", "hard", 0);
    table_make(&table, "bcts", "10x8", "lenient", "hard");
    for (uint64_t number = 0; number < 20; number++) {
        Game game;
        game_start(&game, &table.rules, 5, number);
        while (game.state == GAME_RUNNING)
            player_run(table.player, &game, 1000);
        Sample sample = sample_of(&objective, BCTS, 5, number);
        assert_true(sample.done);
        assert_true(sample.value == (double)game.lines && sample.pieces == game.pieces);
    }
    table_free(&table);
    objective_free(&objective);
}

static void a_game_stops_at_the_limit_and_its_lines_count(void **state) {
    (void)state;
    Objective objective;
    objective_make(&objective, OBJECTIVE_GAMES, "10x20", "uniform", 0);
    objective.max_pieces = 10000;
    Sample sample = sample_of(&objective, BCTS, 1, 0);
    assert_true(sample.done && sample.pieces == 10000);
    assert_true(sample.value > 3900 && sample.value <= 4000);
    objective_free(&objective);
}

static void the_score_of_games_is_their_mean(void **state) {
    (void)state;
    assert_true(objective_score(OBJECTIVE_GAMES, (double[]){1, 2, 6}, 3) == 3);
    assert_true(objective_lines(OBJECTIVE_GAMES, 3) == 3);
    double score = objective_score(OBJECTIVE_SPLITTING, (double[]){0.5, 0.25, 0.75}, 3);
    assert_true(fabs(score - log(2)) < 1e-15);
    assert_true(fabs(objective_lines(OBJECTIVE_SPLITTING, score) - 2) < 1e-14);
}

// ---- splitting

typedef struct Mean {
    double sum, squares;
    int count;
} Mean;

static void add(Mean *mean, const Sample *sample) {
    assert_true(sample->done && sample->value > 0 && isfinite(sample->value));
    mean->sum += sample->value;
    mean->squares += sample->value * sample->value;
    mean->count++;
}

static double mean_of(const Mean *mean) {
    return mean->sum / mean->count;
}

static double error_of(const Mean *mean) {
    double m = mean_of(mean);
    return sqrt((mean->squares / mean->count - m * m) / mean->count);
}

// Differences of 5.5 standard errors come once in 26 million cases.
static void assert_agree(const char *what, const Mean *a, double b, double error_of_b) {
    double most = 5.5 * hypot(error_of(a), error_of_b);
    if (!(fabs(mean_of(a) - b) < most))
        fail_msg("seed 4, %s: %g and %g losses per line differ by more than %g", what, mean_of(a), b, most);
}

// On 10x7 bcts loses 8.3 games in 5,000 pieces, so that about half of the samples goes either way.
static void both_ways_and_whole_games_agree_at_the_border(void **state) {
    (void)state;
    static const char *const boards[] = {"10x7", "10x8"};
    for (int k = 0; k < 2; k++) {
        Objective objective;
        Table table;
        Mean played = {0}, split = {0}, mixed = {0};
        Error error = {""};
        objective_make(&objective, OBJECTIVE_SPLITTING, boards[k], "uniform", 200);
        table_make(&table, "bcts", boards[k], "lenient", "uniform");
        Candidate *candidate = candidate_new(&objective, BCTS, &error);
        int samples = 20 + (int)test_effort(180);
        for (int i = 0; i < samples; i++) {
            Sample sample;
            candidate_sample_played(candidate, 4, 1000 + (uint64_t)i, NULL, &sample);
            add(&played, &sample);
            assert_true(candidate_sample_split(candidate, 4, 2000 + (uint64_t)i, 4, NULL, &sample, &error));
            add(&split, &sample);
            assert_true(candidate_samples(candidate, 4, (uint64_t)i, 1, NULL, &sample, &error));
            add(&mixed, &sample);
        }
        PlayingPlan plan = {.player = table.player, .seed = 77, .games = 2000, .work.jobs = 2};
        Playing playing;
        Summary summary;
        assert_true(playing_run(&playing, &plan, &error));
        assert_true(summary_make(&summary, playing.score, playing.games, &error));
        double rate = 1 / summary.mean, error_of_rate = rate / summary.mean * summary.sd / sqrt(2000);
        assert_agree("played", &played, rate, error_of_rate);
        assert_agree("split", &split, rate, error_of_rate);
        assert_agree("mixed", &mixed, rate, error_of_rate);
        playing_free(&playing);
        candidate_free(candidate);
        table_free(&table);
        objective_free(&objective);
    }
}

static void samples_of_a_seed_and_number_are_the_same_whoever_takes_them(void **state) {
    (void)state;
    static const char *const boards[] = {"10x6", "10x10"}; // one for each way
    for (int k = 0; k < 2; k++) {
        Objective objective;
        objective_make(&objective, OBJECTIVE_SPLITTING, boards[k], "uniform", 100);
        Sample a = sample_of(&objective, BCTS, 3, 7), b = sample_of(&objective, BCTS, 3, 7);
        assert_true(a.value == b.value && a.pieces == b.pieces);
        assert_true(sample_of(&objective, BCTS, 3, 8).value != a.value);
        assert_true(sample_of(&objective, BCTS, 4, 7).value != a.value);
        objective_free(&objective);
    }
}

// Without any line, the longer game is the better one: there is a slope to climb from nowhere.
static void players_without_lines_are_ordered_by_how_long_they_last(void **state) {
    (void)state;
    Objective objective;
    double tower[8] = {1}, zero[8] = {0}, flat[8] = {-1}; // landing height: as high as possible, any, low
    objective_make(&objective, OBJECTIVE_SPLITTING, "10x20", "uniform", 100);
    Sample high = sample_of(&objective, tower, 1, 0), any = sample_of(&objective, zero, 1, 0),
           low = sample_of(&objective, flat, 1, 0);
    assert_true(high.done && any.done && low.done);
    assert_true(high.value > any.value && any.value > low.value && isfinite(high.value));
    assert_true(high.pieces < any.pieces && high.pieces < 2000);
    objective_free(&objective);
}

// With nothing but O pieces bcts never loses: no repetition gets anywhere.
static void a_player_that_never_loses_gets_a_small_positive_value(void **state) {
    (void)state;
    Objective objective;
    objective_make(&objective, OBJECTIVE_SPLITTING, "10x10", "O:1", 100);
    Sample sample = sample_of(&objective, BCTS, 1, 0);
    assert_true(sample.done && sample.value > 0 && sample.value < 1e-4);
    objective_free(&objective);
}

// On 10x24, 100 trials hardly ever reach a loss. What they reached still tells bcts from a weaker player.
static void extinct_repetitions_are_bounds_that_tell_players_apart(void **state) {
    (void)state;
    static const double dellacherie[8] = {-1, 1, -1, -1, -4, -1, 0, 0};
    Objective objective;
    objective_make(&objective, OBJECTIVE_SPLITTING, "10x24", "uniform", 100);
    double strong = 0, weak = 0;
    for (uint64_t k = 0; k < 6; k++) {
        strong += log(sample_of(&objective, BCTS, 1, k).value);
        weak += log(sample_of(&objective, dellacherie, 1, k).value);
    }
    assert_true(strong < weak && exp(strong / 6) < 1e-7);
    objective_free(&objective);
}

static void a_stopped_sample_is_not_done(void **state) {
    (void)state;
    static const struct {
        ObjectiveKind kind;
        const char *board;
    } cases[] = {{OBJECTIVE_GAMES, "10x20"}, {OBJECTIVE_SPLITTING, "10x20"}, {OBJECTIVE_SPLITTING, "10x5"}};
    volatile bool stop = true;
    for (int k = 0; k < 3; k++) {
        Objective objective;
        Error error = {""};
        Sample sample;
        objective_make(&objective, cases[k].kind, cases[k].board, "uniform", 1500);
        Candidate *candidate = candidate_new(&objective, BCTS, &error);
        assert_true(candidate_samples(candidate, 1, 0, 1, &stop, &sample, &error));
        assert_false(sample.done);
        assert_true(candidate_sample_split(candidate, 1, 0, 3, &stop, &sample, &error));
        assert_false(sample.done);
        candidate_sample_played(candidate, 1, 0, &stop, &sample);
        assert_false(sample.done);
        candidate_free(candidate);
        objective_free(&objective);
    }
}

// ---- checks and JSON

static void objectives_that_cannot_be_sampled_are_refused(void **state) {
    (void)state;
    Objective objective;
    Error error = {""};
    objective_make(&objective, OBJECTIVE_SPLITTING, "10x10", "uniform", 100);
    objective.trials = 99;
    assert_false(objective_check(&objective, &error));
    assert_non_null(strstr(error.text, "100 to"));
    objective.trials = 100;
    objective.encoding.width = 9;
    assert_false(objective_check(&objective, &error));
    objective.encoding.width = 10;
    objective.encoding.rating = RATING_EXPONENTIAL;
    assert_true(encoding_set_features(&objective.encoding, "delta-holes", &error));
    assert_false(objective_check(&objective, &error));
    assert_non_null(strstr(error.text, "delta-holes can be negative"));
    objective.encoding.choose = true;
    assert_false(objective_check(&objective, &error));
    objective.encoding.choose = false;
    objective.encoding.rating = RATING_LINEAR;
    assert_true(objective_check(&objective, &error));
    objective.encoding.player = PLAYER_UCT; // it plans with pieces that a restarted game would change
    assert_false(objective_check(&objective, &error));
    assert_non_null(strstr(error.text, "plans with the 10 pieces"));
    objective.encoding.player = PLAYER_GREEDY;
    piece_source_free(&objective.rules.pieces);
    assert_true(piece_source_recorded(&objective.rules.pieces, "list", (const uint8_t[]){1, 2}, 2, &error));
    assert_false(objective_check(&objective, &error));
    assert_non_null(strstr(error.text, "recorded"));
    objective.kind = OBJECTIVE_GAMES;
    assert_true(objective_check(&objective, &error));
    objective_free(&objective);
}

static void an_objective_comes_back_from_json_and_samples_the_same(void **state) {
    (void)state;
    static const char *const pieces[] = {"hard", "S:3,Z:1.25,T:0.1", "bag"};
    for (int k = 0; k < 4; k++) {
        Objective objective, back;
        Error error = {""};
        objective_make(&objective, OBJECTIVE_GAMES, "8x9", k < 3 ? pieces[k] : "uniform", 1234);
        objective.rules.overflow = OVERFLOW_STRICT;
        objective.rules.gameover = GAMEOVER_EVALUATE;
        objective.max_pieces = k ? 4000 : UINT64_MAX - 1;
        if (k == 3)
            assert_true(piece_source_recorded(&objective.rules.pieces, "list",
                                              (const uint8_t[]){0, 1, 2, 3, 4, 5, 6}, 7, &error));
        json_t *json = objective_save(&objective);
        if (!objective_restore(&back, json, &error))
            fail_msg("%s", error.text);
        assert_true(back.max_pieces == objective.max_pieces && back.trials == 1234);
        assert_true(back.rules.overflow == OVERFLOW_STRICT && back.rules.gameover == GAMEOVER_EVALUATE);
        Sample a = sample_of(&objective, BCTS, 2, 1), b = sample_of(&back, BCTS, 2, 1);
        assert_true(a.value == b.value && a.pieces == b.pieces);
        assert_true(k != 3 || a.pieces == 7);
        json_decref(json);
        objective_free(&objective);
        objective_free(&back);
    }
}

static void damaged_objectives_are_refused(void **state) {
    (void)state;
    static const char *const damage[] = {
        "{\"kind\": \"lines\"}",
        "{\"kind\": 1}",
        "{\"trials\": -1}",
        "{\"trials\": 0.5}",
        "{\"trials\": \"x\"}",
        "{\"max_pieces\": \"18446744073709551616\"}",
        "{\"trials\": 5}",
        "{\"rules\": {}}",
        "{\"rules\": null}",
        "{\"encoding\": []}",
        "{\"rules\": {\"board\": \"99x9\", \"overflow\": \"strict\", \"gameover\": "
        "\"avoid\", \"rules\": \"simplified\", \"piece_source\": \"bag\"}}",
        "{\"rules\": {\"board\": \"9x9\", \"overflow\": \"strict\", \"gameover\": \"avoid\", \"rules\": "
        "\"simplified\", \"piece_source\": \"a file\"}}",
        "{\"rules\": {\"board\": \"9x9\", \"overflow\": \"strict\", \"gameover\": \"avoid\", \"rules\": "
        "\"simplified\", \"piece_source\": \"a file\", \"recorded\": \"OIX\"}}"};
    Objective objective;
    objective_make(&objective, OBJECTIVE_SPLITTING, "8x9", "uniform", 100);
    for (size_t k = 0; k < sizeof damage / sizeof *damage; k++) {
        json_t *json = objective_save(&objective), *change = json_loads(damage[k], 0, NULL);
        Objective back;
        Error error = {""};
        assert_non_null(change);
        json_object_update(json, change);
        if (objective_restore(&back, json, &error) || !error.text[0])
            fail_msg("%s is accepted", damage[k]);
        objective_free(&back);
        json_decref(json);
        json_decref(change);
    }
    objective_free(&objective);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_is_the_game_of_its_number),
        cmocka_unit_test(a_game_stops_at_the_limit_and_its_lines_count),
        cmocka_unit_test(the_score_of_games_is_their_mean),
        cmocka_unit_test(both_ways_and_whole_games_agree_at_the_border),
        cmocka_unit_test(samples_of_a_seed_and_number_are_the_same_whoever_takes_them),
        cmocka_unit_test(players_without_lines_are_ordered_by_how_long_they_last),
        cmocka_unit_test(a_player_that_never_loses_gets_a_small_positive_value),
        cmocka_unit_test(extinct_repetitions_are_bounds_that_tell_players_apart),
        cmocka_unit_test(a_stopped_sample_is_not_done),
        cmocka_unit_test(objectives_that_cannot_be_sampled_are_refused),
        cmocka_unit_test(an_objective_comes_back_from_json_and_samples_the_same),
        cmocka_unit_test(damaged_objectives_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
