// SPDX-License-Identifier: GPL-3.0-or-later
// All moves of the piece in hand in the order in which a player prefers them, with what it thinks of each
// and, where it rates by features, what every feature gives.
//
// The first is the player's own choice, the others follow by their values: those that the player compares.
//
//   greedy      the rating of the move
//   two-piece   the rating of the best pair of moves that begins with it
//   expectimax  the mean of the best lines of play that begin with it
//   uct         the highest reward planned with it (or the mean; then the most visits come first)
//   table       the lines that are still to come
//
// Equal ones stand as the tie rule has them (at random: in the order of placements, behind the chosen one).
// Then come the moves without a value: those that it did not look at, the higher rating first, and last those
// that end the game, which a player values only with the rule gameover evaluate.
#ifndef TETRALAB_PLAYER_RANKING_H
#define TETRALAB_PLAYER_RANKING_H

#include "feature/rating.h"
#include "game/game.h"
#include "game/moves.h"
#include "player/player.h"

typedef struct RankedMove {
    Move move;
    bool ends;       // the game
    double value;    // NaN: the player has none; -INFINITY: no move can follow
    double rating;   // of the move by itself, or of the board after it (ranking_features); NaN: not rated
    uint32_t visits; // of a player that plans
} RankedMove;

typedef struct Ranking {
    bool chosen;  // the first move is the player's choice; false: it makes none, every move ends the game
    bool planned; // moves have visits
    bool rated;   // values are ratings of the moves by themselves
    int count;
    RankedMove move[PLACEMENTS];
} Ranking;

// The same choice as player_choose, with the same random numbers, and the ranking besides.
// <- that choice, as player_choose gives it
Placement player_rank(const Player *player, Game *game, Ranking *ranking);

// The features that the rating of a ranked move is made of. Players that rate only the boards at the end of
// what they planned (UCT) have the features of the board after the move, without those of the move itself.
// <- how many shares; room for RATING_MAX_TERMS. 0: the player rates nothing
int ranking_features(const Player *player, const Board *board, int piece, const Move *move,
                     RatingShare *share);

#endif
