// SPDX-License-Identifier: GPL-3.0-or-later
#include "reproduce/verdict.h"

#include <math.h>

#include "measure/matches.h"

const char *const verdict_names[VERDICTS] = {[VERDICT_AGREES] = "agrees",
                                             [VERDICT_DIFFERS] = "differs",
                                             [VERDICT_UNDECIDED] = "undecided",
                                             [VERDICT_INCOMPARABLE] = "not comparable",
                                             [VERDICT_ALONE] = "ours alone"};

static const double allowed_without_interval = 0.1;

PublishedValue published_none(void) {
    return (PublishedValue){PUBLISHED_NOT, NAN, {NAN, NAN}};
}

PublishedValue published_alone(double value) {
    return (PublishedValue){PUBLISHED_ALONE, value, {NAN, NAN}};
}

PublishedValue published_relative(double value, double within) {
    double half = fabs(value) * within;
    return (PublishedValue){PUBLISHED_RELATIVE, value, {value - half, value + half}};
}

PublishedValue published_games(double value, uint64_t games) {
    return (PublishedValue){PUBLISHED_GAMES, value, interval_exact(games, 0, value * (double)games)};
}

PublishedValue published_of(double successes, uint64_t trials) {
    return (PublishedValue){PUBLISHED_OF, successes / (double)trials,
                            matches_interval((uint64_t)successes, trials)};
}

PublishedValue published_range(double low, double high) {
    return (PublishedValue){PUBLISHED_RANGE, (low + high) / 2, {low, high}};
}

// The half of an interval that faces `other`.
static double half_towards(double value, Interval interval, double other) {
    double half = other > value ? interval.high - value : value - interval.low;
    return isnan(half) ? 0 : fmax(half, 0);
}

Verdict verdict_of(const PublishedValue *published, double value, Interval interval) {
    Interval theirs = published->interval;
    if (published->kind == PUBLISHED_NOT)
        return VERDICT_ALONE;
    if (published->kind == PUBLISHED_RANGE) {
        double low = isnan(interval.low) ? value : interval.low;
        double high = isnan(interval.high) ? value : interval.high;
        return low > theirs.high || high < theirs.low     ? VERDICT_DIFFERS
               : low >= theirs.low && high <= theirs.high ? VERDICT_AGREES
                                                          : VERDICT_UNDECIDED;
    }
    double allowed = published->kind == PUBLISHED_ALONE ? allowed_without_interval * fabs(published->value)
                                                        : half_towards(published->value, theirs, value);
    allowed = hypot(allowed, half_towards(value, interval, published->value));
    return fabs(value - published->value) <= allowed ? VERDICT_AGREES : VERDICT_DIFFERS;
}
