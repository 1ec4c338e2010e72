// SPDX-License-Identifier: GPL-3.0-or-later
// Values of boards that were looked at before, or bounds of them: different orders of the same placements
// lead to the same board, and what was looked ahead is met again in the next move. Boards are compared as a
// whole, so that the table never changes a value; a new board takes the place of an older one. Part of
// expectimax.c.
#ifndef TETRALAB_PLAYER_EXPECTIMAX_TABLE_H
#define TETRALAB_PLAYER_EXPECTIMAX_TABLE_H

#include "game/board.h"

typedef struct LookupEntry {
    uint32_t column[BOARD_MAX_WIDTH];
    uint32_t kind; // what the value is: any number but 0
    bool below;    // it is below `value`, more is not known
    int64_t value;
} LookupEntry;

enum { TABLE_BITS = 14 }; // 1.1 MB: within the second cache

typedef struct LookupTable { // empty: all zero
    LookupEntry entry[1 << TABLE_BITS];
} LookupTable;

// <- the entry that holds this board's value or a bound of it, or the one to be filled (lookup_entry_is)
LookupEntry *lookup_find(LookupTable *table, const Board *board, uint32_t kind);
bool lookup_entry_is(const LookupEntry *entry, const Board *board, uint32_t kind);
void lookup_entry_set(LookupEntry *entry, const Board *board, uint32_t kind, int64_t value, bool below);

#endif
