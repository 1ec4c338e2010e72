// SPDX-License-Identifier: GPL-3.0-or-later
// One lane of 32 bits: any board, as it is, in plain C. For boards whose surface does not fit the lanes of
// vectors, and for boards near the top.
#ifndef TETRALAB_FEATURE_LANES_SINGLE_H
#define TETRALAB_FEATURE_LANES_SINGLE_H

#define KERNEL_NAME boards_single
#define LANES       1
typedef uint32_t V;
typedef int32_t I;

INLINE V v_set(int32_t a) {
    return (V)a;
}
INLINE V v_max(V a, V b) {
    return a > b ? a : b;
}
INLINE V v_min(V a, V b) {
    return a < b ? a : b;
}
INLINE V v_max_signed(V a, V b) {
    return (I)a > (I)b ? a : b;
}
INLINE V v_min_signed(V a, V b) {
    return (I)a < (I)b ? a : b;
}
INLINE V v_minus(V a, V b) {
    return a > b ? a - b : 0;
}
INLINE V v_same(V a, V b) {
    return a == b ? ~(V)0 : 0;
}
INLINE V v_greater(V a, V b) {
    return (I)a > (I)b ? ~(V)0 : 0;
}
INLINE V v_lookup(const LaneTable table, V index) {
    return table[index & 15];
}
INLINE V v_popcount(V a) { // without the machine's instruction, which not every one has
    a -= (a >> 1) & 0x55555555;
    a = (a & 0x33333333) + ((a >> 2) & 0x33333333);
    return ((a + (a >> 4)) & 0x0f0f0f0f) * 0x01010101 >> 24;
}
INLINE V v_counts(V a) {
    return v_popcount(a);
}
INLINE V v_total(V counts) {
    return counts;
}
INLINE bool v_any(V a) {
    return a != 0;
}
INLINE V v_down(V rows) {
    return rows;
}
INLINE V v_lower(V a, V down) {
    return down < 32 ? a >> down : 0;
}
INLINE V v_divide(V a, V b) {
    return a / b;
}

typedef struct Sum {
    int64_t value;
} Sum;

INLINE void sum_start(Sum *sum) {
    sum->value = 0;
}
INLINE void sum_pair(Sum *sum, V a, V b, PairWeights w) {
    int64_t first = (int64_t)(int16_t)w.high * 32768 + (w.low & 0x7fff);
    int64_t second = (int64_t)(w.high >> 16) * 32768 + (w.low >> 16);
    sum->value += (I)a * first + (I)b * second;
}
INLINE void sum_table(Sum *sum, const int32_t *table, V index) {
    sum->value += table[index];
}
INLINE void sum_upper_table(Sum *sum, const int32_t *table, V index) { // times 2^15
    sum->value += (int64_t)table[index] * 32768;
}

#endif
