// SPDX-License-Identifier: GPL-3.0-or-later
// Matches between players (game/match.h) on all cores. Match k of a seed is the same match whoever plays it
// and on any number of threads, unless a limit on time is set, for the match or inside a player.
#ifndef TETRALAB_MEASURE_MATCHES_H
#define TETRALAB_MEASURE_MATCHES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/work.h"
#include "game/match.h"
#include "game/record.h"
#include "measure/interval.h"
#include "player/player.h"

enum { MATCHES_MAX = 1000000, MATCHES_MAX_ROUNDS = 1000000000 };

typedef struct MatchesPlan {
    const Player *const *player; // `players` of them, all made for equal rules
    int players;                 // MATCH_LEAST_SEATS ... MATCH_MAX_SEATS
    uint64_t seed, matches;      // matches 1 ... matches; at most MATCHES_MAX
    MatchSequence sequence;
    uint64_t max_rounds; // then a match ends and nobody has won; at most MATCHES_MAX_ROUNDS
    double move_time;    // seconds; a player that takes longer for a move has lost the match; 0: no limit
    uint64_t kept;       // number of the match whose record and last position are kept, 0: none
    bool record;         // keep its record, too
    Work work;           // unit: matches. Stopped, the run ends with the matches that have ended
} MatchesPlan;

// What one player did in all matches that ended.
typedef struct PlayerTotal {
    uint64_t wins;
    uint64_t pieces, lines;
    uint64_t moves[MATCH_ROWS]; // by the rows that they removed
    uint64_t sent, received;    // attack rows
    uint64_t late;              // matches lost by taking too long
    uint64_t choices;           // moves that it was asked for, and
    double seconds;             //   how long that took
} PlayerTotal;

typedef struct MatchOutcome {
    uint32_t rounds;
    int8_t winner; // player, -1: none
    uint8_t end;   // MatchEnd; MATCH_RUNNING: it was not played to its end
} MatchOutcome;

typedef struct Matches {
    MatchOutcome *outcome; // owned; match k at [k - 1]
    uint64_t matches;      // outcomes
    uint64_t ended;        // matches that were played to their end
    uint64_t draws;        // of them nobody won so many: the last players were lost together
    uint64_t limit;        //   or the limit on rounds was reached, or the pieces were used up
    uint64_t rounds;       // of those that ended
    PlayerTotal total[MATCH_MAX_SEATS];
    bool interrupted; // the matches that ended count; that favours short ones
    double seconds;
    bool has_kept, has_record; // the match to be kept was played, at least in part
    Match kept;
    Record record;
} Matches;

// Plays. Free with matches_free, also after an error.
bool matches_run(Matches *matches, const MatchesPlan *plan, Error *error);
void matches_free(Matches *matches);

// <- the 95 % interval of a probability of which `wins` of `games` trials have come true (Wilson 1927); 0 ...
// 1 without any.
Interval matches_interval(uint64_t wins, uint64_t games);

// <- how often wins as unevenly shared between two equal players as this, or more so, come by chance (the
// two-sided sign test).
double matches_chance(uint64_t wins, uint64_t losses);

#endif
