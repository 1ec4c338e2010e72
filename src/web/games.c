// SPDX-License-Identifier: GPL-3.0-or-later
// Games that a page watches: it opens one at a table, lets the player make moves, changes the player's
// weights in between, and goes back. Positions without a game are asked about too.
#include <stdlib.h>
#include <string.h>

#include "base/json_values.h"
#include "game/moves.h"
#include "player/question.h"
#include "web/web.h"

enum {
    TABLES = 4,
    KEPT = 300,    // positions to go back to
    COLOURED = 400 // moves after which hardly a cell is left: longer runs are played without looking at cells
};

typedef struct Kept {
    Game game;
    WebCells cells;
} Kept;

typedef struct GameTable {
    WebPlayer *player; // owned; NULL: nobody sits there
    Game game;
    WebCells cells;
    Kept *kept; // owned; the last positions, position k at [k % KEPT]
    uint64_t first, count;
} GameTable;

static GameTable tables[TABLES];

// ---------------------------------------------------------------------------------------------------
// What requests say

// All requests about games share these members.
typedef struct Asked {
    int table;
    const json_t *strategy, *rules, *board, *position;
    uint64_t seed, number, moves, pieces, lines;
    int orientation, column;
    bool rank;
} Asked;

#define AT(member) FIELD_AT(Asked, member)
#define TABLE_FIELD                                                                                          \
    { "table", FIELD_INT, AT(table), .least = 0, .most = TABLES - 1 }
#define RANK_FIELD                                                                                           \
    { "rank", FIELD_FLAG, AT(rank) }
#define STRATEGY_FIELD                                                                                       \
    { "strategy", FIELD_JSON, AT(strategy), .type = &web_anything }
#define RULES_FIELD                                                                                          \
    { "rules", FIELD_JSON, AT(rules), .type = &web_anything }

static const Field open_field[] = {
    TABLE_FIELD,
    STRATEGY_FIELD,
    RULES_FIELD,
    RANK_FIELD,
    {"seed", FIELD_WHOLE, AT(seed), .preset = 1},
    {"number", FIELD_WHOLE, AT(number)},
    // A game that has come so far: with this board, or, without one, by the player's own moves.
    {"pieces", FIELD_WHOLE, AT(pieces), .most = 1e9},
    {"lines", FIELD_WHOLE, AT(lines)},
    {"board", FIELD_JSON, AT(board), .type = &web_anything},
};
static const Field strategy_field[] = {TABLE_FIELD, STRATEGY_FIELD, RANK_FIELD};
static const Field step_field[] = {
    TABLE_FIELD, RANK_FIELD, {"moves", FIELD_WHOLE, AT(moves), .preset = 1, .most = 1e8}};
static const Field look_field[] = {TABLE_FIELD, RANK_FIELD};
static const Field move_field[] = {TABLE_FIELD,
                                   RANK_FIELD,
                                   {"orientation", FIELD_INT, AT(orientation), .least = 0, .most = 3},
                                   {"column", FIELD_INT, AT(column), .least = 0, .most = 15}};
static const Field rank_field[] = {
    STRATEGY_FIELD, RULES_FIELD, {"position", FIELD_JSON, AT(position), .type = &web_anything}};

// ---------------------------------------------------------------------------------------------------
// Games

static json_t *state_json(const GameTable *table, bool rank) {
    const Rules *rules = &table->player->rules;
    json_t *json = web_game_json(&table->game, rules, &table->cells);
    json_object_set_new(json, "back", json_whole(table->count - table->first));
    json_object_set_new(json, "strategy", json_name(player_strategy(table->player->player)->name));
    if (rank && table->game.state == GAME_RUNNING)
        json_object_set_new(json, "ranking", web_ranking(table->player->player, &table->game));
    return json;
}

static GameTable *table_of(const Asked *asked, Error *error) {
    GameTable *table = &tables[asked->table];
    if (table->player)
        return table;
    return error_null(error, "There is no game at table %d: open one first.", asked->table);
}

// The pieces of a game do not depend on the moves: another board may have been reached with them.
static bool take_board(GameTable *table, const Asked *asked, Error *error) {
    const Rules *rules = &table->player->rules;
    Board board = {{0}};
    for (int x = 0; x < rules->width; x++) {
        uint64_t column;
        if (!json_whole_value(json_array_get(asked->board, (size_t)x), &column) || column >> 27)
            return error_set(error, "\"board\" must be a list of %d columns, as numbers.", rules->width);
        board.column[x] = (uint32_t)column;
    }
    if (!position_check(rules, &board, error))
        return false;
    for (uint64_t k = 0; k < asked->pieces && table->game.state == GAME_RUNNING; k++)
        game_advance(&table->game, 0);
    table->game.board = board;
    table->game.lines = asked->lines;
    return true;
}

static json_t *game_open(const void *request, Error *error) {
    const Asked *asked = request;
    GameTable *table = &tables[asked->table];
    GameTable opened = {.player = web_player_new(asked->strategy, asked->rules, NULL, error)};
    if (!opened.player)
        return NULL;
    opened.kept = table->kept ? table->kept : malloc(KEPT * sizeof *opened.kept);
    game_start(&opened.game, &opened.player->rules, asked->seed, asked->number);
    bool good = opened.kept || error_set(error, "Out of memory for a game.");
    if (good && asked->board)
        good = take_board(&opened, asked, error);
    else if (good && asked->pieces)
        player_run(opened.player->player, &opened.game, asked->pieces);
    if (!good) {
        web_player_free(opened.player);
        return NULL;
    }
    web_cells_board(&opened.cells, &opened.game.board);
    web_player_free(table->player);
    *table = opened;
    return state_json(table, asked->rank);
}

// The game goes on with another player.
static json_t *game_strategy(const void *request, Error *error) {
    const Asked *asked = request;
    GameTable *table = table_of(asked, error);
    bool good = table && web_player_change(table->player, asked->strategy, NULL, error);
    return good ? state_json(table, asked->rank) : NULL;
}

static void keep(GameTable *table) {
    table->kept[table->count % KEPT] = (Kept){table->game, table->cells};
    table->count++;
    if (table->count - table->first > KEPT)
        table->first = table->count - KEPT;
}

static void make_move(GameTable *table, Placement placement) {
    const Rules *rules = &table->player->rules;
    keep(table);
    web_cells_move(&table->cells, rules, &table->game, placement);
    if (placement == PLACEMENT_NONE)
        game_end(&table->game);
    else
        game_move(&table->game, rules, placement, NULL);
    if (table->game.state == GAME_OVER) // the move is not made
        table->cells = table->kept[(table->count - 1) % KEPT].cells;
}

static json_t *game_step(const void *request, Error *error) {
    const Asked *asked = request;
    GameTable *table = table_of(asked, error);
    if (!table)
        return NULL;
    const Player *player = table->player->player;
    json_t *heights = json_array();
    uint64_t left = asked->moves;
    if (left > COLOURED && table->game.state == GAME_RUNNING) {
        player_run(player, &table->game, left - COLOURED);
        web_cells_board(&table->cells, &table->game.board);
        table->first = table->count; // nobody saw them
        left = COLOURED;
    }
    for (; left && table->game.state == GAME_RUNNING; left--) {
        make_move(table, player_choose(player, &table->game));
        json_array_append_new(
            heights, json_integer(board_pile_height(&table->game.board, table->player->rules.width)));
    }
    json_t *json = state_json(table, asked->rank);
    json_object_set_new(json, "heights", heights);
    return json;
}

static json_t *game_move_by_hand(const void *request, Error *error) {
    const Asked *asked = request;
    GameTable *table = table_of(asked, error);
    if (!table)
        return NULL;
    Placement placement = placement_make(asked->orientation, asked->column);
    if (table->game.state != GAME_RUNNING || !game_can_move(&table->game, &table->player->rules, placement))
        return error_null(error, "The piece cannot be put there.");
    make_move(table, placement);
    return state_json(table, asked->rank);
}

static json_t *game_back(const void *request, Error *error) {
    const Asked *asked = request;
    GameTable *table = table_of(asked, error);
    if (!table)
        return NULL;
    if (table->count > table->first) {
        const Kept *kept = &table->kept[--table->count % KEPT];
        player_forget(table->player->player, &table->game);
        table->game = kept->game;
        table->cells = kept->cells;
    }
    return state_json(table, asked->rank);
}

static json_t *game_look(const void *request, Error *error) {
    const Asked *asked = request;
    GameTable *table = table_of(asked, error);
    return table ? state_json(table, asked->rank) : NULL;
}

// ---------------------------------------------------------------------------------------------------
// Positions: the questions of `tetralab choose`

static json_t *rank_position(const WebPlayer *player, const json_t *asked, Error *error) {
    static Position position; // large
    Question question = {.pieces = 0};
    char *text = json_is_object(asked) ? json_dumps(asked, JSON_COMPACT) : NULL;
    json_t *json = NULL;
    if (!text)
        error_set(error, "\"position\" must be an object with a board and a piece.");
    else if (question_parse(&question, text, strlen(text), &player->rules, error) &&
             question_position(&question, &player->rules, &position, error))
        json = web_ranking(player->player, &position.game);
    free(text);
    return json;
}

static json_t *rank(const void *request, Error *error) {
    const Asked *asked = request;
    WebPlayer *player = web_player_new(asked->strategy, asked->rules, NULL, error);
    json_t *json = player ? rank_position(player, asked->position, error) : NULL;
    web_player_free(player);
    return json;
}

const WebRequest web_game_requests[] = {
    {"game-open", FIELDS(open_field), sizeof(Asked), game_open},
    {"game-strategy", FIELDS(strategy_field), sizeof(Asked), game_strategy},
    {"game-step", FIELDS(step_field), sizeof(Asked), game_step},
    {"game-move", FIELDS(move_field), sizeof(Asked), game_move_by_hand},
    {"game-back", FIELDS(look_field), sizeof(Asked), game_back},
    {"game-look", FIELDS(look_field), sizeof(Asked), game_look},
    {"rank", FIELDS(rank_field), sizeof(Asked), rank},
    {NULL, {NULL, 0}, 0, NULL},
};
