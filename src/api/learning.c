// SPDX-License-Identifier: GPL-3.0-or-later
// Learning for the public interface. The loop of learning_run is the caller's thread, so that the user's
// functions are called by it; the crew's threads play.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/settings.h"
#include "base/clock.h"
#include "base/json_memory.h"
#include "base/list.h"
#include "learn/learn_session.h"

typedef struct Kept Kept;
struct Kept {
    tetralab_generation generation; // its vectors are behind it
    double vector[];
};

struct tetralab_learned {
    LearnSession session; // owned
    char *out;            // owned; the path that the session borrows
    double *player;       // owned
    char (*label)[64];    // owned
    Kept **kept;          // owned, with what they point to
    size_t generations;
    bool no_memory; // for a generation
    // Of the call that makes it.
    tetralab_each_generation *each;
    tetralab_watch *watch;
    void *context;
    double started, told; // by clock_seconds
    bool stop;
};

// ---------------------------------------------------------------------------------------------------
// While it learns

static tetralab_generation generation_of(const Generation *g) {
    return (tetralab_generation){.run = g->run,
                                 .generation = g->generation,
                                 .evaluations = g->evaluations,
                                 .pieces = g->pieces,
                                 .seconds = g->seconds,
                                 .best = g->best,
                                 .mean = g->mean,
                                 .worst = g->worst,
                                 .lower = g->lower,
                                 .upper = g->upper,
                                 .curve = g->curve,
                                 .sigma = g->sigma,
                                 .size = g->size,
                                 .answer = g->answer,
                                 .best_vector = g->best_vector,
                                 .deviation = g->deviation,
                                 .stopped = g->stopped};
}

static Kept *keep(const tetralab_generation *generation) {
    size_t size = (size_t)generation->size;
    const char *stopped = generation->stopped;
    Kept *kept = malloc(sizeof *kept + 3 * size * sizeof(double) + (stopped ? strlen(stopped) + 1 : 0));
    if (!kept)
        return NULL;
    kept->generation = *generation;
    memcpy(kept->vector, generation->answer, size * sizeof(double));
    memcpy(kept->vector + size, generation->best_vector, size * sizeof(double));
    memcpy(kept->vector + 2 * size, generation->deviation, size * sizeof(double));
    kept->generation.answer = kept->vector;
    kept->generation.best_vector = kept->vector + size;
    kept->generation.deviation = kept->vector + 2 * size;
    if (stopped)
        kept->generation.stopped = strcpy((char *)(kept->vector + 3 * size), stopped);
    return kept;
}

static bool append(tetralab_learned *learned, const tetralab_generation *generation) {
    bool room = list_room(&learned->kept, learned->generations, sizeof *learned->kept);
    Kept *kept = room ? keep(generation) : NULL;
    if (kept)
        learned->kept[learned->generations++] = kept;
    return kept;
}

static void stop(tetralab_learned *learned) {
    __atomic_store_n(&learned->stop, true, __ATOMIC_RELAXED);
}

static void take_generation(void *context, const Generation *given) {
    tetralab_learned *learned = context;
    tetralab_generation generation = generation_of(given);
    if (!append(learned, &generation)) {
        learned->no_memory = true;
        stop(learned);
    }
    if (!learned->stop && learned->each && !learned->each(learned->context, &generation))
        stop(learned);
}

static void show_progress(void *context, const LearningStatus *status) {
    tetralab_learned *learned = context;
    double now = clock_seconds();
    if (!learned->watch || learned->stop || now < learned->told + 0.05)
        return;
    learned->told = now;
    const LearningPlan *plan = &learned->session.plan;
    tetralab_advance advance = {.unit = "generations",
                                .done = learned->generations,
                                .wanted = plan->generations * (uint64_t)plan->runs,
                                .pieces = status->pieces,
                                .value = status->last ? status->last->best : NAN,
                                .precision = NAN,
                                .seconds = now - learned->started};
    if (!learned->watch(learned->context, &advance))
        stop(learned);
}

// ---------------------------------------------------------------------------------------------------
// Learning

static bool make_results(tetralab_learned *learned, Error *error) {
    const RunPlayers *players = learn_session_players(&learned->session);
    learned->player = calloc(ENCODING_MAX, sizeof *learned->player);
    learned->label = calloc((size_t)players->size + 1, sizeof *learned->label);
    if (!learned->player || !learned->label || learned->no_memory)
        return error_set(error, "Out of memory for what was learned.");
    run_players_mean(players, learned->player);
    for (int i = 0; i < players->size; i++)
        encoding_label(&players->encoding, i, learned->label[i]);
    return true;
}

static bool learn(tetralab_learned *learned, TaskSettings *task, Error *error) {
    LearnSession *session = &learned->session;
    session->progress = show_progress;
    session->generation = take_generation;
    session->context = learned;
    if (!learn_session_open(session, &task->learn, tetralab_version(), error))
        return false;
    if (session->path && !(session->path = learned->out = strdup(session->path)))
        return error_set(error, "Out of memory for the name of the folder.");
    if (!learn_session_run(session, task->running.kernel, (int)task->running.jobs, crew_threads,
                           &learned->stop, error))
        return false;
    if (learn_session_total(session).generations == 0)
        return error_set(error, session->result.interrupted
                                    ? "Stopped before a generation was complete."
                                    : "Not one generation was complete: give more --time, or fewer --games "
                                      "or a smaller --population.");
    return make_results(learned, error);
}

// The plan of the settings, with a copy of the rules in it.
static bool make_plan(TaskSettings *task, const tetralab_rules *rules, const Arguments *arguments,
                      Error *error) {
    LearnSettings *settings = &task->learn;
    tetralab_rules copy;
    if (!learn_settings_check(settings, arguments, "", error))
        return false;
    if (settings->resume || settings->repeat)
        return true;
    if (!api_copy_rules(&copy, rules, error))
        return false;
    task->running.max_pieces = copy.max_pieces;
    bool good = learn_settings_plan(settings, &copy.rules, &task->running, arguments, error);
    rules_free(&copy.rules);
    return good;
}

tetralab_learned *tetralab_learn(const tetralab_rules *rules, const tetralab_settings *settings,
                                 tetralab_each_generation *generation, tetralab_watch *watch, void *context,
                                 tetralab_error *error) {
    tetralab_learned *learned = calloc(1, sizeof *learned);
    if (!learned) {
        error_set(api_error(error), "Out of memory: cannot learn.");
        return NULL;
    }
    learned->each = generation;
    learned->watch = watch;
    learned->context = context;
    learned->started = clock_seconds();
    TaskSettings *task = calloc(1, sizeof *task);
    Asked asked = {.arguments.words = 0};
    PlainLocale locale = plain_locale_enter();
    bool good = task ? asked_read(&asked, settings, task_find("learn", NULL), task, api_error(error)) &&
                           make_plan(task, rules, &asked.arguments, api_error(error)) &&
                           learn(learned, task, api_error(error))
                     : error_set(api_error(error), "Out of memory: cannot learn.");
    plain_locale_leave(locale);
    if (task)
        learn_settings_free(&task->learn);
    free(task);
    asked_free(&asked);
    if (good)
        return learned;
    tetralab_learned_free(learned);
    return NULL;
}

void tetralab_learned_free(tetralab_learned *learned) {
    if (!learned)
        return;
    learn_session_close(&learned->session);
    for (size_t i = 0; i < learned->generations; i++)
        free(learned->kept[i]);
    free(learned->kept);
    free(learned->out);
    free(learned->player);
    free(learned->label);
    free(learned);
}

// ---------------------------------------------------------------------------------------------------
// What came out

int tetralab_learned_runs(const tetralab_learned *learned) {
    return learned->session.plan.runs;
}

int tetralab_learned_size(const tetralab_learned *learned) {
    return learn_session_players(&learned->session)->size;
}

const char *tetralab_learned_label(const tetralab_learned *learned, int index) {
    return index >= 0 && index < tetralab_learned_size(learned) ? learned->label[index] : NULL;
}

bool tetralab_learned_interrupted(const tetralab_learned *learned) {
    return learned->session.result.interrupted;
}

const double *tetralab_learned_vector(const tetralab_learned *learned, int run) {
    if (run < -1 || run >= tetralab_learned_runs(learned))
        return NULL;
    return run < 0 ? learned->player : run_players_answer(learn_session_players(&learned->session), run);
}

tetralab_strategy *tetralab_learned_strategy(const tetralab_learned *learned, int run,
                                             tetralab_error *error) {
    tetralab_strategy *strategy = malloc(sizeof *strategy);
    if (run < -1 || run >= tetralab_learned_runs(learned)) {
        error_set(api_error(error), "There is no run %d: give -1, for the player, to %d.", run,
                  tetralab_learned_runs(learned) - 1);
        free(strategy);
        return NULL;
    }
    if (strategy)
        run_players_strategy(learn_session_players(&learned->session), run, &strategy->strategy);
    else
        error_set(api_error(error), "Out of memory for a strategy.");
    return strategy;
}

bool tetralab_learned_generation(const tetralab_learned *learned, size_t index,
                                 tetralab_generation *generation) {
    if (index >= learned->generations)
        return false;
    *generation = learned->kept[index]->generation;
    return true;
}

char *tetralab_learned_json(const tetralab_learned *learned, tetralab_error *error) {
    PlainLocale locale = plain_locale_enter();
    char *text = json_document(learn_session_json(&learned->session));
    plain_locale_leave(locale);
    if (!text)
        error_set(api_error(error), "Out of memory for the JSON text.");
    return text;
}
