// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab learn: a player from its scores alone, into a folder from which the learning can go on.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/recommend.h"
#include "app/table.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "learn/learn_session.h"
#include "plot/gnuplot.h"
#include "plot/overlay.h"
#include "tasks/ioh_log.h"

typedef struct LearnOptions {
    AppOptions app;
    LearnSettings learn;
    const char *iohprofiler; // NULL: no log
} LearnOptions;

typedef struct Session {
    const LearnOptions *options;
    LearnSession learn;          // its plan, folder and result
    Recommendation *recommended; // owned; of each run, with an instance
    Progress progress;
} Session;

// ---------------------------------------------------------------------------------------------------
// While it learns

static const char *lines_of(const Session *session, double score, char out[24]) {
    return text_count(objective_lines(session->learn.plan.objective.kind, score), out);
}

// The newest generation that is complete.
static void print_last(const Session *session, const Generation *last, char out[240]) {
    char run[32] = "", best[24], answer[24];
    if (session->learn.plan.runs > 1)
        snprintf(run, sizeof run, " of run %d", last->run + 1);
    snprintf(out, 240, "; generation %" PRIu64 "%s: best %s, answer %s lines, sigma %.3g", last->generation,
             run, lines_of(session, last->best, best),
             lines_of(session, isnan(last->curve) ? last->mean : last->curve, answer), last->sigma);
}

static void show_progress(void *context, const LearningStatus *status) {
    Session *session = context;
    if (!progress_due(&session->progress))
        return;
    char evaluations[24], pieces[24], left[PROGRESS_LEFT], last[240] = "", runs[40] = "";
    if (status->runs > 1)
        snprintf(runs, sizeof runs, "%d of %d runs, ", status->runs - status->ended, status->runs);
    if (status->last)
        print_last(session, status->last, last);
    progress_show(&session->progress, "%sgeneration %" PRIu64 ": %d of %d vectors%s%s; %s %s, %s pieces",
                  runs, status->generation, status->scored, status->vectors,
                  progress_left(status->left, left), last,
                  text_count((double)status->evaluations, evaluations),
                  session->learn.plan.objective.kind == OBJECTIVE_GAMES ? "games" : "repetitions",
                  text_count((double)status->pieces, pieces));
}

static void tell_left_out(const Session *session) {
    uint64_t lines = session->learn.folder->left_out;
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

// Before the folder is made, where the plan is known by then.
static bool check_log(const Session *session, const LearningPlan *plan, Error *error) {
    const char *folder = session->options->iohprofiler;
    IohMode mode = session->options->learn.resume ? IOH_REPLACE : IOH_NEW;
    IohLog log = {0};
    bool good = !folder || (ioh_log_make(&log, plan->instance, &plan->objective, "", "", 1, error) &&
                            ioh_log_check(&log, folder, mode, error));
    ioh_log_free(&log);
    return good;
}

static bool learn(Session *session, LearnSettings *settings, Error *error) {
    const AppOptions *app = &session->options->app;
    LearnSession *learn = &session->learn;
    bool known = !settings->resume && !settings->repeat;
    if ((known && !check_log(session, &settings->plan, error)) ||
        !learn_session_open(learn, settings, TETRALAB_VERSION, error) ||
        (!known && !check_log(session, &learn->plan, error)))
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
    encoding_unscale(encoding, weight, weight);
    printf("\n%s\n", session->learn.result.runs > 1 ? "The player, the mean of the runs:" : "The player:");
    for (int k = 0; k < size; k++) {
        encoding_label(encoding, k, label);
        utf8_print(stdout, "  %-26s %12.6g\n", label, weight[k]);
    }
}

// With an instance: what the answers of the runs are worth.
static bool recommend(Session *session, Error *error) {
    const LearnSession *learn = &session->learn;
    const RunPlayers *players = learn_session_players(learn);
    int runs = learn->result.runs;
    if (!learn->plan.instance[0] || learn->result.interrupted)
        return true;
    session->recommended = calloc((size_t)runs, sizeof *session->recommended);
    if (!session->recommended)
        return error_set(error, "Out of memory for %d measurements.", runs);
    progress_start(&session->progress, false);
    for (int k = 0; k < runs; k++) {
        Recommendation *one = &session->recommended[k];
        Strategy strategy;
        run_players_strategy(players, k, &strategy);
        if (progress_due(&session->progress))
            progress_show(&session->progress, "measuring the answers: %d of %d", k, runs);
        if (!recommend_measure(one, &strategy, &learn->plan.objective, k + 1, &session->options->app, error))
            return false;
        if (one->interrupted) {
            session->learn.result.interrupted = true;
            free(session->recommended);
            session->recommended = NULL;
            break;
        }
    }
    progress_end(&session->progress);
    return true;
}

static void print_recommended(const Session *session) {
    const TableColumn columns[] = {
        {"instance", 8}, {"evaluations", 11}, {"answer's lines", 14}, {"95 % interval", 19}};
    Table table = {.out = stdout};
    char mean[24], low[24], high[24];
    if (!session->recommended)
        return;
    printf("\n%s, answers measured with seeds of their own:\n", session->learn.plan.instance);
    TABLE_HEAD(&table, columns);
    for (int k = 0; k < session->learn.result.runs; k++) {
        const Recommendation *one = &session->recommended[k];
        char interval[60];
        snprintf(interval, sizeof interval, "%s .. %s", text_count(one->low, low),
                 text_count(one->high, high));
        table_cell(&table, "%d", k + 1);
        table_grouped(&table, session->learn.result.run[k].evaluations / session->learn.plan.samples);
        table_cell(&table, "%s", text_count(one->lines, mean));
        table_cell(&table, "%s", interval);
    }
}

// The log is made of the history, so that a run that was interrupted and resumed has the log of one that was
// not.
static bool write_log(const Session *session, Error *error) {
    const char *folder = session->options->iohprofiler;
    LearningHistory history = {0};
    IohLog log = {0};
    if (!folder)
        return true;
    bool good = learning_history_read(&history, session->learn.path, app_complain, NULL, error) &&
                ioh_log_learned(&log, &session->learn.plan, &history, error);
    for (int k = 0; good && session->recommended && k < log.runs; k++) {
        log.run[k].lines = session->recommended[k].lines;
        log.run[k].low = session->recommended[k].low;
        log.run[k].high = session->recommended[k].high;
    }
    good = good && ioh_log_write(&log, folder, IOH_REPLACE, error);
    ioh_log_free(&log);
    learning_history_free(&history);
    return good;
}

// A picture that cannot be drawn is no reason to call hours of learning failed.
static bool draw(const Session *session) {
    char path[4200];
    LearningHistory history = {0};
    Plot plot = {.panels = 0};
    Error error = {""};
    snprintf(path, sizeof path, "%s/curves.svg", session->learn.path);
    bool good = learning_history_read(&history, session->learn.path, app_complain, NULL, &error) &&
                overlay_learned(&plot, &history, &error) && plot_draw(&plot, path, &error);
    plot_free(&plot);
    learning_history_free(&history);
    if (!good)
        app_complain(NULL, error.text);
    return good;
}

static bool report(Session *session, Error *error) {
    const LearnOptions *options = session->options;
    const char *path = session->learn.path;
    if (learn_session_total(&session->learn).generations == 0)
        return error_set(error,
                         "not one generation was complete; give more --time, or fewer --games or a smaller "
                         "--population. 'tetralab learn --resume %.200s' begins again.",
                         path);
    bool drawn = draw(session);
    if (!recommend(session, error) || !write_log(session, error))
        return false;
    if (!options->app.quiet) {
        print_runs(session);
        print_recommended(session);
        print_weights(session);
        utf8_print(stdout, "\n%s/best.json is the player%s%s%s.\n", path, drawn ? ", " : "",
                   drawn ? path : "", drawn ? "/curves.svg shows how it was learned" : "");
        utf8_print(stdout, "Measure it, with other seeds:  tetralab measure %s/best.json", path);
        app_print_rule_options(stdout, &session->learn.plan.objective.rules);
        printf(" --seed %" PRIu64 "\n", session->learn.plan.seed + 1);
    }
    if (session->learn.result.interrupted)
        utf8_print(stderr, "tetralab learn: interrupted; resume with 'tetralab learn --resume %s'.\n", path);
    return app_write_json(options->app.json ? learn_session_json(&session->learn) : NULL, options->app.json,
                          error);
}

// ---------------------------------------------------------------------------------------------------
// The command

static const char *const in_folder[] = {"/", NULL};

static const Field learn_field[] = {
    {"iohprofiler", FIELD_STRING, FIELD_AT(LearnOptions, iohprofiler), .file = FIELD_WRITES,
     .endings = in_folder, .argument = "DIR",
     .help = "Also write every score into this folder, for IOHanalyzer; docs/evaluate.md shows it."},
};

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
    learning_plan_free(&((LearnOptions *)options)->learn.plan);
}

static bool check_usage(LearnOptions *options, const Arguments *arguments, Error *error) {
    const LearnSettings *settings = &options->learn;
    if (arguments->operands)
        return error_set(error, "there are no operands, got '%.60s'.", arguments->operand[0]);
    return learn_settings_check(settings, arguments, "json iohprofiler", error) &&
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
    free(session.recommended);
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
    .fields = FIELDS(learn_field),
    .more = more_options,
    .complete = complete,
    .release = release,
    .has_rules = true,
    .has_running = true,
    .titled = true,
};
