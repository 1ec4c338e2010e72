// SPDX-License-Identifier: GPL-3.0-or-later
// What a placement changes of features of heights alone, for boards side by side. Sums over all columns
// before each one are known, so that only what is near the piece is summed anew: its columns, the one on
// either side, whose well may change, and for tables of steps, which look at three steps each, one more on
// the left. Walls stand so high that they have no wells and no small steps. Part of kernel_boards.c.
#ifndef TETRALAB_FEATURE_BOARDS_SURFACE_H
#define TETRALAB_FEATURE_BOARDS_SURFACE_H

#include "feature/boards_whole.h"

enum { WALL_HEIGHT = 64, SURFACE_COLUMNS = WIDEST + 3 };

typedef struct Surface {
    V around[WIDEST + 5];                    // heights, with two walls on both sides
    V most, total;                           // heights
    V places[5];                             // of steps (step_places)
    V from_left[WIDEST], from_right[WIDEST]; // two steps up to a column, as part of an index of plan->ends
    // Of the columns before x, at [x + 1], from the left wall on; of column x and those behind it
    V jags[SURFACE_COLUMNS], differences[SURFACE_COLUMNS], wells[SURFACE_COLUMNS], deep[SURFACE_COLUMNS];
    V least_before[SURFACE_COLUMNS], deepest_before[SURFACE_COLUMNS], seen_before[SURFACE_COLUMNS];
    V least_after[SURFACE_COLUMNS], deepest_after[SURFACE_COLUMNS], seen_after[SURFACE_COLUMNS];
    Sum sum[SURFACE_COLUMNS];
    V diversity; // where nothing else of the surface counts
} Surface;

// Prepares boards of these heights for diversity alone.
INLINE void diversity_look(const RatingPlan *plan, Surface *s) {
    int width = plan->width;
    V *h = s->around + 2, seen = v_set(0);
    h[-1] = h[width] = v_set(WALL_HEIGHT);
    for (int x = -1; x < width; x++) {
        s->seen_before[x + 1] = seen;
        seen |= step_bit(h[x + 1] - h[x]);
    }
    s->diversity = different_steps(seen);
    s->seen_after[width + 1] = seen = v_set(0);
    for (int x = width - 1; x >= 0; x--) {
        seen |= step_bit(h[x + 1] - h[x]);
        s->seen_after[x + 1] = seen;
    }
}

// Of a column and its step to the right. -> h  from this column on; <-> seen  step_bit
INLINE void add_step(const RatingPlan *plan, uint64_t features, const V *h, int x, V *jags, V *differences,
                     V *seen, Sum *sum) {
    V step = h[1] - h[0], distance = v_max_signed(step, -step) & v_set(plan->inner[x + 1]);
    *jags += v_one_if(distance);
    *differences += distance;
    if (features & BIT(DIVERSITY))
        *seen |= step_bit(step);
    if (plan->by_column)
        sum_pair(sum, h[0], distance, plan->column[x + 1]);
}

// Of the well of a column. <-> deepest  depth << 2 | 3 - place
INLINE void add_well_of(const RatingPlan *plan, uint64_t features, const V *h, int x, V *wells, V *deep,
                        V *deepest, Sum *sum) {
    V depth = v_max_signed(v_min_signed(h[-1], h[1]) - h[0], v_set(0)), number[4];
    *wells += depth;
    *deep += depth & v_greater(depth, v_set(1));
    *deepest = v_max(*deepest, (depth << 2) + v_set(plan->nearness[x + 1]));
    if (features & PLACE_FEATURES) {
        for (int k = 0; k < 4; k++)
            number[k] = v_set(0);
        add_well(depth, v_set(-1), number);
        sum_pair(sum, number[0], number[1], plan->well[x + 1][0]);
        sum_pair(sum, number[2], number[3], plan->well[x + 1][1]);
    }
}

// <- values, sum: what is no sum over columns
INLINE void extreme_values(const RatingPlan *plan, uint64_t features, V most, V least, V total, V deepest,
                           V seen, const V places[5], V base, Values *values, Sum *sum) {
    if (features & HEIGHT_FEATURES)
        extreme_heights(plan, features, most, least, total, base, values);
    if (features & BIT(DIVERSITY))
        SLOT(DIVERSITY) = different_steps(seen);
    SLOT(MAX_WELL_DEPTH) = deepest >> 2;
    if (features & BIT(DEEPEST_WELL))
        sum_table(sum, plan->deepest, deepest);
    if (features & FIT_FEATURES)
        fit_values(plan, places, values);
}

INLINE V two_steps(V first, V second, V third) {
    V kinds = v_set(STEP_KINDS);
    return (v_clip(second - first, STEP_CLIP) * kinds + v_clip(third - second, STEP_CLIP)) * kinds;
}

// What tables of steps give at an end of a piece of this height there. -> wall  columns between it and the
// wall
INLINE void add_end(const RatingPlan *plan, bool right, const Shape *shape, int wall, V top, V beside,
                    V two_steps, Sum *sum) {
    const int32_t *table = (*plan->ends)[right][end_shape(shape, right)][wall < 3 ? wall : 3];
    if (wall || shape->width > 2)
        sum_table(sum, table, two_steps + v_clip(top - beside, STEP_CLIP));
}

// Prepares boards of these heights.
static void surface_look(const RatingPlan *plan, Surface *s, V base, Values *values, Sum *sum) {
    int width = plan->width;
    V *h = s->around + 2, none = v_set(0), jags = none, differences = none, wells = none, deep = none;
    V deepest = none, seen = none, least = v_set(WALL_HEIGHT), unused;
    Sum sums;
    sum_start(&sums);
    h[-1] = h[width] = least;
    h[-2] = h[width + 1] = least + least; // no small step between them either
    s->most = s->total = none;
    for (int x = -1; x <= width + 1; x++) {
        s->jags[x + 1] = jags;
        s->differences[x + 1] = differences;
        s->wells[x + 1] = wells;
        s->deep[x + 1] = deep;
        s->deepest_before[x + 1] = deepest;
        s->least_before[x + 1] = least;
        s->seen_before[x + 1] = seen;
        s->sum[x + 1] = sums;
        if (x >= 0 && x < width) {
            s->most = v_max(s->most, h[x]);
            s->total += h[x];
            least = v_min(least, h[x]);
            if (plan->features & STEP_FEATURES)
                step_features(plan, h, x, x + 1, &sums);
        }
        if (plan->features & LINE_FEATURES && x < width)
            add_step(plan, plan->features, h + x, x, &jags, &differences, &seen, &sums);
        if (plan->features & WELL_FEATURES && x <= width)
            add_well_of(plan, plan->features, h + x, x, &wells, &deep, &deepest, &sums);
    }
    if (plan->features & FIT_FEATURES)
        step_places(plan, h, s->places);
    for (int x = 0; x < width && plan->ends; x++) {
        s->from_left[x] = two_steps(h[x - 2], h[x - 1], h[x]);
        s->from_right[x] = two_steps(h[x + 2], h[x + 1], h[x]);
    }
    extreme_values(plan, plan->features, s->most, least, s->total, deepest, seen, s->places, base, values,
                   sum);
    SLOT(JAGS) = SLOT(HEIGHT_DIFFERENCES) = SLOT(WELLS) = SLOT(DEEP_WELLS) = none;
    deepest = seen = none;
    least = v_set(WALL_HEIGHT);
    for (int x = width + 1; x >= -1; x--) {
        if (x >= 0 && x < width) {
            least = v_min(least, h[x]);
            if (plan->features & BIT(DIVERSITY))
                seen |= step_bit(h[x + 1] - h[x]);
            if (plan->features & (BIT(MAX_WELL_DEPTH) | BIT(DEEPEST_WELL)))
                add_well_of(plan, plan->features, h + x, x, &unused, &unused, &deepest, &sums);
        }
        s->deepest_after[x + 1] = deepest;
        s->least_after[x + 1] = least;
        s->seen_after[x + 1] = seen;
    }
}

// Beside a column of the piece that is no higher there is no well.
INLINE bool is_sheltered(const Shape *shape, int i) {
#define TOP_OF(i) (shape->bottom[i] + shape->cells[i])
    return (i > 0 && TOP_OF(i - 1) <= TOP_OF(i)) || (i + 1 < shape->width && TOP_OF(i + 1) <= TOP_OF(i));
#undef TOP_OF
}

// A piece comes to lie with its tops in these columns. -> features  of the plan; holes  new ones
// <- values, sum: changes of what is a sum over columns, all of the rest
INLINE void surface_change(const RatingPlan *plan, uint64_t features, Surface *s, int x, const V *tops, V row,
                           V holes, const Shape *shape, const int w, V base, Values *values, Sum *sum) {
    bool by_place = features & PLACE_FEATURES;
    int end = x + w + (by_place ? 1 : 0);
    V *h = s->around + 2 + x, kept[4], most = v_max(s->most, row + (uint16_t)shape->height);
    V deepest = v_max(s->deepest_before[x], s->deepest_after[x + w + 2]);
    V seen = s->seen_before[x] | s->seen_after[x + w + 1];
    V least = v_min(s->least_before[x + 1], s->least_after[x + w + 1]), places[5];
    UNROLL
    for (int i = 0; i < 4; i++) { // not up to w, lest it become a call of memcpy
        kept[i] = h[i];
        if (i < w) {
            h[i] = tops[i];
            least = v_min(least, tops[i]);
        }
    }
    if (plan->by_column || by_place)
        for (int k = 0; k < 2; k++) {
            sum->high[k] += s->sum[x].high[k] - s->sum[end + 1].high[k];
            sum->low[k] += s->sum[x].low[k] - s->sum[end + 1].low[k];
        }
    if (features & LINE_FEATURES) {
        V jags = s->jags[x] - s->jags[end + 1], differences = s->differences[x] - s->differences[end + 1];
        for (int y = x - 1; y < end; y++)
            add_step(plan, features, h + y - x, y, &jags, &differences, &seen, sum);
        SLOT(JAGS) = jags;
        SLOT(HEIGHT_DIFFERENCES) = differences;
    }
    if (features & WELL_FEATURES) {
        V wells = s->wells[x] - s->wells[x + w + 2], deep = s->deep[x] - s->deep[x + w + 2];
        for (int y = x - 1; y <= x + w; y++)
            if (!by_place || y < x || y == x + w || !is_sheltered(shape, y - x))
                add_well_of(plan, features, h + y - x, y, &wells, &deep, &deepest, sum);
        SLOT(WELLS) = wells;
        SLOT(DEEP_WELLS) = deep;
    }
    if (features & STEP_FEATURES) {
        int from = x > 2 ? x - 2 : 0, to = x + w + 1 < plan->width - 1 ? x + w + 1 : plan->width - 1;
        for (int k = 0; k < 2; k++) { // as parts, each of which is small enough
            S gone = s->sum[to + 1].more[k] - s->sum[from + 1].more[k];
            sum->high[k] -= gone >> 15;
            sum->low[k] -= gone & 0x7fff;
        }
        if (w == 1) {
            step_features(plan, h - x, from, to, sum);
        } else {
            add_end(plan, false, shape, x, h[0], h[-1], s->from_left[x > 0 ? x - 1 : 0], sum);
            add_end(plan, true, shape, plan->width - x - w, h[w - 1], h[w],
                    s->from_right[x + w < plan->width ? x + w : 0], sum);
            if (w != 3) // between the ends
                step_features(plan, h - x, x + w / 2 - 1, x + w / 2, sum);
        }
    }
    if (features & FIT_FEATURES) {
        int first = x > 0 ? x - 1 : 0;
        V far = v_set(~((2u << (x + w - 1)) - (1u << first)));
        for (int k = 0; k < 5; k++)
            places[k] = s->places[k] & far;
        add_step_places(h - x, first, x + w < plan->width ? x + w : plan->width - 1, places);
    }
    UNROLL
    for (int i = 0; i < 4; i++)
        h[i] = kept[i];
    extreme_values(plan, features, most, least, s->total + holes + 4, deepest, seen, places, base, values,
                   sum);
}

#endif
