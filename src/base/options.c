// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/options.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

// ---------------------------------------------------------------------------------------------------
// Words

static bool is_help(const char *word) {
    return !strcmp(word, "--help") || !strcmp(word, "-h");
}

static bool asks_for_help(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (is_help(argv[i]))
            return true;
    return false;
}

static const Field *find(const OptionSet *set, const char *name, int length) {
    char option[FIELD_OPTION_NAME];
    for (int i = 0; i < set->fields.count; i++)
        if (set->fields.field[i].help && (int)strlen(field_option(&set->fields.field[i], option)) == length &&
            !strncmp(option, name, (size_t)length))
            return &set->fields.field[i];
    return NULL;
}

static bool refuse_unknown(const OptionSet *sets, int count, const char *word, int length, Error *error) {
    enum { MAX_NAMES = 200 };
    char name[MAX_NAMES][FIELD_OPTION_NAME] = {"help"}, wrong[64], meant[TEXT_MEANT];
    const char *names[MAX_NAMES] = {name[0]};
    int total = 1;
    for (int s = 0; s < count; s++)
        for (int i = 0; i < sets[s].fields.count && total < MAX_NAMES; i++)
            if (sets[s].fields.field[i].help) {
                names[total] = field_option(&sets[s].fields.field[i], name[total]);
                total++;
            }
    int dashes = (int)strspn(word, "-");
    snprintf(wrong, sizeof wrong, "%.*s", length - dashes, word + dashes);
    return error_set(error, "unknown option %.*s%s", length < 60 ? length : 60, word,
                     text_meant(meant, "--", "", wrong, names, total));
}

// Reads the option at argv[*i], and its argument where that is the next word.
static bool read_option(Arguments *arguments, const OptionSet *sets, int count, int argc, char **argv, int *i,
                        Error *error) {
    const char *word = argv[*i];
    int length = (int)strcspn(word, "=");
    const char *text = word[length] ? word + length + 1 : NULL;
    const Field *field = NULL;
    for (int s = 0; !strncmp(word, "--", 2) && s < count && !field; s++)
        field = find(&sets[s], word + 2, length - 2);
    if (!field && length == 6 && !strncmp(word, "--help", 6))
        return error_set(error, "option --help takes no argument, got '%.60s'.", text);
    if (!field)
        return refuse_unknown(sets, count, word, length, error);
    OptionWord *option = &arguments->word[arguments->words];
    *option = (OptionWord){.name = word + 2, .length = length - 2};
    for (int k = 0; k < arguments->words; k++)
        if (arguments->word[k].length == option->length &&
            !strncmp(arguments->word[k].name, option->name, (size_t)option->length))
            return error_set(error, "option --%.*s is given twice.", option->length, option->name);
    if (!field->argument && text)
        return error_set(error, "option --%.*s takes no argument, got '%.60s'.", option->length, option->name,
                         text);
    if (field->argument && !text) {
        if (*i + 1 == argc || !strncmp(argv[*i + 1], "--", 2))
            return error_set(error, "option --%.*s needs an argument: --%.*s %s.", option->length,
                             option->name, option->length, option->name, field->argument);
        text = argv[++*i];
    }
    option->text = field->argument ? text : NULL;
    arguments->words++;
    return true;
}

bool arguments_read(Arguments *arguments, const OptionSet *sets, int count, int argc, char **argv,
                    Error *error) {
    *arguments = (Arguments){.help = asks_for_help(argc, argv), .sets = sets, .set_count = count};
    arguments->operand = calloc((size_t)argc + 1, sizeof *arguments->operand);
    arguments->word = calloc((size_t)argc + 1, sizeof *arguments->word);
    if (!arguments->operand || !arguments->word)
        return error_set(error, "Out of memory for %d words.", argc);
    bool ended = false;
    for (int i = 1; i < argc && !arguments->help; i++) {
        if (ended || argv[i][0] != '-' || !argv[i][1])
            arguments->operand[arguments->operands++] = argv[i];
        else if (!strcmp(argv[i], "--"))
            ended = true;
        else if (!read_option(arguments, sets, count, argc, argv, &i, error))
            return false;
    }
    return true;
}

bool arguments_apply(const Arguments *arguments, const OptionSet *set, Error *error) {
    for (int k = 0; k < arguments->words; k++) {
        const OptionWord *word = &arguments->word[k];
        const Field *field = find(set, word->name, word->length);
        Error inner = {""};
        if (field && !field->argument)
            *(bool *)((char *)set->base + field->offset) = true;
        else if (field && !field_parse(field, set->base, word->text, &inner))
            return error_set(error, "--%.*s: %.480s", word->length, word->name, inner.text);
    }
    return true;
}

bool arguments_given(const Arguments *arguments, const char *option) {
    for (int k = 0; k < arguments->words; k++)
        if ((int)strlen(option) == arguments->word[k].length &&
            !strncmp(arguments->word[k].name, option, strlen(option)))
            return true;
    return false;
}

// Is every word of such a list an option?
__attribute__((unused)) static bool all_known(const Arguments *arguments, const char *list) {
    for (size_t length; *(list += strspn(list, " ")); list += length) {
        bool known = false;
        length = strcspn(list, " ");
        for (int s = 0; s < arguments->set_count && !known; s++)
            known = find(&arguments->sets[s], list, (int)length);
        if (!known)
            return false;
    }
    return true;
}

const char *arguments_beyond(const Arguments *arguments, const char *allowed, char out[FIELD_OPTION_NAME]) {
    assert(all_known(arguments, allowed));
    for (int k = 0; k < arguments->words; k++) {
        char spaced[FIELD_OPTION_NAME];
        snprintf(spaced, sizeof spaced, " %.*s ", arguments->word[k].length, arguments->word[k].name);
        snprintf(out, FIELD_OPTION_NAME, "--%.*s", arguments->word[k].length, arguments->word[k].name);
        if (!strstr(allowed, spaced))
            return out;
    }
    return NULL;
}

bool arguments_check(const Arguments *arguments, const OptionSet *set, Error *error) {
    char option[FIELD_OPTION_NAME], owner[FIELD_OPTION_NAME], value[FIELD_PRINTED];
    for (int i = 0; i < set->fields.count; i++) {
        const Field *field = &set->fields.field[i];
        if (!field->help || !arguments_given(arguments, field_option(field, option)))
            continue;
        if (field->zero_is_unset && !strcmp(field_print(field, set->base, value), "0"))
            return error_set(error, "--%s must be above 0.", option);
        if (!field->belongs)
            continue;
        char words[80], *rest = words, *word;
        const char *list[8] = {NULL};
        int count = 0;
        bool counts = false;
        snprintf(words, sizeof words, "%s", field->belongs);
        const Field *other = fields_find(set->fields, strsep(&rest, " "));
        field_print(other, set->base, value);
        while ((word = strsep(&rest, " "))) {
            assert(count + 1 < (int)(sizeof list / sizeof *list));
            list[count++] = word;
            counts = counts || !strcmp(word, value);
        }
        if (!counts)
            return error_set(error, "--%s belongs to --%s %s.", option, field_option(other, owner),
                             field_words(list, "", "or", value));
    }
    return true;
}

void arguments_free(Arguments *arguments) {
    free(arguments->operand);
    free(arguments->word);
    *arguments = (Arguments){0};
}

// ---------------------------------------------------------------------------------------------------
// Help

// Prints the words of `text` between columns `left` and 80. <-> *at  the cursor's column
static void print_wrapped(FILE *out, const char *text, int left, int *at) {
    while (*text) {
        int length = (int)strcspn(text, " "), width = utf8_columns(text, (size_t)length);
        if (*at > left && *at + 1 + width > 80) {
            fprintf(out, "\n%*s", left, "");
            *at = left;
        } else if (*at > left) {
            fputc(' ', out);
            (*at)++;
        }
        fprintf(out, "%.*s", length, text);
        *at += width;
        text += length;
        text += strspn(text, " ");
    }
}

enum { INDENT = 2, WIDEST = 24 };

static int print_head(const Field *field, char head[128]) {
    char name[FIELD_OPTION_NAME];
    snprintf(head, 128, "%*s--%s%s%s", INDENT, "", field_option(field, name), field->argument ? " " : "",
             field->argument ? field->argument : "");
    return utf8_columns(head, strlen(head));
}

const char *options_text(const Field *field, char out[OPTIONS_TEXT]) {
    char preset[FIELD_PRINTED], help[FIELD_HELP];
    const char *otherwise = field_default(field, preset);
    field_help(field, help);
    int length = (int)strlen(help);
    if (otherwise)
        snprintf(out, OPTIONS_TEXT, "%.*s (default%s %s).", length - (help[length - 1] == '.'), help,
                 strchr(otherwise, ' ') ? ":" : "", otherwise);
    else
        snprintf(out, OPTIONS_TEXT, "%s", help);
    return out;
}

static void print_help(FILE *out, const Field *field, int left) {
    char text[OPTIONS_TEXT];
    int at = left;
    print_wrapped(out, options_text(field, text), left, &at);
    fputc('\n', out);
}

void options_help(FILE *out, const OptionSet *sets, int count) {
    static const Field help_field[] = {{.key = "help", .help = "Show this text."}};
    const OptionSet help = {FIELDS(help_field), NULL, NULL};
    char head[128];
    int left = 0;
    for (int s = 0; s <= count; s++) {
        const Fields *fields = s < count ? &sets[s].fields : &help.fields;
        for (int i = 0; i < fields->count; i++) {
            int width = print_head(&fields->field[i], head);
            if (fields->field[i].help && width + 2 > left && width <= WIDEST)
                left = width + 2;
        }
    }
    for (int s = 0; s <= count; s++) {
        const OptionSet *set = s < count ? &sets[s] : &help;
        if (set->title)
            fprintf(out, "\n%s\n", set->title);
        for (int i = 0; i < set->fields.count; i++) {
            int width = print_head(&set->fields.field[i], head);
            if (!set->fields.field[i].help)
                continue;
            if (width + 2 > left)
                fprintf(out, "%s\n%*s", head, left, "");
            else
                fprintf(out, "%s%*s", head, left - width, "");
            print_help(out, &set->fields.field[i], left);
        }
    }
}
