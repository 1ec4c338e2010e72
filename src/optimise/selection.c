// SPDX-License-Identifier: GPL-3.0-or-later
// Selection of parents: Amundsen 2014, section 3.4.3.
#include "optimise/selection.h"

#include <math.h>

// Every order is equally probable.
static void shuffle(int *list, int count, Random *random) {
    for (int i = count - 1; i > 0; i--) {
        int j = (int)random_below(random, (uint32_t)i + 1), other = list[j];
        list[j] = list[i];
        list[i] = other;
    }
}

void select_universal(const double *weight, int count, int *chosen, int draws, Random *random) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += weight[i];
    // Where everybody has the same weight, so that sum / draws cannot vanish either.
    double each = sum > 0 ? 0 : 1, step = (sum > 0 ? sum : count) / draws;
    double pointer = random_unit(random) * step, end = weight[0] + each;
    int at = 0, last = 0; // last: the last one with a weight, should rounding carry a pointer beyond the end
    for (int i = 0; i < count; i++)
        if (weight[i] + each > 0)
            last = i;
    for (int draw = 0; draw < draws; draw++) {
        while (at < last && end <= pointer + draw * step)
            end += weight[++at] + each;
        chosen[draw] = at;
    }
    shuffle(chosen, draws, random);
}

void select_shift(const double *score, int count, double *weight) {
    double least = 0;
    for (int i = 0; i < count; i++)
        least = fmin(least, score[i]);
    for (int i = 0; i < count; i++)
        weight[i] = score[i] - least;
}

void select_sigma(const double *score, int count, double *weight) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++)
        sum += score[i];
    double mean = sum / count;
    for (int i = 0; i < count; i++)
        squares += (score[i] - mean) * (score[i] - mean);
    double deviation = sqrt(squares / count);
    for (int i = 0; i < count; i++)
        weight[i] = deviation > 0 ? fmax(1 + (score[i] - mean) / (2 * deviation), 0.1) : 1;
}

int select_tournament(const int *order, int count, int size, double random_rate, int *deck, Random *random) {
    int best = count;
    for (int i = 0; i < size; i++) { // the first steps of a shuffle: deck[0 ... size-1] is the group
        int j = i + (int)random_below(random, (uint32_t)(count - i)), rank = deck[j];
        deck[j] = deck[i];
        deck[i] = rank;
        best = rank < best ? rank : best;
    }
    if (random_unit(random) < random_rate)
        best = deck[random_below(random, (uint32_t)size)];
    return order[best];
}
