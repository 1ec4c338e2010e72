// SPDX-License-Identifier: GPL-3.0-or-later
// The published players, each with its weights as published and the place where they were published.
// Dellacherie's features are in the order of the papers: landing height l, eroded cells e, row transitions
// Δr, column transitions Δc, holes L, cumulative wells W; DU adds hole depth D and rows with holes R.
// xtris counts embedded holes while full rows are still on the board. After clearing there are W more empty
// cells for every row removed, each counting 1; the same weight on the filled cells takes that back. xtris
// rewards a deep drop with +290 per row. Here that is -290 times the landing height, as in the thesis, which
// counts from the middle of the piece; xtris counts from a fixed row of it, so that orientations of one piece
// may compare a little otherwise. tetr-ai takes twice the costs of all wells less that of the costliest one,
// which is the deepest here: they differ if one at or near a wall is six deep and another, further inside,
// even deeper. Of two orientations in the same columns its ties may take the other one. Learned players whose
// weights were never printed are not here. Our own are: builtin_records.h.
#include "player/builtin_records.h"

#include "player/strategy.h"

#define WEIGHTS(ID, ...)                                                                                     \
    .rating.given[FEATURE_##ID] = sizeof((double[]){__VA_ARGS__}) / sizeof(double),                          \
    .rating.weight[FIRST_OF_##ID] = __VA_ARGS__

#define DELLACHERIE_AND(WELLS, l, e, r, c, L, W)                                                             \
    WEIGHTS(LANDING_HEIGHT, l), WEIGHTS(ERODED_CELLS, e), WEIGHTS(ROW_TRANSITIONS, r),                       \
        WEIGHTS(COLUMN_TRANSITIONS, c), WEIGHTS(HOLES, L), WEIGHTS(WELLS, W)

#define DELLACHERIE(l, e, r, c, L, W) DELLACHERIE_AND(CUMULATIVE_WELLS, l, e, r, c, L, W)

#define DU(l, e, r, c, L, W, D, R)                                                                           \
    DELLACHERIE(l, e, r, c, L, W), WEIGHTS(HOLE_DEPTH, D), WEIGHTS(ROWS_WITH_HOLES, R)

#define DT(l, e, r, c, L, W, D, R, diversity)                                                                \
    DELLACHERIE_AND(CUMULATIVE_WELLS_FAST, l, e, r, c, L, W), WEIGHTS(HOLE_DEPTH, D),                        \
        WEIGHTS(ROWS_WITH_HOLES, R), WEIGHTS(DIVERSITY, diversity)

#define BCTS DU(-12.629, 6.601974, -9.215815, -19.77356, -13.08335, -10.48747, -1.611863, -24.04087)

#define DT_20 DT(-2.68, 1.38, -2.41, -6.32, 2.03, -2.71, -0.43, -9.48, 0.89)

#define FAHEY WEIGHTS(HOLES, -0.65), WEIGHTS(WEIGHTED_CELLS, -0.10), WEIGHTS(WELLS, -0.20)

// Two columns at equal distances from the walls: what a hole costs there, and a well's cell from the third
// on.
#define TETR_AI_WELLS(factor, deep) factor * 35.2, factor * 176, factor * 99, factor *deep
#define TETR_AI                                                                                              \
    WEIGHTS(MEAN_LANDING_HEIGHT, -67), WEIGHTS(REMOVED_LINES, 86), WEIGHTS(ROW_TRANSITIONS, -100),           \
        WEIGHTS(COLUMN_TRANSITIONS, -95), WEIGHTS(HIGHEST_HOLE_COLUMN, -75),                                 \
        WEIGHTS(HOLES_BY_COLUMN, -533, -489, -489, -401, -401),                                              \
        WEIGHTS(WELLS_BY_PLACE, TETR_AI_WELLS(-2, 533), TETR_AI_WELLS(-2, 489), TETR_AI_WELLS(-2, 489),      \
                TETR_AI_WELLS(-2, 401)),                                                                     \
        WEIGHTS(DEEPEST_WELL, TETR_AI_WELLS(1, 533), TETR_AI_WELLS(1, 489), TETR_AI_WELLS(1, 489),           \
                TETR_AI_WELLS(1, 401)),                                                                      \
        WEIGHTS(FITS_BOTH_WAYS, 0, 0, 78, 39, 78, 39, 78, 39, 78, 39)

#define EXPECTIMAX .player = PLAYER_EXPECTIMAX, .expectimax = {.depth = 2, .threads = 1}

// Cai, Zhang & Nebel plan ten known pieces; phases, lambda and gamma are not in the paper (docs/uct.md).
#define UCT(...)                                                                                             \
    .player = PLAYER_UCT, .ties = TIES_RANDOM,                                                               \
    .uct = {.pieces = 10, .preview = 10, .phases = 10000, .lambda = UCT_LAMBDA, .gamma = {__VA_ARGS__}}

// Name and source; then what is not as usual: a greedy player, ties to the first, a linear rating.
static const Strategy builtin[] = {
    {"dellacherie", "P. Dellacherie, in C. P. Fahey, Tetris AI, 2003", .ties = TIES_PRIORITY,
     DELLACHERIE(-1, 1, -1, -1, -4, -1)},
    {"dellacherie-first", "the weights of dellacherie; ties to the first placement",
     DELLACHERIE(-1, 1, -1, -1, -4, -1)},
    {"bcts", "Thiery & Scherrer, ICGA Journal 32, 2009: DU (known as BCTS)", BCTS},
    {"bcts-2", "the weights of bcts with the next piece known", .player = PLAYER_TWO_PIECE, BCTS},
    {"bdu", "Thiery & Scherrer, ICGA Journal 32, 2009: BDU (10 columns)",
     DU(-43.27153, -1.036039, -36.93346, -81.00232, -40.64, -41.17906, -13.27585, -75.47524),
     WEIGHTS(MAX_HEIGHT, 12.36382),
     WEIGHTS(COLUMN_HEIGHTS, -13.18725, -7.652075, 7.622007, -9.044294, -1.747279, -7.569865, -5.221819,
             -0.6874555, -6.4831, -16.01383),
     WEIGHTS(COLUMN_DIFFERENCES, 2.356909, 2.143912, -7.351929, 1.558139, 0.433698, 3.655922, -4.673708,
             -1.997187, 9.122675)},
    {"ce-d", "Thiery & Scherrer, ICGA Journal 32, 2009: Dellacherie's features, tuned",
     DELLACHERIE(-8.593742, 4.982987, -5.315517, -17.01111, -14.26038, -6.035001)},
    {"ga-du", "Amundsen, thesis, NTNU 2014, Table 4.2: genetic algorithm on DU's features",
     DU(-33, 9, -20, -76, 5, -31, -2, -65)},
    {"ga-free", "Amundsen, thesis, NTNU 2014, Table 4.3: free choice of features", WEIGHTS(HOLES, -35),
     WEIGHTS(LANDING_HEIGHT, -51), WEIGHTS(CELL_TRANSITIONS, -46), WEIGHTS(DEEP_WELLS, -12),
     WEIGHTS(HEIGHT_DIFFERENCES, 19), WEIGHTS(MEAN_HEIGHT, 6), WEIGHTS(DELTA_MAX_HEIGHT, 50),
     WEIGHTS(DELTA_HOLES, 25), WEIGHTS(DELTA_MEAN_HEIGHT, 17), WEIGHTS(WELLS, -19),
     WEIGHTS(ROW_TRANSITIONS, -38), WEIGHTS(CUMULATIVE_WELLS, -42), WEIGHTS(MIN_HEIGHT, -41),
     WEIGHTS(MEAN_MINUS_MIN_HEIGHT, -60), WEIGHTS(ADJACENT_HOLES, -155)},
    {"dt-10", "Scherrer et al., JMLR 16, 2015: DT-10",
     DT(-2.18, 2.42, -2.17, -3.31, 0.95, -2.22, -0.81, -9.65, 1.27)},
    {"dt-20", "Scherrer et al., JMLR 16, 2015: DT-20", DT_20},
    {"tetr-ai", "Misakamm, tetr-ai v2.0, 2026 (10 columns)", .ties = TIES_CENTRE, TETR_AI},
    {"fahey", "C. P. Fahey, Tetris AI, 2003: two pieces", .player = PLAYER_TWO_PIECE, .clear_late = true,
     FAHEY},
    {"fahey-1", "C. P. Fahey, Tetris AI, 2003: one piece", FAHEY, WEIGHTS(REMOVED_LINES, 0.30)},
    {"xtris", "R. Llima, the bot of xtris", .ties = TIES_RANDOM, WEIGHTS(PITS, -190), WEIGHTS(FRONTIER, -260),
     WEIGHTS(MAX_HEIGHT, -110), WEIGHTS(HOLES, -450), WEIGHTS(LANDING_HEIGHT, -290),
     WEIGHTS(EMBEDDED_HOLES, -80), WEIGHTS(CELLS, -80)},
    {"bcts-ahead", "the weights of bcts; looks one unknown piece ahead", EXPECTIMAX, BCTS},
    {"dt-20-ahead", "the weights of dt-20; looks one unknown piece ahead", EXPECTIMAX, DT_20},
    {"lab-20", "this program, 2026: imitation and CMA-ES for 10x20 (10 columns)", LAB_20},
    {"lab-20-2", "the weights of lab-20 with the next piece known", .player = PLAYER_TWO_PIECE, LAB_20},
    {"lab-20-match", "the weights of lab-20; plans ten known pieces for matches", .player = PLAYER_BEAM,
     .beam = {.pieces = 10, .width = 200, .rows = {0, -5000, 10000, 50000, 150000}}, LAB_20},
    {"lab-20b", "this program, 2026: lab-20 and a student of it looking ahead (10 columns)", LAB_20B},
    {"lab-20b-ahead", "the weights of lab-20b; looks one unknown piece ahead, by danger",
     .player = PLAYER_EXPECTIMAX, .expectimax = {.depth = 2, .candidates = 5, .danger = 11000, .threads = 1},
     LAB_20B},
    {"lab-20b-deep", "the weights of lab-20b; looks two unknown pieces ahead where the move is not clear",
     .player = PLAYER_EXPECTIMAX,
     .expectimax =
         {.depth = 3, .candidates = 4, .later_candidates = 1, .unsure = 1000, .danger = 11000, .threads = 1},
     LAB_20B},
    {"uct", "Cai, Zhang & Nebel 2011: UCT with pruning, ten known pieces", UCT(-0.2, -0.2, -0.1, -0.1, -0.1)},
    {"uct-plain", "Cai, Zhang & Nebel 2011: UCT without pruning, ten known pieces", UCT(0)},
};

enum { BUILTINS = sizeof builtin / sizeof *builtin };

void strategy_suggest(FILE *out) {
    for (int i = 0; strategy_builtin(i); i++)
        fprintf(out, " %s", strategy_builtin(i)->name);
}

const Strategy *strategy_builtin(int index) {
    return index >= 0 && index < BUILTINS ? &builtin[index] : NULL;
}
