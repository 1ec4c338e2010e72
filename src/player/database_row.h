// SPDX-License-Identifier: GPL-3.0-or-later
// A state and what is known about it as a row of the table "states" in the database.
//
//     rules        width, height, overflow, moves that end the game, original as decimal digits wwhhogo:
//                  1020000 is 10x20 lenient avoid simplified
//     board        cells are bits, row by row from the floor, the highest of a byte first; zero bytes at the
//                  end are left out
//     piece        its number
//     reward, placements, phases     those of Visit; bit p of the set is Placement p
//     puts         how often the state was put
//
// The first three are the key. Boards of one game that have the same lowest rows stand near each other, so
// that a batch touches few pages. The rules are those that decide which placements there are and what they
// lead to. Which pieces come how often is not among them.
#ifndef TETRALAB_PLAYER_DATABASE_ROW_H
#define TETRALAB_PLAYER_DATABASE_ROW_H

#include <sqlite3.h>

#include "player/database.h"

typedef struct Entry {
    int rules, piece, length;
    uint8_t cells[(BOARD_MAX_WIDTH * BOARD_MAX_HEIGHT + 7) / 8]; // `length` bytes, then zeros
    Visit visit;
    uint64_t puts;
} Entry;

// Sets the key; the rest becomes zero. <- false: such a state cannot be stored; the error says why
bool entry_set_key(Entry *entry, const Rules *rules, const Board *board, int piece, Error *error);
// <- false: planning cannot have found this
bool entry_set_visit(Entry *entry, const Visit *visit, Error *error);
int entry_compare(const void *a, const void *b); // keys of two entries, in the order of the table

// Sets the parameters of a query: the key, and the rest too if there are seven.
void row_write(sqlite3_stmt *query, const Entry *entry);
// Reads all columns, which may hold anything. <- false: there is no such state
bool row_read(sqlite3_stmt *query, VisitedState *state, Error *error);

#endif
