// SPDX-License-Identifier: GPL-3.0-or-later
// The mean score of a player that is too strong to play its games out, by multilevel splitting.
//
// A lost game is a rare event. Seen as one endless run in which every lost game is followed by a new one, the
// player loses `lambda` times per piece, and its games last 1/lambda pieces on average: exactly, whatever the
// player. Let A be the boards whose pile is at most `base` rows high, where it spends most of its time. Then
//     lambda = (how often the pile rises above A, per piece) * P(the game is lost before it is back in A).
// For the probability, `trials` runs are followed from boards with which earlier play left A. After every two
// moves their boards are looked at. A run whose board has come k times as close to a loss, by the importance
// of boards (measure/importance.h), goes on as k copies with a k-th of its weight each; if k is below 1, it
// goes on with probability k and 1/k of its weight. So there are about `trials` runs all the time, few of
// them on boards that are safe, and the weight of those that are lost is an unbiased estimate of the
// probability, whatever the importance. So is lambda, if one neglects that all entries come from a few games.
// Copies draw other pieces at once: also the piece in hand, unless the player saw it before it chose.
//
// One such estimate is a repetition. Its runs share ancestors, so no formula gives its error. Therefore many
// small repetitions with streams of their own are averaged. The interval is made from Student's point for the
// mean of their lambdas, on the scale of the square root of the lines (measure/splitting_rules.h); single
// values are not inverted, since 1/lambda of a repetition is biased and may be infinite.
//
// Games side by side are many times faster than one alone (player_run_turns), so a repetition has `strands`,
// games with streams of random numbers of their own. Path i belongs to strand i % strands, which plays its
// paths one after the other; the first of them (an eighth; fewer if there are few trials) collect entries
// before, each in its share of the pieces, after a warm-up. So the number of strands changes the random
// numbers, and is a part of the plan; who plays how many of them at a time changes nothing. Early versions
// had one strand.
//
// The score: a game of n pieces that leaves c cells makes (4 n - c) / W lines; c is averaged over the losses.
#ifndef TETRALAB_MEASURE_SPLITTING_H
#define TETRALAB_MEASURE_SPLITTING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/work.h"
#include "game/board.h"
#include "measure/crew.h"
#include "measure/importance.h"
#include "measure/interval.h"
#include "player/player.h"

enum {
    SPLITTING_LEAST_REPETITIONS = 64,  // whose spread tells how many there must be
    SPLITTING_AIMED_REPETITIONS = 160, // for which the pilot chooses the trials
    SPLITTING_MAX_REPETITIONS = 8192,
    SPLITTING_LEAST_TRIALS = 100,
    SPLITTING_MAX_TRIALS = 10000000,
    SPLITTING_HEIGHTS = BOARD_MAX_HEIGHT + 5, // of piles: 0 ... SPLITTING_HEIGHTS - 1
    SPLITTING_TRIAL_BYTES = 400,              // memory: for each trial and thread
    SPLITTING_STRANDS = 512,                  // of new work
    SPLITTING_MAX_STRANDS = MOST_TURNS
};

// How a player spends its time: what the pilot run saw.
typedef struct SplittingPilot {
    uint64_t pieces, lost;                 // games lost on the way
    uint64_t at_height[SPLITTING_HEIGHTS]; // moves after which the pile was so high
    int base;                              // the height below which it is most of the time
    double game_pieces;                    // mean length of the games lost; INFINITY: none was
    Importance importance;                 // of boards, for this player
    double noise;                          // (sd/mean)^2 of a repetition of one trial; INFINITY: no loss
    uint64_t trials;                       // for the wanted precision
    double cost;                           // pieces that splitting to the precision will take, roughly
} SplittingPilot;

struct Splitting;

typedef struct SplittingPlan {
    const Player *player;
    uint64_t seed;
    int base;        // highest pile of A
    uint64_t trials; // paths at a time
    int strands;     // 1 ... SPLITTING_MAX_STRANDS; 0: 1
    Importance importance;
    uint64_t repetitions; // play exactly so many; 0: until the precision or the budget is reached
    double precision;     // of the mean, as a fraction
    uint64_t budget;      // pieces; 0: no limit. At least SPLITTING_LEAST_REPETITIONS are played
    Shard shard; // make these alone: of SPLITTING_AIMED_REPETITIONS, or as many as those known ask for
    Work work;   // unit: repetitions; value: mean lines
    // Repetitions made before (those that are done count, repetition k at [k]): not made again. May be NULL.
    const struct SplittingRun *known;
    uint64_t known_count;
    // May be NULL. Called with every repetition that was made now, in the order in which they end, one at a
    // time.
    void (*finished)(void *context, uint64_t number, const struct SplittingRun *run);
    void *context; // for it
} SplittingPlan;

// One repetition.
typedef struct SplittingRun {
    double lambda;   // losses per piece; 0 if no run got to the end
    double reached;  // extinct: what lambda would be if its lightest run alone had been lost; else lambda
    double cells;    // mean cells left by its losses; NAN without any
    uint64_t pieces; // it cost
    int extinct;     // height that no run reached, 0: none; base + 1: the player did not leave A
    bool done;       // false: stopped before its end
} SplittingRun;

typedef struct Splitting {
    SplittingRun *run; // owned; repetition k at [k]
    uint64_t runs;     // the first so many count
    uint64_t wanted;   // so many before the next stage is complete
    uint64_t looks;    // at the precision, so far
    bool may_end;      // at the end of this stage the precision is looked at
    double risk;       // that the interval misses the truth; 0: 5 %
    uint64_t extinct;  // of these, so many did not get to the end
    double lambda, sd; // mean of the runs' lambdas, and their standard deviation
    Interval lambda_interval;
    double mean_lines; // INFINITY: lambda is 0
    Interval interval; // of the mean lines; high may be INFINITY. All extinct: see splitting_rules.h
    uint64_t pieces;   // of the runs that count
    double seconds;
    bool precise, interrupted;
} Splitting;

// Can the player be measured by splitting under its rules?
bool splitting_check(const Player *player, Error *error);

// Plays `pieces` pieces (games that are lost are followed by new ones) and derives the base, unless it is
// given; then fits the importance, and derives the trials from some small repetitions. If too few of them get
// to a loss, they are made with four times the trials, and again, up to twenty times `pieces` in all.
// -> base      0: to be chosen
// -> thorough  fits up to three times more, with more and more trials, as long as the pilot has cost less
//              than a fifth of what the measurement will: for players whose every piece takes long
// -> work      stopped, the rest is left out; NULL: on one thread, to the end
bool splitting_pilot(SplittingPilot *pilot, const Player *player, uint64_t seed, int strands, uint64_t pieces,
                     int base, double precision, bool thorough, const Work *work, Error *error);

// The part of it that costs little: pieces, lost, at_height, game_pieces and base, the rest being 0. The
// random numbers belong to repetition `number`, which itself does without them.
// -> most_lost  ends before `pieces` when so many games were lost, or soon after; UINT64_MAX: never
// <- false: stopped
bool splitting_watch(SplittingPilot *pilot, const Player *player, uint64_t seed, uint64_t number, int strands,
                     uint64_t pieces, uint64_t most_lost, const Work *work);

// <- SPLITTING_STRANDS, or 1 where one game is as fast as several
int splitting_strands(const Player *player);

// <- how many games collect entries
static inline int splitting_collectors(int strands, uint64_t trials) {
    uint64_t most = ((uint64_t)strands + 7) / 8, few = trials / 8;
    return (int)(few > most ? most : few ? few : 1);
}

// Game streams of repetition `number`, and for watching: numbers no whole game of the same seed uses.
static inline uint64_t splitting_stream(uint64_t number, bool watching) {
    return ((uint64_t)1 << 63) + 2 * number + watching;
}

// What is added to them for strand k.
static inline uint64_t splitting_apart(uint64_t k) {
    return k << 48;
}

// One repetition: a function of the plan and its number alone. Stopped: not done.
bool splitting_repeat(const SplittingPlan *plan, uint64_t number, SplittingRun *run, Error *error);
// The same, and adds samples of the boards it met.
bool splitting_observe(const SplittingPlan *plan, uint64_t number, ImportanceSamples *samples,
                       SplittingRun *run, Error *error);

// Repetitions on all cores. The first n count, n being the smallest number at which splitting_is_over
// (measure/splitting_rules.h): the result does not depend on jobs.
// Free with splitting_free, also after an error.
bool splitting_run(Splitting *splitting, const SplittingPlan *plan, Error *error);
extern const CrewKind repetition_kind;
void splitting_free(Splitting *splitting);

#endif
