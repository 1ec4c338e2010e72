// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab report: the measurements in journals as one table.
#include <stdlib.h>

#include "app/measure_report.h"
#include "app/outputs.h"
#include "base/utf8.h"
#include "tasks/journal.h"

static void tell_unfinished(const JournalContents *contents, const MeasureRow *row) {
    for (int i = 0; i < contents->entries; i++) {
        const JournalEntry *entry = &contents->entry[i];
        if (!entry->finished)
            utf8_print(
                stderr,
                "tetralab report: %s of %s has no result yet and is %s; 'tetralab measure --resume' goes "
                "on with it.\n",
                entry->name, entry->date, row[i].count ? "given as far as it is known" : "left out");
    }
}

static bool report(const JournalContents *contents, const AppOptions *options, Error *error) {
    MeasureRow *row = calloc((size_t)contents->entries + 1, sizeof *row);
    if (!row)
        return error_set(error, "Out of memory for %d measurements.", contents->entries);
    for (int i = 0; i < contents->entries; i++)
        row[i] = measure_row_of_entry(&contents->entry[i]);
    tell_unfinished(contents, row);
    if (!options->quiet)
        measure_report_table(&(Table){.out = stdout, .form = TABLE_MARKDOWN}, row, contents->entries);
    bool good =
        outputs_write(options, measure_report_table, outputs_plot_measured, row, contents->entries, error);
    free(row);
    return good;
}

static int run(void *options, const Arguments *arguments, Error *error) {
    JournalContents contents = {0};
    if (arguments->operands == 0) {
        error_set(error, "name at least one journal; 'tetralab measure --journal FILE' makes one.");
        return EXIT_USAGE;
    }
    bool good = true;
    for (int i = 0; i < arguments->operands && good; i++)
        good = journal_read(&contents, arguments->operand[i], app_complain, NULL, error);
    good = good && report(&contents, options, error);
    journal_free(&contents);
    return good ? EXIT_DONE : EXIT_FAILED;
}

const Command command_report = {
    .name = "report",
    .operands = "JOURNAL...",
    .summary = "Print the measurements in journals as a Markdown table",
    .details = "A journal is what 'tetralab measure --journal FILE' writes. Damaged lines are\n"
               "named on standard error and skipped.\n",
    .run = run,
    .size = sizeof(AppOptions),
    .picture = "Also draw FILE (.svg, .png, .pdf or .eps): the players beside each other, with their 95 % "
               "intervals and what was published.",
};
