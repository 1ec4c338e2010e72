// SPDX-License-Identifier: GPL-3.0-or-later
// The member "id" of a request, kept as the text that it was, so that any number or text comes back exactly.
#ifndef TETRALAB_BASE_JSON_ID_H
#define TETRALAB_BASE_JSON_ID_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

enum { JSON_ID = 260 }; // bytes of an id, as JSON text, with a final 0

// -> object  what json_parse made of the text
// <- id      "": it has none. <- false: it is too long, or a list or object
bool json_find_id(char id[JSON_ID], json_t *object, const char *text, size_t length, Error *error);

#endif
