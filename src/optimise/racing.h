// SPDX-License-Identifier: GPL-3.0-or-later
// Racing: which `select` of the candidates are the best, with as few noisy scores as possible (Boumaza, "How
// to design good Tetris players", section 5.2, and Boumaza 2011, after Heidrich-Meisner & Igel 2009). In
// every round each undecided candidate gets one more score; all of them under equal conditions, such as the
// same game. Then its bounds, which start at a and b, are tightened,
//     lower = max(lower, mean - c),   upper = min(upper, mean + c)       (the papers print lower twice)
// and it is selected when enough others are surely worse, discarded when enough are surely better.
//
//   hoeffding  c = R sqrt(ln(2 n_b / delta) / (2 r))                                         R = |b - a|
//   bernstein  c = sd sqrt(2 ln(3 n_b / delta) / r) + 3 R ln(3 n_b / delta) / r
//   tetris     c = 2 mean / sqrt(r): scores of Tetris players are nearly exponential
//
// r: scores of the candidate; sd: their standard deviation, with 1/r; n_b: scores that the race may take at
// most, candidates * r_limit, which is what Heidrich-Meisner & Igel take; Boumaza's words, "the number of
// evaluations in the current race", can also mean those so far.
//
// Bounds can cross: the papers do not say what then. Here, what was known before is dropped, and the interval
// of the scores stands alone. Without that, a candidate with crossed bounds is above and below others at
// once, and races end sooner. RaceRule has the other readings; docs/learning.md what they cost.
#ifndef TETRALAB_OPTIMISE_RACING_H
#define TETRALAB_OPTIMISE_RACING_H

#include <stdbool.h>

#include "base/error.h"
#include "base/fields.h"

typedef enum RaceBound { RACE_NONE, RACE_HOEFFDING, RACE_BERNSTEIN, RACE_TETRIS } RaceBound;

typedef enum RaceRule {
    RACE_CORRECTED, // as said above
    RACE_PRINTED,   // upper = min(lower of the round before, mean + c), as the papers print it
    RACE_CROSSING,  // bounds that cross stay so
    RACE_COUNTED,   // n_b: scores that the race has taken so far
    RACE_LITERAL    // crossing and counted: the papers to the letter, but for the misprint
} RaceRule;

typedef struct RacePlan {
    RaceBound bound;
    double bounds[2]; // a and b: scores are almost surely between them
    double delta;     // 1 - confidence
    double alpha;     // by which r_limit is adapted
    int least, most;  // r_limit is always within these
    RaceRule rule;
} RacePlan;

extern const Fields race_fields; // with Boumaza's values as defaults

// Is this a plan that can be raced by? With RACE_NONE nothing else in it matters.
bool race_check(const RacePlan *plan, Error *error);

typedef struct Race Race;

// -> limit  r_limit: rounds at most (at least 1). With RACE_NONE: the rounds of every candidate
// NULL: out of memory, a plan that race_check refuses, or 0 < select < candidates does not hold.
Race *race_new(const RacePlan *plan, int candidates, int select, int limit, Error *error); // free() it

// Does the candidate take part in the round to come? (With RACE_NONE all do, up to the limit.)
bool race_wants(const Race *race, int candidate);
// Its score in this round; once for every candidate that is wanted, others are ignored. NaN and minus
// infinity count as a, infinity as b; finite scores may be outside these.
void race_score(Race *race, int candidate, double score);
// All scores of the round are in. <- true: the race is over
bool race_end_round(Race *race);

bool race_decided(const Race *race); // `select` were selected before the limit was reached
int race_rounds(const Race *race);   // rounds ended
double race_mean(const Race *race, int candidate);
// <- what is known about the candidate's true mean: no more than a and b before its first score. Nobody races
// by
//    it but the race itself; tests compare it with the formulas
void race_bounds(const Race *race, int candidate, double *lower, double *upper);
// <- all candidates, the best first: the selected ones, the undecided, the discarded, each by mean; the first
// of
//    equal ones first
void race_order(const Race *race, int *order);

// <- r_limit for the next race, Boumaza's eq. 3 and 4: shorter after one that was decided before its limit,
// else
//    longer (also when it was decided in its last round). It is a real number; race_new gets it rounded down.
//    With RACE_NONE it stays.
double race_next_limit(const RacePlan *plan, double limit, const Race *race);

#endif
