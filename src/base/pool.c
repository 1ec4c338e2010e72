// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE // sched_getaffinity
#include "base/pool.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Pool {
    uint64_t next, count; // next: the first task that nobody has taken
    void (*task)(void *context, uint64_t index, int thread);
    void *context;
    const volatile bool *stop;
} Pool;

typedef struct Worker {
    pthread_t thread;
    Pool *pool;
    int number;
} Worker;

// `stop` is looked at before a task is taken, never between taking and running it: so the tasks that
// were run are always 0 ... k-1 without a gap.
static void work(Pool *pool, int number) {
    while (!pool_stopped(pool->stop)) {
        uint64_t index = __atomic_fetch_add(&pool->next, 1, __ATOMIC_RELAXED);
        if (index >= pool->count)
            return;
        pool->task(pool->context, index, number);
    }
}

static void *worker_main(void *argument) {
    Worker *worker = argument;
    work(worker->pool, worker->number);
    return NULL;
}

bool pool_run(int threads, uint64_t count, void (*task)(void *context, uint64_t index, int thread),
              void *context, const volatile bool *stop, Error *error) {
    if (threads < 1 || threads > POOL_MAX_THREADS)
        return error_set(error, "the number of threads must be from 1 to %d, got %d.", POOL_MAX_THREADS,
                         threads);
    if (count < (uint64_t)threads)
        threads = count ? (int)count : 1;
    Worker *workers = malloc((size_t)threads * sizeof *workers);
    if (!workers)
        return error_set(error, "out of memory for %d threads.", threads);
    Pool pool = {.count = count, .task = task, .context = context, .stop = stop};
    int started = 1;
    for (; started < threads; started++) {
        workers[started] = (Worker){.pool = &pool, .number = started};
        if (pthread_create(&workers[started].thread, NULL, worker_main, &workers[started]))
            break;
    }
    work(&pool, 0);
    for (int i = 1; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    free(workers);
    return true;
}

int pool_cores(void) {
    cpu_set_t set;
    CPU_ZERO(&set);
    long cores = sched_getaffinity(0, sizeof set, &set) ? sysconf(_SC_NPROCESSORS_ONLN) : CPU_COUNT(&set);
    return cores < 1 ? 1 : cores > POOL_MAX_THREADS ? POOL_MAX_THREADS : (int)cores;
}
