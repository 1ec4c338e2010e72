// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands share. A command is one file, cmd_NAME.c: it parses its options, calls the library and
// prints. Exit codes: 0 done, 1 failed, 2 wrong usage.
#ifndef TETRALAB_APP_APP_H
#define TETRALAB_APP_APP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/error.h"
#include "base/options.h"
#include "feature/kernel.h"
#include "game/rules.h"
#include "measure/running.h"
#include "player/player.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

// Options that several commands have. The options of every command are a struct that begins with these.
typedef struct AppOptions {
    Rules rules;
    union { // by both names
        Running running;
        struct {
            RUNNING_MEMBERS;
        };
    };
    const char *json;
    const char *csv, *plot; // of commands that have a picture (app/outputs.h)
    bool quiet;             // something else than words for people goes to the standard output
} AppOptions;

// Their tables are rules_fields, running_fields, and --json.
// const char *, a file to be written, or "-" (app/files.h).
extern const FieldType app_output_type;
#define APP_OUTPUT(at)                                                                                       \
    FIELD_OTHER, at, .preset = NAN, .type = &app_output_type, .file = FIELD_WRITES, .otherwise = "none",     \
                     .argument = "FILE"
#define APP_JSON "json", APP_OUTPUT(FIELD_AT(AppOptions, json))

typedef struct Command {
    const char *name, *operands; // "play", "STRATEGY..."
    const char *summary;         // what it does, in the imperative, without a full stop
    const char *details;         // lines for its help, under the summary
    // -> options  all set: to their defaults, and to what the command line says
    // <- exit code; with an error that is not empty, it is printed
    int (*run)(void *options, const Arguments *arguments, Error *error);
    size_t size;   // of its options
    Fields fields; // its own
    // Further tables, of parts of its options; those without a base are only known by name, and the command
    // applies them itself, when it knows which of them count. NULL: none. <- how many
    int (*more)(void *options, OptionSet *sets);
    // Sets what follows from other options, as `run` would. -> set  becomes the table that counts besides
    // those with a base. NULL: there is nothing to complete. Free what it made with `release`.
    bool (*complete)(void *options, const Arguments *arguments, OptionSet *set, Error *error);
    void (*release)(void *options);
    // "Also draw FILE: ...", what its picture shows; with it --plot and --csv are options. NULL: no picture
    const char *picture;
    bool has_rules, has_running; // the shared tables
    bool titled;                 //   under titles of their own in the help
    void (*suggest)(FILE *out);  // names that its operands may be, as Field.suggest; NULL: none of its own
    const char *without;         // " max-pieces kernel ": options of these that it has not
} Command;
enum { APP_MAX_SETS = 16 };
// One whose function is called run; what else it has comes last: .has_rules = true
#define COMMAND(name, operands, options, table, summary, details, ...)                                       \
    { name, operands, summary, details, run, sizeof(options), FIELDS(table), __VA_ARGS__ }

extern const Command command_measure, command_report, command_compare, command_learn, command_imitate,
    command_td, command_evaluate;
extern const Command command_choose, command_tbp, command_versus, command_solve, command_db,
    command_reproduce, command_draw, command_explain, command_watch;
extern const Command command_play, command_strategies, command_features, command_bench, command_perft;
extern const Command command_help, command_instances, command_plot, command_serve;

extern const Command *const command_table[]; // all of them, in the order of the help; ends with NULL

// Before anything else: gives missing standard streams a place, so that no file of ours takes theirs; a file
// that may not grow any more is a write error and not the end. <- false: impossible
bool app_begin(void);

// The whole program behind main: finds the command, runs it, flushes stdout. <- exit code
int app_main(int argc, char **argv);
// One command: reads its options, or prints its help, or says what is wrong with them, and runs it.
// -> argv  argv[0] is the command's name
int app_run(const Command *command, int argc, char **argv);

// The tables of a command, with names and texts only.
// -> tell  gets them; they live as long as the call
bool app_describe(const Command *command,
                  void (*tell)(const Command *command, const OptionSet *sets, int count), Error *error);

// The help of a command that only names the options that commands share; NULL: these.
bool app_help_shared(const Command *command, Error *error);

// "Usage: tetralab COMMAND", the commands and what they do.
void app_help(FILE *out);

// What the options of a command line are set to, without running it: a CommandSettings (reproduce/command.h).
// -> argv  argv[1] is the command's name
json_t *app_settings(int argc, char **argv, Error *error);

// Threads when --jobs is not given; 0: one per core. For a program that shares the cores with others.
extern int app_default_jobs;

// Prints "tetralab COMMAND: sentence" to stderr. -> context  ignored
void app_complain(void *context, const char *sentence);

// Can a picture be written to `path`? NULL: none is wanted. <- EXIT_USAGE: the name does not end like one.
int app_check_picture(const char *path, Error *error);

// A player made from the operand or option that names a strategy, under the rules given.
// <- NULL: *exit_code is EXIT_USAGE if the command line is wrong (a misspelt name, a built-in strategy that
//    cannot play under these rules), EXIT_FAILED if a file is
Player *app_player(const char *strategy, const AppOptions *options, const Kernel *kernel, int *exit_code,
                   Error *error);

// Frees it. Says on stderr if the player could not write what it has learned to its file.
// -> exit_code  of the command so far; <- the same, or EXIT_FAILED
int app_player_free(Player *player, int exit_code);

// All players that the operands name, made before the first one plays: a misspelt name is reported at once,
// not after an hour.
typedef struct AppPlayers {
    Player **player;
    int count;
    const Kernel *kernel; // they play with
} AppPlayers;

// <- false: as app_player. Free them also then
bool app_players(AppPlayers *players, const AppOptions *options, const Arguments *arguments, int *exit_code,
                 Error *error);
int app_players_free(AppPlayers *players, int exit_code); // as app_player_free
const char *app_player_name(const AppPlayers *players, int i);

// "10x20, lenient overflow, ..., pieces uniform, seed 1" without an end of line.
// -> also  what stands behind the name of the pieces
void app_print_rules(FILE *out, const Rules *rules, const char *also, uint64_t seed);

// The rules that are not the default ones, as options: " --board 10x16".
void app_print_rule_options(FILE *out, const Rules *rules);

// Writes JSON to --json FILE or - (with a newline), whole or not at all. Takes the reference.
// -> json  NULL: memory ran out while it was built
// -> path  NULL: --json was not given, nothing is written
bool app_write_json(json_t *json, const char *path, Error *error);

#endif
