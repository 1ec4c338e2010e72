// SPDX-License-Identifier: GPL-3.0-or-later
// A picture as rectangles and words, in pixels from the upper left corner. It is written as SVG, as PNG, or
// as one of the frames of a GIF; all show the same.
//
// Words in PNG and GIF are made of a font of our own (picture/font.h), so that a picture is the same on every
// machine; characters that it lacks become a question mark.
#ifndef TETRALAB_PICTURE_SCENE_H
#define TETRALAB_PICTURE_SCENE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "game/piece.h"

// What the colours mean; what they look like depends on light or dark.
typedef enum SceneColour {
    SCENE_PAPER,
    SCENE_EMPTY, // an empty cell
    SCENE_WALL,
    SCENE_WORDS,
    SCENE_FAINT,  // words of less weight
    SCENE_FILLED, // a cell of an unknown piece
    SCENE_ATTACK, // a cell of an attack row
    SCENE_FULL,   // a cell of a row that is about to be removed
    SCENE_MARK,   // around the cells of the piece placed last
    SCENE_PIECE,  // and the next ones: cells by piece
    SCENE_COLOURS = SCENE_PIECE + PIECES
} SceneColour;
extern const uint32_t scene_colour[2][SCENE_COLOURS]; // 0xRRGGBB; light, dark

typedef struct SceneShape {
    int16_t x, y, width, height; // of words: height is 8 times the size of a dot
    SceneColour colour;
    char *words; // owned; NULL: a rectangle
} SceneShape;

typedef struct Scene {
    int width, height;
    bool dark, failed; // failed: memory ran out; the scene lacks something and is not written
    SceneShape *shape; // owned
    size_t count;
} Scene;

enum { SCENE_MAX_SIDE = 16000, SCENE_LETTER = 6, SCENE_LINE = 11 }; // a letter is 6 by 11 dots with its space

void scene_free(Scene *scene);  // what it holds; it can be used again, as an empty one
void scene_clear(Scene *scene); // the same, but keeps the memory

void scene_rectangle(Scene *scene, SceneColour colour, int x, int y, int width, int height);
// -> x, y  the upper left corner  -> dot  pixels of one dot of the font
void scene_words(Scene *scene, SceneColour colour, int x, int y, int dot, const char *words);

// <- the text of an SVG file, free() it; NULL: out of memory
char *scene_svg(const Scene *scene, size_t *length, Error *error);

// One colour for each pixel, row by row. -> pixels  width * height
void scene_paint(const Scene *scene, uint8_t *pixels);

// <- the bytes of a PNG file, free() it; NULL: out of memory, or the program was built without libpng
char *scene_png(const Scene *scene, size_t *length, Error *error);

// A GIF grows frame by frame; every frame holds only what is new. All scenes have the size of the first one.
typedef struct Gif Gif;
// -> delay  hundredths of a second that a frame stays; the last one stays for two seconds more
Gif *gif_begin(const Scene *first, int delay, Error *error);
bool gif_add(Gif *gif, const Scene *scene, Error *error);
// <- the bytes of the file, free() it; NULL: out of memory. The Gif is gone in any case, also with NULL for
//    length, which makes no file.
char *gif_end(Gif *gif, size_t *length, Error *error);

#endif
