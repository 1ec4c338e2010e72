// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/fields.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool has_limits(const Field *field) {
    return field->least != 0 || field->most != 0;
}

bool field_within(const Field *field, double value) {
    return !has_limits(field) || (value >= field->least && value <= field->most);
}

// ---------------------------------------------------------------------------------------------------
// Words

int field_word(const Field *field, const char *text) {
    for (int i = 0; field->words[i]; i++)
        if (!strcmp(field->words[i], text) && (!field->takes || field->takes(i)))
            return i;
    return -1;
}

// ---------------------------------------------------------------------------------------------------
// Text -> value

static bool refuse(const Field *field, const char *what, const char *text, Error *error) {
    if (!has_limits(field))
        return error_set(error, "expected %s, got '%.60s'.", what, text);
    return error_set(error, "expected %s from %.15g to %.15g, got '%.60s'.", what, field->least, field->most,
                     text);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A decimal number, digits first: strtod alone would also take "0x10", "inf", "nan" and leading blanks.
static bool read_decimal(const char *text, double *value, const char **rest) {
    const char *digits = text + (*text == '-' || *text == '+');
    if (!is_digit(digits[0]) && !(digits[0] == '.' && is_digit(digits[1])))
        return false;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        return false;
    char *end;
    *value = strtod(text, &end);
    *rest = end;
    return isfinite(*value);
}

typedef struct Unit {
    const char *name;
    double factor;
} Unit;
static const Unit powers[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}, {NULL, 0}};
static const Unit times[] = {{"", 1},   {"ms", 0.001}, {"s", 1},     {"min", 60},
                             {"m", 60}, {"h", 3600},   {"d", 86400}, {NULL, 0}};

// <- 0: there is none of this name
static double unit_factor(const Unit *units, const char *name) {
    while (units->name && strcmp(units->name, name))
        units++;
    return units->factor;
}

// Plain digits are read as an integer, so that all 64 bits of a seed can be given; anything else goes
// through a double and must come out whole.
static bool read_whole(const char *text, uint64_t *value) {
    if (*text && text[strspn(text, "0123456789")] == 0) {
        errno = 0;
        *value = strtoull(text, NULL, 10);
        return errno == 0;
    }
    double number;
    const char *rest;
    if (*text == '-' || *text == '+' || !read_decimal(text, &number, &rest))
        return false;
    double factor = unit_factor(powers, rest);
    number *= factor;
    // 0.3k or 1.1M need not come out whole in binary: a relative error of a few roundings is forgiven.
    double whole = nearbyint(number);
    if (factor == 0 || fabs(number - whole) > whole * 1e-15 || !(whole < 0x1p64))
        return false;
    *value = (uint64_t)whole;
    return true;
}

#define WHOLE "a whole number (10k and 5M are understood)"

static bool parse_whole(const Field *field, void *at, const char *text, Error *error) {
    uint64_t *value = at;
    return (read_whole(text, value) && field_within(field, (double)*value)) ||
           refuse(field, has_limits(field) ? WHOLE : WHOLE " from 0 to 18446744073709551615", text, error);
}

static bool parse_int(const Field *field, void *at, const char *text, Error *error) {
    uint64_t whole;
    bool negative = *text == '-';
    if (!read_whole(text + negative, &whole) || whole > INT32_MAX ||
        !field_within(field, negative ? -(double)whole : (double)whole))
        return refuse(field, WHOLE, text, error);
    *(int *)at = negative ? -(int)whole : (int)whole;
    return true;
}

static bool parse_real(const Field *field, void *at, const char *text, Error *error) {
    const char *rest;
    double number;
    if (!read_decimal(text, &number, &rest) || *rest || !field_within(field, number))
        return refuse(field, "a number", text, error);
    *(double *)at = number;
    return true;
}

static bool parse_score(const Field *field, void *at, const char *text, Error *error) {
    static const char *const words[] = {"inf", "-inf", "unknown", NULL};
    static const double meaning[] = {INFINITY, -INFINITY, NAN};
    int word = field_word(&(Field){.words = words}, text);
    if (word >= 0)
        *(double *)at = meaning[word];
    return word >= 0 || parse_real(field, at, text, error);
}

static bool parse_word(const Field *field, void *at, const char *text, Error *error) {
    char list[FIELD_WORDS_TEXT];
    int word = field_word(field, text);
    if (word < 0)
        return error_set(error, "expected %s, got '%.60s'.", field_taken(field, "", list), text);
    *(int *)at = word;
    return true;
}

static bool parse_flag(const Field *field, void *at, const char *text, Error *error) {
    static const char *const truth[] = {"false", "true", NULL};
    Field as_word = *field;
    int word = 0;
    as_word.words = field->words ? field->words : truth;
    if (!parse_word(&as_word, &word, text, error))
        return false;
    *(bool *)at = word == 1;
    return true;
}

static bool parse_text(const Field *field, void *at, const char *text, Error *error) {
    size_t length = strlen(text), room = (size_t)field->size;
    if (length == 0)
        return error_set(error, "expected %s, got nothing.", field->argument ? field->argument : "a text");
    if (length >= room)
        return error_set(error, "it has %zu bytes; the limit is %zu.", length, room - 1);
    memset(at, 0, room);
    memcpy(at, text, length);
    return true;
}

static bool refuse_list(const Field *field, const char *text, Error *error) {
    char what[64];
    snprintf(what, sizeof what, "%d numbers with commas between them%s", field->size,
             has_limits(field) ? ", each" : "");
    return refuse(field, what, text, error);
}

static bool parse_list(const Field *field, void *at, const char *text, Error *error) {
    double *value = at;
    const char *rest = text;
    int count = 0;
    for (double number;
         count < field->size && read_decimal(rest, &number, &rest) && field_within(field, number);) {
        value[count++] = number;
        if (count < field->size && *rest++ != ',') // "1-2" are two numbers only to strtod
            return refuse_list(field, text, error);
    }
    return (count == field->size && !*rest) || refuse_list(field, text, error);
}

static bool parse_string(const Field *field, void *at, const char *text, Error *error) {
    *(const char **)at = text;
    return *text || error_set(error, "expected %s, got nothing.", field->argument);
}

bool field_parse(const Field *field, void *base, const char *text, Error *error) {
    static bool (*const parsers[])(const Field *field, void *at, const char *text, Error *error) = {
        [FIELD_FLAG] = parse_flag, [FIELD_INT] = parse_int,       [FIELD_WHOLE] = parse_whole,
        [FIELD_REAL] = parse_real, [FIELD_SCORE] = parse_score,   [FIELD_WORD] = parse_word,
        [FIELD_TEXT] = parse_text, [FIELD_STRING] = parse_string, [FIELD_LIST] = parse_list,
        [FIELD_OTHER] = NULL};
    void *at = (char *)base + field->offset;
    if (field->kind == FIELD_OTHER)
        return field->type->parse(field, at, text, error);
    return parsers[field->kind] ? parsers[field->kind](field, at, text, error)
                                : error_set(error, "can be given in files only.");
}

bool field_read(const Field *field, void *base, const char *text, Error *error) {
    if (field->kind == FIELD_OTHER && field->type->read)
        return field->type->read(field, (char *)base + field->offset, text, error);
    return field_parse(field, base, text, error);
}

// ---------------------------------------------------------------------------------------------------
// Value -> text

static void print_list(const double *value, int count, char *out) {
    size_t used = 0;
    for (int i = 0; i < count && used < FIELD_PRINTED; i++) {
        char number[32];
        used += (size_t)snprintf(out + used, FIELD_PRINTED - used, "%s%s", i ? "," : "",
                                 text_number(value[i], number));
    }
}

const char *field_print(const Field *field, const void *base, char out[FIELD_PRINTED]) {
    const void *at = (const char *)base + field->offset;
    const char *text = NULL;
    char number[32];
    *out = 0;
    switch (field->kind) {
    case FIELD_FLAG:
        text = field->words ? field->words[*(const bool *)at] : *(const bool *)at ? "true" : "false";
        break;
    case FIELD_INT:
        snprintf(out, FIELD_PRINTED, "%d", *(const int *)at);
        break;
    case FIELD_WHOLE:
        snprintf(out, FIELD_PRINTED, "%" PRIu64, *(const uint64_t *)at);
        break;
    case FIELD_REAL:
    case FIELD_SCORE:
        text = isnan(*(const double *)at) ? "unknown" : text_number(*(const double *)at, number);
        break;
    case FIELD_WORD:
        text = *(const int *)at < 0 ? "" : field->words[*(const int *)at];
        break;
    case FIELD_TEXT:
        text = at;
        break;
    case FIELD_STRING:
        text = *(const char *const *)at;
        break;
    case FIELD_LIST:
        print_list(at, field->size, out);
        break;
    case FIELD_TEXTS:
    case FIELD_VECTOR:
    case FIELD_JSON:
        break;
    case FIELD_OTHER:
        if (field->type->print)
            field->type->print(field, at, out, FIELD_PRINTED);
    }
    if (text)
        snprintf(out, FIELD_PRINTED, "%s", text);
    return out;
}

// ---------------------------------------------------------------------------------------------------
// Defaults and limits

void fields_preset(Fields fields, void *base) {
    for (int i = 0; i < fields.count; i++) {
        const Field *field = &fields.field[i];
        void *at = (char *)base + field->offset;
        double preset = field->preset;
        switch (field->kind) {
        case FIELD_FLAG:
            *(bool *)at = preset == 1;
            break;
        case FIELD_INT:
            *(int *)at = isnan(preset) ? 0 : (int)preset;
            break;
        case FIELD_WHOLE:
            *(uint64_t *)at = isnan(preset) ? 0 : preset >= 0x1p64 ? UINT64_MAX : (uint64_t)preset;
            break;
        case FIELD_REAL:
        case FIELD_SCORE:
            *(double *)at = preset;
            break;
        case FIELD_WORD:
            *(int *)at = isnan(preset) ? -1 : (int)preset;
            break;
        case FIELD_TEXT:
            memset(at, 0, (size_t)field->size);
            if (field->otherwise)
                snprintf(at, (size_t)field->size, "%s", field->otherwise);
            break;
        case FIELD_STRING:
            *(const char **)at = isnan(preset) ? NULL : field->otherwise;
            break;
        case FIELD_LIST:
            for (int k = 0; k < field->size; k++)
                ((double *)at)[k] = preset;
            if (field->otherwise)
                parse_list(field, at, field->otherwise, NULL);
            break;
        case FIELD_TEXTS:
            memset(at, 0, (size_t)field->size);
            break;
        case FIELD_VECTOR:
        case FIELD_JSON:
            *(const void **)at = NULL;
            break;
        case FIELD_OTHER:
            if (field->otherwise && !isnan(preset))
                field->type->parse(field, at, field->otherwise, NULL);
        }
    }
}

static bool check(const Field *field, double value, Error *error) {
    int words = 0;
    if (isnan(value) && isnan(field->preset) && field->kind == FIELD_REAL)
        return true;
    while (field->words && field->words[words])
        words++;
    if (field->words && !(value >= (isnan(field->preset) ? -1 : 0) && value < words))
        return error_set(error, "\"%s\" has no word number %g.", field->key, value);
    return (field_within(field, value) && isfinite(value)) ||
           error_set(error, "\"%s\" is %.15g; it must lie between %.15g and %.15g.", field->key, value,
                     field->least, field->most);
}

bool fields_check(Fields fields, const void *base, Error *error) {
    bool good = true;
    for (int i = 0; good && i < fields.count; i++) {
        const Field *field = &fields.field[i];
        const void *at = (const char *)base + field->offset;
        if (field->kind == FIELD_INT || field->kind == FIELD_WORD)
            good = check(field, *(const int *)at, error);
        else if (field->kind == FIELD_WHOLE)
            good = check(field, (double)*(const uint64_t *)at, error);
        else if (field->kind == FIELD_REAL || (field->kind == FIELD_OTHER && field->type->is_number))
            good = check(field, *(const double *)at, error);
    }
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Names

const char *field_option(const Field *field, char out[FIELD_OPTION_NAME]) {
    snprintf(out, FIELD_OPTION_NAME, "%s", field->option ? field->option : field->key);
    for (char *c = out; *c; c++)
        *c = *c == '_' ? '-' : *c;
    return out;
}

const Field *fields_find(Fields fields, const char *name) {
    char option[FIELD_OPTION_NAME];
    for (int i = 0; i < fields.count; i++)
        if (!strcmp(fields.field[i].key, name) || !strcmp(field_option(&fields.field[i], option), name))
            return &fields.field[i];
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Types that many have

static bool parse_seconds(const Field *field, void *at, const char *text, Error *error) {
    double value;
    const char *rest;
    (void)field;
    double seconds = read_decimal(text, &value, &rest) && value < 1e9 ? value * unit_factor(times, rest) : 0;
    if (!(seconds > 0))
        return error_set(error, "expected a time such as 60s, 5min or 2h, got '%.60s'.", text);
    *(double *)at = seconds;
    return true;
}

static void print_seconds(const Field *field, const void *at, char *out, size_t room) {
    char number[32];
    (void)field;
    snprintf(out, room, "%s", text_number(*(const double *)at, number));
}

const FieldType field_seconds = {.parse = parse_seconds, .print = print_seconds, .is_number = true};

static bool parse_percentage(const Field *field, void *at, const char *text, Error *error) {
    const char *rest;
    double value;
    if (read_decimal(text, &value, &rest) && (!*rest || !strcmp(rest, "%")) && field_within(field, value)) {
        *(double *)at = value;
        return true;
    }
    return error_set(error, "expected a percentage from %g%% to %g%%, got '%.60s'.", field->least,
                     field->most, text);
}

static void print_percentage(const Field *field, const void *at, char *out, size_t room) {
    (void)field;
    snprintf(out, room, "%.15g%%", *(const double *)at);
}

const FieldType field_percentage = {.parse = parse_percentage, .print = print_percentage, .is_number = true};
