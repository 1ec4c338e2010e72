// SPDX-License-Identifier: GPL-3.0-or-later
// Saved states: what all optimisers have in common, the lists of numbers that a method names, and what it
// adds to them.

#include "base/fields_json.h"
#include "optimise/method.h"

static const Field state_field[] = {
    {"method", FIELD_WORD, FIELD_AT(Optimiser, plan.method), .words = optimiser_words},
    {"dimension", FIELD_INT, FIELD_AT(Optimiser, plan.dimension)},
    {"population", FIELD_INT, FIELD_AT(Optimiser, plan.population)},
    {"parents", FIELD_INT, FIELD_AT(Optimiser, plan.parents)},
    {"generation", FIELD_WHOLE, FIELD_AT(Optimiser, status.generation)},
    {"evaluations", FIELD_WHOLE, FIELD_AT(Optimiser, status.evaluations)},
    {"best_score", FIELD_SCORE, FIELD_AT(Optimiser, status.best_score)},
    {"mean_score", FIELD_SCORE, FIELD_AT(Optimiser, status.mean_score)},
    {"worst_score", FIELD_SCORE, FIELD_AT(Optimiser, status.worst_score)},
};
static const Fields state_fields = FIELDS(state_field);

bool numbers_save(json_t *into, const NumberList *list, int lists) {
    for (int i = 0; i < lists; i++)
        if (json_object_set_new(into, list[i].key, json_list(list[i].value, list[i].count)))
            return false;
    return true;
}

bool numbers_restore(const json_t *from, const NumberList *list, int lists, Error *error) {
    for (int i = 0; i < lists; i++)
        if (!json_list_values(json_object_get(from, list[i].key), list[i].value, list[i].count))
            return error_set(error,
                             "The saved state of the optimiser has no list \"%s\" of %d finite numbers.",
                             list[i].key, list[i].count);
    return true;
}

json_t *optimiser_save(const Optimiser *optimiser) {
    const OptimiserKind *kind = optimiser->kind;
    NumberList list[OPTIMISER_MAX_LISTS], best = {"best", optimiser->best, optimiser->plan.dimension};
    json_t *into = json_pack("{s:{}}", "state"), *state = json_object_get(into, "state");
    bool good = into && fields_save(state_fields, optimiser, into) && numbers_save(into, &best, 1) &&
                numbers_save(state, list, kind->lists(optimiser, list)) &&
                (!kind->save || kind->save(optimiser, state));
    return json_if(good, into);
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

// All or nothing: into another one, which takes the place of this one.
bool optimiser_restore(Optimiser *optimiser, const json_t *from, Error *error) {
    const json_t *state = json_object_get(from, "state");
    NumberList list[OPTIMISER_MAX_LISTS];
    Optimiser *fresh = optimiser_new(&optimiser->plan, error), saved = {.asked = -1};
    saved.status = fresh ? fresh->status : saved.status;
    bool good = fresh && read_frame(&saved, &fresh->plan, from, error);
    if (good) {
        fresh->status = saved.status;
        list[0] = (NumberList){"best", fresh->best, fresh->plan.dimension};
        good = numbers_restore(from, list, 1, error) &&
               numbers_restore(state, list, fresh->kind->lists(fresh, list), error) &&
               fresh->kind->restored(fresh, state, error);
    }
    if (good) {
        saved = *optimiser;
        *optimiser = *fresh;
        *fresh = saved;
    }
    optimiser_free(fresh);
    return good;
}
