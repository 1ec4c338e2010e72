// SPDX-License-Identifier: GPL-3.0-or-later
// A decision of a teacher, and what a student learns from it (learn/imitation.h has the formulas). Features
// are kept as their differences from those of the teacher's move, of which most are 0.
#ifndef TETRALAB_LEARN_DECISION_H
#define TETRALAB_LEARN_DECISION_H

#include <stdint.h>

#include "game/board.h"

typedef struct Difference { // a feature of a move, less that of the teacher's move
    uint16_t index;
    float value;
} Difference;

typedef struct Option {
    float value;      // the teacher's, less that of its own move; -INFINITY: it has none, or nothing follows
    int first, count; // its differences
} Option;

typedef struct Decision {
    int options; // the teacher's move is the first; it has no differences
    Option option[PLACEMENTS];
    Difference *difference; // owned
} Decision;

// Adds to the gradient how the sum of T(i) ln P(i) changes with each weight.
// -> temperature  t, of the teacher's values
// <- the option that the student rates highest; of equal ones the last: who knows nothing is not always right
int decision_study(const Decision *decision, const double *weight, double temperature, double *gradient);

#endif
