// SPDX-License-Identifier: GPL-3.0-or-later
// The surface kernel: linear ratings of all published features, evaluated by what a placement changes at the
// surface of the pile. In vectors, lane j is the placement with left column j; a vector holds
// one orientation, or two where there is room. Lanes of 16 bits hold low piles (V_ROWS in lanes.h); the few
// moves on higher ones are left to lanes of 32 bits, or to the plain kernel. Placements that complete rows
// are few and are evaluated one at a time, as whole boards.
//
// With C the columns, H their heights, M the new cells, y the row where the piece lands, g = gap between
// the piece and the column below it, a placement that completes no row changes
//   holes               by the sum of g
//   column transitions  by 2 for every column with g > 0
//   row transitions     by 2 - 2 * (filled cells beside), for every row of the piece
//   hole depth          by its cells in columns that have a hole or get one
//   rows with holes     by the gap rows that had no hole
//   cumulative wells    in the columns of the piece and the two beside it; an open well is a look-up of
//                       (left & right) >> H
// and further features as surface_further.h says.
// This header is what the compilations of kernel_surface.c share with kernel.c.
#ifndef TETRALAB_FEATURE_KERNEL_SURFACE_H
#define TETRALAB_FEATURE_KERNEL_SURFACE_H

#include "feature/kernel.h"

// <- set of the features that it knows; tests make ratings of them.
uint64_t surface_features(void);

// Can the surface kernel evaluate this rating?
bool surface_supports(const Rating *rating);

typedef struct SurfacePlan SurfacePlan;

// What one compilation offers.
typedef struct SurfaceKernel {
    // <- a plan, aligned, to be freed with free(); NULL: out of memory.
    // -> tall  the same rating's plan in 32-bit lanes, for the boards that 16-bit lanes cannot hold
    SurfacePlan *(*prepare)(const Rating *rating, const Rules *rules, const SurfacePlan *tall);
    Evaluation (*best)(const SurfacePlan *plan, const Board *board, int64_t board_value, int piece);
    void (*values)(const SurfacePlan *plan, const Board *board, int64_t board_value, int piece,
                   int64_t value[PLACEMENTS], uint64_t *legal, uint64_t *fatal);
    int64_t (*board_value)(const SurfacePlan *plan, const Board *board);
    // evaluator_outcomes, evaluator_best_values
    int (*outcomes)(const SurfacePlan *plan, const Board *board, int64_t board_value, int piece,
                    Outcome outcome[PLACEMENTS]);
    void (*best_values)(const SurfacePlan *plan, const Board *board, int64_t board_value, uint32_t pieces,
                        int64_t best[PIECES]);
    // Plays one move of a greedy player. -> priority  NULL: ties go to the first
    void (*step)(const SurfacePlan *plan, Game *game, const int16_t *priority);
    void (*play)(const SurfacePlan *plan, Game *game, uint64_t moves, const HeightWindow *window,
                 const int16_t *priority);
} SurfaceKernel;

extern const SurfaceKernel surface_kernel_plain, surface_kernel_128, surface_kernel_avx2,
    surface_kernel_avx2_16, surface_kernel_avx512, surface_kernel_avx512_16;

#endif
