// SPDX-License-Identifier: GPL-3.0-or-later
// Strategies as JSON: writing. The order of the keys is fixed, and every number is the shortest that reads
// back as the same double, so that equal strategies are equal texts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "player/player_type.h"

static void write_number(FILE *out, double number) {
    char text[32];
    fputs(text_number(number, text), out);
}

// Every member begins by ending the line before it; the name is the first.
static void write_key(FILE *out, const char *key) {
    fprintf(out, "%s\n  \"%s\": ", strcmp(key, "name") ? "," : "", key);
}

static void write_quoted(FILE *out, const char *text) {
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", *c);
        else
            fprintf(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    }
    fputc('"', out);
}

static void write_list(FILE *out, const double *number, int count) {
    for (int i = 0; i < count; i++) {
        fputs(i ? ", " : "[", out);
        write_number(out, number[i]);
    }
    fputc(']', out);
}

// -> number, stride  the feature's numbers begin at number[id * stride]
static void write_features(FILE *out, const char *key, const RatingWeights *rating, const double *number,
                           int stride) {
    const char *separator = "";
    write_key(out, key);
    fputc('{', out);
    for (int id = 0; id < FEATURES; id++) {
        if (rating->given[id] == 0)
            continue;
        bool list = stride > 1 && feature_info[id].values != ONE;
        fprintf(out, "%s\n    \"%s\": ", separator, feature_info[id].name);
        if (list)
            write_list(out, &number[id * stride], rating->given[id]);
        else
            write_number(out, number[id * stride]);
        separator = ",";
    }
    fputs("\n  }", out);
}

// The hidden units of a network, each with a weight for every input.
static void write_units(FILE *out, const RatingWeights *rating) {
    write_key(out, "hidden");
    fputc('[', out);
    for (int j = 0; j < rating->hidden; j++) {
        const HiddenUnit *unit = &rating->unit[j];
        fprintf(out, "%s\n    {\"bias\": ", j ? "," : "");
        write_number(out, unit->bias);
        fputs(", \"output\": ", out);
        write_number(out, unit->output);
        fputs(", \"weights\": {", out);
        const char *separator = "";
        for (int id = 0; id < FEATURES; id++) {
            if (rating->given[id] == 0)
                continue;
            fprintf(out, "%s\n      \"%s\": ", separator, feature_info[id].name);
            write_number(out, unit->weight[id]);
            separator = ",";
        }
        fputs("}}", out);
    }
    fputs("\n  ]", out);
}

// What a file could not say (no limit of time, no database) is left out.
static void write_field(FILE *out, const Field *field, const Strategy *strategy) {
    const void *at = (const char *)strategy + field->offset;
    char text[FIELD_PRINTED];
    double number = field->kind == FIELD_INT     ? *(const int *)at
                    : field->kind == FIELD_WHOLE ? (double)*(const uint64_t *)at
                    : field->kind == FIELD_REAL  ? *(const double *)at
                                                 : field->least;
    bool limited = field->least != 0 || field->most != 0;
    if ((limited && (number < field->least || number > field->most)) ||
        (field->kind == FIELD_TEXT && !*(const char *)at))
        return;
    write_key(out, field->key);
    if (field->kind == FIELD_TEXT)
        write_quoted(out, at);
    else if (field->words)
        write_quoted(out, field_print(field, strategy, text));
    else if (field->kind == FIELD_FLAG)
        fputs(field_print(field, strategy, text), out);
    else if (field->kind == FIELD_LIST)
        write_list(out, at, field->size);
    else
        write_number(out, number);
}

static void write_rating(FILE *out, const RatingWeights *rating) {
    if (rating->kind == RATING_NETWORK && rating->hidden)
        write_units(out, rating);
    else
        write_features(out, "weights", rating, rating->weight[0], BOARD_MAX_WIDTH);
    if (rating->kind == RATING_EXPONENTIAL || rating->kind == RATING_DISPLACED)
        write_features(out, "exponents", rating, rating->exponent, 1);
    if (rating->kind == RATING_DISPLACED)
        write_features(out, "displacements", rating, rating->displacement, 1);
}

static void write_strategy(FILE *out, const Strategy *strategy) {
    const PlayerType *type = player_type(strategy->player);
    const Field *own = strategy_fields.field;
    fputs("{", out);
    for (int k = 0; k < STRATEGY_CLEAR + (type->traits & PLAYER_CLEAR_LATE ? 1 : 0); k++)
        write_field(out, &own[k], strategy);
    for (int k = 0; k < type->options.count; k++)
        write_field(out, &type->options.field[k], strategy);
    if (strategy_is_rated(strategy)) {
        write_field(out, &own[STRATEGY_RATING], strategy);
        write_rating(out, &strategy->rating);
    }
    fputs("\n}\n", out);
}

char *strategy_to_json(const Strategy *strategy) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    write_strategy(out, strategy);
    bool good = !ferror(out);
    if (fclose(out) != 0 || !good) {
        free(text);
        return NULL;
    }
    return text;
}
