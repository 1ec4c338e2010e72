// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/packed.h"

#include <string.h>

enum { NO_COLUMN = 64 };

static PackedMove make_move(int width, int piece, Placement placement) {
    const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
    int column = placement_column(placement);
    PackedMove move = {.column = (int8_t)column,
                       .height = shape->height,
                       .bottom = {NO_COLUMN, NO_COLUMN, NO_COLUMN, NO_COLUMN},
                       .placement = placement};
    for (int i = 0; i < shape->width; i++) {
        move.bottom[i] = shape->bottom[i];
        for (int y = 0; y < shape->cells[i]; y++)
            move.cells |= (uint64_t)1 << ((shape->bottom[i] + y) * width + column + i);
    }
    return move;
}

void packing_make(Packing *packing, const Rules *rules) {
    memset(packing, 0, sizeof *packing);
    int width = packing->width = rules->width, rows = packing->rows = rules_rows(rules);
    packing->lenient = rules->overflow == OVERFLOW_LENIENT;
    packing->board = ((uint64_t)1 << width * rows) - 1;
    for (int bit = 0; bit < width * rows; bit++) {
        packing->column[bit % width] |= (uint64_t)1 << bit;
        packing->height_of_bit[bit] = (int8_t)(bit / width + 1);
    }
    for (int piece = 0; piece < PIECES; piece++)
        for (uint64_t left = placements_inside(piece, width); left; left &= left - 1)
            packing->move[piece][packing->moves[piece]++] = make_move(width, piece, __builtin_ctzll(left));
}

uint64_t packed_from_board(const Packing *packing, const Board *board) {
    uint64_t word = 0;
    for (int x = 0; x < packing->width; x++) {
        if (board->column[x] >> packing->rows)
            return PACKED_LOST;
        for (int y = 0; y < packing->rows; y++)
            word |= (uint64_t)(board->column[x] >> y & 1) << (y * packing->width + x);
    }
    return word;
}
