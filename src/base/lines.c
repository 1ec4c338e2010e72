// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool lines_open(LineReader *reader, int file, size_t limit, Error *error) {
    *reader =
        (LineReader){.file = file, .name = "the standard input", .limit = limit, .buffer = malloc(limit + 1)};
    return reader->buffer || error_set(error, "Out of memory for a line of %zu bytes.", limit);
}

void lines_close(LineReader *reader) {
    free(reader->buffer);
    reader->buffer = NULL;
}

bool lines_fill(LineReader *reader, Error *error) {
    if (reader->start > 0) {
        memmove(reader->buffer, reader->buffer + reader->start, reader->used - reader->start);
        reader->used -= reader->start;
        reader->seen -= reader->start;
        reader->start = 0;
    }
    size_t room = reader->limit + 1 - reader->used;
    if (reader->ended || room == 0)
        return true;
    ssize_t count = read(reader->file, reader->buffer + reader->used, room);
    if (count < 0)
        return errno == EINTR || errno == EAGAIN ||
               error_set(error, "cannot read %.200s: %s.", reader->name, strerror(errno));
    reader->ended = count == 0;
    reader->used += (size_t)count;
    return true;
}

// <- the rest of the line is there: it ends at *end. At the end of the file, the last one ends there.
static bool find_end(LineReader *reader, size_t *end) {
    char *found = memchr(reader->buffer + reader->seen, '\n', reader->used - reader->seen);
    reader->seen = found ? (size_t)(found - reader->buffer) + 1 : reader->used;
    *end = found ? reader->seen - 1 : reader->used;
    return found || (reader->ended && (reader->used > reader->start || reader->skipping));
}

LineEvent lines_next(LineReader *reader, const char **text, size_t *length) {
    size_t end;
    while (find_end(reader, &end)) {
        size_t start = reader->start;
        reader->start = reader->seen;
        if (reader->skipping) {
            reader->skipping = false;
            continue;
        }
        reader->line++;
        *text = reader->buffer + start;
        *length = end - start;
        return LINE_TAKEN;
    }
    if (reader->ended)
        return LINE_END;
    bool full = reader->used - reader->start > reader->limit;
    if (!full && !reader->skipping)
        return LINE_WAIT;
    reader->start = reader->used;
    if (reader->skipping)
        return LINE_WAIT;
    reader->skipping = true;
    reader->line++;
    return LINE_TOO_LONG;
}
