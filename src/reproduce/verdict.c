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

PublishedValue published_value(PublishedKind kind, double value, double more) {
    PublishedValue made = {kind, value, {NAN, NAN}};
    double half = fabs(value) * more;
    switch (kind) {
    case PUBLISHED_NOT:
    case PUBLISHED_ALONE:
        break;
    case PUBLISHED_GAMES:
        made.interval = interval_exact((uint64_t)more, 0, value * more);
        break;
    case PUBLISHED_OF:
        made.value = value / more;
        made.interval = matches_interval((uint64_t)value, (uint64_t)more);
        break;
    case PUBLISHED_RELATIVE:
        made.interval = (Interval){value - half, value + half};
        break;
    case PUBLISHED_RANGE:
        made.value = (value + more) / 2;
        made.interval = (Interval){value, more};
    }
    return made;
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
