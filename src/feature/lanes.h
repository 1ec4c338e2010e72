// SPDX-License-Identifier: GPL-3.0-or-later
// The little vocabulary in which the kernel is written: V holds one 16-bit number for each of LANES boards,
// and the usual operators work on it. What they do not say is a function in the header of each machine:
//
//   v_load v_store                 from and to any address
//   v_max v_min v_minus            unsigned; v_minus stops at 0; v_max_signed v_min_signed
//   v_same v_greater               masks: all bits of a lane; v_greater is signed
//   v_lookup                       table[index], index 0 ... 15; table[0] also lands in the upper bytes
//   v_lookup_4                     the same with the lower four of up to seven bits
//   v_counts v_total               set bits, in parts that may be added up; the sum of such parts
//   v_any v_lanes                  is any bit set? v_lanes: bit j is lane j of a mask
//   v_down v_lower                 a >> rows, by lane: v_lower(a, v_down(rows)); bit 15 of a may get lost
//   zip_16_low ... zip_64_high     interleave two vectors within blocks of 128 bits
//   v_rows                         parts of boards, for turning boards into columns
//   image_of                       a board's columns in 16 bits
//   part_of                        columns in 16 bits as some of a board: a Part
//
// Sums are exact. S holds a 32-bit number for half of the lanes; s_first and s_second interleave two V into
// pairs for the two halves, s_dot multiplies these with pairs of weights. A sum is high * 2^15 + low, weights
// are cut likewise: as long as the numbers of all features together stay below 2^16, neither part overflows.
//
//   LANES_AVX512  32 boards       LANES_128    8 boards: SSE4.2, NEON, WebAssembly SIMD
//   LANES_AVX2    16 boards       LANES_PLAIN  8 boards in the vectors that compilers know
//   LANES_SINGLE  besides: 4 to 16 boards in lanes of 32 bits, any height
#ifndef TETRALAB_FEATURE_LANES_H
#define TETRALAB_FEATURE_LANES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "feature/lane_tables.h"
#include "feature/rating_plan.h"

#ifdef __wasm__ // fewer bytes for the page: nothing is compiled for one case that another one covers
#define SMALL_KERNEL
#endif
#define INLINE static inline __attribute__((always_inline))
#if defined __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else // gcc leaves constant loops in without this
#define UNROLL _Pragma("GCC unroll 8")
#endif

#define LANE_TYPES(bits, bytes)                                                                              \
    typedef uint##bits##_t V __attribute__((vector_size(bytes)));                                            \
    typedef int##bits##_t I __attribute__((vector_size(bytes)));                                             \
    typedef int32_t S __attribute__((vector_size(bytes)));                                                   \
    typedef uint32_t Part __attribute__((vector_size(bytes), aligned(16), may_alias));                       \
    INLINE V v_set(int a) {                                                                                  \
        return (V){0} + (uint##bits##_t)a;                                                                   \
    }                                                                                                        \
    INLINE V v_select(V mask, V a, V b) {                                                                    \
        return (mask & a) | (~mask & b);                                                                     \
    }                                                                                                        \
    INLINE V v_greater(V a, V b) {                                                                           \
        return (V)((I)a > (I)b);                                                                             \
    }

#ifdef LANES_SINGLE
#include "feature/lanes_single.h"
#else

#if defined LANES_AVX512
#include "feature/lanes_avx512.h"
#elif defined LANES_AVX2
typedef int32_t SM __attribute__((vector_size(32)));
#include "feature/lanes_avx2.h"
#else
typedef int32_t SM __attribute__((vector_size(16)));
#include "feature/lanes_128.h"
#endif

INLINE void v_store(void *to, V a) {
    memcpy(to, &a, sizeof a);
}
INLINE S s_first(V a, V b) {
    return (S)zip_16_low(a, b);
}
INLINE S s_second(V a, V b) {
    return (S)zip_16_high(a, b);
}
#ifndef LANE_MASKS
INLINE SM sm_greater(S a, S b) {
    return a > b;
}
INLINE S s_plus(S a, SM mask) { // one more where it is set
    return a - mask;
}
#endif

// Rounded down: a quotient of two such numbers that is not whole is never rounded up to a whole one.
INLINE S s_divide(S a, S b) {
    typedef float F __attribute__((vector_size(sizeof(S))));
    return __builtin_convertvector(__builtin_convertvector(a, F) / __builtin_convertvector(b, F), S);
}
INLINE V v_divide(V a, V b) {
    S even = s_divide((S)a & 0xffff, (S)b & 0xffff);
    S odd = s_divide((S)a >> 16 & 0xffff, (S)b >> 16 & 0xffff);
    return (V)(even | odd << 16);
}

typedef struct Sum {
    S high[2], low[2];
    S more[2]; // whole numbers, of tables
} Sum;

INLINE void sum_start(Sum *sum) {
    for (int k = 0; k < 2; k++)
        sum->high[k] = sum->low[k] = sum->more[k] = s_set(0);
}
INLINE void sum_pair(Sum *sum, V a, V b, PairWeights w) {
    S first = s_first(a, b), second = s_second(a, b), high = s_set(w.high), low = s_set(w.low);
    sum->high[0] = s_dot(sum->high[0], first, high);
    sum->high[1] = s_dot(sum->high[1], second, high);
    sum->low[0] = s_dot(sum->low[0], first, low);
    sum->low[1] = s_dot(sum->low[1], second, low);
}
INLINE void sum_table(Sum *sum, const int32_t *table, V index) {
    V zero = v_set(0);
    sum->more[0] += s_gather(table, s_first(index, zero));
    sum->more[1] += s_gather(table, s_second(index, zero));
}
INLINE void sum_upper_table(Sum *sum, const int32_t *table, V index) { // times 2^15
    V zero = v_set(0);
    sum->high[0] += s_gather(table, s_first(index, zero));
    sum->high[1] += s_gather(table, s_second(index, zero));
}
INLINE void sum_settle(Sum *sum) { // no whole numbers left
    for (int k = 0; k < 2; k++) {
        sum->high[k] += sum->more[k] >> 15;
        sum->low[k] += sum->more[k] & 0x7fff;
        sum->more[k] = s_set(0);
    }
}
INLINE void sum_subtract(Sum *sum, const Sum *other) {
    for (int k = 0; k < 2; k++) {
        sum->high[k] -= other->high[k];
        sum->low[k] -= other->low[k];
        sum->more[k] -= other->more[k];
    }
}
// The sum as upper * 2^15 + lower, 0 <= lower < 2^15.
INLINE void sum_parts(const Sum *sum, bool tables, S upper[2], S lower[2]) {
    for (int k = 0; k < 2; k++) {
        S low = sum->low[k], high = sum->high[k];
        if (tables) {
            low += sum->more[k] & 0x7fff;
            high += sum->more[k] >> 15;
        }
        upper[k] = high + (low >> 15);
        lower[k] = low & 0x7fff;
    }
}
// Where a lane's number is in what the two halves are stored to, one after the other.
INLINE int half_place(int lane) {
    return (lane & 4 ? LANES / 2 : 0) + (lane >> 3) * 4 + (lane & 3);
}
#endif

#if LANES > 1
INLINE V v_popcount(V a) {
    return v_total(v_counts(a));
}
#endif
INLINE V v_nonzero(V a) {
    return ~v_same(a, v_set(0));
}
INLINE V lanes_of_rows(int rows) { // bits for so many rows
    return v_set(rows < 16 ? (1 << (rows < 0 ? 0 : rows)) - 1 : -1);
}
INLINE V v_one_if(V a) { // 1 where there is a bit
    return v_min(a, v_set(1));
}
INLINE V v_distance(V a, V b) {
    return v_max_signed(a, b) - v_min_signed(a, b);
}
INLINE V v_clip(V a, int most) { // to -most ... most, counted from 0
    return v_min_signed(v_max_signed(a + (uint16_t)most, v_set(0)), v_set(2 * most));
}
INLINE V v_fill_down(V a) { // all bits below the highest one, itself included
    a |= a >> 1;
    a |= a >> 2;
    a |= a >> 4;
    a |= a >> 8;
#if LANES == 1
    a |= a >> 16;
#endif
    return a;
}

#endif
