// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers of the picture; curves_data.h explains them.
#include "plot/curves_data.h"

#include <math.h>
#include <stdlib.h>

const Generation *curves_find(const Curves *curves, int run, uint64_t generation) {
    const Generation *list = curves->history->generation;
    int low = curves->first[run], high = curves->first[run + 1]; // the answer is before `low` in the end
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (list[middle].generation <= generation)
            low = middle + 1;
        else
            high = middle;
    }
    return low > curves->first[run] ? &list[low - 1] : NULL;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double lines_of(const Curves *curves, double score) {
    return isnan(score) ? NAN : objective_lines(curves->history->kind, score);
}

double curves_answer(const Curves *curves, const Generation *generation, int index) {
    (void)index;
    return lines_of(curves, generation->curve);
}

double curves_best(const Curves *curves, const Generation *generation, int index) {
    (void)index;
    return lines_of(curves, generation->best);
}

double curves_mean(const Curves *curves, const Generation *generation, int index) {
    (void)index;
    return lines_of(curves, generation->mean);
}

double curves_sigma(const Curves *curves, const Generation *generation, int index) {
    (void)curves, (void)index;
    return generation->sigma;
}

double curves_deviation(const Curves *curves, const Generation *generation, int index) {
    (void)curves;
    return generation->deviation ? generation->deviation[index] : NAN;
}

double curves_axis(const Curves *curves, const Generation *generation, int index) {
    (void)curves;
    return generation->axes ? generation->axes[index] : NAN;
}

double curves_share(const Curves *curves, const Generation *generation, int index) {
    (void)curves, (void)index;
    return generation->full ? 100 * (double)generation->samples / (double)generation->full : NAN;
}

double curves_weight(const Curves *curves, const Generation *generation, int index) {
    double squares = 0;
    for (int k = 0; curves->history->directions && k < generation->size; k++)
        squares += generation->answer[k] * generation->answer[k];
    return generation->answer[index] / (squares > 0 ? sqrt(squares) : 1);
}

double curves_median(double *value, int count) {
    qsort(value, (size_t)count, sizeof *value, ascending);
    return count ? (value[(count - 1) / 2] + value[count / 2]) / 2 : NAN;
}

double curves_average(double *value, int count) {
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += value[k];
    return count ? sum / count : NAN;
}

double curves_over_runs(const Curves *curves, Quantity *quantity, Together *together, uint64_t generation,
                        int index) {
    int count = 0;
    for (int run = 0; run < curves->history->runs; run++) {
        const Generation *g = curves_find(curves, run, generation);
        double value = g ? quantity(curves, g, index) : NAN;
        if (!isnan(value))
            curves->scratch[count++] = value;
    }
    return together(curves->scratch, count);
}

double curves_pieces(const Curves *curves, uint64_t generation) {
    double sum = 0;
    for (int run = 0; run < curves->history->runs; run++) {
        const Generation *g = curves_find(curves, run, generation);
        sum += g ? (double)g->pieces : 0;
    }
    return sum;
}

// ---------------------------------------------------------------------------------------------------
// What is drawn

// All numbers but the switches; of very many the largest ones at the end.
static bool choose_lines(Curves *curves) {
    const LearningHistory *history = curves->history;
    int size = history->size - history->switches;
    double *last = malloc((size_t)size * 2 * sizeof *last), *sorted = last ? last + size : NULL;
    if (!last)
        return false;
    for (int k = 0; k < size; k++)
        sorted[k] = last[k] =
            fabs(curves_over_runs(curves, curves_weight, curves_average, curves->newest, k));
    qsort(sorted, (size_t)size, sizeof *sorted, ascending);
    double least = size > CURVES_MAX_LINES ? sorted[size - CURVES_MAX_LINES] : 0;
    for (int k = 0; k < size && curves->lines < CURVES_MAX_LINES; k++)
        if (last[k] >= least)
            curves->line[curves->lines++] = k;
    free(last);
    return true;
}

static void choose_points(Curves *curves) {
    uint64_t newest = curves->newest;
    curves->points = newest < CURVES_MAX_POINTS ? (int)newest : CURVES_MAX_POINTS;
    for (int k = 0; k < curves->points; k++) {
        uint64_t share = newest / CURVES_MAX_POINTS * (uint64_t)(k + 1);
        uint64_t rest = newest % CURVES_MAX_POINTS * (uint64_t)(k + 1) / CURVES_MAX_POINTS;
        curves->at[k] = newest < CURVES_MAX_POINTS ? (uint64_t)k + 1 : share + rest;
    }
}

bool curves_make(Curves *curves, const LearningHistory *history) {
    *curves = (Curves){.history = history};
    curves->first = calloc((size_t)history->runs + 1, sizeof *curves->first);
    curves->scratch = calloc((size_t)history->runs, sizeof *curves->scratch);
    if (!curves->first || !curves->scratch)
        return false;
    for (int k = 0; k < history->count; k++) {
        const Generation *g = &history->generation[k];
        curves->first[g->run + 1] = k + 1;
        curves->newest = g->generation > curves->newest ? g->generation : curves->newest;
        curves->has_curve = curves->has_curve || !isnan(g->curve);
        curves->has_axes = curves->has_axes || g->axes;
        curves->has_race = curves->has_race || g->limit > 0;
    }
    for (int run = 0; run < history->runs; run++)
        if (curves->first[run + 1] < curves->first[run])
            curves->first[run + 1] = curves->first[run]; // a run without a generation
    choose_points(curves);
    return choose_lines(curves);
}

void curves_free(Curves *curves) {
    free(curves->first);
    free(curves->scratch);
}
