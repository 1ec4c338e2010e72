// SPDX-License-Identifier: GPL-3.0-or-later
// Games stepped together: every step is checked as a whole, then made range by range, each range with its
// moves first and its arrays after them.
#include "api/batch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "api/batch_arrays.h"
#include "base/pool.h"
#include "game/moves.h"
#include "game/original.h"
#include "player/uct_search.h"

enum {
    RANGE = 256, // games of a range: enough for the lanes of the kernels
    FEWEST_FOR_THREADS =
        512 // games that are worth a second thread where a move takes a tenth of a microsecond
};

static const char *const reset_words[] = {"next-step", "same-step", "disabled", NULL};
static const char *const reward_words[] = {"lines", "uct", NULL};
static const char *const illegal_words[] = {"refuse", "end", NULL};

static const Field batch_field[] = {
    {"autoreset", FIELD_WORD, FIELD_AT(BatchPlan, autoreset), .words = reset_words,
     .help = "When a game that has ended is followed by the next one."},
    {"reward", FIELD_WORD, FIELD_AT(BatchPlan, reward), .words = reward_words,
     .help = "What a move is worth: the rows it removes, or Cai, Zhang & Nebel's reward."},
    {"illegal", FIELD_WORD, FIELD_AT(BatchPlan, illegal), .words = illegal_words,
     .help = "What becomes of an action that is not possible."},
    {"previews", FIELD_INT, FIELD_AT(BatchPlan, previews), .preset = 1, .least = 0,
     .most = BATCH_MAX_PREVIEWS, .help = "Pieces shown after the one in hand."},
    {"threads", FIELD_INT, FIELD_AT(BatchPlan, threads), .preset = 1, .least = 0, .most = POOL_MAX_THREADS,
     .help = "Threads that share the games; 0: one for each core."},
    {"stride", FIELD_WHOLE, FIELD_AT(BatchPlan, stride), .preset = 1, .least = 0, .most = 0x1p53,
     .help = "How much larger the number of the game that follows is."},
};
const Fields batch_fields = FIELDS(batch_field);

// ---------------------------------------------------------------------------------------------------
// Making one

static void fill_tables(Batch *batch) {
    int width = batch->rules->width;
    batch->actions = ORIENTATIONS * width;
    for (int action = 0; action < batch->actions; action++)
        batch->placement[action] = (int8_t)placement_make(action / width, action % width);
    for (int piece = 0; piece < PIECES; piece++) {
        batch->inside[piece] = placements_inside(piece, width);
        for (int action = 0; action < batch->actions; action++)
            batch->inside_mask[piece][action] = batch->inside[piece] >> batch->placement[action] & 1;
    }
}

Batch *batch_new(const Rules *rules, uint64_t max_pieces, size_t games, Error *error) {
    if (games < 1 || games > BATCH_MAX_GAMES)
        return error_null(error, "A batch has 1 to %d games, not %zu.", BATCH_MAX_GAMES, games);
    Batch *batch = calloc(1, sizeof *batch);
    if (batch)
        batch->game = aligned_alloc(_Alignof(BatchGame), games * sizeof *batch->game);
    if (!batch || !batch->game) {
        error_set(error, "Out of memory for a batch of %zu games.", games);
        batch_free(batch);
        return NULL;
    }
    batch->rules = rules;
    batch->max_pieces = max_pieces;
    batch->games = games;
    fields_preset(batch_fields, &batch->plan);
    fill_tables(batch);
    memset(batch->game, 0, games * sizeof *batch->game);
    for (size_t k = 0; k < games; k++) {
        batch->game[k].seed = 1;
        batch->game[k].number = k - batch->plan.stride;
    }
    batch_reset(batch, NULL, NULL, NULL);
    return batch;
}

void batch_free(Batch *batch) {
    if (!batch)
        return;
    feature_list_free(batch->list);
    free(batch->game);
    free(batch);
}

static void unbind(Batch *batch) {
    memset(batch->bound, 0, sizeof batch->bound);
    memset(batch->bound_final, 0, sizeof batch->bound_final);
}

bool batch_set_features(Batch *batch, const FeatureId *features, int count, Error *error) {
    FeatureList *list = NULL;
    if (count && !(list = feature_list_new(features, count, batch->rules, error)))
        return false;
    feature_list_free(batch->list);
    batch->list = list;
    batch->features = count;
    for (int f = 0; f < count; f++)
        batch->feature[f] = features[f];
    unbind(batch);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// One game

static bool is_over(const BatchGame *game) {
    return game->game.state != GAME_RUNNING;
}

// Which placements does the next step take?
static void look(const Batch *batch, BatchGame *game) {
    if (__builtin_expect(is_over(game), 0)) {
        game->possible = batch->plan.autoreset == BATCH_NEXT_STEP ? ~(uint64_t)0 : 0;
    } else if (batch->rules->original && !original_is_open(&game->game.board, batch->rules)) {
        Moves moves;
        moves_list(&moves, batch->rules, &game->game.board, game->game.piece);
        game->possible = moves.possible;
    } else {
        game->possible = batch->inside[game->game.piece];
    }
}

void batch_set_plan(Batch *batch, const BatchPlan *plan) {
    batch->plan = *plan;
    unbind(batch);
    for (size_t k = 0; k < batch->games; k++)
        look(batch, &batch->game[k]);
}

static void start(const Batch *batch, BatchGame *game) {
    game_start(&game->game, batch->rules, game->seed, game->number);
    game->started = true;
    look(batch, game);
}

// A game that follows another one by a step of its own.
static void start_by_step(const Batch *batch, BatchGame *game) {
    game->number += batch->plan.stride;
    game->reward = 0;
    game->terminated = game->truncated = false;
    start(batch, game);
}

// After a move: what it was worth, and whether the game goes on.
static void conclude(Batch *batch, size_t k, uint64_t lines_before) {
    BatchGame *game = &batch->game[k];
    int lines = (int)(game->game.lines - lines_before);
    if (game->game.state == GAME_RUNNING && game->game.pieces >= batch->max_pieces)
        game->game.state = GAME_STOPPED;
    game->started = false;
    game->terminated = game->game.state == GAME_OVER;
    game->truncated = is_over(game) && !game->terminated;
    game->reward = lines;
    if (batch->plan.reward == BATCH_UCT)
        game->reward = (uct_rewards[lines] + (game->terminated ? uct_lost : 0)) / UCT_UNIT;
    look(batch, game);
    if (is_over(game) && batch->plan.autoreset == BATCH_SAME_STEP) {
        batch_write_final(batch, k);
        game->number += batch->plan.stride;
        start(batch, game);
    }
}

// ---------------------------------------------------------------------------------------------------
// All games

typedef struct Stepping {
    Batch *batch;
    const int64_t *actions; // of the caller, or
    const Player *player;   // who chooses
    int64_t *chosen;        // what is to be written is what the player would do, and nothing else
    size_t range;
} Stepping;

static void step_by_action(Batch *batch, size_t k, int64_t action) {
    BatchGame *game = &batch->game[k];
    uint64_t lines = game->game.lines;
    if (__builtin_expect(is_over(game), 0)) { // it was checked that the mode allows it
        start_by_step(batch, game);
        return;
    }
    bool known = action >= 0 && action < batch->actions;
    if (known && game->possible >> batch->placement[action] & 1)
        game_move(&game->game, batch->rules, batch->placement[action], NULL);
    else
        game_end(&game->game);
    conclude(batch, k, lines);
}

// All games of a range side by side.
static void step_by_player(Batch *batch, const Player *player, size_t from, size_t to) {
    Turn turn[RANGE];
    uint64_t lines[RANGE];
    size_t playing[RANGE];
    int count = 0;
    for (size_t k = from; k < to; k++) {
        BatchGame *game = &batch->game[k];
        if (is_over(game)) {
            start_by_step(batch, game);
            continue;
        }
        turn[count] = (Turn){&game->game, 1, -1, TURN_ANY_HEIGHT};
        lines[count] = game->game.lines;
        playing[count++] = k;
    }
    player_run_turns(player, count, turn, NULL, NULL);
    for (int i = 0; i < count; i++) {
        const Game *game = &batch->game[playing[i]].game;
        if (game->state != GAME_RUNNING)
            player_forget(player, game);
        conclude(batch, playing[i], lines[i]);
    }
}

static void choose_for_game(const Stepping *stepping, size_t k) {
    const Batch *batch = stepping->batch;
    BatchGame *game = &batch->game[k];
    stepping->chosen[k] = 0;
    if (is_over(game))
        return;
    Placement placement = player_choose(stepping->player, &game->game);
    if (placement == PLACEMENT_NONE) // whatever it does ends the game
        placement = __builtin_ctzll(game->possible);
    stepping->chosen[k] =
        placement_orientation(placement) * batch->rules->width + placement_column(placement);
}

static void step_range(void *context, uint64_t index, int thread) {
    (void)thread;
    const Stepping *stepping = context;
    size_t from = index * stepping->range, to = from + stepping->range;
    to = to < stepping->batch->games ? to : stepping->batch->games;
    if (stepping->chosen) {
        for (size_t k = from; k < to; k++)
            choose_for_game(stepping, k);
        return;
    }
    if (stepping->player)
        step_by_player(stepping->batch, stepping->player, from, to);
    for (size_t k = from; k < to && stepping->actions; k++)
        step_by_action(stepping->batch, k, stepping->actions[k]);
    batch_write(stepping->batch, from, to);
}

// Slow players are worth a thread for a single game; of the others many share one.
static void step_all(Stepping *stepping) {
    const Batch *batch = stepping->batch;
    bool slow = stepping->player && !player_is_fast(stepping->player);
    int threads = batch->plan.threads ? batch->plan.threads : pool_cores();
    if (!slow && batch->games < FEWEST_FOR_THREADS)
        threads = 1;
    stepping->range = slow ? 1 : RANGE;
    uint64_t ranges = (batch->games + stepping->range - 1) / stepping->range;
    if (threads == 1 || !pool_run(threads, ranges, step_range, stepping, NULL, NULL))
        for (uint64_t r = 0; r < ranges; r++)
            step_range(stepping, r, 0);
}

void batch_reset(Batch *batch, const uint64_t *seeds, const uint64_t *numbers, const uint8_t *chosen) {
    for (size_t k = 0; k < batch->games; k++) {
        BatchGame *game = &batch->game[k];
        if (chosen && !chosen[k]) {
            game->started = false;
            continue;
        }
        game->number = numbers ? numbers[k] : seeds ? 0 : game->number + batch->plan.stride;
        game->seed = seeds ? seeds[k] : game->seed;
        game->reward = 0;
        game->terminated = game->truncated = false;
        start(batch, game);
    }
    batch_write(batch, 0, batch->games);
}

static bool check_running(const Batch *batch, size_t k, Error *error) {
    return !is_over(&batch->game[k]) || batch->plan.autoreset == BATCH_NEXT_STEP ||
           error_set(
               error,
               "Game %zu of the batch is over, and autoreset is disabled: reset it before the next step.", k);
}

static bool check_all_running(const Batch *batch, Error *error) {
    for (size_t k = 0; k < batch->games; k++)
        if (!check_running(batch, k, error))
            return false;
    return true;
}

static bool refuse(const Batch *batch, size_t k, int64_t action, Error *error) {
    int piece = batch->game[k].game.piece, width = batch->rules->width;
    if (action < 0 || action >= batch->actions)
        return error_set(error, "Game %zu of the batch: there is no action %" PRId64 ": give 0 to %d.", k,
                         action, batch->actions - 1);
    return error_set(error,
                     "Game %zu of the batch: action %" PRId64
                     ", orientation %d at column %d, is not possible for the piece %c: give one that the "
                     "mask shows, or set illegal to end.",
                     k, action, (int)action / width, (int)action % width, piece_letter[piece]);
}

static bool check_actions(const Batch *batch, const int64_t *actions, Error *error) {
    for (size_t k = 0; k < batch->games; k++) {
        const BatchGame *game = &batch->game[k];
        if (__builtin_expect(is_over(game), 0)) {
            if (!check_running(batch, k, error))
                return false;
        } else if (batch->plan.illegal == BATCH_REFUSE &&
                   !((uint64_t)actions[k] < (uint64_t)batch->actions &&
                     game->possible >> batch->placement[actions[k]] & 1)) {
            return refuse(batch, k, actions[k], error);
        }
    }
    return true;
}

bool batch_step(Batch *batch, const int64_t *actions, Error *error) {
    if (!check_actions(batch, actions, error))
        return false;
    step_all(&(Stepping){.batch = batch, .actions = actions});
    return true;
}

static bool check_player(const Batch *batch, const Player *player, Error *error) {
    const Rules *own = player_rules(player), *rules = batch->rules;
    return (own->width == rules->width && own->height == rules->height && own->overflow == rules->overflow &&
            own->original == rules->original) ||
           error_set(error,
                     "The player %s is for other rules than the batch: board, overflow and rules must be the "
                     "same (%dx%d, %s, %s here).",
                     player_strategy(player)->name, rules->width, rules->height,
                     rules_overflow_name(rules->overflow), rules->original ? "original" : "simplified");
}

bool batch_play(Batch *batch, const Player *player, Error *error) {
    if (!check_player(batch, player, error) || !check_all_running(batch, error))
        return false;
    step_all(&(Stepping){.batch = batch, .player = player});
    return true;
}

bool batch_choose(Batch *batch, const Player *player, int64_t *actions, Error *error) {
    if (!check_player(batch, player, error))
        return false;
    step_all(&(Stepping){.batch = batch, .player = player, .chosen = actions});
    return true;
}
