// SPDX-License-Identifier: GPL-3.0-or-later
// CMA-ES: it converges on the usual functions within the usual number of evaluations, is indifferent to what
// it should be indifferent to, and goes on from a saved state bit for bit. All seeds are fixed (1 unless
// said): a right program cannot fail by chance; the budgets leave a factor of at least 1.4 over the worst of
// 100 seeds. "test_cmaes trace" prints every generation of some runs as JSON lines, for tests/check_cmaes.py.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_parse.h"
#include "base/random.h"
#include "optimise/cmaes.h"
#include "optimise/method.h"

enum { MAX_DIMENSIONS = 50, MAX_POPULATION = 400 };

// ---------------------------------------------------------------------------------------------------
// Functions to be made small

typedef double Function(const double *x, int n);

static double sphere(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sum;
}

static double ellipsoid(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += pow(1e6, (double)i / (n - 1)) * x[i] * x[i];
    return sum;
}

// The same, its axes turned: a chain of plane rotations mixes all coordinates.
static double turned_ellipsoid(const double *x, int n) {
    double y[MAX_DIMENSIONS];
    memcpy(y, x, (size_t)n * sizeof *y);
    for (int i = 0; i < n; i++) {
        int j = (i + 1) % n;
        double a = cos(1 + i) * y[i] - sin(1 + i) * y[j], b = sin(1 + i) * y[i] + cos(1 + i) * y[j];
        y[i] = a;
        y[j] = b;
    }
    return ellipsoid(y, n);
}

static double rosenbrock(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i + 1 < n; i++)
        sum += 100 * pow(x[i] * x[i] - x[i + 1], 2) + pow(x[i] - 1, 2);
    return sum;
}

static double rastrigin(const double *x, int n) {
    double sum = 10 * n;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i] - 10 * cos(2 * M_PI * x[i]);
    return sum;
}

static double slope(const double *x, int n) {
    (void)n;
    return -x[0];
}

// 1 - the cosine of the angle to (1, -2, 3, -4 ...): the length of x does not matter, as for a rating's
// weights.
static double direction(const double *x, int n) {
    double product = 0, squares = 0, x_squares = 0;
    for (int i = 0; i < n; i++) {
        double target = (i % 2 ? -1 : 1) * (i + 1.0);
        product += target * x[i];
        squares += target * target;
        x_squares += x[i] * x[i];
    }
    return 1 - product / sqrt(squares * x_squares);
}

// ---------------------------------------------------------------------------------------------------
// Running

static OptimiserPlan make_plan(int n, const double *start) {
    OptimiserPlan plan = {.dimension = n, .seed = 1, .start = start};
    optimiser_defaults(&plan, OPTIMISER_CMAES);
    return plan;
}

static const double *filled(double *x, int n, double value) {
    for (int i = 0; i < n; i++)
        x[i] = value;
    return x;
}

static Optimiser *make(const OptimiserPlan *plan) {
    Error error = {""};
    Optimiser *optimiser = optimiser_new(plan, &error);
    if (!optimiser)
        fail_msg("%s", error.text);
    return optimiser;
}

// One generation. <- the smallest value. -> noise  standard deviation of what is added to the values
static double advance_noisy(Optimiser *optimiser, Function *f, int n, double noise, Random *random) {
    double score[MAX_POPULATION], best = INFINITY;
    const double *batch;
    int count = optimiser_ask(optimiser, &batch);
    for (int i = 0; i < count; i++) {
        double value = f(batch + i * n, n);
        best = fmin(best, value);
        score[i] = -(noise > 0 ? value + noise * random_normal(random) : value);
    }
    optimiser_tell(optimiser, score, NULL);
    return best;
}

static double advance(Optimiser *optimiser, Function *f, int n) {
    return advance_noisy(optimiser, f, n, 0, NULL);
}

// <- evaluations until a value below the target was met; `budget` if that did not happen
static uint64_t evaluations_needed(const OptimiserPlan *plan, Function *f, double target, uint64_t budget) {
    Optimiser *optimiser = make(plan);
    double best = INFINITY;
    while (!(best < target) && optimiser_status(optimiser).evaluations < budget)
        best = advance(optimiser, f, plan->dimension);
    uint64_t needed = best < target ? optimiser_status(optimiser).evaluations : budget;
    optimiser_free(optimiser);
    return needed;
}

// ---------------------------------------------------------------------------------------------------
// Convergence

static const struct Problem {
    const char *name;
    Function *f;
    int n;
    double start, sigma;
    uint64_t budget; // to reach 1e-10
} problems[] = {
    {"sphere", sphere, 8, 3, 1, 2400},
    {"sphere", sphere, 20, 3, 1, 5000},
    {"ellipsoid", ellipsoid, 8, 3, 1, 7000},
    {"ellipsoid", ellipsoid, 20, 3, 1, 29000},
    {"turned ellipsoid", turned_ellipsoid, 8, 3, 1, 7000},
    {"turned ellipsoid", turned_ellipsoid, 20, 3, 1, 29000},
    {"Rosenbrock", rosenbrock, 8, 0, 0.5, 8100},
    {"Rosenbrock", rosenbrock, 20, 0, 0.5, 33000},
};
enum { PROBLEMS = sizeof problems / sizeof problems[0] };

static void converge(CmaesConstants constants) {
    for (int i = 0; i < PROBLEMS; i++) {
        const struct Problem *problem = &problems[i];
        double start[MAX_DIMENSIONS];
        OptimiserPlan plan = make_plan(problem->n, filled(start, problem->n, problem->start));
        plan.sigma = problem->sigma;
        cmaes_plan(&plan)->constants = constants;
        uint64_t needed = evaluations_needed(&plan, problem->f, 1e-10, problem->budget);
        print_message("%s, n = %d: %d evaluations\n", problem->name, problem->n, (int)needed);
        assert_true(needed < problem->budget);
    }
}

static void modern_constants_converge_within_the_budgets(void **state) {
    (void)state;
    converge(CMAES_MODERN);
}

static void classic_constants_converge_within_the_budgets(void **state) {
    (void)state;
    converge(CMAES_CLASSIC);
}

// The multimodal one needs a large population (Hansen & Kern 2004).
static void a_large_population_finds_the_global_minimum_of_rastrigin(void **state) {
    (void)state;
    double start[8];
    OptimiserPlan plan = make_plan(8, filled(start, 8, 3));
    plan.sigma = 2;
    plan.population = MAX_POPULATION;
    plan.parents = 0;
    assert_true(evaluations_needed(&plan, rastrigin, 1e-8, 80000) < 80000);
}

static void the_mean_gets_far_below_the_noise_on_a_noisy_sphere(void **state) {
    (void)state;
    double start[8], sum = 0;
    OptimiserPlan plan = make_plan(8, filled(start, 8, 3));
    plan.sigma = 1;
    Optimiser *optimiser = make(&plan);
    Random random = random_stream(1, 0, RANDOM_TEST);
    for (int g = 0; g < 400; g++) {
        advance_noisy(optimiser, sphere, 8, 1, &random);
        if (g >= 200)
            sum += sphere(optimiser_status(optimiser).answer, 8) / 200;
    }
    print_message("noise 1: mean value %g, from 72\n", sum);
    assert_true(sum < 3);
    optimiser_free(optimiser);
}

// ---------------------------------------------------------------------------------------------------
// The unit sphere

static void samples_on_the_sphere_have_length_one_and_find_a_direction(void **state) {
    (void)state;
    for (int constants = 0; constants < 2; constants++) {
        OptimiserPlan plan = make_plan(8, NULL);
        *cmaes_plan(&plan) = (CmaesPlan){.constants = constants, .sphere = true};
        assert_int_equal(plan.population, 10);
        Optimiser *optimiser = make(&plan);
        for (int g = 0; g < 150; g++) {
            const double *batch;
            int count = optimiser_ask(optimiser, &batch);
            for (int i = 0; i < count; i++)
                assert_true(fabs(sphere(batch + i * 8, 8) - 1) < 1e-12);
            advance(optimiser, direction, 8);
            assert_true(sphere(optimiser_status(optimiser).answer, 8) <= 1 + 1e-12);
        }
        assert_true(direction(optimiser_status(optimiser).answer, 8) < 1e-8);
        optimiser_free(optimiser);
    }
}

static void deviations_stay_at_the_floor_or_above(void **state) {
    (void)state;
    for (int floored = 0; floored < 2; floored++) {
        OptimiserPlan plan = make_plan(8, NULL);
        cmaes_plan(&plan)->floor = floored ? 0.02 : 0;
        double least = INFINITY, start[8];
        plan.start = filled(start, 8, 3);
        Optimiser *optimiser = make(&plan);
        for (int g = 0; g < 150; g++) {
            advance(optimiser, sphere, 8);
            OptimiserStatus status = optimiser_status(optimiser);
            double squares = 0;
            for (int i = 0; i < 8; i++)
                squares += status.deviation[i] * status.deviation[i];
            least = fmin(least, sqrt(squares / 8));
        }
        assert_true(floored ? fabs(least - 0.02) < 1e-9 : least < 0.01);
        optimiser_free(optimiser);
    }
}

// Boumaza's figure 4: without scaling, the target moves away as fast as the search follows. That is no reason
// to end.
static void without_the_sphere_lengths_grow_and_the_run_goes_on(void **state) {
    (void)state;
    for (int constants = 0; constants < 2; constants++) {
        OptimiserPlan plan = make_plan(8, NULL);
        cmaes_plan(&plan)->constants = constants;
        Optimiser *optimiser = make(&plan);
        Random random = random_stream(1, 0, RANDOM_TEST);
        for (int g = 0; g < 500; g++) {
            advance_noisy(optimiser, direction, 8, 0.4, &random);
            assert_null(optimiser_stop_reason(optimiser));
        }
        assert_true(sphere(optimiser_status(optimiser).answer, 8) > 4);
        optimiser_free(optimiser);
    }
}

static void step_sizes_may_grow_by_many_orders_of_magnitude(void **state) {
    (void)state;
    OptimiserPlan plan = make_plan(8, NULL);
    Optimiser *optimiser = make(&plan);
    for (int g = 0; g < 300; g++) {
        advance(optimiser, slope, 8);
        assert_null(optimiser_stop_reason(optimiser));
    }
    assert_true(optimiser_status(optimiser).sigma > 1e20);
    optimiser_free(optimiser);
}

// ---------------------------------------------------------------------------------------------------
// Indifference

static void defaults_follow_the_dimension(void **state) {
    (void)state;
    static const int expected[][3] = {{1, 4, 2}, {2, 6, 3}, {8, 10, 5}, {20, 12, 6}, {50, 15, 7}};
    for (int i = 0; i < 5; i++) {
        OptimiserPlan plan = make_plan(expected[i][0], NULL);
        assert_int_equal(plan.population, expected[i][1]);
        assert_int_equal(plan.parents, expected[i][2]);
        assert_true(plan.sigma == 0.5);
        assert_false(cmaes_plan(&plan)->sphere);
        assert_int_equal(cmaes_plan(&plan)->constants, CMAES_MODERN);
    }
}

// In units 2^10 times as large, all numbers are exactly 2^10 times as large.
static double rosenbrock_large(const double *x, int n) {
    double y[MAX_DIMENSIONS];
    for (int i = 0; i < n; i++)
        y[i] = x[i] * 0x1p-10;
    return rosenbrock(y, n);
}

static void the_unit_of_length_does_not_matter(void **state) {
    (void)state;
    double small[8], large[8];
    OptimiserPlan plan = make_plan(8, filled(small, 8, -1));
    Optimiser *a = make(&plan);
    plan.start = filled(large, 8, -0x1p10);
    plan.sigma *= 0x1p10;
    Optimiser *b = make(&plan);
    for (int g = 0; g < 100; g++) {
        advance(a, rosenbrock, 8);
        advance(b, rosenbrock_large, 8);
        for (int i = 0; i < 8; i++)
            assert_true(optimiser_status(a).answer[i] * 0x1p10 == optimiser_status(b).answer[i]);
    }
    optimiser_free(a);
    optimiser_free(b);
}

static double logarithm_of_rosenbrock(const double *x, int n) {
    return log(rosenbrock(x, n));
}

static void only_the_order_of_the_scores_matters(void **state) {
    (void)state;
    OptimiserPlan plan = make_plan(8, NULL);
    Optimiser *a = make(&plan), *b = make(&plan);
    for (int g = 0; g < 100; g++) {
        advance(a, rosenbrock, 8);
        advance(b, logarithm_of_rosenbrock, 8);
        assert_memory_equal(optimiser_status(a).answer, optimiser_status(b).answer, 8 * sizeof(double));
    }
    optimiser_free(a);
    optimiser_free(b);
}

static void axes_ascend_and_tell_the_shape_of_the_function(void **state) {
    (void)state;
    OptimiserPlan plan = make_plan(8, NULL);
    double start[8];
    plan.start = filled(start, 8, 3);
    Optimiser *optimiser = make(&plan);
    for (int g = 0; g < 500; g++)
        advance(optimiser, turned_ellipsoid, 8);
    OptimiserStatus status = optimiser_status(optimiser);
    for (int i = 1; i < 8; i++)
        assert_true(status.axes[i - 1] <= status.axes[i]);
    double ratio = status.axes[7] / status.axes[0]; // of the function: 1000
    assert_true(ratio > 200 && ratio < 5000);
    optimiser_free(optimiser);
}

// ---------------------------------------------------------------------------------------------------
// Ends

static double flat(const double *x, int n) {
    (void)x;
    (void)n;
    return 1;
}

static double not_a_number(const double *x, int n) {
    (void)x;
    (void)n;
    return NAN;
}

static void flat_scores_and_nan_leave_finite_numbers(void **state) {
    (void)state;
    static Function *const functions[] = {flat, not_a_number};
    static const int dimensions[] = {1, 2, 8};
    for (int k = 0; k < 12; k++) {
        int n = dimensions[k % 3];
        OptimiserPlan plan = make_plan(n, NULL);
        cmaes_plan(&plan)->sphere = k >= 6;
        Optimiser *optimiser = make(&plan);
        for (int g = 0; g < 300; g++)
            advance(optimiser, functions[k / 3 % 2], n);
        OptimiserStatus status = optimiser_status(optimiser);
        for (int i = 0; i < n; i++)
            assert_true(isfinite(status.answer[i]) && isfinite(status.deviation[i]) &&
                        isfinite(status.axes[i]));
        optimiser_free(optimiser);
    }
}

// Runs until it stops. <- the sentence
static const char *run_to_the_end(Optimiser *optimiser, Function *f, int n) {
    for (int g = 0; g < 20000 && !optimiser_stop_reason(optimiser); g++)
        advance(optimiser, f, n);
    const char *reason = optimiser_stop_reason(optimiser);
    assert_non_null(reason);
    return reason;
}

static double needle(const double *x, int n) {
    return 1e30 * x[0] * x[0] + sphere(x, n);
}

static void every_end_has_its_sentence(void **state) {
    (void)state;
    double start[8];
    OptimiserPlan plan = make_plan(8, filled(start, 8, 1));
    Optimiser *optimiser = make(&plan);
    assert_non_null(strstr(run_to_the_end(optimiser, rosenbrock, 8), "smaller than 1e-12"));
    assert_true(rosenbrock(optimiser_status(optimiser).answer, 8) < 1e-20);
    optimiser_free(optimiser);
    optimiser = make(&plan);
    assert_non_null(strstr(run_to_the_end(optimiser, needle, 8), "condition number"));
    optimiser_free(optimiser);
    plan = make_plan(1, NULL); // one number on a slope: the condition number is always 1
    optimiser = make(&plan);
    assert_non_null(strstr(run_to_the_end(optimiser, slope, 1), "beyond all bounds"));
    OptimiserStatus status = optimiser_status(optimiser);
    assert_true(isfinite(status.answer[0]) && status.answer[0] > 1e100);
    for (int g = 0; g < 10; g++)
        advance(optimiser, slope, 1);
    assert_true(isfinite(optimiser_status(optimiser).answer[0]));
    optimiser_free(optimiser);
}

static void wrong_plans_are_refused(void **state) {
    (void)state;
    Error error;
    OptimiserPlan plan = make_plan(8, NULL);
    plan.parents = 6;
    assert_null(optimiser_new(&plan, &error));
    assert_string_equal(error.text,
                        "With its modern constants CMA-ES takes at most half of the population, 5, as "
                        "parents, not 6.");
    cmaes_plan(&plan)->constants = CMAES_CLASSIC;
    optimiser_free(make(&plan));
    plan.parents = 5;
    cmaes_plan(&plan)->constants = (CmaesConstants)7;
    assert_null(optimiser_new(&plan, &error));
    assert_string_equal(error.text, "cmaes: \"constants\" has no word number 7.");
}

// ---------------------------------------------------------------------------------------------------
// Saving and restoring

static json_t *through_text(const Optimiser *optimiser) {
    json_t *saved = optimiser_save(optimiser);
    assert_non_null(saved);
    char *text = json_dumps(saved, JSON_COMPACT);
    json_decref(saved);
    assert_non_null(text);
    json_t *parsed = json_parse("state", text, strlen(text), NULL);
    free(text);
    assert_non_null(parsed);
    return parsed;
}

static void a_run_restored_in_every_generation_is_the_same_run(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        OptimiserPlan plan = make_plan(8, NULL);
        *cmaes_plan(&plan) = (CmaesPlan){.constants = kind % 2, .sphere = kind / 2};
        Optimiser *whole = make(&plan), *pieces = make(&plan);
        for (int g = 0; g < 120; g++) {
            advance(whole, rosenbrock, 8);
            advance(pieces, rosenbrock, 8);
            Optimiser *next = make(&plan);
            json_t *saved = through_text(pieces);
            assert_true(optimiser_restore(next, saved, NULL));
            json_decref(saved);
            optimiser_free(pieces);
            pieces = next;
            const double *a, *b;
            assert_int_equal(optimiser_ask(whole, &a), optimiser_ask(pieces, &b));
            assert_memory_equal(a, b, 10 * 8 * sizeof *a);
            OptimiserStatus s = optimiser_status(whole), t = optimiser_status(pieces);
            assert_memory_equal(s.deviation, t.deviation, 8 * sizeof(double));
            assert_memory_equal(s.axes, t.axes, 8 * sizeof(double));
            assert_memory_equal(s.best, t.best, 8 * sizeof(double));
            assert_true(s.sigma == t.sigma && s.generation == t.generation && s.evaluations == t.evaluations);
            assert_true(s.best_score == t.best_score && s.mean_score == t.mean_score);
            assert_true(optimiser_stop_reason(whole) == optimiser_stop_reason(pieces));
        }
        optimiser_free(whole);
        optimiser_free(pieces);
    }
}

// A change of the state's JSON, as a text for jansson's unpacking of one key.
static const struct Damage {
    const char *key, *value, *says; // value NULL: the key is missing
} damages[] = {
    {"mean", NULL, "has no list \"mean\" of 3 finite numbers"},
    {"mean", "[1, 2]", "has no list \"mean\" of 3 finite numbers"},
    {"mean", "[1, 2, \"NaN\"]", "has no list \"mean\""},
    {"mean", "[1, 2, null]", "has no list \"mean\""},
    {"mean", "[1, 2, 1e300]", "a number is too large"},
    {"mean", "{}", "has no list \"mean\""},
    {"p_sigma", "[1, 2, 3, 4]", "has no list \"p_sigma\" of 3 finite numbers"},
    {"p_c", "\"NaN\"", "has no list \"p_c\""},
    {"sigma", "[0]", "step size or a variance is not positive"},
    {"sigma", "[-1]", "step size or a variance is not positive"},
    {"sigma", "0.5", "has no list \"sigma\""},
    {"c", "[1, 0, 1, 0, 0]", "has no list \"c\" of 6 finite numbers"},
    {"c", "[1, 0, 1, 0, 0, -1]", "a variance is not positive"},
    {"c", "[1, 0, 1, 0, 0, 0]", "a variance is not positive"},
    {"c", "[1, 2, 1, 0, 0, 1]", "has a negative eigenvalue"},
    {"c", "[1, 1e120, 1, 0, 0, 1]", "has a negative eigenvalue"},
    {"c", "[1, 0, 1, 0, 0, 1e200]", "a number is too large"},
    {"overflow", NULL, "\"overflow\": true or false"},
    {"overflow", "1", "\"overflow\": true or false"},
};

static void damaged_states_are_refused_and_change_nothing(void **state) {
    (void)state;
    OptimiserPlan plan = make_plan(3, NULL);
    Optimiser *optimiser = make(&plan);
    for (int g = 0; g < 10; g++)
        advance(optimiser, rosenbrock, 3);
    json_t *before = through_text(optimiser);
    const double *batch;
    int count = optimiser_ask(optimiser, &batch);
    double kept[MAX_POPULATION * 3];
    memcpy(kept, batch, (size_t)count * 3 * sizeof *kept);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        json_t *damaged = json_deep_copy(before), *inner = json_object_get(damaged, "state");
        json_object_del(inner, damages[i].key);
        if (damages[i].value)
            json_object_set_new(inner, damages[i].key, json_loads(damages[i].value, JSON_DECODE_ANY, NULL));
        Error error = {""};
        assert_false(optimiser_restore(optimiser, damaged, &error));
        if (!strstr(error.text, damages[i].says))
            fail_msg("%s: %s", damages[i].says, error.text);
        json_t *after = through_text(optimiser);
        assert_true(json_equal(before, after));
        json_decref(after);
        json_decref(damaged);
        assert_int_equal(optimiser_ask(optimiser, &batch), count);
        assert_memory_equal(batch, kept, (size_t)count * 3 * sizeof *kept);
    }
    // The next batch comes from the state, too: asked anew after restoring what it was.
    assert_true(optimiser_restore(optimiser, before, NULL));
    optimiser_ask(optimiser, &batch);
    assert_memory_equal(batch, kept, (size_t)count * 3 * sizeof *kept);
    json_decref(before);
    optimiser_free(optimiser);
}

// ---------------------------------------------------------------------------------------------------
// The trace

static const struct Trace {
    const char *name;
    CmaesConstants constants;
    bool sphere;
    int n, population, parents;
    double start, sigma;
    Function *f;
} traces[] = {
    {"modern", CMAES_MODERN, false, 8, 0, 0, 0, 0.5, rosenbrock},
    {"modern, sphere", CMAES_MODERN, true, 8, 0, 0, 0, 0.5, direction},
    {"modern, small first step", CMAES_MODERN, false, 5, 0, 0, 3, 1e-3, sphere},
    {"modern, slope", CMAES_MODERN, false, 6, 10, 0, 0, 0.5, slope},
    {"modern, slope, more", CMAES_MODERN, false, 6, 15, 0, 0, 0.5, slope},
    {"modern, large population", CMAES_MODERN, false, 6, 41, 0, 0, 1, rastrigin},
    {"modern, few parents", CMAES_MODERN, false, 4, 12, 3, 1, 1, ellipsoid},
    {"classic", CMAES_CLASSIC, false, 8, 0, 0, 0, 0.5, rosenbrock},
    {"classic, sphere", CMAES_CLASSIC, true, 8, 0, 0, 0, 0.5, direction},
    {"classic, most are parents", CMAES_CLASSIC, false, 3, 12, 10, 0, 1, ellipsoid},
};
enum { TRACE_GENERATIONS = 30 };

static json_t *numbers(const double *value, int count) {
    json_t *list = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(list, json_real(value[i]));
    return list;
}

static void print_line(json_t *line) {
    char *text = json_dumps(line, JSON_COMPACT);
    puts(text ? text : "");
    free(text);
    json_decref(line);
}

static void print_trace(const struct Trace *trace) {
    double start[MAX_DIMENSIONS], score[MAX_POPULATION];
    OptimiserPlan plan = make_plan(trace->n, filled(start, trace->n, trace->start));
    plan.population = trace->population;
    plan.parents = trace->parents;
    plan.sigma = trace->sigma;
    *cmaes_plan(&plan) = (CmaesPlan){.constants = trace->constants, .sphere = trace->sphere};
    Optimiser *optimiser = optimiser_new(&plan, NULL);
    print_line(json_pack("{s:s, s:b, s:o}", "case", trace->name, "classic", trace->constants == CMAES_CLASSIC,
                         "start", optimiser_save(optimiser)));
    for (int g = 0; g < TRACE_GENERATIONS; g++) {
        const double *batch;
        int count = optimiser_ask(optimiser, &batch);
        for (int i = 0; i < count; i++)
            score[i] = -trace->f(batch + i * trace->n, trace->n);
        json_t *samples = numbers(batch, count * trace->n), *scores = numbers(score, count);
        optimiser_tell(optimiser, score, NULL);
        print_line(json_pack("{s:o, s:o, s:o}", "batch", samples, "score", scores, "after",
                             optimiser_save(optimiser)));
    }
    optimiser_free(optimiser);
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "trace") == 0) {
        for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++)
            print_trace(&traces[i]);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modern_constants_converge_within_the_budgets),
        cmocka_unit_test(classic_constants_converge_within_the_budgets),
        cmocka_unit_test(a_large_population_finds_the_global_minimum_of_rastrigin),
        cmocka_unit_test(the_mean_gets_far_below_the_noise_on_a_noisy_sphere),
        cmocka_unit_test(samples_on_the_sphere_have_length_one_and_find_a_direction),
        cmocka_unit_test(deviations_stay_at_the_floor_or_above),
        cmocka_unit_test(without_the_sphere_lengths_grow_and_the_run_goes_on),
        cmocka_unit_test(step_sizes_may_grow_by_many_orders_of_magnitude),
        cmocka_unit_test(defaults_follow_the_dimension),
        cmocka_unit_test(the_unit_of_length_does_not_matter),
        cmocka_unit_test(only_the_order_of_the_scores_matters),
        cmocka_unit_test(axes_ascend_and_tell_the_shape_of_the_function),
        cmocka_unit_test(flat_scores_and_nan_leave_finite_numbers),
        cmocka_unit_test(every_end_has_its_sentence),
        cmocka_unit_test(wrong_plans_are_refused),
        cmocka_unit_test(a_run_restored_in_every_generation_is_the_same_run),
        cmocka_unit_test(damaged_states_are_refused_and_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
