// SPDX-License-Identifier: GPL-3.0-or-later
// In the place of player/database.c where there is no SQLite: the page in a browser, which has no files
// either. No database can be opened, so that all else is never called.
#include "player/database.h"

Database *database_open(const char *path, DatabaseMode mode, Error *error) {
    (void)mode;
    return error_null(error, "%.300s cannot be opened: this build is without databases of visited states.",
                      path);
}

bool database_close(Database *database, Error *error) {
    (void)database, (void)error;
    return true;
}

int database_get(Database *database, const Rules *rules, const Board *board, int piece, Visit *visit,
                 Error *error) {
    (void)database, (void)rules, (void)board, (void)piece, (void)visit, (void)error;
    return 0;
}

bool database_put(Database *database, const Rules *rules, const Board *board, int piece, const Visit *visit,
                  Error *error) {
    (void)database, (void)rules, (void)board, (void)piece, (void)visit, (void)error;
    return true;
}

bool database_flush(Database *database, Error *error) {
    (void)database, (void)error;
    return true;
}

Visit visit_combine(const Visit *a, const Visit *b) {
    (void)b;
    return *a;
}
