// SPDX-License-Identifier: GPL-3.0-or-later
// The long calls of the public interface do what the commands of the program do: the same numbers, to the
// letter. The program is run for comparison; it shares the rooms below, but not what makes the settings.
#define _GNU_SOURCE // memmem
#include <math.h>
#include <unistd.h>

#include "api_fixture.h"

#ifndef TETRALAB_PROGRAM
#define SKIP_WITHOUT_PROGRAM() skip()
static char *program_says(const char *arguments) {
    (void)arguments;
    return NULL;
}
static void assert_same_json(const char *a, const char *b) {
    (void)a;
    (void)b;
}
#else
#define SKIP_WITHOUT_PROGRAM() (void)0
#endif

// The library's text is what the program prints.
static void assert_as_program(char *json, const char *arguments) {
    char *said = program_says(arguments);
    assert_same_json(json, said);
    free(said);
    tetralab_free(json);
}

static char folder[] = "/tmp/tetralab-test-XXXXXX";

static const char *in_folder(const char *name) {
    static char path[sizeof folder + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

// ---- settings

static void settings_are_the_options_of_the_command(void **state) {
    (void)state;
    tetralab_settings *settings = SETTINGS("measure", "precision", "20%", "budget_pieces", "5000");
    assert_string_equal(tetralab_settings_get(settings, "precision"), "20%");
    assert_string_equal(tetralab_settings_get(settings, "budget-pieces"), "5000");
    assert_null(tetralab_settings_get(settings, "method"));
    assert_done(tetralab_settings_set(settings, "precision", NULL, &error));
    assert_null(tetralab_settings_get(settings, "precision"));
    assert_refused(tetralab_settings_set(settings, "precison", "2%", &error), "did you mean \"precision\"");
    assert_refused(tetralab_settings_set(settings, "precision", "tiny", &error), "precision: ");
    assert_refused(tetralab_settings_set(settings, "jobs", "0", &error), "jobs: ");
    assert_refused(tetralab_settings_set(settings, "board", "10x20", &error), "There is no setting");
    assert_refused(tetralab_settings_set(settings, "max-pieces", "10", &error), "There is no setting");
    tetralab_settings_free(settings);
    assert_refused(tetralab_settings_new("mesure", &error), "did you mean \"measure\"");
}

static void every_setting_has_a_name_and_help(void **state) {
    (void)state;
    static const char *const tasks[] = {"measure", "compare", "versus", "evaluate", "learn", "solve"};
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++) {
        tetralab_settings *settings = tetralab_settings_new(tasks[t], &error);
        tetralab_setting setting;
        int count = 0;
        bool seed = false;
        for (; tetralab_settings_describe(settings, count, &setting); count++) {
            assert_true(*setting.name && *setting.help);
            seed |= !strcmp(setting.name, "seed") && !strcmp(setting.preset, "1");
        }
        assert_true(seed && count > 4);
        assert_false(tetralab_settings_describe(settings, -1, &setting));
        tetralab_settings_free(settings);
    }
}

// ---- measuring

static void measuring_is_what_the_command_measures(void **state) {
    (void)state;
    SKIP_WITHOUT_PROGRAM();
    static const struct {
        const char *method, *arguments;
    } cases[] = {
        {"games", "measure dellacherie --board 10x6 --precision 40% --seed 3 --method games --json -"},
        {"splitting",
         "measure dellacherie --board 10x6 --precision 40% --seed 3 --method splitting --json -"},
        {"auto", "measure dellacherie --board 10x6 --precision 40% --seed 3 --json - --jobs 1"}};
    tetralab_player *player = new_player("dellacherie", "10x6");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tetralab_settings *settings =
            SETTINGS("measure", "precision", "40", "seed", "3", "method", cases[i].method);
        tetralab_measurement measurement;
        char *json;
        Stopper never = {.never = true};
        assert_done(
            tetralab_measure(player, settings, &measurement, &json, i ? NULL : stopper, &never, &error));
        assert_true(measurement.precise && !measurement.interrupted && measurement.count > 8);
        assert_true(measurement.interval.low < measurement.mean &&
                    measurement.mean < measurement.interval.high);
        assert_true(measurement.precision <= 0.4 && measurement.pieces > 1000);
        char mean[40];
        snprintf(mean, sizeof mean, "\"mean_lines\": %.15g,", measurement.mean);
        assert_non_null(strstr(json, mean));
        assert_as_program(json, cases[i].arguments);
        tetralab_settings_free(settings);
    }
    tetralab_player_free(player);
}

static void a_measurement_that_is_stopped_says_what_it_knows(void **state) {
    (void)state;
    static const char *const methods[] = {"games", "splitting"}, *const units[] = {"games", "repetitions"};
    tetralab_player *player = new_player("bcts", "10x8");
    for (int i = 0; i < 2; i++) {
        tetralab_settings *settings = SETTINGS("measure", "precision", "0.1%", "method", methods[i]);
        if (i) // a repetition is soon done
            assert_done(tetralab_settings_set(settings, "trials", "500", &error));
        tetralab_measurement measurement;
        Stopper soon = {.never = false};
        assert_done(tetralab_measure(player, settings, &measurement, NULL, stopper, &soon, &error));
        assert_true(measurement.interrupted && !measurement.precise && measurement.mean > 0);
        assert_true(measurement.count >= soon.last.done && soon.after == 0);
        assert_string_equal(soon.last.unit, units[i]);
        tetralab_settings_free(settings);
    }
    tetralab_player_free(player);
}

static bool refuse(void *context, const tetralab_advance *advance) {
    (void)advance;
    ++*(int *)context;
    return false;
}

// A short run comes first; stopped during it there is nothing to say, stopped after it there may be.
static void a_measurement_that_is_stopped_at_once_fails_or_says_so(void **state) {
    (void)state;
    tetralab_player *player = new_player("bcts", "10x20");
    tetralab_settings *settings = SETTINGS("measure", "precision", "0.1%");
    tetralab_measurement measurement = {.mean = -1};
    int calls = 0;
    if (tetralab_measure(player, settings, &measurement, NULL, refuse, &calls, &error))
        assert_true(measurement.interrupted);
    else
        assert_true(strstr(error.text, "Interrupted") && measurement.mean == -1);
    assert_int_equal(calls, 1);
    tetralab_settings_free(settings);
    tetralab_player_free(player);
}

static void settings_that_do_not_go_together_are_refused(void **state) {
    (void)state;
    tetralab_player *player = new_player("bcts", "10x8");
    tetralab_settings *settings = SETTINGS("measure", "method", "games", "base", "3");
    tetralab_measurement measurement;
    assert_refused(tetralab_measure(player, settings, &measurement, NULL, NULL, NULL, &error),
                   "--base and --trials belong to --method splitting");
    assert_done(tetralab_settings_set(settings, "method", "splitting", &error));
    assert_done(tetralab_settings_set(settings, "base", "9", &error));
    assert_refused(tetralab_measure(player, settings, &measurement, NULL, NULL, NULL, &error),
                   "--base must be at most 6");
    assert_done(tetralab_settings_set(settings, "base", NULL, &error));
    assert_done(tetralab_settings_set(settings, "journal", "/nowhere/journal", &error));
    assert_refused(tetralab_measure(player, settings, &measurement, NULL, NULL, NULL, &error),
                   "/nowhere/journal");
    tetralab_settings_free(settings);
    tetralab_player_free(player);
}

// ---- comparing

static void comparing_is_what_the_command_compares(void **state) {
    (void)state;
    SKIP_WITHOUT_PROGRAM();
    const tetralab_player *const players[] = {new_player("bcts", "10x6"), new_player("xtris", "10x6"),
                                              new_player("dellacherie", "10x6")};
    tetralab_settings *settings = SETTINGS("compare", "precision", "60%", "seed", "2");
    tetralab_comparison compared[3];
    char *json;
    assert_done(tetralab_compare(players, 2, settings, compared, &json, NULL, NULL, &error));
    assert_true(compared[0].ratio == 1 && compared[1].reference == 0);
    assert_true(fabs(compared[1].ratio * compared[0].measurement.mean - compared[1].measurement.mean) < 1e-6);
    assert_true(compared[1].interval.low < compared[1].ratio &&
                compared[1].ratio < compared[1].interval.high);
    assert_as_program(json, "compare bcts xtris --board 10x6 --precision 60% --seed 2 --json -");
    Stopper never = {.never = true};
    assert_done(tetralab_compare(players, 3, settings, compared, &json, stopper, &never, &error));
    for (int k = 0; k < 3; k++) {
        const tetralab_comparison *best = &compared[compared[k].reference];
        assert_true(best->rank == 0 && best->measurement.mean >= compared[k].measurement.mean);
        assert_true((compared[k].ratio == 1) == (best == &compared[k]));
    }
    assert_as_program(json, "compare bcts xtris dellacherie --board 10x6 --precision 60% --seed 2 --json -");
    tetralab_settings_free(settings);
    settings = SETTINGS("compare", "sprt", "1,2", "seed", "2");
    tetralab_verdict verdict;
    assert_done(tetralab_test(players[1], players[0], settings, &verdict, &json, NULL, NULL, &error));
    assert_true(verdict.pairs >= 32 && verdict.wins > 0 && verdict.wins < 1 && verdict.mean_b > 0);
    assert_string_equal(verdict.decision, verdict.sum > 0 ? "h1" : "h0");
    assert_true(verdict.sum <= verdict.lower || verdict.sum >= verdict.upper);
    assert_as_program(json, "compare xtris bcts --board 10x6 --sprt 1,2 --seed 2 --json -");
    tetralab_settings_free(settings);
    for (int k = 0; k < 3; k++)
        tetralab_player_free((tetralab_player *)players[k]);
}

static void what_cannot_be_compared_is_refused(void **state) {
    (void)state;
    const tetralab_player *const players[] = {new_player("bcts", "10x6"), new_player("bcts", "10x7")};
    tetralab_settings *settings = SETTINGS("compare", "sprt", "1,2");
    tetralab_comparison compared[2];
    tetralab_contestant contestants[2];
    tetralab_contest contest;
    tetralab_verdict verdict;
    assert_refused(tetralab_compare(players, 2, NULL, compared, NULL, NULL, NULL, &error),
                   "make them with the same board");
    assert_refused(tetralab_compare(players, 1, NULL, compared, NULL, NULL, NULL, &error), "two players");
    assert_refused(tetralab_test(players[0], players[0], NULL, &verdict, NULL, NULL, NULL, &error),
                   "set sprt");
    assert_refused(tetralab_compare(players, 1, settings, compared, NULL, NULL, NULL, &error), "two players");
    assert_done(tetralab_settings_set(settings, "precision", "3%", &error));
    assert_refused(tetralab_test(players[0], players[0], settings, &verdict, NULL, NULL, NULL, &error),
                   "without --method and --precision");
    assert_refused(tetralab_versus(players, 2, NULL, &contest, contestants, NULL, NULL, NULL, &error),
                   "make them with the same board");
    assert_refused(tetralab_versus(players, 9, NULL, &contest, contestants, NULL, NULL, NULL, &error),
                   "2 to 8 players, not 9");
    tetralab_settings_free(settings);
    tetralab_player_free((tetralab_player *)players[0]);
    tetralab_player_free((tetralab_player *)players[1]);
}

static bool stop_at_second(void *context, const tetralab_advance *advance) {
    (void)context;
    return advance->subject == 0;
}

static void a_comparison_that_is_stopped_says_which_player_is_not_measured(void **state) {
    (void)state;
    const tetralab_player *const players[] = {new_player("bcts", "10x6"), new_player("dellacherie", "10x6")};
    tetralab_settings *settings = SETTINGS("compare", "method", "games", "precision", "6%", "jobs", "1");
    tetralab_comparison compared[2];
    assert_done(tetralab_compare(players, 2, settings, compared, NULL, stop_at_second, NULL, &error));
    assert_true(compared[0].measurement.precise && !compared[0].measurement.interrupted);
    assert_true(compared[1].measurement.interrupted);
    assert_true(compared[1].rank < 0 ? isnan(compared[1].measurement.mean)
                                     : compared[1].measurement.mean > 0);
    tetralab_settings_free(settings);
    tetralab_player_free((tetralab_player *)players[0]);
    tetralab_player_free((tetralab_player *)players[1]);
}

// ---- matches

static void matches_are_what_the_command_plays(void **state) {
    (void)state;
    SKIP_WITHOUT_PROGRAM();
    const tetralab_player *const players[] = {new_player("bcts", "10x12"), new_player("xtris", "10x12")};
    char record[80];
    snprintf(record, sizeof record, "%s/match", folder);
    tetralab_settings *settings =
        SETTINGS("versus", "games", "12", "seed", "3", "sequence", "own", "record", record, "match", "2");
    tetralab_contest contest;
    tetralab_contestant contestants[2];
    char *json, command[200];
    assert_done(tetralab_versus(players, 2, settings, &contest, contestants, &json, NULL, NULL, &error));
    assert_true(contest.games == 12 && !contest.interrupted);
    assert_true(contestants[0].wins + contestants[1].wins + contest.draws + contest.undecided == 12);
    assert_true(contestants[0].interval.low < contestants[0].interval.high && contest.chance <= 1);
    assert_true(contestants[0].mean_sent >= contestants[1].mean_received);
    assert_as_program(json, "versus bcts xtris --board 10x12 --games 12 --seed 3 --sequence own --json -");
    snprintf(command, sizeof command, "versus --replay %s", record);
    free(program_says(command)); // the record is right
    assert_done(tetralab_settings_set(settings, "games", "1000000", &error));
    Stopper soon = {.never = false};
    assert_done(tetralab_versus(players, 2, settings, &contest, contestants, NULL, stopper, &soon, &error));
    assert_true(contest.interrupted && contest.games >= 1 && contest.games < 1000000);
    assert_refused(tetralab_settings_set(settings, "record", "-", &error), "name of a file");
    tetralab_settings_free(settings);
    tetralab_player_free((tetralab_player *)players[0]);
    tetralab_player_free((tetralab_player *)players[1]);
}

// ---- evaluating

enum { VECTORS = 7, SIZE = 8 };
static const char *const label[SIZE] = {"landing-height",     "eroded-cells",   "row-transitions",
                                        "column-transitions", "holes",          "cumulative-wells",
                                        "hole-depth",         "rows-with-holes"};

// Vectors around bcts', some of them bad.
static void make_vectors(const tetralab_evaluator *evaluator, double vectors[VECTORS * SIZE]) {
    tetralab_strategy *strategy = tetralab_strategy_load("bcts", &error);
    assert_int_equal(tetralab_evaluator_size(evaluator), SIZE);
    for (int i = 0; i < VECTORS; i++) {
        assert_done(tetralab_evaluator_vector(evaluator, strategy, vectors + i * SIZE, &error));
        vectors[i * SIZE + i] += 3 * i;
    }
    tetralab_strategy_free(strategy);
}

// <- the number behind "name": in a line
static double number_in(const char *line, const char *name) {
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *found = strstr(line, key);
    assert_non_null(found);
    return strtod(found + strlen(key) + (found[strlen(key)] == '['), NULL);
}

static void assert_scored_by_program(const double *vectors, const tetralab_evaluation *evaluations,
                                     const double *samples, int games, const char *arguments) {
    char command[4000], *at = command;
    at += sprintf(at, "evaluate --ordered %s <<'END'\n", arguments);
    for (int i = 0; i < VECTORS; i++)
        for (int k = 0; k < SIZE; k++)
            at += sprintf(at, "%s%.17g%s", k ? "," : "[", vectors[i * SIZE + k], k < SIZE - 1 ? "" : "]\n");
    sprintf(at, "END\n");
    char *said = program_says(command), *line = said;
    for (int i = 0; i < VECTORS; i++, line = strchr(line, '\n') + 1) {
        assert_true(evaluations[i].score == number_in(line, "score"));
        assert_true(evaluations[i].mean == number_in(line, "mean_lines"));
        assert_true(samples[i * games] == number_in(line, "samples"));
        assert_true((double)evaluations[i].pieces == number_in(line, "pieces"));
    }
    free(said);
}

static void vectors_have_the_scores_that_the_command_gives_them(void **state) {
    (void)state;
    SKIP_WITHOUT_PROGRAM();
    double vectors[VECTORS * SIZE], samples[VECTORS * 5];
    tetralab_evaluation evaluations[VECTORS];
    tetralab_rules *rules = new_rules("10x8");
    tetralab_settings *settings =
        SETTINGS("evaluate", "objective", "games", "games", "5", "seed", "4", "features", "du");
    tetralab_evaluator *evaluator = tetralab_evaluator_new(rules, settings, &error);
    assert_done(evaluator);
    for (int k = 0; k < SIZE; k++)
        assert_string_equal(tetralab_evaluator_label(evaluator, k), label[k]);
    assert_null(tetralab_evaluator_label(evaluator, SIZE));
    make_vectors(evaluator, vectors);
    for (int again = 0; again < 2; again++) { // the same evaluator serves several calls
        assert_done(
            tetralab_evaluate(evaluator, vectors, VECTORS, NULL, evaluations, samples, NULL, NULL, &error));
        assert_scored_by_program(vectors, evaluations, samples, 5,
                                 "--objective games --games 5 --seed 4 --features du --board 10x8");
    }
    double sum = 0, squares = 0;
    for (int k = 0; k < 5; k++)
        sum += samples[k];
    for (int k = 0; k < 5; k++)
        squares += (samples[k] - sum / 5) * (samples[k] - sum / 5);
    double error_squared = evaluations[0].error * evaluations[0].error;
    assert_true(fabs(error_squared - squares / 4 / 5) < 1e-9 * error_squared);
    tetralab_evaluator_free(evaluator);
    tetralab_settings_free(settings);
    settings = SETTINGS("evaluate", "jobs", "2");
    assert_done(evaluator = tetralab_evaluator_new(rules, settings, &error));
    Stopper never = {.never = true};
    assert_done(
        tetralab_evaluate(evaluator, vectors, VECTORS, NULL, evaluations, samples, stopper, &never, &error));
    assert_scored_by_program(vectors, evaluations, samples, 1, "--board 10x8 --jobs 1");
    assert_true(isnan(evaluations[0].error));
    tetralab_evaluator_free(evaluator);
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
}

// Each vector may have its own games; a strategy made of a vector plays those games.
static void samples_are_the_games_of_the_strategy(void **state) {
    (void)state;
    double vectors[VECTORS * SIZE], samples[9];
    tetralab_evaluation evaluations[2];
    static const tetralab_sampling samplings[2] = {{7, 0, 6}, {7, 2, 3}};
    tetralab_rules *rules = new_rules("10x8");
    tetralab_settings *settings = SETTINGS("evaluate", "objective", "games");
    tetralab_evaluator *evaluator = tetralab_evaluator_new(rules, settings, &error);
    assert_done(evaluator);
    make_vectors(evaluator, vectors);
    memcpy(vectors + SIZE, vectors, SIZE * sizeof *vectors);
    assert_done(
        tetralab_evaluate(evaluator, vectors, 2, samplings, evaluations, samples, NULL, NULL, &error));
    tetralab_strategy *strategy = tetralab_evaluator_strategy(evaluator, vectors, "mine", &error);
    assert_done(strategy);
    assert_string_equal(tetralab_strategy_name(strategy), "mine");
    tetralab_player *player = tetralab_player_new(strategy, rules, NULL, &error);
    tetralab_score scores[6];
    assert_done(tetralab_play(player, 7, 6, 1, scores, NULL, NULL, NULL, &error));
    for (int k = 0; k < 6; k++)
        assert_true(samples[k] == (double)scores[k].lines);
    for (int k = 0; k < 3; k++)
        assert_true(samples[6 + k] == (double)scores[2 + k].lines);
    tetralab_player_free(player);
    tetralab_strategy_free(strategy);
    tetralab_evaluator_free(evaluator);
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
}

static void what_cannot_be_evaluated_is_refused(void **state) {
    (void)state;
    double vectors[VECTORS * SIZE];
    tetralab_evaluation evaluations[VECTORS] = {{.score = -1}};
    tetralab_rules *rules = new_rules("10x8");
    tetralab_settings *settings = SETTINGS("evaluate", "objective", "games", "trials", "200");
    assert_refused(tetralab_evaluator_new(rules, settings, &error), "--trials is for splitting");
    assert_refused(tetralab_settings_set(settings, "features", "holse", &error), "holes");
    tetralab_settings *other = SETTINGS("measure", "seed", "2");
    assert_refused(tetralab_evaluator_new(rules, other, &error), "settings of measure");
    assert_done(tetralab_rules_set(rules, "max-pieces", "100", &error));
    assert_refused(tetralab_evaluator_new(rules, NULL, &error), "--max-pieces stops whole games");
    assert_done(tetralab_rules_set(rules, "max-pieces", "none", &error));
    tetralab_evaluator *evaluator = tetralab_evaluator_new(rules, NULL, &error);
    assert_done(evaluator);
    make_vectors(evaluator, vectors);
    vectors[SIZE + 4] = NAN;
    assert_refused(
        tetralab_evaluate(evaluator, vectors, VECTORS, NULL, evaluations, NULL, NULL, NULL, &error),
        "Vector 1: its number 4, for holes, is not finite");
    assert_refused(tetralab_evaluate(evaluator, vectors, 1, &(tetralab_sampling){1, 0, 0}, evaluations, NULL,
                                     NULL, NULL, &error),
                   "1 to 100000 games, not 0");
    assert_true(evaluations[0].score == -1);
    assert_done(tetralab_evaluate(evaluator, NULL, 0, NULL, NULL, NULL, NULL, NULL, &error));
    tetralab_evaluator_free(evaluator);
    tetralab_settings_free(other);
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
}

// A game of bcts on a full board takes hours.
static void an_evaluation_can_be_stopped(void **state) {
    (void)state;
    double vectors[VECTORS * SIZE], samples[VECTORS];
    tetralab_evaluation evaluations[VECTORS];
    tetralab_rules *rules = new_rules("10x20");
    tetralab_settings *settings = SETTINGS("evaluate", "objective", "games", "games", "1");
    tetralab_evaluator *evaluator = tetralab_evaluator_new(rules, settings, &error);
    assert_done(evaluator);
    make_vectors(evaluator, vectors);
    memset(vectors + 5 * SIZE, 0, 2 * SIZE * sizeof *vectors); // a bad player, the last
    int calls = 0;
    assert_done(
        tetralab_evaluate(evaluator, vectors, VECTORS, NULL, evaluations, samples, refuse, &calls, &error));
    assert_int_equal(calls, 1);
    assert_true(isnan(evaluations[0].score) && isnan(samples[0]));
    assert_done(tetralab_evaluate(evaluator, vectors + 6 * SIZE, 1, NULL, evaluations, samples, NULL, NULL,
                                  &error)); // nothing is left of what was dropped
    assert_true(evaluations[0].score < 100 && samples[0] == evaluations[0].score);
    tetralab_evaluator_free(evaluator);
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
}

// ---- learning

// Counts generations and stops at one of them.
typedef struct Pupil {
    int generations, stop_at;
    double last[16];
} Pupil;

static bool take_generation(void *context, const tetralab_generation *generation) {
    Pupil *pupil = context;
    assert_int_equal(generation->size, 8);
    assert_true(generation->best >= generation->mean && generation->mean >= generation->worst);
    memcpy(pupil->last, generation->answer, 8 * sizeof(double));
    return ++pupil->generations != pupil->stop_at;
}

static void assert_learns_as_program(tetralab_settings *settings, const char *arguments) {
    tetralab_rules *rules = new_rules("10x6");
    Pupil pupil = {.generations = 0};
    assert_done(tetralab_settings_set(settings, "name", "pupil", &error)); // else it is that of the folder
    tetralab_learned *learned = tetralab_learn(rules, settings, take_generation, NULL, &pupil, &error);
    assert_done(learned);
    char command[400];
    snprintf(command, sizeof command, "learn --board 10x6 %s --name pupil --json - --out %s", arguments,
             in_folder("learned"));
    char *json = tetralab_learned_json(learned, &error);
    assert_non_null(strstr(json, "\"out\": null"));
    assert_as_program(json, command);
    // best.json is the strategy.
    tetralab_strategy *strategy = tetralab_learned_strategy(learned, -1, &error),
                      *written = tetralab_strategy_load(in_folder("learned/best.json"), &error);
    assert_done(strategy && written);
    char *a = tetralab_strategy_to_json(strategy, NULL), *b = tetralab_strategy_to_json(written, NULL);
    assert_string_equal(a, b);
    tetralab_free(a);
    tetralab_free(b);
    tetralab_strategy_free(written);
    tetralab_strategy_free(strategy);
    // The history is what was told.
    tetralab_generation generation;
    int count = 0;
    while (tetralab_learned_generation(learned, (size_t)count, &generation))
        count++;
    assert_int_equal(count, pupil.generations);
    assert_int_equal(tetralab_learned_size(learned), 8);
    assert_string_equal(tetralab_learned_label(learned, 4), "holes");
    assert_memory_equal(generation.answer, pupil.last, 8 * sizeof(double));
    assert_memory_equal(tetralab_learned_vector(learned, generation.run), pupil.last, 8 * sizeof(double));
    assert_non_null(generation.stopped);
    assert_false(tetralab_learned_interrupted(learned));
    snprintf(command, sizeof command, "rm -r '%s'", in_folder("learned"));
    assert_int_equal(system(command), 0);
    tetralab_learned_free(learned);
    tetralab_rules_free(rules);
    tetralab_settings_free(settings);
}

static void learning_is_what_the_command_learns(void **state) {
    (void)state;
    SKIP_WITHOUT_PROGRAM();
    assert_learns_as_program(SETTINGS("learn", "objective", "games", "generations", "3", "games", "4", "runs",
                                      "2", "curve", "0", "seed", "6"),
                             "--objective games --generations 3 --games 4 --runs 2 --curve 0 --seed 6");
    assert_learns_as_program(SETTINGS("learn", "method", "nce", "population", "12", "generations", "2",
                                      "trials", "200", "start", "bcts", "jobs", "2"),
                             "--method nce --population 12 --generations 2 --trials 200 --start bcts");
}

static void learning_that_is_stopped_keeps_its_generations_and_goes_on(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x6");
    tetralab_settings *settings = SETTINGS("learn", "objective", "games", "generations", "5", "games", "2",
                                           "out", in_folder("stopped"));
    Pupil pupil = {.stop_at = 2};
    tetralab_learned *learned = tetralab_learn(rules, settings, take_generation, NULL, &pupil, &error);
    assert_done(learned);
    assert_true(tetralab_learned_interrupted(learned));
    assert_int_equal(pupil.generations, 2);
    assert_memory_equal(tetralab_learned_vector(learned, -1), pupil.last, 8 * sizeof(double));
    tetralab_learned_free(learned);
    tetralab_settings_free(settings);
    // What goes on ends where a run without a stop ends.
    settings = SETTINGS("learn", "resume", in_folder("stopped"));
    pupil = (Pupil){.stop_at = 0};
    assert_done(learned = tetralab_learn(rules, settings, take_generation, NULL, &pupil, &error));
    assert_int_equal(pupil.generations, 3);
    tetralab_learned_free(learned);
    tetralab_settings_free(settings);
    settings = SETTINGS("learn", "objective", "games", "generations", "5", "games", "2");
    Pupil whole = {.stop_at = 0};
    Stopper never = {.never = true};
    assert_done(learned = tetralab_learn(rules, settings, take_generation, NULL, &whole, &error));
    assert_memory_equal(whole.last, pupil.last, 8 * sizeof(double));
    tetralab_learned_free(learned);
    assert_done(learned = tetralab_learn(rules, settings, NULL, stopper, &never, &error));
    assert_memory_equal(tetralab_learned_vector(learned, 0), pupil.last, 8 * sizeof(double));
    assert_null(tetralab_learned_vector(learned, 1));
    assert_refused(tetralab_learned_strategy(learned, 1, &error), "There is no run 1");
    tetralab_learned_free(learned);
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
}

static void what_cannot_be_learned_is_refused(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x6");
    tetralab_settings *settings = SETTINGS("learn", "method", "cmaes", "elite", "3");
    assert_refused(tetralab_learn(rules, settings, NULL, NULL, NULL, &error), "--elite is an option of");
    tetralab_settings_free(settings);
    settings = SETTINGS("learn", "resume", in_folder("nowhere"), "features", "bdu");
    assert_refused(tetralab_learn(rules, settings, NULL, NULL, NULL, &error),
                   "--features cannot be changed with --resume");
    assert_done(tetralab_settings_set(settings, "features", NULL, &error));
    assert_refused(tetralab_learn(rules, settings, NULL, NULL, NULL, &error), "There is no run in");
    tetralab_settings_free(settings);
    settings = SETTINGS("learn", "objective", "games");
    int calls = 0;
    tetralab_rules *large = new_rules("10x20");
    assert_done(tetralab_settings_set(settings, "start", "bcts", &error));
    assert_refused(tetralab_learn(large, settings, NULL, refuse, &calls, &error),
                   "Stopped before a generation was complete");
    assert_int_equal(calls, 1);
    tetralab_settings_free(settings);
    tetralab_rules_free(large);
    tetralab_rules_free(rules);
}

// ---- solving

static void solving_is_what_the_command_solves(void **state) {
    (void)state;
    SKIP_WITHOUT_PROGRAM();
    tetralab_rules *rules = new_rules("4x4");
    tetralab_solution solution;
    char *json;
    assert_done(tetralab_solve(rules, NULL, &solution, &json, NULL, NULL, &error));
    assert_true(fabs(solution.mean - 9.787659) < 1e-5 && solution.bound < 1e-5);
    assert_true(solution.states > 0 && isnan(solution.check_mean) && !solution.interrupted);
    assert_as_program(json, "solve --board 4x4 --check-games 0 --json -");
    tetralab_settings *settings = SETTINGS("solve", "out", in_folder("best"), "check-games", "2000");
    Stopper never = {.never = true};
    assert_done(tetralab_solve(rules, settings, &solution, &json, stopper, &never, &error));
    assert_true(solution.check_games == 2000 && fabs(solution.check_deviation) < 5.5);
    tetralab_free(json);
    tetralab_strategy *strategy = tetralab_strategy_load(in_folder("best.json"), &error);
    assert_done(strategy);
    tetralab_player *player = tetralab_player_new(strategy, rules, NULL, &error);
    assert_done(player); // with its table
    tetralab_player_free(player);
    tetralab_strategy_free(strategy);
    assert_done(tetralab_settings_set(settings, "out", NULL, &error));
    assert_done(tetralab_settings_set(settings, "resume", "true", &error));
    assert_refused(tetralab_solve(rules, settings, &solution, NULL, NULL, NULL, &error),
                   "--resume needs --out");
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
}

static void a_board_that_is_too_large_is_refused_and_a_stop_gives_a_bound(void **state) {
    (void)state;
    tetralab_rules *rules = new_rules("10x20");
    tetralab_solution solution = {.mean = -1};
    assert_refused(tetralab_solve(rules, NULL, &solution, NULL, NULL, NULL, &error), "at most 30");
    assert_true(solution.mean == -1);
    assert_done(tetralab_rules_set(rules, "board", "5x5", &error));
    int calls = 0;
    assert_done(tetralab_solve(rules, NULL, &solution, NULL, refuse, &calls, &error));
    assert_true(calls == 1 && solution.interrupted && solution.mean < 40);
    tetralab_rules_free(rules);
}

static int make_folder(void **state) {
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    char command[sizeof folder + 16];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_the_options_of_the_command),
        cmocka_unit_test(every_setting_has_a_name_and_help),
        cmocka_unit_test(measuring_is_what_the_command_measures),
        cmocka_unit_test(a_measurement_that_is_stopped_says_what_it_knows),
        cmocka_unit_test(a_measurement_that_is_stopped_at_once_fails_or_says_so),
        cmocka_unit_test(settings_that_do_not_go_together_are_refused),
        cmocka_unit_test(comparing_is_what_the_command_compares),
        cmocka_unit_test(what_cannot_be_compared_is_refused),
        cmocka_unit_test(a_comparison_that_is_stopped_says_which_player_is_not_measured),
        cmocka_unit_test(matches_are_what_the_command_plays),
        cmocka_unit_test(vectors_have_the_scores_that_the_command_gives_them),
        cmocka_unit_test(samples_are_the_games_of_the_strategy),
        cmocka_unit_test(what_cannot_be_evaluated_is_refused),
        cmocka_unit_test(an_evaluation_can_be_stopped),
        cmocka_unit_test(learning_is_what_the_command_learns),
        cmocka_unit_test(learning_that_is_stopped_keeps_its_generations_and_goes_on),
        cmocka_unit_test(what_cannot_be_learned_is_refused),
        cmocka_unit_test(solving_is_what_the_command_solves),
        cmocka_unit_test(a_board_that_is_too_large_is_refused_and_a_stop_gives_a_bound),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
