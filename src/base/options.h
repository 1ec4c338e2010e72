// SPDX-License-Identifier: GPL-3.0-or-later
// The command line, from tables of fields (base/fields.h): --mutation-rate 0.1 or --mutation-rate=0.1 sets
// the field "mutation_rate". Options may stand anywhere; "--" ends them. Giving one twice is an error, and so
// is an unknown one (the nearest is named). An argument that itself starts with "--" must be joined by "=".
// --help and -h are always known, wherever they stand.
//
// First all words are read, then the values of each table are set, so that a value of one table (a method)
// can decide which other tables count.
#ifndef TETRALAB_BASE_OPTIONS_H
#define TETRALAB_BASE_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/fields.h"

// The options of one struct. Tables of one command may have options of the same name.
typedef struct OptionSet {
    Fields fields;
    void *base;        // the struct
    const char *title; // above them in the help; NULL: they belong to those before
} OptionSet;

typedef struct OptionWord {
    const char *name, *text; // name: what follows "--", `length` bytes of it
    int length;
} OptionWord;

typedef struct Arguments {
    const char **operand; // owned; the words that are no options
    int operands;
    OptionWord *word; // owned
    int words;
    bool help;             // was asked for: nothing else has been looked at
    const OptionSet *sets; // what they were read with; not owned
    int set_count;
} Arguments;

// Free with arguments_free, also after an error.
bool arguments_read(Arguments *arguments, const OptionSet *sets, int count, int argc, char **argv,
                    Error *error);
// Sets the fields of this set that were given. The sentence begins with the option's name.
bool arguments_apply(const Arguments *arguments, const OptionSet *set, Error *error);
// Refuses options that say nothing: beside the others (Field.belongs), or by being 0 (zero_is_unset).
// -> set  has been applied
bool arguments_check(const Arguments *arguments, const OptionSet *set, Error *error);
bool arguments_given(const Arguments *arguments, const char *option);
// <- the first option given that is not among these (" replay json ": a space around each, all of them
//    options of the tables), with its dashes; NULL: there is none
const char *arguments_beyond(const Arguments *arguments, const char *allowed, char out[FIELD_OPTION_NAME]);
void arguments_free(Arguments *arguments);

// <- the help of an option with its default: "Crossover points (default 2)."
enum { OPTIONS_TEXT = FIELD_PRINTED + FIELD_HELP };
const char *options_text(const Field *field, char out[OPTIONS_TEXT]);

// Writes the tables, one option a line, with their defaults, wrapped to 80 columns.
void options_help(FILE *out, const OptionSet *sets, int count);

#endif
