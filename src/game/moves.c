// SPDX-License-Identifier: GPL-3.0-or-later
// Where no row is completed, the holes that a piece makes when it falls straight down are the empty cells
// between it and the columns under it, which is the piece's width times its row, plus its own bottom, minus
// the columns' heights: nothing on the board has to be looked at. Rows can only be completed where all other
// columns are filled, which the ANDs of the columns to the left and to the right tell. The few placements
// that do complete rows are played on a copy of the board and all holes are counted.
#include "game/moves.h"

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
static bool play_and_see(Move *move, const Board *board, const Rules *rules, const Shape *shape,
                         Placement placement, int row) {
    Board after = *board;
    Landing landing = board_place(&after, rules->width, shape, placement_column(placement), row);
    int made = holes_of(&after, rules->width) - holes_of(board, rules->width);
    *move = (Move){(uint8_t)placement, (uint8_t)row, (uint8_t)landing.lines, (uint8_t)(made > 0 ? made : 0)};
    return !rules_fatal(rules, shape, &landing);
}

// The board as falling pieces see it.
typedef struct Surface {
    int height[BOARD_COLUMNS];
    uint32_t before[BOARD_COLUMNS + 1]; // rows that all columns before this one fill
    uint32_t behind[BOARD_COLUMNS + 1]; // and all from this one on
} Surface;

static void surface_of(Surface *surface, const Board *board, int width) {
    surface->before[0] = surface->behind[width] = ~0u;
    for (int x = 0; x < width; x++) {
        surface->height[x] = column_height(board->column[x]);
        surface->before[x + 1] = surface->before[x] & board->column[x];
    }
    for (int x = width; x > 0; x--)
        surface->behind[x - 1] = surface->behind[x] & board->column[x - 1];
}

// A straight fall on a board without full rows.
// -> height  of the columns from the left one of the placement on
// -> others  rows that all other columns fill
// -> rows    rules_rows
// <- false: it ends the game
static inline bool fall(Move *move, const int *height, uint32_t others, int rows, const Board *board,
                        const Rules *rules, const Shape *shape, Placement placement) {
    int row = 0, gap = 0;
    for (int i = 0; i < shape->width; i++) {
        int lowest = height[i] - shape->bottom[i];
        gap -= lowest;
        row = lowest > row ? lowest : row;
    }
    if (__builtin_expect(others >> row & ((1u << shape->height) - 1), 0))
        return play_and_see(move, board, rules, shape, placement, row);
    *move = (Move){(uint8_t)placement, (uint8_t)row, 0, (uint8_t)(gap + shape->width * row)};
    return row + shape->height <= rows;
}

static bool falls_straight(const Rules *rules, const Board *board) {
    return !rules->original || original_is_open(board, rules);
}

static inline void add(Moves *moves, Placement placement, bool safe) {
    const Move *move = &moves->move[placement];
    moves->safe |= (uint64_t)safe << placement;
    moves->holed |= (uint64_t)(safe && move->holes) << placement;
    moves->clearing |= (uint64_t)(safe && move->lines) << placement;
}

static int straight_placements(const Board *board, int width, int piece, OriginalPlacement *list) {
    int count = 0;
    for (uint64_t left = placements_inside(piece, width); left; left &= left - 1, count++) {
        Placement placement = __builtin_ctzll(left);
        const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
        list[count] =
            (OriginalPlacement){placement, board_drop_row(board, shape, placement_column(placement))};
    }
    return count;
}

// Near the top of the original game, and where rows are full already: every move is played.
static void list_one_by_one(Moves *moves, const Rules *rules, const Board *board, int piece) {
    OriginalPlacement list[PLACEMENTS];
    int count = falls_straight(rules, board) ? straight_placements(board, rules->width, piece, list)
                                             : original_placements(board, rules, piece, list);
    for (int k = 0; k < count; k++) {
        Placement placement = list[k].placement;
        const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
        moves->possible |= (uint64_t)1 << placement;
        add(moves, placement,
            play_and_see(&moves->move[placement], board, rules, shape, placement, list[k].row));
    }
}

void moves_list(Moves *moves, const Rules *rules, const Board *board, int piece) {
    Surface surface;
    surface_of(&surface, board, rules->width);
    int rows = rules_rows(rules);
    moves->possible = moves->safe = moves->holed = moves->clearing = 0;
    if (surface.behind[0] || !falls_straight(rules, board)) {
        list_one_by_one(moves, rules, board, piece);
        return;
    }
    for (int o = 0; o < piece_orientations[piece]; o++) {
        const Shape *shape = &piece_shape[piece][o];
        int columns = rules->width - shape->width + 1;
        moves->possible |= (((uint64_t)1 << columns) - 1) << placement_make(o, 0);
        for (int column = 0; column < columns; column++) {
            Placement placement = placement_make(o, column);
            uint32_t others = surface.before[column] & surface.behind[column + shape->width];
            add(moves, placement,
                fall(&moves->move[placement], &surface.height[column], others, rows, board, rules, shape,
                     placement));
        }
    }
}

uint64_t moves_safe(const Rules *rules, const Board *board, int piece) {
    if (board_pile_height(board, rules->width) + TALLEST <= rules_rows(rules))
        return placements_inside(piece, rules->width);
    Moves moves;
    moves_list(&moves, rules, board, piece);
    return moves.safe;
}

int moves_row(const Rules *rules, const Board *board, int piece, Placement placement) {
    if (falls_straight(rules, board))
        return board_drop_row(board, &piece_shape[piece][placement_orientation(placement)],
                              placement_column(placement));
    OriginalPlacement list[PLACEMENTS];
    for (int k = original_placements(board, rules, piece, list) - 1; k >= 0; k--)
        if (list[k].placement == placement)
            return list[k].row;
    return -1;
}

bool moves_find(const Rules *rules, const Board *board, int piece, Placement placement, Move *move) {
    const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
    int column = placement_column(placement), height[4];
    uint32_t others = ~0u, own = ~0u;
    for (int x = 0; x < rules->width; x++)
        if (x < column || x >= column + shape->width)
            others &= board->column[x];
    for (int i = 0; i < shape->width; i++) {
        height[i] = column_height(board->column[column + i]);
        own &= board->column[column + i];
    }
    if (!(others & own) && falls_straight(rules, board)) {
        fall(move, height, others, rules_rows(rules), board, rules, shape, placement);
        return true;
    }
    Moves moves;
    moves_list(&moves, rules, board, piece);
    *move = moves.move[placement];
    return moves.possible >> placement & 1;
}

void move_play(Board *board, int width, int piece, const Move *move) {
    board_put(board, &piece_shape[piece][placement_orientation(move->placement)],
              placement_column(move->placement), move->row);
    if (move->lines)
        board_remove_rows(board, width, board_full_rows(board, width));
}
