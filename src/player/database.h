// SPDX-License-Identifier: GPL-3.0-or-later
// The database of visited states of the UCT player (Cai, Zhang & Nebel 2011, section 3), in an SQLite file.
//
// Key: the rules that matter, the board, the piece in hand (player/database_row.h). Value: the highest
// reward that planning from there has found, the set of placements that reach it, and how many phases stand
// behind it. Combination (section 3.1): the larger reward wins, equal ones merge their placements; phases add
// up.
//
// Writes are collected and committed together: database_put usually returns at once. What database_flush has
// acknowledged survives kill -9 and power loss; so do states that were committed because a batch was full, or
// a second old at a later put. Any number of processes may read, one commits at a time; the others wait for
// up to a minute. A file that is no Tetralab database or of another version is refused and never written to;
// so is a damaged one as soon as the damage is met. An empty file is a database that is still to be made.
//
// A database is shared by the threads of a process, but not with child processes: open it after fork. Opening
// a file a second time in a process gives the same database.
#ifndef TETRALAB_PLAYER_DATABASE_H
#define TETRALAB_PLAYER_DATABASE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "game/board.h"
#include "game/rules.h"

typedef struct Database Database;

typedef enum DatabaseMode {
    DATABASE_READ,
    DATABASE_WRITE
} DatabaseMode; // WRITE makes the file if there is none

typedef struct Visit {
    double reward;       // the highest found
    uint64_t placements; // set of Placements that reach it; not empty
    uint64_t phases;     // planning phases behind it; their sums stop at INT64_MAX
} Visit;

// NULL on error. A file that this process has open for reading only cannot be opened for writing too.
Database *database_open(const char *path, DatabaseMode mode, Error *error);
// Commits what is waiting. false: it could not; the error says why. The database is closed in any case.
bool database_close(Database *database, Error *error);

// <- 1 found, 0 not there, -1 error. Sees what was put by this process, committed or not.
int database_get(Database *database, const Rules *rules, const Board *board, int piece, Visit *visit,
                 Error *error);
// Combines with what is there. Refused: rewards that are not finite, placements that the piece cannot have,
// cells outside of the board. When a commit that was due has failed the result is false too, but the state
// waits on and is committed as soon as that is possible again; database_put tries that once a second,
// database_flush at once.
bool database_put(Database *database, const Rules *rules, const Board *board, int piece, const Visit *visit,
                  Error *error);
// Commits what is waiting. true: the disk has all that was put.
bool database_flush(Database *database, Error *error);

// <- the larger reward, equal ones merged
Visit visit_combine(const Visit *a, const Visit *b);

typedef struct DatabaseStat {
    uint64_t states, bytes, phases; // bytes: of the file
    int rules;                      // different sets of rules
    double revisits;                // states put more than once, as a share
} DatabaseStat;

bool database_stat(Database *database, DatabaseStat *stat, Error *error);
// A state as it comes out of the file.
typedef struct VisitedState {
    char rules[64]; // "10x20 lenient avoid simplified"
    int width, height, piece;
    Board board;
    Visit visit;
    uint64_t puts; // how often it was put
} VisitedState;

// Calls back with every state in the order of the keys; ends early when it returns false. It must not use the
// database: other threads wait meanwhile.
typedef bool DatabaseVisitor(void *context, const VisitedState *state);
bool database_each(Database *database, DatabaseVisitor *visitor, void *context, Error *error);
// Reads everything and checks every page and every entry. <- states  may be NULL.
// <- false: the error names the first mistake
bool database_verify(Database *database, uint64_t *states, Error *error);
// A copy without unused pages, whole or not at all. -> path  must not exist
bool database_compact(Database *database, const char *path, Error *error);

#endif
