// SPDX-License-Identifier: GPL-3.0-or-later
// The database of visited states (Cai, Zhang & Nebel 2011, section 3) as its users see it. States that are
// put wait in memory, in a hash table where database_get finds them, until a batch is full or a second old;
// only then SQLite is asked to write. Cai et al. keep a file per state in folders five levels deep; that hash
// of the file system is what SQLite replaces.
#include "player/database.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "player/database_file.h"
#include "player/database_waiting.h"

enum {
    BATCH = 131072,         // states that are committed together
    WAITING_MAX = 8 * BATCH // that wait when commits fail
};
static const double batch_seconds = 1;

// ---------------------------------------------------------------------------------------------------
// Rows

typedef enum Query { GET, ADD, CHANGE, EACH, BEGIN, COMMIT, ROLLBACK, QUERIES } Query;

static const char *const query_text[QUERIES] = {
    [GET] = "SELECT * FROM states WHERE rules = ?1 AND board = ?2 AND piece = ?3",
    [ADD] = "INSERT INTO states VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT DO NOTHING",
    [CHANGE] = "UPDATE states SET reward = ?4, placements = ?5, phases = ?6, puts = ?7, sum = ?8 "
               "WHERE rules = ?1 AND board = ?2 AND piece = ?3",
    [EACH] = "SELECT * FROM states ORDER BY rules, board, piece",
    [BEGIN] = "BEGIN IMMEDIATE",
    [COMMIT] = "COMMIT",
    [ROLLBACK] = "ROLLBACK",
};

// The open file: all databases of one file in a process share it, so that each sees at once what another one
// has put. Functions below want its mutex to be held.
typedef struct Store Store;
struct Store {
    Store *next; // in the list of all
    dev_t device;
    ino_t inode;
    int users;
    char *path; // without links. Owned, like what follows
    bool writable;
    sqlite3 *sql;
    sqlite3_stmt *query[QUERIES];
    pthread_mutex_t mutex;
    Waiting waiting;
    double since, retry; // when the first one began to wait; when a failed commit may be tried again
};

struct Database {
    Store *store;
    DatabaseMode mode;
};

static sqlite3_stmt *bind_key(Store *store, Query query, const Entry *key) {
    sqlite3_stmt *row = store->query[query];
    sqlite3_bind_int64(row, 1, key->rules);
    sqlite3_bind_blob(row, 2, key->cells, key->length, SQLITE_STATIC);
    sqlite3_bind_int(row, 3, key->piece);
    return row;
}

static sqlite3_stmt *bind_row(Store *store, Query query, const Entry *entry) {
    sqlite3_stmt *row = bind_key(store, query, entry);
    sqlite3_bind_double(row, 4, entry->visit.reward);
    sqlite3_bind_int64(row, 5, (sqlite3_int64)entry->visit.placements);
    sqlite3_bind_int64(row, 6, (sqlite3_int64)entry->visit.phases);
    sqlite3_bind_int64(row, 7, entry->puts);
    sqlite3_bind_int64(row, 8, entry_sum(entry));
    return row;
}

static bool read_row(const Store *store, sqlite3_stmt *row, Entry *entry, VisitedState *state, Error *error) {
    Error why = {""};
    int length = sqlite3_column_bytes(row, 1), piece = sqlite3_column_int(row, 2);
    if (length > ENTRY_CELLS || piece < 0 || piece >= PIECES)
        return file_damaged(store->path, "a state has a board or a piece that cannot be.", error);
    *entry = (Entry){.rules = (uint32_t)sqlite3_column_int64(row, 0),
                     .piece = (uint8_t)piece,
                     .length = (uint8_t)length,
                     .visit = {sqlite3_column_double(row, 3), (uint64_t)sqlite3_column_int64(row, 4),
                               (uint64_t)sqlite3_column_int64(row, 5)},
                     .puts = (uint32_t)sqlite3_column_int64(row, 6)};
    if (length)
        memcpy(entry->cells, sqlite3_column_blob(row, 1), (size_t)length);
    if (sqlite3_column_int64(row, 7) != entry_sum(entry))
        return file_damaged(store->path, "the check sum of a state is wrong.", error);
    return entry_read(entry, state, &why) || file_damaged(store->path, why.text, error);
}

// <- 1 found, 0 not there, -1 error
static int get_row(Store *store, const Entry *key, Entry *entry, Error *error) {
    VisitedState state;
    sqlite3_stmt *row = bind_key(store, GET, key);
    int code = sqlite3_step(row), found = code == SQLITE_ROW;
    if (found ? !read_row(store, row, entry, &state, error)
              : code != SQLITE_DONE && !file_fail(store->sql, store->path, "read", error))
        found = -1;
    sqlite3_reset(row);
    return found;
}

static bool run(Store *store, sqlite3_stmt *statement, Error *error) {
    bool good = sqlite3_step(statement) == SQLITE_DONE || file_fail(store->sql, store->path, "write", error);
    sqlite3_reset(statement);
    return good;
}

// Adds the entry, or combines it with what is there.
static bool write_row(Store *store, const Entry *entry, Error *error) {
    if (!run(store, bind_row(store, ADD, entry), error))
        return false;
    if (sqlite3_changes(store->sql))
        return true;
    Entry there;
    int found = get_row(store, entry, &there, error);
    if (found < 1)
        return found < 0 ? false : file_damaged(store->path, "a state is there twice.", error);
    entry_add(&there, entry);
    return run(store, bind_row(store, CHANGE, &there), error);
}

static bool commit(Store *store, Error *error) {
    Waiting *waiting = &store->waiting;
    if (!waiting->count)
        return true;
    if (!run(store, store->query[BEGIN], error))
        return false;
    bool good = true;
    waiting_sort(waiting);
    for (uint32_t i = 0; i < waiting->count && good; i++)
        good = write_row(store, &waiting->entry[i], error);
    good = good && run(store, store->query[COMMIT], error);
    if (good)
        waiting->count = 0;
    else if (!sqlite3_get_autocommit(store->sql)) // some failures have undone it already
        run(store, store->query[ROLLBACK], NULL);
    waiting_index(waiting);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Opening and closing

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static Store *list;

static void store_free(Store *store) {
    for (int i = 0; i < QUERIES; i++)
        sqlite3_finalize(store->query[i]);
    sqlite3_close(store->sql);
    pthread_mutex_destroy(&store->mutex);
    waiting_free(&store->waiting);
    free(store->path);
    free(store);
}

static bool open_store(Store *store, const char *path, Error *error) {
    store->path = realpath(path, NULL);
    if (!store->path)
        return error_set(error, "cannot open %.250s: %s.", path, strerror(errno));
    store->sql = file_open(store->path, store->writable, error);
    for (int i = 0; i < QUERIES && store->sql; i++)
        if (sqlite3_prepare_v3(store->sql, query_text[i], -1, SQLITE_PREPARE_PERSISTENT, &store->query[i],
                               NULL))
            return file_fail(store->sql, path, "open", error);
    return store->sql;
}

static Store *store_new(const char *path, const struct stat *status, bool writable, Error *error) {
    Store *store = malloc(sizeof *store);
    if (!store) {
        error_set(error, "There is no memory to open %.250s.", path);
        return NULL;
    }
    *store = (Store){.device = status->st_dev, .inode = status->st_ino, .writable = writable};
    pthread_mutex_init(&store->mutex, NULL);
    if (open_store(store, path, error))
        return store;
    store_free(store);
    return NULL;
}

// <- the store of the file, one user more
static Store *join_store(const char *path, const struct stat *status, bool writable, Error *error) {
    Store *store = list;
    while (store && (store->device != status->st_dev || store->inode != status->st_ino))
        store = store->next;
    if (store && writable && !store->writable) {
        error_set(error, "%.250s is open for reading only in this program already; close it first.", path);
        return NULL;
    }
    if (!store && (store = store_new(path, status, writable, error))) {
        store->next = list;
        list = store;
    }
    if (store)
        store->users++;
    return store;
}

static void leave_store(Store *store) {
    pthread_mutex_lock(&list_mutex);
    if (--store->users == 0) {
        Store **link = &list;
        while (*link != store)
            link = &(*link)->next;
        *link = store->next;
        store_free(store);
    }
    pthread_mutex_unlock(&list_mutex);
}

Database *database_open(const char *path, DatabaseMode mode, Error *error) {
    struct stat status;
    bool writable = mode == DATABASE_WRITE;
    if (!strcmp(path, "-") || !*path) {
        error_set(error, "A database needs the name of a file: \"%s\" is none.", path);
        return NULL;
    }
    if (writable && stat(path, &status) && errno == ENOENT && !file_make(path, error))
        return NULL;
    if (!file_stat(path, &status, error))
        return NULL;
    Database *database = malloc(sizeof *database);
    if (!database) {
        error_set(error, "There is no memory to open %.250s.", path);
        return NULL;
    }
    pthread_mutex_lock(&list_mutex);
    *database = (Database){join_store(path, &status, writable, error), mode};
    pthread_mutex_unlock(&list_mutex);
    if (database->store)
        return database;
    free(database);
    return NULL;
}

static Store *lock(Database *database) {
    pthread_mutex_lock(&database->store->mutex);
    return database->store;
}

static void unlock(Store *store) {
    pthread_mutex_unlock(&store->mutex);
}

bool database_flush(Database *database, Error *error) {
    Store *store = lock(database);
    bool good = commit(store, error);
    unlock(store);
    return good;
}

bool database_close(Database *database, Error *error) {
    if (!database)
        return true;
    bool good = database_flush(database, error);
    leave_store(database->store);
    free(database);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// States

int database_get(Database *database, const Rules *rules, const Board *board, int piece, Visit *visit,
                 Error *error) {
    Entry key, entry;
    if (!entry_set_key(&key, rules, board, piece, error))
        return -1;
    Store *store = lock(database);
    int found = get_row(store, &key, &entry, error);
    const Entry *waiting = found >= 0 ? waiting_find(&store->waiting, &key) : NULL;
    if (waiting && found)
        entry_add(&entry, waiting);
    else if (waiting)
        entry = *waiting;
    found = waiting ? 1 : found;
    unlock(store);
    if (found > 0)
        *visit = entry.visit;
    return found;
}

// When a commit has failed, the next one is tried a second later at the earliest: a full disk should not cost
// more time than that.
static bool commit_if_due(Store *store, Error *error) {
    double now = clock_seconds();
    bool due = store->waiting.count >= BATCH || now - store->since >= batch_seconds;
    if (!due || now < store->retry)
        return true;
    bool good = commit(store, error);
    store->retry = good ? 0 : clock_seconds() + batch_seconds;
    return good;
}

bool database_put(Database *database, const Rules *rules, const Board *board, int piece, const Visit *visit,
                  Error *error) {
    Entry entry;
    if (database->mode != DATABASE_WRITE)
        return error_set(error, "%.250s was opened for reading only.", database->store->path);
    if (!entry_set_key(&entry, rules, board, piece, error))
        return false;
    entry.visit = *visit;
    entry.puts = 1;
    if (!entry_check_visit(&entry, error))
        return false;
    Store *store = lock(database);
    bool good = store->waiting.count < WAITING_MAX || commit(store, error);
    if (good) {
        if (!store->waiting.count)
            store->since = clock_seconds();
        good = waiting_add(&store->waiting, &entry) ||
               error_set(error, "There is no memory for the states that wait for %.250s.", store->path);
        good = good && commit_if_due(store, error);
    }
    unlock(store);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The whole database

static bool each_row(Store *store, DatabaseVisitor *visitor, void *context, Error *error) {
    Entry entry;
    VisitedState state;
    sqlite3_stmt *row = store->query[EACH];
    if (!commit(store, error))
        return false;
    int code;
    bool good = true;
    while ((code = sqlite3_step(row)) == SQLITE_ROW && (good = read_row(store, row, &entry, &state, error)) &&
           visitor(context, &state))
        continue;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        good = file_fail(store->sql, store->path, "read", error);
    sqlite3_reset(row);
    return good;
}

bool database_each(Database *database, DatabaseVisitor *visitor, void *context, Error *error) {
    Store *store = lock(database);
    bool good = each_row(store, visitor, context, error);
    unlock(store);
    return good;
}

typedef struct Counting {
    DatabaseStat stat;
    char rules[sizeof((VisitedState *)0)->rules];
    uint64_t revisited;
} Counting;

static bool count_state(void *context, const VisitedState *state) {
    Counting *counting = context;
    DatabaseStat *stat = &counting->stat;
    stat->states++;
    if (__builtin_add_overflow(stat->phases, state->visit.phases, &stat->phases))
        stat->phases = UINT64_MAX;
    counting->revisited += state->puts > 1;
    if (strcmp(counting->rules, state->rules)) { // they come in the order of the rules
        stat->rules++;
        strcpy(counting->rules, state->rules);
    }
    return true;
}

bool database_stat(Database *database, DatabaseStat *stat, Error *error) {
    Counting counting = {.revisited = 0};
    struct stat status;
    bool good = database_each(database, count_state, &counting, error);
    *stat = counting.stat;
    if (stat->states)
        stat->revisits = (double)counting.revisited / (double)stat->states;
    if (good && lstat(database->store->path, &status))
        return error_set(error, "cannot read %.250s: %s.", database->store->path, strerror(errno));
    stat->bytes = good ? (uint64_t)status.st_size : 0;
    return good;
}

bool database_verify(Database *database, uint64_t *states, Error *error) {
    Counting counting = {.revisited = 0};
    Store *store = lock(database);
    bool good = commit(store, error) && file_check(store->sql, store->path, "integrity_check", error) &&
                each_row(store, count_state, &counting, error);
    unlock(store);
    if (states)
        *states = counting.stat.states;
    return good;
}

bool database_compact(Database *database, const char *path, Error *error) {
    struct stat status;
    if (!lstat(path, &status))
        return error_set(error, "%.250s exists already; remove it, or give another name.", path);
    if (!database_verify(database, NULL, error)) // a copy would hide the damage
        return false;
    Store *store = lock(database);
    bool good = file_compact(store->sql, path, error);
    unlock(store);
    return good;
}
