// SPDX-License-Identifier: GPL-3.0-or-later
// Looking ahead over pieces that are not known yet.
//
//     Q(b, p, 1) = max over placements a of  m(a) + v(b after a)                 the greedy player
//     Q(b, p, d) = max over placements a of  m(a) + sum over q of P(q) Q(b after a, q, d - 1)
//
// m: what the move features give for the placement, v: what the board features give (feature/kernel.h). A
// piece q that cannot be placed has the value `dead`. P is the law of the pieces; of a bag, what is left in
// it.
//
// With the option danger the sum is  -danger ln sum over q of P(q) e^(-Q(...) / danger):  if the rating is
// such that e^(-value / danger) is about the probability to lose, this is the mean of the probabilities.
//
// With the option candidates only so many placements of each piece but the last are followed, the best by
// m + v; with later candidates, other numbers of the piece in hand and of those after it.
//
// With the option unsure the depth begins at 2 (3 if the next piece is known). As long as it is below
// `depth`, placements of the piece in hand that are worse than the best by more than that drop out, and the
// others are valued anew, one piece deeper; the last one left is the move.
//
// Values are whole numbers: means are rounded down, and exponentials are those of base/portable.h, so that
// the moves are the same everywhere, on any number of threads.
#ifndef TETRALAB_PLAYER_EXPECTIMAX_H
#define TETRALAB_PLAYER_EXPECTIMAX_H

#include "player/move_values.h"
#include "player/player.h"

enum { EXPECTIMAX_MAX_DEPTH = 6, EXPECTIMAX_MAX_THREADS = 64 };

// <- the best placements of the piece in hand; .best = 0: every placement ends the game. The game is not
//    changed. May be called by several threads at once.
// -> player  PLAYER_EXPECTIMAX
// <-> values  of the placements that were followed to the last depth, in the rating's own units; NULL: not
// wanted
Evaluation expectimax_best(const Player *player, Game *game, MoveValues *values);

#endif
