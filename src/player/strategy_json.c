// SPDX-License-Identifier: GPL-3.0-or-later
// Reading strategies as JSON. jansson checks the syntax; here every member is checked for what it means, and
// every refusal names line and column, what was found and what would be right. Unknown keys are refused, not
// skipped: a misspelt weight would otherwise give a weaker player without a word.
// Whether the weights fit a board's width is not known here; rating_make checks it.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_parse.h"
#include "base/json_place.h"
#include "base/text.h"
#include "base/utf8.h"
#include "player/strategy.h"
#include "player/strategy_names.h"

enum { EXCERPT = 48 }; // bytes of the file that a message quotes at most

typedef enum MemberId {
    MEMBER_NAME,
    MEMBER_SOURCE,
    MEMBER_PLAYER,
    MEMBER_TIES,
    MEMBER_CLEAR,
    MEMBER_RATING,
    MEMBER_WEIGHTS,
    MEMBER_HIDDEN,
    MEMBER_EXPONENTS,
    MEMBER_DISPLACEMENTS,
    MEMBERS
} MemberId;

static const char *const member_key[MEMBERS] = {"name",   "source",  "player", "ties",      "clear",
                                                "rating", "weights", "hidden", "exponents", "displacements"};

typedef enum UnitMemberId { UNIT_BIAS, UNIT_OUTPUT, UNIT_WEIGHTS, UNIT_MEMBERS } UnitMemberId;
static const char *const unit_key[UNIT_MEMBERS] = {"bias", "output", "weights"};

typedef struct Reader {
    const char *name, *text;
    size_t length;
    Error *error;
    Strategy *strategy;
    json_t *value[MEMBERS];
    int position[MEMBERS]; // which member of the file it is, from 0
    int step[4];           // the value being read, for json_place
    HiddenUnit *unit;      // the one being read
} Reader;

__attribute__((format(printf, 3, 4))) static bool fail(const Reader *reader, size_t offset,
                                                       const char *format, ...) {
    char sentence[sizeof((Error *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    TextPlace place = utf8_place(reader->text, reader->length, offset);
    return error_set(reader->error, "%s:%d:%d: %s", reader->name, place.line, place.column, sentence);
}

static size_t value_place(const Reader *reader, int depth) {
    return json_place(reader->text, reader->length, reader->step, depth, false);
}

static size_t key_place(const Reader *reader, int depth) {
    return json_place(reader->text, reader->length, reader->step, depth, true);
}

static const char *kind_name(const json_t *value) {
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list",  [JSON_STRING] = "a text",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number", [JSON_TRUE] = "\"true\"",
        [JSON_FALSE] = "\"false\"",  [JSON_NULL] = "\"null\""};
    return names[json_typeof(value)];
}

// ---- what the members mean

static bool read_text(Reader *reader, MemberId id, char *out, size_t room) {
    const json_t *value = reader->value[id];
    const char *key = member_key[id];
    if (!json_is_string(value))
        return fail(reader, value_place(reader, 1), "\"%s\" needs a text in quotes, found %s.", key,
                    kind_name(value));
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    if (length == 0 && id == MEMBER_NAME)
        return fail(reader, value_place(reader, 1),
                    "\"name\" is empty; leave it out to use the file's name.");
    if (length >= room)
        return fail(reader, value_place(reader, 1), "\"%s\" has %zu bytes; the limit is %zu.", key, length,
                    room - 1);
    if (utf8_has_control(text, length))
        return fail(reader, value_place(reader, 1), "\"%s\" holds a control character; use printable ones.",
                    key);
    memset(out, 0, room);
    memcpy(out, text, length);
    return true;
}

static bool read_choice(Reader *reader, MemberId id, const char *const *names, int *choice) {
    const json_t *value = reader->value[id];
    char found[EXCERPT + 2], expected[96] = "";
    size_t used = 0;
    for (int i = 0; names[i]; i++) {
        if (json_is_string(value) && strcmp(json_string_value(value), names[i]) == 0) {
            *choice = i;
            return true;
        }
        const char *before = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s\"%s\"", before, names[i]);
    }
    if (json_is_string(value)) {
        char word[EXCERPT];
        utf8_clean(word, sizeof word, json_string_value(value), json_string_length(value));
        snprintf(found, sizeof found, "\"%s\"", word);
    } else {
        snprintf(found, sizeof found, "%s", kind_name(value));
    }
    return fail(reader, value_place(reader, 1), "\"%s\" must be %s, found %s.", member_key[id], expected,
                found);
}

static bool read_number(Reader *reader, int depth, const json_t *value, const char *key, double limit,
                        double *number) {
    if (!json_is_number(value))
        return fail(reader, value_place(reader, depth), "\"%s\" needs a number, found %s.", key,
                    kind_name(value));
    *number = json_number_value(value);
    if (!(*number >= -limit && *number <= limit))
        return fail(reader, value_place(reader, depth), "\"%s\" is %g; it must lie between %g and %g.", key,
                    *number, -limit, limit);
    return true;
}

// -> depth  of the feature's key
static bool check_single(const Reader *reader, FeatureId id, int depth) {
    return reader->strategy->rating.kind != RATING_NETWORK || feature_info[id].values == ONE ||
           fail(reader, key_place(reader, depth),
                "\"%s\" has one value per column; the inputs of a network have one value each.",
                feature_info[id].name);
}

static bool read_weight_list(Reader *reader, json_t *value, FeatureId id) {
    const char *feature = feature_info[id].name;
    RatingText *rating = &reader->strategy->rating;
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
            snprintf(found, sizeof found, "%s", kind_name(value));
        if (most == 1)
            return fail(reader, value_place(reader, 2), "\"%s\" needs one number, found %s.", feature, found);
        return fail(reader, value_place(reader, 2), "\"%s\" needs a list of %zu to %zu numbers, found %s.",
                    feature, least, most, found);
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
        return fail(reader, value_place(reader, depth),
                    "\"%s\" needs an object like {\"holes\": -4}, found %s.", name, kind_name(object));
    reader->step[depth] = 0;
    json_object_foreach(object, key, value) {
        int id = feature_from_name(key);
        if (id < 0) {
            char word[EXCERPT];
            utf8_clean(word, sizeof word, key, strlen(key));
            return fail(reader, key_place(reader, depth + 1), "\"%s\" is not a feature; did you mean \"%s\"?",
                        word, feature_nearest_name(word));
        }
        if (!read(reader, value, (FeatureId)id))
            return false;
        reader->step[depth]++;
    }
    return true;
}

// A board has one pair of columns less than columns.
static bool check_width(Reader *reader) {
    const int *given = reader->strategy->rating.given;
    int columns = given[FEATURE_COLUMN_HEIGHTS], pairs = given[FEATURE_COLUMN_DIFFERENCES];
    if (columns == 0 || pairs == 0 || pairs == columns - 1)
        return true;
    return fail(reader, value_place(reader, 1),
                "%d column-heights are for a board %d wide, but %d column-differences for one %d wide.",
                columns, columns, pairs, pairs + 1);
}

// -> depth  of the object "weights"
static bool check_not_empty(Reader *reader, const json_t *weights, int depth) {
    return !json_is_object(weights) || json_object_size(weights) > 0 ||
           fail(reader, value_place(reader, depth),
                "\"weights\" is empty; give at least one feature a weight.");
}

static bool read_weights(Reader *reader) {
    json_t *weights = reader->value[MEMBER_WEIGHTS];
    return check_not_empty(reader, weights, 1) &&
           read_features(reader, weights, "weights", 1, read_weight_list) && check_width(reader);
}

static bool check_used(Reader *reader, FeatureId id) {
    return reader->strategy->rating.given[id] > 0 ||
           fail(reader, key_place(reader, 2), "\"%s\" has no weight; give it one or leave it out here.",
                feature_info[id].name);
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
        return fail(reader, value_place(reader, 2), "a hidden unit is an object, found %s.",
                    kind_name(object));
    reader->step[2] = 0;
    json_object_foreach(object, key, value) {
        int id = 0;
        while (id < UNIT_MEMBERS && strcmp(key, unit_key[id]) != 0)
            id++;
        if (id == UNIT_MEMBERS) {
            char word[EXCERPT];
            utf8_clean(word, sizeof word, key, strlen(key));
            return fail(reader, key_place(reader, 3),
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
            return fail(reader, value_place(reader, 2), "the hidden unit lacks \"%s\".", unit_key[id]);
    return true;
}

static bool read_hidden(Reader *reader) {
    json_t *list = reader->value[MEMBER_HIDDEN];
    RatingText *rating = &reader->strategy->rating;
    if (rating->kind != RATING_NETWORK)
        return fail(reader, key_place(reader, 1), "\"hidden\" needs \"rating\": \"network\".");
    if (reader->value[MEMBER_WEIGHTS])
        return fail(reader, key_place(reader, 1),
                    "\"hidden\" and \"weights\" exclude each other: the weights belong to the hidden units.");
    size_t count = json_is_array(list) ? json_array_size(list) : 0;
    if (count < 1 || count > RATING_MOST_HIDDEN) {
        char found[40];
        if (json_is_array(list))
            snprintf(found, sizeof found, "a list of %zu", count);
        else
            snprintf(found, sizeof found, "%s", kind_name(list));
        return fail(reader, value_place(reader, 1),
                    "\"hidden\" needs a list of 1 to %d hidden units, found %s.", RATING_MOST_HIDDEN, found);
    }
    for (size_t j = 0; j < count; j++) {
        reader->step[1] = (int)j;
        reader->unit = &rating->unit[rating->hidden++];
        if (!read_unit(reader, json_array_get(list, j)))
            return false;
    }
    return true;
}

// In the order of the table, so that a member can be checked against those before it.
static bool read_member(Reader *reader, MemberId id) {
    Strategy *strategy = reader->strategy;
    RatingKind kind = strategy->rating.kind;
    int choice = 0;
    bool good = true;
    switch (id) {
    case MEMBER_NAME:
        return read_text(reader, id, strategy->name, sizeof strategy->name);
    case MEMBER_SOURCE:
        return read_text(reader, id, strategy->source, sizeof strategy->source);
    case MEMBER_PLAYER:
        good = read_choice(reader, id, strategy_player_names, &choice);
        strategy->player = (PlayerKind)choice;
        return good;
    case MEMBER_TIES:
        good = read_choice(reader, id, strategy_ties_names, &choice);
        strategy->ties = (TieRule)choice;
        return good;
    case MEMBER_CLEAR:
        good = read_choice(reader, id, strategy_clear_names, &choice);
        strategy->clear_late = choice == 1;
        if (good && strategy->clear_late && strategy->player != PLAYER_TWO_PIECE)
            return fail(reader, value_place(reader, 1), "\"late\" needs \"player\": \"two-piece\".");
        return good;
    case MEMBER_RATING:
        good = read_choice(reader, id, strategy_rating_names, &choice);
        strategy->rating.kind = (RatingKind)choice;
        return good;
    case MEMBER_WEIGHTS:
        return read_weights(reader);
    case MEMBER_HIDDEN:
        return read_hidden(reader);
    case MEMBER_EXPONENTS:
        if (kind == RATING_LINEAR || kind == RATING_NETWORK)
            return fail(reader, key_place(reader, 1),
                        "\"exponents\" needs \"rating\": \"exponential\" or \"displaced\".");
        return read_features(reader, reader->value[id], member_key[id], 1, read_exponent);
    case MEMBER_DISPLACEMENTS:
        if (kind != RATING_DISPLACED)
            return fail(reader, key_place(reader, 1), "\"displacements\" needs \"rating\": \"displaced\".");
        return read_features(reader, reader->value[id], member_key[id], 1, read_displacement);
    case MEMBERS:
        break;
    }
    return false;
}

static bool read_root(Reader *reader, json_t *root) {
    const char *key;
    json_t *value;
    if (!json_is_object(root))
        return fail(reader, value_place(reader, 0), "expected an object, which begins with \"{\", found %s.",
                    kind_name(root));
    int position = 0;
    json_object_foreach(root, key, value) {
        int id = 0;
        while (id < MEMBERS && strcmp(key, member_key[id]) != 0)
            id++;
        reader->step[0] = position;
        if (id == MEMBERS) {
            char word[EXCERPT];
            utf8_clean(word, sizeof word, key, strlen(key));
            return fail(reader, key_place(reader, 1),
                        "\"%s\" is not a key of a strategy; did you mean \"%s\"?", word,
                        text_nearest(word, member_key, MEMBERS));
        }
        reader->value[id] = value;
        reader->position[id] = position++;
    }
    if (!reader->value[MEMBER_WEIGHTS] && !reader->value[MEMBER_HIDDEN])
        return fail(reader, value_place(reader, 0),
                    "\"weights\" is missing; add \"weights\": {\"holes\": -4, ...}.");
    for (int id = 0; id < MEMBERS; id++) {
        reader->step[0] = reader->position[id];
        if (reader->value[id] && !read_member(reader, (MemberId)id))
            return false;
    }
    return true;
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
