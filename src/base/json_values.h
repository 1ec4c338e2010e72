// SPDX-License-Identifier: GPL-3.0-or-later
// How single values are written as JSON everywhere, and where in a text a value stands:
//
//   whole numbers   as numbers up to 2^53, beyond as texts of digits: many readers take numbers for doubles
//   scores          as numbers, "inf", "-inf" and null for unknown
//   names           need not be UTF-8 when they come from files, JSON must be: what is not becomes '?'
//
// Files are written with 17 digits: what is read back is bit for bit what was written.
#ifndef TETRALAB_BASE_JSON_VALUES_H
#define TETRALAB_BASE_JSON_VALUES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

json_t *json_whole(uint64_t value);
json_t *json_score(double value);
json_t *json_name(const char *name);
json_t *json_finite(double value);                                // null if it is not
json_t *json_pair(double low, double high);                       // of json_finite
json_t *json_list(const double *value, int count);                // NULL: one is not finite, or no memory
json_t *json_list_of(const double *value, int count, bool nulls); // the same; nulls: of json_finite

// <- the value if all went well; else it is freed, and NULL
json_t *json_if(bool good, json_t *json);

bool json_whole_value(const json_t *value, uint64_t *number); // reads json_whole and whole reals
bool json_score_value(const json_t *value, double *score);
bool json_list_values(const json_t *list, double *value, int count); // exactly so many, all finite

const char *json_kind_name(const json_t *value); // "a number", "an object", ... for messages

// ---------------------------------------------------------------------------------------------------
// Where a value stands

// A text that was parsed, so that mistakes in it can be shown with line and column.
typedef struct JsonSource {
    const char *name, *text; // name: what to call it. text NULL: mistakes are named without a place
    size_t length;
    const json_t *root;
} JsonSource;

// Whose mistake it is: a member of an object, or element `index` of the list that it holds (-1: no element).
typedef struct JsonSpot {
    const json_t *object;
    const char *key; // NULL: the object itself
    int index;
    bool at_key; // the key is wrong, not the value
} JsonSpot;

// <- false, with "name:line:column: sentence". -> source  NULL: the sentence alone
__attribute__((format(printf, 4, 5))) bool json_refuse(const JsonSource *source, JsonSpot spot, Error *error,
                                                       const char *format, ...);

#endif
