// SPDX-License-Identifier: GPL-3.0-or-later
// Plays whole games on all cores. Lengths of games are exponential, so that handing out games in fixed
// batches would leave slots, and at the end cores, without work. Each thread has a few games under way
// (which player_run interleaves), plays all of them on by a slice, then replaces those that ended. When
// no game is left to start, a thread that has several gives some to one that has none. Slices are fitted to
// take about 20 ms and to end few games; nothing in a score depends on them. A player that searches has one
// game a thread under way: it gains nothing from more, and UCT keeps a tree for each and may have a database,
// through which games would depend on the slices.
#include "measure/playing.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"

enum { FIRST_SLICE = 32, LEAST_SLICE = 16, MAX_SLICE = 1 << 20, FIRST_ROOM = 1024 };
static const double SHORT_SLICE = 0.01, LONG_SLICE = 0.04; // seconds

// What one thread has under way.
typedef struct Hand {
    Game game[PLAYING_MAX_BATCH];
    uint64_t index[PLAYING_MAX_BATCH]; // the games' numbers
    int count, room;
    uint64_t slice;
    uint64_t pieces, lines; // of the last slice
} Hand;

typedef struct Gift {
    Game game;
    uint64_t index;
} Gift;

// What the threads share, all of it under the lock.
typedef struct Run {
    const PlayingPlan *plan;
    Playing *playing;
    int jobs, batch;
    uint64_t need;         // games that must end by themselves; UINT64_MAX: as many as there are
    uint64_t most;         // games to start at most
    uint64_t next;         // first game that is not started
    uint64_t room;         // of playing->score
    uint64_t prefix;       // games 0 ... prefix-1 are done,
    uint64_t prefix_ended; // so many of them ended by themselves
    PlayingStatus status;
    Gift *gift; // games that wait for a thread without any; room for jobs + PLAYING_MAX_BATCH
    int gifts, hungry;
    bool finished, failed;
    pthread_mutex_t lock;
    pthread_cond_t changed;
} Run;

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static bool stopped(const Run *run) {
    return run->plan->stop && __atomic_load_n(run->plan->stop, __ATOMIC_RELAXED);
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

static void drop_slot(Hand *hand, int i) {
    hand->count--;
    hand->game[i] = hand->game[hand->count];
    hand->index[i] = hand->index[hand->count];
}

static void store_ended(Run *run, Hand *hand) {
    for (int i = hand->count - 1; i >= 0; i--)
        if (hand->game[i].state != GAME_RUNNING) {
            store(run, &hand->game[i], hand->index[i]);
            drop_slot(hand, i);
        }
}

// A game is started only if it is likely to be needed: when so many must end, about so many plus
// those already censored are played.
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

static void start_games(Run *run, Hand *hand) {
    uint64_t share = (startable(run) + (uint64_t)run->jobs - 1) / (uint64_t)run->jobs;
    uint64_t count = least(share, (uint64_t)(hand->room - hand->count));
    if (count == 0 || !make_room(run, run->next + count))
        return;
    for (; count > 0; count--) {
        run->playing->score[run->next] = (Score){0};
        hand->index[hand->count] = run->next;
        start_game(run->plan, &hand->game[hand->count], run->plan->first + run->next);
        hand->count++;
        run->next++;
        run->status.running++;
    }
}

// Takes a fair share of the gifts: run->hungry others wait as well.
static void take_gifts(Run *run, Hand *hand) {
    int share = (run->gifts + run->hungry) / (run->hungry + 1);
    for (; share > 0 && hand->count < hand->room; share--) {
        const Gift *gift = &run->gift[--run->gifts];
        hand->game[hand->count] = gift->game;
        hand->index[hand->count] = gift->index;
        hand->count++;
    }
}

static void give_games(Run *run, Hand *hand) {
    if (run->gifts >= run->hungry)
        return;
    for (int spare = hand->count / 2; spare > 0; spare--) {
        hand->count--;
        run->gift[run->gifts++] = (Gift){hand->game[hand->count], hand->index[hand->count]};
    }
}

// Ends everything that is under way in this hand and among the gifts.
static void stop_games(Run *run, Hand *hand) {
    for (; hand->count > 0; hand->count--) {
        store(run, &hand->game[hand->count - 1], hand->index[hand->count - 1]);
        give_up(run, &hand->game[hand->count - 1]);
    }
    for (; run->gifts > 0; run->gifts--) {
        store(run, &run->gift[run->gifts - 1].game, run->gift[run->gifts - 1].index);
        give_up(run, &run->gift[run->gifts - 1].game);
    }
}

static void report(Run *run, const Hand *hand) {
    run->status.pieces += hand->pieces;
    run->status.lines += hand->lines;
    if (run->plan->progress)
        run->plan->progress(run->plan->context, &run->status);
}

// Between two slices: hands in what ended and takes new work. <- false: there is none any more
static bool take_work(Run *run, Hand *hand) {
    pthread_mutex_lock(&run->lock);
    report(run, hand);
    store_ended(run, hand);
    if (!run->finished && stopped(run))
        run->playing->interrupted = run->finished = true;
    for (;;) {
        if (run->playing->interrupted)
            stop_games(run, hand);
        if (!run->finished)
            start_games(run, hand);
        for (; run->finished && hand->count > 0; hand->count--) // not needed any more
            give_up(run, &hand->game[hand->count - 1]);
        if (!run->finished && hand->count == 0)
            take_gifts(run, hand);
        if (hand->count > 0 || run->finished)
            break;
        run->hungry++;
        pthread_cond_wait(&run->changed, &run->lock);
        run->hungry--;
    }
    give_games(run, hand);
    if (run->hungry > 0)
        pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    return hand->count > 0;
}

static void fit_slice(Hand *hand, double seconds, int ended) {
    if ((seconds > LONG_SLICE || ended * 2 > hand->count) && hand->slice > LEAST_SLICE)
        hand->slice /= 2;
    else if (seconds < SHORT_SLICE && ended * 4 <= hand->count && hand->slice < MAX_SLICE)
        hand->slice *= 2;
}

static void count_hand(const Hand *hand, uint64_t *pieces, uint64_t *lines) {
    *pieces = *lines = 0;
    for (int i = 0; i < hand->count; i++) {
        *pieces += hand->game[i].pieces;
        *lines += hand->game[i].lines;
    }
}

static void play_slice(const Run *run, Hand *hand) {
    uint64_t moves = hand->slice, max_pieces = run->plan->max_pieces, pieces, lines;
    for (int i = 0; i < hand->count && max_pieces; i++)
        moves = least(moves, max_pieces - hand->game[i].pieces);
    count_hand(hand, &pieces, &lines);
    double start = clock_seconds();
    player_run(run->plan->player, hand->game, hand->count, moves);
    int ended = 0;
    for (int i = 0; i < hand->count; i++) {
        Game *game = &hand->game[i];
        if (game->state == GAME_RUNNING && max_pieces && game->pieces >= max_pieces) {
            game->state = GAME_STOPPED;
            give_up(run, game);
        }
        ended += game->state != GAME_RUNNING;
    }
    count_hand(hand, &hand->pieces, &hand->lines);
    hand->pieces -= pieces;
    hand->lines -= lines;
    fit_slice(hand, clock_seconds() - start, ended);
}

static void play_games(void *context, uint64_t number, int thread) {
    (void)number, (void)thread;
    Run *run = context;
    Hand hand = {.room = run->batch, .slice = FIRST_SLICE};
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
    if (plan->batch < 0 || plan->batch > PLAYING_MAX_BATCH)
        return error_set(error, "A thread can have 1 to %d games under way, not %d.", PLAYING_MAX_BATCH,
                         plan->batch);
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

static int best_batch(const Player *player) {
    return player_is_fast(player) ? PLAYING_BATCH : 1;
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
    bool done = pool_run(run->jobs, (uint64_t)run->jobs, play_games, run, NULL, error);
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
    Run run = {.plan = plan, .playing = playing, .jobs = plan->jobs};
    run.batch = plan->batch ? plan->batch : best_batch(plan->player);
    set_goal(&run);
    double start = clock_seconds();
    run.gift = aligned_alloc(_Alignof(Gift), ((size_t)run.jobs + PLAYING_MAX_BATCH) * sizeof *run.gift);
    if (!run.gift || !make_room(&run, least(run.most, FIRST_ROOM))) {
        free(run.gift);
        return error_set(error, "There is no memory for the scores of the games.");
    }
    bool done = run_threads(&run, error);
    free(run.gift);
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
