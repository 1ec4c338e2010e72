// SPDX-License-Identifier: GPL-3.0-or-later
// Attack rows (Cai, Zhang & Nebel 2011, section 1): a move that removes n > 1 rows gives every opponent n - 1
// rows at the bottom of the board, each with n - 1 empty cells at random places.
//
//      two rows removed:    # # # . # # # # # #          four:   . # # # # . # # # .
//                                                                # # . . # # # # . #
//                                                                # . # # . # # . # #
//
// The empty cells of a row are drawn for that row alone, every set of n - 1 of them with the same
// probability.
#ifndef TETRALAB_GAME_ATTACK_H
#define TETRALAB_GAME_ATTACK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/random.h"
#include "game/game.h"
#include "game/rules.h"

enum { ATTACK_MAX_ROWS = 3 };

typedef struct Attack {
    int count;                     // rows
    uint16_t row[ATTACK_MAX_ROWS]; // bit x: column x is filled; the first one is pushed in first
} Attack;

// <- what a move that removed so many rows sends; .count = 0 for fewer than two
Attack attack_draw(int lines, int width, Random *random);

int attack_cells(const Attack *attack); // filled ones

// Pushes the rows in below the pile of a game that is not over. The game is over when a cell would then be
// above the rows that the pile may fill (H, one less under the overflow rule touch): the board then stays as
// it was. Under the original rules it is also over when the piece in hand has no room to appear above the
// raised pile.
// <- were the rows pushed in?
bool attack_push(Game *game, const Rules *rules, const Attack *attack);

#endif
