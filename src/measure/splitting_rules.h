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
// -> noise  (sd/mean)^2 of a repetition of one trial; with n trials it is an n-th of that
// <- SPLITTING_LEAST_TRIALS ... 1,000,000
uint64_t splitting_trials(double noise, double precision);

// Mean and Student's interval of the first splitting->runs repetitions. If none of them got to a loss, the
// lower end is that of all their pieces as one run without a loss, 4/W pieces / 3.69: a rough figure, since
// most runs were ended on boards from which no game is lost yet.
void splitting_summarise(Splitting *splitting, int width);

// The larger side of the interval of the mean lines, as a fraction of the mean; INFINITY: not known.
double splitting_precision(const Splitting *splitting);

// Repetitions in all, if those so far are not precise enough: as many as their interval asks for, and a tenth
// more, since their spread is only an estimate; at most four times as many as so far.
uint64_t splitting_next_stage(uint64_t runs, double precision, double wanted);

// Do the repetitions suffice, as summarised? With a fixed number of them (plan->repetitions) never before
// that. Else they are made in stages (Stein 1945), and the interval is looked at when a stage is complete,
// not before: after SPLITTING_LEAST_REPETITIONS, then after splitting_next_stage, which is the last one as a
// rule. An interval that is watched all the time stops rather when it happens to be too narrow. They also
// end, from SPLITTING_LEAST_REPETITIONS on, when they have used up the budget, or when none of them got to a
// loss. Fills splitting->precise and splitting->wanted.
bool splitting_is_over(Splitting *splitting, const SplittingPlan *plan);

#endif
