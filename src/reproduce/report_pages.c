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

// Calls `print` for the rows of a definition.
static void each_row(const Report *report, const Definition *definition,
                     void (*print)(const Report *report, const ReportRow *known, void *context),
                     void *context) {
    for (int r = 0; r < report->rows; r++)
        if (report->row[r].of == definition)
            print(report, &report->row[r], context);
}

static void print_row(const Report *report, const ReportRow *known, void *unused) {
    (void)unused;
    fputs("| ", report->f);
    report_cell(report->f, known->row->label);
    fputs(" | ", report->f);
    report_values(report, known);
    print_scale(report, known);
    putc('\n', report->f);
}

// -> any  a note of any row has been printed
static void print_notes(const Report *report, const ReportRow *known, void *any) {
    const DefinitionRow *row = known->row;
    bool differs = known->scale && (known->verdict == VERDICT_DIFFERS || known->verdict == VERDICT_FAILS);
    const struct {
        const char *before, *text;
    } notes[] = {{"The paper: ", row->statement},
                 {"Not comparable: ", known->comparison.why}, // not run: at full scale
                 {"Cause: ", differs && !row->cause ? "open"
                             : differs              ? row->cause
                                                    : NULL},
                 {"The paper does not say: ", known->comparison.open},
                 {"The same as ", row->same},
                 {"", row->note}};
    bool begun = false;
    for (size_t k = 0; k < sizeof notes / sizeof *notes; k++) {
        const char *text = notes[k].text;
        if (!text)
            continue;
        if (!begun)
            fprintf(report->f, "%s- *%s*:", *(bool *)any ? "" : "\n", row->label);
        fprintf(report->f, " %s%s%s", notes[k].before, text,
                strchr(".!?:", text[strlen(text) - 1]) ? "" : ".");
        *(bool *)any = begun = true;
    }
    fputs(begun ? "\n" : "", report->f);
}

// -> seen  every command is printed once, in order
static void print_commands(const Report *report, const ReportRow *known, void *seen) {
    size_t k;
    json_t *command,
        *commands =
            results_commands(known->of, known->scale ? known->scale : definition_scales[0], known->row);
    json_array_foreach(commands, k, command) {
        const char *text = json_string_value(command);
        if (!json_object_get(seen, text))
            fprintf(report->f, "tetralab %s\n", text);
        json_object_set_new(seen, text, json_true());
    }
    json_decref(commands);
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

static void print_definition(const Report *report, const Definition *definition) {
    char plot[REPORT_PATH];
    bool any = false;
    json_t *seen = json_object();
    fprintf(report->f, "\n%s %s\n\n**%s** (%s, %s)\n\n%s\n\n", report->pages ? "##" : "###", definition->name,
            definition->title, definition->paper, definition->place, definition->text);
    fputs("| row | published | ours | verdict | scale |\n|---|---|---|---|---|\n", report->f);
    each_row(report, definition, print_row, NULL);
    each_row(report, definition, print_notes, &any);
    snprintf(plot, sizeof plot, "%s/%s.svg", report->folder, definition->name);
    if (definition->plot && access(plot, F_OK) == 0) {
        fprintf(report->f, "\n![%s](", definition->title);
        print_way(report);
        fprintf(report->f, "/%s.svg)\n", definition->name);
    }
    fputs("\n<details><summary>Commands</summary>\n\n```\n", report->f);
    each_row(report, definition, print_commands, seen);
    fputs("```\n\n</details>\n", report->f);
    json_decref(seen);
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
            print_definition(report, report->definition[other]);
}

typedef struct Page {
    Report *report;
    int definition;
} Page;

static bool put_page(void *context, FILE *out, Error *error) {
    const Page *page = context;
    FILE *before = page->report->f;
    (void)error;
    page->report->f = out;
    print_page(page->report, page->definition);
    page->report->f = before;
    return true;
}

static bool write_page(Report *report, int d, Error *error) {
    char path[REPORT_PATH];
    report_page(report, report->definition[d]->paper, path);
    return replacing_write(path, false, put_page, &(Page){report, d}, error);
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
        print_definition(report, report->definition[d]);
    return true;
}
