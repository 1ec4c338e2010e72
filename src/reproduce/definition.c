// SPDX-License-Identifier: GPL-3.0-or-later
// Reads definitions. Every key is checked against a table, every variable against every scale, so that a
// mistake shows before hours of work and not after.
#include "reproduce/definition.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_parse.h"
#include "base/text.h"
#include "base/utf8.h"
#include "reproduce/definition_fields.h"

// What is being read: for messages.
typedef struct Place {
    const char *name;
    Definition *definition;
    char row[96]; // " row \"...\":", or empty
    Error *error;
} Place;

static bool fail(const Place *place, const char *key, const char *what) {
    return error_set(place->error, "%s:%s \"%s\" %s", place->name, place->row, key, what);
}

static bool read_keys(const Place *place, const KeyTable *keys, void *base, const json_t *object) {
    char words[300];
    size_t row = strlen(place->row); // with a colon at its end
    snprintf(words, sizeof words, "%.190s%s%.*s", place->name, row ? ":" : "", row ? (int)row - 1 : 0,
             place->row);
    return keys_read(keys, base, object, words, place->error);
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

// -------------------------------------------------------------------------------------------------------
// Variables

static const char *scale_value(const Definition *definition, const char *scale, const char *name,
                               size_t length) {
    return json_string_value(json_object_getn(json_object_get(definition->scales, scale), name, length));
}

// Are all variables of the text known in every scale?
static bool check_variables(const Place *place, const char *key, const char *text, bool repeated) {
    for (const char *open = text ? strchr(text, '{') : NULL; open; open = strchr(open + 1, '{')) {
        size_t length = strcspn(open + 1, "}");
        const char *name = open + 1, *scale;
        json_t *values;
        if (!name[length])
            return fail(place, key, "has an opening brace without a closing one.");
        if ((length == 3 && !memcmp(name, "dir", 3)) || (repeated && length == 1 && *name == 'i'))
            continue;
        json_object_foreach((json_t *)place->definition->scales, scale, values) {
            if (!scale_value(place->definition, scale, name, length))
                return error_set(place->error,
                                 "%s:%s \"%s\" uses {%.*s}, which is not in the scale \"%.20s\".",
                                 place->name, place->row, key, (int)(length < 40 ? length : 40), name, scale);
        }
    }
    return true;
}

// The same for all texts in a list or an object.
static bool check_all_variables(const Place *place, const char *key, const json_t *value, bool repeated) {
    const char *name;
    size_t k;
    json_t *one;
    json_array_foreach(value, k, one) {
        if (!check_all_variables(place, key, one, repeated))
            return false;
    }
    json_object_foreach((json_t *)value, name, one) {
        if (!check_all_variables(place, key, one, repeated))
            return false;
    }
    return check_variables(place, key, json_string_value(value), repeated);
}

char *definition_expand(const Definition *definition, const char *scale, const char *text, const char *dir,
                        int i) {
    char *result = NULL, number[16];
    size_t size;
    FILE *out = open_memstream(&result, &size);
    snprintf(number, sizeof number, i ? "%d" : "{i}", i);
    while (out && *text) {
        size_t plain = strcspn(text, "{");
        fwrite(text, 1, plain, out);
        text += plain;
        if (!*text)
            break;
        size_t length = strcspn(++text, "}");
        const char *value = length == 3 && !memcmp(text, "dir", 3) ? dir
                            : length == 1 && *text == 'i'          ? number
                                                          : scale_value(definition, scale, text, length);
        fputs(value ? value : "", out);
        text += length + (text[length] == '}');
    }
    return text_closed(out, &result);
}

bool definition_has_scale(const Definition *definition, const char *scale) {
    return json_object_get(definition->scales, scale) != NULL;
}

int definition_repeats(const Definition *definition, const char *scale, const DefinitionRow *row,
                       Error *error) {
    if (!row->repeat)
        return 1;
    char *text = definition_expand(definition, scale, row->repeat, "", 0), *end = text;
    long count = text ? strtol(text, &end, 10) : 0;
    bool good = text && end != text && !*end && count >= 1 && count <= DEFINITION_MAX_REPEATS;
    if (!good)
        error_set(error, "%s: row \"%s\": \"repeat\" is \"%.40s\": give a number from 1 to %d.",
                  definition->name, row->label, text ? text : "", DEFINITION_MAX_REPEATS);
    free(text);
    return good ? (int)count : 0;
}

// -------------------------------------------------------------------------------------------------------
// Rows

static double end_of(const json_t *list, size_t k, double otherwise) {
    const json_t *end = json_array_get(list, k);
    return json_is_number(end) ? json_number_value(end) : otherwise;
}

static bool read_statement(const Place *place, RowKeys *keys) {
    double low = end_of(keys->holds, 0, -INFINITY), high = end_of(keys->holds, 1, INFINITY);
    if (keys->published)
        return fail(place, "statement", "is said instead of a \"published\" number.");
    if (!keys->holds || !keys->row.statement)
        return fail(place, keys->holds ? "holds" : "statement",
                    "needs the other one of \"statement\" and \"holds\".");
    if (!(low <= high) || (isinf(low) && isinf(high)))
        return fail(place, "holds",
                    "must go from the smaller number to the larger one, one of them at least.");
    keys->row.published = published_value(PUBLISHED_STATEMENT, low, high, NULL);
    return true;
}

// <- NULL: the members of a published number fit together; else what is wrong with *key
static const char *find_mistake(const RowKeys *keys, PublishedKind kind, double value, double more,
                                const char **key) {
    bool games = !isnan(keys->games), of = !isnan(keys->of), within = !isnan(keys->within);
    bool range = kind == PUBLISHED_RANGE, counts = more >= 1 && more <= 1e15 && value >= 0;
    bool step = !isnan(keys->step);
    *key = "published";
    if (games + of + within > 1)
        return "has more than one of \"games\", \"of\" and \"within\".";
    if (range && !(value <= more))
        return "must go from the smaller number to the larger one.";
    if (kind == PUBLISHED_ALONE && !step)
        return "has no interval: give \"games\", \"of\", \"within\" or the \"step\" of its last digit.";
    *key = games ? "games" : of ? "of" : within ? "within" : step ? "step" : keys->cut ? "cut" : "implied";
    if ((range || kind == PUBLISHED_NOT) && (games || of || within || step || keys->cut || keys->implied))
        return "needs one \"published\" number.";
    if (games && !counts)
        return "must be from 1 to 1e15, and \"published\" not below 0.";
    if (of && !(counts && value <= more))
        return "must be from 1 to 1e15 and not below \"published\".";
    if (within && !(more >= 0))
        return "must not be negative.";
    *key = "step";
    if (step && (!(keys->step >= 0) || of))
        return of ? "has no meaning for a number of successes." : "must not be negative.";
    *key = keys->cut ? "cut" : "implied";
    if (keys->cut && !step)
        return "needs the \"step\" of the last digit.";
    return keys->implied && !games ? "needs \"games\"." : NULL;
}

static bool read_published(const Place *place, RowKeys *keys) {
    if (keys->row.statement || keys->holds)
        return read_statement(place, keys);
    const json_t *given = keys->published;
    PublishedKind kind = !given                 ? PUBLISHED_NOT
                         : json_is_array(given) ? PUBLISHED_RANGE
                         : !isnan(keys->games)  ? PUBLISHED_GAMES
                         : !isnan(keys->of)     ? PUBLISHED_OF
                         : !isnan(keys->within) ? PUBLISHED_RELATIVE
                                                : PUBLISHED_ALONE;
    bool range = kind == PUBLISHED_RANGE;
    double value = json_number_value(range ? json_array_get(given, 0) : given);
    double more = range                     ? json_number_value(json_array_get(given, 1))
                  : kind == PUBLISHED_GAMES ? keys->games
                  : kind == PUBLISHED_OF    ? keys->of
                                            : keys->within;
    const PublishedText text = {isnan(keys->step) ? 0 : keys->step, keys->cut, keys->implied};
    const char *key, *mistake = find_mistake(keys, kind, value, more, &key);
    if (mistake)
        return fail(place, key, mistake);
    keys->row.published = published_value(kind, given ? value : NAN, more, &text);
    return true;
}

static void make_list(json_t *json, const char *key) {
    json_t *text = json_object_get(json, key);
    if (json_is_string(text))
        json_object_set_new(json, key, json_pack("[O]", text));
}

// One command is a list of one; one number is a text. The new values belong to the row.
static void normalise(json_t *json) {
    json_t *repeat = json_object_get(json, "repeat");
    make_list(json, "run");
    make_list(json, "fresh");
    if (json_is_number(repeat))
        json_object_set_new(json, "repeat", json_sprintf("%.0f", json_number_value(repeat)));
}

// What depends on the scale: how often it is repeated, and that only files in the definition's own folder are
// removed, whatever the variables stand for.
static bool check_scale(const Place *place, const DefinitionRow *row, const char *scale) {
    bool good = true;
    for (size_t i = 0; good && i < json_array_size(row->fresh); i++) {
        const char *text = json_string_value(json_array_get(row->fresh, i));
        char *path = definition_expand(place->definition, scale, text, "{dir}", 0);
        good = (path && !strncmp(path, "{dir}/", 6) && !strstr(path, "/..")) ||
               fail(place, "fresh", "must name files in the folder, such as \"{dir}/states.db\".");
        free(path);
    }
    return good && definition_repeats(place->definition, scale, row, place->error);
}

static bool check_row_variables(const Place *place, const DefinitionRow *row) {
    const char *scale;
    json_t *values;
    if (!check_all_variables(place, "run", row->commands, row->repeat) ||
        !check_all_variables(place, "fresh", row->fresh, row->repeat) ||
        !check_variables(place, "from", row->from, row->repeat) ||
        !check_variables(place, "repeat", row->repeat, false))
        return false;
    json_object_foreach((json_t *)place->definition->scales, scale, values) {
        if (!check_scale(place, row, scale))
            return false;
    }
    return true;
}

static bool read_row(Place *place, json_t *json, DefinitionRow *row) {
    if (!json_is_object(json))
        return error_set(place->error, "%s: every row must be an object.", place->name);
    const char *label = text_of(json, "row");
    RowKeys keys;
    snprintf(place->row, sizeof place->row, " row \"%.80s\":", label ? label : "?");
    normalise(json);
    if (!read_keys(place, &row_keys, &keys, json) || !read_published(place, &keys))
        return false;
    *row = keys.row;
    if (!row->commands == !row->ratio)
        return fail(place, "run", row->ratio ? "and \"ratio\" exclude each other." : "is missing.");
    row->bootstrap = row->interval && !strcmp(row->interval, "bootstrap");
    if (row->bootstrap && (row->reduce == REDUCE_NONE || row->reduce == REDUCE_TREND))
        return fail(place, "interval",
                    "is that of a list: \"reduce\" must make a number of independent ones.");
    if (!row->with != (row->reduce != REDUCE_CORRELATION) || (row->with && row->divide))
        return fail(place, "with",
                    "is the other list of the reduction \"correlation\", and of nothing else.");
    if (row->bootstrap && row->with)
        return fail(place, "interval", "of steps cannot be drawn again: repeat the row.");
    if (row->together && !row->repeat)
        return fail(place, "together", "has no meaning for a row that is not repeated.");
    if (!row->interval && !strcmp(row->value, "mean_lines") && !row->divide)
        row->interval = "ci95";
    else if (row->interval && !strcmp(row->interval, "none"))
        row->interval = NULL;
    return check_row_variables(place, row);
}

int definition_find(const Definition *definition, const char *label) {
    for (int i = 0; i < definition->rows; i++)
        if (!strcmp(definition->row[i].label, label))
            return i;
    return -1;
}

// A ratio is one of rows that have commands.
static bool find_ratio(Place *place, DefinitionRow *row) {
    snprintf(place->row, sizeof place->row, " row \"%.80s\":", row->label);
    for (size_t k = 0; k < 2; k++) {
        int at = definition_find(place->definition, json_string_value(json_array_get(row->ratio, k)));
        if (at < 0 || &place->definition->row[at] > row || place->definition->row[at].ratio)
            return fail(place, "ratio", "must name two rows above it that run commands.");
        row->over[k] = at;
    }
    return !row->repeat || fail(place, "repeat", "has no meaning for a ratio.");
}

static bool read_rows(Place *place) {
    Definition *definition = place->definition;
    const json_t *rows = definition->list;
    size_t count = json_array_size(rows);
    if (count < 1 || count > DEFINITION_MAX_ROWS)
        return error_set(place->error, "%s: there must be 1 to %d rows.", place->name, DEFINITION_MAX_ROWS);
    if (!(definition->row = calloc(count, sizeof *definition->row)))
        return error_set(place->error, "Out of memory for the definition %s.", place->name);
    for (size_t i = 0; i < count; i++) {
        DefinitionRow *row = &definition->row[i];
        if (!read_row(place, json_array_get(rows, i), row))
            return false;
        for (size_t k = 0; k < i; k++)
            if (!strcmp(definition->row[k].label, row->label))
                return fail(place, "row", "names another row too.");
    }
    definition->rows = (int)count;
    for (int i = 0; i < definition->rows; i++)
        if (definition->row[i].ratio && !find_ratio(place, &definition->row[i]))
            return false;
    place->row[0] = 0;
    return true;
}

// -------------------------------------------------------------------------------------------------------
// The whole

static bool check_scales(const Place *place) {
    const char *scale;
    json_t *values;
    if (!definition_has_scale(place->definition, "quick") || !definition_has_scale(place->definition, "full"))
        return fail(place, "scales", "must have \"quick\" and \"full\".");
    json_object_foreach((json_t *)place->definition->scales, scale, values) {
        if (field_word(&(Field){.words = definition_scales}, scale) < 0)
            return fail(place, "scales", "must be \"quick\", \"full\" and perhaps \"part\".");
        if (!json_is_object(values))
            return fail(place, "scales", "must hold objects.");
        if (!keys_are_named_texts(values))
            return fail(place, "scales", "must give every variable as a text, as in \"runs\": \"3\".");
    }
    return true;
}

// Files are written into the definition's own folder and nowhere else.
static bool check_files(const Place *place) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)place->definition->files, name, value) {
        if (!*name || *name == '.' ||
            strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                         "0123456789._-") != strlen(name))
            return fail(place, "files", "must have names of letters, digits, dots and dashes.");
        if (!json_is_string(value) && !json_is_object(value))
            return fail(place, "files", "must hold texts or JSON objects.");
    }
    return true;
}

static bool check_folders(const Place *place, const json_t *plot) {
    json_t *panel;
    size_t k;
    if (!check_all_variables(place, "plot", json_object_get(plot, "folders"), true))
        return false;
    json_array_foreach(json_object_get(plot, "panels"), k, panel) {
        if (json_object_get(panel, "panels") || !check_folders(place, panel))
            return fail(place, "plot", "must have panels without panels.");
    }
    return true;
}

// The name is used for a folder and for files, and stands in JSON.
static bool take_name(Definition *definition, const char *name, Error *error) {
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    size_t length = strlen(base);
    if (length >= 5 && !strcmp(base + length - 5, ".json"))
        length -= 5;
    if (length == 0 || length >= sizeof definition->name || *base == '.' ||
        utf8_first_invalid(base, length) < length)
        return error_set(
            error,
            "%.300s: a definition is called what its file is called before .json: 1 to %zu bytes "
            "of UTF-8 that do not begin with a dot. Rename the file.",
            name, sizeof definition->name - 1);
    memcpy(definition->name, base, length);
    return true;
}

static bool read_all(Definition *definition, const char *name, Error *error) {
    Place place = {name, definition, "", error};
    const json_t *json = definition->json;
    if (!json_is_object(json))
        return error_set(error, "%s: a definition must be a JSON object.", name);
    return read_keys(&place, &definition_keys, definition, json) && check_scales(&place) &&
           check_files(&place) && check_folders(&place, definition->plot) && read_rows(&place);
}

Definition *definition_read(const char *name, const char *text, size_t length, Error *error) {
    Definition *definition = calloc(1, sizeof *definition);
    if (!definition)
        return error_null(error, "Out of memory for the definition %s.", name);
    if (!take_name(definition, name, error) || !(definition->json = json_parse(name, text, length, error)) ||
        !read_all(definition, name, error)) {
        definition_free(definition);
        return NULL;
    }
    return definition;
}

void definition_free(Definition *definition) {
    if (!definition)
        return;
    json_decref(definition->json);
    free(definition->row);
    free(definition);
}
