// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for lines from a descriptor: the first byte chooses the longest line, and hence how much is
// read at once. The lines are those that a plain search finds, and none that is too long is taken.
#define _GNU_SOURCE // memfd_create
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/lines.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

typedef struct Expected {
    const uint8_t *data;
    size_t size, at;
} Expected;

// <- false: there is no further line
static bool next(Expected *expected, const uint8_t **text, size_t *length) {
    if (expected->at >= expected->size)
        return false;
    *text = expected->data + expected->at;
    const uint8_t *end = memchr(*text, '\n', expected->size - expected->at);
    *length = end ? (size_t)(end - *text) : expected->size - expected->at;
    expected->at += *length + 1;
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static int file = -1;
    if (size < 1)
        return 0;
    if (file < 0)
        file = memfd_create("lines", 0);
    require(file >= 0 && !ftruncate(file, 0) && pwrite(file, data + 1, size - 1, 0) == (ssize_t)size - 1);
    require(lseek(file, 0, SEEK_SET) == 0);
    Expected expected = {data + 1, size - 1, 0};
    LineReader reader;
    LineEvent event;
    Error error = {""};
    size_t limit = 1 + data[0] % 40, length, wanted_length;
    const char *text;
    const uint8_t *wanted;
    require(lines_open(&reader, file, limit, &error));
    while ((event = lines_next(&reader, &text, &length)) != LINE_END) {
        if (event == LINE_WAIT) {
            require(lines_fill(&reader, &error));
            continue;
        }
        require(next(&expected, &wanted, &wanted_length));
        if (event == LINE_TOO_LONG)
            require(wanted_length > limit);
        else
            require(length == wanted_length && length <= limit && !memcmp(text, wanted, length));
    }
    require(!next(&expected, &wanted, &wanted_length));
    lines_close(&reader);
    return 0;
}
