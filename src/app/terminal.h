// SPDX-License-Identifier: GPL-3.0-or-later
// The terminal as a page that is drawn over again (ncurses), its keys and its signals. There is one, so that
// it needs no name. Whatever ends the program, the terminal is as it was before: ncurses undoes what it did
// when the page is given back; a crash or a second Ctrl-C do so by themselves.
#ifndef TETRALAB_APP_TERMINAL_H
#define TETRALAB_APP_TERMINAL_H

#include <stdbool.h>

#include "base/error.h"
#include "view/grid.h"

// Are the standard input and output a terminal that pages can be drawn on?
bool terminal_is_there(void);

// Takes the whole terminal. false: it is unknown to ncurses, or the program was built without that.
bool terminal_open(Error *error);
void terminal_close(void); // gives it back; may be called at any time

void terminal_size(int *width, int *height);
void terminal_show(const Grid *grid);

// What comes first: a key (view/viewer.h), or one of these.
enum {
    TERMINAL_NOTHING = -1, // the time is up
    TERMINAL_REDRAW = -2,  // it has another size, or the program was stopped and goes on
    TERMINAL_LEAVE = -3    // Ctrl-C, or the terminal is gone
};
// -> seconds  to wait at most; INFINITY: without end
int terminal_wait(double seconds);

#endif
