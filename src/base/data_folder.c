// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE // versionsort
#include "base/data_folder.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

// <- where the program stands; "." where the system does not say that
static const char *program_folder(char out[PATH_MAX]) {
    ssize_t length = readlink("/proc/self/exe", out, PATH_MAX - 1);
    out[length > 0 ? length : 0] = 0;
    char *slash = strrchr(out, '/');
    if (!slash)
        return ".";
    *slash = 0;
    return out;
}

const char *data_find(const char *name, char out[DATA_PATH], Error *error) {
    char program[PATH_MAX];
    const char *folder = program_folder(program);
    snprintf(out, DATA_PATH, "%s/%s", folder, name);
    if (!access(out, R_OK))
        return out;
    snprintf(out, DATA_PATH, "%s/" TETRALAB_DATA_FROM_PROGRAM "/%s", folder, name);
    if (!access(out, R_OK))
        return out;
    snprintf(out, DATA_PATH, TETRALAB_DATA "/%s", name);
    if (!access(out, R_OK))
        return out;
    return error_null(error,
                      "There is no %s beside the program in %.150s, nor in %.150s/" TETRALAB_DATA_FROM_PROGRAM
                      " or " TETRALAB_DATA ": install the program by 'make install'.",
                      name, folder, folder);
}

static int is_json(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 5 && !strcmp(entry->d_name + length - 5, ".json");
}

bool data_read(const char *folder, DataTaker *take, void *context, Error *error) {
    char found[DATA_PATH], path[DATA_PATH + 260];
    struct dirent **entry;
    if (!data_find(folder, found, error))
        return false;
    int count = scandir(found, &entry, is_json, versionsort);
    if (count < 0)
        return error_set(error, "The folder %.300s cannot be read: %s.", found, strerror(errno));
    bool good = true;
    for (int k = 0; k < count; k++) {
        size_t length;
        snprintf(path, sizeof path, "%s/%s", found, entry[k]->d_name);
        char *text = good ? text_read_file(path, &length, error) : NULL;
        good = text && take(context, path, text, length, error);
        free(text);
        free(entry[k]);
    }
    free(entry);
    return good;
}
