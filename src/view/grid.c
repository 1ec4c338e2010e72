// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/grid.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

bool grid_resize(Grid *grid, int width, int height, Error *error) {
    GridCell *cell = realloc(grid->cell, (size_t)width * (size_t)height * sizeof *cell);
    if (!cell)
        return error_set(error, "Out of memory for a page of %dx%d characters.", width, height);
    *grid = (Grid){width, height, cell};
    grid_clear(grid);
    return true;
}

void grid_clear(Grid *grid) {
    memset(grid->cell, 0, (size_t)grid->width * (size_t)grid->height * sizeof *grid->cell);
}

void grid_free(Grid *grid) {
    free(grid->cell);
    *grid = (Grid){0, 0, NULL};
}

void grid_put(Grid *grid, int x, int y, uint32_t code, GridStyle style, SceneColour colour) {
    if (x >= 0 && x < grid->width && y >= 0 && y < grid->height)
        grid->cell[y * grid->width + x] = (GridCell){code, (uint8_t)style, (uint8_t)colour};
}

int grid_words(Grid *grid, int x, int y, int width, GridStyle style, const char *format, ...) {
    char text[512], clean[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    utf8_clean(clean, sizeof clean, text, strlen(text));
    int count = 0;
    size_t length = strlen(clean), at = 0;
    uint32_t code;
    for (int bytes; count < width && (bytes = utf8_decode(clean + at, length - at, &code)) > 0;
         at += (size_t)bytes)
        grid_put(grid, x + count++, y, code, style, SCENE_WORDS);
    return count;
}

static void print_code(uint32_t code, FILE *out) {
    static const uint32_t first[] = {0, 0xc0, 0xe0, 0xf0}; // bits of the first byte, by bytes that follow
    int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    putc((int)(first[more] | code >> 6 * more), out);
    while (more--)
        putc((int)(0x80 | (code >> 6 * more & 0x3f)), out);
}

// <- columns up to the last one that is not blank
static int line_length(const Grid *grid, int y) {
    const GridCell *line = grid->cell + y * grid->width;
    int length = grid->width;
    while (length > 0 && (line[length - 1].code == 0 || line[length - 1].code == ' '))
        length--;
    return length;
}

void grid_print(const Grid *grid, FILE *out) {
    int lines = grid->height;
    while (lines > 0 && !line_length(grid, lines - 1))
        lines--;
    for (int y = 0; y < lines; y++) {
        int length = line_length(grid, y);
        for (int x = 0; x < length; x++) {
            uint32_t code = grid->cell[y * grid->width + x].code;
            print_code(code ? code : ' ', out);
        }
        fputc('\n', out);
    }
}
