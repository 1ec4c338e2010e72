// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a program and exchanges lines with it through its standard input and output. Every call has a
// deadline, also for a program that is silent or does not read. The program dies with us, even when we are
// killed: a watchdog process of our own kills its process group as soon as the pipe to us breaks.
//
// Its standard error is ours. SIGPIPE is not raised, and no signal handler is set.
#ifndef TETRALAB_BASE_CHILD_H
#define TETRALAB_BASE_CHILD_H

#include <stddef.h>

#include "base/error.h"

typedef struct Child Child;

// -> arguments  up to NULL; the first one is the program: a path, or a name that is looked for in PATH
// <- NULL: the error says why, in a sentence about the first argument
Child *child_start(const char *const *arguments, size_t line_limit, Error *error);
void child_end(Child *child); // at once. NULL: nothing happens

typedef enum ChildEvent {
    CHILD_DONE,     // the line is there, or was written
    CHILD_LATE,     // it did not say, or take, anything until the deadline
    CHILD_GONE,     // it has ended, or closed the pipe
    CHILD_TOO_LONG, // a line has more than line_limit bytes
    CHILD_FAILED    // the pipe cannot be used
} ChildEvent;

// Writes a text with its line end. -> deadline  as clock_seconds counts
ChildEvent child_write(Child *child, const char *text, size_t length, double deadline);
// <- *text  a line without its end, valid until the next call
ChildEvent child_read(Child *child, double deadline, const char **text, size_t *length);

#endif
