// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the genetic algorithm.
#ifndef TETRALAB_OPTIMISE_GENETIC_H
#define TETRALAB_OPTIMISE_GENETIC_H

#include "optimise/optimiser.h"

typedef enum GeneticSelection { SELECT_TOURNAMENT, SELECT_UNIVERSAL, SELECT_SIGMA } GeneticSelection;
typedef enum GeneticCrossover { CROSSOVER_POINTS, CROSSOVER_UNIFORM } GeneticCrossover;
typedef enum GeneticRevisit {
    REVISIT_AGAIN,    // every individual is scored anew in every generation, elite included
    REVISIT_REMEMBER, // a vector that was scored before keeps that score
    REVISIT_AVERAGE,  // it is scored anew, and its score is the mean of all its scores so far
    REVISIT_ELITE // as in the thesis: the elite moves on with its score, copies that arise anew are scored
} GeneticRevisit;

typedef struct GeneticPlan {
    GeneticSelection selection;
    GeneticCrossover crossover;
    GeneticRevisit revisit;
    int elite;             // individuals that are copied unchanged
    int points;            // CROSSOVER_POINTS: how many
    double crossover_rate; // else one of the parents is copied
    int tournament;        // size of the group; 0: 10, or the population if that is smaller
    double random_rate;    // a random one of the group wins
    double mutation_rate;  // per gene; 0: 1 / dimension, with switches 2 / 32
    double range;          // mutation adds a whole number from -range ... range; start values likewise
} GeneticPlan;

static inline GeneticPlan *genetic_plan(const OptimiserPlan *plan) {
    return (GeneticPlan *)plan->settings;
}

#endif
