// SPDX-License-Identifier: GPL-3.0-or-later
// Plots of reproductions: what each kind shows, what is left out, hostile files, and wrong definitions.
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
#include "learn/run_files.h"
#include "learn/run_folder.h"
#include "learning_fixture.h"
#include "reproduce/command.h"
#include "reproduce/drawing.h"
#include "reproduce/results.h"

static char folder[] = "/tmp/tetralab-drawing-XXXXXX";

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

// A generation of a run that learns two weights, as far as the tests look at it.
typedef struct Short {
    int run; // from 0
    uint64_t generation, evaluations;
    double best, curve, answer[2];
} Short;

static void write_run(const char *name, int runs, const Short *list, size_t count) {
    LearningPlan plan;
    Error error = {""};
    char command[300];
    snprintf(command, sizeof command, "rm -rf '%s'", in_folder(name));
    assert_int_equal(system(command), 0);
    assert_true(plan_make(&plan, OPTIMISER_CMAES, "holes,cells", runs, &error));
    RunFolder *run = run_folder_new(in_folder(name), &plan, "test", &error);
    if (!run)
        fail_msg("%s", error.text);
    run_folder_close(run);
    snprintf(command, sizeof command, "%s/journal.jsonl", in_folder(name));
    FILE *journal = fopen(command, "w"); // the folder's own way is to keep a checkpoint for every line
    assert_non_null(journal);
    for (size_t k = 0; k < count; k++) {
        MadeUp made;
        generation_make(&made, list[k].run, list[k].generation, 2);
        memcpy(made.vectors[0], list[k].answer, sizeof list[k].answer);
        made.generation.evaluations = list[k].evaluations;
        made.generation.samples = 10;
        made.generation.best = list[k].best;
        made.generation.curve = list[k].curve;
        char *line = line_text(&made.generation);
        assert_non_null(line);
        fputs(line, journal);
        fputc('\n', journal);
        free(line);
    }
    fclose(journal);
    learning_plan_free(&plan);
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
static const char three_rows[] =
    "{'row': 'one', 'run': 'play {dir} {i}', 'repeat': '{n}', 'x': 1},"
    "{'row': 'two', 'run': ['learn', 'play b'], 'x': 2, 'published': 7, 'step': 0},"
    "{'row': 'three', 'run': 'play c', 'x': 3, 'published': [8, 9]}";

static bool make(Plot *plot, const Definition *definition, Error *error) {
    char results[256];
    snprintf(results, sizeof results, "%s", in_folder("made-up.jsonl"));
    return drawing_make(plot, definition, "quick", folder, results, error);
}

static bool draw(const Definition *definition, const char *path, Error *error) {
    Plot plot;
    bool good = make(&plot, definition, error) && plot_draw(&plot, in_folder(path), error);
    plot_free(&plot);
    return good;
}

// plot_free it. <- its panel
static const PlotPanel *plot_of(Plot *plot, const char *text, const char *rows) {
    Definition *definition = define(text, rows);
    Error error = {""};
    if (!make(plot, definition, &error))
        fail_msg("%s", error.text);
    definition_free(definition);
    return plot->panel[0];
}

// Are these the points of the series: x y x y ...? NAN: a gap
static void assert_points(const PlotSeries *series, const double *xy, size_t count) {
    assert_int_equal(series->count, count);
    for (size_t k = 0; k < count; k++) {
        const PlotPoint *p = &series->point[k];
        double x = xy[2 * k], y = xy[2 * k + 1];
        if (isnan(x) ? !isnan(p->x) : !(p->x == x && fabs(p->y - y) <= 1e-9))
            fail_msg("point %zu is %g %g instead of %g %g", k, p->x, p->y, x, y);
    }
}
#define POINTS(series, ...)                                                                                  \
    assert_points(series, (const double[]){__VA_ARGS__}, sizeof((double[]){__VA_ARGS__}) / 2 / sizeof(double))

static void assert_holds(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %.1500s", part, text);
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
    const char *text = "{'kind': 'rows', 'points': [[1.5, 6]]}";
    Definition *definition = define(text, three_rows);
    Error error = {""};
    Plot plot;
    Result result = {.value = 5, .interval = {4, 6.5}, .low = NAN, .high = NAN, .repeats = 2};
    unlink(in_folder("made-up.jsonl"));
    assert_true(results_append(in_folder("made-up.jsonl"), definition, "quick", &definition->row[0], &result,
                               &error));
    definition_free(definition);
    const PlotPanel *panel = plot_of(&plot, text, three_rows);
    const PlotSeries *ours = panel->series[1], *published = panel->series[2];
    assert_string_equal(ours->title, "measured");
    POINTS(ours, 1, 5); // the other rows were not run
    assert_true(ours->point[0].low == 4 && ours->point[0].high == 6.5);
    POINTS(published, 2.022, 7, 3.022, 8.5); // beside ours; alone, and a range
    POINTS(panel->series[3], 1.5, 6);        // a point; "published" stands in the legend once
    assert_string_equal(panel->series[3]->title, "");
    assert_true(published->point[0].low == 7 && published->point[1].low == 8 &&
                published->point[1].high == 9);
    assert_string_equal(plot.title, "A title");
    assert_holds(plot.subtitle, "A paper, fig. 1");
    assert_holds(plot.subtitle, "; scale quick");
    plot_free(&plot);
    unlink(in_folder("made-up.jsonl"));
    assert_refused("{'kind': 'rows'}", three_rows, "nothing to draw");
}

// Rows of a group share a colour, are joined among themselves and stand beside those of other groups. A row
// without a place along x is a line across.
static void groups_are_told_apart_and_levels_go_across(void **state) {
    (void)state;
    static const char rows[] =
        "{'row': 'a1', 'run': 'play 1', 'x': 1}, {'row': 'b1', 'run': 'play 2', 'x': 1},"
        "{'row': 'a2', 'run': 'play 3', 'x': 2}, {'row': 'b2', 'run': 'play 4', 'x': 2},"
        "{'row': 'true', 'run': 'play 5'}";
    const char *text =
        "{'kind': 'rows', 'groups': {'A': ['a1', 'a2'], 'B': ['b1', 'b2']}, 'levels': ['true']}";
    Definition *definition = define(text, rows);
    Error error = {""};
    Plot plot;
    unlink(in_folder("made-up.jsonl"));
    for (int k = 0; k < 5; k++) {
        Result result = {.value = k, .interval = {k - 0.5, k + 0.5}, .low = NAN, .high = NAN, .repeats = 1};
        assert_true(results_append(in_folder("made-up.jsonl"), definition, "quick", &definition->row[k],
                                   &result, &error));
    }
    definition_free(definition);
    const PlotPanel *panel = plot_of(&plot, text, rows);
    const double left = 1 - 1.25 * 0.011, right = 1 + 1.25 * 0.011;
    assert_int_equal(panel->count, 7);
    POINTS(panel->series[0], left, 0, left + 1, 2); // the line of A, then its points
    POINTS(panel->series[1], left, 0, left + 1, 2);
    POINTS(panel->series[3], right, 1, right + 1, 3);
    assert_string_equal(panel->series[3]->title, "B");
    assert_string_not_equal(panel->series[1]->style.colour, panel->series[3]->style.colour);
    POINTS(panel->series[4], left, 4, right + 1, 4);
    POINTS(panel->series[5], left, 3.5, right + 1, 3.5);
    assert_string_equal(panel->series[4]->title, "true");
    plot_free(&plot);
    unlink(in_folder("made-up.jsonl"));
}

// Three runs, one of which ends early; in one the first curve is missing.
static const Short three_runs[] = {
    {0, 1, 10, 1, NAN, {1, 2}}, {1, 1, 10, 5, 4, {3, 4}},   {2, 1, 20, 9, 8, {5, 6}},
    {0, 2, 20, 2, 3, {10, 20}}, {2, 2, 40, 7, 6, {50, 60}},
};

static void write_three_runs(void) {
    write_run("a", 3, three_runs, sizeof three_runs / sizeof *three_runs);
}

static void curves_are_medians_of_the_runs(void **state) {
    (void)state;
    Plot plot;
    write_three_runs();
    // Generation 1: 1, 5, 9. Generation 2: 2, 5 (ended), 7.
    const PlotPanel *panel =
        plot_of(&plot, "{'kind': 'curves', 'folders': {'A': '{dir}/a', 'B': '{dir}/none'}, 'field': 'best'}",
                one_row);
    assert_int_equal(panel->count, 1); // the other folder is not there
    POINTS(panel->series[0], 1, 5, 2, 5);
    assert_holds(plot.subtitle, "medians of 3 runs");
    plot_free(&plot);
    // After 10 games 1 and 5, after 20 games 2, 5 and 9, after 40 games 2, 5 and 7.
    panel = plot_of(&plot,
                    "{'kind': 'curves', 'folders': {'A': '{dir}/a'}, 'field': 'best', 'by': 'evaluations'}",
                    one_row);
    POINTS(panel->series[0], 10, 3, 20, 5, 40, 5);
    plot_free(&plot);
    // After 10 games only one of three runs has a curve. It is that of the answer ten games before.
    panel = plot_of(&plot,
                    "{'kind': 'curves', 'folders': {'A': '{dir}/a'}, 'field': 'curve', 'by': 'evaluations'}",
                    one_row);
    POINTS(panel->series[0], 10, 4, 30, 4);
    plot_free(&plot);
    assert_refused("{'kind': 'curves', 'folders': {'B': '{dir}/none'}, 'field': 'best'}", one_row,
                   "nothing to draw");
    assert_refused("{'kind': 'curves', 'folders': {'A': '{dir}/a'}, 'field': 'answer.7'}", one_row,
                   "with this \"field\"");
}

static void bands_reach_from_quartile_to_quartile(void **state) {
    (void)state;
    Plot plot;
    write_three_runs();
    const PlotPanel *panel = plot_of(
        &plot, "{'kind': 'curves', 'folders': {'A': '{dir}/a'}, 'field': 'best', 'together': 'quartiles'}",
        one_row);
    assert_int_equal(panel->count, 2); // of 1, 5, 9; then of 2, 5 (ended), 7
    assert_true(panel->series[0]->point[0].low == 3 && panel->series[0]->point[0].high == 7);
    assert_true(panel->series[0]->point[1].low == 3.5 && panel->series[0]->point[1].high == 6);
    POINTS(panel->series[1], 1, 5, 2, 5);
    assert_holds(plot.subtitle, "bands between the quartiles, medians of 3 runs");
    plot_free(&plot);
}

static void lists_have_a_line_per_component_of_the_first_run(void **state) {
    (void)state;
    Plot plot;
    write_three_runs();
    const PlotPanel *panel = plot_of(&plot,
                                     "{'kind': 'curves', 'folders': {'A': '{dir}/a'}, 'field': 'answer', "
                                     "'names': ['first']}",
                                     one_row);
    POINTS(panel->series[0], 1, 1, 2, 10);
    POINTS(panel->series[1], 1, 2, 2, 20);
    assert_string_equal(panel->series[0]->title, "first");
    assert_string_equal(panel->series[1]->title, "cells"); // the feature's own name
    plot_free(&plot);
}

static void a_plot_can_have_several_panels_and_a_panel_several_fields(void **state) {
    (void)state;
    Plot plot;
    write_three_runs();
    plot_of(
        &plot,
        "{'panels': [{'kind': 'curves', 'title': 'left', 'folders': {'A': '{dir}/a'}, 'together': 'mean', "
        "'fields': {'top': 'best', 'curve': 'curve'}},"
        " {'kind': 'runs', 'title': 'right', 'folders': {'A': '{dir}/a'}, 'field': 'best'}]}",
        one_row);
    assert_true(plot.panels == 2 && plot.columns == 2);
    const PlotPanel *left = plot.panel[0], *right = plot.panel[1];
    assert_string_equal(left->title, "left");
    assert_string_equal(left->series[0]->title, "top");
    POINTS(left->series[0], 1, 5, 2, 14 / 3.0);          // 1, 5, 9; then 2, 5 (ended), 7
    POINTS(left->series[1], 0, 6, 1, (3 + 4 + 6) / 3.0); // of the answers before: 4, 8; then 3, 4, 6
    POINTS(right->series[1], 1, 5, 2, 5);                // the median, beside the runs
    assert_holds(plot.subtitle, "means of 3 runs; thin lines are single runs, thick ones medians of 3 runs");
    plot_free(&plot);
}

// Panels that have nothing to show yet are left out.
static void panels_without_anything_to_show_are_left_out(void **state) {
    (void)state;
    Plot plot;
    write_three_runs();
    const PlotPanel *panel = plot_of(&plot,
                                     "{'panels': [{'kind': 'histogram', 'field': 'scores', 'rows': ['one']},"
                                     "{'kind': 'curves', 'title': 'Left', 'folders': {'A': '{dir}/a'},"
                                     " 'field': 'best'}]}",
                                     one_row);
    assert_int_equal(plot.panels, 1);
    assert_string_equal(panel->title, "Left");
    plot_free(&plot);
}

static void runs_have_a_line_each(void **state) {
    (void)state;
    Plot plot;
    write_three_runs();
    const PlotPanel *panel =
        plot_of(&plot, "{'kind': 'runs', 'folders': {'A': '{dir}/a'}, 'field': 'best'}", one_row);
    POINTS(panel->series[0], 1, 1, 2, 2, NAN, NAN, 1, 5, NAN, NAN, 1, 9, 2, 7, NAN, NAN);
    plot_free(&plot);
}

static void boxes_are_quartiles_of_the_last_generations(void **state) {
    (void)state;
    Plot plot;
    write_three_runs();
    // The ends are (10, 20), (3, 4) and (50, 60).
    const PlotPanel *panel = plot_of(
        &plot, "{'kind': 'box', 'folders': {'A': '{dir}/a'}, 'field': 'answer', 'names': ['x%', 'y']}",
        one_row);
    static const PlotPoint box[] = {{1, 10, 6.5, 30, 3, 50}, {2, 20, 12, 40, 4, 60}};
    assert_int_equal(panel->series[0]->count, 2);
    assert_memory_equal(panel->series[0]->point, box, sizeof box);
    assert_int_equal(panel->series[1]->count, 0); // nothing is outside
    assert_int_equal(panel->x.names.count, 2);
    assert_string_equal(panel->x.names.text[0].text, "x%");
    plot_free(&plot);
}

static void outputs_become_lines_and_histograms(void **state) {
    (void)state;
    Plot plot;
    Definition *definition = define("{'kind': 'rows'}", three_rows);
    mkdir(in_folder("outputs"), 0777);
    write_output(definition, "play {dir} {i}", 1, "{\"scores\": [1, 2, 3, 4]}");
    write_output(definition, "play {dir} {i}", 2, "{\"scores\": [5, 5, 9]}");
    write_output(definition, "play b", 1, "{\"scores\": [7]}");
    definition_free(definition);
    const PlotPanel *panel =
        plot_of(&plot, "{'kind': 'list', 'field': 'scores', 'smooth': 3, 'names': ['first']}", three_rows);
    POINTS(panel->series[0], 2, 2, 3, 3, NAN, NAN, 2, 19 / 3.0, NAN, NAN);
    POINTS(panel->series[1], 2, (6 + 7 + 12) / 6.0, NAN, NAN); // the mean of both, as far as both go
    assert_string_equal(panel->series[1]->title, "first");
    assert_string_equal(panel->series[2]->title, "two"); // without a name
    POINTS(panel->series[2], 1, 7, NAN, NAN);
    plot_free(&plot);
    // 1, 2, 3, 4, 5, 5, 9: bars of two lines each
    panel = plot_of(&plot, "{'kind': 'histogram', 'field': 'scores', 'rows': ['one']}", three_rows);
    POINTS(panel->series[0], 1, 100 / 7.0, 3, 200 / 7.0, 5, 300 / 7.0, 7, 0, 9, 100 / 7.0);
    assert_true(fabs(panel->series[1]->point[0].y - 100 * 2 / (29 / 7.0)) < 1e-9); // the law at 0
    plot_free(&plot);
    assert_refused("{'kind': 'list', 'field': 'scores', 'rows': ['three']}", three_rows, "nothing to draw");
    assert_refused("{'kind': 'list', 'field': 'lines'}", three_rows, "There is no \"lines\"");
}

static void bars_have_names_and_the_largest_is_on_top(void **state) {
    (void)state;
    static const char row[] = "{'row': 'timed', 'run': 'features'}";
    static const char text[] = "{'kind': 'bars', 'field': 'f.*.v', 'labels': 'f.*.n'}";
    Plot plot;
    Definition *definition = define(text, row);
    mkdir(in_folder("outputs"), 0777);
    write_output(definition, "features", 1, "{\"f\": [{\"n\": \"x\", \"v\": 1}, {\"n\": \"y\", \"v\": 3}]}");
    const PlotPanel *panel = plot_of(&plot, text, row);
    POINTS(panel->series[0], 3, 0, 1, -1);
    assert_string_equal(panel->y.names.text[0].text, "y");
    plot_free(&plot);
    write_output(definition, "features", 1, "{\"f\": [{\"n\": 1, \"v\": 1}]}");
    assert_refused(text, row, "there is no text");
    definition_free(definition);
}

// <- the picture; NULL: refused with these words
static char *picture_of(const char *plot, const char *words) {
    Definition *definition = define(plot, one_row);
    Error error = {""};
    size_t length;
    assert_true(drawing_shows_boards(definition));
    char *svg = drawing_boards(definition, "quick", folder, &length, &error);
    if (!svg != !!words)
        fail_msg("%s", error.text);
    if (words)
        assert_holds(error.text, words);
    definition_free(definition);
    return svg;
}

// O on a 4x4 board: the second one completes two rows, so that nothing is left to show.
static void games_are_shown_board_by_board(void **state) {
    (void)state;
    write_text("game", "tetralab record 1\nboard 4x4\noverflow lenient\ngameover avoid\nrules simplified\n"
                       "pieces recorded O\ngiven OOO\nsequence same\nseed 1\ngame 0\nplayer somebody\n"
                       "moves O0:0 O0:2 O0:1\n"
                       "seat 1 pieces 3 lines 2 sent 0 received 0 columns 0,3,3,0 state no-pieces hand - "
                       "next -\nend rounds 3 limit\n");
    char *svg = picture_of("{'kind': 'game', 'file': '{dir}/game'}", NULL);
    assert_holds(svg, ">2 +2<");
    assert_holds(svg, ">3<");
    free(svg);
    write_text("boards", "##..\n\n#...\n.#..\n");
    svg = picture_of("{'kind': 'boards', 'file': '{dir}/boards'}", NULL);
    assert_holds(svg, "<svg");
    free(svg);
    write_text("boards", "##\n");
    picture_of("{'kind': 'boards', 'file': '{dir}/boards'}", "holds no boards");
    picture_of("{'kind': 'game', 'file': '{dir}/boards'}", "boards");
    picture_of("{'kind': 'game', 'file': '{dir}/none'}", "is not there");
}

static void wrong_plots_are_named(void **state) {
    static const struct {
        const char *plot, *part;
    } wrong[] = {
        {"{}", "\"kind\" is missing"},
        {"{'kind': 'pie'}", "or \"game\", found \"pie\""},
        {"{'kind': 'rows', 'xlable': 'x'}", "did you mean \"xlabel\""},
        {"{'kind': 'rows', 'xlabel': 3}", "\"xlabel\" needs a text"},
        {"{'kind': 'rows', 'log': 'z'}", "\"log\" must be"},
        {"{'kind': 'rows', 'points': [[1, 2], [3]]}", "\"points\" must be"},
        {"{'kind': 'rows', 'points': {}}", "\"points\" must be"},
        {"{'kind': 'rows', 'folders': {'a': 'b'}}", "no meaning for the kind \"rows\""},
        {"{'kind': 'curves', 'field': 'best'}", "\"folders\" is missing"},
        {"{'kind': 'curves', 'folders': {}, 'field': 'best'}", "\"folders\" must be"},
        {"{'kind': 'curves', 'folders': {'a': 3}, 'field': 'best'}", "\"folders\" must be"},
        {"{'kind': 'curves', 'folders': {'a': 'b'}}", "either \"field\" or \"fields\""},
        {"{'kind': 'curves', 'folders': {'a': 'b'}, 'field': 'best', 'fields': {'c': 'best'}}", "either"},
        {"{'kind': 'curves', 'folders': {'a': 'b'}, 'fields': {'c': 'besd'}}", "\"field\" must be"},
        {"{'kind': 'runs', 'folders': {'a': 'b'}}", "\"field\" is missing"},
        {"{'kind': 'rows', 'groups': {'a': ['four']}}", "\"groups\" must hold"},
        {"{'kind': 'rows', 'groups': {'a': 'one'}}", "\"groups\" must be"},
        {"{'kind': 'rows', 'levels': ['four']}", "\"levels\" must be"},
        {"{'kind': 'bars', 'field': 'a', 'labels': 'b', 'log': 'y'}", "\"log\" has no meaning"},
        {"{'kind': 'curves', 'folders': {'a': 'b'}, 'field': 'besd'}", "\"field\" must be"},
        {"{'kind': 'curves', 'folders': {'a': 'b'}, 'field': 'best', 'by': 'time'}", "\"by\" must be"},
        {"{'kind': 'rows', 'panels': [{'kind': 'rows'}]}", "nothing but \"panels\""},
        {"{'kind': 'game'}", "\"file\" is missing"},
        {"{'panels': []}", "a list of 1 to 6"},
        {"{'panels': [{'kind': 'rows'}, 3]}", "panel 2 of \"plot\": must be an object"},
        {"{'panels': [{'kind': 'rows'}, {'kind': 'pie'}]}", "panel 2 of \"plot\""},
        {"{'kind': 'box', 'folders': {'a': 'b', 'c': 'd'}, 'field': 'answer'}", "one folder"},
        {"{'kind': 'box', 'folders': {'a': 'b'}, 'field': 'answer', 'log': 'x'}", "\"log\" must be"},
        {"{'kind': 'box', 'folders': {'a': 'b'}, 'field': 'answer', 'names': [1]}", "\"names\" must be"},
        {"{'kind': 'list', 'field': 'scores', 'rows': ['four']}", "\"rows\" must be"},
        {"{'kind': 'list', 'field': 'scores', 'smooth': 0}", "\"smooth\" is 0"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        Definition *definition = define(wrong[k].plot, three_rows);
        Error error = {""};
        assert_false(drawing_check(definition, &error));
        assert_holds(error.text, wrong[k].part);
        definition_free(definition);
    }
    Definition *right =
        define("{'kind': 'curves', 'folders': {'a': 'b'}, 'field': 'answer.3', 'log': 'xy'}", one_row);
    assert_true(drawing_check(right, NULL));
    definition_free(right);
}

// ---------------------------------------------------------------------------------------------------
// Files from anywhere

static void long_runs_make_small_pictures(void **state) {
    enum { RUNS = 20, GENERATIONS = 300 };
    (void)state;
    Short *list = calloc(RUNS * GENERATIONS, sizeof *list);
    assert_non_null(list);
    for (int k = 0; k < RUNS * GENERATIONS; k++) {
        int run = k % RUNS, g = k / RUNS + 1;
        list[k] = (Short){run, (uint64_t)g, (uint64_t)g, g * 7919 % 100 + run, NAN, {0, 0}};
    }
    write_run("long", RUNS, list, RUNS * GENERATIONS);
    free(list);
    Plot plot;
    const PlotPanel *panel =
        plot_of(&plot, "{'kind': 'curves', 'folders': {'A': '{dir}/long'}, 'field': 'best'}", one_row);
    assert_int_equal(panel->series[0]->count, GENERATIONS);
    assert_true(fabs(panel->series[0]->point[GENERATIONS - 1].y - (GENERATIONS * 7919 % 100 + 9.5)) < 1e-9);
    plot_free(&plot);
    Definition *definition =
        define("{'kind': 'runs', 'folders': {'A': '{dir}/long'}, 'field': 'best'}", one_row);
    Error error = {""};
    struct stat status;
    bool good = draw(definition, "long.svg", &error);
    definition_free(definition);
    if (!good && strstr(error.text, "not installed"))
        skip();
    assert_int_equal(stat(in_folder("long.svg"), &status), 0);
    assert_in_range(status.st_size, 10000, 60 << 10);
}

// The history's readers are tested where they stand; here, numbers that are right and strange.
static void strange_runs_do_no_harm(void **state) {
    static const Short runs[][2] = {
        {{0, 1, 1, 1e308, 1, {0, 0}}, {0, 2, 2, -1e308, 1, {1e300, -1e300}}},
        {{0, 1, 1, 1, NAN, {0, 0}}, {1, UINT64_MAX / 2, 2, 1e-308, NAN, {1e-308, 0}}},
        {{0, 1, 1, 0, 0, {0, 0}}, {1, 1, 1, 0, 0, {0, 0}}},
        {{0, 1, 0, 1e6, 1, {5, 5}}, {0, 2, 0, 1e6 + 1e-3, 1, {5, 5}}},
    };
    static const char *const plots[] = {
        "{'kind': 'curves', 'folders': {'`id` $(id) \\\\ %s \\n': '{dir}/h'}, 'field': 'best'}",
        "{'kind': 'curves', 'folders': {'A': '{dir}/h'}, 'field': 'best', 'log': 'xy'}",
        "{'kind': 'runs', 'folders': {'A': '{dir}/h'}, 'field': 'best', 'points': [[1e308, -1e308]]}",
        "{'kind': 'box', 'folders': {'A': '{dir}/h'}, 'field': 'answer'}",
        "{'kind': 'box', 'folders': {'A': '{dir}/h'}, 'field': 'best', 'log': 'y'}",
    };
    (void)state;
    for (size_t j = 0; j < sizeof runs / sizeof *runs; j++) {
        write_run("h", 2, runs[j], 2);
        for (size_t p = 0; p < sizeof plots / sizeof *plots; p++) {
            Definition *definition = define(plots[p], one_row);
            Error error = {""};
            if (!draw(definition, "h.svg", &error)) {
                if (strstr(error.text, "not installed"))
                    skip();
                assert_holds(error.text, "nothing to draw"); // and not a script that gnuplot cannot read
            }
            definition_free(definition);
        }
    }
    write_text("h/run.json", "{");
    assert_refused(plots[1], one_row, "h/run.json:1:");
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
    write_three_runs();
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
    return !mkdtemp(folder);
}

static int remove_folder(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_show_results_and_published_values),
        cmocka_unit_test(curves_are_medians_of_the_runs),
        cmocka_unit_test(bands_reach_from_quartile_to_quartile),
        cmocka_unit_test(lists_have_a_line_per_component_of_the_first_run),
        cmocka_unit_test(groups_are_told_apart_and_levels_go_across),
        cmocka_unit_test(a_plot_can_have_several_panels_and_a_panel_several_fields),
        cmocka_unit_test(panels_without_anything_to_show_are_left_out),
        cmocka_unit_test(runs_have_a_line_each),
        cmocka_unit_test(boxes_are_quartiles_of_the_last_generations),
        cmocka_unit_test(outputs_become_lines_and_histograms),
        cmocka_unit_test(bars_have_names_and_the_largest_is_on_top),
        cmocka_unit_test(games_are_shown_board_by_board),
        cmocka_unit_test(wrong_plots_are_named),
        cmocka_unit_test(long_runs_make_small_pictures),
        cmocka_unit_test(strange_runs_do_no_harm),
        cmocka_unit_test(hostile_outputs_do_no_harm),
        cmocka_unit_test(pictures_are_drawn),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
