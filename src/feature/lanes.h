// SPDX-License-Identifier: GPL-3.0-or-later
// Lane operations: the little vocabulary in which the kernels are written. W is 16 lanes of 32 bits, on
// every machine that has vectors; V is what the surface kernel works in: W itself or lanes of 16 bits, which
// hold piles up to V_ROWS rows high, or a single number, which is what plain machines are good at. WM and VM
// are sets of lanes.
//
// One of these is defined for each compilation of a kernel:
//   LANES_PLAIN       portable C
//   LANES_128         SSE4.2, NEON or WebAssembly SIMD: V is 16 lanes of 16 bits in two registers
//   LANES_AVX2        V is W, in two registers of 8 lanes
//   LANES_AVX2_16     V is 16 lanes of 16 bits in one register
//   LANES_AVX512      V is W, in one register; needs VBMI, VBMI2, BITALG, VPOPCNTDQ and VNNI
//   LANES_AVX512_16   V is 32 lanes of 16 bits
// KERNEL_SUFFIX(name) gives the exported functions of each compilation their own names; TALL_KERNEL(name) is
// the one for piles that 16-bit lanes cannot hold.
#ifndef TETRALAB_FEATURE_LANES_H
#define TETRALAB_FEATURE_LANES_H

#include <stdbool.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))

#if defined LANES_AVX512 || defined LANES_AVX512_16
#include "feature/lanes_avx512.h"
#elif defined LANES_AVX2 || defined LANES_AVX2_16
#include "feature/lanes_avx2.h"
#elif defined LANES_128
#include "feature/lanes_128.h"
#else
#include "feature/lanes_plain.h"
#endif

#if defined LANES_AVX512_16
#define KERNEL_SUFFIX(name) name##_avx512_16
#define TALL_KERNEL(name)   name##_avx512
#elif defined LANES_AVX512
#define KERNEL_SUFFIX(name) name##_avx512
#elif defined LANES_AVX2_16
#define KERNEL_SUFFIX(name) name##_avx2_16
#define TALL_KERNEL(name)   name##_avx2
#elif defined LANES_AVX2
#define KERNEL_SUFFIX(name) name##_avx2
#elif defined LANES_128
#define KERNEL_SUFFIX(name) name##_128
#define TALL_KERNEL(name)   name##_plain
#else
#define KERNEL_SUFFIX(name) name##_plain
#endif

// In WebAssembly, where every byte travels to the reader, the lane kernel does nothing but play games, and
// those with the usual features only; all else is left to the plain kernel.
#if defined __wasm__ && defined LANES_128
#define ONLY_PLAYS 1
#else
#define ONLY_PLAYS 0
#endif

// What every machine can say in terms of the above.
INLINE W w_zero(void) {
    return w_set(0);
}
#ifdef LANES_128
#define w_raise w_shift_left // all lanes by the same number of rows
#define w_lower w_shift_right
#else
INLINE W w_raise(W a, int rows) {
    return w_shl(a, w_set(rows));
}
INLINE W w_lower(W a, int rows) {
    return w_shr(a, w_set(rows));
}
INLINE W w_abs_difference(W a, W b) {
    return w_sub(w_max(a, b), w_min(a, b));
}
INLINE W w_mean_depth(W depth, W holes) { // in steps of 1/256, rounded down
    return w_divide(w_shift_left(depth, 8), w_max(holes, w_set(1)));
}
#endif

#if defined LANES_PLAIN
#include "feature/lanes_single.h"
#elif defined LANES_AVX2 || defined LANES_AVX512
// V is W.
#define V_LANES                   16
#define V_BITS                    32
typedef W V;
typedef WM VM;
#define v_set                     w_set
#define v_and                     w_and
#define v_or                      w_or
#define v_xor                     w_xor
#define v_andnot                  w_andnot
#define v_add                     w_add
#define v_sub                     w_sub
#define v_max                     w_max
#define v_min                     w_min
#define v_multiply                w_multiply
#define v_mean_depth              w_mean_depth
#define v_shl                     w_shl
#define v_shr                     w_shr
#define v_shift_right             w_shift_right
#define v_shift_left              w_shift_left
#define v_popcount                w_popcount
#define v_permute                 w_permute
#define v_lookup                  w_lookup
#define v_greater                 w_greater
#define v_nonzero                 w_nonzero
#define v_select                  w_select
#define v_add_if                  w_add_if
#define v_or_and                  w_or_and
#define v_and3                    w_and3
#define v_or3                     w_or3
#define vm_or                     wm_or
#define vm_and                    wm_and
#define vm_bits                   wm_bits
#define vm_any                    wm_any
#define v_lane_0                  w_lane_0
#define v_store                   w_store
#define v_load                    w_load
INLINE V v_count_if(VM m, V a) { // one more in these lanes
    return v_add_if(m, a, v_set(1));
}
#define v_count4(bits, row, down) v_popcount(bits) // bits in four rows from this one on

// Weighted sums of V as vectors of W, in SUM_PARTS parts: where a lane is in them, and sets of lanes of a
// part.
#define SUM_PARTS                 1
INLINE int sum_part(int lane) {
    (void)lane;
    return 0;
}
INLINE int sum_lane(int lane) {
    return lane;
}
INLINE void sum_pairs(V first, V second,
                      W pairs[SUM_PARTS]) { // numbers to be multiplied with pairs of weights
    pairs[0] = w_pack(first, second);
}
INLINE V sum_join(const W parts[SUM_PARTS]) { // in the order of V again
    return parts[0];
}
INLINE WM sum_mask(uint32_t lanes, int part) {
    (void)part;
    return wm_set(lanes);
}
INLINE uint32_t sum_lanes(WM m, int part) {
    (void)part;
    return wm_bits(m);
}
#endif

// Shifts by the same numbers, again and again: v_down() prepares them once. Where lanes cannot be shifted by
// different numbers, that is a multiplication (V_MULTIPLIES).
#ifdef V_MULTIPLIES
INLINE V v_shr(V a, V n) {
    return v_shr_by(a, v_down(n));
}
#else
#define v_down(n)         (n)
#define v_shr_by(a, down) v_shr(a, down)
#endif

#endif
