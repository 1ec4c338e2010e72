// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of definitions and of their rows, as tables of fields. For definition.c and the plots only.
#ifndef TETRALAB_REPRODUCE_DEFINITION_FIELDS_H
#define TETRALAB_REPRODUCE_DEFINITION_FIELDS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/fields.h"
#include "reproduce/definition.h"

// A row, with what PublishedValue is made of.
typedef struct RowKeys {
    DefinitionRow row;
    const json_t *published;        // a number or a list of two; NULL: not given
    const json_t *holds;            // a list of two, each a number or null; NULL: not given
    double games, of, within, step; // NAN: not given
    bool cut, implied;
} RowKeys;

// The keys of a kind of object.
typedef struct KeyTable {
    const char *what; // "a row"
    Fields keys;
    int needed; // the first so many must be there
} KeyTable;
extern const KeyTable definition_keys, row_keys;

// Reads an object; what is not given gets its default.
// -> place  what messages begin with, before a colon
bool keys_read(const KeyTable *table, void *base, const json_t *object, const char *place, Error *error);

// Kinds of values that several have.
bool keys_each(const json_t *all, bool (*is)(const json_t *value)); // of a list or an object
bool keys_are_texts(const json_t *list);                            // at least one
bool keys_are_named_texts(const json_t *object);
bool keys_are_two_numbers(const json_t *list);
extern const FieldType keys_range; // a number or a list of two

// Is the text one of the list's?
bool keys_have(const json_t *list, const char *text);

#endif
