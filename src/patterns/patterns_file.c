// SPDX-License-Identifier: GPL-3.0-or-later
#include "patterns/patterns_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/text.h"

static const char magic[16] = {'t', 'e', 't', 'r', 'a', 'l', 'a', 'b',
                               ' ', 'p', 'a', 't', 't', 'e', 'r', 'n'};
enum { VERSION = 1, SUM_BYTES = 8, STEP = PATTERNS_LINE / 1024, LARGEST = PATTERNS_LARGEST / STEP };

// ---------------------------------------------------------------------------------------------------
// Writing

static void put_whole(FILE *out, uint64_t value) {
    for (; value >= 128; value >>= 7)
        putc((int)(value & 127) | 128, out);
    putc((int)value, out);
}

static uint64_t folded(int64_t value) {
    return value < 0 ? (uint64_t)(-1 - value) << 1 | 1 : (uint64_t)value << 1;
}

// To the nearest step, halves upward.
static int64_t steps_of(int32_t number) {
    int64_t shifted = (int64_t)number + STEP / 2;
    return shifted / STEP - (shifted % STEP < 0);
}

static void put_numbers(FILE *out, const Patterns *patterns, int64_t first) {
    uint64_t skip = 0;
    put_whole(out, folded(first));
    for (size_t i = 0; i < patterns->size; i++) {
        int64_t more = steps_of(patterns->number[i]) - first;
        if (!more) {
            skip++;
            continue;
        }
        put_whole(out, skip);
        put_whole(out, folded(more));
        skip = 0;
    }
}

bool patterns_write(const Patterns *patterns, int32_t first, const char *path, Error *error) {
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return error_set(error, "Out of memory: cannot write %.300s.", path);
    fwrite(magic, sizeof magic, 1, out);
    put_whole(out, VERSION);
    put_whole(out, (uint64_t)patterns->width);
    put_whole(out, (uint64_t)patterns->height);
    put_numbers(out, patterns, steps_of(first));
    bool good = !fflush(out) && !ferror(out);
    uint64_t sum = good ? hash_bytes(HASH_EMPTY, text, length) : 0;
    for (int i = 0; i < SUM_BYTES; i++)
        putc((int)(sum >> 8 * i & 255), out);
    good = !ferror(out) && good;
    good = !fclose(out) && good;
    good = good ? text_replace(path, text, length, true, error)
                : error_set(error, "Out of memory: cannot write %.300s.", path);
    free(text);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Reading

typedef struct Bytes {
    const unsigned char *at, *end;
} Bytes;

// <- false: the file ends, or the number is larger than any that is written
static bool get_whole(Bytes *bytes, uint64_t *value) {
    *value = 0;
    for (int shift = 0; bytes->at < bytes->end && shift < 56; shift += 7) {
        unsigned char byte = *bytes->at++;
        *value |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static bool get_signed(Bytes *bytes, int64_t *value) {
    uint64_t whole;
    if (!get_whole(bytes, &whole))
        return false;
    *value = whole & 1 ? -1 - (int64_t)(whole >> 1) : (int64_t)(whole >> 1);
    return true;
}

static bool is_number(int64_t steps) {
    return steps >= -LARGEST && steps <= LARGEST;
}

static bool get_numbers(Bytes *bytes, Patterns *patterns, int64_t first) {
    size_t at = 0;
    while (bytes->at < bytes->end) {
        uint64_t skip;
        int64_t more;
        if (!get_whole(bytes, &skip) || !get_signed(bytes, &more) || skip >= patterns->size - at ||
            !is_number(first + more))
            return false;
        at += skip;
        patterns->number[at++] = (int32_t)((first + more) * STEP);
    }
    return true;
}

bool patterns_parse(Patterns *patterns, int32_t *first_number, const char *name, const void *bytes,
                    size_t length, Error *error) {
    *patterns = (Patterns){0};
    if (length < sizeof magic + SUM_BYTES || memcmp(bytes, magic, sizeof magic) != 0)
        return error_set(error, "%.200s is no file of patterns: 'tetralab td' makes them.", name);
    const unsigned char *begin = bytes;
    Bytes body = {begin + sizeof magic, begin + length - SUM_BYTES};
    uint64_t version = 0, width, height, sum = 0;
    int64_t first;
    for (int i = 0; i < SUM_BYTES; i++)
        sum |= (uint64_t)body.end[i] << 8 * i;
    if (sum != hash_bytes(HASH_EMPTY, bytes, length - SUM_BYTES))
        return error_set(error, "%.200s is cut off or damaged: its check sum is wrong.", name);
    if (!get_whole(&body, &version) || version != VERSION)
        return error_set(error, "%.200s has version %llu of the format; this program reads version %d.", name,
                         (unsigned long long)version, VERSION);
    if (!get_whole(&body, &width) || !get_whole(&body, &height) || !get_signed(&body, &first) ||
        width < BOARD_MIN_WIDTH || width > BOARD_MAX_WIDTH || height < BOARD_MIN_HEIGHT ||
        height > BOARD_MAX_HEIGHT || !is_number(first))
        return error_set(error, "%.200s is damaged: its head holds impossible numbers.", name);
    if (!patterns_make(patterns, (int)width, (int)height, (int32_t)(first * STEP)))
        return error_set(error, "Out of memory for the patterns in %.200s.", name);
    *first_number = (int32_t)(first * STEP);
    if (get_numbers(&body, patterns, first))
        return true;
    patterns_free(patterns);
    return error_set(error, "%.200s is damaged: it holds impossible numbers.", name);
}

bool patterns_read(Patterns *patterns, int32_t *first, const char *path, Error *error) {
    size_t length;
    char *bytes = text_read_file(path, &length, error);
    bool good = bytes && patterns_parse(patterns, first, path, bytes, length, error);
    free(bytes);
    return good;
}
