// SPDX-License-Identifier: GPL-3.0-or-later
// Scenes as the frames of a GIF, by giflib, where the program was built with it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "picture/scene.h"

#ifdef TETRALAB_GIF
#include <gif_lib.h>

enum { COLOUR_BITS = 5, LAST_STAYS = 200 }; // hundredths of a second
enum { UNCHANGED = SCENE_COLOURS };         // a pixel that stays as it is: transparent
_Static_assert(UNCHANGED < 1 << COLOUR_BITS, "the palette has room for all colours");

struct Gif {
    FILE *out;
    char *bytes;
    size_t length;
    GifFileType *file;
    int width, height, delay;
    uint8_t *shown,
        *waiting; // pixels: what the frames so far show; with the frame that is still to be written
    bool is_waiting;
};

static int put_bytes(GifFileType *file, const GifByteType *bytes, int count) {
    return (int)fwrite(bytes, 1, (size_t)count, file->UserData);
}

static void no_memory(const Gif *gif, Error *error) {
    error_set(error, "No memory for a film of %d by %d pixels.", gif->width, gif->height);
}

// Size, palette, and that it is shown again and again.
static bool put_head(Gif *gif, bool dark) {
    GifColorType colours[1 << COLOUR_BITS] = {{0}};
    for (int colour = 0; colour < SCENE_COLOURS; colour++) {
        uint32_t rgb = scene_colour[dark][colour];
        colours[colour] = (GifColorType){(GifByteType)(rgb >> 16), (GifByteType)(rgb >> 8), (GifByteType)rgb};
    }
    ColorMapObject *map = GifMakeMapObject(1 << COLOUR_BITS, colours);
    EGifSetGifVersion(gif->file, true);
    bool good = map && EGifPutScreenDesc(gif->file, gif->width, gif->height, COLOUR_BITS, 0, map) == GIF_OK &&
                EGifPutExtensionLeader(gif->file, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
                EGifPutExtensionBlock(gif->file, 11, "NETSCAPE2.0") == GIF_OK &&
                EGifPutExtensionBlock(gif->file, 3, "\1\0\0") == GIF_OK &&
                EGifPutExtensionTrailer(gif->file) == GIF_OK;
    GifFreeMapObject(map);
    return good;
}

Gif *gif_begin(const Scene *first, int delay, Error *error) {
    int code;
    size_t pixels = (size_t)first->width * (size_t)first->height;
    Gif *gif = calloc(1, sizeof *gif);
    if (!gif) {
        no_memory(&(Gif){.width = first->width, .height = first->height}, error);
        return NULL;
    }
    gif->width = first->width;
    gif->height = first->height;
    gif->delay = delay;
    gif->shown = malloc(pixels);
    gif->waiting = malloc(pixels);
    gif->out = open_memstream(&gif->bytes, &gif->length);
    gif->file = gif->out ? EGifOpen(gif->out, put_bytes, &code) : NULL;
    if (gif->shown && gif->waiting && gif->file && put_head(gif, first->dark)) {
        memset(gif->shown, UNCHANGED, pixels); // no colour of a scene: the first frame is whole
        return gif;
    }
    no_memory(gif, error);
    gif_end(gif, NULL, NULL);
    return NULL;
}

typedef struct Part {
    int left, top, right, bottom; // right and bottom: the first column and row behind it
} Part;

// What differs from the frame before; one pixel where nothing does, since a frame must have one.
static Part changed(const Gif *gif) {
    Part part = {gif->width, gif->height, 0, 0};
    for (int y = 0; y < gif->height; y++) {
        const uint8_t *old = gif->shown + (size_t)y * (size_t)gif->width;
        const uint8_t *new = gif->waiting + (size_t)y *(size_t)gif->width;
        if (!memcmp(old, new, (size_t)gif->width))
            continue;
        part.top = y < part.top ? y : part.top;
        part.bottom = y + 1;
        for (int x = 0; x < gif->width; x++)
            if (old[x] != new[x]) {
                part.left = x < part.left ? x : part.left;
                part.right = x + 1 > part.right ? x + 1 : part.right;
            }
    }
    return part.bottom ? part : (Part){0, 0, 1, 1};
}

// Runs of unchanged pixels take little room in the file.
static bool put_line(Gif *gif, Part part, int y) {
    uint8_t *old = gif->shown + (size_t)y * (size_t)gif->width;
    const uint8_t *new = gif->waiting + (size_t)y *(size_t)gif->width;
    for (int x = part.left; x < part.right; x++)
        old[x] = old[x] == new[x] ? UNCHANGED : new[x];
    return EGifPutLine(gif->file, old + part.left, part.right - part.left) == GIF_OK;
}

static bool put_frame(Gif *gif, int delay) {
    Part part = changed(gif);
    GifByteType control[4];
    GraphicsControlBlock block = {
        .DisposalMode = DISPOSE_DO_NOT, .DelayTime = delay, .TransparentColor = UNCHANGED};
    EGifGCBToExtension(&block, control);
    bool good = EGifPutExtension(gif->file, GRAPHICS_EXT_FUNC_CODE, sizeof control, control) == GIF_OK &&
                EGifPutImageDesc(gif->file, part.left, part.top, part.right - part.left,
                                 part.bottom - part.top, false, NULL) == GIF_OK;
    for (int y = part.top; y < part.bottom && good; y++)
        good = put_line(gif, part, y);
    uint8_t *shown = gif->shown; // which has served as the place to write from
    gif->shown = gif->waiting;
    gif->waiting = shown;
    gif->is_waiting = false;
    return good;
}

bool gif_add(Gif *gif, const Scene *scene, Error *error) {
    if (scene->failed || (gif->is_waiting && !put_frame(gif, gif->delay))) {
        no_memory(gif, error);
        return false;
    }
    scene_paint(scene, gif->waiting);
    gif->is_waiting = true;
    return true;
}

char *gif_end(Gif *gif, size_t *length, Error *error) {
    int code;
    bool good = length && (!gif->is_waiting || put_frame(gif, gif->delay + LAST_STAYS));
    good &= !gif->file || EGifCloseFile(gif->file, &code) == GIF_OK;
    gif->file = NULL;
    char *bytes = text_closed(gif->out, &gif->bytes);
    if (good && bytes)
        *length = gif->length;
    else {
        free(bytes);
        bytes = NULL;
        no_memory(gif, error);
    }
    free(gif->shown);
    free(gif->waiting);
    free(gif);
    return bytes;
}

#else
struct Gif {
    int none;
};

Gif *gif_begin(const Scene *first, int delay, Error *error) {
    (void)first, (void)delay;
    return error_null(error,
                      "This program was built without giflib: write SVG instead, or install libgif-dev and "
                      "build it again.");
}

bool gif_add(Gif *gif, const Scene *scene, Error *error) {
    (void)gif, (void)scene, (void)error;
    return false;
}

char *gif_end(Gif *gif, size_t *length, Error *error) {
    (void)gif, (void)length, (void)error;
    return NULL;
}
#endif
