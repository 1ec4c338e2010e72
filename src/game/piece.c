// SPDX-License-Identifier: GPL-3.0-or-later
// The 19 orientations as constants. They are Fahey's offsets around the turning point, each next one
// turned by (dx, dy) -> (-dy, dx); tests/test_piece.c derives this table again from those offsets.
#include "game/piece.h"

const char piece_letter[PIECES + 1] = "OISZLJT";

const int piece_orientations[PIECES] = {1, 2, 2, 2, 4, 4, 4};

// clang-format off
// {width, height, {bottom}, {cells}, origin_column, origin_row}
const Shape piece_shape[PIECES][ORIENTATIONS] = {
    [PIECE_O] = {
        {2, 2, {0, 0, 0, 0}, {2, 2, 0, 0}, 1, 1},
    },
    [PIECE_I] = {
        {4, 1, {0, 0, 0, 0}, {1, 1, 1, 1}, 2, 0},
        {1, 4, {0, 0, 0, 0}, {4, 0, 0, 0}, 0, 2},
    },
    [PIECE_S] = {
        {3, 2, {0, 0, 1, 0}, {1, 2, 1, 0}, 1, 1},
        {2, 3, {1, 0, 0, 0}, {2, 2, 0, 0}, 0, 1},
    },
    [PIECE_Z] = {
        {3, 2, {1, 0, 0, 0}, {1, 2, 1, 0}, 1, 1},
        {2, 3, {0, 1, 0, 0}, {2, 2, 0, 0}, 0, 1},
    },
    [PIECE_L] = {
        {3, 2, {0, 1, 1, 0}, {2, 1, 1, 0}, 1, 1},
        {2, 3, {0, 0, 0, 0}, {3, 1, 0, 0}, 0, 1},
        {3, 2, {0, 0, 0, 0}, {1, 1, 2, 0}, 1, 0},
        {2, 3, {2, 0, 0, 0}, {1, 3, 0, 0}, 1, 1},
    },
    [PIECE_J] = {
        {3, 2, {1, 1, 0, 0}, {1, 1, 2, 0}, 1, 1},
        {2, 3, {0, 2, 0, 0}, {3, 1, 0, 0}, 0, 1},
        {3, 2, {0, 0, 0, 0}, {2, 1, 1, 0}, 1, 0},
        {2, 3, {0, 0, 0, 0}, {1, 3, 0, 0}, 1, 1},
    },
    [PIECE_T] = {
        {3, 2, {1, 0, 1, 0}, {1, 2, 1, 0}, 1, 1},
        {2, 3, {0, 1, 0, 0}, {3, 1, 0, 0}, 0, 1},
        {3, 2, {0, 0, 0, 0}, {1, 2, 1, 0}, 1, 0},
        {2, 3, {1, 0, 0, 0}, {1, 3, 0, 0}, 1, 1},
    },
};
// clang-format on

int piece_from_letter(char letter) {
    for (int piece = 0; piece < PIECES; piece++)
        if (letter == piece_letter[piece] || letter == piece_letter[piece] + ('a' - 'A'))
            return piece;
    return -1;
}
