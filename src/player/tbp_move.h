// SPDX-License-Identifier: GPL-3.0-or-later
// Where a piece stands, as the Tetris Bot Protocol says it: one of four orientations and the cell that the
// piece turns around in the guideline's rotation system (SRS). x counts from the left column, y from the
// floor. In the north, @ is that cell; each next orientation is turned clockwise around it:
//
//     O  ##    I  #@##    S  .##    Z  ##.    L  ..#    J  #..    T  .#.
//        @#                  #@.       .@#       #@#       #@#       #@#
//
// Two or four of them are the same cells for O, I, S and Z. All are understood; the first one is written.
#ifndef TETRALAB_PLAYER_TBP_MOVE_H
#define TETRALAB_PLAYER_TBP_MOVE_H

#include <jansson.h>

#include "base/error.h"
#include "game/board.h"

typedef enum TbpOrientation { TBP_NORTH, TBP_EAST, TBP_SOUTH, TBP_WEST, TBP_ORIENTATIONS } TbpOrientation;
typedef enum TbpSpin { TBP_SPIN_NONE, TBP_SPIN_MINI, TBP_SPIN_FULL } TbpSpin;

enum { TBP_WIDTH = 10, TBP_ROWS = 40 }; // of the protocol's board

typedef struct TbpMove {
    int piece;
    TbpOrientation orientation;
    int x, y;
    TbpSpin spin;
} TbpMove;

typedef struct TbpCell {
    int x, y;
} TbpCell;

void tbp_cells(const TbpMove *move, TbpCell cell[4]);

// <- the placement and the row of its lowest cell: the same cells. Always possible; walls are not looked at,
//    so the column may be any number. *orientation and *column as in a Placement
void tbp_placement(const TbpMove *move, int *orientation, int *column, int *row);
TbpMove tbp_move(int piece, Placement placement, int row);

// {"location": {"type", "orientation", "x", "y"}, "spin"}. <- NULL: out of memory
json_t *tbp_move_json(const TbpMove *move);
// -> json  may be anything, also NULL. Unknown members are ignored.
bool tbp_move_read(TbpMove *move, const json_t *json, Error *error);

// <- the piece with this letter, which must be a text of its own and upper case, or -1.
int tbp_piece(const json_t *json);
json_t *tbp_letter(int piece);

extern const char *const tbp_orientation_words[], *const tbp_spin_words[];

#endif
