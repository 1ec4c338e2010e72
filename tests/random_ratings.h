// SPDX-License-Identifier: GPL-3.0-or-later
// Ratings to try kernels with, drawn at random: which features, and how large their weights are. All have the
// same form; `number` counts them, for what is gone through one by one.
#ifndef TETRALAB_TESTS_RANDOM_RATINGS_H
#define TETRALAB_TESTS_RANDOM_RATINGS_H

#include <math.h>

#include "feature/kernel.h"
#include "feature/rating.h"
#include "random_boards.h"

static inline void use(RatingWeights *text, int id, int width) {
    text->given[id] = feature_values((FeatureId)id, width);
}

typedef void FillRating(RatingWeights *text, Random *random, int width, uint64_t number);

// Small, so that there are ties; usual; decimal; with bits far apart, so that they must be rounded; and the
// largest that rounded weights have, and that there are.
enum { SMALL, USUAL, DECIMAL, ROUNDED, LARGE, LARGEST, WEIGHT_KINDS };

static inline double random_weight(Random *random, int kind, int steps) {
    int near = random_between(random, 0, 3), exponent = random_between(random, -30, 0);
    switch (kind) {
    case SMALL:
        return random_between(random, 0, 2);
    case USUAL:
        return random_between(random, 0, 1000);
    case DECIMAL:
        return random_between(random, 0, 99999999) / 1e6;
    case ROUNDED:
        return ldexp(random_between(random, 1, 1 << 29), exponent);
    case LARGE:
        return (double)steps * (RATING_ROUNDED_WEIGHT - near);
    default:
        return (double)steps * (RATING_MAX_WEIGHT - near);
    }
}

// Weights of one kind for all features that are used.
static inline void fill_weights(RatingWeights *text, Random *random, int width) {
    int kind = random_between(random, 0, WEIGHT_KINDS - 1);
    for (int id = 0; id < FEATURES; id++)
        for (int i = 0; i < text->given[id]; i++) {
            double weight = random_weight(random, kind, feature_steps((FeatureId)id, width));
            text->weight[feature_first[id] + i] = random_below(random, 2) ? weight : -weight;
        }
}

// All that kernels have a version of: one other would leave the rating to the reference definitions.
static inline void fill_all(RatingWeights *text, Random *random, int width, uint64_t number) {
    uint64_t features = kernel_features(kernel_find(NULL, NULL));
    (void)number;
    for (int id = 0; id < FEATURES; id++)
        if (features & feature_bit((FeatureId)id))
            use(text, id, width);
    fill_weights(text, random, width);
}

static inline void fill_alone(RatingWeights *text, Random *random, int width, uint64_t number) {
    use(text, (int)(number % FEATURES), width);
    fill_weights(text, random, width);
}

// Those that are valued by what a placement changes, Dellacherie's and relatives alone or some of all.
static const FeatureId dellacheries[] = {FEATURE_LANDING_HEIGHT,     FEATURE_ERODED_CELLS,
                                         FEATURE_REMOVED_LINES,      FEATURE_ROW_TRANSITIONS,
                                         FEATURE_COLUMN_TRANSITIONS, FEATURE_HOLES,
                                         FEATURE_CUMULATIVE_WELLS,   FEATURE_CUMULATIVE_WELLS_FAST,
                                         FEATURE_HOLE_DEPTH,         FEATURE_ROWS_WITH_HOLES,
                                         FEATURE_DIVERSITY};
enum { DELLACHERIES = sizeof dellacheries / sizeof *dellacheries };

static inline void fill_surface(RatingWeights *text, Random *random, int width, uint64_t number) {
    (void)number;
    uint64_t features = rating_plan_features & feature_bit(FEATURE_HOLES);
    if (random_below(random, 2)) {
        for (int k = 0; k < DELLACHERIES; k++)
            if (random_below(random, 4))
                features |= feature_bit(dellacheries[k]);
    } else {
        uint32_t of = (uint32_t)random_between(random, 1, 8); // all, a half, a third ...
        for (int id = 0; id < FEATURES; id++)
            if (random_below(random, of) == 0)
                features |= feature_bit((FeatureId)id) & rating_plan_features;
    }
    if (random_below(random, 2)) // without those that need whole boards
        features &=
            ~(BIT(CELL_TRANSITIONS) | BIT(FRONTIER) | BIT(EMBEDDED_HOLES) | BIT(MEAN_HOLE_DEPTH) | BIT(PITS));
    if (random_below(random, 2)) // and with one kind of wells
        features &= ~(random_below(random, 2) ? BIT(CUMULATIVE_WELLS) : BIT(CUMULATIVE_WELLS_FAST));
    for (int id = 0; id < FEATURES; id++)
        if (features & feature_bit((FeatureId)id))
            use(text, id, width);
    fill_weights(text, random, width);
}

// Tables and Dellacherie's features, one of which weighs much more, as in ratings that are played with: then
// sums of tables fit into the numbers that vectors look up.
static inline void fill_small_tables(RatingWeights *text, Random *random, int width, uint64_t number) {
    (void)number;
    FeatureId fits = random_below(random, 2) ? FEATURE_FITS : FEATURE_FITS_BOTH_WAYS;
    for (int id = 0; id < FEATURES; id++)
        if (feature_is_table((FeatureId)id) && (FeatureId)id != fits && random_below(random, 3))
            use(text, id, width);
    for (int k = 0; k < DELLACHERIES; k++)
        if (random_below(random, 2))
            use(text, dellacheries[k], width);
    use(text, FEATURE_MAX_HEIGHT, width);
    use(text, FEATURE_HOLES, width);
    fill_weights(text, random, width);
    double most = 0;
    for (int id = 0; id < FEATURES; id++)
        for (int i = 0; i < text->given[id]; i++)
            most = fmax(most, fabs(text->weight[feature_first[id] + i]));
    text->weight[feature_first[FEATURE_HOLES]] = -64 * most;
}

// A hole has its own weight and that of its column: both the largest that the surface kernel takes, or that
// there are. What else counts is small, so that all of it could be looked up in vectors.
static inline void fill_hole_weights(RatingWeights *text, Random *random, int width, uint64_t number) {
    double each = number % 4 ? RATING_ROUNDED_WEIGHT : RATING_MAX_WEIGHT;
    double sign = random_below(random, 2) ? 1 : -1;
    for (int id = 0; id < FEATURES; id++)
        if (feature_is_table((FeatureId)id) && id != FEATURE_FITS_BOTH_WAYS && random_below(random, 4) == 0)
            use(text, id, width);
    use(text, FEATURE_HOLES, width);
    use(text, FEATURE_HOLES_BY_COLUMN, width);
    for (int id = 0; id < FEATURES; id++)
        for (int i = 0; i < text->given[id]; i++)
            text->weight[feature_first[id] + i] =
                id == FEATURE_HOLES || id == FEATURE_HOLES_BY_COLUMN
                    ? sign * (each - random_between(random, 0, 2))
                    : feature_steps((FeatureId)id, width) * random_between(random, -9, 9);
}

// Powers of up to a third of the features; those that can be negative have none.
static inline void fill_powers(RatingWeights *text, Random *random, int width, uint64_t number) {
    text->kind = number % 2 ? RATING_EXPONENTIAL : RATING_DISPLACED;
    for (int id = 0; id < FEATURES; id++) {
        if (feature_info[id].sign == UNSIGNED && (random_below(random, 3) == 0 || id == FEATURE_HOLES))
            use(text, id, width);
        text->exponent[id] = random_between(random, 0, 12) / 4.0;
        text->displacement[id] = random_between(random, 0, 40) / 4.0;
    }
    fill_weights(text, random, width);
}

static inline void fill_any(RatingWeights *text, Random *random, int width, uint64_t number) {
    (number % 2 ? fill_all : fill_surface)(text, random, width, number);
}

#endif
