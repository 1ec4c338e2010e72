// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab report: the measurements in journals as one table.
#include <inttypes.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/files.h"
#include "app/measure_report.h"
#include "app/outputs.h"
#include "base/utf8.h"
#include "tasks/journal.h"

typedef struct ReportOptions {
    AppOptions app;
    bool merge;
    const char *journal;
} ReportOptions;

static const Field report_field[] = {
    {"merge", FIELD_FLAG, FIELD_AT(ReportOptions, merge),
     .help =
         "Make one measurement of all that had the same plan, such as those of 'measure --shard'. It is the "
         "measurement that one program would have made; if something is missing, it says how much."},
    {"journal", FIELD_STRING, FIELD_AT(ReportOptions, journal), .file = FIELD_KEEPS, .preset = NAN,
     .otherwise = "none", .argument = "FILE",
     .help = "With --merge: append the merged measurements to FILE, which 'measure --resume' resumes."},
};

static void tell_unfinished(const JournalContents *contents, const MeasureRow *row) {
    for (int i = 0; i < contents->entries; i++) {
        const JournalEntry *entry = &contents->entry[i];
        if (!entry->finished)
            utf8_print(stderr,
                       "tetralab report: %s of %s has no result yet and is %s; 'tetralab measure --resume' "
                       "resumes it.\n",
                       entry->name, entry->date, row[i].count ? "given as far as it is known" : "left out");
    }
}

static bool print_rows(const MeasureRow *row, int rows, const AppOptions *app, Error *error) {
    if (!app->quiet)
        measure_report_table(&(Table){.out = stdout, .form = TABLE_MARKDOWN}, row, rows);
    return outputs_write(app, measure_report_table, outputs_plot_measured, row, rows, error);
}

static bool report(const JournalContents *contents, const AppOptions *app, Error *error) {
    MeasureRow *row = calloc((size_t)contents->entries + 1, sizeof *row);
    if (!row)
        return error_set(error, "Out of memory for %d measurements.", contents->entries);
    for (int i = 0; i < contents->entries; i++)
        row[i] = measure_row_of_entry(&contents->entry[i]);
    tell_unfinished(contents, row);
    bool good = print_rows(row, contents->entries, app, error);
    free(row);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Merging: a measurement with all that the journals know, and nothing more

typedef struct Merged {
    Player *player;
    Measurement measurement;
} Merged;

static uint64_t games_played(const MeasureKnown *known) {
    uint64_t played = 0;
    for (uint64_t k = 0; k < known->scores; k++)
        played += known->score[k].played;
    return played;
}

// -> repetitions  before the first that is missing
static void tell_missing(const JournalEntry *entry, const Measurement *m, uint64_t repetitions) {
    bool games = m->method == MEASURE_GAMES;
    utf8_print(stderr, "tetralab report: %s: ", entry->name);
    if (entry->plan.method == MEASURE_HEIGHTS)
        utf8_print(stderr, "heights %s; 'tetralab measure --resume' makes their result.\n",
                   entry->finished ? "were interrupted" : "have no result yet");
    else if (!entry->known.runs && !entry->known.scores)
        utf8_print(stderr, "nothing of it is made yet. ");
    else
        utf8_print(stderr,
                   "of the %" PRIu64 " %s that it takes as far as is known, %s%" PRIu64 " are there. ",
                   m->wanted, games ? "games" : "repetitions", games ? "" : "the first ",
                   games ? games_played(&entry->known) : repetitions);
    if (entry->plan.method != MEASURE_HEIGHTS)
        utf8_print(stderr, "If these are the journals of all shards, write one with --journal FILE, and let "
                           "each shard resume a copy of it: 'tetralab measure --resume COPY --shard I/N'.\n");
}

static bool measure_known(Merged *merged, JournalEntry *entry, MeasureRow *row, Error *error) {
    Measurement *m = &merged->measurement;
    merged->player = files_player_of_entry(entry, NULL, error);
    if (!merged->player)
        return false;
    Error why;
    MeasurePlan plan = entry->plan;
    plan.player = merged->player;
    plan.known = &entry->known;
    plan.work.jobs = 1;
    // Of heights the result alone is kept.
    bool made = plan.method != MEASURE_HEIGHTS && entry->known.started;
    if (made) {
        entry->finished = false;
        made = measurement_known(m, &plan, &why);
        if (!made && !m->interrupted)
            return error_set(error, "%s: %.400s", entry->name, why.text);
        if (made && !m->interrupted)
            journal_finish(entry, m);
    }
    *row = made ? measure_row(entry->name, &entry->rules, plan.seed, m) : measure_row_of_entry(entry);
    row->finished = entry->finished && (made || !entry->interrupted);
    if (!row->finished)
        tell_missing(entry, m, made ? row->count : 0);
    return true;
}

static bool write_merged(const JournalContents *contents, const Merged *merged, const char *path,
                         Error *error) {
    JsonLines *journal = path ? json_lines_open(path, error) : NULL;
    bool good = !path || journal;
    for (int i = 0; journal && good && i < contents->entries; i++)
        good = journal_copy(journal, &contents->entry[i], merged[i].player, error);
    json_lines_close(journal);
    return good;
}

// <- *complete  every measurement has its result
static bool merge(JournalContents *contents, const ReportOptions *options, bool *complete, Error *error) {
    if (!journal_merge(contents, error))
        return false;
    int count = contents->entries;
    MeasureRow *row = calloc((size_t)count, sizeof *row);
    Merged *merged = calloc((size_t)count, sizeof *merged);
    bool good = (row && merged) || error_set(error, "Out of memory for %d measurements.", count);
    for (int i = 0; good && i < count; i++) {
        good = measure_known(&merged[i], &contents->entry[i], &row[i], error);
        *complete = *complete && row[i].finished;
    }
    good = good && print_rows(row, count, &options->app, error) &&
           write_merged(contents, merged, options->journal, error);
    for (int i = 0; merged && i < count; i++) {
        measurement_free(&merged[i].measurement);
        player_free(merged[i].player);
    }
    free(merged);
    free(row);
    return good;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const ReportOptions *options = chosen;
    JournalContents contents = {0};
    if (arguments->operands == 0) {
        error_set(error, "name at least one journal; 'tetralab measure --journal FILE' makes one.");
        return EXIT_USAGE;
    }
    if (options->journal && !options->merge) {
        error_set(error, "--journal is written with --merge only.");
        return EXIT_USAGE;
    }
    bool good = true, complete = true;
    for (int i = 0; i < arguments->operands && good; i++)
        good = journal_read(&contents, arguments->operand[i], app_complain, NULL, error);
    good = good && (options->merge ? merge(&contents, options, &complete, error)
                                   : report(&contents, &options->app, error));
    journal_free(&contents);
    return good && complete ? EXIT_DONE : EXIT_FAILED;
}

const Command command_report = COMMAND(
    "report", "JOURNAL...", ReportOptions, report_field,
    "Print the measurements in journals as a Markdown table",
    "A journal is what 'tetralab measure --journal FILE' writes. Damaged lines are\n"
    "named on standard error and skipped. With --merge it fails if something is missing.\n",
    .picture = "Also draw FILE (.svg, .png, .pdf or .eps): the players beside each other, with their 95 % "
               "intervals and what was published.");
