// SPDX-License-Identifier: GPL-3.0-or-later
// The engine as a page in a browser has it, compiled to WebAssembly. The page (web/engine.js) writes a
// request as a JSON text into the engine's memory and reads the answer there, a JSON text too:
//
//     {"do": "rank", "strategy": "bcts", "rules": {"board": "10x16"}, "position": {"piece": "T"}}
//     {"chosen": true, "features": [...], "moves": [...]}
//
// A request that cannot be served is answered with {"error": "a full sentence"}. Long work says how far it is
// by web_tell, which the page provides; it is stopped by ending the worker that it runs in. There are no
// threads and no files.
#ifndef TETRALAB_WEB_WEB_H
#define TETRALAB_WEB_WEB_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/fields.h"
#include "feature/kernel.h"
#include "game/game.h"
#include "player/player.h"

enum { WEB_REQUEST_LIMIT = 1 << 21 }; // bytes of a request

// <- room for a request of this many bytes, until the next call; NULL: none, or it is too long
char *web_room(size_t length);
// Serves the request that is there. <- the answer, with a final 0, until the next call
const char *web_ask(size_t length);
// What long work has to say, as a JSON text. Of the page.
__attribute__((import_module("page"), import_name("tell"))) void web_tell(const char *text, size_t length);
// Takes the reference.
void web_tell_json(json_t *json);

// ---------------------------------------------------------------------------------------------------
// Requests

// What a kind of request has: its members as a table of fields, and who answers it.
typedef struct WebRequest {
    const char *name;
    Fields fields;
    size_t size;                                        // of the struct that the table describes
    json_t *(*answer)(const void *asked, Error *error); // NULL: the error says why
} WebRequest;

// The requests of each file, up to one without a name.
extern const WebRequest web_about_requests[], web_game_requests[], web_match_requests[], web_long_requests[];

// A member that is any JSON value, looked at by whoever answers.
extern const FieldType web_anything;

// ---------------------------------------------------------------------------------------------------
// Players

// A strategy under rules, ready to play.
typedef struct WebPlayer {
    Rules rules; // owned
    Player *player;
} WebPlayer;

// -> strategy  a built-in name, a strategy file as a text, or as an object
// -> rules     an object with some of the members of rules, or NULL: the default ones
// -> kernel    NULL: the fastest
WebPlayer *web_player_new(const json_t *strategy, const json_t *rules, const char *kernel, Error *error);
void web_player_free(WebPlayer *player);
// Another strategy under the same rules, which games that are under way refer to. <- false: nothing has
// changed
bool web_player_change(WebPlayer *player, const json_t *strategy, const char *kernel, Error *error);
// Free with rules_free, also after an error.
bool web_rules(Rules *rules, const json_t *given, Error *error);

// <- all moves of the piece in hand in the order in which the player prefers them, with what every feature
// gives.
//    The game is left as it is.
json_t *web_ranking(const Player *player, const Game *game);

// ---------------------------------------------------------------------------------------------------
// Boards whose cells know their piece

typedef struct WebCells {
    char cell[32][BOARD_COLUMNS]; // rows from the floor: a piece's letter, '#' for others, '.' empty
} WebCells;

// A board without history: its cells have no piece.
void web_cells_board(WebCells *cells, const Board *board);
// Before the move is made.
void web_cells_move(WebCells *cells, const Rules *rules, const Game *game, Placement placement);
// After a change of the board that is no move: cells that are not there any more are emptied, new ones are
// '#'.
void web_cells_raise(WebCells *cells, const Board *board, int rows);
// <- the rows from the top, as texts
json_t *web_cells_json(const WebCells *cells, const Rules *rules);
// <- what there is to know of a game: cells, board, piece, next, pieces, lines, height, over
json_t *web_game_json(const Game *game, const Rules *rules, const WebCells *cells);

#endif
