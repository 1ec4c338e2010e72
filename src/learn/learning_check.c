// SPDX-License-Identifier: GPL-3.0-or-later
// Can a plan be carried out? And the optimiser with which each of its runs begins.
#include <string.h>

#include "base/random.h"
#include "learn/learning.h"

enum { MAX_VALUES = 100000000 }; // scores of one generation that are kept in memory

uint64_t learning_samples(const LearningPlan *plan) {
    return plan->race.bound == RACE_NONE ? plan->samples : (uint64_t)plan->race.most;
}

static bool is_scaled(const LearningPlan *plan) {
    const OptimiserTraits *traits = optimiser_traits(plan->optimiser.method);
    return traits->scales && traits->scales(&plan->optimiser);
}

// The optimiser of one run. Its groups and switches are those of the encoding.
Optimiser *learning_optimiser(const LearningPlan *plan, int run, Error *error) {
    int size = encoding_size(&plan->objective.encoding), group[ENCODING_MAX];
    bool is_switch[ENCODING_MAX];
    double start[ENCODING_MAX] = {0};
    OptimiserPlan optimiser = plan->optimiser;
    optimiser.dimension = size;
    optimiser.seed = plan->seed;
    optimiser.run = (uint64_t)run;
    for (int k = 0; k < size; k++) {
        group[k] = encoding_group(&plan->objective.encoding, k);
        is_switch[k] = encoding_is_switch(&plan->objective.encoding, k);
    }
    optimiser.group = group;
    optimiser.is_switch = is_switch;
    optimiser.start = start;
    if (plan->start == START_VECTOR)
        memcpy(start, plan->vector, (size_t)size * sizeof *start);
    if (plan->start == START_RANDOM) {
        Random random = random_stream(plan->seed, (uint64_t)run | (uint64_t)1 << 63, RANDOM_LEARNING);
        for (int k = 0; k < size; k++) // every direction is equally likely
            start[k] = random_normal(&random);
    }
    // A long vector would lie outside the sphere that all samples are on.
    double length = plan->start == START_RANDOM || is_scaled(plan) ? encoding_length(start, size) : 1;
    for (int k = 0; k < size; k++)
        start[k] /= length;
    return optimiser_new(&optimiser, error);
}

static bool check_race(const LearningPlan *plan, Error *error) {
    const RacePlan *race = &plan->race;
    if (race->bound == RACE_NONE)
        return true;
    char names[FIELD_WORDS_TEXT];
    if (!optimiser_traits(plan->optimiser.method)->ranks)
        return error_set(error,
                         "The method %s needs the scores of all candidates, so that none can be dropped in a "
                         "race: use %s, or leave the race out.",
                         optimiser_words[plan->optimiser.method],
                         optimiser_with(offsetof(OptimiserTraits, ranks), "or", names));
    if (plan->objective.kind != OBJECTIVE_GAMES)
        return error_set(error, "A race counts games: it goes with the objective games only.");
    if (race->most > LEARNING_MAX_SAMPLES)
        return error_set(error, "A race can take %d games at most, not %d.", LEARNING_MAX_SAMPLES,
                         race->most);
    return race_check(race, error);
}

bool learning_has_limit(const LearningPlan *plan) {
    return plan->seconds > 0 || plan->generations || plan->evaluations || plan->budget_pieces;
}

bool learning_check(const LearningPlan *plan, Error *error) {
    char names[FIELD_WORDS_TEXT];
    if (!fields_check(learning_fields, plan, error))
        return false;
    if (!encoding_size(&plan->objective.encoding))
        return error_set(
            error,
            "These features and hidden units make more than %d numbers to be learned: give fewer "
            "of them.",
            ENCODING_MAX);
    if (!objective_check(&plan->objective, error))
        return false;
    if (is_scaled(plan) && !encoding_directions(&plan->objective.encoding))
        return error_set(
            error, "Vectors can be scaled to length 1 only if nothing but their direction counts, which "
                   "is so for linear ratings: leave the sphere out.");
    if (plan->average && (!encoding_directions(&plan->objective.encoding) ||
                          !optimiser_traits(plan->optimiser.method)->has_mean))
        return error_set(
            error,
            "Answers can be averaged over generations for the methods %s with a linear rating only: take "
            "the last one.",
            optimiser_with(offsetof(OptimiserTraits, has_mean), "and", names));
    if (plan->objective.encoding.choose && !optimiser_traits(plan->optimiser.method)->switches)
        return error_set(error, "Features are chosen by genes that are 0 or 1, which only the method %s has.",
                         optimiser_with(offsetof(OptimiserTraits, switches), "or", names));
    Optimiser *optimiser = learning_optimiser(plan, 0, error);
    if (!optimiser)
        return false;
    double values = (double)optimiser_status(optimiser).population * (double)learning_samples(plan);
    OptimiserStatus status = optimiser_status(optimiser);
    bool good = check_race(plan, error);
    if (good && plan->race.bound != RACE_NONE && status.parents >= status.population)
        good =
            error_set(error, "A race selects fewer than all: give fewer parents than the population of %d.",
                      status.population);
    optimiser_free(optimiser);
    if (good && values > MAX_VALUES)
        return error_set(
            error,
            "A generation of %.3g games or repetitions is more than %d: give a smaller population "
            "or fewer of them.",
            values, MAX_VALUES);
    return good;
}
