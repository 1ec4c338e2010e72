// SPDX-License-Identifier: GPL-3.0-or-later
// The registry of features: features.def turned into a table, and what a rating must know of each one to
// stay in whole numbers.
#include "feature/feature.h"

#include <string.h>

#include "base/text.h"

const FeatureInfo feature_info[FEATURES] = {
#define FEATURE(ID, name, number, values, steps, bound, sign, family, meaning)                               \
    {name, number, values, sign, family, meaning},
#include "feature/features.def"
#undef FEATURE
};

const uint64_t features_of_moves = 0
#define FEATURE(ID, name, number, values, steps, bound, sign, family, meaning)                               \
    | (uint64_t)(__builtin_strcmp(family, "move") == 0) << FEATURE_##ID
#include "feature/features.def"
#undef FEATURE
    ;

const int feature_first[FEATURES] = {
#define FEATURE(ID, ...) FIRST_OF_##ID,
#include "feature/features.def"
#undef FEATURE
};

int feature_values(FeatureId id, int width) {
    return FEATURE_VALUES(feature_info[id].values, width);
}

const char *feature_values_text(FeatureId id) {
    static const char *const text[] = {
        [ONE] = "1",        [TABLE_3] = "3",    [TABLE_4] = "4",        [TABLE_6] = "6",
        [TABLE_10] = "10",  [TABLE_16] = "16",  [TABLE_28] = "28",      [TABLE_65] = "65",
        [PER_COLUMN] = "W", [PER_PAIR] = "W-1", [PER_SIDE] = "(W+1)/2",
    };
    return text[feature_info[id].values];
}

int feature_from_name(const char *name) {
    for (int id = 0; id < FEATURES; id++)
        if (strcmp(feature_info[id].name, name) == 0)
            return id;
    return -1;
}

const char *feature_meant(char out[TEXT_MEANT], const char *name) {
    const char *names[FEATURES];
    for (int id = 0; id < FEATURES; id++)
        names[id] = feature_info[id].name;
    return text_meant(out, "\"", "\"", name, names, FEATURES);
}

int feature_steps(FeatureId id, int width) {
    const int W = width;
    const int all[FEATURES] = {
#define FEATURE(ID, name, number, values, steps, ...) steps,
#include "feature/features.def"
#undef FEATURE
    };
    return all[id];
}

int feature_bound(FeatureId id, int width, int height) {
    const int W = width, ROWS = height + 4;
    const int all[FEATURES] = {
#define FEATURE(ID, name, number, values, steps, bound, ...) bound,
#include "feature/features.def"
#undef FEATURE
    };
    return all[id];
}
