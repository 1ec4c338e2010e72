// SPDX-License-Identifier: GPL-3.0-or-later
// FNV-1a, 64 bits (Fowler, Noll & Vo): a number for a text or a row of numbers, the same on every machine.
// For check sums and names; nobody who wants two texts with one number is kept from finding them.
#ifndef TETRALAB_BASE_HASH_H
#define TETRALAB_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define HASH_EMPTY UINT64_C(0xcbf29ce484222325) // of nothing

// <- of what `hash` is of, and one more byte (or number) behind it
static inline uint64_t hash_one(uint64_t hash, uint64_t value) {
    return (hash ^ value) * UINT64_C(0x100000001b3);
}

static inline uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        hash = hash_one(hash, ((const unsigned char *)bytes)[i]);
    return hash;
}

#endif
