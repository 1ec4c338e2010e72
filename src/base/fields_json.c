// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/fields_json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_place.h"
#include "base/text.h"
#include "base/utf8.h"

enum { EXCERPT = 48, MAX_DEPTH = 64 }; // bytes of a file that a message quotes; levels that it looks through

// ---------------------------------------------------------------------------------------------------
// Single values

json_t *json_whole(uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return value <= (uint64_t)1 << 53 ? json_integer((json_int_t)value) : json_string(text);
}

bool json_whole_value(const json_t *value, uint64_t *number) {
    if (json_is_string(value)) {
        const char *text = json_string_value(value);
        size_t digits = strspn(text, "0123456789");
        if (digits == 0 || digits > 20 || text[digits] ||
            (digits == 20 && strcmp(text, "18446744073709551615") > 0))
            return false;
        *number = strtoull(text, NULL, 10);
        return true;
    }
    double real = json_is_number(value) ? json_number_value(value) : -1;
    if (!(real >= 0 && real <= 0x1p53) || real != floor(real))
        return false;
    *number = (uint64_t)real;
    return true;
}

json_t *json_score(double value) {
    return isfinite(value) ? json_real(value)
           : isnan(value)  ? json_null()
                           : json_string(value > 0 ? "inf" : "-inf");
}

bool json_score_value(const json_t *value, double *score) {
    const char *text = json_string_value(value);
    *score = json_is_number(value) ? json_number_value(value) : NAN;
    if (text && (!strcmp(text, "inf") || !strcmp(text, "-inf")))
        *score = text[0] == '-' ? -INFINITY : INFINITY;
    return json_is_null(value) || !isnan(*score);
}

json_t *json_finite(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *json_name(const char *name) {
    char clean[FIELD_PRINTED];
    json_t *json = json_string(name);
    return json ? json : json_string(utf8_clean(clean, sizeof clean, name, strlen(name)));
}

// -> nulls  what is not finite becomes null; else it is refused
static json_t *list_of(const double *value, int count, bool nulls) {
    json_t *list = json_array();
    bool good = list != NULL;
    for (int k = 0; good && k < count; k++)
        good = (nulls || isfinite(value[k])) && !json_array_append_new(list, json_finite(value[k]));
    if (good)
        return list;
    json_decref(list);
    return NULL;
}

json_t *json_list(const double *value, int count) {
    return list_of(value, count, false);
}

json_t *json_pair(double low, double high) {
    return list_of((double[]){low, high}, 2, true);
}

bool json_list_values(const json_t *list, double *value, int count) {
    bool good = json_is_array(list) && json_array_size(list) == (size_t)count;
    for (int k = 0; good && k < count; k++) {
        const json_t *element = json_array_get(list, (size_t)k);
        value[k] = json_number_value(element);
        good = json_is_number(element) && isfinite(value[k]);
    }
    return good;
}

const char *json_kind_name(const json_t *value) {
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list",  [JSON_STRING] = "a text",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number", [JSON_TRUE] = "\"true\"",
        [JSON_FALSE] = "\"false\"",  [JSON_NULL] = "\"null\""};
    return value ? names[json_typeof(value)] : "nothing";
}

// ---------------------------------------------------------------------------------------------------
// Where a value stands

static int member_number(const json_t *object, const char *key) {
    const char *name;
    json_t *value;
    int number = 0;
    json_object_foreach((json_t *)object, name, value) {
        if (!strcmp(name, key))
            return number;
        number++;
    }
    return -1;
}

// <- levels from `root` down to `object`, with the steps; -1: it is not in there
static int find_object(const json_t *root, const json_t *object, int *step, int depth) {
    if (root == object)
        return depth;
    if (depth == MAX_DEPTH - 2)
        return -1;
    int number = 0, found = -1;
    const char *key;
    json_t *value;
    if (json_is_object(root)) {
        json_object_foreach((json_t *)root, key, value) {
            step[depth] = number++;
            if ((found = find_object(value, object, step, depth + 1)) >= 0)
                return found;
        }
    }
    for (size_t i = 0; i < json_array_size(root); i++) {
        step[depth] = (int)i;
        if ((found = find_object(json_array_get(root, i), object, step, depth + 1)) >= 0)
            return found;
    }
    return -1;
}

bool json_refuse(const JsonSource *source, JsonSpot spot, Error *error, const char *format, ...) {
    char sentence[sizeof((Error *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (!source)
        return error_set(error, "%s", sentence);
    int step[MAX_DEPTH], depth = source->text ? find_object(source->root, spot.object, step, 0) : -1;
    if (depth < 0)
        return error_set(error, "%.200s: %.300s", source->name, sentence);
    int member = spot.key ? member_number(spot.object, spot.key) : -1;
    if (member >= 0)
        step[depth++] = member;
    if (member >= 0 && spot.index >= 0)
        step[depth++] = spot.index;
    TextPlace place = utf8_place(source->text, source->length,
                                 json_place(source->text, source->length, step, depth, spot.at_key));
    return error_set(error, "%.200s:%d:%d: %.300s", source->name, place.line, place.column, sentence);
}

// ---------------------------------------------------------------------------------------------------
// Writing

static int vector_size(const Field *field, const void *base) {
    return *(const int *)((const char *)base + field->size_at);
}

// <- *skip: the field has no value
static json_t *field_json(const Field *field, const void *base, bool *skip) {
    const void *at = (const char *)base + field->offset;
    char text[FIELD_PRINTED];
    *skip = false;
    switch (field->kind) {
    case FIELD_FLAG:
        return field->words ? json_string(field->words[*(const bool *)at]) : json_boolean(*(const bool *)at);
    case FIELD_INT:
        return json_integer(*(const int *)at);
    case FIELD_WHOLE:
        return json_whole(*(const uint64_t *)at);
    case FIELD_REAL:
        *skip = isnan(*(const double *)at);
        return json_real(*skip ? 0 : *(const double *)at);
    case FIELD_SCORE:
        return json_score(*(const double *)at);
    case FIELD_LIST:
        return list_of(at, field->size, isnan(field->preset));
    case FIELD_VECTOR:
        *skip = !*(const double *const *)at;
        return *skip ? NULL : json_list(*(const double *const *)at, vector_size(field, base));
    case FIELD_JSON:
        return json_incref(*(json_t *const *)at);
    case FIELD_TEXT:
    case FIELD_STRING: { // as long as it is: field_print has less room
        const char *whole = field->kind == FIELD_TEXT ? at : *(const char *const *)at;
        *skip = !whole || !*whole;
        return json_name(*skip ? "" : whole);
    }
    default:
        if (field->kind == FIELD_OTHER && field->type->is_number)
            return json_real(*(const double *)at);
        field_print(field, base, text);
        *skip = !*text;
        return json_name(text);
    }
}

bool fields_save(Fields fields, const void *base, json_t *into) {
    for (int k = 0; k < fields.count; k++) {
        bool skip;
        json_t *value = field_json(&fields.field[k], base, &skip);
        if (skip)
            json_decref(value);
        else if (json_object_set_new(into, fields.field[k].key, value))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Reading

// A member that is being read.
typedef struct Member {
    const Field *field;
    const json_t *object, *value;
    void *base, *at;
    const JsonSource *source;
    Error *error;
} Member;

#define REFUSE(m, ...)                                                                                       \
    json_refuse((m)->source, (JsonSpot){(m)->object, (m)->field->key, -1, false}, (m)->error, __VA_ARGS__)

static bool in_limits(const Member *m, double number, int index) {
    const Field *field = m->field;
    return field_within(field, number) ||
           json_refuse(m->source, (JsonSpot){m->object, field->key, index, false}, m->error,
                       "\"%s\" is %.15g; it must lie between %.15g and %.15g.", field->key, number,
                       field->least, field->most);
}

static bool read_number(const Member *m, double *number) {
    if (!json_is_number(m->value))
        return REFUSE(m, "\"%s\" needs a number, found %s.", m->field->key, json_kind_name(m->value));
    double value = json_number_value(m->value);
    if (!in_limits(m, value, -1))
        return false;
    *number = value;
    return true;
}

static bool read_real(const Member *m) {
    return read_number(m, m->at);
}

static bool read_score(const Member *m) {
    double score;
    if (!json_score_value(m->value, &score))
        return REFUSE(m, "\"%s\" must be a number, \"inf\", \"-inf\" or null.", m->field->key);
    if (!isnan(score) && !in_limits(m, score, -1))
        return false;
    *(double *)m->at = score;
    return true;
}

static bool read_int(const Member *m) {
    double number = 0;
    if (!read_number(m, &number))
        return false;
    if (number != floor(number) || fabs(number) > INT32_MAX)
        return REFUSE(m, "\"%s\" is %.15g; it must be a whole number.", m->field->key, number);
    *(int *)m->at = (int)number;
    return true;
}

static bool read_whole(const Member *m) {
    uint64_t whole;
    if (!json_is_number(m->value) && !json_is_string(m->value))
        return REFUSE(m, "\"%s\" needs a number, found %s.", m->field->key, json_kind_name(m->value));
    if (!json_whole_value(m->value, &whole)) {
        double number = json_number_value(m->value);
        if (json_is_number(m->value) && !in_limits(m, number, -1))
            return false;
        return REFUSE(m, "\"%s\" must be a whole number from 0 on; above 2^53 write it in quotes.",
                      m->field->key);
    }
    if (!in_limits(m, (double)whole, -1))
        return false;
    *(uint64_t *)m->at = whole;
    return true;
}

static bool refuse_word(const Member *m) {
    char list[FIELD_WORDS_TEXT], word[EXCERPT];
    field_taken(m->field, "\"", list);
    if (!json_is_string(m->value))
        return REFUSE(m, "\"%s\" must be %s, found %s.", m->field->key, list, json_kind_name(m->value));
    utf8_clean(word, sizeof word, json_string_value(m->value), json_string_length(m->value));
    return REFUSE(m, "\"%s\" must be %s, found \"%s\".", m->field->key, list, word);
}

// <- the place of the word, or -1
static int find_word(const Member *m) {
    const char *text = json_string_value(m->value);
    return text ? field_word(m->field, text) : -1;
}

static bool read_word(const Member *m) {
    int word = find_word(m);
    if (word >= 0)
        *(int *)m->at = word;
    return word >= 0 || refuse_word(m);
}

static bool read_flag(const Member *m) {
    int word = m->field->words ? find_word(m) : json_is_boolean(m->value) ? json_is_true(m->value) : -1;
    if (word >= 0)
        *(bool *)m->at = word == 1;
    else if (m->field->words)
        return refuse_word(m);
    return word >= 0 ||
           REFUSE(m, "\"%s\" must be true or false, found %s.", m->field->key, json_kind_name(m->value));
}

static bool read_text(const Member *m) {
    size_t length = json_string_length(m->value), room = (size_t)m->field->size;
    if (!json_is_string(m->value))
        return REFUSE(m, "\"%s\" needs a text in quotes, found %s.", m->field->key, json_kind_name(m->value));
    if (length >= room)
        return REFUSE(m, "\"%s\" has %zu bytes; the limit is %zu.", m->field->key, length, room - 1);
    if (utf8_has_control(json_string_value(m->value), length))
        return REFUSE(m, "\"%s\" holds a control character; use printable ones.", m->field->key);
    memset(m->at, 0, room);
    memcpy(m->at, json_string_value(m->value), length);
    return true;
}

static bool read_numbers(const Member *m, double *number, int count) {
    const Field *field = m->field;
    if (!json_is_array(m->value))
        return REFUSE(m, "\"%s\" needs a list of %d numbers, found %s.", field->key, count,
                      json_kind_name(m->value));
    if (json_array_size(m->value) != (size_t)count)
        return REFUSE(m, "\"%s\" needs a list of %d numbers, found %zu.", field->key, count,
                      json_array_size(m->value));
    for (int i = 0; i < count; i++) {
        const json_t *element = json_array_get(m->value, (size_t)i);
        number[i] = NAN;
        if (isnan(field->preset) && json_is_null(element))
            continue;
        if (!json_is_number(element))
            return json_refuse(m->source, (JsonSpot){m->object, field->key, i, false}, m->error,
                               "\"%s\" needs a number, found %s.", field->key, json_kind_name(element));
        if (!in_limits(m, json_number_value(element), i))
            return false;
        number[i] = json_number_value(element);
    }
    return true;
}

static bool read_list(const Member *m) {
    return read_numbers(m, m->at, m->field->size);
}

static bool read_vector(const Member *m) {
    int count = vector_size(m->field, m->base);
    double *number = *(double **)m->at = malloc((size_t)count * sizeof *number);
    return number ? read_numbers(m, number, count)
                  : REFUSE(m, "There is no memory to read \"%s\".", m->field->key);
}

static bool read_other(const Member *m) {
    const FieldType *type = m->field->type;
    const char *text = json_string_value(m->value);
    Error inner = {""};
    if (type->is_number)
        return read_real(m);
    if (!text)
        return REFUSE(m, "\"%s\" needs a text in quotes, found %s.", m->field->key, json_kind_name(m->value));
    return (type->read ? type->read : type->parse)(m->field, m->at, text, &inner) ||
           REFUSE(m, "\"%s\": %s", m->field->key, inner.text);
}

static bool read_string(const Member *m) {
    *(const char **)m->at = json_string_value(m->value);
    return json_is_string(m->value) ||
           REFUSE(m, "\"%s\" needs a text in quotes, found %s.", m->field->key, json_kind_name(m->value));
}

static bool read_json(const Member *m) {
    *(const json_t **)m->at = m->value;
    return m->field->type->accepts(m->value) ||
           REFUSE(m, "\"%s\" must be %s.", m->field->key, m->field->type->must);
}

static bool (*const readers[])(const Member *m) = {
    [FIELD_FLAG] = read_flag,     [FIELD_INT] = read_int,     [FIELD_WHOLE] = read_whole,
    [FIELD_REAL] = read_real,     [FIELD_SCORE] = read_score, [FIELD_WORD] = read_word,
    [FIELD_TEXT] = read_text,     [FIELD_LIST] = read_list,   [FIELD_OTHER] = read_other,
    [FIELD_STRING] = read_string, [FIELD_JSON] = read_json,   [FIELD_VECTOR] = read_vector};

bool fields_restore(Fields fields, void *base, const json_t *object, FieldsNeed need,
                    const JsonSource *source, uint64_t *given, Error *error) {
    assert(!given || fields.count <= 64);
    if (given)
        *given = 0;
    for (int k = 0; k < fields.count; k++) {
        const Field *field = &fields.field[k];
        Member member = {
            field,  object, json_object_get(object, field->key), base, (char *)base + field->offset,
            source, error};
        // What has no value was not written.
        bool may_miss = isnan(field->preset) && field->kind != FIELD_INT && field->kind != FIELD_WHOLE &&
                        field->kind != FIELD_OTHER;
        if (!member.value && (need == FIELDS_MAY_MISS || may_miss))
            continue;
        if (!member.value)
            return json_refuse(source, (JsonSpot){object, NULL, -1, false}, error, "\"%s\" is missing.",
                               field->key);
        if (!readers[field->kind](&member))
            return false;
        if (given)
            *given |= (uint64_t)1 << k;
    }
    return true;
}

bool fields_refuse_unknown(const Fields *tables, int count, const json_t *object, const char *what,
                           const JsonSource *source, Error *error) {
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        enum { MAX_NAMES = 100 };
        const char *names[MAX_NAMES];
        int total = 0;
        bool known = false;
        for (int t = 0; t < count; t++)
            for (int k = 0; k < tables[t].count; k++) {
                assert(total < MAX_NAMES);
                names[total++] = tables[t].field[k].key;
                known = known || !strcmp(key, tables[t].field[k].key);
            }
        if (!known) {
            char word[EXCERPT];
            utf8_clean(word, sizeof word, key, strlen(key));
            return json_refuse(source, (JsonSpot){object, key, -1, true}, error,
                               "\"%s\" is not a key of %s; did you mean \"%s\"?", word, what,
                               text_nearest(word, names, total));
        }
    }
    return true;
}
