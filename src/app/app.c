// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/app.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/files.h"
#include "base/json_memory.h"
#include "base/pool.h"
#include "base/text.h"
#include "base/utf8.h"
#include "plot/gnuplot.h"

int app_default_jobs;

static bool parse_output(const Field *field, void *at, const char *text, Error *error) {
    if (!*text)
        return error_set(error, "expected %s, got nothing.", field->argument);
    *(const char **)at = text;
    return true;
}

const FieldType app_output_type = {.parse = parse_output};

static const Field json_field[] = {
    {APP_JSON,
     .help =
         "Also write the results as JSON to FILE; - writes them to standard output instead of the table."},
};
static const Fields json_fields = FIELDS(json_field);

static const Field output_field[] = {
    {"csv", APP_OUTPUT(FIELD_AT(AppOptions, csv)),
     .help = "Also write the results as CSV to FILE; - writes them to standard output instead of the table."},
    {"plot", FIELD_STRING, FIELD_AT(AppOptions, plot), .file = FIELD_WRITES, .preset = NAN,
     .otherwise = "none", .argument = "FILE", .help = "The picture of the command says what it shows."},
};
static const Fields output_fields = FIELDS(output_field);

// ---------------------------------------------------------------------------------------------------
// Options

// The tables of a command; those that are shared, without what it has not.
typedef struct CommandSets {
    OptionSet set[APP_MAX_SETS];
    int count, own; // own: the first ones, which are not shared
    Field kept[32]; // of the shared tables
    int kept_count, left_out;
} CommandSets;

static void add_shared(CommandSets *sets, const Command *command, const Fields *fields, void *options,
                       const char *title) {
    int first = sets->kept_count;
    char name[FIELD_OPTION_NAME], spaced[FIELD_OPTION_NAME + 2];
    for (int i = 0; i < fields->count; i++) {
        snprintf(spaced, sizeof spaced, " %s ", field_option(&fields->field[i], name));
        if (command->without && strstr(command->without, spaced))
            sets->left_out++;
        else
            sets->kept[sets->kept_count++] = fields->field[i];
        assert(sets->kept_count < (int)(sizeof sets->kept / sizeof *sets->kept));
    }
    sets->set[sets->count++] = (OptionSet){{&sets->kept[first], sets->kept_count - first}, options, title};
}

__attribute__((unused)) static int count_words(const char *list) {
    int count = 0;
    for (const char *c = list ? list : ""; *(c += strspn(c, " ")); c += strcspn(c, " "))
        count++;
    return count;
}

static void make_sets(CommandSets *sets, const Command *command, AppOptions *options) {
    *sets = (CommandSets){.count = 0};
    sets->set[sets->count++] = (OptionSet){command->fields, options, NULL};
    if (command->more)
        sets->count += command->more(options, sets->set + sets->count);
    sets->own = sets->count;
    bool titled = command->titled;
    if (command->has_rules)
        add_shared(sets, command, &rules_fields, &options->rules, titled ? "The game:" : NULL);
    if (command->has_running) {
        add_shared(sets, command, &running_fields, &options->running, titled ? "Running:" : NULL);
        add_shared(sets, command, &json_fields, options, NULL);
    }
    if (command->picture) {
        add_shared(sets, command, &output_fields, options, NULL);
        sets->kept[sets->kept_count - 1].help = command->picture;
    }
    assert(sets->left_out == count_words(command->without));
}

// What all commands have comes first: a command may have other defaults.
static void set_defaults(const CommandSets *sets, AppOptions *options) {
    rules_default(&options->rules);
    fields_preset(running_fields, &options->running);
    fields_preset(json_fields, options);
    fields_preset(output_fields, options);
    options->jobs = (uint64_t)(app_default_jobs > 0 ? app_default_jobs : pool_cores());
    for (int i = 0; i < sets->own; i++)
        if (sets->set[i].base)
            fields_preset(sets->set[i].fields, sets->set[i].base);
}

static void print_help(const Command *command, const CommandSets *sets) {
    bool operands = command->operands && *command->operands;
    printf("Usage: tetralab %s%s%s [options]\n\n%s.\n%s\nOptions:\n", command->name, operands ? " " : "",
           operands ? command->operands : "", command->summary, command->details);
    options_help(stdout, sets->set, sets->count);
}

// Those that are shared are named only.
static void print_own_help(const Command *command, CommandSets *sets) {
    char name[FIELD_OPTION_NAME];
    int own = sets->own, pictures = command->picture ? 1 : 0, shared = sets->kept_count - pictures, at = 0;
    if (pictures)
        sets->set[own++] = (OptionSet){{&sets->kept[shared], 1}, NULL, NULL};
    sets->count = own;
    print_help(command, sets);
    for (int i = 0; i < shared; i++) {
        int width = (int)strlen(field_option(&sets->kept[i], name)) + 3;
        at = !i || at + width > 80 ? printf("%s", i ? "\n " : "\nShared options:") : at;
        at += printf(" --%s", name);
    }
    fputs(shared ? "\n" : "", stdout);
}

bool app_help_shared(const Command *command, Error *error) {
    const OptionSet all[] = {{rules_fields, NULL, "The game:"},
                             {running_fields, NULL, "Running:"},
                             {json_fields, NULL, "Results:"},
                             {{output_field, 1}, NULL, NULL}}; // --plot draws something else for each
    void *options = command ? calloc(1, sizeof(AppOptions) + command->size) : NULL;
    CommandSets sets;
    if (!command) {
        options_help(stdout, all, sizeof all / sizeof *all);
    } else if (!options) {
        return error_set(error, "Out of memory.");
    } else {
        make_sets(&sets, command, options);
        print_own_help(command, &sets);
    }
    free(options);
    return true;
}

bool app_describe(const Command *command,
                  void (*tell)(const Command *command, const OptionSet *sets, int count), Error *error) {
    CommandSets sets;
    void *options = calloc(1, command->size > sizeof(AppOptions) ? command->size : sizeof(AppOptions));
    if (!options)
        return error_set(error, "Out of memory.");
    make_sets(&sets, command, options);
    tell(command, sets.set, sets.count);
    free(options);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Running

static const Command *running;

void app_complain(void *context, const char *sentence) {
    (void)context;
    fflush(stdout); // so that the sentence comes last where both go to one place
    utf8_print(stderr, "tetralab %s: %s\n", running->name, sentence);
}

int app_check_picture(const char *path, Error *error) {
    return !path || gnuplot_check(path, error) ? EXIT_DONE : gnuplot_knows(path) ? EXIT_FAILED : EXIT_USAGE;
}

static int run_command(const Command *command, AppOptions *options, int argc, char **argv, Error *error) {
    CommandSets sets;
    Arguments arguments;
    make_sets(&sets, command, options);
    set_defaults(&sets, options);
    int code = EXIT_DONE;
    bool good = arguments_read(&arguments, sets.set, sets.count, argc, argv, error);
    for (int i = 0; good && i < sets.count; i++)
        good = !sets.set[i].base || arguments_apply(&arguments, &sets.set[i], error);
    if (!good) {
        app_complain(NULL, error->text);
        fprintf(stderr, "Try 'tetralab %s --help'.\n", command->name);
        error->text[0] = 0;
        code = EXIT_USAGE;
    } else if (arguments.help) {
        print_help(command, &sets);
    } else if (!(code = files_check(sets.set, sets.count, &arguments, &options->quiet, error)) &&
               !(code = app_check_picture(options->plot, error))) {
        code = command->run(options, &arguments, error);
    }
    arguments_free(&arguments);
    return code;
}

// A player that is another program and has failed makes every result wrong: nothing more is printed. Finished
// lines of journals are in their files; the other programs end with this one (base/child.h).
static void end_at_once(const char *sentence) {
    utf8_print(stderr, "tetralab %s: %s\n", running->name, sentence);
    fflush(stderr);
    _exit(EXIT_FAILED);
}

int app_run(const Command *command, int argc, char **argv) {
    const Command *before = running; // a reproduction runs other commands
    Error error = {""};
    AppOptions *options = calloc(1, command->size > sizeof *options ? command->size : sizeof *options);
    int code = EXIT_FAILED;
    running = command;
    player_failure = end_at_once;
    if (options)
        code = run_command(command, options, argc, argv, &error);
    else
        error_set(&error, "Out of memory.");
    if (code != EXIT_DONE && error.text[0])
        app_complain(NULL, error.text);
    if (options)
        rules_free(&options->rules);
    free(options);
    running = before;
    return code;
}

// ---------------------------------------------------------------------------------------------------
// Settings

static void print_settings(const OptionSet *set, json_t *settings) {
    for (int i = 0; set->base && i < set->fields.count; i++) {
        const Field *field = &set->fields.field[i];
        char name[FIELD_OPTION_NAME], value[FIELD_PRINTED];
        bool printed = field->kind != FIELD_OTHER || (field->type && field->type->print);
        if (field->help && printed)
            json_object_set_new(settings, field_option(field, name),
                                json_string(field_print(field, set->base, value)));
    }
}

// The shared tables first: completing the options may move what they hold elsewhere.
static bool read_settings(const Command *command, AppOptions *options, int argc, char **argv,
                          json_t *settings, Error *error) {
    CommandSets sets;
    Arguments arguments;
    OptionSet last = {.base = NULL};
    make_sets(&sets, command, options);
    set_defaults(&sets, options);
    bool good = arguments_read(&arguments, sets.set, sets.count, argc, argv, error);
    for (int i = 0; good && i < sets.count; i++)
        good = !sets.set[i].base || arguments_apply(&arguments, &sets.set[i], error);
    for (int i = sets.own; good && i < sets.count; i++)
        print_settings(&sets.set[i], settings);
    good = good && (!command->complete || command->complete(options, &arguments, &last, error));
    for (int i = 0; good && i < sets.own; i++)
        print_settings(&sets.set[i], settings);
    print_settings(&last, settings);
    if (command->release)
        command->release(options);
    arguments_free(&arguments);
    return good;
}

json_t *app_settings(int argc, char **argv, Error *error) {
    const Command *const *command = command_table;
    while (*command && (argc < 2 || strcmp((*command)->name, argv[1])))
        command++;
    if (!*command)
        return error_null(error, "there is no such command.");
    AppOptions *options = calloc(1, (*command)->size > sizeof *options ? (*command)->size : sizeof *options);
    json_t *settings = options ? json_object() : NULL;
    if (!settings)
        error_set(error, "Out of memory.");
    else if (!read_settings(*command, options, argc - 1, argv + 1, settings, error)) {
        json_decref(settings);
        settings = NULL;
    }
    if (options)
        rules_free(&options->rules);
    free(options);
    return settings;
}

// ---------------------------------------------------------------------------------------------------
// Players

Player *app_player(const char *text, const AppOptions *options, const Kernel *kernel, int *exit_code,
                   Error *error) {
    Strategy strategy;
    Player *player = NULL;
    if (strategy_find(&strategy, text, error) && files_check_strategy(&strategy, error))
        player = player_new(&strategy, &options->rules, kernel, error);
    if (!player)
        *exit_code = strategy_is_file(text) ? EXIT_FAILED : EXIT_USAGE;
    return player;
}

int app_player_free(Player *player, int exit_code) {
    Error error;
    if (player && !player_flush(player, &error)) {
        app_complain(NULL, error.text);
        exit_code = exit_code == EXIT_DONE ? EXIT_FAILED : exit_code;
    }
    player_free(player);
    return exit_code;
}

bool app_players(AppPlayers *players, const AppOptions *options, const Arguments *arguments, int *exit_code,
                 Error *error) {
    *exit_code = EXIT_FAILED;
    *players = (AppPlayers){.player = calloc((size_t)arguments->operands, sizeof(Player *))};
    if (!players->player)
        return error_set(error, "Out of memory for %d strategies.", arguments->operands);
    if (!(players->kernel = kernel_find(options->kernel, error)))
        return false;
    for (; players->count < arguments->operands; players->count++)
        if (!(players->player[players->count] =
                  app_player(arguments->operand[players->count], options, players->kernel, exit_code, error)))
            return false;
    return true;
}

int app_players_free(AppPlayers *players, int exit_code) {
    for (int i = 0; i < players->count; i++)
        exit_code = app_player_free(players->player[i], exit_code);
    free(players->player);
    return exit_code;
}

const char *app_player_name(const AppPlayers *players, int i) {
    return player_strategy(players->player[i])->name;
}

void app_print_rule_options(FILE *out, const Rules *rules) {
    char name[FIELD_OPTION_NAME], text[FIELD_PRINTED], usual[FIELD_PRINTED];
    Rules standard;
    rules_default(&standard);
    for (const Field *field = rules_fields.field; field < rules_fields.field + rules_fields.count; field++)
        if (strcmp(field_print(field, rules, text), field_print(field, &standard, usual)))
            utf8_print(out, " --%s %s", field_option(field, name), text);
    rules_free(&standard);
}

void app_print_rules(FILE *out, const Rules *rules, const char *also, uint64_t seed) {
    utf8_print(out, "%dx%d, %s overflow, game over: %s, %s rules, pieces %s%s, seed %" PRIu64, rules->width,
               rules->height, rules_overflow_name(rules->overflow), rules_gameover_name(rules->gameover),
               rules->original ? "original" : "simplified", rules->pieces.name, also, seed);
}

bool app_write_json(json_t *json, const char *path, Error *error) {
    if (!path) {
        json_decref(json);
        return true;
    }
    char *text = json_document(json, 15);
    if (!text)
        return error_set(error, "out of memory while writing JSON to %s.", path);
    bool good = text_write_file(path, text, strlen(text), error);
    free(text);
    return good;
}
