// SPDX-License-Identifier: GPL-3.0-or-later
// Strategies as JSON: writing. The order of the keys is fixed, and every number is the shortest that reads
// back as the same double, so that equal strategies are equal texts.
#include <stdio.h>

#include "base/json_memory.h"
#include "base/text.h"
#include "player/player_type.h"

// ---------------------------------------------------------------------------------------------------
// The members

// -> number  one for each feature, or with `weights` all of its weights
static json_t *feature_numbers(const RatingWeights *rating, const double *number, bool weights) {
    json_t *object = json_object();
    for (int id = 0; id < FEATURES; id++) {
        bool list = weights && feature_info[id].values != ONE;
        const double *own = number + (weights ? feature_first[id] : id);
        if (rating->given[id])
            json_object_set_new(object, feature_info[id].name,
                                list ? json_list(own, rating->given[id]) : json_real(*own));
    }
    return object;
}

// The hidden units of a network, each with a weight for every input.
static json_t *units(const RatingWeights *rating) {
    json_t *list = json_array();
    for (int j = 0; j < rating->hidden; j++) {
        const HiddenUnit *unit = &rating->unit[j];
        json_array_append_new(list, json_pack("{s:f, s:f, s:o}", "bias", unit->bias, "output", unit->output,
                                              "weights", feature_numbers(rating, unit->weight, false)));
    }
    return list;
}

static void add_rating(json_t *object, const RatingWeights *rating) {
    if (rating->kind == RATING_NETWORK && rating->hidden)
        json_object_set_new(object, "hidden", units(rating));
    else
        json_object_set_new(object, "weights", feature_numbers(rating, rating->weight, true));
    if (rating_has_powers(rating->kind))
        json_object_set_new(object, "exponents", feature_numbers(rating, rating->exponent, false));
    if (rating->kind == RATING_DISPLACED)
        json_object_set_new(object, "displacements", feature_numbers(rating, rating->displacement, false));
}

// What a file could not say (no limit of time) is left out.
static void add_fields(json_t *object, Fields fields, const Strategy *strategy) {
    for (int k = 0; k < fields.count; k++) {
        const Fields one = {fields.field + k, 1};
        if (fields_check(one, strategy, NULL))
            fields_save(one, strategy, object);
    }
}

static json_t *strategy_object(const Strategy *strategy) {
    const PlayerType *type = player_type(strategy->player);
    const Field *own = strategy_fields.field;
    json_t *object = json_object();
    add_fields(object, (Fields){own, STRATEGY_CLEAR + (type->traits & PLAYER_CLEAR_LATE ? 1 : 0)}, strategy);
    add_fields(object, type->options, strategy);
    if (strategy_is_rated(strategy)) {
        add_fields(object, (Fields){&own[STRATEGY_RATING], 1}, strategy);
        add_rating(object, &strategy->rating);
    }
    return object;
}

// ---------------------------------------------------------------------------------------------------
// The text: members on lines of their own, lists of numbers on one

static void write_value(FILE *out, json_t *value, int indent) {
    const char *key, *separator = "";
    char number[32];
    json_t *part;
    size_t i;
    if (json_is_object(value)) {
        fputc('{', out);
        json_object_foreach(value, key, part) {
            fprintf(out, "%s\n%*s\"%s\": ", separator, indent + 2, "", key);
            write_value(out, part, indent + 2);
            separator = ",";
        }
        fprintf(out, "\n%*s}", indent, "");
    } else if (json_is_array(value)) {
        fputc('[', out);
        json_array_foreach(value, i, part) {
            fputs(i ? ", " : "", out);
            write_value(out, part, indent);
        }
        fputc(']', out);
    } else if (json_is_real(value)) {
        fputs(text_number(json_real_value(value), number), out);
    } else {
        json_dumpf(value, out, JSON_ENCODE_ANY);
    }
}

char *strategy_to_json(const Strategy *strategy) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    json_t *object = strategy_object(strategy);
    if (out && object) {
        write_value(out, object, 0);
        fputc('\n', out);
    }
    bool whole = object && !json_memory_failed();
    json_decref(object);
    char *closed = text_closed(out, &text);
    if (whole)
        return closed;
    free(closed);
    return NULL;
}
