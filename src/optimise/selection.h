// SPDX-License-Identifier: GPL-3.0-or-later
// How a genetic algorithm chooses parents: Amundsen 2014, section 3.4.3. Scores are finite; larger is better.
#ifndef TETRALAB_OPTIMISE_SELECTION_H
#define TETRALAB_OPTIMISE_SELECTION_H

#include "base/random.h"

// Stochastic universal sampling (Baker 1987): `draws` equally spaced pointers on a wheel, one spin. An
// individual is chosen floor(e) or ceil(e) times, e = draws * weight / sum. The choices come in random order.
// -> weight  at least 0; all 0: all alike
void select_universal(const double *weight, int count, int *chosen, int draws, Random *random);

// <- weight: the scores, shifted so that the lowest is 0 if any is negative
void select_shift(const double *score, int count, double *weight);

// Sigma scaling, eq. 3.1: weight = 1 + (score - mean) / (2 sd), 1 for all if the deviation is 0. Below two
// deviations under the mean this is negative; 0.1 stands for everything under 0.1, so that everybody keeps a
// chance.
void select_sigma(const double *score, int count, double *weight);

// A tournament: the best of a group of `size` different ones, or, with probability random_rate, any of the
// group.
// -> order  all individuals, the best first
// -> deck   0 ... count-1 in any order; is shuffled
int select_tournament(const int *order, int count, int size, double random_rate, int *deck, Random *random);

#endif
