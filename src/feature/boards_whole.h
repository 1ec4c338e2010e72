// SPDX-License-Identifier: GPL-3.0-or-later
// Features of whole boards, one in each lane: every feature anew, from the columns. The definitions are those
// of features.def and reference.c, in steps (feature_steps). Part of kernel_boards.c and boards_single.c.
#ifndef TETRALAB_FEATURE_BOARDS_WHOLE_H
#define TETRALAB_FEATURE_BOARDS_WHOLE_H

#include <string.h>

#include "feature/lanes.h"

enum { WIDEST = BOARD_MAX_WIDTH };

// Boards, column by column, with walls on both sides: c[0] is the left one. In lanes of 16 bits walls have no
// top.
typedef struct Columns {
    V c[BOARD_COLUMNS + 2], f[WIDEST], h[WIDEST]; // cells; filled up to the top; heights
    V base;                                       // rows of the board below these
    V holed;                                      // set of the columns that have holes down there
    V inside;                                     // one for every row but the top one of the board
} Columns;

// What is computed: a value for every slot (feature_first + index) that is asked for.
typedef struct Values {
    V of[FEATURES_ALL_VALUES];
} Values;

#define SLOT(ID) values->of[FIRST_OF_##ID]

INLINE void weigh(const Terms *terms, const Values *values, Sum *sum) {
    if (terms->count && terms->table[0]) {
        for (int t = 0; t < terms->count; t++)
            sum_table(sum, terms->table[t], values->of[terms->slot[t]]);
        return;
    }
    for (int t = 0; t < terms->count; t += 2)
        sum_pair(sum, values->of[terms->slot[t]], values->of[terms->slot[t + 1]], terms->weight[t / 2]);
}

// ---- features of heights alone ---------------------------------------------------------------------------

#define HEIGHT_FEATURES                                                                                      \
    (BIT(JAGS) | BIT(MAX_HEIGHT) | BIT(COLUMN_HEIGHTS) | BIT(COLUMN_DIFFERENCES) | BIT(HEIGHT_DIFFERENCES) | \
     BIT(MEAN_HEIGHT) | BIT(MIN_HEIGHT) | BIT(MAX_MINUS_MEAN_HEIGHT) | BIT(MEAN_MINUS_MIN_HEIGHT) |          \
     BIT(HEIGHT_RANGE) | BIT(NEAR_TOP))
#define WELL_FEATURES                                                                                        \
    (BIT(WELLS) | BIT(DEEP_WELLS) | BIT(MAX_WELL_DEPTH) | BIT(WELLS_BY_DEPTH) | BIT(WELLS_BY_PLACE) |        \
     BIT(DEEPEST_WELL))
#define STEP_FEATURES (BIT(STEP_SIZES) | BIT(WALL_STEPS) | BIT(STEP_PAIRS) | BIT(STEP_TRIPLES))
#define LINE_FEATURES                                                                                        \
    (BIT(JAGS) | BIT(COLUMN_HEIGHTS) | BIT(COLUMN_DIFFERENCES) | BIT(HEIGHT_DIFFERENCES) | BIT(DIVERSITY))
#define PLACE_FEATURES   (BIT(WELLS_BY_DEPTH) | BIT(WELLS_BY_PLACE))
#define FIT_FEATURES     (BIT(FITS) | BIT(FITS_BOTH_WAYS))
#define SURFACE_FEATURES (HEIGHT_FEATURES | WELL_FEATURES | STEP_FEATURES | FIT_FEATURES | BIT(DIVERSITY))

// -> sum  of all heights
INLINE void extreme_heights(const RatingPlan *plan, uint64_t features, V most, V least, V sum, V base,
                            Values *values) {
    V width = v_set(plan->width);
    SLOT(MAX_HEIGHT) = most + base;
    SLOT(MIN_HEIGHT) = least + base;
    SLOT(HEIGHT_RANGE) = most - least;
    if (features & (BIT(MEAN_HEIGHT) | BIT(MAX_MINUS_MEAN_HEIGHT) | BIT(MEAN_MINUS_MIN_HEIGHT))) {
        SLOT(MEAN_HEIGHT) = sum + base * width;
        SLOT(MAX_MINUS_MEAN_HEIGHT) = most * width - sum;
        SLOT(MEAN_MINUS_MIN_HEIGHT) = sum - least * width;
    }
    if (features & BIT(NEAR_TOP))
        for (int k = 0; k < TABLE_6; k++)
            values->of[FIRST_OF_NEAR_TOP + k] =
                v_max_signed(most + base - v_set(plan->height - 12 + 2 * k), v_set(0));
}

INLINE void height_features(const RatingPlan *plan, const V *h, V base, Values *values) {
    V most = h[0], least = h[0], sum = h[0], jags = v_set(0), differences = v_set(0);
    SLOT(COLUMN_HEIGHTS) = h[0] + base;
    for (int x = 1; x < plan->width; x++) {
        V d = v_distance(h[x], h[x - 1]);
        values->of[FIRST_OF_COLUMN_HEIGHTS + x] = h[x] + base;
        values->of[FIRST_OF_COLUMN_DIFFERENCES + x - 1] = d;
        most = v_max_signed(most, h[x]);
        least = v_min_signed(least, h[x]);
        sum += h[x];
        differences += d;
        jags += v_one_if(d);
    }
    SLOT(JAGS) = jags;
    SLOT(HEIGHT_DIFFERENCES) = differences;
    extreme_heights(plan, plan->features, most, least, sum, base, values);
}

INLINE V step_bit(V step) { // bit k: it is k - 2
    return v_lookup(lane_tables.steps, v_min(step + 2, v_set(15)));
}
INLINE V different_steps(V seen) {
    return v_lookup(lane_tables.bits, seen & 15) + ((seen >> 4) & 1);
}

INLINE void diversity_feature(const RatingPlan *plan, const V *h, Values *values) {
    V seen = v_set(0);
    for (int x = 1; x < plan->width; x++)
        seen |= step_bit(h[x] - h[x - 1]);
    SLOT(DIVERSITY) = different_steps(seen);
}

// The four numbers of one well, added to sums. -> counts  mask: where it counts
INLINE void add_well(V depth, V counts, V *sum) {
    V some = v_min(depth, v_set(1)), second = v_min(v_minus(depth, v_set(1)), v_set(1)),
      more = v_minus(depth, v_set(2)), deep = v_min(more, v_set(1));
    sum[0] += counts & (some - second);
    sum[1] += counts & (second - deep);
    sum[2] += counts & deep;
    sum[3] += counts & more;
}

INLINE V well_depth(const V *h, int width, int x) {
    V left = h[x ? x - 1 : 1], right = h[x + 1 < width ? x + 1 : width - 2]; // a wall: the other side
    return v_max_signed(v_min_signed(left, right) - h[x], v_set(0));
}

INLINE void well_features(const RatingPlan *plan, const V *h, Values *values) {
    V wells = v_set(0), deep = v_set(0), most = v_set(0), depth[WIDEST];
    for (int x = 0; x < plan->width; x++) {
        V d = depth[x] = well_depth(h, plan->width, x);
        wells += d;
        deep += d & v_greater(d, v_set(1));
        most = v_max(most, d);
    }
    SLOT(WELLS) = wells;
    SLOT(DEEP_WELLS) = deep;
    SLOT(MAX_WELL_DEPTH) = most;
    if (!(plan->features & (BIT(WELLS_BY_DEPTH) | BIT(WELLS_BY_PLACE) | BIT(DEEPEST_WELL))))
        return;
    V *place = &SLOT(WELLS_BY_PLACE), *deepest = &SLOT(DEEPEST_WELL), highest = v_set(0);
    for (int k = 0; k < TABLE_16; k++)
        place[k] = deepest[k] = v_set(0);
    for (int x = 0; x < plan->width; x++) {
        int p = place_of(x, plan->width);
        add_well(depth[x], v_set(-1), place + 4 * p);
        highest = v_max(highest, (depth[x] << 2) + v_set(3 - p));
    }
    for (int k = 0; k < TABLE_4; k++)
        values->of[FIRST_OF_WELLS_BY_DEPTH + k] = place[k] + place[k + 4] + place[k + 8] + place[k + 12];
    if (plan->features & BIT(DEEPEST_WELL))
        for (int p = 0; p < 4; p++)
            add_well(highest >> 2, v_same(highest & 3, v_set(3 - p)), deepest + 4 * p);
}

// By look-up, for two neighbours at a time: their step, and how far each stands above its outer neighbour.
// -> first, end  of the left one of them
INLINE void step_features(const RatingPlan *plan, const V *h, int first, int end, Sum *sum) {
    int width = plan->width;
    V kinds = v_set(STEP_KINDS), left = first ? v_clip(h[first] - h[first - 1], STEP_CLIP) : v_set(0), up;
    for (int x = first; x < end && x + 1 < width; x++) {
        up = v_clip(h[x + 1] - h[x], STEP_CLIP);
        V right = x + 2 < width ? v_clip(h[x + 1] - h[x + 2], STEP_CLIP) : v_set(0);
        const int32_t *table = plan->steps + STEP_ENTRIES * (x == 0 ? 0 : x + 2 < width ? 1 : 2);
        V entry = (left * kinds + up) * kinds + right;
        sum_table(sum, table, entry);
        if (plan->wide_steps)
            sum_upper_table(sum, table + 3 * STEP_ENTRIES, entry);
        left = up;
    }
}

// Bit x of steps[k]: the step from column x to the next one is k - 2. -> first, end  columns
INLINE void add_step_places(const V *h, int first, int end, V steps[5]) {
    for (int x = first; x < end; x++) {
        V step = h[x + 1] - h[x];
        UNROLL
        for (int k = 0; k < 5; k++)
            steps[k] |= v_same(step, v_set(k - 2)) & v_set(1 << x);
    }
}

INLINE void step_places(const RatingPlan *plan, const V *h, V steps[5]) {
    for (int k = 0; k < 5; k++)
        steps[k] = v_set(0);
    add_step_places(h, 0, plan->width - 1, steps);
}

// A piece whose outlines lie at these columns: does it fit somewhere, in two places?
INLINE void add_fits(V value[2], const V *lies, int outlines) {
    V once = lies[0], again = v_set(0);
    UNROLL
    for (int k = 1; k < outlines; k++) {
        again |= once & lies[k];
        once |= lies[k];
    }
    value[0] += v_one_if(once);
    value[1] += v_one_if(again | (once & (once - 1)));
}

// -> both  outlines upside down count, too
static __attribute__((noinline)) void fit_features(const V steps[5], bool both, V *value) {
    V down_two = steps[0], down = steps[1], flat = steps[2], up = steps[3], up_two = steps[4];
    V flat_flat = flat & flat >> 1, flat_up = flat & up >> 1, flat_down = flat & down >> 1;
    V up_flat = up & flat >> 1, down_flat = down & flat >> 1;
    V turned = v_set(both ? -1 : 0); // by piece; those upside down last
    V i[] = {flat_flat & flat >> 2}, o[] = {flat};
    V t[] = {down & up >> 1, up, down, flat_flat, up & down >> 1 & turned};
    V s[] = {flat_up, down, flat_down & turned, up & turned};
    V z[] = {down_flat, up, up_flat & turned, down & turned};
    V l[] = {up_flat, flat, flat_flat, down_two, down_flat & turned, up_two & turned};
    V j[] = {flat_down, flat, flat_flat, up_two, flat_up & turned, down_two & turned};
    for (int k = 0; k < TABLE_10; k++)
        value[k] = v_set(0);
    add_fits(value, i, 1);
    add_fits(value + 2, o, 1);
    add_fits(value + 4, t, 5);
    add_fits(value + 6, s, 4);
    add_fits(value + 6, z, 4);
    add_fits(value + 8, l, 6);
    add_fits(value + 8, j, 6);
}

INLINE void fit_values(const RatingPlan *plan, const V steps[5], Values *values) {
    if (plan->features & BIT(FITS))
        fit_features(steps, false, &SLOT(FITS));
    if (plan->features & BIT(FITS_BOTH_WAYS))
        fit_features(steps, true, &SLOT(FITS_BOTH_WAYS));
}

// All that depends on the heights alone. <- values to be weighed; tables are added to the sum at once
INLINE void surface_features(const RatingPlan *plan, const V *h, V base, Values *values, Sum *sum) {
    uint64_t features = plan->features;
    if (features & HEIGHT_FEATURES)
        height_features(plan, h, base, values);
    if (features & BIT(DIVERSITY))
        diversity_feature(plan, h, values);
    if (features & WELL_FEATURES)
        well_features(plan, h, values);
    if (features & STEP_FEATURES)
        step_features(plan, h, 0, plan->width, sum);
    if (features & FIT_FEATURES) {
        V steps[5];
        step_places(plan, h, steps);
        fit_values(plan, steps, values);
    }
}

// ---- features of cells -----------------------------------------------------------------------------------

#define TRANSITION_FEATURES (BIT(ROW_TRANSITIONS) | BIT(CELL_TRANSITIONS) | BIT(FRONTIER))
#define HOLE_PLACE_FEATURES (BIT(HIGHEST_HOLE) | BIT(HIGHEST_HOLE_COLUMN) | BIT(HOLES_BY_COLUMN))
#define CELL_FEATURES       (BIT(CELLS) | BIT(WEIGHTED_CELLS))

// What most ratings ask for, in one pass: transitions, holes, and the empty cells between two filled ones.
INLINE void common_features(const RatingPlan *plan, Columns *b, const int width, V *well, Values *values) {
    V transitions = v_set(0), holes = v_set(0), depth = v_set(0), adjacent = v_set(0), rows = v_set(0);
    bool below = v_any(b->holed);
    UNROLL
    for (int x = 0; x < width; x++) {
        V c = b->c[x + 1], f = v_fill_down(c), hole = f ^ c, next = c + 1;
        if (__builtin_expect(below, 0))
            next -= (b->holed >> x) & 1; // all cells lie above a hole then
        b->f[x] = f;
        rows |= hole;
        holes += v_counts(hole);
        depth += v_counts(c & ~(c ^ next));
        adjacent += v_counts(c & ~(c + c + 1));
        transitions += v_counts(c ^ b->c[x]);
        well[x] = b->c[x] & b->c[x + 2] & ~c;
    }
    transitions += v_counts(b->c[width] ^ b->c[width + 1]);
    SLOT(ROW_TRANSITIONS) = v_total(transitions) + v_set(LANES == 1 ? 0 : 2 * (plan->height - 16));
    SLOT(HOLES) = v_total(holes);
    SLOT(ROWS_WITH_HOLES) = v_popcount(rows);
    SLOT(HOLE_DEPTH) = v_total(depth);
    adjacent = v_total(adjacent);
    SLOT(ADJACENT_HOLES) = adjacent;
    SLOT(COLUMN_TRANSITIONS) = adjacent + adjacent + v_set(plan->width); // two to a hole's end, one to a top
}

INLINE void transition_features(const RatingPlan *plan, const Columns *b, Values *values) {
    int width = plan->width;
    V first = b->c[1], last = b->c[width], top = v_set(plan->height), inside = b->inside;
#if LANES == 1
    for (int x = 0; x < width; x++)
        top = v_max(top, b->h[x]);
    inside = (v_set(1) << (top - 1)) - 1;
#endif
    // Pairs beside each other, and above each other, both inside the board (or the pile, should that be
    // higher).
    V cells = v_set(0);
    for (int x = 1; x < width; x++)
        cells += v_popcount(b->c[x] ^ b->c[x + 1]) + v_popcount(inside & (b->c[x] ^ (b->c[x] >> 1)));
    cells += v_popcount(inside & (last ^ (last >> 1)));
    SLOT(CELL_TRANSITIONS) = cells;
    SLOT(FRONTIER) = cells + top + top - v_popcount(first) - v_popcount(last);
}

// The highest hole: by row, then by the height of its column.
INLINE V hole_key(V hole, V height) {
    V row = v_popcount(v_fill_down(hole));
    return v_nonzero(row) & ((row << 6) + height);
}

INLINE void hole_place_features(const RatingPlan *plan, const Columns *b, Values *values) {
    V highest = v_set(0);
    int width = plan->width;
    for (int x = 0; 2 * x < width; x++)
        values->of[FIRST_OF_HOLES_BY_COLUMN + x] = v_set(0);
    for (int x = 0; x < width; x++) {
        V hole = b->f[x] ^ b->c[x + 1];
        values->of[FIRST_OF_HOLES_BY_COLUMN + (2 * x < width ? x : width - 1 - x)] += v_popcount(hole);
        highest = v_max(highest, hole_key(hole, b->h[x]));
    }
    V base = v_nonzero(highest) & b->base;
    SLOT(HIGHEST_HOLE) = (highest >> 6) + base;
    SLOT(HIGHEST_HOLE_COLUMN) = (highest & 63) + base;
}

INLINE void cell_features(const RatingPlan *plan, const Columns *b, Values *values) {
    V cells = v_set(0), weighted = v_set(0);
    for (int x = 1; x <= plan->width; x++) {
        V c = b->c[x];
        cells += v_popcount(c);
        if (plan->features & BIT(WEIGHTED_CELLS))
            for (int k = 0; k < (LANES == 1 ? 32 : 16); k += 4)
                weighted += v_lookup(lane_tables.positions, (c >> k) & 15) +
                            v_lookup(lane_tables.bits, (c >> k) & 15) * (uint16_t)k;
    }
    SLOT(CELLS) = cells;
    SLOT(WEIGHTED_CELLS) = weighted + b->base * cells;
}

// For every cell of the masks, one per column: empty cells from it downward. All columns take a step
// together. No row has cells of two masks beside each other: they are counted together.
INLINE V run_sum(const Columns *b, const int width, V *mask) {
    V sum = v_set(0), empty[WIDEST], any;
    for (int x = 0; x < width; x++)
        empty[x] = ~b->c[x + 1];
    do {
        V counts = v_set(0);
        any = v_set(0);
        for (int x = 0; x + 1 < width; x += 2) {
            counts += v_counts(mask[x] | mask[x + 1]);
            empty[x] += empty[x];
            empty[x + 1] += empty[x + 1];
            mask[x] &= empty[x];
            mask[x + 1] &= empty[x + 1];
            any |= mask[x] | mask[x + 1];
        }
        if (width & 1) {
            counts += v_counts(mask[width - 1]);
            empty[width - 1] += empty[width - 1];
            mask[width - 1] &= empty[width - 1];
            any |= mask[width - 1];
        }
        sum += v_total(counts);
    } while (v_any(any));
    return sum;
}

INLINE void pit_feature(const RatingPlan *plan, const Columns *b, const V *well, Values *values) {
    V pits = v_set(0);
    for (int x = 0; x < plan->width;
         x++) { // rows from the top of the column to that of its highest open well
        pits += v_minus(v_popcount(v_fill_down(well[x] & ~b->f[x]) & ~b->f[x]), v_set(1));
    }
    SLOT(PITS) = pits;
}

// Wells with everything that is empty below them.
INLINE void whole_wells(const Columns *b, int width, V *well) {
    V changed;
    do {
        changed = v_set(0);
        for (int x = 0; x < width; x++) {
            V more = (well[x] | (well[x] >> 1)) & ~b->c[x + 1];
            changed |= more ^ well[x];
            well[x] = more;
        }
    } while (v_any(changed));
}

// For every row, in how many columns its bit is set: a binary number with its bits in four vectors. Below 16.
typedef struct RowCounts {
    V bit[4];
} RowCounts;

INLINE void count_rows(RowCounts *counts, const V column[2]) {
    V one = column[0] ^ column[1], carry = (column[0] & column[1]) | (one & counts->bit[0]);
    counts->bit[0] ^= one;
    UNROLL
    for (int k = 1; k < 4; k++) {
        V next = counts->bit[k] & carry;
        counts->bit[k] ^= carry;
        carry = next;
    }
}

// <- rows  [k]: the numbers of rows k, k + 4, k + 8 ..., in four bits each
INLINE void rows_by_fours(const RowCounts *counts, V rows[4]) {
    V one = v_set(0x55555555), two = v_set(0x33333333), pair[2][2];
    UNROLL
    for (int k = 0; k < 2; k++) { // lower and upper bits of even and odd rows
        V low = counts->bit[2 * k], high = counts->bit[2 * k + 1];
        pair[k][0] = (low & one) | (high & one) << 1;
        pair[k][1] = (low >> 1 & one) | (high & ~one);
    }
    UNROLL
    for (int k = 0; k < 2; k++) {
        rows[k] = (pair[0][k] & two) | (pair[1][k] & two) << 2;
        rows[k + 2] = (pair[0][k] >> 2 & two) | (pair[1][k] & ~two);
    }
}

enum { EMBEDDED_LIMIT = 16383 };

// a * first + b * second, or EMBEDDED_LIMIT if one of these is more; a and b < 16
INLINE V limited_sum(V a, V first, V b, V second) {
    if (__builtin_expect(!v_any((first | second) & 0xfc00), 1))
        return a * first + b * second;
    V limit = v_set(EMBEDDED_LIMIT), most = v_set(EMBEDDED_LIMIT >> 4);
    V one = v_select(v_greater((first >> 4) * a, most), limit, first * a);
    V two = v_select(v_greater((second >> 4) * b, most), limit, second * b);
    return v_min(one, limit) + v_min(two, limit);
}

// xtris' embedded holes, row by row from the top of the highest pile.
INLINE void embedded_feature(const RatingPlan *plan, const Columns *b, Values *values) {
    RowCounts counts[3] = {0}; // empty cells; those with a filled cell one, two rows above
    V piles = v_set(0);
    for (int x = 0; x < plan->width; x++)
        piles |= b->f[x];
    for (int x = 0; x < plan->width; x += 2) {
        V cells[3][2];
        UNROLL
        for (int k = 0; k < 2; k++) {
            V c = b->c[x + k + 1], empty = x + k < plan->width ? piles & ~c : v_set(0);
            cells[0][k] = empty;
            cells[1][k] = empty & (c >> 1);
            cells[2][k] = empty & (c >> 2) & ~(c >> 1);
        }
        UNROLL
        for (int k = 0; k < 3; k++)
            count_rows(&counts[k], cells[k]);
    }
    V rows[3][4];
    for (int k = 0; k < 3; k++)
        rows_by_fours(&counts[k], rows[k]);
    V limit = v_set(EMBEDDED_LIMIT), one = v_set(0), two = v_set(0);
    V sum = v_minus(v_set(plan->height), v_popcount(piles)) * (uint16_t)plan->width; // rows above the pile
    int top = LANES == 1 ? 28 : 12;
    while (top && !v_any(piles >> top))
        top -= 4;
    for (int y = top; y >= 0; y -= 4) {
        UNROLL
        for (int k = 3; k >= 0; k--) {
            V own = limited_sum(rows[1][k] >> y & 15, one, rows[2][k] >> y & 15, two);
            own = v_min(own + (rows[0][k] >> y & 15), limit);
            sum = v_min(sum + own, limit);
            two = one;
            one = own;
        }
    }
    SLOT(EMBEDDED_HOLES) = sum;
}

// Everything that the rating knows of boards. -> b  c is given, f and h are found
// <- values to be weighed; tables are added to the sum at once
INLINE void features_of_width(const RatingPlan *plan, Columns *b, const int width, Values *values, Sum *sum) {
    uint64_t features = plan->features;
    V well[WIDEST];
    common_features(plan, b, width, well, values);
    if (plan->looks_at_heights)
        for (int x = 0; x < width; x++)
            b->h[x] = v_popcount(b->f[x]);
    if (features & (BIT(CELL_TRANSITIONS) | BIT(FRONTIER)))
        transition_features(plan, b, values);
    if (features & BIT(MEAN_HOLE_DEPTH))
        SLOT(MEAN_HOLE_DEPTH) = v_divide(SLOT(HOLE_DEPTH) << 8, v_max(SLOT(ADJACENT_HOLES), v_set(1)));
    if (features & HOLE_PLACE_FEATURES)
        hole_place_features(plan, b, values);
    if (features & CELL_FEATURES)
        cell_features(plan, b, values);
    if (features & BIT(PITS))
        pit_feature(plan, b, well, values);
    if (features & BIT(CUMULATIVE_WELLS)) {
        V mask[WIDEST];
        memcpy(mask, well, sizeof mask);
        SLOT(CUMULATIVE_WELLS) = run_sum(b, width, mask);
    }
    if (features & BIT(CUMULATIVE_WELLS_FAST)) {
        whole_wells(b, width, well);
        SLOT(CUMULATIVE_WELLS_FAST) = run_sum(b, width, well);
    }
    if (features & BIT(EMBEDDED_HOLES))
        embedded_feature(plan, b, values);
    if (plan->surface)
        surface_features(plan, b->h, b->base, values, sum);
}

static __attribute__((noinline)) void board_features(const RatingPlan *plan, Columns *b, Values *values,
                                                     Sum *sum) {
#if LANES > 1 && !defined SMALL_KERNEL
    if (__builtin_expect(plan->width == 10, 1)) { // known to the compiler
        features_of_width(plan, b, 10, values, sum);
        return;
    }
#endif
    features_of_width(plan, b, plan->width, values, sum);
}

// ---- full rows -------------------------------------------------------------------------------------------

INLINE V full_rows(const V *c, int width) { // -> c  without walls
    V full = c[0];
    for (int x = 1; x < width; x++)
        full &= c[x];
    return full;
}

INLINE void remove_rows(V *c, int width, V full) {
    while (v_any(full)) {
        V lowest = full & -full, below = lowest - 1; // no full row: all bits
        for (int x = 0; x < width; x++)
            c[x] = (c[x] & below) | ((c[x] >> 1) & ~below);
        full = (full ^ lowest) >> 1;
    }
}

#endif
