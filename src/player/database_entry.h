// SPDX-License-Identifier: GPL-3.0-or-later
// How a state and what is known about it become bytes in the database.
//
//     key     format 1 | width | height | rules | cells, row by row from the floor | piece
//     value   reward, 8 bytes | placements, 8 | phases, 8 | times put, 4 | check sum of key and value, 4
//
// Numbers are little-endian, rewards are IEEE doubles. Cells are bits, the highest of a byte first; zero
// bytes at their end are left out. Boards of one game that have the same lowest rows stand near each other,
// so that a batch touches few pages. The rules that the key holds are those that decide which placements
// there are and what they lead to: size, overflow, moves that end the game, simplified or original. Which
// pieces come how often is not among them.
#ifndef TETRALAB_PLAYER_DATABASE_ENTRY_H
#define TETRALAB_PLAYER_DATABASE_ENTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "game/rules.h"
#include "player/database.h"

enum {
    ENTRY_FORMAT = 1,
    ENTRY_HEAD = 4,                                             // bytes before the cells
    ENTRY_CELLS = (BOARD_MAX_WIDTH * BOARD_MAX_HEIGHT + 7) / 8, // the most
    ENTRY_KEY_MAX = ENTRY_HEAD + ENTRY_CELLS + 1,
    ENTRY_VALUE = 32, // bytes
    ENTRY_RULES = 64  // room for rules as text
};

typedef struct EntryKey {
    uint8_t length, bytes[ENTRY_KEY_MAX];
} EntryKey;

// What the database knows about a state.
typedef struct EntryValue {
    Visit visit;
    uint32_t puts; // how often it was put; stops at its largest value
} EntryValue;

// A key, read.
typedef struct EntryState {
    char rules[ENTRY_RULES]; // "10x20 lenient avoid simplified"
    int width, height, piece;
    Board board;
} EntryState;

// <- false: such a state cannot be stored; the error says why
bool entry_key(EntryKey *key, const Rules *rules, const Board *board, int piece, Error *error);
// Is this a visit that the state of the key can have?
bool entry_check_visit(const EntryKey *key, const Visit *visit, Error *error);

EntryValue entry_combine(const EntryValue *a, const EntryValue *b);
void entry_pack(uint8_t out[ENTRY_VALUE], const EntryKey *key, const EntryValue *value);

// Both read what stands in a file: anything. <- false: the error says what is wrong with it
bool entry_read_state(EntryState *state, const void *key, size_t length, Error *error);
bool entry_read_value(EntryValue *value, const void *key, size_t key_length, const void *bytes, size_t length,
                      Error *error);

uint64_t entry_hash(uint64_t hash, const void *bytes, size_t length); // start with 0
// The entry that says what the file is; it comes before all others.
enum { ENTRY_MARK_KEY = 9, ENTRY_MARK_VALUE = 16 };
extern const uint8_t entry_mark_key[ENTRY_MARK_KEY + 1], entry_mark_value[ENTRY_MARK_VALUE + 1];
// <- false: the error says what the file is instead
bool entry_check_mark(const void *key, size_t key_length, const void *value, size_t value_length,
                      Error *error);

#endif
