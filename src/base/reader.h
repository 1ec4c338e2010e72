// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a text of lines, field by field, and names line and column of what is wrong. The text is untrusted:
// it is read from (text, length) without a look behind its end.
#ifndef TETRALAB_BASE_READER_H
#define TETRALAB_BASE_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

typedef struct Reader {
    const char *name;            // of the text, for messages
    const char *at, *end;        // what is left of the current line
    const char *next, *text_end; // the lines after it
    const char *line_start;
    size_t line; // number of the current line, from 1
    Error *error;
} Reader;

Reader reader_start(const char *name, const char *text, size_t length, Error *error);

// Goes to the next line, whose end may be that of the text; a carriage return before it is left out.
// <- false: there is none
bool reader_next_line(Reader *reader);

// The sentences "NAME:LINE:COLUMN: ..." and "NAME:LINE:COLUMN: expected ..., found ..." for the current
// place.
// <- false
bool reader_wrong(const Reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool reader_expected(const Reader *reader, const char *what);
// The rest of the line, as far as there is room, with '?' for what cannot be printed.
void reader_show(const Reader *reader, char *out, size_t room);

bool reader_begins(const Reader *reader, const char *word); // is the word next?
bool reader_skip(Reader *reader, const char *word);         //   then steps over it

// The following say what they expected if it is not there.
bool reader_word(Reader *reader, const char *word);
bool reader_line_end(Reader *reader);
// The rest of the line as a string, at least one and at most room - 1 printable bytes (UTF-8 passes).
bool reader_rest(Reader *reader, const char *what, char *out, size_t room);

#endif
