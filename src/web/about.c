// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine is: its version, strategies, features, kernels, its signature and its speed.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/json_parse.h"
#include "base/json_values.h"
#include "feature/feature.h"
#include "player/signature.h"
#include "player/strategy.h"
#include "web/web.h"

enum { GAMES = 256, SLICE = 8 }; // games side by side, and moves of each between two looks at the clock

typedef struct Asked {
    const char *kernel;
    const json_t *strategy, *rules;
    double seconds;
} Asked;

#define AT(member) FIELD_AT(Asked, member)
static const Field none_field[] = {{"kernel", FIELD_STRING, AT(kernel), .preset = NAN}};
static const Field speed_field[] = {
    {"kernel", FIELD_STRING, AT(kernel), .preset = NAN},
    {"strategy", FIELD_JSON, AT(strategy), .type = &web_anything},
    {"rules", FIELD_JSON, AT(rules), .type = &web_anything},
    {"seconds", FIELD_REAL, AT(seconds), .preset = 1, .least = 0.01, .most = 60},
};

static json_t *strategy_json(const Strategy *strategy) {
    char *text = strategy_to_json(strategy);
    Error error;
    json_t *json = json_object();
    json_object_set_new(json, "name", json_string(strategy->name));
    json_object_set_new(json, "source", json_string(strategy->source));
    json_object_set_new(json, "player", json_string(strategy_player_names[strategy->player]));
    json_object_set_new(json, "strategy",
                        text ? json_parse(strategy->name, text, strlen(text), &error) : NULL);
    free(text);
    return json;
}

static json_t *about(const void *request, Error *error) {
    (void)request, (void)error;
    json_t *json = json_object(), *strategies = json_array(), *features = json_array(),
           *kernels = json_array();
    for (int i = 0; strategy_builtin(i); i++)
        json_array_append_new(strategies, strategy_json(strategy_builtin(i)));
    for (int id = 0; id < FEATURES; id++) {
        json_t *feature = json_object();
        json_object_set_new(feature, "name", json_string(feature_info[id].name));
        json_object_set_new(feature, "meaning", json_string(feature_info[id].meaning));
        json_array_append_new(features, feature);
    }
    for (int i = 0; kernel_at(i); i++)
        json_array_append_new(kernels, json_string(kernel_name(kernel_at(i))));
    json_object_set_new(json, "version", json_string(TETRALAB_VERSION));
    json_object_set_new(json, "strategies", strategies);
    json_object_set_new(json, "features", features);
    json_object_set_new(json, "kernels", kernels);
    return json;
}

static json_t *signature(const void *request, Error *error) {
    const Asked *asked = request;
    const Kernel *kernel = kernel_find(asked->kernel, error);
    uint64_t number;
    char text[32];
    if (!kernel || !signature_make(kernel, &number, error))
        return NULL;
    snprintf(text, sizeof text, "%016" PRIx64, number);
    json_t *json = json_object();
    json_object_set_new(json, "kernel", json_string(kernel_name(kernel)));
    json_object_set_new(json, "signature", json_string(text));
    return json;
}

// Games that are lost are followed by others.
static bool next_game(void *context, Turn *turn) {
    (void)context;
    if (turn->game->state == GAME_RUNNING)
        return false;
    turn->moves -= turn->moves > 0; // a game that is lost at once must not be played for ever
    game_restart(turn->game);
    return turn->moves > 0;
}

// <- pieces a second, many games side by side
static double play_for(const Player *player, double seconds) {
    static Game game[GAMES];
    Turn turn[GAMES];
    uint64_t pieces = 0;
    double start = clock_seconds(), now = start;
    for (int k = 0; k < GAMES; k++)
        game_start(&game[k], player_rules(player), 1, (uint64_t)k);
    for (; now - start < seconds; now = clock_seconds(), pieces += GAMES * SLICE) {
        for (int k = 0; k < GAMES; k++)
            turn[k] = (Turn){&game[k], SLICE, -1, TURN_ANY_HEIGHT};
        player_run_turns(player, GAMES, turn, next_game, NULL);
    }
    return (double)pieces / (now - start);
}

static json_t *speed(const void *request, Error *error) {
    const Asked *asked = request;
    WebPlayer *player = web_player_new(asked->strategy, asked->rules, asked->kernel, error);
    if (!player)
        return NULL;
    play_for(player->player, asked->seconds / 10); // until it is compiled and warm
    json_t *json = json_object();
    json_object_set_new(json, "pieces_per_second", json_real(play_for(player->player, asked->seconds)));
    web_player_free(player);
    return json;
}

const WebRequest web_about_requests[] = {
    {"about", FIELDS(none_field), sizeof(Asked), about},
    {"signature", FIELDS(none_field), sizeof(Asked), signature},
    {"speed", FIELDS(speed_field), sizeof(Asked), speed},
    {NULL, {NULL, 0}, 0, NULL},
};
