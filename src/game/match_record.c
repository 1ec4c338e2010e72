// SPDX-License-Identifier: GPL-3.0-or-later
// Recording a match, writing it, and playing it again to see that it was possible: the pieces and the attack
// rows come from the seed, every placement can be made, boards and scores are those of the rules. Reading is
// in match_parse.c.
#include "game/match_record.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "game/record.h"

void match_record_start(MatchRecord *record, const Rules *rules, int seats, const char *const *players,
                        MatchSequence sequence, uint64_t seed, uint64_t number) {
    *record = (MatchRecord){.rules = record_rules(rules),
                            .seats = seats,
                            .sequence = sequence,
                            .seed = seed,
                            .number = number,
                            .end = MATCH_STOPPED,
                            .winner = -1};
    for (int s = 0; s < seats; s++)
        record_copy_line(record->player[s], sizeof record->player[s], players[s]);
}

static bool make_room(MatchRecord *record, Error *error) {
    if (record->rounds < record->room)
        return true;
    size_t room = record->room ? 2 * record->room : 256;
    RecordedMove *move = realloc(record->move, room * (size_t)record->seats * sizeof *move);
    if (move)
        record->move = move;
    uint32_t *line = realloc(record->line, room * sizeof *line);
    if (line)
        record->line = line;
    if (!move || !line)
        return error_set(error, "No memory to record more than %zu rounds.", record->rounds);
    record->room = room;
    return true;
}

bool match_record_add_round(MatchRecord *record, const RecordedMove *list, uint32_t line, Error *error) {
    if (record->rounds >= MATCH_RECORD_MAX_ROUNDS)
        return error_set(error, "A recorded match cannot have more than %d rounds.", MATCH_RECORD_MAX_ROUNDS);
    if (!make_room(record, error))
        return false;
    size_t seats = (size_t)record->seats;
    memcpy(record->move + record->rounds * seats, list, seats * sizeof *list);
    record->line[record->rounds++] = line;
    return true;
}

bool match_record_moves(MatchRecord *record, const Match *match, const Placement *move, Error *error) {
    RecordedMove list[MATCH_MAX_SEATS];
    for (int s = 0; s < record->seats; s++) {
        bool alive = match_is_alive(match, s);
        list[s] = (RecordedMove){.piece = (int8_t)(alive && move[s] >= 0 ? match->game[s].piece : -1),
                                 .move = (int8_t)(alive ? move[s] : MATCH_OUT)};
    }
    return match_record_add_round(record, list, 0, error);
}

bool match_record_add_attack(MatchRecord *record, const RecordedAttack *attack, Error *error) {
    if (record->attacks == record->attack_room) {
        size_t room = record->attack_room ? 2 * record->attack_room : 64;
        RecordedAttack *list = realloc(record->attack, room * sizeof *list);
        if (!list)
            return error_set(error, "No memory to record more than %zu attacks.", record->attacks);
        record->attack = list;
        record->attack_room = room;
    }
    record->attack[record->attacks++] = *attack;
    return true;
}

bool match_record_attacks(MatchRecord *record, const Match *match, Error *error) {
    for (int s = 0; s < record->seats; s++) {
        RecordedAttack attack = {
            .round = (uint32_t)record->rounds - 1, .seat = s, .attack = match->attack[s]};
        if (attack.attack.count && !match_record_add_attack(record, &attack, error))
            return false;
    }
    return true;
}

static RecordedSeat seat_end(const Match *match, int s) {
    const Game *game = &match->game[s];
    RecordedSeat seat = {.pieces = game->pieces,
                         .lines = game->lines,
                         .sent = match->seat[s].sent,
                         .received = match->seat[s].received,
                         .state = game->state,
                         .late = match->seat[s].late,
                         .hand = game->piece,
                         .next = game->next};
    memcpy(seat.column, game->board.column, sizeof seat.column);
    return seat;
}

void match_record_end(MatchRecord *record, const Match *match) {
    for (int s = 0; s < record->seats; s++)
        record->seat[s] = seat_end(match, s);
    record->end = match->end == MATCH_RUNNING ? MATCH_STOPPED : match->end;
    record->winner = match->winner;
}

void match_record_free(MatchRecord *record) {
    free(record->move);
    free(record->line);
    free(record->attack);
    record->move = NULL;
    record->line = NULL;
    record->attack = NULL;
    record->rounds = record->room = record->attacks = record->attack_room = 0;
    rules_free(&record->rules);
}

// --- writing

static const char *state_name(const RecordedSeat *seat) {
    return seat->late                      ? "late"
           : seat->state == GAME_OVER      ? "over"
           : seat->state == GAME_NO_PIECES ? "no-pieces"
                                           : "alive";
}

static void write_head(const MatchRecord *record, FILE *out) {
    char rules[1024];
    record_rules_text(&record->rules, rules, sizeof rules);
    fprintf(out, "tetralab match 1\n%s\nsequence %s\nseed %" PRIu64 " match %" PRIu64 "\n", rules,
            record->sequence == MATCH_SAME ? "same" : "own", record->seed, record->number);
    for (int s = 0; s < record->seats; s++)
        fprintf(out, "player %s\n", record->player[s]);
}

static void write_round(const RecordedMove *list, int seats, FILE *out) {
    fputs("round", out);
    for (int s = 0; s < seats; s++) {
        char text[RECORD_MOVE_TEXT];
        if (list[s].move >= 0)
            record_move_text(list[s].piece, list[s].move, text);
        else
            strcpy(text, list[s].move == MATCH_NO_MOVE ? "none" : list[s].move == MATCH_LATE ? "late" : "-");
        fprintf(out, " %s", text);
    }
    fputc('\n', out);
}

enum { ROW_TEXT = BOARD_COLUMNS + 1, ATTACK_TEXT = ATTACK_MAX_ROWS * ROW_TEXT };

// "##.####### ####.#####"
static const char *attack_text(const Attack *attack, int width, char out[ATTACK_TEXT]) {
    char *end = out;
    for (int i = 0; i < attack->count; i++) {
        if (i)
            *end++ = ' ';
        for (int x = 0; x < width; x++)
            *end++ = attack->row[i] >> x & 1 ? '#' : '.';
    }
    *end = 0;
    return out;
}

static void write_end(const MatchRecord *record, FILE *out) {
    static const char *const ends[] = {[MATCH_RUNNING] = "stopped",
                                       [MATCH_WON] = "winner",
                                       [MATCH_DRAWN] = "draw",
                                       [MATCH_LIMIT] = "limit",
                                       [MATCH_STOPPED] = "stopped"};
    char columns[RECORD_COLUMNS_TEXT];
    for (int s = 0; s < record->seats; s++) {
        const RecordedSeat *seat = &record->seat[s];
        fprintf(out,
                "seat %d pieces %" PRIu64 " lines %" PRIu64 " sent %" PRIu64 " received %" PRIu64
                " columns %s state %s hand %c next %c\n",
                s + 1, seat->pieces, seat->lines, seat->sent, seat->received,
                record_columns_text(seat->column, record->rules.width, columns), state_name(seat),
                record_piece_letter(seat->hand), record_piece_letter(seat->next));
    }
    fprintf(out, "end rounds %zu %s", record->rounds, ends[record->end]);
    if (record->end == MATCH_WON)
        fprintf(out, " %d", record->winner + 1);
    fputc('\n', out);
}

char *match_record_to_text(const MatchRecord *record, size_t *length, Error *error) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (out) {
        write_head(record, out);
        for (size_t r = 0, a = 0; r < record->rounds; r++) {
            write_round(record->move + r * (size_t)record->seats, record->seats, out);
            for (; a < record->attacks && record->attack[a].round == r; a++) {
                char rows[ATTACK_TEXT];
                fprintf(out, "attack %d %s\n", record->attack[a].seat + 1,
                        attack_text(&record->attack[a].attack, record->rules.width, rows));
            }
        }
        write_end(record, out);
    }
    bool good = out && !ferror(out);
    if (out && fclose(out))
        good = false;
    if (good)
        return text;
    free(text);
    error_set(error, "No memory for the text of a match of %zu rounds.", record->rounds);
    return NULL;
}

bool match_record_write(const MatchRecord *record, const char *path, Error *error) {
    size_t length;
    char *text = match_record_to_text(record, &length, error);
    bool done = text && text_write_file(path, text, length, error);
    free(text);
    return done;
}

// --- playing it again

typedef struct Check {
    const MatchRecord *record;
    const char *name;
    Match *match;
    size_t attack; // the next one
    Error *error;
} Check;

// "FILE:LINE: sentence", or without the line where there is none.
static bool wrong(const Check *check, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool wrong(const Check *check, uint32_t line, const char *format, ...) {
    char sentence[340], place[16] = "";
    va_list list;
    va_start(list, format);
    vsnprintf(sentence, sizeof sentence, format, list);
    va_end(list);
    if (line)
        snprintf(place, sizeof place, "%" PRIu32 ":", line);
    return error_set(check->error, "%.150s:%s %s", check->name, place, sentence);
}

// The sequence of a match with recorded pieces is that of the seat that placed most, then what it did not
// place.
static bool recorded_pieces(const Check *check, PieceSource *source) {
    const MatchRecord *record = check->record;
    int longest = 0;
    for (int s = 1; s < record->seats; s++)
        if (record->seat[s].pieces > record->seat[longest].pieces)
            longest = s;
    const RecordedSeat *seat = &record->seat[longest];
    if (seat->pieces > record->rounds)
        return wrong(check, seat->line, "Player %d has %" PRIu64 " pieces in %zu rounds.", longest + 1,
                     seat->pieces, record->rounds);
    size_t count = 0;
    uint8_t *pieces = malloc(seat->pieces + 2);
    if (!pieces)
        return error_set(check->error, "No memory for the pieces of a match of %zu rounds.", record->rounds);
    bool good = true;
    for (; good && count < seat->pieces; count++) {
        int piece = record->move[count * (size_t)record->seats + (size_t)longest].piece;
        good = piece >= 0;
        pieces[count] = (uint8_t)piece;
    }
    if (seat->hand >= 0)
        pieces[count++] = (uint8_t)seat->hand;
    if (seat->next >= 0)
        pieces[count++] = (uint8_t)seat->next;
    if (!good)
        wrong(check, seat->line, "Player %d places fewer than %" PRIu64 " pieces.", longest + 1,
              seat->pieces);
    else
        good = piece_source_recorded(source, "The recorded match", pieces, count, check->error);
    free(pieces);
    return good;
}

static bool check_move(const Check *check, uint32_t line, int s, const RecordedMove *move) {
    const Match *match = check->match;
    const Game *game = &match->game[s];
    const Rules *rules = match->rules;
    char text[RECORD_MOVE_TEXT];
    bool alive = match_is_alive(match, s);
    if (alive && move->move == MATCH_OUT)
        return wrong(check, line, "Player %d is not lost yet, but does nothing.", s + 1);
    if (!alive && move->move != MATCH_OUT)
        return wrong(check, line, "Player %d is lost, but does something.", s + 1);
    if (alive && move->move == MATCH_NO_MOVE && !game_is_lost(game, rules))
        return wrong(check, line, "Player %d does nothing, but has moves that do not end the game.", s + 1);
    if (move->move < 0)
        return true;
    record_move_text(move->piece, move->move, text);
    if (game->piece != move->piece)
        return wrong(check, line,
                     "Player %d places a %c (%s), but the piece in hand is a %c (pieces %.60s, seed %" PRIu64
                     ", match %" PRIu64 ").",
                     s + 1, piece_letter[move->piece], text, piece_letter[game->piece], rules->pieces.name,
                     check->record->seed, check->record->number);
    if (!game_can_move(game, rules, move->move))
        return wrong(check, line, "The move %s of player %d is not possible on a board %dx%d with %s.", text,
                     s + 1, rules->width, rules->height,
                     rules->original ? "what lies in its way" : "these walls");
    return true;
}

// After the round: are its attacks those of the record?
static bool check_attacks(Check *check, size_t round) {
    const MatchRecord *record = check->record;
    int width = record->rules.width;
    for (int s = 0; s < record->seats; s++) {
        const Attack *made = &check->match->attack[s];
        const RecordedAttack *next = check->attack < record->attacks ? &record->attack[check->attack] : NULL;
        bool written = next && next->round == round && next->seat == s;
        char rows[ATTACK_TEXT], other[ATTACK_TEXT];
        if (made->count == 0 && !written)
            continue;
        if (!written)
            return wrong(check, record->line[round], "The attack %s of player %d is missing after the round.",
                         attack_text(made, width, rows), s + 1);
        if (made->count == 0)
            return wrong(check, next->line, "Player %d attacks without having removed two rows or more.",
                         s + 1);
        if (made->count != next->attack.count || memcmp(made->row, next->attack.row, sizeof made->row) != 0)
            return wrong(check, next->line, "Player %d attacks with %s, but the seed gives %s.", s + 1,
                         attack_text(&next->attack, width, rows), attack_text(made, width, other));
        check->attack++;
    }
    return true;
}

static bool check_rounds(Check *check, MatchRecordRound *each, void *context) {
    const MatchRecord *record = check->record;
    if (each)
        each(context, check->match);
    for (size_t r = 0; r < record->rounds; r++) {
        const RecordedMove *list = record->move + r * (size_t)record->seats;
        Placement move[MATCH_MAX_SEATS];
        if (check->match->end != MATCH_RUNNING)
            return wrong(check, record->line[r], "Round %zu comes after the end of the match.", r + 1);
        for (int s = 0; s < record->seats; s++) {
            if (!check_move(check, record->line[r], s, &list[s]))
                return false;
            move[s] = list[s].move;
        }
        match_round(check->match, move);
        if (!check_attacks(check, r))
            return false;
        if (each)
            each(context, check->match);
    }
    return true;
}

static bool check_seat(const Check *check, int s) {
    const RecordedSeat made = seat_end(check->match, s), *seat = &check->record->seat[s];
    const struct {
        const char *what;
        uint64_t made, said;
    } counts[] = {{"pieces", made.pieces, seat->pieces},
                  {"lines", made.lines, seat->lines},
                  {"attack rows sent", made.sent, seat->sent},
                  {"attack rows received", made.received, seat->received}};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i].made != counts[i].said)
            return wrong(check, seat->line, "Player %d has %" PRIu64 " %s, but the record says %" PRIu64 ".",
                         s + 1, counts[i].made, counts[i].what, counts[i].said);
    if (memcmp(made.column, seat->column, sizeof made.column) != 0)
        return wrong(check, seat->line, "The board of player %d is another one than the recorded one.",
                     s + 1);
    if (made.hand != seat->hand || made.next != seat->next)
        return wrong(check, seat->line,
                     "The pieces of player %d in hand and next are %c and %c, but the record says %c and %c.",
                     s + 1, record_piece_letter(made.hand), record_piece_letter(made.next),
                     record_piece_letter(seat->hand), record_piece_letter(seat->next));
    if (strcmp(state_name(&made), state_name(seat)))
        return wrong(check, seat->line, "Player %d is \"%s\", but the record says \"%s\".", s + 1,
                     state_name(&made), state_name(seat));
    return true;
}

static bool check_end(const Check *check) {
    const MatchRecord *record = check->record;
    Match *match = check->match;
    for (int s = 0; s < record->seats; s++)
        if (!check_seat(check, s))
            return false;
    if (match->end == MATCH_RUNNING && (record->end == MATCH_LIMIT || record->end == MATCH_STOPPED))
        match->end = record->end;
    if (match->end == record->end && match->winner == record->winner)
        return true;
    char made[40] = "is a draw";
    if (match->end == MATCH_WON)
        snprintf(made, sizeof made, "is won by player %d", match->winner + 1);
    else if (match->end != MATCH_DRAWN)
        strcpy(made, match->end == MATCH_RUNNING ? "is not decided" : "ends without pieces");
    return wrong(check, record->end_line, "After %zu rounds the match %s, but the record says otherwise.",
                 record->rounds, made);
}

bool match_record_check(const MatchRecord *record, const char *name, Match *match, MatchRecordRound *each,
                        void *context, Error *error) {
    Check check = {.record = record, .name = name, .match = match, .error = error};
    Rules rules = record->rules;
    Error detail;
    bool from_moves = rules.pieces.law == PIECES_RECORDED;
    *match = (Match){.winner = -1};
    if (!rules_check(&rules, &detail))
        return wrong(&check, 0, "%s", detail.text);
    if (from_moves && record->sequence == MATCH_OWN)
        return wrong(&check, 0, "Recorded pieces are the same for all: the sequence cannot be \"own\".");
    if (from_moves && !recorded_pieces(&check, &rules.pieces))
        return false;
    match_start(match, &rules, record->seats, record->sequence, record->seed, record->number);
    bool done = check_rounds(&check, each, context) && check_end(&check);
    match->rules = &record->rules; // the copy ends here; there is nothing more to draw from it
    for (int s = 0; s < match->seats; s++)
        match->game[s].stream.source = &record->rules.pieces;
    if (from_moves)
        piece_source_free(&rules.pieces);
    return done;
}
