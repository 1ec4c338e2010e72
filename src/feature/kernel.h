// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluating all placements of a piece at once. An Evaluator is a rating, with or without hidden units, on a
// board size under rules, prepared for one kernel; it is constant after evaluator_new and may be shared by
// threads.
//
//   reference  the reference definitions, one placement after the other
//   plain      8 boards side by side, in the vectors that compilers know
//   sse4       8 boards (SSE4.2)
//   neon       the same on 64-bit ARM machines
//   simd128    the same in WebAssembly
//   avx2       16 boards
//   avx512     32 boards
//
// All kernels but the first are compilations of kernel_boards.c, and all give the same values, bit for bit.
// Ratings that it does not know (rating_plan_possible) are left to the reference definitions.
#ifndef TETRALAB_FEATURE_KERNEL_H
#define TETRALAB_FEATURE_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "feature/kernel_boards.h"
#include "feature/rating.h"
#include "game/game.h"
#include "game/rules.h"

typedef struct Evaluator Evaluator;
typedef struct Kernel Kernel;

// <- kernel number `index` of this build, slowest first, or NULL past the last one.
const Kernel *kernel_at(int index);
const char *kernel_name(const Kernel *kernel);
bool kernel_available(const Kernel *kernel); // can this machine run it?

// <- set of the features that it knows; ratings of others are left to the reference definitions.
uint64_t kernel_features(const Kernel *kernel);

// -> name  NULL: the fastest available one
const Kernel *kernel_find(const char *name, Error *error);

// The rating and the rules are used, not copied, and must outlive the evaluator.
// -> full_rows  boards may hold full rows that have not been cleared yet
Evaluator *evaluator_new(const Rating *rating, const Rules *rules, const Kernel *kernel, bool full_rows,
                         Error *error);
void evaluator_free(Evaluator *evaluator);
const char *evaluator_design(const Evaluator *evaluator); // "boards" or "reference"

typedef struct Evaluation {
    uint64_t best; // set of the placements (bit = Placement) that share the highest value; 0 = none
    int64_t value; // that value; INT64_MIN if there is none
} Evaluation;

// One more placement. -> evaluation  of those before; {0, INT64_MIN}: there are none
static inline void evaluation_add(Evaluation *evaluation, Placement placement, int64_t value) {
    if (value > evaluation->value)
        *evaluation = (Evaluation){0, value};
    if (value == evaluation->value)
        evaluation->best |= (uint64_t)1 << placement;
}

// <- the best of the placements in `set`.
static inline Evaluation evaluation_of(const int64_t value[PLACEMENTS], uint64_t set) {
    Evaluation result = {0, INT64_MIN};
    for (; set; set &= set - 1)
        evaluation_add(&result, __builtin_ctzll(set), value[__builtin_ctzll(set)]);
    return result;
}

// <- the one of a set of equal placements that wins the tie.
// -> priority  of the piece's placements, the highest wins; NULL: the first one does
static inline Placement evaluation_first(uint64_t set, const int16_t *priority) {
    Placement first = __builtin_ctzll(set);
    if (!priority || !(set & (set - 1)))
        return first;
    for (uint64_t left = set & (set - 1); left; left &= left - 1) {
        Placement next = __builtin_ctzll(left);
        if (priority[next] > priority[first])
            first = next;
    }
    return first;
}

// The best placements of a piece among those that are possible (game/moves.h): with gameover avoid the fatal
// ones are left out.
Evaluation evaluator_best(const Evaluator *evaluator, const Board *board, int piece);

// What the features of the family "move" give for a move, to be added to those of a later one: in a network,
// before the hidden units.
typedef struct MoveSums {
    int64_t sum[RATING_MAX_HIDDEN];
} MoveSums;

void evaluator_move_sums(const Evaluator *evaluator, const Situation *situation, MoveSums *sums);

// The best placements of a piece among those that the rules allow, under the original rules those that it can
// reach.
// -> earlier  of the move before; NULL: there is none
Evaluation evaluator_best_move(const Evaluator *evaluator, const Board *board, int piece,
                               const MoveSums *earlier);

// Every placement's value.
// <- value[p] for p in *legal (Moves.possible); *fatal: those that end the game
void evaluator_values(const Evaluator *evaluator, const Board *board, int piece, int64_t value[PLACEMENTS],
                      uint64_t *legal, uint64_t *fatal);

// From here on for ratings without hidden units only. What the placements of several pieces lead to, each on
// its board. An evaluator for boards with full rows leaves these where they are: `after` is not cleared, all
// else is as if it were.
// -> room  for all of them: MOST_PLACEMENTS for each question
// <- outcome[k]  where in it those of question k are, by placement, in ascending order; found[k]: how many
void evaluator_outcomes(const Evaluator *evaluator, int count, const BoardPiece *question, Outcome *room,
                        Outcome **outcome, int *found);

// The value of the best placement of several pieces on each of these boards, as evaluator_best says.
// -> own     of each board, as evaluator_board_values says; NULL: not known
// -> pieces  set of pieces (bit = piece)
// <- best    of these; INT64_MIN: the piece has no placement that is allowed
void evaluator_best_values(const Evaluator *evaluator, int boards, const Board *const *board,
                           const int64_t *own, uint32_t pieces, int64_t (*best)[PIECES]);

// <- what the board features alone give: the part of a move's value that is not of the family "move".
int64_t evaluator_board_value(const Evaluator *evaluator, const Board *board);
void evaluator_board_values(const Evaluator *evaluator, int boards, const Board *const *board,
                            int64_t *value);

// Plays games of the simplified rules on with the best placement for each piece (kernel_boards.h).
// -> ranks  for ties
// <- false: this rating has no fast path; nothing was done
bool evaluator_play(const Evaluator *evaluator, const Ranks *ranks, int count, Turn *turn,
                    bool (*again)(void *context, Turn *turn), void *context);

#endif
