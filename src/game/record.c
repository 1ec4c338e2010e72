// SPDX-License-Identifier: GPL-3.0-or-later
#include "game/record.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// --- writing

void record_copy_line(char *out, size_t room, const char *text) {
    snprintf(out, room, "%s", *text ? text : "unnamed");
    for (; *out; out++)
        if ((unsigned char)*out < 32 || *out == 127)
            *out = '?';
}

Rules record_rules(const Rules *rules) {
    Rules copy = *rules;
    copy.pieces.recorded = NULL;
    copy.pieces.recorded_length = 0;
    record_copy_line(copy.pieces.name, sizeof copy.pieces.name, rules->pieces.name);
    return copy;
}

int record_rules_text(const Rules *rules, char *out, size_t room) {
    return snprintf(out, room, "board %dx%d\noverflow %s\ngameover %s\nrules %s\npieces %s%s", rules->width,
                    rules->height, rules_overflow_name(rules->overflow), rules_gameover_name(rules->gameover),
                    rules->original ? "original" : "simplified",
                    rules->pieces.law == PIECES_RECORDED ? "recorded " : "", rules->pieces.name);
}

int record_move_text(int piece, Placement placement, char out[RECORD_MOVE_TEXT]) {
    return snprintf(out, RECORD_MOVE_TEXT, "%c%d:%d", piece_letter[(unsigned)piece % PIECES],
                    placement_orientation(placement) & 3, placement_column(placement));
}

const char *record_columns_text(const uint32_t *column, int width, char out[RECORD_COLUMNS_TEXT]) {
    out[0] = 0;
    for (int x = 0, n = 0; x < width; x++)
        n += sprintf(out + n, "%s%" PRIx32, x ? "," : "", column[x]);
    return out;
}

char record_piece_letter(int piece) {
    return piece >= 0 ? piece_letter[piece] : '-';
}

// --- reading: fields

// Sets one of the rules to the rest of the line.
static bool set_rule(Reader *reader, const char *what, Rules *rules, const char *name) {
    char text[PIECE_SOURCE_NAME];
    Error reason;
    if (!reader_rest(reader, what, text, sizeof text))
        return false;
    return field_read(fields_find(rules_fields, name), rules, text, &reason) ||
           error_set(reader->error, "%.150s:%zu: %.300s", reader->name, reader->line, reason.text);
}

bool record_read_board(Reader *reader, Rules *rules, void *record) {
    (void)record;
    return set_rule(reader, "a board such as 10x20", rules, "board");
}

bool record_read_overflow(Reader *reader, Rules *rules, void *record) {
    (void)record;
    return set_rule(reader, "an overflow rule", rules, "overflow");
}

bool record_read_gameover(Reader *reader, Rules *rules, void *record) {
    (void)record;
    return set_rule(reader, "a game-over rule", rules, "gameover");
}

bool record_read_kind(Reader *reader, Rules *rules, void *record) {
    (void)record;
    return set_rule(reader, "a kind of rules", rules, "rules");
}

bool record_read_pieces(Reader *reader, Rules *rules, void *record) {
    (void)record;
    if (!reader_skip(reader, "recorded "))
        return set_rule(reader, "a piece source", rules, "pieces");
    rules->pieces.law = PIECES_RECORDED;
    return reader_rest(reader, "a name", rules->pieces.name, sizeof rules->pieces.name);
}

int record_read_field(Reader *reader, const RecordField *fields, int count, Rules *rules, void *record,
                      unsigned *seen) {
    for (int i = 0; i < count; i++) {
        if (!reader_skip(reader, fields[i].name))
            continue;
        if (*seen >> i & 1) {
            error_set(reader->error, "%.150s:%zu:1: the line \"%s...\" is there twice.", reader->name,
                      reader->line, fields[i].name);
            return -1;
        }
        *seen |= 1u << i;
        return fields[i].read(reader, rules, record) ? 1 : -1;
    }
    return 0;
}

bool record_fields_complete(const Reader *reader, const RecordField *fields, int count, unsigned seen) {
    for (int i = 0; i < count; i++)
        if (!(seen >> i & 1))
            return error_set(reader->error, "%.150s:%zu:1: the line \"%s...\" is missing before the moves.",
                             reader->name, reader->line, fields[i].name);
    return true;
}

// --- reading: moves, boards, pieces

// "T0:13"
bool record_read_move(Reader *reader, int *piece, Placement *placement) {
    uint64_t column;
    *piece = reader->at < reader->end && *reader->at ? piece_from_letter(*reader->at) : -1;
    if (*piece < 0)
        return reader_expected(reader, "a piece, one of OISZLJT");
    reader->at++;
    int orientation = reader->at < reader->end ? *reader->at - '0' : -1;
    if (orientation < 0 || orientation >= piece_orientations[*piece])
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
    *placement = placement_make(orientation, (int)column);
    return true;
}

// "1f,3,0,7": as many columns as the board has.
bool record_read_columns(Reader *reader, uint32_t *column, int width) {
    for (int x = 0; x < width; x++) {
        int digits = 0;
        if (x > 0 && !reader_word(reader, ","))
            return false;
        for (; digits < 8 && reader->at < reader->end && isxdigit((unsigned char)*reader->at); digits++) {
            int c = tolower((unsigned char)*reader->at++);
            column[x] = column[x] << 4 | (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10);
        }
        if (digits == 0)
            return reader_expected(reader, "a column as a hexadecimal number");
    }
    return true;
}

bool record_read_piece(Reader *reader, int *piece) {
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

bool record_read_nothing(Reader *reader, const char *last) {
    char what[60];
    snprintf(what, sizeof what, "nothing after the line \"%s ...\"", last);
    while (reader_next_line(reader))
        if (reader->at < reader->end)
            return reader_expected(reader, what);
    return true;
}
