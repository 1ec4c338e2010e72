// SPDX-License-Identifier: GPL-3.0-or-later
// UTF-8 from files that nobody has checked yet.
#ifndef TETRALAB_BASE_UTF8_H
#define TETRALAB_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// <- bytes of the first character of the text and its *code, or 0: no UTF-8 (also overlong forms,
// surrogates, a character that is cut off, and the empty text).
int utf8_decode(const char *text, size_t length, uint32_t *code);

// <- columns that a text takes: bytes that do not continue a character
int utf8_columns(const char *text, size_t length);

// <- offset of the first byte that is no UTF-8; length: there is none.
size_t utf8_first_invalid(const char *text, size_t length);

// Would it do something to a terminal or to the order of the letters, instead of being shown?
bool utf8_is_control(uint32_t code);

// <- does the text hold a control character?
bool utf8_has_control(const char *text, size_t length);

// An excerpt for messages: control characters and bytes that are no UTF-8 become '?', and what does not
// fit into `room` bytes (at least 4, with the final 0) is cut between characters and ends in "...".
// <- out
const char *utf8_clean(char *out, size_t room, const char *text, size_t length);

// Prints as fprintf does, cleaned likewise; ends of lines stay. What is longer than 4,000 bytes is cut.
__attribute__((format(printf, 2, 3))) void utf8_print(FILE *out, const char *format, ...);

// Line and column, both from 1; columns count characters. Bytes that are no UTF-8 count one each.
typedef struct TextPlace {
    int line, column;
} TextPlace;
TextPlace utf8_place(const char *text, size_t length, size_t offset);

#endif
