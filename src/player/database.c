// SPDX-License-Identifier: GPL-3.0-or-later
// The database of visited states (Cai, Zhang & Nebel 2011, section 3). Cai et al. encode the field in the
// name of a file, one file a state in folders five levels deep; that hash of the file system is what SQLite
// replaces. States that are put wait in memory, in a tree where database_get finds them, until a batch is
// full or a second old. (A table of SQLite's in memory would be 60 lines less than that tree, and half as
// fast.)
#define _GNU_SOURCE // twalk_r, tdestroy
#include "player/database.h"

#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "player/database_file.h"
#include "player/database_row.h"

enum {
    BATCH = 131072,         // states that are committed together
    WAITING_MAX = 8 * BATCH // that wait when commits fail
};
static const double batch_seconds = 1;

// The second condition is for damaged files, in which a search may end at another state.
#define KEY "(rules, board, piece) = (?1, ?2, ?3) AND (+rules, +board, +piece) = (?1, ?2, ?3)"

typedef enum Query { GET, PUT, EACH, STAT, QUERIES } Query;

static const char *const query_text[QUERIES] = {
    [GET] = "SELECT * FROM states WHERE " KEY,
    // Met again, the state is combined with what is known about it, as by visit_combine.
    [PUT] = "INSERT INTO states VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET "
            "reward = max(reward, ?4), placements = CASE WHEN reward > ?4 THEN placements "
            "WHEN reward < ?4 THEN ?5 ELSE placements | ?5 END, phases = "
            "CASE WHEN phases > 9223372036854775807 - ?6 THEN 9223372036854775807 ELSE phases + ?6 END, "
            "puts = puts + ?7",
    [EACH] = "SELECT * FROM states ORDER BY rules, board, piece",
    // Of states at their limit, or in a damaged file, the sum of the phases may be no whole number.
    [STAT] = "SELECT count(*), CAST(max(total(phases), 0) AS INTEGER), count(DISTINCT rules), "
             "ifnull(avg(puts > 1), 0), "
             "(SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()) FROM states",
};

struct Database {
    Database *next; // in the list of all
    int users;      // it is opened once in a process, so that each user sees at once what another one has put
    char *path;     // absolute; owned, like what follows
    bool writable;
    sqlite3 *sql;
    sqlite3_stmt *query[QUERIES];
    pthread_mutex_t mutex;
    void *tree;          // of entries that wait
    int waiting;         // how many
    int code;            // of SQLite for the commit under way
    double since, retry; // when the first one began to wait; when a failed commit may be tried again
};

Visit visit_combine(const Visit *a, const Visit *b) {
    Visit visit = a->reward >= b->reward ? *a : *b;
    if (a->reward == b->reward)
        visit.placements = a->placements | b->placements;
    visit.phases = a->phases > INT64_MAX - b->phases ? INT64_MAX : a->phases + b->phases;
    return visit;
}

// ---------------------------------------------------------------------------------------------------
// These functions want the mutex to be held

static bool read_row(const Database *database, sqlite3_stmt *row, VisitedState *state, Error *error) {
    Error why;
    return row_read(row, state, &why) || file_damaged(database->path, why.text, error);
}

// Ends a query that reads. -> code  of its last step
static bool finish(Database *database, Query query, int code, Error *error) {
    bool good =
        code == SQLITE_ROW || code == SQLITE_DONE || file_fail(database->sql, database->path, "read", error);
    sqlite3_reset(database->query[query]);
    return good;
}

static void write_node(const void *node, VISIT order, void *context) {
    Database *database = context;
    sqlite3_stmt *row = database->query[PUT];
    if ((order != postorder && order != leaf) || database->code)
        return;
    row_write(row, *(Entry *const *)node);
    sqlite3_step(row);
    database->code = sqlite3_reset(row);
}

static bool commit(Database *database, Error *error) {
    if (!database->waiting)
        return true;
    database->code = sqlite3_exec(database->sql, "BEGIN IMMEDIATE", NULL, NULL, NULL);
    twalk_r(database->tree, write_node, database);
    if (database->code || sqlite3_exec(database->sql, "COMMIT", NULL, NULL, NULL)) {
        file_fail(database->sql, database->path, "write", error);
        sqlite3_exec(database->sql, "ROLLBACK", NULL, NULL, NULL); // some failures have undone it already
        return false;
    }
    tdestroy(database->tree, free);
    database->tree = NULL;
    database->waiting = 0;
    return true;
}

// When a commit has failed, the next one is tried a second later at the earliest: a full disk should not cost
// more time than that.
static bool commit_if_due(Database *database, Error *error) {
    double now = clock_seconds();
    bool due = database->waiting >= BATCH || now - database->since >= batch_seconds;
    if (!due || now < database->retry)
        return true;
    bool good = commit(database, error);
    database->retry = good ? 0 : clock_seconds() + batch_seconds;
    return good;
}

static bool put(Database *database, const Entry *entry, Error *error) {
    if (database->waiting >= WAITING_MAX && !commit(database, error))
        return false;
    Entry *copy = malloc(sizeof *copy), **node = NULL;
    if (copy) {
        *copy = *entry;
        node = tsearch(copy, &database->tree, entry_compare);
    }
    if (node && *node == copy) {
        if (!database->waiting++)
            database->since = clock_seconds();
        return commit_if_due(database, error);
    }
    free(copy);
    if (!node)
        return error_set(error, "Out of memory for the states that wait for %.250s.", database->path);
    (*node)->visit = visit_combine(&(*node)->visit, &entry->visit);
    (*node)->puts++;
    return commit_if_due(database, error);
}

// ---------------------------------------------------------------------------------------------------
// Opening and closing

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static Database *list;

static void database_free(Database *database) {
    for (int i = 0; i < QUERIES; i++)
        sqlite3_finalize(database->query[i]);
    sqlite3_close(database->sql);
    tdestroy(database->tree, free);
    pthread_mutex_destroy(&database->mutex);
    free(database->path);
    free(database);
}

static bool prepare(Database *database, Error *error) {
    database->sql = file_open(database->path, database->writable, error);
    for (int i = 0; i < QUERIES && database->sql; i++)
        if (sqlite3_prepare_v3(database->sql, query_text[i], -1, SQLITE_PREPARE_PERSISTENT,
                               &database->query[i], NULL))
            return file_fail(database->sql, database->path, "open", error);
    return database->sql;
}

// -> path  will be freed
static Database *database_new(char *path, bool writable, Error *error) {
    Database *database = malloc(sizeof *database);
    if (!database) {
        error_set(error, "Out of memory: cannot open %.250s.", path);
        free(path);
        return NULL;
    }
    *database = (Database){.path = path, .writable = writable, .next = list};
    pthread_mutex_init(&database->mutex, NULL);
    if (prepare(database, error))
        return list = database;
    database_free(database);
    return NULL;
}

Database *database_open(const char *path, DatabaseMode mode, Error *error) {
    bool writable = mode == DATABASE_WRITE;
    char *name;
    if (!file_find(path, writable, &name, error))
        return NULL;
    pthread_mutex_lock(&list_mutex);
    Database *database = list;
    while (database && strcmp(database->path, name))
        database = database->next;
    if (!database) {
        database = database_new(name, writable, error);
        name = NULL;
    } else if (writable && !database->writable) {
        error_set(error, "%.250s is open for reading only in this program already; close it first.", path);
        database = NULL;
    }
    if (database)
        database->users++;
    free(name);
    pthread_mutex_unlock(&list_mutex);
    return database;
}

bool database_flush(Database *database, Error *error) {
    pthread_mutex_lock(&database->mutex);
    bool good = commit(database, error);
    pthread_mutex_unlock(&database->mutex);
    return good;
}

bool database_close(Database *database, Error *error) {
    if (!database)
        return true;
    bool good = database_flush(database, error);
    pthread_mutex_lock(&list_mutex);
    if (--database->users == 0) {
        Database **link = &list;
        while (*link != database)
            link = &(*link)->next;
        *link = database->next;
        database_free(database);
    }
    pthread_mutex_unlock(&list_mutex);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// States

int database_get(Database *database, const Rules *rules, const Board *board, int piece, Visit *visit,
                 Error *error) {
    Entry key;
    VisitedState state;
    if (!entry_set_key(&key, rules, board, piece, error))
        return -1;
    pthread_mutex_lock(&database->mutex);
    sqlite3_stmt *row = database->query[GET];
    row_write(row, &key);
    int code = sqlite3_step(row), found = code == SQLITE_ROW;
    bool good = !found || read_row(database, row, &state, error);
    good = finish(database, GET, code, error) && good;
    Entry **waiting = tfind(&key, &database->tree, entry_compare);
    if (good && (found || waiting))
        *visit = !waiting ? state.visit
                 : !found ? (*waiting)->visit
                          : visit_combine(&state.visit, &(*waiting)->visit);
    found |= waiting != NULL;
    pthread_mutex_unlock(&database->mutex);
    return good ? found : -1;
}

bool database_put(Database *database, const Rules *rules, const Board *board, int piece, const Visit *visit,
                  Error *error) {
    Entry entry;
    if (!database->writable)
        return error_set(error, "%.250s was opened for reading only.", database->path);
    if (!entry_set_key(&entry, rules, board, piece, error) || !entry_set_visit(&entry, visit, error))
        return false;
    pthread_mutex_lock(&database->mutex);
    bool good = put(database, &entry, error);
    pthread_mutex_unlock(&database->mutex);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The whole database

bool database_each(Database *database, DatabaseVisitor *visitor, void *context, Error *error) {
    VisitedState state;
    pthread_mutex_lock(&database->mutex);
    sqlite3_stmt *row = database->query[EACH];
    bool good = commit(database, error);
    int code = SQLITE_DONE;
    while (good && (code = sqlite3_step(row)) == SQLITE_ROW &&
           (good = read_row(database, row, &state, error)) && visitor(context, &state))
        continue;
    good = finish(database, EACH, code, error) && good;
    pthread_mutex_unlock(&database->mutex);
    return good;
}

bool database_stat(Database *database, DatabaseStat *stat, Error *error) {
    pthread_mutex_lock(&database->mutex);
    sqlite3_stmt *row = database->query[STAT];
    bool good = commit(database, error);
    int code = good ? sqlite3_step(row) : SQLITE_DONE;
    *stat = (DatabaseStat){0};
    if (code == SQLITE_ROW) // asking for columns of no row would hide why there is none
        *stat = (DatabaseStat){.states = (uint64_t)sqlite3_column_int64(row, 0),
                               .phases = (uint64_t)sqlite3_column_int64(row, 1),
                               .rules = sqlite3_column_int(row, 2),
                               .revisits = sqlite3_column_double(row, 3),
                               .bytes = (uint64_t)sqlite3_column_int64(row, 4)};
    good = finish(database, STAT, code, error) && good;
    pthread_mutex_unlock(&database->mutex);
    return good;
}

static bool count_state(void *context, const VisitedState *state) {
    (void)state;
    ++*(uint64_t *)context;
    return true;
}

bool database_verify(Database *database, uint64_t *states, Error *error) {
    uint64_t counted = 0;
    pthread_mutex_lock(&database->mutex);
    bool good = commit(database, error) && file_check(database->sql, database->path, "integrity", error);
    pthread_mutex_unlock(&database->mutex);
    good = good && database_each(database, count_state, &counted, error);
    if (states)
        *states = counted;
    return good;
}

bool database_compact(Database *database, const char *path, Error *error) {
    if (!database_verify(database, NULL, error)) // a copy would hide the damage
        return false;
    pthread_mutex_lock(&database->mutex);
    bool good = file_compact(database->sql, path, error);
    pthread_mutex_unlock(&database->mutex);
    return good;
}
