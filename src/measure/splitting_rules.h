// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of splitting apart from all playing: with which base and how many trials it is done, what the
// repetitions say, and when there are enough of them. All are functions of what was seen, and
// tests/test_splitting_rules.c checks them on made-up counts and rates.
#ifndef TETRALAB_MEASURE_SPLITTING_RULES_H
#define TETRALAB_MEASURE_SPLITTING_RULES_H

#include "measure/splitting.h"

// The highest pile of A: the lowest height such that 70 % of the moves end no higher; but at least 1 % of the
// moves must end above it, or a player that stays below some height all the time (only O pieces, for
// instance) would never be seen to leave A.
// -> at_height  moves after which the pile was so high
// <- 1 ... highest
int splitting_base(const uint64_t at_height[SPLITTING_HEIGHTS], int highest);

// Trials with which SPLITTING_AIMED_REPETITIONS repetitions have an interval of the wanted precision.
// -> noise  the sum of (1 - p)/p over the levels: if trials were independent, the squared spread sd/mean of a
//           repetition of n trials would be noise/n; since they share their pasts it is about 4 times as
//           large
// <- 2,000 ... 1,000,000
uint64_t splitting_trials(double noise, double precision);

// Mean and interval of the first splitting->runs repetitions. Student's interval is made wider by 8 %: runs
// that stop as soon as their interval is narrow enough stop rather when it happens to be too narrow. If none
// of them got to a loss, the lower end is that of all their pieces as one run without a loss, 4/W pieces /
// 3.69: a rough figure, since restarts were cut short at heights where no game is lost yet.
void splitting_summarise(Splitting *splitting, int width);

// The larger side of the interval of the mean lines, as a fraction of the mean; INFINITY: not known.
double splitting_precision(const Splitting *splitting);

// Widely scattered repetitions need more company before their interval can be believed.
// <- SPLITTING_LEAST_REPETITIONS + 100 spread^2, rounded down; spread: sd/mean
uint64_t splitting_least_repetitions(double spread);

// Do the repetitions suffice, as summarised? With a fixed number of them (plan->repetitions) never before
// that. Else, from SPLITTING_LEAST_REPETITIONS on: when they are precise and no fewer than
// splitting_least_repetitions, when they have used up the budget, or when none of them got to a loss.
// Fills splitting->precise.
bool splitting_is_over(Splitting *splitting, const SplittingPlan *plan);

#endif
