// SPDX-License-Identifier: GPL-3.0-or-later
// Can a row be compared with what its paper did? That is found, not declared: the definition says what the
// paper did ("as"), as options of our commands; what it does not say is our default. The row's commands at
// the scale at hand are read by the commands' own tables, and so are those of the paper. The row is
// comparable if all options are equal, but for those that only change how exactly or how fast is measured:
// a finished player may be measured by splitting or by any number of games.
#ifndef TETRALAB_REPRODUCE_COMPARISON_H
#define TETRALAB_REPRODUCE_COMPARISON_H

#include <stdbool.h>

#include "base/error.h"
#include "reproduce/command.h"
#include "reproduce/definition.h"

// Texts are owned; NULL: nothing is to be said.
typedef struct Comparison {
    char *why;  // why it is not comparable: "generations 30 instead of 50, runs 3 instead of 10"
    char *kind; // of the reason: "settings", or a word of unlike_words
    char *open; // what the paper does not say: "generations; the time for a move"
} Comparison;

// Of a row that has a published number or a statement; others are always comparable.
// <- false: a command line is wrong. comparison_free it, also then
bool comparison_make(Comparison *comparison, const Definition *definition, const char *scale,
                     const DefinitionRow *row, CommandSettings *settings, Error *error);
void comparison_free(Comparison *comparison);

// What a row measures at full scale: which number it takes, all settings that count, and of whom. Rows for
// which this is equal measure the same. <- json_decref it. NULL: the error says why
json_t *comparison_settings(const Definition *definition, const DefinitionRow *row, CommandSettings *settings,
                            Error *error);

// Are all options in "as" options of the commands they are said of, all command lines right, and do rows that
// take the same number under the same settings say the same in "unlike"?
bool comparison_check(const Definition *definition, CommandSettings *settings, Error *error);

#endif
