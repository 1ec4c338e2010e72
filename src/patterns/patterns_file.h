// SPDX-License-Identifier: GPL-3.0-or-later
// Files of patterns: the numbers of a Patterns. The same on every machine, byte after byte:
//
//      "tetralab pattern"      16 bytes
//      version, width, height  whole numbers
//      first                   the number of all patterns that are not listed
//      skip, number            for each that is: patterns in between; its number less the first
//      check sum               8 bytes, the lowest first: base/hash.h of all before
//
// Whole numbers have seven bits in a byte, the lowest first, and the highest bit where more follow; signed
// ones are folded before: 0, -1, 1, -2 ... Numbers are rounded to 1/1024 of a line. Most patterns never occur
// in play, so that a file is small: examples/sz.patterns is 3 % of its tables.
//
// A file is untrusted: it is used only if its check sum is right and every number has its place.
#ifndef TETRALAB_PATTERNS_PATTERNS_FILE_H
#define TETRALAB_PATTERNS_PATTERNS_FILE_H

#include "base/error.h"
#include "patterns/patterns.h"

// -> first  what the numbers were before anything was learned
bool patterns_write(const Patterns *patterns, int32_t first, const char *path, Error *error);

// Free the patterns after success. -> name  what to call the file in messages
// <- first  as it was written
bool patterns_parse(Patterns *patterns, int32_t *first, const char *name, const void *bytes, size_t length,
                    Error *error);
bool patterns_read(Patterns *patterns, int32_t *first, const char *path, Error *error);

#endif
