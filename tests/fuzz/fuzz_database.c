// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for the file of a database: any bytes are refused with a sentence, or can be read, verified and
// written to. What verifies as good can be read to the end, and takes states and gives them back.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "player/database.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool fact) {
    if (!fact)
        abort();
}

static bool look(void *context, const VisitedState *state) {
    uint64_t *states = context;
    ++*states;
    require(state->piece >= 0 && state->piece < PIECES && state->visit.placements && state->puts &&
            board_pile_height(&state->board, state->width) <= state->height);
    return true;
}

static bool use(Database *database) {
    Error error = {""}, later = {""};
    uint64_t verified = 0, states = 0;
    DatabaseStat stat;
    bool good = database_verify(database, &verified, &error);
    require(good || error.text[0]);
    require(database_each(database, look, &states, &later) || later.text[0]);
    require(!good || (!later.text[0] && states == verified));
    require(database_stat(database, &stat, &later) ? !good || stat.states == states : later.text[0] != 0);
    return good;
}

static void put(Database *database, bool good) {
    Rules rules;
    Error error = {""};
    Visit visit = {1, 1, 1}, there;
    rules_default(&rules);
    for (int piece = 0; piece < PIECES; piece++)
        require(database_put(database, &rules, &(Board){{1}}, piece, &visit, &error));
    require(database_flush(database, &error) || (!good && error.text[0]));
    int found = database_get(database, &rules, &(Board){{1}}, 0, &there, &error);
    // In a tree whose order is damaged, a search may miss what is there.
    require(found == 1 ? there.reward >= 1 : !good && (found == 0 || error.text[0]));
}

static bool try_open(const char *path, DatabaseMode mode) {
    Error error = {""};
    Database *database = database_open(path, mode, &error);
    require(database || strlen(error.text) > 20);
    if (!database)
        return false;
    bool good = use(database);
    if (mode == DATABASE_WRITE) {
        put(database, good);
        require(use(database) || !good);
    }
    return database_close(database, &error) || error.text[0];
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64], name[80];
    snprintf(path, sizeof path, "/dev/shm/tetralab-fuzz-%ld.db", (long)getpid());
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && write(file, data, size) == (ssize_t)size && !close(file));
    if (try_open(path, DATABASE_READ))
        try_open(path, DATABASE_WRITE);
    unlink(path);
    static const char *const beside[] = {"-wal", "-shm", "-journal"};
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s%s", path, beside[i]);
        unlink(name);
    }
    return 0;
}
