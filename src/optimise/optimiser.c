// SPDX-License-Identifier: GPL-3.0-or-later
// What all optimisers share: plans and their checks, ranking, the random streams of the generations, the
// outer part of the saved state. The methods themselves are in the files named in optimiser.h; they fill an
// OptimiserKind (method.h).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optimise/method.h"

enum { PARTS = 16 };
static const double LARGEST = 1e100; // start values: their squares are far from overflowing

static const OptimiserKind *const kinds[OPTIMISER_COUNT] = {
#define METHOD(NAME, file, word) [OPTIMISER_##NAME] = &optimiser_##file,
    OPTIMISER_METHODS(METHOD)
#undef METHOD
};

const char *const optimiser_words[] = {
#define METHOD(NAME, file, word) word,
    OPTIMISER_METHODS(METHOD)
#undef METHOD
        NULL};

const OptimiserTraits *optimiser_traits(OptimiserMethod method) {
    return &kinds[method]->traits;
}

const char *optimiser_with(size_t trait, const char *join, char out[FIELD_WORDS_TEXT]) {
    const char *with[OPTIMISER_COUNT + 1] = {NULL};
    for (int m = 0, count = 0; m < OPTIMISER_COUNT; m++)
        if (*(const bool *)((const char *)&kinds[m]->traits + trait))
            with[count++] = optimiser_words[m];
    return field_words(with, "", join, out);
}

// ---------------------------------------------------------------------------------------------------
// Plans

static double preset_of(const OptimiserPlan *plan, const char *key) {
    const Field *field = fields_find(*kinds[plan->method]->traits.fields, key);
    return field && !isnan(field->preset) ? field->preset : 0;
}

void optimiser_complete(OptimiserPlan *plan) {
    if (plan->population == 0)
        plan->population = (int)preset_of(plan, "population");
    if (plan->sigma == 0)
        plan->sigma = preset_of(plan, "sigma");
    if (kinds[plan->method]->complete)
        kinds[plan->method]->complete(plan);
}

void optimiser_defaults(OptimiserPlan *plan, OptimiserMethod method) {
    *plan = (OptimiserPlan){.method = method,
                            .dimension = plan->dimension,
                            .seed = plan->seed,
                            .run = plan->run,
                            .start = plan->start,
                            .group = plan->group,
                            .is_switch = plan->is_switch};
    fields_preset(*kinds[method]->traits.fields, plan);
    if (plan->dimension > 0)
        optimiser_complete(plan);
}

static bool check_plan(const OptimiserPlan *plan, const OptimiserKind *kind, Error *error) {
    Error detail = {""};
    if (!fields_check(*kind->traits.fields, plan, &detail))
        return error_set(error, "%s: %s", optimiser_words[plan->method], detail.text);
    if (plan->parents > plan->population)
        return error_set(error, "The number of parents must be 1 to the population, %d, not %d.",
                         plan->population, plan->parents);
    for (int i = 0; plan->start && i < plan->dimension; i++)
        if (!(fabs(plan->start[i]) <= LARGEST))
            return error_set(error, "Number %d of the start vector must be finite and at most %g, not %g.",
                             i + 1, LARGEST, plan->start[i]);
    return true;
}

// Before anything is filled in: what filling in relies on.
static bool check_frame(const OptimiserPlan *plan, Error *error) {
    if ((int)plan->method < 0 || plan->method >= OPTIMISER_COUNT)
        return error_set(error, "There is no optimiser number %d.", (int)plan->method);
    if (plan->dimension < 1 || plan->dimension > OPTIMISER_MAX_DIMENSIONS)
        return error_set(error, "An optimiser needs 1 to %d numbers to work on, not %d.",
                         OPTIMISER_MAX_DIMENSIONS, plan->dimension);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Life

typedef struct Ranked {
    double score;
    int index;
} Ranked;

typedef struct Room {
    struct Room *next;
    _Alignas(max_align_t) unsigned char memory[];
} Room;

void *optimiser_room(Optimiser *optimiser, size_t count, size_t size) {
    Room *room = calloc(1, sizeof *room + count * size);
    if (!room) {
        optimiser->starved = true;
        return NULL;
    }
    room->next = optimiser->rooms;
    optimiser->rooms = room;
    return room->memory;
}

static const void *copied(Optimiser *optimiser, const void *list, size_t size) {
    void *copy = list ? optimiser_room(optimiser, 1, size) : NULL;
    return copy ? memcpy(copy, list, size) : NULL;
}

Optimiser *optimiser_new(const OptimiserPlan *given, Error *error) {
    OptimiserPlan plan = *given;
    if (!check_frame(&plan, error))
        return NULL;
    optimiser_complete(&plan);
    const OptimiserKind *kind = kinds[plan.method];
    if (!check_plan(&plan, kind, error))
        return NULL;
    Optimiser *optimiser = calloc(1, sizeof *optimiser);
    if (!optimiser)
        return error_null(error, "Out of memory for an optimiser.");
    size_t n = (size_t)plan.dimension, population = (size_t)plan.population;
    plan.start = copied(optimiser, plan.start, n * sizeof *plan.start);
    plan.group = copied(optimiser, plan.group, n * sizeof *plan.group);
    plan.is_switch = copied(optimiser, plan.is_switch, n * sizeof *plan.is_switch);
    optimiser->plan = plan;
    optimiser->kind = kind;
    optimiser->status = (OptimiserStatus){.dimension = plan.dimension,
                                          .population = plan.population,
                                          .parents = plan.parents,
                                          .lower_quartile = NAN,
                                          .upper_quartile = NAN};
    optimiser->asked = -1;
    optimiser->state = optimiser_room(optimiser, 1, kind->state);
    optimiser->batch = optimiser_room(optimiser, population * n, sizeof *optimiser->batch);
    optimiser->best = optimiser_room(optimiser, n, sizeof *optimiser->best);
    optimiser->order = optimiser_room(optimiser, population, sizeof *optimiser->order);
    optimiser->ranked = optimiser_room(optimiser, population, sizeof *optimiser->ranked);
    if (!optimiser->starved && kind->start(optimiser, error))
        return optimiser;
    if (optimiser->starved)
        error_set(error, "Out of memory for %d vectors of %d numbers.", plan.population, plan.dimension);
    optimiser_free(optimiser);
    return NULL;
}

void optimiser_free(Optimiser *optimiser) {
    if (!optimiser)
        return;
    if (optimiser->kind->end && optimiser->state)
        optimiser->kind->end(optimiser);
    for (Room *room = optimiser->rooms, *next; room; room = next) {
        next = room->next;
        free(room);
    }
    free(optimiser);
}

// ---------------------------------------------------------------------------------------------------
// Asking and telling

int optimiser_ask(Optimiser *optimiser, const double **batch) {
    if (optimiser->asked < 0)
        optimiser->asked = optimiser->kind->ask(optimiser);
    if (batch)
        *batch = optimiser->batch;
    return optimiser->asked;
}

// The larger score first, NaN last, then the smaller index.
static int compare_ranked(const void *left, const void *right) {
    const Ranked *a = left, *b = right;
    if (isnan(a->score) != isnan(b->score))
        return isnan(a->score) ? 1 : -1;
    if (a->score != b->score && !isnan(a->score))
        return a->score > b->score ? -1 : 1;
    return a->index < b->index ? -1 : 1;
}

static void rank(Optimiser *optimiser, const double *score, int count) {
    Ranked *ranked = optimiser->ranked;
    for (int i = 0; i < count; i++)
        ranked[i] = (Ranked){.score = score[i], .index = i};
    qsort(ranked, (size_t)count, sizeof *ranked, compare_ranked);
}

// -> ranked  of which `numbers` are no NaN. The scores descend: three quarters of the way down is the lower
//            quartile.
static double quartile(const Ranked *ranked, int numbers, double down) {
    if (numbers < 2)
        return numbers ? ranked->score : NAN;
    double place = (numbers - 1) * down, part = place - floor(place);
    ranked += (int)place;
    return part > 0 ? (1 - part) * ranked[0].score + part * ranked[1].score : ranked->score;
}

// The mean and the quartiles leave out what is not a number.
void optimiser_note(Optimiser *optimiser, const double *vectors, const double *score, const int *order,
                    int count) {
    OptimiserStatus *status = &optimiser->status;
    size_t n = (size_t)optimiser->plan.dimension;
    double sum = 0;
    int numbers = 0;
    for (int i = 0; i < count; i++)
        if (!isnan(score[i])) {
            sum += score[i];
            numbers++;
        }
    status->best_score = score[order[0]];
    status->worst_score = score[order[count - 1]];
    status->mean_score = numbers ? sum / numbers : NAN;
    rank(optimiser, score, count);
    status->upper_quartile = quartile(optimiser->ranked, numbers, 0.25);
    status->lower_quartile = quartile(optimiser->ranked, numbers, 0.75);
    memcpy(optimiser->best, vectors + (size_t)order[0] * n, n * sizeof *optimiser->best);
}

void optimiser_tell(Optimiser *optimiser, const double *score, const int *order) {
    int count = optimiser_ask(optimiser, NULL);
    if (order)
        memcpy(optimiser->order, order, (size_t)count * sizeof *order);
    else
        rank(optimiser, score, count);
    for (int i = 0; !order && i < count; i++)
        optimiser->order[i] = optimiser->ranked[i].index;
    if (count > 0)
        optimiser_note(optimiser, optimiser->batch, score, optimiser->order, count);
    optimiser->kind->tell(optimiser, score, optimiser->order);
    optimiser->status.generation++;
    optimiser->status.evaluations += (uint64_t)count;
    optimiser->asked = -1;
}

const char *optimiser_stop_reason(const Optimiser *optimiser) {
    return optimiser->kind->stop_reason ? optimiser->kind->stop_reason(optimiser) : NULL;
}

OptimiserStatus optimiser_status(const Optimiser *optimiser) {
    OptimiserStatus status = optimiser->status;
    status.best = status.generation > 0 ? optimiser->best : NULL;
    status.sigma = NAN;
    optimiser->kind->status(optimiser, &status);
    if (!isnan(status.sigma))
        return status;
    double sum = 0;
    for (int k = 0; k < status.dimension; k++)
        sum += status.deviation[k] * status.deviation[k] / status.dimension;
    status.sigma = sqrt(sum);
    return status;
}

void optimiser_deviations(const OptimiserPlan *plan, const double *vectors, double *deviation) {
    size_t n = (size_t)plan->dimension, count = (size_t)plan->population;
    for (size_t k = 0; k < n; k++) {
        double sum = 0, squares = 0;
        for (size_t i = 0; i < count; i++)
            sum += vectors[i * n + k];
        for (size_t i = 0; i < count; i++) {
            double difference = vectors[i * n + k] - sum / (double)count;
            squares += difference * difference;
        }
        deviation[k] = sqrt(squares / (double)count);
    }
}

// ---------------------------------------------------------------------------------------------------
// Random numbers

// The run chooses a seed, the generation and the part a stream of it.
Random optimiser_random(const Optimiser *optimiser, int part) {
    Random run = random_stream(optimiser->plan.seed, optimiser->plan.run, RANDOM_OPTIMISER);
    return random_stream(random_next(&run), optimiser->status.generation * PARTS + (uint64_t)part,
                         RANDOM_OPTIMISER);
}
