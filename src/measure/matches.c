// SPDX-License-Identifier: GPL-3.0-or-later
// Plays matches, one task of the pool each. What is counted are whole numbers that are added up, so that the
// order in which matches end changes nothing; only times differ from run to run.
#include "measure/matches.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"
#include "game/rules.h"
#include "measure/quantile.h"

static const double REPORT_EVERY = 0.05; // seconds

// What the threads share, all of it under the lock.
typedef struct Run {
    const MatchesPlan *plan;
    Matches *matches;
    uint64_t pieces; // of all players, those of matches under way included
    bool failed;     // error is set
    Error *error;
    pthread_mutex_t lock;
} Run;

// One match, and what is counted in it beside the match itself.
typedef struct Table {
    Match match;
    Record *record; // NULL: none
    double seconds[MATCH_MAX_SEATS];
    uint64_t choices[MATCH_MAX_SEATS];
    uint64_t pieces; // not reported yet
    double clock, reported;
} Table;

static bool stopped(const Run *run) {
    return pool_stopped(&run->failed) || work_is_stopped(&run->plan->work);
}

static void report(Run *run, Table *table) {
    run->pieces += table->pieces;
    table->pieces = 0;
    table->reported = table->clock;
    Advance advance = {.unit = "matches",
                       .done = run->matches->ended,
                       .wanted = run->plan->matches,
                       .pieces = run->pieces,
                       .value = NAN,
                       .precision = NAN};
    work_tell(&run->plan->work, &advance);
}

static Placement choose(const MatchesPlan *plan, Table *table, int s) {
    Placement move = player_choose(plan->player[s], &table->match.game[s]);
    double now = clock_seconds(), seconds = now - table->clock;
    table->clock = now;
    table->seconds[s] += seconds;
    table->choices[s]++;
    return plan->move_time > 0 && seconds > plan->move_time ? MATCH_LATE : move;
}

// <- false: the round could not be recorded
static bool play_round(const MatchesPlan *plan, Table *table, Error *error) {
    Match *match = &table->match;
    Placement move[MATCH_MAX_SEATS];
    table->clock = clock_seconds();
    for (int s = 0; s < match->seats; s++) {
        bool alive = match_is_alive(match, s);
        move[s] = alive ? choose(plan, table, s) : MATCH_NO_MOVE;
        table->pieces += alive;
    }
    if (table->record && !record_add(table->record, move, error))
        return false;
    match_round(match, move);
    if (match->end == MATCH_RUNNING && match->rounds >= plan->max_rounds)
        match->end = MATCH_LIMIT;
    return true;
}

static void add_total(PlayerTotal *total, const Table *table, int s) {
    const Seat *seat = &table->match.seat[s];
    total->wins += table->match.winner == s;
    total->pieces += table->match.game[s].pieces;
    total->lines += table->match.game[s].lines;
    for (int rows = 0; rows < MATCH_ROWS; rows++)
        total->moves[rows] += seat->moves[rows];
    total->sent += seat->sent;
    total->received += seat->received;
    total->late += seat->late;
    total->choices += table->choices[s];
    total->seconds += table->seconds[s];
}

static void count_match(Run *run, const Table *table, uint64_t index) {
    Matches *matches = run->matches;
    const Match *match = &table->match;
    matches->outcome[index] = (MatchOutcome){
        .rounds = (uint32_t)match->rounds, .winner = (int8_t)match->winner, .end = (uint8_t)match->end};
    matches->ended++;
    matches->rounds += match->rounds;
    matches->draws += match->end == MATCH_DRAWN;
    matches->limit += match->end == MATCH_LIMIT;
    for (int s = 0; s < match->seats; s++)
        add_total(&matches->total[s], table, s);
}

static void keep_match(Run *run, const Table *table) {
    run->matches->kept = table->match;
    run->matches->has_kept = true;
    if (!table->record)
        return;
    record_end(table->record, &table->match);
    run->matches->has_record = true;
}

static bool start_record(const MatchesPlan *plan, Record *record, Error *error) {
    const char *names[MATCH_MAX_SEATS];
    for (int s = 0; s < plan->players; s++)
        names[s] = player_strategy(plan->player[s])->name;
    return record_start(record, player_rules(plan->player[0]), plan->players, names, plan->sequence,
                        plan->seed, plan->kept, error);
}

static void play_match(void *context, uint64_t index, int thread) {
    (void)thread;
    Run *run = context;
    const MatchesPlan *plan = run->plan;
    bool kept = index + 1 == plan->kept;
    Table table = {.record = kept && plan->record ? &run->matches->record : NULL};
    Error error = {""};
    bool good = !table.record || start_record(plan, table.record, &error);
    match_start(&table.match, player_rules(plan->player[0]), plan->players, plan->sequence, plan->seed,
                index + 1);
    table.reported = clock_seconds();
    while (good && table.match.end == MATCH_RUNNING && !stopped(run)) {
        good = play_round(plan, &table, &error);
        if (table.clock - table.reported >= REPORT_EVERY) {
            pthread_mutex_lock(&run->lock);
            report(run, &table);
            pthread_mutex_unlock(&run->lock);
        }
    }
    for (int s = 0; s < plan->players; s++)
        player_forget(plan->player[s], &table.match.game[s]);
    pthread_mutex_lock(&run->lock);
    if (!good && !run->failed) {
        *run->error = error;
        __atomic_store_n(&run->failed, true, __ATOMIC_RELAXED);
    }
    if (kept)
        keep_match(run, &table);
    if (table.match.end != MATCH_RUNNING)
        count_match(run, &table, index);
    report(run, &table);
    pthread_mutex_unlock(&run->lock);
}

static bool check_plan(const MatchesPlan *plan, Error *error) {
    if (plan->players < MATCH_LEAST_SEATS || plan->players > MATCH_MAX_SEATS)
        return error_set(error, "A match is between %d to %d players, not %d.", MATCH_LEAST_SEATS,
                         MATCH_MAX_SEATS, plan->players);
    for (int s = 1; s < plan->players; s++)
        if (rules_difference(player_rules(plan->player[s]), player_rules(plan->player[0])))
            return error_set(error, "All players of a match must be made for the same rules.");
    if (plan->matches < 1 || plan->matches > MATCHES_MAX)
        return error_set(error, "1 to %d matches can be played at once, not %llu.", MATCHES_MAX,
                         (unsigned long long)plan->matches);
    if (plan->max_rounds < 1 || plan->max_rounds > MATCHES_MAX_ROUNDS)
        return error_set(error, "A match can have 1 to %d rounds at most, not %llu.", MATCHES_MAX_ROUNDS,
                         (unsigned long long)plan->max_rounds);
    if (plan->sequence == MATCH_OWN && player_rules(plan->player[0])->pieces.law == PIECES_RECORDED)
        return error_set(error, "A recorded sequence of pieces is the same for all players.");
    return true;
}

bool matches_run(Matches *matches, const MatchesPlan *plan, Error *error) {
    *matches = (Matches){.matches = plan->matches};
    if (!check_plan(plan, error))
        return false;
    matches->outcome = calloc(plan->matches, sizeof *matches->outcome);
    if (!matches->outcome)
        return error_set(error, "Out of memory for the outcomes of %llu matches.",
                         (unsigned long long)plan->matches);
    for (uint64_t i = 0; i < plan->matches; i++)
        matches->outcome[i].winner = -1;
    Run run = {.plan = plan, .matches = matches, .error = error};
    double start = clock_seconds();
    pthread_mutex_init(&run.lock, NULL);
    bool done = pool_run(plan->work.jobs, plan->matches, play_match, &run, plan->work.stop, error);
    pthread_mutex_destroy(&run.lock);
    matches->seconds = clock_seconds() - start;
    matches->interrupted = matches->ended < plan->matches;
    return done && !run.failed;
}

void matches_free(Matches *matches) {
    free(matches->outcome);
    matches->outcome = NULL;
    record_free(&matches->record);
}

Interval matches_interval(uint64_t wins, uint64_t games) {
    if (games == 0)
        return (Interval){0, 1};
    double z = quantile_normal(0.975), n = (double)games, share = (double)wins / n;
    double middle = (share + z * z / (2 * n)) / (1 + z * z / n);
    double half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    return (Interval){wins == 0 ? 0 : middle - half, wins == games ? 1 : middle + half};
}

double matches_chance(uint64_t wins, uint64_t losses) {
    uint64_t fewer = wins < losses ? wins : losses;
    double chance = 2 * quantile_coin(fewer, wins + losses);
    return chance < 1 ? chance : 1;
}
