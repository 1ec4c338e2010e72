// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for files of patterns: the check sum is put right first, else nothing behind it would ever be
// reached. What is accepted has a number for every pattern.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "patterns/patterns_file.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = {""};
    Patterns patterns;
    int32_t first;
    unsigned char *bytes = malloc(size ? size : 1); // its own block: reading past the end is seen
    require(bytes != NULL);
    memcpy(bytes, data, size);
    if (size >= 8) {
        uint64_t sum = hash_bytes(HASH_EMPTY, bytes, size - 8);
        for (int i = 0; i < 8; i++)
            bytes[size - 8 + (size_t)i] = (unsigned char)(sum >> 8 * i);
    }
    if (patterns_parse(&patterns, &first, "input.patterns", bytes, size, &error)) {
        for (size_t i = 0; i < patterns.size; i++)
            require(patterns.number[i] >= -PATTERNS_LARGEST && patterns.number[i] <= PATTERNS_LARGEST);
        patterns_free(&patterns);
    } else {
        require(error.text[0] != 0);
    }
    free(bytes);
    return 0;
}
