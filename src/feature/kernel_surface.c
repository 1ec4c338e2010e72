// SPDX-License-Identifier: GPL-3.0-or-later
// The surface kernel in vectors; kernel_surface.h explains the idea, lanes.h the compilations. Plain machines
// have a driver of their own, kernel_surface_plain.c.
#include "feature/kernel_surface.h"

#include "feature/lanes.h"
#include "feature/surface_ahead.h"
#include "feature/surface_choose.h"
#include "feature/surface_fill.h"

static Evaluation best(const SurfacePlan *plan, const Board *board, int64_t value_now, int piece) {
#ifdef TALL_KERNEL
    if (ONLY_PLAYS || is_tall(board))
        return TALL_KERNEL(surface_kernel).best(plan->tall, board, value_now, piece);
#endif
    Choice choice;
    Further further;
    choose(plan, board, value_now + changes_from(plan, board), piece, plan->further ? &further : NULL,
           &choice);
    return (Evaluation){choice.best, choice.best ? choice.value + value_now : INT64_MIN};
}

static void values(const SurfacePlan *plan, const Board *board, int64_t value_now, int piece,
                   int64_t value[PLACEMENTS], uint64_t *legal, uint64_t *fatal) {
#ifdef TALL_KERNEL
    if (ONLY_PLAYS || is_tall(board)) {
        TALL_KERNEL(surface_kernel).values(plan->tall, board, value_now, piece, value, legal, fatal);
        return;
    }
#endif
    Choice choice;
    Further further;
    Sum sums[BATCHES] = {0};
    uint32_t candidates[BATCHES];
    int batches;
    place_all(plan, board, piece, plan->further ? &further : NULL, &choice, sums, candidates, &batches);
    int64_t from = changes_from(plan, board);
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
                                                   (uint32_t)stored_lane(&choice.full[k], lane), &ends) -
                                   from;
            *legal |= (uint64_t)1 << placement;
            *fatal |= (uint64_t)ends << placement;
        }
}

// One move of a greedy player.
// -> further  does the rating use further features? If not, the code for them is left out.
// -> priority  of all pieces' placements, or NULL
INLINE void step_inline(const SurfacePlan *plan, Game *game, const bool further, const int16_t *priority) {
    int piece = game->piece;
    Choice choice;
    Further more;
    choose(plan, &game->board, game->board_value, piece, further ? &more : NULL, &choice);
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
    if (!plan->avoid && overflow_is_fatal(plan->lenient, plan->limit, row + shape->height,
                                          column_height(w_reduce_or(columns)))) {
        game->state = GAME_OVER;
        return;
    }
    w_store(game->board.column, columns);
    game->board_value += choice.value - move_value(plan, shape, row, full);
    game_advance(game, __builtin_popcount(full));
}

static void step(const SurfacePlan *plan, Game *game, const int16_t *priority) {
#if ONLY_PLAYS
    TALL_KERNEL(surface_kernel).step(plan->tall, game, priority);
#else
    if (plan->further)
        step_inline(plan, game, true, priority);
    else
        step_inline(plan, game, false, priority);
#endif
}

INLINE bool has_left(const Board *board, const HeightWindow *window) {
    W columns = w_load(board->column);
    return wm_any(w_nonzero(w_lower(columns, window->high - 1))) ||
           (window->low >= 0 && !wm_any(w_nonzero(w_lower(columns, window->low))));
}

INLINE void play_inline(const SurfacePlan *plan, Game *game, uint64_t moves, const HeightWindow *window,
                        const bool further, const int16_t *priority) {
    for (; game->state == GAME_RUNNING && moves; moves--) {
#ifdef TALL_KERNEL
        if (__builtin_expect(is_tall(&game->board), 0))
            TALL_KERNEL(surface_kernel).step(plan->tall, game, priority);
        else
#endif
            step_inline(plan, game, further, priority);
        if (window && game->state == GAME_RUNNING && has_left(&game->board, window))
            game->state = GAME_PAUSED;
    }
}

static void play(const SurfacePlan *plan, Game *game, uint64_t moves, const HeightWindow *window,
                 const int16_t *priority) {
#if ONLY_PLAYS
    if (plan->further) {
        TALL_KERNEL(surface_kernel).play(plan->tall, game, moves, window, priority);
        return;
    }
#endif
    game->board_value += changes_from(plan, &game->board);
    if (!ONLY_PLAYS && plan->further)
        play_inline(plan, game, moves, window, true, priority);
    else
        play_inline(plan, game, moves, window, false, priority);
}

const SurfaceKernel KERNEL_SUFFIX(surface_kernel) = {prepare,  best,        values, board_value,
                                                     outcomes, best_values, step,   play};
