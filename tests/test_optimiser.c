// SPDX-License-Identifier: GPL-3.0-or-later
// What all optimisers have in common: names, plans, ranking, random streams, saved states. All seeds are
// fixed; a right program with other seeds would fail with a chance below 1e-6.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_parse.h"
#include "optimise/cross_entropy.h"
#include "optimise/genetic.h"
#include "optimise/method.h"

enum { METHODS = OPTIMISER_COUNT, N = 4, MAX_POPULATION = 200 };

static OptimiserPlan make_plan(OptimiserMethod method) {
    OptimiserPlan plan = {.dimension = N, .seed = 7, .run = 3};
    optimiser_defaults(&plan, method);
    return plan;
}

static Optimiser *make(const OptimiserPlan *plan) {
    Error error = {""};
    Optimiser *optimiser = optimiser_new(plan, &error);
    if (!optimiser)
        fail_msg("%s", error.text);
    return optimiser;
}

static double sphere(const double *x) {
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += (x[i] - 1) * (x[i] - 1);
    return sum;
}

static void advance(Optimiser *optimiser) {
    double score[MAX_POPULATION];
    const double *batch;
    int count = optimiser_ask(optimiser, &batch);
    for (int i = 0; i < count; i++)
        score[i] = -sphere(batch + i * N);
    optimiser_tell(optimiser, score, NULL);
}

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

// ---------------------------------------------------------------------------------------------------
// Names and plans

// Saved runs name their method by its word, and settings by the keys of its table.
static void every_method_has_a_word_a_title_and_fields_of_its_own(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        const OptimiserTraits *traits = optimiser_traits(i);
        assert_true(optimiser_words[i][0] && traits->title[0] && traits->unit > 0 && traits->games > 0);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(optimiser_words[i], optimiser_words[k]);
            assert_ptr_not_equal(traits->fields, optimiser_traits(k)->fields);
        }
        for (int k = 0; k < traits->fields->count; k++)
            assert_ptr_equal(fields_find(*traits->fields, traits->fields->field[k].key),
                             &traits->fields->field[k]);
    }
    assert_null(optimiser_words[METHODS]);
}

static void defaults_keep_dimension_seed_run_and_start(void **state) {
    (void)state;
    static const double start[N] = {0};
    for (int i = 0; i < METHODS; i++) {
        OptimiserPlan plan = {
            .dimension = N, .seed = 7, .run = 3, .start = start, .population = 77, .sigma = 99};
        optimiser_defaults(&plan, i);
        assert_true(plan.method == (OptimiserMethod)i && plan.dimension == N && plan.seed == 7 &&
                    plan.run == 3);
        assert_ptr_equal(plan.start, start);
        assert_true(plan.population >= 2 && plan.population != 77 && plan.sigma != 99);
        optimiser_free(make(&plan));
    }
}

// Zeros are filled in when the optimiser is made; the number of parents goes by the population.
static void zeros_in_a_plan_mean_the_methods_own(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        OptimiserPlan own = make_plan(i), plan = own;
        plan.population = plan.parents = 0;
        plan.sigma = 0;
        Optimiser *optimiser = make(&plan);
        assert_int_equal(optimiser_status(optimiser).population, own.population);
        assert_int_equal(optimiser_status(optimiser).parents, own.parents);
        assert_true(optimiser->plan.sigma == own.sigma);
        optimiser_free(optimiser);
    }
    OptimiserPlan plan = make_plan(OPTIMISER_CMAES);
    plan.population = 33;
    plan.parents = 0;
    Optimiser *optimiser = make(&plan);
    assert_int_equal(optimiser_status(optimiser).parents, 16);
    optimiser_free(optimiser);
}

// As on the command line, where the dimension is not known yet and options may follow.
static void what_follows_from_a_setting_waits_for_it(void **state) {
    (void)state;
    OptimiserPlan nce = {.seed = 7}, ga = {.seed = 7};
    optimiser_defaults(&nce, OPTIMISER_CROSS_ENTROPY);
    nce.dimension = N;
    nce.population = 50;
    cross_entropy_plan(&nce)->noise = NOISE_DECREASING;
    optimiser_complete(&nce);
    assert_int_equal(nce.parents, 5);
    assert_true(cross_entropy_plan(&nce)->level == 5);
    optimiser_defaults(&ga, OPTIMISER_GENETIC);
    ga.dimension = N;
    ga.population = 6;
    optimiser_complete(&ga);
    assert_int_equal(genetic_plan(&ga)->tournament, 6);
}

static void wrong_plans_are_refused_with_a_sentence(void **state) {
    (void)state;
    static const double endless[N] = {0, 0, INFINITY, 0}, nan[N] = {NAN};
    const OptimiserPlan good = make_plan(OPTIMISER_CMAES);
    OptimiserPlan plans[11];
    for (int i = 0; i < 11; i++)
        plans[i] = good;
    plans[0].dimension = 0;
    plans[1].dimension = OPTIMISER_MAX_DIMENSIONS + 1;
    plans[2].population = -1;
    plans[3].population = 1;
    plans[4].population = OPTIMISER_MAX_POPULATION + 1;
    plans[5].parents = -1;
    plans[6].parents = good.population + 1;
    plans[7].sigma = -1;
    plans[8].sigma = NAN;
    plans[9].start = endless;
    plans[10].start = nan;
    static const char *const says[] = {
        "An optimiser needs 1 to 1024 numbers to work on, not 0.",
        "An optimiser needs 1 to 1024 numbers to work on, not 1025.",
        "cmaes: \"population\" is -1; it must lie between 2 and 10000.",
        "cmaes: \"population\" is 1; it must lie between 2 and 10000.",
        "cmaes: \"population\" is 10001; it must lie between 2 and 10000.",
        "cmaes: \"parents\" is -1; it must lie between 1 and 10000.",
        "The number of parents must be 1 to the population, 8, not 9.",
        "cmaes: \"sigma\" is -1; it must lie between 1e-09 and 1000000000.",
        "cmaes: \"sigma\" is nan; it must lie between 1e-09 and 1000000000.",
        "Number 3 of the start vector must be finite and at most 1e+100, not inf.",
        "Number 1 of the start vector must be finite and at most 1e+100, not nan.",
    };
    for (int i = 0; i < 11; i++) {
        Error error = {""};
        assert_null(optimiser_new(&plans[i], &error));
        assert_string_equal(error.text, says[i]);
    }
    OptimiserPlan unknown = good;
    unknown.method = (OptimiserMethod)9;
    assert_null(optimiser_new(&unknown, NULL));
    optimiser_free(NULL);
}

static void the_plan_is_copied_with_its_lists(void **state) {
    (void)state;
    double *start = malloc(N * sizeof *start);
    assert_non_null(start);
    for (int i = 0; i < N; i++)
        start[i] = i;
    OptimiserPlan plan = make_plan(OPTIMISER_CMAES);
    plan.start = start;
    Optimiser *optimiser = make(&plan);
    free(start);
    for (int i = 0; i < N; i++)
        assert_true(optimiser->plan.start[i] == i && optimiser_status(optimiser).answer[i] == i);
    optimiser_free(optimiser);

    int *group = malloc(N * sizeof *group);
    bool *is_switch = malloc(N * sizeof *is_switch);
    assert_true(group && is_switch);
    for (int i = 0; i < N; i++) {
        group[i] = i / 2;
        is_switch[i] = i == 3;
    }
    plan = make_plan(OPTIMISER_GENETIC);
    plan.group = group;
    plan.is_switch = is_switch;
    optimiser = make(&plan);
    free(group);
    free(is_switch);
    for (int i = 0; i < N; i++)
        assert_true(optimiser->plan.group[i] == i / 2 && optimiser->plan.is_switch[i] == (i == 3));
    advance(optimiser);
    optimiser_free(optimiser);
}

// ---------------------------------------------------------------------------------------------------
// Asking and telling

static void asking_again_gives_the_same_vectors(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        OptimiserPlan plan = make_plan(i);
        Optimiser *optimiser = make(&plan);
        for (int g = 0; g < 3; g++) {
            double kept[MAX_POPULATION * N];
            const double *batch;
            int count = optimiser_ask(optimiser, &batch);
            assert_true(count > 0 && count <= plan.population);
            memcpy(kept, batch, (size_t)(count * N) * sizeof *kept);
            assert_int_equal(optimiser_ask(optimiser, &batch), count);
            assert_memory_equal(batch, kept, (size_t)(count * N) * sizeof *kept);
            advance(optimiser);
            optimiser_ask(optimiser, &batch);
            assert_memory_not_equal(batch, kept, (size_t)(count * N) * sizeof *kept);
        }
        optimiser_free(optimiser);
    }
}

// A stand-in for a method that notes the order it is told.
static int told[MAX_POPULATION];

static void note_order(Optimiser *optimiser, const double *score, const int *order) {
    (void)score;
    memcpy(told, order, (size_t)optimiser->asked * sizeof *told);
}

static Optimiser *make_listener(OptimiserKind *kind) {
    OptimiserPlan plan = make_plan(OPTIMISER_CMAES);
    Optimiser *optimiser = make(&plan);
    assert_int_equal(plan.population, 8);
    *kind = *optimiser->kind;
    kind->tell = note_order;
    optimiser->kind = kind;
    return optimiser;
}

static void ranking_puts_nan_last_and_the_first_of_equals_first(void **state) {
    (void)state;
    static const double scores[][8] = {
        {3, NAN, 5, 3, -INFINITY, 5, NAN, INFINITY},
        {1, 1, 1, 1, 1, 1, 1, 1},
        {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN},
        {0, -0.0, 1, 2, -0.0, 0, 2, 1},
    };
    static const int orders[][8] = {
        {7, 2, 5, 0, 3, 4, 1, 6},
        {0, 1, 2, 3, 4, 5, 6, 7},
        {0, 1, 2, 3, 4, 5, 6, 7},
        {3, 6, 2, 7, 0, 1, 4, 5},
    };
    OptimiserKind kind;
    Optimiser *optimiser = make_listener(&kind);
    for (int i = 0; i < 4; i++) {
        optimiser_tell(optimiser, scores[i], NULL);
        assert_memory_equal(told, orders[i], sizeof orders[i]);
    }
    static const int given[] = {4, 2, 7, 0, 1, 3, 6, 5};
    optimiser_tell(optimiser, scores[1], given);
    assert_memory_equal(told, given, sizeof given);
    optimiser_free(optimiser);
}

static void the_status_tells_best_mean_worst_and_quartiles_of_the_last_generation(void **state) {
    (void)state;
    OptimiserKind kind;
    Optimiser *optimiser = make_listener(&kind);
    assert_null(optimiser_status(optimiser).best);
    static const double score[] = {3, NAN, 5, 3, 0, 5, 4, 1};
    const double *batch;
    double kept[8 * N];
    assert_int_equal(optimiser_ask(optimiser, &batch), 8);
    memcpy(kept, batch, sizeof kept);
    optimiser_tell(optimiser, score, NULL);
    OptimiserStatus status = optimiser_status(optimiser);
    assert_memory_equal(status.best, kept + 2 * N, N * sizeof *kept);
    assert_true(status.best_score == 5 && status.mean_score == 3 && isnan(status.worst_score));
    assert_true(status.lower_quartile == 2 && status.upper_quartile == 4.5); // of 0 1 3 3 4 5 5
    assert_true(status.generation == 1 && status.evaluations == 8);
    assert_true(status.dimension == N && status.population == 8 && status.parents == 4);
    optimiser_free(optimiser);
}

static void ranks_says_which_methods_may_race(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        assert_int_equal(optimiser_traits((OptimiserMethod)i)->ranks,
                         i == OPTIMISER_CMAES || i == OPTIMISER_CROSS_ENTROPY);
    }
}

// ---------------------------------------------------------------------------------------------------
// Random numbers

static void seeds_runs_generations_and_parts_have_streams_of_their_own(void **state) {
    (void)state;
    Optimiser optimiser = {.asked = -1};
    uint64_t seen[3 * 3 * 3 * 16];
    int count = 0;
    for (int k = 0; k < 27 * 16; k++) {
        optimiser.plan.seed = (uint64_t)(k / 16 / 9);
        optimiser.plan.run = (uint64_t)(k / 16 / 3 % 3);
        optimiser.status.generation = (uint64_t)(k / 16 % 3);
        Random random = optimiser_random(&optimiser, k % 16), again = optimiser_random(&optimiser, k % 16);
        seen[count] = random_next(&random);
        assert_true(seen[count] == random_next(&again));
        for (int i = 0; i < count; i++)
            assert_true(seen[i] != seen[count]);
        count++;
    }
}

// Moments 1 to 4 of 200,000 numbers, each within six standard errors: 1e-8 false alarms for a new seed.
static void normal_numbers_have_normal_moments(void **state) {
    (void)state;
    enum { DRAWS = 200000 };
    static const double moments[] = {0, 1, 0, 3}, variances[] = {1, 2, 15, 96};
    Random random = random_stream(1, 0, RANDOM_TEST);
    double sum[4] = {0};
    int beyond = 0;
    for (int i = 0; i < DRAWS; i++) {
        double x = random_normal(&random), power = 1;
        for (int k = 0; k < 4; k++)
            sum[k] += power *= x;
        beyond += fabs(x) > 1.959963985;
    }
    for (int k = 0; k < 4; k++)
        assert_true(fabs(sum[k] / DRAWS - moments[k]) < 6 * sqrt(variances[k] / DRAWS));
    assert_true(fabs(beyond - 0.05 * DRAWS) < 6 * sqrt(0.05 * 0.95 * DRAWS));
}

// ---------------------------------------------------------------------------------------------------
// Saving and restoring

static void saving_after_asking_is_saving_before(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        OptimiserPlan plan = make_plan(i);
        Optimiser *optimiser = make(&plan);
        for (int g = 0; g < 3; g++) {
            json_t *before = through_text(optimiser);
            optimiser_ask(optimiser, NULL);
            json_t *after = through_text(optimiser);
            assert_true(json_equal(before, after));
            json_decref(before);
            json_decref(after);
            advance(optimiser);
        }
        optimiser_free(optimiser);
    }
}

static void restored_optimisers_go_on_as_the_saved_ones(void **state) {
    (void)state;
    for (int i = 0; i < METHODS; i++) {
        OptimiserPlan plan = make_plan(i);
        Optimiser *whole = make(&plan), *restored = make(&plan);
        for (int g = 0; g < 10; g++) {
            json_t *saved = through_text(whole);
            assert_true(
                optimiser_restore(restored, saved, NULL)); // it has gone on before: all of that is replaced
            json_decref(saved);
            assert_int_equal(optimiser_status(restored).generation, g);
            const double *a, *b;
            int count = optimiser_ask(whole, &a);
            assert_int_equal(optimiser_ask(restored, &b), count);
            assert_memory_equal(a, b, (size_t)(count * N) * sizeof *a);
            advance(whole);
            advance(restored);
            json_t *one = through_text(whole), *other = through_text(restored);
            assert_true(json_equal(one, other));
            json_decref(one);
            json_decref(other);
            advance(restored);
            optimiser_ask(restored, NULL); // what was asked for is replaced, too
        }
        optimiser_free(whole);
        optimiser_free(restored);
    }
}

static void scores_that_json_cannot_say_are_saved_too(void **state) {
    (void)state;
    static const double score[] = {INFINITY, NAN, 5, 3, -INFINITY, 5, 4, 1};
    OptimiserPlan plan = make_plan(OPTIMISER_CMAES);
    Optimiser *optimiser = make(&plan), *restored = make(&plan);
    optimiser_tell(optimiser, score, NULL);
    json_t *saved = through_text(optimiser);
    assert_true(optimiser_restore(restored, saved, NULL));
    OptimiserStatus status = optimiser_status(restored);
    assert_true(status.best_score == INFINITY && isnan(status.worst_score));
    assert_true(isnan(status.mean_score));
    json_decref(saved);
    optimiser_free(optimiser);
    optimiser_free(restored);
}

static const struct Damage {
    const char *key, *value, *says; // value NULL: the key is missing
} damages[] = {
    {"method", NULL, "\"method\" is missing"},
    {"method", "\"nce\"", "is one of the method nce, not of cmaes"},
    {"method", "3", "\"method\" must be \"cmaes\", "},
    {"dimension", "5", "has dimension 5, population 8 and parents 4, the plan 4, 8 and 4."},
    {"population", "9", "has dimension 4, population 9 and parents 4, the plan 4, 8 and 4."},
    {"parents", "3", "has dimension 4, population 8 and parents 3, the plan 4, 8 and 4."},
    {"generation", NULL, "\"generation\" is missing"},
    {"generation", "-1", "\"generation\" must be a whole number from 0"},
    {"generation", "1.5", "\"generation\" must be a whole number from 0"},
    {"generation", "1e300", "\"generation\" must be a whole number from 0"},
    {"generation", "\"x\"", "\"generation\" must be a whole number from 0"},
    {"evaluations", "null", "\"evaluations\" needs a number"},
    {"best", NULL, "has no list \"best\" of 4 finite numbers"},
    {"best", "[1, 2, 3]", "has no list \"best\" of 4 finite numbers"},
    {"best", "[1, 2, 3, \"NaN\"]", "has no list \"best\" of 4 finite numbers"},
    {"best_score", NULL, "\"best_score\" is missing"},
    {"mean_score", "\"much\"", "\"mean_score\" must be a number, \"inf\""},
    {"worst_score", "[]", "\"worst_score\" must be a number, \"inf\""},
    {"state", NULL, "has no object \"state\""},
    {"state", "[]", "has no object \"state\""},
    {"state", "{}", "has no list "},
};

static void damaged_frames_are_refused_and_change_nothing(void **state) {
    (void)state;
    OptimiserPlan plan = make_plan(OPTIMISER_CMAES);
    Optimiser *optimiser = make(&plan);
    advance(optimiser);
    json_t *before = through_text(optimiser);
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        json_t *damaged = json_deep_copy(before);
        json_object_set_new(damaged, "generation", json_integer(5));
        json_object_del(damaged, damages[i].key);
        if (damages[i].value)
            json_object_set_new(damaged, damages[i].key, json_loads(damages[i].value, JSON_DECODE_ANY, NULL));
        Error error = {""};
        assert_false(optimiser_restore(optimiser, damaged, &error));
        if (!strstr(error.text, damages[i].says))
            fail_msg("%s: %s", damages[i].says, error.text);
        json_t *after = through_text(optimiser);
        assert_true(json_equal(before, after));
        json_decref(after);
        json_decref(damaged);
    }
    json_t *list = json_array();
    assert_false(optimiser_restore(optimiser, list, NULL));
    assert_false(optimiser_restore(optimiser, NULL, NULL));
    json_decref(list);
    json_decref(before);
    optimiser_free(optimiser);
}

// Whatever is missing or of another type somewhere in a state: refused, or taken; never a crash.
static void every_member_of_every_methods_state_may_be_damaged(void **state) {
    (void)state;
    static const char *const values[] = {NULL,    "null", "true", "-1",     "1e308",
                                         "\"x\"", "[]",   "{}",   "[null]", "[[1]]"};
    for (int i = 0; i < METHODS; i++) {
        OptimiserPlan plan = make_plan(i);
        Optimiser *optimiser = make(&plan);
        advance(optimiser);
        json_t *before = through_text(optimiser), *inner = json_object_get(before, "state");
        const char *key;
        json_t *member;
        json_object_foreach(inner, key, member) {
            for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
                json_t *damaged = json_deep_copy(before), *inside = json_object_get(damaged, "state");
                json_object_del(inside, key);
                if (values[v])
                    json_object_set_new(inside, key, json_loads(values[v], JSON_DECODE_ANY, NULL));
                if (!optimiser_restore(optimiser, damaged, NULL)) {
                    json_t *after = through_text(optimiser);
                    assert_true(json_equal(before, after));
                    json_decref(after);
                }
                advance(optimiser);
                assert_true(optimiser_restore(optimiser, before, NULL));
                json_decref(damaged);
            }
        }
        json_decref(before);
        optimiser_free(optimiser);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_a_word_a_title_and_fields_of_its_own),
        cmocka_unit_test(defaults_keep_dimension_seed_run_and_start),
        cmocka_unit_test(zeros_in_a_plan_mean_the_methods_own),
        cmocka_unit_test(what_follows_from_a_setting_waits_for_it),
        cmocka_unit_test(wrong_plans_are_refused_with_a_sentence),
        cmocka_unit_test(the_plan_is_copied_with_its_lists),
        cmocka_unit_test(asking_again_gives_the_same_vectors),
        cmocka_unit_test(ranking_puts_nan_last_and_the_first_of_equals_first),
        cmocka_unit_test(the_status_tells_best_mean_worst_and_quartiles_of_the_last_generation),
        cmocka_unit_test(ranks_says_which_methods_may_race),
        cmocka_unit_test(seeds_runs_generations_and_parts_have_streams_of_their_own),
        cmocka_unit_test(normal_numbers_have_normal_moments),
        cmocka_unit_test(saving_after_asking_is_saving_before),
        cmocka_unit_test(restored_optimisers_go_on_as_the_saved_ones),
        cmocka_unit_test(scores_that_json_cannot_say_are_saved_too),
        cmocka_unit_test(damaged_frames_are_refused_and_change_nothing),
        cmocka_unit_test(every_member_of_every_methods_state_may_be_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
