// SPDX-License-Identifier: GPL-3.0-or-later
// The registry of features: features.def turned into a table, and what a rating must know of each one to
// stay in whole numbers.
#include "feature/feature.h"

#include <string.h>

#include "base/text.h"

const FeatureInfo feature_info[FEATURES] = {
#define FEATURE(ID, name, number, values, family, meaning)                                                   \
    {name, number, values, family, meaning, __builtin_strcmp(family, "move") == 0},
#include "feature/features.def"
#undef FEATURE
};

int feature_values(FeatureId id, int width) {
    static const int fewer_than_columns[] = {[PER_COLUMN] = 0, [PER_PAIR] = 1};
    FeatureValues values = feature_info[id].values;
    return values == ONE ? 1 : width - fewer_than_columns[values];
}

int feature_from_name(const char *name) {
    for (int id = 0; id < FEATURES; id++)
        if (strcmp(feature_info[id].name, name) == 0)
            return id;
    return -1;
}

const char *feature_nearest_name(const char *name) {
    const char *names[FEATURES];
    for (int id = 0; id < FEATURES; id++)
        names[id] = feature_info[id].name;
    return text_nearest(name, names, FEATURES);
}

int feature_steps(FeatureId id, int width) {
    switch (id) {
    case FEATURE_LANDING_HEIGHT:
        return 2;
    case FEATURE_MEAN_HEIGHT:
    case FEATURE_DELTA_MEAN_HEIGHT:
    case FEATURE_MAX_MINUS_MEAN_HEIGHT:
    case FEATURE_MEAN_MINUS_MIN_HEIGHT:
        return width;
    case FEATURE_MEAN_HOLE_DEPTH:
        return 256;
    default:
        return 1;
    }
}

// A piece that rests on a full pile reaches four rows above the board. With two pieces dropped before
// clearing, the second may land four rows higher still and complete eight rows with the first; the
// cleared board is no higher for that. No default label: the compiler names a feature without a bound.
int feature_bound(FeatureId id, int width, int height) {
    int rows = height + 4, cells = width * rows, pairs = width - 1;
    switch (id) {
    case FEATURE_JAGS:
        return pairs;
    case FEATURE_DIVERSITY:
        return 5;
    case FEATURE_REMOVED_LINES:
        return 8;
    case FEATURE_ERODED_CELLS:
        return 8 * 4;
    case FEATURE_LANDING_HEIGHT:
        return 2 * rows + 3;

    case FEATURE_MAX_HEIGHT:
    case FEATURE_MIN_HEIGHT:
    case FEATURE_HEIGHT_RANGE:
    case FEATURE_COLUMN_HEIGHTS:
    case FEATURE_COLUMN_DIFFERENCES:
    case FEATURE_DELTA_MAX_HEIGHT:
    case FEATURE_MAX_WELL_DEPTH:
    case FEATURE_ROWS_WITH_HOLES:
        return rows;

    case FEATURE_MEAN_HEIGHT: // in steps of 1 / width
    case FEATURE_DELTA_MEAN_HEIGHT:
    case FEATURE_MAX_MINUS_MEAN_HEIGHT:
    case FEATURE_MEAN_MINUS_MIN_HEIGHT:
    case FEATURE_CELLS:
    case FEATURE_HOLES:
    case FEATURE_DELTA_HOLES:
    case FEATURE_ADJACENT_HOLES:
    case FEATURE_HOLE_DEPTH:
    case FEATURE_DEEP_WELLS:
    case FEATURE_WELLS:
    case FEATURE_PITS:
        return cells;

    case FEATURE_HEIGHT_DIFFERENCES:
    case FEATURE_DELTA_HEIGHT_DIFFERENCES:
        return pairs * rows;
    case FEATURE_CELL_TRANSITIONS:
        return pairs * rows + cells;
    case FEATURE_FRONTIER:
        return (pairs + 2) * rows + cells;
    case FEATURE_ROW_TRANSITIONS:
        return (pairs + 2) * rows;
    case FEATURE_COLUMN_TRANSITIONS:
        return cells + width;

    case FEATURE_WEIGHTED_CELLS:
    case FEATURE_CUMULATIVE_WELLS:
    case FEATURE_CUMULATIVE_WELLS_FAST:
        return cells * (rows + 1) / 2;
    case FEATURE_MEAN_HOLE_DEPTH:
        return 256 * rows;
    case FEATURE_EMBEDDED_HOLES:
        return 16383;
    case FEATURES:
        break;
    }
    return 0;
}
