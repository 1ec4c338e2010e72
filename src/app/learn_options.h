// SPDX-License-Identifier: GPL-3.0-or-later
// The options of tetralab learn, and the plan that they make.
#ifndef TETRALAB_APP_LEARN_OPTIONS_H
#define TETRALAB_APP_LEARN_OPTIONS_H

#include "app/app.h"
#include "learn/learning.h"

// One of several words. -> names  with | between them; the value is the position of the word
typedef struct Choice {
    const char *names;
    int value;
} Choice;

typedef struct LearnOptions {
    AppOptions app;
    const char *out, *resume, *repeat;
    const char *features, *start;
    OptimiserMethod method;
    OptimiserPlan optimiser;
    ObjectiveKind objective;
    RacePlan race;
    Choice rating, player, constants, sphere, noise, selection, crossover, revisit, answer, race_rule;
    bool choose;
    uint64_t hidden, samples, trials, curve, runs, generations, evaluations;
    uint64_t population, parents, elite, points, tournament, neighbours, race_least, race_most;
    double race_bounds[2], seconds;
} LearnOptions;

// Reads the command line. <- true: go on; false: return *exit_code
bool learn_options_parse(LearnOptions *options, const Command *command, int argc, char **argv,
                         int *exit_code);
void learn_options_free(LearnOptions *options);

// The plan that the options describe; not for --resume and --repeat. Free with learning_plan_free, also after
// an error.
bool learn_options_plan(const LearnOptions *options, LearningPlan *plan, Error *error);

// With --resume and --repeat the plan is in the folder; the options can only give it another end.
// <- true: they did
bool learn_options_extend(const LearnOptions *options, LearningPlan *plan);

#endif
