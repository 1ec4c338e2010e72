// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"

#include <math.h>

#include "base/portable.h"

static uint64_t split_mix(uint64_t *x) {
    uint64_t z = (*x += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
}

// Each word of (seed, index, purpose) passes through the mixer before the next one is added: without
// that, (seed, index + 1) and (seed + 1, index) would share a stream.
Random random_stream(uint64_t seed, uint64_t index, RandomPurpose purpose) {
    uint64_t x = seed;
    x = split_mix(&x) ^ index;
    x = split_mix(&x) ^ (uint64_t)purpose;
    Random random;
    for (int i = 0; i < 4; i++)
        random.state[i] = split_mix(&x);
    return random;
}

double random_normal(Random *random) {
    for (;;) {
        double x = 2 * random_unit(random) - 1, y = 2 * random_unit(random) - 1, square = x * x + y * y;
        if (square > 0 && square < 1)
            return x * sqrt(-2 * portable_log(square) / square);
    }
}
