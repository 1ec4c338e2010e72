// SPDX-License-Identifier: GPL-3.0-or-later
// tetralab td: what boards are worth, learned by temporal differences.
#include <assert.h>
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
#include "patterns/patterns_file.h"
#include "patterns/patterns_search.h"
#include "patterns/td.h"

typedef struct TdOptions {
    AppOptions app;
    TdSettings settings;
    const char *name, *out, *start;
    Strategy player; // how far it looks ahead
} TdOptions;

static const char *const endings[] = {".json", ".patterns", NULL};

static const Field td_option[] = {
    {"out", FIELD_STRING, FIELD_AT(TdOptions, out), .otherwise = "td", .file = FIELD_WRITES,
     .endings = endings, .argument = "NAME",
     .help = "Write the player NAME.json, a strategy file, and its values NAME.patterns."},
    {"name", FIELD_STRING, FIELD_AT(TdOptions, name), .preset = NAN, .argument = "NAME",
     .otherwise = "the file's name", .help = "What the player is called."},
    {"start", FIELD_STRING, FIELD_AT(TdOptions, start), .preset = NAN, .file = FIELD_READS,
     .argument = "FILE", .otherwise = "nothing is known",
     .help = "A file of patterns to begin with, such as a former one to be learned on, with a lower --rate."},
};

// Those of the player, but for the file of its values.
static Fields player_fields(void) {
    Fields all = strategy_options(PLAYER_PATTERNS);
    assert(!strcmp(all.field[0].key, "values"));
    return (Fields){all.field + 1, all.count - 1};
}

static int more_options(void *options, OptionSet *sets) {
    TdOptions *o = options;
    sets[0] = (OptionSet){player_fields(), &o->player, NULL};
    sets[1] = (OptionSet){td_fields, &o->settings, NULL};
    return 2;
}

// ---------------------------------------------------------------------------------------------------
// While it learns, and what came out

static void show_progress(void *context, const Advance *advance) {
    Progress *progress = context;
    if (!progress_due(progress))
        return;
    char done[24], all[24], mean[24], left[PROGRESS_LEFT];
    double rate = progress_rate(progress, advance->done);
    progress_show(progress, "%s of %s moves, %s lines in the last games%s",
                  text_count((double)advance->done, done), text_count((double)advance->wanted, all),
                  text_count(advance->value, mean),
                  progress_left(((double)advance->wanted - (double)advance->done) / rate, left));
}

typedef struct Files {
    char player[STRATEGY_PATH], values[STRATEGY_PATH];
} Files;

// NAME or NAME.json -> both.
static bool name_files(const char *name, Files *files, Error *error) {
    size_t length = text_stem(name, endings), most = STRATEGY_PATH - strlen(endings[1]) - 1;
    if (length == 0 || name[length - 1] == '/' || !strcmp(name, "-"))
        return error_set(error, "--out: expected a name for files, as in values, got '%.60s'.", name);
    if (utf8_first_invalid(name, length) < length || utf8_has_control(name, length))
        return error_set(error, "--out: the player could not name its values: use printable UTF-8 only.");
    if (length > most)
        return error_set(error, "--out: the name is longer than %zu bytes.", most);
    snprintf(files->player, STRATEGY_PATH, "%.*s%s", (int)length, name, endings[0]);
    snprintf(files->values, STRATEGY_PATH, "%.*s%s", (int)length, name, endings[1]);
    return true;
}

static bool write_player(const TdOptions *options, const Td *td, const Files *files, Strategy *player,
                         Error *error) {
    const char *slash = strrchr(files->values, '/');
    strategy_empty(player, files->player);
    strategy_set_player(player, PLAYER_PATTERNS);
    if (options->name)
        utf8_clean(player->name, sizeof player->name, options->name, strlen(options->name));
    snprintf(player->source, sizeof player->source,
             "Learned by temporal differences: %" PRIu64 " moves on %dx%d, pieces %.40s, seed %" PRIu64,
             td->moves, td->rules->width, td->rules->height, td->rules->pieces.name, td->seed);
    player->patterns = options->player.patterns;
    snprintf(player->patterns.values, sizeof player->patterns.values, "%s",
             slash ? slash + 1 : files->values);
    if (!patterns_write(&td->patterns, td->first, files->values, error))
        return false;
    char *text = strategy_to_json(player);
    bool good = text ? text_replace(files->player, text, strlen(text), true, error)
                     : error_set(error, "Out of memory for the player.");
    free(text);
    return good;
}

static json_t *result_json(const TdOptions *options, const Td *td, const Files *files, const Strategy *player,
                           double seconds) {
    json_t *object = json_pack("{s:o, s:o, s:o, s:o, s:I, s:f, s:o}", "strategy", json_name(player->name),
                               "file", json_name(files->player), "values", json_name(files->values), "start",
                               td->start ? json_name(td->start) : json_null(), "games", (json_int_t)td->games,
                               "seconds", seconds, "seed", json_whole(td->seed));
    if (object) {
        fields_save(rules_fields, &options->app.rules, object);
        fields_save(player_fields(), player, object);
        fields_save(td_fields, &options->settings, object);
        if (td->start)
            json_object_del(object, "optimism"); // it is for a beginning from nothing
        json_object_set_new(object, "moves", json_integer((json_int_t)td->moves));
        json_object_set_new(object, "lines", isnan(td->lines) ? json_null() : json_real(td->lines));
    }
    return object;
}

static void print_result(const Td *td, const Files *files) {
    char moves[24], games[32], lines[24];
    printf("%s moves in %s games", text_count((double)td->moves, moves), text_grouped(td->games, games));
    if (!isnan(td->lines))
        printf("; the last ones made %s lines on average, while it still learned",
               text_count(td->lines, lines));
    printf(td->moves < td->settings.moves ? "; it was stopped early.\n" : ".\n");
    utf8_print(stdout, "%s is the player, with its values in %s. Measure it:  tetralab measure %s",
               files->player, files->values, files->player);
    app_print_rule_options(stdout, td->rules);
    printf(" --seed %" PRIu64 "\n", td->seed + 1);
}

// ---------------------------------------------------------------------------------------------------

static bool can_begin(const TdOptions *options, const Td *td, Files *files, int *exit_code, Error *error) {
    *exit_code = EXIT_USAGE;
    if (!rules_check(&options->app.rules, error) || !td_check(td, error) ||
        !name_files(options->out, files, error))
        return false;
    *exit_code = EXIT_FAILED;
    return text_can_write(files->player, error) && text_can_write(files->values, error);
}

static int run(void *chosen, const Arguments *arguments, Error *error) {
    TdOptions *options = chosen;
    Files files;
    int exit_code;
    Progress progress;
    Td td = {.rules = &options->app.rules,
             .settings = options->settings,
             .start = options->start,
             .seed = options->app.seed,
             .work = {.stop = &progress_interrupted, .progress = show_progress, .context = &progress}};
    if (arguments->operands) {
        error_set(error, "td takes no operands, but options: tetralab td --pieces sz.");
        return EXIT_USAGE;
    }
    if (options->start && arguments_given(arguments, "optimism")) {
        error_set(error, "--optimism is for a beginning from nothing: leave it or --start out.");
        return EXIT_USAGE;
    }
    if (!can_begin(options, &td, &files, &exit_code, error))
        return exit_code;
    Strategy player;
    progress_catch_interrupt();
    progress_start(&progress, false);
    double begun = clock_seconds();
    bool good = td_run(&td, error);
    progress_end(&progress);
    good = good && (td.moves || error_set(error, "It was stopped before anything was learned.")) &&
           write_player(options, &td, &files, &player, error);
    if (good && !options->app.quiet)
        print_result(&td, &files);
    good = good && app_write_json(result_json(options, &td, &files, &player, clock_seconds() - begun),
                                  options->app.json, error);
    exit_code = good && td.moves >= options->settings.moves ? EXIT_DONE : EXIT_FAILED;
    td_free(&td);
    return exit_code;
}

const Command command_td = COMMAND(
    "td", "", TdOptions, td_option, "Learn what boards are worth by temporal differences",
    "It plays whole games and learns from every move how many lines are still to be expected on a\n"
    "board, as a sum over the patterns that it shows: rows, steps, heights, tops of columns.\n"
    "The player is one that looks ahead with these values, though it learns without. For short games:\n"
    "--pieces sz or hard, or low boards. docs/learning.md tells more. Ctrl-C keeps what was learned.\n",
    .more = more_options, .has_rules = true, .has_running = true, .without = " max-pieces jobs kernel ");
