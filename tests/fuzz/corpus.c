// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target without libFuzzer, hence with any compiler: every example whole, then as many times as
// ROUNDS says with a few bytes changed, taken out, repeated or cut off. Always the same inputs. Usage:
// corpus_NAME ROUNDS FILE...
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A block of its own for each input, so that the sanitizer sees a read past its end.
static void try_input(const uint8_t *data, size_t size) {
    uint8_t *copy = malloc(size ? size : 1);
    if (!copy)
        abort();
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static void change(uint8_t *data, size_t *size, Random *random) {
    size_t at = random_below(random, (uint32_t)*size), rest = *size - at;
    size_t length = 1 + random_below(random, rest < 16 ? (uint32_t)rest : 16);
    static const char telling[] = "\0\n\"{}[],:-.0129eEx# \xff";
    switch (random_below(random, 5)) {
    case 0:
        data[at] ^= (uint8_t)(1u << random_below(random, 8));
        return;
    case 1:
        data[at] = (uint8_t)telling[random_below(random, sizeof telling - 1)];
        return;
    case 2: // taken out
        memmove(data + at, data + at + length, rest - length);
        *size -= length;
        return;
    case 3: // repeated
        memmove(data + at + length, data + at, rest);
        *size += length;
        return;
    default:
        *size = at;
    }
}

static size_t read_file(const char *path, uint8_t *data, size_t room) {
    FILE *file = fopen(path, "rb");
    if (!file) {
        fprintf(stderr, "corpus: cannot read %s: %s.\n", path, strerror(errno));
        exit(2);
    }
    size_t size = fread(data, 1, room, file);
    fclose(file);
    return size;
}

int main(int argc, char **argv) {
    enum { ROOM = 1 << 20, CHANGES = 4 };
    static uint8_t example[ROOM], input[ROOM + 16 * CHANGES];
    long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    Random random = random_stream(1, 0, RANDOM_TEST);
    try_input(input, 0);
    for (int a = 2; a < argc; a++) {
        size_t whole = read_file(argv[a], example, ROOM);
        try_input(example, whole);
        for (long r = 0; r < rounds; r++) {
            size_t size = whole;
            memcpy(input, example, whole);
            for (uint32_t left = 1 + random_below(&random, CHANGES); left && size; left--)
                change(input, &size, &random);
            try_input(input, size);
        }
    }
    printf("%d examples, each %ld times with changes.\n", argc - 2, rounds);
    return 0;
}
