// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes in registers of 128 bits, 8 boards in each: SSE4.2, NEON and WebAssembly SIMD; and portable vectors
// (LANES_PLAIN), which the compiler maps to what the machine has.
#ifndef TETRALAB_FEATURE_LANES_128_H
#define TETRALAB_FEATURE_LANES_128_H

#define LANES 8
LANE_TYPES(16, 16)
typedef uint8_t Bytes __attribute__((vector_size(16)));

#ifdef LANES_PLAIN
#define KERNEL_NAME boards_plain
#else
#define KERNEL_NAME boards_128
#if defined __SSE4_2__
#include <immintrin.h>
#elif defined __aarch64__
#include <arm_neon.h>
#elif defined __wasm_simd128__
#include <wasm_simd128.h>
#endif
#endif

// What machines do in one instruction and vectors of the language do not say: BY(SSE, NEON, WebAssembly,
// plain).
#if defined LANES_PLAIN
#define BY(sse, neon, wasm, plain) plain
#elif defined __SSE4_2__
#define BY(sse, neon, wasm, plain) (V) sse
#elif defined __aarch64__
#define BY(sse, neon, wasm, plain) (V) neon
#else
#define BY(sse, neon, wasm, plain) (V) wasm
#endif

INLINE V v_load(const void *from) {
    V a;
    memcpy(&a, from, sizeof a);
    return a;
}
#define OF_TWO(name, sse, neon, T, wasm, plain)                                                              \
    INLINE V name(V a, V b) {                                                                                \
        return BY(_mm_##sse((__m128i)a, (__m128i)b), v##neon((T)a, (T)b), wasm_##wasm((v128_t)a, (v128_t)b), \
                  plain);                                                                                    \
    }
OF_TWO(v_max, max_epu16, maxq_u16, uint16x8_t, u16x8_max, v_select((V)(a > b), a, b))
OF_TWO(v_min, min_epu16, minq_u16, uint16x8_t, u16x8_min, v_select((V)(a < b), a, b))
OF_TWO(v_max_signed, max_epi16, maxq_s16, int16x8_t, i16x8_max, v_select(v_greater(a, b), a, b))
OF_TWO(v_min_signed, min_epi16, minq_s16, int16x8_t, i16x8_min, v_select(v_greater(b, a), a, b))
OF_TWO(v_minus, subs_epu16, qsubq_u16, uint16x8_t, u16x8_sub_sat, v_max(a, b) - b)
#undef OF_TWO
INLINE V v_same(V a, V b) {
    return (V)(a == b);
}
#ifdef LANES_PLAIN
INLINE V v_lookup(const LaneTable table, V index) {
    V a;
    for (int lane = 0; lane < LANES; lane++)
        a[lane] = table[index[lane] & 15];
    return a;
}
#else
INLINE V v_lookup(const LaneTable table, V index) {
    V entries = v_load(table);
    return BY(_mm_shuffle_epi8((__m128i)entries, (__m128i)index),
              vqtbl1q_u8((uint8x16_t)entries, (uint8x16_t)index),
              wasm_i8x16_swizzle((v128_t)entries, (v128_t)index), index);
}
#endif
INLINE V v_lookup_4(const LaneTable table, V index) {
    return v_lookup(table, BY(index, index & 15, index & 15, index));
}
#ifdef LANES_PLAIN
INLINE V v_counts(V a) {
    a -= (a >> 1) & 0x5555;
    a = (a & 0x3333) + ((a >> 2) & 0x3333);
    return (a + (a >> 4)) & 0x0f0f;
}
#else
INLINE V v_counts(V a) {
    return BY(v_lookup(lane_tables.bits, a & v_load(lane_tables.nibbles)) +
                  v_lookup(lane_tables.bits, (a >> 4) & v_load(lane_tables.nibbles)),
              vcntq_u8((uint8x16_t)a), wasm_i8x16_popcnt((v128_t)a), a);
}
#endif
INLINE V v_total(V counts) {
    return BY(_mm_maddubs_epi16((__m128i)counts, _mm_set1_epi8(1)), vpaddlq_u8((uint8x16_t)counts),
              wasm_u16x8_extadd_pairwise_u8x16((v128_t)counts), (counts + (counts >> 8)) & 255);
}
INLINE bool v_any(V a) {
    uint64_t half[2];
    memcpy(half, &a, sizeof half);
    return (half[0] | half[1]) != 0;
}
INLINE uint32_t v_lanes(V mask) {
#if defined __SSE4_2__ && !defined LANES_PLAIN
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)mask, _mm_setzero_si128()));
#elif defined __wasm_simd128__ && !defined LANES_PLAIN
    return wasm_i16x8_bitmask((v128_t)mask);
#else
    uint32_t lanes = 0;
    for (int lane = 0; lane < LANES; lane++)
        lanes |= (uint32_t)(mask[lane] & 1) << lane;
    return lanes;
#endif
}

#if defined __SSE4_2__ && !defined LANES_PLAIN // Down = 2^(15 - rows): a shift is a multiplication
INLINE V v_down(V rows) {
    return (v_lookup(lane_tables.power_low, rows) & 0x00ff) | v_lookup(lane_tables.power_high, rows) << 8;
}
INLINE V v_lower(V a, V down) {
    return (V)_mm_mulhi_epu16((__m128i)(a + a), (__m128i)down);
}
#elif defined __aarch64__ && !defined LANES_PLAIN
INLINE V v_down(V rows) {
    return -rows;
}
INLINE V v_lower(V a, V down) {
    return (V)vshlq_u16((uint16x8_t)a, (int16x8_t)down);
}
#else // bit by bit
INLINE V v_down(V rows) {
    return rows;
}
INLINE V v_lower(V a, V down) {
    for (int k = 0; k < 4; k++) {
        V moved = v_same(down & v_set(1 << k), v_set(0));
        a = v_select(moved, a, a >> (1 << k));
    }
    return a;
}
#endif

INLINE S s_set(int32_t a) {
    return (S){a, a, a, a};
}
#define ZIP(name, type, ...)                                                                                 \
    INLINE V name(V a, V b) {                                                                                \
        typedef type T __attribute__((vector_size(16)));                                                     \
        return (V)__builtin_shufflevector((T)a, (T)b, __VA_ARGS__);                                          \
    }
ZIP(zip_16_low, uint16_t, 0, 8, 1, 9, 2, 10, 3, 11)
ZIP(zip_16_high, uint16_t, 4, 12, 5, 13, 6, 14, 7, 15)
ZIP(zip_32_low, uint32_t, 0, 4, 1, 5)
ZIP(zip_32_high, uint32_t, 2, 6, 3, 7)
ZIP(zip_64_low, uint64_t, 0, 2)
ZIP(zip_64_high, uint64_t, 1, 3)
#undef ZIP
INLINE S s_dot(S sum, S pairs, S weights) {
#if defined __SSE4_2__ && !defined LANES_PLAIN
    return sum + (S)_mm_madd_epi16((__m128i)pairs, (__m128i)weights);
#elif defined __wasm_simd128__ && !defined LANES_PLAIN
    return sum + (S)wasm_i32x4_dot_i16x8((v128_t)pairs, (v128_t)weights);
#else
    return sum + (pairs << 16 >> 16) * (weights << 16 >> 16) + (pairs >> 16) * (weights >> 16);
#endif
}
INLINE S s_gather(const int32_t *table, S index) {
    return (S){table[index[0]], table[index[1]], table[index[2]], table[index[3]]};
}
INLINE S s_select(SM mask, S a, S b) {
    return (mask & a) | (~mask & b);
}
INLINE S s_max(S a, S b) {
    return (S)BY(_mm_max_epi32((__m128i)a, (__m128i)b), vmaxq_s32((int32x4_t)a, (int32x4_t)b),
                 wasm_i32x4_max((v128_t)a, (v128_t)b), s_select(a > b, a, b));
}
INLINE S s_min(S a, S b) {
    return (S)BY(_mm_min_epi32((__m128i)a, (__m128i)b), vminq_s32((int32x4_t)a, (int32x4_t)b),
                 wasm_i32x4_min((v128_t)a, (v128_t)b), s_select(a < b, a, b));
}

INLINE V v_rows(const uint16_t (*row)[16], int part) {
    return v_load(row[0] + part);
}

INLINE Part part_of(const uint16_t *columns) {
    return (Part){columns[0], columns[1], columns[2], columns[3]};
}

// A board's columns from a row on, in 16 bits.
INLINE void image_of(uint16_t image[16], const uint32_t column[16], int base) {
    for (int x = 0; x < 16; x++)
        image[x] = (uint16_t)(column[x] >> base);
}

#undef BY
#endif
