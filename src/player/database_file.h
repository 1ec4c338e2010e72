// SPDX-License-Identifier: GPL-3.0-or-later
// The SQLite file of a database: making, opening, checking, copying it, and a sentence for whatever fails.
#ifndef TETRALAB_PLAYER_DATABASE_FILE_H
#define TETRALAB_PLAYER_DATABASE_FILE_H

#include <sqlite3.h>
#include <stdbool.h>

#include "base/error.h"

// <- false: there is no file, or one that can be no database. -> make  an empty one, if there is none
// <- name  absolute; the caller frees it
bool file_find(const char *path, bool make, char **name, Error *error);
// <- a database of visited states of this version; NULL on error. An empty file becomes one if it is to be
// writable.
sqlite3 *file_open(const char *path, bool writable, Error *error);
// Every page. -> kind  "integrity", or "quick", which does not compare every page's keys
bool file_check(sqlite3 *sql, const char *path, const char *kind, Error *error);
// A copy without unused pages, whole or not at all. -> path  must not exist
bool file_compact(sqlite3 *sql, const char *path, Error *error);

// What SQLite says of its last failure. -> verb  "read", "write" ... <- false
bool file_fail(sqlite3 *sql, const char *path, const char *verb, Error *error);
// -> why  the second half of the sentence. <- false
bool file_damaged(const char *path, const char *why, Error *error);

#endif
