// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/expectimax_table.h"

#include <string.h>

LookupEntry *lookup_find(LookupTable *table, const Board *board, uint32_t kind) {
    uint64_t hash = kind;
    for (int x = 0; x < BOARD_MAX_WIDTH; x += 2) {
        uint64_t pair;
        memcpy(&pair, &board->column[x], sizeof pair);
        hash = (hash ^ pair) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 29;
    }
    return &table->entry[hash * 0x9e3779b97f4a7c15u >> (64 - TABLE_BITS)];
}

bool lookup_entry_is(const LookupEntry *entry, const Board *board, uint32_t kind) {
    return entry->kind == kind && memcmp(entry->column, board->column, sizeof entry->column) == 0;
}

void lookup_entry_set(LookupEntry *entry, const Board *board, uint32_t kind, int64_t value, bool below) {
    memcpy(entry->column, board->column, sizeof entry->column);
    entry->kind = kind;
    entry->value = value;
    entry->below = below;
}
