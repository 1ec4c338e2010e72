// SPDX-License-Identifier: GPL-3.0-or-later
// Fahey's Standard Tetris, by trying every step against the board: appear, fall one row, turn
// counter-clockwise one by one, move sideways cell by cell, fall cell by cell. Plain on purpose: while the
// pile is low (original_is_open) none of this is needed, and strong players keep it low.
#include "game/original.h"

// Rows that the highest pieces need: an upright I that was turned after falling one row reaches from the
// top row, H-1, down to H-4.
enum { ROWS_OF_ACTION = 4 };

bool original_is_open(const Board *board, const Rules *rules) {
    return board_pile_height(board, rules->width) <= rules->height - ROWS_OF_ACTION;
}

// Is there room for the piece with its left column and bottom row there?
static bool fits(const Board *board, const Rules *rules, const Shape *shape, int column, int row) {
    if (column < 0 || column + shape->width > rules->width || row < 0 || row + shape->height > rules->height)
        return false;
    for (int i = 0; i < shape->width; i++) {
        uint32_t cells = ((1u << shape->cells[i]) - 1) << (row + shape->bottom[i]);
        if (board->column[column + i] & cells)
            return false;
    }
    return true;
}

// All sideways moves of one orientation that starts at (column, row), each with its fall.
static int add_reachable(const Board *board, const Rules *rules, const Shape *shape, int orientation,
                         int column, int row, OriginalPlacement *list) {
    int left = column, right = column, count = 0;
    while (fits(board, rules, shape, left - 1, row))
        left--;
    while (fits(board, rules, shape, right + 1, row))
        right++;
    for (int x = left; x <= right; x++) {
        int y = row;
        while (fits(board, rules, shape, x, y - 1))
            y--;
        list[count++] = (OriginalPlacement){placement_make(orientation, x), y};
    }
    return count;
}

int original_placements(const Board *board, const Rules *rules, int piece, OriginalPlacement *list) {
    const Shape *shape = &piece_shape[piece][0];
    int x = rules->width / 2, y = rules->height - 1, count = 0;
    int column = x - shape->origin_column, row = y - shape->origin_row;
    if (!fits(board, rules, shape, column, row))
        return 0;
    if (!fits(board, rules, shape, column, row - 1)) {
        list[0] = (OriginalPlacement){placement_make(0, column), row};
        return 1;
    }
    y--;
    for (int orientation = 0; orientation < piece_orientations[piece]; orientation++) {
        shape = &piece_shape[piece][orientation];
        column = x - shape->origin_column;
        row = y - shape->origin_row;
        if (!fits(board, rules, shape, column, row))
            break; // the next turns start from this one
        count += add_reachable(board, rules, shape, orientation, column, row, list + count);
    }
    return count;
}
