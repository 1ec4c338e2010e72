// SPDX-License-Identifier: GPL-3.0-or-later
// Can this "plot" be drawn? Every key is checked against a table: which kinds of plots have it, which need
// it, and what its value must be.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "plot/runs.h"
#include "reproduce/drawing.h"

enum { MAX_FOLDERS = 50, MAX_NAMES = 1000, MAX_SMOOTH = 1000000, MAX_PUBLISHED = 1000 };

static const char *const kinds[] = {"rows", "curves", "runs", "box", "list", "histogram"};
enum {
    ROWS = 1,
    CURVES = 2,
    RUNS = 4,
    BOX = 8,
    LIST = 16,
    HISTOGRAM = 32,
    JOURNAL = CURVES | RUNS | BOX,
    OUTPUT = LIST | HISTOGRAM,
    ALL = 63
};

static bool is_text(const Definition *definition, int kind, const json_t *value) {
    (void)definition, (void)kind;
    return json_is_string(value);
}

// Boxes and bars have no log scale below them.
static bool is_log(const Definition *definition, int kind, const json_t *value) {
    const char *text = json_string_value(value);
    (void)definition;
    return text && (!strcmp(text, "y") ||
                    (!(kind & (BOX | HISTOGRAM)) && (!strcmp(text, "x") || !strcmp(text, "xy"))));
}

static bool is_points(const Definition *definition, int kind, const json_t *value) {
    (void)definition, (void)kind;
    for (size_t k = 0; k < json_array_size(value); k++) {
        const json_t *pair = json_array_get(value, k);
        if (json_array_size(pair) != 2 || !json_is_number(json_array_get(pair, 0)) ||
            !json_is_number(json_array_get(pair, 1)))
            return false;
    }
    return json_is_array(value) && json_array_size(value) <= MAX_PUBLISHED;
}

static bool is_folders(const Definition *definition, int kind, const json_t *value) {
    const char *label;
    json_t *folder;
    (void)definition;
    json_object_foreach((json_t *)value, label, folder) {
        if (!json_is_string(folder))
            return false;
    }
    return json_object_size(value) >= 1 && json_object_size(value) <= (kind == BOX ? 1 : MAX_FOLDERS);
}

// A quantity of generations, or the path of a number in an output.
static bool is_field(const Definition *definition, int kind, const json_t *value) {
    const char *text = json_string_value(value);
    RunQuantity quantity;
    (void)definition;
    return text && *text && (kind & OUTPUT || run_quantity(&quantity, text));
}

static bool is_by(const Definition *definition, int kind, const json_t *value) {
    const char *text = json_string_value(value);
    (void)definition, (void)kind;
    return text && (!strcmp(text, "generation") || !strcmp(text, "evaluations"));
}

static bool is_names(const Definition *definition, int kind, const json_t *value) {
    (void)definition, (void)kind;
    for (size_t k = 0; k < json_array_size(value); k++)
        if (!json_is_string(json_array_get(value, k)))
            return false;
    return json_array_size(value) >= 1 && json_array_size(value) <= MAX_NAMES;
}

static bool is_rows(const Definition *definition, int kind, const json_t *value) {
    (void)kind;
    for (size_t k = 0; k < json_array_size(value); k++) {
        const char *label = json_string_value(json_array_get(value, k));
        int row = 0;
        while (label && row < definition->rows && strcmp(definition->row[row].label, label))
            row++;
        if (!label || row == definition->rows)
            return false;
    }
    return json_array_size(value) >= 1;
}

static bool is_smooth(const Definition *definition, int kind, const json_t *value) {
    double number = json_number_value(value);
    (void)definition, (void)kind;
    return number >= 1 && number <= MAX_SMOOTH && number == floor(number);
}

static const struct Key {
    const char *name;
    int allowed, needed; // kinds
    bool (*right)(const Definition *definition, int kind, const json_t *value);
    const char *must; // "must be ..."
} keys[] = {
    {"kind", ALL, ALL, is_text, "a text"},
    {"xlabel", ALL, 0, is_text, "a text"},
    {"ylabel", ALL, 0, is_text, "a text"},
    {"log", ALL, 0, is_log, "\"x\", \"y\" or \"xy\"; boxes and histograms know only \"y\""},
    {"points", ALL, 0, is_points, "a list of up to 1,000 [x, y]"},
    {"folders", JOURNAL, JOURNAL, is_folders,
     "up to 50 folders with their labels, {\"label\": \"{dir}/run\"}; boxes show one folder"},
    {"field", JOURNAL | OUTPUT, JOURNAL | OUTPUT, is_field,
     "a field of the journal, such as curve, sigma, best, samples, answer, deviation or axes"},
    {"by", CURVES | RUNS, 0, is_by, "\"generation\" or \"evaluations\""},
    {"names", ROWS | CURVES | BOX, 0, is_names, "a list of up to 1,000 texts"},
    {"rows", OUTPUT, 0, is_rows, "a list of labels of rows"},
    {"smooth", LIST, 0, is_smooth, "a whole number from 1 to 1,000,000"},
};
enum { KEYS = sizeof keys / sizeof *keys, KINDS = sizeof kinds / sizeof *kinds };

static bool check_key(const Definition *definition, int kind, const char *name, const json_t *value,
                      Error *error) {
    const char *names[KEYS], *kind_name = json_string_value(json_object_get(definition->plot, "kind"));
    int k = 0;
    for (int i = 0; i < KEYS; i++)
        names[i] = keys[i].name;
    while (k < KEYS && strcmp(keys[k].name, name))
        k++;
    if (k == KEYS)
        return error_set(error, "%s: \"plot\": there is no key \"%.40s\"; did you mean \"%s\"?",
                         definition->name, name, text_nearest(name, names, KEYS));
    if (!(keys[k].allowed & kind))
        return error_set(error, "%s: \"plot\": \"%s\" has no meaning for the kind \"%s\".", definition->name,
                         name, kind_name);
    return keys[k].right(definition, kind, value) ||
           error_set(error, "%s: \"plot\": \"%s\" must be %s.", definition->name, name, keys[k].must);
}

bool drawing_check(const Definition *definition, Error *error) {
    const char *kind = json_string_value(json_object_get(definition->plot, "kind")), *name;
    json_t *value;
    int k = 0;
    if (!definition->plot)
        return true;
    while (kind && k < KINDS && strcmp(kinds[k], kind))
        k++;
    if (!kind || k == KINDS)
        return error_set(error,
                         "%s: \"plot\": \"kind\" must be rows, curves, runs, box, list or histogram, "
                         "not \"%.40s\".",
                         definition->name, kind ? kind : "");
    for (int i = 0; i < KEYS; i++)
        if (keys[i].needed & 1 << k && !json_object_get(definition->plot, keys[i].name))
            return error_set(error, "%s: \"plot\": \"%s\" is missing.", definition->name, keys[i].name);
    json_object_foreach((json_t *)definition->plot, name, value) {
        if (!check_key(definition, 1 << k, name, value, error))
            return false;
    }
    return true;
}
