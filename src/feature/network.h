// SPDX-License-Identifier: GPL-3.0-or-later
// Networks with hidden units (Langenhoven, van Heerden & Engelbrecht 2010): the rating is
//
//     sum over units j of  output[j] * s(bias[j] + sum over inputs i of weight[j][i] * x[i]),
//     s(a) = 1 / (1 + exp(-a)),  x[i] = feature / range
//
// in whole numbers. The argument of a unit is a linear rating of its own, so the kernels can compute it for
// all placements at once (kernel.c); s is a table of 2^12 straight pieces over -16 ... 16, constant beyond,
// with values of 32 bits; the output weights are rounded to 2^-26 of the largest.
#ifndef TETRALAB_FEATURE_NETWORK_H
#define TETRALAB_FEATURE_NETWORK_H

#include "feature/rating.h"

typedef struct NetworkUnit {
    Rating sum;      // argument without bias, in units of 2^-exponent
    int64_t bias;    // likewise
    int64_t edge;    // from here on s is constant
    int left, right; // shifts to a fixed number of bits behind the point; one of them is 0
    int32_t output;
} NetworkUnit;

enum { NETWORK_SEGMENTS = 1 << 12 };

struct RatingNetwork {
    int units;
    NetworkUnit unit[RATING_MAX_HIDDEN];
    uint32_t table[NETWORK_SEGMENTS + 1]; // of s
};

// -> rating  its terms are the inputs; its scale is set
// <- free() it; NULL: out of memory. Used by rating.c, which owns it.
RatingNetwork *network_new(Rating *rating, const RatingWeights *text, Error *error);

// <- the rating, from the sum of weight * value (in steps) of each unit
int64_t network_value(const RatingNetwork *network, const int64_t sums[RATING_MAX_HIDDEN]);

// <- output * s(argument) of one unit, from that sum
int64_t network_unit_value(const RatingNetwork *network, int unit, int64_t sum);

#endif
