// SPDX-License-Identifier: GPL-3.0-or-later
#include "reproduce/publications.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields_json.h"
#include "base/json_parse.h"
#include "reproduce/definition_fields.h"

static const FieldType texts = {.accepts = keys_are_texts, .must = "a list of texts"};

#define AT(member) FIELD_AT(Publication, member)
static const Field list_field[] = {
    {"paper", FIELD_STRING, AT(paper), .help = "As the definitions name it."},
    {"title", FIELD_STRING, AT(title), .help = "Its title."},
    {"numbers", FIELD_JSON, AT(numbers), .type = &field_list,
     .help = "The numbers, in the order of the paper."},
    {"statements", FIELD_JSON, AT(statements), .type = &field_list,
     .help = "What it says about its results without a number, likewise."},
};
const Fields publication_keys = FIELDS(list_field);

#undef AT
#define AT(member) FIELD_AT(PublicationEntry, member)
static const Field entry_field[] = {
    {"place", FIELD_STRING, AT(place), .help = "Where it stands: `table 3`."},
    {"what", FIELD_STRING, AT(what), .help = "What it is."},
    {"value", FIELD_JSON, AT(value), .type = &keys_range, .help = "The number; from ... to."},
    {"rows", FIELD_JSON, AT(rows), .type = &texts,
     .help = "Rows that answer it, `NAME: row`. Of a number the first repeats what the paper did, and its "
             "verdict counts; variants follow. A statement holds if it holds in all of them."},
    {"none", FIELD_STRING, AT(none), .help = "Or why there is no row."},
    {"quoted", FIELD_STRING, AT(quoted), .help = "Whose number it is, if the paper quotes it."},
};
const Fields publication_entry_keys = FIELDS(entry_field);

static const KeyTable list_keys = {"a list of what was published", FIELDS(list_field), 4};
static const KeyTable entry_keys = {"an entry", FIELDS(entry_field), 2};

static bool read_entry(PublicationEntry *entry, const json_t *json, const char *place, Error *error) {
    if (!json_is_object(json))
        return error_set(error, "%s must be an object.", place);
    if (!keys_read(&entry_keys, entry, json, place, error))
        return false;
    if (!entry->rows == !entry->none)
        return error_set(error, "%s: give either \"rows\" or, in \"none\", why there is no row.", place);
    return !entry->value == entry->statement ||
           error_set(error, "%s: \"value\" %s.", place,
                     entry->statement ? "has no meaning for a statement" : "is missing");
}

static bool read_list(Publication *made, const char *name, Error *error) {
    if (!json_is_object(made->json))
        return error_set(error, "%s: a list of what was published must be a JSON object.", name);
    if (!keys_read(&list_keys, made, made->json, name, error))
        return false;
    size_t numbers = json_array_size(made->numbers), count = numbers + json_array_size(made->statements);
    made->entry = calloc(count + 1, sizeof *made->entry);
    if (!made->entry)
        return error_set(error, "Out of memory for %s.", name);
    for (size_t i = 0; i < count; i++) {
        bool statement = i >= numbers;
        size_t k = statement ? i - numbers : i;
        char place[300];
        snprintf(place, sizeof place, "%.200s: %s %zu", name, statement ? "statement" : "number", k + 1);
        made->entry[i].statement = statement;
        if (!read_entry(&made->entry[i], json_array_get(statement ? made->statements : made->numbers, k),
                        place, error))
            return false;
        made->count++;
    }
    return true;
}

Publication *publication_read(const char *name, const char *text, size_t length, Error *error) {
    Publication *made = calloc(1, sizeof *made);
    if (!made)
        return error_null(error, "Out of memory for %s.", name);
    made->json = json_parse(name, text, length, error);
    if (made->json && read_list(made, name, error))
        return made;
    publication_free(made);
    return NULL;
}

void publication_free(Publication *made) {
    if (!made)
        return;
    json_decref(made->json);
    free(made->entry);
    free(made);
}
