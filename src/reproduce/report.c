// SPDX-License-Identifier: GPL-3.0-or-later
// The results of all definitions as Markdown: RESULTS.md, and a page with the details for each paper. A row
// that has not been run says so.
#include "reproduce/report.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_memory.h"
#include "base/replacing.h"
#include "base/text.h"
#include "reproduce/reproduce.h"

enum { PATH = 4096 };

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
static void print_anchor(FILE *f, const char *name) {
    for (; *name; name++)
        if (*name != '.')
            putc(tolower((unsigned char)*name), f);
}

// The file of a paper's page: "boumaza-2013.md" for "Boumaza 2013", and what stands in brackets left out.
static void page_path(const Report *report, const char *paper, char out[PATH]) {
    int length = snprintf(out, PATH - 400, "%.3000s/", report->pages);
    for (int start = length; *paper && *paper != '(' && length < PATH - 4; paper++)
        if (isalnum((unsigned char)*paper))
            out[length++] = (char)tolower((unsigned char)*paper);
        else if (length > start && out[length - 1] != '-')
            out[length++] = '-';
    snprintf(out + length - (out[length - 1] == '-'), 4, ".md");
}

void report_name(const Report *report, int d, const DefinitionRow *row) {
    const char *name = report->definition[d]->name;
    char page[PATH] = "";
    if (report->pages)
        page_path(report, report->definition[d]->paper, page);
    fprintf(report->f, "[%s](%s#", name, page);
    print_anchor(report->f, name);
    fputs("): ", report->f);
    report_cell(report->f, row->label);
}

const ReportRow *report_row(const Report *report, int d, const DefinitionRow *row) {
    return &report->row[d][row - report->definition[d]->row];
}

void report_values(const Report *report, int d, const DefinitionRow *row) {
    char published[RESULTS_TEXT], ours[RESULTS_TEXT] = "";
    const ReportRow *known = report_row(report, d, row);
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

static void print_scale(const Report *report, const ReportRow *known) {
    if (!known->scale)
        fputs(" |", report->f);
    else if (known->result.repeats < known->wanted)
        fprintf(report->f, " %s, %d of %d |", known->scale, known->result.repeats, known->wanted);
    else
        fprintf(report->f, " %s |", known->scale);
}

// -------------------------------------------------------------------------------------------------------
// A definition

// -> any  a note of this row has been printed
static void print_note(const Report *report, const DefinitionRow *row, bool *any, const char *before,
                       const char *text) {
    if (!text)
        return;
    if (!*any)
        fprintf(report->f, "- *%s*:", row->label);
    fprintf(report->f, " %s%s%s", before, text, strchr(".!?:", text[strlen(text) - 1]) ? "" : ".");
    *any = true;
}

static void print_notes(const Report *report, int d) {
    const Definition *definition = report->definition[d];
    bool first = true;
    for (int r = 0; r < definition->rows; r++) {
        const DefinitionRow *row = &definition->row[r];
        const ReportRow *known = &report->row[d][r];
        bool any = false, differs = known->verdict == VERDICT_DIFFERS || known->verdict == VERDICT_FAILS;
        if (first && (row->statement || row->note || row->same || known->comparison.why ||
                      known->comparison.open || (known->scale && differs))) {
            putc('\n', report->f);
            first = false;
        }
        print_note(report, row, &any, "The paper: ", row->statement);
        print_note(report, row, &any, "Not comparable: ", known->comparison.why); // not run: at full scale
        if (known->scale)
            print_note(report, row, &any, "Cause: ", differs ? row->cause ? row->cause : "open" : NULL);
        print_note(report, row, &any, "The paper does not say: ", known->comparison.open);
        print_note(report, row, &any, "The same as ", row->same);
        print_note(report, row, &any, "", row->note);
        if (any)
            putc('\n', report->f);
    }
}

// Every command once, in order.
static void print_commands(const Report *report, int d) {
    const Definition *definition = report->definition[d];
    json_t *seen = json_object();
    fputs("\n<details><summary>Commands</summary>\n\n```\n", report->f);
    for (int r = 0; r < definition->rows; r++) {
        const char *scale = report->row[d][r].scale, *last = NULL;
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

// From a page to the folder of the results, if neither path leads outside.
static void print_way(const Report *report) {
    const char *part = report->pages;
    while (part && *report->folder != '/' && *(part += strspn(part, "/"))) {
        fputs(strncmp(part, "./", 2) ? "../" : "", report->f);
        part += strcspn(part, "/");
    }
    fputs(report->folder, report->f);
}

static void print_definition(const Report *report, int d) {
    const Definition *definition = report->definition[d];
    char plot[PATH];
    fprintf(report->f, "\n%s %s\n\n**%s** (%s, %s)\n\n%s\n\n", report->pages ? "##" : "###", definition->name,
            definition->title, definition->paper, definition->place, definition->text);
    fputs("| row | published | ours | verdict | scale |\n|---|---|---|---|---|\n", report->f);
    for (int r = 0; r < definition->rows; r++) {
        fputs("| ", report->f);
        report_cell(report->f, definition->row[r].label);
        fputs(" | ", report->f);
        report_values(report, d, &definition->row[r]);
        print_scale(report, &report->row[d][r]);
        putc('\n', report->f);
    }
    print_notes(report, d);
    snprintf(plot, sizeof plot, "%s/%s.svg", report->folder, definition->name);
    if (definition->plot && access(plot, F_OK) == 0) {
        fprintf(report->f, "\n![%s](", definition->title);
        print_way(report);
        fprintf(report->f, "/%s.svg)\n", definition->name);
    }
    print_commands(report, d);
}

// -------------------------------------------------------------------------------------------------------
// A paper

static bool of_paper(const Report *report, int d, int other) {
    return !strcmp(report->definition[d]->paper, report->definition[other]->paper);
}

static bool is_first(const Report *report, int d) {
    for (int other = 0; other < d; other++)
        if (of_paper(report, d, other))
            return false;
    return true;
}

// -> d  the paper's first definition
static void print_page(const Report *report, int d) {
    fprintf(report->f,
            "# Results: %s\n\nMade by `tetralab reproduce report`; do not edit.\n\n"
            "| reproduction | of | what |\n|---|---|---|\n",
            report->definition[d]->paper);
    for (int other = d; other < report->count; other++) {
        const Definition *definition = report->definition[other];
        if (!of_paper(report, d, other))
            continue;
        fprintf(report->f, "| [%s](#", definition->name);
        print_anchor(report->f, definition->name);
        fprintf(report->f, ") | %s | %s |\n", definition->place, definition->title);
    }
    for (int other = d; other < report->count; other++)
        if (of_paper(report, d, other))
            print_definition(report, other);
}

static bool write_page(Report *report, int d, Error *error) {
    char path[PATH];
    Replacement page;
    FILE *before = report->f;
    page_path(report, report->definition[d]->paper, path);
    if (!replacement_begin(&page, path, error))
        return false;
    report->f = replacement_stream(&page);
    if (report->f)
        print_page(report, d);
    bool good = report->f && !ferror(report->f);
    good = report->f && !fclose(report->f) && good;
    if (!good)
        error_set(error, "%s could not be written: %s.", path, strerror(errno));
    report->f = before;
    return replacement_end(&page, good, false, error) && good;
}

// -> f  gets a list of them
static bool write_pages(Report *report, Error *error) {
    char path[PATH];
    if (mkdir(report->pages, 0777) && errno != EEXIST)
        return error_set(error, "The folder %.300s could not be made: %s.", report->pages, strerror(errno));
    fputs("\n## Details\n\nA page for each paper, with all rows, notes, pictures and commands:\n\n",
          report->f);
    for (int d = 0; d < report->count; d++) {
        if (!is_first(report, d))
            continue;
        page_path(report, report->definition[d]->paper, path);
        fprintf(report->f, "- [%s](%s):", report->definition[d]->paper, path);
        for (int other = d; other < report->count; other++)
            if (of_paper(report, d, other))
                fprintf(report->f, "%s %s", other == d ? "" : ",", report->definition[other]->name);
        putc('\n', report->f);
        if (!write_page(report, d, error))
            return false;
    }
    return true;
}

// -------------------------------------------------------------------------------------------------------
// The whole

// Words of the person who ran them: the file preface.md of the folder.
static bool print_preface(const Report *report, Error *error) {
    char path[PATH];
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
          "Made by `tetralab reproduce report`; do not edit. [docs/reproducing.md](docs/reproducing.md) says "
          "how to run these,\nhow the verdicts are found and what the scales mean. Intervals are 95 %.\n",
          report->f);
    report_summary(report);
    if (!print_preface(report, error))
        return false;
    if (report->pages)
        return write_pages(report, error);
    fputs("\n## All reproductions\n", report->f);
    for (int d = 0; d < report->count; d++)
        print_definition(report, d);
    return true;
}

// The largest scale at which the row has been run counts; of it, as many repetitions as there are.
static bool judge(const Report *report, const json_t *lines, const Definition *definition,
                  const DefinitionRow *row, ReportRow *known, Error *error) {
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

static bool judge_all(const Report *report, int d, const json_t *lines, Error *error) {
    const Definition *definition = report->definition[d];
    bool good = comparison_check(definition, report->settings, error);
    for (int r = 0; good && r < definition->rows; r++)
        good = judge(report, lines, definition, &definition->row[r], &report->row[d][r], error);
    return good;
}

static bool load_definition(Report *report, const DefinitionText *text, const ReportPlan *plan,
                            Error *error) {
    char path[PATH];
    int skipped, d = report->count;
    Definition *definition = definition_read(text->name, text->text, text->length, error);
    if (!definition)
        return false;
    snprintf(path, sizeof path, "%s/%s.jsonl", report->folder, definition->name);
    report->definition[d] = definition;
    report->row[d] = calloc((size_t)definition->rows, sizeof *report->row[d]);
    report->count++;
    if (!report->row[d])
        return error_set(error, "There is no memory for a report.");
    json_t *lines = results_read(path, &skipped, error);
    bool good = lines && judge_all(report, d, lines, error);
    json_decref(lines);
    if (good && skipped) {
        Error sentence;
        error_set(&sentence, "%s: %d damaged lines were left out.", path, skipped);
        plan->complain(sentence.text);
    }
    return good;
}

static bool load(Report *report, const ReportPlan *plan, Error *error) {
    for (const DefinitionText *text = definition_texts; text->name && report->count < REPORT_MAX; text++)
        if (!load_definition(report, text, plan, error))
            return false;
    for (const DefinitionText *text = publication_texts; text->name && report->lists < REPORT_MAX; text++) {
        Publication *list = publication_read(text->name, text->text, text->length, error);
        if (!list)
            return false;
        report->list[report->lists++] = list;
    }
    return true;
}

static void report_free(Report *report) {
    for (int d = 0; d < report->count; d++) {
        for (int r = 0; report->row[d] && r < report->definition[d]->rows; r++) {
            comparison_free(&report->row[d][r].comparison);
            json_decref(report->row[d][r].settings);
        }
        free(report->row[d]);
        definition_free(report->definition[d]);
    }
    for (int i = 0; i < report->lists; i++)
        publication_free(report->list[i]);
    free(report);
}

static void tell_all(const Report *report, const ReproduceTeller *teller) {
    for (int d = 0; teller->tell && d < report->count; d++)
        for (int r = 0; r < report->definition[d]->rows; r++) {
            const ReportRow *known = &report->row[d][r];
            ReproducedRow told = {report->definition[d], &report->definition[d]->row[r],
                                  known->scale,          &known->result,
                                  known->wanted,         known->verdict};
            teller->tell(teller->context, &told);
        }
}

bool reproduce_report(const ReportPlan *plan, Error *error) {
    if (access(plan->folder, F_OK))
        return error_set(error, "There is no folder %.300s: give the one that holds the results by --out.",
                         plan->folder);
    Report *report = calloc(1, sizeof *report);
    if (!report)
        return error_set(error, "There is no memory for a report.");
    report->folder = plan->folder;
    report->pages = plan->pages;
    report->f = plan->markdown;
    report->settings = plan->settings;
    bool good = load(report, plan, error) && (!report->f || print_all(report, error));
    if (good)
        tell_all(report, &plan->teller);
    if (good && json_memory_failed())
        good = error_set(error, "There is no memory for all results: what was printed is not complete.");
    report_free(report);
    return good;
}
