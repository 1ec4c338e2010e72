// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/clock.h"

#include <stdio.h>
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
    snprintf(out, CLOCK_DATE, "%04u-%02u-%02uT%02u:%02u:%02uZ", (unsigned)(utc.tm_year + 1900) % 10000,
             (unsigned)(utc.tm_mon + 1) % 100, (unsigned)utc.tm_mday % 100, (unsigned)utc.tm_hour % 100,
             (unsigned)utc.tm_min % 100, (unsigned)utc.tm_sec % 100); // strftime is 4 KB of the page
}
