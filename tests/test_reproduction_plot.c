// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions: what each kind shows, what is left out, hostile files, and wrong definitions. Where
// the numbers are looked at, gnuplot is missing on purpose: then the script is kept.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "reproduce/command.h"
#include "reproduce/reproduction_plot.h"
#include "reproduce/reproduction_series.h"
#include "reproduce/results.h"

static char folder[] = "/tmp/tetralab-reproduction-plot-XXXXXX";
static char *old_path;

static const char *in_folder(const char *name) {
    static char path[8][256];
    static int turn;
    char *out = path[turn++ % 8];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static void write_text(const char *name, const char *text) {
    Error error = {""};
    if (!text_write_file(in_folder(name), text, strlen(text), &error))
        fail_msg("%s", error.text);
}

static void write_journal(const char *name, const char *text) {
    char path[200];
    mkdir(in_folder(name), 0777);
    snprintf(path, sizeof path, "%s/journal.jsonl", name);
    write_text(path, text);
}

// -> plot, rows  as JSON, with ' for "
static Definition *define(const char *plot, const char *rows) {
    char text[8000];
    Error error = {""};
    snprintf(text, sizeof text,
             "{'paper': 'A paper', 'place': 'fig. 1', 'title': 'A title', 'text': '', "
             "'scales': {'quick': {'n': '2'}, 'full': {'n': '3'}}, 'rows': [%s], 'plot': %s}",
             rows, plot);
    for (char *c = text; *c; c++)
        if (*c == '\'')
            *c = '"';
    Definition *definition = definition_read("made-up.json", text, strlen(text), &error);
    if (!definition)
        fail_msg("%s", error.text);
    return definition;
}

static const char one_row[] = "{'row': 'one', 'run': 'play'}";
static const char three_rows[] = "{'row': 'one', 'run': 'play {dir} {i}', 'repeat': '{n}', 'x': 1},"
                                 "{'row': 'two', 'run': ['learn', 'play b'], 'x': 2, 'published': 7},"
                                 "{'row': 'three', 'run': 'play c', 'x': 3, 'published': [8, 9]}";

static bool draw(const Definition *definition, const char *path, Error *error) {
    char results[256];
    snprintf(results, sizeof results, "%s", in_folder("made-up.jsonl"));
    return reproduction_plot(in_folder(path), definition, "quick", folder, results, error);
}

// <- the script; free() it
static char *script_of(const char *plot, const char *rows) {
    Definition *definition = define(plot, rows);
    Error error = {""};
    size_t length;
    setenv("PATH", "/nonexistent", 1);
    assert_false(draw(definition, "x.svg", &error));
    setenv("PATH", old_path, 1);
    definition_free(definition);
    if (!strstr(error.text, "its script is kept"))
        fail_msg("%s", error.text);
    char *text = text_read_file(in_folder("x.svg.gnuplot"), &length, &error);
    assert_non_null(text);
    unlink(in_folder("x.svg.gnuplot"));
    return text;
}

static void assert_holds(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %.1500s", part, text);
}

static void assert_script(const char *plot, const char *rows, const char *part) {
    char *text = script_of(plot, rows);
    assert_holds(text, part);
    free(text);
}

static void assert_refused(const char *plot, const char *rows, const char *part) {
    Definition *definition = define(plot, rows);
    Error error = {""};
    assert_false(draw(definition, "x.svg", &error));
    assert_holds(error.text, part);
    definition_free(definition);
}

static void write_output(const Definition *definition, const char *command, int i, const char *text) {
    char path[4096];
    Error error = {""};
    char *name = definition_expand(definition, "quick", command, definition->name, i);
    command_output(folder, name, path);
    free(name);
    assert_true(text_write_file(path, text, strlen(text), &error));
}

// ---------------------------------------------------------------------------------------------------

static void rows_show_results_and_published_values(void **state) {
    (void)state;
    const char *plot = "{'kind': 'rows', 'points': [[1.5, 6]]}";
    Definition *definition = define(plot, three_rows);
    Error error = {""};
    Result result = {.value = 5, .interval = {4, 6.5}, .low = NAN, .high = NAN, .repeats = 2};
    unlink(in_folder("made-up.jsonl"));
    assert_true(results_append(in_folder("made-up.jsonl"), definition, "quick", &definition->row[0], &result,
                               &error));
    definition_free(definition);
    char *text = script_of("{'kind': 'rows', 'points': [[1.5, 6]]}", three_rows);
    assert_holds(text, "$ours << END\n 1 5 4 6.5\nEND\n"); // the other rows were not run
    assert_holds(text, " 7 7 7\n");                        // published alone
    assert_holds(text, " 8.5 8 9\n");                      // a range
    assert_holds(text, "$points << END\n 1.5 6\nEND\n");
    assert_holds(text, "'A title'");
    assert_holds(text, "A paper, fig. 1");
    free(text);
    unlink(in_folder("made-up.jsonl"));
    assert_refused("{'kind': 'rows'}", three_rows, "nothing to draw");
}

// Three runs, one of which ends early and one of which has a generation twice and damaged lines.
static const char runs_text[] =
    "{\"run\": 1, \"generation\": 1, \"evaluations\": 10, \"curve\": null, \"best\": 1, \"answer\": [1, 2]}\n"
    "{\"run\": 2, \"generation\": 1, \"evaluations\": 10, \"curve\": 4, \"best\": 5, \"answer\": [3, 4]}\n"
    "{\"run\": 3, \"generation\": 1, \"evaluations\": 20, \"best\": 900, \"answer\": [5, 6]}\n"
    "{\"run\": 3, \"generation\": 1, \"evaluations\": 20, \"best\": 9, \"answer\": [5, 6]}\n"
    "not JSON\n{\"run\": 1e9, \"generation\": 1, \"evaluations\": 1, \"best\": 1}\n"
    "{\"run\": 1, \"generation\": 2, \"evaluations\": 20, \"best\": 2, \"answer\": [10, 20]}\n"
    "{\"run\": 3, \"generation\": 2, \"evaluations\": 40, \"best\": 7, \"answer\": [50, 60]}\n"
    "{\"run\": 3, \"generation\": 3, \"eval";

static void curves_are_medians_of_the_runs(void **state) {
    (void)state;
    write_journal("a", runs_text);
    // Generation 1: 1, 5, 9. Generation 2: 2, 5 (ended), 7.
    assert_script("{'kind': 'curves', 'folders': {'A': '{dir}/a', 'B': '{dir}/none'}, 'field': 'best'}",
                  one_row, "$line0 << END\n 1 5\n 2 5\nEND\n");
    // After 10 games 1 and 5, after 20 games 2, 5 and 9, after 40 games 2, 5 and 7.
    assert_script("{'kind': 'curves', 'folders': {'A': '{dir}/a'}, 'field': 'best', 'by': 'evaluations'}",
                  one_row, "$line0 << END\n 10 3\n 20 5\n 40 5\nEND\n");
    assert_refused("{'kind': 'curves', 'folders': {'B': '{dir}/none'}, 'field': 'best'}", one_row,
                   "nothing to draw");
    assert_refused("{'kind': 'curves', 'folders': {'A': '{dir}/a'}, 'field': 'sigma'}", one_row,
                   "with this \"field\"");
}

static void lists_have_a_line_per_component_of_the_first_run(void **state) {
    (void)state;
    write_journal("a", runs_text);
    char *text = script_of("{'kind': 'curves', 'folders': {'A': '{dir}/a'}, 'field': 'answer', "
                           "'names': ['first']}",
                           one_row);
    assert_holds(text, "$line0 << END\n 1 1\n 2 10\nEND\n$line1 << END\n 1 2\n 2 20\nEND\n");
    assert_holds(text, "title 'first'");
    assert_holds(text, "title '2'"); // without a name
    free(text);
}

static void runs_have_a_line_each(void **state) {
    (void)state;
    write_journal("a", runs_text);
    assert_script("{'kind': 'runs', 'folders': {'A': '{dir}/a'}, 'field': 'best'}", one_row,
                  "$line0 << END\n 1 1\n 2 2\n\n 1 5\n\n 1 9\n 2 7\nEND\n");
}

static void boxes_are_quartiles_of_the_last_generations(void **state) {
    (void)state;
    write_journal("a", runs_text);
    // The ends are (10, 20), (3, 4) and (50, 60): lower quartile, whiskers, upper quartile, median.
    assert_script("{'kind': 'box', 'folders': {'A': '{dir}/a'}, 'field': 'answer', 'names': ['x%', 'y']}",
                  one_row, "$boxes << END\n1 6.5 3 50 30 10\n2 12 4 60 40 20\nEND\n");
    assert_script("{'kind': 'box', 'folders': {'A': '{dir}/a'}, 'field': 'answer', 'names': ['x%', 'y']}",
                  one_row, "'x%%' 1, 'y' 2");
}

static void outputs_become_lines_and_histograms(void **state) {
    (void)state;
    Definition *definition = define("{'kind': 'rows'}", three_rows);
    mkdir(in_folder("outputs"), 0777);
    write_output(definition, "play {dir} {i}", 1, "{\"scores\": [1, 2, 3, 4]}");
    write_output(definition, "play {dir} {i}", 2, "{\"scores\": [5, 5, 9]}");
    write_output(definition, "play b", 1, "{\"scores\": [7]}");
    definition_free(definition);
    char *text = script_of("{'kind': 'list', 'field': 'scores', 'smooth': 3}", three_rows);
    assert_holds(text, "$line0 << END\n 2 2\n 3 3\n\n 2 6.33333\nEND\n$line2 << END\n 1 7\nEND\n");
    free(text);
    // 1, 2, 3, 4, 5, 5, 9: bars of two lines each
    text = script_of("{'kind': 'histogram', 'field': 'scores', 'rows': ['one']}", three_rows);
    assert_holds(text, "$bins0 << END\n1 14.2857\n3 28.5714\n5 42.8571\n7 0\n9 14.2857\nEND\n");
    assert_holds(text, "exp(-x / 4.14285714)");
    free(text);
    assert_refused("{'kind': 'list', 'field': 'scores', 'rows': ['three']}", three_rows, "nothing to draw");
    assert_refused("{'kind': 'list', 'field': 'lines'}", three_rows, "There is no \"lines\"");
}

static void wrong_plots_are_named(void **state) {
    static const struct {
        const char *plot, *part;
    } wrong[] = {
        {"{}", "\"kind\" must be rows"},
        {"{'kind': 'pie'}", "not \"pie\""},
        {"{'kind': 'rows', 'xlable': 'x'}", "did you mean \"xlabel\""},
        {"{'kind': 'rows', 'xlabel': 3}", "\"xlabel\" must be a text"},
        {"{'kind': 'rows', 'log': 'z'}", "\"log\" must be"},
        {"{'kind': 'rows', 'points': [[1, 2], [3]]}", "\"points\" must be"},
        {"{'kind': 'rows', 'points': {}}", "\"points\" must be"},
        {"{'kind': 'rows', 'folders': {'a': 'b'}}", "no meaning for the kind \"rows\""},
        {"{'kind': 'curves', 'field': 'best'}", "\"folders\" is missing"},
        {"{'kind': 'curves', 'folders': {}, 'field': 'best'}", "\"folders\" must be"},
        {"{'kind': 'curves', 'folders': {'a': 3}, 'field': 'best'}", "\"folders\" must be"},
        {"{'kind': 'curves', 'folders': {'a': 'b'}}", "\"field\" is missing"},
        {"{'kind': 'curves', 'folders': {'a': 'b'}, 'field': 'besd'}", "\"field\" must be"},
        {"{'kind': 'curves', 'folders': {'a': 'b'}, 'field': 'best', 'by': 'time'}", "\"by\" must be"},
        {"{'kind': 'box', 'folders': {'a': 'b', 'c': 'd'}, 'field': 'answer'}", "one folder"},
        {"{'kind': 'box', 'folders': {'a': 'b'}, 'field': 'answer', 'log': 'x'}", "\"log\" must be"},
        {"{'kind': 'box', 'folders': {'a': 'b'}, 'field': 'answer', 'names': [1]}", "\"names\" must be"},
        {"{'kind': 'list', 'field': 'scores', 'rows': ['four']}", "\"rows\" must be"},
        {"{'kind': 'list', 'field': 'scores', 'smooth': 0}", "\"smooth\" must be"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Definition *definition = define(wrong[k].plot, three_rows);
        Error error = {""};
        assert_false(reproduction_plot_check(definition, &error));
        assert_holds(error.text, wrong[k].part);
        definition_free(definition);
    }
    Definition *right =
        define("{'kind': 'curves', 'folders': {'a': 'b'}, 'field': 'answer.3', 'log': 'xy'}", one_row);
    assert_true(reproduction_plot_check(right, NULL));
    definition_free(right);
}

// ---------------------------------------------------------------------------------------------------
// Files from anywhere

static void long_runs_are_thinned_out(void **state) {
    enum { RUNS = 40, GENERATIONS = 300 };
    (void)state;
    char *text = NULL;
    size_t length;
    FILE *f = open_memstream(&text, &length);
    for (int g = 1; g <= GENERATIONS; g++)
        for (int run = 1; run <= RUNS; run++)
            fprintf(f, "{\"run\": %d, \"generation\": %d, \"best\": %d}\n", run, g, g * 7919 % 100 + run);
    fclose(f);
    write_journal("long", text);
    free(text);
    Series series;
    SeriesLine line;
    Error error = {""};
    assert_true(series_read(&series, in_folder("long"), "best", false, &error));
    assert_int_equal(series.runs, RUNS);
    assert_int_equal(series.count, RUNS * GENERATIONS);
    assert_true(series_median(&series, &line));
    assert_int_equal(line.count, GENERATIONS);
    assert_true(fabs(line.y[GENERATIONS - 1] - (GENERATIONS * 7919 % 100 + 20.5)) < 1e-9);
    series_free(&series);
    char *script = script_of("{'kind': 'runs', 'folders': {'A': '{dir}/long'}, 'field': 'best'}", one_row);
    assert_in_range(strlen(script), 10000, 40000);
    assert_holds(script, " 300 "); // the last generation is always there
    free(script);
}

static void hostile_content_does_no_harm(void **state) {
    static const char *const journals[] = {
        "",
        "\n\n\n",
        "[]\n3\n\"x\"\n{}\n",
        "{\"run\": 1, \"generation\": \"x\", \"best\": 1}\n",
        "{\"run\": 1, \"generation\": 1, \"best\": [[1]]}\n",
        "{\"run\": 1, \"generation\": 1, \"best\": 1e999}\n",
        "{\"run\": -1, \"generation\": 1, \"best\": 1}\n{\"run\": 0.5, \"generation\": 1, \"best\": 1}\n",
        "{\"run\": 1, \"generation\": 1, \"best\": 1e308}\n{\"run\": 1, \"generation\": -1e308, \"best\": "
        "-1e308}\n",
        "{\"run\": 1, \"generation\": 1e308, \"best\": 1}\n{\"run\": 2, \"generation\": 1e-308, \"best\": "
        "1e-308}\n",
        "{\"run\": 1, \"generation\": 1, \"best\": 5}\n\xff\xfe\x01\n",
        "{\"run\": 1, \"generation\": 1, \"best\": 0}\n",
        "{\"run\": 1, \"generation\": 1, \"best\": 1000000}\n{\"run\": 1, \"generation\": 2, \"best\": "
        "1000000.001}\n",
    };
    static const char *const plots[] = {
        "{'kind': 'curves', 'folders': {'`id` $(id) \\\\ %s \\n': '{dir}/h'}, 'field': 'best'}",
        "{'kind': 'curves', 'folders': {'A': '{dir}/h'}, 'field': 'best', 'log': 'xy'}",
        "{'kind': 'runs', 'folders': {'A': '{dir}/h'}, 'field': 'best', 'points': [[1e308, -1e308]]}",
        "{'kind': 'box', 'folders': {'A': '{dir}/h'}, 'field': 'best'}",
        "{'kind': 'box', 'folders': {'A': '{dir}/h'}, 'field': 'best', 'log': 'y'}",
    };
    (void)state;
    for (size_t j = 0; j < sizeof journals / sizeof *journals; j++)
        for (size_t p = 0; p < sizeof plots / sizeof *plots; p++) {
            Definition *definition = define(plots[p], one_row);
            Error error = {""};
            write_journal("h", journals[j]);
            if (!draw(definition, "h.svg", &error)) {
                if (strstr(error.text, "not installed"))
                    skip();
                assert_holds(error.text, "nothing to draw"); // and not a script that gnuplot cannot read
            }
            definition_free(definition);
        }
}

static void hostile_outputs_do_no_harm(void **state) {
    static const char *const outputs[] = {"",
                                          "{\"scores\": []}",
                                          "{\"scores\": \"x\"}",
                                          "{\"scores\": {\"a\": [1]}}",
                                          "{\"scores\": [1e308, 1e308, -1e308]}",
                                          "{\"scores\": [1e-308]}",
                                          "{\"scores\": [0, 0, 0]}",
                                          "{\"scores\": [-5, 1e20]}",
                                          "{\"scores\": [3.5, 3.5000000001]}"};
    (void)state;
    mkdir(in_folder("outputs"), 0777);
    for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++)
        for (int kind = 0; kind < 3; kind++) {
            Definition *definition =
                define(kind == 0   ? "{'kind': 'list', 'field': 'scores'}"
                       : kind == 1 ? "{'kind': 'histogram', 'field': 'scores'}"
                                   : "{'kind': 'histogram', 'field': 'scores', 'log': 'y'}",
                       one_row);
            Error error = {""};
            write_output(definition, "play", 1, outputs[k]);
            if (!draw(definition, "h.svg", &error)) {
                if (strstr(error.text, "not installed"))
                    skip();
                assert_null(strstr(error.text, "gnuplot"));
            }
            definition_free(definition);
        }
}

static void pictures_are_drawn(void **state) {
    (void)state;
    write_journal("a", runs_text);
    for (int k = 0; k < 2; k++) {
        const char *path = k ? "p.png" : "p.svg";
        Definition *definition =
            define("{'kind': 'runs', 'folders': {'A': '{dir}/a'}, 'field': 'best', 'log': 'y'}", one_row);
        Error error = {""};
        struct stat status;
        bool good = draw(definition, path, &error);
        definition_free(definition);
        if (!good && strstr(error.text, "not installed"))
            skip();
        if (!good)
            fail_msg("%s", error.text);
        assert_int_equal(stat(in_folder(path), &status), 0);
        assert_in_range(status.st_size, 1000, 60 << 10);
    }
}

static int make_folder(void **state) {
    (void)state;
    old_path = strdup(getenv("PATH") ? getenv("PATH") : "");
    return !old_path || !mkdtemp(folder);
}

static int remove_folder(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    free(old_path);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_show_results_and_published_values),
        cmocka_unit_test(curves_are_medians_of_the_runs),
        cmocka_unit_test(lists_have_a_line_per_component_of_the_first_run),
        cmocka_unit_test(runs_have_a_line_each),
        cmocka_unit_test(boxes_are_quartiles_of_the_last_generations),
        cmocka_unit_test(outputs_become_lines_and_histograms),
        cmocka_unit_test(wrong_plots_are_named),
        cmocka_unit_test(long_runs_are_thinned_out),
        cmocka_unit_test(hostile_content_does_no_harm),
        cmocka_unit_test(hostile_outputs_do_no_harm),
        cmocka_unit_test(pictures_are_drawn),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
