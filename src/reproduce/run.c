// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a definition row by row.
#include "reproduce/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "reproduce/drawing.h"
#include "reproduce/values.h"

// -------------------------------------------------------------------------------------------------------
// Rows

// <- how many repetitions there are in the result; fewer than wanted: failed, or interrupted (then there is
//    no error)
static int run_row(const Run *run, const DefinitionRow *row, int wanted, Result *result) {
    double value[DEFINITION_MAX_REPEATS], started = clock_seconds();
    Interval interval = {NAN, NAN};
    int done = 0;
    for (bool good = true; good && done < wanted; done += good) {
        Error detail = {""};
        json_t *json = reproduction_commands(run, row, done + 1);
        good = json && value_take(row, json, &value[done], &interval, &detail);
        json_decref(json);
        if (json && !good)
            error_set(run->error, "%s: row \"%s\": %.300s", run->plan->definition->name, row->label,
                      detail.text);
        if (!good)
            break;
    }
    if (!done || !values_together(row, value, done, interval, result, run->error))
        return 0;
    result->seconds = clock_seconds() - started;
    return done;
}

// Runs a row and keeps its result. What an interrupted row has of its repetitions is kept too, if it is more
// than before.
static bool keep_row(const Run *run, const DefinitionRow *row, const json_t *lines, Result *result) {
    const ReproducePlan *plan = run->plan;
    Result before = {.repeats = 1};
    int wanted = definition_repeats(plan->definition, plan->scale, row, run->error);
    int done = run_row(run, row, wanted, result);
    results_reached(lines, plan->definition, plan->scale, row, &before);
    bool whole = wanted && done == wanted, part = progress_interrupted && done > before.repeats;
    return (!(whole || part) ||
            results_append(run->results, plan->definition, plan->scale, row, result, run->error)) &&
           whole;
}

// -------------------------------------------------------------------------------------------------------
// The table

static int label_width(const Definition *definition) {
    int width = 8;
    for (int i = 0; i < definition->rows; i++) {
        int length = (int)strlen(definition->row[i].label);
        width = length > width ? length : width;
    }
    return width < 90 ? width : 90;
}

static void print_head(const ReproducePlan *plan) {
    const Definition *definition = plan->definition;
    utf8_print(plan->table, "%s: %s\n%s, %s; scale %s\n\n%-*s  %-28s  %-32s  %s\n", definition->name,
               definition->title, definition->paper, definition->place, plan->scale, label_width(definition),
               "row", "published", "ours", "verdict");
    fflush(plan->table);
}

static void print_row(const Run *run, const DefinitionRow *row, const Result *result, Verdict verdict) {
    char published[RESULTS_TEXT], ours[RESULTS_TEXT];
    utf8_print(run->plan->table, "%-*s  %-28s  %-32s  %s\n", label_width(run->plan->definition), row->label,
               results_show_published(&row->published, row->unit, published),
               results_show(result, row->unit, ours), verdict_names[verdict]);
    fflush(run->plan->table);
}

// To people, and to other programs.
static void tell_row(Run *run, int k, Result *result, const json_t *lines) {
    const ReproducePlan *plan = run->plan;
    const DefinitionRow *row = &plan->definition->row[k];
    Verdict verdict = run->comparison[k].why ? VERDICT_INCOMPARABLE
                                             : verdict_of(&row->published, result->value, result->interval);
    int wanted = results_wanted(lines, plan->definition, plan->scale, row, result);
    ReproducedRow told = {plan->definition, row, plan->scale, result, wanted, verdict};
    run->counts[verdict]++;
    if (plan->table)
        print_row(run, row, result, verdict);
    if (plan->teller.tell)
        plan->teller.tell(plan->teller.context, &told);
}

static void print_end(const Run *run) {
    const Definition *definition = run->plan->definition;
    const int *counts = run->counts;
    utf8_print(run->plan->table,
               "\n%d agree, %d differ, %d statements hold, %d fail, %d are undecided, %d cannot be compared, "
               "%d are ours alone.\n",
               counts[VERDICT_AGREES], counts[VERDICT_DIFFERS], counts[VERDICT_HOLDS], counts[VERDICT_FAILS],
               counts[VERDICT_UNDECIDED], counts[VERDICT_INCOMPARABLE], counts[VERDICT_ALONE]);
    for (int i = 0; i < definition->rows; i++) {
        const DefinitionRow *row = &definition->row[i];
        const char *const notes[][2] = {{"the paper says: ", row->statement},
                                        {"not comparable: ", run->comparison[i].why},
                                        {"the paper does not say: ", run->comparison[i].open},
                                        {"", row->note}};
        for (size_t k = 0; k < sizeof notes / sizeof *notes; k++)
            if (notes[k][1])
                utf8_print(run->plan->table, "%s: %s%s\n", row->label, notes[k][0], notes[k][1]);
    }
    utf8_print(run->plan->table, "The results are in %s.\n", run->results);
}

static bool draw(const Run *run) {
    char path[RUN_PATH];
    const ReproducePlan *plan = run->plan;
    Plot plot;
    bool good;
    if (!plan->definition->plot)
        return true;
    if (!reproduction_path(path, run->error, plan->out, plan->definition->name, ".svg"))
        return false;
    if (drawing_shows_boards(plan->definition)) {
        size_t length;
        char *svg = drawing_boards(plan->definition, plan->scale, run->dir, &length, run->error);
        good = svg && text_write_file(path, svg, length, run->error);
        free(svg);
    } else {
        good = drawing_make(&plot, plan->definition, plan->scale, run->dir, run->results, run->error) &&
               plot_draw(&plot, path, run->error);
        plot_free(&plot);
    }
    if (good && plan->table)
        utf8_print(plan->table, "The plot is %s.\n", path);
    return good;
}

// Its results as they are now. <- NULL: the error says why
static json_t *read_results(const Run *run, json_t *before) {
    int skipped;
    json_decref(before);
    return results_read(run->results, &skipped, run->error);
}

static bool run_rows(Run *run) {
    const ReproducePlan *plan = run->plan;
    const Definition *definition = plan->definition;
    json_t *lines = read_results(run, NULL);
    bool good = lines != NULL;
    for (int i = 0; good && !progress_interrupted && i < definition->rows; i++) {
        const DefinitionRow *row = &definition->row[i];
        Result result;
        bool found = results_find(lines, definition, plan->scale, row, &result);
        if (!found && !row->ratio) {
            good = found = keep_row(run, row, lines, &result);
            good = (lines = read_results(run, lines)) && good;
        }
        if (found && lines)
            tell_row(run, i, &result, lines);
    }
    json_decref(lines);
    if (progress_interrupted)
        return error_set(run->error, "Interrupted; the same command resumes it.");
    return good;
}

static bool compare_rows(Run *run) {
    const ReproducePlan *plan = run->plan;
    bool good = comparison_check(plan->definition, plan->settings, run->error);
    for (int i = 0; good && i < plan->definition->rows; i++)
        good = comparison_make(&run->comparison[i], plan->definition, plan->scale, &plan->definition->row[i],
                               plan->settings, run->error);
    return good;
}

bool reproduce_run(const ReproducePlan *plan, Error *error) {
    Run run = {.plan = plan, .lock = -1, .error = error};
    if (!definition_has_scale(plan->definition, plan->scale))
        return error_set(error, "%s has no scale \"%s\": give another --scale.", plan->definition->name,
                         plan->scale);
    run.comparison = calloc((size_t)plan->definition->rows, sizeof *run.comparison);
    if (!run.comparison)
        return error_set(error, "Out of memory for %s.", plan->definition->name);
    progress_catch_interrupt();
    bool good = compare_rows(&run) && reproduction_prepare(&run);
    if (good && plan->table)
        print_head(plan);
    good = good && run_rows(&run);
    if (good && plan->table)
        print_end(&run);
    good = good && draw(&run);
    if (run.lock >= 0)
        close(run.lock);
    for (int i = 0; i < plan->definition->rows; i++)
        comparison_free(&run.comparison[i]);
    free(run.comparison);
    return good;
}
