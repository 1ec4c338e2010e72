// SPDX-License-Identifier: GPL-3.0-or-later
// Lane operations for AVX2: 16 lanes in two registers; see lanes.h. A set of lanes is a vector of 0 and ~0.
#ifndef TETRALAB_FEATURE_LANES_AVX2_H
#define TETRALAB_FEATURE_LANES_AVX2_H

#include <immintrin.h>

typedef struct W {
    __m256i a, b; // lanes 0-7 and 8-15
} W;
typedef W WM;
#define W_GATHERS

#define BOTH(f, ...) ((W){f(x.a, ##__VA_ARGS__), f(x.b, ##__VA_ARGS__)})
#define EACH(f)      ((W){f(x.a, y.a), f(x.b, y.b)})

INLINE W w_set(int x) {
    return (W){_mm256_set1_epi32(x), _mm256_set1_epi32(x)};
}
INLINE W w_load(const void *p) {
    return (W){_mm256_loadu_si256(p), _mm256_loadu_si256((const __m256i *)p + 1)};
}
INLINE void w_store(void *p, W x) {
    _mm256_storeu_si256(p, x.a);
    _mm256_storeu_si256((__m256i *)p + 1, x.b);
}
INLINE W w_and(W x, W y) {
    return EACH(_mm256_and_si256);
}
INLINE W w_or(W x, W y) {
    return EACH(_mm256_or_si256);
}
INLINE W w_xor(W x, W y) {
    return EACH(_mm256_xor_si256);
}
INLINE W w_andnot(W x, W y) {
    return EACH(_mm256_andnot_si256);
}
INLINE W w_or_and(W a, W b, W c) {
    return w_or(a, w_and(b, c));
}
INLINE W w_and3(W a, W b, W c) {
    return w_and(a, w_and(b, c));
}
INLINE W w_or3(W a, W b, W c) {
    return w_or(a, w_or(b, c));
}
INLINE W w_xor3(W a, W b, W c) {
    return w_xor(a, w_xor(b, c));
}
INLINE W w_majority(W a, W b, W c) {
    return w_or(w_and(a, b), w_and(c, w_or(a, b)));
}
INLINE W w_add(W x, W y) {
    return EACH(_mm256_add_epi32);
}
INLINE W w_sub(W x, W y) {
    return EACH(_mm256_sub_epi32);
}
INLINE W w_multiply(W x, W y) {
    return EACH(_mm256_mullo_epi32);
}
INLINE W w_max(W x, W y) {
    return EACH(_mm256_max_epi32);
}
INLINE W w_min(W x, W y) {
    return EACH(_mm256_min_epi32);
}
INLINE W w_shl(W x, W y) {
    return EACH(_mm256_sllv_epi32);
}
INLINE W w_shr(W x, W y) {
    return EACH(_mm256_srlv_epi32);
}
INLINE W w_shift_left(W x, int n) {
    return BOTH(_mm256_slli_epi32, n);
}
INLINE W w_shift_right(W x, int n) {
    return BOTH(_mm256_srli_epi32, n);
}
INLINE W w_shift_signed(W x, int n) {
    return BOTH(_mm256_srai_epi32, n);
}
INLINE __m256i popcount_256(__m256i x) {
    const __m256i nibbles = _mm256_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, 0, 1, 1, 2, 1, 2,
                                             2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m256i low = _mm256_set1_epi8(15);
    __m256i bytes =
        _mm256_add_epi8(_mm256_shuffle_epi8(nibbles, _mm256_and_si256(x, low)),
                        _mm256_shuffle_epi8(nibbles, _mm256_and_si256(_mm256_srli_epi32(x, 4), low)));
    return _mm256_madd_epi16(_mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1)), _mm256_set1_epi16(1));
}
INLINE W w_popcount(W x) {
    return BOTH(popcount_256);
}
// The exponent of the number as a float; the bit below the highest is cleared first, lest the
// conversion round up. For numbers below 2^31.
INLINE __m256i height_256(__m256i x) {
    __m256i f = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_andnot_si256(_mm256_srli_epi32(x, 1), x)));
    return _mm256_max_epi32(_mm256_sub_epi32(_mm256_srli_epi32(f, 23), _mm256_set1_epi32(126)),
                            _mm256_setzero_si256());
}
INLINE W w_height(W x) {
    return BOTH(height_256);
}
INLINE __m256i permute_256(W x, __m256i index) {
    __m256i a = _mm256_permutevar8x32_epi32(x.a, index), b = _mm256_permutevar8x32_epi32(x.b, index);
    return _mm256_castps_si256(_mm256_blendv_ps(_mm256_castsi256_ps(a), _mm256_castsi256_ps(b),
                                                _mm256_castsi256_ps(_mm256_slli_epi32(index, 28))));
}
INLINE W w_permute(W x, W index) {
    return (W){permute_256(x, index.a), permute_256(x, index.b)};
}
INLINE WM wm_permute(WM m, W index) {
    return w_permute(m, index);
}
// Two look-ups of 16 entries. An additive table is the sum of both; the other kind (growing with the highest
// bit) their maximum.
INLINE __m256i lookup_256(__m256i x, const uint8_t *table, bool additive) {
    const __m256i low = _mm256_set1_epi32(15);
    __m256i lower = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
    __m256i upper = _mm256_set1_epi32(table[16] << 8 | table[32] << 16 | (int)((uint32_t)table[48] << 24));
    __m256i a = _mm256_shuffle_epi8(lower, _mm256_and_si256(x, low));
    __m256i b = _mm256_shuffle_epi8(upper, _mm256_srli_epi32(x, 4));
    return additive ? _mm256_add_epi32(a, b) : _mm256_max_epi32(a, b);
}
INLINE W w_lookup(const uint8_t *table, W x, bool additive) {
    return BOTH(lookup_256, table, additive);
}
INLINE W w_gather(const int32_t *table, W x) {
    return (W){_mm256_i32gather_epi32(table, x.a, 4), _mm256_i32gather_epi32(table, x.b, 4)};
}
// Pairs of numbers. <- the first ones; *second
INLINE __m256i gather_pairs_256(const void *table, __m256i x, __m256i *second) {
    x = _mm256_permute4x64_epi64(x, 0xd8); // so that the shuffles below bring them into order
    __m256 a = _mm256_castsi256_ps(_mm256_i32gather_epi64(table, _mm256_castsi256_si128(x), 8));
    __m256 b = _mm256_castsi256_ps(_mm256_i32gather_epi64(table, _mm256_extracti128_si256(x, 1), 8));
    *second = _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0xdd));
    return _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
}
INLINE W w_gather_pairs(const void *table, W x, W *second) {
    W first;
    first.a = gather_pairs_256(table, x.a, &second->a);
    first.b = gather_pairs_256(table, x.b, &second->b);
    return first;
}
// A table of 8 entries, for lanes below 8.
INLINE W w_lookup_8(const int32_t *table, W x) {
    __m256i all = _mm256_loadu_si256((const __m256i *)table);
    return (W){_mm256_permutevar8x32_epi32(all, x.a), _mm256_permutevar8x32_epi32(all, x.b)};
}
// Sums of each lane and all before it.
INLINE __m256i running_sum_256(__m256i x) {
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 4));
    x = _mm256_add_epi32(x, _mm256_slli_si256(x, 8));
    __m256i half = _mm256_permutevar8x32_epi32(x, _mm256_set1_epi32(3));
    return _mm256_add_epi32(x, _mm256_blend_epi32(_mm256_setzero_si256(), half, 0xf0));
}
INLINE W w_running_sum(W x) {
    W sum = BOTH(running_sum_256);
    sum.b = _mm256_add_epi32(sum.b, _mm256_permutevar8x32_epi32(sum.a, _mm256_set1_epi32(7)));
    return sum;
}
// lane j <- lane j ^ 2^k
INLINE __m256i swap_256(__m256i x, int k) {
    return k == 2   ? _mm256_permute2x128_si256(x, x, 1)
           : k == 1 ? _mm256_shuffle_epi32(x, 0x4e)
                    : _mm256_shuffle_epi32(x, 0xb1);
}
INLINE W w_swap(W x, int k) {
    return k == 3 ? (W){x.b, x.a} : BOTH(swap_256, k);
}
INLINE int w_lane_0(W x) {
    return _mm_cvtsi128_si32(_mm256_castsi256_si128(x.a));
}
INLINE __m256i pack_256(__m256i low, __m256i high) {
    return _mm256_blend_epi16(low, _mm256_slli_epi32(high, 16), 0xaa);
}
INLINE W w_pack(W x, W y) {
    return EACH(pack_256);
}
INLINE W w_dot(W sum, W x, W y) {
    return w_add(sum, EACH(_mm256_madd_epi16));
}
INLINE __m256i divide_256(__m256i x, __m256i y) {
    return _mm256_cvttps_epi32(_mm256_div_ps(_mm256_cvtepi32_ps(x), _mm256_cvtepi32_ps(y)));
}
INLINE W w_divide(W x, W y) {
    return EACH(divide_256);
}
INLINE WM w_greater(W x, W y) {
    return EACH(_mm256_cmpgt_epi32);
}
INLINE WM w_equal(W x, W y) {
    return EACH(_mm256_cmpeq_epi32);
}
INLINE WM w_nonzero(W x) {
    const __m256i zero = _mm256_setzero_si256();
    WM m = BOTH(_mm256_cmpeq_epi32, zero);
    return w_xor(m, w_set(-1));
}
INLINE W w_select(WM m, W yes, W no) {
    return (W){_mm256_blendv_epi8(no.a, yes.a, m.a), _mm256_blendv_epi8(no.b, yes.b, m.b)};
}
INLINE W w_add_if(WM m, W a, W b) {
    return w_add(a, w_and(m, b));
}
INLINE WM wm_or(WM a, WM b) {
    return w_or(a, b);
}
INLINE WM wm_and(WM a, WM b) {
    return w_and(a, b);
}
INLINE uint32_t wm_bits(WM m) {
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(m.a)) |
           (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(m.b)) << 8;
}
INLINE WM wm_set(uint32_t bits) {
    const __m256i each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i low = _mm256_and_si256(_mm256_set1_epi32((int)bits), each);
    __m256i high = _mm256_and_si256(_mm256_set1_epi32((int)(bits >> 8)), each);
    return (WM){_mm256_cmpeq_epi32(low, each), _mm256_cmpeq_epi32(high, each)};
}
INLINE bool wm_any(WM m) {
    __m256i all = _mm256_or_si256(m.a, m.b);
    return !_mm256_testz_si256(all, all);
}
#define REDUCE(type, f, x)                                                                                   \
    __m256i both = _mm256_##f##_##type(x.a, x.b);                                                            \
    __m128i four = _mm_##f##_##type(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));        \
    four = _mm_##f##_##type(four, _mm_shuffle_epi32(four, 0x4e));                                            \
    return _mm_cvtsi128_si32(_mm_##f##_##type(four, _mm_shuffle_epi32(four, 0xb1)))
INLINE int w_reduce_max(W x) {
    REDUCE(epi32, max, x);
}
INLINE int w_reduce_add(W x) {
    REDUCE(epi32, add, x);
}
INLINE uint32_t w_reduce_or(W x) {
    __m256i both = _mm256_or_si256(x.a, x.b);
    __m128i four = _mm_or_si128(_mm256_castsi256_si128(both), _mm256_extracti128_si256(both, 1));
    four = _mm_or_si128(four, _mm_shuffle_epi32(four, 0x4e));
    return (uint32_t)_mm_cvtsi128_si32(_mm_or_si128(four, _mm_shuffle_epi32(four, 0xb1)));
}

#ifdef LANES_AVX2_16
// V: 16 lanes of 16 bits in one register, for cells in rows 0 to 14.
typedef __m256i V;
typedef __m256i VM;
#define V_LANES 16
#define V_BITS  16
#define V_ROWS  11
#define V_ROTATES
#define V_MULTIPLIES
INLINE V v_set(int x) {
    return _mm256_set1_epi16((short)x);
}
INLINE V v_load(const void *p) {
    return _mm256_loadu_si256(p);
}
INLINE void v_store(void *p, V a) {
    _mm256_storeu_si256(p, a);
}
INLINE V v_and(V a, V b) {
    return _mm256_and_si256(a, b);
}
INLINE V v_or(V a, V b) {
    return _mm256_or_si256(a, b);
}
INLINE V v_xor(V a, V b) {
    return _mm256_xor_si256(a, b);
}
INLINE V v_andnot(V a, V b) {
    return _mm256_andnot_si256(a, b);
}
INLINE V v_or_and(V a, V b, V c) {
    return v_or(a, v_and(b, c));
}
INLINE V v_and3(V a, V b, V c) {
    return v_and(a, v_and(b, c));
}
INLINE V v_or3(V a, V b, V c) {
    return v_or(a, v_or(b, c));
}
INLINE V v_add(V a, V b) {
    return _mm256_add_epi16(a, b);
}
INLINE V v_sub(V a, V b) {
    return _mm256_sub_epi16(a, b);
}
INLINE V v_max(V a, V b) {
    return _mm256_max_epi16(a, b);
}
INLINE V v_min(V a, V b) {
    return _mm256_min_epi16(a, b);
}
INLINE V v_multiply(V a, V b) {
    return _mm256_mullo_epi16(a, b);
}
#define v_shift_left(a, n)  _mm256_slli_epi16(a, n)
#define v_shift_right(a, n) _mm256_srli_epi16(a, n)
// 1 << n, 0 for n outside 0 ... 15. Bytes of powers are looked up: the lower byte by n, the upper by n - 8;
// the saturated addition makes what is out of range negative, which gives 0.
INLINE V v_power(V n) {
    const __m256i bytes =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0));
    V index = v_sub(v_or(n, v_shift_left(n, 8)), v_set(0x0800));
    return _mm256_shuffle_epi8(bytes, _mm256_adds_epu8(index, v_set(0x7070)));
}
INLINE V v_shl(V a, V n) {
    return _mm256_mullo_epi16(a, v_power(n));
}
INLINE V v_down(V n) {
    return v_power(v_sub(v_set(15), n));
}
INLINE V v_down_more(V down, V more) { // more: 1 << (16 - n), n > 0
    return _mm256_mulhi_epu16(down, more);
}
INLINE V v_shr_by(V a, V down) { // a < 1 << 15
    return _mm256_mulhi_epu16(v_add(a, a), down);
}
INLINE V v_popcount(V x) {
    const __m256i low = _mm256_set1_epi8(15);
    const __m256i nibbles =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    __m256i bytes =
        _mm256_add_epi8(_mm256_shuffle_epi8(nibbles, _mm256_and_si256(x, low)),
                        _mm256_shuffle_epi8(nibbles, _mm256_and_si256(_mm256_srli_epi16(x, 4), low)));
    return _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1));
}
INLINE V v_count4(V bits, V row, V down) {
    const __m256i nibbles =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
    (void)row;
    return _mm256_shuffle_epi8(nibbles, v_shr_by(bits, down));
}
INLINE V v_lookup(const uint8_t *table, V x, bool additive) {
    __m256i lower = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)table));
    __m256i upper = _mm256_set1_epi32(table[16] << 8 | table[32] << 16 | (int)((uint32_t)table[48] << 24));
    __m256i a = _mm256_shuffle_epi8(lower, v_and(x, v_set(15)));
    __m256i b = _mm256_shuffle_epi8(upper, v_shift_right(x, 4));
    return additive ? v_add(a, b) : v_max(a, b);
}
INLINE VM v_greater(V a, V b) {
    return _mm256_cmpgt_epi16(a, b);
}
INLINE VM v_nonzero(V a) {
    return v_xor(_mm256_cmpeq_epi16(a, _mm256_setzero_si256()), v_set(-1));
}
INLINE V v_add_if(VM m, V a, V b) {
    return v_add(a, v_and(m, b));
}
INLINE V v_count_if(VM m, V a) {
    return v_sub(a, m);
}
INLINE VM vm_or(VM a, VM b) {
    return v_or(a, b);
}
INLINE uint32_t vm_bits(VM m) {
    return (uint32_t)_mm_movemask_epi8(
        _mm_packs_epi16(_mm256_castsi256_si128(m), _mm256_extracti128_si256(m, 1)));
}
INLINE bool vm_any(VM m) {
    return !_mm256_testz_si256(m, m);
}
INLINE uint32_t v_reduce_or(V a) {
    __m128i x = _mm_or_si128(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
    x = _mm_or_si128(x, _mm_shuffle_epi32(x, 0x4e));
    x = _mm_or_si128(x, _mm_shuffle_epi32(x, 0xb1));
    uint32_t both = (uint32_t)_mm_cvtsi128_si32(x);
    return (both | both >> 16) & 0xffff;
}
// lane j <- lane j + n, all around
INLINE V v_rotate(V a, int n) {
    V swapped = _mm256_permute2x128_si256(a, a, 1);
    switch (n) {
    case -2:
        return _mm256_alignr_epi8(a, swapped, 12);
    case -1:
        return _mm256_alignr_epi8(a, swapped, 14);
    case 1:
        return _mm256_alignr_epi8(swapped, a, 2);
    case 2:
        return _mm256_alignr_epi8(swapped, a, 4);
    case 3:
        return _mm256_alignr_epi8(swapped, a, 6);
    case 4:
        return _mm256_alignr_epi8(swapped, a, 8);
    case 5:
        return _mm256_alignr_epi8(swapped, a, 10);
    default:
        return a;
    }
}
INLINE V v_swap(V a, int k) { // lane j <- lane j ^ 2^k
    return k == 3   ? _mm256_permute2x128_si256(a, a, 1)
           : k == 2 ? _mm256_shuffle_epi32(a, 0x4e)
           : k == 1 ? _mm256_shuffle_epi32(a, 0xb1)
                    : _mm256_shufflehi_epi16(_mm256_shufflelo_epi16(a, 0xb1), 0xb1);
}
INLINE int v_lane_0(V a) {
    return _mm_cvtsi128_si32(_mm256_castsi256_si128(a)) & 0xffff;
}
INLINE V v_twice(V a) { // the first half in both
    return _mm256_permute2x128_si256(a, a, 0);
}
// lane j <- lane j - 2^k, and lane j + 2^k; 0 from outside
INLINE V v_from_left(V a, int k) {
    V low = _mm256_permute2x128_si256(a, a, 0x08);
    return k == 0   ? _mm256_alignr_epi8(a, low, 14)
           : k == 1 ? _mm256_alignr_epi8(a, low, 12)
           : k == 2 ? _mm256_alignr_epi8(a, low, 8)
                    : low;
}
INLINE V v_from_right(V a, int k) {
    V high = _mm256_permute2x128_si256(a, a, 0x81);
    return k == 0   ? _mm256_alignr_epi8(high, a, 2)
           : k == 1 ? _mm256_alignr_epi8(high, a, 4)
           : k == 2 ? _mm256_alignr_epi8(high, a, 8)
                    : high;
}
INLINE V v_first(V a) {
    return _mm256_broadcastw_epi16(_mm256_castsi256_si128(a));
}
INLINE V v_narrow(W x) {
    return _mm256_permute4x64_epi64(_mm256_packus_epi32(x.a, x.b), 0xd8);
}
INLINE W v_widen(V a) {
    return (W){_mm256_cvtepu16_epi32(_mm256_castsi256_si128(a)),
               _mm256_cvtepu16_epi32(_mm256_extracti128_si256(a, 1))};
}
INLINE V v_mean_depth(V depth, V holes) { // lanes are unpacked and packed in the same order
    const __m256i zero = _mm256_setzero_si256(), one = _mm256_set1_epi16(1);
    holes = _mm256_max_epi16(holes, one);
    __m256i low = divide_256(_mm256_slli_epi32(_mm256_unpacklo_epi16(depth, zero), 8),
                             _mm256_unpacklo_epi16(holes, zero));
    __m256i high = divide_256(_mm256_slli_epi32(_mm256_unpackhi_epi16(depth, zero), 8),
                              _mm256_unpackhi_epi16(holes, zero));
    return _mm256_packus_epi32(low, high);
}

// Sums: lanes 0-3 and 8-11 in the first register, 4-7 and 12-15 in the second, which is how they are
// unpacked.
#define SUM_PARTS 1
INLINE int sum_part(int lane) {
    (void)lane;
    return 0;
}
INLINE int sum_lane(int lane) {
    return (lane & 4) * 2 + (lane >> 3) * 4 + (lane & 3);
}
INLINE void sum_pairs(V first, V second, W pairs[SUM_PARTS]) {
    pairs[0] = (W){_mm256_unpacklo_epi16(first, second), _mm256_unpackhi_epi16(first, second)};
}
INLINE V sum_join(const W parts[SUM_PARTS]) { // lanes below 1 << 15, in the order of V again
    return _mm256_packus_epi32(parts[0].a, parts[0].b);
}
INLINE WM sum_mask(uint32_t lanes, int part) {
    const __m256i low = _mm256_setr_epi32(1, 2, 4, 8, 1 << 8, 1 << 9, 1 << 10, 1 << 11);
    const __m256i high = _mm256_slli_epi32(low, 4);
    __m256i all = _mm256_set1_epi32((int)lanes);
    (void)part;
    return (WM){_mm256_cmpeq_epi32(_mm256_and_si256(all, low), low),
                _mm256_cmpeq_epi32(_mm256_and_si256(all, high), high)};
}
INLINE uint32_t sum_lanes(WM m, int part) {
    (void)part;
    return vm_bits(_mm256_packs_epi32(m.a, m.b));
}
#endif

#endif
