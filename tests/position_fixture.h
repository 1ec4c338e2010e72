// SPDX-License-Identifier: GPL-3.0-or-later
// What tests ask about positions.
#ifndef TETRALAB_TESTS_POSITION_FIXTURE_H
#define TETRALAB_TESTS_POSITION_FIXTURE_H

#include "game/position.h"

// <- how many pieces are known, the one in hand included.
static inline int position_pieces(const Position *position) {
    const Game *game = &position->game;
    return (game->piece >= 0) + (game->next >= 0) +
           (int)(position->source.recorded_length - game->stream.drawn);
}

#endif
