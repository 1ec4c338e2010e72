// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool fail_file(Error *error, const char *verb, const char *path, int code) {
    return error_set(error, "cannot %s %s: %s.", verb, strcmp(path, "-") ? path : "the standard stream",
                     strerror(code));
}

// Doubles the buffer, or frees it.
static char *grow(char *text, size_t *room, const char *path, Error *error) {
    char *larger = realloc(text, *room *= 2);
    if (!larger) {
        free(text);
        error_set(error, "out of memory while reading %s.", path);
    }
    return larger;
}

// Pipes have no size, so the buffer grows with what arrives.
static char *read_stream(FILE *file, const char *path, size_t *length, Error *error) {
    size_t room = 1 << 13, used = 0;
    char *text = NULL;
    while ((text = grow(text, &room, path, error))) {
        used += fread(text + used, 1, room - 1 - used, file);
        if (ferror(file)) {
            fail_file(error, "read", path, errno);
            break;
        }
        if (used > TEXT_FILE_LIMIT) {
            error_set(error, "%s is larger than %d MiB, the most that is read.", path, TEXT_FILE_LIMIT >> 20);
            break;
        }
        if (used < room - 1) {
            text[used] = 0;
            *length = used;
            return text;
        }
    }
    free(text);
    return NULL;
}

char *text_read_file(const char *path, size_t *length, Error *error) {
    if (!strcmp(path, "-"))
        return read_stream(stdin, path, length, error);
    FILE *file = fopen(path, "rb");
    if (!file) {
        fail_file(error, "read", path, errno);
        return NULL;
    }
    char *text = read_stream(file, path, length, error);
    fclose(file);
    return text;
}

static bool write_all(int file, const char *text, size_t length) {
    while (length > 0) {
        ssize_t n = write(file, text, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return false;
        text += n;
        length -= (size_t)n;
    }
    return true;
}

// For what cannot be replaced by renaming: devices and pipes.
static bool write_through(const char *path, const char *text, size_t length, Error *error) {
    int file = open(path, O_WRONLY);
    if (file < 0)
        return fail_file(error, "write", path, errno);
    bool good = write_all(file, text, length);
    int code = errno;
    if (close(file) && good) {
        good = false;
        code = errno;
    }
    return good || fail_file(error, "write", path, code);
}

// -> mode  of the file that is replaced, or 0: as the umask says
static bool write_beside(const char *path, const char *temporary, mode_t mode, const char *text,
                         size_t length, Error *error) {
    int file = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (file < 0)
        return fail_file(error, "write", path, errno);
    bool good = write_all(file, text, length) && (!mode || !fchmod(file, mode & 07777)) && !fsync(file);
    int code = errno;
    if (close(file) && good) {
        good = false;
        code = errno;
    }
    if (good && rename(temporary, path)) {
        good = false;
        code = errno;
    }
    if (!good)
        unlink(temporary);
    return good || fail_file(error, "write", path, code);
}

char *text_temporary(const char *path) {
    struct timespec now; // a process that was killed may have left one behind, and process numbers come again
    clock_gettime(CLOCK_REALTIME, &now);
    size_t room = strlen(path) + 40;
    char *name = malloc(room);
    if (name)
        snprintf(name, room, "%s.%lx-%lx.tmp", path, (long)getpid() & 0xffffff,
                 (now.tv_nsec ^ (long)now.tv_sec << 8) & 0xfffffff);
    return name;
}

char *text_folder(const char *path) {
    const char *end = strrchr(path, '/');
    return end ? strndup(path, (size_t)(end - path) + 1) : strdup(".");
}

// Where a file is written.
typedef struct Target {
    bool exists, regular;
    mode_t mode;
    char *real, *temporary; // owned; NULL if it exists and is not regular
} Target;

static void target_free(Target *target) {
    free(target->real);
    free(target->temporary);
}

// Free with target_free, also after an error.
static bool target_find(Target *target, const char *path, Error *error) {
    struct stat status;
    *target = (Target){.exists = !stat(path, &status)};
    if (target->exists) {
        target->regular = S_ISREG(status.st_mode);
        target->mode = status.st_mode;
        if (S_ISDIR(status.st_mode))
            return fail_file(error, "write", path, EISDIR);
        // Renaming over a file asks only for the folder's permission: a protected file stays protected.
        if (access(path, W_OK))
            return fail_file(error, "write", path, errno);
        if (!target->regular)
            return true;
    }
    target->real = target->exists ? realpath(path, NULL) : strdup(path); // a link stays a link
    target->temporary = target->real ? text_temporary(target->real) : NULL;
    return target->temporary || error_set(error, "out of memory while writing %s.", path);
}

bool text_write_file(const char *path, const char *text, size_t length, Error *error) {
    if (!strcmp(path, "-")) {
        bool good = fwrite(text, 1, length, stdout) == length && !fflush(stdout);
        return good || fail_file(error, "write", path, errno);
    }
    Target target;
    bool good = target_find(&target, path, error);
    if (good && !target.temporary)
        good = write_through(path, text, length, error);
    else if (good)
        good = write_beside(target.real, target.temporary, target.mode, text, length, error);
    target_free(&target);
    return good;
}

// A file that does not exist yet is known by its folder and its name.
static bool same_folder(const char *a, const char *b) {
    const char *name_a = strrchr(a, '/'), *name_b = strrchr(b, '/');
    if (strcmp(name_a ? name_a + 1 : a, name_b ? name_b + 1 : b))
        return false;
    char *folder_a = text_folder(a), *folder_b = text_folder(b);
    struct stat x, y;
    bool same = folder_a && folder_b && !stat(folder_a, &x) && !stat(folder_b, &y) && x.st_dev == y.st_dev &&
                x.st_ino == y.st_ino;
    free(folder_a);
    free(folder_b);
    return same;
}

bool text_same_file(const char *a, const char *b) {
    struct stat x, y;
    if (!strcmp(a, b))
        return true;
    if (!strcmp(a, "-") || !strcmp(b, "-"))
        return false;
    bool has_a = !stat(a, &x), has_b = !stat(b, &y);
    if (has_a && has_b)
        return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
    return !has_a && !has_b && same_folder(a, b);
}

bool text_can_write(const char *path, Error *error) {
    if (!strcmp(path, "-"))
        return true;
    Target target;
    bool good = target_find(&target, path, error);
    if (good && target.temporary) {
        int file = open(target.temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
        good = file >= 0 || fail_file(error, "write", path, errno);
        if (file >= 0) {
            close(file);
            unlink(target.temporary);
        }
    }
    target_free(&target);
    return good;
}

enum { WORD = 63 }; // longer words are compared by their first letters

static int least(int a, int b) {
    return a < b ? a : b;
}

// Insertions, deletions, replacements and swaps of neighbours ("optimal string alignment").
static int edit_distance(const char *a, const char *b) {
    int n = (int)strnlen(a, WORD), m = (int)strnlen(b, WORD);
    int row[3][WORD + 1]; // row[i % 3][j]: distance of the first i letters of a and j of b
    for (int i = 0; i <= n; i++) {
        int *now = row[i % 3], *before = row[(i + 2) % 3], *two_before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            if (i == 0) {
                now[j] = j;
                continue;
            }
            now[j] = least(before[j - 1] + (a[i - 1] != b[j - 1]), least(before[j], now[j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = least(now[j], two_before[j - 2] + 1);
        }
    }
    return row[n % 3][m];
}

const char *text_nearest(const char *word, const char *const *names, int count) {
    const char *best = NULL;
    int best_distance = 0;
    for (int i = 0; i < count; i++) {
        int distance = edit_distance(word, names[i]);
        if (!best || distance < best_distance) {
            best = names[i];
            best_distance = distance;
        }
    }
    return best;
}

const char *text_number(double value, char out[32]) {
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, value);
        if (strtod(out, NULL) == value)
            break;
    }
    for (char *c = out; *c; c++)
        *c = *c == ',' ? '.' : *c;
    return out;
}

const char *text_count(double value, char out[24]) {
    static const char suffix[] = "kMGT";
    double size = fabs(value);
    if (!(size >= 999.5) || size >= 999.5e12) {
        snprintf(out, 24, "%.3g", value);
        return out;
    }
    int k = -1;
    do {
        size /= 1000;
        k++;
    } while (size >= 999.5);
    int decimals = size < 9.995 ? 2 : size < 99.95 ? 1 : 0;
    snprintf(out, 24, "%s%.*f %c", value < 0 ? "-" : "", decimals, size, suffix[k]);
    return out;
}

const char *text_grouped(uint64_t value, char out[32]) {
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), at = 0;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = 0;
    return out;
}

const char *text_seconds(double seconds, char out[24]) {
    if (!(seconds >= 0 && seconds < 1e12))
        snprintf(out, 24, "unknown");
    else if (seconds < 0.9995)
        snprintf(out, 24, "%.3g ms", seconds * 1000);
    else if (seconds < 59.95)
        snprintf(out, 24, "%.1f s", seconds);
    else if (seconds < 3599.5) {
        int whole = (int)(seconds + 0.5);
        snprintf(out, 24, "%d min %02d s", whole / 60, whole % 60);
    } else {
        double minutes = floor(seconds / 60 + 0.5), hours = floor(minutes / 60);
        snprintf(out, 24, "%.0f h %02.0f min", hours, minutes - 60 * hours);
    }
    return out;
}
