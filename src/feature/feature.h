// SPDX-License-Identifier: GPL-3.0-or-later
// The registry of features, made from features.def.
#ifndef TETRALAB_FEATURE_FEATURE_H
#define TETRALAB_FEATURE_FEATURE_H

#include <stdbool.h>

#include "base/text.h"
#include "game/board.h"

typedef enum FeatureId {
#define FEATURE(ID, ...) FEATURE_##ID,
#include "feature/features.def"
#undef FEATURE
    FEATURES
} FeatureId;
_Static_assert(FEATURES <= 64, "sets of features are 64-bit masks");

typedef enum FeatureValues { ONE, PER_COLUMN, PER_PAIR } FeatureValues;
typedef enum FeatureSign { UNSIGNED, SIGNED } FeatureSign;

typedef struct FeatureInfo {
    const char *name;
    int number; // Table 2.1 of the thesis
    FeatureValues values;
    FeatureSign sign;
    const char *family, *meaning;
} FeatureInfo;

extern const FeatureInfo feature_info[FEATURES];
extern const uint64_t features_of_moves; // those that describe the move, not the board: the family "move"

static inline uint64_t feature_bit(FeatureId id) {
    return (uint64_t)1 << id;
}

// <- how many numbers the feature has on a board of this width.
int feature_values(FeatureId id, int width);

// <- the feature with this name, or -1.
int feature_from_name(const char *name);

// The end of a sentence about a name that no feature has (base/text.h). <- out
const char *feature_meant(char out[TEXT_MEANT], const char *name);

// Ratings are sums of whole numbers, so that they are exact: a feature enters them as
// floor(value * steps). Only the mean hole depth loses anything by it.
int feature_steps(FeatureId id, int width);

// <- an upper bound of |value * steps| on any board this engine can meet.
int feature_bound(FeatureId id, int width, int height);

#endif
