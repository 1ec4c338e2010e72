// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/rules_json.h"

#include <stdlib.h>

#include "base/fields_json.h"

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
    return fields_save(rules_fields, rules, object) &&
           (rules->pieces.law != PIECES_RECORDED || add_recorded(object, &rules->pieces));
}

static bool read_recorded(PieceSource *source, const char *name, const json_t *text, Error *error) {
    const char *letters = json_string_value(text);
    size_t length = json_string_length(text);
    uint8_t *pieces = malloc(length + 1);
    bool good = pieces || error_set(error, "Out of memory for %zu recorded pieces.", length);
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
    const json_t *recorded = json_object_get(object, "recorded"),
                 *name = json_object_get(object, "piece_source");
    // Recorded pieces are called like the file that they came from, which is no law.
    Fields fields = rules_fields;
    fields.count -= json_is_string(recorded);
    rules_default(rules);
    if (!fields_restore(fields, rules, object, FIELDS_ALL, NULL, NULL, error))
        return false;
    if (!json_is_string(recorded))
        return rules_check(rules, error);
    if (!json_is_string(name))
        return error_set(error, "\"piece_source\" must be a text.");
    piece_source_free(&rules->pieces);
    rules->pieces = (PieceSource){0};
    return read_recorded(&rules->pieces, json_string_value(name), recorded, error) &&
           rules_check(rules, error);
}
