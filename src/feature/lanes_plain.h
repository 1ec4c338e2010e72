// SPDX-License-Identifier: GPL-3.0-or-later
// Lane operations in portable C (vector extensions of gcc and clang, which also carry to WebAssembly);
// see lanes.h. A set of lanes is a vector of 0 and ~0.
#ifndef TETRALAB_FEATURE_LANES_PLAIN_H
#define TETRALAB_FEATURE_LANES_PLAIN_H

typedef uint32_t W __attribute__((vector_size(64)));
typedef int32_t WSigned __attribute__((vector_size(64)));
typedef W WM;

#define FOR_LANES(lane) for (int lane = 0; lane < 16; lane++)

INLINE W w_set(int x) {
    return (W){0} + (uint32_t)x;
}
INLINE W w_load(const void *p) {
    W a;
    __builtin_memcpy(&a, p, sizeof a);
    return a;
}
INLINE void w_store(void *p, W a) {
    __builtin_memcpy(p, &a, sizeof a);
}
INLINE W w_and(W a, W b) {
    return a & b;
}
INLINE W w_or(W a, W b) {
    return a | b;
}
INLINE W w_xor(W a, W b) {
    return a ^ b;
}
INLINE W w_andnot(W a, W b) {
    return ~a & b;
}
INLINE W w_or_and(W a, W b, W c) {
    return a | (b & c);
}
INLINE W w_and3(W a, W b, W c) {
    return a & b & c;
}
INLINE W w_or3(W a, W b, W c) {
    return a | b | c;
}
INLINE W w_xor3(W a, W b, W c) {
    return w_xor(a, w_xor(b, c));
}
INLINE W w_majority(W a, W b, W c) {
    return w_or(w_and(a, b), w_and(c, w_or(a, b)));
}
INLINE W w_add(W a, W b) {
    return a + b;
}
INLINE W w_sub(W a, W b) {
    return a - b;
}
INLINE W w_multiply(W a, W b) {
    return a * b;
}
INLINE WM w_greater(W a, W b) {
    return (WM)((WSigned)a > (WSigned)b);
}
INLINE WM w_equal(W a, W b) {
    return (WM)(a == b);
}
INLINE WM w_nonzero(W a) {
    return (WM)(a != (W){0});
}
INLINE W w_select(WM m, W yes, W no) {
    return (m & yes) | (~m & no);
}
INLINE W w_max(W a, W b) {
    return w_select(w_greater(a, b), a, b);
}
INLINE W w_min(W a, W b) {
    return w_select(w_greater(a, b), b, a);
}
INLINE W w_add_if(WM m, W a, W b) {
    return a + (m & b);
}
INLINE W w_shl(W a, W n) {
    FOR_LANES(lane) a[lane] = n[lane] > 31 ? 0 : a[lane] << n[lane];
    return a;
}
INLINE W w_shr(W a, W n) {
    FOR_LANES(lane) a[lane] = n[lane] > 31 ? 0 : a[lane] >> n[lane];
    return a;
}
#define w_shift_left(a, n)   ((a) << (n))
#define w_shift_right(a, n)  ((a) >> (n))
#define w_shift_signed(a, n) ((W)((WSigned)(a) >> (n)))
INLINE W w_popcount(W a) {
    a -= (a >> 1) & 0x55555555;
    a = (a & 0x33333333) + ((a >> 2) & 0x33333333);
    a = (a + (a >> 4)) & 0x0f0f0f0f;
    a += a >> 8;
    return (a + (a >> 16)) & 0x3f;
}
INLINE W w_height(W a) {
    FOR_LANES(lane) a[lane] = a[lane] ? 32 - (uint32_t)__builtin_clz(a[lane]) : 0;
    return a;
}
INLINE W w_permute(W a, W index) {
    W b;
    FOR_LANES(lane) b[lane] = a[index[lane] & 15];
    return b;
}
INLINE WM wm_permute(WM m, W index) {
    return w_permute(m, index);
}
INLINE W w_lookup(const uint8_t *table, W index, bool additive) {
    (void)additive;
    FOR_LANES(lane) index[lane] = table[index[lane] & 63];
    return index;
}
INLINE W w_gather(const int32_t *table, W index) {
    FOR_LANES(lane) index[lane] = (uint32_t)table[index[lane]];
    return index;
}
INLINE W w_pack(W low, W high) {
    return (low & 0xffff) | (high << 16);
}
INLINE W w_dot(W sum, W pair, W weights) {
    WSigned low = ((WSigned)(pair << 16) >> 16) * ((WSigned)(weights << 16) >> 16);
    WSigned high = ((WSigned)pair >> 16) * ((WSigned)weights >> 16);
    return sum + (W)low + (W)high;
}
INLINE W w_divide(W a, W b) {
    FOR_LANES(lane) a[lane] /= b[lane];
    return a;
}
INLINE WM wm_or(WM a, WM b) {
    return a | b;
}
INLINE WM wm_and(WM a, WM b) {
    return a & b;
}
INLINE uint32_t wm_bits(WM m) {
    uint32_t bits = 0;
    FOR_LANES(lane) bits |= (m[lane] & 1) << lane;
    return bits;
}
INLINE WM wm_set(uint32_t bits) {
    WM m;
    FOR_LANES(lane) m[lane] = -(bits >> lane & 1);
    return m;
}
INLINE uint32_t w_reduce_or(W a) {
    uint32_t all = 0;
    FOR_LANES(lane) all |= a[lane];
    return all;
}
INLINE bool wm_any(WM m) {
    return w_reduce_or(m) != 0;
}
INLINE int w_reduce_max(W a) {
    int32_t most = (int32_t)a[0];
    FOR_LANES(lane) most = (int32_t)a[lane] > most ? (int32_t)a[lane] : most;
    return most;
}
INLINE int w_reduce_add(W a) {
    uint32_t sum = 0;
    FOR_LANES(lane) sum += a[lane];
    return (int)sum;
}

#endif
