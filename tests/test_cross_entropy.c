// SPDX-License-Identifier: GPL-3.0-or-later
// The cross-entropy method: its update and its noise by hand, functions it must climb, saving. Seeds are
// fixed; statistical checks allow 5.5 standard errors: a right program and a new seed would fail with a
// chance below 1e-6.
#include "landscapes.h"
#include "optimise/cross_entropy.h"

static OptimiserPlan plan_of(int dimension, CrossEntropyNoise noise) {
    OptimiserPlan plan = {.dimension = dimension, .seed = 51};
    optimiser_defaults(&plan, OPTIMISER_CROSS_ENTROPY);
    cross_entropy_plan(&plan)->noise = noise;
    if (noise == NOISE_DECREASING)
        cross_entropy_plan(&plan)->level = 5;
    return plan;
}

static void defaults_are_those_of_the_paper(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(8, NOISE_CONSTANT);
    assert_int_equal(plan.population, 100);
    assert_int_equal(plan.parents, 10);
    assert_true(plan.sigma == 10 && cross_entropy_plan(&plan)->level == 4 &&
                cross_entropy_plan(&plan)->slope == 0.1);
    optimiser_defaults(&plan, OPTIMISER_CROSS_ENTROPY);
    assert_int_equal(cross_entropy_plan(&plan)->noise, NOISE_CONSTANT);
}

static void samples_have_the_start_mean_and_deviation(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(2, NOISE_NONE);
    plan.population = 10000;
    plan.start = (const double[]){0, -30};
    Optimiser *optimiser = make_optimiser(&plan);
    const double *batch;
    int count = optimiser_ask(optimiser, &batch);
    assert_int_equal(count, 10000);
    for (int k = 0; k < 2; k++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < count; i++) {
            double z = (batch[2 * i + k] - plan.start[k]) / 10;
            sum += z;
            squares += z * z;
        }
        assert_true(fabs(sum) < 5.5 * sqrt(count));
        assert_true(fabs(squares - count) < 5.5 * sqrt(2.0 * count));
    }
    optimiser_free(optimiser);
}

// Selects by the order given, not by the scores.
static void the_update_is_mean_and_variance_of_the_best_plus_noise(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(3, NOISE_CONSTANT);
    plan.population = 6;
    plan.parents = 4;
    Optimiser *optimiser = make_optimiser(&plan);
    for (int g = 0; g < 5; g++) {
        const double *batch;
        assert_int_equal(optimiser_ask(optimiser, &batch), 6);
        double copy[18];
        memcpy(copy, batch, sizeof copy);
        static const int order[] = {3, 0, 5, 2, 1, 4};
        static const double score[] = {1, 2, 3, 4, 5, 6};
        optimiser_tell(optimiser, score, order);
        OptimiserStatus status = optimiser_status(optimiser);
        assert_memory_equal(status.best, copy + 9, 3 * sizeof *copy);
        double squares_of_all = 0;
        for (int k = 0; k < 3; k++) {
            double mean = (copy[9 + k] + copy[k] + copy[15 + k] + copy[6 + k]) / 4, squares = 0;
            for (int i = 0; i < 4; i++)
                squares += pow(copy[3 * order[i] + k] - mean, 2);
            assert_true(fabs(status.answer[k] - mean) < 1e-12);
            assert_true(fabs(status.deviation[k] - sqrt(squares / 4 + 4)) < 1e-12);
            squares_of_all += squares / 4 + 4;
        }
        assert_true(fabs(status.sigma - sqrt(squares_of_all / 3)) < 1e-12);
    }
    optimiser_free(optimiser);
}

// With a single parent the variance is nothing but the noise.
static void the_noise_follows_its_schedule_exactly(void **state) {
    (void)state;
    for (int noise = NOISE_NONE; noise <= NOISE_DECREASING; noise++) {
        OptimiserPlan plan = plan_of(2, (CrossEntropyNoise)noise);
        plan.population = 5;
        plan.parents = 1;
        Optimiser *optimiser = make_optimiser(&plan);
        for (int t = 0; t < 70; t++) {
            generation(optimiser, sphere, NULL);
            double expected = noise == NOISE_NONE       ? 0
                              : noise == NOISE_CONSTANT ? 4
                              : t < 50                  ? 5 - t * 0.1
                                                        : 0;
            assert_true(optimiser_status(optimiser).deviation[1] == sqrt(expected));
        }
        optimiser_free(optimiser);
    }
}

static void scores_that_are_no_numbers_are_never_selected(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(1, NOISE_NONE);
    plan.population = 10;
    plan.parents = 2;
    Optimiser *optimiser = make_optimiser(&plan);
    const double *batch;
    optimiser_ask(optimiser, &batch);
    double expected = (batch[4] + batch[7]) / 2, score[10];
    for (int i = 0; i < 10; i++)
        score[i] = i == 4 ? -1e300 : i == 7 ? -INFINITY : NAN;
    optimiser_tell(optimiser, score, NULL);
    assert_true(fabs(optimiser_status(optimiser).answer[0] - expected) < 1e-12);
    optimiser_free(optimiser);
}

// 20 runs each in 8 dimensions, 100 samples a generation. Where noise stays on, the mean stays within its
// reach.
static void it_climbs(void **state) {
    (void)state;
    static const struct {
        Landscape *f;
        CrossEntropyNoise noise;
        int generations;
        double target;
    } rows[] = {
        {sphere, NOISE_NONE, 25, -10},
        {sphere, NOISE_CONSTANT, 25, -8},
        {sphere, NOISE_DECREASING, 60, -0.02},
        {ellipsoid, NOISE_NONE, 30, -1500},
        {ellipsoid, NOISE_DECREASING, 80, -1200},
        {rosenbrock, NOISE_DECREASING, 80, -60},
        {rastrigin, NOISE_NONE, 50, -15},
        {rastrigin, NOISE_DECREASING, 100, -12},
        {noisy_sphere, NOISE_NONE, 30, -12},
        {noisy_sphere, NOISE_DECREASING, 60, -0.8},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OptimiserPlan plan = plan_of(8, rows[i].noise);
        assert_reaches(&plan, rows[i].f, rows[i].generations, 20, rows[i].target);
    }
}

static void it_stops_when_nothing_is_left_to_vary(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(4, NOISE_NONE);
    Optimiser *quiet = make_optimiser(&plan);
    int g = 0;
    for (; g < 2000 && !optimiser_stop_reason(quiet); g++)
        generation(quiet, sphere, NULL);
    assert_in_range(g, 10, 1999);
    assert_non_null(strstr(optimiser_stop_reason(quiet), "shrunk"));
    optimiser_free(quiet);
    plan = plan_of(4, NOISE_CONSTANT);
    Optimiser *noisy = make_optimiser(&plan);
    for (g = 0; g < 300; g++) {
        assert_null(optimiser_stop_reason(noisy));
        generation(noisy, sphere, NULL);
    }
    optimiser_free(noisy);
}

static void a_restored_one_goes_on_bit_for_bit(void **state) {
    (void)state;
    for (int noise = NOISE_NONE; noise <= NOISE_DECREASING; noise++) {
        OptimiserPlan plan = plan_of(5, (CrossEntropyNoise)noise);
        plan.population = 20;
        assert_goes_on(&plan, noisy_sphere, 70);
    }
}

static void damaged_states_are_refused(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(3, NOISE_DECREASING);
    assert_refuses_damage(&plan, noisy_sphere);
    Optimiser *optimiser = make_optimiser(&plan);
    json_t *saved = optimiser_save(optimiser);
    json_array_set_new(json_object_get(json_object_get(saved, "state"), "variance"), 1, json_real(-1));
    Error error = {""};
    assert_false(optimiser_restore(optimiser, saved, &error));
    assert_non_null(strstr(error.text, "variance 2"));
    json_decref(saved);
    optimiser_free(optimiser);
}

static void wrong_plans_are_refused(void **state) {
    (void)state;
    Error error = {""};
    OptimiserPlan plan = plan_of(3, NOISE_CONSTANT);
    cross_entropy_plan(&plan)->level = -1;
    assert_null(optimiser_new(&plan, &error));
    assert_non_null(strstr(error.text, "-1"));
    plan = plan_of(3, NOISE_DECREASING);
    cross_entropy_plan(&plan)->slope = NAN;
    assert_null(optimiser_new(&plan, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_those_of_the_paper),
        cmocka_unit_test(samples_have_the_start_mean_and_deviation),
        cmocka_unit_test(the_update_is_mean_and_variance_of_the_best_plus_noise),
        cmocka_unit_test(the_noise_follows_its_schedule_exactly),
        cmocka_unit_test(scores_that_are_no_numbers_are_never_selected),
        cmocka_unit_test(it_climbs),
        cmocka_unit_test(it_stops_when_nothing_is_left_to_vary),
        cmocka_unit_test(a_restored_one_goes_on_bit_for_bit),
        cmocka_unit_test(damaged_states_are_refused),
        cmocka_unit_test(wrong_plans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
