// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/long_games.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/pool.h"
#include "base/text.h"
#include "base/utf8.h"
#include "measure/splitting.h"

enum {
    PATIENCE = 4,    // seconds before anything is looked at
    WATCHED = 20000, // pieces
    REPETITIONS = 8, // of splitting, if no game was lost in them
    TRIALS = 200,    //   with so many trials,
    ATTEMPTS = 6,    //   the importance being steeper each time, until a game is lost
    ENOUGH_LOST = 3, // games whose mean length is believed
    HOUR = 3600,
    SLICE = 16 // moves between two looks at the clock
};
static const double STEEPER = 1.3;
static const double TIMED = 0.1; // seconds for which the speed of moves is watched

// <- sum of the lambdas of some repetitions; NAN: stopped, or without memory
static double sum_lambdas(const SplittingPlan *plan, uint64_t first) {
    double sum = 0;
    for (uint64_t k = first; k < first + REPETITIONS; k++) {
        SplittingRun run;
        Error error;
        if (!splitting_repeat(plan, k, &run, &error) || !run.done)
            return NAN;
        sum += run.lambda;
    }
    return sum;
}

double long_games_pieces(const Player *player, const volatile bool *stop) {
    SplittingPilot pilot;
    Error error;
    if (!splitting_check(player, &error) ||
        !splitting_watch(&pilot, player, 1, 0, 1, WATCHED, UINT64_MAX, &(Work){.stop = stop}))
        return INFINITY;
    if (pilot.lost >= ENOUGH_LOST)
        return pilot.game_pieces;
    SplittingPlan plan = {.player = player,
                          .seed = 1,
                          .base = pilot.base,
                          .trials = TRIALS,
                          .importance = importance_usual,
                          .work = {.stop = stop}};
    double sum = 0;
    for (uint64_t k = 0; k < ATTEMPTS && sum == 0; k++) {
        sum = sum_lambdas(&plan, k * REPETITIONS);
        importance_scale(&plan.importance, STEEPER);
    }
    return sum > 0 ? REPETITIONS / sum : INFINITY;
}

const char *long_games_sentence(const char *command, const char *name, double pieces, double seconds,
                                char sentence[LONG_GAMES_SENTENCE]) {
    char length[24], time[24];
    sentence[0] = 0;
    if (isfinite(seconds) && seconds >= HOUR)
        snprintf(sentence, LONG_GAMES_SENTENCE,
                 "tetralab %s: a game of %.80s lasts about %s pieces here, and all games together about %s: "
                 "'tetralab measure' finds the mean lines of such players in seconds.",
                 command, name, text_count(pieces, length), text_seconds(seconds, time));
    return sentence;
}

// <- seconds that a move takes
static double time_of_move(const Player *player) {
    Game game;
    double start = clock_seconds(), spent = 0;
    game_start(&game, player_rules(player), 1, 0);
    for (; game.state == GAME_RUNNING && spent < TIMED; spent = clock_seconds() - start)
        player_run(player, &game, SLICE);
    player_forget(player, &game);
    return game.pieces ? spent / (double)game.pieces : 0;
}

static void look(LongGames *watch) {
    double seconds = 0, longest = 0;
    const char *name = "";
    for (int k = 0; k < watch->players; k++) {
        const Player *player = watch->player[k];
        double pieces = long_games_pieces(player, &watch->ended);
        if (pool_stopped(&watch->ended))
            return;
        seconds += (double)watch->games * pieces * time_of_move(player) / watch->jobs;
        if (pieces > longest) {
            longest = pieces;
            name = player_strategy(player)->name;
        }
    }
    char sentence[LONG_GAMES_SENTENCE];
    if (*long_games_sentence(watch->command, name, longest, seconds, sentence))
        utf8_print(stderr, "%s\n", sentence);
}

static void *wait_and_look(void *context) {
    LongGames *watch = context;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    pthread_mutex_lock(&watch->lock);
    for (int code = 0; !watch->ended && code == 0;)
        code = pthread_cond_timedwait(&watch->changed, &watch->lock, &until);
    bool ended = watch->ended;
    pthread_mutex_unlock(&watch->lock);
    if (!ended)
        look(watch);
    return NULL;
}

void long_games_begin(LongGames *watch) {
    watch->ended = false;
    pthread_mutex_init(&watch->lock, NULL);
    pthread_cond_init(&watch->changed, NULL);
    watch->started = pthread_create(&watch->thread, NULL, wait_and_look, watch) == 0;
}

void long_games_end(LongGames *watch) {
    pthread_mutex_lock(&watch->lock);
    __atomic_store_n(&watch->ended, true, __ATOMIC_RELAXED);
    pthread_cond_signal(&watch->changed);
    pthread_mutex_unlock(&watch->lock);
    if (watch->started)
        pthread_join(watch->thread, NULL);
    pthread_cond_destroy(&watch->changed);
    pthread_mutex_destroy(&watch->lock);
}
