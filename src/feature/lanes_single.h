// SPDX-License-Identifier: GPL-3.0-or-later
// V as a single lane, for the surface kernel on plain machines; see lanes.h. A set of lanes is 0 or 1.
#ifndef TETRALAB_FEATURE_LANES_SINGLE_H
#define TETRALAB_FEATURE_LANES_SINGLE_H

#define V_LANES 1
#define V_BITS  32
typedef uint32_t V;
typedef uint32_t VM;

INLINE V v_set(int x) {
    return (V)x;
}
INLINE V v_and(V a, V b) {
    return a & b;
}
INLINE V v_or(V a, V b) {
    return a | b;
}
INLINE V v_xor(V a, V b) {
    return a ^ b;
}
INLINE V v_andnot(V a, V b) {
    return ~a & b;
}
INLINE V v_or_and(V a, V b, V c) {
    return a | (b & c);
}
INLINE V v_and3(V a, V b, V c) {
    return a & b & c;
}
INLINE V v_or3(V a, V b, V c) {
    return a | b | c;
}
INLINE V v_add(V a, V b) {
    return a + b;
}
INLINE V v_sub(V a, V b) {
    return a - b;
}
INLINE V v_max(V a, V b) {
    return (int32_t)a > (int32_t)b ? a : b;
}
INLINE V v_min(V a, V b) {
    return (int32_t)a < (int32_t)b ? a : b;
}
INLINE V v_multiply(V a, V b) {
    return a * b;
}
INLINE V v_mean_depth(V depth, V holes) {
    return 256 * depth / (holes ? holes : 1);
}
INLINE V v_shl(V a, V n) {
    return n > 31 ? 0 : a << n;
}
INLINE V v_shr(V a, V n) {
    return n > 31 ? 0 : a >> n;
}
#define v_shift_left(a, n)  ((a) << (n))
#define v_shift_right(a, n) ((a) >> (n))
INLINE V v_popcount(V a) {
    a -= (a >> 1) & 0x55555555;
    a = (a & 0x33333333) + ((a >> 2) & 0x33333333);
    return (((a + (a >> 4)) & 0x0f0f0f0f) * 0x01010101) >> 24;
}
INLINE V v_lookup(const uint8_t *table, V index, bool additive) {
    (void)additive;
    return table[index & 63];
}
INLINE VM v_greater(V a, V b) {
    return (int32_t)a > (int32_t)b;
}
INLINE VM v_nonzero(V a) {
    return a != 0;
}
INLINE V v_add_if(VM m, V a, V b) {
    return a + (-m & b);
}
INLINE V v_count_if(VM m, V a) {
    return a + m;
}
INLINE V v_count4(V bits, V row, V down) {
    (void)down;
    return (V)(0x4332322132212110u >> (bits >> row << 2) & 15);
}
INLINE VM vm_or(VM a, VM b) {
    return a | b;
}
INLINE uint32_t vm_bits(VM m) {
    return m;
}
INLINE bool vm_any(VM m) {
    return m != 0;
}

#endif
