// SPDX-License-Identifier: GPL-3.0-or-later
// Boards whose cells know their piece: for people, the engine has no use for it.
#include <string.h>

#include "base/json_values.h"
#include "game/moves.h"
#include "web/web.h"

enum { ROWS = sizeof((WebCells *)0)->cell / sizeof((WebCells *)0)->cell[0] };

void web_cells_board(WebCells *cells, const Board *board) {
    for (int row = 0; row < ROWS; row++)
        for (int x = 0; x < BOARD_COLUMNS; x++)
            cells->cell[row][x] = board->column[x] >> row & 1 ? '#' : '.';
}

static void remove_rows(WebCells *cells, uint32_t full) {
    int to = 0;
    for (int row = 0; row < ROWS; row++)
        if (!(full >> row & 1))
            memmove(cells->cell[to++], cells->cell[row], BOARD_COLUMNS);
    memset(cells->cell[to], '.', (size_t)(ROWS - to) * BOARD_COLUMNS);
}

void web_cells_move(WebCells *cells, const Rules *rules, const Game *game, Placement placement) {
    Move move;
    if (placement < 0 || !moves_find(rules, &game->board, game->piece, placement, &move))
        return;
    const Shape *shape = &piece_shape[game->piece][placement_orientation(placement)];
    int column = placement_column(placement);
    Board after = game->board;
    board_put(&after, shape, column, move.row);
    for (int x = 0; x < shape->width; x++)
        for (int y = 0; y < shape->cells[x]; y++) {
            int row = move.row + shape->bottom[x] + y;
            if (row < ROWS)
                cells->cell[row][column + x] = piece_letter[game->piece];
        }
    remove_rows(cells, board_full_rows(&after, rules->width));
}

void web_cells_raise(WebCells *cells, const Board *board, int rows) {
    if (rows > 0) {
        memmove(cells->cell[rows], cells->cell[0], (size_t)(ROWS - rows) * BOARD_COLUMNS);
        memset(cells->cell[0], '.', (size_t)rows * BOARD_COLUMNS);
    }
    for (int row = 0; row < ROWS; row++)
        for (int x = 0; x < BOARD_COLUMNS; x++) {
            bool filled = board->column[x] >> row & 1;
            char *cell = &cells->cell[row][x];
            *cell = !filled ? '.' : *cell == '.' ? '#' : *cell;
        }
}

json_t *web_cells_json(const WebCells *cells, const Rules *rules) {
    json_t *list = json_array();
    for (int row = rules->height - 1; row >= 0; row--)
        json_array_append_new(list, json_stringn(cells->cell[row], (size_t)rules->width));
    return list;
}

static json_t *letter(int piece) {
    return piece < 0 ? json_null() : json_stringn(&piece_letter[piece], 1);
}

json_t *web_game_json(const Game *game, const Rules *rules, const WebCells *cells) {
    json_t *json = json_object(), *board = json_array();
    for (int x = 0; x < rules->width; x++)
        json_array_append_new(board, json_integer(game->board.column[x]));
    json_object_set_new(json, "width", json_integer(rules->width));
    json_object_set_new(json, "cells", web_cells_json(cells, rules));
    json_object_set_new(json, "board", board);
    json_object_set_new(json, "piece", letter(game->piece));
    json_object_set_new(json, "next", letter(game->next));
    json_object_set_new(json, "pieces", json_whole(game->pieces));
    json_object_set_new(json, "lines", json_whole(game->lines));
    json_object_set_new(json, "height", json_integer(board_pile_height(&game->board, rules->width)));
    json_object_set_new(json, "over", json_boolean(game->state != GAME_RUNNING));
    return json;
}
