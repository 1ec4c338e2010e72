// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/tbp_bot.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json_parse.h"
#include "game/position.h"
#include "player/ranking.h"
#include "player/tbp_move.h"

enum { LOW, HIGH, PLAYERS_OF_A_BOT };

struct TbpBot {
    Position position; // first: it is aligned
    Strategy strategy;
    const Rules *given;
    const Kernel *kernel;
    Rules rules[PLAYERS_OF_A_BOT];    // as the front end says; their pieces are not owned
    Player *player[PLAYERS_OF_A_BOT]; // HIGH: NULL until it is needed
    PieceSource pieces;               // of the rules
    bool calculating;
    bool lost; // the pile is higher than any board here
    int hold;  // -1: empty
};

// ---------------------------------------------------------------------------------------------------
// Making one

static void drop_players(TbpBot *bot) {
    for (int i = 0; i < PLAYERS_OF_A_BOT; i++) {
        player_free(bot->player[i]);
        bot->player[i] = NULL;
    }
}

// Players for the pieces that bot->pieces says.
static bool make_players(TbpBot *bot, Error *error) {
    drop_players(bot);
    for (int i = 0; i < PLAYERS_OF_A_BOT; i++) {
        bot->rules[i] = *bot->given;
        bot->rules[i].pieces = bot->pieces;
    }
    bot->rules[HIGH].height = BOARD_MAX_HEIGHT;
    bot->rules[HIGH].overflow = OVERFLOW_LENIENT;
    bot->player[LOW] = player_new(&bot->strategy, &bot->rules[LOW], bot->kernel, error);
    return bot->player[LOW] != NULL;
}

TbpBot *tbp_bot_new(const Strategy *strategy, const Rules *rules, const Kernel *kernel, Error *error) {
    TbpBot *bot = aligned_alloc(_Alignof(TbpBot), sizeof *bot);
    if (!bot)
        return error_null(error, "Out of memory for a bot.");
    memset(bot, 0, sizeof *bot);
    bot->strategy = *strategy;
    bot->given = rules;
    bot->kernel = kernel;
    bot->pieces = rules->pieces;
    bot->hold = -1;
    if (rules->width != TBP_WIDTH)
        error_set(error,
                  "The board of the Tetris Bot Protocol has %d columns: give --board %dx%d, not %dx%d.",
                  TBP_WIDTH, TBP_WIDTH, rules->height, rules->width, rules->height);
    else if (make_players(bot, error))
        return bot;
    tbp_bot_free(bot);
    return NULL;
}

void tbp_bot_free(TbpBot *bot) {
    if (!bot)
        return;
    drop_players(bot);
    free(bot);
}

bool tbp_bot_flush(const TbpBot *bot, Error *error) {
    return !bot->player[LOW] || player_flush(bot->player[LOW], error);
}

// ---------------------------------------------------------------------------------------------------
// Messages out

// Takes the reference. A message that out of memory for is not sent: the front end will not wait for
// ever.
static void send(FILE *out, json_t *message) {
    char *text = message ? json_dumps(message, JSON_COMPACT | JSON_REAL_PRECISION(15)) : NULL;
    if (text)
        fprintf(out, "%s\n", text);
    free(text);
    json_decref(message);
}

void tbp_bot_begin(const TbpBot *bot, const char *version, FILE *out) {
    char name[sizeof bot->strategy.name + 16];
    snprintf(name, sizeof name, "Tetralab %s", bot->strategy.name);
    send(out, json_pack("{s:s, s:s, s:s, s:s, s:[]}", "type", "info", "name", name, "version", version,
                        "author", "Tetralab", "features"));
}

// ---------------------------------------------------------------------------------------------------
// Moves

static json_t *moves_json(const Game *game, const Ranking *ranking) {
    json_t *list = json_array();
    for (int k = 0; ranking->chosen && k < ranking->count; k++) {
        const Move *move = &ranking->move[k].move;
        TbpMove said = tbp_move(game->piece, move->placement, move->row);
        if (!ranking->move[k].ends)
            json_array_append_new(list, tbp_move_json(&said));
    }
    return list;
}

// A player on the higher board. Made when it is first needed; if that is impossible there is none.
static const Player *high_player(TbpBot *bot) {
    if (!bot->player[HIGH])
        bot->player[HIGH] = player_new(&bot->strategy, &bot->rules[HIGH], bot->kernel, NULL);
    return bot->player[HIGH];
}

static int nodes_of(const Ranking *ranking) {
    int64_t visits = 0;
    for (int k = 0; k < ranking->count; k++)
        visits += ranking->move[k].visits;
    return visits ? (int)visits : ranking->count;
}

static int depth_of(const Strategy *strategy) {
    return strategy->player == PLAYER_EXPECTIMAX ? strategy->expectimax.depth
           : strategy->player == PLAYER_UCT      ? strategy->uct.pieces
                                                 : strategy_nature(strategy).sees;
}

static void suggest(TbpBot *bot, FILE *out) {
    Game *game = &bot->position.game;
    double start = clock_seconds();
    Ranking ranking = {.count = 0};
    json_t *moves = NULL;
    bool playing = bot->calculating && !bot->lost && game->piece >= 0;
    bool low = playing && board_pile_height(&game->board, TBP_WIDTH) <= rules_rows(&bot->rules[LOW]);
    if (low) {
        player_rank(bot->player[LOW], game, &ranking);
        moves = moves_json(game, &ranking);
    }
    if (playing && !json_array_size(moves) && high_player(bot)) {
        json_decref(moves);
        player_rank(bot->player[HIGH], game, &ranking);
        moves = moves_json(game, &ranking);
    }
    double seconds = clock_seconds() - start;
    int nodes = nodes_of(&ranking);
    send(out, json_pack("{s:s, s:o, s:{s:i, s:f, s:i, s:s}}", "type", "suggestion", "moves",
                        moves ? moves : json_array(), "move_info", "nodes", nodes, "nps",
                        seconds > 0 ? nodes / seconds : 0.0, "depth", depth_of(&bot->strategy), "extra",
                        bot->strategy.name));
}

// Which of the known pieces was it? Playing another one than that in hand uses the hold.
static bool take_piece(TbpBot *bot, int piece, Error *error) {
    Game *game = &bot->position.game;
    if (piece == game->piece)
        return true;
    int held = game->piece;
    if (piece != (bot->hold >= 0 ? bot->hold : game->next))
        return error_set(error, "\"play\": %c was played, but is neither in hand nor to be had by a hold.",
                         piece_letter[piece]);
    if (bot->hold < 0)
        position_skip(&bot->position);
    bot->hold = held;
    return true;
}

// Puts the cells down, wherever they are, and removes full rows. <- false: outside the walls, or on others
static bool put_cells(TbpBot *bot, const TbpMove *move) {
    Board *board = &bot->position.game.board;
    int orientation, column, row;
    tbp_placement(move, &orientation, &column, &row);
    const Shape *shape = &piece_shape[move->piece][orientation];
    if (column < 0 || column + shape->width > TBP_WIDTH || row < 0 || row >= TBP_ROWS)
        return false;
    if (row + shape->height > 31) {
        bot->lost = true;
        return true;
    }
    Board piece = {{0}};
    board_put(&piece, shape, column, row);
    for (int x = 0; x < TBP_WIDTH; x++)
        if (piece.column[x] & board->column[x])
            return false;
    board_place(board, TBP_WIDTH, shape, column, row);
    bot->lost |= board_pile_height(board, TBP_WIDTH) > BOARD_MAX_HEIGHT;
    return true;
}

// A straight drop that does not end the game is a move of the game, so that what was planned behind it is
// kept.
static bool plays_on(TbpBot *bot, const TbpMove *move) {
    Game *game = &bot->position.game, after = *game;
    const Rules *rules = &bot->rules[LOW];
    int orientation, column, row;
    tbp_placement(move, &orientation, &column, &row);
    if (move->piece != game->piece || column < 0 || column >= TBP_WIDTH)
        return false;
    Placement placement = placement_make(orientation, column);
    if (!game_can_move(game, rules, placement) ||
        moves_row(rules, &game->board, game->piece, placement) != row)
        return false;
    game_move(&after, rules, placement, NULL);
    if (after.state == GAME_OVER)
        return false;
    *game = after;
    return true;
}

static void play(TbpBot *bot, const json_t *message, Error *error) {
    TbpMove move;
    Error detail;
    if (!bot->calculating || bot->lost)
        return;
    if (!tbp_move_read(&move, json_object_get(message, "move"), &detail)) {
        error_set(error, "\"play\": %s", detail.text);
        return;
    }
    if (board_pile_height(&bot->position.game.board, TBP_WIDTH) <= rules_rows(&bot->rules[LOW]) &&
        plays_on(bot, &move))
        return;
    if (!take_piece(bot, move.piece, error)) {
        bot->calculating = false;
    } else if (!put_cells(bot, &move)) {
        error_set(error, "\"play\": the cells of the %c are outside the board or filled already.",
                  piece_letter[move.piece]);
        bot->calculating = false;
    } else {
        position_skip(&bot->position);
    }
}

// ---------------------------------------------------------------------------------------------------
// Positions

static bool read_row(Board *board, const json_t *list, int row, bool *lost, Error *error) {
    if (json_array_size(list) != TBP_WIDTH)
        return error_set(error, "\"start\": row %d of the board does not have %d cells.", row, TBP_WIDTH);
    for (int x = 0; x < TBP_WIDTH; x++) {
        if (json_is_null(json_array_get(list, (size_t)x)))
            continue;
        *lost |= row >= BOARD_MAX_HEIGHT;
        if (row < BOARD_MAX_HEIGHT)
            board->column[x] |= 1u << row;
    }
    return true;
}

static bool read_board(Board *board, const json_t *list, bool *lost, Error *error) {
    *board = (Board){{0}};
    *lost = false;
    if (!json_is_array(list) || json_array_size(list) > TBP_ROWS)
        return error_set(error, "\"start\": \"board\" is not a list of %d rows.", TBP_ROWS);
    for (size_t row = 0; row < json_array_size(list); row++)
        if (!read_row(board, json_array_get(list, row), (int)row, lost, error))
            return false;
    return !board_full_rows(board, TBP_WIDTH) ||
           error_set(error, "\"start\": a row of the board is full: it is to be cleared before.");
}

static bool add_queue(TbpBot *bot, const json_t *queue, Error *error) {
    if (!json_is_array(queue))
        return error_set(error, "\"start\": \"queue\" is not a list of pieces.");
    for (size_t i = 0; i < json_array_size(queue); i++) {
        int piece = tbp_piece(json_array_get(queue, i));
        if (piece < 0)
            return error_set(error, "\"start\": entry %zu of \"queue\" is not a piece, one of OISZLJT.",
                             i + 1);
        if (!position_add(&bot->position, piece))
            return error_set(error, "\"start\": \"queue\" has more than %d pieces.", POSITION_KNOWN);
    }
    return true;
}

// What is left in the bag behind the queue, if that is said.
static void tell_bag(TbpBot *bot, const json_t *randomizer) {
    const json_t *left = json_object_get(randomizer, "bag_state");
    const char *type = json_string_value(json_object_get(randomizer, "type"));
    uint32_t set = 0;
    if (bot->pieces.law != PIECES_BAG || !type || strcmp(type, "seven_bag") || !json_is_array(left))
        return;
    for (size_t i = 0; i < json_array_size(left); i++) {
        int piece = tbp_piece(json_array_get(left, i));
        set |= piece >= 0 ? 1u << piece : 0;
    }
    position_bag(&bot->position, set);
}

static void start(TbpBot *bot, const json_t *message, Error *error) {
    Board board;
    bool lost;
    const json_t *hold = json_object_get(message, "hold");
    if (bot->calculating)
        player_forget(bot->player[LOW], &bot->position.game);
    bot->calculating = false;
    if (!read_board(&board, json_object_get(message, "board"), &lost, error))
        return;
    position_start(&bot->position, &bot->rules[LOW], &board);
    if (!add_queue(bot, json_object_get(message, "queue"), error))
        return;
    if (hold && !json_is_null(hold) && tbp_piece(hold) < 0) {
        error_set(error, "\"start\": \"hold\" is neither null nor a piece.");
        return;
    }
    tell_bag(bot, json_object_get(message, "randomizer"));
    position_seed(&bot->position);
    bot->hold = tbp_piece(hold);
    bot->lost = lost;
    bot->calculating = true;
}

static void take_new_piece(TbpBot *bot, const json_t *message, Error *error) {
    int piece = tbp_piece(json_object_get(message, "piece"));
    if (!bot->calculating)
        return;
    if (piece < 0)
        error_set(error, "\"new_piece\": \"piece\" is not a piece, one of OISZLJT.");
    else if (!position_add(&bot->position, piece))
        error_set(error, "\"new_piece\": more than %d pieces are waiting.", POSITION_KNOWN);
}

// Where the law of the pieces is not said, or is none that we know, that of the command line stays.
static void take_rules(TbpBot *bot, const json_t *message, FILE *out, Error *error) {
    const char *law = json_string_value(json_object_get(message, "randomizer"));
    bot->calculating = false;
    bot->pieces = bot->given->pieces;
    if (law && (!strcmp(law, "seven_bag") || !strcmp(law, "uniform")))
        piece_source_parse(&bot->pieces, strcmp(law, "uniform") ? "bag" : "uniform", false, NULL);
    if (make_players(bot, error)) {
        send(out, json_pack("{s:s}", "type", "ready"));
        return;
    }
    send(out, json_pack("{s:s, s:s}", "type", "error", "reason", "unsupported_rules"));
}

// ---------------------------------------------------------------------------------------------------

// <- false: quit
static bool take_message(TbpBot *bot, const json_t *message, FILE *out, Error *error) {
    const char *type = json_string_value(json_object_get(message, "type"));
    if (!type)
        error_set(error, "The message has no \"type\".");
    else if (!strcmp(type, "quit"))
        return false;
    else if (!strcmp(type, "rules"))
        take_rules(bot, message, out, error);
    else if (!bot->player[LOW])
        return true; // it could not play under the rules
    else if (!strcmp(type, "start"))
        start(bot, message, error);
    else if (!strcmp(type, "suggest"))
        suggest(bot, out);
    else if (!strcmp(type, "play"))
        play(bot, message, error);
    else if (!strcmp(type, "new_piece"))
        take_new_piece(bot, message, error);
    else if (!strcmp(type, "stop"))
        bot->calculating = false;
    return true;
}

bool tbp_bot_take(TbpBot *bot, const char *line, size_t length, FILE *out, Error *error) {
    error->text[0] = 0;
    json_t *message = json_parse_line(line, length, error);
    bool goes_on = !message || take_message(bot, message, out, error);
    json_decref(message);
    return goes_on;
}
