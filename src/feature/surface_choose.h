// SPDX-License-Identifier: GPL-3.0-or-later
// All placements of one piece in vectors, and the best of them. Part of kernel_surface.c.
#ifndef TETRALAB_FEATURE_SURFACE_CHOOSE_H
#define TETRALAB_FEATURE_SURFACE_CHOOSE_H

#include "feature/surface_board.h"
#include "feature/surface_place.h"
#include "feature/surface_plan.h"

// Which differences of heights occur from the left up to each column, and from it to the right.
#if V_LANES == 32
// The former in the first copy of the columns, the latter in the second one.
INLINE void scan_differences(const SurfacePlan *plan, V height, Around *at) {
    V both = v_and(plan->pair[1], differences(height, around(plan, height, 1)));
    for (int k = 0; k < SCAN_STEPS; k++)
        both = v_or(both, v_permute(both, plan->apart[k]));
    at->differences_before = at->differences_after = both;
    at->diversity = count_differences(v_permute(both, plan->second_first));
}
#else
INLINE void scan_differences(const SurfacePlan *plan, V height, Around *at) {
    V before = v_and(plan->pair[1], differences(height, around(plan, height, 1))), after = before;
    for (int k = 0; k < SCAN_STEPS; k++) {
        before = v_or(before, from_left(plan, before, k));
        after = v_or(after, from_right(plan, after, k));
    }
    at->differences_before = only_inside(plan, before);
    at->differences_after = after;
    at->diversity = count_differences(of_first(plan, after));
}
#endif

// The highest number from the left up to each column, and from it to the right.
INLINE V scan_highest(const SurfacePlan *plan, V numbers, V *before, V *after) {
    *before = *after = numbers;
    for (int k = 0; k < SCAN_STEPS; k++) {
        *before = v_max(*before, from_left(plan, *before, k));
        *after = v_max(*after, from_right(plan, *after, k));
    }
    *before = only_inside(plan, *before);
    return of_first(plan, *after);
}

// What further features need to know; walls have nothing.
static __attribute__((noinline)) void look_further(const SurfacePlan *plan, const Board *board, Further *f) {
    uint64_t features = plan->features;
    V height = f->at.h[2];
    for (int k = 0; k < 8; k++)
        f->at.h[k] = around(plan, height, k - 2);
    V left = f->at.h[1], right = f->at.h[3];
    uint32_t occupied = 0;
    for (int x = 0; x < plan->width; x++)
        occupied |= board->column[x];
    f->highest_now = column_height(occupied);
    f->highest = v_set(f->highest_now);
    f->step = v_and(plan->pair[1], v_abs_difference(height, right));
    if (features & LOWEST_FEATURES)
        f->lowest = scan_highest(plan, v_sub(v_set(V_BITS), height), &f->lowest_before, &f->lowest_after);
    if (features & WELL_FEATURES) {
        f->well = well_between(left, height, right);
        f->deepest = scan_highest(plan, f->well, &f->deepest_before, &f->deepest_after);
    }
    V sides = v_shr(v_and(f->at.c[1], f->at.c[3]), height);
    if (features & BIT(PITS))
        f->pits = pit_depth(sides);
    if ((features & BOTH_WELLS) == BOTH_WELLS)
        f->fast_wells = v_any_depth((WellKind){well_table[WELLS_FAST], true}, sides);
    if (features & (BIT(MEAN_HOLE_DEPTH) | BIT(EMBEDDED_HOLES)))
        look_at_holes(plan, board, f);
}

INLINE void look_for_tables(const SurfacePlan *plan, const Board *board, const bool packed, Further *f) {
#ifdef W_GATHERS
    if (plan->tables->in_lanes) {
        entries_look_around(plan, board, packed, &f->lanes);
        return;
    }
#endif
    (void)packed;
    look_at_tables(plan->tables, board->column, &f->tables);
}

// Columns with walls beside them, their heights and holes.
#ifdef V_ROTATES
INLINE void look_at_columns(const SurfacePlan *plan, const Board *board, Around *at, V *columns, V *height,
                            const bool packed) {
    (void)packed;
    *columns = v_or(v_narrow(w_load(board->column)), plan->lane_walls);
    V filled = v_filled(*columns);
    *height = v_max(v_popcount(filled), plan->lane_heights);
    at->top_bit = v_add(filled, v_set(1));
    at->holes = v_andnot(*columns, filled);
    at->holed = v_nonzero(at->holes);
    at->hole_rows = v_reduce_or(at->holes);
}
#else
INLINE void look_at_columns(const SurfacePlan *plan, const Board *board, Around *at, V *columns, V *height,
                            const bool packed) {
    W wide = w_or(w_load(board->column), plan->walls);
    W heights = w_or(w_andnot(w_xor(plan->inside, w_set(-1)), w_height(wide)), plan->wall_heights);
    W holes = w_and(w_xor(w_or(wide, w_shl(w_set(-1), heights)), w_set(-1)), plan->inside);
    *columns = from_wide(plan, wide, packed);
    *height = from_wide(plan, heights, packed);
    at->top_bit = v_shl(v_set(1), *height);
    at->holes = from_wide(plan, holes, packed);
    at->holed = v_nonzero(at->holes);
    at->hole_rows = w_reduce_or(holes);
}
#endif

// -> further  to be filled for further features; NULL: the rating uses none
INLINE void look_around(const SurfacePlan *plan, const Board *board, Around *at, Further *further, int widest,
                        const bool packed) {
    V columns, height;
#ifdef V_ROTATES
    at->paired = false;
#endif
    look_at_columns(plan, board, at, &columns, &height, packed);
    for (int offset = -2; offset <= widest + 1; offset++)
        at->c[offset + 2] = around(plan, columns, offset);
    for (int offset = -1; offset <= widest; offset++)
        at->h[offset + 2] = around(plan, height, offset);
    V down = v_down(height), sides = v_shr_by(v_and(at->c[1], at->c[3]), down);
#ifdef V_MULTIPLIES
    for (int offset = -1; offset <= widest; offset++)
        at->down[offset + 2] = around(plan, down, offset);
#endif
    WellKind kind = {plan->wells, plan->fast_wells};
    at->wells = vm_any(v_nonzero(v_and(sides, v_set(~63)))) ? v_any_depth(kind, sides) : v_depth(kind, sides);
    count_missing(board->column, plan->width, at->missing);
    at->diversity = at->differences_before = at->differences_after = v_set(0);
    if (plan->use_diversity)
        scan_differences(plan, height, at);
    at->further = further;
    if (further && plan->more) {
        further->at = *at;
        look_further(plan, board, further);
    }
    if (further && plan->tables)
        look_for_tables(plan, board, packed, further);
}

typedef struct Choice {
    uint64_t best;      // placements that share the highest value
    int64_t value;      // relative to the board's value
    uint64_t completes; // those that complete rows
    Lanes rows[BATCHES], full[BATCHES];
} Choice;

// Lanes of a batch as placements, and back.
INLINE uint64_t lanes_to_placements(const Batch *b, uint32_t lanes) {
    uint64_t set = (uint64_t)(lanes & 0xffff) << 16 * b->part[0].orientation;
    if (V_LANES == 32)
        set |= (uint64_t)(lanes >> 16) << 16 * b->part[1].orientation;
    return set;
}

// Batch and lane of a placement.
INLINE int batch_of(int piece, int orientation) {
    return V_LANES == 16 ? orientation : piece_orientations[piece] < 4 ? 0 : orientation & 1;
}
INLINE int lane_of(int piece, Placement placement) {
    int orientation = placement_orientation(placement), column = placement_column(placement);
    return V_LANES == 16 ? column
                         : column + 16 * (piece_orientations[piece] < 4 ? orientation : orientation >> 1);
}

INLINE W piece_columns(const SurfacePlan *plan, int piece, Placement placement, int row) {
    const uint32_t *slide = plan->slide[piece][placement_orientation(placement)];
    return w_raise(w_load(slide + BOARD_COLUMNS - placement_column(placement)), row);
}

// A placement that completes rows, as a whole board.
static __attribute__((noinline)) int64_t completed_value(const SurfacePlan *plan, const Board *board,
                                                         int piece, Placement placement, int row,
                                                         uint32_t full, bool *fatal) {
    const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
    W columns = w_or(w_load(board->column), piece_columns(plan, piece, placement, row));
    columns = remove_rows(columns, full);
    int top = row + shape->height;
    *fatal = top > plan->limit &&
             overflow_is_fatal(plan->lenient, plan->limit, top, column_height(w_reduce_or(columns)));
    return whole_value(plan, columns) + move_value(plan, shape, row, full);
}

INLINE int64_t sum_at(const Sum *sum, int lane) {
    int32_t high, low;
    memcpy(&high, (const char *)&sum->high[sum_part(lane)] + sum_lane(lane) * (int)sizeof high, sizeof high);
    memcpy(&low, (const char *)&sum->low[sum_part(lane)] + sum_lane(lane) * (int)sizeof low, sizeof low);
    return (int64_t)high * 32768 + low;
}

INLINE void place_batch(const SurfacePlan *plan, const Around *at, const Batch *b, const int w,
                        const bool mixed, Choice *choice, int k, Sum *sums, uint32_t *candidates) {
    Placed placed;
    place(plan, at, b, w, mixed, &placed);
    v_store(&choice->rows[k], placed.row);
    v_store(&choice->full[k], placed.full);
    choice->completes |= lanes_to_placements(b, placed.completes);
    sums[k] = placed.sum;
    candidates[k] = b->legal & ~placed.completes & (plan->avoid ? placed.fits : ~0u);
}

static __attribute__((noinline)) void add_completed(const SurfacePlan *plan, const Board *board,
                                                    int64_t value_now, int piece, Choice *choice) {
    for (uint64_t left = choice->completes; left; left &= left - 1) {
        Placement placement = __builtin_ctzll(left);
        int k = batch_of(piece, placement_orientation(placement)), lane = lane_of(piece, placement);
        bool fatal;
        int64_t value = completed_value(plan, board, piece, placement, stored_lane(&choice->rows[k], lane),
                                        (uint32_t)stored_lane(&choice->full[k], lane), &fatal) -
                        value_now;
        if (fatal && plan->avoid)
            continue;
        if (!choice->best || value > choice->value) {
            choice->best = 0;
            choice->value = value;
        }
        if (value == choice->value)
            choice->best |= (uint64_t)1 << placement;
    }
}

// <- how many batches the piece has
INLINE int place_piece(const SurfacePlan *plan, const Around *at, int piece, Choice *choice, Sum *sums,
                       uint32_t *candidates) {
    const PiecePlan *p = &plan->piece[piece];
    choice->completes = 0;
#if V_LANES == 32
    switch (piece) {
    case PIECE_O:
        place_batch(plan, at, &p->batch[0], 2, false, choice, 0, sums, candidates);
        return 1;
    case PIECE_I:
        place_batch(plan, at, &p->batch[0], 4, true, choice, 0, sums, candidates);
        return 1;
    case PIECE_S:
    case PIECE_Z:
        place_batch(plan, at, &p->batch[0], 3, true, choice, 0, sums, candidates);
        return 1;
    default:
        place_batch(plan, at, &p->batch[0], 3, false, choice, 0, sums, candidates);
        place_batch(plan, at, &p->batch[1], 2, false, choice, 1, sums, candidates);
        return 2;
    }
#else
    for (int k = 0; k < p->batches; k++) {
        const Batch *b = &p->batch[k];
        switch (b->width) {
        case 1:
            place_batch(plan, at, b, 1, false, choice, k, sums, candidates);
            break;
        case 2:
            place_batch(plan, at, b, 2, false, choice, k, sums, candidates);
            break;
        case 3:
            place_batch(plan, at, b, 3, false, choice, k, sums, candidates);
            break;
        default:
            place_batch(plan, at, b, 4, false, choice, k, sums, candidates);
            break;
        }
    }
    return p->batches;
#endif
}

INLINE void place_all(const SurfacePlan *plan, const Board *board, int piece, Further *further,
                      Choice *choice, Sum *sums, uint32_t *candidates, int *batches) {
    Around at;
    look_around(plan, board, &at, further, piece == PIECE_I ? 4 : piece == PIECE_O ? 2 : 3, false);
    *batches = place_piece(plan, &at, piece, choice, sums, candidates);
}

INLINE int64_t placement_sum(const Sum *sums, int piece, Placement placement) {
    return sum_at(&sums[batch_of(piece, placement_orientation(placement))], lane_of(piece, placement));
}

// The upper parts of the sums of these lanes. <- the highest of them; INT32_MIN: there is none
INLINE int highest_upper(const Sum *sums, const uint32_t *candidates, const int batches, W *upper) {
    W most = w_set(INT32_MIN);
    for (int k = 0; k < batches; k++)
        for (int part = 0; part < SUM_PARTS; part++) {
            W u = w_add(sums[k].high[part], w_shift_signed(sums[k].low[part], 15));
            u = w_select(sum_mask(candidates[k], part), u, w_set(INT32_MIN));
            upper[k * SUM_PARTS + part] = u;
            most = w_max(most, u);
        }
    return w_reduce_max(most);
}

// The best among the placements that complete no row: upper parts first, lower ones where those are equal.
INLINE void select_best(const SurfacePlan *plan, int piece, const Sum *sums, const uint32_t *candidates,
                        int batches, Choice *choice) {
    const PiecePlan *p = &plan->piece[piece];
    W upper[BATCHES * SUM_PARTS];
    int highest = highest_upper(sums, candidates, batches, upper);
    choice->best = 0;
    if (highest == INT32_MIN)
        return;
    uint64_t set = 0;
    for (int k = 0; k < batches; k++) {
        uint32_t lanes = 0;
        for (int part = 0; part < SUM_PARTS; part++)
            lanes |= sum_lanes(w_equal(upper[k * SUM_PARTS + part], w_set(highest)), part);
        set |= lanes_to_placements(&p->batch[k], lanes);
    }
    Placement first = __builtin_ctzll(set);
    choice->best = (uint64_t)1 << first;
    choice->value = placement_sum(sums, piece, first);
    for (uint64_t left = set & (set - 1); left; left &= left - 1) {
        Placement next = __builtin_ctzll(left);
        int64_t value = placement_sum(sums, piece, next);
        if (value > choice->value)
            choice->best = 0, choice->value = value;
        if (value == choice->value)
            choice->best |= (uint64_t)1 << next;
    }
}

INLINE void choose(const SurfacePlan *plan, const Board *board, int64_t value_now, int piece,
                   Further *further, Choice *choice) {
    Sum sums[BATCHES];
    uint32_t candidates[BATCHES];
    int batches;
    place_all(plan, board, piece, further, choice, sums, candidates, &batches);
    select_best(plan, piece, sums, candidates, batches, choice);
    if (choice->completes)
        add_completed(plan, board, value_now, piece, choice);
}

#endif
