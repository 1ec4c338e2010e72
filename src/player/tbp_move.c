// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/tbp_move.h"

#include <math.h>
#include <string.h>

const char *const tbp_orientation_words[] = {"north", "east", "south", "west", NULL};
const char *const tbp_spin_words[] = {"none", "mini", "full", NULL};

// In the north, around the cell that stays where it is.
static const TbpCell north[PIECES][4] = {
    [PIECE_O] = {{0, 0}, {1, 0}, {0, 1}, {1, 1}},  [PIECE_I] = {{-1, 0}, {0, 0}, {1, 0}, {2, 0}},
    [PIECE_S] = {{-1, 0}, {0, 0}, {0, 1}, {1, 1}}, [PIECE_Z] = {{-1, 1}, {0, 1}, {0, 0}, {1, 0}},
    [PIECE_L] = {{-1, 0}, {0, 0}, {1, 0}, {1, 1}}, [PIECE_J] = {{-1, 1}, {-1, 0}, {0, 0}, {1, 0}},
    [PIECE_T] = {{-1, 0}, {0, 0}, {1, 0}, {0, 1}},
};

void tbp_cells(const TbpMove *move, TbpCell cell[4]) {
    for (int i = 0; i < 4; i++) {
        TbpCell at = north[move->piece][i];
        for (int turn = 0; turn < (int)move->orientation; turn++)
            at = (TbpCell){at.y, -at.x};
        cell[i] = (TbpCell){move->x + at.x, move->y + at.y};
    }
}

static TbpCell lowest_left(const TbpCell cell[4]) {
    TbpCell corner = cell[0];
    for (int i = 1; i < 4; i++) {
        corner.x = cell[i].x < corner.x ? cell[i].x : corner.x;
        corner.y = cell[i].y < corner.y ? cell[i].y : corner.y;
    }
    return corner;
}

// Are the cells, seen from their corner, those of the shape?
static bool is_shape(const TbpCell cell[4], TbpCell corner, const Shape *shape) {
    for (int i = 0; i < 4; i++) {
        int x = cell[i].x - corner.x, y = cell[i].y - corner.y;
        if (x >= shape->width || y < shape->bottom[x] || y >= shape->bottom[x] + shape->cells[x])
            return false;
    }
    return true;
}

void tbp_placement(const TbpMove *move, int *orientation, int *column, int *row) {
    TbpCell cell[4];
    tbp_cells(move, cell);
    TbpCell corner = lowest_left(cell);
    *orientation = 0;
    while (!is_shape(cell, corner, &piece_shape[move->piece][*orientation]))
        ++*orientation;
    *column = corner.x;
    *row = corner.y;
}

TbpMove tbp_move(int piece, Placement placement, int row) {
    TbpMove move = {.piece = piece};
    for (;; move.orientation++) {
        TbpCell cell[4];
        tbp_cells(&move, cell);
        TbpCell corner = lowest_left(cell);
        if (!is_shape(cell, corner, &piece_shape[piece][placement_orientation(placement)]))
            continue;
        move.x = placement_column(placement) - corner.x;
        move.y = row - corner.y;
        return move;
    }
}

// ---------------------------------------------------------------------------------------------------
// JSON

int tbp_piece(const json_t *json) {
    const char *text = json_string_value(json);
    const char *found = text && text[0] && !text[1] ? strchr(piece_letter, text[0]) : NULL;
    return found ? (int)(found - piece_letter) : -1;
}

json_t *tbp_letter(int piece) {
    return json_stringn(&piece_letter[piece], 1);
}

json_t *tbp_move_json(const TbpMove *move) {
    return json_pack("{s:{s:o, s:s, s:i, s:i}, s:s}", "location", "type", tbp_letter(move->piece),
                     "orientation", tbp_orientation_words[move->orientation], "x", move->x, "y", move->y,
                     "spin", tbp_spin_words[move->spin]);
}

// <- its place, -1: it is none of them
static int find_word(const json_t *json, const char *const *words) {
    const char *text = json_string_value(json);
    for (int k = 0; text && words[k]; k++)
        if (!strcmp(text, words[k]))
            return k;
    return -1;
}

static bool read_number(int *number, const json_t *json, const char *name, Error *error) {
    double value = json_is_number(json) ? json_number_value(json) : NAN;
    if (!(fabs(value) <= 1000 && value == floor(value)))
        return error_set(error, "\"%s\" of its location is not a whole number on the board.", name);
    *number = (int)value;
    return true;
}

bool tbp_move_read(TbpMove *move, const json_t *json, Error *error) {
    const json_t *location = json_object_get(json, "location"), *spin = json_object_get(json, "spin");
    move->piece = tbp_piece(json_object_get(location, "type"));
    int orientation = find_word(json_object_get(location, "orientation"), tbp_orientation_words);
    int kind = spin ? find_word(spin, tbp_spin_words) : TBP_SPIN_NONE;
    if (move->piece < 0)
        return error_set(error, "it has no \"location\" with a \"type\", the letter of a piece.");
    if (orientation < 0)
        return error_set(error, "\"orientation\" is not north, east, south or west.");
    if (kind < 0)
        return error_set(error, "\"spin\" is not none, mini or full.");
    move->orientation = (TbpOrientation)orientation;
    move->spin = (TbpSpin)kind;
    return read_number(&move->x, json_object_get(location, "x"), "x", error) &&
           read_number(&move->y, json_object_get(location, "y"), "y", error);
}
