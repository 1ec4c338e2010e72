// SPDX-License-Identifier: GPL-3.0-or-later
// Tells a user who waits for whole games that they will take hours, and what to do instead. A thread of its
// own lets some seconds pass, which most games do not need; then it measures roughly how long a game lasts
// (without playing it out: measure/splitting.h), and says so on stderr if all of them take too long.
#ifndef TETRALAB_TASKS_LONG_GAMES_H
#define TETRALAB_TASKS_LONG_GAMES_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "player/player.h"

enum { LONG_GAMES_PLAYERS = 2 };

typedef struct LongGames {
    // What is played; to be filled in before long_games_begin.
    const Player *player[LONG_GAMES_PLAYERS];
    int players;
    uint64_t games; // of each
    int jobs;
    const char *command; // "play"
    // Of the thread.
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool started;
    volatile bool ended;
} LongGames;

// Without memory for a thread, nothing is said.
void long_games_begin(LongGames *watch);
void long_games_end(LongGames *watch); // the games are over, or interrupted

// Mean pieces of a game, roughly. <- INFINITY: not known
double long_games_pieces(const Player *player, const volatile bool *stop);

// <- the sentence, or "" if the games take less than an hour
// -> seconds  for all games of all players; pieces  of a game of `name`, the longest
enum { LONG_GAMES_SENTENCE = 400 };
const char *long_games_sentence(const char *command, const char *name, double pieces, double seconds,
                                char sentence[LONG_GAMES_SENTENCE]);

#endif
