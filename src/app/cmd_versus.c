// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab versus: matches between players that send each other attack rows; also records a match and replays
// a recorded one.
#include <inttypes.h>

#include "app/app.h"
#include "app/replay.h"
#include "app/versus_report.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "game/record.h"
#include "player/player.h"
#include "tasks/versus.h"

typedef struct VersusOptions {
    AppOptions app;
    VersusSettings versus;
    const char *replay;
    bool show;
} VersusOptions;

static const Field own_field[] = {
    {"replay", FIELD_STRING, FIELD_AT(VersusOptions, replay), .file = FIELD_READS, .argument = "FILE",
     .help = "Play no strategies, but the recorded match or game in FILE, and show its end; fail if it is "
             "not possible."},
    {"show", FIELD_FLAG, FIELD_AT(VersusOptions, show),
     .help = "Draw the last boards of match K; with --replay, the moves of every round."},
};

static int more_options(void *options, OptionSet *sets) {
    sets[0] = (OptionSet){versus_fields, &((VersusOptions *)options)->versus, NULL};
    sets[1] = (OptionSet){FIELDS(own_field), options, NULL};
    return 2;
}

// --- progress

static void show_progress(void *context, const Advance *advance) {
    Progress *progress = context;
    if (!progress_due(progress))
        return;
    char done[32], all[32], rate[24], left[PROGRESS_LEFT];
    double missing = (double)(advance->wanted - advance->done);
    progress_show(progress, "%s of %s matches, %s moves/s%s", text_grouped(advance->done, done),
                  text_grouped(advance->wanted, all),
                  text_count(progress_rate(progress, advance->pieces), rate),
                  progress_left(missing / progress_rate(progress, advance->done), left));
}

// --- playing

static void show_kept(const AppPlayers *players, const Matches *matches, uint64_t number) {
    const char *names[MATCH_MAX_SEATS];
    for (int s = 0; s < players->count; s++)
        names[s] = app_player_name(players, s);
    printf("\nMatch %" PRIu64 "\n\n", number);
    versus_draw(stdout, &matches->kept, NULL, names);
    putchar('\n');
    versus_print_end(stdout, &matches->kept, names);
}

static bool write_record(const VersusOptions *options, const Matches *matches, Error *error) {
    if (!options->versus.record)
        return true;
    if (!matches->has_record) {
        utf8_print(stderr, "No match was recorded: %s is as it was.\n", options->versus.record);
        return true;
    }
    return record_write(&matches->record, options->versus.record, error);
}

static bool say(const VersusOptions *options, const VersusReport *report, const AppPlayers *players,
                Error *error) {
    const Matches *matches = report->matches;
    if (matches->ended == 0)
        return error_set(error, "interrupted before a match ended.");
    if (!options->app.quiet)
        versus_print(stdout, report);
    if (!options->app.quiet && options->show && matches->has_kept)
        show_kept(players, matches, report->plan->kept);
    return (!options->app.json || app_write_json(versus_json(report), options->app.json, error)) &&
           outputs_write(&options->app, versus_table, versus_plot, report, 1, error);
}

static int play(const VersusOptions *options, const AppPlayers *players, Error *error) {
    Matches matches;
    const AppOptions *app = &options->app;
    MatchesPlan plan = versus_plan(&options->versus, (const Player *const *)players->player, players->count,
                                   app->seed, (int)app->jobs);
    Progress progress;
    VersusReport report = {&plan, &matches, kernel_name(players->kernel), TETRALAB_VERSION};
    plan.work.stop = &progress_interrupted;
    plan.work.progress = show_progress;
    plan.work.context = &progress;
    progress_catch_interrupt();
    progress_start(&progress, false);
    bool good = matches_run(&matches, &plan, error);
    progress_end(&progress);
    good = good && say(options, &report, players, error);
    good = (good || matches.interrupted) && write_record(options, &matches, error) && good;
    bool interrupted = matches.interrupted;
    matches_free(&matches);
    return good && !interrupted ? EXIT_DONE : EXIT_FAILED;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const VersusOptions *options = chosen;
    if (options->replay)
        return replay_run(arguments, options->replay, &options->app, options->show, error);
    if (!versus_check(&options->versus, arguments->operands, &options->app.rules, options->show, error))
        return EXIT_USAGE;
    AppPlayers players;
    int code;
    if (app_players(&players, &options->app, arguments, &code, error))
        code = play(options, &players, error);
    return app_players_free(&players, code);
}

const Command command_versus = {
    .name = "versus",
    .operands = "A B [C...]",
    .summary = "Play matches in which players send each other rows; the last one alive wins",
    .details = "All players put down one piece at a time, in the same round. Removing n > 1 rows\n"
               "at once gives every opponent n-1 rows at the bottom, each with n-1 empty cells.\n"
               "Fahey's player (fahey) is the usual benchmark. Ctrl-C ends the run with the\n"
               "matches that have ended.\n",
    .run = run,
    .size = sizeof(VersusOptions),
    .more = more_options,
    .has_rules = true,
    .has_running = true,
    .without = " max-pieces ",
    .picture =
        "Also draw FILE (.svg, .png, .pdf or .eps): the share of matches that each player won, with its 95 % "
        "interval.",
};
