// SPDX-License-Identifier: GPL-3.0-or-later
#include "reproduce/definition_fields.h"

#include <math.h>

#include "base/fields_json.h"

const char *const definition_scales[] = {"quick", "full", NULL};

// ---------------------------------------------------------------------------------------------------
// Kinds of values

bool keys_are_texts(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            return false;
    return json_array_size(list) > 0;
}

bool keys_are_two_numbers(const json_t *list) {
    return json_array_size(list) == 2 && json_is_number(json_array_get(list, 0)) &&
           json_is_number(json_array_get(list, 1));
}

static bool is_range(const json_t *value) {
    return json_is_number(value) || keys_are_two_numbers(value);
}

static bool is_why(const json_t *value) {
    const char *scale;
    json_t *text;
    json_object_foreach((json_t *)value, scale, text) {
        if (!json_is_string(text) || field_word(definition_scales, scale) < 0)
            return false;
    }
    return json_is_string(value) || json_object_size(value) > 0;
}

static bool is_object(const json_t *value) {
    return json_is_object(value);
}

static bool is_list(const json_t *value) {
    return json_is_array(value);
}

static const FieldType object = {.accepts = is_object, .must = "an object"};
static const FieldType list = {.accepts = is_list, .must = "a list"};
static const FieldType texts = {.accepts = keys_are_texts, .must = "a text or a list of texts"};
static const FieldType range = {.accepts = is_range, .must = "a number or a list of two"};
static const FieldType why = {.accepts = is_why, .must = "a text, or an object with a text for a scale"};

// ---------------------------------------------------------------------------------------------------
// Tables

#define AT(member)  FIELD_AT(Definition, member)
#define ROW(member) FIELD_AT(RowKeys, row.member)
#define TEXT(name, at)                                                                                       \
    { .key = name, .kind = FIELD_STRING, .offset = at }

static const Field definition_field[] = {TEXT("paper", AT(paper)),
                                         TEXT("place", AT(place)),
                                         TEXT("title", AT(title)),
                                         TEXT("text", AT(text)),
                                         {"scales", FIELD_JSON, AT(scales), .type = &object},
                                         {"rows", FIELD_JSON, AT(list), .type = &list},
                                         {"files", FIELD_JSON, AT(files), .type = &object},
                                         {"plot", FIELD_JSON, AT(plot), .type = &object}};
const KeyTable definition_keys = {"a definition", FIELDS(definition_field), 6};

static const Field row_field[] = {TEXT("row", ROW(label)),
                                  {"run", FIELD_JSON, ROW(commands), .type = &texts},
                                  {"fresh", FIELD_JSON, ROW(fresh), .type = &texts},
                                  TEXT("repeat", ROW(repeat)),
                                  TEXT("from", ROW(from)),
                                  {"value", FIELD_STRING, ROW(value), .otherwise = "mean_lines"},
                                  {"reduce", FIELD_WORD, ROW(reduce), .words = reduction_names},
                                  TEXT("divide", ROW(divide)),
                                  TEXT("interval", ROW(interval)),
                                  {"unit", FIELD_STRING, ROW(unit), .otherwise = "lines"},
                                  {"published", FIELD_JSON, FIELD_AT(RowKeys, published), .type = &range},
                                  {"games", FIELD_REAL, FIELD_AT(RowKeys, games), .preset = NAN},
                                  {"of", FIELD_REAL, FIELD_AT(RowKeys, of), .preset = NAN},
                                  {"within", FIELD_REAL, FIELD_AT(RowKeys, within), .preset = NAN},
                                  {"x", FIELD_REAL, ROW(x), .preset = NAN},
                                  {"main", FIELD_FLAG, ROW(main), .preset = false},
                                  {"incomparable", FIELD_JSON, ROW(incomparable), .type = &why},
                                  TEXT("note", ROW(note))};
const KeyTable row_keys = {"a row", FIELDS(row_field), 2};

bool keys_read(const KeyTable *table, void *base, const json_t *json, const char *place, Error *error) {
    const JsonSource source = {.name = place};
    const Fields all = table->keys, needed = {all.field, table->needed};
    const Fields others = {all.field + needed.count, all.count - needed.count};
    fields_preset(all, base);
    return fields_refuse_unknown(&all, 1, json, table->what, &source, error) &&
           fields_restore(needed, base, json, FIELDS_ALL, &source, NULL, error) &&
           fields_restore(others, base, json, FIELDS_MAY_MISS, &source, NULL, error);
}
