// SPDX-License-Identifier: GPL-3.0-or-later
// Saved states: what all optimisers have in common, and checked lists of numbers for the methods' own parts.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optimise/method.h"

static const double LARGEST_COUNT = 0x1p53; // up to here doubles hold whole numbers exactly

bool optimiser_save_numbers(json_t *into, const char *key, const double *value, int count) {
    json_t *list = json_array();
    bool done = list;
    for (int i = 0; i < count && done; i++)
        done = json_array_append_new(list, json_real(value[i])) == 0;
    if (!done) {
        json_decref(list);
        return false;
    }
    return json_object_set_new(into, key, list) == 0;
}

bool optimiser_restore_numbers(const json_t *from, const char *key, double *value, int count, Error *error) {
    const json_t *list = json_object_get(from, key);
    if (!json_is_array(list))
        return error_set(error, "The saved state of the optimiser has no list \"%s\".", key);
    if (json_array_size(list) != (size_t)count)
        return error_set(
            error, "In the saved state of the optimiser, the list \"%s\" should have %d numbers, not %zu.",
            key, count, json_array_size(list));
    for (int i = 0; i < count; i++) {
        const json_t *number = json_array_get(list, (size_t)i);
        if (!json_is_number(number) || !isfinite(json_number_value(number)))
            return error_set(
                error,
                "In the saved state of the optimiser, entry %d of the list \"%s\" is no finite number.",
                i + 1, key);
        value[i] = json_number_value(number);
    }
    return true;
}

// Scores may be what JSON cannot say: null is NaN, and infinities are words.
static json_t *score_to_json(double score) {
    return isnan(score)   ? json_null()
           : isinf(score) ? json_string(score > 0 ? "infinity" : "-infinity")
                          : json_real(score);
}

static bool score_from_json(const json_t *from, const char *key, double *score, Error *error) {
    const json_t *value = json_object_get(from, key);
    const char *word = json_string_value(value);
    if (json_is_number(value))
        *score = json_number_value(value);
    else if (json_is_null(value))
        *score = NAN;
    else if (word && strcmp(word, "infinity") == 0)
        *score = INFINITY;
    else if (word && strcmp(word, "-infinity") == 0)
        *score = -INFINITY;
    else
        return error_set(error, "The saved state of the optimiser has no score \"%s\".", key);
    return true;
}

static bool count_from_json(const json_t *from, const char *key, uint64_t *count, Error *error) {
    const json_t *value = json_object_get(from, key);
    double number = json_number_value(value);
    if (!json_is_number(value) || !(number >= 0 && number <= LARGEST_COUNT) || number != floor(number))
        return error_set(error, "The saved state of the optimiser has no whole number \"%s\".", key);
    *count = (uint64_t)number;
    return true;
}

json_t *optimiser_save(const Optimiser *optimiser) {
    const OptimiserPlan *plan = &optimiser->plan;
    json_t *into = json_pack(
        "{s:s, s:i, s:i, s:i, s:I, s:I, s:o, s:o, s:o, s:{}}", "method",
        optimiser_words[optimiser->plan.method], "dimension", plan->dimension, "population", plan->population,
        "parents", plan->parents, "generation", (json_int_t)optimiser->generation, "evaluations",
        (json_int_t)optimiser->evaluations, "best_score", score_to_json(optimiser->best_score), "mean_score",
        score_to_json(optimiser->mean_score), "worst_score", score_to_json(optimiser->worst_score), "state");
    if (into && optimiser_save_numbers(into, "best", optimiser->best, plan->dimension) &&
        optimiser->kind->save(optimiser, json_object_get(into, "state")))
        return into;
    json_decref(into);
    return NULL;
}

// Is it a state of this method, of this size?
static bool check_saved_plan(const Optimiser *optimiser, const json_t *from, Error *error) {
    const OptimiserPlan *plan = &optimiser->plan;
    const struct {
        const char *key;
        int value;
    } same[] = {{"dimension", plan->dimension}, {"population", plan->population}, {"parents", plan->parents}};
    if (!json_is_object(from))
        return error_set(error, "The saved state of the optimiser is no JSON object.");
    const char *name = json_string_value(json_object_get(from, "method"));
    if (!name || strcmp(name, optimiser_words[optimiser->plan.method]) != 0)
        return error_set(error, "The saved state is not one of the method %s.",
                         optimiser_words[optimiser->plan.method]);
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        uint64_t count = 0;
        if (!count_from_json(from, same[i].key, &count, error))
            return false;
        if (count != (uint64_t)same[i].value)
            return error_set(error, "The saved state has %s %" PRIu64 ", the plan %d.", same[i].key, count,
                             same[i].value);
    }
    return true;
}

bool optimiser_restore(Optimiser *optimiser, const json_t *from, Error *error) {
    uint64_t generation = 0, evaluations = 0, before = optimiser->generation;
    double best_score, mean_score, worst_score;
    const json_t *state = json_object_get(from, "state");
    int n = optimiser->plan.dimension;
    if (!check_saved_plan(optimiser, from, error) ||
        !count_from_json(from, "generation", &generation, error) ||
        !count_from_json(from, "evaluations", &evaluations, error) ||
        !score_from_json(from, "best_score", &best_score, error) ||
        !score_from_json(from, "mean_score", &mean_score, error) ||
        !score_from_json(from, "worst_score", &worst_score, error))
        return false;
    if (!json_is_object(state))
        return error_set(error, "The saved state of the optimiser has no object \"state\".");
    double *best = malloc((size_t)n * sizeof *best);
    if (!best)
        return error_set(error, "Not enough memory to restore an optimiser.");
    optimiser->generation = generation;
    if (!optimiser_restore_numbers(from, "best", best, n, error) ||
        !optimiser->kind->restore(optimiser, state, error)) {
        optimiser->generation = before;
        free(best);
        return false;
    }
    free(optimiser->best);
    optimiser->best = best;
    optimiser->best_score = best_score;
    optimiser->mean_score = mean_score;
    optimiser->worst_score = worst_score;
    optimiser->evaluations = evaluations;
    optimiser->asked = -1;
    return true;
}
