// SPDX-License-Identifier: GPL-3.0-or-later
// How many states a second a database stores: boards and pieces of many games played by bcts, with rewards
// and placements made up. The time counts from the first put until the database is closed: every batch is on
// the disk by then. Built and run by scripts/database-speed.
//
// Usage: database_speed FILE STATES
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "player/database.h"
#include "player/player.h"

typedef struct Root {
    Board board;
    int piece;
    Placement placement;
} Root;

static _Noreturn void fail(const Error *error) {
    fprintf(stderr, "database_speed: %s\n", error->text);
    exit(1);
}

// One state a move, from different games of 200 moves each.
static void play(Root *root, size_t states, const Rules *rules, Error *error) {
    Strategy strategy;
    Player *player =
        strategy_find(&strategy, "bcts", error) ? player_new(&strategy, rules, NULL, error) : NULL;
    if (!player)
        fail(error);
    Game game = {.state = GAME_OVER};
    for (size_t i = 0; i < states; i++) {
        if (game.state != GAME_RUNNING || i % 200 == 0)
            game_start(&game, rules, 1, i);
        Placement placement = player_choose(player, &game);
        root[i] = (Root){game.board, game.piece, placement == PLACEMENT_NONE ? 0 : placement};
        game_move(&game, rules, root[i].placement, NULL);
    }
    player_free(player);
}

// Seconds of this process on a core: what the time would be on a machine that does nothing else, but for the
// disk.
static double core_seconds(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double store(const char *path, const Root *root, size_t states, const Rules *rules, Error *error) {
    Database *database = database_open(path, DATABASE_WRITE, error);
    if (!database)
        fail(error);
    double start = clock_seconds(), last = start, core = core_seconds();
    for (size_t i = 0; i < states; i++) {
        Visit visit = {(double)(i % 41) / 10, 1ull << root[i].placement, 1000};
        if (!database_put(database, rules, &root[i].board, root[i].piece, &visit, error))
            fail(error);
        if ((i + 1) % (states / 5) == 0) {
            double now = clock_seconds();
            printf("%9zu states, the last fifth at %8.0f a second\n", i + 1,
                   (double)(states / 5) / (now - last));
            last = now;
        }
    }
    if (!database_close(database, error))
        fail(error);
    printf("%.2f s of a core for that\n", core_seconds() - core);
    return clock_seconds() - start;
}

int main(int argc, char **argv) {
    Error error = {""};
    size_t states = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    Root *root = states >= 5 ? aligned_alloc(64, states * sizeof *root) : NULL;
    if (!root) {
        fprintf(stderr, "Usage: database_speed FILE STATES\n");
        return 2;
    }
    Rules rules;
    DatabaseStat stat;
    rules_default(&rules);
    play(root, states, &rules, &error);
    double seconds = store(argv[1], root, states, &rules, &error);
    double begin = clock_seconds();
    Database *database = database_open(argv[1], DATABASE_READ, &error);
    if (!database)
        fail(&error);
    double opened = clock_seconds();
    for (size_t i = 0; i < states; i++) {
        Visit visit;
        if (database_get(database, &rules, &root[i].board, root[i].piece, &visit, &error) != 1)
            fail(&error);
    }
    double end = clock_seconds();
    if (!database_stat(database, &stat, &error) || !database_close(database, &error))
        fail(&error);
    printf("%zu states put in %.2f s, disk included: %.0f a second\n", states, seconds,
           (double)states / seconds);
    printf("%llu different ones, %.1f bytes each; opened and checked in %.3f s, %.0f read a second\n",
           (unsigned long long)stat.states, (double)stat.bytes / (double)stat.states, opened - begin,
           (double)states / (end - opened));
    free(root);
    return 0;
}
