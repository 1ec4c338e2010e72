// SPDX-License-Identifier: GPL-3.0-or-later
// Boards that do not fit the lanes, one placement at a time; see kernel_boards.h.
#define LANES_SINGLE
#include "feature/boards_whole.h"
#include "feature/kernel_boards.h"
#include "game/moves.h"

static void columns_of(const RatingPlan *plan, const Board *board, Columns *b) {
    V wall = (V)(((uint64_t)1 << plan->height) - 1);
    b->c[0] = b->c[plan->width + 1] = wall;
    for (int x = 0; x < plan->width; x++)
        b->c[x + 1] = board->column[x];
    b->base = b->holed = 0;
}

static int64_t weighed(const RatingPlan *plan, const Terms *terms, const Board *board, Values *values) {
    Columns b;
    Sum sum;
    columns_of(plan, board, &b);
    sum_start(&sum);
    board_features(plan, &b, values, &sum);
    weigh(terms, values, &sum);
    return sum.value;
}

int64_t boards_single_board(const RatingPlan *plan, const Terms *terms, const Board *board) {
    Values values;
    return weighed(plan, terms, board, &values);
}

void boards_single_values(const RatingPlan *plan, const Board *board, int piece, int64_t value[PLACEMENTS],
                          uint64_t *legal, uint64_t *fatal) {
    int64_t level = plan->incremental ? boards_single_board(plan, &plan->board, board) : 0;
    *legal = placements_inside(piece, plan->width);
    *fatal = 0;
    for (uint64_t left = *legal; left; left &= left - 1) {
        Placement placement = __builtin_ctzll(left);
        int orientation = placement_orientation(placement), column = placement_column(placement);
        const Shape *shape = &piece_shape[piece][orientation];
        Board after = *board;
        Landing landing =
            board_place(&after, plan->width, shape, column, board_drop_row(board, shape, column));
        bool ends = overflow_is_fatal(plan->lenient, plan->limit, landing.row + shape->height,
                                      column_height(landing.occupied));
        *fatal |= (uint64_t)ends << placement;
        Values values_of_all, *values = &values_of_all;
        SLOT(LANDING_HEIGHT) = (V)(2 * landing.row + shape->height - 1);
        SLOT(MEAN_LANDING_HEIGHT) = (V)(4 * landing.row + plan->shape_rows[piece][orientation]);
        SLOT(REMOVED_LINES) = (V)landing.lines;
        SLOT(ERODED_CELLS) = (V)(landing.lines * landing.eroded);
        value[placement] = weighed(plan, &plan->all, &after, values) - level;
    }
}

BestPlacement boards_single_best(const RatingPlan *plan, const Ranks *ranks, const Board *board, int piece,
                                 uint64_t *fatal) {
    int64_t value[PLACEMENTS];
    uint64_t legal;
    BestPlacement best = {INT64_MIN, PLACEMENT_NONE, 0};
    boards_single_values(plan, board, piece, value, &legal, fatal);
    for (uint64_t left = plan->avoid ? legal & ~*fatal : legal; left; left &= left - 1) {
        Placement next = __builtin_ctzll(left);
        bool same = best.set && value[next] == best.value;
        if (!best.set || value[next] > best.value ||
            (same && ranks->rank[piece][next] > ranks->rank[piece][best.placement]))
            best = (BestPlacement){value[next], next, same ? best.set : 0};
        else if (!same)
            continue;
        best.set |= (uint64_t)1 << next;
    }
    return best;
}
