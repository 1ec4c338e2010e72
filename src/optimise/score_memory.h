// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of vectors seen before: a hash table from vectors to the mean of their scores, with a fixed number
// of places. When they run out, the vectors that were not seen for the longest time are forgotten.
#ifndef TETRALAB_OPTIMISE_SCORE_MEMORY_H
#define TETRALAB_OPTIMISE_SCORE_MEMORY_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

typedef struct ScoreMemory ScoreMemory;

ScoreMemory *score_memory_new(int dimension, int capacity); // free() it; NULL: out of memory

int score_memory_count(const ScoreMemory *memory); // vectors; tests compare it with a plain list

// <- is it known? Then its *mean (may be NULL).
bool score_memory_find(const ScoreMemory *memory, const double *vector, double *mean);
// Marks it as seen in this generation, if it is known.
void score_memory_touch(ScoreMemory *memory, const double *vector, uint64_t generation);
// Makes room for `more` (at most half of the capacity) unknown vectors: if need be, the half seen last is
// kept.
void score_memory_make_room(ScoreMemory *memory, int more);
// One more finite score of a vector. There must be room.
void score_memory_add(ScoreMemory *memory, const double *vector, double score, uint64_t generation);

bool score_memory_save(const ScoreMemory *memory, json_t *into); // false: out of memory
// Into an empty memory; after an error it is good for nothing but free().
bool score_memory_restore(ScoreMemory *memory, const json_t *from, Error *error);

#endif
