// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab explain` says about one decision: the board with the move drawn in, the moves in their
// order, what every feature gives, and the weights with which another move is chosen; or one JSON object.
#ifndef TETRALAB_APP_EXPLAIN_REPORT_H
#define TETRALAB_APP_EXPLAIN_REPORT_H

#include <stdio.h>

#include "player/explanation.h"

typedef struct ExplainReport {
    const Player *player;
    const Game *game; // before the move
    const Ranking *ranking;
    const Explanation *explanation;
    const char *where; // "move 17 of lost.game, by bcts"; NULL: a board that was given
    int recorded;      // rank of the move that was played there; -1: none, or another board
    bool has_recorded; // there is a record
    int moves;         // shown, the best first; the recorded one comes in addition
} ExplainReport;

void explain_print(FILE *out, const ExplainReport *report);

// The members of `tetralab choose`, with the question and what is explained.
// <- the text of the object, free() it. NULL: out of memory
char *explain_json(const ExplainReport *report, size_t *length);

#endif
