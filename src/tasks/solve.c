// SPDX-License-Identifier: GPL-3.0-or-later
#include "tasks/solve.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fields_json.h"
#include "base/replacing.h"
#include "base/text.h"
#include "base/utf8.h"
#include "player/player.h"
#include "player/strategy.h"

enum { CHECKPOINT_SECONDS = 1 };
#define MAX_DEVIATION 5.5    // standard errors between exact and played mean: chance 4e-8
#define JUDGED_GAMES  1000.0 // from so many on: the standard error of few games is itself too uncertain

// ---------------------------------------------------------------------------------------------------
// Names of files

static const char *const endings[] = {".json", ".values", ".checkpoint", NULL};

// --out optimal, optimal.json or optimal.values: all name the same three files.
static bool name_files(SolveJob *job, Error *error) {
    const SolveSettings *settings = job->settings;
    char *const file[] = {job->strategy, job->table, job->checkpoint};
    if (!settings->out)
        return !settings->resume || error_set(error, "--resume needs --out, which names the checkpoint.");
    size_t length = text_stem(settings->out, endings);
    if (length == 0 || settings->out[length - 1] == '/' || !strcmp(settings->out, "-"))
        return error_set(error, "--out: expected a name for files, as in optimal-5x5, got '%.60s'.",
                         settings->out);
    if (utf8_first_invalid(settings->out, strlen(settings->out)) < strlen(settings->out) ||
        utf8_has_control(settings->out, strlen(settings->out)))
        return error_set(error, "--out: the strategy could not name its table: use printable UTF-8 only.");
    if (length > SOLVE_PATH - 32)
        return error_set(error, "--out: the name is longer than %d bytes.", SOLVE_PATH - 32);
    for (int i = 0; i < 3; i++)
        snprintf(file[i], SOLVE_PATH, "%.*s%s", (int)length, settings->out, endings[i]);
    return true;
}

static const Field solve_field[] = {
    {"out", FIELD_STRING, FIELD_AT(SolveSettings, out), .file = FIELD_WRITES, .endings = endings,
     .preset = NAN, .otherwise = "nothing is kept", .argument = "NAME",
     .help =
         "Write the strategy NAME.json and its table NAME.values; NAME.checkpoint is there while it works."},
    {"resume", FIELD_FLAG, FIELD_AT(SolveSettings, resume), .help = "Resume from NAME.checkpoint."},
    {"check-games", FIELD_WHOLE, FIELD_AT(SolveSettings, games), .preset = 100000, .most = PLAYING_MAX_GAMES,
     .argument = "N",
     .help = "Play N games with the table and compare their mean with the optimum; 0: none."},
};
const Fields solve_fields = FIELDS(solve_field);

// Without --out the table lives in a file that is removed as soon as the player has it.
static bool temporary_table(Temporary *table, Error *error) {
    char path[SOLVE_PATH];
    const char *folder = getenv("TMPDIR");
    snprintf(path, SOLVE_PATH, "%.900s/tetralab-values", folder && *folder ? folder : "/tmp");
    replacing_sweep(path);
    return temporary_make(table, path, NULL) ||
           error_set(error,
                     "cannot write %.300s, where the table to be played goes: set TMPDIR, give --out, or "
                     "--check-games 0.",
                     path);
}

static bool check_files(const SolveJob *job, Error *error) {
    Temporary table;
    if (!job->settings->out && job->settings->games && !temporary_table(&table, error))
        return false;
    if (!job->settings->out && job->settings->games)
        temporary_end(&table);
    if (!job->settings->out)
        return true;
    bool there = access(job->checkpoint, F_OK) == 0;
    if (there && !job->settings->resume)
        return error_set(
            error,
            "%.300s is there, from a run that has not ended: add --resume to continue it, or remove it.",
            job->checkpoint);
    if (!there && job->settings->resume)
        return error_set(error, "There is nothing to resume: %.300s does not exist.", job->checkpoint);
    Strategy old;
    if (access(job->strategy, F_OK) == 0 &&
        (!strategy_find(&old, job->strategy, NULL) || old.player != PLAYER_TABLE))
        return error_set(error,
                         "%.300s is there and is no strategy of solve: give another --out, or remove it.",
                         job->strategy);
    return text_can_write(job->strategy, error) && text_can_write(job->table, error) &&
           text_can_write(job->checkpoint, error);
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

const char *solve_bytes(uint64_t bytes, char out[24]) {
    static const char *const units[] = {"KiB", "MiB", "GiB"};
    double value = (double)bytes / 1024;
    int unit = 0;
    for (; unit < 2 && value >= 1000; unit++)
        value /= 1024;
    snprintf(out, 24, value < 10 ? "%.1f %s" : "%.0f %s", value, units[unit]);
    return out;
}

static bool check_memory(const Rules *rules, Error *error) {
    char need_text[24], have_text[24];
    uint64_t need = solving_memory(rules), have = solving_memory_available();
    return need <= have ||
           error_set(error, "%dx%d needs up to %s of memory, and this machine has %s to give at present.",
                     rules->width, rules->height, solve_bytes(need, need_text), solve_bytes(have, have_text));
}

bool solve_check(SolveJob *job, Error *error) {
    return rules_check(job->rules, error) && solving_check(job->rules, error) && name_files(job, error);
}

bool solve_prepare(const SolveJob *job, Error *error) {
    return check_files(job, error) && check_memory(job->rules, error);
}

// ---------------------------------------------------------------------------------------------------
// The strategy, and playing it

static void make_strategy(Strategy *strategy, const SolveJob *job, const char *table) {
    const Rules *rules = job->rules;
    char name[64];
    snprintf(name, sizeof name, "optimal-%dx%d", rules->width, rules->height);
    strategy_empty(strategy, job->settings->out ? job->strategy : name);
    strategy_set_player(strategy, PLAYER_TABLE);
    snprintf(strategy->source, sizeof strategy->source,
             "tetralab solve: %dx%d, %s overflow, pieces %.80s: %.6f lines", rules->width, rules->height,
             rules_overflow_name(rules->overflow), rules->pieces.name, job->solving.mean);
    snprintf(strategy->table, sizeof strategy->table, "%s", table);
}

static bool write_strategy(const SolveJob *job, Error *error) {
    Strategy strategy;
    make_strategy(&strategy, job, base_name(job->table));
    char *text = strategy_to_json(&strategy);
    bool good = text ? text_write_file(job->strategy, text, strlen(text), error)
                     : error_set(error, "Out of memory: cannot write %.300s.", job->strategy);
    free(text);
    return good;
}

// In a folder that others write to as well, nobody can then put a link in its place.
static bool claim(const char *path, Error *error) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    return file < 0 ? error_set(error, "cannot write %.300s: %s.", path, strerror(errno)) : !close(file);
}

static Player *make_player(const SolveJob *job, Error *error) {
    Strategy strategy;
    Temporary table = {-1, NULL};
    if (!job->settings->out && !temporary_table(&table, error))
        return NULL;
    char path[SOLVE_PATH + 16];
    snprintf(path, sizeof path, "%s%s", job->settings->out ? job->table : table.name,
             job->settings->out ? "" : TEMPORARY_COMPANION);
    make_strategy(&strategy, job, path);
    Player *player = NULL;
    if (job->settings->out || (claim(path, error) && solving_write(&job->solving, job->rules, path, error)))
        player = player_new(&strategy, job->rules, NULL, error);
    if (!job->settings->out)
        unlink(path);
    temporary_end(&table);
    return player;
}

// ---------------------------------------------------------------------------------------------------
// The work

bool solve_run(SolveJob *job, Error *error) {
    const SolveSettings *settings = job->settings;
    SolvingPlan plan = {.rules = job->rules,
                        .work = job->work,
                        .tolerance = SOLVING_TOLERANCE,
                        .checkpoint = settings->out ? job->checkpoint : NULL,
                        .checkpoint_seconds = CHECKPOINT_SECONDS,
                        .resume = settings->resume};
    if (!solving_run(&job->solving, &plan, error))
        return false;
    if (job->solving.interrupted || !settings->out)
        return true;
    if (!solving_write(&job->solving, job->rules, job->table, error) || !write_strategy(job, error))
        return false;
    unlink(job->checkpoint);
    return true;
}

bool solve_verify(SolveJob *job, Error *error) {
    if (!job->settings->games)
        return true;
    Player *player = make_player(job, error);
    if (!player)
        return false;
    Playing playing = {0};
    PlayingPlan plan = {
        .player = player, .seed = job->seed, .games = job->settings->games, .work = job->work};
    bool good = playing_run(&playing, &plan, error);
    if (good && playing.interrupted)
        good = error_set(error, "interrupted while the games of the check were played.");
    good = good && summary_make(&job->summary, playing.score, playing.games, error);
    playing_free(&playing);
    player_free(player);
    if (!good)
        return false;
    const Summary *summary = &job->summary;
    double spread = summary->sd / sqrt((double)summary->games);
    job->checked = true;
    job->deviation = spread > 0 ? (summary->mean - job->solving.mean) / spread : 0;
    return (double)summary->games < JUDGED_GAMES || fabs(job->deviation) < MAX_DEVIATION ||
           error_set(error,
                     "The table was played with a mean of %.6f lines, %.1f standard errors from the %.6f "
                     "that were computed: one of the two is wrong.",
                     summary->mean, fabs(job->deviation), job->solving.mean);
}

void solve_free(SolveJob *job) {
    solving_free(&job->solving);
}

static json_t *check_json(const SolveJob *job) {
    const Summary *summary = &job->summary;
    Interval interval = summary->normal;
    bool known = !isnan(interval.low) && !isnan(interval.high);
    return json_pack(
        "{s:I, s:f, s:o, s:o, s:o}", "games", (json_int_t)summary->games, "mean_lines", summary->mean, "ci95",
        known ? json_pack("[f, f]", interval.low, interval.high) : json_pack("[n, n]"), "deviation",
        known ? json_real(job->deviation) : json_null(), "seed", json_whole(job->seed));
}

const ResultMember solve_result[] = {
    {"mean_lines", "lines", "Of the best player.", RESULT_FIRST},
    {"error_bound", "lines", "The optimum is at most so much more.", RESULT_FIRST},
    {"states", "boards", "That can be reached.", RESULT_FIRST},
    {"values", "boards", "Whose values are kept: of mirror images one.", 0},
    {"sweeps", "sweeps", "Over all boards.", 0},
    {"seconds", "s", "Taken, by runs before, too.", 0},
    {"memory_bytes", "bytes", "That were needed.", 0},
    {"interrupted", NULL, "It was stopped: the mean is only a lower bound.", 0},
    {"strategy", NULL, "The file of the best player; null: none was written.", 0},
    {"check", NULL, "Games that were played with the values; null: none.", RESULT_FIRST},
    {"check.games", "games", "How many.", 0},
    {"check.mean_lines", "lines", "Of these.", RESULT_FIRST},
    {"check.ci95", "lines", "95 % interval of their mean.", RESULT_FIRST},
    {"check.deviation", "standard errors", "From the optimum.", RESULT_FIRST},
    {"check.seed", "", "Of these games.", 0},
    RESULT_RULES,
    RESULT_VERSION,
    {NULL, NULL, NULL, 0}};

json_t *solve_json(const SolveJob *job, const char *version) {
    json_t *object = json_object();
    json_object_set_new(object, "mean_lines", json_real(job->solving.mean));
    json_object_set_new(object, "error_bound", json_real(job->solving.bound));
    json_object_set_new(object, "states", json_whole(job->solving.reachable.boards));
    json_object_set_new(object, "values", json_whole(job->solving.reachable.set.boards));
    json_object_set_new(object, "sweeps", json_whole(job->solving.sweeps));
    json_object_set_new(object, "seconds", json_real(job->solving.seconds));
    json_object_set_new(object, "memory_bytes", json_whole(job->solving.memory));
    json_object_set_new(object, "interrupted", json_boolean(job->solving.interrupted));
    json_object_set_new(object, "strategy", job->settings->out ? json_name(job->strategy) : json_null());
    json_object_set_new(object, "check", job->checked ? check_json(job) : json_null());
    fields_save(rules_fields, job->rules, object);
    json_object_set_new(object, "version", json_string(version));
    return object;
}
