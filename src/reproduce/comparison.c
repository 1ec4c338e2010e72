// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE // asprintf
#include "reproduce/comparison.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "player/strategy.h"

// Options that do not change what is measured: who measures the same player longer, faster or by another
// method, or writes it elsewhere, gets the same number up to its interval. The first are those of all
// commands.
static const struct {
    const char *command, *options;
} apart[] = {
    {"", " seed jobs kernel json out resume repeat curve csv markdown journal plot record replay show "},
    {"play", " games until "},
    {"measure", " games precision method budget-pieces base trials "},
    {"compare", " precision method sprt alpha beta pairs "},
    {"versus", " games match "},
    {"solve", " check-games "},
    {"features", " time boards "},
    {"perft", " depth piece from "}, // what is counted, as an operand
    {"bench", " seconds strategy signature "},
};

static bool is_apart(const char *command, const char *option) {
    char spaced[80];
    snprintf(spaced, sizeof spaced, " %.60s ", option);
    for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
        if ((!*apart[i].command || !strcmp(apart[i].command, command)) && strstr(apart[i].options, spaced))
            return true;
    return false;
}

// Playing games of a player and measuring it give the same number.
static const char *known_as(const char *command) {
    return !strcmp(command, "play") ? "measure" : command;
}

// One command of ours and what the paper did in its place.
typedef struct Pair {
    const char *command; // its name
    CommandWords ours, theirs;
    json_t *our, *their;    // settings
    const json_t *strategy; // the file of the definition that it plays, NULL: none
    json_t *said;           // of the paper: option -> value
    FILE *open;
    Error *error;
} Pair;

// -------------------------------------------------------------------------------------------------------
// What the paper did

// <- the word of our command line that gives this option, or NULL; *next: the word behind it, if that is its
//    value
static char *given(const CommandWords *words, const char *option, char **next) {
    size_t length = strlen(option);
    for (int i = 2; i < words->count; i++) {
        const char *word = words->word[i];
        if (strncmp(word, "--", 2) || strncmp(word + 2, option, length))
            continue;
        *next = i + 1 < words->count && strncmp(words->word[i + 1], "--", 2) ? words->word[i + 1] : NULL;
        if (!word[2 + length] || word[2 + length] == '=')
            return words->word[i];
    }
    return NULL;
}

static bool add_word(Pair *pair, const char *word) {
    if (pair->theirs.count >= COMMAND_MAX_WORDS - 9 ||
        !(pair->theirs.word[pair->theirs.count] = strdup(word)))
        return error_set(pair->error, "Out of memory for what a paper did.");
    pair->theirs.count++;
    return true;
}

// What the paper does not say is taken to be as in our command.
static bool add_ours(Pair *pair, const char *option) {
    char *next = NULL, *word = given(&pair->ours, option, &next);
    bool joined = word && strchr(word, '=');
    return !word || (add_word(pair, word) && (joined || !next || add_word(pair, next)));
}

static bool add_option(Pair *pair, const char *option, const json_t *value) {
    char word[1000], number[32];
    if (json_is_null(value))
        return add_ours(pair, option);
    if (json_is_boolean(value)) {
        snprintf(word, sizeof word, "--%.60s", option);
        return json_is_false(value) || add_word(pair, word);
    }
    snprintf(word, sizeof word, "--%.60s=%.900s", option,
             json_is_number(value) ? text_number(json_number_value(value), number)
                                   : json_string_value(value));
    return add_word(pair, word);
}

// Settings of a strategy file have names of their own: "strategy.lambda".
static const char *member_of(const char *name) {
    return strncmp(name, "strategy.", 9) ? NULL : name + 9;
}

static json_t *value_text(const json_t *value) {
    char *text = json_is_string(value) ? strdup(json_string_value(value))
                                       : json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    json_t *json = json_string(text ? text : "");
    free(text);
    return json;
}

// <- the strategy with all its defaults; NULL: the error says why. -> said  what it has otherwise, or NULL
static json_t *whole_strategy(const json_t *file, json_t *said, Error *error) {
    json_t *object = json_deep_copy(file), *value;
    const char *option;
    Strategy strategy;
    json_object_foreach(said, option, value) {
        if (member_of(option) && !json_is_null(value))
            json_object_set(object, member_of(option), value);
    }
    char *text = json_dumps(object, 0), *whole = NULL;
    if (text && strategy_parse_json(&strategy, "strategy", text, strlen(text), error))
        whole = strategy_to_json(&strategy);
    json_decref(object);
    object = whole ? json_loads(whole, 0, NULL) : NULL;
    free(text);
    free(whole);
    return object;
}

// Adds those settings of the strategy file of which something is said.
static bool compare_strategies(Pair *pair) {
    json_t *our = whole_strategy(pair->strategy, NULL, pair->error), *value;
    json_t *their = our ? whole_strategy(pair->strategy, pair->said, pair->error) : NULL;
    const char *option;
    json_object_foreach(their ? pair->said : NULL, option, value) {
        if (!member_of(option))
            continue;
        json_object_set_new(pair->our, option, value_text(json_object_get(our, member_of(option))));
        json_object_set_new(pair->their, option, value_text(json_object_get(their, member_of(option))));
    }
    json_decref(our);
    json_decref(their);
    return their;
}

// Lays what "as" says of this command over what is known so far.
// -> used  the names that were needed are added to it, as "learn.runs" or "runs"
static void lay(Pair *pair, const json_t *as, json_t *used) {
    const char *name, *option;
    json_t *value, *inner;
    json_object_foreach((json_t *)as, name, value) {
        char path[140];
        bool strategy = pair->strategy && !strcmp(name, "strategy");
        bool mine = json_is_object(value) && (strategy || !strcmp(known_as(name), known_as(pair->command)));
        if (!json_is_object(value) && (json_object_get(pair->our, name) || is_apart(pair->command, name))) {
            json_object_set(pair->said, name, value);
            json_object_set_new(used, name, json_true());
        }
        json_object_foreach(mine ? value : NULL, option, inner) {
            snprintf(path, sizeof path, "%.60s.%.60s", name, option);
            json_object_set(pair->said, strategy ? path : option, inner);
            json_object_set_new(used, path, json_true());
        }
    }
}

static bool make_theirs(Pair *pair, CommandSettings *settings) {
    const char *option;
    json_t *value;
    pair->theirs = (CommandWords){.word = {"tetralab"}, .count = 1};
    if (!add_word(pair, pair->command))
        return false;
    json_object_foreach(pair->said, option, value) {
        if (!member_of(option) && !is_apart(pair->command, option) && !add_option(pair, option, value))
            return false;
    }
    pair->theirs.word[pair->theirs.count] = NULL;
    pair->their = settings(pair->theirs.count, pair->theirs.word, pair->error);
    return pair->their && (!pair->strategy || compare_strategies(pair));
}

static void find_strategy(Pair *pair, const Definition *definition) {
    size_t folder = strlen(definition->name);
    for (int i = 2; i < pair->ours.count && !pair->strategy; i++) {
        const char *word = pair->ours.word[i];
        if (!strncmp(word, definition->name, folder) && word[folder] == '/')
            pair->strategy = json_object_get(definition->files, word + folder + 1);
        if (!json_is_object(pair->strategy)) // a text
            pair->strategy = NULL;
    }
}

static void pair_free(Pair *pair) {
    command_words_free(&pair->ours);
    command_words_free(&pair->theirs);
    json_decref(pair->our);
    json_decref(pair->their);
    json_decref(pair->said);
}

static bool make_pair(Pair *pair, const Definition *definition, const char *scale, const DefinitionRow *row,
                      size_t k, CommandSettings *settings, json_t *used, Error *error) {
    Error detail = {""};
    *pair = (Pair){.error = &detail, .said = json_object()};
    char *text =
        definition_expand(definition, scale, json_string_value(json_array_get(row->commands, k)), "{dir}", 1);
    bool good = text && pair->said && command_words(text, definition->name, &pair->ours, &detail) &&
                (pair->ours.count > 1 || error_set(&detail, "A command is empty."));
    if (good) {
        pair->ours.word[pair->ours.count] = NULL;
        pair->command = pair->ours.word[1];
        good = (pair->our = settings(pair->ours.count, pair->ours.word, &detail));
    }
    if (good) {
        find_strategy(pair, definition);
        lay(pair, definition->says.as, used);
        lay(pair, row->paper.as, used);
        good = make_theirs(pair, settings);
    }
    if (!good)
        error_set(error, "%s: row \"%.80s\": the command \"%.160s\"%s: %.300s", definition->name, row->label,
                  text ? text : "", pair->our ? " as the paper would give it" : "", detail.text);
    free(text);
    return good;
}

// -------------------------------------------------------------------------------------------------------
// The difference

static const char *shown(const json_t *text) {
    const char *value = json_string_value(text);
    return value && *value ? value : "none";
}

// Was the option given, by us or by the paper? Those that were not follow from those that were.
static bool is_said(const Pair *pair, const char *option) {
    char *next;
    return json_object_get(pair->said, option) || given(&pair->ours, option, &next);
}

// Every difference once, whichever command has it.
static void print_differences(const Pair *pair, FILE *why, json_t *seen) {
    const char *option;
    json_t *value;
    json_object_foreach(pair->our, option, value) {
        const json_t *their = json_object_get(pair->their, option);
        char text[300];
        if (!their || json_equal(value, (json_t *)their) || is_apart(pair->command, option) ||
            !is_said(pair, option))
            continue;
        snprintf(text, sizeof text, "%.40s %.100s instead of %.100s", option, shown(value), shown(their));
        if (!json_object_get(seen, text))
            fprintf(why, "%s%s", json_object_size(seen) ? ", " : "", text);
        json_object_set_new(seen, text, json_true());
    }
}

static void print_open(const Pair *pair, FILE *open, json_t *seen) {
    const char *option;
    json_t *value;
    json_object_foreach(pair->said, option, value) {
        if (!json_is_null(value) || is_apart(pair->command, option) || json_object_get(seen, option))
            continue;
        fprintf(open, "%s%s", json_object_size(seen) ? ", " : "", option);
        json_object_set_new(seen, option, json_true());
    }
}

static bool compare_commands(const Definition *definition, const char *scale, const DefinitionRow *row,
                             CommandSettings *settings, FILE *why, FILE *open, Error *error) {
    json_t *differences = json_object(), *unsaid = json_object(), *used = json_object();
    bool good = true;
    for (size_t k = 0; good && k < json_array_size(row->commands); k++) {
        Pair pair;
        good = make_pair(&pair, definition, scale, row, k, settings, used, error);
        if (good) {
            print_differences(&pair, why, differences);
            print_open(&pair, open, unsaid);
        }
        pair_free(&pair);
    }
    const char *more = row->paper.open ? row->paper.open : definition->says.open;
    if (more)
        fprintf(open, "%s%s", json_object_size(unsaid) ? "; " : "", more);
    json_decref(differences);
    json_decref(unsaid);
    json_decref(used);
    return good;
}

static char *or_null(char *text) {
    if (text && *text)
        return text;
    free(text);
    return NULL;
}

// Of a row with commands.
static bool compare_row(Comparison *comparison, const Definition *definition, const char *scale,
                        const DefinitionRow *row, CommandSettings *settings, Error *error) {
    size_t size;
    const char *word;
    json_t *why_unlike;
    FILE *why = open_memstream(&comparison->why, &size), *open = open_memstream(&comparison->open, &size);
    bool good = (why && open) || error_set(error, "Out of memory for a comparison.");
    good = good && compare_commands(definition, scale, row, settings, why, open, error);
    good = (!why || !fclose(why)) && (!open || !fclose(open)) && good;
    comparison->why = or_null(comparison->why);
    comparison->open = or_null(comparison->open);
    if (comparison->why)
        comparison->kind = strdup("settings");
    json_object_foreach((json_t *)(row->paper.unlike ? row->paper.unlike : definition->says.unlike), word,
                        why_unlike) {
        free(comparison->why);
        free(comparison->kind);
        comparison->why = strdup(json_string_value(why_unlike));
        comparison->kind = strdup(word);
    }
    return good;
}

static void swap(char **a, char **b) {
    char *kept = *a;
    *a = *b;
    *b = kept;
}

// Adds a part to what is known of a ratio: the first reason why it cannot be compared, and everything that is
// open. The part is taken.
static bool join(Comparison *all, Comparison *part) {
    bool good = true;
    if (!all->open)
        swap(&all->open, &part->open);
    if (!all->why) {
        swap(&all->why, &part->why);
        swap(&all->kind, &part->kind);
    }
    if (part->open && strcmp(all->open, part->open)) {
        char *open = all->open;
        good = asprintf(&all->open, "%s; %s", open, part->open) >= 0;
        all->open = good ? all->open : NULL;
        free(open);
    }
    comparison_free(part);
    return good;
}

bool comparison_make(Comparison *comparison, const Definition *definition, const char *scale,
                     const DefinitionRow *row, CommandSettings *settings, Error *error) {
    *comparison = (Comparison){NULL};
    if (row->published.kind == PUBLISHED_NOT)
        return true;
    if (!row->ratio)
        return compare_row(comparison, definition, scale, row, settings, error);
    // A ratio is comparable if both rows are; what it says of the paper is laid over what they say.
    for (int k = 0; k < 2; k++) {
        Comparison of = {NULL};
        DefinitionRow part = definition->row[row->over[k]];
        json_t *as = json_deep_copy(part.paper.as);
        if (row->paper.unlike)
            part.paper.unlike = row->paper.unlike;
        if (row->paper.open)
            part.paper.open = row->paper.open;
        if (as && row->paper.as)
            json_object_update_recursive(as, (json_t *)row->paper.as);
        part.paper.as = as ? as : row->paper.as;
        bool good = compare_row(&of, definition, scale, &part, settings, error);
        json_decref(as);
        if (!join(comparison, &of) && good)
            good = error_set(error, "Out of memory for a comparison.");
        if (!good)
            return false;
    }
    return true;
}

void comparison_free(Comparison *comparison) {
    free(comparison->why);
    free(comparison->kind);
    free(comparison->open);
    *comparison = (Comparison){NULL};
}

// -------------------------------------------------------------------------------------------------------
// Checks

// Was every option that `as` names needed?
static bool check_used(const char *place, const json_t *as, const json_t *used, Error *error) {
    const char *name, *option;
    json_t *value, *inner;
    json_object_foreach((json_t *)as, name, value) {
        char path[140];
        json_object_foreach(json_is_object(value) ? value : NULL, option, inner) {
            snprintf(path, sizeof path, "%.60s.%.60s", name, option);
            if (!json_object_get(used, path))
                return error_set(error,
                                 "%s: \"as\": there is no command%s %.60s that %s%.60s could belong to.",
                                 place, !strcmp(name, "strategy") ? " with a file for a" : "", name,
                                 !strcmp(name, "strategy") ? "" : "--", option);
        }
        if (!json_is_object(value) && !json_object_get(used, name))
            return error_set(error, "%s: \"as\": no command has an option --%.60s.", place, name);
    }
    return true;
}

// <- which number the row takes, all settings that count, and who is measured; NULL: the error says why
static json_t *settings_of(const Definition *definition, const char *scale, const DefinitionRow *row,
                           CommandSettings *settings, json_t *used, Error *error) {
    json_t *all =
        json_pack("[[sis?s?s?i]]", row->value, row->reduce, row->divide, row->from, row->with, row->together);
    for (size_t k = 0; all && k < json_array_size(row->commands); k++) {
        Pair pair;
        json_t *count = json_object();
        const char *option;
        json_t *value;
        bool good = make_pair(&pair, definition, scale, row, k, settings, used, error);
        json_object_foreach(pair.our, option, value) {
            if (!is_apart(pair.command, option))
                json_object_set(count, option, value);
        }
        for (int i = 2; good && i < pair.ours.count && strncmp(pair.ours.word[i], "--", 2); i++)
            json_object_set_new(count, "", json_string(pair.ours.word[i]));
        pair_free(&pair);
        json_array_append_new(all, count);
        if (!good) {
            json_decref(all);
            all = NULL;
        }
    }
    return all;
}

json_t *comparison_settings(const Definition *definition, const DefinitionRow *row, CommandSettings *settings,
                            Error *error) {
    json_t *used = json_object(), *all = settings_of(definition, "full", row, settings, used, error);
    json_decref(used);
    return all;
}

bool comparison_check(const Definition *definition, CommandSettings *settings, Error *error) {
    json_t *used = json_object(), *known = json_array();
    char place[200];
    bool good = used && known;
    for (int i = 0; good && i < definition->rows; i++) {
        const DefinitionRow *row = &definition->row[i];
        json_t *own = json_object(), *all = settings_of(definition, "full", row, settings, own, error);
        snprintf(place, sizeof place, "%s: row \"%.80s\"", definition->name, row->label);
        good = all && (row->ratio || check_used(place, row->paper.as, own, error));
        json_object_update(used, own);
        for (int k = 0; good && k < i; k++) {
            const DefinitionRow *other = &definition->row[k];
            bool both = row->published.kind && other->published.kind && !row->ratio && !other->ratio;
            if (both && json_equal(all, json_array_get(known, (size_t)k)) &&
                (row->paper.unlike || other->paper.unlike) &&
                !json_equal((json_t *)row->paper.unlike, (json_t *)other->paper.unlike))
                good = error_set(
                    error,
                    "%s and row \"%.80s\" have the same settings: \"unlike\" must say the same of both.",
                    place, other->label);
        }
        json_array_append_new(known, all ? all : json_null());
        json_decref(own);
    }
    good = good && check_used(definition->name, definition->says.as, used, error);
    json_decref(used);
    json_decref(known);
    return good;
}
