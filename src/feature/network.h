// SPDX-License-Identifier: GPL-3.0-or-later
// Networks with hidden units (Langenhoven, van Heerden & Engelbrecht 2010): the rating is
//
//     sum over units j of  output[j] * s(bias[j] + sum over inputs i of weight[j][i] * x[i]),
//     s(a) = 1 / (1 + exp(-a)),  x[i] = feature / range
//
// in whole numbers. The argument of a unit is a linear rating of its own, so the kernels can compute it for
// all placements at once; s is a table of 2^12 straight pieces over -16 ... 16, constant beyond, with values
// of 32 bits; the output weights are rounded to 2^-26 of the largest.
#ifndef TETRALAB_FEATURE_NETWORK_H
#define TETRALAB_FEATURE_NETWORK_H

#include "feature/kernel.h"
#include "feature/rating.h"

// -> rating  its terms are the inputs; its scale is set
// <- NULL: out of memory. Used by rating.c, which owns it.
RatingNetwork *network_new(Rating *rating, const RatingWeights *text, Error *error);
void network_free(RatingNetwork *network);

int network_units(const RatingNetwork *network);
int32_t network_weight(const RatingNetwork *network, int unit, int term);

// <- the rating, from the sum of weight * value (in steps) of each unit
int64_t network_value(const RatingNetwork *network, const int64_t sums[RATING_MAX_HIDDEN]);

// What Evaluator is for other ratings: the same contract (kernel.h), for ratings with a network only.
typedef struct NetworkEvaluator NetworkEvaluator;

NetworkEvaluator *network_evaluator_new(const Rating *rating, const Rules *rules, const Kernel *kernel,
                                        bool full_rows, Error *error);
void network_evaluator_free(NetworkEvaluator *evaluator);

// -> before  added to the units' sums: what an earlier move gives (rating_sums)
void network_values(const NetworkEvaluator *evaluator, const Board *board, int piece,
                    const int64_t before[RATING_MAX_HIDDEN], int64_t value[PLACEMENTS], uint64_t *legal,
                    uint64_t *fatal);
Evaluation network_best(const NetworkEvaluator *evaluator, const Board *board, int piece,
                        const int64_t before[RATING_MAX_HIDDEN]);

#endif
