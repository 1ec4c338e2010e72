// SPDX-License-Identifier: GPL-3.0-or-later
// Boards and signs for the terminal: Unicode where it is UTF-8, plain ASCII elsewhere.
#ifndef TETRALAB_APP_DRAW_H
#define TETRALAB_APP_DRAW_H

#include <stdbool.h>
#include <stdio.h>

#include "game/game.h"
#include "game/moves.h"
#include "game/rules.h"

bool draw_unicode(void); // does the user's locale write UTF-8?

// <- "±" or "+-"
const char *draw_plus_minus(void);

int draw_width(const char *text); // columns that it takes

// Pads by what the text shows, not by its bytes. -> width  below 0: flush left
void draw_cell(FILE *out, const char *text, int width);

// A board between its walls, row H on top; a piece that has come to rest on it is shown by its letter, and
// rows that it completes are still there. A piece that rests above the top is drawn above the walls.
typedef struct DrawnMove {
    const Board *board; // before the move
    int piece;
    const Move *move; // NULL: none, the board alone
} DrawnMove;
// -> notes  beside it, from the top
enum { DRAW_NOTE = 64 };
void draw_board(FILE *out, const DrawnMove *move, const Rules *rules, char notes[][DRAW_NOTE], int count);

// The board of a game with the score and the pieces in hand beside it.
// -> move  the last one, shown in place of the board after it; NULL: that board
void draw_game(FILE *out, const Game *game, const DrawnMove *move, const Rules *rules);

// Several of them side by side, as many as fit into 80 columns, then the next ones below.
typedef struct DrawnGame {
    const Game *game;
    const char *title;     // above it, cut to fit
    const char *note;      // below it, with the score
    const DrawnMove *move; // as above
} DrawnGame;
void draw_games(FILE *out, const DrawnGame *list, int count, const Rules *rules);

#endif
