// SPDX-License-Identifier: GPL-3.0-or-later
// How close is a board to a lost game? The importance of a board is an estimate of the logarithm of the
// probability that the game is lost before the pile is low again, a weighted sum of a few terms that are
// quickly counted. Splitting (measure/splitting.h) spends its runs according to it. A bad estimate makes
// splitting slow: nothing it measures is biased by the importance, whatever its weights. But one that is far
// too steep hides the few runs that make up the rate of losses.
//
// The weights are fitted to the player and the rules at hand. Boards that a run of splitting met are known
// with the losses that came of them, and the expected number of losses is exp(importance): a Poisson
// regression, fitted by Newton's method. The losses of one run share their pasts, so they count for little,
// and a ridge keeps the weights near those that it began with.
#ifndef TETRALAB_MEASURE_IMPORTANCE_H
#define TETRALAB_MEASURE_IMPORTANCE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

// Terms: 1, height of the pile, mean column height, rows with holes, wells (depth of columns below both
// neighbours), row transitions up to the pile's height; and of the first two heights the squares, divided by
// the height of the board.
enum { IMPORTANCE_TERMS = 8 };

typedef struct Importance {
    double weight[IMPORTANCE_TERMS];
} Importance;

// Of bcts on 10x20, where every fit begins.
extern const Importance importance_usual;

// -> column  of the board, as in game/board.h
// <- the height of the pile
int importance_terms(const uint32_t *column, int width, int height, double term[IMPORTANCE_TERMS]);
double importance_sum(const Importance *importance, const double term[IMPORTANCE_TERMS]);

// The same in steps, rounded down, and the estimated probability itself: exact powers, the same everywhere.
enum { IMPORTANCE_STEPS = 16 }; // in which the probability doubles
int importance_level(double sum);
double importance_chance(int level);

// Steeper (factor > 1) or flatter: all weights but that of the constant.
void importance_scale(Importance *importance, double factor);

// ---------------------------------------------------------------------------------------------------
// Fitting

// A board that a run came to.
typedef struct ImportanceSample {
    double term[IMPORTANCE_TERMS];
    int level;      // of its importance, as it was estimated then
    double weight;  // of the run
    double lost;    // of the runs that came of it and were lost
    int32_t before; // the sample before it of the same run; -1: none
} ImportanceSample;

typedef struct ImportanceSamples {
    ImportanceSample *sample; // owned
    int32_t count;
    double independent; // of how many losses they tell, counting those that share their past as one
} ImportanceSamples;

// <- the number of the new sample; -1: out of memory
int32_t importance_sample(ImportanceSamples *samples, const double term[IMPORTANCE_TERMS], int level,
                          double weight, int32_t before);
// A run that came of this sample (-1: of none) was lost.
void importance_lost(ImportanceSamples *samples, int32_t number, double weight);
void importance_clear(ImportanceSamples *samples); // keeps the memory
void importance_free(ImportanceSamples *samples);

// Fits to all samples. -> near  where the ridge holds the weights. Unchanged: none of them led to a loss
void importance_fit(Importance *importance, const Importance *near, const ImportanceSamples *samples);

#endif
