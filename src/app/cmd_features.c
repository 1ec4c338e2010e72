// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab features: the list of all features; or their values on boards read from a file, one JSON object
// a line. The values come from the plain definitions. Features of moves have no value on a board alone and
// are left out there.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "base/text.h"
#include "feature/feature.h"
#include "feature/plain.h"

static int run_features(int argc, char **argv);

const Command command_features = {
    "features", "", "List the features, or print their values on boards",
    "Boards are text: rows from the top, '#' filled and '.' empty, a blank line\n"
    "between boards; empty rows on top may be left out.\n",
    run_features};

enum { LIST_COLUMNS = 100 };

static const char *const values_text[] = {[ONE] = "1", [PER_COLUMN] = "W", [PER_PAIR] = "W-1"};

// ---- the list ------------------------------------------------------------------------------------------

// <- the number in the thesis as people write it; "" if it has none.
static const char *number_text(int number, char out[8]) {
    *out = 0;
    if (number > 99) // 232 is the second variant of 23
        snprintf(out, 8, "%db", number / 10 % 100);
    else if (number > 0)
        snprintf(out, 8, "%d", number);
    return out;
}

// Prints the words of a text from column `indent` on, breaking lines before the last column.
static void print_wrapped(const char *text, int indent) {
    int column = indent;
    while (*text) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > LIST_COLUMNS) {
            printf("\n%*s", indent, "");
            column = indent;
        }
        column += printf("%s%.*s", column > indent ? " " : "", length, text);
        text += length + (text[length] == ' ');
    }
    putchar('\n');
}

static void widen(int *width, const char *text) {
    int length = (int)strlen(text);
    *width = length > *width ? length : *width;
}

static void print_list(void) {
    int name_width = 0, family_width = 0;
    for (int id = 0; id < FEATURES; id++) {
        widen(&name_width, feature_info[id].name);
        widen(&family_width, feature_info[id].family);
    }
    printf("%3s  %-*s  %-6s  %-*s  %s\n", "no.", name_width, "name", "values", family_width, "family",
           "meaning");
    for (int id = 0; id < FEATURES; id++) {
        const FeatureInfo *info = &feature_info[id];
        char number[8];
        int indent = printf("%3s  %-*s  %-6s  %-*s  ", number_text(info->number, number), name_width,
                            info->name, values_text[info->values], family_width, info->family);
        print_wrapped(info->meaning, indent);
    }
    printf("\nno.: row of Table 2.1 in Amundsen's thesis. values: how many numbers on a board of W columns.\n"
           "Features of the family \"move\" describe a move; all others the board after it, rows cleared.\n");
}

// The same as a table for docs/features.md, where '|' separates cells.
static void print_markdown(void) {
    puts("| no. | name | values | family | meaning |\n|---:|---|---|---|---|");
    for (int id = 0; id < FEATURES; id++) {
        const FeatureInfo *info = &feature_info[id];
        char number[8];
        printf("| %s | `%s` | %s | %s | ", number_text(info->number, number), info->name,
               values_text[info->values], info->family);
        for (const char *c = info->meaning; *c; c++)
            printf(*c == '|' ? "\\%c" : "%c", *c);
        puts(" |");
    }
}

static json_t *list_as_json(void) {
    json_t *list = json_array();
    for (int id = 0; id < FEATURES; id++) {
        const FeatureInfo *info = &feature_info[id];
        char number[8];
        number_text(info->number, number);
        json_t *object =
            json_pack("{s:s, s:s*, s:s, s:s, s:s}", "name", info->name, "number", *number ? number : NULL,
                      "values", values_text[info->values], "family", info->family, "meaning", info->meaning);
        json_array_append_new(list, object);
    }
    return list;
}

// ---- values on boards ----------------------------------------------------------------------------------

static json_t *number_as_json(double value) {
    return value == floor(value) ? json_integer((json_int_t)value) : json_real(value);
}

static json_t *board_as_json(const Rules *rules, const Board *board) {
    Situation situation = {.width = rules->width, .height = rules->height, .before = board, .after = board};
    json_t *object = json_object();
    for (int id = 0; id < FEATURES; id++) {
        if (feature_info[id].of_move)
            continue;
        double values[BOARD_MAX_WIDTH];
        int count = feature_plain((FeatureId)id, &situation, values);
        json_t *value = feature_info[id].values == ONE ? number_as_json(values[0]) : json_array();
        for (int i = 0; i < count && feature_info[id].values != ONE; i++)
            json_array_append_new(value, number_as_json(values[i]));
        json_object_set_new(object, feature_info[id].name, value);
    }
    return object;
}

static bool output_is_good(Error *error) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return error_set(error, "cannot write to the standard output: %s.", strerror(errno));
}

static bool print_board(const Rules *rules, const Board *board, Error *error) {
    json_t *object = board_as_json(rules, board);
    char *text =
        object ? json_dumps(object, JSON_REAL_PRECISION(15)) : NULL; // 15 digits: 3.4 is printed as 3.4
    json_decref(object);
    if (!text)
        return error_set(error, "out of memory.");
    bool written = puts(text) != EOF;
    free(text);
    return written || output_is_good(error);
}

// Boards before a faulty one are printed.
static bool print_boards(const char *path, const Rules *rules, Error *error) {
    size_t length;
    char *text = text_read_file(path, &length, error);
    if (!text)
        return false;
    const char *rest = text, *name = strcmp(path, "-") ? path : "standard input";
    bool good = strlen(text) == length || error_set(error, "%.200s: found a 0 byte; boards are text.", name);
    for (int line = 1, status = 1; good && status == 1;) {
        Board board;
        status = board_read(name, &rest, &line, rules->width, rules->height, &board, error);
        good = status == 0 || (status == 1 && print_board(rules, &board, error));
    }
    free(text);
    return good && output_is_good(error);
}

// ---- command -------------------------------------------------------------------------------------------

static int run_parsed(const AppOptions *options, const char *boards, bool markdown,
                      const char *const *operands, int count) {
    Error error = {""};
    if (count > 0)
        error_set(&error, "expected options only, found \"%.60s\"; boards are given with --boards FILE.",
                  operands[0]);
    else if (boards && options->json)
        error_set(&error, "--json is for the list; with --boards the output is JSON already.");
    else if (markdown && (boards || options->json))
        error_set(&error, "--markdown prints the list: give it without --boards and --json.");
    if (*error.text)
        return app_fail(&command_features, &error, EXIT_USAGE);

    bool good;
    if (boards) {
        good = print_boards(boards, &options->rules, &error);
    } else if (options->json) {
        good = app_write_json(list_as_json(), options->json, &error);
    } else {
        (markdown ? print_markdown : print_list)();
        good = output_is_good(&error);
    }
    return good ? EXIT_DONE : app_fail(&command_features, &error, EXIT_FAILED);
}

static int run_features(int argc, char **argv) {
    AppOptions options;
    bool markdown = false;
    const char *boards = NULL, **operands = calloc((size_t)argc + 1, sizeof *operands);
    int count = 0, exit_code = EXIT_FAILED;
    OptionTable table = {.count = 0};
    app_defaults(&options);
    const Option lines[] = {
        {"boards", "FILE", option_text, &boards,
         "Print a JSON object with every board feature for each board in FILE; - is the standard input.", 0,
         0},
        {"board", "WxH", app_set_board, &options.rules, "Size of those boards (default 10x20).", 0, 0},
        {"json", "FILE", option_text, &options.json,
         "Write the list as JSON to FILE instead of the table; - is the standard output.", 0, 0},
        {"markdown", NULL, option_flag, &markdown, "Print the list as a table in Markdown.", 0, 0},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        app_add(&table, lines[i]);
    if (operands && app_parse(&command_features, &table, argc, argv, operands, &count, &exit_code))
        exit_code = run_parsed(&options, boards, markdown, operands, count);
    free(operands);
    app_free(&options);
    return exit_code;
}
