// SPDX-License-Identifier: GPL-3.0-or-later
// Recording a match and writing it. Reading is in record_parse.c.
#include "game/record.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"

static const Field record_field[] = {
    {"sequence", FIELD_WORD, FIELD_AT(Record, sequence), .words = match_sequence_words},
    {.key = "seed", FIELD_WHOLE, FIELD_AT(Record, seed)},
    {.key = "game", FIELD_WHOLE, FIELD_AT(Record, number)},
};
const Fields record_fields = FIELDS(record_field);

// Copies a name into a field of one line: control characters would break the line.
static void copy_line(char *out, size_t room, const char *before, const char *text) {
    snprintf(out, room, "%s%.*s", before, (int)(room - 1 - strlen(before)), *text ? text : "unnamed");
    for (; *out; out++)
        if ((unsigned char)*out < 32 || *out == 127)
            *out = '?';
}

bool record_start(Record *record, const Rules *rules, int seats, const char *const *players,
                  MatchSequence sequence, uint64_t seed, uint64_t number, Error *error) {
    const PieceSource *pieces = &rules->pieces;
    char name[PIECE_SOURCE_NAME];
    *record = (Record){.rules = *rules,
                       .seats = seats,
                       .sequence = sequence,
                       .seed = seed,
                       .number = number,
                       .end = MATCH_STOPPED};
    for (int s = 0; s < seats; s++)
        copy_line(record->player[s], sizeof record->player[s], "", players[s]);
    copy_line(name, sizeof name, "recorded ", pieces->name);
    return pieces->law != PIECES_RECORDED ||
           piece_source_recorded(&record->rules.pieces, name, pieces->recorded, pieces->recorded_length,
                                 error);
}

bool record_add(Record *record, const Placement *move, Error *error) {
    size_t seats = (size_t)record->seats, most = seats == 1 ? RECORD_MAX_MOVES : RECORD_MAX_ROUNDS;
    if (record->rounds == most)
        return error_set(error, "A record cannot have more than %zu %s: set a limit.", most,
                         seats == 1 ? "moves" : "rounds");
    if (!list_room(&record->move, record->rounds, seats))
        return error_set(error, "No memory to record more than %zu rounds.", record->rounds);
    for (size_t s = 0; s < seats; s++)
        record->move[record->rounds * seats + s] = (int8_t)move[s];
    record->rounds++;
    return true;
}

void record_end(Record *record, const Match *match) {
    size_t drawn = 0;
    for (int s = 0; s < match->seats; s++)
        if (match->game[s].stream.drawn > drawn)
            drawn = match->game[s].stream.drawn;
    if (record->rules.pieces.law == PIECES_RECORDED)
        record->rules.pieces.recorded_length = drawn;
    record->end = match->end == MATCH_RUNNING ? MATCH_STOPPED : match->end;
}

void record_free(Record *record) {
    free(record->move);
    record->move = NULL;
    record->rounds = 0;
    rules_free(&record->rules);
}

void record_play(const Record *record, Match *match, RecordRound *each, void *context) {
    match_start(match, &record->rules, record->seats, record->sequence, record->seed, record->number);
    for (size_t r = 0; r < record->rounds; r++) {
        Placement move[MATCH_MAX_SEATS];
        for (int s = 0; s < record->seats; s++)
            move[s] = record->move[r * (size_t)record->seats + (size_t)s];
        if (each)
            each(context, match);
        match_round(match, move);
    }
    if (match->end == MATCH_RUNNING) {
        match->end = record->end;
        for (int s = 0; s < match->seats; s++)
            if (match_is_alive(match, s))
                match->game[s].state = GAME_STOPPED;
    }
    if (each)
        each(context, match);
}

// --- lines

const char *record_attack_line(const Match *match, int seat, char out[RECORD_LINE]) {
    const Attack *attack = &match->attack[seat];
    int n = snprintf(out, RECORD_LINE, "attack %d", seat + 1);
    for (int i = 0; i < attack->count; i++) {
        out[n++] = ' ';
        for (int x = 0; x < match->rules->width; x++)
            out[n++] = attack->row[i] >> x & 1 ? '#' : '.';
    }
    out[n] = 0;
    return out;
}

static char letter(int piece) {
    return piece >= 0 ? piece_letter[piece] : '-';
}

const char *record_seat_line(const Match *match, int seat, char out[RECORD_LINE]) {
    const Game *game = &match->game[seat];
    const Seat *counts = &match->seat[seat];
    const char *state = counts->late                    ? "late"
                        : game->state == GAME_OVER      ? "over"
                        : game->state == GAME_NO_PIECES ? "no-pieces"
                                                        : "alive";
    int n = snprintf(out, RECORD_LINE,
                     "seat %d pieces %" PRIu64 " lines %" PRIu64 " sent %" PRIu64 " received %" PRIu64
                     " columns ",
                     seat + 1, game->pieces, game->lines, counts->sent, counts->received);
    for (int x = 0; x < match->rules->width; x++)
        n += sprintf(out + n, "%s%" PRIx32, x ? "," : "", game->board.column[x]);
    sprintf(out + n, " state %s hand %c next %c", state, letter(game->piece), letter(game->next));
    return out;
}

const char *record_end_line(const Match *match, MatchEnd end, char out[RECORD_LINE]) {
    const char *const words[] = {[MATCH_WON] = "winner",
                                 [MATCH_DRAWN] = match->seats == 1 ? "over" : "draw",
                                 [MATCH_LIMIT] = "limit",
                                 [MATCH_STOPPED] = "stopped"};
    int n = snprintf(out, RECORD_LINE, "end rounds %" PRIu64 " %s", match->rounds, words[end]);
    if (end == MATCH_WON)
        sprintf(out + n, " %d", match->winner + 1);
    return out;
}

// --- the whole text

typedef struct Writer {
    const Record *record;
    FILE *out;
} Writer;

enum { GIVEN_PER_LINE = 80, MOVES_PER_LINE = 16, MOVE = sizeof " T0:13" - 1, WORD = sizeof "\nmoves " - 1 };
_Static_assert(RECORD_MAX_MOVES / MOVES_PER_LINE * (MOVES_PER_LINE * (MOVE + 1) + 2 * WORD) <
                       TEXT_FILE_LIMIT - 65536 &&
                   RECORD_MAX_ROUNDS *
                           (2 * WORD +
                            MATCH_MAX_SEATS * (MOVE + WORD + 3 + ATTACK_MAX_ROWS * (BOARD_MAX_WIDTH + 1))) <
                       TEXT_FILE_LIMIT - 65536,
               "what is written can be read: moves with given pieces, rounds with attacks, then the rest");

static void write_fields(Fields fields, const void *base, FILE *out) {
    char name[FIELD_OPTION_NAME], text[FIELD_PRINTED];
    for (const Field *field = fields.field; field < fields.field + fields.count; field++)
        fprintf(out, "\n%s %s", field_option(field, name), field_print(field, base, text));
}

static void write_head(const Record *record, FILE *out) {
    const PieceSource *pieces = &record->rules.pieces;
    fputs("tetralab record 1", out);
    write_fields(rules_fields, &record->rules, out);
    write_fields(record_fields, record, out);
    for (int s = 0; s < record->seats; s++)
        fprintf(out, "\nplayer %s", record->player[s]);
    for (size_t i = 0; i < pieces->recorded_length; i++)
        fprintf(out, "%s%c", i % GIVEN_PER_LINE ? "" : "\ngiven ", letter(pieces->recorded[i]));
}

// The attacks of the round before, and the moves of the next one.
static void write_round(void *context, const Match *match) {
    const Writer *writer = context;
    const Record *record = writer->record;
    char line[RECORD_LINE];
    for (int s = 0; s < match->seats; s++)
        if (match->attack[s].count)
            fprintf(writer->out, "\n%s", record_attack_line(match, s, line));
    if (match->rounds == record->rounds)
        return;
    if (match->seats > 1 || match->rounds % MOVES_PER_LINE == 0)
        fputs("\nmoves", writer->out);
    for (int s = 0; s < match->seats; s++) {
        int move = record->move[match->rounds * (size_t)match->seats + (size_t)s];
        if (!match_is_alive(match, s))
            fputs(" -", writer->out);
        else if (move < 0)
            fputs(move == MATCH_LATE ? " late" : " none", writer->out);
        else
            fprintf(writer->out, " %c%d:%d", letter(match->game[s].piece), placement_orientation(move),
                    placement_column(move));
    }
}

char *record_to_text(const Record *record, size_t *length, Error *error) {
    char *text = NULL, line[RECORD_LINE];
    FILE *out = open_memstream(&text, length);
    if (out) {
        Match match;
        write_head(record, out);
        record_play(record, &match, write_round, &(Writer){record, out});
        for (int s = 0; s < record->seats; s++)
            fprintf(out, "\n%s", record_seat_line(&match, s, line));
        fprintf(out, "\n%s\n", record_end_line(&match, match.end, line));
    }
    if (!text_closed(out, &text))
        error_set(error, "No memory for the text of a record of %zu rounds.", record->rounds);
    return text;
}

bool record_write(const Record *record, const char *path, Error *error) {
    size_t length;
    char *text = record_to_text(record, &length, error);
    bool done = text && text_write_file(path, text, length, error);
    free(text);
    return done;
}
