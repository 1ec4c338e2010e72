// SPDX-License-Identifier: GPL-3.0-or-later
// Features in lanes, for the general kernel: 16 boards at once, one vector per column. The definitions are
// those of features.def and reference.c, in steps (feature_steps). Part of kernel_general.c.
#ifndef TETRALAB_FEATURE_GENERAL_FEATURES_H
#define TETRALAB_FEATURE_GENERAL_FEATURES_H

#include <stdlib.h>

#include "feature/feature.h"
#include "feature/lanes.h"
#include "feature/rating.h"
#include "feature/well_tables.h"

#define BIT(ID) ((uint64_t)1 << FEATURE_##ID)

// The features that have a version in lanes, by the function that computes them; the kernel leaves ratings
// with others to the reference definitions. Their bounds together stay below 2^16 on the largest board, since
// products with weights are added up in two halves of 32 bits.
#define MOVE_FEATURES                                                                                        \
    (BIT(LANDING_HEIGHT) | BIT(REMOVED_LINES) | BIT(ERODED_CELLS) | BIT(MEAN_LANDING_HEIGHT))
#define CELL_FEATURES         (BIT(CELLS) | BIT(WEIGHTED_CELLS))
#define DELTA_HEIGHT_FEATURES (BIT(DELTA_MAX_HEIGHT) | BIT(DELTA_MEAN_HEIGHT) | BIT(DELTA_HEIGHT_DIFFERENCES))
#define HEIGHT_FEATURES                                                                                      \
    (BIT(COLUMN_HEIGHTS) | BIT(COLUMN_DIFFERENCES) | BIT(JAGS) | BIT(MAX_HEIGHT) | BIT(MIN_HEIGHT) |         \
     BIT(MEAN_HEIGHT) | BIT(HEIGHT_DIFFERENCES) | BIT(HEIGHT_RANGE) | BIT(MAX_MINUS_MEAN_HEIGHT) |           \
     BIT(MEAN_MINUS_MIN_HEIGHT) | BIT(DIVERSITY) | BIT(NEAR_TOP) | DELTA_HEIGHT_FEATURES)
#define HOLE_PLACE_FEATURES (BIT(HIGHEST_HOLE) | BIT(HIGHEST_HOLE_COLUMN) | BIT(HOLES_BY_COLUMN))
#define HOLE_FEATURES                                                                                        \
    (BIT(HOLES) | BIT(DELTA_HOLES) | BIT(ROWS_WITH_HOLES) | BIT(HOLE_DEPTH) | BIT(ADJACENT_HOLES) |          \
     BIT(MEAN_HOLE_DEPTH) | HOLE_PLACE_FEATURES)
#define TRANSITION_FEATURES                                                                                  \
    (BIT(ROW_TRANSITIONS) | BIT(COLUMN_TRANSITIONS) | BIT(CELL_TRANSITIONS) | BIT(FRONTIER))
#define WELL_TABLE_FEATURES (BIT(WELLS_BY_DEPTH) | BIT(WELLS_BY_PLACE) | BIT(DEEPEST_WELL))
#define STEP_TABLE_FEATURES (BIT(STEP_SIZES) | BIT(WALL_STEPS) | BIT(STEP_PAIRS) | BIT(STEP_TRIPLES))
#define FIT_FEATURES        (BIT(FITS) | BIT(FITS_BOTH_WAYS))
#define CUMULATIVE_FEATURES (BIT(CUMULATIVE_WELLS) | BIT(CUMULATIVE_WELLS_FAST) | BIT(PITS))
#define GENERAL_FEATURES                                                                                     \
    (MOVE_FEATURES | CELL_FEATURES | HEIGHT_FEATURES | HOLE_FEATURES | TRANSITION_FEATURES | WELL_FEATURES | \
     CUMULATIVE_FEATURES | WELL_TABLE_FEATURES | STEP_TABLE_FEATURES | FIT_FEATURES | BIT(EMBEDDED_HOLES))

typedef struct GeneralFeatures {
    int height;
    W columns[BOARD_MAX_WIDTH];             // after clearing
    W landing, mean_landing, lines, eroded; // of the move
    W cells, weighted;                      // filled cells, and the sum of their row numbers
    // computed: the values of a feature from feature_first on
    W value[FEATURES_ALL_VALUES];
    W h[BOARD_MAX_WIDTH];
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

INLINE void height_features(GeneralFeatures *f, const int width, const GeneralBefore *before) {
    W most = f->h[0] = w_height(f->columns[0]), least = most, sum = most;
    W jags = w_zero(), differences = w_zero(), seen = w_zero(), one = w_set(1);
    f->value[FIRST_OF_COLUMN_HEIGHTS] = most;
    for (int x = 1; x < width; x++) {
        W h = f->h[x] = f->value[FIRST_OF_COLUMN_HEIGHTS + x] = w_height(f->columns[x]), left = f->h[x - 1];
        most = w_max(most, h);
        least = w_min(least, h);
        sum = w_add(sum, h);
        W d = f->value[FIRST_OF_COLUMN_DIFFERENCES + x - 1] = w_abs_difference(left, h);
        differences = w_add(differences, d);
        jags = w_add(jags, w_min(d, one));
        seen = w_or(seen, w_shl(one, w_add(w_sub(h, left), w_set(2)))); // below -2: shifted out
    }
    f->value[FIRST_OF_JAGS] = jags;
    f->value[FIRST_OF_MAX_HEIGHT] = most;
    f->value[FIRST_OF_MIN_HEIGHT] = least;
    f->value[FIRST_OF_MEAN_HEIGHT] = sum;
    f->value[FIRST_OF_HEIGHT_DIFFERENCES] = differences;
    f->value[FIRST_OF_HEIGHT_RANGE] = w_sub(most, least);
    f->value[FIRST_OF_MAX_MINUS_MEAN_HEIGHT] = w_sub(w_multiply(most, w_set(width)), sum);
    f->value[FIRST_OF_MEAN_MINUS_MIN_HEIGHT] = w_sub(sum, w_multiply(least, w_set(width)));
    f->value[FIRST_OF_DIVERSITY] = w_popcount(w_and(seen, w_set(31)));
    for (int k = 0; k < TABLE_6; k++)
        f->value[FIRST_OF_NEAR_TOP + k] = w_max(w_sub(most, w_set(f->height - 12 + 2 * k)), w_zero());
    f->value[FIRST_OF_DELTA_MAX_HEIGHT] = w_sub(most, w_set(before->max_height));
    f->value[FIRST_OF_DELTA_MEAN_HEIGHT] = w_sub(sum, w_set(before->height_sum));
    f->value[FIRST_OF_DELTA_HEIGHT_DIFFERENCES] = w_sub(differences, w_set(before->height_differences));
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
    f->value[FIRST_OF_HOLES] = holes;
    f->value[FIRST_OF_DELTA_HOLES] = w_sub(holes, w_set(before->holes));
    f->value[FIRST_OF_ROWS_WITH_HOLES] = w_popcount(rows);
    f->value[FIRST_OF_HOLE_DEPTH] = depth;
    f->value[FIRST_OF_ADJACENT_HOLES] = adjacent;
    f->value[FIRST_OF_MEAN_HOLE_DEPTH] = w_divide(w_shift_left(depth, 8), w_max(adjacent, w_set(1)));
}

// Highest holes are compared as numbers of their row and their column's height.
INLINE void hole_place_features(GeneralFeatures *f, const int width) {
    W highest = w_zero(), ones = w_set(-1);
    for (int x = 0; 2 * x < width; x++)
        f->value[FIRST_OF_HOLES_BY_COLUMN + x] = w_zero();
    for (int x = 0; x < width; x++) {
        W hole = w_xor(w_or(f->columns[x], w_shl(ones, f->h[x])), ones), row = w_height(hole);
        W *sum = &f->value[FIRST_OF_HOLES_BY_COLUMN + (2 * x < width ? x : width - 1 - x)];
        *sum = w_add(*sum, w_popcount(hole));
        W key = w_add(w_shift_left(row, 6), f->h[x]);
        highest = w_max(highest, w_select(w_nonzero(row), key, w_zero()));
    }
    f->value[FIRST_OF_HIGHEST_HOLE] = w_shift_right(highest, 6);
    f->value[FIRST_OF_HIGHEST_HOLE_COLUMN] = w_and(highest, w_set(63));
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
    f->value[FIRST_OF_ROW_TRANSITIONS] =
        w_add(inner, w_add(w_popcount(w_xor(wall, first)), w_popcount(w_xor(wall, last))));
    f->value[FIRST_OF_COLUMN_TRANSITIONS] = columns;
    if (!(features & (BIT(CELL_TRANSITIONS) | BIT(FRONTIER))))
        return;
    // Pairs above each other, both inside the board (or the pile, should that be higher).
    W top = w_max(f->value[FIRST_OF_MAX_HEIGHT], w_set(f->height));
    W mask = w_sub(w_shl(w_set(1), w_sub(top, w_set(1))), w_set(1)), cells = inner;
    for (int x = 0; x < width; x++) {
        W c = f->columns[x];
        cells = w_add(cells, w_popcount(w_and(mask, w_xor(c, w_shift_right(c, 1)))));
    }
    f->value[FIRST_OF_CELL_TRANSITIONS] = cells;
    W empty_sides = w_sub(w_add(top, top), w_add(w_popcount(first), w_popcount(last)));
    f->value[FIRST_OF_FRONTIER] = w_add(cells, empty_sides);
}

// Wells by heights: d = max(0, min(left, right) - own).
INLINE W well_depth_at(const GeneralFeatures *f, const int width, int x) {
    W left = f->h[x ? x - 1 : 1], right = f->h[x + 1 < width ? x + 1 : width - 2]; // a wall: the other side
    return w_max(w_sub(w_min(left, right), f->h[x]), w_zero());
}

INLINE void well_features(GeneralFeatures *f, const int width) {
    W wells = w_zero(), deep = w_zero(), most = w_zero(), one = w_set(1);
    for (int x = 0; x < width; x++) {
        W d = well_depth_at(f, width, x);
        wells = w_add(wells, d);
        deep = w_add_if(w_greater(d, one), deep, d);
        most = w_max(most, d);
    }
    f->value[FIRST_OF_WELLS] = wells;
    f->value[FIRST_OF_DEEP_WELLS] = deep;
    f->value[FIRST_OF_MAX_WELL_DEPTH] = most;
}

// The four numbers of one well, added to sums. -> counts  lanes where it counts, as ones
INLINE void add_well(W depth, W counts, W *sum) {
    W one = w_set(1), two = w_set(2);
    W deep = w_min(w_max(w_sub(depth, two), w_zero()), one), some = w_min(depth, one);
    W second = w_min(w_max(w_sub(depth, one), w_zero()), one); // depth > 1
    sum[0] = w_add(sum[0], w_and(counts, w_sub(some, second)));
    sum[1] = w_add(sum[1], w_and(counts, w_sub(second, deep)));
    sum[2] = w_add(sum[2], w_and(counts, deep));
    sum[3] = w_add(sum[3], w_and(counts, w_max(w_sub(depth, two), w_zero())));
}

INLINE int place_of(int x, int width) { // columns from the wall, at most 3
    int from = 2 * x < width ? x : width - 1 - x;
    return from < 3 ? from : 3;
}

INLINE void well_table_features(GeneralFeatures *f, const int width) {
    W *place = &f->value[FIRST_OF_WELLS_BY_PLACE], *deepest = &f->value[FIRST_OF_DEEPEST_WELL];
    W highest = w_zero(), ones = w_set(-1);
    for (int k = 0; k < TABLE_16; k++)
        place[k] = deepest[k] = w_zero();
    for (int x = 0; x < width; x++) {
        W depth = well_depth_at(f, width, x);
        add_well(depth, ones, place + 4 * place_of(x, width));
        highest = w_max(highest, w_add(w_shift_left(depth, 2), w_set(3 - place_of(x, width))));
    }
    for (int k = 0; k < TABLE_4; k++)
        f->value[FIRST_OF_WELLS_BY_DEPTH + k] =
            w_add(w_add(place[k], place[k + 4]), w_add(place[k + 8], place[k + 12]));
    W depth = w_shift_right(highest, 2), nearness = w_and(highest, w_set(3));
    for (int p = 0; p < 4; p++)
        add_well(depth, w_select(w_equal(nearness, w_set(3 - p)), ones, w_zero()), deepest + 4 * p);
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
    f->value[FIRST_OF_CUMULATIVE_WELLS] = sum;
    f->value[FIRST_OF_CUMULATIVE_WELLS_FAST] = fast;
    f->value[FIRST_OF_PITS] = pits;
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
    W limit = w_set(16383), most = f->value[FIRST_OF_MAX_HEIGHT];
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
    f->value[FIRST_OF_EMBEDDED_HOLES] = sum;
}

// ---- tables of steps -----------------------------------------------------------------------------------

INLINE W w_clipped(W a, int most) { // as a number from 0 on
    return w_min(w_max(w_add(a, w_set(most)), w_zero()), w_set(2 * most));
}

INLINE W w_unordered(W a, W b) {
    W most = w_max(a, b);
    return w_add(w_min(a, b), w_shift_right(w_multiply(most, w_add(most, w_set(1))), 1));
}

// How often each number occurs in the lanes: below 16 times, hence eight counts to a word, four bits each.
INLINE void count_numbers(const W *number, int numbers, W *count, int counts) {
    enum { WORDS = (TABLE_65 + 7) / 8 };
    W word[WORDS];
    for (int k = 0; 8 * k < counts; k++)
        word[k] = w_zero();
    for (int i = 0; i < numbers; i++) {
        W bit = w_shl(w_set(1), w_shift_left(w_and(number[i], w_set(7)), 2)),
          which = w_shift_right(number[i], 3);
        for (int k = 0; 8 * k < counts; k++)
            word[k] = w_add_if(w_equal(which, w_set(k)), word[k], bit);
    }
    for (int k = 0; k < counts; k++)
        count[k] = w_and(w_shr(word[k / 8], w_set(4 * (k % 8))), w_set(15));
}

// How far column x stands above column x + side, within -most ... most, from 0 on; a wall is far higher.
INLINE W above_beside(const GeneralFeatures *f, const int width, int x, int side, int most) {
    int beside = x + side;
    return beside < 0 || beside >= width ? w_zero() : w_clipped(w_sub(f->h[x], f->h[beside]), most);
}

INLINE void step_table_features(GeneralFeatures *f, const int width, uint64_t features) {
    W number[BOARD_MAX_WIDTH], count[7];
    if (features & BIT(STEP_SIZES)) {
        for (int x = 0; x + 1 < width; x++)
            number[x] = w_min(w_abs_difference(f->h[x], f->h[x + 1]), w_set(3));
        count_numbers(number, width - 1, count, 4);
        for (int k = 0; k < TABLE_3; k++)
            f->value[FIRST_OF_STEP_SIZES + k] = count[k + 1];
    }
    if (features & BIT(WALL_STEPS)) {
        number[0] = above_beside(f, width, 0, 1, 3);
        number[1] = above_beside(f, width, width - 1, -1, 3);
        count_numbers(number, 2, count, 7);
        for (int k = 0; k < TABLE_6; k++)
            f->value[FIRST_OF_WALL_STEPS + k] = count[k + (k > 2)];
    }
    if (features & BIT(STEP_PAIRS)) {
        for (int x = 1; x + 1 < width; x++)
            number[x - 1] = w_unordered(above_beside(f, width, x, -1, 3), above_beside(f, width, x, 1, 3));
        count_numbers(number, width - 2, &f->value[FIRST_OF_STEP_PAIRS], TABLE_28);
    }
    if (!(features & BIT(STEP_TRIPLES)))
        return;
    for (int x = 0; x + 1 < width; x++) {
        W left = above_beside(f, width, x, -1, 2), right = above_beside(f, width, x + 1, 1, 2);
        WM up = w_greater(f->h[x + 1], f->h[x]);
        W size = w_min(w_abs_difference(f->h[x], f->h[x + 1]), w_set(2));
        W ordered = w_add(w_multiply(w_select(up, left, right), w_set(5)), w_select(up, right, left));
        W steps = w_add(w_add(ordered, w_multiply(size, w_set(25))), w_set(-10)); // 15 for 1, 40 for 2
        number[x] = w_select(w_nonzero(size), steps, w_unordered(left, right));
    }
    count_numbers(number, width - 1, &f->value[FIRST_OF_STEP_TRIPLES], TABLE_65);
}

// ---- fits ----------------------------------------------------------------------------------------------

// Steps as bits: bit d + 3 for a step of d upward, none beyond 3.
INLINE W step_bit(W left, W right) {
    return w_and(w_shl(w_set(1), w_add(w_sub(right, left), w_set(3))), w_set(127));
}

// How many places the outlines of a piece lie at. They are sets of steps, one after the other; in `both` ways
// upside down too, each once.
typedef struct FitOutline {
    int8_t steps, step[3];
} FitOutline;

INLINE bool same_outline(const FitOutline *a, const FitOutline *b) {
    return a->steps == b->steps && a->step[0] == b->step[0] && a->step[1] == b->step[1] &&
           a->step[2] == b->step[2];
}

static int fit_outlines(int piece, bool both, FitOutline outline[8]) {
    int count = 0, orientations = piece_orientations[piece];
    for (int k = 0; k < orientations * (both ? 2 : 1); k++) {
        const Shape *shape = &piece_shape[piece][k % orientations];
        FitOutline own = {.steps = (int8_t)(shape->width - 1)};
        for (int i = 0; i < own.steps; i++)
            own.step[i] = (int8_t)((shape->bottom[i + 1] - shape->bottom[i]) * (k < orientations ? 1 : -1));
        bool known = own.steps == 0;
        for (int before = 0; before < count; before++)
            known |= same_outline(&own, &outline[before]);
        if (!known)
            outline[count++] = own;
    }
    return count;
}

static void fit_features(GeneralFeatures *f, const int width, bool both, W *value) {
    static const int group[PIECES] = {[PIECE_I] = 0, [PIECE_O] = 1, [PIECE_T] = 2, [PIECE_S] = 3,
                                      [PIECE_Z] = 3, [PIECE_L] = 4, [PIECE_J] = 4};
    W step[BOARD_MAX_WIDTH], one = w_set(1);
    for (int x = 0; x + 1 < width; x++)
        step[x] = step_bit(f->h[x], f->h[x + 1]);
    for (int k = 0; k < TABLE_10; k++)
        value[k] = w_zero();
    for (int piece = 0; piece < PIECES; piece++) {
        FitOutline outline[8];
        int outlines = fit_outlines(piece, both, outline);
        W count = w_zero();
        for (int k = 0; k < outlines; k++)
            for (int x = 0; x + outline[k].steps < width; x++) {
                W lies = one;
                for (int i = 0; i < outline[k].steps; i++)
                    lies = w_and(lies, w_shr(step[x + i], w_set(outline[k].step[i] + 3)));
                count = w_add(count, lies);
            }
        W *own = value + 2 * group[piece];
        own[0] = w_add(own[0], w_min(count, one));
        own[1] = w_add(own[1], w_min(w_max(w_sub(count, one), w_zero()), one));
    }
}

// Computes all features of the set, by families. The width is a parameter so that it can be a constant.
INLINE void general_features(GeneralFeatures *f, const int width, uint64_t features,
                             const GeneralBefore *before) {
    f->value[FIRST_OF_LANDING_HEIGHT] = f->landing;
    f->value[FIRST_OF_MEAN_LANDING_HEIGHT] = f->mean_landing;
    f->value[FIRST_OF_REMOVED_LINES] = f->lines;
    f->value[FIRST_OF_ERODED_CELLS] = f->eroded;
    f->value[FIRST_OF_CELLS] = f->cells;
    f->value[FIRST_OF_WEIGHTED_CELLS] = f->weighted;
    height_features(f, width, before); // the others need the heights
    if (features & HOLE_FEATURES)
        hole_features(f, width, before);
    if (features & HOLE_PLACE_FEATURES)
        hole_place_features(f, width);
    if (features & TRANSITION_FEATURES)
        transition_features(f, width, features);
    if (features & WELL_FEATURES)
        well_features(f, width);
    if (features & WELL_TABLE_FEATURES)
        well_table_features(f, width);
    if (features & STEP_TABLE_FEATURES)
        step_table_features(f, width, features);
    if (features & BIT(FITS))
        fit_features(f, width, false, &f->value[FIRST_OF_FITS]);
    if (features & BIT(FITS_BOTH_WAYS))
        fit_features(f, width, true, &f->value[FIRST_OF_FITS_BOTH_WAYS]);
    if (features & CUMULATIVE_FEATURES)
        cumulative_features(f, width, features);
    if (features & BIT(EMBEDDED_HOLES))
        embedded_feature(f, width);
}

#endif
