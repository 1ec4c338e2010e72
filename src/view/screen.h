// SPDX-License-Identifier: GPL-3.0-or-later
// What a viewer sees, as a page of text (view/grid.h): boards beside each other, and to the right of them the
// score, the moves in the order in which the player prefers them, what features give, and the height of the
// pile. It uses the room that there is: from 80x24 on for the usual board, wider and higher if the page is;
// where the page is narrow it leaves out what stands beside the boards, then makes cells narrower, and where
// not even that fits it says so.
#ifndef TETRALAB_VIEW_SCREEN_H
#define TETRALAB_VIEW_SCREEN_H

#include "view/grid.h"
#include "view/viewer.h"

typedef struct ScreenLook {
    bool unicode; // false: ASCII alone
    bool keys;    // with speed and keys at the bottom: somebody can press them
} ScreenLook;

enum { SCREEN_WIDTH = 80, SCREEN_HEIGHT = 24 }; // where nothing else is known

void screen_draw(Grid *grid, Viewer *viewer, const ScreenLook *look);

// --- for view/panel.c

typedef struct ScreenSigns {
    uint32_t filled[2], empty[2], full, attack, ghost, wall, left_corner, right_corner, floor, mark;
    const uint32_t *trace; // 9 characters, from empty to full
} ScreenSigns;

typedef struct ScreenArea {
    int x, y, width, height;
} ScreenArea;

// Beside the boards: all of what is said above.
void panel_draw(Grid *grid, Viewer *viewer, ScreenArea area, const ScreenSigns *signs);
enum { PANEL_LEAST = 33 }; // columns

#endif
