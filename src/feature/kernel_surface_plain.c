// SPDX-License-Identifier: GPL-3.0-or-later
// The surface kernel for plain machines: the formulas of surface_place.h, one placement at a time. Also
// what the surface kernel can do, which is the same on every machine.
#include "feature/kernel_surface.h"

#include "feature/lanes.h"
#include "feature/surface_columns.h"
#include "feature/surface_fill.h"
#include "feature/surface_place.h"
#include "feature/surface_plan.h"

static const uint64_t supported =
    BIT(LANDING_HEIGHT) | BIT(ERODED_CELLS) | BIT(REMOVED_LINES) | BIT(ROW_TRANSITIONS) |
    BIT(COLUMN_TRANSITIONS) | BIT(HOLES) | BOTH_WELLS | BIT(HOLE_DEPTH) | BIT(ROWS_WITH_HOLES) |
    BIT(DIVERSITY) | BIT(COLUMN_HEIGHTS) | BIT(MEAN_HEIGHT) | BIT(CELLS) | BIT(WEIGHTED_CELLS) |
    BIT(ADJACENT_HOLES) | BIT(MEAN_HOLE_DEPTH) | BIT(PITS) | BIT(EMBEDDED_HOLES) | DELTA_FEATURES |
    HIGHEST_FEATURES | LOWEST_FEATURES | STEP_FEATURES | WELL_FEATURES | PAIR_FEATURES | TABLE_FEATURES |
    BIT(MEAN_LANDING_HEIGHT);

uint64_t surface_features(void) {
    return supported;
}

bool surface_supports(const Rating *rating) {
    for (int t = 0; t < rating->terms; t++)
        if (abs(rating->term[t].weight) > RATING_ROUNDED_WEIGHT) // it would be doubled
            return false;
    bool both_fits = (rating->features & FIT_TABLES) == FIT_TABLES; // it has room for one kind of fits
    return rating->kind == RATING_LINEAR && !(rating->features & ~supported) && !both_fits;
}

static int64_t board_value(const SurfacePlan *plan, const Board *board) {
    return columns_value(plan, board->column) - changes_from(plan, board);
}

// ---------------------------------------------------------------------------------------------------
// The surface

// What further features need to know; walls have nothing.
static void look_further(const SurfacePlan *plan, const Board *board, Further *f) {
    const Around *at = &f->at;
    f->highest = f->lowest = f->deepest = 0;
    for (int k = 0; k < AROUND_COLUMNS; k++)
        f->step[k] = f->well[k] = f->pits[k] = f->fast_wells[k] = f->lowest_before[k] = f->lowest_after[k] =
            f->deepest_before[k] = f->deepest_after[k] = 0;
    for (int k = AROUND_MARGIN; k < plan->width + AROUND_MARGIN; k++) {
        V h = at->h[k], sides = v_shr(at->c[k - 1] & at->c[k + 1], h);
        f->highest = v_max(f->highest, h);
        f->step[k] = k + 1 < plan->width + AROUND_MARGIN ? v_abs_difference(h, at->h[k + 1]) : 0;
        f->well[k] = well_between(at->h[k - 1], h, at->h[k + 1]);
        f->lowest_before[k] = f->lowest = v_max(f->lowest, V_BITS - h);
        f->deepest_before[k] = f->deepest = v_max(f->deepest, f->well[k]);
        if (plan->features & BIT(PITS))
            f->pits[k] = pit_depth(sides);
        if ((plan->features & BOTH_WELLS) == BOTH_WELLS)
            f->fast_wells[k] = v_any_depth((WellKind){well_table[WELLS_FAST], true}, sides);
    }
    V low = 0, deep = 0;
    for (int k = plan->width + AROUND_MARGIN - 1; k >= AROUND_MARGIN; k--) {
        f->lowest_after[k] = low = v_max(low, V_BITS - at->h[k]);
        f->deepest_after[k] = deep = v_max(deep, f->well[k]);
    }
    f->highest_now = (int)f->highest;
    if (plan->features & (BIT(MEAN_HOLE_DEPTH) | BIT(EMBEDDED_HOLES)))
        look_at_holes(plan, board, f);
    if (plan->tables)
        look_at_tables(plan->tables, board->column, &f->tables);
}

// No placement looks further than two columns into a wall.
static void look_at_wall(const SurfacePlan *plan, Around *at, int k) {
    at->c[k] = (1u << plan->height) - 1;
    at->h[k] = WALL_HEIGHT;
    at->top_bit[k] = at->holes[k] = at->wells[k] = at->differences_before[k] = at->differences_after[k] = 0;
}

static void look_around(const SurfacePlan *plan, const Board *board, Around *at, Further *further) {
    uint32_t hole_rows = 0;
    for (int k = 0; k < AROUND_MARGIN; k++) {
        look_at_wall(plan, at, k);
        look_at_wall(plan, at, AROUND_MARGIN + plan->width + k);
    }
    for (int x = 0; x < plan->width; x++) {
        int k = x + AROUND_MARGIN;
        uint32_t c = board->column[x], h = (uint32_t)column_height(c);
        at->c[k] = c;
        at->h[k] = h;
        at->top_bit[k] = 1u << h;
        at->holes[k] = (1u << h) - 1 - c;
        hole_rows |= at->holes[k];
    }
    at->hole_rows = hole_rows;
    WellKind kind = {plan->wells, plan->fast_wells};
    for (int x = 0; x < plan->width; x++) {
        int k = x + AROUND_MARGIN;
        V sides = v_shr(at->c[k - 1] & at->c[k + 1], at->h[k]);
        at->wells[k] = sides > 63 ? v_any_depth(kind, sides) : v_depth(kind, sides);
    }
    if (plan->use_diversity) {
        uint32_t before = 0, after = 0;
        at->differences_before[AROUND_MARGIN + plan->width - 1] = 0; // a pair with the wall
        at->differences_after[AROUND_MARGIN + plan->width - 1] = 0;
        for (int x = 0, y = plan->width - 2; y >= 0; x++, y--) {
            before |= differences(at->h[x + AROUND_MARGIN], at->h[x + 1 + AROUND_MARGIN]) & 31;
            after |= differences(at->h[y + AROUND_MARGIN], at->h[y + 1 + AROUND_MARGIN]) & 31;
            at->differences_before[x + AROUND_MARGIN] = before;
            at->differences_after[y + AROUND_MARGIN] = after;
        }
        at->diversity = count_differences(before);
    }
    count_missing(board->column, plan->width, at->missing);
    at->further = plan->further ? further : NULL;
    if (at->further) {
        further->at = *at;
        look_further(plan, board, further);
    }
}

static void place_at(const SurfacePlan *plan, Around *at, const Batch *b, int column, Placed *placed) {
    at->column = column;
    if (at->further)
        at->further->at.column = column;
    switch (b->width) {
    case 1:
        place(plan, at, b, 1, false, placed);
        break;
    case 2:
        place(plan, at, b, 2, false, placed);
        break;
    case 3:
        place(plan, at, b, 3, false, placed);
        break;
    default:
        place(plan, at, b, 4, false, placed);
    }
}

static bool is_fatal(const SurfacePlan *plan, const Board *after, const Shape *shape, int row) {
    return overflow_is_fatal(plan->lenient, plan->limit, row + shape->height,
                             plan->lenient ? board_pile_height(after, plan->width) : 0);
}

// The value of one placement, whether it completes rows or not. -> from  changes_from() the board
static int64_t placement_value(const SurfacePlan *plan, const Board *board, int64_t value_now, int64_t from,
                               const Shape *shape, int column, const Placed *placed, bool *fatal) {
    int row = (int)placed->row;
    if (!placed->completes) {
        *fatal = row + shape->height > plan->limit;
        return placed->sum + value_now;
    }
    Board after = *board;
    board_put(&after, shape, column, row);
    board_remove_rows(&after, plan->width, placed->full);
    *fatal = is_fatal(plan, &after, shape, row);
    return columns_value(plan, after.column) + move_value(plan, shape, row, placed->full) - from;
}

static void values(const SurfacePlan *plan, const Board *board, int64_t value_now, int piece,
                   int64_t value[PLACEMENTS], uint64_t *legal, uint64_t *fatal) {
    Around at;
    Further further;
    look_around(plan, board, &at, &further);
    int64_t from = changes_from(plan, board);
    *legal = *fatal = 0;
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        for (int column = 0; column + shape->width <= plan->width; column++) {
            Placed placed;
            bool ends;
            place_at(plan, &at, &plan->piece[piece].batch[o], column, &placed);
            Placement placement = placement_make(o, column);
            value[placement] = placement_value(plan, board, value_now, from, shape, column, &placed, &ends);
            *legal |= (uint64_t)1 << placement;
            *fatal |= (uint64_t)ends << placement;
        }
    }
}

static Evaluation best(const SurfacePlan *plan, const Board *board, int64_t value_now, int piece) {
    int64_t value[PLACEMENTS];
    uint64_t legal, fatal;
    values(plan, board, value_now, piece, value, &legal, &fatal);
    return evaluation_of(value, plan->avoid ? legal & ~fatal : legal);
}

// ---------------------------------------------------------------------------------------------------
// Looking ahead

static int outcomes(const SurfacePlan *plan, const Board *board, int64_t value_now, int piece,
                    Outcome outcome[PLACEMENTS]) {
    Around at;
    Further further;
    look_around(plan, board, &at, &further);
    int64_t from = changes_from(plan, board);
    Outcome *out = outcome;
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        for (int column = 0; column + shape->width <= plan->width; column++, out++) {
            Placed placed;
            place_at(plan, &at, &plan->piece[piece].batch[o], column, &placed);
            int row = (int)placed.row;
            out->value = placement_value(plan, board, value_now, from, shape, column, &placed, &out->fatal);
            out->placement = placement_make(o, column);
            out->lines = count_bits(placed.full);
            out->after = *board;
            board_put(&out->after, shape, column, row);
            board_remove_rows(&out->after, plan->width, placed.full);
            out->move_value =
                move_value(plan, shape, row, placed.full) + changes_from(plan, &out->after) - from;
        }
    }
    return (int)(out - outcome);
}

static int64_t best_value(const SurfacePlan *plan, const Board *board, Around *at, int64_t value_now,
                          int piece) {
    int64_t most = INT64_MIN, from = changes_from(plan, board);
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        for (int column = 0; column + shape->width <= plan->width; column++) {
            Placed placed;
            bool ends;
            place_at(plan, at, &plan->piece[piece].batch[o], column, &placed);
            int64_t value = placement_value(plan, board, value_now, from, shape, column, &placed, &ends);
            if (value > most && !(ends && plan->avoid))
                most = value;
        }
    }
    return most;
}

static void best_values(const SurfacePlan *plan, const Board *board, int64_t value_now, uint32_t pieces,
                        int64_t highest[PIECES]) {
    Around at;
    Further further;
    look_around(plan, board, &at, &further);
    for (; pieces; pieces &= pieces - 1) {
        int piece = __builtin_ctz(pieces);
        highest[piece] = best_value(plan, board, &at, value_now, piece);
    }
}

// ---------------------------------------------------------------------------------------------------
// Playing

static void step(const SurfacePlan *plan, Game *game, const int16_t *priority) {
    int64_t from = changes_from(plan, &game->board);
    Evaluation found = best(plan, &game->board, game->board_value - from, game->piece);
    if (!found.best) {
        game->state = GAME_OVER;
        return;
    }
    Placement placement = evaluation_first(found.best, priority ? priority + game->piece * PLACEMENTS : NULL);
    const Shape *shape = &piece_shape[game->piece][placement_orientation(placement)];
    int row = board_drop_row(&game->board, shape, placement_column(placement));
    Board after = game->board;
    board_put(&after, shape, placement_column(placement), row);
    uint32_t full = board_full_rows(&after, plan->width);
    board_remove_rows(&after, plan->width, full);
    if (!plan->avoid && is_fatal(plan, &after, shape, row)) {
        game->state = GAME_OVER;
        return;
    }
    game->board = after;
    game->board_value = found.value + from - move_value(plan, shape, row, full);
    game_advance(game, count_bits(full));
}

static void play(const SurfacePlan *plan, Game *game, uint64_t moves, const HeightWindow *window,
                 const int16_t *priority) {
    game->board_value += changes_from(plan, &game->board);
    for (; game->state == GAME_RUNNING && moves; moves--) {
        step(plan, game, priority);
        if (!window || game->state != GAME_RUNNING)
            continue;
        int height = board_pile_height(&game->board, plan->width);
        if (height <= window->low || height >= window->high)
            game->state = GAME_PAUSED;
    }
}

const SurfaceKernel KERNEL_SUFFIX(surface_kernel) = {prepare,  best,        values, board_value,
                                                     outcomes, best_values, step,   play};
