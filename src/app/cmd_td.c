// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab td: what boards are worth, learned by temporal differences.
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
#include "learn/td.h"
#include "player/patterns_file.h"
#include "player/patterns_search.h"

typedef struct TdOptions {
    AppOptions app;
    TdSettings settings;
    const char *name, *out, *start;
    int depth, candidates;
} TdOptions;

static const Field td_option[] = {
    {"out", FIELD_STRING, FIELD_AT(TdOptions, out), .preset = NAN, .otherwise = "td.json",
     .file = FIELD_WRITES, .argument = "FILE",
     .help = "The player, as a strategy file; its values go beside it, as FILE with the ending .patterns."},
    {"name", FIELD_STRING, FIELD_AT(TdOptions, name), .preset = NAN, .argument = "NAME",
     .otherwise = "the file's name", .help = "What the player is called."},
    {"start", FIELD_STRING, FIELD_AT(TdOptions, start), .preset = NAN, .file = FIELD_READS,
     .argument = "FILE", .otherwise = "nothing is known",
     .help = "A file of patterns to begin with, such as a former one to be learned on, with a lower --rate."},
    {"depth", FIELD_INT, FIELD_AT(TdOptions, depth), .preset = 2, .least = 1, .most = PATTERNS_MAX_DEPTH,
     .argument = "N", .help = "Pieces that the player looks at, the one in hand included. It learns with 1."},
    {"candidates", FIELD_INT, FIELD_AT(TdOptions, candidates), .preset = 0, .least = 0, .most = PLACEMENTS,
     .argument = "N", .help = "Placements of each piece but the last that it follows; 0: all."},
};

static int more_options(void *options, OptionSet *sets) {
    TdOptions *o = options;
    sets[0] = (OptionSet){td_fields, &o->settings, NULL};
    return 1;
}

// ---------------------------------------------------------------------------------------------------
// While it learns, and what came out

typedef struct Display {
    Progress progress;
    uint64_t wanted;
} Display;

static void show_progress(void *context, uint64_t moves, double lines) {
    Display *display = context;
    if (!progress_due(&display->progress))
        return;
    char done[24], all[24], mean[24], left[PROGRESS_LEFT];
    double rate = progress_rate(&display->progress, moves);
    progress_show(&display->progress, "%s of %s moves, %s lines in the last games%s",
                  text_count((double)moves, done), text_count((double)display->wanted, all),
                  text_count(lines, mean),
                  progress_left(((double)display->wanted - (double)moves) / rate, left));
}

// FILE.json -> FILE.patterns. <- false: it is too long
static bool values_path(const char *path, char values[STRATEGY_PATH], Error *error) {
    size_t length = strlen(path), ending = strlen(".json");
    if (length > ending && !strcmp(path + length - ending, ".json"))
        length -= ending;
    return snprintf(values, STRATEGY_PATH, "%.*s.patterns", (int)length, path) < STRATEGY_PATH ||
           error_set(error, "The name %.100s... is too long.", path);
}

static bool write_player(const TdOptions *options, const Td *td, const char *path, const char *values,
                         Strategy *player, Error *error) {
    const char *slash = strrchr(values, '/');
    strategy_empty(player, path);
    strategy_set_player(player, PLAYER_PATTERNS);
    if (options->name)
        utf8_clean(player->name, sizeof player->name, options->name, strlen(options->name));
    snprintf(player->source, sizeof player->source,
             "Learned by temporal differences: %" PRIu64 " moves on %dx%d, pieces %.40s, seed %" PRIu64,
             td->moves, td->rules->width, td->rules->height, td->rules->pieces.name, td->seed);
    snprintf(player->patterns.values, sizeof player->patterns.values, "%s", slash ? slash + 1 : values);
    player->patterns.depth = options->depth;
    player->patterns.candidates = options->candidates;
    if (!patterns_write(&td->patterns, td->first, values, error))
        return false;
    char *text = strategy_to_json(player);
    bool good = text ? text_replace(path, text, strlen(text), true, error)
                     : error_set(error, "There is no memory for the player.");
    free(text);
    return good;
}

static json_t *result_json(const TdOptions *options, const Td *td, const char *path, const char *values,
                           const Strategy *player, double seconds) {
    json_t *object =
        json_pack("{s:s, s:s, s:s, s:I, s:f, s:o}", "strategy", player->name, "file", path, "values", values,
                  "games", (json_int_t)td->games, "seconds", seconds, "seed", json_whole(td->seed));
    if (object) {
        fields_save(rules_fields, &options->app.rules, object);
        fields_save(td_fields, &options->settings, object);
        json_object_set_new(object, "moves", json_integer((json_int_t)td->moves));
        json_object_set_new(object, "lines", isnan(td->lines) ? json_null() : json_real(td->lines));
    }
    return object;
}

static void print_result(const Td *td, const char *path, const char *values) {
    char moves[24], games[32], lines[24];
    printf("%s moves in %s games", text_count((double)td->moves, moves), text_grouped(td->games, games));
    if (!isnan(td->lines))
        printf("; the last ones made %s lines on average, while it still learned",
               text_count(td->lines, lines));
    printf(td->moves < td->settings.moves ? "; it was stopped early.\n" : ".\n");
    utf8_print(stdout, "%s is the player, with its values in %s. Measure it:  tetralab measure %s", path,
               values, path);
    app_print_rule_options(stdout, td->rules);
    printf(" --seed %" PRIu64 "\n", td->seed + 1);
}

// ---------------------------------------------------------------------------------------------------

static bool can_begin(const TdOptions *options, const Td *td, const char *path, char values[STRATEGY_PATH],
                      int *exit_code, Error *error) {
    *exit_code = EXIT_USAGE;
    if (!rules_check(&options->app.rules, error) || !td_check(td, error) || !values_path(path, values, error))
        return false;
    *exit_code = EXIT_FAILED;
    return text_can_write(path, error) && text_can_write(values, error);
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    TdOptions *options = chosen;
    const char *path = options->out ? options->out : "td.json";
    char values[STRATEGY_PATH];
    int exit_code;
    Display display = {.wanted = options->settings.moves};
    Td td = {.rules = &options->app.rules,
             .settings = options->settings,
             .start = options->start,
             .seed = options->app.seed,
             .stop = &progress_interrupted,
             .progress = show_progress,
             .context = &display};
    if (arguments->operands) {
        error_set(error, "td takes no operands, but options: tetralab td --pieces sz.");
        return EXIT_USAGE;
    }
    if (options->start && arguments_given(arguments, "optimism")) {
        error_set(error, "--optimism is for a beginning from nothing: leave it or --start out.");
        return EXIT_USAGE;
    }
    if (!can_begin(options, &td, path, values, &exit_code, error))
        return exit_code;
    Strategy player;
    progress_catch_interrupt();
    progress_start(&display.progress, false);
    double begun = clock_seconds();
    bool good = td_run(&td, error);
    progress_end(&display.progress);
    good = good && (td.moves || error_set(error, "It was stopped before anything was learned.")) &&
           write_player(options, &td, path, values, &player, error);
    if (good && !options->app.quiet)
        print_result(&td, path, values);
    good = good && app_write_json(result_json(options, &td, path, values, &player, clock_seconds() - begun),
                                  options->app.json, error);
    exit_code = good && td.moves >= options->settings.moves ? EXIT_DONE : EXIT_FAILED;
    td_free(&td);
    return exit_code;
}

const Command command_td = COMMAND(
    "td", "", TdOptions, td_option, "Learn what boards are worth by temporal differences",
    "It plays whole games and learns from every move how many lines are still to be expected on a\n"
    "board, as a sum over the patterns that it shows: rows, steps, heights, tops of columns.\n"
    "The player is one that looks ahead with these values. For short games: --pieces sz or hard, or\n"
    "low boards. docs/learning.md tells more. Ctrl-C keeps what was learned.\n",
    .more = more_options, .has_rules = true, .has_running = true, .without = " max-pieces jobs kernel ");
