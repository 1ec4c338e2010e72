// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes for AVX-512 (BW, VL, BITALG, VNNI): 32 boards in a register.
#ifndef TETRALAB_FEATURE_LANES_AVX512_H
#define TETRALAB_FEATURE_LANES_AVX512_H

#include <immintrin.h>

#define KERNEL_NAME boards_avx512
#define LANES       32
#define LANE_MASKS
typedef __mmask16 SM;
LANE_TYPES(16, 64)

#define M(a)     ((__m512i)(a))
#define MM(name) _mm512_##name

INLINE V v_load(const void *from) {
    return (V)_mm512_loadu_si512(from);
}
#include "feature/lanes_wide.h"

INLINE V v_same(V a, V b) {
    return (V)_mm512_movm_epi16(_mm512_cmpeq_epi16_mask(M(a), M(b)));
}
INLINE V v_counts(V a) {
    return (V)_mm512_popcnt_epi16(M(a));
}
INLINE V v_total(V counts) {
    return counts;
}
INLINE bool v_any(V a) {
    return _mm512_test_epi16_mask(M(a), M(a)) != 0;
}
INLINE uint32_t v_lanes(V mask) {
    return _mm512_movepi16_mask(M(mask));
}

INLINE V v_down(V rows) {
    return rows;
}
INLINE V v_lower(V a, V down) {
    return (V)_mm512_srlv_epi16(M(a), M(down));
}

INLINE S s_dot(S sum, S pairs, S weights) {
    return (S)_mm512_dpwssd_epi32(M(sum), M(pairs), M(weights));
}
INLINE S s_gather(const int32_t *table, S index) {
    return (S)_mm512_i32gather_epi32(M(index), table, 4);
}
INLINE SM sm_greater(S a, S b) {
    return _mm512_cmpgt_epi32_mask(M(a), M(b));
}
INLINE S s_plus(S a, SM mask) { // one more where it is set
    return (S)_mm512_mask_sub_epi32(M(a), mask, M(a), _mm512_set1_epi32(-1));
}
INLINE S s_select(SM mask, S a, S b) {
    return (S)_mm512_mask_mov_epi32(M(b), mask, M(a));
}

// 8 numbers of each of four rows, each 8 rows after the one before.
INLINE V v_rows(const uint16_t (*row)[16], int part) {
    __m512i a = _mm512_castsi128_si512(_mm_loadu_si128((const __m128i *)(row[0] + part)));
    a = _mm512_inserti32x4(a, _mm_loadu_si128((const __m128i *)(row[8] + part)), 1);
    a = _mm512_inserti32x4(a, _mm_loadu_si128((const __m128i *)(row[16] + part)), 2);
    return (V)_mm512_inserti32x4(a, _mm_loadu_si128((const __m128i *)(row[24] + part)), 3);
}

INLINE Part part_of(const uint16_t *columns) {
    return (Part)_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)columns));
}

// A board's columns from a row on, in 16 bits.
INLINE void image_of(uint16_t image[16], const uint32_t column[16], int base) {
    __m512i a = _mm512_srl_epi32(_mm512_load_si512(column), _mm_cvtsi32_si128(base));
    _mm256_storeu_si256((__m256i *)image, _mm512_cvtepi32_epi16(a));
}

#undef M
#undef MM
#endif
