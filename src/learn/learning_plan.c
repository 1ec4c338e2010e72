// SPDX-License-Identifier: GPL-3.0-or-later
// What can be set of learning, and plans as JSON, for run.json: every number that changes what is learned,
// and the player's name, so that two plans with equal JSON write equal players. The settings of the method
// are its own. Whether all make sense together is left to learning_check.
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/fields_json.h"
#include "learn/learning.h"

static const char *const start_words[] = {"zero", "random", "vector", NULL};
static const char *const answer_words[] = {"last", "average", NULL};

// What the methods know of themselves, for the help.
static void tell_methods(FILE *out) {
    for (int m = 0; m < OPTIMISER_COUNT; m++)
        fprintf(out, "%s%s: %s", m ? "; " : " ", optimiser_words[m],
                optimiser_traits((OptimiserMethod)m)->title);
    fputc('.', out);
}

static void tell_samples(FILE *out) {
    fputs("1; games with", out);
    for (int m = 0, count = 0; m < OPTIMISER_COUNT; m++)
        if (optimiser_traits((OptimiserMethod)m)->games > 1)
            fprintf(out, "%s %s: %d", count++ ? "," : "", optimiser_words[m],
                    optimiser_traits((OptimiserMethod)m)->games);
}

static void tell_curve(FILE *out) {
    fprintf(out, "%d games, 1 repetition", LEARNING_CURVE_GAMES);
}

static void tell_answer(FILE *out) {
    char names[FIELD_WORDS_TEXT];
    fprintf(out, "%s for --objective splitting with %s and a linear rating, else %s", answer_words[1],
            optimiser_with(offsetof(OptimiserTraits, has_mean), "or", names), answer_words[0]);
}

static void tell_seconds(FILE *out) {
    fprintf(out, "%ds if no other limit is given", LEARNING_SECONDS);
}

static const Field learning_field[] = {
    {"method", FIELD_WORD, FIELD_AT(LearningPlan, optimiser.method), .words = optimiser_words,
     .argument = "NAME", .help = "How vectors are searched.", .tell_help = tell_methods},
    {"samples", FIELD_WHOLE, FIELD_AT(LearningPlan, samples), .option = "games", .preset = NAN,
     .tell_default = tell_samples, .least = 1, .most = LEARNING_MAX_SAMPLES, .argument = "N",
     .help = "Games for each vector, or repetitions of splitting."},
    {"curve_samples", FIELD_WHOLE, FIELD_AT(LearningPlan, curve_samples), .option = "curve", .preset = NAN,
     .tell_default = tell_curve, .most = LEARNING_MAX_SAMPLES, .argument = "N",
     .help = "Games or repetitions for the learning curve, after each generation; 0: none."},
    {"answer", FIELD_FLAG, FIELD_AT(LearningPlan, average), .words = answer_words,
     .tell_default = tell_answer, .argument = "KIND",
     .help =
         "Which vector becomes the player of a run. last: the mean of the search distribution after the last "
         "generation, as in the papers; average: its average over the generations, late ones counting more."},
    {"runs", FIELD_INT, FIELD_AT(LearningPlan, runs), .preset = 1, .least = 1, .most = LEARNING_MAX_RUNS,
     .argument = "N", .help = "Independent runs; the player is the mean of their answers."},
    {"seconds", FIELD_OTHER, FIELD_AT(LearningPlan, seconds), .option = "time", .preset = NAN,
     .type = &field_seconds, .tell_default = tell_seconds, .most = 1e100, .argument = "T",
     .help = "End after 60s, 5min or 2h."},
    {"generations", FIELD_WHOLE, FIELD_AT(LearningPlan, generations), .preset = NAN, .otherwise = "no limit",
     .zero_is_unset = true, .argument = "N", .help = "End each run after N generations."},
    {"evaluations", FIELD_WHOLE, FIELD_AT(LearningPlan, evaluations), .preset = NAN, .otherwise = "no limit",
     .zero_is_unset = true, .argument = "N",
     .help = "End each run when N games or repetitions have been played for its generations."},
    {"budget_pieces", FIELD_WHOLE, FIELD_AT(LearningPlan, budget_pieces), .preset = NAN,
     .otherwise = "no limit", .zero_is_unset = true, .argument = "N",
     .help =
         "End each run with the last generation for which, all together, at most N pieces have been played, "
         "those of the curve not counted."},
    {"instance", FIELD_TEXT, FIELD_TEXT_AT(LearningPlan, instance), .preset = NAN, .argument = "NAME",
     .suggest = benchmark_suggest,
     .help = "Learn on an instance of the benchmark for optimisers, which fixes features, rules, objective, "
             "seeds and budget; run k is its instance k. 'tetralab instances' lists them."},
    {"name", FIELD_TEXT, FIELD_TEXT_AT(LearningPlan, name), .preset = NAN, .argument = "NAME",
     .help = "Name of the player; else it is called after the folder and the board: learned-10x20."},
    {"seed", FIELD_WHOLE, FIELD_AT(LearningPlan, seed)},
    {"start", FIELD_WORD, FIELD_AT(LearningPlan, start), .words = start_words},
};
const Fields learning_fields = FIELDS(learning_field);

// ---------------------------------------------------------------------------------------------------
// Writing

static bool save_vector(const LearningPlan *plan, json_t *into) {
    return plan->start != START_VECTOR ||
           !json_object_set_new(into, "vector",
                                json_list(plan->vector, encoding_size(&plan->objective.encoding)));
}

static bool save_part(json_t *into, const char *key, Fields fields, const void *base) {
    json_t *object = json_object();
    bool good = object && fields_save(fields, base, object);
    return !json_object_set_new(into, key, object) && good;
}

json_t *learning_plan_save(const LearningPlan *plan) {
    json_t *into = json_object();
    OptimiserPlan complete = plan->optimiser; // the settings as they will be used
    complete.dimension = encoding_size(&plan->objective.encoding);
    optimiser_complete(&complete);
    bool good = into && fields_save(learning_fields, plan, into) && save_vector(plan, into) &&
                save_part(into, "optimiser", *optimiser_traits(complete.method)->fields, &complete) &&
                save_part(into, "race", race_fields, &plan->race) &&
                !json_object_set_new(into, "objective", objective_save(&plan->objective));
    return json_if(good, into);
}

// ---------------------------------------------------------------------------------------------------
// Reading

static bool restore_part(const json_t *from, const char *key, Fields fields, void *base, Error *error) {
    const json_t *object = json_object_get(from, key);
    Error detail = {""};
    if (!json_is_object(object))
        return error_set(error, "\"%s\" must be an object, {...}.", key);
    return fields_restore(fields, base, object, FIELDS_ALL, NULL, NULL, &detail) ||
           error_set(error, "\"%s\": %.480s", key, detail.text);
}

static bool restore_vector(const json_t *from, LearningPlan *plan, Error *error) {
    int size = plan->optimiser.dimension;
    if (plan->start != START_VECTOR)
        return true;
    double *vector = malloc((size_t)size * sizeof *vector);
    plan->vector = vector;
    if (!vector)
        return error_set(error, "Out of memory for a vector of %d numbers.", size);
    return json_list_values(json_object_get(from, "vector"), vector, size) ||
           error_set(error,
                     "\"vector\" must be a list of %d finite numbers, one for each number to be learned.",
                     size);
}

static bool restore_objective(const json_t *from, LearningPlan *plan, Error *error) {
    const json_t *object = json_object_get(from, "objective");
    Error detail = {""};
    if (!json_is_object(object))
        return error_set(error, "\"objective\" must be an object, {...}.");
    if (!objective_restore(&plan->objective, object, &detail))
        return error_set(error, "\"objective\": %.480s", detail.text);
    plan->optimiser.dimension = encoding_size(&plan->objective.encoding);
    return (plan->optimiser.dimension >= 1 && plan->optimiser.dimension <= OPTIMISER_MAX_DIMENSIONS) ||
           error_set(error, "\"objective\" must have 1 to %d numbers to be learned.",
                     OPTIMISER_MAX_DIMENSIONS);
}

bool learning_plan_restore(LearningPlan *plan, const json_t *from, Error *error) {
    *plan = (LearningPlan){0};
    if (!json_is_object(from))
        return error_set(error, "\"plan\" must be an object, {...}.");
    if (!fields_restore(learning_fields, plan, from, FIELDS_ALL, NULL, NULL, error))
        return false;
    optimiser_defaults(&plan->optimiser, plan->optimiser.method);
    return restore_part(from, "optimiser", *optimiser_traits(plan->optimiser.method)->fields,
                        &plan->optimiser, error) &&
           restore_part(from, "race", race_fields, &plan->race, error) &&
           restore_objective(from, plan, error) && restore_vector(from, plan, error);
}

void learning_plan_free(LearningPlan *plan) {
    objective_free(&plan->objective);
    free((double *)plan->vector);
    *plan = (LearningPlan){0};
}
