// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab choose` prints: a JSON line for each question.
#ifndef TETRALAB_APP_CHOOSE_ANSWER_H
#define TETRALAB_APP_CHOOSE_ANSWER_H

#include <stdint.h>
#include <stdio.h>

#include "player/ranking.h"

// -> id        JSON text, printed first; "": there is none
// -> moves     how many of them to list, the best first; 0: there is no list
// -> features  with what every feature gives
void choose_print(FILE *out, const char *id, const Player *player, const Game *game, const Ranking *ranking,
                  int moves, bool features);
// -> line  of the question
void choose_print_error(FILE *out, const char *id, uint64_t line, const Error *error);

#endif
