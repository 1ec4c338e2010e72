// SPDX-License-Identifier: GPL-3.0-or-later
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "reproduce/reproduction_plot.h"

// FNV-1a: equal commands have equal names.
static uint64_t number_of(const char *command) {
    uint64_t hash = 0xcbf29ce484222325;
    for (; *command; command++)
        hash = (hash ^ (unsigned char)*command) * 0x100000001b3;
    return hash;
}

const char *reproduction_output(const char *dir, const char *name, char *path) {
    snprintf(path, 4096, "%.4000s/outputs/%016" PRIx64 ".json", dir, number_of(name));
    return path;
}
