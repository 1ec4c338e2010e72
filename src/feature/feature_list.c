// SPDX-License-Identifier: GPL-3.0-or-later
#include "feature/feature_list.h"

#include <stdlib.h>
#include <string.h>

#include "feature/kernel.h"
#include "feature/reference.h"
#include "game/moves.h"

enum { AT_ONCE = 64 }; // boards

// A number whose rating has the weight 1, so that it is the rating's sum / scale.
typedef struct Number {
    Evaluator *evaluator; // NULL: there is none
    Rating rating;
} Number;

typedef struct Entry {
    FeatureId feature;
    int index; // which of the feature's values
    Number number,
        divide; // by the second one, if there is one; without the first: by the reference definition
} Entry;

struct FeatureList {
    const Rules *rules;
    int count;
    bool by_reference; // some of them
    Entry entry[];
};

static bool make_number(Number *number, FeatureId feature, int index, const Rules *rules,
                        const Kernel *kernel, Error *error) {
    RatingWeights weights = {.kind = RATING_LINEAR};
    weights.given[feature] = feature_values(feature, rules->width);
    weights.weight[feature_first[feature] + index] = 1;
    return rating_make(&number->rating, &weights, rules->width, rules->height, error) &&
           (number->evaluator = evaluator_new(&number->rating, rules, kernel, false, error)) != NULL;
}

static void free_number(Number *number) {
    evaluator_free(number->evaluator);
    rating_free(&number->rating);
}

static bool fill_entry(Entry *entry, FeatureId feature, int index, const Rules *rules, const Kernel *kernel,
                       Error *error) {
    bool divided = feature == FEATURE_MEAN_HOLE_DEPTH;
    entry->feature = feature;
    entry->index = index;
    if (kernel_features(kernel) == ~(uint64_t)0 || !(kernel_features(kernel) & feature_bit(feature)))
        return true;
    return make_number(&entry->number, divided ? FEATURE_HOLE_DEPTH : feature, index, rules, kernel, error) &&
           (!divided || make_number(&entry->divide, FEATURE_ADJACENT_HOLES, 0, rules, kernel, error));
}

FeatureList *feature_list_new(const FeatureId *features, int count, const Rules *rules, Error *error) {
    const Kernel *kernel = kernel_find(NULL, error);
    int values = 0;
    for (int f = 0; f < count; f++)
        values += feature_values(features[f], rules->width);
    FeatureList *list = kernel ? calloc(1, sizeof *list + (size_t)values * sizeof *list->entry) : NULL;
    if (!list)
        return error_null(error, "Out of memory for the values of %d features.", count);
    list->rules = rules;
    for (int f = 0; f < count; f++)
        for (int i = 0; i < feature_values(features[f], rules->width); i++) {
            Entry *entry = &list->entry[list->count++];
            if (!fill_entry(entry, features[f], i, rules, kernel, error)) {
                feature_list_free(list);
                return NULL;
            }
            list->by_reference |= !entry->number.evaluator;
        }
    return list;
}

void feature_list_free(FeatureList *list) {
    if (!list)
        return;
    for (int i = 0; i < list->count; i++) {
        free_number(&list->entry[i].number);
        free_number(&list->entry[i].divide);
    }
    free(list);
}

int feature_list_values(const FeatureList *list) {
    return list->count;
}

// -> sum, divisor  of the entry's numbers
static double value_of(const Entry *entry, int64_t sum, int64_t divisor) {
    double value = (double)sum / entry->number.rating.scale;
    if (!entry->divide.evaluator)
        return value;
    return divisor ? value / ((double)divisor / entry->divide.rating.scale) : 0;
}

static void some_boards(const FeatureList *list, int boards, const Board *const *board, double *values) {
    for (int i = 0; i < list->count; i++) {
        const Entry *entry = &list->entry[i];
        int64_t sum[AT_ONCE], divisor[AT_ONCE] = {0};
        bool of_move = features_of_moves & feature_bit(entry->feature);
        if (entry->number.evaluator && !of_move)
            evaluator_board_values(entry->number.evaluator, boards, board, sum);
        if (entry->divide.evaluator)
            evaluator_board_values(entry->divide.evaluator, boards, board, divisor);
        for (int k = 0; k < boards; k++) {
            const Situation situation = {
                list->rules->width, list->rules->height, board[k], board[k], NULL, {0}};
            values[k * list->count + i] = of_move ? 0
                                          : entry->number.evaluator
                                              ? value_of(entry, sum[k], divisor[k])
                                              : feature_reference(entry->feature, &situation, entry->index);
        }
    }
}

void feature_list_of_boards(const FeatureList *list, int boards, const Board *const *board, double *values) {
    for (int first = 0; first < boards; first += AT_ONCE)
        some_boards(list, boards - first < AT_ONCE ? boards - first : AT_ONCE, board + first,
                    values + (size_t)first * (size_t)list->count);
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
            if (!list->entry[i].number.evaluator)
                row[i] = (float)feature_reference(list->entry[i].feature, &situation, list->entry[i].index);
    }
}

void feature_list_of_moves(const FeatureList *list, const Board *board, int piece, float *values) {
    int width = list->rules->width;
    memset(values, 0, (size_t)(ORIENTATIONS * width * list->count) * sizeof *values);
    for (int i = 0; i < list->count; i++) {
        const Entry *entry = &list->entry[i];
        int64_t value[PLACEMENTS], divisor[PLACEMENTS] = {0};
        uint64_t legal = 0, fatal;
        if (entry->number.evaluator)
            evaluator_values(entry->number.evaluator, board, piece, value, &legal, &fatal);
        if (entry->divide.evaluator)
            evaluator_values(entry->divide.evaluator, board, piece, divisor, &legal, &fatal);
        for (; legal; legal &= legal - 1) {
            Placement placement = __builtin_ctzll(legal);
            int action = placement_orientation(placement) * width + placement_column(placement);
            values[action * list->count + i] = (float)value_of(entry, value[placement], divisor[placement]);
        }
    }
    if (list->by_reference)
        reference_values(list, board, piece, values);
}
