// SPDX-License-Identifier: GPL-3.0-or-later
// How many times as many lines does one player make as another? The ratio of two means with its 95 %
// interval.
//
// Games against games, near-exponential scores: with n games of A that ended and m of B, 2 T_A/mean_A and
// 2 T_B/mean_B are chi-square with 2n and 2m degrees, so (estimate/true ratio) follows F(2m, 2n):
//     [estimate/F(0.975), estimate/F(0.025)]     exact
// Everything else (splitting, other laws, one of each): the two intervals are put together on the log scale,
//     log low  = log estimate - sqrt((distance of B to its low end)^2 + (distance of A to its high end)^2)
//     log high = log estimate + sqrt((distance of B to its high end)^2 + (distance of A to its low end)^2)
// (Zou & Donner 2008, "variance estimates recovery"). It keeps the skewness of intervals: a splitting
// interval is symmetric in lambda, not in 1/lambda. With symmetric intervals on the natural scale the same
// recipe is Fieller's. Both need independent measurements; measurements with common pieces are, if anything,
// positively correlated, and then the interval is wider than necessary.
#ifndef TETRALAB_MEASURE_RATIO_H
#define TETRALAB_MEASURE_RATIO_H

#include <stdint.h>

#include "measure/interval.h"

typedef struct Ratio {
    double value;      // mean of B / mean of A; NAN: not known
    Interval interval; // 95 %; 0 and INFINITY where an end is not known
} Ratio;

// -> mean, interval  of A and of B; ends may be 0 and INFINITY
Ratio ratio_combine(double mean_a, Interval interval_a, double mean_b, Interval interval_b);

// -> ended, lines  games that ended by themselves and lines of all games (interval.h)
Ratio ratio_exponential(uint64_t ended_a, double lines_a, uint64_t ended_b, double lines_b);

// <- the point of F(2m, 2n) with this probability below it; relative error below 1e-4.
double ratio_f_point(double probability, uint64_t m, uint64_t n);

// <- how precise each of two measurements must be for the ratio to be within `precision`.
double ratio_each_precision(double precision);

#endif
