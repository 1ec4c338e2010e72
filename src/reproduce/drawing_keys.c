// SPDX-License-Identifier: GPL-3.0-or-later
// The keys of "plot": a table of fields, and which kinds of plots have which of them.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/runs.h"
#include "reproduce/definition_fields.h"
#include "reproduce/drawing.h"
#include "reproduce/drawing_kinds.h"

enum { MAX_FOLDERS = 50, MAX_NAMES = 1000, MAX_SMOOTH = 1000000, MAX_PUBLISHED = 1000 };

static const char *const kind_words[] = {"rows",      "curves", "runs",   "box",  "list",
                                         "histogram", "bars",   "boards", "game", NULL};
static const char *const log_words[] = {"x", "y", "xy", NULL};
static const char *const by_words[] = {"generation", "evaluations", "pieces", NULL};
static const char *const together_words[] = {"median", "mean", "quartiles", NULL};

// ---------------------------------------------------------------------------------------------------
// Values

static bool are_points(const json_t *value) {
    return json_is_array(value) && json_array_size(value) <= MAX_PUBLISHED &&
           keys_each(value, keys_are_two_numbers);
}

static bool is_number_of_folders(size_t count) {
    return count >= 1 && count <= MAX_FOLDERS;
}

static bool are_folders(const json_t *value) {
    return is_number_of_folders(json_object_size(value)) && keys_are_named_texts(value);
}

static bool are_groups(const json_t *value) {
    return is_number_of_folders(json_object_size(value)) && keys_each(value, keys_are_texts);
}

static bool are_names(const json_t *value) {
    return keys_are_texts(value) && json_array_size(value) <= MAX_NAMES;
}

static const FieldType points = {.accepts = are_points, .must = "a list of up to 1,000 [x, y]"};
static const FieldType folders = {.accepts = are_folders,
                                  .must = "up to 50 folders with their labels, {\"label\": \"{dir}/run\"}"};
static const FieldType fields = {.accepts = are_folders,
                                 .must = "up to 50 fields with their labels, {\"best vector\": \"best\"}"};
static const FieldType groups = {.accepts = are_groups,
                                 .must = "up to 50 lists of rows with their labels, {\"label\": [\"row\"]}"};
static const FieldType names = {.accepts = are_names, .must = "a list of up to 1,000 texts"};
static const FieldType labels = {.accepts = keys_are_texts, .must = "a list of labels of rows"};

// ---------------------------------------------------------------------------------------------------
// Tables

#define AT(member) FIELD_AT(DrawingKeys, member)

static const Field plot_field[] = {
    {"kind", FIELD_WORD, AT(kind), .words = kind_words, .help = "What it shows, below."},
    {"title", FIELD_STRING, AT(title), .otherwise = "", .help = "Of one panel among others."},
    {"xlabel", FIELD_STRING, AT(xlabel), .help = "Below the picture."},
    {"ylabel", FIELD_STRING, AT(ylabel), .help = "Beside it."},
    {"log", FIELD_WORD, AT(log), .preset = NAN, .words = log_words,
     .help = "Axes with a logarithmic scale; below boxes and histograms there is none."},
    {"points", FIELD_JSON, AT(points), .type = &points, .help = "Published points."},
    {"called", FIELD_STRING, AT(called), .help = "What they are, if they are not the paper's."},
    {"folders", FIELD_JSON, AT(folders), .type = &folders, .help = "Of learning runs."},
    {"field", FIELD_STRING, AT(field), .otherwise = "",
     .help =
         "Of learning runs `curve` (of the player with which a generation began, and drawn there), `best`, "
         "`mean`, `worst`, `lower` and `upper` (quartiles), `sigma`, `samples`, `limit`, `share` and "
         "`limit_share` (games that a race took, in percent of those without a race, and of r_limit for "
         "every vector), `answer`, `deviation`, `axes`, `weight` (the answer, of length 1 if only its "
         "direction counts); of outputs a list, such as `scores`."},
    {"fields", FIELD_JSON, AT(fields), .type = &fields, .help = "Several of them in one panel."},
    {"labels", FIELD_STRING, AT(labels), .otherwise = "",
     .help = "The names of bars, a list in the same output, such as `features.*.name`."},
    {"file", FIELD_STRING, AT(file), .help = "What boards or a game are read from, `{dir}/game.txt`."},
    {"by", FIELD_WORD, AT(by), .words = by_words,
     .help = "What runs are drawn over; evaluations are games, pieces those for selection."},
    {"together", FIELD_WORD, AT(together), .words = together_words,
     .help = "How several runs become a line; `quartiles`: their median with a band between the quartiles."},
    {"names", FIELD_JSON, AT(names), .type = &names,
     .help = "Of the components, boxes, lines of a list, histograms, or x = 1, 2, ..., which are then not "
             "joined."},
    {"rows", FIELD_JSON, AT(rows), .type = &labels, .help = "Which rows are drawn; without it, all."},
    {"groups", FIELD_JSON, AT(groups), .type = &groups,
     .help = "Rows that have a colour of their own, are joined among themselves and stand beside others."},
    {"levels", FIELD_JSON, AT(levels), .type = &labels,
     .help = "Rows without a place, as lines across at their values."},
    {"smooth", FIELD_INT, AT(smooth), .preset = 1, .least = 1, .most = MAX_SMOOTH,
     .help = "So many numbers of a list are averaged."},
};
const Fields drawing_keys = FIELDS(plot_field);
static const KeyTable plot_keys = {"a plot", FIELDS(plot_field), 1};

#define KIND(kind) (1 << DRAWING_##kind)
enum {
    HISTORY = KIND(CURVES) | KIND(RUNS) | KIND(BOX),
    OUTPUT = KIND(LIST) | KIND(HISTOGRAM) | KIND(BARS),
    BOARDS = KIND(BOARDS) | KIND(GAME)
};

// Keys that not all kinds have.
static const struct Use {
    const char *key;
    int allowed, needed; // kinds
} uses[] = {{"folders", HISTORY, HISTORY},
            {"field", HISTORY | OUTPUT, KIND(RUNS) | KIND(BOX) | OUTPUT},
            {"fields", KIND(CURVES), 0},
            {"labels", KIND(BARS), KIND(BARS)},
            {"file", BOARDS, BOARDS},
            {"by", KIND(CURVES) | KIND(RUNS), 0},
            {"together", KIND(CURVES) | KIND(RUNS), 0},
            {"names", KIND(ROWS) | KIND(CURVES) | KIND(BOX) | KIND(LIST) | KIND(HISTOGRAM), 0},
            {"rows", OUTPUT | KIND(ROWS), 0},
            {"groups", KIND(ROWS), 0},
            {"levels", KIND(ROWS), 0},
            {"smooth", KIND(LIST), 0}};

// ---------------------------------------------------------------------------------------------------
// Checks

static bool are_rows(const Definition *definition, const json_t *list) {
    for (size_t k = 0; k < json_array_size(list); k++)
        if (definition_find(definition, json_string_value(json_array_get(list, k))) < 0)
            return false;
    return true;
}

static bool are_quantities(const DrawingKeys *keys) {
    RunQuantity quantity;
    const char *label;
    json_t *field;
    json_object_foreach((json_t *)keys->fields, label, field) {
        if (!run_quantity(&quantity, json_string_value(field)))
            return false;
    }
    return keys->fields || run_quantity(&quantity, keys->field);
}

// <- NULL: all is right; else the sentence without its beginning
static const char *find_mistake(const Definition *definition, const DrawingKeys *keys) {
    int kind = 1 << keys->kind;
    const char *label;
    json_t *rows;
    if (kind == KIND(BOX) && json_object_size(keys->folders) > 1)
        return "\"folders\" must be one folder, for boxes.";
    if (kind == KIND(BARS) && (int)keys->log >= 0)
        return "\"log\" has no meaning for bars, which begin at 0.";
    if (kind & (KIND(BOX) | KIND(HISTOGRAM)) && (keys->log == DRAWING_LOG_X || keys->log == DRAWING_LOG_XY))
        return "\"log\" must be \"y\": boxes and histograms know no other log scale.";
    if (kind == KIND(CURVES) && !keys->fields == !*keys->field)
        return "either \"field\" or \"fields\" must be given.";
    if (kind & (HISTORY | OUTPUT) && !keys->fields && !*keys->field)
        return "\"field\" must not be empty.";
    if (kind & HISTORY && !are_quantities(keys))
        return "\"field\" must be a field of a run's history, such as curve, sigma, best, samples, answer, "
               "deviation or axes.";
    json_object_foreach((json_t *)keys->groups, label, rows) {
        if (!are_rows(definition, rows))
            return "\"groups\" must hold lists of labels of rows.";
    }
    if (!are_rows(definition, keys->levels))
        return "\"levels\" must be a list of labels of rows.";
    return are_rows(definition, keys->rows) ? NULL : "\"rows\" must be a list of labels of rows.";
}

int drawing_panels(const Definition *definition) {
    const json_t *panels = json_object_get(definition->plot, "panels");
    return panels ? (int)json_array_size(panels) : 1;
}

bool drawing_read(DrawingKeys *keys, const Definition *definition, int panel, Error *error) {
    const json_t *panels = json_object_get(definition->plot, "panels");
    const json_t *plot = panels ? json_array_get(panels, (size_t)panel) : definition->plot;
    char place[120];
    snprintf(place, sizeof place, "%s: \"plot\"", definition->name);
    if (panels)
        snprintf(place, sizeof place, "%s: panel %d of \"plot\"", definition->name, panel + 1);
    if (!json_is_object(plot))
        return error_set(error, "%s: must be an object, {...}.", place);
    if (!keys_read(&plot_keys, keys, plot, place, error))
        return false;
    if (panels && keys->kind >= DRAWING_BOARDS)
        return error_set(error, "%s: boards and games are pictures of their own, without panels.", place);
    for (size_t k = 0; k < sizeof uses / sizeof *uses; k++) {
        bool given = json_object_get(plot, uses[k].key), need = uses[k].needed >> keys->kind & 1;
        if (given && !(uses[k].allowed >> keys->kind & 1))
            return error_set(error, "%s: \"%s\" has no meaning for the kind \"%s\".", place, uses[k].key,
                             kind_words[keys->kind]);
        if (!given && need)
            return error_set(error, "%s: \"%s\" is missing.", place, uses[k].key);
    }
    const char *mistake = find_mistake(definition, keys);
    return !mistake || error_set(error, "%s: %s", place, mistake);
}

bool drawing_check(const Definition *definition, Error *error) {
    DrawingKeys keys;
    int panels = drawing_panels(definition);
    if (!definition->plot)
        return true;
    if (json_object_get(definition->plot, "panels") &&
        (json_object_size(definition->plot) > 1 || panels < 1 || panels > DRAWING_MAX_PANELS))
        return error_set(error, "%s: \"plot\" has nothing but \"panels\", if it has them: a list of 1 to %d.",
                         definition->name, DRAWING_MAX_PANELS);
    for (int k = 0; k < panels; k++)
        if (!drawing_read(&keys, definition, k, error))
            return false;
    return true;
}
