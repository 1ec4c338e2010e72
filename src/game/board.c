// SPDX-License-Identifier: GPL-3.0-or-later
// Dropping, clearing, and the text form. This is the plain engine: it is exact and quick enough for the
// move that was chosen; valuing all placements of a piece at once is the business of feature/kernel.h.
#include "game/board.h"

#include <ctype.h>
#include <string.h>

uint64_t placements_inside(int piece, int width) {
    uint64_t set = 0;
    for (int o = 0; o < piece_orientations[piece]; o++)
        set |= (((uint64_t)1 << (width - piece_shape[piece][o].width + 1)) - 1) << placement_make(o, 0);
    return set;
}

int board_pile_height(const Board *board, int width) {
    uint32_t occupied = 0;
    for (int x = 0; x < width; x++)
        occupied |= board->column[x];
    return column_height(occupied);
}

int board_cells(const Board *board, int width) {
    int cells = 0;
    for (int x = 0; x < width; x++)
        cells += __builtin_popcount(board->column[x]);
    return cells;
}

int board_drop_row(const Board *board, const Shape *shape, int column) {
    int row = 0;
    for (int i = 0; i < shape->width; i++) {
        int lowest = column_height(board->column[column + i]) - shape->bottom[i];
        row = lowest > row ? lowest : row;
    }
    return row;
}

// <- the cells of the piece's column i with its lowest cell in `row`
static uint32_t shape_cells(const Shape *shape, int i, int row) {
    return ((1u << shape->cells[i]) - 1) << (row + shape->bottom[i]);
}

void board_put(Board *board, const Shape *shape, int column, int row) {
    for (int i = 0; i < shape->width; i++)
        board->column[column + i] |= shape_cells(shape, i, row);
}

uint32_t board_full_rows(const Board *board, int width) {
    uint32_t full = ~0u;
    for (int x = 0; x < width; x++)
        full &= board->column[x];
    return full;
}

// From the top row down, so that removing one does not move those still to be removed.
void board_remove_rows(Board *board, int width, uint32_t rows) {
    while (rows) {
        uint32_t row = 1u << (31 - __builtin_clz(rows)), below = row - 1;
        for (int x = 0; x < width; x++)
            board->column[x] = (board->column[x] & below) | (board->column[x] >> 1 & ~below);
        rows ^= row;
    }
}

Landing board_place(Board *board, int width, const Shape *shape, int column, int row) {
    Landing landing = {.row = row};
    board_put(board, shape, column, row);
    uint32_t full = board_full_rows(board, width);
    if (full) {
        landing.lines = __builtin_popcount(full);
        for (int i = 0; i < shape->width; i++)
            landing.eroded += __builtin_popcount(shape_cells(shape, i, row) & full);
        board_remove_rows(board, width, full);
    }
    for (int x = 0; x < width; x++)
        landing.occupied |= board->column[x];
    return landing;
}

void board_print(const Board *board, int width, int rows_shown, char *text) {
    for (int y = rows_shown - 1; y >= 0; y--) {
        for (int x = 0; x < width; x++)
            *text++ = board->column[x] >> y & 1 ? '#' : '.';
        *text++ = '\n';
    }
    *text = 0;
}

// --- reading

static bool is_blank(const Reader *reader) {
    const char *at = reader->at;
    while (at < reader->end && (*at == ' ' || *at == '\t'))
        at++;
    return at == reader->end;
}

static bool is_ignored(const Reader *reader) {
    size_t length = (size_t)(reader->end - reader->at);
    return (length == 5 && reader_begins(reader, "board")) || memchr(reader->at, '=', length);
}

// Reads one row into bit 0 of the columns; what was read before moves up by one row.
static bool read_row(Reader *reader, int width, Board *board) {
    const char *start = reader->at;
    int cells = (int)(reader->end - start);
    bool full = true;
    for (int x = 0; reader->at < reader->end; reader->at++, x++) {
        unsigned char c = (unsigned char)*reader->at;
        if (c != '#' && c != '.')
            return reader_wrong(reader,
                                isprint(c) ? "expected '#' (filled) or '.' (empty), found '%c'."
                                           : "expected '#' (filled) or '.' (empty), found byte 0x%02x.",
                                c);
        if (x >= width)
            return reader_wrong(reader,
                                "expected the end of the row after %d cells, found %d cells; --board sets "
                                "the width.",
                                width, cells);
        board->column[x] = board->column[x] << 1 | (c == '#');
        full &= c == '#';
    }
    if (cells < width)
        return reader_wrong(reader, "expected %d cells in the row, found %d; --board sets the width.", width,
                            cells);
    reader->at = start;
    return !full || reader_wrong(reader, "the row is full: a board is given after clearing, so take the row "
                                         "out.");
}

int board_read(Reader *reader, int width, int height, Board *board) {
    int rows = 0;
    memset(board, 0, sizeof *board);
    while (reader_next_line(reader)) {
        bool blank = is_blank(reader);
        if (blank && rows)
            return 1;
        if (blank || is_ignored(reader))
            continue;
        if (rows++ == height)
            reader_wrong(reader,
                         "expected at most %d rows in a board, found another one; --board sets the height.",
                         height);
        if (rows > height || !read_row(reader, width, board))
            return -1;
    }
    return rows > 0;
}
