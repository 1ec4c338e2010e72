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
    int width, height;
    uint32_t legal;
} OrientationPlan;

struct GeneralPlan {
    OrientationPlan orientation[PIECES][ORIENTATIONS];
    W shift[4];                                                     // permutations: lane j <- lane j + i
    W high[(RATING_MAX_TERMS + 1) / 2], low[(RATING_MAX_TERMS + 1) / 2]; // weights, two to a lane
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
    plan->limit = rules->overflow == OVERFLOW_TOUCH ? rules->height - 1 : rules->height;
    plan->lenient = rules->overflow == OVERFLOW_LENIENT;
    for (int i = 0; i < 4; i++)
        for (int lane = 0; lane < 16; lane++)
            ((uint32_t *)&plan->shift[i])[lane] = (uint32_t)(lane + i) & 15;
    for (int t = 0; t < rating->terms; t++) {
        int32_t weight = rating->term[t].weight;
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
                for (int lane = 0; lane + i < plan->width; lane++)
                    if (p->legal >> lane & 1)
                        ((uint32_t *)&p->cells[lane + i])[lane] = ((1u << shape->cells[i]) - 1) << shape->bottom[i];
            }
        }
    return plan;
}

// Weighted sum of the terms, as value = high * 32768 + low.
static void sum_terms(const GeneralPlan *plan, const GeneralFeatures *f, W *high, W *low) {
    const Rating *rating = plan->rating;
    W zero = w_zero();
    *high = *low = zero;
    if (rating->kind != RATING_LINEAR) {
        for (int t = 0; t < rating->terms; t++)
            *low = w_add(*low, w_gather(rating->term[t].table, general_feature(f, &rating->term[t])));
        return;
    }
    for (int t = 0; t < rating->terms; t += 2) {
        W first = general_feature(f, &rating->term[t]);
        W pair = w_pack(first, t + 1 < rating->terms ? general_feature(f, &rating->term[t + 1]) : zero);
        *high = w_dot(*high, pair, plan->high[t / 2]);
        *low = w_dot(*low, pair, plan->low[t / 2]);
    }
}

// Drops the piece in every lane: the columns before clearing, and the row where it lands.
INLINE W drop(const GeneralPlan *plan, const OrientationPlan *p, const uint32_t *columns, W heights, W *next) {
    W row = w_sub(heights, p->bottom[0]);
    for (int i = 1; i < p->width; i++)
        row = w_max(row, w_sub(w_permute(heights, plan->shift[i]), p->bottom[i]));
    row = w_max(row, w_zero()); // lanes beyond the walls
    for (int x = 0; x < plan->width; x++)
        next[x] = w_or(w_set((int)columns[x]), w_shl(p->cells[x], row));
    return row;
}

// Removes the full rows of every lane.
INLINE void clear(const GeneralPlan *plan, W full, W *next) {
    while (wm_any(w_nonzero(full))) {
        W low = w_sub(w_and(full, w_sub(w_zero(), full)), w_set(1)); // below the lowest full row; all if none
        for (int x = 0; x < plan->width; x++)
            next[x] = w_or(w_and(next[x], low), w_andnot(low, w_shift_right(next[x], 1)));
        full = w_shift_right(w_and(full, w_sub(full, w_set(1))), 1);
    }
}

static void evaluate(const GeneralPlan *plan, const Board *board, const GeneralBefore *before,
                     const OrientationPlan *p, W heights, int64_t *value, uint32_t *fatal) {
    GeneralFeatures f;
    if (plan->width < BOARD_MIN_WIDTH)
        __builtin_unreachable();
    W *next = f.columns;
    f.width = plan->width;
    f.height = plan->height;
    W row = drop(plan, p, board->column, heights, next);
    W full = next[0];
    for (int x = 1; x < plan->width; x++)
        full = w_and(full, next[x]);
    f.lines = f.eroded = w_zero();
    if (wm_bits(w_nonzero(full)) & p->legal) {
        f.lines = w_popcount(full);
        W cells = w_zero();
        for (int x = 0; x < plan->width; x++)
            cells = w_add(cells, w_popcount(w_and(full, w_shl(p->cells[x], row))));
        f.eroded = w_multiply(f.lines, cells);
        clear(plan, full, next);
    }
    f.landing = w_add(w_add(row, row), w_set(p->height - 1));
    general_features(&f, plan->rating->features, before);
    W occupied = next[0];
    for (int x = 1; x < plan->width; x++)
        occupied = w_or(occupied, next[x]);
    *fatal = plan->lenient ? wm_bits(w_nonzero(w_shift_right(occupied, plan->height)))
                           : wm_bits(w_greater(row, w_set(plan->limit - p->height)));
    W high, low;
    sum_terms(plan, &f, &high, &low);
    int32_t high_lane[16], low_lane[16];
    w_store(high_lane, high);
    w_store(low_lane, low);
    for (int lane = 0; lane + p->width <= plan->width; lane++)
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
        evaluate(plan, board, &before, p, heights, value + 16 * o, &ends);
        *legal |= (uint64_t)p->legal << 16 * o;
        *fatal |= (uint64_t)(ends & p->legal) << 16 * o;
    }
}

const GeneralKernel KERNEL_SUFFIX(general_kernel) = {prepare, values};
