// SPDX-License-Identifier: GPL-3.0-or-later
// Small helpers for text and files.
#ifndef TETRALAB_BASE_TEXT_H
#define TETRALAB_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

enum { TEXT_FILE_LIMIT = 64 << 20 }; // larger input files are refused

// <- the whole file ("-": standard input), with a 0 byte behind it; free() it. NULL on error.
char *text_read_file(const char *path, size_t *length, Error *error);

// Writes the whole file or leaves what was there (base/replacing.h). "-": standard output.
bool text_write_file(const char *path, const char *text, size_t length, Error *error);
// -> sync  false: does not wait for the disk; a crash of the machine may bring the old file back, or none
bool text_replace(const char *path, const char *text, size_t length, bool sync, Error *error);

// Would text_write_file find a place to write to? To be asked before hours of work: creates the temporary
// file and removes it, and others that are left over from killed programs. Devices and pipes are not opened,
// and nothing is promised about room on the disk.
bool text_can_write(const char *path, Error *error);

// <- the folder that it stands in; free() it. NULL: out of memory
char *text_folder(const char *path);

// Closes what open_memstream has opened (or not: NULL). <- the text, free() it; NULL: it is not whole
char *text_closed(FILE *out, char **text);

// Do two paths name the same file, existing or not? ("./x" and "x" do, and links to one file.)
bool text_same_file(const char *a, const char *b);

// <- bytes of a name without the one of these endings (up to NULL) that it has: 4 for best.json
size_t text_stem(const char *name, const char *const *endings);

// Is the file, existing or not, below the folder, wherever links lead? false also if that cannot be known.
bool text_is_below(const char *path, const char *folder);

// How a sentence about an unknown word ends: "; did you mean --games?" if one of the names is nearly the
// same, or begins with the word, else ".". A guess that is far off is worse than none.
// -> before, after  what stands around the name: "--" and "", or quotation marks. <- out
enum { TEXT_MEANT = 128 };
const char *text_meant(char out[TEXT_MEANT], const char *before, const char *after, const char *word,
                       const char *const *names, int count);

// The shortest decimal number of 15 to 17 digits that reads back as the same double; no locale changes it.
const char *text_number(double value, char out[32]);
// Numbers as people read them: 32,300,000 -> "32.3 M", 950 -> "950". All return out.
const char *text_count(double value, char out[24]);     // three significant digits with k, M, G, T
const char *text_grouped(uint64_t value, char out[32]); // 1,234,567
const char *text_seconds(double seconds, char out[24]); // "850 ms", "12.3 s", "3 min 20 s", "2 h 05 min"

#endif
