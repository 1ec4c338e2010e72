// SPDX-License-Identifier: GPL-3.0-or-later
// What all players share: their making, their tie rules, and games played move by move. What each kind does
// is in a file of its own, behind its PlayerType.
#include "player/player.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "player/player_type.h"

#define PLAYER(ID, variable, word) extern const PlayerType player_##variable;
#include "player/players.def"
#undef PLAYER

static const PlayerType *const types[PLAYERS] = {
#define PLAYER(ID, variable, word) &player_##variable,
#include "player/players.def"
#undef PLAYER
};

void (*player_failure)(const char *sentence);

const PlayerType *player_type(PlayerKind kind) {
    return types[kind];
}

const char *player_words(unsigned trait, const char *quote, const char *join, char words[FIELD_WORDS_TEXT]) {
    const char *with[PLAYERS + 1] = {NULL};
    for (int kind = 0, count = 0; kind < PLAYERS; kind++)
        if (types[kind]->traits & trait)
            with[count++] = strategy_player_names[kind];
    return field_words(with, quote, join, words);
}

// Set by any thread.
struct Failure {
    pthread_mutex_t lock;
    bool failed;
    Error error; // why
};

// ---------------------------------------------------------------------------------------------------
// Making one

// Dellacherie's tie rule: 100 * distance from the middle, 10 for being left of it, minus the turns. X and the
// middle are columns of the piece's turning point, as in the original game.
static int dellacherie_priority(const Shape *shape, int orientation, int column, int width) {
    int middle = width / 2, x = column + shape->origin_column;
    return 100 * abs(x - middle) + (x < middle ? 10 : 0) - orientation;
}

// Misakamm's: the middle of the piece nearest to that of the board, then the column further left.
static int centre_priority(const Shape *shape, int orientation, int column, int width) {
    (void)orientation;
    return -32 * abs(2 * column + shape->width - width) - column;
}

static void fill_priority(Player *player) {
    int width = player->rules->width;
    bool centre = player->strategy.ties == TIES_CENTRE;
    for (int piece = 0; piece < PIECES; piece++)
        for (int o = 0; o < piece_orientations[piece]; o++)
            for (int column = 0; column < width; column++)
                player->priority[piece][placement_make(o, column)] =
                    (int16_t)(centre ? centre_priority : dellacherie_priority)(&piece_shape[piece][o], o,
                                                                               column, width);
}

const int16_t *player_priority(const Player *player, int piece) {
    return strategy_ties_by_priority(&player->strategy) ? player->priority[piece] : NULL;
}

static bool make_evaluator(Player *player, const Kernel *kernel, Error *error) {
    const Strategy *strategy = &player->strategy;
    return !strategy_is_rated(strategy) ||
           (rating_make(&player->rating, &strategy->rating, player->rules->width, player->rules->height,
                        error) &&
            (player->evaluator =
                 evaluator_new(&player->rating, player->rules, kernel, strategy->clear_late, error)));
}

Player *player_new(const Strategy *strategy, const Rules *rules, const Kernel *kernel, Error *error) {
    Error detail;
    if (!kernel && !(kernel = kernel_find(NULL, error)))
        return NULL;
    Player *player = calloc(1, sizeof *player);
    if (!player || !(player->failure = calloc(1, sizeof *player->failure))) {
        free(player);
        return error_null(error, "Out of memory for the player %s.", strategy->name);
    }
    pthread_mutex_init(&player->failure->lock, NULL);
    player->type = player_type(strategy->player);
    player->strategy = *strategy;
    player->rules = rules;
    fill_priority(player);
    if (strategy->ties == TIES_RANDOM)
        player->ranks.random = true;
    else
        ranks_fill(&player->ranks, player_priority(player, 0));
    if (strategy_check_traits(strategy, NULL, &detail) && make_evaluator(player, kernel, &detail) &&
        (!player->type->make || player->type->make(player, &detail)))
        return player;
    error_set(error, "%s: %s", strategy->name, detail.text);
    player_free(player);
    return NULL;
}

void player_free(Player *player) {
    if (!player)
        return;
    if (player->state)
        player->type->free(player->state);
    evaluator_free(player->evaluator);
    rating_free(&player->rating);
    pthread_mutex_destroy(&player->failure->lock);
    free(player->failure);
    free(player);
}

// ---------------------------------------------------------------------------------------------------
// Asking it

const Strategy *player_strategy(const Player *player) {
    return &player->strategy;
}

const Rules *player_rules(const Player *player) {
    return player->rules;
}

const char *player_design(const Player *player) {
    return player->evaluator ? evaluator_design(player->evaluator) : NULL;
}

bool player_is_fast(const Player *player) {
    return player->type->run != NULL;
}

bool player_draws(const Player *player) {
    return player->type->traits & PLAYER_DRAWS || player->strategy.ties == TIES_RANDOM;
}

bool player_fail(const Player *player, const Error *error) {
    struct Failure *failure = player->failure;
    pthread_mutex_lock(&failure->lock);
    bool first = !failure->failed;
    if (first)
        failure->error = *error;
    failure->failed = true;
    pthread_mutex_unlock(&failure->lock);
    return first;
}

bool player_has_failed(const Player *player, Error *error) {
    struct Failure *failure = player->failure;
    pthread_mutex_lock(&failure->lock);
    bool failed = failure->failed;
    if (failed && error)
        *error = failure->error;
    pthread_mutex_unlock(&failure->lock);
    return failed;
}

bool player_flush(const Player *player, Error *error) {
    Error detail;
    bool good =
        !player_has_failed(player, &detail) && (!player->type->flush || player->type->flush(player, &detail));
    return good || error_set(error, "%s: %s", player->strategy.name, detail.text);
}

void player_forget(const Player *player, const Game *game) {
    if (player->type->forget)
        player->type->forget(player, game);
}

// ---------------------------------------------------------------------------------------------------
// Playing

Placement player_pick(const Player *player, uint64_t set, Game *game) {
    if (!set)
        return PLACEMENT_NONE;
    if (player->strategy.ties == TIES_RANDOM)
        return placement_draw(set, &game->ties);
    return evaluation_first(set, player_priority(player, game->piece));
}

bool player_same_game(const Game *a, const Game *b) {
    return a->pieces == b->pieces && a->stream.drawn == b->stream.drawn &&
           !memcmp(&a->stream.random, &b->stream.random, sizeof a->stream.random) &&
           !memcmp(&a->ties, &b->ties, sizeof a->ties);
}

bool player_same_sight(const Game *a, const Game *b) {
    return a->piece == b->piece && a->next == b->next && !memcmp(&a->board, &b->board, sizeof a->board);
}

Placement player_choose(const Player *player, Game *game) {
    return player->type->choose(player, game, NULL);
}

// <- is there a move to be made?
static bool begin(Turn *turn) {
    if (turn->game->state == GAME_PAUSED)
        turn->game->state = GAME_RUNNING;
    return turn->game->state == GAME_RUNNING && turn->moves;
}

// <- false: the turn is over
static bool move(const Player *player, Turn *turn, Placement placement) {
    Game *game = turn->game;
    turn->moves--;
    if (placement == PLACEMENT_NONE)
        game_end(game);
    else
        game_move(game, player->rules, placement, NULL);
    if (game->state == GAME_RUNNING) {
        int height = board_pile_height(&game->board, player->rules->width);
        if (height <= turn->low || height >= turn->high)
            game->state = GAME_PAUSED;
    }
    return game->state == GAME_RUNNING && turn->moves;
}

static void run_by_moves(const Player *player, Turn *turn, bool (*again)(void *context, Turn *turn),
                         void *context) {
    do
        for (bool more = begin(turn); more;)
            more = move(player, turn, player_choose(player, turn->game));
    while (again(context, turn));
}

// The same for all turns, each of which makes one move in every round.
static void run_together(const Player *player, int count, Turn *turn,
                         bool (*again)(void *context, Turn *turn), void *context) {
    Turn *playing[MOST_TURNS];
    int games = 0;
    for (int k = 0; k < count; k++) {
        bool more;
        while (!(more = begin(&turn[k])) && again(context, &turn[k]))
            ;
        if (more)
            playing[games++] = &turn[k];
    }
    while (games) {
        int left = 0;
        for (int done = 0; done < games; done += PLAYER_TOGETHER) {
            Game *game[PLAYER_TOGETHER];
            Placement placement[PLAYER_TOGETHER];
            int part = games - done < PLAYER_TOGETHER ? games - done : PLAYER_TOGETHER;
            for (int k = 0; k < part; k++)
                game[k] = playing[done + k]->game;
            player->type->choose_all(player, part, game, placement);
            for (int k = 0; k < part; k++) {
                Turn *own = playing[done + k];
                bool more = move(player, own, placement[k]);
                while (!more && again(context, own))
                    more = begin(own);
                playing[left] = own;
                left += more;
            }
        }
        games = left;
    }
}

static bool no_more(void *context, Turn *turn) {
    (void)context, (void)turn;
    return false;
}

void player_run(const Player *player, Game *game, uint64_t moves) {
    player_run_turns(player, 1, &(Turn){game, moves, -1, TURN_ANY_HEIGHT}, no_more, NULL);
}

void player_run_turns(const Player *player, int count, Turn *turn, bool (*again)(void *context, Turn *turn),
                      void *context) {
    again = again ? again : no_more;
    if (player->type->run && player->type->run(player, count, turn, again, context))
        return;
    if (player->type->choose_all && count > 1)
        run_together(player, count, turn, again, context);
    else
        for (int k = 0; k < count; k++)
            run_by_moves(player, &turn[k], again, context);
}
