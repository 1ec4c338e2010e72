// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/options.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

bool option_flag(const Option *option, const char *text, Error *error) {
    (void)text, (void)error;
    *(bool *)option->target = true;
    return true;
}

bool option_text(const Option *option, const char *text, Error *error) {
    if (!*text)
        return error_set(error, "expected %s, got nothing.", option->argument);
    *(const char **)option->target = text;
    return true;
}

static bool has_range(const Option *option) {
    return option->least != 0 || option->most != 0;
}

static bool refuse(const Option *option, const char *what, const char *text, Error *error) {
    if (!has_range(option))
        return error_set(error, "expected %s, got '%.60s'.", what, text);
    return error_set(error, "expected %s from %.15g to %.15g, got '%.60s'.", what, option->least,
                     option->most, text);
}

static bool in_range(const Option *option, double value) {
    return !has_range(option) || (value >= option->least && value <= option->most);
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// A decimal number, digits first: strtod alone would also take "0x10", "inf", "nan" and leading blanks.
static bool read_decimal(const char *text, double *value, const char **rest) {
    const char *digits = text + (*text == '-' || *text == '+');
    if (!is_digit(digits[0]) && !(digits[0] == '.' && is_digit(digits[1])))
        return false;
    if (digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X'))
        return false;
    char *end;
    *value = strtod(text, &end);
    *rest = end;
    return isfinite(*value);
}

// 0, or the power of ten that the suffix stands for; "" is 1.
static double suffix_factor(const char *suffix) {
    static const struct {
        const char *suffix;
        double factor;
    } table[] = {{"", 1}, {"k", 1e3}, {"M", 1e6}, {"G", 1e9}, {"T", 1e12}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (!strcmp(suffix, table[i].suffix))
            return table[i].factor;
    return 0;
}

// Plain digits are read as an integer, so that all 64 bits of a seed can be given; anything else goes
// through a double and must come out whole.
static bool read_count(const char *text, uint64_t *value) {
    if (*text && text[strspn(text, "0123456789")] == 0) {
        errno = 0;
        *value = strtoull(text, NULL, 10);
        return errno == 0;
    }
    double number;
    const char *rest;
    if (*text == '-' || *text == '+' || !read_decimal(text, &number, &rest))
        return false;
    number *= suffix_factor(rest);
    // 0.3k or 1.1M need not come out whole in binary: a relative error of a few roundings is forgiven.
    double whole = nearbyint(number);
    if (suffix_factor(rest) == 0 || fabs(number - whole) > whole * 1e-15 || !(whole < 0x1p64))
        return false;
    *value = (uint64_t)whole;
    return true;
}

#define COUNT "a whole number (10k and 5M are understood)"

bool option_count(const Option *option, const char *text, Error *error) {
    uint64_t value;
    if (!read_count(text, &value) || !in_range(option, (double)value))
        return refuse(option, has_range(option) ? COUNT : COUNT " from 0 to 18446744073709551615", text,
                      error);
    *(uint64_t *)option->target = value;
    return true;
}

bool option_number(const Option *option, const char *text, Error *error) {
    double value;
    const char *rest;
    if (!read_decimal(text, &value, &rest) || *rest || !in_range(option, value))
        return refuse(option, "a number", text, error);
    *(double *)option->target = value;
    return true;
}

static bool is_help(const char *word) {
    return !strcmp(word, "--help") || !strcmp(word, "-h");
}

static bool asks_for_help(int argc, char **argv) {
    for (int i = 1; i < argc && strcmp(argv[i], "--"); i++)
        if (is_help(argv[i]))
            return true;
    return false;
}

static bool refuse_unknown(const Option *options, int size, const char *word, int length, Error *error) {
    const char *names[OPTIONS_MAX + 1] = {"help"};
    for (int i = 0; i < size; i++)
        names[i + 1] = options[i].name;
    char name[64];
    int dashes = (int)strspn(word, "-");
    snprintf(name, sizeof name, "%.*s", length - dashes, word + dashes);
    return error_set(error, "unknown option %.*s; did you mean --%s?", length < 60 ? length : 60, word,
                     text_nearest(name, names, size + 1));
}

// Reads the option at argv[*i], and its argument where that is the next word.
static bool parse_one(const Option *options, int size, int argc, char **argv, int *i, uint64_t *seen,
                      Error *error) {
    const char *word = argv[*i];
    int length = (int)strcspn(word, "=");
    const char *value = word[length] ? word + length + 1 : NULL;
    int k = 0;
    while (k < size && !(!strncmp(word, "--", 2) && (int)strlen(options[k].name) == length - 2 &&
                         !strncmp(word + 2, options[k].name, (size_t)length - 2)))
        k++;
    if (k == size && length == 6 && !strncmp(word, "--help", 6))
        return error_set(error, "option --help takes no argument, got '%.60s'.", value);
    if (k == size)
        return refuse_unknown(options, size, word, length, error);
    const Option *option = &options[k];
    if (*seen >> k & 1)
        return error_set(error, "option --%s is given twice.", option->name);
    *seen |= (uint64_t)1 << k;
    if (!option->argument && value)
        return error_set(error, "option --%s takes no argument, got '%.60s'.", option->name, value);
    if (option->argument && !value) {
        if (*i + 1 == argc || !strncmp(argv[*i + 1], "--", 2))
            return error_set(error, "option --%s needs an argument: --%s %s.", option->name, option->name,
                             option->argument);
        value = argv[++*i];
    }
    Error inner = {""};
    if (!option->set(option, value ? value : "", &inner))
        return error_set(error, "--%s: %.480s", option->name, inner.text);
    return true;
}

bool options_parse(const Option *options, int size, int argc, char **argv, const char **operands, int *count,
                   bool *help, Error *error) {
    assert(size <= OPTIONS_MAX);
    *count = 0;
    *help = asks_for_help(argc, argv);
    if (*help)
        return true;
    uint64_t seen = 0;
    bool ended = false;
    for (int i = 1; i < argc; i++) {
        if (ended || argv[i][0] != '-' || !argv[i][1])
            operands[(*count)++] = argv[i];
        else if (!strcmp(argv[i], "--"))
            ended = true;
        else if (!parse_one(options, size, argc, argv, &i, &seen, error))
            return false;
    }
    return true;
}

// Columns that a UTF-8 text of `length` bytes takes: bytes that do not continue a character.
static int columns(const char *text, int length) {
    int n = 0;
    for (int i = 0; i < length; i++)
        n += ((unsigned char)text[i] & 0xc0) != 0x80;
    return n;
}

// Prints the words of `text` between columns `left` and 80; the cursor is at column `left`.
static void print_wrapped(FILE *out, const char *text, int left) {
    int at = left;
    while (*text) {
        int length = (int)strcspn(text, " "), width = columns(text, length);
        if (at > left && at + 1 + width > 80) {
            fprintf(out, "\n%*s", left, "");
            at = left;
        } else if (at > left) {
            fputc(' ', out);
            at++;
        }
        fprintf(out, "%.*s", length, text);
        at += width;
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

void options_help(FILE *out, const Option *options, int size) {
    static const Option help = {.name = "help", .help = "Show this text."};
    enum { INDENT = 2, WIDEST = 24 };
    int left = 0;
    for (int i = 0; i <= size; i++) {
        const Option *o = i < size ? &options[i] : &help;
        int width = INDENT + 2 + columns(o->name, (int)strlen(o->name));
        if (o->argument)
            width += 1 + columns(o->argument, (int)strlen(o->argument));
        if (width + 2 > left && width <= WIDEST)
            left = width + 2;
    }
    for (int i = 0; i <= size; i++) {
        const Option *o = i < size ? &options[i] : &help;
        char head[128];
        snprintf(head, sizeof head, "%*s--%s%s%s", INDENT, "", o->name, o->argument ? " " : "",
                 o->argument ? o->argument : "");
        int width = columns(head, (int)strlen(head));
        if (width + 2 > left)
            fprintf(out, "%s\n%*s", head, left, "");
        else
            fprintf(out, "%s%*s", head, left - width, "");
        print_wrapped(out, o->help, left);
    }
}
