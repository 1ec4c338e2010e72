// SPDX-License-Identifier: GPL-3.0-or-later
// A player on its way to another process: its strategy and rules as members of a JSON object, and back.
#ifndef TETRALAB_MEASURE_PLAYER_COPY_H
#define TETRALAB_MEASURE_PLAYER_COPY_H

#include <jansson.h>

#include "player/player.h"

typedef struct PlayerCopy {
    Player *player;
    Rules rules;
} PlayerCopy;

// <- object, with the player added; NULL: out of memory, and the object is gone. -> object  may be NULL
json_t *player_copy_save(const Player *player, json_t *object);
// With the fastest kernel of this machine: all of them make the same moves. Free also after an error.
bool player_copy_restore(PlayerCopy *copy, const json_t *object, Error *error);
void player_copy_free(PlayerCopy *copy);

#endif
