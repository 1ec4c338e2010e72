// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of weight vectors for the public interface. An evaluator keeps a crew, whose threads wait between
// calls; the thread that calls hands out the vectors, a window of them at a time, and takes the results.
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/settings.h"
#include "base/clock.h"
#include "learn/scoring.h"

static const double LOOK_EVERY = 0.05; // seconds

struct tetralab_evaluator {
    ScoringSettings scoring; // owned
    uint64_t seed;
    int size;
    char (*label)[64]; // owned
    Crew *crew;        // owned
    pthread_mutex_t lock;
    bool has_lock;
};

// ---------------------------------------------------------------------------------------------------
// The handle

static bool make_labels(tetralab_evaluator *evaluator, Error *error) {
    const Encoding *encoding = &evaluator->scoring.objective.encoding;
    evaluator->size = encoding_size(encoding);
    evaluator->label = calloc((size_t)evaluator->size + 1, sizeof *evaluator->label);
    for (int i = 0; evaluator->label && i < evaluator->size; i++)
        encoding_label(encoding, i, evaluator->label[i]);
    return evaluator->label || error_set(error, "Out of memory for %d labels.", evaluator->size);
}

static bool fill(tetralab_evaluator *evaluator, const tetralab_rules *rules,
                 const tetralab_settings *settings, Error *error) {
    TaskSettings task;
    Asked asked;
    tetralab_rules copy;
    bool good = asked_read(&asked, settings, task_find("evaluate", error), &task, error) &&
                api_copy_rules(&copy, rules, error);
    if (good) {
        good = scoring_complete(&task.scoring, &copy.rules, copy.max_pieces, task.running.kernel,
                                &asked.arguments, error);
        rules_free(&copy.rules);
        evaluator->scoring = task.scoring;
        evaluator->seed = task.running.seed;
    }
    good = good && make_labels(evaluator, error) &&
           (evaluator->crew =
                crew_threads(&candidate_kind, &evaluator->scoring.objective, (int)task.running.jobs, error));
    asked_free(&asked);
    evaluator->has_lock = good && !pthread_mutex_init(&evaluator->lock, NULL);
    return good;
}

tetralab_evaluator *tetralab_evaluator_new(const tetralab_rules *rules, const tetralab_settings *settings,
                                           tetralab_error *error) {
    tetralab_evaluator *evaluator = calloc(1, sizeof *evaluator);
    PlainLocale locale = plain_locale_enter();
    bool good = evaluator ? fill(evaluator, rules, settings, api_error(error))
                          : error_set(api_error(error), "Out of memory for an evaluator.");
    plain_locale_leave(locale);
    if (good)
        return evaluator;
    tetralab_evaluator_free(evaluator);
    return NULL;
}

void tetralab_evaluator_free(tetralab_evaluator *evaluator) {
    if (!evaluator)
        return;
    if (evaluator->crew)
        evaluator->crew->close(evaluator->crew);
    if (evaluator->has_lock)
        pthread_mutex_destroy(&evaluator->lock);
    objective_free(&evaluator->scoring.objective);
    free(evaluator->label);
    free(evaluator);
}

int tetralab_evaluator_size(const tetralab_evaluator *evaluator) {
    return evaluator->size;
}

const char *tetralab_evaluator_label(const tetralab_evaluator *evaluator, int index) {
    return index >= 0 && index < evaluator->size ? evaluator->label[index] : NULL;
}

static bool check_vector(const tetralab_evaluator *evaluator, const double *vector, size_t number,
                         Error *error) {
    for (int i = 0; i < evaluator->size; i++)
        if (!isfinite(vector[i]))
            return error_set(error, "Vector %zu: its number %d, for %s, is not finite.", number, i,
                             evaluator->label[i]);
    return true;
}

tetralab_strategy *tetralab_evaluator_strategy(const tetralab_evaluator *evaluator, const double *vector,
                                               const char *name, tetralab_error *error) {
    if (!check_vector(evaluator, vector, 0, api_error(error)))
        return NULL;
    tetralab_strategy *strategy = malloc(sizeof *strategy);
    if (strategy)
        encoding_strategy(&evaluator->scoring.objective.encoding, vector, name, &strategy->strategy);
    else
        error_set(api_error(error), "Out of memory for the strategy %.60s.", name);
    return strategy;
}

bool tetralab_evaluator_vector(const tetralab_evaluator *evaluator, const tetralab_strategy *strategy,
                               double *vector, tetralab_error *error) {
    double *weights = calloc(ENCODING_MAX, sizeof *weights);
    if (!weights)
        return error_set(api_error(error), "Out of memory for a vector.");
    bool good = encoding_vector(&evaluator->scoring.objective.encoding, &strategy->strategy, weights,
                                api_error(error));
    if (good)
        memcpy(vector, weights, (size_t)evaluator->size * sizeof *vector);
    free(weights);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Scoring

typedef struct Slot {
    Scoring scoring;
    size_t vector; // its number
    bool used;
} Slot;

typedef struct Batch {
    tetralab_evaluator *evaluator;
    const double *vectors;
    size_t count, begun, done;
    const tetralab_sampling *samplings;
    tetralab_evaluation *evaluation; // owned
    double *value;                   // owned; the samples of all
    uint64_t values;                 // of those that were begun
    Slot *slot;                      // owned
    int room;
    uint64_t tasks, pieces;
    CrewResult result;
} Batch;

static Sampling sampling_of(const Batch *batch, size_t number) {
    const tetralab_evaluator *evaluator = batch->evaluator;
    if (!batch->samplings)
        return (Sampling){evaluator->seed, 0, evaluator->scoring.games};
    const tetralab_sampling *given = &batch->samplings[number];
    return (Sampling){given->seed, given->first, given->games};
}

// Everything is looked at before the first vector is scored. <- total  samples in all
static bool check_batch(const Batch *batch, uint64_t *total, Error *error) {
    const tetralab_evaluator *evaluator = batch->evaluator;
    *total = 0;
    for (size_t i = 0; i < batch->count; i++) {
        Sampling sampling = sampling_of(batch, i);
        if (sampling.games < 1 || sampling.games > SCORING_MAX_GAMES)
            return error_set(error, "Vector %zu: it is scored with 1 to %d games, not %" PRIu64 ".", i,
                             SCORING_MAX_GAMES, sampling.games);
        if (sampling.first > UINT64_MAX - sampling.games)
            return error_set(error, "Vector %zu: its games have numbers above 2^64.", i);
        if (!check_vector(evaluator, batch->vectors + i * (size_t)evaluator->size, i, error))
            return false;
        *total += sampling.games;
    }
    return true;
}

static bool make_room(Batch *batch, uint64_t total, Error *error) {
    batch->room = scoring_room(batch->evaluator->crew);
    batch->slot = calloc((size_t)batch->room, sizeof *batch->slot);
    batch->evaluation = calloc(batch->count + 1, sizeof *batch->evaluation);
    batch->value = malloc((total + 1) * sizeof *batch->value);
    if (!batch->slot || !batch->evaluation || !batch->value)
        return error_set(error, "Out of memory for %zu vectors of %" PRIu64 " samples in all.", batch->count,
                         total);
    for (size_t i = 0; i < batch->count; i++)
        batch->evaluation[i] = (tetralab_evaluation){.score = NAN, .error = NAN, .mean = NAN};
    for (uint64_t k = 0; k < total; k++)
        batch->value[k] = NAN;
    return true;
}

static bool begin_next(Batch *batch, Error *error) {
    int k = 0;
    while (batch->slot[k].used)
        k++;
    Sampling sampling = sampling_of(batch, batch->begun);
    const double *vector = batch->vectors + batch->begun * (size_t)batch->evaluator->size;
    batch->slot[k].used = true;
    batch->slot[k].vector = batch->begun++;
    double *value = batch->value + batch->values;
    batch->values += sampling.games;
    return scoring_begin(&batch->slot[k].scoring, k, vector, &sampling, value, batch->evaluator->crew,
                         &batch->tasks, error);
}

static void take_result(Batch *batch) {
    ObjectiveKind kind = batch->evaluator->scoring.objective.kind;
    Slot *slot = &batch->slot[scoring_slot(&batch->result)];
    Scoring *scoring = &slot->scoring;
    uint64_t before = scoring->pieces;
    bool complete = scoring_take(scoring, &batch->result);
    batch->tasks--;
    batch->pieces += scoring->pieces - before;
    if (!complete)
        return;
    double score = objective_score(kind, scoring->value, scoring->games);
    batch->evaluation[slot->vector] =
        (tetralab_evaluation){.score = score,
                              .error = scoring_error(kind, scoring->value, scoring->games),
                              .mean = objective_lines(kind, score),
                              .pieces = scoring->pieces,
                              .seconds = scoring->seconds};
    slot->used = false;
    batch->done++;
}

static bool has_room(const Batch *batch) {
    return batch->begun < batch->count && batch->begun - batch->done < (size_t)batch->room &&
           batch->tasks < (uint64_t)batch->room;
}

static bool run_batch(Batch *batch, tetralab_watch *watch, void *context, Error *error) {
    double started = clock_seconds(), look = started;
    Crew *crew = batch->evaluator->crew;
    bool good = true;
    while (good && batch->done < batch->count) {
        while (good && has_room(batch))
            good = begin_next(batch, error);
        CrewEvent event = good ? crew->wait(crew, LOOK_EVERY, &batch->result, error) : CREW_FAILED;
        good = event != CREW_FAILED;
        if (event == CREW_RESULT)
            take_result(batch);
        double now = watch ? clock_seconds() : 0;
        if (!good || !watch || now < look + LOOK_EVERY)
            continue;
        look = now;
        tetralab_advance advance = {.unit = "vectors",
                                    .done = batch->done,
                                    .wanted = batch->count,
                                    .pieces = batch->pieces,
                                    .value = NAN,
                                    .precision = NAN,
                                    .seconds = now - started};
        if (!watch(context, &advance))
            break;
    }
    crew->cancel(crew);
    return good;
}

void tetralab_evaluator_sampling(const tetralab_evaluator *evaluator, tetralab_sampling *sampling) {
    *sampling = (tetralab_sampling){.seed = evaluator->seed, .games = evaluator->scoring.games};
}

bool tetralab_evaluate(tetralab_evaluator *evaluator, const double *vectors, size_t count,
                       const tetralab_sampling *samplings, tetralab_evaluation *evaluations, double *samples,
                       tetralab_watch *watch, void *context, tetralab_error *error) {
    Batch batch = {.evaluator = evaluator, .vectors = vectors, .count = count, .samplings = samplings};
    uint64_t total = 0;
    bool good = check_batch(&batch, &total, api_error(error)) && make_room(&batch, total, api_error(error));
    if (good) {
        pthread_mutex_lock(&evaluator->lock);
        good = run_batch(&batch, watch, context, api_error(error));
        pthread_mutex_unlock(&evaluator->lock);
    }
    if (good && count)
        memcpy(evaluations, batch.evaluation, count * sizeof *evaluations);
    if (good && samples && total)
        memcpy(samples, batch.value, total * sizeof *samples);
    free(batch.slot);
    free(batch.evaluation);
    free(batch.value);
    return good;
}
