// SPDX-License-Identifier: GPL-3.0-or-later
// A recorded match: rules, players' names, seed and what every seat did in every round. All else follows from
// these and is made by playing them: pieces, attacks, scores, boards, the winner. A recorded game is a match
// with one seat.
//
// Text, one field per line, so that other programs can read and make it:
//     tetralab record 1
//     board 10x20                (and overflow, gameover, rules: as the options of these names)
//     pieces uniform             (uniform, hard, sz, bag or weights: the pieces are those of the seed;
//                                 recorded NAME: they are given, see the next line)
//     given TSOILJZ              (only with `pieces recorded`; as many lines of these as needed)
//     sequence same              (or own)
//     seed 1
//     game 1                     (which game or match of the seed)
//     player fahey               (one line for each, in the order of the seats)
//     player bcts
//     moves T0:3 T1:8            (what each seat does, see below; the next round may follow on the same line)
//     attack 2 ###.######        (seat 2 sends these rows, pushed in one after the other, from the left)
//     ...
//     seat 1 pieces 9 lines 2 sent 1 received 0 columns 1f,3,...,7 state alive hand T next S
//     seat 2 pieces 9 lines 0 sent 0 received 1 columns 1f,3,...,7 state over hand T next S
//     end rounds 9 winner 1      (or draw, limit, stopped; of one seat: over, limit, stopped)
// The lines up to the players may come in any order, each once, but for the players and the given pieces. A
// seat does a move (piece letter, orientation 0-3, ':', left column), `none` (every placement ends the game),
// `late` (it took too long) or `-` (it was lost before). The attacks of a round follow it in the order of the
// seats. The columns are the final board from the left, hexadecimal, bit 0 the floor row. States are alive,
// over, late, no-pieces; hand and next are the pieces that were not placed, '-' for none. A last move that
// ended a game is among the moves but not among the pieces.
#ifndef TETRALAB_GAME_RECORD_H
#define TETRALAB_GAME_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "game/match.h"
#include "game/rules.h"

// So many rounds that the text stays below the limit on files that are read (base/text.h).
enum { RECORD_MAX_MOVES = 8000000 /* with one seat */, RECORD_MAX_ROUNDS = 100000 /* with more */ };

typedef struct Record {
    Rules rules; // owned; recorded pieces are those that were drawn, under the name "recorded NAME"
    int seats;
    char player[MATCH_MAX_SEATS][96];
    MatchSequence sequence;
    uint64_t seed, number;
    int8_t *move; // owned; `seats` for each round, as match_round takes them
    size_t rounds;
    MatchEnd end; // MATCH_LIMIT or MATCH_STOPPED where the moves leave the match undecided
} Record;
extern const Fields record_fields; // those that have lines of their own, beside the rules

// The following return false when out of memory. Free with record_free, also after an error.
// -> players  their names, `seats` of them
bool record_start(Record *record, const Rules *rules, int seats, const char *const *players,
                  MatchSequence sequence, uint64_t seed, uint64_t number, Error *error);
// A round, as given to match_round; also false when there are too many. What was added so far stays.
bool record_add(Record *record, const Placement *move, Error *error);
void record_end(Record *record, const Match *match); // a match still running counts as stopped
void record_free(Record *record);

bool record_write(const Record *record, const char *path, Error *error); // whole or not at all
// <- what record_write writes, with a 0 byte behind it; free() it. NULL: out of memory
char *record_to_text(const Record *record, size_t *length, Error *error);

// Reads a record and plays it: pieces and attacks must be those of the seed, every placement possible,
// scores, boards and the end those that the moves make; or the sentence says in which line they are not.
// Whether the players would have chosen these moves, and whether they were late, is not asked. No file that
// the text names is opened.
bool record_read(Record *record, const char *path, Error *error);
bool record_parse(Record *record, const char *name, const char *text, size_t length, Error *error);

// Plays a record. -> each  may be NULL; called at the start and after every round
// <- match  the final position; it uses record->rules
typedef void RecordRound(void *context, const Match *match);
void record_play(const Record *record, Match *match, RecordRound *each, void *context);

// --- lines that the writer writes and the reader compares

enum { RECORD_LINE = 512 };
const char *record_attack_line(const Match *match, int seat, char out[RECORD_LINE]);
const char *record_seat_line(const Match *match, int seat, char out[RECORD_LINE]);
const char *record_end_line(const Match *match, MatchEnd end, char out[RECORD_LINE]);

#endif
