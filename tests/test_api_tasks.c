// SPDX-License-Identifier: GPL-3.0-or-later
// The long calls of the public interface do what the commands of the program do: the same numbers, to the
// letter. The program is run for comparison; it shares the rooms below, but not what makes the settings.
#define _GNU_SOURCE // memmem
#include <jansson.h>
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
    assert_refused(tetralab_settings_set(settings, "shard", "0/2", &error),
                   "There is no setting"); // no result
    tetralab_settings_free(settings);
    assert_refused(tetralab_settings_new("mesure", &error), "did you mean \"measure\"");
}

static void every_setting_has_a_name_and_help(void **state) {
    (void)state;
    static const char *const tasks[] = {"measure", "compare", "test", "versus", "evaluate", "learn", "solve"};
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++) {
        tetralab_settings *settings = tetralab_settings_new(tasks[t], &error);
        tetralab_setting setting;
        int count = 0;
        bool seed = false;
        for (; tetralab_settings_describe(settings, count, &setting); count++) {
            assert_true(*setting.name && *setting.help);
            seed |= !strcmp(setting.name, "seed") && !strcmp(setting.preset, "1");
        }
        assert_true(seed && count >= 4);
        assert_false(tetralab_settings_describe(settings, -1, &setting));
        tetralab_settings_free(settings);
    }
}

// ---- results

static double number(const char *json, const char *path) {
    return tetralab_result_number(json, path);
}

static bool is_true(const char *json, const char *flag) {
    char line[80];
    snprintf(line, sizeof line, "\n  \"%s\": true", flag);
    return strstr(json, line);
}

static bool is_described(const char *task, const char *path, bool begins) {
    tetralab_member member;
    for (int i = 0; tetralab_result_describe(task, i, &member); i++)
        if (begins ? !strncmp(member.name, path, strlen(path))
                   : !strcmp(member.name, path) && *member.meaning)
            return true;
    return false;
}

// Whatever the result, each of its members is described; and those of a member, if some of them are.
static void assert_members_described(const char *task, const json_t *json, const char *inside) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)json, key, value) {
        char path[160], below[170];
        snprintf(path, sizeof path, "%.80s%.79s", inside, key);
        if (!is_described(task, path, false))
            fail_msg("%s is a member of %s and not described", path, task);
        snprintf(below, sizeof below, "%s.", path);
        if (is_described(task, below, true))
            assert_members_described(task, json_is_array(value) ? json_array_get(value, 0) : value, below);
    }
}

static void assert_described(const char *task, const char *text) {
    json_t *json = json_loads(text, 0, NULL);
    assert_true(json_is_object(json));
    assert_members_described(task, json, "");
    json_decref(json);
}

static void every_member_is_described_once(void **state) {
    (void)state;
    static const char *const tasks[] = {"measure", "compare", "test", "versus", "solve", "learn"};
    for (size_t t = 0; t < sizeof tasks / sizeof *tasks; t++) {
        tetralab_member one, other;
        int count = 0;
        for (; tetralab_result_describe(tasks[t], count, &one); count++)
            for (int i = 0; i < count && tetralab_result_describe(tasks[t], i, &other); i++)
                assert_string_not_equal(one.name, other.name);
        assert_true(count > 10);
        assert_false(tetralab_result_describe(tasks[t], -1, &one));
    }
    tetralab_member none;
    assert_false(tetralab_result_describe("evaluate", 0, &none));
}

static void numbers_of_a_result_have_paths(void **state) {
    (void)state;
    const char *json = "{\"a\": {\"b\": [1, {\"c\": 2.5}, null]}}";
    assert_true(number(json, "a.b.0") == 1 && number(json, "a.b.1.c") == 2.5);
    assert_true(isnan(number(json, "a.b.2")) && isnan(number(json, "a.b.3")) && isnan(number(json, "a.c")));
    assert_true(isnan(number(json, "a")) && isnan(number("{", "a")));
    assert_true(isnan(number(json, "a.b.high")) && isnan(number(json, "a.b.0x")) &&
                isnan(number(json, "a.b.")));
    char *text = tetralab_result_text(json, "a.b.1");
    assert_string_equal(text, "{\n  \"c\": 2.5\n}");
    tetralab_free(text);
    assert_null(tetralab_result_text(json, "b"));
}

static char *run(const char *task, const tetralab_player *const *players, int count,
                 const tetralab_settings *settings) {
    return tetralab_run(task, NULL, players, count, settings, NULL, NULL, &error);
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
        {"heights", "measure dellacherie --board 10x6 --precision 40% --seed 3 --method heights --json -"},
        {"auto", "measure dellacherie --board 10x6 --precision 40% --seed 3 --json - --jobs 1"}};
    const tetralab_player *player = new_player("dellacherie", "10x6");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tetralab_settings *settings =
            SETTINGS("measure", "precision", "40", "seed", "3", "method", cases[i].method);
        Stopper never = {.never = true};
        char *json = tetralab_run("measure", NULL, &player, 1, settings, i ? NULL : stopper, &never, &error);
        assert_done(json);
        assert_described("measure", json);
        assert_as_program(json, cases[i].arguments);
        tetralab_settings_free(settings);
    }
    tetralab_player_free((tetralab_player *)player);
}

static void a_measurement_that_is_stopped_says_what_it_knows(void **state) {
    (void)state;
    static const char *const methods[] = {"games", "splitting"}, *const units[] = {"games", "repetitions"};
    const tetralab_player *player = new_player("bcts", "10x8");
    for (int i = 0; i < 2; i++) {
        tetralab_settings *settings = SETTINGS("measure", "precision", "0.1%", "method", methods[i]);
        if (i) // a repetition is soon done
            assert_done(tetralab_settings_set(settings, "trials", "500", &error));
        Stopper soon = {.never = false};
        char *json = tetralab_run("measure", NULL, &player, 1, settings, stopper, &soon, &error);
        assert_done(json);
        assert_true(is_true(json, "interrupted") && !is_true(json, "precise"));
        assert_true(number(json, "mean_lines") > 0);
        assert_true(number(json, units[i]) >= (double)soon.last.done && soon.after == 0);
        assert_string_equal(soon.last.unit, units[i]);
        tetralab_free(json);
        tetralab_settings_free(settings);
    }
    tetralab_player_free((tetralab_player *)player);
}

static bool refuse(void *context, const tetralab_advance *advance) {
    (void)advance;
    ++*(int *)context;
    return false;
}

// A short run comes first; stopped during it there is nothing to say, stopped after it there may be.
static void a_measurement_that_is_stopped_at_once_fails_or_says_so(void **state) {
    (void)state;
    const tetralab_player *player = new_player("bcts", "10x20");
    tetralab_settings *settings = SETTINGS("measure", "precision", "0.1%");
    int calls = 0;
    char *json = tetralab_run("measure", NULL, &player, 1, settings, refuse, &calls, &error);
    assert_true(json ? is_true(json, "interrupted") : !!strstr(error.text, "Interrupted"));
    assert_int_equal(calls, 1);
    tetralab_free(json);
    tetralab_settings_free(settings);
    tetralab_player_free((tetralab_player *)player);
}

static void settings_that_do_not_go_together_are_refused(void **state) {
    (void)state;
    const tetralab_player *player = new_player("bcts", "10x8");
    tetralab_settings *settings = SETTINGS("measure", "method", "games", "base", "3");
    assert_refused(run("measure", &player, 1, settings), "--base and --trials belong to --method splitting");
    assert_done(tetralab_settings_set(settings, "method", "splitting", &error));
    assert_done(tetralab_settings_set(settings, "base", "9", &error));
    assert_refused(run("measure", &player, 1, settings), "--base must be at most 6");
    assert_done(tetralab_settings_set(settings, "base", NULL, &error));
    assert_done(tetralab_settings_set(settings, "journal", "/nowhere/journal", &error));
    assert_refused(run("measure", &player, 1, settings), "/nowhere/journal");
    assert_refused(run("versus", &player, 1, NULL), "versus is for 2 to 8 players, not 1");
    tetralab_settings_free(settings);
    tetralab_player_free((tetralab_player *)player);
}

// ---- comparing

static void comparing_is_what_the_command_compares(void **state) {
    (void)state;
    SKIP_WITHOUT_PROGRAM();
    const tetralab_player *const players[] = {new_player("bcts", "10x6"), new_player("xtris", "10x6"),
                                              new_player("dellacherie", "10x6")};
    const tetralab_player *const back[] = {players[1], players[0]};
    tetralab_settings *settings = SETTINGS("compare", "precision", "60%", "seed", "2");
    char *json = run("compare", players, 2, settings);
    assert_done(json);
    assert_described("compare", json);
    assert_true(number(json, "measurements.0.ratio") == 1);
    assert_true(fabs(number(json, "ratio") * number(json, "measurements.0.mean_lines") -
                     number(json, "measurements.1.mean_lines")) < 1e-6);
    assert_true(number(json, "measurements.1.ratio") == number(json, "ratio"));
    assert_as_program(json, "compare bcts xtris --board 10x6 --precision 60% --seed 2 --json -");
    Stopper never = {.never = true};
    json = tetralab_run("compare", NULL, players, 3, settings, stopper, &never, &error);
    assert_done(json);
    assert_described("compare", json);
    assert_true(number(json, "measurements.0.ratio") == 1 && number(json, "measurements.2.ratio") < 1);
    assert_true(number(json, "measurements.1.mean_lines") >= number(json, "measurements.2.mean_lines"));
    assert_as_program(json, "compare bcts xtris dellacherie --board 10x6 --precision 60% --seed 2 --json -");
    tetralab_settings_free(settings);
    settings = SETTINGS("test", "sprt", "1,2", "seed", "2");
    assert_done(json = run("test", back, 2, settings));
    assert_described("test", json);
    double sum = number(json, "log_likelihood_ratio");
    assert_non_null(strstr(json, sum > 0 ? "\"decision\": \"h1\"" : "\"decision\": \"h0\""));
    assert_true(sum <= number(json, "lower") || sum >= number(json, "upper"));
    assert_as_program(json, "compare xtris bcts --board 10x6 --sprt 1,2 --seed 2 --json -");
    tetralab_settings_free(settings);
    for (int k = 0; k < 3; k++)
        tetralab_player_free((tetralab_player *)players[k]);
}

static void what_cannot_be_compared_is_refused(void **state) {
    (void)state;
    const tetralab_player *const players[] = {new_player("bcts", "10x6"), new_player("bcts", "10x7")};
    const tetralab_player *const same[] = {players[0], players[0]};
    tetralab_settings *settings = SETTINGS("test", "sprt", "1,1");
    assert_refused(run("compare", players, 2, NULL), "make them with the same board");
    assert_refused(run("versus", players, 2, NULL), "make them with the same board");
    assert_refused(run("compare", players, 1, NULL), "compare is for 2 to 100 players, not 1");
    assert_refused(run("measure", NULL, -3, NULL), "measure is for 1 player, not -3");
    assert_refused(run("solve", players, 1, NULL), "solve is for no players, not 1");
    assert_refused(run("test", same, 2, NULL), "set sprt");
    assert_refused(run("test", same, 2, settings), "two different ratios");
    assert_refused(run("compare", same, 2, settings), "settings of test");
    assert_refused(run("evaluate", same, 2, NULL), "functions of its own");
    assert_refused(run("compares", same, 2, NULL), "did you mean \"compare\"");
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
    const tetralab_player *const players[] = {new_player("bcts", "10x6"), new_player("bcts-ahead", "10x6")};
    tetralab_settings *settings = SETTINGS("compare", "method", "games", "precision", "6%", "jobs", "1");
    char *json = tetralab_run("compare", NULL, players, 2, settings, stop_at_second, NULL, &error);
    const char *first = json ? strstr(json, "\"interrupted\": false") : NULL,
               *second = json ? strstr(json, "\"interrupted\": true") : NULL;
    assert_true(json ? first && first < second : !!strstr(error.text, "before two players were measured"));
    tetralab_free(json);
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
    char command[200], *json = run("versus", players, 2, settings);
    assert_done(json);
    assert_described("versus", json);
    assert_true(number(json, "games") == 12 && number(json, "chance") <= 1);
    assert_true(number(json, "players.0.wins") + number(json, "players.1.wins") + number(json, "draws") +
                    number(json, "undecided") ==
                12);
    assert_as_program(json, "versus bcts xtris --board 10x12 --games 12 --seed 3 --sequence own --json -");
    snprintf(command, sizeof command, "versus --replay %s", record);
    free(program_says(command)); // the record is right
    assert_done(tetralab_settings_set(settings, "games", "1000000", &error));
    Stopper soon = {.never = false};
    assert_done(json = tetralab_run("versus", NULL, players, 2, settings, stopper, &soon, &error));
    assert_true(is_true(json, "interrupted") && number(json, "games") >= 1 && number(json, "games") < 1e6);
    tetralab_free(json);
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
    double last[8];
} Pupil;

static void take_vector(const char *json, const char *name, double vector[8]) {
    char path[40];
    for (int i = 0; i < 8; i++) {
        snprintf(path, sizeof path, "%s.%d", name, i);
        vector[i] = number(json, path);
    }
}

static bool take_generation(void *context, const tetralab_advance *advance) {
    Pupil *pupil = context;
    const char *news = advance->news;
    if (!news)
        return true;
    assert_true(number(news, "best") >= number(news, "mean") &&
                number(news, "mean") >= number(news, "worst"));
    assert_true(isnan(number(news, "answer.8")) && advance->done == (uint64_t)pupil->generations + 1);
    take_vector(news, "answer", pupil->last);
    return ++pupil->generations != pupil->stop_at;
}

static char *learn(const tetralab_rules *rules, const tetralab_settings *settings, Pupil *pupil) {
    char *json = tetralab_run("learn", rules, NULL, 0, settings, take_generation, pupil, &error);
    assert_done(json);
    return json;
}

static void assert_learned(const char *json, const char *name, const double vector[8]) {
    double learned[8];
    take_vector(json, name, learned);
    assert_memory_equal(learned, vector, sizeof learned);
}

static void assert_learns_as_program(tetralab_settings *settings, const char *arguments) {
    tetralab_rules *rules = new_rules("10x6");
    Pupil pupil = {.generations = 0};
    char command[400];
    assert_done(tetralab_settings_set(settings, "name", "pupil", &error)); // else it is that of the folder
    char *json = learn(rules, settings, &pupil), *holes = tetralab_result_text(json, "labels.4");
    assert_described("learn", json);
    assert_non_null(strstr(json, "\"out\": null"));
    assert_false(is_true(json, "interrupted"));
    assert_true(pupil.generations ==
                number(json, "runs.0.generations") +
                    (isnan(number(json, "runs.1.generations")) ? 0 : number(json, "runs.1.generations")));
    assert_string_equal(holes, "holes");
    char *text = tetralab_result_text(json, "strategy");
    tetralab_strategy *strategy = tetralab_strategy_parse("text", text, strlen(text), &error);
    assert_done(strategy);
    snprintf(command, sizeof command, "learn --board 10x6 %s --name pupil --json - --out %s", arguments,
             in_folder("learned"));
    assert_as_program(json, command);
    // best.json is the strategy.
    tetralab_strategy *written = tetralab_strategy_load(in_folder("learned/best.json"), &error);
    assert_done(written);
    char *a = tetralab_strategy_to_json(strategy, NULL), *b = tetralab_strategy_to_json(written, NULL);
    assert_string_equal(a, b);
    tetralab_free(a);
    tetralab_free(b);
    tetralab_free(text);
    tetralab_free(holes);
    tetralab_strategy_free(written);
    tetralab_strategy_free(strategy);
    snprintf(command, sizeof command, "rm -r '%s'", in_folder("learned"));
    assert_int_equal(system(command), 0);
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
    Pupil pupil = {.stop_at = 2}, rest = {.stop_at = 0}, whole = {.stop_at = 0};
    char *json = learn(rules, settings, &pupil);
    assert_true(is_true(json, "interrupted"));
    assert_int_equal(pupil.generations, 2);
    assert_learned(json, "vector", pupil.last);
    tetralab_free(json);
    tetralab_settings_free(settings);
    // What goes on ends where a run without a stop ends, watched or not.
    settings = SETTINGS("learn", "resume", in_folder("stopped"));
    tetralab_free(learn(rules, settings, &rest));
    assert_int_equal(rest.generations, 3);
    tetralab_settings_free(settings);
    settings = SETTINGS("learn", "objective", "games", "generations", "5", "games", "2");
    tetralab_free(learn(rules, settings, &whole));
    assert_memory_equal(whole.last, rest.last, sizeof whole.last);
    assert_done(json = tetralab_run("learn", rules, NULL, 0, settings, NULL, NULL, &error));
    assert_learned(json, "runs.0.vector", rest.last);
    tetralab_free(json);
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
}

static void what_cannot_be_learned_is_refused(void **state) {
    (void)state;
    tetralab_settings *settings = SETTINGS("learn", "method", "cmaes", "elite", "3");
    assert_refused(run("learn", NULL, 0, settings), "--elite is an option of");
    tetralab_settings_free(settings);
    settings = SETTINGS("learn", "resume", in_folder("nowhere"), "features", "bdu");
    assert_refused(run("learn", NULL, 0, settings), "--features cannot be changed with --resume");
    assert_done(tetralab_settings_set(settings, "features", NULL, &error));
    assert_refused(run("learn", NULL, 0, settings), "There is no run in");
    tetralab_settings_free(settings);
    settings = SETTINGS("learn", "objective", "games", "start", "bcts");
    int calls = 0;
    assert_refused(tetralab_run("learn", NULL, NULL, 0, settings, refuse, &calls, &error),
                   "Stopped before a generation was complete");
    assert_int_equal(calls, 1);
    tetralab_settings_free(settings);
}

// ---- solving

static void solving_is_what_the_command_solves(void **state) {
    (void)state;
    SKIP_WITHOUT_PROGRAM();
    tetralab_rules *rules = new_rules("4x4");
    char *json = tetralab_run("solve", rules, NULL, 0, NULL, NULL, NULL, &error);
    assert_done(json);
    assert_described("solve", json);
    assert_true(fabs(number(json, "mean_lines") - 9.787659) < 1e-5 && number(json, "error_bound") < 1e-5);
    assert_true(isnan(number(json, "check.mean_lines")) && !is_true(json, "interrupted"));
    assert_as_program(json, "solve --board 4x4 --check-games 0 --json -");
    tetralab_settings *settings = SETTINGS("solve", "out", in_folder("best"), "check-games", "2000");
    Stopper never = {.never = true};
    assert_done(json = tetralab_run("solve", rules, NULL, 0, settings, stopper, &never, &error));
    assert_true(number(json, "check.games") == 2000 && fabs(number(json, "check.deviation")) < 5.5);
    tetralab_free(json);
    tetralab_strategy *strategy = tetralab_strategy_load(in_folder("best.json"), &error);
    assert_done(strategy);
    tetralab_player *player = tetralab_player_new(strategy, rules, NULL, &error);
    assert_done(player); // with its table
    tetralab_player_free(player);
    tetralab_strategy_free(strategy);
    assert_done(tetralab_settings_set(settings, "out", NULL, &error));
    assert_done(tetralab_settings_set(settings, "resume", "true", &error));
    assert_refused(tetralab_run("solve", rules, NULL, 0, settings, NULL, NULL, &error),
                   "--resume needs --out");
    tetralab_settings_free(settings);
    tetralab_rules_free(rules);
}

static void a_board_that_is_too_large_is_refused_and_a_stop_gives_a_bound(void **state) {
    (void)state;
    assert_refused(run("solve", NULL, 0, NULL), "at most 30"); // the default board
    tetralab_rules *rules = new_rules("5x5");
    int calls = 0;
    char *json = tetralab_run("solve", rules, NULL, 0, NULL, refuse, &calls, &error);
    assert_done(json);
    assert_true(calls == 1 && is_true(json, "interrupted") && number(json, "mean_lines") < 40);
    tetralab_free(json);
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
        cmocka_unit_test(every_member_is_described_once),
        cmocka_unit_test(numbers_of_a_result_have_paths),
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
