// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/expectimax_table.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { TABLE_BITS = 14 }; // 1.1 MB: within the second cache

struct TableStore {
    pthread_mutex_t lock;
    LookupTable *first;
};

TableStore *table_store_new(void) {
    TableStore *store = calloc(1, sizeof *store);
    if (store && pthread_mutex_init(&store->lock, NULL)) {
        free(store);
        return NULL;
    }
    return store;
}

static void free_table(LookupTable *table) {
    free(table->entry);
    free(table);
}

void table_store_free(TableStore *store) {
    if (!store)
        return;
    for (LookupTable *table = store->first, *next; table; table = next) {
        next = table->next;
        free_table(table);
    }
    pthread_mutex_destroy(&store->lock);
    free(store);
}

static LookupTable *new_table(void) {
    LookupTable *table = calloc(1, sizeof *table);
    if (table && !(table->entry = calloc((size_t)1 << TABLE_BITS, sizeof *table->entry))) {
        free(table);
        return NULL;
    }
    return table;
}

LookupTable *table_store_take(TableStore *store) {
    pthread_mutex_lock(&store->lock);
    LookupTable *table = store->first;
    if (table)
        store->first = table->next;
    pthread_mutex_unlock(&store->lock);
    return table ? table : new_table();
}

void table_store_give(TableStore *store, LookupTable *table) {
    if (!table)
        return;
    pthread_mutex_lock(&store->lock);
    table->next = store->first;
    store->first = table;
    pthread_mutex_unlock(&store->lock);
}

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
