// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/strategy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/utf8.h"
#include "player/player_type.h"

int strategy_weights(const Strategy *strategy) {
    int sum = 0;
    for (int id = 0; id < FEATURES; id++)
        sum += strategy->rating.given[id];
    int hidden = strategy->rating.kind == RATING_NETWORK ? strategy->rating.hidden : 0;
    return hidden ? hidden * (sum + 2) : sum; // a unit also has a bias and an output weight
}

bool strategy_is_rated(const Strategy *strategy) {
    const PlayerType *type = player_type(strategy->player);
    return !type->is_rated || type->is_rated(strategy);
}

bool strategy_set_rated(Strategy *strategy) {
    const PlayerType *type = player_type(strategy->player);
    if (!strategy_is_rated(strategy) && type->set_rated)
        type->set_rated(strategy);
    return strategy_is_rated(strategy);
}

int strategy_sees(const Strategy *strategy) {
    const PlayerType *type = player_type(strategy->player);
    return type->sees ? type->sees(strategy) : 1;
}

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

void strategy_empty(Strategy *strategy, const char *path) {
    memset(strategy, 0, sizeof *strategy);
    for (int id = 0; id < FEATURES; id++)
        strategy->rating.exponent[id] = 1;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t length = strlen(base);
    if (ends_with(base, ".json"))
        length -= 5;
    else if (ends_with(base, ".dat"))
        length -= 4;
    utf8_clean(strategy->name, sizeof strategy->name, length ? base : "unnamed", length ? length : 7);
}

typedef bool Parser(Strategy *, const char *, const char *, size_t, Error *);

// A JSON strategy begins with a bracket, an mdptetris file with a number.
static Parser *parser_for_content(const char *text, size_t length) {
    size_t at = length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (at < length && strchr(" \t\r\n", text[at]) && text[at])
        at++;
    if (at == length || text[at] == 0)
        return NULL;
    return text[at] == '{' || text[at] == '[' ? strategy_parse_json
           : strchr("+-0123456789", text[at]) ? strategy_parse_dat
                                              : NULL;
}

// A table is named as seen from the strategy's own folder, so that both can be moved together.
static bool find_table(Strategy *strategy, const char *path, Error *error) {
    char table[UCT_PATH];
    const char *slash = strrchr(path, '/');
    if (strategy->player != PLAYER_TABLE || strategy->table[0] == '/' || !slash)
        return true;
    int length = snprintf(table, sizeof table, "%.*s/%s", (int)(slash - path), path, strategy->table);
    if (length >= (int)sizeof table)
        return error_set(error, "%.200s: the path of its table is longer than %d bytes.", path, UCT_PATH - 1);
    memcpy(strategy->table, table, sizeof table);
    return true;
}

static bool read_strategy(Strategy *strategy, const char *path, Parser *parser, Error *error) {
    size_t length;
    char *text = text_read_file(path, &length, error);
    if (!text)
        return false;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    if (!parser)
        parser = parser_for_content(text, length);
    bool done =
        parser ? parser(strategy, name, text, length, error)
               : error_set(error,
                           "%s:1:1: is no strategy: expected a JSON object, which begins with \"{\", or an "
                           "mdptetris file, which begins with a number.",
                           name);
    free(text);
    return done && find_table(strategy, path, error);
}

static bool no_such_strategy(const char *text, Error *error) {
    const char *names[64];
    int count = 0;
    for (const Strategy *builtin; count < 64 && (builtin = strategy_builtin(count)); count++)
        names[count] = builtin->name;
    char word[64];
    utf8_clean(word, sizeof word, text, strlen(text));
    return error_set(error,
                     "\"%s\" is neither a built-in strategy nor a file; did you mean \"%s\"? "
                     "(tetralab strategies lists the built-in ones)",
                     word, text_nearest(word, names, count));
}

static const Strategy *find_builtin(const char *text) {
    const Strategy *builtin;
    for (int i = 0; (builtin = strategy_builtin(i)); i++)
        if (strcmp(text, builtin->name) == 0)
            return builtin;
    return NULL;
}

bool strategy_is_file(const char *text) {
    return !find_builtin(text) && (ends_with(text, ".json") || ends_with(text, ".dat") ||
                                   strcmp(text, "-") == 0 || access(text, F_OK) == 0);
}

bool strategy_find(Strategy *strategy, const char *text, Error *error) {
    const Strategy *builtin = find_builtin(text);
    if (builtin) {
        *strategy = *builtin;
        return true;
    }
    if (!strategy_is_file(text))
        return no_such_strategy(text, error);
    Parser *parser = ends_with(text, ".json")  ? strategy_parse_json
                     : ends_with(text, ".dat") ? strategy_parse_dat
                                               : NULL;
    return read_strategy(strategy, text, parser, error);
}
