// SPDX-License-Identifier: GPL-3.0-or-later
// Perft, as chess programs call it. Every leaf is really played: nothing is taken from a formula, so the
// counts test the engine that plays games.
#include "game/perft.h"

#include "game/original.h"

static void count_piece(const Rules *rules, const Board *board, unsigned pieces, int piece, int depth,
                        PerftCount *count);

static void count_any(const Rules *rules, const Board *board, unsigned pieces, int depth, PerftCount *count) {
    for (int piece = 0; piece < PIECES; piece++)
        if (pieces >> piece & 1)
            count_piece(rules, board, pieces, piece, depth, count);
}

static void count_placement(const Rules *rules, const Board *board, unsigned pieces, const Shape *shape,
                            int column, int row, int depth, PerftCount *count) {
    Board after = *board;
    Landing landing = board_place(&after, rules->width, shape, column, row);
    bool fatal = rules_fatal(rules, shape, &landing);
    if (!fatal && depth > 1) {
        count_any(rules, &after, pieces, depth - 1, count);
    } else if (depth == 1) {
        count->sequences += !fatal;
        count->lines += fatal ? 0 : (uint64_t)landing.lines;
        count->ended += fatal;
    }
}

static void count_piece(const Rules *rules, const Board *board, unsigned pieces, int piece, int depth,
                        PerftCount *count) {
    if (rules->original) {
        OriginalPlacement list[PLACEMENTS];
        int placements = original_placements(board, rules, piece, list);
        for (int i = 0; i < placements; i++)
            count_placement(rules, board, pieces,
                            &piece_shape[piece][placement_orientation(list[i].placement)],
                            placement_column(list[i].placement), list[i].row, depth, count);
        return;
    }
    for (int orientation = 0; orientation < piece_orientations[piece]; orientation++) {
        const Shape *shape = &piece_shape[piece][orientation];
        for (int column = 0; column + shape->width <= rules->width; column++)
            count_placement(rules, board, pieces, shape, column, board_drop_row(board, shape, column), depth,
                            count);
    }
}

PerftCount perft_count(const Rules *rules, const Board *board, unsigned pieces, int first, int depth) {
    PerftCount count = {0};
    if (first < 0)
        count_any(rules, board, pieces, depth, &count);
    else
        count_piece(rules, board, pieces, first, depth, &count);
    return count;
}
