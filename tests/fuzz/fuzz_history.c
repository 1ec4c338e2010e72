// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for histories of learning runs, as files: any bytes are read, what is damaged or out of order
// is left out. Sifting keeps exactly the lines that were read; then nothing is left to complain about.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "learn/run_files.h"
#include "learn/run_folder.h"

enum { RUNS = 2, SIZE = 2 };

static void require(bool fact) {
    if (!fact)
        abort();
}

static char path[64], before[80];

static void write_file(const void *bytes, size_t size) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && write(file, bytes, size) == (ssize_t)size && !close(file));
}

static void clean_up(void) {
    unlink(path);
    unlink(before);
}

static void count(void *context, const char *sentence) {
    require(strlen(sentence) > 10);
    ++*(int *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = {""};
    LearningHistory first = {.runs = RUNS, .size = SIZE}, second = first;
    int complaints = 0, later = 0;
    uint64_t left_out = 0;
    if (!path[0]) {
        snprintf(path, sizeof path, "/dev/shm/tetralab-fuzz-%ld.jsonl", (long)getpid());
        snprintf(before, sizeof before, "%s.before", path);
        atexit(clean_up);
    }
    write_file(data, size);
    require(learning_history_lines(&first, path, count, &complaints, &error));
    require(run_history_sift(path, RUNS, SIZE, (uint64_t[]){UINT64_MAX, UINT64_MAX}, &left_out, &error));
    require(left_out == (uint64_t)complaints && access(before, F_OK) == (left_out ? 0 : -1));
    require(learning_history_lines(&second, path, count, &later, &error));
    require(later == 0 && second.count == first.count);
    for (int i = 0; i < first.count; i++)
        require(first.generation[i].run == second.generation[i].run &&
                first.generation[i].generation == second.generation[i].generation);
    learning_history_free(&first);
    learning_history_free(&second);
    unlink(before);
    return 0;
}
