// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab strategies: the built-in players and where they come from; or one strategy as the JSON file that
// would give it, to be saved, changed and played.
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/table.h"
#include "base/text.h"
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
        table_cell(&table, "%d", strategy_sees(strategy));
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

static int print_one(const char *text, const char *path, Error *error) {
    Strategy strategy;
    if (!strategy_find(&strategy, text, error))
        return strategy_is_file(text) ? EXIT_FAILED : EXIT_USAGE;
    return write_text(strategy_to_json(&strategy), path, error);
}

typedef struct StrategiesOptions {
    AppOptions app;
    const char *keys;
} StrategiesOptions;

static const Field strategies_field[] = {
    {"json", FIELD_OTHER, FIELD_AT(AppOptions, json), .type = &app_output_type, .file = FIELD_WRITES,
     .argument = "FILE",
     .help = "Also write the strategies as JSON to FILE; - writes them to standard output instead of the "
             "table (default: none). With STRATEGY: where its JSON goes (default -)."},
    {"keys", FIELD_STRING, FIELD_AT(StrategiesOptions, keys), .argument = "PLAYER",
     .help =
         "Print the keys of strategy files as a Markdown table: those that only this player has, or, with "
         "all, those that every player has."},
};

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const StrategiesOptions *options = chosen;
    const char *json = options->app.json;
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
    if (arguments->operands == 1)
        return print_one(arguments->operand[0], json ? json : "-", error);
    if (!options->app.quiet)
        print_table();
    return json ? write_text(list_as_json(), json, error) : EXIT_DONE;
}

const Command command_strategies =
    COMMAND("strategies", "[STRATEGY]", StrategiesOptions, strategies_field,
            "List the built-in strategies, or print one as JSON",
            "The JSON that is printed is a strategy file: save it, change it, play it. A file\n"
            "can be named too, to check it or to turn a .dat file of mdptetris into JSON.\n");
