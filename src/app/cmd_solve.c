// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab solve: the exact optimum of a small board, as a number and as a strategy, checked by playing.
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tasks/solve.h"

typedef struct SolveOptions {
    AppOptions app;
    SolveSettings solve;
} SolveOptions;

// ---------------------------------------------------------------------------------------------------
// Memory and progress

// Said before it starts.
static void tell_memory(const Rules *rules) {
    char need[24], boards[32];
    utf8_print(stderr, "%dx%d, %s overflow, pieces %s: at most %s values, %s of memory.\n", rules->width,
               rules->height, rules_overflow_name(rules->overflow), rules->pieces.name,
               text_grouped(reachable_bound(rules).boards, boards), solve_bytes(solving_memory(rules), need));
}

static void show_progress(void *context, const Advance *advance) {
    Progress *progress = context;
    char left[PROGRESS_LEFT], done[32], wanted[32];
    if (!progress_due(progress))
        return;
    double missing = (double)advance->wanted - (double)advance->done;
    double seconds = missing > 0 ? missing / progress_rate(progress, advance->done) : NAN;
    if (advance->done == 0)
        progress_show(progress, "looking for the boards that can be reached");
    else if (!strcmp(advance->unit, "games"))
        progress_show(progress, "playing it: %s of %s games", text_grouped(advance->done, done),
                      text_grouped(advance->wanted, wanted));
    else
        progress_show(progress, "%s sweeps: at least %.6f lines%s", text_grouped(advance->done, done),
                      advance->value, progress_left(seconds, left));
}

// ---------------------------------------------------------------------------------------------------
// What is printed

static void print_result(const SolveJob *job) {
    const Solving *solving = &job->solving;
    char a[32], b[32], c[24];
    printf("optimum    %.6f lines, at most %.1g more\n", solving->mean, solving->bound);
    printf("boards     %s can be reached, %s values kept\n", text_grouped(solving->reachable.boards, a),
           text_grouped(solving->reachable.set.boards, b));
    printf("work       %" PRIu64 " sweeps, %s, %s of memory\n", solving->sweeps,
           text_seconds(solving->seconds, a), solve_bytes(solving->memory, c));
    if (job->settings->out)
        utf8_print(stdout, "strategy   %s, with its values in %s\n", job->strategy, job->table);
    fflush(stdout);
}

static void print_check(const SolveJob *job) {
    char games[32];
    const Summary *summary = &job->summary;
    if (isnan(summary->normal.low)) { // a single game has no interval
        printf("played     %.4f lines (%s game, seed %" PRIu64 ")\n", summary->mean,
               text_grouped(summary->games, games), job->seed);
        return;
    }
    printf("played     %.4f lines, 95 %% interval %.4f .. %.4f (%s games, seed %" PRIu64
           "): %.1f standard errors %s the optimum\n",
           summary->mean, summary->normal.low, summary->normal.high, text_grouped(summary->games, games),
           job->seed, fabs(job->deviation), job->deviation < 0 ? "below" : "above");
}

// ---------------------------------------------------------------------------------------------------
// The command

static bool interrupted(const SolveJob *job, Error *error) {
    return error_set(error, "interrupted after %" PRIu64 " sweeps: the optimum is at least %.6f lines%s.",
                     job->solving.sweeps, job->solving.mean,
                     job->settings->out && access(job->checkpoint, F_OK) == 0
                         ? "; the same command with --resume goes on from here"
                         : "");
}

static bool solve(const SolveOptions *options, SolveJob *job, Error *error) {
    bool quiet = options->app.quiet;
    Progress progress;
    job->work.context = &progress;
    progress_catch_interrupt();
    progress_start(&progress, false);
    bool good = solve_run(job, error);
    progress_end(&progress);
    if (good && job->solving.interrupted)
        return interrupted(job, error);
    if (good && !quiet)
        print_result(job);
    progress_start(&progress, false);
    good = good && solve_verify(job, error);
    progress_end(&progress);
    if (good && !quiet && job->checked)
        print_check(job);
    return good && app_write_json(solve_json(job, TETRALAB_VERSION), options->app.json, error);
}

// The best player is asked for, under one rule for moves that end the game, without a kernel.
static const Field board_field[] = {
    {"board", FIELD_OTHER, FIELD_AT(SolveOptions, app.rules.width), .type = &rules_board_type,
     .otherwise = "5x5", .argument = "WxH", .help = "Width and height of the board, at most 30 cells."},
};

static int more_options(void *options, OptionSet *sets) {
    sets[0] = (OptionSet){solve_fields, &((SolveOptions *)options)->solve, NULL};
    return 1;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    SolveOptions *options = chosen;
    SolveJob job = {
        .rules = &options->app.rules,
        .settings = &options->solve,
        .seed = options->app.seed,
        .work = {.jobs = (int)options->app.jobs, .stop = &progress_interrupted, .progress = show_progress}};
    if (arguments->operands > 0)
        error_set(error, "solve takes options only: give the board as --board 5x5.");
    if (arguments->operands > 0 || !solve_check(&job, error))
        return EXIT_USAGE;
    bool good = solve_prepare(&job, error);
    if (good) {
        tell_memory(job.rules);
        good = solve(options, &job, error);
    }
    solve_free(&job);
    return good ? EXIT_DONE : EXIT_FAILED;
}

const Command command_solve =
    COMMAND("solve", "", SolveOptions, board_field,
            "Compute the best mean that any player can reach on a small board",
            "The value of every reachable board, exactly: up to 30 cells, such as 4x7, 5x6 or\n"
            "7x4. The best player is a strategy of the kind table, to be played like any\n"
            "other. Ctrl-C keeps what was done if --out is given.\n",
            more_options, .has_rules = true, .has_running = true,
            .without = " board gameover rules max-pieces kernel ");
