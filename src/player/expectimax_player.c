// SPDX-License-Identifier: GPL-3.0-or-later
// The player that looks ahead (expectimax.h): its options and what they contradict.
#include "player/expectimax.h"
#include "player/player_type.h"

static const Field option[] = {
    {"depth", FIELD_INT, FIELD_AT(Strategy, expectimax.depth), .preset = 2, .least = 2,
     .most = EXPECTIMAX_MAX_DEPTH,
     .help = "Pieces looked at, the one in hand included; with `sees-next` 3 is the default and the least."},
    {"candidates", FIELD_INT, FIELD_AT(Strategy, expectimax.candidates), .least = 0, .most = PLACEMENTS,
     .help = "Of each piece but the last of a line only so many placements are followed, the best by rating; "
             "0: all."},
    {"later-candidates", FIELD_INT, FIELD_AT(Strategy, expectimax.later_candidates), .least = 1,
     .most = PLACEMENTS, .otherwise = "as many as of the piece in hand",
     .help = "The same for the pieces after the one in hand alone, from three pieces on."},
    {"unsure", FIELD_REAL, FIELD_AT(Strategy, expectimax.unsure), .least = 1e-100,
     .most = STRATEGY_WEIGHT_LIMIT, .otherwise = "none: all are looked at as deep",
     .help = "One more piece is looked at, from the least depth up to `depth`, only for placements of the "
             "piece in hand that are at most so much worse than the best one."},
    {"sees-next", FIELD_FLAG, FIELD_AT(Strategy, expectimax.sees_next),
     .help = "The next piece is known, the mean is over those after it."},
    {"dead", FIELD_REAL, FIELD_AT(Strategy, expectimax.dead), .least = -STRATEGY_WEIGHT_LIMIT,
     .most = -1e-100,
     .otherwise = "−30 times the sum of the absolute weights; with powers, the worst rating there is",
     .help = "The value of a piece that cannot be placed."},
    {"danger", FIELD_REAL, FIELD_AT(Strategy, expectimax.danger), .least = 1e-100,
     .most = STRATEGY_WEIGHT_LIMIT, .otherwise = "none: values are averaged",
     .help = "A value lower by this much is e times the danger, and the dangers of the pieces are averaged "
             "instead of their values."},
    {"threads", FIELD_INT, FIELD_AT(Strategy, expectimax.threads), .preset = 1, .least = 1,
     .most = EXPECTIMAX_MAX_THREADS, .help = "Threads that work on one move; they pay from depth 3 on."},
};

static bool settle(Strategy *strategy, const json_t *object, const JsonSource *source, Error *error) {
    ExpectimaxOptions *options = &strategy->expectimax;
    if (options->sees_next && !json_object_get(object, "depth"))
        options->depth = 3;
    if (options->later_candidates && options->depth <= 2)
        return json_refuse(source, (JsonSpot){object, "later-candidates", -1, false}, error,
                           "with \"later-candidates\" the depth is at least 3, or no later piece has any.");
    if (options->unsure > 0 && options->depth <= (options->sees_next ? 3 : 2))
        return json_refuse(
            source, (JsonSpot){object, "unsure", -1, false}, error,
            "with \"unsure\" the depth is at least %d, or there is nothing to look deeper for.",
            options->sees_next ? 4 : 3);
    return !options->sees_next || options->depth > 2 ||
           json_refuse(
               source, (JsonSpot){object, "depth", -1, false}, error,
               "with \"sees-next\" the depth is at least 3; two known pieces are \"player\": \"two-piece\".");
}

static void describe(const Strategy *strategy, StrategyNature *nature) {
    const ExpectimaxOptions *options = &strategy->expectimax;
    nature->sees = options->sees_next ? 2 : 1;
    nature->has_units = options->danger != 0 || options->unsure != 0 || options->dead != 0;
    if (options->unsure > 0)
        nature->unvalued = "looks deeper for some placements than for others, so that their values cannot be "
                           "compared: leave \"unsure\" out.";
}

static bool make(Player *player, Error *error) {
    player->state = expectimax_new(&player->strategy.expectimax, &player->rating, player->evaluator,
                                   player->rules, error);
    return player->state != NULL;
}

static void free_state(void *state) {
    expectimax_free(state);
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    return player_pick(player, expectimax_best(player->state, game, values).best, game);
}

static void choose_all(const Player *player, int count, Game *const *game, Placement *placement) {
    Evaluation result[PLAYER_TOGETHER];
    expectimax_best_of(player->state, count, (const Game *const *)game, NULL, result);
    for (int g = 0; g < count; g++)
        placement[g] = player_pick(player, result[g].best, game[g]);
}

const PlayerType player_expectimax = {
    .describe = describe,
    .limits =
        "Values are what the player expects of the pieces to come. The features are of this move alone: "
        "they do not add up to its value, and no change of a weight is given.",
    .options = FIELDS(option),
    .settle = settle,
    .make = make,
    .free = free_state,
    .choose = choose,
    .choose_all = choose_all};
