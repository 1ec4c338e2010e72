// SPDX-License-Identifier: GPL-3.0-or-later
// Somebody who watches: one game or match, or several games side by side on the same pieces; how fast they
// go, which board is looked at, and what keys do. The time is told by the caller.
#ifndef TETRALAB_VIEW_VIEWER_H
#define TETRALAB_VIEW_VIEWER_H

#include "view/watched.h"

enum { VIEWER_TABLES = MATCH_MAX_SEATS };

// Keys are characters, or one of these.
enum {
    VIEWER_LEFT = 0x110000,
    VIEWER_RIGHT,
    VIEWER_UP,
    VIEWER_DOWN,
    VIEWER_HOME,
    VIEWER_END,
    VIEWER_PAGE_UP,
    VIEWER_PAGE_DOWN
};

// How fast, in moves a second; the last one is as fast as a page can be shown, and faster.
extern const double viewer_speeds[];
enum { VIEWER_SPEEDS = 14 };

typedef struct Viewer {
    Watched *table[VIEWER_TABLES]; // owned; games that go side by side
    int tables;
    int speed; // an index
    bool paused, help, quit;
    int focus;               // the board whose moves are shown, over all tables
    int orientation, column; // of the human's piece
    const char *message;     // for the line at the bottom; NULL: none
    Error error;             // why it cannot go on; empty: it can
    double (*clock)(void);   // what time it is while moves are made; NULL: they take none

    double last, window_start; // times of the last move and of the first that `rate` is about
    uint64_t window_moves;
    double rate; // moves a second; NaN: not known yet
} Viewer;

// -> speed  moves a second: the nearest of the speeds is taken
void viewer_start(Viewer *viewer, double speed);
bool viewer_add(Viewer *viewer, Watched *watched); // takes it; false: it is NULL
void viewer_free(Viewer *viewer);

// A board and whose it is. -> index  counts the seats of all tables
typedef struct ViewedBoard {
    Watched *watched;
    int seat;
} ViewedBoard;
int viewer_boards(const Viewer *viewer);
ViewedBoard viewer_board(const Viewer *viewer, int index);

size_t viewer_at(const Viewer *viewer);     // the round that is shown; games that have ended stay at theirs
size_t viewer_rounds(const Viewer *viewer); // so far
bool viewer_is_over(const Viewer *viewer);
ViewedBoard viewer_human(const Viewer *viewer); // whose turn it is; watched = NULL: no human's

// <- false: it cannot go on
bool viewer_forward(Viewer *viewer);
void viewer_seek(Viewer *viewer, size_t round);

// What a key does: `by`, or -by for one of the keys `back`. NULL: viewer_key does it itself.
enum { VIEWER_SAME_KEYS = 3 };
typedef struct ViewerKey {
    int key[VIEWER_SAME_KEYS], back[VIEWER_SAME_KEYS]; // up to 0
    void (*act)(Viewer *viewer, int by);
    int by;
    const char *keys, *what;  // in the line at the bottom; NULL: not there
    const char *all, *effect; // on the page of help
} ViewerKey;
// <- those that are shown now, up to one without `all`
const ViewerKey *viewer_keys(const Viewer *viewer);
void viewer_key(Viewer *viewer, int key);

// <- seconds until there is something to do; INFINITY: nothing but keys
double viewer_wait(const Viewer *viewer, double now);
// Makes the moves that are due, or as many as the players can in the time of a page: keys do not wait for a
// slow one. <- has anything changed?
bool viewer_tick(Viewer *viewer, double now);

#endif
