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

static void tall_fill(Tall *tall, const RatingPlan *plan, const Board *board) {
    for (int x = 0; x < plan->width; x++)
        tall->columns.c[x + 1] = v_set((int32_t)board->column[x]);
}

int64_t boards_single_board(const RatingPlan *plan, const Terms *terms, const Board *board) {
    Tall tall;
    tall_fill(&tall, plan, board);
    tall_value(&tall, plan, terms);
    return tall.sum.value[0];
}

// Makes these moves, one in each lane. <- set of those that end the game
static uint64_t tall_move(Tall *tall, const RatingPlan *plan, const Board *board, int piece, int count,
                          const Placement placement[TALL]) {
    Values *values = &tall->values;
    V *c = tall->columns.c + 1, cells[4] = {{0}}, twice = v_set(0), rows = v_set(0), occupied = v_set(0);
    uint64_t over = 0, fatal = 0; // over: lanes to be looked at
    int pile = column_height(board_occupied(board));
    tall_fill(tall, plan, board);
    for (int lane = 0; lane < count; lane++) {
        int orientation = placement_orientation(placement[lane]), column = placement_column(placement[lane]);
        const Shape *shape = &piece_shape[piece][orientation];
        int row = board_drop_row(board, shape, column);
        for (int i = 0; i < shape->width; i++) {
            cells[i][lane] = ((1u << shape->cells[i]) - 1) << (row + shape->bottom[i]);
            c[column + i][lane] |= cells[i][lane];
        }
        twice[lane] = (uint32_t)(2 * row + shape->height - 1);
        rows[lane] = (uint32_t)(4 * row + plan->shape_rows[piece][orientation]);
        over |= (uint64_t)(row + shape->height > plan->limit || (plan->lenient && pile > plan->limit))
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
        int lane = __builtin_ctzll(over);
        bool ends = !plan->lenient || column_height(occupied[lane]) > plan->limit;
        fatal |= (uint64_t)ends << placement[lane];
    }
    return fatal;
}

// -> level  to be taken off the values
static void tall_values(const RatingPlan *plan, const Board *board, int piece, int64_t level,
                        int64_t value[PLACEMENTS], uint64_t *legal, uint64_t *fatal) {
    Tall tall;
    *legal = placements_inside(piece, plan->width);
    *fatal = 0;
    for (uint64_t left = *legal; left;) {
        Placement placement[TALL];
        int count = 0;
        for (; left && count < TALL; left &= left - 1)
            placement[count++] = __builtin_ctzll(left);
        *fatal |= tall_move(&tall, plan, board, piece, count, placement);
        tall_value(&tall, plan, &plan->all);
        for (int lane = 0; lane < count; lane++)
            value[placement[lane]] = tall.sum.value[lane] - level;
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
