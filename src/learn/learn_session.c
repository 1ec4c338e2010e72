// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/learn_session.h"

#include <math.h>
#include <string.h>

#include "base/fields_json.h"
#include "feature/kernel.h"

// ---------------------------------------------------------------------------------------------------
// Beginning

// <- true: the plan of a folder has other limits now
static bool extend(const LearningPlan *given, LearningPlan *plan) {
    if (!learning_has_limit(given))
        return false;
    plan->seconds = given->seconds;
    plan->generations = given->generations;
    plan->evaluations = given->evaluations;
    plan->budget_pieces = given->budget_pieces;
    return true;
}

static bool resume(LearnSession *session, const LearnSettings *settings, const char *version, Error *error) {
    session->path = settings->resume;
    session->resumed = true;
    session->folder = run_folder_open(settings->resume, &session->plan, error);
    return session->folder && (!extend(&settings->plan, &session->plan) ||
                               run_folder_change(session->folder, &session->plan, version, error));
}

bool learn_session_open(LearnSession *session, LearnSettings *settings, const char *version, Error *error) {
    if (settings->resume)
        return resume(session, settings, version, error);
    if (settings->repeat) {
        if (!run_folder_plan(settings->repeat, &session->plan, error))
            return false;
        extend(&settings->plan, &session->plan);
        if (settings->plan.name[0])
            memcpy(session->plan.name, settings->plan.name, sizeof session->plan.name);
    } else {
        session->plan = settings->plan;
        settings->plan = (LearningPlan){0};
    }
    session->path = settings->out;
    if (!session->path)
        return run_players_make(&session->memory, &session->plan, NULL, error);
    char name[sizeof session->plan.name];
    run_players_name(&session->plan, session->path, name); // kept in run.json: a repeated run has it too
    memcpy(session->plan.name, name, sizeof name);
    session->folder = run_folder_new(session->path, &session->plan, version, error);
    return session->folder;
}

void learn_session_close(LearnSession *session) {
    learning_free(&session->result);
    run_folder_close(session->folder);
    run_players_free(&session->memory);
    learning_plan_free(&session->plan);
}

// ---------------------------------------------------------------------------------------------------
// Learning

static bool keep_generation(void *context, const Generation *generation, const json_t *state, Error *error) {
    LearnSession *session = context;
    if (!session->folder)
        run_players_set(&session->memory, generation->run, generation->generation, generation->answer);
    else if (!run_folder_generation(session->folder, generation, state, error))
        return false;
    if (session->generation)
        session->generation(session->context, generation);
    return true;
}

static bool keep_end(void *context, const Generation *last, const json_t *state, Error *error) {
    LearnSession *session = context;
    return !session->folder || run_folder_ended(session->folder, last, state, error);
}

static void show_progress(void *context, const LearningStatus *status) {
    LearnSession *session = context;
    if (session->progress)
        session->progress(session->context, status);
}

bool learn_session_run(LearnSession *session, const char *kernel, int jobs, CrewMaker *make,
                       const volatile bool *stop, Error *error) {
    LearningEvents events = {
        .generation = keep_generation, .ended = keep_end, .progress = show_progress, .context = session};
    Objective *objective = &session->plan.objective;
    Crew *crew = NULL;
    if (!(objective->kernel = kernel_find(kernel, error)) ||
        !(crew = make(&candidate_kind, objective, jobs, error)))
        return false;
    bool good =
        learning_run(&session->result, &session->plan, crew, session->resumed ? session->folder->state : NULL,
                     session->resumed ? session->folder->spent : 0, stop, &events, error);
    crew->close(crew);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// What came out

const RunPlayers *learn_session_players(const LearnSession *session) {
    return session->folder ? &session->folder->players : &session->memory;
}

LearningRun learn_session_total(const LearnSession *session) {
    LearningRun sum = {0};
    for (int k = 0; k < session->result.runs; k++) {
        const LearningRun *run = &session->result.run[k];
        sum.generations += run->generations;
        sum.evaluations += run->evaluations;
        sum.full += run->full;
        sum.at_limit += run->at_limit;
    }
    return sum;
}

json_t *learn_strategy_json(const RunPlayers *players, int run) {
    Strategy *strategy = malloc(sizeof *strategy);
    if (strategy)
        run_players_strategy(players, run, strategy);
    char *text = strategy ? strategy_to_json(strategy) : NULL;
    json_t *json = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    free(strategy);
    return json;
}

json_t *learn_labels_json(const Encoding *encoding) {
    json_t *list = json_array();
    for (int i = 0; i < encoding_size(encoding); i++) {
        char label[64];
        encoding_label(encoding, i, label);
        json_array_append_new(list, json_string(label));
    }
    return list;
}

static json_t *run_json(const LearnSession *session, int k) {
    const LearningRun *run = &session->result.run[k];
    const RunPlayers *players = learn_session_players(session);
    json_t *json = json_object();
    double weight[ENCODING_MAX];
    json_object_set_new(json, "generations", json_whole(run->generations));
    json_object_set_new(json, "evaluations", json_whole(run->evaluations));
    json_object_set_new(json, "evaluations_without_race", json_whole(run->full));
    if (run->at_limit > 0) // with a race, and known
        json_object_set_new(json, "evaluations_at_limit", json_real(run->at_limit));
    json_object_set_new(json, "pieces", json_whole(run->pieces));
    json_object_set_new(json, "selection_pieces", json_whole(run->selection_pieces));
    json_object_set_new(json, "curve", isnan(run->last_curve) ? json_null() : json_real(run->last_curve));
    encoding_unscale(&session->plan.objective.encoding, run_players_answer(players, k), weight);
    json_object_set_new(json, "weights", json_list(weight, players->size));
    json_object_set_new(json, "vector", json_list(run_players_answer(players, k), players->size));
    json_object_set_new(json, "strategy", learn_strategy_json(players, k));
    json_object_set_new(json, "stopped", json_string(run->stopped));
    return json;
}

json_t *learn_session_json(const LearnSession *session) {
    const LearningPlan *plan = &session->plan;
    const RunPlayers *players = learn_session_players(session);
    json_t *json = json_object(), *runs = json_array();
    double vector[ENCODING_MAX], weight[ENCODING_MAX];
    run_players_mean(players, vector);
    encoding_unscale(&plan->objective.encoding, vector, weight);
    for (int k = 0; k < session->result.runs; k++)
        json_array_append_new(runs, run_json(session, k));
    json_object_set_new(json, "method", json_string(optimiser_words[plan->optimiser.method]));
    json_object_set_new(json, "objective", json_string(objective_words[plan->objective.kind]));
    fields_save(rules_fields, &plan->objective.rules, json);
    json_object_set_new(json, "seed", json_whole(plan->seed));
    json_object_set_new(json, "out", session->path ? json_name(session->path) : json_null());
    json_object_set_new(json, "strategy", learn_strategy_json(players, -1));
    json_object_set_new(json, "labels", learn_labels_json(&players->encoding));
    json_object_set_new(json, "weights", json_list(weight, players->size));
    json_object_set_new(json, "vector", json_list(vector, players->size));
    json_object_set_new(json, "runs", runs);
    json_object_set_new(json, "seconds", json_real(session->result.seconds));
    json_object_set_new(json, "interrupted", json_boolean(session->result.interrupted));
    return json;
}

json_t *learn_generation_json(const Generation *g) {
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"seconds", g->seconds}, {"best", g->best},   {"mean", g->mean},   {"worst", g->worst},
                   {"lower", g->lower},     {"upper", g->upper}, {"curve", g->curve}, {"sigma", g->sigma}};
    json_t *json = json_object();
    json_object_set_new(json, "run", json_integer(g->run));
    json_object_set_new(json, "generation", json_whole(g->generation));
    json_object_set_new(json, "evaluations", json_whole(g->evaluations));
    json_object_set_new(json, "pieces", json_whole(g->pieces));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_object_set_new(json, numbers[i].name, json_finite(numbers[i].value));
    json_object_set_new(json, "answer", json_list_of(g->answer, g->size, true));
    json_object_set_new(json, "best_vector", json_list_of(g->best_vector, g->size, true));
    json_object_set_new(json, "deviation", json_list_of(g->deviation, g->size, true));
    json_object_set_new(json, "stopped", g->stopped ? json_string(g->stopped) : json_null());
    return json;
}
