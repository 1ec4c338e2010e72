// SPDX-License-Identifier: GPL-3.0-or-later
// Lane operations for AVX-512; see lanes.h.
#ifndef TETRALAB_FEATURE_LANES_AVX512_H
#define TETRALAB_FEATURE_LANES_AVX512_H

#include <immintrin.h>

typedef __m512i W;
typedef __mmask16 WM;
#define W_GATHERS

INLINE W w_set(int x) {
    return _mm512_set1_epi32(x);
}
INLINE W w_load(const void *p) {
    return _mm512_loadu_si512(p);
}
INLINE void w_store(void *p, W a) {
    _mm512_storeu_si512(p, a);
}
INLINE W w_and(W a, W b) {
    return _mm512_and_si512(a, b);
}
INLINE W w_or(W a, W b) {
    return _mm512_or_si512(a, b);
}
INLINE W w_xor(W a, W b) {
    return _mm512_xor_si512(a, b);
}
INLINE W w_andnot(W a, W b) {
    return _mm512_andnot_si512(a, b);
} // ~a & b
INLINE W w_or_and(W a, W b, W c) {
    return _mm512_ternarylogic_epi32(a, b, c, 0xf8);
} // a | (b & c)
INLINE W w_and3(W a, W b, W c) {
    return _mm512_ternarylogic_epi32(a, b, c, 0x80);
}
INLINE W w_or3(W a, W b, W c) {
    return _mm512_ternarylogic_epi32(a, b, c, 0xfe);
}
INLINE W w_xor3(W a, W b, W c) {
    return _mm512_ternarylogic_epi32(a, b, c, 0x96);
}
INLINE W w_majority(W a, W b, W c) {
    return _mm512_ternarylogic_epi32(a, b, c, 0xe8);
}
INLINE W w_add(W a, W b) {
    return _mm512_add_epi32(a, b);
}
INLINE W w_sub(W a, W b) {
    return _mm512_sub_epi32(a, b);
}
INLINE W w_multiply(W a, W b) {
    return _mm512_mullo_epi32(a, b);
}
INLINE W w_max(W a, W b) {
    return _mm512_max_epi32(a, b);
}
INLINE W w_min(W a, W b) {
    return _mm512_min_epi32(a, b);
}
INLINE W w_shl(W a, W n) {
    return _mm512_sllv_epi32(a, n);
} // n > 31 gives 0
INLINE W w_shr(W a, W n) {
    return _mm512_srlv_epi32(a, n);
}
#define w_shift_left(a, n)   _mm512_slli_epi32(a, n)
#define w_shift_right(a, n)  _mm512_srli_epi32(a, n)
#define w_shift_signed(a, n) _mm512_srai_epi32(a, n)
INLINE W w_popcount(W a) {
    return _mm512_popcnt_epi32(a);
}
INLINE W w_height(W a) {
    return _mm512_sub_epi32(_mm512_set1_epi32(32), _mm512_lzcnt_epi32(a));
}
INLINE W w_permute(W a, W index) {
    return _mm512_permutexvar_epi32(index, a);
}
// Bytes of a table with 64 entries, entry 0 being 0, for lanes below 64.
INLINE W w_lookup(const uint8_t *table, W index, bool additive) {
    (void)additive;
    return _mm512_permutexvar_epi8(index, _mm512_load_si512(table));
}
INLINE W w_gather(const int32_t *table, W index) {
    return _mm512_i32gather_epi32(index, table, 4);
}
// Pairs of numbers. <- the first ones; *second
INLINE W w_gather_pairs(const void *table, W index, W *second) {
    const W even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const W odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
    W low = _mm512_i32gather_epi64(_mm512_castsi512_si256(index), table, 8);
    W high = _mm512_i32gather_epi64(_mm512_extracti64x4_epi64(index, 1), table, 8);
    *second = _mm512_permutex2var_epi32(low, odd, high);
    return _mm512_permutex2var_epi32(low, even, high);
}
// A table of 32 entries in registers, by the five lowest bits of the lanes.
#define W_LOOKS_UP_32
INLINE W w_lookup_32(const int32_t *table, W index) {
    return _mm512_permutex2var_epi32(_mm512_loadu_si512(table), index, _mm512_loadu_si512(table + 16));
}
INLINE W w_lookup_8(const int32_t *table, W index) {
    return _mm512_permutexvar_epi32(index, _mm512_castsi256_si512(_mm256_loadu_si256((const void *)table)));
}
// Sums of each lane and all before it.
INLINE W w_running_sum(W a) {
    const W zero = _mm512_setzero_si512();
    a = _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 15));
    a = _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 14));
    a = _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 12));
    return _mm512_add_epi32(a, _mm512_alignr_epi32(a, zero, 8));
}
// lane j <- lane j ^ 2^k
INLINE W w_swap(W a, int k) {
    return k == 3   ? _mm512_shuffle_i64x2(a, a, 0x4e)
           : k == 2 ? _mm512_shuffle_i64x2(a, a, 0xb1)
           : k == 1 ? _mm512_shuffle_epi32(a, 0x4e)
                    : _mm512_shuffle_epi32(a, 0xb1);
}
INLINE int w_lane_0(W a) {
    return _mm_cvtsi128_si32(_mm512_castsi512_si128(a));
}
// Two 16-bit numbers in a lane, and their products with two 16-bit weights, added.
INLINE W w_pack(W low, W high) {
    return _mm512_mask_blend_epi16(0xaaaaaaaa, low, _mm512_slli_epi32(high, 16));
}
INLINE W w_dot(W sum, W pair, W weights) {
    return _mm512_dpwssd_epi32(sum, pair, weights);
}
// floor(a / b) for 0 <= a < 2^24 and b > 0, exact while a < 2^17.
INLINE W w_divide(W a, W b) {
    return _mm512_cvttps_epi32(_mm512_div_ps(_mm512_cvtepi32_ps(a), _mm512_cvtepi32_ps(b)));
}
INLINE WM w_greater(W a, W b) {
    return _mm512_cmpgt_epi32_mask(a, b);
}
INLINE WM w_equal(W a, W b) {
    return _mm512_cmpeq_epi32_mask(a, b);
}
INLINE WM w_nonzero(W a) {
    return _mm512_test_epi32_mask(a, a);
}
INLINE W w_select(WM m, W yes, W no) {
    return _mm512_mask_mov_epi32(no, m, yes);
}
INLINE W w_add_if(WM m, W a, W b) {
    return _mm512_mask_add_epi32(a, m, a, b);
}
INLINE W w_max_if(WM m, W a, W b) {
    return _mm512_mask_max_epi32(a, m, a, b);
}
INLINE WM wm_or(WM a, WM b) {
    return (WM)(a | b);
}
INLINE WM wm_and(WM a, WM b) {
    return (WM)(a & b);
}
INLINE uint32_t wm_bits(WM m) {
    return m;
}
INLINE WM wm_set(uint32_t bits) {
    return (WM)bits;
}
INLINE bool wm_any(WM m) {
    return m != 0;
}
INLINE int w_reduce_max(W a) {
    return _mm512_reduce_max_epi32(a);
}
INLINE uint32_t w_reduce_or(W a) {
    return (uint32_t)_mm512_reduce_or_epi32(a);
}
INLINE int w_reduce_add(W a) {
    return _mm512_reduce_add_epi32(a);
}

#ifdef LANES_AVX512_16
typedef __m512i V;
typedef __mmask32 VM;
#define V_LANES 32
#define V_BITS  16
#define V_ROWS  12
INLINE V v_set(int x) {
    return _mm512_set1_epi16((short)x);
}
INLINE V v_and(V a, V b) {
    return _mm512_and_si512(a, b);
}
INLINE V v_or(V a, V b) {
    return _mm512_or_si512(a, b);
}
INLINE V v_xor(V a, V b) {
    return _mm512_xor_si512(a, b);
}
INLINE V v_andnot(V a, V b) {
    return _mm512_andnot_si512(a, b);
}
INLINE V v_or_and(V a, V b, V c) {
    return w_or_and(a, b, c);
}
INLINE V v_and3(V a, V b, V c) {
    return w_and3(a, b, c);
}
INLINE V v_or3(V a, V b, V c) {
    return w_or3(a, b, c);
}
INLINE V v_add(V a, V b) {
    return _mm512_add_epi16(a, b);
}
INLINE V v_sub(V a, V b) {
    return _mm512_sub_epi16(a, b);
}
INLINE V v_max(V a, V b) {
    return _mm512_max_epi16(a, b);
}
INLINE V v_min(V a, V b) {
    return _mm512_min_epi16(a, b);
}
INLINE V v_multiply(V a, V b) {
    return _mm512_mullo_epi16(a, b);
}
INLINE V v_shl(V a, V n) {
    return _mm512_sllv_epi16(a, n);
}
INLINE V v_shr(V a, V n) {
    return _mm512_srlv_epi16(a, n);
}
#define v_shift_left(a, n)  _mm512_slli_epi16(a, n)
#define v_shift_right(a, n) _mm512_srli_epi16(a, n)
INLINE V v_popcount(V a) {
    return _mm512_popcnt_epi16(a);
}
// index: bytes, so that 16-bit lanes move in pairs of bytes
INLINE V v_permute(V a, V index) {
    return _mm512_permutexvar_epi8(index, a);
}
INLINE V v_lookup(const uint8_t *table, V index, bool additive) {
    return w_lookup(table, index, additive);
}
INLINE VM v_greater(V a, V b) {
    return _mm512_cmpgt_epi16_mask(a, b);
}
INLINE VM v_nonzero(V a) {
    return _mm512_test_epi16_mask(a, a);
}
INLINE V v_select(VM m, V yes, V no) {
    return _mm512_mask_mov_epi16(no, m, yes);
}
INLINE V v_add_if(VM m, V a, V b) {
    return _mm512_mask_add_epi16(a, m, a, b);
}
INLINE V v_count_if(VM m, V a) {
    return v_add_if(m, a, v_set(1));
}
#define v_count4(bits, row, down) v_popcount(bits)
INLINE VM vm_or(VM a, VM b) {
    return a | b;
}
INLINE VM vm_and(VM a, VM b) {
    return a & b;
}
INLINE uint32_t vm_bits(VM m) {
    return m;
}
INLINE bool vm_any(VM m) {
    return m != 0;
}
INLINE __m256i mean_depth_256(__m256i depth, __m256i holes) {
    W d = _mm512_slli_epi32(_mm512_cvtepu16_epi32(depth), 8), n = _mm512_cvtepu16_epi32(holes);
    return _mm512_cvtepi32_epi16(w_divide(d, w_max(n, w_set(1))));
}
INLINE V v_mean_depth(V depth, V holes) {
    __m256i low = mean_depth_256(_mm512_castsi512_si256(depth), _mm512_castsi512_si256(holes));
    __m256i high = mean_depth_256(_mm512_extracti64x4_epi64(depth, 1), _mm512_extracti64x4_epi64(holes, 1));
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}
// 16 lanes of 32 bits, narrowed and doubled: lane j and lane 16 + j are lane j.
INLINE V v_narrow(W a) {
    return _mm512_broadcast_i64x4(_mm512_cvtepi32_epi16(a));
}
INLINE V v_load(const void *p) {
    return w_load(p);
}
INLINE void v_store(void *p, V a) {
    w_store(p, a);
}

// Sums: unpacking takes four lanes in turn.
#define SUM_PARTS 2
INLINE int sum_part(int lane) {
    return lane >> 2 & 1;
}
INLINE int sum_lane(int lane) {
    return (lane >> 3) * 4 + (lane & 3);
}
INLINE void sum_pairs(V first, V second, W pairs[SUM_PARTS]) {
    pairs[0] = _mm512_unpacklo_epi16(first, second);
    pairs[1] = _mm512_unpackhi_epi16(first, second);
}
INLINE V sum_join(const W parts[SUM_PARTS]) { // lanes below 1 << 15, in the order of V again
    return _mm512_packus_epi32(parts[0], parts[1]);
}
INLINE int v_lane_0(V a) {
    return w_lane_0(a) & 0xffff;
}
INLINE WM sum_mask(uint32_t lanes, int part) {
    return wm_set(_pext_u32(lanes, part ? 0xf0f0f0f0u : 0x0f0f0f0fu));
}
INLINE uint32_t sum_lanes(WM m, int part) {
    return _pdep_u32(wm_bits(m), part ? 0xf0f0f0f0u : 0x0f0f0f0fu);
}
#endif

#endif
