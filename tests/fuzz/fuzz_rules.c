// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for rules: the first byte chooses between a law of pieces, recorded pieces, words of a command
// line and JSON. What is accepted can be played: pieces come from it, and it comes back equal from its JSON.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_parse.h"
#include "base/options.h"
#include "game/rules_json.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

static void draw(const PieceSource *source) {
    PieceStream stream = piece_stream(source, 1, 0);
    for (int i = 0; i < 20; i++) { // a recorded sequence may end
        int piece = piece_stream_next(&stream);
        require(piece < PIECES);
        if (piece < 0)
            break;
    }
}

static void use(const Rules *rules) {
    Error error = {""};
    Rules again;
    if (!rules_check(rules, &error)) {
        require(error.text[0] != 0);
        return;
    }
    draw(&rules->pieces);
    json_t *json = json_object(), *copy = json_object();
    rules_default(&again);
    require(json && copy && rules_json_add(json, rules));
    if (rules_json_restore(&again, json, &error)) { // recorded pieces are a file, which JSON cannot name
        require(rules_json_add(copy, &again) && json_equal(json, copy));
    }
    json_decref(json);
    json_decref(copy);
    rules_free(&again);
}

static void try_law(char *text, size_t length) {
    PieceSource source;
    Error error = {""};
    (void)length;
    piece_source_uniform(&source);
    if (piece_source_parse(&source, text, false, &error))
        draw(&source);
    else
        require(error.text[0] != 0);
    piece_source_free(&source);
}

static void try_recorded(char *text, size_t length) {
    PieceSource source;
    Error error = {""};
    for (size_t i = 0; i < length; i++)
        text[i] = (char)((uint8_t)text[i] % PIECES);
    piece_source_uniform(&source);
    if (piece_source_recorded(&source, "input", (const uint8_t *)text, length, &error))
        draw(&source);
    else
        require(error.text[0] != 0);
    piece_source_free(&source);
}

// Each line is a word.
static void try_words(char *text, size_t length) {
    enum { WORDS = 32 };
    char *word[WORDS];
    int words = 0;
    for (char *at = text, *end; at < text + length && words < WORDS; at = end + 1) {
        end = strchr(at, '\n');
        if (!end)
            end = text + length;
        *end = 0;
        require(!strstr(at, "/")); // no files
        word[words++] = at;
    }
    Rules rules;
    Error error = {""};
    Arguments arguments = {0};
    rules_default(&rules);
    OptionSet set = {rules_fields, &rules, NULL};
    if (arguments_read(&arguments, &set, 1, words, word, &error) && arguments_apply(&arguments, &set, &error))
        use(&rules);
    else
        require(error.text[0] != 0);
    arguments_free(&arguments);
    rules_free(&rules);
}

static void try_json(char *text, size_t length) {
    Rules rules;
    Error error = {""};
    json_t *json = json_parse("input", text, length, &error);
    rules_default(&rules);
    if (json && rules_json_restore(&rules, json, &error))
        use(&rules);
    else
        require(error.text[0] != 0);
    json_decref(json);
    rules_free(&rules);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const tries[])(char *, size_t) = {try_law, try_recorded, try_words, try_json};
    if (size < 1 || (data[0] % 4 == 2 && memchr(data, '/', size)))
        return 0;
    char *text = malloc(size); // its own block: reading past the end is seen
    require(text != NULL);
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    tries[data[0] % 4](text, size - 1);
    free(text);
    return 0;
}
