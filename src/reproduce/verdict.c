// SPDX-License-Identifier: GPL-3.0-or-later
#include "reproduce/verdict.h"

#include <math.h>

#include "measure/matches.h"

const char *const verdict_names[VERDICTS] = {
    [VERDICT_AGREES] = "agrees",       [VERDICT_DIFFERS] = "differs",
    [VERDICT_HOLDS] = "holds",         [VERDICT_FAILS] = "fails",
    [VERDICT_UNDECIDED] = "undecided", [VERDICT_INCOMPARABLE] = "not comparable",
    [VERDICT_ALONE] = "ours alone"};

static bool is_range(PublishedKind kind) {
    return kind == PUBLISHED_RANGE || kind == PUBLISHED_STATEMENT;
}

// The interval of an unrounded number.
static Interval interval_of(PublishedKind kind, double value, double more) {
    double half = fabs(value) * more;
    switch (kind) {
    case PUBLISHED_GAMES:
        return interval_exact((uint64_t)more, 0, value * more);
    case PUBLISHED_OF:
        return matches_interval((uint64_t)(value * more + 0.5), (uint64_t)more);
    case PUBLISHED_RELATIVE:
        return (Interval){value - half, value + half};
    default:
        return (Interval){value, value};
    }
}

PublishedValue published_value(PublishedKind kind, double value, double more, const PublishedText *text) {
    PublishedValue made = {.kind = kind, .value = value, .more = more, .interval = {NAN, NAN}};
    if (text)
        made.text = *text;
    if (is_range(kind)) {
        made.value = (value + more) / 2;
        made.interval = (Interval){value, more};
    } else if (kind != PUBLISHED_NOT) {
        made.value = value = kind == PUBLISHED_OF ? value / more : value;
        double half = made.text.cut ? 0 : made.text.step / 2;
        made.printed = (Interval){value - half, value + made.text.step - half};
        if (value >= 0) // what is counted or measured here is not negative
            made.printed.low = fmax(made.printed.low, 0);
        made.interval.low = interval_of(kind, made.printed.low, more).low;
        made.interval.high = interval_of(kind, made.printed.high, more).high;
    }
    return made;
}

// The half of an interval that faces `other`.
static double half_towards(double value, Interval interval, double other) {
    double half = other > value ? interval.high - value : value - interval.low;
    return isnan(half) ? 0 : fmax(half, 0);
}

static Verdict within(const PublishedValue *published, double value, Interval interval) {
    bool statement = published->kind == PUBLISHED_STATEMENT;
    double low = isnan(interval.low) ? value : interval.low;
    double high = isnan(interval.high) ? value : interval.high;
    if (low > published->interval.high || high < published->interval.low)
        return statement ? VERDICT_FAILS : VERDICT_DIFFERS;
    if (low >= published->interval.low && high <= published->interval.high)
        return statement ? VERDICT_HOLDS : VERDICT_AGREES;
    return VERDICT_UNDECIDED;
}

Verdict verdict_of(const PublishedValue *published, double value, Interval interval) {
    if (published->kind == PUBLISHED_NOT)
        return VERDICT_ALONE;
    if (is_range(published->kind))
        return within(published, value, interval);
    double nearest = fmin(fmax(value, published->printed.low), published->printed.high);
    Interval theirs = interval_of(published->kind, nearest, published->more);
    double allowed = hypot(half_towards(nearest, theirs, value), half_towards(value, interval, nearest));
    return fabs(value - nearest) <= allowed ? VERDICT_AGREES : VERDICT_DIFFERS;
}
