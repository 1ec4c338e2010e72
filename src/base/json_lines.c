// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/json_memory.h"
#include "base/json_parse.h"
#include "base/lines.h"
#include "base/replacing.h"

// ---------------------------------------------------------------------------------------------------
// Writing

struct JsonLines {
    int file;
    bool torn; // the file ends within a line
    char *path;
};

JsonLines *json_lines_open(const char *path, Error *error) {
    JsonLines *lines = calloc(1, sizeof *lines);
    if (!lines || !(lines->path = strdup(path))) {
        free(lines);
        return error_null(error, "Out of memory: cannot open %.300s.", path);
    }
    struct stat about;
    lines->file = replacing_open(path, O_APPEND, error);
    if (lines->file >= 0 && fstat(lines->file, &about)) {
        error_set(error, "cannot write %.300s: %s.", path, strerror(errno));
        close(lines->file);
        lines->file = -1;
    }
    if (lines->file < 0) {
        json_lines_close(lines);
        return NULL;
    }
    char last = '\n';
    if (S_ISREG(about.st_mode) && about.st_size > 0 && pread(lines->file, &last, 1, about.st_size - 1) == 1)
        lines->torn = last != '\n';
    return lines;
}

void json_lines_close(JsonLines *lines) {
    if (!lines)
        return;
    if (lines->file >= 0)
        close(lines->file);
    free(lines->path);
    free(lines);
}

bool json_lines_append(JsonLines *lines, json_t *line, Error *error) {
    char *dump = json_text(line, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(line);
    size_t length = dump ? strlen(dump) : 0;
    char *text = malloc(length + 2), *end = text;
    if (!dump || !text) {
        free(dump);
        free(text);
        return error_set(error, "Out of memory for a line of %.300s.", lines->path);
    }
    if (lines->torn)
        *end++ = '\n';
    memcpy(end, dump, length);
    end[length] = '\n';
    size_t size = (size_t)(end - text) + length + 1;
    struct stat before, after;
    bool known = !fstat(lines->file, &before);
    ssize_t written = write(lines->file, text, size);
    int code = errno;
    free(dump);
    free(text);
    if (written == (ssize_t)size) {
        lines->torn = false;
        return true;
    }
    // What was begun is taken back, unless another program has written behind it.
    if (written > 0)
        lines->torn = !known || fstat(lines->file, &after) || after.st_size != before.st_size + written ||
                      ftruncate(lines->file, before.st_size) || lines->torn;
    return error_set(error, "cannot write %.300s: %s.", lines->path,
                     written < 0 ? strerror(code) : "there is no room left for a whole line");
}

bool json_lines_sync(JsonLines *lines, Error *error) {
    return !fsync(lines->file) || errno == EINVAL || errno == EROFS || // devices and pipes cannot be synced
           error_set(error, "cannot write %.300s: %s.", lines->path, strerror(errno));
}

// ---------------------------------------------------------------------------------------------------
// Reading

static void complain(const JsonLinesReader *reader, const char *name, uint64_t line, const char *sentence) {
    char text[sizeof((Error *)0)->text + 300];
    if (!reader->complain)
        return;
    snprintf(text, sizeof text, "%.250s:%" PRIu64 ": %s This line is skipped.", name, line, sentence);
    reader->complain(reader->complain_context, text);
}

// json_parse names its place as :1:COLUMN:, which of a single line is half the truth.
static const char *without_place(const char *sentence) {
    const char *rest = sentence;
    for (int colons = 0; colons < 3 && rest; colons++)
        rest = strchr(rest, ':') ? strchr(rest, ':') + 1 : NULL;
    return rest && *rest == ' ' ? rest + 1 : sentence;
}

static bool is_blank(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!strchr(" \t\r", text[i]) || !text[i])
            return false;
    return true;
}

// <- false: the reader wants to stop
static bool take_line(const JsonLinesReader *reader, const char *name, JsonLine line, bool too_long,
                      Error *error) {
    Error why = {""}, inner = {""};
    JsonLineFate fate = JSON_LINE_REFUSED;
    if (!too_long && is_blank(line.text, line.length))
        return true;
    json_t *object = too_long ? NULL : json_parse_exact("", line.text, line.length, &inner);
    line.object = object;
    if (!object && !too_long && json_memory_failed()) // the line may be as good as any
        return error_set(error, "Out of memory: cannot read %.300s.", name);
    if (too_long)
        error_set(&why, "It is longer than %d bytes.", JSON_LINE_LIMIT);
    else if (object)
        fate = reader->take(reader->context, &line, &why);
    else
        error_set(&why,
                  line.ended ? "The line is damaged: %.400s" : "The file ends within this line (%.400s)",
                  without_place(inner.text));
    json_decref(object);
    if (fate == JSON_LINE_REFUSED)
        complain(reader, name, line.number, why.text);
    if (fate == JSON_LINE_STOP && error)
        *error = why;
    return fate != JSON_LINE_STOP;
}

// Line by line: the file may be much larger than what is kept of it.
static bool read_lines(LineReader *lines, const JsonLinesReader *reader, Error *error) {
    for (;;) {
        JsonLine line = {.text = ""};
        LineEvent event = lines_next(lines, &line.text, &line.length);
        line.number = lines->line;
        line.ended = line.text + line.length < lines->buffer + lines->used;
        if (event == LINE_END)
            return true;
        if (event == LINE_WAIT ? !lines_fill(lines, error)
                               : !take_line(reader, lines->name, line,
                                            event == LINE_TOO_LONG || line.length > JSON_LINE_LIMIT, error))
            return false;
    }
}

bool json_lines_parse(const char *name, const char *text, size_t length, const JsonLinesReader *reader,
                      Error *error) {
    LineReader lines = {
        .name = name, .limit = JSON_LINE_LIMIT, .buffer = (char *)text, .used = length, .ended = true};
    return read_lines(&lines, reader, error);
}

bool json_lines_read(const char *path, const JsonLinesReader *reader, Error *error) {
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a pipe would be waited for
    LineReader lines;
    struct stat status;
    if (file < 0)
        return error_set(error, "cannot read %.300s: %s.", path, strerror(errno));
    bool good = (!fstat(file, &status) && S_ISREG(status.st_mode)) || // a device may have no end
                error_set(error, "%.300s is not a file that can be read line by line.", path);
    if (good && (good = lines_open(&lines, file, JSON_LINE_LIMIT, error))) {
        lines.name = path;
        good = read_lines(&lines, reader, error);
        lines_close(&lines);
    }
    close(file);
    return good;
}
