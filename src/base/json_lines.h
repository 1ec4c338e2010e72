// SPDX-License-Identifier: GPL-3.0-or-later
// Files of JSON lines: one object a line, appended while a program works, read by whoever comes later.
//
// A line is appended by a single write, so that a killed program damages at most the last one, and programs
// that share a file do not mix their lines. Behind a line that was cut off, a new one begins. Reading takes
// every line for itself: what is damaged, too long or refused is reported with its number and skipped.
#ifndef TETRALAB_BASE_JSON_LINES_H
#define TETRALAB_BASE_JSON_LINES_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { JSON_LINE_LIMIT = 1 << 20 }; // bytes; longer lines are skipped

// ---------------------------------------------------------------------------------------------------
// Writing

typedef struct JsonLines JsonLines;

// Opens for appending; the file is made if there is none. NULL on error.
JsonLines *json_lines_open(const char *path, Error *error);
// Takes the reference. -> line  NULL: memory ran out while it was built
bool json_lines_append(JsonLines *lines, json_t *line, Error *error);
// Is everything on the disk, also if the machine loses its power?
bool json_lines_sync(JsonLines *lines, Error *error);
void json_lines_close(JsonLines *lines); // NULL: nothing to close

// ---------------------------------------------------------------------------------------------------
// Reading

typedef struct JsonLine {
    const json_t *object; // borrowed; whole numbers stay whole numbers
    const char *text;     // the line without its end
    size_t length;
    uint64_t number; // from 1
    bool ended;      // it has an end
} JsonLine;

typedef enum JsonLineFate {
    JSON_LINE_TAKEN,
    JSON_LINE_REFUSED, // it is skipped; the error says why
    JSON_LINE_STOP     // reading fails, for the reason in the error
} JsonLineFate;

typedef struct JsonLinesReader {
    JsonLineFate (*take)(void *context, const JsonLine *line, Error *error);
    void *context; // of take
    // May be NULL. Told about every line that is skipped: "FILE:LINE: sentence This line is skipped."
    void (*complain)(void *context, const char *sentence);
    void *complain_context;
} JsonLinesReader;

// <- false: the file cannot be read, or taking a line failed. Empty lines mean nothing.
bool json_lines_read(const char *path, const JsonLinesReader *reader, Error *error);
bool json_lines_parse(const char *name, const char *text, size_t length, const JsonLinesReader *reader,
                      Error *error);

#endif
