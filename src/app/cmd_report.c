// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab report: the measurements in journals as one table.
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/measure_report.h"
#include "lab/journal.h"

static void complain(void *context, const char *sentence) {
    (void)context;
    fprintf(stderr, "tetralab report: %s\n", sentence);
}

static void tell_unfinished(const JournalContents *contents, const MeasureRow *row) {
    for (int i = 0; i < contents->entries; i++) {
        const JournalEntry *entry = &contents->entry[i];
        if (!entry->finished)
            fprintf(stderr,
                    "tetralab report: %s of %s has no result yet and is %s; 'tetralab measure --resume' goes "
                    "on with it.\n",
                    entry->name, entry->date, row[i].count ? "given as far as it is known" : "left out");
    }
}

static bool report(const JournalContents *contents, const char *csv, Error *error) {
    MeasureRow *row = calloc((size_t)contents->entries + 1, sizeof *row);
    if (!row)
        return error_set(error, "There is no memory for %d measurements.", contents->entries);
    for (int i = 0; i < contents->entries; i++)
        row[i] = measure_row_of_entry(&contents->entry[i]);
    tell_unfinished(contents, row);
    if (!csv || strcmp(csv, "-"))
        measure_report_markdown(stdout, row, contents->entries);
    bool good = measure_report_write(csv, measure_report_csv, row, contents->entries, error);
    free(row);
    return good;
}

typedef struct ReportOptions {
    AppOptions app;
    const char *csv;
} ReportOptions;

static const Field report_field[] = {
    {"csv", FIELD_STRING, FIELD_AT(ReportOptions, csv), .preset = NAN, .otherwise = "none",
     .argument = "FILE",
     .help = "Also write the table as CSV to FILE; - writes it to standard output instead."},
};
static const Fields report_fields = FIELDS(report_field);

static int run(void *chosen, const Arguments *arguments) {
    const char *csv = ((const ReportOptions *)chosen)->csv, **journals = arguments->operand;
    int count = arguments->operands;
    Error error = {""};
    JournalContents contents = {0};
    if (count == 0) {
        error_set(&error, "name at least one journal; 'tetralab measure --journal FILE' makes one.");
        return app_fail(&command_report, &error, EXIT_USAGE);
    }
    bool good = app_check_output(csv, &error);
    for (int i = 0; i < count && good; i++)
        good = journal_read(&contents, journals[i], complain, NULL, &error);
    good = good && report(&contents, csv, &error);
    journal_free(&contents);
    return good ? EXIT_DONE : app_fail(&command_report, &error, EXIT_FAILED);
}

const Command command_report = {
    "report",
    "JOURNAL...",
    "Print the measurements in journals as a Markdown table",
    "A journal is what 'tetralab measure --journal FILE' writes. Lines that are damaged\n"
    "are told on standard error and skipped.\n",
    run,
    sizeof(ReportOptions),
    &report_fields};
