// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/mix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_values.h"
#include "base/utf8.h"

enum { EXCERPT = 60 };

// ---------------------------------------------------------------------------------------------------
// Strategies by name

// A feature whose weights are all 0 would be a number that changes nothing.
static bool counts(const double *weight, int count) {
    for (int i = 0; i < count; i++)
        if (weight[i] != 0)
            return true;
    return false;
}

static bool add(Mix *mix, const Strategy *strategy, int width, Error *error) {
    MixStrategy *added = &mix->strategy[mix->strategies];
    const RatingWeights *rating = &strategy->rating;
    if (!strategy_is_rated(strategy) || rating->kind != RATING_LINEAR)
        return error_set(error, "%s has no linear rating, and only these can be mixed.", strategy->name);
    *added = (MixStrategy){.name = ""};
    utf8_clean(added->name, sizeof added->name, strategy->name, strlen(strategy->name));
    bool any = false;
    for (int id = 0; id < FEATURES; id++) {
        const double *weight = rating->weight + feature_first[id];
        int given = rating->given[id], needed = feature_values((FeatureId)id, width);
        if (given && given != needed)
            return error_set(error, "%s has %d weights for %s, but a board of %d columns needs %d.",
                             strategy->name, given, feature_info[id].name, width, needed);
        if (!counts(weight, given))
            continue;
        added->given[id] = given;
        memcpy(added->weight + feature_first[id], weight, (size_t)given * sizeof *weight);
        any = true;
    }
    if (!any)
        return error_set(error, "All weights of %s are 0: there is nothing to mix.", strategy->name);
    mix->strategies++;
    return true;
}

// -> word  "0.5*b.json" or "b.json". <- where the name begins
static const char *take_factor(const char *word, double *factor) {
    char *end;
    *factor = strtod(word, &end);
    if (end > word && *end == '*')
        return end + 1;
    *factor = 1;
    return word;
}

bool mix_parse(Mix *mix, const char *text, int width, double *factor, Error *error) {
    mix->strategies = 0;
    for (;;) {
        char word[STRATEGY_PATH];
        Strategy strategy;
        size_t length = strcspn(text, ",");
        if (length == 0 || length >= sizeof word)
            return error_set(error,
                             "A mix is a list of strategies with commas between them, such as "
                             "a.json,0.5*b.json; one of them is %s.",
                             length ? "too long" : "missing");
        if (mix->strategies == MIX_MOST)
            return error_set(error, "At most %d strategies can be mixed.", MIX_MOST);
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        double *its = &factor[mix->strategies];
        const char *name = take_factor(word, its);
        if (!(fabs(*its) <= STRATEGY_WEIGHT_LIMIT))
            return error_set(error, "The factor of %.*s in the mix must be a number.", EXCERPT, name);
        if (!strategy_find(&strategy, name, error) || !add(mix, &strategy, width, error))
            return false;
        text += length;
        if (!*text++)
            return true;
    }
}

// ---------------------------------------------------------------------------------------------------
// Parts

int mix_size(const Mix *mix) {
    int size = 0;
    for (int s = 0; s < mix->strategies; s++)
        for (int id = 0; id < FEATURES; id++)
            size += mix->strategy[s].given[id] > 0;
    return size;
}

MixPart mix_part(const Mix *mix, int index) {
    for (int s = 0; s < mix->strategies; s++)
        for (int id = 0; id < FEATURES; id++)
            if (mix->strategy[s].given[id] && index-- == 0)
                return (MixPart){s, (FeatureId)id};
    return (MixPart){0, 0};
}

bool mix_has(const Mix *mix, FeatureId feature) {
    for (int s = 0; s < mix->strategies; s++)
        if (mix->strategy[s].given[feature])
            return true;
    return false;
}

// ---------------------------------------------------------------------------------------------------
// JSON: [{"name": "a", "weights": {"holes": [-4], ...}}, ...]

static json_t *save_strategy(const MixStrategy *strategy) {
    json_t *weights = json_object();
    bool good = weights != NULL;
    for (int id = 0; id < FEATURES && good; id++)
        if (strategy->given[id])
            good = !json_object_set_new(weights, feature_info[id].name,
                                        json_list(strategy->weight + feature_first[id], strategy->given[id]));
    weights = json_if(good, weights);
    return weights ? json_pack("{s:o, s:o}", "name", json_name(strategy->name), "weights", weights) : NULL;
}

json_t *mix_save(const Mix *mix) {
    json_t *list = json_array();
    bool good = list != NULL;
    for (int s = 0; s < mix->strategies && good; s++)
        good = !json_array_append_new(list, save_strategy(&mix->strategy[s]));
    return json_if(good, list);
}

static bool restore_weights(double *weight, const json_t *list, int count) {
    bool good = json_list_values(list, weight, count);
    for (int i = 0; i < count && good; i++)
        good = fabs(weight[i]) <= STRATEGY_WEIGHT_LIMIT;
    return good;
}

static bool restore_strategy(MixStrategy *strategy, const json_t *from, int width, Error *error) {
    const char *name = json_string_value(json_object_get(from, "name")), *key;
    json_t *weights = json_object_get(from, "weights"), *list;
    *strategy = (MixStrategy){.name = ""};
    if (!name || !json_object_size(weights))
        return error_set(error, "Each strategy of \"mix\" must have a \"name\" and \"weights\".");
    utf8_clean(strategy->name, sizeof strategy->name, name, strlen(name));
    json_object_foreach(weights, key, list) {
        int id = feature_from_name(key), needed = id < 0 ? 0 : feature_values((FeatureId)id, width);
        if (id < 0)
            return error_set(error, "\"mix\" has weights for \"%.*s\", which is no feature.", EXCERPT, key);
        if (!restore_weights(strategy->weight + feature_first[id], list, needed))
            return error_set(error, "\"mix\" must have a list of %d numbers for %s, up to %g either way.",
                             needed, key, STRATEGY_WEIGHT_LIMIT);
        strategy->given[id] = needed;
    }
    return true;
}

bool mix_restore(Mix *mix, const json_t *list, int width, Error *error) {
    size_t count = json_array_size(list);
    if (count < 1 || count > MIX_MOST)
        return error_set(error, "\"mix\" must be a list of 1 to %d strategies.", MIX_MOST);
    for (size_t s = 0; s < count; s++)
        if (!restore_strategy(&mix->strategy[s], json_array_get(list, s), width, error))
            return false;
    mix->strategies = (int)count;
    return true;
}
