// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of the score of a vector. Mean lines over games with common seeds: Boumaza, "How to design good
// Tetris players", section 4.2.2. Splitting is this program's own.
//
// A splitting sample estimates v = 1 / mean(lines + r/100), r being the rows that the cells on the last board
// would fill: losses per line, but for players that make no lines at all, of which those that survive longer
// are better. A short pilot run tells which way to take, and does not enter the estimate, so that choosing
// adds no bias:
//   played  it lost LOSSES games in PILOT_PIECES pieces: GAMES whole games, v = (GAMES - 1) / sum, which is
//           unbiased for exponential scores. Those of very weak players scatter less: their v is too small
//           by a share of up to 1/GAMES
//   split   one repetition: v = W / (4/lambda - 0.99 cells)
// An extinct repetition, in which no run came to a loss, gets a bound that still orders such players: half of
// what it would be if its lightest run had been lost, halved again for every height that none reached.
#include "learn/objective.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields_json.h"
#include "base/pool.h"
#include "base/portable.h"
#include "game/game.h"
#include "game/rules_json.h"
#include "measure/splitting.h"
#include "player/player.h"

enum {
    SLICE = 1 << 13, // pieces between two looks at `stop`
    PILOT_PIECES = 5000,
    LOSSES = 8, // in the pilot run: the player is weak enough to be played
    GAMES = 16  // whole games of a sample then
};
_Static_assert((int)GAMES <= (int)CREW_MAX_SAMPLES, "play_games");
static const uint64_t REHEARSALS = (uint64_t)1 << 40; // the number of the first; samples have lower ones
// The usual importance fits a player of e^0.86 lines for each row of the board. It is too steep for weaker
// ones and too flat for stronger ones, both of which cost. How strong this one is, a small repetition tells
// before.
static const double USUAL_GROWTH = 0.86, FLATTEST = 0.6, STEEPEST = 1.3, AT_FIRST = 0.85;
static const double REHEARSAL = 0.2;    // of the trials
static const double ROWS_LEFT = 0.01;   // what a row of cells left on the last board counts
static const double LEAST_LINES = 1e-3; // of a game: those lost at once count something too

struct Candidate {
    const Objective *objective;
    Player *player;
};

// ---------------------------------------------------------------------------------------------------
// The objective

const char *const objective_words[] = {"games", "splitting", NULL};

static const Field objective_field[] = {
    {"kind", FIELD_WORD, FIELD_AT(Objective, kind), .option = "objective", .preset = OBJECTIVE_SPLITTING,
     .words = objective_words, .argument = "KIND",
     .help = "splitting: the logarithm of the mean lines, by multilevel splitting; games: the mean lines of "
             "whole games."},
    {"trials", FIELD_WHOLE, FIELD_AT(Objective, trials), .preset = OBJECTIVE_TRIALS,
     .least = SPLITTING_LEAST_TRIALS, .most = 1e6, .argument = "N", .belongs = "objective splitting",
     .help = "splitting: runs kept going at a time."},
    {"strands", FIELD_WHOLE, FIELD_AT(Objective, strands), .preset = SPLITTING_STRANDS,
     .most = SPLITTING_MAX_STRANDS, .zero_is_unset = true},
    {"max_pieces", FIELD_WHOLE, FIELD_AT(Objective, max_pieces)},
};
const Fields objective_fields = FIELDS(objective_field);

void objective_free(Objective *objective) {
    rules_free(&objective->rules);
}

void objective_take(Objective *objective, Rules *rules, uint64_t max_pieces) {
    objective->rules = *rules;
    rules_default(rules);
    objective->max_pieces = max_pieces == UINT64_MAX ? 0 : max_pieces;
    objective->encoding.width = objective->rules.width;
}

static bool check_splitting(const Objective *objective, const Player *player, Error *error) {
    if (objective->trials < SPLITTING_LEAST_TRIALS || objective->trials > SPLITTING_MAX_TRIALS)
        return error_set(error, "Splitting takes %d to %d trials, not %" PRIu64 ".", SPLITTING_LEAST_TRIALS,
                         SPLITTING_MAX_TRIALS, objective->trials);
    return splitting_check(player, error);
}

bool objective_check(const Objective *objective, Error *error) {
    double zeros[ENCODING_MAX] = {0};
    if (!rules_check(&objective->rules, error) || !encoding_check(&objective->encoding, error))
        return false;
    if (objective->encoding.width != objective->rules.width)
        return error_set(error, "The features are for a board of %d columns, but the board has %d.",
                         objective->encoding.width, objective->rules.width);
    for (int i = 0, size = encoding_size(&objective->encoding); i < size; i++)
        zeros[i] = encoding_is_switch(&objective->encoding, i); // every feature is to be tried
    Candidate *candidate = candidate_new(objective, zeros, error);
    bool good = candidate && (objective->kind != OBJECTIVE_SPLITTING ||
                              check_splitting(objective, candidate->player, error));
    candidate_free(candidate);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// JSON

json_t *objective_save(const Objective *objective) {
    json_t *object = json_object(), *rules = json_object();
    bool good = object && fields_save(objective_fields, objective, object) &&
                !json_object_set_new(object, "rules", rules) && rules_json_add(rules, &objective->rules) &&
                !json_object_set_new(object, "encoding", encoding_save(&objective->encoding));
    return json_if(good, object);
}

bool objective_restore(Objective *objective, const json_t *from, Error *error) {
    *objective = (Objective){0};
    rules_default(&objective->rules);
    return fields_restore(objective_fields, objective, from, FIELDS_ALL, NULL, NULL, error) &&
           rules_json_restore(&objective->rules, json_object_get(from, "rules"), error) &&
           encoding_restore(&objective->encoding, json_object_get(from, "encoding"), objective->rules.width,
                            error) &&
           objective_check(objective, error);
}

// ---------------------------------------------------------------------------------------------------
// Candidates

Candidate *candidate_new(const Objective *objective, const double *vector, Error *error) {
    Candidate *candidate = calloc(1, sizeof *candidate);
    Strategy *strategy = malloc(sizeof *strategy); // large, and a thread's stack may be small
    if (candidate && strategy) {
        encoding_strategy(&objective->encoding, vector, "candidate", strategy);
        candidate->objective = objective;
        candidate->player = player_new(strategy, &objective->rules, objective->kernel, error);
    } else {
        error_set(error, "Out of memory for a player.");
    }
    free(strategy);
    if (candidate && !candidate->player) {
        free(candidate);
        candidate = NULL;
    }
    return candidate;
}

void candidate_free(Candidate *candidate) {
    if (!candidate)
        return;
    player_free(candidate->player);
    free(candidate);
}

// Plays games first, first + 1, ... side by side. <- false: stopped before their end
static bool play_games(const Candidate *candidate, uint64_t seed, uint64_t first, int count,
                       uint64_t max_pieces, const volatile bool *stop, Game game[]) {
    Turn turn[CREW_MAX_SAMPLES];
    for (int k = 0; k < count; k++)
        game_start(&game[k], &candidate->objective->rules, seed, first + (uint64_t)k);
    for (;;) {
        int turns = 0;
        for (int k = 0; k < count; k++) {
            uint64_t left = max_pieces - game[k].pieces;
            if (game[k].state == GAME_RUNNING && left)
                turn[turns++] = (Turn){&game[k], left < SLICE ? left : SLICE, -1, TURN_ANY_HEIGHT};
        }
        if (!turns || pool_stopped(stop))
            return !turns;
        player_run_turns(candidate->player, turns, turn, NULL, NULL);
    }
}

static void sample_games(const Candidate *candidate, uint64_t seed, uint64_t first, int count,
                         const volatile bool *stop, Sample sample[]) {
    Game game[CREW_MAX_SAMPLES];
    uint64_t most = candidate->objective->max_pieces;
    bool done = play_games(candidate, seed, first, count, most ? most : UINT64_MAX, stop, game);
    for (int k = 0; k < count; k++)
        sample[k] = (Sample){(double)game[k].lines, game[k].pieces, done};
}

void candidate_sample_played(const Candidate *candidate, uint64_t seed, uint64_t number,
                             const volatile bool *stop, Sample *sample) {
    double sum = 0, width = candidate->objective->rules.width;
    Game game[GAMES];
    *sample = (Sample){.done = play_games(candidate, seed, number * GAMES, GAMES, UINT64_MAX, stop, game)};
    for (int k = 0; k < GAMES; k++) {
        sample->pieces += game[k].pieces;
        double rows_left = board_cells(&game[k].board, candidate->objective->rules.width) / width;
        sum += fmax((double)game[k].lines + ROWS_LEFT * rows_left, LEAST_LINES);
    }
    sample->value = (GAMES - 1) / sum;
}

static double extinct_bound(const Objective *objective, const SplittingRun *run) {
    double reached = run->reached > 0 ? run->reached : 1 / fmax((double)run->pieces, 1);
    return ldexp(reached * 0.5, run->extinct - objective->rules.height - 1);
}

// How much steeper than usual the importance should be for this player. The small repetition has numbers of
// its own and does not enter the estimate. <- its pieces are added to the sample's
static bool choose_steepness(SplittingPlan *plan, uint64_t number, Sample *sample, Error *error) {
    const Rules *rules = player_rules(plan->player);
    SplittingPlan small = *plan;
    SplittingRun run;
    small.trials = (uint64_t)(REHEARSAL * (double)plan->trials);
    importance_scale(&small.importance, AT_FIRST);
    if (!splitting_repeat(&small, number + REHEARSALS, &run, error))
        return false;
    double lines = 4 / (rules->width * run.lambda), growth = portable_log(lines) / rules->height;
    double steep = run.lambda > 0 ? growth / USUAL_GROWTH : 1;
    importance_scale(&plan->importance, fmin(fmax(steep, FLATTEST), STEEPEST));
    sample->pieces += run.pieces;
    return true;
}

bool candidate_sample_split(const Candidate *candidate, uint64_t seed, uint64_t number, int base,
                            const volatile bool *stop, Sample *sample, Error *error) {
    const Objective *objective = candidate->objective;
    SplittingPlan plan = {.player = candidate->player,
                          .seed = seed,
                          .base = base,
                          .trials = objective->trials,
                          .strands = (int)objective->strands,
                          .importance = importance_usual,
                          .work = {.stop = stop}};
    SplittingRun run;
    *sample = (Sample){0};
    if (!choose_steepness(&plan, number, sample, error) || !splitting_repeat(&plan, number, &run, error))
        return false;
    double lambda = run.lambda > 0 ? run.lambda : extinct_bound(objective, &run);
    double cells = run.lambda > 0 ? (1 - ROWS_LEFT) * run.cells : 0;
    sample->value = objective->rules.width / fmax(4 / lambda - cells, LEAST_LINES);
    sample->pieces += run.pieces;
    sample->done = run.done;
    return true;
}

static bool sample_lines(const Candidate *candidate, uint64_t seed, uint64_t number,
                         const volatile bool *stop, Sample *sample, Error *error) {
    SplittingPilot pilot;
    *sample = (Sample){0};
    if (!splitting_watch(&pilot, candidate->player, seed, number, (int)candidate->objective->strands,
                         PILOT_PIECES, LOSSES, &(Work){.stop = stop}))
        return true;
    if (pilot.lost >= LOSSES)
        candidate_sample_played(candidate, seed, number, stop, sample);
    else if (!candidate_sample_split(candidate, seed, number, pilot.base, stop, sample, error))
        return false;
    sample->pieces += pilot.pieces;
    return true;
}

bool candidate_samples(const Candidate *candidate, uint64_t seed, uint64_t first, int count,
                       const volatile bool *stop, Sample sample[], Error *error) {
    bool good = true;
    if (candidate->objective->kind == OBJECTIVE_GAMES)
        sample_games(candidate, seed, first, count, stop, sample);
    else
        for (int k = 0; good && k < count; k++)
            good = sample_lines(candidate, seed, first + (uint64_t)k, stop, &sample[k], error);
    return good;
}

// ---------------------------------------------------------------------------------------------------
// For a crew: samples of vectors. Consecutive samples of one vector are usual, so each worker keeps its last
// player.

typedef struct Memory {
    Candidate *candidate;
    double vector[ENCODING_MAX];
} Memory;

static size_t vector_bytes(const void *context) {
    return (size_t)encoding_size(&((const Objective *)context)->encoding) * sizeof(double);
}

static bool prepare(const Objective *objective, Memory *memory, const double *vector, Error *error) {
    size_t bytes = vector_bytes(objective);
    if (memory->candidate && !memcmp(memory->vector, vector, bytes))
        return true;
    candidate_free(memory->candidate);
    memcpy(memory->vector, vector, bytes);
    memory->candidate = candidate_new(objective, vector, error);
    return memory->candidate != NULL;
}

static void work(const void *objective, CrewHand *hand) {
    Memory memory = {.candidate = NULL};
    for (const CrewJob *job; (job = crew_take(hand, true));) {
        Error error = {""};
        bool good = prepare(objective, &memory, job->body, &error) &&
                    candidate_samples(memory.candidate, job->seed, job->first, job->count, crew_stop(hand),
                                      job->sample, &error);
        crew_give(hand, job, good ? NULL : &error);
    }
    candidate_free(memory.candidate);
}

static json_t *save(const CrewKind *kind, const void *objective) {
    (void)kind;
    return objective_save(objective);
}

static void free_restored(const CrewKind *kind, void *objective) {
    (void)kind;
    objective_free(objective);
    free(objective);
}

static void *restore(const CrewKind *kind, const json_t *saved, Error *error) {
    Objective *objective = malloc(sizeof *objective);
    if (!objective)
        error_set(error, "Out of memory for the objective.");
    else if (!objective_restore(objective, saved, error)) {
        free_restored(kind, objective);
        objective = NULL;
    }
    return objective;
}

const CrewKind candidate_kind = {
    .name = "candidate",
    .sample_bytes = sizeof(Sample),
    .done = offsetof(Sample, done),
    .room = 1,
    .body_bytes = vector_bytes,
    .work = work,
    .save = save,
    .restore = restore,
    .free = free_restored,
};

const Sample *candidate_results(const CrewResult *result) {
    return (const Sample *)(const void *)result->sample;
}

// ---------------------------------------------------------------------------------------------------
// Scores

double objective_score(ObjectiveKind kind, const double *value, uint64_t count) {
    double sum = 0;
    for (uint64_t k = 0; k < count; k++)
        sum += value[k];
    double mean = sum / (double)count;
    return kind == OBJECTIVE_GAMES ? mean : -portable_log(mean);
}

double objective_lines(ObjectiveKind kind, double score) {
    return kind == OBJECTIVE_GAMES ? score : portable_exp(score);
}
