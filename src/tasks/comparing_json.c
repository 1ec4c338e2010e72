// SPDX-License-Identifier: GPL-3.0-or-later
// What `tetralab compare --json` writes.
#include "base/fields_json.h"
#include "tasks/comparing.h"

static void add_ratio(json_t *object, const Ratio *ratio, const char *decision) {
    json_object_set_new(object, "ratio", json_finite(ratio->value));
    json_object_set_new(object, "ci95", json_pair(ratio->interval.low, ratio->interval.high));
    json_object_set_new(object, "decision", json_string(decision));
}

// -> ratio  to the reference
static json_t *measurement_json(const Compared *compared, const Ratio *ratio, const char *decision) {
    const Measurement *measurement = &compared->measurement;
    json_t *object = json_object();
    json_object_set_new(object, "strategy", json_name(compared->name));
    json_object_set_new(object, "method", json_string(measure_method_words[measurement->method]));
    json_object_set_new(object, "mean_lines", json_finite(measurement->mean_lines));
    json_object_set_new(object, "mean_ci95",
                        json_pair(measurement->interval.low, measurement->interval.high));
    add_ratio(object, ratio, decision);
    json_object_set_new(object, "pieces", json_whole(measurement->pieces));
    json_object_set_new(object, "seconds", json_real(measurement->seconds));
    json_object_set_new(object, "interrupted", json_boolean(measurement->interrupted));
    json_object_set_new(object, "note", json_string(measurement->note));
    return object;
}

static void add_context(json_t *object, const CompareContext *context) {
    fields_save(rules_fields, context->rules, object);
    json_object_set_new(object, "seed", json_whole(context->seed));
    json_object_set_new(object, "kernel", json_string(context->kernel));
    json_object_set_new(object, "version", json_string(context->version));
}

const ResultMember compare_result[] = {
    {"strategy", NULL, "Of two players: the second.", RESULT_FIRST},
    {"reference", NULL, "The player that ratios refer to: of two the first, of more the best.", RESULT_FIRST},
    {"ratio", "", "Of two players: mean lines of the second / mean lines of the first.", RESULT_FIRST},
    {"ci95", "", "Of two players: 95 % interval of the ratio.", RESULT_FIRST | RESULT_INFINITE},
    {"decision", NULL, "Of two players: better, worse or undecided; does the interval hold 1?", RESULT_FIRST},
    {"measurements", NULL, "Of each player; two as they were given, more with the best one first.",
     RESULT_FIRST},
    {"measurements.strategy", NULL, "The player.", RESULT_FIRST},
    {"measurements.method", NULL, "games or splitting.", 0},
    {"measurements.mean_lines", "lines", "Of a game; infinite: never lost.", RESULT_FIRST | RESULT_INFINITE},
    {"measurements.mean_ci95", "lines", "95 % interval of the mean.", RESULT_INFINITE},
    {"measurements.ratio", "", "Mean lines / mean lines of the reference.", RESULT_FIRST},
    {"measurements.ci95", "", "95 % interval of the ratio.", RESULT_FIRST | RESULT_INFINITE},
    {"measurements.decision", NULL, "reference, or best; of the others better, worse or undecided.",
     RESULT_FIRST},
    {"measurements.pieces", "pieces", "Played in all.", 0},
    {"measurements.seconds", "s", "Taken.", 0},
    {"measurements.interrupted", NULL, "It was stopped; the rest is what was known by then.", 0},
    {"measurements.note", NULL, "A sentence on what one must know to read the numbers, or none.", 0},
    RESULT_RULES,
    RESULT_SEED,
    RESULT_VERSION,
    {NULL, NULL, NULL, 0}};

// The first one given is compared with itself, too: a row for each.
static void add_pair(json_t *object, json_t *array, const Compared *list) {
    int a = list[0].number < list[1].number ? 0 : 1;
    Ratio one = {1, {1, 1}}, ratio = compare_ratio(&list[a].measurement, &list[1 - a].measurement);
    json_object_set_new(object, "strategy", json_name(list[1 - a].name));
    json_object_set_new(object, "reference", json_name(list[a].name));
    add_ratio(object, &ratio, compare_ratio_verdict(&ratio));
    json_array_append_new(array, measurement_json(&list[a], &one, "reference"));
    json_array_append_new(array, measurement_json(&list[1 - a], &ratio, compare_ratio_verdict(&ratio)));
}

json_t *compare_json(const Compared *list, int count, const CompareContext *context) {
    json_t *object = json_object(), *array = json_array();
    if (count == 2)
        add_pair(object, array, list);
    else
        json_object_set_new(object, "reference", json_name(list[0].name));
    for (int i = 0; count > 2 && i < count; i++)
        json_array_append_new(array, measurement_json(&list[i], &list[i].ratio, compare_verdict(&list[i])));
    json_object_set_new(object, "measurements", array);
    add_context(object, context);
    return object;
}

static json_t *lines_json(const Score *score, uint64_t count) {
    json_t *array = json_array();
    for (uint64_t i = 0; i < count; i++)
        json_array_append_new(array, json_whole(score[i].lines));
    return array;
}

const ResultMember test_result[] = {
    {"strategy", NULL, "The second player.", RESULT_FIRST},
    {"reference", NULL, "The first player.", RESULT_FIRST},
    {"decision", NULL, "h0: r0 is accepted; h1: r1 is; or undecided.", RESULT_FIRST},
    {"ratio", "", "Mean lines / those of the reference, as the pairs show it; stopping early bends it.",
     RESULT_FIRST},
    {"ci95", "", "95 % interval of the ratio.", RESULT_FIRST | RESULT_INFINITE},
    {"r0", "", "The ratio of hypothesis h0.", 0},
    {"r1", "", "The ratio of hypothesis h1.", 0},
    {"alpha", "", "How often h1 may be accepted though h0 is true.", 0},
    {"beta", "", "How often h0 may be accepted though h1 is true.", 0},
    {"test", NULL, "exponential, or sign: the scores are not near exponential.", 0},
    {"pairs", "pairs", "Of games that were played.", RESULT_FIRST},
    {"log_likelihood_ratio", "", "The sum over the pairs.", 0},
    {"lower", "", "The sum at which h0 is accepted.", 0},
    {"upper", "", "The sum at which h1 is accepted.", 0},
    {"mean_lines", "lines", "Of a game.", 0},
    {"reference_mean_lines", "lines", "Of a game of the reference.", 0},
    {"wins", "", "Share of the pairs that the player won, ties half.", 0},
    {"seconds", "s", "Taken.", 0},
    {"interrupted", NULL, "It was stopped; the rest is what was known by then.", 0},
    {"pieces", "pieces", "Played in all.", 0},
    {"reference_scores", "lines", "Of each game of the reference.", 0},
    {"scores", "lines", "Of each game.", 0},
    RESULT_RULES,
    RESULT_SEED,
    RESULT_VERSION,
    {NULL, NULL, NULL, 0}};

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
    json_object_set_new(object, "lower", json_real(sprt->lower));
    json_object_set_new(object, "upper", json_real(sprt->upper));
    json_object_set_new(object, "mean_lines", json_finite(sprt_mean(sprt, sprt->b)));
    json_object_set_new(object, "reference_mean_lines", json_finite(sprt_mean(sprt, sprt->a)));
    json_object_set_new(object, "wins", json_finite(sprt_wins(sprt)));
    json_object_set_new(object, "seconds", json_real(run->seconds));
    json_object_set_new(object, "interrupted", json_boolean(run->interrupted));
    json_object_set_new(object, "pieces", json_whole(run->pieces));
    add_context(object, context);
    json_object_set_new(object, "reference_scores", lines_json(sprt->a, sprt->pairs));
    json_object_set_new(object, "scores", lines_json(sprt->b, sprt->pairs));
    return object;
}
