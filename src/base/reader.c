// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/reader.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

Reader reader_start(const char *name, const char *text, size_t length, Error *error) {
    return (Reader){
        .name = name, .next = text, .text_end = text + length, .line_start = text, .error = error};
}

bool reader_next_line(Reader *reader) {
    if (reader->next == reader->text_end)
        return false;
    size_t left = (size_t)(reader->text_end - reader->next);
    const char *end = memchr(reader->next, '\n', left);
    reader->line_start = reader->at = reader->next;
    reader->end = end ? end : reader->text_end;
    reader->next = end ? end + 1 : reader->text_end;
    if (reader->end > reader->at && reader->end[-1] == '\r')
        reader->end--;
    reader->line++;
    return true;
}

bool reader_expected(const Reader *reader, const char *what) {
    char found[40] = "the end of the line";
    size_t left = (size_t)(reader->end - reader->at), shown = 0;
    if (left) {
        found[shown++] = '"';
        for (size_t i = 0; i < left && i < 24 && reader->at[i] != ' '; i++)
            found[shown++] = isprint((unsigned char)reader->at[i]) ? reader->at[i] : '?';
        found[shown++] = '"';
        found[shown] = 0;
    }
    return error_set(reader->error, "%.150s:%zu:%zu: expected %s, found %s.", reader->name, reader->line,
                     (size_t)(reader->at - reader->line_start) + 1, what, shown == 2 ? "a space" : found);
}

bool reader_skip(Reader *reader, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

bool reader_word(Reader *reader, const char *word) {
    char what[40];
    snprintf(what, sizeof what, "\"%s\"", word);
    return reader_skip(reader, word) || reader_expected(reader, what);
}

bool reader_number(Reader *reader, uint64_t *value) {
    const char *start = reader->at;
    *value = 0;
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++)
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(*reader->at - '0'), value)) {
            reader->at = start;
            return reader_expected(reader, "a number below 2^64");
        }
    return reader->at > start || reader_expected(reader, "a number");
}

bool reader_line_end(Reader *reader) {
    return reader->at == reader->end || reader_expected(reader, "the end of the line");
}

bool reader_rest(Reader *reader, const char *what, char *out, size_t room) {
    size_t length = (size_t)(reader->end - reader->at);
    if (length == 0)
        return reader_expected(reader, what);
    if (length >= room)
        return error_set(reader->error, "%.150s:%zu: expected %s of at most %zu bytes, found %zu.",
                         reader->name, reader->line, what, room - 1, length);
    for (size_t i = 0; i < length; i++, reader->at++) {
        out[i] = *reader->at;
        if ((unsigned char)out[i] < 32 || out[i] == 127)
            return reader_expected(reader, "a printable character");
    }
    out[length] = 0;
    return true;
}
