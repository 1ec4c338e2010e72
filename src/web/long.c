// SPDX-License-Identifier: GPL-3.0-or-later
// Long work: the mean of a player, measured, and a player learned. Both tell what they know while they run.
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json_parse.h"
#include "base/json_values.h"
#include "learn/learn_session.h"
#include "measure/splitting_rules.h"
#include "tasks/measurement.h"
#include "web/web.h"

static const double TELL_EVERY = 0.05; // seconds

typedef struct Asked {
    const json_t *strategy, *rules, *settings;
    double precision; // percent
    uint64_t seed;
} Asked;

#define AT(member) FIELD_AT(Asked, member)
static const Field measure_field[] = {
    {"strategy", FIELD_JSON, AT(strategy), .type = &web_anything},
    {"rules", FIELD_JSON, AT(rules), .type = &web_anything},
    {"precision", FIELD_REAL, AT(precision), .preset = 5, .least = 0.1, .most = 1000},
    {"seed", FIELD_WHOLE, AT(seed), .preset = 1},
};
static const Field learn_field[] = {
    {"rules", FIELD_JSON, AT(rules), .type = &web_anything},
    {"settings", FIELD_JSON, AT(settings), .type = &web_anything}, // as options: name -> text
    {"seed", FIELD_WHOLE, AT(seed), .preset = 1},
};

// ---------------------------------------------------------------------------------------------------
// Measuring

// What is known so far, for whoever watches: the measurement itself keeps its own.
typedef struct Measuring {
    Splitting splitting; // its runs are owned
    Score *score;        // owned
    uint64_t scores, room;
    int width;
    double told;
} Measuring;

static bool make_room(void **list, uint64_t *room, uint64_t count, size_t size) {
    if (count <= *room)
        return true;
    uint64_t more = 2 * count + 256;
    void *larger = realloc(*list, more * size);
    if (!larger)
        return false;
    *list = larger;
    *room = more;
    return true;
}

static void tell_estimate(const char *method, uint64_t count, uint64_t wanted, double mean, Interval interval,
                          uint64_t pieces) {
    json_t *json = json_object();
    json_object_set_new(json, "method", json_string(method));
    json_object_set_new(json, "count", json_whole(count));
    json_object_set_new(json, "wanted", json_whole(wanted));
    json_object_set_new(json, "mean", json_finite(mean));
    json_object_set_new(json, "low", json_finite(interval.low));
    json_object_set_new(json, "high", json_finite(interval.high));
    json_object_set_new(json, "pieces", json_whole(pieces));
    web_tell_json(json);
}

static void keep_repetition(Measuring *measuring, const MeasureEvent *event) {
    Splitting *splitting = &measuring->splitting;
    if (!make_room((void **)&splitting->run, &measuring->room, splitting->runs + 1, sizeof *splitting->run))
        return;
    splitting->run[splitting->runs++] = *event->run;
}

static void keep_games(Measuring *measuring, const MeasureEvent *event) {
    if (!make_room((void **)&measuring->score, &measuring->room, measuring->scores + event->count,
                   sizeof *measuring->score))
        return;
    memcpy(measuring->score + measuring->scores, event->score, event->count * sizeof *event->score);
    measuring->scores += event->count;
}

static void take_event(void *context, const MeasureEvent *event) {
    if (event->kind == MEASURE_REPETITION)
        keep_repetition(context, event);
    else if (event->kind == MEASURE_GAMES_PLAYED)
        keep_games(context, event);
}

static void take_status(void *context, const Advance *advance) {
    Measuring *measuring = context;
    double now = clock_seconds();
    Summary summary;
    if (now - measuring->told < TELL_EVERY)
        return;
    measuring->told = now;
    if (measuring->splitting.runs > 1) {
        splitting_summarise(&measuring->splitting, measuring->width);
        tell_estimate("splitting", advance->done, advance->wanted, measuring->splitting.mean_lines,
                      measuring->splitting.interval, advance->pieces);
    } else if (measuring->scores > 1 && summary_make(&summary, measuring->score, measuring->scores, NULL)) {
        tell_estimate("games", measuring->scores, advance->wanted, summary.mean, summary.exact,
                      advance->pieces);
    }
}

static json_t *result_json(const Measurement *m) {
    json_t *json = json_object();
    json_object_set_new(json, "method", json_string(measure_method_words[m->method]));
    json_object_set_new(json, "mean", json_finite(m->mean_lines));
    json_object_set_new(json, "low", json_finite(m->interval.low));
    json_object_set_new(json, "high", json_finite(m->interval.high));
    json_object_set_new(json, "count",
                        json_whole(m->method == MEASURE_SPLITTING ? m->splitting.runs : m->games.games));
    json_object_set_new(json, "pieces", json_whole(m->pieces));
    json_object_set_new(json, "seconds", json_real(m->seconds));
    json_object_set_new(json, "note", json_string(m->note));
    return json;
}

static json_t *measure(const void *request, Error *error) {
    const Asked *asked = request;
    WebPlayer *player = web_player_new(asked->strategy, asked->rules, NULL, error);
    Measurement *measurement = calloc(1, sizeof *measurement);
    json_t *json = NULL;
    if (player && measurement) {
        Measuring measuring = {.width = player->rules.width};
        MeasurePlan plan = {.player = player->player,
                            .seed = asked->seed,
                            .precision = asked->precision / 100,
                            .work = {.jobs = 1, .progress = take_status, .context = &measuring},
                            .record = take_event,
                            .keeper = &measuring};
        if (measurement_run(measurement, &plan, error))
            json = result_json(measurement);
        measurement_free(measurement);
        splitting_free(&measuring.splitting);
        free(measuring.score);
    } else if (player) {
        error_set(error, "Out of memory for a measurement.");
    }
    free(measurement);
    web_player_free(player);
    return json;
}

// ---------------------------------------------------------------------------------------------------
// Learning

enum { MAX_SETS = 16, MAX_WORDS = 64, MAX_POPULATION = 512 };

// The vectors of a generation, as they are handed to the crew: the learning itself tells only their scores.
// The first one is the answer that the generation begins with, of which the curve is made.
typedef struct Population {
    int size, count;
    double vector[MAX_POPULATION][ENCODING_MAX];
} Population;

static Population population;
static bool (*submit_to_crew)(Crew *crew, const CrewTask *task, Error *error);

static bool submit_and_note(Crew *crew, const CrewTask *task, Error *error) {
    size_t bytes = (size_t)population.size * sizeof(double);
    bool known = false;
    for (int i = 0; i < population.count; i++)
        known = known || !memcmp(population.vector[i], task->body, bytes);
    if (!known && population.count < MAX_POPULATION)
        memcpy(population.vector[population.count++], task->body, bytes);
    return submit_to_crew(crew, task, error);
}

static Crew *noting_crew(const CrewKind *kind, const void *objective, int threads, Error *error) {
    Crew *crew = crew_threads(kind, objective, threads, error);
    population.size = encoding_size(&((const Objective *)objective)->encoding);
    population.count = 0;
    if (crew) {
        submit_to_crew = crew->submit;
        crew->submit = submit_and_note;
    }
    return crew;
}

static json_t *population_json(const Generation *generation, bool has_curve) {
    json_t *list = json_array();
    for (int i = 0; i < generation->candidates && i + has_curve < population.count; i++) {
        json_t *candidate = json_object();
        json_object_set_new(candidate, "score", json_finite(generation->scores[i]));
        json_object_set_new(candidate, "vector",
                            json_list_of(population.vector[i + has_curve], population.size, true));
        json_array_append_new(list, candidate);
    }
    return list;
}

static void tell_generation(void *context, const Generation *generation) {
    LearnSession *session = context;
    ObjectiveKind kind = session->plan.objective.kind;
    json_t *json = json_object();
    json_object_set_new(json, "generation", json_whole(generation->generation));
    json_object_set_new(json, "pieces", json_whole(generation->pieces));
    json_object_set_new(json, "seconds", json_real(generation->seconds));
    json_object_set_new(json, "best", json_finite(objective_lines(kind, generation->best)));
    json_object_set_new(json, "mean", json_finite(objective_lines(kind, generation->mean)));
    json_object_set_new(json, "worst", json_finite(objective_lines(kind, generation->worst)));
    json_object_set_new(json, "curve", json_finite(objective_lines(kind, generation->curve)));
    json_object_set_new(json, "sigma", json_finite(generation->sigma));
    json_object_set_new(json, "answer", json_list_of(generation->answer, generation->size, true));
    json_object_set_new(json, "deviation", json_list_of(generation->deviation, generation->size, true));
    json_object_set_new(json, "labels", learn_labels_json(&session->plan.objective.encoding));
    json_object_set_new(json, "population", population_json(generation, session->plan.curve_samples > 0));
    json_object_set_new(json, "strategy", learn_strategy_json(learn_session_players(session), -1));
    web_tell_json(json);
    population.count = 0;
}

// The settings as the words of a command line.
static bool take_words(Arguments *arguments, const json_t *settings, Error *error) {
    const char *name;
    json_t *value;
    arguments->word = calloc(MAX_WORDS, sizeof *arguments->word);
    if (!arguments->word)
        return error_set(error, "Out of memory for the settings.");
    json_object_foreach((json_t *)settings, name, value) {
        if (!json_is_string(value) || arguments->words == MAX_WORDS)
            return error_set(error, "The setting %.40s must be a text.", name);
        arguments->word[arguments->words++] =
            (OptionWord){.name = name, .text = json_string_value(value), .length = (int)strlen(name)};
    }
    for (int k = 0; k < arguments->words; k++) {
        bool known = false;
        for (int s = 0; s < arguments->set_count; s++)
            known = known || fields_find(arguments->sets[s].fields, arguments->word[k].name);
        if (!known)
            return error_set(error, "There is no setting \"%.40s\" of learn.", arguments->word[k].name);
    }
    return true;
}

static bool read_settings(LearnSettings *settings, const Asked *asked, Arguments *arguments, OptionSet *sets,
                          Error *error) {
    Running running = {.seed = asked->seed, .jobs = 1, .max_pieces = UINT64_MAX};
    Rules rules;
    arguments->set_count = learn_settings_sets(settings, sets);
    arguments->sets = sets;
    for (int s = 0; s < arguments->set_count; s++)
        if (sets[s].base)
            fields_preset(sets[s].fields, sets[s].base);
    settings->out = NULL;
    bool good = take_words(arguments, asked->settings, error);
    for (int s = 0; good && s < arguments->set_count; s++)
        good = !sets[s].base || arguments_apply(arguments, &sets[s], error);
    good = good && learn_settings_check(settings, arguments, "", error);
    if (good && web_rules(&rules, asked->rules, error)) {
        good = learn_settings_plan(settings, &rules, &running, arguments, error);
        rules_free(&rules);
        return good;
    }
    return false;
}

static json_t *learn(const void *request, Error *error) {
    const Asked *asked = request;
    LearnSettings *settings = calloc(1, sizeof *settings);
    LearnSession *session = calloc(1, sizeof *session);
    Arguments arguments = {.words = 0};
    OptionSet sets[MAX_SETS];
    json_t *json = NULL;
    if (!settings || !session) {
        error_set(error, "Out of memory: cannot learn.");
    } else if (read_settings(settings, asked, &arguments, sets, error)) {
        session->generation = tell_generation;
        session->context = session;
        if (learn_session_open(session, settings, TETRALAB_VERSION, error) &&
            learn_session_run(session, NULL, 1, noting_crew, NULL, error)) {
            json = json_object();
            json_object_set_new(json, "strategy", learn_strategy_json(learn_session_players(session), -1));
        }
        learn_session_close(session);
    }
    if (settings)
        learning_plan_free(&settings->plan);
    arguments_free(&arguments);
    free(session);
    free(settings);
    return json;
}

const WebRequest web_long_requests[] = {
    {"measure", FIELDS(measure_field), sizeof(Asked), measure},
    {"learn", FIELDS(learn_field), sizeof(Asked), learn},
    {NULL, {NULL, 0}, 0, NULL},
};
