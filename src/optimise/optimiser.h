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
#include <stdint.h>

#include "base/error.h"

enum {
    OPTIMISER_MAX_DIMENSIONS = 1024,
    OPTIMISER_MAX_POPULATION = 10000,
};

typedef enum OptimiserMethod {
    OPTIMISER_CMAES,         // optimise/cmaes.c
    OPTIMISER_CROSS_ENTROPY, // optimise/cross_entropy.c
    OPTIMISER_GENETIC,       // optimise/genetic.c
    OPTIMISER_SWARM          // optimise/swarm.c
} OptimiserMethod;

typedef enum CmaesConstants {
    CMAES_MODERN, // Hansen 2016: separate rates for rank one and rank mu
    CMAES_CLASSIC // Boumaza's program: one rate c_cov (Hansen & Kern 2004)
} CmaesConstants;

typedef struct CmaesPlan {
    CmaesConstants constants;
    bool sphere;  // scale every sampled vector to length 1 before it is scored and before the update
    double floor; // the root mean square of the coordinates' deviations is kept at this or above; 0: no floor
} CmaesPlan;

typedef enum CrossEntropyNoise { NOISE_NONE, NOISE_CONSTANT, NOISE_DECREASING } CrossEntropyNoise;

typedef struct CrossEntropyPlan {
    CrossEntropyNoise noise; // added to the variances after each update t = 0, 1, ...:
    double level;            //   constant: level; decreasing: max(level - t * slope, 0)
    double slope;
} CrossEntropyPlan;

typedef enum GeneticSelection { SELECT_TOURNAMENT, SELECT_UNIVERSAL, SELECT_SIGMA } GeneticSelection;
typedef enum GeneticCrossover { CROSSOVER_POINTS, CROSSOVER_UNIFORM } GeneticCrossover;
typedef enum GeneticRevisit {
    REVISIT_AGAIN,    // as in the thesis: every individual is scored anew in every generation, elite included
    REVISIT_REMEMBER, // a vector that was scored before keeps that score
    REVISIT_AVERAGE   // it is scored anew, and its score is the mean of all its scores so far
} GeneticRevisit;

typedef struct GeneticPlan {
    GeneticSelection selection;
    GeneticCrossover crossover;
    GeneticRevisit revisit;
    int elite;             // individuals that are copied unchanged
    int points;            // CROSSOVER_POINTS: how many
    double crossover_rate; // else one of the parents is copied
    int tournament;        // size of the group
    double random_rate;    // a random one of the group wins
    double mutation_rate;  // per gene; 0: 1 / dimension
    double range;          // mutation adds a whole number from -range ... range; start values likewise
    const int *group;      // gene -> group; crossover keeps a group together. NULL: each gene its own
    const bool *is_switch; // genes that are 0 or 1, mutation draws them anew. NULL: none
} GeneticPlan;

typedef struct SwarmPlan {
    double inertia, cognitive, social;
    double most_speed; // per coordinate, 0: no limit
    int neighbours;    // each particle sees so many on either side of a ring; 0: all (global best)
} SwarmPlan;

typedef struct OptimiserPlan {
    OptimiserMethod method;
    int dimension;
    uint64_t seed, run;  // runs of one seed are independent of each other
    int population;      // 0: the method's own, optimiser_defaults
    int parents;         // selected of them; 0: the method's own. Genetic and swarm: not used
    double sigma;        // start deviation of every coordinate; 0: the method's own. Genetic: not used
    const double *start; // NULL: zeros. Genetic: not used
    CmaesPlan cmaes;
    CrossEntropyPlan cross_entropy;
    GeneticPlan genetic;
    SwarmPlan swarm;
} OptimiserPlan;

const char *optimiser_method_name(OptimiserMethod method); // cmaes, nce, ga, pso
bool optimiser_method_parse(OptimiserMethod *method, const char *text, Error *error);

// Fills in everything but dimension, seed, run and start with what the papers used (the file of each method
// names them). With `dimension` set beforehand, population and parents are filled in for it too.
void optimiser_defaults(OptimiserPlan *plan, OptimiserMethod method);

typedef struct Optimiser Optimiser;

// The plan is copied, with what it points to. NULL: the error names what is wrong with it.
Optimiser *optimiser_new(const OptimiserPlan *plan, Error *error);
void optimiser_free(Optimiser *optimiser);

// <- the vectors to be scored next; *batch is valid until optimiser_tell or optimiser_free. May be fewer than
//    the population, even none (REVISIT_REMEMBER). Asking again gives the same ones.
int optimiser_ask(Optimiser *optimiser, const double **batch);

// -> score  of the vectors asked for, in their order; NaN counts as the worst
// -> order  NULL: by score, the first of equal ones first. Otherwise all indices, the best first, as a race
//           ranks them (optimise/racing.h); for methods that only rank (optimiser_ranks)
void optimiser_tell(Optimiser *optimiser, const double *score, const int *order);

// <- true: the method uses nothing but which `parents` are the best, and in which order
bool optimiser_ranks(const Optimiser *optimiser);

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
} OptimiserStatus;

OptimiserStatus optimiser_status(const Optimiser *optimiser);

// The state between two generations, as JSON with 17 digits: exact. NULL: out of memory.
json_t *optimiser_save(const Optimiser *optimiser);
// Into an optimiser made with the same plan. The JSON may come from a damaged file: all of it is checked, and
// on failure the optimiser is as it was.
bool optimiser_restore(Optimiser *optimiser, const json_t *state, Error *error);

#endif
