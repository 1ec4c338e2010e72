// SPDX-License-Identifier: GPL-3.0-or-later
// A page of text as cells: characters with a meaning, and a colour for those that stand for a piece. What
// shows it decides what meanings look like: a terminal (app/terminal.h), or plain text, in which the
// characters alone tell everything.
#ifndef TETRALAB_VIEW_GRID_H
#define TETRALAB_VIEW_GRID_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "picture/scene.h"

typedef enum GridStyle {
    GRID_WORDS,
    GRID_FAINT,  // words of less weight, empty cells of boards
    GRID_STRONG, // names, the chosen move
    GRID_KEY,    // keys in the line that explains them
    GRID_FILLED, // a filled cell of a board, in its colour
    GRID_PLACED, // a cell of the piece placed last, a letter on its colour
    GRID_GHOST,  // where a piece would come to rest, in its colour
    GRID_STYLES
} GridStyle;

typedef struct GridCell {
    uint32_t code;         // the character; 0: blank
    uint8_t style, colour; // a GridStyle; a SceneColour, of the last three
} GridCell;

typedef struct Grid {
    int width, height;
    GridCell *cell; // owned; row by row from the top
} Grid;

// An empty page of another size; what it held is gone. Starts with {0}.
bool grid_resize(Grid *grid, int width, int height, Error *error);
void grid_clear(Grid *grid);
void grid_free(Grid *grid);

// What lies outside is left out.
void grid_put(Grid *grid, int x, int y, uint32_t code, GridStyle style, SceneColour colour);
// Words in one line, UTF-8; control characters become '?'. -> width  at most; <- columns that they take
__attribute__((format(printf, 6, 7))) int grid_words(Grid *grid, int x, int y, int width, GridStyle style,
                                                     const char *format, ...);

// As plain text, without blanks at the ends of lines and empty lines at the end.
void grid_print(const Grid *grid, FILE *out);

#endif
