// SPDX-License-Identifier: GPL-3.0-or-later
// Reading a recorded match. The text is untrusted: every field is bounded, and what is wrong is named with
// line and column. A record without its end line was cut off and is refused.
#include <stdlib.h>

#include "base/reader.h"
#include "base/text.h"
#include "game/match_record.h"
#include "game/record.h"

// --- before the rounds

static bool field_sequence(Reader *reader, Rules *rules, void *context) {
    (void)rules;
    MatchRecord *record = context;
    if (reader_skip(reader, "own"))
        record->sequence = MATCH_OWN;
    else if (!reader_skip(reader, "same"))
        return reader_expected(reader, "same or own");
    return reader_line_end(reader);
}

static bool field_seed(Reader *reader, Rules *rules, void *context) {
    (void)rules;
    MatchRecord *record = context;
    return reader_number(reader, &record->seed) && reader_word(reader, " match ") &&
           reader_number(reader, &record->number) && reader_line_end(reader);
}

static const RecordField fields[] = {
    {"board ", record_read_board}, {"overflow ", record_read_overflow}, {"gameover ", record_read_gameover},
    {"rules ", record_read_kind},  {"pieces ", record_read_pieces},     {"sequence ", field_sequence},
    {"seed ", field_seed},
};
enum { FIELDS = sizeof fields / sizeof *fields };

static bool read_player(MatchRecord *record, Reader *reader) {
    if (record->seats == MATCH_MAX_SEATS)
        return error_set(reader->error, "%.150s:%zu:1: expected at most %d players, found another one.",
                         reader->name, reader->line, MATCH_MAX_SEATS);
    char *name = record->player[record->seats];
    if (!reader_rest(reader, "the name of a player", name, sizeof record->player[0]))
        return false;
    record->seats++;
    return true;
}

static bool head_complete(const MatchRecord *record, const Reader *reader, unsigned seen) {
    if (!record_fields_complete(reader, fields, FIELDS, seen))
        return false;
    return record->seats >= MATCH_LEAST_SEATS ||
           error_set(reader->error, "%.150s:%zu:1: expected %d to %d lines \"player ...\" before, found %d.",
                     reader->name, reader->line, MATCH_LEAST_SEATS, MATCH_MAX_SEATS, record->seats);
}

// --- rounds and attacks

static bool read_move(Reader *reader, RecordedMove *move) {
    static const struct {
        const char *word;
        int move;
    } words[] = {{"none", MATCH_NO_MOVE}, {"late", MATCH_LATE}, {"-", MATCH_OUT}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (reader_skip(reader, words[i].word)) {
            *move = (RecordedMove){.piece = -1, .move = (int8_t)words[i].move};
            return true;
        }
    int piece;
    Placement placement;
    if (!record_read_move(reader, &piece, &placement))
        return false;
    *move = (RecordedMove){.piece = (int8_t)piece, .move = (int8_t)placement};
    return true;
}

static bool read_round(MatchRecord *record, Reader *reader) {
    RecordedMove list[MATCH_MAX_SEATS];
    for (int s = 0; s < record->seats; s++)
        if (!reader_word(reader, " ") || !read_move(reader, &list[s]))
            return false;
    return reader_line_end(reader) &&
           match_record_add_round(record, list, (uint32_t)reader->line, reader->error);
}

static bool read_row(Reader *reader, int width, uint16_t *row) {
    *row = 0;
    for (int x = 0; x < width; x++) {
        if (reader_skip(reader, "#"))
            *row |= (uint16_t)(1 << x);
        else if (!reader_skip(reader, "."))
            return reader_expected(reader, "a row of '#' (filled) and '.' (empty) as wide as the board");
    }
    return true;
}

// <- the number of a seat, given from 1, from 0 on
static bool read_seat_number(const MatchRecord *record, Reader *reader, int *seat) {
    const char *start = reader->at;
    uint64_t number;
    if (!reader_number(reader, &number))
        return false;
    if (number < 1 || number > (uint64_t)record->seats) {
        reader->at = start;
        return reader_expected(reader, "the number of a player, from 1 on");
    }
    *seat = (int)number - 1;
    return true;
}

static bool read_attack(MatchRecord *record, Reader *reader) {
    RecordedAttack attack = {.round = (uint32_t)record->rounds - 1, .line = (uint32_t)reader->line};
    const RecordedAttack *last = record->attacks ? &record->attack[record->attacks - 1] : NULL;
    if (!reader_word(reader, " "))
        return false;
    const char *start = reader->at;
    if (!read_seat_number(record, reader, &attack.seat))
        return false;
    if (last && last->round == attack.round && last->seat >= attack.seat) {
        reader->at = start;
        return reader_expected(reader, "the attacks of a round in the order of the players");
    }
    do {
        if (attack.attack.count == ATTACK_MAX_ROWS)
            return reader_expected(reader, "no more than three rows");
        if (!reader_word(reader, " ") ||
            !read_row(reader, record->rules.width, &attack.attack.row[attack.attack.count++]))
            return false;
    } while (reader->at < reader->end);
    return match_record_add_attack(record, &attack, reader->error);
}

// --- the end

static bool read_state(RecordedSeat *seat, Reader *reader) {
    static const struct {
        const char *name;
        GameState state;
        bool late;
    } states[] = {{"alive ", GAME_RUNNING, false},
                  {"over ", GAME_OVER, false},
                  {"late ", GAME_OVER, true},
                  {"no-pieces ", GAME_NO_PIECES, false}};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (reader_skip(reader, states[i].name)) {
            seat->state = states[i].state;
            seat->late = states[i].late;
            return true;
        }
    return reader_expected(reader, "alive, over, late or no-pieces");
}

static bool read_seat(MatchRecord *record, Reader *reader, int *seats_read) {
    int s = 0;
    if (!reader_word(reader, " "))
        return false;
    const char *start = reader->at;
    if (!read_seat_number(record, reader, &s))
        return false;
    if (s != *seats_read) {
        reader->at = start;
        return reader_expected(reader, "the lines \"seat ...\" in the order of the players");
    }
    ++*seats_read;
    RecordedSeat *seat = &record->seat[s];
    seat->line = (uint32_t)reader->line;
    return reader_word(reader, " pieces ") && reader_number(reader, &seat->pieces) &&
           reader_word(reader, " lines ") && reader_number(reader, &seat->lines) &&
           reader_word(reader, " sent ") && reader_number(reader, &seat->sent) &&
           reader_word(reader, " received ") && reader_number(reader, &seat->received) &&
           reader_word(reader, " columns ") &&
           record_read_columns(reader, seat->column, record->rules.width) && reader_word(reader, " state ") &&
           read_state(seat, reader) && reader_word(reader, "hand ") &&
           record_read_piece(reader, &seat->hand) && reader_word(reader, " next ") &&
           record_read_piece(reader, &seat->next) && reader_line_end(reader);
}

static bool read_end(MatchRecord *record, Reader *reader) {
    static const struct {
        const char *name;
        MatchEnd end;
    } ends[] = {
        {"winner ", MATCH_WON}, {"draw", MATCH_DRAWN}, {"limit", MATCH_LIMIT}, {"stopped", MATCH_STOPPED}};
    uint64_t rounds;
    record->end_line = (uint32_t)reader->line;
    if (!reader_word(reader, " rounds "))
        return false;
    const char *start = reader->at;
    if (!reader_number(reader, &rounds))
        return false;
    if (rounds != record->rounds) {
        reader->at = start;
        return reader_expected(reader, "the number of the lines \"round ...\"");
    }
    if (!reader_word(reader, " "))
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (reader_skip(reader, ends[i].name)) {
            record->end = ends[i].end;
            return (record->end != MATCH_WON || read_seat_number(record, reader, &record->winner)) &&
                   reader_line_end(reader);
        }
    return reader_expected(reader, "winner, draw, limit or stopped");
}

// --- lines

typedef enum LineKind { HEAD, ROUND, ATTACK, SEAT, END, LINE_KINDS } LineKind;
static const char *const line_words[LINE_KINDS] = {
    [ROUND] = "round", [ATTACK] = "attack", [SEAT] = "seat", [END] = "end"};
static const char *const line_expected[LINE_KINDS] = {
    [HEAD] = "a line such as \"board 10x20\" or \"round ...\"",
    [ROUND] = "\"round ...\", \"attack ...\" or \"seat ...\"",
    [ATTACK] = "\"round ...\", \"attack ...\" or \"seat ...\"",
    [SEAT] = "\"seat ...\" for each player, then \"end ...\""};

// Which kind of line may follow which.
static bool may_follow(LineKind before, LineKind kind, bool all_seats) {
    switch (kind) {
    case ATTACK:
        return before == ROUND || before == ATTACK;
    case SEAT:
        return !all_seats;
    case END:
        return before == SEAT && all_seats;
    default:
        return before < SEAT;
    }
}

typedef struct Parse {
    MatchRecord *record;
    Reader *reader;
    unsigned seen;  // fields
    LineKind kind;  // of the line before
    int seats_read; // lines "seat ..."
} Parse;

// <- 1 the line was a field or a player, 0 it is neither, -1 error
static int read_head(Parse *parse) {
    MatchRecord *record = parse->record;
    int field = record_read_field(parse->reader, fields, FIELDS, &record->rules, record, &parse->seen);
    if (field == 0 && reader_skip(parse->reader, "player "))
        field = read_player(record, parse->reader) ? 1 : -1;
    return field;
}

static bool read_kind(Parse *parse, LineKind kind) {
    switch (kind) {
    case ROUND:
        return read_round(parse->record, parse->reader);
    case ATTACK:
        return read_attack(parse->record, parse->reader);
    case SEAT:
        return read_seat(parse->record, parse->reader, &parse->seats_read);
    default:
        return read_end(parse->record, parse->reader);
    }
}

static bool read_line(Parse *parse) {
    LineKind before = parse->kind;
    int field = before == HEAD ? read_head(parse) : 0;
    if (field != 0)
        return field > 0;
    for (LineKind kind = ROUND; kind < LINE_KINDS; kind++) {
        bool all_seats = parse->record->seats > 0 && parse->seats_read == parse->record->seats;
        if (!may_follow(before, kind, all_seats) || !reader_skip(parse->reader, line_words[kind]))
            continue;
        parse->kind = kind;
        return (before != HEAD || head_complete(parse->record, parse->reader, parse->seen)) &&
               read_kind(parse, kind);
    }
    return reader_expected(parse->reader, line_expected[before]);
}

static bool read_lines(MatchRecord *record, Reader *reader) {
    Parse parse = {.record = record, .reader = reader, .kind = HEAD};
    while (parse.kind != END && reader_next_line(reader))
        if (!read_line(&parse))
            return false;
    return parse.kind == END ||
           error_set(reader->error, "%.150s:%zu: the line \"end ...\" is missing: the record was cut off.",
                     reader->name, reader->line + 1);
}

static void start_empty(MatchRecord *record) {
    Rules rules;
    rules_default(&rules);
    match_record_start(record, &rules, 0, NULL, MATCH_SAME, 0, 0);
}

bool match_record_parse(MatchRecord *record, const char *name, const char *text, size_t length,
                        Error *error) {
    Reader reader = reader_start(name, text, length, error);
    start_empty(record);
    if (!reader_next_line(&reader))
        return error_set(error, "%.150s: the file is empty: expected a recorded match.", name);
    return reader_word(&reader, "tetralab match 1") && reader_line_end(&reader) &&
           read_lines(record, &reader) && record_read_nothing(&reader, "end");
}

bool match_record_read(MatchRecord *record, const char *path, Error *error) {
    start_empty(record);
    size_t length;
    char *text = text_read_file(path, &length, error);
    if (!text)
        return false;
    bool done = match_record_parse(record, path, text, length, error);
    free(text);
    return done;
}
