// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab imitate: a greedy player learns to choose as a teacher does.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "base/clock.h"
#include "base/fields_json.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "learn/imitation.h"

typedef struct ImitateOptions {
    AppOptions app;
    ImitationSettings settings;
    Encoding encoding;
    const char *start, *name, *out;
} ImitateOptions;

static const Field imitate_field[] = {
    {"start", FIELD_STRING, FIELD_AT(ImitateOptions, start), .preset = NAN, .file = FIELD_READS,
     .argument = "STRATEGY", .otherwise = "the teacher's weights, if all are among the features, else zero",
     .help = "Whose weights to begin with; or zero."},
    {"name", FIELD_STRING, FIELD_AT(ImitateOptions, name), .preset = NAN, .argument = "NAME",
     .otherwise = "the file's name", .help = "What the student is called."},
    {"out", FIELD_STRING, FIELD_AT(ImitateOptions, out), .otherwise = "imitated.json", .file = FIELD_WRITES,
     .argument = "FILE", .help = "The student, as a strategy file."},
};

static int more_options(void *options, OptionSet *sets) {
    ImitateOptions *o = options;
    sets[0] = (OptionSet){{encoding_fields.field, 1}, &o->encoding, NULL}; // the features alone
    sets[1] = (OptionSet){imitation_fields, &o->settings, NULL};
    return 2;
}

// ---------------------------------------------------------------------------------------------------
// The first weights

// <- false: the strategy has no weights that the student could begin with
static bool weights_of(const Strategy *strategy, const Encoding *encoding, double *vector, Error *error) {
    return strategy_is_rated(strategy)
               ? encoding_vector(encoding, strategy, vector, error)
               : error_set(error, "%.60s has no weights to begin with.", strategy->name);
}

// <-> start  whose they are: a strategy, or zero; as an option, NULL if it was not given
static bool first_weights(const char **start, const ImitateOptions *options, const Player *teacher,
                          double *vector, Error *error) {
    Strategy strategy;
    Error ignored;
    memset(vector, 0, sizeof *vector * ENCODING_MAX);
    if (*start && !strcmp(*start, "zero"))
        return true;
    if (*start)
        return strategy_find(&strategy, *start, error) &&
               weights_of(&strategy, &options->encoding, vector, error);
    *start = player_strategy(teacher)->name;
    if (!weights_of(player_strategy(teacher), &options->encoding, vector, &ignored)) {
        memset(vector, 0, sizeof *vector * ENCODING_MAX);
        *start = "zero";
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// While it learns, and what came out

static void show_progress(void *context, const Advance *advance) {
    Progress *progress = context;
    if (!progress_due(progress))
        return;
    char done[24], all[24], left[PROGRESS_LEFT];
    double rate = progress_rate(progress, advance->done);
    progress_show(progress, "%s of %s decisions, as the teacher in %.1f %% of the last ones%s",
                  text_count((double)advance->done, done), text_count((double)advance->wanted, all),
                  100 * advance->value,
                  progress_left(((double)advance->wanted - (double)advance->done) / rate, left));
}

static void default_name(const char *path, char name[64]) {
    Strategy strategy;
    strategy_empty(&strategy, path);
    snprintf(name, 64, "%s", strategy.name);
}

static bool write_student(const ImitateOptions *options, const Imitation *imitation, const char *path,
                          Strategy *student, Error *error) {
    char name[64];
    default_name(path, name);
    encoding_strategy(&options->encoding, imitation->weights, options->name ? options->name : name, student);
    snprintf(student->source, sizeof student->source, "Imitates %.60s: %" PRIu64 " decisions, seed %" PRIu64,
             player_strategy(imitation->teacher)->name, imitation->decisions, options->app.seed);
    char *text = strategy_to_json(student);
    bool good = text ? text_replace(path, text, strlen(text), false, error)
                     : error_set(error, "Out of memory for the student.");
    free(text);
    return good;
}

static json_t *score_json(const ImitationScore *score) {
    return json_pack("{s:I, s:f, s:f}", "decisions", (json_int_t)score->decisions, "agreement",
                     score->agreement, "regret", score->regret);
}

static json_t *result_json(const ImitateOptions *options, const Imitation *imitation, const char *path,
                           const Strategy *student, double seconds) {
    json_t *object =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:o}", "strategy", json_name(student->name), "file",
                  json_name(path), "teacher", json_name(player_strategy(imitation->teacher)->name), "start",
                  json_name(options->start), "first", score_json(&imitation->first), "last",
                  score_json(&imitation->last), "seconds", seconds, "seed", json_whole(options->app.seed));
    if (object) {
        json_object_set_new(object, "features", encoding_features_json(&options->encoding));
        fields_save(rules_fields, &options->app.rules, object);
        fields_save(imitation_fields, &options->settings, object);
        json_object_set_new(object, "decisions", json_integer((json_int_t)imitation->decisions));
    }
    return object;
}

static void print_result(const Imitation *imitation, const char *path, const Rules *rules, uint64_t seed) {
    const ImitationScore *first = &imitation->first, *last = &imitation->last;
    char decisions[24], count[24];
    printf("%s decisions. The student chose as the teacher in %.1f %% of the first %s",
           text_count((double)imitation->decisions, decisions), 100 * first->agreement,
           text_count((double)first->decisions, count));
    if (last->decisions)
        printf(" and in %.1f %% of the last %s, each time before it learned from them", 100 * last->agreement,
               text_count((double)last->decisions, count));
    printf(imitation->decisions < imitation->settings.decisions ? "; it was stopped early.\n" : ".\n");
    utf8_print(stdout, "%s is the student. Measure it:  tetralab measure %s", path, path);
    app_print_rule_options(stdout, rules);
    printf(" --seed %" PRIu64 "\n", seed + 1);
}

// ---------------------------------------------------------------------------------------------------

static int run(void *chosen, const Arguments *arguments, Error *error) {
    ImitateOptions *options = chosen;
    const char *path = options->out;
    double start[ENCODING_MAX];
    int exit_code;
    if (arguments->operands != 1) {
        error_set(error, "imitate needs one teacher: tetralab imitate bcts-ahead.");
        return EXIT_USAGE;
    }
    options->encoding.width = options->app.rules.width;
    const Kernel *kernel = kernel_find(options->app.kernel, error);
    if (!kernel || !rules_check(&options->app.rules, error))
        return EXIT_USAGE;
    Player *teacher = app_player(arguments->operand[0], &options->app, kernel, &exit_code, error);
    if (!teacher)
        return exit_code;
    Progress progress;
    Imitation imitation = {.teacher = teacher,
                           .encoding = &options->encoding,
                           .start = start,
                           .settings = options->settings,
                           .kernel = kernel,
                           .seed = options->app.seed,
                           .work = {.jobs = (int)options->app.jobs,
                                    .stop = &progress_interrupted,
                                    .progress = show_progress,
                                    .context = &progress}};
    exit_code = EXIT_USAGE;
    if (imitation_check(&imitation, error) &&
        first_weights(&options->start, options, teacher, start, error)) {
        Strategy student;
        progress_catch_interrupt();
        progress_start(&progress, false);
        double begun = clock_seconds();
        bool good = imitation_run(&imitation, error);
        progress_end(&progress);
        good = good &&
               (imitation.decisions || error_set(error, "It was stopped before anything was learned.")) &&
               write_student(options, &imitation, path, &student, error);
        if (good && !options->app.quiet)
            print_result(&imitation, path, &options->app.rules, options->app.seed);
        good =
            good && app_write_json(result_json(options, &imitation, path, &student, clock_seconds() - begun),
                                   options->app.json, error);
        exit_code = good && imitation.decisions >= options->settings.decisions ? EXIT_DONE : EXIT_FAILED;
        imitation_free(&imitation);
    }
    return app_player_free(teacher, exit_code);
}

const Command command_imitate =
    COMMAND("imitate", "TEACHER", ImitateOptions, imitate_field, "Learn to choose as another player does",
            "A greedy player learns from the moves of a teacher, such as one that looks ahead: hundreds of\n"
            "weights in a minute, without a score. The student is written to a strategy file, to be\n"
            "measured, or to be learned on from: learn --start FILE.\n",
            .more = more_options, .has_rules = true, .has_running = true, .without = " max-pieces ");
