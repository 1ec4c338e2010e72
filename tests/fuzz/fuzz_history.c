// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for histories of learning runs, as files: any bytes are read, what is damaged or out of order
// is left out. Sifting keeps exactly the lines that were read; then nothing is left to complain about.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../learning_fixture.h"
#include "learn/run_folder.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

static char folder[64], history_path[96], before_path[112];

static void write_file(const char *path, const void *bytes, size_t size) {
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    require(file >= 0 && write(file, bytes, size) == (ssize_t)size && !close(file));
}

// Two runs of two numbers each.
static void make_folder(void) {
    LearningPlan plan;
    Error error = {""};
    snprintf(folder, sizeof folder, "/dev/shm/tetralab-fuzz-%ld", (long)getpid());
    snprintf(history_path, sizeof history_path, "%s/journal.jsonl", folder);
    snprintf(before_path, sizeof before_path, "%s.before", history_path);
    require(!mkdir(folder, 0700));
    require(plan_make(&plan, OPTIMISER_SWARM, "holes,wells", 2, &error));
    RunFolder *made = run_folder_new(folder, &plan, "1", &error);
    require(made != NULL);
    run_folder_close(made);
    learning_plan_free(&plan);
}

static void clean_up(void) {
    static const char *const name[] = {"journal.jsonl", "journal.jsonl.before", "run.json", "best.json",
                                       "lock"};
    char path[160];
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, name[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void count(void *context, const char *sentence) {
    require(strlen(sentence) > 10);
    ++*(int *)context;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Error error = {""};
    LearningHistory first = {0}, second = {0};
    int complaints = 0, later = 0;
    uint64_t left_out = 0;
    if (!folder[0]) {
        make_folder();
        atexit(clean_up);
    }
    write_file(history_path, data, size);
    require(learning_history_read(&first, folder, count, &complaints, &error));
    require(run_history_sift(history_path, 2, 2, (uint64_t[]){UINT64_MAX, UINT64_MAX}, &left_out, &error));
    require(left_out == (uint64_t)complaints);
    require(learning_history_read(&second, folder, count, &later, &error));
    require(later == 0 && second.count == first.count);
    for (int i = 0; i < first.count; i++)
        require(first.generation[i].run == second.generation[i].run &&
                first.generation[i].generation == second.generation[i].generation);
    learning_history_free(&first);
    learning_history_free(&second);
    unlink(before_path);
    return 0;
}
