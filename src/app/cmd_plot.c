// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab plot: learning runs over each other, or the measurements of journals beside each other.
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/outputs.h"
#include "base/utf8.h"
#include "plot/overlay.h"
#include "plot/runtime.h"
#include "tasks/journal.h"

enum { LEAST_SIDE = 100, MAX_SIDE = 10000 };

typedef struct PlotSize {
    int width, height;
} PlotSize;

typedef struct PlotOptions {
    AppOptions app;
    const char *out, *panels, *labels, *title, *targets;
    int axis; // a RunAxis; -1: not given
    bool log_x;
    PlotSize size;
} PlotOptions;

// ---------------------------------------------------------------------------------------------------
// Options

static bool parse_size(const Field *field, void *at, const char *text, Error *error) {
    PlotSize size = {0};
    int end = 0;
    (void)field;
    if (sscanf(text, "%5dx%5d%n", &size.width, &size.height, &end) != 2 || text[end] ||
        size.width < LEAST_SIDE || size.width > MAX_SIDE || size.height < LEAST_SIDE ||
        size.height > MAX_SIDE)
        return error_set(error, "expected WIDTHxHEIGHT, such as 900x540, each from %d to %d, got '%.60s'.",
                         LEAST_SIDE, MAX_SIDE, text);
    *(PlotSize *)at = size;
    return true;
}

static void tell_panels(FILE *out) {
    for (int k = 0; overlay_panels[k]; k++)
        fprintf(out, " %s%s", overlay_panels[k],
                overlay_panels[k + 1] ? "," : "; all: what the runs have, up to 12.");
}

static const FieldType size_type = {.parse = parse_size};
static const char *const axis_words[] = {"generations", "evaluations", "pieces", "seconds", NULL};

static const Field plot_field[] = {
    {"out", FIELD_STRING, FIELD_AT(PlotOptions, out), .file = FIELD_WRITES, .argument = "FILE",
     .help = "Where the picture goes; its ending says what it is: .svg, .png, .pdf or .eps."},
    {"panels", FIELD_STRING, FIELD_AT(PlotOptions, panels), .otherwise = "score", .argument = "LIST",
     .help = "What is drawn of learning runs:", .tell_help = tell_panels},
    {"x", FIELD_WORD, FIELD_AT(PlotOptions, axis), .words = axis_words, .preset = NAN,
     .otherwise = "generations; evaluations with runtime", .argument = "WHAT",
     .help = "What a run has spent: generations; evaluations, the games or repetitions for selection; pieces "
             "for selection; seconds, those of the curve included."},
    {"log_x", FIELD_FLAG, FIELD_AT(PlotOptions, log_x), .help = "The x axis is logarithmic."},
    {"targets", FIELD_STRING, FIELD_AT(PlotOptions, targets), .preset = NAN,
     .otherwise = "51 from 1 to the largest score", .argument = "LIST",
     .help = "Of runtime: the numbers of lines that runs are to reach, as in 10,100,1000."},
    {"labels", FIELD_STRING, FIELD_AT(PlotOptions, labels), .preset = NAN, .otherwise = "their names",
     .argument = "LIST",
     .help = "What the legend calls the folders, one word for each, with commas between."},
    {"title", FIELD_STRING, FIELD_AT(PlotOptions, title), .preset = NAN, .otherwise = "what is shown",
     .argument = "TEXT", .help = "Above the picture."},
    {"size", FIELD_OTHER, FIELD_AT(PlotOptions, size), .type = &size_type, .preset = NAN,
     .otherwise = "as it fits", .argument = "WxH",
     .help = "Pixels; in PDF and EPS the 72nd part of an inch."},
    {"csv", APP_OUTPUT(FIELD_AT(AppOptions, csv)), .help = "Also write every point of the picture as CSV."},
};

// ---------------------------------------------------------------------------------------------------
// Learning runs

typedef struct Runs {
    LearningHistory history[OVERLAY_MAX_FOLDERS];
    char label[OVERLAY_MAX_FOLDERS][100];
    OverlayFolder folder[OVERLAY_MAX_FOLDERS];
    int count;
    double target[RUNTIME_MAX_TARGETS];
    int targets;
} Runs;

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool read_targets(Runs *runs, const char *text, Error *error) {
    for (const char *at = text; text && *at;) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || (*end && *end != ',') || !(value > 0 && value < 1e100))
            return error_set(error, "--targets: expected numbers of lines, such as 10,100,1000, got '%.60s'.",
                             text);
        if (runs->targets == RUNTIME_MAX_TARGETS)
            return error_set(error, "--targets: %d at most.", RUNTIME_MAX_TARGETS);
        runs->target[runs->targets++] = value;
        at = end + (*end == ',');
    }
    qsort(runs->target, (size_t)runs->targets, sizeof *runs->target, compare_numbers);
    return true;
}

// The name of the folder; where another one has the same, all of the path.
static void name_folder(const Arguments *arguments, int k, char out[100]) {
    const char *path = arguments->operand[k], *base;
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    for (base = path + length; base > path && base[-1] != '/'; base--)
        continue;
    size_t size = (size_t)(path + length - base);
    for (int i = 0; i < arguments->operands; i++) {
        const char *other = arguments->operand[i];
        size_t end = strlen(other);
        while (end > 1 && other[end - 1] == '/')
            end--;
        if (i != k && end >= size && !memcmp(other + end - size, base, size) &&
            (end == size || other[end - size - 1] == '/'))
            base = path;
    }
    utf8_clean(out, 100, base, (size_t)(path + length - base));
}

static bool name_runs(Runs *runs, const char *labels, const Arguments *arguments, Error *error) {
    int given = 0;
    for (const char *at = labels; at; at = strchr(at, ','), at = at ? at + 1 : NULL) {
        if (given < runs->count)
            utf8_clean(runs->label[given], sizeof runs->label[given], at, strcspn(at, ","));
        given++;
    }
    if (labels && given != runs->count)
        return error_set(error, "--labels has %d, and there %s %d.", given, runs->count == 1 ? "is" : "are",
                         runs->count);
    for (int k = 0; k < runs->count; k++) {
        if (!labels)
            name_folder(arguments, k, runs->label[k]);
        runs->folder[k] = (OverlayFolder){&runs->history[k], runs->label[k]};
    }
    return true;
}

static bool make_runs(Plot *plot, Runs *runs, const PlotOptions *options, const Arguments *arguments,
                      int *exit_code, Error *error) {
    if (arguments->operands > OVERLAY_MAX_FOLDERS)
        return error_set(error, "A plot shows %d folders at most.", OVERLAY_MAX_FOLDERS);
    runs->count = arguments->operands;
    if (!overlay_check_panels(options->panels, error) || !read_targets(runs, options->targets, error) ||
        !name_runs(runs, options->labels, arguments, error))
        return false;
    *exit_code = EXIT_FAILED;
    for (int k = 0; k < runs->count; k++)
        if (!learning_history_read(&runs->history[k], arguments->operand[k], app_complain, NULL, error))
            return false;
    OverlayPlan plan = {.folder = runs->folder,
                        .folders = runs->count,
                        .panels = options->panels,
                        .axis = options->axis,
                        .log_x = options->log_x,
                        .target = runs->targets ? runs->target : NULL,
                        .targets = runs->targets,
                        .width = options->size.width,
                        .height = options->size.height};
    return overlay_make(plot, &plan, error);
}

static bool plot_runs(Plot *plot, const PlotOptions *options, const Arguments *arguments, int *exit_code,
                      Error *error) {
    Runs *runs = calloc(1, sizeof *runs);
    if (!runs)
        return error_set(error, "Out of memory.");
    bool good = make_runs(plot, runs, options, arguments, exit_code, error);
    for (int k = 0; k < runs->count; k++)
        learning_history_free(&runs->history[k]);
    free(runs);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Journals

static bool fill_journals(Plot *plot, const JournalContents *contents, Error *error) {
    MeasureRow *row = calloc((size_t)contents->entries + 1, sizeof *row);
    if (!row)
        return error_set(error, "Out of memory for %d measurements.", contents->entries);
    for (int k = 0; k < contents->entries; k++)
        row[k] = measure_row_of_entry(&contents->entry[k]);
    bool good = outputs_plot_measured(plot, row, contents->entries, error);
    free(row);
    return good;
}

static bool plot_journals(Plot *plot, const PlotOptions *options, const Arguments *arguments, int *exit_code,
                          Error *error) {
    static const char *const of_runs[] = {"panels", "x", "log-x", "targets", "labels", NULL};
    JournalContents contents = {0};
    for (int k = 0; of_runs[k]; k++)
        if (arguments_given(arguments, of_runs[k]))
            return error_set(error, "--%s is about learning runs, and these are journals of measurements.",
                             of_runs[k]);
    *exit_code = EXIT_FAILED;
    bool good = true;
    for (int k = 0; good && k < arguments->operands; k++)
        good = journal_read(&contents, arguments->operand[k], app_complain, NULL, error);
    good = good && fill_journals(plot, &contents, error);
    if (options->size.width) {
        plot->width = options->size.width;
        plot->height = options->size.height;
    }
    journal_free(&contents);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The command

static void fill_csv(Table *table, const void *shown, int count) {
    static const TableColumn columns[] = {{"panel"}, {"series"}, {"x"}, {"y"}, {"low"}, {"high"}};
    const Plot *plot = shown;
    (void)count;
    TABLE_HEAD(table, columns);
    for (int p = 0; p < plot->panels; p++)
        for (int s = 0; s < plot->panel[p]->count; s++) {
            const PlotSeries *series = plot->panel[p]->series[s];
            for (size_t i = 0; i < series->count; i++) {
                const PlotPoint *point = &series->point[i];
                table_name(table, plot->panel[p]->title);
                table_name(table, series->title);
                table_number(table, point->x);
                table_number(table, point->y);
                table_number(table, point->low);
                table_number(table, point->high);
            }
        }
}

// <- is the first operand a folder? Checks that all are of its kind, and that there are such things.
static bool find_kind(const Arguments *arguments, bool *folders, int *exit_code, Error *error) {
    struct stat status;
    for (int k = 0; k < arguments->operands; k++) {
        const char *path = arguments->operand[k];
        if (stat(path, &status)) {
            *exit_code = EXIT_FAILED;
            return error_set(error, "There is no folder and no journal %.300s.", path);
        }
        bool folder = S_ISDIR(status.st_mode);
        if (k && folder != *folders)
            return error_set(
                error,
                "%.200s is %s and %.200s %s: a picture shows learning runs, which are folders, or "
                "measurements, which are journals.",
                arguments->operand[0], *folders ? "a folder" : "a file", path,
                folder ? "a folder" : "a file");
        *folders = folder;
    }
    return true;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    PlotOptions *options = chosen;
    bool folders = false;
    int code = EXIT_USAGE;
    if (!arguments->operands) {
        error_set(error, "name the folder of a learning run, or a journal of 'tetralab measure --journal'.");
        return EXIT_USAGE;
    }
    if (!options->out) {
        error_set(error, "say where the picture goes: --out runs.svg, runs.png, runs.pdf or runs.eps.");
        return EXIT_USAGE;
    }
    int named = app_check_picture(options->out, error);
    if (named != EXIT_DONE)
        return named;
    Plot plot = {.panels = 0};
    bool good = find_kind(arguments, &folders, &code, error) &&
                (folders ? plot_runs : plot_journals)(&plot, options, arguments, &code, error);
    if (good) {
        code = EXIT_FAILED;
        if (options->title) // spaces alone: none
            utf8_clean(plot.title, sizeof plot.title, options->title + strspn(options->title, " "),
                       strlen(options->title) - strspn(options->title, " "));
        good = plot_draw(&plot, options->out, error) &&
               table_write(options->app.csv, TABLE_CSV, fill_csv, &plot, 1, error);
    }
    plot_free(&plot);
    return good ? EXIT_DONE : code;
}

const Command command_plot =
    COMMAND("plot", "DIR...|JOURNAL...", PlotOptions, plot_field,
            "Draw learning runs over each other, or measurements beside each other",
            "A folder is what 'tetralab learn' makes; of several runs in it the median and the\n"
            "quartiles are drawn. A journal is what 'tetralab measure --journal FILE' writes: each\n"
            "player with its 95 % interval, beside what was published. Pictures are drawn by\n"
            "gnuplot; the same numbers make the same file. docs/pictures.md shows examples.\n");
