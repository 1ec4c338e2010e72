// SPDX-License-Identifier: GPL-3.0-or-later
// The first part of RESULTS.md: what the papers published and what came of it. Numbers and statements are
// counted apart, what is quoted or repeated once, and only rows at full scale get a verdict here.
#include <stdlib.h>

#include "base/list.h"
#include "base/text.h"
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
    const Publication *list;
    const PublicationEntry *entry;
    const ReportRow *known; // NULL: there is none
    Fate fate;
} Answer;

typedef struct Answers {
    Answer *answer; // of all lists, in their order
    int count;
} Answers;

static Fate fate_of(const ReportRow *known) {
    static const Fate fate[VERDICTS] = {
        [VERDICT_AGREES] = FATE_GOOD,         [VERDICT_DIFFERS] = FATE_BAD,
        [VERDICT_HOLDS] = FATE_GOOD,          [VERDICT_FAILS] = FATE_BAD,
        [VERDICT_UNDECIDED] = FATE_UNDECIDED, [VERDICT_INCOMPARABLE] = FATE_INCOMPARABLE,
        [VERDICT_ALONE] = FATE_UNDECIDED};
    Fate found = known->full ? fate[known->verdict] : FATE_NOT_YET;
    return found == FATE_GOOD && known->comparison.open ? FATE_OPEN
           : found == FATE_BAD && known->row->cause     ? FATE_CAUSED
                                                        : found;
}

static Answer answer_by(const Report *report, const Publication *list, const PublicationEntry *entry,
                        size_t k) {
    Answer answer = {.list = list, .entry = entry, .fate = FATE_NONE};
    const char *name = json_string_value(json_array_get(entry->rows, k));
    answer.known = name ? report_row(report, NULL, name) : NULL;
    if (answer.known)
        answer.fate = answer.known->row->same ? FATE_AGAIN : fate_of(answer.known);
    if (entry->quoted)
        answer.fate = FATE_AGAIN;
    return answer;
}

// Of a number the first row counts: it repeats what the paper did. Of a statement all rows do, and the one
// that speaks most against it decides: it holds if all hold.
static Answer answer_of(const Report *report, const Publication *list, const PublicationEntry *entry) {
    static const int against[FATES] = {
        [FATE_AGAIN] = 0,   [FATE_GOOD] = 1, [FATE_OPEN] = 2,   [FATE_UNDECIDED] = 3, [FATE_INCOMPARABLE] = 4,
        [FATE_NOT_YET] = 5, [FATE_NONE] = 6, [FATE_CAUSED] = 7, [FATE_BAD] = 8};
    Answer worst = answer_by(report, list, entry, 0);
    for (size_t k = 1; entry->statement && k < json_array_size(entry->rows); k++) {
        Answer answer = answer_by(report, list, entry, k);
        if (against[answer.fate] > against[worst.fate])
            worst = answer;
    }
    return worst;
}

static bool find_answers(const Report *report, Answers *answers, Error *error) {
    for (int i = 0; i < report->lists; i++)
        for (int k = 0; k < report->list[i]->count; k++) {
            if (!list_room(&answers->answer, (size_t)answers->count, sizeof *answers->answer))
                return error_set(error, "Out of memory for a report.");
            answers->answer[answers->count++] =
                answer_of(report, report->list[i], &report->list[i]->entry[k]);
        }
    return true;
}

// Two rows that measure the same and compare it with the same number count once: one of them says so.
static void check_pair(const ReportRow *one, const ReportRow *other, FILE *f) {
    const DefinitionRow *a = one->row, *b = other->row;
    if (one->settings && other->settings && !a->same && !b->same &&
        a->published.value == b->published.value && a->published.kind != PUBLISHED_STATEMENT &&
        json_equal(one->settings, other->settings))
        fprintf(f, "- These rows are the same, and none says so: %s: %s; %s: %s\n", one->of->name, a->label,
                other->of->name, b->label);
}

// They would make the counts wrong. tests/published_lists.py checks the lists themselves.
static void print_pairs(const Report *report) {
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (int r = 0; f && r < report->rows; r++)
        for (int q = 0; q < r; q++)
            check_pair(&report->row[q], &report->row[r], f);
    if (text_closed(f, &text) && *text)
        fprintf(report->f, "\n## Mistakes in the lists\n\n%s", text);
    free(text);
}

// -------------------------------------------------------------------------------------------------------
// Counts

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

static void print_counts(const Report *report, const Answers *answers, bool statements) {
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
        for (int k = 0; k < answers->count; k++)
            if (answers->answer[k].list == report->list[i] &&
                answers->answer[k].entry->statement == statements) {
                fate[answers->answer[k].fate]++;
                total[answers->answer[k].fate]++;
            }
        if (sum(fate, 0, FATES - 1))
            print_line(report->f, report->list[i]->paper, fate);
    }
    print_line(report->f, "**all**", total);
}

static void print_rows_counted(const Report *report) {
    int missing = 0, full = 0, ours = 0;
    for (const ReportRow *known = report->row; known < report->row + report->rows; known++) {
        missing += !known->scale;
        full += known->full;
        ours += known->row->published.kind == PUBLISHED_NOT;
    }
    fprintf(
        report->f,
        "\nThe %d reproductions have %d rows: %d at full scale, %d not yet, %d of these not run at all. %d "
        "rows are ours\nalone: nothing was published to compare them with.\n",
        report->count, report->rows, full, report->rows - full, missing, ours);
}

// -------------------------------------------------------------------------------------------------------
// Tables

static void print_main(const Report *report) {
    fputs("\n## The main numbers\n\nAll at full scale.\n\n| row | published | ours | verdict "
          "|\n|---|---|---|---|\n",
          report->f);
    for (const ReportRow *known = report->row; known < report->row + report->rows; known++) {
        if (!known->row->main || !known->full || known->row->published.kind == PUBLISHED_NOT)
            continue;
        fputs("| ", report->f);
        report_name(report, known);
        fputs(" | ", report->f);
        report_values(report, known);
        putc('\n', report->f);
    }
}

static void print_difference(const Report *report, const Answer *answer) {
    fputs("| ", report->f);
    report_name(report, answer->known);
    fputs(" | ", report->f);
    report_values(report, answer->known);
    putc(' ', report->f);
    report_cell(report->f, answer->known->row->cause ? answer->known->row->cause : "open");
    fputs(" |\n", report->f);
}

// Does the row decide about an entry that differs or fails?
static bool decides(const Answers *answers, const ReportRow *known) {
    for (const Answer *answer = answers->answer; answer < answers->answer + answers->count; answer++)
        if (answer->known == known && (answer->fate == FATE_CAUSED || answer->fate == FATE_BAD))
            return true;
    return false;
}

// What is not counted is not hidden either: variants, repeats, quoted numbers.
static void print_others(const Report *report, const Answers *answers) {
    int count = 0;
    fputs("\n## Rows beside these that differ\n\nVariants, repeats and quoted numbers, and further rows of "
          "a statement, at full scale; the counts above do not\nhave them.\n\n"
          "| row | published | ours | verdict | cause |\n|---|---|---|---|---|\n",
          report->f);
    for (const ReportRow *known = report->row; known < report->row + report->rows; known++) {
        if (!known->full || (known->verdict != VERDICT_DIFFERS && known->verdict != VERDICT_FAILS) ||
            decides(answers, known))
            continue;
        count++;
        print_difference(report, &(Answer){.known = known});
    }
    if (!count)
        fputs("| none |\n", report->f);
}

static void print_incomparable(const Report *report, const Answer *answer) {
    const Comparison *comparison = &answer->known->comparison;
    fputs("| ", report->f);
    report_name(report, answer->known);
    fprintf(report->f, " | %s | ", comparison->kind);
    report_cell(report->f, comparison->why);
    fputs(" |\n", report->f);
}

static void print_not_yet(const Report *report, const Answer *answer) {
    const ReportRow *known = answer->known;
    fputs("- ", report->f);
    report_name(report, known);
    if (known->scale && known->result.repeats < known->wanted)
        fprintf(report->f, " (%s, %d of %d)\n", known->scale, known->result.repeats, known->wanted);
    else
        fprintf(report->f, " (%s)\n", known->scale ? known->scale : "not run");
}

static void print_none(const Report *report, const Answer *answer) {
    fprintf(report->f, "| %s, %s | ", answer->list->paper, answer->entry->place);
    report_cell(report->f, answer->entry->what);
    fputs(" | ", report->f);
    report_cell(report->f, answer->entry->none ? answer->entry->none : "its row is not there");
    fputs(" |\n", report->f);
}

// Of the answers with these fates. An empty section is printed too, and says "none".
static const struct Section {
    const char *title, *head;
    Fate first, last;
    void (*print)(const Report *report, const Answer *answer);
} sections[] = {
    {"What differs, and why", "| row | published | ours | verdict | cause |\n|---|---|---|---|---|\n",
     FATE_CAUSED, FATE_BAD, print_difference},
    {"What cannot be compared", "| row | kind | reason |\n|---|---|---|\n", FATE_INCOMPARABLE,
     FATE_INCOMPARABLE, print_incomparable},
    {"Not yet at full scale", "", FATE_NOT_YET, FATE_NOT_YET, print_not_yet},
    {"Published, but without a row", "| place | what | why |\n|---|---|---|\n", FATE_NONE, FATE_NONE,
     print_none},
};

static void print_section(const Report *report, const Answers *answers, const struct Section *section) {
    int count = 0;
    fprintf(report->f, "\n## %s\n\n%s", section->title, section->head);
    for (const Answer *answer = answers->answer; answer < answers->answer + answers->count; answer++)
        if (answer->fate >= section->first && answer->fate <= section->last) {
            count++;
            section->print(report, answer);
        }
    if (!count)
        fputs(*section->head ? "| none |\n" : "None.\n", report->f);
}

bool report_summary(const Report *report, Error *error) {
    Answers answers = {NULL, 0};
    bool good = find_answers(report, &answers, error);
    if (good && report->lists) {
        fputs("\n## What was published, and what came of it\n\n"
              "Numbers that the papers publish as results, and statements about results that say no "
              "number:\n\n",
              report->f);
        print_counts(report, &answers, false);
        putc('\n', report->f);
        print_counts(report, &answers, true);
    }
    print_rows_counted(report);
    print_main(report);
    if (good && report->lists) {
        print_pairs(report);
        for (size_t k = 0; k < sizeof sections / sizeof *sections; k++) {
            print_section(report, &answers, &sections[k]);
            if (k == 0)
                print_others(report, &answers);
        }
    }
    free(answers.answer);
    return good;
}
