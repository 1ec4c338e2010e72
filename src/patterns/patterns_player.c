// SPDX-License-Identifier: GPL-3.0-or-later
// The player "patterns": values boards by the patterns in its file, which 'tetralab td' has learned, and
// looks ahead. To be shared by threads.
#include <stdlib.h>

#include "patterns/patterns_file.h"
#include "patterns/patterns_search.h"
#include "player/player_type.h"

typedef struct State {
    Patterns patterns;
    PatternsSearch search;
} State;

static const Field option[] = {
    {"values", FIELD_TEXT, FIELD_TEXT_AT(Strategy, patterns.values), .file = FIELD_READS,
     .help = "The file of patterns that `tetralab td` has learned, as seen from the strategy's folder."},
    {"depth", FIELD_INT, FIELD_AT(Strategy, patterns.depth), .preset = 2, .least = 1,
     .most = PATTERNS_MAX_DEPTH, .argument = "N", .help = "Pieces looked at, the one in hand included."},
    {"candidates", FIELD_INT, FIELD_AT(Strategy, patterns.candidates), .least = 0, .most = PLACEMENTS,
     .argument = "N",
     .help = "Of each piece but the last that is looked at only so many placements are followed, the best by "
             "their values; 0: all."},
};

static bool fits(const State *state, const Player *player, Error *error) {
    const Rules *rules = player->rules;
    const Patterns *patterns = &state->patterns;
    if (patterns->width != rules->width || patterns->height != rules->height)
        return error_set(error, "%.60s: %.200s is for boards of %dx%d, not for %dx%d.", player->strategy.name,
                         player->strategy.patterns.values, patterns->width, patterns->height, rules->width,
                         rules->height);
    return patterns_check_pieces(&rules->pieces, player->strategy.name, error);
}

static void free_state(void *memory) {
    State *state = memory;
    if (state)
        patterns_free(&state->patterns);
    free(state);
}

static bool make(Player *player, Error *error) {
    const PatternsOptions *options = &player->strategy.patterns;
    State *state = calloc(1, sizeof *state);
    int32_t first;
    if (!state)
        return error_set(error, "Out of memory for the patterns in %.300s.", options->values);
    if (!patterns_read(&state->patterns, &first, options->values, error) || !fits(state, player, error)) {
        free_state(state);
        return false;
    }
    state->search = (PatternsSearch){.patterns = &state->patterns,
                                     .rules = player->rules,
                                     .depth = options->depth,
                                     .candidates = options->candidates};
    chances_make(&state->search.chances, &player->rules->pieces);
    player->state = state;
    return true;
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    const State *state = player->state;
    return player_pick(player, patterns_best(&state->search, &game->board, game->piece, values), game);
}

const PlayerType player_patterns = {
    .unrated = "is not for \"player\": \"patterns\", whose values are in its file.",
    .options = FIELDS(option),
    .holds = "patterns that 'tetralab td' has learned",
    .limits = "The player has no features: its patterns say how many lines are still to come.",
    .make = make,
    .free = free_state,
    .choose = choose,
};
