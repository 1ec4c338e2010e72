// SPDX-License-Identifier: GPL-3.0-or-later
#include "feature/feature_list.h"

#include <stdlib.h>
#include <string.h>

#include "feature/kernel.h"
#include "feature/reference.h"
#include "game/moves.h"

// One number. Its rating has the weight 1, so that the number is the rating's sum / scale.
typedef struct Entry {
    FeatureId feature;
    int index;            // which of the feature's values
    Evaluator *evaluator; // NULL: by the reference definition
    Rating rating;
} Entry;

struct FeatureList {
    const Rules *rules;
    int count;
    bool by_reference; // some of them
    Entry entry[];
};

static bool fill_entry(Entry *entry, FeatureId feature, int index, const Rules *rules, const Kernel *kernel,
                       Error *error) {
    entry->feature = feature;
    entry->index = index;
    if (feature == FEATURE_MEAN_HOLE_DEPTH || kernel_features(kernel) == ~(uint64_t)0)
        return true;
    RatingWeights weights = {.kind = RATING_LINEAR};
    weights.given[feature] = feature_values(feature, rules->width);
    weights.weight[feature_first[feature] + index] = 1;
    if (!rating_make(&entry->rating, &weights, rules->width, rules->height, error) ||
        !(entry->evaluator = evaluator_new(&entry->rating, rules, kernel, false, error)))
        return false;
    if (strcmp(evaluator_design(entry->evaluator), "reference"))
        return true;
    evaluator_free(entry->evaluator);
    entry->evaluator = NULL;
    return true;
}

FeatureList *feature_list_new(const FeatureId *features, int count, const Rules *rules, Error *error) {
    const Kernel *kernel = kernel_find(NULL, error);
    int values = 0;
    for (int f = 0; f < count; f++)
        values += feature_values(features[f], rules->width);
    FeatureList *list = kernel ? calloc(1, sizeof *list + (size_t)values * sizeof *list->entry) : NULL;
    if (!list) {
        error_set(error, "There is no memory for the values of %d features.", count);
        return NULL;
    }
    list->rules = rules;
    for (int f = 0; f < count; f++)
        for (int i = 0; i < feature_values(features[f], rules->width); i++) {
            Entry *entry = &list->entry[list->count++];
            if (!fill_entry(entry, features[f], i, rules, kernel, error)) {
                feature_list_free(list);
                return NULL;
            }
            list->by_reference |= !entry->evaluator;
        }
    return list;
}

void feature_list_free(FeatureList *list) {
    if (!list)
        return;
    for (int i = 0; i < list->count; i++) {
        evaluator_free(list->entry[i].evaluator);
        rating_free(&list->entry[i].rating);
    }
    free(list);
}

int feature_list_values(const FeatureList *list) {
    return list->count;
}

static float number_of(const Entry *entry, int64_t sum) {
    return (float)((double)sum / entry->rating.scale);
}

// Move by move, for the entries without an evaluator.
static void reference_values(const FeatureList *list, const Board *board, int piece, float *values) {
    int width = list->rules->width;
    Moves moves;
    moves_list(&moves, list->rules, board, piece);
    for (uint64_t left = moves.possible; left; left &= left - 1) {
        Placement placement = __builtin_ctzll(left);
        Board after;
        Situation situation = situation_of_move(list->rules, board, piece, &moves.move[placement], &after);
        float *row =
            values + (placement_orientation(placement) * width + placement_column(placement)) * list->count;
        for (int i = 0; i < list->count; i++)
            if (!list->entry[i].evaluator)
                row[i] = (float)feature_reference(list->entry[i].feature, &situation, list->entry[i].index);
    }
}

void feature_list_of_moves(const FeatureList *list, const Board *board, int piece, float *values) {
    int width = list->rules->width;
    memset(values, 0, (size_t)(ORIENTATIONS * width * list->count) * sizeof *values);
    for (int i = 0; i < list->count; i++) {
        const Entry *entry = &list->entry[i];
        int64_t value[PLACEMENTS];
        uint64_t legal = 0, fatal;
        if (entry->evaluator)
            evaluator_values(entry->evaluator, board, piece, value, &legal, &fatal);
        for (; legal; legal &= legal - 1) {
            Placement placement = __builtin_ctzll(legal);
            int action = placement_orientation(placement) * width + placement_column(placement);
            values[action * list->count + i] = number_of(entry, value[placement]);
        }
    }
    if (list->by_reference)
        reference_values(list, board, piece, values);
}
