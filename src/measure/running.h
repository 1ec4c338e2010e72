// SPDX-License-Identifier: GPL-3.0-or-later
// How a computation is run, whatever it computes: seed, threads, kernel, the length of games.
#ifndef TETRALAB_MEASURE_RUNNING_H
#define TETRALAB_MEASURE_RUNNING_H

#include <stdint.h>

#include "base/fields.h"

// As a macro, so that a larger struct can have them as members of its own (app/app.h).
#define RUNNING_MEMBERS                                                                                      \
    uint64_t seed, jobs; /* jobs: threads; 0: not given */                                                   \
    uint64_t max_pieces; /* UINT64_MAX: no limit */                                                          \
    const char *kernel   /* NULL: the fastest */

typedef struct Running {
    RUNNING_MEMBERS;
} Running;

extern const Fields running_fields;         // max_pieces, seed, jobs, kernel
extern const FieldType running_kernel_type; // const char *, the name of a kernel that this machine has
void running_kernel_suggest(FILE *out);     // those of this build, for Field.suggest

#endif
