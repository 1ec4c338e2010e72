// SPDX-License-Identifier: GPL-3.0-or-later
// Features in lanes, for the general kernel: 16 boards at once, one vector per column. The definitions are
// those of features.def and reference.c, in steps (feature_steps). Part of kernel_general.c.
#ifndef TETRALAB_FEATURE_GENERAL_FEATURES_H
#define TETRALAB_FEATURE_GENERAL_FEATURES_H

#include <stddef.h>
#include <stdlib.h>

#include "feature/feature.h"
#include "feature/lanes.h"
#include "feature/rating.h"
#include "feature/well_tables.h"

#define BIT(ID) ((uint64_t)1 << FEATURE_##ID)

// The features that have a version in lanes, by the function that computes them; the kernel leaves ratings
// with others to the reference definitions. Their bounds together stay below 2^16 on the largest board, since
// products with weights are added up in two halves of 32 bits.
#define MOVE_FEATURES         (BIT(LANDING_HEIGHT) | BIT(REMOVED_LINES) | BIT(ERODED_CELLS))
#define CELL_FEATURES         (BIT(CELLS) | BIT(WEIGHTED_CELLS))
#define DELTA_HEIGHT_FEATURES (BIT(DELTA_MAX_HEIGHT) | BIT(DELTA_MEAN_HEIGHT) | BIT(DELTA_HEIGHT_DIFFERENCES))
#define HEIGHT_FEATURES                                                                                      \
    (BIT(COLUMN_HEIGHTS) | BIT(COLUMN_DIFFERENCES) | BIT(JAGS) | BIT(MAX_HEIGHT) | BIT(MIN_HEIGHT) |         \
     BIT(MEAN_HEIGHT) | BIT(HEIGHT_DIFFERENCES) | BIT(HEIGHT_RANGE) | BIT(MAX_MINUS_MEAN_HEIGHT) |           \
     BIT(MEAN_MINUS_MIN_HEIGHT) | BIT(DIVERSITY) | DELTA_HEIGHT_FEATURES)
#define HOLE_FEATURES                                                                                        \
    (BIT(HOLES) | BIT(DELTA_HOLES) | BIT(ROWS_WITH_HOLES) | BIT(HOLE_DEPTH) | BIT(ADJACENT_HOLES) |          \
     BIT(MEAN_HOLE_DEPTH))
#define TRANSITION_FEATURES                                                                                  \
    (BIT(ROW_TRANSITIONS) | BIT(COLUMN_TRANSITIONS) | BIT(CELL_TRANSITIONS) | BIT(FRONTIER))
#define WELL_FEATURES       (BIT(WELLS) | BIT(DEEP_WELLS) | BIT(MAX_WELL_DEPTH))
#define CUMULATIVE_FEATURES (BIT(CUMULATIVE_WELLS) | BIT(CUMULATIVE_WELLS_FAST) | BIT(PITS))
#define GENERAL_FEATURES                                                                                     \
    (MOVE_FEATURES | CELL_FEATURES | HEIGHT_FEATURES | HOLE_FEATURES | TRANSITION_FEATURES | WELL_FEATURES | \
     CUMULATIVE_FEATURES | BIT(EMBEDDED_HOLES))

typedef struct GeneralFeatures {
    int height;
    W columns[BOARD_MAX_WIDTH]; // after clearing
    W landing, lines, eroded;   // of the move
    W cells, weighted;          // filled cells, and the sum of their row numbers
    // computed, in this order (see general_slot):
    W value[FEATURES];
    W h[BOARD_MAX_WIDTH], difference[BOARD_MAX_WIDTH];
} GeneralFeatures;

// Of the board before the move: what the changes (features 12 to 15) are measured against, and what the cells
// (17 and 19) are counted from.
typedef struct GeneralBefore {
    int max_height, holes, height_differences, height_sum, cells, weighted;
} GeneralBefore;

// The rows whose number has bit k.
static const uint32_t row_bit[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};

static void general_before(GeneralBefore *before, uint64_t features, const Board *board, int width) {
    *before = (GeneralBefore){0};
    if (!(features & (DELTA_HEIGHT_FEATURES | BIT(DELTA_HOLES) | CELL_FEATURES)))
        return;
    for (int x = 0; x < width; x++) {
        uint32_t column = board->column[x];
        int h = column_height(column), cells = __builtin_popcount(column);
        before->max_height = h > before->max_height ? h : before->max_height;
        before->holes += h - cells;
        before->height_sum += h;
        before->cells += cells;
        if (x > 0)
            before->height_differences += abs(h - column_height(board->column[x - 1]));
        if (features & BIT(WEIGHTED_CELLS)) {
            for (int k = 0; k < 5; k++) // row numbers bit by bit
                before->weighted += __builtin_popcount(column & row_bit[k]) << k;
            before->weighted += cells; // they count from 1
        }
    }
}

// A slot (general_slot) is a number of vectors from `value` on.
INLINE W general_feature(const GeneralFeatures *f, int slot) {
    return w_load((const char *)f + offsetof(GeneralFeatures, value) + (size_t)slot * sizeof(W));
}

INLINE void height_features(GeneralFeatures *f, const int width, const GeneralBefore *before) {
    W most = f->h[0] = w_height(f->columns[0]), least = most, sum = most;
    W jags = w_zero(), differences = w_zero(), seen = w_zero(), one = w_set(1);
    for (int x = 1; x < width; x++) {
        W h = f->h[x] = w_height(f->columns[x]), left = f->h[x - 1];
        most = w_max(most, h);
        least = w_min(least, h);
        sum = w_add(sum, h);
        W d = f->difference[x - 1] = w_abs_difference(left, h);
        differences = w_add(differences, d);
        jags = w_add(jags, w_min(d, one));
        seen = w_or(seen, w_shl(one, w_add(w_sub(h, left), w_set(2)))); // below -2: shifted out
    }
    f->value[FEATURE_JAGS] = jags;
    f->value[FEATURE_MAX_HEIGHT] = most;
    f->value[FEATURE_MIN_HEIGHT] = least;
    f->value[FEATURE_MEAN_HEIGHT] = sum;
    f->value[FEATURE_HEIGHT_DIFFERENCES] = differences;
    f->value[FEATURE_HEIGHT_RANGE] = w_sub(most, least);
    f->value[FEATURE_MAX_MINUS_MEAN_HEIGHT] = w_sub(w_multiply(most, w_set(width)), sum);
    f->value[FEATURE_MEAN_MINUS_MIN_HEIGHT] = w_sub(sum, w_multiply(least, w_set(width)));
    f->value[FEATURE_DIVERSITY] = w_popcount(w_and(seen, w_set(31)));
    f->value[FEATURE_DELTA_MAX_HEIGHT] = w_sub(most, w_set(before->max_height));
    f->value[FEATURE_DELTA_MEAN_HEIGHT] = w_sub(sum, w_set(before->height_sum));
    f->value[FEATURE_DELTA_HEIGHT_DIFFERENCES] = w_sub(differences, w_set(before->height_differences));
}

INLINE void hole_features(GeneralFeatures *f, const int width, const GeneralBefore *before) {
    W holes = w_zero(), rows = w_zero(), depth = w_zero(), adjacent = w_zero(), ones = w_set(-1);
    for (int x = 0; x < width; x++) {
        W c = f->columns[x];
        W hole = w_xor(w_or(c, w_shl(ones, f->h[x])), ones);
        holes = w_add(holes, w_popcount(hole));
        rows = w_or(rows, hole);
        depth = w_add(depth, w_popcount(w_andnot(w_xor(c, w_add(c, w_set(1))), c)));
        adjacent = w_add(adjacent, w_popcount(w_andnot(w_or(w_shift_left(c, 1), w_set(1)), c)));
    }
    f->value[FEATURE_HOLES] = holes;
    f->value[FEATURE_DELTA_HOLES] = w_sub(holes, w_set(before->holes));
    f->value[FEATURE_ROWS_WITH_HOLES] = w_popcount(rows);
    f->value[FEATURE_HOLE_DEPTH] = depth;
    f->value[FEATURE_ADJACENT_HOLES] = adjacent;
    f->value[FEATURE_MEAN_HOLE_DEPTH] = w_divide(w_shift_left(depth, 8), w_max(adjacent, w_set(1)));
}

INLINE void transition_features(GeneralFeatures *f, const int width, uint64_t features) {
    W wall = w_set((int)((1u << f->height) - 1)), inner = w_zero(), columns = w_zero();
    for (int x = 0; x < width; x++) {
        W c = f->columns[x];
        if (x)
            inner = w_add(inner, w_popcount(w_xor(f->columns[x - 1], c)));
        columns = w_add(columns, w_popcount(w_xor(c, w_or(w_shift_left(c, 1), w_set(1)))));
    }
    W first = f->columns[0], last = f->columns[width - 1];
    f->value[FEATURE_ROW_TRANSITIONS] =
        w_add(inner, w_add(w_popcount(w_xor(wall, first)), w_popcount(w_xor(wall, last))));
    f->value[FEATURE_COLUMN_TRANSITIONS] = columns;
    if (!(features & (BIT(CELL_TRANSITIONS) | BIT(FRONTIER))))
        return;
    // Pairs above each other, both inside the board (or the pile, should that be higher).
    W top = w_max(f->value[FEATURE_MAX_HEIGHT], w_set(f->height));
    W mask = w_sub(w_shl(w_set(1), w_sub(top, w_set(1))), w_set(1)), cells = inner;
    for (int x = 0; x < width; x++) {
        W c = f->columns[x];
        cells = w_add(cells, w_popcount(w_and(mask, w_xor(c, w_shift_right(c, 1)))));
    }
    f->value[FEATURE_CELL_TRANSITIONS] = cells;
    W empty_sides = w_sub(w_add(top, top), w_add(w_popcount(first), w_popcount(last)));
    f->value[FEATURE_FRONTIER] = w_add(cells, empty_sides);
}

// Wells by heights: d = max(0, min(left, right) - own).
INLINE void well_features(GeneralFeatures *f, const int width) {
    W wells = w_zero(), deep = w_zero(), most = w_zero(), one = w_set(1);
    for (int x = 0; x < width; x++) {
        W left = f->h[x ? x - 1 : 1],
          right = f->h[x + 1 < width ? x + 1 : width - 2]; // a wall: the other side
        W d = w_max(w_sub(w_min(left, right), f->h[x]), w_zero());
        wells = w_add(wells, d);
        deep = w_add_if(w_greater(d, one), deep, d);
        most = w_max(most, d);
    }
    f->value[FEATURE_WELLS] = wells;
    f->value[FEATURE_DEEP_WELLS] = deep;
    f->value[FEATURE_MAX_WELL_DEPTH] = most;
}

// For every cell of the masks, one per column: empty cells from it downward. All columns take a step
// together, since branches that depend on the board cost more than the work they save.
INLINE W general_run_sum(const W *columns, const int width, const W *masks) {
    W sum = w_zero(), left[BOARD_MAX_WIDTH], empty[BOARD_MAX_WIDTH], any = w_zero();
    for (int x = 0; x < width; x++) {
        left[x] = masks[x];
        empty[x] = w_xor(columns[x], w_set(-1));
        any = w_or(any, left[x]);
    }
    while (wm_any(w_nonzero(any))) {
        any = w_zero();
        for (int x = 0; x < width; x++) {
            sum = w_add(sum, w_popcount(left[x]));
            empty[x] = w_shift_left(empty[x], 1);
            left[x] = w_and(left[x], empty[x]);
            any = w_or(any, left[x]);
        }
    }
    return sum;
}

// Adds to the masks everything empty below them.
INLINE void general_flood_down(const W *columns, const int width, W *masks) {
    W changed;
    do {
        changed = w_zero();
        for (int x = 0; x < width; x++) {
            W more = w_andnot(columns[x], w_or(masks[x], w_shift_right(masks[x], 1)));
            changed = w_or(changed, w_xor(more, masks[x]));
            masks[x] = more;
        }
    } while (wm_any(w_nonzero(changed)));
}

// Wells by cells: empty cells between two filled ones. Open wells are looked up; those below the surface, and
// all where one is too deep for the table, are followed down.
INLINE void cumulative_features(GeneralFeatures *f, const int width, uint64_t features) {
    W wall = w_set((int)((1u << f->height) - 1)), sum = w_zero(), fast = w_zero(), pits = w_zero(),
      one = w_set(1);
    W cells[BOARD_MAX_WIDTH], deep = w_zero(), any = w_zero();
    for (int x = 0; x < width; x++) {
        W c = f->columns[x],
          sides = w_and(x ? f->columns[x - 1] : wall, x + 1 < width ? f->columns[x + 1] : wall);
        W open = w_shr(sides, f->h[x]);
        cells[x] = w_andnot(w_or(c, w_shl(w_set(-1), f->h[x])), sides);
        any = w_or(any, cells[x]);
        deep = w_or(deep, open);
        sum = w_add(sum, w_lookup(well_table[WELLS_CUMULATIVE], open, true));
        fast = w_add(fast, w_lookup(well_table[WELLS_FAST], open, false));
        if (features & BIT(PITS))
            pits = w_add(pits, w_max(w_sub(w_height(open), one), w_zero()));
    }
    if (__builtin_expect(wm_any(w_nonzero(w_and(deep, w_set(~63)))), 0)) {
        sum = fast = w_zero();
        for (int x = 0; x < width; x++) {
            cells[x] = w_andnot(
                f->columns[x], w_and(x ? f->columns[x - 1] : wall, x + 1 < width ? f->columns[x + 1] : wall));
            any = w_or(any, cells[x]);
        }
    }
    if (wm_any(w_nonzero(any))) {
        if (features & BIT(CUMULATIVE_WELLS))
            sum = w_add(sum, general_run_sum(f->columns, width, cells));
        if (features & BIT(CUMULATIVE_WELLS_FAST)) {
            general_flood_down(f->columns, width, cells);
            fast = w_add(fast, general_run_sum(f->columns, width, cells));
        }
    }
    f->value[FEATURE_CUMULATIVE_WELLS] = sum;
    f->value[FEATURE_CUMULATIVE_WELLS_FAST] = fast;
    f->value[FEATURE_PITS] = pits;
}

// For every row, in how many columns its bit is set: a binary number with its bits in four vectors.
typedef struct RowCounts {
    W bit[4];
} RowCounts;

// Adds two columns.
INLINE void count_rows(RowCounts *counts, W a, W b) {
    W carry = w_majority(counts->bit[0], a, b);
    counts->bit[0] = w_xor3(counts->bit[0], a, b);
    for (int k = 1; k < 4; k++) {
        W next = w_and(counts->bit[k], carry);
        counts->bit[k] = w_xor(counts->bit[k], carry);
        carry = next;
    }
}

INLINE W rows_at(const RowCounts *counts, int row) {
    W sum = w_zero();
    for (int k = 3; k >= 0; k--)
        sum = w_add(w_add(sum, sum), w_and(w_shr(counts->bit[k], w_set(row)), w_set(1)));
    return sum;
}

// xtris' embedded holes, row by row from the top.
INLINE void embedded_feature(GeneralFeatures *f, const int width) {
    RowCounts empty = {0}, under_one = {0}, under_two = {0}; // filled cell one, two rows above
    W under = w_zero();
    for (int x = 0; x < width; x += 2) {
        W a = f->columns[x], b = x + 1 < width ? f->columns[x + 1] : w_set(-1); // a full column adds nothing
        W above_a = w_shift_right(a, 1), above_b = w_shift_right(b, 1);
        count_rows(&empty, w_xor(a, w_set(-1)), w_xor(b, w_set(-1)));
        W one_a = w_andnot(a, above_a), two_a = w_andnot(w_or(a, above_a), w_shift_right(a, 2));
        W one_b = w_andnot(b, above_b), two_b = w_andnot(w_or(b, above_b), w_shift_right(b, 2));
        count_rows(&under_one, one_a, one_b);
        count_rows(&under_two, two_a, two_b);
        under = w_or3(under, w_or(one_a, one_b), w_or(two_a, two_b));
    }
    W limit = w_set(16383), most = f->value[FEATURE_MAX_HEIGHT];
    W top = w_max(most, w_set(f->height)), first = w_zero(), second = w_zero();
    int pile = w_reduce_max(most);
    // Above every lane's pile each row adds its width.
    W sum = w_max(w_multiply(w_sub(top, w_set(pile)), w_set(width)), w_zero());
    uint32_t embedding = w_reduce_or(under); // rows where that matters in any lane
    for (int row = pile - 1; row >= 0; row--) {
        W own = rows_at(&empty, row);
        if (embedding >> row & 1)
            own = w_add(own, w_add(w_multiply(rows_at(&under_one, row), first),
                                   w_multiply(rows_at(&under_two, row), second)));
        own = w_min(own, limit);
        own = w_select(w_greater(top, w_set(row)), own, w_zero());
        sum = w_min(w_add(sum, own), limit);
        second = first;
        first = own;
    }
    f->value[FEATURE_EMBEDDED_HOLES] = sum;
}

// Computes all features of the set, by families. The width is a parameter so that it can be a constant.
INLINE void general_features(GeneralFeatures *f, const int width, uint64_t features,
                             const GeneralBefore *before) {
    f->value[FEATURE_LANDING_HEIGHT] = f->landing;
    f->value[FEATURE_REMOVED_LINES] = f->lines;
    f->value[FEATURE_ERODED_CELLS] = f->eroded;
    f->value[FEATURE_CELLS] = f->cells;
    f->value[FEATURE_WEIGHTED_CELLS] = f->weighted;
    height_features(f, width, before); // the others need the heights
    if (features & HOLE_FEATURES)
        hole_features(f, width, before);
    if (features & TRANSITION_FEATURES)
        transition_features(f, width, features);
    if (features & WELL_FEATURES)
        well_features(f, width);
    if (features & CUMULATIVE_FEATURES)
        cumulative_features(f, width, features);
    if (features & BIT(EMBEDDED_HOLES))
        embedded_feature(f, width);
}

#endif
