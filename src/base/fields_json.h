// SPDX-License-Identifier: GPL-3.0-or-later
// Structs as members of JSON objects, from their tables of fields (base/fields.h).
#ifndef TETRALAB_BASE_FIELDS_JSON_H
#define TETRALAB_BASE_FIELDS_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/json_values.h"

// Adds a member for each field. A field without a value (NAN, -1, NULL, an empty text) has none, unless it is
// a score. <- false: out of memory, or a number is not finite
bool fields_save(Fields fields, const void *base, json_t *into);

extern const FieldType field_list; // of FIELD_JSON: a list of anything

typedef enum FieldsNeed { FIELDS_MAY_MISS, FIELDS_ALL } FieldsNeed;

// Reads the members that are there; the others stay as they are, or are an error if all are needed; those
// that may have no value (preset NAN; whole numbers and FIELD_OTHER always have one) never are.
// -> source  NULL: mistakes have no place
// <- given   bit i: field i was there; may be NULL
bool fields_restore(Fields fields, void *base, const json_t *object, FieldsNeed need,
                    const JsonSource *source, uint64_t *given, Error *error);

// Refuses an object with members that none of the tables has, and names the nearest one.
// -> what  "a strategy": what these keys belong to
bool fields_refuse_unknown(const Fields *tables, int count, const json_t *object, const char *what,
                           const JsonSource *source, Error *error);

#endif
