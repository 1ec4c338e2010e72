// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of learning as JSON, for run.json: every number that changes what is learned, and nothing else, so
// that two plans with equal JSON learn equally. Only the options of the plan's own method are written. Each
// struct is one table, from which both directions are made; in reading all members are needed and every
// number is checked, but whether they make sense together is left to learning_check.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/learning.h"
#include "learn/run_files.h"

typedef enum PlanKind {
    PLAN_INT,   // int
    PLAN_WHOLE, // uint64_t
    PLAN_REAL,  // double
    PLAN_BOOL,  // bool
    PLAN_CHOICE // an enum, by name
} PlanKind;

typedef struct PlanField {
    const char *key;
    PlanKind kind;
    size_t offset;
    double least, most;       // of int and real
    const char *const *names; // of a choice, up to NULL
} PlanField;

typedef struct Table {
    const char *key; // of the object that the fields stand in; NULL: they stand in the plan's own
    const PlanField *field;
    int fields;
} Table;

#define NUMBER_LIMIT       1e100 // larger ones are no parameters of anything
#define PLAN_COUNT(fields) ((int)(sizeof(fields) / sizeof *(fields)))
#define INT(key, at, low, high)                                                                              \
    { key, PLAN_INT, offsetof(LearningPlan, at), low, high, NULL }
#define WHOLE(key, at)                                                                                       \
    { key, PLAN_WHOLE, offsetof(LearningPlan, at), 0, 0, NULL }
#define REAL(key, at, low, high)                                                                             \
    { key, PLAN_REAL, offsetof(LearningPlan, at), low, high, NULL }
#define BOOL(key, at)                                                                                        \
    { key, PLAN_BOOL, offsetof(LearningPlan, at), 0, 0, NULL }
#define CHOICE(key, at, names)                                                                               \
    { key, PLAN_CHOICE, offsetof(LearningPlan, at), 0, 0, names }

static const char *const constants_names[] = {"modern", "classic", NULL};
static const char *const noise_names[] = {"none", "constant", "decreasing", NULL};
static const char *const selection_names[] = {"tournament", "universal", "sigma", NULL};
static const char *const crossover_names[] = {"points", "uniform", NULL};
static const char *const revisit_names[] = {"again", "remember", "average", NULL};
static const char *const bound_names[] = {"none", "hoeffding", "bernstein", "tetris", NULL};
static const char *const start_names[] = {"zero", "random", "vector", NULL};
static const char *const method_names[] = {"cmaes", "nce", "ga", "pso", NULL};

static const PlanField common_fields[] = {
    WHOLE("seed", seed),
    INT("runs", runs, 1, LEARNING_MAX_RUNS),
    WHOLE("samples", samples),
    BOOL("average", average),
    WHOLE("curve_samples", curve_samples),
    REAL("seconds", seconds, 0, NUMBER_LIMIT),
    WHOLE("generations", generations),
    WHOLE("evaluations", evaluations),
    CHOICE("start", start, start_names),
    CHOICE("method", optimiser.method, method_names),
};
static const PlanField optimiser_fields[] = {
    INT("population", optimiser.population, 0, OPTIMISER_MAX_POPULATION),
    INT("parents", optimiser.parents, 0, OPTIMISER_MAX_POPULATION),
    REAL("sigma", optimiser.sigma, 0, NUMBER_LIMIT),
};
static const PlanField cmaes_fields[] = {
    CHOICE("constants", optimiser.cmaes.constants, constants_names),
    BOOL("sphere", optimiser.cmaes.sphere),
    REAL("floor", optimiser.cmaes.floor, 0, NUMBER_LIMIT),
};
static const PlanField cross_entropy_fields[] = {
    CHOICE("noise", optimiser.cross_entropy.noise, noise_names),
    REAL("level", optimiser.cross_entropy.level, 0, NUMBER_LIMIT),
    REAL("slope", optimiser.cross_entropy.slope, 0, NUMBER_LIMIT),
};
static const PlanField genetic_fields[] = {
    CHOICE("selection", optimiser.genetic.selection, selection_names),
    CHOICE("crossover", optimiser.genetic.crossover, crossover_names),
    CHOICE("revisit", optimiser.genetic.revisit, revisit_names),
    INT("elite", optimiser.genetic.elite, 0, OPTIMISER_MAX_POPULATION),
    INT("points", optimiser.genetic.points, 0, OPTIMISER_MAX_DIMENSIONS),
    REAL("crossover_rate", optimiser.genetic.crossover_rate, 0, 1),
    INT("tournament", optimiser.genetic.tournament, 0, OPTIMISER_MAX_POPULATION),
    REAL("random_rate", optimiser.genetic.random_rate, 0, 1),
    REAL("mutation_rate", optimiser.genetic.mutation_rate, 0, 1),
    REAL("range", optimiser.genetic.range, 0, 0x1p53),
};
static const PlanField swarm_fields[] = {
    REAL("inertia", optimiser.swarm.inertia, -NUMBER_LIMIT, NUMBER_LIMIT),
    REAL("cognitive", optimiser.swarm.cognitive, -NUMBER_LIMIT, NUMBER_LIMIT),
    REAL("social", optimiser.swarm.social, -NUMBER_LIMIT, NUMBER_LIMIT),
    REAL("most_speed", optimiser.swarm.most_speed, 0, NUMBER_LIMIT),
    INT("neighbours", optimiser.swarm.neighbours, 0, OPTIMISER_MAX_POPULATION),
};
static const PlanField race_fields[] = {
    CHOICE("bound", race.bound, bound_names),
    REAL("low", race.low, -NUMBER_LIMIT, NUMBER_LIMIT),
    REAL("high", race.high, -NUMBER_LIMIT, NUMBER_LIMIT),
    REAL("delta", race.delta, 0, 1),
    REAL("alpha", race.alpha, 0, NUMBER_LIMIT),
    INT("least", race.least, 0, LEARNING_MAX_SAMPLES),
    INT("most", race.most, 0, LEARNING_MAX_SAMPLES),
    BOOL("printed", race.printed),
};

static const Table common_table = {NULL, common_fields, PLAN_COUNT(common_fields)};
static const Table optimiser_table = {"optimiser", optimiser_fields, PLAN_COUNT(optimiser_fields)};
static const Table race_table = {"race", race_fields, PLAN_COUNT(race_fields)};
static const Table method_table[] = {
    [OPTIMISER_CMAES] = {"optimiser", cmaes_fields, PLAN_COUNT(cmaes_fields)},
    [OPTIMISER_CROSS_ENTROPY] = {"optimiser", cross_entropy_fields, PLAN_COUNT(cross_entropy_fields)},
    [OPTIMISER_GENETIC] = {"optimiser", genetic_fields, PLAN_COUNT(genetic_fields)},
    [OPTIMISER_SWARM] = {"optimiser", swarm_fields, PLAN_COUNT(swarm_fields)},
};

// ---------------------------------------------------------------------------------------------------
// Writing

static json_t *field_json(const PlanField *field, const LearningPlan *plan) {
    const char *at = (const char *)plan + field->offset;
    switch (field->kind) {
    case PLAN_INT:
        return json_integer(*(const int *)at);
    case PLAN_WHOLE:
        return run_whole_json(*(const uint64_t *)at);
    case PLAN_REAL:
        return json_real(*(const double *)at);
    case PLAN_BOOL:
        return json_boolean(*(const bool *)at);
    default:
        return json_string(field->names[*(const unsigned *)at]);
    }
}

static bool save_table(const Table *table, const LearningPlan *plan, json_t *into) {
    if (table->key && !json_object_get(into, table->key) &&
        json_object_set_new(into, table->key, json_object()))
        return false;
    json_t *object = table->key ? json_object_get(into, table->key) : into;
    bool good = true;
    for (int k = 0; good && k < table->fields; k++)
        good = !json_object_set_new(object, table->field[k].key, field_json(&table->field[k], plan));
    return good;
}

static bool save_vector(const LearningPlan *plan, json_t *into) {
    if (plan->start != START_VECTOR)
        return true;
    json_t *list = json_array();
    int size = encoding_size(&plan->objective.encoding);
    bool good = list != NULL;
    for (int k = 0; good && k < size; k++)
        good = !json_array_append_new(list, json_real(plan->vector[k]));
    if (!good) {
        json_decref(list);
        return false;
    }
    return !json_object_set_new(into, "vector", list);
}

json_t *learning_plan_save(const LearningPlan *plan) {
    json_t *into = json_object();
    bool good = into && save_table(&common_table, plan, into) && save_vector(plan, into) &&
                save_table(&optimiser_table, plan, into) &&
                save_table(&method_table[plan->optimiser.method], plan, into) &&
                save_table(&race_table, plan, into) &&
                !json_object_set_new(into, "objective", objective_save(&plan->objective));
    if (good)
        return into;
    json_decref(into);
    return NULL;
}

// ---------------------------------------------------------------------------------------------------
// Reading

// A message about the member, which it names with the object that it stands in.
static bool fail(const Table *table, const PlanField *field, Error *error, const char *what) {
    return error_set(error, "\"%s%s%s\" must be %s.", table->key ? table->key : "", table->key ? "." : "",
                     field->key, what);
}

static bool read_choice(const Table *table, const PlanField *field, const json_t *value, unsigned *choice,
                        Error *error) {
    const char *text = json_string_value(value);
    char names[200] = "one of";
    for (unsigned k = 0; field->names[k]; k++) {
        if (text && !strcmp(text, field->names[k])) {
            *choice = k;
            return true;
        }
        size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%s \"%s\"", k ? "," : "", field->names[k]);
    }
    return fail(table, field, error, names);
}

static bool read_field(const Table *table, const PlanField *field, const json_t *value, LearningPlan *plan,
                       Error *error) {
    char *at = (char *)plan + field->offset, range[100];
    double real = json_is_number(value) ? json_number_value(value) : NAN;
    bool within = real >= field->least && real <= field->most;
    switch (field->kind) {
    case PLAN_INT:
        if (within && real == floor(real)) {
            *(int *)at = (int)real;
            return true;
        }
        snprintf(range, sizeof range, "a whole number from %g to %g", field->least, field->most);
        return fail(table, field, error, range);
    case PLAN_WHOLE:
        return run_whole_parse(value, (uint64_t *)at) ||
               fail(table, field, error, "a whole number from 0 on (in quotes beyond 2^53)");
    case PLAN_REAL:
        if (within) {
            *(double *)at = real;
            return true;
        }
        snprintf(range, sizeof range, "a number from %g to %g", field->least, field->most);
        return fail(table, field, error, range);
    case PLAN_BOOL:
        *(bool *)at = json_is_true(value);
        return json_is_boolean(value) || fail(table, field, error, "true or false");
    default:
        return read_choice(table, field, value, (unsigned *)at, error);
    }
}

static bool restore_table(const Table *table, const json_t *from, LearningPlan *plan, Error *error) {
    const json_t *object = table->key ? json_object_get(from, table->key) : from;
    if (!json_is_object(object))
        return error_set(error, "\"%s\" must be an object, {...}.", table->key ? table->key : "plan");
    for (int k = 0; k < table->fields; k++)
        if (!read_field(table, &table->field[k], json_object_get(object, table->field[k].key), plan, error))
            return false;
    return true;
}

static bool restore_vector(const json_t *from, LearningPlan *plan, Error *error) {
    const json_t *list = json_object_get(from, "vector");
    size_t size = (size_t)plan->optimiser.dimension;
    if (plan->start != START_VECTOR)
        return true;
    if (!json_is_array(list) || json_array_size(list) != size)
        return error_set(
            error, "\"vector\" must be a list of %zu numbers, one for each number to be learned.", size);
    double *vector = malloc(size * sizeof *vector);
    plan->vector = vector;
    if (!vector)
        return error_set(error, "There is no memory for a vector of %zu numbers.", size);
    for (size_t k = 0; k < size; k++) {
        const json_t *value = json_array_get(list, k);
        vector[k] = json_number_value(value);
        if (!json_is_number(value) || !isfinite(vector[k]))
            return error_set(error, "Number %zu of \"vector\" must be a finite number.", k + 1);
    }
    return true;
}

static bool restore_objective(const json_t *from, LearningPlan *plan, Error *error) {
    const json_t *object = json_object_get(from, "objective");
    Error detail = {""};
    if (!json_is_object(object))
        return error_set(error, "\"objective\" must be an object, {...}.");
    if (!objective_restore(&plan->objective, object, &detail))
        return error_set(error, "\"objective\": %.480s", detail.text);
    plan->optimiser.dimension = encoding_size(&plan->objective.encoding);
    if (plan->optimiser.dimension < 1 || plan->optimiser.dimension > OPTIMISER_MAX_DIMENSIONS)
        return error_set(error, "\"objective\" must have 1 to %d numbers to be learned.",
                         OPTIMISER_MAX_DIMENSIONS);
    return true;
}

bool learning_plan_restore(LearningPlan *plan, const json_t *from, Error *error) {
    *plan = (LearningPlan){0};
    return restore_table(&common_table, from, plan, error) &&
           restore_table(&optimiser_table, from, plan, error) &&
           restore_table(&method_table[plan->optimiser.method], from, plan, error) &&
           restore_table(&race_table, from, plan, error) && restore_objective(from, plan, error) &&
           restore_vector(from, plan, error);
}

void learning_plan_free(LearningPlan *plan) {
    objective_free(&plan->objective);
    free((double *)plan->vector);
    *plan = (LearningPlan){0};
}
