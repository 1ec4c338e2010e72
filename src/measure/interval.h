// SPDX-License-Identifier: GPL-3.0-or-later
// From the scores of whole games to the mean of a player with its 95 % interval.
//
// Scores of a good player are close to exponential: at every moment the pile is as far from the top as
// ever, so a game has no age. With n games that ended by themselves, T lines in all and mean m = T/n:
//
//   rule     m (1 -+ 2/sqrt n)                    what the papers print; both ends too low for small n
//   exact    2T/mu is chi-square distributed with 2n degrees, hence
//            [2T/q(2n), 2T/p(2n)]                 p and q: 2.5 % and 97.5 % points of that distribution
//   normal   m -+ t s/sqrt n                      s: standard deviation of the scores, t: Student's, n-1
//
// Censoring. A game stopped by a limit on pieces (or by an interrupt, or at the end of a recorded sequence)
// says only that its score would have been larger. Since games have no age, all games put together
// are one long wait of T lines in which d games ended, so the maximum likelihood estimate is m = T/d with
// T over all games. The interval is then [2T/q(2d+2), 2T/p(2d)]: the one of a Poisson count d seen during T.
// It covers at least 95 %, usually more: nobody knows how near the next end was when the games were stopped,
// and 2d+2 assumes the worst, an end at once. With d = 0 there is only the lower end, 2T/q(2) = T/3.69. All
// this needs a limit well above the few hundred pieces in which an empty board becomes a typical one: games
// that are stopped before have hardly been in danger, and T/d is too high.
//
// When to trust which: `exact` where scores are near exponential, which sd/mean near 1 shows (mean above
// some ten lines, boards higher than about eight rows); it holds for any number of games. On small boards
// sd/mean is below 1 and `exact` is wider than necessary; for means of a few lines sd/mean may be above 1
// and it is too narrow. There `normal` is right, given enough games (some 30; a hundred near
// exponential, for it is skewed), but it knows no censoring.
#ifndef TETRALAB_MEASURE_INTERVAL_H
#define TETRALAB_MEASURE_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

// One game, as it was played.
typedef struct Score {
    uint64_t lines, pieces;
    bool censored; // it did not end by itself
    bool played;   // false only while the game is under way
} Score;
_Static_assert(sizeof(Score) == 24, "what a game costs in memory");

typedef struct Interval {
    double low, high; // high may be INFINITY; both NAN: not known
} Interval;

// The intervals above, from d games that ended by themselves, `censored` others and T = lines of all.
// T = 0 (no game has made a line): the exponential law would give [0, 0]. Its discrete brother, the
// geometric law, gives the upper end 0.025^(-1/d) - 1, which is used instead.
Interval interval_rule(uint64_t ended, double lines); // d = 0: unknown; never below 0
Interval interval_exact(uint64_t ended, uint64_t censored, double lines);
Interval interval_normal(uint64_t games, double mean, double sd); // fewer than two games: unknown

// <- the larger of the exact interval's two sides, as a fraction of the mean. It depends on nothing else,
// so that a run that stops at a wanted width does not choose its games by their scores.
double interval_precision(uint64_t ended, bool censored);

// <- how many games must end for interval_precision <= precision; precision > 0. At most `most`.
uint64_t interval_games_for(double precision, uint64_t most);

typedef struct Summary {
    uint64_t games, censored;
    uint64_t lines, pieces; // of all games
    double mean;            // T/d; INFINITY without an ended game
    Interval rule, exact, normal;
    double sd;            // of the scores as they are; NAN for fewer than two games
    double median;        // with censored games: Kaplan & Meier's estimate
    bool median_is_bound; // too many are censored for that: the middle of the scores, the true one is larger
    uint64_t minimum, maximum; // the true maximum is larger if a game is censored
} Summary;

// -> count  at least 1. normal is unknown if a game is censored.
bool summary_make(Summary *summary, const Score *score, uint64_t count, Error *error); // false: out of memory

#endif
