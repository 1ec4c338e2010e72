// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab play: whole games of each strategy, the mean of their lines with its interval; also records one
// game and replays a recorded one.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/draw.h"
#include "app/play_report.h"
#include "base/progress.h"
#include "base/text.h"
#include "game/replay.h"
#include "measure/playing.h"
#include "player/player.h"
#include "player/strategy.h"

enum { DEFAULT_GAMES = 100 };

typedef struct PlayOptions {
    AppOptions app;
    uint64_t games; // 0: not given
    double until;   // per cent; 0: not given
    const char *record, *replay;
    bool show;
} PlayOptions;

// "15%" or "15"
static bool set_percentage(const Option *option, const char *text, Error *error) {
    char number[64];
    size_t length = strlen(text);
    if (length > 0 && text[length - 1] == '%')
        length--;
    if (length >= sizeof number)
        return error_set(error, "expected a percentage such as 15%%, got '%.60s'.", text);
    memcpy(number, text, length);
    number[length] = 0;
    return option_number(option, number, error);
}

static void add_options(OptionTable *table, PlayOptions *options) {
    const Option lines[] = {
        {"games", "N", option_count, &options->games, "Plays N games of each strategy (default 100).", 1,
         PLAYING_MOST_GAMES},
        {"until", "P%", set_percentage, &options->until,
         "Instead of --games: plays until the exact 95 % interval is within P % of the mean on both sides "
         "(default: "
         "off).",
         0.1, 1000},
        {"record", "FILE", option_text, &options->record,
         "Writes game 0 of the one strategy given to FILE, move by move (default: none).", 0, 0},
        {"replay", "FILE", option_text, &options->replay,
         "Plays no strategy, but the recorded game in FILE, and shows its end; fails if the moves do not "
         "make its "
         "score (default: none).",
         0, 0},
        {"show", NULL, option_flag, &options->show, "Draws the last position of game 0 of each strategy.", 0,
         0},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        app_add(table, lines[i]);
    app_add_rules(table, &options->app);
    app_add_running(table, &options->app);
}

static bool check_usage(const PlayOptions *options, int strategies, Error *error) {
    if (options->games && options->until > 0)
        return error_set(error, "--games and --until exclude each other: give one of them.");
    if (options->replay && (strategies || options->record || options->games || options->until > 0))
        return error_set(error,
                         "--replay shows a recorded game: it goes without strategies, --games, --until and "
                         "--record.");
    if (!options->replay && strategies == 0)
        return error_set(error,
                         "name at least one strategy, such as bcts or a file; 'tetralab strategies' lists "
                         "those built in.");
    if (options->record && strategies > 1)
        return error_set(error, "--record writes one game: give one strategy, not %d.", strategies);
    if (options->record && options->app.json && !strcmp(options->record, "-") &&
        !strcmp(options->app.json, "-"))
        return error_set(error, "--record and --json cannot both go to the standard output.");
    return rules_check(&options->app.rules, error);
}

// --- progress

typedef struct PlayProgress {
    Progress progress;
    const char *strategy;
    const PlayingPlan *plan;
} PlayProgress;

// Games have no age, so that the pieces to come are those of the games to come.
static double seconds_left(const PlayProgress *play, const PlayingStatus *status, double rate) {
    double each = (double)status->pieces / (double)status->ended;
    if (play->plan->games && play->plan->max_pieces && each > (double)play->plan->max_pieces)
        each = (double)play->plan->max_pieces;
    double left = (double)status->wanted * each - (double)status->pieces;
    return left > 0 ? left / rate : 0;
}

static void show_progress(void *context, const PlayingStatus *status) {
    PlayProgress *play = context;
    if (!progress_due(&play->progress))
        return;
    char text[256], done[32], wanted[32], rate_text[24], left[24] = "";
    double rate = (double)status->pieces / (progress_clock() - play->progress.started);
    uint64_t counted = play->plan->games ? status->ended + status->censored : status->ended;
    if (status->ended > 0)
        text_seconds(seconds_left(play, status, rate), left);
    snprintf(text, sizeof text, "%s: %s of %s games, %s pieces/s%s%s%s", play->strategy,
             text_grouped(counted, done), text_grouped(status->wanted, wanted), text_count(rate, rate_text),
             *left ? ", about " : "", left, *left ? " left" : "");
    progress_show(&play->progress, text);
}

// --- recording and replaying

// Plays game 0 again, one move after the other; a game too long to be recorded is stopped there.
static bool record_moves(const Player *player, const PlayOptions *options, Error *error) {
    const Rules *rules = player_rules(player);
    uint64_t limit = options->app.max_pieces < REPLAY_MAX_MOVES ? options->app.max_pieces : REPLAY_MAX_MOVES;
    Replay replay;
    Game game;
    game_start(&game, rules, options->app.seed, 0);
    replay_start(&replay, rules, player_strategy(player)->name, options->app.seed, 0);
    bool good = true;
    while (good && game.state == GAME_RUNNING && game.pieces < limit && !progress_interrupted) {
        Placement placement = player_choose(player, &game);
        if (placement == PLACEMENT_NONE) {
            game_end(&game);
        } else {
            good = replay_add(&replay, game.piece, placement, error);
            game_move(&game, rules, placement, NULL);
        }
    }
    replay_end(&replay, &game);
    good = good && replay_write(&replay, options->record, error);
    replay_free(&replay);
    if (good && game.pieces == limit && game.pieces < options->app.max_pieces)
        fprintf(stderr, "The record stops after %" PRIu64 " pieces, the most that one file can hold.\n",
                limit);
    return good;
}

static bool record_game(const PlayOptions *options, const Strategy *strategy, Error *error) {
    const Kernel *kernel = kernel_find(options->app.kernel, error);
    Player *player = kernel ? player_new(strategy, &options->app.rules, kernel, error) : NULL;
    bool good = player && record_moves(player, options, error);
    player_free(player);
    return good;
}

static json_t *replay_json(const Replay *replay) {
    json_t *object = json_object();
    app_json_rules(object, &replay->rules);
    json_object_set(object, "piece_source", json_object_get(object, "pieces"));
    json_object_set_new(object, "strategy", play_report_name(replay->strategy));
    json_object_set_new(object, "seed", play_report_whole(replay->seed));
    json_object_set_new(object, "game", play_report_whole(replay->index));
    json_object_set_new(object, "pieces", play_report_whole(replay->pieces));
    json_object_set_new(object, "lines", play_report_whole(replay->lines));
    return object;
}

static bool show_replay(const PlayOptions *options, Error *error) {
    Replay replay;
    Game game;
    const char *json = options->app.json;
    bool good = replay_read(&replay, options->replay, error) && replay_check(&replay, &game, error);
    if (good && (!json || strcmp(json, "-"))) {
        printf("%s, seed %" PRIu64 ", game %" PRIu64 "\n\n", replay.strategy, replay.seed, replay.index);
        draw_game(stdout, &game, &replay.rules);
    }
    good = good && (!json || app_write_json(replay_json(&replay), json, error));
    replay_free(&replay);
    return good;
}

// --- playing

static bool play_strategy(const PlayOptions *options, const Strategy *strategy, PlayResult *result,
                          Error *error) {
    const Kernel *kernel = kernel_find(options->app.kernel, error);
    Player *player = kernel ? player_new(strategy, &options->app.rules, kernel, error) : NULL;
    if (!player)
        return false;
    PlayingPlan plan = {.player = player,
                        .seed = options->app.seed,
                        .games = options->games || options->until > 0 ? options->games : DEFAULT_GAMES,
                        .precision = options->until / 100,
                        .max_pieces = options->app.max_pieces,
                        .jobs = (int)options->app.jobs,
                        .stop = &progress_interrupted,
                        .progress = show_progress};
    PlayProgress play = {.strategy = strategy->name, .plan = &plan};
    plan.context = &play;
    *result = (PlayResult){.rules = &options->app.rules,
                           .seed = plan.seed,
                           .max_pieces = plan.max_pieces,
                           .precision = plan.precision};
    snprintf(result->strategy, sizeof result->strategy, "%s", strategy->name);
    snprintf(result->kernel, sizeof result->kernel, "%s", kernel_name(kernel));
    progress_start(&play.progress, false);
    bool good = playing_run(&result->playing, &plan, error);
    progress_end(&play.progress);
    if (good && result->playing.games == 0)
        good = error_set(error, "%s: interrupted before a game began.", strategy->name);
    player_free(player);
    return good && summary_make(&result->summary, result->playing.score, result->playing.games, error);
}

// All strategies are read before the first is played: a misspelt one is told at once, not after an hour.
static bool find_strategies(Strategy *strategy, const char **names, int count, int *width, Error *error) {
    *width = (int)strlen("strategy");
    for (int i = 0; i < count; i++) {
        if (!strategy_find(&strategy[i], names[i], error))
            return false;
        int length = (int)strlen(strategy[i].name);
        *width = length > *width ? length : *width;
    }
    return true;
}

static void print_head(const PlayOptions *options, int width) {
    const Rules *rules = &options->app.rules;
    printf("%dx%d, %s overflow, game over: %s, %s rules, pieces %s, seed %" PRIu64 "\n\n", rules->width,
           rules->height, rules_overflow_name(rules->overflow), rules_gameover_name(rules->gameover),
           rules->original ? "original" : "simplified", rules->pieces.name, options->app.seed);
    play_report_head(stdout, width);
    fflush(stdout);
}

static bool write_json(const PlayResult *result, int count, const char *path, Error *error) {
    if (!path)
        return true;
    if (count == 1)
        return app_write_json(play_report_json(result), path, error);
    json_t *array = json_array();
    for (int i = 0; i < count; i++)
        json_array_append_new(array, play_report_json(&result[i]));
    return app_write_json(array, path, error);
}

static void show_games(const PlayResult *result, int count) {
    for (int i = 0; i < count; i++) {
        printf("\n%s, seed %" PRIu64 ", game 0\n\n", result[i].strategy, result[i].seed);
        draw_game(stdout, &result[i].playing.first, result[i].rules);
    }
}

// <- how many results there are: fewer than strategies after an interrupt. -1: failed
static int play_all(const PlayOptions *options, const Strategy *strategy, int count, PlayResult *result,
                    int width, bool table, Error *error) {
    int done = 0;
    while (done < count && !progress_interrupted) {
        if (!play_strategy(options, &strategy[done], &result[done], error))
            return -1;
        if (table)
            play_report_row(stdout, &result[done], width);
        fflush(stdout);
        done++;
    }
    return done;
}

static int play(const PlayOptions *options, const Strategy *strategy, int count, PlayResult *result,
                int width) {
    Error error = {""};
    bool table = !(options->app.json && !strcmp(options->app.json, "-")) &&
                 !(options->record && !strcmp(options->record, "-"));
    progress_catch_interrupt();
    if (table)
        print_head(options, width);
    int done = play_all(options, strategy, count, result, width, table, &error);
    if (done > 0 && table)
        play_report_notes(stdout, result, done);
    if (done > 0 && table && options->show)
        show_games(result, done);
    if (done < 0 || !write_json(result, done, options->app.json, &error))
        return app_fail(&command_play, &error, EXIT_FAILED);
    if (options->record && !record_game(options, strategy, &error))
        return app_fail(&command_play, &error, EXIT_FAILED);
    return done < count || result[done - 1].playing.interrupted ? EXIT_FAILED : EXIT_DONE;
}

static int run_parsed(const PlayOptions *options, const char **names, int count) {
    Error error = {""};
    if (!check_usage(options, count, &error))
        return app_fail(&command_play, &error, EXIT_USAGE);
    if (options->replay)
        return show_replay(options, &error) ? EXIT_DONE : app_fail(&command_play, &error, EXIT_FAILED);
    Strategy *strategy = calloc((size_t)count, sizeof *strategy);
    PlayResult *result = aligned_alloc(_Alignof(PlayResult), (size_t)count * sizeof *result);
    int width, code;
    if (!strategy || !result) {
        error_set(&error, "There is no memory for %d strategies.", count);
        code = app_fail(&command_play, &error, EXIT_FAILED);
    } else if (!find_strategies(strategy, names, count, &width, &error)) {
        code = app_fail(&command_play, &error, EXIT_FAILED);
    } else {
        memset(result, 0, (size_t)count * sizeof *result);
        code = play(options, strategy, count, result, width);
        for (int i = 0; i < count; i++)
            playing_free(&result[i].playing);
    }
    free(strategy);
    free(result);
    return code;
}

static int run(int argc, char **argv) {
    PlayOptions options = {0};
    OptionTable table = {.count = 0};
    app_defaults(&options.app);
    add_options(&table, &options);
    const char **operands = calloc((size_t)argc + 1, sizeof *operands);
    int count = 0, code = EXIT_FAILED;
    if (operands && app_parse(&command_play, &table, argc, argv, operands, &count, &code))
        code = run_parsed(&options, operands, count);
    free(operands);
    app_free(&options.app);
    return code;
}

const Command command_play = {"play", "STRATEGY...",
                              "plays whole games and prints the mean of their lines with its 95 % interval",
                              run};
