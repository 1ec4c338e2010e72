// SPDX-License-Identifier: GPL-3.0-or-later
// How the library reports failure: it never exits and never prints. A function that can fail returns
// bool (or NULL) and fills an Error with one full sentence that names the place, what was wrong there
// and, where it helps, the remedy.
#ifndef TETRALAB_BASE_ERROR_H
#define TETRALAB_BASE_ERROR_H

#include <stdbool.h>

typedef struct Error {
    char text[512];
} Error;

// Writes the sentence (cut to fit) and returns false, so that callers can say
//     return error_set(error, "%s:%d: ...", ...);
// -> error  may be NULL: the sentence is dropped.
bool error_set(Error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same where a pointer is wanted. <- NULL
#define error_null(error, ...) (error_set(error, __VA_ARGS__), NULL)

#endif
