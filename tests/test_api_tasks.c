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
    static const char *const tasks[] = {"measure"};
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
        {"games", "measure dellacherie --board 10x6 --precision 20% --seed 3 --method games --json -"},
        {"splitting",
         "measure dellacherie --board 10x6 --precision 20% --seed 3 --method splitting --json -"},
        {"auto", "measure dellacherie --board 10x6 --precision 20% --seed 3 --json - --jobs 1"}};
    tetralab_player *player = new_player("dellacherie", "10x6");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tetralab_settings *settings =
            SETTINGS("measure", "precision", "20", "seed", "3", "method", cases[i].method);
        tetralab_measurement measurement;
        char *json;
        Stopper never = {.never = true};
        assert_done(
            tetralab_measure(player, settings, &measurement, &json, i ? NULL : stopper, &never, &error));
        assert_true(measurement.precise && !measurement.interrupted && measurement.count > 20);
        assert_true(measurement.interval.low < measurement.mean &&
                    measurement.mean < measurement.interval.high);
        assert_true(measurement.precision <= 0.2 && measurement.pieces > 1000);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_are_the_options_of_the_command),
        cmocka_unit_test(every_setting_has_a_name_and_help),
        cmocka_unit_test(measuring_is_what_the_command_measures),
        cmocka_unit_test(a_measurement_that_is_stopped_says_what_it_knows),
        cmocka_unit_test(a_measurement_that_is_stopped_at_once_fails_or_says_so),
        cmocka_unit_test(settings_that_do_not_go_together_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
