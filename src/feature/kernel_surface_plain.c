// SPDX-License-Identifier: GPL-3.0-or-later
// The surface kernel for plain machines: the formulas of surface_place.h, one placement at a time. Also
// what the surface kernel can do, which is the same on every machine.
#include "feature/kernel_surface.h"

#include "feature/lanes.h"
#include "feature/surface_place.h"
#include "feature/surface_plan.h"

static const uint64_t surface_features =
    1ull << FEATURE_LANDING_HEIGHT | 1ull << FEATURE_ERODED_CELLS | 1ull << FEATURE_REMOVED_LINES |
    1ull << FEATURE_ROW_TRANSITIONS | 1ull << FEATURE_COLUMN_TRANSITIONS | 1ull << FEATURE_HOLES |
    1ull << FEATURE_CUMULATIVE_WELLS | 1ull << FEATURE_CUMULATIVE_WELLS_FAST | 1ull << FEATURE_HOLE_DEPTH |
    1ull << FEATURE_ROWS_WITH_HOLES | 1ull << FEATURE_DIVERSITY;

bool surface_supports(const Rating *rating) {
    for (int t = 0; t < rating->terms; t++)
        if (abs(rating->term[t].weight) > RATING_ROUNDED_WEIGHT) // it would be doubled
            return false;
    uint64_t both = feature_bit(FEATURE_CUMULATIVE_WELLS) | feature_bit(FEATURE_CUMULATIVE_WELLS_FAST);
    return rating->kind == RATING_LINEAR && !(rating->features & ~surface_features) &&
           (rating->features & both) != both;
}

// ---------------------------------------------------------------------------------------------------
// Whole boards

// Wells of one column: for every cell of the mask, the empty cells from it downward.
static int column_wells(uint32_t mask, uint32_t column, bool fast) {
    int sum = 0;
    if (fast) // the mask and everything empty below it
        for (uint32_t more; (more = ~column & (mask | mask >> 1)) != mask;)
            mask = more;
    for (uint32_t empty = ~column; mask; mask &= empty <<= 1)
        sum += (int)v_popcount(mask);
    return sum;
}

static int64_t columns_value(const SurfacePlan *plan, const uint32_t *columns) {
    uint32_t wall = (1u << plan->height) - 1, left = wall, hole_rows = 0, seen = 0;
    int rows = 0, transitions = 0, holes = 0, depth = 0, wells = 0;
    for (int x = 0; x < plan->width; x++) {
        uint32_t c = columns[x], right = x + 1 < plan->width ? columns[x + 1] : wall;
        uint32_t hole = ~(c | v_shl(~0u, (uint32_t)column_height(c)));
        rows += (int)v_popcount(left ^ c);
        transitions += (int)v_popcount(c ^ (c << 1 | 1));
        depth += (int)v_popcount(c & ~(c ^ (c + 1)));
        hole_rows |= hole;
        if (hole)
            holes += (int)v_popcount(hole);
        uint32_t mask = left & right & ~c;
        if (mask)
            wells += column_wells(mask, c, plan->fast_wells);
        if (plan->use_diversity && x + 1 < plan->width) {
            uint32_t d = (uint32_t)(column_height(right) - column_height(c) + 2);
            seen |= d < 5 ? 1u << d : 0;
        }
        left = c;
    }
    rows += (int)v_popcount(left ^ wall);
    return plan->rows * rows + plan->columns * transitions + plan->holes * holes + plan->depth * depth +
           plan->well * wells + plan->rows_with_holes * v_popcount(hole_rows) +
           plan->diversity * v_popcount(seen);
}

static int64_t board_value(const SurfacePlan *plan, const Board *board) {
    return columns_value(plan, board->column);
}

// ---------------------------------------------------------------------------------------------------
// The surface

static void look_around(const SurfacePlan *plan, const Board *board, Around *at) {
    uint32_t wall = (1u << plan->height) - 1;
    at->hole_rows = 0;
    for (int k = 0; k < AROUND_COLUMNS; k++) {
        int x = k - AROUND_MARGIN;
        bool inside = x >= 0 && x < plan->width;
        uint32_t c = inside ? board->column[x] : wall, h = inside ? (uint32_t)column_height(c) : V_BITS;
        at->c[k] = c;
        at->h[k] = h;
        at->top_bit[k] = v_shl(1, h);
        at->holes[k] = inside ? ~(c | v_shl(~0u, h)) : 0;
        at->hole_rows |= at->holes[k];
        at->wells[k] = at->differences_before[k] = at->differences_after[k] = 0;
    }
    for (int x = 0; x < plan->width; x++) {
        int k = x + AROUND_MARGIN;
        V sides = v_shr(at->c[k - 1] & at->c[k + 1], at->h[k]);
        at->wells[k] = sides > 63 ? v_any_depth(plan, sides) : v_depth(plan, sides);
    }
    if (plan->use_diversity) {
        uint32_t before = 0, after = 0;
        for (int x = 0, y = plan->width - 2; y >= 0; x++, y--) {
            before |= differences(at->h[x + AROUND_MARGIN], at->h[x + 1 + AROUND_MARGIN]) & 31;
            after |= differences(at->h[y + AROUND_MARGIN], at->h[y + 1 + AROUND_MARGIN]) & 31;
            at->differences_before[x + AROUND_MARGIN] = before;
            at->differences_after[y + AROUND_MARGIN] = after;
        }
        at->diversity = v_popcount(before);
    }
    count_missing(board->column, plan->width, at->missing);
}

static void place_at(const SurfacePlan *plan, Around *at, const Batch *b, int column, Placed *placed) {
    at->column = column;
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

// The value of one placement, whether it completes rows or not.
static int64_t placement_value(const SurfacePlan *plan, const Board *board, int64_t value_now,
                               const Shape *shape, int column, const Placed *placed, bool *fatal) {
    int row = (int)placed->row;
    if (!placed->full) {
        *fatal = row + shape->height > plan->limit;
        return placed->sum + value_now;
    }
    Board after = *board;
    board_put(&after, shape, column, row);
    board_remove_rows(&after, plan->width, placed->full);
    *fatal = is_fatal(plan, &after, shape, row);
    return columns_value(plan, after.column) + move_value(plan, shape, row, placed->full);
}

static void values(const SurfacePlan *plan, const Board *board, int64_t value_now, int piece,
                   int64_t value[PLACEMENTS], uint64_t *legal, uint64_t *fatal) {
    Around at;
    look_around(plan, board, &at);
    *legal = *fatal = 0;
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        for (int column = 0; column + shape->width <= plan->width; column++) {
            Placed placed;
            bool ends;
            place_at(plan, &at, &plan->piece[piece].batch[o], column, &placed);
            Placement placement = placement_make(o, column);
            value[placement] = placement_value(plan, board, value_now, shape, column, &placed, &ends);
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
    look_around(plan, board, &at);
    Outcome *out = outcome;
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        for (int column = 0; column + shape->width <= plan->width; column++, out++) {
            Placed placed;
            place_at(plan, &at, &plan->piece[piece].batch[o], column, &placed);
            int row = (int)placed.row;
            out->value = placement_value(plan, board, value_now, shape, column, &placed, &out->fatal);
            out->move_value = move_value(plan, shape, row, placed.full);
            out->placement = placement_make(o, column);
            out->lines = __builtin_popcount(placed.full);
            out->after = *board;
            board_put(&out->after, shape, column, row);
            board_remove_rows(&out->after, plan->width, placed.full);
        }
    }
    return (int)(out - outcome);
}

static int64_t best_value(const SurfacePlan *plan, const Board *board, Around *at, int64_t value_now,
                          int piece) {
    int64_t most = INT64_MIN;
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        for (int column = 0; column + shape->width <= plan->width; column++) {
            Placed placed;
            bool ends;
            place_at(plan, at, &plan->piece[piece].batch[o], column, &placed);
            int64_t value = placement_value(plan, board, value_now, shape, column, &placed, &ends);
            if (value > most && !(ends && plan->avoid))
                most = value;
        }
    }
    return most;
}

static void best_values(const SurfacePlan *plan, const Board *board, int64_t value_now, uint32_t pieces,
                        int64_t highest[PIECES]) {
    Around at;
    look_around(plan, board, &at);
    for (; pieces; pieces &= pieces - 1) {
        int piece = __builtin_ctz(pieces);
        highest[piece] = best_value(plan, board, &at, value_now, piece);
    }
}

// ---------------------------------------------------------------------------------------------------
// Playing

static void step(const SurfacePlan *plan, Game *game, const int16_t *priority) {
    Evaluation found = best(plan, &game->board, game->board_value, game->piece);
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
    game->board_value = found.value - move_value(plan, shape, row, full);
    game_advance(game, __builtin_popcount(full));
}

static void play(const SurfacePlan *plan, Game *game, uint64_t moves, const HeightWindow *window,
                 const int16_t *priority) {
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
