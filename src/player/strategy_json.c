// SPDX-License-Identifier: GPL-3.0-or-later
// Reading strategies as JSON. jansson checks the syntax and the tables of fields single values; here stands
// what members mean together. Every refusal names line and column, what was found and what would be right.
// Unknown keys are refused, not skipped: a misspelt weight would otherwise give a weaker player without a
// word. Whether the weights fit a board's width is not known here; rating_make checks it.
#include <stdio.h>
#include <string.h>

#include "base/fields_json.h"
#include "base/json_parse.h"
#include "base/utf8.h"
#include "player/player_type.h"

enum { EXCERPT = 48 }; // bytes of the file that a message quotes at most

typedef struct StrategyReader {
    JsonSource source;
    Error *error;
    Strategy *strategy;
    json_t *root;
    HiddenUnit *unit; // the one being read
    double *power;    // the exponents or displacements being read
    double limit;     // of these
} StrategyReader;

// Refuses the member of an object for its value, or for being there; without a key: the object.
#define FAIL(reader, object, key, ...)                                                                       \
    json_refuse(&(reader)->source, (JsonSpot){object, key, -1, false}, (reader)->error, __VA_ARGS__)
#define FAIL_KEY(reader, object, key, ...)                                                                   \
    json_refuse(&(reader)->source, (JsonSpot){object, key, -1, true}, (reader)->error, __VA_ARGS__)

static bool restore(StrategyReader *reader, Fields fields, void *base, const json_t *object) {
    return fields_restore(fields, base, object, FIELDS_MAY_MISS, &reader->source, NULL, reader->error);
}

// <- "a list of 3", "a number" ...
static const char *found_name(const json_t *value, char out[40]) {
    if (json_is_array(value))
        snprintf(out, 40, "a list of %zu", json_array_size(value));
    else
        snprintf(out, 40, "%s", json_kind_name(value));
    return out;
}

// ---- the rating: objects whose keys are features

// -> count  0: a single number, else a list of so many
static bool read_numbers(StrategyReader *reader, const json_t *object, const char *key, size_t count,
                         double limit, double *number) {
    const Field field = {.key = key,
                         .kind = count ? FIELD_LIST : FIELD_REAL,
                         .size = (int)count,
                         .least = -limit,
                         .most = limit};
    return restore(reader, (Fields){&field, 1}, number, object);
}

static bool check_single(StrategyReader *reader, const json_t *object, FeatureId id) {
    return reader->strategy->rating.kind != RATING_NETWORK || feature_info[id].values == ONE ||
           FAIL_KEY(reader, object, feature_info[id].name,
                    "\"%s\" has several values; the inputs of a network have one value each.",
                    feature_info[id].name);
}

static bool read_weight(StrategyReader *reader, const json_t *object, FeatureId id) {
    const char *name = feature_info[id].name;
    const json_t *value = json_object_get(object, name);
    RatingWeights *rating = &reader->strategy->rating;
    size_t least = (size_t)feature_values(id, BOARD_MIN_WIDTH),
           most = (size_t)feature_values(id, BOARD_MAX_WIDTH);
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    char found[40];
    if (!check_single(reader, object, id))
        return false;
    if (most == 1 && count != 1)
        return FAIL(reader, object, name, "\"%s\" needs one number, found %s.", name,
                    found_name(value, found));
    if (count < least || count > most || (most > 1 && !json_is_array(value)))
        return least == most
                   ? FAIL(reader, object, name, "\"%s\" needs a list of %zu numbers, found %s.", name, most,
                          found_name(value, found))
                   : FAIL(reader, object, name, "\"%s\" needs a list of %zu to %zu numbers, found %s.", name,
                          least, most, found_name(value, found));
    rating->given[id] = (int)count;
    return read_numbers(reader, object, name, json_is_array(value) ? count : 0, STRATEGY_WEIGHT_LIMIT,
                        rating->weight + feature_first[id]);
}

static bool read_unit_weight(StrategyReader *reader, const json_t *object, FeatureId id) {
    reader->strategy->rating.given[id] = 1;
    return check_single(reader, object, id) && read_numbers(reader, object, feature_info[id].name, 0,
                                                            STRATEGY_WEIGHT_LIMIT, &reader->unit->weight[id]);
}

// An exponent or a displacement.
static bool read_power(StrategyReader *reader, const json_t *object, FeatureId id) {
    const char *name = feature_info[id].name;
    if (!reader->strategy->rating.given[id])
        return FAIL_KEY(reader, object, name, "\"%s\" has no weight; give it one or leave it out here.",
                        name);
    return read_numbers(reader, object, name, 0, reader->limit, &reader->power[id]);
}

// Calls `read` for every feature that the object at parent[name] has.
static bool read_features(StrategyReader *reader, const json_t *parent, const char *name,
                          bool (*read)(StrategyReader *, const json_t *, FeatureId)) {
    json_t *object = json_object_get(parent, name), *value;
    const char *key;
    if (!json_is_object(object))
        return FAIL(reader, parent, name, "\"%s\" needs an object like {\"holes\": -4}, found %s.", name,
                    json_kind_name(object));
    json_object_foreach(object, key, value) {
        int id = feature_from_name(key);
        if (id < 0) {
            char word[EXCERPT], meant[TEXT_MEANT];
            utf8_clean(word, sizeof word, key, strlen(key));
            return FAIL_KEY(reader, object, key, "\"%s\" is not a feature%s", word,
                            feature_meant(meant, word));
        }
        if (!read(reader, object, (FeatureId)id))
            return false;
    }
    return true;
}

static bool read_weights(StrategyReader *reader, const json_t *parent,
                         bool (*read)(StrategyReader *, const json_t *, FeatureId)) {
    const json_t *weights = json_object_get(parent, "weights");
    if (json_is_object(weights) && json_object_size(weights) == 0)
        return FAIL(reader, parent, "weights", "\"weights\" is empty; give at least one feature a weight.");
    return read_features(reader, parent, "weights", read);
}

// A board has one pair of columns less than columns.
static bool check_width(StrategyReader *reader) {
    const int *given = reader->strategy->rating.given;
    int columns = given[FEATURE_COLUMN_HEIGHTS], pairs = given[FEATURE_COLUMN_DIFFERENCES];
    return columns == 0 || pairs == 0 || pairs == columns - 1 ||
           FAIL(reader, reader->root, "weights",
                "%d column-heights are for a board %d wide, but %d column-differences for one %d wide.",
                columns, columns, pairs, pairs + 1);
}

// ---- hidden units: a list of objects

static const Field unit_field[] = {
    {"bias", FIELD_REAL, FIELD_AT(HiddenUnit, bias), .least = -STRATEGY_WEIGHT_LIMIT,
     .most = STRATEGY_WEIGHT_LIMIT},
    {"output", FIELD_REAL, FIELD_AT(HiddenUnit, output), .least = -STRATEGY_WEIGHT_LIMIT,
     .most = STRATEGY_WEIGHT_LIMIT},
    {.key = "weights", .kind = FIELD_OTHER},
};
static const Fields unit_fields = FIELDS(unit_field), unit_numbers = {unit_field, 2};

static bool read_unit(StrategyReader *reader, const json_t *list, int index) {
    const json_t *object = json_array_get(list, (size_t)index);
    if (!json_is_object(object))
        return json_refuse(&reader->source, (JsonSpot){reader->root, "hidden", index, false}, reader->error,
                           "a hidden unit is an object, found %s.", json_kind_name(object));
    if (!fields_refuse_unknown(&unit_fields, 1, object, "a hidden unit", &reader->source, reader->error) ||
        !restore(reader, unit_numbers, reader->unit, object))
        return false;
    for (int k = 1; k < unit_fields.count; k++) // the bias may be left out
        if (!json_object_get(object, unit_field[k].key))
            return FAIL(reader, object, NULL, "\"%s\" of this hidden unit is missing; add it.",
                        unit_field[k].key);
    return read_weights(reader, object, read_unit_weight);
}

static bool read_hidden(StrategyReader *reader) {
    const json_t *root = reader->root, *list = json_object_get(root, "hidden");
    RatingWeights *rating = &reader->strategy->rating;
    char found[40];
    if (rating->kind != RATING_NETWORK)
        return FAIL_KEY(reader, root, "hidden", "\"hidden\" needs \"rating\": \"network\".");
    if (json_object_get(root, "weights"))
        return FAIL_KEY(
            reader, root, "hidden",
            "\"hidden\" and \"weights\" exclude each other: the weights belong to the hidden units.");
    size_t count = json_array_size(list);
    if (count < 1 || count > RATING_MAX_HIDDEN)
        return FAIL(reader, root, "hidden", "\"hidden\" needs a list of 1 to %d hidden units, found %s.",
                    RATING_MAX_HIDDEN, found_name(list, found));
    for (size_t j = 0; j < count; j++) {
        reader->unit = &rating->unit[rating->hidden++];
        if (!read_unit(reader, list, (int)j))
            return false;
    }
    return true;
}

// ---- what members mean together

static bool check_traits(StrategyReader *reader) {
    const char *key;
    Error detail;
    return strategy_check_traits(reader->strategy, &key, &detail) ||
           FAIL(reader, reader->root, key, "%s", detail.text);
}

static bool read_options(StrategyReader *reader) {
    const PlayerType *type = player_type(reader->strategy->player);
    for (PlayerKind kind = 0; kind < PLAYERS; kind++) {
        Fields options = player_type(kind)->options;
        for (int k = 0; k < options.count; k++) {
            const char *key = options.field[k].key;
            if (json_object_get(reader->root, key) && !fields_find(type->options, key))
                return FAIL_KEY(reader, reader->root, key, "\"%s\" needs \"player\": \"%s\".", key,
                                strategy_player_names[kind]);
        }
    }
    if (!restore(reader, type->options, reader->strategy, reader->root))
        return false;
    for (int k = 0; k < type->options.count; k++) {
        const Field *field = &type->options.field[k];
        bool given = json_object_get(reader->root, field->key);
        if (field->file == FIELD_READS && !((const char *)reader->strategy)[field->offset])
            return FAIL(reader, reader->root, given ? field->key : NULL, "\"%s\" is %s a file of %s.",
                        field->key, given ? "empty; name" : "missing; add", type->holds);
    }
    return !type->settle || type->settle(reader->strategy, reader->root, &reader->source, reader->error);
}

// A UCT player whose leaves are worth 0 rates nothing, nor does a table; the others need weights.
static bool check_rated(StrategyReader *reader) {
    const json_t *root = reader->root;
    bool rated = strategy_is_rated(reader->strategy);
    if (rated && !json_object_get(root, "weights") && !json_object_get(root, "hidden"))
        return FAIL(reader, root, NULL, "\"weights\" is missing; add \"weights\": {\"holes\": -4, ...}.");
    for (int k = STRATEGY_RATING; !rated && k < strategy_fields.count; k++) {
        const char *key = strategy_fields.field[k].key;
        if (json_object_get(root, key))
            return FAIL_KEY(reader, root, key, "\"%s\" %s", key,
                            player_type(reader->strategy->player)->unrated);
    }
    return true;
}

static bool read_powers(StrategyReader *reader, const char *key, bool fits, const char *needed, double limit,
                        double power[FEATURES]) {
    reader->power = power;
    reader->limit = limit;
    if (!json_object_get(reader->root, key))
        return true;
    if (!fits)
        return FAIL_KEY(reader, reader->root, key, "\"%s\" needs \"rating\": %s.", key, needed);
    return read_features(reader, reader->root, key, read_power);
}

static bool read_rating(StrategyReader *reader) {
    const json_t *root = reader->root;
    RatingKind kind = reader->strategy->rating.kind;
    for (int id = 0; rating_has_powers(kind) && id < FEATURES; id++)
        reader->strategy->rating.exponent[id] = 1;
    if (json_object_get(root, "weights") && !(read_weights(reader, root, read_weight) && check_width(reader)))
        return false;
    if (json_object_get(root, "hidden") && !read_hidden(reader))
        return false;
    return read_powers(reader, "exponents", rating_has_powers(kind), "\"exponential\" or \"displaced\"",
                       STRATEGY_EXPONENT_LIMIT, reader->strategy->rating.exponent) &&
           read_powers(reader, "displacements", kind == RATING_DISPLACED, "\"displaced\"",
                       STRATEGY_DISPLACEMENT_LIMIT, reader->strategy->rating.displacement);
}

static bool read_root(StrategyReader *reader) {
    json_t *root = reader->root;
    Strategy *strategy = reader->strategy;
    const Field *own = strategy_fields.field;
    Fields known[PLAYERS + 1] = {strategy_fields}, before = {own, STRATEGY_PLAYER + 1},
                           behind = {own + STRATEGY_PLAYER + 1, STRATEGY_WEIGHTS - STRATEGY_PLAYER - 1};
    for (PlayerKind kind = 0; kind < PLAYERS; kind++)
        known[kind + 1] = player_type(kind)->options;
    if (!json_is_object(root))
        return FAIL(reader, root, NULL, "expected an object, which begins with \"{\", found %s.",
                    json_kind_name(root));
    if (!fields_refuse_unknown(known, PLAYERS + 1, root, "a strategy", &reader->source, reader->error) ||
        !restore(reader, before, strategy, root))
        return false;
    if (!strategy->name[0])
        return FAIL(reader, root, "name", "\"name\" is empty; leave it out to use the file's name.");
    strategy_set_player(strategy, strategy->player);
    return restore(reader, behind, strategy, root) && read_options(reader) && check_rated(reader) &&
           read_rating(reader) && check_traits(reader);
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
    json_t *root = json_parse(name, text, length, error);
    StrategyReader reader = {
        .source = {name, text, length, root}, .error = error, .strategy = strategy, .root = root};
    bool done = root && read_root(&reader);
    json_decref(root);
    return done;
}
