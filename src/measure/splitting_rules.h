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

// Trials with which SPLITTING_AIMED_REPETITIONS repetitions, the fifth to spare included, have an interval of
// the wanted precision.
// -> noise  (sd/mean)^2 of a repetition of one trial; with n trials it is an n-th of that
// <- SPLITTING_LEAST_TRIALS ... 1,000,000
uint64_t splitting_trials(double noise, double precision);

// Mean and interval of the first splitting->runs repetitions. With h = t sd / (mean sqrt n), t being
// Student's point for splitting->risk, the ends of the mean lines are (1 -+ h/2)^2 times the mean. Why the
// square root: lambdas are skewed like sums of exponential values, with a skewness of about twice sd/mean.
// Then sd/mean does not depend on the mean, and Student's interval misses equally often on both sides on the
// scale of lambda^-1/2 (to the first order of Edgeworth's expansion; Student's own of lambda is too low too
// often, that of the lines too high). From h = 1 on the upper end is not known. If none of them got to a
// loss, the lower end is that of all their pieces as one run without a loss, 4/W pieces / 3.69: a rough
// figure, since most runs were ended on boards from which no game is lost yet.
void splitting_summarise(Splitting *splitting, int width);

// The larger side of the interval of the mean lines, as a fraction of the mean; INFINITY: not known.
double splitting_precision(const Splitting *splitting);

// The risk of an interval that is looked at after so many looks which did not suffice: 4 % at the first, then
// 1/2 %, 1/4 %, ... All looks together have 5 %, so an interval that was taken at any of them, for whatever
// reason, misses the truth in 5 % of the cases at most.
double splitting_risk(uint64_t looks);

// How many repetitions there are to be in all, if those so far are not precise enough: as many as the
// interval at its next risk asks for, and a fifth more, since their spread is only an estimate; at least a
// quarter more than now. If that is more than four times as many, only four times as many are made, which
// tell the spread anew and are not looked at. Fills wanted, may_end and risk.
void splitting_next_stage(Splitting *splitting, double wanted);

// Do the repetitions suffice, as summarised? With a fixed number of them (plan->repetitions) never before
// that. Else they are made in stages (Stein 1945). The first, SPLITTING_LEAST_REPETITIONS, only tells the
// spread; the second, by splitting_next_stage, is looked at when it is complete, and is the last one as a
// rule. They also end, from SPLITTING_LEAST_REPETITIONS on, when they have used up the budget, when none of
// them got to a loss, or when there are as many as possible. Fills splitting->precise and what the next stage
// is.
bool splitting_is_over(Splitting *splitting, const SplittingPlan *plan);

#endif
