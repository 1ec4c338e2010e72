// SPDX-License-Identifier: GPL-3.0-or-later
// A tokenizer and a walk over its tokens. Members are counted, not compared by key, so escapes in keys do
// not matter; nesting is counted, not recursed into, so depth does not matter either.
#include "base/json_place.h"

#include <string.h>

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_sign(char c) {
    return c != 0 && strchr("{}[]:,", c) != NULL;
}

static size_t quoted_end(const char *text, size_t length, size_t at) {
    for (at++; at < length && text[at] != '\n'; at++) {
        if (text[at] == '"')
            return at + 1;
        if (text[at] == '\\' && at + 1 < length && text[at + 1] != '\n')
            at++;
    }
    return at;
}

static JsonToken next_token(const char *text, size_t length, size_t at) {
    while (at < length && is_space(text[at]))
        at++;
    JsonToken token = {at, at};
    if (at == length)
        return token;
    if (text[at] == '"') {
        token.end = quoted_end(text, length, at);
    } else if (is_sign(text[at])) {
        token.end = at + 1;
    } else {
        while (at < length && !is_space(text[at]) && !is_sign(text[at]) && text[at] != '"')
            at++;
        token.end = at;
    }
    return token;
}

JsonToken json_token_at(const char *text, size_t length, size_t offset) {
    JsonToken token = next_token(text, length, 0);
    while (token.end <= offset && token.start < length)
        token = next_token(text, length, token.end);
    return token;
}

// <- the token behind the value that begins with `token`.
static JsonToken skip_value(const char *text, size_t length, JsonToken token) {
    size_t depth = 0;
    while (token.start < length) {
        char c = text[token.start];
        if (c == '{' || c == '[')
            depth++;
        else if ((c == '}' || c == ']') && depth > 0)
            depth--;
        token = next_token(text, length, token.end);
        if (depth == 0)
            break;
    }
    return token;
}

size_t json_place(const char *text, size_t length, const int *steps, int count, bool key) {
    JsonToken token = next_token(text, length, 0);
    for (int level = 0; level < count; level++) {
        bool object = token.start < length && text[token.start] == '{';
        token = next_token(text, length, token.end);
        for (int i = 0; i < steps[level] && token.start < length; i++) {
            if (object) { // to the colon, to the value
                token = next_token(text, length, token.end);
                token = next_token(text, length, token.end);
            }
            token = skip_value(text, length, token);
            token = next_token(text, length, token.end); // behind the comma
        }
        if (object && key && level == count - 1)
            return token.start;
        if (object) {
            token = next_token(text, length, token.end);
            token = next_token(text, length, token.end);
        }
    }
    return token.start;
}

static bool read_id(char id[JSON_ID], const char *text, size_t length, int position, const json_t *value,
                    Error *error) {
    if (json_is_object(value) || json_is_array(value))
        return error_set(error, "\"id\" must be a text, a number, true, false or null.");
    size_t offset = json_place(text, length, &position, 1, false);
    JsonToken token = json_token_at(text, length, offset);
    if (token.end - token.start >= JSON_ID)
        return error_set(error, "\"id\" has %zu bytes; the limit is %d.", token.end - token.start,
                         JSON_ID - 1);
    memcpy(id, text + token.start, token.end - token.start);
    id[token.end - token.start] = 0;
    return true;
}

bool json_find_id(char id[JSON_ID], json_t *object, const char *text, size_t length, Error *error) {
    const char *key;
    json_t *value;
    int position = 0;
    id[0] = 0;
    if (!json_object_get(object, "id"))
        return true;
    json_object_foreach(object, key, value) {
        if (!strcmp(key, "id"))
            return read_id(id, text, length, position, value, error);
        position++;
    }
    return true;
}
