// SPDX-License-Identifier: GPL-3.0-or-later
// Langenhoven's feed-forward network with hidden units; see network.h. Decisions must be the same everywhere,
// so everything is whole numbers: a unit's argument is a linear rating in units of 2^-exponent, which is
// brought to 32 bits behind the point and looked up. Entries of the table are the logistic function rounded
// to 2^-32; none is so close to the middle between two whole numbers that one C library could round it
// otherwise than another. Without hidden units a network is a linear rating and never comes here. More than
// one hidden layer is not offered.
#include "feature/network.h"
#include "base/portable.h"

#include <math.h>
#include <stdlib.h>

enum {
    WEIGHT_BITS = 28,          // of the largest weight of a unit: kernels take 29
    OUTPUT_BITS = 26,          // 16 units, each below 2^(26+32): sums below 2^62
    VALUE_BITS = 32,           // behind the point: s
    ARGUMENT_BITS = 32,        // behind the point: its argument
    EDGE_BITS = 4,             // the table ends at -2^4 and 2^4
    SEGMENT_BITS = 25,         // 2^25 arguments share a segment of the table: 128 segments for 1
    MAX_EXPONENT = 46,         // sums of weights are below 2^45, so those of two moves and the bias have room
    MAX_OUTPUT_EXPONENT = 900, // so that 2^(exponent + 32) is finite
};

_Static_assert(NETWORK_SEGMENTS == 1 << (1 + EDGE_BITS + ARGUMENT_BITS - SEGMENT_BITS), "up to the edges");

// ---- from the user's numbers to whole ones

// <- e: the largest number is below 2^bits when multiplied by 2^e
static int fitting_exponent(double largest, int bits, int most) {
    int exponent;
    if (largest == 0)
        return most;
    frexp(largest, &exponent); // largest < 2^exponent
    return bits - exponent < most ? bits - exponent : most;
}

static void make_unit(NetworkUnit *unit, const Rating *rating, const HiddenUnit *hidden) {
    double weight[RATING_MAX_TERMS], largest = 0;
    unit->sum = *rating;
    unit->sum.kind = RATING_LINEAR;
    for (int i = 0; i < rating->terms; i++) {
        FeatureId id = rating->term[i].feature;
        weight[i] = hidden->weight[id] / feature_bound(id, rating->width, rating->height);
        largest = fmax(largest, fabs(weight[i]));
    }
    int e = fitting_exponent(largest, WEIGHT_BITS, MAX_EXPONENT);
    for (int i = 0; i < rating->terms; i++)
        unit->sum.term[i].weight = (int32_t)lround(ldexp(weight[i], e));
    unit->sum.scale = ldexp(1, e);
    // A bias beyond 2^60 is far beyond the edge, whatever the weights add.
    unit->bias = llround(fmax(-0x1p60, fmin(0x1p60, ldexp(hidden->bias, e))));
    // Weights so large that one step of a feature leaves the table: s is 0, 1/2 or 1.
    unit->edge = e + EDGE_BITS >= 0 ? (int64_t)1 << (e + EDGE_BITS) : 1;
    unit->left = e >= ARGUMENT_BITS ? 0 : e + EDGE_BITS >= 0 ? ARGUMENT_BITS - e : 0;
    unit->right = e > ARGUMENT_BITS ? e - ARGUMENT_BITS : 0;
}

static void fill_table(uint32_t *table) {
    for (int i = 0; i <= NETWORK_SEGMENTS; i++) {
        double argument = ldexp(i - NETWORK_SEGMENTS / 2, SEGMENT_BITS - ARGUMENT_BITS);
        table[i] = (uint32_t)llround(ldexp(1 / (1 + portable_exp(-argument)), VALUE_BITS));
    }
}

RatingNetwork *network_new(Rating *rating, const RatingWeights *text, Error *error) {
    RatingNetwork *network = calloc(1, sizeof *network);
    if (!network)
        return error_null(error, "out of memory for the hidden units of a rating.");
    double largest = 0;
    network->units = text->hidden;
    for (int j = 0; j < text->hidden; j++) {
        make_unit(&network->unit[j], rating, &text->unit[j]);
        largest = fmax(largest, fabs(text->unit[j].output));
    }
    int e = fitting_exponent(largest, OUTPUT_BITS, MAX_OUTPUT_EXPONENT);
    for (int j = 0; j < text->hidden; j++)
        network->unit[j].output = (int32_t)lround(ldexp(text->unit[j].output, e));
    rating->scale = ldexp(1, e + VALUE_BITS);
    fill_table(network->table);
    return network;
}

// ---- values

int64_t network_unit_value(const RatingNetwork *network, int index, int64_t sum) {
    const NetworkUnit *unit = &network->unit[index];
    int64_t x = sum + unit->bias;
    if (x >= unit->edge)
        return (int64_t)network->table[NETWORK_SEGMENTS] * unit->output;
    if (x <= -unit->edge)
        return (int64_t)network->table[0] * unit->output;
    x = (x * ((int64_t)1 << unit->left)) >> unit->right;
    const uint32_t *segment = &network->table[(x >> SEGMENT_BITS) + NETWORK_SEGMENTS / 2];
    int64_t part = x & ((1 << SEGMENT_BITS) - 1), rise = (int64_t)segment[1] - segment[0];
    return (segment[0] + (rise * part >> SEGMENT_BITS)) * unit->output;
}

int64_t network_value(const RatingNetwork *network, const int64_t sums[RATING_MAX_HIDDEN]) {
    int64_t value = 0;
    for (int j = 0; j < network->units; j++)
        value += network_unit_value(network, j, sums[j]);
    return value;
}
