// SPDX-License-Identifier: GPL-3.0-or-later
// A match that a page plays: a person against a player, or two players, with attack rows (game/match.h).

#include "game/match.h"
#include "base/json_values.h"
#include "web/web.h"

enum { SEATS = 2 };

typedef struct Asked {
    const json_t *rules, *seats;
    uint64_t seed, number;
    int orientation, column, sequence;
} Asked;

#define AT(member) FIELD_AT(Asked, member)
static const Field open_field[] = {
    {"rules", FIELD_JSON, AT(rules), .type = &web_anything},
    {"seats", FIELD_JSON, AT(seats), .type = &web_anything}, // two strategies; null: a person
    {"sequence", FIELD_WORD, AT(sequence), .words = match_sequence_words},
    {"seed", FIELD_WHOLE, AT(seed), .preset = 1},
    {"number", FIELD_WHOLE, AT(number)},
};
static const Field round_field[] = {
    // the person's move
    {"orientation", FIELD_INT, AT(orientation), .preset = -1, .least = -1, .most = 3},
    {"column", FIELD_INT, AT(column), .preset = -1, .least = -1, .most = 15},
};

static struct {
    Rules rules;              // owned
    WebPlayer *player[SEATS]; // owned; NULL: a person
    Match match;
    WebCells cells[SEATS];
    bool open;
} table;

static void close_table(void) {
    for (int k = 0; k < SEATS; k++) {
        web_player_free(table.player[k]);
        table.player[k] = NULL;
    }
    if (table.open)
        rules_free(&table.rules);
    table.open = false;
}

static json_t *seat_json(int k) {
    const Seat *seat = &table.match.seat[k];
    json_t *json = web_game_json(&table.match.game[k], &table.rules, &table.cells[k]);
    json_object_set_new(json, "sent", json_whole(seat->sent));
    json_object_set_new(json, "received", json_whole(seat->received));
    json_object_set_new(json, "attack", json_integer(table.match.attack[k].count));
    json_object_set_new(json, "person", json_boolean(!table.player[k]));
    return json;
}

static json_t *state_json(void) {
    json_t *json = json_object(), *seats = json_array();
    for (int k = 0; k < SEATS; k++)
        json_array_append_new(seats, seat_json(k));
    json_object_set_new(json, "seats", seats);
    json_object_set_new(json, "rounds", json_whole(table.match.rounds));
    json_object_set_new(json, "over", json_boolean(table.match.end != MATCH_RUNNING));
    json_object_set_new(json, "winner", json_integer(table.match.winner));
    return json;
}

static json_t *match_open(const void *request, Error *error) {
    const Asked *asked = request;
    close_table();
    table.open = true;
    bool good = web_rules(&table.rules, asked->rules, error);
    if (good && json_array_size(asked->seats) != SEATS)
        good = error_set(error, "\"seats\" must be a list of %d strategies, or null for a person.", SEATS);
    for (int k = 0; good && k < SEATS; k++) {
        const json_t *strategy = json_array_get(asked->seats, (size_t)k);
        if (!json_is_null(strategy))
            good = (table.player[k] = web_player_new(strategy, asked->rules, NULL, error)) != NULL;
    }
    if (!good) {
        close_table();
        return NULL;
    }
    match_start(&table.match, &table.rules, SEATS, (MatchSequence)asked->sequence, asked->seed,
                asked->number);
    table.match.winner = -1;
    for (int k = 0; k < SEATS; k++)
        web_cells_board(&table.cells[k], &table.match.game[k].board);
    return state_json();
}

// <- MATCH_LATE: a person's move that is none, which the caller refuses unless every move is lost
static Placement move_of(int k, const Asked *asked) {
    Game *game = &table.match.game[k];
    if (table.player[k])
        return player_choose(table.player[k]->player, game);
    Placement placement = placement_make(asked->orientation, asked->column);
    bool possible =
        asked->orientation >= 0 && asked->column >= 0 && game_can_move(game, &table.rules, placement);
    return possible ? placement : game_is_lost(game, &table.rules) ? MATCH_NO_MOVE : MATCH_LATE;
}

static json_t *match_play(const void *request, Error *error) {
    const Asked *asked = request;
    Placement move[MATCH_MAX_SEATS] = {0};
    if (!table.open || table.match.end != MATCH_RUNNING)
        return error_null(error, "No match is under way: open one first.");
    for (int k = 0; k < SEATS; k++)
        if ((move[k] = move_of(k, asked)) == MATCH_LATE)
            return error_null(error, "The piece cannot be put there.");
    uint64_t received[SEATS];
    WebCells before[SEATS];
    for (int k = 0; k < SEATS; k++) {
        received[k] = table.match.seat[k].received;
        before[k] = table.cells[k];
        web_cells_move(&table.cells[k], &table.rules, &table.match.game[k], move[k]);
    }
    match_round(&table.match, move);
    for (int k = 0; k < SEATS; k++) {
        bool made = table.match.game[k].state == GAME_RUNNING || table.match.end == MATCH_WON;
        if (!made)
            table.cells[k] = before[k];
        web_cells_raise(&table.cells[k], &table.match.game[k].board,
                        (int)(table.match.seat[k].received - received[k]));
    }
    return state_json();
}

const WebRequest web_match_requests[] = {
    {"match-open", FIELDS(open_field), sizeof(Asked), match_open},
    {"match-round", FIELDS(round_field), sizeof(Asked), match_play},
    {NULL, {NULL, 0}, 0, NULL},
};
