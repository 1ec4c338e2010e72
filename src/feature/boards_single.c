// SPDX-License-Identifier: GPL-3.0-or-later
// Boards that do not fit the lanes, one placement at a time; see kernel_boards.h.
#define LANES_SINGLE
#include "feature/boards_whole.h"
#include "feature/kernel_boards.h"
#include "game/moves.h"

typedef struct Tall {
    Columns columns;
    Values values;
    Sum sum;
} Tall;

// Lanes that are not used are empty boards.
static void tall_clear(Tall *tall) {
    Values *values = &tall->values;
    memset(tall->columns.c, 0, sizeof tall->columns.c);
    SLOT(LANDING_HEIGHT) = SLOT(MEAN_LANDING_HEIGHT) = SLOT(REMOVED_LINES) = SLOT(ERODED_CELLS) = v_set(0);
}

static void tall_put(Tall *tall, const RatingPlan *plan, const Board *board, int lane) {
    for (int x = 0; x < plan->width; x++)
        tall->columns.c[x + 1][lane] = board->column[x];
}

static void tall_value(Tall *tall, const RatingPlan *plan, const Terms *terms) {
    Columns *b = &tall->columns;
    b->c[0] = b->c[plan->width + 1] = v_set((int32_t)(((uint32_t)1 << plan->height) - 1));
    b->base = b->holed = v_set(0);
    sum_start(&tall->sum);
    board_features(plan, b, &tall->values, &tall->sum);
    weigh(terms, &tall->values, &tall->sum);
}

int64_t boards_single_board(const RatingPlan *plan, const Terms *terms, const Board *board) {
    Tall tall;
    tall_clear(&tall);
    tall_put(&tall, plan, board, 0);
    tall_value(&tall, plan, terms);
    return tall.sum.value[0];
}

// Makes the move in a lane. <- does it end the game?
static bool tall_move(Tall *tall, const RatingPlan *plan, const Board *board, int piece, Placement placement,
                      int lane) {
    Values *values = &tall->values;
    int orientation = placement_orientation(placement), column = placement_column(placement);
    const Shape *shape = &piece_shape[piece][orientation];
    Board after = *board;
    Landing landing = board_place(&after, plan->width, shape, column, board_drop_row(board, shape, column));
    tall_put(tall, plan, &after, lane);
    SLOT(LANDING_HEIGHT)[lane] = (uint32_t)(2 * landing.row + shape->height - 1);
    SLOT(MEAN_LANDING_HEIGHT)[lane] = (uint32_t)(4 * landing.row + plan->shape_rows[piece][orientation]);
    SLOT(REMOVED_LINES)[lane] = (uint32_t)landing.lines;
    SLOT(ERODED_CELLS)[lane] = (uint32_t)(landing.lines * landing.eroded);
    return overflow_is_fatal(plan->lenient, plan->limit, landing.row + shape->height,
                             column_height(landing.occupied));
}

void boards_single_values(const RatingPlan *plan, const Board *board, int piece, int64_t value[PLACEMENTS],
                          uint64_t *legal, uint64_t *fatal) {
    int64_t level = plan->incremental ? boards_single_board(plan, &plan->board, board) : 0;
    Tall tall;
    tall_clear(&tall);
    *legal = placements_inside(piece, plan->width);
    *fatal = 0;
    for (uint64_t left = *legal; left;) {
        Placement placement[TALL];
        int count = 0;
        for (; left && count < TALL; left &= left - 1, count++) {
            placement[count] = __builtin_ctzll(left);
            *fatal |= (uint64_t)tall_move(&tall, plan, board, piece, placement[count], count)
                      << placement[count];
        }
        tall_value(&tall, plan, &plan->all);
        for (int lane = 0; lane < count; lane++)
            value[placement[lane]] = tall.sum.value[lane] - level;
    }
}

BestPlacement boards_single_best(const RatingPlan *plan, const Ranks *ranks, const Board *board, int piece,
                                 bool *ends) {
    int64_t value[PLACEMENTS];
    uint64_t legal, fatal;
    BestPlacement best = {INT64_MIN, PLACEMENT_NONE};
    boards_single_values(plan, board, piece, value, &legal, &fatal);
    for (uint64_t left = plan->avoid ? legal & ~fatal : legal; left; left &= left - 1) {
        Placement next = __builtin_ctzll(left);
        if (best.placement == PLACEMENT_NONE || value[next] > best.value ||
            (value[next] == best.value && ranks->rank[piece][next] > ranks->rank[piece][best.placement]))
            best = (BestPlacement){value[next], next};
    }
    *ends = best.placement == PLACEMENT_NONE || fatal >> best.placement & 1;
    return best;
}
