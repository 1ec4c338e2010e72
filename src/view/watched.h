// SPDX-License-Identifier: GPL-3.0-or-later
// A game or match that is watched: everything that was played so far, and the round of it that is shown. It
// is recorded, or live: then its players make further rounds, and a human may be one of them.
//
// One can go to any round. The moves are all kept (a byte each), and the height of the piles (another byte);
// the rest follows by playing from one of at most WATCHED_POINTS rounds that were kept whole. Neither clock
// nor terminal is known here.
#ifndef TETRALAB_VIEW_WATCHED_H
#define TETRALAB_VIEW_WATCHED_H

#include "game/record.h"
#include "picture/film.h"
#include "player/ranking.h"

enum { WATCHED_POINTS = 512, WATCHED_SPACING = 32 };

// A round as it is shown, when the pieces have come to rest and full rows are still there.
typedef struct WatchedRound {
    Match before, after; // around it; the same at the start
    FilmBoard board[MATCH_MAX_SEATS];
} WatchedRound;

typedef struct WatchedPlan {
    const Rules *rules; // outlive it
    int seats;
    const Player *player[MATCH_MAX_SEATS]; // who chooses; NULL: the human
    const char *name[MATCH_MAX_SEATS];
    MatchSequence sequence;
    uint64_t seed, number;
    uint64_t limit; // rounds
} WatchedPlan;

typedef struct Watched {
    WatchedRound shown;
    Match last; // after all rounds so far, as the players left it
    Record record;
    size_t at; // the round that is shown: 1, 2, ...; 0: the start
    bool live;
    int human; // seat; -1: none
    uint64_t limit;
    const Player *player[MATCH_MAX_SEATS]; // who is asked about the moves; NULL: nobody

    uint8_t *height; // owned; of the piles after each round, by seat, from the start on
    size_t height_room;
    size_t danger[MATCH_MAX_SEATS]; // the round in which the pile of the seat was first the highest,
    int highest[MATCH_MAX_SEATS];   //   and how high it was

    WatchedRound *point; // owned; rounds 0, spacing, 2 * spacing, ...
    int points;
    size_t spacing;

    Ranking ranking[MATCH_MAX_SEATS]; // of the moves in round `ranked`
    size_t ranked[MATCH_MAX_SEATS];   // 0: none is known
} Watched;

// Free with watched_free, also after an error. NULL: out of memory
Watched *watched_new(const WatchedPlan *plan, Error *error);
// A record, from its start. -> record  taken over, also after an error
// -> player  is asked about the moves of all seats; NULL: nobody is
Watched *watched_record(Record *record, const Player *player, Error *error);
void watched_free(Watched *watched);

// The next round: one that was played already, or a new one of the players.
// <- false: there is none, or it is the human's turn; or the error says that it cannot be kept
bool watched_forward(Watched *watched, Error *error);
// Is the last round shown, and is it the human's turn to move?
bool watched_is_human(const Watched *watched);
// A new round with the human's move, one that game_can_move allows.
bool watched_move(Watched *watched, Placement move, Error *error);
// Shows any round so far.
void watched_seek(Watched *watched, size_t round);

// Is the last round shown, and will there be no other?
bool watched_is_over(const Watched *watched);
int watched_height(const Watched *watched, size_t round, int seat);

// The moves of the seat in the shown round in the order that its player prefers. NULL: nobody can be asked
const Ranking *watched_ranking(Watched *watched, int seat);
// The move that was made there; below 0: none
int watched_made(const Watched *watched, int seat);

#endif
