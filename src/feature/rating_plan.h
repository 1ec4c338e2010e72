// SPDX-License-Identifier: GPL-3.0-or-later
// A rating on a board size under rules, prepared for the kernel (kernel_boards.h): weights by pairs, tables,
// constants of orientations. The same for all machines.
//
// A feature that a change is counted for (delta-holes ...) enters with the weight of its board feature: the
// part of it that the board before the move gives is the same for all placements. So there are two values of
// a board: what its features give (evaluator_board_value), and its level, with the weights of changes added,
// from which what a placement changes is counted.
#ifndef TETRALAB_FEATURE_RATING_PLAN_H
#define TETRALAB_FEATURE_RATING_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "feature/feature.h"
#include "feature/rating.h"
#include "game/piece.h"
#include "game/rules.h"

#define BIT(ID) ((uint64_t)1 << FEATURE_##ID)

// Weights of two values, each cut into 16 upper and 15 lower bits.
typedef struct PairWeights {
    int32_t high, low;
} PairWeights;

static inline int place_of(int x, int width) { // columns from the wall, at most 3
    int from = 2 * x < width ? x : width - 1 - x;
    return from < 3 ? from : 3;
}

PairWeights pair_weights(int64_t first, int64_t second);

// Values that are weighed together. `slot`: feature_first + index; the last one may be a filler.
typedef struct Terms {
    int count; // even for linear ratings
    uint16_t slot[RATING_MAX_TERMS + 1];
    PairWeights weight[RATING_MAX_TERMS / 2 + 1];
    const int32_t *table[RATING_MAX_TERMS + 1]; // of ratings with powers, else NULL
} Terms;

enum { STEP_CLIP = 3, STEP_KINDS = 7, STEP_ENTRIES = STEP_KINDS * STEP_KINDS * STEP_KINDS };
enum { END_SHAPES = 5 + 9 };
enum { TIE_BITS = 6 };

// How a piece looks from one of its ends: by how much that column stands above the next one, and if there are
// three, how much that one above the third.
static inline int end_shape(const Shape *shape, bool right) {
#define TOP_OF(i)                                                                                            \
    (shape->bottom[right ? shape->width - 1 - (i) : (i)] + shape->cells[right ? shape->width - 1 - (i) : (i)])
    int near = TOP_OF(0) - TOP_OF(1);
    return shape->width < 3 ? near + 2 : 5 + 3 * (near + 1) + TOP_OF(1) - TOP_OF(2) + 1;
#undef TOP_OF
}

typedef struct RatingPlan {
    const Rating *rating;
    int width, height;
    int limit; // rows that a piece may reach without ending the game
    bool lenient, avoid;
    uint64_t features;     // those whose values are needed, of the board after the move and of the move
    bool incremental;      // placements that complete no row are valued by what they change
    bool additive;         // the level is a sum over places of the surface: rows below it do not matter
    bool tables;           // there are numbers to be looked up
    bool surface;          // features of heights alone are used
    bool looks_at_heights; // these, or others that need the heights of columns
    Terms all;             // of the move and the board
    Terms board;           // of the level
    Terms plain;           // of the board's own value
    Terms heights;         // those of `board` that depend on the heights alone
    Terms around;          // those of them that are not weighed column by column
    bool has_changes;      // `board` and `plain` differ
    int64_t still;         // what powers of the move's features give where there is no move

    // What a placement changes, for incremental ratings.
    PairWeights pair[4]; // landing row, new holes; filled cells beside the piece, wells; columns without a
                         // gap, less hole depth; rows that get their first hole, columns without a gap
    int pairs;           // 1: the others weigh nothing
    bool by_side, has_highest_hole; // are these weighed?
    bool further;                   // anything beyond the first four pairs?
    bool only_diversity;            // nothing but this
    PairWeights with_diversity;     // the last pair then: rows that get their first hole, diversity
    uint8_t shape_steps[PIECES][ORIENTATIONS];        // set of the steps on top of it: bit k is k - 2
    bool wells, fast_wells;                           // 23 or 23b; 23b
    int64_t row_weight;                               // of the landing row
    PairWeights constant_parts[PIECES][ORIENTATIONS]; // `high` * 2^15 + `low`

    int64_t move_row;                             // of the landing row
    int64_t move_value[PIECES][ORIENTATIONS][16]; // by the rows of the piece that it completes
    int shape_rows[PIECES][ORIENTATIONS];         // sum of its cells' rows, from 0
    _Alignas(64) uint32_t outside[BOARD_COLUMNS]; // all bits of columns that the board does not have
    uint16_t shape[PIECES][ORIENTATIONS][32];     // its columns from [16] on

    // Of the surface, from the left wall on: height, and difference to the next; wells.
    bool by_column, by_place;
    PairWeights column[BOARD_MAX_WIDTH + 2], well[BOARD_MAX_WIDTH + 2][2];
    PairWeights side[BOARD_MAX_WIDTH + 2]; // of holes in a column and the next one
    uint16_t inner[BOARD_MAX_WIDTH + 2];   // mask: is there a next one?
    uint8_t nearness[BOARD_MAX_WIDTH + 2]; // 3 - columns between it and the wall, at least 0
    int32_t deepest[68];                   // by depth << 2 | nearness

    // The same for the steps at one end of a piece at least two columns wide; owned. By the distance of the
    // wall from that end, at most 3; two steps beside the piece, and its own above the column next to it.
    int32_t (*ends)[2][END_SHAPES][4][STEP_ENTRIES];
    int32_t *steps;  // owned; STEP_ENTRIES for the first pair of columns, inner ones, the last one
    bool wide_steps; // too large for one number: `steps` has the lower 15 bits, and the rest follows
} RatingPlan;

extern const uint64_t rating_plan_features; // those that the kernel knows

// Is there a kernel for such a rating? Else it is left to the reference definitions.
bool rating_plan_possible(const Rating *rating);

// -> full_rows  boards may hold full rows that have not been cleared yet
// <- NULL: out of memory
RatingPlan *rating_plan_new(const Rating *rating, const Rules *rules, bool full_rows);
void rating_plan_free(RatingPlan *plan);

// What the features of the move itself give. -> full  the rows that it completes
int64_t rating_plan_move_powers(const RatingPlan *plan, int piece, int orientation, int row, uint32_t full);
static inline int64_t rating_plan_move(const RatingPlan *plan, int piece, int orientation, int row,
                                       uint32_t full) {
    return plan->move_row * row + plan->move_value[piece][orientation][full >> row & 15];
}

#endif
