// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab measure: the mean lines of each strategy to a wanted precision, kept in a journal if one is given.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/files.h"
#include "app/measure_report.h"
#include "app/outputs.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "plot/measured.h"
#include "tasks/journal.h"
#include "tasks/measure_job.h"

typedef struct MeasureOptions {
    AppOptions app;
    MeasureSettings measure;
    const char *markdown, *resume;
} MeasureOptions;

static const Field own_field[] = {
    {"markdown", APP_OUTPUT(FIELD_AT(MeasureOptions, markdown)),
     .help = "Also write the results as a Markdown table."},
    {"resume", FIELD_STRING, FIELD_AT(MeasureOptions, resume), .file = FIELD_KEEPS, .argument = "FILE",
     .help = "Instead of naming strategies: resume the measurements in this journal that did not reach "
             "their precision, or the one now given."},
};

static int more_options(void *options, OptionSet *sets) {
    sets[0] = (OptionSet){measure_fields, &((MeasureOptions *)options)->measure, NULL};
    sets[1] = (OptionSet){FIELDS(own_field), options, NULL};
    return 2;
}

static bool check_resume(const Arguments *arguments, Error *error) {
    char option[FIELD_OPTION_NAME];
    return (!arguments->operands &&
            !arguments_beyond(arguments,
                              " resume shard precision budget-pieces csv markdown plot json jobs kernel ",
                              option)) ||
           error_set(error,
                     "--resume takes strategies, rules, seed and method from the journal and goes on in "
                     "it: leave out everything but --shard, --precision, --budget-pieces and what is to be "
                     "written.");
}

// It has no result yet.
static bool check_shard(const MeasureOptions *options, Error *error) {
    const AppOptions *app = &options->app;
    if (options->measure.budget)
        return error_set(error, "--shard goes by --precision: leave --budget-pieces out.");
    if (options->measure.method == MEASURE_HEIGHTS)
        return error_set(error, "heights are counted over one long run, which cannot be cut into shards.");
    if (app->json || app->csv || app->plot || options->markdown)
        return error_set(error, "a shard has no result to be written: 'tetralab report --merge' has it.");
    return options->resume || options->measure.journal ||
           error_set(error,
                     "a shard is of use only with its journal: give --journal FILE, or --resume FILE.");
}

static bool check_usage(const MeasureOptions *options, const Arguments *arguments, Error *error) {
    if (options->measure.shard.of && !check_shard(options, error))
        return false;
    if (options->resume && !strcmp(options->resume, "-"))
        return error_set(error, "a journal is a file: give its name instead of '-'.");
    if (options->resume)
        return check_resume(arguments, error);
    if (arguments->operands == 0)
        return error_set(error, "name at least one strategy, such as bcts or a file; 'tetralab strategies' "
                                "lists those built in.");
    return measure_settings_check(&options->measure, &options->app.rules, error);
}

// ---------------------------------------------------------------------------------------------------
// The jobs: one measurement each

typedef struct Job {
    MeasureJob measured;
    Progress progress;
} Job;

typedef struct Jobs {
    const MeasureOptions *options;
    Job *job;
    int count, done;
    const Kernel *kernel;
    JsonLines *journal;
    JournalContents contents;
} Jobs;

static void show_progress(void *context, const Advance *advance) {
    Job *job = context;
    measure_report_progress(&job->progress, player_strategy(job->measured.player)->name, advance);
}

static Job *make_jobs(Jobs *jobs, size_t count, Error *error) {
    size_t size = (count ? count : 1) * sizeof(Job);
    jobs->job = aligned_alloc(_Alignof(Job), size);
    if (!jobs->job)
        error_set(error, "Out of memory for %zu strategies.", count);
    else
        memset(jobs->job, 0, size);
    return jobs->job;
}

// All are made before the first one is measured: a misspelt name is told at once, not after an hour.
static bool jobs_from_names(Jobs *jobs, const char **names, int count, int *exit_code, Error *error) {
    const MeasureOptions *options = jobs->options;
    if (!make_jobs(jobs, (size_t)count, error))
        return false;
    for (; jobs->count < count; jobs->count++) {
        MeasureJob *job = &jobs->job[jobs->count].measured;
        job->rules = &options->app.rules;
        job->player = app_player(names[jobs->count], &options->app, jobs->kernel, exit_code, error);
        if (!job->player)
            return false;
        job->plan = measure_settings_plan(&options->measure, options->app.seed, (int)options->app.jobs);
    }
    return true;
}

// Is there something to be done? A finished run of heights has nothing to resume.
static bool is_open(const JournalEntry *entry, double precision) {
    if (!entry->finished)
        return true;
    if (entry->used == MEASURE_HEIGHTS)
        return false;
    return !entry->precise || (precision > 0 && measure_row_of_entry(entry).precision > precision);
}

// Players and methods may differ between versions, and with them what is repeated.
static void warn_of_version(const JournalEntry *entry) {
    if (strcmp(entry->version, TETRALAB_VERSION))
        utf8_print(
            stderr,
            "tetralab measure: %s of %s was begun by version %s, this is %s: what is added to it may not "
            "fit.\n",
            entry->name, entry->date, entry->version, TETRALAB_VERSION);
}

static bool check_resumed_shard(const JournalEntry *entry, Error *error) {
    if (entry->plan.budget)
        return error_set(
            error,
            "%s of %s has a budget of pieces, but shards go by the precision: resume it without --shard.",
            entry->name, entry->date);
    return entry->plan.method != MEASURE_HEIGHTS ||
           error_set(error,
                     "%s of %s counts heights over one long run, which cannot be cut into shards: resume it "
                     "without --shard.",
                     entry->name, entry->date);
}

static bool jobs_from_journal(Jobs *jobs, int *exit_code, Error *error) {
    const MeasureOptions *options = jobs->options;
    double precision = options->measure.precision / 100;
    if (!journal_read(&jobs->contents, options->resume, app_complain, NULL, error) ||
        !make_jobs(jobs, (size_t)jobs->contents.entries, error))
        return false;
    for (int i = 0; i < jobs->contents.entries; i++) {
        const JournalEntry *entry = &jobs->contents.entry[i];
        if (!is_open(entry, precision))
            continue;
        if (options->measure.shard.of && !check_resumed_shard(entry, error)) {
            *exit_code = EXIT_USAGE;
            return false;
        }
        warn_of_version(entry);
        MeasureJob *job = &jobs->job[jobs->count].measured;
        job->rules = &entry->rules;
        job->known = entry->known;
        memcpy(job->id, entry->id, sizeof job->id);
        if (!(job->player = files_player_of_entry(entry, jobs->kernel, error)))
            return false;
        job->plan = entry->plan;
        job->plan.known = &job->known;
        job->plan.work.jobs = (int)options->app.jobs;
        job->plan.shard = options->measure.shard;
        if (precision > 0)
            job->plan.precision = precision;
        if (options->measure.budget)
            job->plan.budget = options->measure.budget;
        jobs->count++;
    }
    return true;
}

static bool open_outputs(Jobs *jobs, Error *error) {
    const MeasureOptions *options = jobs->options;
    const char *journal = options->resume ? options->resume : options->measure.journal;
    return !journal || (jobs->journal = json_lines_open(journal, error));
}

static int free_jobs(Jobs *jobs, int exit_code) {
    for (int i = 0; i < jobs->count; i++) {
        exit_code = app_player_free(jobs->job[i].measured.player, exit_code);
        measure_job_free(&jobs->job[i].measured);
    }
    free(jobs->job);
    json_lines_close(jobs->journal);
    journal_free(&jobs->contents);
    return exit_code;
}

// ---------------------------------------------------------------------------------------------------
// Running them

static bool run_job(Job *job, Error *error) {
    progress_start(&job->progress, false);
    bool good = measure_job_run(&job->measured, error);
    progress_end(&job->progress);
    return good;
}

static bool begin_jobs(Jobs *jobs, Error *error) {
    bool good = true;
    for (int i = 0; good && i < jobs->count; i++) {
        MeasureJob *job = &jobs->job[i].measured;
        job->plan.work.stop = &progress_interrupted;
        job->plan.work.progress = show_progress;
        job->plan.work.context = &jobs->job[i];
        job->journal = jobs->journal;
        good = measure_job_begin(job, TETRALAB_VERSION, error);
    }
    return good;
}

static bool run_jobs(Jobs *jobs, Error *error) {
    const AppOptions *app = &jobs->options->app;
    int names = 0;
    for (int i = 0; i < jobs->count; i++)
        names = table_wider(names, player_strategy(jobs->job[i].measured.player)->name);
    if (!app->quiet && !jobs->options->resume) {
        app_print_rules(stdout, &app->rules, "", app->seed);
        puts("; mean lines, 95 % interval");
    }
    if (!begin_jobs(jobs, error))
        return false;
    for (; jobs->done < jobs->count && !progress_interrupted; jobs->done++) {
        Job *job = &jobs->job[jobs->done];
        fflush(stdout);
        if (!run_job(job, error))
            return false;
        if (!app->quiet && job->measured.plan.shard.of)
            utf8_print(stdout, "%s: shard %" PRIu64 "/%" PRIu64 " %s\n", job->measured.row.strategy,
                       job->measured.plan.shard.number, job->measured.plan.shard.of,
                       job->measured.row.interrupted ? "was interrupted; --resume resumes it."
                                                     : "is complete.");
        else if (!app->quiet)
            measure_report_line(stdout, &job->measured.row, names);
    }
    return true;
}

static bool plot_one(Plot *plot, const MeasureJob *job, Error *error) {
    const Measurement *m = &job->measurement;
    MeasuredTitle title = {.player = job->row.strategy, .rules = job->rules, .seed = job->plan.seed};
    if (m->method == MEASURE_GAMES)
        return measured_scores(plot, &title, m->games.score, m->games.games, error);
    if (m->method == MEASURE_HEIGHTS)
        return measured_heights(plot, &title, m->heights.at_height, error);
    if (m->pilot.pieces)
        return measured_heights(plot, &title, m->pilot.at_height, error);
    return error_set(error, "There are no pile heights to draw, because the base and the trials were given "
                            "and no short run was needed to choose them.");
}

// -> rows  of jobs; the first one's job comes with it
typedef struct MeasuredRows {
    const MeasureJob *only; // NULL: several were measured
    const MeasureRow *row;
} MeasuredRows;

static bool plot_rows(Plot *plot, const void *rows, int count, Error *error) {
    const MeasuredRows *measured = rows;
    return measured->only ? plot_one(plot, measured->only, error)
                          : outputs_plot_measured(plot, measured->row, count, error);
}

static void fill_rows(Table *table, const void *rows, int count) {
    measure_report_table(table, ((const MeasuredRows *)rows)->row, count);
}

static json_t *json_of_jobs(const Jobs *jobs) {
    const char *kernel = kernel_name(jobs->kernel);
    json_t *array = json_array();
    for (int i = 0; i < jobs->done; i++) {
        const MeasureJob *job = &jobs->job[i].measured;
        json_t *object =
            measure_json(&job->row, &job->measurement, job->plan.precision, kernel, TETRALAB_VERSION);
        if (jobs->done == 1) {
            json_decref(array);
            return object;
        }
        json_array_append_new(array, object);
    }
    return array;
}

static bool write_all(const Jobs *jobs, Error *error) {
    const MeasureOptions *options = jobs->options;
    MeasureRow *row = calloc((size_t)jobs->done + 1, sizeof *row);
    if (!row)
        return error_set(error, "Out of memory for the results.");
    for (int i = 0; i < jobs->done; i++)
        row[i] = jobs->job[i].measured.row;
    MeasuredRows rows = {jobs->done == 1 ? &jobs->job[0].measured : NULL, row};
    bool good =
        app_write_json(options->app.json ? json_of_jobs(jobs) : NULL, options->app.json, error) &&
        table_write(options->markdown, TABLE_MARKDOWN, measure_report_table, row, jobs->done, error) &&
        outputs_write(&options->app, fill_rows, plot_rows, &rows, jobs->done, error);
    free(row);
    return good;
}

static int measure(Jobs *jobs, Error *error) {
    const MeasureOptions *options = jobs->options;
    if (jobs->count == 0 && !options->app.quiet)
        utf8_print(stdout, "%s: every measurement in it reached its precision; nothing is left to do.\n",
                   options->resume);
    progress_catch_interrupt();
    bool good = run_jobs(jobs, error);
    if (!options->measure.shard.of && (jobs->done > 0 || (good && jobs->count == 0))) {
        Error later;
        good &= write_all(jobs, good ? error : &later);
    }
    for (int i = 0; good && i < jobs->done; i++)
        if (jobs->job[i].measured.trouble.text[0])
            good = error_set(error, "%s", jobs->job[i].measured.trouble.text);
    bool interrupted =
        jobs->done < jobs->count || (jobs->done && jobs->job[jobs->done - 1].measured.row.interrupted);
    return good && !interrupted ? EXIT_DONE : EXIT_FAILED;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    MeasureOptions *options = chosen;
    if (!check_usage(options, arguments, error))
        return EXIT_USAGE;
    if (options->resume && !arguments_given(arguments, "precision"))
        options->measure.precision = 0; // that of each measurement
    Jobs jobs = {.options = options};
    int code = EXIT_FAILED;
    bool good =
        (jobs.kernel = kernel_find(options->app.kernel, error)) &&
        (options->resume ? jobs_from_journal(&jobs, &code, error)
                         : jobs_from_names(&jobs, arguments->operand, arguments->operands, &code, error)) &&
        open_outputs(&jobs, error);
    return free_jobs(&jobs, good ? measure(&jobs, error) : code);
}

const Command command_measure = {
    .name = "measure",
    .operands = "STRATEGY...",
    .summary = "Measure the mean lines of players, however strong, to a wanted precision",
    .details = "A strategy is a built-in name ('tetralab strategies' lists them) or a file: JSON,\n"
               "or a .dat file of mdptetris. Weak players play whole games; for strong ones the\n"
               "rate of losses is measured by splitting, in seconds instead of weeks. Ctrl-C ends\n"
               "it with what is known by then; with --journal it can be resumed.\n",
    .run = run,
    .size = sizeof(MeasureOptions),
    .more = more_options,
    .has_rules = true,
    .has_running = true,
    .without = " max-pieces ",
    .picture =
        "Also draw FILE (.svg, .png, .pdf or .eps): scores or pile heights of one strategy, the means of "
        "several with their 95 % intervals and what was published.",
};
