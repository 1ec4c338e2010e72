// SPDX-License-Identifier: GPL-3.0-or-later
// Planning by UCT (Cai, Zhang & Nebel 2011). A node is a board with a piece; a phase goes from the root down
// to the last planned piece, one placement a node, and adds every node on its way to the tree:
//     placement = argmax R + lambda sqrt(ln s / t)        ties at random
// s, t: visits of the node and of the placement; R: the highest value of a phase through the placement (or
// the mean). The value of a phase, from a move on, is the sum over its moves of 0, 0.1, 0.3, 0.6, 1.0 for
// 0 to 4 rows removed and of P = gamma(rows) * holes (by how many the move increases them); -1 for a lost
// game; and what the leaf is worth.
//
// What the paper leaves open is decided as follows. The first point differs from the paper:
//   - The paper adds P to R where a placement is chosen and keeps it out of the rewards that are backed up.
//     Then a path is preferred for its rows even if it digs itself in on the way. Here P is backed up with
//     the rewards, so that R holds the holes of the move itself and of those after it. In one trial (1,000
//     phases, lambda 0.5, gamma -0.1) that won 25 of 30 matches against Fahey's player instead of 18, which
//     is little evidence. With gamma = 0 everywhere there is no difference.
//   - Unvisited placements with P = 0 come first, in random order. An unvisited one with P < 0 takes part
//     in the argmax as if it had been visited once and were worth its own rows and holes: it is tried when
//     nothing else promises more. With gamma = 0 everywhere this is UCB1 as printed.
//   - Placements that end the game are left out; where there are no others the game is lost.
//   - The move: the highest R among the visited placements of the root (with means: the most visits, of these
//     the highest mean). Of equal ones, and of those that the database holds, one at random or the first.
//   - The database holds R of the root. It belongs to one set of options: values that were planned with
//     others (pieces, gamma, leaves) are not comparable.
//   - The tree is a tree: a board reached in two ways is two nodes. It stops growing at 4 million nodes,
//     300 MB (player/uct_tree.h); phases that leave it then are played to their end all the same.
//
// Pieces that the player cannot see are drawn anew in each phase, with numbers of the game's own stream
// (game->ties): with a budget in phases the same game is played every time, on any number of threads.
//
// The part of the tree below the move that was made is kept for the next one, as long as the game is simply
// played on: if an opponent adds rows, planning starts anew. What had been planned for other pieces than
// those that have become visible is taken out of it.
//
// Trees are kept between moves by what identifies a game: its streams and how far it is. At most 1,024 are
// kept; of more games under way, those that wait for the longest time lose theirs. The phases themselves are
// in player/uct_search.c.
#include <stdlib.h>

#include "base/clock.h"
#include "player/database.h"
#include "player/player_type.h"
#include "player/uct_keep.h"
#include "player/uct_search.h"

enum { PHASES_PER_LOOK = 16 }; // at the clock

typedef struct Uct {
    UctRule rule;
    UctKeep *keep;
    Database *database; // NULL: none
} Uct;

// Combines what planning has found with what is known (section 3.1), and stores it.
// <- the placements to choose from
static uint64_t combine(const Player *player, const Game *game, const UctBest *best, uint64_t phases) {
    const Uct *uct = player->state;
    const Rules *rules = player->rules;
    Visit own = {(double)best->value / UCT_UNIT, best->placements, phases}, known;
    Error error;
    int found = database_get(uct->database, rules, &game->board, game->piece, &known, &error);
    if (found < 0 || !database_put(uct->database, rules, &game->board, game->piece, &own, &error)) {
        player_fail(player, &error);
        return best->placements;
    }
    if (!found)
        return best->placements;
    // The file may hold anything.
    uint64_t safe = moves_safe(rules, &game->board, game->piece);
    uint64_t placements = visit_combine(&own, &known).placements & safe;
    return placements ? placements : best->placements;
}

// -------------------------------------------------------------------------------------------------------
// Planning

static uint64_t run_phases(const UctOptions *options, const UctSearch *search) {
    if (options->phases) {
        for (uint64_t i = 0; i < options->phases; i++)
            uct_phase(search);
        return options->phases;
    }
    double end = clock_seconds() + options->milliseconds / 1000;
    uint64_t phases = 0;
    do
        for (int i = 0; i < PHASES_PER_LOOK; i++, phases++)
            uct_phase(search);
    while (clock_seconds() < end);
    return phases;
}

// Keeps the part of the tree behind the placement, if the game goes on there.
static void keep_part(const Player *player, const Game *game, const UctTree *tree, Placement placement) {
    const UctOptions *options = &player->strategy.uct;
    const Uct *uct = player->state;
    Game after = *game;
    game_move(&after, player->rules, placement, NULL);
    if (after.state != GAME_RUNNING || !tree->nodes)
        return;
    int32_t edge = uct_tree_find(tree, 0, placement);
    int32_t node = edge == UCT_NONE ? UCT_NONE : uct_tree_child(tree, edge, after.piece);
    if (node == UCT_NONE)
        return;
    UctTree *kept = uct_keep_borrow(uct->keep);
    if (!kept)
        return;
    UctPieces pieces = uct_pieces(&after, options->pieces, options->preview);
    if (uct_tree_keep(kept, tree, node, pieces.piece, pieces.known, uct->rule.mean))
        uct_keep_store(uct->keep, &after, kept);
    else
        uct_keep_return(uct->keep, kept);
}

static Placement plan(const Player *player, Game *game, UctTree *tree, MoveValues *values) {
    const UctOptions *options = &player->strategy.uct;
    const Uct *uct = player->state;
    UctPieces pieces = uct_pieces(game, options->pieces, options->preview);
    UctSearch search = {&uct->rule, &game->board, &pieces, tree, &game->ties};
    if (!tree->nodes)
        uct_tree_node(tree, game->piece);
    uint64_t phases = run_phases(options, &search);
    UctBest best = uct_best(&search);
    if (values)
        uct_values(&search, values);
    if (!best.placements) // no memory for a single node
        best.placements = uct_first(&uct->rule, &game->board, game->piece);
    else if (uct->database && !player_has_failed(player, NULL))
        best.placements = combine(player, game, &best, phases);
    Placement placement = player_pick(player, best.placements, game);
    keep_part(player, game, tree, placement);
    return placement;
}

// Nothing is kept for a game that ends with this move.
static Placement choose(const Player *player, Game *game, MoveValues *values) {
    const Uct *uct = player->state;
    UctTree *tree = uct_keep_take(uct->keep, game), none = {0};
    Placement placement = PLACEMENT_NONE;
    if (moves_safe(player->rules, &game->board, game->piece)) {
        tree = tree ? tree : uct_keep_borrow(uct->keep);
        placement = plan(player, game, tree ? tree : &none, values);
    }
    uct_tree_free(&none);
    uct_keep_return(uct->keep, tree);
    return placement;
}

static void forget(const Player *player, const Game *game) {
    const Uct *uct = player->state;
    uct_keep_return(uct->keep, uct_keep_take(uct->keep, game));
}

// -------------------------------------------------------------------------------------------------------
// The player

static const char *const backup_words[] = {"best", "mean", NULL};
static const char *const leaf_words[] = {"zero", "rating", NULL};

static const Field option[] = {
    {"pieces", FIELD_INT, FIELD_AT(Strategy, uct.pieces), .preset = 10, .least = 1, .most = 30,
     .help = "Planned ahead, the one in hand included."},
    {"preview", FIELD_INT, FIELD_AT(Strategy, uct.preview), .preset = 10, .least = 1, .most = 30,
     .otherwise = "`pieces`", .help = "Pieces that the player sees, at most `pieces`."},
    {"phases", FIELD_WHOLE, FIELD_AT(Strategy, uct.phases), .preset = 1000, .least = 1, .most = 1e12,
     .help = "A move's budget."},
    {"milliseconds", FIELD_REAL, FIELD_AT(Strategy, uct.milliseconds), .least = 0.001, .most = 3.6e6,
     .otherwise = "none", .help = "A budget in time instead; not reproducible."},
    {"lambda", FIELD_REAL, FIELD_AT(Strategy, uct.lambda), .preset = UCT_LAMBDA, .least = 0, .most = 1000,
     .help = "How much is tried out."},
    {"gamma", FIELD_LIST, FIELD_AT(Strategy, uct.gamma), STRATEGY_ROWS, .least = -1, .most = 0,
     .otherwise = "0 each", .help = "Five numbers, for 0 to 4 rows removed: times the holes made."},
    {"backup", FIELD_WORD, FIELD_AT(Strategy, uct.backup), .preset = UCT_BEST, .words = backup_words,
     .help = "Which reward of a placement counts."},
    {"leaf", FIELD_WORD, FIELD_AT(Strategy, uct.leaf), .preset = UCT_LEAF_ZERO, .words = leaf_words,
     .help = "What the last board of a phase is worth; with `rating` the strategy has `weights`."},
    {"leaf-scale", FIELD_REAL, FIELD_AT(Strategy, uct.leaf_scale), .least = 1e-100, .most = 1e100,
     .otherwise = "0.001", .help = "Reward for a rating of 1; only with `rating`."},
    {"database", FIELD_TEXT, FIELD_TEXT_AT(Strategy, uct.database), .file = FIELD_KEEPS,
     .help = "Path of a [database](database.md) of visited states."},
};

static bool settle(Strategy *strategy, const json_t *object, const JsonSource *source, Error *error) {
    UctOptions *options = &strategy->uct;
    if (!json_object_get(object, "preview"))
        options->preview = options->pieces;
    if (options->preview > options->pieces)
        return json_refuse(source, (JsonSpot){object, "preview", -1, false}, error,
                           "\"preview\" is %d, but only %d pieces are planned (\"pieces\").",
                           options->preview, options->pieces);
    if (json_object_get(object, "milliseconds")) {
        if (json_object_get(object, "phases"))
            return json_refuse(source, (JsonSpot){object, "milliseconds", -1, true}, error,
                               "\"milliseconds\" and \"phases\" exclude each other.");
        options->phases = 0;
    }
    if (!json_object_get(object, "leaf-scale"))
        options->leaf_scale = options->leaf == UCT_LEAF_RATING ? UCT_LEAF_SCALE : 0;
    else if (options->leaf != UCT_LEAF_RATING)
        return json_refuse(source, (JsonSpot){object, "leaf-scale", -1, true}, error,
                           "\"leaf-scale\" needs \"leaf\": \"rating\".");
    return !json_object_get(object, "database") || options->database[0] ||
           json_refuse(source, (JsonSpot){object, "database", -1, false}, error,
                       "\"database\" is empty; leave it out to do without one.");
}

static void describe(const Strategy *strategy, StrategyNature *nature) {
    const UctOptions *options = &strategy->uct;
    nature->sees = options->preview;
    nature->rated = nature->has_units = options->leaf == UCT_LEAF_RATING; // leaf-scale
    nature->learns = options->database[0] != 0;
    nature->repeats = options->phases > 0 && !nature->learns;
}

static void set_rated(Strategy *strategy) {
    strategy->uct.leaf = UCT_LEAF_RATING;
    strategy->uct.leaf_scale = UCT_LEAF_SCALE;
}

static bool make(Player *player, Error *error) {
    const UctOptions *options = &player->strategy.uct;
    Uct *uct = player->state = calloc(1, sizeof *uct);
    if (!uct || !(uct->keep = uct_keep_new()))
        return error_set(error, "Out of memory for a UCT player.");
    uct->rule = uct_rule(options, player->rules, player->evaluator, player->rating.scale);
    return !options->database[0] ||
           (uct->database = database_open(options->database, DATABASE_WRITE, error)) != NULL;
}

static void free_state(void *state) {
    Uct *uct = state;
    database_close(uct->database, NULL);
    uct_keep_free(uct->keep);
    free(uct);
}

static bool flush(const Player *player, Error *error) {
    const Uct *uct = player->state;
    return !uct->database || database_flush(uct->database, error);
}

const PlayerType player_uct = {
    .traits = PLAYER_NO_PRIORITY | PLAYER_DRAWS | PLAYER_RATES_BOARDS,
    .ties = TIES_RANDOM,
    .describe = describe,
    .limits =
        "Values are rewards of what the player has planned with the pieces to come. Features, if it has "
        "any, are of the board after this move, and no change of a weight is given.",
    .unrated = "needs \"leaf\": \"rating\"; without it a UCT player rates nothing.",
    .set_rated = set_rated,
    .options = FIELDS(option),
    .settle = settle,
    .make = make,
    .free = free_state,
    .choose = choose,
    .forget = forget,
    .flush = flush,
};
