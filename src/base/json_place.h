// SPDX-License-Identifier: GPL-3.0-or-later
// Finds places in a JSON text. jansson knows them only for syntax errors; a message about a wrong value
// needs them too.
#ifndef TETRALAB_BASE_JSON_PLACE_H
#define TETRALAB_BASE_JSON_PLACE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct JsonToken {
    size_t start, end; // both the length of the text: no further token
} JsonToken;

// <- the first token that ends behind `offset`: a bracket, comma or colon, a text with its quotes (at
// most to the end of the line), or anything else up to the next of these or white space.
JsonToken json_token_at(const char *text, size_t length, size_t offset);

// <- offset of a value inside the outermost one (or of the key before it).
// -> steps  which member or element at each level, from 0. jansson gives members in the order of the text,
//           as long as keys may not repeat (JSON_REJECT_DUPLICATES).
// On a text that jansson refuses the answer is some offset up to `length`.
size_t json_place(const char *text, size_t length, const int *steps, int count, bool key);

// The member "id" of a request, kept as the text that it was, so that any number or text comes back exactly.
// -> object  what json_parse made of the text
// <- id      "": it has none. <- false: it is too long, or a list or object
enum { JSON_ID = 260 }; // bytes of an id, as JSON text, with a final 0
bool json_find_id(char id[JSON_ID], json_t *object, const char *text, size_t length, Error *error);

#endif
