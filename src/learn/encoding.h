// SPDX-License-Identifier: GPL-3.0-or-later
// How a vector of numbers becomes a strategy: which features, which rating, in which order. The optimisers
// see only the vector.
//
//   linear        the weights, feature by feature in the order of the set (several for column features)
//   exponential   the weights, then one exponent per feature, as 2^(v / unit), kept within 1/8 ... 8
//   displaced     the weights, the exponents, then one displacement per feature, as 4 v / unit, kept within
//                 0 ... 40
//   network       hidden units > 0: for each hidden unit its weights and its bias, then one output weight
//                 each; the features are scaled to [0, 1] by their ranges (Langenhoven et al.), and each must
//                 have a single value. No hidden unit: like linear, scaled
//   a mix         linear: for each strategy that is mixed, one factor for each of its features
//   choose        with any of them, then one number per feature: it is used if that is above one half
//                 (Amundsen, section 4.2)
//
// unit is 1 for optimisers of real numbers and 100 for the genetic algorithm, whose genes are whole numbers.
#ifndef TETRALAB_LEARN_ENCODING_H
#define TETRALAB_LEARN_ENCODING_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/fields.h"
#include "feature/feature.h"
#include "learn/mix.h"
#include "player/strategy.h"

enum { ENCODING_MAX = 1024 };

typedef struct Encoding {
    FeatureId feature[FEATURES]; // in their order
    int features;
    int width; // of the board: how many weights a column feature has
    RatingKind rating;
    int hidden;  // network: hidden units
    bool choose; // features are switched on and off
    double unit;
    PlayerKind player;
    TieRule ties;
    bool liked;                 // it is played as another strategy, which has
    Strategy like;              //   player, ties and options
    bool scaled;                // linear: a number of the vector is a weight times
    double scale[ENCODING_MAX]; // this (spread.h); 1 unless scaled
    Mix mix;                    // linear: strategies that are mixed; none: the weights themselves
} Encoding;

// <- linear, greedy, first ties, unit 1, without features
void encoding_defaults(Encoding *encoding, int width);

// Feature sets of the papers by name, or features by name with commas between them.
// -> text  lippmann tsitsiklis bertsekas lagoudakis dellacherie fahey ramon xtris boehm langenhoven bd du bdu
//          dt tetr-ai all (and bcts, which is du), or a list such as "holes,landing-height". A set may stand
//          in a list; what occurs twice counts once.
bool encoding_set_features(Encoding *encoding, const char *text, Error *error);

// <- the name of the set that they are, the first of those that are equal; NULL: none
const char *encoding_set_name(const Encoding *encoding);

typedef struct FeatureSet {
    const char *name, *features; // features: names with commas between them
    const char *source;          // the paper, for lists
} FeatureSet;
const FeatureSet *encoding_feature_set(int index); // NULL past the last one

// What can be set, with the defaults; the features are the first.
extern const Fields encoding_fields;

// Do features, rating and hidden units go together?
bool encoding_check(const Encoding *encoding, Error *error);

int encoding_size(const Encoding *encoding); // numbers in a vector; 0: more than ENCODING_MAX

// <- what number `index` of the vector is: "holes", "column-heights[3]" (columns and pairs from 1), "holes^"
//    (exponent), "holes-" (displacement), "bcts: holes" (factor of a strategy that is mixed),
//    "unit 1: holes", "unit 1: bias", "unit 1: output", "use holes"
void encoding_label(const Encoding *encoding, int index, char out[64]);
// <- the feature that it belongs to, as an index of encoding->feature; hidden units: features + unit
int encoding_group(const Encoding *encoding, int index);
bool encoding_is_switch(const Encoding *encoding, int index);

// <- nothing but the direction of the vector counts: its length does not change a move
bool encoding_directions(const Encoding *encoding);
double encoding_length(const double *vector, int size); // <- its length; of zeros 1: they have no direction

// A vector of zeros (or one that switches everything off) makes a strategy too: all placements are equal.
// Weights are kept within the limits of strategy files; what is no number counts as 0.
void encoding_strategy(const Encoding *encoding, const double *vector, const char *name, Strategy *strategy);
// The other way round, to start from a known player: features it lacks get 0, features not in the encoding
// are an error. Linear only, and not for a mix.
bool encoding_vector(const Encoding *encoding, const Strategy *strategy, double *vector, Error *error);

// The same without a strategy: what the numbers of a vector are without their scale. May be the same array.
void encoding_unscale(const Encoding *encoding, const double *vector, double *weight);

// Mixes strategies, whose features become those of the encoding.
// -> text  as mix_parse reads it. <- vector  to start from: the factors
bool encoding_set_mix(Encoding *encoding, const char *text, double *vector, Error *error);

// What is learned will be played as this strategy is: by its player, with its options. If these are in units
// of its rating (danger, rows, ...), the length of a vector counts too.
bool encoding_set_like(Encoding *encoding, const Strategy *like, Error *error);

// Scales the numbers so that they count alike under these rules. Linear only.
bool encoding_set_scale(Encoding *encoding, const Rules *rules, Error *error);

json_t *encoding_features_json(const Encoding *encoding); // <- a list of names; NULL: no memory
json_t *encoding_save(const Encoding *encoding);          // for run.json
bool encoding_restore(Encoding *encoding, const json_t *from, int width, Error *error);

#endif
