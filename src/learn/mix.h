// SPDX-License-Identifier: GPL-3.0-or-later
// Strategies that are mixed: the rating is a sum of theirs, each of their features times a number of its own.
// Tables that were learned elsewhere keep their shape; what is learned is how much each of them counts.
#ifndef TETRALAB_LEARN_MIX_H
#define TETRALAB_LEARN_MIX_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "feature/feature.h"
#include "player/strategy.h"

enum { MIX_MOST = 4, MIX_NAME = 32 };

typedef struct MixStrategy {
    char name[MIX_NAME];
    int given[FEATURES]; // how many weights it has for each; 0: it does not count
    double weight[FEATURES_ALL_VALUES];
} MixStrategy;

typedef struct Mix {
    int strategies; // 0: nothing is mixed
    MixStrategy strategy[MIX_MOST];
} Mix;

// One number of a vector: the factor of a feature of a strategy.
typedef struct MixPart {
    int strategy;
    FeatureId feature;
} MixPart;

// -> text   strategies with commas between them, each with a factor before it or not: "a.json,0.5*b.json"
// -> width  of the board
// <- factor  of each, MIX_MOST of them; 1 if none is given
bool mix_parse(Mix *mix, const char *text, int width, double *factor, Error *error);

int mix_size(const Mix *mix);                    // parts, hence numbers of a vector
MixPart mix_part(const Mix *mix, int index);     // strategy by strategy, features in their order
bool mix_has(const Mix *mix, FeatureId feature); // does any of them count it?

json_t *mix_save(const Mix *mix); // a list; NULL: no memory
bool mix_restore(Mix *mix, const json_t *list, int width, Error *error);

#endif
