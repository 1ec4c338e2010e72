// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

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

bool reader_wrong(const Reader *reader, const char *format, ...) {
    char sentence[sizeof(Error)];
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    size_t before = (size_t)(reader->at - reader->line_start);
    return error_set(reader->error, "%.150s:%zu:%d: %.350s", reader->name, reader->line,
                     utf8_place(reader->line_start, before, before).column, sentence);
}

void reader_show(const Reader *reader, char *out, size_t room) {
    size_t length = (size_t)(reader->end - reader->at);
    length = length < room ? length : room - 1;
    for (size_t i = 0; i < length; i++)
        out[i] = isprint((unsigned char)reader->at[i]) ? reader->at[i] : '?';
    out[length] = 0;
}

bool reader_expected(const Reader *reader, const char *what) {
    char found[25];
    reader_show(reader, found, sizeof found);
    int length = (int)strcspn(found, " ");
    if (length > 0)
        return reader_wrong(reader, "expected %s, found \"%.*s\".", what, length, found);
    return reader_wrong(reader, "expected %s, found %s.", what, *found ? "a space" : "the end of the line");
}

bool reader_begins(const Reader *reader, const char *word) {
    size_t length = strlen(word);
    return (size_t)(reader->end - reader->at) >= length && !memcmp(reader->at, word, length);
}

bool reader_skip(Reader *reader, const char *word) {
    bool begins = reader_begins(reader, word);
    reader->at += begins ? strlen(word) : 0;
    return begins;
}

bool reader_word(Reader *reader, const char *word) {
    char what[40];
    snprintf(what, sizeof what, "\"%s\"", word);
    return reader_skip(reader, word) || reader_expected(reader, what);
}

bool reader_line_end(Reader *reader) {
    return reader->at == reader->end || reader_expected(reader, "the end of the line");
}

bool reader_rest(Reader *reader, const char *what, char *out, size_t room) {
    size_t length = (size_t)(reader->end - reader->at);
    if (length == 0)
        return reader_expected(reader, what);
    if (length >= room)
        return reader_wrong(reader, "expected %s of at most %zu bytes, found %zu.", what, room - 1, length);
    for (size_t i = 0; i < length; i++, reader->at++) {
        out[i] = *reader->at;
        if ((unsigned char)out[i] < 32 || out[i] == 127)
            return reader_expected(reader, "a printable character");
    }
    out[length] = 0;
    return true;
}
