// SPDX-License-Identifier: GPL-3.0-or-later
// Perft, as chess programs call it. Nothing is taken from a formula: what is counted is the list of moves
// that players and games use.
#include "game/perft.h"

#include "game/moves.h"

static void count_piece(const Rules *rules, const Board *board, unsigned pieces, int piece, int depth,
                        PerftCount *count);

static void count_any(const Rules *rules, const Board *board, unsigned pieces, int depth, PerftCount *count) {
    for (int piece = 0; piece < PIECES; piece++)
        if (pieces >> piece & 1)
            count_piece(rules, board, pieces, piece, depth, count);
}

static void count_piece(const Rules *rules, const Board *board, unsigned pieces, int piece, int depth,
                        PerftCount *count) {
    Moves moves;
    moves_list(&moves, rules, board, piece);
    for (uint64_t left = moves.safe; left && depth > 1; left &= left - 1) {
        Board after = *board;
        move_play(&after, rules->width, piece, &moves.move[__builtin_ctzll(left)]);
        count_any(rules, &after, pieces, depth - 1, count);
    }
    if (depth > 1)
        return;
    count->sequences += (uint64_t)__builtin_popcountll(moves.safe);
    count->ended += (uint64_t)__builtin_popcountll(moves.possible & ~moves.safe);
    for (uint64_t left = moves.clearing; left; left &= left - 1)
        count->lines += moves.move[__builtin_ctzll(left)].lines;
}

PerftCount perft_count(const Rules *rules, const Board *board, unsigned pieces, int first, int depth) {
    PerftCount count = {0};
    if (first < 0)
        count_any(rules, board, pieces, depth, &count);
    else
        count_piece(rules, board, pieces, first, depth, &count);
    return count;
}
