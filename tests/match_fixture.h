// SPDX-License-Identifier: GPL-3.0-or-later
// Players under rules, for the tests of matches. To be included after cmocka.h.
#ifndef TETRALAB_TESTS_MATCH_FIXTURE_H
#define TETRALAB_TESTS_MATCH_FIXTURE_H

#include <string.h>

#include "game/match.h"
#include "player/player.h"

// Chooses among all moves that do not end the game.
#define RANDOM_STRATEGY "{\"name\": \"random\", \"ties\": \"random\", \"weights\": {\"holes\": 0}}"

typedef struct Room {
    Rules rules;
    Player *player[MATCH_MAX_SEATS];
    int players;
} Room;

static inline void room_rules(Room *room, const char *board, const char *overflow, const char *gameover,
                              const char *kind, const char *pieces) {
    Error error = {""};
    room->players = 0;
    rules_default(&room->rules);
    if (!rules_set(&room->rules, "board", board, &error) ||
        !rules_set(&room->rules, "overflow", overflow, &error) ||
        !rules_set(&room->rules, "gameover", gameover, &error) ||
        !rules_set(&room->rules, "rules", kind, &error) ||
        !rules_set(&room->rules, "pieces", pieces, &error) || !rules_check(&room->rules, &error))
        fail_msg("%s", error.text);
}

// -> name  of a strategy, or a JSON text
static inline void room_add(Room *room, const char *name) {
    Error error = {""};
    Strategy strategy;
    bool good = name[0] == '{' ? strategy_parse_json(&strategy, "text", name, strlen(name), &error)
                               : strategy_find(&strategy, name, &error);
    if (!good || !(room->player[room->players++] = player_new(&strategy, &room->rules, NULL, &error)))
        fail_msg("%s", error.text);
}

static inline void room_make(Room *room, const char *board, const char *pieces, const char *a,
                             const char *b) {
    room_rules(room, board, "lenient", "avoid", "simplified", pieces);
    room_add(room, a);
    room_add(room, b);
}

static inline void room_free(Room *room) {
    for (int s = 0; s < room->players; s++)
        player_free(room->player[s]);
    rules_free(&room->rules);
}

// What every player does in the next round.
static inline void room_choose(const Room *room, Match *match, Placement *move) {
    for (int s = 0; s < room->players; s++)
        move[s] = match_is_alive(match, s) ? player_choose(room->player[s], &match->game[s]) : MATCH_NO_MOVE;
}

#endif
