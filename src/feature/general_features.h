// SPDX-License-Identifier: GPL-3.0-or-later
// Every feature in lanes, for the general kernel: 16 boards at once, one vector per column. The definitions are
// those of features.def and plain.c, in steps (feature_steps). Part of kernel_general.c.
#ifndef TETRALAB_FEATURE_GENERAL_FEATURES_H
#define TETRALAB_FEATURE_GENERAL_FEATURES_H

#include <stdlib.h>

#include "feature/feature.h"
#include "feature/lanes.h"
#include "feature/rating.h"

#define BIT(ID) ((uint64_t)1 << FEATURE_##ID)

typedef struct GeneralFeatures {
    int width, height;
    W columns[BOARD_MAX_WIDTH]; // after clearing
    W landing, lines, eroded;   // of the move
    // computed:
    W h[BOARD_MAX_WIDTH], difference[BOARD_MAX_WIDTH];
    W value[FEATURES];
} GeneralFeatures;

// What the changes (features 12 to 15) are measured against.
typedef struct GeneralBefore {
    int max_height, holes, height_differences, height_sum;
} GeneralBefore;

static void general_before(GeneralBefore *before, uint64_t features, const Board *board, int width) {
    *before = (GeneralBefore){0};
    if (!(features & (BIT(DELTA_MAX_HEIGHT) | BIT(DELTA_HOLES) | BIT(DELTA_HEIGHT_DIFFERENCES) | BIT(DELTA_MEAN_HEIGHT))))
        return;
    for (int x = 0; x < width; x++) {
        int h = column_height(board->column[x]);
        before->max_height = h > before->max_height ? h : before->max_height;
        before->holes += h - __builtin_popcount(board->column[x]);
        before->height_sum += h;
        if (x > 0)
            before->height_differences += abs(h - column_height(board->column[x - 1]));
    }
}

// The value of a term, in steps.
INLINE W general_feature(const GeneralFeatures *f, const RatingTerm *term) {
    if (term->feature == FEATURE_COLUMN_HEIGHTS)
        return f->h[term->index];
    if (term->feature == FEATURE_COLUMN_DIFFERENCES)
        return f->difference[term->index];
    return f->value[term->feature];
}

static void height_features(GeneralFeatures *f, const GeneralBefore *before) {
    int width = f->width;
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

static void hole_features(GeneralFeatures *f, const GeneralBefore *before) {
    W holes = w_zero(), rows = w_zero(), depth = w_zero(), adjacent = w_zero(), ones = w_set(-1);
    for (int x = 0; x < f->width; x++) {
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

static void transition_features(GeneralFeatures *f, uint64_t features) {
    int width = f->width;
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
static void well_features(GeneralFeatures *f) {
    int width = f->width;
    W wells = w_zero(), deep = w_zero(), most = w_zero(), one = w_set(1);
    for (int x = 0; x < width; x++) {
        W left = f->h[x ? x - 1 : 1], right = f->h[x + 1 < width ? x + 1 : width - 2]; // a wall: the other side
        W d = w_max(w_sub(w_min(left, right), f->h[x]), w_zero());
        wells = w_add(wells, d);
        deep = w_add_if(w_greater(d, one), deep, d);
        most = w_max(most, d);
    }
    f->value[FEATURE_WELLS] = wells;
    f->value[FEATURE_DEEP_WELLS] = deep;
    f->value[FEATURE_MAX_WELL_DEPTH] = most;
}

// Wells by cells: empty cells between two filled ones.
static void cumulative_features(GeneralFeatures *f, uint64_t features) {
    int width = f->width;
    W wall = w_set((int)((1u << f->height) - 1)), sum = w_zero(), fast = w_zero(), pits = w_zero(), one = w_set(1);
    for (int x = 0; x < width; x++) {
        W c = f->columns[x], sides = w_and(x ? f->columns[x - 1] : wall, x + 1 < width ? f->columns[x + 1] : wall);
        if (features & BIT(PITS))
            pits = w_add(pits, w_max(w_sub(w_height(w_shr(sides, f->h[x])), one), w_zero()));
        W cells = w_andnot(c, sides), flood = cells;
        if (!wm_any(w_nonzero(cells)))
            continue;
        W empty = w_xor(c, w_set(-1));
        if (features & BIT(CUMULATIVE_WELLS_FAST)) {
            for (W more; wm_any(w_nonzero(w_xor(more = w_andnot(c, w_or(flood, w_shift_right(flood, 1))), flood)));)
                flood = more;
            for (W left = flood, open = empty; wm_any(w_nonzero(left)); left = w_and(left, open)) {
                fast = w_add(fast, w_popcount(left));
                open = w_shift_left(open, 1);
            }
        }
        for (W left = cells, open = empty; wm_any(w_nonzero(left)); left = w_and(left, open)) {
            sum = w_add(sum, w_popcount(left));
            open = w_shift_left(open, 1);
        }
    }
    f->value[FEATURE_CUMULATIVE_WELLS] = sum;
    f->value[FEATURE_CUMULATIVE_WELLS_FAST] = fast;
    f->value[FEATURE_PITS] = pits;
}

static void cell_features(GeneralFeatures *f, uint64_t features) {
    static const uint32_t position[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};
    W cells = w_zero(), weighted = w_zero();
    for (int x = 0; x < f->width; x++)
        cells = w_add(cells, w_popcount(f->columns[x]));
    f->value[FEATURE_CELLS] = cells;
    if (!(features & BIT(WEIGHTED_CELLS)))
        return;
    // Row numbers bit by bit: the sum of 2^k over the cells whose row number has bit k.
    for (int k = 4; k >= 0; k--) {
        W with_bit = w_zero();
        for (int x = 0; x < f->width; x++)
            with_bit = w_add(with_bit, w_popcount(w_and(f->columns[x], w_set((int)position[k]))));
        weighted = w_add(w_add(weighted, weighted), with_bit);
    }
    f->value[FEATURE_WEIGHTED_CELLS] = w_add(weighted, cells); // rows count from 1
}

// For every row, in how many columns its bit is set: a binary number with its bits in four vectors.
typedef struct RowCounts {
    W bit[4];
} RowCounts;

INLINE void count_rows(RowCounts *counts, W column) {
    for (int k = 0; k < 4; k++) {
        W carry = w_and(counts->bit[k], column);
        counts->bit[k] = w_xor(counts->bit[k], column);
        column = carry;
    }
}

INLINE W rows_at(const RowCounts *counts, int row) {
    W sum = w_zero();
    for (int k = 3; k >= 0; k--)
        sum = w_add(w_add(sum, sum), w_and(w_shr(counts->bit[k], w_set(row)), w_set(1)));
    return sum;
}

// xtris' embedded holes, row by row from the top.
static void embedded_feature(GeneralFeatures *f) {
    RowCounts empty = {0}, under_one = {0}, under_two = {0}; // filled cell one, two rows above
    for (int x = 0; x < f->width; x++) {
        W c = f->columns[x], above = w_shift_right(c, 1);
        count_rows(&empty, w_xor(c, w_set(-1)));
        count_rows(&under_one, w_andnot(c, above));
        count_rows(&under_two, w_andnot(w_or(c, above), w_shift_right(c, 2)));
    }
    W limit = w_set(16383), most = f->value[FEATURE_MAX_HEIGHT];
    W top = w_max(most, w_set(f->height)), first = w_zero(), second = w_zero();
    int pile = w_reduce_max(most);
    // Above every lane's pile each row adds its width.
    W sum = w_max(w_multiply(w_sub(top, w_set(pile)), w_set(f->width)), w_zero());
    for (int row = pile - 1; row >= 0; row--) {
        W own = w_add(rows_at(&empty, row), w_add(w_multiply(rows_at(&under_one, row), first),
                                                  w_multiply(rows_at(&under_two, row), second)));
        own = w_min(own, limit);
        own = w_select(w_greater(top, w_set(row)), own, w_zero());
        sum = w_min(w_add(sum, own), limit);
        second = first;
        first = own;
    }
    f->value[FEATURE_EMBEDDED_HOLES] = sum;
}

// Computes all features of the set, by families.
static void general_features(GeneralFeatures *f, uint64_t features, const GeneralBefore *before) {
    f->value[FEATURE_LANDING_HEIGHT] = f->landing;
    f->value[FEATURE_REMOVED_LINES] = f->lines;
    f->value[FEATURE_ERODED_CELLS] = f->eroded;
    height_features(f, before); // the others need the heights
    if (features & (BIT(HOLES) | BIT(DELTA_HOLES) | BIT(ROWS_WITH_HOLES) | BIT(HOLE_DEPTH) | BIT(ADJACENT_HOLES) |
                    BIT(MEAN_HOLE_DEPTH)))
        hole_features(f, before);
    if (features & (BIT(ROW_TRANSITIONS) | BIT(COLUMN_TRANSITIONS) | BIT(CELL_TRANSITIONS) | BIT(FRONTIER)))
        transition_features(f, features);
    if (features & (BIT(WELLS) | BIT(DEEP_WELLS) | BIT(MAX_WELL_DEPTH)))
        well_features(f);
    if (features & (BIT(CUMULATIVE_WELLS) | BIT(CUMULATIVE_WELLS_FAST) | BIT(PITS)))
        cumulative_features(f, features);
    if (features & (BIT(CELLS) | BIT(WEIGHTED_CELLS)))
        cell_features(f, features);
    if (features & BIT(EMBEDDED_HOLES))
        embedded_feature(f);
}

#endif
