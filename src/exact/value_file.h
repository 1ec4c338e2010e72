// SPDX-License-Identifier: GPL-3.0-or-later
// Files of values: what every reachable board of a small game is worth. In this order, all in the byte order
// of the machine:
//
//      ValueHeader      rules, counts, check sums
//      bits             one per board that could be (exact/board_set.h)
//      values           one per board of the set: float, or double in a checkpoint; then zeros up to a
//                       multiple of eight bytes
//      ValueRound       in a checkpoint within a round of sweeps only, and behind it
//      choices          the best placement of each piece so far, a byte for each piece of each board; zeros
//
// A file is untrusted: it is used only if its length, its counts and its check sums are right and every value
// is finite and not negative.
#ifndef TETRALAB_EXACT_VALUE_FILE_H
#define TETRALAB_EXACT_VALUE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "game/rules.h"

typedef enum ValueKind {
    VALUES_FINAL = 1,     // to be played
    VALUES_CHECKPOINT = 2 // to be solved further
} ValueKind;

typedef struct ValueHeader {
    char magic[16];
    uint32_t version, byte_order;
    uint32_t kind; // ValueKind
    uint32_t width, height, overflow;
    uint32_t mirrored; // 1: of a board and its mirror image only the smaller word is in the set
    uint32_t choices;  // 1: a round and choices follow the values
    double weight[PIECES];
    char pieces[PIECE_SOURCE_NAME]; // as the user wrote it
    uint64_t boards;                // in the set
    uint64_t states;                // the same with mirror images
    uint64_t sweeps;
    double mean, bound, seconds;
    uint64_t body_sum, head_sum;
} ValueHeader;

// Where a round of sweeps was interrupted (exact/solving.c).
typedef struct ValueRound {
    uint64_t step, layers;      // which sweep of the round; layers of it that are done
    double change, last_change; // the most that the first sweep and the last whole one have raised a value
    double rise, largest;       // of the sweep under way: the most so far; the largest value
} ValueRound;

typedef struct ValueFile {
    const ValueHeader *header;
    const uint64_t *bits;
    const float *values;      // VALUES_FINAL
    const double *checkpoint; // VALUES_CHECKPOINT
    const ValueRound *round;  // of a checkpoint within a round; else NULL
    const uint8_t *choices;   // likewise; PIECES for each board, of which any may be wrong
    void *mapped;             // by value_file_open
    size_t length;
} ValueFile;

// <- a header with these rules; the counts are left 0
ValueHeader value_header(ValueKind kind, const Rules *rules, bool mirrored);

// Writes the whole file or leaves what was there.
// -> value           header->boards of them
// -> round, choices  with header->choices; else NULL
bool value_file_write(const char *path, const ValueHeader *header, const uint64_t *bits, const double *value,
                      const ValueRound *round, const uint8_t *choices, Error *error);

// The check sum of so many words of eight bytes that go on from those with the check sum `sum` (1: the first
// ones). body_sum is over everything behind the header, head_sum over everything before itself.
uint64_t value_file_sum(uint64_t sum, const void *words, size_t count);

// Looks at a file in memory (at an address that is a multiple of eight). The parts point into it.
// -> name  what to call it in messages
bool value_file_parse(ValueFile *file, const char *name, const void *bytes, size_t length, ValueKind kind,
                      Error *error);

// Maps a file and parses it. Close it also after an error.
bool value_file_open(ValueFile *file, const char *path, ValueKind kind, Error *error);
void value_file_close(ValueFile *file);

// Can values of independent pieces be right under these rules: same board, overflow and pieces?
bool value_file_fits(const ValueFile *file, const char *name, const Rules *rules, Error *error);

#endif
