// SPDX-License-Identifier: GPL-3.0-or-later
// What a player thinks of the moves of the piece in hand, in its own units: those that it compares when it
// chooses. player/ranking.h puts them in order.
#ifndef TETRALAB_PLAYER_MOVE_VALUES_H
#define TETRALAB_PLAYER_MOVE_VALUES_H

#include <stdbool.h>
#include <stdint.h>

#include "game/board.h"

typedef struct MoveValues {
    uint64_t valued;             // the moves that it has a value for (bit = Placement)
    double value[PLACEMENTS];    // the highest is the best; -INFINITY: no move can follow
    uint32_t visits[PLACEMENTS]; // how often it was planned with; 0 where nothing is planned
    bool rated;                  // values are the ratings of the moves by themselves
    bool by_visits;              // the most visits are the best, and of these the highest value
} MoveValues;

static inline void move_values_set(MoveValues *values, Placement placement, double value) {
    values->valued |= (uint64_t)1 << placement;
    values->value[placement] = value;
}

#endif
