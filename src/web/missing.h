// SPDX-License-Identifier: GPL-3.0-or-later
// What Debian's C library for WebAssembly lacks. Included before every file of that build
// (cmake/engine.cmake).
#ifndef TETRALAB_WEB_MISSING_H
#define TETRALAB_WEB_MISSING_H

#include <stddef.h>

void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *),
             void *context);

#endif
