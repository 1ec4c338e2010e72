// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/runtime.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------------------------
// Targets

void runtime_begin(Runtime *runtime, const double *target, int targets) {
    *runtime = (Runtime){.targets = targets < RUNTIME_MAX_TARGETS ? targets : RUNTIME_MAX_TARGETS};
    if (target)
        memcpy(runtime->target, target, (size_t)runtime->targets * sizeof *target);
}

void runtime_see(Runtime *runtime, const LearningHistory *history) {
    for (int k = 0; k < history->count; k++) {
        double lines = objective_lines(history->kind, history->generation[k].best);
        if (isfinite(lines))
            runtime->best = fmax(runtime->best, lines);
    }
}

// Equally far from each other on a log scale.
void runtime_choose(Runtime *runtime) {
    if (runtime->targets || !(runtime->best > 0))
        return;
    double low = runtime->best > 10 ? 1 : runtime->best / 10, step = log(runtime->best / low);
    runtime->targets = RUNTIME_TARGETS;
    for (int k = 0; k < RUNTIME_TARGETS; k++)
        runtime->target[k] = low * exp(step * k / (RUNTIME_TARGETS - 1));
    runtime->target[RUNTIME_TARGETS - 1] = runtime->best; // no rounding error keeps it from being reached
}

// ---------------------------------------------------------------------------------------------------
// When each was reached

typedef struct Hits {
    const Runtime *runtime;
    double *spent; // owned; of all pairs that were reached
    size_t count;
    int next; // target of this run
} Hits;

static void take_score(Hits *hits, double lines, double spent) {
    while (hits->next < hits->runtime->targets && lines >= hits->runtime->target[hits->next]) {
        hits->spent[hits->count++] = spent;
        hits->next++;
    }
}

// -> before  the generation before; NULL: none
static void take_generation(Hits *hits, const LearningHistory *history, const Generation *g,
                            const Generation *before, RunAxis axis) {
    double start = before ? run_spent(before, axis) : 0, spent = start;
    bool fine = g->candidates && (axis == RUNS_BY_EVALUATIONS || axis == RUNS_BY_PIECES);
    for (int i = 0; fine && i < g->candidates; i++) {
        spent += axis == RUNS_BY_PIECES ? g->score_pieces[i] : g->score_samples[i];
        take_score(hits, objective_lines(history->kind, g->scores[i]), spent);
    }
    if (!fine)
        take_score(hits, objective_lines(history->kind, g->best), run_spent(g, axis));
}

void runtime_add(const Runtime *runtime, PlotSeries *series, const LearningHistory *history, RunAxis axis) {
    size_t pairs = (size_t)history->runs * (size_t)runtime->targets;
    Hits hits = {.runtime = runtime, .spent = malloc((pairs + 1) * sizeof *hits.spent)};
    double end = 0, share = 0;
    if (!hits.spent || !pairs) {
        series->lost = series->lost || !hits.spent;
        free(hits.spent);
        return;
    }
    for (int k = 0; k < history->count; k++) {
        const Generation *g = &history->generation[k];
        const Generation *before = k && g[-1].run == g->run ? &g[-1] : NULL;
        hits.next = before ? hits.next : 0;
        take_generation(&hits, history, g, before, axis);
        end = fmax(end, run_spent(g, axis));
    }
    gsl_sort(hits.spent, 1, hits.count);
    plot_add(series, 0, 0);
    for (size_t k = 0; k < hits.count; k++) {
        if (k + 1 < hits.count && hits.spent[k + 1] == hits.spent[k])
            continue;
        plot_add(series, hits.spent[k], share);
        plot_add(series, hits.spent[k], share = 100 * (double)(k + 1) / (double)pairs);
    }
    plot_add(series, end, share);
    free(hits.spent);
}
