// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab learn: a player from its scores alone, into a folder from which the learning can go on.
#include <inttypes.h>
#include <math.h>

#include "app/app.h"
#include "app/learn_options.h"
#include "app/table.h"
#include "base/fields_json.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "learn/crew.h"
#include "learn/run_folder.h"
#include "plot/curves.h"
#include "plot/gnuplot.h"

typedef struct Session {
    const LearnOptions *options;
    LearningPlan plan; // owned
    const char *path;
    RunFolder *folder;
    Crew *crew;
    Progress progress;
    LearningResult result;
} Session;

// ---------------------------------------------------------------------------------------------------
// While it learns

static const char *lines_of(const Session *session, double score, char out[24]) {
    return text_count(objective_lines(session->plan.objective.kind, score), out);
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
                  session->plan.objective.kind == OBJECTIVE_GAMES ? "games" : "repetitions",
                  text_count((double)status->pieces, pieces), progress_left(status->left, left));
}

static bool keep_generation(void *context, const Generation *generation, const json_t *state, Error *error) {
    Session *session = context;
    return run_folder_generation(session->folder, generation, state, error);
}

// With --resume and --repeat the plan is in the folder; the options can only give it another end: a limit
// that is given takes the place of all others. <- true: they did
static bool extend(const LearningPlan *given, LearningPlan *plan) {
    if (!(given->seconds > 0) && !given->generations && !given->evaluations)
        return false;
    plan->seconds = given->seconds;
    plan->generations = given->generations;
    plan->evaluations = given->evaluations;
    return true;
}

static void tell_left_out(const Session *session) {
    uint64_t lines = run_folder_left_out(session->folder);
    char sentence[600];
    snprintf(sentence, sizeof sentence,
             "%" PRIu64
             " line%s of %.200s/journal.jsonl %s damaged or beyond the checkpoint and %s left out; the file "
             "as it was is now %.200s/journal.jsonl.before.",
             lines, lines == 1 ? "" : "s", session->path, lines == 1 ? "was" : "were",
             lines == 1 ? "is" : "are", session->path);
    if (lines)
        app_complain(NULL, sentence);
}

static bool open_folder(Session *session, Error *error) {
    const LearnOptions *options = session->options;
    session->path = options->resume ? options->resume : options->out;
    if (options->resume) {
        session->folder = run_folder_open(options->resume, &session->plan, error);
        if (session->folder)
            tell_left_out(session);
        return session->folder &&
               (!extend(&options->plan, &session->plan) ||
                run_folder_change(session->folder, &session->plan, TETRALAB_VERSION, error));
    }
    if (options->repeat) {
        if (!run_folder_plan(options->repeat, &session->plan, error))
            return false;
        extend(&options->plan, &session->plan);
    }
    session->folder = run_folder_new(options->out, &session->plan, TETRALAB_VERSION, error);
    return session->folder;
}

static bool learn(Session *session, Error *error) {
    const LearnOptions *options = session->options;
    LearningEvents events = {.generation = keep_generation, .progress = show_progress, .context = session};
    session->plan.objective.kernel = kernel_find(options->app.kernel, error);
    if (!session->plan.objective.kernel)
        return false;
    session->crew = crew_make(&session->plan.objective, (int)options->app.jobs, error);
    if (!session->crew)
        return false;
    progress_catch_interrupt();
    progress_start(&session->progress, false);
    bool good = learning_run(&session->result, &session->plan, session->crew,
                             options->resume ? run_folder_states(session->folder) : NULL,
                             options->resume ? run_folder_spent(session->folder) : 0, &progress_interrupted,
                             &events, error);
    progress_end(&session->progress);
    session->crew->close(session->crew);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// What came out

// Of all runs together.
static LearningRun total(const LearningResult *result) {
    LearningRun sum = {0};
    for (int k = 0; k < result->runs; k++) {
        sum.generations += result->run[k].generations;
        sum.evaluations += result->run[k].evaluations;
        sum.full += result->run[k].full;
        sum.at_limit += result->run[k].at_limit;
    }
    return sum;
}

static void print_runs(const Session *session) {
    const LearningResult *result = &session->result;
    const char *samples = session->plan.objective.kind == OBJECTIVE_GAMES ? "games" : "repetitions";
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
    LearningRun sum = total(result);
    if (session->plan.race.bound != RACE_NONE && sum.full)
        printf("\nThe races took %s of %s games, %.1f %%", text_grouped(sum.evaluations, evaluations),
               text_grouped(sum.full, full), 100 * (double)sum.evaluations / (double)sum.full);
    if (session->plan.race.bound != RACE_NONE && sum.at_limit > 0)
        printf("; %.1f %% of the %s up to r_limit", 100 * (double)sum.evaluations / sum.at_limit,
               text_grouped((uint64_t)sum.at_limit, full));
    if (session->plan.race.bound != RACE_NONE && sum.full)
        puts(".");
    printf("\nLearned for %s.\n", text_seconds(result->seconds, time));
}

static void print_weights(const Session *session) {
    const Encoding *encoding = &session->plan.objective.encoding;
    int size = encoding_size(encoding);
    double weight[ENCODING_MAX];
    char label[64];
    run_folder_player(session->folder, weight);
    printf("\n%s\n", session->result.runs > 1 ? "The player, the mean of the runs:" : "The player:");
    for (int k = 0; k < size; k++) {
        encoding_label(encoding, k, label);
        utf8_print(stdout, "  %-26s %12.6g\n", label, weight[k]);
    }
}

static json_t *result_json(const Session *session) {
    const LearningResult *result = &session->result;
    json_t *json = json_object(), *runs = json_array();
    double weight[ENCODING_MAX];
    int size = encoding_size(&session->plan.objective.encoding);
    run_folder_player(session->folder, weight);
    for (int k = 0; k < result->runs; k++) {
        const LearningRun *run = &result->run[k];
        json_t *one = json_object();
        json_object_set_new(one, "generations", json_whole(run->generations));
        json_object_set_new(one, "evaluations", json_whole(run->evaluations));
        json_object_set_new(one, "evaluations_without_race", json_whole(run->full));
        if (run->at_limit > 0) // with a race, and known
            json_object_set_new(one, "evaluations_at_limit", json_real(run->at_limit));
        json_object_set_new(one, "pieces", json_whole(run->pieces));
        json_object_set_new(one, "curve", isnan(run->last_curve) ? json_null() : json_real(run->last_curve));
        json_object_set_new(one, "weights", json_list(run_folder_answer(session->folder, k), size));
        json_object_set_new(one, "stopped", json_string(run->stopped));
        json_array_append_new(runs, one);
    }
    json_object_set_new(json, "method", json_string(optimiser_words[session->plan.optimiser.method]));
    json_object_set_new(json, "objective", json_string(objective_words[session->plan.objective.kind]));
    fields_save(rules_fields, &session->plan.objective.rules, json);
    json_object_set_new(json, "seed", json_whole(session->plan.seed));
    json_object_set_new(json, "out", json_name(session->path));
    json_object_set_new(json, "weights", json_list(weight, size));
    json_object_set_new(json, "runs", runs);
    json_object_set_new(json, "seconds", json_real(result->seconds));
    json_object_set_new(json, "interrupted", json_boolean(result->interrupted));
    return json;
}

// A picture that cannot be drawn is no reason to call hours of learning failed.
static bool draw(const Session *session) {
    char path[4200];
    LearningHistory history = {0};
    Plot plot = {.panels = 0};
    Error error = {""};
    snprintf(path, sizeof path, "%s/curves.svg", session->path);
    bool good = learning_history_read(&history, session->path, app_complain, NULL, &error) &&
                curves_make(&plot, &history, &error) && plot_draw(&plot, path, &error);
    plot_free(&plot);
    learning_history_free(&history);
    if (!good)
        app_complain(NULL, error.text);
    return good;
}

static bool report(const Session *session, Error *error) {
    const LearnOptions *options = session->options;
    const char *path = session->path;
    if (total(&session->result).generations == 0)
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
                   session->plan.seed + 1);
    }
    if (session->result.interrupted)
        utf8_print(stderr, "tetralab learn: interrupted; go on with 'tetralab learn --resume %s'.\n", path);
    return app_write_json(options->app.json ? result_json(session) : NULL, options->app.json, error);
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    LearnOptions *options = chosen;
    Session session = {.options = options};
    bool in_folder = options->resume || options->repeat;
    if (!learn_options_check(options, arguments, error) ||
        (!in_folder && !learn_options_plan(options, arguments, error))) {
        learning_plan_free(&options->plan);
        return EXIT_USAGE;
    }
    if (!in_folder)
        session.plan = options->plan; // owns it from now on; open_folder reads the others
    bool good = open_folder(&session, error) && learn(&session, error) && report(&session, error);
    good = good && !session.result.interrupted;
    learning_free(&session.result);
    run_folder_close(session.folder);
    learning_plan_free(&session.plan);
    return good ? EXIT_DONE : EXIT_FAILED;
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
    .more = learn_options_sets,
    .complete = learn_options_complete,
    .release = learn_options_release,
    .has_rules = true,
    .has_running = true,
    .titled = true,
};
