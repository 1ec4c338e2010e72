// SPDX-License-Identifier: GPL-3.0-or-later
// Preloaded by tests/attack/allocations: the allocation number FAIL_AT fails, and with FAIL_ALL all after it.
// Only this program's own: what the C library does before main is not counted.
#define _GNU_SOURCE
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static atomic_long made;
static long fail_at = -1;
static int fail_all;

__attribute__((constructor)) static void begin(void) {
    const char *at = getenv("FAIL_AT");
    fail_all = getenv("FAIL_ALL") != NULL;
    fail_at = at ? atol(at) : -1;
    unsetenv("LD_PRELOAD"); // programs that it starts are not attacked
}

static int fails(void) {
    if (fail_at < 0)
        return 0;
    long number = atomic_fetch_add(&made, 1);
    if (number == fail_at || (fail_all && number > fail_at)) {
        errno = ENOMEM;
        return 1;
    }
    return 0;
}

void *malloc(size_t size) {
    return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    return fails() ? NULL : __libc_realloc(memory, size);
}
