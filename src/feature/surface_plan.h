// SPDX-License-Identifier: GPL-3.0-or-later
// The surface kernel's tables: everything about the pieces, the weights and the board that does not change
// during a game. Part of kernel_surface.c and kernel_surface_plain.c; see kernel_surface.h.
#ifndef TETRALAB_FEATURE_SURFACE_PLAN_H
#define TETRALAB_FEATURE_SURFACE_PLAN_H

#include <stdlib.h>
#include <string.h>

#include "feature/kernel_surface.h"
#include "feature/lanes.h"
#include "feature/well_tables.h"

// A weighted sum of V. In vectors it is kept in two parts, value = high * 32768 + low, since products of
// 16 bits are what vector units do best; 16-bit lanes need two wide vectors for each part.
#if V_LANES > 1
enum { HALVES = V_LANES / 16, BATCHES = V_LANES == 32 ? 2 : 4 };
typedef struct Sum {
    W high[HALVES], low[HALVES];
} Sum;
#else
enum { BATCHES = 4 };
typedef int64_t Sum;
#endif

enum { SCAN_STEPS = 4 }; // 1, 2, 4 and 8 columns: enough to look over all of them

// Rows of weights: which two numbers share a multiplication.
enum { PAIR_LANDING_SIDES, PAIR_GAPS_HOLES, PAIR_WELLS_DEPTH, PAIR_ROWS_DIVERSITY, PAIRS };

// One vector of placements of one piece: its one or two orientations, lane by lane. A narrower orientation
// beside a wider one is treated as a piece with columns that have no cells ("absent").
typedef struct Batch {
    V bottom[4];              // lowest cell of the column
    V cells[4];               // the column's cells, as bits from the piece's lowest row
    V count[4];               // how many
    V floor[4];               // 1 << bottom: ends the gap
    V top[4];                 // bottom + count
    V single_rows, wide_rows; // rows of the piece with one cell; with `wide_cells` cells
    V fits;                   // highest landing row that stays inside the board
    Sum constant;             // what the orientation adds wherever it lands
    uint32_t legal;           // lanes inside the walls
    uint32_t present[4];      // lanes whose orientation has this column
    int width, wide_cells;
    int orientation[2]; // of lanes 0-15 and 16-31
} Batch;

typedef struct PiecePlan {
    int batches;
    Batch batch[BATCHES];
} PiecePlan;

struct SurfacePlan {
    PiecePlan piece[PIECES];
    const uint8_t *wells; // well_table
#if V_LANES > 1
    V pair[5];   // 31 in the lanes where columns j - 1 + i and j + i both exist, else 0
    V column[8]; // permutations: lane j <- column j - 2 ... j + 5, walls outside
    V from_left[SCAN_STEPS], from_right[SCAN_STEPS]; // lane j <- column j - 2^k; j + 2^k
    V first;                                         // every lane <- column 0
    W high[PAIRS], low[PAIRS];                       // weights, two to a lane: upper and lower 15 bits
    W walls;                                         // the wall lanes' columns
    W wall_heights;                // and heights: so high that nothing is left of a shift by it
    W inside;                      // all ones in the board's lanes
    W left, right;                 // permutations of W: lane j <- lane j - 1; j + 1
    W board_high[3], board_low[3]; // weights for whole boards: rows+columns, holes+wells, depth
    uint32_t slide[PIECES][ORIENTATIONS][3 * BOARD_COLUMNS]; // a piece's columns, to be loaded at any offset
#else
    int64_t weight[PAIRS][2];
#endif
    int64_t landing, eroded, removed, rows, columns, holes, depth, well, rows_with_holes,
        diversity; // weights
    bool fast_wells, use_diversity, avoid, lenient;
    int width, height, limit; // limit: rows a piece must fit into
    const SurfacePlan *tall;
};

static int64_t weight_of(const Rating *rating, FeatureId feature) {
    for (int t = 0; t < rating->terms; t++)
        if (rating->term[t].feature == feature)
            return rating->term[t].weight;
    return 0;
}

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

static void put_lane(V *v, int lane, int value) {
    if (V_BITS == 16)
        ((uint16_t *)v)[lane] = (uint16_t)value;
    else
        ((uint32_t *)v)[lane] = (uint32_t)value;
}

// Sums of 16-bit lanes are unpacked four lanes in turn: where is this lane?
INLINE int sum_half(int lane) {
    return V_LANES == 32 ? lane >> 2 & 1 : 0;
}
INLINE int sum_lane(int lane) {
    return V_LANES == 32 ? (lane >> 3) * 4 + (lane & 3) : lane;
}

static void put_sum(Sum *sum, int lane, int64_t value) {
#if V_LANES > 1
    ((int32_t *)&sum->high[sum_half(lane)])[sum_lane(lane)] = (int32_t)(value >> 15);
    ((int32_t *)&sum->low[sum_half(lane)])[sum_lane(lane)] = (int32_t)(value & 0x7fff);
#else
    (void)lane;
    *sum = value;
#endif
}

static void fill_batch(Batch *batch, const SurfacePlan *plan, int piece, const int *orientations, int count) {
    memset(batch, 0, sizeof *batch);
    for (int k = 0; k < count; k++) {
        const Shape *shape = &piece_shape[piece][orientations[k]];
        batch->orientation[k] = orientations[k];
        if (shape->width > batch->width)
            batch->width = shape->width;
        batch->legal |= ((1u << (plan->width - shape->width + 1)) - 1) << 16 * k;
        int64_t constant = plan->landing * (shape->height - 1) + plan->rows * 2 * shape->height;
        int in_row[4] = {0};
        for (int i = 0; i < shape->width; i++)
            for (int c = 0; c < shape->cells[i]; c++)
                in_row[shape->bottom[i] + c]++;
        int one = 0, many = 0;
        for (int r = 0; r < shape->height; r++) {
            if (in_row[r] == 1)
                one |= 1 << r;
            else {
                many |= 1 << r;
                batch->wide_cells = in_row[r];
            }
        }
        for (int lane = 16 * k; lane < 16 * (k + 1) && lane < V_LANES; lane++) {
            for (int i = 0; i < 4; i++) {
                bool present = i < shape->width;
                if (present)
                    batch->present[i] |= 1u << lane;
                put_lane(&batch->bottom[i], lane, present ? shape->bottom[i] : 64);
                put_lane(&batch->cells[i], lane,
                         present ? ((1 << shape->cells[i]) - 1) << shape->bottom[i] : 0);
                put_lane(&batch->count[i], lane, present ? shape->cells[i] : 0);
                put_lane(&batch->floor[i], lane, present ? 1 << shape->bottom[i] : 0);
                put_lane(&batch->top[i], lane, present ? shape->bottom[i] + shape->cells[i] : 0);
            }
            put_lane(&batch->single_rows, lane, one);
            put_lane(&batch->wide_rows, lane, many);
            put_lane(&batch->fits, lane, plan->limit - shape->height);
            put_sum(&batch->constant, lane, constant);
        }
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
            fill_batch(&p->batch[o], plan, piece, &o, 1);
    } else if (n < 4) {
        p->batches = 1;
        fill_batch(&p->batch[0], plan, piece, (int[]){0, 1}, n);
    } else { // orientations of equal width together
        p->batches = 2;
        fill_batch(&p->batch[0], plan, piece, (int[]){0, 2}, 2);
        fill_batch(&p->batch[1], plan, piece, (int[]){1, 3}, 2);
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
// lane j <- column j + offset. Lane 15 is always a wall, since boards are at most 14 wide; outside the board,
// and in the lanes of walls, all is wall.
static void fill_permutation(const SurfacePlan *plan, V *permutation, int offset) {
    for (int lane = 0; lane < V_LANES; lane++) {
        int own = lane & 15, x = own + offset;
        if (own >= plan->width || x < 0 || x >= plan->width)
            x = 15;
        if (V_BITS == 16) {
            ((uint8_t *)permutation)[2 * lane] = (uint8_t)(2 * x);
            ((uint8_t *)permutation)[2 * lane + 1] = (uint8_t)(2 * x + 1);
        } else {
            ((uint32_t *)permutation)[lane] = (uint32_t)x;
        }
    }
}

static void fill_permutations(SurfacePlan *plan) {
    for (int offset = -2; offset <= 5; offset++)
        fill_permutation(plan, &plan->column[offset + 2], offset);
    for (int k = 0; k < SCAN_STEPS; k++) {
        fill_permutation(plan, &plan->from_left[k], -(1 << k));
        fill_permutation(plan, &plan->from_right[k], 1 << k);
    }
    for (int lane = 0; lane < V_LANES; lane++)
        put_lane(&plan->first, lane, V_BITS == 16 ? 0x100 : 0); // 16-bit lanes move as bytes 0 and 1
    for (int i = 0; i < 5; i++)
        for (int lane = 0; lane < V_LANES; lane++) {
            int x = (lane & 15) - 1 + i;
            put_lane(&plan->pair[i], lane, x >= 0 && x + 1 < plan->width ? 31 : 0);
        }
}

static void fill_walls(SurfacePlan *plan) {
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

// Two terms to a multiplication; the signs and factors are those of kernel_surface.h.
static void fill_weights(SurfacePlan *plan) {
    int64_t pairs[PAIRS][2] = {{2 * plan->landing, -2 * plan->rows},
                               {2 * plan->columns, plan->holes},
                               {plan->well, plan->depth},
                               {plan->rows_with_holes, plan->diversity}};
#if V_LANES > 1
    for (int p = 0; p < PAIRS; p++) {
        plan->high[p] = pair_high(pairs[p][0], pairs[p][1]);
        plan->low[p] = pair_low(pairs[p][0], pairs[p][1]);
    }
    int64_t board_pairs[3][2] = {{plan->rows, plan->columns}, {plan->holes, plan->well}, {plan->depth, 0}};
    for (int p = 0; p < 3; p++) {
        plan->board_high[p] = pair_high(board_pairs[p][0], board_pairs[p][1]);
        plan->board_low[p] = pair_low(board_pairs[p][0], board_pairs[p][1]);
    }
    fill_permutations(plan);
    fill_walls(plan);
#else
    memcpy(plan->weight, pairs, sizeof pairs);
#endif
}

static SurfacePlan *prepare(const Rating *rating, const Rules *rules, const SurfacePlan *tall) {
    SurfacePlan *plan = aligned_alloc(64, (sizeof *plan + 63) / 64 * 64);
    if (!plan)
        return NULL;
    memset(plan, 0, sizeof *plan);
    plan->tall = tall;
    plan->width = rules->width;
    plan->height = rules->height;
    plan->limit = rules_rows(rules);
    plan->lenient = rules->overflow == OVERFLOW_LENIENT;
    plan->avoid = rules->gameover == GAMEOVER_AVOID;
    plan->fast_wells = rating->features & feature_bit(FEATURE_CUMULATIVE_WELLS_FAST);
    plan->use_diversity = rating->features & feature_bit(FEATURE_DIVERSITY);
    plan->landing = weight_of(rating, FEATURE_LANDING_HEIGHT);
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
    for (int piece = 0; piece < PIECES; piece++)
        fill_piece(plan, piece);
    return plan;
}

// What the features of the move give.
INLINE int64_t move_value(const SurfacePlan *plan, const Shape *shape, int row, uint32_t full) {
    int lines = __builtin_popcount(full), eroded = 0;
    if (full)
        for (int i = 0; i < shape->width; i++)
            eroded += __builtin_popcount(full & ((1u << shape->cells[i]) - 1) << (row + shape->bottom[i]));
    return plan->landing * (2 * row + shape->height - 1) + plan->removed * lines +
           plan->eroded * lines * eroded;
}

#endif
