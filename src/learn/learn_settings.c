// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn/learn_settings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Where each method begins, for the help.
static void tell_start(FILE *out) {
    for (int m = 0; m < OPTIMISER_COUNT; m++) {
        const OptimiserTraits *traits = optimiser_traits((OptimiserMethod)m);
        fprintf(out, "%s%s: %s", m ? ", " : "", optimiser_words[m],
                !traits->has_start     ? "none"
                : traits->random_start ? "random"
                                       : "zero");
    }
}

static void suggest_starts(FILE *out) {
    fputs(" zero random", out);
    strategy_suggest(out);
}

static const char *const scale_words[] = {"none", "spread", NULL};

static const char *const in_folder[] = {"/", NULL};

static const Field learn_field[] = {
    {"start", FIELD_STRING, FIELD_AT(LearnSettings, start), .file = FIELD_READS, .preset = NAN,
     .tell_default = tell_start, .argument = "WHERE", .suggest = suggest_starts,
     .help = "zero; random: a vector of length 1; or a strategy whose weights to begin with."},
    {"scale", FIELD_FLAG, FIELD_AT(LearnSettings, scale), .words = scale_words, .argument = "KIND",
     .help =
         "spread: the numbers that are learned are weights times how much their feature differs from move "
         "to move, so that all count alike: for many features, or tables. Linear ratings only. none: they "
         "are the weights."},
    {"mix", FIELD_STRING, FIELD_AT(LearnSettings, mix), .argument = "LIST", .suggest = strategy_suggest,
     .help =
         "Strategies with commas between them: learn how much each of their features counts, a number for "
         "each feature of each strategy instead of one for each weight. It starts from their sum, in "
         "which 0.5*FILE counts half, with a standard deviation of 0.1."},
    {"out", FIELD_STRING, FIELD_AT(LearnSettings, out), .file = FIELD_WRITES, .endings = in_folder,
     .otherwise = "learned", .argument = "DIR", .help = "Folder for the results."},
    {"resume", FIELD_STRING, FIELD_AT(LearnSettings, resume), .file = FIELD_KEEPS, .endings = in_folder,
     .argument = "DIR",
     .help = "Go on with the run in this folder, exactly as if it had not been interrupted; or beyond its "
             "end, if --time, --generations, --evaluations or --budget-pieces give it another one."},
    {"repeat", FIELD_STRING, FIELD_AT(LearnSettings, repeat), .file = FIELD_READS, .endings = in_folder,
     .argument = "DIR", .help = "Make the run of this folder once more, into --out."},
};
static const Fields learn_fields = FIELDS(learn_field);

// Those of all methods.
static int common_sets(LearnSettings *o, OptionSet *sets) {
    int count = 0;
    sets[count++] = (OptionSet){learning_fields, &o->plan, NULL};
    sets[count++] = (OptionSet){objective_fields, &o->plan.objective, NULL};
    sets[count++] = (OptionSet){encoding_fields, &o->plan.objective.encoding, NULL};
    sets[count++] = (OptionSet){learn_fields, o, NULL};
    sets[count++] = (OptionSet){race_fields, &o->plan.race, "Races:"};
    return count;
}

int learn_settings_sets(LearnSettings *settings, OptionSet *sets) {
    int count = common_sets(settings, sets);
    for (int m = 0; m < OPTIMISER_COUNT; m++)
        sets[count++] = (OptionSet){*optimiser_traits((OptimiserMethod)m)->fields, NULL, NULL};
    return count;
}

// ---------------------------------------------------------------------------------------------------
// Options that do not go together

// Is it an option of this method? Some belong to what a method can do, the others are settings of its own.
static bool has_option(const OptimiserTraits *traits, const char *option) {
    static const struct {
        const char *option;
        size_t trait;
    } table[] = {{"start", offsetof(OptimiserTraits, has_start)},
                 {"mix", offsetof(OptimiserTraits, has_start)},
                 {"choose-features", offsetof(OptimiserTraits, switches)},
                 {"race", offsetof(OptimiserTraits, ranks)}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(option, table[i].option))
            return *(const bool *)((const char *)traits + table[i].trait);
    return fields_find(*traits->fields, option) != NULL;
}

// An option that would do nothing is a mistake of whoever gave it. What no method has is no option of
// methods.
static bool check_method(OptimiserMethod method, const Arguments *arguments, Error *error) {
    for (int k = 0; k < arguments->words; k++) {
        const char *with[OPTIMISER_COUNT + 1] = {NULL};
        char name[FIELD_OPTION_NAME], names[FIELD_WORDS_TEXT];
        int count = 0;
        snprintf(name, sizeof name, "%.*s", arguments->word[k].length, arguments->word[k].name);
        for (int m = 0; m < OPTIMISER_COUNT; m++)
            if (has_option(optimiser_traits((OptimiserMethod)m), name))
                with[count++] = optimiser_words[m];
        if (count && !has_option(optimiser_traits(method), name))
            return error_set(error, "--%s is an option of %s, not of %s.", name,
                             field_words(with, "", "or", names), optimiser_words[method]);
    }
    return true;
}

static bool check_others(const LearnSettings *o, const Running *running, const Arguments *arguments,
                         Error *error) {
    const LearningPlan *plan = &o->plan;
    if (plan->race.bound != RACE_NONE && arguments_given(arguments, "games"))
        return error_set(error, "with --race, --race-least and --race-most say how many games are played.");
    if (o->mix && (arguments_given(arguments, "features") || o->start || arguments_given(arguments, "scale")))
        return error_set(error, "--mix says what to learn and where to start: leave --features, --start and "
                                "--scale out.");
    if (arguments_given(arguments, "like") && arguments_given(arguments, "player"))
        return error_set(error, "--like says who plays: leave --player out.");
    if (plan->objective.kind == OBJECTIVE_SPLITTING && running->max_pieces != UINT64_MAX)
        return error_set(error, "--max-pieces belongs to --objective games.");
    return true;
}

// The plan of a folder is what it is.
static bool check_folder(const LearnSettings *o, const Arguments *arguments, const char *also, Error *error) {
    char option[FIELD_OPTION_NAME], allowed[200];
    const char *with = o->resume ? "resume" : "repeat", *other;
    if (o->resume && o->repeat)
        return error_set(error, "give either --resume or --repeat.");
    if (o->resume && arguments_given(arguments, "out"))
        return error_set(error, "--resume goes on in its own folder: leave --out out.");
    snprintf(allowed, sizeof allowed,
             " resume repeat out time generations evaluations budget-pieces jobs kernel %s %s ",
             o->repeat ? "name" : "", also);
    other = arguments_beyond(arguments, allowed, option);
    return !other ||
           error_set(error, "%s cannot be changed with --%s: the folder's run.json says how to learn.", other,
                     with);
}

bool learn_settings_check(const LearnSettings *o, const Arguments *arguments, const char *also,
                          Error *error) {
    OptionSet sets[8];
    int count = common_sets((LearnSettings *)o, sets);
    for (int i = 0; i < count; i++)
        if (!arguments_check(arguments, &sets[i], error))
            return false;
    return (!o->resume && !o->repeat) || check_folder(o, arguments, also, error);
}

// ---------------------------------------------------------------------------------------------------
// The plan

static bool plan_vector(const LearnSettings *o, LearningPlan *plan, Error *error) {
    Strategy strategy;
    double *vector = calloc(ENCODING_MAX, sizeof *vector);
    plan->start = START_VECTOR;
    plan->vector = vector;
    if (!vector)
        return error_set(error, "Out of memory: cannot start from %.60s.", o->mix ? o->mix : o->start);
    if (o->mix)
        return encoding_set_mix(&plan->objective.encoding, o->mix, vector, error);
    return strategy_find(&strategy, o->start, error) &&
           encoding_vector(&plan->objective.encoding, &strategy, vector, error);
}

static bool plan_start(const LearnSettings *o, LearningPlan *plan, Error *error) {
    if (o->mix)
        return plan_vector(o, plan, error);
    bool random =
        o->start ? !strcmp(o->start, "random") : optimiser_traits(plan->optimiser.method)->random_start;
    if (!o->start || random || !strcmp(o->start, "zero")) {
        plan->start = random ? START_RANDOM : START_ZERO;
        return true;
    }
    return plan_vector(o, plan, error);
}

static const double MIX_SIGMA = 0.1; // of factors, which begin at 1 or what is given

static bool was_given(const void *arguments, const char *option) {
    return arguments_given(arguments, option);
}

// What is not given and depends on the rest. Only directions can be scaled and averaged; asked for
// explicitly, learning_check refuses the others.
static void complete(LearningPlan *plan, bool mixed, const Arguments *arguments) {
    OptimiserPlan *optimiser = &plan->optimiser;
    const OptimiserTraits *traits = optimiser_traits(optimiser->method);
    bool games = plan->objective.kind == OBJECTIVE_GAMES;
    bool directions = encoding_directions(&plan->objective.encoding);
    if (!plan->samples)
        plan->samples = games ? (uint64_t)traits->games : 1;
    if (!arguments_given(arguments, "curve"))
        plan->curve_samples = games ? LEARNING_CURVE_GAMES : 1;
    if (!arguments_given(arguments, "answer"))
        plan->average = directions && traits->has_mean && !games;
    if (!learning_has_limit(plan))
        plan->seconds = LEARNING_SECONDS;
    if (mixed && !arguments_given(arguments, "sigma"))
        optimiser->sigma = MIX_SIGMA;
    if (traits->suit) // factors are near 1, and remain so: length 1 would be another unit for everybody
        traits->suit(optimiser, directions && !mixed, plan->average, was_given, arguments);
}

// An instance fixes the problem; how long to learn may be said otherwise, and how many instances.
static bool plan_instance(LearningPlan *plan, Rules *rules, const Arguments *arguments, Error *error) {
    const Benchmark *benchmark = benchmark_find(plan->instance, error);
    if (!benchmark || !benchmark_apply(benchmark, &plan->objective, rules, arguments, error))
        return false;
    plan->seed = (uint64_t)benchmark->id;
    plan->samples = benchmark->games;
    if (!arguments_given(arguments, "runs"))
        plan->runs = BENCHMARK_INSTANCES;
    if (!learning_has_limit(plan))
        plan->evaluations = benchmark->evaluations * benchmark->games;
    return true;
}

bool learn_settings_plan(LearnSettings *o, Rules *rules, const Running *running, const Arguments *arguments,
                         Error *error) {
    LearningPlan *plan = &o->plan;
    Objective *objective = &plan->objective;
    OptimiserMethod method = plan->optimiser.method;
    const OptimiserTraits *traits = optimiser_traits(method);
    OptionSet own = {*traits->fields, &plan->optimiser, NULL};
    optimiser_defaults(&plan->optimiser, method);
    if (!check_method(method, arguments, error) || !arguments_apply(arguments, &own, error) ||
        !arguments_check(arguments, &own, error) || !check_others(o, running, arguments, error))
        return false;
    plan->seed = running->seed;
    if (plan->instance[0] && !plan_instance(plan, rules, arguments, error))
        return false;
    objective_take(objective, rules, running->max_pieces);
    objective->encoding.unit = traits->unit;
    complete(plan, o->mix != NULL, arguments);
    if (o->scale && !encoding_set_scale(&objective->encoding, &objective->rules, error))
        return false;
    return plan_start(o, plan, error) && learning_check(plan, error);
}
