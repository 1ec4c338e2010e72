// SPDX-License-Identifier: GPL-3.0-or-later
// Counting sequences of placements by depth: every piece in every placement, again and again. Two programs
// that agree on these counts agree on the pieces, the falling, the clearing and the end of the game.
#ifndef TETRALAB_GAME_PERFT_H
#define TETRALAB_GAME_PERFT_H

#include <stdint.h>

#include "game/board.h"
#include "game/rules.h"

// The widest board has 238 placements in all, and 4 * 238^7 fits into 63 bits.
enum { PERFT_MAX_DEPTH = 7, PERFT_ALL_PIECES = (1 << PIECES) - 1 };

typedef struct PerftCount {
    uint64_t sequences; // of `depth` placements, none of which ends the game
    uint64_t lines;     // rows removed by the last placements of those
    uint64_t ended;     // sequences whose last placement, and no earlier one, ends the game
} PerftCount;

// Counts from the board on. No piece stream is involved: `pieces` is the set (bit = piece) of which each
// piece of the sequence is one. The overflow rule and the original rules are followed; under the latter
// only placements that can be reached exist, and none of them ends the game by itself.
// -> first  the first piece, or -1: any of the set
// -> depth  1 ... PERFT_MAX_DEPTH
PerftCount perft_count(const Rules *rules, const Board *board, unsigned pieces, int first, int depth);

#endif
