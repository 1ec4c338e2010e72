// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/player_copy.h"

#include <stdlib.h>
#include <string.h>

#include "game/rules_json.h"

json_t *player_copy_save(const Player *player, json_t *object) {
    char *strategy = strategy_to_json(player_strategy(player));
    bool good = object && strategy && !json_object_set_new(object, "strategy", json_string(strategy)) &&
                rules_json_add(object, player_rules(player));
    free(strategy);
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

bool player_copy_restore(PlayerCopy *copy, const json_t *object, Error *error) {
    *copy = (PlayerCopy){NULL};
    const char *text = json_string_value(json_object_get(object, "strategy"));
    Strategy *strategy = malloc(sizeof *strategy); // large, and a thread's stack may be small
    if (!text || !strategy)
        error_set(error, strategy ? "\"strategy\" must be a text." : "Out of memory for a player.");
    else if (rules_json_restore(&copy->rules, object, error) &&
             strategy_parse_json(strategy, "strategy", text, strlen(text), error))
        copy->player = player_new(strategy, &copy->rules, NULL, error);
    free(strategy);
    return copy->player;
}

void player_copy_free(PlayerCopy *copy) {
    player_free(copy->player);
    rules_free(&copy->rules);
}
