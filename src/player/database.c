// SPDX-License-Identifier: GPL-3.0-or-later
// The database of visited states (Cai, Zhang & Nebel 2011, section 3). Cai et al. encode the field in the
// name of a file, one file a state in folders five levels deep; that hash of the file system is what SQLite
// replaces. States that are put wait in memory, in a tree where database_get finds them, until a batch is
// full or a second old; only then SQLite is asked to write.
#define _GNU_SOURCE // twalk_r, tdestroy
#include "player/database.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "player/database_entry.h"
#include "player/database_file.h"

enum {
    BATCH = 131072,         // states that are committed together
    WAITING_MAX = 8 * BATCH // that wait when commits fail
};
static const double batch_seconds = 1;

typedef enum Query { GET, PUT, EACH, STAT, QUERIES } Query;

#define ROW "rules, board, piece, reward, placements, phases, puts FROM states "

static const char *const query_text[QUERIES] = {
    [GET] = "SELECT " ROW "WHERE rules = ?1 AND board = ?2 AND piece = ?3",
    // Met again, the state is combined with what is known about it, as by visit_combine.
    [PUT] = "INSERT INTO states VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE SET "
            "reward = max(reward, ?4), placements = CASE WHEN reward > ?4 THEN placements "
            "WHEN reward < ?4 THEN ?5 ELSE placements | ?5 END, phases = "
            "CASE WHEN phases > 9223372036854775807 - ?6 THEN 9223372036854775807 ELSE phases + ?6 END, "
            "puts = puts + ?7",
    [EACH] = "SELECT " ROW "ORDER BY rules, board, piece",
    [STAT] = "SELECT count(*), total(phases), count(DISTINCT rules), ifnull(avg(puts > 1), 0), "
             "(SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()) FROM states",
};

struct Database {
    Database *next; // in the list of all
    dev_t device;
    ino_t inode;
    int users;  // it is opened once in a process, so that each user sees at once what another one has put
    char *path; // owned, like what follows
    bool writable;
    sqlite3 *sql;
    sqlite3_stmt *query[QUERIES];
    pthread_mutex_t mutex;
    void *tree;          // of entries that wait
    int waiting;         // how many
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
// Rows. These functions want the mutex to be held

static sqlite3_stmt *bind_key(Database *database, Query query, const Entry *entry) {
    sqlite3_stmt *row = database->query[query];
    sqlite3_bind_int(row, 1, entry->rules);
    sqlite3_bind_blob(row, 2, entry->cells, entry->length, SQLITE_STATIC);
    sqlite3_bind_int(row, 3, entry->piece);
    return row;
}

// -> key  what was asked for, which a damaged file need not give; NULL: anything
static bool read_row(const Database *database, sqlite3_stmt *row, const Entry *key, VisitedState *state,
                     Error *error) {
    Entry entry = {.rules = sqlite3_column_int(row, 0),
                   .length = sqlite3_column_bytes(row, 1),
                   .piece = sqlite3_column_int(row, 2),
                   .visit = {sqlite3_column_double(row, 3), (uint64_t)sqlite3_column_int64(row, 4),
                             (uint64_t)sqlite3_column_int64(row, 5)},
                   .puts = (uint64_t)sqlite3_column_int64(row, 6)};
    Error why = {"a board is too large."};
    bool fits = entry.length <= (int)sizeof entry.cells;
    if (fits && entry.length)
        memcpy(entry.cells, sqlite3_column_blob(row, 1), (size_t)entry.length);
    if (fits && key && entry_compare(&entry, key))
        return file_damaged(database->path, "another state is found than asked for.", error);
    return (fits && entry_read(&entry, state, &why)) || file_damaged(database->path, why.text, error);
}

// Ends a query. -> code  of its last step
static bool finish(Database *database, Query query, int code, Error *error) {
    bool good = code == SQLITE_ROW || code == SQLITE_DONE ||
                file_fail(database->sql, database->path, query == PUT ? "write" : "read", error);
    sqlite3_reset(database->query[query]);
    return good;
}

static bool write_row(Database *database, const Entry *entry, Error *error) {
    sqlite3_stmt *row = bind_key(database, PUT, entry);
    sqlite3_bind_double(row, 4, entry->visit.reward);
    sqlite3_bind_int64(row, 5, (sqlite3_int64)entry->visit.placements);
    sqlite3_bind_int64(row, 6, (sqlite3_int64)entry->visit.phases);
    sqlite3_bind_int64(row, 7, (sqlite3_int64)entry->puts);
    return finish(database, PUT, sqlite3_step(row), error);
}

typedef struct Writing {
    Database *database;
    bool good;
    Error *error;
} Writing;

static void write_node(const void *node, VISIT order, void *context) {
    Writing *writing = context;
    if ((order == postorder || order == leaf) && writing->good)
        writing->good = write_row(writing->database, *(Entry *const *)node, writing->error);
}

static bool run(Database *database, const char *text, Error *error) {
    return !sqlite3_exec(database->sql, text, NULL, NULL, NULL) ||
           file_fail(database->sql, database->path, "write", error);
}

static bool commit(Database *database, Error *error) {
    if (!database->waiting)
        return true;
    Writing writing = {database, run(database, "BEGIN IMMEDIATE", error), error};
    twalk_r(database->tree, write_node, &writing);
    if (!writing.good || !run(database, "COMMIT", error)) {
        run(database, "ROLLBACK", NULL); // some failures have undone it already
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

static void combine(Entry *entry, const Entry *other) {
    entry->visit = visit_combine(&entry->visit, &other->visit);
    entry->puts += other->puts;
}

static bool put(Database *database, const Entry *entry, Error *error) {
    if (database->waiting >= WAITING_MAX && !commit(database, error))
        return false;
    Entry *copy = malloc(sizeof *copy), **node = NULL;
    if (copy) {
        *copy = *entry;
        node = tsearch(copy, &database->tree, entry_compare);
    }
    if (!node) {
        free(copy);
        return error_set(error, "There is no memory for the states that wait for %.250s.", database->path);
    }
    if (*node == copy) {
        if (!database->waiting++)
            database->since = clock_seconds();
    } else {
        combine(*node, entry);
        free(copy);
    }
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

static Database *database_new(const char *path, const struct stat *status, bool writable, Error *error) {
    Database *database = calloc(1, sizeof *database);
    char *name = database ? realpath(path, NULL) : NULL;
    if (!name) {
        error_set(error, "cannot open %.250s: %s.", path, strerror(errno));
        free(database);
        return NULL;
    }
    *database = (Database){
        .path = name, .device = status->st_dev, .inode = status->st_ino, .writable = writable, .next = list};
    pthread_mutex_init(&database->mutex, NULL);
    if (prepare(database, error))
        return list = database;
    database_free(database);
    return NULL;
}

Database *database_open(const char *path, DatabaseMode mode, Error *error) {
    struct stat status;
    bool writable = mode == DATABASE_WRITE;
    if (!file_find(path, writable, &status, error))
        return NULL;
    pthread_mutex_lock(&list_mutex);
    Database *database = list;
    while (database && (database->device != status.st_dev || database->inode != status.st_ino))
        database = database->next;
    if (database && writable && !database->writable) {
        error_set(error, "%.250s is open for reading only in this program already; close it first.", path);
        database = NULL;
    } else if (!database) {
        database = database_new(path, &status, writable, error);
    }
    if (database)
        database->users++;
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
    sqlite3_stmt *row = bind_key(database, GET, &key);
    int code = sqlite3_step(row), found = code == SQLITE_ROW;
    bool good = !found || read_row(database, row, &key, &state, error);
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
    if (!entry_set_key(&entry, rules, board, piece, error))
        return false;
    entry.visit = *visit;
    entry.puts = 1;
    if (!entry_check_visit(&entry, error))
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
           (good = read_row(database, row, NULL, &state, error)) && visitor(context, &state))
        continue;
    good = finish(database, EACH, code, error) && good;
    pthread_mutex_unlock(&database->mutex);
    return good;
}

// Of a damaged file, or of two states whose phases are at their limit, the sum may be no uint64_t.
static uint64_t sum_of_phases(double sum) {
    return sum > 0 ? (uint64_t)fmin(sum, 0x1p63) : 0;
}

bool database_stat(Database *database, DatabaseStat *stat, Error *error) {
    pthread_mutex_lock(&database->mutex);
    sqlite3_stmt *row = database->query[STAT];
    bool good = commit(database, error);
    int code = good ? sqlite3_step(row) : SQLITE_DONE;
    *stat = (DatabaseStat){0};
    if (code == SQLITE_ROW) // asking for columns of no row would hide why there is none
        *stat = (DatabaseStat){.states = (uint64_t)sqlite3_column_int64(row, 0),
                               .phases = sum_of_phases(sqlite3_column_double(row, 1)),
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
    bool good = commit(database, error) &&
                file_check(database->sql, database->path, "PRAGMA integrity_check(1)", error);
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
