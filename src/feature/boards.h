// SPDX-License-Identifier: GPL-3.0-or-later
// Features of many boards at once, as they are, without a move: 16 boards in the lanes of the general kernel.
// Features that have no version in lanes are left to their reference definitions.
#ifndef TETRALAB_FEATURE_BOARDS_H
#define TETRALAB_FEATURE_BOARDS_H

#include <stddef.h>
#include <stdint.h>

#include "feature/feature.h"
#include "feature/kernel.h"

enum { BOARDS_MAX_VALUES = FEATURES_ALL_VALUES + 1 }; // of a board, if every feature is asked for

// -> columns  `boards` times `width` numbers, board after board; no full rows
// -> id       `features` of them, each at most once
// <- values   for each board the values of these features, in this order; those of the family "move" are 0.
//             Equal to the reference definitions but for the last bit of means.
void features_of_boards(const Kernel *kernel, int width, int height, const FeatureId *id, int features,
                        const uint32_t *columns, size_t boards, double *values);

#endif
