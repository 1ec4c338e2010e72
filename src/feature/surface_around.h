// SPDX-License-Identifier: GPL-3.0-or-later
// What placements need to know of the board, column by column, and how their weighted terms are added up.
// Part of the surface kernel (kernel_surface.h).
#ifndef TETRALAB_FEATURE_SURFACE_AROUND_H
#define TETRALAB_FEATURE_SURFACE_AROUND_H

#include <string.h>

#include "feature/surface_embedded.h"
#include "feature/surface_plan.h"

// A number for every column of the board. In vectors lane j has that of column j, and AROUND(plan, at, x, i)
// is that of column j + i for all placements; one placement at a time, `column` is the placement's.
#if V_LANES > 1
typedef V ByColumn;
#ifdef V_ROTATES // surface_paired.h
#define AROUND_IN(plan, at, numbers, offset)                                                                 \
    ((at)->paired ? v_twice(around(plan, numbers, offset)) : around(plan, numbers, offset))
#else
#define AROUND_IN(plan, at, numbers, offset) around(plan, numbers, offset)
#endif
INLINE V around(const SurfacePlan *plan, V v, int offset) {
#ifdef V_ROTATES // what comes around are walls, in all lanes that count
    (void)plan;
    return v_rotate(v, offset);
#else
    return offset ? v_permute(v, plan->column[offset + 2]) : v;
#endif
}

// Numbers 2^k columns further left, and right; that of the first column; walls have 0.
#ifdef V_ROTATES
#define from_left(plan, v, k)  v_from_left(v, k)
#define from_right(plan, v, k) v_from_right(v, k)
#define of_first(plan, v)      v_first(v)
#define only_inside(plan, v)   v_and(v, (plan)->lane_inside)
#else
#define from_left(plan, v, k)  v_permute(v, (plan)->from_left[k])
#define from_right(plan, v, k) v_permute(v, (plan)->from_right[k])
#define of_first(plan, v)      v_permute(v, (plan)->first)
#define only_inside(plan, v)   (v)
#endif

#ifdef V_ROTATES
#define from_wide(plan, a, packed) ((void)(packed), (a))
#elif V_LANES > 1
// A vector by column as V, for each copy.
INLINE V from_wide(const SurfacePlan *plan, W a, const bool packed) {
#if V_LANES == 32
    return packed ? v_permute(v_narrow(a), plan->spread) : v_narrow(a);
#else
    (void)plan, (void)packed;
    return a;
#endif
}
#endif
#else
enum { AROUND_MARGIN = 2, AROUND_COLUMNS = BOARD_MAX_WIDTH + 2 + 6, WALL_HEIGHT = 40 };
typedef V ByColumn[AROUND_COLUMNS];
#define AROUND_IN(plan, at, numbers, offset)                                                                 \
    ((void)(plan), (numbers)[AROUND_MARGIN + (at)->column + (offset)])
#endif
#define AROUND(plan, at, x, offset) AROUND_IN(plan, at, (at)->x, offset)

// What the placements of any piece need to know of the board.
typedef struct Around {
#if V_LANES > 1
    V c[8], h[8]; // columns and heights j - 2 ... j + 5
#ifdef V_MULTIPLIES
    V down[8]; // v_down() of the heights
#endif
    VM holed;
#ifdef V_ROTATES
    bool paired; // both halves are to have what the first eight lanes have; c, h and down do
#endif
#else
    ByColumn c, h;
    int column;
#endif
    ByColumn top_bit; // 1 << height
    ByColumn holes;
    ByColumn wells; // open wells of each column
    ByColumn differences_before,
        differences_after; // sets of height differences up to pair (j, j+1); from it on
    uint32_t hole_rows;
    uint32_t missing[5]; // rows with n empty cells, n = 1 ... 4
    V diversity;
    struct Further *further; // for further features; NULL: the rating uses none
} Around;

#ifdef W_GATHERS
// What look-ups in lanes (surface_entries.h) need.
typedef struct LaneBoard {
    V h[8];                                      // heights of columns j - 2 ... j + 5
    V left;                                      // codes of the steps j - 3 and j - 2, << 6 and << 3
    ByColumn right;                              // those of the steps x and x + 1, << 3 and << 0
    V fits_before, deep_before, hole_before;     // of the columns left of what a placement changes
    ByColumn fits_after, deep_after, hole_after; // of column x and those behind it
    ByColumn hole_row;                           // of its highest hole, from 1
    int highest;                                 // of the board
    int32_t
        before[TABLE_MARGIN + 1 + 2 * BOARD_COLUMNS]; // what the places and wells of columns before x give
    int32_t place[TABLE_MARGIN + BOARD_COLUMNS];      // what the place of column x gives
    int64_t unsummed;                                 // the part of the value that is no sum over columns
} LaneBoard;
#endif

// What further features (surface_further.h) need besides.
typedef struct Further {
    Around at;                                    // a copy, so that the other one can stay in registers
    ByColumn step;                                // |h[j] - h[j+1]|
    ByColumn well, deepest_before, deepest_after; // wells by height; the deepest up to column j; from it on
    ByColumn lowest_before, lowest_after;         // V_BITS - height of the lowest column, likewise
    ByColumn fast_wells, pits;                    // of each column
    V highest, lowest, deepest;                   // of the board
    int highest_now, hole_depth, adjacent, mean_depth;
    Embedded embedded;
    TableBoard tables;
#ifdef W_GATHERS
    LaneBoard lanes;
#endif
} Further;

#if V_LANES > 1
INLINE const V *around_columns(const Around *at) {
    return at->c + 2;
}
INLINE const V *around_heights(const Around *at) {
    return at->h + 2;
}
INLINE V around_pair(const SurfacePlan *plan, const Around *at, int offset) {
    (void)at;
    return plan->pair[offset + 1];
}
INLINE VM around_holed(const SurfacePlan *plan, const Around *at, int offset) {
#if defined LANES_AVX512 || defined LANES_AVX512_16
    (void)plan;
    return (VM)(at->holed >> offset);
#elif defined V_ROTATES
    return AROUND(plan, at, holed, offset);
#else
    return offset ? wm_permute(at->holed, plan->column[offset + 2]) : at->holed;
#endif
}
#else
INLINE const V *around_columns(const Around *at) {
    return at->c + AROUND_MARGIN + at->column;
}
INLINE const V *around_heights(const Around *at) {
    return at->h + AROUND_MARGIN + at->column;
}
#define around_holed(plan, at, offset) v_nonzero(AROUND(plan, at, holes, offset))
INLINE V around_pair(const SurfacePlan *plan, const Around *at, int offset) {
    int x = at->column + offset;
    return x >= 0 && x + 1 < plan->width ? 31 : 0;
}
#endif

#ifdef V_MULTIPLIES
INLINE const V *around_downs(const Around *at) {
    return at->down + 2;
}
#else
#define around_downs around_heights
#endif

INLINE bool any_legal_in(const Batch *b, VM m) {
#ifdef V_ROTATES
    return vm_any(v_and(m, b->lanes));
#else
    return vm_bits(m) & b->legal;
#endif
}

// Is anything in lanes that are placements?
INLINE bool any_legal(const Batch *b, V v) {
#ifdef V_ROTATES
    return vm_any(v_and(v, b->lanes));
#else
    return vm_bits(v_nonzero(v)) & b->legal;
#endif
}

// A stored V.
typedef union Lanes {
    _Alignas(64) uint16_t lane16[32];
    uint32_t lane32[16];
} Lanes;

INLINE int stored_lane(const Lanes *stored, int lane) {
    return V_BITS == 16 ? stored->lane16[lane] : (int)stored->lane32[lane];
}

// The rows that lack n cells, by adding up the empty cells of all columns bit by bit: of two columns at once,
// then of both halves.
INLINE void count_missing(const uint32_t *columns, int width, uint32_t missing[5]) {
    uint64_t ones = 0, twos = 0, fours = 0, more = 0;
    for (int x = 0; x < width; x += 2) {
        uint64_t filled;
        memcpy(&filled, columns + x, sizeof filled);
        if (x + 1 == width) // one column alone
            filled = columns[x] | (uint64_t)UINT32_MAX << 32;
        uint64_t carry = ~filled, next = ones & carry;
        ones ^= carry;
        carry = twos & next;
        twos ^= next;
        more |= fours & carry;
        fours ^= carry;
    }
    uint32_t a1 = (uint32_t)ones, b1 = (uint32_t)(ones >> 32), a2 = (uint32_t)twos,
             b2 = (uint32_t)(twos >> 32);
    uint32_t a4 = (uint32_t)fours, b4 = (uint32_t)(fours >> 32), many = (uint32_t)(more | more >> 32);
    uint32_t one = a1 ^ b1, carry = a1 & b1, two = a2 ^ b2 ^ carry;
    carry = (a2 & b2) | (carry & (a2 ^ b2));
    uint32_t four = a4 ^ b4 ^ carry;
    many |= (a4 & b4) | (carry & (a4 ^ b4));
    missing[1] = one & ~(two | four | many);
    missing[2] = two & ~(one | four | many);
    missing[3] = one & two & ~(four | many);
    missing[4] = four & ~(one | two | many);
}

#ifdef V_ROTATES
INLINE V v_filled(V columns) { // up to the top
    columns = v_or(columns, v_shift_right(columns, 1));
    columns = v_or(columns, v_shift_right(columns, 2));
    columns = v_or(columns, v_shift_right(columns, 4));
    return v_or(columns, v_shift_right(columns, 8));
}
#endif

// Adds two weighted terms.
INLINE void accumulate(Sum *sum, const Weights *weights, V first, V second) {
#if V_LANES > 1
    W pairs[SUM_PARTS];
    sum_pairs(first, second, pairs);
    for (int part = 0; part < SUM_PARTS; part++) {
        sum->high[part] = w_dot(sum->high[part], pairs[part], weights->high);
        sum->low[part] = w_dot(sum->low[part], pairs[part], weights->low);
    }
#else
    *sum += weights->first * (int32_t)first + weights->second * (int32_t)second;
#endif
}

#if V_LANES > 1
// The same with weights that differ from lane to lane.
INLINE void accumulate_lanes(Sum *sum, const LaneWeights *weights, V first, V second) {
    W pairs[SUM_PARTS];
    sum_pairs(first, second, pairs);
    for (int part = 0; part < SUM_PARTS; part++) {
        sum->high[part] = w_dot(sum->high[part], pairs[part], weights->high[part]);
        sum->low[part] = w_dot(sum->low[part], pairs[part], weights->low[part]);
    }
}
#endif

// right - left as a set of one, if it is between -2 and 2; other bits are to be masked away.
#if V_LANES > 1
INLINE V differences(V left, V right) {
    return v_shl(v_set(1), v_add(v_sub(right, left), v_set(2))); // below -2: a large shift, hence 0
}
#define count_differences(set)      v_popcount(set)
#define differing(plan, at, offset) around_pair(plan, at, offset)
#else
INLINE V differences(V left, V right) { // walls are WALL_HEIGHT high: no remainder below 5 has another cause
    return (V)((uint64_t)1 << ((right - left + 2) & 63));
}
#define differing(plan, at, offset) 31 // so those to walls are none that count
INLINE V count_differences(V set) {
    static const uint8_t count[32] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
                                      1, 2, 2, 3, 2, 3, 3, 4, 2, 3, 3, 4, 3, 4, 4, 5};
    return count[set & 31];
}
#endif

// The differences of the pairs from column j + offset on.
#if V_LANES == 32
INLINE V differences_from(const SurfacePlan *plan, const Around *at, int offset) {
    return v_permute(at->differences_after, plan->second[offset]);
}
#else
#define differences_from(plan, at, offset) AROUND(plan, at, differences_after, offset)
#endif

#endif
