// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a JSON text from outside.
#ifndef TETRALAB_BASE_JSON_PARSE_H
#define TETRALAB_BASE_JSON_PARSE_H

#include <jansson.h>
#include <stddef.h>

#include "base/error.h"

// <- the object or list, all numbers as finite reals, members in the order of the text; json_decref it.
//    NULL: the error says "name:line:column: ...". Repeated keys, raw control characters, bytes that are no
//    UTF-8 and numbers beyond the range of double are errors; nesting ends at 2,048 levels.
// -> length  limit it: the result needs up to about a hundred times as much memory
json_t *json_parse(const char *name, const char *text, size_t length, Error *error);

// The same for a file.
json_t *json_read(const char *path, Error *error);

// The same for a line of its own: the error says "Character COLUMN: ...".
json_t *json_parse_line(const char *text, size_t length, Error *error);

// The same for an object whose whole numbers stay whole numbers, so that it is given back equal.
json_t *json_parse_exact(const char *name, const char *text, size_t length, Error *error);

#endif
