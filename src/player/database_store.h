// SPDX-License-Identifier: GPL-3.0-or-later
// The open file behind databases: LMDB must not open a file twice in a process, so all databases of one file
// share its store. Functions that end in _locked want the store's mutex to be held.
#ifndef TETRALAB_PLAYER_DATABASE_STORE_H
#define TETRALAB_PLAYER_DATABASE_STORE_H

#include <lmdb.h>
#include <pthread.h>
#include <sys/types.h>

#include "player/database_waiting.h"

typedef struct Store Store;
struct Store {
    Store *next; // in the list of all
    dev_t device;
    ino_t inode;
    int users;
    char *path; // without links: the lock file stands beside the file itself. Owned, like what follows
    bool writable;
    int file; // to check the pages with
    MDB_env *env;
    MDB_txn *reader; // reset in between
    pthread_mutex_t mutex;
    Waiting waiting;
    double since, retry; // when the first one began to wait; when a failed commit may be tried again
};

enum { MAIN_TREE = 1 }; // LMDB's number of the tree that has no name

// -> path  exists. A READ store is not made a WRITE one. NULL on error.
Store *store_open(const char *path, bool writable, Error *error);
// Makes a file without states, whole or not at all. <- true: there is a file now, perhaps made by another
// program
bool store_make(const char *path, Error *error);
void store_close(Store *store); // the last user closes the file; what waits is dropped

// The newest state of the file, until store_read_end_locked. <- LMDB's code
int store_read_locked(Store *store);
void store_read_end_locked(Store *store);
bool store_commit_locked(Store *store, Error *error); // all that waits
bool store_check_locked(Store *store, bool all, uint64_t *entries, Error *error);

// A sentence for a failure of LMDB. <- false
bool store_fail(const Store *store, const char *verb, int code, Error *error);

// A name for a file beside `path` that nobody else uses; free() it. NULL: no memory
char *store_temporary(const char *path);
// Gives the finished temporary file its name. <- 0, or an errno; EEXIST: there is a file already
int store_put_in_place(const char *temporary, const char *path);

#endif
