// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of definitions, as tables.
#include "reproduce/definition_keys.h"

#include <string.h>

#include "base/text.h"

typedef enum Kind { TEXT, NUMBER, TRUTH, OBJECT, LIST, TEXTS, RANGE, COUNT, WHY } Kind;
static const char *const kind_names[] = {"a text",
                                         "a number",
                                         "true or false",
                                         "an object",
                                         "a list",
                                         "a text or a list of texts",
                                         "a number or a list of two",
                                         "a number above 0 or a variable such as \"{runs}\"",
                                         "a text, or an object with a text for a scale"};

typedef struct Key {
    const char *name;
    Kind kind;
    bool needed;
} Key;

static const Key definition_keys[] = {
    {"paper", TEXT, true},    {"place", TEXT, true},    {"title", TEXT, true}, {"text", TEXT, true},
    {"scales", OBJECT, true}, {"files", OBJECT, false}, {"rows", LIST, true},  {"plot", OBJECT, false}};
static const Key row_keys[] = {
    {"row", TEXT, true},          {"run", TEXTS, true},      {"repeat", COUNT, false},
    {"from", TEXT, false},        {"value", TEXT, false},    {"reduce", TEXT, false},
    {"divide", TEXT, false},      {"interval", TEXT, false}, {"unit", TEXT, false},
    {"published", RANGE, false},  {"games", NUMBER, false},  {"of", NUMBER, false},
    {"within", NUMBER, false},    {"x", NUMBER, false},      {"main", TRUTH, false},
    {"incomparable", WHY, false}, {"note", TEXT, false},     {"fresh", TEXTS, false}};

static bool are_texts(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            return false;
    return json_array_size(list) > 0;
}

static bool are_two_numbers(const json_t *list) {
    return json_array_size(list) == 2 && json_is_number(json_array_get(list, 0)) &&
           json_is_number(json_array_get(list, 1));
}

static bool are_scale_texts(const json_t *object) {
    const char *scale;
    json_t *text;
    json_object_foreach((json_t *)object, scale, text) {
        if (!json_is_string(text) || (strcmp(scale, "quick") && strcmp(scale, "full")))
            return false;
    }
    return json_object_size(object) > 0;
}

static bool has_kind(const json_t *value, Kind kind) {
    switch (kind) {
    case TEXT:
        return json_is_string(value);
    case NUMBER:
        return json_is_number(value);
    case TRUTH:
        return json_is_boolean(value);
    case OBJECT:
        return json_is_object(value);
    case LIST:
        return json_is_array(value);
    case TEXTS:
        return json_is_string(value) || are_texts(value);
    case RANGE:
        return json_is_number(value) || are_two_numbers(value);
    case WHY:
        return json_is_string(value) || are_scale_texts(value);
    default:
        return json_is_string(value) || json_number_value(value) >= 1;
    }
}

static bool check(const char *place, const json_t *object, const Key *keys, int count, Error *error) {
    const char *name, *names[32];
    json_t *value;
    for (int k = 0; k < count; k++)
        names[k] = keys[k].name;
    json_object_foreach((json_t *)object, name, value) {
        int k = 0;
        while (k < count && strcmp(keys[k].name, name))
            k++;
        if (k == count)
            return error_set(error, "%s there is no key \"%.40s\"; did you mean \"%s\"?", place, name,
                             text_nearest(name, names, count));
        if (!has_kind(value, keys[k].kind))
            return error_set(error, "%s \"%s\" must be %s.", place, name, kind_names[keys[k].kind]);
    }
    for (int k = 0; k < count; k++)
        if (keys[k].needed && !json_object_get(object, keys[k].name))
            return error_set(error, "%s \"%s\" is missing.", place, keys[k].name);
    return true;
}

bool definition_keys_check(const char *place, const json_t *object, bool row, Error *error) {
    return row ? check(place, object, row_keys, sizeof row_keys / sizeof *row_keys, error)
               : check(place, object, definition_keys, sizeof definition_keys / sizeof *definition_keys,
                       error);
}
