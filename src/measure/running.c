// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/running.h"

#include <math.h>

#include "base/pool.h"
#include "feature/kernel.h"

static bool parse_kernel(const Field *field, void *at, const char *text, Error *error) {
    (void)field;
    *(const char **)at = text;
    return kernel_find(text, error) != NULL;
}

const FieldType running_kernel_type = {.parse = parse_kernel};

void running_kernel_suggest(FILE *out) {
    for (int i = 0; kernel_at(i); i++)
        fprintf(out, " %s", kernel_name(kernel_at(i)));
}

static const Field running_field[] = {
    {"max_pieces", FIELD_WHOLE, FIELD_AT(Running, max_pieces), .preset = INFINITY, .otherwise = "no limit",
     .least = 1, .most = 1e18, .argument = "N",
     .help = "Stop each game after N pieces; its score then counts as censored."},
    {"seed", FIELD_WHOLE, FIELD_AT(Running, seed), .preset = 1, .argument = "S",
     .help = "Seed of all random numbers."},
    {"jobs", FIELD_WHOLE, FIELD_AT(Running, jobs), .preset = NAN, .otherwise = "one per core", .least = 1,
     .most = POOL_MAX_THREADS, .argument = "J",
     .help = "Threads. Their number changes the speed, never a result."},
    {"kernel", FIELD_OTHER, FIELD_AT(Running, kernel), .preset = NAN, .type = &running_kernel_type,
     .suggest = running_kernel_suggest, .otherwise = "the fastest that this machine has", .argument = "NAME",
     .help = "Force a kernel; 'tetralab bench' lists them. It changes the speed, never a result."},
};
const Fields running_fields = FIELDS(running_field);
