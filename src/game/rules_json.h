// SPDX-License-Identifier: GPL-3.0-or-later
// Rules as members of a JSON object: board, overflow, gameover, rules, piece_source and, if the pieces are a
// recorded sequence, recorded: its letters. Reading opens no file.
#ifndef TETRALAB_GAME_RULES_JSON_H
#define TETRALAB_GAME_RULES_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "game/rules.h"

bool rules_json_add(json_t *object, const Rules *rules); // false: out of memory
// Free with rules_free, also after an error.
bool rules_json_restore(Rules *rules, const json_t *object, Error *error);

#endif
