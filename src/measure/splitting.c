// SPDX-License-Identifier: GPL-3.0-or-later
// Multilevel splitting; splitting.h explains it. The copies are spread evenly over the runs in the order of
// their importance (systematic resampling), which has less variance than drawing them.
#include "measure/splitting.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/pool.h"
#include "measure/splitting_rules.h"

enum {
    MOVES = 2,           // between two looks at the importance
    CROWD = 2,           // times the trials: so many runs at most at a time
    LONG = 2000,         // times the trials: pieces after which fewer and fewer runs are kept
    WARM_UP = 500,       // pieces until an empty board has become a typical one
    LOOK_AHEAD = 500,    // pieces that tell how long it will take to leave A as often as there are trials,
    ENTRIES_LIMIT = 400, //   at most so many times as many pieces
    SAMPLE_EVERY = 4,    // looks at the importance
    BUCKETS = 256,       // of levels, for sorting
    SLICE = 1 << 13      // pieces between two looks at `stop`
};
static const double DECLINE = 0.9; // of the runs at each look, after a long time

// ---------------------------------------------------------------------------------------------------
// States

// What a run needs to go on: board, pieces in hand and in the bag. The random numbers are new each time.
typedef struct State {
    uint32_t column[BOARD_MAX_WIDTH];
    int8_t piece, next;
    uint8_t bag[PIECES], bag_left;
} State;

// A run that has left A and is neither lost nor back. Its weight is the repetition's scale / chance of its
// level.
typedef struct Path {
    State state;
    int32_t sample; // the last one of its past, -1: none
    int32_t level;  // of its importance
    double share;   // how many copies of it are to go on, on average
} Path;
_Static_assert(2 * CROWD * sizeof(Path) + CROWD * sizeof(uint32_t) <= SPLITTING_TRIAL_BYTES,
               "what a trial costs in memory");

static void save(State *state, const Game *game) {
    memcpy(state->column, game->board.column, sizeof state->column);
    state->piece = (int8_t)game->piece;
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

// ---------------------------------------------------------------------------------------------------
// One repetition

typedef struct Repetition {
    const SplittingPlan *plan;
    const Rules *rules;
    const volatile bool *unwanted; // may be NULL: the others suffice
    ImportanceSamples *samples;    // may be NULL
    Game game;
    Random random;     // for the copies
    bool redraw[2];    // may the piece in hand, and the next one, be drawn anew?
    Path *path, *copy; // those under way, and room for their copies
    uint32_t *order;   // of the paths by importance
    uint64_t paths;
    double scale;       // of the weights
    double lost, cells; // weight of the losses; and times the cells that they left
    double lightest;    // weight there was
    int highest;        // pile there was
    uint64_t pieces;
    bool stopped, failed;
} Repetition;

static bool is_stopped(Repetition *r) {
    return r->stopped = r->stopped || pool_stopped(r->plan->stop) || pool_stopped(r->unwanted);
}

static void run_window(Repetition *r, int low, int high, uint64_t moves) {
    r->pieces -= r->game.pieces;
    player_run_turns(r->plan->player, 1, &(Turn){&r->game, moves, low, high}, NULL, NULL);
    r->pieces += r->game.pieces;
}

// Plays until the pile leaves the window, the game is lost, or `end` pieces have been played in all.
static void play_until(Repetition *r, int low, int high, uint64_t end) {
    do
        run_window(r, low, high, end - r->pieces < SLICE ? end - r->pieces : SLICE);
    while (r->game.state == GAME_RUNNING && r->pieces < end && !is_stopped(r));
}

// The importance of the game's board, which the path has come to.
static void look(Repetition *r, Path *path, double term[IMPORTANCE_TERMS]) {
    int top = importance_terms(path->state.column, r->rules->width, r->rules->height, term);
    path->level = importance_level(importance_sum(&r->plan->importance, term));
    r->highest = top > r->highest ? top : r->highest;
}

static void lose(Repetition *r, double weight) {
    r->lost += weight;
    r->cells += weight * board_cells(&r->game.board, r->rules->width);
}

static void keep_entry(Repetition *r) {
    double term[IMPORTANCE_TERMS];
    Path *path = &r->path[r->paths++];
    save(&path->state, &r->game);
    look(r, path, term);
    path->sample = -1;
}

// Plays on for so many pieces. -> keep  the boards with which it leaves A, as far as there is room. Those of
// lost games (low boards allow losing from within A) count as losses at once. <- how often it left A
static uint64_t watch_entries(Repetition *r, uint64_t pieces, bool keep) {
    Game *game = &r->game;
    int base = r->plan->base;
    uint64_t entries = 0, end = r->pieces + pieces;
    bool above = board_pile_height(&game->board, r->rules->width) > base;
    while (r->pieces < end && !is_stopped(r) && r->paths < CROWD * r->plan->trials) {
        uint64_t before = r->pieces;
        play_until(r, above ? base : -1, above ? TURN_ANY_HEIGHT : base + 1, end);
        bool lost = game->state == GAME_OVER, entered = !above && (lost || game->state == GAME_PAUSED);
        entries += entered;
        if (entered && keep && lost)
            lose(r, 1);
        else if (entered && keep)
            keep_entry(r);
        above = lost ? false : game->state == GAME_PAUSED ? !above : above;
        if (lost)
            game_restart(game);
        r->pieces += r->pieces == before; // a game lost at once must not be played for ever
    }
    return entries;
}

// The number of pieces is fixed before, not that of entries: so the rate is unbiased, however few there are.
// <- entries per piece, 0: there was none
static double collect_entries(Repetition *r) {
    watch_entries(r, WARM_UP, false);
    double some = (double)watch_entries(r, LOOK_AHEAD, false) / LOOK_AHEAD;
    uint64_t wanted = (uint64_t)((double)r->plan->trials / fmax(some, 1.0 / ENTRIES_LIMIT));
    uint64_t first = r->pieces, entries = watch_entries(r, wanted, true);
    player_forget(r->plan->player, &r->game); // the paths are other games
    r->lost /= entries ? (double)entries : 1;
    r->cells /= entries ? (double)entries : 1;
    return entries ? (double)entries / (double)(r->pieces - first) : 0;
}

// All entries have the same weight, 1 / entries. -> of_lost  the part of them that were lost games
static void share_entries(Repetition *r, double of_lost) {
    double sum = 0, kept = (double)r->paths;
    for (uint64_t i = 0; i < r->paths; i++)
        sum += importance_chance(r->path[i].level);
    for (uint64_t i = 0; i < r->paths; i++)
        r->path[i].share = importance_chance(r->path[i].level) / sum * (double)r->plan->trials;
    r->scale = (1 - of_lost) * sum / (kept * (double)r->plan->trials);
}

// By level, roughly. The first of equals stays the first. Also notes the lightest.
static void sort_paths(Repetition *r) {
    uint32_t begin[BUCKETS + 1] = {0};
    int least = INT32_MAX, most = INT32_MIN;
    for (uint64_t i = 0; i < r->paths; i++) {
        least = r->path[i].level < least ? r->path[i].level : least;
        most = r->path[i].level > most ? r->path[i].level : most;
    }
    r->lightest = fmin(r->lightest, r->scale / importance_chance(most));
    int wide = (most - least) / BUCKETS + 1; // levels in a bucket
    for (uint64_t i = 0; i < r->paths; i++)
        begin[(r->path[i].level - least) / wide + 1]++;
    for (int b = 0; b < BUCKETS; b++)
        begin[b + 1] += begin[b];
    for (uint64_t i = 0; i < r->paths; i++)
        r->order[begin[(r->path[i].level - least) / wide]++] = (uint32_t)i;
}

// Copies each path as often as its share says, on average; the others end here.
static void copy_paths(Repetition *r) {
    double sum = 0, factor = 1, crowd = CROWD * (double)r->plan->trials;
    for (uint64_t i = 0; i < r->paths; i++)
        sum += r->path[i].share;
    if (sum > crowd)
        factor = crowd / sum;
    if (r->pieces > LONG * r->plan->trials)
        factor *= DECLINE;
    r->scale /= factor;
    sort_paths(r);
    uint64_t copies = 0;
    double at = random_unit(&r->random);
    for (uint64_t i = 0; i < r->paths; i++) {
        const Path *path = &r->path[r->order[i]];
        uint64_t from = (uint64_t)at, to = (uint64_t)(at += path->share * factor);
        for (uint64_t k = from; k < to && copies < CROWD * r->plan->trials + 1; k++)
            r->copy[copies++] = *path;
    }
    Path *swap = r->path;
    r->path = r->copy;
    r->copy = swap;
    r->paths = copies;
}

static void take_samples(Repetition *r) {
    for (uint64_t i = 0; i < r->paths && !r->failed; i++) {
        Path *path = &r->path[i];
        double term[IMPORTANCE_TERMS];
        importance_terms(path->state.column, r->rules->width, r->rules->height, term);
        path->sample = importance_sample(r->samples, term, path->level,
                                         r->scale / importance_chance(path->level), path->sample);
        r->failed = path->sample < 0;
    }
}

// Pieces that the player has not seen yet are drawn anew, so that copies differ at once.
static void resume(Repetition *r, const Path *path) {
    Game *game = &r->game;
    restore(game, &path->state);
    if (r->redraw[0])
        game->piece = piece_stream_next(&game->stream);
    if (r->redraw[1])
        game->next = piece_stream_next(&game->stream);
}

// Plays some moves of each path. What is back in A is done with.
static void play_paths(Repetition *r) {
    uint64_t left = 0;
    double term[IMPORTANCE_TERMS];
    for (uint64_t i = 0; i < r->paths; i++) {
        Path path = r->path[i];
        resume(r, &path);
        run_window(r, r->plan->base, TURN_ANY_HEIGHT, MOVES);
        player_forget(r->plan->player, &r->game); // the next path is another game
        if (r->game.state == GAME_OVER) {
            double weight = r->scale / importance_chance(path.level);
            lose(r, weight);
            if (r->samples)
                importance_lost(r->samples, path.sample, weight);
        } else if (r->game.state == GAME_RUNNING) {
            int before = path.level;
            save(&path.state, &r->game);
            look(r, &path, term);
            path.share = importance_chance(path.level - before);
            r->path[left++] = path;
        }
    }
    r->paths = left;
}

// <- the probability that an entry is lost before it is back in A
static double follow_paths(Repetition *r) {
    share_entries(r, r->lost);
    for (int look = 0; r->paths && !is_stopped(r) && !r->failed; look++) {
        copy_paths(r);
        if (r->samples && look % SAMPLE_EVERY == 0)
            take_samples(r);
        play_paths(r);
    }
    return r->lost;
}

static void estimate(Repetition *r, SplittingRun *run) {
    double rate = collect_entries(r);
    r->lightest = 1;
    run->lambda = rate * follow_paths(r);
    run->reached = run->lambda > 0 ? run->lambda : rate * r->lightest;
    run->extinct = run->lambda > 0 ? 0 : rate > 0 ? r->highest + 1 : r->plan->base + 1;
    run->cells = run->lambda > 0 ? r->cells / r->lost : NAN;
    run->pieces = r->pieces;
    run->done = !r->stopped;
}

static bool make_room(Repetition *r) {
    uint64_t most = CROWD * r->plan->trials + 2;
    r->path = malloc(most * sizeof *r->path);
    r->copy = malloc(most * sizeof *r->copy);
    r->order = malloc(most * sizeof *r->order);
    return r->path && r->copy && r->order;
}

static bool repeat(const SplittingPlan *plan, uint64_t number, const volatile bool *unwanted,
                   ImportanceSamples *samples, SplittingRun *run, Error *error) {
    Repetition *r = aligned_alloc(64, (sizeof *r + 63) / 64 * 64);
    *run = (SplittingRun){0};
    if (r) {
        memset(r, 0, sizeof *r);
        r->plan = plan;
        r->rules = player_rules(plan->player);
        r->unwanted = unwanted;
        r->samples = samples;
        bool independent = r->rules->pieces.law == PIECES_INDEPENDENT;
        r->redraw[0] = independent && strategy_sees(player_strategy(plan->player)) < 2;
        r->redraw[1] = independent;
    }
    bool good = r && make_room(r);
    if (good) {
        game_start(&r->game, r->rules, plan->seed, splitting_stream(number, false));
        r->random = random_stream(plan->seed, splitting_stream(number, false), RANDOM_SPLITTING);
        estimate(r, run);
        good = !r->failed;
    }
    if (r) {
        free(r->path);
        free(r->copy);
        free(r->order);
    }
    free(r);
    return good || error_set(error, "There is no memory for %llu boards; ask for fewer trials.",
                             2ull * CROWD * (unsigned long long)plan->trials);
}

bool splitting_repeat(const SplittingPlan *plan, uint64_t number, SplittingRun *run, Error *error) {
    return repeat(plan, number, NULL, NULL, run, error);
}

bool splitting_observe(const SplittingPlan *plan, uint64_t number, ImportanceSamples *samples,
                       SplittingRun *run, Error *error) {
    return repeat(plan, number, NULL, samples, run, error);
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
        if (splitting_is_over(splitting, plan) || splitting->runs == team->most)
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
        good = repeat(plan, number, &team->finished, NULL, &run, &error);
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
    if (!splitting_check(plan->player, error))
        return false;
    if (plan->base < 1 || plan->base > rules->height - 2)
        return error_set(error, "The base height must be between 1 and %d on a board %d rows high, not %d.",
                         rules->height - 2, rules->height, plan->base);
    if (plan->trials < SPLITTING_LEAST_TRIALS || plan->trials > SPLITTING_MAX_TRIALS)
        return error_set(error, "Splitting takes %d to %d trials, not %llu.", SPLITTING_LEAST_TRIALS,
                         SPLITTING_MAX_TRIALS, (unsigned long long)plan->trials);
    Team team = {.plan = plan, .splitting = splitting, .error = error};
    splitting->wanted = plan->repetitions ? plan->repetitions : SPLITTING_LEAST_REPETITIONS;
    splitting->risk = plan->repetitions ? 0 : splitting_risk(0);
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
