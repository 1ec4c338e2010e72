// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz target for the questions of tetralab choose: what is accepted can be asked, and has a move or none
// left.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../position_fixture.h"
#include "game/moves.h"
#include "player/question.h"

static void require(bool fact) {
    if (!fact)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static Rules rules;
    static Question question;
    static Position position;
    Error error = {""};
    if (!rules.width)
        rules_default(&rules);
    char *text = malloc(size ? size : 1); // its own block: reading past the end is seen
    require(text != NULL);
    memcpy(text, data, size);
    question = (Question){.pieces = size % 3, .piece = {PIECE_T, PIECE_I}}; // as options would
    bool good = question_parse(&question, text, size, &rules, &error);
    free(text);
    require(good == (error.text[0] == 0));
    require(strlen(question.id) < JSON_ID && question.pieces <= QUESTION_PIECES);
    if (good && question_position(&question, &rules, &position, &error)) {
        Moves moves;
        moves_list(&moves, &rules, &position.game.board, position.game.piece);
        require(moves.possible && position_pieces(&position) == question.pieces);
    }
    if (question.id[0]) { // it is printed as it is: it must be JSON
        json_t *id = json_loads(question.id, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
        require(id && !json_is_object(id) && !json_is_array(id));
        json_decref(id);
    }
    return 0;
}
