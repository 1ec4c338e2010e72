// SPDX-License-Identifier: GPL-3.0-or-later
// The player that is another program: a bot of the Tetris Bot Protocol (player/tbp_bot.h names the
// documents), started and talked to by us, the front end. Any board can be put before it with "start", so
// that it can be measured by splitting too.
//
// Each thread that plays has a process of its own while it waits for a move; they are kept for the next move.
// A bot that has just chosen is told "play" and the next piece at once, so that it thinks on where the game
// goes on; if another game, or another board, comes next it gets a new "start".
//
// Of the moves that it suggests the first one that is possible here is played, as the protocol says: a
// straight drop of the piece in hand. There is no hold, and nothing slides or spins into its place. If none
// of them is possible, that of the first one is said. Whoever suggests no move at all gives the game up.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/json_parse.h"
#include "game/moves.h"
#include "player/player_type.h"
#include "player/tbp_bot.h"
#include "player/tbp_move.h"

enum { MAX_ARGUMENTS = 256, TBP_MAX_PREVIEW = 64 };
static const double FAREWELL = 1; // seconds that a bot may take to end by itself
static const char STARTED[] = "when it was started", ASKED[] = "when it was asked for a move";

typedef struct Bot {
    Game game; // first: it is aligned. The one that it is told to be in
    bool in_game;
    Child *child;
    struct Bot *next;
} Bot;

typedef struct Bots {
    pthread_mutex_t lock;
    Bot *idle;
} Bots;

// ---------------------------------------------------------------------------------------------------
// Failing

static bool refuse_event(ChildEvent event, const char *doing, double limit, Error *error) {
    switch (event) {
    case CHILD_LATE:
        return error_set(error, "the bot has not answered within %g s, %s; \"%s\" sets the limit.", limit,
                         doing, strcmp(doing, STARTED) ? "move-limit" : "start-limit");
    case CHILD_GONE:
        return error_set(error, "the bot ended, %s.", doing);
    case CHILD_TOO_LONG:
        return error_set(error, "the bot wrote a line of more than %d bytes, %s.", TBP_LINE_LIMIT, doing);
    default:
        return error_set(error, "the pipe to the bot does not work, %s.", doing);
    }
}

// From now on nobody plays.
static void fail(const Player *player, const Error *error) {
    Error sentence;
    error_set(&sentence, "%s: %s", player->strategy.name, error->text);
    if (player_fail(player, error) && player_failure)
        player_failure(sentence.text);
}

// ---------------------------------------------------------------------------------------------------
// Messages

// Takes the reference. <- false: it could not be sent
static bool send(Bot *bot, json_t *message, const char *doing, double limit, Error *error) {
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    size_t length = text ? strlen(text) : 0;
    char *line = text ? realloc(text, length + 2) : NULL;
    if (!line) {
        free(text);
        return error_set(error, "out of memory for a message to the bot.");
    }
    memcpy(line + length, "\n", 2);
    ChildEvent event = child_write(bot->child, line, length + 1, clock_seconds() + limit);
    free(line);
    return event == CHILD_DONE || refuse_event(event, doing, limit, error);
}

// Waits for a message of one of these types; others are ignored.
// <- NULL: none came
static json_t *receive(Bot *bot, const char *type, const char *or_type, const char *doing, double limit,
                       Error *error) {
    double deadline = clock_seconds() + limit;
    for (;;) {
        const char *text;
        size_t length;
        Error wrong;
        ChildEvent event = child_read(bot->child, deadline, &text, &length);
        if (event != CHILD_DONE) {
            refuse_event(event, doing, limit, error);
            return NULL;
        }
        json_t *message = length ? json_parse_line(text, length, &wrong) : json_null();
        if (!message)
            return error_null(error, "the bot wrote a line that is no JSON, %s: %.300s", doing, wrong.text);
        const char *found = json_string_value(json_object_get(message, "type"));
        if (found && (!strcmp(found, type) || (or_type && !strcmp(found, or_type))))
            return message;
        json_decref(message);
        if (clock_seconds() > deadline) { // it talks, but says nothing that was asked for
            refuse_event(CHILD_LATE, doing, limit, error);
            return NULL;
        }
    }
}

// ---------------------------------------------------------------------------------------------------
// Starting one

static const char *randomizer_of(const PieceSource *pieces) {
    return pieces->law == PIECES_BAG ? "seven_bag" : !strcmp(pieces->name, "uniform") ? "uniform" : "unknown";
}

static bool shake_hands(const Player *player, Bot *bot, Error *error) {
    double limit = player->strategy.tbp.start_limit;
    json_t *message = receive(bot, "info", NULL, STARTED, limit, error);
    json_decref(message);
    if (!message ||
        !send(bot,
              json_pack("{s:s, s:s}", "type", "rules", "randomizer", randomizer_of(&player->rules->pieces)),
              STARTED, limit, error))
        return false;
    message = receive(bot, "ready", "error", STARTED, limit, error);
    if (!message)
        return false;
    const char *type = json_string_value(json_object_get(message, "type"));
    const char *reason = json_string_value(json_object_get(message, "reason"));
    bool ready = !strcmp(type, "ready");
    if (!ready)
        error_set(error, "the bot refuses these rules: %.200s.", reason ? reason : "it does not say why");
    json_decref(message);
    return ready;
}

static void bot_free(Bot *bot) {
    if (bot)
        child_end(bot->child);
    free(bot);
}

static Bot *bot_new(const Player *player, Error *error) {
    const char *arguments[MAX_ARGUMENTS + 1] = {NULL};
    int count = 0;
    for (const char *text = player->strategy.tbp.command; *text && count < MAX_ARGUMENTS;
         text += strlen(text) + 1)
        arguments[count++] = text;
    Bot *bot = aligned_alloc(_Alignof(Bot), sizeof *bot);
    if (!bot)
        return error_null(error, "out of memory for a bot.");
    memset(bot, 0, sizeof *bot);
    if ((bot->child = child_start(arguments, TBP_LINE_LIMIT, error)) && shake_hands(player, bot, error))
        return bot;
    bot_free(bot);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Which bot is in which game

static bool is_in(const Bot *bot, const Game *game) {
    return bot->in_game && player_same_game(&bot->game, game) && player_same_sight(&bot->game, game);
}

// <- a bot that nobody else uses, that of the game if there is one; NULL: none could be started
static Bot *borrow(const Player *player, const Game *game, Error *error) {
    Bots *bots = player->state;
    if (player_has_failed(player, error))
        return NULL;
    pthread_mutex_lock(&bots->lock);
    Bot **found = &bots->idle;
    while (*found && !is_in(*found, game))
        found = &(*found)->next;
    if (!*found)
        found = &bots->idle;
    Bot *bot = *found;
    if (bot)
        *found = bot->next;
    pthread_mutex_unlock(&bots->lock);
    return bot ? bot : bot_new(player, error);
}

static void give_back(const Player *player, Bot *bot) {
    Bots *bots = player->state;
    pthread_mutex_lock(&bots->lock);
    bot->next = bots->idle;
    bots->idle = bot;
    pthread_mutex_unlock(&bots->lock);
}

// ---------------------------------------------------------------------------------------------------
// Telling it the game

static json_t *board_json(const Board *board) {
    json_t *rows = json_array();
    for (int row = 0; row < TBP_ROWS; row++) {
        json_t *cells = json_array();
        for (int x = 0; x < TBP_WIDTH; x++)
            json_array_append_new(cells,
                                  row < 32 && board->column[x] >> row & 1 ? json_string("G") : json_null());
        json_array_append_new(rows, cells);
    }
    return rows;
}

// What is left behind the pieces that the bot sees.
static json_t *randomizer_json(const Player *player, const Game *game, int preview) {
    json_t *object = json_pack("{s:s}", "type", randomizer_of(&player->rules->pieces));
    if (player->rules->pieces.law != PIECES_BAG)
        return object;
    PieceStream stream = game->stream;
    for (int i = 2; i < preview; i++)
        piece_stream_next(&stream);
    if (preview == 1)
        piece_stream_unsee(&stream, game->next);
    json_t *left = json_array();
    for (int i = 0; i < (stream.bag_left ? stream.bag_left : PIECES); i++)
        json_array_append_new(left, tbp_letter(stream.bag_left ? stream.bag[i] : i));
    json_object_set_new(object, "bag_state", left);
    return object;
}

static bool tell_start(const Player *player, Bot *bot, const Game *game, Error *error) {
    const TbpOptions *options = &player->strategy.tbp;
    json_t *queue = json_array();
    int8_t piece[TBP_MAX_PREVIEW];
    int known = game_coming(game, options->preview, piece);
    for (int i = 0; i < known; i++)
        json_array_append_new(queue, tbp_letter(piece[i]));
    bool told =
        !bot->in_game || send(bot, json_pack("{s:s}", "type", "stop"), ASKED, options->move_limit, error);
    json_t *start = json_pack("{s:s, s:o, s:o, s:i, s:b, s:o, s:o}", "type", "start", "hold",
                              options->fill_hold ? tbp_letter(game->piece) : json_null(), "queue", queue,
                              "combo", 0, "back_to_back", 0, "board", board_json(&game->board), "randomizer",
                              randomizer_json(player, game, options->preview));
    if (!told) {
        json_decref(start);
        return false;
    }
    return send(bot, start, ASKED, options->move_limit, error);
}

// The move is made: it thinks on from there.
static bool tell_move(const Player *player, Bot *bot, const Game *game, const TbpMove *move, Error *error) {
    const TbpOptions *options = &player->strategy.tbp;
    static const char doing[] = "when it was told a move";
    int orientation, column, row;
    tbp_placement(move, &orientation, &column, &row);
    bot->game = *game;
    game_move(&bot->game, player->rules, placement_make(orientation, column), NULL);
    bot->in_game = bot->game.state == GAME_RUNNING && !options->fill_hold;
    if (!bot->in_game)
        return send(bot, json_pack("{s:s}", "type", "stop"), doing, options->move_limit, error);
    int8_t piece[TBP_MAX_PREVIEW];
    bool is_new = game_coming(&bot->game, options->preview, piece) == options->preview;
    return send(bot, json_pack("{s:s, s:o}", "type", "play", "move", tbp_move_json(move)), doing,
                options->move_limit, error) &&
           (!is_new || send(bot,
                            json_pack("{s:s, s:o}", "type", "new_piece", "piece",
                                      tbp_letter(piece[options->preview - 1])),
                            doing, options->move_limit, error));
}

// ---------------------------------------------------------------------------------------------------
// Its moves

// Is it a straight drop of the piece in hand? If not, the error says what it is.
static bool is_possible(const Player *player, const Game *game, const TbpMove *move, Error *error) {
    int orientation, column, row;
    tbp_placement(move, &orientation, &column, &row);
    char letter = piece_letter[move->piece];
    const Shape *shape = &piece_shape[move->piece][orientation];
    if (move->piece != game->piece)
        return error_set(error,
                         "the bot plays %c, but %c is in hand and there is no hold in these games; "
                         "\"fill-hold\": true makes a bot do without.",
                         letter, piece_letter[game->piece]);
    if (move->spin != TBP_SPIN_NONE)
        return error_set(error, "the bot spins the %c into its place; here pieces only fall straight down.",
                         letter);
    if (column < 0 || column + shape->width > TBP_WIDTH || row < 0 || row + shape->height > TBP_ROWS)
        return error_set(error, "the bot puts the %c outside the board.", letter);
    Placement placement = placement_make(orientation, column);
    int rest = game_can_move(game, player->rules, placement)
                   ? moves_row(player->rules, &game->board, game->piece, placement)
                   : -1;
    if (rest == row)
        return true;
    if (row > rest && rest >= 0)
        return error_set(error, "the bot leaves the %c in the air: in row %d, but it falls to row %d.",
                         letter, row, rest);
    Board piece = {{0}};
    if (row < 28)
        board_put(&piece, shape, column, row);
    for (int x = 0; x < TBP_WIDTH; x++)
        if (piece.column[x] & game->board.column[x])
            return error_set(error, "the bot puts the %c on cells that are filled.", letter);
    return error_set(
        error, "the bot slides the %c into a place that it does not reach by falling straight down.", letter);
}

// The first one that is possible. <- 1 found, 0 there is no move at all, -1 the error says why not
static int first_move(const Player *player, const Game *game, const json_t *message, TbpMove *move,
                      Error *error) {
    const json_t *list = json_object_get(message, "moves");
    size_t count = json_array_size(list);
    Error later;
    if (!json_is_array(list)) {
        error_set(error, "the bot's suggestion has no list \"moves\".");
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        Error detail = {""}, *reason = i ? &later : error;
        if (!tbp_move_read(move, json_array_get(list, i), &detail))
            error_set(reason, "the bot suggests a move that is none: %s", detail.text);
        else if (is_possible(player, game, move, reason))
            return 1;
    }
    return count ? -1 : 0;
}

static void let_think(double milliseconds) {
    struct timespec left = {(time_t)(milliseconds / 1000),
                            (long)((milliseconds - 1000 * (double)(time_t)(milliseconds / 1000)) * 1e6)};
    while (milliseconds > 0 && nanosleep(&left, &left) < 0)
        ;
}

// <- as first_move
static int ask(const Player *player, Bot *bot, const Game *game, TbpMove *move, Error *error) {
    const TbpOptions *options = &player->strategy.tbp;
    if (!is_in(bot, game) && !tell_start(player, bot, game, error))
        return -1;
    let_think(options->think);
    if (!send(bot, json_pack("{s:s}", "type", "suggest"), ASKED, options->move_limit, error))
        return -1;
    json_t *message = receive(bot, "suggestion", NULL, ASKED, options->move_limit, error);
    int found = message ? first_move(player, game, message, move, error) : -1;
    json_decref(message);
    if (found == 0) {
        bot->in_game = true; // so that it is told to stop
        bot->game.piece = -1;
    }
    return found > 0 && !tell_move(player, bot, game, move, error) ? -1 : found;
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    TbpMove move;
    Error error = {""};
    (void)values; // it has none
    Bot *bot = borrow(player, game, &error);
    int found = bot ? ask(player, bot, game, &move, &error) : -1;
    if (found < 0) {
        bot_free(bot);
        fail(player, &error);
        return PLACEMENT_NONE;
    }
    give_back(player, bot);
    int orientation, column, row;
    if (!found)
        return PLACEMENT_NONE;
    tbp_placement(&move, &orientation, &column, &row);
    return placement_make(orientation, column);
}

// ---------------------------------------------------------------------------------------------------
// The player

static const Field option[] = {
    {"command", FIELD_TEXTS, FIELD_TEXT_AT(Strategy, tbp.command),
     .help =
         "The program and its arguments; a program with a / in its name is seen from the strategy's folder."},
    {"preview", FIELD_INT, FIELD_AT(Strategy, tbp.preview), .preset = 2, .least = 1, .most = TBP_MAX_PREVIEW,
     .help = "Pieces that the bot sees, the one in hand included."},
    {"fill-hold", FIELD_FLAG, FIELD_AT(Strategy, tbp.fill_hold),
     .help = "For bots that use the hold: each move begins with a new `start`, in which the hold is filled "
             "with the "
             "piece in hand, so that a hold changes nothing."},
    {"start-limit", FIELD_REAL, FIELD_AT(Strategy, tbp.start_limit), .preset = 30, .least = 0.01,
     .most = 3600, .help = "Seconds until the bot must be ready to play."},
    {"move-limit", FIELD_REAL, FIELD_AT(Strategy, tbp.move_limit), .preset = 10, .least = 0.01, .most = 3600,
     .help = "Seconds until it must have suggested a move."},
    {"think", FIELD_REAL, FIELD_AT(Strategy, tbp.think), .preset = 0, .least = 0, .most = 3.6e6,
     .help = "Milliseconds that it is left to think before it is asked for a move."},
};

static bool settle(Strategy *strategy, const json_t *object, const JsonSource *source, Error *error) {
    (void)strategy;
    const json_t *command = json_object_get(object, "command");
    if (json_array_size(command) > MAX_ARGUMENTS)
        return json_refuse(source, (JsonSpot){object, "command", -1, false}, error,
                           "\"command\" has more than %d words.", MAX_ARGUMENTS);
    return command ||
           json_refuse(source, (JsonSpot){object, NULL, -1, false}, error,
                       "\"command\" is missing; add the bot's program and arguments, as in [\"./bot\"].");
}

static bool locate(Strategy *strategy, const char *file, Error *error) {
    char *command = strategy->tbp.command, packed[sizeof strategy->tbp.command] = {0};
    const char *slash = strrchr(file, '/');
    if (command[0] == '/' || !strchr(command, '/') || !slash)
        return true;
    size_t folder = (size_t)(slash - file) + 1, length = 0;
    while (command[length] || command[length + 1])
        length++;
    if (folder + length + 2 > sizeof packed)
        return error_set(error, "%.200s: its command is longer than %zu bytes.", file, sizeof packed - 2);
    memcpy(packed, file, folder);
    memcpy(packed + folder, command, length);
    memcpy(command, packed, sizeof packed);
    return true;
}

static void describe(const Strategy *strategy, StrategyNature *nature) {
    nature->sees = strategy->tbp.preview;
    nature->repeats = false; // who knows
    nature->unvalued = "is another program, which says its move but no values.";
}

// Starts the first bot, so that a program that is none is known before anybody plays.
static bool make(Player *player, Error *error) {
    if (player->rules->width != TBP_WIDTH)
        return error_set(error, "the boards of the Tetris Bot Protocol have %d columns, not %d.", TBP_WIDTH,
                         player->rules->width);
    Bots *bots = calloc(1, sizeof *bots);
    if (!bots)
        return error_set(error, "out of memory for a bot.");
    pthread_mutex_init(&bots->lock, NULL);
    player->state = bots;
    Bot *bot = bot_new(player, error);
    if (bot)
        give_back(player, bot);
    return bot != NULL;
}

static void free_state(void *state) {
    Bots *bots = state;
    for (Bot *bot = bots->idle, *next; bot; bot = next) {
        next = bot->next;
        const char *text;
        size_t length;
        double deadline = clock_seconds() + FAREWELL;
        if (send(bot, json_pack("{s:s}", "type", "quit"), "", FAREWELL, NULL))
            while (clock_seconds() < deadline &&
                   child_read(bot->child, deadline, &text, &length) == CHILD_DONE)
                ;
        bot_free(bot);
    }
    pthread_mutex_destroy(&bots->lock);
    free(bots);
}

const PlayerType player_tbp = {
    .describe = describe,
    .limits = "The player is another program: it says its move, but neither values nor features.",
    .unrated = "is not for \"player\": \"tbp\", whose moves come from another program.",
    .options = FIELDS(option),
    .settle = settle,
    .locate = locate,
    .make = make,
    .free = free_state,
    .choose = choose,
};
