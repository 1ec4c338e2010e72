// SPDX-License-Identifier: GPL-3.0-or-later
// The surface kernel in vectors; kernel_surface.h explains the idea, lanes.h the compilations. Plain machines
// have a driver of their own, kernel_surface_plain.c.
#include "feature/kernel_surface.h"

#include "feature/lanes.h"
#include "feature/surface_board.h"
#include "feature/surface_place.h"
#include "feature/surface_plan.h"

// A vector by column as V: in 16-bit lanes twice, for the two orientations.
INLINE V from_wide(W a) {
#if V_LANES == 32
    return v_narrow(a);
#else
    return a;
#endif
}

// Which differences of heights occur from the left up to each column, and from it to the right.
INLINE void scan_differences(const SurfacePlan *plan, V height, Around *at) {
    V before = v_and(plan->pair[1], differences(height, around(plan, height, 1))), after = before;
    for (int k = 0; k < SCAN_STEPS; k++) {
        before = v_or(before, v_permute(before, plan->from_left[k]));
        after = v_or(after, v_permute(after, plan->from_right[k]));
    }
    at->differences_before = before;
    at->differences_after = after;
    at->diversity = v_popcount(v_permute(after, plan->first));
}

INLINE void look_around(const SurfacePlan *plan, const Board *board, Around *at, int widest) {
    W wide = w_or(w_load(board->column), plan->walls);
    W heights = w_or(w_andnot(w_xor(plan->inside, w_set(-1)), w_height(wide)), plan->wall_heights);
    V columns = from_wide(wide), height = from_wide(heights);
    for (int offset = -2; offset <= widest + 1; offset++)
        at->c[offset + 2] = around(plan, columns, offset);
    for (int offset = -1; offset <= widest; offset++)
        at->h[offset + 2] = around(plan, height, offset);
    at->top_bit = v_shl(v_set(1), height);
    W holes = w_and(w_xor(w_or(wide, w_shl(w_set(-1), heights)), w_set(-1)), plan->inside);
    at->holes = from_wide(holes);
    at->holed = v_nonzero(at->holes);
    at->hole_rows = w_reduce_or(holes);
    V sides = v_shr(v_and(at->c[1], at->c[3]), height);
    at->wells = vm_any(v_nonzero(v_and(sides, v_set(~63)))) ? v_any_depth(plan, sides) : v_depth(plan, sides);
    count_missing(board->column, plan->width, at->lacks);
    if (plan->use_diversity)
        scan_differences(plan, height, at);
}

// A stored V.
typedef union Lanes {
    _Alignas(64) uint16_t lane16[32];
    uint32_t lane32[16];
} Lanes;

typedef struct Choice {
    uint64_t best;      // placements that share the highest value
    int64_t value;      // relative to the board's value
    uint64_t completes; // those that complete rows
    Lanes rows[BATCHES], full[BATCHES];
} Choice;

// Lanes of a batch as placements, and back.
INLINE uint64_t lanes_to_placements(const Batch *b, uint32_t lanes) {
    uint64_t set = (uint64_t)(lanes & 0xffff) << 16 * b->orientation[0];
    if (V_LANES == 32)
        set |= (uint64_t)(lanes >> 16) << 16 * b->orientation[1];
    return set;
}

INLINE int stored_lane(const Lanes *stored, int lane) {
    return V_BITS == 16 ? stored->lane16[lane] : (int)stored->lane32[lane];
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
    return w_shl(w_load(slide + BOARD_COLUMNS - placement_column(placement)), w_set(row));
}

// A placement that completes rows, as a whole board.
static __attribute__((noinline)) int64_t completed_value(const SurfacePlan *plan, const Board *board,
                                                         int piece, Placement placement, int row,
                                                         uint32_t full, bool *fatal) {
    const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
    W columns = w_or(w_load(board->column), piece_columns(plan, piece, placement, row));
    columns = remove_rows(columns, full);
    *fatal = plan->lenient ? w_reduce_or(columns) >> plan->height : row + shape->height > plan->limit;
    return columns_value(plan, with_walls(plan, columns)) + move_value(plan, shape, row, full);
}

INLINE int64_t sum_at(const Sum *sum, int lane) {
    int32_t high, low;
    memcpy(&high, (const char *)&sum->high[sum_half(lane)] + sum_lane(lane) * (int)sizeof high, sizeof high);
    memcpy(&low, (const char *)&sum->low[sum_half(lane)] + sum_lane(lane) * (int)sizeof low, sizeof low);
    return (int64_t)high * 32768 + low;
}

// Lanes of a wide half vector <-> lanes of V: unpacking takes four lanes in turn.
INLINE uint32_t half_lanes(uint32_t lanes, int half) {
#if V_LANES == 32
    return _pext_u32(lanes, half ? 0xf0f0f0f0u : 0x0f0f0f0fu);
#else
    (void)half;
    return lanes;
#endif
}
INLINE uint32_t whole_lanes(uint32_t lanes, int half) {
#if V_LANES == 32
    return _pdep_u32(lanes, half ? 0xf0f0f0f0u : 0x0f0f0f0fu);
#else
    (void)half;
    return lanes;
#endif
}

INLINE void place_batch(const SurfacePlan *plan, const Around *at, const Batch *b, const int w,
                        const bool mixed, Choice *choice, int k, Sum *sums, uint32_t *candidates) {
    Placed placed;
    place(plan, at, b, w, mixed, &placed);
    w_store(&choice->rows[k], placed.row);
    w_store(&choice->full[k], placed.full);
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

INLINE void place_all(const SurfacePlan *plan, const Board *board, int piece, Choice *choice, Sum *sums,
                      uint32_t *candidates, int *batches) {
    Around at;
    const PiecePlan *p = &plan->piece[piece];
    choice->completes = 0;
    *batches = p->batches;
#if V_LANES == 32
    switch (piece) {
    case PIECE_O:
        look_around(plan, board, &at, 2);
        place_batch(plan, &at, &p->batch[0], 2, false, choice, 0, sums, candidates);
        break;
    case PIECE_I:
        look_around(plan, board, &at, 4);
        place_batch(plan, &at, &p->batch[0], 4, true, choice, 0, sums, candidates);
        break;
    case PIECE_S:
    case PIECE_Z:
        look_around(plan, board, &at, 3);
        place_batch(plan, &at, &p->batch[0], 3, true, choice, 0, sums, candidates);
        break;
    default:
        look_around(plan, board, &at, 3);
        place_batch(plan, &at, &p->batch[0], 3, false, choice, 0, sums, candidates);
        place_batch(plan, &at, &p->batch[1], 2, false, choice, 1, sums, candidates);
    }
#else
    look_around(plan, board, &at, piece == PIECE_I ? 4 : piece == PIECE_O ? 2 : 3);
    for (int k = 0; k < p->batches; k++) {
        const Batch *b = &p->batch[k];
        switch (b->width) {
        case 1:
            place_batch(plan, &at, b, 1, false, choice, k, sums, candidates);
            break;
        case 2:
            place_batch(plan, &at, b, 2, false, choice, k, sums, candidates);
            break;
        case 3:
            place_batch(plan, &at, b, 3, false, choice, k, sums, candidates);
            break;
        default:
            place_batch(plan, &at, b, 4, false, choice, k, sums, candidates);
            break;
        }
    }
#endif
}

INLINE int64_t placement_sum(const Sum *sums, int piece, Placement placement) {
    return sum_at(&sums[batch_of(piece, placement_orientation(placement))], lane_of(piece, placement));
}

// The best among the placements that complete no row: upper parts first, lower ones where those are equal.
INLINE void select_best(const SurfacePlan *plan, int piece, const Sum *sums, const uint32_t *candidates,
                        int batches, Choice *choice) {
    const PiecePlan *p = &plan->piece[piece];
    W upper[BATCHES * HALVES], most = w_set(INT32_MIN);
    for (int k = 0; k < batches; k++)
        for (int half = 0; half < HALVES; half++) {
            W u = w_add(sums[k].high[half], w_shift_signed(sums[k].low[half], 15));
            u = w_select(wm_set(half_lanes(candidates[k], half)), u, w_set(INT32_MIN));
            upper[k * HALVES + half] = u;
            most = w_max(most, u);
        }
    int highest = w_reduce_max(most);
    choice->best = 0;
    if (highest == INT32_MIN)
        return;
    uint64_t set = 0;
    for (int k = 0; k < batches; k++) {
        uint32_t lanes = 0;
        for (int half = 0; half < HALVES; half++)
            lanes |= whole_lanes(wm_bits(w_equal(upper[k * HALVES + half], w_set(highest))), half);
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
                   Choice *choice) {
    Sum sums[BATCHES];
    uint32_t candidates[BATCHES];
    int batches;
    place_all(plan, board, piece, choice, sums, candidates, &batches);
    select_best(plan, piece, sums, candidates, batches, choice);
    if (choice->completes)
        add_completed(plan, board, value_now, piece, choice);
}

// ---------------------------------------------------------------------------------------------------
// What is offered

#if V_LANES == 32
INLINE bool is_tall(const Board *board) {
    return wm_any(w_nonzero(w_shift_right(w_load(board->column), SURFACE_LOW)));
}
#endif

static Evaluation best(const SurfacePlan *plan, const Board *board, int64_t value_now, int piece) {
#if V_LANES == 32
    if (is_tall(board))
        return surface_kernel_avx512.best(plan->tall, board, value_now, piece);
#endif
    Choice choice;
    choose(plan, board, value_now, piece, &choice);
    return (Evaluation){choice.best, choice.value + value_now};
}

static void values(const SurfacePlan *plan, const Board *board, int64_t value_now, int piece,
                   int64_t value[PLACEMENTS], uint64_t *legal, uint64_t *fatal) {
#if V_LANES == 32
    if (is_tall(board)) {
        surface_kernel_avx512.values(plan->tall, board, value_now, piece, value, legal, fatal);
        return;
    }
#endif
    Choice choice;
    Sum sums[BATCHES] = {0};
    uint32_t candidates[BATCHES];
    int batches;
    place_all(plan, board, piece, &choice, sums, candidates, &batches);
    *legal = *fatal = 0;
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int column = 0; column + piece_shape[piece][o].width <= plan->width; column++) {
            Placement placement = placement_make(o, column);
            int k = batch_of(piece, o), lane = lane_of(piece, placement);
            int row = stored_lane(&choice.rows[k], lane);
            bool ends = row + piece_shape[piece][o].height > plan->limit;
            value[placement] = sum_at(&sums[k], lane) + value_now;
            if (choice.completes >> placement & 1)
                value[placement] = completed_value(plan, board, piece, placement, row,
                                                   (uint32_t)stored_lane(&choice.full[k], lane), &ends);
            *legal |= (uint64_t)1 << placement;
            *fatal |= (uint64_t)ends << placement;
        }
}

// One move of a greedy player. -> priority  of all pieces' placements, or NULL
INLINE void step_inline(const SurfacePlan *plan, Game *game, const int16_t *priority) {
    int piece = game->piece;
    Choice choice;
    choose(plan, &game->board, game->board_value, piece, &choice);
    if (__builtin_expect(!choice.best, 0)) {
        game->state = GAME_OVER;
        return;
    }
    Placement placement = evaluation_first(choice.best, priority ? priority + piece * PLACEMENTS : NULL);
    const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
    int k = batch_of(piece, placement_orientation(placement)), lane = lane_of(piece, placement);
    int row = stored_lane(&choice.rows[k], lane);
    uint32_t full = 0;
    W columns = w_or(w_load(game->board.column), piece_columns(plan, piece, placement, row));
    if (choice.completes >> placement & 1) {
        full = (uint32_t)stored_lane(&choice.full[k], lane);
        columns = remove_rows(columns, full);
    }
    if (!plan->avoid) {
        bool fatal = plan->lenient ? w_reduce_or(columns) >> plan->height : row + shape->height > plan->limit;
        if (fatal) {
            game->state = GAME_OVER;
            return;
        }
    }
    w_store(game->board.column, columns);
    game->board_value += choice.value - move_value(plan, shape, row, full);
    game_advance(game, __builtin_popcount(full));
}

static void step(const SurfacePlan *plan, Game *game, const int16_t *priority) {
    step_inline(plan, game, priority);
}

INLINE bool has_left(const Board *board, const HeightWindow *window) {
    W columns = w_load(board->column);
    return wm_any(w_nonzero(w_shr(columns, w_set(window->high - 1)))) ||
           (window->low >= 0 && !wm_any(w_nonzero(w_shr(columns, w_set(window->low)))));
}

static void play(const SurfacePlan *plan, Game *games, int count, uint64_t moves, const HeightWindow *window,
                 const int16_t *priority) {
    for (int running = count; running && moves; moves--) {
        running = 0;
        for (int g = 0; g < count; g++) {
            Game *game = &games[g];
            if (game->state != GAME_RUNNING)
                continue;
            running++;
#if V_LANES == 32
            if (__builtin_expect(is_tall(&game->board), 0))
                surface_kernel_avx512.step(plan->tall, game, priority);
            else
#endif
                step_inline(plan, game, priority);
            if (window && game->state == GAME_RUNNING && has_left(&game->board, window))
                game->state = GAME_PAUSED;
        }
    }
}

const SurfaceKernel KERNEL_SUFFIX(surface_kernel) = {prepare, best, values, board_value, step, play};
