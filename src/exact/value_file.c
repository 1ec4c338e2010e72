// SPDX-License-Identifier: GPL-3.0-or-later
#include "exact/value_file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replacing.h"
#include "base/utf8.h"
#include "exact/board_set.h"
#include "game/packed.h"

static const char magic[16] = "tetralab values";
enum { VERSION = 1, BYTE_ORDER_MARK = 0x01020304, CHUNK = 1 << 16, SHOWN = 80 };

_Static_assert(sizeof(ValueHeader) % 8 == 0 && sizeof(ValueRound) % 8 == 0, "what follows is aligned");

// ---------------------------------------------------------------------------------------------------
// Check sums and sizes

uint64_t value_file_sum(uint64_t sum, const void *words, size_t count) {
    const unsigned char *at = words;
    for (size_t i = 0; i < count; i++) {
        uint64_t word;
        memcpy(&word, at + 8 * i, sizeof word);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15;
        sum ^= sum >> 32;
    }
    return sum;
}

static uint64_t head_sum(const ValueHeader *header) {
    return value_file_sum(1, header, offsetof(ValueHeader, head_sum) / 8);
}

static int cells_of(const ValueHeader *header) {
    const Rules rules = {.height = (int)header->height, .overflow = (Overflow)header->overflow};
    return (int)header->width * rules_rows(&rules);
}

static uint64_t value_words(const ValueHeader *header) {
    return header->kind == VALUES_CHECKPOINT ? header->boards : (header->boards + 1) / 2;
}

static uint64_t round_words(const ValueHeader *header) {
    return header->choices ? sizeof(ValueRound) / 8 + (PIECES * header->boards + 7) / 8 : 0;
}

// ---------------------------------------------------------------------------------------------------
// Writing

ValueHeader value_header(ValueKind kind, const Rules *rules, bool mirrored) {
    ValueHeader header = {.version = VERSION,
                          .byte_order = BYTE_ORDER_MARK,
                          .kind = kind,
                          .width = (uint32_t)rules->width,
                          .height = (uint32_t)rules->height,
                          .overflow = rules->overflow,
                          .mirrored = mirrored};
    memcpy(header.magic, magic, sizeof magic);
    memcpy(header.weight, rules->pieces.weight, sizeof header.weight);
    memcpy(header.pieces, rules->pieces.name, sizeof header.pieces);
    return header;
}

typedef struct Writer {
    FILE *out;
    const char *path;
    ValueHeader header;
    const uint64_t *bits;
    const double *value;
    const ValueRound *round;
    const uint8_t *choices;
    uint64_t sum;
    double chunk[CHUNK];
} Writer;

static bool put_words(Writer *writer, const void *words, size_t count) {
    writer->sum = value_file_sum(writer->sum, words, count);
    return fwrite(words, 8, count, writer->out) == count;
}

static bool put_floats(Writer *writer, const double *value, uint64_t boards) {
    float *chunk = (float *)writer->chunk;
    for (uint64_t done = 0; done < boards; done += CHUNK) {
        size_t count = boards - done < CHUNK ? (size_t)(boards - done) : CHUNK;
        for (size_t i = 0; i < count; i++)
            chunk[i] = (float)value[done + i];
        if (count % 2)
            chunk[count] = 0;
        if (!put_words(writer, chunk, (count + 1) / 2))
            return false;
    }
    return true;
}

static bool put_choices(Writer *writer, const uint8_t *choices, uint64_t bytes) {
    uint64_t whole = bytes / 8, last = 0;
    memcpy(&last, choices + 8 * whole, bytes % 8);
    return put_words(writer, choices, whole) && put_words(writer, &last, bytes % 8 != 0);
}

static bool put_file(void *context, FILE *out, Error *error) {
    Writer *writer = context;
    ValueHeader *header = &writer->header;
    writer->out = out;
    bool good = fwrite(header, sizeof *header, 1, out) == 1 &&
                put_words(writer, writer->bits, board_set_words(cells_of(header)));
    good = good && (header->kind == VALUES_CHECKPOINT ? put_words(writer, writer->value, header->boards)
                                                      : put_floats(writer, writer->value, header->boards));
    if (good && header->choices)
        good = put_words(writer, writer->round, sizeof *writer->round / 8) &&
               put_choices(writer, writer->choices, PIECES * header->boards);
    header->body_sum = writer->sum;
    header->head_sum = head_sum(header);
    return (good && !fseek(out, 0, SEEK_SET) && fwrite(header, sizeof *header, 1, out) == 1) ||
           error_set(error, "cannot write %.300s: %s.", writer->path, strerror(errno));
}

bool value_file_write(const char *path, const ValueHeader *header, const uint64_t *bits, const double *value,
                      const ValueRound *round, const uint8_t *choices, Error *error) {
    Writer *writer = malloc(sizeof *writer);
    if (!writer)
        return error_set(error, "Out of memory: cannot write %.300s.", path);
    writer->path = path;
    writer->header = *header;
    writer->bits = bits;
    writer->value = value;
    writer->round = round;
    writer->choices = choices;
    writer->sum = 1;
    bool good = replacing_write(path, true, put_file, writer, error);
    free(writer);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Reading

static bool check_kind(const ValueHeader *header, const char *name, ValueKind kind, Error *error) {
    if (header->byte_order != BYTE_ORDER_MARK)
        return error_set(error, "%.200s was made on a machine with another byte order: solve it again here.",
                         name);
    if (header->version != VERSION)
        return error_set(error, "%.200s has version %u of the format; this program reads version %d.", name,
                         header->version, VERSION);
    if (header->head_sum != head_sum(header))
        return error_set(error, "%.200s is damaged: the check sum of its head is wrong.", name);
    if (header->kind == (uint32_t)kind)
        return true;
    return error_set(
        error,
        kind == VALUES_FINAL
            ? "%.200s is a checkpoint, not a finished table: end it with 'tetralab solve --resume'."
            : "%.200s is not a checkpoint of 'tetralab solve'.",
        name);
}

// The check sums keep accidents out, not malice: everything that is counted on is checked.
static bool check_numbers(const ValueHeader *header) {
    bool good = header->width >= BOARD_MIN_WIDTH && header->width <= PACKED_MAX_WIDTH &&
                header->height >= BOARD_MIN_HEIGHT && header->height <= PACKED_MAX_CELLS &&
                header->width * header->height <= PACKED_MAX_CELLS && header->overflow <= OVERFLOW_TOUCH &&
                header->mirrored <= 1 && header->choices <= (header->kind == VALUES_CHECKPOINT) &&
                memchr(header->pieces, 0, sizeof header->pieces) && isfinite(header->mean) &&
                header->bound >= 0 && isfinite(header->seconds);
    for (int piece = 0; piece < PIECES; piece++)
        good = good && header->weight[piece] >= 0 && header->weight[piece] <= 1;
    return good && header->boards >= 1 && header->boards <= (uint64_t)1 << PACKED_MAX_CELLS;
}

static bool check_values(const ValueFile *file) {
    uint64_t set = 0, words = board_set_words(cells_of(file->header)), boards = file->header->boards;
    bool good = true;
    for (uint64_t i = 0; i < words; i++)
        set += (uint64_t)__builtin_popcountll(file->bits[i]);
    if (set != boards || !(file->bits[0] & 1))
        return false;
    for (uint64_t i = 0; file->values && i < boards; i++)
        good &= file->values[i] >= 0 && file->values[i] < INFINITY;
    for (uint64_t i = 0; file->checkpoint && i < boards; i++)
        good &= file->checkpoint[i] >= 0 && file->checkpoint[i] < (double)INFINITY;
    return good;
}

bool value_file_parse(ValueFile *file, const char *name, const void *bytes, size_t length, ValueKind kind,
                      Error *error) {
    const ValueHeader *header = bytes;
    if (length < sizeof magic || memcmp(bytes, magic, sizeof magic) != 0)
        return error_set(error, "%.200s is no file of values: 'tetralab solve' makes them.", name);
    if (length < sizeof *header)
        return error_set(error, "%.200s is cut off: it ends after %zu bytes.", name, length);
    if (!check_kind(header, name, kind, error))
        return false;
    if (!check_numbers(header))
        return error_set(error, "%.200s is damaged: its head holds impossible numbers.", name);
    uint64_t words = board_set_words(cells_of(header)) + value_words(header) + round_words(header);
    if (length != sizeof *header + 8 * words)
        return error_set(error, "%.200s is cut off or damaged: it has %zu bytes instead of %llu.", name,
                         length, (unsigned long long)(sizeof *header + 8 * words));
    file->header = header;
    file->bits = (const uint64_t *)(header + 1);
    const void *values = file->bits + board_set_words(cells_of(header));
    file->values = kind == VALUES_FINAL ? values : NULL;
    file->checkpoint = kind == VALUES_CHECKPOINT ? values : NULL;
    file->round = header->choices ? (const void *)(file->checkpoint + header->boards) : NULL;
    file->choices = header->choices ? (const void *)(file->round + 1) : NULL;
    return (value_file_sum(1, file->bits, words) == header->body_sum && check_values(file)) ||
           error_set(error, "%.200s is damaged: the check sum of its values is wrong.", name);
}

bool value_file_open(ValueFile *file, const char *path, ValueKind kind, Error *error) {
    *file = (ValueFile){0};
    int handle = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // does not wait for a pipe
    struct stat status;
    if (handle < 0 || fstat(handle, &status)) {
        int code = errno;
        if (handle >= 0)
            close(handle);
        return error_set(error, "cannot read %.300s: %s.", path, strerror(code));
    }
    if (S_ISREG(status.st_mode) && status.st_size > 0) {
        void *mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, handle, 0);
        file->mapped = mapped == MAP_FAILED ? NULL : mapped;
        file->length = (size_t)status.st_size;
    }
    close(handle);
    if (!file->mapped)
        return error_set(error, "%.200s is no file of values: 'tetralab solve' makes them.", path);
    return value_file_parse(file, path, file->mapped, file->length, kind, error);
}

void value_file_close(ValueFile *file) {
    if (file->mapped)
        munmap(file->mapped, file->length);
    *file = (ValueFile){0};
}

bool value_file_fits(const ValueFile *file, const char *name, const Rules *rules, Error *error) {
    const ValueHeader *header = file->header;
    char pieces[SHOWN], asked[SHOWN];
    bool same_pieces = rules->pieces.law == PIECES_INDEPENDENT;
    for (int piece = 0; piece < PIECES; piece++)
        same_pieces = same_pieces && header->weight[piece] == rules->pieces.weight[piece];
    if (header->width == (uint32_t)rules->width && header->height == (uint32_t)rules->height &&
        header->overflow == (uint32_t)rules->overflow && !rules->original && same_pieces)
        return true;
    const char *overflow = rules_overflow_name((Overflow)header->overflow);
    utf8_clean(pieces, sizeof pieces, header->pieces, strlen(header->pieces));
    utf8_clean(asked, sizeof asked, rules->pieces.name, strlen(rules->pieces.name));
    return error_set(error,
                     "%.120s is for --board %ux%u --overflow %s --pieces %s, not for %dx%d, %s overflow, %s "
                     "rules, pieces %s.",
                     name, header->width, header->height, overflow, pieces, rules->width, rules->height,
                     rules_overflow_name(rules->overflow), rules->original ? "original" : "simplified",
                     asked);
}
