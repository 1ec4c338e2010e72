// SPDX-License-Identifier: GPL-3.0-or-later
#include "player/strategy.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/utf8.h"
#include "player/player_type.h"

// ---------------------------------------------------------------------------------------------------
// Words and keys

const char *const strategy_player_names[] = {
#define PLAYER(ID, variable, word) word,
#include "player/players.def"
#undef PLAYER
    NULL};
const char *const strategy_ties_names[] = {"first", "priority", "random", "centre", NULL};
const char *const strategy_rating_names[] = {"linear", "exponential", "displaced", "network", NULL};
static const char *const clear_words[] = {"at-once", "late", NULL};

static const Field field[] = {
    {"name", FIELD_TEXT, FIELD_TEXT_AT(Strategy, name), .otherwise = "the file's name without its ending",
     .help = "What it is called; at most 63 bytes."},
    {"source", FIELD_TEXT, FIELD_TEXT_AT(Strategy, source),
     .help = "Where it comes from; at most 191 bytes."},
    [STRATEGY_PLAYER] = {"player", FIELD_WORD, FIELD_AT(Strategy, player), .words = strategy_player_names,
                         .help = "Who plays it."},
    {"ties", FIELD_WORD, FIELD_AT(Strategy, ties), .words = strategy_ties_names,
     .otherwise = "first; of `uct` random",
     .help =
         "Which of several placements of equal value is taken; `priority` and `centre` are not for `uct`."},
    [STRATEGY_CLEAR] =
        {"clear", FIELD_FLAG, FIELD_AT(Strategy, clear_late), .words = clear_words,
         .help = "When rows completed by the first of two pieces go; `late` is for `two-piece` only."},
    [STRATEGY_RATING] = {"rating", FIELD_WORD, FIELD_AT(Strategy, rating.kind),
                         .words = strategy_rating_names, .help = "How the features become one number."},
    [STRATEGY_WEIGHTS] = {.key = "weights",
                          .kind = FIELD_OTHER,
                          .argument = "feature → number, up to ±1e100",
                          .help = "`column-heights` and `column-differences` have lists of numbers, one per "
                                  "column or pair."},
    {.key = "hidden",
     .kind = FIELD_OTHER,
     .argument = "list of 1 to 16 hidden units",
     .help = "Only with `network`, in place of `weights`."},
    {.key = "exponents",
     .kind = FIELD_OTHER,
     .argument = "feature → number, −32 to 32",
     .otherwise = "1 each",
     .help = "Only with `exponential` and `displaced`."},
    {.key = "displacements",
     .kind = FIELD_OTHER,
     .argument = "feature → number, up to ±1e6",
     .otherwise = "0 each",
     .help = "Only with `displaced`."},
};
const Fields strategy_fields = FIELDS(field);

Fields strategy_options(PlayerKind player) {
    return player_type(player)->options;
}

void strategy_set_player(Strategy *strategy, PlayerKind player) {
    const size_t options = offsetof(Strategy, expectimax); // from there on
    memset((char *)strategy + options, 0, sizeof *strategy - options);
    strategy->player = player;
    strategy->ties = player_type(player)->ties;
    fields_preset(player_type(player)->options, strategy);
}

void strategy_play_as(Strategy *strategy, const Strategy *like) {
    Strategy before = *strategy;
    *strategy = *like;
    memcpy(strategy->name, before.name, sizeof before.name);
    memcpy(strategy->source, before.source, sizeof before.source);
    strategy->rating = before.rating;
}

// ---------------------------------------------------------------------------------------------------
// What a strategy is like

int strategy_weights(const Strategy *strategy) {
    int sum = 0;
    for (int id = 0; id < FEATURES; id++)
        sum += strategy->rating.given[id];
    int hidden = strategy->rating.kind == RATING_NETWORK ? strategy->rating.hidden : 0;
    return hidden ? hidden * (sum + 2) : sum; // a unit also has a bias and an output weight
}

StrategyNature strategy_nature(const Strategy *strategy) {
    const PlayerType *type = player_type(strategy->player);
    StrategyNature nature = {.sees = 1, .rated = !type->unrated, .repeats = true};
    if (type->describe)
        type->describe(strategy, &nature);
    return nature;
}

bool strategy_is_rated(const Strategy *strategy) {
    return strategy_nature(strategy).rated;
}

bool strategy_set_rated(Strategy *strategy) {
    const PlayerType *type = player_type(strategy->player);
    if (!strategy_is_rated(strategy) && type->set_rated)
        type->set_rated(strategy);
    return strategy_is_rated(strategy);
}

bool strategy_player_rates(int player) {
    Strategy strategy = {0};
    strategy_set_player(&strategy, (PlayerKind)player);
    return strategy_set_rated(&strategy);
}

bool strategy_ties_by_priority(const Strategy *strategy) {
    return strategy->ties == TIES_PRIORITY || strategy->ties == TIES_CENTRE;
}

bool strategy_check_traits(const Strategy *strategy, const char **key, Error *error) {
    unsigned traits = player_type(strategy->player)->traits;
    bool hidden =
        strategy_is_rated(strategy) && strategy->rating.kind == RATING_NETWORK && strategy->rating.hidden;
    const char *unused, **at = key ? key : &unused;
    char words[FIELD_WORDS_TEXT];
    *at = "ties";
    if (strategy_ties_by_priority(strategy) && traits & PLAYER_NO_PRIORITY)
        return error_set(error, "\"ties\": \"%s\" is not for \"player\": \"%s\": give first or random.",
                         strategy_ties_names[strategy->ties], strategy_player_names[strategy->player]);
    *at = "clear";
    if (strategy->clear_late && !(traits & PLAYER_CLEAR_LATE))
        return error_set(error, "\"clear\": \"late\" needs \"player\": %s.",
                         player_words(PLAYER_CLEAR_LATE, "\"", "or", words));
    *at = "hidden";
    return !hidden || traits & PLAYER_HIDDEN_UNITS ||
           error_set(error, "\"hidden\" needs \"player\": %s.",
                     player_words(PLAYER_HIDDEN_UNITS, "\"", "or", words));
}

// ---------------------------------------------------------------------------------------------------
// Finding one

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), size = strlen(ending);
    return length >= size && strcmp(text + length - size, ending) == 0;
}

void strategy_empty(Strategy *strategy, const char *path) {
    memset(strategy, 0, sizeof *strategy);
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

// Paths of files that its options read are as seen from the folder of the strategy's own file, so that both
// can be moved together; here they become such as can be opened.
static bool locate_files(Strategy *strategy, const char *file, Error *error) {
    const PlayerType *type = player_type(strategy->player);
    const char *slash = strrchr(file, '/');
    for (int k = 0; slash && k < type->options.count; k++) {
        const Field *option = &type->options.field[k];
        char *path = (char *)strategy + option->offset, located[STRATEGY_PATH];
        if (option->file != FIELD_READS || path[0] == '/')
            continue;
        int length = snprintf(located, sizeof located, "%.*s/%s", (int)(slash - file), file, path);
        if (length >= (int)sizeof located)
            return error_set(error, "%.200s: the path of \"%s\" is longer than %zu bytes.", file, option->key,
                             sizeof located - 1);
        memcpy(path, located, sizeof located);
    }
    return !type->locate || type->locate(strategy, file, error);
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
    return done && locate_files(strategy, path, error);
}

static bool no_such_strategy(const char *text, Error *error) {
    const char *names[64];
    int count = 0;
    for (const Strategy *builtin; count < 64 && (builtin = strategy_builtin(count)); count++)
        names[count] = builtin->name;
    char word[64], meant[TEXT_MEANT];
    utf8_clean(word, sizeof word, text, strlen(text));
    return error_set(error,
                     "\"%s\" is neither a built-in strategy nor a file%s (tetralab strategies lists the "
                     "built-in ones)",
                     word, text_meant(meant, "\"", "\"", word, names, count));
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
