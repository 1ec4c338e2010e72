// SPDX-License-Identifier: GPL-3.0-or-later
// The noisy cross-entropy method: Thiery & Scherrer 2009, Algorithm 1, after Szita & Lorincz 2006.
// A Gaussian with a variance of its own for every coordinate is sampled; its mean and variance become those
// of the best samples (with 1/n, the maximum likelihood estimate, which is what minimises the cross-entropy),
// plus the noise Z_t in every variance. The result is the mean. Start: mean 0, variance 100; 100 samples, the
// 10 best. It uses no correlations between coordinates (optimise/cmaes.c does), and no smoothing of mean or
// variance.
#include <math.h>
#include <string.h>

#include "optimise/cross_entropy.h"
#include "optimise/method.h"

static const double most_variance = 1e200; // a sample from it is far from overflowing

typedef struct CrossEntropy {
    double *mean, *variance, *deviation;
} CrossEntropy;

static const char *const noise_words[] = {"none", "constant", "decreasing", NULL};

static const Field cross_entropy_field[] = {
    {"population", FIELD_INT, FIELD_AT(OptimiserPlan, population), .preset = 100, .least = 2,
     .most = OPTIMISER_MAX_POPULATION, .argument = "N", .help = "Vectors in a generation."},
    {"parents", FIELD_INT, FIELD_AT(OptimiserPlan, parents), .preset = NAN, .otherwise = "10 % of them",
     .least = 1, .most = OPTIMISER_MAX_POPULATION, .argument = "N", .help = "How many of them are selected."},
    {"sigma", FIELD_REAL, FIELD_AT(OptimiserPlan, sigma), .preset = 10, .least = 1e-9, .most = 1e9,
     .argument = "X", .help = "First standard deviation."},
    {"noise", FIELD_WORD, OPTIMISER_SETTING(CrossEntropyPlan, noise), .preset = NOISE_CONSTANT,
     .words = noise_words, .argument = "KIND", .help = "none, constant or decreasing."},
    {"level", FIELD_REAL, OPTIMISER_SETTING(CrossEntropyPlan, level), .option = "noise-level", .preset = NAN,
     .otherwise = "4; decreasing: 5", .most = 1e9, .argument = "X", .belongs = "noise constant decreasing",
     .help = "How much is added to the variances."},
    {"slope", FIELD_REAL, OPTIMISER_SETTING(CrossEntropyPlan, slope), .option = "noise-slope", .preset = 0.1,
     .most = 1e9, .argument = "X", .belongs = "noise decreasing",
     .help = "decreasing: how much less in each generation."},
};
static const Fields cross_entropy_fields = FIELDS(cross_entropy_field);

static void complete(OptimiserPlan *plan) {
    CrossEntropyPlan *own = cross_entropy_plan(plan);
    if (plan->parents == 0)
        plan->parents = plan->population >= 20 ? plan->population / 10 : plan->population > 2 ? 2 : 1;
    if (isnan(own->level))
        own->level = own->noise == NOISE_DECREASING ? 5 : 4;
}

static void find_deviations(CrossEntropy *state, int dimension) {
    for (int k = 0; k < dimension; k++)
        state->deviation[k] = sqrt(state->variance[k]);
}

static bool cross_entropy_start(Optimiser *optimiser, Error *error) {
    const OptimiserPlan *plan = &optimiser->plan;
    size_t n = (size_t)plan->dimension;
    CrossEntropy *state = optimiser->state;
    (void)error;
    state->mean = optimiser_room(optimiser, n, sizeof *state->mean);
    state->variance = optimiser_room(optimiser, n, sizeof *state->variance);
    state->deviation = optimiser_room(optimiser, n, sizeof *state->deviation);
    if (optimiser->starved)
        return false;
    for (int k = 0; k < plan->dimension; k++) {
        state->mean[k] = plan->start ? plan->start[k] : 0;
        state->variance[k] = plan->sigma * plan->sigma;
    }
    find_deviations(state, plan->dimension);
    return true;
}

static int cross_entropy_ask(Optimiser *optimiser) {
    const CrossEntropy *state = optimiser->state;
    Random random = optimiser_random(optimiser, 0);
    int n = optimiser->plan.dimension;
    double *vector = optimiser->batch;
    for (int i = 0; i < optimiser->plan.population; i++, vector += n)
        for (int k = 0; k < n; k++)
            vector[k] = state->mean[k] + state->deviation[k] * random_normal(&random);
    return optimiser->plan.population;
}

// Z_t
static double noise(const CrossEntropyPlan *plan, uint64_t t) {
    switch (plan->noise) {
    case NOISE_CONSTANT:
        return plan->level;
    case NOISE_DECREASING:
        return fmax(plan->level - (double)t * plan->slope, 0);
    case NOISE_NONE:
        break;
    }
    return 0;
}

static void cross_entropy_tell(Optimiser *optimiser, const double *score, const int *order) {
    (void)score;
    CrossEntropy *state = optimiser->state;
    int n = optimiser->plan.dimension, parents = optimiser->plan.parents;
    double added = noise(cross_entropy_plan(&optimiser->plan), optimiser->status.generation);
    for (int k = 0; k < n; k++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < parents; i++)
            sum += optimiser->batch[(size_t)order[i] * (size_t)n + (size_t)k];
        double mean = sum / parents;
        for (int i = 0; i < parents; i++) {
            double difference = optimiser->batch[(size_t)order[i] * (size_t)n + (size_t)k] - mean;
            squares += difference * difference;
        }
        state->mean[k] = mean;
        state->variance[k] = fmin(squares / parents + added, most_variance);
    }
    find_deviations(state, n);
}

static const char *cross_entropy_stop_reason(const Optimiser *optimiser) {
    const CrossEntropy *state = optimiser->state;
    for (int k = 0; k < optimiser->plan.dimension; k++)
        if (state->deviation[k] > 1e-14 * fabs(state->mean[k]) && state->deviation[k] > 1e-150)
            return NULL;
    return "The distribution has shrunk to a point; more noise would have kept it alive.";
}

static void cross_entropy_status(const Optimiser *optimiser, OptimiserStatus *status) {
    const CrossEntropy *state = optimiser->state;
    double sum = 0;
    for (int k = 0; k < status->dimension; k++)
        sum += state->variance[k];
    status->answer = state->mean;
    status->deviation = state->deviation;
    status->sigma = sqrt(sum / status->dimension);
}

static int cross_entropy_lists(const Optimiser *optimiser, NumberList *list) {
    const CrossEntropy *state = optimiser->state;
    list[0] = (NumberList){"mean", state->mean, optimiser->plan.dimension};
    list[1] = (NumberList){"variance", state->variance, optimiser->plan.dimension};
    return 2;
}

static bool cross_entropy_restored(Optimiser *optimiser, const json_t *from, Error *error) {
    (void)from;
    CrossEntropy *state = optimiser->state;
    for (int k = 0; k < optimiser->plan.dimension; k++)
        if (!(state->variance[k] >= 0 && state->variance[k] <= most_variance))
            return error_set(error,
                             "In the saved state of the optimiser, variance %d is %g, which cannot be.",
                             k + 1, state->variance[k]);
    find_deviations(state, optimiser->plan.dimension);
    return true;
}

const OptimiserKind optimiser_cross_entropy = {
    .traits = {.title = "noisy cross-entropy",
               .fields = &cross_entropy_fields,
               .ranks = true,
               .has_mean = true,
               .has_start = true,
               .unit = 1,
               .games = 1},
    .complete = complete,
    .state = sizeof(CrossEntropy),
    .start = cross_entropy_start,
    .ask = cross_entropy_ask,
    .tell = cross_entropy_tell,
    .stop_reason = cross_entropy_stop_reason,
    .status = cross_entropy_status,
    .lists = cross_entropy_lists,
    .restored = cross_entropy_restored,
};
