// SPDX-License-Identifier: GPL-3.0-or-later
// The database of visited states (Cai, Zhang & Nebel 2011, section 3) as its users see it. States that are
// put wait in memory, where database_get finds them, until a batch is full or a second old; only then LMDB is
// asked to write. Cai et al. keep a file per state in folders five levels deep; that hash of the file system
// is what LMDB replaces.
#include "player/database.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "player/database_store.h"

struct Database {
    Store *store;
    DatabaseMode mode;
};

enum {
    BATCH = 131072,         // states that are committed together
    WAITING_MAX = 8 * BATCH // that wait when commits fail
};
static const double batch_seconds = 1;

static Store *lock(Database *database) {
    pthread_mutex_lock(&database->store->mutex);
    return database->store;
}

static void unlock(Store *store) {
    pthread_mutex_unlock(&store->mutex);
}

Database *database_open(const char *path, DatabaseMode mode, Error *error) {
    struct stat status;
    if (!strcmp(path, "-") || !*path) {
        error_set(error, "A database needs the name of a file: \"%s\" is none.", path);
        return NULL;
    }
    if (mode == DATABASE_WRITE && stat(path, &status) && errno == ENOENT && !store_make(path, error))
        return NULL;
    Database *database = malloc(sizeof *database);
    Store *store = database ? store_open(path, mode == DATABASE_WRITE, error) : NULL;
    if (store) {
        *database = (Database){store, mode};
        return database;
    }
    if (!database)
        error_set(error, "There is no memory to open %.250s.", path);
    free(database);
    return NULL;
}

bool database_flush(Database *database, Error *error) {
    Store *store = lock(database);
    bool good = store_commit_locked(store, error);
    unlock(store);
    return good;
}

bool database_close(Database *database, Error *error) {
    if (!database)
        return true;
    bool good = database_flush(database, error);
    store_close(database->store);
    free(database);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// States

static int get_stored(Store *store, const EntryKey *key, EntryValue *value, Error *error) {
    MDB_val k = {key->length, (void *)key->bytes}, v;
    Error why = {""};
    int code = store_read_locked(store);
    bool good = true;
    if (!code) {
        code = mdb_get(store->reader, MAIN_TREE, &k, &v);
        good = code || entry_read_value(value, key->bytes, key->length, v.mv_data, v.mv_size, &why);
        store_read_end_locked(store);
    }
    if (code && code != MDB_NOTFOUND)
        good = store_fail(store, "read", code, error);
    else if (!good)
        error_set(error, "the database %.250s is damaged: %.200s", store->path, why.text);
    return !good ? -1 : code ? 0 : 1;
}

int database_get(Database *database, const Rules *rules, const Board *board, int piece, Visit *visit,
                 Error *error) {
    EntryKey key;
    EntryValue value;
    if (!entry_key(&key, rules, board, piece, error))
        return -1;
    Store *store = lock(database);
    int found = get_stored(store, &key, &value, error);
    const WaitingEntry *waiting = found >= 0 ? waiting_find(&store->waiting, &key) : NULL;
    if (waiting) {
        value = found ? entry_combine(&value, &waiting->value) : waiting->value;
        found = 1;
    }
    unlock(store);
    if (found > 0)
        *visit = value.visit;
    return found;
}

// When a commit has failed, the next one is tried a second later at the earliest: a full disk should not cost
// more time than that.
static bool commit_if_due(Store *store, Error *error) {
    double now = clock_seconds();
    bool due = store->waiting.count >= BATCH || now - store->since >= batch_seconds;
    if (!due || now < store->retry)
        return true;
    bool good = store_commit_locked(store, error);
    store->retry = good ? 0 : now + batch_seconds;
    return good;
}

bool database_put(Database *database, const Rules *rules, const Board *board, int piece, const Visit *visit,
                  Error *error) {
    EntryKey key;
    if (database->mode != DATABASE_WRITE)
        return error_set(error, "%.250s was opened for reading only.", database->store->path);
    if (!entry_key(&key, rules, board, piece, error) || !entry_check_visit(&key, visit, error))
        return false;
    Store *store = lock(database);
    bool good = store->waiting.count < WAITING_MAX || store_commit_locked(store, error);
    if (good) {
        if (!store->waiting.count)
            store->since = clock_seconds();
        good = waiting_add(&store->waiting, &key, &(EntryValue){*visit, 1}) ||
               error_set(error, "There is no memory for the states that wait for %.250s.", store->path);
        good = good && commit_if_due(store, error);
    }
    unlock(store);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// The whole database

// Every entry; `each` ends it early by returning false.
typedef bool EachEntry(void *context, const EntryState *state, const EntryValue *value);

static int each_entry(Store *store, EachEntry *each, void *context, Error *why) {
    MDB_cursor *cursor;
    MDB_val key, bytes;
    int code = mdb_cursor_open(store->reader, MAIN_TREE, &cursor);
    if (code)
        return code;
    code = mdb_cursor_get(cursor, &key, &bytes, MDB_FIRST); // the mark
    while (!code && !(code = mdb_cursor_get(cursor, &key, &bytes, MDB_NEXT))) {
        EntryState state;
        EntryValue value;
        if (!entry_read_state(&state, key.mv_data, key.mv_size, why) ||
            !entry_read_value(&value, key.mv_data, key.mv_size, bytes.mv_data, bytes.mv_size, why))
            code = MDB_CORRUPTED;
        else if (!each(context, &state, &value))
            break;
    }
    mdb_cursor_close(cursor);
    return code == MDB_NOTFOUND ? 0 : code;
}

static bool each_locked(Store *store, EachEntry *each, void *context, Error *error) {
    Error why = {""};
    if (!store_commit_locked(store, error))
        return false;
    int code = store_read_locked(store);
    if (!code) {
        code = each_entry(store, each, context, &why);
        store_read_end_locked(store);
    }
    if (why.text[0])
        return error_set(error, "the database %.250s is damaged: %.200s", store->path, why.text);
    return !code || store_fail(store, "read", code, error);
}

typedef struct Counting {
    DatabaseStat *stat;
    char rules[ENTRY_RULES];
    uint64_t revisited;
} Counting;

static bool count_entry(void *context, const EntryState *state, const EntryValue *value) {
    Counting *counting = context;
    DatabaseStat *stat = counting->stat;
    stat->states++;
    if (__builtin_add_overflow(stat->phases, value->visit.phases, &stat->phases))
        stat->phases = UINT64_MAX;
    counting->revisited += value->puts > 1;
    if (strcmp(counting->rules, state->rules)) { // they come in the order of the keys
        stat->rules++;
        strcpy(counting->rules, state->rules);
    }
    return true;
}

bool database_stat(Database *database, DatabaseStat *stat, Error *error) {
    *stat = (DatabaseStat){0};
    Counting counting = {.stat = stat};
    Store *store = lock(database);
    bool good = each_locked(store, count_entry, &counting, error);
    struct stat status;
    if (good && fstat(store->file, &status))
        good = store_fail(store, "read", errno, error);
    unlock(store);
    if (good)
        stat->bytes = (uint64_t)status.st_size;
    if (stat->states)
        stat->revisits = (double)counting.revisited / (double)stat->states;
    return good;
}

typedef struct Visiting {
    DatabaseVisitor *visitor;
    void *context;
} Visiting;

static bool visit_entry(void *context, const EntryState *state, const EntryValue *value) {
    Visiting *visiting = context;
    return visiting->visitor(visiting->context, state->rules, &state->board, state->width, state->height,
                             state->piece, &value->visit);
}

bool database_each(Database *database, DatabaseVisitor *visitor, void *context, Error *error) {
    Visiting visiting = {visitor, context};
    Store *store = lock(database);
    bool good = each_locked(store, visit_entry, &visiting, error);
    unlock(store);
    return good;
}

bool database_verify(Database *database, uint64_t *states, Error *error) {
    Store *store = lock(database);
    bool good = store_commit_locked(store, error) && store_check_locked(store, true, states, error);
    unlock(store);
    return good;
}

static int copy_compact(Store *store, const char *temporary) {
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0)
        return errno;
    int code = mdb_env_copyfd2(store->env, file, MDB_CP_COMPACT);
    if (!code && fsync(file))
        code = errno;
    if (close(file) && !code)
        code = errno;
    return code;
}

bool database_compact(Database *database, const char *path, Error *error) {
    struct stat status;
    if (!lstat(path, &status))
        return error_set(error, "%.250s exists already; remove it, or give another name.", path);
    if (!database_verify(database, NULL, error)) // copying follows every page
        return false;
    Store *store = lock(database);
    char *temporary = store_temporary(path);
    int code = temporary ? copy_compact(store, temporary) : ENOMEM;
    if (!code)
        code = store_put_in_place(temporary, path);
    if (code && temporary)
        unlink(temporary);
    free(temporary);
    unlock(store);
    return !code || error_set(error, "cannot write %.250s: %s.", path, mdb_strerror(code));
}
