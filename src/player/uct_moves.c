// SPDX-License-Identifier: GPL-3.0-or-later
// Rows and holes of all placements of a piece. Where no row is completed, the holes that a placement makes
// are the empty cells between the piece and the columns under it, which is the piece's width times its row,
// plus its own bottom, minus the columns' heights: nothing on the board has to be looked at. Rows can only be
// completed where all other columns are filled, which the ANDs of the columns to the left and to the right
// tell. The few placements that do complete rows are played on a copy of the board and all holes are counted.
#include "player/uct_moves.h"

#include "game/original.h"

enum { TALLEST = 4 };

static int holes_of(const Board *board, int width) {
    int holes = 0;
    for (int x = 0; x < width; x++)
        holes += column_height(board->column[x]) - __builtin_popcount(board->column[x]);
    return holes;
}

// A placement that may complete rows, or that is not a straight fall: by playing it.
// <- false: it ends the game
static bool play_and_see(UctMove *move, const Board *board, const Rules *rules, const Shape *shape,
                         Placement placement, int row) {
    Board after = *board;
    Landing landing = board_place(&after, rules->width, shape, placement_column(placement), row);
    if (rules_fatal(rules, shape, &landing))
        return false;
    int made = holes_of(&after, rules->width) - holes_of(board, rules->width);
    *move =
        (UctMove){(uint8_t)placement, (uint8_t)row, (uint8_t)landing.lines, (uint8_t)(made > 0 ? made : 0)};
    return true;
}

// The board as falling pieces see it.
typedef struct Surface {
    int height[BOARD_COLUMNS];
    uint32_t before[BOARD_COLUMNS + 1]; // rows that all columns before this one fill
    uint32_t behind[BOARD_COLUMNS + 1]; // and all from this one on
} Surface;

static void surface_of(Surface *surface, const Board *board, const Rules *rules) {
    int width = rules->width;
    surface->before[0] = surface->behind[width] = ~0u;
    for (int x = 0; x < width; x++) {
        surface->height[x] = column_height(board->column[x]);
        surface->before[x + 1] = surface->before[x] & board->column[x];
    }
    for (int x = width; x > 0; x--)
        surface->behind[x - 1] = surface->behind[x] & board->column[x - 1];
}

// A straight fall.
// -> height  of the columns from the left one of the placement on
// -> others  rows that all other columns fill
// <- false: it ends the game
static inline bool fall(UctMove *move, const int *height, uint32_t others, int limit, const Board *board,
                        const Rules *rules, const Shape *shape, Placement placement) {
    int row = 0, gap = 0;
    for (int i = 0; i < shape->width; i++) {
        int lowest = height[i] - shape->bottom[i];
        gap -= lowest;
        row = lowest > row ? lowest : row;
    }
    if (__builtin_expect(others >> row & ((1u << shape->height) - 1), 0))
        return play_and_see(move, board, rules, shape, placement, row);
    *move = (UctMove){(uint8_t)placement, (uint8_t)row, 0, (uint8_t)(gap + shape->width * row)};
    return row + shape->height <= limit;
}

static bool straight(const Board *board, const Rules *rules) {
    return !rules->original || original_is_open(board, rules);
}

static inline void add(UctMoves *moves, Placement placement, bool safe) {
    const UctMove *move = &moves->move[placement];
    moves->safe |= (uint64_t)safe << placement;
    moves->holed |= (uint64_t)(safe && move->holes) << placement;
    moves->clearing |= (uint64_t)(safe && move->rows) << placement;
}

static void reachable_moves(UctMoves *moves, const Board *board, const Rules *rules, int piece) {
    OriginalPlacement list[PLACEMENTS];
    int count = original_placements(board, rules, piece, list);
    for (int k = 0; k < count; k++) {
        Placement placement = list[k].placement;
        const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
        if (play_and_see(&moves->move[placement], board, rules, shape, placement, list[k].row))
            add(moves, placement, true);
    }
}

void uct_moves(UctMoves *moves, const Board *board, const Rules *rules, int piece) {
    moves->safe = moves->holed = moves->clearing = 0;
    if (!straight(board, rules)) {
        reachable_moves(moves, board, rules, piece);
        return;
    }
    Surface surface;
    surface_of(&surface, board, rules);
    int limit = rules_rows(rules);
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        for (int column = 0; column + shape->width <= rules->width; column++) {
            Placement placement = placement_make(o, column);
            uint32_t others = surface.before[column] & surface.behind[column + shape->width];
            add(moves, placement,
                fall(&moves->move[placement], &surface.height[column], others, limit, board, rules, shape,
                     placement));
        }
    }
}

uint64_t uct_safe(const Board *board, const Rules *rules, int piece) {
    if (board_pile_height(board, rules->width) + TALLEST > rules_rows(rules)) {
        UctMoves moves;
        uct_moves(&moves, board, rules, piece);
        return moves.safe;
    }
    uint64_t all = 0;
    for (int o = 0; o < piece_orientations[piece]; o++)
        all |= (((uint64_t)1 << (rules->width - piece_shape[piece][o].width + 1)) - 1)
               << placement_make(o, 0);
    return all;
}

UctMove uct_move(const Board *board, const Rules *rules, int piece, Placement placement) {
    if (!straight(board, rules)) {
        UctMoves moves;
        uct_moves(&moves, board, rules, piece);
        return moves.move[placement];
    }
    const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
    int column = placement_column(placement), height[4];
    uint32_t others = ~0u;
    for (int x = 0; x < rules->width; x++)
        if (x < column || x >= column + shape->width)
            others &= board->column[x];
    for (int i = 0; i < shape->width; i++)
        height[i] = column_height(board->column[column + i]);
    UctMove move = {0};
    fall(&move, height, others, rules_rows(rules), board, rules, shape, placement);
    return move;
}

void uct_play(Board *board, int width, int piece, const UctMove *move) {
    board_put(board, &piece_shape[piece][placement_orientation(move->placement)],
              placement_column(move->placement), move->row);
    if (move->rows)
        board_remove_rows(board, width, board_full_rows(board, width));
}
