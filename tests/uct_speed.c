// SPDX-License-Identifier: GPL-3.0-or-later
// How many phases per second UCT plans, and how many a plain tree walk does (tests/uct_plain.h): the same
// positions, options and random numbers, a fresh tree for every move, one thread; the moves must be the same.
// Built and run by scripts/uct-speed.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "player/player.h"
#include "uct_plain.h"

// <- processor time in seconds: other programs may be running
static double used(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

typedef struct Times {
    double fast, plain;
    int moves, different;
} Times;

static void time_moves(Times *times, const Player *uct, const UctOptions *options, const Rules *rules,
                       uint64_t index, int moves) {
    Game game;
    game_start(&game, rules, 1, index);
    for (int i = 0; i < moves && game.state == GAME_RUNNING; i++) {
        Game other = game;
        double before = used();
        Placement placement = player_choose(uct, &game);
        if (placement == PLACEMENT_NONE)
            return;
        times->fast += used() - before;
        double started = used();
        times->different += plain_uct(options, rules, &other) != placement;
        times->plain += used() - started;
        times->moves++;
        game_move(&game, rules, placement, NULL);
        player_forget(uct, &game);
    }
}

// Usage: uct_speed PHASES LAMBDA GAMMA MOVES
int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    Rules rules;
    rules_default(&rules);
    UctOptions options = {
        .pieces = 10, .preview = 10, .phases = strtoull(argv[1], NULL, 10), .lambda = strtod(argv[2], NULL)};
    for (int rows = 0; rows < STRATEGY_ROWS; rows++)
        options.gamma[rows] = strtod(argv[3], NULL);
    Strategy strategy = {.name = "uct", .player = PLAYER_UCT, .ties = TIES_RANDOM, .uct = options};
    Player *uct = player_new(&strategy, &rules, NULL, NULL);
    if (!uct)
        return 1;
    Times times = {0};
    int moves = atoi(argv[4]);
    for (uint64_t game = 0; times.moves < moves && game < 1000; game++)
        time_moves(&times, uct, &options, &rules, game, moves - times.moves < 40 ? moves - times.moves : 40);
    double phases = (double)options.phases * times.moves;
    printf("lambda %s, gamma %s: %d moves of %s phases, %d of them different\n", argv[2], argv[3],
           times.moves, argv[1], times.different);
    printf("  tetralab         %9.0f phases/s\n  plain tree walk  %9.0f phases/s\n  ratio            %9.1f\n",
           phases / times.fast, phases / times.plain, times.plain / times.fast);
    player_free(uct);
    rules_free(&rules);
    return times.different ? 1 : 0;
}
