// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/players.h"

#include <stdlib.h>

#include "game/rules_difference.h"

bool api_players(ApiPlayers *players, const tetralab_player *const *given, int count, Error *error) {
    *players = (ApiPlayers){.player = calloc((size_t)count, sizeof(Player *)),
                            .count = count,
                            .rules = &given[0]->rules.rules,
                            .kernel = kernel_name(given[0]->kernel)};
    if (!players->player)
        return error_set(error, "Out of memory for %d players.", count);
    for (int i = 0; i < count; i++) {
        players->player[i] = given[i]->player;
        const char *difference = rules_difference(players->rules, &given[i]->rules.rules);
        if (difference)
            return error_set(error, "Players 0 and %d play by different rules: make them with the same %s.",
                             i, difference);
    }
    return true;
}

void api_players_free(ApiPlayers *players) {
    free(players->player);
    *players = (ApiPlayers){.count = 0};
}
