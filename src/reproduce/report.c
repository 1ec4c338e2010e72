// SPDX-License-Identifier: GPL-3.0-or-later
// The results of all definitions as Markdown: RESULTS.md. A row that has not been run says so.
#include "reproduce/reproduce.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "reproduce/results.h"

enum { PATH = 4096 };

typedef struct Report {
    const char *folder;
    FILE *f;
    Definition *definition[256];
    json_t *lines[256];
    int count;
} Report;

// <- the scale, NULL: it has not been run
static const char *find(const Report *report, int d, const DefinitionRow *row, Result *result) {
    Result scaled;
    const char *found = NULL;
    for (int s = 0; definition_scales[s]; s++) // the last that has been run counts: it is the longest
        if (results_find(report->lines[d], report->definition[d], definition_scales[s], row, &scaled)) {
            found = definition_scales[s];
            *result = scaled;
        }
    return found;
}

static void print_cell(FILE *f, const char *text) {
    for (; *text; text++) {
        if (*text == '|')
            putc('\\', f);
        putc(*text == '\n' ? ' ' : *text, f);
    }
}

// How GitHub calls the place of a heading: dots are left out.
static void print_anchor(FILE *f, const char *name) {
    for (; *name; name++)
        if (*name != '.')
            putc(*name, f);
}

static void print_row(const Report *report, int d, const DefinitionRow *row, bool with_name) {
    char published[RESULTS_TEXT], ours[RESULTS_TEXT] = "";
    Result result;
    const char *scale = find(report, d, row, &result);
    fputs("| ", report->f);
    if (with_name) {
        const char *name = report->definition[d]->name;
        fprintf(report->f, "[%s](#", name);
        print_anchor(report->f, name);
        fputs("): ", report->f);
    }
    print_cell(report->f, row->label);
    fprintf(report->f, " | %s | ", results_show_published(&row->published, row->unit, published));
    if (!scale) {
        fprintf(report->f, "not run | |%s\n", with_name ? "" : " |");
        return;
    }
    fputs(results_show(&result, row->unit, ours), report->f);
    if (!isnan(result.low)) {
        Result range = {.value = result.low, .interval = {NAN, NAN}};
        fprintf(report->f, "; %d from %s", result.repeats, results_show(&range, row->unit, ours));
        range.value = result.high;
        fprintf(report->f, " to %s", results_show(&range, row->unit, ours));
    }
    fprintf(report->f, " | %s |", verdict_names[results_verdict(row, scale, &result)]);
    fprintf(report->f, with_name ? "\n" : " %s |\n", scale);
}

static void print_notes(const Report *report, int d) {
    const Definition *definition = report->definition[d];
    bool any = false;
    for (int r = 0; r < definition->rows; r++) {
        const DefinitionRow *row = &definition->row[r];
        Result result;
        const char *scale = find(report, d, row, &result);
        const char *why = scale ? definition_incomparable(row, scale) : NULL;
        if (!why && !row->note)
            continue;
        fprintf(report->f, "%s- *%s*: ", any ? "" : "\n", row->label);
        if (why)
            fprintf(report->f, "not comparable: %s", why);
        fprintf(report->f, "%s%s\n", why && row->note ? " " : "", row->note ? row->note : "");
        any = true;
    }
}

// Every command once, in order.
static void print_commands(const Report *report, int d) {
    const Definition *definition = report->definition[d];
    json_t *seen = json_object();
    fputs("\n<details><summary>Commands</summary>\n\n```\n", report->f);
    for (int r = 0; r < definition->rows; r++) {
        Result result;
        const char *scale = find(report, d, &definition->row[r], &result), *last = NULL;
        json_t *commands =
            results_commands(definition, scale ? scale : definition_scales[0], &definition->row[r]);
        for (size_t k = 0; k < json_array_size(commands); k++) {
            last = json_string_value(json_array_get(commands, k));
            if (!json_object_get(seen, last))
                fprintf(report->f, "tetralab %s\n", last);
            json_object_set_new(seen, last, json_true());
        }
        json_decref(commands);
    }
    fputs("```\n\n</details>\n", report->f);
    json_decref(seen);
}

static void print_definition(const Report *report, int d) {
    const Definition *definition = report->definition[d];
    char plot[PATH];
    fprintf(report->f, "\n### %s\n\n**%s** (%s, %s)\n\n%s\n\n", definition->name, definition->title,
            definition->paper, definition->place, definition->text);
    fputs("| row | published | ours | verdict | scale |\n|---|---|---|---|---|\n", report->f);
    for (int r = 0; r < definition->rows; r++)
        print_row(report, d, &definition->row[r], false);
    print_notes(report, d);
    snprintf(plot, sizeof plot, "%s/%s.svg", report->folder, definition->name);
    if (access(plot, F_OK) == 0)
        fprintf(report->f, "\n![%s](%s)\n", definition->title, plot);
    print_commands(report, d);
}

static void print_counts(const Report *report) {
    int counts[VERDICTS] = {0}, missing = 0, rows = 0;
    for (int d = 0; d < report->count; d++)
        for (int r = 0; r < report->definition[d]->rows; r++) {
            const DefinitionRow *row = &report->definition[d]->row[r];
            Result result;
            rows++;
            const char *scale = find(report, d, row, &result);
            if (scale)
                counts[results_verdict(row, scale, &result)]++;
            else
                missing++;
        }
    fprintf(report->f,
            "%d reproductions with %d rows: %d agree with what was published, %d differ, %d are undecided,\n"
            "%d cannot be compared, %d are ours alone, %d have not been run.\n",
            report->count, rows, counts[VERDICT_AGREES], counts[VERDICT_DIFFERS], counts[VERDICT_UNDECIDED],
            counts[VERDICT_INCOMPARABLE], counts[VERDICT_ALONE], missing);
}

static void print_all(const Report *report) {
    fputs("# Results\n\n"
          "Made by `tetralab reproduce report`; do not edit. [docs/reproducing.md](docs/reproducing.md) says "
          "how "
          "to run these,\nhow the verdicts are found and what the scales mean. Intervals are 95 %.\n\n",
          report->f);
    print_counts(report);
    fputs("\n## The main numbers\n\n| row | published | ours | verdict |\n|---|---|---|---|\n", report->f);
    for (int d = 0; d < report->count; d++)
        for (int r = 0; r < report->definition[d]->rows; r++)
            if (report->definition[d]->row[r].main)
                print_row(report, d, &report->definition[d]->row[r], true);
    fputs("\n## All reproductions\n", report->f);
    for (int d = 0; d < report->count; d++)
        print_definition(report, d);
}

static bool load(Report *report, void (*complain)(const char *sentence), Error *error) {
    for (const DefinitionText *text = definition_texts; text->name && report->count < 256; text++) {
        char path[PATH];
        int skipped;
        Definition *definition = definition_read(text->name, text->text, text->length, error);
        if (!definition)
            return false;
        snprintf(path, sizeof path, "%s/%s.jsonl", report->folder, definition->name);
        report->definition[report->count] = definition;
        report->lines[report->count] = results_read(path, &skipped, error);
        if (!report->lines[report->count++])
            return false;
        if (skipped) {
            Error sentence;
            error_set(&sentence, "%s: %d damaged lines were left out.", path, skipped);
            complain(sentence.text);
        }
    }
    return true;
}

bool reproduce_report(const char *folder, FILE *f, void (*complain)(const char *sentence), Error *error) {
    if (access(folder, F_OK))
        return error_set(error, "There is no folder %.300s: give the one that holds the results by --out.",
                         folder);
    Report *report = calloc(1, sizeof *report);
    if (!report)
        return error_set(error, "There is no memory for a report.");
    report->folder = folder;
    report->f = f;
    bool good = load(report, complain, error);
    if (good)
        print_all(report);
    for (int d = 0; d < report->count; d++) {
        definition_free(report->definition[d]);
        json_decref(report->lines[d]);
    }
    free(report);
    return good;
}
