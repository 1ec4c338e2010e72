// SPDX-License-Identifier: GPL-3.0-or-later
// A published number against ours. The numbers p and o agree if
//     |p - o| <= sqrt(a^2 + b^2)
// a being the distance from p to that end of its 95 % interval that is nearer to o, and b that from o to the
// end of its own that is nearer to p. Independent estimates near the normal law that should agree fail this
// by chance once in twenty times.
#ifndef TETRALAB_REPRODUCE_VERDICT_H
#define TETRALAB_REPRODUCE_VERDICT_H

#include "measure/interval.h"

// How sure a published number is.
typedef enum PublishedKind {
    PUBLISHED_NOT,      // there is none
    PUBLISHED_ALONE,    // without an interval: 10 % to either side are allowed
    PUBLISHED_GAMES,    // a mean of so many games with exponential scores: the exact interval of interval.h
    PUBLISHED_OF,       // successes of so many trials; the value is the share, the interval Wilson's
    PUBLISHED_RELATIVE, // with a relative interval
    PUBLISHED_RANGE     // from ... to: our whole interval must be within
} PublishedKind;

typedef struct PublishedValue {
    PublishedKind kind;
    double value;      // of a range: its middle
    Interval interval; // what follows from the above; NAN: none
} PublishedValue;

typedef enum Verdict {
    VERDICT_AGREES,
    VERDICT_DIFFERS,
    VERDICT_UNDECIDED, // our interval is partly within the published range and partly not
    VERDICT_INCOMPARABLE,
    VERDICT_ALONE,
    VERDICTS
} Verdict;
extern const char *const verdict_names[VERDICTS]; // "agrees", "differs", "undecided", ...

// -> value  as it was published; -> more  games, trials, relative half of the interval; a range goes from
//    `value` to `more`
PublishedValue published_value(PublishedKind kind, double value, double more);

// -> interval  ours, NAN: exact, or not known
Verdict verdict_of(const PublishedValue *published, double value, Interval interval);

#endif
