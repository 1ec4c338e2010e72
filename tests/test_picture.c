// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures: what a film shows is what was played; PNG and GIF files, read by the libraries' own readers, hold
// the pixels that were painted; SVG holds every rectangle.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef TETRALAB_PNG
#include <png.h>
#endif
#ifdef TETRALAB_GIF
#include <gif_lib.h>
#endif

#include "match_fixture.h"
#include "picture/boards.h"
#include "picture/font.h"

enum { SEED = 71 };

static void make_record(Record *record, Room *room, uint64_t rounds) {
    Error error = {""};
    Match match;
    static const char *const names[] = {"a<b & c", "two", "three"};
    assert_true(record_start(record, &room->rules, room->players, names, MATCH_SAME, SEED, 1, &error));
    match_start(&match, &room->rules, room->players, MATCH_SAME, SEED, 1);
    while (match.end == MATCH_RUNNING && match.rounds < rounds) {
        Placement move[MATCH_MAX_SEATS];
        room_choose(room, &match, move);
        assert_true(record_add(record, move, &error));
        match_round(&match, move);
    }
    record_end(record, &match);
}

// ---------------------------------------------------------------------------------------------------
// Films

typedef struct Before {
    Match match; // at the end of the round before
    uint64_t rounds, rows, attacks;
} Before;

// Without the piece that has just come to rest, a board is the one that the round before has left.
static void check_round(void *context, const FilmRound *round) {
    Before *before = context;
    const Match *match = round->match;
    for (int s = 0; s < match->seats && round->number; s++) {
        const FilmBoard *board = &round->board[s];
        bool placed = match->game[s].pieces > before->match.game[s].pieces;
        int cells = 0;
        for (int x = 0; x < match->rules->width; x++) {
            uint32_t filled = 0;
            for (int y = 0; y < FILM_ROWS; y++)
                filled |= (uint32_t)(board->cell[y][x] != SCENE_EMPTY) << y;
            assert_int_equal(filled & ~board->placed[x], before->match.game[s].board.column[x]);
            assert_int_equal(board->placed[x] & ~filled, 0);
            for (int y = 0; y < FILM_ROWS; y++)
                if (board->placed[x] >> y & 1) {
                    assert_int_equal(board->cell[y][x], SCENE_PIECE + before->match.game[s].piece);
                    cells++;
                }
        }
        assert_int_equal(cells, placed ? 4 : 0);
        assert_int_equal(__builtin_popcount(board->full), match->game[s].lines - before->match.game[s].lines);
        before->rows += (uint64_t)__builtin_popcount(board->full);
        before->attacks += match->seat[s].received - before->match.seat[s].received;
    }
    assert_int_equal(round->number, before->rounds++);
    before->match = *match;
}

static void a_film_shows_what_was_played(void **state) {
    (void)state;
    static const char *const boards[] = {"10x20", "6x12", "10x12", "5x8"};
    static const char *const overflows[] = {"lenient", "strict", "touch", "lenient"};
    uint64_t rows = 0, attacks = 0;
    for (int k = 0; k < 4; k++)
        for (int seats = 1; seats <= 3; seats++) {
            Room room;
            Record record;
            Before before = {.rounds = 0};
            room_rules(&room, boards[k], overflows[k], "avoid", "simplified", "uniform");
            for (int s = 0; s < seats; s++)
                room_add(&room, s == 1 ? RANDOM_STRATEGY : "bcts");
            make_record(&record, &room, 400);
            film_play(&record, check_round, &before);
            assert_int_equal(before.rounds, record.rounds + 1);
            rows += before.rows;
            attacks += before.attacks;
            record_free(&record);
            room_free(&room);
        }
    assert_true(rows > 100 && attacks > 20); // the cases are not empty
}

// ---------------------------------------------------------------------------------------------------
// Files

static void make_scene(Scene *scene, uint64_t round) {
    Error error = {""};
    Room room;
    Record record;
    room_rules(&room, "6x12", "lenient", "avoid", "simplified", "uniform");
    room_add(&room, "bcts");
    room_add(&room, RANDOM_STRATEGY);
    make_record(&record, &room, 60);
    BoardsPlan plan = {.from = round, .to = round, .cell = 9, .dark = true};
    if (!boards_scene_record(scene, &plan, "record", &record, &error))
        fail_msg("%s", error.text);
    record_free(&record);
    room_free(&room);
}

static uint8_t *pixels_of(const Scene *scene) {
    uint8_t *pixels = malloc((size_t)scene->width * (size_t)scene->height);
    assert_non_null(pixels);
    scene_paint(scene, pixels);
    return pixels;
}

static void a_png_holds_the_pixels(void **state) {
    (void)state;
#ifdef TETRALAB_PNG
    Error error = {""};
    Scene scene;
    size_t length;
    make_scene(&scene, 10);
    char *bytes = scene_png(&scene, &length, &error);
    assert_non_null(bytes);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, bytes, length));
    assert_int_equal(image.width, scene.width);
    assert_int_equal(image.height, scene.height);
    image.format = PNG_FORMAT_RGB;
    uint8_t *read = malloc(PNG_IMAGE_SIZE(image)), *pixels = pixels_of(&scene);
    assert_non_null(read);
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
    for (size_t i = 0; i < (size_t)scene.width * (size_t)scene.height; i++)
        assert_int_equal((uint32_t)read[3 * i] << 16 | (uint32_t)read[3 * i + 1] << 8 | read[3 * i + 2],
                         scene_colour[1][pixels[i]]);
    free(read);
    free(pixels);
    free(bytes);
    scene_free(&scene);
#else
    print_message("There is no libpng here.\n");
    skip();
#endif
}

#ifdef TETRALAB_GIF
typedef struct Bytes {
    const char *at;
    size_t left;
} Bytes;

static int take_bytes(GifFileType *file, GifByteType *out, int count) {
    Bytes *bytes = file->UserData;
    size_t taken = (size_t)count < bytes->left ? (size_t)count : bytes->left;
    memcpy(out, bytes->at, taken);
    bytes->at += taken;
    bytes->left -= taken;
    return (int)taken;
}

// Lays a frame over what is shown.
static void show_frame(const SavedImage *frame, uint8_t *shown, int width, int transparent) {
    const GifImageDesc *part = &frame->ImageDesc;
    for (int y = 0; y < part->Height; y++)
        for (int x = 0; x < part->Width; x++) {
            uint8_t pixel = frame->RasterBits[y * part->Width + x];
            if (pixel != transparent)
                shown[(part->Top + y) * width + part->Left + x] = pixel;
        }
}
#endif

static void a_gif_shows_one_scene_after_the_other(void **state) {
    (void)state;
#ifdef TETRALAB_GIF
    enum { FRAMES = 12 };
    static const int rounds[FRAMES] = {1, 2, 3, 4, 5, 5, 5, 9, 10, 0, 11, 11}; // some show nothing new
    Error error = {""};
    Scene scene[FRAMES];
    Gif *gif = NULL;
    size_t length;
    for (int k = 0; k < FRAMES; k++) {
        make_scene(&scene[k], (uint64_t)rounds[k]);
        gif = gif ? gif : gif_begin(&scene[k], 20, &error);
        assert_non_null(gif);
        assert_true(gif_add(gif, &scene[k], &error));
    }
    char *bytes = gif_end(gif, &length, &error);
    assert_non_null(bytes);
    int code;
    GifFileType *file = DGifOpen(&(Bytes){bytes, length}, take_bytes, &code);
    assert_non_null(file);
    assert_int_equal(DGifSlurp(file), GIF_OK);
    assert_int_equal(file->ImageCount, FRAMES);
    uint8_t *shown = calloc((size_t)file->SWidth, (size_t)file->SHeight);
    assert_non_null(shown);
    for (int k = 0; k < FRAMES; k++) {
        uint8_t *pixels = pixels_of(&scene[k]);
        GraphicsControlBlock block;
        assert_int_equal(DGifSavedExtensionToGCB(file, k, &block), GIF_OK);
        show_frame(&file->SavedImages[k], shown, file->SWidth, block.TransparentColor);
        assert_memory_equal(shown, pixels, (size_t)file->SWidth * (size_t)file->SHeight);
        assert_int_equal(block.DelayTime, k < FRAMES - 1 ? 20 : 220);
        free(pixels);
        scene_free(&scene[k]);
    }
    free(shown);
    DGifCloseFile(file, &code);
    free(bytes);
#else
    print_message("There is no giflib here.\n");
    skip();
#endif
}

static size_t count(const char *text, const char *word) {
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, word)); at++)
        found++;
    return found;
}

static void an_svg_holds_every_shape_and_escapes_names(void **state) {
    (void)state;
    Error error = {""};
    Scene scene;
    size_t length, words = 0;
    make_scene(&scene, 10);
    scene_words(&scene, SCENE_WALL, 1, 1, 1, "a\tb\033[31m"); // XML has no place for them
    char *text = scene_svg(&scene, &length, &error);
    assert_non_null(text);
    assert_int_equal(strlen(text), length);
    for (size_t i = 0; i < scene.count; i++)
        words += scene.shape[i].words != NULL;
    assert_true(words > 2);
    assert_int_equal(count(text, "<text "), words);
    assert_int_equal(count(text, "<rect "), scene.count - words + 1); // and the paper
    assert_int_equal(count(text, "a&lt;b &amp; c"), 1);
    assert_int_equal(count(text, "a<b"), 0);
    assert_int_equal(count(text, ">a?b?[31m<"), 1);
    free(text);
    scene_free(&scene);
}

static void no_two_letters_look_the_same(void **state) {
    (void)state;
    enum { LETTERS = FONT_LAST - FONT_FIRST + 1 };
    for (int a = 0; a < LETTERS; a++)
        for (int b = 0; b < a; b++)
            if (!memcmp(font[a], font[b], FONT_ROWS))
                fail_msg("'%c' looks like '%c'", a + FONT_FIRST, b + FONT_FIRST);
    for (int a = 0; a < LETTERS; a++)
        for (int row = 0; row < FONT_ROWS; row++)
            assert_int_equal(font[a][row] >> FONT_COLUMNS, 0);
}

// Shapes that stand out of the picture are cut off, wherever they stand.
static void what_stands_out_is_cut_off(void **state) {
    (void)state;
    Scene scene = {.width = 20, .height = 10};
    uint8_t pixels[20 * 10 + 64];
    memset(pixels, 77, sizeof pixels);
    scene_rectangle(&scene, SCENE_WALL, -5, -5, 8, 8);
    scene_rectangle(&scene, SCENE_WALL, 18, 8, 100, 100);
    scene_rectangle(&scene, SCENE_WALL, 40, 2, 5, 5);
    scene_rectangle(&scene, SCENE_WALL, 5, 40, 5, 5);
    scene_words(&scene, SCENE_WORDS, 8, 5, 1, "W\xc3\xa4g");
    scene_paint(&scene, pixels);
    int walls = 0;
    for (int i = 0; i < 20 * 10; i++)
        walls += pixels[i] == SCENE_WALL;
    assert_int_equal(walls, 9 + 4);
    for (size_t i = 20 * 10; i < sizeof pixels; i++)
        assert_int_equal(pixels[i], 77);
    scene_free(&scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_film_shows_what_was_played),
        cmocka_unit_test(a_png_holds_the_pixels),
        cmocka_unit_test(a_gif_shows_one_scene_after_the_other),
        cmocka_unit_test(an_svg_holds_every_shape_and_escapes_names),
        cmocka_unit_test(no_two_letters_look_the_same),
        cmocka_unit_test(what_stands_out_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
