// SPDX-License-Identifier: GPL-3.0-or-later
// Playing whole games by a crew. Game k of a seed is the same game whoever plays it, and scores are kept
// in the order of k, so that it changes no result how many workers there are.
#ifndef TETRALAB_MEASURE_PLAYING_H
#define TETRALAB_MEASURE_PLAYING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/work.h"
#include "game/game.h"
#include "measure/crew.h"
#include "measure/interval.h"
#include "player/player.h"

enum { PLAYING_MAX_GAMES = 10000000 }; // 24 bytes each

typedef struct PlayingPlan {
    const Player *player;
    uint64_t seed;
    uint64_t first;      // number of the first game; game k below means number first + k
    bool same_pieces;    // every game has the pieces of game 0, and its own random numbers for the player
    uint64_t games;      // play games 0 ... games-1; at most PLAYING_MAX_GAMES
    double precision;    // games = 0: play until the exact interval is within this fraction of the mean
    uint64_t max_pieces; // stop each game at so many pieces, its score is censored; 0 or UINT64_MAX: never
    Shard shard;         // play these alone
    const Score *known;  // of each game, NULL: of none; those that are played are not played again
    bool gaps;           // leave games that are not played where they are: in a shard, and after an interrupt
    Work work;           // unit: games; value: mean lines, those of games under way included
} PlayingPlan;

typedef struct Playing {
    Score *score; // owned; game k at [k]
    uint64_t games;
    bool interrupted; // `stop` ended it; see below
    bool precise;     // the wanted precision was reached (false also if none was wanted)
    uint64_t pieces;  // played, including games that were not needed in the end
    double seconds;
    Game first; // last position of game 0
} Playing;

// <- true: every game is the same (recorded pieces, a player that draws nothing), so that only one can be
// played.
bool playing_is_fixed(const Player *player);

// Plays. Free with playing_free, also after an error.
//
// A player that learns (StrategyNature) plays its games one after the other on one thread, so that a run can
// be repeated; on several threads the games that are under way at the same time learn from each other.
//
// Until a precision: the games are the shortest run 0 ... n-1 of which enough have ended by themselves
// (interval_games_for). That number does not depend on the scores, so stopping there favours neither short
// nor long games. Without max_pieces, n is that number. With it, a game that is stopped asks for one more; if
// PLAYING_MAX_GAMES do not suffice, `precise` is false.
//
// Interrupted: every game that had been started counts, those under way as censored at that moment. To
// leave them out would favour short games, even if one kept only the games before the first unfinished one.
bool playing_run(Playing *playing, const PlayingPlan *plan, Error *error);
void playing_free(Playing *playing);
extern const CrewKind game_kind;

#endif
