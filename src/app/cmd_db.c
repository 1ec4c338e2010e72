// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab db: databases of visited states, as the UCT player makes them.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/app.h"
#include "app/table.h"
#include "base/json_values.h"
#include "base/replacing.h"
#include "base/text.h"
#include "base/utf8.h"
#include "player/database.h"

typedef struct DbOptions {
    AppOptions app;
    const char *out;
} DbOptions;

typedef struct Action {
    const char *name;
    bool (*run)(const DbOptions *options, const char **files, int count, Error *error);
    bool json, out, needs_out, many; // which options it has; more than one file?
} Action;

static Database *open_read(const char *path, Error *error) {
    return database_open(path, DATABASE_READ, error);
}

// ---------------------------------------------------------------------------------------------------
// stat

static json_t *stat_json(const char *file, const DatabaseStat *stat) {
    return json_pack("{s:o, s:I, s:I, s:I, s:i, s:f}", "file", json_name(file), "states",
                     (json_int_t)stat->states, "bytes", (json_int_t)stat->bytes, "phases",
                     (json_int_t)(stat->phases > INT64_MAX ? INT64_MAX : stat->phases), "rules", stat->rules,
                     "revisits", stat->revisits);
}

static bool stat_file(const char *file, DatabaseStat *stat, Error *error) {
    Database *database = open_read(file, error);
    if (!database)
        return false;
    bool good = database_stat(database, stat, error);
    return database_close(database, NULL) && good;
}

static bool run_stat(const DbOptions *options, const char **files, int count, Error *error) {
    static const TableColumn columns[] = {{"database", -24}, {"states", 13}, {"bytes", 13},
                                          {"phases", 15},    {"rules", 5},   {"revisited", 9}};
    Table table = {.out = stdout};
    bool good = true;
    json_t *list = json_array();
    if (!options->app.quiet)
        TABLE_HEAD(&table, columns);
    for (int i = 0; i < count && good; i++) {
        DatabaseStat stat;
        if (!(good = stat_file(files[i], &stat, error)))
            break;
        json_array_append_new(list, stat_json(files[i], &stat));
        if (options->app.quiet)
            continue;
        table_cell(&table, "%s", files[i]);
        table_grouped(&table, stat.states);
        table_grouped(&table, stat.bytes);
        table_grouped(&table, stat.phases);
        table_cell(&table, "%d", stat.rules);
        table_cell(&table, "%.2f %%", 100 * stat.revisits);
    }
    json_t *json = json_pack("{s:o}", "databases", list);
    if (good)
        return app_write_json(json, options->app.json, error);
    json_decref(json);
    return false;
}

// ---------------------------------------------------------------------------------------------------
// verify, compact

static bool run_verify(const DbOptions *options, const char **files, int count, Error *error) {
    (void)options;
    for (int i = 0; i < count; i++) {
        uint64_t states;
        char text[32];
        Database *database = open_read(files[i], error);
        if (!database)
            return false;
        bool good = database_verify(database, &states, error);
        database_close(database, NULL);
        if (!good)
            return false;
        utf8_print(stdout, "%s: %s states, no mistake.\n", files[i], text_grouped(states, text));
    }
    return true;
}

static bool run_compact(const DbOptions *options, const char **files, int count, Error *error) {
    (void)count;
    Database *database = open_read(files[0], error);
    if (!database)
        return false;
    bool good = database_compact(database, options->out, error);
    database_close(database, NULL);
    struct stat before, after;
    char a[32], b[32];
    if (good && !stat(files[0], &before) && !stat(options->out, &after))
        utf8_print(stdout, "%s: %s bytes instead of %s.\n", options->out,
                   text_grouped((uint64_t)after.st_size, a), text_grouped((uint64_t)before.st_size, b));
    return good;
}

// ---------------------------------------------------------------------------------------------------
// export

static void print_board(FILE *out, const Board *board, int width) {
    char text[(BOARD_MAX_WIDTH + 1) * 32 + 1];
    int rows = board_pile_height(board, width);
    board_print(board, width, rows, text);
    for (int row = 0; row < rows; row++)
        fprintf(out, "%s\"%.*s\"", row ? ", " : "", width, text + row * (width + 1));
}

static bool print_state(void *context, const VisitedState *state) {
    FILE *out = context;
    fprintf(out, "{\"rules\": \"%s\", \"board\": [", state->rules);
    print_board(out, &state->board, state->width);
    char number[32];
    fprintf(out, "], \"piece\": \"%c\", \"reward\": %s, \"placements\": [", piece_letter[state->piece],
            text_number(state->visit.reward, number));
    const char *comma = "";
    for (Placement p = 0; p < PLACEMENTS; p++)
        if (state->visit.placements >> p & 1) {
            fprintf(out, "%s[%d, %d]", comma, placement_orientation(p), placement_column(p));
            comma = ", ";
        }
    fprintf(out, "], \"phases\": %llu}\n", (unsigned long long)state->visit.phases);
    return !ferror(out);
}

static bool print_states(void *database, FILE *out, Error *error) {
    return database_each(database, print_state, out, error);
}

// A large export does not fit into memory, so it grows beside its place and is then moved there.
static bool export_file(Database *database, const char *path, Error *error) {
    return replacing_write(path, true, print_states, database, error);
}

static bool run_export(const DbOptions *options, const char **files, int count, Error *error) {
    (void)count;
    Database *database = open_read(files[0], error);
    if (!database)
        return false;
    // Whether standard output took it all is asked at the end of every command.
    bool good = options->out && strcmp(options->out, "-")
                    ? export_file(database, options->out, error)
                    : database_each(database, print_state, stdout, error);
    database_close(database, NULL);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The command

static const Action actions[] = {
    {"stat", run_stat, .json = true, .many = true},
    {"verify", run_verify, .many = true},
    {"export", run_export, .out = true},
    {"compact", run_compact, .out = true, .needs_out = true},
};
enum { ACTIONS = sizeof actions / sizeof *actions };

static const Action *find_action(const char *word, Error *error) {
    const char *names[ACTIONS];
    for (int i = 0; i < ACTIONS; i++) {
        names[i] = actions[i].name;
        if (!strcmp(word, names[i]))
            return &actions[i];
    }
    char meant[TEXT_MEANT];
    return error_null(error, "unknown action '%.60s'%s", word,
                      text_meant(meant, "", "", word, names, ACTIONS));
}

static bool check_usage(const Action *action, const DbOptions *options, int files, Error *error) {
    if (files == 0)
        return error_set(error, "name the database: db %s FILE.", action->name);
    if (files > 1 && !action->many)
        return error_set(error, "db %s takes one database at a time.", action->name);
    if (options->app.json && !action->json)
        return error_set(error, "--json belongs to db stat.");
    if (options->out && !action->out)
        return error_set(error, "--out belongs to db export and db compact.");
    if (action->needs_out && !options->out)
        return error_set(error, "db %s needs --out FILE.", action->name);
    if (action->needs_out && !strcmp(options->out, "-"))
        return error_set(error, "db %s cannot write to standard output: give --out a file.", action->name);
    return true;
}

static const Field db_field[] = {
    {APP_JSON, .help = "stat: also write the numbers as JSON to FILE; - writes them to standard output "
                       "instead of the table."},
    {"out", FIELD_STRING, FIELD_AT(DbOptions, out), .file = FIELD_WRITES, .preset = NAN, .argument = "FILE",
     .help = "export: write to FILE (default: standard output). compact: the new database, which must not "
             "exist."},
};

static int run(void *options, const Arguments *arguments, Error *error) {
    const char **words = arguments->operand;
    int count = arguments->operands;
    if (count == 0)
        error_set(error, "say what to do: db stat, verify, export or compact.");
    const Action *action = count ? find_action(words[0], error) : NULL;
    if (!action || !check_usage(action, options, count - 1, error))
        return EXIT_USAGE;
    return action->run(options, words + 1, count - 1, error) ? EXIT_DONE : EXIT_FAILED;
}

const Command command_db = COMMAND(
    "db", "stat|verify|export|compact FILE...", DbOptions, db_field, "Look into databases of visited states",
    "A database is what a strategy of the kind uct keeps in the file it names.\n"
    "stat      how many states, bytes, planning phases, different rules; how many of\n"
    "          the states were met again\n"
    "verify    reads everything and fails at the first mistake\n"
    "export    every state as a line of JSON\n"
    "compact   a copy without unused pages\n");
