// SPDX-License-Identifier: GPL-3.0-or-later
// Reading the options of players that search, by the table of strategy_options.h.
#include <math.h>
#include <string.h>

#include "player/strategy_names.h"
#include "player/strategy_reader.h"

static json_t *option_value(const Reader *reader, StrategyOptionId id) {
    return reader->value[KEY_OPTIONS + id];
}

// Refuses an option for its value, or for being there.
#define FAIL_VALUE(reader, id, ...) member_fail(reader, option_place(reader, id, false), __VA_ARGS__)
#define FAIL_KEY(reader, id, ...)   member_fail(reader, option_place(reader, id, true), __VA_ARGS__)

static size_t option_place(Reader *reader, StrategyOptionId id, bool key) {
    reader->step[0] = reader->position[KEY_OPTIONS + id];
    return key ? member_key_place(reader, 1) : member_value_place(reader, 1);
}

static bool read_whole(Reader *reader, StrategyOptionId id, double *number) {
    const StrategyOption *option = &strategy_option[id];
    if (!member_number(reader, 1, option_value(reader, id), option->key, option->low, option->high, number))
        return false;
    return *number == floor(*number) ||
           FAIL_VALUE(reader, id, "\"%s\" is %g; it must be a whole number.", option->key, *number);
}

static bool read_flag(Reader *reader, StrategyOptionId id, bool *flag) {
    const json_t *value = option_value(reader, id);
    *flag = json_is_true(value);
    return json_is_boolean(value) || FAIL_VALUE(reader, id, "\"%s\" must be true or false, found %s.",
                                                strategy_option[id].key, member_kind_name(value));
}

static bool read_gamma(Reader *reader, StrategyOptionId id, double *gamma) {
    const StrategyOption *option = &strategy_option[id];
    const json_t *value = option_value(reader, id);
    if (!json_is_array(value) || json_array_size(value) != UCT_ROWS)
        return FAIL_VALUE(reader, id, "\"%s\" needs a list of %d numbers, for 0 to %d rows removed.",
                          option->key, UCT_ROWS, UCT_ROWS - 1);
    for (int i = 0; i < UCT_ROWS; i++) {
        reader->step[1] = i;
        if (!member_number(reader, 2, json_array_get(value, (size_t)i), option->key, option->low,
                           option->high, &gamma[i]))
            return false;
    }
    return true;
}

static bool read_path(Reader *reader, StrategyOptionId id, char *path) {
    if (!member_text(reader, KEY_OPTIONS + (int)id, path, UCT_PATH))
        return false;
    if (!path[0] && id == OPTION_TABLE)
        return FAIL_VALUE(reader, id, "\"table\" is empty; name a file that 'tetralab solve' has made.");
    return path[0] || FAIL_VALUE(reader, id, "\"%s\" is empty; leave it out to do without one.",
                                 strategy_option[id].key);
}

static bool read_option(Reader *reader, StrategyOptionId id) {
    const StrategyOption *option = &strategy_option[id];
    void *out = (char *)reader->strategy + option->offset;
    double number = 0;
    bool good = true;
    reader->step[0] = reader->position[KEY_OPTIONS + id];
    switch (option->type) {
    case TYPE_INT:
        if ((good = read_whole(reader, id, &number)))
            *(int *)out = (int)number;
        return good;
    case TYPE_COUNT:
        if ((good = read_whole(reader, id, &number)))
            *(uint64_t *)out = (uint64_t)number;
        return good;
    case TYPE_FLAG:
        return read_flag(reader, id, out);
    case TYPE_NUMBER:
        return member_number(reader, 1, option_value(reader, id), option->key, option->low, option->high,
                             out);
    case TYPE_GAMMA:
        return read_gamma(reader, id, out);
    case TYPE_WORD:
        return member_choice(reader, KEY_OPTIONS + (int)id, option->words, out);
    case TYPE_PATH:
        return read_path(reader, id, out);
    }
    return false;
}

// Defaults that depend on other options, and options that contradict each other.
static bool check_expectimax(Reader *reader) {
    ExpectimaxOptions *options = &reader->strategy->expectimax;
    if (options->sees_next && !option_value(reader, OPTION_DEPTH))
        options->depth = 3;
    return !options->sees_next || options->depth > 2 ||
           FAIL_VALUE(
               reader, OPTION_DEPTH,
               "with \"sees-next\" the depth is at least 3; two known pieces are \"player\": \"two-piece\".");
}

static bool check_uct(Reader *reader) {
    UctOptions *options = &reader->strategy->uct;
    if (!option_value(reader, OPTION_PREVIEW))
        options->preview = options->pieces;
    if (options->preview > options->pieces)
        return FAIL_VALUE(reader, OPTION_PREVIEW,
                          "\"preview\" is %d, but only %d pieces are planned (\"pieces\").", options->preview,
                          options->pieces);
    if (option_value(reader, OPTION_MILLISECONDS)) {
        if (option_value(reader, OPTION_PHASES))
            return FAIL_KEY(reader, OPTION_MILLISECONDS,
                            "\"milliseconds\" and \"phases\" exclude each other.");
        options->phases = 0;
    }
    if (options->leaf == UCT_LEAF_RATING)
        options->leaf_scale = option_value(reader, OPTION_LEAF_SCALE) ? options->leaf_scale : UCT_LEAF_SCALE;
    else if (option_value(reader, OPTION_LEAF_SCALE))
        return FAIL_KEY(reader, OPTION_LEAF_SCALE, "\"leaf-scale\" needs \"leaf\": \"rating\".");
    return true;
}

static bool check_table(Reader *reader) {
    return option_value(reader, OPTION_TABLE) ||
           member_fail(reader, member_value_place(reader, 0),
                       "\"table\" is missing; add the file of values that 'tetralab solve' has made.");
}

bool member_options(Reader *reader) {
    PlayerKind player = reader->strategy->player;
    for (StrategyOptionId id = 0; id < STRATEGY_OPTIONS; id++) {
        if (!option_value(reader, id))
            continue;
        const StrategyOption *option = &strategy_option[id];
        if (option->player != player)
            return FAIL_KEY(reader, id, "\"%s\" needs \"player\": \"%s\".", option->key,
                            strategy_player_names[option->player]);
        if (!read_option(reader, id))
            return false;
    }
    return player == PLAYER_EXPECTIMAX ? check_expectimax(reader)
           : player == PLAYER_UCT      ? check_uct(reader)
           : player == PLAYER_TABLE    ? check_table(reader)
                                       : true;
}
