// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions of reproductions, the numbers that their rows take, and results that are kept.
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

#include "base/data_folder.h"
#include "base/text.h"
#include "reproduce/drawing.h"
#include "reproduce/results.h"
#include "reproduce/values.h"

#define HEAD      "{\"paper\": \"p\", \"place\": \"q\", \"title\": \"t\", \"text\": \"x\", "
#define SCALES    "\"scales\": {\"quick\": {\"n\": \"2\"}, \"full\": {\"n\": \"5\"}}, "
#define ROW(rest) HEAD SCALES "\"rows\": [{\"row\": \"a\", \"run\": \"play bcts\"" rest "}]}"

static Definition *read_text(const char *text, Error *error) {
    return definition_read("folder/try.json", text, strlen(text), error);
}

static void every_mistake_is_named(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"[]", "folder/try.json: a definition must be a JSON object."},
        {HEAD "\"rows\": []}", "folder/try.json: \"scales\" is missing."},
        {HEAD "\"scales\": {\"quick\": {}}, \"rows\": []}",
         "folder/try.json: \"scales\" must have \"quick\" and \"full\"."},
        {HEAD "\"scales\": {\"quick\": {}, \"full\": {}, \"slow\": {}}, \"rows\": []}",
         "folder/try.json: \"scales\" must be \"quick\", \"full\" and perhaps \"part\"."},
        {HEAD "\"scales\": {\"quick\": {\"n\": 2}, \"full\": {}}, \"rows\": []}",
         "folder/try.json: \"scales\" must give every variable as a text, as in \"runs\": \"3\"."},
        {HEAD SCALES "\"rows\": []}", "folder/try.json: there must be 1 to 500 rows."},
        {HEAD SCALES "\"rows\": [3]}", "folder/try.json: every row must be an object."},
        {ROW(", \"publish\": 3"),
         "folder/try.json: row \"a\": \"publish\" is not a key of a row; did you mean \"published\"?"},
        {ROW(", \"published\": \"3\""),
         "folder/try.json: row \"a\": \"published\" must be a number or a list of two."},
        {ROW(", \"published\": [4, 3]"),
         "folder/try.json: row \"a\": \"published\" must go from the smaller number to the larger one."},
        {ROW(", \"games\": 100"), "folder/try.json: row \"a\": \"games\" needs one \"published\" number."},
        {ROW(", \"published\": 101, \"of\": 100"),
         "folder/try.json: row \"a\": \"of\" must be from 1 to 1e15 and not below \"published\"."},
        {ROW(", \"published\": 3, \"games\": 1e300"), // more than an integer holds
         "folder/try.json: row \"a\": \"games\" must be from 1 to 1e15, and \"published\" not below 0."},
        {ROW(", \"published\": -3, \"games\": 100"),
         "folder/try.json: row \"a\": \"games\" must be from 1 to 1e15, and \"published\" not below 0."},
        {ROW(", \"published\": 3"),
         "folder/try.json: row \"a\": \"published\" has no interval: give \"games\", \"of\", \"within\" or "
         "the \"step\" of its last digit."},
        {ROW(", \"published\": 3, \"of\": 10, \"step\": 1"),
         "folder/try.json: row \"a\": \"step\" has no meaning for a number of successes."},
        {ROW(", \"published\": 3, \"games\": 10, \"cut\": true"),
         "folder/try.json: row \"a\": \"cut\" needs the \"step\" of the last digit."},
        {ROW(", \"published\": 3, \"step\": 1, \"implied\": true"),
         "folder/try.json: row \"a\": \"implied\" needs \"games\"."},
        {ROW(", \"step\": 1"), "folder/try.json: row \"a\": \"step\" needs one \"published\" number."},
        {ROW(", \"statement\": \"It grows.\""),
         "folder/try.json: row \"a\": \"statement\" needs the other one of \"statement\" and \"holds\"."},
        {ROW(", \"statement\": \"It grows.\", \"holds\": [null, null]"),
         "folder/try.json: row \"a\": \"holds\" must go from the smaller number to the larger one, one of "
         "them at least."},
        {ROW(", \"statement\": \"It grows.\", \"holds\": [1, null], \"published\": 3"),
         "folder/try.json: row \"a\": \"statement\" is said instead of a \"published\" number."},
        {ROW(", \"unlike\": {\"scale\": \"Too short.\"}"), // that is found, not declared
         "folder/try.json: row \"a\": \"unlike\" must be an object with one of \"rules\", \"method\", "
         "\"machine\" and \"unknown\", and why."},
        {ROW(", \"as\": {\"learn\": {\"runs\": [3]}}"),
         "folder/try.json: row \"a\": \"as\" must be an object: options with their values, or commands with "
         "such objects."},
        {ROW(", \"interval\": \"bootstrap\""),
         "folder/try.json: row \"a\": \"interval\" is that of a list: \"reduce\" must make a number of "
         "independent ones."},
        {ROW(", \"ratio\": [\"a\", \"a\"]"),
         "folder/try.json: row \"a\": \"run\" and \"ratio\" exclude each other."},
        {HEAD SCALES
         "\"rows\": [{\"row\": \"a\", \"ratio\": [\"b\", \"b\"]}, {\"row\": \"b\", \"run\": \"x\"}]}",
         "folder/try.json: row \"a\": \"ratio\" must name two rows above it that run commands."},
        {HEAD SCALES "\"rows\": [{\"row\": \"a\"}]}", "folder/try.json: row \"a\": \"run\" is missing."},
        {ROW(", \"fresh\": \"/etc/passwd\""),
         "folder/try.json: row \"a\": \"fresh\" must name files in the folder, such as \"{dir}/states.db\"."},
        {ROW(", \"fresh\": [\"{dir}/a\", \"{dir}/b/../../c\"]"),
         "folder/try.json: row \"a\": \"fresh\" must name files in the folder, such as \"{dir}/states.db\"."},
        {ROW(", \"repeat\": \"{n}x\""),
         "try: row \"a\": \"repeat\" is \"2x\": give a number from 1 to 1000."},
        {ROW(", \"repeat\": 1001"), "try: row \"a\": \"repeat\" is \"1001\": give a number from 1 to 1000."},
        {ROW(", \"published\": 3, \"of\": 100, \"games\": 5"),
         "folder/try.json: row \"a\": \"published\" has more than one of \"games\", \"of\" and \"within\"."},
        {ROW(", \"reduce\": \"mode\""),
         "folder/try.json: row \"a\": \"reduce\" must be \"none\", \"mean\", \"sum\", \"median\", "
         "\"min\", \"max\", \"spread\", \"trend\", \"falls\" or \"correlation\", found \"mode\"."},
        {ROW(", \"reduce\": \"correlation\""),
         "folder/try.json: row \"a\": \"with\" is the other list of the reduction \"correlation\", and of "
         "nothing else."},
        {ROW(", \"with\": \"pieces\""),
         "folder/try.json: row \"a\": \"with\" is the other list of the reduction \"correlation\", and of "
         "nothing else."},
        {ROW(", \"together\": \"spread\""),
         "folder/try.json: row \"a\": \"together\" has no meaning for a row that is not repeated."},
        {ROW(", \"from\": \"{m}/x\""),
         "folder/try.json: row \"a\": \"from\" uses {m}, which is not in the scale \"quick\"."},
        {ROW(", \"from\": \"{i}\""), // {i} is for rows that are repeated
         "folder/try.json: row \"a\": \"from\" uses {i}, which is not in the scale \"quick\"."},
        {ROW(", \"from\": \"{dir\""),
         "folder/try.json: row \"a\": \"from\" has an opening brace without a closing one."},
        {HEAD SCALES "\"rows\": [{\"row\": \"a\", \"run\": []}]}",
         "folder/try.json: row \"a\": \"run\" must be a text or a list of texts."},
        {HEAD SCALES "\"rows\": [{\"row\": \"a\", \"run\": \"x\"}, {\"row\": \"a\", \"run\": \"y\"}]}",
         "folder/try.json: row \"a\": \"row\" names another row too."},
        {HEAD SCALES "\"files\": {\"../x\": \"\"}, \"rows\": [{\"row\": \"a\", \"run\": \"x\"}]}",
         "folder/try.json: \"files\" must have names of letters, digits, dots and dashes."},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Error error = {""};
        assert_null(read_text(wrong[i].text, &error));
        assert_string_equal(error.text, wrong[i].message);
    }
}

static void variables_are_replaced(void **state) {
    (void)state;
    Error error = {""};
    Definition *definition =
        read_text(ROW(", \"repeat\": \"{n}\", \"from\": \"{dir}/{i}-{n}\", \"published\": [1, 2]"), &error);
    if (!definition)
        fail_msg("%s", error.text);
    assert_string_equal(definition->name, "try");
    assert_int_equal(definition_repeats(definition, "quick", definition->row, &error), 2);
    assert_int_equal(definition_repeats(definition, "full", definition->row, &error), 5);
    char *text = definition_expand(definition, "full", definition->row->from, "DIR", 3);
    assert_string_equal(text, "DIR/3-5");
    free(text);
    text = definition_expand(definition, "quick", definition->row->from, "DIR", 0);
    assert_string_equal(text, "DIR/{i}-2");
    free(text);
    definition_free(definition);
}

// The name becomes a folder and stands in JSON.
static void names_can_be_names_of_folders(void **state) {
    (void)state;
    static const char *const wrong[] = {
        ".json",     "a/.json",
        "...json",   "../...json",
        "",          "a/",
        "\xff.json", "n23456789n23456789n23456789n23456789n23456789n23456789n23456789n.json"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Error error = {""};
        assert_null(definition_read(wrong[i], ROW(""), strlen(ROW("")), &error));
        assert_non_null(strstr(error.text, "Rename the file."));
    }
    static const char *const right[][2] = {
        {"p2-fig2.4", "p2-fig2.4"}, {"../my table.json", "my table"}, {"a.json.json", "a.json"}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        Error error = {""};
        Definition *definition = definition_read(right[i][0], ROW(""), strlen(ROW("")), &error);
        assert_non_null(definition);
        assert_string_equal(definition->name, right[i][1]);
        definition_free(definition);
    }
}

// The interval of mean_lines is not that of a number divided by it.
static void intervals_belong_to_what_is_taken(void **state) {
    (void)state;
    static const char *const row[][2] = {{ROW(""), "ci95"},
                                         {ROW(", \"divide\": \"pieces\""), NULL},
                                         {ROW(", \"divide\": \"pieces\", \"interval\": \"ci95\""), "ci95"},
                                         {ROW(", \"interval\": \"none\""), NULL},
                                         {ROW(", \"value\": \"wins\""), NULL}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        Error error = {""};
        Definition *definition = read_text(row[i][0], &error);
        assert_non_null(definition);
        if (row[i][1])
            assert_string_equal(definition->row->interval, row[i][1]);
        else
            assert_null(definition->row->interval);
        definition_free(definition);
    }
}

typedef struct Seen {
    int count;
    char last[64];
} Seen;

static bool see(void *context, const char *path, const char *text, size_t length, Error *error) {
    Seen *seen = context;
    Definition *definition = definition_read(path, text, length, error);
    bool good = definition && drawing_check(definition, error);
    if (good) {
        char file[100];
        snprintf(file, sizeof file, "/reproductions/%s.json", definition->name);
        assert_true(strlen(path) > strlen(file) && !strcmp(path + strlen(path) - strlen(file), file));
        if (!strcmp(definition->name, "p2-fig4.10"))
            assert_string_equal(seen->last, "p2-fig4.9"); // numbers by their values
        snprintf(seen->last, sizeof seen->last, "%s", definition->name);
        seen->count++;
    }
    definition_free(definition);
    return good;
}

// Every definition that comes with the program can be read.
static void the_programs_own_ones_are_right(void **state) {
    (void)state;
    Seen seen = {0};
    Error error = {""};
    if (!data_read(DEFINITIONS_FOLDER, see, &seen, &error))
        fail_msg("%s", error.text);
    assert_true(seen.count > 50);
    assert_false(data_read("no-such-folder", see, &seen, &error));
    assert_non_null(strstr(error.text, "There is no no-such-folder beside the program in /"));
}

static double number_at(const char *path, Reduction reduction, Error *error) {
    json_t *json =
        json_loads("{\"a\": 4, \"l\": [1, 2, 3, 10], \"o\": [{\"x\": 5}, {\"x\": 7}], \"t\": true, "
                   "\"n\": \"text\", \"e\": []}",
                   0, NULL);
    Numbers numbers;
    double value = NAN;
    if (json_numbers(json, path, false, &numbers, error)) {
        if (!numbers_reduce(&numbers, reduction, &value, error))
            value = NAN;
        free(numbers.value);
    }
    json_decref(json);
    return value;
}

static void paths_lead_to_numbers(void **state) {
    (void)state;
    static const struct {
        const char *path;
        Reduction reduction;
        double value;
    } right[] = {{"a", REDUCE_NONE, 4},         {"l.1", REDUCE_NONE, 2},    {"l.-1", REDUCE_NONE, 10},
                 {"t", REDUCE_NONE, 1},         {"l", REDUCE_SUM, 16},      {"l", REDUCE_MEAN, 4},
                 {"l", REDUCE_MEDIAN, 2.5},     {"l", REDUCE_MIN, 1},       {"l.*", REDUCE_MAX, 10},
                 {"o.*.x", REDUCE_MEAN, 6},     {"o.-2.x", REDUCE_NONE, 5}, {"l.50-100%", REDUCE_SUM, 13},
                 {"l.0-25%", REDUCE_SUM, 1},    {"l.1-2", REDUCE_SUM, 5},   {"l.2-99", REDUCE_SUM, 13},
                 {"o.0-100%.x", REDUCE_SUM, 12}};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        Error error = {""};
        assert_float_equal(number_at(right[i].path, right[i].reduction, &error), right[i].value, 1e-12);
    }
    static const char *const wrong[][2] = {
        {"b", "There is no \"b\" where \"b\" asks for it."},
        {"l.4", "In \"l.4\", \"4\" is beyond the end of a list of 4."},
        {"l.-5", "In \"l.-5\", \"-5\" is beyond the end of a list of 4."},
        {"l.x",
         "In \"l.x\", \"x\" is no place in a list: give a whole number, * or a part such as 0-31 or 40-60%."},
        {"l.60-40%", "In \"l.60-40%\", \"60-40%\" is no place in a list: give a whole number, * or a part "
                     "such as 0-31 or 40-60%."},
        {"l.0-10%", "The list at \"l.0-10%\" is empty."},
        {"n", "At \"n\" there is no number."},
        {"e", "The list at \"e\" is empty."},
        {"l", "There are 4 numbers instead of one: say how to reduce them."},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Error error = {""};
        assert_true(isnan(number_at(wrong[i][0], REDUCE_NONE, &error)));
        assert_string_equal(error.text, wrong[i][1]);
    }
}

static void a_number_may_be_missing_where_that_is_allowed(void **state) {
    (void)state;
    json_t *json = json_loads("{\"ci95\": [3, null], \"none\": null}", 0, NULL);
    Numbers numbers;
    Error error = {""};
    assert_false(json_numbers(json, "ci95", false, &numbers, &error));
    assert_string_equal(error.text, "At \"ci95\" there is no number.");
    assert_true(json_numbers(json, "ci95", true, &numbers, &error));
    assert_int_equal(numbers.count, 2);
    assert_true(numbers.value[0] == 3 && isnan(numbers.value[1]));
    free(numbers.value);
    assert_true(json_numbers(json, "none", true, &numbers, &error));
    assert_true(numbers.count == 1 && isnan(numbers.value[0]));
    free(numbers.value);
    json_decref(json);
}

static void trend_and_spread_are_ratios(void **state) {
    (void)state;
    double value[] = {2, 4, 9, 9, 9, 9, 9, 9, 6, 12}, result;
    Numbers numbers = {value, 10};
    Error error = {""};
    assert_true(numbers_reduce(&numbers, REDUCE_TREND, &result, &error));
    assert_float_equal(result, 3, 1e-12); // (6 + 12) / (2 + 4)
    numbers.count = 2;
    assert_true(numbers_reduce(&numbers, REDUCE_SPREAD, &result, &error));
    assert_float_equal(result, sqrt(2) / 3, 1e-12);
    assert_false(numbers_reduce(&numbers, REDUCE_TREND, &result, &error));
}

static void falls_are_a_share_of_the_steps(void **state) {
    (void)state;
    double value[] = {2, 4, 3, 3, 1}, result;
    Numbers numbers = {value, 5};
    Error error = {""};
    assert_true(numbers_reduce(&numbers, REDUCE_FALLS, &result, &error));
    assert_float_equal(result, 0.5, 1e-12);
    numbers.count = 1;
    assert_false(numbers_reduce(&numbers, REDUCE_FALLS, &result, &error));
}

static void correlation_is_that_of_steps(void **state) {
    (void)state;
    double rising[] = {1, 2, 4, 5, 9}, falling[] = {9, 8, 6, 5, 1}, level[] = {3, 3, 3, 3, 3}, result;
    double along[] = {0, 2, 2, 4, 4}, across[] = {0, 1, 0, 1, 2};
    const Numbers up = {rising, 5}, down = {falling, 5}, flat = {level, 5}, few = {rising, 2};
    const Numbers a = {along, 5}, b = {across, 5};
    Error error = {""};
    assert_true(numbers_correlation(&up, &down, &result, &error));
    assert_float_equal(result, -1, 1e-12);
    assert_true(numbers_correlation(&a, &b, &result, &error)); // steps 2 0 2 0 and 1 -1 1 1
    assert_float_equal(result, 1 / sqrt(3), 1e-12);
    assert_false(numbers_correlation(&up, &flat, &result, &error));
    assert_false(numbers_correlation(&few, &few, &result, &error));
    assert_false(numbers_correlation(&up, &few, &result, &error));
}

static void geometric_means_are_means_of_logarithms(void **state) {
    (void)state;
    double value[] = {1, 10, 100};
    const DefinitionRow row = {.together = TOGETHER_GEOMETRIC};
    Result result;
    Error error = {""};
    assert_true(values_together(&row, value, 3, (Interval){NAN, NAN}, &result, &error));
    assert_float_equal(result.value, 10, 1e-12);
    double half = exp(4.302652729911275 * log(10) / sqrt(3)); // Student's point for two degrees
    assert_float_equal(result.interval.low, 10 / half, 1e-9);
    assert_float_equal(result.interval.high, 10 * half, 1e-6);
    assert_true(result.low == 1 && result.high == 100 && result.repeats == 3);
}

static void spread_of_repetitions_has_an_interval(void **state) {
    (void)state;
    double value[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    const DefinitionRow row = {.together = TOGETHER_SPREAD};
    Result result;
    Error error = {""};
    assert_true(values_together(&row, value, 10, (Interval){0, 0}, &result, &error));
    assert_float_equal(result.value, 3.0276503541 / 5.5, 1e-9);
    assert_true(result.interval.low > 0.2 && result.interval.low < result.value);
    assert_true(result.interval.high < 1 && result.interval.high > result.value);
}

static void results_are_found_again(void **state) {
    (void)state;
    Error error = {""};
    char path[64];
    int skipped;
    snprintf(path, sizeof path, "results-test-%d.jsonl", (int)getpid());
    unlink(path);
    Definition *definition = read_text(ROW(", \"repeat\": \"{n}\""), &error);
    Definition *changed = read_text(ROW(""), &error);
    Definition *other = read_text(ROW(", \"repeat\": \"{n}\", \"value\": \"pieces\""), &error);
    Definition *renamed = read_text(
        HEAD SCALES "\"rows\": [{\"row\": \"b\", \"run\": \"play bcts\", \"repeat\": \"{n}\"}]}", &error);
    assert_true(definition && changed && other && renamed);
    Result first = {.value = 1.5, .interval = {1, INFINITY}, .low = 1, .high = 2, .repeats = 2, .seconds = 3};
    Result second = first, found;
    second.value = 2.5;
    assert_true(results_append(path, definition, "quick", definition->row, &first, &error));
    FILE *file = fopen(path, "a"); // a line that a crash cut off
    fputs("{\"reproduction\": \"try\", \"ro", file);
    fclose(file);
    assert_true(results_append(path, definition, "quick", definition->row, &second, &error));
    json_t *lines = results_read(path, &skipped, &error);
    assert_int_equal(json_array_size(lines), 2);
    assert_int_equal(skipped, 1);
    assert_true(results_find(lines, definition, "quick", definition->row, &found));
    assert_float_equal(found.value, 2.5, 0); // the newest
    assert_float_equal(found.low, 1, 0);
    assert_true(found.interval.low == 1 && found.interval.high == INFINITY);
    assert_true(results_find(lines, renamed, "quick", renamed->row, &found)); // the same for another row
    assert_false(
        results_find(lines, other, "quick", other->row, &found)); // another number of the same output
    assert_false(results_find(lines, definition, "full", definition->row, &found));
    assert_false(results_find(lines, changed, "quick", changed->row, &found)); // not repeated any more
    json_decref(lines);
    lines = results_read("no-such-file.jsonl", &skipped, &error);
    assert_int_equal(json_array_size(lines), 0);
    json_decref(lines);
    assert_false(
        results_append("no-such-folder/x.jsonl", definition, "quick", definition->row, &first, &error));
    assert_string_equal(error.text, "cannot write no-such-folder/x.jsonl: No such file or directory.");
    definition_free(definition);
    definition_free(changed);
    definition_free(other);
    definition_free(renamed);
    unlink(path);
}

// An interrupted row is shown with what it has, but is not finished.
static void a_part_of_the_repetitions_is_kept(void **state) {
    (void)state;
    Error error = {""};
    char path[64];
    int skipped;
    snprintf(path, sizeof path, "part-test-%d.jsonl", (int)getpid());
    unlink(path);
    Definition *definition = read_text(ROW(", \"repeat\": \"{n}\""), &error); // full: 5
    assert_non_null(definition);
    Result found;
    for (int repeats = 2; repeats <= 4; repeats += 2) {
        Result part = {.value = repeats, .interval = {1, 2}, .low = 1, .high = 2, .repeats = repeats};
        assert_true(results_append(path, definition, "full", definition->row, &part, &error));
    }
    json_t *lines = results_read(path, &skipped, &error);
    assert_false(results_find(lines, definition, "full", definition->row, &found));
    assert_true(results_reached(lines, definition, "full", definition->row, &found));
    assert_int_equal(found.repeats, 4);
    json_decref(lines);
    definition_free(definition);
    unlink(path);
}

// A row that asks for an interval which an older result has not is run again; until then the result is shown.
static void a_value_without_its_interval_is_better_than_none(void **state) {
    (void)state;
    Error error = {""};
    char path[64];
    int skipped;
    snprintf(path, sizeof path, "interval-test-%d.jsonl", (int)getpid());
    unlink(path);
    Definition *before = read_text(ROW(", \"value\": \"l\", \"reduce\": \"sum\""), &error);
    Definition *after =
        read_text(ROW(", \"value\": \"l\", \"reduce\": \"sum\", \"interval\": \"bootstrap\""), &error);
    assert_true(before && after);
    Result old = {.value = 4, .interval = {NAN, NAN}, .low = NAN, .high = NAN, .repeats = 1}, found;
    assert_true(results_append(path, before, "full", before->row, &old, &error));
    json_t *lines = results_read(path, &skipped, &error);
    assert_false(results_find(lines, after, "full", after->row, &found));
    assert_true(results_reached(lines, after, "full", after->row, &found));
    assert_true(found.value == 4 && isnan(found.interval.low));
    json_decref(lines);
    definition_free(before);
    definition_free(after);
    unlink(path);
}

// 6 (5 .. 8) by 3 (2 .. 4): ends by the logarithms of 6/5 and 4/3, and of 8/6 and 3/2.
static void ratios_come_from_two_rows(void **state) {
    (void)state;
    Error error = {""};
    char path[64];
    int skipped;
    snprintf(path, sizeof path, "ratio-test-%d.jsonl", (int)getpid());
    unlink(path);
    Definition *definition =
        read_text(HEAD SCALES "\"rows\": [{\"row\": \"a\", \"run\": \"x\"}, {\"row\": \"b\", "
                              "\"run\": \"y\"}, {\"row\": \"c\", \"ratio\": [\"a\", \"b\"]}]}",
                  &error);
    assert_non_null(definition);
    const DefinitionRow *row = definition->row;
    Result a = {.value = 6, .interval = {5, 8}, .low = NAN, .high = NAN, .repeats = 1}, found;
    Result b = {.value = 3, .interval = {2, 4}, .low = NAN, .high = NAN, .repeats = 1};
    assert_true(results_append(path, definition, "quick", &row[0], &a, &error));
    json_t *lines = results_read(path, &skipped, &error);
    assert_false(results_find(lines, definition, "quick", &row[2], &found));
    json_decref(lines);
    assert_true(results_append(path, definition, "quick", &row[1], &b, &error));
    lines = results_read(path, &skipped, &error);
    assert_true(results_find(lines, definition, "quick", &row[2], &found));
    assert_float_equal(found.value, 2, 1e-12);
    assert_float_equal(found.interval.low, 2 * exp(-hypot(log(6.0 / 5), log(4.0 / 3))), 1e-12);
    assert_float_equal(found.interval.high, 2 * exp(hypot(log(8.0 / 6), log(3.0 / 2))), 1e-12);
    json_decref(lines);
    Interval positive = found.interval;
    a = (Result){.value = -6, .interval = {-8, -5}, .low = NAN, .high = NAN, .repeats = 1};
    b = (Result){.value = -3, .interval = {-4, -2}, .low = NAN, .high = NAN, .repeats = 1};
    assert_true(results_append(path, definition, "quick", &row[0], &a, &error));
    assert_true(results_append(path, definition, "quick", &row[1], &b, &error));
    lines = results_read(path, &skipped, &error);
    assert_true(results_find(lines, definition, "quick", &row[2], &found)); // both below 0: the same
    assert_float_equal(found.value, 2, 1e-12);
    assert_float_equal(found.interval.low, positive.low, 1e-12);
    assert_float_equal(found.interval.high, positive.high, 1e-12);
    json_decref(lines);
    definition_free(definition);
    unlink(path);
}

// The mean of n numbers has the standard error sd / sqrt(n), here 0.1: a bootstrap interval is near +-0.196.
static void a_list_over_runs_has_a_bootstrap_interval(void **state) {
    (void)state;
    Error error = {""};
    Interval interval;
    double value;
    json_t *json = json_object(), *list = json_array(), *twice = json_array();
    for (int k = 0; k < 100; k++) {
        json_array_append_new(list, json_real(5 + (k % 2 ? 1 : -1)));
        json_array_append_new(twice, json_real(10 + (k % 2 ? 2 : -2)));
    }
    json_object_set_new(json, "list", list);
    json_object_set_new(json, "twice", twice);
    Definition *definition =
        read_text(ROW(", \"value\": \"list\", \"reduce\": \"mean\", \"interval\": \"bootstrap\""), &error);
    assert_non_null(definition);
    assert_true(value_take(definition->row, json, &value, &interval, &error));
    assert_float_equal(value, 5, 1e-12);
    assert_float_equal(interval.low, 5 - 0.196, 0.03);
    assert_float_equal(interval.high, 5 + 0.196, 0.03);
    definition_free(definition);
    definition = read_text(ROW(", \"value\": \"twice\", \"divide\": \"list\", \"reduce\": \"sum\", "
                               "\"interval\": \"bootstrap\""),
                           &error);
    assert_true(value_take(definition->row, json, &value, &interval, &error));
    assert_float_equal(interval.low, 2, 1e-12); // drawn together, the ratio is always 2
    assert_float_equal(interval.high, 2, 1e-12);
    definition_free(definition);
    json_decref(json);
}

// Student's point for two degrees of freedom is 4.3027; the values may be negative.
static void repetitions_get_students_interval(void **state) {
    (void)state;
    const DefinitionRow row = {.together = TOGETHER_MEAN};
    Result result;
    assert_true(values_together(&row, (double[]){-3, 1, -1}, 3, (Interval){NAN, NAN}, &result, NULL));
    assert_float_equal(result.value, -1, 1e-12);
    assert_float_equal(result.interval.high, -1 + 4.302653 * 2 / sqrt(3), 1e-5);
    assert_float_equal(result.interval.low, -1 - 4.302653 * 2 / sqrt(3), 1e-5);
    assert_float_equal(result.low, -3, 0);
    assert_float_equal(result.high, 1, 0);
}

static void numbers_are_shown_as_people_read_them(void **state) {
    (void)state;
    char text[RESULTS_TEXT];
    Result result = {.value = 32300000, .interval = {30100000, 34900000}};
    assert_string_equal(results_show(&result, "lines", text), "32.3 M (30.1 M .. 34.9 M)");
    result = (Result){.value = 0.93, .interval = {NAN, NAN}};
    assert_string_equal(results_show(&result, "%", text), "93.0 %");
    assert_string_equal(results_show(&result, "ns a board", text), "0.93 ns a board");
    PublishedValue range = published_value(PUBLISHED_RANGE, 100, 3000, NULL);
    assert_string_equal(results_show_published(&range, "lines", text), "100 .. 3.00 k");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mistake_is_named),
        cmocka_unit_test(variables_are_replaced),
        cmocka_unit_test(names_can_be_names_of_folders),
        cmocka_unit_test(intervals_belong_to_what_is_taken),
        cmocka_unit_test(the_programs_own_ones_are_right),
        cmocka_unit_test(paths_lead_to_numbers),
        cmocka_unit_test(a_number_may_be_missing_where_that_is_allowed),
        cmocka_unit_test(trend_and_spread_are_ratios),
        cmocka_unit_test(geometric_means_are_means_of_logarithms),
        cmocka_unit_test(falls_are_a_share_of_the_steps),
        cmocka_unit_test(correlation_is_that_of_steps),
        cmocka_unit_test(spread_of_repetitions_has_an_interval),
        cmocka_unit_test(results_are_found_again),
        cmocka_unit_test(repetitions_get_students_interval),
        cmocka_unit_test(a_part_of_the_repetitions_is_kept),
        cmocka_unit_test(a_value_without_its_interval_is_better_than_none),
        cmocka_unit_test(ratios_come_from_two_rows),
        cmocka_unit_test(a_list_over_runs_has_a_bootstrap_interval),
        cmocka_unit_test(numbers_are_shown_as_people_read_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
