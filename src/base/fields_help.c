// SPDX-License-Identifier: GPL-3.0-or-later
// What people read about fields: lists of words, help, defaults, tables for docs.
#include <math.h>

#include "base/fields.h"

const char *field_words(const char *const *words, const char *quote, const char *join,
                        char out[FIELD_WORDS_TEXT]) {
    size_t used = 0;
    *out = 0;
    for (int i = 0; words[i] && used < FIELD_WORDS_TEXT; i++)
        used += (size_t)snprintf(out + used, FIELD_WORDS_TEXT - used, "%s%s%s%s%s%s",
                                 i == 0         ? ""
                                 : words[i + 1] ? ", "
                                                : " ",
                                 i && !words[i + 1] ? join : "", i && !words[i + 1] ? " " : "", quote,
                                 words[i], quote);
    return out;
}

const char *field_taken(const Field *field, const char *quote, char out[FIELD_WORDS_TEXT]) {
    const char *taken[FIELD_MAX_WORDS] = {NULL};
    int count = 0;
    for (int i = 0; field->words[i]; i++)
        if (!field->takes || field->takes(i))
            taken[count++] = field->words[i];
    return field_words(taken, quote, "or", out);
}

// What a function tells, behind the `used` bytes that are there.
static void hear(void (*tell)(FILE *out), char *text, size_t used, size_t room) {
    FILE *out = fmemopen(text + used, room - used, "w");
    text[used] = 0;
    if (!out)
        return;
    tell(out);
    fputc(0, out);
    fclose(out);
    text[room - 1] = 0; // cut off, if it is too long
}

const char *field_help(const Field *field, char out[FIELD_HELP]) {
    if (!field->help)
        return NULL;
    char words[FIELD_WORDS_TEXT];
    size_t used = (size_t)snprintf(out, FIELD_HELP, "%s", field->help);
    if (field->words && out[used - 1] == ':')
        snprintf(out + used, FIELD_HELP - used, " %s.", field_taken(field, "", words));
    if (field->tell_help)
        hear(field->tell_help, out, used, FIELD_HELP);
    return out;
}

const char *field_default(const Field *field, char out[FIELD_PRINTED]) {
    double preset = field->preset;
    if (field->tell_default)
        hear(field->tell_default, out, 0, FIELD_PRINTED);
    else if (field->otherwise)
        snprintf(out, FIELD_PRINTED, "%s", field->otherwise);
    else if (isnan(preset) || field->kind == FIELD_TEXT || field->kind == FIELD_STRING ||
             field->kind == FIELD_TEXTS || field->kind == FIELD_OTHER)
        return NULL;
    else if (field->words)
        snprintf(out, FIELD_PRINTED, "%s", field->words[(int)preset]);
    else if (field->kind == FIELD_FLAG)
        return NULL; // an option without argument: not given
    else
        snprintf(out, FIELD_PRINTED, "%.15g", preset);
    return out;
}

static void print_values(FILE *out, const Field *field) {
    char words[FIELD_WORDS_TEXT];
    if (field->words)
        fputs(field_taken(field, "`", words), out);
    else if (field->kind == FIELD_FLAG)
        fputs("true or false", out);
    else if (field->kind == FIELD_TEXTS)
        fputs("a list of texts", out);
    else if (field->kind == FIELD_JSON)
        fputs(field->type->must, out);
    else if (field->kind == FIELD_TEXT || field->kind == FIELD_STRING || field->kind == FIELD_OTHER)
        fputs(field->argument ? field->argument : "a text", out);
    else if (field->least != 0 || field->most != 0)
        fprintf(out, "%s%s%.15g to %.15g", field->kind == FIELD_LIST ? "numbers, each " : "",
                field->kind == FIELD_INT || field->kind == FIELD_WHOLE ? "whole, " : "", field->least,
                field->most);
    else
        fputs(field->kind == FIELD_INT || field->kind == FIELD_WHOLE ? "a whole number" : "a number", out);
}

void fields_markdown(FILE *out, Fields fields) {
    char text[FIELD_PRINTED], help[FIELD_HELP];
    fputs("| key | values | default | meaning |\n|---|---|---|---|\n", out);
    for (int i = 0; i < fields.count; i++) {
        const Field *field = &fields.field[i];
        const char *preset = field->kind == FIELD_JSON ? NULL : field_default(field, text);
        if (field->kind == FIELD_FLAG && !preset)
            preset = field->preset == 1 ? "true" : "false";
        fprintf(out, "| `%s` | ", field->key);
        print_values(out, field);
        fprintf(out, " | %s | %s |\n", preset ? preset : "", field->help ? field_help(field, help) : "");
    }
}
