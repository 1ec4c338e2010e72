// SPDX-License-Identifier: GPL-3.0-or-later
// jansson parses; this file turns its messages into ours. jansson names the end of the token that it
// could not use, we name its beginning.
#include "base/json_parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/json_place.h"
#include "base/text.h"
#include "base/utf8.h"

enum { EXCERPT = 48 }; // bytes of the text that a message quotes at most

static json_t *fail_at(Error *error, const char *name, const char *text, size_t length, size_t offset,
                       const char *sentence) {
    TextPlace place = utf8_place(text, length, offset);
    return error_null(error, "%s:%d:%d: %s", name, place.line, place.column, sentence);
}

// What jansson says (how its text begins), and what we say before and after naming what was found
// (after: NULL if it is not named).
static const struct Wording {
    const char *theirs, *before, *after;
} wordings[] = {
    {"'[' or '{' expected", "expected \"{\", found ", ""},
    {"string or '}' expected", "expected a key in quotes, found ", ""},
    {"':' expected", "expected \":\" after the key, found ", ""},
    {"'}' expected", "expected \",\" or \"}\", found ", ""},
    {"']' expected", "expected \",\" or \"]\", found ", ""},
    {"end of file expected", "expected the end of the file, found ", ""},
    {"unexpected token", "expected a value, found ", ""},
    {"invalid token", "expected a value, found ", ""},
    {"duplicate object key", "the key ", " is there twice"},
    {"real number overflow", "the number ", " is too large"},
    {"unexpected newline", "this text has no closing quote on its line", NULL},
    {"premature end of input", "this text has no closing quote", NULL},
    {"control character", "a tab inside quotes is written \\t", NULL},
    {"invalid escape", "this text holds an escape that JSON does not have; a backslash is written \\\\",
     NULL},
    {"invalid Unicode", "this text holds half of a surrogate pair (\\uD800 to \\uDFFF)", NULL},
    {"\\u0000 is not allowed", "this text holds \\u0000, which is not allowed", NULL},
    {"NUL byte in object key", "this key holds \\u0000, which is not allowed", NULL},
    {"maximum parsing depth", "the brackets are nested more than 2,048 deep", NULL},
};

static const struct Wording *find_wording(const char *theirs) {
    for (size_t i = 0; i < sizeof wordings / sizeof wordings[0]; i++)
        if (strncmp(theirs, wordings[i].theirs, strlen(wordings[i].theirs)) == 0)
            return &wordings[i];
    return NULL;
}

// Words that look like numbers but are none in JSON deserve more than "expected a value".
static const char *number_hint(const char *token, size_t size) {
    static const char *const words[] = {"nan", "inf", "infinity"};
    size_t sign = size > 0 && (token[0] == '-' || token[0] == '+');
    for (int i = 0; i < 3; i++)
        if (size - sign == strlen(words[i]) && strncasecmp(token + sign, words[i], size - sign) == 0)
            return "; numbers must be finite";
    if (size > 0 && strchr("+-.0123456789", token[0]))
        return "; a number is written like -12.5, 0.5 or 1e-3";
    return "";
}

static json_t *syntax_error(const char *name, const char *text, size_t length, const json_error_t *theirs,
                            Error *error) {
    if (json_error_code(theirs) == json_error_out_of_memory)
        return error_null(error, "%s: not enough memory to read it.", name);
    bool at_end = strstr(theirs->text, "near end of file") != NULL || theirs->position <= 0;
    size_t offset = at_end ? length : (size_t)theirs->position - 1;
    JsonToken token = json_token_at(text, length, offset);
    size_t size = token.end - token.start;
    const char *start = text + token.start, *quote = size == 0 || *start == '"' ? "" : "\"";
    const struct Wording *wording = find_wording(theirs->text);

    char excerpt[EXCERPT], sentence[400];
    if (size > 0)
        utf8_clean(excerpt, sizeof excerpt, start, size);
    else
        strcpy(excerpt, "the end of the file");
    if (!wording)
        snprintf(sentence, sizeof sentence, "%s.", theirs->text);
    else if (!wording->after)
        snprintf(sentence, sizeof sentence, "%s.", wording->before);
    else
        snprintf(sentence, sizeof sentence, "%s%s%s%s%s%s.", wording->before, quote, excerpt, quote,
                 wording->after,
                 strncmp(wording->before, "expected a value", 16) == 0 ? number_hint(start, size) : "");
    return fail_at(error, name, text, length, token.start, sentence);
}

// jansson would name neither the place of such bytes nor, for a 0 byte, the reason.
static bool check_bytes(const char *name, const char *text, size_t length, Error *error) {
    char sentence[80];
    size_t bad = utf8_first_invalid(text, length);
    if (bad < length) {
        snprintf(sentence, sizeof sentence, "the byte 0x%02X is no UTF-8; save the file as UTF-8.",
                 (unsigned char)text[bad]);
        return fail_at(error, name, text, length, bad, sentence);
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 && c != '\t' && c != '\n' && c != '\r') {
            snprintf(sentence, sizeof sentence, "the control character 0x%02X is not allowed here.", c);
            return fail_at(error, name, text, length, i, sentence);
        }
    }
    return true;
}

json_t *json_parse(const char *name, const char *text, size_t length, Error *error) {
    json_error_t theirs;
    if (!check_bytes(name, text, length, error))
        return NULL;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &theirs);
    return root ? root : syntax_error(name, text, length, &theirs, error);
}

json_t *json_read(const char *path, Error *error) {
    size_t length;
    char *text = text_read_file(path, &length, error);
    json_t *json = text ? json_parse(path, text, length, error) : NULL;
    free(text);
    return json;
}

json_t *json_parse_line(const char *text, size_t length, Error *error) {
    Error found = {""};
    json_t *root = json_parse("line", text, length, &found);
    int column, end = 0;
    if (!root && sscanf(found.text, "line:1:%d: %n", &column, &end) == 1 && end > 0)
        error_set(error, "Character %d: %s", column, found.text + end);
    else if (!root)
        error_set(error, "%s", found.text);
    return root;
}

json_t *json_parse_exact(const char *name, const char *text, size_t length, Error *error) {
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    if (json_is_object(root))
        return root;
    json_t *real = root ? NULL : json_parse(name, text, length, error);
    if (root)
        error_set(error, "%.200s:1:1: expected an object, {...}.", name);
    else if (real)
        error_set(error, "%.200s:1:1: it holds a whole number that is too large.", name);
    json_decref(root);
    json_decref(real);
    return NULL;
}
