// SPDX-License-Identifier: GPL-3.0-or-later
// The original game (Fahey's Standard Tetris), generalised to any board: the piece appears in
// orientation 0 with its origin in column W/2 (0-based; column 6 of 1..10), row H-1, and the game is over
// iff it overlaps a filled cell there. It falls one row; then it is turned on the spot, then moved
// sideways along that row while nothing is in the way, then dropped. Without room to fall that one
// row it stays where it appeared. No sliding at the bottom, no kicks, no cell above the top row.
#ifndef TETRALAB_GAME_ORIGINAL_H
#define TETRALAB_GAME_ORIGINAL_H

#include "game/board.h"
#include "game/rules.h"

typedef struct OriginalPlacement {
    Placement placement;
    int row; // where it comes to rest
} OriginalPlacement;

// <- how many placements can be reached; 0 = game over on appearing. list needs PLACEMENTS entries and
// is in ascending order of placement.
int original_placements(const Board *board, const Rules *rules, int piece, OriginalPlacement *list);

// <- true if nothing is high enough to be in the way, so that every placement can be reached and ends
// where a straight fall ends.
bool original_is_open(const Board *board, const Rules *rules);

#endif
