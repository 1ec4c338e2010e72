// SPDX-License-Identifier: GPL-3.0-or-later
// A definition's row tells such a mean if its only command plays or measures the player, and what the paper
// did has the same settings.
#include "reproduce/published_means.h"

#include <math.h>
#include <string.h>

#include "base/data_folder.h"
#include "reproduce/comparison.h"

// -> settings  of a command; "" is the player
static bool plays(const json_t *settings, const char *strategy, const Rules *rules) {
    const char *player = json_string_value(json_object_get(settings, ""));
    bool same = player && !strcmp(player, strategy);
    for (int k = 0; same && k < rules_fields.count; k++) {
        const Field *field = &rules_fields.field[k];
        char option[FIELD_OPTION_NAME], value[FIELD_PRINTED];
        const char *text = json_string_value(json_object_get(settings, field_option(field, option)));
        same = text && !strcmp(text, field_print(field, rules, value));
    }
    return same;
}

static bool tells(const Definition *definition, const DefinitionRow *row, const char *strategy,
                  const Rules *rules, CommandSettings *settings) {
    PublishedKind kind = row->published.kind;
    Comparison comparison = {NULL};
    if (kind == PUBLISHED_NOT || kind == PUBLISHED_STATEMENT || json_array_size(row->commands) != 1 ||
        strcmp(row->value, "mean_lines"))
        return false;
    json_t *all = comparison_settings(definition, row, settings, NULL);
    bool good = plays(json_array_get(all, 1), strategy, rules) &&
                comparison_make(&comparison, definition, "full", row, settings, NULL) && !comparison.why;
    comparison_free(&comparison);
    json_decref(all);
    return good;
}

typedef struct Asked {
    const char *strategy;
    const Rules *rules;
    CommandSettings *settings;
    Interval found;
} Asked;

static bool look(void *context, const char *path, const char *text, size_t length, Error *error) {
    Asked *asked = context;
    Definition *definition = definition_read(path, text, length, error);
    for (int k = 0; definition && k < definition->rows; k++) {
        const PublishedValue *published = &definition->row[k].published;
        if (!tells(definition, &definition->row[k], asked->strategy, asked->rules, asked->settings))
            continue;
        bool range = published->kind == PUBLISHED_RANGE;
        asked->found.low = fmin(asked->found.low, range ? published->interval.low : published->value);
        asked->found.high = fmax(asked->found.high, range ? published->interval.high : published->value);
    }
    definition_free(definition);
    return true;
}

Interval published_means(const char *strategy, const Rules *rules, CommandSettings *settings) {
    Asked asked = {strategy, rules, settings, {NAN, NAN}};
    data_read(DEFINITIONS_FOLDER, look, &asked, NULL);
    return asked.found;
}
