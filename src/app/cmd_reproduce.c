// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab reproduce: published tables and figures, made again.
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/files.h"
#include "app/table.h"
#include "base/data_folder.h"
#include "base/fields.h"
#include "base/json_memory.h"
#include "base/text.h"
#include "base/utf8.h"
#include "measure/crew.h"
#include "reproduce/drawing.h"
#include "reproduce/publications.h"
#include "reproduce/reproduce.h"

typedef struct ReproduceOptions {
    AppOptions app;
    int scale;
    int keys; // place in keys_words; -1: not asked for
    const char *out, *pages;
} ReproduceOptions;

static const char *const keys_words[] = {"definition", "row", "plot", "published", "entry", NULL};

static const char *const in_folder[] = {"/", NULL};

static const Field reproduce_field[] = {
    {"scale", FIELD_WORD, FIELD_AT(ReproduceOptions, scale), .words = definition_scales, .argument = "SCALE",
     .help = "quick: a few minutes; full: hours; part: between them, of those that have it."},
    {"out", FIELD_STRING, FIELD_AT(ReproduceOptions, out), .file = FIELD_WRITES, .endings = in_folder,
     .otherwise = "reproduced", .argument = "DIR", .help = "Folder for the results."},
    {"pages", FIELD_STRING, FIELD_AT(ReproduceOptions, pages), .file = FIELD_WRITES, .endings = in_folder,
     .argument = "DIR",
     .help = "With 'report': write the details as a page for each paper into DIR, and print the rest only."},
    {"csv", APP_OUTPUT(FIELD_AT(AppOptions, csv)),
     .help =
         "Also write the rows, or with 'report' those of all reproductions, as CSV to FILE; - writes them "
         "to standard output instead of the table."},
    {"keys", FIELD_WORD, FIELD_AT(ReproduceOptions, keys), .preset = NAN, .words = keys_words,
     .argument = "OF",
     .help = "Print the keys of definitions, their rows and plots, or of the lists of what was published and "
             "their entries, as a Markdown table."},
};

// ---------------------------------------------------------------------------------------------------
// --csv

static const TableColumn csv_column[] = {
    {"reproduction"}, {"row"},    {"published"}, {"published_low"}, {"published_high"},
    {"scale"},        {"value"},  {"low"},       {"high"},          {"unit"},
    {"repeats"},      {"wanted"}, {"verdict"},   {"statement"},
};

static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

// -> kept  a list of lists, a text or a number for each column
static void keep_row(void *kept, const ReproducedRow *row) {
    const PublishedValue *published = &row->row->published;
    bool one = published->kind != PUBLISHED_NOT && published->kind != PUBLISHED_STATEMENT &&
               published->kind != PUBLISHED_RANGE;
    const Result none = {.value = NAN, .interval = {NAN, NAN}}, *result = row->scale ? row->result : &none;
    const char *unit = row->row->unit, *statement = row->row->statement;
    json_array_append_new(
        kept, json_pack("[ss ooo sooos oo ss]", row->definition->name, row->row->label,
                        number(one ? published->value : NAN), number(published->interval.low),
                        number(published->interval.high), row->scale ? row->scale : "", number(result->value),
                        number(result->interval.low), number(result->interval.high), unit ? unit : "",
                        number(row->scale ? result->repeats : NAN), number(row->scale ? row->wanted : NAN),
                        row->scale ? verdict_names[row->verdict] : "not run", statement ? statement : ""));
}

static void fill_csv(Table *table, const void *kept, int count) {
    (void)count;
    TABLE_HEAD(table, csv_column);
    for (size_t r = 0; r < json_array_size(kept); r++)
        for (int k = 0; k < table->columns; k++) {
            const json_t *cell = json_array_get(json_array_get(kept, r), (size_t)k);
            if (json_is_string(cell))
                table_name(table, json_string_value(cell));
            else
                table_number(table, json_is_real(cell) ? json_real_value(cell) : NAN);
        }
}

static bool write_csv(const char *path, json_t *kept, Error *error) {
    bool good = !json_memory_failed() || error_set(error, "Out of memory: cannot write %.200s.", path);
    good = good && table_write(path, TABLE_CSV, fill_csv, kept, 1, error);
    json_decref(kept);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The command

static int print_keys(int of) {
    const Fields table[] = {definition_fields, definition_row_fields, drawing_keys, publication_keys,
                            publication_entry_keys};
    fields_markdown(stdout, table[of]);
    return EXIT_DONE;
}

static bool list(void *context, const char *path, const char *text, size_t length, Error *error) {
    Definition *definition = definition_read(path, text, length, error);
    (void)context;
    if (definition) {
        utf8_print(stdout, "%-16s  %s\n", definition->name, definition->title);
        utf8_print(stdout, "%-16s  %s, %s\n", "", definition->paper, definition->place);
    }
    definition_free(definition);
    return definition;
}

// The names of those that come with the program.
static bool take_name(void *names, const char *path, const char *text, size_t length, Error *error) {
    (void)text, (void)length, (void)error;
    const char *file = strrchr(path, '/') + 1;
    json_array_append_new(names, json_stringn(file, strlen(file) - strlen(".json")));
    return true;
}

// -> path  what is read: the word itself if it is a file, else one of those that come with the program
static bool find(const char *word, char path[DATA_PATH], int *exit_code, Error *error) {
    const char *name[256];
    size_t length = strlen(word);
    int count = 0;
    char file[100], meant[TEXT_MEANT];
    if (length >= 5 && !strcmp(word + length - 5, ".json"))
        return (size_t)snprintf(path, DATA_PATH, "%s", word) < DATA_PATH ||
               error_set(error, "The name of a file is too long.");
    json_t *names = json_array();
    bool good = data_read(DEFINITIONS_FOLDER, take_name, names, error), known = false;
    for (; count < 256 && count < (int)json_array_size(names); count++) {
        name[count] = json_string_value(json_array_get(names, (size_t)count));
        known = known || !strcmp(name[count], word);
    }
    snprintf(file, sizeof file, DEFINITIONS_FOLDER "/%.60s.json", word);
    if (good && !known) {
        *exit_code = EXIT_USAGE;
        error_set(error,
                  "there is no reproduction '%.60s'%s 'tetralab reproduce list' names them, "
                  "and a file of your own ends in .json.",
                  word, text_meant(meant, "", "", word, name, count));
    }
    json_decref(names);
    return good && known && data_find(file, path, error);
}

// One that comes with the program by its name, or a file.
static Definition *read_definition(const char *word, int *exit_code, Error *error) {
    char path[DATA_PATH];
    size_t length;
    *exit_code = EXIT_FAILED;
    char *text = find(word, path, exit_code, error) ? text_read_file(path, &length, error) : NULL;
    Definition *definition = text ? definition_read(path, text, length, error) : NULL;
    free(text);
    return definition;
}

static void complain(const char *sentence) {
    app_complain(NULL, sentence);
}

// A command of a definition, in a process of its own.
static int run_confined(const char *folder, int count, char **word) {
    files_confine(folder);
    return app_main(count, word);
}

static int report(const ReproduceOptions *options, Error *error) {
    json_t *rows = json_array();
    ReportPlan plan = {options->out, options->pages, options->app.quiet ? NULL : stdout,
                       app_settings, complain,       .teller = {options->app.csv ? keep_row : NULL, rows}};
    bool good = reproduce_report(&plan, error);
    return write_csv(good ? options->app.csv : NULL, rows, error) && good ? EXIT_DONE : EXIT_FAILED;
}

static int run_one(const char *word, const ReproduceOptions *options, Error *error) {
    int code;
    Definition *definition = read_definition(word, &code, error);
    if (!definition)
        return code;
    app_default_jobs = (int)options->app.jobs; // of its commands
    json_t *rows = json_array();
    ReproducePlan plan = {.definition = definition,
                          .scale = definition_scales[options->scale],
                          .out = options->out,
                          .runner = run_confined,
                          .settings = app_settings,
                          .table = options->app.quiet ? NULL : stdout,
                          .teller = {options->app.csv ? keep_row : NULL, rows}};
    bool good = drawing_check(definition, error) && reproduce_run(&plan, error);
    code = write_csv(good ? options->app.csv : NULL, rows, error) && good ? EXIT_DONE : EXIT_FAILED;
    definition_free(definition);
    return code;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const ReproduceOptions *options = chosen;
    bool crew = crew_make != crew_threads, keys = options->keys >= 0 && !arguments->operands;
    if (options->app.csv && (keys || (arguments->operands == 1 && !strcmp(arguments->operand[0], "list")))) {
        error_set(error, "--csv is for the rows of a reproduction, or of 'report'.");
        return EXIT_USAGE;
    }
    if (options->pages && (arguments->operands != 1 || strcmp(arguments->operand[0], "report"))) {
        error_set(error, "--pages is for 'report'.");
        return EXIT_USAGE;
    }
    if (keys)
        return print_keys(options->keys);
    if (crew || arguments->operands != 1) {
        error_set(error, crew ? "reproductions run in tetralab, not in tetralab-mpi."
                              : "name one reproduction, or 'list', or 'report'.");
        return EXIT_USAGE;
    }
    const char *word = arguments->operand[0];
    if (!strcmp(word, "list"))
        return data_read(DEFINITIONS_FOLDER, list, NULL, error) ? EXIT_DONE : EXIT_FAILED;
    if (!strcmp(word, "report"))
        return report(options, error);
    return run_one(word, options, error);
}

static void suggest_names(FILE *out) {
    json_t *names = json_array(), *name;
    size_t k;
    data_read(DEFINITIONS_FOLDER, take_name, names, NULL);
    json_array_foreach(names, k, name) {
        fprintf(out, " %s", json_string_value(name));
    }
    json_decref(names);
}

const Command command_reproduce = COMMAND(
    "reproduce", "list|report|NAME|FILE.json", ReproduceOptions, reproduce_field,
    "Make a published table or figure again, and say whether the numbers agree",
    "'list' names the reproductions. NAME runs one and prints the published value, ours with its 95 %\n"
    "interval and the verdict, row by row. Results are kept in a folder; an interrupted run resumes\n"
    "when it is started again. 'report' prints what the folder holds as Markdown. A file is a\n"
    "definition of your own; docs/reproducing.md says how to write one.\n",
    .has_running = true, .without = " max-pieces seed kernel json ", .suggest = suggest_names);
