// SPDX-License-Identifier: GPL-3.0-or-later
// What a placement changes of features of heights alone, for boards side by side. Sums over columns are known
// for all columns before each one, so that only those near the piece are summed anew: the columns of the
// piece, the one on either side, whose well may change, and for tables of steps, which look at three steps
// each, one more on the left. Part of kernel_boards.c.
#ifndef TETRALAB_FEATURE_BOARDS_SURFACE_H
#define TETRALAB_FEATURE_BOARDS_SURFACE_H

#include "feature/boards_whole.h"

// What is not a sum over columns.
typedef struct Extremes {
    V most, least, total; // heights
    V deepest;            // well: depth << 2 | 3 - place
    V seen;               // bit d: there is a step d - 2
    V steps[5];           // where
} Extremes;

// Sums over columns that weigh the same everywhere.
typedef struct Counts {
    V jags, differences, wells, deep;
} Counts;

typedef struct Surface {
    V height[WIDEST];
    Extremes now, before[WIDEST + 1], after[WIDEST + 1]; // of the latter: least, deepest, seen
    Counts counts[WIDEST + 1];                           // of all columns before this one
    Sum sum[WIDEST + 1];                                 // the same, weighed
} Surface;

// The well of a column.
INLINE void add_well_at(const RatingPlan *plan, const V *h, int x, Extremes *extremes, Counts *counts,
                        Sum *sum) {
    int place = place_of(x, plan->width);
    V depth = well_depth(h, plan->width, x), number[4] = {v_set(0), v_set(0), v_set(0), v_set(0)};
    counts->wells += depth;
    counts->deep += depth & v_greater(depth, v_set(1));
    extremes->deepest = v_max(extremes->deepest, (depth << 2) + v_set(3 - place));
    if (plan->by_place) {
        add_well(depth, v_set(-1), number);
        sum_pair(sum, number[0], number[1], plan->well[place][0]);
        sum_pair(sum, number[2], number[3], plan->well[place][1]);
    }
}

// A column and its step to the right.
INLINE void add_step_at(const RatingPlan *plan, const V *h, int x, Extremes *extremes, Counts *counts,
                        Sum *sum) {
    V step = x + 1 < plan->width ? h[x + 1] - h[x] : v_set(0), distance = v_max_signed(step, -step);
    counts->jags += v_one_if(distance);
    counts->differences += distance;
    if (plan->by_column)
        sum_pair(sum, h[x], distance, plan->column[x]);
    if (plan->features & BIT(DIVERSITY) && x + 1 < plan->width)
        extremes->seen |= step_bit(step);
}

INLINE void add_column(const RatingPlan *plan, const V *h, int x, Extremes *extremes, Counts *counts,
                       Sum *sum) {
    if (plan->features & LINE_FEATURES)
        add_step_at(plan, h, x, extremes, counts, sum);
    if (plan->features & WELL_FEATURES)
        add_well_at(plan, h, x, extremes, counts, sum);
}

INLINE void extreme_values(const RatingPlan *plan, const Extremes *extremes, V base, Values *values,
                           Sum *sum) {
    uint64_t features = plan->features;
    if (features & HEIGHT_FEATURES)
        extreme_heights(plan, extremes->most, extremes->least, extremes->total, base, values);
    if (features & BIT(DIVERSITY))
        SLOT(DIVERSITY) = different_steps(extremes->seen);
    SLOT(MAX_WELL_DEPTH) = extremes->deepest >> 2;
    if (features & BIT(DEEPEST_WELL))
        sum_table(sum, plan->deepest, extremes->deepest);
    fit_values(plan, extremes->steps, values);
}

INLINE void count_values(const Counts *counts, Values *values) {
    SLOT(JAGS) = counts->jags;
    SLOT(HEIGHT_DIFFERENCES) = counts->differences;
    SLOT(WELLS) = counts->wells;
    SLOT(DEEP_WELLS) = counts->deep;
}

static const Counts no_counts;
static const Extremes no_extremes;

// Prepares boards of these heights. <- values, sum: of what is no sum over columns
static void surface_look(const RatingPlan *plan, Surface *surface, V base, Values *values, Sum *sum) {
    int width = plan->width;
    const V *h = surface->height;
    Extremes all = no_extremes;
    Counts counts = no_counts;
    Sum sums;
    sum_start(&sums);
    all.least = v_set(BOARD_MAX_HEIGHT + 4);
    for (int x = 0; x <= width; x++) {
        surface->before[x] = all;
        surface->counts[x] = counts;
        surface->sum[x] = sums;
        if (x == width)
            break;
        all.most = v_max(all.most, h[x]);
        all.least = v_min(all.least, h[x]);
        all.total += h[x];
        add_column(plan, h, x, &all, &counts, &sums);
        if (plan->features & STEP_FEATURES)
            step_features(plan, h, x, x + 1, &sums);
    }
    step_places(plan, h, all.steps);
    surface->now = all;
    extreme_values(plan, &all, base, values, sum);
    count_values(&no_counts, values);
    all = no_extremes;
    all.least = v_set(BOARD_MAX_HEIGHT + 4);
    for (int x = width; x >= 0; x--) {
        if (x < width) {
            all.least = v_min(all.least, h[x]);
            add_column(plan, h, x, &all, &counts, &sums);
        }
        surface->after[x] = all;
    }
}

// Beside a column of the piece that is no lower there is no well.
static inline bool is_sheltered(const Shape *shape, int i) {
#define TOP_OF(i) (shape->bottom[i] + shape->cells[i])
    return (i > 0 && TOP_OF(i - 1) <= TOP_OF(i)) || (i + 1 < shape->width && TOP_OF(i + 1) <= TOP_OF(i));
#undef TOP_OF
}

// A piece comes to lie with its tops in these columns. -> holes  new ones
// <- values, sum: the latter also of what was there before, the former of counts alone
INLINE void surface_change(const RatingPlan *plan, Surface *surface, int x, const V *tops, V row, V holes,
                           const Shape *shape, V base, Values *values, Sum *sum) {
    uint64_t features = plan->features;
    int width = plan->width, w = shape->width, first = x > 0 ? x - 1 : 0, end = x + w;
    if (features & WELL_FEATURES && end < width)
        end++;
    V *h = surface->height, kept[4];
    const Extremes *before = &surface->before[first], *after = &surface->after[end];
    const Sum *old = &surface->sum[first], *old_end = &surface->sum[end];
    Extremes all;
    Counts counts;
    all.most = v_max(surface->now.most, row + (uint16_t)shape->height);
    all.total = surface->now.total + holes + 4;
    all.least = v_min(before->least, after->least);
    all.deepest = v_max(before->deepest, after->deepest);
    all.seen = before->seen | after->seen;
    counts.jags = surface->counts[first].jags - surface->counts[end].jags;
    counts.differences = surface->counts[first].differences - surface->counts[end].differences;
    counts.wells = surface->counts[first].wells - surface->counts[end].wells;
    counts.deep = surface->counts[first].deep - surface->counts[end].deep;
    for (int k = 0; k < 2; k++) {
        sum->high[k] += old->high[k] - old_end->high[k];
        sum->low[k] += old->low[k] - old_end->low[k];
    }
    for (int i = 0; i < w; i++) {
        kept[i] = h[x + i];
        h[x + i] = tops[i];
    }
    for (int y = first; y < end; y++) {
        all.least = v_min(all.least, h[y]);
        if (features & LINE_FEATURES)
            add_step_at(plan, h, y, &all, &counts, sum);
        if (features & WELL_FEATURES && (y < x || y >= x + w || !is_sheltered(shape, y - x)))
            add_well_at(plan, h, y, &all, &counts, sum);
    }
    if (features & STEP_FEATURES) {
        int from = x > 2 ? x - 2 : 0, to = x + w + 1 < width - 1 ? x + w + 1 : width - 1;
        for (int k = 0; k < 2; k++) { // as parts, each of which is small enough
            S gone = surface->sum[to].more[k] - surface->sum[from].more[k];
            sum->high[k] -= gone >> 15;
            sum->low[k] -= gone & 0x7fff;
        }
        step_features(plan, h, from, to, sum);
    }
    if (features & FIT_FEATURES) {
        uint16_t near = (uint16_t)((2u << (x + w - 1)) - (1u << first));
        for (int k = 0; k < 5; k++)
            all.steps[k] = surface->now.steps[k] & (uint16_t)~near;
        add_step_places(h, first, x + w < width ? x + w : width - 1, all.steps);
    }
    for (int i = 0; i < w; i++)
        h[x + i] = kept[i];
    extreme_values(plan, &all, base, values, sum);
    count_values(&counts, values);
}

#endif
