// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a record and playing it on the way. The text is untrusted: every field is bounded, and what is
// wrong is named with its place. Of what follows from the moves nothing is parsed: the line that the writer
// would write must stand there. A record without its end line was cut off and is refused.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/reader.h"
#include "base/text.h"
#include "game/record.h"

typedef struct Parse {
    Reader reader;
    Record *record;
    Match match;
    uint8_t *given; // pieces of the lines "given ..."
    size_t given_count;
} Parse;

static bool next_begins(const Parse *parse, const char *word) {
    Reader next = parse->reader;
    return reader_next_line(&next) && reader_begins(&next, word);
}

static bool cut_off(const Reader *reader) {
    return error_set(reader->error, "%.150s:%zu: the line \"end ...\" is missing: the record was cut off.",
                     reader->name, reader->line + 1);
}

// --- the fields before the moves

static bool read_player(Parse *parse) {
    Record *record = parse->record;
    if (record->seats == MATCH_MAX_SEATS)
        return reader_wrong(&parse->reader, "expected at most %d players, found another one.",
                            MATCH_MAX_SEATS);
    return reader_rest(&parse->reader, "the name of a player", record->player[record->seats++],
                       sizeof record->player[0]);
}

static bool read_piece(Reader *reader, int *piece) {
    *piece = reader->at < reader->end && *reader->at ? piece_from_letter(*reader->at) : -1;
    if (*piece < 0)
        return reader_expected(reader, "a piece, one of OISZLJT");
    reader->at++;
    return true;
}

static bool read_given(Parse *parse) {
    int piece;
    do {
        if (!read_piece(&parse->reader, &piece))
            return false;
        parse->given[parse->given_count++] = (uint8_t)piece;
    } while (parse->reader.at < parse->reader.end);
    return true;
}

// The fields of the rules, then those of the record. <- NULL: there are no more; *base  what they belong to
static const Field *head_field(Record *record, int i, void **base) {
    bool rule = i < rules_fields.count;
    *base = rule ? (void *)&record->rules : record;
    i -= rule ? 0 : rules_fields.count;
    return rule ? &rules_fields.field[i] : i < record_fields.count ? &record_fields.field[i] : NULL;
}

static bool read_value(Parse *parse, const Field *field, void *base) {
    Reader *reader = &parse->reader;
    PieceSource *pieces = &parse->record->rules.pieces;
    const char *start = reader->at;
    char text[PIECE_SOURCE_NAME];
    Error reason;
    if (!reader_rest(reader, "a value", text, sizeof text))
        return false;
    if ((char *)base + field->offset == (char *)pieces && !strncmp(text, "recorded ", 9)) {
        pieces->law = PIECES_RECORDED;
        strcpy(pieces->name, text);
        return true;
    }
    if (field_read(field, base, text, &reason))
        return true;
    reader->at = start;
    return reader_wrong(reader, "%s", reason.text);
}

// <-> *seen  bit i: field i has been read
static bool read_field(Parse *parse, unsigned *seen) {
    Reader *reader = &parse->reader;
    const Field *field;
    void *base;
    for (int i = 0; (field = head_field(parse->record, i, &base)); i++) {
        char name[FIELD_OPTION_NAME], word[FIELD_OPTION_NAME + 1];
        snprintf(word, sizeof word, "%s ", field_option(field, name));
        if (!reader_skip(reader, word))
            continue;
        if (!(*seen & 1u << i)) {
            *seen |= 1u << i;
            return read_value(parse, field, base);
        }
        reader->at = reader->line_start;
        return reader_wrong(reader, "the line \"%s ...\" is there twice.", name);
    }
    return reader_expected(reader, "a line such as \"board 10x20\" or \"moves ...\"");
}

// Called before the first line that is no field.
static bool check_head(const Parse *parse, unsigned seen) {
    Rules *rules = &parse->record->rules;
    Reader reader = parse->reader;
    Error reason;
    const Field *field;
    void *base;
    char name[PIECE_SOURCE_NAME];
    bool recorded = rules->pieces.law == PIECES_RECORDED;
    const char *missing = recorded && !parse->given_count ? "given" : parse->record->seats ? NULL : "player";
    for (int i = 0; (field = head_field(parse->record, i, &base)); i++)
        if (!(seen & 1u << i))
            missing = field_option(field, name);
    reader_next_line(&reader);
    if (missing)
        return reader_wrong(&reader, "the line \"%s ...\" is missing before the moves.", missing);
    if (!recorded && parse->given_count)
        return reader_wrong(&reader, "the line \"given ...\" goes only with \"pieces recorded ...\".");
    if (recorded && parse->record->sequence == MATCH_OWN)
        return reader_wrong(&reader, "recorded pieces are the same for all: the sequence cannot be \"own\".");
    memcpy(name, rules->pieces.name, sizeof name);
    if (recorded &&
        !piece_source_recorded(&rules->pieces, name, parse->given, parse->given_count, reader.error))
        return false;
    return rules_check(rules, &reason) || reader_wrong(&reader, "%s", reason.text);
}

// Up to the first line of the moves or of the end, which is left to be read.
static bool read_head(Parse *parse) {
    Reader *reader = &parse->reader;
    unsigned seen = 0;
    while (!next_begins(parse, "moves") && !next_begins(parse, "seat")) {
        if (!reader_next_line(reader))
            return cut_off(reader);
        if (!(reader_skip(reader, "player ")  ? read_player(parse)
              : reader_skip(reader, "given ") ? read_given(parse)
                                              : read_field(parse, &seen)))
            return false;
    }
    return check_head(parse, seen);
}

// --- lines that follow from the moves

// What to show of a line that is not the other one: all of it, but of the end of a seat, which is a list of
// pairs "lines 9", the first one that differs.
static const char *excerpt(const char *line, const char *other, char out[RECORD_LINE]) {
    size_t start = 0, end = 0, words = 0;
    for (; line[end] && line[end] == other[end]; end++)
        if (line[end] == ' ' && ++words % 2 == 0)
            start = end + 1;
    end += line[end] == ' ';
    end += strcspn(line + end, " ");
    if (start == 0 || strncmp(line, "seat ", 5))
        snprintf(out, RECORD_LINE, "%s", line);
    else
        snprintf(out, RECORD_LINE, "%.6s ... %.*s", line, (int)(end - start), line + start);
    return out;
}

// The next line must be this one.
static bool read_line(Parse *parse, const char *line) {
    Reader *reader = &parse->reader;
    char found[RECORD_LINE], a[RECORD_LINE], b[RECORD_LINE];
    if (!reader_line_end(reader))
        return false;
    if (!reader_next_line(reader))
        return cut_off(reader);
    if (reader_skip(reader, line))
        return reader_line_end(reader);
    reader_show(reader, found, sizeof found);
    return reader_wrong(reader, "the moves make \"%.140s\", but the record says \"%.140s\".",
                        excerpt(line, found, a), excerpt(found, line, b));
}

static bool read_end(Parse *parse) {
    Reader *reader = &parse->reader;
    Match *match = &parse->match;
    char line[RECORD_LINE];
    for (int s = 0; s < match->seats; s++)
        if (!read_line(parse, record_seat_line(match, s, line)))
            return false;
    parse->record->end = match->end;
    if (match->end == MATCH_RUNNING) // where the moves stop, nobody can tell why
        parse->record->end =
            next_begins(parse, record_end_line(match, MATCH_LIMIT, line)) ? MATCH_LIMIT : MATCH_STOPPED;
    if (!read_line(parse, record_end_line(match, parse->record->end, line)))
        return false;
    while (reader_next_line(reader))
        if (reader->at < reader->end)
            return reader_expected(reader, "nothing after the line \"end ...\"");
    return true;
}

// --- moves

// "T0:13"
static bool read_placement(Reader *reader, int *piece, Placement *placement) {
    int column = 0;
    if (!read_piece(reader, piece))
        return false;
    int orientation = reader->at < reader->end ? *reader->at - '0' : -1;
    if (orientation < 0 || orientation >= piece_orientations[*piece])
        return reader_expected(reader, "the number of an orientation of this piece");
    reader->at++;
    if (!reader_word(reader, ":"))
        return false;
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9' && column < BOARD_MAX_WIDTH)
        column = 10 * column + (*reader->at++ - '0');
    if (reader->at == start || column >= BOARD_MAX_WIDTH) {
        reader->at = start;
        return reader_expected(reader, "a column on the board, the left one being 0");
    }
    *placement = placement_make(orientation, column);
    return true;
}

// A seat that is alive puts down a piece.
static bool read_drop(Parse *parse, int s, Placement *move) {
    Reader *reader = &parse->reader;
    const Game *game = &parse->match.game[s];
    const Rules *rules = &parse->record->rules;
    const char *start = reader->at;
    int piece;
    if (!read_placement(reader, &piece, move))
        return false;
    int length = (int)(reader->at - start);
    reader->at = start;
    if (piece != game->piece)
        return reader_wrong(reader,
                            "player %d places a %c (%.*s), but the piece in hand is a %c (pieces %.60s, seed "
                            "%" PRIu64 ", game %" PRIu64 ").",
                            s + 1, piece_letter[piece], length, start, piece_letter[game->piece],
                            rules->pieces.name, parse->record->seed, parse->record->number);
    if (!game_can_move(game, rules, *move))
        return reader_wrong(reader, "the move %.*s of player %d is not possible on a board %dx%d with %s.",
                            length, start, s + 1, rules->width, rules->height,
                            rules->original ? "what lies in its way" : "these walls");
    reader->at += length;
    return true;
}

static bool read_move(Parse *parse, int s, Placement *move) {
    Reader *reader = &parse->reader;
    const Game *game = &parse->match.game[s];
    bool alive = match_is_alive(&parse->match, s), out = reader_begins(reader, "-");
    *move = MATCH_NO_MOVE;
    if (alive && out)
        return reader_wrong(reader, "player %d is not lost yet, but does nothing.", s + 1);
    if (!alive && !out)
        return reader_wrong(reader, "player %d is lost, but does something.", s + 1);
    if (out)
        return reader_word(reader, "-");
    if (reader_begins(reader, "none") && !game_is_lost(game, &parse->record->rules))
        return reader_wrong(reader, "player %d does nothing, but has moves that do not end the game.", s + 1);
    if (reader_skip(reader, "none"))
        return true;
    if (reader_skip(reader, "late")) {
        *move = MATCH_LATE;
        return true;
    }
    return read_drop(parse, s, move);
}

static bool read_round(Parse *parse) {
    Reader *reader = &parse->reader;
    Match *match = &parse->match;
    Placement move[MATCH_MAX_SEATS];
    char line[RECORD_LINE];
    if (match->end != MATCH_RUNNING)
        return reader_wrong(reader, "round %zu comes after the end of the %s.", parse->record->rounds + 1,
                            match->seats == 1 ? "game" : "match");
    for (int s = 0; s < match->seats; s++)
        if (!reader_word(reader, " ") || !read_move(parse, s, &move[s]))
            return false;
    if (!record_add(parse->record, move, reader->error))
        return false;
    match_round(match, move);
    for (int s = 0; s < match->seats; s++)
        if (match->attack[s].count && !read_line(parse, record_attack_line(match, s, line)))
            return false;
    return true;
}

static bool read_rounds(Parse *parse) {
    Reader *reader = &parse->reader;
    const Record *record = parse->record;
    match_start(&parse->match, &record->rules, record->seats, record->sequence, record->seed, record->number);
    while (next_begins(parse, "moves")) {
        reader_next_line(reader);
        reader_skip(reader, "moves");
        do
            if (!read_round(parse))
                return false;
        while (reader->at < reader->end);
    }
    if (next_begins(parse, "seat"))
        return true;
    if (!reader_next_line(reader))
        return cut_off(reader);
    if (reader_begins(reader, "attack"))
        return reader_wrong(reader, "an attack without two rows or more having been removed.");
    return reader_expected(reader, "\"moves ...\" or \"seat ...\"");
}

// --- the whole text

static bool read_first_line(Reader *reader) {
    if (!reader_next_line(reader))
        return error_set(reader->error, "%.150s: the file is empty: expected a record.", reader->name);
    if (reader_begins(reader, "tetralab game 1") || reader_begins(reader, "tetralab match 1"))
        return reader_wrong(reader, "this is a record of an earlier version, which is not read any more: "
                                    "record it again.");
    return reader_word(reader, "tetralab record 1") && reader_line_end(reader);
}

bool record_parse(Record *record, const char *name, const char *text, size_t length, Error *error) {
    Parse parse = {
        .reader = reader_start(name, text, length, error), .record = record, .given = malloc(length + 1)};
    *record = (Record){.seats = 0};
    rules_default(&record->rules);
    bool done = parse.given ? read_first_line(&parse.reader) && read_head(&parse) && read_rounds(&parse) &&
                                  read_end(&parse)
                            : error_set(error, "%.150s: out of memory.", name);
    free(parse.given);
    return done;
}

bool record_read(Record *record, const char *path, Error *error) {
    size_t length;
    char *text = text_read_file(path, &length, error);
    *record = (Record){.seats = 0};
    bool done = text && record_parse(record, path, text, length, error);
    free(text);
    return done;
}
