// SPDX-License-Identifier: GPL-3.0-or-later
// The particle swarm: step by step against a plain model, functions it must climb, saving. Seeds are fixed.
#include "landscapes.h"

#include "optimise/method.h"
#include "optimise/swarm.h"

static OptimiserPlan plan_of(int dimension, int neighbours) {
    OptimiserPlan plan = {.dimension = dimension, .seed = 61};
    optimiser_defaults(&plan, OPTIMISER_SWARM);
    plan.sigma = 5;
    swarm_plan(&plan)->neighbours = neighbours;
    return plan;
}

static void defaults_are_the_usual_constants(void **state) {
    (void)state;
    OptimiserPlan plan = {.dimension = 3};
    optimiser_defaults(&plan, OPTIMISER_SWARM);
    assert_true(swarm_plan(&plan)->inertia == 0.72 && swarm_plan(&plan)->cognitive == 1.49 &&
                swarm_plan(&plan)->social == 1.49);
    assert_true(swarm_plan(&plan)->most_speed == 0 && swarm_plan(&plan)->neighbours == 0 && plan.sigma == 1);
    assert_int_equal(plan.population, 30);
}

// Mean and variance of 9,000 places at rest, within 5.5 standard errors (false alarm below 1e-6).
static void places_start_around_the_start_vector(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(1, 0);
    plan.population = 9000;
    plan.start = (const double[]){40};
    Optimiser *optimiser = make_optimiser(&plan);
    const double *batch;
    int count = optimiser_ask(optimiser, &batch);
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        sum += (batch[i] - 40) / 5;
        squares += pow((batch[i] - 40) / 5, 2);
    }
    assert_true(fabs(sum) < 5.5 * sqrt(count));
    assert_true(fabs(squares - count) < 5.5 * sqrt(2.0 * count));
    optimiser_free(optimiser);
}

enum { COUNT = 7, SIZE = 3 };

typedef struct Model {
    double x[COUNT][SIZE], v[COUNT][SIZE], p[COUNT][SIZE], best[COUNT];
} Model;

static int model_attractor(const Model *model, int i, int neighbours) {
    int best = -1;
    for (int j = 0; j < COUNT; j++) {
        int distance = abs(i - j) < COUNT - abs(i - j) ? abs(i - j) : COUNT - abs(i - j);
        if ((neighbours == 0 || distance <= neighbours) && (best < 0 || model->best[j] > model->best[best]))
            best = j;
    }
    return best;
}

// The formulas of the method, with the random numbers of the optimiser.
static void model_step(Model *model, const SwarmPlan *plan, const double *score, Random random) {
    for (int i = 0; i < COUNT; i++)
        if (score[i] > model->best[i]) {
            model->best[i] = score[i];
            memcpy(model->p[i], model->x[i], sizeof model->p[i]);
        }
    for (int i = 0; i < COUNT; i++) {
        const double *g = model->p[model_attractor(model, i, plan->neighbours)];
        for (int k = 0; k < SIZE; k++) {
            double r1 = random_unit(&random), r2 = random_unit(&random), *x = &model->x[i][k],
                   *v = &model->v[i][k];
            *v = plan->inertia * *v + plan->cognitive * r1 * (model->p[i][k] - *x) +
                 plan->social * r2 * (g[k] - *x);
            if (plan->most_speed > 0 && fabs(*v) > plan->most_speed)
                *v = *v > 0 ? plan->most_speed : -plan->most_speed;
            *x += *v;
        }
    }
}

static void every_step_is_that_of_a_plain_model(void **state) {
    (void)state;
    static const struct {
        int neighbours;
        double most_speed;
    } rows[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {0, 0.5}, {1, 0.5}, {100, 0}};
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        OptimiserPlan plan = plan_of(SIZE, rows[row].neighbours);
        plan.population = COUNT;
        swarm_plan(&plan)->most_speed = rows[row].most_speed;
        Optimiser *optimiser = make_optimiser(&plan);
        Model model = {0};
        const double *batch;
        optimiser_ask(optimiser, &batch);
        memcpy(model.x, batch, sizeof model.x);
        for (int i = 0; i < COUNT; i++)
            model.best[i] = -INFINITY;
        Random noise = random_stream(62, row, RANDOM_TEST);
        for (int g = 0; g < 60; g++) {
            assert_int_equal(optimiser_ask(optimiser, &batch), COUNT);
            double score[COUNT], best = -INFINITY;
            for (int i = 0; i < COUNT; i++) {
                for (int k = 0; k < SIZE; k++)
                    assert_true(fabs(batch[i * SIZE + k] - model.x[i][k]) <=
                                1e-9 * (1 + fabs(model.x[i][k])));
                memcpy(model.x[i], batch + i * SIZE, sizeof model.x[i]); // no drift of roundings
                score[i] = noisy_sphere(batch + i * SIZE, SIZE, &noise);
            }
            Random random = optimiser_random(optimiser, 1);
            optimiser_tell(optimiser, score, NULL);
            model_step(&model, swarm_plan(&plan), score, random);
            int leader = 0;
            for (int i = 0; i < COUNT; i++)
                if (model.best[i] > best) {
                    best = model.best[i];
                    leader = i;
                }
            assert_memory_equal(optimiser_status(optimiser).answer, model.p[leader], sizeof model.p[0]);
        }
        optimiser_free(optimiser);
    }
}

// 10 runs each in 8 dimensions, 30 particles. The worst of 200 runs of another seed meet the targets.
static void it_climbs(void **state) {
    (void)state;
    static const struct {
        Landscape *f;
        int neighbours, generations;
        double target;
    } rows[] = {
        {sphere, 0, 200, -1e-6},    {sphere, 1, 300, -1e-4},    {ellipsoid, 0, 200, -1e-2},
        {ellipsoid, 1, 300, -0.1},  {rosenbrock, 0, 300, -150}, {rosenbrock, 2, 300, -12},
        {rastrigin, 0, 200, -25},   {rastrigin, 2, 400, -15},   {noisy_sphere, 0, 100, -5},
        {noisy_sphere, 2, 200, -4},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        OptimiserPlan plan = plan_of(8, rows[i].neighbours);
        assert_reaches(&plan, rows[i].f, rows[i].generations, 10, rows[i].target);
    }
}

static void it_stops_when_all_particles_rest(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(2, 0);
    Optimiser *optimiser = make_optimiser(&plan);
    assert_null(optimiser_stop_reason(optimiser));
    int g = 0;
    for (; g < 5000 && !optimiser_stop_reason(optimiser); g++)
        generation(optimiser, sphere, NULL);
    assert_in_range(g, 50, 4999);
    assert_true(sphere(optimiser_status(optimiser).answer, 2, NULL) > -1e-12);
    optimiser_free(optimiser);
}

static double nothing(const double *x, int n, Random *noise) {
    (void)x, (void)n, (void)noise;
    return NAN;
}

// Particles that fly apart, and scores that are no numbers: everything stays finite and can be saved. Hardly
// attracted and with the most inertia, particles are almost twice as fast in each generation: at the bound of
// 1e100 after some 340 of them, and without it infinitely fast after 1,040.
static void nothing_becomes_infinite(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(2, 0);
    SwarmPlan *own = swarm_plan(&plan);
    own->inertia = 2;
    own->cognitive = own->social = 0.01;
    Landscape *landscapes[] = {sphere, nothing};
    for (int i = 0; i < 2; i++) {
        Optimiser *optimiser = make_optimiser(&plan);
        for (int g = 0; g < 1200; g++)
            generation(optimiser, landscapes[i], NULL);
        OptimiserStatus status = optimiser_status(optimiser);
        assert_true(isfinite(status.answer[0]) && isfinite(status.sigma) && status.sigma > 0);
        const double *batch;
        double farthest = 0;
        for (int k = 0, count = optimiser_ask(optimiser, &batch); k < 2 * count; k++)
            farthest = fmax(farthest, fabs(batch[k]));
        assert_true(farthest == 1e100);
        char *text = saved_text(optimiser);
        optimiser_free(restored(&plan, text));
        free(text);
        optimiser_free(optimiser);
    }
}

static void a_restored_one_goes_on_bit_for_bit(void **state) {
    (void)state;
    for (int neighbours = 0; neighbours < 3; neighbours++) {
        OptimiserPlan plan = plan_of(4, neighbours);
        plan.population = 10;
        swarm_plan(&plan)->most_speed = neighbours;
        assert_goes_on(&plan, noisy_sphere, 50);
    }
}

static void damaged_states_are_refused(void **state) {
    (void)state;
    OptimiserPlan plan = plan_of(3, 1);
    plan.population = 6;
    assert_refuses_damage(&plan, noisy_sphere);
}

static void wrong_plans_are_refused(void **state) {
    (void)state;
    OptimiserPlan plan[5];
    for (int i = 0; i < 5; i++)
        plan[i] = plan_of(3, 0);
    swarm_plan(&plan[0])->inertia = -1;
    swarm_plan(&plan[1])->cognitive = NAN;
    swarm_plan(&plan[2])->social = INFINITY;
    swarm_plan(&plan[3])->most_speed = -1;
    swarm_plan(&plan[4])->neighbours = -1;
    for (int i = 0; i < 5; i++) {
        Error error = {""};
        assert_null(optimiser_new(&plan[i], &error));
        assert_true(strlen(error.text) > 20);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_the_usual_constants),
        cmocka_unit_test(places_start_around_the_start_vector),
        cmocka_unit_test(every_step_is_that_of_a_plain_model),
        cmocka_unit_test(it_climbs),
        cmocka_unit_test(it_stops_when_all_particles_rest),
        cmocka_unit_test(nothing_becomes_infinite),
        cmocka_unit_test(a_restored_one_goes_on_bit_for_bit),
        cmocka_unit_test(damaged_states_are_refused),
        cmocka_unit_test(wrong_plans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
