// SPDX-License-Identifier: GPL-3.0-or-later
// Is B better than A? A sequential test (Wald 1945) that stops as soon as it knows.
//
// Let rho = mean(B)/mean(A). H0: rho = r0 against H1: rho = r1. Game k of A and game k of B get the same
// pieces; their lines x and y are a pair. Wald's test adds up the logarithm of the likelihood ratio of the
// pairs, L, and accepts H1 when L >= log((1 - beta)/alpha), H0 when L <= log(beta/(1 - alpha)). Then H0 is
// rejected wrongly with probability alpha, H1 with probability beta, about: the sum overshoots the bounds,
// which makes both a little smaller. If rho lies between r0 and r1, either decision is right enough.
//
// The exponential test. If x and y are independent and exponential, y/x = rho E2/E1 with two standard
// exponential variables, and P(y/x > r) = P(E2 > E1 r/rho) = rho/(rho + r). So u = y/(x + y) = r/(1 + r) has
// P(u > t) = rho (1 - t)/(rho (1 - t) + t) and the density
//     rho / (rho (1 - u) + u)^2     on (0, 1),
// in which the unknown mean of A does not occur. One pair adds
//     log(r1/r0) + 2 log((r0 (1 - u) + u)/(r1 (1 - u) + u)) = log(r1/r0) + 2 log((r0 x + y)/(r1 x + y)).
// Lines are whole numbers: x + 1/2 and y + 1/2 are used, which is how the mean of an exponential variable
// compares to its whole part, so that strictly rho is the ratio of (mean + 1/2).
//
// Common pieces can correlate x and y. log(y/x) then lies closer to log rho than if they were independent,
// while its law stays symmetric about it if none of the two has an advantage. The drift of L per pair grows
// (to 3/2 of the independent value at most) and its variance shrinks, so that the error rates become smaller
// than stated, not larger. Scores of different players are hardly correlated at all: what one loses by is not
// what the other loses by (tests/test_sprt.c checks error rates with players that share their pieces).
//
// The sign test. If the scores of A or B are not near exponential (measure/distribution.h: deviation, or a
// mean below ten lines), ratios of means cannot be told from pairs this way. Then only the sign of y - x
// counts, and the hypotheses are about p = P(y > x) + P(y = x)/2, how often B beats A with the same pieces:
//     H0: p = r0/(1 + r0)     H1: p = r1/(1 + r1)
// which for exponential scores is the same question, and for others is the question that it says. A tie adds
// half of a win and half of a loss, which again lowers the variance only.
//
// Which test: looked at after SPRT_FIRST_LOOK pairs and whenever the pairs have doubled. Once the sign test,
// always the sign test. No decision is taken before the first look.
#ifndef TETRALAB_MEASURE_SPRT_H
#define TETRALAB_MEASURE_SPRT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/work.h"
#include "measure/crew.h"
#include "measure/distribution.h"
#include "measure/interval.h"
#include "measure/ratio.h"
#include "player/player.h"

enum {
    SPRT_FIRST_LOOK = 32,
    SPRT_MAX_PAIRS = 1000000 // 48 bytes each, twice
};

typedef enum SprtTest { SPRT_EXPONENTIAL, SPRT_SIGN } SprtTest;
typedef enum SprtDecision { SPRT_UNDECIDED, SPRT_H0, SPRT_H1 } SprtDecision;

typedef struct Sprt {
    double r0, r1, alpha, beta;
    double lower, upper;      // Wald's bounds
    double exponential, sign; // sums of the two tests
    SprtTest test;            // whose sum counts
    SprtDecision decision;
    DistributionFit fit_a, fit_b; // as last looked at
    Score *a, *b;                 // owned; the pairs, in order
    uint64_t pairs, room;
    uint64_t look; // pairs at which the scores are next looked at
} Sprt;

// Free with sprt_free, also after an error. -> r0, r1  positive and different; alpha, beta in (0, 1/2)
bool sprt_start(Sprt *sprt, double r0, double r1, double alpha, double beta, Error *error);
void sprt_free(Sprt *sprt);

// One more pair; nothing happens after a decision. <- false: out of memory
bool sprt_add(Sprt *sprt, const Score *a, const Score *b, Error *error);

double sprt_sum(const Sprt *sprt); // of the test that counts
const char *sprt_test_name(SprtTest test);
extern const char *const sprt_decision_words[]; // "undecided", "h0", "h1", in the order of the enum

// <- mean lines. -> score  sprt->a or sprt->b. NAN without pairs
double sprt_mean(const Sprt *sprt, const Score *score);
// <- the share of the pairs that b won, ties half; NAN without pairs
double sprt_wins(const Sprt *sprt);

// The ratio of means as the pairs show it. Stopping at a decision pulls it away from the middle between r0
// and r1, and the interval knows nothing of that.
Ratio sprt_ratio(const Sprt *sprt);

typedef struct SprtPlan {
    const Player *a, *b; // under equal rules, without a recorded sequence
    uint64_t seed;
    double r0, r1, alpha, beta;
    uint64_t most_pairs; // then it ends undecided; at most SPRT_MAX_PAIRS
    Work work; // unit: pairs; value: the sum of the test that counts, between the bounds lower and upper
} SprtPlan;

typedef struct SprtRun {
    Sprt sprt;
    uint64_t pieces; // of both players, in the pairs that count
    double seconds;
    bool interrupted; // the pairs before the first unfinished one count; that favours short games
} SprtRun;

// Plays pairs until it knows. The pairs that count are the first n, for the smallest n that decides: neither
// jobs nor time change the result. Free with sprt_run_free, also after an error.
bool sprt_run(SprtRun *run, const SprtPlan *plan, Error *error);
void sprt_run_free(SprtRun *run);
extern const CrewKind pair_kind;

#endif
