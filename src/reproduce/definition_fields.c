// SPDX-License-Identifier: GPL-3.0-or-later
#include "reproduce/definition_fields.h"

#include <math.h>
#include <string.h>

#include "base/fields_json.h"

const char *const definition_scales[] = {"quick", "part", "full", NULL};
const char *const unlike_words[UNLIKES + 1] = {"rules", "method", "machine", "unknown", NULL};

// ---------------------------------------------------------------------------------------------------
// Kinds of values

static bool is_text(const json_t *value) {
    return json_is_string(value);
}

bool keys_each(const json_t *all, bool (*is)(const json_t *value)) {
    const char *name;
    size_t k;
    json_t *value;
    json_array_foreach(all, k, value) {
        if (!is(value))
            return false;
    }
    json_object_foreach((json_t *)all, name, value) {
        if (!is(value))
            return false;
    }
    return true;
}

bool keys_are_texts(const json_t *list) {
    return json_array_size(list) > 0 && keys_each(list, is_text);
}

bool keys_are_named_texts(const json_t *object) {
    return json_is_object(object) && keys_each(object, is_text);
}

bool keys_have(const json_t *list, const char *text) {
    size_t k;
    json_t *one;
    json_array_foreach(list, k, one) {
        if (!strcmp(json_string_value(one), text))
            return true;
    }
    return false;
}

bool keys_are_two_numbers(const json_t *list) {
    return json_array_size(list) == 2 && json_is_number(json_array_get(list, 0)) &&
           json_is_number(json_array_get(list, 1));
}

static bool is_range(const json_t *value) {
    return json_is_number(value) || keys_are_two_numbers(value);
}

static bool is_end(const json_t *value) {
    return json_is_number(value) || json_is_null(value);
}

static bool is_holds(const json_t *value) {
    return json_array_size(value) == 2 && keys_each(value, is_end);
}

static bool is_two_texts(const json_t *value) {
    return keys_are_texts(value) && json_array_size(value) == 2;
}

static bool is_unlike(const json_t *value) {
    const char *word = json_object_iter_key(json_object_iter((json_t *)value));
    return json_object_size(value) == 1 && keys_are_named_texts(value) &&
           field_word(&(Field){.words = unlike_words}, word) >= 0;
}

static bool is_setting(const json_t *value) {
    return json_is_string(value) || json_is_number(value) || json_is_boolean(value) || json_is_null(value);
}

static bool is_option(const json_t *value) {
    return json_is_object(value) ? keys_each(value, is_setting) : is_setting(value);
}

// Options with values, or commands with such objects.
static bool is_settings(const json_t *value) {
    return json_is_object(value) && keys_each(value, is_option);
}

static bool is_object(const json_t *value) {
    return json_is_object(value);
}

static const FieldType object = {.accepts = is_object, .must = "an object"};
static const FieldType texts = {.accepts = keys_are_texts, .must = "a text or a list of texts"};
const FieldType keys_range = {.accepts = is_range, .must = "a number or a list of two"};
static const FieldType holds = {.accepts = is_holds, .must = "a list of two, each a number or null"};
static const FieldType labels = {.accepts = is_two_texts, .must = "a list of two labels"};
static const FieldType settings = {
    .accepts = is_settings, .must = "an object: options with their values, or commands with such objects"};
static const FieldType unlike = {
    .accepts = is_unlike,
    .must = "an object with one of \"rules\", \"method\", \"machine\" and \"unknown\", and why"};

// ---------------------------------------------------------------------------------------------------
// Tables

#define AT(member)   FIELD_AT(Definition, member)
#define ROW(member)  FIELD_AT(RowKeys, row.member)
#define KEYS(member) FIELD_AT(RowKeys, member)
#define TEXT(name, at, meaning)                                                                              \
    { .key = name, .kind = FIELD_STRING, .offset = at, .help = meaning }
#define JSON(name, at, kind_of, meaning)                                                                     \
    { .key = name, .kind = FIELD_JSON, .offset = at, .type = &(kind_of), .help = meaning }
#define NUMBER(name, at, meaning)                                                                            \
    { .key = name, .kind = FIELD_REAL, .offset = at, .preset = NAN, .help = meaning }
#define FLAG(name, at, meaning)                                                                              \
    { .key = name, .kind = FIELD_FLAG, .offset = at, .preset = false, .help = meaning }
#define PAPER(at)                                                                                            \
    JSON("as", (at) + offsetof(PaperKeys, as), settings,                                                     \
         "What the paper did, as options of the commands, below; a row's settings are laid over those of "   \
         "the definition."),                                                                                 \
        JSON("unlike", (at) + offsetof(PaperKeys, unlike), unlike,                                           \
             "Why it cannot be compared, if no option expresses it, below."),                                \
        TEXT("open", (at) + offsetof(PaperKeys, open),                                                       \
             "What the paper does not say and no option expresses.")

static const Field definition_field[] = {
    TEXT("paper", AT(paper), "Where it was published: `Thiery & Scherrer 2009`."),
    TEXT("place", AT(place), "And where there: `table 3`."),
    TEXT("title", AT(title), "One line."),
    TEXT("text", AT(text), "What the paper did, what is done here, and what is done otherwise."),
    JSON("scales", AT(scales), object,
         "What `{precision}` in a command stands for: `{\"quick\": {\"precision\": \"10%\"}, \"full\": "
         "{\"precision\": \"3%\"}}`; there may be a scale `part` between them."),
    JSON("rows", AT(list), field_list, "The rows, in order."),
    JSON("files", AT(files), object,
         "`{\"my.json\": {...}, \"my.txt\": \"text\"}`: written into the folder before the commands run, as "
         "`{dir}/my.json`."),
    JSON("plot", AT(plot), object, "A picture, below."),
    PAPER(AT(says)),
};
const Fields definition_fields = FIELDS(definition_field);
const KeyTable definition_keys = {"a definition", FIELDS(definition_field), 6};

static const char *const together_words[] = {"mean", "spread", "geometric", NULL};

static const Field row_field[] = {
    TEXT("row", ROW(label), "Its label; no two rows have the same."),
    JSON("run", ROW(commands), texts,
         "A command line without `tetralab` and `--json`, or a list of them; the value comes from the last."),
    JSON("ratio", ROW(ratio), labels,
         "Instead of `run`, two rows: the value is the first one's by the second one's."),
    JSON("fresh", ROW(fresh), texts,
         "A file in `{dir}`, or a list: removed before the row's commands run (of a repeated row each time), "
         "such as a database that must begin empty."),
    TEXT("repeat", ROW(repeat),
         "So many times, `{i}` being 1, 2, ...: the value is the mean, the interval Student's."),
    {"together", FIELD_WORD, ROW(together), .words = together_words,
     .help = "What the repetitions become. `spread`: standard deviation by mean, the interval the "
             "bootstrap's; `geometric`: the geometric mean, the interval Student's of the logarithms."},
    TEXT("from", ROW(from),
         "A file, such as `{dir}/run/journal.jsonl`, to take the value from instead; of JSON lines, all of "
         "them."),
    {"value", FIELD_STRING, ROW(value), .otherwise = "mean_lines",
     .help = "Which number: `runs.*.evaluations` (a list), `0.wins`, `answer.3`; `-1` is the last of a list, "
             "`0-31` a part of it, `40-60%` the part between these shares of its length."},
    {"reduce", FIELD_WORD, ROW(reduce), .words = reduction_names,
     .help = "A list becomes a number. `spread`: standard deviation by mean; `trend`: mean of the last fifth "
             "by mean of the first; `falls`: share of the steps from one to the next at which it falls; "
             "`correlation`: of these steps with those of `with`."},
    TEXT("divide", ROW(divide), "Another `value`: the number is divided by it."),
    TEXT("with", ROW(with), "Another `value`, of a correlation."),
    TEXT("interval", ROW(interval),
         "Where the interval of that number is, after dividing: `ci95` (default if `value` is `mean_lines` "
         "and nothing is divided), `none`, or `bootstrap`: that of a list over independent runs, drawn "
         "again and again."),
    {"unit", FIELD_STRING, ROW(unit), .otherwise = "lines",
     .help = "Any word; `%`: shown as a percentage; `ratio`, `times` and `weight` are not shown."},
    JSON("published", KEYS(published), keys_range, "The number in the paper; a list of two: from ... to."),
    NUMBER("games", KEYS(games), "Of so many games: the interval of a mean of exponential scores."),
    NUMBER("of", KEYS(of), "It is a number of successes of so many, ours is a share."),
    NUMBER("within", KEYS(within), "Or its relative interval, 0.2."),
    NUMBER("step", KEYS(step),
           "The step of its last printed digit: 100000 for 6.7 M, 0: exact. It must be given for a number "
           "without an interval, for which nothing but rounding counts then."),
    FLAG("cut", KEYS(cut), "The digits behind were cut off, not rounded."),
    FLAG("implied", KEYS(implied), "The paper does not state `games`: the digits imply them."),
    TEXT("statement", ROW(statement), "Instead of a number, what the paper says, with its place."),
    JSON("holds", KEYS(holds), holds, "For which values the statement holds: from ... to; null: no end."),
    PAPER(ROW(paper)),
    TEXT("cause", ROW(cause), "Why it differs or fails, if that is known; without it, it is open."),
    TEXT(
        "same", ROW(same),
        "`NAME: row`, or a row of this definition: the same measurement or number once more, counted there."),
    NUMBER("x", ROW(x), "Where the row stands in a plot."),
    FLAG("main", ROW(main), "The row also stands in the first table of RESULTS.md."),
    TEXT("note", ROW(note), "What a reader should know."),
};
const Fields definition_row_fields = FIELDS(row_field);
const KeyTable row_keys = {"a row", FIELDS(row_field), 1};

bool keys_read(const KeyTable *table, void *base, const json_t *json, const char *place, Error *error) {
    const JsonSource source = {.name = place};
    const Fields all = table->keys, needed = {all.field, table->needed};
    const Fields others = {all.field + needed.count, all.count - needed.count};
    fields_preset(all, base);
    return fields_refuse_unknown(&all, 1, json, table->what, &source, error) &&
           fields_restore(needed, base, json, FIELDS_ALL, &source, NULL, error) &&
           fields_restore(others, base, json, FIELDS_MAY_MISS, &source, NULL, error);
}
