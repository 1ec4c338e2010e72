// SPDX-License-Identifier: GPL-3.0-or-later
// Strategies as JSON: writing. The order of the keys is fixed, and every number is the shortest that reads
// back as the same double, so that equal strategies are equal texts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "player/player_type.h"
#include "player/strategy_names.h"
#include "player/strategy_options.h"

const char *const strategy_player_names[] = {
#define PLAYER(ID, variable, word) word,
#include "player/players.def"
#undef PLAYER
    NULL};
const char *const strategy_ties_names[] = {"first", "priority", "random", NULL};
const char *const strategy_clear_names[] = {"at-once", "late", NULL};
const char *const strategy_rating_names[] = {"linear", "exponential", "displaced", "network", NULL};
const char *const strategy_backup_names[] = {"best", "mean", NULL};
const char *const strategy_leaf_names[] = {"zero", "rating", NULL};

const char *strategy_player_name(PlayerKind player) {
    return strategy_player_names[player];
}

const char *strategy_ties_name(TieRule ties) {
    return strategy_ties_names[ties];
}

// The shortest decimal number that reads back as the same double.
void strategy_write_number(FILE *out, double number) {
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    for (char *c = text; *c; c++) // a locale may write a decimal comma
        fputc(strchr("0123456789+-e", *c) ? *c : '.', out);
}

// Every member but the first one, the name, begins by ending the line before it.
void strategy_write_key(FILE *out, const char *key) {
    fprintf(out, ",\n  \"%s\": ", key);
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

void strategy_write_text(FILE *out, const char *key, const char *text) {
    strategy_write_key(out, key);
    write_quoted(out, text);
}

// -> number, stride  the feature's numbers begin at number[id * stride]
static void write_features(FILE *out, const char *key, const RatingWeights *rating, const double *number,
                           int stride) {
    const char *separator = "";
    strategy_write_key(out, key);
    fputc('{', out);
    for (int id = 0; id < FEATURES; id++) {
        if (rating->given[id] == 0)
            continue;
        int count = stride == 1 ? 1 : rating->given[id];
        bool list = stride > 1 && feature_info[id].values != ONE;
        fprintf(out, "%s\n    \"%s\": %s", separator, feature_info[id].name, list ? "[" : "");
        for (int i = 0; i < count; i++) {
            fputs(i ? ", " : "", out);
            strategy_write_number(out, number[id * stride + i]);
        }
        fputs(list ? "]" : "", out);
        separator = ",";
    }
    fputs("\n  }", out);
}

// The hidden units of a network, each with a weight for every input.
static void write_units(FILE *out, const RatingWeights *rating) {
    strategy_write_key(out, "hidden");
    fputc('[', out);
    for (int j = 0; j < rating->hidden; j++) {
        const HiddenUnit *unit = &rating->unit[j];
        fprintf(out, "%s\n    {\"bias\": ", j ? "," : "");
        strategy_write_number(out, unit->bias);
        fputs(", \"output\": ", out);
        strategy_write_number(out, unit->output);
        fputs(", \"weights\": {", out);
        const char *separator = "";
        for (int id = 0; id < FEATURES; id++) {
            if (rating->given[id] == 0)
                continue;
            fprintf(out, "%s\n      \"%s\": ", separator, feature_info[id].name);
            strategy_write_number(out, unit->weight[id]);
            separator = ",";
        }
        fputs("}}", out);
    }
    fputs("\n  ]", out);
}

static void write_rating(FILE *out, const RatingWeights *rating) {
    strategy_write_text(out, "rating", strategy_rating_names[rating->kind]);
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
    fputs("{\n  \"name\": ", out);
    write_quoted(out, strategy->name);
    if (strategy->source[0])
        strategy_write_text(out, "source", strategy->source);
    strategy_write_text(out, "player", strategy_player_names[strategy->player]);
    strategy_write_text(out, "ties", strategy_ties_names[strategy->ties]);
    if (player_type(strategy->player)->traits & PLAYER_CLEAR_LATE)
        strategy_write_text(out, "clear", strategy_clear_names[strategy->clear_late]);
    strategy_write_options(out, strategy);
    if (strategy_is_rated(strategy))
        write_rating(out, &strategy->rating);
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
