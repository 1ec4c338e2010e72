// SPDX-License-Identifier: GPL-3.0-or-later
// Which pieces may come next, as whole numbers, as far as a player can know. Part of expectimax.c.
#ifndef TETRALAB_PLAYER_EXPECTIMAX_LAW_H
#define TETRALAB_PLAYER_EXPECTIMAX_LAW_H

#include "game/game.h"
#include "game/rules.h"

enum { LAW_ALL_PIECES = (1 << PIECES) - 1 };

typedef struct PieceChances {
    bool bag;              // the chances depend on what was drawn
    uint32_t possible;     // set of the pieces that can come at all
    int64_t count[PIECES]; // chances, each count / total; of a bag 1, if the piece is still in it
    int64_t total;         // at most 1024, or 2^32
} PieceChances;

void chances_make(PieceChances *chances, const PieceSource *source);

// <- the set of pieces that may come after what the player sees: the piece in hand, or also the next one. Of
// a bag
//    that was used up all pieces.
uint32_t chances_after(const PieceChances *chances, const Game *game, bool sees_next);

// <- the set after a piece of it has come
static inline uint32_t chances_next(const PieceChances *chances, uint32_t set, int piece) {
    if (!chances->bag)
        return set;
    set &= ~(1u << piece);
    return set ? set : (uint32_t)LAW_ALL_PIECES;
}

// <- the mean of the values of the pieces in the set, rounded down
int64_t chances_mean(const PieceChances *chances, uint32_t set, const int64_t value[PIECES]);

// <- the value whose danger is the mean of theirs, rounded down. -> unit  a value lower by this is e times
// the
//    danger; above 0
int64_t chances_mean_danger(const PieceChances *chances, uint32_t set, const int64_t value[PIECES],
                            double unit);

// Is the mean danger of pieces below that of a limit? The pieces come one by one. Those that have not come
// are taken for harmless, so that a no is final; a yes is not. The sum is compared with a margin far above
// its rounding errors, and never enters a value.
typedef struct DangerTally {
    const PieceChances *chances;
    int64_t limit;
    double unit;
    double sum, most; // dangers as multiples of the limit's; and where the mean is above it
} DangerTally;

DangerTally danger_tally(const PieceChances *chances, uint32_t set, int64_t limit, double unit);
// <- false: the mean danger of all pieces is above that of the limit
bool danger_tally_add(DangerTally *tally, int piece, int64_t value);
// <- any value of the piece below this makes danger_tally_add say false
int64_t danger_tally_least(const DangerTally *tally, int piece);

#endif
