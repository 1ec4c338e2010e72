// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/database_waiting.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

void waiting_free(Waiting *waiting) {
    free(waiting->entry);
    free(waiting->slot);
}

// <- the slot of the key, or the empty one where it belongs
static uint32_t *find_slot(const Waiting *waiting, const Entry *key) {
    uint32_t mask = 2 * waiting->room - 1, at = (uint32_t)entry_hash(key) & mask;
    while (waiting->slot[at] && entry_compare(&waiting->entry[waiting->slot[at] - 1], key))
        at = (at + 1) & mask;
    return &waiting->slot[at];
}

void waiting_index(Waiting *waiting) {
    if (!waiting->room)
        return;
    memset(waiting->slot, 0, 2 * (size_t)waiting->room * sizeof *waiting->slot);
    for (uint32_t i = 0; i < waiting->count; i++)
        *find_slot(waiting, &waiting->entry[i]) = i + 1;
}

static bool grow(Waiting *waiting) {
    uint32_t room = waiting->room ? 2 * waiting->room : FIRST_ROOM;
    Entry *entry = realloc(waiting->entry, room * sizeof *entry);
    waiting->entry = entry ? entry : waiting->entry;
    uint32_t *slot = entry ? realloc(waiting->slot, 2 * (size_t)room * sizeof *slot) : NULL;
    if (!slot)
        return false;
    waiting->slot = slot;
    waiting->room = room;
    waiting_index(waiting);
    return true;
}

const Entry *waiting_find(const Waiting *waiting, const Entry *key) {
    uint32_t index = waiting->count ? *find_slot(waiting, key) : 0;
    return index ? &waiting->entry[index - 1] : NULL;
}

bool waiting_add(Waiting *waiting, const Entry *entry) {
    if (waiting->count == waiting->room && !grow(waiting))
        return false;
    uint32_t *slot = find_slot(waiting, entry);
    if (*slot) {
        entry_add(&waiting->entry[*slot - 1], entry);
    } else {
        waiting->entry[waiting->count++] = *entry;
        *slot = waiting->count;
    }
    return true;
}

static int compare(const void *a, const void *b) {
    return entry_compare(a, b);
}

void waiting_sort(Waiting *waiting) {
    if (waiting->count)
        qsort(waiting->entry, waiting->count, sizeof *waiting->entry, compare);
}
