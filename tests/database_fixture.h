// SPDX-License-Identifier: GPL-3.0-or-later
// A folder for databases, and states made up for tests: state k is the same wherever it is made.
#ifndef TETRALAB_TESTS_DATABASE_FIXTURE_H
#define TETRALAB_TESTS_DATABASE_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "player/database.h"
#include "random_boards.h"

static char database_folder[64];

static inline const char *in_folder(const char *name) {
    static char path[4][256];
    static int turn;
    char *out = path[turn++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", database_folder, name);
    return out;
}

// -> parent  NULL: memory if possible, where nothing waits for a disk
static inline int make_database_folder(const char *parent) {
    snprintf(database_folder, sizeof database_folder, "%.30s/tetralab-db-XXXXXX",
             parent ? parent : "/dev/shm");
    if (mkdtemp(database_folder))
        return 0;
    snprintf(database_folder, sizeof database_folder, "/tmp/tetralab-db-XXXXXX");
    return mkdtemp(database_folder) ? 0 : -1;
}

static inline int remove_database_folder(void **state) {
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", database_folder);
    return system(command);
}

static inline Database *must_open(const char *path, DatabaseMode mode) {
    Error error = {""};
    Database *database = database_open(path, mode, &error);
    if (!database)
        fail_msg("%s", error.text);
    return database;
}

static inline void must(bool good, const Error *error) {
    if (!good)
        fail_msg("%s", error->text);
}

static inline void must_close(Database *database) {
    Error error = {""};
    must(database_close(database, &error), &error);
}

static inline void assert_holds(const char *text, const char *part) {
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %s", part, text);
}

typedef struct MadeState {
    Rules rules;
    Board board;
    int piece;
} MadeState;

static inline uint64_t possible_placements(int piece, int width) {
    uint64_t set = 0;
    for (int o = 0; o < piece_orientations[piece]; o++)
        for (int x = 0; x + piece_shape[piece][o].width <= width; x++)
            set |= 1ull << placement_make(o, x);
    return set;
}

// -> any_rules  of any size and kind; else 10x20 and the default ones
static inline void make_state(MadeState *state, uint64_t seed, uint64_t k, bool any_rules) {
    Random random = random_stream(seed, k, RANDOM_TEST);
    rules_default(&state->rules);
    if (any_rules) {
        state->rules.width = random_between(&random, BOARD_MIN_WIDTH, BOARD_MAX_WIDTH);
        state->rules.height = random_between(&random, BOARD_MIN_HEIGHT, BOARD_MAX_HEIGHT);
        state->rules.gameover = (GameOver)random_below(&random, 2);
        state->rules.original = random_below(&random, 4) == 0;
        state->rules.overflow = state->rules.original ? OVERFLOW_LENIENT : (Overflow)random_below(&random, 3);
    }
    random_board(&state->board, &random, state->rules.width, random_between(&random, 0, state->rules.height));
    state->piece = random_between(&random, 0, PIECES - 1);
}

// Few different rewards: equal ones are to be common.
static inline Visit make_visit(Random *random, const MadeState *state) {
    uint64_t possible = possible_placements(state->piece, state->rules.width);
    Visit visit = {.reward = (double)random_below(random, 5) / 10 - 0.1,
                   .phases = random_below(random, 2000)};
    while (!visit.placements)
        visit.placements = possible & random_next(random) & random_next(random);
    return visit;
}

static inline void assert_visits_equal(const Visit *a, const Visit *b) {
    if (a->reward != b->reward || a->placements != b->placements || a->phases != b->phases)
        fail_msg("%g %llx %llu differs from %g %llx %llu", a->reward, (unsigned long long)a->placements,
                 (unsigned long long)a->phases, b->reward, (unsigned long long)b->placements,
                 (unsigned long long)b->phases);
}

#endif
