// SPDX-License-Identifier: GPL-3.0-or-later
#include "picture/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "base/utf8.h"
#include "picture/font.h"

// The pieces have the colours that players know. Light and dark differ in what surrounds them.
#define PIECE_COLOURS                                                                                        \
    [SCENE_PIECE + PIECE_O] = 0xe8c21a, [SCENE_PIECE + PIECE_I] = 0x27b3d6,                                  \
                   [SCENE_PIECE + PIECE_S] = 0x4caf50, [SCENE_PIECE + PIECE_Z] = 0xd9403a,                   \
                   [SCENE_PIECE + PIECE_L] = 0xf08a24, [SCENE_PIECE + PIECE_J] = 0x3f68d1,                   \
                   [SCENE_PIECE + PIECE_T] = 0x9b4fc4

const uint32_t scene_colour[2][SCENE_COLOURS] = {
    {[SCENE_PAPER] = 0xffffff,
     [SCENE_EMPTY] = 0xf0f1f4,
     [SCENE_WALL] = 0x8a909c,
     [SCENE_WORDS] = 0x22262e,
     [SCENE_FAINT] = 0x6b717d,
     [SCENE_FILLED] = 0x5b8fc7,
     [SCENE_ATTACK] = 0xa7abb3,
     [SCENE_FULL] = 0xf7d774,
     [SCENE_MARK] = 0x22262e,
     PIECE_COLOURS},
    {[SCENE_PAPER] = 0x14171c,
     [SCENE_EMPTY] = 0x20242c,
     [SCENE_WALL] = 0x6b717d,
     [SCENE_WORDS] = 0xf0f1f4,
     [SCENE_FAINT] = 0xa7abb3,
     [SCENE_FILLED] = 0x5b8fc7,
     [SCENE_ATTACK] = 0x6f747e,
     [SCENE_FULL] = 0xfff3c4,
     [SCENE_MARK] = 0xffffff,
     PIECE_COLOURS},
};

void scene_clear(Scene *scene) {
    for (size_t i = 0; i < scene->count; i++)
        free(scene->shape[i].words);
    scene->count = 0;
}

void scene_free(Scene *scene) {
    scene_clear(scene);
    free(scene->shape);
    *scene = (Scene){0};
}

static SceneShape *add(Scene *scene, SceneColour colour, int x, int y, int width, int height) {
    if (!list_room(&scene->shape, scene->count, sizeof *scene->shape)) {
        scene->failed = true;
        return NULL;
    }
    SceneShape *shape = &scene->shape[scene->count++];
    *shape = (SceneShape){(int16_t)x,      (int16_t)y,       (int16_t)width,
                          (int16_t)height, .colour = colour, .words = NULL};
    return shape;
}

void scene_rectangle(Scene *scene, SceneColour colour, int x, int y, int width, int height) {
    add(scene, colour, x, y, width, height);
}

void scene_words(Scene *scene, SceneColour colour, int x, int y, int dot, const char *words) {
    int width = utf8_columns(words, strlen(words)) * SCENE_LETTER * dot;
    SceneShape *shape = *words ? add(scene, colour, x, y, width, 8 * dot) : NULL;
    if (shape && !(shape->words = strdup(words)))
        scene->failed = true;
}

// ---------------------------------------------------------------------------------------------------
// SVG

static void write_escaped(FILE *out, const char *words) {
    for (; *words; words++) {
        const char *name = *words == '<' ? "&lt;" : *words == '>' ? "&gt;" : *words == '&' ? "&amp;" : NULL;
        if (name)
            fputs(name, out);
        else
            fputc((unsigned char)*words < 32 ? '?' : *words, out);
    }
}

// Words are stretched to the room that the letters of our own font would take, whatever font is used.
static void write_words(FILE *out, const SceneShape *shape) {
    int dot = shape->height / 8;
    fprintf(out, "<text class=\"c%d\" x=\"%d\" y=\"%d\" font-size=\"%d\" textLength=\"%d\">", shape->colour,
            shape->x, shape->y + FONT_ROWS * dot, 10 * dot, shape->width - dot);
    write_escaped(out, shape->words);
    fputs("</text>\n", out);
}

char *scene_svg(const Scene *scene, size_t *length, Error *error) {
    char *text = NULL;
    FILE *out = scene->failed ? NULL : open_memstream(&text, length);
    if (out) {
        fprintf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                "viewBox=\"0 0 %d %d\" shape-rendering=\"crispEdges\">\n<style>text{font-family:"
                "ui-monospace,Menlo,Consolas,\"DejaVu Sans Mono\",monospace}",
                scene->width, scene->height, scene->width, scene->height);
        for (int colour = 0; colour < SCENE_COLOURS; colour++)
            fprintf(out, ".c%d{fill:#%06x}", colour, scene_colour[scene->dark][colour]);
        fprintf(out, "</style>\n<rect class=\"c%d\" width=\"100%%\" height=\"100%%\"/>\n", SCENE_PAPER);
        for (const SceneShape *shape = scene->shape; shape < scene->shape + scene->count; shape++)
            if (shape->words)
                write_words(out, shape);
            else
                fprintf(out, "<rect class=\"c%d\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n",
                        shape->colour, shape->x, shape->y, shape->width, shape->height);
        fputs("</svg>\n", out);
    }
    if (!text_closed(out, &text))
        error_set(error, "No memory for a picture of %d by %d pixels.", scene->width, scene->height);
    return text;
}

// ---------------------------------------------------------------------------------------------------
// Pixels

static void fill(const Scene *scene, uint8_t *pixels, SceneColour colour, int x, int y, int width,
                 int height) {
    int right = x + width < scene->width ? x + width : scene->width;
    int bottom = y + height < scene->height ? y + height : scene->height;
    x = x < 0 ? 0 : x;
    for (y = y < 0 ? 0 : y; y < bottom && x < right; y++)
        memset(pixels + (size_t)y * (size_t)scene->width + x, (int)colour, (size_t)(right - x));
}

static void paint_letter(const Scene *scene, uint8_t *pixels, SceneColour colour, int x, int y, int dot,
                         char letter) {
    const uint8_t *rows = font[letter - FONT_FIRST];
    y += strchr(font_dropped, letter) ? FONT_DROP * dot : 0;
    for (int row = 0; row < FONT_ROWS; row++)
        for (int column = 0; column < FONT_COLUMNS; column++)
            if (rows[row] >> (FONT_COLUMNS - 1 - column) & 1)
                fill(scene, pixels, colour, x + column * dot, y + row * dot, dot, dot);
}

static void paint_words(const Scene *scene, uint8_t *pixels, const SceneShape *shape) {
    int x = shape->x, dot = shape->height / 8;
    for (const char *at = shape->words; *at; at++) {
        if (((unsigned char)*at & 0xc0) == 0x80) // within a character
            continue;
        bool known = *at >= FONT_FIRST && *at <= FONT_LAST;
        paint_letter(scene, pixels, shape->colour, x, shape->y, dot, known ? *at : '?');
        x += SCENE_LETTER * dot;
    }
}

void scene_paint(const Scene *scene, uint8_t *pixels) {
    fill(scene, pixels, SCENE_PAPER, 0, 0, scene->width, scene->height);
    for (const SceneShape *shape = scene->shape; shape < scene->shape + scene->count; shape++)
        if (shape->words)
            paint_words(scene, pixels, shape);
        else
            fill(scene, pixels, shape->colour, shape->x, shape->y, shape->width, shape->height);
}
