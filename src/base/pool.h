// SPDX-License-Identifier: GPL-3.0-or-later
// Threads for independent tasks. Which thread runs which task never changes a result.
#ifndef TETRALAB_BASE_POOL_H
#define TETRALAB_BASE_POOL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { POOL_MAX_THREADS = 1024 };

// Runs task 0 ... count-1, each once, in ascending order of start, on up to `threads` threads including
// the caller's, which is thread 0. Returns when all that were started have ended. `stop` may be NULL;
// when it becomes true, no further task is started: tasks 0 ... k-1 have then been run, for some k. Set it
// from other threads or signal handlers with __atomic_store_n.
// Fails, having run nothing, when `threads` is not in 1 ... POOL_MAX_THREADS. When the system refuses a
// thread, those that there are do the work.
bool pool_run(int threads, uint64_t count, void (*task)(void *context, uint64_t index, int thread),
              void *context, const volatile bool *stop, Error *error);

// <- has the flag, which may be NULL, become true?
static inline bool pool_stopped(const volatile bool *stop) {
    return stop && __atomic_load_n(stop, __ATOMIC_RELAXED);
}

int pool_cores(void); // cores this process may use, 1 ... POOL_MAX_THREADS

#endif
