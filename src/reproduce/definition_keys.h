// SPDX-License-Identifier: GPL-3.0-or-later
// Which keys a definition of a reproduction and its rows have, and of which kind their values are.
#ifndef TETRALAB_REPRODUCE_DEFINITION_KEYS_H
#define TETRALAB_REPRODUCE_DEFINITION_KEYS_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"

// Are all keys of the object known, those that are needed there, and the values of the right kind?
// -> place  what the message begins with; -> row  is it a row, or a whole definition?
bool definition_keys_check(const char *place, const json_t *object, bool row, Error *error);

#endif
