// SPDX-License-Identifier: GPL-3.0-or-later
// The player "table": knows what every board is worth (a file of 'tetralab solve') and takes the placement
// with the most lines + value of the board after it. To be shared by threads.
#ifndef TETRALAB_EXACT_VALUE_TABLE_H
#define TETRALAB_EXACT_VALUE_TABLE_H

#include <stdint.h>

#include "base/error.h"
#include "game/board.h"
#include "game/rules.h"
#include "player/move_values.h"

typedef struct ValueTable ValueTable;

// <- NULL: the file cannot be read, is damaged, or was solved for other rules
ValueTable *value_table_new(const char *path, const Rules *rules, Error *error);
void value_table_free(void *table);

// <- the best placements as a set, empty if every one ends the game (or the board shows that it has ended:
// cells above the rows that may be filled). A board after the move that the table does not hold (play cannot
// reach it; attack rows can) counts as 0.
// <-> values  lines of the move + value of the board after it; NULL: not wanted
uint64_t value_table_best(const ValueTable *table, const Board *board, int piece, MoveValues *values);

#endif
