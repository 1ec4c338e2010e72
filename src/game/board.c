// SPDX-License-Identifier: GPL-3.0-or-later
// Dropping, clearing, and the text form. This is the plain engine: it is exact and quick enough for the
// move that was chosen; valuing all placements of a piece at once is the business of feature/kernel.h.
#include "game/board.h"

#include <ctype.h>
#include <stdio.h>
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

enum LineKind { LINE_BLANK, LINE_IGNORED, LINE_ROW };

// <- the length of the line at `text` without its end; *next: the line after it.
static size_t line_length(const char *text, const char **next) {
    size_t length = strcspn(text, "\n");
    *next = text + length + (text[length] == '\n');
    return length > 0 && text[length - 1] == '\r' ? length - 1 : length;
}

static enum LineKind line_kind(const char *text, size_t length) {
    size_t blanks = 0;
    while (blanks < length && (text[blanks] == ' ' || text[blanks] == '\t'))
        blanks++;
    if (blanks == length)
        return LINE_BLANK;
    if ((length == 5 && !memcmp(text, "board", 5)) || memchr(text, '=', length))
        return LINE_IGNORED;
    return LINE_ROW;
}

// How a wrong character is shown in a message.
static const char *character_name(unsigned char c, char out[16]) {
    snprintf(out, 16, isprint(c) ? "'%c'" : "byte 0x%02x", c);
    return out;
}

// Reads one row into bit 0 of the columns; what was read before moves up by one row.
static bool read_row(const char *name, int line, const char *text, size_t length, int width, Board *board,
                     Error *error) {
    bool full = true;
    for (size_t i = 0; i < length; i++) {
        char shown[16];
        if (text[i] != '#' && text[i] != '.')
            return error_set(error, "%s:%d:%zu: expected '#' (filled) or '.' (empty), found %s.", name, line,
                             i + 1, character_name((unsigned char)text[i], shown));
        if (i >= (size_t)width)
            return error_set(error,
                             "%s:%d:%d: expected the end of the row after %d cells, found %zu cells; --board "
                             "sets the width.",
                             name, line, width + 1, width, length);
        board->column[i] = board->column[i] << 1 | (text[i] == '#');
        full &= text[i] == '#';
    }
    if (length < (size_t)width)
        return error_set(error, "%s:%d:%zu: expected %d cells in the row, found %zu; --board sets the width.",
                         name, line, length + 1, width, length);
    if (full)
        return error_set(error,
                         "%s:%d:1: the row is full: a board is given after clearing, so take the row out.",
                         name, line);
    return true;
}

int board_read(const char *name, const char **text, int *line, int width, int height, Board *board,
               Error *error) {
    int rows = 0;
    memset(board, 0, sizeof *board);
    while (**text) {
        const char *start = *text;
        size_t length = line_length(start, text);
        enum LineKind kind = line_kind(start, length);
        int number = (*line)++;
        if (kind == LINE_BLANK && rows)
            return 1;
        if (kind != LINE_ROW)
            continue;
        if (rows == height) {
            error_set(error,
                      "%s:%d:1: expected at most %d rows in a board, found another one; --board sets the "
                      "height.",
                      name, number, height);
            return -1;
        }
        if (!read_row(name, number, start, length, width, board, error))
            return -1;
        rows++;
    }
    return rows > 0;
}
