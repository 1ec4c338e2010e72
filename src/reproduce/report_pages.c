// SPDX-License-Identifier: GPL-3.0-or-later
// The details of RESULTS.md: every definition with its rows, notes, picture and commands; below the rest, or
// on a page for each paper.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replacing.h"
#include "reproduce/report.h"

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
    char plot[REPORT_PATH];
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
            "# Results: %s\n\nAll rows, with notes, pictures and commands.\n"
            "Made by `tetralab reproduce report`; do not edit.\n\n"
            "| reproduction | of | what |\n|---|---|---|\n",
            report->definition[d]->paper);
    for (int other = d; other < report->count; other++) {
        const Definition *definition = report->definition[other];
        if (!of_paper(report, d, other))
            continue;
        fprintf(report->f, "| [%s](#", definition->name);
        report_anchor(report->f, definition->name);
        fprintf(report->f, ") | %s | %s |\n", definition->place, definition->title);
    }
    for (int other = d; other < report->count; other++)
        if (of_paper(report, d, other))
            print_definition(report, other);
}

static bool write_page(Report *report, int d, Error *error) {
    char path[REPORT_PATH];
    Replacement page;
    FILE *before = report->f;
    report_page(report, report->definition[d]->paper, path);
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
    char path[REPORT_PATH];
    if (mkdir(report->pages, 0777) && errno != EEXIST)
        return error_set(error, "The folder %.300s could not be made: %s.", report->pages, strerror(errno));
    fputs("\n## Details\n\nA page for each paper, with all rows, notes, pictures and commands:\n\n",
          report->f);
    for (int d = 0; d < report->count; d++) {
        if (!is_first(report, d))
            continue;
        report_page(report, report->definition[d]->paper, path);
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

bool report_details(Report *report, Error *error) {
    if (report->pages)
        return write_pages(report, error);
    fputs("\n## All reproductions\n", report->f);
    for (int d = 0; d < report->count; d++)
        print_definition(report, d);
    return true;
}
