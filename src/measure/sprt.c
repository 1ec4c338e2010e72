// SPDX-License-Identifier: GPL-3.0-or-later
// The sequential test of two players; sprt.h derives it. Threads play blocks of pairs ahead of the test,
// which takes the pairs in order of their numbers: what was played beyond the decision is thrown away.
#include "measure/sprt.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/pool.h"
#include "base/portable.h"

enum { SLOW_BLOCK = 8, BLOCK = 128, SLICE = 4096, FIRST_ROOM = 256 };

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

// Pairs number * team->pairs ... + team->pairs - 1.
typedef struct Block {
    Score a[BLOCK], b[BLOCK];
    bool done;
} Block;

typedef struct Team {
    const SprtPlan *plan;
    SprtRun *run;
    Block *block;
    int pairs;               // of a block: many where games side by side are faster than one
    uint64_t blocks, judged; // blocks 0 ... judged-1 are in the test
    uint64_t played;         // pieces, also of pairs that are not in it
    volatile bool finished;
    bool failed;
    Error *error;
    pthread_mutex_t lock;
} Team;

static bool stopped(const Team *team) {
    return pool_stopped(&team->finished) || work_is_stopped(&team->plan->work);
}

// <- false: stopped
static bool play_games(const Team *team, const Player *player, uint64_t number, Score *score) {
    uint64_t first = number * (uint64_t)team->pairs;
    Game game[BLOCK];
    bool going = true;
    for (int k = 0; k < team->pairs; k++)
        game_start(&game[k], player_rules(player), team->plan->seed, first + (uint64_t)k);
    for (int turns = 1; turns && going; going = !turns || !stopped(team)) {
        Turn turn[BLOCK];
        turns = 0;
        for (int k = 0; k < team->pairs; k++)
            if (game[k].state == GAME_RUNNING)
                turn[turns++] = (Turn){&game[k], SLICE, -1, TURN_ANY_HEIGHT};
        player_run_turns(player, turns, turn, NULL, NULL);
    }
    for (int k = 0; k < team->pairs; k++)
        score[k] = (Score){.lines = game[k].lines, .pieces = game[k].pieces, .played = true};
    return going;
}

static void finish(Team *team) {
    __atomic_store_n(&team->finished, true, __ATOMIC_RELAXED);
}

// Takes the blocks in order, as far as they are played.
static void judge(Team *team) {
    Sprt *sprt = &team->run->sprt;
    for (; team->judged < team->blocks && team->block[team->judged].done && !team->finished; team->judged++) {
        const Block *block = &team->block[team->judged];
        for (int k = 0; k < team->pairs && sprt->decision == SPRT_UNDECIDED; k++) {
            if (sprt->pairs == team->plan->most_pairs)
                break;
            if (!sprt_add(sprt, &block->a[k], &block->b[k], team->error)) {
                team->failed = true;
                finish(team);
                return;
            }
            team->run->pieces += block->a[k].pieces + block->b[k].pieces;
        }
        if (sprt->decision != SPRT_UNDECIDED || sprt->pairs == team->plan->most_pairs)
            finish(team);
    }
}

static void play_block(void *context, uint64_t number, int thread) {
    (void)thread;
    Team *team = context;
    Block block = {.done = false};
    block.done = !stopped(team) && play_games(team, team->plan->a, number, block.a) &&
                 play_games(team, team->plan->b, number, block.b);
    pthread_mutex_lock(&team->lock);
    for (int k = 0; k < team->pairs; k++)
        team->played += block.a[k].pieces + block.b[k].pieces;
    team->block[number] = block;
    judge(team);
    if (!block.done) // Ctrl-C: a pair is missing, and those behind it do not count
        finish(team);
    Advance advance = {.unit = "pairs",
                       .done = team->run->sprt.pairs,
                       .wanted = team->plan->most_pairs,
                       .pieces = team->played,
                       .value = sprt_sum(&team->run->sprt),
                       .precision = NAN};
    work_tell(&team->plan->work, &advance);
    pthread_mutex_unlock(&team->lock);
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
    Team team = {.plan = plan, .run = run, .error = error};
    team.pairs = player_is_fast(plan->a) && player_is_fast(plan->b) ? BLOCK : SLOW_BLOCK;
    team.blocks = (plan->most_pairs + (uint64_t)team.pairs - 1) / (uint64_t)team.pairs;
    team.block = calloc(team.blocks, sizeof *team.block);
    if (!team.block)
        return error_set(error, "Out of memory for %llu pairs of games.",
                         (unsigned long long)plan->most_pairs);
    double start = clock_seconds();
    pthread_mutex_init(&team.lock, NULL);
    bool good =
        pool_run(plan->work.jobs, team.blocks, play_block, &team, &team.finished, error) && !team.failed;
    pthread_mutex_destroy(&team.lock);
    free(team.block);
    run->seconds = clock_seconds() - start;
    run->interrupted = run->sprt.decision == SPRT_UNDECIDED && run->sprt.pairs < plan->most_pairs;
    return good;
}

void sprt_run_free(SprtRun *run) {
    sprt_free(&run->sprt);
}
