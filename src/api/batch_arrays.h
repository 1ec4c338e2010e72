// SPDX-License-Identifier: GPL-3.0-or-later
// What a batch tells about its games, as arrays of the caller. Each is one line of a table: name, type of its
// numbers, shape for each game, meaning, and the function that writes it.
#ifndef TETRALAB_API_BATCH_ARRAYS_H
#define TETRALAB_API_BATCH_ARRAYS_H

#include "api/batch.h"

typedef enum ArrayType {
    ARRAY_UINT8,
    ARRAY_UINT32,
    ARRAY_UINT64,
    ARRAY_INT64,
    ARRAY_FLOAT32,
    ARRAY_FLOAT64
} ArrayType;

typedef struct BatchShape {
    int dimensions; // of one game: 0, 1 or 2
    int size[2];
} BatchShape;

typedef struct BatchArray {
    const char *name;
    ArrayType type;
    BatchShape (*shape)(const Batch *batch);
    bool observed; // it is part of the state, and has a twin "final-NAME" with autoreset same-step
    void (*write)(const Batch *batch, size_t from, size_t to, void *array);
    const char *meaning;
} BatchArray;

// <- array number `index`, or NULL past the last one
const BatchArray *batch_array(int index);

const char *array_type_name(ArrayType type);                           // as numpy calls it
size_t batch_array_bytes(const Batch *batch, const BatchArray *array); // of one game

// Where to write an array from now on. -> name  also final-NAME. -> data  NULL: nowhere
// Fails when there is no such array, when it has not this many bytes, or when it is not aligned.
bool batch_bind(Batch *batch, const char *name, void *data, size_t bytes, Error *error);

// Writes the arrays that are bound, of the games from ... to-1.
void batch_write(const Batch *batch, size_t from, size_t to);
void batch_write_final(const Batch *batch, size_t game);

#endif
