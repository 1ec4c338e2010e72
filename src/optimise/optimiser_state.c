// SPDX-License-Identifier: GPL-3.0-or-later
// Saved states: what all optimisers have in common, and checked lists of numbers for the methods' own parts.
#include <stdlib.h>

#include "base/fields_json.h"
#include "optimise/method.h"

static const Field state_field[] = {
    {"method", FIELD_WORD, FIELD_AT(Optimiser, plan.method), .words = optimiser_words},
    {"dimension", FIELD_INT, FIELD_AT(Optimiser, plan.dimension)},
    {"population", FIELD_INT, FIELD_AT(Optimiser, plan.population)},
    {"parents", FIELD_INT, FIELD_AT(Optimiser, plan.parents)},
    {"generation", FIELD_WHOLE, FIELD_AT(Optimiser, generation)},
    {"evaluations", FIELD_WHOLE, FIELD_AT(Optimiser, evaluations)},
    {"best_score", FIELD_SCORE, FIELD_AT(Optimiser, best_score)},
    {"mean_score", FIELD_SCORE, FIELD_AT(Optimiser, mean_score)},
    {"worst_score", FIELD_SCORE, FIELD_AT(Optimiser, worst_score)},
};
static const Fields state_fields = FIELDS(state_field);

bool optimiser_save_numbers(json_t *into, const char *key, const double *value, int count) {
    return !json_object_set_new(into, key, json_list(value, count));
}

bool optimiser_restore_numbers(const json_t *from, const char *key, double *value, int count, Error *error) {
    return json_list_values(json_object_get(from, key), value, count) ||
           error_set(error, "The saved state of the optimiser has no list \"%s\" of %d finite numbers.", key,
                     count);
}

json_t *optimiser_save(const Optimiser *optimiser) {
    json_t *into = json_pack("{s:{}}", "state");
    if (into && fields_save(state_fields, optimiser, into) &&
        optimiser_save_numbers(into, "best", optimiser->best, optimiser->plan.dimension) &&
        optimiser->kind->save(optimiser, json_object_get(into, "state")))
        return into;
    json_decref(into);
    return NULL;
}

// Is it a state of this method, of this size?
static bool read_frame(Optimiser *saved, const OptimiserPlan *plan, const json_t *from, Error *error) {
    Error detail = {""};
    if (!fields_restore(state_fields, saved, from, FIELDS_ALL, NULL, NULL, &detail))
        return error_set(error, "The saved state of the optimiser is damaged: %.400s", detail.text);
    if (saved->plan.method != plan->method)
        return error_set(error, "The saved state is one of the method %s, not of %s.",
                         optimiser_words[saved->plan.method], optimiser_words[plan->method]);
    if (saved->plan.dimension != plan->dimension || saved->plan.population != plan->population ||
        saved->plan.parents != plan->parents)
        return error_set(error,
                         "The saved state has dimension %d, population %d and parents %d, the plan %d, %d "
                         "and %d.",
                         saved->plan.dimension, saved->plan.population, saved->plan.parents, plan->dimension,
                         plan->population, plan->parents);
    return json_is_object(json_object_get(from, "state")) ||
           error_set(error, "The saved state of the optimiser has no object \"state\".");
}

bool optimiser_restore(Optimiser *optimiser, const json_t *from, Error *error) {
    const OptimiserPlan *plan = &optimiser->plan;
    Optimiser saved = *optimiser;
    saved.asked = -1;
    saved.best = malloc((size_t)plan->dimension * sizeof *saved.best);
    bool good = (saved.best || error_set(error, "Not enough memory to restore an optimiser.")) &&
                read_frame(&saved, plan, from, error) &&
                optimiser_restore_numbers(from, "best", saved.best, plan->dimension, error) &&
                saved.kind->restore(&saved, json_object_get(from, "state"), error);
    free(good ? optimiser->best : saved.best);
    if (good)
        *optimiser = saved;
    return good;
}
