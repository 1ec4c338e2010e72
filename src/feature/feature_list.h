// SPDX-License-Identifier: GPL-3.0-or-later
// The values of chosen features, one after the other as single-precision numbers: of a board, or of the
// boards after all moves of a piece at once. Fast where the kernels know the feature: each value has an
// evaluator (feature/kernel.h) whose rating is that value alone. The others, and mean-hole-depth, which
// ratings round, are left to the reference definitions; all values are those of feature/reference.h.
#ifndef TETRALAB_FEATURE_FEATURE_LIST_H
#define TETRALAB_FEATURE_FEATURE_LIST_H

#include "base/error.h"
#include "feature/feature.h"
#include "game/rules.h"

typedef struct FeatureList FeatureList;

// The rules are used, not copied; afterwards the list is constant and may be shared by threads.
// -> count  at least 1; features with a value for each column or pair of columns give all of them
FeatureList *feature_list_new(const FeatureId *features, int count, const Rules *rules, Error *error);
void feature_list_free(FeatureList *list);
int feature_list_values(const FeatureList *list); // <- how many numbers

// Of every move: of the board after it and, for the family "move", of the move itself.
// -> board   as a game can reach it, without full rows
// <- values  4 * width rows of feature_list_values numbers; that of a placement is row
//            orientation * width + column. Rows of placements that are not possible are 0.
void feature_list_of_moves(const FeatureList *list, const Board *board, int piece, float *values);

#endif
