// SPDX-License-Identifier: GPL-3.0-or-later
#include "web/missing.h"

#include <sys/random.h>

static void swap(char *a, char *b, size_t size) {
    for (size_t i = 0; i < size; i++) {
        char held = a[i];
        a[i] = b[i];
        b[i] = held;
    }
}

// By insertion: what is sorted so are the candidates of a generation. Users compare so that no two are equal.
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *context) {
    char *list = base;
    for (size_t i = 1; i < count; i++)
        for (size_t j = i; j > 0 && compare(list + (j - 1) * size, list + j * size, context) > 0; j--)
            swap(list + (j - 1) * size, list + j * size, size);
}

// For names of temporary files, which there are none of.
ssize_t getrandom(void *bytes, size_t size, unsigned flags) {
    (void)bytes, (void)size, (void)flags;
    return -1;
}
