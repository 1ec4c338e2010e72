// SPDX-License-Identifier: GPL-3.0-or-later
// Imitation: a greedy player learns to choose what a teacher would choose, such as a player that looks ahead.
// No score is needed, only the teacher's values of the moves; so hundreds of weights can be learned in a
// minute. It is classification-based policy improvement (Lagoudakis & Parr 2003; Scherrer et al., JMLR 16,
// 2015) with a teacher in place of roll-outs, and what imitates can itself look ahead and be imitated again.
//
// A decision is a board with a piece: the values q of its moves by the teacher, and their features x. The
// weights w make probabilities of the moves, those of the teacher likewise:
//
//     P(i) = e^(w x_i) / sum over j of e^(w x_j)        T(i) = e^(q_i / t) / sum over j of e^(q_j / t)
//
// and -sum of T(i) ln P(i), on average over decisions, is made small by stochastic gradients (Adam: Kingma &
// Ba 2015), each decision being used once. The temperature t is a share of the usual distance, the
// median, between the teacher's best and second best move in the first lesson.
//
// Decisions come in lessons. Half of the games of a lesson are played by the teacher, half by the student as
// it was after the lesson before, so that it learns about its own positions too (Ross, Gordon & Bagnell
// 2011). In hard times, stretches in which the pieces follow a law drawn at random, piles become as high as
// they otherwise get once in a million pieces.
//
// The result depends on settings and seed, not on threads or machine.
#ifndef TETRALAB_LEARN_IMITATION_H
#define TETRALAB_LEARN_IMITATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/work.h"
#include "learn/encoding.h"
#include "player/player.h"

typedef struct ImitationSettings {
    uint64_t decisions; // in whole lessons of 2,048
    double rate;        // of learning, in the beginning; it falls to 0
    double temperature; // in usual distances between the best and the second best move
    double trouble;     // share of the stretches that are hard times
} ImitationSettings;
extern const Fields imitation_fields;

// How the student does, by decisions before it has learned from them.
typedef struct ImitationScore {
    uint64_t decisions;
    double agreement; // share of the decisions in which it chooses what the teacher finds best
    double
        regret; // what its choices lose by the teacher's values, in usual distances as above, at most 10 each
} ImitationScore;

typedef struct Imitation {
    // To be filled in.
    const Player *teacher;    // its rules are those of the lessons
    const Encoding *encoding; // linear
    const double *start;      // the student's first weights; NULL: zeros
    ImitationSettings settings;
    const Kernel *kernel; // for the student; NULL: the fastest
    uint64_t seed;
    Work work; // unit: decisions; value: agreement in the last lesson
    // Made. Free with imitation_free.
    double *weights;            // owned; encoding_size of them
    ImitationScore first, last; // of the first lesson, and of the last tenth of them
    uint64_t decisions;         // fewer than wanted: it was stopped
} Imitation;

// Can the teacher be imitated: does it value its moves, under rules with independent pieces?
bool imitation_check(const Imitation *imitation, Error *error);
// Stopped, it keeps what was learned until then.
bool imitation_run(Imitation *imitation, Error *error);
void imitation_free(Imitation *imitation);

#endif
