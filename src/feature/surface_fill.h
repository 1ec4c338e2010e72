// SPDX-License-Identifier: GPL-3.0-or-later
// Fills the surface kernel's tables (surface_plan.h), once for each player. Part of kernel_surface.c and
// kernel_surface_plain.c.
#ifndef TETRALAB_FEATURE_SURFACE_FILL_H
#define TETRALAB_FEATURE_SURFACE_FILL_H

#include <stdlib.h>
#include <string.h>

#include "feature/surface_plan.h"
#include "feature/surface_tables_fill.h"

#if V_LANES > 1
// A weight is split into an upper part and 15 lower bits, so that 16-bit products are exact. Two
// weights share a lane.
static W pair_high(int64_t a, int64_t b) {
    return w_set((int)(((uint32_t)(b >> 15) << 16) | ((uint32_t)(a >> 15) & 0xffff)));
}
static W pair_low(int64_t a, int64_t b) {
    return w_set((int)(((uint32_t)(b & 0x7fff) << 16) | (uint32_t)(a & 0x7fff)));
}
#endif

static int64_t weight_of(const Rating *rating, FeatureId feature) {
    for (int t = 0; t < rating->terms; t++)
        if (rating->term[t].feature == feature)
            return rating->term[t].weight;
    return 0;
}

static Weights weights_pair(int64_t a, int64_t b) {
#if V_LANES > 1
    return (Weights){pair_high(a, b), pair_low(a, b)};
#else
    return (Weights){a, b};
#endif
}

static void put_lane(V *v, int lane, int value) {
    if (V_BITS == 16)
        ((uint16_t *)v)[lane] = (uint16_t)value;
    else
        ((uint32_t *)v)[lane] = (uint32_t)value;
}

#ifdef W_GATHERS
static void put_column(C *numbers, int x, int value) {
    if (sizeof(C) == 2 * BOARD_COLUMNS)
        ((uint16_t *)numbers)[x] = (uint16_t)value;
    else
        ((uint32_t *)numbers)[x] = (uint32_t)value;
}
#endif

static void put_sum(Sum *sum, int lane, int64_t value) {
#if V_LANES > 1
    ((int32_t *)&sum->high[sum_part(lane)])[sum_lane(lane)] = (int32_t)(value >> 15);
    ((int32_t *)&sum->low[sum_part(lane)])[sum_lane(lane)] = (int32_t)(value & 0x7fff);
#else
    (void)lane;
    *sum = value;
#endif
}

// What a piece adds to further features wherever it lands: four cells and the rows that they have in it.
static int64_t further_constant(const SurfacePlan *plan, const Shape *shape) {
    int rows = shape_rows(shape);
    return 4 * plan->weight[FEATURE_CELLS] + (rows + 4) * plan->weight[FEATURE_WEIGHTED_CELLS] +
           rows * plan->mean_landing +
           2 * shape->height * (plan->weight[FEATURE_CELL_TRANSITIONS] + plan->weight[FEATURE_FRONTIER]);
}

// Walls are no cells: the sides that touch one have not been the pairs that place_further() takes away.
static int64_t wall_constant(const SurfacePlan *plan, const Shape *shape, int column) {
    int touching = (column == 0 ? shape->cells[0] : 0) +
                   (column + shape->width == plan->width ? shape->cells[shape->width - 1] : 0);
    return V_LANES > 1 ? touching * plan->weight[FEATURE_CELL_TRANSITIONS] : 0;
}

static void fill_part(Batch *batch, const SurfacePlan *plan, int k) {
    const Shape *shape = &piece_shape[batch->part[k].piece][batch->part[k].orientation];
    int first = plan->layout.stride * k;
    if (shape->width > batch->width)
        batch->width = shape->width;
    batch->legal |= ((1u << (plan->width - shape->width + 1)) - 1) << first;
    int64_t constant =
        plan->landing * (shape->height - 1) + plan->rows * 2 * shape->height + further_constant(plan, shape);
    int in_row[4] = {0};
    for (int i = 0; i < shape->width; i++)
        for (int c = 0; c < shape->cells[i]; c++)
            in_row[shape->bottom[i] + c]++;
    int one = 0, many = 0, row_cells = 0, differences = 0;
    for (int i = 1; i < shape->width; i++) {
        int d = shape->bottom[i] + shape->cells[i] - shape->bottom[i - 1] - shape->cells[i - 1] + 2;
        differences |= d >= 0 && d < 5 ? 1 << d : 0;
    }
    for (int r = 0; r < shape->height; r++) {
        row_cells |= in_row[r] << 4 * r;
        if (in_row[r] == 1)
            one |= 1 << r;
        else {
            many |= 1 << r;
            batch->wide_cells = in_row[r];
        }
    }
    for (int lane = first; lane < first + plan->layout.stride; lane++) {
        for (int i = 0; i < 4; i++) {
            bool present = i < shape->width;
            if (present)
                batch->present[i] |= 1u << lane;
            put_lane(&batch->bottom[i], lane, present ? shape->bottom[i] : 64);
            put_lane(&batch->cells[i], lane, present ? ((1 << shape->cells[i]) - 1) << shape->bottom[i] : 0);
            put_lane(&batch->count[i], lane, present ? shape->cells[i] : 0);
            put_lane(&batch->covers[i], lane, present ? 1 << 4 * (shape->bottom[i] + 1) : 0);
            put_lane(&batch->floor[i], lane, present ? 1 << shape->bottom[i] : 0);
            put_lane(&batch->top[i], lane, present ? shape->bottom[i] + shape->cells[i] : 0);
#ifdef V_MULTIPLIES
            put_lane(&batch->top_down[i], lane, present ? 1 << (16 - shape->bottom[i] - shape->cells[i]) : 0);
#endif
        }
#ifdef V_ROTATES
        put_lane(&batch->lanes, lane, batch->legal >> lane & 1 ? -1 : 0);
#endif
#ifdef W_GATHERS
        int number = table_number(batch->part[k].piece, batch->part[k].orientation);
        put_lane(&batch->entries, lane, LANE_STEPS * number);
        put_lane(&batch->middle, lane, LANE_UPRIGHT + 64 * number);
#endif
        put_lane(&batch->row_cells, lane, row_cells);
        put_lane(&batch->differences, lane, differences);
        put_lane(&batch->single_rows, lane, one);
        put_lane(&batch->wide_rows, lane, many);
        put_lane(&batch->fits, lane, plan->limit - shape->height);
        put_lane(&batch->height, lane, shape->height);
        put_sum(&batch->constant, lane, constant + wall_constant(plan, shape, lane - first));
    }
}

// The orientations of one batch have the same number of cells in their wide rows.
static void fill_batch(Batch *batch, const SurfacePlan *plan, const Oriented *part, int count) {
    memset(batch, 0, sizeof *batch);
    batch->parts = count;
    for (int k = 0; k < count; k++) {
        batch->part[k] = part[k];
        fill_part(batch, plan, k);
    }
    for (int k = 0; k < count; k++) {
        int width = piece_shape[part[k].piece][part[k].orientation].width;
        batch->narrow = width < batch->width ? width : batch->narrow;
    }
    if (!batch->wide_cells)
        batch->wide_cells = 2;
}

static void fill_piece(SurfacePlan *plan, int piece) {
    PiecePlan *p = &plan->piece[piece];
    int n = piece_orientations[piece];
    if (V_LANES < 32) {
        p->batches = n;
        for (int o = 0; o < n; o++)
            fill_batch(&p->batch[o], plan, &(Oriented){piece, o}, 1);
    } else if (n < 4) {
        p->batches = 1;
        fill_batch(&p->batch[0], plan, (Oriented[]){{piece, 0}, {piece, 1}}, n);
    } else { // orientations of equal width together
        p->batches = 2;
        fill_batch(&p->batch[0], plan, (Oriented[]){{piece, 0}, {piece, 2}}, 2);
        fill_batch(&p->batch[1], plan, (Oriented[]){{piece, 1}, {piece, 3}}, 2);
    }
#if V_LANES > 1
    for (int o = 0; o < n; o++) {
        const Shape *shape = &piece_shape[piece][o];
        for (int i = 0; i < shape->width; i++)
            plan->slide[piece][o][BOARD_COLUMNS + i] = ((1u << shape->cells[i]) - 1) << shape->bottom[i];
    }
#endif
}

#if V_LANES > 1
// <- the column of a lane, or -1: there is wall
static int lane_column(const SurfacePlan *plan, int lane) {
    int x = lane % plan->layout.stride;
    return x < plan->width && lane / plan->layout.stride < plan->layout.copies ? x : -1;
}

#ifdef V_ROTATES
static void fill_lanes(SurfacePlan *plan) {
    int rows = plan->height < V_BITS - 1 ? plan->height : V_BITS - 1;
    for (int lane = 0; lane < V_LANES; lane++) {
        bool wall = lane_column(plan, lane) < 0;
        put_lane(&plan->lane_walls, lane, wall ? (1 << rows) - 1 : 0);
        put_lane(&plan->lane_heights, lane, wall ? V_BITS : 0);
        put_lane(&plan->lane_inside, lane, wall ? 0 : -1);
    }
}
#else
static void put_source(V *permutation, int lane, int source) { // 16-bit lanes move as two bytes
    put_lane(permutation, lane, V_BITS == 16 ? 2 * source | (2 * source + 1) << 8 : source);
}

// lane j <- column j + offset. Outside the board, and in the lanes of walls, all is wall.
static void fill_permutation(const SurfacePlan *plan, V *permutation, int offset) {
    for (int lane = 0; lane < V_LANES; lane++) {
        int own = lane_column(plan, lane), x = own + offset;
        put_source(permutation, lane, own < 0 || x < 0 || x >= plan->width ? plan->layout.wall : x);
    }
}

#if V_LANES == 32
static void fill_copies(SurfacePlan *plan) {
    int stride = plan->layout.stride, wall = plan->layout.wall;
    for (int lane = 0; lane < V_LANES; lane++) {
        int own = lane_column(plan, lane);
        for (int k = 0; k < SCAN_STEPS; k++) {
            int x = lane < stride ? own - (1 << k) : own + (1 << k);
            bool inside = own >= 0 && x >= 0 && x < plan->width;
            put_source(&plan->apart[k], lane, inside ? lane - own + x : wall);
        }
        for (int offset = 0; offset < 6; offset++) {
            bool inside = own >= 0 && own + offset < plan->width;
            put_source(&plan->second[offset], lane, inside ? stride + own + offset : wall);
        }
        put_source(&plan->second_first, lane, stride);
    }
}
#endif

static void fill_lanes(SurfacePlan *plan) {
    for (int offset = -2; offset <= 5; offset++)
        fill_permutation(plan, &plan->column[offset + 2], offset);
    for (int k = 0; k < SCAN_STEPS; k++) {
        fill_permutation(plan, &plan->from_left[k], -(1 << k));
        fill_permutation(plan, &plan->from_right[k], 1 << k);
    }
    for (int lane = 0; lane < V_LANES; lane++) {
        int own = lane_column(plan, lane);
        put_source(&plan->first, lane, 0);
        put_source(&plan->spread, lane, own < 0 ? 15 : own);
    }
#if V_LANES == 32
    fill_copies(plan);
#endif
}
#endif

static void fill_pairs(SurfacePlan *plan) {
    for (int lane = 0; lane < V_LANES; lane++) {
        int own = lane_column(plan, lane);
        for (int i = 0; i < 5; i++)
            put_lane(&plan->pair[i], lane, own >= 0 && own - 1 + i >= 0 && own + i < plan->width ? 31 : 0);
    }
}

#ifdef W_GATHERS
// A column's distance from the wall, as wells are ordered by it: 3 at a wall, 0 from three columns on.
static int column_place(const SurfacePlan *plan, int x) {
    int from = 2 * x < plan->width ? x : plan->width - 1 - x;
    return x < 0 || from < 0 || from > 3 ? 0 : 3 - from;
}

static void fill_entries(SurfacePlan *plan) {
    for (int lane = 0; lane < V_LANES; lane++) {
        int own = lane_column(plan, lane);
        for (int i = 0; i < 5; i++) {
            bool both = own >= 0 && own - 1 + i >= 0 && own + i < plan->width;
            put_lane(&plan->no_step[i], lane, both ? 0 : STEP_NONE);
        }
        for (int i = 0; i < 6; i++)
            put_lane(&plan->place[i], lane, own < 0 ? 0 : column_place(plan, own - 1 + i));
    }
    for (int x = 0; x < BOARD_COLUMNS; x++) {
        int none = x + 1 < plan->width ? 0 : STEP_NONE, place = x < plan->width ? column_place(plan, x) : 0;
        put_column(&plan->column_no_step, x, none);
        put_column(&plan->column_place, x, place);
    }
}
#endif

#ifndef V_ROTATES
static void fill_boards(SurfacePlan *plan) {
    for (int lane = 0; lane < 16; lane++) {
        bool wall = lane >= plan->width;
        ((uint32_t *)&plan->walls)[lane] = wall ? (1u << plan->height) - 1 : 0;
        ((uint32_t *)&plan->wall_heights)[lane] = wall ? V_BITS : 0;
        ((uint32_t *)&plan->inside)[lane] = wall ? 0 : ~0u;
        ((uint32_t *)&plan->left)[lane] = (uint32_t)(lane + 15) & 15; // lane 15 is always a wall
        ((uint32_t *)&plan->right)[lane] = (uint32_t)(lane + 1) & 15;
    }
}
#endif
#endif

// Two terms to a multiplication; the signs and factors are those of kernel_surface.h.
static void fill_weights(SurfacePlan *plan) {
    int64_t per_row = 2 * plan->landing + (plan->mean_with_landing ? 4 * plan->mean_landing : 0);
    int64_t pairs[PAIRS][2] = {{per_row, -2 * plan->rows},
                               {2 * plan->columns, plan->holes},
                               {plan->well, plan->depth},
                               {plan->rows_with_holes, plan->diversity}};
    for (int p = 0; p < PAIRS; p++)
        plan->weights[p] = weights_pair(pairs[p][0], pairs[p][1]);
    plan->board_weights[0] = weights_pair(plan->rows, plan->columns);
    plan->board_weights[1] = weights_pair(plan->holes, plan->well);
    plan->board_weights[2] = weights_pair(plan->depth, 0);
#ifdef V_ROTATES
    plan->rows_above = plan->height < V_BITS ? 0 : 2 * plan->rows * (plan->height - (V_BITS - 1));
#endif
#if V_LANES > 1
    fill_lanes(plan);
    fill_pairs(plan);
#endif
#ifdef W_GATHERS
    fill_entries(plan);
#endif
#if V_LANES > 1 && !defined V_ROTATES
    fill_boards(plan);
#endif
}

#if V_LANES > 1
static int64_t weight_at(const SurfacePlan *plan, const int64_t *weight, int lane, int offset) {
    int own = lane_column(plan, lane), x = own + offset;
    return own < 0 || x < 0 || x >= plan->width ? 0 : weight[x];
}

// The weights of two columns, as placements see them.
static void fill_lane_weights(const SurfacePlan *plan, LaneWeights *weights, const int64_t *weight,
                              int offset) {
    for (int lane = 0; lane < V_LANES; lane++) {
        int64_t a = weight_at(plan, weight, lane, offset), b = weight_at(plan, weight, lane, offset + 1);
        W high = pair_high(a, b), low = pair_low(a, b);
        memcpy((int32_t *)&weights->high[sum_part(lane)] + sum_lane(lane), &high, sizeof(int32_t));
        memcpy((int32_t *)&weights->low[sum_part(lane)] + sum_lane(lane), &low, sizeof(int32_t));
    }
}
#endif

static void fill_columns(SurfacePlan *plan, const Rating *rating) {
    for (int t = 0; t < rating->terms; t++) {
        const RatingTerm *term = &rating->term[t];
        if (term->feature == FEATURE_COLUMN_HEIGHTS)
            plan->column_weight[term->index] = term->weight;
        if (term->feature == FEATURE_COLUMN_DIFFERENCES)
            plan->step_weight[term->index] = term->weight;
    }
#if V_LANES > 1
    plan->highest_hole =
        weights_pair(weight_of(rating, FEATURE_HIGHEST_HOLE_COLUMN), weight_of(rating, FEATURE_HIGHEST_HOLE));
    for (int lane = 0; lane < V_LANES; lane++) {
        int own = lane_column(plan, lane);
        ((uint32_t *)&plan->sum_column[sum_part(lane)])[sum_lane(lane)] = own < 0 ? 15 : (uint32_t)own;
    }
    int64_t hole[BOARD_COLUMNS] = {0};
    for (int t = 0; t < rating->terms; t++)
        if (rating->term[t].feature == FEATURE_HOLES_BY_COLUMN) {
            int x = rating->term[t].index;
            hole[x] = hole[plan->width - 1 - x] = rating->term[t].weight;
        }
    for (int k = 0; k < 2; k++) {
        fill_lane_weights(plan, &plan->heights[k], plan->column_weight, 2 * k);
        fill_lane_weights(plan, &plan->holes_by_column[k], hole, 2 * k);
    }
    for (int k = 0; k < 3; k++)
        fill_lane_weights(plan, &plan->steps[k], plan->step_weight, 2 * k - 1);
#endif
}

static void fill_further(SurfacePlan *plan, const Rating *rating) {
    int64_t weight[FURTHER_TERMS + 1] = {0};
    bool has_tables = rating->features & TABLE_FEATURES;
    int terms = 0;
    for (int t = 0; t < FURTHER_TERMS; t++) {
        FeatureId feature = further_terms[t].feature;
        if (!(rating->features & feature_bit(feature)) ||
            (feature == FEATURE_CUMULATIVE_WELLS_FAST && plan->fast_wells) ||
            (feature == FEATURE_MEAN_LANDING_HEIGHT && plan->mean_with_landing) ||
            (feature == FEATURE_MAX_HEIGHT && has_tables))
            continue;
        plan->number[terms] = further_terms[t].number;
        weight[terms++] = weight_of(rating, feature);
    }
    plan->number[terms] = plan->number[0]; // its weight is 0
    plan->further_pairs = (terms + 1) / 2;
    for (int k = 0; k < plan->further_pairs; k++)
        plan->further_weights[k] = weights_pair(weight[2 * k], weight[2 * k + 1]);
    for (int id = 0; id < FEATURES; id++)
        plan->weight[id] = feature_info[id].values == ONE ? weight_of(rating, id) : 0;
    if (has_tables) { // these have it
        plan->weight[FEATURE_MAX_HEIGHT] = 0;
        plan->features &= ~BIT(MAX_HEIGHT);
    }
    plan->weight[FEATURE_MAX_HEIGHT] += plan->weight[FEATURE_DELTA_MAX_HEIGHT];
    plan->weight[FEATURE_MEAN_HEIGHT] += plan->weight[FEATURE_DELTA_MEAN_HEIGHT];
    plan->weight[FEATURE_HEIGHT_DIFFERENCES] += plan->weight[FEATURE_DELTA_HEIGHT_DIFFERENCES];
    fill_columns(plan, rating);
    plan->deltas = rating->features & DELTA_FEATURES;
    plan->more = terms || rating->features & (BIT(COLUMN_HEIGHTS) | BIT(COLUMN_DIFFERENCES) | BIT(CELLS));
    plan->further = plan->more || has_tables;
}

static void fill_plan(SurfacePlan *plan, const Rating *rating, const Rules *rules, Layout layout) {
    plan->layout = layout;
    plan->width = rules->width;
    plan->height = rules->height;
    plan->limit = rules_rows(rules);
    plan->lenient = rules->overflow == OVERFLOW_LENIENT;
#ifdef TALL_KERNEL
    plan->roomy = V_ROWS + 4 <= plan->limit;
#endif
    plan->avoid = rules->gameover == GAMEOVER_AVOID;
    plan->features = rating->features;
    plan->use_wells = rating->features & BOTH_WELLS;
    plan->fast_wells = (rating->features & BOTH_WELLS) == BIT(CUMULATIVE_WELLS_FAST);
    plan->use_diversity = rating->features & BIT(DIVERSITY);
    plan->landing = weight_of(rating, FEATURE_LANDING_HEIGHT);
    plan->mean_landing = weight_of(rating, FEATURE_MEAN_LANDING_HEIGHT);
    plan->mean_with_landing = llabs(2 * plan->landing + 4 * plan->mean_landing) < RATING_MAX_WEIGHT;
    plan->eroded = weight_of(rating, FEATURE_ERODED_CELLS);
    plan->removed = weight_of(rating, FEATURE_REMOVED_LINES);
    plan->rows_with_holes = weight_of(rating, FEATURE_ROWS_WITH_HOLES);
    plan->diversity = weight_of(rating, FEATURE_DIVERSITY);
    plan->rows = weight_of(rating, FEATURE_ROW_TRANSITIONS);
    plan->columns = weight_of(rating, FEATURE_COLUMN_TRANSITIONS);
    plan->holes = weight_of(rating, FEATURE_HOLES);
    plan->depth = weight_of(rating, FEATURE_HOLE_DEPTH);
    plan->well =
        weight_of(rating, plan->fast_wells ? FEATURE_CUMULATIVE_WELLS_FAST : FEATURE_CUMULATIVE_WELLS);
    plan->wells = well_table[plan->fast_wells ? WELLS_FAST : WELLS_CUMULATIVE];
    fill_weights(plan);
    fill_further(plan, rating);
}

#ifdef W_GATHERS
// Whole boards: every column has its own weight of a hole.
_Static_assert(2 * RATING_ROUNDED_WEIGHT <= RATING_MAX_WEIGHT, "halves of a sum hold two such weights");
static void fill_hole_columns(SurfacePlan *plan) {
    for (int x = 0; x < plan->width; x++) {
        int64_t holes = plan->holes + plan->tables->hole[x];
        W high = pair_high(holes, plan->well), low = pair_low(holes, plan->well);
        int lane = V_LANES == 32 ? x : sum_lane(x);
        memcpy((int32_t *)&plan->board_weights[1].high + lane, &high, sizeof(int32_t));
        memcpy((int32_t *)&plan->board_weights[1].low + lane, &low, sizeof(int32_t));
    }
}
#endif

#if V_LANES == 32
static void fill_packed(SurfacePlan *packed) {
    for (int k = 0; k < PACKED_BATCHES; k++)
        fill_batch(&packed->piece[k].batch[0], packed, packed_part[k], packed_parts[k]);
}
#endif

static SurfacePlan *prepare(const Rating *rating, const Rules *rules, const SurfacePlan *tall) {
    enum { SIZE = (sizeof(SurfacePlan) + 63) / 64 * 64, TABLES = (sizeof(TablePlan) + 63) / 64 * 64 };
    bool has_tables = rating->features & TABLE_FEATURES;
#if V_LANES == 32
    bool packs = rules->width <= PACKED_LAYOUT.stride;
#elif defined V_ROTATES
    bool packs = rules->width <= PAIRED_WIDTH;
#else
    bool packs = false;
#endif
    size_t plans = packs ? 2 * SIZE : SIZE, size = plans + (has_tables ? TABLES : 0);
    SurfacePlan *plan = aligned_alloc(64, size);
    if (!plan)
        return NULL;
    memset(plan, 0, size);
    fill_plan(plan, rating, rules, WIDE_LAYOUT);
    if (has_tables) {
        TablePlan *tables = (TablePlan *)((char *)plan + plans);
        fill_tables(tables, rating, rules);
        plan->tables = tables;
#ifdef W_GATHERS
        if (tables->in_lanes)
            fill_hole_columns(plan);
#endif
    }
    for (int piece = 0; piece < PIECES; piece++)
        fill_piece(plan, piece);
    plan->tall = tall;
#if V_LANES == 32
    if (packs) {
        SurfacePlan *packed = (SurfacePlan *)((char *)plan + SIZE);
        fill_plan(packed, rating, rules, PACKED_LAYOUT);
        fill_packed(packed);
        packed->tables = plan->tables;
        plan->packed = packed;
    }
#elif defined V_ROTATES
    if (packs) {
        SurfacePlan *paired = (SurfacePlan *)((char *)plan + SIZE);
        fill_plan(paired, rating, rules, PAIRED_LAYOUT);
        for (int k = 0; k < PAIRED_BATCHES; k++)
            fill_batch(&paired->piece[k].batch[0], paired, paired_part[k], 2);
        paired->tables = plan->tables;
        plan->packed = paired;
    }
#endif
    return plan;
}

#endif
