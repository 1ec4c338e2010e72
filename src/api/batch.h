// SPDX-License-Identifier: GPL-3.0-or-later
// Many games stepped together, one move each per call, for programs that learn by playing: whoever chooses
// the moves, the program outside or a player, everything it wants to know is written into arrays of its own
// (api/batch_arrays.h). Game k of seed S is the game of that name everywhere else: the same pieces, and
// with a player the same moves as measure/playing.h plays.
//
// Stepping allocates nothing but, with several threads, their list. A step with an action that is not
// possible changes no game.
#ifndef TETRALAB_API_BATCH_H
#define TETRALAB_API_BATCH_H

#include <stddef.h>

#include "base/fields.h"
#include "feature/feature_list.h"
#include "game/game.h"
#include "player/player.h"

enum {
    BATCH_MAX_GAMES = 1000000,
    BATCH_MAX_PREVIEWS = 32,
    BATCH_MAX_ACTIONS = ORIENTATIONS * BOARD_MAX_WIDTH,
    BATCH_MAX_ARRAYS = 32
};

// When a game that has ended is followed by the next one.
typedef enum BatchReset {
    BATCH_NEXT_STEP, // by the step after, whose action does not count
    BATCH_SAME_STEP, // at once: what is written is of the new game, the "final" arrays have the old one
    BATCH_DISABLED   // by batch_reset only
} BatchReset;

typedef enum BatchReward {
    BATCH_LINES, // rows removed
    BATCH_UCT    // Cai, Zhang & Nebel: 0.1, 0.3, 0.6 and 1 for one to four rows, -1 for a lost game
} BatchReward;

// What becomes of an action that is not possible.
typedef enum BatchIllegal {
    BATCH_REFUSE, // the step fails and has changed nothing
    BATCH_END     // it ends its game as lost
} BatchIllegal;

typedef struct BatchPlan {
    BatchReset autoreset;
    BatchReward reward;
    BatchIllegal illegal;
    int previews;    // pieces shown after the one in hand
    int threads;     // 0: all cores
    uint64_t stride; // a game that follows by itself has a number so much larger
} BatchPlan;
extern const Fields batch_fields;

// One of the games.
typedef struct BatchGame {
    Game game;
    uint64_t seed, number;      // it is game `number` of `seed`
    uint64_t possible;          // placements that the next step takes; of a game that is over: all before the
                                //   step that follows it with another one, else none
    double reward;              // of the last step
    bool terminated, truncated; // by it: lost; stopped by the limit on pieces or the end of the recorded ones
    bool started;               // by it: the game is new
} BatchGame;

typedef struct Batch {
    const Rules *rules; // used, not copied
    uint64_t max_pieces;
    BatchPlan plan;
    size_t games;
    BatchGame *game;
    FeatureId feature[FEATURES]; // those that are asked for
    int features;                // how many
    FeatureList *list;           // NULL: none
    int actions;                 // 4 * width: action = orientation * width + column
    int8_t placement[BATCH_MAX_ACTIONS];
    uint64_t inside[PIECES];                        // placements inside the walls
    uint8_t inside_mask[PIECES][BATCH_MAX_ACTIONS]; // the same, a byte for each action
    void *bound[BATCH_MAX_ARRAYS];                  // arrays of the caller, NULL: not wanted
    void *bound_final[BATCH_MAX_ARRAYS];
} Batch;

// A batch with game k of seed 1 at place k, and the defaults of batch_fields.
// -> rules  checked (rules_check)
Batch *batch_new(const Rules *rules, uint64_t max_pieces, size_t games, Error *error);
void batch_free(Batch *batch);

// Changes what is written about each game: every array has to be bound again.
// -> count  0: no features
bool batch_set_features(Batch *batch, const FeatureId *features, int count, Error *error);
void batch_set_plan(Batch *batch, const BatchPlan *plan);

// Starts games anew, and writes the arrays of all games.
// -> seeds, numbers  for each game, chosen or not. numbers NULL: 0 where there are seeds. seeds NULL: they
//                    stay; without numbers the next game of the same seed follows
// -> chosen          those that are not 0; NULL: all
void batch_reset(Batch *batch, const uint64_t *seeds, const uint64_t *numbers, const uint8_t *chosen);

// One move in every game, and writes all arrays.
// Fails with an action that is not possible, unless these end the game, and when a game is over and not
// followed by itself: the sentence names the first one.
bool batch_step(Batch *batch, const int64_t *actions, Error *error);

// The same with the moves of a player, whose rules must be those of the batch but for the pieces.
bool batch_play(Batch *batch, const Player *player, Error *error);

// What the player would do, as actions: 0 in games that are over. Players that draw random numbers draw from
// those of the game: asked once before each step they play as in batch_play.
bool batch_choose(Batch *batch, const Player *player, int64_t *actions, Error *error);

#endif
