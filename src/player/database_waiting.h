// SPDX-License-Identifier: GPL-3.0-or-later
// States that wait to be committed to the database: a hash table of entries.
#ifndef TETRALAB_PLAYER_DATABASE_WAITING_H
#define TETRALAB_PLAYER_DATABASE_WAITING_H

#include "player/database_entry.h"

typedef struct Waiting {
    Entry *entry;   // owned, like the slots; `count` of `room`
    uint32_t *slot; // 2 * room of them: index of an entry + 1, or 0
    uint32_t count, room;
} Waiting; // starts as zeros

void waiting_free(Waiting *waiting);
// <- the entry, or NULL; valid until the next change
const Entry *waiting_find(const Waiting *waiting, const Entry *key);
// Adds, or combines with what is there. <- false: out of memory, nothing has changed
bool waiting_add(Waiting *waiting, const Entry *entry);
// In the order of the table a batch touches its pages one after the other. After sorting, or taking entries
// away, the table must be indexed again before something is found or added.
void waiting_sort(Waiting *waiting);
void waiting_index(Waiting *waiting);

#endif
