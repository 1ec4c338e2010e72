// SPDX-License-Identifier: GPL-3.0-or-later
// Vectors as strategies. Everything about the order of a vector is in one function, locate: the number at an
// index belongs to a part (weights, exponents ...) and a feature or hidden unit. The powers are those of
// Böhm, Kókai & Mandl (2005), the network that of Langenhoven, van Heerden & Engelbrecht (2010), the switches
// those of Amundsen (2014), section 4.2. Weights are not scaled: only their ratios decide a move.
#include "learn/encoding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields_json.h"
#include "base/json_memory.h"
#include "base/portable.h"
#include "base/text.h"
#include "base/utf8.h"
#include "learn/spread.h"
#include "optimise/optimiser.h"

static const double LEAST_EXPONENT = 0.125, MAX_EXPONENT = 8, MAX_DISPLACEMENT = 40;
static const double DISPLACEMENT_STEP = 4, SWITCHED_ON = 0.5;

typedef enum Part {
    PART_WEIGHT,
    PART_FACTOR, // of a strategy that is mixed
    PART_INPUT,  // of a hidden unit
    PART_BIAS,
    PART_OUTPUT,
    PART_EXPONENT,
    PART_DISPLACEMENT,
    PART_SWITCH
} Part;

typedef struct Place {
    Part part;
    int feature; // index of encoding->feature
    int column;  // PART_WEIGHT: which value of the feature
    int unit;    // PART_INPUT, PART_BIAS, PART_OUTPUT; PART_FACTOR: which strategy
} Place;

void encoding_defaults(Encoding *encoding, int width) {
    *encoding = (Encoding){.width = width, .rating = RATING_LINEAR, .unit = 1, .player = PLAYER_GREEDY};
}

// ---------------------------------------------------------------------------------------------------
// Features by name

enum { MAX_SETS = 32, EXCERPT = 60 };

static bool add_feature(Encoding *encoding, FeatureId id) {
    for (int k = 0; k < encoding->features; k++)
        if (encoding->feature[k] == id)
            return true;
    encoding->feature[encoding->features++] = id;
    return true;
}

static bool refuse_word(const char *word, Error *error) {
    const char *names[FEATURES + MAX_SETS];
    char clean[EXCERPT], meant[TEXT_MEANT];
    int count = 0;
    for (int id = 0; id < FEATURES; id++)
        names[count++] = feature_info[id].name;
    for (int k = 0; k < MAX_SETS && encoding_feature_set(k); k++)
        names[count++] = encoding_feature_set(k)->name;
    utf8_clean(clean, sizeof clean, word, strlen(word));
    return error_set(error, "\"%s\" is neither a feature nor a set of features%s", clean,
                     text_meant(meant, "\"", "\"", clean, names, count));
}

static bool add_list(Encoding *encoding, const char *text, bool inside_set, Error *error);

static bool add_word(Encoding *encoding, const char *word, bool inside_set, Error *error) {
    int id = feature_from_name(word);
    if (id >= 0)
        return add_feature(encoding, (FeatureId)id);
    for (int k = 0; !inside_set && encoding_feature_set(k); k++)
        if (!strcmp(word, encoding_feature_set(k)->name))
            return add_list(encoding, encoding_feature_set(k)->features, true, error);
    return refuse_word(word, error);
}

static bool add_list(Encoding *encoding, const char *text, bool inside_set, Error *error) {
    for (;;) {
        char word[EXCERPT];
        size_t length = strcspn(text, ",");
        if (length == 0)
            return error_set(error, "Between two commas, or at an end of the list, a feature is missing.");
        snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word - 1), text);
        if (!add_word(encoding, word, inside_set, error))
            return false;
        text += length;
        if (!*text)
            return true;
        text++;
    }
}

bool encoding_set_features(Encoding *encoding, const char *text, Error *error) {
    Encoding made = *encoding;
    made.features = 0;
    if (!*text)
        return error_set(error, "Give the name of a set of features, such as du, or features with commas "
                                "between them.");
    if (!add_list(&made, text, false, error))
        return false;
    *encoding = made;
    return true;
}

// ---------------------------------------------------------------------------------------------------
// What can be set

static bool parse_features(const Field *field, void *at, const char *text, Error *error) {
    (void)field;
    return encoding_set_features(at, text, error);
}

const char *encoding_set_name(const Encoding *encoding) {
    for (int k = 0; encoding_feature_set(k); k++) {
        Encoding set = {.width = encoding->width};
        const char *name = encoding_feature_set(k)->name;
        if (encoding_set_features(&set, name, NULL) && set.features == encoding->features &&
            !memcmp(set.feature, encoding->feature, (size_t)set.features * sizeof *set.feature))
            return name;
    }
    return NULL;
}

// The name of the set that they are, or their own names.
static void print_features(const Field *field, const void *at, char *out, size_t room) {
    const Encoding *encoding = at;
    const char *name = encoding_set_name(encoding);
    size_t used = (size_t)snprintf(out, room, "%s", name ? name : "");
    (void)field;
    for (int k = 0; !name && k < encoding->features && used < room; k++)
        used += (size_t)snprintf(out + used, room - used, "%s%s", k ? "," : "",
                                 feature_info[encoding->feature[k]].name);
}

static const FieldType features_type = {.parse = parse_features, .print = print_features};

static void suggest_features(FILE *out) {
    for (int k = 0; encoding_feature_set(k); k++)
        fprintf(out, " %s", encoding_feature_set(k)->name);
    for (int f = 0; f < FEATURES; f++)
        fprintf(out, " %s", feature_info[f].name);
}

static void tell_sets(FILE *out) {
    for (int k = 0; encoding_feature_set(k); k++)
        fprintf(out, "%s %s", k ? "," : "", encoding_feature_set(k)->name);
    fputc('.', out);
}

static void tell_switches(FILE *out) {
    char names[FIELD_WORDS_TEXT];
    fprintf(out, " %s.", optimiser_with(offsetof(OptimiserTraits, switches), "or", names));
}

static bool parse_like(const Field *field, void *at, const char *text, Error *error) {
    Strategy like;
    (void)field;
    return strategy_find(&like, text, error) && encoding_set_like(at, &like, error);
}

static const FieldType like_type = {.parse = parse_like};

static const Field encoding_field[] = {
    {"features", FIELD_OTHER, 0, .type = &features_type, .suggest = suggest_features, .otherwise = "du",
     .argument = "SET",
     .help = "What the player sees: names of features with commas between them, or a set of the papers:",
     .tell_help = tell_sets},
    {"like", FIELD_OTHER, 0, .type = &like_type, .suggest = strategy_suggest, .file = FIELD_READS,
     .argument = "STRATEGY",
     .help =
         "It is played as this strategy is, with all its options (depth, candidates, pieces, ...), instead "
         "of --player; its weights do not count."},
    {"rating", FIELD_WORD, FIELD_AT(Encoding, rating), .words = strategy_rating_names, .argument = "KIND",
     .help = "How its value is made of them:"},
    {"hidden", FIELD_INT, FIELD_AT(Encoding, hidden), .most = RATING_MAX_HIDDEN, .argument = "N",
     .belongs = "rating network", .help = "network: hidden units."},
    {"choose", FIELD_FLAG, FIELD_AT(Encoding, choose), .option = "choose-features",
     .help = "Genes that switch each feature on and off, with", .tell_help = tell_switches},
    {"player", FIELD_WORD, FIELD_AT(Encoding, player), .words = strategy_player_names, .argument = "KIND",
     .takes = strategy_player_rates, .help = "Who plays with it:"},
    {"ties", FIELD_WORD, FIELD_AT(Encoding, ties), .words = strategy_ties_names},
    {"unit", FIELD_REAL, FIELD_AT(Encoding, unit), .preset = 1, .least = 1e-100, .most = 1e6},
};
const Fields encoding_fields = FIELDS(encoding_field);
// In JSON the features are a list, and `like` is a strategy.
static const Fields saved_fields = {encoding_field + 2, sizeof encoding_field / sizeof *encoding_field - 2};

// ---------------------------------------------------------------------------------------------------
// The order of a vector

static bool is_network(const Encoding *encoding) {
    return encoding->rating == RATING_NETWORK && encoding->hidden > 0;
}

// Parts with one number per feature, behind the weights.
static bool has_part(const Encoding *encoding, Part part) {
    return part == PART_EXPONENT       ? rating_has_powers(encoding->rating)
           : part == PART_DISPLACEMENT ? encoding->rating == RATING_DISPLACED
                                       : encoding->choose;
}

static int weights(const Encoding *encoding) {
    if (is_network(encoding))
        return encoding->hidden * (encoding->features + 2);
    if (encoding->mix.strategies)
        return mix_size(&encoding->mix);
    int sum = 0;
    for (int k = 0; k < encoding->features; k++)
        sum += feature_values(encoding->feature[k], encoding->width);
    return sum;
}

int encoding_size(const Encoding *encoding) {
    int size = weights(encoding);
    for (Part part = PART_EXPONENT; part <= PART_SWITCH; part++)
        size += has_part(encoding, part) ? encoding->features : 0;
    return size <= ENCODING_MAX ? size : 0;
}

static Place locate_factor(const Encoding *encoding, int index) {
    MixPart part = mix_part(&encoding->mix, index);
    int feature = 0;
    while (encoding->feature[feature] != part.feature)
        feature++;
    return (Place){.part = PART_FACTOR, .feature = feature, .unit = part.strategy};
}

static Place locate_weight(const Encoding *encoding, int index) {
    if (encoding->mix.strategies)
        return locate_factor(encoding, index);
    int inputs = encoding->hidden * (encoding->features + 1);
    if (!is_network(encoding)) {
        int k = 0;
        for (int values; index >= (values = feature_values(encoding->feature[k], encoding->width)); k++)
            index -= values;
        return (Place){.part = PART_WEIGHT, .feature = k, .column = index};
    }
    if (index >= inputs)
        return (Place){.part = PART_OUTPUT, .unit = index - inputs};
    int unit = index / (encoding->features + 1), input = index % (encoding->features + 1);
    if (input == encoding->features)
        return (Place){.part = PART_BIAS, .unit = unit};
    return (Place){.part = PART_INPUT, .feature = input, .unit = unit};
}

// -> index  0 ... encoding_size - 1
static Place locate(const Encoding *encoding, int index) {
    if (index < weights(encoding))
        return locate_weight(encoding, index);
    index -= weights(encoding);
    Part part = PART_EXPONENT;
    for (; !has_part(encoding, part) || index >= encoding->features; part++)
        index -= has_part(encoding, part) ? encoding->features : 0;
    return (Place){.part = part, .feature = index};
}

void encoding_label(const Encoding *encoding, int index, char out[64]) {
    Place place = locate(encoding, index);
    FeatureId id = encoding->feature[place.feature];
    const char *name = feature_info[id].name;
    Part part = place.part;
    if (part == PART_FACTOR)
        snprintf(out, 64, "%s: %s", encoding->mix.strategy[place.unit].name, name);
    else if (part == PART_WEIGHT && feature_info[id].values != ONE)
        snprintf(out, 64, "%s[%d]", name, place.column + 1);
    else if (part == PART_INPUT || part == PART_BIAS || part == PART_OUTPUT)
        snprintf(out, 64, "unit %d: %s", place.unit + 1,
                 part == PART_INPUT  ? name
                 : part == PART_BIAS ? "bias"
                                     : "output");
    else
        snprintf(out, 64, "%s%s%s", part == PART_SWITCH ? "use " : "", name,
                 part == PART_EXPONENT       ? "^"
                 : part == PART_DISPLACEMENT ? "-"
                                             : "");
}

int encoding_group(const Encoding *encoding, int index) {
    Place place = locate(encoding, index);
    bool of_unit = place.part == PART_INPUT || place.part == PART_BIAS || place.part == PART_OUTPUT;
    return of_unit ? encoding->features + place.unit : place.feature;
}

// Options in units of the rating mean something else for weights of another length.
bool encoding_directions(const Encoding *encoding) {
    return !encoding->choose && !encoding->hidden &&
           !(encoding->liked && strategy_nature(&encoding->like).has_units) &&
           (encoding->rating == RATING_LINEAR || encoding->rating == RATING_NETWORK);
}

double encoding_length(const double *vector, int size) {
    double squares = 0;
    for (int k = 0; k < size; k++)
        squares += vector[k] * vector[k];
    return squares > 0 ? sqrt(squares) : 1;
}

bool encoding_is_switch(const Encoding *encoding, int index) {
    return locate(encoding, index).part == PART_SWITCH;
}

bool encoding_check(const Encoding *encoding, Error *error) {
    if (encoding->features < 1)
        return error_set(error, "No feature is given: name a set, such as du, or features.");
    if (encoding->hidden && encoding->rating != RATING_NETWORK)
        return error_set(error, "Hidden units belong to the rating network, not to %s.",
                         strategy_rating_names[encoding->rating]);
    if (encoding->hidden < 0 || encoding->hidden > RATING_MAX_HIDDEN)
        return error_set(error, "A network has 0 to %d hidden units, not %d.", RATING_MAX_HIDDEN,
                         encoding->hidden);
    if (encoding->mix.strategies && (encoding->rating != RATING_LINEAR || encoding->choose))
        return error_set(error, "A mix is linear and without switches.");
    if (!strategy_player_rates(encoding->player))
        return error_set(error, "A %s player has no weights to be learned: choose another one.",
                         strategy_player_names[encoding->player]);
    for (int k = 0; k < encoding->features && is_network(encoding); k++)
        if (feature_info[encoding->feature[k]].values != ONE)
            return error_set(error,
                             "%s has several values, which hidden units do not take: leave it "
                             "out, or use no hidden unit.",
                             feature_info[encoding->feature[k]].name);
    return encoding_size(encoding) > 0 ||
           error_set(error, "The vector would have more than %d numbers: use fewer features.", ENCODING_MAX);
}

// ---------------------------------------------------------------------------------------------------
// Vector -> strategy -> vector

static double within(double value, double least, double most) {
    return isnan(value) ? fmax(least, 0) : value < least ? least : value > most ? most : value;
}

static void put(RatingWeights *rating, const Place *place, FeatureId id, double value, double unit) {
    double weight = within(value, -STRATEGY_WEIGHT_LIMIT, STRATEGY_WEIGHT_LIMIT);
    switch (place->part) {
    case PART_WEIGHT:
        rating->weight[feature_first[id] + place->column] = weight;
        break;
    case PART_FACTOR: // mix_in
        break;
    case PART_INPUT:
        rating->unit[place->unit].weight[id] = weight;
        break;
    case PART_BIAS:
        rating->unit[place->unit].bias = weight;
        break;
    case PART_OUTPUT:
        rating->unit[place->unit].output = weight;
        break;
    case PART_EXPONENT:
        rating->exponent[id] =
            isnan(value) ? 1 : within(portable_exp2(value / unit), LEAST_EXPONENT, MAX_EXPONENT);
        break;
    case PART_DISPLACEMENT:
        rating->displacement[id] = within(DISPLACEMENT_STEP * value / unit, 0, MAX_DISPLACEMENT);
        break;
    case PART_SWITCH:
        break;
    }
}

// Adds a feature of a strategy, times a factor.
static void mix_in(RatingWeights *rating, const MixStrategy *strategy, FeatureId id, double factor) {
    if (isnan(factor))
        return;
    for (int i = feature_first[id]; i < feature_first[id] + strategy->given[id]; i++)
        rating->weight[i] = within(rating->weight[i] + factor * strategy->weight[i], -STRATEGY_WEIGHT_LIMIT,
                                   STRATEGY_WEIGHT_LIMIT);
}

void encoding_strategy(const Encoding *encoding, const double *vector, const char *name, Strategy *strategy) {
    strategy_empty(strategy, "");
    utf8_clean(strategy->name, sizeof strategy->name, name, strlen(name));
    if (encoding->liked) {
        strategy_play_as(strategy, &encoding->like);
    } else {
        strategy_set_player(strategy, encoding->player);
        strategy->ties = encoding->ties;
        strategy_set_rated(strategy); // without a rating there are no weights to be learned
    }
    RatingWeights *rating = &strategy->rating;
    rating->kind = encoding->rating;
    rating->hidden = is_network(encoding) ? encoding->hidden : 0;
    int size = encoding_size(encoding), first_switch = size - (encoding->choose ? encoding->features : 0);
    int used = 0;
    for (int k = 0; k < encoding->features; k++) {
        bool on = !encoding->choose || vector[first_switch + k] > SWITCHED_ON;
        rating->given[encoding->feature[k]] = on ? feature_values(encoding->feature[k], encoding->width) : 0;
        used += on;
    }
    for (int i = 0; i < first_switch; i++) {
        Place place = locate(encoding, i);
        FeatureId id = encoding->feature[place.feature];
        bool of_unit = place.part == PART_BIAS || place.part == PART_OUTPUT;
        if (place.part == PART_FACTOR)
            mix_in(rating, &encoding->mix.strategy[place.unit], id, vector[i]);
        else if (of_unit || rating->given[id])
            put(rating, &place, id, encoding->scaled ? vector[i] / encoding->scale[i] : vector[i],
                encoding->unit);
    }
    if (!used) { // a rating needs a feature: one that weighs nothing
        rating->given[encoding->feature[0]] = feature_values(encoding->feature[0], encoding->width);
        rating->exponent[encoding->feature[0]] = rating_has_powers(encoding->rating) ? 1 : 0;
    }
}

static bool covers(const Encoding *encoding, const Strategy *strategy, Error *error) {
    for (int id = 0; id < FEATURES; id++) {
        bool found = strategy->rating.given[id] == 0;
        for (int k = 0; k < encoding->features; k++)
            found = found || (int)encoding->feature[k] == id;
        if (!found)
            return error_set(error,
                             "%s uses %s, which is not among the features to learn with: add it to them.",
                             strategy->name, feature_info[id].name);
    }
    return true;
}

bool encoding_vector(const Encoding *encoding, const Strategy *strategy, double *vector, Error *error) {
    if (encoding->mix.strategies)
        return error_set(error, "A mix starts from the strategies that it is made of, not from %s.",
                         strategy->name);
    if (!strategy_is_rated(strategy))
        return error_set(error, "%s has no weights to start from: name a strategy that has.", strategy->name);
    if (encoding->rating != RATING_LINEAR || strategy->rating.kind != RATING_LINEAR)
        return error_set(error,
                         "Only a linear rating can start from the weights of %s, and only if these "
                         "are linear too.",
                         strategy->name);
    if (!covers(encoding, strategy, error))
        return false;
    for (int i = 0, size = encoding_size(encoding); i < size; i++) {
        Place place = locate(encoding, i);
        FeatureId id = encoding->feature[place.feature];
        int given = strategy->rating.given[id], needed = feature_values(id, encoding->width);
        if (given && given != needed)
            return error_set(error, "%s has %d weights for %s, but a board of %d columns needs %d.",
                             strategy->name, given, feature_info[id].name, encoding->width, needed);
        if (place.part == PART_SWITCH)
            vector[i] = given > 0;
        else
            vector[i] = given ? strategy->rating.weight[feature_first[id] + place.column] *
                                    (encoding->scaled ? encoding->scale[i] : 1)
                              : 0;
    }
    return true;
}

void encoding_unscale(const Encoding *encoding, const double *vector, double *weight) {
    for (int i = 0, size = encoding_size(encoding); i < size; i++)
        weight[i] = encoding->scaled ? vector[i] / encoding->scale[i] : vector[i];
}

bool encoding_set_mix(Encoding *encoding, const char *text, double *vector, Error *error) {
    double factor[MIX_MOST];
    if (!mix_parse(&encoding->mix, text, encoding->width, factor, error))
        return false;
    encoding->features = 0;
    for (int id = 0; id < FEATURES; id++)
        if (mix_has(&encoding->mix, (FeatureId)id))
            add_feature(encoding, (FeatureId)id);
    if (!encoding_check(encoding, error))
        return false;
    for (int i = 0, size = encoding_size(encoding); i < size; i++)
        vector[i] = factor[mix_part(&encoding->mix, i).strategy];
    return true;
}

bool encoding_set_like(Encoding *encoding, const Strategy *like, Error *error) {
    if (!strategy_is_rated(like))
        return error_set(error, "%s has no weights, so nothing can be learned that plays like it.",
                         like->name);
    if (!strategy_nature(like).repeats)
        return error_set(
            error,
            "%s remembers its games in a file or plans by the clock, so what is learned could not be "
            "learned again: name a strategy that does not.",
            like->name);
    encoding->liked = true;
    encoding->like = *like;
    encoding->player = like->player;
    encoding->ties = like->ties;
    return true;
}

bool encoding_set_scale(Encoding *encoding, const Rules *rules, Error *error) {
    if (!encoding_directions(encoding) || encoding->rating != RATING_LINEAR || encoding->mix.strategies)
        return error_set(error,
                         "Only the weights of a linear rating can be scaled, without switches or a mix.");
    encoding->scaled = true;
    return encoding_check(encoding, error) &&
           features_spread(encoding->feature, encoding->features, rules, encoding->scale, error);
}

// ---------------------------------------------------------------------------------------------------
// JSON

json_t *encoding_features_json(const Encoding *encoding) {
    json_t *list = json_array();
    bool good = list;
    for (int k = 0; good && k < encoding->features; k++)
        good = !json_array_append_new(list, json_string(feature_info[encoding->feature[k]].name));
    return json_if(good, list);
}

static json_t *like_save(const Strategy *like) {
    char *text = strategy_to_json(like);
    json_t *object = text ? json_loads(text, 0, NULL) : NULL;
    free(text);
    return object;
}

json_t *encoding_save(const Encoding *encoding) {
    json_t *object = json_object();
    bool good = object && !json_object_set_new(object, "features", encoding_features_json(encoding));
    if (good && encoding->scaled)
        good = !json_object_set_new(object, "scale", json_list(encoding->scale, encoding_size(encoding)));
    if (good && encoding->mix.strategies)
        good = !json_object_set_new(object, "mix", mix_save(&encoding->mix));
    if (good && encoding->liked)
        good = !json_object_set_new(object, "like", like_save(&encoding->like));
    return json_if(good && fields_save(saved_fields, encoding, object), object);
}

static bool restore_features(Encoding *encoding, const json_t *list, Error *error) {
    if (!json_is_array(list) || json_array_size(list) < 1 || json_array_size(list) > FEATURES)
        return error_set(error, "\"features\" must be a list of 1 to %d names.", FEATURES);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        int id = name ? feature_from_name(name) : -1;
        if (id < 0)
            return error_set(error, "Entry %zu of \"features\" is not the name of a feature.", i + 1);
        add_feature(encoding, (FeatureId)id);
        if (encoding->features != (int)i + 1)
            return error_set(error, "\"features\" names %s twice.", name);
    }
    return true;
}

// Its features are those of the encoding, or locate_factor would look for one in vain.
static bool restore_mix(Encoding *encoding, const json_t *list, Error *error) {
    int features = 0;
    if (!list)
        return true;
    if (!mix_restore(&encoding->mix, list, encoding->width, error))
        return false;
    for (int id = 0; id < FEATURES; id++)
        features += mix_has(&encoding->mix, (FeatureId)id);
    for (int k = 0; k < encoding->features; k++)
        features -= mix_has(&encoding->mix, encoding->feature[k]);
    return features == 0 || error_set(error, "\"features\" lacks some of those in \"mix\".");
}

static bool restore_scale(Encoding *encoding, const json_t *list, Error *error) {
    int size = encoding_size(encoding);
    if (!list)
        return true;
    encoding->scaled = json_list_values(list, encoding->scale, size);
    for (int i = 0; encoding->scaled && i < size; i++)
        encoding->scaled = encoding->scale[i] >= SPREAD_LEAST;
    return (encoding->scaled && encoding_directions(encoding) && encoding->rating == RATING_LINEAR) ||
           error_set(error,
                     "\"scale\" must be a list of %d numbers, at least %g each, for a linear rating without "
                     "switches.",
                     size, SPREAD_LEAST);
}

static bool restore_like(Encoding *encoding, const json_t *object, Error *error) {
    Strategy like;
    if (!object)
        return true;
    char *text = json_text(object, JSON_COMPACT);
    bool good = text ? strategy_parse_json(&like, "\"like\"", text, strlen(text), error)
                     : error_set(error, "Out of memory for \"like\".");
    free(text);
    return good && encoding_set_like(encoding, &like, error);
}

bool encoding_restore(Encoding *encoding, const json_t *from, int width, Error *error) {
    encoding_defaults(encoding, width);
    return restore_features(encoding, json_object_get(from, "features"), error) &&
           fields_restore(saved_fields, encoding, from, FIELDS_ALL, NULL, NULL, error) &&
           restore_mix(encoding, json_object_get(from, "mix"), error) &&
           restore_like(encoding, json_object_get(from, "like"), error) && encoding_check(encoding, error) &&
           restore_scale(encoding, json_object_get(from, "scale"), error);
}
