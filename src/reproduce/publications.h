// SPDX-License-Identifier: GPL-3.0-or-later
// What the papers published: one list a paper, reproductions/published/*.json, with every number and every
// statement about results that can be tested, and the rows that answer it, so that none is missing silently.
#ifndef TETRALAB_REPRODUCE_PUBLICATIONS_H
#define TETRALAB_REPRODUCE_PUBLICATIONS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "base/fields.h"
#include "reproduce/definition.h"

// Texts belong to the list; NULL: not given.
typedef struct PublicationEntry {
    const char *place, *what;
    const json_t *value; // a number, or a list of two; of a number
    const json_t *rows;  // "NAME: row"; of a number the first repeats what the paper did, and its verdict
                         // counts; a statement holds if it holds in all
    const char *none;    // why there is no row
    const char *quoted;  // whose number it is, if not the paper's own
    bool statement;
} PublicationEntry;

typedef struct Publication {
    const char *paper, *title;
    const json_t *numbers, *statements;
    PublicationEntry *entry; // numbers first
    int count;
    json_t *json; // owns what the others point to
} Publication;

#define PUBLICATIONS_FOLDER DEFINITIONS_FOLDER "/published"
extern const Fields publication_keys, publication_entry_keys; // the keys of a list and of its entries

// <- publication_free it. NULL: the error names the entry and the key.
Publication *publication_read(const char *name, const char *text, size_t length, Error *error);
void publication_free(Publication *list);

#endif
