// SPDX-License-Identifier: GPL-3.0-or-later
// Covariance matrix adaptation, (mu/mu_w, lambda)-CMA-ES: Boumaza, "How to design good Tetris players",
// algorithm 1, with C^(-1/2) in the step-size path (the paper prints C^(1/2)), and h_sigma of Hansen's
// tutorial (2016) with the modern constants; both sets are in cmaes_rates.c. On request every sample is
// scaled to length 1 (Boumaza, section 4.2.1). Only the best get weights: no negative ones (active CMA), no
// restarts, no bounds. The eigenvectors are computed in every generation, which is cheap beside any Tetris
// game.
#include <math.h>
#include <string.h>

#include "base/portable.h"
#include "optimise/cmaes.h"
#include "optimise/cmaes_rates.h"
#include "optimise/eigen.h"
#include "optimise/method.h"

static const double SMALLEST_STEP = 1e-12;    // relative to the start, and to the length of the mean
static const double LARGEST_CONDITION = 1e14; // of C
static const double LEAST_SHARE = 1e-20;      // of the largest eigenvalue: rounding makes some negative
static const double LARGEST_NUMBER = 1e140;   // its square is far from overflowing

// All that is saved.
typedef struct Distribution {
    double *mean, *p_sigma, *p_c; // n each
    double *c;                    // n x n, symmetric
    double sigma;
} Distribution;

typedef struct Cmaes {
    int n;
    CmaesRates rates;
    double *weight; // parents
    Distribution now, next;
    double *axis;         // n: square roots of the eigenvalues of C, ascending
    double *basis;        // n x n: its eigenvectors are the columns
    double *deviation;    // n
    double *step, *other; // n each: for passing results on within a function
    double *matrix;       // n x n, likewise
    bool overflow;        // the last update was dropped because its numbers were too large
} Cmaes;

static const double AVERAGE_FLOOR = 0.1;
static const char *const constants_words[] = {"modern", "classic", NULL};
static const char *const yes_words[] = {"no", "yes", NULL};

static const Field cmaes_field[] = {
    {"population", FIELD_INT, FIELD_AT(OptimiserPlan, population), .preset = NAN, .otherwise = "4 + 3 ln n",
     .least = 2, .most = OPTIMISER_MAX_POPULATION, .argument = "N", .help = "Vectors in a generation."},
    {"parents", FIELD_INT, FIELD_AT(OptimiserPlan, parents), .preset = NAN, .otherwise = "half of them",
     .least = 1, .most = OPTIMISER_MAX_POPULATION, .argument = "N", .help = "How many of them are selected."},
    {"sigma", FIELD_REAL, FIELD_AT(OptimiserPlan, sigma), .preset = 0.5, .least = 1e-9, .most = 1e9,
     .argument = "X", .help = "First standard deviation."},
    {"constants", FIELD_WORD, OPTIMISER_SETTING(CmaesPlan, constants), .words = constants_words,
     .argument = "SET", .help = "modern, or classic: those of Boumaza."},
    {"sphere", FIELD_FLAG, OPTIMISER_SETTING(CmaesPlan, sphere), .words = yes_words,
     .otherwise = "yes if only the direction of a vector counts, as in linear ratings", .argument = "yes|no",
     .help = "Scale every vector to length 1."},
    {"floor", FIELD_REAL, OPTIMISER_SETTING(CmaesPlan, floor), .most = 1e9, .argument = "X",
     .otherwise = "0; with --answer average 0.1",
     .help = "Keep the root mean square of the deviations above this."},
};
static const Fields cmaes_fields = FIELDS(cmaes_field);

static void complete(OptimiserPlan *plan) {
    if (plan->population == 0 && plan->dimension > 0)
        plan->population = 4 + (int)floor(3 * portable_log(plan->dimension));
    if (plan->parents == 0)
        plan->parents = plan->population / 2;
}

// Means that are averaged should go on moving, as far as they did at the start at most.
static void suit(OptimiserPlan *plan, bool directions, bool averaged,
                 bool (*given)(const void *context, const char *option), const void *context) {
    CmaesPlan *own = cmaes_plan(plan);
    if (!given(context, "sphere"))
        own->sphere = directions;
    if (!given(context, "floor") && averaged)
        own->floor = fmin(AVERAGE_FLOOR, plan->sigma / 2);
}

static bool scales(const OptimiserPlan *plan) {
    return cmaes_plan(plan)->sphere;
}

// ---------------------------------------------------------------------------------------------------
// Eigenvectors

// C -> axes, basis, deviations. <- false: C has an eigenvalue that is negative beyond rounding
static bool decompose(Cmaes *cmaes) {
    size_t n = (size_t)cmaes->n;
    memcpy(cmaes->matrix, cmaes->now.c, n * n * sizeof *cmaes->matrix);
    eigen_symmetric(cmaes->n, cmaes->matrix, cmaes->axis, cmaes->basis);
    double largest = cmaes->axis[n - 1], least = largest * LEAST_SHARE;
    bool positive = largest > 0 && cmaes->axis[0] > -1e-10 * largest;
    for (size_t i = 0; i < n; i++) {
        cmaes->axis[i] = sqrt(fmax(cmaes->axis[i], least));
        cmaes->deviation[i] = cmaes->now.sigma * sqrt(cmaes->now.c[i * n + i]);
    }
    return positive;
}

// out = B x, out = B^T x
static void multiply(const Cmaes *cmaes, const double *x, double *out) {
    int n = cmaes->n;
    for (int i = 0; i < n; i++) {
        out[i] = 0;
        for (int j = 0; j < n; j++)
            out[i] += cmaes->basis[i * n + j] * x[j];
    }
}

static void multiply_transposed(const Cmaes *cmaes, const double *x, double *out) {
    int n = cmaes->n;
    memset(out, 0, (size_t)n * sizeof *out);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++)
            out[i] += cmaes->basis[j * n + i] * x[j];
}

// ---------------------------------------------------------------------------------------------------
// Life

static void make_distribution(Optimiser *optimiser, Distribution *d) {
    size_t n = (size_t)optimiser->plan.dimension;
    d->mean = optimiser_room(optimiser, n, sizeof *d->mean);
    d->p_sigma = optimiser_room(optimiser, n, sizeof *d->p_sigma);
    d->p_c = optimiser_room(optimiser, n, sizeof *d->p_c);
    d->c = optimiser_room(optimiser, n * n, sizeof *d->c);
}

static bool start(Optimiser *optimiser, Error *error) {
    const OptimiserPlan *plan = &optimiser->plan;
    if (cmaes_plan(plan)->constants == CMAES_MODERN && plan->parents > plan->population / 2)
        return error_set(
            error,
            "With its modern constants CMA-ES takes at most half of the population, %d, as parents, "
            "not %d.",
            plan->population / 2, plan->parents);
    if (cmaes_plan(plan)->floor > plan->sigma)
        return error_set(error,
                         "The floor of the deviations must be from 0 to the start deviation %g, not %g.",
                         plan->sigma, cmaes_plan(plan)->floor);
    Cmaes *cmaes = optimiser->state;
    size_t n = (size_t)plan->dimension;
    double **vectors[] = {&cmaes->axis, &cmaes->deviation, &cmaes->step, &cmaes->other};
    double **matrices[] = {&cmaes->basis, &cmaes->matrix};
    cmaes->n = plan->dimension;
    cmaes->weight = optimiser_room(optimiser, (size_t)plan->parents, sizeof *cmaes->weight);
    for (int i = 0; i < 4; i++)
        *vectors[i] = optimiser_room(optimiser, n, sizeof **vectors[i]);
    for (int i = 0; i < 2; i++)
        *matrices[i] = optimiser_room(optimiser, n * n, sizeof **matrices[i]);
    make_distribution(optimiser, &cmaes->now);
    make_distribution(optimiser, &cmaes->next);
    if (optimiser->starved)
        return false;
    cmaes->rates = cmaes_rates(plan, cmaes->weight);
    for (int i = 0; i < cmaes->n; i++) {
        cmaes->now.mean[i] = plan->start ? plan->start[i] : 0;
        cmaes->now.c[i * cmaes->n + i] = 1;
    }
    cmaes->now.sigma = plan->sigma;
    decompose(cmaes);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Sampling

static double length(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

static void scale_to_one(double *x, int n) {
    double size = length(x, n);
    for (int i = 0; i < n && size > 0; i++)
        x[i] /= size;
}

// x = m + sigma B D z. On the sphere, the scaled vector takes the place of x in the update too. The mean
// itself is not scaled: as a mean of vectors of length 1 it stays inside the ball, the nearer to the surface
// the closer the parents are to each other.
static int ask(Optimiser *optimiser) {
    Cmaes *cmaes = optimiser->state;
    int n = cmaes->n;
    Random random = optimiser_random(optimiser, 0);
    for (int k = 0; k < optimiser->plan.population; k++) {
        double *x = optimiser->batch + (size_t)k * (size_t)n;
        for (int i = 0; i < n; i++)
            cmaes->step[i] = cmaes->axis[i] * random_normal(&random);
        multiply(cmaes, cmaes->step, x);
        for (int i = 0; i < n; i++)
            x[i] = cmaes->now.mean[i] + cmaes->now.sigma * x[i];
        if (cmaes_plan(&optimiser->plan)->sphere)
            scale_to_one(x, n);
    }
    return optimiser->plan.population;
}

// ---------------------------------------------------------------------------------------------------
// The update

// m and p_sigma. -> step  sum of w_i y_i
static void update_paths(Cmaes *cmaes, const double *step) {
    const CmaesRates *k = &cmaes->rates;
    int n = cmaes->n;
    double gain = sqrt(k->c_sigma * (2 - k->c_sigma) * k->mu_eff);
    multiply_transposed(cmaes, step, cmaes->other);
    for (int i = 0; i < n; i++)
        cmaes->other[i] /= cmaes->axis[i];
    multiply(cmaes, cmaes->other, cmaes->matrix); // its first row: C^(-1/2) step
    for (int i = 0; i < n; i++) {
        cmaes->next.mean[i] = cmaes->now.mean[i] + cmaes->now.sigma * step[i];
        cmaes->next.p_sigma[i] = (1 - k->c_sigma) * cmaes->now.p_sigma[i] + gain * cmaes->matrix[i];
    }
}

// h_sigma: 0 while the step size still has to grow much, so that C does not grow instead. After t updates
// under random selection p_sigma has the variance 1 - (1 - c_sigma)^(2 t).
static bool path_is_short(const Cmaes *cmaes, double path, double updates) {
    const CmaesRates *k = &cmaes->rates;
    double expected = sqrt(1 - portable_power(1 - k->c_sigma, 2 * updates)) * k->chi;
    return path < (1.4 + 2.0 / (cmaes->n + 1)) * expected;
}

// p_c, and the first two parts of C: what is kept of it (more where h_sigma left p_c shorter), and rank one.
// Only the lower triangle.
static void update_p_c_and_rank_one(Cmaes *cmaes, const double *step, bool h_sigma) {
    const CmaesRates *k = &cmaes->rates;
    int n = cmaes->n;
    double gain = h_sigma ? sqrt(k->c_c * (2 - k->c_c) * k->mu_eff) : 0;
    double keep = 1 - k->c_1 - k->c_mu + (h_sigma ? 0 : k->c_1 * k->c_c * (2 - k->c_c));
    for (int i = 0; i < n; i++)
        cmaes->next.p_c[i] = (1 - k->c_c) * cmaes->now.p_c[i] + gain * step[i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            cmaes->next.c[i * n + j] =
                keep * cmaes->now.c[i * n + j] + k->c_1 * cmaes->next.p_c[i] * cmaes->next.p_c[j];
}

// -> y  of one parent
static void add_rank_mu(Cmaes *cmaes, const double *y, double weight) {
    int n = cmaes->n;
    for (int i = 0; i < n; i++) {
        double factor = cmaes->rates.c_mu * weight * y[i];
        for (int j = 0; j <= i; j++)
            cmaes->next.c[i * n + j] += factor * y[j];
    }
}

static void mirror(double *c, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            c[j * n + i] = c[i * n + j];
}

static bool all_usable(const double *x, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (!(fabs(x[i]) < LARGEST_NUMBER))
            return false;
    return true;
}

static bool is_usable(const Distribution *d, int dimension) {
    size_t n = (size_t)dimension;
    bool good = d->sigma > 1 / LARGEST_NUMBER && d->sigma < LARGEST_NUMBER && all_usable(d->mean, n) &&
                all_usable(d->p_sigma, n) && all_usable(d->p_c, n) && all_usable(d->c, n * n);
    for (size_t i = 0; i < n && good; i++)
        good = d->c[i * n + i] > 1 / LARGEST_NUMBER;
    return good;
}

static void swap_in_next(Cmaes *cmaes) {
    Distribution before = cmaes->now;
    cmaes->now = cmaes->next;
    cmaes->next = before;
}

// y = (x - m) / sigma of parent number `rank`
static void set_y(const Optimiser *optimiser, const int *order, int rank, double *y) {
    const Cmaes *cmaes = optimiser->state;
    const double *x = optimiser->batch + (size_t)order[rank] * (size_t)cmaes->n;
    for (int i = 0; i < cmaes->n; i++)
        y[i] = (x[i] - cmaes->now.mean[i]) / cmaes->now.sigma;
}

// Noise makes the path short, as if the optimum were near, and the steps shrink before they should. With a
// floor they do not: the mean then wanders about the optimum, to be averaged by whoever asks.
static void keep_above_floor(Cmaes *cmaes, double floor) {
    double trace = 0;
    for (int i = 0; i < cmaes->n; i++)
        trace += cmaes->next.c[i * cmaes->n + i];
    double deviation = cmaes->next.sigma * sqrt(trace / cmaes->n);
    if (deviation < floor && deviation > 0)
        cmaes->next.sigma *= floor / deviation;
}

static void tell(Optimiser *optimiser, const double *score, const int *order) {
    (void)score;
    Cmaes *cmaes = optimiser->state;
    const CmaesRates *k = &cmaes->rates;
    int n = cmaes->n, parents = optimiser->plan.parents;
    double *y = cmaes->other, *step = cmaes->step;

    // Step 1. Recombination
    memset(step, 0, (size_t)n * sizeof *step);
    for (int p = 0; p < parents; p++) {
        set_y(optimiser, order, p, y);
        for (int i = 0; i < n; i++)
            step[i] += cmaes->weight[p] * y[i];
    }
    // Step 2. The mean, its path, the step size
    update_paths(cmaes, step);
    double path = length(cmaes->next.p_sigma, n);
    cmaes->next.sigma = cmaes->now.sigma * portable_exp(k->c_sigma / k->d_sigma * (path / k->chi - 1));
    // Step 3. The covariance matrix
    bool h_sigma = cmaes_plan(&optimiser->plan)->constants == CMAES_CLASSIC ||
                   path_is_short(cmaes, path, (double)optimiser->status.generation + 1);
    update_p_c_and_rank_one(cmaes, step, h_sigma);
    for (int p = 0; p < parents; p++) {
        set_y(optimiser, order, p, y);
        add_rank_mu(cmaes, y, cmaes->weight[p]);
    }
    mirror(cmaes->next.c, n);
    keep_above_floor(cmaes, cmaes_plan(&optimiser->plan)->floor);
    // Step 4. Numbers beyond all bounds stay out: what was there before is still an answer.
    cmaes->overflow = !is_usable(&cmaes->next, n);
    if (cmaes->overflow)
        return;
    swap_in_next(cmaes);
    decompose(cmaes);
}

// ---------------------------------------------------------------------------------------------------
// What it says about itself

static const char *stop_reason(const Optimiser *optimiser) {
    const Cmaes *cmaes = optimiser->state;
    int n = cmaes->n;
    double least = cmaes->axis[0], largest = cmaes->axis[n - 1];
    double unit = fmax(optimiser->plan.sigma, length(cmaes->now.mean, n));
    if (cmaes->overflow)
        return "The numbers of CMA-ES have grown beyond all bounds or shrunk to nothing.";
    if (cmaes->now.sigma * largest < SMALLEST_STEP * unit)
        return "The steps of CMA-ES have become smaller than 1e-12 of the start deviation or of the mean's "
               "length.";
    if (largest * largest > LARGEST_CONDITION * least * least)
        return "The condition number of the covariance matrix has exceeded 1e14.";
    return NULL;
}

static void status(const Optimiser *optimiser, OptimiserStatus *out) {
    const Cmaes *cmaes = optimiser->state;
    out->answer = cmaes->now.mean;
    out->deviation = cmaes->deviation;
    out->axes = cmaes->axis;
    out->sigma = cmaes->now.sigma;
}

// The matrix is kept as its lower triangle, row by row.
static int pack(const double *c, int n, double *triangle) {
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            triangle[count++] = c[i * n + j];
    return count;
}

static void unpack(const double *triangle, int n, double *c) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            c[i * n + j] = *triangle++;
    mirror(c, n);
}

static int lists(const Optimiser *optimiser, NumberList *list) {
    const Cmaes *cmaes = optimiser->state;
    Distribution d = cmaes->now;
    int n = cmaes->n;
    list[0] = (NumberList){"sigma", (double *)&cmaes->now.sigma, 1};
    list[1] = (NumberList){"mean", d.mean, n};
    list[2] = (NumberList){"p_sigma", d.p_sigma, n};
    list[3] = (NumberList){"p_c", d.p_c, n};
    list[4] = (NumberList){"c", cmaes->matrix, pack(d.c, n, cmaes->matrix)};
    return 5;
}

static bool save(const Optimiser *optimiser, json_t *into) {
    const Cmaes *cmaes = optimiser->state;
    return !json_object_set_new(into, "overflow", json_boolean(cmaes->overflow));
}

static bool restored(Optimiser *optimiser, const json_t *from, Error *error) {
    Cmaes *cmaes = optimiser->state;
    const json_t *overflow = json_object_get(from, "overflow");
    if (!json_is_boolean(overflow))
        return error_set(error, "The saved state of CMA-ES does not say \"overflow\": true or false.");
    cmaes->overflow = json_is_true(overflow);
    unpack(cmaes->matrix, cmaes->n, cmaes->now.c);
    if (!is_usable(&cmaes->now, cmaes->n))
        return error_set(error,
                         "The saved state of CMA-ES is damaged: its step size or a variance is not positive, "
                         "or a number is too large.");
    return decompose(cmaes) ||
           error_set(error,
                     "The saved state of CMA-ES is damaged: its matrix \"c\" has a negative eigenvalue.");
}

const OptimiserKind optimiser_cmaes = {
    .traits = {.title = "CMA-ES, covariance matrix adaptation",
               .fields = &cmaes_fields,
               .ranks = true,
               .has_mean = true,
               .has_start = true,
               .random_start = true,
               .unit = 1,
               .games = 100,
               .suit = suit,
               .scales = scales},
    .complete = complete,
    .state = sizeof(Cmaes),
    .start = start,
    .ask = ask,
    .tell = tell,
    .stop_reason = stop_reason,
    .status = status,
    .lists = lists,
    .save = save,
    .restored = restored,
};
