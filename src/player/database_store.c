// SPDX-License-Identifier: GPL-3.0-or-later
// Opening and making the file, reading, committing. LMDB is used with one file and no folder (MDB_NOSUBDIR),
// read transactions that may move between threads (MDB_NOTLS), and full durability: a commit returns when the
// disk has it. Nothing is written through the map, so a full disk is an error and no signal.
#define _GNU_SOURCE // renameat2
#include "player/database_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "player/database_pages.h"

enum { READERS = 1024, TRIES = 100 };
static const size_t first_map = (size_t)1 << 20; // address space, not disk; it doubles when it is full
static const off_t whole_check = (off_t)256
                                 << 20; // larger files are not read as a whole when they are opened
static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static Store *list;

bool store_fail(const Store *store, const char *verb, int code, Error *error) {
    const char *hint = code == ENOSPC || code == EIO || code == EFBIG || code == EDQUOT
                           ? " Is the disk full? What was committed before is safe."
                       : code == MDB_READERS_FULL ? " Too many programs read it at the same time."
                       : code == ENOMEM           ? " There is no address space left for the file."
                                                  : "";
    return error_set(error, "cannot %s the database %.250s: %s.%s", verb, store->path, mdb_strerror(code),
                     hint);
}

// ---------------------------------------------------------------------------------------------------
// Files

char *store_temporary(const char *path) {
    size_t room = strlen(path) + 40;
    char *name = malloc(room);
    struct timespec now; // a killed process may have left one behind, and process numbers come again
    clock_gettime(CLOCK_REALTIME, &now);
    if (name)
        snprintf(name, room, "%s.%lx-%lx.tmp", path, (long)getpid() & 0xffffff,
                 (now.tv_nsec ^ (long)now.tv_sec << 8) & 0xfffffff);
    return name;
}

// A new name is safe only when the folder is.
static void sync_folder(const char *path) {
    const char *end = strrchr(path, '/');
    char *folder = end ? strndup(path, (size_t)(end - path) + 1) : strdup(".");
    int file = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (file >= 0) {
        fsync(file); // some file systems cannot
        close(file);
    }
    free(folder);
}

int store_put_in_place(const char *temporary, const char *path) {
    int code = renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) ? errno : 0;
    if (code == EINVAL || code == ENOSYS) { // a file system that cannot do that
        code = link(temporary, path) ? errno : 0;
        if (!code)
            unlink(temporary);
    }
    if (!code)
        sync_folder(path);
    return code;
}

static int write_mark(MDB_env *env) {
    MDB_txn *txn;
    MDB_val key = {ENTRY_MARK_KEY, (void *)entry_mark_key},
            value = {ENTRY_MARK_VALUE, (void *)entry_mark_value};
    int code = mdb_txn_begin(env, NULL, 0, &txn);
    if (code)
        return code;
    MDB_dbi tree;
    code = mdb_dbi_open(txn, NULL, 0, &tree);
    if (!code)
        code = mdb_put(txn, tree, &key, &value, 0);
    if (!code)
        return mdb_txn_commit(txn);
    mdb_txn_abort(txn);
    return code;
}

bool store_make(const char *path, Error *error) {
    char *temporary = store_temporary(path);
    MDB_env *env = NULL;
    int code = temporary ? mdb_env_create(&env) : ENOMEM;
    if (!code)
        code = mdb_env_set_mapsize(env, first_map);
    if (!code)
        code = mdb_env_open(env, temporary, MDB_NOSUBDIR | MDB_NOLOCK, 0666);
    if (!code)
        code = write_mark(env);
    if (env)
        mdb_env_close(env);
    if (!code)
        code = store_put_in_place(temporary, path);
    if (code && temporary)
        unlink(temporary);
    free(temporary);
    return !code || code == EEXIST ||
           error_set(error, "cannot make the database %.250s: %s.", path, mdb_strerror(code));
}

// ---------------------------------------------------------------------------------------------------
// Reading

// Another process may have made the file larger than our map.
static int follow_map(Store *store, int code) {
    return code == MDB_MAP_RESIZED ? mdb_env_set_mapsize(store->env, 0) : code;
}

int store_read_locked(Store *store) {
    int code = mdb_txn_renew(store->reader);
    for (int k = 0; k < TRIES && code == MDB_MAP_RESIZED; k++) {
        code = follow_map(store, code);
        if (!code)
            code = mdb_txn_renew(store->reader);
    }
    return code;
}

void store_read_end_locked(Store *store) {
    mdb_txn_reset(store->reader);
}

static uint64_t renew(void *context) {
    Store *store = context;
    mdb_txn_reset(store->reader);
    return store_read_locked(store) ? 0 : mdb_txn_id(store->reader);
}

bool store_check_locked(Store *store, bool all, uint64_t *entries, Error *error) {
    Error why = {""};
    bool good = pages_check(store->file, all, renew, store, entries, &why);
    store_read_end_locked(store);
    return good || error_set(error, "%.250s is damaged, or no database of visited states: %.200s",
                             store->path, why.text);
}

// ---------------------------------------------------------------------------------------------------
// Committing

// Adds the entry, or combines it with what is there.
static int write_entry(Store *store, MDB_cursor *cursor, const WaitingEntry *entry, Error *error) {
    uint8_t bytes[ENTRY_VALUE];
    MDB_val key = {entry->key.length, (void *)entry->key.bytes}, value = {ENTRY_VALUE, bytes};
    entry_pack(bytes, &entry->key, &entry->value);
    int code = mdb_cursor_put(cursor, &key, &value, MDB_NOOVERWRITE);
    if (code != MDB_KEYEXIST)
        return code;
    EntryValue there;
    Error why = {""};
    if (!entry_read_value(&there, entry->key.bytes, entry->key.length, value.mv_data, value.mv_size, &why)) {
        error_set(error, "the database %.250s is damaged: %.200s", store->path, why.text);
        return MDB_CORRUPTED;
    }
    there = entry_combine(&there, &entry->value);
    entry_pack(bytes, &entry->key, &there);
    value = (MDB_val){ENTRY_VALUE, bytes};
    return mdb_cursor_put(cursor, &key, &value, MDB_CURRENT);
}

static int write_all(Store *store, Error *error) {
    MDB_txn *txn;
    MDB_cursor *cursor = NULL;
    int code = mdb_txn_begin(store->env, NULL, 0, &txn);
    if (code)
        return code;
    code = mdb_cursor_open(txn, MAIN_TREE, &cursor);
    const WaitingPlace *sorted = waiting_sorted(&store->waiting);
    for (uint32_t i = 0; i < store->waiting.count && !code; i++)
        code = write_entry(store, cursor, sorted[i].entry, error);
    if (cursor)
        mdb_cursor_close(cursor);
    if (!code)
        return mdb_txn_commit(txn);
    mdb_txn_abort(txn);
    return code;
}

// Readers that were killed would keep pages from being used again.
static int grow_map(Store *store) {
    MDB_envinfo info;
    int dead;
    mdb_reader_check(store->env, &dead);
    int code = mdb_env_info(store->env, &info);
    return code ? code : mdb_env_set_mapsize(store->env, info.me_mapsize * 2);
}

bool store_commit_locked(Store *store, Error *error) {
    Error why = {""};
    int code = 0;
    while (store->waiting.count) {
        code = write_all(store, &why);
        if (!code)
            waiting_clear(&store->waiting);
        else if (code == MDB_MAP_FULL)
            code = grow_map(store);
        else
            code = follow_map(store, code);
        if (code)
            break;
    }
    if (code && why.text[0])
        return error_set(error, "%s", why.text);
    return !code || store_fail(store, "write", code, error);
}

// ---------------------------------------------------------------------------------------------------
// Opening and closing

static void store_free(Store *store) {
    if (store->reader)
        mdb_txn_abort(store->reader);
    if (store->env)
        mdb_env_close(store->env);
    if (store->file >= 0)
        close(store->file);
    pthread_mutex_destroy(&store->mutex);
    waiting_free(&store->waiting);
    free(store->path);
    free(store);
}

static bool open_lmdb(Store *store, Error *error) {
    unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | (store->writable ? 0 : MDB_RDONLY);
    int dead, code = mdb_env_create(&store->env);
    if (!code)
        code = mdb_env_set_maxreaders(store->env, READERS);
    if (!code)
        code = mdb_env_open(store->env, store->path, flags, 0666);
    if (!code)
        mdb_reader_check(store->env, &dead);
    for (int k = 0; k < TRIES && !code && !store->reader; k++)
        code = follow_map(store, mdb_txn_begin(store->env, NULL, MDB_RDONLY, &store->reader));
    if (!code && !store->reader)
        code = MDB_MAP_RESIZED;
    MDB_dbi tree;
    if (!code)
        code = mdb_dbi_open(store->reader, NULL, 0, &tree);
    if (!code)
        mdb_txn_reset(store->reader);
    return !code || store_fail(store, "open", code, error);
}

static bool open_files(Store *store, off_t size, Error *error) {
    Error why = {""};
    store->file = open(store->path, O_RDONLY | O_CLOEXEC);
    if (store->file < 0)
        return store_fail(store, "open", errno, error);
    if (!pages_check_head(store->file, &why))
        return error_set(error, "%.250s is damaged, or no database of visited states: %.200s", store->path,
                         why.text);
    return open_lmdb(store, error) && store_check_locked(store, size <= whole_check, NULL, error);
}

static Store *store_new(const char *path, const struct stat *status, bool writable, Error *error) {
    Store *store = calloc(1, sizeof *store);
    if (!store) {
        error_set(error, "There is no memory to open %.250s.", path);
        return NULL;
    }
    *store = (Store){
        .device = status->st_dev, .inode = status->st_ino, .users = 1, .writable = writable, .file = -1};
    pthread_mutex_init(&store->mutex, NULL);
    store->path = realpath(path, NULL);
    bool good = store->path || error_set(error, "cannot open %.250s: %s.", path, strerror(errno));
    if (good && open_files(store, status->st_size, error))
        return store;
    store_free(store);
    return NULL;
}

static bool check_kind(const char *path, struct stat *status, Error *error) {
    if (stat(path, status))
        return error_set(error, errno == ENOENT ? "There is no database %.250s." : "cannot open %.250s: %s.",
                         path, strerror(errno));
    if (S_ISDIR(status->st_mode))
        return error_set(error, "%.250s is a folder; give the name of a file for the database.", path);
    if (!S_ISREG(status->st_mode))
        return error_set(error, "%.250s is no ordinary file, so it cannot be a database.", path);
    if (!status->st_size)
        return error_set(error, "%.250s is empty and hence no database; remove it, or give another name.",
                         path);
    return true;
}

static Store *find_open(const struct stat *status) {
    Store *store = list;
    while (store && (store->device != status->st_dev || store->inode != status->st_ino))
        store = store->next;
    return store;
}

Store *store_open(const char *path, bool writable, Error *error) {
    struct stat status;
    if (!check_kind(path, &status, error))
        return NULL;
    pthread_mutex_lock(&list_mutex);
    Store *store = find_open(&status);
    if (store && writable && !store->writable) {
        error_set(error, "%.250s is open for reading only in this program already; close it first.", path);
        store = NULL;
    } else if (store) {
        store->users++;
    } else if ((store = store_new(path, &status, writable, error))) {
        store->next = list;
        list = store;
    }
    pthread_mutex_unlock(&list_mutex);
    return store;
}

void store_close(Store *store) {
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
