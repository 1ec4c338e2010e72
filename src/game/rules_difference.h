// SPDX-License-Identifier: GPL-3.0-or-later
// Do two games have the same rules? Players that meet must.
#ifndef TETRALAB_GAME_RULES_DIFFERENCE_H
#define TETRALAB_GAME_RULES_DIFFERENCE_H

#include "game/rules.h"

// <- the first field, such as "board", in which two rules differ; NULL: games under either are the same
const char *rules_difference(const Rules *a, const Rules *b);

#endif
