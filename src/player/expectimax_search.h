// SPDX-License-Identifier: GPL-3.0-or-later
// Values of many boards of the same depth at once, as expectimax.h defines them; many, so that the kernel has
// its lanes full. Part of expectimax.c.
//
// Each question has a limit: a value that is at least as much has to be exact; for any other one any number
// below the limit does, since whoever asks knows something better already. Where dangers are averaged, what
// is certainly below a limit is left off, which changes no move (as in Ballard's *-minimax, 1983, with the
// bound that no danger is negative): they only add up, so that a board is done with as soon as those of the
// pieces that are hardest to place are too many.
#ifndef TETRALAB_PLAYER_EXPECTIMAX_SEARCH_H
#define TETRALAB_PLAYER_EXPECTIMAX_SEARCH_H

#include "feature/kernel.h"
#include "player/expectimax_law.h"
#include "player/expectimax_table.h"
#include "player/rooms.h"
#include "player/strategy.h"

#define NO_LIMIT (INT64_MIN / 2)

typedef struct Expectimax Expectimax;
struct Expectimax {
    ExpectimaxOptions options;
    const Rating *rating;
    const Evaluator *evaluator;
    PieceChances chances;
    int64_t dead;
    double danger;  // in steps of the rating's sums; 0: values are averaged
    int64_t unsure; // likewise; INT64_MAX / 2: any placement is looked at as deep as the others
    Rooms *rooms;
};

enum {
    SEARCH_TOGETHER = 128, // games, or boards and pieces, at a time
    SEARCH_MOST = SEARCH_TOGETHER * MOST_PLACEMENTS
};

// The mean of Q(board, q, depth) over the pieces q of a set.
typedef struct BoardAsk {
    const Board *board;
    int64_t own; // evaluator_board_values
    int64_t limit;
    int64_t value; // the answer
    uint32_t set;
    int owner, which; // what the question is asked for
} BoardAsk;

// Q(board, piece, depth), depth > 1.
typedef struct PieceAsk {
    const Board *board;
    int64_t limit;
    int64_t value; // the answer
    uint32_t set;  // of the pieces that may follow
    int piece;
    int owner, which;
} PieceAsk;

// What a depth works with.
typedef struct Layer {
    Outcome outcome[SEARCH_MOST];
    BoardAsk board[SEARCH_MOST];
    PieceAsk piece[SEARCH_MOST];
} Layer;

typedef struct Search {
    const Expectimax *expectimax;
    LookupTable *table; // NULL: none
    Layer *layer;       // of depth d at [d - 2]
} Search;

// <- how many outcomes are followed: not fatal, and the best by rating if not all. order: which; the best
// first, if there are limits. -> most  to be followed; 0: all
int search_candidates(const Expectimax *expectimax, const Outcome *outcome, int count, int most,
                      uint8_t order[PLACEMENTS]);

// Candidates are looked at in steps: with a limit, few of them first, so that those after them have one. <-
// where the step ends that begins with candidate number `from`
int search_step(const Expectimax *expectimax, int from);

void search_boards(const Search *search, int depth, int count, BoardAsk *ask);
void search_pieces(const Search *search, int depth, int count, PieceAsk *ask);

#endif
