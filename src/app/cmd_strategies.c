// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab strategies: the built-in players and where they come from; or one strategy as the JSON file that
// would give it, to be saved, changed and played.
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "base/text.h"
#include "player/strategy.h"

static const char row_format[] = "%-18s %-10s %6s  %-9s %7s  %s\n";

static void print_row(const Strategy *strategy) {
    char pieces[16], weights[16];
    snprintf(pieces, sizeof pieces, "%d", strategy_sees(strategy));
    snprintf(weights, sizeof weights, "%d", strategy_weights(strategy));
    printf(row_format, strategy->name, strategy_player_names[strategy->player], pieces,
           strategy_ties_names[strategy->ties], weights, strategy->source);
}

// <- the built-in strategies as a JSON list; free() it. NULL: out of memory.
static char *list_as_json(void) {
    char *list = NULL;
    size_t length;
    FILE *out = open_memstream(&list, &length);
    if (!out)
        return NULL;
    bool good = true;
    const Strategy *strategy;
    fputs("[", out);
    for (int i = 0; good && (strategy = strategy_builtin(i)); i++) {
        char *text = strategy_to_json(strategy);
        good = text != NULL;
        if (good)
            fprintf(out, "%s\n%.*s", i ? "," : "", (int)strlen(text) - 1, text);
        free(text);
    }
    fputs("\n]\n", out);
    good = good && !ferror(out);
    if (fclose(out) != 0 || !good) {
        free(list);
        return NULL;
    }
    return list;
}

// Takes the text.
static int write_text(char *text, const char *path) {
    Error error;
    bool good =
        text ? text_write_file(path, text, strlen(text), &error) : error_set(&error, "out of memory.");
    free(text);
    return good ? EXIT_DONE : app_fail(&command_strategies, &error, EXIT_FAILED);
}

static int print_table(void) {
    const Strategy *strategy;
    printf(row_format, "name", "player", "pieces", "ties", "weights", "source");
    for (int i = 0; (strategy = strategy_builtin(i)); i++)
        print_row(strategy);
    Error error;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_DONE;
    error_set(&error, "cannot write to the standard output.");
    return app_fail(&command_strategies, &error, EXIT_FAILED);
}

// The keys of strategy files, as a table for documents.
static int print_keys(const char *player) {
    char names[FIELD_WORDS_TEXT];
    int kind = field_word(strategy_player_names, player);
    Error error;
    if (kind < 0 && strcmp(player, "all")) {
        error_set(&error, "--keys: expected all, %s, got '%.60s'.",
                  field_words(strategy_player_names, "", names), player);
        return app_fail(&command_strategies, &error, EXIT_USAGE);
    }
    fields_markdown(stdout, kind < 0 ? strategy_fields : strategy_options((PlayerKind)kind));
    return EXIT_DONE;
}

static int print_one(const char *text, const char *path) {
    Strategy strategy;
    Error error;
    if (!strategy_find(&strategy, text, &error))
        return app_fail(&command_strategies, &error, strategy_is_file(text) ? EXIT_FAILED : EXIT_USAGE);
    return write_text(strategy_to_json(&strategy), path);
}

static int print_all(const char *json) {
    int exit_code = json ? write_text(list_as_json(), json) : EXIT_DONE;
    bool to_stdout = json && strcmp(json, "-") == 0;
    return exit_code == EXIT_DONE && !to_stdout ? print_table() : exit_code;
}

typedef struct StrategiesOptions {
    AppOptions app;
    const char *keys;
} StrategiesOptions;

static const Field strategies_field[] = {
    {"json", FIELD_STRING, FIELD_AT(AppOptions, json), .argument = "FILE",
     .help = "Also write the strategies as JSON to FILE; - writes them to standard output instead of the "
             "table (default: none). With STRATEGY: where its JSON goes (default -)."},
    {"keys", FIELD_STRING, FIELD_AT(StrategiesOptions, keys), .argument = "PLAYER",
     .help = "Print the keys that strategy files of this player have besides those of all; of all: all."},
};
static const Fields strategies_fields = FIELDS(strategies_field);

static int run(void *chosen, const Arguments *arguments) {
    const StrategiesOptions *options = chosen;
    const char *json = options->app.json;
    int count = arguments->operands;
    if (options->keys)
        return print_keys(options->keys);
    if (count > 1) {
        Error error;
        error_set(&error, "expected one strategy, found %d: print them one at a time.", count);
        return app_fail(&command_strategies, &error, EXIT_USAGE);
    }
    return count == 1 ? print_one(arguments->operand[0], json ? json : "-") : print_all(json);
}

const Command command_strategies = {
    "strategies",
    "[STRATEGY]",
    "List the built-in strategies, or print one as JSON",
    "The JSON that is printed is a strategy file: save it, change it, play it. A file\n"
    "can be named too, to check it or to turn a .dat file of mdptetris into JSON.\n",
    run,
    sizeof(StrategiesOptions),
    &strategies_fields};
