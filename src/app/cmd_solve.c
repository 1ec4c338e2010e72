// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab solve: the exact optimum of a small board, as a number and as a strategy, checked by playing.
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "base/clock.h"
#include "base/fields_json.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/replacing.h"
#include "base/text.h"
#include "base/utf8.h"
#include "measure/interval.h"
#include "measure/playing.h"
#include "measure/solving.h"
#include "player/value_file.h"

enum { CHECKPOINT_SECONDS = 1, PATH_ROOM = 1024 };
#define MAX_DEVIATION 5.5    // standard errors between exact and played mean: chance 4e-8
#define JUDGED_GAMES  1000.0 // from so many on: the standard error of few games is itself too uncertain

typedef struct SolveOptions {
    AppOptions app;
    const char *out;
    bool resume;
    uint64_t games;
    char strategy[PATH_ROOM], table[PATH_ROOM], checkpoint[PATH_ROOM]; // files; empty without --out
} SolveOptions;

typedef struct Check {
    Summary summary;
    double deviation; // (played - exact) / standard error
} Check;

// ---------------------------------------------------------------------------------------------------
// Names of files

static bool ends_with(const char *text, size_t length, const char *ending) {
    size_t size = strlen(ending);
    return length > size && !memcmp(text + length - size, ending, size);
}

static const char *const endings[] = {".json", ".values", ".checkpoint", NULL};

// --out optimal, optimal.json or optimal.values: all name the same three files.
static bool name_files(SolveOptions *options, Error *error) {
    char *const file[] = {options->strategy, options->table, options->checkpoint};
    if (!options->out)
        return !options->resume || error_set(error, "--resume needs --out, which names the checkpoint.");
    size_t length = strlen(options->out);
    for (int i = 0; i < 3; i++)
        if (ends_with(options->out, length, endings[i])) {
            length -= strlen(endings[i]);
            break;
        }
    if (length == 0 || options->out[length - 1] == '/' || !strcmp(options->out, "-"))
        return error_set(error, "--out: expected a name for files, as in optimal-5x5, got '%.60s'.",
                         options->out);
    if (utf8_first_invalid(options->out, strlen(options->out)) < strlen(options->out) ||
        utf8_has_control(options->out, strlen(options->out)))
        return error_set(error, "--out: the strategy could not name its table: use printable UTF-8 only.");
    if (length > PATH_ROOM - 32)
        return error_set(error, "--out: the name is longer than %d bytes.", PATH_ROOM - 32);
    for (int i = 0; i < 3; i++)
        snprintf(file[i], PATH_ROOM, "%.*s%s", (int)length, options->out, endings[i]);
    return true;
}

// Without --out the table lives in a file that is removed as soon as the player has it.
static bool temporary_table(Temporary *table, Error *error) {
    char path[PATH_ROOM];
    const char *folder = getenv("TMPDIR");
    snprintf(path, PATH_ROOM, "%.900s/tetralab-values", folder && *folder ? folder : "/tmp");
    replacing_sweep(path);
    return temporary_make(table, path, NULL) ||
           error_set(error,
                     "cannot write %.300s, where the table to be played goes: set TMPDIR, give --out, or "
                     "--check-games 0.",
                     path);
}

static bool check_files(const SolveOptions *options, Error *error) {
    Temporary table;
    if (!options->out && options->games && !temporary_table(&table, error))
        return false;
    if (!options->out && options->games)
        temporary_end(&table);
    if (!options->out)
        return true;
    bool there = access(options->checkpoint, F_OK) == 0;
    if (there && !options->resume)
        return error_set(
            error,
            "%.300s is there, from a run that has not ended: add --resume to go on with it, or remove it.",
            options->checkpoint);
    if (!there && options->resume)
        return error_set(error, "There is nothing to resume: %.300s does not exist.", options->checkpoint);
    Strategy old;
    if (access(options->strategy, F_OK) == 0 &&
        (!strategy_find(&old, options->strategy, NULL) || old.player != PLAYER_TABLE))
        return error_set(error,
                         "%.300s is there and is no strategy of solve: give another --out, or remove it.",
                         options->strategy);
    return text_can_write(options->strategy, error) && text_can_write(options->table, error) &&
           text_can_write(options->checkpoint, error);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// ---------------------------------------------------------------------------------------------------
// Memory and progress

static const char *bytes_text(uint64_t bytes, char out[24]) {
    static const char *const units[] = {"KiB", "MiB", "GiB"};
    double value = (double)bytes / 1024;
    int unit = 0;
    for (; unit < 2 && value >= 1000; unit++)
        value /= 1024;
    snprintf(out, 24, value < 10 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return out;
}

// Said before it starts, and refused if it is not there.
static bool check_memory(const Rules *rules, Error *error) {
    char need_text[24], have_text[24], boards[32];
    uint64_t need = solving_memory(rules), have = solving_memory_available();
    bytes_text(need, need_text);
    if (need > have)
        return error_set(error, "%dx%d needs up to %s of memory, and this machine has %s to give at present.",
                         rules->width, rules->height, need_text, bytes_text(have, have_text));
    utf8_print(stderr, "%dx%d, %s overflow, pieces %s: at most %s values, %s of memory.\n", rules->width,
               rules->height, rules_overflow_name(rules->overflow), rules->pieces.name,
               text_grouped(reachable_bound(rules).boards, boards), need_text);
    return true;
}

// The bound falls by about the same factor in equal times.
static double seconds_left(const Progress *progress, const SolvingStatus *status) {
    double wanted = log(status->first_bound / SOLVING_TOLERANCE);
    double done = log(status->first_bound / status->bound);
    return (clock_seconds() - progress->started) * (wanted / done - 1);
}

static void show_progress(void *context, const SolvingStatus *status) {
    Progress *progress = context;
    char left[PROGRESS_LEFT], boards[32];
    if (!progress_due(progress))
        return;
    if (status->boards == 0) {
        progress_show(progress, "looking for the boards that can be reached");
        return;
    }
    bool known = status->first_bound > 0 && status->bound < status->first_bound;
    progress_show(progress, "%s boards, sweep %" PRIu64 " (%.0f %%): at least %.6f lines%s",
                  text_grouped(status->boards, boards), status->sweeps + 1, 100 * status->part, status->mean,
                  progress_left(known ? seconds_left(progress, status) : NAN, left));
}

// ---------------------------------------------------------------------------------------------------
// The strategy, and playing it

static void make_strategy(Strategy *strategy, const SolveOptions *options, const Solving *solving,
                          const char *table) {
    const Rules *rules = &options->app.rules;
    char name[64];
    snprintf(name, sizeof name, "optimal-%dx%d", rules->width, rules->height);
    strategy_empty(strategy, options->out ? options->strategy : name);
    strategy_set_player(strategy, PLAYER_TABLE);
    snprintf(strategy->source, sizeof strategy->source,
             "tetralab solve: %dx%d, %s overflow, pieces %.80s: %.6f lines", rules->width, rules->height,
             rules_overflow_name(rules->overflow), rules->pieces.name, solving->mean);
    snprintf(strategy->table, sizeof strategy->table, "%s", table);
}

static bool write_strategy(const SolveOptions *options, const Solving *solving, Error *error) {
    Strategy strategy;
    make_strategy(&strategy, options, solving, base_name(options->table));
    char *text = strategy_to_json(&strategy);
    bool good = text ? text_write_file(options->strategy, text, strlen(text), error)
                     : error_set(error, "There is no memory to write %.300s.", options->strategy);
    free(text);
    return good;
}

// In a folder that others write to as well, nobody can then put a link in its place.
static bool claim(const char *path, Error *error) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return file < 0 ? error_set(error, "cannot write %.300s: %s.", path, strerror(errno)) : !close(file);
}

static Player *make_player(const SolveOptions *options, const Solving *solving, Error *error) {
    Strategy strategy;
    Temporary table = {-1, NULL};
    if (!options->out && !temporary_table(&table, error))
        return NULL;
    char path[PATH_ROOM + 16];
    snprintf(path, sizeof path, "%s%s", options->out ? options->table : table.name,
             options->out ? "" : TEMPORARY_COMPANION);
    make_strategy(&strategy, options, solving, path);
    Player *player = NULL;
    if (options->out || (claim(path, error) && solving_write(solving, &options->app.rules, path, error)))
        player = player_new(&strategy, &options->app.rules, NULL, error);
    if (!options->out)
        unlink(path);
    temporary_end(&table);
    return player;
}

static void show_games(void *context, const PlayingStatus *status) {
    char done[32], wanted[32];
    if (progress_due(context))
        progress_show(context, "playing it: %s of %s games", text_grouped(status->ended, done),
                      text_grouped(status->wanted, wanted));
}

// Plays the table as any strategy is played. <- false also if what it plays is not what was computed
static bool play_check(const SolveOptions *options, const Solving *solving, Check *check, Error *error) {
    Player *player = make_player(options, solving, error);
    if (!player)
        return false;
    Progress progress;
    Playing playing = {0};
    PlayingPlan plan = {.player = player,
                        .seed = options->app.seed,
                        .games = options->games,
                        .jobs = (int)options->app.jobs,
                        .stop = &progress_interrupted,
                        .progress = show_games,
                        .context = &progress};
    progress_start(&progress, false);
    bool good = playing_run(&playing, &plan, error);
    progress_end(&progress);
    if (good && playing.interrupted)
        good = error_set(error, "interrupted while the games of the check were played.");
    good = good && summary_make(&check->summary, playing.score, playing.games, error);
    playing_free(&playing);
    player_free(player);
    if (!good)
        return false;
    double spread = check->summary.sd / sqrt((double)check->summary.games);
    check->deviation = spread > 0 ? (check->summary.mean - solving->mean) / spread : 0;
    return (double)check->summary.games < JUDGED_GAMES || fabs(check->deviation) < MAX_DEVIATION ||
           error_set(error,
                     "The table was played with a mean of %.6f lines, %.1f standard errors from the %.6f "
                     "that were computed: one of the two is wrong.",
                     check->summary.mean, fabs(check->deviation), solving->mean);
}

// ---------------------------------------------------------------------------------------------------
// What is printed

static void print_result(const SolveOptions *options, const Solving *solving) {
    char a[32], b[32], c[24];
    printf("optimum    %.6f lines, at most %.1g more\n", solving->mean, solving->bound);
    printf("boards     %s can be reached, %s values kept\n", text_grouped(solving->reachable.boards, a),
           text_grouped(solving->reachable.set.boards, b));
    printf("work       %" PRIu64 " sweeps, %s, %s of memory\n", solving->sweeps,
           text_seconds(solving->seconds, a), bytes_text(solving->memory, c));
    if (options->out)
        utf8_print(stdout, "strategy   %s, with its values in %s\n", options->strategy, options->table);
    fflush(stdout);
}

static void print_check(const Check *check, uint64_t seed) {
    char games[32];
    const Summary *summary = &check->summary;
    if (isnan(summary->normal.low)) { // a single game has no interval
        printf("played     %.4f lines (%s game, seed %" PRIu64 ")\n", summary->mean,
               text_grouped(summary->games, games), seed);
        return;
    }
    printf("played     %.4f lines, 95 %% interval %.4f .. %.4f (%s games, seed %" PRIu64
           "): %.1f standard errors %s the optimum\n",
           summary->mean, summary->normal.low, summary->normal.high, text_grouped(summary->games, games),
           seed, fabs(check->deviation), check->deviation < 0 ? "below" : "above");
}

static json_t *check_json(const Check *check, uint64_t seed) {
    const Summary *summary = &check->summary;
    Interval interval = summary->normal;
    bool known = !isnan(interval.low) && !isnan(interval.high);
    return json_pack(
        "{s:I, s:f, s:o, s:o, s:o}", "games", (json_int_t)summary->games, "mean_lines", summary->mean, "ci95",
        known ? json_pack("[f, f]", interval.low, interval.high) : json_pack("[n, n]"), "deviation",
        known ? json_real(check->deviation) : json_null(), "seed", json_whole(seed));
}

static json_t *result_json(const SolveOptions *options, const Solving *solving, const Check *check) {
    json_t *object = json_object();
    json_object_set_new(object, "mean_lines", json_real(solving->mean));
    json_object_set_new(object, "error_bound", json_real(solving->bound));
    json_object_set_new(object, "states", json_whole(solving->reachable.boards));
    json_object_set_new(object, "values", json_whole(solving->reachable.set.boards));
    json_object_set_new(object, "sweeps", json_whole(solving->sweeps));
    json_object_set_new(object, "seconds", json_real(solving->seconds));
    json_object_set_new(object, "memory_bytes", json_whole(solving->memory));
    json_object_set_new(object, "strategy", options->out ? json_name(options->strategy) : json_null());
    json_object_set_new(object, "check", options->games ? check_json(check, options->app.seed) : json_null());
    fields_save(rules_fields, &options->app.rules, object);
    json_object_set_new(object, "version", json_string(TETRALAB_VERSION));
    return object;
}

// ---------------------------------------------------------------------------------------------------
// The command

static bool run_solver(const SolveOptions *options, Solving *solving, Error *error) {
    Progress progress;
    SolvingPlan plan = {.rules = &options->app.rules,
                        .jobs = (int)options->app.jobs,
                        .tolerance = SOLVING_TOLERANCE,
                        .checkpoint = options->out ? options->checkpoint : NULL,
                        .checkpoint_seconds = CHECKPOINT_SECONDS,
                        .resume = options->resume,
                        .stop = &progress_interrupted,
                        .progress = show_progress,
                        .context = &progress};
    progress_catch_interrupt();
    progress_start(&progress, false);
    bool good = solving_run(solving, &plan, error);
    progress_end(&progress);
    if (good && solving->interrupted)
        return error_set(error, "interrupted after %" PRIu64 " sweeps: the optimum is at least %.6f lines%s.",
                         solving->sweeps, solving->mean,
                         options->out && access(options->checkpoint, F_OK) == 0
                             ? "; the same command with --resume goes on from here"
                             : "");
    return good;
}

static bool solve(const SolveOptions *options, Solving *solving, Error *error) {
    Check check = {.deviation = 0};
    if (!run_solver(options, solving, error))
        return false;
    if (options->out) {
        if (!solving_write(solving, &options->app.rules, options->table, error) ||
            !write_strategy(options, solving, error))
            return false;
        unlink(options->checkpoint);
    }
    if (!options->app.quiet)
        print_result(options, solving);
    if (options->games && !play_check(options, solving, &check, error))
        return false;
    if (!options->app.quiet && options->games)
        print_check(&check, options->app.seed);
    return app_write_json(result_json(options, solving, &check), options->app.json, error);
}

// The best player is asked for, under one rule for moves that end the game, without a kernel.
static const Field solve_field[] = {
    {"board", FIELD_OTHER, FIELD_AT(SolveOptions, app.rules.width), .type = &rules_board_type,
     .otherwise = "5x5", .argument = "WxH", .help = "Width and height of the board, at most 30 cells."},
    {"out", FIELD_STRING, FIELD_AT(SolveOptions, out), .file = FIELD_WRITES, .endings = endings,
     .preset = NAN, .otherwise = "nothing is kept", .argument = "NAME",
     .help =
         "Write the strategy NAME.json and its table NAME.values; NAME.checkpoint is there while it works."},
    {"resume", FIELD_FLAG, FIELD_AT(SolveOptions, resume), .help = "Go on from NAME.checkpoint."},
    {"check-games", FIELD_WHOLE, FIELD_AT(SolveOptions, games), .preset = 100000, .most = PLAYING_MAX_GAMES,
     .argument = "N",
     .help = "Play N games with the table and compare their mean with the optimum; 0: none."},
};

static int run(void *chosen, const Arguments *arguments, Error *error) {
    SolveOptions *options = chosen;
    Solving solving = {.value = NULL};
    if (arguments->operands > 0)
        error_set(error, "solve takes options only: give the board as --board 5x5.");
    if (arguments->operands > 0 || !rules_check(&options->app.rules, error) ||
        !solving_check(&options->app.rules, error) || !name_files(options, error))
        return EXIT_USAGE;
    bool good = check_files(options, error) && check_memory(&options->app.rules, error) &&
                solve(options, &solving, error);
    solving_free(&solving);
    return good ? EXIT_DONE : EXIT_FAILED;
}

const Command command_solve =
    COMMAND("solve", "", SolveOptions, solve_field,
            "Compute the best mean that any player can reach on a small board",
            "The value of every reachable board, exactly: up to 30 cells, such as 4x7, 5x6 or\n"
            "7x4. The best player is a strategy of the kind table, to be played like any\n"
            "other. Ctrl-C keeps what was done if --out is given.\n",
            .has_rules = true, .has_running = true, .without = " board gameover rules max-pieces kernel ");
