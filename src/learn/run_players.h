// SPDX-License-Identifier: GPL-3.0-or-later
// What the runs have learned so far: vectors, and strategies, which in a run folder are best.json, and
// run-N.json if there are several.
#ifndef TETRALAB_LEARN_RUN_PLAYERS_H
#define TETRALAB_LEARN_RUN_PLAYERS_H

#include "learn/learning.h"

enum { RUN_FEATURES = 40 }; // bytes of the words for features

typedef struct RunPlayers {
    int runs, size;
    uint64_t seed;
    Encoding encoding;
    char name[64];                                                     // of the player
    char method[16], features[RUN_FEATURES], rules[64], objective[16]; // for people
    double *answer;                                                    // owned; runs x size
    uint64_t *generations; // owned; of each run so far, 0: there is no answer yet
} RunPlayers;

// Nothing is learned yet. Free with run_players_free, also after an error.
// -> folder  NULL: none
bool run_players_make(RunPlayers *players, const LearningPlan *plan, const char *folder, Error *error);
void run_players_free(RunPlayers *players);

void run_players_set(RunPlayers *players, int run, uint64_t generations, const double *answer);
// <- the answer of a run so far, borrowed
const double *run_players_answer(const RunPlayers *players, int run);
// <- mean  the player: the mean of the answers there are
void run_players_mean(const RunPlayers *players, double *mean);
// <- a strategy that says where it comes from. -> run  whose answer it is; -1: the player
void run_players_strategy(const RunPlayers *players, int run, Strategy *strategy);
// Writes best.json, and with several runs the player of this one.
bool run_players_write(const RunPlayers *players, const char *folder, int run, Error *error);

// <- the name of the player: that of the plan; else of folder and rules, "learned-10x20"; without a folder of
//    method, features, rules and seed
void run_players_name(const LearningPlan *plan, const char *folder, char out[64]);
// <- the name of the feature set, such as "du", or "5 features"
void run_features_name(const Encoding *encoding, char out[32]);
// <- the same in a sentence: "features du", "5 features" or "a mix of bcts, xtris"
void run_features_text(const Encoding *encoding, char out[RUN_FEATURES]);
// <- board and pieces: "10x20", "10x10 hard"
void run_rules_name(const Rules *rules, char out[64]);

// <- out: FOLDER/NAME. What is longer than any system allows is cut, and refused by the system.
enum { RUN_PATH = 4400 };
const char *run_path(const char *folder, const char *name, char out[RUN_PATH]);

#endif
