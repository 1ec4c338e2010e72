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
    for (int x = 0; x < plan->width; x++)
        tall.columns.c[x + 1] = v_set((int32_t)board->column[x]);
    tall_value(&tall, plan, terms);
    return tall.sum.value[0];
}

// Makes these moves, one in each lane.
static void tall_move(Tall *tall, const RatingPlan *plan, int count, SingleMove *move) {
    Values *values = &tall->values;
    V *c = tall->columns.c + 1, cells[4] = {{0}}, twice = v_set(0), rows = v_set(0), occupied = v_set(0);
    uint32_t over = 0; // lanes to be looked at
    for (int lane = 0; lane < TALL; lane++)
        for (int x = 0; x < plan->width; x++)
            c[x][lane] = lane < count ? move[lane].board->column[x] : 0;
    for (int lane = 0; lane < count; lane++) {
        SingleMove *own = &move[lane];
        own->ends = false;
        if (own->placement == PLACEMENT_NONE)
            continue;
        int orientation = placement_orientation(own->placement), column = placement_column(own->placement);
        const Shape *shape = &piece_shape[own->piece][orientation];
        int row = own->row = board_drop_row(own->board, shape, column);
        int pile = column_height(board_occupied(own->board));
        for (int i = 0; i < shape->width; i++) {
            cells[i][lane] = ((1u << shape->cells[i]) - 1) << (row + shape->bottom[i]);
            c[column + i][lane] |= cells[i][lane];
        }
        twice[lane] = (uint32_t)(2 * row + shape->height - 1);
        rows[lane] = (uint32_t)(4 * row + plan->shape_rows[own->piece][orientation]);
        over |= (uint32_t)(row + shape->height > plan->limit || (plan->lenient && pile > plan->limit))
                << lane;
    }
    V full = full_rows(c, plan->width), lines = v_popcount(full), eroded = v_set(0);
    if (v_any(full)) {
        for (int i = 0; i < 4; i++)
            eroded += v_popcount(cells[i] & full);
        remove_rows(c, plan->width, full);
    }
    SLOT(LANDING_HEIGHT) = twice;
    SLOT(MEAN_LANDING_HEIGHT) = rows;
    SLOT(REMOVED_LINES) = lines;
    SLOT(ERODED_CELLS) = lines * eroded;
    for (int x = 0; x < plan->width && over; x++)
        occupied |= c[x];
    for (; over; over &= over - 1) {
        int lane = __builtin_ctz(over);
        move[lane].ends = !plan->lenient || column_height(occupied[lane]) > plan->limit;
    }
    for (int lane = 0; lane < count; lane++)
        move[lane].full = full[lane];
}

void boards_single_moves(const RatingPlan *plan, int count, SingleMove *move) {
    Tall tall;
    for (; count > 0; count -= TALL, move += TALL) {
        int most = count < TALL ? count : TALL;
        tall_move(&tall, plan, most, move);
        tall_value(&tall, plan, &plan->all);
        for (int lane = 0; lane < most; lane++)
            move[lane].value = tall.sum.value[lane];
    }
}

// -> level  to be taken off the values
static void tall_values(const RatingPlan *plan, const Board *board, int piece, int64_t level,
                        int64_t value[PLACEMENTS], uint64_t *legal, uint64_t *fatal) {
    SingleMove move[MOST_PLACEMENTS];
    int count = 0;
    *legal = placements_inside(piece, plan->width);
    *fatal = 0;
    for (uint64_t left = *legal; left; left &= left - 1)
        move[count++] = (SingleMove){.board = board, .piece = piece, .placement = __builtin_ctzll(left)};
    boards_single_moves(plan, count, move);
    for (int k = 0; k < count; k++) {
        value[move[k].placement] = move[k].value - level;
        *fatal |= (uint64_t)move[k].ends << move[k].placement;
    }
}

int64_t boards_single_level(const RatingPlan *plan, const Board *board) {
    return plan->incremental ? boards_single_board(plan, &plan->board, board) : 0;
}

void boards_single_values(const RatingPlan *plan, const Board *board, int piece, int64_t value[PLACEMENTS],
                          uint64_t *legal, uint64_t *fatal) {
    tall_values(plan, board, piece, boards_single_level(plan, board), value, legal, fatal);
}

BestPlacement boards_single_best(const RatingPlan *plan, const Ranks *ranks, const Board *board, int piece,
                                 uint64_t *fatal) {
    int64_t value[PLACEMENTS];
    uint64_t legal;
    BestPlacement best = {INT64_MIN, PLACEMENT_NONE, 0};
    tall_values(plan, board, piece, 0, value, &legal, fatal);
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
