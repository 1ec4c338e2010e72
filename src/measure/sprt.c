// SPDX-License-Identifier: GPL-3.0-or-later
// The sequential test of two players; sprt.h derives it. A crew plays pairs ahead of the test, which takes
// them in the order of their numbers: what was played beyond the decision is thrown away.
#include "measure/sprt.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"
#include "base/portable.h"

enum { SLOW_BLOCK = 8, SLICE = 4096, FIRST_ROOM = 256, AHEAD = 8192 };

// ---------------------------------------------------------------------------------------------------
// The test

bool sprt_start(Sprt *sprt, double r0, double r1, double alpha, double beta, Error *error) {
    *sprt = (Sprt){.r0 = r0, .r1 = r1, .alpha = alpha, .beta = beta, .look = SPRT_FIRST_LOOK};
    if (!(r0 > 0 && r1 > 0 && isfinite(r0) && isfinite(r1) && r0 != r1))
        return error_set(error, "A sequential test needs two different positive ratios, not %g and %g.", r0,
                         r1);
    if (!(alpha > 0 && alpha < 0.5 && beta > 0 && beta < 0.5))
        return error_set(error, "The error rates must lie between 0 and 0.5, not be %g and %g.", alpha, beta);
    sprt->lower = portable_log(beta / (1 - alpha));
    sprt->upper = portable_log((1 - beta) / alpha);
    return true;
}

void sprt_free(Sprt *sprt) {
    free(sprt->a);
    free(sprt->b);
    sprt->a = sprt->b = NULL;
}

static bool grow(Score **score, uint64_t room) {
    Score *larger = realloc(*score, room * sizeof *larger);
    if (larger)
        *score = larger;
    return larger;
}

static double exponential_part(const Sprt *sprt, double x, double y) {
    return portable_log(sprt->r1 / sprt->r0) + 2 * portable_log((sprt->r0 * x + y) / (sprt->r1 * x + y));
}

static double sign_part(const Sprt *sprt, double x, double y) {
    double loss = portable_log((1 + sprt->r0) / (1 + sprt->r1)),
           win = portable_log(sprt->r1 / sprt->r0) + loss;
    return y > x ? win : y < x ? loss : (win + loss) / 2;
}

static bool look_at_scores(Sprt *sprt, Error *error) {
    if (!distribution_fit(&sprt->fit_a, sprt->a, sprt->pairs, 1, error) ||
        !distribution_fit(&sprt->fit_b, sprt->b, sprt->pairs, 1, error))
        return false;
    if (!distribution_is_exponential(&sprt->fit_a) || !distribution_is_exponential(&sprt->fit_b))
        sprt->test = SPRT_SIGN;
    sprt->look *= 2;
    return true;
}

double sprt_sum(const Sprt *sprt) {
    return sprt->test == SPRT_SIGN ? sprt->sign : sprt->exponential;
}

bool sprt_add(Sprt *sprt, const Score *a, const Score *b, Error *error) {
    if (sprt->decision != SPRT_UNDECIDED)
        return true;
    if (sprt->pairs == sprt->room) {
        uint64_t room = sprt->room ? 2 * sprt->room : FIRST_ROOM;
        if (!grow(&sprt->a, room) || !grow(&sprt->b, room))
            return error_set(error, "Out of memory for %llu pairs of games.", (unsigned long long)room);
        sprt->room = room;
    }
    sprt->a[sprt->pairs] = *a;
    sprt->b[sprt->pairs] = *b;
    sprt->pairs++;
    double x = (double)a->lines + 0.5, y = (double)b->lines + 0.5;
    sprt->exponential += exponential_part(sprt, x, y);
    sprt->sign += sign_part(sprt, x, y);
    if (sprt->pairs < SPRT_FIRST_LOOK)
        return true;
    if (sprt->pairs == sprt->look && !look_at_scores(sprt, error))
        return false;
    double sum = sprt_sum(sprt);
    sprt->decision = sum >= sprt->upper ? SPRT_H1 : sum <= sprt->lower ? SPRT_H0 : SPRT_UNDECIDED;
    return true;
}

const char *const sprt_decision_words[] = {
    [SPRT_UNDECIDED] = "undecided", [SPRT_H0] = "h0", [SPRT_H1] = "h1"};

double sprt_mean(const Sprt *sprt, const Score *score) {
    double sum = 0;
    for (uint64_t i = 0; i < sprt->pairs; i++)
        sum += (double)score[i].lines;
    return sprt->pairs ? sum / (double)sprt->pairs : NAN;
}

double sprt_wins(const Sprt *sprt) {
    double wins = 0;
    for (uint64_t i = 0; i < sprt->pairs; i++)
        wins += sprt->b[i].lines > sprt->a[i].lines ? 1 : sprt->b[i].lines == sprt->a[i].lines ? 0.5 : 0;
    return sprt->pairs ? wins / (double)sprt->pairs : NAN;
}

const char *sprt_test_name(SprtTest test) {
    return test == SPRT_SIGN ? "sign" : "exponential";
}

static double sum_of(const Score *score, uint64_t count) {
    double sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += (double)score[i].lines;
    return sum;
}

static double deviation_of(const Score *score, uint64_t count, double mean) {
    double squares = 0;
    for (uint64_t i = 0; i < count; i++)
        squares += ((double)score[i].lines - mean) * ((double)score[i].lines - mean);
    return sqrt(squares / (double)(count - 1));
}

Ratio sprt_ratio(const Sprt *sprt) {
    uint64_t n = sprt->pairs;
    double a = sum_of(sprt->a, n), b = sum_of(sprt->b, n);
    if (sprt->test == SPRT_EXPONENTIAL || n < 2)
        return ratio_exponential(n, a, n, b);
    double mean_a = a / (double)n, mean_b = b / (double)n;
    return ratio_combine(mean_a, interval_normal(n, mean_a, deviation_of(sprt->a, n, mean_a)), mean_b,
                         interval_normal(n, mean_b, deviation_of(sprt->b, n, mean_b)));
}

// ---------------------------------------------------------------------------------------------------
// Playing

// What is sampled: pair k is game k of both players.
typedef struct Pair {
    Score a, b; // b.played: the pair is done
} Pair;
_Static_assert(sizeof(Pair) <= CREW_SAMPLE_BYTES, "a pair is a sample");

typedef struct Players {
    const Player *a, *b;
} Players;

// Games first ... first + count - 1 side by side. <- false: stopped
static bool play_games(const Player *player, const CrewJob *job, CrewHand *hand, Game game[]) {
    bool going = true;
    for (int k = 0; k < job->count; k++)
        game_start(&game[k], player_rules(player), job->seed, job->first + (uint64_t)k);
    for (int turns = 1; turns && going; going = !turns || !pool_stopped(crew_stop(hand))) {
        Turn turn[CREW_MAX_SAMPLES];
        turns = 0;
        for (int k = 0; k < job->count; k++)
            if (game[k].state == GAME_RUNNING)
                turn[turns++] = (Turn){&game[k], SLICE, -1, TURN_ANY_HEIGHT};
        player_run_turns(player, turns, turn, NULL, NULL);
    }
    uint64_t pieces = 0, lines = 0;
    for (int k = 0; k < job->count; k++) {
        pieces += game[k].pieces;
        lines += game[k].lines;
    }
    crew_note(hand, pieces, lines);
    return going;
}

static void work(const void *context, CrewHand *hand) {
    const Players *players = context;
    Game a[CREW_MAX_SAMPLES], b[CREW_MAX_SAMPLES];
    for (const CrewJob *job; (job = crew_take(hand, true));) {
        Pair *pair = job->sample;
        bool done = play_games(players->a, job, hand, a) && play_games(players->b, job, hand, b);
        for (int k = 0; done && k < job->count; k++)
            pair[k] = (Pair){{a[k].lines, a[k].pieces, false, true}, {b[k].lines, b[k].pieces, false, true}};
        crew_give(hand, job, NULL);
    }
}

const CrewKind pair_kind = {
    .name = "pair",
    .sample_bytes = sizeof(Pair),
    .done = offsetof(Pair, b.played),
    .room = 1,
    .work = work,
    CREW_PLAYERS_TRAVEL,
    .context_bytes = sizeof(Players),
    .players = 2,
    .player = {offsetof(Players, a), offsetof(Players, b)},
};

typedef struct Run {
    const SprtPlan *plan;
    SprtRun *result;
} Run;

// So many ahead that nobody is idle.
static uint64_t wanted(void *self) {
    const Run *run = self;
    uint64_t pairs = 2 * run->result->sprt.pairs + AHEAD;
    return pairs < run->plan->most_pairs ? pairs : run->plan->most_pairs;
}

static bool take(void *self, const void *sample, Error *error) {
    SprtRun *result = ((Run *)self)->result;
    const Pair *pair = sample;
    result->pieces += pair->a.pieces + pair->b.pieces;
    return sprt_add(&result->sprt, &pair->a, &pair->b, error);
}

static bool enough(void *self) {
    const Run *run = self;
    const Sprt *sprt = &run->result->sprt;
    return sprt->decision != SPRT_UNDECIDED || sprt->pairs == run->plan->most_pairs;
}

static void tell(void *self, const Crew *crew) {
    const Run *run = self;
    Advance advance = {.unit = "pairs",
                       .done = run->result->sprt.pairs,
                       .wanted = run->plan->most_pairs,
                       .pieces = crew->pieces,
                       .value = sprt_sum(&run->result->sprt),
                       .precision = NAN};
    work_tell(&run->plan->work, &advance);
}

static bool check_plan(const SprtPlan *plan, Error *error) {
    if (player_rules(plan->a)->pieces.law == PIECES_RECORDED ||
        player_rules(plan->b)->pieces.law == PIECES_RECORDED)
        return error_set(
            error, "A sequential test needs games with different pieces, which a recorded sequence does "
                   "not have; give --pieces another law.");
    if (plan->most_pairs < 1 || plan->most_pairs > SPRT_MAX_PAIRS)
        return error_set(error, "A sequential test takes 1 to %d pairs, not %llu.", SPRT_MAX_PAIRS,
                         (unsigned long long)plan->most_pairs);
    return true;
}

bool sprt_run(SprtRun *run, const SprtPlan *plan, Error *error) {
    *run = (SprtRun){.pieces = 0};
    if (!check_plan(plan, error) ||
        !sprt_start(&run->sprt, plan->r0, plan->r1, plan->alpha, plan->beta, error))
        return false;
    Players players = {.a = plan->a, .b = plan->b};
    Run both = {plan, run};
    Judge judge = {.kind = &pair_kind,
                   .context = &players,
                   .make = crew_for(plan->a, plan->b),
                   .work = &plan->work,
                   .seed = plan->seed,
                   .share =
                       player_is_fast(plan->a) && player_is_fast(plan->b) ? CREW_MAX_SAMPLES : SLOW_BLOCK,
                   .self = &both,
                   .wanted = wanted,
                   .take = take,
                   .enough = enough,
                   .tell = tell};
    double start = clock_seconds();
    bool good = judge_run(&judge, error);
    free(judge.sample);
    run->seconds = clock_seconds() - start;
    run->interrupted = run->sprt.decision == SPRT_UNDECIDED && run->sprt.pairs < plan->most_pairs;
    return good;
}

void sprt_run_free(SprtRun *run) {
    sprt_free(&run->sprt);
}
