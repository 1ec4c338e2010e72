// SPDX-License-Identifier: GPL-3.0-or-later
// Looking ahead: the boards that placements lead to, and the best values of several pieces on one board,
// which share what they need to know of it. Part of kernel_surface.c.
#ifndef TETRALAB_FEATURE_SURFACE_AHEAD_H
#define TETRALAB_FEATURE_SURFACE_AHEAD_H

#include "feature/surface_choose.h"
#if V_LANES == 32
#include "feature/surface_packed.h"
#endif

// The highest value among the placements of these lanes, relative to the board's; INT64_MIN: there is none.
INLINE int64_t highest_sum(const Sum *sums, const uint32_t *candidates, const int batches) {
    W upper[BATCHES * SUM_PARTS], lower = w_zero();
    int highest = highest_upper(sums, candidates, batches, upper);
    if (highest == INT32_MIN)
        return INT64_MIN;
    for (int k = 0; k < batches; k++)
        for (int part = 0; part < SUM_PARTS; part++) {
            W low = w_and(sums[k].low[part], w_set(0x7fff));
            lower =
                w_max(lower, w_select(w_equal(upper[k * SUM_PARTS + part], w_set(highest)), low, w_zero()));
        }
    return (int64_t)highest * 32768 + w_reduce_max(lower);
}

static __attribute__((noinline)) int64_t highest_completed(const SurfacePlan *plan, const Board *board,
                                                           int piece, const Choice *choice) {
    int64_t most = INT64_MIN;
    for (uint64_t left = choice->completes; left; left &= left - 1) {
        Placement placement = __builtin_ctzll(left);
        int k = batch_of(piece, placement_orientation(placement)), lane = lane_of(piece, placement);
        bool fatal;
        int64_t value = completed_value(plan, board, piece, placement, stored_lane(&choice->rows[k], lane),
                                        (uint32_t)stored_lane(&choice->full[k], lane), &fatal);
        if (value > most && !(fatal && plan->avoid))
            most = value;
    }
    return most;
}

#ifdef V_ROTATES
#include "feature/surface_paired.h"
#endif

INLINE int64_t highest_value(const SurfacePlan *plan, const Board *board, const Around *at, int64_t value_now,
                             int piece) {
    Choice choice;
    Sum sums[BATCHES];
    uint32_t candidates[BATCHES];
    int batches = place_piece(plan, at, piece, &choice, sums, candidates);
    int64_t value = highest_sum(sums, candidates, batches);
    value = value == INT64_MIN ? value : value + value_now;
    if (choice.completes) {
        int64_t completed = highest_completed(plan, board, piece, &choice);
        value = completed > value ? completed : value;
    }
    return value;
}

static int outcomes(const SurfacePlan *plan, const Board *board, int64_t value_now, int piece,
                    Outcome outcome[PLACEMENTS]) {
#ifdef TALL_KERNEL
    if (ONLY_PLAYS || is_tall(board))
        return TALL_KERNEL(surface_kernel).outcomes(plan->tall, board, value_now, piece, outcome);
#endif
    Choice choice;
    Sum sums[BATCHES];
    uint32_t candidates[BATCHES];
    int batches;
    Further further;
    place_all(plan, board, piece, plan->further ? &further : NULL, &choice, sums, candidates, &batches);
    int64_t from = changes_from(plan, board);
    Outcome *out = outcome;
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        for (int column = 0; column + shape->width <= plan->width; column++, out++) {
            Placement placement = placement_make(o, column);
            int k = batch_of(piece, o), lane = lane_of(piece, placement);
            int row = stored_lane(&choice.rows[k], lane);
            uint32_t full = 0;
            W columns = w_or(w_load(board->column), piece_columns(plan, piece, placement, row));
            out->placement = placement;
            out->fatal = row + shape->height > plan->limit;
            out->value = sum_at(&sums[k], lane) + value_now;
            if (choice.completes >> placement & 1) {
                full = (uint32_t)stored_lane(&choice.full[k], lane);
                columns = remove_rows(columns, full);
                out->value = completed_value(plan, board, piece, placement, row, full, &out->fatal) - from;
            }
            w_store(out->after.column, columns);
            out->move_value = move_value(plan, shape, row, full) + changes_from(plan, &out->after) - from;
            out->lines = __builtin_popcount(full);
        }
    }
    return (int)(out - outcome);
}

static void add_to_best(int64_t highest[PIECES], uint32_t pieces, int64_t more) {
    for (int piece = 0; more && piece < PIECES; piece++)
        if (pieces >> piece & 1 && highest[piece] != INT64_MIN)
            highest[piece] += more;
}

// -> more  NULL: the rating has no further features
INLINE void best_values_inline(const SurfacePlan *plan, const Board *board, int64_t value_now,
                               uint32_t pieces, Further *more, int64_t highest[PIECES]) {
    int64_t from = changes_from(plan, board);
#if V_LANES == 32
    if (plan->packed && pieces & (pieces - 1)) { // two or more
        best_values_packed(plan, board, value_now + from, pieces, more, highest);
        add_to_best(highest, pieces, -from);
        return;
    }
#elif defined V_ROTATES
    if (plan->packed && !more && pieces == (1 << PIECES) - 1) {
        all_best_values(plan, board, value_now + from, highest);
        add_to_best(highest, pieces, -from);
        return;
    }
#endif
    Around at;
    look_around(plan, board, &at, more, 4, false);
    for (uint32_t left = pieces; left; left &= left - 1) {
        int piece = __builtin_ctz(left);
        highest[piece] = highest_value(plan, board, &at, value_now + from, piece);
    }
    add_to_best(highest, pieces, -from);
}

static void best_values(const SurfacePlan *plan, const Board *board, int64_t value_now, uint32_t pieces,
                        int64_t highest[PIECES]) {
#ifdef TALL_KERNEL
    if (ONLY_PLAYS || is_tall(board)) {
        TALL_KERNEL(surface_kernel).best_values(plan->tall, board, value_now, pieces, highest);
        return;
    }
#endif
    Further further;
    if (plan->further)
        best_values_inline(plan, board, value_now, pieces, &further, highest);
    else
        best_values_inline(plan, board, value_now, pieces, NULL, highest);
}

#endif
