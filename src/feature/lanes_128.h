// SPDX-License-Identifier: GPL-3.0-or-later
// Lane operations in registers of 128 bits: SSE4.2, NEON (64-bit ARM) and WebAssembly SIMD; see lanes.h. V is
// 16 lanes of 16 bits in two registers, W 16 lanes of 32 bits in four. Written with the vectors of gcc and
// clang; what these have no sign for is named x_... and comes first, once for each machine. A set of lanes is
// a vector of 0 and ~0. Whole boards are left to scalar code, so that W has only what sums and columns need.
#ifndef TETRALAB_FEATURE_LANES_128_H
#define TETRALAB_FEATURE_LANES_128_H

typedef uint16_t X __attribute__((vector_size(16)));
typedef int16_t XSigned __attribute__((vector_size(16)));
typedef uint8_t XBytes __attribute__((vector_size(16)));
typedef uint32_t Y __attribute__((vector_size(16)));
typedef int32_t YSigned __attribute__((vector_size(16)));
typedef float YFloat __attribute__((vector_size(16)));

#if defined __SSE4_2__
#include <immintrin.h>

INLINE X x_max(X a, X b) {
    return (X)_mm_max_epi16((__m128i)a, (__m128i)b);
}
INLINE X x_min(X a, X b) {
    return (X)_mm_min_epi16((__m128i)a, (__m128i)b);
}
INLINE Y y_max(Y a, Y b) {
    return (Y)_mm_max_epi32((__m128i)a, (__m128i)b);
}
INLINE X x_multiply_high(X a, X b) { // the upper halves of the products
    return (X)_mm_mulhi_epu16((__m128i)a, (__m128i)b);
}
INLINE Y y_dot(X pairs, X weights) { // products of pairs, added
    return (Y)_mm_madd_epi16((__m128i)pairs, (__m128i)weights);
}
// Bytes of a table with 16 entries. x_bytes_or_0: indices from 16 on give 0.
INLINE XBytes x_bytes(XBytes table, XBytes index) {
    return (XBytes)_mm_shuffle_epi8((__m128i)table, (__m128i)index);
}
INLINE XBytes x_bytes_or_0(XBytes table, XBytes index) {
    return (XBytes)_mm_shuffle_epi8((__m128i)table, _mm_adds_epu8((__m128i)index, _mm_set1_epi8(0x70)));
}
INLINE X x_popcount(X a) {
    const __m128i nibbles = _mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);
    const __m128i low = _mm_set1_epi8(15);
    __m128i lower = _mm_shuffle_epi8(nibbles, _mm_and_si128((__m128i)a, low));
    __m128i upper = _mm_shuffle_epi8(nibbles, _mm_and_si128(_mm_srli_epi16((__m128i)a, 4), low));
    return (X)_mm_maddubs_epi16(_mm_add_epi8(lower, upper), _mm_set1_epi8(1));
}
INLINE X x_narrow(Y a, Y b) { // numbers below 1 << 16, and sets of lanes
    return (X)_mm_packus_epi32((__m128i)a, (__m128i)b);
}
INLINE uint32_t x_bits(X a, X b) { // of sets of lanes
    return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16((__m128i)a, (__m128i)b));
}
INLINE bool x_any(X a) {
    return !_mm_testz_si128((__m128i)a, (__m128i)a);
}
#define V_MULTIPLIES

#elif defined __aarch64__
#include <arm_neon.h>

INLINE X x_max(X a, X b) {
    return (X)vmaxq_s16((int16x8_t)a, (int16x8_t)b);
}
INLINE X x_min(X a, X b) {
    return (X)vminq_s16((int16x8_t)a, (int16x8_t)b);
}
INLINE Y y_max(Y a, Y b) {
    return (Y)vmaxq_s32((int32x4_t)a, (int32x4_t)b);
}
INLINE Y y_dot(X pairs, X weights) {
    int32x4_t low = vmull_s16(vget_low_s16((int16x8_t)pairs), vget_low_s16((int16x8_t)weights));
    return (Y)vpaddq_s32(low, vmull_high_s16((int16x8_t)pairs, (int16x8_t)weights));
}
INLINE XBytes x_bytes(XBytes table, XBytes index) {
    return (XBytes)vqtbl1q_u8((uint8x16_t)table, (uint8x16_t)index);
}
INLINE X x_popcount(X a) {
    return (X)vpaddlq_u8(vcntq_u8((uint8x16_t)a));
}
INLINE X x_narrow(Y a, Y b) {
    return (X)vuzp1q_u16((uint16x8_t)a, (uint16x8_t)b);
}
INLINE uint32_t x_bits(X a, X b) {
    static const uint8_t each[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(vuzp1q_u8((uint8x16_t)a, (uint8x16_t)b), vld1q_u8(each));
    return vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}
INLINE bool x_any(X a) {
    return vmaxvq_u16((uint16x8_t)a) != 0;
}
INLINE X x_shl(X a, X n) {
    return (X)vshlq_u16((uint16x8_t)a, (int16x8_t)n);
}
INLINE X x_shr(X a, X n) {
    return (X)vshlq_u16((uint16x8_t)a, vnegq_s16((int16x8_t)n));
}

#elif defined __wasm_simd128__
#include <wasm_simd128.h>

INLINE X x_max(X a, X b) {
    return (X)wasm_i16x8_max((v128_t)a, (v128_t)b);
}
INLINE X x_min(X a, X b) {
    return (X)wasm_i16x8_min((v128_t)a, (v128_t)b);
}
INLINE Y y_max(Y a, Y b) {
    return (Y)wasm_i32x4_max((v128_t)a, (v128_t)b);
}
INLINE X x_multiply_high(X a, X b) {
    v128_t low = wasm_u32x4_extmul_low_u16x8((v128_t)a, (v128_t)b);
    v128_t high = wasm_u32x4_extmul_high_u16x8((v128_t)a, (v128_t)b);
    return (X)wasm_i16x8_shuffle(low, high, 1, 3, 5, 7, 9, 11, 13, 15);
}
INLINE Y y_dot(X pairs, X weights) {
    return (Y)wasm_i32x4_dot_i16x8((v128_t)pairs, (v128_t)weights);
}
INLINE XBytes x_bytes(XBytes table, XBytes index) {
    return (XBytes)wasm_i8x16_swizzle((v128_t)table, (v128_t)index);
}
#define x_bytes_or_0 x_bytes
INLINE X x_popcount(X a) {
    return (X)wasm_u16x8_extadd_pairwise_u8x16(wasm_i8x16_popcnt((v128_t)a));
}
INLINE X x_narrow(Y a, Y b) {
    return (X)wasm_i16x8_shuffle((v128_t)a, (v128_t)b, 0, 2, 4, 6, 8, 10, 12, 14);
}
INLINE uint32_t x_bits(X a, X b) {
    return wasm_i8x16_bitmask(wasm_i8x16_narrow_i16x8((v128_t)a, (v128_t)b));
}
INLINE bool x_any(X a) {
    return wasm_v128_any_true((v128_t)a);
}
#define V_MULTIPLIES
#else
#error "no 128-bit lanes for this machine"
#endif

#ifdef V_MULTIPLIES
// 1 << n, 0 for n outside 0 ... 15: bytes of powers, the lower by n, the upper by n - 8.
INLINE X x_power(X n) {
    const XBytes bytes = {1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0};
    return (X)x_bytes_or_0(bytes, (XBytes)((n | n << 8) - 0x0800));
}
INLINE X x_shl(X a, X n) {
    return a * x_power(n);
}
#endif

// ---- V -------------------------------------------------------------------------------------------------

typedef struct V {
    X a, b; // lanes 0-7 and 8-15
} V;
typedef V VM;
#define V_LANES 16
#define V_BITS  16
#define V_ROWS  11
#define V_ROTATES

INLINE V v_set(int x) {
    X both = (X){0} + (uint16_t)x;
    return (V){both, both};
}
INLINE V v_load(const void *p) {
    V x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
}
INLINE void v_store(void *p, V x) {
    __builtin_memcpy(p, &x, sizeof x);
}
INLINE V v_and(V x, V y) {
    return (V){x.a & y.a, x.b & y.b};
}
INLINE V v_or(V x, V y) {
    return (V){x.a | y.a, x.b | y.b};
}
INLINE V v_xor(V x, V y) {
    return (V){x.a ^ y.a, x.b ^ y.b};
}
INLINE V v_andnot(V x, V y) {
    return (V){~x.a & y.a, ~x.b & y.b};
}
INLINE V v_or_and(V x, V y, V z) {
    return v_or(x, v_and(y, z));
}
INLINE V v_and3(V x, V y, V z) {
    return v_and(x, v_and(y, z));
}
INLINE V v_or3(V x, V y, V z) {
    return v_or(x, v_or(y, z));
}
INLINE V v_add(V x, V y) {
    return (V){x.a + y.a, x.b + y.b};
}
INLINE V v_sub(V x, V y) {
    return (V){x.a - y.a, x.b - y.b};
}
INLINE V v_max(V x, V y) {
    return (V){x_max(x.a, y.a), x_max(x.b, y.b)};
}
INLINE V v_min(V x, V y) {
    return (V){x_min(x.a, y.a), x_min(x.b, y.b)};
}
INLINE V v_multiply(V x, V y) {
    return (V){x.a * y.a, x.b * y.b};
}
INLINE V v_shift_left(V x, int n) {
    return (V){x.a << n, x.b << n};
}
INLINE V v_shift_right(V x, int n) {
    return (V){x.a >> n, x.b >> n};
}
INLINE V v_shl(V x, V n) {
    return (V){x_shl(x.a, n.a), x_shl(x.b, n.b)};
}
#ifdef V_MULTIPLIES
INLINE V v_down(V n) {
    return (V){x_power(15 - n.a), x_power(15 - n.b)};
}
INLINE V v_down_more(V down, V more) { // more: 1 << (16 - n), n > 0
    return (V){x_multiply_high(down.a, more.a), x_multiply_high(down.b, more.b)};
}
INLINE V v_shr_by(V x, V down) { // x < 1 << 15
    return (V){x_multiply_high(x.a + x.a, down.a), x_multiply_high(x.b + x.b, down.b)};
}
#else
INLINE V v_shr(V x, V n) {
    return (V){x_shr(x.a, n.a), x_shr(x.b, n.b)};
}
#endif
INLINE V v_popcount(V x) {
    return (V){x_popcount(x.a), x_popcount(x.b)};
}
#ifdef V_MULTIPLIES
INLINE V v_count4(V bits, V row, V down) {
    const XBytes nibbles = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
    V x = v_shr_by(bits, down);
    (void)row;
    return (V){(X)x_bytes(nibbles, (XBytes)x.a), (X)x_bytes(nibbles, (XBytes)x.b)};
}
#else
#define v_count4(bits, row, down) v_popcount(bits)
#endif
// Two look-ups of 16 entries, as in lanes_avx2.h.
INLINE X lookup_128(X x, const uint8_t *table, bool additive) {
    XBytes lower;
    __builtin_memcpy(&lower, table, sizeof lower);
    const XBytes upper = {0, table[16], table[32], table[48]};
    X a = (X)x_bytes(lower, (XBytes)(x & 15)), b = (X)x_bytes(upper, (XBytes)(x >> 4));
    return additive ? a + b : x_max(a, b);
}
INLINE V v_lookup(const uint8_t *table, V x, bool additive) {
    return (V){lookup_128(x.a, table, additive), lookup_128(x.b, table, additive)};
}
INLINE VM v_greater(V x, V y) {
    return (VM){(X)((XSigned)x.a > (XSigned)y.a), (X)((XSigned)x.b > (XSigned)y.b)};
}
INLINE VM v_nonzero(V x) {
    return (VM){(X)(x.a != 0), (X)(x.b != 0)};
}
INLINE V v_add_if(VM m, V x, V y) {
    return v_add(x, v_and(m, y));
}
INLINE V v_count_if(VM m, V x) {
    return v_sub(x, m);
}
INLINE VM vm_or(VM x, VM y) {
    return v_or(x, y);
}
INLINE uint32_t vm_bits(VM m) {
    return x_bits(m.a, m.b);
}
INLINE bool vm_any(VM m) {
    return x_any(m.a | m.b);
}
INLINE uint32_t v_reduce_or(V x) {
    X both = x.a | x.b;
    uint64_t half[2];
    __builtin_memcpy(half, &both, sizeof half);
    half[0] |= half[1];
    half[0] |= half[0] >> 32;
    return (uint32_t)(half[0] | half[0] >> 16) & 0xffff;
}
// lane j <- lane j + n, all around
#define X_SLIDE(x, y, n) __builtin_shufflevector(x, y, n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7)
INLINE V v_rotate(V x, int n) {
    switch (n) {
    case -2:
        return (V){X_SLIDE(x.b, x.a, 6), X_SLIDE(x.a, x.b, 6)};
    case -1:
        return (V){X_SLIDE(x.b, x.a, 7), X_SLIDE(x.a, x.b, 7)};
    case 1:
        return (V){X_SLIDE(x.a, x.b, 1), X_SLIDE(x.b, x.a, 1)};
    case 2:
        return (V){X_SLIDE(x.a, x.b, 2), X_SLIDE(x.b, x.a, 2)};
    case 3:
        return (V){X_SLIDE(x.a, x.b, 3), X_SLIDE(x.b, x.a, 3)};
    case 4:
        return (V){X_SLIDE(x.a, x.b, 4), X_SLIDE(x.b, x.a, 4)};
    case 5:
        return (V){X_SLIDE(x.a, x.b, 5), X_SLIDE(x.b, x.a, 5)};
    default:
        return x;
    }
}
INLINE V v_twice(V x) { // the first half in both
    return (V){x.a, x.a};
}
// lane j <- lane j - 2^k, and lane j + 2^k; 0 from outside
INLINE V v_from_left(V x, int k) {
    const X zero = {0};
    switch (k) {
    case 0:
        return (V){X_SLIDE(zero, x.a, 7), X_SLIDE(x.a, x.b, 7)};
    case 1:
        return (V){X_SLIDE(zero, x.a, 6), X_SLIDE(x.a, x.b, 6)};
    case 2:
        return (V){X_SLIDE(zero, x.a, 4), X_SLIDE(x.a, x.b, 4)};
    default:
        return (V){zero, x.a};
    }
}
INLINE V v_from_right(V x, int k) {
    const X zero = {0};
    switch (k) {
    case 0:
        return (V){X_SLIDE(x.a, x.b, 1), X_SLIDE(x.b, zero, 1)};
    case 1:
        return (V){X_SLIDE(x.a, x.b, 2), X_SLIDE(x.b, zero, 2)};
    case 2:
        return (V){X_SLIDE(x.a, x.b, 4), X_SLIDE(x.b, zero, 4)};
    default:
        return (V){x.b, zero};
    }
}
INLINE V v_first(V x) {
    X first = __builtin_shufflevector(x.a, x.a, 0, 0, 0, 0, 0, 0, 0, 0);
    return (V){first, first};
}
#define X_LOWER(x, y) __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11)
#define X_UPPER(x, y) __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15)
INLINE Y y_mean_depth(X depth, X holes) {
    YFloat d = __builtin_convertvector((YSigned)((Y)depth << 8), YFloat);
    return (Y) __builtin_convertvector(d / __builtin_convertvector((YSigned)holes, YFloat), YSigned);
}
INLINE X x_mean_depth(X depth, X holes) {
    const X zero = {0};
    holes = x_max(holes, zero + 1);
    return x_narrow(y_mean_depth(X_LOWER(depth, zero), X_LOWER(holes, zero)),
                    y_mean_depth(X_UPPER(depth, zero), X_UPPER(holes, zero)));
}
INLINE V v_mean_depth(V depth, V holes) {
    return (V){x_mean_depth(depth.a, holes.a), x_mean_depth(depth.b, holes.b)};
}

// ---- W -------------------------------------------------------------------------------------------------

typedef struct W {
    Y q[4];
} W;
typedef W WM;

#define W_EACH(expression) ((W){{expression(0), expression(1), expression(2), expression(3)}})

INLINE W w_set(int x) {
    Y y = (Y){0} + (uint32_t)x;
    return (W){{y, y, y, y}};
}
INLINE W w_load(const void *p) {
    W x;
    __builtin_memcpy(&x, p, sizeof x);
    return x;
}
INLINE void w_store(void *p, W x) {
    __builtin_memcpy(p, &x, sizeof x);
}
#define W_AND(i) x.q[i] & y.q[i]
INLINE W w_and(W x, W y) {
    return W_EACH(W_AND);
}
#define W_OR(i) x.q[i] | y.q[i]
INLINE W w_or(W x, W y) {
    return W_EACH(W_OR);
}
#define W_ADD(i) x.q[i] + y.q[i]
INLINE W w_add(W x, W y) {
    return W_EACH(W_ADD);
}
#define W_MAX(i) y_max(x.q[i], y.q[i])
INLINE W w_max(W x, W y) {
    return W_EACH(W_MAX);
}
#define W_LEFT(i) x.q[i] << n
INLINE W w_shift_left(W x, int n) {
    return W_EACH(W_LEFT);
}
#define W_RIGHT(i) x.q[i] >> n
INLINE W w_shift_right(W x, int n) {
    return W_EACH(W_RIGHT);
}
#define W_SIGNED(i) (Y)((YSigned)x.q[i] >> n)
INLINE W w_shift_signed(W x, int n) {
    return W_EACH(W_SIGNED);
}
#define W_DOT(i) sum.q[i] + y_dot((X)x.q[i], (X)y.q[i])
INLINE W w_dot(W sum, W x, W y) {
    return W_EACH(W_DOT);
}
#define W_EQUAL(i) (Y)(x.q[i] == y.q[i])
INLINE WM w_equal(W x, W y) {
    return W_EACH(W_EQUAL);
}
#define W_NONZERO(i) (Y)(x.q[i] != 0)
INLINE WM w_nonzero(W x) {
    return W_EACH(W_NONZERO);
}
#define W_SELECT(i) (m.q[i] & yes.q[i]) | (~m.q[i] & no.q[i])
INLINE W w_select(WM m, W yes, W no) {
    return W_EACH(W_SELECT);
}
INLINE bool wm_any(WM m) {
    return x_any((X)(m.q[0] | m.q[1] | m.q[2] | m.q[3]));
}
INLINE int w_reduce_max(W x) {
    YSigned y = (YSigned)y_max(y_max(x.q[0], x.q[1]), y_max(x.q[2], x.q[3]));
    y = (YSigned)y_max((Y)y, (Y)__builtin_shufflevector(y, y, 2, 3, 0, 1));
    return y[0] > y[1] ? y[0] : y[1];
}
INLINE int w_reduce_add(W x) {
    Y y = x.q[0] + x.q[1] + x.q[2] + x.q[3];
    y += __builtin_shufflevector(y, y, 2, 3, 0, 1);
    return (int)(y[0] + y[1]);
}
INLINE uint32_t w_reduce_or(W x) {
    Y y = x.q[0] | x.q[1] | x.q[2] | x.q[3];
    return y[0] | y[1] | y[2] | y[3];
}
INLINE V v_narrow(W x) {
    return (V){x_narrow(x.q[0], x.q[1]), x_narrow(x.q[2], x.q[3])};
}

#define SUM_PARTS 1
INLINE int sum_part(int lane) {
    (void)lane;
    return 0;
}
INLINE int sum_lane(int lane) {
    return lane;
}
INLINE void sum_pairs(V first, V second, W pairs[SUM_PARTS]) {
    pairs[0] = (W){{(Y)X_LOWER(first.a, second.a), (Y)X_UPPER(first.a, second.a),
                    (Y)X_LOWER(first.b, second.b), (Y)X_UPPER(first.b, second.b)}};
}
INLINE WM sum_mask(uint32_t lanes, int part) {
    const Y each = {1, 2, 4, 8};
    Y all = (Y){0} + lanes;
    (void)part;
#define W_LANES_OF(i) (Y)((all & each << 4 * i) != 0)
    return W_EACH(W_LANES_OF);
}
INLINE uint32_t sum_lanes(WM m, int part) {
    (void)part;
    return x_bits(x_narrow(m.q[0] & 0xffff, m.q[1] & 0xffff), x_narrow(m.q[2] & 0xffff, m.q[3] & 0xffff));
}

#endif
