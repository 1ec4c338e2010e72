// SPDX-License-Identifier: GPL-3.0-or-later
// Matches for the public interface.
#include "tasks/versus.h"

#include <math.h>
#include <stdlib.h>

#include "api/attend.h"
#include "api/players.h"
#include "api/settings.h"
#include "base/json_memory.h"

_Static_assert((int)TETRALAB_MAX_SEATS == MATCH_MAX_SEATS,
               "the limits of tetralab.h are those of the library");
_Static_assert(MATCH_ROWS == 5, "a move removes at most 4 rows");

typedef struct VersusTask {
    Running running;
    VersusSettings versus;
} VersusTask;

static int versus_sets(void *options, OptionSet *sets) {
    sets[0] = (OptionSet){versus_fields, &((VersusTask *)options)->versus, NULL};
    return 1;
}

const Task task_versus = {
    .name = "versus", .size = sizeof(VersusTask), .sets = versus_sets, .without = " max-pieces kernel "};

typedef struct Contest {
    VersusTask task;
    Attended attended;
    ApiPlayers players;
    MatchesPlan plan;
    Matches matches;
    bool wants_json;
    char *json; // owned
    Error *error;
} Contest;

static bool play(void *context) {
    Contest *contest = context;
    Matches *matches = &contest->matches;
    const char *record = contest->task.versus.record;
    VersusReport report = {&contest->plan, matches, contest->players.kernel, tetralab_version()};
    if (!matches_run(matches, &contest->plan, contest->error))
        return false;
    if (record && matches->has_record && !record_write(&matches->record, record, contest->error))
        return false;
    if (matches->ended == 0)
        return error_set(contest->error, "Stopped before a match ended.");
    if (contest->wants_json && !(contest->json = json_document(versus_json(&report))))
        return error_set(contest->error, "Out of memory for the JSON text.");
    return true;
}

static tetralab_contest contest_of(const Contest *contest) {
    const Matches *matches = &contest->matches;
    const PlayerTotal *total = matches->total;
    return (tetralab_contest){
        .games = matches->ended,
        .draws = matches->draws,
        .undecided = matches->limit,
        .mean_rounds = (double)matches->rounds / (double)matches->ended,
        .chance = contest->players.count == 2 ? matches_chance(total[0].wins, total[1].wins) : NAN,
        .seconds = matches->seconds,
        .interrupted = matches->interrupted};
}

static tetralab_contestant contestant_of(const Matches *matches, const PlayerTotal *total) {
    double ended = (double)matches->ended;
    Interval interval = matches_interval(total->wins, matches->ended);
    tetralab_contestant contestant = {.wins = total->wins,
                                      .interval = {interval.low, interval.high},
                                      .mean_pieces = (double)total->pieces / ended,
                                      .mean_lines = (double)total->lines / ended,
                                      .mean_sent = (double)total->sent / ended,
                                      .mean_received = (double)total->received / ended,
                                      .late = total->late,
                                      .seconds_per_move =
                                          total->choices ? total->seconds / (double)total->choices : NAN};
    for (int n = 1; n < MATCH_ROWS; n++)
        contestant.moves[n - 1] = total->moves[n];
    return contestant;
}

static bool run(Contest *contest, const tetralab_player *const *players, int count,
                const tetralab_settings *settings, Asked *asked) {
    VersusTask *task = &contest->task;
    Error *error = contest->error;
    if (count < MATCH_LEAST_SEATS || count > MATCH_MAX_SEATS)
        return error_set(error, "A match has %d to %d players, not %d.", MATCH_LEAST_SEATS, MATCH_MAX_SEATS,
                         count);
    if (!asked_read(asked, settings, &task_versus, task, error) ||
        !versus_check(&task->versus, count, &players[0]->rules.rules, false, error) ||
        !api_players(&contest->players, players, count, error))
        return false;
    contest->plan = versus_plan(&task->versus, contest->players.player, count, task->running.seed,
                                (int)task->running.jobs);
    contest->plan.work.stop = &contest->attended.stop;
    contest->plan.work.progress = attend_tell;
    contest->plan.work.context = &contest->attended;
    return attend(&contest->attended, play, contest, error);
}

bool tetralab_versus(const tetralab_player *const *players, int count, const tetralab_settings *settings,
                     tetralab_contest *contest, tetralab_contestant *contestants, char **json,
                     tetralab_watch *watch, void *context, tetralab_error *error) {
    Contest *made = aligned_alloc(_Alignof(Contest), sizeof *made);
    Asked asked = {.arguments.words = 0};
    if (!made)
        return error_set(api_error(error), "Out of memory for a match.");
    *made = (Contest){
        .attended = {.watch = watch, .context = context}, .wants_json = json, .error = api_error(error)};
    bool good = run(made, players, count, settings, &asked);
    if (good) {
        *contest = contest_of(made);
        for (int s = 0; s < count; s++)
            contestants[s] = contestant_of(&made->matches, &made->matches.total[s]);
        if (json)
            *json = made->json;
    }
    matches_free(&made->matches);
    api_players_free(&made->players);
    asked_free(&asked);
    free(made);
    return good;
}
