// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_id.h"

#include <string.h>

#include "base/json_place.h"

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
