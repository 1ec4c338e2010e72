// SPDX-License-Identifier: GPL-3.0-or-later
// Players from what a page says about them, and what they think of their moves.
#include <stdlib.h>
#include <string.h>

#include "base/fields_json.h"
#include "feature/feature.h"
#include "player/ranking.h"
#include "web/web.h"

bool web_rules(Rules *rules, const json_t *given, Error *error) {
    rules_default(rules);
    if (given && !json_is_object(given))
        return error_set(error, "\"rules\" must be an object.");
    return !given || (fields_restore(rules_fields, rules, given, FIELDS_MAY_MISS, NULL, NULL, error) &&
                      fields_refuse_unknown(&rules_fields, 1, given, "rules", NULL, error) &&
                      rules_check(rules, error));
}

static bool parse_strategy(Strategy *strategy, const json_t *given, Error *error) {
    const char *text = json_string_value(given);
    if (text && !strategy_is_file(text) && !strchr(text, '{'))
        return strategy_find(strategy, text, error);
    if (text)
        return strategy_parse_json(strategy, "strategy", text, strlen(text), error);
    if (!json_is_object(given))
        return error_set(error, "\"strategy\" must be a built-in name, or a strategy as a text or object.");
    char *dumped = json_dumps(given, JSON_REAL_PRECISION(17));
    bool good = dumped ? strategy_parse_json(strategy, "strategy", dumped, strlen(dumped), error)
                       : error_set(error, "Out of memory for a strategy.");
    free(dumped);
    return good;
}

// Other programs, and files, are out of a page's reach.
static bool find_strategy(Strategy *strategy, const json_t *given, Error *error) {
    if (!parse_strategy(strategy, given, error))
        return false;
    if (strategy->player == PLAYER_TBP || strategy->player == PLAYER_TABLE ||
        strategy->player == PLAYER_PATTERNS)
        return error_set(error, "%s needs %s, which a page in a browser cannot reach.", strategy->name,
                         strategy->player == PLAYER_TBP ? "another program" : "a file of values");
    return true;
}

bool web_player_change(WebPlayer *player, const json_t *strategy, const char *kernel, Error *error) {
    Strategy *found = malloc(sizeof *found);
    const Kernel *which = kernel ? kernel_find(kernel, error) : NULL;
    Player *made = NULL;
    if (!found)
        error_set(error, "Out of memory for a player.");
    else if ((!kernel || which) && find_strategy(found, strategy, error))
        made = player_new(found, &player->rules, which, error);
    free(found);
    if (made) {
        player_free(player->player);
        player->player = made;
    }
    return made;
}

WebPlayer *web_player_new(const json_t *strategy, const json_t *rules, const char *kernel, Error *error) {
    WebPlayer *player = calloc(1, sizeof *player);
    if (!player)
        error_set(error, "Out of memory for a player.");
    else if (web_rules(&player->rules, rules, error) && web_player_change(player, strategy, kernel, error))
        return player;
    web_player_free(player);
    return NULL;
}

void web_player_free(WebPlayer *player) {
    if (!player)
        return;
    player_free(player->player);
    rules_free(&player->rules);
    free(player);
}

// ---------------------------------------------------------------------------------------------------
// Rankings

// The names and weights are the same for all moves, and stand once.
static json_t *features_json(const RatingShare *share, int count) {
    json_t *features = json_array();
    for (int i = 0; i < count; i++) {
        json_t *feature = json_object();
        json_object_set_new(feature, "name", json_string(feature_info[share[i].feature].name));
        json_object_set_new(feature, "index", json_integer(share[i].index));
        json_object_set_new(feature, "weight", json_finite(share[i].weight));
        json_array_append_new(features, feature);
    }
    return features;
}

static json_t *move_json(const RankedMove *ranked, const RatingShare *share, int count) {
    Placement placement = ranked->move.placement;
    json_t *move = json_object(), *values = json_array(), *contributions = json_array();
    json_object_set_new(move, "orientation", json_integer(placement_orientation(placement)));
    json_object_set_new(move, "column", json_integer(placement_column(placement)));
    json_object_set_new(move, "row", json_integer(ranked->move.row));
    json_object_set_new(move, "lines", json_integer(ranked->move.lines));
    json_object_set_new(move, "ends", json_boolean(ranked->ends));
    json_object_set_new(move, "value", json_finite(ranked->value));
    json_object_set_new(move, "rating", json_finite(ranked->rating));
    if (ranked->visits)
        json_object_set_new(move, "visits", json_integer(ranked->visits));
    for (int i = 0; i < count; i++) {
        json_array_append_new(values, json_finite(share[i].value));
        json_array_append_new(contributions, json_finite(share[i].contribution));
    }
    json_object_set_new(move, "values", values);
    json_object_set_new(move, "contributions", contributions);
    return move;
}

json_t *web_ranking(const Player *player, const Game *game) {
    Game copy = *game;
    Ranking ranking;
    RatingShare share[RATING_MAX_TERMS];
    json_t *json = json_object(), *moves = json_array();
    player_rank(player, &copy, &ranking);
    json_object_set_new(json, "chosen", json_boolean(ranking.chosen));
    for (int k = 0; k < ranking.count; k++) {
        const RankedMove *ranked = &ranking.move[k];
        int count = ranking_features(player, &game->board, game->piece, &ranked->move, share);
        if (k == 0)
            json_object_set_new(json, "features", features_json(share, count));
        json_array_append_new(moves, move_json(ranked, share, count));
    }
    json_object_set_new(json, "moves", moves);
    return json;
}
