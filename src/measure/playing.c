// SPDX-License-Identifier: GPL-3.0-or-later
// Plays whole games on all cores, each thread one game after the other, in slices of about 20 ms after which
// it reports and looks whether to go on. Nothing in a score depends on them. A thread that finds no game to
// start is idle until another one needs to be played.
#include "measure/playing.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"

enum { FIRST_SLICE = 32, LEAST_SLICE = 16, MAX_SLICE = 1 << 20, FIRST_ROOM = 1024 };
static const double SHORT_SLICE = 0.01, LONG_SLICE = 0.04; // seconds

// What one thread has under way.
typedef struct Hand {
    Game game;
    uint64_t index; // the game's number
    bool playing;   // is there one?
    uint64_t slice;
    uint64_t pieces, lines; // of the last slice
} Hand;

// What the threads share, all of it under the lock.
typedef struct Run {
    const PlayingPlan *plan;
    Playing *playing;
    uint64_t need;         // games that must end by themselves; UINT64_MAX: as many as there are
    uint64_t most;         // games to start at most
    uint64_t next;         // first game that is not started
    uint64_t room;         // of playing->score
    uint64_t prefix;       // games 0 ... prefix-1 are done,
    uint64_t prefix_ended; // so many of them ended by themselves
    PlayingStatus status;
    bool finished, failed;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} Run;

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static void store(Run *run, const Game *game, uint64_t index) {
    Score *score = &run->playing->score[index];
    score->lines = game->lines;
    score->pieces = game->pieces;
    score->censored = game->state != GAME_OVER;
    score->played = true;
    if (index == 0)
        run->playing->first = *game;
    run->status.running--;
    if (score->censored)
        run->status.censored++;
    else
        run->status.ended++;
    while (run->prefix < run->next && run->playing->score[run->prefix].played &&
           run->prefix_ended < run->need)
        run->prefix_ended += !run->playing->score[run->prefix++].censored;
    if (run->prefix_ended == run->need || run->prefix == run->most)
        run->finished = true;
}

// The game is not played on.
static void give_up(const Run *run, const Game *game) {
    player_forget(run->plan->player, game);
}

// A game is started only if it is likely to be needed: those that must end, and one more for each that was
// censored.
static uint64_t startable(const Run *run) {
    uint64_t most = run->most;
    if (run->need != UINT64_MAX)
        most = least(most, run->need + run->status.censored);
    return most > run->next ? most - run->next : 0;
}

static bool make_room(Run *run, uint64_t games) {
    if (games <= run->room)
        return true;
    uint64_t room = least(run->most, games + run->room);
    Score *score = realloc(run->playing->score, room * sizeof *score);
    if (!score) {
        run->failed = run->finished = true;
        return false;
    }
    run->playing->score = score;
    run->room = room;
    return true;
}

static void start_game(const PlayingPlan *plan, Game *game, uint64_t number) {
    game_start(game, player_rules(plan->player), plan->seed, plan->same_pieces ? 0 : number);
    game->ties = random_stream(plan->seed, number, RANDOM_TIES);
}

// Takes the next game, which is then to be started. <- false: there is none now
static bool take_game(Run *run, Hand *hand) {
    if (startable(run) == 0 || !make_room(run, run->next + 1))
        return false;
    hand->playing = true;
    hand->index = run->next++;
    run->playing->score[hand->index] = (Score){0};
    run->status.running++;
    return true;
}

// A run for a precision may need more games than it has started, if some of these are censored.
static bool may_need_more(const Run *run) {
    return run->need != UINT64_MAX;
}

// The run has ended: with this game as it is if it was interrupted, else without it.
static void drop_game(Run *run, Hand *hand) {
    if (run->playing->interrupted)
        store(run, &hand->game, hand->index);
    give_up(run, &hand->game);
    hand->playing = false;
}

static void report(Run *run, const Hand *hand) {
    run->status.pieces += hand->pieces;
    run->status.lines += hand->lines;
    if (run->plan->progress)
        run->plan->progress(run->plan->context, &run->status);
}

// Between two slices: hands in a game that ended and takes the next one. <- false: there is none any more
static bool take_work(Run *run, Hand *hand) {
    bool fresh = false;
    pthread_mutex_lock(&run->lock);
    report(run, hand);
    if (hand->playing && hand->game.state != GAME_RUNNING) {
        store(run, &hand->game, hand->index);
        hand->playing = false;
    }
    if (!run->finished && pool_stopped(run->plan->stop))
        run->playing->interrupted = run->finished = true;
    while (!run->finished && !hand->playing && !(fresh = take_game(run, hand)) && may_need_more(run))
        pthread_cond_wait(&run->changed, &run->lock); // idle
    if (run->finished && hand->playing && !fresh)
        drop_game(run, hand);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    if (fresh)
        start_game(run->plan, &hand->game, run->plan->first + hand->index);
    return hand->playing;
}

static void fit_slice(Hand *hand, double seconds) {
    if (seconds > LONG_SLICE && hand->slice > LEAST_SLICE)
        hand->slice /= 2;
    else if (seconds < SHORT_SLICE && hand->slice < MAX_SLICE)
        hand->slice *= 2;
}

static void play_slice(const Run *run, Hand *hand) {
    Game *game = &hand->game;
    uint64_t most = run->plan->max_pieces, moves = hand->slice, pieces = game->pieces, lines = game->lines;
    if (most)
        moves = least(moves, most - pieces);
    double start = clock_seconds();
    player_run(run->plan->player, game, moves);
    if (game->state == GAME_RUNNING)
        fit_slice(hand, clock_seconds() - start);
    if (game->state == GAME_RUNNING && most && game->pieces >= most) {
        game->state = GAME_STOPPED;
        give_up(run, game);
    }
    hand->pieces = game->pieces - pieces;
    hand->lines = game->lines - lines;
}

static void play_games(void *context, uint64_t number, int thread) {
    (void)number, (void)thread;
    Run *run = context;
    Hand hand = {.slice = FIRST_SLICE};
    while (take_work(run, &hand))
        play_slice(run, &hand);
}

bool playing_is_fixed(const Player *player) {
    return player_rules(player)->pieces.law == PIECES_RECORDED && !player_draws(player);
}

static bool check_plan(const PlayingPlan *plan, Error *error) {
    if (plan->games > PLAYING_MAX_GAMES)
        return error_set(error, "%llu games are too many; at most %d can be played at once.",
                         (unsigned long long)plan->games, PLAYING_MAX_GAMES);
    if (plan->games == 0 && !(plan->precision > 0))
        return error_set(error, "The precision to play for must be above 0; it is %g.", plan->precision);
    if (plan->jobs < 1 || plan->jobs > POOL_MAX_THREADS)
        return error_set(error, "Games can be played by 1 to %d threads, not by %d.", POOL_MAX_THREADS,
                         plan->jobs);
    if (plan->games != 1 && playing_is_fixed(plan->player))
        return error_set(error,
                         "A recorded sequence of pieces is one game, however often %s plays it: ask for one.",
                         player_strategy(plan->player)->name);
    if (plan->same_pieces && !player_draws(plan->player))
        return error_set(
            error, "With the same pieces %s plays the same game every time: it draws no random numbers.",
            player_strategy(plan->player)->name);
    return true;
}

static void set_goal(Run *run) {
    const PlayingPlan *plan = run->plan;
    bool counted = plan->games > 0;
    run->need = counted ? UINT64_MAX : interval_games_for(plan->precision, PLAYING_MAX_GAMES);
    run->most = counted ? plan->games : PLAYING_MAX_GAMES;
    run->status.wanted = counted ? plan->games : run->need;
}

static bool run_threads(Run *run, Error *error) {
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->changed, NULL);
    bool done = pool_run(run->plan->jobs, (uint64_t)run->plan->jobs, play_games, run, NULL, error);
    pthread_cond_destroy(&run->changed);
    pthread_mutex_destroy(&run->lock);
    if (done && run->failed)
        return error_set(error, "There is no memory for the scores of more than %llu games.",
                         (unsigned long long)run->room);
    return done;
}

bool playing_run(Playing *playing, const PlayingPlan *plan, Error *error) {
    *playing = (Playing){0};
    if (!check_plan(plan, error))
        return false;
    Run run = {.plan = plan, .playing = playing};
    set_goal(&run);
    double start = clock_seconds();
    if (!make_room(&run, least(run.most, FIRST_ROOM)))
        return error_set(error, "There is no memory for the scores of the games.");
    bool done = run_threads(&run, error);
    playing->games = playing->interrupted ? run.next : run.prefix;
    playing->precise = plan->games == 0 && run.prefix_ended >= run.need;
    playing->pieces = run.status.pieces;
    playing->seconds = clock_seconds() - start;
    return done;
}

void playing_free(Playing *playing) {
    free(playing->score);
    playing->score = NULL;
}
