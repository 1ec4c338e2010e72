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

// -> rating  its terms are the inputs; its scale is set
// <- NULL: out of memory. Used by rating.c, which owns it.
RatingNetwork *network_new(Rating *rating, const RatingWeights *text, Error *error);
void network_free(RatingNetwork *network);

int network_units(const RatingNetwork *network);
int32_t network_weight(const RatingNetwork *network, int unit, int term);

// <- the rating, from the sum of weight * value (in steps) of each unit
int64_t network_value(const RatingNetwork *network, const int64_t sums[RATING_MAX_HIDDEN]);

// <- output * s(argument) of one unit, from that sum
int64_t network_unit_value(const RatingNetwork *network, int unit, int64_t sum);
// <- the sum of a unit as a linear rating
const Rating *network_unit_rating(const RatingNetwork *network, int unit);

#endif
