// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a recorded game. The text is untrusted: it is read from (text, length) without a look behind its
// end, every field is bounded, and what is wrong is named with line and column. A record without its end
// line was cut off and is refused.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "game/replay.h"

typedef struct Reader {
    const char *name;
    const char *at, *end;        // what is left of the current line
    const char *next, *text_end; // the lines after it
    const char *line_start;
    size_t line;
    Error *error;
} Reader;

static bool reader_next_line(Reader *reader) {
    if (reader->next == reader->text_end)
        return false;
    size_t left = (size_t)(reader->text_end - reader->next);
    const char *end = memchr(reader->next, '\n', left);
    reader->line_start = reader->at = reader->next;
    reader->end = end ? end : reader->text_end;
    reader->next = end ? end + 1 : reader->text_end;
    if (reader->end > reader->at && reader->end[-1] == '\r')
        reader->end--;
    reader->line++;
    return true;
}

// The sentence "FILE:LINE:COLUMN: expected ..., found ..." for the current place.
static bool reader_expected(const Reader *reader, const char *what) {
    char found[40] = "the end of the line";
    size_t left = (size_t)(reader->end - reader->at), shown = 0;
    if (left) {
        found[shown++] = '"';
        for (size_t i = 0; i < left && i < 24 && reader->at[i] != ' '; i++)
            found[shown++] = isprint((unsigned char)reader->at[i]) ? reader->at[i] : '?';
        found[shown++] = '"';
        found[shown] = 0;
    }
    return error_set(reader->error, "%.150s:%zu:%zu: expected %s, found %s.", reader->name, reader->line,
                     (size_t)(reader->at - reader->line_start) + 1, what, shown == 2 ? "a space" : found);
}

// Steps over `word` if it is next.
static bool reader_skip(Reader *reader, const char *word) {
    size_t length = strlen(word);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, word, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static bool reader_word(Reader *reader, const char *word) {
    char what[40];
    snprintf(what, sizeof what, "\"%s\"", word);
    return reader_skip(reader, word) || reader_expected(reader, what);
}

static bool reader_number(Reader *reader, uint64_t *value) {
    const char *start = reader->at;
    *value = 0;
    for (; reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9'; reader->at++)
        if (__builtin_mul_overflow(*value, 10, value) ||
            __builtin_add_overflow(*value, (uint64_t)(*reader->at - '0'), value)) {
            reader->at = start;
            return reader_expected(reader, "a number below 2^64");
        }
    return reader->at > start || reader_expected(reader, "a number");
}

static bool reader_line_end(Reader *reader) {
    return reader->at == reader->end || reader_expected(reader, "the end of the line");
}

// The rest of the line as a string, at least one and at most room - 1 printable bytes (UTF-8 passes).
static bool reader_rest(Reader *reader, const char *what, char *out, size_t room) {
    size_t length = (size_t)(reader->end - reader->at);
    if (length == 0)
        return reader_expected(reader, what);
    if (length >= room)
        return error_set(reader->error, "%.150s:%zu: expected %s of at most %zu bytes, found %zu.",
                         reader->name, reader->line, what, room - 1, length);
    for (size_t i = 0; i < length; i++, reader->at++) {
        out[i] = *reader->at;
        if ((unsigned char)out[i] < 32 || out[i] == 127)
            return reader_expected(reader, "a printable character");
    }
    out[length] = 0;
    return true;
}

// --- the fields before the moves

// Hands the rest of the line to one of the setters of game/rules.h.
static bool set_rule(Reader *reader, const char *what, Rules *rules,
                     bool (*set)(Rules *rules, const char *text, Error *error)) {
    char text[PIECE_SOURCE_NAME];
    Error reason;
    if (!reader_rest(reader, what, text, sizeof text))
        return false;
    return set(rules, text, &reason) ||
           error_set(reader->error, "%.150s:%zu: %.300s", reader->name, reader->line, reason.text);
}

static bool set_law(Rules *rules, const char *text, Error *error) {
    return piece_source_parse_law(&rules->pieces, text, error);
}

static bool field_board(Replay *replay, Reader *reader) {
    return set_rule(reader, "a board such as 10x20", &replay->rules, rules_set_board);
}

static bool field_overflow(Replay *replay, Reader *reader) {
    return set_rule(reader, "an overflow rule", &replay->rules, rules_set_overflow);
}

static bool field_gameover(Replay *replay, Reader *reader) {
    return set_rule(reader, "a game-over rule", &replay->rules, rules_set_gameover);
}

static bool field_rules(Replay *replay, Reader *reader) {
    return set_rule(reader, "a kind of rules", &replay->rules, rules_set_kind);
}

static bool field_pieces(Replay *replay, Reader *reader) {
    if (!reader_skip(reader, "recorded "))
        return set_rule(reader, "a piece source", &replay->rules, set_law);
    replay->rules.pieces.law = PIECES_RECORDED;
    return reader_rest(reader, "a name", replay->rules.pieces.name, sizeof replay->rules.pieces.name);
}

static bool field_strategy(Replay *replay, Reader *reader) {
    return reader_rest(reader, "the name of a strategy", replay->strategy, sizeof replay->strategy);
}

static bool field_seed(Replay *replay, Reader *reader) {
    return reader_number(reader, &replay->seed) && reader_word(reader, " game ") &&
           reader_number(reader, &replay->index) && reader_line_end(reader);
}

static const struct Field {
    const char *name; // with the space that follows it
    bool (*read)(Replay *replay, Reader *reader);
} fields[] = {
    {"board ", field_board}, {"overflow ", field_overflow}, {"gameover ", field_gameover},
    {"rules ", field_rules}, {"pieces ", field_pieces},     {"strategy ", field_strategy},
    {"seed ", field_seed},
};
enum { FIELDS = sizeof fields / sizeof *fields, ALL_FIELDS = (1 << FIELDS) - 1 };

// <- 1 a field was read, 0 the line is none, -1 error
static int read_field(Replay *replay, Reader *reader, unsigned *seen) {
    for (int i = 0; i < FIELDS; i++) {
        if (!reader_skip(reader, fields[i].name))
            continue;
        if (*seen >> i & 1) {
            error_set(reader->error, "%.150s:%zu:1: the line \"%s...\" is there twice.", reader->name,
                      reader->line, fields[i].name);
            return -1;
        }
        *seen |= 1u << i;
        return fields[i].read(replay, reader) ? 1 : -1;
    }
    return 0;
}

static bool fields_complete(const Reader *reader, unsigned seen) {
    for (int i = 0; i < FIELDS; i++)
        if (!(seen >> i & 1))
            return error_set(reader->error, "%.150s:%zu:1: the line \"%s...\" is missing before the moves.",
                             reader->name, reader->line, fields[i].name);
    return true;
}

// --- the moves and the end

// "T0:13"
static bool read_move(Replay *replay, Reader *reader) {
    uint64_t column;
    int piece = reader->at < reader->end && *reader->at ? piece_from_letter(*reader->at) : -1;
    if (piece < 0)
        return reader_expected(reader, "a piece, one of OISZLJT");
    reader->at++;
    int orientation = reader->at < reader->end ? *reader->at - '0' : -1;
    if (orientation < 0 || orientation >= piece_orientations[piece])
        return reader_expected(reader, "the number of an orientation of this piece");
    reader->at++;
    if (!reader_word(reader, ":"))
        return false;
    const char *number = reader->at;
    if (!reader_number(reader, &column))
        return false;
    if (column >= BOARD_MAX_WIDTH) {
        reader->at = number;
        return reader_expected(reader, "a column on the board, the left one being 0");
    }
    return replay_add(replay, piece, placement_make(orientation, (int)column), reader->error);
}

static bool read_moves(Replay *replay, Reader *reader) {
    while (reader->at < reader->end)
        if (!reader_word(reader, " ") || !read_move(replay, reader))
            return false;
    return true;
}

// "1f,3,0,7": as many columns as the board has.
static bool read_columns(Replay *replay, Reader *reader) {
    for (int x = 0; x < replay->rules.width; x++) {
        int digits = 0;
        if (x > 0 && !reader_word(reader, ","))
            return false;
        for (; digits < 8 && reader->at < reader->end && isxdigit((unsigned char)*reader->at); digits++) {
            int c = tolower((unsigned char)*reader->at++);
            replay->column[x] = replay->column[x] << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
        }
        if (digits == 0)
            return reader_expected(reader, "a column as a hexadecimal number");
    }
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

static bool read_piece_or_none(Reader *reader, int *piece) {
    *piece = -1;
    if (reader_skip(reader, "-"))
        return true;
    if (reader->at < reader->end && *reader->at)
        *piece = piece_from_letter(*reader->at);
    if (*piece < 0)
        return reader_expected(reader, "a piece, one of OISZLJT, or -");
    reader->at++;
    return true;
}

static bool read_end(Replay *replay, Reader *reader) {
    return reader_word(reader, " pieces ") && reader_number(reader, &replay->pieces) &&
           reader_word(reader, " lines ") && reader_number(reader, &replay->lines) &&
           reader_word(reader, " columns ") && read_columns(replay, reader) &&
           reader_word(reader, " state ") && read_state(replay, reader) && reader_word(reader, "hand ") &&
           read_piece_or_none(reader, &replay->hand) && reader_word(reader, " next ") &&
           read_piece_or_none(reader, &replay->next) && reader_line_end(reader);
}

// Only empty lines may follow the end.
static bool read_nothing(Reader *reader) {
    while (reader_next_line(reader))
        if (reader->at < reader->end)
            return reader_expected(reader, "nothing after the line \"end ...\"");
    return true;
}

bool replay_parse(Replay *replay, const char *name, const char *text, size_t length, Error *error) {
    Reader reader = {
        .name = name, .next = text, .text_end = text + length, .line_start = text, .error = error};
    Rules rules;
    unsigned seen = 0;
    rules_default(&rules);
    replay_start(replay, &rules, "", 0, 0);
    if (!reader_next_line(&reader))
        return error_set(error, "%.150s: the file is empty: expected a recorded game.", name);
    if (!reader_word(&reader, "tetralab game 1") || !reader_line_end(&reader))
        return false;
    while (reader_next_line(&reader)) {
        int field = replay->length == 0 ? read_field(replay, &reader, &seen) : 0;
        if (field < 0)
            return false;
        if (field > 0)
            continue;
        if (reader_skip(&reader, "moves")) {
            if (!fields_complete(&reader, seen) || !read_moves(replay, &reader))
                return false;
        } else if (reader_skip(&reader, "end")) {
            return fields_complete(&reader, seen) && read_end(replay, &reader) && read_nothing(&reader);
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
