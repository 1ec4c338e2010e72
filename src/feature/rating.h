// SPDX-License-Identifier: GPL-3.0-or-later
// A rating: the number a player gives to a move. It is a sum of whole numbers and hence exact: in any
// order, on any machine, with any compiler it gives the same moves. (Tables of powers are made by the C
// library's pow: there the same library is needed, too.)
//
//   linear        sum of w * f        (all players but Böhm's)
//   exponential   sum of w * f^e      (Böhm, Kókai & Mandl 2005)
//   displaced     sum of w * |f-d|^e
//   network       sum of w * x, x = f / range in [0, 1] or [-1, 1], or of hidden units over the x
//                 (Langenhoven, van Heerden & Engelbrecht 2010; network.h)
//
// Linear weights become integers below 2^30: exactly, if they are decimal numbers with few enough
// digits (every published player), else rounded to 2^-29 of the largest.
// Those with exponents become a table per value, each entry rounded to 2^-30 of the largest sum that can
// occur. A network without hidden units is a linear rating with the weights w / range.
#ifndef TETRALAB_FEATURE_RATING_H
#define TETRALAB_FEATURE_RATING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "feature/feature.h"
#include "feature/reference.h"

typedef enum RatingKind { RATING_LINEAR, RATING_EXPONENTIAL, RATING_DISPLACED, RATING_NETWORK } RatingKind;

static inline bool rating_has_powers(RatingKind kind) {
    return kind == RATING_EXPONENTIAL || kind == RATING_DISPLACED;
}

enum { RATING_MAX_HIDDEN = 16 };

// One hidden unit of a network; for features with a single value only.
typedef struct HiddenUnit {
    double bias, output; // output: its weight in the rating
    double weight[FEATURES];
} HiddenUnit;

// What a strategy says about its rating, in the user's numbers.
typedef struct RatingWeights {
    RatingKind kind;
    int given[FEATURES];                // how many weights the feature has: 0 = not used
    double weight[FEATURES_ALL_VALUES]; // those of a feature from feature_first on
    double exponent[FEATURES];          // of ratings with powers; others do not read it
    double displacement[FEATURES];      // of displaced ones
    int hidden; // network: how many units; `given` tells their inputs; `weight` counts only if there are none
    HiddenUnit unit[RATING_MAX_HIDDEN];
} RatingWeights;

enum { RATING_MAX_TERMS = FEATURES_ALL_VALUES }; // every value of every feature

enum {
    RATING_MAX_WEIGHT = (1 << 30) - 1,     // 16 upper and 15 lower bits, which is how the kernels multiply
    RATING_ROUNDED_WEIGHT = (1 << 29) - 1, // of weights that must be rounded: the surface kernel doubles some
    RATING_TABLE_WEIGHT = (1 << 25) - 1    // the same with features that are tables: it adds several up
};

typedef struct RatingTerm {
    FeatureId feature;
    int index;            // which of the feature's values
    int32_t weight;       // linear
    const int32_t *table; // otherwise: value for floor(f * steps), 0 ... bound
} RatingTerm;

typedef struct RatingNetwork RatingNetwork;

typedef struct Rating {
    RatingKind kind; // a network without hidden units is RATING_LINEAR here
    int width, height;
    int terms;
    RatingTerm term[RATING_MAX_TERMS];
    uint64_t features;      // set of the features used
    double scale;           // sum / scale = the rating in the strategy's own units
    int32_t *tables;        // owned
    RatingNetwork *network; // owned; the hidden units of RATING_NETWORK, else NULL
} Rating;

// Fails when a feature with one weight per column has the wrong number of them for this width, when no
// feature is used, when a number is not finite, when a rating with exponents could become infinite or
// uses a feature that can be negative, or when a network uses a feature with several values. Free with
// rating_free, also after an error.
bool rating_make(Rating *rating, const RatingWeights *text, int width, int height, Error *error);
void rating_free(Rating *rating);

// The reference: the reference definitions, summed.
// -> features  only these are summed (all: ~0)
int64_t rating_reference(const Rating *rating, const Situation *situation, uint64_t features);

// The same in two steps, between which the sums of several moves can be added up.
// <- sums  one for each hidden unit; the first alone for ratings without them
void rating_sums(const Rating *rating, const Situation *situation, uint64_t features,
                 int64_t sums[RATING_MAX_HIDDEN]);
int64_t rating_of_sums(const Rating *rating, const int64_t sums[RATING_MAX_HIDDEN]);

// What one value of a feature gives to the rating of a move or board.
typedef struct RatingShare {
    FeatureId feature;
    int index;     // which of the feature's values
    double value;  // of the feature, by its definition
    double weight; // as the strategy gives it; NaN: there are hidden units, which have weights of their own
    double unit;   // what it would give with the weight 1: contribution = weight * unit; NaN likewise
    double contribution; // in the strategy's own units; all together are the rating; NaN likewise
} RatingShare;

// -> text      what the rating was made of
// -> features  only these (all: ~0)
// <- how many shares there are; room for RATING_MAX_TERMS
int rating_shares(const Rating *rating, const RatingWeights *text, const Situation *situation,
                  uint64_t features, RatingShare *share);

#endif
