// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/progress.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "base/utf8.h"

volatile bool progress_interrupted;

static bool can_redraw(void) {
    const char *kind = getenv("TERM");
    return isatty(STDERR_FILENO) && kind && strcmp(kind, "dumb");
}

void progress_start(Progress *progress, bool quiet) {
    double now = clock_seconds();
    *progress = (Progress){.started = now, .last = now, .terminal = can_redraw(), .quiet = quiet};
}

bool progress_due(Progress *progress) {
    if (progress->quiet)
        return false;
    double now = clock_seconds(), interval = progress->terminal ? 0.25 : 10;
    return now - progress->started >= 1 && now - progress->last >= interval;
}

// How many bytes of the text fit into `columns`, without cutting a UTF-8 character in two.
static int fitting(const char *text, int columns) {
    int i = 0;
    for (; text[i]; i++)
        if (((unsigned char)text[i] & 0xc0) != 0x80 && columns-- == 0)
            break;
    return i;
}

void progress_show(Progress *progress, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    progress->last = clock_seconds();
    if (progress->quiet)
        return;
    char clean[sizeof text];
    utf8_clean(clean, sizeof clean, text, strlen(text));
    if (!progress->terminal) {
        fprintf(stderr, "%s\n", clean);
        return;
    }
    // A line as wide as the terminal would wrap, and then could not be drawn over.
    struct winsize size;
    int columns = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col < 2 ? 79 : size.ws_col - 1;
    fprintf(stderr, "\r\033[K%.*s", fitting(clean, columns), clean);
    fflush(stderr);
    progress->shown = true;
}

double progress_rate(const Progress *progress, uint64_t count) {
    return (double)count / (clock_seconds() - progress->started);
}

const char *progress_left(double seconds, char out[PROGRESS_LEFT]) {
    char time[24];
    *out = 0;
    if (isfinite(seconds))
        snprintf(out, PROGRESS_LEFT, ", about %s left", text_seconds(seconds > 0 ? seconds : 0, time));
    return out;
}

double progress_estimate(ProgressEstimate *e, double now, double share) {
    if (!e->begun) {
        *e = (ProgressEstimate){.begun = true};
        e->older.now = e->newer.now = e->start = now;
        e->older.share = e->newer.share = share;
    }
    if (now - e->start >= 2 * (e->newer.now - e->start)) {
        e->older = e->newer;
        e->newer.now = now;
        e->newer.share = share;
    }
    double speed = (share - e->older.share) / (now - e->older.now);
    return speed > 0 ? fmax(1 - share, 0) / speed : NAN;
}

void progress_end(Progress *progress) {
    if (progress->shown)
        fputs("\r\033[K", stderr);
    progress->shown = false;
}

static void on_interrupt(int signal_number) {
    (void)signal_number;
    __atomic_store_n(&progress_interrupted, true, __ATOMIC_RELAXED);
}

void progress_catch_interrupt(void) {
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    sigemptyset(&action.sa_mask);
    static const int signals[] = {SIGINT, SIGTERM,
                                  SIGHUP}; // batch systems and closed terminals send the others
    struct sigaction before;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (signals[i] != SIGHUP || sigaction(SIGHUP, NULL, &before) || before.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}
