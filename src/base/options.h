// SPDX-License-Identifier: GPL-3.0-or-later
// Command-line options as tables: one line per option makes the parsing, the checks and the help text.
#ifndef TETRALAB_BASE_OPTIONS_H
#define TETRALAB_BASE_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

typedef struct Option Option;

// Turns the option's text into *option->target, or says what would be right. The sentence need not name
// the option: options_parse puts "--name: " before it.
typedef bool OptionSetter(const Option *option, const char *text, Error *error);

struct Option {
    const char *name;     // "games", written --games N or --games=N
    const char *argument; // "N" for the help; NULL: a flag without argument
    OptionSetter *set;
    void *target;
    const char *help;   // one sentence with the default
    double least, most; // range, for option_count and option_number; both 0: any value
};

OptionSetter option_flag;   // bool
OptionSetter option_count;  // uint64_t; also 1e6, 10k, 5M
OptionSetter option_number; // double, finite
OptionSetter option_text;   // const char *, points into argv

enum { OPTIONS_MAX = 64 }; // lines in one table

// Reads argv[1 ...]. Options may stand anywhere; "--" ends them. Giving one twice is an error, and so is
// an unknown one (the nearest is named). An argument that itself starts with "--" must be joined by "=".
// --help and -h are always known, wherever they stand: *help becomes true and true is returned.
// <- operands  the other words, *count of them (room for argc)
bool options_parse(const Option *options, int size, int argc, char **argv, const char **operands, int *count,
                   bool *help, Error *error);

// Writes the table, one option a line, wrapped to 80 columns.
void options_help(FILE *out, const Option *options, int size);

#endif
