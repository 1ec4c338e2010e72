// SPDX-License-Identifier: GPL-3.0-or-later
// The board: one 32-bit word per column, bit 0 the floor row.
//
//      row 2   . # . .         column[0] = 0b011      A piece may rest partly above the top row H-1
//      row 1   # # . .         column[1] = 0b111      (lenient overflow), which needs at most four more
//      row 0   # # . #         column[2] = 0b000      bits: H <= 27 keeps the word below 32 bits.
//             x=0 1 2 3        column[3] = 0b001
//
#ifndef TETRALAB_GAME_BOARD_H
#define TETRALAB_GAME_BOARD_H

#include <stdint.h>

#include "base/reader.h"
#include "game/piece.h"

enum {
    BOARD_MIN_WIDTH = 4,
    BOARD_MAX_WIDTH = 14,
    BOARD_MIN_HEIGHT = 4,
    BOARD_MAX_HEIGHT = 27,
    BOARD_COLUMNS = 16 // words in a Board: one vector register
};

// Columns from the width on are 0.
typedef struct Board {
    _Alignas(64) uint32_t column[BOARD_COLUMNS];
} Board;

// A placement: orientation (0..3) and left column. As one number, orientation * 16 + column, it is an
// index below 64; in this order ties go to the first.
typedef int Placement;
enum { PLACEMENTS = 64, PLACEMENT_NONE = -1 };
static inline Placement placement_make(int orientation, int column) {
    return orientation * 16 + column;
}
static inline int placement_orientation(Placement placement) {
    return placement >> 4;
}
static inline int placement_column(Placement placement) {
    return placement & 15;
}
// <- the placements of a piece (bit = Placement) that are inside the walls.
uint64_t placements_inside(int piece, int width);

// What happened when a piece was put down.
typedef struct Landing {
    int row;           // row of the piece's lowest cell, 0 = floor
    int lines;         // rows completed and removed
    int eroded;        // cells of this piece that were in those rows
    uint32_t occupied; // union of all columns after clearing: its length is the pile height
} Landing;

// Number of cells from the floor to the topmost filled one.
static inline int column_height(uint32_t column) {
    return column ? 32 - __builtin_clz(column) : 0;
}
int board_pile_height(const Board *board, int width);
int board_cells(const Board *board, int width);

// <- the row where the piece's lowest cell comes to rest when it falls straight down from above.
int board_drop_row(const Board *board, const Shape *shape, int column);

// Adds the piece's cells with its lowest cell in `row`, without clearing.
void board_put(Board *board, const Shape *shape, int column, int row);

// <- bit mask of the full rows.
uint32_t board_full_rows(const Board *board, int width);

// Removes the rows of the mask; what was above comes down.
void board_remove_rows(Board *board, int width, uint32_t rows);

// Puts the piece into `row` and clears: board_put, board_full_rows, board_remove_rows.
Landing board_place(Board *board, int width, const Shape *shape, int column, int row);

// Text form: rows from the top, '#' filled and '.' empty. Writes rows_shown rows of the board (at least
// the pile) and a final newline per row. text needs (width + 1) * rows_shown + 1 bytes.
void board_print(const Board *board, int width, int rows_shown, char *text);

// Reads the next entry of a text of boards: lines of '#' and '.', rows from the top, empty rows on top
// may be left out, entries separated by blank lines; the line "board" and lines holding '=' are ignored.
// <- 1 read, 0 no further entry, -1 error (line and column are named)
int board_read(Reader *reader, int width, int height, Board *board);

#endif
