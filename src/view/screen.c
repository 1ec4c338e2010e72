// SPDX-License-Identifier: GPL-3.0-or-later
#include "view/screen.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "game/moves.h"

static const uint32_t blocks[9] = {' ', 0x2581, 0x2582, 0x2583, 0x2584, 0x2585, 0x2586, 0x2587, 0x2588};
static const uint32_t strokes[9] = {' ', '.', '.', ':', ':', '|', '|', '#', '#'};
static const ScreenSigns unicode_signs = {{0x2588, 0x2588}, {' ', 0xb7}, 0x2593, 0x2592, 0x2591, 0x2502,
                                          0x2514,           0x2518,      0x2500, 0x25b8, blocks};
static const ScreenSigns ascii_signs = {{'[', ']'}, {' ', '.'}, '=', '%', ':',    '|',
                                        '+',        '+',        '-', '>', strokes};

// ---------------------------------------------------------------------------------------------------
// Layout

typedef struct Layout {
    int cell;         // columns of a cell, 2 or 1
    int board;        // of a board with its walls
    int boards;       // of all of them
    int status, keys; // lines; -1: none
    ScreenArea panel; // width 0: none
} Layout;

static const Rules *rules_of(const Viewer *viewer) {
    return viewer->table[0]->shown.after.rules;
}

static Layout layout_with(const Viewer *viewer, const Grid *grid, int cell) {
    Layout layout = {.cell = cell, .board = rules_of(viewer)->width * cell + 2};
    int count = viewer_boards(viewer);
    layout.boards = count * layout.board + count - 1;
    layout.panel = (ScreenArea){layout.boards + 2, 1, grid->width - layout.boards - 2, 0};
    return layout;
}

// <- false: not even the boards fit
static bool make_layout(Layout *layout, const Viewer *viewer, const Grid *grid, bool keys) {
    static const struct { int cell, panel; } ways[] = {{2, PANEL_LEAST}, {1, PANEL_LEAST}, {2, -2}, {1, -2}};
    int needed = rules_of(viewer)->height + 2, way = 0; // title and floor
    while (way < 4 && layout_with(viewer, grid, ways[way].cell).panel.width < ways[way].panel)
        way++;
    *layout = layout_with(viewer, grid, ways[way < 4 ? way : 3].cell);
    if (way == 4 || grid->height < needed)
        return false;
    int left = grid->height - needed;
    layout->keys = keys && left >= 2 ? grid->height - 1 : -1;
    layout->status = left >= 1 ? grid->height - (layout->keys >= 0 ? 2 : 1) : -1;
    layout->panel.height = (layout->status >= 0 ? layout->status : grid->height) - 1;
    if (way > 1)
        layout->panel.width = 0;
    return true;
}

static void say_too_small(Grid *grid, const Viewer *viewer) {
    const Rules *rules = rules_of(viewer);
    int count = viewer_boards(viewer), y = 0;
    int columns = count * (rules->width + 2) + count - 1;
    char text[200];
    snprintf(text, sizeof text,
             "%d board%s of %dx%d need%s at least %d columns and %d lines; here are %dx%d.", count,
             count == 1 ? "" : "s", rules->width, rules->height, count == 1 ? "s" : "", columns,
             rules->height + 2, grid->width, grid->height);
    for (const char *at = text; *at && y < grid->height; y++) {
        int length = (int)strlen(at), width = grid->width;
        if (length > width) {
            length = width;
            while (length > 0 && at[length] != ' ')
                length--;
            length = length ? length : width;
        }
        grid_words(grid, 0, y, length, GRID_WORDS, "%s", at);
        at += length + (at[length] == ' ');
    }
}

// ---------------------------------------------------------------------------------------------------
// Boards

typedef struct Canvas {
    Grid *grid;
    const ScreenSigns *signs;
    int x, y, cell; // of the lowest left cell
} Canvas;

static void put_cell(const Canvas *canvas, int column, int row, uint32_t first, uint32_t second,
                     GridStyle style, SceneColour colour) {
    int x = canvas->x + column * canvas->cell, y = canvas->y - row;
    grid_put(canvas->grid, x, y, canvas->cell == 1 ? second : first, style, colour);
    if (canvas->cell == 2)
        grid_put(canvas->grid, x + 1, y, second, style, colour);
}

static void put_letter(const Canvas *canvas, int column, int row, int piece) {
    uint32_t letter = (uint32_t)piece_letter[piece];
    put_cell(canvas, column, row, letter, letter, GRID_PLACED, (SceneColour)(SCENE_PIECE + piece));
}

static void draw_cells(const Canvas *canvas, const FilmBoard *board, const Rules *rules) {
    const ScreenSigns *signs = canvas->signs;
    for (int y = 0; y < rules->height; y++)
        for (int x = 0; x < rules->width; x++) {
            SceneColour colour = board->cell[y][x];
            if (board->placed[x] >> y & 1)
                put_letter(canvas, x, y, (int)(colour - SCENE_PIECE));
            else if (colour == SCENE_EMPTY)
                put_cell(canvas, x, y, signs->empty[0], signs->empty[1], GRID_FAINT, colour);
            else if (board->full >> y & 1)
                put_cell(canvas, x, y, signs->full, signs->full, GRID_FILLED, SCENE_FULL);
            else if (colour == SCENE_ATTACK)
                put_cell(canvas, x, y, signs->attack, signs->attack, GRID_FILLED, colour);
            else
                put_cell(canvas, x, y, signs->filled[0], signs->filled[1], GRID_FILLED, colour);
        }
}

static void draw_walls(const Canvas *canvas, const Rules *rules) {
    const ScreenSigns *signs = canvas->signs;
    int right = canvas->x + rules->width * canvas->cell, floor = canvas->y + 1;
    for (int y = 0; y < rules->height; y++) {
        grid_put(canvas->grid, canvas->x - 1, canvas->y - y, signs->wall, GRID_FAINT, SCENE_WALL);
        grid_put(canvas->grid, right, canvas->y - y, signs->wall, GRID_FAINT, SCENE_WALL);
    }
    for (int x = canvas->x; x < right; x++)
        grid_put(canvas->grid, x, floor, signs->floor, GRID_FAINT, SCENE_WALL);
    grid_put(canvas->grid, canvas->x - 1, floor, signs->left_corner, GRID_FAINT, SCENE_WALL);
    grid_put(canvas->grid, right, floor, signs->right_corner, GRID_FAINT, SCENE_WALL);
}

// The piece in the human's hand hangs at the top; below it stands where it would come to rest.
static void draw_hand(const Canvas *canvas, const Viewer *viewer, ViewedBoard human) {
    const Match *match = &human.watched->shown.after;
    const Board *board = &match->game[human.seat].board;
    int piece = match->game[human.seat].piece, height = match->rules->height;
    const Shape *shape = &piece_shape[piece][viewer->orientation];
    int row = moves_row(match->rules, board, piece, placement_make(viewer->orientation, viewer->column));
    for (int i = 0; i < shape->width; i++)
        for (int k = 0; k < shape->cells[i]; k++) {
            int x = viewer->column + i, y = shape->bottom[i] + k;
            if (row >= 0 && row + y < height)
                put_cell(canvas, x, row + y, canvas->signs->ghost, canvas->signs->ghost, GRID_GHOST,
                         (SceneColour)(SCENE_PIECE + piece));
        }
    for (int i = 0; i < shape->width; i++)
        for (int k = 0; k < shape->cells[i]; k++) {
            int x = viewer->column + i, y = height - shape->height + shape->bottom[i] + k;
            if (y >= 0 && !(board->column[x] >> y & 1))
                put_letter(canvas, x, y, piece);
        }
}

static const char *state_of(const Watched *watched, int seat) {
    const Match *after = &watched->shown.after;
    if (after->end == MATCH_WON)
        return after->winner == seat ? " won" : " lost";
    return match_is_alive(after, seat) ? "" : " lost";
}

static void draw_board(Grid *grid, const Viewer *viewer, const Layout *layout, const ScreenSigns *signs,
                       int index) {
    ViewedBoard viewed = viewer_board(viewer, index), human = viewer_human(viewer);
    const Rules *rules = rules_of(viewer);
    int left = index * (layout->board + 1), several = viewer_boards(viewer) > 1;
    bool mine = human.watched == viewed.watched && human.seat == viewed.seat;
    Canvas canvas = {grid, signs, left + 1, rules->height, layout->cell};
    FilmBoard board[MATCH_MAX_SEATS];
    for (int s = 0; s < viewed.watched->record.seats; s++)
        board[s] = viewed.watched->shown.board[s];
    if (mine)
        film_settle(board, &viewed.watched->shown.before, &viewed.watched->shown.after);
    draw_walls(&canvas, rules);
    draw_cells(&canvas, &board[viewed.seat], rules);
    if (mine)
        draw_hand(&canvas, viewer, human);
    grid_words(grid, left + 1, 0, layout->board - 1,
               several && index != viewer->focus ? GRID_WORDS : GRID_STRONG, "%s%s",
               viewed.watched->record.player[viewed.seat], state_of(viewed.watched, viewed.seat));
    char lines[32];
    if (!layout->panel.width) // where else the score stands
        grid_words(grid, left + 2, rules->height + 1, layout->board - 4, GRID_WORDS, " %s lines ",
                   text_grouped(viewed.watched->shown.after.game[viewed.seat].lines, lines));
}

// ---------------------------------------------------------------------------------------------------
// Lines at the top and the bottom

static void draw_rules(Grid *grid, const Viewer *viewer, int x, int width) {
    const Record *record = &viewer->table[0]->record;
    const Rules *rules = &record->rules;
    grid_words(grid, x, 0, width, GRID_FAINT, "%dx%d, %s, %s %" PRIu64 ", seed %" PRIu64, rules->width,
               rules->height, rules->pieces.name, record->seats > 1 ? "match" : "game", record->number,
               record->seed);
}

static const char *end_of(const Viewer *viewer) {
    static const char *const words[] = {[MATCH_RUNNING] = "",
                                        [MATCH_WON] = "won",
                                        [MATCH_DRAWN] = "drawn",
                                        [MATCH_LIMIT] = "the limit is reached",
                                        [MATCH_STOPPED] = "the record stops here"};
    const Match *after = &viewer->table[0]->shown.after;
    if (viewer->tables > 1)
        return "all games are over";
    return after->seats == 1 && after->end == MATCH_DRAWN ? "the game is over" : words[after->end];
}

static void draw_status(Grid *grid, const Viewer *viewer, int y, bool keys) {
    char at[32], rounds[32];
    int x = grid_words(grid, 0, y, grid->width, GRID_WORDS, " move %s of %s",
                       text_grouped(viewer_at(viewer), at), text_grouped(viewer_rounds(viewer), rounds));
    if (viewer_is_over(viewer))
        x += grid_words(grid, x, y, grid->width - x, GRID_STRONG, "   %s", end_of(viewer));
    if (keys && !viewer_human(viewer).watched && !viewer_is_over(viewer)) {
        x += grid_words(grid, x, y, grid->width - x, GRID_WORDS, "   speed %g/s",
                        viewer_speeds[viewer->speed]);
        if (!isnan(viewer->rate) && !viewer->paused)
            x += grid_words(grid, x, y, grid->width - x, GRID_WORDS, "   %.3g pieces/s", viewer->rate);
        if (viewer->paused)
            x += grid_words(grid, x, y, grid->width - x, GRID_STRONG, "   paused");
    }
    const char *message = viewer->error.text[0] ? viewer->error.text : viewer->message;
    if (message)
        grid_words(grid, x, y, grid->width - x, GRID_STRONG, "   %s", message);
}

static void draw_keys(Grid *grid, const Viewer *viewer, int y) {
    int x = 1;
    for (const ViewerKey *key = viewer_keys(viewer); key->all; key++)
        if (key->keys && (viewer_boards(viewer) > 1 || strcmp(key->keys, "tab"))) {
            int length = (int)(strlen(key->keys) + 1 + strlen(key->what));
            if (x + length > grid->width)
                return;
            x += grid_words(grid, x, y, grid->width - x, GRID_KEY, "%s", key->keys) + 1;
            x += grid_words(grid, x, y, grid->width - x, GRID_FAINT, "%s", key->what) + 2;
        }
}

static void draw_help(Grid *grid, const Viewer *viewer) {
    static const char *const notes[] = {
        "A board shows the moment when a piece has come to rest: its cells are letters,",
        "and rows that are about to go are still there. Beside the boards stand the",
        "moves as the player prefers them, and what features give: value x weight.",
        "Any key goes back to the game."};
    int y = 1;
    for (const ViewerKey *key = viewer_keys(viewer); key->all; key++, y++) {
        grid_words(grid, 2, y, grid->width - 2, GRID_KEY, "%s", key->all);
        grid_words(grid, 22, y, grid->width - 22, GRID_WORDS, "%s", key->effect);
    }
    for (int i = 0; i < 4; i++)
        grid_words(grid, 2, y + 1 + i, grid->width - 2, GRID_FAINT, "%s", notes[i]);
}

// ---------------------------------------------------------------------------------------------------

void screen_draw(Grid *grid, Viewer *viewer, const ScreenLook *look) {
    const ScreenSigns *signs = look->unicode ? &unicode_signs : &ascii_signs;
    Layout layout;
    grid_clear(grid);
    if (viewer->help) {
        draw_help(grid, viewer);
        return;
    }
    if (!make_layout(&layout, viewer, grid, look->keys)) {
        say_too_small(grid, viewer);
        return;
    }
    for (int i = 0; i < viewer_boards(viewer); i++)
        draw_board(grid, viewer, &layout, signs, i);
    if (layout.panel.width) {
        draw_rules(grid, viewer, layout.panel.x, layout.panel.width);
        panel_draw(grid, viewer, layout.panel, signs);
    }
    if (layout.status >= 0)
        draw_status(grid, viewer, layout.status, look->keys);
    if (layout.keys >= 0)
        draw_keys(grid, viewer, layout.keys);
}
