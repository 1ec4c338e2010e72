// SPDX-License-Identifier: GPL-3.0-or-later
// In the place of the players that are files or programs where there are none: the page in a browser.
#include "player/player_type.h"

static bool make(Player *player, Error *error) {
    return error_set(error, "A player \"%s\" needs files or programs, which this build does without.",
                     strategy_player_names[player->strategy.player]);
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    (void)player, (void)game, (void)values;
    return PLACEMENT_NONE;
}

#define ABSENT                                                                                               \
    { .unrated = "is not for a player without a rating.", .make = make, .choose = choose }
const PlayerType player_patterns = ABSENT, player_tbp = ABSENT;
