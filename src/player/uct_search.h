// SPDX-License-Identifier: GPL-3.0-or-later
// One planning episode: phases from the root of a tree. See player/uct.c for what is chosen and why.
#ifndef TETRALAB_PLAYER_UCT_SEARCH_H
#define TETRALAB_PLAYER_UCT_SEARCH_H

#include "feature/kernel.h"
#include "game/game.h"
#include "player/move_values.h"
#include "player/strategy.h"
#include "player/uct_tree.h"

enum {
    UCT_MAX_PIECES = 64,
    UCT_MAX_REWARD = 1000, // leaves are worth at most so much, either way
    UCT_TABLE = 2048       // roots that are kept
};

// The paper's rewards, in millionths: for 0 to 4 rows, and for a lost game.
extern const int32_t uct_rewards[STRATEGY_ROWS];
extern const int32_t uct_lost;

// What all episodes of a player share.
typedef struct UctRule {
    const Rules *rules;
    const Evaluator *evaluator; // NULL: leaves are worth 0
    double leaf_factor;         // millionths of reward per unit of the evaluator
    double lambda;
    bool mean, pruning;
    int32_t gamma[STRATEGY_ROWS];   // in millionths
    double width[UCT_TABLE];        // lambda sqrt(ln s)
    double inverse_root[UCT_TABLE]; // 1 / sqrt(t)
} UctRule;

UctRule uct_rule(const UctOptions *options, const Rules *rules, const Evaluator *evaluator, double scale);

// The pieces that the player knows.
typedef struct UctPieces {
    int planned, known;
    int8_t piece[UCT_MAX_PIECES];
    PieceStream unknown; // where it draws the others; its random numbers do not count
} UctPieces;

UctPieces uct_pieces(const Game *game, int planned, int preview);

typedef struct UctSearch {
    const UctRule *rule;
    const Board *board;
    const UctPieces *pieces;
    UctTree *tree;  // node 0 is the root
    Random *random; // drawn from
} UctSearch;

void uct_phase(const UctSearch *search);

// The root's placements that planning puts first, and what they are worth, in millionths.
typedef struct UctBest {
    uint64_t placements; // 0: the root has not been visited
    int64_t value;
} UctBest;
UctBest uct_best(const UctSearch *search);
// What planning thinks of all placements of the root that it visited.
void uct_values(const UctSearch *search, MoveValues *values);

// <- the placements that a phase would try first
uint64_t uct_first(const UctRule *rule, const Board *board, int piece);

#endif
