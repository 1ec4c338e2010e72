// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/runs.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------
// Quantities

typedef struct QuantityKind {
    const char *name;
    enum { SCORE, BEFORE, REAL, WHOLE, VECTOR, WEIGHT, SHARE, PERCENT } type; // BEFORE: of the answer before
    size_t offset;                                                            // in Generation
} QuantityKind;

static const QuantityKind kinds[] = {
    {"curve", BEFORE, offsetof(Generation, curve)},
    {"best", SCORE, offsetof(Generation, best)},
    {"mean", SCORE, offsetof(Generation, mean)},
    {"worst", SCORE, offsetof(Generation, worst)},
    {"lower", SCORE, offsetof(Generation, lower)},
    {"upper", SCORE, offsetof(Generation, upper)},
    {"sigma", REAL, offsetof(Generation, sigma)},
    {"limit", REAL, offsetof(Generation, limit)},
    {"seconds", REAL, offsetof(Generation, seconds)},
    {"samples", WHOLE, offsetof(Generation, samples)},
    {"full", WHOLE, offsetof(Generation, full)},
    {"pieces", WHOLE, offsetof(Generation, pieces)},
    {"answer", VECTOR, offsetof(Generation, answer)},
    {"best_vector", VECTOR, offsetof(Generation, best_vector)},
    {"deviation", VECTOR, offsetof(Generation, deviation)},
    {"axes", VECTOR, offsetof(Generation, axes)},
    {"weight", WEIGHT, offsetof(Generation, answer)},
    {"share", SHARE, 0},
    {"limit_share", PERCENT, offsetof(Generation, limit_share)},
};

static bool is_vector(const QuantityKind *kind) {
    return kind->type == VECTOR || kind->type == WEIGHT;
}

bool run_quantity(RunQuantity *quantity, const char *name) {
    size_t length = strcspn(name, "."), k = 0;
    char *end;
    while (k < sizeof kinds / sizeof *kinds &&
           (strlen(kinds[k].name) != length || memcmp(kinds[k].name, name, length)))
        k++;
    if (k == sizeof kinds / sizeof *kinds)
        return false;
    *quantity = (RunQuantity){&kinds[k], -1};
    if (!name[length])
        return true;
    long component = strtol(name + length + 1, &end, 10);
    quantity->component = (int)component;
    return is_vector(&kinds[k]) && end != name + length + 1 && !*end && component >= 0 && component < 1000000;
}

int run_quantity_width(const RunQuantity *quantity, const LearningHistory *history) {
    return is_vector(quantity->kind) && quantity->component < 0 ? history->size : 1;
}

bool run_quantity_is_share(const RunQuantity *quantity) {
    return quantity->kind->type == SHARE || quantity->kind->type == PERCENT;
}

double run_quantity_value(const RunQuantity *quantity, const LearningHistory *history,
                          const Generation *generation, int k) {
    const void *at = (const char *)generation + quantity->kind->offset;
    if (is_vector(quantity->kind)) {
        const double *vector = *(const double *const *)at;
        int component = quantity->component < 0 ? k : quantity->component;
        if (!vector || component >= generation->size)
            return NAN;
        bool scaled = quantity->kind->type == WEIGHT && history->directions;
        return vector[component] / (scaled ? encoding_length(generation->answer, generation->size) : 1);
    }
    switch (quantity->kind->type) {
    case SCORE:
    case BEFORE:
        return isnan(*(const double *)at) ? NAN : objective_lines(history->kind, *(const double *)at);
    case WHOLE:
        return (double)*(const uint64_t *)at;
    case SHARE:
        return generation->full ? 100 * (double)generation->samples / (double)generation->full : NAN;
    case PERCENT:
        return 100 * *(const double *)at;
    default:
        return *(const double *)at;
    }
}

// ---------------------------------------------------------------------------------------------------
// Lines

const Generation *run_generations(const LearningHistory *history, int run, size_t *count) {
    int low = 0, high = history->count; // the history is ordered by runs
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (history->generation[middle].run < run)
            low = middle + 1;
        else
            high = middle;
    }
    int end = low;
    while (end < history->count && history->generation[end].run == run)
        end++;
    *count = (size_t)(end - low);
    return &history->generation[low];
}

double run_spent(const Generation *g, RunAxis axis) {
    const double spent[] = {[RUNS_BY_GENERATION] = (double)g->generation,
                            [RUNS_BY_EVALUATIONS] = (double)g->evaluations,
                            [RUNS_BY_PIECES] =
                                isnan(g->selection_pieces) ? (double)g->pieces : g->selection_pieces,
                            [RUNS_BY_SECONDS] = g->seconds};
    return spent[axis];
}

// -> from  the first generation of the history
static double x_of(const Generation *from, const Generation *g, const RunQuantity *quantity, RunAxis axis) {
    if (quantity->kind->type != BEFORE)
        return run_spent(g, axis);
    if (axis == RUNS_BY_GENERATION)
        return (double)g->generation - 1;
    if (axis == RUNS_BY_EVALUATIONS)
        return fmax(0, (double)g->evaluations - (double)g->samples);
    return g > from && g[-1].run == g->run ? run_spent(&g[-1], axis) : 0;
}

static size_t drawn_of(size_t count) {
    return count < RUNS_MAX_POINTS ? count : RUNS_MAX_POINTS;
}

// A run, or several of them, going on from x to x.
typedef struct Track {
    const Generation *next, *end;
    double last; // NAN: none yet
} Track;

static void follow(Track *track, double x, const LearningHistory *history, const RunQuantity *quantity, int k,
                   RunAxis axis) {
    for (; track->next < track->end && x_of(history->generation, track->next, quantity, axis) <= x;
         track->next++) {
        double value = run_quantity_value(quantity, history, track->next, k);
        track->last = isnan(value) ? track->last : value;
    }
}

// All x at which generations have the number, each once, thinned out. <- how many
static size_t choose_x(double *x, const LearningHistory *history, const Generation *from, size_t generations,
                       const RunQuantity *quantity, int k, RunAxis axis) {
    size_t count = 0, distinct = 0;
    for (size_t i = 0; i < generations; i++)
        if (!isnan(run_quantity_value(quantity, history, &from[i], k)))
            x[count++] = x_of(history->generation, &from[i], quantity, axis);
    gsl_sort(x, 1, count);
    for (size_t i = 0; i < count; i++)
        if (!i || x[i] != x[i - 1])
            x[distinct++] = x[i];
    size_t drawn = drawn_of(distinct);
    for (size_t i = 0; i < drawn; i++)
        x[i] = x[plot_pick(i, drawn, distinct)];
    return drawn;
}

void runs_add_band(PlotSeries *series, const LearningHistory *history, int run, const RunQuantity *quantity,
                   int k, RunAxis axis, RunsTogether *low, RunsTogether *high) {
    int first = run < 0 ? 0 : run, runs = run < 0 ? history->runs : 1;
    size_t generations = 0, begun = 0;
    const Generation *from = run_generations(history, first, &generations);
    if (runs > 1)
        generations = (size_t)history->count;
    double *x = malloc((generations + 1) * sizeof *x), *value = malloc(((size_t)runs + 1) * sizeof *value);
    Track *track = calloc((size_t)runs, sizeof *track);
    series->lost = series->lost || !x || !value || !track;
    for (int i = 0; !series->lost && i < runs; i++) {
        size_t count;
        const Generation *g = run_generations(history, first + i, &count);
        track[i] = (Track){g, g + count, NAN};
        begun += count > 0;
    }
    size_t points = series->lost ? 0 : choose_x(x, history, from, generations, quantity, k, axis);
    for (size_t i = 0; i < points; i++) {
        size_t count = 0;
        for (int r = 0; r < runs; r++) {
            follow(&track[r], x[i], history, quantity, k, axis);
            if (!isnan(track[r].last))
                value[count++] = track[r].last;
        }
        if (2 * count < begun)
            continue;
        double least = low(value, count), most = high == low ? least : high(value, count);
        plot_add_interval(series, x[i], least + (most - least) / 2, least, most);
    }
    free(x);
    free(value);
    free(track);
}

void runs_add_line(PlotSeries *series, const LearningHistory *history, int run, const RunQuantity *quantity,
                   int k, RunAxis axis, RunsTogether *together) {
    runs_add_band(series, history, run, quantity, k, axis, together, together);
}

double runs_median(double *value, size_t count) {
    gsl_sort(value, 1, count);
    return gsl_stats_median_from_sorted_data(value, 1, count);
}

double runs_mean(double *value, size_t count) {
    return gsl_stats_mean(value, 1, count);
}

double runs_sum(double *value, size_t count) {
    double sum = 0;
    for (size_t k = 0; k < count; k++)
        sum += value[k];
    return sum;
}

double runs_lower(double *value, size_t count) {
    gsl_sort(value, 1, count);
    return gsl_stats_quantile_from_sorted_data(value, 1, count, 0.25);
}

double runs_upper(double *value, size_t count) {
    gsl_sort(value, 1, count);
    return gsl_stats_quantile_from_sorted_data(value, 1, count, 0.75);
}
