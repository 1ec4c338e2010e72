// SPDX-License-Identifier: GPL-3.0-or-later
// Boards and signs for the terminal: Unicode where it is UTF-8, plain ASCII elsewhere.
#ifndef TETRALAB_APP_DRAW_H
#define TETRALAB_APP_DRAW_H

#include <stdbool.h>
#include <stdio.h>

#include "game/game.h"
#include "game/rules.h"

// <- "±" or "+-"
const char *draw_plus_minus(void);

int draw_width(const char *text); // columns that it takes

// Pads by what the text shows, not by its bytes. -> width  below 0: flush left
void draw_cell(FILE *out, const char *text, int width);

// The board between its walls, row H on top, with the score and the pieces in hand beside it.
void draw_game(FILE *out, const Game *game, const Rules *rules);

// Several of them side by side, as many as fit into 80 columns, then the next ones below.
typedef struct DrawnGame {
    const Game *game;
    const char *title; // above it, cut to fit
    const char *note;  // below it, with the score
} DrawnGame;
void draw_games(FILE *out, const DrawnGame *list, int count, const Rules *rules);

#endif
