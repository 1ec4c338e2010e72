// SPDX-License-Identifier: GPL-3.0-or-later
// Plays whole games on all cores, each thread many side by side, in slices of about 20 ms after which it
// reports and looks whether to go on; a game that ends makes room for the next one at once. Nothing in a
// score depends on them. A thread that finds no game to start is idle until another one needs to be played.
#include "measure/playing.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"

enum { SEATS = 256, FIRST_SLICE = 32, LEAST_SLICE = 16, MAX_SLICE = 1 << 20, FIRST_ROOM = 1024 };
static const double SHORT_SLICE = 0.01, LONG_SLICE = 0.04; // seconds

// A game under way.
typedef struct Seat {
    Game game;              // first: the two pointers are the same
    uint64_t index;         // its number
    uint64_t pieces, lines; // that are reported
    uint64_t left;          // moves of the slice
    bool taken;             // is there one?
} Seat;

// What one thread has under way.
typedef struct Hand {
    struct Run *run;
    uint64_t slice; // moves of each game
    int seats, playing;
    Seat seat[SEATS];
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
    uint64_t wanted;       // games that must end, as far as one knows
    uint64_t ended, censored, running;
    uint64_t pieces, lines; // of all games, those under way included
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
    run->running--;
    if (score->censored)
        run->censored++;
    else
        run->ended++;
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
        most = least(most, run->need + run->censored);
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

// As many of the games that are left as the other threads take, so that all have something to do.
static int fair_share(const Run *run, const Hand *hand) {
    uint64_t jobs = (uint64_t)run->plan->work.jobs, games = startable(run) + run->running;
    return (int)least((uint64_t)hand->seats, (games + jobs - 1) / jobs);
}

// Starts the next game. <- false: there is none now
static bool take_game(Hand *hand, Seat *seat) {
    Run *run = hand->run;
    if (run->finished || startable(run) == 0 || !make_room(run, run->next + 1))
        return false;
    seat->taken = true;
    seat->index = run->next++;
    seat->pieces = seat->lines = 0;
    run->playing->score[seat->index] = (Score){0};
    run->running++;
    hand->playing++;
    start_game(run->plan, &seat->game, run->plan->first + seat->index);
    return true;
}

static void leave(Hand *hand, Seat *seat) {
    seat->taken = false;
    hand->playing--;
}

// The run has ended: with the games as they are if it was interrupted, else without them.
static void drop_games(Hand *hand) {
    for (int k = 0; k < hand->seats; k++) {
        Seat *seat = &hand->seat[k];
        if (!seat->taken)
            continue;
        if (hand->run->playing->interrupted)
            store(hand->run, &seat->game, seat->index);
        give_up(hand->run, &seat->game);
        leave(hand, seat);
    }
}

static void count(Run *run, Seat *seat) {
    run->pieces += seat->game.pieces - seat->pieces;
    run->lines += seat->game.lines - seat->lines;
    seat->pieces = seat->game.pieces;
    seat->lines = seat->game.lines;
}

static void report(const Run *run) {
    uint64_t done = run->plan->games ? run->ended + run->censored : run->ended;
    Advance advance = {.unit = "games",
                       .done = done,
                       .wanted = run->wanted,
                       .pieces = run->pieces,
                       .value = done ? (double)run->lines / (double)done : NAN,
                       .precision = interval_precision(run->ended, false)};
    work_tell(&run->plan->work, &advance);
}

static bool is_seat_free(const Hand *hand, int seat) {
    return !hand->seat[seat].taken;
}

// Between two slices. <- false: there is nothing to do any more
static bool take_work(Hand *hand) {
    Run *run = hand->run;
    pthread_mutex_lock(&run->lock);
    for (int k = 0; k < hand->seats; k++)
        if (!is_seat_free(hand, k))
            count(run, &hand->seat[k]);
    report(run);
    if (!run->finished && work_is_stopped(&run->plan->work))
        run->playing->interrupted = run->finished = true;
    while (!run->finished) {
        for (int k = 0; k < hand->seats && hand->playing < fair_share(run, hand); k++)
            if (is_seat_free(hand, k) && !take_game(hand, &hand->seat[k]))
                break;
        // A run for a precision may need more games than it has started, if some of these are censored.
        if (run->finished || hand->playing || run->need == UINT64_MAX)
            break;
        pthread_cond_wait(&run->changed, &run->lock); // idle
    }
    if (run->finished)
        drop_games(hand);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    return hand->playing > 0;
}

static void fit_slice(Hand *hand, double seconds) {
    if (seconds > LONG_SLICE && hand->slice > LEAST_SLICE)
        hand->slice /= 2;
    else if (seconds < SHORT_SLICE && hand->slice < MAX_SLICE)
        hand->slice *= 2;
}

// The moves of the slice, as far as the limit allows.
static void set_turn(const Hand *hand, Seat *seat, Turn *turn) {
    uint64_t most = hand->run->plan->max_pieces, moves = seat->left;
    if (most)
        moves = least(moves, most - seat->game.pieces);
    *turn = (Turn){&seat->game, moves, -1, TURN_ANY_HEIGHT};
    seat->left -= moves;
}

// Hands in a game that ended and starts the next one.
static bool next_game(void *context, Turn *turn) {
    Hand *hand = context;
    Run *run = hand->run;
    Seat *seat = (Seat *)turn->game;
    Game *game = &seat->game;
    uint64_t most = run->plan->max_pieces;
    if (game->state == GAME_RUNNING && most && game->pieces >= most) {
        game->state = GAME_STOPPED;
        give_up(run, game);
    }
    if (game->state == GAME_RUNNING)
        return false;
    seat->left += turn->moves;
    pthread_mutex_lock(&run->lock);
    count(run, seat);
    store(run, game, seat->index);
    leave(hand, seat);
    report(run);
    bool more = !work_is_stopped(&run->plan->work) && take_game(hand, seat);
    pthread_cond_broadcast(&run->changed);
    pthread_mutex_unlock(&run->lock);
    if (more)
        set_turn(hand, seat, turn);
    return more && turn->moves;
}

static void play_slice(Hand *hand) {
    Turn turn[SEATS];
    int turns = 0;
    for (int k = 0; k < hand->seats; k++)
        if (!is_seat_free(hand, k)) {
            hand->seat[k].left = hand->slice;
            set_turn(hand, &hand->seat[k], &turn[turns++]);
        }
    double start = clock_seconds();
    player_run_turns(hand->run->plan->player, turns, turn, next_game, hand);
    fit_slice(hand, clock_seconds() - start);
}

static void play_games(void *context, uint64_t number, int thread) {
    (void)number, (void)thread;
    Run *run = context;
    Hand hand;
    hand.run = run;
    hand.slice = FIRST_SLICE;
    hand.seats = player_is_fast(run->plan->player) ? SEATS : 1; // none of them learns from its games
    hand.playing = 0;
    for (int k = 0; k < hand.seats; k++)
        hand.seat[k].taken = false;
    while (take_work(&hand))
        play_slice(&hand);
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
    if (plan->work.jobs < 1 || plan->work.jobs > POOL_MAX_THREADS)
        return error_set(error, "Games can be played by 1 to %d threads, not by %d.", POOL_MAX_THREADS,
                         plan->work.jobs);
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
    run->wanted = counted ? plan->games : run->need;
}

static bool run_threads(Run *run, Error *error) {
    pthread_mutex_init(&run->lock, NULL);
    pthread_cond_init(&run->changed, NULL);
    bool done = pool_run(run->plan->work.jobs, (uint64_t)run->plan->work.jobs, play_games, run, NULL, error);
    pthread_cond_destroy(&run->changed);
    pthread_mutex_destroy(&run->lock);
    if (done && run->failed)
        return error_set(error, "Out of memory for the scores of more than %llu games.",
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
        return error_set(error, "Out of memory for the scores of the games.");
    bool done = run_threads(&run, error);
    playing->games = playing->interrupted ? run.next : run.prefix;
    playing->precise = plan->games == 0 && run.prefix_ended >= run.need;
    playing->pieces = run.pieces;
    playing->seconds = clock_seconds() - start;
    return done;
}

void playing_free(Playing *playing) {
    free(playing->score);
    playing->score = NULL;
}
