// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite is used with a write-ahead log (readers and a writer do not wait for each other) that is on the disk
// when a commit returns (synchronous=FULL), and without a memory map, through which a failing disk would be a
// signal and which is no faster.
#include "player/database_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/replacing.h"
#include "game/rules.h"

enum {
    APPLICATION = 0x54657472, // "Tetr"
    FORMAT = 3,
    BUSY_SECONDS = 60 // how long to wait for another program that writes
};
static const off_t whole_check = (off_t)64 << 20; // larger files are not read as a whole when they are opened

static const char table[] =
    "CREATE TABLE states(rules INTEGER NOT NULL, board BLOB NOT NULL, piece INTEGER NOT NULL, "
    "reward REAL NOT NULL, placements INTEGER NOT NULL, phases INTEGER NOT NULL, puts INTEGER NOT NULL, "
    "PRIMARY KEY(rules, board, piece)) STRICT, WITHOUT ROWID";

// The same for people: rules, piece and placements (orientation:column) in words, boards drawn from the top.
// Every hexadecimal digit of the board stands for four cells.
static const char view[] =
    "CREATE VIEW visited AS WITH RECURSIVE number(i) AS (VALUES(0) UNION ALL SELECT i + 1 FROM number "
    "WHERE i < 63), drawn AS (SELECT *, rules / 100000 AS width, rtrim(replace(replace(replace(replace("
    "replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace("
    "hex(board), '0', '....'), '1', '...#'), '2', '..#.'), '3', '..##'), '4', '.#..'), '5', '.#.#'), "
    "'6', '.##.'), '7', '.###'), '8', '#...'), '9', '#..#'), 'A', '#.#.'), 'B', '#.##'), 'C', '##..'), "
    "'D', '##.#'), 'E', '###.'), 'F', '####'), '.') AS cells FROM states) "
    "SELECT printf('%%dx%%d %%s %%s %%s', width, rules / 1000 %% 100, CASE rules / 100 %% 10 WHEN 0 THEN %Q "
    "WHEN 1 THEN %Q ELSE %Q END, iif(rules / 10 %% 10, %Q, %Q), iif(rules %% 10, 'original', 'simplified')) "
    "AS rules, (SELECT ifnull(group_concat(row, char(10)), '') FROM (SELECT substr(cells || '.............', "
    "i * width + 1, width) AS row FROM number WHERE i * width < length(cells) ORDER BY i DESC)) AS board, "
    "substr(%Q, piece + 1, 1) AS piece, reward, (SELECT group_concat((i / 16) || ':' || (i %% 16), ' ') FROM "
    "number WHERE placements >> i & 1) AS placements, phases, puts FROM drawn";

// ---------------------------------------------------------------------------------------------------
// Sentences

bool file_damaged(const char *path, const char *why, Error *error) {
    return error_set(error, "%.250s is damaged, or no database of visited states: %.200s", path, why);
}

bool file_fail(sqlite3 *sql, const char *path, const char *verb, Error *error) {
    const char *why = sqlite3_errmsg(sql), *more = "";
    switch (sqlite3_errcode(sql) & 0xff) {
    case SQLITE_NOTADB:
        return file_damaged(
            path, "it is no SQLite file. (Those of early versions of Tetralab cannot be read any more.)",
            error);
    case SQLITE_CORRUPT:
        return file_damaged(path, "its pages contradict each other.", error);
    case SQLITE_BUSY:
        return error_set(error, "cannot %s the database %.250s: another program has kept it locked for %d s.",
                         verb, path, BUSY_SECONDS);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
        why = "the permissions of the file or its folder forbid it";
        break;
    case SQLITE_FULL:
    case SQLITE_IOERR:
        if (strcmp(verb, "read"))
            more = " Is the disk full? What was committed before is safe.";
    }
    return error_set(error, "cannot %s the database %.250s: %s.%s", verb, path, why, more);
}

// ---------------------------------------------------------------------------------------------------
// Files

bool file_find(const char *path, bool make, char **name, Error *error) {
    struct stat status;
    if (!strcmp(path, "-") || !*path)
        return error_set(error, "A database needs the name of a file: \"%s\" is none.", path);
    if (make && stat(path, &status) && errno == ENOENT) { // SQLite takes an empty file for a new database
        int file = replacing_open(path, 0, error);
        if (file < 0)
            return false;
        close(file);
    }
    if (stat(path, &status) || !(*name = realpath(path, NULL)))
        return error_set(error, errno == ENOENT ? "There is no database %.250s." : "cannot open %.250s: %s.",
                         path, strerror(errno));
    if (S_ISREG(status.st_mode))
        return true;
    free(*name);
    return error_set(error,
                     S_ISDIR(status.st_mode) ? "%.250s is a folder; give the name of a file for the database."
                                             : "%.250s is no ordinary file, so it cannot be a database.",
                     path);
}

bool file_compact(sqlite3 *sql, const char *path, Error *error) {
    struct stat status;
    Temporary temporary;
    if (!lstat(path, &status))
        return error_set(error, "%.250s exists already; remove it, or give another name.", path);
    replacing_sweep(path);
    if (!temporary_make(&temporary, path, error))
        return false;
    char *vacuum = sqlite3_mprintf("VACUUM INTO %Q", temporary.name);
    bool good = vacuum || error_set(error, "Out of memory: cannot write %.250s.", path);
    if (good && sqlite3_exec(sql, vacuum, NULL, NULL, NULL))
        good = file_fail(sql, path, "write", error);
    good = good && temporary_place(&temporary, path, true, error);
    sqlite3_free(vacuum);
    temporary_end(&temporary);
    return good;
}

// The first column of the first row as text. <- NULL: there is none; sqlite3_free() it
static char *ask(sqlite3 *sql, const char *question) {
    sqlite3_stmt *row = NULL;
    char *answer = NULL;
    if (!sqlite3_prepare_v2(sql, question, -1, &row, NULL) && sqlite3_step(row) == SQLITE_ROW)
        answer = sqlite3_mprintf("%s", sqlite3_column_text(row, 0));
    sqlite3_finalize(row);
    return answer;
}

static bool answers(sqlite3 *sql, const char *question, const char *answer) {
    char *text = ask(sql, question);
    bool same = text && !strcmp(text, answer);
    sqlite3_free(text);
    return same;
}

bool file_check(sqlite3 *sql, const char *path, const char *kind, Error *error) {
    char question[100];
    snprintf(question, sizeof question,
             "SELECT replace(%s_check, char(10), ' ') || '.' FROM pragma_%s_check(1)", kind, kind);
    char *answer = ask(sql, question);
    bool good = answer ? !strcmp(answer, "ok.") || file_damaged(path, answer, error)
                       : file_fail(sql, path, "read", error);
    sqlite3_free(answer);
    return good;
}

static bool check_kind(sqlite3 *sql, const char *path, Error *error) {
    char *kind = ask(
        sql, "SELECT application_id || ' ' || user_version FROM pragma_application_id, pragma_user_version");
    int application = 0, format = 0;
    if (!kind)
        return file_fail(sql, path, "open", error);
    sscanf(kind, "%d %d", &application, &format);
    sqlite3_free(kind);
    if (application != APPLICATION)
        return file_damaged(path, "it is a file of another program.", error);
    if (format != FORMAT)
        return error_set(error, "%.250s has version %d of the format; this program reads version %d.", path,
                         format, FORMAT);
    return answers(sql, "SELECT sql FROM sqlite_schema WHERE name = 'states'", table) ||
           file_damaged(path, "its table of states is not as it should be.", error);
}

// Two programs may do so at once: the second one waits, and finds that all is there.
static bool make(sqlite3 *sql, const char *path, Error *error) {
    char *words =
        sqlite3_mprintf(view, rules_overflow_name(OVERFLOW_LENIENT), rules_overflow_name(OVERFLOW_STRICT),
                        rules_overflow_name(OVERFLOW_TOUCH), rules_gameover_name(GAMEOVER_EVALUATE),
                        rules_gameover_name(GAMEOVER_AVOID), piece_letter);
    char *text =
        sqlite3_mprintf("BEGIN IMMEDIATE; PRAGMA application_id=%d; PRAGMA user_version=%d; %s; %s; COMMIT",
                        APPLICATION, FORMAT, table, words);
    bool good = words && text && !sqlite3_exec(sql, text, NULL, NULL, NULL);
    if (!good) {
        file_fail(sql, path, "make", error);
        sqlite3_exec(sql, "ROLLBACK", NULL, NULL, NULL);
        good = !answers(sql, "PRAGMA page_count", "0");
    }
    sqlite3_free(text);
    sqlite3_free(words);
    return good;
}

static bool set_up(sqlite3 *sql, const char *path, bool writable, Error *error) {
    // Nothing that stands in the file is to be run.
    sqlite3_db_config(sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    sqlite3_busy_timeout(sql, BUSY_SECONDS * 1000);
    struct stat status = {.st_size = 0};
    stat(path, &status);
    if (!status.st_size && answers(sql, "PRAGMA page_count", "0")) {
        if (!writable)
            return error_set(error, "%.250s is empty and hence no database.", path);
        if (!make(sql, path, error))
            return false;
    }
    if (!check_kind(sql, path, error))
        return false;
    if (writable && sqlite3_db_readonly(sql, "main"))
        return error_set(error, "cannot write the database %.250s: the file is write-protected.", path);
    if (writable) // fails if another program is just opening it; then a later one sets the mode
        sqlite3_exec(sql, "PRAGMA journal_mode=WAL", NULL, NULL, NULL);
    if (sqlite3_exec(sql,
                     "PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON; PRAGMA mmap_size=0; "
                     "PRAGMA cache_size=-65536",
                     NULL, NULL, NULL))
        return file_fail(sql, path, "open", error);
    return status.st_size > whole_check || file_check(sql, path, "quick", error);
}

// For a folder that cannot be written to: SQLite is told that the file does not change.
static sqlite3 *open_unchanging(const char *path) {
    sqlite3 *sql = NULL;
    sqlite3_str *uri = sqlite3_str_new(NULL);
    sqlite3_str_appendall(uri, "file:");
    for (const char *in = path; *in; in++)
        if (strchr("%?#", *in))
            sqlite3_str_appendf(uri, "%%%02x", *in);
        else
            sqlite3_str_append(uri, in, 1);
    sqlite3_str_appendall(uri, "?immutable=1");
    char *text = sqlite3_str_finish(uri);
    if (text)
        sqlite3_open_v2(text, &sql, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    sqlite3_free(text);
    return sql;
}

static bool forbidden(sqlite3 *sql) {
    int code = sqlite3_errcode(sql); // depends on whether the file could be written to, if it were elsewhere
    return code == SQLITE_CANTOPEN || code == SQLITE_READONLY;
}

sqlite3 *file_open(const char *path, bool writable, Error *error) {
    sqlite3 *sql = NULL;
    char *log = sqlite3_mprintf("%s-wal", path); // states that are in the log alone would be missed
    if (log)
        sqlite3_open_v2(path, &sql, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    char *works = sql ? ask(sql, "PRAGMA application_id") : NULL;
    if (sql && !works && !writable && forbidden(sql) && access(log, F_OK)) {
        sqlite3_close(sql);
        sql = open_unchanging(path);
    }
    sqlite3_free(works);
    sqlite3_free(log);
    if (sql ? set_up(sql, path, writable, error)
            : error_set(error, "Out of memory: cannot open %.250s.", path))
        return sql;
    sqlite3_close(sql);
    return NULL;
}
