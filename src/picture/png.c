// SPDX-License-Identifier: GPL-3.0-or-later
// A scene as a PNG file, by libpng, where the program was built with it.
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "picture/scene.h"

#ifdef TETRALAB_PNG
#include <png.h>

// <- was it written? libpng reports a failure by a jump back to here: nothing that changes may be in a local.
static bool write_png(png_structp png, png_infop info, const Scene *scene, png_bytep pixels, FILE *out) {
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_color palette[SCENE_COLOURS];
    for (int colour = 0; colour < SCENE_COLOURS; colour++) {
        uint32_t rgb = scene_colour[scene->dark][colour];
        palette[colour] = (png_color){(png_byte)(rgb >> 16), (png_byte)(rgb >> 8), (png_byte)rgb};
    }
    png_init_io(png, out);
    png_set_IHDR(png, info, (png_uint_32)scene->width, (png_uint_32)scene->height, 8, PNG_COLOR_TYPE_PALETTE,
                 PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_PLTE(png, info, palette, SCENE_COLOURS);
    png_write_info(png, info);
    for (int y = 0; y < scene->height; y++)
        png_write_row(png, pixels + (size_t)y * (size_t)scene->width);
    png_write_end(png, NULL);
    return true;
}

static void say_nothing(png_structp png, png_const_charp words) {
    (void)png, (void)words;
}

static void jump_back(png_structp png, png_const_charp words) {
    (void)words;
    png_longjmp(png, 1);
}

char *scene_png(const Scene *scene, size_t *length, Error *error) {
    char *bytes = NULL;
    uint8_t *pixels = scene->failed ? NULL : malloc((size_t)scene->width * (size_t)scene->height);
    FILE *out = pixels ? open_memstream(&bytes, length) : NULL;
    png_structp png =
        out ? png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, jump_back, say_nothing) : NULL;
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (info)
        scene_paint(scene, pixels);
    bool good = info && write_png(png, info, scene, pixels, out);
    png_destroy_write_struct(&png, &info);
    free(pixels);
    text_closed(out, &bytes);
    if (good && bytes)
        return bytes;
    free(bytes);
    return error_null(error, "No memory for a picture of %d by %d pixels.", scene->width, scene->height);
}

#else
char *scene_png(const Scene *scene, size_t *length, Error *error) {
    (void)scene, (void)length;
    return error_null(error,
                      "This program was built without libpng: write SVG instead, or install libpng-dev and "
                      "build it again.");
}
#endif
