// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab choose` prints: a JSON line for each question; `tetralab explain` has the same members.
#ifndef TETRALAB_APP_CHOOSE_ANSWER_H
#define TETRALAB_APP_CHOOSE_ANSWER_H

#include <stdint.h>
#include <stdio.h>

#include "player/explanation.h"

typedef struct ChooseAnswer {
    const Player *player;
    const Game *game; // as it was when the ranking was made
    const Ranking *ranking;
    int moves;                      // how many of them to list, the best first; 0: there is no list
    bool features;                  // with what every feature gives
    const Explanation *explanation; // and with what it says; NULL: none
} ChooseAnswer;

// -> id  JSON text, printed first; "": there is none
void choose_print(FILE *out, const char *id, const ChooseAnswer *answer);
// Its members, the first one without a comma before it.
void choose_print_members(FILE *out, const ChooseAnswer *answer);
// -> line  of the question
void choose_print_error(FILE *out, const char *id, uint64_t line, const Error *error);

#endif
