// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab learn: a player from its scores alone, into a folder from which the learning can go on.
#include <inttypes.h>
#include <math.h>

#include "app/app.h"
#include "app/table.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "learn/learn_session.h"
#include "plot/curves.h"
#include "plot/gnuplot.h"

typedef struct LearnOptions {
    AppOptions app;
    LearnSettings learn;
} LearnOptions;

typedef struct Session {
    const LearnOptions *options;
    LearnSession learn; // its plan, folder and result
    Progress progress;
} Session;

// ---------------------------------------------------------------------------------------------------
// While it learns

static const char *lines_of(const Session *session, double score, char out[24]) {
    return text_count(objective_lines(session->learn.plan.objective.kind, score), out);
}

static void show_progress(void *context, const LearningStatus *status) {
    Session *session = context;
    if (!progress_due(&session->progress))
        return;
    char evaluations[24], pieces[24], left[PROGRESS_LEFT], best[24], mean[24], scores[120] = "", run[48] = "";
    const Generation *last = status->last;
    if (status->runs > 1 && last)
        snprintf(run, sizeof run, "run %d of %d, ", last->run + 1, status->runs);
    if (last)
        snprintf(scores, sizeof scores, "generation %" PRIu64 ": best %s, answer %s lines, sigma %.3g, ",
                 last->generation, lines_of(session, last->best, best),
                 lines_of(session, isnan(last->curve) ? last->mean : last->curve, mean), last->sigma);
    progress_show(&session->progress, "%s%s%s %s, %s pieces%s", run, scores,
                  text_count((double)status->evaluations, evaluations),
                  session->learn.plan.objective.kind == OBJECTIVE_GAMES ? "games" : "repetitions",
                  text_count((double)status->pieces, pieces), progress_left(status->left, left));
}

static void tell_left_out(const Session *session) {
    uint64_t lines = run_folder_left_out(session->learn.folder);
    const char *path = session->learn.path;
    char sentence[600];
    snprintf(sentence, sizeof sentence,
             "%" PRIu64
             " line%s of %.200s/journal.jsonl %s damaged or beyond the checkpoint and %s left out; the file "
             "as it was is now %.200s/journal.jsonl.before.",
             lines, lines == 1 ? "" : "s", path, lines == 1 ? "was" : "were", lines == 1 ? "is" : "are",
             path);
    if (lines)
        app_complain(NULL, sentence);
}

static bool learn(Session *session, LearnSettings *settings, Error *error) {
    const AppOptions *app = &session->options->app;
    LearnSession *learn = &session->learn;
    if (!learn_session_open(learn, settings, TETRALAB_VERSION, error))
        return false;
    if (learn->resumed)
        tell_left_out(session);
    learn->progress = show_progress;
    learn->context = session;
    progress_catch_interrupt();
    progress_start(&session->progress, false);
    bool good =
        learn_session_run(learn, app->kernel, (int)app->jobs, crew_make, &progress_interrupted, error);
    progress_end(&session->progress);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// What came out

static void print_runs(const Session *session) {
    const LearningResult *result = &session->learn.result;
    const LearningPlan *plan = &session->learn.plan;
    const char *samples = plan->objective.kind == OBJECTIVE_GAMES ? "games" : "repetitions";
    const TableColumn columns[] = {{"run", 4},    {"generations", 11}, {samples, 12},
                                   {"pieces", 8}, {"last score", 12},  {"ended", -1}};
    Table table = {.out = stdout};
    char evaluations[32], full[32], curve[24], time[24];
    TABLE_HEAD(&table, columns);
    for (int k = 0; k < result->runs; k++) {
        const LearningRun *run = &result->run[k];
        double score = isnan(run->last_curve) ? run->last_best : run->last_curve;
        table_cell(&table, "%d", k + 1);
        table_cell(&table, "%" PRIu64, run->generations);
        table_grouped(&table, run->evaluations);
        table_count(&table, (double)run->pieces);
        table_cell(&table, "%s", isnan(score) ? "" : lines_of(session, score, curve));
        table_cell(&table, "%s", run->stopped);
    }
    LearningRun sum = learn_session_total(&session->learn);
    if (plan->race.bound != RACE_NONE && sum.full)
        printf("\nThe races took %s of %s games, %.1f %%", text_grouped(sum.evaluations, evaluations),
               text_grouped(sum.full, full), 100 * (double)sum.evaluations / (double)sum.full);
    if (plan->race.bound != RACE_NONE && sum.at_limit > 0)
        printf("; %.1f %% of the %s up to r_limit", 100 * (double)sum.evaluations / sum.at_limit,
               text_grouped((uint64_t)sum.at_limit, full));
    if (plan->race.bound != RACE_NONE && sum.full)
        puts(".");
    printf("\nLearned for %s.\n", text_seconds(result->seconds, time));
}

static void print_weights(const Session *session) {
    const Encoding *encoding = &session->learn.plan.objective.encoding;
    int size = encoding_size(encoding);
    double weight[ENCODING_MAX];
    char label[64];
    run_players_mean(learn_session_players(&session->learn), weight);
    printf("\n%s\n", session->learn.result.runs > 1 ? "The player, the mean of the runs:" : "The player:");
    for (int k = 0; k < size; k++) {
        encoding_label(encoding, k, label);
        utf8_print(stdout, "  %-26s %12.6g\n", label, weight[k]);
    }
}

// A picture that cannot be drawn is no reason to call hours of learning failed.
static bool draw(const Session *session) {
    char path[4200];
    LearningHistory history = {0};
    Plot plot = {.panels = 0};
    Error error = {""};
    snprintf(path, sizeof path, "%s/curves.svg", session->learn.path);
    bool good = learning_history_read(&history, session->learn.path, app_complain, NULL, &error) &&
                curves_make(&plot, &history, &error) && plot_draw(&plot, path, &error);
    plot_free(&plot);
    learning_history_free(&history);
    if (!good)
        app_complain(NULL, error.text);
    return good;
}

static bool report(const Session *session, Error *error) {
    const LearnOptions *options = session->options;
    const char *path = session->learn.path;
    if (learn_session_total(&session->learn).generations == 0)
        return error_set(error,
                         "not one generation was complete; give more --time, or fewer --games or a smaller "
                         "--population. 'tetralab learn --resume %.200s' begins again.",
                         path);
    bool drawn = draw(session);
    if (!options->app.quiet) {
        print_runs(session);
        print_weights(session);
        utf8_print(stdout, "\n%s/best.json is the player%s%s%s.\n", path, drawn ? ", " : "",
                   drawn ? path : "", drawn ? "/curves.svg shows how it was learned" : "");
        utf8_print(stdout,
                   "Measure it, with other seeds:  tetralab measure %s/best.json --seed %" PRIu64 "\n", path,
                   session->learn.plan.seed + 1);
    }
    if (session->learn.result.interrupted)
        utf8_print(stderr, "tetralab learn: interrupted; go on with 'tetralab learn --resume %s'.\n", path);
    return app_write_json(options->app.json ? learn_session_json(&session->learn) : NULL, options->app.json,
                          error);
}

// ---------------------------------------------------------------------------------------------------
// The command

static int more_options(void *options, OptionSet *sets) {
    static char title[OPTIMISER_COUNT][80];
    int count = learn_settings_sets(&((LearnOptions *)options)->learn, sets);
    for (int m = 0; m < OPTIMISER_COUNT; m++) {
        snprintf(title[m], sizeof title[m], "--method %s (%s):", optimiser_words[m],
                 optimiser_traits((OptimiserMethod)m)->title);
        sets[count - OPTIMISER_COUNT + m].title = title[m];
    }
    return count;
}

static bool make_plan(LearnOptions *options, const Arguments *arguments, Error *error) {
    return learn_settings_plan(&options->learn, &options->app.rules, &options->app.running, arguments, error);
}

static bool complete(void *chosen, const Arguments *arguments, OptionSet *set, Error *error) {
    LearnOptions *options = chosen;
    LearnSettings *settings = &options->learn;
    if (!make_plan(options, arguments, error))
        return false;
    if (!settings->start)
        settings->start = settings->plan.start == START_RANDOM ? "random" : "zero";
    OptimiserPlan *optimiser = &settings->plan.optimiser;
    *set = (OptionSet){*optimiser_traits(optimiser->method)->fields, optimiser, NULL};
    return true;
}

static void release(void *options) {
    learn_settings_free(&((LearnOptions *)options)->learn);
}

static bool check_usage(LearnOptions *options, const Arguments *arguments, Error *error) {
    const LearnSettings *settings = &options->learn;
    if (arguments->operands)
        return error_set(error, "there are no operands, got '%.60s'.", arguments->operand[0]);
    return learn_settings_check(settings, arguments, "json", error) &&
           (settings->resume || settings->repeat || make_plan(options, arguments, error));
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    LearnOptions *options = chosen;
    Session session = {.options = options};
    int code = EXIT_USAGE;
    if (check_usage(options, arguments, error)) {
        bool good = learn(&session, &options->learn, error) && report(&session, error);
        code = good && !session.learn.result.interrupted ? EXIT_DONE : EXIT_FAILED;
    }
    learn_session_close(&session.learn);
    release(options);
    return code;
}

const Command command_learn = {
    .name = "learn",
    .operands = "",
    .summary = "Learn a player from its scores alone",
    .details =
        "Without options: CMA-ES learns weights for the eight features of bcts from a random vector in 60\n"
        "seconds, on the full game, into the folder 'learned'. CMA-ES, cross-entropy, the genetic\n"
        "algorithm and the swarm of the papers, their features, rules and numbers of games can be asked\n"
        "for; docs/learning.md shows the papers' settings. The folder holds\n"
        "run.json (the settings), journal.jsonl (the history: every generation), checkpoints, best.json\n"
        "(the player, a strategy file) and curves.svg. Ctrl-C or a crash loses at most the generation under\n"
        "way.\n",
    .run = run,
    .size = sizeof(LearnOptions),
    .more = more_options,
    .complete = complete,
    .release = release,
    .has_rules = true,
    .has_running = true,
    .titled = true,
};
