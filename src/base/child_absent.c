// SPDX-License-Identifier: GPL-3.0-or-later
// In the place of base/child.c where no other program can be started: the page in a browser.
#include "base/child.h"

Child *child_start(const char *const *arguments, size_t line_limit, Error *error) {
    (void)line_limit;
    return error_null(error, "%.300s cannot be started: there are no other programs in a browser.",
                      arguments[0]);
}

void child_end(Child *child) {
    (void)child;
}

ChildEvent child_write(Child *child, const char *text, size_t length, double deadline) {
    (void)child, (void)text, (void)length, (void)deadline;
    return CHILD_GONE;
}

ChildEvent child_read(Child *child, double deadline, const char **text, size_t *length) {
    (void)child, (void)deadline, (void)text, (void)length;
    return CHILD_GONE;
}
