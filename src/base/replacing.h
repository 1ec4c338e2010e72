// SPDX-License-Identifier: GPL-3.0-or-later
// Files that are replaced as a whole: what is new grows in a temporary file beside the old one and takes its
// place when it is complete. Nobody sees half a file, and a failure leaves what was there.
//
// A temporary file is called NAME.XXXXXXXXXXXXXXXX.tmp, with a random number that nobody can foresee; it is
// never an existing file, nor a link. It is locked while a program works on it. One that nobody has locked is
// left over from a program that was killed, and may be removed.
#ifndef TETRALAB_BASE_REPLACING_H
#define TETRALAB_BASE_REPLACING_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

typedef struct Temporary {
    int file;   // open for writing, and locked
    char *name; // owned
} Temporary;

// A new empty file beside `path`. <- false: the error names `path`, and there is nothing to be closed
bool temporary_make(Temporary *temporary, const char *path, Error *error);
// A file of the temporary one's name with this behind it is left over when that is.
#define TEMPORARY_COMPANION "-table"
// It gets the name `path`, and takes the place of a file of that name.
// -> sync  wait until the file and its name are on the disk: a power cut leaves it whole, under this name
// <- false: the error says why; without a name, it is there, but may not survive a power cut
bool temporary_place(Temporary *temporary, const char *path, bool sync, Error *error);
// Closes it and removes it, unless it has got its place.
void temporary_end(Temporary *temporary);

// The new file has the permissions of the old one from the beginning, and where the system allows it its
// owner. A link stays a link; one that leads nowhere is refused, and so are folders and files that are
// write-protected.
// -> put   writes it all; false: it could not, and the error says why. What the stream says is checked here
// -> sync  as in temporary_place
// <- is it there? Else all stays as it was, and the error says why
bool replacing_write(const char *path, bool sync, bool (*put)(void *context, FILE *out, Error *error),
                     void *context, Error *error);
// Would there be a place to write to? Makes the temporary file and removes it, and those that are left over.
bool replacing_check(const char *path, Error *error);

// Removes what killed programs have left over beside `path`: temporary files for it and for names that begin
// with its name and a dot. -> path  ending in "/": for everything in this folder
void replacing_sweep(const char *path);

// Opens a file to be read and added to, or makes it; <- -1: the error says why. -> flags  more for open()
int replacing_open(const char *path, int flags, Error *error);

#endif
