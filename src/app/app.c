// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/app.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/text.h"

int app_default_jobs;

void app_defaults(AppOptions *options) {
    int jobs = app_default_jobs > 0 ? app_default_jobs : pool_cores();
    *options = (AppOptions){.seed = 1, .jobs = (uint64_t)jobs, .max_pieces = UINT64_MAX};
    rules_default(&options->rules);
}

void app_free(AppOptions *options) {
    rules_free(&options->rules);
}

void app_add(OptionTable *table, Option option) {
    assert(table->count < APP_MAX_OPTIONS);
    table->option[table->count++] = option;
}

bool app_set_board(const Option *option, const char *text, Error *error) {
    return rules_set(option->target, "board", text, error);
}

bool app_set_percentage(const Option *option, const char *text, Error *error) {
    char number[64];
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '%')
        length--;
    snprintf(number, sizeof number, "%.*s", (int)(length < sizeof number ? length : 0), text);
    return option_number(option, number, NULL) ||
           error_set(error, "expected a percentage from %g%% to %g%%, got '%.60s'.", option->least,
                     option->most, text);
}

bool app_set_duration(const Option *option, const char *text, Error *error) {
    static const struct {
        const char *unit;
        double seconds;
    } table[] = {{"", 1}, {"ms", 0.001}, {"s", 1}, {"min", 60}, {"m", 60}, {"h", 3600}, {"d", 86400}};
    char *end;
    double value = strtod(text, &end);
    for (size_t i = 0; end != text && i < sizeof table / sizeof *table; i++)
        if (!strcmp(end, table[i].unit) && value * table[i].seconds > 0 && value < 1e9) {
            *(double *)option->target = value * table[i].seconds;
            return true;
        }
    return error_set(error, "expected a time such as 60s, 5min or 2h, got '%.60s'.", text);
}

static bool set_overflow(const Option *option, const char *text, Error *error) {
    return rules_set(option->target, "overflow", text, error);
}

static bool set_gameover(const Option *option, const char *text, Error *error) {
    return rules_set(option->target, "gameover", text, error);
}

static bool set_kind(const Option *option, const char *text, Error *error) {
    return rules_set(option->target, "rules", text, error);
}

static bool set_pieces(const Option *option, const char *text, Error *error) {
    return rules_set(option->target, "pieces", text, error);
}

bool app_set_kernel(const Option *option, const char *text, Error *error) {
    return kernel_find(text, error) && option_text(option, text, error);
}

static void add_all(OptionTable *table, const Option *options, size_t count) {
    for (size_t i = 0; i < count; i++)
        app_add(table, options[i]);
}

void app_add_rules(OptionTable *table, AppOptions *options) {
    Rules *rules = &options->rules;
    const Option lines[] = {
        {"board", "WxH", app_set_board, rules,
         "Width (4 to 14) and height (4 to 27) of the board (default 10x20).", 0, 0},
        {"overflow", "RULE", set_overflow, rules,
         "What ends the game. lenient: a cell remains above the top after clearing (default); strict: the "
         "piece does not fit before clearing; touch: a cell comes into the top row.",
         0, 0},
        {"gameover", "RULE", set_gameover, rules,
         "Moves that end the game. avoid: taken only when there is no other (default); evaluate: valued like "
         "any other.",
         0, 0},
        {"rules", "GAME", set_kind, rules,
         "simplified: a piece falls straight into any column (default); original: it appears at the top and "
         "must get there.",
         0, 0},
        {"pieces", "LAW", set_pieces, rules,
         "uniform (default), hard, sz, bag, weights such as S:3,Z:3,O:1, or a file of piece letters.", 0, 0},
    };
    add_all(table, lines, sizeof lines / sizeof *lines);
}

void app_add_running(OptionTable *table, AppOptions *options) {
    const Option lines[] = {
        {"max-pieces", "N", option_count, &options->max_pieces,
         "Stop each game after N pieces; its score then counts as censored (default: no limit).", 1, 1e18},
        {"seed", "S", option_count, &options->seed, "Seed of all random numbers (default 1).", 0, 0},
        {"jobs", "J", option_count, &options->jobs,
         "Threads (default: one per core). Changes the speed, never a result.", 1, POOL_MAX_THREADS},
        {"kernel", "NAME", app_set_kernel, &options->kernel,
         "Force a kernel; 'tetralab bench' lists them (default: the fastest that this machine has). Changes "
         "the speed, never a result.",
         0, 0},
        {"json", "FILE", option_text, &options->json,
         "Also write the results as JSON to FILE; - writes them to standard output instead of the table "
         "(default: none).",
         0, 0},
    };
    add_all(table, lines, sizeof lines / sizeof *lines);
}

void app_add_running_whole(OptionTable *table, AppOptions *options) {
    OptionTable all = {.count = 0};
    app_add_running(&all, options);
    for (int i = 0; i < all.count; i++)
        if (strcmp(all.option[i].name, "max-pieces"))
            app_add(table, all.option[i]);
}

static void print_help(const Command *command, const OptionTable *table) {
    bool operands = command->operands && *command->operands;
    printf("Usage: tetralab %s%s%s [options]\n\n%s.\n%s\nOptions:\n", command->name, operands ? " " : "",
           operands ? command->operands : "", command->summary, command->details);
    options_help(stdout, table->option, table->count);
}

bool app_parse(const Command *command, const OptionTable *table, int argc, char **argv, const char **operands,
               int *operand_count, int *exit_code) {
    Error error = {""};
    bool help;
    if (!options_parse(table->option, table->count, argc, argv, operands, operand_count, &help, &error)) {
        *exit_code = app_fail(command, &error, EXIT_USAGE);
        fprintf(stderr, "Try 'tetralab %s --help'.\n", command->name);
        return false;
    }
    if (help) {
        print_help(command, table);
        *exit_code = EXIT_DONE;
    }
    return !help;
}

int app_fail(const Command *command, const Error *error, int exit_code) {
    fflush(stdout); // so that the sentence comes last where both go to one place
    fprintf(stderr, "tetralab %s: %s\n", command->name, error->text);
    return exit_code;
}

Player *app_player(const char *text, const AppOptions *options, const Kernel *kernel, int *exit_code,
                   Error *error) {
    Strategy strategy;
    Player *player = NULL;
    if (strategy_find(&strategy, text, error))
        player = player_new(&strategy, &options->rules, kernel, error);
    if (!player)
        *exit_code = strategy_is_file(text) ? EXIT_FAILED : EXIT_USAGE;
    return player;
}

bool app_players(const char **names, int count, const AppOptions *options, const Kernel **kernel,
                 Player **player, int *exit_code, Error *error) {
    *exit_code = EXIT_FAILED;
    if (!(*kernel = kernel_find(options->kernel, error)))
        return false;
    for (int i = 0; i < count; i++)
        if (!(player[i] = app_player(names[i], options, *kernel, exit_code, error)))
            return false;
    *exit_code = EXIT_FAILED;
    return true;
}

int app_player_free(const Command *command, Player *player, int exit_code) {
    Error error;
    if (player && !player_flush(player, &error)) {
        app_fail(command, &error, EXIT_FAILED);
        exit_code = exit_code == EXIT_DONE ? EXIT_FAILED : exit_code;
    }
    player_free(player);
    return exit_code;
}

void app_print_rules(FILE *out, const Rules *rules, const char *also, uint64_t seed) {
    fprintf(out, "%dx%d, %s overflow, game over: %s, %s rules, pieces %s%s, seed %" PRIu64, rules->width,
            rules->height, rules_overflow_name(rules->overflow), rules_gameover_name(rules->gameover),
            rules->original ? "original" : "simplified", rules->pieces.name, also, seed);
}

bool app_check_output(const char *path, Error *error) {
    return !path || text_can_write(path, error);
}

bool app_write_json(json_t *json, const char *path, Error *error) {
    if (!path) {
        json_decref(json);
        return true;
    }
    // 15 digits: a number given with up to 15 comes out as it went in.
    char *text = json ? json_dumps(json, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) : NULL;
    json_decref(json);
    size_t length = text ? strlen(text) : 0;
    char *line = text ? realloc(text, length + 2) : NULL;
    if (!line) {
        free(text);
        return error_set(error, "out of memory while writing JSON to %s.", path);
    }
    memcpy(line + length, "\n", 2);
    bool good = text_write_file(path, line, length + 1, error);
    free(line);
    return good;
}

json_t *app_json_whole(uint64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return value <= INT64_MAX ? json_integer((json_int_t)value) : json_string(text);
}

json_t *app_json_name(const char *name) {
    json_t *json = json_string(name);
    if (json)
        return json;
    char plain[256];
    snprintf(plain, sizeof plain, "%s", name);
    for (char *c = plain; *c; c++)
        *c = (unsigned char)*c < 0x80 ? *c : '?';
    return json_string(plain);
}

void app_json_rules(json_t *object, const Rules *rules) {
    char board[24];
    snprintf(board, sizeof board, "%dx%d", rules->width, rules->height);
    json_object_set_new(object, "board", json_string(board));
    json_object_set_new(object, "overflow", json_string(rules_overflow_name(rules->overflow)));
    json_object_set_new(object, "gameover", json_string(rules_gameover_name(rules->gameover)));
    json_object_set_new(object, "rules", json_string(rules->original ? "original" : "simplified"));
    json_object_set_new(object, "piece_source", app_json_name(rules->pieces.name));
}
