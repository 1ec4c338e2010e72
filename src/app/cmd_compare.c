// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab compare: how many times as many lines does one strategy make as another? From a measurement of
// each, or, with --sprt, by a sequential test on pairs of whole games.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/compare_report.h"
#include "app/measure_report.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "lab/long_games.h"
#include "lab/measurement.h"
#include "measure/sprt.h"

enum { MAX_STRATEGIES = 100 };

typedef struct CompareOptions {
    AppOptions app;
    double precision; // per cent
    MeasureMethod method;
    double ratio[2]; // R0, R1; both 0: no sequential test
    double alpha, beta;
    uint64_t pairs;
    const char *csv, *markdown;
} CompareOptions;

// ---------------------------------------------------------------------------------------------------
// Options

// The regression of heights is too biased for a comparison.
static bool is_exact(int method) {
    return method != MEASURE_HEIGHTS;
}

static const Field compare_field[] = {
    {"precision", FIELD_OTHER, FIELD_AT(CompareOptions, precision), .type = &field_percentage,
     .otherwise = "5%", .least = 0.1, .most = 1000, .argument = "P%",
     .help = "Measure until the 95 % interval of each ratio is within about P % of the ratio."},
    {"method", FIELD_WORD, FIELD_AT(CompareOptions, method), .preset = MEASURE_AUTO,
     .words = measure_method_words, .takes = is_exact, .argument = "NAME",
     .help = "How to measure: games, splitting, or auto: whichever is faster."},
    {"sprt", FIELD_LIST, FIELD_AT(CompareOptions, ratio), .size = 2, .least = 1e-6, .most = 1e6,
     .argument = "R0,R1", .otherwise = "no test",
     .help = "Instead of measuring: test on pairs of whole games whether the second strategy makes R0 or R1 "
             "times as many lines as the first, such as 1,1.1, and stop as soon as that is known."},
    {"alpha", FIELD_REAL, FIELD_AT(CompareOptions, alpha), .preset = 0.05, .least = 0.0001, .most = 0.4,
     .argument = "A", .help = "With --sprt: how often R1 may be accepted though R0 is true."},
    {"beta", FIELD_REAL, FIELD_AT(CompareOptions, beta), .preset = 0.05, .least = 0.0001, .most = 0.4,
     .argument = "B", .help = "With --sprt: how often R0 may be accepted though R1 is true."},
    {"pairs", FIELD_WHOLE, FIELD_AT(CompareOptions, pairs), .preset = 100000, .least = SPRT_FIRST_LOOK,
     .most = SPRT_MAX_PAIRS, .argument = "N", .help = "With --sprt: give up after N pairs."},
    {"csv", APP_OUTPUT(FIELD_AT(CompareOptions, csv)), .help = "Also write the table as CSV to FILE."},
    {"markdown", APP_OUTPUT(FIELD_AT(CompareOptions, markdown)),
     .help = "Also write the table as Markdown to FILE."},
};

static bool has_test(const CompareOptions *options) {
    return options->ratio[0] > 0;
}

static bool check_usage(const CompareOptions *options, const Arguments *arguments, Error *error) {
    bool sprt = has_test(options);
    int strategies = arguments->operands;
    if (strategies < 2)
        return error_set(error, "name at least two strategies, as in tetralab compare dellacherie bcts.");
    if (strategies > MAX_STRATEGIES)
        return error_set(error, "%d strategies are too many; at most %d are compared.", strategies,
                         MAX_STRATEGIES);
    if (sprt && options->ratio[0] == options->ratio[1])
        return error_set(error, "--sprt needs two different ratios, such as 1,1.1.");
    if (sprt && strategies != 2)
        return error_set(error, "--sprt tests one strategy against another: give two, not %d.", strategies);
    if (sprt && (arguments_given(arguments, "method") || arguments_given(arguments, "precision")))
        return error_set(
            error, "--sprt plays whole games until it knows: it goes without --method and --precision.");
    if (!sprt && (arguments_given(arguments, "pairs") || arguments_given(arguments, "alpha") ||
                  arguments_given(arguments, "beta")))
        return error_set(error,
                         "--alpha, --beta and --pairs belong to the sequential test: add --sprt R0,R1.");
    return rules_check(&options->app.rules, error);
}

static void print_head(const CompareOptions *options) {
    app_print_rules(stdout, &options->app.rules, "", options->app.seed);
    fputs("\n\n", stdout);
    fflush(stdout);
}

// Takes the reference to the JSON.
static bool write_files(const CompareOptions *options, json_t *json, TableMaker *make, const void *rows,
                        int count, Error *error) {
    return app_write_json(json, options->app.json, error) &&
           table_write(options->csv, TABLE_CSV, make, rows, count, error) &&
           table_write(options->markdown, TABLE_MARKDOWN, make, rows, count, error);
}

static CompareContext context_of(const CompareOptions *options, const AppPlayers *players) {
    return (CompareContext){&options->app.rules, options->app.seed, kernel_name(players->kernel)};
}

// ---------------------------------------------------------------------------------------------------
// Measuring

typedef struct MeasureProgress {
    Progress progress;
    char name[96]; // "bcts (1 of 3)"
} MeasureProgress;

static void show_measuring(void *context, const MeasureStatus *status) {
    MeasureProgress *show = context;
    measure_report_progress(&show->progress, show->name, status);
}

// <- how many were measured, in part at least; fewer than all after Ctrl-C, or if one failed
// -> error  its text is empty before, and set if one failed
static int measure_all(const CompareOptions *options, const AppPlayers *players, Compared *list,
                       Error *error) {
    int done = 0;
    for (; done < players->count && !progress_interrupted; done++) {
        const char *name = app_player_name(players, done);
        MeasureProgress show;
        snprintf(show.name, sizeof show.name, "%s (%d of %d)", name, done + 1, players->count);
        MeasurePlan plan = {.player = players->player[done],
                            .seed = options->app.seed,
                            .method = options->method,
                            .precision = ratio_each_precision(options->precision / 100),
                            .jobs = (int)options->app.jobs,
                            .stop = &progress_interrupted,
                            .progress = show_measuring,
                            .context = &show};
        list[done].name = name;
        progress_start(&show.progress, false);
        Error detail;
        bool good = measurement_run(&list[done].measurement, &plan, &detail);
        progress_end(&show.progress);
        if (!good) {
            measurement_free(&list[done].measurement);
            if (!progress_interrupted || done == 0)
                error_set(error, "%s: %.400s", name, detail.text);
            return done;
        }
    }
    return done;
}

static bool report_measured(const CompareOptions *options, const AppPlayers *players, Compared *list,
                            int done, Error *error) {
    CompareContext context = context_of(options, players);
    compare_rank(list, done);
    if (!options->app.quiet) {
        compare_print_table(stdout, list, done);
        compare_print_sentences(stdout, list, done);
        if (done < players->count)
            utf8_print(stdout, "%s: %d of %d strategies were measured.\n",
                       progress_interrupted ? "Interrupted" : "Failed", done, players->count);
    }
    if (done < 2)
        return true;
    return write_files(options, compare_json(list, done, app_player_name(players, 0), &context),
                       compare_fill_table, list, done, error);
}

static int compare_measured(const CompareOptions *options, const AppPlayers *players, Error *error) {
    size_t size = (size_t)players->count * sizeof(Compared);
    Compared *list = aligned_alloc(_Alignof(Compared), size);
    if (!list) {
        error_set(error, "There is no memory for %d strategies.", players->count);
        return EXIT_FAILED;
    }
    memset(list, 0, size);
    if (!options->app.quiet)
        print_head(options);
    int done = measure_all(options, players, list, error);
    Error later = {""};
    bool reported = done == 0 || report_measured(options, players, list, done, &later);
    if (!reported && !error->text[0])
        *error = later;
    for (int i = 0; i < done; i++)
        measurement_free(&list[i].measurement);
    free(list);
    return error->text[0] || progress_interrupted ? EXIT_FAILED : EXIT_DONE;
}

// ---------------------------------------------------------------------------------------------------
// The sequential test

enum { USUAL_PAIRS = 100 }; // until it is decided, for a guess of how long it takes

static void show_testing(void *context, const Sprt *sprt, uint64_t pieces) {
    Progress *progress = context;
    if (!progress_due(progress))
        return;
    char pairs[32], rate[24];
    progress_show(progress, "%s pairs, sum %.2f of %.2f .. %.2f (%s test), %s pieces/s",
                  text_grouped(sprt->pairs, pairs), sprt_sum(sprt), sprt->lower, sprt->upper,
                  sprt_test_name(sprt->test), text_count(progress_rate(progress, pieces), rate));
}

static bool report_tested(const CompareOptions *options, const AppPlayers *players, const SprtRun *run,
                          Error *error) {
    CompareContext context = context_of(options, players);
    const char *a = app_player_name(players, 0), *b = app_player_name(players, 1);
    if (!options->app.quiet) {
        print_head(options);
        compare_print_sprt(stdout, run, a, b);
    }
    json_t *json = options->app.json ? compare_sprt_json(run, a, b, &context) : NULL;
    return write_files(options, json, compare_sprt_fill_table, &(SprtTable){run, a, b}, 1, error);
}

static int compare_tested(const CompareOptions *options, const AppPlayers *players, Error *error) {
    Progress progress;
    SprtRun run;
    SprtPlan plan = {.a = players->player[0],
                     .b = players->player[1],
                     .seed = options->app.seed,
                     .r0 = options->ratio[0],
                     .r1 = options->ratio[1],
                     .alpha = options->alpha,
                     .beta = options->beta,
                     .most_pairs = options->pairs,
                     .jobs = (int)options->app.jobs,
                     .stop = &progress_interrupted,
                     .progress = show_testing,
                     .context = &progress};
    LongGames watch = {.player = {plan.a, plan.b},
                       .players = 2,
                       .games = plan.most_pairs < USUAL_PAIRS ? plan.most_pairs : USUAL_PAIRS,
                       .jobs = plan.jobs,
                       .command = "compare"};
    progress_start(&progress, false);
    long_games_begin(&watch);
    bool good = sprt_run(&run, &plan, error);
    long_games_end(&watch);
    progress_end(&progress);
    good = good && report_tested(options, players, &run, error);
    bool interrupted = run.interrupted;
    sprt_run_free(&run);
    return good && !interrupted ? EXIT_DONE : EXIT_FAILED;
}

// ---------------------------------------------------------------------------------------------------
// The command

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const CompareOptions *options = chosen;
    if (!check_usage(options, arguments, error))
        return EXIT_USAGE;
    AppPlayers players;
    int code;
    if (app_players(&players, &options->app, arguments, &code, error)) {
        progress_catch_interrupt();
        code = (has_test(options) ? compare_tested : compare_measured)(options, &players, error);
    }
    return app_players_free(&players, code);
}

const Command command_compare =
    COMMAND("compare", "A B [C...]", CompareOptions, compare_field,
            "Say how many times as many lines one strategy makes as another",
            "Each strategy is measured, and the means are divided; behind the ratio stands its\n"
            "95 % interval. More than two strategies are ranked, best first. With --sprt, games\n"
            "are played in pairs with the same pieces until it is known which of two ratios is\n"
            "true. Ctrl-C says what is known so far.\n",
            .has_rules = true, .has_running = true, .without = " max-pieces ");
