// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab compare: how many times as many lines does one strategy make as another? From a measurement of
// each, or, with --sprt, by a sequential test on pairs of whole games.
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/compare_report.h"
#include "app/measure_report.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tasks/comparing.h"
#include "tasks/long_games.h"

typedef struct CompareOptions {
    AppOptions app;
    CompareSettings compare;
    const char *markdown;
} CompareOptions;

// ---------------------------------------------------------------------------------------------------
// Options

static const Field own_field[] = {
    {"markdown", APP_OUTPUT(FIELD_AT(CompareOptions, markdown)),
     .help = "Also write the table as Markdown to FILE."},
};

static int more_options(void *options, OptionSet *sets) {
    CompareSettings *compare = &((CompareOptions *)options)->compare;
    sets[0] = (OptionSet){compare_fields, compare, NULL};
    sets[1] = (OptionSet){sprt_fields, compare, NULL};
    sets[2] = (OptionSet){FIELDS(own_field), options, NULL};
    return 3;
}

static void print_head(const CompareOptions *options) {
    app_print_rules(stdout, &options->app.rules, "", options->app.seed);
    fputs("\n\n", stdout);
    fflush(stdout);
}

// Takes the reference to the JSON.
static bool write_files(const CompareOptions *options, json_t *json, TableMaker *make, OutputPlotter *plot,
                        const void *rows, int count, Error *error) {
    return app_write_json(json, options->app.json, error) &&
           table_write(options->markdown, TABLE_MARKDOWN, make, rows, count, error) &&
           outputs_write(&options->app, make, plot, rows, count, error);
}

static CompareContext context_of(const CompareOptions *options, const AppPlayers *players) {
    return (CompareContext){&options->app.rules, options->app.seed, kernel_name(players->kernel),
                            TETRALAB_VERSION};
}

// ---------------------------------------------------------------------------------------------------
// Measuring

typedef struct MeasureProgress {
    const AppPlayers *players;
    Progress progress;
    char name[96]; // "bcts (1 of 3)"
} MeasureProgress;

static void begin_measuring(void *context, int k) {
    MeasureProgress *show = context;
    snprintf(show->name, sizeof show->name, "%s (%d of %d)", app_player_name(show->players, k), k + 1,
             show->players->count);
    progress_start(&show->progress, false);
}

static void show_measuring(void *context, const Advance *advance) {
    MeasureProgress *show = context;
    measure_report_progress(&show->progress, show->name, advance);
}

static void end_measuring(void *context) {
    progress_end(&((MeasureProgress *)context)->progress);
}

static int measure_all(const CompareOptions *options, const AppPlayers *players, Compared *list,
                       Error *error) {
    MeasureProgress show = {.players = players};
    ComparePlan plan = {.player = (const Player *const *)players->player,
                        .players = players->count,
                        .seed = options->app.seed,
                        .settings = &options->compare,
                        .work = {.jobs = (int)options->app.jobs,
                                 .stop = &progress_interrupted,
                                 .progress = show_measuring,
                                 .context = &show},
                        .begin = begin_measuring,
                        .end = end_measuring};
    return compare_measure(list, &plan, error);
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
    return write_files(options, compare_json(list, done, &context), compare_fill_table, compare_plot, list,
                       done, error);
}

static int compare_measured(const CompareOptions *options, const AppPlayers *players, Error *error) {
    size_t size = (size_t)players->count * sizeof(Compared);
    Compared *list = aligned_alloc(_Alignof(Compared), size);
    if (!list) {
        error_set(error, "Out of memory for %d strategies.", players->count);
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

static void show_testing(void *context, const Advance *advance) {
    Progress *progress = context;
    if (!progress_due(progress))
        return;
    char pairs[32], rate[24];
    progress_show(progress, "%s pairs, sum %.2f, %s pieces/s", text_grouped(advance->done, pairs),
                  advance->value, text_count(progress_rate(progress, advance->pieces), rate));
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
    return write_files(options, json, compare_sprt_fill_table, compare_sprt_plot, &(SprtTable){run, a, b}, 1,
                       error);
}

static int compare_tested(const CompareOptions *options, const AppPlayers *players, Error *error) {
    Progress progress;
    SprtRun run;
    SprtPlan plan = {.a = players->player[0],
                     .b = players->player[1],
                     .seed = options->app.seed,
                     .r0 = options->compare.ratio[0],
                     .r1 = options->compare.ratio[1],
                     .alpha = options->compare.alpha,
                     .beta = options->compare.beta,
                     .most_pairs = options->compare.pairs,
                     .work = {.jobs = (int)options->app.jobs,
                              .stop = &progress_interrupted,
                              .progress = show_testing,
                              .context = &progress}};
    LongGames watch = {.player = {plan.a, plan.b},
                       .players = 2,
                       .games = plan.most_pairs < USUAL_PAIRS ? plan.most_pairs : USUAL_PAIRS,
                       .jobs = plan.work.jobs,
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
    if (!compare_check(&options->compare, arguments->operands, &options->app.rules, arguments, error))
        return EXIT_USAGE;
    AppPlayers players;
    int code;
    if (app_players(&players, &options->app, arguments, &code, error)) {
        progress_catch_interrupt();
        code = (compare_has_test(&options->compare) ? compare_tested : compare_measured)(options, &players,
                                                                                         error);
    }
    return app_players_free(&players, code);
}

const Command command_compare = {
    .name = "compare",
    .operands = "A B [C...]",
    .summary = "Say how many times as many lines one strategy makes as another",
    .details = "Each strategy is measured, and the means are divided; behind the ratio stands its\n"
               "95 % interval. More than two strategies are ranked, best first. With --sprt, games\n"
               "are played in pairs with the same pieces until it is known which of two ratios is\n"
               "true. Ctrl-C says what is known so far.\n",
    .run = run,
    .size = sizeof(CompareOptions),
    .more = more_options,
    .has_rules = true,
    .has_running = true,
    .without = " max-pieces ",
    .picture =
        "Also draw FILE (.svg, .png, .pdf or .eps): the ratios to the best one with their 95 % intervals; of "
        "--sprt, the ratio of the second to the first.",
};
