// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab compare --json` writes.
#include "base/fields_json.h"
#include "tasks/comparing.h"

static void add_ratio(json_t *object, const Ratio *ratio, const char *decision) {
    json_object_set_new(object, "ratio", json_finite(ratio->value));
    json_object_set_new(object, "ci95", json_pair(ratio->interval.low, ratio->interval.high));
    json_object_set_new(object, "decision", json_string(decision));
}

static json_t *measurement_json(const Compared *compared) {
    const Measurement *measurement = &compared->measurement;
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(compared->name));
    json_object_set_new(object, "method", json_string(measure_method_words[measurement->method]));
    json_object_set_new(object, "mean_lines", json_finite(measurement->mean_lines));
    json_object_set_new(object, "mean_ci95",
                        json_pair(measurement->interval.low, measurement->interval.high));
    json_object_set_new(object, "pieces", json_whole(measurement->pieces));
    json_object_set_new(object, "seconds", json_real(measurement->seconds));
    json_object_set_new(object, "interrupted", json_boolean(measurement->interrupted));
    return object;
}

static void add_context(json_t *object, const CompareContext *context) {
    json_t *rules = json_object();
    fields_save(rules_fields, context->rules, rules);
    json_object_set(object, "piece_source", json_object_get(rules, "pieces"));
    json_object_del(rules, "pieces"); // the number of pieces has this name
    json_object_update(object, rules);
    json_decref(rules);
    json_object_set_new(object, "seed", json_whole(context->seed));
    json_object_set_new(object, "kernel", json_string(context->kernel));
    json_object_set_new(object, "version", json_string(context->version));
}

static json_t *pair_json(const Compared *list, const CompareContext *context) {
    int a = list[0].number < list[1].number ? 0 : 1;
    Ratio ratio = compare_ratio(&list[a].measurement, &list[1 - a].measurement);
    json_t *object = json_object(), *array = json_array();
    json_object_set_new(object, "strategy", json_name(list[1 - a].name));
    json_object_set_new(object, "reference", json_name(list[a].name));
    add_ratio(object, &ratio, compare_ratio_verdict(&ratio));
    json_array_append_new(array, measurement_json(&list[a]));
    json_array_append_new(array, measurement_json(&list[1 - a]));
    json_object_set_new(object, "measurements", array);
    add_context(object, context);
    return object;
}

json_t *compare_json(const Compared *list, int count, const CompareContext *context) {
    if (count == 2)
        return pair_json(list, context);
    json_t *array = json_array();
    for (int i = 0; i < count; i++) {
        json_t *object = measurement_json(&list[i]);
        json_object_set_new(object, "reference", json_name(list[0].name));
        add_ratio(object, &list[i].ratio, compare_verdict(&list[i]));
        add_context(object, context);
        json_array_append_new(array, object);
    }
    return array;
}

static json_t *lines_json(const Score *score, uint64_t count) {
    json_t *array = json_array();
    for (uint64_t i = 0; i < count; i++)
        json_array_append_new(array, json_whole(score[i].lines));
    return array;
}

json_t *compare_sprt_json(const SprtRun *run, const char *a, const char *b, const CompareContext *context) {
    const Sprt *sprt = &run->sprt;
    Ratio ratio = sprt_ratio(sprt);
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(b));
    json_object_set_new(object, "reference", json_name(a));
    json_object_set_new(object, "decision", json_string(sprt_decision_words[sprt->decision]));
    json_object_set_new(object, "ratio", json_finite(ratio.value));
    json_object_set_new(object, "ci95", json_pair(ratio.interval.low, ratio.interval.high));
    json_object_set_new(object, "r0", json_real(sprt->r0));
    json_object_set_new(object, "r1", json_real(sprt->r1));
    json_object_set_new(object, "alpha", json_real(sprt->alpha));
    json_object_set_new(object, "beta", json_real(sprt->beta));
    json_object_set_new(object, "test", json_string(sprt_test_name(sprt->test)));
    json_object_set_new(object, "pairs", json_whole(sprt->pairs));
    json_object_set_new(object, "log_likelihood_ratio", json_real(sprt_sum(sprt)));
    json_object_set_new(object, "wins", json_finite(sprt_wins(sprt)));
    json_object_set_new(object, "seconds", json_real(run->seconds));
    json_object_set_new(object, "interrupted", json_boolean(run->interrupted));
    json_object_set_new(object, "pieces", json_whole(run->pieces));
    add_context(object, context);
    json_object_set_new(object, "reference_scores", lines_json(sprt->a, sprt->pairs));
    json_object_set_new(object, "scores", lines_json(sprt->b, sprt->pairs));
    return object;
}
