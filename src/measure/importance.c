// SPDX-License-Identifier: GPL-3.0-or-later
// Importance of boards; importance.h explains it.
#include "measure/importance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/portable.h"
#include "game/board.h"

enum { T = IMPORTANCE_TERMS, MAX_STEPS = 40, MAX_HALVINGS = 20, MAX_LEVEL = 8000 };
_Static_assert(IMPORTANCE_STEPS == 1 << 4, "as importance_chance divides");
_Static_assert(2 * MAX_LEVEL / IMPORTANCE_STEPS < 1022, "differences of levels have a chance, too");
static const double LN2 = 0x1.62e42fefa39efp-1;
static const double RIDGE = 30;           // how many losses tell a weight as well as the one it began with
static const double LEAST_SCATTER = 1e-6; // of a term that is always the same
static const double ENOUGH = 1e-4;        // a step that gains less than this of the likelihood is the last

// Rounded from a fit to 20,000 runs.
const Importance importance_usual = {{-19.6, 0.06, 0.77, 0.5, 0.22, 0.05, -0.02, -0.415}};

// ---------------------------------------------------------------------------------------------------
// The estimate

// Common code is compiled for old machines too, which cannot count bits in one instruction.
static int count_bits(uint64_t x) {
    x -= x >> 1 & 0x5555555555555555;
    x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
    x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
    return (int)(x * 0x0101010101010101 >> 56);
}

static int lower(int a, int b) {
    return a < b ? a : b;
}

int importance_terms(const uint32_t *column, int width, int height, double term[IMPORTANCE_TERMS]) {
    int h[BOARD_MAX_WIDTH + 2], top = 0, sum = 0, wells = 0, transitions = 0;
    uint32_t holes = 0;
    for (int x = 0; x < width; x++) {
        h[x + 1] = column_height(column[x]);
        top = h[x + 1] > top ? h[x + 1] : top;
        sum += h[x + 1];
        holes |= ~column[x] & (((uint32_t)1 << h[x + 1]) - 1);
    }
    h[0] = h[width + 1] = top;
    uint32_t wall = ((uint32_t)1 << top) - 1, before = wall;
    for (int x = 0; x < width; x += 2) {
        uint32_t next = column[x], after = x + 1 < width ? column[x + 1] : wall;
        transitions += count_bits((uint64_t)(before ^ next) << 32 | (next ^ after));
        before = after;
    }
    if (width % 2 == 0)
        transitions += count_bits(before ^ wall);
    for (int x = 1; x <= width; x++) {
        int depth = lower(h[x - 1], h[x + 1]) - h[x];
        wells += depth > 0 ? depth : 0;
    }
    double mean = (double)sum / width, tall = top;
    term[0] = 1;
    term[1] = tall;
    term[2] = mean;
    term[3] = count_bits(holes);
    term[4] = wells;
    term[5] = transitions;
    term[6] = tall * tall / height;
    term[7] = mean * mean / height;
    return top;
}

double importance_sum(const Importance *importance, const double term[IMPORTANCE_TERMS]) {
    double sum = 0;
    for (int k = 0; k < T; k++)
        sum += importance->weight[k] * term[k];
    return sum;
}

// 2^(k/16)
static const double ROOTS[IMPORTANCE_STEPS] = {
    0x1.0000000000000p+0, 0x1.0b5586cf9890fp+0, 0x1.172b83c7d517bp+0, 0x1.2387a6e756238p+0,
    0x1.306fe0a31b715p+0, 0x1.3dea64c123422p+0, 0x1.4bfdad5362a27p+0, 0x1.5ab07dd485429p+0,
    0x1.6a09e667f3bcdp+0, 0x1.7a11473eb0187p+0, 0x1.8ace5422aa0dbp+0, 0x1.9c49182a3f090p+0,
    0x1.ae89f995ad3adp+0, 0x1.c199bdd85529cp+0, 0x1.d5818dcfba487p+0, 0x1.ea4afa2a490dap+0};

int importance_level(double sum) {
    double steps = sum * (IMPORTANCE_STEPS / LN2);
    if (!(steps < MAX_LEVEL))
        return MAX_LEVEL;
    if (steps < -MAX_LEVEL)
        return -MAX_LEVEL;
    int level = (int)steps;
    return level - (steps < level);
}

// The power of two is put together from its bits: this is asked for every board that is looked at.
double importance_chance(int level) {
    uint64_t bits = (uint64_t)(1023 + (level >> 4)) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return ROOTS[level & (IMPORTANCE_STEPS - 1)] * power;
}

void importance_scale(Importance *importance, double factor) {
    for (int k = 1; k < T; k++)
        importance->weight[k] *= factor;
}

// ---------------------------------------------------------------------------------------------------
// Samples

int32_t importance_sample(ImportanceSamples *samples, const double term[IMPORTANCE_TERMS], int level,
                          double weight, int32_t before) {
    if (samples->count == INT32_MAX ||
        !list_room(&samples->sample, (size_t)samples->count, sizeof *samples->sample))
        return -1;
    ImportanceSample *sample = &samples->sample[samples->count];
    *sample = (ImportanceSample){.level = level, .weight = weight, .before = before};
    memcpy(sample->term, term, sizeof sample->term);
    return samples->count++;
}

void importance_lost(ImportanceSamples *samples, int32_t number, double weight) {
    for (; number >= 0; number = samples->sample[number].before)
        samples->sample[number].lost += weight;
}

void importance_clear(ImportanceSamples *samples) {
    samples->count = 0;
    samples->independent = 0;
}

void importance_free(ImportanceSamples *samples) {
    free(samples->sample);
    *samples = (ImportanceSamples){0};
}

// ---------------------------------------------------------------------------------------------------
// The regression. Losses and expected losses are both divided by what was estimated before. Where that
// estimate was right, both are about 1.

typedef struct Fit {
    const ImportanceSamples *samples;
    const Importance *near;
    double unit;     // what a sample counts
    double ridge[T]; // 0: free
} Fit;

// What was estimated then.
static double estimated(const ImportanceSample *sample) {
    return sample->level * (LN2 / IMPORTANCE_STEPS);
}

static double seen(const ImportanceSample *sample) {
    return sample->lost / (sample->weight * importance_chance(sample->level));
}

static double scatter(const ImportanceSamples *samples, int k) {
    double sum = 0, squares = 0;
    for (int32_t i = 0; i < samples->count; i++) {
        double term = samples->sample[i].term[k];
        sum += term;
        squares += term * term;
    }
    double mean = sum / samples->count;
    return fmax(squares / samples->count - mean * mean, LEAST_SCATTER);
}

// The constant for which as many losses are expected as there were. <- false: there were none
static bool set_constant(Importance *importance, const ImportanceSamples *samples) {
    double lost = 0, expected = 0;
    for (int32_t i = 0; i < samples->count; i++) {
        const ImportanceSample *sample = &samples->sample[i];
        lost += seen(sample);
        expected += portable_exp(importance_sum(importance, sample->term) - estimated(sample));
    }
    importance->weight[0] += lost > 0 ? portable_log(lost / expected) : 0;
    return lost > 0;
}

// Minus the logarithm of the likelihood, and the ridge.
static double misfit(const Fit *fit, const Importance *importance) {
    double sum = 0;
    for (int32_t i = 0; i < fit->samples->count; i++) {
        const ImportanceSample *sample = &fit->samples->sample[i];
        double change = importance_sum(importance, sample->term) - estimated(sample);
        sum += portable_exp(change) - seen(sample) * change;
    }
    sum *= fit->unit;
    for (int k = 0; k < T; k++) {
        double off = importance->weight[k] - fit->near->weight[k];
        sum += 0.5 * fit->ridge[k] * off * off;
    }
    return sum;
}

// Downward slope and curvature of the misfit.
static void derive(const Fit *fit, const Importance *importance, double slope[T], double curve[T][T]) {
    memset(slope, 0, T * sizeof *slope);
    memset(curve, 0, T * sizeof *curve);
    for (int32_t i = 0; i < fit->samples->count; i++) {
        const ImportanceSample *sample = &fit->samples->sample[i];
        double expected = portable_exp(importance_sum(importance, sample->term) - estimated(sample));
        double excess = seen(sample) - expected;
        for (int k = 0; k < T; k++) {
            slope[k] += fit->unit * excess * sample->term[k];
            for (int l = 0; l <= k; l++)
                curve[k][l] += fit->unit * expected * sample->term[k] * sample->term[l];
        }
    }
    for (int k = 0; k < T; k++) {
        slope[k] -= fit->ridge[k] * (importance->weight[k] - fit->near->weight[k]);
        curve[k][k] += fit->ridge[k];
    }
}

// Solves curve * step = slope by Cholesky's method. <- false: not positive definite
static bool solve(double curve[T][T], const double slope[T], double step[T]) {
    for (int k = 0; k < T; k++) {
        for (int l = 0; l <= k; l++) {
            double sum = curve[k][l];
            for (int m = 0; m < l; m++)
                sum -= curve[k][m] * curve[l][m];
            if (l < k)
                curve[k][l] = sum / curve[l][l];
            else if (sum > 0)
                curve[k][k] = sqrt(sum);
            else
                return false;
        }
        step[k] = slope[k];
        for (int m = 0; m < k; m++)
            step[k] -= curve[k][m] * step[m];
        step[k] /= curve[k][k];
    }
    for (int k = T - 1; k >= 0; k--) {
        for (int m = k + 1; m < T; m++)
            step[k] -= curve[m][k] * step[m];
        step[k] /= curve[k][k];
    }
    return true;
}

// One step, halved until it is no worse. <- what it gained
static double improve(const Fit *fit, Importance *importance, double now) {
    double slope[T], curve[T][T], step[T];
    derive(fit, importance, slope, curve);
    if (!solve(curve, slope, step))
        return 0;
    double length = 1;
    for (int n = 0; n < MAX_HALVINGS; n++, length /= 2) {
        Importance next;
        for (int k = 0; k < T; k++)
            next.weight[k] = importance->weight[k] + length * step[k];
        double then = misfit(fit, &next);
        if (then <= now) { // not if it is NAN
            *importance = next;
            return now - then;
        }
    }
    return 0;
}

void importance_fit(Importance *importance, const Importance *near, const ImportanceSamples *samples) {
    Fit fit = {.samples = samples, .near = near};
    Importance fitted = *importance;
    if (samples->count == 0 || !set_constant(&fitted, samples))
        return;
    fit.unit = samples->independent / samples->count;
    for (int k = 1; k < T; k++)
        fit.ridge[k] = RIDGE * scatter(samples, k);
    double now = misfit(&fit, &fitted);
    for (int n = 0; n < MAX_STEPS; n++) {
        double gain = improve(&fit, &fitted, now);
        now -= gain;
        if (!(gain > ENOUGH))
            break;
    }
    for (int k = 0; k < T; k++)
        if (!isfinite(fitted.weight[k]))
            return;
    *importance = fitted;
}
