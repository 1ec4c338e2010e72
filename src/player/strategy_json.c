// SPDX-License-Identifier: GPL-3.0-or-later
// Reading strategies as JSON. jansson checks the syntax; here every member is checked for what it means, and
// every refusal names line and column, what was found and what would be right. Unknown keys are refused, not
// skipped: a misspelt weight would otherwise give a weaker player without a word.
// Whether the weights fit a board's width is not known here; rating_make checks it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "player/player_type.h"
#include "player/strategy_names.h"
#include "player/strategy_reader.h"

typedef enum UnitMemberId { UNIT_BIAS, UNIT_OUTPUT, UNIT_WEIGHTS, UNIT_MEMBERS } UnitMemberId;
static const char *const unit_key[UNIT_MEMBERS] = {"bias", "output", "weights"};

// ---- what the members mean

static bool read_number(Reader *reader, int depth, const json_t *value, const char *key, double limit,
                        double *number) {
    return member_number(reader, depth, value, key, -limit, limit, number);
}

// -> depth  of the feature's key
static bool check_single(const Reader *reader, FeatureId id, int depth) {
    return reader->strategy->rating.kind != RATING_NETWORK || feature_info[id].values == ONE ||
           member_fail(reader, member_key_place(reader, depth),
                       "\"%s\" has one value per column; the inputs of a network have one value each.",
                       feature_info[id].name);
}

static bool read_weight_list(Reader *reader, json_t *value, FeatureId id) {
    const char *feature = feature_info[id].name;
    RatingWeights *rating = &reader->strategy->rating;
    if (!check_single(reader, id, 2))
        return false;
    size_t least = (size_t)feature_values(id, BOARD_MIN_WIDTH),
           most = (size_t)feature_values(id, BOARD_MAX_WIDTH);
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    if (count < least || count > most || (most > 1 && !json_is_array(value))) {
        char found[40];
        if (json_is_array(value))
            snprintf(found, sizeof found, "a list of %zu", count);
        else
            snprintf(found, sizeof found, "%s", member_kind_name(value));
        if (most == 1)
            return member_fail(reader, member_value_place(reader, 2), "\"%s\" needs one number, found %s.",
                               feature, found);
        return member_fail(reader, member_value_place(reader, 2),
                           "\"%s\" needs a list of %zu to %zu numbers, found %s.", feature, least, most,
                           found);
    }
    rating->given[id] = (int)count;
    if (!json_is_array(value))
        return read_number(reader, 2, value, feature, STRATEGY_WEIGHT_LIMIT, &rating->weight[id][0]);
    for (size_t i = 0; i < count; i++) {
        reader->step[2] = (int)i;
        const json_t *element = json_array_get(value, i);
        if (!read_number(reader, 3, element, feature, STRATEGY_WEIGHT_LIMIT, &rating->weight[id][i]))
            return false;
    }
    return true;
}

// Calls `read` for every member of an object whose keys are features.
// -> name, depth  of the object
static bool read_features(Reader *reader, json_t *object, const char *name, int depth,
                          bool (*read)(Reader *, json_t *, FeatureId)) {
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return member_fail(reader, member_value_place(reader, depth),
                           "\"%s\" needs an object like {\"holes\": -4}, found %s.", name,
                           member_kind_name(object));
    reader->step[depth] = 0;
    json_object_foreach(object, key, value) {
        int id = feature_from_name(key);
        if (id < 0) {
            char word[EXCERPT];
            utf8_clean(word, sizeof word, key, strlen(key));
            return member_fail(reader, member_key_place(reader, depth + 1),
                               "\"%s\" is not a feature; did you mean \"%s\"?", word,
                               feature_nearest_name(word));
        }
        if (!read(reader, value, (FeatureId)id))
            return false;
        reader->step[depth]++;
    }
    return true;
}

// All lists of weights must be for the same board.
static bool check_width(Reader *reader) {
    const int *given = reader->strategy->rating.given;
    int first = -1;
    for (int id = 0; id < FEATURES; id++) {
        if (!given[id] || feature_info[id].values == ONE)
            continue;
        first = first < 0 ? id : first;
        int width = feature_width(id, given[id]), other = feature_width(first, given[first]);
        if (width != other)
            return member_fail(reader, member_value_place(reader, 1),
                               "%d %s are for a board %d wide, but %d %s for one %d wide.", given[first],
                               feature_info[first].name, other, given[id], feature_info[id].name, width);
    }
    return true;
}

// -> depth  of the object "weights"
static bool check_not_empty(Reader *reader, const json_t *weights, int depth) {
    return !json_is_object(weights) || json_object_size(weights) > 0 ||
           member_fail(reader, member_value_place(reader, depth),
                       "\"weights\" is empty; give at least one feature a weight.");
}

static bool read_weights(Reader *reader) {
    json_t *weights = reader->value[KEY_WEIGHTS];
    return check_not_empty(reader, weights, 1) &&
           read_features(reader, weights, "weights", 1, read_weight_list) && check_width(reader);
}

static bool check_used(Reader *reader, FeatureId id) {
    return reader->strategy->rating.given[id] > 0 ||
           member_fail(reader, member_key_place(reader, 2),
                       "\"%s\" has no weight; give it one or leave it out here.", feature_info[id].name);
}

static bool read_exponent(Reader *reader, json_t *value, FeatureId id) {
    double *exponent = &reader->strategy->rating.exponent[id];
    return check_used(reader, id) &&
           read_number(reader, 2, value, feature_info[id].name, STRATEGY_EXPONENT_LIMIT, exponent);
}

static bool read_displacement(Reader *reader, json_t *value, FeatureId id) {
    double *displacement = &reader->strategy->rating.displacement[id];
    return check_used(reader, id) &&
           read_number(reader, 2, value, feature_info[id].name, STRATEGY_DISPLACEMENT_LIMIT, displacement);
}

// ---- hidden units: a list of objects

static bool read_unit_weight(Reader *reader, json_t *value, FeatureId id) {
    const char *feature = feature_info[id].name;
    reader->strategy->rating.given[id] = 1;
    return check_single(reader, id, 4) &&
           read_number(reader, 4, value, feature, STRATEGY_WEIGHT_LIMIT, &reader->unit->weight[id]);
}

static bool read_unit_member(Reader *reader, UnitMemberId id, json_t *value) {
    HiddenUnit *unit = reader->unit;
    if (id == UNIT_WEIGHTS)
        return check_not_empty(reader, value, 3) &&
               read_features(reader, value, unit_key[id], 3, read_unit_weight);
    return read_number(reader, 3, value, unit_key[id], STRATEGY_WEIGHT_LIMIT,
                       id == UNIT_BIAS ? &unit->bias : &unit->output);
}

static bool read_unit(Reader *reader, json_t *object) {
    const char *key;
    json_t *value;
    bool found[UNIT_MEMBERS] = {[UNIT_BIAS] = true}; // may be left out
    if (!json_is_object(object))
        return member_fail(reader, member_value_place(reader, 2), "a hidden unit is an object, found %s.",
                           member_kind_name(object));
    reader->step[2] = 0;
    json_object_foreach(object, key, value) {
        int id = 0;
        while (id < UNIT_MEMBERS && strcmp(key, unit_key[id]) != 0)
            id++;
        if (id == UNIT_MEMBERS) {
            char word[EXCERPT];
            utf8_clean(word, sizeof word, key, strlen(key));
            return member_fail(reader, member_key_place(reader, 3),
                               "\"%s\" is not a key of a hidden unit; did you mean \"%s\"?", word,
                               text_nearest(word, unit_key, UNIT_MEMBERS));
        }
        if (!read_unit_member(reader, (UnitMemberId)id, value))
            return false;
        found[id] = true;
        reader->step[2]++;
    }
    for (int id = 0; id < UNIT_MEMBERS; id++)
        if (!found[id])
            return member_fail(reader, member_value_place(reader, 2), "the hidden unit lacks \"%s\".",
                               unit_key[id]);
    return true;
}

static bool read_hidden(Reader *reader) {
    json_t *list = reader->value[KEY_HIDDEN];
    RatingWeights *rating = &reader->strategy->rating;
    PlayerKind player = reader->strategy->player;
    if (rating->kind != RATING_NETWORK)
        return member_fail(reader, member_key_place(reader, 1), "\"hidden\" needs \"rating\": \"network\".");
    char names[PLAYER_WORDS];
    if (!(player_type(player)->traits & PLAYER_HIDDEN_UNITS))
        return member_fail(reader, member_key_place(reader, 1), "\"hidden\" needs \"player\": %s.",
                           player_words(PLAYER_HIDDEN_UNITS, "\"", "or", names));
    if (reader->value[KEY_WEIGHTS])
        return member_fail(
            reader, member_key_place(reader, 1),
            "\"hidden\" and \"weights\" exclude each other: the weights belong to the hidden units.");
    size_t count = json_is_array(list) ? json_array_size(list) : 0;
    if (count < 1 || count > RATING_MAX_HIDDEN) {
        char found[40];
        if (json_is_array(list))
            snprintf(found, sizeof found, "a list of %zu", count);
        else
            snprintf(found, sizeof found, "%s", member_kind_name(list));
        return member_fail(reader, member_value_place(reader, 1),
                           "\"hidden\" needs a list of 1 to %d hidden units, found %s.", RATING_MAX_HIDDEN,
                           found);
    }
    for (size_t j = 0; j < count; j++) {
        reader->step[1] = (int)j;
        reader->unit = &rating->unit[rating->hidden++];
        if (!read_unit(reader, json_array_get(list, j)))
            return false;
    }
    return true;
}

// In the order of the keys, so that a member can be checked against those before it.
static bool read_member(Reader *reader, int id) {
    Strategy *strategy = reader->strategy;
    const PlayerType *type = player_type(strategy->player);
    char names[PLAYER_WORDS];
    int choice = 0;
    bool good = true;
    switch (id) {
    case KEY_NAME:
        return member_text(reader, id, strategy->name, sizeof strategy->name);
    case KEY_SOURCE:
        return member_text(reader, id, strategy->source, sizeof strategy->source);
    case KEY_PLAYER:
        good = member_choice(reader, id, strategy_player_names, &choice);
        strategy_set_player(strategy, (PlayerKind)choice);
        return good;
    case KEY_TIES:
        good = member_choice(reader, id, strategy_ties_names, &choice);
        strategy->ties = (TieRule)choice;
        if (good && type->traits & PLAYER_NO_PRIORITY && strategy->ties == TIES_PRIORITY)
            return member_fail(reader, member_value_place(reader, 1),
                               "\"priority\" is not for \"player\": \"%s\": give first or random.",
                               strategy_player_name(strategy->player));
        return good;
    default:
        good = member_choice(reader, id, strategy_clear_names, &choice);
        strategy->clear_late = choice == 1;
        if (good && strategy->clear_late && !(type->traits & PLAYER_CLEAR_LATE))
            return member_fail(reader, member_value_place(reader, 1), "\"late\" needs \"player\": %s.",
                               player_words(PLAYER_CLEAR_LATE, "\"", "or", names));
        return good;
    }
}

// The members that make the rating.
static bool read_rating(Reader *reader, int id) {
    RatingKind kind = reader->strategy->rating.kind;
    int choice = 0;
    bool good = true;
    switch (id) {
    case KEY_RATING:
        good = member_choice(reader, id, strategy_rating_names, &choice);
        reader->strategy->rating.kind = (RatingKind)choice;
        return good;
    case KEY_WEIGHTS:
        return read_weights(reader);
    case KEY_HIDDEN:
        return read_hidden(reader);
    case KEY_EXPONENTS:
        if (kind == RATING_LINEAR || kind == RATING_NETWORK)
            return member_fail(reader, member_key_place(reader, 1),
                               "\"exponents\" needs \"rating\": \"exponential\" or \"displaced\".");
        return read_features(reader, reader->value[id], member_key(id), 1, read_exponent);
    default:
        if (kind != RATING_DISPLACED)
            return member_fail(reader, member_key_place(reader, 1),
                               "\"displacements\" needs \"rating\": \"displaced\".");
        return read_features(reader, reader->value[id], member_key(id), 1, read_displacement);
    }
}

// A UCT player whose leaves are worth 0 rates nothing, nor does a table; the others need weights.
static bool check_rated(Reader *reader) {
    bool rated = strategy_is_rated(reader->strategy);
    if (rated && !reader->value[KEY_WEIGHTS] && !reader->value[KEY_HIDDEN])
        return member_fail(reader, member_value_place(reader, 0),
                           "\"weights\" is missing; add \"weights\": {\"holes\": -4, ...}.");
    for (int id = KEY_RATING; !rated && id < KEY_OPTIONS; id++) {
        reader->step[0] = reader->position[id];
        if (reader->value[id])
            return member_fail(reader, member_key_place(reader, 1), "\"%s\" %s", member_key(id),
                               player_type(reader->strategy->player)->unrated);
    }
    return true;
}

// Reads those of the keys that the file has.
static bool read_keys(Reader *reader, int first, int end, bool (*read)(Reader *, int)) {
    for (int id = first; id < end; id++) {
        reader->step[0] = reader->position[id];
        if (reader->value[id] && !read(reader, id))
            return false;
    }
    return true;
}

static bool read_root(Reader *reader, json_t *root) {
    const char *key;
    json_t *value;
    if (!json_is_object(root))
        return member_fail(reader, member_value_place(reader, 0),
                           "expected an object, which begins with \"{\", found %s.", member_kind_name(root));
    json_object_foreach(root, key, value) {
        int id = member_find_key(reader, key);
        if (id < 0)
            return false;
        reader->value[id] = value;
        reader->position[id] = reader->step[0]++;
    }
    return read_keys(reader, 0, KEY_RATING, read_member) && member_options(reader) && check_rated(reader) &&
           read_keys(reader, KEY_RATING, KEY_OPTIONS, read_rating);
}

bool strategy_parse_json(Strategy *strategy, const char *name, const char *text, size_t length,
                         Error *error) {
    strategy_empty(strategy, name);
    if (length > STRATEGY_FILE_LIMIT)
        return error_set(error, "%s: has %zu bytes; a strategy file has at most %d.", name, length,
                         STRATEGY_FILE_LIMIT);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { // some editors mark UTF-8 like this
        text += 3;
        length -= 3;
    }
    Reader reader = {.name = name, .text = text, .length = length, .error = error, .strategy = strategy};
    json_t *root = json_parse(name, text, length, error);
    bool done = root && read_root(&reader, root);
    json_decref(root);
    return done;
}
