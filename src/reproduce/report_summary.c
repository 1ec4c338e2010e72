// SPDX-License-Identifier: GPL-3.0-or-later
// The first part of RESULTS.md: what the papers published and what came of it. Numbers and statements are
// counted apart, what is quoted or repeated once, and only rows at full scale get a verdict here.
#include <math.h>
#include <stdlib.h>

#include "reproduce/report.h"

// What becomes of a published number or statement.
typedef enum Fate {
    FATE_AGAIN,   // quoted from elsewhere, or repeated
    FATE_NONE,    // there is no row
    FATE_NOT_YET, // not at full scale
    FATE_GOOD,    // agrees, holds
    FATE_OPEN,    // the same, with settings that the paper does not say
    FATE_CAUSED,  // differs, fails; the cause is known
    FATE_BAD,     // the same, and the cause is open
    FATE_UNDECIDED,
    FATE_INCOMPARABLE,
    FATES
} Fate;

// An entry with the row that decides.
typedef struct Answer {
    const PublicationEntry *entry;
    const DefinitionRow *row; // NULL: there is none
    int d;
    const ReportRow *known;
    Fate fate;
} Answer;

static Fate fate_of(const DefinitionRow *row, const ReportRow *known) {
    static const Fate fate[VERDICTS] = {
        [VERDICT_AGREES] = FATE_GOOD,         [VERDICT_DIFFERS] = FATE_BAD,
        [VERDICT_HOLDS] = FATE_GOOD,          [VERDICT_FAILS] = FATE_BAD,
        [VERDICT_UNDECIDED] = FATE_UNDECIDED, [VERDICT_INCOMPARABLE] = FATE_INCOMPARABLE,
        [VERDICT_ALONE] = FATE_UNDECIDED};
    Fate found = known->full ? fate[known->verdict] : FATE_NOT_YET;
    return found == FATE_GOOD && known->comparison.open ? FATE_OPEN
           : found == FATE_BAD && row->cause            ? FATE_CAUSED
                                                        : found;
}

static Answer answer_by(const Report *report, const PublicationEntry *entry, size_t k) {
    Answer answer = {.entry = entry, .d = -1, .fate = FATE_NONE};
    const char *name = json_string_value(json_array_get(entry->rows, k));
    if (name)
        answer.d = publication_row(report->definition, report->count, NULL, name, &answer.row);
    if (answer.row) {
        answer.known = report_row(report, answer.d, answer.row);
        answer.fate = answer.row->same ? FATE_AGAIN : fate_of(answer.row, answer.known);
    }
    if (entry->quoted)
        answer.fate = FATE_AGAIN;
    return answer;
}

// Of a number the first row counts: it repeats what the paper did. Of a statement all rows do, and the one
// that speaks most against it decides: it holds if all hold.
static Answer answer_of(const Report *report, const PublicationEntry *entry) {
    static const int against[FATES] = {
        [FATE_AGAIN] = 0,   [FATE_GOOD] = 1, [FATE_OPEN] = 2,   [FATE_UNDECIDED] = 3, [FATE_INCOMPARABLE] = 4,
        [FATE_NOT_YET] = 5, [FATE_NONE] = 6, [FATE_CAUSED] = 7, [FATE_BAD] = 8};
    Answer worst = answer_by(report, entry, 0);
    for (size_t k = 1; entry->statement && k < json_array_size(entry->rows); k++) {
        Answer answer = answer_by(report, entry, k);
        if (against[answer.fate] > against[worst.fate])
            worst = answer;
    }
    return worst;
}

// -------------------------------------------------------------------------------------------------------
// Are the lists complete?

// Does the row say the number that the entry says?
static bool same_number(const PublicationEntry *entry, const DefinitionRow *row) {
    const PublishedValue *published = &row->published;
    bool range = json_is_array(entry->value);
    double first = json_number_value(range ? json_array_get(entry->value, 0) : entry->value);
    if (entry->statement || published->kind == PUBLISHED_STATEMENT)
        return entry->statement && published->kind == PUBLISHED_STATEMENT;
    if (range)
        return published->kind == PUBLISHED_RANGE && published->interval.low == first &&
               published->interval.high == json_number_value(json_array_get(entry->value, 1));
    double value = published->kind == PUBLISHED_OF ? published->value * published->more : published->value;
    return published->kind != PUBLISHED_NOT && published->kind != PUBLISHED_RANGE &&
           fabs(value - first) <= 1e-9 * fabs(first);
}

// The mistakes go into `f`, one a line.
// -> listed  the rows of the list are added to it: true, if the row counts for a number
static void check_entry(const Report *report, const Publication *list, const PublicationEntry *entry,
                        json_t *listed, FILE *f) {
    for (size_t k = 0; k < json_array_size(entry->rows); k++) {
        const char *name = json_string_value(json_array_get(entry->rows, k));
        const DefinitionRow *row = NULL;
        if (publication_row(report->definition, report->count, NULL, name, &row) < 0)
            fprintf(f, "- The list of %s names a row that is not there: %s\n", list->paper, name);
        else if (!same_number(entry, row))
            fprintf(f, "- The list of %s (%s) and this row say different things: %s\n", list->paper,
                    entry->place, name);
        bool counts = k == 0 && !entry->statement && !entry->quoted;
        if (counts && json_is_true(json_object_get(listed, name)))
            fprintf(f, "- This row counts for two numbers: %s\n", name);
        if (counts || !json_object_get(listed, name))
            json_object_set_new(listed, name, json_boolean(counts));
    }
}

static void check_row(const Report *report, int d, const DefinitionRow *row, const json_t *listed, FILE *f) {
    char name[400];
    const DefinitionRow *other;
    snprintf(name, sizeof name, "%s: %.300s", report->definition[d]->name, row->label);
    if (row->same &&
        publication_row(report->definition, report->count, report->definition[d], row->same, &other) < 0)
        fprintf(f, "- This row is the same as one that is not there: %s\n", name);
    else if (row->same && other->same)
        fprintf(f, "- This row is the same as one that is itself not counted: %s\n", name);
    if (row->published.kind != PUBLISHED_NOT && !json_object_get(listed, name))
        fprintf(f, "- This row is in no list: %s\n", name);
}

// Two rows that measure the same and compare it with the same number count once: one of them says so.
static void check_pair(const Report *report, int d, int r, int e, int q, FILE *f) {
    const DefinitionRow *a = &report->definition[d]->row[r], *b = &report->definition[e]->row[q];
    const json_t *of_a = report->row[d][r].settings, *of_b = report->row[e][q].settings;
    if (of_a && of_b && !a->same && !b->same && a->published.value == b->published.value &&
        a->published.kind != PUBLISHED_STATEMENT && json_equal(of_a, of_b))
        fprintf(f, "- These rows are the same, and none says so: %s: %s; %s: %s\n",
                report->definition[d]->name, a->label, report->definition[e]->name, b->label);
}

static void check_pairs(const Report *report, FILE *f) {
    for (int d = 0; d < report->count; d++)
        for (int r = 0; r < report->definition[d]->rows; r++)
            for (int e = 0; e <= d; e++)
                for (int q = 0; q < (e < d ? report->definition[e]->rows : r); q++)
                    check_pair(report, e, q, d, r, f);
}

// A list that names a row which is not there, or a row that is in no list, would make the counts wrong.
static void print_mistakes(const Report *report) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    json_t *listed = json_object();
    if (!f)
        return;
    for (int i = 0; i < report->lists; i++)
        for (int k = 0; k < report->list[i]->count; k++)
            check_entry(report, report->list[i], &report->list[i]->entry[k], listed, f);
    for (int d = 0; d < report->count; d++)
        for (int r = 0; r < report->definition[d]->rows; r++)
            check_row(report, d, &report->definition[d]->row[r], listed, f);
    check_pairs(report, f);
    if (!fclose(f) && text && *text)
        fprintf(report->f, "\n## Mistakes in the lists\n\n%s", text);
    free(text);
    json_decref(listed);
}

// -------------------------------------------------------------------------------------------------------
// Counts

static void count(const Report *report, const Publication *list, bool statements, int fate[FATES]) {
    for (int k = 0; k < list->count; k++)
        if (list->entry[k].statement == statements)
            fate[answer_of(report, &list->entry[k]).fate]++;
}

// The columns of the table of counts, after the paper and how many there are.
static const struct {
    Fate first, last; // sums up these
    const char *number, *statement;
} columns[] = {
    {FATE_AGAIN, FATE_AGAIN, "quoted or repeated", "said again"},
    {FATE_NONE, FATE_NONE, "without a row", "without a row"},
    {FATE_NOT_YET, FATE_NOT_YET, "not yet at full scale", "not yet at full scale"},
    {FATE_GOOD, FATE_INCOMPARABLE, "at full scale", "at full scale"},
    {FATE_GOOD, FATE_GOOD, "of these agree", "of these hold"},
    {FATE_OPEN, FATE_OPEN, "agree, the paper leaves settings open", "hold, the paper leaves settings open"},
    {FATE_CAUSED, FATE_CAUSED, "differ, the cause is known", "fail, the cause is known"},
    {FATE_BAD, FATE_BAD, "differ, the cause is open", "fail, the cause is open"},
    {FATE_UNDECIDED, FATE_UNDECIDED, "undecided", "undecided"},
    {FATE_INCOMPARABLE, FATE_INCOMPARABLE, "not comparable", "not comparable"},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static int sum(const int fate[FATES], Fate first, Fate last) {
    int all = 0;
    for (int k = (int)first; k <= (int)last; k++)
        all += fate[k];
    return all;
}

static void print_line(FILE *f, const char *name, const int fate[FATES]) {
    fprintf(f, "| %s | %d |", name, sum(fate, 0, FATES - 1));
    for (int k = 0; k < COLUMNS; k++)
        fprintf(f, " %d |", sum(fate, columns[k].first, columns[k].last));
    putc('\n', f);
}

static void print_counts(const Report *report, bool statements) {
    int total[FATES] = {0};
    fprintf(report->f, "| paper | %s |", statements ? "statements" : "numbers");
    for (int k = 0; k < COLUMNS; k++)
        fprintf(report->f, " %s |", statements ? columns[k].statement : columns[k].number);
    fputs("\n|---|---|", report->f);
    for (int k = 0; k < COLUMNS; k++)
        fputs("---|", report->f);
    putc('\n', report->f);
    for (int i = 0; i < report->lists; i++) {
        int fate[FATES] = {0};
        count(report, report->list[i], statements, fate);
        if (sum(fate, 0, FATES - 1))
            print_line(report->f, report->list[i]->paper, fate);
        for (int k = 0; k < FATES; k++)
            total[k] += fate[k];
    }
    print_line(report->f, "**all**", total);
}

static void print_rows_counted(const Report *report) {
    int rows = 0, missing = 0, full = 0, ours = 0;
    for (int d = 0; d < report->count; d++)
        for (int r = 0; r < report->definition[d]->rows; r++) {
            rows++;
            missing += !report->row[d][r].scale;
            full += report->row[d][r].full;
            ours += report->definition[d]->row[r].published.kind == PUBLISHED_NOT;
        }
    fprintf(
        report->f,
        "\nThe %d reproductions have %d rows: %d at full scale, %d not yet, %d of these not run at all. %d "
        "rows are ours\nalone: nothing was published to compare them with.\n",
        report->count, rows, full, rows - full, missing, ours);
}

// -------------------------------------------------------------------------------------------------------
// Tables

// Calls `print` for every row that counts as a published number or statement and has this fate.
static int each(const Report *report, Fate first, Fate last,
                void (*print)(const Report *report, const Answer *answer)) {
    int count = 0;
    for (int i = 0; i < report->lists; i++)
        for (int k = 0; k < report->list[i]->count; k++) {
            Answer answer = answer_of(report, &report->list[i]->entry[k]);
            if (answer.fate < first || answer.fate > last)
                continue;
            count++;
            print(report, &answer);
        }
    return count;
}

static void print_main(const Report *report) {
    fputs("\n## The main numbers\n\nAll at full scale.\n\n| row | published | ours | verdict "
          "|\n|---|---|---|---|\n",
          report->f);
    for (int d = 0; d < report->count; d++)
        for (int r = 0; r < report->definition[d]->rows; r++) {
            const DefinitionRow *row = &report->definition[d]->row[r];
            if (!row->main || !report->row[d][r].full || row->published.kind == PUBLISHED_NOT)
                continue;
            fputs("| ", report->f);
            report_name(report, d, row);
            fputs(" | ", report->f);
            report_values(report, d, row);
            putc('\n', report->f);
        }
}

static void print_difference(const Report *report, const Answer *answer) {
    fputs("| ", report->f);
    report_name(report, answer->d, answer->row);
    fputs(" | ", report->f);
    report_values(report, answer->d, answer->row);
    putc(' ', report->f);
    report_cell(report->f, answer->row->cause ? answer->row->cause : "open");
    fputs(" |\n", report->f);
}

// Does the row decide about an entry that differs or fails?
static bool decides(const Report *report, const DefinitionRow *row) {
    for (int i = 0; i < report->lists; i++)
        for (int k = 0; k < report->list[i]->count; k++) {
            Answer answer = answer_of(report, &report->list[i]->entry[k]);
            if (answer.row == row && (answer.fate == FATE_CAUSED || answer.fate == FATE_BAD))
                return true;
        }
    return false;
}

// What is not counted is not hidden either: variants, repeats, quoted numbers.
static void print_others(const Report *report) {
    int count = 0;
    fputs("\n## Rows beside these that differ\n\nVariants, repeats and quoted numbers, and further rows of "
          "a statement, at full scale; the counts above do not\nhave them.\n\n"
          "| row | published | ours | verdict | cause |\n|---|---|---|---|---|\n",
          report->f);
    for (int d = 0; d < report->count; d++)
        for (int r = 0; r < report->definition[d]->rows; r++) {
            const ReportRow *known = &report->row[d][r];
            Answer answer = {.row = &report->definition[d]->row[r], .d = d, .known = known};
            if (!known->full || (known->verdict != VERDICT_DIFFERS && known->verdict != VERDICT_FAILS) ||
                decides(report, answer.row))
                continue;
            count++;
            print_difference(report, &answer);
        }
    if (!count)
        fputs("| none |\n", report->f);
}

static void print_incomparable(const Report *report, const Answer *answer) {
    const Comparison *comparison = &answer->known->comparison;
    fputs("| ", report->f);
    report_name(report, answer->d, answer->row);
    fprintf(report->f, " | %s | ", comparison->kind);
    report_cell(report->f, comparison->why);
    fputs(" |\n", report->f);
}

static void print_not_yet(const Report *report, const Answer *answer) {
    const ReportRow *known = answer->known;
    fputs("- ", report->f);
    report_name(report, answer->d, answer->row);
    if (known->scale && known->result.repeats < known->wanted)
        fprintf(report->f, " (%s, %d of %d)\n", known->scale, known->result.repeats, known->wanted);
    else
        fprintf(report->f, " (%s)\n", known->scale ? known->scale : "not run");
}

static void print_none(const Report *report, const Answer *answer) {
    const char *why = answer->entry->none ? answer->entry->none : "its row is not there";
    fputs("| ", report->f);
    for (int i = 0; i < report->lists; i++)
        if (answer->entry >= report->list[i]->entry &&
            answer->entry < report->list[i]->entry + report->list[i]->count)
            fputs(report->list[i]->paper, report->f);
    fprintf(report->f, ", %s | ", answer->entry->place);
    report_cell(report->f, answer->entry->what);
    fputs(" | ", report->f);
    report_cell(report->f, why);
    fputs(" |\n", report->f);
}

// An empty section is printed too, and says "none".
static void print_section(const Report *report, const char *title, const char *head, Fate first, Fate last,
                          void (*print)(const Report *report, const Answer *answer)) {
    fprintf(report->f, "\n## %s\n\n%s", title, head);
    if (!each(report, first, last, print))
        fputs(*head ? "| none |\n" : "None.\n", report->f);
}

void report_summary(const Report *report) {
    if (report->lists) {
        fputs("\n## What was published, and what came of it\n\n"
              "Numbers that the papers publish as results, and statements about results that say no "
              "number:\n\n",
              report->f);
        print_counts(report, false);
        putc('\n', report->f);
        print_counts(report, true);
    }
    print_rows_counted(report);
    print_main(report);
    if (!report->lists)
        return;
    print_mistakes(report);
    print_section(report, "What differs, and why",
                  "| row | published | ours | verdict | cause |\n|---|---|---|---|---|\n", FATE_CAUSED,
                  FATE_BAD, print_difference);
    print_others(report);
    print_section(report, "What cannot be compared", "| row | kind | reason |\n|---|---|---|\n",
                  FATE_INCOMPARABLE, FATE_INCOMPARABLE, print_incomparable);
    print_section(report, "Not yet at full scale", "", FATE_NOT_YET, FATE_NOT_YET, print_not_yet);
    print_section(report, "Published, but without a row", "| place | what | why |\n|---|---|---|\n",
                  FATE_NONE, FATE_NONE, print_none);
}
