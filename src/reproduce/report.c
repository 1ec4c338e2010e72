// SPDX-License-Identifier: GPL-3.0-or-later
// The results of all definitions as Markdown: RESULTS.md, and a page with the details for each paper. A row
// that has not been run says so.
#include "reproduce/report.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/data_folder.h"
#include "base/json_memory.h"
#include "base/text.h"
#include "reproduce/reproduce.h"

// -------------------------------------------------------------------------------------------------------
// Cells

void report_cell(FILE *f, const char *text) {
    for (; *text; text++) {
        if (*text == '|')
            putc('\\', f);
        putc(*text == '\n' ? ' ' : *text, f);
    }
}

// The name by which links find a heading: in small letters, without dots.
void report_anchor(FILE *f, const char *name) {
    for (; *name; name++)
        if (*name != '.')
            putc(tolower((unsigned char)*name), f);
}

// The file of a paper's page: "boumaza-2013.md" for "Boumaza 2013", and what stands in brackets left out.
void report_page(const Report *report, const char *paper, char out[REPORT_PATH]) {
    int length = snprintf(out, REPORT_PATH - 400, "%.3000s/", report->pages);
    for (int start = length; *paper && *paper != '(' && length < REPORT_PATH - 4; paper++)
        if (isalnum((unsigned char)*paper))
            out[length++] = (char)tolower((unsigned char)*paper);
        else if (length > start && out[length - 1] != '-')
            out[length++] = '-';
    snprintf(out + length - (out[length - 1] == '-'), 4, ".md");
}

void report_name(const Report *report, const ReportRow *known) {
    const char *name = known->of->name;
    char page[REPORT_PATH] = "";
    if (report->pages)
        report_page(report, known->of->paper, page);
    fprintf(report->f, "[%s](%s#", name, page);
    report_anchor(report->f, name);
    fputs("): ", report->f);
    report_cell(report->f, known->row->label);
}

const ReportRow *report_row(const Report *report, const Definition *home, const char *name) {
    const char *colon = strstr(name, ": ");
    for (const ReportRow *known = report->row; known < report->row + report->rows; known++) {
        size_t length = strlen(known->of->name);
        bool named = colon && (size_t)(colon - name) == length && !memcmp(name, known->of->name, length);
        if ((named || known->of == home) && !strcmp(known->row->label, named ? colon + 2 : name))
            return known;
    }
    return NULL;
}

void report_values(const Report *report, const ReportRow *known) {
    char published[RESULTS_TEXT], ours[RESULTS_TEXT] = "";
    const DefinitionRow *row = known->row;
    const Result *result = &known->result;
    fprintf(report->f, "%s | ", results_show_published(&row->published, row->unit, published));
    if (!known->scale) {
        fputs("not run | |", report->f);
        return;
    }
    fputs(results_show(result, row->unit, ours), report->f);
    if (!isnan(result->low)) {
        Result range = {.value = result->low, .interval = {NAN, NAN}};
        fprintf(report->f, "; %d from %s", result->repeats, results_show(&range, row->unit, ours));
        range.value = result->high;
        fprintf(report->f, " to %s", results_show(&range, row->unit, ours));
    }
    fprintf(report->f, " | %s |", verdict_names[known->verdict]);
}

// -------------------------------------------------------------------------------------------------------
// The whole

// Words of the person who ran them: the file preface.md of the folder.
static bool print_preface(const Report *report, Error *error) {
    char path[REPORT_PATH];
    size_t length;
    snprintf(path, sizeof path, "%s/preface.md", report->folder);
    if (access(path, F_OK))
        return true;
    char *text = text_read_file(path, &length, error);
    if (text)
        fprintf(report->f, "\n%s", text);
    free(text);
    return text != NULL;
}

static bool print_all(Report *report, Error *error) {
    fputs("# Results\n\n"
          "What papers about Tetris players published as results, beside what this program finds. Intervals\n"
          "are 95 %. [docs/reproducing.md](docs/reproducing.md) says how the rows are run, how the verdicts "
          "are\n"
          "found and what the scales mean. Made by `tetralab reproduce report`; do not edit.\n",
          report->f);
    return report_summary(report, error) && print_preface(report, error) && report_details(report, error);
}

// The largest scale at which the row has been run counts; of it, as many repetitions as there are.
static bool judge(const Report *report, const json_t *lines, ReportRow *known, Error *error) {
    const Definition *definition = known->of;
    const DefinitionRow *row = known->row;
    for (int s = 0; definition_scales[s]; s++) {
        const char *scale = definition_scales[s];
        if (!results_reached(lines, definition, scale, row, &known->result))
            continue;
        known->scale = scale;
        known->wanted = results_wanted(lines, definition, scale, row, &known->result);
        known->full = !definition_scales[s + 1] && known->result.repeats >= known->wanted;
    }
    if (!comparison_make(&known->comparison, definition, known->scale ? known->scale : "full", row,
                         report->settings, error))
        return false;
    if (row->published.kind != PUBLISHED_NOT && !row->ratio &&
        !(known->settings = comparison_settings(definition, row, report->settings, error)))
        return false;
    known->verdict = known->comparison.why
                         ? VERDICT_INCOMPARABLE
                         : verdict_of(&row->published, known->result.value, known->result.interval);
    return true;
}

static bool judge_all(Report *report, const Definition *definition, const json_t *lines, Error *error) {
    ReportRow *all = realloc(report->row, (size_t)(report->rows + definition->rows) * sizeof *all);
    if (!all)
        return error_set(error, "Out of memory for a report.");
    report->row = all;
    bool good = comparison_check(definition, report->settings, error);
    for (int r = 0; good && r < definition->rows; r++) {
        ReportRow *known = &report->row[report->rows++];
        *known = (ReportRow){.of = definition, .row = &definition->row[r]};
        good = judge(report, lines, known, error);
    }
    return good;
}

static bool load_definition(void *context, const char *file, const char *text, size_t length, Error *error) {
    Report *report = context;
    char path[REPORT_PATH];
    int skipped;
    if (report->count == REPORT_MAX)
        return error_set(error, "A report has %d reproductions at most.", REPORT_MAX);
    Definition *definition = definition_read(file, text, length, error);
    if (!definition)
        return false;
    snprintf(path, sizeof path, "%s/%s.jsonl", report->folder, definition->name);
    report->definition[report->count++] = definition;
    json_t *lines = results_read(path, &skipped, error);
    bool good = lines && judge_all(report, definition, lines, error);
    json_decref(lines);
    if (good && skipped) {
        Error sentence;
        error_set(&sentence, "%s: %d damaged lines were left out.", path, skipped);
        report->complain(sentence.text);
    }
    return good;
}

static bool load_list(void *context, const char *file, const char *text, size_t length, Error *error) {
    Report *report = context;
    if (report->lists == REPORT_MAX)
        return error_set(error, "There are more than %d lists of what was published.", REPORT_MAX);
    Publication *list = publication_read(file, text, length, error);
    if (list)
        report->list[report->lists++] = list;
    return list;
}

static void report_free(Report *report) {
    for (int r = 0; r < report->rows; r++) {
        comparison_free(&report->row[r].comparison);
        json_decref(report->row[r].settings);
    }
    free(report->row);
    for (int d = 0; d < report->count; d++)
        definition_free(report->definition[d]);
    for (int i = 0; i < report->lists; i++)
        publication_free(report->list[i]);
    free(report);
}

static void tell_all(const Report *report, const ReproduceTeller *teller) {
    for (int r = 0; teller->tell && r < report->rows; r++) {
        const ReportRow *known = &report->row[r];
        ReproducedRow told = {known->of,      known->row,    known->scale,
                              &known->result, known->wanted, known->verdict};
        teller->tell(teller->context, &told);
    }
}

bool reproduce_report(const ReportPlan *plan, Error *error) {
    if (access(plan->folder, F_OK))
        return error_set(error, "There is no folder %.300s: give the one that holds the results by --out.",
                         plan->folder);
    Report *report = calloc(1, sizeof *report);
    if (!report)
        return error_set(error, "Out of memory for a report.");
    report->folder = plan->folder;
    report->pages = plan->pages;
    report->f = plan->markdown;
    report->settings = plan->settings;
    report->complain = plan->complain;
    bool good = data_read(DEFINITIONS_FOLDER, load_definition, report, error) &&
                data_read(PUBLICATIONS_FOLDER, load_list, report, error) &&
                (!report->f || print_all(report, error));
    if (good)
        tell_all(report, &plan->teller);
    if (good && json_memory_failed())
        good = error_set(error, "Out of memory for all results: what was printed is not complete.");
    report_free(report);
    return good;
}
