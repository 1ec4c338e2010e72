// SPDX-License-Identifier: GPL-3.0-or-later
// Whole games in blocks. How many games there are in a block depends on the scores of the blocks before,
// never on threads or time, so that a measurement that was interrupted goes on as if it had not been. How
// many games are needed does not depend on the scores as long as they are exponential (interval_games_for):
// stopping there favours neither short nor long games. Only if the law does not hold is the number derived
// from their spread.
#include "tasks/measure_games.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure/distribution.h"
#include "tasks/measure_rules.h"

// Of a shard, between two lines of its journal: its own games, and the numbers from the first to the last
// (tasks/journal.c: GAMES_AHEAD).
enum { SHARD_BLOCK = 256, SHARD_REACH = 16384 };

typedef struct Blocks {
    Measurement *m;
    const MeasurePlan *plan;
    uint64_t need; // games that must end by themselves
    GamesPlayed so_far;
    uint64_t room;  // of m->games.score
    uint64_t lines; // of the blocks so far
    Error *error;
} Blocks;

// ---------------------------------------------------------------------------------------------------
// Blocks

static bool is_recorded(const MeasurePlan *plan) {
    return player_rules(plan->player)->pieces.law == PIECES_RECORDED;
}

static bool is_hopeless(const Blocks *blocks) { // recorded pieces end before the games do
    return blocks->so_far.censored && blocks->so_far.ended == 0 && is_recorded(blocks->plan);
}

static bool make_room(Blocks *blocks, uint64_t games) {
    if (games <= blocks->room)
        return true;
    uint64_t room = games + games / 2;
    Score *score = realloc(blocks->m->games.score, room * sizeof *score);
    if (!score)
        return error_set(blocks->error, "Out of memory for the scores of %" PRIu64 " games.", games);
    memset(score + blocks->room, 0, (room - blocks->room) * sizeof *score);
    blocks->m->games.score = score;
    blocks->room = room;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Playing a block

static void games_progress(void *context, const Advance *block) {
    const Blocks *blocks = context;
    uint64_t ended = blocks->so_far.ended + block->done;
    double lines = (double)blocks->lines + (block->done ? block->value * (double)block->done : 0);
    Advance all = {.unit = "games",
                   .done = ended,
                   .wanted = blocks->need,
                   .pieces = blocks->so_far.pieces + block->pieces,
                   .value = ended ? lines / (double)ended : NAN,
                   .precision = interval_precision(ended, false)};
    work_tell(&blocks->plan->work, &all);
}

// Games that were stopped by the user, not by the block's limit, are to be played again one day.
static bool to_be_kept(const Score *score, uint64_t max_pieces) {
    return score->played && (!score->censored || (max_pieces && score->pieces >= max_pieces));
}

// Keeps the games that were played now: those from the first to the last of them.
static bool record(const Blocks *blocks, const GamesBlock *block, const Playing *playing) {
    const MeasurePlan *plan = blocks->plan;
    const Score *before = blocks->m->games.score + block->first;
    uint64_t first = 0, end = playing->games;
    while (first < end && (before[first].played || !playing->score[first].played))
        first++;
    while (end > first && (before[end - 1].played || !playing->score[end - 1].played))
        end--;
    if (!plan->record || first == end)
        return true;
    Score *kept = malloc((end - first) * sizeof *kept);
    if (!kept)
        return error_set(blocks->error, "Out of memory: cannot keep %" PRIu64 " scores.", end - first);
    for (uint64_t k = first; k < end; k++) {
        kept[k - first] = playing->score[k];
        kept[k - first].played = !before[k].played && playing->score[k].played &&
                                 (!playing->interrupted || to_be_kept(&playing->score[k], block->max_pieces));
    }
    MeasureEvent event = {.kind = MEASURE_GAMES_PLAYED,
                          .method = MEASURE_GAMES,
                          .first = block->first + first,
                          .score = kept,
                          .count = end - first};
    plan->record(plan->keeper, &event);
    free(kept);
    return true;
}

// Those that are not known.
static bool play_missing(Blocks *blocks, const GamesBlock *block) {
    const MeasurePlan *plan = blocks->plan;
    Score *score = blocks->m->games.score + block->first;
    Playing playing;
    PlayingPlan games = {.player = plan->player,
                         .seed = plan->seed,
                         .first = block->first,
                         .games = block->count,
                         .max_pieces = block->max_pieces,
                         .shard = plan->shard,
                         .known = score,
                         .gaps = true,
                         .work = plan->work};
    games.work.progress = games_progress;
    games.work.context = blocks;
    bool good = playing_run(&playing, &games, blocks->error) && record(blocks, block, &playing);
    if (good && playing.games)
        memcpy(score, playing.score, playing.games * sizeof *score);
    blocks->m->interrupted = playing.interrupted;
    playing_free(&playing);
    return good;
}

// A game that a smaller budget stopped is not known. Recorded pieces end where they end.
static bool is_known(const MeasurePlan *plan, uint64_t game, uint64_t max_pieces) {
    const MeasureKnown *known = plan->known;
    if (!known || game >= known->scores || !known->score[game].played)
        return false;
    const PieceSource *source = &player_rules(plan->player)->pieces;
    bool used_up = is_recorded(plan) && known->score[game].pieces >= source->recorded_length;
    return used_up || to_be_kept(&known->score[game], max_pieces);
}

// Takes what is known and plays the rest.
static bool play_block(Blocks *blocks, const GamesBlock *block) {
    const MeasurePlan *plan = blocks->plan;
    uint64_t missing = 0, of = plan->shard.of;
    if (!make_room(blocks, block->first + block->count))
        return false;
    Score *score = blocks->m->games.score;
    for (uint64_t k = block->first; k < block->first + block->count; k++) {
        score[k] = is_known(plan, k, block->max_pieces) ? plan->known->score[k] : (Score){0};
        missing += !score[k].played && (!of || k % of == plan->shard.number);
    }
    return !missing || play_missing(blocks, block);
}

// Counts the block; if it was interrupted, games that were never started are taken out.
static void count_block(Blocks *blocks, const GamesBlock *block) {
    Score *score = blocks->m->games.score;
    uint64_t to = block->first;
    for (uint64_t k = block->first; k < block->first + block->count; k++) {
        if (!score[k].played)
            continue;
        score[to++] = score[k];
        blocks->so_far.pieces += score[k].pieces;
        blocks->lines += score[k].lines;
        blocks->so_far.censored += score[k].censored;
        blocks->so_far.ended += !score[k].censored;
    }
    blocks->m->games.games = to;
}

static bool play_blocks(Blocks *blocks) {
    while (blocks->so_far.ended < blocks->need && !blocks->m->interrupted) {
        GamesBlock block = games_next_block(&blocks->so_far, blocks->need, blocks->plan->budget);
        if (block.count == 0 || is_hopeless(blocks))
            break;
        if (!play_block(blocks, &block))
            return false;
        count_block(blocks, &block);
    }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// What the scores say

static double side(Interval interval, double mean) {
    return mean > 0 ? fmax(interval.high - mean, mean - interval.low) / mean : INFINITY;
}

// The interval that fits the law of the scores; a note if it is not the exponential one.
static bool summarise(Blocks *blocks, bool *exponential) {
    Measurement *m = blocks->m;
    const Score *score = m->games.score;
    uint64_t games = m->games.games, seed = blocks->plan->seed;
    Summary summary;
    DistributionFit fit;
    if (!summary_make(&summary, score, games, blocks->error) ||
        !distribution_fit(&fit, score, games, seed, blocks->error))
        return false;
    *exponential = summary.censored || distribution_is_exponential(&fit);
    m->mean_lines = summary.mean;
    m->interval = summary.exact;
    if (!*exponential && !distribution_bootstrap(&m->interval, score, games, seed, blocks->error))
        return false;
    bool resampled = !isnan(m->interval.low) && games <= DISTRIBUTION_MAX_RESAMPLED;
    const char *used = resampled ? "is from a bootstrap" : "is the normal one, from their spread";
    if (!*exponential && isnan(m->interval.low)) {
        m->interval = summary.exact;
        used = "is that of the exponential law all the same";
    }
    m->precision = isfinite(summary.mean) ? side(m->interval, summary.mean) : INFINITY;
    m->precise = m->precision <= blocks->plan->precision;
    m->note[0] = 0;
    if (!*exponential)
        snprintf(m->note, sizeof m->note, "The scores are not exponential (sd/mean %.2f): the interval %s.",
                 summary.mean > 0 ? summary.sd / summary.mean : 0, used);
    return true;
}

// <- are the games enough? If not, more of them are asked for.
static bool is_enough(Blocks *blocks, bool exponential) {
    const Measurement *m = blocks->m;
    if (exponential || m->precise || m->interrupted || !isfinite(m->precision))
        return true;
    uint64_t more = games_for_spread(blocks->so_far.ended, m->precision, blocks->plan->precision);
    bool enough = more <= blocks->need;
    blocks->need = more;
    return enough;
}

static void note_recorded(Measurement *m) {
    const Score *score = &m->games.score[0];
    m->mean_lines = (double)score->lines;
    m->interval = score->censored ? (Interval){(double)score->lines, INFINITY}
                                  : (Interval){m->mean_lines, m->mean_lines};
    m->precision = score->censored ? INFINITY : 0;
    m->precise = !score->censored;
    snprintf(m->note, sizeof m->note,
             "Recorded pieces make every game the same: one was played%s, and other pieces would give "
             "another score.",
             score->censored ? ", which did not end before they were used up" : "");
}

// The games of a shard, of those that are needed as far as the known ones tell.
static bool play_shard(Blocks *blocks) {
    Measurement so_far;
    Error ignored;
    const MeasurePlan *plan = blocks->plan;
    if (plan->known && measurement_known(&so_far, plan, &ignored) && so_far.wanted > blocks->need)
        blocks->need = so_far.wanted;
    if (plan->known)
        measurement_free(&so_far);
    GamesBlock block = {.first = 0};
    for (; block.first < blocks->need && !blocks->m->interrupted; block.first += block.count) {
        uint64_t left = blocks->need - block.first, most = SHARD_BLOCK * plan->shard.of;
        most = most < SHARD_REACH ? most : SHARD_REACH;
        block.count = left < most ? left : most;
        if (!play_block(blocks, &block))
            return false;
    }
    return true;
}

bool measure_games(Measurement *m, const MeasurePlan *plan, Error *error) {
    Blocks blocks = {.m = m, .plan = plan, .error = error};
    blocks.need = playing_is_fixed(plan->player) ? 1 : interval_games_for(plan->precision, PLAYING_MAX_GAMES);
    if (plan->shard.of)
        return play_shard(&blocks);
    m->wanted = blocks.need;
    for (bool enough = false; !enough;) {
        uint64_t before = m->games.games;
        bool exponential;
        if (!play_blocks(&blocks))
            return false;
        if (m->games.games == 0)
            return error_set(error, "Interrupted before a game began.");
        if (!summarise(&blocks, &exponential))
            return false;
        enough = is_enough(&blocks, exponential) || m->games.games == before;
    }
    m->wanted = blocks.need;
    m->pieces += blocks.so_far.pieces;
    m->games.pieces = blocks.so_far.pieces;
    m->games.interrupted = m->interrupted;
    m->games.precise = m->precise;
    if (playing_is_fixed(plan->player) && !m->interrupted)
        note_recorded(m);
    return true;
}
