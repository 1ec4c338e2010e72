// SPDX-License-Identifier: GPL-3.0-or-later
// From a strategy's weights to whole numbers. A feature f enters as q = floor(f * steps), an integer; so
//     w * f = (w / steps) * q,   and with a scale S:   S * w / steps is an integer, or is rounded to one.
// Decimal weights get the smallest whole S that makes all of them exact. Böhm, Kókai & Mandl (2005) raise
// features to powers; q being small, each power is looked up in a table of rounded integers.
// Features are scaled to [0, 1] by their ranges for networks only (Langenhoven, van Heerden & Engelbrecht
// 2010): in a linear rating that only changes the weights. Hidden units are in network.c.
#include "feature/rating.h"

#include <math.h>
#include <stdlib.h>

#include "base/portable.h"
#include "feature/network.h"

enum { MAX_DIGITS = 9, TABLE_LIMIT = 1 << 30, SCALE_EXPONENT_LIMIT = 1000 };

static double text_weight(const RatingWeights *text, const RatingTerm *term) {
    return text->weight[feature_first[term->feature] + term->index];
}

// ---- checks --------------------------------------------------------------------------------------------

static bool check_feature(const RatingWeights *text, FeatureId id, int width, Error *error) {
    const char *name = feature_info[id].name;
    int given = text->given[id], needed = feature_values(id, width);
    if (given != needed)
        return error_set(error, "%s has %d weight%s but needs %d on a board of %d columns.", name, given,
                         given == 1 ? "" : "s", needed, width);
    for (int i = 0; i < given; i++)
        if (!isfinite(text->weight[feature_first[id] + i]))
            return error_set(error, "weight %d of %s is %g; weights must be finite numbers.", i + 1, name,
                             text->weight[feature_first[id] + i]);
    if (text->kind == RATING_NETWORK && feature_info[id].values != ONE)
        return error_set(error, "%s has several values; the inputs of a network have one value each.", name);
    if (!rating_has_powers(text->kind))
        return true;
    if (feature_info[id].sign == SIGNED)
        return error_set(error, "%s can be negative and hence not be raised to a power; use a linear rating.",
                         name);
    if (!isfinite(text->exponent[id]) || !isfinite(text->displacement[id]))
        return error_set(error, "the exponent and the displacement of %s must be finite numbers.", name);
    return true;
}

static bool check_units(const RatingWeights *text, Error *error) {
    if (text->hidden < 0 || text->hidden > RATING_MAX_HIDDEN)
        return error_set(error, "a network has 0 to %d hidden units, not %d.", RATING_MAX_HIDDEN,
                         text->hidden);
    for (int j = 0; j < text->hidden; j++) {
        const HiddenUnit *unit = &text->unit[j];
        bool finite = isfinite(unit->bias) && isfinite(unit->output);
        for (int id = 0; id < FEATURES; id++)
            finite = finite && (text->given[id] == 0 || isfinite(unit->weight[id]));
        if (!finite)
            return error_set(error, "hidden unit %d has a number that is not finite.", j + 1);
    }
    return true;
}

static bool check(const RatingWeights *text, int width, int height, Error *error) {
    if (width < BOARD_MIN_WIDTH || width > BOARD_MAX_WIDTH || height < BOARD_MIN_HEIGHT ||
        height > BOARD_MAX_HEIGHT)
        return error_set(error, "a board of %dx%d is out of range; use %dx%d to %dx%d.", width, height,
                         BOARD_MIN_WIDTH, BOARD_MIN_HEIGHT, BOARD_MAX_WIDTH, BOARD_MAX_HEIGHT);
    bool any = false;
    for (int id = 0; id < FEATURES; id++) {
        if (text->given[id] == 0)
            continue;
        if (!check_feature(text, id, width, error))
            return false;
        any = true;
    }
    if (!any)
        return error_set(error, "the rating uses no feature; give at least one weight.");
    return text->kind != RATING_NETWORK || check_units(text, error);
}

static void add_terms(Rating *rating, const RatingWeights *text) {
    for (int id = 0; id < FEATURES; id++) {
        for (int i = 0; i < text->given[id]; i++)
            rating->term[rating->terms++] = (RatingTerm){.feature = id, .index = i};
        if (text->given[id])
            rating->features |= feature_bit(id);
    }
}

// ---- linear --------------------------------------------------------------------------------------------

static int64_t common_divisor(int64_t a, int64_t b) {
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

// Is this the number that reading the decimal "digits / power" gives? Both operands of the division are exact
// and it rounds as that reading does, so no tolerance is needed.
static bool decimal(double number, double power, int64_t *digits) {
    double rounded = nearbyint(number * power);
    if (fabs(rounded) > 0x1p45 || rounded / power != number)
        return false;
    *digits = (int64_t)rounded;
    return true;
}

static bool decimal_weights(const Rating *rating, const RatingWeights *text, int64_t power, int64_t *digits) {
    for (int i = 0; i < rating->terms; i++)
        if (!decimal(text_weight(text, &rating->term[i]), (double)power, &digits[i]))
            return false;
    return true;
}

// How large the weights are made.
static int weight_limit(const Rating *rating) {
    for (int id = 0; id < FEATURES; id++)
        if (rating->features & feature_bit((FeatureId)id) && feature_is_table((FeatureId)id))
            return RATING_TABLE_WEIGHT;
    return RATING_ROUNDED_WEIGHT;
}

// Finds the smallest whole scale that makes every weight / steps an integer, if those are small enough, and
// doubles it as often as they stay so.
static bool exact_weights(Rating *rating, const RatingWeights *text) {
    int64_t whole[RATING_MAX_TERMS], power = 1;
    for (int d = 0; !decimal_weights(rating, text, power, whole); d++, power *= 10)
        if (d == MAX_DIGITS)
            return false;

    int64_t steps[RATING_MAX_TERMS], common = 1;
    for (int i = 0; i < rating->terms; i++) {
        steps[i] = feature_steps(rating->term[i].feature, rating->width);
        common = common / common_divisor(common, steps[i]) * steps[i];
    }
    int64_t scale = power * common, divisor = scale;
    for (int i = 0; i < rating->terms; i++) {
        if (__builtin_mul_overflow(whole[i], common / steps[i], &whole[i]))
            return false;
        divisor = common_divisor(divisor, whole[i]);
    }
    for (int i = 0; i < rating->terms; i++) {
        whole[i] /= divisor;
        if (llabs(whole[i]) > RATING_MAX_WEIGHT)
            return false;
    }
    int64_t most = 1;
    for (int i = 0; i < rating->terms; i++)
        most = llabs(whole[i]) > most ? llabs(whole[i]) : most;
    int shift = 0; // kernels compare the upper bits first: large weights let these decide
    while (most << (shift + 1) <= weight_limit(rating))
        shift++;
    for (int i = 0; i < rating->terms; i++)
        rating->term[i].weight = (int32_t)(whole[i] * ((int64_t)1 << shift));
    rating->scale = ldexp((double)(scale / divisor), shift);
    return true;
}

// <- e: the largest power of two with most * 2^e <= limit
static int scale_exponent(double most, double limit) {
    if (most == 0)
        return 0;
    int e = ilogb(limit) - ilogb(most) + 1;
    while (e > SCALE_EXPONENT_LIMIT || ldexp(most, e) > limit)
        e--;
    return e;
}

static void rounded_weights(Rating *rating, const RatingWeights *text) {
    double effective[RATING_MAX_TERMS], most = 0;
    for (int i = 0; i < rating->terms; i++) {
        const RatingTerm *term = &rating->term[i];
        effective[i] = text_weight(text, term) / feature_steps(term->feature, rating->width);
        most = fmax(most, fabs(effective[i]));
    }
    int e = scale_exponent(most, weight_limit(rating));
    for (int i = 0; i < rating->terms; i++)
        rating->term[i].weight = (int32_t)lround(ldexp(effective[i], e));
    rating->scale = ldexp(1, e);
}

// ---- exponential and displaced -------------------------------------------------------------------------

static int term_bound(const Rating *rating, const RatingTerm *term) {
    return feature_bound(term->feature, rating->width, rating->height);
}

// <- |f - d|^e for f = q / steps
static double power_of(const Rating *rating, const RatingWeights *text, const RatingTerm *term, int q) {
    FeatureId id = term->feature;
    double value = (double)q / feature_steps(id, rating->width);
    double displacement = text->kind == RATING_DISPLACED ? text->displacement[id] : 0;
    return portable_power(fabs(value - displacement), text->exponent[id]);
}

// <- w * |f - d|^e
static double powered(const Rating *rating, const RatingWeights *text, const RatingTerm *term, int q) {
    double weight = text_weight(text, term);
    return weight == 0 ? 0 : weight * power_of(rating, text, term, q);
}

static bool largest_entry(const Rating *rating, const RatingWeights *text, const RatingTerm *term,
                          double *most, Error *error) {
    *most = 0;
    for (int q = 0, bound = term_bound(rating, term); q <= bound; q++) {
        double value = powered(rating, text, term, q), exponent = text->exponent[term->feature];
        if (!isfinite(value))
            return error_set(error, "the exponent %g makes the rating infinite at %s = %g; use %s.", exponent,
                             feature_info[term->feature].name,
                             (double)q / feature_steps(term->feature, rating->width),
                             exponent < 0 ? "one that is not negative" : "a smaller one");
        *most = fmax(*most, fabs(value));
    }
    return true;
}

static bool make_tables(Rating *rating, const RatingWeights *text, Error *error) {
    double sum = 0;
    size_t entries = 0;
    for (int i = 0; i < rating->terms; i++) {
        double most;
        if (!largest_entry(rating, text, &rating->term[i], &most, error))
            return false;
        sum += most;
        entries += (size_t)term_bound(rating, &rating->term[i]) + 1;
    }
    if (!isfinite(sum))
        return error_set(error, "the weights are too large: their sum is infinite.");
    rating->tables = malloc(entries * sizeof *rating->tables);
    if (!rating->tables)
        return error_set(error, "out of memory for the tables of a rating.");

    int e = scale_exponent(sum, TABLE_LIMIT - RATING_MAX_TERMS); // room for rounding up
    int32_t *next = rating->tables;
    for (int i = 0; i < rating->terms; i++) {
        RatingTerm *term = &rating->term[i];
        term->table = next;
        for (int q = 0, bound = term_bound(rating, term); q <= bound; q++)
            *next++ = (int32_t)lround(ldexp(powered(rating, text, term, q), e));
    }
    rating->scale = ldexp(1, e);
    return true;
}

// ---- network --------------------------------------------------------------------------------------------

// Without hidden units: the weights of the linear rating that it is.
static void scaled_weights(RatingWeights *linear, int width, int height) {
    linear->kind = RATING_LINEAR;
    for (int id = 0; id < FEATURES; id++)
        linear->weight[feature_first[id]] *=
            (double)feature_steps(id, width) / feature_bound(id, width, height);
}

// ---- interface -----------------------------------------------------------------------------------------

static void linear_weights(Rating *rating, const RatingWeights *text) {
    if (!exact_weights(rating, text))
        rounded_weights(rating, text);
}

static bool make_network(Rating *rating, const RatingWeights *text, Error *error) {
    if (text->hidden)
        return (rating->network = network_new(rating, text, error)) != NULL;
    RatingWeights linear = *text;
    scaled_weights(&linear, rating->width, rating->height);
    rating->kind = RATING_LINEAR;
    linear_weights(rating, &linear);
    return true;
}

bool rating_make(Rating *rating, const RatingWeights *text, int width, int height, Error *error) {
    *rating = (Rating){.kind = text->kind, .width = width, .height = height, .scale = 1};
    if (!check(text, width, height, error))
        return false;
    add_terms(rating, text);
    if (rating_has_powers(text->kind))
        return make_tables(rating, text, error);
    if (text->kind == RATING_NETWORK)
        return make_network(rating, text, error);
    linear_weights(rating, text);
    return true;
}

void rating_free(Rating *rating) {
    free(rating->tables);
    free(rating->network);
    rating->tables = NULL;
    rating->network = NULL;
}

// What the term's feature is in this situation, in steps.
static int term_value(const Rating *rating, const RatingTerm *term, const Situation *situation) {
    double value = feature_reference(term->feature, situation, term->index);
    // Multiples of means are whole numbers but for rounding; the small amount makes up for that.
    return (int)floor(value * feature_steps(term->feature, rating->width) + 1e-6);
}

void rating_sums(const Rating *rating, const Situation *situation, uint64_t features,
                 int64_t sums[RATING_MAX_HIDDEN]) {
    int count = rating->network ? rating->network->units : 1;
    for (int j = 0; j < count; j++)
        sums[j] = 0;
    for (int i = 0; i < rating->terms; i++) {
        const RatingTerm *term = &rating->term[i];
        if (!(features & feature_bit(term->feature)))
            continue;
        int q = term_value(rating, term, situation);
        for (int j = 0; j < count; j++) {
            int32_t weight = rating->network ? rating->network->unit[j].sum.term[i].weight : term->weight;
            sums[j] += term->table ? term->table[q] : (int64_t)weight * q;
        }
    }
}

int64_t rating_of_sums(const Rating *rating, const int64_t sums[RATING_MAX_HIDDEN]) {
    return rating->network ? network_value(rating->network, sums) : sums[0];
}

int64_t rating_reference(const Rating *rating, const Situation *situation, uint64_t features) {
    int64_t sums[RATING_MAX_HIDDEN];
    rating_sums(rating, situation, features, sums);
    return rating_of_sums(rating, sums);
}

// <- what the term gives with the weight 1
static double term_unit(const Rating *rating, const RatingWeights *text, const RatingTerm *term, int q) {
    if (rating->network)
        return NAN;
    if (term->table)
        return power_of(rating, text, term, q);
    return (double)q / (text->kind == RATING_NETWORK
                            ? feature_bound(term->feature, rating->width, rating->height)
                            : feature_steps(term->feature, rating->width));
}

int rating_shares(const Rating *rating, const RatingWeights *text, const Situation *situation,
                  uint64_t features, RatingShare *share) {
    int count = 0;
    for (int i = 0; i < rating->terms; i++) {
        const RatingTerm *term = &rating->term[i];
        if (!(features & feature_bit(term->feature)))
            continue;
        int q = term_value(rating, term, situation);
        int64_t sum = term->table ? term->table[q] : (int64_t)term->weight * q;
        share[count++] = (RatingShare){.feature = term->feature,
                                       .index = term->index,
                                       .value = feature_reference(term->feature, situation, term->index),
                                       .weight = rating->network ? NAN : text_weight(text, term),
                                       .unit = term_unit(rating, text, term, q),
                                       .contribution = rating->network ? NAN : (double)sum / rating->scale};
    }
    return count;
}
