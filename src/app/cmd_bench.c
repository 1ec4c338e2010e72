// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab bench: the signature of fixed games, which must be the same on every kernel, and how fast each
// kernel does what users wait for: whole games side by side, splitting, looking ahead, one board alone.
// Pinning to a core is left to the caller (taskset).
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "app/outputs.h"
#include "base/clock.h"
#include "base/fields_json.h"
#include "base/pool.h"
#include "base/progress.h"
#include "base/text.h"
#include "base/utf8.h"
#include "measure/splitting.h"
#include "player/player.h"
#include "player/signature.h"
#include "player/strategy.h"
#include "plot/intervals.h"

enum { FIRST_SLICE = 1, MAX_SLICE = 1 << 20, MAX_KERNELS = 16, GAMES = 512, GAMES_AHEAD = 128, TRIALS = 500 };
static const double SLICE_SECONDS = 0.01, WARM_UP = 0.1; // WARM_UP: part of the wanted time played before it

typedef enum BenchWork { WORK_GAMES, WORK_SPLITTING, WORK_AHEAD, WORK_ALONE, WORKS } BenchWork;
static const char *const work_words[] = {"games", "splitting", "ahead", "alone", "all", NULL};
static const char *const work_keys[] = {"pieces_per_second", "splitting_pieces_per_second",
                                        "ahead_pieces_per_second", "alone_pieces_per_second"};

typedef struct BenchOptions {
    AppOptions app;
    const char *strategy;
    int work; // WORKS: all
    double seconds;
    bool signature_only, processor_time;
} BenchOptions;

typedef struct KernelResult {
    const Kernel *kernel;
    const char *design; // of the strategy's rating in this kernel; "-": it has none
    uint64_t signature;
    double pieces_per_second[WORKS]; // NAN: not timed
    double placements_per_second;    // in games
} KernelResult;

// --- timing

// One thread's games, side by side.
typedef struct OwnGames {
    const struct Timing *timing;
    Game *game;
    Turn *turn;
    uint64_t next, step; // number of the next game to start; threads take turns
    uint64_t slice;      // moves of each game
    Error error;
} OwnGames;

typedef struct Timing {
    const Player *player;
    BenchWork work;
    int games; // side by side
    SplittingPlan plan;
    uint64_t seed, jobs;
    bool processor_time;
    double seconds;
    double *rate; // pieces/s of each thread
} Timing;

static void start_game(OwnGames *own, Game *game) {
    const Timing *timing = own->timing;
    game_start(game, player_rules(timing->player), timing->seed, own->next);
    own->next += own->step;
}

// Games that are lost are followed by others.
static bool next_game(void *context, Turn *turn) {
    OwnGames *own = context;
    if (turn->game->state == GAME_RUNNING)
        return false;
    turn->moves -= turn->moves > 0; // a game that is lost at once must not be played for ever
    start_game(own, turn->game);
    return turn->moves > 0;
}

// <- pieces
static uint64_t do_work(OwnGames *own) {
    const Timing *timing = own->timing;
    SplittingRun run;
    if (timing->work == WORK_SPLITTING)
        return splitting_repeat(&timing->plan, own->next += own->step, &run, &own->error) ? run.pieces : 0;
    for (int k = 0; k < timing->games; k++)
        own->turn[k] = (Turn){&own->game[k], own->slice, -1, TURN_ANY_HEIGHT};
    player_run_turns(timing->player, timing->games, own->turn, next_game, own);
    return own->slice * (uint64_t)timing->games;
}

static uint64_t play_slice(OwnGames *own) {
    double start = clock_seconds();
    uint64_t pieces = do_work(own);
    if (clock_seconds() - start < SLICE_SECONDS / 2 && own->slice < MAX_SLICE)
        own->slice *= 2;
    return pieces;
}

// Without --jobs one thread is timed by the processor time it gets, which other programs on the machine
// disturb little; with it, the time that passes is what counts, for one thread as for several.
static double bench_clock(const Timing *timing) {
    struct timespec now;
    clock_gettime(timing->processor_time ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double play_for(const Timing *timing, OwnGames *own, double seconds) {
    double start = bench_clock(timing), now = start;
    uint64_t pieces = 0;
    while (now - start < seconds && !progress_interrupted && !own->error.text[0]) {
        pieces += play_slice(own);
        now = bench_clock(timing);
    }
    return now > start ? (double)pieces / (now - start) : 0;
}

static void time_thread(void *context, uint64_t number, int thread) {
    (void)thread;
    const Timing *timing = context;
    OwnGames own = {.timing = timing, .next = number, .step = timing->jobs, .slice = FIRST_SLICE};
    own.game = aligned_alloc(_Alignof(Game), GAMES * sizeof *own.game);
    own.turn = malloc(GAMES * sizeof *own.turn);
    for (int k = 0; own.game && own.turn && k < timing->games; k++)
        start_game(&own, &own.game[k]);
    if (own.game && own.turn) {
        play_for(timing, &own, WARM_UP * timing->seconds);
        timing->rate[number] = play_for(timing, &own, timing->seconds);
    }
    free(own.game);
    free(own.turn);
}

// Placements that a move looks at, on average over the pieces, where nothing is in the way; pairs of
// placements for a player that knows the next piece.
static double placements_per_piece(const Rules *rules, const Strategy *strategy) {
    double mean = 0;
    for (int piece = 0; piece < PIECES; piece++)
        mean += rules->pieces.weight[piece] * __builtin_popcountll(placements_inside(piece, rules->width));
    return strategy->player == PLAYER_TWO_PIECE ? mean * mean : mean;
}

// The player that does this work, on this kernel. <- NULL: none can
static Player *worker(BenchWork work, const Strategy *strategy, const Rules *rules, const Kernel *kernel) {
    Strategy *own = malloc(sizeof *own); // large
    Player *player = NULL;
    Error ignored;
    if (own) {
        *own = *strategy;
        if (work == WORK_AHEAD)
            strategy_set_player(own, PLAYER_EXPECTIMAX);
        if (work != WORK_AHEAD || strategy->player == PLAYER_GREEDY)
            player = player_new(own, rules, kernel, &ignored);
    }
    free(own);
    if (player && work == WORK_SPLITTING && !(player_is_fast(player) && splitting_check(player, &ignored))) {
        player_free(player);
        player = NULL;
    }
    return player;
}

static bool time_work(const BenchOptions *options, Timing *timing, double *pieces_per_second, Error *error) {
    static const int games[WORKS] = {GAMES, 0, GAMES_AHEAD, 1};
    SplittingPilot pilot = {.base = 1};
    uint64_t jobs = options->app.jobs, seed = options->app.seed;
    timing->games = games[timing->work];
    if (timing->work == WORK_SPLITTING)
        splitting_watch(&pilot, timing->player, seed, 0, splitting_strands(timing->player), 10000, UINT64_MAX,
                        NULL);
    timing->plan = (SplittingPlan){.player = timing->player,
                                   .seed = seed,
                                   .base = pilot.base,
                                   .trials = TRIALS,
                                   .strands = splitting_strands(timing->player),
                                   .importance = importance_usual};
    double *rate = timing->rate = calloc(jobs, sizeof *rate);
    bool good = rate ? pool_run((int)jobs, jobs, time_thread, timing, NULL, error)
                     : error_set(error, "Out of memory for %" PRIu64 " threads.", jobs);
    *pieces_per_second = 0;
    for (uint64_t i = 0; good && i < jobs; i++)
        *pieces_per_second += rate[i];
    free(rate);
    return good;
}

static bool time_kernel(const BenchOptions *options, const Strategy *strategy, KernelResult *result,
                        Error *error) {
    const Rules *rules = &options->app.rules;
    bool good = true;
    for (BenchWork work = 0; good && work < WORKS; work++) {
        result->pieces_per_second[work] = NAN;
        Player *player = options->work == WORKS || options->work == (int)work
                             ? worker(work, strategy, rules, result->kernel)
                             : NULL;
        if (!player)
            continue;
        result->design = player_design(player) ? player_design(player) : "-";
        Timing timing = {.player = player,
                         .work = work,
                         .seed = options->app.seed,
                         .jobs = options->app.jobs,
                         .processor_time = options->processor_time,
                         .seconds = options->seconds};
        good = time_work(options, &timing, &result->pieces_per_second[work], error);
        player_free(player);
    }
    result->placements_per_second =
        result->pieces_per_second[WORK_GAMES] * placements_per_piece(rules, strategy);
    return good;
}

// --- output

static void set_rate(json_t *object, const char *key, double rate) {
    json_object_set_new(object, key, isnan(rate) ? json_null() : json_real(rate));
}

static json_t *result_json(const BenchOptions *options, const KernelResult *result, int count, bool same) {
    char text[32];
    json_t *object = json_object(), *kernels = json_array();
    snprintf(text, sizeof text, "%016" PRIx64, result[0].signature);
    json_object_set_new(object, "signature", json_string(text));
    json_object_set_new(object, "same", json_boolean(same));
    for (int i = 0; i < count; i++) {
        json_t *kernel = json_object();
        snprintf(text, sizeof text, "%016" PRIx64, result[i].signature);
        json_object_set_new(kernel, "name", json_string(kernel_name(result[i].kernel)));
        json_object_set_new(kernel, "signature", json_string(text));
        if (!options->signature_only) {
            json_object_set_new(kernel, "design", json_string(result[i].design));
            for (int work = 0; work < WORKS; work++)
                set_rate(kernel, work_keys[work], result[i].pieces_per_second[work]);
            set_rate(kernel, "placements_per_second", result[i].placements_per_second);
        }
        json_array_append_new(kernels, kernel);
    }
    json_object_set_new(object, "kernels", kernels);
    json_object_set_new(object, "strategy", json_name(options->strategy));
    json_object_set_new(object, "jobs", json_whole(options->app.jobs));
    fields_save(rules_fields, &options->app.rules, object);
    json_object_set_new(object, "version", json_string(TETRALAB_VERSION));
    return object;
}

static void print_signatures(const KernelResult *result, int count, bool same) {
    if (same)
        printf("signature %016" PRIx64 "\n", result[0].signature);
    for (int i = 0; !same && i < count; i++)
        utf8_print(stdout, "signature %016" PRIx64 "  %s\n", result[i].signature,
                   kernel_name(result[i].kernel));
    fflush(stdout);
}

// Says why a kernel leaves the strategy to the reference definitions.
static void print_missing(const Strategy *strategy, const KernelResult *result, int count) {
    uint64_t missing = 0;
    for (int i = 0; i < count; i++)
        missing |= ~kernel_features(result[i].kernel);
    for (int id = 0; id < FEATURES; id++)
        if (strategy->rating.given[id] && missing & feature_bit((FeatureId)id))
            utf8_print(
                stdout,
                "%s has no version in lanes: kernels use the reference definitions for this strategy.\n",
                feature_info[id].name);
}

// What --csv and --plot show.
typedef struct KernelResults {
    const BenchOptions *options;
    const KernelResult *result;
} KernelResults;

static void fill_table(Table *table, const void *rows, int count) {
    static const TableColumn columns[] = {{"kernel"},
                                          {"signature"},
                                          {"design"},
                                          {"pieces_per_second"},
                                          {"splitting_pieces_per_second"},
                                          {"ahead_pieces_per_second"},
                                          {"alone_pieces_per_second"},
                                          {"placements_per_second"}};
    TABLE_HEAD(table, columns);
    for (const KernelResult *result = ((const KernelResults *)rows)->result, *end = result + count;
         result < end; result++) {
        table_cell(table, "%s", kernel_name(result->kernel));
        table_cell(table, "%016" PRIx64, result->signature);
        table_cell(table, "%s", result->design ? result->design : "");
        for (int work = 0; work < WORKS; work++)
            table_number(table, result->design ? result->pieces_per_second[work] : NAN);
        table_number(table, result->design ? result->placements_per_second : NAN);
    }
}

static bool plot_kernels(Plot *plot, const void *rows, int count, Error *error) {
    const KernelResult *result = ((const KernelResults *)rows)->result;
    const BenchOptions *options = ((const KernelResults *)rows)->options;
    IntervalsRow row[MAX_KERNELS];
    char name[MAX_KERNELS][80], title[200], subtitle[160];
    snprintf(title, sizeof title, "Speed of %.100s on %dx%d", options->strategy, options->app.rules.width,
             options->app.rules.height);
    snprintf(subtitle, sizeof subtitle, "%" PRIu64 " thread%s, %g s each, %s", options->app.jobs,
             options->app.jobs == 1 ? "" : "s", options->seconds,
             options->processor_time ? "by processor time" : "by the clock");
    for (int k = 0; k < count; k++) {
        bool own = strcmp(kernel_name(result[k].kernel), result[k].design) != 0;
        snprintf(name[k], sizeof name[k], own ? "%.30s (%.30s)" : "%.30s", kernel_name(result[k].kernel),
                 result[k].design);
        int work = options->work == WORKS ? WORK_GAMES : options->work;
        row[k] = (IntervalsRow){name[k], {result[k].pieces_per_second[work], NAN}, {{NAN, NAN}}};
    }
    const IntervalsPlan plan = {.title = title,
                                .subtitle = subtitle,
                                .label = "pieces a second, log scale",
                                .log = true,
                                .rule = NAN,
                                .text = text_count};
    return intervals_make(plot, &plan, row, count, error);
}

// --- the command

static int find_kernels(const BenchOptions *options, KernelResult *result) {
    int count = 0;
    const Kernel *kernel;
    for (int i = 0; (kernel = kernel_at(i)) && count < MAX_KERNELS; i++)
        if (kernel_available(kernel) &&
            (!options->app.kernel || !strcmp(options->app.kernel, kernel_name(kernel))))
            result[count++] = (KernelResult){.kernel = kernel};
    return count;
}

static bool sign_all(KernelResult *result, int count, bool *same, Error *error) {
    *same = true;
    for (int i = 0; i < count; i++) {
        if (!signature_make(result[i].kernel, &result[i].signature, error))
            return false;
        *same &= result[i].signature == result[0].signature;
    }
    return true;
}

static bool time_all(const BenchOptions *options, const Strategy *strategy, KernelResult *result, int count,
                     Error *error) {
    static const TableColumn columns[] = {{"kernel", -10},  {"design", -9}, {"games", 10},
                                          {"splitting", 9}, {"ahead", 9},   {"alone", 9}};
    Table table = {.out = stdout};
    uint64_t jobs = options->app.jobs;
    if (!options->app.quiet) {
        utf8_print(stdout, "\n%s on %dx%d, %" PRIu64 " thread%s, pieces/s by %s\n", options->strategy,
                   options->app.rules.width, options->app.rules.height, jobs, jobs == 1 ? "" : "s",
                   options->processor_time ? "processor time" : "the clock");
        TABLE_HEAD(&table, columns);
    }
    for (int i = 0; i < count; i++) {
        fflush(stdout);
        if (!time_kernel(options, strategy, &result[i], error))
            return false;
        if (progress_interrupted)
            return error_set(error, "interrupted while %s was timed.", kernel_name(result[i].kernel));
        if (options->app.quiet)
            continue;
        table_cell(&table, "%s", kernel_name(result[i].kernel));
        table_cell(&table, "%s", result[i].design);
        for (int work = 0; work < WORKS; work++)
            if (isnan(result[i].pieces_per_second[work]))
                table_cell(&table, "-");
            else
                table_count(&table, result[i].pieces_per_second[work]);
    }
    if (!options->app.quiet)
        print_missing(strategy, result, count);
    return true;
}

static bool bench(const BenchOptions *options, const Strategy *strategy, KernelResult *result, int count,
                  Error *error) {
    bool same;
    if (!sign_all(result, count, &same, error))
        return false;
    if (!options->app.quiet)
        print_signatures(result, count, same);
    if (!options->signature_only && !time_all(options, strategy, result, count, error))
        return false;
    if (options->app.json &&
        !app_write_json(result_json(options, result, count, same), options->app.json, error))
        return false;
    KernelResults results = {options, result};
    if (!outputs_write(&options->app, fill_table, plot_kernels, &results, count, error))
        return false;
    return same || error_set(error, "the kernels do not play the same moves; this must not be: please report "
                                    "it with the signatures.");
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    BenchOptions *options = chosen;
    KernelResult result[MAX_KERNELS];
    options->processor_time = options->app.jobs == 0; // not given
    options->app.jobs += options->processor_time;
    if (arguments->operands > 0)
        error_set(error, "bench takes options only: give a strategy as --strategy NAME.");
    else if (options->signature_only && options->app.plot)
        error_set(error, "--plot shows speeds, and --signature times nothing: leave out one of them.");
    if (error->text[0] || !rules_check(&options->app.rules, error))
        return EXIT_USAGE;
    int count = find_kernels(options, result), code = EXIT_FAILED;
    Player *player = app_player(options->strategy, &options->app, result[0].kernel, &code, error);
    progress_catch_interrupt();
    bool good = player && bench(options, player_strategy(player), result, count, error);
    player_free(player);
    return good ? EXIT_DONE : code;
}

static const Field bench_field[] = {
    {"strategy", FIELD_STRING, FIELD_AT(BenchOptions, strategy), .otherwise = "bcts", .argument = "NAME",
     .file = FIELD_READS, .suggest = strategy_suggest, .help = "Strategy to time, a name or a file."},
    {"work", FIELD_WORD, FIELD_AT(BenchOptions, work), .words = work_words, .preset = WORKS,
     .argument = "WORK",
     .help = "What is timed: games, many side by side; splitting; ahead, games with one unknown piece more; "
             "alone, one game; or all."},
    {"seconds", FIELD_REAL, FIELD_AT(BenchOptions, seconds), .preset = 0.5, .least = 0.01, .most = 3600,
     .argument = "S", .help = "How long each kernel does each work."},
    {"signature", FIELD_FLAG, FIELD_AT(BenchOptions, signature_only),
     .help = "Print the signature and time nothing."},
    {"kernel", FIELD_OTHER, FIELD_AT(AppOptions, kernel), .preset = NAN, .type = &running_kernel_type,
     .suggest = running_kernel_suggest, .otherwise = "all that this machine has", .argument = "NAME",
     .help = "Only this kernel."},
    {"jobs", FIELD_WHOLE, FIELD_AT(AppOptions, jobs), .preset = NAN,
     .otherwise = "one thread, timed by the processor time it gets", .least = 1, .most = POOL_MAX_THREADS,
     .argument = "J", .help = "Threads that play at once, timed by the clock."},
    {"seed", FIELD_WHOLE, FIELD_AT(AppOptions, seed), .preset = 1, .argument = "S",
     .help = "Seed of the games that are timed; the signature has its own."},
    {APP_JSON,
     .help =
         "Also write the results as JSON to FILE; - writes them to standard output instead of the table."},
};

const Command command_bench = COMMAND(
    "bench", "", BenchOptions, bench_field,
    "Print a signature of the moves of fixed games, and how fast each kernel plays",
    "Builds, kernels and machines with the same signature make the same moves. Each\n"
    "thread plays many games side by side; taskset pins it to a core.\n",
    .has_rules = true, .picture = "Also draw FILE (.svg, .png, .pdf or .eps): the speed of each kernel.");
