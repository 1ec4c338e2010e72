// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab strategies: the built-in players and where they come from; or one strategy as the JSON file that
// would give it, to be saved, changed and played; also the players on the way of a learning run.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/app.h"
#include "app/table.h"
#include "base/text.h"
#include "base/utf8.h"
#include "learn/run_folder.h"
#include "player/strategy.h"

// <- the built-in strategies as a JSON list; free() it. NULL: out of memory.
static char *list_as_json(void) {
    char *list = NULL;
    size_t length;
    FILE *out = open_memstream(&list, &length);
    const Strategy *strategy;
    char *text = NULL;
    for (int i = 0; out && (strategy = strategy_builtin(i)) && (text = strategy_to_json(strategy)); i++) {
        fprintf(out, "%s\n%.*s", i ? "," : "[", (int)strlen(text) - 1, text);
        free(text);
    }
    if (text)
        fputs("\n]\n", out);
    if (text_closed(out, &list) && text)
        return list;
    free(list);
    return NULL;
}

// Takes the text.
static int write_text(char *text, const char *path, Error *error) {
    bool good = text ? text_write_file(path, text, strlen(text), error) : error_set(error, "out of memory.");
    free(text);
    return good ? EXIT_DONE : EXIT_FAILED;
}

static void print_table(void) {
    static const TableColumn columns[] = {{"name", -17}, {"player", -10}, {"pieces", 6},
                                          {"ties", -8},  {"weights", 7},  {"source", -1}};
    Table table = {.out = stdout};
    const Strategy *strategy;
    TABLE_HEAD(&table, columns);
    for (int i = 0; (strategy = strategy_builtin(i)); i++) {
        table_cell(&table, "%s", strategy->name);
        table_cell(&table, "%s", strategy_player_names[strategy->player]);
        table_cell(&table, "%d", strategy_nature(strategy).sees);
        table_cell(&table, "%s", strategy_ties_names[strategy->ties]);
        table_cell(&table, "%d", strategy_weights(strategy));
        table_cell(&table, "%s", strategy->source);
    }
}

// The keys of strategy files, as a table for documents.
static int print_keys(const char *player, Error *error) {
    char names[FIELD_WORDS_TEXT];
    int kind = field_word(&(Field){.words = strategy_player_names}, player);
    if (kind < 0 && strcmp(player, "all")) {
        error_set(error, "--keys: expected all, %s, got '%.60s'.",
                  field_words(strategy_player_names, "", "or", names), player);
        return EXIT_USAGE;
    }
    fields_markdown(stdout, kind < 0 ? strategy_fields : strategy_options((PlayerKind)kind));
    return EXIT_DONE;
}

typedef struct StrategiesOptions {
    AppOptions app;
    const char *keys;
    int player; // NO_PLAYER: its own
    const char *name;
    uint64_t at; // 0: the newest
    int run;     // 0: the mean of the runs
} StrategiesOptions;

enum { NO_PLAYER = -1 }; // as words that are not given

// Puts it behind the name, which is cut if both are too long.
static void add_to_name(char *name, size_t room, const char *suffix) {
    char whole[sizeof((Strategy *)0)->name];
    snprintf(whole, sizeof whole, "%s", name);
    utf8_clean(name, room - strlen(suffix), whole, strlen(whole));
    strcat(name, suffix);
}

// The same rating, played by somebody else; what it does with equal moves and full rows goes with it.
static bool hand_over(Strategy *strategy, PlayerKind player, Error *error) {
    char suffix[32], name[sizeof strategy->name];
    Error detail;
    if (!strategy_is_rated(strategy))
        return error_set(error, "%s has no rating that another player could use.", strategy->name);
    memcpy(name, strategy->name, sizeof name);
    snprintf(suffix, sizeof suffix, "-%s", strategy_player_names[player]);
    add_to_name(strategy->name, sizeof strategy->name, suffix);
    TieRule ties = strategy->ties;
    strategy_set_player(strategy, player);
    strategy->ties = ties;
    if (!strategy_set_rated(strategy))
        return error_set(error, "A %s player has no rating: choose another one.",
                         strategy_player_names[player]);
    return strategy_check_traits(strategy, NULL, &detail) || error_set(error, "%s: %s", name, detail.text);
}

static int print_one(const StrategiesOptions *options, const char *text, const char *path, Error *error) {
    Strategy strategy;
    if (!strategy_find(&strategy, text, error))
        return strategy_is_file(text) ? EXIT_FAILED : EXIT_USAGE;
    if (options->player != NO_PLAYER && !hand_over(&strategy, (PlayerKind)options->player, error))
        return EXIT_USAGE;
    if (options->name)
        utf8_clean(strategy.name, sizeof strategy.name, options->name, strlen(options->name));
    return write_text(strategy_to_json(&strategy), path, error);
}

// A built-in name means the built-in strategy, as everywhere; a folder of that name is ./NAME.
static bool is_folder(const char *path) {
    struct stat status;
    return strategy_is_file(path) && !stat(path, &status) && S_ISDIR(status.st_mode);
}

// The player of a run folder after a generation; its name says which.
static int print_learned(const StrategiesOptions *options, const char *folder, Error *error) {
    RunPlayers players = {0};
    Strategy strategy;
    char *text = NULL, suffix[32] = "";
    bool good = run_players_read(&players, folder, options->at, app_complain, NULL, error);
    if (good && options->run > players.runs)
        good =
            error_set(error, "There is no run %d in %.300s: it has %d.", options->run, folder, players.runs);
    else if (good && options->run && !players.generations[options->run - 1])
        good = error_set(error, "Run %d in %.300s has no generation yet.", options->run, folder);
    if (good) {
        if (options->at) {
            snprintf(suffix, sizeof suffix, "-generation%" PRIu64, options->at);
            add_to_name(players.name, sizeof players.name, suffix);
        }
        run_players_strategy(&players, options->run - 1, &strategy);
        text = strategy_to_json(&strategy);
    }
    run_players_free(&players);
    return good ? write_text(text, options->app.json ? options->app.json : "-", error) : EXIT_FAILED;
}

static const Field strategies_field[] = {
    {"json", FIELD_OTHER, FIELD_AT(AppOptions, json), .type = &app_output_type, .file = FIELD_WRITES,
     .argument = "FILE",
     .help = "Also write the strategies as JSON to FILE; - writes them to standard output instead of the "
             "table (default: none). With STRATEGY: where its JSON goes (default -)."},
    {"keys", FIELD_STRING, FIELD_AT(StrategiesOptions, keys), .argument = "PLAYER",
     .help =
         "Print the keys of strategy files as a Markdown table: those that only this player has, or, with "
         "all, those that every player has."},
    {"player", FIELD_WORD, FIELD_AT(StrategiesOptions, player), .words = strategy_player_names, .preset = NAN,
     .otherwise = "its own", .argument = "KIND", .takes = strategy_player_rates,
     .help = "Of STRATEGY: who plays with its rating:"},
    {"name", FIELD_STRING, FIELD_AT(StrategiesOptions, name), .argument = "NAME",
     .help = "Of STRATEGY: what to call it."},
    {"at", FIELD_WHOLE, FIELD_AT(StrategiesOptions, at), .zero_is_unset = true, .preset = NAN,
     .otherwise = "the newest", .argument = "K",
     .help = "Of the folder of a learning run: its player after generation K."},
    {"run", FIELD_INT, FIELD_AT(StrategiesOptions, run), .zero_is_unset = true, .preset = 0, .least = 0,
     .most = LEARNING_MAX_RUNS, .otherwise = "the mean of all", .argument = "N",
     .help = "Of such a folder: the player of run N."},
};
static const Fields strategies_fields = FIELDS(strategies_field);

static bool check_folder(StrategiesOptions *options, const Arguments *arguments, Error *error) {
    const OptionSet set = {strategies_fields, options, NULL};
    bool folder = arguments->operands == 1 && is_folder(arguments->operand[0]);
    if (!folder && (arguments_given(arguments, "at") || arguments_given(arguments, "run")))
        return error_set(error, "--at and --run choose a player of a learning run: name its folder.");
    if ((folder || !arguments->operands) && (options->name || options->player != NO_PLAYER))
        return error_set(error, "--player and --name are for a strategy that is printed: name one.");
    return arguments_check(arguments, &set, error);
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    StrategiesOptions *options = chosen;
    const char *json = options->app.json;
    if (!check_folder(options, arguments, error))
        return EXIT_USAGE;
    if (options->keys && arguments->operands > 0) {
        error_set(error, "--keys is about all strategies of a player: it goes without '%.60s'.",
                  arguments->operand[0]);
        return EXIT_USAGE;
    }
    if (options->keys)
        return print_keys(options->keys, error);
    if (arguments->operands > 1) {
        error_set(error, "expected one strategy, found %d: print them one at a time.", arguments->operands);
        return EXIT_USAGE;
    }
    if (arguments->operands == 1 && is_folder(arguments->operand[0]))
        return print_learned(options, arguments->operand[0], error);
    if (arguments->operands == 1)
        return print_one(options, arguments->operand[0], json ? json : "-", error);
    if (!options->app.quiet)
        print_table();
    return json ? write_text(list_as_json(), json, error) : EXIT_DONE;
}

const Command command_strategies =
    COMMAND("strategies", "[STRATEGY|DIR]", StrategiesOptions, strategies_field,
            "List the built-in strategies, or print one as JSON",
            "The JSON that is printed is a strategy file: save it, change it, play it. A file\n"
            "can be named too, to check it or to turn a .dat file of mdptetris into JSON; or the\n"
            "folder of a learning run, for the players on the way: 'strategies learned --at 20'.\n"
            "With --player it is played by another one: 'strategies bcts --player expectimax'.\n");
