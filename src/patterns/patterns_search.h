// SPDX-License-Identifier: GPL-3.0-or-later
// Looking ahead with the values of patterns (patterns/patterns.h):
//
//     Q(b, p, 1) = max over moves a of  lines(a) + v(b after a)                 0 if every move ends the game
//     Q(b, p, d) = max over moves a of  lines(a) + sum over q of P(q) Q(b after a, q, d - 1)
//
// v is what the patterns say, P the law of the pieces, which are independent. This is expectimax
// (player/expectimax.h) in lines instead of ratings: what is lost counts nothing, and needs no value of its
// own.
#ifndef TETRALAB_PATTERNS_PATTERNS_SEARCH_H
#define TETRALAB_PATTERNS_PATTERNS_SEARCH_H

#include "game/moves.h"
#include "game/rules.h"
#include "patterns/patterns.h"
#include "player/expectimax_law.h"
#include "player/move_values.h"
#include "player/strategy.h"

typedef struct PatternsSearch {
    const Patterns *patterns;
    const Rules *rules;
    PieceChances chances;
    int depth;
    int candidates; // moves of each piece but the last that are followed, the best by their values; 0: all
} PatternsSearch;

enum { PATTERNS_MAX_DEPTH = 6 };

// Are the pieces such that patterns can be learned and played: independent, and as likely as their mirror
// images? -> who  begins the sentence that says that they are not
bool patterns_check_pieces(const PieceSource *pieces, const char *who, Error *error);

// <- Q(b, p, 1). *best: the first of the best moves. false in *any: every move ends the game
int64_t patterns_greedy(const PatternsSearch *search, const Board *board, int piece, Move *best, bool *any);

// <- the best placements by Q(b, p, depth); 0: every one ends the game
// <-> values  in lines, of the placements that were followed; NULL: not wanted
uint64_t patterns_best(const PatternsSearch *search, const Board *board, int piece, MoveValues *values);

#endif
