// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_values.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_place.h"
#include "base/utf8.h"

enum { MAX_DEPTH = 64, NAME_ROOM = 512 }; // levels that are looked through; bytes of a name

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
    char clean[NAME_ROOM];
    json_t *json = json_string(name);
    return json ? json : json_string(utf8_clean(clean, sizeof clean, name, strlen(name)));
}

json_t *json_if(bool good, json_t *json) {
    if (good)
        return json;
    json_decref(json);
    return NULL;
}

json_t *json_list_of(const double *value, int count, bool nulls) {
    json_t *list = json_array();
    bool good = list != NULL;
    for (int k = 0; good && k < count; k++)
        good = (nulls || isfinite(value[k])) && !json_array_append_new(list, json_finite(value[k]));
    return json_if(good, list);
}

json_t *json_list(const double *value, int count) {
    return json_list_of(value, count, false);
}

json_t *json_pair(double low, double high) {
    return json_list_of((double[]){low, high}, 2, true);
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
