// SPDX-License-Identifier: GPL-3.0-or-later
// One progress line on stderr: drawn over itself on a terminal, at most four times a second; on a pipe, a
// plain line every ten seconds. Nothing appears during the first second of a run.
#ifndef TETRALAB_BASE_PROGRESS_H
#define TETRALAB_BASE_PROGRESS_H

#include <stdbool.h>

typedef struct Progress {
    double started, last;
    bool terminal, shown, quiet;
} Progress;

void progress_start(Progress *progress, bool quiet);
// Is it time for a new line? Callers build the text only then.
bool progress_due(Progress *progress);
void progress_show(Progress *progress, const char *text);
void progress_end(Progress *progress); // wipes the line on a terminal

// Ctrl-C (or SIGTERM, SIGHUP): the first one sets this and lets the run end by itself with what it has; a
// second one ends it.
extern volatile bool progress_interrupted;
void progress_catch_interrupt(void);

#endif
