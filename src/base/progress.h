// SPDX-License-Identifier: GPL-3.0-or-later
// One progress line on stderr: drawn over itself on a terminal, at most four times a second; on a pipe, a
// plain line every ten seconds. Nothing appears during the first second of a run.
#ifndef TETRALAB_BASE_PROGRESS_H
#define TETRALAB_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Progress {
    double started, last;
    bool terminal, shown, quiet;
} Progress;

void progress_start(Progress *progress, bool quiet);
// Is it time for a new line? Callers build the text only then.
bool progress_due(Progress *progress);
__attribute__((format(printf, 2, 3))) void progress_show(Progress *progress, const char *format, ...);
double progress_rate(const Progress *progress, uint64_t count); // how many a second, since the start
// <- ", about 3 min 20 s left"; empty if the seconds are not known (NAN, infinite)
enum { PROGRESS_LEFT = 40 };
const char *progress_left(double seconds, char out[PROGRESS_LEFT]);

// The time that is left of work whose share done is known now and then, by the speed of the newest half to
// three quarters of the time so far: work that becomes slower and slower (players that are learned play
// longer and longer) is not taken to be as fast as in the beginning.
typedef struct ProgressEstimate {
    struct {
        double now, share;
    } older, newer; // moments: each is twice as long after the start as the one before
    double start;
    bool begun;
} ProgressEstimate;

// -> now    seconds, on any clock
// -> share  of the work that is done, 0 ... 1; does not fall
// <- seconds; NAN: nothing has been done since it began
double progress_estimate(ProgressEstimate *estimate, double now, double share);

void progress_end(Progress *progress); // wipes the line on a terminal

// Ctrl-C (or SIGTERM, SIGHUP): the first one sets this and lets the run end by itself with what it has; a
// second one ends it. Where closed terminals are to be ignored (nohup), they are.
extern volatile bool progress_interrupted;
void progress_catch_interrupt(void);

#endif
