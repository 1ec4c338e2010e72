// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/utf8.h"

#include <limits.h>
#include <stdarg.h>
#include <string.h>

int utf8_decode(const char *text, size_t length, uint32_t *code) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    if (length == 0)
        return 0;
    unsigned char first = (unsigned char)text[0];
    int bytes = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : first >> 3 == 30 ? 4 : 0;
    if (bytes == 0 || (size_t)bytes > length)
        return 0;
    uint32_t value = bytes == 1 ? first : first & (0x7Fu >> bytes);
    for (int i = 1; i < bytes; i++) {
        unsigned char next = (unsigned char)text[i];
        if (next >> 6 != 2)
            return 0;
        value = value << 6 | (next & 0x3F);
    }
    if (value < least[bytes] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF))
        return 0;
    *code = value;
    return bytes;
}

int utf8_columns(const char *text, size_t length) {
    int columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += ((unsigned char)text[i] & 0xc0) != 0x80;
    return columns;
}

size_t utf8_first_invalid(const char *text, size_t length) {
    size_t at = 0;
    uint32_t code;
    while (at < length) {
        int bytes = utf8_decode(text + at, length - at, &code);
        if (bytes == 0)
            return at;
        at += (size_t)bytes;
    }
    return length;
}

bool utf8_is_control(uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E ||
           code == 0x200F ||                                                         // marks,
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069); // overrides
}

bool utf8_has_control(const char *text, size_t length) {
    uint32_t code;
    for (size_t at = 0; at < length;) {
        int bytes = utf8_decode(text + at, length - at, &code);
        if (bytes && utf8_is_control(code))
            return true;
        at += bytes ? (size_t)bytes : 1;
    }
    return false;
}

const char *utf8_clean(char *out, size_t room, const char *text, size_t length) {
    size_t used = 0, cut = 0; // cut: how much stays if "..." must follow
    uint32_t code;
    for (size_t at = 0; at < length;) {
        int bytes = utf8_decode(text + at, length - at, &code);
        bool shown = bytes && !utf8_is_control(code);
        size_t size = shown ? (size_t)bytes : 1;
        if (used + size > room - 1) {
            memcpy(out + cut, "...", 4);
            return out;
        }
        if (shown)
            memcpy(out + used, text + at, size);
        else
            out[used] = '?';
        used += size;
        at += bytes ? (size_t)bytes : 1;
        if (used + 3 <= room - 1)
            cut = used;
    }
    out[used] = 0;
    return out;
}

void utf8_print(FILE *out, const char *format, ...) {
    char text[4096], clean[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (const char *line = text, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        fputs(utf8_clean(clean, sizeof clean, line, (size_t)(end - line)), out);
        if (*end == '\n')
            putc(*end++, out);
    }
}

TextPlace utf8_place(const char *text, size_t length, size_t offset) {
    TextPlace place = {1, 1};
    uint32_t code;
    for (size_t at = 0; at < offset && at < length;) {
        int bytes = utf8_decode(text + at, length - at, &code);
        if (text[at] == '\n' && place.line < INT_MAX) {
            place.line++;
            place.column = 1;
        } else if (place.column < INT_MAX) {
            place.column++;
        }
        at += bytes ? (size_t)bytes : 1;
    }
    return place;
}
