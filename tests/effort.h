// SPDX-License-Identifier: GPL-3.0-or-later
// How many random cases a test tries: the usual number, scaled by TETRALAB_TEST_EFFORT (percent), which
// `make check-all` sets to 5 under the sanitizers and `make check-release` to 1000.
#ifndef TETRALAB_TESTS_EFFORT_H
#define TETRALAB_TESTS_EFFORT_H

#include <stdint.h>
#include <stdlib.h>

static inline uint64_t test_effort(uint64_t usual) {
    const char *text = getenv("TETRALAB_TEST_EFFORT");
    double percent = text ? strtod(text, NULL) : 100;
    if (!(percent > 0 && percent <= 1e9))
        percent = 100;
    double scaled = (double)usual * percent / 100;
    return scaled < 1 ? 1 : (uint64_t)scaled;
}

#endif
