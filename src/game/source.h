// SPDX-License-Identifier: GPL-3.0-or-later
// Where the pieces come from. A PieceSource is the law, shared and constant; a PieceStream is one
// game's draw from it, with its own random stream.
#ifndef TETRALAB_GAME_SOURCE_H
#define TETRALAB_GAME_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/random.h"
#include "game/piece.h"

typedef enum PieceLaw {
    PIECES_INDEPENDENT, // each piece drawn by its weight: uniform, hard, sz, S:3,Z:3,...
    PIECES_BAG,         // seven-bag: every seven pieces are a random order of all seven
    PIECES_RECORDED,    // a given sequence, after which there are no more
    PIECES_KNOWN        // those that are known of a game played elsewhere; more will come (game/position.h)
} PieceLaw;

enum { PIECE_SOURCE_NAME = 256 };

typedef struct PieceSource {
    PieceLaw law;
    char name[PIECE_SOURCE_NAME]; // as the user wrote it; a longer file name is cut
    double weight[PIECES];        // probabilities, summing to 1 (bag: 1/7 each; recorded: frequencies)
    uint64_t below[PIECES]; // cumulative probabilities times 2^32: a 32-bit draw gives the first piece p
                            //   with draw < below[p]; 2^32 from the last possible piece on
    bool uniform;           // all pieces are equally likely
    uint8_t *recorded;      // owned; NULL unless PIECES_RECORDED (PIECES_KNOWN: not owned)
    size_t recorded_length;
    bool bag; // PIECES_KNOWN: those after them come from a bag; streams hold what is left in it then
} PieceSource;

// -> text  uniform | hard | sz | bag | weights "S:3,Z:3,O:1" (pieces left out never come) |
//          a file name: letters OISZLJT, white space and lines starting with '#' ignored.
// -> files  false: a file name is an error, for texts that must not make the program open files
// Free with piece_source_free, also after an error.
bool piece_source_parse(PieceSource *source, const char *text, bool files, Error *error);
// Writes the names of those that have one, for Field.suggest.
void piece_source_suggest(FILE *out);
bool piece_source_recorded(PieceSource *source, const char *name, const uint8_t *pieces, size_t length,
                           Error *error); // copies
void piece_source_uniform(PieceSource *source);
void piece_source_free(PieceSource *source);

typedef struct PieceStream {
    const PieceSource *source; // not owned; outlives the stream
    Random random;
    uint64_t drawn;
    uint8_t bag[PIECES], bag_left;
} PieceStream;

PieceStream piece_stream(const PieceSource *source, uint64_t seed, uint64_t game);

// Makes a bag such as it is for who has not seen the pieces from here on. Nothing happens under other laws.
// -> next  the last piece that was drawn, if that was not seen either; else -1
void piece_stream_unsee(PieceStream *stream, int next);

// <- a piece from the bag, also of PIECES_KNOWN.
int piece_stream_next_of_bag(PieceStream *stream);

// The other laws than PIECES_INDEPENDENT.
int piece_stream_next_other(PieceStream *stream);

// <- the next piece, or -1 when a recorded sequence is used up or no further piece is known.
// Independent pieces are drawn without a branch: the piece is the number of bounds that the draw has
// passed. With uniform weights that is exactly draw * 7 / 2^32, which is quicker.
static inline int piece_stream_next(PieceStream *stream) {
    const PieceSource *source = stream->source;
    if (__builtin_expect(source->law != PIECES_INDEPENDENT, 0))
        return piece_stream_next_other(stream);
    stream->drawn++;
    uint64_t draw = random_next(&stream->random) >> 32;
    if (__builtin_expect(source->uniform, 1))
        return (int)(draw * PIECES >> 32);
    int piece = 0;
    for (int p = 0; p < PIECES - 1; p++)
        piece += draw >= source->below[p];
    return piece;
}

#endif
