// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"

#include <time.h>

double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

void clock_date(char out[CLOCK_DATE]) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(out, CLOCK_DATE, "%Y-%m-%dT%H:%M:%SZ", &utc);
}
