// SPDX-License-Identifier: GPL-3.0-or-later
// Strategies as JSON. jansson checks the syntax; here every member is checked for what it means, and every
// refusal names line and column, what was found and what would be right. Unknown keys are refused, not
// skipped: a misspelt weight would otherwise give a weaker player without a word.
// Whether the weights fit a board's width is not known here; rating_make checks it.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_parse.h"
#include "base/json_place.h"
#include "base/text.h"
#include "base/utf8.h"
#include "player/strategy.h"

enum { EXCERPT = 48 }; // bytes of the file that a message quotes at most

typedef enum MemberId {
    MEMBER_NAME,
    MEMBER_SOURCE,
    MEMBER_PLAYER,
    MEMBER_TIES,
    MEMBER_CLEAR,
    MEMBER_RATING,
    MEMBER_WEIGHTS,
    MEMBER_EXPONENTS,
    MEMBER_DISPLACEMENTS,
    MEMBERS
} MemberId;

static const char *const member_key[MEMBERS] = {"name",   "source",  "player",    "ties",         "clear",
                                                "rating", "weights", "exponents", "displacements"};
static const char *const player_names[] = {"greedy", "two-piece", NULL};
static const char *const ties_names[] = {"first", "priority", "random", NULL};
static const char *const clear_names[] = {"at-once", "late", NULL};
static const char *const rating_names[] = {"linear", "exponential", "displaced", NULL};

const char *strategy_player_name(PlayerKind player) {
    return player_names[player];
}

const char *strategy_ties_name(TieRule ties) {
    return ties_names[ties];
}

typedef struct Reader {
    const char *name, *text;
    size_t length;
    Error *error;
    Strategy *strategy;
    json_t *value[MEMBERS];
    int position[MEMBERS]; // which member of the file it is, from 0
    int step[3];           // the value being read, for json_place
} Reader;

__attribute__((format(printf, 3, 4))) static bool fail(const Reader *reader, size_t offset,
                                                       const char *format, ...) {
    char sentence[sizeof((Error *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    TextPlace place = utf8_place(reader->text, reader->length, offset);
    return error_set(reader->error, "%s:%d:%d: %s", reader->name, place.line, place.column, sentence);
}

static size_t value_place(const Reader *reader, int depth) {
    return json_place(reader->text, reader->length, reader->step, depth, false);
}

static size_t key_place(const Reader *reader, int depth) {
    return json_place(reader->text, reader->length, reader->step, depth, true);
}

static const char *kind_name(const json_t *value) {
    static const char *const names[] = {
        [JSON_OBJECT] = "an object", [JSON_ARRAY] = "a list",  [JSON_STRING] = "a text",
        [JSON_INTEGER] = "a number", [JSON_REAL] = "a number", [JSON_TRUE] = "\"true\"",
        [JSON_FALSE] = "\"false\"",  [JSON_NULL] = "\"null\""};
    return names[json_typeof(value)];
}

// ---- what the members mean

static bool read_text(Reader *reader, MemberId id, char *out, size_t room) {
    const json_t *value = reader->value[id];
    const char *key = member_key[id];
    if (!json_is_string(value))
        return fail(reader, value_place(reader, 1), "\"%s\" needs a text in quotes, found %s.", key,
                    kind_name(value));
    const char *text = json_string_value(value);
    size_t length = json_string_length(value);
    if (length == 0 && id == MEMBER_NAME)
        return fail(reader, value_place(reader, 1),
                    "\"name\" is empty; leave it out to use the file's name.");
    if (length >= room)
        return fail(reader, value_place(reader, 1), "\"%s\" has %zu bytes; the limit is %zu.", key, length,
                    room - 1);
    if (utf8_has_control(text, length))
        return fail(reader, value_place(reader, 1), "\"%s\" holds a control character; use printable ones.",
                    key);
    memset(out, 0, room);
    memcpy(out, text, length);
    return true;
}

static bool read_choice(Reader *reader, MemberId id, const char *const *names, int *choice) {
    const json_t *value = reader->value[id];
    char found[EXCERPT + 2], expected[96] = "";
    size_t used = 0;
    for (int i = 0; names[i]; i++) {
        if (json_is_string(value) && strcmp(json_string_value(value), names[i]) == 0) {
            *choice = i;
            return true;
        }
        const char *before = i == 0 ? "" : names[i + 1] ? ", " : " or ";
        used += (size_t)snprintf(expected + used, sizeof expected - used, "%s\"%s\"", before, names[i]);
    }
    if (json_is_string(value)) {
        char word[EXCERPT];
        utf8_clean(word, sizeof word, json_string_value(value), json_string_length(value));
        snprintf(found, sizeof found, "\"%s\"", word);
    } else {
        snprintf(found, sizeof found, "%s", kind_name(value));
    }
    return fail(reader, value_place(reader, 1), "\"%s\" must be %s, found %s.", member_key[id], expected,
                found);
}

static bool read_number(Reader *reader, int depth, const json_t *value, FeatureId id, double limit,
                        double *number) {
    const char *feature = feature_info[id].name;
    if (!json_is_number(value))
        return fail(reader, value_place(reader, depth), "\"%s\" needs a number, found %s.", feature,
                    kind_name(value));
    *number = json_number_value(value);
    if (!(*number >= -limit && *number <= limit))
        return fail(reader, value_place(reader, depth), "\"%s\" is %g; it must lie between %g and %g.",
                    feature, *number, -limit, limit);
    return true;
}

static bool read_weight_list(Reader *reader, json_t *value, FeatureId id) {
    const char *feature = feature_info[id].name;
    RatingText *rating = &reader->strategy->rating;
    size_t least = (size_t)feature_values(id, BOARD_MIN_WIDTH),
           most = (size_t)feature_values(id, BOARD_MAX_WIDTH);
    size_t count = json_is_array(value) ? json_array_size(value) : 1;
    if (count < least || count > most || (most > 1 && !json_is_array(value))) {
        char found[40];
        if (json_is_array(value))
            snprintf(found, sizeof found, "a list of %zu", count);
        else
            snprintf(found, sizeof found, "%s", kind_name(value));
        if (most == 1)
            return fail(reader, value_place(reader, 2), "\"%s\" needs one number, found %s.", feature, found);
        return fail(reader, value_place(reader, 2), "\"%s\" needs a list of %zu to %zu numbers, found %s.",
                    feature, least, most, found);
    }
    rating->given[id] = (int)count;
    if (!json_is_array(value))
        return read_number(reader, 2, value, id, STRATEGY_WEIGHT_LIMIT, &rating->weight[id][0]);
    for (size_t i = 0; i < count; i++) {
        reader->step[2] = (int)i;
        const json_t *element = json_array_get(value, i);
        if (!read_number(reader, 3, element, id, STRATEGY_WEIGHT_LIMIT, &rating->weight[id][i]))
            return false;
    }
    return true;
}

// Calls `read` for every member of an object whose keys are features.
static bool read_features(Reader *reader, MemberId member, bool (*read)(Reader *, json_t *, FeatureId)) {
    json_t *object = reader->value[member], *value;
    const char *key;
    if (!json_is_object(object))
        return fail(reader, value_place(reader, 1), "\"%s\" needs an object like {\"holes\": -4}, found %s.",
                    member_key[member], kind_name(object));
    reader->step[1] = 0;
    json_object_foreach(object, key, value) {
        int id = feature_from_name(key);
        if (id < 0) {
            char word[EXCERPT];
            utf8_clean(word, sizeof word, key, strlen(key));
            return fail(reader, key_place(reader, 2), "\"%s\" is not a feature; did you mean \"%s\"?", word,
                        feature_nearest_name(word));
        }
        if (!read(reader, value, (FeatureId)id))
            return false;
        reader->step[1]++;
    }
    return true;
}

// A board has one pair of columns less than columns.
static bool check_width(Reader *reader) {
    const int *given = reader->strategy->rating.given;
    int columns = given[FEATURE_COLUMN_HEIGHTS], pairs = given[FEATURE_COLUMN_DIFFERENCES];
    if (columns == 0 || pairs == 0 || pairs == columns - 1)
        return true;
    return fail(reader, value_place(reader, 1),
                "%d column-heights are for a board %d wide, but %d column-differences for one %d wide.",
                columns, columns, pairs, pairs + 1);
}

static bool read_weights(Reader *reader) {
    if (json_is_object(reader->value[MEMBER_WEIGHTS]) && json_object_size(reader->value[MEMBER_WEIGHTS]) == 0)
        return fail(reader, value_place(reader, 1),
                    "\"weights\" is empty; give at least one feature a weight.");
    return read_features(reader, MEMBER_WEIGHTS, read_weight_list) && check_width(reader);
}

static bool check_used(Reader *reader, FeatureId id) {
    return reader->strategy->rating.given[id] > 0 ||
           fail(reader, key_place(reader, 2), "\"%s\" has no weight; give it one or leave it out here.",
                feature_info[id].name);
}

static bool read_exponent(Reader *reader, json_t *value, FeatureId id) {
    double *exponent = &reader->strategy->rating.exponent[id];
    return check_used(reader, id) && read_number(reader, 2, value, id, STRATEGY_EXPONENT_LIMIT, exponent);
}

static bool read_displacement(Reader *reader, json_t *value, FeatureId id) {
    double *displacement = &reader->strategy->rating.displacement[id];
    return check_used(reader, id) &&
           read_number(reader, 2, value, id, STRATEGY_DISPLACEMENT_LIMIT, displacement);
}

// In the order of the table, so that a member can be checked against those before it.
static bool read_member(Reader *reader, MemberId id) {
    Strategy *strategy = reader->strategy;
    RatingKind kind = strategy->rating.kind;
    int choice = 0;
    bool good = true;
    switch (id) {
    case MEMBER_NAME:
        return read_text(reader, id, strategy->name, sizeof strategy->name);
    case MEMBER_SOURCE:
        return read_text(reader, id, strategy->source, sizeof strategy->source);
    case MEMBER_PLAYER:
        good = read_choice(reader, id, player_names, &choice);
        strategy->player = (PlayerKind)choice;
        return good;
    case MEMBER_TIES:
        good = read_choice(reader, id, ties_names, &choice);
        strategy->ties = (TieRule)choice;
        return good;
    case MEMBER_CLEAR:
        good = read_choice(reader, id, clear_names, &choice);
        strategy->clear_late = choice == 1;
        if (good && strategy->clear_late && strategy->player != PLAYER_TWO_PIECE)
            return fail(reader, value_place(reader, 1), "\"late\" needs \"player\": \"two-piece\".");
        return good;
    case MEMBER_RATING:
        good = read_choice(reader, id, rating_names, &choice);
        strategy->rating.kind = (RatingKind)choice;
        return good;
    case MEMBER_WEIGHTS:
        return read_weights(reader);
    case MEMBER_EXPONENTS:
        if (kind == RATING_LINEAR)
            return fail(reader, key_place(reader, 1),
                        "\"exponents\" needs \"rating\": \"exponential\" or \"displaced\".");
        return read_features(reader, id, read_exponent);
    case MEMBER_DISPLACEMENTS:
        if (kind != RATING_DISPLACED)
            return fail(reader, key_place(reader, 1), "\"displacements\" needs \"rating\": \"displaced\".");
        return read_features(reader, id, read_displacement);
    case MEMBERS:
        break;
    }
    return false;
}

static bool read_root(Reader *reader, json_t *root) {
    const char *key;
    json_t *value;
    if (!json_is_object(root))
        return fail(reader, value_place(reader, 0), "expected an object, which begins with \"{\", found %s.",
                    kind_name(root));
    int position = 0;
    json_object_foreach(root, key, value) {
        int id = 0;
        while (id < MEMBERS && strcmp(key, member_key[id]) != 0)
            id++;
        reader->step[0] = position;
        if (id == MEMBERS) {
            char word[EXCERPT];
            utf8_clean(word, sizeof word, key, strlen(key));
            return fail(reader, key_place(reader, 1),
                        "\"%s\" is not a key of a strategy; did you mean \"%s\"?", word,
                        text_nearest(word, member_key, MEMBERS));
        }
        reader->value[id] = value;
        reader->position[id] = position++;
    }
    if (!reader->value[MEMBER_WEIGHTS])
        return fail(reader, value_place(reader, 0),
                    "\"weights\" is missing; add \"weights\": {\"holes\": -4, ...}.");
    for (int id = 0; id < MEMBERS; id++) {
        reader->step[0] = reader->position[id];
        if (reader->value[id] && !read_member(reader, (MemberId)id))
            return false;
    }
    return true;
}

bool strategy_parse_json(Strategy *strategy, const char *name, const char *text, size_t length,
                         Error *error) {
    strategy_empty(strategy, name);
    if (length > STRATEGY_FILE_LIMIT)
        return error_set(error, "%s: has %zu bytes; a strategy file has at most %d.", name, length,
                         STRATEGY_FILE_LIMIT);
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { // some editors mark UTF-8 like this
        text += 3;
        length -= 3;
    }
    Reader reader = {.name = name, .text = text, .length = length, .error = error, .strategy = strategy};
    json_t *root = json_parse(name, text, length, error);
    bool done = root && read_root(&reader, root);
    json_decref(root);
    return done;
}

// ---- writing

// The shortest decimal number that reads back as the same double.
static void write_number(FILE *out, double number) {
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    for (char *c = text; *c; c++) // a locale may write a decimal comma
        fputc(strchr("0123456789+-e", *c) ? *c : '.', out);
}

static void write_text(FILE *out, const char *key, const char *text) {
    fprintf(out, "  \"%s\": \"", key);
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", *c);
        else
            fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    fputs("\",\n", out);
}

// -> number, stride  the feature's numbers begin at number[id * stride]
static void write_features(FILE *out, MemberId member, const RatingText *rating, const double *number,
                           int stride) {
    const char *separator = "";
    fprintf(out, "  \"%s\": {", member_key[member]);
    for (int id = 0; id < FEATURES; id++) {
        if (rating->given[id] == 0)
            continue;
        int count = stride == 1 ? 1 : rating->given[id];
        bool list = stride > 1 && feature_info[id].values != ONE;
        fprintf(out, "%s\n    \"%s\": %s", separator, feature_info[id].name, list ? "[" : "");
        for (int i = 0; i < count; i++) {
            fputs(i ? ", " : "", out);
            write_number(out, number[id * stride + i]);
        }
        fputs(list ? "]" : "", out);
        separator = ",";
    }
    fputs("\n  }", out);
}

char *strategy_to_json(const Strategy *strategy) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    const RatingText *rating = &strategy->rating;
    fputs("{\n", out);
    write_text(out, "name", strategy->name);
    if (strategy->source[0])
        write_text(out, "source", strategy->source);
    write_text(out, "player", player_names[strategy->player]);
    write_text(out, "ties", ties_names[strategy->ties]);
    if (strategy->player == PLAYER_TWO_PIECE)
        write_text(out, "clear", clear_names[strategy->clear_late]);
    write_text(out, "rating", rating_names[rating->kind]);
    write_features(out, MEMBER_WEIGHTS, rating, rating->weight[0], BOARD_MAX_WIDTH);
    if (rating->kind != RATING_LINEAR) {
        fputs(",\n", out);
        write_features(out, MEMBER_EXPONENTS, rating, rating->exponent, 1);
    }
    if (rating->kind == RATING_DISPLACED) {
        fputs(",\n", out);
        write_features(out, MEMBER_DISPLACEMENTS, rating, rating->displacement, 1);
    }
    fputs("\n}\n", out);
    bool good = !ferror(out);
    if (fclose(out) != 0 || !good) {
        free(text);
        return NULL;
    }
    return text;
}
