// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/rules_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static bool add_text(json_t *object, const char *key, const char *text) {
    return !json_object_set_new(object, key, json_string(text));
}

static bool add_recorded(json_t *object, const PieceSource *pieces) {
    char *letters = malloc(pieces->recorded_length + 1);
    if (!letters)
        return false;
    for (size_t i = 0; i < pieces->recorded_length; i++)
        letters[i] = piece_letter[pieces->recorded[i]];
    bool good = !json_object_set_new(object, "recorded", json_stringn(letters, pieces->recorded_length));
    free(letters);
    return good;
}

bool rules_json_add(json_t *object, const Rules *rules) {
    char board[24], name[PIECE_SOURCE_NAME];
    snprintf(board, sizeof board, "%dx%d", rules->width, rules->height);
    // A law is plain ASCII; the name of a file need not even be UTF-8.
    utf8_clean(name, sizeof name, rules->pieces.name, strlen(rules->pieces.name));
    return add_text(object, "board", board) &&
           add_text(object, "overflow", rules_overflow_name(rules->overflow)) &&
           add_text(object, "gameover", rules_gameover_name(rules->gameover)) &&
           add_text(object, "rules", rules->original ? "original" : "simplified") &&
           add_text(object, "piece_source", name) &&
           (rules->pieces.law != PIECES_RECORDED || add_recorded(object, &rules->pieces));
}

static bool read_recorded(PieceSource *source, const char *name, const json_t *text, Error *error) {
    const char *letters = json_string_value(text);
    size_t length = json_string_length(text);
    uint8_t *pieces = malloc(length + 1);
    bool good = pieces || error_set(error, "There is no memory for %zu recorded pieces.", length);
    for (size_t i = 0; good && i < length; i++) {
        int piece = piece_from_letter(letters[i]);
        good = piece >= 0 || error_set(error, "Recorded piece %zu is none of OISZLJT.", i + 1);
        pieces[i] = (uint8_t)piece;
    }
    good = good && piece_source_recorded(source, name, pieces, length, error);
    free(pieces);
    return good;
}

bool rules_json_restore(Rules *rules, const json_t *object, Error *error) {
    static const char *const keys[] = {"board", "overflow", "gameover", "rules", "piece_source"};
    enum { BOARD, OVERFLOW, GAMEOVER, KIND, SOURCE, KEYS };
    const char *text[KEYS];
    const json_t *recorded = json_object_get(object, "recorded");
    rules_default(rules);
    for (int k = 0; k < KEYS; k++)
        if (!(text[k] = json_string_value(json_object_get(object, keys[k]))))
            return error_set(error, "\"%s\" must be a text.", keys[k]);
    if (!rules_set_board(rules, text[BOARD], error) || !rules_set_overflow(rules, text[OVERFLOW], error) ||
        !rules_set_gameover(rules, text[GAMEOVER], error) || !rules_set_kind(rules, text[KIND], error))
        return false;
    PieceSource source = {0};
    bool good = json_is_string(recorded) ? read_recorded(&source, text[SOURCE], recorded, error)
                                         : piece_source_parse_law(&source, text[SOURCE], error);
    piece_source_free(&rules->pieces);
    rules->pieces = source;
    return good && rules_check(rules, error);
}
