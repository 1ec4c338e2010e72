// SPDX-License-Identifier: GPL-3.0-or-later
// Functions to be maximised, all with their best value 0, and what every optimiser has to stand: going on
// after a restore as if nothing had happened, and damaged states.
#ifndef TETRALAB_TESTS_LANDSCAPES_H
#define TETRALAB_TESTS_LANDSCAPES_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "optimise/optimiser.h"

typedef double Landscape(const double *x, int n, Random *noise);

static inline double sphere(const double *x, int n, Random *noise) {
    (void)noise;
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += (x[k] - 7) * (x[k] - 7); // not where searches start
    return -sum;
}

static inline double ellipsoid(const double *x, int n, Random *noise) { // condition 10^4
    (void)noise;
    double sum = 0;
    for (int k = 0; k < n; k++)
        sum += pow(1e4, n > 1 ? (double)k / (n - 1) : 0) * (x[k] + 3) * (x[k] + 3);
    return -sum;
}

static inline double rosenbrock(const double *x, int n, Random *noise) {
    (void)noise;
    double sum = 0;
    for (int k = 0; k + 1 < n; k++)
        sum += 100 * (x[k + 1] - x[k] * x[k]) * (x[k + 1] - x[k] * x[k]) + (1 - x[k]) * (1 - x[k]);
    return -sum;
}

static inline double rastrigin(const double *x, int n, Random *noise) {
    (void)noise;
    double sum = 10 * n;
    for (int k = 0; k < n; k++)
        sum += x[k] * x[k] - 10 * cos(2 * acos(-1) * x[k]);
    return -sum;
}

// The deviation of the noise is that of a unit normal, whatever the place.
static inline double noisy_sphere(const double *x, int n, Random *noise) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(noise);
    return sphere(x, n, NULL) + sum;
}

// One generation.
static inline void generation(Optimiser *optimiser, Landscape *f, Random *noise) {
    const double *batch;
    int count = optimiser_ask(optimiser, &batch), n = optimiser_status(optimiser).dimension;
    double *score = malloc(((size_t)count + 1) * sizeof *score);
    for (int i = 0; i < count; i++)
        score[i] = f(batch + (size_t)i * (size_t)n, n, noise);
    optimiser_tell(optimiser, score, NULL);
    free(score);
}

static inline Optimiser *make_optimiser(const OptimiserPlan *plan) {
    Error error = {""};
    Optimiser *optimiser = optimiser_new(plan, &error);
    if (!optimiser)
        fail_msg("%s", error.text);
    return optimiser;
}

// <- the worst value, without noise, that the answers of runs 1 ... `runs` have after so many generations
static inline double worst_answer(OptimiserPlan plan, Landscape *f, int generations, int runs) {
    double worst = 0;
    for (int run = 1; run <= runs; run++) {
        plan.run = (uint64_t)run;
        Optimiser *optimiser = make_optimiser(&plan);
        Random noise = random_stream(plan.seed, (uint64_t)run, RANDOM_TEST);
        for (int g = 0; g < generations && !optimiser_stop_reason(optimiser); g++)
            generation(optimiser, f, &noise);
        Landscape *true_value = f == noisy_sphere ? sphere : f;
        double value = true_value(optimiser_status(optimiser).answer, plan.dimension, NULL);
        if (!(value >= worst))
            worst = value;
        optimiser_free(optimiser);
    }
    return worst;
}

static inline void assert_reaches(const OptimiserPlan *plan, Landscape *f, int generations, int runs,
                                  double target) {
    double worst = worst_answer(*plan, f, generations, runs);
    if (!(worst >= target))
        fail_msg("seed %llu: %g after %d generations, in the worst of %d runs, is less than %g",
                 (unsigned long long)plan->seed, worst, generations, runs, target);
}

static inline char *saved_text(const Optimiser *optimiser) {
    json_t *state = optimiser_save(optimiser);
    assert_non_null(state);
    char *text = json_dumps(state, JSON_REAL_PRECISION(17) | JSON_COMPACT);
    json_decref(state);
    assert_non_null(text);
    return text;
}

static inline Optimiser *restored(const OptimiserPlan *plan, const char *text) {
    Error error = {""};
    Optimiser *optimiser = make_optimiser(plan);
    json_t *state = json_loads(text, JSON_DECODE_INT_AS_REAL, NULL);
    assert_non_null(state);
    if (!optimiser_restore(optimiser, state, &error))
        fail_msg("%s", error.text);
    json_decref(state);
    return optimiser;
}

// At every generation: one that was saved, written, read and restored saves, asks and answers the same, bit
// for bit.
static inline void assert_goes_on(const OptimiserPlan *plan, Landscape *f, int generations) {
    Optimiser *through = make_optimiser(plan);
    for (int g = 0; g <= generations; g++) {
        char *text = saved_text(through);
        Optimiser *again = restored(plan, text);
        char *second = saved_text(again);
        assert_string_equal(text, second);
        const double *a, *b;
        int count = optimiser_ask(through, &a);
        assert_int_equal(optimiser_ask(again, &b), count);
        assert_memory_equal(a, b, (size_t)count * (size_t)plan->dimension * sizeof *a);
        Random noise = random_stream(plan->seed, (uint64_t)g, RANDOM_TEST), same_noise = noise;
        generation(through, f, &noise);
        generation(again, f, &same_noise);
        OptimiserStatus one = optimiser_status(through), two = optimiser_status(again);
        assert_memory_equal(one.answer, two.answer, (size_t)plan->dimension * sizeof *one.answer);
        assert_memory_equal(one.deviation, two.deviation, (size_t)plan->dimension * sizeof *one.deviation);
        assert_true(one.evaluations == two.evaluations && one.best_score == two.best_score);
        free(text);
        free(second);
        optimiser_free(through);
        through = again; // so the next one is the copy of a copy
    }
    optimiser_free(through);
}

typedef struct Damage {
    const OptimiserPlan *plan;
    Landscape *f;
    Optimiser *optimiser;
    char *before;  // its state
    json_t *state; // the same, to be damaged
} Damage;

// A damaged state is refused with a sentence and nothing is changed, or (may_fit) it can be worked with.
static inline void try_damaged(Damage *damage, const char *what, bool may_fit) {
    Error error = {""};
    if (optimiser_restore(damage->optimiser, damage->state, &error)) {
        if (!may_fit)
            fail_msg("a state with a damaged \"%s\" was taken", what);
        Random noise = random_stream(damage->plan->seed, 0, RANDOM_TEST);
        for (int g = 0; g < 2; g++)
            generation(damage->optimiser, damage->f, &noise);
        json_t *good = json_loads(damage->before, JSON_DECODE_INT_AS_REAL, NULL);
        assert_true(optimiser_restore(damage->optimiser, good, NULL));
        json_decref(good);
        return;
    }
    assert_true(strlen(error.text) > 10);
    char *after = saved_text(damage->optimiser);
    assert_string_equal(damage->before, after);
    free(after);
}

static inline void damage_list(Damage *damage, const char *name, json_t *list) {
    size_t size = json_array_size(list);
    json_t *last = json_incref(json_array_get(list, size - 1));
    json_array_remove(list, size - 1);
    try_damaged(damage, name, false);
    json_array_append(list, last);
    json_array_append(list, last);
    try_damaged(damage, name, false);
    json_array_remove(list, size);
    json_t *wrong[] = {json_null(),       json_string("1"), json_real(1e300),
                       json_real(-1e300), json_real(0.5),   json_real(-1)};
    json_t *right = json_incref(json_array_get(list, size / 2));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        json_array_set_new(list, size / 2, wrong[i]);
        try_damaged(damage, name, json_is_number(wrong[i]));
    }
    json_array_set_new(list, size / 2, right);
    json_decref(last);
}

// Every member of an object, and of those in it, is left out or replaced by something else.
static inline void damage_members(Damage *damage, json_t *object) {
    char names[32][32];
    int count = 0;
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value) {
        assert_true(count < 32);
        snprintf(names[count++], sizeof names[0], "%s", key);
    }
    for (int i = 0; i < count; i++) {
        const char *name = names[i];
        value = json_incref(json_object_get(object, name));
        if (json_is_object(value))
            damage_members(damage, value);
        if (json_array_size(value) > 0)
            damage_list(damage, name, value);
        bool unused = json_is_object(value) && json_object_size(value) == 0; // this plan has no use for it
        bool is_score = strstr(name, "_score") && object == damage->state;   // these may be null: NaN
        json_t *wrong[] = {json_null(), json_string("no"), json_true(), json_object(), NULL};
        for (int w = 0; w < 5; w++) {
            if (wrong[w])
                json_object_set_new(object, name, wrong[w]);
            else
                json_object_del(object, name);
            try_damaged(damage, name, unused || (is_score && w == 0));
        }
        json_object_set_new(object, name, value);
    }
}

static inline void assert_refuses_damage(const OptimiserPlan *plan, Landscape *f) {
    Damage damage = {.plan = plan, .f = f, .optimiser = make_optimiser(plan)};
    Random noise = random_stream(plan->seed, 0, RANDOM_TEST);
    for (int g = 0; g < 3; g++)
        generation(damage.optimiser, f, &noise);
    damage.before = saved_text(damage.optimiser);
    damage.state = json_loads(damage.before, JSON_DECODE_INT_AS_REAL, NULL);
    damage_members(&damage, damage.state);
    json_decref(damage.state);
    damage.state = json_array();
    try_damaged(&damage, "everything", false);
    json_decref(damage.state);
    free(damage.before);
    optimiser_free(damage.optimiser);
}

#endif
