// SPDX-License-Identifier: GPL-3.0-or-later
// Lists that grow one by one: their room doubles at powers of two, so that their length alone says how much
// there is.
#ifndef TETRALAB_BASE_LIST_H
#define TETRALAB_BASE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// Makes room for one more behind the `count` elements. -> list  the address of the pointer; NULL with 0 of
// them
// <- false: out of memory, and nothing has changed
static inline bool list_room(void *list, size_t count, size_t size) {
    enum { LEAST = 16 };
    void *now, *larger;
    if (count & (count - 1) || (count && count < LEAST))
        return true;
    memcpy(&now, list, sizeof now);
    larger = realloc(now, (count ? 2 * count : LEAST) * size);
    if (larger)
        memcpy(list, &larger, sizeof larger);
    return larger;
}

#endif
