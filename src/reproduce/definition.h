// SPDX-License-Identifier: GPL-3.0-or-later
// Definitions of reproductions: which commands give the numbers of a published table or figure. They are JSON
// files, described in docs/reproducing.md; those of reproductions/ come with the program.
#ifndef TETRALAB_REPRODUCE_DEFINITION_H
#define TETRALAB_REPRODUCE_DEFINITION_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/fields.h"
#include "reproduce/json_numbers.h"
#include "reproduce/verdict.h"

enum { DEFINITION_MAX_REPEATS = 1000, DEFINITION_MAX_ROWS = 500 };

// What a paper did differently that no option expresses.
typedef enum Unlike { UNLIKE_RULES, UNLIKE_METHOD, UNLIKE_MACHINE, UNLIKE_UNKNOWN, UNLIKES } Unlike;
extern const char *const unlike_words[UNLIKES + 1]; // "rules", ...; NULL at the end

// What is said of a paper's experiment, by a definition for all of its rows or by a row.
typedef struct PaperKeys {
    const json_t *as;     // its settings
    const json_t *unlike; // an object: a word of unlike_words, and why
    const char *open;     // what it does not say
} PaperKeys;

// Texts belong to the definition; NULL: not given.
typedef struct DefinitionRow {
    const char *label;
    const json_t *commands; // texts; none: it is a ratio
    const json_t *ratio;    // labels of the two rows; may be NULL
    int over[2];            // and their places
    const json_t *fresh;    // files that are removed before; may be NULL
    const char *repeat;     // a number, or a variable of the scale
    enum { TOGETHER_MEAN, TOGETHER_SPREAD, TOGETHER_GEOMETRIC } together; // what the repetitions become
    const char *from;
    const char *value, *divide, *with, *interval; // paths; interval NULL: there is none
    bool bootstrap;                               // the interval is that of the list over runs
    Reduction reduce;
    const char *unit;
    PublishedValue published;
    const char *statement; // the words of the paper
    PaperKeys paper;
    double x; // NAN: not given
    bool main;
    const char *cause, *same, *note;
} DefinitionRow;

typedef struct Definition {
    char name[64];
    const char *paper, *place, *title, *text;
    PaperKeys says;
    const json_t *scales, *list, *files, *plot; // list: of the rows; files, plot: may be NULL
    DefinitionRow *row;
    int rows;
    json_t *json; // owns what the others point to
} Definition;

extern const Fields definition_fields, definition_row_fields; // the keys

extern const char *const definition_scales[]; // "quick", "part", "full", from small to large; NULL at the end

// Those that come with the program: see base/data_folder.h.
#define DEFINITIONS_FOLDER "reproductions"

// -> name  what messages call it; its last part without .json becomes the definition's name
// <- definition_free it. NULL: the error names the row and the key.
Definition *definition_read(const char *name, const char *text, size_t length, Error *error);
void definition_free(Definition *definition);

// Replaces {dir}, the variables of the scale and {i}, which stays as it is for i = 0.
// <- free() it; NULL: no memory
char *definition_expand(const Definition *definition, const char *scale, const char *text, const char *dir,
                        int i);

// <- has it this scale? All have "quick" and "full".
bool definition_has_scale(const Definition *definition, const char *scale);

// <- the place of the row with this label; -1: there is none
int definition_find(const Definition *definition, const char *label);

// <- how often the row is to be repeated; 0: the error says why that is not known
int definition_repeats(const Definition *definition, const char *scale, const DefinitionRow *row,
                       Error *error);

#endif
