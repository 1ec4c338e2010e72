// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of vectors seen before. Open addressing: a slot holds the number of a record or -1; records keep the
// order in which they came, and that is how they are saved, so that a restored memory forgets what the saved
// one would.
#define _GNU_SOURCE // qsort_r
#include "optimise/score_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optimise/method.h"

// Record i: the sum of its scores, how many they are, in which generation it was seen last, the vector.
struct ScoreMemory {
    int dimension, capacity, count;
    size_t mask; // slots - 1, a power of two less one
    double *sum, *scores, *seen;
    double *vector; // of record i at i * dimension
    int *slot;
    int *order; // work space for forgetting
    double room[];
};

ScoreMemory *score_memory_new(int dimension, int capacity) {
    size_t places = (size_t)capacity, slots = 4, numbers = places * (3 + (size_t)dimension);
    while (slots < 2 * places)
        slots *= 2;
    ScoreMemory *memory =
        calloc(1, sizeof *memory + numbers * sizeof(double) + (slots + places) * sizeof(int));
    if (!memory)
        return NULL;
    *memory = (ScoreMemory){.dimension = dimension, .capacity = capacity, .mask = slots - 1};
    memory->sum = memory->room;
    memory->scores = memory->sum + places;
    memory->seen = memory->scores + places;
    memory->vector = memory->seen + places;
    memory->slot = (int *)(memory->room + numbers);
    memory->order = memory->slot + slots;
    memset(memory->slot, -1, slots * sizeof *memory->slot);
    return memory;
}

int score_memory_count(const ScoreMemory *memory) {
    return memory->count;
}

static double *vector_of(const ScoreMemory *memory, int index) {
    return memory->vector + (size_t)index * (size_t)memory->dimension;
}

static size_t hash(const double *vector, int dimension) {
    uint64_t sum = 0;
    for (int k = 0; k < dimension; k++) {
        uint64_t bits;
        double value = vector[k] + 0.0; // 0 and -0 are the same number
        memcpy(&bits, &value, sizeof bits);
        sum = (sum ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        sum ^= sum >> 29;
    }
    return (size_t)sum;
}

static bool same(const double *a, const double *b, int dimension) {
    for (int k = 0; k < dimension; k++)
        if (a[k] != b[k])
            return false;
    return true;
}

// <- its slot, or the free one where it would be put: there always is one
static int *slot_of(const ScoreMemory *memory, const double *vector) {
    size_t at = hash(vector, memory->dimension) & memory->mask;
    while (memory->slot[at] >= 0 && !same(vector_of(memory, memory->slot[at]), vector, memory->dimension))
        at = (at + 1) & memory->mask;
    return &memory->slot[at];
}

bool score_memory_find(const ScoreMemory *memory, const double *vector, double *mean) {
    int index = *slot_of(memory, vector);
    if (index >= 0 && mean)
        *mean = memory->sum[index] / memory->scores[index];
    return index >= 0;
}

void score_memory_touch(ScoreMemory *memory, const double *vector, uint64_t generation) {
    int index = *slot_of(memory, vector);
    if (index >= 0)
        memory->seen[index] = (double)generation;
}

void score_memory_add(ScoreMemory *memory, const double *vector, double score, uint64_t generation) {
    int *slot = slot_of(memory, vector);
    if (*slot < 0) {
        if (memory->count >= memory->capacity)
            return;
        *slot = memory->count++;
        memory->sum[*slot] = memory->scores[*slot] = 0;
        memcpy(vector_of(memory, *slot), vector, (size_t)memory->dimension * sizeof *vector);
    }
    memory->sum[*slot] += score;
    memory->scores[*slot]++;
    memory->seen[*slot] = (double)generation;
}

// The one seen last first; of equals, the one that came later.
static int compare_ages(const void *left, const void *right, void *seen) {
    int a = *(const int *)left, b = *(const int *)right;
    const double *when = seen;
    if (when[a] != when[b])
        return when[a] > when[b] ? -1 : 1;
    return a > b ? -1 : 1;
}

void score_memory_make_room(ScoreMemory *memory, int more) {
    int kept = memory->capacity / 2, next = 0;
    if (memory->count <= memory->capacity - more)
        return;
    for (int i = 0; i < memory->count; i++)
        memory->order[i] = i;
    qsort_r(memory->order, (size_t)memory->count, sizeof *memory->order, compare_ages, memory->seen);
    for (int i = kept; i < memory->count; i++)
        memory->scores[memory->order[i]] = 0; // to be forgotten
    memset(memory->slot, -1, (memory->mask + 1) * sizeof *memory->slot);
    for (int i = 0; i < memory->count; i++)
        if (memory->scores[i] > 0) {
            memory->sum[next] = memory->sum[i];
            memory->scores[next] = memory->scores[i];
            memory->seen[next] = memory->seen[i];
            memmove(vector_of(memory, next), vector_of(memory, i),
                    (size_t)memory->dimension * sizeof *memory->vector);
            *slot_of(memory, vector_of(memory, next)) = next;
            next++;
        }
    memory->count = next;
}

static void name_lists(const ScoreMemory *memory, int count, NumberList list[4]) {
    list[0] = (NumberList){"sum", memory->sum, count};
    list[1] = (NumberList){"scores", memory->scores, count};
    list[2] = (NumberList){"seen", memory->seen, count};
    list[3] = (NumberList){"vectors", memory->vector, count * memory->dimension};
}

bool score_memory_save(const ScoreMemory *memory, json_t *into) {
    NumberList list[4];
    name_lists(memory, memory->count, list);
    return numbers_save(into, list, 4);
}

static bool is_count(double number, double least) {
    return number >= least && number <= 0x1p53 && number == floor(number);
}

bool score_memory_restore(ScoreMemory *memory, const json_t *from, Error *error) {
    size_t count = json_array_size(json_object_get(from, "sum"));
    NumberList list[4];
    if (count > (size_t)memory->capacity)
        return error_set(error, "The saved state of the optimiser remembers %zu vectors, more than %d.",
                         count, memory->capacity);
    name_lists(memory, (int)count, list);
    if (!numbers_restore(from, list, 4, error))
        return false;
    for (int i = 0; i < (int)count; i++) {
        if (!is_count(memory->scores[i], 1) || !is_count(memory->seen[i], 0))
            return error_set(
                error, "In the saved state of the optimiser, entry %d of \"scores\" or \"seen\" is no count.",
                i + 1);
        int *slot = slot_of(memory, vector_of(memory, i));
        if (*slot >= 0)
            return error_set(
                error, "In the saved state of the optimiser, vectors %d and %d of the memory are the same.",
                *slot + 1, i + 1);
        *slot = memory->count++;
    }
    return true;
}
