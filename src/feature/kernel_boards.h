// SPDX-License-Identifier: GPL-3.0-or-later
// The kernel: independent boards that got the same piece lie side by side in 16-bit lanes, one board per
// lane, and a loop over orientations and left columns values one placement of all of them at once.
// kernel_boards.c is compiled once per machine (lanes.h). A board of which only the surface fits 16 bits is
// shifted by a base row; what does not fit even so, or is near the top where moves end the game, is valued by
// itself (boards_single.c).
//
// Values of placements here are those of evaluator_values less a number that is the same for all placements
// of a board: what the board is worth before the move (incremental ratings), or what the features of changes
// would give to it (the others).
#ifndef TETRALAB_FEATURE_KERNEL_BOARDS_H
#define TETRALAB_FEATURE_KERNEL_BOARDS_H

#include "feature/rating_plan.h"
#include "game/game.h"

// Which of equal placements wins: the one with the highest rank. Ranks of a piece differ.
typedef struct Ranks {
    uint16_t rank[PIECES][PLACEMENTS + 32];
    uint8_t placement[PIECES][PLACEMENTS]; // by rank
} Ranks;

// -> priority  PIECES * PLACEMENTS numbers, the highest wins, of equal ones the first; NULL: the first
void ranks_fill(Ranks *ranks, const int16_t *priority);

typedef struct BoardPiece {
    const Board *board;
    int piece;
} BoardPiece;

typedef struct BestPlacement {
    int64_t value;       // of the best placement; INT64_MIN: there is none
    Placement placement; // the one with the highest rank; PLACEMENT_NONE
} BestPlacement;

enum { MOST_TURNS = 1024 }; // at a time

typedef struct BoardsKernel {
    int lanes;
    // The best placements of the pieces on these boards.
    void (*best)(const RatingPlan *plan, const Ranks *ranks, int count, const BoardPiece *question,
                 BestPlacement *answer);
    // Of all their placements inside the walls. <- fatal: those that end the game
    void (*values)(const RatingPlan *plan, int count, const BoardPiece *question,
                   int64_t (*value)[PLACEMENTS], uint64_t *fatal);
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
// <- value  of all placements of *legal; *fatal: those that end the game
void boards_single_values(const RatingPlan *plan, const Board *board, int piece, int64_t value[PLACEMENTS],
                          uint64_t *legal, uint64_t *fatal);
// <- the value is boards_single_level too high
BestPlacement boards_single_best(const RatingPlan *plan, const Ranks *ranks, const Board *board, int piece,
                                 bool *ends);                            // <- would it end the game?
int64_t boards_single_level(const RatingPlan *plan, const Board *board); // what is taken off the values
int64_t boards_single_board(const RatingPlan *plan, const Terms *terms, const Board *board);

// The rows of a board that columns of 16 bits can show. Below the base row there is nothing that a move could
// change: no run of holes is cut, and every column keeps a cell between it and the lowest row that may be
// completed.
// <- base, holed (set of columns with holes below it)
// <- false: they do not suffice
bool boards_window(const RatingPlan *plan, const Board *board, uint32_t occupied, int *base, uint32_t *holed);

enum { BOARDS_TALLEST = 11 }; // pile that fits: an upright I on top of it leaves bit 15 free

// All columns of a board, for compilers that would take them one by one.
typedef uint32_t AllColumns __attribute__((vector_size(4 * BOARD_COLUMNS), aligned(64), may_alias));
typedef uint32_t FourColumns __attribute__((vector_size(16), aligned(4), may_alias));

static inline uint32_t board_occupied(const Board *board) {
    const FourColumns *part = (const FourColumns *)board->column;
    FourColumns four = (part[0] | part[1]) | (part[2] | part[3]);
    return (four[0] | four[1]) | (four[2] | four[3]);
}

#endif
