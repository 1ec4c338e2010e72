// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab explain: why a strategy makes the move that it makes, on a board or in a recorded game, and what
// would have to be different for another move.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/explain_report.h"
#include "base/text.h"
#include "game/record.h"
#include "player/question.h"

typedef struct ExplainOptions {
    AppOptions app;
    const char *position, *piece, *next, *game;
    uint64_t move, seat;
    int moves;
} ExplainOptions;

static const Field explain_field[] = {
    {"position", FIELD_STRING, FIELD_AT(ExplainOptions, position), .preset = NAN, .file = FIELD_READS,
     .argument = "FILE", .otherwise = "the empty board",
     .help = "The board, as text: rows of '#' and '.' from the top; - is the standard input."},
    {"piece", FIELD_STRING, FIELD_AT(ExplainOptions, piece), .argument = "LETTER",
     .help = "The piece in hand."},
    {"next", FIELD_STRING, FIELD_AT(ExplainOptions, next), .argument = "LETTERS",
     .help = "Pieces that are known to follow it."},
    {"game", FIELD_STRING, FIELD_AT(ExplainOptions, game), .file = FIELD_READS, .argument = "FILE",
     .help = "Instead of a board: a recorded game or match, with its rules."},
    {"move", FIELD_WHOLE, FIELD_AT(ExplainOptions, move), .preset = NAN, .otherwise = "the last one",
     .least = 1, .most = RECORD_MAX_MOVES, .argument = "N",
     .help = "Which move of the game, or round of the match; the first one is 1."},
    {"seat", FIELD_WHOLE, FIELD_AT(ExplainOptions, seat), .preset = 1, .least = 1, .most = MATCH_MAX_SEATS,
     .argument = "S", .help = "Which player of a recorded match is looked at."},
    {"moves", FIELD_INT, FIELD_AT(ExplainOptions, moves), .preset = 3, .least = 1, .most = PLACEMENTS,
     .argument = "N", .help = "Show the best N moves. (JSON has all of them.)"},
    {APP_JSON, .help = "Also write all moves as JSON to FILE; - writes them to standard output instead of "
                       "the tables."},
};

// ---------------------------------------------------------------------------------------------------

// -> game  before the move; changed by asking the player
static bool explain(const ExplainOptions *options, const Player *player, Game *game, const char *where,
                    Placement recorded, Error *error) {
    Ranking ranking;
    Explanation explanation;
    Game before = *game;
    ExplainReport report = {.player = player,
                            .game = &before,
                            .ranking = &ranking,
                            .explanation = &explanation,
                            .where = where,
                            .recorded = -1,
                            .has_recorded = where != NULL,
                            .moves = options->moves};
    Placement chosen = player_rank(player, game, &ranking);
    for (int k = 0; k < ranking.count; k++)
        if (ranking.move[k].move.placement == recorded)
            report.recorded = k;
    if (chosen != PLACEMENT_NONE)
        game_move(game, player_rules(player), chosen, NULL);
    player_forget(player, game); // nobody plays this game on
    bool good = explanation_make(&explanation, player, &before, &ranking, error);
    if (good && !options->app.quiet)
        explain_print(stdout, &report);
    if (good && options->app.json) {
        size_t length;
        char *text = explain_json(&report, &length);
        good = text ? text_write_file(options->app.json, text, length, error)
                    : error_set(error, "Out of memory for the JSON text.");
        free(text);
    }
    explanation_free(&explanation);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// A board

static bool read_position(const char *path, const Rules *rules, Board *board, Error *error) {
    size_t length;
    char *text = text_read_file(path, &length, error);
    const char *name = strcmp(path, "-") ? path : "the standard input";
    if (!text)
        return false;
    Reader reader = reader_start(name, text, strlen(text), error);
    int found = board_read(&reader, rules->width, rules->height, board);
    if (found == 0)
        error_set(error, "%.200s holds no board: rows of '#' and '.', the highest first.", name);
    if (found > 0 && board_read(&reader, rules->width, rules->height, &(Board){{0}}))
        found = error_set(error, "%.200s holds more than one board: explain takes one.", name);
    free(text);
    return found > 0;
}

static int explain_board(ExplainOptions *options, const Arguments *arguments, Error *error) {
    Question question = {.pieces = 0};
    Position position;
    int code = EXIT_FAILED;
    if (!rules_check(&options->app.rules, error) ||
        !question_letters(&question, options->piece, "--piece", error) ||
        !question_letters(&question, options->next ? options->next : "", "--next", error))
        return EXIT_USAGE;
    if (options->position && !read_position(options->position, &options->app.rules, &question.board, error))
        return EXIT_FAILED;
    if (!question_position(&question, &options->app.rules, &position, error))
        return EXIT_FAILED;
    Player *player = app_player(arguments->operand[0], &options->app, NULL, &code, error);
    if (player)
        code =
            explain(options, player, &position.game, NULL, PLACEMENT_NONE, error) ? EXIT_DONE : EXIT_FAILED;
    return app_player_free(player, code);
}

// ---------------------------------------------------------------------------------------------------
// A recorded game

typedef struct Moment {
    uint64_t round; // played before it
    Match match;
} Moment;

static void keep_moment(void *context, const Match *match) {
    Moment *moment = context;
    if (match->rounds == moment->round)
        moment->match = *match;
}

static bool find_moment(const ExplainOptions *options, const Record *record, Moment *moment, Error *error) {
    uint64_t move = options->move ? options->move : record->rounds;
    Match last;
    if (!record->rounds || move > record->rounds)
        return error_set(error, "%.200s has %zu moves: there is no move %" PRIu64 ".", options->game,
                         record->rounds, move ? move : 1);
    if (options->seat > (uint64_t)record->seats)
        return error_set(error, "%.200s has %d player%s: there is no seat %" PRIu64 ".", options->game,
                         record->seats, record->seats == 1 ? "" : "s", options->seat);
    moment->round = move - 1;
    record_play(record, &last, keep_moment, moment);
    return match_is_alive(&moment->match, (int)options->seat - 1) ||
           error_set(error, "%.200s: player %" PRIu64 " was lost before round %" PRIu64 ".", options->game,
                     options->seat, move);
}

static int explain_moment(ExplainOptions *options, const Arguments *arguments, const Record *record,
                          Error *error) {
    Moment moment;
    int seat = (int)options->seat - 1, code = EXIT_FAILED;
    char where[512];
    if (!find_moment(options, record, &moment, error))
        return EXIT_FAILED;
    Player *player = app_player(arguments->operand[0], &options->app, NULL, &code, error);
    if (player) {
        snprintf(where, sizeof where, "move %" PRIu64 " of %.200s, played by %s", moment.round + 1,
                 options->game, record->player[seat]);
        code = explain(options, player, &moment.match.game[seat], where,
                       record->move[moment.round * (size_t)record->seats + (size_t)seat], error)
                   ? EXIT_DONE
                   : EXIT_FAILED;
    }
    return app_player_free(player, code);
}

// The rules are those of the record.
static int explain_game(ExplainOptions *options, const Arguments *arguments, Error *error) {
    Record record;
    Rules own = options->app.rules;
    int code = EXIT_FAILED;
    if (record_read(&record, options->game, error)) {
        options->app.rules = record.rules;
        code = explain_moment(options, arguments, &record, error);
        options->app.rules = own;
    }
    record_free(&record);
    return code;
}

// ---------------------------------------------------------------------------------------------------

static bool check(const ExplainOptions *options, const Arguments *arguments, Error *error) {
    char option[FIELD_OPTION_NAME];
    const char *other =
        options->game ? arguments_beyond(arguments, " game move seat moves json ", option) : NULL;
    if (arguments->operands != 1)
        return error_set(error, "explain asks one strategy, as in 'tetralab explain bcts --piece T'.");
    if (other)
        return error_set(error, "--game has its own board, pieces and rules: it goes without %s.", other);
    if (options->game)
        return true;
    if (arguments_given(arguments, "move") || arguments_given(arguments, "seat"))
        return error_set(error, "--move and --seat are for a recorded game: give it as --game FILE.");
    return (options->piece && strlen(options->piece) == 1) ||
           error_set(error, "give the piece in hand, as in --piece T, or a recorded game with --game FILE.");
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    ExplainOptions *options = chosen;
    if (!check(options, arguments, error))
        return EXIT_USAGE;
    return options->game ? explain_game(options, arguments, error) : explain_board(options, arguments, error);
}

const Command command_explain =
    COMMAND("explain", "STRATEGY", ExplainOptions, explain_field,
            "Explain one move: what every feature gives, and what another move would take",
            "The position is a board with --piece, or move N of a recorded game, whoever\n"
            "played it. docs/watching.md tells how to read the tables.\n",
            .has_rules = true);
