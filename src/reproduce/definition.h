// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions of reproductions: which commands give the numbers of a published table or figure. They are JSON
// files, described in docs/reproducing.md; those of reproductions/ are part of the program.
#ifndef TETRALAB_REPRODUCE_DEFINITION_H
#define TETRALAB_REPRODUCE_DEFINITION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "reproduce/json_numbers.h"
#include "reproduce/verdict.h"

enum { DEFINITION_MAX_REPEATS = 1000, DEFINITION_MAX_ROWS = 500 };

// Texts belong to the definition; NULL: not given.
typedef struct DefinitionRow {
    const char *label;
    const json_t *commands; // texts, at least one
    const json_t *fresh;    // files that are removed before; may be NULL
    const char *repeat;     // a number, or a variable of the scale
    const char *from;
    const char *value, *divide, *interval; // paths; interval NULL: there is none
    Reduction reduce;
    const char *unit;
    PublishedValue published;
    double x; // NAN: not given
    bool main;
    const json_t *incomparable; // why: a text, or one for a scale
    const char *note;
} DefinitionRow;

typedef struct Definition {
    char name[64];
    const char *paper, *place, *title, *text;
    const json_t *scales, *list, *files, *plot; // list: of the rows; files, plot: may be NULL
    DefinitionRow *row;
    int rows;
    json_t *json; // owns what the others point to
} Definition;

extern const char *const definition_scales[]; // "quick", "full"; NULL at the end

// The definitions that are part of the program, by name; ends with a NULL name.
typedef struct DefinitionText {
    const char *name, *text;
    size_t length;
} DefinitionText;
extern const DefinitionText definition_texts[];

// -> name  what messages call it; its last part without .json becomes the definition's name
// <- definition_free it. NULL: the error names the row and the key.
Definition *definition_read(const char *name, const char *text, size_t length, Error *error);
void definition_free(Definition *definition);

// Replaces {dir}, the variables of the scale and {i}, which stays as it is for i = 0.
// <- free() it; NULL: no memory
char *definition_expand(const Definition *definition, const char *scale, const char *text, const char *dir,
                        int i);

// <- why the row cannot be compared at this scale; NULL: it can
const char *definition_incomparable(const DefinitionRow *row, const char *scale);

// <- how often the row is to be repeated; 0: the error says why that is not known
int definition_repeats(const Definition *definition, const char *scale, const DefinitionRow *row,
                       Error *error);

#endif
