// SPDX-License-Identifier: GPL-3.0-or-later
// Scores of vectors seen before. Open addressing: a slot holds the number of a record or -1; records keep the
// order in which they came, and that is how they are saved, so that a restored memory forgets what the saved
// one would.
#include "optimise/score_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "optimise/method.h"

typedef struct Record {
    double sum;
    uint64_t scores, seen; // seen: in which generation last
} Record;

typedef struct Age {
    uint64_t seen;
    int index;
} Age;

struct ScoreMemory {
    int dimension, capacity, count;
    size_t mask; // slots - 1, a power of two less one
    int *slot;
    Record *record;
    double *vector; // of record i at i * dimension
    Age *age;       // work space for forgetting
};

ScoreMemory *score_memory_new(int dimension, int capacity) {
    ScoreMemory *memory = calloc(1, sizeof *memory);
    if (!memory)
        return NULL;
    size_t places = (size_t)capacity, slots = 4;
    while (slots < 2 * places)
        slots *= 2;
    *memory = (ScoreMemory){.dimension = dimension, .capacity = capacity, .mask = slots - 1};
    memory->slot = malloc(slots * sizeof *memory->slot);
    memory->record = calloc(places, sizeof *memory->record);
    memory->vector = calloc(places * (size_t)dimension, sizeof *memory->vector);
    memory->age = calloc(places, sizeof *memory->age);
    if (!memory->slot || !memory->record || !memory->vector || !memory->age) {
        score_memory_free(memory);
        return NULL;
    }
    memset(memory->slot, -1, slots * sizeof *memory->slot);
    return memory;
}

void score_memory_free(ScoreMemory *memory) {
    if (!memory)
        return;
    free(memory->slot);
    free(memory->record);
    free(memory->vector);
    free(memory->age);
    free(memory);
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
        *mean = memory->record[index].sum / (double)memory->record[index].scores;
    return index >= 0;
}

void score_memory_touch(ScoreMemory *memory, const double *vector, uint64_t generation) {
    int index = *slot_of(memory, vector);
    if (index >= 0)
        memory->record[index].seen = generation;
}

void score_memory_add(ScoreMemory *memory, const double *vector, double score, uint64_t generation) {
    int *slot = slot_of(memory, vector);
    if (*slot < 0) {
        if (memory->count >= memory->capacity)
            return;
        *slot = memory->count++;
        memory->record[*slot] = (Record){0};
        memcpy(vector_of(memory, *slot), vector, (size_t)memory->dimension * sizeof *vector);
    }
    Record *record = &memory->record[*slot];
    record->sum += score;
    record->scores++;
    record->seen = generation;
}

// The one seen last first; of equals, the one that came later.
static int compare_ages(const void *left, const void *right) {
    const Age *a = left, *b = right;
    if (a->seen != b->seen)
        return a->seen > b->seen ? -1 : 1;
    return a->index > b->index ? -1 : 1;
}

void score_memory_make_room(ScoreMemory *memory, int more) {
    int kept = memory->capacity / 2, next = 0;
    if (memory->count <= memory->capacity - more)
        return;
    for (int i = 0; i < memory->count; i++)
        memory->age[i] = (Age){memory->record[i].seen, i};
    qsort(memory->age, (size_t)memory->count, sizeof *memory->age, compare_ages);
    for (int i = kept; i < memory->count; i++)
        memory->record[memory->age[i].index].scores = 0; // to be forgotten
    memset(memory->slot, -1, (memory->mask + 1) * sizeof *memory->slot);
    for (int i = 0; i < memory->count; i++)
        if (memory->record[i].scores) {
            memory->record[next] = memory->record[i];
            memmove(vector_of(memory, next), vector_of(memory, i),
                    (size_t)memory->dimension * sizeof *memory->vector);
            *slot_of(memory, vector_of(memory, next)) = next;
            next++;
        }
    memory->count = next;
}

// Records as three lists of numbers, and the vectors.
static void name_lists(const ScoreMemory *memory, double *room, int count, NumberList list[4]) {
    list[0] = (NumberList){"sum", room, count};
    list[1] = (NumberList){"scores", room + count, count};
    list[2] = (NumberList){"seen", room + 2 * count, count};
    list[3] = (NumberList){"vectors", memory->vector, count * memory->dimension};
}

bool score_memory_save(const ScoreMemory *memory, json_t *into) {
    NumberList list[4];
    double *room = malloc(3 * ((size_t)memory->count + 1) * sizeof *room);
    if (!room)
        return false;
    name_lists(memory, room, memory->count, list);
    for (int i = 0; i < memory->count; i++) {
        list[0].value[i] = memory->record[i].sum;
        list[1].value[i] = (double)memory->record[i].scores;
        list[2].value[i] = (double)memory->record[i].seen;
    }
    bool done = numbers_save(into, list, 4);
    free(room);
    return done;
}

static bool is_count(double number, double least) {
    return number >= least && number <= 0x1p53 && number == floor(number);
}

static bool read_records(ScoreMemory *memory, const json_t *from, double *room, int count, Error *error) {
    NumberList list[4];
    name_lists(memory, room, count, list);
    if (!numbers_restore(from, list, 4, error))
        return false;
    const double *sum = list[0].value, *scores = list[1].value, *seen = list[2].value;
    for (int i = 0; i < count; i++) {
        if (!is_count(scores[i], 1) || !is_count(seen[i], 0))
            return error_set(
                error, "In the saved state of the optimiser, entry %d of \"scores\" or \"seen\" is no count.",
                i + 1);
        int *slot = slot_of(memory, vector_of(memory, i));
        if (*slot >= 0)
            return error_set(
                error, "In the saved state of the optimiser, vectors %d and %d of the memory are the same.",
                *slot + 1, i + 1);
        *slot = memory->count++;
        memory->record[i] = (Record){sum[i], (uint64_t)scores[i], (uint64_t)seen[i]};
    }
    return true;
}

bool score_memory_restore(ScoreMemory *memory, const json_t *from, Error *error) {
    size_t count = json_array_size(json_object_get(from, "sum"));
    if (count > (size_t)memory->capacity)
        return error_set(error, "The saved state of the optimiser remembers %zu vectors, more than %d.",
                         count, memory->capacity);
    double *list = malloc(3 * (count + 1) * sizeof *list);
    if (!list)
        return error_set(error, "Not enough memory to restore the scores of %zu vectors.", count);
    bool done = read_records(memory, from, list, (int)count, error);
    free(list);
    return done;
}
