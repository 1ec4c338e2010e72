// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/fields_json.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

enum { EXCERPT = 48 }; // bytes of a file that a message quotes

// ---------------------------------------------------------------------------------------------------
// Writing

static int vector_size(const Field *field, const void *base) {
    return *(const int *)((const char *)base + field->size_at);
}

static json_t *texts_json(const char *text) {
    json_t *list = json_array();
    for (; *text; text += strlen(text) + 1)
        json_array_append_new(list, json_name(text));
    return list;
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
        return json_list_of(at, field->size, isnan(field->preset));
    case FIELD_TEXTS:
        *skip = !*(const char *)at;
        return texts_json(at);
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

// -> what  "a number", "a text in quotes"
static bool needs(const Member *m, const char *what) {
    return REFUSE(m, "\"%s\" needs %s, found %s.", m->field->key, what, json_kind_name(m->value));
}

static bool in_limits(const Member *m, double number, int index) {
    const Field *field = m->field;
    return field_within(field, number) ||
           json_refuse(m->source, (JsonSpot){m->object, field->key, index, false}, m->error,
                       "\"%s\" is %.15g; it must lie between %.15g and %.15g.", field->key, number,
                       field->least, field->most);
}

static bool read_number(const Member *m, double *number) {
    if (!json_is_number(m->value))
        return needs(m, "a number");
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
        return needs(m, "a number");
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
        return needs(m, "a text in quotes");
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
                  : REFUSE(m, "Out of memory: cannot read \"%s\".", m->field->key);
}

// None of them is empty: it would be taken for the end.
static bool read_texts(const Member *m) {
    size_t used = 0, room = (size_t)m->field->size;
    if (!json_is_array(m->value) || !json_array_size(m->value))
        return REFUSE(m, "\"%s\" needs a list of texts, found %s.", m->field->key,
                      json_is_array(m->value) ? "an empty one" : json_kind_name(m->value));
    memset(m->at, 0, room);
    for (size_t i = 0; i < json_array_size(m->value); i++) {
        const json_t *element = json_array_get(m->value, i);
        size_t length = json_string_length(element);
        JsonSpot spot = {m->object, m->field->key, (int)i, false};
        if (!length || utf8_has_control(json_string_value(element), length))
            return json_refuse(m->source, spot, m->error,
                               "\"%s\" needs texts of printable characters, none of them empty.",
                               m->field->key);
        if (used + length + 2 > room)
            return json_refuse(m->source, spot, m->error, "\"%s\" is longer than %zu bytes.", m->field->key,
                               room - 2);
        memcpy((char *)m->at + used, json_string_value(element), length);
        used += length + 1;
    }
    return true;
}

static bool read_other(const Member *m) {
    const FieldType *type = m->field->type;
    const char *text = json_string_value(m->value);
    Error inner = {""};
    if (type->is_number)
        return read_real(m);
    if (!text)
        return needs(m, "a text in quotes");
    return (type->read ? type->read : type->parse)(m->field, m->at, text, &inner) ||
           REFUSE(m, "\"%s\": %s", m->field->key, inner.text);
}

static bool read_string(const Member *m) {
    *(const char **)m->at = json_string_value(m->value);
    return json_is_string(m->value) || needs(m, "a text in quotes");
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
    [FIELD_STRING] = read_string, [FIELD_JSON] = read_json,   [FIELD_VECTOR] = read_vector,
    [FIELD_TEXTS] = read_texts};

static bool is_list(const json_t *value) {
    return json_is_array(value);
}
const FieldType field_list = {.accepts = is_list, .must = "a list"};

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
        // What has no value was not written; a limit that is not set need not be, as in files that are older.
        bool may_miss = field->zero_is_unset || (isnan(field->preset) && field->kind != FIELD_INT &&
                                                 field->kind != FIELD_WHOLE && field->kind != FIELD_OTHER);
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
            char word[EXCERPT], meant[TEXT_MEANT];
            utf8_clean(word, sizeof word, key, strlen(key));
            return json_refuse(source, (JsonSpot){object, key, -1, true}, error,
                               "\"%s\" is not a key of %s%s", word, what,
                               text_meant(meant, "\"", "\"", word, names, total));
        }
    }
    return true;
}
