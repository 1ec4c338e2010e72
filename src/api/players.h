// SPDX-License-Identifier: GPL-3.0-or-later
// Several players of the public interface that meet under the same rules.
#ifndef TETRALAB_API_PLAYERS_H
#define TETRALAB_API_PLAYERS_H

#include "api/api.h"

typedef struct ApiPlayers {
    const Player **player; // owned; what is in it is not
    int count;
    const Rules *rules; // of the first
    const char *kernel; //   likewise
} ApiPlayers;

// Fails when the rules differ. Free with api_players_free, also after an error.
bool api_players(ApiPlayers *players, const tetralab_player *const *given, int count, Error *error);
void api_players_free(ApiPlayers *players);

#endif
