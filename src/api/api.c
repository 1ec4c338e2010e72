// SPDX-License-Identifier: GPL-3.0-or-later
// The handles of the public interface: strategies, rules and players. All files here are thin: they check
// what comes from outside, call the layers below and copy the results into the types of tetralab.h, so that
// no type of the library is visible to its users and each can change.
#include "api/api.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

_Static_assert((int)TETRALAB_MAX_VALUE >= PIECE_SOURCE_NAME, "every setting has room");

const char *tetralab_version(void) {
    return TETRALAB_VERSION;
}

void tetralab_free(void *text) {
    free(text);
}

PlainLocale plain_locale_enter(void) {
    PlainLocale locale = {.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
    locale.before = uselocale(locale.plain); // 0, if memory ran out: nothing is changed
    return locale;
}

void plain_locale_leave(PlainLocale locale) {
    uselocale(locale.before);
    if (locale.plain)
        freelocale(locale.plain);
}

// ---- strategies

const char *tetralab_strategy_builtin(int index) {
    const Strategy *strategy = index >= 0 ? strategy_builtin(index) : NULL;
    return strategy ? strategy->name : NULL;
}

// -> text  NULL: `name` is to be found, else it is what to call the text
static tetralab_strategy *new_strategy(const char *name, const char *text, size_t length, Error *error) {
    tetralab_strategy *handle = malloc(sizeof *handle);
    if (!handle)
        return error_null(error, "Out of memory for a strategy.");
    PlainLocale locale = plain_locale_enter();
    bool good = text ? strategy_parse_json(&handle->strategy, name, text, length, error)
                     : strategy_find(&handle->strategy, name, error);
    plain_locale_leave(locale);
    if (good)
        return handle;
    free(handle);
    return NULL;
}

tetralab_strategy *tetralab_strategy_load(const char *name, tetralab_error *error) {
    return new_strategy(name, NULL, 0, api_error(error));
}

tetralab_strategy *tetralab_strategy_parse(const char *name, const char *text, size_t length,
                                           tetralab_error *error) {
    return new_strategy(name, text, length, api_error(error));
}

void tetralab_strategy_free(tetralab_strategy *strategy) {
    free(strategy);
}

const char *tetralab_strategy_name(const tetralab_strategy *strategy) {
    return strategy->strategy.name;
}

const char *tetralab_strategy_source(const tetralab_strategy *strategy) {
    return strategy->strategy.source;
}

char *tetralab_strategy_to_json(const tetralab_strategy *strategy, tetralab_error *error) {
    PlainLocale locale = plain_locale_enter();
    char *text = strategy_to_json(&strategy->strategy);
    plain_locale_leave(locale);
    if (!text)
        error_set(api_error(error), "Out of memory for the text of %s.", strategy->strategy.name);
    return text;
}

// ---- rules

tetralab_rules *tetralab_rules_new(void) {
    tetralab_rules *rules = malloc(sizeof *rules);
    if (rules) {
        rules_default(&rules->rules);
        rules->max_pieces = UINT64_MAX;
    }
    return rules;
}

void tetralab_rules_free(tetralab_rules *rules) {
    if (rules)
        rules_free(&rules->rules);
    free(rules);
}

// No limit has a word of its own.
static bool parse_limit(const Field *field, void *at, const char *text, Error *error) {
    Field whole = *field;
    whole.kind = FIELD_WHOLE;
    whole.offset = 0;
    if (strcmp(text, "none"))
        return field_parse(&whole, at, text, error);
    *(uint64_t *)at = UINT64_MAX;
    return true;
}

static void print_limit(const Field *field, const void *at, char *out, size_t room) {
    uint64_t limit = *(const uint64_t *)at;
    (void)field;
    if (limit == UINT64_MAX)
        snprintf(out, room, "none");
    else
        snprintf(out, room, "%" PRIu64, limit);
}

static const FieldType limit_type = {.parse = parse_limit, .print = print_limit};
static const Field limit_field[] = {{"max-pieces", FIELD_OTHER, FIELD_AT(tetralab_rules, max_pieces),
                                     .type = &limit_type, .otherwise = "none", .least = 1, .most = 0x1p63}};
static const Fields limit_fields = FIELDS(limit_field);

// <- the setting with this number: those of the Rules, then the limit; NULL: there are no more
static const Field *setting_at(int index) {
    return index < 0                                         ? NULL
           : index < rules_fields.count                      ? &rules_fields.field[index]
           : index < rules_fields.count + limit_fields.count ? &limit_fields.field[index - rules_fields.count]
                                                             : NULL;
}

static const char *setting_name(const Field *field) {
    return field->option ? field->option : field->key;
}

// <- *base: the struct that it is a field of
static const Field *find_setting(const tetralab_rules *rules, const char *name, const void **base,
                                 Error *error) {
    const char *names[16];
    const Field *field;
    int count = 0;
    for (; (field = setting_at(count)); count++) {
        names[count] = setting_name(field);
        *base = count < rules_fields.count ? (const void *)&rules->rules : rules;
        if (!strcmp(name, names[count]))
            return field;
    }
    return error_null(error, "There is no rule \"%.60s\"%s", name,
                      text_meant((char[TEXT_MEANT]){0}, "\"", "\"", name, names, count));
}

const char *tetralab_rules_setting(int index) {
    const Field *field = setting_at(index);
    return field ? setting_name(field) : NULL;
}

bool tetralab_rules_set(tetralab_rules *rules, const char *name, const char *value, tetralab_error *error) {
    const void *base;
    const Field *field = find_setting(rules, name, &base, api_error(error));
    if (!field)
        return false;
    PlainLocale locale = plain_locale_enter();
    Error reason = {""};
    bool good = field_parse(field, (void *)base, value, &reason);
    plain_locale_leave(locale);
    return good || error_set(api_error(error), "%s: %s", name, reason.text);
}

bool tetralab_rules_get(const tetralab_rules *rules, const char *name, char *value, tetralab_error *error) {
    const void *base;
    char text[FIELD_PRINTED];
    const Field *field = find_setting(rules, name, &base, api_error(error));
    if (field)
        snprintf(value, TETRALAB_MAX_VALUE, "%.*s", TETRALAB_MAX_VALUE - 1, field_print(field, base, text));
    return field != NULL;
}

int tetralab_rules_width(const tetralab_rules *rules) {
    return rules->rules.width;
}

int tetralab_rules_height(const tetralab_rules *rules) {
    return rules->rules.height;
}

bool api_copy_rules(tetralab_rules *copy, const tetralab_rules *rules, Error *error) {
    copy->max_pieces = rules->max_pieces;
    return rules_copy(&copy->rules, &rules->rules, error);
}

// ---- players

const char *tetralab_kernel(int index) {
    const Kernel *kernel;
    for (int i = 0; index >= 0 && (kernel = kernel_at(i)); i++)
        if (kernel_available(kernel) && index-- == 0)
            return kernel_name(kernel);
    return NULL;
}

// A strategy may come from anywhere: only the program tetralab, where the user names the file, starts others.
static bool check_kind(const Strategy *strategy, Error *error) {
    return strategy->player != PLAYER_TBP ||
           error_set(error,
                     "%s: the library starts no other programs; \"player\": \"tbp\" is for the command line.",
                     strategy->name);
}

static bool fill_player(tetralab_player *player, const tetralab_strategy *strategy,
                        const tetralab_rules *rules, const char *kernel, Error *error) {
    if (!check_kind(&strategy->strategy, error) || !rules_check(&rules->rules, error) ||
        !(player->kernel = kernel_find(kernel, error)) || !api_copy_rules(&player->rules, rules, error))
        return false;
    PlainLocale locale = plain_locale_enter();
    player->player = player_new(&strategy->strategy, &player->rules.rules, player->kernel, error);
    plain_locale_leave(locale);
    return player->player != NULL;
}

tetralab_player *tetralab_player_new(const tetralab_strategy *strategy, const tetralab_rules *rules,
                                     const char *kernel, tetralab_error *error) {
    tetralab_player *player = calloc(1, sizeof *player);
    if (!player)
        error_set(api_error(error), "Out of memory for the player %s.", strategy->strategy.name);
    else if (fill_player(player, strategy, rules, kernel, api_error(error)))
        return player;
    tetralab_player_free(player);
    return NULL;
}

void tetralab_player_free(tetralab_player *player) {
    if (!player)
        return;
    player_free(player->player);
    rules_free(&player->rules.rules);
    free(player);
}

bool tetralab_player_flush(const tetralab_player *player, tetralab_error *error) {
    return player_flush(player->player, api_error(error));
}

const char *tetralab_player_kernel(const tetralab_player *player) {
    return kernel_name(player->kernel);
}
