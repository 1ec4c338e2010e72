// SPDX-License-Identifier: GPL-3.0-or-later
// Random streams: xoshiro256** (Blackman & Vigna 2018), each seeded by hashing (seed, index, purpose)
// with SplitMix64. Game k of seed S has its own streams, so results depend neither on the number of
// threads nor on the order in which games are played. There is no hidden global state.
#ifndef TETRALAB_BASE_RANDOM_H
#define TETRALAB_BASE_RANDOM_H

#include <stdint.h>

typedef struct Random {
    uint64_t state[4];
} Random;

// What a stream is for; two purposes never share numbers.
typedef enum RandomPurpose {
    RANDOM_PIECES = 1,
    RANDOM_TIES = 2,
    RANDOM_TEST = 3,
    RANDOM_BOOTSTRAP = 4,
    RANDOM_SPLITTING = 5,
    RANDOM_OPTIMISER = 6, // what an optimiser draws
    RANDOM_LEARNING = 7,  // seeds of the games of each generation
    RANDOM_ATTACK = 8,    // empty cells of attack rows
    RANDOM_IMITATION = 9, // positions that a student learns from
    RANDOM_TD = 10        // seeds of the games that temporal differences learn from
} RandomPurpose;

// <- the stream of (seed, index, purpose).
Random random_stream(uint64_t seed, uint64_t index, RandomPurpose purpose);

static inline uint64_t random_rotate(uint64_t x, int k) {
    return (x << k) | (x >> (64 - k));
}

static inline uint64_t random_next(Random *random) {
    uint64_t *s = random->state;
    uint64_t result = random_rotate(s[1] * 5, 7) * 9, t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = random_rotate(s[3], 45);
    return result;
}

// <- an integer in [0, n). No value's probability is off by more than a factor 1 + n/2^32.
static inline uint32_t random_below(Random *random, uint32_t n) {
    return (uint32_t)(((random_next(random) >> 32) * n) >> 32);
}

// <- a number in [0, 1) with 53 random bits.
static inline double random_unit(Random *random) {
    return (double)(random_next(random) >> 11) * 0x1p-53;
}

// <- a standard normal number, by the polar method; keeps no second value. The same on every machine.
double random_normal(Random *random);

#endif
