// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab measure: the mean lines of each strategy to a wanted precision, kept in a journal if one is given.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/files.h"
#include "app/measure_report.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "lab/journal.h"
#include "lab/measurement.h"
#include "plot/gnuplot.h"
#include "plot/measured.h"

typedef struct MeasureOptions {
    AppOptions app;
    double precision; // per cent
    MeasureMethod method;
    uint64_t budget, base, trials;
    const char *csv, *markdown, *journal, *resume, *plot;
} MeasureOptions;

static const Field measure_field[] = {
    {"precision", FIELD_OTHER, FIELD_AT(MeasureOptions, precision), .type = &field_percentage,
     .otherwise = "5%", .least = 0.1, .most = 1000, .argument = "P%",
     .help = "Measure until the 95 % interval is within P % of the mean on both sides."},
    {"method", FIELD_WORD, FIELD_AT(MeasureOptions, method), .preset = MEASURE_AUTO,
     .words = measure_method_words, .argument = "NAME",
     .help = "games: whole games; splitting: for players too strong to play out; heights: Fahey's "
             "regression, biased, for comparison; auto: a short run decides between the first two."},
    {"budget-pieces", FIELD_WHOLE, FIELD_AT(MeasureOptions, budget), .preset = NAN, .otherwise = "no limit",
     .least = 1000, .most = 1e18, .argument = "N",
     .help = "Stop when about N pieces have been played, whatever the precision; a short run that decides "
             "and 64 small repetitions of splitting are made in any case."},
    {"base", FIELD_WHOLE, FIELD_AT(MeasureOptions, base), .preset = NAN, .otherwise = "chosen by a short run",
     .least = 1, .most = BOARD_MAX_HEIGHT - 2, .argument = "H",
     .help = "splitting: highest pile that counts as ordinary."},
    {"trials", FIELD_WHOLE, FIELD_AT(MeasureOptions, trials), .preset = NAN,
     .otherwise = "chosen by a short run", .least = SPLITTING_LEAST_TRIALS, .most = SPLITTING_MAX_TRIALS,
     .argument = "N", .help = "splitting: runs kept going at a time; each thread needs 400 bytes for each."},
    {"csv", APP_OUTPUT(FIELD_AT(MeasureOptions, csv)), .help = "Also write the results as CSV."},
    {"markdown", APP_OUTPUT(FIELD_AT(MeasureOptions, markdown)),
     .help = "Also write the results as a Markdown table."},
    {"journal", FIELD_STRING, FIELD_AT(MeasureOptions, journal), .file = FIELD_KEEPS, .preset = NAN,
     .otherwise = "none", .argument = "FILE",
     .help = "Append everything that is measured to FILE, while it is measured."},
    {"resume", FIELD_STRING, FIELD_AT(MeasureOptions, resume), .file = FIELD_KEEPS, .argument = "FILE",
     .help = "Instead of naming strategies: go on with the measurements in this journal that did not reach "
             "their precision, or the one now given."},
    {"plot", FIELD_STRING, FIELD_AT(MeasureOptions, plot), .file = FIELD_WRITES, .preset = NAN,
     .otherwise = "none", .argument = "FILE",
     .help =
         "Also draw FILE (.svg or .png): scores or pile heights of one strategy, a comparison of several."},
};

static bool is_standard_output(const char *path) {
    return path && !strcmp(path, "-");
}

static bool check_resume(const Arguments *arguments, Error *error) {
    char option[FIELD_OPTION_NAME];
    return (!arguments->operands &&
            !arguments_beyond(
                arguments, " resume precision budget-pieces csv markdown plot json jobs kernel ", option)) ||
           error_set(error,
                     "--resume takes strategies, rules, seed and method from the journal and goes on in "
                     "it: leave out everything but --precision, --budget-pieces and what is to be written.");
}

static bool check_usage(const MeasureOptions *options, const Arguments *arguments, Error *error) {
    if (is_standard_output(options->journal) || is_standard_output(options->resume))
        return error_set(error, "a journal is a file: give its name instead of '-'.");
    if (options->resume)
        return check_resume(arguments, error);
    if (arguments->operands == 0)
        return error_set(error, "name at least one strategy, such as bcts or a file; 'tetralab strategies' "
                                "lists those built in.");
    if ((options->base || options->trials) &&
        (options->method == MEASURE_GAMES || options->method == MEASURE_HEIGHTS))
        return error_set(error, "--base and --trials belong to --method splitting, not to %s.",
                         measure_method_words[options->method]);
    if (options->base && (int)options->base > options->app.rules.height - 2)
        return error_set(error, "--base must be at most %d on a board %d rows high.",
                         options->app.rules.height - 2, options->app.rules.height);
    return rules_check(&options->app.rules, error);
}

// ---------------------------------------------------------------------------------------------------
// The jobs: one measurement each

typedef struct Job {
    Player *player;
    const Rules *rules;
    MeasurePlan plan;
    MeasureKnown known;
    Measurement measurement;
    MeasureRow row;
    Progress progress;
    char id[JOURNAL_ID];
    JsonLines *journal; // NULL: none
    Error *trouble;     // with the journal; empty: none
} Job;

typedef struct Jobs {
    const MeasureOptions *options;
    Job *job;
    int count, done;
    const Kernel *kernel;
    JsonLines *journal;
    JournalContents contents;
    Error trouble;
} Jobs;

static void show_progress(void *context, const MeasureStatus *status) {
    Job *job = context;
    measure_report_progress(&job->progress, player_strategy(job->player)->name, status);
}

static void keep(void *context, const MeasureEvent *event) {
    Job *job = context;
    Error error;
    if (job->journal && !journal_event(job->journal, job->id, event, &error) && !job->trouble->text[0])
        *job->trouble = error;
}

static void plan_job(Jobs *jobs, Job *job) {
    const MeasureOptions *options = jobs->options;
    job->journal = jobs->journal;
    job->trouble = &jobs->trouble;
    job->plan.player = job->player;
    job->plan.jobs = (int)options->app.jobs;
    job->plan.stop = &progress_interrupted;
    job->plan.progress = show_progress;
    job->plan.record = keep;
    job->plan.context = job;
}

static Job *make_jobs(Jobs *jobs, size_t count, Error *error) {
    size_t size = (count ? count : 1) * sizeof(Job);
    jobs->job = aligned_alloc(_Alignof(Job), size);
    if (!jobs->job)
        error_set(error, "There is no memory for %zu strategies.", count);
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
        Job *job = &jobs->job[jobs->count];
        job->rules = &options->app.rules;
        job->player = app_player(names[jobs->count], &options->app, jobs->kernel, exit_code, error);
        if (!job->player)
            return false;
        job->plan = (MeasurePlan){.seed = options->app.seed,
                                  .method = options->method,
                                  .precision = options->precision / 100,
                                  .budget = options->budget,
                                  .base = (int)options->base,
                                  .trials = options->trials};
    }
    return true;
}

// Is there something to be done? A finished run of heights has nothing to go on with.
static bool is_open(const JournalEntry *entry, double precision) {
    if (!entry->finished)
        return true;
    if (entry->used == MEASURE_HEIGHTS)
        return false;
    return !entry->precise || (precision > 0 && measure_row_of_entry(entry).precision > precision);
}

static Player *player_of_entry(const JournalEntry *entry, const Kernel *kernel, Error *error) {
    Strategy strategy;
    if (!strategy_parse_json(&strategy, "strategy", entry->strategy, strlen(entry->strategy), error) ||
        !files_check_strategy(&strategy, error))
        return NULL;
    return player_new(&strategy, &entry->rules, kernel, error);
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

static bool jobs_from_journal(Jobs *jobs, Error *error) {
    const MeasureOptions *options = jobs->options;
    double precision = options->precision / 100;
    if (!journal_read(&jobs->contents, options->resume, app_complain, NULL, error) ||
        !make_jobs(jobs, (size_t)jobs->contents.entries, error))
        return false;
    for (int i = 0; i < jobs->contents.entries; i++) {
        const JournalEntry *entry = &jobs->contents.entry[i];
        if (!is_open(entry, precision))
            continue;
        warn_of_version(entry);
        Job *job = &jobs->job[jobs->count];
        job->rules = &entry->rules;
        job->known = entry->known;
        memcpy(job->id, entry->id, sizeof job->id);
        if (!(job->player = player_of_entry(entry, jobs->kernel, error)))
            return false;
        job->plan = entry->plan;
        job->plan.known = &job->known;
        if (precision > 0)
            job->plan.precision = precision;
        if (options->budget)
            job->plan.budget = options->budget;
        jobs->count++;
    }
    return true;
}

static bool open_outputs(Jobs *jobs, Error *error) {
    const MeasureOptions *options = jobs->options;
    const char *journal = options->resume ? options->resume : options->journal;
    if (options->plot && !gnuplot_check(options->plot, error))
        return false;
    return !journal || (jobs->journal = json_lines_open(journal, error));
}

static int free_jobs(Jobs *jobs, int exit_code) {
    for (int i = 0; i < jobs->count; i++) {
        exit_code = app_player_free(jobs->job[i].player, exit_code);
        measurement_free(&jobs->job[i].measurement);
    }
    free(jobs->job);
    json_lines_close(jobs->journal);
    journal_free(&jobs->contents);
    return exit_code;
}

// ---------------------------------------------------------------------------------------------------
// Running them

static bool run_job(Jobs *jobs, Job *job, Error *error) {
    const char *name = player_strategy(job->player)->name;
    Error detail;
    progress_start(&job->progress, false);
    bool good = measurement_run(&job->measurement, &job->plan, &detail);
    progress_end(&job->progress);
    if (!good)
        return error_set(error, "%s: %.400s", name, detail.text);
    job->row = measure_row(name, job->rules, job->plan.seed, &job->measurement);
    if (job->journal && !journal_result(job->journal, job->id, &job->measurement, &detail) &&
        !jobs->trouble.text[0])
        jobs->trouble = detail;
    return true;
}

static bool run_jobs(Jobs *jobs, Error *error) {
    const AppOptions *app = &jobs->options->app;
    int names = 0;
    for (int i = 0; i < jobs->count; i++)
        names = table_wider(names, player_strategy(jobs->job[i].player)->name);
    if (!app->quiet && !jobs->options->resume) {
        app_print_rules(stdout, &app->rules, "", app->seed);
        puts("; mean lines, 95 % interval");
    }
    // All plans before the first measurement: --resume finds those too that were never begun.
    for (int i = 0; i < jobs->count; i++) {
        Job *job = &jobs->job[i];
        plan_job(jobs, job);
        if (job->journal && !job->id[0] &&
            !journal_plan(job->journal, &job->plan, TETRALAB_VERSION, job->id, error))
            return false;
    }
    for (; jobs->done < jobs->count && !progress_interrupted; jobs->done++) {
        Job *job = &jobs->job[jobs->done];
        fflush(stdout);
        if (!run_job(jobs, job, error))
            return false;
        if (!app->quiet)
            measure_report_line(stdout, &job->row, names);
    }
    return true;
}

static bool plot_one(Plot *plot, const Job *job, Error *error) {
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

static bool plot_several(Plot *plot, const Jobs *jobs, Error *error) {
    MeasuredPlayer player[MEASURED_MAX_PLAYERS];
    int count = jobs->done < MEASURED_MAX_PLAYERS ? jobs->done : MEASURED_MAX_PLAYERS;
    for (int i = 0; i < count; i++)
        player[i] = (MeasuredPlayer){jobs->job[i].row.strategy, jobs->job[i].row.mean_lines,
                                     jobs->job[i].row.interval};
    MeasuredTitle title = {.rules = jobs->job[0].rules, .seed = jobs->job[0].plan.seed};
    return measured_comparison(plot, &title, player, count, error);
}

static bool plot_all(const Jobs *jobs, const char *path, Error *error) {
    Plot plot = {.panels = 0};
    Error why = {""};
    if (!path)
        return true;
    bool made = jobs->done == 1 ? plot_one(&plot, &jobs->job[0], &why) : plot_several(&plot, jobs, &why);
    bool good = made ? plot_draw(&plot, path, error) : error_set(error, "%.200s: %.300s", path, why.text);
    plot_free(&plot);
    return good;
}

static json_t *json_of_jobs(const Jobs *jobs) {
    const char *kernel = kernel_name(jobs->kernel);
    json_t *array = json_array();
    for (int i = 0; i < jobs->done; i++) {
        const Job *job = &jobs->job[i];
        json_t *object = measure_report_json(&job->row, &job->measurement, job->plan.precision, kernel);
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
        return error_set(error, "There is no memory for the results.");
    for (int i = 0; i < jobs->done; i++)
        row[i] = jobs->job[i].row;
    bool good =
        app_write_json(options->app.json ? json_of_jobs(jobs) : NULL, options->app.json, error) &&
        table_write(options->csv, TABLE_CSV, measure_report_table, row, jobs->done, error) &&
        table_write(options->markdown, TABLE_MARKDOWN, measure_report_table, row, jobs->done, error) &&
        plot_all(jobs, options->plot, error);
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
    if (jobs->done > 0 || (good && jobs->count == 0)) {
        Error later;
        good &= write_all(jobs, good ? error : &later);
    }
    if (good && jobs->trouble.text[0])
        good = error_set(error, "%s", jobs->trouble.text);
    bool interrupted = jobs->done < jobs->count || (jobs->done && jobs->job[jobs->done - 1].row.interrupted);
    return good && !interrupted ? EXIT_DONE : EXIT_FAILED;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    MeasureOptions *options = chosen;
    if (!check_usage(options, arguments, error))
        return EXIT_USAGE;
    if (options->resume && !arguments_given(arguments, "precision"))
        options->precision = 0; // that of each measurement
    Jobs jobs = {.options = options};
    int code = EXIT_FAILED;
    bool good =
        (jobs.kernel = kernel_find(options->app.kernel, error)) &&
        (options->resume ? jobs_from_journal(&jobs, error)
                         : jobs_from_names(&jobs, arguments->operand, arguments->operands, &code, error)) &&
        open_outputs(&jobs, error);
    return free_jobs(&jobs, good ? measure(&jobs, error) : code);
}

const Command command_measure =
    COMMAND("measure", "STRATEGY...", MeasureOptions, measure_field,
            "Measure the mean lines of players, however strong, to a wanted precision",
            "A strategy is a built-in name ('tetralab strategies' lists them) or a file: JSON,\n"
            "or a .dat file of mdptetris. Weak players play whole games; for strong ones the\n"
            "rate of losses is measured by splitting, in seconds instead of weeks. Ctrl-C ends\n"
            "it with what is known by then; with --journal it can be resumed.\n",
            .has_rules = true, .has_running = true, .without = " max-pieces ");
