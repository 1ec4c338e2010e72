// SPDX-License-Identifier: GPL-3.0-or-later
// Lines from a file descriptor that may have nothing to say yet: a program that also has something else to
// wait for polls the descriptor, fills, and takes the lines that are complete. Memory is bounded: longer
// lines are refused and skipped.
#ifndef TETRALAB_BASE_LINES_H
#define TETRALAB_BASE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

typedef struct LineReader {
    int file;
    const char *name;         // in sentences: "the standard input", unless it is set to something else
    size_t limit;             // bytes of a line, without its end
    char *buffer;             // owned; limit + 1 bytes
    size_t start, seen, used; // the line under way begins at start; there is no line end before seen
    bool ended, skipping;     // skipping: what comes is the rest of a line that was too long
    uint64_t line;            // number of the line last taken, from 1
} LineReader;

typedef enum LineEvent {
    LINE_TAKEN,    // *text has *length bytes, valid until the next call
    LINE_TOO_LONG, // it is skipped; counted like any other
    LINE_WAIT,     // no whole line yet: fill
    LINE_END       // there are no more
} LineEvent;

bool lines_open(LineReader *reader, int file, size_t limit, Error *error); // false: out of memory
void lines_close(LineReader *reader);                                      // the file stays open

// Reads once; blocks if there is nothing and the descriptor blocks. <- false: it cannot be read
bool lines_fill(LineReader *reader, Error *error);

// The last line need not have an end.
LineEvent lines_next(LineReader *reader, const char **text, size_t *length);

#endif
