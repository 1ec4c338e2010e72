// SPDX-License-Identifier: GPL-3.0-or-later
// States that wait to be committed to the database: a hash table of entries.
#ifndef TETRALAB_PLAYER_DATABASE_WAITING_H
#define TETRALAB_PLAYER_DATABASE_WAITING_H

#include "player/database_entry.h"

typedef struct WaitingEntry {
    EntryKey key;
    EntryValue value;
} WaitingEntry;

typedef struct WaitingPlace {
    uint64_t first; // bytes of the key: most comparisons end with them
    const WaitingEntry *entry;
} WaitingPlace;

typedef struct Waiting {
    WaitingEntry *entry; // owned, like the others; `count` of `room`
    WaitingPlace *order;
    uint32_t *slot; // 2 * room of them: index of an entry + 1, or 0
    uint32_t count, room;
} Waiting; // starts as zeros

void waiting_free(Waiting *waiting);
void waiting_clear(Waiting *waiting);

// <- the entry, or NULL; valid until the next waiting_add
const WaitingEntry *waiting_find(const Waiting *waiting, const EntryKey *key);
// Adds, or combines with what is there. <- false: out of memory, nothing has changed
bool waiting_add(Waiting *waiting, const EntryKey *key, const EntryValue *value);
// <- all entries in the order of their keys, valid until the next change
const WaitingPlace *waiting_sorted(Waiting *waiting);

#endif
