// SPDX-License-Identifier: GPL-3.0-or-later
// Lanes of 32 bits: boards as they are, of any height, in the vectors that compilers know. For boards whose
// surface does not fit the lanes of the kernels.
#ifndef TETRALAB_FEATURE_LANES_SINGLE_H
#define TETRALAB_FEATURE_LANES_SINGLE_H

#if defined LANES_AVX512 || defined LANES_AVX2
#include <immintrin.h>
#endif

#define KERNEL_NAME boards_single
#define LANES       1 // of a kernel; of these lanes there are
#if defined LANES_AVX512
enum { TALL = 16 };
#elif defined LANES_AVX2
enum { TALL = 8 };
#else
enum { TALL = 4 };
#endif
LANE_TYPES(32, 4 * TALL)

INLINE V v_max(V a, V b) {
    return v_select((V)(a > b), a, b);
}
INLINE V v_min(V a, V b) {
    return v_select((V)(a < b), a, b);
}
INLINE V v_max_signed(V a, V b) {
    return v_select((V)((I)a > (I)b), a, b);
}
INLINE V v_min_signed(V a, V b) {
    return v_select((V)((I)a < (I)b), a, b);
}
INLINE V v_minus(V a, V b) {
    return (V)(a > b) & (a - b);
}
INLINE V v_same(V a, V b) {
    return (V)(a == b);
}
INLINE V v_lookup(const LaneTable table, V index) {
    V found;
    for (int lane = 0; lane < TALL; lane++)
        found[lane] = table[index[lane] & 15];
    return found;
}
INLINE V v_popcount(V a) {
#if defined LANES_AVX512
    return (V)_mm512_popcnt_epi32((__m512i)a);
#elif defined LANES_AVX2
    const __m256i bits = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)lane_tables.bits));
    __m256i ones = _mm256_set1_epi8(1), low = _mm256_shuffle_epi8(bits, (__m256i)(a & 0x0f0f0f0f)),
            high = _mm256_shuffle_epi8(bits, (__m256i)((a >> 4) & 0x0f0f0f0f));
    __m256i pairs = _mm256_maddubs_epi16(_mm256_add_epi8(low, high), ones);
    return (V)_mm256_madd_epi16(pairs, _mm256_set1_epi16(1));
#else
    a -= (a >> 1) & 0x55555555;
    a = (a & 0x33333333) + ((a >> 2) & 0x33333333);
    a = (a + (a >> 4)) & 0x0f0f0f0f;
    a += a >> 8;
    return (a + (a >> 16)) & 63;
#endif
}
INLINE V v_counts(V a) {
    return v_popcount(a);
}
INLINE V v_total(V counts) {
    return counts;
}
INLINE bool v_any(V a) {
    uint64_t part[TALL / 2], any = 0;
    memcpy(part, &a, sizeof part);
    for (int k = 0; k < TALL / 2; k++)
        any |= part[k];
    return any != 0;
}
INLINE V v_down(V rows) {
    return rows;
}
INLINE V v_lower(V a, V down) {
    return (V)(down < 32) & (a >> (down & 31));
}
INLINE V v_divide(V a, V b) {
    return a / b;
}

typedef struct Sum {
    int64_t value[TALL];
} Sum;

INLINE void sum_start(Sum *sum) {
    memset(sum, 0, sizeof *sum);
}
INLINE void sum_pair(Sum *sum, V a, V b, PairWeights w) {
    int64_t first = (int64_t)(int16_t)w.high * 32768 + (w.low & 0x7fff);
    int64_t second = (int64_t)(w.high >> 16) * 32768 + (w.low >> 16);
    for (int lane = 0; lane < TALL; lane++)
        sum->value[lane] += (int32_t)a[lane] * first + (int32_t)b[lane] * second;
}
INLINE void sum_table(Sum *sum, const int32_t *table, V index) {
    for (int lane = 0; lane < TALL; lane++)
        sum->value[lane] += table[index[lane]];
}
INLINE void sum_upper_table(Sum *sum, const int32_t *table, V index) { // times 2^15
    for (int lane = 0; lane < TALL; lane++)
        sum->value[lane] += (int64_t)table[index[lane]] * 32768;
}

#endif
