// SPDX-License-Identifier: GPL-3.0-or-later
// What splitting does before it begins: who can be measured at all, how high its piles are, which boards are
// close to a loss, and what a repetition costs. Nothing of it enters the estimate.
#include <math.h>

#include "measure/splitting.h"
#include "measure/splitting_rules.h"

enum {
    ROUNDS = 3,           // of fitting the importance, each with twice the trials of the one before
    TRIALS = 1000,        // of the last one, at most
    PIECES_A_TRIAL = 50,  // of the watch: the last round has no more trials than that allows
    ATTEMPTS = 6,         // each steeper than the one before, until a run gets to a loss
    REHEARSALS = 16,      // repetitions that tell spread and cost,
    SEEN = 2,             //   if at least so many of them get to a loss
    MORE = 4,             // times the trials, if too few runs get to a loss,
    PATIENCE = 20,        //   while the pilot will cost at most so many times the pieces of the watch
    WITHOUT_LOSS = 10000, // trials, if none of them came to a loss
    FURTHER = 3,          // rounds of a thorough pilot
    MOST_WATCHED = 64,    // games,
    EACH = 250,           //   each of at least so many pieces
    ROUND = 64,           // moves
    WORTH = 5             // no more of them when the pilot has cost the measurement's pieces divided by this
};
static const double STEEPER = 1.3;
static const double INDEPENDENT = 8; // trials for each loss that shares its past with no other, roughly

bool splitting_check(const Player *player, Error *error) {
    int sees = strategy_nature(player_strategy(player)).sees;
    if (player_rules(player)->pieces.law == PIECES_RECORDED)
        return error_set(error,
                         "Splitting restarts games with other pieces, which a recorded sequence does not "
                         "have; take games instead of splitting.");
    if (sees > 2)
        return error_set(
            error,
            "Splitting restarts games with other pieces, but %s plans with the %d pieces that it "
            "knows; take games instead of splitting.",
            player_strategy(player)->name, sees);
    return true;
}

int splitting_strands(const Player *player) {
    return player_is_fast(player) ? SPLITTING_STRANDS : 1;
}

// ---------------------------------------------------------------------------------------------------
// Watching

// One of the games that are watched.
typedef struct Watched {
    Game game;           // first: the two pointers are the same
    uint64_t left, seen; // pieces it is to play, and those of the game that are counted
    uint64_t moves;      // before the next look at the losses of all
    uint64_t lost;
} Watched;

typedef struct Watch {
    SplittingPilot *pilot;
    const Player *player;
    uint64_t most_lost;
    const Work *work;
} Watch;

static bool watch_on(const Watch *watch, Watched *watched, Turn *turn) {
    *turn = (Turn){&watched->game, 1, -1, TURN_ANY_HEIGHT};
    return watched->left && watched->moves && watched->lost < watch->most_lost &&
           !work_is_stopped(watch->work);
}

static bool watch_move(void *context, Turn *turn) {
    Watch *watch = context;
    Watched *watched = (Watched *)turn->game;
    Game *game = &watched->game;
    SplittingPilot *pilot = watch->pilot;
    bool lost = game->state == GAME_OVER;
    uint64_t played = game->pieces - watched->seen;
    played += lost && !played; // a game lost at once must not be played for ever
    pilot->pieces += played;
    pilot->at_height[board_pile_height(&game->board, player_rules(watch->player)->width)]++;
    pilot->lost += lost;
    watched->lost += lost;
    watched->left -= played;
    watched->moves--;
    watched->seen = game->pieces;
    if (lost)
        game_restart(game);
    return watch_on(watch, watched, turn);
}

// Games of at least EACH pieces, but for a strand alone; whether enough of them are lost is looked at after
// every ROUND of moves of all, or, of one game, at once.
bool splitting_watch(SplittingPilot *pilot, const Player *player, uint64_t seed, uint64_t number, int strands,
                     uint64_t pieces, uint64_t most_lost, const Work *work) {
    Watched watched[MOST_WATCHED];
    Turn turn[MOST_WATCHED];
    Watch watch = {pilot, player, most_lost, work};
    uint64_t games = strands > 1 ? pieces / EACH : 1;
    games = games > MOST_WATCHED ? MOST_WATCHED : games ? games : 1;
    *pilot = (SplittingPilot){0};
    for (uint64_t k = 0; k < games; k++) {
        watched[k].left = pieces / games + (k < pieces % games);
        watched[k].seen = watched[k].lost = 0;
        game_start(&watched[k].game, player_rules(player), seed,
                   splitting_stream(number, true) + splitting_apart(k));
    }
    for (int turns = 1; turns && pilot->lost < most_lost && !work_is_stopped(work);) {
        turns = 0;
        for (uint64_t k = 0; k < games; k++) {
            watched[k].moves = ROUND;
            turns += watch_on(&watch, &watched[k], &turn[turns]);
        }
        player_run_turns(player, turns, turn, watch_move, &watch);
    }
    for (uint64_t k = 0; k < games; k++)
        player_forget(player, &watched[k].game);
    pilot->game_pieces = pilot->lost ? (double)pilot->pieces / (double)pilot->lost : INFINITY;
    pilot->base = splitting_base(pilot->at_height, player_rules(player)->height - 2);
    return !work_is_stopped(work);
}

// ---------------------------------------------------------------------------------------------------
// The importance

typedef struct Preparation {
    SplittingPilot *pilot;
    SplittingPlan plan;
    uint64_t number; // of the next repetition; those of the measurement have lower ones
    uint64_t trials; // of the last round of fitting
    double patience; // pieces
    ImportanceSamples samples;
    Importance near; // that the weights are held at
} Preparation;

// Is there patience for another try with MORE times the trials, after one that began at so many pieces? It
// will cost MORE times as much.
static bool has_patience(const Preparation *p, uint64_t began) {
    double pieces = (double)p->pilot->pieces;
    return pieces + MORE * (pieces - (double)began) <= p->patience;
}

static bool observe(Preparation *p, SplittingRun *run, Error *error) {
    bool good = splitting_observe(&p->plan, p->number++, &p->samples, run, error);
    p->pilot->pieces += run->pieces;
    p->samples.independent += (double)p->plan.trials / INDEPENDENT;
    return good;
}

// Begins with the usual importance, made steeper until losses are seen.
// <- *again: none were, more trials may help; false: error
static bool try_to_fit(Preparation *p, bool *again, Error *error) {
    Importance *importance = &p->plan.importance, *near = &p->near;
    SplittingRun run = {.done = true};
    int attempt = 0;
    *importance = *near = importance_usual;
    importance_clear(&p->samples);
    for (int round = 0; round < ROUNDS && attempt < ATTEMPTS && run.done;) {
        p->plan.trials = p->trials >> (ROUNDS - 1 - round);
        if (!observe(p, &run, error))
            return false;
        if (run.lambda > 0) {
            importance_fit(importance, near, &p->samples);
            round++;
        } else if (run.extinct == p->plan.base + 1) { // it does not leave A
            *importance = *near = importance_usual;
            break;
        } else {
            importance_scale(near, STEEPER);
            *importance = *near;
            importance_clear(&p->samples);
            round = 0;
            attempt++;
        }
    }
    *again = attempt == ATTEMPTS && run.done;
    return true;
}

// With an importance that is much too steep only runs of next to no weight get to a loss; the few heavy ones,
// which make up lambda, are hardly ever seen. Hence more trials instead of an ever steeper importance; and
// the usual one if nothing helps, with which a measurement rather finds no loss, and says so.
static bool fit_importance(Preparation *p, Error *error) {
    for (;; p->trials *= MORE) {
        uint64_t began = p->pilot->pieces;
        bool again;
        if (!try_to_fit(p, &again, error))
            return false;
        if (!again)
            return true;
        if (!has_patience(p, began))
            break;
    }
    p->plan.importance = p->near = importance_usual;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Spread and cost

// <- *seen: how many of them got to a loss (stopped: SEEN, so that they are not made again); false: error
static bool rehearse_with(Preparation *p, uint64_t trials, double precision, uint64_t *seen, Error *error) {
    SplittingPilot *pilot = p->pilot;
    Splitting all = {.run = (SplittingRun[REHEARSALS]){{0}}};
    *seen = SEEN;
    p->plan.trials = trials;
    for (all.runs = 0; all.runs < REHEARSALS; all.runs++) {
        SplittingRun *run = &all.run[all.runs];
        if (!splitting_repeat(&p->plan, p->number++, run, error))
            return false;
        pilot->pieces += run->pieces;
        if (!run->done)
            return true;
    }
    splitting_summarise(&all, player_rules(p->plan.player)->width);
    double spread = all.sd / all.lambda;
    *seen = REHEARSALS - all.extinct;
    pilot->noise = all.lambda > 0 ? spread * spread * (double)trials : INFINITY;
    pilot->trials = all.lambda > 0 ? splitting_trials(pilot->noise, precision) : WITHOUT_LOSS;
    pilot->cost = (double)all.pieces / (double)(REHEARSALS * trials) * (double)pilot->trials *
                  SPLITTING_AIMED_REPETITIONS;
    return true;
}

// The importance stays: it was fitted to losses, which need more trials to be seen.
static bool rehearse(Preparation *p, double precision, Error *error) {
    uint64_t seen = 0;
    for (uint64_t trials = p->trials / 4 + 1; seen < SEEN; trials *= MORE) {
        uint64_t began = p->pilot->pieces;
        if (!rehearse_with(p, trials, precision, &seen, error))
            return false;
        if (!has_patience(p, began))
            return true;
    }
    return true;
}

// A better importance: further rounds, each with twice the trials of the one before. Not if games are short
// enough to be lost before any splitting, or no run was.
static bool fit_further(Preparation *p, double precision, Error *error) {
    double worth = p->pilot->cost / WORTH;
    SplittingRun run = {.done = true};
    bool more = false;
    if (p->pilot->lost || !isfinite(p->pilot->noise))
        return true;
    for (int round = 1; round <= FURTHER && run.done && (double)p->pilot->pieces < worth; round++) {
        p->plan.trials = p->trials << round;
        more = true;
        if (!observe(p, &run, error))
            return false;
        importance_fit(&p->plan.importance, &p->near, &p->samples);
    }
    p->patience = fmax(p->patience, worth);
    return !more || !run.done || rehearse(p, precision, error);
}

bool splitting_pilot(SplittingPilot *pilot, const Player *player, uint64_t seed, int strands, uint64_t pieces,
                     int base, double precision, bool thorough, const Work *work, Error *error) {
    uint64_t trials = pieces / PIECES_A_TRIAL;
    trials = trials > TRIALS ? TRIALS : trials < SPLITTING_LEAST_TRIALS ? SPLITTING_LEAST_TRIALS : trials;
    *pilot = (SplittingPilot){0};
    if (!splitting_check(player, error))
        return false;
    if (!splitting_watch(pilot, player, seed, SPLITTING_MAX_REPETITIONS, strands, pieces, UINT64_MAX, work))
        return true;
    if (base)
        pilot->base = base;
    Preparation p = {.pilot = pilot,
                     .plan = {.player = player, .seed = seed, .base = pilot->base, .strands = strands},
                     .number = SPLITTING_MAX_REPETITIONS,
                     .trials = trials,
                     .patience = PATIENCE * (double)pieces};
    if (work)
        p.plan.work = *work;
    bool good = fit_importance(&p, error) && rehearse(&p, precision, error) &&
                (!thorough || fit_further(&p, precision, error));
    pilot->importance = p.plan.importance;
    importance_free(&p.samples);
    return good;
}
