// SPDX-License-Identifier: GPL-3.0-or-later
// Mean lines of the built-in players as others have published them: what a measurement is compared with.
#ifndef TETRALAB_PLOT_PUBLISHED_H
#define TETRALAB_PLOT_PUBLISHED_H

#include "game/rules.h"

typedef struct Published {
    const char *strategy;
    int width, height; // simplified rules, avoid, uniform pieces
    Overflow overflow; // the rule of their games
    double low, high;  // the published means, if there are several, else equal
    const char *source;
} Published;

// <- what is published of this strategy under these rules, NULL: nothing
const Published *published_find(const char *strategy, const Rules *rules);

#endif
