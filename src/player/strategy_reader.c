// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/strategy_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json_place.h"
#include "base/text.h"
#include "base/utf8.h"

bool member_fail(const Reader *reader, size_t offset, const char *format, ...) {
    char sentence[sizeof((Error *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    TextPlace place = utf8_place(reader->text, reader->length, offset);
    return error_set(reader->error, "%s:%d:%d: %s", reader->name, place.line, place.column, sentence);
}

size_t member_value_place(const Reader *reader, int depth) {
    return json_place(reader->text, reader->length, reader->step, depth, false);
}

size_t member_key_place(const Reader *reader, int depth) {
    return json_place(reader->text, reader->length, reader->step, depth, true);
}

const char *member_kind_name(const json_t *value) {
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list",  [JSON_STRING] = "a text",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number", [JSON_TRUE] = "\"true\"",
        [JSON_FALSE] = "\"false\"",  [JSON_NULL] = "\"null\""};
    return names[json_typeof(value)];
}

static const char *const own_key[KEY_OPTIONS] = {"name",   "source",  "player", "ties",      "clear",
                                                 "rating", "weights", "hidden", "exponents", "displacements"};

const char *member_key(int key) {
    return key < KEY_OPTIONS ? own_key[key] : strategy_option[key - KEY_OPTIONS].key;
}

int member_find_key(const Reader *reader, const char *name) {
    const char *names[KEYS];
    for (int key = 0; key < KEYS; key++)
        if (strcmp(name, names[key] = member_key(key)) == 0)
            return key;
    char word[EXCERPT];
    utf8_clean(word, sizeof word, name, strlen(name));
    member_fail(reader, member_key_place(reader, 1),
                "\"%s\" is not a key of a strategy; did you mean \"%s\"?", word,
                text_nearest(word, names, KEYS));
    return -1;
}

bool member_text(Reader *reader, int id, char *out, size_t room) {
    const json_t *value = reader->value[id];
    const char *key = member_key(id);
    if (!json_is_string(value))
        return member_fail(reader, member_value_place(reader, 1), "\"%s\" needs a text in quotes, found %s.",
                           key, member_kind_name(value));
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    if (length == 0 && id == KEY_NAME)
        return member_fail(reader, member_value_place(reader, 1),
                           "\"name\" is empty; leave it out to use the file's name.");
    if (length >= room)
        return member_fail(reader, member_value_place(reader, 1), "\"%s\" has %zu bytes; the limit is %zu.",
                           key, length, room - 1);
    if (utf8_has_control(text, length))
        return member_fail(reader, member_value_place(reader, 1),
                           "\"%s\" holds a control character; use printable ones.", key);
    memset(out, 0, room);
    memcpy(out, text, length);
    return true;
}

bool member_choice(Reader *reader, int id, const char *const *names, int *choice) {
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
        snprintf(found, sizeof found, "%s", member_kind_name(value));
    }
    return member_fail(reader, member_value_place(reader, 1), "\"%s\" must be %s, found %s.", member_key(id),
                       expected, found);
}

bool member_number(Reader *reader, int depth, const json_t *value, const char *key, double low, double high,
                   double *number) {
    if (!json_is_number(value))
        return member_fail(reader, member_value_place(reader, depth), "\"%s\" needs a number, found %s.", key,
                           member_kind_name(value));
    *number = json_number_value(value);
    if (!(*number >= low && *number <= high))
        return member_fail(reader, member_value_place(reader, depth),
                           "\"%s\" is %g; it must lie between %g and %g.", key, *number, low, high);
    return true;
}
