// SPDX-License-Identifier: GPL-3.0-or-later
// What recorded games (game/replay.h) and recorded matches (game/match_record.h) have in common: lines for
// the rules, moves, columns, pieces that were not placed.
#ifndef TETRALAB_GAME_RECORD_H
#define TETRALAB_GAME_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/reader.h"
#include "game/board.h"
#include "game/rules.h"

// --- writing

enum {
    RECORD_MOVE_TEXT = 8,                       // room for a move
    RECORD_COLUMNS_TEXT = BOARD_COLUMNS * 9 + 1 //   and for columns
};

// Copies a name into a field of one line: control characters would break the line.
void record_copy_line(char *out, size_t room, const char *text);
// A copy of the rules without the recorded pieces, which are among the moves.
Rules record_rules(const Rules *rules);

// The lines "board ..." to "pieces ...", without the last line end. <- length, as snprintf
int record_rules_text(const Rules *rules, char *out, size_t room);
int record_move_text(int piece, Placement placement, char out[RECORD_MOVE_TEXT]);                  // "T0:13"
const char *record_columns_text(const uint32_t *column, int width, char out[RECORD_COLUMNS_TEXT]); // "1f,3,0"
char record_piece_letter(int piece); // '-' for none

// --- reading

typedef struct RecordField {
    const char *name; // with the space that follows it
    bool (*read)(Reader *reader, Rules *rules, void *record);
} RecordField;

// The fields of the rules, for the tables of others.
bool record_read_board(Reader *reader, Rules *rules, void *record);
bool record_read_overflow(Reader *reader, Rules *rules, void *record);
bool record_read_gameover(Reader *reader, Rules *rules, void *record);
bool record_read_kind(Reader *reader, Rules *rules, void *record);
bool record_read_pieces(Reader *reader, Rules *rules, void *record);

// <-> *seen  bit i: field i has been read
// <- 1 the line was a field, 0 it is none, -1 error
int record_read_field(Reader *reader, const RecordField *fields, int count, Rules *rules, void *record,
                      unsigned *seen);
// Has each been there? The sentence says that the missing one is missing before the moves.
bool record_fields_complete(const Reader *reader, const RecordField *fields, int count, unsigned seen);

bool record_read_move(Reader *reader, int *piece, Placement *placement);
bool record_read_columns(Reader *reader, uint32_t *column, int width); // starts with zeros
bool record_read_piece(Reader *reader, int *piece);                    // or '-': -1
// Only empty lines may follow the end. -> last  how that line begins
bool record_read_nothing(Reader *reader, const char *last);

#endif
