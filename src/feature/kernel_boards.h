// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel: independent boards that got the same piece lie side by side in 16-bit lanes, one board per
// lane, and a loop over orientations and left columns values one placement of all of them at once.
// kernel_boards.c is compiled once per machine (lanes.h). A board of which only the surface fits 16 bits is
// shifted by a base row; what does not fit even so (placements in deep wells, for example), or is near the
// top where moves end the game, is valued by itself (boards_single.c).
#ifndef TETRALAB_FEATURE_KERNEL_BOARDS_H
#define TETRALAB_FEATURE_KERNEL_BOARDS_H

#include "feature/rating_plan.h"
#include "game/game.h"

// Which of equal placements wins: the one with the highest rank. Ranks of a piece differ, or all are 0 and
// one of the placements is drawn.
typedef struct Ranks {
    bool random;
    uint16_t rank[PIECES][PLACEMENTS + 32];
    uint8_t placement[PIECES][PLACEMENTS]; // by rank
} Ranks;

// -> priority  PIECES * PLACEMENTS numbers, the highest wins, of equal ones the first; NULL: the first
void ranks_fill(Ranks *ranks, const int16_t *priority);

typedef struct BoardPiece {
    const Board *board;
    int piece;
} BoardPiece;

// What a placement leads to. For ratings without hidden units only, whose values are the sum of what a move
// and what a board gives.
typedef struct Outcome {
    Board after;        // cleared
    int64_t value;      // as evaluator_values says
    int64_t move_value; // the part of it that the features of the family "move" give
    Placement placement;
    int lines; // removed
    bool fatal;
} Outcome;

// <- one of the placements of the set, at random
static inline Placement placement_draw(uint64_t set, Random *random) {
    if (set & (set - 1))
        for (uint32_t skip = random_below(random, (uint32_t)__builtin_popcountll(set)); skip; skip--)
            set &= set - 1;
    return __builtin_ctzll(set);
}

typedef struct BestPlacement {
    int64_t value;       // of the best placement; INT64_MIN: there is none
    Placement placement; // the one with the highest rank; PLACEMENT_NONE
    uint64_t set;        // at random: those of this value
} BestPlacement;

enum {
    MOST_TURNS = 1024,   // at a time
    MOST_PLACEMENTS = 50 // that a piece can have, on the widest board
};

typedef struct BoardsKernel {
    int lanes;
    // All placements inside the walls, as evaluator_values says. <- fatal: those that end the game
    void (*values)(const RatingPlan *plan, int count, const BoardPiece *question,
                   int64_t (*value)[PLACEMENTS], uint64_t *fatal);
    // What they lead to, in ascending order. The boards have no full rows. -> late: rows are not cleared
    void (*outcomes)(const RatingPlan *plan, bool late, int count, const BoardPiece *question,
                     Outcome *const *outcome);
    // The values of the best placements of several pieces, as evaluator_best_values says.
    void (*best_values)(const RatingPlan *plan, int count, const Board *const *board, const int64_t *own,
                        uint32_t pieces, int64_t (*best)[PIECES]);
    // What these terms give for boards as they are.
    void (*boards)(const RatingPlan *plan, const Terms *terms, int count, const Board *const *board,
                   int64_t *value);
    // Plays games on, up to MOST_TURNS at a time, as player.h says of player_run_turns. Whenever one of them
    // has come to its end, or as far as it was to go, asks whether there is another turn to take its place.
    void (*play)(const RatingPlan *plan, const Ranks *ranks, int count, Turn *turn,
                 bool (*again)(void *context, Turn *turn), void *context);
} BoardsKernel;

extern const BoardsKernel boards_plain, boards_128, boards_avx2, boards_avx512;

// Boards that do not fit: one at a time, several of its placements side by side. Compiled for each machine,
// too.
#if defined LANES_AVX512
#define SINGLE(function) boards_single_##function##_avx512
#elif defined LANES_AVX2
#define SINGLE(function) boards_single_##function##_avx2
#elif defined LANES_128
#define SINGLE(function) boards_single_##function##_128
#else
#define SINGLE(function) boards_single_##function##_plain
#endif
#define boards_single_values SINGLE(values)
#define boards_single_best   SINGLE(best)
#define boards_single_board  SINGLE(board)
#define boards_single_level  SINGLE(level)
#define boards_single_moves  SINGLE(moves)
// <- value  of all placements of *legal; *fatal: those that end the game
void boards_single_values(const RatingPlan *plan, const Board *board, int piece, int64_t value[PLACEMENTS],
                          uint64_t *legal, uint64_t *fatal);
// <- the value is boards_single_level too high
BestPlacement boards_single_best(const RatingPlan *plan, const Ranks *ranks, const Board *board, int piece,
                                 uint64_t *fatal);                       // <- those that end the game
int64_t boards_single_level(const RatingPlan *plan, const Board *board); // what is taken off the values
int64_t boards_single_board(const RatingPlan *plan, const Terms *terms, const Board *board);

typedef struct SingleMove {
    const Board *board;
    int piece;
    Placement placement; // PLACEMENT_NONE: the board as it is
    int row;             // where it lands
    uint32_t full;       // rows that it completes
    bool ends;           // the game
    int64_t value;       // boards_single_level too high
} SingleMove;

// Values moves on any boards, several side by side. <- move  from `row` on
void boards_single_moves(const RatingPlan *plan, int count, SingleMove *move);

enum { BOARDS_TALLEST = 12 }; // pile that fits: with an upright I on top of it

typedef uint32_t FourColumns __attribute__((vector_size(16), aligned(4), may_alias));

static inline uint32_t board_occupied(const Board *board) {
    const FourColumns *part = (const FourColumns *)board->column;
    FourColumns four = (part[0] | part[1]) | (part[2] | part[3]);
    return (four[0] | four[1]) | (four[2] | four[3]);
}

#endif
