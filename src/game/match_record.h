// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded match: rules, players' names, seed, every move of every seat and every attack; replaying it
// gives the same boards and the same winner, or says in which line it does not.
//
// Text, one field per line:
//     tetralab match 1
//     board 10x20                (and overflow, gameover, rules, pieces, as in game/replay.h)
//     sequence same              (or own)
//     seed 1 match 1
//     player fahey               (one line for each, in the order of the seats)
//     player bcts
//     round T0:3 T1:8            (what each seat does, see below)
//     attack 2 ###.######        (seat 2 sends these rows, pushed in one after the other, from the left)
//     ...
//     seat 1 pieces 9 lines 2 sent 1 received 0 columns 1f,3,...,7 state alive hand T next S
//     seat 2 pieces 9 lines 0 sent 0 received 1 columns 1f,3,...,7 state over hand T next S
//     end rounds 9 winner 1      (or draw, limit, stopped instead of winner N)
// The lines up to the players may come in any order, each once, but for the players. A seat does a move
// (piece, orientation, ':', left column), `none` (every placement ends the game), `late` (it took too long)
// or `-` (it was lost before). The attacks of a round follow it in the order of the seats. States are alive,
// over, late, no-pieces.
#ifndef TETRALAB_GAME_MATCH_RECORD_H
#define TETRALAB_GAME_MATCH_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "game/match.h"
#include "game/rules.h"

// So many that the text of a match of MATCH_MAX_SEATS stays below the limit on files that are read.
enum { MATCH_RECORD_MAX_ROUNDS = 100000 };

// What one seat did in one round. MATCH_OUT: nothing, it was lost before.
typedef struct RecordedMove {
    int8_t piece, move;
} RecordedMove;
enum { MATCH_OUT = -3 };

typedef struct RecordedAttack {
    uint32_t round; // from 0
    uint32_t line;  // of the text it was read from, 0: none
    int seat;
    Attack attack;
} RecordedAttack;

// How a seat ended.
typedef struct RecordedSeat {
    uint64_t pieces, lines, sent, received;
    uint32_t column[BOARD_COLUMNS];
    GameState state; // GAME_RUNNING: alive
    bool late;
    int hand, next; // pieces not placed, -1 = none
    uint32_t line;
} RecordedSeat;

typedef struct MatchRecord {
    Rules rules; // pieces.recorded is NULL: the moves hold the sequence
    int seats;
    char player[MATCH_MAX_SEATS][96];
    MatchSequence sequence;
    uint64_t seed, number;
    RecordedMove *move; // `seats` for each round
    uint32_t *line;     // of each round in the text it was read from, 0: none
    size_t rounds, room;
    RecordedAttack *attack;
    size_t attacks, attack_room;
    RecordedSeat seat[MATCH_MAX_SEATS];
    MatchEnd end;
    int winner; // seat, -1: none
    uint32_t end_line;
} MatchRecord;

// -> players  their names, `seats` of them
void match_record_start(MatchRecord *record, const Rules *rules, int seats, const char *const *players,
                        MatchSequence sequence, uint64_t seed, uint64_t number);
// Before and after match_round. false: out of memory, or more than MATCH_RECORD_MAX_ROUNDS; what was added
// so far stays.
bool match_record_moves(MatchRecord *record, const Match *match, const Placement *move, Error *error);
bool match_record_attacks(MatchRecord *record, const Match *match, Error *error);
// The same from a text. -> list  the moves of all seats
bool match_record_add_round(MatchRecord *record, const RecordedMove *list, uint32_t line, Error *error);
bool match_record_add_attack(MatchRecord *record, const RecordedAttack *attack, Error *error);
void match_record_end(MatchRecord *record, const Match *match); // a match still running counts as stopped
void match_record_free(MatchRecord *record);

bool match_record_write(const MatchRecord *record, const char *path, Error *error); // whole or not at all
// <- what match_record_write writes, with a 0 byte behind it; free() it. NULL: out of memory
char *match_record_to_text(const MatchRecord *record, size_t *length, Error *error);

// Free with match_record_free, also after an error. No file that the text names is opened.
bool match_record_read(MatchRecord *record, const char *path, Error *error);
bool match_record_parse(MatchRecord *record, const char *name, const char *text, size_t length, Error *error);

// Plays the moves and compares pieces, placements, attacks, scores, boards and the end with the recorded
// ones. Whether the players would have chosen these moves, and whether they were late, is not asked.
// -> name  of the text it was read from, for messages
// -> each  may be NULL; called at the start and after every round
// <- match  the final position; it uses record->rules
typedef void MatchRecordRound(void *context, const Match *match);
bool match_record_check(const MatchRecord *record, const char *name, Match *match, MatchRecordRound *each,
                        void *context, Error *error);

#endif
