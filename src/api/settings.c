// SPDX-License-Identifier: GPL-3.0-or-later
#include "api/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/text.h"

enum { MAX_SETTINGS = 128 };

typedef struct Entry {
    char name[FIELD_OPTION_NAME];
    const char *argument; // of a table: lives for ever
    char *preset, *help;  // owned; preset may be NULL
    char *value;          // owned; NULL: not set
} Entry;

struct tetralab_settings {
    const Task *task;
    Entry entry[MAX_SETTINGS];
    int count;
};

// ---------------------------------------------------------------------------------------------------
// The tables

static bool has(const Task *task, const char *option) {
    char spaced[FIELD_OPTION_NAME + 2];
    snprintf(spaced, sizeof spaced, " %s ", option);
    return !strstr(task->without, spaced);
}

static Entry *find(const tetralab_settings *settings, const char *name) {
    char option[FIELD_OPTION_NAME];
    snprintf(option, sizeof option, "%s", name);
    for (char *c = option; *c; c++)
        *c = *c == '_' ? '-' : *c;
    for (int i = 0; i < settings->count; i++)
        if (!strcmp(settings->entry[i].name, option))
            return (Entry *)&settings->entry[i];
    return NULL;
}

static bool copy_text(char **copy, const char *text) {
    *copy = text ? strdup(text) : NULL;
    return !text || *copy;
}

static const char *default_of(const Task *task, const Field *field, const char *option,
                              char out[FIELD_PRINTED]) {
    for (const char *const *other = task->others; other && *other; other += 2)
        if (!strcmp(other[0], option))
            return other[1];
    return field_default(field, out);
}

// Methods may have options of the same name: it is listed once.
static bool add_entry(tetralab_settings *settings, const Field *field) {
    char preset[FIELD_PRINTED], help[FIELD_HELP], name[FIELD_OPTION_NAME];
    if (find(settings, field_option(field, name)))
        return true;
    if (settings->count == MAX_SETTINGS)
        return false;
    Entry *entry = &settings->entry[settings->count++];
    memcpy(entry->name, name, sizeof name);
    entry->argument = field->argument;
    return copy_text(&entry->preset, default_of(settings->task, field, name, preset)) &&
           copy_text(&entry->help, field_help(field, help));
}

static bool add_entries(tetralab_settings *settings, TaskSettings *options) {
    OptionSet sets[TASK_MAX_SETS];
    char name[FIELD_OPTION_NAME];
    int count = task_sets(settings->task, options, sets);
    for (int s = 0; s < count; s++)
        for (int i = 0; i < sets[s].fields.count; i++) {
            const Field *field = &sets[s].fields.field[i];
            if (field->help && has(settings->task, field_option(field, name)) && !add_entry(settings, field))
                return false;
        }
    return true;
}

// ---------------------------------------------------------------------------------------------------
// The handle

tetralab_settings *tetralab_settings_new(const char *name, tetralab_error *error) {
    const Task *task = task_find(name, api_error(error));
    if (!task)
        return NULL;
    tetralab_settings *settings = calloc(1, sizeof *settings);
    TaskSettings *options = calloc(1, sizeof *options);
    PlainLocale locale = plain_locale_enter();
    if (settings)
        settings->task = task;
    bool good = settings && options && add_entries(settings, options);
    plain_locale_leave(locale);
    free(options);
    if (good)
        return settings;
    error_set(api_error(error), "Out of memory for the settings of %s.", name);
    tetralab_settings_free(settings);
    return NULL;
}

void tetralab_settings_free(tetralab_settings *settings) {
    for (int i = 0; settings && i < settings->count; i++) {
        free(settings->entry[i].preset);
        free(settings->entry[i].help);
        free(settings->entry[i].value);
    }
    free(settings);
}

// The library does not print.
static bool check_file(const Field *field, const char *value, Error *error) {
    bool writes = field->file == FIELD_WRITES || field->file == FIELD_KEEPS;
    return !writes || strcmp(value, "-") || error_set(error, "expected the name of a file, got '-'.");
}

// Would one of the tables that have it take the value? The last one says why not.
static bool try_value(const tetralab_settings *settings, const Entry *entry, const char *value,
                      Error *error) {
    const Task *task = settings->task;
    OptionSet sets[TASK_MAX_SETS];
    char name[FIELD_OPTION_NAME];
    TaskSettings *options = calloc(1, sizeof *options);
    if (!options)
        return error_set(error, "out of memory.");
    int count = task_sets(task, options, sets);
    bool good = false;
    for (int s = 0; !good && s < count; s++)
        for (int i = 0; !good && i < sets[s].fields.count; i++) {
            const Field *field = &sets[s].fields.field[i];
            void *base = sets[s].base ? sets[s].base : (char *)options + TASK_LOOSE;
            if (field->help && !strcmp(field_option(field, name), entry->name))
                good = check_file(field, value, error) && field_parse(field, base, value, error);
        }
    free(options);
    return good;
}

static bool check_value(const tetralab_settings *settings, const Entry *entry, const char *value,
                        Error *error) {
    Error reason = {""};
    if (entry->argument) {
        PlainLocale locale = plain_locale_enter();
        bool good = try_value(settings, entry, value, &reason);
        plain_locale_leave(locale);
        return good || error_set(error, "%s: %.480s", entry->name, reason.text);
    }
    return !strcmp(value, "true") || !strcmp(value, "false") ||
           error_set(error, "%s: expected true or false, got '%.60s'.", entry->name, value);
}

bool tetralab_settings_set(tetralab_settings *settings, const char *name, const char *value,
                           tetralab_error *error) {
    const char *names[MAX_SETTINGS];
    for (int i = 0; i < settings->count; i++)
        names[i] = settings->entry[i].name;
    Entry *entry = find(settings, name);
    if (!entry)
        return error_set(api_error(error), "There is no setting \"%.60s\" of %s%s", name,
                         settings->task->name,
                         text_meant((char[TEXT_MEANT]){0}, "\"", "\"", name, names, settings->count));
    char *copy = NULL;
    if (value && !check_value(settings, entry, value, api_error(error)))
        return false;
    if (!copy_text(&copy, value))
        return error_set(api_error(error), "Out of memory for the setting %s.", entry->name);
    free(entry->value);
    entry->value = copy;
    return true;
}

const char *tetralab_settings_get(const tetralab_settings *settings, const char *name) {
    const Entry *entry = find(settings, name);
    return entry ? entry->value : NULL;
}

bool tetralab_settings_describe(const tetralab_settings *settings, int index, tetralab_setting *setting) {
    if (index < 0 || index >= settings->count)
        return false;
    const Entry *entry = &settings->entry[index];
    *setting = (tetralab_setting){entry->name, entry->argument, entry->preset, entry->help};
    return true;
}

// ---------------------------------------------------------------------------------------------------
// Using it

static bool take_words(Arguments *arguments, const tetralab_settings *settings) {
    arguments->word = calloc(MAX_SETTINGS, sizeof *arguments->word);
    for (int i = 0; arguments->word && settings && i < settings->count; i++) {
        const Entry *entry = &settings->entry[i];
        bool given = entry->value && (entry->argument || !strcmp(entry->value, "true"));
        if (given)
            arguments->word[arguments->words++] = (OptionWord){.name = entry->name,
                                                               .text = entry->argument ? entry->value : NULL,
                                                               .length = (int)strlen(entry->name)};
    }
    return arguments->word;
}

bool asked_read(Asked *asked, const tetralab_settings *settings, const Task *task, TaskSettings *options,
                Error *error) {
    *asked = (Asked){.arguments.words = 0};
    memset(options, 0, sizeof *options);
    if (settings && settings->task != task)
        return error_set(error, "These are settings of %s: make others with tetralab_settings_new(\"%s\").",
                         settings->task->name, task->name);
    if (!take_words(&asked->arguments, settings))
        return error_set(error, "Out of memory for the settings.");
    int count = asked->arguments.set_count = task_sets(task, options, asked->sets);
    asked->arguments.sets = asked->sets;
    for (int s = count; s-- > 0;) // a task may have other defaults
        if (asked->sets[s].base)
            fields_preset(asked->sets[s].fields, asked->sets[s].base);
    if (task->presets)
        task->presets(options);
    options->running.jobs = (uint64_t)pool_cores();
    bool good = true;
    for (int s = 0; good && s < count; s++)
        good = !asked->sets[s].base || arguments_apply(&asked->arguments, &asked->sets[s], error);
    return good;
}

void asked_free(Asked *asked) {
    arguments_free(&asked->arguments);
}
