// SPDX-License-Identifier: GPL-3.0-or-later
// The seven pieces and their 19 distinct orientations, in the order of the original game: orientation 0
// is the one that appears, each next one is turned counter-clockwise.
#ifndef TETRALAB_GAME_PIECE_H
#define TETRALAB_GAME_PIECE_H

#include <stdint.h>

enum { PIECE_O, PIECE_I, PIECE_S, PIECE_Z, PIECE_L, PIECE_J, PIECE_T, PIECES };
enum { ORIENTATIONS = 4 }; // the most that a piece has

// One orientation, as its columns from the left. Every column of a tetromino is one unbroken run:
//
//      T, orientation 0:    # # #   width 3     bottom = {1, 0, 1}    lowest cell of each column
//                           . # .   height 2    cells  = {1, 2, 1}    how many cells it has
//
typedef struct Shape {
    int8_t width, height;
    int8_t bottom[4], cells[4]; // 0 beyond width
    int8_t origin_column;       // column of the turning point, counted from the left column
    int8_t origin_row;          // its row, counted from the bottom row
} Shape;

extern const char piece_letter[PIECES + 1]; // "OISZLJT"
extern const int piece_orientations[PIECES];
extern const Shape piece_shape[PIECES][ORIENTATIONS];

// <- the piece with this letter, upper or lower case, or -1.
int piece_from_letter(char letter);

#endif
