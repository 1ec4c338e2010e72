// SPDX-License-Identifier: GPL-3.0-or-later
// A published number against ours. The numbers p and o agree if
//     |p - o| <= sqrt(a^2 + b^2)
// a being the distance from p to that end of its 95 % interval that is nearer to o, and b that from o to the
// end of its own that is nearer to p. Independent estimates near the normal law that should agree fail this
// by chance once in twenty times. A printed number is rounded: p is that number nearest to o which would be
// printed so.
#ifndef TETRALAB_REPRODUCE_VERDICT_H
#define TETRALAB_REPRODUCE_VERDICT_H

#include <stdbool.h>

#include "measure/interval.h"

// How sure a published number is.
typedef enum PublishedKind {
    PUBLISHED_NOT,      // there is none
    PUBLISHED_ALONE,    // without an interval: it is what it is, up to its rounding
    PUBLISHED_GAMES,    // a mean of so many games with exponential scores: the exact interval of interval.h
    PUBLISHED_OF,       // successes of so many trials; the value is the share, the interval Wilson's
    PUBLISHED_RELATIVE, // with a relative interval
    PUBLISHED_RANGE,    // from ... to: our whole interval must be within
    PUBLISHED_STATEMENT // no number, but a statement that holds if our whole interval is within
} PublishedKind;

// A number as it is printed.
typedef struct PublishedText {
    double step;  // of its last digit; 0: all digits are there
    bool cut;     // the digits behind are cut off, not rounded
    bool implied; // the number of games is not stated: the digits imply it
} PublishedText;

typedef struct PublishedValue {
    PublishedKind kind;
    double value, more; // as given to published_value; of PUBLISHED_OF the share, of a range its middle
    PublishedText text;
    Interval printed;  // the numbers that would be printed so
    Interval interval; // what follows from all this; NAN: none
} PublishedValue;

typedef enum Verdict {
    VERDICT_AGREES,
    VERDICT_DIFFERS,
    VERDICT_HOLDS,
    VERDICT_FAILS,
    VERDICT_UNDECIDED, // our interval is partly within the range and partly not
    VERDICT_INCOMPARABLE,
    VERDICT_ALONE,
    VERDICTS
} Verdict;
extern const char *const verdict_names[VERDICTS]; // "agrees", "differs", "holds", ...

// -> value  as it was published; -> more  games, trials, relative half of the interval; ranges and statements
//    go from `value` to `more`, which may be infinite
// -> text   NULL: all digits are there
PublishedValue published_value(PublishedKind kind, double value, double more, const PublishedText *text);

// -> interval  ours, NAN: exact, or not known
Verdict verdict_of(const PublishedValue *published, double value, Interval interval);

#endif
