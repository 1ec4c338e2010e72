// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/replacing.h"

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

char *text_folder(const char *path) {
    const char *end = strrchr(path, '/');
    return end ? strndup(path, (size_t)(end - path) + 1) : strdup(".");
}

char *text_closed(FILE *out, char **text) {
    bool good = out && !ferror(out);
    if ((out && fclose(out)) || !good) {
        free(*text);
        *text = NULL;
    }
    return *text;
}

bool text_write_file(const char *path, const char *text, size_t length, Error *error) {
    return text_replace(path, text, length, true, error);
}

typedef struct Bytes {
    const char *text;
    size_t length;
} Bytes;

static bool put_bytes(void *context, FILE *out, Error *error) {
    const Bytes *bytes = context;
    (void)error;
    fwrite(bytes->text, 1, bytes->length, out);
    return true;
}

bool text_replace(const char *path, const char *text, size_t length, bool sync, Error *error) {
    Bytes bytes = {text, length};
    if (strcmp(path, "-"))
        return replacing_write(path, sync, put_bytes, &bytes, error);
    return (fwrite(text, 1, length, stdout) == length && !fflush(stdout)) ||
           fail_file(error, "write", path, errno);
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

size_t text_stem(const char *name, const char *const *endings) {
    size_t length = strlen(name);
    for (int i = 0; endings[i]; i++) {
        size_t size = strlen(endings[i]);
        if (length > size && !strcmp(name + length - size, endings[i]))
            return length - size;
    }
    return length;
}

// What does not exist yet is where its folder is. -> path  is changed
static bool is_below(char *path, const char *folder) {
    struct stat status;
    for (bool cut = false;; cut = true) {
        char *real = realpath(*path ? path : ".", NULL);
        size_t length = strlen(folder);
        if (real) {
            bool below = !strncmp(real, folder, length) && (real[length] == '/' || (cut && !real[length]));
            free(real);
            return below;
        }
        char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
        if (errno != ENOENT || !*path || !strcmp(name, "..") || !lstat(path, &status))
            return false; // nowhere to begin: the working folder was removed; or a link that leads nowhere
        *(slash && slash > path ? slash : name) = 0;
    }
}

bool text_is_below(const char *path, const char *folder) {
    char *real = realpath(folder, NULL), *copy = strdup(path);
    bool below = real && copy && is_below(copy, strcmp(real, "/") ? real : "");
    free(real);
    free(copy);
    return below;
}

bool text_can_write(const char *path, Error *error) {
    return !strcmp(path, "-") || replacing_check(path, error);
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

// One mistake in two or three letters, two in five to seven, and so on.
static bool is_near(const char *word, const char *name, int distance) {
    int length = (int)strnlen(word, WORD);
    return distance <= (length + 1) / 3 || (length >= 3 && !strncmp(word, name, (size_t)length));
}

const char *text_meant(char out[TEXT_MEANT], const char *before, const char *after, const char *word,
                       const char *const *names, int count) {
    int best_distance = 0;
    const char *best = NULL;
    for (int i = 0; i < count; i++) {
        int distance = edit_distance(word, names[i]);
        if (is_near(word, names[i], distance) && (!best || distance < best_distance)) {
            best = names[i];
            best_distance = distance;
        }
    }
    snprintf(out, TEXT_MEANT, best ? "; did you mean %s%.90s%s?" : ".", before, best, after);
    return out;
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
