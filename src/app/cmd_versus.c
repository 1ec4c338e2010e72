// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab versus: matches between players that send each other attack rows; also records a match and replays
// a recorded one.
#include <inttypes.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/replay.h"
#include "app/versus_report.h"
#include "base/clock.h"
#include "base/progress.h"
#include "base/text.h"
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
    {"record", FIELD_STRING, FIELD_AT(VersusOptions, record), .preset = NAN, .otherwise = "none",
     .argument = "FILE", .help = "Also write match K to FILE."},
    {"replay", FIELD_STRING, FIELD_AT(VersusOptions, replay), .argument = "FILE",
     .help =
         "Play no strategies, but the recorded match or game in FILE, and show its end; fail if it is not "
         "possible."},
    {"show", FIELD_FLAG, FIELD_AT(VersusOptions, show),
     .help = "Draw the last boards of match K; with --replay, the boards after every round."},
};
static const Fields versus_fields = FIELDS(versus_field);

static bool check_match(const VersusOptions *options, Error *error) {
    if (options->match && !options->record && !options->show)
        return error_set(error, "--match does nothing without --record or --show.");
    if (options->match > options->games)
        return error_set(error, "--match %" PRIu64 " is not among the matches 1 to %" PRIu64 ".",
                         options->match, options->games);
    if (options->record && options->max_rounds > RECORD_MAX_ROUNDS)
        return error_set(error, "a recorded match has at most %d rounds: lower --max-rounds.",
                         RECORD_MAX_ROUNDS);
    if (options->record && options->app.json && text_same_file(options->record, options->app.json))
        return error_set(error, "--record and --json cannot both go to %.200s.",
                         strcmp(options->record, "-") ? options->record : "the standard output");
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
    char text[200], done[32], all[32], rate[24], left[24] = "";
    double seconds = clock_seconds() - versus->progress.started;
    if (status->ended > 0)
        text_seconds(seconds * (double)(versus->matches - status->ended) / (double)status->ended, left);
    snprintf(text, sizeof text, "%s of %s matches, %s moves/s%s%s%s", text_grouped(status->ended, done),
             text_grouped(versus->matches, all), text_count((double)status->pieces / seconds, rate),
             *left ? ", about " : "", left, *left ? " left" : "");
    progress_show(&versus->progress, text);
}

// --- playing

typedef struct Players {
    Player *player[MATCH_MAX_SEATS];
    const Kernel *kernel;
    int count;
} Players;

static bool make_players(Players *players, const VersusOptions *options, const char **names, int *exit_code,
                         Error *error) {
    return app_players(names, players->count, &options->app, &players->kernel, players->player, exit_code,
                       error) &&
           app_check_output(options->app.json, error) && app_check_output(options->record, error);
}

static void show_kept(const Players *players, const Matches *matches, uint64_t number) {
    const char *names[MATCH_MAX_SEATS];
    for (int s = 0; s < players->count; s++)
        names[s] = player_strategy(players->player[s])->name;
    printf("\nMatch %" PRIu64 "\n\n", number);
    versus_draw(stdout, &matches->kept, names);
    putchar('\n');
    versus_print_end(stdout, &matches->kept, names);
}

static bool write_record(const VersusOptions *options, const Matches *matches, Error *error) {
    if (!options->record)
        return true;
    if (!matches->has_record) {
        fprintf(stderr, "No match was recorded: %s is as it was.\n", options->record);
        return true;
    }
    return record_write(&matches->record, options->record, error);
}

static bool is_dash(const char *path) {
    return path && !strcmp(path, "-");
}

static bool say(const VersusOptions *options, const VersusReport *report, const Players *players,
                Error *error) {
    const Matches *matches = report->matches;
    if (matches->ended == 0)
        return error_set(error, "interrupted before a match ended.");
    bool table = !is_dash(options->app.json) && !is_dash(options->record);
    if (table)
        versus_print(stdout, report);
    if (table && options->show && matches->has_kept)
        show_kept(players, matches, report->plan->kept);
    return !options->app.json || app_write_json(versus_json(report), options->app.json, error);
}

static int play(const VersusOptions *options, const Players *players) {
    Error error = {""};
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
    bool good = matches_run(&matches, &plan, &error);
    progress_end(&versus.progress);
    good = good && say(options, &report, players, &error);
    good = (good || matches.interrupted) && write_record(options, &matches, &error) && good;
    bool interrupted = matches.interrupted;
    matches_free(&matches);
    if (!good)
        return app_fail(&command_versus, &error, EXIT_FAILED);
    return interrupted ? EXIT_FAILED : EXIT_DONE;
}

static int run(void *chosen, const Arguments *arguments) {
    const VersusOptions *options = chosen;
    const char **names = arguments->operand;
    int count = arguments->operands;
    Error error = {""};
    if (options->replay)
        return replay_run(&command_versus, arguments, options->replay, options->app.json, options->show);
    if (!check_usage(options, count, &error))
        return app_fail(&command_versus, &error, EXIT_USAGE);
    Players players = {.count = count};
    int code;
    if (make_players(&players, options, names, &code, &error))
        code = play(options, &players);
    else
        app_fail(&command_versus, &error, code);
    for (int i = 0; i < players.count; i++)
        code = app_player_free(&command_versus, players.player[i], code);
    return code;
}

const Command command_versus = {
    "versus",
    "A B [C...]",
    "Play matches in which players send each other rows; the last one alive wins",
    "All players put down one piece at a time, in the same round. Removing n > 1 rows\n"
    "at once gives every opponent n-1 rows at the bottom, each with n-1 empty cells.\n"
    "Fahey's player (fahey) is the usual benchmark. Ctrl-C ends the run with the\n"
    "matches that have ended.\n",
    run,
    sizeof(VersusOptions),
    &versus_fields,
    .has_rules = true,
    .has_running = true,
    .without = " max-pieces "};
