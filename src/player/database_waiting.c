// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/database_waiting.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1024 };

void waiting_free(Waiting *waiting) {
    free(waiting->entry);
    free(waiting->order);
    free(waiting->slot);
    *waiting = (Waiting){0};
}

void waiting_clear(Waiting *waiting) {
    waiting->count = 0;
    if (waiting->slot)
        memset(waiting->slot, 0, 2 * (size_t)waiting->room * sizeof *waiting->slot);
}

// <- the slot of the key, or the empty one where it belongs
static uint32_t *find_slot(const Waiting *waiting, const EntryKey *key) {
    uint32_t mask = 2 * waiting->room - 1, at = (uint32_t)entry_hash(0, key->bytes, key->length) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t index = waiting->slot[at];
        if (!index)
            return &waiting->slot[at];
        const EntryKey *other = &waiting->entry[index - 1].key;
        if (other->length == key->length && !memcmp(other->bytes, key->bytes, key->length))
            return &waiting->slot[at];
    }
}

static bool grow(Waiting *waiting) {
    uint32_t room = waiting->room ? 2 * waiting->room : FIRST_ROOM;
    Waiting larger = {.room = room, .count = waiting->count};
    larger.entry = malloc(room * sizeof *larger.entry);
    larger.order = malloc(room * sizeof *larger.order);
    larger.slot = calloc(2 * (size_t)room, sizeof *larger.slot);
    if (!larger.entry || !larger.order || !larger.slot) {
        waiting_free(&larger);
        return false;
    }
    for (uint32_t i = 0; i < waiting->count; i++) {
        larger.entry[i] = waiting->entry[i];
        *find_slot(&larger, &larger.entry[i].key) = i + 1;
    }
    waiting_free(waiting);
    *waiting = larger;
    return true;
}

const WaitingEntry *waiting_find(const Waiting *waiting, const EntryKey *key) {
    uint32_t index = waiting->count ? *find_slot(waiting, key) : 0;
    return index ? &waiting->entry[index - 1] : NULL;
}

bool waiting_add(Waiting *waiting, const EntryKey *key, const EntryValue *value) {
    if (waiting->count == waiting->room && !grow(waiting))
        return false;
    uint32_t *slot = find_slot(waiting, key);
    if (*slot) {
        EntryValue *there = &waiting->entry[*slot - 1].value;
        *there = entry_combine(there, value);
        return true;
    }
    waiting->entry[waiting->count++] = (WaitingEntry){*key, *value};
    *slot = waiting->count;
    return true;
}

// The format is the same for all, so from the second byte on. Keys are followed by zeros.
static uint64_t first_bytes(const EntryKey *key) {
    uint64_t first = 0;
    for (int i = 1; i <= 8; i++)
        first = first << 8 | key->bytes[i];
    return first;
}

static int compare(const void *a, const void *b) {
    const WaitingPlace *p = a, *q = b;
    if (p->first != q->first)
        return p->first < q->first ? -1 : 1;
    const EntryKey *x = &p->entry->key, *y = &q->entry->key;
    int order = memcmp(x->bytes, y->bytes, x->length < y->length ? x->length : y->length);
    return order ? order : (int)x->length - (int)y->length;
}

const WaitingPlace *waiting_sorted(Waiting *waiting) {
    for (uint32_t i = 0; i < waiting->count; i++)
        waiting->order[i] = (WaitingPlace){first_bytes(&waiting->entry[i].key), &waiting->entry[i]};
    if (waiting->count)
        qsort(waiting->order, waiting->count, sizeof *waiting->order, compare);
    return waiting->order;
}
