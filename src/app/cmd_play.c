// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab play: whole games of each strategy, the mean of their lines with its interval; also records one
// game and replays a recorded one.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/play_report.h"
#include "app/replay.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "game/record.h"
#include "measure/playing.h"
#include "player/player.h"
#include "player/strategy.h"
#include "tasks/long_games.h"

enum { DEFAULT_GAMES = 100 };

typedef struct PlayOptions {
    AppOptions app;
    uint64_t games; // 0: not given
    double until;   // per cent; 0: not given
    const char *record, *replay;
    bool show, same_pieces;
} PlayOptions;

static const Field play_field[] = {
    {"games", FIELD_WHOLE, FIELD_AT(PlayOptions, games), .preset = NAN,
     .otherwise = "100, or 1 if all would be the same", .least = 1, .most = PLAYING_MAX_GAMES,
     .argument = "N", .help = "Play N games of each strategy."},
    {"until", FIELD_OTHER, FIELD_AT(PlayOptions, until), .type = &field_percentage, .least = 0.1,
     .most = 1000, .argument = "P%",
     .help =
         "Instead of --games: play until the exact 95 % interval is within P % of the mean on both sides."},
    {"same-pieces", FIELD_FLAG, FIELD_AT(PlayOptions, same_pieces),
     .help = "Every game has the pieces of game 0, but its own random numbers: for players that draw some, "
             "such as uct."},
    {"record", APP_OUTPUT(FIELD_AT(PlayOptions, record)),
     .help = "Also write game 0 of the one strategy given to FILE, move by move."},
    {"replay", FIELD_STRING, FIELD_AT(PlayOptions, replay), .file = FIELD_READS, .argument = "FILE",
     .help = "Play no strategy, but the recorded game or match in FILE, and show its end; fail if the moves "
             "do not make its score."},
    {"show", FIELD_FLAG, FIELD_AT(PlayOptions, show),
     .help = "Draw the last position of game 0 of each strategy; with --replay, every move."},
};

static bool check_same_pieces(const PlayOptions *options, Error *error) {
    if (options->same_pieces && options->until > 0)
        return error_set(error, "--until goes by how scores vary from one sequence of pieces to the next: "
                                "with --same-pieces give --games.");
    return !options->same_pieces || options->app.rules.pieces.law != PIECES_RECORDED ||
           error_set(error, "a file of pieces is the same in every game already: leave out --same-pieces.");
}

static bool check_usage(const PlayOptions *options, const Arguments *arguments, Error *error) {
    int strategies = arguments->operands;
    if (arguments_given(arguments, "games") && options->until > 0)
        return error_set(error, "--games and --until exclude each other: give one of them.");
    if (strategies == 0)
        return error_set(error, "name at least one strategy, such as bcts or a file; 'tetralab strategies' "
                                "lists those built in.");
    if (options->record && strategies > 1)
        return error_set(error, "--record writes one game: give one strategy, not %d.", strategies);
    return check_same_pieces(options, error) && rules_check(&options->app.rules, error);
}

// --- progress

typedef struct PlayProgress {
    Progress progress;
    const char *strategy;
    const PlayingPlan *plan;
} PlayProgress;

// Games have no age, so that the pieces to come are those of the games to come.
static double seconds_left(const PlayProgress *play, const Advance *advance, double rate) {
    double each = (double)advance->pieces / (double)advance->done;
    if (play->plan->games && play->plan->max_pieces && each > (double)play->plan->max_pieces)
        each = (double)play->plan->max_pieces;
    return ((double)advance->wanted * each - (double)advance->pieces) / rate;
}

static void show_progress(void *context, const Advance *advance) {
    PlayProgress *play = context;
    if (!progress_due(&play->progress))
        return;
    char done[32], wanted[32], rate_text[24], left[PROGRESS_LEFT];
    double rate = progress_rate(&play->progress, advance->pieces);
    progress_show(&play->progress, "%s: %s of %s games, %s pieces/s%s", play->strategy,
                  text_grouped(advance->done, done), text_grouped(advance->wanted, wanted),
                  text_count(rate, rate_text),
                  progress_left(advance->done ? seconds_left(play, advance, rate) : NAN, left));
}

// --- recording

// Plays game 0 again, one move after the other; a game too long to be recorded is stopped there.
static bool play_record(const Player *player, const PlayOptions *options, Record *record, Error *error) {
    uint64_t limit = options->app.max_pieces < RECORD_MAX_MOVES ? options->app.max_pieces : RECORD_MAX_MOVES;
    Match match;
    match_start(&match, player_rules(player), 1, record->sequence, record->seed, record->number);
    while (match.end == MATCH_RUNNING && match.rounds < limit && !progress_interrupted) {
        Placement move = player_choose(player, &match.game[0]);
        if (!record_add(record, &move, error))
            return false;
        match_round(&match, &move);
    }
    player_forget(player, &match.game[0]);
    if (progress_interrupted)
        fprintf(stderr, "The record stops after %" PRIu64 " pieces, where it was interrupted.\n",
                match.game[0].pieces);
    else if (match.end == MATCH_RUNNING && limit < options->app.max_pieces)
        fprintf(stderr, "The record stops after %" PRIu64 " pieces, the most that one file can hold.\n",
                limit);
    if (match.end == MATCH_RUNNING && !progress_interrupted)
        match.end = MATCH_LIMIT;
    record_end(record, &match);
    return record_write(record, options->record, error);
}

static bool record_game(const Player *player, const PlayOptions *options, Error *error) {
    const char *name = player_strategy(player)->name;
    Record record;
    if (progress_interrupted) {
        utf8_print(stderr, "No game was recorded: %s is as it was.\n", options->record);
        return true;
    }
    if (!strategy_nature(player_strategy(player)).repeats)
        utf8_print(stderr,
                   "The record is of one more game than those above, since %s does not play a game twice.\n",
                   name);
    bool good =
        record_start(&record, player_rules(player), 1, &name, MATCH_SAME, options->app.seed, 0, error) &&
        play_record(player, options, &record, error);
    record_free(&record);
    return good;
}

// --- playing

static bool play_strategy(const PlayOptions *options, const Player *player, const Kernel *kernel,
                          PlayResult *result, Error *error) {
    const char *name = player_strategy(player)->name;
    uint64_t games = playing_is_fixed(player) ? 1 : DEFAULT_GAMES;
    PlayingPlan plan = {
        .player = player,
        .seed = options->app.seed,
        .games = options->games || options->until > 0 ? options->games : games,
        .precision = options->until / 100,
        .max_pieces = options->app.max_pieces,
        .same_pieces = options->same_pieces,
        .work = {.jobs = (int)options->app.jobs, .stop = &progress_interrupted, .progress = show_progress}};
    PlayProgress play = {.strategy = name, .plan = &plan};
    plan.work.context = &play;
    *result = (PlayResult){.rules = &options->app.rules,
                           .seed = plan.seed,
                           .max_pieces = plan.max_pieces,
                           .same_pieces = plan.same_pieces,
                           .precision = plan.precision};
    snprintf(result->strategy, sizeof result->strategy, "%s", name);
    snprintf(result->kernel, sizeof result->kernel, "%s", kernel_name(kernel));
    bool limited = plan.max_pieces != UINT64_MAX;
    LongGames watch = {.player = {player},
                       .players = limited ? 0 : 1,
                       .games =
                           plan.games ? plan.games : interval_games_for(plan.precision, PLAYING_MAX_GAMES),
                       .jobs = plan.work.jobs,
                       .command = "play"};
    progress_start(&play.progress, false);
    long_games_begin(&watch);
    bool good = playing_run(&result->playing, &plan, error);
    long_games_end(&watch);
    progress_end(&play.progress);
    if (good && result->playing.games == 0)
        good = error_set(error, "%s: interrupted before a game began.", name);
    return good && summary_make(&result->summary, result->playing.score, result->playing.games, error);
}

// One strategy: an object; several: a list, even if an interrupt left only some of them.
static bool write_json(const PlayResult *result, int count, bool list, const char *path, Error *error) {
    if (!path)
        return true;
    if (!list)
        return app_write_json(play_report_json(result), path, error);
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, play_report_json(&result[i]));
    return app_write_json(array, path, error);
}

static void show_games(const PlayResult *result, int count) {
    for (int i = 0; i < count; i++) {
        utf8_print(stdout, "\n%s, seed %" PRIu64 ", game 0\n\n", result[i].strategy, result[i].seed);
        draw_game(stdout, &result[i].playing.first, NULL, result[i].rules);
    }
}

static bool check_players(const AppPlayers *players, const PlayOptions *options, Error *error) {
    for (int i = 0; i < players->count && options->same_pieces; i++)
        if (!player_draws(players->player[i]))
            return error_set(error,
                             "--same-pieces: %s draws no random numbers and would play the same game every "
                             "time; leave it out, or give a player such as uct.",
                             app_player_name(players, i));
    return true;
}

// <- how many have played; fewer than all after Ctrl-C. Below 0: one failed
static int play_all(const PlayOptions *options, const AppPlayers *players, PlayResult *result, Error *error) {
    Table table = {.out = stdout};
    int names = (int)strlen("strategy"), done = 0;
    for (int i = 0; i < players->count; i++)
        names = table_wider(names, app_player_name(players, i));
    if (!options->app.quiet) {
        app_print_rules(stdout, &options->app.rules, options->same_pieces ? ", the same in every game" : "",
                        options->app.seed);
        fputs("\n\n", stdout);
        play_report_head(&table, names);
    }
    for (; done < players->count && !progress_interrupted; done++) {
        fflush(stdout);
        if (!play_strategy(options, players->player[done], players->kernel, &result[done], error))
            return -1;
        if (!options->app.quiet)
            play_report_row(&table, &result[done]);
    }
    return done;
}

static int play(const PlayOptions *options, const AppPlayers *players, PlayResult *result, Error *error) {
    progress_catch_interrupt();
    int done = play_all(options, players, result, error);
    if (done > 0 && !options->app.quiet) {
        play_report_notes(stdout, result, done);
        if (options->show)
            show_games(result, done);
    }
    if (done < 0 || !write_json(result, done, players->count > 1, options->app.json, error) ||
        (done > 0 &&
         !outputs_write(&options->app, play_report_table, play_report_plot, result, done, error)) ||
        (options->record && !record_game(players->player[0], options, error)))
        return EXIT_FAILED;
    return done < players->count || result[done - 1].playing.interrupted ? EXIT_FAILED : EXIT_DONE;
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    const PlayOptions *options = chosen;
    if (options->replay)
        return replay_run(arguments, options->replay, &options->app, options->show, error);
    if (!check_usage(options, arguments, error))
        return EXIT_USAGE;
    AppPlayers players;
    size_t size = (size_t)arguments->operands * sizeof(PlayResult);
    PlayResult *result = aligned_alloc(_Alignof(PlayResult), size);
    int code;
    if (result)
        memset(result, 0, size);
    if (app_players(&players, &options->app, arguments, &code, error)) {
        if (!check_players(&players, options, error))
            code = EXIT_USAGE;
        else if (!result)
            error_set(error, "Out of memory for %d strategies.", players.count);
        else
            code = play(options, &players, result, error);
    }
    for (int i = 0; result && i < players.count; i++)
        playing_free(&result[i].playing);
    free(result);
    return app_players_free(&players, code);
}

const Command command_play = COMMAND(
    "play", "STRATEGY...", PlayOptions, play_field,
    "Play whole games and print the mean of their lines with its 95 % interval",
    "A strategy is a built-in name ('tetralab strategies' lists them) or a file: JSON,\n"
    "or a .dat file of mdptetris. Several are played one after the other, game k of\n"
    "each with the same pieces. Ctrl-C ends the run with what it has.\n",
    .has_rules = true, .has_running = true,
    .picture = "Also draw FILE (.svg, .png, .pdf or .eps): the scores of one strategy beside the exponential "
               "law of their mean, the means of several with their 95 % intervals.");
