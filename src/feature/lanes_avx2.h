// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes for AVX2: 16 boards in a register.
#ifndef TETRALAB_FEATURE_LANES_AVX2_H
#define TETRALAB_FEATURE_LANES_AVX2_H

#include <immintrin.h>

#define KERNEL_NAME boards_avx2
#define LANES       16
LANE_TYPES(16, 32)

#define M(a)     ((__m256i)(a))
#define MM(name) _mm256_##name

INLINE V v_load(const void *from) {
    return (V)_mm256_loadu_si256(from);
}
#include "feature/lanes_wide.h"

INLINE V v_same(V a, V b) {
    return (V)_mm256_cmpeq_epi16(M(a), M(b));
}
INLINE V v_counts(V a) {
    V nibbles = v_load(lane_tables.nibbles);
    return v_lookup(lane_tables.bits, a & nibbles) + v_lookup(lane_tables.bits, (a >> 4) & nibbles);
}
INLINE V v_total(V counts) {
    return (V)_mm256_maddubs_epi16(M(counts), _mm256_set1_epi8(1));
}
INLINE bool v_any(V a) {
    return !_mm256_testz_si256(M(a), M(a));
}
INLINE uint32_t v_lanes(V mask) {
    uint32_t bits = (uint32_t)_mm256_movemask_epi8(_mm256_packs_epi16(M(mask), _mm256_setzero_si256()));
    return (bits | bits >> 8) & 0xffff;
}

// Down = 2^(15 - rows): a shift is a multiplication.
INLINE V v_down(V rows) {
    return (v_lookup(lane_tables.power_low, rows) & 0x00ff) | v_lookup(lane_tables.power_high, rows) << 8;
}
INLINE V v_lower(V a, V down) {
    return (V)_mm256_mulhi_epu16(M(a + a), M(down));
}

INLINE S s_dot(S sum, S pairs, S weights) {
    return sum + (S)_mm256_madd_epi16(M(pairs), M(weights));
}
INLINE S s_gather(const int32_t *table, S index) {
    return (S)_mm256_i32gather_epi32(table, M(index), 4);
}
INLINE S s_select(SM mask, S a, S b) {
    return (S)_mm256_blendv_epi8(M(b), M(a), M(mask));
}

// 8 numbers of each of two rows that are 8 rows apart.
INLINE V v_rows(const uint16_t (*row)[16], int part) {
    const __m128i *first = (const __m128i *)(row[0] + part), *second = (const __m128i *)(row[8] + part);
    return (V)_mm256_inserti128_si256(_mm256_castsi128_si256(_mm_loadu_si128(first)), _mm_loadu_si128(second),
                                      1);
}

INLINE Part part_of(const uint16_t *columns) {
    return (Part)_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)columns));
}

// A board's columns from a row on, in 16 bits.
INLINE void image_of(uint16_t image[16], const uint32_t column[16], int base) {
    __m128i rows = _mm_cvtsi32_si128(base);
    __m256i a = _mm256_srl_epi32(_mm256_load_si256((const __m256i *)column), rows);
    __m256i b = _mm256_srl_epi32(_mm256_load_si256((const __m256i *)(column + 8)), rows);
    _mm256_storeu_si256((__m256i *)image, _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xd8));
}

#undef M
#undef MM
#endif
