// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/replacing.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static bool fail(Error *error, const char *path, int code) {
    return error_set(error, "cannot write %.300s: %s.", path, strerror(code));
}

// ---------------------------------------------------------------------------------------------------
// Temporary files

enum { DIGITS = 16 };
static const char ending[] = ".tmp";

// Another program may take the file for left over before it is locked: then it is gone when the lock comes.
static bool lock(int file) {
    struct stat status;
    while (flock(file, LOCK_EX) && errno == EINTR)
        ;
    return !fstat(file, &status) && status.st_nlink > 0;
}

bool temporary_make(Temporary *temporary, const char *path, Error *error) {
    size_t room = strlen(path) + 1 + DIGITS + sizeof ending;
    *temporary = (Temporary){-1, malloc(room)};
    if (!temporary->name)
        return error_set(error, "Out of memory: cannot write %.300s.", path);
    for (int attempt = 0; attempt < 100; attempt++) {
        uint64_t number;
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            break;
        snprintf(temporary->name, room, "%s.%016" PRIx64 "%s", path, number, ending);
        temporary->file = open(temporary->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
        if (temporary->file >= 0 && lock(temporary->file))
            return true;
        if (temporary->file < 0 && errno != EEXIST)
            break;
        if (temporary->file >= 0)
            close(temporary->file);
    }
    fail(error, path, errno);
    free(temporary->name);
    *temporary = (Temporary){-1, NULL};
    return false;
}

void temporary_end(Temporary *temporary) {
    if (temporary->name)
        unlink(temporary->name);
    if (temporary->file >= 0)
        close(temporary->file);
    free(temporary->name);
    *temporary = (Temporary){-1, NULL};
}

// Not every file system can do it, and not every folder may be opened: then the name comes to the disk later.
static bool sync_folder(const char *path) {
    char *name = text_folder(path);
    int folder = name ? open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    bool good = folder < 0 || !fsync(folder) || errno != EIO;
    int code = errno;
    if (folder >= 0)
        close(folder);
    free(name);
    errno = code;
    return good;
}

bool temporary_place(Temporary *temporary, const char *path, bool sync, Error *error) {
    if ((sync && fsync(temporary->file)) || rename(temporary->name, path))
        return fail(error, path, errno);
    free(temporary->name); // which is gone, and may by now be another's
    temporary->name = NULL;
    return !sync || sync_folder(path) || fail(error, path, errno);
}

// ---------------------------------------------------------------------------------------------------
// What killed programs left over

static bool is_temporary(const char *name, const char *of, size_t length) {
    size_t size = strlen(name), behind = 1 + DIGITS + strlen(ending);
    if (size < length + behind || strncmp(name, of, length) || (length && name[length] != '.'))
        return false;
    const char *number = name + size - behind;
    return *number == '.' && strspn(number + 1, "0123456789abcdef") == DIGITS &&
           !strcmp(number + 1 + DIGITS, ending);
}

// What stands beside a temporary file under its name goes with it: SQLite makes the first three.
static void remove_companions(int folder, const char *name) {
    static const char *const companions[] = {"-journal", "-wal", "-shm", TEMPORARY_COMPANION};
    for (size_t k = 0; k < sizeof companions / sizeof *companions; k++) {
        char path[NAME_MAX + 16];
        snprintf(path, sizeof path, "%.*s%s", NAME_MAX, name, companions[k]);
        unlinkat(folder, path, 0);
    }
}

static void remove_unlocked(int folder, const char *name) {
    struct stat open_one, named;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (!fstat(file, &open_one) && S_ISREG(open_one.st_mode) && !flock(file, LOCK_EX | LOCK_NB) &&
        !fstatat(folder, name, &named, AT_SYMLINK_NOFOLLOW) && named.st_dev == open_one.st_dev &&
        named.st_ino == open_one.st_ino && !unlinkat(folder, name, 0))
        remove_companions(folder, name);
    close(file);
}

void replacing_sweep(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    char *folder = text_folder(path);
    DIR *list = folder ? opendir(folder) : NULL;
    for (struct dirent *entry; list && (entry = readdir(list));)
        if (is_temporary(entry->d_name, name, strlen(name)))
            remove_unlocked(dirfd(list), entry->d_name);
    if (list)
        closedir(list);
    free(folder);
}

// ---------------------------------------------------------------------------------------------------
// Replacing

static bool leads_nowhere(const char *path) {
    struct stat status;
    return !lstat(path, &status) && S_ISLNK(status.st_mode) && stat(path, &status) && errno == ENOENT;
}

static bool refuse_link(const char *path, Error *error) {
    return error_set(
        error, "%.300s is a link to a file that does not exist: remove the link, or make the file.", path);
}

typedef struct Replacement {
    Temporary temporary; // without a name: a device or a pipe, written to as it is
    char *path;          // owned; of the file itself where a link to it was given
} Replacement;

// Who could not read the old file must not read the new one, not even while it grows. The owner can be kept
// by the superuser only, and is lost otherwise.
static bool adopt(int file, const struct stat *old) {
    bool kept = !fchown(file, old->st_uid, old->st_gid);
    (void)kept;
    return !fchmod(file, old->st_mode & 07777);
}

// Where `path` is to be written. The new file has the permissions of the old one from the beginning, and
// where the system allows it its owner. <- false: there is nothing to be ended
static bool begin(Replacement *replacement, const char *path, Error *error) {
    struct stat status;
    *replacement = (Replacement){{-1, NULL}, NULL};
    bool exists = !stat(path, &status);
    if (exists) {
        if (S_ISDIR(status.st_mode))
            return fail(error, path, EISDIR);
        // Renaming over a file asks only for the folder's permission: a protected file stays protected.
        if (access(path, W_OK))
            return fail(error, path, errno);
        if (!S_ISREG(status.st_mode)) // opened when it is written to: a pipe may have no reader yet
            return (replacement->path = strdup(path)) || fail(error, path, ENOMEM);
    } else if (leads_nowhere(path)) {
        return refuse_link(path, error);
    }
    replacement->path = exists ? realpath(path, NULL) : strdup(path);
    if (!replacement->path)
        return fail(error, path, errno);
    bool made = temporary_make(&replacement->temporary, replacement->path, error);
    if (made && (!exists || adopt(replacement->temporary.file, &status)))
        return true;
    if (made)
        fail(error, path, errno);
    temporary_end(&replacement->temporary);
    free(replacement->path);
    return false;
}

static FILE *open_stream(const Replacement *replacement) {
    int file = replacement->temporary.name ? fcntl(replacement->temporary.file, F_DUPFD_CLOEXEC, 3)
                                           : open(replacement->path, O_WRONLY | O_CLOEXEC);
    FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
    if (!stream && file >= 0)
        close(file);
    return stream;
}

// -> good  what was written is complete: it takes the place of the old file. Else all stays as it was
static bool end(Replacement *replacement, bool good, bool sync, Error *error) {
    Temporary *temporary = &replacement->temporary;
    if (good && temporary->name)
        good = temporary_place(temporary, replacement->path, sync, error);
    temporary_end(temporary);
    free(replacement->path);
    return good;
}

bool replacing_write(const char *path, bool sync, bool (*put)(void *context, FILE *out, Error *error),
                     void *context, Error *error) {
    Replacement replacement;
    if (!begin(&replacement, path, error))
        return false;
    FILE *out = open_stream(&replacement);
    bool good = (out || fail(error, path, errno)) && put(context, out, error);
    if (good && (fflush(out) || ferror(out)))
        good = fail(error, path, errno);
    if (out && fclose(out) && good)
        good = fail(error, path, errno);
    return end(&replacement, good, sync, error);
}

bool replacing_check(const char *path, Error *error) {
    Replacement replacement;
    replacing_sweep(path);
    if (!begin(&replacement, path, error))
        return false;
    end(&replacement, false, false, error);
    return true;
}

// A new file is made only where there is neither a file nor a link.
int replacing_open(const char *path, int flags, Error *error) {
    int file = -1;
    for (int attempt = 0; file < 0 && attempt < 10; attempt++) {
        file = open(path, O_RDWR | O_CLOEXEC | flags);
        if (file < 0 && errno == ENOENT)
            file = open(path, O_RDWR | O_CLOEXEC | O_CREAT | O_EXCL | O_NOFOLLOW | flags, 0666);
        if (file < 0 && errno != EEXIST) // which is another program's that came first, or a link
            break;
        if (file < 0 && leads_nowhere(path)) {
            refuse_link(path, error);
            return -1;
        }
    }
    if (file < 0)
        fail(error, path, errno);
    return file;
}
