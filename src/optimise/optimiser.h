// SPDX-License-Identifier: GPL-3.0-or-later
// Optimisers of real vectors that know no Tetris: ask for a batch of vectors, tell their scores.
//
//     Optimiser *optimiser = optimiser_new(&plan, &error);
//     while (!optimiser_stop_reason(optimiser)) {
//         const double *batch;
//         int count = optimiser_ask(optimiser, &batch);        // vector i at batch + i * dimension
//         for (int i = 0; i < count; i++)
//             score[i] = f(batch + i * dimension);             // larger is better
//         optimiser_tell(optimiser, score, NULL);
//     }
//     optimiser_free(optimiser);
//
// All random numbers of generation g come from a stream of their own, (seed, run, g): the state is what
// optimiser_save writes and nothing else, and a restored optimiser goes on exactly as the saved one would
// have.
#ifndef TETRALAB_OPTIMISE_OPTIMISER_H
#define TETRALAB_OPTIMISE_OPTIMISER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fields.h"

enum {
    OPTIMISER_MAX_DIMENSIONS = 1024,
    OPTIMISER_MAX_POPULATION = 10000,
};

// The methods, one line each: NAME, the file optimise/FILE.c with its header, the word for it. A method is an
// OptimiserKind (optimise/method.h) called optimiser_FILE.
#define OPTIMISER_METHODS(METHOD)                                                                            \
    METHOD(CMAES, cmaes, "cmaes")                                                                            \
    METHOD(CROSS_ENTROPY, cross_entropy, "nce")                                                              \
    METHOD(GENETIC, genetic, "ga")                                                                           \
    METHOD(SWARM, swarm, "pso")

typedef enum OptimiserMethod {
#define METHOD(NAME, file, word) OPTIMISER_##NAME,
    OPTIMISER_METHODS(METHOD)
#undef METHOD
        OPTIMISER_COUNT
} OptimiserMethod;
extern const char *const optimiser_words[]; // in their order, ended by NULL

// Each method has settings of its own, a struct in the bytes of the plan (cmaes_plan, genetic_plan, ...).
enum { OPTIMISER_SETTINGS = 128 };

typedef struct OptimiserPlan {
    OptimiserMethod method;
    int dimension;
    uint64_t seed, run;    // runs of one seed are independent of each other
    int population;        // 0: the method's own
    int parents;           // selected of them; 0: the method's own. Genetic and swarm: not used
    double sigma;          // start deviation of every coordinate; 0: the method's own. Genetic: not used
    const double *start;   // NULL: zeros. Genetic: not used
    const int *group;      // coordinate -> group, which crossover keeps together. NULL: each its own
    const bool *is_switch; // coordinates that are 0 or 1, for methods with `switches`. NULL: none
    _Alignas(max_align_t) unsigned char settings[OPTIMISER_SETTINGS];
} OptimiserPlan;
#define OPTIMISER_SETTING(type, member) (offsetof(OptimiserPlan, settings) + offsetof(type, member))

// What there is to know about a method before it runs.
typedef struct OptimiserTraits {
    const char *title;    // "CMA-ES (covariance matrix adaptation)"
    const Fields *fields; // of OptimiserPlan: what can be set, with the papers' values as defaults
    bool ranks;           // it uses nothing but which `parents` are the best, and in which order
    bool has_mean;        // its answer is the mean of a distribution, not a vector that was scored
    bool has_start;       // it begins at plan->start
    bool random_start;    //   which must not be 0: all directions are to be equally likely
    bool switches;        // it knows coordinates that are 0 or 1
    double unit;          // the usual size of its numbers
    int games;            // scores of noisy games that the papers take for one vector
    // Sets what follows from the problem: does nothing but the direction of a vector count; is the answer an
    // average over generations? Both may be NULL. -> given  was this setting given? Then it stays
    void (*suit)(OptimiserPlan *plan, bool directions, bool averaged,
                 bool (*given)(const void *context, const char *option), const void *context);
    // Does it scale every vector to length 1?
    bool (*scales)(const OptimiserPlan *plan);
} OptimiserTraits;
const OptimiserTraits *optimiser_traits(OptimiserMethod method);
// <- the words of the methods that have this trait, a bool: "cmaes and nce". -> join  "and", "or"
const char *optimiser_with(size_t trait, const char *join, char out[FIELD_WORDS_TEXT]);

// Fills in everything but dimension, seed, run, start, group and is_switch with what the papers used. With
// `dimension` set beforehand the plan is completed for it; without, what follows from other settings (the
// parents from the population) stays open, so that these can be set first.
void optimiser_defaults(OptimiserPlan *plan, OptimiserMethod method);
// Zeros become what the method uses, and what follows from the rest is worked out. optimiser_new does it too.
void optimiser_complete(OptimiserPlan *plan);

typedef struct Optimiser Optimiser;

// The plan is copied, with what it points to. NULL: the error names what is wrong with it.
Optimiser *optimiser_new(const OptimiserPlan *plan, Error *error);
void optimiser_free(Optimiser *optimiser);

// <- the vectors to be scored next; *batch is valid until optimiser_tell or optimiser_free. May be fewer than
//    the population, even none (REVISIT_REMEMBER). Asking again gives the same ones.
int optimiser_ask(Optimiser *optimiser, const double **batch);

// -> score  of the vectors asked for, in their order; NaN counts as the worst
// -> order  NULL: by score, the first of equal ones first. Otherwise all indices, the best first, as a race
//           ranks them (optimise/racing.h); for methods that only rank (OptimiserTraits)
void optimiser_tell(Optimiser *optimiser, const double *score, const int *order);

// <- a full sentence when there is no point in going on, else NULL
const char *optimiser_stop_reason(const Optimiser *optimiser);

// How far it is. The arrays have `dimension` numbers, belong to the optimiser, and change with
// optimiser_tell.
typedef struct OptimiserStatus {
    int dimension, population, parents;
    uint64_t generation;  // generations told
    uint64_t evaluations; // scores told
    const double *answer; // what the method would give as its result now: the mean of its distribution, the
                          //   best individual, the best position of the swarm
    const double *deviation; // standard deviation of every coordinate (of the distribution or the population)
    const double *axes;      // cmaes: square roots of the eigenvalues of C, ascending; else NULL
    double sigma;            // cmaes: step size; else the root mean square of the deviations
    const double *best;      // of the last generation told; NULL before the first
    double best_score, mean_score, worst_score; // of it
    double lower_quartile, upper_quartile;      // of its scores; NAN: it was told before the state was saved
} OptimiserStatus;

OptimiserStatus optimiser_status(const Optimiser *optimiser);

// The state between two generations, as JSON with 17 digits: exact. NULL: out of memory.
json_t *optimiser_save(const Optimiser *optimiser);
// Into an optimiser made with the same plan. The JSON may come from a damaged file: all of it is checked, and
// on failure the optimiser is as it was.
bool optimiser_restore(Optimiser *optimiser, const json_t *state, Error *error);

#endif
