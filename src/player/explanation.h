// SPDX-License-Identifier: GPL-3.0-or-later
// One decision of a player taken apart: what every feature gives to every move (player/ranking.h) and, where
// a move is worth the sum of what its features give, how a single weight would have to change, all others
// being as they are, for another move to be chosen.
//
// With weight w[i] the move k is worth  V[k] + (w[i] - now) * u[k][i],  u being what the feature gives with
// the weight 1 (its value, or a power of it): a straight line for every move. The move k is chosen where its
// line lies above all others. That is an open interval of w[i], whose ends are ties with other moves; it may
// be empty or without an end. Lines that are the same everywhere are left to the tie rule.
#ifndef TETRALAB_PLAYER_EXPLANATION_H
#define TETRALAB_PLAYER_EXPLANATION_H

#include "player/ranking.h"

typedef struct WeightRange {
    double low, high;    // the move is chosen for weights between them, without them; -+INFINITY: no end
    bool possible;       // false: for no weight, whatever low and high are
    int at_low, at_high; // ranks of the moves that are as good there; -1: none
} WeightRange;

typedef struct Explanation {
    const Ranking *ranking; // not owned
    int terms;              // shares of each move; 0: the player rates nothing
    RatingShare *share;     // owned; `terms` for each move in the order of the ranking
    WeightRange *range;     // owned; likewise. NULL: the moves are not worth the sums of these shares, or a
                            //   player that makes no move has none to choose; `limits` says so
    const char *limits;     // what cannot be explained, in whole sentences; NULL: nothing
} Explanation;

// -> game     as it was when the ranking was made of it
// -> ranking  used, not copied
// Free with explanation_free, also after an error.
bool explanation_make(Explanation *explanation, const Player *player, const Game *game,
                      const Ranking *ranking, Error *error);
void explanation_free(Explanation *explanation);

// <- how much less the move is worth than the chosen one. NaN: one of them has no value
double explanation_gap(const Ranking *ranking, int rank);

#endif
