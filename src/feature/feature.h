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

// How many values a feature has: one, a table of so many, or a number that depends on the width of the board.
typedef enum FeatureValues {
    ONE = 1,
    TABLE_3 = 3,
    TABLE_4 = 4,
    TABLE_6 = 6,
    TABLE_10 = 10,
    TABLE_16 = 16,
    TABLE_28 = 28,
    TABLE_65 = 65,
    PER_COLUMN = 100, // W
    PER_PAIR,         // W-1
    PER_SIDE          // (W+1)/2: columns x and W-1-x share one
} FeatureValues;

#define FEATURE_VALUES(values, width)                                                                        \
    ((values) == PER_COLUMN ? (width)                                                                        \
     : (values) == PER_PAIR ? (width)-1                                                                      \
     : (values) == PER_SIDE ? ((width) + 1) / 2                                                              \
                            : (int)(values))
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

// Where the values of each feature begin in an array of all of them, on the widest board.
enum {
#define FEATURE(ID, name, number, values, ...)                                                               \
    FIRST_OF_##ID, LAST_OF_##ID = FIRST_OF_##ID + FEATURE_VALUES(values, BOARD_MAX_WIDTH) - 1,
#include "feature/features.def"
#undef FEATURE
    FEATURES_ALL_VALUES
};
extern const int feature_first[FEATURES];

enum { FEATURE_MAX_VALUES = TABLE_65 }; // of one feature

static inline uint64_t feature_bit(FeatureId id) {
    return (uint64_t)1 << id;
}

// <- how many numbers the feature has on a board of this width.
int feature_values(FeatureId id, int width);

static inline bool feature_is_table(FeatureId id) { // TABLE_n or PER_SIDE
    return feature_info[id].values > ONE && feature_info[id].values != PER_COLUMN &&
           feature_info[id].values != PER_PAIR;
}

// <- the same in words: "1", "28", "W-1"
const char *feature_values_text(FeatureId id);

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
