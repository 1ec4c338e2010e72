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
#include "measure/matches.h"
#include "player/player.h"

enum { DEFAULT_ROUNDS = 100000 };
_Static_assert((int)DEFAULT_ROUNDS <= (int)RECORD_MAX_ROUNDS, "by default any match can be recorded");

typedef struct VersusOptions {
    AppOptions app;
    uint64_t games, match, max_rounds;
    double move_time;
    MatchSequence sequence;
    const char *record, *replay;
    bool show;
} VersusOptions;

static const Field versus_field[] = {
    {"games", FIELD_WHOLE, FIELD_AT(VersusOptions, games), .preset = 100, .least = 1, .most = MATCHES_MAX,
     .argument = "N", .help = "Play N matches."},
    {"sequence", FIELD_WORD, FIELD_AT(VersusOptions, sequence), .words = match_sequence_words,
     .argument = "WHICH", .help = "same: all players of a match get the same pieces; own: each its own."},
    {"max-rounds", FIELD_WHOLE, FIELD_AT(VersusOptions, max_rounds), .preset = DEFAULT_ROUNDS, .least = 1,
     .most = MATCHES_MAX_ROUNDS, .argument = "N",
     .help = "End a match after N moves of each player; nobody has won it then."},
    {"move-time", FIELD_OTHER, FIELD_AT(VersusOptions, move_time), .preset = NAN, .type = &field_seconds,
     .otherwise = "no limit", .argument = "T",
     .help = "A player that takes longer than T for a move, such as 50ms or 2s, loses the match. The result "
             "then depends on the machine."},
    {"match", FIELD_WHOLE, FIELD_AT(VersusOptions, match), .preset = NAN, .otherwise = "1", .least = 1,
     .most = MATCHES_MAX, .argument = "K", .help = "The match that --record and --show are about."},
    {"record", APP_OUTPUT(FIELD_AT(VersusOptions, record)), .help = "Also write match K to FILE."},
    {"replay", FIELD_STRING, FIELD_AT(VersusOptions, replay), .file = FIELD_READS, .argument = "FILE",
     .help = "Play no strategies, but the recorded match or game in FILE, and show its end; fail if it is "
             "not possible."},
    {"show", FIELD_FLAG, FIELD_AT(VersusOptions, show),
     .help = "Draw the last boards of match K; with --replay, the boards after every round."},
};

static bool check_match(const VersusOptions *options, Error *error) {
    if (options->match && !options->record && !options->show)
        return error_set(error, "--match does nothing without --record or --show.");
    if (options->match > options->games)
        return error_set(error, "--match %" PRIu64 " is not among the matches 1 to %" PRIu64 ".",
                         options->match, options->games);
    if (options->record && options->max_rounds > RECORD_MAX_ROUNDS)
        return error_set(error, "a recorded match has at most %d rounds: lower --max-rounds.",
                         RECORD_MAX_ROUNDS);
    return true;
}

static bool check_usage(const VersusOptions *options, int strategies, Error *error) {
    if (strategies < MATCH_LEAST_SEATS)
        return error_set(error, "name at least two strategies, as in tetralab versus fahey bcts.");
    if (strategies > MATCH_MAX_SEATS)
        return error_set(error, "%d players are too many; at most %d play in a match.", strategies,
                         MATCH_MAX_SEATS);
    if (options->sequence == MATCH_OWN && options->app.rules.pieces.law == PIECES_RECORDED)
        return error_set(error, "a file of pieces is the same for all players: leave out --sequence own.");
    return check_match(options, error) && rules_check(&options->app.rules, error);
}

// --- progress

typedef struct VersusProgress {
    Progress progress;
    uint64_t matches;
} VersusProgress;

static void show_progress(void *context, const MatchesStatus *status) {
    VersusProgress *versus = context;
    if (!progress_due(&versus->progress))
        return;
    char done[32], all[32], rate[24], left[PROGRESS_LEFT];
    double missing = (double)(versus->matches - status->ended);
    progress_show(&versus->progress, "%s of %s matches, %s moves/s%s", text_grouped(status->ended, done),
                  text_grouped(versus->matches, all),
                  text_count(progress_rate(&versus->progress, status->pieces), rate),
                  progress_left(missing / progress_rate(&versus->progress, status->ended), left));
}

// --- playing

static void show_kept(const AppPlayers *players, const Matches *matches, uint64_t number) {
    const char *names[MATCH_MAX_SEATS];
    for (int s = 0; s < players->count; s++)
        names[s] = app_player_name(players, s);
    printf("\nMatch %" PRIu64 "\n\n", number);
    versus_draw(stdout, &matches->kept, names);
    putchar('\n');
    versus_print_end(stdout, &matches->kept, names);
}

static bool write_record(const VersusOptions *options, const Matches *matches, Error *error) {
    if (!options->record)
        return true;
    if (!matches->has_record) {
        utf8_print(stderr, "No match was recorded: %s is as it was.\n", options->record);
        return true;
    }
    return record_write(&matches->record, options->record, error);
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
    return !options->app.json || app_write_json(versus_json(report), options->app.json, error);
}

static int play(const VersusOptions *options, const AppPlayers *players, Error *error) {
    Matches matches;
    MatchesPlan plan = {.player = (const Player *const *)players->player,
                        .players = players->count,
                        .seed = options->app.seed,
                        .matches = options->games,
                        .sequence = options->sequence,
                        .max_rounds = options->max_rounds,
                        .move_time = options->move_time,
                        .jobs = (int)options->app.jobs,
                        .kept = options->match ? options->match : 1,
                        .record = options->record != NULL,
                        .stop = &progress_interrupted,
                        .progress = show_progress};
    VersusProgress versus = {.matches = plan.matches};
    VersusReport report = {&plan, &matches, kernel_name(players->kernel)};
    plan.context = &versus;
    progress_catch_interrupt();
    progress_start(&versus.progress, false);
    bool good = matches_run(&matches, &plan, error);
    progress_end(&versus.progress);
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
    if (!check_usage(options, arguments->operands, error))
        return EXIT_USAGE;
    AppPlayers players;
    int code;
    if (app_players(&players, &options->app, arguments, &code, error))
        code = play(options, &players, error);
    return app_players_free(&players, code);
}

const Command command_versus =
    COMMAND("versus", "A B [C...]", VersusOptions, versus_field,
            "Play matches in which players send each other rows; the last one alive wins",
            "All players put down one piece at a time, in the same round. Removing n > 1 rows\n"
            "at once gives every opponent n-1 rows at the bottom, each with n-1 empty cells.\n"
            "Fahey's player (fahey) is the usual benchmark. Ctrl-C ends the run with the\n"
            "matches that have ended.\n",
            .has_rules = true, .has_running = true, .without = " max-pieces ");
