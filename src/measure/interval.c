// SPDX-License-Identifier: GPL-3.0-or-later
// Intervals for the mean of scores; the header says which and why. The rule 2/sqrt n is that of Thiery &
// Scherrer (Building controllers for Tetris, 2009) and Boumaza; the exact interval is the textbook one for
// exponential life times, with censoring treated as in life testing (Epstein & Sobel 1953). There is no
// test of the exponential law here: the caller shows sd/mean.
#include "measure/interval.h"

#include <math.h>
#include <stdlib.h>

#include "base/portable.h"
#include "measure/quantile.h"

static const double TAIL = 0.025; // left out on each side

Interval interval_rule(uint64_t ended, double lines) {
    if (ended == 0)
        return (Interval){NAN, NAN};
    double mean = lines / (double)ended, part = 2 / sqrt((double)ended);
    return (Interval){fmax(0, mean * (1 - part)), mean * (1 + part)};
}

Interval interval_exact(uint64_t ended, uint64_t censored, double lines) {
    double upper_point = quantile_chi_square(1 - TAIL, 2 * ended + (censored || ended == 0 ? 2 : 0));
    double low = 2 * lines / upper_point;
    if (ended == 0)
        return (Interval){low, INFINITY};
    if (lines == 0)
        return (Interval){0, portable_power(TAIL, -1 / (double)ended) - 1};
    return (Interval){low, 2 * lines / quantile_chi_square(TAIL, 2 * ended)};
}

Interval interval_normal(uint64_t games, double mean, double sd) {
    if (games < 2)
        return (Interval){NAN, NAN};
    double half = quantile_student(1 - TAIL, games - 1) * sd / sqrt((double)games);
    return (Interval){fmax(0, mean - half), mean + half};
}

double interval_precision(uint64_t ended, bool censored) {
    if (ended == 0)
        return INFINITY;
    Interval unit = interval_exact(ended, censored, (double)ended); // mean 1
    return fmax(1 - unit.low, unit.high - 1);
}

// The upper side is always the longer one, with and without censoring, so that one search serves both.
uint64_t interval_games_for(double precision, uint64_t most) {
    uint64_t below = 0, enough = 1;
    while (enough < most && interval_precision(enough, true) > precision) {
        below = enough;
        enough = enough > most / 2 ? most : enough * 2;
    }
    while (enough - below > 1) {
        uint64_t middle = below + (enough - below) / 2;
        if (interval_precision(middle, true) > precision)
            below = middle;
        else
            enough = middle;
    }
    return enough;
}

// A score as one number: censored games come after those that ended with as many lines.
static uint64_t rank_of(const Score *score) {
    return score->lines << 1 | score->censored;
}

static int compare_ranks(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

// Kaplan & Meier's estimate: the first score that at least half of the games do not survive, a censored game
// counting as long as it was seen. <- NAN: it lies beyond what was seen
static double median_of_censored(const uint64_t *rank, uint64_t count) {
    double surviving = 1;
    for (uint64_t i = 0; i < count; i++) {
        if (!(rank[i] & 1))
            surviving *= 1 - 1 / (double)(count - i);
        if (surviving <= 0.5 + 1e-12) // the product of many factors is not exact
            return (double)(rank[i] >> 1);
    }
    return NAN;
}

static bool order_statistics(Summary *summary, const Score *score, Error *error) {
    uint64_t count = summary->games;
    uint64_t *rank = malloc(count * sizeof *rank);
    if (!rank)
        return error_set(error, "Out of memory: cannot sort %llu scores.", (unsigned long long)count);
    for (uint64_t i = 0; i < count; i++)
        rank[i] = rank_of(&score[i]);
    qsort(rank, count, sizeof *rank, compare_ranks);
    uint64_t lower = (count - 1) / 2, upper = count / 2;
    summary->minimum = rank[0] >> 1;
    summary->maximum = rank[count - 1] >> 1;
    summary->median = ((double)(rank[lower] >> 1) + (double)(rank[upper] >> 1)) / 2;
    double estimate = summary->censored ? median_of_censored(rank, count) : summary->median;
    summary->median_is_bound = isnan(estimate);
    if (!isnan(estimate))
        summary->median = estimate;
    free(rank);
    return true;
}

static double standard_deviation(const Score *score, uint64_t count, double lines) {
    double average = lines / (double)count, sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += ((double)score[i].lines - average) * ((double)score[i].lines - average);
    return count > 1 ? sqrt(sum / (double)(count - 1)) : NAN;
}

bool summary_make(Summary *summary, const Score *score, uint64_t count, Error *error) {
    *summary = (Summary){.games = count};
    for (uint64_t i = 0; i < count; i++) {
        summary->lines += score[i].lines;
        summary->pieces += score[i].pieces;
        summary->censored += score[i].censored;
    }
    uint64_t ended = count - summary->censored;
    double lines = (double)summary->lines;
    summary->mean = ended ? lines / (double)ended : INFINITY;
    summary->sd = standard_deviation(score, count, lines);
    summary->rule = interval_rule(ended, lines);
    summary->exact = interval_exact(ended, summary->censored, lines);
    summary->normal =
        summary->censored ? (Interval){NAN, NAN} : interval_normal(count, summary->mean, summary->sd);
    return order_statistics(summary, score, error);
}
