// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/rules_difference.h"

#include <string.h>

const char *rules_difference(const Rules *a, const Rules *b) {
    const PieceSource *p = &a->pieces, *q = &b->pieces;
    char text[2][FIELD_PRINTED];
    for (int i = 0; i < rules_fields.count; i++) {
        const Field *field = &rules_fields.field[i];
        if (strcmp(field_print(field, a, text[0]), field_print(field, b, text[1])))
            return field->key;
    }
    bool same = p->law == q->law && !memcmp(p->weight, q->weight, sizeof p->weight) &&
                p->recorded_length == q->recorded_length &&
                (!p->recorded_length || !memcmp(p->recorded, q->recorded, p->recorded_length));
    return same ? NULL : "pieces"; // files of the same name, or names too long to tell
}
