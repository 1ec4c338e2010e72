// SPDX-License-Identifier: GPL-3.0-or-later
// The learning loop; learning.h explains it. Each run is a small machine that is fed with results: it submits
// the samples of a generation (or of one round of a race) together with those of the learning curve, tells
// the optimiser when all are in, publishes the generation and goes on.
//
// Scores are summed in the order of their numbers, never in the order in which they arrive, so that the crew
// does not change them.
#include "learn/learning.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/fields_json.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/random.h"
#include "base/text.h"

static const double LOOK_EVERY = 0.1; // seconds between two looks at the clock

typedef struct Learning Learning;

typedef struct Run {
    Learning *learning;
    int number;
    Optimiser *optimiser;
    // The generation under way
    const double *batch;
    int candidates;
    uint64_t seed;                                // of its samples
    double *value;                                // of sample k of candidate i at [i * samples + k]
    double *score, *score_samples, *score_pieces; // of each candidate; the first owns all three
    int waiting;                                  // tasks that are under way
    Race *race;
    bool raced; // and it is over
    // All of them
    double limit;    // r_limit
    double *average; // of the optimiser's answers, as directions; NULL: not wanted
    LearningRun sum;
    uint64_t next_pieces; // for selection, with the next generation, if that was too many; 0: not known
    uint64_t samples_now, full_now, pieces_now; // of the generation under way
    double *curve_value;
    int curve_waiting; // tasks of the curve that are under way
    bool ended;
} Run;

struct Learning {
    const LearningPlan *plan;
    Crew *crew;
    const LearningEvents *events;
    Run *run;
    int size;         // numbers in a vector
    uint64_t samples; // per candidate at most
    double started, spent;
    Generation last; // for the progress line
    bool any;
    ProgressEstimate left;
};

// A ticket says whose a result is: run, kind, candidate and sample.
enum { TICKET_CURVE = 0x3fffff };
static uint64_t ticket_make(int run, int candidate, uint64_t first) {
    return (uint64_t)run << 50 | (uint64_t)candidate << 28 | first;
}

static double seconds_now(const Learning *learning) {
    return learning->spent + clock_seconds() - learning->started;
}

// ---------------------------------------------------------------------------------------------------
// Work for the crew

// Cuts samples into tasks: small ones, so that a long game does not keep a worker while others are idle, yet
// many games, which are played side by side.
static int task_size(const Learning *learning, uint64_t samples, int candidates) {
    uint64_t share = samples * (uint64_t)candidates / ((uint64_t)learning->crew->workers * 4);
    uint64_t most = learning->plan->objective.kind == OBJECTIVE_GAMES ? CREW_MAX_SAMPLES : 1;
    return (int)(share < 1 ? 1 : share > most ? most : share);
}

static bool submit(Run *run, int candidate, const double *vector, uint64_t seed, uint64_t first,
                   uint64_t count, int size, int *waiting, Error *error) {
    Crew *crew = run->learning->crew;
    for (uint64_t at = first; at < first + count; at += (uint64_t)size) {
        uint64_t left = first + count - at;
        CrewTask task = {.ticket = ticket_make(run->number, candidate, at),
                         .seed = seed,
                         .first = at,
                         .count = left < (uint64_t)size ? (int)left : size,
                         .body = vector};
        if (!crew->submit(crew, &task, error))
            return false;
        ++*waiting;
    }
    return true;
}

static uint64_t generation_seed(const Run *run, uint64_t generation, bool curve) {
    Random random =
        random_stream(run->learning->plan->seed, (uint64_t)run->number << 40 | generation, RANDOM_LEARNING);
    uint64_t samples = random_next(&random);
    return curve ? random_next(&random) : samples;
}

// All samples, or the first round of a race.
static bool submit_samples(Run *run, Error *error) {
    Learning *learning = run->learning;
    int size = learning->size;
    uint64_t count = run->race ? 1 : learning->samples,
             first = run->race ? (uint64_t)race_rounds(run->race) : 0;
    int cut = task_size(learning, count, run->candidates);
    for (int i = 0; i < run->candidates; i++)
        if (!run->race || race_wants(run->race, i)) {
            if (!submit(run, i, run->batch + (size_t)i * (size_t)size, run->seed, first, count, cut,
                        &run->waiting, error))
                return false;
            run->samples_now += count;
        }
    return true;
}

// Weights that grow like a power of the generation forget the way to the optimum, and need no memory of it.
static void update_average(Run *run) {
    enum { POWER = 3 };
    OptimiserStatus status = optimiser_status(run->optimiser);
    double share = (POWER + 1.0) / ((double)status.generation + POWER);
    double length = encoding_length(status.answer, status.dimension);
    for (int k = 0; run->average && k < status.dimension; k++)
        run->average[k] += share * (status.answer[k] / length - run->average[k]);
}

static const double *answer_of(const Run *run) {
    OptimiserStatus status = optimiser_status(run->optimiser);
    return run->average && status.generation ? run->average : status.answer;
}

static bool begin_generation(Run *run, Error *error) {
    Learning *learning = run->learning;
    const RacePlan *race = &learning->plan->race;
    OptimiserStatus status = optimiser_status(run->optimiser);
    run->candidates = optimiser_ask(run->optimiser, &run->batch);
    run->seed = generation_seed(run, status.generation, false);
    run->samples_now = run->pieces_now = run->next_pieces = 0;
    for (int i = 0; i < run->candidates; i++)
        run->score_samples[i] = run->score_pieces[i] = 0;
    run->full_now = (uint64_t)run->candidates * learning->samples;
    run->raced = false;
    if (race->bound != RACE_NONE) {
        run->race = race_new(race, run->candidates, status.parents, (int)run->limit, error);
        if (!run->race)
            return false;
    }
    uint64_t curve = learning->plan->curve_samples;
    return submit(run, TICKET_CURVE, answer_of(run), generation_seed(run, status.generation, true), 0, curve,
                  task_size(learning, curve, 1), &run->curve_waiting, error) &&
           submit_samples(run, error);
}

// Of the generation under way, or just over.
static double selection_pieces(const Run *run) {
    double sum = 0;
    for (int i = 0; i < run->candidates; i++)
        sum += run->score_pieces[i];
    return sum;
}

// ---------------------------------------------------------------------------------------------------
// What comes back

// Is this run at its end, and why?
static void look_for_end(Run *run) {
    const LearningPlan *plan = run->learning->plan;
    const char *own = optimiser_stop_reason(run->optimiser);
    uint64_t generation = optimiser_status(run->optimiser).generation;
    char number[32], time[24];
    Error reason = {""};
    if (own)
        error_set(&reason, "%s", own);
    else if (plan->generations && generation >= plan->generations)
        error_set(&reason, "All %s generations are done.", text_grouped(plan->generations, number));
    else if (plan->evaluations && run->sum.evaluations >= plan->evaluations)
        error_set(&reason, "All %s evaluations are made.", text_grouped(plan->evaluations, number));
    else if (plan->budget_pieces && run->sum.selection_pieces >= plan->budget_pieces)
        error_set(&reason, "All %s pieces are played.", text_grouped(plan->budget_pieces, number));
    else if (plan->budget_pieces && run->next_pieces > plan->budget_pieces)
        error_set(&reason, "Another generation would take more than %s pieces.",
                  text_grouped(plan->budget_pieces, number));
    else if (plan->seconds > 0 && seconds_now(run->learning) >= plan->seconds)
        error_set(&reason, "The time of %s is over.", text_seconds(plan->seconds, time));
    snprintf(run->sum.stopped, sizeof run->sum.stopped, "%.*s", (int)sizeof run->sum.stopped - 1,
             reason.text);
    run->ended = reason.text[0] != 0;
}

// What a checkpoint keeps besides the optimiser and the average.
static const Field state_field[] = {
    {"limit", FIELD_REAL, FIELD_AT(Run, limit)},
    {"evaluations", FIELD_WHOLE, FIELD_AT(Run, sum.evaluations)},
    {"full", FIELD_WHOLE, FIELD_AT(Run, sum.full)},
    {"pieces", FIELD_WHOLE, FIELD_AT(Run, sum.pieces)},
    {"at_limit", FIELD_REAL, FIELD_AT(Run, sum.at_limit), .preset = NAN},
};
static const Fields state_fields = FIELDS(state_field);

// Older checkpoints have none of these.
static const Field later_field[] = {
    {"curve", FIELD_SCORE, FIELD_AT(Run, sum.last_curve)},
    {"selection_pieces", FIELD_WHOLE, FIELD_AT(Run, sum.selection_pieces)},
    {"next_pieces", FIELD_WHOLE, FIELD_AT(Run, next_pieces)},
};
static const Fields later_fields = FIELDS(later_field);
static const Field origin_field[] = {{"seed", FIELD_WHOLE, FIELD_AT(LearningPlan, seed)}};
static const Fields origin_fields = FIELDS(origin_field);

bool learning_state_check(const json_t *state, const LearningPlan *plan, Error *error) {
    LearningPlan origin = {.seed = plan->seed};
    return fields_restore(origin_fields, &origin, state, FIELDS_MAY_MISS, NULL, NULL, error) &&
           (origin.seed == plan->seed ||
            error_set(error, "It belongs to a run with the seed %" PRIu64 ", not %" PRIu64 ".", origin.seed,
                      plan->seed));
}

static json_t *state_of(const Run *run) {
    json_t *state = json_object();
    bool good = !json_object_set_new(state, "optimiser", optimiser_save(run->optimiser)) &&
                fields_save(state_fields, run, state) && fields_save(later_fields, run, state) &&
                fields_save(origin_fields, run->learning->plan, state) &&
                (!run->average ||
                 !json_object_set_new(state, "average", json_list(run->average, run->learning->size)));
    return json_if(good, state);
}

static bool publish(Run *run, double curve, double limit, Error *error) {
    Learning *learning = run->learning;
    const LearningEvents *events = learning->events;
    OptimiserStatus status = optimiser_status(run->optimiser);
    Generation generation = {.run = run->number,
                             .generation = status.generation,
                             .evaluations = run->sum.evaluations,
                             .samples = run->samples_now,
                             .full = run->full_now,
                             .pieces = run->sum.pieces,
                             .selection_pieces = (double)run->sum.selection_pieces,
                             .seconds = seconds_now(learning),
                             .best = status.best_score,
                             .mean = status.mean_score,
                             .worst = status.worst_score,
                             .lower = status.lower_quartile,
                             .upper = status.upper_quartile,
                             .curve = curve,
                             .sigma = status.sigma,
                             .size = learning->size,
                             .answer = answer_of(run),
                             .best_vector = status.best ? status.best : status.answer,
                             .deviation = status.deviation,
                             .axes = status.axes,
                             .candidates = run->candidates,
                             .scores = run->score,
                             .score_samples = run->score_samples,
                             .score_pieces = run->score_pieces,
                             .limit = limit,
                             .limit_share =
                                 limit > 0 ? (double)run->samples_now / (limit * run->candidates) : NAN,
                             .stopped = run->ended ? run->sum.stopped : NULL};
    run->sum.last_curve = curve;
    run->sum.last_best = generation.best;
    json_t *state = state_of(run);
    if (!state)
        return error_set(error, "Out of memory for the state of run %d.", run->number + 1);
    bool good = !events->generation || events->generation(events->context, &generation, state, error);
    json_decref(state);
    learning->last = generation;
    learning->any = true;
    return good;
}

static bool tell_scores(Run *run, Error *error) {
    const Learning *learning = run->learning;
    double *score = run->score;
    int *order = malloc((size_t)(run->candidates + 1) * sizeof *order);
    bool good = order;
    for (int i = 0; good && i < run->candidates; i++)
        score[i] = run->race ? race_mean(run->race, i)
                             : objective_score(learning->plan->objective.kind,
                                               run->value + (size_t)i * learning->samples, learning->samples);
    if (good && run->race)
        race_order(run->race, order);
    if (good)
        optimiser_tell(run->optimiser, score, run->race ? order : NULL);
    free(order);
    return good || error_set(error, "Out of memory for %d scores.", run->candidates);
}

// Would this generation take more pieces than there are? Then it is as if it had not begun, so that a larger
// budget can go on from there.
static bool exceeds_budget(const Run *run) {
    uint64_t budget = run->learning->plan->budget_pieces;
    return budget && run->sum.selection_pieces + (uint64_t)selection_pieces(run) > budget;
}

// The run is at its end, and keeps what the generation took: going on need not play it to know.
static bool end_by_budget(Run *run, Error *error) {
    const LearningEvents *events = run->learning->events;
    OptimiserStatus status = optimiser_status(run->optimiser);
    char pieces[32], budget[32];
    run->next_pieces = run->sum.selection_pieces + (uint64_t)selection_pieces(run);
    free(run->race);
    run->race = NULL;
    if (!status.generation)
        return error_set(error,
                         "The first generation of run %d takes %s pieces, more than the budget of %s: give "
                         "more --budget-pieces, or fewer --games or a smaller --population.",
                         run->number + 1, text_grouped(run->next_pieces, pieces),
                         text_grouped(run->learning->plan->budget_pieces, budget));
    look_for_end(run);
    Generation last = {.run = run->number,
                       .generation = status.generation,
                       .seconds = seconds_now(run->learning),
                       .size = run->learning->size,
                       .answer = answer_of(run),
                       .stopped = run->sum.stopped};
    json_t *state = state_of(run);
    bool good = state ? !events->ended || events->ended(events->context, &last, state, error)
                      : error_set(error, "Out of memory for the state of run %d.", run->number + 1);
    json_decref(state);
    return good;
}

// All scores are in: the optimiser learns them, and the next generation begins.
static bool finish_generation(Run *run, Error *error) {
    const LearningPlan *plan = run->learning->plan;
    if (exceeds_budget(run))
        return end_by_budget(run, error);
    if (!tell_scores(run, error))
        return false;
    double limit = run->race ? floor(run->limit) : 0, curve = NAN;
    if (plan->curve_samples)
        curve = objective_score(plan->objective.kind, run->curve_value, plan->curve_samples);
    if (run->race)
        run->limit = race_next_limit(&plan->race, run->limit, run->race);
    free(run->race);
    run->race = NULL;
    run->sum.evaluations += run->samples_now;
    run->sum.full += run->full_now;
    run->sum.at_limit += limit * run->candidates;
    run->sum.pieces += run->pieces_now;
    run->sum.selection_pieces += (uint64_t)selection_pieces(run);
    update_average(run);
    look_for_end(run);
    return publish(run, curve, limit, error) && (run->ended || begin_generation(run, error));
}

// A round of the race is over, or all of it.
static bool finish_round(Run *run, Error *error) {
    int round = race_rounds(run->race);
    for (int i = 0; i < run->candidates; i++)
        if (race_wants(run->race, i))
            race_score(run->race, i, run->value[(size_t)i * run->learning->samples + (size_t)round]);
    run->raced = race_end_round(run->race);
    return run->raced || submit_samples(run, error);
}

// Does all that can be done without further results.
static bool advance(Run *run, Error *error) {
    bool good = true;
    while (good && !run->ended && !run->waiting) {
        if (run->race && !run->raced)
            good = finish_round(run, error);
        else if (run->curve_waiting)
            break;
        else
            good = finish_generation(run, error);
    }
    return good;
}

static bool take_result(Learning *learning, const CrewResult *result, Error *error) {
    Run *run = &learning->run[result->ticket >> 50];
    int candidate = (int)(result->ticket >> 28 & TICKET_CURVE);
    uint64_t first = result->ticket & 0xfffffff;
    bool curve = candidate == TICKET_CURVE;
    double *value = curve ? run->curve_value : run->value + (size_t)candidate * learning->samples;
    const Sample *sample = candidate_results(result);
    for (int k = 0; k < result->count; k++) {
        value[first + (uint64_t)k] = sample[k].value;
        run->pieces_now += sample[k].pieces;
        if (!curve)
            run->score_pieces[candidate] += (double)sample[k].pieces;
    }
    if (!curve)
        run->score_samples[candidate] += result->count;
    --*(curve ? &run->curve_waiting : &run->waiting);
    return advance(run, error);
}

// ---------------------------------------------------------------------------------------------------
// Beginning and going on

static bool restore(Run *run, const json_t *state, Error *error) {
    const RacePlan *race = &run->learning->plan->race;
    int size = run->learning->size;
    Error detail = {""};
    run->sum.at_limit = NAN; // checkpoints of older versions do not have it
    bool good = fields_restore(state_fields, run, state, FIELDS_ALL, NULL, NULL, &detail);
    run->sum.selection_pieces = run->sum.pieces; // the nearest that is known, if it is not there
    good = good && fields_restore(later_fields, run, state, FIELDS_MAY_MISS, NULL, NULL, &detail);
    if (good && race->bound != RACE_NONE && !(run->limit >= race->least && run->limit <= race->most))
        good = error_set(&detail, "\"limit\" must be from %d to %d.", race->least, race->most);
    if (good && run->average && !json_list_values(json_object_get(state, "average"), run->average, size))
        good = error_set(&detail, "there is no average of %d numbers.", size);
    if (!good || !optimiser_restore(run->optimiser, json_object_get(state, "optimiser"), &detail))
        return error_set(error, "The checkpoint of run %d is damaged: %.400s", run->number + 1, detail.text);
    run->sum.last_best = optimiser_status(run->optimiser).best_score;
    return true;
}

static bool start_run(Learning *learning, int number, const json_t *state, Error *error) {
    const LearningPlan *plan = learning->plan;
    Run *run = &learning->run[number];
    *run = (Run){.learning = learning, .number = number, .limit = plan->race.least};
    run->sum.last_curve = run->sum.last_best = NAN;
    run->optimiser = learning_optimiser(plan, number, error);
    if (!run->optimiser)
        return false;
    size_t population = (size_t)optimiser_status(run->optimiser).population;
    run->value = malloc(population * learning->samples * sizeof *run->value);
    run->curve_value = malloc((plan->curve_samples + 1) * sizeof *run->curve_value);
    run->score = malloc(3 * (population + 1) * sizeof *run->score);
    run->score_samples = run->score ? run->score + population : NULL;
    run->score_pieces = run->score ? run->score + 2 * population : NULL;
    run->average = plan->average ? calloc((size_t)learning->size, sizeof *run->average) : NULL;
    if (!run->value || !run->curve_value || !run->score || (plan->average && !run->average))
        return error_set(error, "Out of memory for the %zu scores of a generation.",
                         population * (size_t)learning->samples);
    return !state || restore(run, state, error);
}

static void free_runs(Learning *learning) {
    for (int k = 0; learning->run && k < learning->plan->runs; k++) {
        Run *run = &learning->run[k];
        optimiser_free(run->optimiser);
        free(run->race);
        free(run->value);
        free(run->curve_value);
        free(run->score);
        free(run->average);
    }
    free(learning->run);
}

// ---------------------------------------------------------------------------------------------------
// The loop

static bool is_scored(const Run *run, int candidate) {
    return run->race ? !race_wants(run->race, candidate)
                     : run->score_samples[candidate] >= (double)run->learning->samples;
}

// Adds a run that has not ended. <- the share of its generation that is done; a race may end any time, so
// that nobody knows
static double add_progress(LearningStatus *status, const Run *run) {
    uint64_t generation = optimiser_status(run->optimiser).generation + 1;
    double samples = 0;
    for (int i = 0; i < run->candidates; i++) {
        samples += run->score_samples[i];
        status->scored += is_scored(run, i);
    }
    status->vectors += run->candidates;
    status->evaluations += (uint64_t)samples;
    status->pieces += run->pieces_now;
    if (!status->generation || generation < status->generation)
        status->generation = generation;
    return run->race ? 0 : samples / fmax((double)run->full_now, 1);
}

// -> begun  share of the generation under way that is done
static double share_done(const Run *run, double begun) {
    const LearningPlan *plan = run->learning->plan;
    double done = 0;
    if (plan->generations)
        done = ((double)optimiser_status(run->optimiser).generation + begun) / (double)plan->generations;
    if (plan->evaluations)
        done = fmax(done, ((double)run->sum.evaluations + begun * (double)run->full_now) /
                              (double)plan->evaluations);
    if (plan->budget_pieces)
        done = fmax(done, ((double)run->sum.selection_pieces + selection_pieces(run)) /
                              (double)plan->budget_pieces);
    return fmin(done, 1);
}

static LearningStatus status_of(Learning *learning) {
    const LearningPlan *plan = learning->plan;
    LearningStatus status = {.runs = plan->runs, .seconds = seconds_now(learning)};
    double share = 0;
    for (int k = 0; k < plan->runs; k++) {
        const Run *run = &learning->run[k];
        status.ended += run->ended;
        status.evaluations += run->sum.evaluations;
        status.pieces += run->sum.pieces;
        share += (run->ended ? 1 : share_done(run, add_progress(&status, run))) / plan->runs;
    }
    status.last = learning->any ? &learning->last : NULL;
    status.left = progress_estimate(&learning->left, status.seconds, share);
    if (plan->seconds > 0)
        status.left = fmin(status.left, fmax(plan->seconds - status.seconds, 0)); // of NAN: the other
    return status;
}

static int tell_progress(Learning *learning) {
    const LearningEvents *events = learning->events;
    LearningStatus status = status_of(learning);
    if (events->progress)
        events->progress(events->context, &status);
    return status.ended;
}

// The time is over: what is under way is dropped.
static void end_by_time(Learning *learning) {
    learning->crew->cancel(learning->crew);
    for (int k = 0; k < learning->plan->runs; k++)
        if (!learning->run[k].ended)
            look_for_end(&learning->run[k]);
}

static bool loop(Learning *learning, const volatile bool *stop, bool *interrupted, Error *error) {
    const LearningPlan *plan = learning->plan;
    CrewResult *result = malloc(sizeof *result);
    bool good = result || error_set(error, "Out of memory for the results.");
    double look = 0;
    while (good) {
        CrewEvent event = learning->crew->wait(learning->crew, LOOK_EVERY, result, error);
        if (event == CREW_RESULT)
            good = take_result(learning, result, error);
        else if (event == CREW_FAILED)
            good = false;
        *interrupted = pool_stopped(stop);
        double now = clock_seconds();
        if (*interrupted || !good)
            break;
        if (event == CREW_RESULT && now < look + LOOK_EVERY)
            continue;
        look = now;
        if (tell_progress(learning) == plan->runs)
            break;
        if (plan->seconds > 0 && seconds_now(learning) >= plan->seconds) {
            end_by_time(learning);
            break;
        }
        if (event == CREW_IDLE) {
            good = error_set(error, "The learning has nothing left to do, but is not at its end.");
            break;
        }
    }
    free(result);
    return good;
}

static bool summarise(LearningResult *result, const Learning *learning, Error *error) {
    result->runs = learning->plan->runs;
    result->run = calloc((size_t)result->runs, sizeof *result->run);
    for (int k = 0; result->run && k < result->runs; k++) {
        const Run *run = &learning->run[k];
        result->run[k] = run->sum;
        result->run[k].generations = optimiser_status(run->optimiser).generation;
        if (!run->ended)
            snprintf(result->run[k].stopped, sizeof result->run[k].stopped, "Interrupted.");
    }
    return result->run || error_set(error, "Out of memory for the results.");
}

bool learning_run(LearningResult *result, const LearningPlan *plan, Crew *crew, json_t *const *state,
                  double spent, const volatile bool *stop, const LearningEvents *events, Error *error) {
    *result = (LearningResult){0};
    if (!learning_check(plan, error))
        return false;
    Learning learning = {.plan = plan,
                         .crew = crew,
                         .events = events,
                         .size = encoding_size(&plan->objective.encoding),
                         .samples = learning_samples(plan),
                         .started = clock_seconds(),
                         .spent = spent,
                         .run = calloc((size_t)plan->runs, sizeof *learning.run)};
    bool good = learning.run || error_set(error, "Out of memory for %d runs.", plan->runs);
    for (int k = 0; good && k < plan->runs; k++)
        good = start_run(&learning, k, state ? state[k] : NULL, error);
    for (int k = 0; good && k < plan->runs; k++) {
        Run *run = &learning.run[k];
        look_for_end(run);
        good = run->ended || (begin_generation(run, error) && advance(run, error));
    }
    good = good && loop(&learning, stop, &result->interrupted, error);
    crew->cancel(crew);
    good = good && summarise(result, &learning, error);
    result->seconds = seconds_now(&learning);
    free_runs(&learning);
    return good;
}

void learning_free(LearningResult *result) {
    free(result->run);
    *result = (LearningResult){0};
}
