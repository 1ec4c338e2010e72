// SPDX-License-Identifier: GPL-3.0-or-later
// Every player behind one function; those that do more than rate have files of their own (expectimax.h,
// uct.h, value_table.h). Here are the greedy one-piece player of all papers and the two-piece player that
// knows the next piece (Fahey, Böhm). A two-piece player values a pair of placements by the rating of the
// second move plus what the move features (landing height, rows removed, changes ...) give for the first; in
// a network these are added up before the hidden units, so that an input is what the feature is over both
// moves. A first move that ends the game is never preferred to one that does not, whatever the rule for
// game-ending moves, since nothing can follow it.
#include "player/player.h"

#include <stdlib.h>

#include "feature/network.h"
#include "game/original.h"
#include "player/expectimax.h"
#include "player/uct.h"
#include "player/value_table.h"

struct Player {
    Strategy strategy;
    const Rules *rules;
    Rating rating;             // empty for a strategy without one (strategy_is_rated)
    Evaluator *evaluator;      // NULL: the rating is a network with hidden units, or there is none
    NetworkEvaluator *network; // NULL: it is not
    Expectimax *expectimax;    // of these kinds of players
    Uct *uct;
    ValueTable *table;
    int sums; // of the rating: see rating_sums
    uint64_t move_features;
    int16_t priority[PIECES][PLACEMENTS];
};

// Two pieces on top of each other must fit into a word. The first one does not end the game, so that at most
// two of its rows are above the board (what is above has to come down by rows completed below); the second
// adds four.
enum { LATE_CLEARING_MAX_HEIGHT = BOARD_MAX_HEIGHT - 2 };

// Dellacherie's tie rule: 100 * distance from the middle, 10 for being left of it, minus the turns. X and the
// middle are columns of the piece's turning point, as in the original game.
static void fill_priority(Player *player) {
    int middle = player->rules->width / 2;
    for (int piece = 0; piece < PIECES; piece++)
        for (int o = 0; o < piece_orientations[piece]; o++)
            for (int column = 0; column < player->rules->width; column++) {
                int x = column + piece_shape[piece][o].origin_column;
                player->priority[piece][placement_make(o, column)] =
                    (int16_t)(100 * abs(x - middle) + (x < middle ? 10 : 0) - o);
            }
}

// Is it a player with a file of its own?
static bool player_searches(PlayerKind kind) {
    return kind == PLAYER_EXPECTIMAX || kind == PLAYER_UCT || kind == PLAYER_TABLE;
}

static bool make_evaluator(Player *player, const Kernel *kernel, Error *error) {
    const Strategy *strategy = &player->strategy;
    Rating *rating = &player->rating;
    Error detail;
    if (!rating_make(rating, &strategy->rating, player->rules->width, player->rules->height, &detail))
        return error_set(error, "%s: %s", strategy->name, detail.text);
    bool late = strategy->clear_late, searches = player_searches(strategy->player);
    player->sums = rating->network ? network_units(rating->network) : 1;
    if (rating->network && searches)
        return error_set(error, "%s: hidden units are for greedy and two-piece players, not for %s.",
                         strategy->name, strategy_player_name(strategy->player));
    if (rating->network)
        player->network = network_evaluator_new(rating, player->rules, kernel, late, error);
    else
        player->evaluator = evaluator_new(rating, player->rules, kernel, late, error);
    return player->network || player->evaluator;
}

static bool make_search(Player *player, Error *error) {
    const Strategy *strategy = &player->strategy;
    Error detail;
    if (strategy->player == PLAYER_EXPECTIMAX)
        player->expectimax =
            expectimax_new(&strategy->expectimax, &player->rating, player->evaluator, player->rules, &detail);
    else if (strategy->player == PLAYER_TABLE)
        player->table = value_table_new(strategy->table, player->rules, &detail);
    else
        player->uct = uct_new(&strategy->uct, strategy->ties, player->rules, player->evaluator,
                              player->rating.scale, &detail);
    return player->expectimax || player->uct || player->table ||
           error_set(error, "%s: %s", strategy->name, detail.text);
}

static bool check_late_clearing(const Strategy *strategy, const Rules *rules, Error *error) {
    if (!strategy->clear_late)
        return true;
    if (strategy->player != PLAYER_TWO_PIECE)
        return error_set(error, "%s clears rows late, which only two-piece players can.", strategy->name);
    return rules->height <= LATE_CLEARING_MAX_HEIGHT ||
           error_set(error, "%s clears rows late, which needs a board at most %d rows high, not %d.",
                     strategy->name, LATE_CLEARING_MAX_HEIGHT, rules->height);
}

Player *player_new(const Strategy *strategy, const Rules *rules, const Kernel *kernel, Error *error) {
    if (!check_late_clearing(strategy, rules, error) || (!kernel && !(kernel = kernel_find(NULL, error))))
        return NULL;
    Player *player = calloc(1, sizeof *player);
    if (!player) {
        error_set(error, "There is no memory for the player %s.", strategy->name);
        return NULL;
    }
    player->strategy = *strategy;
    player->rules = rules;
    if ((strategy_is_rated(strategy) && !make_evaluator(player, kernel, error)) ||
        (player_searches(strategy->player) && !make_search(player, error))) {
        player_free(player);
        return NULL;
    }
    for (int id = 0; id < FEATURES; id++)
        if (feature_info[id].of_move)
            player->move_features |= feature_bit((FeatureId)id);
    fill_priority(player);
    return player;
}

void player_free(Player *player) {
    if (!player)
        return;
    expectimax_free(player->expectimax);
    uct_free(player->uct);
    value_table_free(player->table);
    evaluator_free(player->evaluator);
    network_evaluator_free(player->network);
    rating_free(&player->rating);
    free(player);
}

const Strategy *player_strategy(const Player *player) {
    return &player->strategy;
}

const Rules *player_rules(const Player *player) {
    return player->rules;
}

bool player_draws(const Player *player) {
    return player->uct || player->strategy.ties == TIES_RANDOM;
}

bool player_learns(const Player *player) {
    return player->uct && player->strategy.uct.database[0];
}

bool player_flush(const Player *player, Error *error) {
    Error detail;
    return !player->uct || uct_flush(player->uct, &detail) ||
           error_set(error, "%s: %s", player->strategy.name, detail.text);
}

// ---------------------------------------------------------------------------------------------------
// One piece

static Placement break_tie(const Player *player, uint64_t set, int piece, Random *ties) {
    if (player->strategy.ties == TIES_RANDOM && (set & (set - 1)))
        for (uint32_t skip = random_below(ties, (uint32_t)__builtin_popcountll(set)); skip; skip--)
            set &= set - 1;
    return evaluation_first(set, player->strategy.ties == TIES_PRIORITY ? player->priority[piece] : NULL);
}

static int64_t reference_value(const Player *player, const Situation *situation, const int64_t *before) {
    int64_t sums[RATING_MAX_HIDDEN];
    rating_sums(&player->rating, situation, ~(uint64_t)0, sums);
    for (int j = 0; j < player->sums; j++)
        sums[j] += before[j];
    return rating_of_sums(&player->rating, sums);
}

// The placements that can be reached near the top of the original game, valued by the reference definitions:
// such boards are rare.
static Evaluation best_reachable(const Player *player, const Board *board, int piece, const int64_t *before) {
    OriginalPlacement list[PLACEMENTS];
    int count = original_placements(board, player->rules, piece, list);
    Evaluation result = {0, INT64_MIN};
    for (int k = 0; k < count; k++) {
        Placement placement = list[k].placement;
        const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
        Board after = *board;
        Landing landing =
            board_place(&after, player->rules->width, shape, placement_column(placement), list[k].row);
        Situation situation = {player->rules->width, player->rules->height, board, &after, shape, landing};
        int64_t value = reference_value(player, &situation, before);
        if (value > result.value)
            result = (Evaluation){0, value};
        if (value == result.value)
            result.best |= (uint64_t)1 << placement;
    }
    return result;
}

// -> before  what an earlier move gives, as rating_sums counts
static Evaluation best_placements(const Player *player, const Board *board, int piece,
                                  const int64_t *before) {
    if (player->rules->original && !original_is_open(board, player->rules))
        return best_reachable(player, board, piece, before);
    if (player->network)
        return network_best(player->network, board, piece, before);
    Evaluation result = evaluator_best(player->evaluator, board, piece);
    result.value += result.best ? before[0] : 0;
    return result;
}

// ---------------------------------------------------------------------------------------------------
// Two pieces

// All first moves: where the piece comes to rest.
static int first_moves(const Player *player, const Board *board, int piece, OriginalPlacement *list) {
    if (player->rules->original)
        return original_placements(board, player->rules, piece, list);
    int count = 0;
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int column = 0; column + piece_shape[piece][o].width <= player->rules->width; column++)
            list[count++] = (OriginalPlacement){placement_make(o, column),
                                                board_drop_row(board, &piece_shape[piece][o], column)};
    return count;
}

static Evaluation best_pair(const Player *player, const Board *board, int piece, int next) {
    const Rules *rules = player->rules;
    OriginalPlacement list[PLACEMENTS];
    int count = first_moves(player, board, piece, list);
    Evaluation result = {0, INT64_MIN};
    for (int k = 0; k < count; k++) {
        Placement placement = list[k].placement;
        const Shape *shape = &piece_shape[piece][placement_orientation(placement)];
        Board after = *board;
        Landing landing = board_place(&after, rules->width, shape, placement_column(placement), list[k].row);
        if (rules_fatal(rules, shape, &landing))
            continue;
        Situation situation = {rules->width, rules->height, board, &after, shape, landing};
        int64_t first[RATING_MAX_HIDDEN];
        rating_sums(&player->rating, &situation, player->move_features, first);
        if (player->strategy.clear_late) {
            after = *board;
            board_put(&after, shape, placement_column(placement), list[k].row);
        }
        Evaluation follow = best_placements(player, &after, next, first);
        int64_t value = follow.best ? follow.value : INT64_MIN; // no second move: worse than anything else
        if (value > result.value)
            result = (Evaluation){0, value};
        if (value == result.value)
            result.best |= (uint64_t)1 << placement;
    }
    return result;
}

// ---------------------------------------------------------------------------------------------------
// Playing

static Evaluation best_of(const Player *player, const Game *game) {
    static const int64_t nothing[RATING_MAX_HIDDEN] = {0};
    if (player->expectimax)
        return expectimax_best(player->expectimax, game);
    if (player->table)
        return (Evaluation){value_table_best(player->table, &game->board, game->piece), 0};
    if (player->strategy.player == PLAYER_TWO_PIECE && game->next >= 0)
        return best_pair(player, &game->board, game->piece, game->next);
    return best_placements(player, &game->board, game->piece, nothing);
}

Placement player_choose(const Player *player, Game *game) {
    if (player->uct)
        return uct_choose(player->uct, game);
    Evaluation found = best_of(player, game);
    return found.best ? break_tie(player, found.best, game->piece, &game->ties) : PLACEMENT_NONE;
}

void player_forget(const Player *player, const Game *game) {
    if (player->uct)
        uct_forget(player->uct, game);
}

static void run_one(const Player *player, Game *game, uint64_t moves, const HeightWindow *window) {
    for (; game->state == GAME_RUNNING && moves; moves--) {
        Placement placement = player_choose(player, game);
        if (placement == PLACEMENT_NONE)
            game_end(game);
        else
            game_move(game, player->rules, placement, NULL);
        if (window && game->state == GAME_RUNNING) {
            int height = board_pile_height(&game->board, player->rules->width);
            if (height <= window->low || height >= window->high)
                game->state = GAME_PAUSED;
        }
    }
}

void player_run(const Player *player, Game *games, int count, uint64_t moves) {
    player_run_window(player, games, count, moves, NULL);
}

void player_run_window(const Player *player, Game *games, int count, uint64_t moves,
                       const HeightWindow *window) {
    for (int g = 0; g < count; g++)
        if (games[g].state == GAME_PAUSED)
            games[g].state = GAME_RUNNING;
    const Strategy *strategy = &player->strategy;
    if (player->evaluator && strategy->player == PLAYER_GREEDY && !player->rules->original &&
        strategy->ties != TIES_RANDOM &&
        evaluator_play(player->evaluator, games, count, moves, window,
                       strategy->ties == TIES_PRIORITY ? player->priority[0] : NULL))
        return;
    for (int g = 0; g < count; g++)
        run_one(player, &games[g], moves, window);
}
