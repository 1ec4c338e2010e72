// SPDX-License-Identifier: GPL-3.0-or-later
// Multilevel splitting; splitting.h explains it. The restarts are spread evenly over the states kept
// (systematic resampling), which has less variance than drawing them.
#include "measure/splitting.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "measure/splitting_rules.h"

enum {
    BATCH = 8,           // restarted games, each with a stream of its own
    WARM_UP = 500,       // pieces until an empty board has become a typical one
    ENTRIES_LIMIT = 400, // times the wanted entries: pieces after which a player counts as never leaving A
    SLICE = 1 << 13,     // pieces between two looks at `stop`
    NEVER = 32           // a height no pile has
};

// ---------------------------------------------------------------------------------------------------
// States

// What a run needs to go on: board, pieces in hand and in the bag. The random numbers are new each time.
typedef struct State {
    uint32_t column[BOARD_MAX_WIDTH];
    int8_t piece, next; // piece LOST: the game is over
    uint8_t bag[PIECES], bag_left;
} State;
_Static_assert(sizeof(State) <= SPLITTING_STATE_BYTES, "what a state costs in memory");
enum { LOST = -2 };

static void save(State *state, const Game *game) {
    memcpy(state->column, game->board.column, sizeof state->column);
    state->piece = (int8_t)(game->state == GAME_OVER ? LOST : game->piece);
    state->next = (int8_t)game->next;
    memcpy(state->bag, game->stream.bag, sizeof state->bag);
    state->bag_left = game->stream.bag_left;
}

static void restore(Game *game, const State *state) {
    memcpy(game->board.column, state->column, sizeof state->column);
    game->piece = state->piece;
    game->next = state->next;
    memcpy(game->stream.bag, state->bag, sizeof state->bag);
    game->stream.bag_left = state->bag_left;
    game->state = GAME_RUNNING;
    game->pieces = game->lines = 0;
}

static int state_height(const State *state) {
    uint32_t occupied = 0;
    for (int x = 0; x < BOARD_MAX_WIDTH; x++)
        occupied |= state->column[x];
    return column_height(occupied);
}

static int state_cells(const State *state) {
    int cells = 0;
    for (int x = 0; x < BOARD_MAX_WIDTH; x++)
        cells += __builtin_popcount(state->column[x]);
    return cells;
}

// ---------------------------------------------------------------------------------------------------
// One repetition

typedef struct Repetition {
    const SplittingPlan *plan;
    const volatile bool *unwanted; // may be NULL: the others suffice
    Game game[BATCH];
    Random random;    // for the restarts
    State *from, *to; // states kept at the level before, and at this one
    uint64_t kept;    // of `from`
    uint64_t pieces;
    bool stopped;
    double noise; // sum of (1 - p) / p over the levels: the variance if trials were independent
} Repetition;

// Game streams of repetition `number`: numbers no whole game of the same seed uses.
static uint64_t stream_index(uint64_t number, int slot) {
    return ((uint64_t)1 << 63) + number * (BATCH + 1) + (uint64_t)slot;
}

static void start(Repetition *r, int slot, uint64_t number) {
    game_start(&r->game[slot], player_rules(r->plan->player), r->plan->seed, stream_index(number, slot));
}

static bool is_stopped(Repetition *r) {
    return r->stopped = r->stopped || pool_stopped(r->plan->stop) || pool_stopped(r->unwanted);
}

static void run_window(Repetition *r, Game *game, int low, int high, uint64_t moves) {
    r->pieces -= game->pieces;
    player_run_window(r->plan->player, game, moves, &(HeightWindow){low, high});
    r->pieces += game->pieces;
}

// Plays until the pile leaves the window, the game is lost, or `limit` pieces have been played in all.
static void play_until(Repetition *r, Game *game, int low, int high, uint64_t limit) {
    do
        run_window(r, game, low, high, SLICE);
    while (game->state == GAME_RUNNING && r->pieces < limit && !is_stopped(r));
}

static void warm_up(Repetition *r, Game *game) {
    for (uint64_t left = WARM_UP; left;) {
        uint64_t before = game->pieces;
        run_window(r, game, -1, NEVER, left);
        left -= game->pieces - before;
        if (game->state == GAME_OVER) {
            game_restart(game);
            left -= left > 0;
        }
    }
}

// Plays on and keeps the boards with which it leaves A. <- entries per piece, 0: it never does
static double collect_entries(Repetition *r) {
    Game *game = &r->game[0];
    uint64_t wanted = r->plan->trials;
    int base = r->plan->base;
    warm_up(r, game);
    // Only whole rounds from A to A count, so that the rate is one of a stationary run.
    if (board_pile_height(&game->board, player_rules(r->plan->player)->width) > base)
        play_until(r, game, base, NEVER, UINT64_MAX);
    if (game->state == GAME_OVER)
        game_restart(game);
    uint64_t first = r->pieces, limit = first + wanted * ENTRIES_LIMIT, spent = 0;
    r->kept = 0;
    while (r->kept < wanted && r->pieces < limit && !is_stopped(r)) {
        play_until(r, game, -1, base + 1, limit);
        if (game->state == GAME_PAUSED ||
            game->state == GAME_OVER) // lost from within A, which low boards allow
            save(&r->from[r->kept++], game);
        if (game->state == GAME_PAUSED)
            play_until(r, game, base, NEVER, UINT64_MAX);
        if (game->state == GAME_OVER)
            game_restart(game);
        spent = r->pieces - first;
    }
    return spent ? (double)r->kept / (double)spent : 0;
}

// Plays all restarted games until they leave the window or are lost. <- false: stopped before
static bool finish_trials(Repetition *r, int count, int low, int high) {
    for (bool running = true; running && !is_stopped(r);) {
        running = false;
        for (int k = 0; k < count; k++)
            if (r->game[k].state == GAME_RUNNING) {
                run_window(r, &r->game[k], low, high, SLICE);
                running = running || r->game[k].state == GAME_RUNNING;
            }
    }
    return !r->stopped;
}

// Restarts from the states kept until `high` is reached (or, NEVER, until the game is lost). <- successes
static uint64_t run_level(Repetition *r, int high) {
    uint64_t trials = r->plan->trials, successes = 0, offset = random_next(&r->random) % r->kept;
    int base = r->plan->base, waiting = 0;
    for (uint64_t t = 0; t < trials || waiting; t++) {
        if (t < trials) {
            const State *state = &r->from[(uint64_t)(((unsigned __int128)t * r->kept + offset) / trials)];
            if (state->piece == LOST || (high != NEVER && state_height(state) >= high)) {
                r->to[successes++] = *state;
                continue;
            }
            restore(&r->game[waiting++], state);
            if (waiting < BATCH && t + 1 < trials)
                continue;
        }
        if (!finish_trials(r, waiting, base, high))
            return 0;
        for (int k = 0; k < waiting; k++) {
            const Game *game = &r->game[k];
            if (game->state == GAME_OVER ||
                (high != NEVER &&
                 board_pile_height(&game->board, player_rules(r->plan->player)->width) >= high))
                save(&r->to[successes++], game);
            player_forget(r->plan->player, game); // the next trial is another game
        }
        waiting = 0;
    }
    return successes;
}

static void estimate(Repetition *r, SplittingRun *run) {
    int height = player_rules(r->plan->player)->height;
    run->lambda = collect_entries(r);
    run->extinct = run->lambda > 0 ? 0 : r->plan->base + 1;
    for (int high = r->plan->base + 2; run->lambda > 0 && high <= height + 1; high++) {
        uint64_t successes = run_level(r, high > height ? NEVER : high);
        double p = (double)successes / (double)r->plan->trials;
        run->reached = successes ? run->lambda * p : run->lambda;
        run->lambda *= p;
        if (!successes)
            run->extinct = high;
        else
            r->noise += (1 - p) / p;
        State *swap = r->from;
        r->from = r->to;
        r->to = swap;
        r->kept = successes;
    }
    double cells = 0;
    for (uint64_t k = 0; run->lambda > 0 && k < r->kept; k++)
        cells += state_cells(&r->from[k]);
    run->cells = run->lambda > 0 ? cells / (double)r->kept : NAN;
    run->pieces = r->pieces;
    run->done = !r->stopped;
}

static bool repeat(const SplittingPlan *plan, uint64_t number, const volatile bool *unwanted,
                   SplittingRun *run, double *noise, Error *error) {
    Repetition *r = aligned_alloc(64, (sizeof *r + 63) / 64 * 64);
    *run = (SplittingRun){0};
    if (r) {
        memset(r, 0, sizeof *r);
        r->plan = plan;
        r->unwanted = unwanted;
        r->from = malloc(plan->trials * sizeof *r->from);
        r->to = malloc(plan->trials * sizeof *r->to);
    }
    bool good = r && r->from && r->to;
    if (good) {
        for (int slot = 0; slot < BATCH; slot++)
            start(r, slot, number);
        r->random = random_stream(plan->seed, stream_index(number, BATCH), RANDOM_SPLITTING);
        estimate(r, run);
        if (noise)
            *noise = r->noise;
    }
    if (r) {
        free(r->from);
        free(r->to);
    }
    free(r);
    return good || error_set(error, "There is no memory for two times %llu boards; ask for fewer trials.",
                             (unsigned long long)plan->trials);
}

bool splitting_repeat(const SplittingPlan *plan, uint64_t number, SplittingRun *run, Error *error) {
    return repeat(plan, number, NULL, run, NULL, error);
}

// ---------------------------------------------------------------------------------------------------
// Pilot

enum { PILOT_TRIALS = 1000, PILOT_MAX_TRIALS = 100 * PILOT_TRIALS };

static bool check_player(const Player *player, Error *error) {
    const Rules *rules = player_rules(player);
    if (rules->pieces.law == PIECES_RECORDED)
        return error_set(
            error, "Splitting restarts games with other pieces, which a recorded sequence does not have;"
                   " use --method games.");
    return true;
}

static void watch_heights(SplittingPilot *pilot, const Player *player, uint64_t seed, uint64_t stream,
                          uint64_t pieces, uint64_t most_lost, const volatile bool *stop) {
    const Rules *rules = player_rules(player);
    Game game;
    game_start(&game, rules, seed, stream);
    while (pilot->pieces < pieces && pilot->lost < most_lost && !pool_stopped(stop)) {
        uint64_t before = game.pieces;
        player_run(player, &game, 1);
        pilot->pieces += game.pieces - before;
        pilot->at_height[board_pile_height(&game.board, rules->width)]++;
        if (game.state == GAME_OVER) {
            pilot->lost++;
            pilot->pieces += game.pieces == before; // a game lost at once must not be played for ever
            game_restart(&game);
        }
    }
    pilot->game_pieces = pilot->lost ? (double)pilot->pieces / (double)pilot->lost : INFINITY;
    pilot->base = splitting_base(pilot->at_height, rules->height - 2);
}

// One repetition, with more trials as long as none of them gets to a loss, tells the noise and the cost.
static bool choose_trials(SplittingPilot *pilot, const Player *player, uint64_t seed, uint64_t trials,
                          double precision, const volatile bool *stop, Error *error) {
    SplittingPlan plan = {
        .player = player, .seed = seed, .base = pilot->base, .trials = trials, .stop = stop};
    SplittingRun run;
    double noise = 0;
    do {
        if (!repeat(&plan, SPLITTING_MAX_REPETITIONS + 1, NULL, &run, &noise, error))
            return false;
        pilot->pieces += run.pieces;
        trials = plan.trials;
        plan.trials *= 10;
    } while (run.done && run.extinct && plan.trials <= PILOT_MAX_TRIALS);
    pilot->trials = run.extinct ? PILOT_MAX_TRIALS : splitting_trials(noise, precision);
    pilot->cost = (double)run.pieces / (double)trials * (double)pilot->trials * SPLITTING_AIMED_REPETITIONS;
    return true;
}

bool splitting_pilot(SplittingPilot *pilot, const Player *player, uint64_t seed, uint64_t pieces,
                     double precision, const volatile bool *stop, Error *error) {
    *pilot = (SplittingPilot){0};
    if (!check_player(player, error))
        return false;
    watch_heights(pilot, player, seed, stream_index(SPLITTING_MAX_REPETITIONS, 0), pieces, UINT64_MAX, NULL);
    uint64_t trials = pieces / 50 < SPLITTING_LEAST_TRIALS ? SPLITTING_LEAST_TRIALS : pieces / 50;
    return choose_trials(pilot, player, seed, trials < PILOT_TRIALS ? trials : PILOT_TRIALS, precision, stop,
                         error);
}

// The games of a repetition use the slots below BATCH.
bool splitting_watch(SplittingPilot *pilot, const Player *player, uint64_t seed, uint64_t number,
                     uint64_t pieces, uint64_t most_lost, const volatile bool *stop) {
    *pilot = (SplittingPilot){0};
    watch_heights(pilot, player, seed, stream_index(number, BATCH), pieces, most_lost, stop);
    return !pool_stopped(stop);
}

// ---------------------------------------------------------------------------------------------------
// Many repetitions

typedef struct Team {
    const SplittingPlan *plan;
    Splitting *splitting;
    uint64_t most;
    volatile bool finished;
    Error *error;
    bool failed;
    pthread_mutex_t lock;
} Team;

static void finish(Team *team) {
    __atomic_store_n(&team->finished, true, __ATOMIC_RELAXED);
}

// Takes the runs in order of their numbers, one more at a time, until they suffice.
static void judge(Team *team) {
    Splitting *splitting = team->splitting;
    const SplittingPlan *plan = team->plan;
    while (!team->finished && splitting->runs < team->most && splitting->run[splitting->runs].done) {
        splitting->runs++;
        splitting_summarise(splitting, player_rules(plan->player)->width);
        if (plan->progress)
            plan->progress(plan->context, splitting);
        if (splitting->runs == team->most || splitting_is_over(splitting, plan))
            finish(team);
    }
}

static void run_task(void *context, uint64_t number, int thread) {
    (void)thread;
    Team *team = context;
    const SplittingPlan *plan = team->plan;
    bool known = number < plan->known_count && plan->known[number].done, good = true;
    SplittingRun run;
    Error error;
    if (known)
        run = plan->known[number];
    else
        good = repeat(plan, number, &team->finished, &run, NULL, &error);
    pthread_mutex_lock(&team->lock);
    if (good && !run.done) {
        team->splitting->interrupted = team->splitting->interrupted || !team->finished;
        finish(team);
    } else if (good) {
        team->splitting->run[number] = run;
        if (!known && plan->finished)
            plan->finished(plan->context, number, &run);
        judge(team);
    } else if (!team->failed) {
        team->failed = true;
        finish(team);
        if (team->error)
            *team->error = error;
    }
    pthread_mutex_unlock(&team->lock);
}

bool splitting_run(Splitting *splitting, const SplittingPlan *plan, Error *error) {
    *splitting = (Splitting){0};
    const Rules *rules = player_rules(plan->player);
    if (!check_player(plan->player, error))
        return false;
    if (plan->base < 1 || plan->base > rules->height - 2)
        return error_set(error, "The base height must be between 1 and %d on a board %d rows high, not %d.",
                         rules->height - 2, rules->height, plan->base);
    if (plan->trials < SPLITTING_LEAST_TRIALS || plan->trials > SPLITTING_MAX_TRIALS)
        return error_set(error, "Splitting takes %d to %d trials per level, not %llu.",
                         SPLITTING_LEAST_TRIALS, SPLITTING_MAX_TRIALS, (unsigned long long)plan->trials);
    Team team = {.plan = plan, .splitting = splitting, .error = error};
    team.most = plan->repetitions ? plan->repetitions : SPLITTING_MAX_REPETITIONS;
    splitting->run = calloc(team.most, sizeof *splitting->run);
    if (!splitting->run)
        return error_set(error, "There is no memory for %llu repetitions.", (unsigned long long)team.most);
    double start = clock_seconds();
    pthread_mutex_init(&team.lock, NULL);
    bool done = pool_run(plan->jobs, team.most, run_task, &team, &team.finished, error) && !team.failed;
    pthread_mutex_destroy(&team.lock);
    splitting->seconds = clock_seconds() - start;
    splitting_summarise(splitting, rules->width);
    return done;
}

void splitting_free(Splitting *splitting) {
    free(splitting->run);
    splitting->run = NULL;
}
