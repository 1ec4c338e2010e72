// SPDX-License-Identifier: GPL-3.0-or-later
// Further features of the surface kernel (surface_further.h) on whole boards, column by column. Part of the
// surface kernel.
#ifndef TETRALAB_FEATURE_SURFACE_FURTHER_BOARD_H
#define TETRALAB_FEATURE_SURFACE_FURTHER_BOARD_H

#include <stdlib.h>

#include "feature/surface_around.h"
#include "feature/surface_embedded.h"

// The rows whose number has bit k.
static const uint32_t row_bit[5] = {0xaaaaaaaa, 0xcccccccc, 0xf0f0f0f0, 0xff00ff00, 0xffff0000};

static int row_numbers(uint32_t column) {
    int sum = count_bits(column); // they count from 1
    for (int k = 0; k < 5; k++)
        sum += count_bits(column & row_bit[k]) << k;
    return sum;
}

// Wells of one column: for every cell of the mask, the empty cells from it downward.
static int column_wells(uint32_t mask, uint32_t column, bool fast) {
    int sum = 0;
    if (fast) // the mask and everything empty below it
        for (uint32_t more; (more = ~column & (mask | mask >> 1)) != mask;)
            mask = more;
    for (uint32_t empty = ~column; mask; mask &= empty <<= 1)
        sum += count_bits(mask);
    return sum;
}

static int column_adjacent(uint32_t column) {
    return count_bits(column & ~(column << 1 | 1));
}
static int column_hole_depth(uint32_t column) {
    return count_bits(column & ~(column ^ (column + 1)));
}

// Pairs of an empty and a filled cell; `sides`: also with the walls beside.
static int64_t pairs_value(const SurfacePlan *plan, const uint32_t *columns, int highest) {
    int pairs = 0, top = highest > plan->height ? highest : plan->height;
    uint32_t inner = (1u << (top - 1)) - 1;
    for (int x = 0; x < plan->width; x++) {
        pairs += count_bits((columns[x] ^ columns[x] >> 1) & inner);
        if (x)
            pairs += count_bits(columns[x] ^ columns[x - 1]);
    }
    int sides = 2 * top - count_bits(columns[0]) - count_bits(columns[plan->width - 1]);
    return plan->weight[FEATURE_CELL_TRANSITIONS] * pairs + plan->weight[FEATURE_FRONTIER] * (pairs + sides);
}

static int64_t wells_value(const SurfacePlan *plan, const int *h) {
    int sum = 0, deep = 0, most = 0, width = plan->width;
    for (int x = 0; x < width; x++) {
        int left = h[x ? x - 1 : 1], right = h[x + 1 < width ? x + 1 : width - 2]; // a wall: the other side
        int d = (left < right ? left : right) - h[x];
        d = d > 0 ? d : 0;
        sum += d;
        deep += d > 1 ? d : 0;
        most = d > most ? d : most;
    }
    return plan->weight[FEATURE_WELLS] * sum + plan->weight[FEATURE_DEEP_WELLS] * deep +
           plan->weight[FEATURE_MAX_WELL_DEPTH] * most;
}

// Pits, and the fast wells of ratings that have both kinds.
static int64_t open_value(const SurfacePlan *plan, const uint32_t *columns, const int *h) {
    uint32_t wall = (1u << plan->height) - 1;
    int pits = 0, wells = 0;
    for (int x = 0; x < plan->width; x++) {
        uint32_t sides = (x ? columns[x - 1] : wall) & (x + 1 < plan->width ? columns[x + 1] : wall);
        int depth = column_height(sides >> h[x]);
        pits += depth > 1 ? depth - 1 : 0;
        if (plan->features & BIT(CUMULATIVE_WELLS_FAST))
            wells += column_wells(sides & ~columns[x], columns[x], true);
    }
    return plan->weight[FEATURE_PITS] * pits +
           (plan->use_wells && !plan->fast_wells ? plan->weight[FEATURE_CUMULATIVE_WELLS_FAST] * wells : 0);
}

static int64_t holes_value(const SurfacePlan *plan, const uint32_t *columns) {
    int adjacent = 0, depth = 0;
    for (int x = 0; x < plan->width; x++) {
        adjacent += column_adjacent(columns[x]);
        depth += column_hole_depth(columns[x]);
    }
    return plan->weight[FEATURE_ADJACENT_HOLES] * adjacent +
           plan->weight[FEATURE_MEAN_HOLE_DEPTH] * (256 * depth / (adjacent ? adjacent : 1));
}

static int64_t cells_value(const SurfacePlan *plan, const uint32_t *columns) {
    int cells = 0, rows = 0;
    for (int x = 0; x < plan->width; x++) {
        cells += count_bits(columns[x]);
        rows += row_numbers(columns[x]);
    }
    return plan->weight[FEATURE_CELLS] * cells + plan->weight[FEATURE_WEIGHTED_CELLS] * rows;
}

// What further features give for a board, changes being counted as if they were what changes.
// -> columns  without full rows
static int64_t further_value(const SurfacePlan *plan, const uint32_t *columns) {
    uint64_t features = plan->features;
    int h[BOARD_MAX_WIDTH], highest = 0, lowest = 32, sum = 0, steps = 0, step_sum = 0, width = plan->width;
    int64_t value = 0;
    for (int x = 0; x < width; x++) {
        h[x] = column_height(columns[x]);
        highest = h[x] > highest ? h[x] : highest;
        lowest = h[x] < lowest ? h[x] : lowest;
        sum += h[x];
        value += plan->column_weight[x] * h[x];
        if (x) {
            int step = abs(h[x] - h[x - 1]);
            steps += step > 0;
            step_sum += step;
            value += plan->step_weight[x - 1] * step;
        }
    }
    value += plan->weight[FEATURE_MAX_HEIGHT] * highest + plan->weight[FEATURE_MIN_HEIGHT] * lowest +
             plan->weight[FEATURE_MEAN_HEIGHT] * sum +
             plan->weight[FEATURE_HEIGHT_RANGE] * (highest - lowest) +
             plan->weight[FEATURE_MAX_MINUS_MEAN_HEIGHT] * (highest * width - sum) +
             plan->weight[FEATURE_MEAN_MINUS_MIN_HEIGHT] * (sum - lowest * width) +
             plan->weight[FEATURE_JAGS] * steps + plan->weight[FEATURE_HEIGHT_DIFFERENCES] * step_sum;
    if (features & BIT(EMBEDDED_HOLES))
        value += embedded_value(plan, columns);
    if (features & WELL_FEATURES)
        value += wells_value(plan, h);
    if (features & PAIR_FEATURES)
        value += pairs_value(plan, columns, highest);
    if (features & (BIT(PITS) | BIT(CUMULATIVE_WELLS_FAST)))
        value += open_value(plan, columns, h);
    if (features & (BIT(ADJACENT_HOLES) | BIT(MEAN_HOLE_DEPTH)))
        value += holes_value(plan, columns);
    if (features & (BIT(CELLS) | BIT(WEIGHTED_CELLS)))
        value += cells_value(plan, columns);
    if (features & BIT(DELTA_HOLES))
        for (int x = 0; x < width; x++)
            value += plan->weight[FEATURE_DELTA_HOLES] * (h[x] - count_bits(columns[x]));
    return value;
}

static int64_t whole_tables_value(const SurfacePlan *plan, const uint32_t *columns) {
    TableBoard board;
    look_at_heights(plan->tables, columns, &board);
    return tables_value(plan->tables, columns, &board);
}

// Features that are changes: what the board gives them to start from. A placement's value is that of the
// board after it as further_value() counts, less this of the board before.
static int64_t changes_from(const SurfacePlan *plan, const Board *board) {
    if (__builtin_expect(!plan->deltas, 1))
        return 0;
    int highest = 0, sum = 0, steps = 0, holes = 0, left = column_height(board->column[0]);
    for (int x = 0; x < plan->width; x++) {
        int h = column_height(board->column[x]);
        highest = h > highest ? h : highest;
        sum += h;
        steps += abs(h - left);
        holes += h - count_bits(board->column[x]);
        left = h;
    }
    return plan->weight[FEATURE_DELTA_MAX_HEIGHT] * highest + plan->weight[FEATURE_DELTA_MEAN_HEIGHT] * sum +
           plan->weight[FEATURE_DELTA_HEIGHT_DIFFERENCES] * steps + plan->weight[FEATURE_DELTA_HOLES] * holes;
}

// The scalar parts of look_further().
static void look_at_holes(const SurfacePlan *plan, const Board *board, Further *f) {
    if (plan->features & BIT(EMBEDDED_HOLES))
        embedded_look(plan, board->column, &f->embedded);
    f->hole_depth = f->adjacent = 0;
    for (int x = 0; x < plan->width; x++) {
        f->hole_depth += column_hole_depth(board->column[x]);
        f->adjacent += column_adjacent(board->column[x]);
    }
    f->mean_depth = 256 * f->hole_depth / (f->adjacent ? f->adjacent : 1);
}

#endif
