// SPDX-License-Identifier: GPL-3.0-or-later
// The UCT player of Cai, Zhang & Nebel 2011: planning episodes (algorithms 1 and 3) with the database of
// visited states and the part of the tree that is kept between moves. The phases themselves are in
// player/uct_search.c.
#include "player/uct.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "player/player_type.h"
#include "player/uct_keep.h"
#include "player/uct_search.h"

enum { PHASES_PER_LOOK = 16 }; // at the clock

// What goes wrong while games are played.
typedef struct Account {
    pthread_mutex_t lock;
    bool failed; // the database: it is not asked any more
    Error error; // why
} Account;

struct Uct {
    UctOptions options;
    UctRule rule;
    bool random_ties; // among the placements to choose from; else the first
    UctKeep *keep;
    Database *database; // NULL: none
    Account *account;
};

static bool check_numbers(const UctOptions *options, Error *error) {
    if (!isfinite(options->lambda) || options->lambda < 0 || options->lambda > UCT_MAX_REWARD)
        return error_set(error, "The lambda of UCT is %g: give a number from 0 to %d.", options->lambda,
                         UCT_MAX_REWARD);
    for (int rows = 0; rows < STRATEGY_ROWS; rows++)
        if (!(options->gamma[rows] >= -1 && options->gamma[rows] <= 0))
            return error_set(error, "The gamma of UCT for %d rows is %g: give a number from -1 to 0.", rows,
                             options->gamma[rows]);
    if (!options->phases && !(options->milliseconds > 0 && isfinite(options->milliseconds)))
        return error_set(error,
                         "UCT has no budget: give a number of phases per move, or milliseconds above 0.");
    return true;
}

static bool check_options(const UctOptions *options, const Evaluator *evaluator, double scale, Error *error) {
    if (options->pieces < 1 || options->pieces > UCT_MAX_PIECES)
        return error_set(error, "UCT cannot plan %d pieces: give 1 to %d.", options->pieces, UCT_MAX_PIECES);
    if (options->preview < 1 || options->preview > options->pieces)
        return error_set(
            error, "The preview of UCT is %d pieces: give 1 (the piece in hand) to %d (all planned pieces).",
            options->preview, options->pieces);
    if (!check_numbers(options, error))
        return false;
    if (options->leaf == UCT_LEAF_RATING) {
        if (!evaluator)
            return error_set(error, "UCT is to rate its leaves, but the strategy has no weights: give some.");
        if (!isfinite(options->leaf_scale) || !isfinite(scale) || scale == 0)
            return error_set(error,
                             "The leaf scale of UCT is %g with a rating of scale %g: give finite numbers.",
                             options->leaf_scale, scale);
    }
    return true;
}

static Account *account_new(void) {
    Account *account = calloc(1, sizeof *account);
    if (account)
        pthread_mutex_init(&account->lock, NULL);
    return account;
}

static void account_free(Account *account) {
    if (account)
        pthread_mutex_destroy(&account->lock);
    free(account);
}

Uct *uct_new(const UctOptions *options, TieRule ties, const Rules *rules, const Evaluator *evaluator,
             double scale, Error *error) {
    if (!check_options(options, evaluator, scale, error))
        return NULL;
    Uct *uct = calloc(1, sizeof *uct);
    if (uct) {
        uct->options = *options;
        uct->random_ties = ties == TIES_RANDOM;
        uct->rule = uct_rule(options, rules, evaluator, scale);
        uct->keep = uct_keep_new();
        uct->account = account_new();
    }
    if (!uct || !uct->keep || !uct->account) {
        error_set(error, "Out of memory for a UCT player.");
        uct_free(uct);
        return NULL;
    }
    if (options->database[0] && !(uct->database = database_open(options->database, DATABASE_WRITE, error))) {
        uct_free(uct);
        return NULL;
    }
    return uct;
}

void uct_free(Uct *uct) {
    if (!uct)
        return;
    if (uct->database)
        database_close(uct->database, NULL);
    uct_keep_free(uct->keep);
    account_free(uct->account);
    free(uct);
}

bool uct_flush(const Uct *uct, Error *error) {
    Account *account = uct->account;
    pthread_mutex_lock(&account->lock);
    bool failed = account->failed;
    if (failed && error)
        *error = account->error;
    pthread_mutex_unlock(&account->lock);
    return !failed && (!uct->database || database_flush(uct->database, error));
}

// -------------------------------------------------------------------------------------------------------
// The database

static bool database_works(const Uct *uct) {
    if (!uct->database)
        return false;
    pthread_mutex_lock(&uct->account->lock);
    bool failed = uct->account->failed;
    pthread_mutex_unlock(&uct->account->lock);
    return !failed;
}

static void database_fails(const Uct *uct, const Error *error) {
    pthread_mutex_lock(&uct->account->lock);
    if (!uct->account->failed)
        uct->account->error = *error;
    uct->account->failed = true;
    pthread_mutex_unlock(&uct->account->lock);
}

// Combines what planning has found with what is known (section 3.1), and stores it.
// <- the placements to choose from
static uint64_t combine(const Uct *uct, const Game *game, const UctBest *best, uint64_t phases) {
    const Rules *rules = uct->rule.rules;
    Visit own = {(double)best->value / UCT_UNIT, best->placements, phases}, known;
    Error error;
    int found = database_get(uct->database, rules, &game->board, game->piece, &known, &error);
    if (found < 0 || !database_put(uct->database, rules, &game->board, game->piece, &own, &error)) {
        database_fails(uct, &error);
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

static uint64_t run_phases(const Uct *uct, const UctSearch *search) {
    if (uct->options.phases) {
        for (uint64_t i = 0; i < uct->options.phases; i++)
            uct_phase(search);
        return uct->options.phases;
    }
    double end = clock_seconds() + uct->options.milliseconds / 1000;
    uint64_t phases = 0;
    do
        for (int i = 0; i < PHASES_PER_LOOK; i++, phases++)
            uct_phase(search);
    while (clock_seconds() < end);
    return phases;
}

// Keeps the part of the tree behind the placement, if the game goes on there.
static void keep_part(const Uct *uct, const Game *game, const UctTree *tree, Placement placement) {
    Game after = *game;
    game_move(&after, uct->rule.rules, placement, NULL);
    if (after.state != GAME_RUNNING || !tree->nodes)
        return;
    int32_t edge = uct_tree_find(tree, 0, placement);
    int32_t node = edge == UCT_NONE ? UCT_NONE : uct_tree_child(tree, edge, after.piece);
    if (node == UCT_NONE)
        return;
    UctTree *kept = uct_keep_borrow(uct->keep);
    if (!kept)
        return;
    UctPieces pieces = uct_pieces(&after, uct->options.pieces, uct->options.preview);
    if (uct_tree_keep(kept, tree, node, pieces.piece, pieces.known, uct->rule.mean))
        uct_keep_store(uct->keep, &after, kept);
    else
        uct_keep_return(uct->keep, kept);
}

static Placement plan(const Uct *uct, Game *game, UctTree *tree, MoveValues *values) {
    UctPieces pieces = uct_pieces(game, uct->options.pieces, uct->options.preview);
    UctSearch search = {&uct->rule, &game->board, &pieces, tree, &game->ties};
    if (!tree->nodes)
        uct_tree_node(tree, game->piece);
    uint64_t phases = run_phases(uct, &search);
    UctBest best = uct_best(&search);
    if (values)
        uct_values(&search, values);
    if (!best.placements) // no memory for a single node
        best.placements = uct_first(&uct->rule, &game->board, game->piece);
    else if (database_works(uct))
        best.placements = combine(uct, game, &best, phases);
    Placement placement =
        uct->random_ties ? uct_pick(best.placements, &game->ties) : evaluation_first(best.placements, NULL);
    keep_part(uct, game, tree, placement);
    return placement;
}

Placement uct_choose(const Uct *uct, Game *game, MoveValues *values) {
    UctTree *tree = uct_keep_take(uct->keep, game);
    if (!moves_safe(uct->rule.rules, &game->board, game->piece)) {
        uct_keep_return(uct->keep, tree);
        return PLACEMENT_NONE;
    }
    UctTree none = {0};
    if (!tree)
        tree = uct_keep_borrow(uct->keep);
    Placement placement = plan(uct, game, tree ? tree : &none, values);
    if (!tree)
        uct_tree_free(&none);
    uct_keep_return(uct->keep, tree);
    return placement;
}

void uct_forget(const Uct *uct, const Game *game) {
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
    player->state = uct_new(&player->strategy.uct, player->strategy.ties, player->rules, player->evaluator,
                            player->rating.scale, error);
    return player->state != NULL;
}

static void free_state(void *state) {
    uct_free(state);
}

static Placement choose(const Player *player, Game *game, MoveValues *values) {
    return uct_choose(player->state, game, values);
}

static void forget(const Player *player, const Game *game) {
    uct_forget(player->state, game);
}

static bool flush(const Player *player, Error *error) {
    return uct_flush(player->state, error);
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
