// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the method, runs it to the precision, and says in a sentence what the user has to know about the
// result. The rules by which it chooses are in tasks/measure_rules.h.
#include "tasks/measurement.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "measure/splitting_rules.h"
#include "tasks/measure_games.h"
#include "tasks/measure_rules.h"

const char *const measure_method_words[] = {"auto", "games", "splitting", "heights", NULL};

// ---------------------------------------------------------------------------------------------------
// Which method, and how

static bool is_slow(const Player *player) {
    return !player_is_fast(player);
}

int measurement_strands(const MeasurePlan *plan) {
    return plan->strands ? plan->strands : splitting_strands(plan->player);
}

static bool decide(Measurement *m, const MeasurePlan *plan, Error *error) {
    Error reason;
    bool games = plan->method == MEASURE_AUTO && !splitting_check(plan->player, &reason);
    m->method = games ? MEASURE_GAMES : plan->method;
    m->base = plan->base;
    m->trials = plan->trials;
    if (m->method != MEASURE_AUTO && m->method != MEASURE_SPLITTING)
        return true;
    if (!splitting_pilot(&m->pilot, plan->player, plan->seed, m->strands,
                         measure_pilot_pieces(is_slow(plan->player), plan->budget), plan->base,
                         plan->precision, is_slow(plan->player) && !plan->budget, &plan->work, error))
        return false;
    if (m->method == MEASURE_AUTO)
        m->method = measure_cheaper(&m->pilot, plan->precision);
    m->base = m->pilot.base;
    m->trials = plan->trials ? plan->trials : measure_trials(&m->pilot, plan->budget);
    m->importance = m->pilot.importance;
    return true;
}

// From what is known, or by the pilot. <- the pieces it cost are in m->pieces
static bool prepare(Measurement *m, const MeasurePlan *plan, Error *error) {
    const MeasureKnown *known = plan->known;
    if (known && known->started) {
        m->method = known->method;
        m->base = known->base;
        m->trials = known->trials;
        m->importance = known->importance;
        m->pieces = known->pilot_pieces;
        return true;
    }
    if (!decide(m, plan, error))
        return false;
    m->pieces = m->pilot.pieces;
    if (work_is_stopped(&plan->work))
        return error_set(error, "Interrupted before anything was measured.");
    MeasureEvent event = {.kind = MEASURE_STARTED,
                          .method = m->method,
                          .base = m->base,
                          .trials = m->trials,
                          .importance = m->importance,
                          .pilot_pieces = m->pieces};
    if (plan->record)
        plan->record(plan->keeper, &event);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Splitting

static void splitting_finished(void *context, uint64_t number, const SplittingRun *run) {
    const MeasurePlan *plan = context;
    MeasureEvent event = {
        .kind = MEASURE_REPETITION, .method = MEASURE_SPLITTING, .first = number, .run = run};
    if (plan->record)
        plan->record(plan->keeper, &event);
}

// <- a height if all repetitions ended at the same, else 0
static int extinction_height(const Splitting *splitting) {
    int height = splitting->runs ? splitting->run[0].extinct : 0;
    for (uint64_t k = 1; k < splitting->runs; k++)
        if (splitting->run[k].extinct != height)
            height = 0;
    return height;
}

static void note_extinction(Measurement *m) {
    const Splitting *splitting = &m->splitting;
    int height = extinction_height(splitting);
    char pieces[24], trials[32];
    text_count((double)splitting->pieces, pieces);
    text_grouped(m->trials, trials);
    if (splitting->extinct <= splitting->runs / 2)
        return; // some may be: what counts is that there are enough of the others
    if (splitting->extinct < splitting->runs)
        snprintf(m->note, sizeof m->note,
                 "%" PRIu64 " of %" PRIu64
                 " repetitions did not get to a lost game, so that the mean may be too high and the interval "
                 "too narrow: give more --trials than %s.",
                 splitting->extinct, splitting->runs, trials);
    else if (height == m->base + 1)
        snprintf(m->note, sizeof m->note,
                 "The pile never rose above %d rows in %s pieces, which bounds the mean from below only. "
                 "Either the "
                 "player never loses, or a lower --base lets splitting begin.",
                 m->base, pieces);
    else
        snprintf(m->note, sizeof m->note,
                 "No game was lost (%s%.0d%s), and %s pieces without a loss bound the mean from below only: "
                 "give more "
                 "--trials than %s.",
                 height ? "no pile got " : "all repetitions died out on the way", height,
                 height ? " rows high" : "", pieces, trials);
}

// There are some repetitions at least, whatever the budget.
static void note_least_cost(Measurement *m, const MeasurePlan *plan) {
    char budget[24], pieces[24], trials[32];
    size_t length = strlen(m->note);
    if (!plan->budget || m->interrupted || m->pieces <= plan->budget + plan->budget / 4)
        return;
    snprintf(m->note + length, sizeof m->note - length,
             "%sThe budget of %s pieces is too small: the %" PRIu64
             " repetitions of %s trials that splitting takes here at least cost %s. Give more "
             "--budget-pieces.",
             length ? " " : "", text_count((double)plan->budget, budget), m->splitting.runs,
             text_grouped(m->trials, trials), text_count((double)m->pieces, pieces));
}

static bool run_splitting(Measurement *m, const MeasurePlan *plan, Error *error) {
    // Without a start nobody knows with which base, trials and importance the repetitions were made.
    const MeasureKnown *known = plan->known && plan->known->started ? plan->known : NULL;
    SplittingPlan splitting = {.player = plan->player,
                               .seed = plan->seed,
                               .base = m->base,
                               .trials = m->trials,
                               .strands = m->strands,
                               .importance = m->importance,
                               .precision = plan->precision,
                               .budget = !plan->budget              ? 0
                                         : plan->budget > m->pieces ? plan->budget - m->pieces
                                                                    : 1,
                               .shard = plan->shard,
                               .work = plan->work,
                               .known = known ? known->run : NULL,
                               .known_count = known ? known->runs : 0,
                               .finished = splitting_finished,
                               .context = (void *)plan};
    if (!splitting_run(&m->splitting, &splitting, error))
        return false;
    const Splitting *done = &m->splitting;
    m->wanted = done->wanted;
    m->interrupted = done->interrupted;
    if (plan->shard.of)
        return true;
    if (done->runs == 0)
        return error_set(error, "Interrupted before the first repetition was complete.");
    m->mean_lines = done->mean_lines;
    m->interval = done->interval;
    m->precision = splitting_precision(done);
    m->pieces += done->pieces;
    m->precise = done->precise;
    note_extinction(m);
    note_least_cost(m, plan);
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Heights

static HeightsPlan heights_plan(const MeasurePlan *plan, uint64_t pieces) {
    return (HeightsPlan){.player = plan->player, .seed = plan->seed, .pieces = pieces, .work = plan->work};
}

// -> needed  pieces that a line would take
static void note_heights(Measurement *m, uint64_t needed) {
    char pieces[24];
    if (m->heights.fitted)
        snprintf(m->note, sizeof m->note,
                 "Fahey's regression of pile heights is biased; the interval is that of the fitted line and "
                 "does not cover the mean. Rather use --method splitting.");
    else if (needed == UINT64_MAX)
        snprintf(m->note, sizeof m->note,
                 "No line can be fitted, whatever the number of pieces: it takes %d heights above the usual "
                 "ones, and this player does not have them on this board. Use --method auto.",
                 HEIGHTS_LEAST_POINTS);
    else
        snprintf(m->note, sizeof m->note,
                 "Too few different pile heights were seen to fit a line, which would take about %s pieces: "
                 "give more --budget-pieces, or use --method splitting.",
                 text_count(fmax((double)needed, 2 * (double)m->heights.pieces), pieces));
}

// A short run first: nobody shall wait for a line that will not be there.
static bool run_heights(Measurement *m, const MeasurePlan *plan, Error *error) {
    uint64_t pieces = measure_heights_pieces(is_slow(plan->player), plan->budget), needed = 0;
    const int top = heights_top(player_rules(plan->player));
    Heights *done = &m->heights;
    for (int k = 0; k < 2; k++) {
        HeightsPlan heights = heights_plan(plan, k ? pieces : measure_heights_pilot(pieces));
        if (!heights_run(done, &heights, error))
            return false;
        needed = heights_needed(done, top);
        if (done->interrupted || heights.pieces == pieces || measure_heights_hopeless(needed, pieces))
            break;
    }
    m->mean_lines = done->fitted ? done->mean_lines : NAN;
    m->interval = done->fitted ? done->interval : (Interval){NAN, NAN};
    m->precision = fmax(m->interval.high - m->mean_lines, m->mean_lines - m->interval.low) / m->mean_lines;
    m->pieces += done->pieces; // the long run begins with the moves of the short one
    m->interrupted = done->interrupted;
    m->precise = done->fitted && m->precision <= plan->precision;
    note_heights(m, needed);
    return true;
}

// ---------------------------------------------------------------------------------------------------

// Why it is not as precise as was wanted, unless something was said already.
static void note_end(Measurement *m, const MeasurePlan *plan) {
    char budget[24];
    if (m->note[0] || m->precise || plan->shard.of)
        return;
    if (m->interrupted && m->precision <= plan->precision) // splitting: a stage is looked at when complete
        snprintf(m->note, sizeof m->note,
                 "Interrupted: the interval is narrow enough, but only %" PRIu64 " of the %" PRIu64
                 " repetitions planned are made.",
                 m->splitting.runs, m->splitting.wanted);
    else if (m->interrupted)
        snprintf(m->note, sizeof m->note, "Interrupted before the precision of %g %% was reached.",
                 100 * plan->precision);
    else if (plan->budget)
        snprintf(m->note, sizeof m->note,
                 "The budget of %s pieces did not suffice for %g %%: give more --budget-pieces.",
                 text_count((double)plan->budget, budget), 100 * plan->precision);
    else
        snprintf(m->note, sizeof m->note, "%s did not suffice for %g %%%s.",
                 m->method == MEASURE_GAMES ? "Ten million games" : "8,192 repetitions",
                 100 * plan->precision, m->method == MEASURE_GAMES ? "" : ": give more --trials");
}

bool measurement_run(Measurement *m, const MeasurePlan *plan, Error *error) {
    *m = (Measurement){.mean_lines = NAN, .interval = {NAN, NAN}, .precision = INFINITY};
    if (!(plan->precision > 0))
        return error_set(error, "The precision to measure to must be above 0; it is %g.", plan->precision);
    m->strands = measurement_strands(plan);
    double start = clock_seconds();
    if (!prepare(m, plan, error))
        return false;
    if (plan->shard.of && m->method == MEASURE_HEIGHTS)
        return error_set(error, "Heights are counted over one long run, which cannot be cut into shards.");
    bool (*const run[])(Measurement *, const MeasurePlan *, Error *) = {[MEASURE_GAMES] = measure_games,
                                                                        [MEASURE_SPLITTING] = run_splitting,
                                                                        [MEASURE_HEIGHTS] = run_heights};
    if (!run[m->method](m, plan, error))
        return false;
    if (isnan(m->precision))
        m->precision = INFINITY;
    m->seconds = clock_seconds() - start;
    note_end(m, plan);
    return true;
}

bool measurement_known(Measurement *m, const MeasurePlan *plan, Error *error) {
    static const volatile bool at_once = true;
    MeasurePlan known = *plan;
    known.work.stop = &at_once;
    known.shard = (Shard){0};
    known.record = NULL;
    return measurement_run(m, &known, error);
}

void measurement_free(Measurement *m) {
    playing_free(&m->games);
    splitting_free(&m->splitting);
}
