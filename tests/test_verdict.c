// SPDX-License-Identifier: GPL-3.0-or-later
// Verdicts on published numbers; who is comparable; the lists of what was published.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/data_folder.h"
#include "base/random.h"
#include "reproduce/comparison.h"
#include "reproduce/publications.h"
#include "reproduce/published_means.h"
#include "reproduce/report.h"

#define HEAD   "{\"paper\": \"p\", \"place\": \"q\", \"title\": \"t\", \"text\": \"x\", "
#define SCALES "\"scales\": {\"quick\": {\"n\": \"2\"}, \"full\": {\"n\": \"5\"}}, "

static Definition *read_text(const char *text, Error *error) {
    return definition_read("folder/try.json", text, strlen(text), error);
}

// Known cases by hand; Wilson's interval of 91 of 100 is 83.77 % ... 95.19 %, the roots of (p - 0.91)^2 = z^2
// p (1 - p) / 100.
static void verdicts_follow_the_intervals(void **state) {
    (void)state;
    PublishedValue games = published_value(PUBLISHED_GAMES, 100, 100, NULL),
                   share = published_value(PUBLISHED_OF, 91, 100, NULL);
    // 20,000 by the points 241.06 and 162.73 of chi-square with 200 degrees.
    assert_float_equal(games.interval.low, 82.97, 0.01);
    assert_float_equal(games.interval.high, 122.90, 0.01);
    assert_float_equal(share.interval.low, 0.83773, 1e-5);
    assert_float_equal(share.interval.high, 0.95193, 1e-5);
    // Halves of 22.90 and 15 allow 27.38.
    assert_int_equal(verdict_of(&games, 127.2, (Interval){112.2, 150}), VERDICT_AGREES);
    assert_int_equal(verdict_of(&games, 127.5, (Interval){112.5, 150}), VERDICT_DIFFERS);
    // The other half, however wide, does not count.
    assert_int_equal(verdict_of(&games, 127.5, (Interval){112.5, 1000}), VERDICT_DIFFERS);
    PublishedValue range = published_value(PUBLISHED_RANGE, 5, 9, NULL),
                   none = published_value(PUBLISHED_NOT, NAN, NAN, NULL);
    assert_int_equal(verdict_of(&range, 6, (Interval){5, 9}), VERDICT_AGREES);
    assert_int_equal(verdict_of(&range, 6, (Interval){NAN, NAN}), VERDICT_AGREES);
    assert_int_equal(verdict_of(&range, 12, (Interval){8.9, 15}), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&range, 12, (Interval){9.1, 15}), VERDICT_DIFFERS);
    assert_int_equal(verdict_of(&none, 12, (Interval){9.1, 15}), VERDICT_ALONE);
}

// A printed number stands for all that would be printed so, and for nothing else.
static void without_an_interval_only_rounding_is_allowed(void **state) {
    (void)state;
    const Interval none = {NAN, NAN};
    PublishedValue share = published_value(PUBLISHED_ALONE, 0.67, NAN, &(PublishedText){.step = 0.01});
    assert_int_equal(verdict_of(&share, 0.674, none), VERDICT_AGREES);
    assert_int_equal(verdict_of(&share, 0.676, none), VERDICT_DIFFERS);
    assert_int_equal(verdict_of(&share, 0.68, (Interval){0.674, 0.69}), VERDICT_AGREES);
    // A mean of 400 games cut to a whole number: 0 stands for less than 1, 2 for 2 to 3.
    PublishedText whole = {.step = 1, .cut = true};
    PublishedValue zero = published_value(PUBLISHED_GAMES, 0, 400, &whole),
                   two = published_value(PUBLISHED_GAMES, 2, 400, &whole);
    assert_int_equal(verdict_of(&zero, 0.10, (Interval){0.09, 0.12}), VERDICT_AGREES);
    assert_int_equal(verdict_of(&zero, 0.99, none), VERDICT_AGREES);
    assert_int_equal(verdict_of(&zero, 1.2, none), VERDICT_DIFFERS);
    assert_int_equal(verdict_of(&two, 0.07, (Interval){0.06, 0.08}), VERDICT_DIFFERS);
    assert_int_equal(verdict_of(&two, 2.99, none), VERDICT_AGREES);
    // 13.83974 is a mean of 100,000 games if of any; exact to 0.6 %.
    PublishedValue digits =
        published_value(PUBLISHED_GAMES, 13.83974, 1e5, &(PublishedText){.step = 1e-5, .implied = true});
    assert_int_equal(verdict_of(&digits, 13.69, (Interval){13.61, 13.78}), VERDICT_DIFFERS);
    assert_int_equal(verdict_of(&digits, 13.79, (Interval){13.71, 13.88}), VERDICT_AGREES);
}

static void statements_hold_fail_or_stay_undecided(void **state) {
    (void)state;
    PublishedValue grows = published_value(PUBLISHED_STATEMENT, 1, INFINITY, NULL);
    assert_int_equal(verdict_of(&grows, 2, (Interval){1.5, 3}), VERDICT_HOLDS);
    assert_int_equal(verdict_of(&grows, 1.2, (Interval){0.9, 1.5}), VERDICT_UNDECIDED);
    assert_int_equal(verdict_of(&grows, 0.8, (Interval){0.7, 0.9}), VERDICT_FAILS);
    assert_int_equal(verdict_of(&grows, 1.2, (Interval){NAN, NAN}), VERDICT_HOLDS);
}

// Two measurements of one mean differ in one case of twenty: of 20,000 pairs 1,000, standard deviation 31.
// The bounds are six of these away: false alarms below 2e-9.
static void one_true_pair_in_twenty_differs(void **state) {
    (void)state;
    enum { PAIRS = 20000 };
    Random random = random_stream(11, 0, RANDOM_TEST);
    int differ = 0;
    print_message("seed 11\n");
    for (int i = 0; i < PAIRS; i++) {
        double sum[2] = {0, 0}; // of 48 uniform numbers each: standard deviation 2
        for (int k = 0; k < 96; k++)
            sum[k & 1] += (double)(random_next(&random) >> 11) * 0x1p-53 - 0.5;
        double half = 1.959963985 * 2;
        PublishedValue theirs =
            published_value(PUBLISHED_RELATIVE, 1000 + sum[0], half / (1000 + sum[0]), NULL);
        double ours = 1000 + sum[1];
        differ += verdict_of(&theirs, ours, (Interval){ours - half, ours + half}) == VERDICT_DIFFERS;
    }
    assert_in_range(differ, 1000 - 186, 1000 + 186);
}

static bool read_list(void *context, const char *path, const char *text, size_t length, Error *error) {
    Publication *list = publication_read(path, text, length, error);
    bool good = list;
    publication_free(list);
    ++*(int *)context;
    return good;
}

#define LIST(numbers, statements)                                                                            \
    "{\"paper\": \"p\", \"title\": \"t\", \"numbers\": [" numbers "], \"statements\": [" statements "]}"

static void lists_of_what_was_published_are_checked(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"[]", "try: a list of what was published must be a JSON object."},
        {LIST("3", ""), "try: number 1 must be an object."},
        {LIST("{\"place\": \"a\", \"what\": \"b\", \"value\": 3}", ""),
         "try: number 1: give either \"rows\" or, in \"none\", why there is no row."},
        {LIST("{\"place\": \"a\", \"what\": \"b\", \"none\": \"c\"}", ""),
         "try: number 1: \"value\" is missing."},
        {LIST("", "{\"place\": \"a\", \"what\": \"b\", \"none\": \"c\", \"value\": 3}"),
         "try: statement 1: \"value\" has no meaning for a statement."},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Error error = {""};
        assert_null(publication_read("try", wrong[i][0], strlen(wrong[i][0]), &error));
        assert_string_equal(error.text, wrong[i][1]);
    }
    Error error = {""};
    int count = 0;
    if (!data_read(PUBLICATIONS_FOLDER, read_list, &count, &error))
        fail_msg("%s", error.text);
    assert_true(count > 5);
}

// Commands of made-up options: every word "--a=b" is a setting; "steps" is 7 unless it is given.
static json_t *made_up_settings(int count, char **word, Error *error) {
    json_t *settings = json_pack("{ssss}", "steps", "7", "way", "short");
    (void)error;
    for (int i = 2; i < count; i++) {
        char name[64];
        const char *value = strchr(word[i], '=');
        if (strncmp(word[i], "--", 2) || !value)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)(value - word[i] - 2), word[i] + 2);
        json_object_set_new(settings, name, json_string(value + 1));
    }
    return settings;
}

static void comparable_is_what_has_the_same_settings(void **state) {
    (void)state;
    static const struct {
        const char *row, *why, *kind, *open; // at quick scale
    } cases[] = {
        {"\"run\": \"walk\"", NULL, NULL, NULL},
        {"\"run\": \"walk --steps=7 --seed=3\"", NULL, NULL, NULL}, // the default, and what does not count
        {"\"run\": \"walk --steps={n}\"", "steps 2 instead of 7", "settings", NULL},
        {"\"run\": \"walk --steps={n}\", \"as\": {\"steps\": 2}", NULL, NULL, NULL},
        {"\"run\": \"walk --steps={n}\", \"as\": {\"walk\": {\"steps\": 2}}", NULL, NULL, NULL},
        {"\"run\": \"walk --steps={n}\", \"as\": {\"steps\": null}, \"open\": \"more\"", NULL, NULL,
         "steps; more"},
        {"\"run\": \"walk\", \"as\": {\"steps\": 5, \"way\": \"long\"}",
         "steps 7 instead of 5, way short instead of long", "settings", NULL},
        {"\"run\": [\"walk\", \"run --steps=9\"], \"as\": {\"run\": {\"steps\": 8}}", "steps 9 instead of 8",
         "settings", NULL},
        {"\"run\": \"walk\", \"unlike\": {\"rules\": \"Uphill.\"}", "Uphill.", "rules", NULL},
        {"\"run\": \"walk {dir}/first.json\", \"as\": {\"strategy\": {\"ties\": \"random\", \"phases\": "
         "null}}",
         "strategy.ties first instead of random", "settings", "strategy.phases"},
        {"\"run\": \"walk {dir}/any.json\", \"as\": {\"strategy\": {\"ties\": \"random\"}}", NULL, NULL,
         NULL}, // its default
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1000];
        Error error = {""};
        Comparison found;
        snprintf(text, sizeof text,
                 HEAD SCALES "\"files\": {\"first.json\": {\"player\": \"uct\", \"ties\": \"first\"}, "
                             "\"any.json\": {\"player\": \"uct\"}}, "
                             "\"rows\": [{\"row\": \"a\", \"published\": 3, \"step\": 1, %s}]}",
                 cases[i].row);
        Definition *definition = read_text(text, &error);
        if (!definition || !comparison_check(definition, made_up_settings, &error) ||
            !comparison_make(&found, definition, "quick", definition->row, made_up_settings, &error))
            fail_msg("%s: %s", cases[i].row, error.text);
        assert_string_equal(found.why ? found.why : "", cases[i].why ? cases[i].why : "");
        assert_string_equal(found.kind ? found.kind : "", cases[i].kind ? cases[i].kind : "");
        assert_string_equal(found.open ? found.open : "", cases[i].open ? cases[i].open : "");
        comparison_free(&found);
        definition_free(definition);
    }
}

// Whatever came out: rows that measure the same are all comparable or none of them.
static void rows_that_measure_the_same_are_judged_alike(void **state) {
    (void)state;
    Error error = {""};
    Definition *definition = read_text(
        HEAD SCALES "\"rows\": [{\"row\": \"a\", \"published\": 3, \"step\": 1, \"run\": \"walk --seed=1\"}, "
                    "{\"row\": \"b\", \"published\": 9, \"step\": 1, \"run\": \"walk --seed=2\", "
                    "\"unlike\": {\"unknown\": \"It missed.\"}}]}",
        &error);
    assert_non_null(definition);
    assert_false(comparison_check(definition, made_up_settings, &error));
    assert_string_equal(error.text,
                        "try: row \"b\" and row \"a\" have the same settings: \"unlike\" must say the "
                        "same of both.");
    definition_free(definition);
}

// What the paper leaves open in one of two rows is open in their ratio, whichever of them it is.
static void a_ratio_leaves_open_what_either_row_does(void **state) {
    (void)state;
    static const char *const expected[] = {"here", "here", "here; there"};
    Error error = {""};
    Definition *definition = read_text(
        HEAD SCALES "\"rows\": [{\"row\": \"a\", \"run\": \"walk\", \"open\": \"here\"}, "
                    "{\"row\": \"b\", \"run\": \"walk\"}, "
                    "{\"row\": \"c\", \"run\": \"walk\", \"open\": \"there\"}, "
                    "{\"row\": \"a/b\", \"ratio\": [\"a\", \"b\"], \"published\": 1, \"step\": 1}, "
                    "{\"row\": \"b/a\", \"ratio\": [\"b\", \"a\"], \"published\": 1, \"step\": 1}, "
                    "{\"row\": \"a/c\", \"ratio\": [\"a\", \"c\"], \"published\": 1, \"step\": 1}]}",
        &error);
    assert_non_null(definition);
    for (int i = 0; i < 3; i++) {
        Comparison found;
        assert_true(
            comparison_make(&found, definition, "quick", &definition->row[3 + i], made_up_settings, &error));
        assert_null(found.why);
        assert_string_equal(found.open, expected[i]);
        comparison_free(&found);
    }
    definition_free(definition);
}

// The rules that a command line gives, as its command would read them.
static json_t *rules_settings(int count, char **word, Error *error) {
    Rules rules;
    json_t *settings = json_object();
    (void)error;
    rules_default(&rules);
    for (int i = 2; i < count; i++) {
        char name[64];
        const char *equals = strchr(word[i], '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - word[i] - 2) : 60, word[i] + 2);
        if (fields_find(rules_fields, name) && (equals || i + 1 < count))
            rules_set(&rules, name, equals ? equals + 1 : word[i + 1], NULL);
    }
    for (int k = 0; k < rules_fields.count; k++) {
        char name[FIELD_OPTION_NAME], value[FIELD_PRINTED];
        json_object_set_new(settings, field_option(&rules_fields.field[k], name),
                            json_string(field_print(&rules_fields.field[k], &rules, value)));
    }
    rules_free(&rules);
    return settings;
}

static void published_means_are_those_of_the_rules_or_of_rules_not_said(void **state) {
    (void)state;
    static const struct {
        const char *player, *board, *overflow;
        double low, high;
    } cases[] = {
        {"dellacherie", "10x20", "lenient", 5.2e6, 6.6e6}, {"dellacherie", "10x20", "strict", 6.7e6, 6.7e6},
        {"dellacherie", "10x20", "touch", 0, 0},           {"nobody", "10x20", "lenient", 0, 0},
        {"dt-20", "10x10", "lenient", 4300, 4300},         {"dt-20", "10x10", "strict", 4300, 4300},
        {"bdu", "10x16", "lenient", 910000, 910000},       {"bdu", "10x16", "strict", 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Rules rules;
        Error error = {""};
        rules_default(&rules);
        assert_true(rules_set(&rules, "board", cases[i].board, &error) &&
                    rules_set(&rules, "overflow", cases[i].overflow, &error));
        Interval found = published_means(cases[i].player, &rules, rules_settings);
        if (cases[i].low ? found.low != cases[i].low || found.high != cases[i].high : !isnan(found.low))
            fail_msg("%s %s %s: %g to %g", cases[i].player, cases[i].board, cases[i].overflow, found.low,
                     found.high);
        rules_free(&rules);
    }
}

static void a_cell_of_a_table_stays_one_cell(void **state) {
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    assert_non_null(f);
    report_cell(f, "a|b\nc");
    fclose(f);
    assert_string_equal(text, "a\\|b c");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_means_are_those_of_the_rules_or_of_rules_not_said),
        cmocka_unit_test(verdicts_follow_the_intervals),
        cmocka_unit_test(one_true_pair_in_twenty_differs),
        cmocka_unit_test(without_an_interval_only_rounding_is_allowed),
        cmocka_unit_test(statements_hold_fail_or_stay_undecided),
        cmocka_unit_test(comparable_is_what_has_the_same_settings),
        cmocka_unit_test(rows_that_measure_the_same_are_judged_alike),
        cmocka_unit_test(a_ratio_leaves_open_what_either_row_does),
        cmocka_unit_test(lists_of_what_was_published_are_checked),
        cmocka_unit_test(a_cell_of_a_table_stays_one_cell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
