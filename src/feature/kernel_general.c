// SPDX-License-Identifier: GPL-3.0-or-later
// The general kernel; see kernel_general.h. Compiled once per machine (lanes.h).
#include "feature/kernel_general.h"

#include <stdlib.h>
#include <string.h>

#include "feature/general_features.h"
#include "feature/lanes.h"

// One orientation of a piece: its cells in every column, lane by lane.
typedef struct OrientationPlan {
    W cells[BOARD_MAX_WIDTH]; // before falling: lowest cell in row 0
    W bottom[4];
    int width, height, weight; // weight: sum of its cells' row numbers, from 1
    uint32_t legal;
} OrientationPlan;

enum { PADDED_TERMS = RATING_MAX_TERMS + 4 }; // terms are added up four at a time

struct GeneralPlan {
    OrientationPlan orientation[PIECES][ORIENTATIONS];
    W shift[4];                                      // permutations: lane j <- lane j + i
    W high[PADDED_TERMS / 2], low[PADDED_TERMS / 2]; // weights, two to a lane
    uint16_t slot[PADDED_TERMS];                     // where each term's value is found
    const Rating *rating;
    int width, height, limit;
    bool lenient;
};

static GeneralPlan *prepare(const Rating *rating, const Rules *rules) {
    GeneralPlan *plan = aligned_alloc(64, (sizeof *plan + 63) / 64 * 64);
    if (!plan)
        return NULL;
    memset(plan, 0, sizeof *plan);
    plan->rating = rating;
    plan->width = rules->width;
    plan->height = rules->height;
    plan->limit = rules_rows(rules);
    plan->lenient = rules->overflow == OVERFLOW_LENIENT;
    for (int i = 0; i < 4; i++)
        for (int lane = 0; lane < 16; lane++)
            ((uint32_t *)&plan->shift[i])[lane] = (uint32_t)(lane + i) & 15;
    for (int t = 0; t < PADDED_TERMS; t++)
        plan->slot[t] = FIRST_OF_LANDING_HEIGHT; // padding: always computed, its weight is 0
    for (int t = 0; t < rating->terms; t++) {
        int32_t weight = rating->term[t].weight;
        plan->slot[t] = (uint16_t)general_slot(rating->term[t].feature, rating->term[t].index);
        for (int lane = 0; lane < 16; lane++) {
            ((uint32_t *)&plan->high[t / 2])[lane] |= ((uint32_t)(weight >> 15) & 0xffff) << 16 * (t % 2);
            ((uint32_t *)&plan->low[t / 2])[lane] |= (uint32_t)(weight & 0x7fff) << 16 * (t % 2);
        }
    }
    for (int piece = 0; piece < PIECES; piece++)
        for (int o = 0; o < piece_orientations[piece]; o++) {
            const Shape *shape = &piece_shape[piece][o];
            OrientationPlan *p = &plan->orientation[piece][o];
            p->width = shape->width;
            p->height = shape->height;
            p->legal = (1u << (plan->width - shape->width + 1)) - 1;
            for (int i = 0; i < shape->width; i++) {
                p->bottom[i] = w_set(shape->bottom[i]);
                for (int c = 0; c < shape->cells[i]; c++)
                    p->weight += shape->bottom[i] + c + 1;
                for (int lane = 0; lane + i < plan->width; lane++)
                    if (p->legal >> lane & 1)
                        ((uint32_t *)&p->cells[lane + i])[lane] = ((1u << shape->cells[i]) - 1)
                                                                  << shape->bottom[i];
            }
        }
    return plan;
}

// Weighted sum of the terms, as value = high * 32768 + low.
static void sum_terms(const GeneralPlan *plan, const GeneralFeatures *f, W *high, W *low) {
    const Rating *rating = plan->rating;
    *high = *low = w_zero();
    if (rating->kind != RATING_LINEAR) {
        for (int t = 0; t < rating->terms; t++)
            *low = w_add(*low, w_gather(rating->term[t].table, f->value[plan->slot[t]]));
        return;
    }
    W high_sum[2] = {w_zero(), w_zero()},
      low_sum[2] = {w_zero(), w_zero()}; // two, since a product takes a while
    for (int t = 0; t < rating->terms; t += 4)
        for (int k = 0; k < 2; k++) {
            const uint16_t *slot = plan->slot + t + 2 * k;
            W pair = w_pack(f->value[slot[0]], f->value[slot[1]]);
            high_sum[k] = w_dot(high_sum[k], pair, plan->high[t / 2 + k]);
            low_sum[k] = w_dot(low_sum[k], pair, plan->low[t / 2 + k]);
        }
    *high = w_add(high_sum[0], high_sum[1]);
    *low = w_add(low_sum[0], low_sum[1]);
}

// Drops the piece in every lane: the columns before clearing, and the row where it lands.
INLINE W drop(const GeneralPlan *plan, const int width, const OrientationPlan *p, const uint32_t *columns,
              W heights, W *next) {
    W row = w_sub(heights, p->bottom[0]);
    for (int i = 1; i < p->width; i++)
        row = w_max(row, w_sub(w_permute(heights, plan->shift[i]), p->bottom[i]));
    row = w_max(row, w_zero()); // lanes beyond the walls
    for (int x = 0; x < width; x++)
        next[x] = w_or(w_set((int)columns[x]), w_shl(p->cells[x], row));
    return row;
}

// Number of the lowest full row, 0 where there is none. -> low  the bits below it
INLINE W rows_below(W low, W full) {
    return w_select(w_nonzero(full), w_popcount(low), w_zero());
}

// Removes the full rows of every lane, lowest first, and keeps the sum of row numbers: a row that goes takes
// its own cells along and lowers all above by one.
INLINE void clear(const GeneralPlan *plan, const int width, W full, GeneralFeatures *f) {
    bool weighted = plan->rating->features & feature_bit(FEATURE_WEIGHTED_CELLS);
    while (wm_any(w_nonzero(full))) {
        W low = w_sub(w_and(full, w_sub(w_zero(), full)), w_set(1)); // below the lowest full row; all if none
        W lowered = w_zero();
        for (int x = 0; x < width; x++) {
            W column = f->columns[x];
            if (weighted)
                lowered =
                    w_add(lowered, w_popcount(w_andnot(low, column))); // those above, and the row itself
            f->columns[x] = w_or(w_and(column, low), w_andnot(low, w_shift_right(column, 1)));
        }
        if (weighted) // the row itself was counted once: `row` more for each of its cells
            f->weighted = w_sub(f->weighted, w_add(lowered, w_multiply(rows_below(low, full), w_set(width))));
        full = w_shift_right(w_and(full, w_sub(full, w_set(1))), 1);
    }
}

INLINE void evaluate(const GeneralPlan *plan, const int width, const Board *board,
                     const GeneralBefore *before, const OrientationPlan *p, W heights, int64_t *value,
                     uint32_t *fatal) {
    GeneralFeatures f;
    if (width < BOARD_MIN_WIDTH)
        __builtin_unreachable();
    W *next = f.columns;
    f.height = plan->height;
    W row = drop(plan, width, p, board->column, heights, next);
    W full = next[0];
    for (int x = 1; x < width; x++)
        full = w_and(full, next[x]);
    f.lines = f.eroded = w_zero();
    f.weighted = w_add(w_set(before->weighted + p->weight), w_shift_left(row, 2)); // four cells
    if (wm_bits(w_nonzero(full)) & p->legal) {
        f.lines = w_popcount(full);
        W cells = w_zero();
        for (int x = 0; x < width; x++)
            cells = w_add(cells, w_popcount(w_and(full, w_shl(p->cells[x], row))));
        f.eroded = w_multiply(f.lines, cells);
        clear(plan, width, full, &f);
    }
    f.cells = w_sub(w_set(before->cells + 4), w_multiply(f.lines, w_set(width)));
    f.landing = w_add(w_add(row, row), w_set(p->height - 1));
    f.mean_landing = w_add(w_shift_left(row, 2), w_set(p->weight - 4)); // rows count from 0 there
    general_features(&f, width, plan->rating->features, before);
    W occupied = next[0];
    for (int x = 1; x < width; x++)
        occupied = w_or(occupied, next[x]);
    *fatal = plan->lenient ? wm_bits(w_nonzero(w_shift_right(occupied, plan->height)))
                           : wm_bits(w_greater(row, w_set(plan->limit - p->height)));
    W high, low;
    sum_terms(plan, &f, &high, &low);
    int32_t high_lane[16], low_lane[16];
    w_store(high_lane, high);
    w_store(low_lane, low);
    for (int lane = 0; lane + p->width <= width; lane++)
        value[lane] = (int64_t)high_lane[lane] * 32768 + low_lane[lane];
}

static void values(const GeneralPlan *plan, const Board *board, int piece, int64_t value[PLACEMENTS],
                   uint64_t *legal, uint64_t *fatal) {
    GeneralBefore before;
    general_before(&before, plan->rating->features, board, plan->width);
    W heights = w_height(w_load(board->column));
    *legal = *fatal = 0;
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const OrientationPlan *p = &plan->orientation[piece][o];
        uint32_t ends;
        if (plan->width == 10) // the usual width, with all loops over columns unrolled
            evaluate(plan, 10, board, &before, p, heights, value + 16 * o, &ends);
        else
            evaluate(plan, plan->width, board, &before, p, heights, value + 16 * o, &ends);
        *legal |= (uint64_t)p->legal << 16 * o;
        *fatal |= (uint64_t)(ends & p->legal) << 16 * o;
    }
}

INLINE void board_features(GeneralFeatures *f, const int width, uint64_t features) {
    static const GeneralBefore nothing;
    f->landing = f->mean_landing = f->lines = f->eroded = f->cells = f->weighted = w_zero();
    for (int x = 0; x < width && features & CELL_FEATURES; x++) {
        W column = f->columns[x], cells = w_popcount(column);
        f->cells = w_add(f->cells, cells);
        f->weighted = w_add(f->weighted, cells); // row numbers count from 1
        for (int k = 0; k < 5; k++)
            f->weighted =
                w_add(f->weighted, w_shift_left(w_popcount(w_and(column, w_set((int)row_bit[k]))), k));
    }
    general_features(f, width, features, &nothing);
}

static void boards(int width, int height, const uint32_t columns[][GENERAL_LANES], uint64_t features,
                   const uint16_t *slot, int slots, int32_t value[][GENERAL_LANES]) {
    GeneralFeatures f;
    if (width < BOARD_MIN_WIDTH)
        __builtin_unreachable();
    f.height = height;
    for (int x = 0; x < width; x++)
        f.columns[x] = w_load(columns[x]);
    if (width == 10)
        board_features(&f, 10, features);
    else
        board_features(&f, width, features);
    for (int i = 0; i < slots; i++)
        w_store(value[i], f.value[slot[i]]);
}

const GeneralKernel KERNEL_SUFFIX(general_kernel) = {GENERAL_FEATURES, prepare, values, boards};
