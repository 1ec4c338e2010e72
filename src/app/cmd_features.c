// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab features: the list of all features; or their values on boards read from a file, one JSON object
// a line; or the time that each takes. The values come from the reference definitions. Features of moves have
// no value on a board alone and are left out there; with a piece there is a line for each of its placements.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/feature_time.h"
#include "app/outputs.h"
#include "base/json_memory.h"
#include "base/progress.h"
#include "base/text.h"
#include "feature/feature.h"
#include "feature/reference.h"

enum { LIST_COLUMNS = 100 };

// ---- the list ------------------------------------------------------------------------------------------

// For people, or in Markdown for docs/features.md.
static void print_list(TableForm form) {
    int names = 0, families = 0;
    for (int id = 0; id < FEATURES; id++) {
        names = table_wider(names, feature_info[id].name);
        families = table_wider(families, feature_info[id].family);
    }
    const TableColumn columns[] = {
        {"no.", 3}, {"name", -names}, {"values", -7}, {"family", -families}, {"meaning", -1}};
    Table table = {.out = stdout, .form = form};
    TABLE_HEAD(&table, columns);
    for (int id = 0; id < FEATURES; id++) {
        const FeatureInfo *info = &feature_info[id];
        const char *quote = form == TABLE_MARKDOWN ? "`" : "";
        char number[8];
        table_cell(&table, "%s", feature_number_text(info->number, number));
        table_cell(&table, "%s%s%s", quote, info->name, quote);
        table_cell(&table, "%s", feature_values_text((FeatureId)id));
        table_cell(&table, "%s", info->family);
        table_wrapped(&table, info->meaning, LIST_COLUMNS);
    }
    if (form == TABLE_TEXT)
        printf("\nno.: row of Table 2.1 in Amundsen's thesis. values: how many numbers on a board of W "
               "columns.\n"
               "Features of the family \"move\" describe a move; all others the board after it, rows "
               "cleared.\n");
}

static json_t *list_as_json(void) {
    json_t *list = json_array();
    for (int id = 0; id < FEATURES; id++) {
        const FeatureInfo *info = &feature_info[id];
        char number[8];
        feature_number_text(info->number, number);
        json_t *object = json_pack("{s:s, s:s*, s:s, s:s, s:s}", "name", info->name, "number",
                                   *number ? number : NULL, "values", feature_values_text((FeatureId)id),
                                   "family", info->family, "meaning", info->meaning);
        json_array_append_new(list, object);
    }
    return list;
}

// ---- values on boards ----------------------------------------------------------------------------------

static json_t *number_as_json(double value) {
    return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *feature_as_json(FeatureId id, const Situation *situation) {
    if (feature_info[id].values == ONE)
        return number_as_json(feature_reference(id, situation, 0));
    json_t *list = json_array();
    for (int x = 0; x < feature_values(id, situation->width); x++)
        json_array_append_new(list, number_as_json(feature_reference(id, situation, x)));
    return list;
}

// -> move  its name, or NULL: a board alone
static bool print_situation(const Situation *situation, const char *move, Error *error) {
    json_t *object = json_object();
    if (move)
        json_object_set_new(object, "move", json_string(move));
    for (int id = 0; id < FEATURES; id++)
        if (move || !(features_of_moves >> id & 1))
            json_object_set_new(object, feature_info[id].name, feature_as_json((FeatureId)id, situation));
    char *text = json_text(object, JSON_REAL_PRECISION(15)); // 15 digits: 3.4 is printed as 3.4
    json_decref(object);
    if (!text)
        return error_set(error, "out of memory.");
    bool written = puts(text) != EOF;
    free(text);
    return written || error_set(error, "cannot write to the standard output: %s.", strerror(errno));
}

static bool print_moves(const Rules *rules, const Board *board, int piece, Error *error) {
    Moves moves;
    moves_list(&moves, rules, board, piece);
    for (uint64_t left = moves.possible; left; left &= left - 1) {
        Board after;
        Placement placement = __builtin_ctzll(left);
        Situation situation = situation_of_move(rules, board, piece, &moves.move[placement], &after);
        char name[16];
        snprintf(name, sizeof name, "%c%d:%d", piece_letter[piece], placement_orientation(placement),
                 placement_column(placement));
        if (!print_situation(&situation, name, error))
            return false;
    }
    return true;
}

// -> piece  NULL: boards alone
static bool print_board(const Rules *rules, const Board *board, const char *piece, Error *error) {
    Situation alone = {.width = rules->width, .height = rules->height, .before = board, .after = board};
    return piece ? print_moves(rules, board, piece_from_letter(*piece), error)
                 : print_situation(&alone, NULL, error);
}

// Boards before a faulty one are printed.
static bool print_boards(const char *path, const Rules *rules, const char *piece, Error *error) {
    size_t length;
    char *text = text_read_file(path, &length, error);
    if (!text)
        return false;
    const char *name = strcmp(path, "-") ? path : "standard input";
    bool good = strlen(text) == length || error_set(error, "%.200s: found a 0 byte; boards are text.", name);
    Reader reader = reader_start(name, text, length, error);
    for (int status = 1; good && status == 1;) {
        Board board;
        status = board_read(&reader, rules->width, rules->height, &board);
        good = status == 0 || (status == 1 && print_board(rules, &board, piece, error));
    }
    free(text);
    return good;
}

// ---- times ---------------------------------------------------------------------------------------------

static bool time_features(const AppOptions *options, uint64_t boards, Error *error) {
    FeatureTimes times;
    const Kernel *kernel = kernel_find(options->kernel, error);
    progress_catch_interrupt();
    if (!kernel || !feature_times(&times, boards, &options->rules, options->seed, kernel, error))
        return false;
    FeatureTimed timed = {&times, &options->rules, kernel};
    if (!outputs_write(options, feature_times_table, feature_times_plot, &timed, 1, error))
        return false;
    if (options->json)
        return app_write_json(feature_times_json(&times, &options->rules, options->seed, kernel),
                              options->json, error);
    if (!options->quiet)
        feature_times_print(&times, &options->rules, kernel);
    return true;
}

// ---- command -------------------------------------------------------------------------------------------

typedef struct FeaturesOptions {
    AppOptions app;
    const char *boards, *piece;
    uint64_t time; // boards to time the features on; 0: not wanted
    bool markdown;
} FeaturesOptions;

static bool check(const FeaturesOptions *options, const Arguments *arguments, Error *error) {
    const AppOptions *app = &options->app;
    bool seed = arguments_given(arguments, "seed");
    if (arguments->operands > 0)
        return error_set(error,
                         "expected options only, found \"%.60s\"; boards are given with --boards FILE.",
                         arguments->operand[0]);
    if (options->time && (options->boards || options->markdown))
        return error_set(error, "--time plays its own boards: give it without --boards and --markdown.");
    if (!options->time && (app->kernel || seed))
        return error_set(error, "--%s is for --time N, which was not given.",
                         app->kernel ? "kernel" : "seed");
    if (!options->time && (app->csv || app->plot))
        return error_set(error, "--%s is for --time N, which was not given.", app->csv ? "csv" : "plot");
    if (options->piece && !options->boards)
        return error_set(error, "--piece is for --boards FILE, which was not given.");
    if (options->boards && app->json)
        return error_set(error, "--json is for the list; with --boards the output is JSON already.");
    if (options->markdown && (options->boards || app->json))
        return error_set(error, "--markdown prints the list: give it without --boards and --json.");
    return true;
}

static bool parse_piece(const Field *field, void *at, const char *text, Error *error) {
    (void)field;
    if (strlen(text) != 1 || piece_from_letter(*text) < 0)
        return error_set(error, "\"%.20s\" is not a piece; give one letter of %s.", text, piece_letter);
    *(const char **)at = text;
    return true;
}

static const FieldType piece_type = {.parse = parse_piece};

static const Field features_field[] = {
    {"boards", FIELD_STRING, FIELD_AT(FeaturesOptions, boards), .file = FIELD_READS, .argument = "FILE",
     .help = "Print a JSON object with every board feature for each board in FILE; - is the standard input."},
    {"piece", FIELD_OTHER, FIELD_AT(FeaturesOptions, piece), .type = &piece_type, .argument = "LETTER",
     .help = "Print a line for each placement of this piece on those boards instead, features of moves "
             "included; fatal ones too."},
    {"time", FIELD_WHOLE, FIELD_AT(FeaturesOptions, time), .least = 1, .most = 1e9, .preset = NAN,
     .argument = "N", .help = "Time each feature on the first N boards of a game."},
    {"seed", FIELD_WHOLE, FIELD_AT(AppOptions, seed), .preset = 1, .most = 1e15, .argument = "S",
     .help = "Seed of the game of --time."},
    {"kernel", FIELD_OTHER, FIELD_AT(AppOptions, kernel), .preset = NAN, .type = &running_kernel_type,
     .suggest = running_kernel_suggest, .otherwise = "the fastest that this machine has", .argument = "NAME",
     .help = "Kernel to time; 'tetralab bench' lists them."},
    {"json", FIELD_OTHER, FIELD_AT(AppOptions, json), .type = &app_output_type, .file = FIELD_WRITES,
     .argument = "FILE",
     .help = "Write the list, or the times, as JSON to FILE instead of the table; - is the standard output."},
    {"markdown", FIELD_FLAG, FIELD_AT(FeaturesOptions, markdown),
     .help = "Print the list as a table in Markdown."},
};

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const FeaturesOptions *options = chosen;
    const AppOptions *app = &options->app;
    bool good = true;
    if (!check(options, arguments, error))
        return EXIT_USAGE;
    if (options->time)
        good = time_features(app, options->time, error);
    else if (options->boards)
        good = print_boards(options->boards, &app->rules, options->piece, error);
    else if (app->json)
        good = app_write_json(list_as_json(), app->json, error);
    else
        print_list(options->markdown ? TABLE_MARKDOWN : TABLE_TEXT);
    return good ? EXIT_DONE : EXIT_FAILED;
}

const Command command_features =
    COMMAND("features", "", FeaturesOptions, features_field,
            "List the features, print their values on boards, or time them",
            "Boards are text: rows from the top, '#' filled and '.' empty, a blank line\n"
            "between boards; empty rows on top may be left out. --time plays dellacherie and\n"
            "times each feature: its reference definition, and a rating of it alone in a kernel.\n",
            .has_rules = true, .without = " overflow gameover rules pieces ",
            .picture = "Also draw FILE (.svg, .png, .pdf or .eps): with --time, what each feature takes.");
