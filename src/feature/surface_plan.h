// SPDX-License-Identifier: GPL-3.0-or-later
// The surface kernel's tables: everything about the pieces, the weights and the board that does not change
// during a game. surface_fill.h fills them. Part of kernel_surface.c and kernel_surface_plain.c; see
// kernel_surface.h.
#ifndef TETRALAB_FEATURE_SURFACE_PLAN_H
#define TETRALAB_FEATURE_SURFACE_PLAN_H

#include "feature/kernel_surface.h"
#include "feature/lanes.h"
#include "feature/surface_tables.h"
#include "feature/well_tables.h"

// A weighted sum of V. In vectors it is kept in two parts, value = high * 32768 + low, since products of
// 16 bits are what vector units do best; 16-bit lanes need two wide vectors for each part.
#if V_LANES > 1
enum { BATCHES = V_LANES == 32 ? 2 : 4 };
typedef struct Sum {
    W high[SUM_PARTS], low[SUM_PARTS];
} Sum;
typedef struct Weights { // two to a lane: upper and lower 15 bits
    W high, low;
} Weights;
typedef Sum LaneWeights; // the same, different from lane to lane
#else
enum { BATCHES = 4 };
typedef int64_t Sum;
typedef struct Weights {
    int64_t first, second;
} Weights;
#endif

// Whole boards, lane x = column x: in lanes of 16 bits where these take fewer registers, else of 32 bits.
#ifdef V_ROTATES
typedef V C;
#define c(operation) v_##operation
#define c_any(a)     vm_any(a)
#define C_INSIDE(p)  ((p)->lane_inside)
#elif V_LANES > 1
typedef W C;
#define c(operation) w_##operation
#define c_any(a)     wm_any(w_nonzero(a))
#define C_INSIDE(p)  ((p)->inside)
#endif

enum { SCAN_STEPS = 4 }; // 1, 2, 4 and 8 columns: enough to look over all of them

// Rows of weights: which two numbers share a multiplication.
enum { PAIR_LANDING_SIDES, PAIR_GAPS_HOLES, PAIR_WELLS_DEPTH, PAIR_ROWS_DIVERSITY, PAIRS };

// Further features (surface_further.h): the numbers that placements change, and what is multiplied with
// which. Features that describe the change of another one multiply the same number.
enum {
    HIGHEST,
    LOWEST,
    HEIGHT_SUM,
    HIGHEST_ABOVE_MEAN,
    LOWEST_BELOW_MEAN,
    HEIGHT_SPAN,
    STEPS,
    STEP_SUM,
    WELL_SUM,
    DEEP_WELL_SUM,
    DEEPEST_WELL,
    ROW_SUM,
    COVERS,
    CELL_PAIRS,
    PIT_SUM,
    GAP_SUM,
    FAST_WELL_SUM,
    MEAN_DEPTH,
    EMBEDDED_SUM,
    FURTHER_NUMBERS
};
static const struct FurtherTerm {
    FeatureId feature;
    uint8_t number;
} further_terms[] = {
    {FEATURE_MAX_HEIGHT, HIGHEST},
    {FEATURE_DELTA_MAX_HEIGHT, HIGHEST},
    {FEATURE_MIN_HEIGHT, LOWEST},
    {FEATURE_MEAN_HEIGHT, HEIGHT_SUM},
    {FEATURE_DELTA_MEAN_HEIGHT, HEIGHT_SUM},
    {FEATURE_MAX_MINUS_MEAN_HEIGHT, HIGHEST_ABOVE_MEAN},
    {FEATURE_MEAN_MINUS_MIN_HEIGHT, LOWEST_BELOW_MEAN},
    {FEATURE_HEIGHT_RANGE, HEIGHT_SPAN},
    {FEATURE_JAGS, STEPS},
    {FEATURE_HEIGHT_DIFFERENCES, STEP_SUM},
    {FEATURE_DELTA_HEIGHT_DIFFERENCES, STEP_SUM},
    {FEATURE_WELLS, WELL_SUM},
    {FEATURE_DEEP_WELLS, DEEP_WELL_SUM},
    {FEATURE_MAX_WELL_DEPTH, DEEPEST_WELL},
    {FEATURE_WEIGHTED_CELLS, ROW_SUM},
    {FEATURE_MEAN_LANDING_HEIGHT, ROW_SUM},
    {FEATURE_ADJACENT_HOLES, COVERS},
    {FEATURE_CELL_TRANSITIONS, CELL_PAIRS},
    {FEATURE_FRONTIER, CELL_PAIRS},
    {FEATURE_PITS, PIT_SUM},
    {FEATURE_DELTA_HOLES, GAP_SUM},
    {FEATURE_CUMULATIVE_WELLS_FAST, FAST_WELL_SUM}, // beside the other one
    {FEATURE_MEAN_HOLE_DEPTH, MEAN_DEPTH},
    {FEATURE_EMBEDDED_HOLES, EMBEDDED_SUM},
};
enum { FURTHER_TERMS = sizeof further_terms / sizeof *further_terms };

#define BIT(ID) ((uint64_t)1 << FEATURE_##ID)
#define DELTA_FEATURES                                                                                       \
    (BIT(DELTA_MAX_HEIGHT) | BIT(DELTA_HOLES) | BIT(DELTA_HEIGHT_DIFFERENCES) | BIT(DELTA_MEAN_HEIGHT))
#define HIGHEST_FEATURES                                                                                     \
    (BIT(MAX_HEIGHT) | BIT(DELTA_MAX_HEIGHT) | BIT(MAX_MINUS_MEAN_HEIGHT) | BIT(HEIGHT_RANGE))
#define LOWEST_FEATURES (BIT(MIN_HEIGHT) | BIT(MEAN_MINUS_MIN_HEIGHT) | BIT(HEIGHT_RANGE))
#define STEP_SUMS       (BIT(JAGS) | BIT(HEIGHT_DIFFERENCES) | BIT(DELTA_HEIGHT_DIFFERENCES))
#define STEP_FEATURES   (STEP_SUMS | BIT(COLUMN_DIFFERENCES))
#define PAIR_FEATURES   (BIT(CELL_TRANSITIONS) | BIT(FRONTIER))
#define STEP_TABLES     (BIT(STEP_SIZES) | BIT(WALL_STEPS) | BIT(STEP_PAIRS) | BIT(STEP_TRIPLES))
#define FIT_TABLES      (BIT(FITS) | BIT(FITS_BOTH_WAYS))
#define TABLE_FEATURES                                                                                       \
    (STEP_TABLES | FIT_TABLES | BIT(WELLS_BY_DEPTH) | BIT(WELLS_BY_PLACE) | BIT(DEEPEST_WELL) |              \
     BIT(HOLES_BY_COLUMN) | BIT(HIGHEST_HOLE) | BIT(HIGHEST_HOLE_COLUMN) | BIT(NEAR_TOP))
#define BOTH_WELLS (BIT(CUMULATIVE_WELLS) | BIT(CUMULATIVE_WELLS_FAST))

// How the lanes of V are used: `copies` times all columns of the board, each copy `stride` lanes wide, for
// one orientation each. `wall` is a lane that is always outside the board.
#if V_LANES == 32
#define WIDE_LAYOUT   ((Layout){16, 2, 15})
#define PACKED_LAYOUT ((Layout){10, 3, 30}) // surface_packed.h
#elif V_LANES == 16
#define WIDE_LAYOUT   ((Layout){16, 1, 15})
#define PAIRED_LAYOUT ((Layout){8, 2, 15}) // surface_paired.h
#else
#define WIDE_LAYOUT ((Layout){1, 1, 0})
#endif
typedef struct Layout {
    int stride, copies, wall;
} Layout;

typedef struct Oriented {
    int piece, orientation;
} Oriented;

// One vector of placements: an orientation for each copy of the columns, lane by lane. A narrower orientation
// beside a wider one is treated as a piece with columns that have no cells ("absent").
typedef struct Batch {
    V bottom[4];              // lowest cell of the column
    V cells[4];               // the column's cells, as bits from the piece's lowest row
    V count[4];               // how many
    V floor[4];               // 1 << bottom: ends the gap
    V top[4];                 // bottom + count
    V single_rows, wide_rows; // rows of the piece with one cell; with `wide_cells` cells
    V fits;                   // highest landing row that stays inside the board
    V height;                 // of the piece
    V row_cells;              // how many cells each of its rows has, four bits each
    V differences;            // of the tops of neighbouring columns, as in surface_around.h
    V covers[4]; // the row below each column: 1 in its four bits, from two rows below the piece on
#ifdef V_ROTATES
    V lanes; // all ones in those inside the walls
#endif
#ifdef V_MULTIPLIES
    V top_down[4]; // v_down_more() by top
#endif
    Sum constant;        // what the orientation adds wherever it lands
    uint32_t legal;      // lanes inside the walls
    uint32_t present[4]; // lanes whose orientation has this column
    int width, wide_cells;
#ifdef W_GATHERS
    V entries; // where the orientation's LaneTables begin
    V middle;  // the same in the middle
#endif
    int narrow; // width of the narrower orientation; 0: all are of one width
    int parts;
    Oriented part[3]; // the placements of each copy, `parts` of them
} Batch;

typedef struct PiecePlan {
    int batches;
    Batch batch[BATCHES];
} PiecePlan;

struct SurfacePlan {
    PiecePlan piece[PIECES];
    const uint8_t *wells; // well_table
#if V_LANES > 1
    V pair[5]; // 31 in the lanes where columns j - 1 + i and j + i both exist, else 0
#ifdef V_ROTATES
    V lane_walls, lane_heights; // of the lanes outside the board, as high as 16 bits can hold
    V lane_inside;              // all ones in the board's lanes
#else
    V column[8]; // permutations: lane j <- column j - 2 ... j + 5, walls outside
    V from_left[SCAN_STEPS], from_right[SCAN_STEPS]; // lane j <- column j - 2^k; j + 2^k
    V first;                                         // every lane <- column 0
    V spread;                                        // lane j <- its column, of two copies in a wide layout
#if V_LANES == 32
    V apart[SCAN_STEPS]; // from_left in the first copy, from_right in the others, each from itself
    V second[6];         // lane j <- column j + offset of the second copy
    V second_first;      // every lane <- column 0 of it
#endif
#endif
    W sum_column[SUM_PARTS]; // permutations: the place of each lane in a sum <- its column
#ifdef W_GATHERS
    V no_step[5];                   // STEP_NONE where columns j - 1 + i and j + i do not both exist
    V place[6];                     // of columns j - 1 + i: 3 at a wall, 0 from three columns on
    C column_no_step, column_place; // the same of step x; of column x
#endif
    Weights highest_hole;             // its column's height and its row
    LaneWeights holes_by_column[2];   // of columns j and j + 1, j + 2 and j + 3
    LaneWeights heights[2], steps[3]; // of columns j and j + 1, j + 2 and j + 3; of steps j - 1 and j ...
#ifndef V_ROTATES
    W walls;        // the wall lanes' columns
    W wall_heights; // and heights: so high that nothing is left of a shift by it
    W inside;       // all ones in the board's lanes
    W left, right;  // permutations of W: lane j <- lane j - 1; j + 1
#endif
    uint32_t slide[PIECES][ORIENTATIONS][3 * BOARD_COLUMNS]; // a piece's columns, to be loaded at any offset
#endif
    Weights weights[PAIRS];
    Weights board_weights[3]; // for whole boards: rows+columns, holes+wells, depth
    int64_t rows_above;       // row transitions above what lanes of 16 bits hold
    Weights further_weights[(FURTHER_TERMS + 1) / 2];
    uint8_t number[FURTHER_TERMS + 1]; // that the further terms multiply
    int further_pairs;
    uint64_t features;        // that the rating uses
    int64_t weight[FEATURES]; // of whole boards; a change's is that of what changes
    int64_t column_weight[BOARD_COLUMNS], step_weight[BOARD_COLUMNS];
    int64_t landing, mean_landing, eroded, removed, rows, columns, holes, depth, well, rows_with_holes,
        diversity; // weights
    bool fast_wells, use_wells, use_diversity, deltas, avoid, lenient;
    bool further, more;       // further features; those that are no tables
    bool mean_with_landing;   // mean-landing-height is part of the weight of the landing row
    bool roomy;               // no piece on a pile that these lanes hold can reach the top
    int width, height, limit; // limit: rows a piece must fit into
    Layout layout;
    const TablePlan *tables; // a part of this plan; NULL: the rating uses none
    const SurfacePlan *tall;
    const SurfacePlan
        *packed; // the same in another layout, as a part of this plan; NULL: the board is too wide
};

#ifdef V_ROTATES
// The batches of the paired layout: all orientations three columns wide.
enum { PAIRED_BATCHES = 4, PAIRED_WIDTH = 10 };
static const Oriented paired_part[PAIRED_BATCHES][2] = {
    {{PIECE_S, 0}, {PIECE_Z, 0}},
    {{PIECE_L, 0}, {PIECE_L, 2}},
    {{PIECE_J, 0}, {PIECE_J, 2}},
    {{PIECE_T, 0}, {PIECE_T, 2}},
};
#endif

#if V_LANES == 32
// The batches of the packed layout: orientations of the same width and the same wide rows together.
enum { PACKED_BATCHES = 7 };
static const Oriented packed_part[PACKED_BATCHES][3] = {
    {{PIECE_S, 0}, {PIECE_Z, 0}},               // 3 columns
    {{PIECE_L, 0}, {PIECE_L, 2}, {PIECE_J, 0}}, // 3
    {{PIECE_J, 2}, {PIECE_T, 0}, {PIECE_T, 2}}, // 3
    {{PIECE_O, 0}, {PIECE_S, 1}, {PIECE_Z, 1}}, // 2
    {{PIECE_L, 1}, {PIECE_L, 3}, {PIECE_J, 1}}, // 2
    {{PIECE_J, 3}, {PIECE_T, 1}, {PIECE_T, 3}}, // 2
    {{PIECE_I, 0}, {PIECE_I, 1}}                // 4 and 1
};
static const int packed_parts[PACKED_BATCHES] = {2, 3, 3, 3, 3, 3, 2};

INLINE const Batch *packed_batch(const SurfacePlan *packed, int k) {
    return &packed->piece[k].batch[0];
}
#endif

// Where popcount is no instruction, the compilers call a function for it.
INLINE int count_bits(uint32_t a) {
#if defined __POPCNT__ || defined __aarch64__ || defined __wasm__
    return __builtin_popcount(a);
#else
    a -= (a >> 1) & 0x55555555;
    a = (a & 0x33333333) + ((a >> 2) & 0x33333333);
    return (int)((((a + (a >> 4)) & 0x0f0f0f0f) * 0x01010101) >> 24);
#endif
}

// The sum of its cells' rows.
static inline int shape_rows(const Shape *shape) {
    int rows = 0;
    for (int i = 0; i < shape->width; i++)
        rows += shape->cells[i] * (2 * shape->bottom[i] + shape->cells[i] - 1) / 2;
    return rows;
}

// What the features of the move give.
INLINE int64_t move_value(const SurfacePlan *plan, const Shape *shape, int row, uint32_t full) {
    int lines = count_bits(full), eroded = 0;
    if (full)
        for (int i = 0; i < shape->width; i++)
            eroded += count_bits(full & ((1u << shape->cells[i]) - 1) << (row + shape->bottom[i]));
    return plan->landing * (2 * row + shape->height - 1) + plan->removed * lines +
           plan->eroded * lines * eroded +
           (plan->mean_landing ? plan->mean_landing * (4 * row + shape_rows(shape)) : 0);
}

#endif
