// SPDX-License-Identifier: GPL-3.0-or-later
// SQLite is used with a write-ahead log (readers and a writer do not wait for each other) that is on the disk
// when a commit returns (synchronous=FULL), and without a memory map, through which a failing disk would be a
// signal. The mode stands in the file; so do the numbers that say whose it is.
#define _GNU_SOURCE // renameat2
#include "player/database_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "game/rules.h"

enum { APPLICATION = 0x54657472, FORMAT = 2 };    // "Tetr"; format 1 was an LMDB file
static const off_t whole_check = (off_t)64 << 20; // larger files are not read as a whole when they are opened

static const char table[] =
    "CREATE TABLE states(rules INTEGER NOT NULL, board BLOB NOT NULL, piece INTEGER NOT NULL, "
    "reward REAL NOT NULL, placements INTEGER NOT NULL, phases INTEGER NOT NULL, puts INTEGER NOT NULL, "
    "sum INTEGER NOT NULL, PRIMARY KEY(rules, board, piece)) STRICT, WITHOUT ROWID";

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

// SQLite says no more than that it cannot open a file, which may be one of those beside it.
static const char *why_not_opened(const char *path, const char *otherwise) {
    char *folder = text_folder(path);
    const char *why = folder && access(folder, W_OK) ? strerror(errno) : otherwise;
    free(folder);
    return why;
}

bool file_fail(sqlite3 *sql, const char *path, const char *verb, Error *error) {
    int code = sqlite3_errcode(sql) & 0xff;
    if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
        return error_set(error, "cannot %s the database %.250s: another program has kept it locked for %d s.",
                         verb, path, FILE_BUSY_SECONDS);
    if (code == SQLITE_READONLY)
        return error_set(error, "cannot %s the database %.250s: the file or its folder is write-protected.",
                         verb, path);
    if (code == SQLITE_CORRUPT)
        return file_damaged(path, "its pages contradict each other.", error);
    bool full = code == SQLITE_FULL || (code == SQLITE_IOERR && strcmp(verb, "read") != 0);
    const char *why = sqlite3_errmsg(sql);
    if (code == SQLITE_CANTOPEN)
        why = why_not_opened(path, why);
    return error_set(error, "cannot %s the database %.250s: %s.%s", verb, path, why,
                     full ? " Is the disk full? What was committed before is safe." : "");
}

// ---------------------------------------------------------------------------------------------------
// Making files

static int sync_path(const char *path, int flags) {
    int file = open(path, O_RDONLY | O_CLOEXEC | flags);
    int code = file < 0 || fsync(file) ? errno : 0;
    if (file >= 0)
        close(file);
    return code;
}

// Gives the finished temporary file its name. <- an errno; EEXIST: there is a file already
static int put_in_place(const char *temporary, const char *path) {
    int code = sync_path(temporary, 0);
    if (!code && renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE))
        code = errno;
    if (code == EINVAL || code == ENOSYS) { // a file system that cannot do that
        code = link(temporary, path) ? errno : 0;
        if (!code)
            unlink(temporary);
    }
    char *folder = code ? NULL : text_folder(path);
    if (folder) // a new name is safe only when the folder is; some file systems cannot do that
        sync_path(folder, O_DIRECTORY);
    free(folder);
    return code;
}

// Runs `sql` on the temporary file and gives it its name. On failure it is removed.
static bool finish(const char *temporary, const char *path, const char *verb, const char *sql, Error *error) {
    sqlite3 *made = NULL;
    bool good = !sqlite3_open_v2(temporary, &made, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) &&
                !sqlite3_exec(made, sql, NULL, NULL, NULL);
    if (!good)
        file_fail(made, path, verb, error);
    sqlite3_close(made);
    int code = good ? put_in_place(temporary, path) : 0;
    if (!good || code)
        unlink(temporary);
    return code ? error_set(error, "cannot %s the database %.250s: %s.", verb, path, strerror(code)) : good;
}

bool file_make(const char *path, Error *error) {
    char *temporary = text_temporary(path);
    char *words =
        sqlite3_mprintf(view, rules_overflow_name(OVERFLOW_LENIENT), rules_overflow_name(OVERFLOW_STRICT),
                        rules_overflow_name(OVERFLOW_TOUCH), rules_gameover_name(GAMEOVER_EVALUATE),
                        rules_gameover_name(GAMEOVER_AVOID), piece_letter);
    char *sql = sqlite3_mprintf("PRAGMA application_id=%d; PRAGMA user_version=%d; BEGIN; %s; %s; COMMIT; "
                                "PRAGMA journal_mode=WAL",
                                APPLICATION, FORMAT, table, words);
    bool good = temporary && words && sql ? finish(temporary, path, "make", sql, error) || !access(path, F_OK)
                                          : error_set(error, "There is no memory to make %.250s.", path);
    sqlite3_free(sql);
    sqlite3_free(words);
    free(temporary);
    return good;
}

bool file_compact(sqlite3 *sql, const char *path, Error *error) {
    char *temporary = text_temporary(path);
    char *vacuum = temporary ? sqlite3_mprintf("VACUUM INTO %Q", temporary) : NULL;
    bool good = vacuum || error_set(error, "There is no memory to write %.250s.", path);
    if (good && sqlite3_exec(sql, vacuum, NULL, NULL, NULL)) {
        good = file_fail(sql, path, "write", error);
        unlink(temporary);
    }
    good = good && finish(temporary, path, "write", "PRAGMA journal_mode=WAL", error);
    sqlite3_free(vacuum);
    free(temporary);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// Opening files

bool file_stat(const char *path, struct stat *status, Error *error) {
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

// The first column of the first row as text, or as a number. <- false: there is none
static bool ask(sqlite3 *sql, const char *question, char *text, size_t room, int *number) {
    sqlite3_stmt *statement = NULL;
    bool good =
        !sqlite3_prepare_v2(sql, question, -1, &statement, NULL) && sqlite3_step(statement) == SQLITE_ROW;
    if (good && text)
        snprintf(text, room, "%s", (const char *)sqlite3_column_text(statement, 0));
    if (good && number)
        *number = sqlite3_column_int(statement, 0);
    return !sqlite3_finalize(statement) && good;
}

bool file_check(sqlite3 *sql, const char *path, const char *check, Error *error) {
    char question[40], answer[200] = "";
    snprintf(question, sizeof question, "PRAGMA %s(1)", check);
    if (!ask(sql, question, answer, sizeof answer - 1, NULL))
        return file_fail(sql, path, "read", error);
    if (!strcmp(answer, "ok"))
        return true;
    char *heading = strrchr(answer, '\n');
    return file_damaged(path, strcat(heading ? heading + 1 : answer, "."), error);
}

static bool refuse_foreign(const char *path, Error *error) {
    uint8_t head[20] = {0};
    static const uint8_t lmdb[4] = {0xde, 0xc0, 0xef, 0xbe};
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    if (length == sizeof head && !memcmp(head + 16, lmdb, sizeof lmdb))
        return error_set(error,
                         "%.250s is an LMDB file, as earlier versions of Tetralab made them; this one cannot "
                         "read it: export it with the version that made it, or remove it and begin anew.",
                         path);
    return file_damaged(path, "it does not begin like a database.", error);
}

static bool check_kind(sqlite3 *sql, const char *path, Error *error) {
    int application = 0, format = 0;
    char text[sizeof table + 1] = "";
    if (!ask(sql, "PRAGMA application_id", NULL, 0, &application) ||
        !ask(sql, "PRAGMA user_version", NULL, 0, &format))
        return (sqlite3_errcode(sql) & 0xff) == SQLITE_NOTADB ? refuse_foreign(path, error)
                                                              : file_fail(sql, path, "open", error);
    if (application != APPLICATION)
        return file_damaged(path, "it is an SQLite file, but of another program.", error);
    if (format != FORMAT)
        return error_set(error, "%.250s has version %d of the format; this program reads version %d.", path,
                         format, FORMAT);
    if (!ask(sql, "SELECT sql FROM sqlite_schema WHERE name = 'states'", text, sizeof text, NULL) ||
        strcmp(text, table))
        return file_damaged(path, "its table of states is not as it should be.", error);
    return true;
}

// Nothing beside the file can be written, and nobody writes: SQLite is told that the file does not change.
static sqlite3 *open_unchanging(const char *path) {
    char *uri = malloc(3 * strlen(path) + 32), *out = uri;
    if (!uri)
        return NULL;
    out += sprintf(out, "file:");
    for (const char *in = path; *in; in++)
        out += sprintf(out, strchr("%?#", *in) ? "%%%02x" : "%c", *in);
    strcpy(out, "?immutable=1");
    sqlite3 *sql = NULL;
    sqlite3_open_v2(uri, &sql, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    free(uri);
    return sql;
}

static sqlite3 *open_any(const char *path, bool writable) {
    sqlite3 *sql = NULL;
    sqlite3_open_v2(path, &sql, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    sqlite3_busy_timeout(sql, FILE_BUSY_SECONDS * 1000);
    if (writable || ask(sql, "PRAGMA application_id", NULL, 0, NULL))
        return sql;
    int code = sqlite3_errcode(sql) & 0xff;
    char log[4096 + 8]; // states that are in the log alone would be missed
    struct stat status;
    snprintf(log, sizeof log, "%s-wal", path);
    if ((code != SQLITE_CANTOPEN && code != SQLITE_READONLY) || (!stat(log, &status) && status.st_size))
        return sql;
    sqlite3_close(sql);
    return open_unchanging(path);
}

sqlite3 *file_open(const char *path, bool writable, Error *error) {
    sqlite3 *sql = open_any(path, writable);
    struct stat status;
    // Nothing that stands in the file is to be run.
    sqlite3_db_config(sql, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(sql, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL);
    sqlite3_db_config(sql, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    bool good = sql || error_set(error, "There is no memory to open %.250s.", path);
    good = good && check_kind(sql, path, error);
    if (good && writable && sqlite3_db_readonly(sql, "main"))
        good = error_set(
            error, "cannot write the database %.250s: the file or its folder is write-protected.", path);
    if (good && sqlite3_exec(sql,
                             "PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON; "
                             "PRAGMA mmap_size=0; PRAGMA cache_size=-65536",
                             NULL, NULL, NULL))
        good = file_fail(sql, path, "open", error);
    if (good && (stat(path, &status) || status.st_size <= whole_check))
        good = file_check(sql, path, "quick_check", error);
    if (good)
        return sql;
    sqlite3_close(sql);
    return NULL;
}
