// SPDX-License-Identifier: GPL-3.0-or-later
// The values of chosen features, one after the other: of boards, or of the boards after all moves of a piece.
// Fast where the kernels know the feature: each value has an evaluator (feature/kernel.h) whose rating is
// that value alone; mean-hole-depth, which ratings round, is a quotient of two. Others are left to the
// reference definitions.
#ifndef TETRALAB_FEATURE_FEATURE_LIST_H
#define TETRALAB_FEATURE_FEATURE_LIST_H

#include <stddef.h>

#include "base/error.h"
#include "feature/feature.h"
#include "game/rules.h"

typedef struct FeatureList FeatureList;

// The rules are used, not copied; afterwards the list is constant and may be shared by threads.
// -> count  at least 1; features with a value for each column or pair of columns give all of them
FeatureList *feature_list_new(const FeatureId *features, int count, const Rules *rules, Error *error);
void feature_list_free(FeatureList *list);
int feature_list_values(const FeatureList *list); // <- how many numbers

// Of boards as they are; those of the family "move" are 0.
// -> board   without full rows
// <- values  for each board feature_list_values numbers, equal to the reference definitions but for the last
// bit of
//            means
void feature_list_of_boards(const FeatureList *list, int boards, const Board *const *board, double *values);

// Of every move: of the board after it and, for the family "move", of the move itself.
// -> board   as a game can reach it, without full rows
// <- values  4 * width rows of feature_list_values numbers; that of a placement is row
//            orientation * width + column. Rows of placements that are not possible are 0.
void feature_list_of_moves(const FeatureList *list, const Board *board, int piece, float *values);

#endif
