// SPDX-License-Identifier: GPL-3.0-or-later
// One line that asks for a move, as `tetralab choose` reads them:
//     {"id": 7, "board": ["#.........", "##.....###"], "piece": "T", "next": "IO"}
// The board is a list of rows from the top, a text of such rows with a line end between them, or a list of
// columns as numbers, bit 0 the floor; left out, it is empty. "queue": "TIO" is the same as the last two
// members. Letters of pieces may also be a list: ["T", "I"]. docs/choose.md explains the members.
#ifndef TETRALAB_PLAYER_QUESTION_H
#define TETRALAB_PLAYER_QUESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/json_place.h"
#include "game/position.h"
#include "game/rules.h"

enum { QUESTION_LINE_LIMIT = 1 << 20, QUESTION_PIECES = 64 };

typedef struct Question {
    char id[JSON_ID]; // as it stood in the line; "": none
    Board board;
    uint8_t piece[QUESTION_PIECES]; // in hand, and those known to follow
    int pieces;
} Question;

// -> question  the pieces are filled in: they stay where the line does not give them
// <- false: the error says why; the id is there if it could be read
bool question_parse(Question *question, const char *text, size_t length, const Rules *rules, Error *error);

// Letters of pieces, as options give them. -> what  "next": begins the sentence
bool question_letters(Question *question, const char *letters, const char *what, Error *error);

// The question as a position to ask a player about; the same question has the same answer. Fails when there
// is no piece, or when no game reaches the board.
bool question_position(const Question *question, const Rules *rules, Position *position, Error *error);

#endif
