// SPDX-License-Identifier: GPL-3.0-or-later
// Players on their way to another process: strategies and rules as members of JSON objects, and back. There
// they play with the fastest kernel of that machine: all of them make the same moves.
#include <stdlib.h>
#include <string.h>

#include "base/fields_json.h"
#include "game/rules_json.h"
#include "measure/crew.h"
#include "player/player.h"

typedef struct Copy {
    Player *player[CREW_PLAYERS];
    Rules rules[CREW_PLAYERS];
    _Alignas(8) char context[];
} Copy;

static bool learns(const Player *player) {
    return player && strategy_nature(player_strategy(player)).learns;
}

CrewMaker *crew_for(const Player *a, const Player *b) {
    return learns(a) || learns(b) ? crew_threads : crew_make;
}

static const Player **player_at(const CrewKind *kind, const void *context, int k) {
    return (const Player **)((char *)context + kind->player[k]);
}

static json_t *save_player(const Player *player) {
    char *text = strategy_to_json(player_strategy(player));
    json_t *object = json_pack("{s:s?}", "strategy", text);
    bool good = text && rules_json_add(object, player_rules(player));
    free(text);
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

json_t *crew_players_save(const CrewKind *kind, const void *context) {
    json_t *object = json_object(), *players = json_array();
    bool good = fields_save(kind->fields, context, object);
    for (int k = 0; good && k < kind->players; k++)
        good = !json_array_append_new(players, save_player(*player_at(kind, context, k)));
    if (!json_object_set_new(object, "players", players) && good)
        return object;
    json_decref(object);
    return NULL;
}

static Player *restore_player(Rules *rules, const json_t *object, Error *error) {
    const char *text = json_string_value(json_object_get(object, "strategy"));
    Strategy *strategy = malloc(sizeof *strategy); // large, and a thread's stack may be small
    Player *player = NULL;
    if (!text || !strategy)
        error_set(error, strategy ? "\"strategy\" must be a text." : "Out of memory for a player.");
    else if (rules_json_restore(rules, object, error) &&
             strategy_parse_json(strategy, "strategy", text, strlen(text), error))
        player = player_new(strategy, rules, NULL, error);
    free(strategy);
    return player;
}

void crew_players_free(const CrewKind *kind, void *context) {
    Copy *copy = (Copy *)((char *)context - offsetof(Copy, context));
    for (int k = 0; k < kind->players; k++) {
        player_free(copy->player[k]);
        rules_free(&copy->rules[k]);
    }
    free(copy);
}

void *crew_players_restore(const CrewKind *kind, const json_t *saved, Error *error) {
    Copy *copy = calloc(1, sizeof *copy + kind->context_bytes);
    bool good = copy || error_set(error, "Out of memory for players.");
    good = good && fields_restore(kind->fields, copy->context, saved, FIELDS_ALL, NULL, NULL, error);
    for (int k = 0; good && k < kind->players; k++) {
        copy->player[k] = restore_player(&copy->rules[k],
                                         json_array_get(json_object_get(saved, "players"), (size_t)k), error);
        *player_at(kind, copy->context, k) = copy->player[k];
        good = copy->player[k];
    }
    if (good)
        return copy->context;
    if (copy)
        crew_players_free(kind, copy->context);
    return NULL;
}
