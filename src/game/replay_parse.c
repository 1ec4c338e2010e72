// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a recorded game. The text is untrusted: every field is bounded, and what is wrong is named with
// line and column. A record without its end line was cut off and is refused.
#include <stdlib.h>

#include "base/reader.h"
#include "base/text.h"
#include "game/record.h"
#include "game/replay.h"

// --- the fields before the moves

static bool field_strategy(Reader *reader, Rules *rules, void *record) {
    (void)rules;
    Replay *replay = record;
    return reader_rest(reader, "the name of a strategy", replay->strategy, sizeof replay->strategy);
}

static bool field_seed(Reader *reader, Rules *rules, void *record) {
    (void)rules;
    Replay *replay = record;
    return reader_number(reader, &replay->seed) && reader_word(reader, " game ") &&
           reader_number(reader, &replay->index) && reader_line_end(reader);
}

static const RecordField fields[] = {
    {"board ", record_read_board}, {"overflow ", record_read_overflow}, {"gameover ", record_read_gameover},
    {"rules ", record_read_kind},  {"pieces ", record_read_pieces},     {"strategy ", field_strategy},
    {"seed ", field_seed},
};
enum { FIELDS = sizeof fields / sizeof *fields, ALL_FIELDS = (1 << FIELDS) - 1 };

// --- the moves and the end

static bool read_moves(Replay *replay, Reader *reader) {
    int piece;
    Placement placement;
    while (reader->at < reader->end)
        if (!reader_word(reader, " ") || !record_read_move(reader, &piece, &placement) ||
            !replay_add(replay, piece, placement, reader->error))
            return false;
    return true;
}

static bool read_state(Replay *replay, Reader *reader) {
    static const struct {
        const char *name;
        GameState state;
    } states[] = {{"over ", GAME_OVER}, {"no-pieces ", GAME_NO_PIECES}, {"stopped ", GAME_STOPPED}};
    for (int i = 0; i < 3; i++)
        if (reader_skip(reader, states[i].name)) {
            replay->state = states[i].state;
            return true;
        }
    return reader_expected(reader, "over, no-pieces or stopped");
}

static bool read_end(Replay *replay, Reader *reader) {
    return reader_word(reader, " pieces ") && reader_number(reader, &replay->pieces) &&
           reader_word(reader, " lines ") && reader_number(reader, &replay->lines) &&
           reader_word(reader, " columns ") &&
           record_read_columns(reader, replay->column, replay->rules.width) &&
           reader_word(reader, " state ") && read_state(replay, reader) && reader_word(reader, "hand ") &&
           record_read_piece(reader, &replay->hand) && reader_word(reader, " next ") &&
           record_read_piece(reader, &replay->next) && reader_line_end(reader);
}

bool replay_parse(Replay *replay, const char *name, const char *text, size_t length, Error *error) {
    Reader reader = reader_start(name, text, length, error);
    Rules rules;
    unsigned seen = 0;
    rules_default(&rules);
    replay_start(replay, &rules, "", 0, 0);
    if (!reader_next_line(&reader))
        return error_set(error, "%.150s: the file is empty: expected a recorded game.", name);
    if (!reader_word(&reader, "tetralab game 1") || !reader_line_end(&reader))
        return false;
    while (reader_next_line(&reader)) {
        int field = 0;
        if (replay->length == 0)
            field = record_read_field(&reader, fields, FIELDS, &replay->rules, replay, &seen);
        if (field < 0)
            return false;
        if (field > 0)
            continue;
        if (reader_skip(&reader, "moves")) {
            if (!record_fields_complete(&reader, fields, FIELDS, seen) || !read_moves(replay, &reader))
                return false;
        } else if (reader_skip(&reader, "end")) {
            return record_fields_complete(&reader, fields, FIELDS, seen) && read_end(replay, &reader) &&
                   record_read_nothing(&reader, "end");
        } else {
            return reader_expected(&reader, seen == ALL_FIELDS ? "\"moves ...\" or \"end ...\""
                                                               : "a line such as \"board 10x20\"");
        }
    }
    return error_set(error, "%.150s:%zu: the line \"end ...\" is missing: the record was cut off.", name,
                     reader.line + 1);
}

bool replay_read(Replay *replay, const char *path, Error *error) {
    Rules rules;
    rules_default(&rules);
    replay_start(replay, &rules, "", 0, 0);
    size_t length;
    char *text = text_read_file(path, &length, error);
    if (!text)
        return false;
    bool done = replay_parse(replay, path, text, length, error);
    free(text);
    return done;
}
