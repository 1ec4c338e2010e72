// SPDX-License-Identifier: GPL-3.0-or-later
// The options of tetralab learn. They are read twice: the method and the objective, wherever they stand,
// decide what the others are if they are not given.
#include "app/learn_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const double DEFAULT_SECONDS = 60;
static const double SPLITTING_FLOOR = 0.1;
enum { SPLITTING_TRIALS = 1500 };

// ---------------------------------------------------------------------------------------------------
// Setters

static bool set_choice(const Option *option, const char *text, Error *error) {
    Choice *choice = option->target;
    size_t length = strlen(text);
    int value = 0;
    for (const char *name = choice->names;; value++) {
        size_t size = strcspn(name, "|");
        if (size == length && !strncmp(name, text, size)) {
            choice->value = value;
            return true;
        }
        if (!name[size])
            break;
        name += size + 1;
    }
    return error_set(error, "expected one of %s, got '%.60s'.", choice->names, text);
}

static bool set_method(const Option *option, const char *text, Error *error) {
    return optimiser_method_parse(option->target, text, error);
}

static bool set_objective(const Option *option, const char *text, Error *error) {
    return objective_kind_parse(option->target, text, error);
}

static bool set_race(const Option *option, const char *text, Error *error) {
    return race_bound_parse(option->target, text, error);
}

static bool set_bounds(const Option *option, const char *text, Error *error) {
    double *bounds = option->target;
    char *end, *last = NULL;
    bounds[0] = strtod(text, &end);
    if (end != text && *end == ',')
        bounds[1] = strtod(end + 1, &last);
    if (last && last != end + 1 && !*last && isfinite(bounds[0]) && isfinite(bounds[1]) &&
        bounds[0] < bounds[1])
        return true;
    return error_set(error, "expected two numbers, the lower one first, such as 150,2000, got '%.60s'.",
                     text);
}

// ---------------------------------------------------------------------------------------------------
// The table

static void add_task(OptionTable *table, LearnOptions *o) {
    const Option lines[] = {
        {"method", "NAME", set_method, &o->method,
         "cmaes: CMA-ES (default); nce: noisy cross-entropy; ga: genetic algorithm; pso: particle swarm.", 0,
         0},
        {"features", "SET", option_text, &o->features,
         "What the player sees: lippmann, tsitsiklis, bertsekas, lagoudakis, dellacherie, fahey, ramon, "
         "xtris, boehm, "
         "bd, du, bdu, dt, langenhoven, all, or names of features with commas between them (default du, the "
         "eight of "
         "bcts).",
         0, 0},
        {"rating", "KIND", set_choice, &o->rating, "linear (default), exponential, displaced or network.", 0,
         0},
        {"hidden", "N", option_count, &o->hidden, "network: hidden units (default 0).", 0, RATING_MAX_HIDDEN},
        {"choose-features", NULL, option_flag, &o->choose, "ga: genes that switch each feature on and off.",
         0, 0},
        {"player", "KIND", set_choice, &o->player, "greedy (default), two-piece, expectimax or uct.", 0, 0},
        {"start", "WHERE", option_text, &o->start,
         "zero; random: a vector of length 1; or a strategy whose weights to begin with (default random for "
         "cmaes, "
         "zero for nce and pso; ga always draws its genes).",
         0, 0},
        {"objective", "KIND", set_objective, &o->objective,
         "splitting: the logarithm of the mean lines by multilevel splitting (default); games: the mean "
         "lines of whole "
         "games.",
         0, 0},
        {"games", "N", option_count, &o->samples,
         "Games for each vector, or repetitions of splitting (default: 1; games with cmaes and ga: 100, pso: "
         "10).",
         1, LEARNING_MAX_SAMPLES},
        {"trials", "N", option_count, &o->trials, "splitting: restarts per level (default 1,500).", 100, 1e6},
        {"curve", "N", option_count, &o->curve,
         "Games or repetitions for the learning curve, after each generation; 0: none (default 30 games, 1 "
         "repetition).",
         0, LEARNING_MAX_SAMPLES},
        {"answer", "KIND", set_choice, &o->answer,
         "What a run answers. last: the mean of the search distribution after the last generation, as in the "
         "papers; "
         "average: its average over the generations, late ones counting more (default for --objective "
         "splitting with "
         "cmaes or nce and a linear rating, else last).",
         0, 0},
        {"runs", "N", option_count, &o->runs,
         "Independent runs; the player is the mean of their answers (default 1).", 1, LEARNING_MAX_RUNS},
        {"time", "T", app_set_duration, &o->seconds,
         "End after 60s, 5min or 2h (default 60s if no other limit is given).", 0, 0},
        {"generations", "N", option_count, &o->generations,
         "End each run after N generations (default: no limit).", 1, 1e9},
        {"evaluations", "N", option_count, &o->evaluations,
         "End each run when N games or repetitions have been played for its generations (default: no limit).",
         1, 1e15},
        {"out", "DIR", option_text, &o->out, "Folder for the results (default learned).", 0, 0},
        {"resume", "DIR", option_text, &o->resume,
         "Go on with the run in this folder, exactly as if it had not been interrupted; or beyond its end, "
         "if --time, "
         "--generations or --evaluations give it another one.",
         0, 0},
        {"repeat", "DIR", option_text, &o->repeat, "Make the run of this folder once more, into --out.", 0,
         0},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        app_add(table, lines[i]);
}

static void add_race(OptionTable *table, LearnOptions *o) {
    const Option lines[] = {
        {"race", "BOUND", set_race, &o->race.bound,
         "cmaes, nce: drop vectors that are surely bad before they have played all games: hoeffding, "
         "bernstein, tetris "
         "(default none).",
         0, 0},
        {"race-bounds", "A,B", set_bounds, o->race_bounds,
         "Scores are almost surely between these (default 150,2000).", 0, 0},
        {"race-delta", "P", option_number, &o->race.delta, "One minus the confidence (default 0.05).", 1e-9,
         0.999},
        {"race-rule", "RULE", set_choice, &o->race_rule,
         "How upper bounds are tightened: corrected (default) or printed, with the papers' misprint.", 0, 0},
        {"race-least", "N", option_count, &o->race_least, "Games at least (default 3).", 1,
         LEARNING_MAX_SAMPLES},
        {"race-most", "N", option_count, &o->race_most, "Games at most (default 100).", 1,
         LEARNING_MAX_SAMPLES},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        app_add(table, lines[i]);
}

static void add_method(OptionTable *table, LearnOptions *o) {
    OptimiserPlan *p = &o->optimiser;
    const Option lines[] = {
        {"population", "N", option_count, &o->population,
         "Vectors in a generation (default: cmaes 4 + 3 ln n, nce and ga 100, pso 30).", 2,
         OPTIMISER_MAX_POPULATION},
        {"parents", "N", option_count, &o->parents,
         "cmaes, nce: how many of them are selected (default: half, 10 %).", 1, OPTIMISER_MAX_POPULATION},
        {"sigma", "X", option_number, &p->sigma,
         "First standard deviation (default: cmaes 0.5, nce 10, pso 1).", 1e-9, 1e9},
        {"constants", "SET", set_choice, &o->constants,
         "cmaes: modern (default) or classic, those of Boumaza.", 0, 0},
        {"sphere", "YES", set_choice, &o->sphere,
         "cmaes: scale every vector to length 1, yes (default for linear ratings) or no.", 0, 0},
        {"floor", "X", option_number, &p->cmaes.floor,
         "cmaes: the deviations do not fall below this in the root mean square (default 0; with --objective "
         "splitting "
         "and a linear rating 0.1).",
         0, 1e9},
        {"noise", "KIND", set_choice, &o->noise, "nce: none, constant (default) or decreasing.", 0, 0},
        {"noise-level", "X", option_number, &p->cross_entropy.level,
         "nce: added to the variances (default 4; decreasing: 5).", 0, 1e9},
        {"noise-slope", "X", option_number, &p->cross_entropy.slope,
         "nce: by which it decreases in each generation (default 0.1).", 0, 1e9},
        {"selection", "KIND", set_choice, &o->selection, "ga: tournament (default), universal or sigma.", 0,
         0},
        {"crossover", "KIND", set_choice, &o->crossover, "ga: points (default) or uniform.", 0, 0},
        {"points", "N", option_count, &o->points, "ga: crossover points (default 2).", 1, 100},
        {"crossover-rate", "P", option_number, &p->genetic.crossover_rate,
         "ga: else a parent is copied (default 0.5).", 0, 1},
        {"mutation-rate", "P", option_number, &p->genetic.mutation_rate,
         "ga: for each gene (default 1/genes; with --choose-features 2/32).", 1e-9, 1},
        {"mutation-range", "X", option_number, &p->genetic.range,
         "ga: adds a whole number up to X (default 100).", 1, 1e6},
        {"elite", "N", option_count, &o->elite, "ga: the best are copied unchanged (default 2).", 0,
         OPTIMISER_MAX_POPULATION},
        {"tournament", "N", option_count, &o->tournament, "ga: size of the group (default 10).", 1,
         OPTIMISER_MAX_POPULATION},
        {"random-rate", "P", option_number, &p->genetic.random_rate,
         "ga: a random one of the group wins (default 0.1).", 0, 1},
        {"revisit", "RULE", set_choice, &o->revisit,
         "ga: known vectors are scored again, keep their score (remember), or get the mean of all their "
         "scores "
         "(average, default).",
         0, 0},
        {"inertia", "X", option_number, &p->swarm.inertia, "pso: share of its speed that a particle keeps.",
         0, 2},
        {"cognitive", "X", option_number, &p->swarm.cognitive, "pso: pull to its own best place.", 0, 10},
        {"social", "X", option_number, &p->swarm.social, "pso: pull to the best place of its neighbours.", 0,
         10},
        {"most-speed", "X", option_number, &p->swarm.most_speed, "pso: per coordinate; 0: no limit.", 0, 1e9},
        {"neighbours", "N", option_count, &o->neighbours, "pso: on either side of a ring; 0: all (default).",
         0, OPTIMISER_MAX_POPULATION},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        app_add(table, lines[i]);
}

// ---------------------------------------------------------------------------------------------------
// What is not given

static void before_all(LearnOptions *o) {
    *o = (LearnOptions){.features = "du", .objective = OBJECTIVE_SPLITTING, .method = OPTIMISER_CMAES};
    app_defaults(&o->app);
    o->rating.names = "linear|exponential|displaced|network";
    o->player.names = "greedy|two-piece|expectimax|uct";
    o->constants.names = "modern|classic";
    o->sphere.names = "no|yes";
    o->noise.names = "none|constant|decreasing";
    o->selection.names = "tournament|universal|sigma";
    o->crossover.names = "points|uniform";
    o->revisit.names = "again|remember|average";
    o->answer.names = "last|average";
    o->race_rule.names = "corrected|printed";
}

static void by_method(LearnOptions *o) {
    static const uint64_t games[] = {[OPTIMISER_CMAES] = 100,
                                     [OPTIMISER_CROSS_ENTROPY] = 1,
                                     [OPTIMISER_GENETIC] = 100,
                                     [OPTIMISER_SWARM] = 10};
    bool whole = o->objective == OBJECTIVE_GAMES;
    OptimiserPlan *p = &o->optimiser;
    optimiser_defaults(p, o->method);
    race_defaults(&o->race);
    o->samples = whole ? games[o->method] : 1;
    o->trials = SPLITTING_TRIALS;
    o->curve = whole ? 30 : 1;
    o->runs = 1;
    o->start = o->method == OPTIMISER_CMAES ? "random" : "zero";
    o->answer.value = -1;
    o->sphere.value = -1;
    o->constants.value = (int)p->cmaes.constants;
    o->noise.value = (int)p->cross_entropy.noise;
    o->selection.value = (int)p->genetic.selection;
    o->crossover.value = (int)p->genetic.crossover;
    o->revisit.value = REVISIT_AVERAGE; // the thesis asks for a remedy, and this one loses no game
    o->elite = (uint64_t)p->genetic.elite;
    o->points = (uint64_t)p->genetic.points;
    o->tournament = o->population && o->population < (uint64_t)p->genetic.tournament
                        ? o->population
                        : (uint64_t)p->genetic.tournament;
    o->neighbours = (uint64_t)p->swarm.neighbours;
    o->race_least = (uint64_t)o->race.least;
    o->race_most = (uint64_t)o->race.most;
    o->race_bounds[0] = o->race.low;
    o->race_bounds[1] = o->race.high;
    p->sigma = 0;
    p->cmaes.floor = -1;
}

static bool is_given(int argc, char **argv, const char *name) {
    size_t length = strlen(name);
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (!strncmp(argv[i], "--", 2) && !strncmp(argv[i] + 2, name, length) &&
            (argv[i][2 + length] == 0 || argv[i][2 + length] == '='))
            return true;
    return false;
}

// An option that would do nothing is a mistake of whoever gave it.
static bool check_methods(const LearnOptions *o, int argc, char **argv, Error *error) {
    enum {
        C = 1 << OPTIMISER_CMAES,
        N = 1 << OPTIMISER_CROSS_ENTROPY,
        G = 1 << OPTIMISER_GENETIC,
        S = 1 << OPTIMISER_SWARM
    };
    static const struct {
        const char *option;
        int methods;
        const char *names;
    } table[] = {
        {"parents", C | N, "cmaes and nce"},
        {"sigma", C | N | S, "cmaes, nce and pso"},
        {"start", C | N | S, "cmaes, nce and pso"},
        {"constants", C, "cmaes"},
        {"sphere", C, "cmaes"},
        {"floor", C, "cmaes"},
        {"noise", N, "nce"},
        {"noise-level", N, "nce"},
        {"noise-slope", N, "nce"},
        {"selection", G, "ga"},
        {"crossover", G, "ga"},
        {"points", G, "ga"},
        {"crossover-rate", G, "ga"},
        {"mutation-rate", G, "ga"},
        {"mutation-range", G, "ga"},
        {"elite", G, "ga"},
        {"tournament", G, "ga"},
        {"random-rate", G, "ga"},
        {"revisit", G, "ga"},
        {"choose-features", G, "ga"},
        {"inertia", S, "pso"},
        {"cognitive", S, "pso"},
        {"social", S, "pso"},
        {"most-speed", S, "pso"},
        {"neighbours", S, "pso"},
        {"race", C | N, "cmaes and nce"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!(table[i].methods >> o->method & 1) && is_given(argc, argv, table[i].option))
            return error_set(error, "--%s is an option of %s, not of %s.", table[i].option, table[i].names,
                             optimiser_method_name(o->method));
    return true;
}

static bool check_others(const LearnOptions *o, int argc, char **argv, Error *error) {
    static const char *const race[] = {"race-bounds", "race-delta", "race-rule", "race-least", "race-most"};
    for (size_t i = 0; i < sizeof race / sizeof *race; i++)
        if (o->race.bound == RACE_NONE && is_given(argc, argv, race[i]))
            return error_set(error, "--%s does nothing without --race.", race[i]);
    if (o->race.bound != RACE_NONE && is_given(argc, argv, "games"))
        return error_set(error, "with --race, --race-least and --race-most say how many games are played.");
    if (o->objective != OBJECTIVE_SPLITTING && is_given(argc, argv, "trials"))
        return error_set(error, "--trials belongs to --objective splitting.");
    if (o->objective == OBJECTIVE_SPLITTING && is_given(argc, argv, "max-pieces"))
        return error_set(error, "--max-pieces belongs to --objective games.");
    if (o->hidden && o->rating.value != RATING_NETWORK)
        return error_set(error, "--hidden belongs to --rating network.");
    if (o->noise.value != NOISE_DECREASING && is_given(argc, argv, "noise-slope"))
        return error_set(error, "--noise-slope belongs to --noise decreasing.");
    if (o->noise.value == NOISE_NONE && is_given(argc, argv, "noise-level"))
        return error_set(error, "--noise-level does nothing with --noise none.");
    if (o->crossover.value != CROSSOVER_POINTS && is_given(argc, argv, "points"))
        return error_set(error, "--points belongs to --crossover points.");
    return true;
}

// The plan of a folder is what it is.
static bool check_folder(const LearnOptions *o, int argc, char **argv, const OptionTable *table,
                         Error *error) {
    static const char *const allowed[] = {"resume",      "repeat", "out",    "time", "generations",
                                          "evaluations", "jobs",   "kernel", "json"};
    const char *with = o->resume ? "resume" : o->repeat ? "repeat" : NULL;
    if (o->resume && o->repeat)
        return error_set(error, "give either --resume or --repeat.");
    if (o->resume && is_given(argc, argv, "out"))
        return error_set(error, "--resume goes on in its own folder: leave --out out.");
    for (int i = 0; with && i < table->count; i++) {
        bool good = false;
        for (size_t k = 0; k < sizeof allowed / sizeof *allowed; k++)
            good = good || !strcmp(allowed[k], table->option[i].name);
        if (!good && is_given(argc, argv, table->option[i].name))
            return error_set(error,
                             "--%s cannot be changed with --%s: the folder's run.json says how to learn.",
                             table->option[i].name, with);
    }
    return true;
}

bool learn_options_parse(LearnOptions *o, const Command *command, int argc, char **argv, int *exit_code) {
    OptionTable table = {.count = 0};
    Error error = {""};
    const char **operands = malloc((size_t)argc * sizeof *operands);
    int count = 0;
    before_all(o);
    add_task(&table, o);
    add_race(&table, o);
    add_method(&table, o);
    app_add_rules(&table, &o->app);
    app_add_running(&table, &o->app);
    bool good = operands && app_parse(command, &table, argc, argv, operands, &count, exit_code);
    if (good) {
        by_method(o);
        good = app_parse(command, &table, argc, argv, operands, &count, exit_code);
    }
    bool right = !good || !count || error_set(&error, "there are no operands, got '%.60s'.", operands[0]);
    free(operands);
    if (!good)
        return false;
    right = right && check_folder(o, argc, argv, &table, &error) && check_methods(o, argc, argv, &error) &&
            check_others(o, argc, argv, &error);
    if (o->noise.value == NOISE_DECREASING && !is_given(argc, argv, "noise-level"))
        o->optimiser.cross_entropy.level = 5;
    if (o->choose && !is_given(argc, argv, "mutation-rate"))
        o->optimiser.genetic.mutation_rate = 2.0 / 32;
    if (!o->resume && !o->repeat && o->seconds == 0 && !o->generations && !o->evaluations)
        o->seconds = DEFAULT_SECONDS;
    if (!o->out)
        o->out = "learned";
    if (!right)
        *exit_code = app_fail(command, &error, EXIT_USAGE);
    return right;
}

void learn_options_free(LearnOptions *o) {
    app_free(&o->app);
}

// ---------------------------------------------------------------------------------------------------
// The plan

static bool plan_start(const LearnOptions *o, LearningPlan *plan, Error *error) {
    Strategy strategy;
    if (!strcmp(o->start, "zero") || !strcmp(o->start, "random")) {
        plan->start = o->start[0] == 'z' ? START_ZERO : START_RANDOM;
        return true;
    }
    double *vector = calloc(ENCODING_MAX, sizeof *vector);
    plan->start = START_VECTOR;
    plan->vector = vector;
    if (!vector)
        return error_set(error, "There is no memory to start from %.60s.", o->start);
    return strategy_find(&strategy, o->start, error) &&
           encoding_vector(&plan->objective.encoding, &strategy, vector, error);
}

// The rules move into the plan.
static bool plan_objective(LearnOptions *o, Objective *objective, Error *error) {
    Encoding *encoding = &objective->encoding;
    objective->rules = o->app.rules;
    rules_default(&o->app.rules);
    objective->kind = o->objective;
    objective->trials = o->trials;
    objective->max_pieces = o->app.max_pieces == UINT64_MAX ? 0 : o->app.max_pieces;
    *encoding = (Encoding){.width = objective->rules.width,
                           .rating = (RatingKind)o->rating.value,
                           .hidden = (int)o->hidden,
                           .choose = o->choose,
                           .unit = o->method == OPTIMISER_GENETIC ? 100 : 1,
                           .player = (PlayerKind)o->player.value,
                           .ties = TIES_FIRST};
    return encoding_set_features(encoding, o->features, error);
}

bool learn_options_plan(const LearnOptions *options, LearningPlan *plan, Error *error) {
    LearnOptions *o = (LearnOptions *)options;
    *plan = (LearningPlan){.seed = o->app.seed,
                           .optimiser = o->optimiser,
                           .samples = o->samples,
                           .race = o->race,
                           .curve_samples = o->curve,
                           .runs = (int)o->runs,
                           .seconds = o->seconds,
                           .generations = o->generations,
                           .evaluations = o->evaluations};
    OptimiserPlan *p = &plan->optimiser;
    p->method = o->method;
    p->population = (int)o->population;
    p->parents = (int)o->parents;
    p->cmaes.constants = (CmaesConstants)o->constants.value;
    p->cross_entropy.noise = (CrossEntropyNoise)o->noise.value;
    p->genetic.selection = (GeneticSelection)o->selection.value;
    p->genetic.crossover = (GeneticCrossover)o->crossover.value;
    p->genetic.revisit = (GeneticRevisit)o->revisit.value;
    p->genetic.elite = (int)o->elite;
    p->genetic.points = (int)o->points;
    p->genetic.tournament = (int)o->tournament;
    p->swarm.neighbours = (int)o->neighbours;
    plan->race.low = o->race_bounds[0];
    plan->race.high = o->race_bounds[1];
    plan->race.least = (int)o->race_least;
    plan->race.most = (int)o->race_most;
    if (!plan_objective(o, &plan->objective, error) || !plan_start(o, plan, error))
        return false;
    // Only directions can be scaled and averaged; asked for explicitly, learning_check refuses the rest.
    bool directions = encoding_directions(&plan->objective.encoding);
    bool has_mean = p->method == OPTIMISER_CMAES || p->method == OPTIMISER_CROSS_ENTROPY;
    p->cmaes.sphere = o->sphere.value < 0 ? directions && p->method == OPTIMISER_CMAES : o->sphere.value;
    plan->average =
        o->answer.value < 0 ? directions && has_mean && o->objective == OBJECTIVE_SPLITTING : o->answer.value;
    plan->race.printed = o->race_rule.value;
    if (p->cmaes.floor < 0)
        p->cmaes.floor = !plan->average ? 0
                         : p->sigma > 0 ? fmin(SPLITTING_FLOOR, p->sigma / 2)
                                        : SPLITTING_FLOOR;
    return learning_check(plan, error);
}

// A limit that is given takes the place of all others.
bool learn_options_extend(const LearnOptions *o, LearningPlan *plan) {
    if (!(o->seconds > 0) && !o->generations && !o->evaluations)
        return false;
    plan->seconds = o->seconds;
    plan->generations = o->generations;
    plan->evaluations = o->evaluations;
    return true;
}
